"""The family of the matrix multiply: one lane of `mac`, an FP32 accumulator and two blocks in, the new accumulator out."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from halfulp_formal.vectors.blocks import RULE_SETS
from halfulp_formal.vectors.classes import matmul as classes
from halfulp_formal.vectors.corner import CornerClass
from halfulp_formal.vectors.digest import digest
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.narrate import floating
from halfulp_model.blocks import Block
from halfulp_model.matmul import block_sum, mantissa_sum, matrix_unit
from halfulp_model.result import Rejected, Uncharacterised

NAME = "bfp16_matmul"


class Matmul:
    """One lane of `mac`. `package` names the model that is run, for instance a patched copy."""

    def __init__(self, package: str = "halfulp_model") -> None:
        self.package = package

    def names(self) -> tuple[str, ...]:
        """The one conversion."""
        return (NAME,)

    def twins(self, _name: str) -> tuple[str, ...]:
        """It has a file of its own."""
        return ()

    def describe(self, _name: str) -> Description:
        """Describe the conversion."""
        return description()

    def classes(self, _name: str) -> tuple[CornerClass[Any], ...]:
        """Return its corner classes."""
        return classes.CLASSES

    def run(self, _name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the model's public call on one block of either operand. Raises Rejected where the block sum is open."""
        accumulator, left, right = read(inputs)
        calls = import_module(f"{self.package}.api_blocks")
        code = calls.fold((left,), (right,), accumulator)
        if type(code).__name__ == Uncharacterised.__name__:
            raise Rejected("block", f"meets the open question {code.question}; expected a characterised block sum")
        return (code,)

    def why(self, _name: str, inputs: tuple[int, ...]) -> str:
        """Say what is added."""
        accumulator, left, right = read(inputs)
        unit = matrix_unit()
        (code,) = Matmul().run(NAME, inputs)
        fmt, value = unit.adder.fmt, block_sum(unit, left, right)
        return (
            f"{floating(fmt, accumulator)} + {mantissa_sum(left, right)} * 2^{value.exponent} -> {floating(fmt, code)}"
        )

    def facts(self, _name: str) -> Any:
        """Return the facts of the model as it is shipped."""
        # the solver side is loaded only where formulas are wanted
        from halfulp_formal.subject import base_subject  # noqa: PLC0415
        from halfulp_formal.vectors.facts.matmul import Facts, Lane  # noqa: PLC0415

        return Facts(Lane(base_subject(), NAME))


def read(inputs: tuple[int, ...]) -> tuple[int, Block, Block]:
    """Return accumulator and blocks of a case's bit patterns."""
    accumulator, *rest = inputs
    half = len(rest) // 2
    left, right = (
        Block(exponent, tuple(code - (code >> 7 << 8) for code in mantissas))
        for exponent, *mantissas in (rest[:half], rest[half:])
    )
    return accumulator, left, right


@cache
def description() -> Description:
    """Return the description of the conversion."""
    unit = matrix_unit()
    block = unit.block
    operands = (
        Field("exponent", "exponent", block.exponent_bits),
        *(Field(f"{k}", "mantissa", block.mantissa_bits) for k in range(block.size)),
    )
    sides = (("a", operands), ("b", operands))
    word = Field("accumulator", unit.adder.fmt.name, unit.adder.fmt.carrier_bits)
    return Description(
        conversion=NAME,
        twins=(),
        rules=(RULE_SETS[block.name], digest(unit)),
        rounding=unit.adder.rounding.name,
        saturate=False,
        relu=None,
        inputs=(
            word,
            *(Field(f"{side}_{each.name}", each.type, each.bits) for side, fields in sides for each in fields),
        ),
        outputs=(Field("result", word.type, word.bits),),
    )
