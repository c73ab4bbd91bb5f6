"""Whole tiles: random ones against the oracle, every kind of fault, and that a fault leaves no trace."""

import copy
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halfulp_model import (
    Attributes,
    Controls,
    Fault,
    FaultKind,
    Published,
    Rejected,
    Rule,
    controls,
    fpatr_encode,
    matrix_post_process,
    post_process,
    quant_param,
    shift_param,
)
from halfulp_model.loader import default_rules
from oracle import pto, tile

ONE, HALF = 0x1FC00, 0x1F800
UNIT = quant_param(ONE, mode="REQ8")
#: reductions of every sort: none, rows, groups of eight, both with all that can be asked for
REDUCTIONS: tuple[dict[str, int], ...] = (
    {},
    {"row_max": 1},
    {"group_max": 1, "group_n": 1, "max_abs": 1},
    {"row_max": 1, "group_max": 1, "group_n": 1, "row_max_init": 1},
)
SPECIAL = (0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00001, 0x7F800001, 0xFF800001, 0x00000001, 0xBF800000)

accumulators = st.one_of(st.sampled_from(SPECIAL), st.integers(0, 2**32 - 1), st.integers(0, 600))


@st.composite
def operations(draw):
    """An operation that is legal unless one thing in it is wrong."""
    mode = draw(st.sampled_from(sorted(pto.MODES)))
    name, accumulator, _, operand = pto.MODES[mode]
    relu = draw(st.integers(0, 3))
    fields = Attributes(mode, relu, **draw(st.sampled_from(REDUCTIONS)))
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 17))
    accumulator = accumulator or draw(st.sampled_from(("S32", "U32", "FP32")))
    values = st.lists(accumulators, min_size=columns, max_size=columns)
    free = mode not in (0, 12, 13)
    rmode = draw(st.integers(0, 7)) if free and mode not in pto.ALWAYS_RHB + pto.ALWAYS_RNE else 0
    quant = draw(words(name, mode, operand, columns))
    relu_words = st.sampled_from((0, ONE, HALF))
    activation = {2: relu_words, 3: st.lists(relu_words, min_size=columns, max_size=columns)}.get(relu, st.none())
    row_max_in = st.lists(accumulators, min_size=rows, max_size=rows) if fields.row_max_init else st.none()
    given_ = {
        "tile": draw(st.lists(values, min_size=rows, max_size=rows)),
        "word": fpatr_encode(fields),
        "accumulator": accumulator,
        "rmode": rmode,
        "sat": draw(st.booleans()) if free else False,
        "quant": quant,
        "relu": draw(activation),
        "row_max_in": draw(row_max_in),
    }
    return draw(st.sampled_from(CHANGES))(given_)


def words(name, mode, operand, columns):
    """The parameter words of a mode."""
    if operand == "none":
        return st.none()
    if mode in pto.SHIFT_MODES:
        word = st.integers(0, 15).map(shift_param)
    else:
        limit = 1 << pto.OFFSET_WIDTH.get(mode, 0) >> 1
        scale, offset = st.sampled_from((ONE, HALF, 0x1F001, 0x21155)), st.integers(-limit, max(limit - 1, 0))
        word = st.builds(quant_param, scale, offset, mode=st.just(name))
    return word if operand == "scalar" else st.lists(word, min_size=columns, max_size=columns)


def replaced(**changes):
    """A change of an operation: each value made of the old one."""
    return lambda given_: {**given_, **{name: make(given_[name]) for name, make in changes.items()}}


CHANGES = (
    *[replaced()] * 8,
    replaced(word=lambda word: word ^ 1 << 10),
    replaced(word=lambda word: word ^ 1 << 16),
    replaced(word=lambda word: word ^ 1 << 24),
    replaced(rmode=lambda rmode: (rmode + 1) % 8),
    replaced(sat=lambda sat: not sat),
    replaced(accumulator=lambda name: {"S32": "U32", "U32": "FP32", "FP32": "S32"}[name]),
    replaced(quant=lambda quant: quant[:-1] if isinstance(quant, list) else 1),
    replaced(relu=lambda relu: [*relu, 0] if isinstance(relu, list) else 1 << 19),
    replaced(row_max_in=lambda given_: [*(given_ or ()), 0]),
)


def run(given_):
    return matrix_post_process(
        given_["tile"],
        given_["word"],
        given_["accumulator"],
        datr=Controls(given_["rmode"], int(given_["sat"])),
        quant_param=given_["quant"],
        relu_param=given_["relu"],
        row_max_in=given_["row_max_in"],
    )


@given(operations())
def test_a_tile_against_the_oracle(given_):
    before = copy.deepcopy(given_)
    outcome, expected = run(given_), tile.process(**given_)
    if isinstance(outcome, Fault):
        assert outcome.kind.value == expected
    else:
        assert isinstance(expected, tile.Result)
        assert tuple(outcome) == tuple(vars(expected).values())
    assert given_ == before


def test_what_is_published():
    outcome = matrix_post_process(
        [[300, -5, 7]] * 2,
        Attributes(pre_quant=3, relu=1, group_n=1, row_max=1, group_max=1, max_abs=1),
        "S32",
        datr=controls("RNE"),
        quant_param=quant_param(ONE, 1, mode="REQ8"),
    )
    assert outcome == Published(((0, 1, 8),) * 2, (300, 300), ((300,), (300,)), 0x14)


def test_outputs_that_are_not_enabled_are_empty():
    assert matrix_post_process([[1]], Attributes(), "U32") == Published(((1,),), (), (), 0)


def test_every_element_is_the_one_that_post_process_gives():
    row = [-300, 5, 0x7FFFFFFF]
    parameters = [quant_param(ONE, offset, mode="VREQ8") for offset in (-3, 0, 7)]
    outcome = matrix_post_process([row], Attributes(2), "S32", datr=controls("RTO", sat=True), quant_param=parameters)
    assert isinstance(outcome, Published)
    expected = [
        post_process(value, "VREQ8", rounding="RTO", sat=True, quant_param=word)
        for value, word in zip(row, parameters, strict=True)
    ]
    assert outcome.d == (tuple(result.word for result in expected),)


def test_a_scalar_that_is_not_bound_reads_as_zero():
    assert matrix_post_process([[7]], Attributes(13), "S32") == Published(((3,),), (), (), 0)
    assert matrix_post_process([[-7]], Attributes(0, 2), "S32") == Published(((0,),), (), (), 0)


#: one operation for every rule: fields, accumulator and the rest
FAULTS: dict[Rule, tuple[Any, str, dict[str, Any]]] = {
    Rule.FIXED_BITS: (0, "S32", {}),
    Rule.PRE_QUANT_MODE: (Attributes(6), "S32", {}),
    Rule.RELU_MODE: (Attributes(0, 4), "S32", {}),
    Rule.GROUP_N_CODE: (Attributes(0, 0, 10, group_max=1), "S32", {}),
    Rule.ROW_MAX_INIT: (Attributes(row_max_init=1), "S32", {"row_max_in": [1]}),
    Rule.GROUP_MAX: (Attributes(group_n=1), "S32", {}),
    Rule.MAX_ABS: (Attributes(max_abs=1), "S32", {}),
    Rule.OPERANDS: (Attributes(), "S32", {"quant_param": UNIT}),
    Rule.SCALAR_QUANT_WORD: (Attributes(3), "S32", {"quant_param": UNIT + 1}),
    Rule.SCALAR_RELU_WORD: (Attributes(0, 2), "S32", {"relu_param": 1 << 18}),
    Rule.DATR_FIELDS: (Attributes(), "S32", {"datr": Controls(pad=3)}),
    Rule.ROUNDING: (Attributes(), "S32", {"datr": controls("RNE")}),
    Rule.SATURATION: (Attributes(13), "S32", {"datr": controls(sat=True)}),
    Rule.SHAPE: (Attributes(), "S32", {"tile": []}),
    Rule.ACCUMULATOR: (Attributes(3), "U32", {"quant_param": UNIT}),
    Rule.ROW_MAX_SHAPE: (Attributes(row_max=1, row_max_init=1), "S32", {"row_max_in": [1, 2]}),
    Rule.QUANT_SHAPE: (Attributes(2), "S32", {"quant_param": [UNIT] * 3}),
    Rule.QUANT_WORDS: (Attributes(2), "S32", {"quant_param": [UNIT, 0]}),
    Rule.RELU_SHAPE: (Attributes(0, 3), "S32", {"relu_param": [ONE]}),
    Rule.RELU_WORDS: (Attributes(0, 3), "S32", {"relu_param": [ONE, 1]}),
}


def test_every_rule_has_a_fault():
    assert list(FAULTS) == list(Rule)


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.value)
def test_a_fault_leaves_no_trace(rule):
    fields, accumulator, rest = FAULTS[rule]
    operands: dict[str, Any] = {"tile": [[1, 2]], **rest}
    before = copy.deepcopy(operands)
    outcome = matrix_post_process(operands.pop("tile"), fields, accumulator, **operands)
    row = default_rules().legality[rule.value]
    # nothing but why: no element, no maximum, no flag
    assert outcome == Fault(row.fault, rule, f"{rule.value}: {row.sentence}")
    assert Fault._fields == ("kind", "rule", "message")
    assert {name: before[name] for name in operands} == operands
    illegal = list(Rule).index(rule) <= list(Rule).index(Rule.GROUP_N_CODE)
    assert row.fault is (FaultKind.ILLEGAL_INSTRUCTION if illegal else FaultKind.TILE_LEGALITY)


@pytest.mark.parametrize("rule", [rule for rule in Rule if rule is not Rule.SHAPE], ids=lambda rule: rule.value)
def test_an_operation_is_legal_without_its_fault(rule):
    fields, _, rest = FAULTS[rule]
    mended: dict[Rule, tuple[Any, dict[str, Any]]] = {
        Rule.FIXED_BITS: (0x2023, {}),
        Rule.ROW_MAX_INIT: (Attributes(row_max=1, row_max_init=1), rest),
        Rule.GROUP_MAX: (Attributes(group_n=1, group_max=1), rest),
        Rule.GROUP_N_CODE: (Attributes(group_n=9, group_max=1), rest),
        Rule.MAX_ABS: (Attributes(row_max=1, max_abs=1), rest),
        Rule.PRE_QUANT_MODE: (Attributes(13), rest),
        Rule.RELU_MODE: (Attributes(0, 1), rest),
        Rule.OPERANDS: (Attributes(3), rest),
        Rule.SCALAR_QUANT_WORD: (fields, {"quant_param": UNIT}),
        Rule.SCALAR_RELU_WORD: (fields, {"relu_param": ONE}),
        Rule.DATR_FIELDS: (fields, {}),
        Rule.ROUNDING: (fields, {}),
        Rule.SATURATION: (fields, {}),
        Rule.ACCUMULATOR: (fields, rest),
        Rule.ROW_MAX_SHAPE: (fields, {"row_max_in": [1]}),
        Rule.QUANT_SHAPE: (fields, {"quant_param": [UNIT] * 2}),
        Rule.QUANT_WORDS: (fields, {"quant_param": [UNIT] * 2}),
        Rule.RELU_SHAPE: (fields, {"relu_param": [ONE] * 2}),
        Rule.RELU_WORDS: (fields, {"relu_param": [ONE] * 2}),
    }
    given_, operands = mended[rule]
    assert isinstance(matrix_post_process([[1, 2]], given_, "S32", **operands), Published)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: matrix_post_process([[1], [1, 2]], 0x2023, "S32"),
            "tile: rows of 1 and 2 columns; expected one length",
        ),
        (
            lambda: matrix_post_process([[1]], 0x2023, "S16"),
            "accumulator: 'S16' is not a type of accumulator; expected FP32, S32 or U32",
        ),
        (
            lambda: matrix_post_process([[1 << 32]], 0x2023, "U32"),
            "value: 4294967296 does not fit a 32-bit U32 accumulator",
        ),
        (lambda: matrix_post_process([[1]], Attributes(64), "U32"), "pre_quant: 64 is not a number of 6 bits"),
        (
            lambda: matrix_post_process([[1]], Attributes(2), "S32", quant_param=[1 << 64]),
            "quant_param: 18446744073709551616 is not a number of 64 bits",
        ),
        (
            lambda: matrix_post_process([[1]], 0x2023, "S32", datr=Controls(rmode=8)),
            "B.DATR.rmode: 8 is not a number of 3 bits",
        ),
        (
            lambda: controls("RNX"),
            "B.DATR.RMode: 'RNX' is not a rounding mode; expected RNE, RTZ, RTM, RTP, RNA, RTO, RHB or NONE",
        ),
    ],
)
def test_arguments_that_no_operation_has(call, message):
    with pytest.raises(Rejected, match=f"^{re.escape(message)}$"):
        call()
