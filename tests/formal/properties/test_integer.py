"""Claims about the stages of integer destinations: their numbers are the specification's, and they are proved."""

import pytest

from halfulp_formal import catalogue
from halfulp_formal.case import Case
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Verdict
from halfulp_formal.properties import integer
from halfulp_formal.subject import base_subject
from halfulp_model.conversions import conversions
from oracle import pto

ENGINE = Engine(timeout=30)
STAGED = ["req8.rne.nosat", "req4.rhb.sat", "deqs16.rto.nosat", "qf322b8.rtm.sat"]


def test_widths_are_the_oracles():
    for code, (name, _, destination, _) in pto.MODES.items():
        mode = name.removesuffix("_PRE").lower()
        if code in pto.OFFSET_WIDTH:
            low, high = pto.INTEGER_RANGE[destination]
            offset_bits, bits = integer.WIDTHS[integer.scalar_mode(mode)]
            assert offset_bits == pto.OFFSET_WIDTH[code]
            assert integer.signed_range(bits) == (low, high)
        else:
            assert not integer.has_intermediate(mode)


@pytest.mark.parametrize("name", conversions())
def test_names_say_what_the_rules_say(name):
    conversion = conversions()[name]
    assert integer.saturates(name) == conversion.saturate
    assert integer.has_intermediate(name) == (conversion.mode.offset_bits > 0)
    assert integer.is_shift(name) == (conversion.mode.parameter.value == "shift")
    if integer.has_intermediate(name) or integer.is_shift(name):
        mode = conversion.mode.name.lower()
        assert integer.scalar_mode(name) == (mode[1:] if conversion.mode.operand == "vector" else mode)


def test_flags_are_the_specifications():
    assert (integer.OVERFLOW, integer.INEXACT) == (0x14, 0x10)


@pytest.mark.parametrize("kind", ["intermediate", "destination", "flags", "order"])
@pytest.mark.parametrize("name", STAGED)
def test_stages_are_proved(name, kind):
    assert decide(catalogue.build(f"{name}.{kind}"), ENGINE).verdict is Verdict.PROVED


@pytest.mark.parametrize("name", ["shifts322s16.shift", "noquant.s32.wraps"])
def test_shift_and_wrap_are_proved(name):
    assert decide(catalogue.build(name), ENGINE).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    ("rounded", "offset", "differs"),
    [
        (300, 1, True),
        (300, 0, False),
        (255, 1, True),
        (254, 1, False),
        (-256, -1, True),
        (-300, 5, True),
        (0, 255, False),
    ],
)
def test_the_order_of_saturation_and_offset_matters_exactly_there(rounded, offset, differs):
    """What `order` claims, by hand: saturate(r) + o against saturate(r + o)."""
    late = min(max(rounded, -256), 255) + offset
    early = min(max(rounded + offset, -256), 255)
    assert (late != early) == differs
    built = integer.order(Case(base_subject(), "req8.rne.nosat"))
    inputs = [term.symbol_name() for term in built.inputs]
    assert inputs[3] == "offset.9"
    widths = [1, *(term.bv_width() for term in built.inputs[1:])]
    point = [rounded < 0, abs(rounded), 0, offset]
    values = [number % (1 << width) for number, width in zip(point, widths, strict=True)]
    assert compile_term([built.assumption, built.claim], built.inputs)(*values) == (True, True)
