"""When a vector file shows the same of two models: what their results must have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from halfulp_model.block_rows import Overflow

if TYPE_CHECKING:
    from pysmt.fnode import FNode

    from halfulp_formal.lift.interpreter import SideCondition

# the solver side is loaded only where it is wanted


def elements_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that flags and words agree; a file shows an element alone, so that one without its sign bits passes for it."""
    from halfulp_formal.case import part  # noqa: PLC0415  # as above
    from halfulp_formal.lift.operators import same  # noqa: PLC0415
    from halfulp_formal.lift.values import Int, disjoin, fit, truth_term  # noqa: PLC0415

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
        from halfulp_formal.case import part  # noqa: PLC0415  # as above

        mine, other = result(base), result(changed)
        return tuple(identical(part(mine, name), part(other, name)) for name in ("word", "flags"))

    return agree


def blocks_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that the exponent and every mantissa agree; of a mantissa a file shows its bits in two's complement."""
    from halfulp_formal.lift.values import Int, fit  # noqa: PLC0415  # as above

    bits = base.conversion.block.mantissa_bits
    mine, other = base.converted, changed.converted
    lanes = (
        tuple(Int(fit(mantissa, bits), 0, (1 << bits) - 1) for mantissa in each.mantissas) for each in (mine, other)
    )
    return (
        identical(mine.exponent, other.exponent),
        *(identical(one, two) for one, two in zip(*lanes, strict=True)),
    )


def block_steps(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return lane by lane that the exponent, the mantissas of either pass and the side conditions agree.

    With them the rest is one term.
    """
    one, two = base.passes(base.members), changed.passes(changed.members)
    lanes = [*zip(one.first, two.first, strict=True)]
    if base.conversion.block.overflow is Overflow.RENORMALISE:
        lanes += zip(one.second, two.second, strict=True)
    numbers = (identical(mine, other) for mine, other in [(one.shared, two.shared), *lanes])
    return *numbers, *conditions_agree(base.lifter.side_conditions, changed.lifter.side_conditions)


def conditions_agree(mine: Iterable[SideCondition], other: Iterable[SideCondition]) -> Iterator[FNode]:
    """Yield that side conditions of two models agree where they guard the same, and hold where one alone has them."""
    from halfulp_formal.lift.values import equivalent  # noqa: PLC0415  # as above

    known: dict[tuple[str, str, str], list[SideCondition]] = defaultdict(list)
    for condition in mine:
        known[guarded(condition)].append(condition)
    for condition in other:
        same = known[guarded(condition)]
        pair = same.pop(0) if same else None
        if pair is None or pair.term is not condition.term:
            yield condition.term if pair is None else equivalent(pair.term, condition.term)


def guarded(condition: SideCondition) -> tuple[str, str, str]:
    """Return what a side condition guards, in which module and line: a copy of the model has files of other names."""
    return condition.what, condition.place.partition(".")[0], condition.place.rpartition(":")[2]


def codes_agree(base: Any, changed: Any) -> tuple[FNode, ...]:
    """Return that class, number and place in the order of a code agree, and in a packed format the code itself.

    A key is looked at where the class has one; the public call refuses one to a code that it takes for a NaN or invalid.
    """
    from pysmt.shortcuts import FALSE  # noqa: PLC0415  # as above

    from halfulp_formal.lift.values import disjoin, equivalent, fit, negate, truth_term  # noqa: PLC0415
    from halfulp_formal.properties.numbers import equal  # noqa: PLC0415
    from halfulp_formal.vectors.formats import EXPONENT_BITS, UNORDERED  # noqa: PLC0415
    from halfulp_model.formats import ValueClass  # noqa: PLC0415

    mine, other = base.reading, changed.reading
    if base.row.lanes > changed.row.lanes:
        return (FALSE(),)  # some lane is not there
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


def same_term(one: FNode, other: FNode) -> FNode:
    """Return that two bit-vectors are the same."""
    from pysmt.shortcuts import TRUE, Equals  # noqa: PLC0415  # as above

    return TRUE() if one is other else Equals(one, other)


def identical(one: Any, other: Any) -> FNode:
    """Return that two numbers are the same; true without a question where they are one term."""
    from pysmt.shortcuts import TRUE  # noqa: PLC0415  # as above

    from halfulp_formal.lift.operators import same  # noqa: PLC0415
    from halfulp_formal.lift.values import Int, bounds, truth_term  # noqa: PLC0415

    if isinstance(one, Int) and isinstance(other, Int) and one.term is other.term and bounds(one) == bounds(other):
        return TRUE()
    return truth_term(same(one, other))
