"""The family of block conversions: eight or 32 FP32 members in, the shared exponent and the mantissas out."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from halfulp_formal.vectors.classes import blocks as classes
from halfulp_formal.vectors.digest import digest
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.narrate import exact
from halfulp_formal.vectors.row_family import RowFamily
from halfulp_model.block_rows import Overflow
from halfulp_model.blocks import BlockConversion, block_conversions, encode_block, exact_mantissa, shared_exponent
from halfulp_model.result import Rejected, Uncharacterised

#: the rule sets that the conversions follow, by the block format
RULE_SETS = {"BFP16": "xdna2", "MXINT8": "ocp-mx"}

#: inexact mantissas that a line shows
SHOWN = 3


class Blocks(RowFamily):
    """Every block conversion."""

    def __init__(self, package: str = "halfulp_model") -> None:
        super().__init__(block_conversions, classes.GROUPS, description, package)

    def run(self, name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the model's public call. Raises Rejected for a block that meets an open question."""
        row, calls = block_conversions()[name], import_module(f"{self.package}.api_blocks")
        block = calls.bfp16_encode(inputs, row.rounding.name) if takes_mode(row) else calls.mxint8_quantize(inputs)
        # a patched model has types of its own
        if type(block).__name__ == Uncharacterised.__name__:
            raise Rejected("block", f"meets the open question {block.question}; expected a characterised block")
        limit = 1 << row.block.mantissa_bits
        return block.exponent, *(mantissa % limit for mantissa in block.mantissas)

    def why(self, name: str, inputs: tuple[int, ...]) -> str:
        """Say how the exponent comes about, and the first exact mantissas that are not integers."""
        return narrate(block_conversions()[name], inputs)

    def facts(self, name: str) -> Any:
        """Return the facts of the model as it is shipped."""
        # the solver side is loaded only where formulas are wanted
        from halfulp_formal.families.blocks import BlockCase  # noqa: PLC0415
        from halfulp_formal.subject import base_subject  # noqa: PLC0415
        from halfulp_formal.vectors.facts.blocks import Facts  # noqa: PLC0415

        return Facts(BlockCase(base_subject(), name))


def takes_mode(row: BlockConversion) -> bool:
    """Tell whether a conversion's rounding mode can be chosen."""
    return len(row.block.roundings) > 1


@cache
def description(name: str) -> Description:
    """Return the description of a conversion."""
    row = block_conversions()[name]
    block, member = row.block, row.member
    return Description(
        conversion=name,
        twins=(),
        rules=(RULE_SETS[block.name], digest(row)),
        rounding=row.rounding.name,
        saturate=block.overflow is Overflow.CLAMP,
        relu=None,
        inputs=tuple(Field(f"member{k}", member.name, member.carrier_bits) for k in range(block.size)),
        outputs=(
            Field("exponent", "exponent", block.exponent_bits),
            *(Field(f"mantissa{k}", "mantissa", block.mantissa_bits) for k in range(block.size)),
        ),
    )


def narrate(row: BlockConversion, members: tuple[int, ...]) -> str:
    """Return the line for one block."""
    first, made = shared_exponent(row, members), encode_block(row, members)
    text = f"exponent {first}"
    if made.renormalised:
        text += f", a magnitude rounds to 128: exponent {made.block.exponent}"
    pairs = []
    for place, (bits, mantissa) in enumerate(zip(members, made.block.mantissas, strict=True)):
        value = exact_mantissa(row, bits, made.block.exponent)
        if value.significand and value.significand != abs(mantissa) * 2**-value.exponent:
            pairs.append(f"m{place}: {exact(value)} -> {mantissa}")
    rest = f"; {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
    return "; ".join([text, *pairs[:SHOWN]]) + rest
