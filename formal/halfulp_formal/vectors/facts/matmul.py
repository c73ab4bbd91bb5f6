"""What corner classes may say of one lane of `mac`: the accumulator, the two blocks, their sum of products."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.bits import Bool
from halfulp_formal.case import CallReplay
from halfulp_formal.families.matmul import MatmulCase, Sum
from halfulp_formal.lift import arithmetic
from halfulp_formal.lift.values import Int, symbol
from halfulp_formal.properties.matmul import FreeRow, free_row, terms_of
from halfulp_formal.subject import Subject
from halfulp_formal.vectors.algebra import Num, zigzag
from halfulp_formal.vectors.corner import all_of

Key = tuple[str, FNode]

#: the exponent byte under which the mantissa 64 stands for 1
EXPONENT_OF_ONE = 127


class Row:
    """One of the two blocks."""

    def __init__(self, name: str, free: FreeRow) -> None:
        self.name = name
        self.free = free
        self.exponent = Num(free.exponent)
        self.mantissas = [Num(mantissa) for mantissa in free.mantissas]

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The symbols: the exponent, then the mantissas."""
        *mantissas, exponent = terms_of(self.free)
        return exponent, *mantissas

    @property
    def filled(self) -> Bool:
        """No mantissa is zero."""
        return all_of(mantissa != 0 for mantissa in self.mantissas)

    def only(self, lane: int) -> Bool:
        """All mantissas but one are zero."""
        return all_of((mantissa != 0) if k == lane else (mantissa == 0) for k, mantissa in enumerate(self.mantissas))

    def every(self, value: int) -> Bool:
        """All mantissas are one number."""
        return all_of(mantissa == value for mantissa in self.mantissas)

    @property
    def keys(self) -> list[Key]:
        """Exponents near 1 first, then small mantissas."""
        exponent = (f"{self.name}_exponent", zigzag(self.exponent - EXPONENT_OF_ONE).bits(9))
        return [exponent, *((f"{self.name}{k}", zigzag(each).bits(9)) for k, each in enumerate(self.mantissas))]


class Lane(MatmulCase):
    """One lane of `mac` as a file's case has it: an accumulator and a block of either operand."""

    def __init__(self, subject: Subject, name: str) -> None:
        super().__init__(subject, name)
        self.word: Int = symbol("in.accumulator", 0, (1 << 32) - 1)
        self.a, self.b = Row("a", free_row("a")), Row("b", free_row("b"))

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The symbols of a case."""
        return self.word.term, *self.a.inputs, *self.b.inputs

    @property
    def conversion(self) -> Any:
        """The rows of the matrix unit, which the model with other rows may have otherwise."""
        return self.unit

    @conversion.setter
    def conversion(self, unit: Any) -> None:
        self.unit = unit

    @cached_property
    def folded(self) -> Sum:
        """The new accumulator."""
        return self.fold(self.lane(self.word), (self.a.free,), (self.b.free,))

    @cached_property
    def legal(self) -> Bool:
        """Blocks and accumulator are finite, and the block sum is characterised."""
        finite = (self.a.exponent < 255) & (self.b.exponent < 255) & (Num(self.word).field(30, 23) < 255)
        return finite & Bool(self.multiply(self.a.free, self.b.free).characterised)


class Facts:
    """The vocabulary of `mac`."""

    def __init__(self, case: Lane) -> None:
        self.case = case
        self.accumulator = Num(case.word)
        self.a, self.b = case.a, case.b

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The symbols of a case."""
        return self.case.inputs

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        return self.case.replays

    @property
    def legal(self) -> Bool:
        """Blocks and accumulator are finite, and the block sum is characterised."""
        return self.case.legal

    @property
    def codes(self) -> tuple[FNode, ...]:
        """The new accumulator."""
        return (self.case.folded.code,)

    @cached_property
    def exponents(self) -> Num:
        """The sum of the exponent bytes."""
        return self.a.exponent + self.b.exponent

    @cached_property
    def total(self) -> Num:
        """The sum of the products."""
        total: Int | int = 0
        for left, right in zip(self.a.mantissas, self.b.mantissas, strict=True):
            total = arithmetic.add(total, arithmetic.multiply(left.number, right.number))
        return Num(total)

    def one_product(self, left: int, right: int, exponents: int) -> Bool:
        """The blocks have one member each, in the same lane, and these exponents."""
        lane = 2
        members = (self.a.mantissas[lane] == left) & (self.b.mantissas[lane] == right)
        return self.a.only(lane) & self.b.only(lane) & members & (self.exponents == exponents)

    def variant(self, _name: str) -> tuple[Bool, list[Key]]:
        """Return what a variant asks for, and the numbers by which its least point is the least: small numbers."""
        accumulator = ("accumulator", self.accumulator.bits(32))
        return Bool.constant(value=True), [accumulator, *self.a.keys, *self.b.keys]
