"""Rows of the rule data as frozen dataclasses: what the model's functions read instead of asking for names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from .block_rows import AdderRow, BlockFormat, OpenQuestion

if TYPE_CHECKING:
    # these rows are made of the ones below
    from .fpatr_rows import FpatrWord, LegalityRule, Reduction


class Choice(Enum):
    """The neighbour that a rounding rule picks between floor and floor + 1."""

    FLOOR = "floor"
    CEILING = "ceiling"
    ZERO = "zero"
    AWAY = "away"
    EVEN = "even"
    ODD = "odd"


class Kind(Enum):
    """How the bits of a format are read."""

    BINARY = "binary"
    TAPERED = "tapered"
    SCALE = "scale"
    INTEGER = "integer"


class Specials(Enum):
    """Which codes of a floating format are not finite numbers."""

    #: infinities and NaNs at the all-ones exponent
    IEEE = "ieee"
    #: NaN where exponent and fraction are all ones, no infinity
    NAN_ONLY = "nan_only"
    #: one NaN code and one magnitude code of infinity, both listed in the row
    LISTED = "listed"
    NONE = "none"


class Parameter(Enum):
    """What the parameter word of a PreQuant mode carries."""

    NONE = "none"
    SCALE = "scale"
    SHIFT = "shift"


@dataclass(frozen=True, slots=True)
class Flags:
    """Masks of the five status flags, and of the two pairs that are always raised together."""

    nv: int
    dz: int
    of: int
    uf: int
    nx: int

    @property
    def overflow(self) -> int:
        """Mask of an overflow: OF and NX."""
        return self.of | self.nx

    @property
    def underflow(self) -> int:
        """Mask of an underflow: UF and NX."""
        return self.uf | self.nx


@dataclass(frozen=True, slots=True)
class Rounding:
    """A rounding mode: nearest with a tie rule, or directed; `choice` is the tie rule or the direction.

    `code` is its number in the field that selects it, B.DATR.RMode or crrnd.
    """

    name: str
    nearest: bool
    choice: Choice
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What the specification says of a format's codes, true or not; the functions of the model do not read it.

    exponent_bits, fraction_bits: least and greatest width. subnormal_boundaries: the codes of the smallest and largest
    positive subnormal and of the smallest positive normal number, None where the specification gives none.
    """

    exponent_bits: tuple[int, int] = (0, 0)
    fraction_bits: tuple[int, int] = (0, 0)
    has_zero: bool = False
    has_signed_zero: bool = False
    has_subnormal: bool = False
    has_infinity: bool = False
    has_quiet_nan: bool = False
    has_signaling_nan: bool = False
    subnormal_boundaries: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """A range of tapered codes: below the sign stand prefix, sign of the exponent if any, exponent field, fraction.

    The exponent is `exponent_base` plus the field, negated by a set exponent sign; the significand has a hidden bit.
    """

    name: str
    prefix: int
    prefix_bits: int
    exponent_signed: bool
    exponent_bits: int
    exponent_base: int
    fraction_bits: int
    subnormal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A number format. Widths are in bits; exponents are powers of two; magnitude codes leave the sign bit out."""

    name: str
    kind: Kind
    carrier_bits: int
    #: elements in one carrier
    lanes: int = 1
    code: int | None = None
    is_integer: bool = False
    #: whether there are negative numbers
    signed: bool = True
    #: integer formats: value range
    minimum: int = 0
    maximum: int = 0
    #: floating formats; a tapered one has the widest fraction here
    exponent_bits: int = 0
    fraction_bits: int = 0
    bias: int = 0
    specials: Specials = Specials.NONE
    canonical_nan: int = 0
    signed_zero: bool = False
    #: bits that every valid code has clear: below the fraction, above the sign
    low_zero_bits: int = 0
    high_zero_bits: int = 0
    #: whether a code without hidden bit is classed as subnormal or as normal
    subnormal_class: bool = False
    #: tapered formats: the ranges of codes, which together cover every code
    bands: tuple[Band, ...] = ()
    claims: Claims = Claims()
    #: floating formats: all-ones exponent field, bit number of the sign (one above the code where there is no sign)
    exponent_mask: int = 0
    sign_bit: int = 0
    #: floating formats: exponents of the smallest normal and of the smallest subnormal number
    minimum_exponent: int = 0
    smallest_exponent: int = 0
    #: floating formats: fraction bits of the smallest normal number, to which tininess after rounding rounds
    normal_fraction_bits: int = 0
    #: tapered formats: exponent of the largest binade
    largest_exponent: int = 0
    #: floating formats: magnitude codes of infinity and of the largest finite number
    infinity: int = 0
    largest_finite: int = 0

    @property
    def code_bits(self) -> int:
        """Width of one element's code, constrained zero bits included."""
        return self.carrier_bits // self.lanes

    @property
    def lane_bits(self) -> int:
        """Width of one element's code without the zero bits above the sign."""
        return self.code_bits - self.high_zero_bits


@dataclass(frozen=True, slots=True)
class WordField:
    """A field of the 64-bit parameter word: `bits` wide, from bit `low` up; an offset's width is its mode's."""

    low: int
    bits: int


@dataclass(frozen=True, slots=True)
class ParameterWord:
    """Where the fields of the parameter word and of the activation word are."""

    scale: WordField
    offset: WordField
    shift: WordField
    activation: WordField


@dataclass(frozen=True, slots=True)
class PreQuantMode:
    """A row of the PreQuantMode table. `destination` is None where the accumulator type is kept."""

    name: str
    code: int
    accumulators: tuple[str, ...]
    destination: str | None
    parameter: Parameter
    operand: str
    offset_bits: int
    rounding: str
    saturate: str


@dataclass(frozen=True, slots=True)
class Encoder:
    """How a finite value becomes a code of a floating destination; see `rules/encoders.yaml`."""

    overflow_before_rounding: bool
    overflow_directed: bool
    tiny_after_rounding: bool
    underflow_keeps_sign: bool
    nan_keeps_payload: bool
    nan_saturates_to_zero: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """A result that no rounding makes: its code with Sat = 0, with Sat = 1, and its flags."""

    code: int
    saturated: int
    flags: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleTable:
    """What a family of conversions to a power-of-two scale accepts and gives; see `rules/e8m0.yaml`."""

    destination: str
    sources: tuple[str, ...]
    range_before_rounding: bool
    nan: Outcome
    zero: Outcome
    negative: Outcome
    infinity: Outcome
    overflow: Outcome
    underflow: Outcome
    inexact: int


@dataclass(frozen=True, slots=True)
class ScaleRule:
    """How an MX quantiser chooses the exponent of a scale.

    elements: the formats by whose largest number the value may be divided first; none if empty.
    """

    rounding: Rounding
    elements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """The whole rule data, read and checked. `digest` is the SHA-256 of its canonical JSON."""

    digest: str
    flags: Flags
    roundings: Mapping[str, Rounding]
    formats: Mapping[str, Format]
    modes: Mapping[str, PreQuantMode]
    parameter_word: ParameterWord
    encoders: Mapping[str, Mapping[str, Encoder]]
    #: flags of an integer out of range, by rule set
    out_of_range: Mapping[str, int]
    blocks: Mapping[str, BlockFormat]
    crrnd: Mapping[str, Rounding]
    adders: Mapping[str, AdderRow]
    open_questions: Mapping[str, OpenQuestion]
    scale_tables: Mapping[str, ScaleTable]
    scale_rules: Mapping[str, ScaleRule]
    fpatr: FpatrWord
    #: by the name of the rule
    legality: Mapping[str, LegalityRule]
    #: by accumulator type
    reductions: Mapping[str, Reduction]
