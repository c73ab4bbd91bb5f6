"""The lifter: runs a model function's syntax tree on symbolic values, merging the branches it cannot decide."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any

from pysmt.fnode import FNode
from pysmt.shortcuts import TRUE

from halfulp_formal.nearest import nearest

from . import expressions, operators
from .merge import merge
from .narrowing import narrowed
from .source import Source, function_source
from .values import LiftError, conjoin, disjoin, is_symbolic, negate, truth_term


@dataclass(frozen=True, slots=True)
class SideCondition:
    """What a function must never break: `term` is to hold for every input; `what` and `place` say what it guards."""

    term: FNode
    what: str
    place: str


@dataclass(frozen=True, slots=True)
class LiftedCall:
    """A lifted call: the function, its arguments and its result, symbolic parts included, and its side conditions."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    result: Any
    side_conditions: tuple[SideCondition, ...] = ()


@dataclass
class Frame:
    """One activation of a function: its names, and the returns so far with the condition of each."""

    source: Source
    names: Mapping[str, Any]
    env: dict[str, Any]
    returns: list[tuple[FNode, Any]] = field(default_factory=list)

    def with_env(self, env: dict[str, Any]) -> Frame:
        """Return the same activation with other local values."""
        return Frame(self.source, self.names, env, self.returns)


class Lifter:
    """Lifts calls of functions in one package; collects their side conditions and the calls themselves.

    package: the functions of this package are followed; any other function needs concrete arguments.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self.side_conditions: list[SideCondition] = []
        self.calls: list[LiftedCall] = []
        self.context: list[FNode] = []
        self.remembered: dict[tuple[Any, ...], tuple[Any, ...]] | None = None

    @contextmanager
    def remembering(self) -> Iterator[None]:
        """Lift a call of the very same arguments on the same path once, for as long as this lasts."""
        self.remembered = {}
        try:
            yield
        finally:
            self.remembered = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Lift a call from outside and remember it, so that it can be replayed on the function itself."""
        before = len(self.side_conditions)
        try:
            result = self.follow(function, arguments, {})
        except RecursionError as error:
            message = f"{function.__name__}: the calls nest too deep; a recursion must end on concrete values"
            raise LiftError(message) from error
        self.calls.append(LiftedCall(function, arguments, result, tuple(self.side_conditions[before:])))
        return result

    def total(self) -> FNode:
        """Return the conjunction of all side conditions."""
        return conjoin(*(condition.term for condition in self.side_conditions))

    def require(self, condition: FNode, what: str, place: str) -> None:
        """Add a side condition under the current path."""
        term = disjoin(negate(conjoin(*self.context)), condition)
        if not term.is_true():
            self.side_conditions.append(SideCondition(term, what, place))

    def under(self, condition: FNode, action: Callable[[], Any]) -> Any:
        """Run an action with one more condition on the path."""
        self.context.append(condition)
        try:
            return action()
        finally:
            self.context.pop()

    def follow(self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """Call a function of the package: as Python where everything is concrete, else through its source."""
        if not is_symbolic(arguments) and not is_symbolic(tuple(keywords.values())):
            return function(*arguments, **keywords)
        if not isinstance(function, FunctionType) or not self.owns(function):
            raise LiftError(f"{getattr(function, '__name__', function)!s} cannot be called with a symbolic argument")
        if self.remembered is None or keywords:
            return self.through_source(function, arguments, keywords)
        key = function, tuple(map(id, arguments)), tuple(map(id, self.context))
        if key not in self.remembered:
            # the arguments are kept with it, so that no other object gets the identity of one
            self.remembered[key] = self.through_source(function, arguments, keywords), arguments
        return self.remembered[key][0]

    def through_source(self, function: FunctionType, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> Any:
        """Run the statements of a function."""
        source = function_source(function)
        frame = Frame(source, function.__globals__, bind(source, arguments, keywords))
        path = self.block(source.definition.body, frame, TRUE())
        if path is not None:
            if all(value is None for _, value in frame.returns):
                return None
            self.require(
                negate(path),
                "the end of the function is reached without a return",
                source.at(source.definition),
            )
        return merge_returns(frame, source)

    def owns(self, function: FunctionType) -> bool:
        """Tell whether a function belongs to the package that is lifted."""
        return function.__module__.partition(".")[0] == self.package

    def block(self, statements: list[ast.stmt], frame: Frame, path: FNode) -> FNode | None:
        """Run statements; return the condition under which their end is reached, None if it never is."""
        for statement in statements:
            self.context.append(path)
            try:
                reached = self.statement(statement, frame, path)
            finally:
                self.context.pop()
            if reached is None:
                return None
            path = reached
        return path

    def statement(self, node: ast.stmt, frame: Frame, path: FNode) -> FNode | None:
        """Run one statement; errors get its place unless they have one."""
        try:
            return self.run(node, frame, path)
        except LiftError as error:
            raise located(error, frame.source.at(node)) from error

    def run(self, node: ast.stmt, frame: Frame, path: FNode) -> FNode | None:
        """Run one statement."""
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Assign(targets=targets, value=value):
                bound = self.evaluate(value, frame)
                for target in targets:
                    self.assign(target, bound, frame, node)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self.assign(target, self.evaluate(value, frame), frame, node)
            case ast.AugAssign(target=ast.Name(id=name), op=operator, value=value):
                frame.env[name] = operators.binary(
                    self,
                    operator,
                    self.lookup(name, frame, node),
                    self.evaluate(value, frame),
                    frame.source.at(node),
                )
            case ast.Return(value=value):
                frame.returns.append((path, None if value is None else self.evaluate(value, frame)))
                return None
            case ast.If():
                return self.branch(node, frame, path)
            case ast.For(target=target, iter=iterable, body=body, orelse=[]):
                return self.loop(target, iterable, body, frame, path, node)
            case ast.Assert(test=test):
                return self.assertion(test, frame, path, node)
            case ast.Raise():
                self.require(negate(TRUE()), "an exception is raised", frame.source.at(node))
                return None
            case ast.Pass():
                pass
            case _:
                raise LiftError(f"{type(node).__name__} is outside the liftable subset")
        return path

    def branch(self, node: ast.If, frame: Frame, path: FNode) -> FNode | None:
        """Run an if: one side where the test is decided, else both, and merge what they leave."""
        test = expressions.truth(self, node.test, frame)
        if isinstance(test, bool):
            return self.block(node.body if test else node.orelse, frame, path)
        condition = truth_term(test)
        sides: list[tuple[FNode, dict[str, Any]]] = []
        for side, holds, body in ((condition, True, node.body), (negate(condition), False, node.orelse)):
            inner = frame.with_env(narrowed(self, node.test, frame, holds))
            reached = self.block(body, inner, conjoin(path, side))
            if reached is not None:
                sides.append((reached, inner.env))
        if not sides:
            return None
        if len(sides) == 1:
            frame.env.update(sides[0][1])
            return sides[0][0]
        (path1, env1), (path2, env2) = sides
        for name in env1.keys() & env2.keys():
            frame.env[name] = merge(condition, env1[name], env2[name])
        for name in env1.keys() ^ env2.keys():
            frame.env.pop(name, None)
        # both sides whole: what was reached before the if is reached after it
        if path1 is conjoin(path, condition) and path2 is conjoin(path, negate(condition)):
            return path
        return disjoin(path1, path2)

    def loop(
        self,
        target: ast.expr,
        iterable: ast.expr,
        body: list[ast.stmt],
        frame: Frame,
        path: FNode,
        node: ast.stmt,
    ) -> FNode | None:
        """Unroll a loop over a tuple or a concrete range."""
        reached: FNode | None = path
        for item in expressions.iterate(self.evaluate(iterable, frame), frame.source.at(node)):
            self.assign(target, item, frame, node)
            assert reached is not None
            reached = self.block(body, frame, reached)
            if reached is None:
                return None
        return reached

    def assertion(self, test: ast.expr, frame: Frame, path: FNode, node: ast.stmt) -> FNode | None:
        """Turn an assert into a side condition, and use what it says from here on."""
        value = expressions.truth(self, test, frame)
        self.require(truth_term(value), f"assert {ast.unparse(test)}", frame.source.at(node))
        if value is False:
            return None
        frame.env.update(narrowed(self, test, frame, True))
        return path

    def assign(self, target: ast.expr, value: Any, frame: Frame, node: ast.AST) -> None:
        """Bind a name or a tuple of names."""
        if isinstance(target, ast.Name):
            frame.env[target.id] = value
        elif isinstance(target, ast.Tuple):
            items = expressions.iterate(value, frame.source.at(node))
            if len(items) != len(target.elts):
                raise LiftError(f"{frame.source.at(node)}: {len(items)} values for {len(target.elts)} names")
            for element, item in zip(target.elts, items, strict=True):
                self.assign(element, item, frame, node)
        else:
            raise LiftError(
                f"{frame.source.at(node)}: assigning to {type(target).__name__} is outside the liftable subset"
            )

    def lookup(self, name: str, frame: Frame, node: ast.AST) -> Any:
        """Return the value of a name: local, global or built-in."""
        if name in frame.env:
            return frame.env[name]
        place = frame.source.at(node)
        if name in frame.source.local_names:
            raise LiftError(f"{place}: {name} is not set on every path")
        if name in frame.names:
            return frame.names[name]
        if name in expressions.BUILTINS:
            return expressions.BUILTINS[name]
        if hasattr(builtins, name):
            raise LiftError(f"{place}: {name} is outside the liftable subset")
        near = nearest(name, list(frame.env))
        raise LiftError(f"{place}: {name} is not known here" + (f"; did you mean {near!r}?" if near else ""))

    def evaluate(self, node: ast.expr, frame: Frame) -> Any:
        """Evaluate an expression; errors get the place of the innermost one, and so does what Python itself refuses."""
        try:
            return expressions.evaluate(self, node, frame)
        except LiftError as error:
            raise located(error, frame.source.at(node)) from error
        except RecursionError:
            raise
        except Exception as error:
            raise LiftError(f"{frame.source.at(node)}: {type(error).__name__}: {error}") from error


def located(error: LiftError, place: str) -> LiftError:
    """Return an error with its place in front, which is given once."""
    return error if ".py:" in str(error) else LiftError(f"{place}: {error}")


def bind(source: Source, arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Bind a call's arguments to a function's parameters."""
    spec = source.definition.args
    if spec.vararg or spec.kwarg:
        raise LiftError(f"{source.at(source.definition)}: *args and **kwargs are outside the liftable subset")
    try:
        bound = source.signature.bind(*arguments, **keywords)
    except TypeError as error:
        raise LiftError(f"{source.at(source.definition)}: the call does not fit the parameters: {error}") from error
    bound.apply_defaults()
    return dict(bound.arguments)


def merge_returns(frame: Frame, source: Source) -> Any:
    """Merge the returned values; their conditions exclude one another, so the last one needs none."""
    if not frame.returns:
        raise LiftError(f"{source.at(source.definition)}: the function never returns")
    *earlier, (_, value) = frame.returns
    for condition, returned in reversed(earlier):
        value = merge(condition, returned, value)
    return value
