"""Inputs of the post-processing worth trying: legal parameter words, and products that land where results turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # at run time the rows may be those of a patched copy of the model
    from halfulp_model.postprocess import Conversion
    from halfulp_model.rows import Format

WORD_BITS = 64

#: FP19 and FP32 have one exponent field and one bias
EXPONENT_MASK, BIAS = 255, 127
FP19_FRACTION_BITS, FP32_FRACTION_BITS = 10, 23


def legal_points(conversion: Conversion, count: int) -> Iterator[dict[str, int]]:
    """Yield inputs of a conversion of the model, by symbol name; the same ones every time.

    Parameter and activation word are legal by the conversion's own layout. Sampling, not judging: nothing is claimed here.
    """
    random = Random(conversion.name)  # noqa: S311  # test inputs, no secrets
    for _ in range(count):
        value = draw_code(conversion.accumulator, random)
        binade = random.choice(target_binades(conversion.destination)) - value_binade(conversion.accumulator, value)
        yield {
            "in.value": value,
            "in.relu": random.randrange(4),
            "in.quant_word": draw_quant_word(conversion, binade, random),
            "in.relu_word": random.choice([0, draw_factor(binade, random)]) << conversion.layout.activation.low,
        }


def target_binades(destination: Format) -> Sequence[int]:
    """Return the binades of products at which a destination's results turn: an integer's bits, a float's two ends."""
    if destination.is_integer:
        return range(-3, destination.carrier_bits + 2)
    top = (destination.largest_finite >> destination.fraction_bits) - destination.bias
    low, middle = destination.minimum_exponent, range(-2, 3)
    return [*range(destination.smallest_exponent - 3, low + 3), *middle, *range(top - 2, top + 3)]


def value_binade(accumulator: Format, code: int) -> int:
    """Return floor(log2 |value|) of an accumulator's code, or about that."""
    if not accumulator.is_integer:
        return (code >> FP32_FRACTION_BITS) % (EXPONENT_MASK + 1) - BIAS
    bits = accumulator.carrier_bits
    negative = accumulator.signed and code >> (bits - 1)
    return ((1 << bits) - code if negative else code).bit_length() - 1


def draw_code(accumulator: Format, random: Random) -> int:
    """Return the code of an accumulator: as often small, near a power of two, special or uniform."""
    bits = accumulator.carrier_bits
    if accumulator.is_integer:
        magnitude = random.choice([random.getrandbits(random.randint(1, bits)), near_power(bits, random)])
        return random.choice([magnitude, -magnitude]) % (1 << bits)
    exponent = random.choice([0, 1, EXPONENT_MASK - 1, EXPONENT_MASK, *(random.randrange(EXPONENT_MASK + 1),) * 6])
    return join_code(random.getrandbits(1), exponent, draw_fraction(FP32_FRACTION_BITS, random), FP32_FRACTION_BITS)


def near_power(bits: int, random: Random) -> int:
    """Return a number next to a power of two."""
    return (1 << random.randrange(bits)) + random.randint(-1, 1)


def draw_fraction(bits: int, random: Random) -> int:
    """Return a fraction field: an end, one bit, few low bits, or uniform."""
    return random.choice(
        [0, (1 << bits) - 1, 1 << random.randrange(bits), random.getrandbits(3), random.getrandbits(bits)]
    )


def join_code(sign: int, exponent: int, fraction: int, fraction_bits: int) -> int:
    """Return the code of three fields with an eight-bit exponent."""
    return (((sign << 8) + exponent) << fraction_bits) + fraction


def draw_factor(binade: int, random: Random) -> int:
    """Return a positive normal FP19, as often about 2^binade as of any size."""
    exponent = random.choice([binade + BIAS, random.randint(1, EXPONENT_MASK - 1)])
    exponent = min(max(exponent, 1), EXPONENT_MASK - 1)
    return join_code(0, exponent, draw_fraction(FP19_FRACTION_BITS, random), FP19_FRACTION_BITS)


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
    word = (draw_factor(binade, random) << layout.scale.low) + (offset << layout.offset.low)
    return word % (1 << WORD_BITS)
