"""The switch "Show all code": on every page, remembered, without a flash, with no script at all."""

from __future__ import annotations

import re

import nbformat
import pytest
from harness import REPOSITORY, all_pages, chapters, of_each_kind, visit

SWITCH = "#show-code"
#: Whether the sources that wait are seen, all of them alike.
SEEN = """(() => {
    const seen = [...document.querySelectorAll('.code-waits')]
        .filter((e) => !e.closest('details:not([open])')).map((e) => e.checkVisibility());
    return seen.length ? [...new Set(seen)] : null; })()"""
CHAPTER, OTHER, NO_CODE = "book/order", "book/two-dimensions", "book/glossary"


@pytest.mark.over(of_each_kind(all_pages()))
def test_every_page_has_the_switch(light, phone):
    for page in (light, phone):
        switch = page.get_by_role("switch", name="Show all code")
        assert switch.count() == 1
        assert switch.is_visible()
        assert not switch.is_checked()


@pytest.mark.over(chapters())
def test_every_cell_is_on_the_page(light, site, page_name):
    cells = nbformat.read(site.notebook(page_name), as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    source = (REPOSITORY / f"{page_name}.md").read_text(encoding="utf-8")
    alone = re.findall(r"^\{\.notebook-only\}\n## (?:.*\n)+?(?=## |\Z)", source, re.MULTILINE)
    left_out = 1 + "".join(alone).count("```{code-cell}")  # with that which finds the package
    assert light.locator("main .cell_input").count() == len(code) - left_out


def test_code_waits_and_what_it_draws_does_not(browser_page, site):
    page = visit(browser_page, site.url(CHAPTER))
    assert page.evaluate(SEEN) == [False]
    assert page.locator(".tag_show .cell_input").first.is_visible()
    assert page.locator("[data-explorer]").first.is_visible()
    assert page.locator("main figure img").filter(visible=True).count()
    assert not page.locator(".solution .code-waits").count()


def test_the_switch_is_remembered_on_all_pages(browser_page, site):
    page = visit(browser_page, site.url(CHAPTER))
    switch = page.locator(SWITCH)
    switch.focus()
    page.keyboard.press("Space")
    assert switch.is_checked()
    assert page.evaluate(SEEN) == [True]
    for other in (NO_CODE, OTHER):
        page.goto(site.url(other))
        assert page.locator(SWITCH).is_checked()
    assert page.evaluate(SEEN) == [True]
    page.locator(".show-code").click()
    assert page.evaluate(SEEN) == [False]
    page.reload()
    assert not page.locator(SWITCH).is_checked()
    assert page.evaluate(SEEN) == [False]


def test_code_is_there_from_the_first_frame(browser_page, site):
    """Or the page would flash, and move."""
    page = browser_page
    page.goto(site.url(NO_CODE))
    page.evaluate("localStorage.setItem('code', 'all')")
    # What the first cell to be parsed looks like, before any frame that has it is drawn.
    page.add_init_script("""
        window.first = null;
        new MutationObserver((_, self) => {
            const cell = document.querySelector('.code-waits');
            if (!cell) return;
            self.disconnect();
            const {code} = document.documentElement.dataset;
            window.first = [code, cell.checkVisibility(), document.readyState];
        }).observe(document, {childList: true, subtree: true});""")
    page.goto(site.url(CHAPTER))
    assert page.evaluate("window.first") == ["all", True, "loading"]


@pytest.fixture
def forgetful(browser_page):
    """A page in a browser that keeps nothing."""
    browser_page.add_init_script("""Object.defineProperty(window, 'localStorage',
        {get() { throw new DOMException('no', 'SecurityError'); }});""")
    yield browser_page
    browser_page.guard.complaints.clear()  # the theme's own scripts ask for it, too, and say what they miss


def test_a_browser_that_keeps_nothing_has_the_switch_too(forgetful, site):
    forgetful.goto(site.url(CHAPTER))
    assert forgetful.evaluate(SEEN) == [False]
    forgetful.locator(SWITCH).press("Space")
    assert forgetful.evaluate(SEEN) == [True]


def test_a_browser_that_keeps_nothing_has_all_other_tools_too(forgetful, site):
    """Each holds for the page, and only the one whose matter is to remember says so."""
    page = forgetful
    page.goto(site.url(CHAPTER))
    page.locator("[data-say-why] summary").first.click()
    page.get_by_role("textbox", name="Say why").fill("Since.")
    page.get_by_role("checkbox", name="Keep my sentence").check()
    page.keyboard.press("?")
    keys = page.locator("dialog.page-keys")
    keys.get_by_role("checkbox").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert not keys.is_visible()

    page.goto(site.url("book/teaching"))
    page.locator(".deck-own summary").click()
    box = page.locator(".deck-own textarea")
    assert box.input_value()
    box.fill("A slide.")
    page.get_by_role("button", name="Present my slides").click()
    page.locator(".deck-stage").wait_for()

    page.goto(f"{site.url('book/recall')}?of=shift")
    session = page.locator("[data-recall-session]")
    session.get_by_role("button", name="Begin").click()
    while session.get_attribute("data-state") != "open":
        session.get_by_role("button", name=re.compile("Show the answer|Not yet|Next")).click()
    page.get_by_text("This browser keeps nothing").wait_for()


def test_without_javascript_the_switch_works(new_page, site):
    page = new_page(java_script_enabled=False)
    page.goto(site.url(CHAPTER))
    source = page.locator(".code-waits").first
    assert not source.is_visible()
    page.locator(".show-code").click()
    assert source.is_visible()


def test_paper_shows_no_code_that_waits(browser_page, site):
    page = visit(browser_page, site.url(CHAPTER))
    page.locator(SWITCH).press("Space")
    page.emulate_media(media="print")
    assert page.evaluate(SEEN) == [False]
    assert not page.locator(SWITCH).is_visible()
    assert page.locator(".tag_show .cell_input").first.is_visible()
