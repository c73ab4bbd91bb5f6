from formal.reporting.pretended import pretended
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


def test_what_cannot_be_explained_shows_its_inputs():
    found = case("bfp16.floor.nan_payload")
    assert len(found["inputs"]) == 8
    first = found["stages"][0]
    assert first[:4] == ["member0", "", "0x3f800000", "FP32"]
    assert first[6][1] == ["exponent", "01111111"]


def test_what_is_proved_has_none():
    row = pretended(["noquant.u32"]).rows[0]
    assert case_of(row) is None
