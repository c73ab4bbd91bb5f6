"""A term as C on 64-bit integers: every node has the interval of its values, and what an interval decides is not computed.

A node of at most 64 bits is kept as its unsigned value. A wider one has an interval of integers that are its value modulo
2^width, and its C is right modulo 2^64; what needs the value itself asks whether it fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pysmt import operators as op
from pysmt.fnode import FNode

from halfulp_formal.dag import postorder, widths

WORD = 64
LEAST, GREATEST = -(1 << (WORD - 1)), (1 << (WORD - 1)) - 1


class TooWide(Exception):
    """A value that 64 bits may not hold, or an operator that has no meaning here."""


class Value(NamedTuple):
    """A C expression, the interval of its values and the width of its node in bits; width 0 is a truth value, 0 or 1."""

    text: str
    low: int
    high: int
    width: int

    @property
    def constant(self) -> bool:
        """Tell whether the value is known."""
        return self.low == self.high


def mask_of(width: int) -> int:
    """Return the greatest unsigned number of a width."""
    return (1 << width) - 1


def literal(value: int) -> str:
    """Return a number as C, modulo 2^64."""
    return f"{value & mask_of(WORD):#x}ull"


def known(value: int, width: int) -> Value:
    """Return a known value."""
    return Value(literal(value), value, value, width)


def exact(text: str, low: int, high: int, width: int) -> Value:
    """Return the value of an expression whose exact integer lies in an interval, reduced to a width. Raises TooWide."""
    if width > WORD:
        low, high = reduced_interval(low, high, width)
        return known(low, width) if low == high else Value(text, low, high, width)
    if low >> width == high >> width:
        base = low >> width << width
        low, high = low - base, high - base
        if low == high:
            return known(low, width)
        if base == 0:
            return Value(text, low, high, width)
    else:
        low, high = 0, mask_of(width)
    return Value(text if width == WORD else f"({text} & {literal(mask_of(width))})", low, high, width)


def reduced_interval(low: int, high: int, width: int) -> tuple[int, int]:
    """Return the interval modulo 2^width that is nearest to zero. Raises TooWide where there is no single one."""
    half = 1 << (width - 1)
    base = low >> width << width
    low, high = low - base, high - base
    if low >= half or high > mask_of(width):
        low, high = low - 2 * half, high - 2 * half
    if low < -half or (low < 0 and high >= half):
        raise TooWide
    return low, high


def fitting(value: Value) -> Value:
    """Return a value that its text gives whole, as a signed or an unsigned number. Raises TooWide."""
    if value.width > WORD and (value.low < LEAST or value.high > (GREATEST if value.low < 0 else mask_of(WORD))):
        raise TooWide
    return value


def unsigned(value: Value) -> Value:
    """Return a value with its interval as an unsigned number. Raises TooWide."""
    if value.low >= 0:
        return value
    if value.high >= 0:
        raise TooWide
    return value._replace(low=value.low + (1 << value.width), high=value.high + (1 << value.width))


def signed(value: Value) -> Value:
    """Return a value as a two's-complement number of its width. Raises TooWide."""
    half = 1 << (value.width - 1)
    if value.high < half:
        return value
    if value.low >= half:
        text = value.text if value.width > WORD else f"({value.text} - {literal(2 * half)})"
        return value._replace(text=text, low=value.low - 2 * half, high=value.high - 2 * half)
    if value.width > WORD:
        raise TooWide
    if value.width == WORD:
        return value._replace(low=LEAST, high=GREATEST)
    places = WORD - value.width
    text = f"((uint64_t)((int64_t)({value.text} << {places}) >> {places}))"
    return value._replace(text=text, low=-half, high=half - 1)


def common(a: Value, b: Value) -> tuple[Value, Value]:
    """Return two values whose intervals are of numbers of one kind, so that they may be compared. Raises TooWide."""
    if a.width <= WORD or (a.high < 0 and b.high < 0):
        return a, b
    try:
        return signed(a), signed(b)
    except TooWide:
        return unsigned(a), unsigned(b)


def add(width: int, a: Value, b: Value) -> Value:
    """Bvadd."""
    return exact(f"({a.text} + {b.text})", a.low + b.low, a.high + b.high, width)


def subtract(width: int, a: Value, b: Value) -> Value:
    """Bvsub."""
    return exact(f"({a.text} - {b.text})", a.low - b.high, a.high - b.low, width)


def negate(width: int, a: Value) -> Value:
    """Bvneg."""
    return exact(f"(0 - {a.text})", -a.high, -a.low, width)


def multiply(width: int, a: Value, b: Value) -> Value:
    """Bvmul."""
    corners = [one * two for one in (a.low, a.high) for two in (b.low, b.high)]
    return exact(f"({a.text} * {b.text})", min(corners), max(corners), width)


def shift_left(width: int, a: Value, b: Value) -> Value:
    """Bvshl."""
    b = unsigned(b)
    if b.low >= width or (a.constant and a.low == 0):
        return known(0, width)
    most = min(b.high, width)
    corners = [one << two for one in (a.low, a.high) for two in (b.low, most)]
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
        return exact("", low, low, width)
    fitting(a), fitting(b)
    text = f"({a.text} >> {b.text})" if b.high < WORD else f"({b.text} < {WORD} ? {a.text} >> ({b.text} & 63) : 0)"
    return exact(text, low, high, width)


def shift_arithmetically(width: int, a: Value, b: Value) -> Value:
    """Bvashr."""
    a, b = signed(a), unsigned(b)
    corners = [one >> min(two, width) for one in (a.low, a.high) for two in (b.low, b.high)]
    if min(corners) != max(corners):
        fitting_signed(a), fitting(b)
    places = b.text if b.high < WORD else f"({b.text} < {WORD - 1} ? {b.text} : {WORD - 1})"
    return exact(f"((uint64_t)((int64_t){a.text} >> {places}))", min(corners), max(corners), width)


def fitting_signed(value: Value) -> Value:
    """Return a value that its text gives whole as a signed number. Raises TooWide."""
    if value.width > WORD and (value.low < LEAST or value.high > GREATEST):
        raise TooWide
    return value


def bound(*values: Value) -> tuple[int, int]:
    """Return an interval of the bits that the values may have set: with a sign if one of them may be negative."""
    bits = max(max(value.high, -value.low - 1).bit_length() for value in values)
    return (-(1 << bits) if any(value.low < 0 for value in values) else 0), mask_of(bits)


def bit_and(width: int, a: Value, b: Value) -> Value:
    """Bvand."""
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
    return exact(f"(~{a.text})", -1 - a.high, -1 - a.low, width)


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
        return exact(a.text, a.low, a.high, width)
    fitting(a), fitting(b)
    return exact(f"({a.text} % {b.text})", 0, min(a.high, b.high - 1), width)


def extract(width: int, a: Value, low_bit: int) -> Value:
    """Extract so many bits from a low one up."""
    low, high = a.low >> low_bit, a.high >> low_bit
    if low == high:
        return exact("", low, low, width)
    if low_bit + width > WORD:
        fitting_signed(a) if a.low < 0 else fitting(a)
    places = min(low_bit, WORD - 1)
    text = f"({a.text} >> {places})" if places else a.text
    if a.low < 0:
        text = f"((uint64_t)((int64_t){a.text} >> {places}))"
    elif low_bit >= WORD:
        text = "0ull"
    return exact(text, low, high, width)


def reduced(number: int, width: int) -> int:
    """Return a constant as a node of a width keeps it."""
    return reduced_interval(number, number, width)[0] if width > WORD else number & mask_of(width)


def concat(width: int, a: Value, b: Value) -> Value:
    """Concat."""
    b = unsigned(b)
    if a.constant and a.low == 0:
        return exact(b.text, b.low, b.high, width)
    high_part = f"({a.text} << {b.width})" if b.width < WORD else "0ull"
    return exact(f"({high_part} + {b.text})", (a.low << b.width) + b.low, (a.high << b.width) + b.high, width)


def zero_extend(width: int, a: Value) -> Value:
    """Zero_extend."""
    a = unsigned(a)
    return exact(a.text, a.low, a.high, width)


def sign_extend(width: int, a: Value) -> Value:
    """Sign_extend."""
    a = signed(a)
    return exact(a.text, a.low, a.high, width)


BINARY: dict[int, Callable[[int, Value, Value], Value]] = {
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
UNARY: dict[int, Callable[[int, Value], Value]] = {
    op.BV_NEG: negate,
    op.BV_NOT: complement,
    op.BV_ZEXT: zero_extend,
    op.BV_SEXT: sign_extend,
}


def truth(text: str) -> Value:
    """Return a truth value that is not known."""
    return Value(text, 0, 1, 0)


def decided(holds: bool) -> Value:
    """Return a known truth value."""
    return Value("1" if holds else "0", int(holds), int(holds), 0)


def compare(kind: int, a: Value, b: Value) -> Value:
    """Compare two values: bvult, bvule, bvslt, bvsle."""
    strict = kind in (op.BV_ULT, op.BV_SLT)
    as_signed = kind in (op.BV_SLT, op.BV_SLE)
    if as_signed:
        a, b = signed(a), signed(b)
    elif a.high >= 0 or b.high >= 0:
        # two negative ones are in the order of their unsigned numbers as they are
        a, b = unsigned(a), unsigned(b)
    if a.high < b.low or (not strict and a.high <= b.low):
        return decided(True)
    if a.low > b.high or (strict and a.low >= b.high):
        return decided(False)
    sign, cast = "<" if strict else "<=", "(int64_t)" if as_signed else ""
    for each in (a, b):
        fitting_signed(each) if as_signed or each.low < 0 else fitting(each)
    return truth(f"({cast}{a.text} {sign} {cast}{b.text})")


def equal(a: Value, b: Value) -> Value:
    """State that two values are equal."""
    a, b = common(a, b)
    if a.high < b.low or b.high < a.low:
        return decided(False)
    if a.constant and b.constant:
        return decided(True)
    fitting(a), fitting(b)
    return truth(f"({a.text} == {b.text})")


def connect(kind: int, parts: list[Value]) -> Value:
    """Return a conjunction or a disjunction."""
    absorbing = int(kind == op.OR)
    kept = [part for part in parts if not part.constant]
    if any(part.constant and part.low == absorbing for part in parts):
        return decided(bool(absorbing))
    if not kept:
        return decided(not absorbing)
    return truth(f"({(' | ' if absorbing else ' & ').join(part.text for part in kept)})")


def choose(test: Value, then: Value, other: Value) -> Value:
    """Return if-then-else."""
    if test.constant:
        return then if test.low else other
    if then.constant and other.constant and then.low == other.low:
        return then
    low, high = min(then.low, other.low), max(then.high, other.high)
    if then.width > WORD and low < 0 and high >= 1 << (then.width - 1):
        raise TooWide
    return Value(f"({test.text} ? {then.text} : {other.text})", low, high, then.width)


def node_value(node: FNode, width: int, parts: list[Value]) -> Value:
    """Return the value of a node from those of its operands. Raises TooWide."""
    kind = node.node_type()
    if kind in (op.AND, op.OR):
        return connect(kind, parts)
    if kind == op.NOT:
        return decided(not parts[0].low) if parts[0].constant else truth(f"({parts[0].text} ^ 1)")
    if kind == op.IMPLIES:
        return connect(op.OR, [node_negated(parts[0]), parts[1]])
    if kind in (op.IFF, op.EQUALS):
        return equal(*parts)
    if kind == op.ITE:
        return choose(*parts)
    if kind in (op.BV_ULT, op.BV_ULE, op.BV_SLT, op.BV_SLE):
        return compare(kind, *parts)
    if kind == op.BV_EXTRACT:
        return extract(width, parts[0], node.bv_extract_start())
    if kind in BINARY:
        return BINARY[kind](width, *parts)
    if kind in UNARY:
        return UNARY[kind](width, parts[0])
    raise TooWide


def node_negated(part: Value) -> Value:
    """Return the negation of a truth value."""
    return decided(not part.low) if part.constant else truth(f"({part.text} ^ 1)")


class Narrowed:
    """A claim that is made into C many times, for other values of its symbols each time."""

    def __init__(self, claim: FNode) -> None:
        self.claim = claim
        self.order = postorder([claim])
        self.width = widths(self.order)

    def compiled(self, given: Mapping[FNode, Value]) -> tuple[list[str], Value]:
        """Return the lines of C that compute the claim from its symbols' values, and what it then is. Raises TooWide.

        Only what the result needs is computed: operands of decided nodes are left out.
        """
        return compiled(self.claim, self.order, self.width, given)


def compiled(
    claim: FNode, order: Sequence[FNode], width: Mapping[FNode, int], given: Mapping[FNode, Value]
) -> tuple[list[str], Value]:
    """Return the lines of C that compute a claim, the last of a post-order, and what it then is. Raises TooWide."""
    values: dict[FNode, Value] = dict(given)
    broken: set[FNode] = set()
    definitions: dict[str, tuple[str, str]] = {}
    for node in order:
        if node in values:
            continue
        if node.is_constant():
            number = int(node.constant_value())
            values[node] = known(reduced(number, width[node]), width[node]) if width[node] else decided(bool(number))
            continue
        try:
            value = usable(node, width[node], values, broken)
        except TooWide:
            broken.add(node)
            values[node] = Value("?", 0, 0, width[node])
            continue
        if not value.constant and not value.text.isidentifier():
            name = f"v{len(definitions)}"
            definitions[name] = ("int" if width[node] == 0 else "uint64_t", value.text)
            value = value._replace(text=name)
        values[node] = value
    if claim in broken:
        raise TooWide
    return needed(values[claim].text, definitions), values[claim]


def usable(node: FNode, width: int, values: Mapping[FNode, Value], broken: set[FNode]) -> Value:
    """Return a node's value; an operand that is too wide matters only where it is used. Raises TooWide."""
    parts = [values[argument] for argument in node.args()]
    bad = [argument in broken for argument in node.args()]
    if any(bad):
        if node.is_ite() and not bad[0] and parts[0].constant and not bad[1 if parts[0].low else 2]:
            return parts[1 if parts[0].low else 2]
        absorbing = {op.AND: 0, op.OR: 1}.get(node.node_type())
        if any(not wrong and part.constant and part.low == absorbing for part, wrong in zip(parts, bad, strict=True)):
            return decided(bool(absorbing))
        raise TooWide
    return node_value(node, width, parts)


def needed(result: str, definitions: Mapping[str, tuple[str, str]]) -> list[str]:
    """Return the definitions that a result needs, in order."""
    names = list(definitions)
    wanted, todo = set(), [result]
    while todo:
        for name in identifiers(todo.pop()):
            if name in definitions and name not in wanted:
                wanted.add(name)
                todo.append(definitions[name][1])
    return [f"{definitions[name][0]} {name} = {definitions[name][1]};" for name in names if name in wanted]


def identifiers(text: str) -> set[str]:
    """Return the words of an expression that may be names of definitions."""
    words = "".join(char if char.isalnum() or char == "_" else " " for char in text).split()
    return {word for word in words if word.startswith("v")}
