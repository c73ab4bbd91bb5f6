"""Import arrows read from the source: they hold for folders that are no packages and modules yet to come."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# folder or module, and what no file in it may import
ARROWS = [
    (
        "model/halfulp_model",
        ("halfulp_formal", "pysmt", "bitwuzla", "z3", "cvc5", "numpy", "ml_dtypes", "gfloat"),
    ),
    ("formal/halfulp_formal/bits.py", ("halfulp_model", "halfulp_formal.lift")),
    ("formal/halfulp_formal/encodings", ("halfulp_model", "halfulp_formal.lift")),
    ("formal/halfulp_formal/properties", ("halfulp_formal.encodings",)),
    ("tests/oracle", ("halfulp_model", "halfulp_formal", "yaml")),
]


def imported(path: Path) -> Iterator[str]:
    """Absolute dotted names a file imports, relative ones resolved against its package."""
    package = path.relative_to(ROOT).with_suffix("").parts[1:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def files(place: str) -> list[Path]:
    path = ROOT / place
    return [path] if path.suffix == ".py" and path.exists() else sorted(path.rglob("*.py"))


@pytest.mark.parametrize(("place", "forbidden"), ARROWS, ids=[place for place, _ in ARROWS])
def test_arrows_point_one_way(place: str, forbidden: tuple[str, ...]) -> None:
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in files(place)
        for name in imported(path)
        if any(name == root or name.startswith(f"{root}.") for root in forbidden)
    ]
    assert wrong == []


def test_solver_libraries_enter_by_the_solvers_folder() -> None:
    libraries = ("bitwuzla", "z3", "cvc5")
    users = {
        path.parent.name
        for path in files("formal/halfulp_formal")
        if any(name.partition(".")[0] in libraries for name in imported(path))
    }
    assert users == {"solvers"}


def test_a_forbidden_import_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "formal" / "halfulp_formal" / "encodings"
    package.mkdir(parents=True)
    source = package / "scale.py"
    source.write_text("import z3.z3util\nfrom ..lift import terms\nfrom . import shift\n", encoding="utf-8")
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    assert list(imported(source)) == [
        "z3.z3util",
        "halfulp_formal.lift.terms",
        "halfulp_formal.encodings.shift",
    ]
