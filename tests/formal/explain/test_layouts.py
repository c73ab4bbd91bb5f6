"""Packed elements and planes explained, both ways; one block through both procedures."""

import random
import shlex

import pytest

from halfulp_formal.explain import FieldError, as_lines, evaluate, explain, explain_witness
from halfulp_formal.explain.lists import BLOCK
from halfulp_model import Block, bfp16_encode, pack_s4x2, unpack_s4x2, v64_pack, v64_unpack

PACKED = """\
pack.s4x2: signed elements, two in a byte, written
  element 0    1   0x1     byte 0, low
  element 1    2   0x2     byte 0, high
  element 2    -3  0xd     byte 1, low
  free nibble  0   0x0     byte 1, high
  bytes            0x210d
"""


def asked_again(explanation):
    """The explanation that its own command prints."""
    _, _, again, *pairs = shlex.split(explanation.command)
    return explain(again, dict(pair.split("=", 1) for pair in pairs))


def test_elements_and_where_they_lie():
    assert "\n".join([*as_lines(explain("pack.s4x2", {"": "1,2,0xd"})), ""]) == PACKED


@pytest.mark.parametrize("count", [1, 2, 7])
def test_packed_elements_are_the_model_s(count):
    elements = [random.Random(count).randrange(-8, 8) for _ in range(count)]
    written = explain("pack.s4x2", {"elements": elements})
    assert written.outcome["bytes"] == f"0x{pack_s4x2(elements).hex()}"
    found = explain("pack.s4x2", {"bytes": written.outcome["bytes"]})
    assert found.outcome["elements"] == list(unpack_s4x2(pack_s4x2(elements)))
    for each in (written, found):
        assert asked_again(each) == each
        assert each.outcome == evaluate("pack.s4x2", dict([each.command.rpartition(" ")[2].split("=")]))


def test_the_planes_of_a_v64_are_the_model_s():
    chance = random.Random(64)
    data = bytes(chance.getrandbits(8) for _ in range(72))
    found = explain("bfp16_v64", {"bytes": data.hex()})
    blocks = [Block(each["exponent"], tuple(each["mantissas"])) for each in found.outcome["blocks"]]
    assert tuple(blocks) == v64_unpack(data)
    written = explain("bfp16_v64", {"blocks": found.outcome["blocks"]})
    assert written.outcome["bytes"] == f"0x{v64_pack(blocks).hex()}" == f"0x{data.hex()}"
    assert written.stages[1].note == f"exponent {data[65]}; bytes 8 to 15 and 65"
    assert asked_again(written) == written
    assert asked_again(found) == found


def test_witnesses():
    explanation = explain_witness("pack.s4x2", {f"in.nibble{k}": 0xF - k for k in range(5)})
    assert explanation is not None
    assert explanation.command == "halfulp explain pack.s4x2 elements=-1,-2,-3,-4,-5"
    explanation = explain_witness("pack.s4x2", {"in.byte0": 0x21, "in.byte1": 0xF0})
    assert explanation is not None
    assert explanation.outcome["elements"] == [1, 2, 0, -1]
    assert explain_witness("pack.s4x2", {"in.other": 1}) is None
    blocks = {f"in.block{k}_{m}": k for k in range(8) for m in (*range(8), "exponent")}
    explanation = explain_witness("bfp16_v64", blocks)
    assert explanation is not None
    assert explanation.outcome["blocks"][7] == {"exponent": 7, "mantissas": [7] * 8}
    assert explain_witness("bfp16_v64", {"in.other": 1}) is None


def test_one_block_through_both_procedures():
    members = ["0x3fffffff", "1.0", *["0"] * 5, "0x000116c2"]
    found = explain("bfp16_mxint8", {"block": members})
    hardware = bfp16_encode([0x3FFFFFFF, 0x3F800000, *[0] * 5, 71362], "conv_even")
    assert isinstance(hardware, Block)
    assert found.outcome["hardware"]["exponent"] == hardware.exponent == 128
    assert found.outcome["procedure"] == {
        "exponent": 127,
        "mantissas": [127, 64, 0, 0, 0, 0, 0, 0],
        "out": "0x7f400000000000007f",
    }
    assert found.outcome["same"] is False
    assert found.outcome == evaluate("bfp16_mxint8", {"block": members})
    assert evaluate("bfp16_mxint8", {"block": ["1.0"] * 8})["same"] is True
    assert asked_again(found) == found
    explanation = explain_witness("bfp16_mxint8", {f"in.member{k}": 0x3F800000 for k in range(8)})
    assert explanation is not None
    assert explanation.outcome["same"] is True


V64_BLOCKS = f"8 blocks with / between, each {BLOCK.removeprefix('a block ')}"

REFUSED = [
    ("pack.s4x2", {}, "elements: expected elements of -8 to 7, separated by commas; or bytes=0x…"),
    ("pack.s4x2", {"elements": "8"}, "elements[0]=8: expected an element of -8 to 7"),
    ("pack.s4x2", {"elements": "0x10"}, "elements[0]=0x10: expected an element of -8 to 7"),
    ("pack.s4x2", {"elements": "1", "bytes": "00"}, "elements=1: expected elements or bytes, not both"),
    ("pack.s4x2", {"bytes": "0x1"}, "bytes=0x1: expected bytes in hex, two digits each"),
    ("bfp16_v64", {"bytes": "0x00"}, "bytes=0x00: expected 72 bytes in hex, two digits each"),
    ("bfp16_v64", {"blocks": "1:2"}, f"blocks: given 1 block, expected {V64_BLOCKS}"),
    ("bfp16_v64", {"": "1:2/1:2"}, f"blocks: given 2 blocks, expected {V64_BLOCKS}"),
    ("bfp16_v64", {"element0": "1:2"}, "element1: expected a value, as element0 to element7 are needed"),
    ("bfp16_v64", {"blocks": "256:0,0,0,0,0,0,0,0/" * 7 + "1:2"}, "blocks[0]: given exponent 256, expected 0 to 255"),
    ("pack.s4x2", {"element0": "9"}, "element0=9: expected an element of -8 to 7"),
    ("pack.s4x2", {"element0": "1", "bytes": "00"}, "element0=1: expected elements or bytes, not both"),
    (
        "bfp16_mxint8",
        {"block": "0,0,0,0,0,0,0,nan"},
        "block[7]=nan: expected a finite number, as bfp16_mxint8 takes no other",
    ),
]


@pytest.mark.parametrize(("name", "fields", "message"), REFUSED)
def test_what_cannot_be_read(name, fields, message):
    with pytest.raises(FieldError) as error:
        explain(name, fields)
    assert str(error.value) == message
