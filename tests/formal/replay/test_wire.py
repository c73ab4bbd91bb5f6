import json

import pytest

from halfulp_formal.replay.wire import JsonWire, NoAnswer, TextWire
from halfulp_formal.vectors.family import Field
from halfulp_formal.vectors.reading import Line

INPUTS = [Field("value", "S32", 32), Field("relu", "ReluMode", 3)]
OUTPUTS = [Field("result", "S9", 9), Field("flags", "flags", 5)]
CASE = Line(18, 17, "a/b", (300, 2), (511, 0x14), "")


def test_a_request_in_json_is_spaced_like_the_files():
    assert JsonWire(INPUTS, OUTPUTS).request(CASE) == b'{"id": 17, "in": ["0000012c", "2"]}\n'
    assert json.dumps({"id": 17, "in": ["0000012c", "2"]}) == '{"id": 17, "in": ["0000012c", "2"]}'


def test_a_request_in_text():
    assert TextWire(INPUTS, OUTPUTS).request(CASE) == b"0000012c 2\n"


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 17, "out": ["1ff", "14"]}',
        '{"out":["1FF","14"],"id":17}',
        '{"id": 17, "out": ["1ff", "14"], "cycles": 3}',
    ],
)
def test_an_answer_in_json(text):
    assert JsonWire(INPUTS, OUTPUTS).answer(text) == (17, (511, 0x14))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected one JSON object"),
        ("[" * 100000, "expected one JSON object"),
        ("17", "expected an object with id and out"),
        ('{"id": 17}', "expected an object with id and out"),
        ('{"id": true, "out": ["1ff", "14"]}', "id: given true, expected the number of a case"),
        ('{"id": "17", "out": ["1ff", "14"]}', 'id: given "17", expected the number of a case'),
        ('{"id": 17, "out": "1ff"}', 'out: given "1ff", expected a list of 2 values'),
        ('{"id": 17, "out": ["1ff"]}', "given 1 value, expected result flags"),
        ('{"id": 17, "out": ["1ff", "14", "0"]}', "given 3 values, expected result flags"),
        ('{"id": 17, "out": ["1f", "14"]}', "result: given 1f, expected 3 hex digits"),
        ('{"id": 17, "out": ["0x1", "14"]}', "result: given 0x1, expected 3 hex digits"),
        ('{"id": 17, "out": [" 1f", "14"]}', 'result: given " 1f", expected 3 hex digits'),
        ('{"id": 17, "out": ["-1f", "14"]}', 'result: given "-1f", expected 3 hex digits'),
        ('{"id": 17, "out": [511, "14"]}', "result: given 511, expected 3 hex digits"),
        ('{"id": 17, "out": ["3ff", "14"]}', "result: given 3ff, expected at most 9 bits"),
        ('{"id": 17, "out": ["1ff", "20"]}', "flags: given 20, expected at most 5 bits"),
    ],
)
def test_no_answer_in_json(text, message):
    with pytest.raises(NoAnswer) as caught:
        JsonWire(INPUTS, OUTPUTS).answer(text)
    assert str(caught.value) == message


def test_an_answer_in_text_has_the_flags_of_testfloat():
    wire = TextWire(INPUTS, OUTPUTS)
    assert wire.answer("1ff 05") == (None, (511, 0x14))
    assert wire.answer("  1FF\t03 ") == (None, (511, 0x18))
    assert wire.answer("000 10") == (None, (0, 0x01))


def test_an_answer_in_text_without_flags():
    assert TextWire(INPUTS, OUTPUTS[:1]).answer("1ff") == (None, (511,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "given 0 values, expected result flags"),
        ("1ff", "given 1 value, expected result flags"),
        ("1ff 5", "flags: given 5, expected 2 hex digits"),
        ("1ff 20", "flags: given 20, expected at most 5 bits"),
        ("0000012c 2 1ff 05", "given 4 values, expected result flags"),
    ],
)
def test_no_answer_in_text(text, message):
    with pytest.raises(NoAnswer) as caught:
        TextWire(INPUTS, OUTPUTS).answer(text)
    assert str(caught.value) == message
