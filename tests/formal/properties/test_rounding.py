"""The claims about rounding single out one integer for every number: the one that the oracle rounds to."""

from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from pysmt.shortcuts import And, Implies

from formal.lift.exhaust import i, u
from halfulp_formal import catalogue
from halfulp_formal.case import FreeProduct
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import compile_term
from halfulp_formal.lift.merge import leaves
from halfulp_formal.lift.values import truth_symbol
from halfulp_formal.obligation import Verdict
from halfulp_formal.properties import rounding
from halfulp_formal.properties.numbers import Magnitude, between
from oracle.rounding import MODES, to_integer

ENGINE = Engine(timeout=30)
EXPONENTS, SIGNIFICANDS, CANDIDATES = range(-4, 2), range(16), range(-40, 41)


def small_product():
    """A free product with few values, and any candidate for what it is rounded to."""
    number = Magnitude(truth_symbol("small.negative"), u(4, "small"), i(-4, 1, "small"))
    inputs = tuple(leaf.term for leaf in leaves(tuple(number)))
    possible = between(-4, number.exponent, 1)
    free = FreeProduct(record=None, number=number, possible=possible, inputs=inputs)
    return free, i(-40, 40, "candidate")


@pytest.mark.parametrize("mode", MODES)
def test_the_claims_of_a_mode_hold_of_its_integer_alone(mode, monkeypatch):
    free, candidate = small_product()
    monkeypatch.setattr(rounding, "rounded_product", lambda _: (free, candidate))
    case: Any = SimpleNamespace(name=f"req8.{mode.lower()}.nosat")
    builds = [rounding.whole, rounding.rounding]
    if mode.lower() in rounding.NEAREST:
        builds.append(rounding.tie)
    claims = [build(case) for build in builds]
    together = And(*(Implies(claim.assumption, claim.claim) for claim in claims))
    holds = compile_term([together], [*free.inputs, candidate.term])
    for negative, significand, exponent in product((False, True), SIGNIFICANDS, EXPONENTS):
        value = Fraction(significand) * Fraction(2) ** exponent * (-1 if negative else 1)
        kept = [number for number in CANDIDATES if holds(negative, significand, exponent % 8, number % 128) == (True,)]
        assert kept == [to_integer(value, mode)], value


@pytest.mark.parametrize("mode", MODES)
def test_every_number_is_claimed_about(mode, monkeypatch):
    free, candidate = small_product()
    monkeypatch.setattr(rounding, "rounded_product", lambda _: (free, candidate))
    case: Any = SimpleNamespace(name=f"req8.{mode.lower()}.nosat")
    claims = [rounding.whole(case), rounding.rounding(case)]
    assumed = compile_term([claim.assumption for claim in claims], free.inputs)
    for negative, significand, exponent in product((False, True), SIGNIFICANDS, EXPONENTS):
        assert any(assumed(negative, significand, exponent % 8)), (significand, exponent)


def test_names():
    assert rounding.rounding_of("req8.rto.sat") == "rto"
    assert rounding.rounding_of("noquant.s32") is None
    assert rounding.mode_of("noquant.s32") == "rne"
    assert set(rounding.RULES) == {mode.lower() for mode in MODES}
    assert rounding.rounds_to_integer("vdeqs16.rne.nosat")
    assert not rounding.rounds_to_integer("vdeqs16.rne.sat")
    assert rounding.rounds_to_integer("noquant.s32")
    assert not rounding.rounds_to_integer("noquant.fp32")
    assert not rounding.rounds_to_integer("shifts322s16")


@pytest.mark.parametrize(("mode", "kind"), [("RNE", "rounding"), ("RTO", "whole"), ("RHB", "tie")])
def test_claims_are_proved(mode, kind):
    assert decide(catalogue.build(f"req8.{mode.lower()}.nosat.{kind}"), ENGINE).verdict is Verdict.PROVED


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["whole", "rounding", "tie"])
def test_every_mode_is_proved(mode, kind):
    name = f"req8.{mode.lower()}.nosat.{kind}"
    if kind == "tie" and mode.lower() not in rounding.NEAREST:
        assert name not in catalogue.obligations(name.rpartition(".")[0])
    else:
        assert decide(catalogue.build(name), ENGINE).verdict is Verdict.PROVED
