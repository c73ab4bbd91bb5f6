"""What the tests of this folder share."""

import pytest

from formal.command import halfulp, own_cache
from halfulp_formal.cli import progress

__all__ = ["halfulp", "own_cache"]


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """A slow machine says nothing in between."""
    monkeypatch.setattr(progress, "INTERVAL", float("inf"))
