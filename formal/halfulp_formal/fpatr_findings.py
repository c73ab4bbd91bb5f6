"""A finding on the B.FPATR word: the mask that the decision record gives is not the decoder's."""

from __future__ import annotations

from typing import Any

from halfulp_formal.findings import Finding, Reading
from halfulp_formal.lift.values import conjoin, disjoin, negate
from halfulp_formal.properties.claim import Kind
from halfulp_formal.properties.fpatr import VARIABLE, field_of, has_fixed_bits, has_reserved_code
from halfulp_formal.properties.numbers import bit_field, equal, iff


def mask(case: Any) -> Reading:
    """A word with assigned codes is a B.FPATR if and only if its bits 14:0 are those of 00002023."""
    word = case.word
    fields = {name: field_of(word, name) for name in VARIABLE}
    matches = equal(bit_field(word, 14, 0), 0x2023)
    transposed = disjoin(equal(fields["trans_a"], 1), equal(fields["trans_b"], 1))
    sentence = iff(negate(case.raises(word, "illegal_instruction")), matches)
    return Reading(negate(has_reserved_code(fields)), sentence, conjoin(has_fixed_bits(word), transposed), case.inputs)


FINDINGS = (
    Finding(
        "mask",
        "B.FPATR has two bits more than its mask leaves free",
        "The command form is a 32-bit L32 encoding with mask 0x00007fff, match 0x00002023.",
        "ADR 0064, Decision",
        "the decoder's mask is 0x00007e7f: bits 7 and 8 are TransA and TransB",
        "TransA or TransB is set in a word whose fixed bits are right",
        lambda name: name == "fpatr",
        mask,
        "fpatr_transpose_reserved",
    ),
)

KINDS: tuple[Kind, ...] = tuple(kind for finding in FINDINGS for kind in finding.kinds())
