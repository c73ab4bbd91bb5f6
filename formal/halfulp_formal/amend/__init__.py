"""Amendments of the specification: a patch of rule data or functions, compared with the base conversion by conversion."""

from .functions import replaces

__all__ = ["replaces"]
