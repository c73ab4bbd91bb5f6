"""Reading the rule data: every kind of mistake is told with file, line and field; importing the model is light."""

import os
import shutil
import subprocess
import sys

import pytest

from halfulp_model import loader
from halfulp_model.loader import RULES_FOLDER, RuleError, default_rules, load_rules, read_documents, rule_files
from model.rule_data import check_refused, copy_with

SCALE = "scale: {low: 13, bits: 19, source:"
RNE = 'RNE: {nearest: true, choice: even, rmode: 1, source: "FloatingToInteger, NumericRound_RNE: nearest, a tie to even"}'


# Mistakes in a row.


@pytest.mark.parametrize(
    ("file", "old", "new", "at", "message"),
    [
        # unknown and missing keys
        (
            "rounding.yaml",
            "RNE: {nearest: true",
            "RNE: {nearby: 1, nearest: true",
            "RNE: {",
            "rounding.RNE: Additional properties are not allowed ('nearby' was unexpected)",
        ),
        (
            "rounding.yaml",
            "RNE: {nearest: true, choice: even",
            "RNE: {nearest: true",
            "RNE: {",
            "rounding.RNE: 'choice' is a required property",
        ),
        (
            "flags.yaml",
            "  NX:",
            "  NZ:",
            "NV:",
            "flags: 'NZ' does not match any of the regexes: '^(NV|DZ|OF|UF|NX)$'",
        ),
        # wrong types and values
        (
            "rounding.yaml",
            "RTZ: {nearest: false",
            "RTZ: {nearest: maybe",
            "RTZ:",
            "rounding.RTZ.nearest: 'maybe' is not of type 'boolean'",
        ),
        (
            "rounding.yaml",
            "choice: odd",
            "choice: strange",
            "RTO:",
            "rounding.RTO.choice: 'strange' is not one of ['floor', 'ceiling', 'zero', 'away', 'even', 'odd']",
        ),
        (
            "rounding.yaml",
            "rmode: 7",
            "rmode: 8",
            "RHB:",
            "rounding.RHB.rmode: 8 is greater than the maximum of 7",
        ),
        (
            "prequant.yaml",
            SCALE,
            'scale: {low: "13", bits: 19, source:',
            "scale: {",
            "parameter_word.scale.low: '13' is not of type 'integer'",
        ),
        (
            "flags.yaml",
            "NV: {bit: 0, source:",
            "NV: {bit: 0, source: '', origin:",
            "NV:",
            "flags.NV: Additional properties are not allowed ('origin' was unexpected)",
        ),
        # names that point nowhere
        (
            "prequant.yaml",
            "{code: 3, accumulators: [S32], destination: S8",
            "{code: 3, accumulators: [S32], destination: S9",
            "{code: 3,",
            "prequant.REQ8.destination: no format is called 'S9'",
        ),
        (
            "prequant.yaml",
            (
                "{code: 25, accumulators: [FP32], destination: HiF8, parameter: scale, operand: scalar, offset_bits: 0,\n"
                "     rounding: RHB"
            ),
            (
                "{code: 25, accumulators: [FP32], destination: HiF8, parameter: scale, operand: scalar, offset_bits: 0,\n"
                "     rounding: RHX"
            ),
            "rounding: RHX",
            "prequant.QF322HIF8.rounding: no rounding mode is called 'RHX'",
        ),
        (
            "encoders.yaml",
            "    HiF8:\n",
            "    HiF9:\n",
            (
                "      {overflow: before_rounding, overflow_result: special, tininess: before_rounding, underflow_sign: "
                'positive,\n       nan: canonical, saturated_nan: zero, source: "ReferenceFP8Encoding, '
                'MatrixPostQuantSpecialValue"}\n  ieee'
            ),
            "encoders.pto.HiF9: no format is called 'HiF9'",
        ),
        (
            "prequant.yaml",
            "destination: FP16, parameter: none, operand: none",
            "destination: FP16, parameter: none, operand: scalar",
            "{code: 1,",
            "prequant.F322F16.operand: a parameter needs an operand, and no parameter none",
        ),
        # codes that are taken
        (
            "rounding.yaml",
            "rmode: 2",
            "rmode: 1",
            "RTZ:",
            "rounding.RTZ.rmode: 1 is already taken by RNE",
        ),
        (
            "flags.yaml",
            "NX: {bit: 4",
            "NX: {bit: 3",
            "NX:",
            "flags.NX.bit: 3 is already taken by UF",
        ),
        (
            "prequant.yaml",
            "{code: 5,",
            "{code: 4,",
            "{code: 4, accumulators: [S32], destination: FP16, parameter: scale, operand: scalar",
            "prequant.DEQF16.code: 4 is already taken by VDEQF16",
        ),
    ],
)
def test_a_mistake_in_a_row(tmp_path, file, old, new, at, message):
    check_refused(tmp_path, file, old, new, at, message)


# Mistakes in a file.


def test_a_key_that_stands_twice(tmp_path):
    again = f"{RNE}\n  RNE: {{nearest: true"
    text = copy_with(tmp_path, "rounding.yaml", RNE, f"{again}, choice: even, rmode: 1, source: x}}")
    line = text[: text.index("RNE: {nearest", text.index("RNE: {nearest") + 1)].count("\n") + 1
    with pytest.raises(RuleError) as refusal:
        load_rules(tmp_path)
    assert str(refusal.value) == f"rounding.yaml:{line}: rounding.RNE: this key stands twice"


def test_a_section_in_two_files(tmp_path):
    for path in rule_files():
        shutil.copy(path, tmp_path)
    (tmp_path / "zz.yaml").write_text("# one more\nflags:\n  NV: {bit: 0, source: x}\n", encoding="utf-8")
    with pytest.raises(RuleError) as refusal:
        load_rules(tmp_path)
    assert str(refusal.value) == "zz.yaml:3: flags: this section is already in another file"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rounding: {RNE: [1, 2\n", "odd.yaml:2: document: expected ',' or ']', but got '<stream end>'"),
        ("rounding:\n\tRNE: 1\n", "odd.yaml:2: document: found character '\\t' that cannot start any token"),
        ("- rounding\n- flags\n", "odd.yaml:1: document: expected a mapping of sections"),
        ("just a word\n", "odd.yaml:1: document: expected a mapping of sections"),
        ("", "odd.yaml:1: document: expected a mapping of sections"),
        ("a: &x 1\nb: *y\n", "odd.yaml:2: document: found undefined alias 'y'"),
    ],
)
def test_a_file_that_is_no_mapping(tmp_path, text, message):
    (tmp_path / "odd.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(RuleError) as refusal:
        load_rules(tmp_path)
    assert str(refusal.value) == message


def test_a_missing_section(tmp_path):
    for path in rule_files():
        if path.name != "flags.yaml":
            shutil.copy(path, tmp_path)
    with pytest.raises(RuleError, match=rf"^{tmp_path.name}:1: document: 'flags' is a required property$"):
        load_rules(tmp_path)


def test_the_first_mistake_of_a_file_is_told(tmp_path):
    copy_with(tmp_path, "rounding.yaml", "choice: odd", "choice: strange")
    path = tmp_path / "rounding.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("rmode: 2", "rmode: 9"), encoding="utf-8")
    with pytest.raises(RuleError, match=r"rounding\.RTZ\.rmode: 9 is greater than the maximum of 7"):
        load_rules(tmp_path)


def test_an_empty_folder(tmp_path):
    with pytest.raises(RuleError, match=r"'flags' is a required property"):
        load_rules(tmp_path)


# What is read.


def test_the_shipped_rules_are_read_once_and_have_a_digest():
    assert default_rules() is default_rules()
    assert load_rules().digest == default_rules().digest
    assert len(default_rules().digest) == 64


def test_the_digest_is_of_what_the_rules_say_and_not_of_how(tmp_path):
    copy_with(tmp_path, "flags.yaml", "# Status flags", "# The status flags")
    assert load_rules(tmp_path).digest == default_rules().digest
    copy_with(tmp_path, "flags.yaml", "NV: {bit: 0,", "NV: {bit: 1,")
    text = (tmp_path / "flags.yaml").read_text(encoding="utf-8").replace("DZ: {bit: 1,", "DZ: {bit: 0,")
    (tmp_path / "flags.yaml").write_text(text, encoding="utf-8")
    changed = load_rules(tmp_path)
    assert changed.digest != default_rules().digest
    assert (changed.flags.nv, changed.flags.dz) == (2, 1)


def test_every_node_has_its_line():
    document, marks = read_documents(rule_files())
    path, line = marks["rounding", "RTO", "choice"]
    assert path.name == "rounding.yaml"
    assert "RTO:" in path.read_text(encoding="utf-8").splitlines()[line - 1]
    assert document["rounding"]["RTO"]["choice"] == "odd"
    assert loader.locate(("rounding", "RTO", "nowhere", 3), marks) == marks["rounding", "RTO"]


def test_every_row_names_its_source():
    document, _ = read_documents(rule_files())
    for section in ("flags", "rounding", "formats", "prequant", "parameter_word"):
        for name, row in document[section].items():
            assert row["source"].strip(), f"{section}.{name}"


def test_rule_files_come_in_one_order():
    assert rule_files() == sorted(RULES_FOLDER.glob("*.yaml"))


# Importing.

IMPORTS = """
import sys
import halfulp_model
print(*sorted(name.partition(".")[0] for name in sys.modules))
"""
HEAVY = {
    "jsonschema",
    "numpy",
    "pysmt",
    "z3",
    "bitwuzla",
    "cvc5",
    "halfulp_formal",
    "ml_dtypes",
    "gfloat",
    "hypothesis",
}


def test_importing_the_model_brings_no_solver_and_no_schema_library():
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", IMPORTS]
    out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    assert HEAVY.isdisjoint(out.split())
    assert "halfulp_model" in out.split()


def test_both_parsers_read_the_same(monkeypatch):
    shipped = read_documents(rule_files())
    monkeypatch.delattr("yaml.CSafeLoader", raising=False)
    assert read_documents(rule_files()) == shipped
