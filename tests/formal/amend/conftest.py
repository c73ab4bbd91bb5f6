from formal.cli.conftest import halfulp, own_cache

__all__ = ["halfulp", "own_cache"]
