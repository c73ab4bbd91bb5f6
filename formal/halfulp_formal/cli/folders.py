"""What the commands that write a folder of vector files have in common."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .failures import Refused

FORMATS = "jsonl, testfloat, readmemh, csv, c or v64"


def check_target(out: Path, fmt: str) -> None:
    """Raise Refused for a format that there is none of, and for a file where a folder is to be."""
    from halfulp_formal.vectors.writing import SUFFIXES

    if fmt not in SUFFIXES:
        raise Refused(f"--format {fmt}: expected {FORMATS}")
    if out.exists() and not out.is_dir():
        raise Refused(f"--out {out}: is a file; expected a folder")


def check_planes(names: Iterable[str], fmt: str) -> None:
    """Raise Refused for a conversion whose cases do not make up v64 planes, where these are asked for."""
    from halfulp_formal.vectors.family import family_of
    from halfulp_formal.vectors.projections import has_planes

    for name in names if fmt == "v64" else ():
        if not has_planes(family_of(name).describe(name)):
            raise Refused(f"--format v64: {name} has no v64 planes; expected conversions of bfp16")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
