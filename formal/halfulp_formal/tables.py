"""Complete tables of the short formats: every code with its class and its exact number, as the model has them."""

from __future__ import annotations

from typing import NamedTuple

from halfulp_model import Decomposition, ValueClass, classify, decompose
from halfulp_model.api_formats import find_format
from halfulp_model.loader import default_rules

#: a wider code has too many neighbours for a table
WIDEST = 8


class TableRow(NamedTuple):
    """One code: its bits, its class, and its exact number where it has one."""

    code: int
    value_class: ValueClass
    decomposition: Decomposition


def table_formats() -> list[str]:
    """Return the names of the formats that have a table, integers left out."""
    rows = default_rules().formats.values()
    return [row.name for row in rows if row.code_bits <= WIDEST and not row.is_integer]


def format_table(fmt: str | int) -> list[TableRow]:
    """Return every code of a format in ascending order, codes that break a constrained-zero rule included.

    fmt: a format's name or DataType code; of a packed format, the codes of one lane. Raises ValueError for a format whose
    codes have more than eight bits, and Rejected for an unknown format.
    """
    row = find_format(fmt)
    if row.code_bits > WIDEST:
        raise ValueError(f"{row.name} codes have {row.code_bits} bits; expected at most {WIDEST}")
    return [TableRow(code, classify(row.name, code), decompose(row.name, code)) for code in range(1 << row.code_bits)]
