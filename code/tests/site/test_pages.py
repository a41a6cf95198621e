"""Every page of the built site, in a browser that reaches no other host: it loads clean, and leads on."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import quote

import jupytext
import nbformat
import pytest
from harness import (
    REPOSITORY,
    all_pages,
    chapters,
    documents,
    figures_of,
    of_each_kind,
    visit,
    with_explorers,
)
from lxml.html import document_fromstring
from playwright.sync_api import Page
from test_quiz import faults_on_paper

from bookext.data_files import read_yaml
from wavebook.palette import PALETTE

TITLE = "h1:not(.onlyprint h1)"  # the theme repeats it for print


def test_no_page_is_left_out(site):
    built = {
        str(path.relative_to(site.root))
        for path in site.root.rglob("*.html")
        if path.relative_to(site.root).parts[0] not in ("_static", "reports")
    }
    alone = {f"{page}/{figure}.html" for page in with_explorers() for figure in figures_of(page)}
    pages = {f"{page}.html" for page in all_pages()}
    addresses = read_yaml(REPOSITORY / "book/addresses.yml")
    gone = {f"book/{name}" for name in addresses} - pages  # each leads to where its sections are
    assert built == pages | gone | alone | {"index.html", "404.html"}


def test_loads_without_complaint(light):
    assert light.loaded
    light.guard.check()


def test_formulas_are_typeset(light):
    assert not light.locator("merror, .math:not(:has(math))").count()
    raw = light.evaluate(r"""() => {
        const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
        const found = [];
        for (let node; (node = texts.nextNode());)
            if (!node.parentElement.closest('pre, code, script, style, math, svg')
                && /\\[()[\]]|\$|\\[a-z]{2,}|\{[a-z:]+\}/.test(node.textContent))
                found.push(node.textContent.trim());
        return found;
    }""")
    assert not raw, f"source text left on the page: {raw}"


def fault_of_picture(source: str, text: str | None, width: int) -> str | None:
    """What is wrong with a picture, given its alternative text and its width in pixels."""
    if text is None:
        return "has no alternative text"
    if len(text.split()) < 4:
        return f"{text!r} does not say what is to be seen"
    if re.search(r"[0-9a-f]{16}|\.(png|svg|jpe?g)\b", text):
        return f"{text!r} is a file's name"
    return None if width else "shows nothing"


def test_images_say_what_they_show(light):
    pictures = light.evaluate("""[...document.querySelectorAll('main img')]
        .filter((image) => image.checkVisibility({visibilityProperty: true}))
        .map((image) => [image.src, image.getAttribute('alt'), image.naturalWidth])""")
    faults = [f"{picture[0][:80]}: {fault}" for picture in pictures if (fault := fault_of_picture(*picture))]
    assert not faults


def test_works_from_a_file(phone):
    assert phone.url.startswith("file:")
    assert phone.locator(TITLE).is_visible()
    assert phone.loaded
    phone.guard.check()  # nothing fetched elsewhere, nothing missing, no complaint


# Something hidden by a clipping ancestor widens no page, so elements are measured one by one.
STICKING_OUT = """(width) => {
    const scrolls = (element) => {
        for (; element && element !== document.body; element = element.parentElement)
            if (/auto|scroll/.test(getComputedStyle(element).overflowX)) return true;
        return false;
    };
    return [...document.querySelectorAll('main *')].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 1 && box.height > 1 && (box.right > width + 1 || box.left < -1)
            && element.checkVisibility({visibilityProperty: true}) && !scrolls(element)
            && !element.closest('.sidebar, dialog');
    }).map((element) => element.outerHTML.slice(0, 120)).slice(0, 5);
}"""


def test_fits_a_wide_screen(light):
    assert not light.evaluate(STICKING_OUT, 1280)
    assert light.evaluate("document.scrollingElement.scrollWidth") <= 1280


def test_fits_a_tablet(light):
    """Where there is a list of chapters, and no margin beside the text."""
    light.set_viewport_size({"width": 1024, "height": 768})
    assert not light.evaluate(STICKING_OUT, 1024)
    assert light.evaluate("document.scrollingElement.scrollWidth") <= 1024


def test_fits_a_small_screen(phone):
    assert not phone.evaluate(STICKING_OUT, 360)
    assert phone.evaluate("document.scrollingElement.scrollWidth") <= 360


#: Those in folds are seen, too.
SHOWN_TWINS = """() => {
    document.querySelectorAll('details:has(.only-narrow)').forEach((fold) => { fold.open = true; });
    return [...document.querySelectorAll('.figure-twins:has(.only-narrow)')].map((box) =>
        [...box.children].filter((image) => image.checkVisibility()).map((image) =>
            [image.className, image.getBoundingClientRect().width <= box.clientWidth]));
}"""


@pytest.mark.over(chapters())
def test_panels_are_beside_one_another(light):
    assert all(twins == [["only-light only-wide", True]] for twins in light.evaluate(SHOWN_TWINS))


@pytest.mark.over(of_each_kind(chapters()))
def test_panels_are_below_one_another_on_a_phone(light, phone):
    wide, small = light.evaluate(SHOWN_TWINS), phone.evaluate(SHOWN_TWINS)
    assert small == [[["only-dark only-narrow", True]]] * len(wide)


@pytest.mark.over(of_each_kind(all_pages()))
def test_prints_without_navigation_and_with_the_keys_of_its_quizzes(light):
    light.emulate_media(media="print")
    shown = light.locator(
        "nav, [role=navigation], [role=search], header.bd-header, .bd-sidebar, button"
    ).filter(visible=True)
    assert not shown.count(), (
        f"on paper: {[element.evaluate('e => e.outerHTML.slice(0, 120)') for element in shown.all()]}"
    )
    assert light.locator(TITLE).is_visible()
    twins = light.evaluate(SHOWN_TWINS)
    assert twins == [[["only-light only-wide", True]]] * len(twins)
    assert not faults_on_paper(light)


def test_pictures_come_without_scrolling(browser_page, site):
    """For paper: what prints a page without a reader has nobody to scroll."""
    visit(browser_page, site.url("book/token-47"), shown=False)
    pictures = "[...document.images].filter((image) => image.checkVisibility())"
    assert browser_page.evaluate(f"{pictures}.length") > 2
    browser_page.wait_for_function(f"{pictures}.every((image) => image.complete && image.naturalWidth)")
    assert browser_page.evaluate("scrollY") == 0


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_root_leads_to_the_first_page(new_page, site, script):
    page = new_page(java_script_enabled=script)
    for root in (site.url("index.html"), site.file_url("index")):
        page.goto(root)
        page.wait_for_url(f"**/{documents()[0]}.html")


def longest_word(title: str) -> str:
    return max(re.findall(r"\w+", title), key=len)


@pytest.fixture
def ask(browser_page, site):
    """A function that asks the search page: it is opened once, and its script runs anew for each question.

    The index is made once, since that takes most of the time.
    """
    browser_page.goto(site.url("search.html"))
    program = browser_page.locator("script[src*='/search.js']").evaluate("script => script.src")
    browser_page.evaluate(
        "() => { const ranking = makeRanking(PASSAGES); globalThis.makeRanking = () => ranking; }"
    )

    def asked(question: str) -> Page:
        browser_page.evaluate("question => history.replaceState(null, '', question)", f"?q={quote(question)}")
        browser_page.add_script_tag(url=program)
        return browser_page

    return asked


def test_search_finds_every_page(ask, site):
    """By its title, before all others."""
    for name in documents():
        heading = document_fromstring((site.root / f"{name}.html").read_bytes()).xpath("//h1")[0]
        for added in (*heading.find_class("section-number"), *heading.find_class("headerlink")):
            added.drop_tree()
        title = heading.text_content()
        first = ask(title).locator("#search-results a").first
        assert first.evaluate("link => link.href").startswith(site.url(name)), title


#: What readers type, and the page that is to come first.
QUESTIONS = {
    "RoPE": "relatives",
    "ALiBi": "relatives",
    "token order": "order",
    "why 10000": "wavelengths",
    "10,000": "wavelengths",
    "10000": "wavelengths",
    "why both sine and cosine": "two-dimensions",
    "extrapolation": "rope",
    "bfloat16": "numbers",
    "rotate_half": "numbers",
    "uniqueness": "uniqueness",
    "collisions": "uniqueness",
    "NTK": "rope",
    "d_model": "many-dimensions",
    "add or concatenate": "transformer",
    "causal mask": "order",
}


def test_search_answers_what_readers_type(ask, site):
    """With the chapter that answers, and a quotation of it in plain text."""
    wrong = {}
    for asked, page in QUESTIONS.items():
        first = ask(asked).locator("#search-results li").first
        address = first.locator("a").first.evaluate("link => link.href")
        if not address.startswith(site.url(f"book/{page}")):
            wrong[asked] = address
        assert not re.search(r"[\\$]|\.ipynb", first.inner_text())
    assert not wrong


def test_search_that_finds_nothing_says_so(browser_page, site):
    browser_page.goto(f"{site.url('search.html')}?q=<xyzzy>")
    assert browser_page.get_by_role("status").inner_text().startswith("Nothing found for “<xyzzy>”.")


@pytest.mark.over(of_each_kind(documents()))
def test_search_is_asked_from_every_page(light, site):
    """Where the reader types it."""
    word = longest_word(light.locator(TITLE).inner_text())
    light.keyboard.press("Control+k")
    light.keyboard.type(word)
    asked = light.evaluate("""() => {
        const {name, value, form} = document.activeElement;
        return [name, value, form?.action, form?.method, document.activeElement.checkVisibility()]; }""")
    light.keyboard.press("Escape")
    assert asked == ["q", word, site.url("search.html"), "get", True]


def test_search_leads_from_page_to_page(browser_page, site):
    start, end = documents()[0], documents()[1]
    title = visit(browser_page, site.url(end)).locator(TITLE).inner_text()
    visit(browser_page, site.url(start))
    browser_page.wait_for_function("!document.querySelector('script[type=\"text/late\"]')")
    browser_page.wait_for_load_state("networkidle")  # they have come, and run
    browser_page.keyboard.press("Control+k")
    browser_page.keyboard.type(longest_word(title))
    browser_page.keyboard.press("Enter")
    browser_page.locator(f"#search-results a[href*='{end}.html']").first.click()
    browser_page.wait_for_url(f"**/{end}.html*")


def test_search_has_a_button_to_press_on_a_phone(new_page, site):
    """In the dialog and on the search page: inside the screen, large enough for a finger, and it asks."""
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    visit(page, site.url(documents()[1]))
    page.wait_for_function("!document.querySelector('script[type=\"text/late\"]')")
    page.locator(".bd-header-article .search-button").tap()
    for form in ("#pst-search-dialog form", ".bd-search-container form"):
        page.locator(f"{form} input").fill("rope_theta")
        button = page.locator(f"{form} button")
        box = button.bounding_box()
        assert box["height"] >= 44, form
        assert box["x"] + box["width"] <= 360, form
        button.tap()
        page.wait_for_url("**/search.html?q=rope_theta")
        page.locator("#search-results a").first.wait_for()


def test_without_javascript_the_search_says_where_to_look(new_page, site):
    """Each page leads to it, and it to all pages and to the lists of terms and functions."""
    page = new_page(java_script_enabled=False)
    page.goto(site.url(documents()[1]))
    page.locator("a.search-button-field").first.click()
    assert page.url == site.url("search.html")
    text = page.locator(".bd-search-container")
    assert "JavaScript" in text.inner_text()
    there = set(text.locator("a").evaluate_all("links => links.map(link => link.href.split('#')[0])"))
    assert {site.url(f"{name}.html") for name in (*documents(), "genindex")} <= there


@cache
def source_of(chapter: str) -> nbformat.NotebookNode:
    return jupytext.read(REPOSITORY / f"{chapter}.md")


@pytest.mark.over(chapters())
def test_offers_its_notebook(site, page_name):
    page = document_fromstring(site.file(f"/{page_name}.html").read_bytes())
    links = [address for address in page.xpath("//a/@href") if address.endswith(".ipynb")]
    assert links, "no link to the notebook"
    offered = (site.root / page_name).parent / links[0]
    assert offered.resolve() == site.notebook(page_name)
    notebook = nbformat.read(offered, as_version=4)
    nbformat.validate(notebook)
    code = [
        [cell.source for cell in book.cells if cell.cell_type == "code"]
        for book in (notebook, source_of(page_name))
    ]
    assert code[0][1:] == code[1]  # before them is the cell that finds the package
    assert code[1]
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info.name == "python"
    assert "version" not in notebook.metadata.language_info, "the same book comes of each Python"


def test_a_page_holds_still_while_it_loads(light):
    """What is seen keeps its place while explorers, faces and formulas come (cumulative layout shift).

    Bold, italic and formulas have their faces last here, when all else has been drawn.
    """
    assert light.shift <= 0.02


@pytest.mark.over(of_each_kind(all_pages()))
def test_a_page_holds_still_on_a_phone(phone):
    assert phone.shift <= 0.02


def test_no_blank_follows_a_root(light):
    """A root gets the room of the widest sign for one in its face; `cut_fonts.py` makes all as wide."""
    blanks = light.locator("msqrt:visible").evaluate_all("""roots => roots.map((root) =>
        (root.getBoundingClientRect().right - root.lastElementChild.getBoundingClientRect().right)
            / parseFloat(getComputedStyle(root).fontSize)
    )""")
    assert max(blanks, default=0) < 0.1


def test_figures_have_the_typefaces_of_the_book_and_the_colors_of_the_palette(site):
    """So that each has a dark twin, and all look like one book: words in the sans, variables slanted."""
    known = {color.lower() for color in PALETTE["diverging"]}
    known |= {color.lower() for pair in PALETTE.values() if isinstance(pair, dict) for color in pair.values()}
    figures = [path.read_text(encoding="utf-8") for path in (site.root / "_images").glob("*.svg")]
    assert figures
    faces: set[str] = set()
    for figure in figures:
        drawn = re.sub(
            r"stroke: #000000; stroke-opacity: 0\b(?!\.)", "", figure
        )  # Matplotlib's word for no edge
        assert {color.lower() for color in re.findall(r"#[0-9a-fA-F]{6}\b", drawn)} <= known
        faces.update(re.findall(r'id="([A-Za-z0-9]+-[A-Za-z]+)-[0-9a-f]+"', figure))
    assert faces == {"WavesSans-Regular", "STIXGeneral-Italic", "STIXGeneral-Regular"}, (
        "the last has the roots"
    )
