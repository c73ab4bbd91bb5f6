"""One conversion with symbolic inputs, its replays, and the points at which its lifts are validated."""

from collections import Counter
from dataclasses import replace

import pytest
from pysmt.shortcuts import BV, BVNot, Equals, Not

from formal.obligations import Agrees, commutes, obligation
from halfulp_formal import catalogue, scheduler
from halfulp_formal.cache import Cache
from halfulp_formal.case import CallReplay, Case, free_product, magnitude, part
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import evaluate
from halfulp_formal.lift.interpreter import LiftedCall, SideCondition
from halfulp_formal.lift.values import Int, bounds, fit, symbol
from halfulp_formal.obligation import Mismatch, Verdict
from halfulp_formal.properties.pipeline import fp19
from halfulp_formal.prover import engine_name
from halfulp_formal.sampling import code_points, legal_points, target_binades, value_binade
from halfulp_formal.subject import base_subject
from halfulp_model import exact, postprocess
from halfulp_model.conversions import conversions
from halfulp_model.convert import convert_code, legal_code, plain_conversions
from halfulp_model.result import Result

ENGINE = Engine(timeout=8)
ONE_EACH = [
    "noquant.fp32",
    "noquant.s32",
    "noquant.u32",
    "req8.rne.nosat",
    "qf322b8.rto.sat",
    "shifts322s16",
    "vreq4.rhb.sat",
]
LEGAL = {"in.value": 300, "in.relu": 0, "in.quant_word": 127 << 23 | 1 << 37, "in.relu_word": 0}


def case(name):
    return Case(base_subject(), name)


# The case.


@pytest.mark.parametrize("name", ONE_EACH)
def test_inputs_are_the_accumulator_relu_mode_and_two_words(name):
    inputs = case(name).inputs
    assert [term.symbol_name() for term in inputs] == ["in.value", "in.relu", "in.quant_word", "in.relu_word"]
    assert [term.bv_width() for term in inputs] == [32, 3, 64, 64]


def test_values_are_signed_only_for_signed_accumulators():
    assert bounds(case("req8.rne.nosat").value) == (-(1 << 31), (1 << 31) - 1)
    assert bounds(case("noquant.u32").value) == bounds(case("noquant.fp32").value) == (0, (1 << 32) - 1)


def test_everything_is_lifted_once():
    own = case("req8.rne.nosat")
    assert own.element is own.element
    assert own.product is own.product
    names = [call.function.__name__ for call in own.lifter.calls]
    assert names == ["element", "select_multiplier", "exact_product"]


def test_word_and_flags_are_the_specifications_example():
    own = case("req8.rne.nosat")
    terms = [own.word(own.element), own.flags(own.element), own.legal]
    assert evaluate(terms, LEGAL) == (0, 0x14, True)


def test_stages_of_a_free_product():
    own = case("req8.rne.nosat")
    free = free_product(own)
    stages = own.stages(free.record, 1)
    negative, significand, exponent = (term.symbol_name() for term in free.inputs)
    point = {negative: 1, significand: 5, exponent: -1 % (1 << 9)}
    # -2.5 rounds to -2, and 1 is added
    assert evaluate([free.possible, own.word(stages), own.flags(stages)], point) == (True, (1 << 64) - 1, 0x10)
    assert evaluate([free.possible], {**point, exponent: 1 << 8}) == (False,)


def test_records_are_viewed_by_field():
    assert part(Result(3, 4), "flags") == 4
    assert magnitude(exact.Exact(True, 5, -1)) == (True, 5, -1)
    own = case("req8.rne.nosat")
    assert magnitude(own.multiplier).significand is part(own.multiplier, "significand")


# Replay at one point.


def test_a_replay_agrees_where_function_and_terms_do():
    own = case("req8.rne.nosat")
    own.legal, own.element  # noqa: B018  # lifted
    assert [replay.check(LEGAL) for replay in own.replays] == [None, None]


def wrong_call():
    """A lift that gives the word with all its bits turned."""
    own = case("req8.rne.nosat")
    word = part(own.element, "word")
    assert isinstance(word, Int)
    turned = replace_field(own.element, "word", Int(BVNot(word.term), word.low, word.high))
    return replace(own.lifter.calls[0], result=turned)


def replace_field(record, name, value):
    return replace(record, fields={**record.fields, name: value})


def test_a_replay_tells_a_difference():
    assert CallReplay(wrong_call()).check(LEGAL) == (
        "element gives Result(word=0, flags=20), its terms give Result(word=18446744073709551615, flags=20)"
    )


def test_a_replay_tells_an_exception():
    def element(*_):
        raise KeyError("RNE")

    assert CallReplay(replace(wrong_call(), function=element)).check(LEGAL) == "element raises KeyError: 'RNE'"


def test_where_a_side_condition_fails_there_is_nothing_to_compare():
    def negative(value):
        return value >> -1

    own = symbol("in.x", 0, (1 << 16) - 1)
    condition = SideCondition(Equals(own.term, BV(3, 16)), "a test", "here")
    call = LiftedCall(negative, (own,), 5, (condition,))
    assert CallReplay(call).check({"in.x": 4}) is None
    assert CallReplay(call).check({"in.x": 3}) == "negative raises ValueError: negative shift count"


# Legal points.


@pytest.mark.parametrize("name", ONE_EACH)
def test_legal_points_are_legal_and_repeatable(name):
    conversion = conversions()[name]
    points = list(legal_points(conversion, 300))
    assert points == list(legal_points(conversion, 300))
    assert len(points) == 300
    for point in points:
        assert postprocess.legal(conversion, point["in.relu"], point["in.quant_word"], point["in.relu_word"])
        assert 0 <= point["in.value"] < 1 << 32
    assert {point["in.relu"] for point in points} == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("name", "flags"),
    [
        ("req8.rne.nosat", {0, 0x10, 0x14}),
        ("qf322b8.rto.sat", {0, 0x01, 0x10, 0x14}),
        ("shifts322s16", {0, 0x14}),
        ("noquant.fp32", {0, 0x01, 0x10, 0x14, 0x18}),
    ],
)
def test_legal_points_reach_every_kind_of_result(name, flags):
    conversion = conversions()[name]
    low = -(1 << 31) if conversion.accumulator.signed and conversion.accumulator.is_integer else 0
    seen: Counter[int] = Counter()
    for point in legal_points(conversion, 400):
        value = (point["in.value"] - low) % (1 << 32) + low
        result = postprocess.element(conversion, value, *(point[key] for key in list(point)[1:]))
        seen[result.flags] += 1
    assert set(seen) == flags


def test_binades():
    formats = {row.name: row for row in (conversions()[name].accumulator for name in ONE_EACH)}
    assert value_binade(formats["FP32"], 0x3F800000) == 0
    assert value_binade(formats["S32"], 0xFFFFFFF8) == value_binade(formats["S32"], 8) == 3
    assert value_binade(formats["U32"], 0xFFFFFFF8) == 31
    assert list(target_binades(conversions()["req4.rne.nosat"].destination)) == list(range(-3, 6))
    assert {-152, -149, -126, 127, 129} <= set(target_binades(formats["FP32"]))


@pytest.mark.parametrize(
    "name", ["cvt.fp64.e4m3.rne.sat", "cvt.fp32.s8.rtz.nosat", "cvt.s32.fp16.rto.sat", "cvt.tf32.e2m1.rna.sat"]
)
def test_codes_of_plain_conversions_reach_every_kind_of_result(name):
    conversion = plain_conversions()[name]
    points = list(code_points(conversion, "in.bits", 300))
    assert points == list(code_points(conversion, "in.bits", 300))
    codes = [point["in.bits"] for point in points]
    assert all(legal_code(conversion, code) for code in codes)
    flags = Counter(convert_code(conversion, code).flags for code in codes)
    # out of range is overflow in a float, invalid in an integer
    assert {0, 0x10, 0x01 if conversion.destination.is_integer else 0x14} <= set(flags)
    assert min(flags.values()) >= 3


def test_a_proof_does_not_wait_for_every_input_of_sixteen_bits():
    for name, most in (("cvt.fp16.e4m3.rne.sat", 200), ("cvt.e4m3.fp16.rne.sat", 356)):
        built = catalogue.build(f"{name}.equivalent")
        assert {replay.validate(built.samples) for replay in built.replays} == {most}


def test_factors_are_where_the_word_has_them():
    conversion = conversions()["req8.rne.nosat"]
    word = symbol("in.quant_word", 0, (1 << 64) - 1)
    factor = fp19(word, conversion.layout.scale.low)
    for point in legal_points(conversion, 50):
        [significand] = evaluate([fit(factor.significand, 11)], point)
        assert significand >> 10 == 1


# Validation on the way to PROVED.


@pytest.mark.parametrize("name", ONE_EACH)
@pytest.mark.parametrize("kind", ["equivalent", "legal"])
def test_lifts_are_validated_at_the_points_asked_for(name, kind):
    built = catalogue.build(f"{name}.{kind}")
    assert built.samples == catalogue.SAMPLES
    counts = [replay.validate(built.samples) for replay in built.replays]
    # legal points, and the corners and random inputs whose side conditions hold
    assert all(catalogue.SAMPLES // 2 <= count <= catalogue.SAMPLES for count in counts)
    lifted = {vars(replay)["call"].function.__name__ for replay in built.replays}
    assert {"legal": {"legal"}, "equivalent": {"element", "legal"}}[kind] <= lifted


def test_other_kinds_are_not_validated():
    assert catalogue.build("req8.rne.nosat.tie").samples == 0


@pytest.mark.parametrize("name", ONE_EACH)
def test_every_lift_of_every_kind_agrees_with_its_function(name):
    for obligation_name in catalogue.obligations(name):
        for replay in catalogue.build(obligation_name).replays:
            assert replay.validate(40) > 0, obligation_name


def with_replays(*replays, samples=10):
    return obligation("a.b", commutes(), replays=replays, samples=samples)


class Counts(Agrees):
    """A replay that can be validated."""

    def validate(self, samples):
        return samples + 1


class Lies(Agrees):
    """A replay whose lift is wrong somewhere."""

    def validate(self, samples):
        raise Mismatch(f"the lift disagrees with the model at in.x=0x{samples:x}: f gives 1, its terms give 2")


def test_a_proof_says_at_how_many_points_it_was_validated():
    proof = decide(with_replays(Counts(), Counts()), ENGINE)
    assert (proof.verdict, proof.validated) == (Verdict.PROVED, 22)
    assert decide(with_replays(Lies(), samples=0), ENGINE).validated == 0


def test_a_mismatch_is_an_error():
    proof = decide(with_replays(Counts(), Lies()), ENGINE)
    assert (proof.verdict, proof.validated) == (Verdict.ERROR, 0)
    assert proof.detail == "the lift disagrees with the model at in.x=0xa: f gives 1, its terms give 2"


def test_a_wrong_lift_is_not_proved():
    proof = decide(with_replays(CallReplay(wrong_call()), samples=200), ENGINE)
    assert proof.verdict is Verdict.ERROR
    assert proof.detail.startswith("the lift disagrees with the model at in.value=0x")
    assert ": element gives Result(word=" in proof.detail
    assert ", its terms give Result(word=" in proof.detail


def test_a_refuted_claim_is_not_validated():
    refuted = replace(with_replays(Lies()), claim=Not(commutes()))
    proof = decide(refuted, ENGINE)
    assert (proof.verdict, proof.validated) == (Verdict.REFUTED, 0)


def test_a_known_verdict_is_validated_by_the_replays_of_the_obligation_at_hand(tmp_path):
    cache = Cache(tmp_path, "state")

    def proof_of(name, *replays):
        def build(_):
            return replace(with_replays(*replays), name=name)

        [proof] = scheduler.run([name], build, ENGINE, jobs=1, isolate=False, cache=cache)
        return proof

    assert (proof_of("a.one", Counts()).validated, proof_of("a.one", Counts()).cached) == (11, True)
    again = proof_of("a.two", Counts(), Counts())
    assert (again.verdict, again.cached, again.validated) == (Verdict.PROVED, True, 22)
    assert proof_of("a.three", Lies()).verdict is Verdict.ERROR
    recalled = cache.recall("a.two", engine_name(ENGINE))
    assert recalled is not None
    assert recalled.validated == 22
    assert cache.recall("a.three", engine_name(ENGINE)) is None
