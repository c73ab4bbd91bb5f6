"""Vector files against the golden model and the declared classes; no solver is needed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from halfulp_formal.vectors.family import Family, UnknownConversion, family_of
from halfulp_formal.vectors.reading import CASE_KEYS, HEADER_KEYS, Line, Problem, VectorFile, read, short, show
from halfulp_formal.vectors.suite import MOST_CASES
from halfulp_formal.vectors.writing import (
    MANIFEST,
    MANIFEST_SCHEMA,
    SCHEMA,
    SCHEMA_FILE,
    SHIPPED_SCHEMA,
    SUFFIXES,
    header,
    is_minimised,
    manifest,
)
from halfulp_formal.wording import counted
from halfulp_model import Rejected

#: the keys of headers, of cases and of what is in them, in the order in which they are written
RANKS = {
    key: rank
    for rank, key in enumerate(
        (*HEADER_KEYS, *CASE_KEYS, "name", "sha256", "type", "bits", "sentence", "witnesses", "obligation")
    )
}


@dataclass
class Report:
    """What a check found."""

    files: int = 0
    cases: int = 0
    problems: list[Problem] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        """0 where all is well, 2 where a file cannot be read as vectors, else 1."""
        if any(problem.malformed for problem in self.problems):
            return 2
        return 1 if self.problems else 0


def check_paths(paths: Iterable[Path], *, classes: bool = False) -> Report:
    """Check files, and folders with all that their manifests name; with `classes` the cases by their classes as well."""
    report = Report()
    for path in paths:
        for file in check_folder(path, classes=classes) if path.is_dir() else [check_file(path, classes=classes)]:
            report.files += file.path.name != MANIFEST and readable(file)
            report.cases += len(file.lines)
            report.problems += file.problems
    return report


def readable(file: VectorFile) -> bool:
    """Tell whether a file could be read at all, if only by its digest."""
    return file.header is not None or not any(problem.malformed for problem in file.problems)


def check_folder(folder: Path, *, classes: bool = False) -> list[VectorFile]:
    """Check a folder: manifest, schema, every vector file by its digest, JSON Lines files by the model as well."""
    listing = VectorFile(folder / MANIFEST)
    entries = manifest_entries(listing)
    if entries is None:
        return [listing]
    schema = folder / SCHEMA_FILE
    if not schema.is_file() or schema.read_bytes() != SHIPPED_SCHEMA.read_bytes():
        listing.problems.append(
            Problem(schema, 1, "file", "another text" if schema.is_file() else "no file", "the schema", malformed=False)
        )
    present = {path.name for path in folder.iterdir() if path.suffix in SUFFIXES.values()}
    for name in sorted(present - set(entries)):
        listing.wrong(1, f"files.{name}", "nothing", "an entry, as the file is there")
    for name in sorted(set(entries) - present):
        listing.wrong(1, f"files.{name}", "an entry", "the file itself beside it")
    listed = sorted(set(entries) & present)
    return [listing, *(check_listed(folder / name, entries[name], classes=classes) for name in listed)]


def manifest_entries(listing: VectorFile) -> dict[str, Any] | None:
    """Return a manifest's entries by file name, None where it cannot be read."""
    try:
        content = listing.path.read_bytes()
        record = json.loads(content)
    except OSError as error:
        listing.malformed(1, "file", str(error.strerror or error), "a manifest")
        return None
    except (ValueError, RecursionError) as error:
        listing.malformed(1, "file", f"no JSON ({short(str(error))})", "a manifest")
        return None
    files = record.get("files") if isinstance(record, dict) else None
    if not isinstance(files, dict) or record.get("schema") != MANIFEST_SCHEMA:
        listing.malformed(1, "schema", show(record), MANIFEST_SCHEMA)
        return None
    written = manifest(files)
    if len(record) == 2 and content != written and json.loads(written) == record:
        line = content[: agreeing(content, written)].count(b"\n") + 1
        listing.wrong(
            line, "file", "another spacing, order or line end", "the text that `halfulp vectors write` writes"
        )
    return files


def check_listed(path: Path, listed: Any, *, classes: bool = False) -> VectorFile:
    """Check a file that a manifest names; a projection by its digest alone."""
    file = check_file(path, classes=classes) if path.suffix == SUFFIXES["jsonl"] else VectorFile(path)
    listed = listed if isinstance(listed, dict) else {}
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return file
    # what is wrong in the file has been told, and another digest follows from it
    if listed.get("sha256") != digest and not file.problems:
        file.wrong(1, "sha256", digest, f"{listed.get('sha256')}, as the manifest says")
    if file.header is not None and listed.get("count") != file.header["count"]:
        file.wrong(1, "count", str(file.header["count"]), f"{listed.get('count')}, as the manifest says")
    return file


def check_file(path: Path, *, classes: bool = False) -> VectorFile:
    """Check one JSON Lines file: its shape, its header, the counts of its classes, and every case on the model.

    classes: also whether every case is in its class, and none in a class that is said to be unreachable.
    """
    file = read(path)
    if file.header is None:
        return file
    if file.header["schema"] != SCHEMA:
        file.malformed(1, "schema", show(file.header["schema"]), SCHEMA)
        return file
    try:
        family = family_of(file.header["conversion"])
    except UnknownConversion as error:
        file.malformed(1, "conversion", show(file.header["conversion"]), f"one with vector files: {error}")
        return file
    if not check_header(file, family):
        return file
    check_classes(file, family)
    for line in file.lines:
        check_case(file, family, line)
    check_text(file)
    if classes:
        # the formulas of the classes are loaded only where they are wanted
        from halfulp_formal.vectors.membership import check_membership  # noqa: PLC0415

        check_membership(file, family)
    return file


def check_header(file: VectorFile, family: Family) -> bool:
    """Compare the header with the rows; False where the cases cannot be run because their fields are others."""
    assert file.header is not None
    expected = header(family.describe(file.header["conversion"]), minimised=is_minimised(file.header))
    for key, value in expected.items():
        if file.header[key] != value:
            file.wrong(1, key, show(file.header[key]), show(value))
    return all(file.header[key] == expected[key] for key in ("inputs", "outputs"))


def check_classes(file: VectorFile, family: Family) -> None:
    """Compare the header's classes with the declared ones, and their counts with the cases."""
    assert file.header is not None
    name, given = file.header["conversion"], file.header["classes"]
    declared = family.classes(name)
    names = [each["name"] for each in given]
    if names != [corner.name for corner in declared]:
        missing = [corner.name for corner in declared if corner.name not in names]
        extra = [each for each in names if each not in {corner.name for corner in declared}]
        file.wrong(1, "classes", short(f"missing {missing}, unknown {extra}"), f"the {len(declared)} declared ones")
        return
    counts = Counter(line.corner for line in file.lines)
    unknowns = sorted(set(counts) - set(names))
    for unknown in unknowns:
        file.wrong(
            next(line.number for line in file.lines if line.corner == unknown),
            "class",
            show(unknown),
            "a class of the header",
        )
    # where lines are missing, cannot be read or are of no class, nothing follows from how many cases a class has
    whole = not unknowns and not any(problem.malformed for problem in file.problems)
    for each, corner in zip(given, declared, strict=True):
        where = f"classes.{corner.name}"
        record: dict[str, Any] = {"name": corner.name, "sentence": corner.sentence}
        if whole and counts[corner.name]:
            record |= {"witnesses": counts[corner.name]}
        elif whole:
            record |= {"witnesses": "unreachable", "obligation": f"{name}.class.{corner.name}"}
        for key in dict.fromkeys([*record, *each] if whole else record):
            if each.get(key) != record.get(key):
                file.wrong(1, f"{where}.{key}", show(each.get(key)), show(record.get(key)))
    if len(file.lines) > MOST_CASES:
        file.wrong(1, "count", str(len(file.lines)), f"at most {MOST_CASES}")


def check_text(file: VectorFile) -> None:
    """Compare a file with its canonical text: line ends, spacing, order of keys; the first line with each fault is named."""
    if any(problem.malformed for problem in file.problems):
        return
    lines = file.path.read_bytes().decode("ascii").split("\n")[:-1]
    returns = [number for number, line in enumerate(lines, start=1) if line.endswith("\r")]
    if returns:
        file.wrong(returns[0], "line end", f"CR LF{others(returns)}", "LF alone, as `halfulp vectors write` has it")
    differing = {}
    for number, line in enumerate(lines, start=1):
        given, expected = line.removesuffix("\r"), json.dumps(canonical(json.loads(line)))
        if given != expected:
            differing[number] = given, expected
    if differing:
        number, (given, expected) = next(iter(differing.items()))
        place = agreeing(given, expected)
        told, wanted = (short(repr(text[place:])) for text in (given, expected))
        file.wrong(
            number,
            f"column {place + 1}",
            f"{told}{others(list(differing))}",
            f"{wanted}, as `halfulp vectors write` spaces and orders it",
        )


def agreeing(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many places agree before the first that does not."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def others(numbers: list[int]) -> str:
    """Say on how many lines a fault is found beside the first."""
    return f" (so on {counted(len(numbers) - 1, 'more line')})" if len(numbers) > 1 else ""


def canonical(value: Any) -> Any:
    """Return a JSON value of a line with its keys in the order in which they are written."""
    if isinstance(value, list):
        return [canonical(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: canonical(value[key]) for key in sorted(value, key=lambda key: RANKS.get(key, len(RANKS)))}


def check_case(file: VectorFile, family: Family, line: Line) -> None:
    """Run one case on the model, and on its twins."""
    assert file.header is not None
    name = file.header["conversion"]
    outputs = family.describe(name).outputs
    own: tuple[int, ...] = ()
    # a wrong list of twins is told of the header; the cases are for the right ones
    for runner in (name, *family.twins(name)):
        try:
            results = family.run(runner, line.inputs)
        except Rejected as error:
            file.wrong(line.number, "in", f"inputs that {runner} rejects", f"legal ones ({error})")
            return
        if results == own:
            continue  # what is wrong has been told of the conversion itself
        own = own or results
        for each, given, result in zip(outputs, line.outputs, results, strict=True):
            if given != result:
                of = "" if runner == name else f" of {runner}"
                file.wrong(line.number, f"out.{each.name}{of}", each.text(given), each.text(result))
    why = family.why(name, line.inputs)
    if line.why != why:
        file.wrong(line.number, "why", show(line.why), show(why))
