"""Amendments as files: what is read of a good one, and the one line that refuses a bad one."""

import pytest
import yaml

from formal.amend.amendments import HEAD, write
from halfulp_formal.amend.functions import AmendmentError
from halfulp_formal.amend.patch import Change, Expectation, Reader, read_amendment, read_changes
from halfulp_formal.subject import base_subject

RHB = "rules:\n  rounding:\n    RHB: {choice: away, reason: because}\n"
FUNCTIONS = """\
from halfulp_formal.amend import replaces
from halfulp_model.rows import Choice


@replaces("rounding.goes_away")
def goes_away(choice: Choice, truncated: int, negative: bool) -> bool:
    return negative
"""


def test_a_changed_value(tmp_path):
    amendment = read_amendment(write(tmp_path, RHB))
    assert amendment.title == "A test"
    assert amendment.changes == (Change("rounding.RHB.choice", "ceiling", "away", "because"),)
    assert amendment.expects is None
    rows = amendment.subject.module("loader").default_rules().roundings
    assert rows["RHB"].choice.value == "away"
    assert base_subject().module("loader").default_rules().roundings["RHB"].choice.value == "ceiling"


def test_a_reason_holds_for_all_below_it(tmp_path):
    text = "rules:\n  rounding:\n    reason: because\n    RHB: {choice: away}\n    RNE: {choice: odd, reason: else}\n"
    changes = read_amendment(write(tmp_path, text)).changes
    assert [(each.place, each.reason) for each in changes] == [
        ("rounding.RHB.choice", "because"),
        ("rounding.RNE.choice", "else"),
    ]


def test_a_new_row_is_one_change_with_all_its_reasons(tmp_path):
    text = (
        "rules:\n  rounding:\n    reason: because\n    RXX: {nearest: true, choice: odd, reason: else, code: 7}\n"
        "    RHB: {choice: away}\n"
    )
    with pytest.raises(AmendmentError):
        read_amendment(write(tmp_path, text.replace("code: 7", "code: null")))
    reader = Reader(tmp_path / "amendment.yaml", yaml.safe_load(text))
    base = {"rounding": {"RHB": {"choice": "ceiling"}}}
    assert list(read_changes(reader, ("rules",), reader.document["rules"], base, "")) == [
        Change("rounding.RXX", None, {"nearest": True, "choice": "odd", "code": 7}, "else"),
        Change("rounding.RHB.choice", "ceiling", "away", "because"),
    ]


def test_null_removes(tmp_path):
    amendment = read_amendment(write(tmp_path, "rules:\n  scale_rules:\n    even: null\n    reason: nobody uses it\n"))
    assert "scale.fp32.even" not in amendment.subject.module("api_e8m0").scale_conversions()


def test_a_new_mode_a_new_format_and_its_encoding(tmp_path):
    text = """\
rules:
  reason: a test
  formats:
    E3M4:
      {kind: binary, carrier_bits: 8, exponent_bits: 3, fraction_bits: 4, bias: 3, specials: none, signed_zero: true,
       claims: [zero, signed_zero, subnormal], source: here}
  encoders:
    pto:
      E3M4:
        {overflow: after_rounding, overflow_result: special, tininess: before_rounding, underflow_sign: kept,
         nan: canonical, saturated_nan: zero, source: here}
  prequant:
    QF322E3M4:
      {code: 40, accumulators: [FP32], destination: E3M4, parameter: scale, operand: scalar, offset_bits: 0,
       rounding: programmable, saturate: programmable, source: here}
"""
    amendment = read_amendment(write(tmp_path, text))
    row = amendment.subject.module("conversions").conversions()["qf322e3m4.rne.nosat"]
    assert amendment.subject.module("postprocess").element(row, 0x3FC00000, 0, 127 << 23, 0) == (0x38, 0)


def test_a_new_rounding_mode(tmp_path):
    text = """\
rules:
  rounding:
    reason: a test
    RTO: null
    RNZ: {nearest: true, choice: zero, rmode: 6, source: here}
"""
    names = read_amendment(write(tmp_path, text)).subject.module("conversions").conversions()
    assert "req8.rnz.sat" in names
    assert "req8.rto.sat" not in names


def test_what_is_expected(tmp_path):
    text = RHB + "expect:\n  changed:\n    - req8.rhb.*\n  unchanged: [noquant]\n  findings: {appear: [tie]}\n"
    amendment = read_amendment(write(tmp_path, text))
    assert amendment.compares_findings
    assert amendment.expects == (
        Expectation("changed", "req8.rhb.*", 8),
        Expectation("unchanged", "noquant", 9),
        Expectation("appear", "tie", 10),
    )


def test_functions_alone(tmp_path):
    path = tmp_path / "other.py"
    path.write_text(f'"""Everything away."""\n\n{FUNCTIONS}')
    amendment = read_amendment(path)
    assert (amendment.title, amendment.functions) == ("Everything away", ("rounding.goes_away",))
    away = amendment.subject.module("rounding").goes_away
    assert (away.__name__, away(None, 3, True)) == ("goes_away", True)
    assert amendment.subject.module("encode").round_magnitude.__globals__["goes_away"] is away


def test_rules_and_functions(tmp_path):
    amendment = read_amendment(write(tmp_path, f"{RHB}functions: functions.py\n", FUNCTIONS))
    assert (len(amendment.changes), len(amendment.patches)) == (1, 2)


BAD = {
    "rules: {": "patch.yaml:3: document: expected the node content, but found '<stream end>'",
    "": "patch.yaml:1: document: expected rules, functions or both",
    "rule:\n  rounding: {}\n": "patch.yaml:3: rule: no key is called 'rule'; did you mean 'rules'?",
    "rules: []\n": "patch.yaml:3: rules: given [], expected a mapping",
    "rules:\n  roundings:\n    RHB: {choice: away, reason: because}\n": (
        "patch.yaml:4: rules.roundings: no section is called 'roundings'; did you mean 'rounding'?"
    ),
    "rules:\n  rounding:\n    RHP: {choice: away, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RHP: no row is called 'RHP' (did you mean 'RTP'?); a new row needs nearest, rmode, "
        "source as well"
    ),
    "rules:\n  rounding:\n    RHB: {chioce: away, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RHB.chioce: no field is called 'chioce'; did you mean 'choice'?"
    ),
    "rules:\n  rounding:\n    RHB: {choice: up, reason: because}\n": (
        'patch.yaml:5: rules.rounding.RHB.choice: given "up", expected "floor", "ceiling", "zero", "away", "even" or "odd"'
    ),
    "rules:\n  rounding:\n    RHB:\n      choice: away\n": (
        "patch.yaml:6: rules.rounding.RHB.choice: no reason; expected one beside choice, under the key reason"
    ),
    "rules:\n  rounding:\n    RHB:\n      choice: away\n      reason: ' '\n": (
        "patch.yaml:7: rules.rounding.RHB.reason: given ' ', expected a sentence"
    ),
    "rules:\n  rounding:\n    RHB: {choice: ceiling, reason: because}\n": (
        'patch.yaml:5: rules.rounding.RHB.choice: given "ceiling", which the base says already; expected another value'
    ),
    "rules:\n  rounding:\n    RHB: {choice: away, choice: odd, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RHB.choice: this key stands twice"
    ),
    "rules:\n  rounding:\n    RHB: {rmode: 3, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RHB.rmode: 3 is already taken by RTM"
    ),
    "rules:\n  rounding:\n    RHB: {direction: null, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RHB.direction: given null, which removes, but the base has nothing there"
    ),
    "rules:\n  prequant:\n    REQ8: {destination: S9, reason: because}\n": (
        "patch.yaml:5: rules.prequant.REQ8.destination: no format is called 'S9'"
    ),
    "rules:\n  formats:\n    E4M3: {bias: null, reason: because}\n": (
        "patch.yaml:5: rules.formats.E4M3: has no bias, which it needs"
    ),
    "rules:\n  rounding:\n    RNE: {rmode: 2, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RNE.rmode: with this, rounding.RTZ.rmode is refused: 2 is already taken by RNE"
    ),
    "rules:\n  rounding:\n    reason: because\n    RHB: null\n": (
        "patch.yaml:6: rules.rounding.RHB: given null, which removes what prequant.QF322HIF8.rounding names"
    ),
    "rules:\n  prequant:\n    REQ8: {offset_bits: 10, reason: because}\n": (
        "patch.yaml:5: rules.prequant.REQ8.offset_bits: given 10, expected 0, 5, 9 or 17"
    ),
    "rules:\n  rounding:\n    RHB: {rmode: 0, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RHB.rmode: given 0, expected at least 1"
    ),
    "rules:\n  rounding:\n    RHB: {nearest: 1, reason: because}\n": (
        "patch.yaml:5: rules.rounding.RHB.nearest: given 1, expected true or false"
    ),
    "rules:\n  rounding: {reason: because}\n": "patch.yaml:3: rules: changes nothing; expected at least one value",
    "functions: missing.py\n": ("patch.yaml:3: functions: given 'missing.py', expected a Python file beside this one"),
    f"{RHB}expect: {{same: [req8]}}\n": (
        "patch.yaml:6: expect.same: no key is called 'same'; expected unchanged, changed, new, removed, findings"
    ),
}


@pytest.mark.parametrize(("text", "message"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_amendment_is_refused_in_one_line(tmp_path, text, message):
    with pytest.raises(AmendmentError) as refused:
        read_amendment(write(tmp_path, text))
    assert str(refused.value) == f"{tmp_path}/{message}"


def test_another_schema(tmp_path):
    path = tmp_path / "patch.yaml"
    path.write_text(HEAD.replace("amendment/1", "amendment/2") + RHB)
    with pytest.raises(AmendmentError) as refused:
        read_amendment(path)
    assert str(refused.value) == f'{path}:1: schema: given "halfulp-amendment/2", expected "halfulp-amendment/1"'


BAD_FUNCTIONS = {
    "def f(:\n": "functions.py:1: file: not Python: invalid syntax",
    "x = 1\n": 'functions.py:1: file: no function is under @replaces("module.function")',
    "import halfulp_model.rounding\n": (
        "functions.py:1: import: given import halfulp_model.rounding, expected from halfulp_model.module import name"
    ),
    "class A: pass\n": "functions.py:1: file: given ClassDef, expected imports, constants and functions",
    FUNCTIONS.replace("goes_away", "gos_away"): (
        "functions.py:5: replaces: the model has no function 'rounding.gos_away'; did you mean 'rounding.goes_away'?"
    ),
    FUNCTIONS.replace("choice: Choice, ", ""): (
        "functions.py:6: goes_away: given parameters (truncated, negative), expected those of rounding.goes_away: "
        "(choice, truncated, negative)"
    ),
    FUNCTIONS.replace('@replaces("rounding.goes_away")', "@property"): (
        "functions.py:5: decorator: given @property, expected @replaces(...)"
    ),
    FUNCTIONS.replace("rows import Choice", "rows import Choise"): (
        "functions.py:1: file: cannot be imported: ImportError: cannot import name 'Choise'"
    ),
    FUNCTIONS + FUNCTIONS.replace("def goes_away", "def again"): (
        "functions.py:12: replaces: rounding.goes_away is replaced twice"
    ),
}


@pytest.mark.parametrize(("functions", "message"), BAD_FUNCTIONS.items(), ids=range(len(BAD_FUNCTIONS)))
def test_bad_functions_are_refused_in_one_line(tmp_path, functions, message):
    with pytest.raises(AmendmentError) as refused:
        read_amendment(write(tmp_path, "functions: functions.py\n", functions))
    said = str(refused.value).removeprefix(f"{tmp_path}/")
    assert said.startswith(message) if "cannot be imported" in message else said == message
