"""Outside opinions on every code of the short formats: ml_dtypes and gfloat, with every difference and its reason."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from halfulp_formal.tables import TableRow, format_table, table_formats
from halfulp_model import ValueClass

numpy = pytest.importorskip("numpy", reason="the outside opinions are installed with the extra 'oracles'")
ml_dtypes = pytest.importorskip("ml_dtypes", reason="the outside opinions are installed with the extra 'oracles'")
gfloat = pytest.importorskip("gfloat", reason="the outside opinions are installed with the extra 'oracles'")
infos = pytest.importorskip("gfloat.formats", reason="the outside opinions are installed with the extra 'oracles'")

#: what others call a format; nobody else has HiF8, E1M2X2 and HiF4X2
THEIRS = {
    "E4M3": (ml_dtypes.float8_e4m3fn, infos.format_info_ocp_e4m3),
    "E5M2": (ml_dtypes.float8_e5m2, infos.format_info_ocp_e5m2),
    "E3M2": (ml_dtypes.float6_e3m2fn, infos.format_info_ocp_e3m2),
    "E2M3": (ml_dtypes.float6_e2m3fn, infos.format_info_ocp_e2m3),
    "E2M1": (ml_dtypes.float4_e2m1fn, infos.format_info_ocp_e2m1),
    "E2M1X2": (ml_dtypes.float4_e2m1fn, infos.format_info_ocp_e2m1),
    "E8M0": (ml_dtypes.float8_e8m0fnu, infos.format_info_ocp_e8m0),
}
ALONE = {"HiF8", "E1M2", "E1M2X2", "HiF4X2"}

#: codes that gfloat classes in another way, by format
CLASSED_OTHERWISE = {
    # the ASL's classification of the packed formats knows no subnormal: a finding
    "E2M1X2": {0x1: "SUBNORMAL", 0x9: "SUBNORMAL"},
}
NANS = (ValueClass.QUIET_NAN, ValueClass.SIGNALING_NAN)


def codes(name: str) -> list[TableRow]:
    """The valid codes of a format: others do not know constrained bits."""
    return [row for row in format_table(name) if row.value_class is not ValueClass.INVALID_ENCODING]


def value_text(row: TableRow) -> str:
    """The value of a code as a signed fraction, or what takes its place."""
    if row.value_class in NANS:
        return "nan"
    number = row.decomposition
    if not number.available:
        return "-inf" if row.value_class is ValueClass.NEGATIVE_INFINITY else "inf"
    return ("-" if number.negative else "") + str(number.significand * Fraction(2) ** number.exponent)


def float_text(value: Any) -> str:
    """A double in the same way, the sign of zero included."""
    number = float(value)
    if math.isnan(number):
        return "nan"
    sign = "-" if math.copysign(1, number) < 0 else ""
    return sign + ("inf" if math.isinf(number) else str(Fraction(abs(number))))


def test_a_short_format_is_compared_or_nobody_else_has_it():
    assert set(table_formats()) == set(THEIRS) | ALONE


@pytest.mark.parametrize("name", THEIRS)
def test_every_value_is_that_of_ml_dtypes(name):
    rows = codes(name)
    raw = numpy.array([row.code for row in rows], dtype=numpy.uint8).view(THEIRS[name][0])
    assert [value_text(row) for row in rows] == [float_text(value) for value in raw.astype(numpy.float64)]


@pytest.mark.parametrize("name", THEIRS)
def test_every_value_is_that_of_gfloat(name):
    rows = codes(name)
    assert [value_text(row) for row in rows] == [
        float_text(gfloat.decode_float(THEIRS[name][1], row.code).fval) for row in rows
    ]


@pytest.mark.parametrize("name", THEIRS)
def test_every_class_is_that_of_gfloat_but_for_those_listed(name):
    differences = {}
    for row in codes(name):
        theirs = gfloat.decode_float(THEIRS[name][1], row.code).fclass.name
        # gfloat keeps no signs in its classes and knows one kind of NaN
        ours = row.value_class.name.rpartition("_")[2].replace("INFINITY", "INFINITE")
        if ours != theirs:
            differences[row.code] = theirs
    assert differences == CLASSED_OTHERWISE.get(name, {})
