import pytest

from halfulp_formal.wording import counted, noun_for


@pytest.mark.parametrize(
    ("number", "words", "text"),
    [
        (0, ("file",), "0 files"),
        (1, ("file",), "1 file"),
        (2794, ("case",), "2,794 cases"),
        (1, ("class", "classes"), "1 class"),
        (3, ("class", "classes"), "3 classes"),
        (1, ("expects", "expect"), "1 expects"),
        (2, ("expects", "expect"), "2 expect"),
    ],
)
def test_a_number_with_its_noun(number, words, text):
    assert counted(number, *words) == text
    assert noun_for(number, *words) == text.split()[1]
