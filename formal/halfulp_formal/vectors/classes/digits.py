"""Corner classes of single digits: a gate that joins many bits is tested one input at a time.

Whether anything is lost, whether a number is zero, a NaN or out of range, and where its leading digit is, hardware finds
with trees of gates over all bits of a field. One input left out shows at no boundary: only where that bit alone decides.
So these classes declare a point a bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from halfulp_formal.vectors.corner import CornerClass, any_of
from halfulp_formal.vectors.format_codes import Exact, code_of, largest_exponent
from halfulp_model.formats import finite_value
from halfulp_model.rows import Format, Kind

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool
    from halfulp_formal.vectors.facts.position import Position

    Where = Callable[[Any], Bool]


def each_digit(
    name: str, sentence: str, points: Mapping[int, tuple[int, ...]], holds: Callable[[Any, int], Bool]
) -> CornerClass[Any]:
    """Return the class of what holds of some digit; points: an input for every digit."""
    return CornerClass(
        f"digits/{name}",
        sentence,
        lambda f: any_of(holds(f, digit) for digit in points),
        points=tuple(points.values()),
    )


def some(made: Callable[[Any], Iterable[CornerClass[Any]]]) -> Callable[[Any], tuple[CornerClass[Any], ...]]:
    """Return what leaves out classes without a digit."""
    return lambda row: tuple(each for each in made(row) if each.points)


def fraction(fmt: Format) -> range:
    """Return the fraction bits of a binary format's code."""
    return range(fmt.low_zero_bits, fmt.low_zero_bits + fmt.fraction_bits)


def precision(fmt: Format) -> int:
    """Return the significant digits of a format's longest numbers; a negative integer has one more at its end alone."""
    return fmt.code_bits - int(fmt.signed) if fmt.is_integer else fmt.fraction_bits + 1


def power(fmt: Format, digit: int) -> int:
    """Return the power of two with a digit; every second one is negative where the format has such numbers."""
    return -(1 << digit) if fmt.signed and digit % 2 else 1 << digit


# What a digit is of a source, in words and as formulas. `codes`: digits with the codes that have them.


def source_alone(fmt: Format) -> dict[int, int]:
    """Return the magnitudes of a floating format with one bit set, the powers of two of an integer one."""
    if fmt.is_integer:
        return {digit: power(fmt, digit) for digit in range(precision(fmt))}
    return {bit: 1 << bit for bit in range(fmt.low_zero_bits, fmt.sign_bit)}


def source_ones(fmt: Format) -> dict[int, int]:
    """Return the integers of a format with all bits set up to one."""
    return {
        digit: power(fmt, digit + 1) - (1 if power(fmt, digit + 1) > 0 else -1) for digit in range(1, precision(fmt))
    }


def exponent_all_but_one(fmt: Format) -> dict[int, int]:
    """Return the codes with all exponent bits but one, and the lowest fraction bit, set."""
    bits = range(fmt.low_zero_bits + fmt.fraction_bits, fmt.sign_bit)
    return {bit: fmt.infinity - (1 << bit) + (1 << fmt.low_zero_bits) for bit in bits}


def nan_alone(fmt: Format) -> dict[int, int]:
    """Return the NaNs of which one fraction bit is set."""
    return {bit: fmt.infinity + (1 << bit) for bit in fraction(fmt)}


#: the class of negative numbers
NEGATIVE = "source-alone-negative"

#: what is said of the code of an integer or a floating number, by the class's name
INTEGERS: dict[str, tuple[str, Callable[[Format], dict[int, int]]]] = {
    "source-alone": (
        "{} is a power of two, each in its turn; of a signed format every second one is negative",
        source_alone,
    ),
    "source-ones": (
        "{} is one less than a power of two, each in its turn; of a signed format every second one is negative",
        source_ones,
    ),
}
FLOATS: dict[str, tuple[str, Callable[[Format], dict[int, int]]]] = {
    "source-alone": ("One bit of the magnitude of {} is set, and no other, above zero: each in its turn", source_alone),
    NEGATIVE: ("One bit of the magnitude of {} is set, and no other, below zero: each in its turn", source_alone),
    "exponent-all-but-one": (
        "Every bit of the exponent field of {} is set but one, each in its turn, and of its fraction the lowest",
        exponent_all_but_one,
    ),
    "nan-alone": ("{} is a NaN by one bit of its fraction alone, each in its turn", nan_alone),
}


def of_code(
    noun: str, fmt: Format, where: Where, point: Callable[[str, int], tuple[int, ...]]
) -> Iterator[CornerClass[Any]]:
    """Yield the classes of a code.

    noun: what has it, in a sentence. where: of facts, what is to hold beside. point: of a class and a code, the inputs.
    """
    for name, (sentence, codes) in (INTEGERS if fmt.is_integer else FLOATS).items():
        values = codes(fmt)
        said = sentence.format(noun)
        sign = 0 if fmt.is_integer else int(name == NEGATIVE) << fmt.sign_bit
        yield each_digit(
            name,
            f"{said[0].upper()}{said[1:]}.",
            {digit: point(name, sign + value) for digit, value in values.items()},
            lambda f, digit, sign=sign, values=values: where(f) & (f.value == sign + values[digit]),  # type: ignore[misc]
        )


# Where a number lies between two integers, or between two codes.


def lost_alone(place: int, unit: int) -> Exact:
    """Return the least number with the digit 2^-place of a unit 2^unit below the last place, and no other there."""
    return (1 << place) + 1, unit - place


def past_tie(place: int, unit: int) -> Exact:
    """Return half a unit and the digit 2^-place of it: a tie would go down."""
    return (1 << (place - 1)) + 1, unit - place


def plus(number: Exact, whole: int) -> Exact:
    """Return a number and a power of two, 2^whole, above its digits."""
    return number[0] + (1 << (whole - number[1])), number[1]


def lost(
    noun: str, group: str, points: Mapping[int, tuple[int, ...]], where: Where, position: Callable[[Any], Position]
) -> CornerClass[Any]:
    """Return the class of one digit below the last place.

    group: the first part of its name. points: by place. where: of facts, that a number is where the digit shows. position:
    its place.
    """
    return each_digit(
        f"{group}lost-alone",
        f"Below the last place that is kept, the {noun} has one digit alone, two places down or more: each in its turn.",
        points,
        lambda f, place: where(f) & position(f).lost_alone(place),
    )


def between(
    noun: str,
    points: tuple[Mapping[int, tuple[int, ...]], Mapping[int, tuple[int, ...]]],
    where: Where,
    position: Callable[[Any], Position],
    even: Where,
) -> Iterator[CornerClass[Any]]:
    """Yield the classes of what is cut off a number: one digit alone, and a tie with one digit more.

    points: of both, by place. even: that a tie goes down. The others as of `lost`.
    """
    yield lost(noun, "", points[0], where, position)
    yield each_digit(
        "past-tie",
        f"The {noun} is above a tie, which would go down to the even neighbour, by one digit alone: each in its turn.",
        points[1],
        lambda f, place: where(f) & even(f) & position(f).past_tie(place),
    )


def of_number(
    noun: str, row: Any, point: Callable[[Exact], tuple[int, ...] | None], where: Where
) -> Iterator[CornerClass[Any]]:
    """Yield the classes of a number that is rounded.

    point: of a number, inputs that make it, None where there are none. where: of facts, what is to hold beside.
    """
    fmt = row.destination
    if fmt.is_integer:
        alone = places(lambda place: point(lost_alone(place, 0)))
        past = places(lambda place: point(past_tie(place, 0)))
        yield from between(noun, (alone, past), where, lambda f: f.product, lambda f: f.product.even)
        return
    alone = places(lambda place: point(plus((1, -fmt.fraction_bits - place), 0)))
    past = places(lambda place: point(plus(past_tie(place, -fmt.fraction_bits), 0)))
    yield from between_codes(noun, (alone, past), lambda f: where(f) & f.float.normal)
    if fmt.kind is Kind.BINARY and fmt.fraction_bits > 1:
        unit = fmt.smallest_exponent
        yield lost(
            noun,
            "subnormal-",
            places(lambda place: point(plus((1, unit - place), unit + 1))),
            lambda f: where(f) & f.float.subnormal,
            lambda f: f.float.quanta,
        )
    yield from of_codes(noun, row, point, where)


#: floating formats of so many bits have a witness for every code
FEW_BITS = 8


def of_codes(
    noun: str, row: Any, point: Callable[[Exact], tuple[int, ...] | None], where: Where
) -> Iterator[CornerClass[Any]]:
    """Yield the classes of a destination of few codes: every code, and the tie above every one; as `of_number`."""
    fmt = row.destination
    if fmt.code_bits > FEW_BITS:
        return
    numbers = [finite_value(fmt, code) for code in range(fmt.largest_finite + 1)]
    exact = {code: (each.significand, each.exponent) for code, each in enumerate(numbers) if code}
    ties = {code: (2 * each.significand + 1, each.exponent - 1) for code, each in enumerate(numbers) if code}
    ties[0] = (1, fmt.smallest_exponent - 1)
    yield each_digit(
        "every-code",
        f"The {noun} is the value of a code, each in its turn, every second one negative where it can be.",
        either_sign(exact, 1, point),
        lambda f, code: where(f) & f.float.nonzero & (f.float.code == code) & f.float.quanta.whole,
    )
    yield each_digit(
        "every-tie",
        f"The {noun} lies halfway above a code, each in its turn, every second one negative where it can be.",
        either_sign(ties, 0, point),
        lambda f, code: where(f) & f.float.nonzero & (f.float.code == code) & f.float.quanta.tie,
    )


def either_sign(
    numbers: Mapping[int, Exact], negative: int, point: Callable[[Exact], tuple[int, ...] | None]
) -> dict[int, tuple[int, ...]]:
    """Return the points of numbers, those whose code has a parity negative where there are negative numbers."""
    found: dict[int, tuple[int, ...]] = {}
    for code, (significand, exponent) in numbers.items():
        made = point((-significand, exponent)) if code % 2 == negative else None
        made = made or point((significand, exponent))
        if made is not None:
            found[code] = made
    return found


def of_integer(
    noun: str, row: Any, point: Callable[[int], tuple[int, ...]], where: Where
) -> Iterator[CornerClass[Any]]:
    """Yield the classes of an integer that is rounded to a floating number; point: of an integer, the inputs that make it."""
    fmt = row.destination
    # 2^n has the last place 2^(n - fraction bits)
    reach = min(largest_exponent(fmt), precision(row.source) - 1) - fmt.fraction_bits
    alone = {place: point((1 << (fmt.fraction_bits + place)) + 1) for place in range(2, reach + 1)}
    past = {place: point((1 << (fmt.fraction_bits + place)) + (1 << (place - 1)) + 1) for place in range(2, reach + 1)}
    yield from between_codes(noun, (alone, past), lambda f: where(f) & f.float.normal)


def between_codes(
    noun: str, points: tuple[Mapping[int, tuple[int, ...]], Mapping[int, tuple[int, ...]]], where: Where
) -> Iterator[CornerClass[Any]]:
    """Yield the classes of what is cut off a number between two codes; as `between`."""
    yield from between(noun, points, where, lambda f: f.float.quanta, lambda f: f.float.even)


#: a digit further down is in no product
MOST_PLACES = 64


def places(point: Callable[[int], tuple[int, ...] | None]) -> dict[int, tuple[int, ...]]:
    """Return the points of all places that have one, from the second below the last on."""
    found = ((place, point(place)) for place in range(2, MOST_PLACES))
    return {place: each for place, each in found if each is not None}


# Of conversions whose only input is a code.


def of_source(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the classes of the source's code; a sign goes no way of its own there."""
    bits = row.source.lane_bits
    every = of_code("the source", row.source, lambda f: f.legal, lambda _, code: (code % (1 << bits),))
    yield from (each for each in every if each.name != f"digits/{NEGATIVE}")


def of_rounding(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the classes of the number of a plain conversion; from integer to integer nothing is lost."""

    def point(number: Exact) -> tuple[int, ...] | None:
        code = code_of(row.source, number)
        return None if code is None else (code % (1 << row.source.lane_bits),)

    if not row.source.is_integer:
        yield from of_number("number", row, point, lambda f: f.live)
    elif not row.destination.is_integer:
        yield from of_integer("number", row, lambda value: (value,), lambda f: f.live)
        yield from of_codes("number", row, point, lambda f: f.live)


def of_scale(row: Any) -> Iterator[CornerClass[Any]]:
    """Yield the class of the fraction of what is made a power of two."""
    one = code_of(row.source, (1, 0))
    assert one is not None
    yield each_digit(
        "fraction-alone",
        "The magnitude of the source is 1 and one digit of its fraction, each in its turn.",
        {bit: (one + (1 << bit),) for bit in fraction(row.source)},
        lambda f, bit: f.legal & (f.magnitude_code == one + (1 << bit)),
    )
