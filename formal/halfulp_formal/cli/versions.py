"""The version of the package as it is installed."""

from __future__ import annotations


def halfulp_version() -> str:
    """Return the installed version."""
    # loaded only here: no other command needs it
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("halfulp")
    except PackageNotFoundError:
        return "(not installed)"
