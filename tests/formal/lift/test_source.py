import ast
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from formal.lift import samples
from halfulp_formal.lift.source import Source, function_source
from halfulp_formal.lift.values import LiftError


def read(function: Any) -> Source:
    """The source of a sample."""
    return function_source(function)


def test_definition_and_place():
    source = read(samples.clamp)
    assert isinstance(source.definition, ast.FunctionDef)
    assert source.definition.name == "clamp"
    assert source.file == "samples.py"
    assert source.at(source.definition) == f"samples.py:{samples.clamp.__code__.co_firstlineno}"
    assert source.at(source.definition.body[-1]) == f"samples.py:{samples.clamp.__code__.co_firstlineno + 5}"


def test_methods_are_read_from_inside_their_class():
    source = read(samples.Pair.scaled)
    assert source.definition.name == "scaled"
    assert source.at(source.definition) == f"samples.py:{samples.Pair.scaled.__code__.co_firstlineno}"


def test_a_decorated_definition_starts_at_its_decorator():
    source = read(vars(samples.Pair)["total"].fget)
    body = source.definition.body[0]
    lines, first = Path(samples.__file__).read_text(encoding="utf-8").splitlines(), source.first_line
    assert lines[first - 1].strip() == "@property"
    assert lines[int(source.at(body).rpartition(":")[2]) - 1].strip() == "return self.first + self.second"


def test_local_names_are_what_the_function_assigns():
    assert read(samples.ladder).local_names == {"a", "result"}


def test_no_source():
    made = FunctionType(compile("def made(a): return a", "<nowhere>", "exec").co_consts[0], {}, "made")
    made.__module__ = "formal"
    with pytest.raises(LiftError) as error:
        function_source(made)
    assert str(error.value) == "formal.made: no source to lift"
