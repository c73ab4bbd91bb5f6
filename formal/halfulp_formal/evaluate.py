"""Values of Boolean and bit-vector terms at concrete points, by straight-line Python over unsigned ints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysmt import operators as op

from halfulp_formal.dag import UnsupportedTerm, postorder, widths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pysmt.fnode import FNode

# The meaning of each operator, once, as Python text. a, b, c: operands; w, m: width and all-ones of the
# result; s: sign bit of the first operand; i: the operator's own number (low bit, rotation, right part's width).
_MEANING: dict[int, str] = {
    op.NOT: "not {a}",
    op.IMPLIES: "not {a} or {b}",
    op.IFF: "{a} == {b}",
    op.EQUALS: "{a} == {b}",
    op.ITE: "{b} if {a} else {c}",
    op.BV_NOT: "{a} ^ {m}",
    op.BV_AND: "{a} & {b}",
    op.BV_OR: "{a} | {b}",
    op.BV_XOR: "{a} ^ {b}",
    op.BV_NEG: "-{a} & {m}",
    op.BV_ADD: "({a} + {b}) & {m}",
    op.BV_SUB: "({a} - {b}) & {m}",
    op.BV_MUL: "({a} * {b}) & {m}",
    # SMT-LIB: a quotient by zero is all ones, a remainder by zero is the dividend.
    op.BV_UDIV: "{a} // {b} if {b} else {m}",
    op.BV_UREM: "{a} % {b} if {b} else {a}",
    op.BV_SDIV: "signed_quotient({a}, {b}, {w})",
    op.BV_SREM: "signed_remainder({a}, {b}, {w})",
    op.BV_LSHL: "({a} << {b}) & {m} if {b} < {w} else 0",
    op.BV_LSHR: "{a} >> {b}",
    op.BV_ASHR: "((({a} ^ {s}) - {s}) >> {b}) & {m}",
    op.BV_ROL: "(({a} << {i}) | ({a} >> ({w} - {i}))) & {m}",
    op.BV_ROR: "(({a} >> {i}) | ({a} << ({w} - {i}))) & {m}",
    op.BV_ULT: "{a} < {b}",
    op.BV_ULE: "{a} <= {b}",
    op.BV_SLT: "({a} ^ {s}) < ({b} ^ {s})",
    op.BV_SLE: "({a} ^ {s}) <= ({b} ^ {s})",
    op.BV_COMP: "1 if {a} == {b} else 0",
    op.BV_CONCAT: "({a} << {i}) | {b}",
    op.BV_EXTRACT: "({a} >> {i}) & {m}",
    op.BV_ZEXT: "{a}",
    op.BV_SEXT: "(({a} ^ {s}) - {s}) & {m}",
}
_CONNECTIVES = {op.AND: " and ", op.OR: " or "}


def _signed(value: int, width: int) -> int:
    return value - (value >> (width - 1) << width)


def _signed_quotient(a: int, b: int, width: int) -> int:
    """Bvsdiv: towards zero; by zero it is 1 for a negative dividend and -1 otherwise."""
    if b == 0:
        return 1 if a >> (width - 1) else (1 << width) - 1
    x, y = _signed(a, width), _signed(b, width)
    magnitude = abs(x) // abs(y)
    return (magnitude if (x < 0) == (y < 0) else -magnitude) & ((1 << width) - 1)


def _signed_remainder(a: int, b: int, width: int) -> int:
    """Bvsrem: the sign of the dividend; by zero it is the dividend."""
    if b == 0:
        return a
    x, y = _signed(a, width), _signed(b, width)
    magnitude = abs(x) % abs(y)
    return (-magnitude if x < 0 else magnitude) & ((1 << width) - 1)


_HELPERS = {"signed_quotient": _signed_quotient, "signed_remainder": _signed_remainder}


def _unsupported(kind: int) -> UnsupportedTerm:
    return UnsupportedTerm(f"operator {op.op_to_str(kind)} is neither of the Booleans nor of the bit-vectors")


def _parameters(node: FNode, width: Mapping[FNode, int]) -> dict[str, int]:
    """The numbers that `_MEANING` needs beside the operands."""
    kind = node.node_type()
    own, first = width[node], width[node.arg(0)]
    number = 0
    if kind == op.BV_EXTRACT:
        number = node.bv_extract_start()
    elif kind == op.BV_CONCAT:
        number = width[node.arg(1)]
    elif kind in (op.BV_ROL, op.BV_ROR):
        number = node.bv_rotation_step() % own
    return {"w": own, "m": (1 << own) - 1, "s": 1 << first >> 1, "i": number}


def _expression(node: FNode, width: Mapping[FNode, int], names: Mapping[FNode, str]) -> str:
    kind = node.node_type()
    arguments = [names[argument] for argument in node.args()]
    if kind in _CONNECTIVES:
        return _CONNECTIVES[kind].join(arguments)
    if kind not in _MEANING:
        raise _unsupported(kind)
    numbers = _parameters(node, width)
    if kind == op.BV_EXTRACT and numbers["i"] == 0:
        return f"{arguments[0]} & {numbers['m']:#x}"
    if kind == op.BV_EXTRACT and numbers["i"] + width[node] == width[node.arg(0)]:
        return f"{arguments[0]} >> {numbers['i']}"
    operands = dict(zip("abc", arguments, strict=False))
    return _MEANING[kind].format(**operands, w=numbers["w"], i=numbers["i"], m=hex(numbers["m"]), s=hex(numbers["s"]))


def _literal(node: FNode) -> str:
    return str(bool(node.constant_value())) if node.is_bool_constant() else hex(int(node.constant_value()))


def compile_term(terms: Sequence[FNode], inputs: Sequence[FNode]) -> Callable[..., tuple[int | bool, ...]]:
    """A function of the inputs' values, in that order, giving the values of the terms.

    Bit-vectors are unsigned integers below 2**width, which the caller vouches for; Booleans are bool.
    Compiling costs some 30 microseconds a node, a call 0.1; for one point `evaluate` is the better choice.
    ValueError: a term has a free symbol that is not an input.
    """
    names = {symbol: f"x{index}" for index, symbol in enumerate(inputs)}
    order = postorder(terms)
    width = widths(order)
    parameters = ", ".join(names.values())
    lines = [f"def compiled({parameters}):"]
    for node in order:
        if node.is_symbol():
            if node not in names:
                raise ValueError(f"free symbol {node.symbol_name()} is not among the inputs")
        elif node.is_constant():
            names[node] = _literal(node)
        elif node.node_type() == op.BV_ZEXT:
            names[node] = names[node.arg(0)]
        else:
            text = _expression(node, width, names)
            names[node] = f"v{len(lines)}"
            lines.append(f" {names[node]} = {text}")
    lines.append(f" return ({''.join(names[term] + ', ' for term in terms)})")
    scope: dict[str, Callable[..., tuple[int | bool, ...]]] = {}
    # The text is made of operator templates, numbers and generated names only.
    exec(compile("\n".join(lines), "<compiled term>", "exec"), dict(_HELPERS), scope)  # noqa: S102
    return scope["compiled"]


def _interpreter(text: str) -> Callable[..., int | bool]:
    body = text.format(**{letter: letter for letter in "abcwmsi"})
    # The text is an operator template of this file.
    function: Callable[..., int | bool] = eval(  # noqa: S307
        f"lambda w, m, s, i, a, b=0, c=0: {body}", dict(_HELPERS)
    )
    return function


_INTERPRETER = {kind: _interpreter(text) for kind, text in _MEANING.items()}


def evaluate(terms: Sequence[FNode], assignment: Mapping[str, int | bool]) -> tuple[int | bool, ...]:
    """The values of the terms at one point, given by symbol name; costs some 10 microseconds a node.

    ValueError: a free symbol has no value or one that does not fit its type.
    """
    order = postorder(terms)
    width = widths(order)
    values: dict[FNode, int | bool] = {}
    for node in order:
        kind = node.node_type()
        if kind == op.SYMBOL:
            values[node] = _given(node, width[node], assignment)
        elif node.is_constant():
            values[node] = node.constant_value() if width[node] == 0 else int(node.constant_value())
        elif kind in _CONNECTIVES:
            operands = [values[argument] for argument in node.args()]
            values[node] = all(operands) if kind == op.AND else any(operands)
        elif kind in _INTERPRETER:
            operands = [values[argument] for argument in node.args()]
            values[node] = _INTERPRETER[kind](**_parameters(node, width), **dict(zip("abc", operands, strict=False)))
        else:
            raise _unsupported(kind)
    return tuple(values[term] for term in terms)


def _given(symbol: FNode, width: int, assignment: Mapping[str, int | bool]) -> int | bool:
    name = symbol.symbol_name()
    if name not in assignment:
        raise ValueError(f"no value given for the free symbol {name}")
    value = assignment[name]
    if not 0 <= value < (1 << width if width else 2):
        raise ValueError(f"value {value} of {name} does not fit {width or 1} bits")
    return value if width else bool(value)
