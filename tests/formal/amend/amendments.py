"""Amendments written for a test, and a study of one in this process."""

from halfulp_formal.amend.investigator import Investigator
from halfulp_formal.amend.patch import read_amendment
from halfulp_formal.amend.scope import Scope
from halfulp_formal.amend.study import study
from halfulp_formal.decide import Engine

HEAD = "schema: halfulp-amendment/1\ntitle: A test\n"


def write(folder, text, functions=None):
    """Write an amendment, and its file of functions if it has one."""
    path = folder / "patch.yaml"
    path.write_text(HEAD + text)
    if functions is not None:
        (folder / "functions.py").write_text(functions)
    return path


def studied(path, *patterns, **scope):
    """Study an amendment in this process."""
    investigator = Investigator(read_amendment(path), Engine(timeout=60), 1, None, isolate=False)
    return study(investigator, Scope(patterns, **scope))
