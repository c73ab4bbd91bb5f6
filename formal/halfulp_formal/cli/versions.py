"""The version of the package as it is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def halfulp_version() -> str:
    """Return the installed version."""
    try:
        return version("halfulp")
    except PackageNotFoundError:
        return "(not installed)"
