"""Block conversions: obligations of a sample in every run and of all in the slow one, wrong models, open questions."""

import pytest

from formal.families.proving import is_refused, of_conversions, of_family, seeds, smallest, unexpected
from halfulp_formal.catalogue import UnknownName, obligations
from halfulp_formal.families.blocks import FAMILY
from halfulp_formal.obligation import Verdict
from halfulp_formal.open_blocks import SENTENCES, smallest_blocks
from halfulp_formal.properties.quantised import ABOVE_127, HALFWAY, REACHES
from halfulp_model import bfp16_encode
from halfulp_model.block_rows import Minimum
from halfulp_model.blocks import block_conversions, encode_block
from halfulp_model.loader import default_rules
from model.test_blocks import with_row
from oracle import bfp16 as oracle

SEEDS = list(seeds(FAMILY))
CONVERSIONS = block_conversions()
MODES = [name for name in FAMILY.conversions() if name.startswith("bfp16.")]


def padded(*words):
    """A block of eight that ends in some words."""
    return (0,) * (8 - len(words)) + words


@pytest.mark.parametrize("name", ["bfp16.conv_even", "bfp16_mxint8"])
def test_every_obligation_of_a_conversion_is_as_expected(name):
    assert unexpected(of_conversions(name)) == []


@pytest.mark.slow
def test_every_obligation_is_as_expected():
    assert unexpected(of_family(FAMILY)) == []


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "mistake", "candidates"), SEEDS, ids=[f"{kind}-{seed}" for kind, seed, _ in SEEDS])
def test_a_wrong_model_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)


@pytest.mark.parametrize(
    ("kind", "mistake", "name"),
    [
        ("exponent", "block_saturates", "bfp16.conv_even"),
        ("exponent", "exponent_after_rounding", "bfp16.sym_floor"),
        ("rounding", "conv_even_is_floor", "bfp16.conv_even"),
        ("equivalent", "rounded_mantissas_halved", "bfp16.conv_even"),
        ("equivalent", "shifted_twice", "bfp16.conv_even"),
        ("largest", "renormalised_by_two", "bfp16.pos_inf"),
        ("differ", "block_saturates", "bfp16_mxint8"),
    ],
)
def test_a_wrong_converter_is_refused_where_it_shows(kind, mistake, name):
    assert is_refused(kind, mistake, [name])


@pytest.mark.parametrize("mode", REACHES)
def test_the_limits_are_where_the_oracle_reaches_128(mode):
    for sign, least in enumerate(REACHES[mode]):
        for significand in (ABOVE_127 - 1, ABOVE_127, HALFWAY - 1, HALFWAY, HALFWAY + 1, (1 << 24) - 1):
            word = sign << 31 | 127 << 23 | significand - (1 << 23)
            rounded = oracle.round_mantissa(oracle.exact_mantissa(word, 127), mode)
            assert (abs(rounded) == 128) is (least is not None and significand >= least)


def test_hardware_and_procedure_differ_at_a_tie_and_at_a_subnormal():
    for block, mantissas in (
        (padded(0x007FFFFF, 0x3FFF0000), (0, 64)),
        (padded(0x00800000, 0x00400000), (64, 0)),
    ):
        assert encode_block(CONVERSIONS["bfp16.conv_even"], block).block.mantissas == padded(*mantissas)
        assert encode_block(CONVERSIONS["mxint8"], block).block.mantissas != padded(*mantissas)


def test_only_these_modes_are_not_sign_symmetric():
    directed = [name for name in MODES if f"{name}.mirrored_directed" in obligations(name)]
    assert directed == ["bfp16.floor", "bfp16.ceil", "bfp16.neg_inf", "bfp16.pos_inf"]


def test_under_ceil_the_largest_member_may_fall_below_64():
    proof = smallest("bfp16.ceil.largest_negative")
    assert proof.verdict is Verdict.REFUTED
    assert list((proof.witness or {}).values()) == [*padded(0x00FE0001, 0x80FE0001), 1]
    assert bfp16_encode(padded(0x00FE0001, 0x80FE0001), "ceil") == (2, padded(64, -63))


@pytest.mark.parametrize(
    ("mode", "question", "blocks"),
    [
        ("conv_even", "renormalised_to_255", [(0x7F7F0000,)]),
        ("ceil", "renormalised_to_255", [(0x7F7E0001,)]),
        ("conv_odd", "nan_reaches_128", [(0x7FFF0001,)]),
        ("floor", "nan_reaches_128", [(0xFFFE0001,)]),
        ("conv_even", "minimum_mantissa", [(0x80FF0000,), (0x00800000, 0x83FF0000)]),
        ("sym_ceil", "minimum_mantissa", [(0x80FE0001,), (0x00800000, 0x83FE0001)]),
        ("floor", "renormalised_to_255", []),
        ("sym_floor", "nan_reaches_128", []),
        ("ceil", "minimum_mantissa", []),
        ("sym_floor", "nan_payload", [(0x7F800001,)]),
    ],
)
def test_the_smallest_blocks_that_meet_an_open_question(mode, question, blocks):
    found = smallest_blocks(f"bfp16.{mode}", question)
    assert found == [padded(*block) for block in blocks]
    for block in found:
        conversion = CONVERSIONS[f"bfp16.{mode}"]
        encoding = encode_block(conversion, block)
        other = encode_block(with_row(conversion, minimum=Minimum.FITS_INT8), block)
        met = {
            "minimum_mantissa": encoding.characterised and encoding != other,
            "nan_payload": encoding.block.mantissas[-1] == 64,
        }
        assert met.get(question, not encoding.characterised)


def test_the_questions_are_rows_of_the_rule_data():
    assert SENTENCES.keys() <= default_rules().open_questions.keys()
    with pytest.raises(UnknownName, match=r"^nothing is called 'nan_payloads'; did you mean 'nan_payload'\?$"):
        smallest_blocks("bfp16.floor", "nan_payloads")
