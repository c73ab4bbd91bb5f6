"""The fields of a code, as its row says where they stand, and what each of them means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from halfulp_formal.subject import Subject

from .numerals import hex_text
from .stages import Stage


def field_stages(subject: Subject, row: Any, code: int) -> Iterator[Stage]:
    """Yield the fields of a floating code from the sign down, then its constrained bits; an integer has none."""
    if row.is_integer:
        return
    if row.signed:
        yield Stage("sign", str((code >> row.sign_bit) % 2))
    yield from tapered_fields(row, code) if row.bands else binary_fields(subject, row, code)
    constrained = (("low bits", row.low_zero_bits, code), ("high bits", row.high_zero_bits, code >> row.lane_bits))
    for name, bits, field in constrained:
        if bits:
            found = field % (1 << bits)
            yield Stage(
                name, str(found), hex_text(found, bits), note="not zero, as they must be" if found else "constrained"
            )


def binary_fields(subject: Subject, row: Any, code: int) -> Iterator[Stage]:
    """Yield exponent and fraction field, and what the exponent field stands for."""
    fields = subject.module("floats").fields(row, code)
    # a scale has no sign, and with it no hidden bit to lack
    hidden = fields.exponent > 0 or not row.signed
    power = f"2^{max(fields.exponent, int(row.signed)) - row.bias}"
    special = fields.exponent == row.exponent_mask and (row.specials.value == "ieee" or not row.fraction_bits)
    meaning = "all ones" if special else power if hidden else f"{power}, no hidden bit"
    yield Stage("exponent", str(fields.exponent), hex_text(fields.exponent, row.exponent_bits), note=meaning)
    if row.fraction_bits:
        yield Stage("fraction", str(fields.fraction), hex_text(fields.fraction, row.fraction_bits))


def tapered_fields(row: Any, code: int) -> Iterator[Stage]:
    """Yield the band that the prefix names, then the exponent and the fraction behind it, in binary too."""
    magnitude = code % (1 << row.sign_bit)
    band = next(band for band in row.bands if magnitude >> (row.sign_bit - band.prefix_bits) == band.prefix)
    yield Stage("band", band.name, f"0b{band.prefix:0{band.prefix_bits}b}")
    bits = band.exponent_signed + band.exponent_bits
    field = (magnitude >> band.fraction_bits) % (1 << bits)
    exponent = band.exponent_base + field % (1 << band.exponent_bits)
    negative = band.exponent_signed and field >> band.exponent_bits
    yield Stage("exponent", str(-exponent if negative else exponent), f"0b{field:0{bits}b}" if bits else "")
    if band.fraction_bits:
        fraction = magnitude % (1 << band.fraction_bits)
        yield Stage("fraction", str(fraction), f"0b{fraction:0{band.fraction_bits}b}")
