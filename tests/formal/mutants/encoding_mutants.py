"""First-order mutants of the encodings: a second implementation, in hardware's style, made wrong in one place."""

import ast
import sys
import types
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from pysmt.shortcuts import BV, BVExtract, Equals, Not, Or

from halfulp_formal import encodings
from halfulp_formal.bits import Bits
from halfulp_formal.encodings import convert, e8m0
from halfulp_formal.evaluate import compile_term
from halfulp_formal.mutants.bench import functions
from halfulp_formal.mutants.sites import changes
from halfulp_formal.mutants.sources import Text
from halfulp_formal.solvers import Answer, open_solver, preferred
from halfulp_formal.vectors.family import family_of

FOLDER = Path(encodings.__file__).parent
MODULES = {path.stem: import_module(f"{encodings.__name__}.{path.stem}") for path in FOLDER.glob("[a-z]*.py")}


@dataclass(frozen=True)
class EncodingMutant:
    """A function of the encodings, its code with one change, and what the change is."""

    function: types.FunctionType
    code: types.CodeType
    what: str


def definitions(body, prefix=""):
    """Yield the functions and methods of a syntax tree by qualified name."""
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from definitions(node.body, f"{node.name}.")


def codes(code):
    """Yield the code objects inside another by qualified name."""
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant.co_qualname, constant
            yield from codes(constant)


def every_mutant():
    """Yield all mutants of all encodings."""
    for name, module in MODULES.items():
        source = (FOLDER / f"{name}.py").read_text("utf-8")
        text, tree = Text(source), ast.parse(source)
        found = {each.__qualname__: each for each in functions(module)}
        for qualified, node in definitions(tree.body):
            for change in changes(node) if qualified in found else ():
                first, last = text.span(change.node)
                changed = text.whole[:first] + f"({change.text})".encode() + text.whole[last:]
                made = dict(codes(compile(changed, "<mutant>", "exec", dont_inherit=True)))
                old = " ".join(text.of(change.node).split())
                what = f"{name}.py:{change.node.lineno} {qualified}: {change.text} instead of {old}"
                yield EncodingMutant(found[qualified], made[qualified], what)


def forget():
    """Clear what the encodings keep."""
    for module in MODULES.values():
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


@contextmanager
def taken_on(mutant):
    """Let the encodings be the mutant's."""
    own = mutant.function.__code__
    mutant.function.__code__ = mutant.code
    forget()
    try:
        yield
    finally:
        mutant.function.__code__ = own
        forget()


def encoded(conversion, facts):
    """Return what an encoding gives for a file's inputs, at the widths that the file declares."""
    family, *rest = conversion.split(".")
    inputs = [Bits(symbol) for symbol in facts.inputs]
    if family == "cvt":
        source, destination, rounding, saturation = rest
        found = convert.convert(source, destination, rounding, saturation == "sat", *inputs)
    elif family == "e8m0":
        found = e8m0.tcvt_e8m0(rest[0], rest[1], rest[2] == "sat", *inputs)
    elif family == "scale":
        found = e8m0.mx_scale(rest[0], rest[1], rest[2] if len(rest) > 2 else None, *inputs)
    else:
        unread = [Bits(BV(0, 64))] if len(inputs) == 3 else []
        word, flags = encodings.postprocess(conversion, *inputs[:2], *unread, *inputs[2:])
        found = Bits(BVExtract(word.term, 0, facts.row.destination.code_bits - 1)), flags
    return [each.term for each in found]


def calls(conversion, facts):
    """Return the functions that an encoding runs."""

    seen = set()
    forget()
    sys.setprofile(lambda frame, event, _: seen.add(frame.f_code) if event == "call" else None)
    try:
        encoded(conversion, facts)
    finally:
        sys.setprofile(None)
    return seen


def told_apart(conversion, cases):
    """Yield the mutants of a conversion's encoding that no case tells from it, though some input does: a witness, or None
    where the solver does not say; `cases` are inputs. Mutants that cannot be run or give other widths need no case.
    """
    facts = family_of(conversion).facts(conversion)
    base = encoded(conversion, facts)
    run = compile_term(base, facts.inputs)
    right = [run(*case) for case in cases]
    passed = calls(conversion, facts)
    for mutant in every_mutant():
        if mutant.function.__code__ not in passed:
            continue
        with taken_on(mutant):
            try:
                changed = encoded(conversion, facts)
                if [term.get_type() for term in changed] != [term.get_type() for term in base]:
                    continue
                answers = compile_term(changed, facts.inputs)
            except Exception:  # noqa: BLE001  # a wrong encoding may raise anything
                continue
        if changed != base and all(answers(*case) == answer for case, answer in zip(cases, right, strict=True)):
            yield from witness(mutant, facts, base, changed)


def witness(mutant, facts, base, changed):
    """Yield a mutant with the input that tells it from the encoding, nothing where there is none."""
    differ = Or(Not(Equals(one, two)) for one, two in zip(base, changed, strict=True))
    with open_solver(preferred(), 20) as session:
        session.add(facts.legal.term, differ)
        answer = session.check()
        if answer is Answer.SAT:
            yield mutant.what, [hex(session.value(symbol)) for symbol in facts.inputs]
        elif answer is Answer.UNKNOWN:
            yield mutant.what, None
