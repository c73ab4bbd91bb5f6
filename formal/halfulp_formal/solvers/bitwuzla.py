"""Bitwuzla as a native pySMT solver, incremental, for the quantifier-free Booleans and bit-vectors."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import bitwuzla
from bitwuzla import Kind
from pysmt import operators as op
from pysmt.environment import get_env
from pysmt.exceptions import ConvertExpressionError, PysmtValueError, SolverReturnedUnknownResultError
from pysmt.logics import QF_BOOL, QF_BV
from pysmt.solvers.eager import EagerModel
from pysmt.solvers.options import SolverOptions
from pysmt.solvers.smtlib import SmtLibBasicSolver, SmtLibIgnoreMixin
from pysmt.solvers.solver import Converter, IncrementalTrackingSolver

from halfulp_formal.dag import postorder, symbol_width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pysmt.environment import Environment
    from pysmt.fnode import FNode

    from halfulp_formal.solvers.door import Series

NAME = "bitwuzla"

_KIND: dict[int, Kind] = {
    op.AND: Kind.AND,
    op.OR: Kind.OR,
    op.NOT: Kind.NOT,
    op.IMPLIES: Kind.IMPLIES,
    op.IFF: Kind.EQUAL,
    op.EQUALS: Kind.EQUAL,
    op.ITE: Kind.ITE,
    op.BV_NOT: Kind.BV_NOT,
    op.BV_AND: Kind.BV_AND,
    op.BV_OR: Kind.BV_OR,
    op.BV_XOR: Kind.BV_XOR,
    op.BV_CONCAT: Kind.BV_CONCAT,
    op.BV_EXTRACT: Kind.BV_EXTRACT,
    op.BV_ULT: Kind.BV_ULT,
    op.BV_ULE: Kind.BV_ULE,
    op.BV_NEG: Kind.BV_NEG,
    op.BV_ADD: Kind.BV_ADD,
    op.BV_SUB: Kind.BV_SUB,
    op.BV_MUL: Kind.BV_MUL,
    op.BV_UDIV: Kind.BV_UDIV,
    op.BV_UREM: Kind.BV_UREM,
    op.BV_LSHL: Kind.BV_SHL,
    op.BV_LSHR: Kind.BV_SHR,
    op.BV_ROL: Kind.BV_ROLI,
    op.BV_ROR: Kind.BV_RORI,
    op.BV_ZEXT: Kind.BV_ZERO_EXTEND,
    op.BV_SEXT: Kind.BV_SIGN_EXTEND,
    op.BV_SLT: Kind.BV_SLT,
    op.BV_SLE: Kind.BV_SLE,
    op.BV_COMP: Kind.BV_COMP,
    op.BV_SDIV: Kind.BV_SDIV,
    op.BV_SREM: Kind.BV_SREM,
    op.BV_ASHR: Kind.BV_ASHR,
}
_INDICES: dict[int, Callable[[FNode], list[int]]] = {
    op.BV_EXTRACT: lambda node: [node.bv_extract_end(), node.bv_extract_start()],
    op.BV_ROL: lambda node: [node.bv_rotation_step()],
    op.BV_ROR: lambda node: [node.bv_rotation_step()],
    op.BV_ZEXT: lambda node: [node.bv_extend_step()],
    op.BV_SEXT: lambda node: [node.bv_extend_step()],
}


class BitwuzlaOptions(SolverOptions):  # type: ignore[misc]  # pySMT ships no types
    """Common options, and `solver_options` under Bitwuzla's own long names, such as "time-limit-per" (ms)."""

    def __init__(self, **base_options: Any) -> None:
        super().__init__(**base_options)
        if self.unsat_cores_mode is not None:
            raise PysmtValueError("option unsat_cores_mode is not supported by bitwuzla")

    def __call__(self, solver: BitwuzlaSolver) -> None:
        """Hand the options to Bitwuzla."""
        options = solver.native_options
        options.set(bitwuzla.Option.PRODUCE_MODELS, bool(self.generate_models))
        if self.random_seed is not None:
            options.set(bitwuzla.Option.SEED, self.random_seed)
        for name, value in self.solver_options.items():
            try:
                options.set(name, value)
            except bitwuzla.BitwuzlaException as error:
                raise PysmtValueError(f"bitwuzla option {name}={value}: {error}") from error


class BitwuzlaConverter(Converter):  # type: ignore[misc]  # pySMT ships no types
    """pySMT terms to Bitwuzla terms, each node once, and Bitwuzla values back."""

    def __init__(self, environment: Environment, terms: bitwuzla.TermManager) -> None:
        self.mgr = environment.formula_manager
        self.terms = terms
        self.converted: dict[FNode, bitwuzla.Term] = {}
        self._sorts: dict[int, bitwuzla.Sort] = {}

    def _sort(self, width: int) -> bitwuzla.Sort:
        if width not in self._sorts:
            self._sorts[width] = self.terms.mk_bv_sort(width) if width else self.terms.mk_bool_sort()
        return self._sorts[width]

    def convert(self, formula: FNode) -> bitwuzla.Term:
        """The Bitwuzla term of a pySMT term."""
        known = self.converted
        if formula not in known:
            for node in postorder([formula], known):
                known[node] = self._node(node)
        return known[formula]

    def _node(self, node: FNode) -> bitwuzla.Term:
        kind = node.node_type()
        if kind in _KIND:
            arguments = [self.converted[argument] for argument in node.args()]
            return self.terms.mk_term(_KIND[kind], arguments, _INDICES[kind](node) if kind in _INDICES else [])
        if kind == op.BV_CONSTANT:
            return self.terms.mk_bv_value(self._sort(node.bv_width()), int(node.constant_value()))
        if kind == op.BOOL_CONSTANT:
            return self.terms.mk_true() if node.constant_value() else self.terms.mk_false()
        if kind == op.SYMBOL:
            return self.terms.mk_const(self._sort(symbol_width(node)), node.symbol_name())
        raise ConvertExpressionError(
            message=f"bitwuzla back-end: operator {op.op_to_str(kind)} is neither Boolean nor of bit-vectors",
            expression=node,
        )

    def back(self, expr: bitwuzla.Term) -> FNode:
        """The pySMT constant of a Bitwuzla value."""
        if expr.sort().is_bool():
            return self.mgr.Bool(expr.value())
        return self.mgr.BV(int(expr.value(16), 16), expr.sort().bv_size())


class BitwuzlaSolver(
    IncrementalTrackingSolver,  # type: ignore[misc]  # pySMT ships no types
    SmtLibBasicSolver,  # type: ignore[misc]  # as above
    SmtLibIgnoreMixin,  # type: ignore[misc]  # as above
):
    """pySMT's solver interface on Bitwuzla: assertions, push and pop, assumptions, values."""

    LOGICS = (QF_BOOL, QF_BV)
    OptionsClass = BitwuzlaOptions
    pending_pop: bool  # set by the base class

    def __init__(
        self, environment: Environment, logic: Any, converter: BitwuzlaConverter | None = None, **options: Any
    ) -> None:
        super().__init__(environment=environment, logic=logic, **options)
        self.mgr = environment.formula_manager
        self.native_options = bitwuzla.Options()
        self.options(self)
        self.converter = converter or BitwuzlaConverter(environment, bitwuzla.TermManager())
        self.native = bitwuzla.Bitwuzla(self.converter.terms, self.native_options)
        self._deadline: _Deadline | None = None

    def _settle(self) -> None:
        # pySMT's is_sat leaves its formula asserted until the next call, so that values can be read.
        if self.pending_pop:
            self.pending_pop = False
            self.pop()

    def _reset_assertions(self) -> None:
        self._settle()
        self.native = bitwuzla.Bitwuzla(self.converter.terms, self.native_options)

    def declare_variable(self, var: FNode) -> None:
        """Make a symbol known, so that a model gives it a value."""
        self._settle()
        self.converter.convert(var)

    def _add_assertion(self, formula: FNode, named: str | None = None) -> FNode:  # noqa: ARG002  # pySMT's signature
        self._settle()
        self._assert_is_boolean(formula)
        self.native.assert_formula(self.converter.convert(formula))
        return formula

    def _solve(self, assumptions: Iterable[FNode] | None = None) -> bool:
        self._settle()
        result = self.native.check_sat(*(self.converter.convert(each) for each in assumptions or ()))
        if self._deadline is not None and self._deadline.interrupted is not None:
            raise self._deadline.interrupted
        if result == bitwuzla.Result.UNKNOWN:
            raise SolverReturnedUnknownResultError
        return bool(result == bitwuzla.Result.SAT)

    def _push(self, levels: int = 1) -> None:
        self._settle()
        self.native.push(levels)

    def _pop(self, levels: int = 1) -> None:
        self._settle()
        self.native.pop(levels)

    def get_value(self, formula: FNode) -> FNode:
        """The value of a term in the current model, as a pySMT constant."""
        self._assert_no_function_type(formula)
        return self.converter.back(self.native.get_value(self.converter.convert(formula)))

    def get_model(self) -> EagerModel:
        """The values of all symbols this solver has seen."""
        assignment = {node: self.get_value(node) for node in self.converter.converted if node.is_symbol()}
        return EagerModel(assignment=assignment, environment=self.environment)

    def print_model(self, name_filter: Callable[[str], bool] | None = None) -> None:
        """Print the model, one symbol a line."""
        for symbol, value in self.get_model():
            if name_filter is None or name_filter(symbol.symbol_name()):
                print(f"{symbol} = {value}")  # noqa: T201  # pySMT's interface asks for it

    def stop_after(self, seconds: float) -> None:
        """Let checks answer unknown once so many seconds from now are over."""
        self._deadline = _Deadline(seconds)
        self.native.configure_terminator(self._deadline)

    def _exit(self) -> None:
        del self.native


class _Deadline:
    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds
        self.interrupted: KeyboardInterrupt | None = None

    def __call__(self) -> bool:
        try:
            return time.monotonic() > self._at
        except KeyboardInterrupt as interrupt:
            # Bitwuzla would swallow it; the solver raises it again once the check has returned.
            self.interrupted = interrupt
            return True


def register(environment: Environment | None = None) -> None:
    """Make `Solver(name="bitwuzla")` work in a pySMT environment, by default the current one."""
    factory = (environment or get_env()).factory
    # pySMT has a door for solvers that are programs, none for native ones.
    factory._all_solvers.setdefault(NAME, BitwuzlaSolver)  # noqa: SLF001
    if NAME not in factory.solver_preference_list:
        factory.set_solver_preference_list([*factory.solver_preference_list, NAME])


def version() -> str:
    """Bitwuzla's version."""
    return str(bitwuzla.version())


def create(seconds: float, series: Series | None = None) -> BitwuzlaSolver:
    """A solver whose every check answers unknown after so many seconds.

    In a series, terms are translated once, and there is no preprocessing: it pays for one large question, not for many
    small ones.
    """
    options: dict[str, Any] = {"time-limit-per": max(1, round(seconds * 1000))}
    if series is None:
        return BitwuzlaSolver(get_env(), QF_BV, solver_options=options)
    if series.shared is None:
        series.shared = BitwuzlaConverter(get_env(), bitwuzla.TermManager())
    return BitwuzlaSolver(get_env(), QF_BV, series.shared, solver_options={**options, "preprocess": False})


def limit(solver: BitwuzlaSolver, seconds: float) -> None:
    """Shorten the limit of the checks that follow."""
    solver.stop_after(seconds)
