"""The operators of terms on values in C: what the intervals of the operands decide is not computed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pysmt import operators as op
from pysmt.fnode import FNode

from .value import (
    GREATEST,
    LEAST,
    NOTHING,
    WORD,
    TooWide,
    Value,
    common,
    decided,
    exact,
    fitting,
    fitting_signed,
    known,
    literal,
    mask_of,
    shifted,
    signed,
    truth,
    unsigned,
)


def add(width: int, a: Value, b: Value) -> Value:
    """Bvadd."""
    return exact(sum_of(a.core, b.core), a.low + b.low, a.high + b.high, width, a.offset + b.offset)


def sum_of(a: str, b: str) -> str:
    """Return the sum of two cores."""
    if NOTHING in (a, b):
        return b if a == NOTHING else a
    return f"({a} + {b})"


def subtract(width: int, a: Value, b: Value) -> Value:
    """Bvsub."""
    core = a.core if b.core == NOTHING else f"({a.core} - {b.core})"
    return exact(core, a.low - b.high, a.high - b.low, width, a.offset - b.offset)


def negate(width: int, a: Value) -> Value:
    """Bvneg."""
    return exact(f"(0 - {a.core})", -a.high, -a.low, width, -a.offset)


def multiply(width: int, a: Value, b: Value) -> Value:
    """Bvmul."""
    corners = [one * two for one in (a.low, a.high) for two in (b.low, b.high)]
    if a.constant:
        a, b = b, a
    if b.constant:
        return exact(times(a.core, b.low), min(corners), max(corners), width, a.offset * b.low)
    return exact(f"({a.text} * {b.text})", min(corners), max(corners), width)


def times(core: str, factor: int) -> str:
    """Return a core times a number."""
    return core if factor == 1 or core == NOTHING else f"({core} * {literal(factor)})"


def shift_left(width: int, a: Value, b: Value) -> Value:
    """Bvshl."""
    b = unsigned(b)
    if b.low >= width or (a.constant and a.low == 0):
        return known(0, width)
    if b.constant:
        return multiply(width, a, known(1 << b.low, width))
    corners = [one << two for one in (a.low, a.high) for two in (b.low, min(b.high, width))]
    if b.high < width or width >= WORD:
        fitting(b)
        text = f"({a.text} << {b.text})" if b.high < WORD else f"({b.text} < {WORD} ? {a.text} << ({b.text} & 63) : 0)"
        return exact(text, min(corners), max(corners), width)
    mask = mask_of(width)
    return Value(f"({b.text} < {width} ? ({a.text} << ({b.text} & 63)) & {literal(mask)} : 0)", 0, mask, width)


def shift_right(width: int, a: Value, b: Value) -> Value:
    """Bvlshr."""
    a, b = unsigned(a), unsigned(b)
    low, high = a.low >> min(b.high, width), a.high >> min(b.low, width)
    if low == high:
        return exact(NOTHING, low, low, width, low)
    if b.constant:
        return from_bit(width, a, b.low)
    fitting(a), fitting(b)
    text = f"({a.text} >> {b.text})" if b.high < WORD else f"({b.text} < {WORD} ? {a.text} >> ({b.text} & 63) : 0)"
    return exact(text, low, high, width)


def shift_arithmetically(width: int, a: Value, b: Value) -> Value:
    """Bvashr."""
    a, b = signed(a), unsigned(b)
    if b.constant:
        return from_bit(width, a, min(b.low, width))
    corners = [one >> min(two, width) for one in (a.low, a.high) for two in (b.low, b.high)]
    if min(corners) != max(corners):
        fitting_signed(a), fitting(b)
    places = b.text if b.high < WORD else f"({b.text} < {WORD - 1} ? {b.text} : {WORD - 1})"
    return exact(f"((uint64_t)((int64_t){a.text} >> {places}))", min(corners), max(corners), width)


def from_bit(width: int, a: Value, low_bit: int) -> Value:
    """Return the floor of a value by 2^low_bit, reduced to a width. Raises TooWide."""
    low, high = a.low >> low_bit, a.high >> low_bit
    if low == high or low_bit == 0:
        return exact(a.core if low_bit == 0 else NOTHING, low, high, width, a.offset if low_bit == 0 else low)
    if a.whole_core and a.offset % (1 << low_bit) == 0:
        # the known part has no bits below
        core = f"({a.core} >> {low_bit})" if low_bit < WORD else NOTHING
        return exact(core, low, high, width, a.offset >> low_bit)
    if a.width > WORD and low_bit + width <= WORD and (a.low < LEAST or a.high > GREATEST):
        # the bits that are asked for are right, those above them may not be
        within = exact(NOTHING, low, high, width)
        return within._replace(core=f"(({a.text} >> {low_bit}) & {literal(mask_of(width))})", offset=0)
    if a.low < 0:
        fitting_signed(a)
        return exact(f"((uint64_t)((int64_t){a.text} >> {min(low_bit, WORD - 1)}))", low, high, width)
    fitting(a)
    return exact(f"({a.text} >> {low_bit})", low, high, width)


def bound(*values: Value) -> tuple[int, int]:
    """Return an interval of the bits that the values may have set: with a sign if one of them may be negative."""
    bits = max(max(value.high, -value.low - 1).bit_length() for value in values)
    return (-(1 << bits) if any(value.low < 0 for value in values) else 0), mask_of(bits)


def bit_and(width: int, a: Value, b: Value) -> Value:
    """Bvand."""
    if a.constant:
        a, b = b, a
    bits = b.low.bit_length()
    if b.constant and b.low == mask_of(bits) and 0 < bits <= WORD:
        # the low bits
        return exact(a.core, a.low, a.high, bits, a.offset)._replace(width=width)
    tops = [value.high for value in (a, b) if value.low >= 0]
    low, high = (0, min(tops)) if tops else bound(a, b)
    return exact(f"({a.text} & {b.text})", low, high, width)


def bit_or(width: int, a: Value, b: Value) -> Value:
    """Bvor."""
    return exact(f"({a.text} | {b.text})", *bound(a, b), width)


def bit_xor(width: int, a: Value, b: Value) -> Value:
    """Bvxor."""
    return exact(f"({a.text} ^ {b.text})", *bound(a, b), width)


def complement(width: int, a: Value) -> Value:
    """Bvnot."""
    return exact(f"(0 - {a.core})", -1 - a.high, -1 - a.low, width, -1 - a.offset)


def divide(width: int, a: Value, b: Value) -> Value:
    """Bvudiv by what cannot be zero."""
    a, b = fitting(unsigned(a)), fitting(unsigned(b))
    if b.low == 0:
        raise TooWide
    return exact(f"({a.text} / {b.text})", a.low // b.high, a.high // b.low, width)


def remainder(width: int, a: Value, b: Value) -> Value:
    """Bvurem by what cannot be zero."""
    a, b = unsigned(a), unsigned(b)
    if b.low == 0:
        raise TooWide
    if a.high < b.low:
        return exact(a.core, a.low, a.high, width, a.offset)
    fitting(a), fitting(b)
    return exact(f"({a.text} % {b.text})", 0, min(a.high, b.high - 1), width)


def concat(width: int, a: Value, b: Value) -> Value:
    """Concat."""
    b = unsigned(b)
    high_part = times(a.core, 1 << b.width) if b.width < WORD else NOTHING
    offset = (a.offset << b.width) + b.offset
    return exact(sum_of(high_part, b.core), (a.low << b.width) + b.low, (a.high << b.width) + b.high, width, offset)


def zero_extend(width: int, a: Value) -> Value:
    """Zero_extend."""
    a = unsigned(a)
    return exact(a.core, a.low, a.high, width, a.offset)


def sign_extend(width: int, a: Value) -> Value:
    """Sign_extend."""
    a = signed(a)
    return exact(a.core, a.low, a.high, width, a.offset)


BINARY: dict[int, Callable[..., Value]] = {
    op.BV_ADD: add,
    op.BV_SUB: subtract,
    op.BV_MUL: multiply,
    op.BV_LSHL: shift_left,
    op.BV_LSHR: shift_right,
    op.BV_ASHR: shift_arithmetically,
    op.BV_AND: bit_and,
    op.BV_OR: bit_or,
    op.BV_XOR: bit_xor,
    op.BV_UDIV: divide,
    op.BV_UREM: remainder,
    op.BV_CONCAT: concat,
}
UNARY: dict[int, Callable[..., Value]] = {
    op.BV_NEG: negate,
    op.BV_NOT: complement,
    op.BV_ZEXT: zero_extend,
    op.BV_SEXT: sign_extend,
}


def compare(kind: int, a: Value, b: Value) -> Value:
    """Compare two values: bvult, bvule, bvslt, bvsle."""
    strict = kind in (op.BV_ULT, op.BV_SLT)
    if kind in (op.BV_SLT, op.BV_SLE):
        a, b = signed(a), signed(b)
    elif a.high >= 0 or b.high >= 0:
        # two negative ones are in the order of their unsigned numbers as they are
        a, b = unsigned(a), unsigned(b)
    if a.high < b.low or (not strict and a.high <= b.low):
        return decided(True)
    if a.low > b.high or (strict and a.low >= b.high):
        return decided(False)
    if a.core == b.core and a.whole_core and b.whole_core:
        return decided(a.offset < b.offset if strict else a.offset <= b.offset)
    # both are counted from the least value of either, so that neither is negative
    least, most = min(a.low, b.low), max(a.high, b.high)
    if most - least > mask_of(WORD):
        raise TooWide
    cast = "(int64_t)" if most - least <= GREATEST else ""
    left, right = (f"{cast}{shifted(each.core, each.offset - least)}" for each in (a, b))
    return truth(f"({left} {'<' if strict else '<='} {right})")


def equal(a: Value, b: Value) -> Value:
    """State that two values are equal."""
    if a.width == 0 and (a.constant or b.constant):
        part, other = (a, b) if a.constant else (b, a)
        return other if part.low else opposite(other)
    a, b = common(a, b)
    if a.high < b.low or b.high < a.low:
        return decided(False)
    if a.constant and b.constant:
        return decided(True)
    least, most = min(a.low, b.low), max(a.high, b.high)
    if most - least > mask_of(WORD):
        raise TooWide
    # within so many values, two are equal if they are modulo 2^64
    apart = (b.offset - a.offset) & mask_of(WORD)
    if a.core == b.core:
        return decided(apart == 0)
    return truth(f"({a.core} == {shifted(b.core, apart)})")


def connect(kind: int, *parts: Value) -> Value:
    """Return a conjunction or a disjunction."""
    absorbing = int(kind == op.OR)
    kept = dict.fromkeys(part.core for part in parts if not part.constant)
    if any(part.constant and part.low == absorbing for part in parts):
        return decided(bool(absorbing))
    if not kept:
        return decided(not absorbing)
    return truth(f"({(' | ' if absorbing else ' & ').join(kept)})" if len(kept) > 1 else next(iter(kept)))


def opposite(part: Value) -> Value:
    """Return the negation of a truth value."""
    return decided(not part.low) if part.constant else truth(f"({part.core} ^ 1)")


def choose(test: Value, then: Value, other: Value) -> Value:
    """Return if-then-else."""
    if test.constant:
        return then if test.low else other
    if then.core == other.core and then.offset == other.offset:
        return then
    if then.width == 0:
        return truth(f"({test.core} ? {then.text} : {other.text})")
    low, high = min(then.low, other.low), max(then.high, other.high)
    if then.width > WORD and low < 0 and high >= 1 << (then.width - 1):
        raise TooWide
    text = f"({test.core} ? {shifted(then.core, then.offset - other.offset)} : {other.core})"
    return Value(text, low, high, then.width, other.offset)


def implication(a: Value, b: Value) -> Value:
    """Return the implication of b by a."""
    return connect(op.OR, opposite(a), b)


def unknown(*_parts: Value) -> Value:
    """Refuse an operator that has no meaning here. Raises TooWide."""
    raise TooWide


MEANING: dict[int, Callable[..., Value]] = {
    op.NOT: opposite,
    op.IMPLIES: implication,
    op.IFF: equal,
    op.EQUALS: equal,
    op.ITE: choose,
}


def meaning(node: FNode, width: int) -> Callable[..., Value]:
    """Return what makes a node's value from those of its operands; it raises TooWide."""
    kind = node.node_type()
    if kind in MEANING:
        return MEANING[kind]
    if kind in (op.AND, op.OR):
        return partial(connect, kind)
    if kind in (op.BV_ULT, op.BV_ULE, op.BV_SLT, op.BV_SLE):
        return partial(compare, kind)
    if kind == op.BV_EXTRACT:
        return partial(from_bit, width, low_bit=node.bv_extract_start())
    return partial(BINARY.get(kind, UNARY.get(kind, unknown)), width)
