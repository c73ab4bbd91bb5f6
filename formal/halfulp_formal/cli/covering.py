"""`halfulp coverage`: what somebody else's vectors for a conversion cover, and what they miss."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from halfulp_formal.wording import counted, noun_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from halfulp_formal.mutants.coverage import Coverage
    from halfulp_formal.mutants.foreign import Foreign
    from halfulp_formal.vectors.family import Description, Field

STDOUT = Path("-")

#: lines of one sort, such as missed mutants, that are printed before the rest is only counted; --json has them all
MOST_LINES = 40


def show_coverage(
    paths: list[Path] = typer.Argument(
        ...,
        metavar="FILE…",
        help="JSON Lines, CSV (by its ending .csv), else TestFloat-style text: operands, results, flags.",
    ),
    conversion: str = typer.Option("", metavar="NAME", help="The conversion; only JSON Lines files name theirs."),
    vectors: Path = typer.Option(Path("vectors"), "--vectors", metavar="DIR", help="The folder of the shipped files."),
    json_file: Path | None = typer.Option(None, "--json", metavar="FILE", help="Write JSON; - means stdout."),
) -> int:
    """Tell which corner classes and which mutants of the model vectors cover, all files together, and which they miss.

    Values are hexadecimal, operands in the order of the conversion's inputs (the header of its own vector file). Flags are
    shown in the order of our own files.

    Exit code 1: a case expects something else than the model gives. 2: a file cannot be read as vectors.
    """
    import json

    from halfulp_formal.mutants.coverage import coverage
    from halfulp_formal.mutants.foreign import Unreadable, cases_of, conversion_of
    from halfulp_formal.reporting import check_writable, write_whole
    from halfulp_formal.vectors.family import UnknownConversion, family_of
    from halfulp_formal.vectors.reading import read

    from .failures import Refused

    if json_file not in (None, STDOUT):
        check_writable(json_file)
    try:
        for path in paths:
            if not path.is_file():
                raise Refused(f"cannot read {path}: {'it is a folder' if path.is_dir() else 'no such file'}")
        names = {conversion} if conversion else {name for path in paths if (name := conversion_of(path)) is not None}
        if len(names) != 1:
            given = " and ".join(sorted(names)) or "none"
            raise Refused(f"conversion: given {given}, expected one; name it with --conversion")
        name = names.pop()
        description = family_of(name).describe(name)
        cases = [case for path in paths for case in cases_of(path, description)]
    except (Unreadable, UnknownConversion) as error:
        raise Refused(str(error)) from error
    shipped = vectors / f"{name}.jsonl"
    own = read(shipped) if shipped.is_file() else None
    found = coverage(name, cases, None if own is None else [line.inputs for line in own.lines])
    if own is not None and own.header is not None:
        # what is proved empty is no gap
        for each in own.header["classes"]:
            if each["witnesses"] == "unreachable":
                found.classes.pop(each["name"], None)
    sentences = {corner.name: corner.sentence for corner in family_of(name).classes(name)}
    code = 1 if found.different else 0
    if json_file == STDOUT:
        print(json.dumps(record(found, description), indent=1))
        return code
    if json_file is not None:
        write_whole(json_file, json.dumps(record(found, description), indent=1) + "\n")
    print(text(found, description, sentences, known=own is not None))
    return code


def record(found: Coverage, description: Description) -> dict[str, object]:
    """Return what was found for a machine."""

    def case_record(case: Foreign) -> dict[str, object]:
        given = texts(description.inputs, case.inputs), texts(description.outputs, case.outputs)
        return {"place": case.place, "in": given[0], "out": given[1]}

    return {
        **vars(found),
        "illegal": [{**case_record(case), "reason": reason} for case, reason in found.illegal],
        "different": [
            {**case_record(each.case), "model": texts(description.outputs, each.right)} for each in found.different
        ],
    }


def texts(fields: Sequence[Field], values: Sequence[int]) -> list[str]:
    """Return values in hex."""
    return [field.text(value) for field, value in zip(fields, values, strict=True)]


def text(found: Coverage, description: Description, sentences: Mapping[str, str], *, known: bool) -> str:
    """Return what was found, what is missed last."""

    def inputs(case: Foreign) -> str:
        return f"{case.place}: inputs {' '.join(texts(description.inputs, case.inputs))}"

    def outputs(values: Sequence[int]) -> str:
        return " ".join(texts(description.outputs, values))

    ties = "" if found.ties is None else f", {found.ties:,} of them exact ties"
    lines = [f"{found.conversion}: {counted(found.cases, 'case')}{ties}"]
    if found.repeated:
        lines.append(f"  {counted(found.repeated, 'repeats', 'repeat')} the inputs of another")
    if number := len(found.illegal):
        nothing = f"{noun_for(number, 'covers', 'cover')} nothing"
        lines.append(f"  {counted(number, 'has', 'have')} inputs that the model rejects, and {nothing}:")
        lines += shortened([f"{inputs(case)}: {reason}" for case, reason in found.illegal])
    if found.different:
        lines.append(f"  {counted(len(found.different), 'expects', 'expect')} something else than the model gives:")
        lines += shortened(
            [
                f"{inputs(each.case)}, expected {outputs(each.case.outputs)}, the model gives {outputs(each.right)}"
                for each in found.different
            ]
        )
    covered = len(found.classes) - len(found.empty)
    lines.append(f"corner classes: {covered:,} of {len(found.classes):,} covered")
    lines += shortened([f"missed {name}: {sentences[name]}" for name in found.empty])
    if found.killed or found.missed:
        total = len(found.killed) + len(found.missed)
        lines.append(f"mutants: {len(found.killed):,} of {total:,} killed")
        if found.missed:
            lines.append(
                "  those that the shipped file kills:" if known else "  some of those missed may be equivalent:"
            )
        lines += shortened([f"missed {name}: {what}" for name, what in found.missed.items()])
    else:
        lines.append("mutants: none are made for this conversion")
    return "\n".join(lines)


def shortened(lines: list[str]) -> list[str]:
    """Return lines one step to the right, the first ones of many."""
    more = [f"  and {len(lines) - MOST_LINES:,} more; --json names them"] if len(lines) > MOST_LINES else []
    return [*(f"  {line}" for line in lines[:MOST_LINES]), *more]
