"""The shipped files against every seeded mistake: a wrong model must fail some case."""

from functools import cache

import pytest

from formal.vectors import readers
from halfulp_formal.families import postprocess
from halfulp_formal.mistakes import MISTAKES
from halfulp_formal.subject import base_subject, discarded
from halfulp_formal.vectors.postprocess import PostProcessing

#: mistakes that some kind of obligation of the post-processing must refuse
OWN = sorted({mistake for kind in postprocess.KINDS for mistake in kind.mistakes})

#: mistakes that change which words are legal, and no result of a legal one
ABOUT_LEGALITY = {"subnormal_scale_legal", "high_bits_ignored", "negative_activation_legal"}


@cache
def files():
    """Every shipped file, short ones first: the conversions it holds for, and its cases."""
    found = []
    for path in sorted(readers.FOLDER.glob("*.jsonl"), key=lambda path: path.stat().st_size):
        head = readers.header(path)
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


@pytest.mark.parametrize("name", [name for name in OWN if name not in ABOUT_LEGALITY])
def test_some_case_fails(name):
    with discarded(MISTAKES[name].subject()) as subject:
        model = PostProcessing(subject.package)
        assert any(next(failures(model, *each), None) for each in files())


@pytest.mark.parametrize("name", sorted(ABOUT_LEGALITY))
def test_no_case_fails_where_legality_alone_is_wrong(name):
    with discarded(MISTAKES[name].subject()) as subject:
        model = PostProcessing(subject.package)
        assert not any(next(failures(model, *each), None) for each in files()[::9])


def test_the_model_itself_fails_none():
    model = PostProcessing(base_subject().package)
    assert [found for each in files()[::5] for found in failures(model, *each)] == []
