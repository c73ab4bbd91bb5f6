"""How many inputs two versions differ in: counted exactly, over all values of one input, in C made of the terms.

The other inputs have the values of the witness. Inputs are taken by binade: most of a term is known beforehand there, and
what is left is often the same text in many binades, which is run once.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import BV, And, Not

from halfulp_formal.abstraction import substitute
from halfulp_formal.dag import symbol_width
from halfulp_formal.evaluate import compile_term, evaluate

from .compare import Pair
from .narrow import Narrowed
from .value import TooWide, Value, known

#: the widest input that is counted over, and the widest one for which Python is quick enough
WIDEST, IN_PYTHON = 32, 16

#: 2^this many neighbouring ranges are looked at together
TOGETHER = 3
#: ranges that are looked at before counting is given up
MOST_PARTS = 4096

COMPILERS = ("cc", "gcc", "clang")
#: tried in turn: not every compiler knows the machine it runs on
FLAGS = (("-O3", "-march=native"), ("-O2",))
COMPILE_SECONDS, RUN_SECONDS = 120.0, 300.0


@dataclass(frozen=True)
class Count:
    """A number of inputs that differ, of how many; `fixed` has the values of the inputs that did not vary."""

    differing: int
    inputs: int
    varied: str
    fixed: Mapping[str, int]


class NotCounted(Exception):
    """Why there is no number."""


@dataclass(frozen=True)
class Part:
    """Inputs from `low` on, 2^bits of them: all or none of them differ, or those for which lines of C say so."""

    low: int
    bits: int
    differ: bool | None
    lines: tuple[str, ...] = ()


def count(versions: Pair, witness: Mapping[str, int], jobs: int) -> Count:
    """Count the values of one input for which two versions differ, all others as in the witness. Raises NotCounted."""
    symbol, row = varied_input(versions)
    fixed = {each.symbol_name(): witness[each.symbol_name()] for each in versions.inputs if each is not symbol}
    differs, width = difference(versions, fixed), symbol_width(symbol)
    if width <= IN_PYTHON:
        run = compile_term([differs], [symbol])
        number = sum(bool(run(value)[0]) for value in range(1 << width))
    else:
        number = count_in(differs, symbol, binades(row, width), jobs)
    return Count(number, 1 << width, symbol.symbol_name(), fixed)


def difference(versions: Pair, fixed: Mapping[str, int]) -> FNode:
    """Return that two versions differ and the input is legal, with some inputs fixed."""
    held = [each for each in versions.inputs if each.symbol_name() in fixed]
    values = {each: BV(fixed[each.symbol_name()], symbol_width(each)) for each in held}
    return substitute(And(versions.assumption, Not(versions.claim)), values)


def count_in(differs: FNode, symbol: FNode, ranges: Iterable[tuple[int, int]], jobs: int) -> int:
    """Count the values of a symbol, in ranges, for which a term holds. Raises NotCounted."""
    parts = list(all_parts(differs, symbol, ranges))
    decided = sum(1 << part.bits for part in parts if part.differ)
    return decided + in_c([part for part in parts if part.differ is None], jobs)


def varied_input(versions: Pair) -> tuple[FNode, Any]:
    """Return the input that is varied and the row of its format. Raises NotCounted."""
    conversion = getattr(versions.base.case, "conversion", None)
    row = getattr(conversion, "accumulator", getattr(conversion, "source", None))
    inputs = [each for each in versions.inputs if symbol_width(each) > 0]
    varied = [each for each in inputs if each.symbol_name() == "in.value"] or inputs
    if row is None or len(varied) != 1:
        raise NotCounted("more than one input matters")
    if symbol_width(varied[0]) > WIDEST:
        raise NotCounted(f"2^{symbol_width(varied[0])} inputs are too many")
    return varied[0], row


def binades(row: Any, width: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of codes of one sign and one binade, each as its first code and the number of free bits."""
    if not row.is_integer:
        free = row.low_zero_bits + row.fraction_bits
        yield from ((top << free, free) for top in range(1 << (width - free)))
        return
    digits = width - 1 if row.signed else width
    yield 0, 0
    yield from ((1 << bits, bits) for bits in range(digits))
    if row.signed:
        # minus one, and below it by the highest bit that is clear
        yield (1 << width) - 1, 0
        yield from (((1 << width) - (2 << bits), bits) for bits in range(digits))


def all_parts(differs: FNode, symbol: FNode, ranges: Iterable[tuple[int, int]]) -> Iterator[Part]:
    """Yield what is known of ranges of inputs; one of which too little is known is cut in two. Raises NotCounted.

    Neighbours are looked at together first: often one answer holds for all of them.
    """
    narrowed, made = Narrowed(differs), 0
    todo: list[tuple[int, int]] = []
    for low, bits, members in grouped(ranges):
        together = settled(narrowed, symbol, low, bits) if len(members) > 1 else None
        if together is not None:
            yield together
        else:
            todo += members
    todo.reverse()
    while todo:
        low, bits = todo.pop()
        made += 1
        if made > MOST_PARTS:
            raise NotCounted("too little is known of a binade")
        try:
            yield part_of(narrowed, symbol, low, bits)
        except TooWide:
            if bits == 0:
                yield Part(low, 0, bool(evaluate([differs], {symbol.symbol_name(): low})[0]))
            else:
                half = 1 << (bits - 1)
                todo += [(low + half, bits - 1), (low, bits - 1)]


def grouped(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, list[tuple[int, int]]]]:
    """Yield neighbouring ranges of one size that together are a range: its first value, its bits, and they."""
    for (top, size), group in groupby(ranges, lambda each: (each[0] >> (each[1] + TOGETHER), each[1])):
        members = list(group)
        if len(members) == 1 << TOGETHER:
            yield top << (size + TOGETHER), size + TOGETHER, members
        else:
            yield from ((low, bits, [(low, bits)]) for low, bits in members)


def settled(differs: Narrowed, symbol: FNode, low: int, bits: int) -> Part | None:
    """Return a range of inputs if all or none of them differ, as far as intervals tell."""
    try:
        part = part_of(differs, symbol, low, bits)
    except TooWide:
        return None
    return None if part.differ is None else part


def part_of(differs: Narrowed, symbol: FNode, low: int, bits: int) -> Part:
    """Return what is known of a range of inputs. Raises TooWide where a value may need more than 64 bits."""
    width = symbol_width(symbol)
    given = Value("y", low, low + (1 << bits) - 1, width, low) if bits else known(low, width)
    lines, found = differs.compiled({symbol: given})
    if found.constant:
        return Part(low, bits, bool(found.low))
    return Part(low, bits, None, (*lines, f"n += {found.core};"))


def in_c(parts: Sequence[Part], jobs: int) -> int:
    """Run the parts that have to be run, each job a share of each. Raises NotCounted."""
    if not parts:
        return 0
    compiler = next((path for name in COMPILERS if (path := shutil.which(name))), None)
    if compiler is None:
        raise NotCounted("there is no C compiler")
    with tempfile.TemporaryDirectory(prefix="halfulp-") as folder:
        program = build(compiler, Path(folder), parts)
        command = [[str(program), str(job), str(jobs)] for job in range(jobs)]
        running = [subprocess.Popen(each, stdout=subprocess.PIPE, text=True) for each in command]  # noqa: S603  # our own program
        try:
            numbers = [each.communicate(timeout=RUN_SECONDS)[0] for each in running]
        except subprocess.TimeoutExpired as error:
            raise NotCounted(f"it takes longer than {RUN_SECONDS:g} s") from error
        finally:
            for each in running:
                each.kill()
                each.wait()
    if any(each.returncode for each in running):
        raise NotCounted("the compiled program failed")
    return sum(int(number) for number in numbers)


def build(compiler: str, folder: Path, parts: Sequence[Part]) -> Path:
    """Compile the parts. Raises NotCounted."""
    source, program = folder / "count.c", folder / "count"
    source.write_text(program_text(parts), encoding="ascii")
    for flags in FLAGS:
        command = [compiler, *flags, "-w", "-o", str(program), str(source)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=COMPILE_SECONDS, check=False)  # noqa: S603  # the user's compiler
        except subprocess.TimeoutExpired as error:
            raise NotCounted(f"compiling takes longer than {COMPILE_SECONDS:g} s") from error
        if done.returncode == 0:
            return program
    raise NotCounted(f"{Path(compiler).name} does not compile it")


def program_text(parts: Sequence[Part]) -> str:
    """Return a program that counts a share of every part: the share's number and the number of shares are its arguments.

    Parts that say the same of their inputs, counted from the part's first one on, are run once.
    """
    lines = ["#include <stdint.h>", "#include <stdio.h>", "#include <stdlib.h>", "typedef uint64_t u;"]
    alike = Counter((part.lines, part.bits) for part in parts)
    for place, (body, _) in enumerate(alike):
        lines.append(
            f"static u f{place}(u a, u b) {{ u n = 0; for (u y = a; y < b; y++) {{ {' '.join(body)} }} return n; }}"
        )
    lines.append("int main(int c, char **v) { u j = atoi(v[1]), k = atoi(v[2]), n = 0;")
    for place, ((_, bits), times) in enumerate(alike.items()):
        lines.append(f"n += {times} * f{place}((j << {bits}) / k, ((j + 1) << {bits}) / k);")
    lines.append('printf("%llu\\n", (unsigned long long)n); return 0; }')
    return "\n".join(lines) + "\n"
