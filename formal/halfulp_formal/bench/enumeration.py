"""Proof against trying every input: run whole where that ends, else its rate and what the rest would take."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random

from halfulp_formal.catalogue import build
from halfulp_formal.dag import symbol_width
from halfulp_formal.decide import Engine, decide
from halfulp_formal.evaluate import compile_term
from halfulp_formal.obligation import Obligation

from .section import Section, ratio, seconds, timed

NAMES = (
    "cvt.fp16.e4m3.rne.sat.equivalent",
    "e8m0.fp16.rne.sat.equivalent",
    "e8m0.fp32.rne.sat.equivalent",
    "cvt.fp32.e4m3.rne.sat.equivalent",
    "req8.rne.nosat.equivalent",
    "qf322f16.rne.nosat.equivalent",
)

#: inputs up to so many bits are all tried
ALL_BITS = 16

#: random inputs that tell the rate where there are more
SOME = 20_000


def points(widths: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield every input, or some random ones where there are too many."""
    if sum(widths) <= ALL_BITS:
        yield from product(*(range(1 << width) for width in widths))
        return
    random = Random(0)  # noqa: S311  # test inputs, no secrets
    while True:
        yield tuple(random.getrandbits(width) for width in widths)


def tried(obligation: Obligation) -> tuple[int, float, int]:
    """Return how many inputs were tried, the seconds that took, and the bits of an input."""
    widths = [symbol_width(symbol) or 1 for symbol in obligation.inputs]
    holds = compile_term([obligation.assumption, obligation.claim], obligation.inputs)

    def try_them() -> int:
        count = 0
        for point in islice(points(widths), SOME if sum(widths) > ALL_BITS else None):
            assumed, claimed = holds(*point)
            if assumed and not claimed:
                raise AssertionError(f"{obligation.name} is false at {point}")
            count += 1
        return count

    count, spent = timed(try_them)
    return count, spent, sum(widths)


def rows(engine: Engine) -> Iterator[tuple[str, ...]]:
    """Yield a row an obligation."""
    yield "obligation", "input bits", "proof", "inputs a second", "every input", "every input / proof"
    for name in NAMES:
        obligation = build(name)
        proof, proving = timed(decide, obligation, engine)
        if not proof.ok:
            raise AssertionError(f"{name}: {proof.verdict.name}: {proof.detail}")
        count, spent, bits = tried(obligation)
        everything = spent * 2.0**bits / count
        how = "" if count == 1 << bits else "would take "
        yield (
            name,
            str(bits),
            seconds(proving),
            f"{count / spent:,.0f}",
            how + seconds(everything),
            ratio(proving, everything),
        )


def section(engine: Engine) -> Section:
    """Return the comparison."""
    return Section(
        "Proofs against trying every input",
        f"The claim is compiled to straight-line Python and evaluated. Up to {ALL_BITS} bits of input all are tried; for "
        f"more, {SOME:,} random ones give the rate, and the time for all is computed from it.",
        list(rows(engine)),
    )
