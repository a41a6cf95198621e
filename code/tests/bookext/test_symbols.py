"""A symbol of a displayed formula says what it is, and lights what shows it; and the other way round."""

from __future__ import annotations

import json

import pytest
from harness import REPOSITORY, numbered_parts, of_each_kind, visit
from lxml.html import HTMLParser, document_fromstring
from test_pages_access import axe_finds_nothing

from bookext.data_files import read_yaml
from bookext.finish.formulas import element

PAGES = ["book/tour", *numbered_parts()[0]]
CARD, FORMULA = ".symbol-card", "math[data-symbols]"

#: Formulas that light their figures, and are lit by them: their page, and how their TeX begins.
LINKED = [
    ("book/tour", r"\begin{aligned} \mathrm{PE}(p)_{2i}"),
    ("book/tour", r"\mathrm{PE}(p + k) = T(k)"),
    ("book/tour", r"\mathrm{PE}(p)^\top"),
    ("book/order", r"Y = \operatorname{softmax}"),
    ("book/two-dimensions", r"\mathrm{PE}(p) = (\sin p"),
    ("book/two-dimensions", r"\begin{gathered} \begin{pmatrix} \sin \omega(p+k)"),
    ("book/many-dimensions", r"\begin{aligned} \mathrm{PE}(p)_{2i}"),
    ("book/many-dimensions", r"\begin{aligned} \lVert \mathrm{PE}(p) \rVert^2"),
    ("book/many-dimensions", r"\begin{gathered} T(k) ="),
    ("book/uniqueness", r"\begin{aligned} K(\Delta) ="),
    ("book/uniqueness", r"\lVert \mathrm{PE}(p) + v"),
    ("book/wavelengths", r"\lambda_i ="),
    ("book/transformer", r"x_p = \sqrt d"),
    ("book/transformer", r"\begin{aligned} (x + u)^\top A"),
    ("book/relatives", r"\begin{aligned} x_i &\;\longmapsto"),
    ("book/relatives", r"\sum_i \mathrm{Re}"),
]


def tree_of(site, name):
    return document_fromstring((site.root / f"{name}.html").read_bytes(), parser=HTMLParser(encoding="utf-8"))


def told(site) -> dict:
    """What the site's script says of each symbol, by page."""
    text = (site.root / "_static/symbol_texts.js").read_text(encoding="utf-8")
    return json.loads(text.removeprefix("var SYMBOLS = ").removesuffix(";\n"))


def displayed(tree):
    """The displayed formulas of a page, without the lines of proofs, which record what a program derived."""
    return tree.xpath("//article//math[@display='block'][not(ancestor::*[contains(@class, 'derivation')])]")


@pytest.mark.parametrize("name", PAGES)
def test_each_symbol_of_each_displayed_formula_is_defined(site, name):
    formulas = displayed(tree_of(site, name))
    assert formulas
    says = told(site)[f"{name}.html"]
    for formula in formulas:
        for letter in formula.xpath(".//mi | .//mtext"):
            text = "".join(letter.itertext())
            if any(map(str.isalpha, text)) or text == "\N{DOWN TACK}":
                marks = letter.xpath("ancestor-or-self::*/@data-symbol")
                assert len(marks) == 1, (
                    f"{text} in {formula.get('data-tex')}: book/symbols.yml has no line for it"
                )
                assert says[marks[0]][0].strip()


def test_no_definition_is_left_over(site):
    given = read_yaml(REPOSITORY / "book/symbols.yml")
    assert list(given["pages"]) == PAGES
    used = {name: set(told(site)[f"{name}.html"]) for name in PAGES}
    for name, own in given["pages"].items():
        assert set(own) <= used[name], f"{name} defines what none of its formulas has"
    assert set(given["everywhere"]) <= set.union(*used.values())


def test_a_page_without_marked_formulas_loads_none_of_it(site):
    for name, loads in (("book/tour", True), ("book/glossary", False), ("book/shift", False)):
        sources = tree_of(site, name).xpath("//script/@data-src")
        assert any("symbols.js" in source for source in sources) == loads


def test_without_javascript_the_text_is_what_it_was(site):
    for name in PAGES:
        tree = tree_of(site, name)
        assert not tree.xpath("//math/@tabindex | //*[contains(@class, 'symbol-card')]")
        for marked in displayed(tree):
            plain = element(marked.get("data-tex"), display=True)  # set without any marks
            assert marked.text_content() == plain.text_content()


DATA = "all => all.map((one) => one.dataset.symbol)"

# Which symbols of the formula number `nth` are lit; how many marks of figures recede; and of those that show
# what is asked, how many are lit and how many are not.
LIT = """([nth, words]) => {
    const known = new Map();
    const recedes = (at) => {
        if (!known.has(at)) known.set(at, at.localName !== 'svg'
            && (getComputedStyle(at).opacity === '0.22' || recedes(at.parentElement)));
        return known.get(at);
    };
    const marks = [...document.querySelectorAll('[data-explorer] svg :is(path, circle, rect, text, tspan)')]
        .filter((mark) => !mark.closest('.grip') && mark.checkVisibility());
    const shows = (mark) =>
        mark.closest('[data-symbol]')?.dataset.symbol.split(' ').some((word) => words.includes(word));
    return {
        symbols: [...document.querySelectorAll('math[data-symbols]')[nth].querySelectorAll('[data-symbol]')]
            .filter((part) => getComputedStyle(part).outlineStyle === 'solid')
            .map((part) => part.dataset.symbol),
        receding: marks.filter(recedes).length,
        lit: marks.filter((mark) => shows(mark) && !recedes(mark)).length,
        dark: marks.filter((mark) => shows(mark) && recedes(mark)).length,
    };
}"""

# Brings a figure into sight that shows one of these words, and says where a pointer meets what shows it.
PLACES = """(words) => {
    const shows = (part) => part.dataset.symbol.split(' ').some((word) => words.includes(word));
    for (const root of document.querySelectorAll('[data-explorer]')) {
        const parts = [...root.querySelectorAll('svg [data-symbol]')].filter(shows);
        if (!parts.length || !root.checkVisibility()) continue;
        parts[0].scrollIntoView({block: 'center', behavior: 'instant'});
        for (const part of parts) {
            const {left, top, width, height} = part.getBoundingClientRect();
            for (const [u, v] of [[0.5, 0.5], [0, 0], [1, 1], [0, 1], [1, 0]]) {
                const [x, y] = [left + u * width, top + v * height];
                const met = document.elementFromPoint(x, y)?.closest('[data-explorer] [data-symbol]');
                if (met && shows(met)) return [x, y];
            }
        }
    }
    return null;
}"""


def names_in(formula) -> list[str]:
    """The symbols of a formula, in their order."""
    return list(dict.fromkeys(formula.locator("[data-symbol]").evaluate_all(DATA)))


def squeezed(tex: str) -> str:
    """TeX on one line, without what Sphinx puts around it."""
    return " ".join(tex.replace(r"\begin{split}", "").split())


@pytest.mark.parametrize("name", of_each_kind(PAGES))
def test_formulas_and_figures_light_each_other(browser_page, site, name):
    page = visit(browser_page, site.url(name))
    page.wait_for_function("document.querySelector('math[tabindex]')")
    known = told(site)[f"{name}.html"]
    formulas = page.locator(FORMULA)
    linked = []
    for nth in range(formulas.count()):
        formula = formulas.nth(nth)
        if not formula.is_visible():
            continue  # in an exercise that is folded
        names = names_in(formula)
        formula.focus()
        page.keyboard.press("Home")
        there, back = [], []
        for symbol in names:
            words = known[symbol][1]
            lit = page.evaluate(LIT, [nth, words])
            assert set(lit["symbols"]) == {symbol}
            assert not lit["dark"], f"{symbol}: a part that shows it recedes"
            assert not lit["receding"] or lit["lit"], f"{symbol}: figures recede, and nothing of them is lit"
            if lit["receding"]:
                there.append(symbol)
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        formula.blur()
        for symbol in there:
            place = page.evaluate(PLACES, known[symbol][1])
            if place:
                page.mouse.move(*place)
                if symbol in page.evaluate(LIT, [nth, []])["symbols"]:
                    back.append(symbol)
                page.mouse.move(0, 0)
        print(squeezed(formula.get_attribute("data-tex"))[:60], there, back)
        if back:
            linked.append(squeezed(formula.get_attribute("data-tex")))
    for page_name, beginning in LINKED:
        if page_name == name:
            assert any(tex.startswith(beginning) for tex in linked), f"{beginning}: not lit both ways"


def ready(page, site, name="book/tour"):
    """A page's card, and its formulas, when they can be asked."""
    visit(page, site.url(name), shown=False)
    page.wait_for_function("document.querySelector('math[tabindex]')")
    page.evaluate("document.fonts.ready")  # a late face may take a pixel more than the one in its place
    return page.locator(CARD), page.locator(FORMULA).filter(visible=True)  # one may be folded


def lit_in(page, nth=0) -> list[str]:
    """The names of the symbols that are lit in a formula, each once."""
    return list(dict.fromkeys(page.evaluate(LIT, [nth, []])["symbols"]))


def test_a_formula_is_one_stop_and_its_symbols_are_read_by_arrow_keys(browser_page, site):
    page = browser_page
    card, formulas = ready(page, site)
    assert page.locator("math [tabindex]").count() == 0
    first = formulas.first
    first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    has_focus = "one => one === document.activeElement"
    assert first.evaluate(has_focus), "one stop, reached by Tab"
    assert card.inner_text().startswith("PE"), "the focus alone asks the first symbol"
    assert card.get_attribute("role") == "status"
    names = names_in(first)
    seen = []
    for _ in names:
        seen += lit_in(page)
        page.keyboard.press("ArrowRight")
    assert seen == names
    assert lit_in(page) == names[:1], "from the last to the first"
    page.keyboard.press("End")
    assert lit_in(page) == names[-1:]
    page.keyboard.press("Escape")
    assert not card.is_visible()
    assert not lit_in(page)
    assert first.evaluate(has_focus), "who closes it stays there"
    page.keyboard.press("ArrowLeft")
    assert card.is_visible()
    page.keyboard.press("Tab")
    assert not card.is_visible()
    page.guard.check()


def test_a_pointer_asks_and_leaves(browser_page, site):
    card, formulas = ready(browser_page, site)
    formulas.first.locator("[data-symbol='ω_i']").first.hover()
    card.wait_for()
    assert "radians" in card.inner_text()
    assert card.locator("math").count() == 1
    card.hover()  # what is said can be pointed at
    browser_page.wait_for_timeout(400)
    assert card.is_visible()
    browser_page.mouse.move(5, 5)
    card.wait_for(state="hidden")
    assert not lit_in(browser_page)


def test_a_slider_lights_its_symbol(browser_page, site):
    page = visit(browser_page, site.url("book/many-dimensions"))
    page.wait_for_function("document.querySelector('math[tabindex]')")
    slider = page.locator("[data-explorer=clock] input[name=d_model]")
    slider.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert lit_in(page) == ["d"]
    slider.blur()
    assert not lit_in(page)


def test_a_finger_asks_on_a_small_phone_where_nothing_shifts(new_page, site):
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    card, formulas = ready(page, site)
    size = "[document.documentElement.scrollWidth, document.querySelector('article').scrollHeight]"
    for n in range(formulas.count()):
        formula = formulas.nth(n)
        formula.evaluate("one => one.scrollIntoView({block: 'center', behavior: 'instant'})")
        before = page.evaluate(size)
        for symbol in (formula.locator("[data-symbol]").first, formula.locator("[data-symbol]").last):
            box = symbol.bounding_box()
            # A little beside it.
            page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] + 4)
            card.wait_for()
            inside = card.bounding_box()
            assert inside["x"] >= 0
            assert inside["x"] + inside["width"] <= 360
            assert inside["y"] >= 0
            assert inside["y"] + inside["height"] <= 740
        assert page.evaluate(size) == before == [360, before[1]]
        page.locator("article h1").evaluate("one => one.click()")
        card.wait_for(state="hidden")
    page.guard.check()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_while_a_symbol_is_asked(new_page, site, scheme):
    page = new_page(color_scheme=scheme)
    card, formulas = ready(page, site)
    formulas.nth(2).locator("[data-symbol=q]").first.click()
    card.wait_for()
    axe_finds_nothing(page)
    assert card.is_visible()


def test_paper_is_not_lit(browser_page, site):
    card, formulas = ready(browser_page, site)
    formulas.first.locator("[data-symbol]").first.click()
    assert lit_in(browser_page)
    browser_page.emulate_media(media="print")
    assert not browser_page.evaluate(LIT, [0, []])["receding"]
    assert not lit_in(browser_page)
    assert not card.is_visible()
