"""A reference shows what it leads to: while it is pointed at, or has the focus."""

from __future__ import annotations

import json
import re

from harness import visit
from lxml.html import document_fromstring

from bookext.finish import previews

PAGE, CARD = "book/shift", "#preview"
REFERENCE = r'internal" href="([\w-]*\.html)?#((?:thm|rem|equation|ex)-[\w-]+)"'


def test_every_theorem_equation_exercise_and_source_that_is_referred_to_has_a_preview(site):
    text = (site.root / "_static/previewed.js").read_text(encoding="utf-8")
    shown_for = json.loads(text.removeprefix("var PREVIEWS = ").removesuffix(";\n"))
    for path in sorted((site.root / "book").glob("*.html")):
        page = path.read_text(encoding="utf-8")
        for other, anchor in re.findall(REFERENCE, page):
            shown = shown_for[f"book/{other or path.name}#{anchor}"]
            assert not re.search(r"<details|<a |\bid=|headerlink", shown)
            assert len(shown) < 6_000, anchor


def test_of_a_row_a_preview_shows_the_columns_that_are_marked():
    heads = "<th>Source</th><th><i data-preview>Said</i></th><th>Computed</th><th><i data-preview>So</i></th>"
    cells = '<td><span id="c">X-1</span></td><td>one</td><td>1.0</td><td class="x">two</td>'
    page = document_fromstring(f"<table><tr>{heads}</tr><tr>{cells}</tr></table>")
    assert previews.preview(page.get_element_by_id("c")) == (
        "<dl><dt>Said</dt><dd>one</dd><dt>So</dt><dd>two</dd></dl>"
    )
    for mark in page.xpath("//i"):
        del mark.attrib["data-preview"]
    assert previews.preview(page.get_element_by_id("c")) is None


def test_a_reference_shows_what_it_leads_to(browser_page, site):
    asked = []
    browser_page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page = visit(browser_page, site.url(PAGE))
    card = page.locator(CARD)
    assert "previewed.js" not in asked, "before a reader asks, it costs nothing"

    other = page.locator('article a.internal[href="returns.html#thm-reals"]').filter(visible=True).first
    other.hover()
    card.wait_for()
    assert card.inner_text().startswith(other.inner_text())
    assert card.locator("math").count()
    box, link = card.bounding_box(), other.bounding_box()
    assert box["y"] >= link["y"] + link["height"] - 1 or box["y"] + box["height"] <= link["y"] + 1
    card.hover()  # what is shown can be pointed at
    page.wait_for_timeout(400)
    assert card.is_visible()
    page.keyboard.press("Escape")
    assert not card.is_visible()
    page.mouse.move(0, 0)

    here = page.locator('article a.internal[href="#thm-only"]').filter(visible=True).first
    here.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # the focus comes from the keyboard
    card.wait_for()
    assert here.get_attribute("aria-describedby") == "preview"
    assert page.locator(CARD).get_attribute("role") == "tooltip"
    assert "The shift is unique" in card.inner_text()
    page.keyboard.press("Tab")
    page.wait_for_function(
        "link => link.getAttribute('aria-describedby') !== 'preview'", arg=here.element_handle()
    )
    assert not here.get_attribute("aria-describedby")


def test_a_claim_is_shown_with_its_verdict_and_from_the_disk(browser_page, site):
    page = visit(browser_page, (site.root / "book/distance-law.html").as_uri())
    page.locator('article a.internal[href^="is-it-so.html#claim-h3-17"]').first.hover()
    page.locator(CARD).wait_for()
    assert "fails" in page.locator(CARD).inner_text()
