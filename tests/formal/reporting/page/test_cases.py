from dataclasses import replace

from formal.reporting.pretended import pretended
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting.page.cases import case_of


def case(name):
    found = pretended([name.rpartition(".")[0]])
    return case_of(next(row for row in found.rows if row.proof.name == name))


def test_a_witness_is_explained_bit_by_bit():
    found = case("noquant.fp32.noquant_nan")
    assert found["inputs"] == [
        ("in.quant_word", "0x0"),
        ("in.relu", "0x1"),
        ("in.relu_word", "0x0"),
        ("in.value", "0x7f800001"),
    ]
    stages = {stage[0]: stage for stage in found["stages"]}
    assert stages["accumulator"] == [
        "accumulator",
        "signaling NaN",
        "0x7f800001",
        "FP32",
        "",
        "not negative",
        [["sign", "0"], ["exponent", "1" * 8], ["fraction", "0" * 22 + "1"]],
    ]
    assert stages["flags"][6] == [["NX", "0"], ["UF", "0"], ["OF", "0"], ["DZ", "0"], ["NV", "1"]]
    assert found["command"] == "halfulp explain noquant.fp32 acc=0x7f800001 relu=1"
    assert "curve" not in found


def test_a_rounded_number_has_a_staircase():
    found = case("deqf16.rne.nosat.tininess")
    assert found["curve"]["unit"] == "2^-24"
    assert found["curve"]["steps"][found["curve"]["hit"]][3].startswith("0x0200 = 0.0000305")


def refuted(name, witness):
    """What the page shows of an obligation with such a witness."""
    row = next(row for row in pretended([name.rpartition(".")[0]]).rows if row.proof.name == name)
    found = case_of(replace(row, proof=replace(row.proof, verdict=Verdict.REFUTED, witness=witness)))
    assert found is not None
    return found


def test_what_cannot_be_explained_shows_its_inputs():
    found = refuted("fp32_add.rne.neutral", {"in.left": 0x3FC00000})
    assert found["inputs"] == [("in.left", "0x3fc00000")]
    (left,) = found["stages"]
    assert left[:5] == ["left", "1.5", "0x3fc00000", "FP32", "12582912·2^-23"]
    assert left[6] == [["sign", "0"], ["exponent", "01111111"], ["fraction", "1" + "0" * 22]]
    assert "command" not in found


def test_a_word_shows_its_fields():
    found = refuted("fpatr.legal", {"in.word": 0x8A13})
    name, value, bits, type_name, _, _, fields = found["stages"][0]
    assert (name, value, bits, type_name) == ("word", "", "0x00008a13", "B.FPATR")
    assert [field for field in fields if field[1] == "1"] == [["MaxAbsEn", "1"], ["ElementWiseEn", "1"], ["W", "1"]]
    assert found["command"] == "halfulp explain fpatr word=0x00008a13"


def test_what_is_proved_has_none():
    row = pretended(["noquant.u32"]).rows[0]
    assert case_of(row) is None
