"""Row and group maximum as hardware does it: comparators in a tree, over 32-bit accumulators of s32, u32 or fp32."""

from __future__ import annotations

from collections.abc import Sequence

from halfulp_formal.bits import Bits, ite
from halfulp_formal.encodings.flags import INVALID, flags_of
from halfulp_formal.encodings.unpack import unpack_fp32

#: raised by an absolute value that saturates, alone: without NX
ABSOLUTE_OVERFLOW = 0x04
CANONICAL_NAN = 0x7FC00000
SIGN = 0x80000000

#: an accumulator and the flags raised so far
Node = tuple[Bits, Bits]


def absolute(accumulator: str, value: Bits) -> Node:
    """Magnitude and flags: FP32 drops the sign bit, S32 inverts and adds one, and 80000000 saturates."""
    if accumulator == "u32":
        return value, flags_of()
    if accumulator == "fp32":
        return value & (SIGN - 1), flags_of()
    least = value == SIGN
    magnitude = ite(value.bit(31), -value, value)
    return ite(least, Bits.constant(SIGN - 1, 32), magnitude), flags_of((least, ABSOLUTE_OVERFLOW))


def maximum(accumulator: str, left: Bits, right: Bits) -> Node:
    """The greater of two, and flags."""
    if accumulator == "u32":
        return ite(left.bvuge(right), left, right), flags_of()
    if accumulator == "s32":
        return ite(left.bvsge(right), left, right), flags_of()
    one, two = unpack_fp32(left), unpack_fp32(right)
    numeric = ite(_comparable(left).bvsge(_comparable(right)), left, right)
    chosen = ite(one.nan, ite(two.nan, Bits.constant(CANONICAL_NAN, 32), right), ite(two.nan, left, numeric))
    return chosen, flags_of((one.signalling | two.signalling, INVALID))


def _comparable(value: Bits) -> Bits:
    """FP32 as an integer of the same order: the magnitude of a negative number inverted, so that -0 is just below +0."""
    return ite(value.bit(31), value ^ (SIGN - 1), value)


def step(accumulator: str, max_abs: bool, left: Node, right: Node) -> Node:
    """A comparator with the absolute values in front of it, if any; flags are the union of everything below."""
    raised = left[1] | right[1]
    one, two = left[0], right[0]
    if max_abs:
        (one, first), (two, second) = absolute(accumulator, one), absolute(accumulator, two)
        raised = raised | first | second
    greater, compared = maximum(accumulator, one, two)
    return greater, raised | compared


def tree(accumulator: str, max_abs: bool, elements: Sequence[Bits]) -> Node:
    """A balanced tree over one or more elements; a lone one is made absolute, and its NaN canonical, by itself."""
    leaves = [(element, flags_of()) for element in elements]
    if len(leaves) == 1 and max_abs:
        return step(accumulator, max_abs, leaves[0], leaves[0])
    return _balanced(accumulator, max_abs, leaves)


def _balanced(accumulator: str, max_abs: bool, nodes: Sequence[Node]) -> Node:
    """The root of a tree over some nodes."""
    if len(nodes) == 1:
        return nodes[0]
    middle = (len(nodes) + 1) // 2
    halves = (_balanced(accumulator, max_abs, part) for part in (nodes[:middle], nodes[middle:]))
    return step(accumulator, max_abs, *halves)
