"""The shipped files against every seeded mistake: a wrong model must fail some case."""

from functools import cache

import pytest

from formal.vectors import readers
from halfulp_formal.families import formats, plain, postprocess, scales
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.properties import plain as plain_properties
from halfulp_formal.properties import plain_relations
from halfulp_formal.subject import base_subject, discarded
from halfulp_formal.vectors.formats import Formats
from halfulp_formal.vectors.plain import Plain
from halfulp_formal.vectors.postprocess import PostProcessing
from halfulp_formal.vectors.scales import Scales

#: the families with the kinds of obligation that they have
FAMILIES = {
    PostProcessing: postprocess.KINDS,
    Formats: formats.KINDS,
    Scales: (*scales.E8M0_KINDS, *scales.SCALE_KINDS),
    Plain: (plain.EQUIVALENT, *plain_properties.KINDS, *plain_relations.KINDS),
}

#: mistakes that some kind of obligation must refuse, by family
OWN = [
    (family, mistake)
    for family, kinds in FAMILIES.items()
    for mistake in sorted({mistake for kind in kinds for mistake in kind.mistakes})
]

#: mistakes that no vector can show: they change which words are legal, and no result of a legal one
ABOUT_LEGALITY = {"subnormal_scale_legal", "high_bits_ignored", "negative_activation_legal"}

#: what else no vector can show, as no file asks for it
NOT_ASKED_FOR = {
    # the code of a number
    "binade_start_off",
    "inexact_encoded",
    "too_large_encoded",
    "truncation_shifts_back",
    "unnormalised_refused",
    "zero_sign_lost",
    # what a descriptor says, and single codes that the specification publishes
    "canonical_nan_signalling",
    "claims_everything",
    "claims_nothing",
    "described_bias_off",
    "described_fraction_short",
    "described_sign_off",
    "no_negative_zero",
    "normal_boundary_off",
    "shortest_fraction_corrected",
    "smallest_normal_corrected",
    "subnormal_boundary_off",
    "subnormals_admitted",
    # the order of NaNs, which have no place in it
    "key_of_nan_inside",
}


@cache
def files(family):
    """A family's shipped files, short ones first: the conversions it holds for, and its cases."""
    found, own = [], set(family().names())
    for path in sorted(readers.FOLDER.glob("*.jsonl"), key=lambda path: (path.stat().st_size, path.name)):
        head = readers.header(path)
        if head["conversion"] in own:
            found.append(((head["conversion"], *head["twins"]), readers.jsonl(path)))
    return found


def failures(model, names, cases):
    """Yield the classes of cases that a model fails, by conversion."""
    for name in names:
        for case in cases:
            try:
                outputs = model.run(name, case.inputs)
            except (ArithmeticError, ValueError, AssertionError):
                yield name, case.corner
            else:
                if outputs != case.outputs:
                    yield name, case.corner


@pytest.mark.parametrize(("family", "name"), [own for own in OWN if own[1] not in ABOUT_LEGALITY | NOT_ASKED_FOR])
def test_some_case_fails(family, name):
    with discarded(MISTAKES[name].subject()) as subject:
        model = family(subject.package)
        assert any(next(failures(model, *each), None) for each in files(family))


@pytest.mark.parametrize("name", sorted(ABOUT_LEGALITY))
def test_no_case_fails_where_legality_alone_is_wrong(name):
    with discarded(MISTAKES[name].subject()) as subject:
        model = PostProcessing(subject.package)
        assert not any(next(failures(model, *each), None) for each in files(PostProcessing)[::9])


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NOT_ASKED_FOR))
def test_no_case_fails_where_only_other_calls_are_wrong(name):
    with discarded(MISTAKES[name].subject()) as subject:
        model = Formats(subject.package)
        assert not any(next(failures(model, *each), None) for each in files(Formats))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_model_itself_fails_none(family):
    model = family(base_subject().package)
    assert [found for each in files(family)[::5] for found in failures(model, *each)] == []
