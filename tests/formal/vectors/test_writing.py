import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from formal.vectors import readers
from formal.vectors.test_projections import shipped
from halfulp_formal.vectors.writing import SHIPPED_SCHEMA, write_folder

SMALL = ["shifts322s16", "noquant.u32"]


@pytest.fixture(scope="module")
def small():
    return [shipped(name) for name in SMALL]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def described_as(kind):
    schema = json.loads(SHIPPED_SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator({**schema, "oneOf": [{"$ref": f"#/$defs/{kind}"}]})


def test_the_schema_describes_every_shipped_line():
    header, case, seen = described_as("header"), described_as("case"), set[str]()
    for path in sorted(readers.FOLDER.glob("*.jsonl")):
        first, *rest = [json.loads(line) for line in path.read_text().splitlines()]
        # what many files say of a class is looked at once
        fresh = {text: each for each in first["classes"] if (text := json.dumps(each)) not in seen}
        header.validate({**first, "classes": list(fresh.values())})
        seen |= set(fresh)
        for line in rest[:: max(1, len(rest) // 3)]:
            case.validate(line)


@pytest.mark.parametrize(
    "broken",
    [
        {"count": 1001},
        {"relu": "none"},
        {"classes": [{"name": "a/b", "sentence": "x", "witnesses": "unreachable"}]},
        {"classes": [{"name": "a/b", "sentence": "x", "witnesses": 1, "obligation": "x"}]},
        {"date": "today"},
    ],
)
def test_the_schema_refuses(broken):
    validator = Draft202012Validator(json.loads(SHIPPED_SCHEMA.read_text()))
    head = readers.header(readers.FOLDER / "shifts322s16.jsonl")
    assert validator.is_valid(head)
    assert not validator.is_valid({**head, **broken})


def test_files_are_small_and_plain():
    total = 0
    for path in readers.FOLDER.glob("*.jsonl"):
        text = path.read_text("ascii")
        total += len(text)
        assert len(text.splitlines()) <= 1001
        assert "\r" not in text
    assert total < 30_000_000


def test_a_folder_holds_files_manifest_and_schema(tmp_path, small):
    out = tmp_path / "folder"
    assert write_folder(out, small, "jsonl", whole=True) == [out / f"{name}.jsonl" for name in SMALL]
    assert names(out) == ["manifest.json", "noquant.u32.jsonl", "schema.json", "shifts322s16.jsonl"]
    shipped_entries = json.loads((readers.FOLDER / "manifest.json").read_text())["files"]
    entries = json.loads((out / "manifest.json").read_text())["files"]
    assert entries == {f"{name}.jsonl": shipped_entries[f"{name}.jsonl"] for name in SMALL}


def test_a_part_keeps_the_rest_and_a_whole_drops_it(tmp_path, small):
    write_folder(tmp_path, small, "jsonl", whole=True)
    (tmp_path / "README.md").write_text("mine\n")
    write_folder(tmp_path, small[:1], "jsonl", whole=False)
    assert "noquant.u32.jsonl" in names(tmp_path)
    write_folder(tmp_path, small[:1], "csv", whole=True)
    assert "noquant.u32.jsonl" in names(tmp_path)
    write_folder(tmp_path, small[:1], "jsonl", whole=True)
    assert names(tmp_path) == ["README.md", "manifest.json", "schema.json", "shifts322s16.csv", "shifts322s16.jsonl"]
    assert list(json.loads((tmp_path / "manifest.json").read_text())["files"]) == [
        "shifts322s16.csv",
        "shifts322s16.jsonl",
    ]


def test_a_write_that_fails_leaves_everything_as_it_was(tmp_path, small, monkeypatch):
    write_folder(tmp_path, small[:1], "jsonl", whole=True)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    calls = []

    def full(path, content):
        calls.append(path.name)
        if len(calls) == 3:
            raise OSError(28, "No space left on device")
        with path.open("wb") as file:
            return file.write(content[:10])

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left on device"):
        write_folder(tmp_path, small, "jsonl", whole=True)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("text", ["{", "[]", '{"files": {}}', '{"schema": "halfulp-vectors-manifest/1", "files": []}'])
def test_a_manifest_that_is_no_halfulp_one_is_kept(tmp_path, small, text):
    path = tmp_path / "manifest.json"
    path.write_text(text)
    with pytest.raises(FileExistsError) as refused:
        write_folder(tmp_path, small[:1], "jsonl", whole=False)
    assert str(refused.value) == f"{path}: is no manifest of vector files; expected a folder without it"
    assert (names(tmp_path), path.read_text()) == (["manifest.json"], text)
