"""The order that singles out witnesses: simple inputs first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysmt.fnode import FNode

from halfulp_formal.bits import Bool
from halfulp_formal.vectors.algebra import Num, choose, zigzag
from halfulp_model.rows import Format, Parameter

if TYPE_CHECKING:
    from halfulp_formal.vectors.facts.postprocess import Facts

#: exponent field of 1.0 in FP19
EXPONENT_OF_ONE = 127

Key = tuple[str, FNode]


def variant(facts: Facts, name: str) -> tuple[Bool, list[Key]]:
    """Return what a variant asks for, and the numbers by which its least point is the least, in order.

    Together the numbers determine every input. Raises KeyError for an unknown variant.
    """
    if name == "far":
        keys = [*relu_keys(facts), *wide_keys(facts), *far_keys(facts), *word_keys(facts)]
        return Bool.constant(value=True), keys
    asked = {
        "least": lambda: Bool.constant(value=True),
        "activated": lambda: facts.activated,
        "positive": lambda: ~facts.sign,
        "negative": lambda: facts.sign,
    }[name]()
    return asked, [*relu_keys(facts), *word_keys(facts), *value_keys(facts)]


def relu_keys(facts: Facts) -> list[Key]:
    """ReluMode by its code."""
    return [("relu", facts.relu.bits(3))]


def word_keys(facts: Facts) -> list[Key]:
    """Scales that are powers of two first, those nearest to 1 first; small offsets; activation words likewise."""
    keys: list[Key] = []
    if facts.row.mode.parameter is Parameter.SCALE:
        keys = [
            ("scale_fraction", facts.scale_fraction.bits(10)),
            ("scale_exponent", zigzag(facts.scale_exponent - EXPONENT_OF_ONE).bits(9)),
        ]
        if bits := facts.row.mode.offset_bits:
            keys.append(("offset", zigzag(facts.offset).bits(bits + 1)))
    elif facts.row.mode.parameter is Parameter.SHIFT:
        keys = [("shift", facts.shift.bits(5))]
    distance = zigzag(facts.activation_exponent - EXPONENT_OF_ONE)
    return [
        *keys,
        ("activation_fraction", choose(facts.activation_read, facts.activation_fraction, 0).bits(10)),
        ("activation_exponent", choose(facts.activation_read, distance, 0).bits(9)),
        ("activation_word", choose(facts.activation_read, 0, facts.relu_word).bits(64)),
    ]


def wide_keys(facts: Facts) -> list[Key]:
    """Factors with every fraction bit set first, so that products have all the bits they can have."""
    from_end = 1023 - facts.activation_fraction
    keys = [("activation_from_end", choose(facts.activation_read, from_end, 0).bits(10))]
    if facts.row.mode.parameter is Parameter.SCALE:
        keys.insert(0, ("scale_from_end", (1023 - facts.scale_fraction).bits(10)))
    return keys


def value_keys(facts: Facts) -> list[Key]:
    """The accumulator, from 0 or 1 outwards."""
    return near_keys("value", facts.value, facts.row.accumulator)


def far_keys(facts: Facts) -> list[Key]:
    """The accumulator, the largest magnitude first."""
    return far_end_keys("value", facts.value, facts.row.accumulator)


def near_keys(name: str, value: Num, fmt: Format) -> list[Key]:
    """Integers from 0 outwards; floating numbers from 1 outwards, short fractions first, positive before negative.

    value: the number of an integer format, the code of a floating one, whose constrained bits are zero.
    """
    if fmt.is_integer:
        return [(name, zigzag(value).bits(fmt.code_bits + 1))]
    low = fmt.low_zero_bits
    fraction_end = low + fmt.fraction_bits
    return [
        (
            f"{name}_exponent",
            zigzag(value.field(fmt.sign_bit - 1, fraction_end) - fmt.bias).bits(fmt.exponent_bits + 1),
        ),
        (f"{name}_fraction", value.field(fraction_end - 1, low).bits(fmt.fraction_bits)),
        (f"{name}_sign", value.field(fmt.sign_bit, fmt.sign_bit).bits(1)),
    ]


def far_end_keys(name: str, value: Num, fmt: Format) -> list[Key]:
    """The largest magnitude first, positive before negative; value as in `near_keys`."""
    if fmt.is_integer:
        width = fmt.code_bits
        return [
            (f"{name}_from_end", ((1 << width) - value.magnitude()).bits(width + 1)),
            (f"{name}_sign", (value < 0).bits().term),
        ]
    magnitude = value.field(fmt.sign_bit - 1, 0)
    return [
        (f"{name}_from_end", ((1 << fmt.sign_bit) - 1 - magnitude).bits(fmt.sign_bit)),
        (f"{name}_sign", value.field(fmt.sign_bit, fmt.sign_bit).bits(1)),
    ]
