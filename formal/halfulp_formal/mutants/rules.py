"""Mutants of the rule data: every small wrong value in the rows that a conversion reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from typing import Any

from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.subject import RulePatch, SourcePatch, shipped_document
from halfulp_model.api_e8m0 import MX_SCALE, TCVT
from halfulp_model.conversions import RULE_SET
from halfulp_model.convert import PLAIN_RULES, PlainConversion
from halfulp_model.e8m0 import ScaleConversion
from halfulp_model.postprocess import Conversion
from halfulp_model.rows import Format, Kind, Parameter, Rounding, Specials

#: the two values of every choice of an encoder row, and what each means
ENCODER_CHOICES = {
    "overflow": {
        "before_rounding": "overflow is decided before rounding",
        "after_rounding": "overflow is decided after rounding",
    },
    "overflow_result": {
        "special": "an overflow gives the special value",
        "directed": "an overflow stops at the largest finite number where the mode points inward",
    },
    "tininess": {
        "before_rounding": "tininess is detected before rounding",
        "after_rounding": "tininess is detected after rounding",
    },
    "underflow_sign": {
        "kept": "an underflow to zero keeps its sign",
        "positive": "an underflow to zero is positive",
    },
    "nan": {"canonical": "a NaN becomes the canonical one", "quieted": "a NaN keeps sign and payload"},
    "saturated_nan": {"zero": "Sat = 1 makes a NaN zero", "nan": "Sat = 1 leaves a NaN a NaN"},
}

#: the widths that the rule data may give an offset
OFFSET_BITS = (5, 9, 17)
CHOICES = ("floor", "ceiling", "zero", "away", "even", "odd")
#: what a table of scales gives without rounding, and the codes that it may give there: the ends of the range, and NaN
OUTCOMES = ("nan", "zero", "negative", "infinity", "overflow", "underflow")
SCALE_ENDS = (0x00, 0xFE, 0xFF)
NUMBERS_OF_FLAG = ("NV", "DZ", "OF", "UF", "NX")


def plain_rules(row: PlainConversion) -> tuple[Mutant, ...]:
    """Return the mutants of the rows of a plain conversion, those that people meet first at the head."""
    document = shipped_document()[0]
    return (
        *rounding_mutants(row.rounding, document),
        *saturation_mutants("convert"),
        *encoder_mutants(row.destination, PLAIN_RULES, document),
        *flag_mutants(document),
        *(mutant for fmt in (row.destination, row.source) for mutant in one_format(fmt)),
    )


def element_rules(row: Conversion) -> tuple[Mutant, ...]:
    """Return the mutants of the rows of a conversion of the post-processing, those that people meet first at the head."""
    document = shipped_document()[0]
    rounds = row.mode.parameter is not Parameter.SHIFT and row.accumulator.signed
    return (
        *(rounding_mutants(row.rounding, document) if rounds else ()),
        *saturation_mutants("conversions"),
        *encoder_mutants(row.destination, RULE_SET, document),
        *flag_mutants(document),
        *mode_mutants(row, document),
        *word_mutants(row, document),
        *format_mutants(row),
    )


def scale_rules(row: ScaleConversion) -> tuple[Mutant, ...]:
    """Return the mutants of the rows of a conversion to a scale, those that people meet first at the head."""
    document = shipped_document()[0]
    tcvt = row.logarithmic
    return (
        *rounding_mutants(row.rounding, document, "rounding" if tcvt else "scale_rules"),
        *(saturation_mutants("api_e8m0") if tcvt else ()),
        *outcome_mutants(TCVT if tcvt else MX_SCALE, document),
        *flag_mutants(document),
        *(mutant for fmt in (row.destination, row.source) for mutant in one_format(fmt)),
    )


def mutant(path: str, variant: str, what: str, *patches: tuple[str, Any]) -> Mutant:
    """Return a mutant of the rule data; patches are pairs of a path with slashes and a value."""
    made = tuple(RulePatch(tuple(place.split("/")), value) for place, value in patches)
    return Mutant(f"rules.{path.replace('/', '.')}.{variant}", what, f"rules/{path}", made)


def rounding_mutants(own: Rounding, document: Mapping[str, Any], section: str = "rounding") -> Iterator[Mutant]:
    """Yield every other tie rule and direction that the row of a rounding mode can have, known modes first."""
    modes = document[section]
    path = f"{section}/{own.name}"
    known = {(mode["nearest"], mode["choice"]): name for name, mode in modes.items()}
    unnamed = [(nearest, choice) for nearest in (True, False) for choice in CHOICES]
    # another tie rule differs in ties alone: it is told before a mode that differs in more
    pairs = sorted([*known, *unnamed], key=lambda pair: (pair not in known, pair[0] != own.nearest))
    for nearest, choice in dict.fromkeys(pairs):
        if (nearest, choice) == (own.nearest, own.choice.value):
            continue
        name = known.get((nearest, choice))
        if nearest and own.nearest:
            what = f"tie rule {name} instead of {own.name}" if name else f"{own.name} sends a tie to {choice}"
        elif name:
            what = f"rounding mode {name} instead of {own.name}"
        else:
            what = f"{own.name} sends {'a tie' if nearest else 'every inexact value'} to {choice}"
        variant = name.lower() if name else f"{'nearest' if nearest else 'directed'}-{choice}"
        yield mutant(path, variant, what, (f"{path}/nearest", nearest), (f"{path}/choice", choice))


def saturation_mutants(module: str) -> Iterator[Mutant]:
    """Yield the conversion under the other value of Sat: it is no row, but what every call gives."""
    patch = SourcePatch(module, "saturate=saturate,", "saturate=not saturate,")
    yield Mutant(f"rules.{module}.saturate", "Sat 0 and Sat 1 change places", f"{module}.py", (patch,))


def encoder_mutants(destination: Format, rule_set: str, document: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield the other value of every choice of the destination's encoder, or of the flags of an integer."""
    if destination.is_integer:
        path = f"integers/{rule_set}/out_of_range"
        other = {"overflow": "invalid", "invalid": "overflow"}[document["integers"][rule_set]["out_of_range"]]
        flags = {"overflow": "OF and NX", "invalid": "NV"}[other]
        yield mutant(path, other, f"an integer out of range raises {flags}", (path, other))
        return
    name = destination.name
    for key, meanings in ENCODER_CHOICES.items():
        path = f"encoders/{rule_set}/{name}/{key}"
        for value, what in meanings.items():
            if value != document["encoders"][rule_set][name][key]:
                yield mutant(path, value, f"{name}: {what}", (path, value))


def outcome_mutants(family: str, document: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield other results of what is not rounded to a scale, other flags, the range judged by the other exponent."""
    table, path = document["scale_tables"][family], f"scale_tables/{family}"
    other = {"before_rounding": "after_rounding", "after_rounding": "before_rounding"}[table["range"]]
    what = f"out of range is what is so {other.replace('_', ' ')}"
    yield mutant(f"{path}/range", other, what, (f"{path}/range", other))
    yield mutant(f"{path}/inexact", "none", "an inexact scale raises nothing", (f"{path}/inexact", ()))
    for name in OUTCOMES:
        for key in ("code", "saturated"):
            value = table[name].get(key)
            for code in SCALE_ENDS if value is not None else ():
                if code != value:
                    place, under = f"{path}/{name}/{key}", " under Sat = 1" if key == "saturated" else ""
                    what = f"{name} gives {code:#04x} instead of {value:#04x}{under}"
                    yield mutant(place, f"{code:x}", what, (place, code))
        flags = table[name]["flags"]
        for given in ((), ("NV",), ("OF", "NX"), ("UF", "NX")):
            if list(given) != flags:
                what = f"{name} raises {' and '.join(given) or 'nothing'} instead of {' and '.join(flags) or 'nothing'}"
                place = f"{path}/{name}/flags"
                yield mutant(place, "-".join(given).lower() or "none", what, (place, given))


def flag_mutants(document: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield two status bits exchanged."""
    bits = {name: document["flags"][name]["bit"] for name in NUMBERS_OF_FLAG}
    for one, two in combinations(NUMBERS_OF_FLAG, 2):
        patches = ((f"flags/{one}/bit", bits[two]), (f"flags/{two}/bit", bits[one]))
        yield mutant(f"flags/{one}", f"and-{two.lower()}", f"the status bits {one} and {two} change places", *patches)


def mode_mutants(row: Conversion, document: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield another width of the intermediate, another destination of the same sort, a parameter that is not used."""
    mode = row.mode
    path = f"prequant/{mode.name}"
    if mode.offset_bits:
        for bits in OFFSET_BITS:
            if bits == mode.offset_bits:
                continue
            what = f"offset and intermediate have {bits} bits instead of {mode.offset_bits}"
            yield mutant(f"{path}/offset_bits", str(bits), what, (f"{path}/offset_bits", bits))
        what = "there is no intermediate saturation and no offset"
        yield mutant(f"{path}/offset_bits", "0", what, (f"{path}/offset_bits", 0))
    if mode.parameter is Parameter.SCALE:
        patches = ((f"{path}/parameter", "none"), (f"{path}/operand", "none"))
        yield mutant(f"{path}/parameter", "none", "the scale is ignored", *patches)
    for name in destinations(row, document) if mode.destination is not None else ():
        what = f"destination {name} instead of {mode.destination}"
        yield mutant(f"{path}/destination", name.lower(), what, (f"{path}/destination", name))


def destinations(row: Conversion, document: Mapping[str, Any]) -> list[str]:
    """Return the other destinations of the table that are integers, or floating, as the conversion's own is."""
    names = dict.fromkeys(mode.get("destination") for mode in document["prequant"].values())
    found = [name for name in names if name is not None and name != row.destination.name]
    return [name for name in found if (document["formats"][name]["kind"] == "integer") == row.destination.is_integer]


def word_mutants(row: Conversion, document: Mapping[str, Any]) -> Iterator[Mutant]:
    """Yield fields of the parameter and activation word one bit off, or one bit wider or narrower."""
    used = {Parameter.SCALE: ["scale"], Parameter.SHIFT: ["shift"], Parameter.NONE: []}[row.mode.parameter]
    for name in [*used, *(["offset"] if row.mode.offset_bits else []), "activation"]:
        for key, meanings in (("low", ("lower", "higher")), ("bits", ("narrower", "wider"))):
            value = document["parameter_word"][name].get(key)
            for change, meaning in zip((-1, 1), meanings, strict=True):
                if value is not None and value + change >= 0:
                    path = f"parameter_word/{name}/{key}"
                    yield mutant(path, meaning, f"the {name} field is one bit {meaning}", (path, value + change))


def format_mutants(row: Conversion) -> Iterator[Mutant]:
    """Yield the rows of accumulator, factor and destination with another width, bias, threshold or special value."""
    factor = [] if row.mode.parameter is Parameter.SHIFT else [row.fp19]
    for fmt in dict.fromkeys([row.destination, *factor, row.accumulator]):
        yield from one_format(fmt)


@cache
def one_format(fmt: Format) -> tuple[Mutant, ...]:
    """Return the mutants of a format's row."""
    makers = {
        Kind.INTEGER: integer_format,
        Kind.BINARY: binary_format,
        Kind.TAPERED: tapered_format,
        Kind.SCALE: scale_format,
    }
    return tuple(makers[fmt.kind](fmt))


def integer_format(fmt: Format) -> Iterator[Mutant]:
    """Yield an integer format one bit wider or narrower, or without its sign."""
    path = f"formats/{fmt.name}"
    for bits in (fmt.carrier_bits - 1, fmt.carrier_bits + 1):
        what = f"{fmt.name} has {bits} bits instead of {fmt.carrier_bits}"
        yield mutant(f"{path}/carrier_bits", str(bits), what, (f"{path}/carrier_bits", bits))
    what = f"{fmt.name} is {'unsigned' if fmt.signed else 'signed'}"
    yield mutant(f"{path}/signed", "other", what, (f"{path}/signed", not fmt.signed))


def scale_format(fmt: Format) -> Iterator[Mutant]:
    """Yield a format of powers of two with another bias, or another NaN."""
    path = f"formats/{fmt.name}"
    yield from biases(fmt, path)
    what = f"the NaN of {fmt.name} is 0"
    yield mutant(f"{path}/canonical_nan", "0", what, (f"{path}/canonical_nan", 0))


def biases(fmt: Format, path: str) -> Iterator[Mutant]:
    """Yield a format with a bias one off."""
    for bias in (fmt.bias - 1, fmt.bias + 1):
        what = f"{fmt.name} has a bias of {bias} instead of {fmt.bias}"
        yield mutant(f"{path}/bias", str(bias), what, (f"{path}/bias", bias))


def binary_format(fmt: Format) -> Iterator[Mutant]:
    """Yield a binary format with another bias, another split of its fields, other special values."""
    path = f"formats/{fmt.name}"
    yield from biases(fmt, path)
    for change in (-1, 1):
        exponent, fraction = fmt.exponent_bits + change, fmt.fraction_bits - change
        nan = ((1 << exponent) - 1 << fraction) + (1 << fraction) - 1 << fmt.low_zero_bits
        what = f"{fmt.name} has {exponent} exponent and {fraction} fraction bits"
        patches = [
            (f"{path}/exponent_bits", exponent),
            (f"{path}/fraction_bits", fraction),
            (f"{path}/canonical_nan", nan),
        ]
        yield mutant(f"{path}/exponent_bits", str(exponent), what, *patches)
    if fmt.specials is not Specials.NONE:
        yield from special_values(fmt, path)
    what = f"{fmt.name} has {'no' if fmt.signed_zero else 'a'} negative zero"
    yield mutant(f"{path}/signed_zero", "other", what, (f"{path}/signed_zero", not fmt.signed_zero))


def special_values(fmt: Format, path: str) -> Iterator[Mutant]:
    """Yield a binary format with other special values, or another NaN."""
    if fmt.specials is Specials.IEEE:
        all_ones = ((1 << fmt.exponent_bits + fmt.fraction_bits) - 1) << fmt.low_zero_bits
        patches = ((f"{path}/specials", "nan_only"), (f"{path}/canonical_nan", all_ones))
        yield mutant(f"{path}/specials", "nan_only", f"{fmt.name} has no infinities", *patches)
        changed = fmt.canonical_nan ^ 1 << fmt.low_zero_bits
        what = f"the canonical NaN of {fmt.name} has its lowest fraction bit set"
        yield mutant(f"{path}/canonical_nan", "payload", what, (f"{path}/canonical_nan", changed))
    else:
        yield mutant(f"{path}/specials", "ieee", f"{fmt.name} has infinities", (f"{path}/specials", "ieee"))
    changed = fmt.canonical_nan ^ 1 << fmt.sign_bit
    what = f"the canonical NaN of {fmt.name} is negative"
    yield mutant(f"{path}/canonical_nan", "sign", what, (f"{path}/canonical_nan", changed))


def tapered_format(fmt: Format) -> Iterator[Mutant]:
    """Yield a tapered format with other special codes, another largest number, a band that starts elsewhere."""
    path = f"formats/{fmt.name}"
    for key in ("canonical_nan", "infinity", "largest_finite"):
        value = getattr(fmt, key)
        for changed in (value - 1, value + 1):
            what = f"{key.replace('_', ' ')} of {fmt.name} is {changed:#x} instead of {value:#x}"
            yield mutant(f"{path}/{key}", f"{changed:x}", what, (f"{path}/{key}", changed))
    bands = shipped_document()[0]["formats"][fmt.name]["bands"]
    for place, band in enumerate(bands):
        for changed in (band["exponent_base"] - 1, band["exponent_base"] + 1):
            given = tuple(
                {**each, "exponent_base": changed} if index == place else each for index, each in enumerate(bands)
            )
            what = f"band {band['name']} of {fmt.name} has exponent base {changed} instead of {band['exponent_base']}"
            variant = f"{band['name'].lower()}-{'lower' if changed < band['exponent_base'] else 'higher'}"
            yield mutant(f"{path}/bands", variant, what, (f"{path}/bands", given))
    what = f"{fmt.name} has {'no' if fmt.signed_zero else 'a'} negative zero"
    yield mutant(f"{path}/signed_zero", "other", what, (f"{path}/signed_zero", not fmt.signed_zero))
