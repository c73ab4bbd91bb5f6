"""Rule data of formats: what is derived from a row, and each mistake with its file, line and field."""

import pytest

from halfulp_model.format_rows import CLAIMS
from halfulp_model.loader import default_rules, load_rules
from halfulp_model.rows import Claims, Kind, Specials
from model.rule_data import check_refused, copy_with

FORMATS = default_rules().formats

E3M2_ZERO_BITS = "code: 9, carrier_bits: 8, high_zero_bits: 2, "
E4M3_NAN = "canonical_nan: 0x7f, "
D2 = "{name: D2, prefix: 0b01, prefix_bits: 2, exponent_signed: true, exponent_bits: 1, exponent_base: 2,"


def test_every_data_type_code_has_one_row():
    codes = sorted(row.code for row in FORMATS.values() if row.code is not None)
    assert codes == [*range(15), *range(16, 21), *range(24, 29)]


def test_constrained_zero_bits_move_fields_and_magnitude_codes():
    tf32, fp19 = FORMATS["TF32"], FORMATS["FP19"]
    assert (tf32.sign_bit, tf32.lane_bits, tf32.code_bits) == (31, 32, 32)
    assert tf32.largest_finite == fp19.largest_finite << 13
    assert tf32.infinity == fp19.infinity << 13 == 0x7F800000
    e3m2 = FORMATS["E3M2"]
    assert (e3m2.sign_bit, e3m2.lane_bits, e3m2.code_bits, e3m2.largest_finite) == (5, 6, 8, 0x1F)


def test_a_packed_row_takes_the_fields_of_its_lane():
    packed, lane = FORMATS["E2M1X2"], FORMATS["E2M1"]
    assert (packed.kind, packed.exponent_bits, packed.fraction_bits) == (lane.kind, 2, 1)
    assert (packed.carrier_bits, packed.lanes, packed.code_bits) == (8, 2, lane.carrier_bits)
    assert (packed.code, lane.code) == (11, None)
    assert (packed.subnormal_class, lane.subnormal_class) == (False, True)
    assert (FORMATS["S4X2"].minimum, FORMATS["S4X2"].maximum) == (-8, 7)
    assert (FORMATS["U4X2"].minimum, FORMATS["U4X2"].maximum) == (0, 15)


def test_derived_fields_of_the_scale_and_of_the_tapered_format():
    e8m0, hif8 = FORMATS["E8M0"], FORMATS["HiF8"]
    assert (e8m0.kind, e8m0.signed, e8m0.largest_finite, e8m0.minimum_exponent) == (Kind.SCALE, False, 0xFE, -127)
    assert (hif8.kind, hif8.specials, hif8.sign_bit) == (Kind.TAPERED, Specials.LISTED, 7)
    assert (hif8.minimum_exponent, hif8.smallest_exponent, hif8.fraction_bits) == (-15, -22, 3)
    assert hif8.normal_fraction_bits == 1


def test_claims_are_copied_from_the_row():
    assert FORMATS["HiF8"].claims == Claims(
        exponent_bits=(0, 4),
        fraction_bits=(1, 3),
        has_zero=True,
        has_subnormal=True,
        has_infinity=True,
        has_quiet_nan=True,
        subnormal_boundaries=(0x01, 0x07, 0x08),
    )
    assert FORMATS["S32"].claims == Claims()


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        (
            E3M2_ZERO_BITS,
            "code: 9, carrier_bits: 8, ",
            "{kind: binary, code: 9",
            "formats.E3M2: the fields take 6 bits of a carrier of 8",
        ),
        (
            E3M2_ZERO_BITS,
            "code: 9, carrier_bits: 8, canonical_nan: 0x1f, high_zero_bits: 2, ",
            "{kind: binary, code: 9",
            "formats.E3M2: a canonical NaN is given if and only if the format has NaNs",
        ),
        (
            E4M3_NAN,
            "",
            "{kind: binary, code: 7",
            "formats.E4M3: a canonical NaN is given if and only if the format has NaNs",
        ),
        (
            E4M3_NAN,
            "canonical_nan: 0x70, ",
            "canonical_nan: 0x70",
            "formats.E4M3.canonical_nan: 0x70 is not a NaN: its exponent field is not all ones or its fraction is 0",
        ),
        (
            "canonical_nan: 0x80",
            "canonical_nan: 0x180",
            "canonical_nan: 0x180",
            "formats.HiF8.canonical_nan: 0x180 does not fit a carrier of 8 bits",
        ),
        (
            D2,
            D2.replace("exponent_bits: 1", "exponent_bits: 2"),
            "{name: D2",
            "formats.HiF8.bands.3: the fields of D2 take 8 of the 7 bits below the sign",
        ),
        (
            D2,
            D2.replace("prefix: 0b01", "prefix: 0b10"),
            "- {name: denormal",
            "formats.HiF8.bands: magnitude code 0x20 is in no band; expected one band",
        ),
        (
            "{name: D1, prefix: 0b001",
            "{name: D1, prefix: 0b010",
            "- {name: denormal",
            "formats.HiF8.bands: magnitude code 0x10 is in no band; expected one band",
        ),
        (
            "lane: S4,",
            "lane: S5,",
            "lane: S5",
            "formats.S4X2.lane: no scalar format is called 'S5'",
        ),
        (
            "lane: U4,",
            "lane: U8,",
            "lanes: 2, lane: U8",
            "formats.U4X2.lanes: 2 lanes of 8 bits do not fill 8 bits",
        ),
        (
            "kind: packed, code: 28",
            "kind: packed, code: 27",
            "kind: packed, code: 27",
            "formats.U4X2.code: 27 is already taken by U8",
        ),
        (
            "canonical_nan: 0xff, claims: [quiet_nan]",
            "canonical_nan: 0xff, claims: [quiet]",
            "claims: [quiet]",
            f"formats.E8M0.claims.0: 'quiet' is not one of {list(CLAIMS)}",
        ),
        (
            "{kind: scale, code: 13",
            "{kind: square, code: 13",
            "{kind: square",
            "formats.E8M0.kind: 'square' is not one of ['binary', 'scale', 'tapered', 'integer', 'packed']",
        ),
    ],
)
def test_a_mistake_is_refused_where_it_stands(tmp_path, old, new, at, message):
    check_refused(tmp_path, "formats.yaml", old, new, at, message)


def test_two_bands_that_share_a_code_are_refused(tmp_path):
    old, new = "{name: D4, prefix: 0b11", "{name: D4, prefix: 0b10"
    message = "formats.HiF8.bands: magnitude code 0x40 is in D3 and D4; expected one band"
    check_refused(tmp_path, "formats.yaml", old, new, "- {name: denormal", message)


def test_a_legal_change_changes_the_digest(tmp_path):
    copy_with(tmp_path, "formats.yaml", "claims: [quiet_nan]", "claims: [zero, quiet_nan]")
    changed = load_rules(tmp_path)
    assert changed.formats["E8M0"].claims.has_zero
    assert changed.digest != default_rules().digest
