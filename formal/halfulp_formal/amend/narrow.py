"""A term as C on 64-bit integers: every node has the interval of its values, and what an interval decides is not computed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from pysmt import operators as op
from pysmt.fnode import FNode

from halfulp_formal.dag import postorder, widths

from .operators import meaning
from .value import WORD, TooWide, Value, decided, known, mask_of, reduced_interval

#: the names of definitions
NAME = re.compile(r"\bv\d+\b")

#: a node's place in the order, what makes its value, the places of its operands, and what one of them may decide alone
Step = tuple[int, Callable[..., Value], tuple[int, ...], int]


class Narrowed:
    """A claim that is made into C many times, for other values of its symbols each time."""

    def __init__(self, claim: FNode) -> None:
        order = postorder([claim])
        width = widths(order)
        self.place = {node: place for place, node in enumerate(order)}
        self.values: list[Value | None] = [None] * len(order)
        self.steps: list[Step] = []
        for place, node in enumerate(order):
            if node.is_constant():
                number = int(node.constant_value())
                kept = reduced(number, width[node]) if width[node] else number
                self.values[place] = known(kept, width[node])
            elif not node.is_symbol():
                operands = tuple(self.place[each] for each in node.args())
                self.steps.append((place, meaning(node, width[node]), operands, node.node_type()))

    def compiled(self, given: Mapping[FNode, Value]) -> tuple[tuple[str, ...], Value]:
        """Return the lines of C that compute the claim from its symbols' values, and what it then is. Raises TooWide.

        Only what the result needs is computed: operands of decided nodes are left out. Equal functions of equal cores
        have equal lines, whatever the known summands are.
        """
        values = list(self.values)
        for symbol, value in given.items():
            if symbol in self.place:
                values[self.place[symbol]] = value
        definitions: dict[tuple[str, str], str] = {}
        broken = False
        for place, make, operands, kind in self.steps:
            parts = [values[operand] for operand in operands]
            try:
                # a value that is missing is too wide, and matters only where it is used
                found = without_missing(kind, parts) if broken and None in parts else make(*parts)
            except TooWide:
                broken = True
            else:
                values[place] = defined(found, definitions)
        if values[-1] is None:
            raise TooWide
        return needed(values[-1], definitions)


def reduced(number: int, width: int) -> int:
    """Return a constant as a node of a width keeps it."""
    return reduced_interval(number, number, width)[0] if width > WORD else number & mask_of(width)


def without_missing(kind: int, parts: Sequence[Value | None]) -> Value:
    """Return a node's value that does not need its missing operands. Raises TooWide."""
    if kind == op.ITE and parts[0] is not None and parts[0].constant:
        chosen = parts[1 if parts[0].low else 2]
        if chosen is not None:
            return chosen
    absorbing = {op.AND: 0, op.OR: 1}.get(kind)
    if any(part is not None and part.constant and part.low == absorbing for part in parts):
        return decided(bool(absorbing))
    raise TooWide


def defined(value: Value, definitions: dict[tuple[str, str], str]) -> Value:
    """Return a value whose core is a name; one core has one name."""
    if value.low == value.high or value.core.isidentifier():
        return value
    text = ("int" if value.width == 0 else "uint64_t", value.core)
    return Value(definitions.setdefault(text, f"v{len(definitions)}"), *value[1:])


def needed(result: Value, definitions: Mapping[tuple[str, str], str]) -> tuple[tuple[str, ...], Value]:
    """Return the definitions that a result needs, in order, and the result; names are counted from v0 on."""
    meanings = {name: text for text, name in definitions.items()}
    wanted, todo = set(), [result.core]
    while todo:
        for name in NAME.findall(todo.pop()):
            if name not in wanted:
                wanted.add(name)
                todo.append(meanings[name][1])
    names = {name: f"v{place}" for place, name in enumerate(name for name in meanings if name in wanted)}

    def renamed(text: str) -> str:
        return NAME.sub(lambda found: names[found[0]], text)

    lines = tuple(f"{meanings[old][0]} {new} = {renamed(meanings[old][1])};" for old, new in names.items())
    return lines, result._replace(core=renamed(result.core))
