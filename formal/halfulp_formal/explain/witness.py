"""A solver's values read back: patterns as signed numbers, a free exact number as the model's own type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from halfulp_formal.subject import Subject


def signed(value: int, bits: int) -> int:
    """Return a pattern of so many bits as a two's-complement number."""
    return value - (1 << bits) if bits and value >> (bits - 1) else value


def free_number(subject: Subject, values: Mapping[str, int]) -> Any:
    """Return the free exact number in a witness, None where there is none.

    Its parts are product.negative, product.significand.N of N bits, and product.exponent.N, signed, of N + 1 bits.
    """
    parts = {}
    for key, value in values.items():
        stem, _, bits = key.rpartition(".")
        if stem == "product.significand":
            parts["significand"] = value
        elif stem == "product.exponent":
            parts["exponent"] = signed(value, int(bits) + 1)
    if "product.negative" not in values or len(parts) != 2:
        return None
    return subject.module("exact").Exact(negative=bool(values["product.negative"]), **parts)
