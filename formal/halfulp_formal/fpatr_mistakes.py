"""Seeded mistakes in the B.FPATR word and in the preflight of an operation."""

from __future__ import annotations

from halfulp_formal.mistake import Mistake, rule, source

FPATR_MISTAKES: dict[str, Mistake] = {
    "fpatr_enables_swapped": source(
        "RowMaxInit and MaxAbsEn change places",
        "fpatr",
        "value_of(layout.max_abs, word)",
        "value_of(layout.row_max_init, word)",
    ),
    "fpatr_group_code_short": source(
        "GroupNCode is read as three bits",
        "fpatr",
        "value_of(layout.group_n, word)",
        "value_of(layout.group_n, word) % 8",
    ),
    "fpatr_encode_forgets_transpose": source(
        "TransB is not written", "fpatr", "return word + (attributes.trans_b << layout.trans_b.low)", "return word"
    ),
    "fpatr_reserved_bits_ignored": source(
        "bits 10:9 are ignored",
        "fpatr",
        "value_of(part, word) == part.assigned[0] for",
        "value_of(part, word) == part.assigned[0] or part.low == 9 for",
    ),
    "fpatr_transpose_reserved": source(
        "TransA and TransB are reserved",
        "fpatr",
        "return all(value_of(part, word) == part.assigned[0] for part in layout.fixed)",
        "return word % (1 << 15) == 0x2023",
    ),
    "fpatr_relu_four": rule("ReluMode 4 is assigned", "fpatr/ReluMode/assigned", (0, 1, 2, 3, 4)),
    "fpatr_reserved_is_legality": rule(
        "a reserved ReluMode is a legality fault", "legality/relu_mode/fault", "tile_legality"
    ),
    "fpatr_init_without_row": source(
        "RowMaxInit is content with a group maximum",
        "fpatr",
        "attributes.row_max_init == 1 and attributes.row_max == 0:",
        "attributes.row_max_init == 1 and attributes.row_max == 0 and attributes.group_max == 0:",
    ),
    "fpatr_group_without_columns": source(
        "GroupMaxEn needs no GroupNCode",
        "fpatr",
        "(attributes.group_max == 1) != (attributes.group_n != 0)",
        "attributes.group_max == 0 and attributes.group_n != 0",
    ),
    "fpatr_absolute_alone": source(
        "MaxAbsEn is refused without a row maximum",
        "fpatr",
        "attributes.max_abs == 1 and attributes.row_max == 0 and attributes.group_max == 0",
        "attributes.max_abs == 1 and attributes.row_max == 0",
    ),
    "datr_fixed_mode_rounds": source(
        "a mode that fixes its rounding takes RMode",
        "fpatr",
        "mode.rounding != PROGRAMMABLE and controls.rmode != 0",
        "mode.rounding == NO_CHOICE and controls.rmode != 0",
    ),
    "datr_shift_saturates": source(
        "a shift mode takes Sat",
        "fpatr",
        "mode.saturate == NO_CHOICE and controls.sat != 0",
        "mode.saturate == NO_CHOICE and mode.code == 0 and controls.sat != 0",
    ),
    "datr_pad_ignored": source("PadValueOrByteId is ignored", "fpatr", " or controls.pad != 0", ""),
    "preflight_skips_row_max_in": source(
        "a RowMaxIn that is too long passes",
        "tile",
        "operands.row_max_in != operands.rows",
        "operands.row_max_in < operands.rows",
    ),
    "preflight_first_column_only": source(
        "only the first column's parameter word is looked at",
        "tile",
        "all(quant_word_legal(unit.layout, mode, unit.fp19, word) for word in words.quant_columns)",
        "quant_word_legal(unit.layout, mode, unit.fp19, words.quant_columns[0])",
    ),
    "preflight_any_accumulator": source(
        "any accumulator passes",
        "tile",
        "operands.accumulator not in mode.accumulators",
        'operands.accumulator not in ("FP32", "S32", "U32")',
    ),
}
