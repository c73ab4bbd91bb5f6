"""Which conversions an amendment can touch: by the rows they are given and the functions that may run."""

from formal.amend.amendments import write
from halfulp_formal import catalogue
from halfulp_formal.amend.patch import read_amendment
from halfulp_formal.amend.sides import ADAPTERS
from halfulp_formal.amend.touched import Fate, reachable, standings
from halfulp_formal.subject import base_subject


def touched(amendment):
    return {each.name for each in standings(amendment.subject) if each.fate is not Fate.UNTOUCHED}


def test_every_conversion_stands_somewhere():
    names = [each.name for each in standings(base_subject())]
    # the two procedures side by side are a comparison, no conversion
    assert set(names) == set(catalogue.conversions()) - {"bfp16_mxint8"}
    assert touched_by_nothing() == set()


def touched_by_nothing():
    return {each.name for each in standings(base_subject()) if each.fate is not Fate.UNTOUCHED}


def test_a_row_touches_those_that_read_it(tmp_path):
    path = write(tmp_path, "rules:\n  encoders:\n    pto:\n      HiF8: {underflow_sign: kept, reason: a test}\n")
    modes = ("qf322hif8.rhb", "vqf322hif8.rhb")
    assert touched(read_amendment(path)) == {f"{mode}.{sat}" for mode in modes for sat in ("nosat", "sat")}


def test_what_a_row_merely_claims_touches_its_readers(tmp_path):
    path = write(tmp_path, "rules:\n  formats:\n    E2M1: {claims: [zero], reason: a test}\n")
    found = touched(read_amendment(path))
    assert {"format.e2m1", "cvt.e2m1.fp16.rne.sat", "cvt.fp16.e2m1.rtz.nosat"} <= found
    assert not any(name.startswith("req") for name in found)


def test_a_function_touches_those_that_may_call_it(tmp_path):
    functions = """\
from halfulp_formal.amend import replaces
from halfulp_model.rows import Choice


@replaces("e8m0.takes_upper")
def takes_upper(choice: Choice, lower: int) -> bool:
    return choice is Choice.CEILING
"""
    found = touched(read_amendment(write(tmp_path, "functions: functions.py\n", functions)))
    assert {name.split(".")[0] for name in found} == {"e8m0", "scale"}


def test_functions_are_followed_through_modules_and_properties_of_the_model():
    entries = {adapter.family.name: adapter.entries for adapter in ADAPTERS}
    functions, constants = reachable(base_subject(), entries["post-processing"])
    names = {f"{each.__module__.rpartition('.')[2]}.{each.__name__}" for each in functions}
    assert {"tapered.position", "rounding.goes_away", "encode.quieted", "parameters.field"} <= names
    assert not any(name.startswith(("blocks.", "e8m0.", "loader.")) for name in names)
    assert constants["WORD_BITS"] == "64"


def test_new_and_removed(tmp_path):
    text = "rules:\n  scale_rules:\n    reason: a test\n    even: null\n    odd: {nearest: true, choice: odd, source: here}\n"
    fates = {each.name: each.fate for each in standings(read_amendment(write(tmp_path, text)).subject)}
    assert fates["scale.fp32.even"] is Fate.REMOVED
    assert fates["scale.fp32.odd"] is Fate.NEW
    assert fates["scale.fp32.floor"] is Fate.UNTOUCHED


def test_everything_that_may_run_is_compared():
    # an entry function that no lifted call begins with would be touched and yet never compared
    subject = base_subject()
    for adapter in ADAPTERS:
        called = set()
        for name in list(adapter.names(subject))[-1:]:
            called |= {call.call.function for call in adapter.lift(subject, name).replays}
        entries = {vars(subject.module(module))[function] for module, function in adapter.entries}
        # what is concrete is called as it is; the controls have their own adapter's other conversions
        left = {each.__name__ for each in entries - called}
        assert left <= {"descriptor", "controls_rule"}, adapter.family.name
