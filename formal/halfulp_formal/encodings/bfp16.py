"""FP32 blocks to bfp16ebs8: align once, see whether rounding reaches 128, double the scale if it does, round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from halfulp_formal.bits import Bits, Bool, and_reduce, ite, or_reduce
from halfulp_formal.encodings.block import BlockTerms, Lane, align, any_of, exponent_field, largest
from halfulp_formal.encodings.crrnd import increment

if TYPE_CHECKING:
    from collections.abc import Sequence

#: How the evidence on -128 is read. "default": mode floor emits it, every other mode renormalises when a magnitude
#: rounds to 128. "fits_int8": every mode emits it, as it fits.
READINGS = ("default", "fits_int8")


def flushed_significand(member: Bits) -> Bits:
    """Hidden bit and fraction; zero for a subnormal."""
    significand = Bits.constant(1, 1).concat(member.extract(22, 0))
    return ite(or_reduce(exponent_field(member)), significand, 0)


def steps_up(lane: Lane, rounding: str) -> Bool:
    """Whether a member's digits step up by one."""
    return increment(rounding, negative=lane.negative, lsb=lane.digits.bit(0), guard=lane.guard, sticky=lane.sticky)


def _mantissa(lane: Lane, rounding: str) -> Bits:
    magnitude = lane.digits.zero_extend(8) + steps_up(lane, rounding).bits().zero_extend(8)
    return lane.signed(magnitude)


def encode_block(members: Sequence[Bits], rounding: str, *, reading: str = "default") -> BlockTerms:
    """Any number of FP32 members under one exponent, as the conversion was characterised on XDNA2 silicon.

    Renormalising doubles the scale and rounds the exact aligned members again. Infinities and NaNs align as any other
    member of exponent 255. Left open: a member of exponent 255 that rounds to a magnitude of 128, and renormalising
    exponent 254. ValueError: an unknown mode or reading, or no member.
    """
    if reading not in READINGS:
        raise ValueError(f"unknown reading {reading}; expected one of {', '.join(READINGS)}")
    shared = largest([exponent_field(member) for member in members])
    lanes = [align(member, flushed_significand(member), shared) for member in members]
    reaches = [and_reduce(lane.digits) & steps_up(lane, rounding) for lane in lanes]
    emits = reading == "fits_int8" or rounding == "floor"
    grows = any_of([full & ~lane.negative if emits else full for full, lane in zip(reaches, lanes, strict=True)])
    return BlockTerms(
        characterised=~((shared == 255) & any_of(reaches) | (shared == 254) & grows),
        exponent=shared + grows.bits().zero_extend(8),
        mantissas=tuple(_mantissa(lane.halved_if(grows), rounding) for lane in lanes),
    )
