"""The families of conversions of which mutants are made: what mutants have to know of each, in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfulp_formal.mutants import rules
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.subject import Subject, base_subject
from halfulp_formal.vectors.family import Family
from halfulp_formal.vectors.plain import Plain
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.scales import Scales, rows
from halfulp_model.conversions import conversions
from halfulp_model.convert import PLAIN_RULES, plain_conversions
from halfulp_model.rows import Format, Parameter

if TYPE_CHECKING:
    from pysmt.fnode import FNode

    from halfulp_formal.bits import Bool
    from halfulp_formal.lift.values import Int


@dataclass(frozen=True)
class Mutated:
    """A family.

    title: what a report calls it. names: its conversions. vectors: what runs them on the model in a package.
    row: the rows of one in a model as it is.
    formats: those of a row that are worked out of the rule data. rules: the mutants of the rule data that a row stands for.
    case: one lifted from a model, over the inputs of the shipped one; its `conversion` and `lifter` may be exchanged.
    legal, result: of a lifted case, which inputs are legal, and the record with `word` and `flags`.
    alike: the words that a vector file shows as a case's own. tie: that a case's number lies exactly halfway between two of
    the destination's, None where nothing is rounded; of the facts of a vector file.
    """

    title: str
    names: Callable[[], Mapping[str, Any]]
    vectors: Callable[[str], Family]
    row: Callable[[Subject, str], Any]
    formats: Callable[[Any], tuple[Format, ...]]
    rules: Callable[[Any], tuple[Mutant, ...]]
    case: Callable[[Subject, str], Any]
    legal: Callable[[Any], FNode]
    result: Callable[[Any], Any]
    alike: Callable[[Any], tuple[Int, ...]]
    tie: Callable[[Any], Bool | None]


# the solver side is loaded only where it is wanted


def element_case(subject: Subject, name: str) -> Any:
    """Lift a conversion of the post-processing."""
    from halfulp_formal.case import Case  # noqa: PLC0415  # as above

    return Case(subject, name)


def alike_elements(case: Any) -> tuple[Int, ...]:
    """Return a word, and the element alone: a file shows no more, so that one without its sign bits passes for it."""
    from halfulp_formal.case import part  # noqa: PLC0415  # as above
    from halfulp_formal.lift.values import Int, fit  # noqa: PLC0415  # as above

    word, bits = part(case.element, "word"), case.conversion.destination.code_bits
    return word, Int(fit(word, bits), 0, (1 << bits) - 1)


def element_tie(facts: Any) -> Bool | None:
    """Return where a product is a tie; a shift and an unsigned accumulator are not rounded."""
    if facts.row.mode.parameter is Parameter.SHIFT or not facts.row.accumulator.signed:
        return None
    return rounded_tie(facts)


def rounded_tie(facts: Any) -> Bool:
    """Return where a number is a tie."""
    position = facts.product if facts.row.destination.is_integer else facts.float.quanta
    tie: Bool = facts.legal & facts.live & position.tie
    return tie


def plain_row(subject: Subject, name: str) -> Any:
    """Make the rows of a plain conversion."""
    own = plain_conversions()[name]
    names = own.source.name, own.destination.name, own.rounding.name, own.saturate
    given = subject.module("loader").default_rules()
    return subject.module("convert").build_plain_conversion(given, PLAIN_RULES, *names)


def plain_case(subject: Subject, name: str) -> Any:
    """Lift a plain conversion; one of a source of another width is given the same codes."""
    from halfulp_formal.families.plain import PlainCase  # noqa: PLC0415  # as above

    case = PlainCase(subject, name)
    case.bits = PlainCase(base_subject(), name).bits
    return case


def own_word(result: Callable[[Any], Any]) -> Callable[[Any], tuple[Int, ...]]:
    """Return what gives a case's word, which a file shows whole."""

    def alike(case: Any) -> tuple[Int, ...]:
        from halfulp_formal.case import part  # noqa: PLC0415  # as above

        return (part(result(case), "word"),)

    return alike


def plain_result(case: Any) -> Any:
    """Return the result of a plain conversion."""
    return case.result


def scale_rows(subject: Subject) -> dict[str, Any]:
    """Return the rows of all conversions to a scale in a model."""
    module = subject.module("api_e8m0")
    return {**module.e8m0_conversions(), **module.scale_conversions()}


def scale_case(subject: Subject, name: str) -> Any:
    """Lift a conversion to a scale; one of a source of another width is given the same codes."""
    from halfulp_formal.families.scales import ScaleCase  # noqa: PLC0415  # as above

    case = ScaleCase(subject, name)
    case.code = ScaleCase(base_subject(), name).code
    return case


def scale_result(case: Any) -> Any:
    """Return the result of a conversion to a scale."""
    return case.whole


def every_code(_case: Any) -> FNode:
    """Return that all codes that the source's width holds are legal."""
    from pysmt.shortcuts import TRUE  # noqa: PLC0415  # as above

    true: FNode = TRUE()
    return true


def scale_tie(facts: Any) -> Bool | None:
    """Return where a value is half-way between powers of two; in the domain of log2 none is."""
    if facts.row.logarithmic:
        return None
    tie: Bool = facts.live & facts.here.half
    return tie


FAMILIES = (
    Mutated(
        title="post-processing",
        names=conversions,
        vectors=PostProcessing,
        row=lambda subject, name: subject.module("conversions").conversions()[name],
        formats=lambda row: (row.accumulator, row.fp19, row.destination),
        rules=rules.element_rules,
        case=element_case,
        legal=lambda case: case.legal,
        result=lambda case: case.element,
        alike=alike_elements,
        tie=element_tie,
    ),
    Mutated(
        title="plain conversions",
        names=plain_conversions,
        vectors=Plain,
        row=plain_row,
        formats=lambda row: (row.source, row.destination),
        rules=rules.plain_rules,
        case=plain_case,
        legal=lambda case: case.legal,
        result=plain_result,
        alike=own_word(plain_result),
        tie=rounded_tie,
    ),
    Mutated(
        title="scales",
        names=rows,
        vectors=Scales,
        row=lambda subject, name: scale_rows(subject)[name],
        formats=lambda row: (row.source, row.destination),
        rules=rules.scale_rules,
        case=scale_case,
        legal=every_code,
        result=scale_result,
        alike=own_word(scale_result),
        tie=scale_tie,
    ),
)


def mutated(conversion: str) -> Mutated:
    """Return the family of a conversion of which mutants are made. Raises LookupError for any other."""
    for family in FAMILIES:
        if conversion in family.names():
            return family
    raise LookupError(f"no mutants are made of {conversion}")


def has_mutants(conversion: str) -> bool:
    """Tell whether mutants are made of a conversion."""
    return any(conversion in family.names() for family in FAMILIES)
