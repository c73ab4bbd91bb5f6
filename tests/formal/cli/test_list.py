import json


def test_a_conversion_with_its_obligations(halfulp):
    code, out, err = halfulp("list", "shifts322s16.shift")
    assert (code, err) == (0, "")
    assert out == (
        "shifts322s16\n"
        "  shifts322s16.shift\n"
        "    The shift modes perform the assigned signed arithmetic right shift and saturate the S16 result.\n"
        "    ADR 0085, Decision 177; asl/arch/profile/matrix-quantization.asl, MatrixShiftS32ToS16\n"
        "conversions: 1, obligations: 1\n"
    )


def test_json(halfulp):
    code, out, _ = halfulp("list", "req8.rne.*", "noquant.u32", "--json")
    records = json.loads(out)
    assert code == 0
    assert [record["conversion"] for record in records] == ["noquant.u32", "req8.rne.nosat", "req8.rne.sat"]
    first = records[1]["obligations"][0]
    assert first["name"] == "req8.rne.nosat.equivalent"
    assert first["expect"] == "proved"
    assert first["sentence"]
    assert first["source"] == "ADR 0085, Decision 174"


def test_groups_that_are_not_proved_every_day(halfulp):
    counts = [halfulp("list", *options)[1].splitlines()[-1] for options in ((), ("--all",))]
    assert counts[0] != counts[1]
    assert "cvt." not in halfulp("list")[1]


def test_a_pattern_that_matches_nothing(halfulp):
    message = "halfulp: nothing is called 'req8.rne.nosta'; did you mean 'req8.rne.nosat'?\n"
    assert halfulp("list", "req8.rne.nosta") == (2, "", message)


def test_names_alone_for_scripts(halfulp):
    names = "req8.rne.nosat.tie\nshifts322s16.shift\n"
    assert halfulp("list", "--names", "shifts322s16.shift", "req8.rne.nosat.tie") == (0, names, "")
    records = json.loads(halfulp("list", "req8.*", "--json")[1])
    every = [each["name"] for record in records for each in record["obligations"]]
    assert halfulp("list", "req8.*", "--names")[1].splitlines() == every
    message = "halfulp: --names and --json: given both, expected one of them\n"
    assert halfulp("list", "--names", "--json") == (2, "", message)
