"""Whole elements against exact arithmetic, the specification's own figures, and claims put to a solver."""

from random import Random

import pytest
from pysmt.shortcuts import And, Not

from formal.encodings.exact import ONE, ROWS, exact
from halfulp_formal.bits import Bits, Bool, ite
from halfulp_formal.encodings import conversion_names, legal, postprocess
from halfulp_formal.evaluate import compile_term
from halfulp_formal.solvers import Answer, open_solver, preferred

VALUE, RELU, QUANT, ACTIVATION = INPUTS = (
    Bits.symbol("post.value", 32),
    Bits.symbol("post.relu", 3),
    Bits.symbol("post.quant", 64),
    Bits.symbol("post.activation", 64),
)
CASES = 120
CORNERS = [
    *(0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x00800001, 0x3F800000, 0x7F7FFFFF, 0x7F800000),
    *(
        0x7F800001,
        0x7FBFFFFF,
        0x7FC00000,
        0x7FFFFFFF,
        0x33800000,
        0x477FE000,
        0x477FF000,
        0x43E00000,
        0x43E80000,
    ),
]


def quant_word(name, random):
    head = name.split(".")[0]
    if "shift" in head:
        return random.getrandbits(4) << 32
    _, _, offset_bits, scaled, _ = ROWS.get(head.removeprefix("v"), (None, None, 0, False, None))
    if not scaled:
        return random.getrandbits(64)
    exponent = random.choice([random.randrange(1, 255), random.randrange(90, 165), random.randrange(120, 135)])
    word = (exponent << 10 | random.choice([0, 1, 512, 1023, random.getrandbits(10)])) << 13
    least = 1 << (offset_bits - 1) if offset_bits else 0
    offset = random.choice([0, 0, 1, -1, least - 1, -least, random.getrandbits(17)])
    return word | offset % (1 << offset_bits) << 37


def relu_word(relu, random):
    if relu < 2:
        return random.getrandbits(64)
    return random.choice([0, ONE, random.randrange(1, 255) << 10 | random.getrandbits(10), 0x00400, 0x3FBFF])


def accumulator(random):
    kind = random.randrange(5)
    if kind == 0:
        return random.getrandbits(32)
    if kind == 1:
        return random.choice(CORNERS) ^ random.getrandbits(1) << 31
    if kind == 2:
        return random.choice([-1, 1]) * random.getrandbits(random.randrange(1, 32)) % 2**32
    exponent = random.choice([random.randrange(256), random.randrange(100, 150), random.randrange(3)])
    digits = random.randrange(13)
    fraction = (random.getrandbits(digits) << (23 - digits)) + random.choice([-1, 0, 0, 1])
    return random.getrandbits(1) << 31 | exponent << 23 | fraction % 2**23


@pytest.mark.parametrize("name", [name for name in conversion_names() if not name.startswith("v")])
def test_word_and_flags_are_exact(name):
    word, flags = postprocess(name, *INPUTS)
    accepted = legal(name, *INPUTS[1:])
    run = compile_term([word.term, flags.term, accepted.term], [symbol.term for symbol in INPUTS])
    random = Random(name)
    for _ in range(CASES):
        relu = random.randrange(4)
        case = (accumulator(random), relu, quant_word(name, random), relu_word(relu, random))
        assert run(*case) == (*exact(name, *case), True), [hex(part) for part in case]


def folded(name, value, relu=0, scale=ONE, offset=0, activation=0):
    """An encoding of constants is a constant."""
    word, flags = postprocess(
        name,
        Bits.constant(value, 32),
        Bits.constant(relu, 3),
        Bits.constant(scale << 13 | offset << 37, 64),
        Bits.constant(activation, 64),
    )
    return word.term.constant_value(), flags.term.constant_value()


@pytest.mark.parametrize(("name", "value"), [("req8", 300), ("req4", 20), ("deqs16", 70000)])
def test_the_specifications_example_saturates_before_the_offset(name, value):
    assert folded(f"{name}.rne.nosat", value, offset=1) == (0, 0x14)


def test_the_specifications_shift_example():
    word, flags = postprocess(
        "shifts322s16",
        Bits.constant(0x7FFFFFFF, 32),
        Bits.constant(0, 3),
        Bits.constant(0, 64),
        Bits.constant(0, 64),
    )
    assert (word.term.constant_value(), flags.term.constant_value()) == (0x7FFF, 0x14)


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("qf322fp8.rne.sat", 0xBA000000, (0x00, 0x18)),  # -2^-11: a negative underflow of E4M3 loses its sign,
        ("f322f16.rne.sat", 0xB2000000, (0x8000, 0x18)),  # -2^-27: one of FP16 keeps it
        ("qf322fp8.rne.nosat", 0x43E00001, (0x7F, 0x14)),  # just above 448: no rounding back to it
        ("qf322fp8.rne.nosat", 0xC3E00001, (0x7F, 0x14)),  # nor a sign on the NaN
        ("qf322hif8.rhb.nosat", 0x47000001, (0x6F, 0x14)),  # just above 2^15
        (
            "f322f16.rne.sat",
            0x387FFFFF,
            (0x0400, 0x18),
        ),  # rounds up to the smallest normal, underflows all the same
        ("qf322hif8.rhb.sat", 0x80000000, (0x00, 0)),  # HiF8 has one zero
        ("qf322fp8.rne.sat", 0x80000000, (0x80, 0)),
    ],
)
def test_corners_of_the_floating_destinations(name, value, wanted):
    assert folded(name, value) == wanted


@pytest.mark.parametrize(("activation", "wanted"), [(0, (0, 0)), (ONE, (0xFF800000, 0))])
def test_minus_infinity_times_zero_is_zero(activation, wanted):
    assert folded("noquant.fp32", 0xFF800000, relu=2, activation=activation) == wanted


def refuted(claim, assumption):
    with open_solver(preferred(), 60) as solver:
        solver.add(And(assumption.term, Not(claim.term)))
        answer = solver.check()
    assert answer is not Answer.UNKNOWN
    return answer is Answer.SAT


@pytest.mark.parametrize("name", ["req8.rne.sat", "qf322f16.rne.nosat", "qf322hif8.rhb.sat", "noquant.fp32"])
def test_relu_of_a_negative_accumulator_is_that_of_zero(name):
    nan = VALUE.extract(30, 0).bvugt(0x7F800000) if name[0] in "qn" else Bool.constant(False)
    zero = postprocess(name, Bits.constant(0, 32), RELU, QUANT, ACTIVATION)
    word, flags = postprocess(name, VALUE, RELU, QUANT, ACTIVATION)
    same = (word == zero[0]) & (flags == zero[1])
    assumed = legal(name, RELU, QUANT, ACTIVATION) & (RELU == 1) & VALUE.bit(31)
    assert not refuted(same, assumed & ~nan)
    if name[0] in "qn":
        assert refuted(same, assumed)


def test_a_signed_destination_is_sign_extended():
    word, _ = postprocess("req4.rto.nosat", *INPUTS)
    assert not refuted(word == word.extract(3, 0).sign_extend(64), legal("req4.rto.nosat", *INPUTS[1:]))


def test_saturation_changes_nothing_but_overflows():
    words = {}
    for sat in ("sat", "nosat"):
        words[sat] = postprocess(f"qf322b8.rtp.{sat}", *INPUTS)
    finite = VALUE.extract(30, 23) != 0xFF
    same = words["sat"][0] == words["nosat"][0]
    overflow = ite(finite, words["sat"][1] == 0x14, finite)
    assumed = legal("qf322b8.rtp.sat", *INPUTS[1:]) & finite
    assert not refuted(same | overflow, assumed)
    assert refuted(same, assumed)
