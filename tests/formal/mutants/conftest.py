import pytest
from typer.testing import CliRunner

from halfulp_formal.cli import app


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """No test sees or fills the user's cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def halfulp():
    """Runs the command line in this process: exit code, stdout, stderr."""

    def call(*arguments):
        result = CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="halfulp")
        return result.exit_code, result.stdout, result.stderr

    return call
