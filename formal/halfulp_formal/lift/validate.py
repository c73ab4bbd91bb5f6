"""A lifted call against the function it came from, point by point: given, corner and random inputs, or all there are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, product
from random import Random
from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.dag import symbol_width, symbols
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Mismatch

from .interpreter import LiftedCall
from .merge import concretize, leaves
from .values import Choice, Int, Record

#: what a term is worth at a point
Assigned = Callable[[FNode], int | bool]


class LiftMismatch(Mismatch):
    """A function and its terms differ at a point; the message names the function, the point and both results."""


def validate(
    call: LiftedCall,
    inputs: Sequence[FNode],
    *,
    samples: int = 200,
    exhaustive: int = 16,
    seed: int = 0,
    points: Iterable[Mapping[str, int]] = (),
) -> int:
    """Compare a lifted call with its function; return at how many points they were compared.

    inputs: the free symbols of the call's terms; others are not looked at.
    samples: how many corner and random points to try.
    exhaustive: up to so many bits of free symbols, every input is tried instead.
    points: inputs by name to try first; what a point leaves out is random.
    A point where a side condition fails, or an argument is outside its interval, means nothing and is not compared.
    Raises LiftMismatch at the first difference, ValueError for a term with a symbol that is not among the inputs.
    """
    conditions, terms = call_terms(call)
    used = set(symbols([*conditions, *terms]))
    free = [symbol for symbol in inputs if symbol in used]
    compiled = compile_term([*conditions, *terms], free)
    random = Random(seed)  # noqa: S311  # test inputs, no secrets
    checked = 0
    for point in chain(completed(points, free, random), own_points(call, free, samples, exhaustive, random)):
        values = compiled(*point)
        # "all" in front: most points of narrowly assumed calls end here
        if not all(values[: len(conditions)]):
            continue
        assigned = dict(zip(terms, values[len(conditions) :], strict=True)).__getitem__
        if not live_in_range(call.arguments, assigned):
            continue
        complaint = disagreement(call, assigned)
        if complaint is not None:
            where = ", ".join(
                f"{symbol.symbol_name()}={int(value):#x}" for symbol, value in zip(free, point, strict=True)
            )
            raise LiftMismatch(f"the lift disagrees with the model at {where or 'every input'}: {complaint}")
        checked += 1
    return checked


def call_terms(call: LiftedCall) -> tuple[list[FNode], list[FNode]]:
    """Return the terms of a call's side conditions, and the terms that arguments and result are read from."""
    conditions = [condition.term for condition in call.side_conditions]
    return conditions, list(dict.fromkeys(leaf.term for leaf in leaves((call.arguments, call.result))))


def disagreement(call: LiftedCall, assigned: Assigned) -> str | None:
    """Run the function on what its arguments are under an assignment; None where its terms give the same.

    What differs in type alone is the same: the model's True is the terms' 1.
    """
    arguments = concretize(call.arguments, assigned)
    expected = concretize(call.result, assigned)
    name = call.function.__name__
    try:
        got = call.function(*arguments)
    except Exception as error:  # noqa: BLE001  # whatever the model raises is a difference to report
        return f"{name} raises {type(error).__name__}: {error}"
    if got != expected:
        return f"{name} gives {got}, its terms give {expected}"
    return None if live_in_range(call.result, assigned) else f"{name} gives {got}, outside the interval of its terms"


def live_in_range(value: Any, assigned: Assigned) -> bool:
    """Tell whether every integer that a value consists of under an assignment lies in its interval."""
    if isinstance(value, Int):
        number: int = concretize(value, assigned)
        return value.low <= number <= value.high
    if isinstance(value, Record):
        return all(live_in_range(part, assigned) for part in value.fields.values())
    if isinstance(value, tuple):
        return all(live_in_range(part, assigned) for part in value)
    if isinstance(value, Choice):
        chosen = next(option for guard, option in value.options if guard.is_true() or assigned(guard))
        return live_in_range(chosen, assigned)
    return True


def completed(points: Iterable[Mapping[str, int]], free: Sequence[FNode], random: Random) -> Iterator[tuple[int, ...]]:
    """Return given points in the order of the symbols, with random values for what they leave out."""
    for point in points:
        names = [symbol.symbol_name() for symbol in free]
        yield tuple(
            point[name] if name in point else random.getrandbits(symbol_width(symbol) or 1)
            for name, symbol in zip(names, free, strict=True)
        )


def own_points(
    call: LiftedCall, free: Sequence[FNode], samples: int, exhaustive: int, random: Random
) -> Iterator[tuple[int, ...]]:
    """Return every point where there are few, else the ends of everything and then random points."""
    widths = [symbol_width(symbol) or 1 for symbol in free]
    if sum(widths) <= exhaustive:
        return product(*(range(1 << width) for width in widths))
    corners = [corner_values(width, symbol, call) for width, symbol in zip(widths, free, strict=True)]
    return islice(chain(corner_points(widths, corners, random), random_points(widths, corners, random)), samples)


def corner_values(width: int, symbol: FNode, call: LiftedCall) -> list[int]:
    """Return the values of a symbol where arithmetic turns: its ends as either kind of number, its arguments' ends."""
    top = 1 << width >> 1
    values = [0, 2 * top - 1, top, top - 1, 1]
    for leaf in leaves(call.arguments):
        if isinstance(leaf, Int) and symbols([leaf.term]) == [symbol]:
            values += [end % (2 * top) for end in (leaf.low, leaf.high)]
    return list(dict.fromkeys(values))


def corner_points(widths: Sequence[int], corners: list[list[int]], random: Random) -> Iterator[tuple[int, ...]]:
    """Return all zeros, all ones, then each corner value of each symbol among random values of the others."""
    yield tuple(0 for _ in widths)
    yield tuple((1 << width) - 1 for width in widths)
    for position, values in enumerate(corners):
        for value in values:
            drawn = [draw(width, own, random) for width, own in zip(widths, corners, strict=True)]
            yield (*drawn[:position], value, *drawn[position + 1 :])


def random_points(widths: Sequence[int], corners: list[list[int]], random: Random) -> Iterator[tuple[int, ...]]:
    """Return random points without end; in every third one, inputs of one width are alike."""
    while True:
        drawn = tuple(draw(width, own, random) for width, own in zip(widths, corners, strict=True))
        yield alike(widths, drawn, random) if random.randrange(3) == 0 else drawn


def alike(widths: Sequence[int], drawn: tuple[int, ...], random: Random) -> tuple[int, ...]:
    """Return values that differ from the first of their width in low bits and the sign only.

    Members of a block meet so: numbers of about one size, of either sign.
    """
    low = random.randint(0, max(widths))
    first = dict(zip(reversed(widths), reversed(drawn), strict=True))
    return tuple(
        first[width] ^ random.getrandbits(min(low, width)) ^ random.getrandbits(1) << (width - 1) for width in widths
    )


def draw(width: int, corners: Sequence[int], random: Random) -> int:
    """Return a value: uniform, small, with few bits set or few clear, a run of ones, or a corner.

    Uniform words are almost never legal, small or near a power of two; the other kinds are.
    """
    ones = (1 << width) - 1
    match random.randrange(6):
        case 0:
            return random.getrandbits(width)
        case 1:
            return random.getrandbits(random.randint(1, width))
        case 2:
            return sparse(width, random)
        case 3:
            return ones ^ sparse(width, random)
        case 4:
            return (ones >> random.randrange(width)) << random.randrange(width) & ones
        case _:
            return random.choice(corners)


def sparse(width: int, random: Random) -> int:
    """Return a value with one to three bits set."""
    value = 0
    for _ in range(random.randint(1, 3)):
        value |= 1 << random.randrange(width)
    return value
