"""FP32 blocks to OCP MXINT8: the scale from the largest member, elements rounded to nearest even and clamped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, and_reduce, ite, or_reduce
from halfulp_formal.encodings.block import BlockTerms, Lane, align, any_of, exponent_field, largest

if TYPE_CHECKING:
    from collections.abc import Sequence


def _significand(member: Bits) -> Bits:
    """Hidden bit and fraction; a subnormal's stands one place up, so that its exponent is 0 as its field says."""
    fraction = member.extract(22, 0)
    normal = Bits.constant(1, 1).concat(fraction)
    return ite(or_reduce(exponent_field(member)), normal, fraction.concat(Bits.constant(0, 1)))


def _element(lane: Lane) -> Bits:
    """Nearest even; a carry out of seven digits is left out, which clamps at 127."""
    up = lane.guard & (lane.sticky | lane.digits.bit(0)) & ~and_reduce(lane.digits)
    return lane.signed((lane.digits + up.bits().zero_extend(lane.digits.width)).zero_extend(8))


def quantize_block(members: Sequence[Bits]) -> BlockTerms:
    """Any number of FP32 members under one E8M0 scale (OCP Microscaling Formats v1.0, section 6.3; MXINT8).

    The scale is 2^floor(log2(max |v|)), not below 2^-127: its code is the largest exponent field, as every subnormal is
    below 2^-126. Subnormal members count. Left open: a block with an infinity or a NaN. ValueError: no member.
    """
    shared = largest([exponent_field(member) for member in members])
    lanes = [align(member, _significand(member), shared) for member in members]
    special = any_of([and_reduce(exponent_field(member)) for member in members])
    return BlockTerms(~special, shared, tuple(_element(lane) for lane in lanes))
