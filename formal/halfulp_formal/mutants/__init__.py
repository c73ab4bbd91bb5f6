"""First-order mutants of the model: made, run on vectors, proved equivalent, and recognised in somebody's results."""

from halfulp_formal.mutants.likeness import lookalike

__all__ = ["lookalike"]
