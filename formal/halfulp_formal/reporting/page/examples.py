"""One case of a conversion that shows how it rounds: where its source holds one, a tie just above one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from halfulp_formal.explain import Explanation, codes, explain
from halfulp_formal.explain.numerals import hex_text
from halfulp_formal.subject import base_subject
from halfulp_model.convert import PlainConversion
from halfulp_model.e8m0 import ScaleConversion
from halfulp_model.exact import Exact
from halfulp_model.formats import encode_exact
from halfulp_model.postprocess import Conversion
from halfulp_model.rows import Format, Parameter

from .curves import curve_of, number_of, start_of
from .rule_lines import rows_by_name

ONE = Exact(negative=False, significand=1, exponent=0)
ONE_AND_A_HALF = Exact(negative=False, significand=3, exponent=-1)

#: curves of plain conversions by all that they depend on: destination, rounding mode, Sat and the number
Curves = dict[tuple[str, str, bool, Fraction], dict[str, Any] | None]


def example_of(conversion: str) -> Explanation | None:
    """Return an explained case of a conversion, None of one that takes no single number.

    The first of its candidates that is rounded, or else the first of all.
    """
    row, first = rows_by_name().get(conversion), None
    for fields in candidates(row):
        found = explain_code(row, fields["in"]) if isinstance(row, PlainConversion) else explain(conversion, fields)
        if "NX" in str(found.outcome.get("flags", "NX")):
            return found
        first = first or found
    return first


def explain_code(row: PlainConversion, code: str) -> Explanation:
    """Explain a code of a plain conversion, as `explain` does; there are thousands, and looking a name up takes longer."""
    return codes.explain(base_subject(), codes.Case(row, int(code, 0), ("convert", "convert_code")))


def example_curve(conversion: str, example: Explanation, known: Curves) -> dict[str, Any] | None:
    """Return the staircase round an example; plain conversions that round alike share one."""
    row, number = rows_by_name()[conversion], start_of(example)
    if not isinstance(row, PlainConversion) or number is None:
        return curve_of(row, example)
    key = (row.destination.name, row.rounding.name, row.saturate, number_of(number))
    if key not in known:
        known[key] = curve_of(row, example)
    return known[key]


def candidates(row: Any) -> Iterator[Mapping[str, Any]]:
    """Yield cases of a conversion as the fields that `explain` reads."""
    if isinstance(row, Conversion):
        yield from products(row)
    elif isinstance(row, PlainConversion):
        yield from ({"in": code} for code in held_codes(row.source, tie(row.source, row.destination)))
    elif isinstance(row, ScaleConversion):
        yield from ({"in": code} for code in held_codes(row.source, ONE_AND_A_HALF))
    elif isinstance(row, tuple):
        source, destination = row
        yield from ({"in": code} for code in held_codes(source, tie(source, destination)))
    elif isinstance(row, Format):
        yield from ({"in": code} for code in held_codes(row, ONE_AND_A_HALF))


def tie(source: Format, destination: Format) -> Exact:
    """Return a number halfway between two of a destination, as an integer where the source has no others."""
    if destination.is_integer:
        return Exact(negative=False, significand=5, exponent=-1)
    places = destination.fraction_bits + 1
    return Exact(negative=False, significand=(1 << places) + 1, exponent=0 if source.is_integer else -places)


def held_codes(source: Format, wanted: Exact) -> Iterator[str]:
    """Yield codes of a source in hex: of the wanted number, of 1.5 and of 1, those that it holds."""
    for number in (wanted, ONE_AND_A_HALF, ONE):
        if source.is_integer:
            if number.exponent == 0 and number.significand <= source.maximum:
                yield hex_text(number.significand, source.code_bits)
            continue
        encoding = encode_exact(source, number)
        if encoding.available:
            yield hex_text(encoding.bits, source.code_bits)


def products(row: Conversion) -> Iterator[Mapping[str, Any]]:
    """Yield cases of a post-processing conversion."""
    scaled = row.mode.parameter is Parameter.SCALE
    if row.mode.parameter is Parameter.SHIFT:
        yield {"acc": 5, "shift": 1}
    elif row.accumulator.is_integer:
        places = 1 if row.destination.is_integer else row.destination.fraction_bits + 1
        acc = 5 if row.destination.is_integer else (1 << places) + 1
        yield {"acc": acc} | ({"scale": repr(2.0**-places)} if scaled else {})
    else:
        for code in held_codes(row.accumulator, tie(row.accumulator, row.destination)):
            yield {"acc": code} | ({"scale": "1.0"} if scaled else {})
        yield {"acc": "0x3f800001"} | ({"scale": "1.5"} if scaled else {})
