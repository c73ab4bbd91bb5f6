"""Queries as text: SMT-LIB 2 export, and a digest that names a query whatever process built it."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from pysmt import operators as op
from pysmt.environment import get_env

from halfulp_formal.dag import UnsupportedTerm, postorder, symbol_width, symbols, widths
from halfulp_formal.obligation import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pysmt.fnode import FNode

    from halfulp_formal.obligation import Obligation

_SMTLIB_NAME: dict[int, str] = {
    op.AND: "and",
    op.OR: "or",
    op.NOT: "not",
    op.IMPLIES: "=>",
    op.IFF: "=",
    op.EQUALS: "=",
    op.ITE: "ite",
    op.BV_NOT: "bvnot",
    op.BV_AND: "bvand",
    op.BV_OR: "bvor",
    op.BV_XOR: "bvxor",
    op.BV_NEG: "bvneg",
    op.BV_ADD: "bvadd",
    op.BV_SUB: "bvsub",
    op.BV_MUL: "bvmul",
    op.BV_UDIV: "bvudiv",
    op.BV_UREM: "bvurem",
    op.BV_SDIV: "bvsdiv",
    op.BV_SREM: "bvsrem",
    op.BV_LSHL: "bvshl",
    op.BV_LSHR: "bvlshr",
    op.BV_ASHR: "bvashr",
    op.BV_ROL: "(_ rotate_left {})",
    op.BV_ROR: "(_ rotate_right {})",
    op.BV_ULT: "bvult",
    op.BV_ULE: "bvule",
    op.BV_SLT: "bvslt",
    op.BV_SLE: "bvsle",
    op.BV_COMP: "bvcomp",
    op.BV_CONCAT: "concat",
    op.BV_EXTRACT: "(_ extract {1} {0})",
    op.BV_ZEXT: "(_ zero_extend {})",
    op.BV_SEXT: "(_ sign_extend {})",
}
# pySMT's simplifier orders the operands of these by node number, which differs between processes.
_UNORDERED = frozenset({op.AND, op.OR})
_INDEXED = frozenset({op.BV_ROL, op.BV_ROR, op.BV_EXTRACT, op.BV_ZEXT, op.BV_SEXT})
_DEEPEST_NESTING = 12
_STATUS = {Verdict.PROVED: "unsat", Verdict.REFUTED: "sat"}


def _unsupported(kind: int) -> UnsupportedTerm:
    return UnsupportedTerm(f"operator {op.op_to_str(kind)} is neither of the Booleans nor of the bit-vectors")


def _digest(order: Iterable[FNode], found: dict[FNode, bytes]) -> None:
    """Add the digest of every node of a post-order to those of the nodes before it."""
    for node in order:
        kind = node.node_type()
        arguments = [found[argument] for argument in node.args()]
        if kind in _UNORDERED:
            arguments.sort()
        own = b"".join(arguments)
        if kind == op.SYMBOL:
            own = f"{symbol_width(node)} {node.symbol_name()}".encode()
        elif node.is_constant() or kind in _INDEXED:
            own += str(_numbers(node)).encode()
        elif kind not in _SMTLIB_NAME:
            raise _unsupported(kind)
        found[node] = sha256(b"%d " % kind + own).digest()


def _numbers(node: FNode) -> tuple[int, ...]:
    if node.is_bool_constant():
        return (int(node.constant_value()),)
    if node.is_bv_constant():
        return int(node.constant_value()), node.bv_width()
    kind = node.node_type()
    if kind == op.BV_EXTRACT:
        return node.bv_extract_start(), node.bv_extract_end()
    if kind in (op.BV_ROL, op.BV_ROR):
        return (node.bv_rotation_step(),)
    if kind in (op.BV_ZEXT, op.BV_SEXT):
        return (node.bv_extend_step(),)
    raise _unsupported(kind)


def query_hash(*formulas: FNode, known: dict[FNode, bytes] | None = None) -> str:
    """The sha256, in hex, of the formulas' structure, in that order; the same in every process.

    Symbols count by name and type; the operands of `and` and `or` count without their order. `known` are the digests of
    nodes of earlier queries, which need no second walk; those of this one are added.
    """
    found = {} if known is None else known
    _digest(postorder(formulas, found), found)
    return sha256(b"".join(found[formula] for formula in formulas)).hexdigest()


def obligation_hash(obligation: Obligation) -> str:
    """The digest under which a verdict is known: that of the assumption and the claim, each in its role."""
    return query_hash(obligation.assumption, obligation.claim)


def _quoted(name: str) -> str:
    plain = all(char.isascii() and (char.isalnum() or char in "~!$%^&*_-+=<>.?/") for char in name)
    if plain and name[0] not in "0123456789.@":
        return name
    if "|" in name or "\\" in name:
        raise ValueError(f"symbol {name} cannot be written in SMT-LIB: it holds | or \\")
    return f"|{name}|"


def _sort(width: int) -> str:
    return f"(_ BitVec {width})" if width else "Bool"


def _constant(node: FNode, width: int) -> str:
    value = int(node.constant_value())
    if not width:
        return "true" if value else "false"
    return f"#x{value:0{width // 4}x}" if width % 4 == 0 else f"#b{value:0{width}b}"


def _application(node: FNode, arguments: Sequence[str]) -> str:
    kind = node.node_type()
    if kind not in _SMTLIB_NAME:
        raise _unsupported(kind)
    name = _SMTLIB_NAME[kind]
    if kind in _INDEXED:
        name = name.format(*_numbers(node))
    return f"({name} {' '.join(arguments)})"


def _unused_prefix(names: Iterable[str]) -> str:
    prefix = "t"
    while any(name.startswith(prefix) for name in names):
        prefix += "t"
    return prefix


def _definitions(roots: Sequence[FNode]) -> tuple[list[str], Mapping[FNode, str]]:
    """Declarations and definitions, and the text of every node; what is shared or deep has a name."""
    order = postorder(roots)
    width = widths(order)
    prefix = _unused_prefix(node.symbol_name() for node in order if node.is_symbol())
    uses = Counter(argument for node in order for argument in node.args())
    depth: dict[FNode, int] = {}
    text: dict[FNode, str] = {}
    lines: list[str] = []
    for node in order:
        depth[node] = 1 + max((depth[argument] for argument in node.args()), default=-1)
        if node.is_symbol():
            text[node] = _quoted(node.symbol_name())
        elif node.is_constant():
            text[node] = _constant(node, width[node])
        else:
            text[node] = _application(node, [text[argument] for argument in node.args()])
            if uses[node] > 1 or depth[node] >= _DEEPEST_NESTING:
                name = f"{prefix}{len(lines)}"
                lines.append(f"(define-fun {name} () {_sort(width[node])} {text[node]})")
                text[node], depth[node] = name, 0
    return lines, text


def export(
    formulas: Sequence[FNode],
    *,
    inputs: Sequence[FNode] = (),
    status: str = "unknown",
    comments: Sequence[str] = (),
) -> str:
    """A QF_BV script that asserts each formula and asks for satisfiability.

    `inputs` are declared first and in that order, whether they occur or not. `status` is the expected answer.
    """
    definitions, text = _definitions(formulas)
    declared = dict.fromkeys([*inputs, *symbols(formulas)])
    lines = [f"; {line}".rstrip() for comment in comments for line in comment.splitlines()]
    lines += ["(set-logic QF_BV)", f"(set-info :status {status})"]
    lines += [f"(declare-fun {_quoted(s.symbol_name())} () {_sort(symbol_width(s))})" for s in declared]
    lines += definitions
    lines += [f"(assert {text[formula]})" for formula in formulas]
    lines += ["(check-sat)", "(exit)"]
    return "\n".join(lines) + "\n"


def export_obligation(obligation: Obligation) -> str:
    """The refutation query of an obligation, with its name, its sentence and the answer it should get."""
    refuted = get_env().formula_manager.Not(obligation.claim)
    return export(
        [obligation.assumption, refuted],
        inputs=obligation.inputs,
        status=_STATUS.get(obligation.expect, "unknown"),
        comments=[obligation.name, obligation.sentence, f"source: {obligation.source}"],
    )
