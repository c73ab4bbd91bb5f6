"""Definite verdicts kept between runs, one small JSON file each, under the query's digest and the solver's version."""

from __future__ import annotations

import json
import os
import platform
import shutil
from contextlib import suppress
from dataclasses import dataclass
from functools import cache as once
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halfulp_formal.obligation import Proof, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_PARTS = ("verdicts", "names")
_TIMES = "times.json"
# Source states whose name index is kept; older ones go when a run ends.
_STATES_KEPT = 8
# What turns an obligation into a verdict: a change there makes every stored verdict unknown.
_MACHINERY = (
    "abstraction.py",
    "cache.py",
    "dag.py",
    "decide.py",
    "evaluate.py",
    "minimise.py",
    "obligation.py",
    "smtlib.py",
    "specialise.py",
    "steps.py",
    "solvers",
)


def default_folder() -> Path:
    """$XDG_CACHE_HOME/halfulp, or ~/.cache/halfulp where that is unset or relative."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (base if base.is_absolute() else Path.home() / ".cache") / "halfulp"


def _texts(root: Path) -> Iterator[Path]:
    if root.is_file():
        yield root
    else:
        yield from sorted(p for p in root.rglob("*") if p.suffix in {".py", ".yaml", ".yml", ".json"})


def _digest(roots: Iterable[Path], *extra: str) -> str:
    whole = sha256(f"python {platform.python_version()}, pysmt {version('pysmt')}".encode())
    for root in roots:
        for path in _texts(root):
            content = path.read_bytes()
            whole.update(f"\n{path.relative_to(root.parent).as_posix()} {len(content)}\n".encode())
            whole.update(content)
    for text in extra:
        whole.update(f"\n{len(text)} {text}".encode())
    return whole.hexdigest()


def _packages() -> list[Path]:
    found = find_spec("halfulp_model")
    places = list(found.submodule_search_locations or ()) if found else []
    return [*map(Path, places), Path(__file__).parent]


def source_digest(*extra: str) -> str:
    """The sha256 of both packages' source texts and rule data, Python's and pySMT's version, and extra texts.

    Extra texts stand for whatever else the obligations are built from, such as an amendment of the rules.
    """
    return _digest(_packages(), *extra)


def source_stamps() -> tuple[Stamp, ...]:
    """Every file behind `source_digest` with its size and the time of its last change; take them before the digest."""
    return tuple(_stamp(str(path)) for root in _packages() for path in _texts(root))


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)  # noqa: PTH116  # asked hundreds of times a verdict; a Path costs more than the call
    except OSError:
        return path, -1, -1
    return path, found.st_size, found.st_mtime_ns


#: a file's path, its size and the time of its last change in nanoseconds
Stamp = tuple[str, int, int]


@once
def _machinery() -> str:
    return _digest([Path(__file__).parent / part for part in _MACHINERY])


@dataclass(frozen=True)
class Cache:
    """A folder of verdicts; any number of processes may use it at once.

    `engine` below names solver and version, and the second solver's if there is one. Reading never fails: what is
    damaged counts as absent. Writing replaces whole files; where the folder cannot be written, nothing is kept.
    """

    folder: Path
    sources: str = ""  #: `source_digest()` of what the obligations are built from; "" where that is not known
    stamps: tuple[Stamp, ...] = ()  #: `source_stamps()`: a name is not remembered once one of these files has changed

    @classmethod
    def of_sources(cls, folder: Path) -> Cache:
        """The cache in a folder, for obligations that are built from the packages as they are now."""
        stamps = source_stamps()
        return cls(folder, source_digest(), stamps)

    def verdict(self, query: str, engine: str) -> Proof | None:
        """The stored proof of a query, under the name it had then. The caller replays a witness."""
        path = self._verdict_path(query, engine)
        proof = _proof(_read(path))
        return proof if proof is not None and proof.query == query else None

    def recall(self, name: str, engine: str) -> Proof | None:
        """The proof of an obligation by its name, if nothing it is built from has changed since.

        A witness is the one that was replayed on these very sources, whatever the query's own entry says by now.
        """
        if not self.sources:
            return None
        entry = _read(self._name_path(name, engine))
        if entry is None or entry.get("name") != name or not isinstance(entry.get("query"), str):
            return None
        proof = self.verdict(entry["query"], engine)
        return proof and _proof({**_record(proof), **entry})

    def store(self, proof: Proof, engine: str) -> None:
        """Keep a PROVED or REFUTED proof; others say nothing about the query and are not kept."""
        if proof.verdict not in (Verdict.PROVED, Verdict.REFUTED) or not proof.query:
            return
        _write(self._verdict_path(proof.query, engine), _record(proof))
        self.store_name(proof, engine)

    def store_name(self, proof: Proof, engine: str) -> None:
        """Remember which query an obligation of that name stands for, and the witness that was replayed for it."""
        definite = proof.verdict in (Verdict.PROVED, Verdict.REFUTED)
        if self.sources and definite and all(_stamp(stamp[0]) == stamp for stamp in self.stamps):
            entry = {
                "name": proof.name,
                "query": proof.query,
                "conversion": proof.conversion,
                "expect": proof.expect.value,
                "validated": proof.validated,
                "witness": None if proof.witness is None else dict(proof.witness),
            }
            _write(self._name_path(proof.name, engine), entry)

    def times(self) -> dict[str, float]:
        """The seconds that obligations took when they were last decided, by whatever key they were recorded."""
        found = _read(self.folder / _TIMES) or {}
        return {key: float(value) for key, value in found.items() if isinstance(value, int | float)}

    def record_times(self, times: Mapping[str, float]) -> None:
        """Add to the recorded times."""
        if times:
            merged = {**self.times(), **{key: round(value, 3) for key, value in times.items()}}
            _write(self.folder / _TIMES, merged)

    def prune(self) -> None:
        """Drop the name index of all but the latest states of the sources."""
        try:
            states = sorted((self.folder / "names").iterdir(), key=lambda path: path.stat().st_mtime)
        except OSError:
            return
        for path in states[:-_STATES_KEPT]:
            shutil.rmtree(path, ignore_errors=True)

    def size(self) -> tuple[int, int]:
        """The number of stored verdicts and the bytes of all files."""
        files = [path for part in _PARTS for path in (self.folder / part).rglob("*") if path.is_file()]
        verdicts = sum(path.suffix == ".json" and path.parts[-3] == "verdicts" for path in files)
        return verdicts, sum(path.stat().st_size for path in files)

    def clear(self) -> None:
        """Forget everything; files that are not the cache's own stay."""
        for part in _PARTS:
            shutil.rmtree(self.folder / part, ignore_errors=True)
        with suppress(OSError):
            (self.folder / _TIMES).unlink()

    def _verdict_path(self, query: str, engine: str) -> Path:
        key = sha256(f"{_machinery()}\n{query}\n{engine}".encode()).hexdigest()
        return self.folder / "verdicts" / key[:2] / f"{key}.json"

    def _name_path(self, name: str, engine: str) -> Path:
        key = sha256(f"{_machinery()}\n{name}\n{engine}".encode()).hexdigest()
        return self.folder / "names" / self.sources[:32] / f"{key}.json"


def _record(proof: Proof) -> dict[str, Any]:
    return {
        "name": proof.name,
        "conversion": proof.conversion,
        "verdict": proof.verdict.value,
        "expect": proof.expect.value,
        "solver": proof.solver,
        "version": proof.version,
        "seconds": round(proof.seconds, 3),
        "query": proof.query,
        "witness": None if proof.witness is None else dict(proof.witness),
        "detail": proof.detail,
        "second": proof.second,
        "validated": proof.validated,
    }


def _proof(record: dict[str, Any] | None) -> Proof | None:
    """The proof a record tells of; None for anything that is not a whole record of a definite verdict."""
    if record is None:
        return None
    try:
        words = {key: record[key] for key in ("name", "conversion", "solver", "version", "query", "detail", "second")}
        witness = record["witness"]
        proof = Proof(
            verdict=Verdict(record["verdict"]),
            expect=Verdict(record["expect"]),
            seconds=float(record["seconds"]),
            witness=None if witness is None else {str(key): int(value) for key, value in witness.items()},
            cached=True,
            validated=int(record["validated"]),
            **words,
        )
    except (KeyError, ValueError, TypeError, AttributeError):
        return None
    definite = proof.verdict in (Verdict.PROVED, Verdict.REFUTED)
    refuted = proof.verdict is Verdict.REFUTED
    whole = all(isinstance(word, str) for word in words.values()) and refuted == (witness is not None)
    return proof if definite and whole else None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _write(path: Path, content: Mapping[str, Any]) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(json.dumps(content, sort_keys=True) + "\n", encoding="utf-8")
        temporary.replace(path)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
