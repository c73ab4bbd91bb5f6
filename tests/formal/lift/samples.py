"""Small functions to lift: every construct of the liftable subset, and what must not happen in it."""
# ruff: noqa: B011, C416, E712, FURB136, PLR0133, PLR1714, PLR1730, PT015, RET503, RET505, RUF005, RUF009, SIM222, SIM300, SIM401
# mypy: ignore-errors
# Code under test: it spells one construct in several ways, and goes wrong on purpose.

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Colour(Enum):
    RED = 1
    GREEN = 2
    BLUE = 4

    @property
    def warm(self):
        return self is Colour.RED

    def mixed_with(self, amount):
        return self.value * 10 + amount


class Pair(NamedTuple):
    first: int
    second: int = 3

    @property
    def total(self):
        return self.first + self.second

    def scaled(self, factor, *, extra=0):
        return self.first * factor + self.second + extra


@dataclass(frozen=True, slots=True)
class Box:
    inside: int
    colour: Colour = Colour.GREEN
    pair: Pair = Pair(1, 2)

    @property
    def halves(self):
        return self.inside // 2, self.inside % 2

    def grown(self, by):
        return Box(self.inside + by, self.colour)


SQUARES = (0, 1, 4, 9, 16, 25)
NAMES = {1: Colour.RED, 3: Colour.BLUE, 5: Colour.RED}
WEIGHTS = {Colour.RED: 5, Colour.GREEN: 7, Colour.BLUE: 11}
PRIMES = frozenset({2, 3, 5, 7, 11, 13})
BOX = Box(9, Colour.BLUE)


# Arithmetic of two integers.


def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a * b


def floor_divide(a, b):
    return a // b


def modulo(a, b):
    return a % b


def both_of_division(a, b):
    return divmod(a, b)


def shift_left(a, b):
    return a << b


def shift_right(a, b):
    return a >> b


def bits_and(a, b):
    return a & b


def bits_or(a, b):
    return a | b


def bits_xor(a, b):
    return a ^ b


def smaller(a, b):
    return min(a, b)


def greater(a, b):
    return max(a, b)


def is_less(a, b):
    return a < b


def is_at_most(a, b):
    return a <= b


def is_greater(a, b):
    return a > b


def is_at_least(a, b):
    return a >= b


def is_equal(a, b):
    return a == b


def differs(a, b):
    return a != b


# Arithmetic of one integer.


def minus(a):
    return -a


def plus(a):
    return +a


def invert(a):
    return ~a


def absolute(a):
    return abs(a)


def length(a):
    return a.bit_length()


def divide_by_eight(a):
    return a // 8, a % 8


def divide_by_one(a):
    return a // 1, a % 1


def divide_by_power(a, n):
    unit = 1 << n
    return a // unit, a % unit


def two_to_the(a):
    return 2**a


def cube_of_three():
    return 3**3


def power_of_three(a):
    return 3**a


def as_number(a):
    return int(a > 2) + int(a) + (a > 0)


def as_truth(a):
    return bool(a), bool(a > 3), not a


def is_odd(a):
    return a % 2 == 1 and a > 0


def extremes(a, b, c):
    return min(a, b, c), max(a, b, c), max((a, b, c)), sum((a, b, c)), sum(())


def quantifiers(a, b):
    return all(x > 0 for x in (a, b)), any(x > 5 for x in (a, b)), all(()), any(())


# Truth values.


def between(a, b):
    return 0 <= a < b


def chained(a, b, c):
    return a < b <= c != 3


def short_circuit(a, b):
    return b != 0 and a // b > 2


def short_circuit_or(a, b):
    return b == 0 or a % b == 0


def guarded_chain(a, b):
    return 0 < b < 8 // b + a


def never_looked_at(a):
    return 3 < 2 < 1 // 0 + a


def junction(a, b):
    return (a > 2) & (b > 2), (a > 2) | (b > 2), (a > 2) ^ (b > 2), (a > 2) == (b > 2), (a > 2) == b


def decided(a):
    return (True and a > 3), (False or a > 3), (a > 3 and False), (a > 3 or True), (5 and a > 3), (0 or 7)


def in_places(a):
    return a in (1, 3, 4), a not in range(2, 5), a in PRIMES, a in NAMES


# Control flow.


def clamp(a, low, high):
    if a < low:
        return low
    if a > high:
        return high
    return a


def ladder(a):
    if a < -2:
        result = 1
    elif a == 0:
        result = a - 5
    elif a > 4 and a != 6:
        result = a * a
    else:
        result = -a
    result += 1
    return result


def nested(a, b):
    total = 0
    if a > 0:
        if b > 0:
            return 7
        total = a
    else:
        total = b
        if b == a:
            total -= 3
    return total + 1


def one_sided(a):
    if a > 3:
        a = 3
    return a


def conditional(a, b):
    return a if a > b else (b if b != 3 else -100)


def truthy(a):
    if a:
        return 1
    return 0


def nothing_to_return(a):
    if a > 3:
        return
    a += 1


def sometimes_none(a):
    return None if a > 3 else a


def none_again(a):
    found = sometimes_none(a)
    if found is None:
        return -1
    return 1


def passes(a):
    """A docstring is nothing to run."""
    unused: int = 5
    if a > unused:
        pass
    return a


def unrolled(a):
    total = 0
    for index in range(4):
        if a >> index & 1:
            total += 2 * index + 1
    return total


def first_bit(a):
    for index in range(4):
        if a >> index & 1:
            return index
    return -1


def always_returns(a):
    for index in range(3):
        if a > index:
            return 1
        else:
            return index
    return 9


def pairs(a, b):
    total = 0
    for weight, value in ((1, a), (2, b), (3, a)):
        total += weight * value
    for index, value in enumerate((a, b)):
        total += index * value
    for left, right in zip((a, b), (b, 5), strict=True):
        total += left * right
    for value in reversed((a, b)):
        total = 2 * total - value
    return total, len((a, b)), tuple(x + 1 for x in (a, b)), sum([x for x in (b, a)])


def swapped(a, b):
    a, b = b, a
    (first, second), third = (a, b), 5
    return first, second, third


def two_targets(a, b):
    c = d = a + b
    (first, second) = third = (c, 1)
    return c, d, first, second, third


# Calls.


def calls(a, b):
    return clamp(a, low=-2, high=b if b > 0 else 0) + with_default(b) + with_default(b, scale=3) + keyword_only(a, by=2)


def with_default(a, scale=2):
    return a * scale


def keyword_only(a, *, by=1):
    return a + by


def constant_call(a):
    return a + clamp(9, 0, 4)


def recursive(a, depth):
    return a if depth == 0 else recursive(a, depth - 1) * 2


# Records, enums, tables.


def make_pair(a, b):
    return Pair(a, second=b)


def default_pair(a):
    return Pair(a)


def use_pair(a, b):
    pair = Pair(a, b)
    first, second = pair
    return pair.first + pair.total + pair.scaled(3) + pair.scaled(2, extra=a) + pair[1] + first * second + len(pair)


def make_box(a):
    return Box(a, pair=Pair(a, 1)).grown(3)


def use_box(box):
    halves = box.halves
    return halves[0] * 100 + halves[1] * 10 + box.pair.second


def known_box(a):
    return BOX.grown(a).inside + BOX.inside


def merged_record(a, b):
    pair = Pair(a, 2) if a > b else Pair(1, b)
    return pair, pair == Pair(1, 2), pair != Pair(a, 2)


def colour_of(a):
    if a > 3:
        return Colour.RED
    return Colour.GREEN if a > 1 else Colour.BLUE


def use_colour(a):
    colour = colour_of(a)
    return (
        colour.value,
        colour is Colour.RED,
        colour != Colour.GREEN,
        colour.warm,
        colour in (Colour.RED, Colour.BLUE),
        colour.mixed_with(a),
        WEIGHTS[colour],
        Colour.BLUE == colour,
        colour == colour_of(a + 1),
    )


def chosen_function(a, b):
    join = add if a > 3 else subtract
    return join(a, b)


def guarded_choice(a):
    rows = (BOX, Box(a)) if a > 2 else (Box(5),)
    return rows[0].inside


def square_of(a):
    return SQUARES[a]


def guarded_square(a):
    return SQUARES[a] if 0 <= a < len(SQUARES) else -1


def name_of(a):
    return NAMES[a]


def guarded_name(a):
    return NAMES[a] if a in NAMES else Colour.GREEN


def matrix(a, b):
    return ((1, 2, 3), (4, 5, 6))[a][b]


def tuple_sum(a, b):
    return (a, b) + (1,) == (1, 2, 1), (a, b) == (2, 2), (a, b) == (1,)


def number_or_truth(a, b):
    either = a if b > 2 else b > 1
    return either + b, either << 1, either > a, -1 if either else 1


def mixed_truth(a):
    return (a > 3) == True, (a > 3) + 1


# What must not happen.


def positive_shift(a, b):
    assert b >= 0
    return a << b


def shift_when_positive(a, b):
    return a << b if b >= 0 else 0


def asserted(a):
    assert 2 <= a <= 5, "a message is not evaluated: {a / 0}"
    return 10 // (a - 1)


def asserts_always(a):
    if a > 3:
        assert False
    return a


def falls_off(a):
    if a > 3:
        return 1


def raises(a):
    if a > 3:
        raise ValueError(a)
    return a


def raises_deep(a, b):
    return raises(b) if a > 2 else 0


# Narrowing: each right side is worth something only if the test is believed.


def narrow_and(a):
    if a >= 0 and a < 4:
        return a
    return 0


def narrow_chain(a):
    return a if 0 <= a < 4 else 0


def narrow_mirrored(a):
    return a if 4 > a and 0 <= a else 0


def narrow_or(a):
    if a < 0 or a > 3:
        return 0
    return a


def narrow_not(a):
    if not (0 <= a and not a > 3):
        return 0
    return a


def narrow_equal(a):
    return a if a == 3 else 0


def narrow_ends(a):
    if a != 7 and a != -8:
        return a
    return 0


def narrow_negated_equal(a):
    if a == -8:
        return 0
    return a


def narrow_negated_differs(a):
    if a != 3:
        return 0
    return a


def narrow_by_variable(a, b):
    if b <= 4 and 0 <= a < b:
        return a
    return 0


def narrow_field(a):
    pair = Pair(a, 1)
    if 0 <= pair.first <= 3:
        return pair.first
    return 0


def narrow_nested_field(a):
    box = Box(0, pair=Pair(a, 1))
    if box.pair.first < 0 or box.pair.first > 3:
        return 0
    return box.pair.first


def narrow_early(a):
    if a < 0:
        return 0
    if a > 3:
        return 0
    return a


def narrow_assert(a):
    assert 0 <= a <= 3
    return a


def narrow_conditional(a):
    return 0 if a < 0 else (a if a < 4 else 0)


def narrow_operand(a):
    return 0 <= a and SQUARES[a] > 4


def not_narrowed_either(a):
    if a > 0 or a < -3:
        return a
    return -a


def not_narrowed_chain(a):
    if not 0 <= a <= 3:
        return a
    return 0
