"""Rule data with one change made to it, for tests of what the loader refuses."""

import shutil
from pathlib import Path

import pytest

from halfulp_model.loader import RULES_FOLDER, RuleError, load_rules


def copy_with(folder: Path, file: str, old: str, new: str) -> str:
    """Copy the shipped rules with the one occurrence of a text replaced; return the changed file's text."""
    for path in RULES_FOLDER.glob("*.yaml"):
        shutil.copy(path, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    changed = text.replace(old, new)
    (folder / file).write_text(changed, encoding="utf-8")
    return changed


def check_refused(folder: Path, file: str, old: str, new: str, at: str, message: str) -> None:
    """Check that a change is refused at the line of its first text `at`, with exactly this message."""
    text = copy_with(folder, file, old, new)
    line = text[: text.index(at)].count("\n") + 1
    with pytest.raises(RuleError) as refusal:
        load_rules(folder)
    assert str(refusal.value) == f"{file}:{line}: {message}"
