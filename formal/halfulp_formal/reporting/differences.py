"""Where a claim fails at a witness: the parts of the claim that are false there, with both sides of an equation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from halfulp_formal.dag import symbol_width
from halfulp_formal.evaluate import evaluate

if TYPE_CHECKING:
    from pysmt.fnode import FNode

    from halfulp_formal.obligation import Obligation


def parts(claim: FNode) -> Iterator[FNode]:
    """Yield the conjuncts of a claim."""
    if claim.is_and():
        for argument in claim.args():
            yield from parts(argument)
    else:
        yield claim


def differences(obligation: Obligation, witness: Mapping[str, int]) -> tuple[str, ...]:
    """Return a line for each part of the claim that is false at the witness."""
    lines = []
    conjuncts = list(parts(obligation.claim))
    for place, (part, holds) in enumerate(zip(conjuncts, evaluate(conjuncts, witness), strict=True), start=1):
        if holds:
            continue
        if part.is_equals():
            left, right = evaluate(list(part.args()), witness)
            width = part.arg(0).bv_width()
            digits = -(-width // 4)
            lines.append(f"part {place} of {len(conjuncts)}: 0x{left:0{digits}x} should equal 0x{right:0{digits}x}")
        else:
            lines.append(f"part {place} of {len(conjuncts)} is false")
    return tuple(lines)


def input_widths(obligation: Obligation) -> dict[str, int]:
    """Return the bits of the inputs by name, 0 for a truth value."""
    return {symbol.symbol_name(): symbol_width(symbol) for symbol in obligation.inputs}
