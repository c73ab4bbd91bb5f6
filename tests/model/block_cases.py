"""FP32 codes and blocks for tests of block floating point: what sits near a rule's edge comes up often."""

import struct
from random import Random

from hypothesis import strategies as st

from halfulp_model import Block

#: fractions whose mantissa is near 127.5, near 127, an exact tie, or all but exact
EDGES = (
    0x000000,
    0x000001,
    0x010000,
    0x030000,
    0x400000,
    0x7DFFFF,
    0x7E0000,
    0x7E0001,
    0x7EFFFF,
    0x7F0000,
    0x7F0001,
    0x7FFFFF,
)


def f32(number):
    """The FP32 code of a number that FP32 holds."""
    return struct.unpack("<I", struct.pack("<f", number))[0]


def block_of(*numbers):
    """The codes of numbers and zeros, eight in all."""
    return tuple(f32(number) for number in numbers) + (0,) * (8 - len(numbers))


def pack(sign, field, fraction):
    """The FP32 code of three fields."""
    return sign << 31 | field << 23 | fraction


def codes(low=0, high=255):
    """FP32 codes with exponent fields in a range."""
    fractions = st.sampled_from(EDGES) | st.integers(0, 0x7FFFFF)
    return st.builds(pack, st.integers(0, 1), st.integers(low, high), fractions)


def members(size=8, top=255):
    """Members whose exponent fields are the largest one or near it, some subnormal, some far below.

    Drawn through a seed: drawing eight codes one by one takes longer than everything that is done with them.
    """
    return st.integers(0, 2**32 - 1).map(lambda seed: random_members(Random(seed), size, top))


def random_members(random, size, top):
    """Members near one largest exponent field."""
    leader = random.choice([0, 1, 2, top - 1, top, *(random.randint(0, top) for _ in range(8))])
    near = range(max(leader - 9, 0), leader + 1)
    choices = [[leader, random.choice(near), random.randint(0, leader)] for _ in range(size)]
    fractions = [random.choice([random.choice(EDGES), random.getrandbits(23)]) for _ in range(size)]
    return tuple(
        pack(random.getrandbits(1), random.choice(fields), fraction)
        for fields, fraction in zip(choices, fractions, strict=True)
    )


def blocks(low=0, high=254, size=8):
    """Blocks with exponents in a range and many mantissas at an end of their range."""
    return st.integers(0, 2**32 - 1).map(lambda seed: random_block(Random(seed), low, high, size))


def random_block(random, low, high, size=8):
    """A block of random mantissas."""
    edges = [-128, -127, -64, -1, 0, 1, 64, 127]
    mantissas = (random.choice([random.choice(edges), random.randint(-128, 127)]) for _ in range(size))
    return Block(random.randint(low, high), tuple(mantissas))
