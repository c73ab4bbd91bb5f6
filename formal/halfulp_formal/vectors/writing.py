"""Vector files as text, and whole folders of them: JSON Lines, manifest, schema; all in place or nothing."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from halfulp_formal.vectors import projections
from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.suite import ClassEntry, Suite, VectorCase, recipe

SCHEMA = "halfulp-vectors/1"
MANIFEST_SCHEMA = "halfulp-vectors-manifest/1"
MANIFEST, SCHEMA_FILE = "manifest.json", "schema.json"
SHIPPED_SCHEMA = Path(__file__).parent / SCHEMA_FILE

#: file name endings by format; JSON Lines is the canonical one
SUFFIXES = {"jsonl": ".jsonl", "testfloat": ".testfloat", "readmemh": ".hex", "csv": ".csv", "c": ".h", "v64": ".v64"}


def is_minimised(head: Mapping[str, Any]) -> bool:
    """Tell whether a header says that cases were left out."""
    return bool(head["recipe"] == recipe(head["conversion"], minimised=True))


def header(description: Description, *, minimised: bool = False) -> dict[str, Any]:
    """Return a header without its classes and its count."""
    return {
        "schema": SCHEMA,
        "conversion": description.conversion,
        "twins": list(description.twins),
        "rules": {"name": description.rules[0], "sha256": description.rules[1]},
        "rounding": description.rounding,
        "saturate": description.saturate,
        "relu": description.relu,
        "inputs": [field_record(field) for field in description.inputs],
        "outputs": [field_record(field) for field in description.outputs],
        "recipe": recipe(description.conversion, minimised=minimised),
    }


def field_record(field: Field) -> dict[str, Any]:
    """Return what a header says of an input or output."""
    return {"name": field.name, "type": field.type, "bits": field.bits}


def class_record(entry: ClassEntry) -> dict[str, Any]:
    """Return what a header says of a class."""
    record: dict[str, Any] = {"name": entry.name, "sentence": entry.sentence}
    if entry.unreachable is None:
        return {**record, "witnesses": entry.witnesses}
    return {**record, "witnesses": "unreachable", "obligation": entry.unreachable}


def case_record(description: Description, case: VectorCase) -> dict[str, Any]:
    """Return one case as its line says it."""
    return {
        "tc": case.tc,
        "class": case.corner,
        "in": [field.text(value) for field, value in zip(description.inputs, case.inputs, strict=True)],
        "out": [field.text(value) for field, value in zip(description.outputs, case.outputs, strict=True)],
        "why": case.why,
    }


def json_lines(suite: Suite) -> str:
    """Return the canonical file of a suite: the header, then a line a case."""
    head = header(suite.description, minimised=suite.minimised)
    top = {**head, "classes": [class_record(entry) for entry in suite.classes]}
    records = [{**top, "count": len(suite.cases)}]
    records += [case_record(suite.description, case) for case in suite.cases]
    return "".join(json.dumps(record) + "\n" for record in records)


def render(suite: Suite, fmt: str) -> tuple[str, bytes]:
    """Return name and content of a suite's file in a format of `SUFFIXES`."""
    writer = json_lines if fmt == "jsonl" else projections.WRITERS[fmt]
    return suite.description.conversion + SUFFIXES[fmt], writer(suite).encode("ascii")


def manifest(entries: Mapping[str, Mapping[str, Any]]) -> bytes:
    """Return the manifest of a folder."""
    record = {"schema": MANIFEST_SCHEMA, "files": dict(sorted(entries.items()))}
    return (json.dumps(record, indent=1) + "\n").encode("ascii")


def entry(content: bytes, count: int) -> dict[str, Any]:
    """Return what a manifest says of a file."""
    return {"sha256": hashlib.sha256(content).hexdigest(), "count": count}


def write_folder(folder: Path, suites: Sequence[Suite], fmt: str, *, whole: bool) -> list[Path]:
    """Write suites in a format, with manifest and schema, and return the vector files.

    All content goes to temporary files first, which are renamed at the end, the manifest last. With `whole` the folder
    loses the files of this format that its manifest names and that were not written; else the manifest keeps them.
    Raises OSError where the folder cannot be written or its manifest is somebody else's; then nothing has changed.
    """
    contents = dict(render(suite, fmt) for suite in suites)
    counts = {suite.description.conversion + SUFFIXES[fmt]: len(suite.cases) for suite in suites}
    old = known_entries(folder)
    stale = {name for name in old if whole and name not in contents and Path(name).suffix == SUFFIXES[fmt]}
    entries = {name: record for name, record in old.items() if name not in stale}
    entries |= {name: entry(content, counts[name]) for name, content in contents.items()}
    replace_files(folder, {SCHEMA_FILE: SHIPPED_SCHEMA.read_bytes(), **contents, MANIFEST: manifest(entries)})
    for name in stale:
        with suppress(FileNotFoundError):
            (folder / name).unlink()
    return [folder / name for name in contents]


def known_entries(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what a folder's manifest says, nothing where there is none.

    Raises OSError, naming the file, where it is no manifest of vector files: whoever wrote it would miss it.
    """
    path = folder / MANIFEST
    try:
        record = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        record = None
    files = record.get("files") if isinstance(record, dict) and record.get("schema") == MANIFEST_SCHEMA else None
    if not isinstance(files, dict):
        raise FileExistsError(f"{path}: is no manifest of vector files; expected a folder without it")
    return {str(name): entry for name, entry in files.items()}


def replace_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files whole: temporary ones first, then renamed in the given order."""
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".writing-") as place:
        temporary = Path(place)
        for name, content in contents.items():
            (temporary / name).write_bytes(content)
        for name in contents:
            (temporary / name).replace(folder / name)
