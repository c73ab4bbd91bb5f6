"""The operators make the changes that they are named after, and nothing else."""

import ast

import pytest

from halfulp_formal.mutants.sites import changes


def made(body):
    """Operator, variant and the whole function that each change gives."""
    source = f"def f(a, b, c):\n    {body}\n"
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    found = []
    for change in changes(function):
        line = source.splitlines()[change.node.lineno - 1]
        text = line[: change.node.col_offset] + change.text + line[change.node.end_col_offset :]
        found.append((change.operator, change.variant, text.strip()))
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return a < b", [("compare", "le", "return (a <= b)"), ("compare", "ge", "return (a >= b)")]),
        ("return a is b", [("compare", "is-not", "return (a is not b)")]),
        (
            "return a != b",
            [
                ("compare", "eq", "return (a == b)"),
                ("compare", "lt", "return (a < b)"),
                ("compare", "gt", "return (a > b)"),
            ],
        ),
        ("return a + b", [("arithmetic", "minus", "return (a - b)")]),
        ("return a % b", [("arithmetic", "dropped", "return a")]),
        ("return -a", [("minus", "dropped", "return a")]),
        ("return not a", [("not", "dropped", "return a")]),
        ("return 3", [("constant", "plus-1", "return 4"), ("constant", "minus-1", "return 2")]),
        ("return True", [("constant", "negated", "return False")]),
        (
            "return a and b",
            [
                ("condition", "exchanged", "return (a or b)"),
                ("condition", "without-1", "return b"),
                ("condition", "without-2", "return a"),
            ],
        ),
        (
            "return a if c else b",
            [
                ("choice", "negated", "return (a if not c else b)"),
                ("choice", "always", "return a"),
                ("choice", "never", "return b"),
            ],
        ),
        ("return min(a, b)", [("function", "max", "return max(a, b)")]),
        (
            "return g(a, b, c)",
            [("arguments", "swapped", "return g(b, a, c)"), ("arguments", "swapped", "return g(a, c, b)")],
        ),
    ],
)
def test_an_operator_makes_its_changes(body, expected):
    assert made(body) == expected


def test_an_early_return_can_be_removed():
    assert made("if a: return b") == [
        ("return", "removed", "if False: return b"),
        ("branch", "negated", "if (not a): return b"),
        ("branch", "always", "if True: return b"),
    ]


def test_a_branch_that_returns_nothing_can_be_dropped():
    assert made("if not a: b = c")[:2] == [
        ("branch", "always", "if True: b = c"),
        ("branch", "never", "if False: b = c"),
    ]


def test_what_does_not_run_is_left_alone():
    assert made('"""1 < 2"""') == []
    assert made("assert a < b") == []
    assert made('raise ValueError("1" + "2")') == []
    assert made("a: int = b") == []
