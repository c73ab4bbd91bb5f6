"""Inputs worth trying: legal parameter words, and numbers that land where a destination's results turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # at run time the rows may be those of a patched copy of the model
    from halfulp_model.convert import PlainConversion
    from halfulp_model.postprocess import Conversion
    from halfulp_model.rows import Format

WORD_BITS = 64


def legal_points(conversion: Conversion, count: int) -> Iterator[dict[str, int]]:
    """Yield inputs of a conversion of the post-processing, by symbol name; the same ones every time.

    Parameter and activation word are legal by the conversion's own layout. Sampling, not judging: nothing is claimed here.
    """
    random = Random(conversion.name)  # noqa: S311  # test inputs, no secrets
    factors, layout = conversion.fp19, conversion.layout
    for _ in range(count):
        value = draw_code(conversion.accumulator, [], random)
        binade = random.choice(target_binades(conversion.destination)) - value_binade(conversion.accumulator, value)
        yield {
            "in.value": value,
            "in.relu": random.randrange(4),
            "in.quant_word": draw_quant_word(conversion, binade, random),
            "in.relu_word": random.choice([0, draw_factor(factors, binade, random)]) << layout.activation.low,
        }


def code_points(conversion: PlainConversion, symbol: str, count: int) -> Iterator[dict[str, int]]:
    """Yield codes of a plain conversion's source under a symbol's name; the same ones every time."""
    random = Random(conversion.name)  # noqa: S311  # test inputs, no secrets
    binades = target_binades(conversion.destination)
    for _ in range(count):
        yield {symbol: draw_code(conversion.source, binades, random)}


def target_binades(destination: Format) -> Sequence[int]:
    """Return the binades at which a destination's results turn: an integer's bits, a float's two ends."""
    if destination.is_integer:
        return range(-3, destination.carrier_bits + 2)
    fraction_bits = destination.low_zero_bits + destination.fraction_bits
    top = (destination.largest_finite >> fraction_bits) - destination.bias
    low, middle = destination.minimum_exponent, range(-2, 3)
    return [*range(destination.smallest_exponent - 3, low + 3), *middle, *range(top - 2, top + 3)]


def value_binade(fmt: Format, code: int) -> int:
    """Return floor(log2 |value|) of a code of an integer or binary format, or about that."""
    if not fmt.is_integer:
        return (code >> (fmt.low_zero_bits + fmt.fraction_bits)) % (fmt.exponent_mask + 1) - fmt.bias
    bits = fmt.lane_bits
    negative = fmt.signed and code >> (bits - 1)
    return ((1 << bits) - code if negative else code).bit_length() - 1


def draw_code(fmt: Format, binades: Sequence[int], random: Random) -> int:
    """Return a code: near a power of two or small, special, as often of one of the binades as of any size."""
    if fmt.is_integer:
        magnitude = random.choice([random.getrandbits(random.randint(1, fmt.lane_bits)), near_power(fmt, random)])
        return random.choice([magnitude, -magnitude]) % (1 << fmt.lane_bits)
    if fmt.exponent_mask == 0:
        return random.getrandbits(fmt.lane_bits)
    top = fmt.exponent_mask
    exponents = [random.choice([0, 1, top - 1, top]), random.randint(0, top), random.randint(0, top)]
    if binades:
        exponents += [min(max(random.choice(binades) + fmt.bias, 0), top) for _ in exponents]
    return join_code(fmt, random.getrandbits(1), random.choice(exponents), draw_fraction(fmt, random))


def near_power(fmt: Format, random: Random) -> int:
    """Return a number next to a power of two."""
    return (1 << random.randrange(fmt.lane_bits)) + random.randint(-1, 1)


def draw_fraction(fmt: Format, random: Random) -> int:
    """Return a fraction field: an end, one bit, few low bits, few high bits, or uniform."""
    bits = fmt.fraction_bits
    high = random.getrandbits(4) << max(bits - 4, 0)
    small = random.choice([random.getrandbits(3), high, high + 1, random.getrandbits(bits)])
    return random.choice([0, (1 << bits) - 1, 1 << random.randrange(bits), small, small]) % (1 << bits)


def join_code(fmt: Format, sign: int, exponent: int, fraction: int) -> int:
    """Return the code of three fields."""
    magnitude = (exponent << fmt.fraction_bits) + fraction << fmt.low_zero_bits
    return (sign << fmt.sign_bit) + magnitude


def draw_factor(fmt: Format, binade: int, random: Random) -> int:
    """Return a positive normal FP19, as often about 2^binade as of any size."""
    exponent = random.choice([binade + fmt.bias, random.randint(1, fmt.exponent_mask - 1)])
    return join_code(fmt, 0, min(max(exponent, 1), fmt.exponent_mask - 1), draw_fraction(fmt, random))


def draw_quant_word(conversion: Conversion, binade: int, random: Random) -> int:
    """Return a legal parameter word; any word where the mode reads none."""
    layout, mode = conversion.layout, conversion.mode
    match mode.parameter.value:
        case "none":
            return random.getrandbits(WORD_BITS)
        case "shift":
            return random.getrandbits(layout.shift.bits) << layout.shift.low
    half = 1 << mode.offset_bits >> 1
    ends = [0, 1, 2 * half - 1, half, half - 1] if half else [0]
    offset = random.choice([*ends, random.getrandbits(mode.offset_bits or 1)]) % max(2 * half, 1)
    word = (draw_factor(conversion.fp19, binade, random) << layout.scale.low) + (offset << layout.offset.low)
    return word % (1 << WORD_BITS)
