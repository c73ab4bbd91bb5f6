"""Every seeded mistake is refused: in the model by every kind that names it, in an encoding by `equivalent` or `legal`."""

from dataclasses import replace
from importlib import import_module

import pytest

from halfulp_formal.bits import Bool, or_reduce
from halfulp_formal.catalogue import FAMILIES, build, kinds_of
from halfulp_formal.decide import Engine, decide, replay
from halfulp_formal.encodings import align, flags, modes, multiplier, parameters, requantize, rounding, specials
from halfulp_formal.families import postprocess as family
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.obligation import Verdict
from halfulp_formal.properties.claim import Kind
from halfulp_formal.seeded import JOINT, candidates
from halfulp_formal.smtlib import obligation_hash
from halfulp_formal.subject import (
    RulePatch,
    SourcePatch,
    base_subject,
    model_sources,
    replaced_once,
    replaced_values,
    shipped_document,
)
from halfulp_model.loader import check_references, check_schema

# the package's name `postprocess` is the function
postprocess = import_module("halfulp_formal.encodings.postprocess")

# generous: a refutation takes well under a second, but the machine may be busy
ENGINE = Engine(timeout=30)

#: conversions to try, in this order: one of each shape, and one of each rounding mode with a rule of its own
SHORT_LIST = (
    "req8.rne.nosat",
    "req8.rtm.nosat",
    "req8.rto.nosat",
    "qf322b8.rne.sat",
    "qf322b8.rne.nosat",
    "deqs16.rhb.sat",
    "deqs16.rhb.nosat",
    "noquant.fp32",
    "noquant.s32",
    "noquant.u32",
    "shifts322s16",
    "vreq8.rne.nosat",
    "deqf16.rne.nosat",
    "deqf16.rne.sat",
    "qf322f16.rne.nosat",
    "qf322fp8.rne.nosat",
    "qf322hif8.rhb.nosat",
)
#: where a mistake shows, if not in the first conversion whose terms it changes
SHOWS_IN = {
    ("whole", "inexact_threshold"): "req8.rtm.nosat",  # a tie rule is not asked about a rest of zero
    ("product", "subnormal_exponent_wrong"): "qf322b8.rne.sat",  # a legal scale is never subnormal
}


def seeded():
    """Yield every kind of the post-processing with each of its mistakes and the conversions that may show it."""
    having: dict[int, list[str]] = {}
    for conversion in SHORT_LIST:
        for kind in kinds_of(conversion):
            having.setdefault(id(kind), []).append(conversion)
    for kind in family.KINDS:
        for mistake in kind.mistakes:
            first = SHOWS_IN.get((kind.name, mistake))
            yield pytest.param(
                kind.name,
                mistake,
                [first] if first else having.get(id(kind), []),
                id=f"{kind.name}-{mistake}",
            )


def all_kinds(families=FAMILIES):
    """Every kind of obligation, with the conversions that have it."""
    found: dict[int, tuple[Kind, list[str]]] = {}
    for each in families:
        for conversion in each.conversions():
            for kind in each.kinds(conversion):
                found.setdefault(id(kind), (kind, []))[1].append(conversion)
    return list(found.values())


ELSEWHERE = [
    pytest.param(kind, mistake, having, id=f"{kind.name}-{mistake}")
    for kind, having in all_kinds([each for each in FAMILIES if each is not family.FAMILY])
    for mistake in kind.mistakes
]


def changed(conversion, kind, mistake):
    """Build the kind about the wrong model; None where the mistake does not show in its query."""
    name = f"{conversion}.{kind}"
    wrong = build(name, MISTAKES[mistake].subject())
    return None if obligation_hash(wrong) == obligation_hash(build(name)) else wrong


def test_every_mistake_fits_the_model():
    sources, (_, marks) = dict(model_sources()), shipped_document()
    for mistake in MISTAKES.values():
        assert mistake.what
        assert mistake.patches
        changed = dict(sources)
        for patch in mistake.patches:
            if isinstance(patch, SourcePatch):
                changed[patch.module] = replaced_once(patch, changed)
        document = replaced_values([patch for patch in mistake.patches if isinstance(patch, RulePatch)])
        if document is not None:
            check_schema(document, marks)
            check_references(document, marks)


def test_there_are_enough_mistakes():
    assert len(MISTAKES) >= 40
    assert len({mistake.what for mistake in MISTAKES.values()}) == len(MISTAKES)


def test_every_kind_names_a_mistake_and_every_mistake_has_a_kind():
    named: set[str] = set()
    for kind, _ in all_kinds():
        # a sentence that is false of the model itself needs no mistake to be refuted
        assert bool(kind.mistakes) == (kind.expect is Verdict.PROVED), kind.name
        named |= set(kind.mistakes)
    assert named == set(MISTAKES)


@pytest.mark.parametrize(("kind", "mistake", "conversions"), list(seeded()))
def test_a_mistake_is_refuted(kind, mistake, conversions):
    obligation = next(filter(None, (changed(conversion, kind, mistake) for conversion in conversions)))
    proof = decide(obligation, ENGINE)
    assert proof.verdict is Verdict.REFUTED, f"{proof.name}: {proof.verdict.value} {proof.detail}"
    assert proof.witness is not None
    replay(obligation, proof.witness)
    assert all(each.check(proof.witness) is None for each in obligation.replays)
    if kind == "equivalent":
        assert outcome(MISTAKES[mistake].subject(), obligation, proof) != outcome(base_subject(), obligation, proof)


def outcome(subject, obligation, proof):
    """What a model makes of a witness."""
    conversion = subject.module("conversions").conversions()[obligation.conversion]
    witness = proof.witness
    value = witness["in.value"]
    if conversion.accumulator.name == "S32" and value >> 31:
        value -= 1 << 32
    words = (witness["in.relu"], witness["in.quant_word"], witness["in.relu_word"])
    return tuple(subject.module("postprocess").element(conversion, value, *words))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "mistake", "having"), ELSEWHERE)
def test_a_mistake_is_refuted_in_other_families(kind, mistake, having):
    tried = []
    for name in candidates(having, kind.name, mistake):
        conversion = name.partition(JOINT)[0].rpartition(".")[0]
        obligation = changed(conversion, kind.name, mistake)
        if obligation is None:
            continue
        proof = decide(obligation, ENGINE)
        assert proof.verdict in (Verdict.PROVED, Verdict.REFUTED), proof.detail
        if proof.verdict is Verdict.REFUTED:
            assert proof.witness is not None
            replay(obligation, proof.witness)
            return
        tried.append(conversion)
        if len(tried) == 12:
            break
    pytest.fail(f"{mistake} passes in {tried}")


# Mistakes in an encoding.


def truncating(word, amount):
    """A right shift that forgets what it shifts out."""
    return word.bvlshr(amount.zero_extend(word.width))


def later(function, bits):
    """A window that starts further down."""
    return lambda product, top, digits: function(product, top - bits, digits)


def turned(function, bit):
    """A result with one bit turned."""
    return lambda *arguments: function(*arguments) ^ (1 << bit)


def opposite_saturation(function):
    return lambda *arguments, saturating: function(*arguments, saturating=not saturating)


def row(**changes):
    """A rounding mode's table row, changed."""
    return lambda mode: replace(rounding.ROUNDING[mode], **changes)


EQUIVALENT, LEGAL = "equivalent", "legal"
IN_AN_ENCODING = [
    # the increment rule
    ("req8.rne.nosat", EQUIVALENT, rounding.ROUNDING, "rne", row(half=rounding._if_even)),
    ("req8.rne.nosat", EQUIVALENT, rounding.ROUNDING, "rne", row(above_half=rounding._never)),
    ("deqs16.rna.sat", EQUIVALENT, rounding.ROUNDING, "rna", row(half=rounding._if_positive)),
    ("req8.rtm.nosat", EQUIVALENT, rounding.ROUNDING, "rtm", row(below_half=rounding._never)),
    ("req4.rtp.nosat", EQUIVALENT, rounding.ROUNDING, "rtp", row(half=rounding._if_negative)),
    ("req8.rto.nosat", EQUIVALENT, rounding.ROUNDING, "rto", row(above_half=rounding._if_odd)),
    ("qf322b8.rhb.nosat", EQUIVALENT, rounding.ROUNDING, "rhb", row(half=rounding._always)),
    ("req8.rtz.nosat", EQUIVALENT, rounding.ROUNDING, "rtz", row(above_half=rounding._always)),
    # the window
    ("req8.rne.nosat", EQUIVALENT, align, "shift_right_jam", truncating),
    ("req8.rne.nosat", EQUIVALENT, requantize, "align", later(align.align, 1)),
    ("noquant.s32", EQUIVALENT, requantize, "align", later(align.align, 2)),
    # limits and saturation
    ("req8.rne.nosat", EQUIVALENT, requantize, "endpoint", turned(requantize.endpoint, 0)),
    ("deqs16.rhb.sat", EQUIVALENT, requantize, "narrow", opposite_saturation(requantize.narrow)),
    ("qf322b8.rne.sat", EQUIVALENT, specials, "endpoint", turned(requantize.endpoint, 7)),
    ("qf322b8.rne.sat", EQUIVALENT, postprocess, "special_integer", opposite_saturation(specials.special_integer)),
    # flags
    ("req8.rne.nosat", EQUIVALENT, requantize, "OVERFLOW", 0x18),
    ("req8.rne.nosat", EQUIVALENT, requantize, "INEXACT", 0),
    ("req8.rne.nosat", EQUIVALENT, requantize, "flags_of", lambda *cases: flags.flags_of(*reversed(cases))),
    ("qf322b8.rne.nosat", EQUIVALENT, specials, "INVALID", 0x02),
    ("f322f16.rne.nosat", EQUIVALENT, specials, "INVALID", 0x00),
    # fields
    ("req8.rne.nosat", EQUIVALENT, postprocess, "offset_field", lambda word, width: word.extract(37 + width, 38)),
    ("req8.rne.nosat", EQUIVALENT, multiplier, "scale_field", lambda word: word.extract(30, 12)),
    ("req8.rne.nosat", EQUIVALENT, multiplier, "activation_field", lambda word: word.extract(19, 1)),
    ("shifts322s16", EQUIVALENT, postprocess, "shift_field", lambda word: parameters.shift_field(word) + 1),
    # the multiplier and what it does to an infinity
    (
        "req8.rne.nosat",
        EQUIVALENT,
        postprocess,
        "select_multiplier",
        lambda mode, _, *words: multiplier.select_multiplier(mode, Bool.constant(False), *words),
    ),
    ("qf322b8.rne.nosat", EQUIVALENT, postprocess, "_is_special", lambda source, _: source.nan | source.infinity),
    # legality
    ("req8.rne.nosat", LEGAL, parameters, "_positive_normal", lambda word: or_reduce(word.extract(17, 10))),
    ("req8.rne.nosat", LEGAL, parameters, "_positive_normal", lambda word: or_reduce(word) & ~word.bit(18)),
    ("req8.rne.nosat", LEGAL, parameters, "_zero_but", lambda word, _: ~word.bit(63)),
    ("req8.rne.nosat", LEGAL, parameters, "relu_word_legal", lambda _: Bool.constant(True)),
    ("shifts322s16", LEGAL, parameters, "quant_word_legal", lambda _, word: ~or_reduce(word.extract(31, 0))),
    ("req8.rne.nosat", LEGAL, modes.MODES, "req8", lambda name: replace(modes.MODES[name], offset_bits=8)),
    ("noquant.fp32", LEGAL, modes.MODES, "noquant.fp32", lambda name: replace(modes.MODES[name], parameter="scale")),
]


@pytest.mark.parametrize(
    ("conversion", "kind", "place", "name", "wrong"),
    IN_AN_ENCODING,
    ids=[f"{number}-{name}" for number, (_, _, _, name, _) in enumerate(IN_AN_ENCODING)],
)
def test_a_mistake_in_an_encoding_is_refuted(monkeypatch, conversion, kind, place, name, wrong):
    if isinstance(place, dict):
        monkeypatch.setitem(place, name, wrong(name))
    else:
        monkeypatch.setattr(place, name, wrong)
    obligation = build(f"{conversion}.{kind}")
    proof = decide(obligation, ENGINE)
    assert proof.verdict is Verdict.REFUTED, f"{proof.verdict.value} {proof.detail}"
    # the model is what it was: it is the encoding that the witness refutes
    assert proof.witness is not None
    assert [each.check(proof.witness) for each in obligation.replays] == [None] * len(obligation.replays)
