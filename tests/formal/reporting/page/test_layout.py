import pytest

from halfulp_formal import catalogue
from halfulp_formal.reporting.page.layout import Place, place_of


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("req8.rne.nosat", Place("req8", "", "rne.nosat")),
        ("noquant.fp32", Place("noquant", "", "fp32")),
        ("cvt.fp32.e4m3.rtz.sat", Place("cvt.fp32", "e4m3", "rtz.sat")),
        ("e8m0.fp16.rto.sat", Place("e8m0", "fp16", "rto.sat")),
        ("scale.fp32.rceil.e2m3", Place("scale.fp32", "", "rceil.e2m3")),
        ("format.e4m3", Place("format", "", "e4m3")),
        ("bfp16.conv_even", Place("bfp16", "", "conv_even")),
        ("mxint8", Place("mxint8", "", "")),
        ("fp32_add.rne", Place("fp32_add", "", "rne")),
    ],
)
def test_places(name, place):
    assert place_of(name) == place


def test_every_conversion_has_a_place_of_its_own():
    names = catalogue.conversions()
    assert len({place_of(name) for name in names}) == len(names)
