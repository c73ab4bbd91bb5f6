"""Witnesses of corner classes: the least point of a class in a stated order, or a proof that the class is empty."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, And, Equals, Not, Symbol
from pysmt.typing import BVType

from halfulp_formal.bits import Bool
from halfulp_formal.cache import Cache
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import compile_term, evaluate
from halfulp_formal.minimise import LimitReached, definite, least_point
from halfulp_formal.obligation import Obligation, Proof, Verdict
from halfulp_formal.prover import engine_name
from halfulp_formal.smtlib import obligation_hash, query_hash
from halfulp_formal.solvers import Series, Session, open_solver, version_of
from halfulp_formal.vectors.corner import LEAST, CornerClass
from halfulp_formal.vectors.family import UnknownConversion, family_of

#: the least point does not depend on the solver that finds it, so it is kept under no solver's name
ANY_SOLVER = "least point"

#: inputs of more bits are not tried one by one
MOST_BITS = 12

Point = tuple[int, ...]


class NoWitness(Exception):
    """A class has neither a witness nor a proof that it is empty; `proof` says why."""

    def __init__(self, proof: Proof) -> None:
        super().__init__(f"{proof.name}: {proof.verdict.value}: {proof.detail}")
        self.proof = proof


class WrongPoint(Exception):
    """A solver's point is not in its class, or the order does not single it out: a fault of solver or declaration."""


@dataclass
class Searcher:
    """Looks for witnesses with one solver, remembers every query, and keeps what it finds in a cache.

    Conversions whose class is the same formula share its witness: what the roundings and Sat do not change is found
    once.
    """

    engine: Engine
    cache: Cache | None = None
    _points: dict[tuple[FNode, ...], Point | None] = field(default_factory=dict)
    _proofs: dict[tuple[FNode, ...], Proof] = field(default_factory=dict)
    #: what queries have in common is digested and translated once
    _digests: dict[FNode, bytes] = field(default_factory=dict)
    _series: Series = field(default_factory=Series)

    def witnesses(self, conversion: str, facts: Any, corner: CornerClass[Any]) -> list[Point] | Proof:
        """Return a class's witnesses, one a variant that has any or all there are, or the proof that it is empty.

        Raises NoWitness where the solver reaches its limit, WrongPoint where it is wrong.
        """
        when = corner.when(facts)
        if corner.every:
            return members(facts, when) or self._empty(obligation(conversion, facts, corner, when))
        if corner.points:
            return declared(conversion, facts, corner, when)
        points: dict[Point, None] = {}
        for variant in dict.fromkeys([*corner.variants, *LEAST]):
            if variant in corner.variants or not points:
                point = self._least(obligation(conversion, facts, corner, when), facts, when, variant)
                if point is None and variant in LEAST:
                    break  # the variant asks for nothing, so that there is no point at all
                points |= {} if point is None else {point: None}
        return list(points) or self._empty(obligation(conversion, facts, corner, when))

    def _least(self, empty: Obligation, facts: Any, when: Bool, variant: str) -> Point | None:
        asked, keys = facts.variant(variant)
        numbered = [
            (Symbol(f"key.{place}.{name}.{term.bv_width()}", BVType(term.bv_width())), term)
            for place, (name, term) in enumerate(keys)
        ]
        wanted = And(facts.legal.term, when.term, asked.term)
        # equal terms are one object in a process, so that no digest is needed to know a query again
        query = (wanted, *(Equals(symbol, term) for symbol, term in numbered))
        if query not in self._points:
            self._points[query] = self._find(empty, query, numbered, facts.inputs)
        return self._points[query]

    def _find(
        self,
        empty: Obligation,
        query: tuple[FNode, ...],
        keys: Sequence[tuple[FNode, FNode]],
        inputs: Sequence[FNode],
    ) -> Point | None:
        """Recall the least point of a query, or search it."""
        digest = query_hash(*query, known=self._digests)
        known = self.cache.verdict(digest, ANY_SOLVER) if self.cache else None
        if known is None or (known.witness is not None and evaluate(query[:1], known.witness) != (True,)):
            known = self._search(empty, digest, query, keys, inputs)
            self._keep(known, ANY_SOLVER)
        if known.witness is None:
            return None
        return tuple(known.witness[symbol.symbol_name()] for symbol in inputs)

    def _search(
        self,
        empty: Obligation,
        digest: str,
        query: tuple[FNode, ...],
        keys: Sequence[tuple[FNode, FNode]],
        inputs: Sequence[FNode],
    ) -> Proof:
        with open_solver(self.engine.solver, self.engine.timeout, self._series) as session:
            session.add(*query)
            try:
                witness = self._point(session, empty, keys, inputs)
            except LimitReached as error:
                raise NoWitness(self._proof(empty, digest, Verdict.UNDECIDED, None, str(error))) from error
        return self._proof(empty, digest, Verdict.REFUTED if witness else Verdict.PROVED, witness)

    def _point(
        self, session: Session, empty: Obligation, keys: Sequence[tuple[FNode, FNode]], inputs: Sequence[FNode]
    ) -> dict[str, int] | None:
        """Return the inputs whose keys are the least, None for an empty class."""
        symbols = [symbol for symbol, _ in keys]
        least = least_point(session, symbols, {}, also=inputs)
        if least is None:
            return None
        point = {symbol.symbol_name(): least[symbol.symbol_name()] for symbol in inputs}
        session.add(*(Equals(symbol, BV(least[symbol.symbol_name()], symbol.bv_width())) for symbol in symbols))
        session.add(Not(And([Equals(symbol, BV(point[symbol.symbol_name()], symbol.bv_width())) for symbol in inputs])))
        if definite(session.check()):
            raise WrongPoint(f"{empty.name}: the order of witnesses does not single out a point")
        return point

    def _empty(self, empty: Obligation) -> Proof:
        """Recall or make the proof that a class is empty."""
        query = (empty.assumption, empty.claim)
        if query not in self._proofs:
            engine = engine_name(self.engine)
            known = self.cache.verdict(obligation_hash(empty), engine) if self.cache else None
            proof = known if known is not None else decide(empty, self.engine)
            if proof.verdict is not Verdict.PROVED:
                raise NoWitness(proof)
            self._proofs[query] = proof
            if known is None:
                self._keep(proof, engine)
        return replace(self._proofs[query], name=empty.name, conversion=empty.conversion)

    def _proof(
        self, empty: Obligation, query: str, verdict: Verdict, witness: dict[str, int] | None, detail: str = ""
    ) -> Proof:
        return Proof(
            name=empty.name,
            conversion=empty.conversion,
            verdict=verdict,
            expect=verdict,
            solver=self.engine.solver,
            version=version_of(self.engine.solver),
            seconds=0.0,
            query=query,
            witness=witness,
            detail=detail,
        )

    def _keep(self, proof: Proof, engine: str) -> None:
        if self.cache:
            self.cache.store(proof, engine)


def declared(conversion: str, facts: Any, corner: CornerClass[Any], when: Bool) -> list[Point]:
    """Return a class's declared points. Raises WrongPoint for one that is not legal or not in the class."""
    holds = compile_term([facts.legal.term, when.term], facts.inputs)
    for point in corner.points:
        if not all(holds(*point)):
            shown = " ".join(f"{value:#x}" for value in point)
            raise WrongPoint(
                f"{obligation_name(conversion, corner.name)}: {shown} is declared, but is not in the class"
            )
    return list(dict.fromkeys(corner.points))


def members(facts: Any, when: Bool) -> list[Point]:
    """Return every legal input in a class, in ascending order. Raises ValueError where there are too many to try."""
    widths = [symbol.bv_width() for symbol in facts.inputs]
    if sum(widths) > MOST_BITS:
        raise ValueError(f"{sum(widths)} bits of input are too many to try them all; expected at most {MOST_BITS}")
    holds = compile_term([facts.legal.term, when.term], facts.inputs)
    return [point for point in product(*(range(1 << width) for width in widths)) if all(holds(*point))]


def obligation_name(conversion: str, class_name: str) -> str:
    """Return the name of the obligation that says that a class is empty."""
    return f"{conversion}.class.{class_name}"


def obligation(conversion: str, facts: Any, corner: CornerClass[Any], when: Bool) -> Obligation:
    """Return the obligation that no legal input is in a class."""
    return Obligation(
        name=obligation_name(conversion, corner.name),
        conversion=conversion,
        sentence=f"No input is in this class: {corner.sentence}",
        source="the corner classes of vector files",
        assumption=facts.legal.term,
        claim=Not(when.term),
        inputs=facts.inputs,
        replays=facts.replays,
    )


def build(name: str) -> Obligation:
    """Build the obligation of a name in a vector file's header. Raises UnknownConversion where there is none."""
    conversion, _, class_name = name.partition(".class.")
    family = family_of(conversion)
    for corner in family.classes(conversion):
        if corner.name == class_name:
            facts = family.facts(conversion)
            return obligation(conversion, facts, corner, corner.when(facts))
    raise UnknownConversion(f"{conversion} has no corner class {class_name!r}")
