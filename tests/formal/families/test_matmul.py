"""The matrix multiply: every obligation as expected, wrong models, and the smallest witnesses against the oracle."""

import pytest

from formal.families.proving import is_refused, of_conversions, seeds, smallest, unexpected
from halfulp_formal.abstraction import substitute
from halfulp_formal.catalogue import build, obligations
from halfulp_formal.dag import symbols
from halfulp_formal.families.matmul import FAMILY, agreement, equivalent_to_encoding
from halfulp_formal.lift.values import Int
from halfulp_formal.obligation import Verdict
from halfulp_formal.properties.matmul import HIGHEST, LOWEST, FreeProducts, FreeTotal, free_row, in_range
from halfulp_formal.subject import base_subject
from halfulp_model import Block, Uncharacterised, bfp16_matmul, fold
from oracle import bfp16 as oracle

SEEDS = list(seeds(FAMILY))
#: seconds of a solver rather than tenths of one
LONG = ("bfp16_fold.step", "bfp16_matmul.equivalent", "bfp16_matmul.halved", "bfp16_matmul.decomposed")
SLOW_SEEDS = [each for each in SEEDS if each[0] in ("step", "decomposed")]
ONE = Block(133, (1, *[0] * 7))


def powers(*exponents):
    """Blocks that stand for powers of two."""
    return tuple(Block(133 + exponent, ONE.mantissas) for exponent in exponents)


def test_the_conversions():
    assert FAMILY.conversions() == ["bfp16_v64", "bfp16_matmul", "bfp16_fold"]


def test_every_light_obligation_is_as_expected():
    names = of_conversions(*FAMILY.conversions())
    # those expected to be refuted have their smallest witnesses below
    assert unexpected([name for name in names if name not in LONG and build(name).expect is Verdict.PROVED]) == []


def test_any_products_and_any_sum_stand_for_the_blocks_own():
    """With the blocks' own numbers in their places, the claim has every part of the plain agreement."""
    case = FAMILY.case(base_subject(), "bfp16_matmul")
    left, right = free_row("a"), free_row("b")
    plain = agreement(case, left, right)
    free, any_sum = FreeProducts(case.products(left, right)), FreeTotal(plain.total)
    assert isinstance(plain.total, Int)
    own = {number: product for product, number in free.replacement.items()} | {any_sum.inputs[0]: plain.total.term}
    claim = equivalent_to_encoding(case).claim
    assert set(own) < set(symbols([claim]))
    said = substitute(claim, own)
    assert symbols([said]) == symbols([plain.same, plain.settled])
    assert {*(in_range(product) for product in free.products), any_sum.bounded, plain.same} < set(said.args())
    # what the claim says to be equal may stand for each other
    equal = {plain.expected_total: plain.total.term}
    parts = {substitute(part, equal) for part in said.args()}
    assert {substitute(plain.settled, equal), substitute(plain.code, equal)} < parts


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_every_obligation_is_as_expected(name):
    assert name in obligations(name.rpartition(".")[0])
    assert unexpected([name]) == []


def named(value):
    """What a seed is called."""
    return value if isinstance(value, str) else ""


@pytest.mark.parametrize(
    ("kind", "mistake", "candidates"), [each for each in SEEDS if each not in SLOW_SEEDS], ids=named
)
def test_a_wrong_model_is_refused(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "mistake", "candidates"), SLOW_SEEDS, ids=named)
def test_a_wrong_model_is_refused_slowly(kind, mistake, candidates):
    assert is_refused(kind, mistake, candidates)


def witness(name):
    """The two blocks of the smallest witness, as pairs of exponent and mantissas."""
    proof = smallest(name)
    assert proof.verdict is Verdict.REFUTED
    values = proof.witness or {}
    sides = ("a", "b")
    mantissas = [[values[f"in.{side}{k}"] for k in range(8)] for side in sides]
    return tuple(
        Block(values[f"in.{side}_exponent"], tuple(each - (each >> 7 << 8) for each in row))
        for side, row in zip(sides, mantissas, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "exponents", "members"), [("below_range", LOWEST - 1, 1), ("above_range", HIGHEST + 1, -128)]
)
def test_just_outside_the_range_a_product_is_not_exact(name, exponents, members):
    left, right = witness(f"bfp16_matmul.{name}")
    assert left.exponent + right.exponent == exponents
    assert {*left.mantissas, *right.mantissas} - {0} == {members}
    if right.exponent < 255:
        assert isinstance(fold((left,), (right,)), Uncharacterised)


def test_three_powers_of_two_tell_a_fold_from_a_sum_rounded_once_and_its_order():
    for name, chosen in (("single_rounded", (0, 24, 0)), ("order", (24, 0, 0))):
        proof = smallest(f"bfp16_fold.{name}")
        assert (proof.verdict, proof.witness) == (Verdict.REFUTED, {"in.distance": 24})
        blocks = powers(*chosen)
        pairs = [((left.mantissas, left.exponent), (ONE.mantissas, ONE.exponent)) for left in blocks]
        assert fold(blocks, (ONE,) * 3) == oracle.fold(pairs) == 0x4B800000
        assert sum(oracle.dot(*pair) for pair in pairs) == 2**24 + 2
    assert fold(powers(0, 0, 24), (ONE,) * 3) == 0x4B800001


def test_the_envelope_ends_at_1024():
    full, one = Block(133, (-128,) * 8), (ONE,)
    assert fold((full,) * 128, (full,) * 128) == 0x4B800000
    assert fold((full,) * 128 + one, (full,) * 128 + one) == 0x4B800000
    assert smallest("bfp16_fold.envelope_exceeded").witness == {"in.sum": 1}


def test_matmul_is_the_folds_of_its_lanes():
    rows = tuple(Block(120 + i, tuple(range(i, i + 8))) for i in range(8))
    columns = tuple(Block(130 - j, tuple(range(-j, 8 - j))) for j in range(8))
    found = bfp16_matmul(rows, columns)
    assert found == tuple(fold((row,), (column,)) for row in rows for column in columns)
