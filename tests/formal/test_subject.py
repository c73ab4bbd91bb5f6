"""Patched copies of the model run, are lifted and are replayed like the model itself."""

import gc
import inspect
import linecache
import sys
import weakref

import pytest

import halfulp_model
from halfulp_formal import catalogue
from halfulp_formal.case import Case
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import evaluate
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.values import LiftError, symbol
from halfulp_formal.obligation import Verdict
from halfulp_formal.subject import (
    BASE,
    COPIES,
    PatchError,
    RulePatch,
    SourcePatch,
    Subject,
    base_subject,
    discarded,
    model_sources,
    patched_subject,
    shipped_document,
)

TIE_TO_ODD = SourcePatch("rounding", "truncated % 2 == 1", "truncated % 2 == 0")
TIE_AWAY = RulePatch(("rounding", "RNE", "choice"), "away")
#: 2.5 through SHIFT-free rounding: 5 times a scale of one half
HALF = 126 << 23


def requantize(subject, value, name="req8.rne.nosat", quant_word=HALF):
    conversion = subject.module("conversions").conversions()[name]
    return subject.module("postprocess").element(conversion, value, 0, quant_word, 0)


def test_the_base_is_the_model_itself():
    assert base_subject() == Subject(BASE) == Subject("halfulp_model")
    assert base_subject().module("rounding") is sys.modules["halfulp_model.rounding"]
    assert requantize(base_subject(), 5) == (2, 0x10)


@pytest.mark.parametrize("patch", [TIE_TO_ODD, TIE_AWAY])
def test_a_copy_runs_with_the_change_and_leaves_the_model_alone(patch):
    copy = patched_subject((patch,))
    assert requantize(copy, 5) == (3, 0x10)
    assert requantize(base_subject(), 5) == (2, 0x10)
    assert requantize(copy, 6) == requantize(base_subject(), 6)


def test_patches_add_up():
    copy = patched_subject((TIE_TO_ODD, RulePatch(("rounding", "RNE", "choice"), "odd")))
    assert requantize(copy, 5) == (3, 0x10)
    # an even neighbour counts as even again: the changed test is not asked
    assert requantize(copy, 7) == (3, 0x10)
    both = patched_subject(
        (
            SourcePatch("postprocess", "intermediate + offset", "intermediate - offset"),
            SourcePatch("integers", "limit - 1)", "limit)"),
        )
    )
    assert requantize(both, 600, quant_word=HALF) == (0, 0x14)


def test_one_copy_for_one_set_of_patches():
    assert patched_subject((TIE_TO_ODD,)) is patched_subject((TIE_TO_ODD,))
    assert patched_subject((TIE_TO_ODD,)) != patched_subject((TIE_AWAY,))
    assert patched_subject((TIE_TO_ODD,)).package.startswith("halfulp_patched_")


def test_no_patch_is_a_copy_that_does_the_same():
    copy = patched_subject(())
    assert copy.module("rounding") is not sys.modules["halfulp_model.rounding"]
    assert [requantize(copy, value) for value in (5, -5, 300)] == [
        requantize(base_subject(), value) for value in (5, -5, 300)
    ]


def test_a_copy_is_a_whole_package_of_its_own():
    copy = patched_subject((TIE_TO_ODD,))
    for name, _ in model_sources():
        module = copy.module(name) if name else sys.modules[copy.package]
        for value in vars(module).values():
            owner = getattr(value, "__module__", "") or ""
            assert owner.partition(".")[0] != "halfulp_model", f"{module.__name__} uses {value}"


def test_rules_reach_every_module_of_a_copy():
    copy = patched_subject((RulePatch(("flags", "NX", "bit"), 3), RulePatch(("flags", "UF", "bit"), 4)))
    assert requantize(copy, 5) == (2, 0x08)
    assert copy.module("api").post_process(5, "REQ8", quant_param=HALF).flags == 0x08
    assert halfulp_model.post_process(5, "REQ8", quant_param=HALF).flags == 0x10


def test_public_calls_of_a_copy_raise_its_own_exceptions():
    copy = patched_subject((TIE_TO_ODD,))
    api, result = copy.module("api"), copy.module("result")
    with pytest.raises(result.Rejected, match=r"^B\.FPATR\.PreQuantMode: 99 is a reserved code or an unknown name$"):
        api.post_process(5, 99)


# A copy is lifted from its own source.


def test_a_copy_shows_its_own_source():
    copy = patched_subject((TIE_TO_ODD,))
    source = inspect.getsource(copy.module("rounding").goes_away)
    assert "truncated % 2 == 0" in source
    assert "truncated % 2 == 1" not in source
    assert inspect.getsource(base_subject().module("rounding").goes_away).count("truncated % 2 == 1") == 1


def test_functions_that_copies_have_alike_are_each_in_the_copys_file():
    for copy in (patched_subject((TIE_TO_ODD,)), patched_subject((TIE_AWAY,))):
        for function in (copy.module("exact").multiply, copy.module("rows").Format.code_bits.fget):
            assert function.__code__.co_filename.endswith(f".{copy.package}.py")


def test_a_copy_is_lifted_with_its_change():
    for subject, word in ((base_subject(), 2), (patched_subject((TIE_TO_ODD,)), 3)):
        own = Case(subject, "req8.rne.nosat")
        point = {"in.value": 5, "in.relu": 0, "in.quant_word": HALF, "in.relu_word": 0}
        assert evaluate([own.word(own.element)], point) == (word,)
        assert own.replays[0].check(point) is None


def test_functions_of_the_model_are_foreign_to_a_copy():
    copy = patched_subject((TIE_TO_ODD,))
    lifter = Lifter(copy.package)
    function = base_subject().module("integers").to_word
    with pytest.raises(LiftError) as error:
        lifter.call(function, symbol("in.copy", -8, 7))
    assert str(error.value) == "to_word cannot be called with a symbolic argument"


def test_messages_of_the_lifter_name_the_copys_file():
    copy = patched_subject((SourcePatch("rounding", "truncated % 2 == 1", "truncated / 2 == 1"),))
    with pytest.raises(LiftError) as error:
        Case(copy, "req8.rne.nosat").element  # noqa: B018  # lifted
    lines = inspect.getsource(copy.module("rounding")).splitlines()
    line = 1 + next(number for number, text in enumerate(lines) if "truncated / 2" in text)
    assert str(error.value) == f"rounding.{copy.package}.py:{line}: Div is outside the liftable subset"


@pytest.mark.parametrize(("patch", "kind"), [(TIE_TO_ODD, "tie"), (TIE_AWAY, "tie"), (TIE_AWAY, "equivalent")])
def test_a_copy_is_refuted_and_its_witness_replays(patch, kind):
    built = catalogue.build(f"req8.rne.nosat.{kind}", patched_subject((patch,)))
    proof = decide(built, Engine(timeout=20))
    assert proof.verdict is Verdict.REFUTED
    assert proof.witness is not None
    assert [replay.check(proof.witness) for replay in built.replays] == [None] * len(built.replays)
    assert [replay.validate(20) > 0 for replay in built.replays] == [True] * len(built.replays)


def test_a_replay_runs_the_copy_and_not_the_model():
    copy = patched_subject((TIE_TO_ODD,))
    built = catalogue.build("req8.rne.nosat.equivalent", copy)
    functions = [vars(replay)["call"].function for replay in built.replays]
    assert copy.module("postprocess").element in functions
    assert {function.__module__ for function in functions} == {f"{copy.package}.postprocess"}


# What does not fit.


@pytest.mark.parametrize(
    ("patch", "message"),
    [
        (SourcePatch("roundings", "a", "b"), "roundings: the model has no such module"),
        (SourcePatch("rounding", "no such text", "b"), "rounding: 'no such text' occurs 0 times; expected once"),
        (SourcePatch("rounding", "truncated + 1", "b"), "rounding: 'truncated + 1' occurs 3 times; expected once"),
        (RulePatch(("rounding", "RNX", "choice"), "even"), "rounding.RNX.choice: the rule data has nothing there"),
        (RulePatch(("rounding", "RNE", "tie"), "even"), "rounding.RNE.tie: the rule data has nothing there"),
        (RulePatch(("rounding", "RNE", "choice", "x"), 1), "rounding.RNE.choice.x: the rule data has nothing there"),
        (RulePatch(("roundings",), {}), "roundings: the rule data has nothing there"),
    ],
)
def test_a_patch_that_does_not_fit(patch, message):
    before = set(sys.modules)
    finders = list(sys.meta_path)
    with pytest.raises(PatchError) as error:
        patched_subject((patch,))
    assert str(error.value) == message
    assert sys.meta_path == finders
    assert {name for name in set(sys.modules) - before if name.startswith("halfulp_patched")} == set()


def place_of(*path):
    """File and line of a node of the rule data."""
    file, line = shipped_document()[1][path]
    return f"{file.name}:{line}: {'.'.join(map(str, path))}"


@pytest.mark.parametrize(
    ("path", "value", "where", "message"),
    [
        (
            ("rounding", "RNE", "choice"),
            "evenly",
            ("rounding", "RNE", "choice"),
            "'evenly' is not one of ['floor', 'ceiling', 'zero', 'away', 'even', 'odd']",
        ),
        (("rounding", "RNE", "rmode"), 2, ("rounding", "RTZ", "rmode"), "2 is already taken by RNE"),
        (
            ("prequant", "REQ8", "destination"),
            "S9",
            ("prequant", "REQ8", "destination"),
            "no format is called 'S9'",
        ),
        (
            ("prequant", "REQ8", "accumulators"),
            [7],
            ("prequant", "REQ8", "accumulators", 0),
            "7 is not one of ['FP32', 'S32', 'U32']",
        ),
    ],
)
def test_wrong_rule_data_is_told_like_in_a_file(path, value, where, message):
    finders = list(sys.meta_path)
    with pytest.raises(PatchError) as error:
        patched_subject((RulePatch(path, value),))
    assert str(error.value) == f"{place_of(*where)}: {message}"
    assert sys.meta_path == finders


def test_a_patch_that_makes_no_python():
    with pytest.raises(PatchError) as error:
        patched_subject((SourcePatch("rounding", "if rest == 0:", "if rest == :"),))
    source = dict(model_sources())["rounding"].partition("if rest == 0:")[0]
    assert str(error.value) == f"rounding:{source.count(chr(10)) + 1}: invalid syntax"


def test_a_copy_that_cannot_be_imported_is_forgotten():
    finders = list(sys.meta_path)
    with pytest.raises(NameError):
        patched_subject((SourcePatch("integers", "WORD_BITS = 64", "WORD_BITS = unknown"),))
    assert sys.meta_path == finders
    assert not any(name.startswith("halfulp_patched") and name not in live_modules() for name in sys.modules)


def live_modules():
    """Names of the modules of copies that exist."""
    return {name for name in sys.modules if name.partition(".")[0] in COPIES}


def test_a_value_of_the_rule_data_may_be_a_list():
    copy = patched_subject((RulePatch(("prequant", "REQ8", "accumulators"), ["S32", "U32"]),))
    assert {"req8.s32.rne.nosat", "req8.u32.rne.nosat"} <= set(copy.module("conversions").conversions())


def test_a_copy_can_be_forgotten_and_made_again():
    patches = (RulePatch(("rounding", "RNE", "choice"), "odd"),)
    finders = list(sys.meta_path)
    for _ in range(2):
        with discarded(patched_subject(patches)) as copy:
            assert requantize(copy, 5) == (3, 0x10)
            assert f"{copy.package}.rounding" in sys.modules
        assert not any(name.partition(".")[0] == copy.package for name in sys.modules)
        assert sys.meta_path == finders


def test_a_forgotten_copy_leaves_nothing_behind():
    with discarded(patched_subject((RulePatch(("rounding", "RNE", "choice"), "floor"),))) as copy:
        package = copy.package
        Case(copy, "req8.rne.nosat").element  # noqa: B018  # lifted, so that its sources are read
        functions = [weakref.ref(copy.module("rounding").round_magnitude), weakref.ref(copy.module("exact").multiply)]
        assert any(package in file for file in linecache.cache)
    del copy
    gc.collect()
    assert [function() for function in functions] == [None, None]
    assert not any(package in file for file in linecache.cache)
