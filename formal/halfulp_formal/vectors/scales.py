"""The family of power-of-two scales: TCVT to E8M0 in every rounding mode, and the rules of MX quantisers."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from halfulp_formal.vectors.classes import scales as classes
from halfulp_formal.vectors.digest import digest
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.narrate import exact, floating
from halfulp_formal.vectors.row_family import RowFamily
from halfulp_model.api_e8m0 import e8m0_conversions, scale_conversions
from halfulp_model.e8m0 import ONE, ScaleConversion, to_scale
from halfulp_model.formats import ValueClass, classify

#: the rule sets: the specification's conversion, and the choices of the quantisers
RULE_SETS = {"e8m0": "pto", "scale": "mx"}


class Scales(RowFamily):
    """Every conversion to a scale."""

    def __init__(self, package: str = "halfulp_model") -> None:
        super().__init__(rows, classes.GROUPS, description, package)

    def run(self, name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the model's public call on a code."""
        calls = import_module(f"{self.package}.api_e8m0")
        family, source, *choice = name.split(".")
        if family == "e8m0":
            rounding, saturation = choice
            result = calls.tcvt_e8m0(*inputs, source, rounding=rounding.upper(), sat=saturation == "sat")
        else:
            result = calls.mx_scale(*inputs, source, rule=choice[0], element=choice[1] if len(choice) > 1 else None)
        return result.word, result.flags

    def why(self, name: str, inputs: tuple[int, ...]) -> str:
        """Say how the result comes about."""
        return narrate(rows()[name], inputs[0])

    def facts(self, name: str) -> Any:
        """Return the facts of the model as it is shipped."""
        # the solver side is loaded only where formulas are wanted
        from halfulp_formal.families.scales import ScaleCase  # noqa: PLC0415
        from halfulp_formal.subject import base_subject  # noqa: PLC0415
        from halfulp_formal.vectors.facts.scales import ScaleFacts  # noqa: PLC0415

        return ScaleFacts(ScaleCase(base_subject(), name))


@cache
def rows() -> dict[str, ScaleConversion]:
    """Return every conversion's rows by name."""
    return {**e8m0_conversions(), **scale_conversions()}


@cache
def description(name: str) -> Description:
    """Return the description of a conversion."""
    row = rows()[name]
    return Description(
        conversion=name,
        twins=(),
        rules=(RULE_SETS[name.partition(".")[0]], digest(row)),
        rounding=row.rounding.name if row.logarithmic else None,
        saturate=row.saturate,
        relu=None,
        inputs=(Field("value", row.source.name, row.source.code_bits),),
        outputs=(Field("result", row.destination.name, row.destination.code_bits), Field("flags", "flags", 5)),
    )


def narrate(row: ScaleConversion, bits: int) -> str:
    """Return the line for one code: what it stands for, what it is divided by, and the scale."""
    given = floating(row.source, bits)
    number = "normal" in classify(row.source, bits).value
    if number and row.divisor != ONE:
        given = f"{given} / {exact(row.divisor)}"
    word = to_scale(row, bits).word
    if classify(row.destination, word) is ValueClass.QUIET_NAN:
        return f"{given} -> NaN"
    return f"{given} -> 2^{word - row.destination.bias}"
