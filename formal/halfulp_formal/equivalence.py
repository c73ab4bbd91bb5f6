"""Model against encoding: the obligations that need both, and the ones that only say that the model is total."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import Equals

from halfulp_formal import encodings
from halfulp_formal.bits import Bits
from halfulp_formal.case import Case, part
from halfulp_formal.lift.values import choose, conjoin, equivalent, fit, negate
from halfulp_formal.properties.claim import Claim, Kind
from halfulp_formal.properties.numbers import equal
from halfulp_formal.properties.pipeline import has_product


def every(_name: str) -> bool:
    """Every conversion has this obligation."""
    return True


def is_vector(name: str) -> bool:
    """Tell whether a conversion takes its parameter from the column's word."""
    return name.startswith("v")


def input_bits(case: Case) -> tuple[Bits, Bits, Bits, Bits]:
    """Return the inputs as an encoding takes them."""
    value, relu, quant_word, relu_word = (Bits(term) for term in case.inputs)
    return value, relu, quant_word, relu_word


def equivalent_to_encoding(case: Case) -> Claim:
    """Word and flags of model and encoding agree for every legal input, and the model is total there."""
    word, flags = encodings.postprocess(case.name, *input_bits(case))
    agree = conjoin(Equals(case.word(case.element), word.term), Equals(case.flags(case.element), flags.term))
    steps = (one_exponent(case),) if has_product(case.name) else ()
    return Claim(conjoin(case.lifter.total(), agree), case.inputs, case.legal, steps=steps)


def one_exponent(case: Case) -> FNode:
    """State that both products have one exponent, where the accumulator is finite and the factor is not zero.

    By it both sides shift as far; a solver that has to find that out takes hundreds of times as long.
    """
    # lifted apart: the model asks for the product of some inputs only, and no claim is to rest on the others
    apart = Case(case.subject, case.name)
    theirs = encodings.product_exponent(case.name, *input_bits(case))
    multiplied = conjoin(negate(apart.special), negate(equal(part(apart.multiplier, "significand"), 0)))
    ours = fit(part(apart.product, "exponent"), theirs.width)
    return Equals(choose(multiplied, ours, theirs.term), theirs.term)


def total(case: Case) -> Claim:
    """The model breaks none of its side conditions: no negative shift, no failing assert, no missing return."""
    legal = case.legal
    case.element  # noqa: B018  # lifted for its side conditions
    return Claim(case.lifter.total(), case.inputs, legal)


def legal(case: Case) -> Claim:
    """The model accepts exactly the parameter and activation words that the encoding accepts."""
    _, relu, quant_word, relu_word = input_bits(case)
    accepted = encodings.legal(case.name, relu, quant_word, relu_word)
    return Claim(conjoin(case.lifter.total(), equivalent(case.legal, accepted.term)), case.inputs[1:])


def twin(case: Case) -> Claim:
    """A vector mode is its scalar twin under the column's parameter word."""
    scalar = Case(case.subject, case.name[1:])
    claim = conjoin(
        equivalent(case.legal, scalar.legal),
        Equals(case.word(case.element), scalar.word(scalar.element)),
        Equals(case.flags(case.element), scalar.flags(scalar.element)),
    )
    return Claim(claim, case.inputs)


def kind(name: str, sentence: str, source: str, build: Any, mistakes: tuple[str, ...], applies: Any = every) -> Kind:
    """Return a kind of obligation that this module builds."""
    return Kind(name, sentence, source, applies, build, mistakes)


KINDS = (
    kind(
        "equivalent",
        "Every assigned nonzero PreQuantMode and every assigned ReluMode has one bit-exact architectural result.",
        "ADR 0085, Decision 174",
        equivalent_to_encoding,
        (
            "nearest_reversed",
            "tie_even_is_odd",
            "offset_before_saturation",
            "activation_multiplies",
            "flag_bits_swapped",
        ),
    ),
    kind(
        "total",
        "A nonzero assigned mode has a result for every legal input.",
        "ADR 0085, Decision 174",
        total,
        ("negative_shift",),
    ),
    kind(
        "legal",
        "A quantization scale is positive normal, an activation parameter positive zero or positive normal; every other "
        "bit of the carrier is zero.",
        "ADR 0085, Decision 180; asl/block/attributes/B.FPATR.asl",
        legal,
        ("subnormal_scale_legal", "high_bits_ignored", "negative_activation_legal"),
    ),
    kind(
        "twin",
        "A vector-parameter mode multiplies each element by the scale selected by its destination column.",
        "ADR 0085, Decision 177",
        twin,
        ("vector_offset_narrow",),
        is_vector,
    ),
)
