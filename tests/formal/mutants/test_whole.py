"""The whole expression around a change: what a statement has as its own, and nothing where the change is no expression."""

import ast

import pytest

from halfulp_formal.mutants.equivalence import by_name
from halfulp_formal.mutants.whole import differing, whole_edit
from halfulp_formal.subject import model_sources

NAME = "qf322b8.rne.nosat"


def whole(mutant):
    found = whole_edit(by_name(NAME)[mutant])
    return found and (found[0], found[1].text)


@pytest.mark.parametrize(
    ("mutant", "expected"),
    [
        ("postprocess.source_negative.constant-1.plus-1", ("postprocess", "value < 1")),
        (
            "seeded.negative_zero_positive",
            (
                "floats",
                "fields(fmt, bits).negative and (not is_nan(fmt, bits)) and (not is_negative_zero(fmt, bits))",
            ),
        ),
        ("rules.flags.OF.and-nx", None),
        ("seeded.offset_before_saturation", None),  # two statements
        ("format_rows.binary_fields.arithmetic-1.right", None),  # a row
    ],
)
def test_the_whole_expression_of_a_mutant(mutant, expected):
    assert whole(mutant) == expected


def test_the_edit_stands_where_the_statement_has_its_expression():
    mutant = by_name(NAME)["postprocess.source_negative.constant-1.plus-1"]
    found = whole_edit(mutant)
    assert found is not None
    module, edit = found
    line = dict(model_sources())["postprocess"].splitlines()[edit.line - 1]
    assert (module, line[edit.column : edit.end_column]) == ("postprocess", "value < 0")
    assert mutant.where == f"postprocess.py:{edit.line}"
    assert edit.end_line == edit.line


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("return a + 1", "return a + 1", []),
        ("return a + 1", "return a + 2", [("a + 1", "a + 2")]),
        ("if a:\n  b = c", "if d:\n  b = e", [("a", "d"), ("c", "e")]),
        ("for a in b:\n  pass", "for c in b:\n  pass", [("a", "c")]),
        ("a += 1", "a -= 1", [("Add", "Sub")]),
        ("return a", "a = 1", [("return a", "a = 1")]),
        ("import a", "import b", [("alias", "alias")]),
        ("if a:\n  b\nelse:\n  c", "if d:\n  b\n  c", [("if a:\n    b\nelse:\n    c", "if d:\n    b\n    c")]),
        ("return", "return a", [("return", "return a")]),
    ],
)
def test_what_two_trees_differ_in(one, other, expected):
    def shown(node):
        return ast.unparse(node) if isinstance(node, ast.expr | ast.stmt) else type(node).__name__

    assert [(shown(left), shown(right)) for left, right in differing(ast.parse(one), ast.parse(other))] == expected
