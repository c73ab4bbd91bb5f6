"""The vocabulary of plain conversions beside fractions: places between codes, tininess, wrapping."""

import random
from fractions import Fraction

from halfulp_formal.evaluate import compile_term
from halfulp_formal.vectors.family import family_of
from oracle import formats as oracle


def magnitude_in(fraction_bits, bias, magnitude):
    """Code below or at a magnitude of a format whose codes start at 0, and how far above it in quanta."""
    binade, smallest = 1 - bias, 1 - bias
    while Fraction(2) ** (binade + 1) <= magnitude:
        binade += 1
    quantum = Fraction(2) ** (binade - fraction_bits)
    count = int(magnitude / quantum)
    return (binade - smallest << fraction_bits) + count, magnitude / quantum - count


def test_places_between_the_codes_of_a_format_with_constrained_bits():
    facts = family_of("cvt.fp32.tf32.rne.nosat").facts("cvt.fp32.tf32.rne.nosat")
    position = facts.float
    terms = {
        "tie": position.quanta.tie,
        "at_largest": position.at_largest,
        "normal": position.normal,
        "subnormal": position.subnormal,
        "at_largest_subnormal": position.at_largest_subnormal,
        "past": facts.three_quarters > 0,
        "at": facts.three_quarters == 0,
    }
    values = compile_term([*(term.term for term in terms.values()), position.code.bits(40)], facts.inputs)
    rng = random.Random(3)
    seen = dict.fromkeys(terms, 0)
    for _ in range(3000):
        top = rng.choice([rng.randrange(1, 255 << 10), (255 << 10) - 1, (1 << 10) - 1, rng.randrange(1 << 10)])
        low = rng.choice([0, 1 << 12, 3 << 11, 1, rng.randrange(1 << 13)])
        bits = (top << 13) + low
        if bits == 0:
            continue
        code, above = magnitude_in(10, 127, oracle.value("FP32", bits))
        expected = {
            "tie": above == Fraction(1, 2),
            "at_largest": code == (255 << 10) - 1,
            "normal": 1 << 10 <= code < 255 << 10,
            "subnormal": code < 1 << 10,
            "at_largest_subnormal": code == (1 << 10) - 1,
            "past": above > Fraction(3, 4),
            "at": above == Fraction(3, 4),
        }
        *got, counted = values(rng.choice([0, 1 << 31]) + bits)
        assert dict(zip(terms, got, strict=True)) == expected, hex(bits)
        assert counted == code
        seen = {name: count + expected[name] for name, count in seen.items()}
    assert all(count > 0 for count in seen.values()), seen


def test_integers_in_and_out_of_range():
    facts = family_of("cvt.fp16.s8.rtm.nosat").facts("cvt.fp16.s8.rtm.nosat")
    terms = [facts.whole_number.bits(32), facts.clamped.bits(32), facts.wrapped.bits(32), facts.rounded.bits(32)]
    values = compile_term(terms, facts.inputs)
    for bits in range(0, 1 << 16, 13):
        number = oracle.value("FP16", bits)
        if number is None:
            continue
        cut = int(number)
        expected = [cut, min(max(cut, -128), 127), (cut + 128) % 256 - 128, number.numerator // number.denominator]
        assert list(values(bits)) == [each % (1 << 32) for each in expected], hex(bits)
