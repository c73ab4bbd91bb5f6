import json
from pathlib import Path

import pytest

from halfulp_model.loader import default_rules

CASES = Path(__file__).resolve().parents[2] / "cases" / "public.jsonl"

WRAPPED = {"word": "0x0000000000000000", "flags": "OF|NX", "out": "0x00", "value": 0}


@pytest.fixture
def answers(halfulp):
    """Answers requests: exit code, and the answers as objects."""

    def ask(*requests, options=()):
        lines = [request if isinstance(request, str) else json.dumps(request) for request in requests]
        code, out, err = halfulp("eval", *options, stdin="".join(f"{line}\n" for line in lines))
        assert err == ""
        return code, [json.loads(line) for line in out.splitlines()]

    return ask


def test_by_conversion_by_mode_and_with_an_id(answers):
    word = "0x000000203f800000"
    code, found = answers(
        {"conversion": "req8.rne.nosat", "acc": 300, "scale": "0x1fc00", "offset": 1},
        {"id": 7, "mode": "REQ8", "value": 300, "rounding": "RNE", "sat": False, "relu": 0, "quant_param": word},
        {"id": [1], "mode": 3, "value": "0x12c", "quant_param": int(word, 0)},
    )
    assert code == 0
    assert found == [WRAPPED, {"id": 7, **WRAPPED}, {"id": [1], **WRAPPED}]


def test_floats_are_given_as_codes_and_numbers(answers):
    _, found = answers(
        {"conversion": "qf322b8.rne.sat", "acc": -1.5, "scale": 1.0},
        {"conversion": "qf322b8.rne.sat", "acc": "0xbfc00000", "scale": "1.0"},
        {"conversion": "qf322b8.rne.sat", "acc": "-inf", "scale": "1.0"},
        {"mode": "NoQuant", "accumulator": "FP32", "value": 0x7F800001, "relu": 1},
    )
    assert found[0] == found[1] == {"word": "0xfffffffffffffffe", "flags": "NX", "out": "0xfe", "value": -2}
    assert found[2] == {"word": "0xffffffffffffff80", "flags": "OF|NX", "out": "0x80", "value": -128}
    assert found[3] == {"word": "0x000000007fc00000", "flags": "NV", "out": "0x7fc00000", "value": "quiet NaN"}


def test_public_cases_as_they_are(answers):
    lines = CASES.read_text(encoding="utf-8").splitlines()
    code, found = answers(*lines)
    assert code == 0
    for line, given in zip(lines, found, strict=True):
        known = json.loads(line)
        assert given["out"] == known["right"], known["fault"]
        assert known["flags"] in (None, given["flags"]), known["fault"]


def test_the_choice_of_a_scale_names_its_rounding_and_its_rule(answers):
    # 448 · 1.25: the power of two below and above, the nearest, and the one above its quotient by 448
    request = {"source": "FP32", "destination": "E8M0", "saturation": "sat", "in": "0x440c0000"}
    roundings = ("RTM (floor)", "RTZ (floor)", "RTP (ceil)", "RNE (even)", "rne (EVEN)", "RTP (rceil.E4M3)")
    code, found = answers(*({**request, "rounding": rounding} for rounding in roundings))
    assert code == 0
    assert [each["out"] for each in found] == ["0x88", "0x88", "0x89", "0x88", "0x88", "0x80"]


def test_a_json_number_counts_with_all_its_digits(answers):
    convert = '{"conversion": "cvt.fp32.s32.rne.nosat", "in": %s}'
    code, found = answers(*(convert % number for number in ("16777217.0000000001", '"16777217.0000000001"', "1e400")))
    assert code == 2
    note = "in=16777217.0000000001: taken as 0x4b800001, the nearest FP32 code: 16777218"
    assert found[0] == found[1] == {"out": "0x01000002", "flags": "none", "value": 16777218, "notes": [note]}
    assert found[2]["error"] == {
        "line": 3,
        "field": "in",
        "given": "1e400",
        "expected": "a number in the range of FP32",
        "message": "in=1e400: expected a number in the range of FP32",
    }


def test_a_negative_zero_keeps_its_sign(answers):
    _, found = answers('{"conversion": "noquant.fp32", "acc": -0}', '{"conversion": "noquant.s32", "acc": -0}')
    assert [each["out"] for each in found] == ["0x80000000", "0x00000000"]


def test_a_lone_half_of_a_character_is_repeated(halfulp):
    line = '{"id": "\\ud800", "conversion": "noquant.u32", "acc": 5}'
    code, out, err = halfulp("eval", stdin=f"{line}\n")
    assert (code, err) == (0, "")
    assert out == '{"id": "\\ud800", "word": "0x0000000000000005", "flags": "none", "out": "0x00000005", "value": 5}\n'


@pytest.mark.parametrize("number", ["-0", "[-0, 1.50, 1e2]", '{"a": -0.0}', "123456789012345678901234567890"])
def test_an_id_is_repeated_as_the_number_that_it_is(halfulp, number):
    code, out, err = halfulp("eval", stdin=f'{{"id": {number}, "conversion": "noquant.u32", "acc": 5}}\n')
    assert (code, err) == (0, "")
    given, repeated = json.loads(number), json.loads(out)["id"]
    assert (repeated, str(repeated)) == (given, str(given))


def test_blank_lines_are_skipped_but_counted(answers):
    code, found = answers("", {"conversion": "noquant.u32", "acc": 5}, "  ", "nonsense")
    assert code == 2
    assert found[0] == {"word": "0x0000000000000005", "flags": "none", "out": "0x00000005", "value": 5}
    assert found[1]["error"]["line"] == 4


def test_strict_stops_at_the_first_error(answers):
    code, found = answers("nonsense", {"conversion": "noquant.u32", "acc": 5}, options=["--strict"])
    assert (code, len(found)) == (2, 1)


def test_nothing_in_nothing_out(answers):
    assert answers() == (0, [])


SCALE_ROUNDINGS = "a rounding mode, or of a scale RTM (floor), RTP (ceil), RNE (even) or RTP (rceil.e4m3)"
MODES = f"one of {', '.join(f'{row.name} ({row.code})' for row in default_rules().modes.values())}"
FACTOR = "a positive normal FP19 such as 1.0, a code from 0x00400 to 0x3fbff"
U32_RANGE = "an integer from 0 to 4294967295 or a 32-bit U32 code like 0x00000001"

REFUSED = [
    ("nonsense", "request", "nonsense", "one JSON object"),
    ("[1]", "request", [1], "one JSON object"),
    ("{}", "request", [], "a field named conversion or mode or source"),
    ("[" * 5000, "request", "[" * 80, "one JSON object"),
    ('{"mode": 3, "mode": 4}', "mode", 4, "the field once"),
    ({"conversion": "req8.rne.nosta"}, "conversion", "req8.rne.nosta", "a conversion's name"),
    ({"conversion": 8}, "conversion", 8, "a conversion's name"),
    ({"conversion": "noquant.u32", "value": -1}, "value", "-1", U32_RANGE),
    (
        {"conversion": "shifts322s16", "acc": 1, "quant_word": 1},
        "quant_word",
        "1",
        "a shift code in bits 35:32 and zero elsewhere",
    ),
    ({"conversion": "shifts322s16", "acc": 1, "shift_code": 16}, "shift_code", 16, "0 to 15"),
    ({"conversion": "noquant.u32", "acc": True}, "acc", "true", U32_RANGE),
    ({"conversion": "noquant.u32", "acc": -1}, "acc", "-1", U32_RANGE),
    ({"conversion": "noquant.u32", "acc": "0x100000000"}, "acc", "0x100000000", "a 32-bit U32 accumulator"),
    ({"conversion": "qf322b8.rne.sat", "acc": 3}, "acc", "3", "3.0 for the number or 0x00000003 for the FP32 code"),
    ({"mode": "REQ9", "value": 3}, "mode", "REQ9", MODES),
    ({"mode": 6, "value": 3}, "mode", 6, MODES),
    ({"mode": "REQ8", "value": 1 << 40}, "value", 1 << 40, "a 32-bit S32 accumulator"),
    ({"mode": "SHIFTS322S16", "value": 3, "sat": True}, "sat", True, "Sat 0"),
    ({"mode": "SHIFTS322S16", "value": 3, "rounding": "RTM"}, "rounding", "RTM", "RMode NONE"),
    ({"mode": "REQ8", "value": 3, "quant_param": 1 << 64}, "quant_param", 1 << 64, "a 64-bit word"),
    ({"conversion": "req8.rne.sat", "acc": 3, "scale": "nan"}, "scale", "nan", FACTOR),
    (
        {"mode": "REQ8", "value": 3, "sat": True, "saturation": "sat"},
        "saturation",
        "sat",
        "sat alone, not both sat and saturation",
    ),
    (
        {"source": "FP32", "destination": "E4M3", "in": "0x0", "sat": True, "saturation": "sat"},
        "sat",
        True,
        "saturation alone, not both sat and saturation",
    ),
    ({"conversion": "noquant.u32", "acc": []}, "acc", "[]", U32_RANGE),
    ({"conversion": "noquant.u32", "acc": None}, "acc", "null", U32_RANGE),
    ('{"conversion": "noquant.u32", "acc": [true, 1.50, {"a": "b"}]}', "acc", '[true, 1.50, {"a": "b"}]', U32_RANGE),
    ({"mode": True, "value": 3}, "mode", True, "a PreQuantMode code or name"),
    ({"mode": "REQ8"}, "value", None, "the accumulator, a number or 0x…"),
    ({"mode": "REQ8", "value": 3, "sat": 1}, "sat", 1, "true or false"),
    ({"mode": "REQ8", "value": 3, "relu": 4}, "relu", 4, "0 to 3"),
    ({"mode": "REQ8", "value": 3, "rounding": "RXX"}, "rounding", "RXX", "RNE, RTZ, RTM, RTP, RNA, RTO, RHB or NONE"),
    ({"mode": "NoQuant", "value": 3}, "accumulator", None, "FP32 or S32 or U32"),
    ({"source": "FP32", "destination": "E4M3"}, "in", "", "a code of FP32 such as in=0x1, or a number"),
    ({"source": "FP32", "in": "0x0"}, "destination", None, "a format's name"),
    ({"source": "FP33", "destination": "E4M3", "in": "0x0"}, "source", "FP33", "a format's name"),
    (
        {"source": "FP32", "destination": "E4M3", "in": "0x0", "saturation": "maybe"},
        "saturation",
        "maybe",
        "sat, nosat or nonsat, or wrap for an integer destination",
    ),
    (
        {"source": "FP32", "destination": "E8M0", "in": "0x0", "rounding": "RTM (floor)", "saturation": "maybe"},
        "saturation",
        "maybe",
        "sat, nosat or nonsat, or wrap for an integer destination",
    ),
    (
        {"source": "FP32", "destination": "E4M3", "in": "0x0", "saturation": "wrap"},
        "saturation",
        "wrap",
        "sat, nosat or nonsat, or wrap for an integer destination",
    ),
    ({"source": "FP32", "destination": "E4M3", "in": "0x0", "rounding": "RXX"}, "rounding", "RXX", SCALE_ROUNDINGS),
    (
        {"source": "FP32", "destination": "E4M3", "in": "0x0", "rounding": "RNE (even)"},
        "destination",
        "E4M3",
        "E8M0 under rounding 'RNE (even)'",
    ),
    *(
        ({"source": "FP32", "destination": "E8M0", "in": "0x0", "rounding": text}, "rounding", text, SCALE_ROUNDINGS)
        for text in ("RNE (floor)", "RNA (even)", "RXX (floor)", "RTM (ground)")
    ),
]


@pytest.mark.parametrize(("request_line", "field", "given", "expected"), REFUSED)
def test_an_error_names_line_field_given_and_expected(answers, request_line, field, given, expected):
    code, (answer,) = answers(request_line)
    assert code == 2
    error = answer["error"]
    assert error["line"] == 1
    assert (error["field"], error["given"], error["expected"]) == (field, given, expected)
    assert error["message"]


ID_EXPECTED = "numbers that a double holds, as the answer repeats it"
#: lines with numbers that Python reads or writes and JSON has not; and the error but for its line
NO_JSON_NUMBER = [
    *(
        (f'{{"id": 1, "conversion": "req8.rne.nosat", "acc": 1, "scale": {name}}}', "request", name, expected)
        for name, expected in (
            ("NaN", 'one JSON object, in which NaN is written "nan"'),
            ("Infinity", 'one JSON object, in which Infinity is written "inf"'),
            ("-Infinity", 'one JSON object, in which -Infinity is written "-inf"'),
        )
    ),
    ('{"id": NaN, "mode": 3}', "request", "NaN", 'one JSON object, in which NaN is written "nan"'),
    ('{"id": 1e400, "conversion": "noquant.u32", "acc": 1}', "id", "1e400", ID_EXPECTED),
    ('{"id": [2, -1e400], "conversion": "noquant.u32", "acc": 1}', "id", "[2, -1e400]", ID_EXPECTED),
    ("[1e400]", "request", "[1e400]", "one JSON object"),
    ('{"mode": [1e400], "value": 3}', "mode", "[1e400]", "a PreQuantMode code or name"),
    ('{"mode": 3, "mode": 1e400}', "mode", "1e400", "the field once"),
]


@pytest.mark.parametrize(("request_line", "field", "given", "expected"), NO_JSON_NUMBER)
def test_an_answer_has_no_number_that_json_has_not(halfulp, request_line, field, given, expected):
    code, out, err = halfulp("eval", stdin=f"{request_line}\n")
    assert (code, err) == (2, "")
    error = {
        "line": 1,
        "field": field,
        "given": given,
        "expected": expected,
        "message": f"{field}: expected {expected}",
    }
    assert out == json.dumps({"error": error}) + "\n"


def test_bytes_that_are_no_text(halfulp):
    code, out, err = halfulp("eval", stdin=b"\xff\xfe\n")
    assert (code, err) == (2, "")
    assert json.loads(out)["error"]["expected"] == "one JSON object"


def test_formats_without_a_conversion_between_them_are_refused_in_their_place(answers):
    code, found = answers(
        {"source": "FP32", "destination": "ZZ", "in": "1.5"}, {"source": "FP32", "destination": "FP16", "in": "1.5"}
    )
    assert code == 2
    error = found[0]["error"]
    assert (error["line"], error["field"], error["given"]) == (1, "destination", "ZZ")
    assert error["expected"] == "formats between which there is a conversion"
    assert error["message"].startswith("unknown conversion 'cvt.fp32.zz.rne.nosat'; did you mean ")
    assert found[1]["out"] == "0x3e00"


def test_a_packed_format_takes_a_carrier_or_a_code(answers):
    code, found = answers({"conversion": "e2m1x2", "carrier": 0, "lane": 0, "in": "0x1"})
    assert code == 2
    assert found[0]["error"]["message"] == "in=0x1: expected carrier and lane, or the lane's code, not both"
