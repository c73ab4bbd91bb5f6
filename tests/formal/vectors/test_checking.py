import json
import shutil
import subprocess
import sys

import pytest

from formal.vectors import readers
from halfulp_formal.vectors.checking import check_file, check_paths
from halfulp_formal.vectors.family import WITH_FILE
from halfulp_formal.vectors.postprocess import PostProcessing

NAME = "req8.rne.nosat.jsonl"


@pytest.fixture
def lines(tmp_path):
    """The lines of a shipped file, and a way to write other ones and check them: exit code and messages."""

    class Lines(list[str]):
        path = tmp_path / NAME

        def check(self):
            self.path.write_text("".join(f"{line}\n" for line in self), "ascii")
            report = check_paths([self.path])
            return report.exit_code, [str(problem).removeprefix(f"{self.path}:") for problem in report.problems]

        def change(self, number, **values):
            self[number - 1] = json.dumps({**json.loads(self[number - 1]), **values})
            return self

    return Lines((readers.FOLDER / NAME).read_text("ascii").splitlines())


def case(lines, number):
    return json.loads(lines[number - 1])


def test_every_shipped_file_is_what_the_model_gives():
    report = check_paths([readers.FOLDER])
    assert [str(problem) for problem in report.problems] == []
    assert report.exit_code == 0
    assert report.files == len(list(readers.FOLDER.glob("*.jsonl")))
    assert report.cases == sum(len(readers.jsonl(path)) for path in readers.FOLDER.glob("*.jsonl"))


def test_an_untouched_copy_passes(lines):
    assert lines.check() == (0, [])


def test_a_wrong_result(lines):
    given = case(lines, 3)["out"]
    flipped = f"{int(given[0], 16) ^ 0x81:02x}"
    lines.change(3, out=[flipped, given[1]])
    # and no word of the vector mode, which gives the same
    assert lines.check() == (1, [f"3: out.result: given {flipped}, expected {given[0]}"])


def test_a_result_that_a_twin_does_not_give(lines, monkeypatch):
    run = PostProcessing.run

    def other(family, name, inputs):
        result, flags = run(family, name, inputs)
        return (result ^ 1, flags) if name.startswith("v") else (result, flags)

    monkeypatch.setattr(PostProcessing, "run", other)
    code, messages = lines.check()
    assert (code, len(messages)) == (1, len(lines) - 1)
    assert all("out.result of vreq8.rne.nosat: given " in message for message in messages)


def test_wrong_flags(lines):
    lines.change(2, out=[case(lines, 2)["out"][0], "10"])
    assert lines.check() == (1, ["2: out.flags: given 10, expected 00"])


def test_another_explanation(lines):
    why = case(lines, 2)["why"]
    lines.change(2, why="because")
    assert lines.check() == (1, [f'2: why: given "because", expected "{why}"'])


def test_illegal_inputs(lines):
    value, relu, _, relu_param = case(lines, 2)["in"]
    lines.change(2, **{"in": [value, relu, "0000000000000000", relu_param]})
    code, messages = lines.check()
    assert (code, len(messages)) == (1, 1)
    assert messages[0].startswith(
        "2: in: given inputs that req8.rne.nosat rejects, expected legal ones "
        "(quant_param: 0x0000000000000000 is illegal for REQ8;"
    )


def test_a_case_of_another_class(lines):
    lines.change(2, **{"class": "exact/none"})
    # and no word of the class that has lost it
    assert lines.check() == (1, ['2: class: given "exact/none", expected a class of the header'])


def test_a_wrong_count_of_witnesses(lines):
    classes = case(lines, 1)["classes"]
    classes[0]["witnesses"] = 2
    lines.change(1, classes=classes)
    assert lines.check() == (1, ["1: classes.exact/zero.witnesses: given 2, expected 1"])


def test_another_sentence(lines):
    classes = case(lines, 1)["classes"]
    sentence = classes[0]["sentence"]
    classes[0]["sentence"] = "Zero."
    lines.change(1, classes=classes)
    assert lines.check() == (1, [f'1: classes.exact/zero.sentence: given "Zero.", expected "{sentence}"'])


def test_a_missing_class(lines):
    classes = case(lines, 1)["classes"]
    lines.change(1, classes=[each for each in classes if each["name"] != "flags/other"])
    assert lines.check() == (
        1,
        [f"1: classes: given missing ['flags/other'], unknown [], expected the {len(classes)} declared ones"],
    )


def test_other_rules(lines):
    sha = case(lines, 1)["rules"]["sha256"]
    lines.change(1, rules={"name": "pto", "sha256": "0" * 64})
    code, messages = lines.check()
    assert code == 1
    assert messages == [
        f'1: rules: given {{"name": "pto", "sha256": "{"0" * 30}..., expected {{"name": "pto", "sha256": "{sha[:30]}...'
    ]


def test_another_rounding_in_the_header(lines):
    lines.change(1, rounding="RNA")
    assert lines.check() == (1, ['1: rounding: given "RNA", expected "RNE"'])


def test_a_truncated_file(lines):
    count = case(lines, 1)["count"]
    del lines[-2:]
    code, messages = lines.check()
    # and no word of classes that have lost their cases with it
    assert (code, messages) == (
        2,
        [f"{count - 1}: count: given {count - 2} cases, expected {count}, as the header says"],
    )


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_file_cut_in_a_line(lines, cut):
    lines.check()
    content = lines.path.read_bytes()[:-cut]
    lines.path.write_bytes(content)
    report = check_paths([lines.path])
    number = content.count(b"\n") + 1
    assert [str(problem) for problem in report.problems] == [
        f"{lines.path}:{number}: line: given no line end, expected a whole line"
    ]
    assert (report.exit_code, report.cases) == (2, number - 2)


def test_a_file_cut_in_its_header(lines):
    lines.path.write_text(lines[0][:500])
    assert [str(problem) for problem in check_file(lines.path).problems] == [
        f"{lines.path}:1: line: given no line end, expected a whole line"
    ]


def test_a_line_that_stands_twice(lines):
    lines.insert(3, lines[2])
    code, messages = lines.check()
    assert code == 2
    assert messages[0] == "4: in: given the inputs of line 3 again, expected a new case of the class"


def test_lines_out_of_order(lines):
    lines[1], lines[2] = lines[2], lines[1]
    code, messages = lines.check()
    assert (code, messages[0]) == (2, "2: tc: given 2, expected 1")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"in": ["00000000"]}, '2: in: given ["00000000"], expected 4 values'),
        ({"out": ["0", "00"]}, '2: out.result: given "0", expected 2 lower-case hex digits'),
        ({"out": ["0A", "00"]}, '2: out.result: given "0A", expected 2 lower-case hex digits'),
        ({"out": [0, "00"]}, "2: out.result: given 0, expected 2 lower-case hex digits"),
        ({"out": ["00", "20"]}, "2: out.flags: given 20, expected at most 5 bits"),
        ({"tc": "1"}, '2: tc: given "1", expected an integer'),
        ({"class": None}, "2: class: given null, expected a string"),
        ({"comment": "x"}, "2: case: given also comment, expected tc, class, in, out, why"),
    ],
)
def test_a_malformed_case(lines, values, message):
    lines.change(2, **values)
    code, messages = lines.check()
    assert code == 2
    assert messages[0] == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no JSON (Expecting value: line 1 column 1 (char 0))"),
        ("[1]", "[1]"),
        ('{"tc": 1, "tc": 1}', "no JSON (a key stands twice)"),
        ("{" * 100000, "no JSON ("),
    ],
)
def test_a_line_that_is_no_object(lines, text, message):
    lines[4] = text
    code, messages = lines.check()
    assert code == 2
    assert messages[0].startswith(f"5: line: given {message}")


def test_a_header_that_is_none(lines):
    del lines[0]
    assert lines.check() == (2, ["1: header: given no schema, expected a header object"])


def test_a_header_without_a_key(lines):
    head = case(lines, 1)
    del head["twins"]
    lines[0] = json.dumps(head)
    code, messages = lines.check()
    assert code == 2
    assert messages[0].startswith("1: header: given no twins, expected schema, conversion, twins")


def test_another_schema(lines):
    lines.change(1, schema="halfulp-vectors/2")
    assert lines.check() == (2, ['1: schema: given "halfulp-vectors/2", expected halfulp-vectors/1'])


def test_an_unknown_conversion(lines):
    lines.change(1, conversion="req9.rne.nosat")
    code, messages = lines.check()
    assert code == 2
    known = "no conversion is called 'req9.rne.nosat'; did you mean 'req8.rne.nosat'?"
    assert messages == [f'1: conversion: given "req9.rne.nosat", expected one with vector files: {known}']


def test_a_conversion_without_vector_files(lines):
    lines.change(1, conversion="fpatr")
    none = f"'fpatr' has no vector file; expected conversions of {WITH_FILE}"
    assert lines.check() == (2, [f'1: conversion: given "fpatr", expected one with vector files: {none}'])


def test_line_ends_that_are_not_canonical(lines):
    count = len(lines)
    lines[:] = [f"{line}\r" for line in lines]
    told = f"given CR LF (so on {count - 1} more lines), expected LF alone, as `halfulp vectors write` has it"
    assert lines.check() == (1, [f"1: line end: {told}"])


def test_spacing_and_order_that_are_not_canonical(lines):
    record = json.loads(lines[1])
    lines[1] = json.dumps(record, separators=(",", ":"))
    told = (
        'given \'1,"class":"exact/zero","in":["00000000","0","000000003f8..., expected \' 1, "class": '
        '"exact/zero", "in": ["00000000", "0", "0000..., as `halfulp vectors write` spaces and orders it'
    )
    assert lines.check() == (1, [f"2: column 7: {told}"])
    lines[1] = json.dumps(record)
    head = json.loads(lines[0])
    head_count = head.pop("count")
    lines[0] = json.dumps({"count": head_count, **head})
    code, (message,) = lines.check()
    assert code == 1
    assert message.startswith(f'1: column 3: given \'count": {head_count}, "schema": ')
    lines[0] = json.dumps({key: json.loads(lines[0])[key] for key in (*head, "count")})
    assert lines.check() == (0, [])


def test_other_twins(lines):
    head = case(lines, 1)
    head["twins"] = ["foo"]
    lines[0] = json.dumps(head)
    assert lines.check() == (1, ['1: twins: given ["foo"], expected ["vreq8.rne.nosat"]'])


def test_other_fields(lines):
    inputs = case(lines, 1)["inputs"]
    inputs[3]["name"] = "activation"
    lines.change(1, inputs=inputs)
    code, messages = lines.check()
    assert (code, len(messages)) == (1, 1)
    assert messages[0].startswith("1: inputs: given ")


def test_an_empty_and_an_absent_file(tmp_path):
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    report = check_paths([empty, tmp_path / "absent.jsonl"])
    assert report.exit_code == 2
    assert [str(problem) for problem in report.problems] == [
        f"{empty}:1: line: given an empty file, expected a whole line",
        f"{tmp_path / 'absent.jsonl'}:1: file: given No such file or directory, expected a readable file",
    ]


def test_bytes_that_are_no_text(lines):
    lines.check()
    lines.path.write_bytes(lines.path.read_bytes() + b"\xff\n")
    (problem,) = [each for each in check_file(lines.path).problems if "line" in each.field]
    assert problem.malformed
    assert str(problem).startswith(f"{lines.path}:{len(lines) + 1}: line: given no JSON ('ascii' codec can't decode")


def write_manifest(folder, record):
    text = json.dumps({**record, "files": dict(sorted(record["files"].items()))}, indent=1)
    (folder / "manifest.json").write_text(f"{text}\n")


@pytest.fixture
def folder(tmp_path):
    """A copy of a few shipped files with their manifest."""
    names = ["shifts322s16.jsonl", "noquant.u32.jsonl"]
    entries = json.loads((readers.FOLDER / "manifest.json").read_text())
    entries["files"] = {name: entries["files"][name] for name in names}
    write_manifest(tmp_path, entries)
    for name in [*names, "schema.json"]:
        shutil.copy(readers.FOLDER / name, tmp_path)
    return tmp_path


def problems(folder):
    report = check_paths([folder])
    return report.exit_code, [str(problem).removeprefix(f"{folder}/") for problem in report.problems]


def test_a_folder_passes(folder):
    assert problems(folder) == (0, [])


def test_a_file_that_the_manifest_does_not_name(folder):
    (folder / "stray.jsonl").write_text("{}\n")
    assert problems(folder) == (
        1,
        ["manifest.json:1: files.stray.jsonl: given nothing, expected an entry, as the file is there"],
    )


def test_a_manifest_that_is_not_canonical(folder):
    path = folder / "manifest.json"
    lines = path.read_text().splitlines()
    told = "file: given another spacing, order or line end, expected the text that `halfulp vectors write` writes"
    path.write_text("\n".join([*lines[:2], f" {lines[2]}", *lines[3:], ""]))
    assert problems(folder) == (1, [f"manifest.json:3: {told}"])
    path.write_bytes("\r\n".join([*lines, ""]).encode())
    assert problems(folder) == (1, [f"manifest.json:1: {told}"])


def test_a_file_that_is_not_there(folder):
    (folder / "noquant.u32.jsonl").unlink()
    assert problems(folder) == (
        1,
        ["manifest.json:1: files.noquant.u32.jsonl: given an entry, expected the file itself beside it"],
    )


def test_a_damaged_file_is_told_once(folder):
    path = folder / "noquant.u32.jsonl"
    content = path.read_text()
    path.write_text(content[:-10])
    last = len(content.splitlines())
    assert problems(folder) == (2, [f"noquant.u32.jsonl:{last}: line: given no line end, expected a whole line"])
    path.write_text(content.replace('"out": ["00000000"', '"out": ["00000001"', 1))
    assert problems(folder) == (1, ["noquant.u32.jsonl:2: out.result: given 00000001, expected 00000000"])


def test_a_manifest_with_another_digest(folder):
    entries = json.loads((folder / "manifest.json").read_text())
    digest = entries["files"]["noquant.u32.jsonl"]["sha256"]
    entries["files"]["noquant.u32.jsonl"] = {"sha256": "0" * 64, "count": 3}
    write_manifest(folder, entries)
    count = readers.header(folder / "noquant.u32.jsonl")["count"]
    assert problems(folder) == (
        1,
        [
            f"noquant.u32.jsonl:1: sha256: given {digest}, expected {'0' * 64}, as the manifest says",
            f"noquant.u32.jsonl:1: count: given {count}, expected 3, as the manifest says",
        ],
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "file: given No such file or directory, expected a manifest"),
        ("{", "file: given no JSON (Expecting property name"),
        ("[]", "schema: given [], expected halfulp-vectors-manifest/1"),
        ('{"schema": "halfulp-vectors-manifest/1", "files": []}', "schema: given "),
    ],
)
def test_a_manifest_that_cannot_be_read(folder, text, message):
    (folder / "manifest.json").unlink()
    if text is not None:
        (folder / "manifest.json").write_text(text)
    code, messages = problems(folder)
    assert code == 2
    assert messages[0].startswith(f"manifest.json:1: {message}")


def test_another_schema_beside_the_files(folder):
    (folder / "schema.json").write_text("{}")
    assert problems(folder) == (1, ["schema.json:1: file: given another text, expected the schema"])
    (folder / "schema.json").unlink()
    assert problems(folder) == (1, ["schema.json:1: file: given no file, expected the schema"])


def test_a_projection_is_held_to_its_digest(folder):
    (folder / "shifts322s16.csv").write_text("tc\n")
    entries = json.loads((folder / "manifest.json").read_text())
    entries["files"]["shifts322s16.csv"] = {"sha256": "0" * 64, "count": 0}
    write_manifest(folder, entries)
    code, messages = problems(folder)
    assert (code, len(messages)) == (1, 1)
    assert messages[0].startswith("shifts322s16.csv:1: sha256: given ")


def test_a_check_needs_no_solver():
    script = (
        "import sys; from pathlib import Path; from halfulp_formal.vectors.checking import check_paths;"
        f"print(check_paths([Path({str(readers.FOLDER / 'noquant.u32.jsonl')!r})]).exit_code,"
        "[name for name in ('pysmt', 'bitwuzla', 'z3', 'cvc5') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "0 []\n"


def test_the_example_in_the_readme_is_a_line_of_its_file():
    shown = [line for line in (readers.FOLDER / "README.md").read_text().splitlines() if line.startswith('{"tc"')]
    assert len(shown) == 1
    assert shown[0] in (readers.FOLDER / NAME).read_text("ascii").splitlines()
