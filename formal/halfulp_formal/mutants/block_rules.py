"""Mutants of the rule data that block conversions read: the block format, the rounding mode, the members' format."""

from __future__ import annotations

from collections.abc import Iterator

from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.rules import mutant, one_format, rounding_mutants
from halfulp_formal.subject import shipped_document
from halfulp_model.block_rows import BlockFormat
from halfulp_model.blocks import BlockConversion

#: the values of every choice of a block format, and what each means
BLOCK_CHOICES = {
    "selection": {
        "exponent_field": "the shared exponent is the largest exponent field",
        "largest_magnitude": "the shared exponent is that of the largest magnitude",
    },
    "subnormals": {"flushed": "a subnormal member counts as zero", "kept": "a subnormal member counts"},
    "overflow": {
        "renormalise": "a mantissa beyond the largest magnitude moves the exponent",
        "clamp": "a mantissa beyond the largest magnitude is clamped",
    },
    "minimum": {
        "floor_only_emits_-128": "floor alone emits the most negative mantissa",
        "fits_int8": "every rounding mode emits the most negative mantissa",
        "never": "no rounding mode emits the most negative mantissa",
    },
}

#: the numbers of a block format with what each is called, and by how much they may be off: bytes cannot get wider
BLOCK_NUMBERS = {
    "exponent_bits": ("exponent bits", (-1,)),
    "bias": ("as its bias", (-1, 1)),
    "mantissa_bits": ("mantissa bits", (-1,)),
    "fraction_bits": ("fraction bits", (-1, 1)),
}


def conversion_rules(row: BlockConversion) -> tuple[Mutant, ...]:
    """Return the mutants of the rows of a block conversion, those that people meet first at the head."""
    return (
        *rounding_mutants(row.rounding, shipped_document()[0], "crrnd"),
        *block_mutants(row.block),
        *one_format(row.member),
    )


def block_mutants(row: BlockFormat) -> Iterator[Mutant]:
    """Yield every other choice of a block format, and its numbers one off."""
    given = shipped_document()[0]["blocks"][row.name]
    for key, meanings in BLOCK_CHOICES.items():
        path = f"blocks/{row.name}/{key}"
        for value, what in meanings.items():
            if value != given[key]:
                yield mutant(path, value.replace("_", "-"), f"{row.name}: {what}", (path, value))
    for key, (called, off) in BLOCK_NUMBERS.items():
        path = f"blocks/{row.name}/{key}"
        for value in (given[key] + change for change in off):
            what = f"{row.name} has {value} {called} instead of {given[key]}"
            yield mutant(path, str(value), what, (path, value))
