"""Every page of the built site, in a browser that reaches no other host: it loads clean, reads well, leads on."""

from __future__ import annotations

import re

import jupytext
import nbformat
import pytest
from harness import REPOSITORY, chapters, documents, guarded_page, read_through, visit

GENERATED = ["search", "genindex"]
PAGES = documents() + GENERATED
TITLE = "h1:not(.onlyprint h1)"  # the theme repeats it for print


@pytest.fixture(scope="module", params=PAGES)
def visited(request, browser, site):
    """Each page loaded and read through once, for the tests that only look."""
    with guarded_page(browser, site.origin) as page:
        yield read_through(visit(page, site.url(request.param)))


def test_no_page_is_left_out(site):
    built = {
        str(path.relative_to(site.root))
        for path in site.root.rglob("*.html")
        if path.relative_to(site.root).parts[0] not in ("_static", "reports")
    }
    assert built == {f"{page}.html" for page in PAGES} | {"index.html"}


def test_loads_without_complaint(visited):
    assert visited.guard.requests
    visited.guard.check()


def test_formulas_are_typeset(visited):
    assert not visited.locator("mjx-merror, [data-mjx-error]").count()
    raw = visited.evaluate(r"""() => {
        const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT), found = [];
        for (let node; (node = walker.nextNode());)
            if (!node.parentElement.closest('pre, code, script, style, mjx-container, svg')
                && /\\[()[\]]|\$|\\[a-z]{2,}|\{[a-z:]+\}/.test(node.textContent)) found.push(node.textContent.trim());
        return found;
    }""")
    assert not raw, f"source text left on the page: {raw}"


def test_images_say_what_they_show(visited):
    for image in visited.locator("main img").filter(visible=True).all():
        source, text = image.get_attribute("src") or "", image.get_attribute("alt")
        assert text is not None, f"{source[:80]} has no alternative text"
        assert len(text.split()) >= 4, f"{source[:80]}: {text!r} does not say what is to be seen"
        assert not re.search(r"[0-9a-f]{16}|\.(png|svg|jpe?g)\b", text), (
            f"{source[:80]}: {text!r} is a file's name"
        )
        assert image.evaluate("image => image.naturalWidth"), f"{source[:80]} shows nothing"


@pytest.mark.parametrize("page", PAGES)
def test_works_from_a_file(browser_page, site, page):
    visit(browser_page, site.file_url(page))
    assert browser_page.locator(TITLE).is_visible()
    # The guard of `browser_page` does the rest: nothing fetched elsewhere, nothing missing, no complaint.


# Something hidden by a clipping ancestor widens no page, so elements are measured one by one.
STICKING_OUT = """() => {
    const scrolls = (element) => {
        for (; element && element !== document.body; element = element.parentElement)
            if (/auto|scroll/.test(getComputedStyle(element).overflowX)) return true;
        return false;
    };
    return [...document.querySelectorAll('main *')].filter((element) => {
        const box = element.getBoundingClientRect();
        return box.width > 1 && box.height > 1 && (box.right > innerWidth + 1 || box.left < -1)
            && element.checkVisibility({visibilityProperty: true}) && !scrolls(element)
            && !element.closest('.sidebar, dialog, mjx-assistive-mml');
    }).map((element) => element.outerHTML.slice(0, 120)).slice(0, 5);
}"""


def test_fits_a_wide_screen(visited):
    assert visited.evaluate("document.scrollingElement.scrollWidth") <= 1280
    assert not visited.evaluate(STICKING_OUT)


@pytest.mark.parametrize("page", PAGES)
def test_fits_a_small_screen(new_page, site, page):
    view = visit(new_page(viewport={"width": 360, "height": 740}), site.url(page))
    sticking_out = view.evaluate(STICKING_OUT)
    assert not sticking_out and view.evaluate("document.scrollingElement.scrollWidth") <= 360, sticking_out


def test_prints_without_navigation(visited):
    visited.emulate_media(media="print")
    try:
        shown = visited.locator(
            "nav, [role=navigation], [role=search], header.bd-header, .bd-sidebar, button"
        ).filter(visible=True)
        assert not shown.count(), (
            f"on paper: {[element.evaluate('e => e.outerHTML.slice(0, 120)') for element in shown.all()]}"
        )
        assert visited.locator(TITLE).is_visible()
    finally:
        visited.emulate_media(media="screen")


def test_pictures_come_without_scrolling(browser_page, site):
    """For paper: what prints a page without a reader has nobody to scroll."""
    visit(browser_page, site.url("book/two-dimensions"))
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


def test_search_finds_every_page(browser_page, site):
    """By the longest word of its title, typed where the reader types it."""
    for name in documents():
        title = visit(browser_page, site.url(name)).locator(TITLE).inner_text()
        browser_page.keyboard.press("Control+k")
        browser_page.keyboard.type(max(re.findall(r"\w+", title), key=len))
        browser_page.keyboard.press("Enter")
        result = browser_page.locator(f"#search-results a[href*='{name}.html']").first
        result.click()
        browser_page.wait_for_url(f"**/{name}.html*")


@pytest.mark.parametrize("chapter", chapters())
def test_offers_its_notebook(site, chapter):
    from bs4 import BeautifulSoup

    page = BeautifulSoup(site.file(f"/{chapter}.html").read_text(), "html.parser")
    link = page.select_one("a[href$='.ipynb']")
    assert link, "no link to the notebook"
    notebook = nbformat.read((site.root / chapter).parent / link["href"], as_version=4)
    nbformat.validate(notebook)
    source = jupytext.read(REPOSITORY / f"{chapter}.md")
    code = [[cell.source for cell in book.cells if cell.cell_type == "code"] for book in (notebook, source)]
    assert code[0] == code[1] and code[1]
    assert notebook.metadata.kernelspec.name == "python3"
