"""Rows of the rule data as frozen dataclasses: what the model's functions read instead of asking for names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from .block_rows import AdderRow, BlockFormat, OpenQuestion


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
    INTEGER = "integer"


class Specials(Enum):
    """Which codes of a binary format are not finite numbers."""

    IEEE = "ieee"
    NAN_ONLY = "nan_only"
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
class Format:
    """A number format. Widths are in bits; exponents are powers of two; magnitude codes leave the sign bit out."""

    name: str
    kind: Kind
    carrier_bits: int
    code: int | None = None
    is_integer: bool = False
    #: integer formats: signedness and value range
    signed: bool = True
    minimum: int = 0
    maximum: int = 0
    #: floating formats
    exponent_bits: int = 0
    fraction_bits: int = 0
    bias: int = 0
    specials: Specials = Specials.NONE
    canonical_nan: int = 0
    signed_zero: bool = False
    #: floating formats: all-ones exponent field, bit number of the sign
    exponent_mask: int = 0
    sign_bit: int = 0
    #: floating formats: exponents of the smallest normal and of the smallest subnormal number
    minimum_exponent: int = 0
    smallest_exponent: int = 0
    #: floating formats: magnitude codes of infinity and of the largest finite number
    infinity: int = 0
    largest_finite: int = 0


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
    blocks: Mapping[str, BlockFormat]
    crrnd: Mapping[str, Rounding]
    adders: Mapping[str, AdderRow]
    open_questions: Mapping[str, OpenQuestion]
