"""The families of conversions of which mutants are made: what mutants have to know of each before anything is lifted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfulp_formal.mutants import block_rules, format_rules, matmul_rules, rules, tile_rules
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.subject import Subject
from halfulp_formal.vectors import matmul, tiles
from halfulp_formal.vectors.blocks import Blocks
from halfulp_formal.vectors.family import Family
from halfulp_formal.vectors.formats import Formats
from halfulp_formal.vectors.formats import rows as format_rows
from halfulp_formal.vectors.plain import Plain
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.scales import Scales, rows
from halfulp_model.blocks import block_conversions
from halfulp_model.conversions import conversions
from halfulp_model.convert import PLAIN_RULES, plain_conversions
from halfulp_model.matmul import matrix_unit
from halfulp_model.rows import Format, Parameter

if TYPE_CHECKING:
    from halfulp_formal.bits import Bool


@dataclass(frozen=True)
class Mutated:
    """A family.

    title: what a report calls it. names: its conversions. vectors: what runs them on the model in a package.
    row: the rows of one in a model as it is. formats: those of a row that are worked out of the rule data. rules: the
    mutants of the rule data that a row stands for. tie: that a case's number lies exactly halfway between two of the
    destination's, None where nothing is rounded; of the facts of a vector file.
    """

    title: str
    names: Callable[[], Mapping[str, Any]]
    vectors: Callable[[str], Family]
    row: Callable[[Subject, str], Any]
    formats: Callable[[Any], tuple[Format, ...]]
    rules: Callable[[Any], tuple[Mutant, ...]]
    tie: Callable[[Any], Bool | None]


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


def scale_rows(subject: Subject) -> dict[str, Any]:
    """Return the rows of all conversions to a scale in a model."""
    module = subject.module("api_e8m0")
    return {**module.e8m0_conversions(), **module.scale_conversions()}


def scale_tie(facts: Any) -> Bool | None:
    """Return where a value is half-way between powers of two; in the domain of log2 none is."""
    if facts.row.logarithmic:
        return None
    tie: Bool = facts.live & facts.here.half
    return tie


def block_tie(facts: Any) -> Bool | None:
    """Return where the exact mantissa of a member is halfway between integers."""
    from halfulp_formal.vectors.corner import any_of  # noqa: PLC0415  # solver side, which a count of ties alone needs

    tie: Bool = facts.legal & any_of(lane.nonzero & lane.tie for lane in facts.lanes)
    return tie


def tile_tie(facts: Any) -> Bool | None:
    """Return where an element of a published D is a tie."""
    from halfulp_formal.bits import Bool  # noqa: PLC0415  # as in `block_tie`
    from halfulp_formal.vectors.corner import any_of  # noqa: PLC0415

    elements = [facts.element(*place) for place in facts.shape.places]
    tie = element_tie(elements[0].alone)
    if tie is None:
        return None
    found: Bool = facts.published & any_of(Bool(each.of(tie.term)) for each in elements)
    return found


def lane_tie(facts: Any) -> Bool:
    """Return where the sum of accumulator and products is a tie."""
    from halfulp_formal.vectors.facts.floating import binary_position  # noqa: PLC0415  # as in `block_tie`

    case = facts.case
    added = case.aligned(case.lane(case.word), case.multiply(case.a.free, case.b.free))
    position = binary_position(added.total, case.conversion.adder.fmt)
    tie: Bool = facts.legal & position.nonzero & position.quanta.tie
    return tie


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
        tie=element_tie,
    ),
    Mutated(
        title="plain conversions",
        names=plain_conversions,
        vectors=Plain,
        row=plain_row,
        formats=lambda row: (row.source, row.destination),
        rules=rules.plain_rules,
        tie=rounded_tie,
    ),
    Mutated(
        title="scales",
        names=rows,
        vectors=Scales,
        row=lambda subject, name: scale_rows(subject)[name],
        formats=lambda row: (row.source, row.destination),
        rules=rules.scale_rules,
        tie=scale_tie,
    ),
    Mutated(
        title="blocks",
        names=block_conversions,
        vectors=Blocks,
        row=lambda subject, name: subject.module("blocks").block_conversions()[name],
        formats=lambda row: (row.member,),
        rules=block_rules.conversion_rules,
        tie=block_tie,
    ),
    Mutated(
        title="formats",
        names=format_rows,
        vectors=Formats,
        row=lambda subject, name: subject.module("loader").default_rules().formats[format_rows()[name].name],
        formats=lambda row: (format_rules.lane_row(row),),
        rules=format_rules.format_rules,
        tie=no_tie,
    ),
    Mutated(
        title="matrix multiply",
        names=lambda: {matmul.NAME: matrix_unit()},
        vectors=matmul.Matmul,
        row=lambda subject, _name: subject.module("matmul").matrix_unit(),
        formats=lambda unit: (unit.adder.fmt,),
        rules=matmul_rules.unit_rules,
        tie=lane_tie,
    ),
    Mutated(
        title="tiles",
        names=tiles.rows,
        vectors=tiles.Tiles,
        row=lambda subject, name: tiles.rows_of(subject.package, name),
        formats=lambda row: (row.conversion.accumulator, row.conversion.fp19, row.conversion.destination),
        rules=tile_rules.operation_rules,
        tie=tile_tie,
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
