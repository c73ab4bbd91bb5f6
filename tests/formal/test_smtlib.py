import os
import subprocess
import sys
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from pysmt.fnode import FNode
from pysmt.typing import INT, BVType

from formal.obligations import M, X, Y, build, obligation
from formal.terms import POINTS, SYMBOLS, constant, terms
from halfulp_formal.evaluate import evaluate
from halfulp_formal.obligation import Verdict
from halfulp_formal.smtlib import export, export_obligation, obligation_hash, query_hash


def _z3(text):
    import z3

    solver = z3.Solver()
    solver.from_string(text)
    return str(solver.check())


def _bitwuzla(text):
    import bitwuzla

    options = bitwuzla.Options()
    parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
    parser.parse(text, True, False)
    return str(parser.bitwuzla().check_sat())


def _cvc5(text):
    import cvc5

    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "query")
    manager = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, manager)
    return answer.strip()


PARSERS = [parser for parser in (_z3, _bitwuzla, _cvc5) if find_spec(parser.__name__[1:])]


@settings(max_examples=20, deadline=None)
@given(terms(), POINTS)
def test_other_parsers_read_the_same_values(asked, point):
    values = evaluate(asked, point)
    fixed = [constant(symbol, point[symbol.symbol_name()]) for symbol in SYMBOLS]
    same = []
    for term, value in zip(asked, values, strict=True):
        if term.get_type().is_bool_type():
            same.append(term if value else M.Not(term))
        else:
            same.append(M.Equals(term, M.BV(value, term.bv_width())))
    right = export([*fixed, *same], status="sat")
    wrong = export([*fixed, M.Not(M.And(same))], status="unsat")
    for parser in PARSERS:
        assert parser(right) == "sat"
        assert parser(wrong) == "unsat"


def test_text_of_an_obligation():
    other = M.Symbol('odd "name" with;signs', BVType(16))
    claim, assumption = M.Equals(M.BVAdd(X, X), other), M.BVULT(X, M.BV(9, 16))
    text = export_obligation(obligation("req8.sum", claim, assumption=assumption, expect=Verdict.REFUTED))
    assert text == (
        "; req8.sum\n"
        "; A sentence.\n"
        "; source: a test\n"
        "(set-logic QF_BV)\n"
        "(set-info :status sat)\n"
        "(declare-fun in.x () (_ BitVec 16))\n"
        "(declare-fun in.y () (_ BitVec 16))\n"
        '(declare-fun |odd "name" with;signs| () (_ BitVec 16))\n'
        "(assert (bvult in.x #x0009))\n"
        '(assert (not (= (bvadd in.x in.x) |odd "name" with;signs|)))\n'
        "(check-sat)\n"
        "(exit)\n"
    )
    for parser in PARSERS:
        assert parser(text) == "sat"


@pytest.mark.parametrize(("kind", "status"), [("true", "unsat"), ("false", "sat")])
def test_expected_answer_is_the_parsers(kind, status):
    text = export_obligation(build(f"a.{kind}"))
    assert f"(set-info :status {status})" in text
    for parser in PARSERS:
        assert parser(text) == status


def test_deep_and_shared_terms_stay_small_and_parse():
    term = X
    for _ in range(3000):
        term = M.BVXor(M.BVAdd(term, term), Y)
    text = export([M.Equals(term, Y)])
    assert len(text) < 300_000
    for parser in PARSERS:
        assert parser(text) in ("sat", "unsat")


def test_names_of_definitions_do_not_clash():
    clash = M.Symbol("t0", BVType(16))
    shared = M.BVAdd(clash, X)
    text = export([M.Equals(M.BVMul(shared, shared), Y)])
    assert "(define-fun tt0 () (_ BitVec 16) (bvadd t0 in.x))" in text


def test_what_smt_lib_cannot_say_is_refused():
    with pytest.raises(ValueError, match=r"^symbol in\|x cannot be written in SMT-LIB: it holds \| or \\$"):
        export([M.Symbol("in|x")])
    with pytest.raises(TypeError, match=r"^operator LT is neither of the Booleans nor of the bit-vectors$"):
        export([M.LT(M.Int(1), M.Int(2))])
    with pytest.raises(TypeError, match=r"symbol in\.count is of type Int"):
        query_hash(M.LT(M.Symbol("in.count", INT), M.Int(2)))


PROGRAM = """
from formal.obligations import M, X, Y, build
from halfulp_formal.smtlib import obligation_hash, query_hash
{before}
print(obligation_hash(build("a.true")), obligation_hash(build("a.hard")))
print(query_hash(M.And(M.Equals(X, Y), M.BVULT(X, Y)).simplify()))
"""


def _hashes(seed, before=""):
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(before=before)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return done.stdout


def test_hash_is_the_same_in_every_process():
    first = _hashes("0")
    assert first == _hashes("1")
    # Nodes that were made earlier get lower numbers, and pySMT's simplifier sorts by number.
    assert first == _hashes("2", before="M.BVULT(X, Y)")
    assert first.split()[0] == obligation_hash(build("a.true"))


DIFFERENT = [
    M.BVAdd(X, Y),
    M.BVAdd(Y, X),
    M.BVSub(X, Y),
    M.BVAdd(X, M.Symbol("in.z", BVType(16))),
    M.BVZExt(X, 1),
    M.BVZExt(X, 2),
    M.BVSExt(X, 1),
    M.BVExtract(X, 0, 3),
    M.BVExtract(X, 1, 4),
    M.BVExtract(X, 1, 3),
    M.BVRol(X, 1),
    M.BVRor(X, 1),
    M.BVRol(X, 2),
    M.BV(1, 8),
    M.BV(1, 9),
    M.BV(2, 8),
    M.TRUE(),
    M.FALSE(),
    M.Symbol("in.z2", BVType(16)),
    M.Symbol("in.z3"),
]


def test_hash_tells_structures_apart():
    assert len({query_hash(term) for term in DIFFERENT}) == len(DIFFERENT)
    assert query_hash(X, Y) != query_hash(Y, X)
    assert query_hash(M.Equals(X, Y)) != query_hash(M.Iff(M.Equals(X, X), M.Equals(Y, Y)))


def test_digests_of_earlier_queries_change_no_hash():
    known: dict[FNode, bytes] = {}
    once = [query_hash(term, M.Equals(X, Y)) for term in DIFFERENT]
    assert [query_hash(term, M.Equals(X, Y), known=known) for term in DIFFERENT] == once
    count = len(known)
    assert [query_hash(term, M.Equals(X, Y), known=known) for term in DIFFERENT] == once
    assert len(known) == count > len(DIFFERENT)


def test_order_of_a_conjunction_does_not_count():
    one, two = M.Equals(X, Y), M.BVULT(X, Y)
    assert query_hash(M.And(one, two)) == query_hash(M.And(two, one)) != query_hash(M.Or(one, two))
