"""Mutants of the rows of the matrix unit: the blocks' format, and the adder's rounding mode, encoder and format."""

from halfulp_formal.mutants.matmul_rules import unit_rules
from halfulp_model.matmul import matrix_unit


def test_every_row_has_mutants():
    every = unit_rules(matrix_unit())
    assert len({each.name for each in every}) == len(every)
    assert {".".join(each.name.split(".")[1:3]) for each in every} >= {
        "rounding.RNE", "blocks.BFP16", "encoders.ieee-ocp", "formats.FP32", "flags.NV",
    }  # fmt: skip
    assert every[0].what == "tie rule RNA instead of RNE"
