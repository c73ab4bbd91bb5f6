"""`halfulp vectors minimise`: vector files with as few cases as tell as much, for implementations that are slow to run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from halfulp_formal.wording import counted

from .failures import Refused
from .folders import FORMATS, check_planes, check_target, write_to

if TYPE_CHECKING:
    from halfulp_formal.mutants.cover import Minimised
    from halfulp_formal.vectors.reading import VectorFile


def minimise(
    paths: list[Path] = typer.Argument(..., metavar="FILE…", help="Vector files in JSON Lines."),
    out: Path = typer.Option(..., "--out", metavar="DIR", help="The folder to write to: another than the files'."),
    fmt: str = typer.Option("jsonl", "--format", metavar="FORMAT", help=f"{FORMATS}."),
    jobs: int | None = typer.Option(None, min=1, show_default="one a CPU", help="Worker processes."),
) -> int:
    """Write vector files again without the cases that are not needed; no solver is needed either.

    Every class that has a witness keeps one at least, and every mutant of the model that the file kills is still killed
    (see `halfulp mutants`). What the cases add beyond that, such as a second sign, is lost.
    """
    from itertools import groupby

    from halfulp_formal.mutants.cover import minimised
    from halfulp_formal.mutants.outcome import mapped
    from halfulp_formal.vectors.generate import arithmetic

    from .planning import cpu_count
    from .progress import Progress

    check_target(out, fmt)
    files = read_files(paths, out)
    check_planes(files, fmt)
    groups = [[files[name] for name in group] for _, group in groupby(files, key=arithmetic)]
    made: list[Minimised] = []
    with Progress(len(files), "file") as progress:
        for those in mapped(minimised, groups, jobs or cpu_count()):
            made += those
            for each in those:
                progress.step(each.suite.description.conversion, "minimised")
    write_to(out, [each.suite for each in made], fmt, whole=False)
    for each in made:
        print(told(each))
    cases = sum(len(each.suite.cases) for each in made)
    print(f"{out}: {counted(len(made), 'file')}, {cases:,} of {counted(sum(each.cases for each in made), 'case')}")
    return 0


def read_files(paths: list[Path], out: Path) -> dict[str, VectorFile]:
    """Return files by conversion, in their order. Raises Refused for one that does not pass its check."""
    from halfulp_formal.vectors.checking import check_file

    files: dict[str, VectorFile] = {}
    for path in paths:
        file = check_file(path)
        if file.problems:
            first, *more = file.problems
            raise Refused(f"{first}" + (f" ({len(more)} more)" if more else ""))
        assert file.header is not None
        name = file.header["conversion"]
        if name in files:
            raise Refused(f"{path}: conversion: given {name}, expected another one than in {files[name].path}")
        if path.resolve().parent == out.resolve():
            raise Refused(f"--out {out}: is the folder of {path}; expected another one")
        files[name] = file
    return files


def told(made: Minimised) -> str:
    """Return the line for a conversion."""
    suite = made.suite
    name, kept = suite.description.conversion, f"{len(suite.cases):,} of {counted(made.cases, 'case')}"
    classes = counted(sum(entry.unreachable is None for entry in suite.classes), "class", "classes")
    return f"{name}: {kept}; still {classes} met and {counted(made.mutants, 'mutant')} killed"
