"""Corner classes of single digits of a product's parts: accumulator, factors, offset, and what the rounding loses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from halfulp_formal.vectors.classes.digits import NEGATIVE, each_digit, of_code, of_number, some
from halfulp_formal.vectors.classes.factors import has_scale
from halfulp_formal.vectors.classes.rounding import rounds
from halfulp_formal.vectors.classes.stages import has_intermediate
from halfulp_formal.vectors.corner import CornerClass, Group, any_of
from halfulp_formal.vectors.format_codes import Exact, code_of, power_code
from halfulp_model.exact import magnitude_exponent
from halfulp_model.floats import exact_value
from halfulp_model.rows import Parameter

#: exponents of the scales that are tried for an FP32 accumulator: 1, and what brings subnormal numbers into reach
SCALES = (0, -60, 60)

#: ReluMode
NO_RELU, RELU, ACTIVATION, ACTIVATIONS = range(4)


def inputs(
    row: Any, value: int, scale: int | None = None, *, offset: int = 0, relu: int | None = None, activation: int = 0
) -> tuple[int, ...]:
    """Return the inputs of a case.

    value: an integer, or the code of an FP32 accumulator. scale, activation: FP19 codes, 1 and +0 where none are given.
    relu: ReluMode, 0 where none is given, or 1 for a mode that changes nothing under 0.
    """
    mode, layout = row.mode, row.layout
    if relu is None:
        relu = RELU if mode.destination is None else NO_RELU
    if scale is None:
        scale = power_code(row.fp19, 0)
    word = (scale << layout.scale.low) + (offset % (1 << mode.offset_bits) << layout.offset.low)
    words = (activation,) if mode.parameter is Parameter.NONE else (word, activation)
    return (value % (1 << row.accumulator.carrier_bits), relu, *words)


def scaled(row: Any, value: int, exponent: int) -> tuple[int, ...] | None:
    """Return the inputs that multiply an accumulator by 2^exponent, None where there are none."""
    if not row.fp19.minimum_exponent <= exponent <= row.fp19.bias:
        return None
    if has_scale(row):
        return inputs(row, value, power_code(row.fp19, exponent))
    if exponent == 0:
        return inputs(row, value)
    # without a scale an activation factor multiplies what is negative
    negative = -abs(value) if row.accumulator.is_integer else value | 1 << row.accumulator.sign_bit
    return inputs(row, negative, relu=ACTIVATION, activation=power_code(row.fp19, exponent))


def product(row: Any, number: Exact) -> tuple[int, ...] | None:
    """Return inputs whose product has a magnitude, None where there are none with a factor that is a power of two."""
    significand, exponent = number
    if row.accumulator.is_integer:
        return scaled(row, significand, exponent) if abs(significand) <= row.accumulator.maximum else None
    for scale in SCALES:
        code = code_of(row.accumulator, (significand, exponent - scale))
        if code is not None:
            return scaled(row, code, scale)
    return None


def of_product(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the classes of what the rounding of a product loses."""
    yield from of_number("product", row, lambda number: product(row, number), lambda f: f.live)


def of_accumulator(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the classes of the accumulator; where it can be, an integer is scaled to a number from 1 up to 2, or down."""

    def point(name: str, value: int) -> tuple[int, ...]:
        # an integer without a scale is never rounded
        if not has_scale(row) if row.accumulator.is_integer else name != NEGATIVE:
            return inputs(row, value)
        made = scaled(row, value, to_one(row, value))
        assert made is not None
        return made

    yield from of_code("the accumulator", row.accumulator, lambda f: f.legal, point)


def to_one(row: Any, value: int) -> int:
    """Return the exponent of the scale that brings an accumulator nearest to 1."""
    if row.accumulator.is_integer:
        return 1 - abs(value).bit_length()
    exponent = magnitude_exponent(exact_value(row.accumulator, value))
    return int(max(row.fp19.minimum_exponent, min(row.fp19.bias, -exponent)))


def minus_one(row: Any) -> int:
    """Return the accumulator -1."""
    return -1 if row.accumulator.is_integer else (1 << row.accumulator.sign_bit) + one(row)


def one(row: Any) -> int:
    """Return the accumulator 1."""
    found = code_of(row.accumulator, (1, 0))
    assert found is not None
    return found


def of_scale(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the classes of the scale."""
    first = power_code(row.fp19, 0)
    yield each_digit(
        "scale-fraction-alone",
        "One fraction bit of the scale is set, and no other: each in its turn.",
        {bit: inputs(row, one(row), first + (1 << bit)) for bit in range(row.fp19.fraction_bits)},
        lambda f, bit: f.live & ~f.activated & (f.scale_fraction == 1 << bit),
    )
    yield each_digit(
        "scale-exponent-alone",
        "One exponent bit of the scale is set, and no other: each in its turn.",
        {bit: inputs(row, one(row), 1 << (row.fp19.fraction_bits + bit)) for bit in range(row.fp19.exponent_bits)},
        lambda f, bit: f.live & ~f.activated & (f.scale_exponent == 1 << bit),
    )


def of_activation(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the classes of the activation factor."""
    first, negative = power_code(row.fp19, 0), minus_one(row)
    yield each_digit(
        "activation-fraction-alone",
        "One fraction bit of the activation factor is set, and no other: each in its turn.",
        {
            bit: inputs(row, negative, relu=ACTIVATION, activation=first + (1 << bit))
            for bit in range(row.fp19.fraction_bits)
        },
        lambda f, bit: f.live & f.activated & (f.activation_fraction == 1 << bit),
    )
    yield each_digit(
        "activation-exponent-alone",
        "One exponent bit of the activation factor is set, and no other: each in its turn.",
        {
            bit: inputs(row, negative, relu=ACTIVATION, activation=1 << (row.fp19.fraction_bits + bit))
            for bit in range(row.fp19.exponent_bits)
        },
        lambda f, bit: f.live & f.activated & (f.activation_exponent == 1 << bit),
    )


def of_offset(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the class of the offset."""
    last = row.mode.offset_bits - 1
    offsets = {digit: -(1 << digit) if digit % 2 or digit == last else 1 << digit for digit in range(last + 1)}
    yield each_digit(
        "offset-alone",
        "The offset is a power of two, each in its turn, the least and every second one negative.",
        {digit: inputs(row, one(row), offset=offset) for digit, offset in offsets.items()},
        lambda f, digit: f.live & (f.offset == offsets[digit]),
    )


def by_zero(row: Any) -> tuple[CornerClass[Any], ...]:
    """Return the classes of a zero by the largest factor, and of the largest magnitude by zero, under each ReluMode."""
    fmt = row.accumulator
    lowest = fmt.minimum if fmt.is_integer else (1 << fmt.sign_bit) + fmt.largest_finite
    largest = power_code(row.fp19, row.fp19.bias)
    modes = (RELU, ACTIVATION, ACTIVATIONS)
    return (
        CornerClass(
            "activation/largest-by-zero",
            "The accumulator is the number furthest below 0, out of range but for a factor of zero.",
            lambda f: any_of(f.live & f.factor_zero & (f.value == lowest) & (f.relu == relu) for relu in modes),
            # under mode 1 nobody reads the activation word
            points=tuple(
                inputs(row, lowest, largest, relu=relu, activation=largest if relu == RELU else 0) for relu in modes
            ),
        ),
        CornerClass(
            "activation/zero-by-largest",
            "The accumulator is zero, and the exponent of every factor the largest.",
            lambda f: f.live & (f.value == 0) & (f.activation_exponent == 2 * row.fp19.bias),
            points=(inputs(row, 0, largest, activation=largest),),
        ),
    )


GROUPS: tuple[Group[Any], ...] = (
    Group(rounds, some(of_product)),
    Group(rounds, some(of_accumulator)),
    Group(has_scale, some(of_scale)),
    Group(rounds, some(of_activation)),
    Group(has_intermediate, some(of_offset)),
    Group(rounds, by_zero),
)
