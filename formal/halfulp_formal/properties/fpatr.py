"""The B.FPATR word by the specification's sentences: what is reserved, which fields go together, what B.DATR may ask."""

from __future__ import annotations

from typing import Any

from pysmt.fnode import FNode

from halfulp_formal.lift.values import Int, conjoin, disjoin, negate

from .claim import Claim, Kind
from .numbers import Number, between, bit_field, equal, iff

SOURCE = "asl/block/attributes/B.FPATR.asl"

#: the rules that a word may break on its own, in the model's order; a rule is its place here, one more is none
RESERVED = ("fixed_bits", "pre_quant_mode", "relu_mode", "group_n_code")
INCONSISTENT = ("row_max_init", "group_max", "max_abs")
WORD_RULES = (*RESERVED, *INCONSISTENT)

#: fields with one value: highest and lowest bit, value
FIXED = {"Func": (14, 12, 2), "ElementWiseEn": (11, 11, 0), "Reserved": (10, 9, 0), "Opc1": (6, 4, 2),
         "Opcode": (3, 1, 1), "W": (0, 0, 1)}  # fmt: skip
#: fields that vary, in the model's order
VARIABLE = {"pre_quant": (31, 26), "relu": (25, 23), "group_n": (22, 19), "row_max": (18, 18), "group_max": (17, 17),
            "row_max_init": (16, 16), "max_abs": (15, 15), "trans_a": (7, 7), "trans_b": (8, 8)}  # fmt: skip

#: the codes of modes that leave neither rounding nor Sat open, and of those that fix their rounding only
NO_CONTROL = (0, 12, 13)
FIXED_ROUNDING = (1, 16, 25, 26, 28, 32, 33, 34, 36, 37)


def field_of(word: Int, name: str) -> Number:
    """Return a field of a word."""
    return bit_field(word, *VARIABLE[name])


def has_fixed_bits(word: Int) -> FNode:
    """State that every fixed field has its value."""
    return conjoin(*(equal(bit_field(word, high, low), value) for high, low, value in FIXED.values()))


def is_assigned_mode(code: Number) -> FNode:
    """State that a PreQuantMode is assigned: 0..5, 12..13, 16..20, 23..28, and 32..39."""
    return disjoin(*(between(low, code, high) for low, high in ((0, 5), (12, 13), (16, 20), (23, 28), (32, 39))))


def has_reserved_code(fields: dict[str, Number]) -> FNode:
    """State that a code is reserved."""
    return disjoin(
        negate(is_assigned_mode(fields["pre_quant"])),
        negate(between(0, fields["relu"], 3)),
        negate(between(0, fields["group_n"], 9)),
    )


def disagree(fields: dict[str, Number]) -> FNode:
    """State that assigned fields disagree with each other."""
    row, group, init, absolute = (
        equal(fields[name], 1) for name in ("row_max", "group_max", "row_max_init", "max_abs")
    )
    return disjoin(
        conjoin(init, negate(row)),
        negate(iff(group, negate(equal(fields["group_n"], 0)))),
        conjoin(absolute, negate(row), negate(group)),
    )


def inverse(case: Any) -> Claim:
    """The fields of an accepted word encode to the word itself."""
    accepted = equal(case.rule(case.word), len(WORD_RULES))
    return Claim(equal(case.encode(case.decode(case.word)), case.word), case.inputs, accepted)


def decoded(case: Any) -> Claim:
    """Any fields within their widths come back from their word, which has the fixed bits."""
    word = case.encode(case.attributes)
    fields = case.decode(word)
    same = [equal(fields[name], case.attributes[name]) for name in VARIABLE]
    return Claim(conjoin(has_fixed_bits(case.as_word(word)), *same), case.attribute_inputs)


def reserved(case: Any) -> Claim:
    """A word raises an illegal instruction if and only if a fixed field differs or a code is reserved."""
    fields = {name: field_of(case.word, name) for name in VARIABLE}
    illegal = disjoin(negate(has_fixed_bits(case.word)), has_reserved_code(fields))
    return Claim(iff(case.raises(case.word, "illegal_instruction"), illegal), case.inputs)


def consistent(case: Any) -> Claim:
    """An assigned encoding raises a tile-legality fault on its own if and only if its enables disagree."""
    fields = {name: field_of(case.word, name) for name in VARIABLE}
    assigned = conjoin(has_fixed_bits(case.word), negate(has_reserved_code(fields)))
    claim = iff(case.raises(case.word, "tile_legality"), conjoin(assigned, disagree(fields)))
    return Claim(claim, case.inputs)


def controls(case: Any) -> Claim:
    """B.DATR is legal if and only if RMode and Sat are at rest where the mode closes them, and all else is zero."""
    code, datr = case.pre_quant, case.controls
    rest = conjoin(*(equal(datr[name], 0) for name in ("layout", "pad", "cmode", "canonicalize")))
    closed = disjoin(*(equal(code, each) for each in NO_CONTROL))
    fixed = disjoin(*(equal(code, each) for each in FIXED_ROUNDING))
    rounds = disjoin(equal(datr["rmode"], 0), negate(disjoin(closed, fixed)))
    saturates = disjoin(equal(datr["sat"], 0), negate(closed))
    return Claim(iff(case.controls_legal, conjoin(rest, rounds, saturates)), case.inputs, is_assigned_mode(code))


WORD_KINDS = (
    Kind(
        "inverse",
        "The word of an accepted B.FPATR's fields is the word itself.",
        f"{SOURCE}, fields",
        lambda _name: True,
        inverse,
        ("fpatr_encode_forgets_transpose", "fpatr_group_code_short"),
    ),
    Kind(
        "decoded",
        "Every field stands in the word as it was given.",
        f"{SOURCE}, fields",
        lambda _name: True,
        decoded,
        ("fpatr_encode_forgets_transpose", "fpatr_group_code_short"),
    ),
    Kind(
        "reserved",
        "Decode-reserved field values do not decode and raise Fault_IllegalInstruction.",
        f"{SOURCE}, exceptions",
        lambda _name: True,
        reserved,
        ("fpatr_reserved_bits_ignored", "fpatr_relu_four", "fpatr_reserved_is_legality"),
    ),
    Kind(
        "consistent",
        "RowMaxInit requires RowMaxEn. GroupMaxEn requires nonzero GroupNCode and nonzero GroupNCode requires GroupMaxEn. "
        "MaxAbsEn requires RowMaxEn or GroupMaxEn.",
        f"{SOURCE}, legality",
        lambda _name: True,
        consistent,
        ("fpatr_init_without_row", "fpatr_group_without_columns", "fpatr_absolute_alone"),
    ),
)
CONTROL_KINDS = (
    Kind(
        "controls",
        "None requires RMode=NONE and Sat=0; fixed floating modes require RMode=NONE; fixed shift modes require RMode=NONE "
        "and Sat=0; programmable integer modes retain the complete rounding selector and final clamp/wrap control.",
        f"{SOURCE}, legality",
        lambda _name: True,
        controls,
        ("datr_fixed_mode_rounds", "datr_shift_saturates", "datr_pad_ignored"),
    ),
)
