"""The families of which mutants are made: each conversion belongs to one, and all are put to the solver alike."""

from itertools import chain
from pathlib import Path

import pytest

from halfulp_formal.cli.mutating import select
from halfulp_formal.decide import Engine
from halfulp_formal.evaluate import evaluate
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.equivalence import by_name
from halfulp_formal.mutants.mutated import FAMILIES, has_mutants, mutated
from halfulp_formal.mutants.outcome import Fate, killed_by, outcomes, point_of, settled, survivors_of, tells_apart
from halfulp_formal.obligation import Verdict
from halfulp_formal.subject import base_subject
from halfulp_formal.vectors.classes.mutants import known
from halfulp_formal.vectors.family import family_of, shipped_names
from halfulp_formal.vectors.reading import read
from halfulp_model.conversions import conversions

VECTORS = Path(__file__).parents[3] / "vectors"
#: a small conversion of each family
SMALL = ["shifts322s16", "cvt.s32.s8.rne.nosat", "scale.fp16.floor", "format.s4x2"]
#: conversions that have rows of other kinds
OTHERS = ["bfp16_matmul", "tile.noquant.s32", "tile.vreq4.rne.nosat"]


def test_every_conversion_belongs_to_one_family():
    names = [list(family.names()) for family in FAMILIES]
    assert len(set(chain(*names))) == sum(map(len, names))
    assert all(has_mutants(each[0]) and has_mutants(each[-1]) for each in names)
    assert all(has_mutants(name) for name in shipped_names())
    assert not has_mutants("bfp16_v64")
    with pytest.raises(LookupError, match=r"^no mutants are made of bfp16_v64$"):
        mutated("bfp16_v64")


@pytest.mark.parametrize("name", SMALL + OTHERS)
def test_the_shipped_model_has_the_shipped_rows(name):
    family = mutated(name)
    row = family.row(base_subject(), name)
    assert row == family.names()[name]
    assert family.formats(row)
    if hasattr(row, "destination"):
        assert row.destination in family.formats(row)


@pytest.mark.parametrize(
    "name", [each if "cvt" in each else pytest.param(each, marks=pytest.mark.slow) for each in SMALL]
)
def test_the_shipped_file_leaves_nothing_open(name):
    cases = [(line.inputs, line.outputs) for line in read(VECTORS / f"{name}.jsonl").lines]
    killed = killed_by({name: cases}, 1)
    proofs = settled(survivors_of(killed), Engine("bitwuzla", 60), jobs=1, cache=None, isolate=False)
    assert {each.fate for each in outcomes(killed, proofs)} == {Fate.KILLED, Fate.EQUIVALENT, Fate.REFUSED}


#: mutants that survived once, and the declared class whose cases kill them
CLOSED = [
    ("cvt.fp32.e4m3.rne.nosat", "tininess/above-smallest-normal", "encode.is_tiny.compare-1.gt"),
    ("cvt.fp32.e4m3.rne.nosat", "tininess/under-half-smallest-normal", "encode.is_tiny.constant-2.plus-1"),
    ("cvt.fp64.e2m1.rne.nosat", "tininess/under-half-smallest-normal", "encode.is_tiny.constant-2.plus-1"),
    ("cvt.bf16.u8.rne.nosat", "tie/one-fraction-bit-even", "rounding.round_magnitude.constant-1.minus-1"),
    ("cvt.fp32.s8.rna.nosat", "tie/one-fraction-bit-odd", "rounding.round_magnitude.constant-3.plus-1"),
    ("cvt.fp32.s8.rtz.nosat", "wrap/no-fraction-bits", "rounding.round_magnitude.arithmetic-1.minus"),
    ("cvt.bf16.s32.rne.nosat", "past-tie/even", "rounding.round_magnitude.compare-3.lt"),
    ("cvt.bf16.u32.rne.nosat", "range/largest-power", "format_rows.integer_fields.constant-1.plus-1"),
    ("cvt.fp16.bf16.rne.nosat", "coarse/tie-even", "exact.is_integer.constant-1.minus-1"),
    ("cvt.fp16.bf16.rne.nosat", "coarse/tie-odd", "rounding.round_magnitude.constant-3.plus-1"),
    ("cvt.s32.e2m1.rne.nosat", "integer/beyond-past-tie", "rounding.round_magnitude.arithmetic-7.minus"),
    ("cvt.u32.e2m3.rne.nosat", "integer/beyond-halves", "rounding.round_magnitude.constant-1.minus-1"),
    ("cvt.s32.e3m2.rne.nosat", "integer/past-tie-even", "rounding.round_magnitude.compare-3.lt"),
    ("cvt.u32.e4m3.rne.nosat", "integer/exact-odd", "exact.is_integer.constant-2.plus-1"),
    ("cvt.u32.e4m3.rne.nosat", "integer/under-tie-odd", "rounding.round_magnitude.compare-3.gt"),
    ("scale.bf16.rceil.e3m2", "divided/power-minus-two", "e8m0.divide.arithmetic-8.plus"),
    ("tile.noquant.s32", "reduced/overflow-two-columns", "reduction.reduce_columns.arithmetic-1.xor"),
    ("tile.noquant.s32", "wrong/bit-9", "seeded.fpatr_reserved_bits_ignored"),
    ("tile.vreq4.rne.nosat", "wrong/init-of-groups", "seeded.fpatr_init_without_row"),
    ("tile.vreq4.rne.nosat", "reduced/relu-of-negative-largest", "reduction.absolute.compare-1.ge"),
    ("bfp16_matmul", "sum/overflow-before", "rules.encoders.ieee-ocp.FP32.overflow.before_rounding"),
    ("bfp16.conv_even", "zero/negative-largest-subnormal", "seeded.exponent_after_rounding"),
    ("bfp16.conv_even", "zero/negative-largest-subnormal", "seeded.sign_decides_exponent"),
    ("bfp16.conv_even", "special/positive-nan-127", "blocks.encode_block.compare-3.lt"),
]


@pytest.mark.parametrize(("name", "corner", "mutant"), CLOSED)
def test_a_declared_class_kills_what_would_need_one_of_its_own(name, corner, mutant):
    cases = [line for line in read(VECTORS / f"{name}.jsonl").lines if line.corner.startswith(corner)]
    assert any(tells_apart(name, by_name(name)[mutant], case.inputs) for case in cases)
    assert not known().get(name)


def test_replays_do_not_depend_on_changed_rows():
    # a source without an exponent field, of which no codes could be drawn
    name, mutant = "cvt.fp64.u8.rne.nosat", "format_rows.binary_fields.arithmetic-3.right"
    (proof,) = settled([(name, mutant)], Engine("bitwuzla", 60), jobs=1, cache=None, isolate=False).values()
    assert proof.verdict is Verdict.PROVED


def test_a_witness_is_a_case_of_the_file():
    name = "cvt.s32.s8.rne.nosat"
    mutant = "integers.in_range.compare-2.lt"
    assert mutant in by_name(name)
    (proof,) = settled([(name, mutant)], Engine("bitwuzla", 60), jobs=1, cache=None, isolate=False).values()
    assert proof.verdict is Verdict.REFUTED
    assert point_of(name, proof) == (127,)


def test_what_the_command_runs():
    assert select([], VECTORS) == [name for name in conversions() if not name.startswith("v")]
    assert select(["cvt.s32.*"], VECTORS) == sorted(
        (path.stem for path in VECTORS.glob("cvt.s32.*.jsonl")), key=select(["cvt.*"], VECTORS).index
    )
    assert select(["scale.fp16.floor"], VECTORS) == ["scale.fp16.floor"]


def test_whole_blocks_are_settled():
    name = "bfp16.sym_zero"
    pairs = [(name, f"rounding.round_magnitude.{each}") for each in ("return-2.removed", "return-3.removed")]
    same, other = settled(pairs, Engine("bitwuzla", 60), jobs=1, cache=None, isolate=False).values()
    assert same.verdict is Verdict.PROVED
    assert other.verdict is Verdict.REFUTED
    point = point_of(name, other)
    right = bench().run(name, point)
    with bench().changed(by_name(name)[pairs[1][1]]) as changed:
        assert changed.run(name, point) != right


@pytest.mark.parametrize(
    ("neighbour", "tie"), [(0x3C000000, True), (0x3C800000, False), (0x3C000001, False), (0, False)]
)
def test_a_block_has_a_tie_where_a_mantissa_is_halfway(neighbour, tie):
    # beside 1.0, whose mantissa is 64, the mantissa 1/2 is 2^-7
    name = "bfp16.conv_even"
    facts = family_of(name).facts(name)
    point = {f"in.member{place}": word for place, word in enumerate((0x3F800000, neighbour, *[0] * 6))}
    found = mutated(name).tie(facts)
    assert found is not None
    assert evaluate([found.term], point) == (tie,)
    assert mutated("format.e4m3").tie(family_of("format.e4m3").facts("format.e4m3")) is None


@pytest.mark.parametrize(
    ("accumulator", "mantissa", "tie"), [(0x4B800000, 1, True), (0x4B800000, 2, False), (0x4B7FFFFF, 1, False)]
)
def test_a_lane_has_a_tie_where_the_sum_is_halfway(accumulator, mantissa, tie):
    # 2^24, whose last place is 2, and the number below it, whose last place is 1; the product is an integer
    facts = family_of("bfp16_matmul").facts("bfp16_matmul")
    point = {symbol.symbol_name(): 0 for symbol in facts.inputs}
    point |= {"in.accumulator": accumulator, "in.a0": mantissa, "in.b0": 1, "in.a_exponent": 133, "in.b_exponent": 133}
    found = mutated("bfp16_matmul").tie(facts)
    assert found is not None
    assert evaluate([found.term], point) == (tie,)


@pytest.mark.parametrize(("corner", "tie"), [("element-tie/positive-odd", True), ("element-exact/positive", False)])
def test_a_tile_has_a_tie_where_an_element_is_one(corner, tie):
    name = "tile.vreq4.rne.nosat"
    facts = family_of(name).facts(name)
    case = next(line for line in read(VECTORS / f"{name}.jsonl").lines if line.corner == corner)
    point = dict(zip((symbol.symbol_name() for symbol in facts.inputs), case.inputs, strict=True))
    found = mutated(name).tie(facts)
    assert found is not None
    assert evaluate([found.term], point) == (tie,)
    assert mutated("tile.noquant.fp32").tie(family_of("tile.noquant.fp32").facts("tile.noquant.fp32")) is not None


def test_a_change_of_the_adder_is_settled_for_any_sum_of_products():
    pair = "bfp16_matmul", "floats.is_nan.compare-2.ge"
    (proof,) = settled([pair], Engine("bitwuzla", 60), jobs=1, cache=None, isolate=False).values()
    assert proof.verdict is Verdict.PROVED
