"""A mutant that no case kills against the model, for all legal inputs: lifted both, and put to the solver."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, FALSE, TRUE, Equals

from halfulp_formal.abstraction import products, substitute
from halfulp_formal.lift.interpreter import Frame, Lifter
from halfulp_formal.lift.values import LiftError, conjoin, disjoin, negate
from halfulp_formal.mutants.beside import Beside
from halfulp_formal.mutants.infection import infection, shown_whole
from halfulp_formal.mutants.killing import candidates, changes_lines
from halfulp_formal.mutants.lifted import lifted
from halfulp_formal.mutants.mutant import Mutant
from halfulp_formal.mutants.mutated import mutated
from halfulp_formal.mutants.reads import differing
from halfulp_formal.obligation import Obligation, Replay
from halfulp_formal.subject import Subject, base_subject, forget

#: stand between a conversion and a mutant in the names of its obligations: that the change never shows, that the results
#: are the same all the same, and that they are so wherever the whole expression around the change comes out otherwise
UNSHOWN, EQUIVALENT, WHOLE = ".unshown.", ".mutant.", ".whole."

#: copies of the model that are kept: the conversions of one mode are put to a mutant one after the other
COPIES_KEPT = 64

#: points at which the terms of a mutant are compared with its functions, and the mutant with the model, before it is taken
#: for equivalent
SAMPLES = 60


def named(name: str) -> tuple[str, str, Mutant]:
    """Return the joint, the conversion and the mutant of an obligation's name. Raises LookupError where there is none."""
    joint = next(joint for joint in (UNSHOWN, WHOLE, EQUIVALENT) if joint in name or joint == EQUIVALENT)
    conversion, _, asked = name.partition(joint)
    return joint, conversion, by_name(conversion)[asked]


@lru_cache(maxsize=8)
def by_name(conversion: str) -> dict[str, Mutant]:
    """Return what may be a mutant of a conversion, by name."""
    return {mutant.name: mutant for mutant in candidates(conversion)}


@lru_cache(maxsize=32)
def base_case(conversion: str) -> Any:
    """Return the model's lifted conversion."""
    return lifted(conversion).case(base_subject(), conversion)


class ChangedLifter(Lifter):
    """Lifts a changed model: a statement that Python or the lifter refuses is one that no input may reach.

    With arguments swapped, say, a row has no such field. What is proved so holds all the same; what is refuted may be the
    lifter's refusal alone, so a witness has to be run.
    """

    def statement(self, node: ast.stmt, frame: Frame, path: FNode) -> FNode | None:
        """Run one statement, or require that it is never reached."""
        try:
            return super().statement(node, frame, path)
        except LiftError as error:
            self.require(FALSE(), f"a statement that cannot be run: {error}", frame.source.at(node))
            return None


class Copies:
    """The changed models of a process, the latest few of them."""

    def __init__(self) -> None:
        self.kept: dict[str, Subject] = {}

    def of(self, mutant: Mutant) -> Subject:
        """Return a mutant's copy of the model. Raises PatchError where the rule data is refused."""
        if mutant.name not in self.kept:
            if len(self.kept) >= COPIES_KEPT:
                forget(self.kept.pop(next(iter(self.kept))).package)
            self.kept[mutant.name] = mutant.subject()
        return self.kept[mutant.name]


COPIES = Copies()


def shown(conversion: str, mutant: Mutant) -> FNode:
    """Return under which inputs a mutant's change shows. Raises PatchError where its rule data is refused."""
    where = infection(conversion)
    if changes_lines(mutant):
        return where.of(mutant, ())
    rows = mutated(conversion).row(COPIES.of(mutant), conversion)
    return where.of(mutant, differing(where.row, rows))


def agreement(base: Any, changed: Any) -> FNode:
    """Return that a changed model accepts the inputs, breaks no side condition of its own, and gives the same result.

    The side conditions that the model itself has are another obligation's: that it is total.
    """
    return conjoin(*agreements(base, changed))


def agreements(base: Any, changed: Any) -> list[FNode]:
    """Return the parts of an agreement."""
    family = lifted(base.name)
    same = family.agree(base, changed)
    before, after = family.legal(base), family.legal(changed)
    legal = TRUE() if after is before else after
    known = {condition.term for condition in base.lifter.side_conditions}
    sound = [each.term for each in changed.lifter.side_conditions if each.term not in known]
    return [legal, *sound, *same]


def difference(base: Any, name: str) -> FNode:
    """Return that a mutant, given by its name, does not give what the model gives. Raises LookupError, LiftError."""
    return negate(agreement(base, changed_case(base.name, name)))


@lru_cache(maxsize=64)
def changed_case(conversion: str, name: str) -> Any:
    """Return a conversion to be lifted from a mutant."""
    subject = COPIES.of(by_name(conversion)[name])
    case = lifted(conversion).case(subject, conversion)
    case.lifter = ChangedLifter(subject.package)
    return case


def apart_from_zero(claim: FNode, value: FNode) -> FNode:
    """Return a claim that says the same, for a value of 0 and for any other: a moved sign test shows at 0 alone.

    There every product is 0, which the simplifier sees and a solver among the shifts does not.
    """
    zero = BV(0, value.bv_width())
    here = substitute(claim, {value: zero}).simplify()
    return conjoin(disjoin(negate(Equals(value, zero)), here), disjoin(Equals(value, zero), claim))


def zeros(value: FNode) -> tuple[FNode, ...]:
    """Return that a value is 0, and that it is the code of -0: a change that shows there alone leaves no product."""
    width = value.bv_width()
    return Equals(value, BV(0, width)), Equals(value, BV(1 << (width - 1), width))


def of_any(
    assumption: FNode, claim: FNode, free: dict[FNode, FNode], *, alone: bool
) -> tuple[FNode, FNode, tuple[FNode, ...]]:
    """Return assumption, claim and steps that say of any numbers in the place of terms what was said of the terms.

    With `alone` that is the claim; else it is a step, after which nothing is left to be proved of the terms themselves, and
    where it fails the claim still says no more than it did.
    """
    whole = disjoin(negate(assumption), claim)
    general = substitute(whole, free)
    return (TRUE(), general, ()) if alone else (TRUE(), disjoin(whole, general), (general,))


def build(name: str) -> Obligation:
    """Build one of a mutant's obligations, by its name.

    `req8.rne.sat.unshown.rounding.round_magnitude.compare-1.gt`: no legal input makes the changed expression, or a changed
    row value that is read, come out otherwise. `req8.rne.sat.mutant.…`: where one does, the result is the same.
    `req8.rne.sat.whole.…`: the same of the whole expression that holds the changed one, which fewer inputs change.
    Raises LookupError for a name that means none, PatchError where the mutant's rule data is refused, LiftError where
    nothing of its source can be lifted.
    """
    joint, conversion, mutant = named(name)
    base = base_case(conversion)
    where = shown_whole(conversion, mutant) if joint == WHOLE else shown(conversion, mutant)
    legal = lifted(conversion).legal(base)
    sentence = f"No legal input shows a change of the model: {mutant.what}"
    assumption, claim = legal, negate(where)
    replays: tuple[Replay, ...] = (Beside(conversion, mutant, base.replays),)
    steps: tuple[FNode, ...] = ()
    if joint != UNSHOWN:
        sentence = f"The model with a change gives what the model gives: {mutant.what}"
        changed = changed_case(conversion, mutant.name)
        parts = agreements(base, changed)
        claim = conjoin(*parts)
        # the model's own rows say which inputs are worth a replay; changed ones may have no such inputs
        own = tuple(replace(each, points=base.replays[0].points) for each in changed.replays)
        replays = (*own, Beside(conversion, mutant))
        if not claim.is_true():
            assumption = conjoin(legal, where)
            by_lanes = lifted(conversion).lanes
            if by_lanes is not None:
                # a step holds of all inputs or is of no use: it is a small query then
                assumed = conjoin(assumption, base.lifter.total())
                claim, lanes = by_lanes(base, changed, disjoin(negate(assumed), claim))
                assumption, steps = TRUE(), tuple(lane for lane in lanes if not lane.is_true())
            else:
                claim = apart_from_zero(claim, base.inputs[0])
                if joint == WHOLE and not products([where]):
                    steps = zeros(base.inputs[0])
    free = lifted(conversion).free
    if free is not None and not claim.is_true():
        # a change that shows for some number is asked about once more, so that this answer need not be about the terms
        assumption, claim, steps = of_any(assumption, claim, free(base), alone=joint == UNSHOWN)
    return Obligation(
        name=name,
        conversion=conversion,
        sentence=sentence,
        source="first-order mutants",
        assumption=assumption,
        claim=claim,
        inputs=base.inputs,
        replays=replays,
        steps=steps,
        samples=SAMPLES,
    )
