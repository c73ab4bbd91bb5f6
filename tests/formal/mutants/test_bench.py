"""The bench runs a mutant as a copy of the model made with its patches would, and forgets it afterwards."""

from pathlib import Path

import pytest

from halfulp_formal.mutants.bench import MOST_PLACES, bench, bounded_shift_left
from halfulp_formal.mutants.killing import candidates
from halfulp_formal.subject import discarded
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.reading import read

VECTORS = Path(__file__).parents[3] / "vectors"
LINES = {name: read(VECTORS / f"{name}.jsonl").lines for name in ("req8.rto.sat", "qf322hif8.rhb.nosat")}

SOME = [
    ("req8.rto.sat", "rules.rounding.RTO.directed-even"),
    ("req8.rto.sat", "rules.rounding.RTO.rne"),
    ("req8.rto.sat", "rules.conversions.saturate"),
    ("req8.rto.sat", "rules.prequant.REQ8.offset_bits.5"),
    ("req8.rto.sat", "seeded.offset_before_saturation"),
    ("req8.rto.sat", "integers.clamp.function-1.max"),
    ("req8.rto.sat", "rows.code_bits.arithmetic-1.times"),
    ("req8.rto.sat", "format_rows.integer_fields.constant-3.plus-1"),
    ("qf322hif8.rhb.nosat", "rules.formats.HiF8.infinity.6e"),
    ("qf322hif8.rhb.nosat", "tapered.position.arithmetic-3.minus"),
]


def answers(family, conversion):
    made = []
    for line in LINES[conversion]:
        try:
            made.append(family.run(conversion, line.inputs))
        except Exception as error:  # noqa: BLE001
            made.append(type(error).__name__)
    return made


@pytest.mark.parametrize(("conversion", "name"), SOME)
def test_a_mutant_runs_as_a_copy_of_its_own_does(conversion, name):
    mutant = next((each for each in candidates(conversion) if each.name == name), None)
    assert mutant is not None
    with bench().changed(mutant) as changed:
        on_bench = [changed.run(conversion, line.inputs) for line in LINES[conversion]]
    with discarded(mutant.subject()) as subject:
        assert on_bench == answers(PostProcessing(subject.package), conversion)
    assert [bench().run(conversion, line.inputs) for line in LINES[conversion]] == [
        line.outputs for line in LINES[conversion]
    ]


def test_a_shift_has_a_bound():
    assert bounded_shift_left(3, MOST_PLACES) == 3 << MOST_PLACES
    with pytest.raises(OverflowError, match=f"^a shift by more than {MOST_PLACES} places$"):
        bounded_shift_left(1, MOST_PLACES + 1)
    with pytest.raises(ValueError, match="negative shift count"):
        bounded_shift_left(1, -1)
