"""The shape of a seeded mistake: a small wrong change of the model or of its rule data."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.subject import RulePatch, SourcePatch, Subject, patched_subject


@dataclass(frozen=True)
class Mistake:
    """A wrong model: what is wrong in one sentence, and the patches that make it so."""

    what: str
    patches: tuple[SourcePatch | RulePatch, ...]

    def subject(self) -> Subject:
        """Return the wrong model."""
        return patched_subject(self.patches)


def source(what: str, module: str, old: str, new: str) -> Mistake:
    """Return a mistake in the source."""
    return Mistake(what, (SourcePatch(module, old, new),))


def rule(what: str, path: str, value: object) -> Mistake:
    """Return a mistake in the rule data; the path's parts are separated by slashes."""
    return Mistake(what, (RulePatch(tuple(path.split("/")), value),))
