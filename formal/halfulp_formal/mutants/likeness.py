"""The mutant that answers as somebody's implementation did: what it got wrong, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.killing import Try, candidates, changes_lines, passes_lines, tries
from halfulp_formal.mutants.mutant import Mutant

#: the inputs of a case, and the outputs that an implementation gave
Answered = tuple[tuple[int, ...], tuple[int, ...]]


def lookalike(conversion: str, cases: Sequence[Answered]) -> str | None:
    """Describe the wrong model that gives exactly what an implementation gave: "tie rule RNA instead of RNE".

    cases: inputs and outputs as bit patterns, in the order of the conversion's vector file, right answers included: the
    more there are, the surer the description. Of several wrong models that fit, the one that people meet first is
    described: rule data, then the seeded mistakes, then the source. None where no answer is wrong or none fits.
    Inputs that the model rejects say nothing.
    """
    place = bench()
    right = [(given, place.run(conversion, given[0])) for given in cases]
    legal = [given for given, answer in right if not isinstance(answer, str)]
    wrong = [given for given, answer in right if not isinstance(answer, str) and answer != given[1]]
    if not wrong:
        return None
    # a wrong model is most often told by the first case that the implementation has wrong
    first = tries(conversion, [wrong[0]])[0]
    rest = [given for given in legal if given is not wrong[0]]
    for mutant in candidates(conversion):
        if changes_lines(mutant) and not passes_lines(mutant, first.passed):
            continue
        if answers(mutant, conversion, first, [*wrong[1:], *rest]):
            return mutant.what
    return None


def answers(mutant: Mutant, conversion: str, first: Try, rest: Sequence[Answered]) -> bool:
    """Tell whether a mutant gives what was given in every case."""
    place = bench()
    try:
        with place.changed(mutant):
            return place.run(conversion, first.inputs) == first.outputs and all(
                place.run(conversion, inputs) == outputs for inputs, outputs in rest
            )
    except Exception:  # noqa: BLE001  # rows that no model can be made of
        return False
