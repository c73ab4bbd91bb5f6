"""`halfulp ties`: the complete tie sets, written as recipe and digest, checked, and printed in full."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

app = typer.Typer(
    no_args_is_help=True, help="Every exact tie from FP32 into a narrower format, and its two neighbours."
)


@app.command("write")
def write_sets(
    out: Path = typer.Option(..., "--out", metavar="DIR", help="Where the files go; it is made if it is missing."),
) -> int:
    """Write one file a tie set: how its text is made, how many ties it has, and the text's digest."""
    from halfulp_formal.reporting import check_writable, write_whole
    from halfulp_formal.ties import RECIPES, as_json, digest

    from .folders import make_folder

    make_folder("--out", out)
    for name in RECIPES:
        check_writable(out / f"{name}.json")
    for name, recipe in RECIPES.items():
        record = digest(recipe)
        write_whole(out / f"{name}.json", as_json(record))
        print(f"{name}: {record['count']:,} ties, sha256 {record['sha256']}")
    return 0


@app.command("check")
def check_sets(folder: Path = typer.Argument(..., metavar="DIR", help="A folder that `write` filled.")) -> int:
    """Make every tie set again and compare it with its file; all files are read before anything is made."""
    from halfulp_formal.ties import RECIPES, MalformedTies, digest, read

    from .failures import Refused

    records = {}
    for name in RECIPES:
        path = folder / f"{name}.json"
        try:
            records[name] = read(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise Refused(f"cannot read {path}: {error.strerror}") from error
        except (MalformedTies, UnicodeDecodeError) as error:
            raise Refused(f"{path}: {error}") from error
    code = 0
    for name, recipe in RECIPES.items():
        expected = digest(recipe)
        differing = [member for member in expected if records[name][member] != expected[member]]
        for member in differing:
            print(f"{name}: {member} is {records[name][member]}; expected {expected[member]}")
            code = 1
        if not differing:
            print(f"{name}: {expected['count']:,} ties as expected")
    return code


@app.command("print")
def print_set(name: str = typer.Argument(..., help="A tie set, such as cvt.fp32.fp16.")) -> int:
    """Print the text of a tie set: one line a case, source code, then destination code:flags for each rounding mode."""
    from halfulp_formal.ties import RECIPES, lines

    from .failures import Refused

    if name not in RECIPES:
        raise Refused(f"{name} is not a tie set; expected {', '.join(RECIPES)}")
    sys.stdout.writelines(lines(RECIPES[name]))
    return 0
