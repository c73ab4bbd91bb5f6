"""The questions of a study by name, so that any worker process can build the obligation of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pysmt.shortcuts import TRUE

from halfulp_formal import catalogue
from halfulp_formal.obligation import Obligation
from halfulp_formal.properties.claim import Kind
from halfulp_formal.smtlib import obligation_hash
from halfulp_formal.subject import Patch, patched_subject

from .compare import same, total
from .regions import build_where

#: are the versions the same; is the amended one total; where do they differ, to be found or as a like conversion has it;
#: what does the amended one still obey, and what did the base?
SAME, TOTAL, WHERE, LIKE, CLAIM, BEFORE = "same", "total", "where", "like", "claim", "before"

#: kinds that compare the model with an encoding of the base's rules or with a twin, or say what TOTAL asks
NO_SENTENCES = ("equivalent", "ordered_alike", "legal", "total", "twin")


def build_question(patches: tuple[Patch, ...], solver: str, question: str) -> Obligation:
    """Build the obligation of a kind of question and a name: a conversion's, after keys for `like`, or an obligation's."""
    kind, name = question.split(" ", maxsplit=1)
    if kind == SAME:
        return same(patches, name)
    if kind == TOTAL:
        return total(patches, name)
    if kind == WHERE:
        return build_where(patches, name, solver)
    if kind == LIKE:
        keys, conversion = name.split(" ", maxsplit=1)
        return build_where(patches, conversion, solver, keys)
    return claimed(patches, name) if kind == CLAIM else catalogue.build(name)


def claimed(patches: tuple[Patch, ...], name: str) -> Obligation:
    """Return an obligation about the amended model; where the query is the base's there is nothing to ask."""
    amended = catalogue.build(name, patched_subject(patches))
    # whatever is claimed of a tile is claimed of all that it publishes, which is known to differ, and takes long to lift
    if not is_tile(name) and obligation_hash(amended) == obligation_hash(catalogue.build(name)):
        return replace(amended, assumption=TRUE(), claim=TRUE(), cubes=(), steps=(), split=False, samples=0)
    return amended


def is_tile(name: str) -> bool:
    """Tell whether an obligation is about a whole tile."""
    return catalogue.family_of(name.rpartition(".")[0]).name == "tiles"


def sentences(conversion: str) -> Iterator[Kind]:
    """Yield the kinds of a conversion's obligations that stand for sentences of the specification."""
    return (kind for kind in catalogue.kinds_of(conversion) if kind.name not in NO_SENTENCES)
