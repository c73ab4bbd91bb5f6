"""Operations on a tile run by the public call beside their terms, and operations that are worth it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from pysmt.fnode import FNode

from halfulp_formal.evaluate import compile_term, evaluate
from halfulp_formal.obligation import Mismatch
from halfulp_formal.sampling import legal_points
from halfulp_formal.vectors.tile_shapes import shapes
from halfulp_formal.vectors.tiles import Tiles, description
from halfulp_model.fpatr import Attributes, encode_word
from halfulp_model.loader import default_rules

if TYPE_CHECKING:
    from halfulp_formal.vectors.facts.tiles import TileFacts

#: one operation in so many has a bit wrong
SPOILT = 4


@dataclass(frozen=True)
class TileReplay:
    """Replays an operation: the public call must give what the terms give, where those mean anything.

    points: operations worth trying, by the names of the inputs: as many as asked for.
    """

    facts: TileFacts
    points: Callable[[int], Iterable[Mapping[str, int]]]

    def check(self, assignment: Mapping[str, int]) -> str | None:
        """Run the operation at one point; None where call and terms agree."""
        inputs = tuple(int(assignment[term.symbol_name()]) for term in self.facts.inputs)
        return self.disagreement(inputs, evaluate(self.terms, assignment))

    def validate(self, samples: int) -> int:
        """Run operations; return how many were compared. Raises Mismatch at the first difference."""
        values = compile_term(self.terms, self.facts.inputs)
        checked = 0
        for point in self.points(samples):
            inputs = tuple(point[term.symbol_name()] for term in self.facts.inputs)
            found = values(*inputs)
            complaint = self.disagreement(inputs, found)
            if complaint is not None:
                raise Mismatch(f"{self.facts.name}: {complaint}")
            checked += all(found[:2])
        return checked

    @property
    def terms(self) -> list[FNode]:
        """Whether an operation is legal and breaks no side condition, and its outputs."""
        return [self.facts.legal.term, self.facts.lifter.total(), *self.facts.codes]

    def disagreement(self, inputs: tuple[int, ...], found: tuple[int | bool, ...]) -> str | None:
        """Run the operation; None where its terms, as they are found to be, are right."""
        legal, sound, *codes = found
        if not (legal and sound):
            return None
        try:
            got = Tiles(self.facts.subject.package).run(self.facts.name, inputs)
        except Exception as error:  # noqa: BLE001  # whatever a changed model raises is a difference to report
            return f"the operation {inputs} raises {type(error).__name__}: {error}"
        return None if got == tuple(codes) else f"the operation {inputs} gives {got}, its terms give {tuple(codes)}"


def tile_points(name: str, count: int) -> Iterator[dict[str, int]]:
    """Yield operations of a file's shape by the names of the inputs' symbols; the same ones every time.

    Most are published. Sampling, not judging: nothing is claimed here.
    """
    shape, fields = shapes()[name], description(name).inputs
    random = Random(name)  # noqa: S311  # test inputs, no secrets
    draws = legal_points(shape.conversion, count * len(shape.places))
    for number in range(count):
        drawn = [next(draws) for _ in shape.places]
        row_max, groups = random.getrandbits(1), random.choice([0, 0, 1, random.randint(1, 9)])
        attributes = Attributes(
            pre_quant=shape.conversion.mode.code, relu=drawn[0]["in.relu"], group_n=groups, row_max=row_max,
            group_max=int(groups > 0), row_max_init=row_max * random.getrandbits(1),
            max_abs=int(row_max + groups > 0) * random.getrandbits(1), trans_a=random.getrandbits(1),
        )  # fmt: skip
        given = {**operands(name, attributes, drawn), "word": encode_word(default_rules().fpatr, attributes)}
        point = {field.name: given.get(field.name, 0) % (1 << field.bits) for field in fields}
        if number % SPOILT == SPOILT - 1:
            field = random.choice(fields)
            point[field.name] ^= 1 << random.randrange(field.bits)
        yield {f"in.{field.name}.{field.bits}": point[field.name] for field in fields}


def operands(name: str, attributes: Attributes, drawn: list[dict[str, int]]) -> dict[str, int]:
    """Return accumulators, RowMaxIn and the words that an operation asks for."""
    shape = shapes()[name]
    row, columns = shape.conversion, range(shape.columns)
    vector = {"quant": row.mode.operand == "vector", "relu": attributes.relu == 3}
    found = {
        f"value_{line}_{column}": each["in.value"] for (line, column), each in zip(shape.places, drawn, strict=True)
    }
    found |= {f"row_max_in_{line}": drawn[-1 - line]["in.value"] for line in range(shape.rows)}
    found["row_max_in_rows"] = shape.rows * attributes.row_max_init
    found |= {f"{kind}_columns": shape.columns * bound for kind, bound in vector.items()}
    found |= {f"{kind}_word_{column}": drawn[column][f"in.{kind}_word"] for kind in vector for column in columns}
    found |= {"relu_scalar_bound": int(attributes.relu == 2), "relu_scalar": drawn[0]["in.relu_word"]}
    rounds = row.mode.destination is not None
    return found | {"rmode": row.rounding.code if rounds else 0, "sat": int(row.saturate)}
