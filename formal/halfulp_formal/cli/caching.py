"""`halfulp cache`: what is kept between runs, and how to forget it."""

from __future__ import annotations

import json

import typer

from halfulp_formal.wording import counted

app = typer.Typer(no_args_is_help=True, help="Verdicts and witnesses kept between runs: how many, and forget them.")


@app.command("info")
def info(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> int:
    """Say where verdicts are kept, how many there are and how much room they take."""
    from halfulp_formal.cache import Cache, default_folder

    folder = default_folder()
    verdicts, size = Cache(folder).size()
    if as_json:
        print(json.dumps({"folder": str(folder), "verdicts": verdicts, "bytes": size}))
    else:
        print(f"{folder}: {counted(verdicts, 'verdict')}, {size / 1e6:,.1f} MB")
    return 0


@app.command("clear")
def clear() -> int:
    """Forget every verdict, witness and time; other files in the folder stay."""
    from halfulp_formal.cache import Cache, default_folder

    cache = Cache(default_folder())
    verdicts, size = cache.size()
    cache.clear()
    print(f"{cache.folder}: {counted(verdicts, 'verdict')}, {size / 1e6:,.1f} MB forgotten")
    return 0
