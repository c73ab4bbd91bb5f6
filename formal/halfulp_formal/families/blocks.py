"""Block conversions: `bfp16.conv_even` and its like, `mxint8`, and the two procedures side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal.bits import Bits, and_reduce
from halfulp_formal.case import CallReplay, part
from halfulp_formal.encodings import bfp16 as encoding
from halfulp_formal.encodings import mxint8 as procedure
from halfulp_formal.encodings.block import align, any_of, exponent_field, largest
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import Int, conjoin, disjoin, equivalent, fit, symbol, truth_term
from halfulp_formal.properties import blocks, mxint8
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.numbers import Number, bit_field, implies, less
from halfulp_formal.subject import Subject
from halfulp_model.blocks import block_conversions

from .family import Family, Group

#: the hardware under conv_even against OCP's procedure, on blocks of eight
COMPARISON = "bfp16_mxint8"


class Converted(NamedTuple):
    """What the model makes of a block."""

    exponent: Number
    mantissas: tuple[Number, ...]
    characterised: FNode
    renormalised: FNode


class Passes(NamedTuple):
    """The steps of a conversion: mantissas under the first exponent, which must not be emitted, and under the next one."""

    shared: Number
    first: tuple[Number, ...]
    beyond: tuple[FNode, ...]
    second: tuple[Number, ...]


def free_members(size: int) -> tuple[Int, ...]:
    """Return FP32 words as free symbols, in.member0 and so on."""
    return tuple(symbol(f"in.member{index}", 0, (1 << 32) - 1) for index in range(size))


def finite(members: Iterable[Int]) -> FNode:
    """State that FP32 words are neither infinities nor NaNs."""
    return conjoin(*(less(bit_field(word, 30, 23), 255) for word in members))


class BlockCase:
    """A block conversion with its members as symbols, in.member0 to in.member7 or in.member31."""

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("blocks")
        conversions = self.model.block_conversions()
        self.conversion = conversions["bfp16.conv_even" if name == COMPARISON else name]
        self.ocp = conversions["mxint8"]
        self.lifter = Lifter(subject.package)
        self.rounding: str = self.conversion.rounding.name
        self.members = free_members(self.conversion.block.size)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the block."""
        return tuple(word.term for word in self.members)

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return tuple(CallReplay(call) for call in self.lifter.calls)

    @property
    def fits_int8(self) -> Any:
        """The conversion under the other reading of the evidence: every mode emits -128, as it fits."""
        minimum = self.subject.module("block_rows").Minimum.FITS_INT8
        return replace(self.conversion, block=replace(self.conversion.block, minimum=minimum))

    @cached_property
    def converted(self) -> Converted:
        """What the model makes of the free members."""
        return self.convert(self.members)

    def convert(self, words: tuple[Int, ...], conversion: Any = None) -> Converted:
        """Convert any words of a block; another conversion than the case's own may be named."""
        encoding = self.lifter.call(self.model.encode_block, conversion or self.conversion, words)
        block = part(encoding, "block")
        return Converted(
            part(block, "exponent"),
            part(block, "mantissas"),
            truth_term(part(encoding, "characterised")),
            truth_term(part(encoding, "renormalised")),
        )

    def passes(self, words: tuple[Int, ...], conversion: Any = None) -> Passes:
        """Return the steps of `convert`: the same terms as inside it."""
        row = conversion or self.conversion
        follow = Lifter(self.subject.package).follow
        shared = follow(self.model.shared_exponent, (row, words), {})
        first = follow(self.model.quantise, (row, words, shared), {})
        beyond = tuple(truth_term(follow(self.model.overflows, (row, each), {})) for each in first)
        # where the exponent is 255 there is no second pass, so that the lifter knows of a smaller one
        finite = arithmetic.narrow(shared, 0, 254)
        second = follow(self.model.quantise, (row, words, arithmetic.add(finite, 1)), {})
        return Passes(shared, first, beyond, second)


def equivalent_to_encoding(case: BlockCase) -> Claim:
    """Exponent and mantissas of model and encoding agree wherever both call a block characterised, for every block."""
    words = [Bits(word.term) for word in case.members]
    block, passes = case.convert(case.members), case.passes(case.members)
    rounding = case.rounding
    encoded = encoding.encode_block(words, rounding)
    shared = largest([exponent_field(word) for word in words])
    lanes = [align(word, encoding.flushed_significand(word), shared) for word in words]
    reach = [and_reduce(lane.digits) & encoding.steps_up(lane, rounding) for lane in lanes]
    moves = [one & ~lane.negative if rounding == "floor" else one for one, lane in zip(reach, lanes, strict=True)]
    same = [
        implies(block.characterised, Equals(mine.term, fit(theirs, 8)))
        for mine, theirs in zip((encoded.exponent, *encoded.mantissas), (block.exponent, *block.mantissas), strict=True)
    ]
    steps = (
        Equals(shared.term, fit(passes.shared, 8)),
        *(equivalent(one.term, two) for one, two in zip(moves, passes.beyond, strict=True)),
        equivalent(any_of(moves).term, disjoin(*passes.beyond)),
        equivalent(encoded.characterised.term, block.characterised),
        *same,
        *(condition.term for condition in case.lifter.side_conditions),
    )
    characterised = equivalent(encoded.characterised.term, block.characterised)
    claim = conjoin(characterised, *same, case.lifter.total())
    return Claim(claim, case.inputs, steps=steps)


def equivalent_to_procedure(case: BlockCase) -> Claim:
    """Scale and elements of model and encoding agree for every finite block, and the model is total there."""
    words = [Bits(word.term) for word in case.members]
    block = mxint8.Scaled(case)
    encoded = procedure.quantize_block(words)
    scale, *elements = (
        Equals(theirs.term, fit(mine, 8))
        for theirs, mine in zip(
            (encoded.exponent, *encoded.mantissas), (block.block.exponent, *block.block.mantissas), strict=True
        )
    )
    shared = largest([exponent_field(word) for word in words])
    conditions = [condition.term for condition in case.lifter.side_conditions]
    steps = (Equals(block.shared.term, shared.term), *elements, *conditions)
    return block.claim(conjoin(encoded.characterised.term, scale, *elements, *conditions), steps=steps)


HARDWARE = Kind(
    "equivalent",
    "Everything observed fits one model: the largest exponent field, signed 1.fraction mantissas shifted to the shared "
    "scale, crrnd rounding, renormalisation after rounding.",
    blocks.SILICON,
    lambda _name: True,
    equivalent_to_encoding,
    ("block_saturates", "exponent_after_rounding", "rounded_mantissas_halved", "shifted_twice", "conv_even_is_floor"),
)
PROCEDURE = Kind(
    "equivalent",
    "The shared exponent is floor(log2) of the largest magnitude; elements are rounded to nearest even and clamped.",
    mxint8.OCP,
    lambda _name: True,
    equivalent_to_procedure,
    ("elements_renormalise", "conv_even_is_floor"),
)


def kinds_of(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of obligation of a conversion."""
    if conversion == COMPARISON:
        yield from mxint8.COMPARISON
    elif conversion == "mxint8":
        yield PROCEDURE
        yield from mxint8.KINDS
    else:
        yield HARDWARE
        yield from (kind for kind in blocks.KINDS if kind.applies(conversion))


FAMILY = Family("block conversions", Group.ALL, lambda: [*block_conversions(), COMPARISON], kinds_of, BlockCase)
