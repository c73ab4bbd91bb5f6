"""The family of the matrix post-processing: inputs, outputs and golden results of one element."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from halfulp_formal.vectors.classes import factors, floating, mutants, products, results, rounding, sources, stages
from halfulp_formal.vectors.corner import CornerClass, classes_of
from halfulp_formal.vectors.digest import digest
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.narrate import narrate
from halfulp_model import conversions as model_conversions
from halfulp_model.postprocess import Conversion
from halfulp_model.rows import Parameter

GROUPS = (
    *rounding.GROUPS,
    *floating.GROUPS,
    *stages.GROUPS,
    *factors.GROUPS,
    *sources.GROUPS,
    *results.GROUPS,
    *products.GROUPS,
)

#: the rule set that the post-processing follows
RULE_SET = "pto"


class PostProcessing:
    """Every conversion of the post-processing. `package` names the model that is run, for instance a patched copy."""

    def __init__(self, package: str = "halfulp_model") -> None:
        self.package = package

    def names(self) -> tuple[str, ...]:
        """The conversions that have a file of their own: a vector mode shares its scalar twin's."""
        return tuple(name for name, row in rows().items() if row.mode.operand != "vector")

    def twins(self, name: str) -> tuple[str, ...]:
        """The vector modes with the same arithmetic."""
        return twins()[name]

    def describe(self, name: str) -> Description:
        """Describe a conversion."""
        return description(name)

    def classes(self, name: str) -> tuple[CornerClass[Any], ...]:
        """Return the corner classes of a conversion."""
        return (*classes_of(GROUPS, rows()[name]), *mutants.classes(name))

    def run(self, name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the model's public call. The result is the element's code if the 64-bit word is its extension."""
        row = rows()[name]
        value, relu, quant_word, relu_word = complete(row, inputs)
        result = self._call(
            value,
            row.mode.name,
            rounding=row.rounding.name if row.mode.rounding == model_conversions.PROGRAMMABLE else "NONE",
            sat=row.saturate,
            relu=relu,
            quant_param=quant_word,
            relu_param=relu_word,
            accumulator=row.accumulator.name,
        )
        code = result.word % (1 << row.destination.code_bits)
        return code if extended(row, code) == result.word else result.word, result.flags

    @property
    def _call(self) -> Any:
        return import_module(f"{self.package}.api").post_process

    def why(self, name: str, inputs: tuple[int, ...]) -> str:
        """Say how the result comes about."""
        row = rows()[name]
        value, relu, quant_word, relu_word = complete(row, inputs)
        if row.accumulator.is_integer and row.accumulator.signed:
            value = signed(value, row.accumulator.carrier_bits)
        return narrate(row, value, relu, quant_word, relu_word)

    def facts(self, name: str) -> Any:
        """Return the facts of the model as it is shipped."""
        # the solver side is loaded only where formulas are wanted
        from halfulp_formal.case import Case  # noqa: PLC0415
        from halfulp_formal.subject import base_subject  # noqa: PLC0415
        from halfulp_formal.vectors.facts.postprocess import Facts  # noqa: PLC0415

        return Facts(Case(base_subject(), name))


@cache
def description(name: str) -> Description:
    """Return the description of a conversion."""
    row = rows()[name]
    return Description(
        conversion=name,
        twins=twins()[name],
        rules=(RULE_SET, digest(row)),
        rounding=row.rounding.name if rounding.rounds(row) else None,
        saturate=row.saturate,
        relu="input",
        inputs=(
            Field("value", row.accumulator.name, row.accumulator.carrier_bits),
            Field("relu", "ReluMode", 3),
            *([] if row.mode.parameter is Parameter.NONE else [Field("quant_param", "word", 64)]),
            Field("relu_param", "word", 64),
        ),
        outputs=(
            Field("result", row.destination.name, row.destination.code_bits),
            Field("flags", "flags", 5),
        ),
    )


def rows() -> dict[str, Conversion]:
    """Return every conversion's rows by name, in table order."""
    return model_conversions.conversions()


@cache
def twins() -> dict[str, tuple[str, ...]]:
    """Return for every conversion the vector modes that differ from it in nothing but where their parameter is from."""
    alike: defaultdict[Conversion, list[str]] = defaultdict(list)
    for name, row in rows().items():
        if row.mode.operand == "vector":
            alike[arithmetic(row)].append(name)
    return {name: tuple(other for other in alike[arithmetic(row)] if other != name) for name, row in rows().items()}


def arithmetic(row: Conversion) -> Conversion:
    """Return the rows without name, code and operand."""
    return replace(row, name="", mode=replace(row.mode, name="", code=0, operand=""))


def complete(row: Conversion, inputs: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Return value, ReluMode, parameter word and activation word of a case; a mode without parameter has the word 0."""
    if row.mode.parameter is Parameter.NONE:
        value, relu, relu_word = inputs
        return value, relu, 0, relu_word
    value, relu, quant_word, relu_word = inputs
    return value, relu, quant_word, relu_word


def signed(code: int, bits: int) -> int:
    """Read a code as two's complement."""
    return code - (code >> (bits - 1) << bits)


def extended(row: Conversion, code: int) -> int:
    """Return the 64-bit word of an element: signed integers are sign-extended, all others zero-extended."""
    fmt = row.destination
    return signed(code, fmt.code_bits) % (1 << 64) if fmt.is_integer and fmt.signed else code
