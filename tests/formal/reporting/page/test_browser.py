"""The page in a browser, by what a person would click, type and see; skipped where there is no Chromium."""

import json

import pytest

from formal.reporting.browser import Browser, find_browser
from formal.reporting.page.test_mutants import RECORD
from formal.reporting.pretended import LARGE, WITNESSES, fewer_families, pretended
from halfulp_formal.obligation import Verdict
from halfulp_formal.reporting.page import data, page_html
from halfulp_formal.reporting.page.examples import example_of
from halfulp_formal.reporting.page.mutants import read_mutants

PROGRAM = find_browser()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

TININESS = "deqf16.rne.nosat/tininess"
CELL = f"#map a[href='#/c/{TININESS}']"
FILTERED = "document.querySelector('#found').textContent.includes(' of ')"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The page of a run in which one obligation is undecided, on a catalogue with fewer conversions."""
    conversions = [name.rpartition(".")[0] for name in WITNESSES]
    found = pretended(conversions, {"noquant.fp32.legal": Verdict.UNDECIDED})
    path = tmp_path_factory.mktemp("page") / "index.html"
    mutants = path.with_name("mutants.json")
    mutants.write_text(json.dumps(RECORD), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        fewer_families(patch, LARGE)
        # an example of each of thousands takes its time
        patch.setattr(data, "example_of", lambda name: None if name.startswith("cvt.") else example_of(name))
        path.write_text(page_html(found, read_mutants(mutants)), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    browser = Browser(PROGRAM or "", tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.fixture
def page(chromium, address):
    """The page as somebody opens it, in a window of common size; whatever a test did, the page met no error."""
    chromium.media()
    chromium.size(1280, 900)
    chromium.open(address)
    yield chromium
    assert chromium.complaints() == []
    assert [each for each in chromium.requests() if not each.startswith(("file:", "data:"))] == []


def shown_cells(page):
    """The number of cells that are neither dimmed nor hidden."""
    return page.evaluate("[...document.querySelectorAll('#map a.s:not(.dim)')].filter(e => e.checkVisibility()).length")


def test_what_is_not_proved_is_seen_first(page):
    assert page.text(".verdict").startswith("Not everything is proved.")
    assert "undecided: 1 obligation: noquant.fp32.legal" in page.text(".verdict")
    assert page.evaluate("document.querySelector('.verdict').getBoundingClientRect().bottom < innerHeight")
    page.click(".verdict a")
    page.wait("document.activeElement.textContent === 'legal'")
    assert page.evaluate("location.hash") == "#/c/noquant.fp32/legal"


def test_search_by_words_of_a_sentence_and_by_name(page):
    page.click("#q")
    page.type("tininess deqf16.rne")
    page.wait(FILTERED)
    assert page.text("#found").startswith("2 obligations of ")
    assert page.text(".list").splitlines()[0] == "deqf16.rne.nosat.tininess"
    assert shown_cells(page) == 2
    page.press("Escape")
    page.wait(f"!{FILTERED}")
    assert page.evaluate("location.hash") == "#/"


def test_filter_by_verdict_and_family(page):
    page.click(".state[data-state='u']")
    page.wait(FILTERED)
    assert page.text("#found").startswith("1 obligation of ")
    assert page.text(".list").splitlines()[0] == "noquant.fp32.legal"
    page.click(".state[data-state='f']")
    page.wait(f"document.querySelector('#found').textContent.startsWith('{1 + len(WITNESSES)} ')")
    page.evaluate("document.querySelector('#family').focus()")
    page.type("format")
    for key in "formats":
        page.press(key)
    page.wait("document.querySelector('#found').textContent.startsWith('1 obligation ')")
    assert page.text(".list").splitlines()[0] == "format.e1m2x2.denied_subnormals"
    assert page.evaluate("location.hash") == "#/?family=2&states=uf"


def test_a_filtered_map_can_be_sent_to_somebody(page, address):
    page.open(f"{address}#/?q=s32.wraps&states=n")
    assert page.evaluate("document.querySelector('#q').value") == "s32.wraps"
    assert page.evaluate("document.querySelector('.state[data-state=n]').getAttribute('aria-pressed')") == "true"
    assert page.text("#found").startswith("1 obligation of ")


def test_a_large_family_opens_on_demand(page):
    family = ".family[data-family='1']"
    assert not page.shown(f"{family} .card")
    page.click(f"{family} > summary")
    page.wait(f'document.querySelectorAll("{family} .card").length > 10')
    assert page.shown(f"{family} .card")


def test_from_the_map_to_a_witness_and_back(page):
    page.click(CELL)
    page.wait("document.activeElement.textContent === 'tininess'")
    assert page.evaluate("location.hash") == f"#/c/{TININESS}"
    assert page.evaluate("document.title") == "deqf16.rne.nosat: halfulp"
    article = "#o-tininess"
    assert page.evaluate(f"document.querySelector('{article}').getBoundingClientRect().top < innerHeight / 2")
    assert "refuted, as expected" in page.text(f"{article} header")
    assert "It fails exactly where the value is below the smallest normal" in page.text(f"{article} .condition")
    bits = page.evaluate(
        f"document.querySelector('{article} .stages tr:nth-child(4) .bits').getAttribute('aria-label')"
    )
    assert bits == "out: sign 0, exponent 00000, fraction 1000000000"
    assert page.shown(f"{article} svg.plot")
    assert page.evaluate(f"document.querySelectorAll('{article} svg .step').length") == 7
    assert "halfulp explain deqf16.rne.nosat 'product=2047*2^-26'" in page.text(f"{article} .command")
    page.click(f"{article} .staircase summary")
    assert page.text(f"{article} .steps .hit").startswith("from \u22120.25 u to +0.75 u")
    page.evaluate("history.back()")
    page.wait("!document.querySelector('#page-map').hidden")
    assert page.shown(CELL)


def test_from_a_conversion_to_its_finding_and_to_another_conversion(page, address):
    page.open(f"{address}#/c/noquant.fp32/noquant_nan")
    page.click("#o-noquant_nan .condition a")
    page.wait("document.activeElement.textContent === 'NoQuant under an activation changes NaNs'")
    assert page.shown("#page-findings")
    assert "FP32 0x7f800001, ReluMode 1 gives 0x7fc00000 with NV" in page.text(".finding.aimed .places")
    page.click(".finding.aimed .places a")
    page.wait("!document.querySelector('#page-conversion').hidden")
    page.click(".variants a:nth-child(2)")
    page.wait("document.querySelector('#page-conversion h1').textContent === 'noquant.s32'")
    assert page.evaluate("location.hash") == "#/c/noquant.s32"
    assert "integer, 32 bits, -2,147,483,648" in page.text(".rule")


def test_the_keyboard_alone(page):
    page.press("/")
    page.wait("document.activeElement.id === 'q'")
    page.type("e1m2x2")
    page.wait(FILTERED)
    page.press("Escape")
    page.wait(f"!{FILTERED}")
    page.evaluate("document.querySelector('.card a[tabindex=\"0\"]').focus()")
    page.press("ArrowDown")
    page.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "noquant.s32.total: not in this run"
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    assert page.text("#readout").startswith("noquant.s32.total")
    page.press("Home")
    page.press("End")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("noquant.u32.total")
    page.press("Home")
    page.press("Enter")
    page.wait("document.activeElement.textContent === 'total'")
    assert page.evaluate("location.hash") == "#/c/noquant.fp32/total"
    page.press("Tab")
    assert page.evaluate("document.querySelector('#page-conversion').contains(document.activeElement)")


def test_one_stop_a_card(page):
    assert page.evaluate(
        "[...document.querySelectorAll('.card')].every(c => c.querySelectorAll('a[tabindex=\"0\"]').length === 1)"
    )


@pytest.mark.parametrize(
    "hash_", ["#/", f"#/c/{TININESS}", "#/findings", "#/mutants", "#/about", "#/c/bfp16.floor/nan_payload"]
)
def test_nothing_sticks_out_of_a_narrow_window(page, address, hash_):
    page.open(f"{address}{hash_}")
    for width in (320, 700):
        page.size(width, 700)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_conversion_has_a_case_with_a_staircase(page, address):
    page.open(f"{address}#/c/fp19.fp32")
    assert page.text(".example .stages tbody tr:first-child").split()[:4] == [
        "in",
        "1.00048828125",
        "0x3f801000",
        "FP32",
    ]
    assert page.shown(".example svg.plot")
    assert page.text(".example .command") == "Replay\nhalfulp explain fp19.fp32 in=0x3f801000"
    assert page.text(".example figcaption").startswith(
        "What the model makes of the numbers round the given one, which gets 0x1fc00 = 1."
    )


def test_mutants_from_their_page_to_a_conversion(page):
    page.click(".bar a[data-page='mutants']")
    page.wait("document.activeElement.tagName === 'H1'")
    assert page.text("#page-mutants .verdict") == f"{RECORD['summary']}."
    assert (
        page.text("#page-mutants .mutants li")
        == "survives noquant.s32 three (exact.py:1): three changed; told from the model by 0x12 0x0"
    )
    page.click("#page-mutants summary")
    page.click("#page-mutants .counts tbody a")
    page.wait("document.querySelector('#page-conversion h1')?.textContent === 'noquant.fp32'")
    assert "2 mutants, 1 killed, 1 equivalent. All mutants" in page.text("#page-conversion")


def test_an_address_that_means_nothing_shows_the_map(page, address):
    for hash_ in ("#/c/nothing", "#/nowhere"):
        page.open(f"{address}{hash_}")
        assert page.shown("#page-map")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_its_ground(page, address, scheme):
    """WCAG AA: 4.5 to 1 for text, by the colours that the browser has come to."""
    page.media(prefers_color_scheme=scheme)
    for hash_ in ("#/", f"#/c/{TININESS}", "#/findings", "#/mutants", "#/about"):
        page.open(f"{address}{hash_}")
        assert page.evaluate(CONTRASTS) == []


#: what text elements in view have less contrast than 4.5 with the nearest ground behind them
CONTRASTS = """(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const linear = (c) => (c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
  const light = (rgb) => rgb.slice(0, 3).map((c) => linear(c / 255))
    .reduce((sum, c, place) => sum + c * [.2126, .7152, .0722][place], 0);
  const ground = (node) => { for (; node; node = node.parentElement) {
    const colour = parse(getComputedStyle(node).backgroundColor);
    if (colour.length < 4 || colour[3] === 1) return colour; } };
  const bad = new Set();
  for (const node of document.querySelectorAll(".page:not([hidden]) *, .bar *")) {
    const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
    if (!own || !node.checkVisibility() || node.closest("svg, option, noscript")) continue;
    const [one, two] = [light(parse(getComputedStyle(node).color)), light(ground(node))].sort((a, b) => b - a);
    const ratio = (one + .05) / (two + .05);
    if (ratio < 4.5) bad.add(`${node.tagName}.${node.className}: ${ratio.toFixed(2)}`);
  }
  return [...bad];
})()"""


def test_states_differ_by_shape_too(page):
    shapes = page.evaluate(
        """[..."pfruexn"].map((state) => { const node = document.body.appendChild(document.createElement("span"));
        node.className = `s ${state}`; const box = getComputedStyle(node), inner = getComputedStyle(node, "::after");
        return [box.borderRadius, box.transform, box.clipPath, box.boxShadow === "none", inner.content].join(); })"""
    )
    assert len(set(shapes)) == 7


def test_paper_has_everything_and_no_controls(page, address):
    page.open(f"{address}#/c/{TININESS}")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.media("print")
    assert not page.shown(".bar")
    assert page.shown("#o-tininess .steps")
    assert page.shown("#o-tininess svg.plot")
