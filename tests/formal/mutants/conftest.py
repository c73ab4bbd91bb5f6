"""What the tests of this folder share."""

from formal.command import halfulp, own_cache

__all__ = ["halfulp", "own_cache"]
