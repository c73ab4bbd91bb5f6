"""Reading an amendment: its file, its rule changes against the base, its functions, and what it expects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from halfulp_formal.subject import (
    Patch,
    PatchError,
    RuleMerge,
    Subject,
    merged,
    patched_subject,
    shipped_document,
)
from halfulp_model.loader import RULES_FOLDER, Marks, Place, RuleError, locate, read_documents, reference_mistakes

from .functions import AmendmentError, mistake, read_functions
from .misfit import misfit, no_such, schema_of, shown, told

SCHEMA = "halfulp-amendment/1"
SCHEMA_FILE = Path(__file__).with_name("schema.json")

#: the key of a rule mapping that says why; no rule has a field of that name
REASON = "reason"


@dataclass(frozen=True)
class Change:
    """One changed value of the rule data, or one row that is added whole; None stands for what is not there."""

    place: str
    old: Any
    new: Any
    reason: str


@dataclass(frozen=True)
class Expectation:
    """A pattern of the expect section and where it stands: `key` is changed, unchanged, new, removed, appear, disappear."""

    key: str
    pattern: str
    line: int


@dataclass(frozen=True)
class Amendment:
    """A checked amendment.

    expects: None where it has no expect section; then nothing is expected to change.
    """

    path: Path
    title: str
    question: str
    changes: tuple[Change, ...]
    functions: tuple[str, ...]  #: replaced functions: "postprocess.integer_stages"
    patches: tuple[Patch, ...]
    expects: tuple[Expectation, ...] | None
    compares_findings: bool = False
    function_file: Path | None = None

    @property
    def subject(self) -> Subject:
        """The amended model."""
        return patched_subject(self.patches)

    def error(self, line: int, where: str, message: str) -> AmendmentError:
        """Return a mistake in the amendment's own file."""
        return mistake(self.path, line, where, message)


@dataclass
class Reader:
    """An amendment file being read: its values and the line of each."""

    path: Path
    document: dict[str, Any] = field(default_factory=dict)
    marks: Marks = field(default_factory=dict)

    def error(self, place: Place, message: str) -> AmendmentError:
        """Return a mistake at a place of the file."""
        return mistake(self.path, locate(place, self.marks)[1], dotted(place), message)


def dotted(place: Place) -> str:
    """Return a place as people write it."""
    return ".".join(map(str, place)) or "document"


def read_amendment(path: Path) -> Amendment:
    """Read and check an amendment: a YAML file, or a Python file of replacements alone.

    Raises AmendmentError for anything that does not fit the base, naming file, line and field; OSError.
    """
    if path.suffix == ".py":
        patch, text = read_functions(path)
        title = text.strip().split("\n", maxsplit=1)[0].rstrip(".") or path.stem
        functions = tuple(f"{module}.{name}" for module, name, _ in patch.functions)
        return checked(Amendment(path, title, "", (), functions, (patch,), None, function_file=path))
    reader = Reader(path)
    try:
        reader.document, marks = read_documents([path])
        reader.marks = {**marks, **key_marks(path)}
    except (RuleError, UnicodeDecodeError) as error:
        said = str(error).removeprefix(path.name) if isinstance(error, RuleError) else ":1: document: not UTF-8"
        raise AmendmentError(f"{path}{said}") from error
    check_shape(reader)
    document = reader.document
    changes, change = read_rules(reader)
    patches: list[Patch] = [RuleMerge(json.dumps(change, sort_keys=False))] if change else []
    functions, function_file = (), None
    if "functions" in document:
        function_file = path.parent / document["functions"]
        if not function_file.is_file():
            raise reader.error(
                ("functions",), f"given {document['functions']!r}, expected a Python file beside this one"
            )
        patch, _ = read_functions(function_file)
        patches.append(patch)
        functions = tuple(f"{module}.{name}" for module, name, _ in patch.functions)
    return checked(
        Amendment(
            path=path,
            title=document["title"],
            question=document.get("question", ""),
            changes=tuple(changes),
            functions=functions,
            patches=tuple(patches),
            expects=read_expects(reader),
            compares_findings="findings" in document.get("expect", {}),
            function_file=function_file,
        )
    )


def key_marks(path: Path) -> Marks:
    """Return the line of every key of a YAML file, which is where a reader looks for what stands under it."""
    marks: Marks = {}
    todo: list[tuple[Place, yaml.Node | None]] = [((), yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader))]
    while todo:
        place, node = todo.pop()
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                here = (*place, str(key.value))
                marks[here] = (path, key.start_mark.line + 1)
                todo.append((here, value))
    return marks


def checked(amendment: Amendment) -> Amendment:
    """Return an amendment whose model can be made. Raises AmendmentError."""
    try:
        amendment.subject  # noqa: B018  # made for its complaints
    except PatchError as error:
        raise amendment.error(1, "rules", str(error)) from error
    except Exception as error:
        if amendment.function_file is None:
            raise
        # whatever the author's own module raises while it is imported
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise mistake(amendment.function_file, 1, "file", f"cannot be imported: {reason}") from error
    return amendment


def check_shape(reader: Reader) -> None:
    """Check the file against the schema of amendments. Raises AmendmentError for the first mistake in file order."""
    schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    mistakes = [shaped(reader, error) for error in Draft202012Validator(schema).iter_errors(reader.document)]
    if mistakes:
        # that nothing is amended matters only where every key is known
        _, place, message = min(mistakes, key=lambda one: (not one[1], one[0]))
        raise reader.error(place, message)


def shaped(reader: Reader, error: ValidationError) -> tuple[int, Place, str]:
    """Return line, place and message of a mistake in the file's shape."""
    place: Place = tuple(error.absolute_path)
    message, rule = told(error), schema_of(error)
    if error.validator == "additionalProperties":
        known = list(rule["properties"])
        assert isinstance(error.instance, Mapping)
        key = next(key for key in error.instance if key not in known)
        place, message = (*place, key), no_such("key", key, known)
    elif error.validator == "anyOf":
        message = "expected rules, functions or both"
    return locate(place, reader.marks)[1], place, message


def read_rules(reader: Reader) -> tuple[list[Change], dict[str, Any]]:
    """Return the changed values and the mapping to merge. Raises AmendmentError for what does not fit the base."""
    rules = reader.document.get("rules", {})
    base, marks = shipped_document()
    for section in rules:
        if section not in base and section != REASON:
            raise reader.error(("rules", section), no_such("section", section, list(base)))
    changes = list(read_changes(reader, ("rules",), rules, base, ""))
    change = without_reasons(rules)
    if not changes and rules:
        raise reader.error(("rules",), "changes nothing; expected at least one value")
    amended = merged(base, change)
    own = {place[1:]: mark for place, mark in reader.marks.items() if place[:1] == ("rules",)}
    check_amended(reader, change, amended, {**marks, **own})
    return changes, change


def read_changes(reader: Reader, place: Place, change: Any, base: Any, reason: str) -> Iterator[Change]:
    """Yield the changed values below a place, each with the nearest reason; a new row is one. Raises AmendmentError."""
    given = change.get(REASON, reason)
    if not isinstance(given, str) or (REASON in change and not given.strip()):
        raise reader.error((*place, REASON), f"given {given!r}, expected a sentence")
    for key, value in change.items():
        if key == REASON:
            continue
        here = (*place, key)
        old = base.get(key) if isinstance(base, Mapping) else None
        if isinstance(value, dict) and value:
            below = list(read_changes(reader, here, value, old, given))
            if old is None and below:
                reasons = "; ".join(dict.fromkeys(each.reason for each in below))
                yield Change(dotted(here[1:]), None, without_reasons(value), reasons)
            else:
                yield from below
            continue
        if not given:
            raise reader.error(here, f"no reason; expected one beside {key}, under the key {REASON}")
        if value is None and (not isinstance(base, Mapping) or key not in base):
            raise reader.error(here, "given null, which removes, but the base has nothing there")
        if value is not None and value == old and type(value) is type(old):
            raise reader.error(here, f"given {shown(value)}, which the base says already; expected another value")
        yield Change(dotted(here[1:]), old, value, given)


def without_reasons(change: Any) -> Any:
    """Return a mapping without the reasons in it."""
    if not isinstance(change, dict):
        return change
    return {key: without_reasons(value) for key, value in change.items() if key != REASON}


def check_amended(reader: Reader, change: Mapping[str, Any], amended: Mapping[str, Any], marks: Marks) -> None:
    """Check the amended rule data like any other. Raises AmendmentError at the place of the change."""
    schema = json.loads((RULES_FOLDER / "schema.json").read_text(encoding="utf-8"))
    mistakes = [misfit(error) for error in Draft202012Validator(schema).iter_errors(amended)]
    mistakes = mistakes or list(reference_mistakes(amended))
    if mistakes:
        place, message = min(mistakes, key=lambda one: located(reader, one[0], marks))
        if not located(reader, place, marks)[0]:
            raise reader.error(("rules", *place), message)
        # the mistake shows in a row that the amendment does not mention, but names what it does
        words = set(re.findall(r"\w+", message))
        for at, value in leaves(change):
            if value is None and at[-1] in words:
                raise reader.error(("rules", *at), f"given null, which removes what {dotted(place)} names")
            if at[-1] == place[-1] and words & set(map(str, at[:-1])):
                raise reader.error(("rules", *at), f"with this, {dotted(place)} is refused: {message}")
        raise reader.error(("rules",), f"{dotted(place)}: {message}")


def leaves(change: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield the places and values of what a change sets or removes."""
    if isinstance(change, dict):
        for key, value in change.items():
            yield from leaves(value, (*place, key))
    else:
        yield place, change


def located(reader: Reader, place: Place, marks: Marks) -> tuple[bool, int]:
    """Return whether a place is outside the amendment's file, and its line."""
    path, line = locate(place, marks)
    return path != reader.path, line


def read_expects(reader: Reader) -> tuple[Expectation, ...] | None:
    """Return the patterns of the expect section, None where there is none."""
    section = reader.document.get("expect")
    if section is None:
        return None
    flat = {key: value for key, value in section.items() if key != "findings"}
    places: dict[str, Place] = {key: ("expect", key) for key in flat}
    for key, value in section.get("findings", {}).items():
        flat[key], places[key] = value, ("expect", "findings", key)
    return tuple(
        Expectation(key, pattern, locate((*places[key], index), reader.marks)[1])
        for key, patterns in flat.items()
        for index, pattern in enumerate(patterns)
    )
