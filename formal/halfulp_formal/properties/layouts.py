"""The judge's own reading of a code: fields, classes and value of every format, straight from the table of data types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE

from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, conjoin, disjoin, make_truth, negate

from .numbers import Magnitude, Number, bit_field, equal, select, select_magnitude

#: source of the table: pto-numeric, section 3
TABLE = "pto-numeric, section 3; asl/arch/data-types/formats"


@dataclass(frozen=True)
class CodeReading:
    """What a code is, each as a statement about it; the number means something for a finite code only.

    subnormal: a nonzero number below the normal range, whether the format's classification says so or not.
    """

    valid: FNode
    negative: FNode
    nan: FNode
    quiet: FNode
    infinite: FNode
    zero: FNode
    subnormal: FNode
    number: Magnitude

    @property
    def finite(self) -> FNode:
        """State that the code is valid and neither a NaN nor an infinity."""
        return conjoin(self.valid, negate(self.nan), negate(self.infinite))


@dataclass(frozen=True)
class Layout:
    """A format's row of the table. Widths are in bits.

    top: what the codes at the top are, "ieee" (infinities and NaNs under the all-ones exponent), "nan" (one NaN of each
    sign, all ones) or "finite". classed: whether codes without hidden bit are classed as subnormal. lanes: codes in a
    carrier. read: how one code of `code_bits` bits is read. precision: bits of the longest significand. smallest: the
    exponent of the smallest normal number. reach: every exponent is below 2^reach in magnitude. unit: the least code of a
    positive number. largest: the code of the greatest value, which is an infinity where there is one.
    """

    code_bits: int
    read: Callable[[Int], CodeReading]
    top: str = "finite"
    lanes: int = 1
    classed: bool = True
    integer: bool = False
    canonical_nan: int | None = None
    negative_zero: int | None = None
    precision: int = 0
    smallest: int = 0
    reach: int = 0
    unit: int = 1
    largest: int = 0


@dataclass(frozen=True)
class BinaryFields:
    """Where the fields of a binary code stand: `low` constrained bits, fraction, exponent, sign, `high` constrained bits."""

    exponent_bits: int
    fraction_bits: int
    bias: int
    low: int = 0
    high: int = 0

    @property
    def sign_bit(self) -> int:
        """Number of the sign bit."""
        return self.low + self.fraction_bits + self.exponent_bits

    @property
    def code_bits(self) -> int:
        """Width of a code, constrained bits included."""
        return self.sign_bit + 1 + self.high

    def fraction(self, code: Int) -> Number:
        """Return the fraction field."""
        return bit_field(code, self.low + self.fraction_bits - 1, self.low)

    def exponent(self, code: Int) -> Number:
        """Return the exponent field."""
        return bit_field(code, self.sign_bit - 1, self.low + self.fraction_bits)

    def sign(self, code: Int) -> FNode:
        """State that the sign bit is set."""
        return equal(bit_field(code, self.sign_bit, self.sign_bit), 1)

    def constrained(self, code: Int) -> FNode:
        """State that the constrained bits are zero."""
        low = equal(bit_field(code, self.low - 1, 0), 0) if self.low else TRUE()
        high = equal(bit_field(code, self.code_bits - 1, self.sign_bit + 1), 0) if self.high else TRUE()
        return conjoin(low, high)

    def number(self, code: Int) -> Magnitude:
        """Return 2^f + fraction at e - (bias + f); of exponent field 0, fraction at 1 - bias - f; of zero, 0 at 0."""
        field, fraction = self.exponent(code), self.fraction(code)
        unit = 1 - self.bias - self.fraction_bits
        normal = arithmetic.add(1 << self.fraction_bits, fraction)
        significand = select(equal(field, 0), fraction, normal)
        exponent = select(equal(field, 0), unit, arithmetic.subtract(field, self.bias + self.fraction_bits))
        zero = conjoin(equal(field, 0), equal(fraction, 0))
        return Magnitude(make_truth(self.sign(code)), significand, select(zero, 0, exponent))


def binary(fields: BinaryFields, top: str, nan: int | None = None, *, lanes: int = 1, classed: bool = True) -> Layout:
    """Return the layout of a binary format."""

    def read(code: Int) -> CodeReading:
        field, fraction = fields.exponent(code), fields.fraction(code)
        ones, none = equal(field, (1 << fields.exponent_bits) - 1), equal(fraction, 0)
        full = equal(fraction, (1 << fields.fraction_bits) - 1)
        leading = equal(
            bit_field(code, fields.low + fields.fraction_bits - 1, fields.low + fields.fraction_bits - 1), 1
        )
        return CodeReading(
            valid=fields.constrained(code),
            negative=fields.sign(code),
            nan={"ieee": conjoin(ones, negate(none)), "nan": conjoin(ones, full), "finite": FALSE()}[top],
            quiet=leading if top == "ieee" else TRUE(),
            infinite=conjoin(ones, none) if top == "ieee" else FALSE(),
            zero=conjoin(equal(field, 0), none),
            subnormal=conjoin(equal(field, 0), negate(none)),
            number=fields.number(code),
        )

    ones = (1 << (fields.exponent_bits + fields.fraction_bits)) - 1
    magnitudes = {"ieee": ones - (1 << fields.fraction_bits) + 1, "nan": ones - 1, "finite": ones}
    return Layout(
        code_bits=fields.code_bits,
        read=read,
        top=top,
        lanes=lanes,
        classed=classed,
        canonical_nan=nan,
        negative_zero=1 << fields.sign_bit,
        precision=fields.fraction_bits + 1,
        smallest=1 - fields.bias,
        reach=(fields.bias + fields.fraction_bits + 4).bit_length(),
        unit=1 << fields.low,
        largest=magnitudes[top] << fields.low,
    )


def read_hif8(code: Int) -> CodeReading:
    """Read a HiF8 code by the leading bits of 6:0; 80 is NaN, 6f and ef are infinities, 00 is the only zero."""
    negative = equal(bit_field(code, 7, 7), 1)

    def tapered(least: int, high: int, low: int, sign: int, fraction_bits: int) -> Magnitude:
        """Read magnitude bits high:low above `least`, the exponent's sign and the fraction under a hidden bit."""
        size = arithmetic.add(least, bit_field(code, high, low) if high >= low else 0)
        exponent = select(equal(bit_field(code, sign, sign), 1), arithmetic.minus(size), size) if sign else size
        fraction = bit_field(code, fraction_bits - 1, 0)
        significand = arithmetic.add(1 << fraction_bits, fraction)
        return Magnitude(make_truth(negative), significand, arithmetic.subtract(exponent, fraction_bits))

    low = bit_field(code, 2, 0)
    power = Magnitude(make_truth(negative), 1, arithmetic.subtract(low, 23))
    prefix = {bits: bit_field(code, 6, 7 - bits) for bits in (2, 3, 4)}
    denormal = equal(prefix[4], 0)
    number = select_magnitude(
        denormal,
        power,
        select_magnitude(
            equal(prefix[4], 1),
            tapered(0, 0, 1, 0, 3),
            select_magnitude(
                equal(prefix[3], 1),
                tapered(1, 0, 1, 3, 3),
                select_magnitude(
                    equal(prefix[2], 1),
                    tapered(2, 3, 3, 4, 3),
                    select_magnitude(equal(prefix[2], 2), tapered(4, 3, 2, 4, 2), tapered(8, 3, 1, 4, 1)),
                ),
            ),
        ),
    )
    zero = equal(code, 0)
    return CodeReading(
        valid=TRUE(),
        negative=negative,
        nan=equal(code, 0x80),
        quiet=TRUE(),
        infinite=disjoin(equal(code, 0x6F), equal(code, 0xEF)),
        zero=zero,
        subnormal=conjoin(denormal, negate(equal(low, 0))),
        number=select_magnitude(zero, Magnitude(negative=False, significand=0, exponent=0), number),
    )


def read_e8m0(code: Int) -> CodeReading:
    """Read a scale: 2^(raw - 127), ff a NaN."""
    number = Magnitude(negative=False, significand=1, exponent=arithmetic.subtract(code, 127))
    nothing = FALSE()
    return CodeReading(TRUE(), nothing, equal(code, 0xFF), TRUE(), nothing, nothing, nothing, number)


def integer(bits: int, *, signed: bool, lanes: int = 1) -> Layout:
    """Return the layout of an integer format."""

    def read(code: Int) -> CodeReading:
        negative = equal(bit_field(code, bits - 1, bits - 1), 1) if signed else FALSE()
        wrapped = arithmetic.subtract(1 << bits, code)
        number = Magnitude(make_truth(negative), select(negative, wrapped, code), 0)
        return CodeReading(TRUE(), negative, FALSE(), TRUE(), FALSE(), equal(code, 0), FALSE(), number)

    largest = (1 << (bits - signed)) - 1
    return Layout(bits, read, lanes=lanes, integer=True, largest=largest)


E2M1, E1M2 = BinaryFields(2, 1, 1), BinaryFields(1, 2, 1)

LAYOUTS: dict[str, Layout] = {
    "fp64": binary(BinaryFields(11, 52, 1023), "ieee", 0x7FF8000000000000),
    "fp32": binary(BinaryFields(8, 23, 127), "ieee", 0x7FC00000),
    "tf32": binary(BinaryFields(8, 10, 127, low=13), "ieee", 0x7FC00000),
    "hf32": binary(BinaryFields(8, 11, 127, low=12), "ieee", 0x7FC00000),
    "fp16": binary(BinaryFields(5, 10, 15), "ieee", 0x7E00),
    "bf16": binary(BinaryFields(8, 7, 127), "ieee", 0x7FC0),
    "hif8": Layout(8, read_hif8, top="ieee", canonical_nan=0x80, precision=4, smallest=-15, reach=5, largest=0x6F),
    "e4m3": binary(BinaryFields(4, 3, 7), "nan", 0x7F),
    "e5m2": binary(BinaryFields(5, 2, 15), "ieee", 0x7E),
    "e3m2": binary(BinaryFields(3, 2, 3, high=2), "finite"),
    "e2m3": binary(BinaryFields(2, 3, 1, high=2), "finite"),
    # one lane, classed as IEEE 754 and OCP class it; the packed rows are classed as their ASL does
    "e2m1": binary(E2M1, "finite"),
    "e2m1x2": binary(E2M1, "finite", lanes=2, classed=False),
    "e1m2": binary(E1M2, "finite"),
    "e1m2x2": binary(E1M2, "finite", lanes=2, classed=False),
    "e8m0": Layout(
        8, read_e8m0, top="nan", canonical_nan=0xFF, precision=1, smallest=-127, reach=8, unit=0, largest=0xFE
    ),
    "hif4x2": binary(E1M2, "finite", lanes=2, classed=False),
    "fp19": binary(BinaryFields(8, 10, 127), "ieee", 0x3FF00),
    **{f"s{bits}": integer(bits, signed=True) for bits in (64, 32, 16, 8, 4)},
    "s4x2": integer(4, signed=True, lanes=2),
    **{f"u{bits}": integer(bits, signed=False) for bits in (64, 32, 16, 8, 4)},
    "u4x2": integer(4, signed=False, lanes=2),
}
