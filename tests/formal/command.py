"""The command line in this process, for the tests of several folders."""

import pytest
from typer.testing import CliRunner

from halfulp_formal.cli import app


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """No test sees or fills the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def halfulp():
    """Runs the command line: exit code, stdout, stderr."""

    def call(*arguments, stdin=None):
        result = CliRunner().invoke(app, [str(each) for each in arguments], input=stdin, prog_name="halfulp")
        return result.exit_code, result.stdout, result.stderr

    return call
