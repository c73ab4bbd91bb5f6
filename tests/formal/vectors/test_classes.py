import random
import re
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest

from formal.vectors import readers
from formal.vectors.test_projections import shipped
from halfulp_formal.bits import Bool
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Verdict
from halfulp_formal.solvers import preferred
from halfulp_formal.vectors.corner import CornerClass, Group, classes_of
from halfulp_formal.vectors.family import all_names, family_of, matching, shipped_names
from halfulp_formal.vectors.generate import verify
from halfulp_formal.vectors.witnesses import build

#: one conversion of every mode
SAMPLE = [list(group)[-1] for _, group in groupby(shipped_names(), key=lambda name: name.partition(".")[0])]


def test_every_conversion_has_its_file():
    assert sorted(path.name for path in readers.FOLDER.glob("*.jsonl")) == sorted(
        f"{name}.jsonl" for name in shipped_names()
    )


@pytest.mark.parametrize("name", shipped_names())
def test_every_class_has_witnesses_or_a_proof(name):
    head = readers.header(readers.FOLDER / f"{name}.jsonl")
    declared = family_of(name).classes(name)
    assert [each["name"] for each in head["classes"]] == [each.name for each in declared]
    for each in head["classes"]:
        if each["witnesses"] == "unreachable":
            assert each["obligation"] == f"{name}.class.{each['name']}"
        else:
            assert each["witnesses"] >= 1


@pytest.mark.parametrize("name", ["shifts322s16", "noquant.u32", "req4.rto.sat", "format.hif8", "e8m0.fp16.rne.sat"])
def test_empty_classes_are_proved_empty(name):
    head = readers.header(readers.FOLDER / f"{name}.jsonl")
    empty = [each["obligation"] for each in head["classes"] if each["witnesses"] == "unreachable"]
    assert empty
    for obligation in empty:
        proof = decide(build(obligation), Engine(preferred(), 30))
        assert (proof.name, proof.verdict) == (obligation, Verdict.PROVED)


def test_a_class_with_witnesses_is_not_empty():
    assert decide(build("req4.rto.sat.class.tie/positive-even"), Engine(preferred(), 30)).verdict is Verdict.REFUTED


@pytest.mark.parametrize("name", SAMPLE)
def test_every_case_is_in_its_class(name):
    verify(shipped(name), family_of(name).facts(name))


def test_declarations_read_well():
    for name in shipped_names():
        for each in family_of(name).classes(name):
            assert re.fullmatch(r"[a-z0-9-]+/[a-z0-9-]+", each.name)
            assert re.fullmatch(r"[A-Z-].*[^ .]\.", each.sentence)


def test_a_class_declared_twice():
    twice: CornerClass[Any] = CornerClass("a/b", "A.", lambda _: Bool.constant(value=True))
    group = Group(lambda _: True, (twice, twice))
    with pytest.raises(ValueError, match=r"^corner classes declared twice: a/b$"):
        classes_of([group], None)


def test_patterns():
    assert matching([]) == shipped_names()
    assert matching(["*"]) == all_names()
    assert matching(["cvt.fp64.s4.rto.sat"]) == ["cvt.fp64.s4.rto.sat"]
    assert matching(["vshifts322s16"]) == ["shifts322s16"]
    assert len(matching(["req8"])) == len(matching(["vreq8.*"])) == 14
    assert matching(["noquant.s32", "noquant.u*", "*.noquant.s32"]) == [
        "noquant.s32",
        "noquant.u32",
        "tile.noquant.s32",
    ]
    assert matching(["cvt.fp32.s8", "req8.rne"]) == matching(["req8.rne.*", "cvt.fp32.s8.*"])


def words(rng):
    """A legal scale and activation word."""
    scale = (rng.randrange(100, 150) << 10 | rng.choice([0, 0, 512, 1, 1023, rng.randrange(1024)])) << 13
    return scale, rng.choice([0, rng.randrange(100, 150) << 10 | rng.choice([0, 1, rng.randrange(1024)])])


def test_facts_of_a_product_are_what_fractions_say():
    facts = family_of("req8.rne.nosat").facts("req8.rne.nosat")
    position = facts.product
    terms = {
        "negative": position.negative,
        "zero": position.zero,
        "whole": position.whole,
        "tie": position.tie,
        "under": position.under_tie,
        "over": position.over_tie,
        "even": position.even,
        "before_tie": position.before_tie,
        "after_tie": position.after_tie,
        "before_integer": position.before_integer,
        "after_integer": position.after_integer,
    }
    values = compile_term([*(term.term for term in terms.values()), position.whole_part.bits(256)], facts.inputs)
    rng = random.Random(1)
    seen = dict.fromkeys(terms, 0)
    for _ in range(3000):
        scale, activation = words(rng)
        value = rng.choice([rng.randrange(-64, 64), rng.randrange(-(1 << 31), 1 << 31), rng.randrange(-4096, 4096)])
        relu = rng.randrange(4)
        code = scale >> 13
        if value < 0 and relu:
            code = 0 if relu == 1 else activation
        significand = 1024 + code % 1024 if code else 0
        exponent = (code >> 10) - 137
        product = value * significand * Fraction(2) ** exponent
        magnitude = abs(product)
        fraction, place = magnitude % 1, Fraction(2) ** min(exponent, 0)
        fine = exponent <= -3
        expected = {
            "negative": product < 0,
            "zero": product == 0,
            "whole": fraction == 0,
            "tie": fraction == Fraction(1, 2),
            "under": 0 < fraction < Fraction(1, 2),
            "over": fraction > Fraction(1, 2),
            "even": int(magnitude) % 2 == 0,
            "before_tie": fine and fraction == Fraction(1, 2) - place,
            "after_tie": fine and fraction == Fraction(1, 2) + place,
            "before_integer": fine and fraction == 1 - place,
            "after_integer": fine and fraction == place,
        }
        *got, whole_part = values(value % (1 << 32), relu, scale, activation)
        assert dict(zip(terms, got, strict=True)) == expected
        assert whole_part == int(magnitude)
        seen = {name: count + expected[name] for name, count in seen.items()}
    assert all(count > 0 for count in seen.values()), seen


def fp16_magnitude(product):
    """Code below or at a magnitude, and how far above it in quanta."""
    binade = -14
    while Fraction(2) ** (binade + 1) <= product:
        binade += 1
    quantum = Fraction(2) ** (max(binade, -14) - 10)
    count = int(product / quantum)
    return (binade + 14 << 10) + count, product / quantum - count


def test_facts_of_a_floating_destination_are_what_fractions_say():
    facts = family_of("deqf16.rne.nosat").facts("deqf16.rne.nosat")
    position, quanta = facts.float, facts.float.quanta
    terms = {
        "tie": quanta.tie,
        "over": quanta.over_tie,
        "whole": quanta.whole,
        "even": position.even,
        "normal": position.normal,
        "subnormal": position.subnormal,
        "below_smallest": position.below_smallest,
        "at_largest": position.at_largest,
        "at_largest_subnormal": position.at_largest_subnormal,
        "below_last_binade": position.below_last_binade,
        "last_of_binade": position.normal & position.last_of_binade,
    }
    values = compile_term([*(term.term for term in terms.values()), position.code.bits(40)], facts.inputs)
    rng = random.Random(2)
    seen = dict.fromkeys(terms, 0)
    for _ in range(4000):
        magnitude = rng.choice([rng.randrange(1, 64), rng.randrange(1, 1 << 31), 1 << rng.randrange(31), 2047, 1023])
        exponent, fraction = rng.randrange(90, 150), rng.choice([0, 512, 1, 1023, rng.randrange(1024)])
        product = magnitude * (1024 + fraction) * Fraction(2) ** (exponent - 137)
        code, above = fp16_magnitude(product)
        expected = {
            "tie": above == Fraction(1, 2),
            "over": above > Fraction(1, 2),
            "whole": above == 0,
            "even": code % 2 == 0,
            "normal": Fraction(2) ** -14 <= product and code <= 0x7BFF,
            "subnormal": product < Fraction(2) ** -14,
            "below_smallest": product < Fraction(2) ** -24,
            "at_largest": code == 0x7BFF,
            "at_largest_subnormal": code == 0x03FF,
            "below_last_binade": product < 1 << 15,
            "last_of_binade": 0x0400 <= code <= 0x7BFF and code % 1024 == 1023,
        }
        *got, counted = values(rng.choice([1, -1]) * magnitude % (1 << 32), 0, (exponent << 10 | fraction) << 13, 0)
        assert dict(zip(terms, got, strict=True)) == expected
        assert counted == code
        seen = {name: count + expected[name] for name, count in seen.items()}
    assert all(count > 0 for count in seen.values()), seen
