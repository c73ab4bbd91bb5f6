"""Mutants of the rule data that the matrix multiply reads: the blocks' format, and the rows of the accumulator's adder."""

from __future__ import annotations

from halfulp_formal.mutants.block_rules import block_mutants
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.rules import encoder_mutants, flag_mutants, one_format, rounding_mutants
from halfulp_formal.subject import shipped_document
from halfulp_model.matmul import MatrixUnit


def unit_rules(unit: MatrixUnit) -> tuple[Mutant, ...]:
    """Return the mutants of the rows of the matrix unit, those that people meet first at the head."""
    document, adder = shipped_document()[0], unit.adder
    rule_set: str = document["adders"][adder.fmt.name]["encoder"]
    return (
        *rounding_mutants(adder.rounding, document),
        *block_mutants(unit.block),
        *encoder_mutants(adder.fmt, rule_set, document),
        *flag_mutants(document),
        *one_format(adder.fmt),
    )
