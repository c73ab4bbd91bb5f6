import pytest

from halfulp_formal import catalogue
from halfulp_formal.explain import explain
from halfulp_formal.reporting.page.curves import curve_of
from halfulp_formal.reporting.page.examples import Curves, example_curve, example_of
from halfulp_formal.reporting.page.rule_lines import rows_by_name


@pytest.mark.parametrize(
    ("conversion", "arguments"),
    [
        ("req8.rne.nosat", "acc=5 scale=0x1f800"),
        ("deqf16.rtz.sat", "acc=2049 scale=0x1d000"),
        ("qf322f16.rne.nosat", "acc=0x3f801000 scale=0x1fc00"),
        ("qf322f32.rne.nosat", "acc=0x3f800001 scale=0x1fe00"),
        ("noquant.u32", "acc=5"),
        ("shifts322s16", "acc=5 shift=1"),
        ("cvt.fp32.e4m3.rne.sat", "in=0x3f880000"),
        ("cvt.s32.e2m1.rne.sat", "in=0x00000005"),
        ("cvt.fp32.s8.rne.sat", "in=0x40200000"),
        ("cvt.e2m1.s4.rne.sat", "in=0x3"),
        ("cvt.fp16.fp32.rne.sat", "in=0x3e00"),
        ("e8m0.fp16.rne.nosat", "in=0x3e00"),
        ("fp19.fp32", "in=0x3f801000"),
        ("format.e8m0", "in=0x7f"),
    ],
)
def test_examples(conversion, arguments):
    found = example_of(conversion)
    assert found is not None
    assert found.command == f"halfulp explain {conversion} {arguments}"
    assert found.failure == ""
    fields = dict(pair.split("=") for pair in arguments.split())
    assert found == explain(conversion, fields)


def test_a_block_and_a_sum_have_none():
    assert example_of("mxint8") is None
    assert example_of("fp32_add.rne") is None


def test_plain_conversions_that_round_alike_share_a_staircase():
    known: Curves = {}
    rows, names = rows_by_name(), ("cvt.fp32.fp16.rne.sat", "cvt.fp64.fp16.rne.sat")
    one, two = (example_curve(name, explain(name, {"in": "1.00048828125"}), known) for name in names)
    assert one is two
    assert two == curve_of(rows[names[1]], explain(names[1], {"in": "1.00048828125"}))


@pytest.mark.slow
def test_every_example_is_a_legal_case():
    for conversion in catalogue.conversions():
        found = example_of(conversion)
        assert found is None or not found.failure, conversion
