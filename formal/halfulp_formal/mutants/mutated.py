"""The families of conversions of which mutants are made: what mutants have to know of each, in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfulp_formal.mutants import block_rules, format_rules, outputs, rules
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.subject import Subject, base_subject
from halfulp_formal.vectors.blocks import Blocks
from halfulp_formal.vectors.family import Family
from halfulp_formal.vectors.formats import Formats
from halfulp_formal.vectors.formats import rows as format_rows
from halfulp_formal.vectors.plain import Plain
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.scales import Scales, rows
from halfulp_model.block_rows import Selection
from halfulp_model.blocks import block_conversions
from halfulp_model.conversions import conversions
from halfulp_model.convert import PLAIN_RULES, plain_conversions
from halfulp_model.rows import Format, Parameter

if TYPE_CHECKING:
    from pysmt.fnode import FNode

    from halfulp_formal.bits import Bool


@dataclass(frozen=True)
class Mutated:
    """A family.

    title: what a report calls it. names: its conversions. vectors: what runs them on the model in a package.
    row: the rows of one in a model as it is.
    formats: those of a row that are worked out of the rule data. rules: the mutants of the rule data that a row stands for.
    case: one lifted from a model, over the inputs of the shipped one; its `conversion` and `lifter` may be exchanged.
    legal, result: of a lifted case, which inputs are legal, and what is lifted of it. agree: of a lifted case and a changed
    one, that a vector file shows the same of both, in parts; lanes: makes of the claim that they do one that is proved by
    steps, None where the whole is as simple. tie: that a case's number lies exactly halfway between two of the
    destination's, None where nothing is rounded; of the facts of a vector file.
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
    agree: Callable[[Any, Any], tuple[FNode, ...]]
    tie: Callable[[Any], Bool | None]
    lanes: Callable[[Any, Any, FNode], tuple[FNode, tuple[FNode, ...]]] | None = None


# the solver side is loaded only where it is wanted


def element_case(subject: Subject, name: str) -> Any:
    """Lift a conversion of the post-processing."""
    from halfulp_formal.case import Case  # noqa: PLC0415  # as above

    return Case(subject, name)


def element_result(case: Any) -> Any:
    """Return the result of a conversion of the post-processing."""
    return case.element


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


def block_case(subject: Subject, name: str) -> Any:
    """Lift a block conversion."""
    from halfulp_formal.families.blocks import BlockCase  # noqa: PLC0415  # as above

    return BlockCase(subject, name)


def block_legal(case: Any) -> FNode:
    """Return which blocks are converted: the characterised ones, and of a procedure without specials the finite ones.

    Which of the two a conversion is no changed row decides: the public calls do.
    """
    from halfulp_formal.families.blocks import finite  # noqa: PLC0415  # as above

    if block_conversions()[case.name].block.selection is Selection.LARGEST_MAGNITUDE:
        return finite(case.members)
    characterised: FNode = case.converted.characterised
    return characterised


def block_result(case: Any) -> Any:
    """Return a converted block."""
    return case.converted


def block_tie(facts: Any) -> Bool | None:
    """Return where the exact mantissa of a member is halfway between integers."""
    from halfulp_formal.vectors.corner import any_of  # noqa: PLC0415  # as above

    tie: Bool = facts.legal & any_of(lane.nonzero & lane.tie for lane in facts.lanes)
    return tie


def format_case(subject: Subject, name: str) -> Any:
    """Lift a format over the inputs of a vector file."""
    from halfulp_formal.families.formats import FileCase  # noqa: PLC0415  # as above

    return FileCase(subject, name)


def format_legal(case: Any) -> FNode:
    """Return which codes or carriers the model takes: those of the width that it gives the format."""
    from halfulp_formal.lift.values import conjoin  # noqa: PLC0415  # as above
    from halfulp_formal.properties.numbers import less  # noqa: PLC0415

    row = case.row
    fits = less(case.asked, 1 << row.code_bits)
    return conjoin(less(case.carrier, 1 << row.carrier_bits), fits) if case.layout.lanes > 1 else fits


def no_tie(_facts: Any) -> None:
    """Return that nothing is rounded."""


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
        result=element_result,
        agree=outputs.elements_agree,
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
        agree=outputs.words_agree(plain_result),
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
        agree=outputs.words_agree(scale_result),
        tie=scale_tie,
    ),
    Mutated(
        title="blocks",
        names=block_conversions,
        vectors=Blocks,
        row=lambda subject, name: subject.module("blocks").block_conversions()[name],
        formats=lambda row: (row.member,),
        rules=block_rules.conversion_rules,
        case=block_case,
        legal=block_legal,
        result=block_result,
        agree=outputs.blocks_agree,
        tie=block_tie,
        lanes=outputs.block_by_lanes,
    ),
    Mutated(
        title="formats",
        names=format_rows,
        vectors=Formats,
        row=lambda subject, name: subject.module("loader").default_rules().formats[format_rows()[name].name],
        formats=lambda row: (format_rules.lane_row(row),),
        rules=format_rules.format_rules,
        case=format_case,
        legal=format_legal,
        result=lambda case: case.reading,
        agree=outputs.codes_agree,
        tie=no_tie,
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
