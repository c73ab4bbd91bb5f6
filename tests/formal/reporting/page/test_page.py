import json
import re

import pytest

from formal.reporting.pretended import WITNESSES, fewer_families, pretended
from halfulp_formal import catalogue
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting.page import embedded, page_html
from halfulp_formal.reporting.page.data import LETTERS, STATES, page_data

#: every state a cell can be in but error
UNEXPECTED = {
    "noquant.fp32.equivalent": Verdict.UNDECIDED,
    "noquant.fp32.total": Verdict.ERROR,
    "noquant.fp32.tininess": Verdict.PROVED,
}


@pytest.fixture(scope="module")
def found():
    return pretended([name.rpartition(".")[0] for name in WITNESSES], UNEXPECTED)


@pytest.fixture(scope="module", autouse=True)
def small_catalogue():
    with pytest.MonkeyPatch.context() as patch:
        fewer_families(patch)
        yield


@pytest.fixture(scope="module")
def data(found):
    return page_data(found)


def test_every_obligation_of_the_catalogue_has_a_letter(data):
    letters = {
        f"{record[0]}.{data['kinds'][number][0]}": letter
        for record in data["conversions"]
        for number, letter in zip(data["lists"][record[6]], record[LETTERS], strict=True)
    }
    names = [name for family in catalogue.FAMILIES for name in family.conversions()]
    assert list(letters) == [each for name in names for each in catalogue.obligations(name)]
    assert letters["noquant.fp32.legal"] == "p"
    assert letters["noquant.fp32.noquant_nan"] == "f"
    assert letters["noquant.fp32.equivalent"] == "u"
    assert letters["noquant.fp32.total"] == "e"
    assert letters["noquant.fp32.tininess"] == "x"
    assert letters["noquant.s32.tie"] == "n"
    assert set(letters.values()) <= set(STATES)


def test_the_tables_give_back_the_texts(data):
    record = next(record for record in data["conversions"] if record[0] == "cvt.fp32.e4m3.rne.sat")
    assert data["families"][record[1]] == ["plain conversions", "all"]
    assert [data["texts"][number] for number in record[2:5]] == ["cvt.fp32", "e4m3", "rne.sat"]
    assert ("rounding", "RNE: to nearest, ties to even") in [data["rules"][number] for number in record[5]]
    assert data["kinds"][data["lists"][record[6]][0]][0] == "equivalent"


def test_how_a_verdict_came_about(data):
    record = next(record for record in data["conversions"] if record[0] == "noquant.fp32")
    assert data["texts"][data["lists"][record[8]][0]] == "bitwuzla 0.10.0"


def test_findings_have_their_witnesses(data):
    finding = next(finding for finding in data["findings"] if finding["key"] == "noquant_nan")
    words = "FP32 `0x7f800001`, ReluMode 1 gives `0x7fc00000` with NV"
    assert finding["places"] == [["noquant.fp32", "f", "p", words]]
    assert finding["kind"] == "finding"
    unseen = next(finding for finding in data["findings"] if finding["key"] == "is_ocp")
    assert unseen["places"][0] == ["scale.fp16.rceil.hif8", "n", "n", ""]
    assert unseen["kind"] == "difference"


def test_witnesses_stand_by_obligation(data):
    assert set(data["cases"]) == set(WITNESSES)


def test_the_page_says_first_what_is_not_proved_and_asks_nobody_for_anything(found):
    page = page_html(found)
    text = re.sub(r"<style>.*?</style>|<script.*?</script>", "", page, flags=re.DOTALL)
    assert re.search(
        r'<div class="verdict wrong">\s*<p>Not everything is proved. \d+ obligations of \d+ decided:', text
    )
    link = '<a href="#/c/noquant.fp32/total">noquant.fp32.total</a>'
    assert f"<p>error: 1 obligation: {link}</p>" in text
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", text)
    assert "url(" not in page
    assert "@import" not in page
    record = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert record is not None
    assert json.loads(record[1])["states"] == STATES


def test_an_example_is_kept_once_and_says_how_to_see_it_again(data):
    record = next(record for record in data["conversions"] if record[0] == "cvt.fp32.e4m3.rne.sat")
    stages, curve, command = record[9]
    assert data["stages"][stages[0]][:4] == ["in", "1.0625", "0x3f880000", "FP32"]
    assert data["curves"][curve]["unit"] == "2^-3"
    assert data["texts"][command] == "in=0x3f880000"
    assert next(record for record in data["conversions"] if record[0] == "bfp16.floor")[9] is None


def test_equal_runs_make_equal_pages(found):
    assert page_html(found) == page_html(found)


def test_data_cannot_end_its_element():
    given = {"a": "</script><!-- & <b>"}
    text = embedded(given)
    assert "<" not in text
    assert json.loads(text) == given
