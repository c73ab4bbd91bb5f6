"""`halfulp explain`: one case of a conversion, stage by stage."""

from __future__ import annotations

import re
from typing import Any

import typer
from typer.core import TyperCommand

from .failures import Refused
from .printing import encodable

FIELDS_HELP = (
    "acc: the accumulator, 300 or, of FP32, 1.5 or 0x3fc00000. scale, activation: FP19, 1.5 or 0x1fe00. offset. "
    "relu: 0 to 3. shift: 1 to 16 places, or shift_code: 0 to 15. quant_word, relu_word: whole 64-bit words. "
    "product: 307200*2^-10, in place of acc and scale. in: a number or, as 0x…, a code, "
    "of formats, cvt.*, e8m0.* and scale.*. "
    "block: all members of bfp16.* and mxint8, separated by commas. a, b: blocks of bfp16_matmul and bfp16_fold, "
    "127:64,0,0,0,0,0,0,0 or as bfp16.* prints them, with / between; accumulator. left, right: of fp32_add.*. "
    "word: of fpatr, or its fields, pre_quant=REQ8 relu=1. tile: the rows of tile.*, 1,2,3/4,5,6, with the word's fields, "
    "rmode, sat, row_max_in, and scale, offset and so on, one for all columns or one a column. row, row_max_in, group: of "
    "reduce.*. elements, blocks or bytes: of pack.s4x2 and bfp16_v64. A number "
    "that its format does not hold is taken as the nearest code, and a line says so. What one field says "
    "alone needs no key, and the inputs of a vector file's cases may go by their names there."
)


#: a value without a key that looks like an option
NEGATIVE = re.compile(r"-([0-9.].*|inf|nan)", re.IGNORECASE)


class Signed(TyperCommand):
    """A command line on which a negative number is a value, no option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the options in front, and whatever else behind the mark that ends them."""
        if any(NEGATIVE.fullmatch(word) for word in args) and "--" not in args:
            options = [word for word in args if word.startswith("-") and not NEGATIVE.fullmatch(word)]
            args = [*options, "--", *(word for word in args if word not in options)]
        return super().parse_args(ctx, args)


def explain_case(
    name: str = typer.Argument(
        ..., metavar="CONVERSION", help="A conversion's name, req8.rne.nosat, or a format's: E4M3"
    ),
    pairs: list[str] = typer.Argument(None, metavar="KEY=VALUE…", help=FIELDS_HELP),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> int:
    """Explain one case: every stage of the model with its exact value beside its bits.

    The name has the rounding mode and the saturation, req8.rne.nosat: neither has a default. The fields rmode and sat of
    tile.* are those of its name where they are not given, those of fpatr.* 0.
    """
    from halfulp_formal.explain import as_lines, as_record, explain

    explanation = explain(name, read_pairs(list(pairs or [])))
    if as_json:
        print(encodable(as_record(explanation), indent=1))
    else:
        print("\n".join(as_lines(explanation)))
    return 0


def read_pairs(pairs: list[str]) -> dict[str, str]:
    """Read KEY=VALUE arguments; one without a key is the code `in`. Refused: no key before =, or a key given twice."""
    fields: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if equals and not key:
            raise Refused(f"{pair}: expected KEY=VALUE, such as acc=300")
        key, value = (key, value) if equals else ("", pair)
        if key in fields:
            raise Refused(f"{pair}: expected {f'{key} once' if key else 'one value without a key'}")
        fields[key] = value
    return fields
