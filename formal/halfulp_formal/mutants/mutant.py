"""What a mutant is: one small change of the model's source or of its rule data, with a name that stays."""

from __future__ import annotations

from dataclasses import dataclass

from halfulp_formal.subject import Patch, SourcePatch, Subject, patched_subject


@dataclass(frozen=True)
class Place:
    """A statement of the model: its module, and its first and last line."""

    module: str
    first: int
    last: int


@dataclass(frozen=True)
class Edit:
    """An expression with another in its place: where it begins and ends, as the syntax tree has it, and the new text."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True)
class Mutant:
    """A changed model.

    name: where it was changed and how, in letters, digits, dots, underscores and dashes. what: the change in one line.
    where: file and line, or the path in the rule data. place: the changed statement, None for the rule data.
    edit: the changed expression, if the change is one.
    """

    name: str
    what: str
    where: str
    patches: tuple[Patch, ...]
    place: Place | None = None
    edit: Edit | None = None

    @property
    def modules(self) -> tuple[str, ...]:
        """The modules whose source is changed."""
        return tuple(dict.fromkeys(patch.module for patch in self.patches if isinstance(patch, SourcePatch)))

    def subject(self) -> Subject:
        """Return the changed model as a package of its own."""
        return patched_subject(self.patches)
