import pytest
from typer.testing import CliRunner

from halfulp_formal.cli import app, progress


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """No test sees or fills the user's cache, and a slow machine says nothing in between."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(progress, "INTERVAL", float("inf"))


@pytest.fixture
def halfulp():
    """Runs the command line in this process: exit code, stdout, stderr."""

    def call(*arguments, stdin=None):
        result = CliRunner().invoke(app, list(arguments), input=stdin, prog_name="halfulp")
        return result.exit_code, result.stdout, result.stderr

    return call
