"""The family of whole tiles: small tiles with their operands, every fault, and everything that is published."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from halfulp_formal.vectors.classes import mutants, tile_elements, tile_legality, tile_reductions
from halfulp_formal.vectors.classes import tiles as classes
from halfulp_formal.vectors.corner import CornerClass, classes_of
from halfulp_formal.vectors.digest import digest
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.postprocess import RULE_SET, signed
from halfulp_formal.vectors.row_family import RowFamily
from halfulp_formal.vectors.tile_shapes import Shape, shapes
from halfulp_model.fpatr_rows import LegalityRule, Reduction, Rule
from halfulp_model.postprocess import Conversion
from halfulp_model.rows import Format
from halfulp_model.tile import Unit

FAULTS = ("published", "illegal_instruction", "tile_legality")


@dataclass(frozen=True)
class Rows:
    """The rule data that an operation reads.

    legality: by place among the rules. packed: the format of the bytes of D, None where every element has its own.
    """

    conversion: Conversion
    reduction: Reduction
    unit: Unit
    legality: tuple[LegalityRule, ...]
    packed: Format | None


@cache
def rows() -> dict[str, Rows]:
    """Return the rule data behind every file."""
    return {name: rows_of("halfulp_model", name) for name in shapes()}


def rows_of(package: str, name: str) -> Rows:
    """Return the rule data behind a file as a model has it, for instance a patched copy."""
    shape = shapes()[name]
    rules = import_module(f"{package}.loader").default_rules()
    return Rows(
        conversion=import_module(f"{package}.conversions").conversions()[shape.conversion.name],
        reduction=rules.reductions[shape.conversion.accumulator.name],
        unit=import_module(f"{package}.api_tile").build_unit(rules),
        legality=tuple(rules.legality[rule.value] for rule in Rule),
        packed=rules.formats["S4X2"] if shape.packed else None,
    )


class Tiles(RowFamily):
    """Whole tiles."""

    def __init__(self, package: str = "halfulp_model") -> None:
        super().__init__(shapes, classes.GROUPS, description, package)

    def classes(self, name: str) -> tuple[CornerClass[Any], ...]:
        """Return the corner classes of a tile, with those of its elements."""
        shape = shapes()[name]
        return (
            *classes_of(classes.GROUPS, shape),
            *tile_legality.classes(shape),
            *tile_reductions.classes(shape),
            *tile_elements.classes(name),
            *mutants.classes(name),
        )

    def run(self, name: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
        """Run the model's public call. Nothing but the fault's kind is set where there is one."""
        shape, outcome = shapes()[name], self.outcome(name, inputs)
        outputs = description(name).outputs
        if not hasattr(outcome, "d"):
            return (FAULTS.index(outcome.kind.value), *(0 for _ in outputs[1:]))
        bits = shape.conversion.destination.code_bits
        codes = [word % (1 << bits) for row in outcome.d for word in row]
        if shape.packed:
            codes = list(import_module(f"{self.package}.api_tile").pack_s4x2([signed(code, bits) for code in codes]))
        row_max = [word % (1 << 32) for word in outcome.row_max] or [0] * shape.rows
        groups = [
            word % (1 << 32)
            for row in outcome.group_max or ((),) * shape.rows
            for word in (*row, *(0,) * (shape.groups - len(row)))
        ]
        return (0, *codes, *row_max, *groups, outcome.flags)

    def outcome(self, name: str, inputs: tuple[int, ...]) -> Any:
        """Run the operation of a case."""
        shape = shapes()[name]
        given = dict(zip((field.name for field in description(name).inputs), inputs, strict=True))
        model = import_module(f"{self.package}.api_tile")
        controls = import_module(f"{self.package}.fpatr").Controls(
            rmode=given["rmode"], sat=given["sat"], pad=given["pad"]
        )
        tile = [[given[f"value_{row}_{column}"] for column in range(shape.columns)] for row in range(shape.rows)]
        initial = [given[f"row_max_in_{row}"] for row in range(given["row_max_in_rows"])]
        return model.matrix_post_process(
            tile,
            given["word"],
            shape.conversion.accumulator.name,
            datr=controls,
            quant_param=bound(given, "quant"),
            relu_param=bound(given, "relu"),
            row_max_in=initial or None,
        )

    def why(self, name: str, inputs: tuple[int, ...]) -> str:
        """Say what is published, or which rule is broken."""
        outcome = Tiles().outcome(name, inputs)
        if not hasattr(outcome, "d"):
            return f"{outcome.kind.value.replace('_', ' ')}: {outcome.message.partition(': ')[2]}"
        more = [text for text, given in (("RowMaxOut", outcome.row_max), ("GroupMaxOut", outcome.group_max)) if given]
        return "publishes " + ", ".join(["D", *more])

    def facts(self, name: str) -> Any:
        """Return the facts of the model as it is shipped."""
        # the solver side is loaded only where formulas are wanted
        from halfulp_formal.subject import base_subject  # noqa: PLC0415
        from halfulp_formal.vectors.facts.tiles import TileFacts  # noqa: PLC0415

        return TileFacts(base_subject(), name)


def bound(given: dict[str, int], kind: str) -> int | list[int] | None:
    """Return the words that a case binds: one a column, a scalar, or none."""
    columns = given[f"{kind}_columns"]
    if columns:
        return [given[f"{kind}_word_{column}"] for column in range(columns)]
    return given[f"{kind}_scalar"] if given[f"{kind}_scalar_bound"] else None


@cache
def description(name: str) -> Description:
    """Return the description of a tile."""
    shape = shapes()[name]
    row = shape.conversion
    return Description(
        conversion=name,
        twins=(),
        rules=(RULE_SET, digest(rows()[name])),
        rounding=row.rounding.name if row.mode.destination is not None else None,
        saturate=row.saturate,
        relu=None,
        inputs=input_fields(shape),
        outputs=output_fields(shape),
    )


def input_fields(shape: Shape) -> tuple[Field, ...]:
    """Return the inputs: the B.FPATR word, B.DATR's controls, what is bound, and the accumulators by rows."""
    accumulator = shape.conversion.accumulator.name
    count = shape.columns.bit_length()
    words = [
        field
        for kind in ("quant", "relu")
        for field in (
            Field(f"{kind}_scalar_bound", "flag", 1),
            Field(f"{kind}_scalar", "word", 64),
            Field(f"{kind}_columns", "count", count),
            *(Field(f"{kind}_word_{column}", "word", 64) for column in range(shape.columns)),
        )
    ]
    return (
        Field("word", "B.FPATR", 32),
        Field("rmode", "RMode", 3),
        Field("sat", "Sat", 1),
        Field("pad", "PadValueOrByteId", 2),
        *words,
        Field("row_max_in_rows", "count", shape.rows.bit_length()),
        *(Field(f"row_max_in_{row}", accumulator, 32) for row in range(shape.rows)),
        *(Field(f"value_{row}_{column}", accumulator, 32) for row, column in shape.places),
    )


def output_fields(shape: Shape) -> tuple[Field, ...]:
    """Return the outputs: the fault, D by rows or its bytes where packed, RowMaxOut, GroupMaxOut by rows, the flags."""
    accumulator, destination = shape.conversion.accumulator.name, shape.conversion.destination
    if shape.packed:
        d = [Field(f"d_byte_{index}", "S4X2", 8) for index in range(-(-len(shape.places) // 2))]
    else:
        d = [Field(f"d_{row}_{column}", destination.name, destination.code_bits) for row, column in shape.places]
    return (
        Field("fault", "fault", 2),
        *d,
        *(Field(f"row_max_{row}", accumulator, 32) for row in range(shape.rows)),
        *(
            Field(f"group_max_{row}_{group}", accumulator, 32)
            for row in range(shape.rows)
            for group in range(shape.groups)
        ),
        Field("flags", "flags", 5),
    )
