"""What somebody's implementation does wrong is recognised by the answers it gives."""

from pathlib import Path

import pytest

from halfulp_formal.mutants import lookalike
from halfulp_formal.mutants.bench import bench
from halfulp_formal.mutants.killing import candidates
from halfulp_formal.vectors.blocks import Blocks
from halfulp_formal.vectors.formats import Formats
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.reading import read
from halfulp_model import Rejected

VECTORS = Path(__file__).parents[3] / "vectors"


def inputs_of(conversion):
    return [line.inputs for line in read(VECTORS / f"{conversion}.jsonl").lines]


def as_if(conversion, other):
    """The inputs of a conversion's file with what another conversion makes of them."""
    return [(inputs, PostProcessing().run(other, inputs)) for inputs in inputs_of(conversion)]


@pytest.mark.parametrize(
    ("conversion", "other", "what"),
    [
        ("req8.rne.nosat", "req8.rna.nosat", "tie rule RNA instead of RNE"),
        ("req8.rhb.sat", "req8.rna.sat", "tie rule RNA instead of RHB"),
        ("req8.rto.nosat", "req8.rtz.nosat", "rounding mode RTZ instead of RTO"),
        ("qf322f32.rtm.sat", "qf322f32.rne.sat", "rounding mode RNE instead of RTM"),
        ("qf322f16.rne.nosat", "qf322f16.rne.sat", "Sat 0 and Sat 1 change places"),
        ("qf322f16.rne.sat", "qf322bf16.rne.sat", "destination BF16 instead of FP16"),
        ("vreq4.rne.sat", "vreq4.rtp.sat", "rounding mode RTP instead of RNE"),
    ],
)
def test_another_conversion_is_named_by_the_rule_that_differs(conversion, other, what):
    file = conversion.removeprefix("v")
    cases = [(inputs, PostProcessing().run(other, inputs)) for inputs in inputs_of(file)]
    assert lookalike(conversion, cases) == what


def test_wrong_answers_alone_are_enough():
    cases = as_if("req8.rne.nosat", "req8.rna.nosat")
    wrong = [(inputs, given) for inputs, given in cases if PostProcessing().run("req8.rne.nosat", inputs) != given]
    assert 0 < len(wrong) < len(cases)
    assert lookalike("req8.rne.nosat", wrong) == "tie rule RNA instead of RNE"


def test_a_seeded_mistake_is_named_by_its_sentence():
    inputs = (-5, 1, 0x3F80_0000, 0)  # ReluMode 1 on a negative accumulator: 0, unless the mode is ignored
    given = PostProcessing().run("req8.rne.sat", (inputs[0] % 2**32, 0, *inputs[2:]))
    assert lookalike("req8.rne.sat", [((inputs[0] % 2**32, *inputs[1:]), given)]) is not None


def test_right_answers_look_like_nothing():
    assert lookalike("req8.rne.nosat", as_if("req8.rne.nosat", "req8.rne.nosat")) is None
    assert lookalike("req8.rne.nosat", []) is None


def test_answers_that_no_small_mistake_gives_look_like_nothing():
    cases = [(inputs, (code ^ 0x55, flags)) for inputs, (code, flags) in as_if("shifts322s16", "shifts322s16")]
    assert lookalike("shifts322s16", cases) is None


def test_inputs_that_are_illegal_say_nothing():
    assert lookalike("req8.rne.nosat", [((0, 7, 0, 0), (1, 1))]) is None


def test_a_conversion_without_mutants_has_no_lookalike():
    assert lookalike("bfp16_matmul", [((0,), (1,))]) is None


def test_blocks_and_codes_are_recognised_too():
    blocks, formats = Blocks(), Formats()
    given = [(inputs, blocks.run("bfp16.conv_odd", inputs)) for inputs in inputs_of("bfp16.conv_odd")]
    legal = [case for case in given if characterised("bfp16.conv_even", case[0])]
    assert lookalike("bfp16.conv_even", legal) == "tie rule conv_odd instead of conv_even"
    given = [(inputs, formats.run("format.e4m3", inputs)) for inputs in inputs_of("format.e4m3")]
    shifted = [
        (inputs, (*outputs[:4], (outputs[4] + 1) % 2**16, *outputs[5:])) for inputs, outputs in given if outputs[3]
    ]
    assert lookalike("format.e4m3", shifted) == "E4M3 has a bias of 6 instead of 7"


def characterised(conversion, inputs):
    """Whether the model converts a block in a mode."""
    try:
        Blocks().run(conversion, inputs)
    except Rejected:
        return False
    return True


def test_a_product_in_float_is_told_from_a_right_one():
    name = "qf322f16.rne.nosat"
    mutant = next(each for each in candidates(name) if each.name == "seeded.product_in_float")
    with bench().changed(mutant) as changed:
        answers = [(inputs, changed.family(name).run(name, inputs)) for inputs in inputs_of(name)]
    assert answers != as_if(name, name)
    assert lookalike(name, answers) == mutant.what
