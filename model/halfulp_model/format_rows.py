"""Rows of number formats: what the rule data must say of each kind, and the fields worked out once from what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .rows import Band, Claims, Format, Kind, Specials

#: a place in the rule data and what is wrong there
Mistake = tuple[tuple[str | int, ...], str]

PACKED = "packed"

#: what a row of the rule data may claim, and the field of Claims that holds it
CLAIMS = ("zero", "signed_zero", "subnormal", "infinity", "quiet_nan", "signaling_nan")


def format_mistakes(formats: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield what a schema cannot refuse in the section of formats."""
    for name, row in formats.items():
        if row["kind"] == PACKED:
            yield from packed_mistakes(name, row, formats)
        elif row["kind"] == "binary":
            yield from binary_mistakes(name, row)
        elif row["kind"] == "tapered":
            yield from tapered_mistakes(name, row)
        yield from code_mistakes(name, row)


def packed_mistakes(name: str, row: Mapping[str, Any], formats: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield a lane that is no scalar format, and a carrier that the lanes do not fill."""
    lane = formats.get(row["lane"])
    if lane is None or lane["kind"] == PACKED:
        yield ("formats", name, "lane"), f"no scalar format is called {row['lane']!r}"
    elif row["lanes"] * lane["carrier_bits"] != row["carrier_bits"]:
        message = f"{row['lanes']} lanes of {lane['carrier_bits']} bits do not fill {row['carrier_bits']} bits"
        yield ("formats", name, "lanes"), message


def binary_mistakes(name: str, row: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield fields that do not fill the carrier, and a canonical NaN that is missing, not a NaN or not wanted."""
    constrained = row.get("low_zero_bits", 0) + row.get("high_zero_bits", 0)
    used = 1 + row["exponent_bits"] + row["fraction_bits"] + constrained
    if used != row["carrier_bits"]:
        yield ("formats", name), f"the fields take {used} bits of a carrier of {row['carrier_bits']}"
    if (row["specials"] == "none") != ("canonical_nan" not in row):
        yield ("formats", name), "a canonical NaN is given if and only if the format has NaNs"
    elif "canonical_nan" in row and not has_nan_exponent(row):
        message = f"{row['canonical_nan']:#x} is not a NaN: its exponent field is not all ones or its fraction is 0"
        yield ("formats", name, "canonical_nan"), message


def has_nan_exponent(row: Mapping[str, Any]) -> bool:
    """Tell whether the canonical NaN of a binary row has an all-ones exponent field and a fraction that is not 0."""
    exponent, fraction = row["exponent_bits"], row["fraction_bits"]
    code = row["canonical_nan"] >> row.get("low_zero_bits", 0)
    all_ones = (1 << exponent) - 1
    return bool((code >> fraction) % (1 << exponent) == all_ones and code % (1 << fraction) != 0)


def tapered_mistakes(name: str, row: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield bands whose fields do not fill the code, and codes that no band or more than one band holds."""
    width = row["carrier_bits"] - 1
    for index, band in enumerate(row["bands"]):
        used = band["prefix_bits"] + band["exponent_signed"] + band["exponent_bits"] + band["fraction_bits"]
        if used != width:
            message = f"the fields of {band['name']} take {used} of the {width} bits below the sign"
            yield ("formats", name, "bands", index), message
            return
    for code in range(1 << width):
        holders = [b["name"] for b in row["bands"] if code >> (width - b["prefix_bits"]) == b["prefix"]]
        if len(holders) != 1:
            message = f"magnitude code {code:#x} is in {' and '.join(holders) or 'no band'}; expected one band"
            yield ("formats", name, "bands"), message
            return


def code_mistakes(name: str, row: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield listed codes that are wider than the carrier."""
    for key in ("canonical_nan", "infinity", "largest_finite"):
        if row.get(key, 0) >> row["carrier_bits"]:
            yield ("formats", name, key), f"{row[key]:#x} does not fit a carrier of {row['carrier_bits']} bits"


def build_formats(formats: Mapping[str, Any]) -> dict[str, Format]:
    """Make the rows of a checked section; a packed row takes what it does not give from the row of its lane."""
    rows = {}
    for name, row in formats.items():
        if row["kind"] == PACKED:
            lane = {key: value for key, value in formats[row["lane"]].items() if key != "code"}
            rows[name] = build_format(name, {**lane, **row, "kind": lane["kind"]})
        else:
            rows[name] = build_format(name, row)
    return rows


def build_format(name: str, row: Mapping[str, Any]) -> Format:
    """Make a format row, with the derived fields worked out once so that reading them is cheap."""
    builders = {
        Kind.INTEGER: integer_fields,
        Kind.BINARY: binary_fields,
        Kind.SCALE: scale_fields,
        Kind.TAPERED: tapered_fields,
    }
    kind = Kind(row["kind"])
    return Format(
        name=name,
        kind=kind,
        carrier_bits=row["carrier_bits"],
        lanes=row.get("lanes", 1),
        code=row.get("code"),
        canonical_nan=row.get("canonical_nan", 0),
        signed_zero=row.get("signed_zero", False),
        **builders[kind](row),
    )


def integer_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the remaining fields of an integer format."""
    bits = row["carrier_bits"] // row.get("lanes", 1)
    minimum = -(1 << (bits - 1)) if row["signed"] else 0
    return {"is_integer": True, "signed": row["signed"], "minimum": minimum, "maximum": minimum + (1 << bits) - 1}


def binary_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the remaining fields of a binary format."""
    exponent_bits, fraction_bits, low = row["exponent_bits"], row["fraction_bits"], row.get("low_zero_bits", 0)
    specials = Specials(row["specials"])
    reserved = {Specials.IEEE: 1 << fraction_bits, Specials.NAN_ONLY: 1, Specials.NONE: 0}[specials]
    top = (1 << exponent_bits) - 1
    return {
        "exponent_bits": exponent_bits,
        "fraction_bits": fraction_bits,
        "bias": row["bias"],
        "specials": specials,
        "low_zero_bits": low,
        "high_zero_bits": row.get("high_zero_bits", 0),
        "subnormal_class": row.get("subnormal_class", True),
        "claims": build_claims(row, (exponent_bits, exponent_bits), (fraction_bits, fraction_bits)),
        "exponent_mask": top,
        "sign_bit": low + exponent_bits + fraction_bits,
        "minimum_exponent": 1 - row["bias"],
        "smallest_exponent": 1 - row["bias"] - fraction_bits,
        "normal_fraction_bits": fraction_bits,
        "infinity": top << (fraction_bits + low),
        "largest_finite": ((1 << (exponent_bits + fraction_bits)) - 1 - reserved) << low,
    }


def scale_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the remaining fields of a power-of-two scale: an exponent field without sign or fraction."""
    bits = row["exponent_bits"]
    return {
        "signed": False,
        "exponent_bits": bits,
        "bias": row["bias"],
        "specials": Specials.NAN_ONLY,
        "claims": build_claims(row, (bits, bits), (0, 0)),
        "exponent_mask": (1 << bits) - 1,
        "sign_bit": bits,
        "minimum_exponent": -row["bias"],
        "smallest_exponent": -row["bias"],
        "largest_finite": (1 << bits) - 2,
    }


def tapered_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the remaining fields of a tapered format."""
    bands = tuple(Band(**band) for band in row["bands"])
    lowest = min((band for band in bands if not band.subnormal), key=lowest_exponent)
    return {
        "fraction_bits": max(band.fraction_bits for band in bands),
        "specials": Specials.LISTED,
        "subnormal_class": True,
        "bands": bands,
        "claims": build_claims(row, tuple(row["claimed_exponent_bits"]), tuple(row["claimed_fraction_bits"])),
        "sign_bit": row["carrier_bits"] - 1,
        "minimum_exponent": lowest_exponent(lowest),
        "smallest_exponent": min(lowest_exponent(band) for band in bands),
        "normal_fraction_bits": lowest.fraction_bits,
        "largest_exponent": max(band.exponent_base + (1 << band.exponent_bits) - 1 for band in bands),
        "infinity": row["infinity"],
        "largest_finite": row["largest_finite"],
    }


def lowest_exponent(band: Band) -> int:
    """Return the least exponent of a band's numbers; the subnormal band's field 0 is zero, not a number of its own."""
    last = (1 << band.exponent_bits) - 1
    if band.exponent_signed:
        return -band.exponent_base - last
    return band.exponent_base + band.subnormal


def build_claims(row: Mapping[str, Any], exponent_bits: tuple[int, int], fraction_bits: tuple[int, int]) -> Claims:
    """Make the claims of a floating row."""
    boundaries = row.get("subnormal_boundaries")
    return Claims(
        exponent_bits=exponent_bits,
        fraction_bits=fraction_bits,
        subnormal_boundaries=None if boundaries is None else (boundaries[0], boundaries[1], boundaries[2]),
        **{f"has_{claim}": claim in row["claims"] for claim in CLAIMS},
    )
