"""The other formats: each keeps every input and output bit of every case, in the file's order."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from halfulp_formal.vectors.family import Description, Field
from halfulp_formal.vectors.suite import Suite, VectorCase
from halfulp_formal.wording import noun_for

FLAG_BITS = 5

#: blocks of a v64, and members of a block
PLANE_BLOCKS = 8


def flag_byte(flags: int) -> int:
    """Return TestFloat's flag byte: it counts inexact first and invalid last, the other way round from NV … NX."""
    return sum(1 << (FLAG_BITS - 1 - bit) for bit in range(FLAG_BITS) if flags >> bit & 1)


def hex_fields(description: Description, case: VectorCase) -> list[str]:
    """Return all inputs and outputs of a case as fixed-width hex."""
    values = (*case.inputs, *case.outputs)
    return [field.text(value) for field, value in zip(all_fields(description), values, strict=True)]


def all_fields(description: Description) -> tuple[Field, ...]:
    """Return inputs, then outputs."""
    return (*description.inputs, *description.outputs)


def testfloat(suite: Suite) -> str:
    """Operands, results, and TestFloat's flag byte in two digits: one case a line, single spaces, no header."""
    lines = []
    for case in suite.cases:
        fields = hex_fields(suite.description, case)
        if suite.description.outputs[-1].type == "flags":
            fields[-1] = f"{flag_byte(case.outputs[-1]):02x}"
        lines.append(" ".join(fields) + "\n")
    return "".join(lines)


def readmemh(suite: Suite) -> str:
    """One memory word a case for $readmemh: inputs, then outputs, whole hex digits a field, joined by underscores.

    Raises ValueError for a word of nothing but ones, which common benches take for the end of the file.
    """
    description = suite.description
    fields = all_fields(description)
    layout = ", ".join(f"{field.name} {4 * field.digits}" for field in fields)
    width = sum(4 * field.digits for field in fields)
    lines = [
        f"// {description.conversion}: {len(suite.cases)} {noun_for(len(suite.cases), 'word')} of {width} bits\n",
        f"// bits from the left: {layout}\n",
        f"// {suite.recipe} --format readmemh\n",
    ]
    for case in suite.cases:
        word = "_".join(hex_fields(description, case))
        if set(word) <= {"f", "_"}:
            raise ValueError(f"{description.conversion}: case {case.tc} is a word of nothing but ones")
        lines.append(f"{word} // {case.tc} {case.corner}\n")
    return "".join(lines)


def comma_separated(suite: Suite) -> str:
    """A row of names, then a row a case: tc, class, inputs and outputs in hex, why."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [field.name for field in all_fields(suite.description)]
    writer.writerow(["tc", "class", *names, "why"])
    for case in suite.cases:
        writer.writerow([case.tc, case.corner, *hex_fields(suite.description, case), case.why])
    return text.getvalue()


def c_header(suite: Suite) -> str:
    """A struct type and a table of constant cases."""
    description = suite.description
    name = description.conversion.replace(".", "_")
    members = "".join(f"    {c_type(field)} {field.name};\n" for field in all_fields(description))
    rows = "".join(c_row(description, case) for case in suite.cases)
    return (
        f"/* {suite.recipe} --format c */\n"
        f"#ifndef HALFULP_{name.upper()}_H\n"
        f"#define HALFULP_{name.upper()}_H\n\n"
        "#include <stdint.h>\n\n"
        f"#define {name.upper()}_COUNT {len(suite.cases)}\n\n"
        f"struct {name}_case {{\n{members}    const char *corner;\n}};\n\n"
        f"static const struct {name}_case {name}_cases[{name.upper()}_COUNT] = {{\n{rows}}};\n\n"
        "#endif\n"
    )


def c_type(field: Field) -> str:
    """Return the narrowest unsigned type that holds a field."""
    return f"uint{next(width for width in (8, 16, 32, 64) if field.bits <= width)}_t"


def c_row(description: Description, case: VectorCase) -> str:
    """Return one row of the table."""
    values = ", ".join(f"0x{text}" for text in hex_fields(description, case))
    return f'    {{{values}, "{case.corner}"}},\n'


def has_planes(description: Description) -> bool:
    """Tell whether a conversion's cases are blocks of a v64: eight FP32 members, an exponent, eight mantissas."""
    types = [field.type for field in all_fields(description)]
    return types == [*["FP32"] * PLANE_BLOCKS, "exponent", *["mantissa"] * PLANE_BLOCKS]


def v64_planes(suite: Suite) -> str:
    """Eight cases a line: their 64 members in one word, then the 72 bytes of their v64 as they lie in memory.

    The last line is filled up with zero blocks. Raises ValueError for a suite without planes.
    """
    if not has_planes(suite.description):
        raise ValueError(f"{suite.description.conversion} has no v64 planes; expected blocks of eight FP32 members")
    zero = VectorCase(0, "", (0,) * PLANE_BLOCKS, (0,) * (PLANE_BLOCKS + 1), "")
    lines = []
    for first in range(0, len(suite.cases), PLANE_BLOCKS):
        cases = [*suite.cases[first : first + PLANE_BLOCKS], *[zero] * PLANE_BLOCKS][:PLANE_BLOCKS]
        members = "".join(f"{word:08x}" for case in cases for word in case.inputs)
        mantissas = "".join(f"{mantissa:02x}" for case in cases for mantissa in case.outputs[1:])
        exponents = "".join(f"{case.outputs[0]:02x}" for case in cases)
        lines.append(f"{members} {mantissas}{exponents}\n")
    return "".join(lines)


WRITERS: dict[str, Callable[[Suite], str]] = {
    "testfloat": testfloat,
    "readmemh": readmemh,
    "csv": comma_separated,
    "c": c_header,
    "v64": v64_planes,
}
