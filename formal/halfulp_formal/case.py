"""One conversion of the post-processing with its symbolic inputs, lifted once and shared by all its obligations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.dag import symbols
from halfulp_formal.evaluate import evaluate
from halfulp_formal.lift.arithmetic import equal, narrow
from halfulp_formal.lift.interpreter import LiftedCall, Lifter
from halfulp_formal.lift.validate import call_terms, disagreement, validate
from halfulp_formal.lift.values import Record, bounds, fit, symbol, truth_symbol, truth_term
from halfulp_formal.properties.numbers import Magnitude, Number, between
from halfulp_formal.sampling import legal_points
from halfulp_formal.subject import Subject


def no_points(_count: int) -> Iterable[Mapping[str, int]]:
    """Give no points: the call's own corners and random inputs do."""
    return ()


@dataclass(frozen=True)
class CallReplay:
    """Replays a lifted call: the function itself, run on the same inputs, must give what the terms give.

    Where a side condition fails the terms mean nothing, and the function may do as it likes.
    """

    call: LiftedCall
    points: Callable[[int], Iterable[Mapping[str, int]]] = no_points  #: inputs worth trying: as many as asked for

    def check(self, assignment: Mapping[str, int]) -> str | None:
        """Run the call at one point; None where function and terms agree."""
        conditions, terms = call_terms(self.call)
        if not all(evaluate(conditions, assignment)):
            return None
        values = dict(zip(terms, evaluate(terms, assignment), strict=True))
        return disagreement(self.call, values.__getitem__)

    def validate(self, samples: int) -> int:
        """Run the call at many points, half of them chosen for it; see `lift.validate`."""
        conditions, terms = call_terms(self.call)
        chosen = list(self.points(samples // 2))
        return validate(
            self.call,
            symbols([*conditions, *terms]),
            samples=samples - len(chosen),
            # no more than about as many points as asked for: a proof is not to wait for them
            exhaustive=samples.bit_length(),
            points=chosen,
        )


#: where products lie: significand bits, least and greatest exponent (FP19 factors are normal: 11 bits, 2^-136 to 2^117)
PRODUCT_RANGES = {"S32": (43, -136, 117), "U32": (43, -136, 117), "FP32": (35, -149 - 136, 104 + 117)}


class Case:
    """The symbolic inputs of a conversion, and what the lifted model makes of them.

    in.value is the accumulator (32 bits), in.relu the ReluMode (3 bits), in.quant_word and in.relu_word the 64-bit words.
    """

    def __init__(self, subject: Subject, name: str) -> None:
        self.subject = subject
        self.name = name
        self.model = subject.module("postprocess")
        self.conversion = subject.module("conversions").conversions()[name]
        self.lifter = Lifter(subject.package)
        self.accumulator: str = self.conversion.accumulator.name
        low = -(1 << 31) if self.accumulator == "S32" else 0
        self.value = symbol("in.value", low, low + (1 << 32) - 1)
        self.relu = symbol("in.relu", 0, 7)
        self.quant_word = symbol("in.quant_word", 0, (1 << 64) - 1)
        self.relu_word = symbol("in.relu_word", 0, (1 << 64) - 1)

    @property
    def inputs(self) -> tuple[FNode, ...]:
        """The free symbols of the element's inputs."""
        return tuple(part.term for part in (self.value, self.relu, self.quant_word, self.relu_word))

    @property
    def replays(self) -> tuple[CallReplay, ...]:
        """A replay of every lifted call."""
        points = partial(legal_points, self.conversion)
        return tuple(CallReplay(call, points) for call in self.lifter.calls)

    @cached_property
    def legal(self) -> FNode:
        """The model's legality predicate."""
        words = (self.relu, self.quant_word, self.relu_word)
        return truth_term(self.lifter.call(self.model.legal, self.conversion, *words))

    @cached_property
    def element(self) -> Any:
        """The whole conversion: word and flags."""
        words = (self.relu, self.quant_word, self.relu_word)
        return self.lifter.call(self.model.element, self.conversion, self.value, *words)

    @cached_property
    def offset(self) -> Number:
        """The offset that the model reads from the parameter word."""
        conversion = self.conversion
        number: Number = self.lifter.call(self.model.offset_value, conversion.layout, conversion.mode, self.quant_word)
        return number

    @cached_property
    def multiplier(self) -> Any:
        """The factor that the model selects."""
        words = (self.relu, self.quant_word, self.relu_word)
        return self.lifter.call(self.model.select_multiplier, self.conversion, self.value, *words)

    @cached_property
    def special(self) -> FNode:
        """Whether the model takes the value out of the pipeline as a NaN or an infinity."""
        return truth_term(self.lifter.call(self.model.is_special, self.conversion, self.value, self.multiplier))

    @cached_property
    def product(self) -> Any:
        """The exact product that the model rounds."""
        return self.lifter.call(self.model.exact_product, self.conversion, self.value, self.multiplier)

    def stages(self, product: Any, offset: Number) -> Any:
        """The stages of an integer destination."""
        return self.lifter.call(self.model.integer_stages, self.conversion, product, offset)

    def encode(self, product: Any) -> Any:
        """The code and flags of a product in a floating destination."""
        return self.lifter.call(self.model.encode_product, self.conversion, product)

    def word(self, result: Any) -> FNode:
        """The 64-bit word of a result or of stages."""
        return fit(part(result, "word"), 64)

    def flags(self, result: Any) -> FNode:
        """The five flags of a result or of stages."""
        return fit(part(result, "flags"), 5)


@dataclass(frozen=True)
class FreeProduct:
    """Any product that legal inputs can have, as free symbols: more general than the inputs, and shared by their claims.

    `record` is the product in the model's own type, `number` the judge's view of it, `possible` the assumption.
    """

    record: Any
    number: Magnitude
    possible: FNode
    inputs: tuple[FNode, ...]

    @property
    def cubes(self) -> tuple[FNode, ...]:
        """Cases by the exponent."""
        return by_value(self.number.exponent)


def free_product(case: Case) -> FreeProduct:
    """Return a free product of a conversion's accumulator."""
    return free_exact(case.subject, *PRODUCT_RANGES[case.accumulator])


def free_exact(subject: Subject, bits: int, low: int, high: int) -> FreeProduct:
    """Return any exact number with a significand of so many bits and an exponent in a range."""
    exponent_bits = max(-low - 1, high).bit_length()
    # the widths are part of the names: one name has one sort
    negative = truth_symbol("product.negative")
    significand = symbol(f"product.significand.{bits}", 0, (1 << bits) - 1)
    exponent = symbol(f"product.exponent.{exponent_bits}", -(1 << exponent_bits), (1 << exponent_bits) - 1)
    number = Magnitude(negative, significand, narrow(exponent, low, high))
    exact = subject.module("exact").Exact
    return FreeProduct(
        record=Record(exact, dict(zip(exact._fields, number, strict=True))),
        number=number,
        possible=between(low, exponent, high),
        inputs=(negative.term, significand.term, exponent.term),
    )


def by_value(number: Number) -> tuple[FNode, ...]:
    """Return one case for every value in the interval of a number."""
    low, high = bounds(number)
    return tuple(truth_term(equal(number, value)) for value in range(low, high + 1))


def part(value: Any, name: str) -> Any:
    """Return a field of a record, symbolic or concrete."""
    return value.fields[name] if isinstance(value, Record) else getattr(value, name)


def magnitude(record: Any) -> Magnitude:
    """View the model's exact number as the judge's."""
    return Magnitude(*(part(record, name) for name in Magnitude._fields))
