"""A change of the sources: what does not depend on it is not solved again, what does is."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import halfulp_formal
import halfulp_model

SCRIPT = """
import json, sys
from pathlib import Path
from halfulp_formal.cache import Cache
from halfulp_formal.catalogue import build
from halfulp_formal.decide import Engine
from halfulp_formal.scheduler import run
cache = Cache.of_sources(Path(sys.argv[1]))
proofs = run(sys.argv[2:], build, Engine(), jobs=1, isolate=False, cache=cache)
assert all(proof.ok for proof in proofs), proofs
print(json.dumps([proof.name for proof in proofs if not proof.cached]))
"""

NAMES = [
    "e8m0.fp16.rne.sat.equivalent",
    "format.tf32.available",
    "format.tf32.valid",
    "shifts322s16.total",
]

NAN = "    if is_nan(conversion.source, bits):\n        return outcome_result(conversion, table.nan)\n"
ZERO = "    if is_zero(conversion.source, bits):\n        return outcome_result(conversion, table.zero)\n"

#: changes that leave the verdicts as they are: a function of the model, one of an encoding, a property
CHANGES = [
    ("halfulp_model/e8m0.py", NAN + ZERO, ZERO + NAN),
    ("halfulp_formal/encodings/e8m0.py", "exponent.bvslt(-_BIAS)", "(exponent + 0).bvslt(-_BIAS)"),
    (
        "halfulp_formal/properties/formats.py",
        "iff(case.valid(case.code), case.layout.read(case.code).valid)",
        "iff(case.layout.read(case.code).valid, case.valid(case.code))",
    ),
]

#: what they make unknown
CHANGED = ["e8m0.fp16.rne.sat.equivalent", "format.tf32.valid"]


@pytest.fixture
def copy(tmp_path):
    """Copies of both packages; a function that runs the prover on them and returns what was solved."""
    for package in (halfulp_model, halfulp_formal):
        folder = Path(package.__file__ or "").parent
        shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("__pycache__"))

    def solved():
        command = [sys.executable, "-c", SCRIPT, str(tmp_path / "cache"), *NAMES]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return solved


def test_a_comment_makes_nothing_unknown_and_a_function_what_depends_on_it(copy, tmp_path):
    assert copy() == NAMES
    for path in [*tmp_path.glob("halfulp_model/*.py"), *tmp_path.glob("halfulp_formal/properties/*.py")]:
        path.write_text(f"# a comment\n{path.read_text()}\n# another\n")
    assert copy() == []
    for file, old, new in CHANGES:
        path = tmp_path / file
        text = path.read_text()
        assert text.count(old) == 1, file
        path.write_text(text.replace(old, new))
    assert copy() == CHANGED
