"""The shape of a seeded mistake: a small wrong change of the model or of its rule data."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.subject import RulePatch, SourcePatch, Subject, patched_subject


@dataclass(frozen=True)
class Mistake:
    """A wrong model: what is wrong in one sentence, and the patches that make it so.

    shows: a part of the names of the conversions that show it, where few do.
    """

    what: str
    patches: tuple[SourcePatch | RulePatch, ...]
    shows: str = ""

    @property
    def marks(self) -> set[str]:
        """The parts of a conversion's name by which those that show the mistake are known."""
        paths = [patch.path[1:-1] for patch in self.patches if isinstance(patch, RulePatch)]
        return {part.lower() for path in paths for part in path} | ({self.shows} if self.shows else set())

    def subject(self) -> Subject:
        """Return the wrong model."""
        return patched_subject(self.patches)


def source(what: str, module: str, old: str, new: str, shows: str = "") -> Mistake:
    """Return a mistake in the source."""
    return Mistake(what, (SourcePatch(module, old, new),), shows)


def rule(what: str, path: str, value: object, shows: str = "") -> Mistake:
    """Return a mistake in the rule data; the path's parts are separated by slashes."""
    return Mistake(what, (RulePatch(tuple(path.split("/")), value),), shows)
