import json
from bisect import bisect_left
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from halfulp_formal.cli import main
from halfulp_formal.ties import RECIPES, ROUNDINGS, MalformedTies, Recipe, as_json, digest, lines, lines_of, read, ties
from halfulp_model import Rejected
from oracle import formats, ieee_ocp

SHIPPED = Path(__file__).parents[2] / "vectors" / "ties"
COUNTS = {"fp16": 63_488, "bf16": 65_280, "e4m3": 254, "e5m2": 248, "hif8": 254}
#: where rounding to nearest would start to overflow: the largest finite number and half a unit in its last place
LAST_TIES: dict[str, int | Fraction] = {
    "FP16": 65_520,
    "BF16": (2 - Fraction(1, 256)) * 2**127,
    "E4M3": 464,
    "E5M2": 61_440,
    "HiF8": 40_960,
}
SMALL = ("cvt.fp32.e4m3", "cvt.fp32.e5m2", "cvt.fp32.hif8")
LARGE = ("cvt.fp32.fp16", "cvt.fp32.bf16")


def number(name, code):
    """The value of a code that is finite."""
    value = formats.value(name, code)
    assert value is not None
    return value


def by_definition(source: str, destination: str) -> set[int]:
    """Every code of a 16-bit source at equal distance from two numbers with none between, found by looking at all."""
    finite = [value for code in range(256) if (value := formats.value(destination, code)) is not None]
    beyond = 2 * LAST_TIES[destination] - max(finite)
    numbers = sorted({*finite, beyond, -beyond})
    found = set()
    for code in range(1 << 16):
        value = formats.value(source, code)
        if value is not None and -beyond < value < beyond:
            above = bisect_left(numbers, value)
            if numbers[above] - value == value - numbers[above - 1]:
                found.add(code)
    return found


@pytest.mark.parametrize("destination", ["E4M3", "E5M2", "HiF8"])
def test_no_tie_of_a_small_source_is_missing(destination):
    found = list(ties("FP16", destination))
    assert len(found) == COUNTS[destination.lower()]
    assert set(found) == by_definition("FP16", destination)


@pytest.mark.parametrize("name", [*SMALL, *LARGE])
def test_ties_are_counted_once_and_in_order(name):
    recipe = RECIPES[name]
    found = list(ties(recipe.source, recipe.destination))
    assert len(found) == len(set(found)) == COUNTS[recipe.destination.lower()]
    assert found[1::2] == [code | 1 << 31 for code in found[::2]]
    assert found[::2] == sorted(found[::2])
    assert formats.value("FP32", found[-2]) == LAST_TIES[recipe.destination]


def test_a_source_that_lacks_a_tie_is_refused():
    with pytest.raises(Rejected, match="is not a number of FP16"):
        list(ties("FP16", "BF16"))


@pytest.mark.parametrize("name", SMALL)
def test_directed_modes_give_the_two_numbers_beside_a_tie(name):
    recipe = RECIPES[name]
    table = [line.split() for line in lines(replace(recipe, roundings=("RTM", "RTP")))]
    for source, down, up in islice(table, 1, len(table) - 6, 3):
        below, above = (number(recipe.destination, int(column[:2], 16)) for column in (down, up))
        assert below + above == 2 * number("FP32", int(source, 16))


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("rounding", ["RNE", "RNA", "RHB"])
def test_the_neighbours_of_a_tie_go_to_the_nearer_number(name, rounding):
    recipe = replace(RECIPES[name], roundings=(rounding,))
    table = [[int(part, 16) for part in line.split(":")[0].split()] for line in lines(recipe)][:-6]
    for inner, tie, outer in zip(table[::3], table[1::3], table[2::3], strict=True):
        nearer = [number(recipe.destination, word) for _, word in (inner, outer)]
        middle = number("FP32", tie[0])
        assert abs(nearer[0]) < abs(middle) < abs(nearer[1])
        assert sum(nearer) == 2 * middle


@pytest.mark.parametrize(
    ("name", "step"), [("cvt.fp32.e4m3", 1), ("cvt.fp32.e5m2", 1), *((name, 997) for name in LARGE)]
)
def test_outputs_agree_with_the_oracle(name, step):
    recipe = RECIPES[name]
    for line in lines_of(recipe, islice(ties("FP32", recipe.destination), 0, None, step)):
        source, *columns = line.split()
        for rounding, column in zip(ROUNDINGS, columns, strict=True):
            word, flags = ieee_ocp.convert(int(source, 16), "FP32", recipe.destination, rounding, sat=False)
            assert tuple(int(part, 16) for part in column.split(":")) == (word, flags), (source, rounding)


def test_text_of_a_tie():
    first = list(islice(lines(RECIPES["cvt.fp32.fp16"]), 3))
    assert first == [
        "32ffffff 0000:18 0000:18 0000:18 0001:18 0000:18 0001:18 0000:18\n",
        "33000000 0000:18 0000:18 0000:18 0001:18 0001:18 0001:18 0001:18\n",
        "33000001 0001:18 0000:18 0000:18 0001:18 0001:18 0001:18 0001:18\n",
    ]


@pytest.mark.parametrize("name", [*SMALL, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_shipped_digest(name):
    assert (SHIPPED / f"{name}.json").read_text() == as_json(digest(RECIPES[name]))


def test_shipped_counts():
    shipped = {path.stem: read(path.read_text())["count"] for path in SHIPPED.glob("*.json")}
    assert shipped == {f"cvt.fp32.{destination}": count for destination, count in COUNTS.items()}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON: Expecting property name"),
        ("[]", "expected an object; got list"),
        ("{}", "expected the members schema, name, command, recipe, count, sha256; got none"),
    ],
)
def test_malformed_text(text, message):
    with pytest.raises(MalformedTies, match=f"^{message}"):
        read(text)


@pytest.mark.parametrize(
    ("member", "given", "message"),
    [
        ("count", "254", "count is '254'; expected int"),
        ("count", True, "count is True; expected int"),
        ("recipe", None, "recipe is None; expected dict"),
        ("schema", "halfulp-ties/0", "schema is 'halfulp-ties/0'; expected 'halfulp-ties/1'"),
    ],
)
def test_malformed_member(member, given, message):
    record = json.loads((SHIPPED / "cvt.fp32.e4m3.json").read_text())
    with pytest.raises(MalformedTies) as caught:
        read(json.dumps(record | {member: given}))
    assert str(caught.value) == message


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `halfulp ties` on one small set."""
    monkeypatch.setattr("halfulp_formal.ties.RECIPES", {"cvt.fp16.e4m3": Recipe("FP16", "E4M3", "ieee-ocp")})

    def run_ties(*arguments):
        monkeypatch.setattr("sys.argv", ["halfulp", "ties", *map(str, arguments)])
        with pytest.raises(SystemExit) as stopped:
            main()
        return stopped.value.code, *capsys.readouterr()

    return run_ties


def test_written_sets_check(run, tmp_path):
    folder = tmp_path / "ties"
    code, out, err = run("write", "--out", folder)
    assert (code, err) == (0, "")
    assert out.startswith("cvt.fp16.e4m3: 254 ties, sha256 ")
    assert [path.name for path in folder.iterdir()] == ["cvt.fp16.e4m3.json"]
    assert run("check", folder) == (0, "cvt.fp16.e4m3: 254 ties as expected\n", "")


def test_another_digest_is_a_mismatch(run, tmp_path):
    run("write", "--out", tmp_path)
    path = tmp_path / "cvt.fp16.e4m3.json"
    record = json.loads(path.read_text())
    path.write_text(as_json(record | {"sha256": "0" * 64}))
    assert run("check", tmp_path) == (1, f"cvt.fp16.e4m3: sha256 is {'0' * 64}; expected {record['sha256']}\n", "")


def test_files_that_cannot_be_used(run, tmp_path):
    path = tmp_path / "cvt.fp16.e4m3.json"
    assert run("check", tmp_path) == (2, "", f"halfulp: cannot read {path}: No such file or directory\n")
    path.write_text("[]")
    assert run("check", tmp_path) == (2, "", f"halfulp: {path}: expected an object; got list\n")
    path.write_bytes(b"\xff")
    code, out, err = run("check", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert run("write", "--out", path) == (2, "", f"halfulp: --out {path}: is a file; expected a folder\n")


def test_print(run):
    code, out, err = run("print", "cvt.fp16.e4m3")
    assert (code, err) == (0, "")
    assert out == "".join(lines(Recipe("FP16", "E4M3", "ieee-ocp")))
    assert run("print", "fp16") == (2, "", "halfulp: fp16 is not a tie set; expected cvt.fp16.e4m3\n")
