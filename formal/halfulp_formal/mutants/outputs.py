"""When a vector file shows the same of two models: what their results must have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import FALSE, TRUE, Equals

from halfulp_formal.abstraction import substitute
from halfulp_formal.case import part
from halfulp_formal.lift.interpreter import Lifter, SideCondition
from halfulp_formal.lift.operators import same
from halfulp_formal.lift.values import Int, bounds, choose, conjoin, disjoin, equivalent, fit, negate, truth_term
from halfulp_formal.properties.numbers import equal
from halfulp_formal.vectors.formats import EXPONENT_BITS, UNORDERED
from halfulp_model.block_rows import Overflow
from halfulp_model.formats import ValueClass


def elements_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that flags and words agree; a file shows an element alone, so that one without its sign bits passes for it."""
    mine, other = base.element, changed.element
    own, word = part(mine, "word"), part(other, "word")
    agree = identical(own, word)
    if not agree.is_true():
        bits = base.conversion.destination.code_bits
        alone = Int(fit(own, bits), 0, (1 << bits) - 1)
        agree = disjoin(*(truth_term(same(word, shown)) for shown in (own, alone)))
    return agree, identical(part(mine, "flags"), part(other, "flags"))


def words_agree(result: Callable[[Any], Any]) -> Callable[[Any, Any], tuple[FNode, ...]]:
    """Return what says that words and flags agree; a file shows both whole."""

    def agree(base: Any, changed: Any) -> tuple[FNode, ...]:
        mine, other = result(base), result(changed)
        return tuple(identical(part(mine, name), part(other, name)) for name in ("word", "flags"))

    return agree


def blocks_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that the exponent and every mantissa agree; of a mantissa a file shows its bits in two's complement."""
    bits = base.conversion.block.mantissa_bits
    mine, other = base.converted, changed.converted
    lanes = (
        tuple(Int(fit(mantissa, bits), 0, (1 << bits) - 1) for mantissa in each.mantissas) for each in (mine, other)
    )
    return (
        identical(mine.exponent, other.exponent),
        *(identical(one, two) for one, two in zip(*lanes, strict=True)),
    )


def block_by_lanes(base: Any, changed: Any, claim: FNode) -> tuple[FNode, tuple[FNode, ...]]:
    """Return a claim about blocks that says the same in two parts, and what holds of one lane.

    With it each part is one term: exponent, mantissas of either pass and side conditions agree. Under the exponent 255,
    the one part, there is no second pass, and its terms mean nothing; in the other part they have the model's value there.
    """
    one, two = base.passes(base.members), changed.passes(changed.members)
    shared = identical(one.shared, two.shared)
    first = [same_term(*terms) for terms in map(rounded, one.first, two.first)]
    if base.conversion.block.overflow is Overflow.CLAMP:
        return claim, (shared, *first, *conditions_agree(base.lifter, changed.lifter, {}))
    top = identical(one.shared, 255)
    known: dict[FNode, FNode] = {top: FALSE()}
    second = []
    for mine, other in map(rounded, one.second, two.second):
        if mine is not other:
            known[other] = choose(top, mine, other)
            second.append(same_term(mine, known[other]))
    finite = disjoin(top, substitute(claim, known))
    at_255 = disjoin(negate(top), substitute(claim, {top: TRUE()}))
    return conjoin(at_255, finite), (shared, *first, *second, *conditions_agree(base.lifter, changed.lifter, known))


def rounded(mine: Any, other: Any) -> tuple[FNode, FNode]:
    """Return the terms of two mantissas before they are narrowed to what they must be, if these have one width."""
    one, two = (number.term.arg(0) if number.term.is_bv_extract() else number.term for number in (mine, other))
    return (one, two) if one.bv_width() == two.bv_width() else (mine.term, other.term)


def conditions_agree(mine: Lifter, other: Lifter, known: dict[FNode, FNode]) -> Iterator[FNode]:
    """Yield that side conditions of two models agree where they guard the same, and hold where one alone has them.

    known: what is put in the place of terms.
    """
    waiting: dict[tuple[str, str, str], list[FNode]] = defaultdict(list)
    for condition in mine.side_conditions:
        waiting[guarded(condition)].append(condition.term)
    for condition in other.side_conditions:
        term, alike = substitute(condition.term, known), waiting[guarded(condition)]
        pair = substitute(alike.pop(0), known) if alike else None
        if pair is not term:
            yield term if pair is None else equivalent(pair, term)


def guarded(condition: SideCondition) -> tuple[str, str, str]:
    """Return what a side condition guards, in which module and line: a copy of the model has files of other names."""
    return condition.what, condition.place.partition(".")[0], condition.place.rpartition(":")[2]


def codes_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that class, number and place in the order of a code agree, and in a packed format the code itself.

    A key is looked at where the class has one; the public call refuses one to a code that it takes for a NaN or invalid.
    """
    mine, other = base.reading, changed.reading
    unordered = disjoin(*(equal(mine.value_class, list(ValueClass).index(each)) for each in UNORDERED))
    nan = truth_term(changed.lifter.follow(changed.subject.module("floats").is_nan, (changed.row, other.code), {}))
    return (
        identical(mine.code, other.code),
        identical(mine.value_class, other.value_class),
        equivalent(mine.available, other.available),
        identical(mine.number.negative, other.number.negative),
        identical(mine.number.significand, other.number.significand),
        same_term(fit(mine.number.exponent, EXPONENT_BITS), fit(other.number.exponent, EXPONENT_BITS)),
        disjoin(unordered, identical(mine.key, other.key)),
        disjoin(unordered, negate(nan)),
        disjoin(unordered, changed.valid(other.code)),
    )


def lanes_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that the new accumulators agree; a lane that is not characterised has none."""
    mine, other = base.folded, changed.folded
    return same_term(mine.code, other.code), other.characterised


def tiles_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that the faults agree, and every output under every choice of enables of a published operation.

    A changed model that reads other fields of the word has its outputs compared as a whole.
    """
    fault = same_term(base.fault, changed.fault)
    pairs = list(zip(base.operations, changed.operations, strict=False))
    if len(base.operations) != len(changed.operations) or any(one.guard is not two.guard for one, two in pairs):
        return fault, *(same_term(one, two) for one, two in zip(base.codes, changed.codes, strict=True))
    refused = negate(base.published.term)
    return fault, *(
        disjoin(refused, guard, same_term(one, two))
        for (one, two), guard in unlike(base.operations, changed.operations)
    )


def unlike(mine: Any, other: Any) -> Iterator[tuple[tuple[FNode, FNode], FNode]]:
    """Yield the pairs of outputs that are not one term, each with the operations of which it need not be the same."""
    pairs: dict[tuple[FNode, FNode], list[FNode]] = defaultdict(list)
    for one, two in zip(mine, other, strict=True):
        for pair in dict.fromkeys(zip(one.outputs, two.outputs, strict=True)):
            if pair[0] is not pair[1]:
                pairs[pair].append(one.guard)
    for pair, guards in pairs.items():
        yield pair, negate(TRUE() if len(guards) == len(mine) else disjoin(*guards))


def same_term(one: FNode, other: FNode) -> FNode:
    """Return that two bit-vectors are the same."""
    return TRUE() if one is other else Equals(one, other)


def identical(one: Any, other: Any) -> FNode:
    """Return that two numbers are the same; true without a question where they are one term."""
    if isinstance(one, Int) and isinstance(other, Int) and one.term is other.term and bounds(one) == bounds(other):
        return TRUE()
    return truth_term(same(one, other))
