"""The switch "Show all code": on every page, remembered, without a flash, with no script at all."""

from __future__ import annotations

import re

import nbformat
import pytest
from harness import REPOSITORY, all_pages, chapters, visit

SWITCH = "#show-code"
#: Whether the sources that wait are seen, all of them alike.
SEEN = """(() => {
    const seen = [...document.querySelectorAll('.code-waits')].map((e) => e.checkVisibility());
    return seen.length ? [...new Set(seen)] : null; })()"""
CHAPTER, OTHER, NO_CODE = "book/order", "book/two-dimensions", "book/glossary"


@pytest.mark.over(all_pages())
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


def test_a_browser_that_keeps_nothing_has_the_switch_too(browser_page, site):
    browser_page.add_init_script("""Object.defineProperty(window, 'localStorage',
        {get() { throw new DOMException('no', 'SecurityError'); }});""")
    page = browser_page
    page.goto(site.url(CHAPTER))
    assert page.evaluate(SEEN) == [False]
    page.locator(SWITCH).press("Space")
    assert page.evaluate(SEEN) == [True]
    page.guard.complaints.clear()  # the theme's own scripts ask for the storage, too, and say what they miss


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
