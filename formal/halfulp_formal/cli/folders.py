"""What the commands that write files and folders have in common."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from .failures import Refused

if TYPE_CHECKING:
    from halfulp_formal.vectors.suite import Suite

FORMATS = "jsonl, testfloat, readmemh, csv, c or v64"

#: every option that names a file or a folder, whatever the command
PLACES = ("--out", "--output", "-o", "--json", "--junit", "--report", "--dump", "--vectors", "--times", "--mutants")


def check_places(words: Sequence[str]) -> None:
    """Raise Refused for an empty path, such as an unset variable gives: it would be the current folder."""
    own = words[: words.index("--")] if "--" in words else words
    for option, value in pairwise([*own, "-"]):
        if (option in PLACES and not value) or (option.removesuffix("=") in PLACES and option.endswith("=")):
            raise Refused(f"{option.removesuffix('=')}: given an empty path, expected that of a file or folder")


def check_folder(option: str, folder: Path) -> None:
    """Raise Refused for a folder to write to that can be neither used nor made; nothing is made.

    Of a path the last folder alone is made: what it is to stand in must be there, or a slip in the path would go unseen.
    """
    if folder.exists() and not folder.is_dir():
        raise Refused(f"{option} {folder}: is a file; expected a folder")
    if not folder.exists() and not folder.parent.is_dir():
        raise Refused(
            f"{option} {folder}: {folder.parent} is not a folder; expected one in which {folder.name} can be made"
        )
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK | os.X_OK):
        raise Refused(f"{option} {folder}: permission denied")


def make_folder(option: str, folder: Path) -> None:
    """Make a folder to write to if it is missing. Raises Refused."""
    check_folder(option, folder)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise Refused(f"{option} {folder}: {error.strerror}") from error


def check_target(out: Path, fmt: str) -> None:
    """Raise Refused for a format that there is none of, no folder to write to, and a manifest not ours."""
    from halfulp_formal.vectors.writing import SUFFIXES, known_entries

    if fmt not in SUFFIXES:
        raise Refused(f"--format {fmt}: expected {FORMATS}")
    check_folder("--out", out)
    with refusing(out):
        known_entries(out)


def write_to(out: Path, suites: Sequence[Suite], fmt: str, *, whole: bool) -> None:
    """Write suites to the folder that --out names, as `write_folder` does. Raises Refused where that cannot be."""
    from halfulp_formal.vectors.writing import write_folder

    with refusing(out):
        write_folder(out, suites, fmt, whole=whole)


@contextmanager
def refusing(out: Path) -> Iterator[None]:
    """Raise Refused, naming --out, for what the system says of the folder; an error of ours names its file itself."""
    try:
        yield
    except OSError as error:
        raise Refused(f"--out {out}: {error.strerror}" if error.strerror else f"--out {error}") from error


def check_planes(names: Iterable[str], fmt: str) -> None:
    """Raise Refused for a conversion whose cases do not make up v64 planes, where these are asked for."""
    from halfulp_formal.vectors.family import family_of
    from halfulp_formal.vectors.projections import has_planes

    for name in names if fmt == "v64" else ():
        if not has_planes(family_of(name).describe(name)):
            raise Refused(f"--format v64: {name} has no v64 planes; expected conversions of bfp16")
