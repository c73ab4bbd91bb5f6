"""The rounding mode as decoded control lines, so that it may be an operand of the conversion."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.bits import Bits, Bool

#: The operand's codes, 0 upwards: B.DATR.RMode less one. Code 7 is no mode.
ROUNDING_CODES = ("rne", "rtz", "rtm", "rtp", "rna", "rto", "rhb")


def rounding_operand(rounding: str) -> Bits:
    """The three-bit code of a mode; ValueError for a name that is none."""
    if rounding not in ROUNDING_CODES:
        raise ValueError(f"no rounding mode is named {rounding!r}; expected one of {', '.join(ROUNDING_CODES)}")
    return Bits.constant(ROUNDING_CODES.index(rounding), 3)


def rounding_legal(operand: Bits) -> Bool:
    """The operand is one of the seven codes."""
    return operand != len(ROUNDING_CODES)


@dataclass(frozen=True, slots=True)
class RoundingControl:
    """One line a mode, in the order of ROUNDING_CODES, at most one of them set."""

    rne: Bool
    rtz: Bool
    rtm: Bool
    rtp: Bool
    rna: Bool
    rto: Bool
    rhb: Bool

    @classmethod
    def decode(cls, operand: Bits) -> RoundingControl:
        """The lines of a three-bit operand; a constant operand gives constant lines."""
        return cls(*(operand == rounding_operand(rounding) for rounding in ROUNDING_CODES))

    @property
    def nearest(self) -> Bool:
        """Whether what is more than half a unit steps up."""
        return self.rne | self.rna | self.rhb

    def outward(self, negative: Bool) -> Bool:
        """Whether anything dropped steps the magnitude up: RTP above zero, RTM below."""
        return (self.rtp & ~negative) | (self.rtm & negative)

    def increment(self, *, negative: Bool, lsb: Bool, guard: Bool, sticky: Bool) -> Bool:
        """Whether a truncated magnitude steps up by one unit in its last place.

        `lsb` is the lowest kept bit, `guard` the first bit dropped, `sticky` the or of all bits below it. The modes
        round the signed value: RHB takes a tie to the greater one.
        """
        tie = (self.rne & lsb) | self.rna | (self.rhb & ~negative)
        always = self.outward(negative) | (self.rto & ~lsb)
        return (always & (guard | sticky)) | (guard & ((self.nearest & sticky) | tie))

    def overflows_to_infinity(self, negative: Bool) -> Bool:
        """Whether an overflow leaves the finite range (IEEE 754, 7.4): nearest modes, and one directed outward.

        RTO, which IEEE 754 does not have, stops at the largest finite value as RTZ does.
        """
        return self.nearest | self.outward(negative)
