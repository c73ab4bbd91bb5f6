"""Random functions of the liftable subset: the terms are worth what Python says, at the width they state."""

import linecache
from functools import cache
from itertools import product
from textwrap import indent

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from formal.lift.exhaust import i
from halfulp_formal.evaluate import compile_term
from halfulp_formal.lift.interpreter import Lifter
from halfulp_formal.lift.merge import concretize, leaves
from halfulp_formal.lift.values import LiftError, bounds

NAMES = ("a", "b", "c")
MOST_POINTS = 100
MAY_RAISE = (ValueError, ZeroDivisionError, AssertionError)

small = st.integers(-9, 9)
interval = st.tuples(small, st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
name = st.sampled_from(NAMES)
leaf = st.one_of(name, small.map(lambda number: f"({number})"))
up_to = [st.integers(0, most) for most in range(8)]
compared = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])

#: expressions that the subset takes whatever their operands' signs
SHAPES = (
    "({one} + {two})",
    "({one} - {two})",
    "({one} * {two})",
    "({one} & {two})",
    "({one} | {two})",
    "({one} ^ {two})",
    "({one} >> {two})",
    "({one} << ({two} % 8))",
    "({one} << min({two}, 6))",
    "({one} // {power})",
    "({one} % {power})",
    "({one} // (1 << ({two} % 8)))",
    "({one} % (1 << ({two} % 8)))",
    "(abs({one}) // abs({two}))",
    "(abs({one}) % (1 + abs({two})))",
    "min({one}, {two})",
    "max({one}, {two}, a)",
    "(-{one})",
    "(~{one})",
    "abs({one})",
    "(0 + {one}).bit_length()",
    "({one} if {test} else {two})",
    "(({test}) + {one} * {two})",
)
shape_of_expression = st.sampled_from(SHAPES)


# One strategy a depth, made once: making strategies is what costs time.


@cache
def expressions(depth):
    """Texts of integer expressions."""

    @st.composite
    def expression(draw):
        if depth == 0 or draw(up_to[5]) == 0:
            return draw(leaf)
        shape = draw(shape_of_expression)
        return shape.format(
            one=draw(expressions(depth - 1)),
            two=draw(expressions(depth - 1)) if "{two}" in shape else "",
            test=draw(conditions(depth - 1)) if "{test}" in shape else "",
            power=1 << draw(up_to[4]) if "{power}" in shape else 1,
        )

    return expression()


@cache
def conditions(depth):
    """Texts of truth values."""

    @st.composite
    def condition(draw):
        one = expressions(max(depth - 1, 0))
        match draw(up_to[6]) if depth > 0 else 0:
            case 0 | 1:
                return f"{draw(name)} {draw(compared)} {draw(one)}"
            case 2:
                return f"{draw(one)} {draw(compared)} {draw(name)} {draw(compared)} {draw(one)}"
            case 3:
                return f"not ({draw(conditions(depth - 1))})"
            case 4:
                return f"{draw(one)} in (1, {draw(one)}, 3)"
            case kind:
                joint = "and" if kind == 5 else "or"
                return f"({draw(conditions(depth - 1))} {joint} {draw(conditions(depth - 1))})"

    return condition()


@cache
def blocks(depth):
    """Texts of one to three statements."""

    @st.composite
    def block(draw):
        lines = []
        for _ in range(1 + draw(up_to[2])):
            target, value = draw(name), draw(expressions(2))
            match draw(up_to[6 if depth else 2]):
                case 0:
                    lines.append(f"{target} ^= {value}")
                case 1:
                    lines.append(f"{target} = {value}")
                case 2:
                    lines.append(f"assert {draw(conditions(2))}")
                case 3:
                    lines.append(f"if {draw(conditions(2))}:\n    return {value}")
                case 4:
                    lines.append(f"for c in (a, {value}):\n{indent(draw(blocks(0)), '    ')}")
                case kind:
                    lines.append(f"if {draw(conditions(2))}:\n{indent(draw(blocks(depth - 1)), '    ')}")
                    if kind == 6:
                        lines.append(f"else:\n{indent(draw(blocks(depth - 1)), '    ')}")
        return "\n".join(lines)

    return block()


functions = st.tuples(blocks(2), expressions(2)).map(
    lambda parts: f"def drawn(a, b, c):\n{indent(parts[0], '    ')}\n    return {parts[1]}\n"
)


def define(text):
    """Make a function whose source can be found."""
    linecache.cache["drawn.py"] = (len(text), None, text.splitlines(keepends=True), "drawn.py")
    scope = {"__name__": "drawn"}
    exec(compile(text, "drawn.py", "exec"), scope)
    return scope["drawn"]


def check(text, intervals):
    """Lift a function and compare it with itself at points spread over its intervals."""
    function = define(text)
    lifter = Lifter("drawn")
    arguments = [i(low, high, name) for name, (low, high) in zip(NAMES, intervals, strict=True)]
    try:
        result = lifter.call(function, *arguments)
    except LiftError as error:
        if "needs a power of two" not in str(error) and not str(error).endswith(("never returns", "or an if")):
            raise
        # a divisor that is always zero, an assert that always fails, a square of a square
        assume(False)
    free = [argument.term for argument in arguments]
    terms = list(dict.fromkeys(leaf.term for leaf in leaves(result)))
    compiled = compile_term([lifter.total(), *terms], free)
    points = list(product(*(range(low, high + 1) for low, high in intervals)))
    for point in points[:: len(points) // MOST_POINTS + 1]:
        symbolic = [number % (1 << argument.width) for number, argument in zip(point, arguments, strict=True)]
        holds, *values = compiled(*symbolic)
        try:
            expected = function(*point)
        except MAY_RAISE:
            assert not holds, f"{point} raises and is accepted by\n{text}"
            continue
        assert holds, f"{point} gives {expected} and is refused by\n{text}"
        got = concretize(result, dict(zip(terms, values, strict=True)).__getitem__)
        low, high = bounds(result)
        assert got == expected, f"{point} gives {expected}, its terms give {got}, of\n{text}"
        assert low <= got <= high, f"{point} gives {got}, outside [{low}, {high}], of\n{text}"


@settings(max_examples=60, deadline=None)
@given(functions, st.tuples(interval, interval, interval))
def test_random_functions(text, intervals):
    check(text, intervals)


@settings(max_examples=80, deadline=None)
@given(expressions(3), st.tuples(interval, interval, interval))
def test_random_expressions(text, intervals):
    check(f"def drawn(a, b, c):\n    return {text}\n", intervals)
