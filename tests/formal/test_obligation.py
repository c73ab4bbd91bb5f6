from dataclasses import replace

from formal.obligations import build
from halfulp_formal.decide import Engine, decide
from halfulp_formal.obligation import Verdict


def test_verdict_words_are_distinct():
    assert [verdict.value for verdict in Verdict] == ["proved", "refuted", "undecided", "error"]


def test_only_the_expected_verdict_is_ok():
    proof = decide(build("a.true"), Engine("z3"))
    assert [replace(proof, verdict=verdict).ok for verdict in Verdict] == [True, False, False, False]
    assert replace(proof, verdict=Verdict.REFUTED, expect=Verdict.REFUTED).ok
