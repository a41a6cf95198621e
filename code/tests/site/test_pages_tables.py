"""A searchable table narrows by words and by choice, from the keyboard; without JavaScript it is whole."""

from __future__ import annotations

import csv

import pytest
from harness import documents, visit

PAGE = "book/is-it-so"
ROWS = "table.searchable tbody tr"
FIRST = 5


@pytest.fixture(scope="module")
def recorded(site) -> list[dict[str, str]]:
    """The table as the site offers it for download."""
    with (site.root / "claims.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def page(light):
    """The page, and its table with all rows."""
    light.wait_for_selector(".table-tools")
    light.get_by_role("button", name="All ").click()
    yield light
    light.get_by_role("searchbox").fill("")
    for choice in light.locator(".table-tools select").all():
        choice.select_option("")
    light.get_by_role("button", name="The first").click()


def shown(page) -> list[str]:
    """The marks of the rows that are shown; the count beside the tools must agree."""
    names = [
        row.locator("td").first.inner_text().strip() for row in page.locator(f"{ROWS}:not([hidden])").all()
    ]
    assert page.locator(".table-tools output").inner_text().startswith(f"{len(names)} of ")
    return names


@pytest.mark.over([PAGE])
def test_the_download_is_the_table(page, recorded):
    assert list(recorded[0]) == ["id", "about", "from", "at", "read", "verdict", "computed", "claim"]
    rows = [
        [cell.text_content().strip() for cell in row.locator("td").all()] for row in page.locator(ROWS).all()
    ]
    assert [(row[0], row[2].split(":")[0]) for row in rows] == [
        (row["id"], row["verdict"]) for row in recorded
    ]
    assert shown(page) == [row["id"] for row in recorded]
    link = page.locator("a[href$='claims.csv']")
    assert link.get_attribute("download") is not None
    assert link.get_attribute("href") == "../claims.csv"


@pytest.mark.over([PAGE])
def test_how_much_was_read_stands_before_the_verdict(page, recorded):
    for row, data in zip(page.locator(ROWS).all(), recorded, strict=True):
        said = row.locator("td").nth(1).text_content()
        read = data["read"]
        assert ("(abstract)" in said) == (read.startswith("the abstract") and " and " not in read), data["id"]
        if data["id"].startswith("P-"):
            assert any(f"({word})" in said for word in ("abstract", "whole", "part")), data["id"]


@pytest.mark.over([PAGE])
def test_words_narrow_the_table(page, recorded):
    texts = dict(zip(shown(page), page.locator(ROWS).all_text_contents(), strict=True))
    search = page.get_by_role("searchbox")
    search.press_sequentially("alibi mask")
    found = shown(page)
    assert found == [name for name, text in texts.items() if {"alibi", "mask"} <= set_of(text)]
    assert found
    search.fill("nothing is said of this")
    assert shown(page) == []
    search.fill("")
    assert len(shown(page)) == len(recorded)


def set_of(text: str) -> set[str]:
    """Which of two words are in a text."""
    return {word for word in ("alibi", "mask") if word in text.lower()}


@pytest.mark.over([PAGE])
def test_choices_work_together_from_the_keyboard(page, recorded):
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("fails")
    fails = [row["id"] for row in recorded if row["verdict"] == "fails"]
    assert shown(page) == fails
    page.keyboard.press("Tab")
    page.keyboard.type("length")
    length = {row["id"] for row in recorded if row["about"] == "length"}
    assert shown(page) == [name for name in fails if name in length]
    assert page.get_by_label("Read").locator("option").all_text_contents() == [
        "all",
        "abstract",
        "part",
        "whole",
    ]


def test_at_first_those_that_surprise_are_shown(browser_page, site, recorded):
    """The others are a button away, which keeps the focus; a long verdict is folded behind another."""
    page = visit(browser_page, site.url(PAGE))
    page.wait_for_selector(".table-tools")
    assert shown(page) == [row["id"] for row in recorded[:FIRST]]
    every = page.get_by_role("button", name=f"All {len(recorded)}")
    every.focus()
    page.keyboard.press("Enter")
    assert len(shown(page)) == len(recorded)
    assert page.evaluate("document.activeElement.textContent") == f"The first {FIRST}"
    more = page.locator(".table-more").first
    assert more.get_attribute("aria-expanded") == "false"
    hidden = page.locator(".searchable .more").first
    assert not hidden.is_visible()
    more.focus()
    page.keyboard.press("Enter")
    assert hidden.is_visible()
    assert more.get_attribute("aria-expanded") == "true"


@pytest.mark.parametrize("way", ["opened with it", "clicked", "typed", "filtered out"])
def test_a_link_leads_to_its_row(way, browser_page, site):
    """The row is not among the first, and has to be shown."""
    page = browser_page
    page.goto(site.url(f"{PAGE}.html") + ("#claim-h2-09" if way == "opened with it" else ""))
    page.wait_for_selector(".table-tools")
    if way == "typed":
        page.evaluate("location.hash = 'claim-h2-09'")
    elif way == "filtered out":
        page.get_by_role("searchbox").fill("ALiBi")
    if way in ("clicked", "filtered out"):
        page.locator("a[href='#claim-h2-09']").first.click()
    row = page.locator("tr:has(:target)")
    row.wait_for()
    assert row.locator("td").first.inner_text().strip() == "H2-09"
    page.wait_for_function(
        "row => 0 <= row.getBoundingClientRect().y && row.getBoundingClientRect().y <= 700",
        arg=row.element_handle(),
    )


def test_all_rows_are_printed(browser_page, site, recorded):
    """Whatever the screen shows, and with what is folded there."""
    page = visit(browser_page, site.url(PAGE))
    page.wait_for_selector(".table-tools")
    page.emulate_media(media="print")
    assert page.locator(ROWS).count() == len(recorded)
    assert all(row.is_visible() for row in page.locator(ROWS).all())
    assert page.locator(".searchable .more").last.is_visible()
    assert not page.locator(".table-more").first.is_visible()
    page.emulate_media(media="screen")


def test_without_javascript_the_table_is_there(new_page, site, recorded):
    page = new_page(java_script_enabled=False)
    page.goto(site.url(PAGE))
    assert page.locator(ROWS).count() == len(recorded)
    assert page.locator(ROWS).last.is_visible()
    assert page.locator(".searchable .more").last.is_visible()
    assert not page.locator(".table-tools").count()


@pytest.mark.over(documents())
def test_only_pages_with_such_a_table_load_what_it_needs(site, page_name):
    text = (site.root / f"{page_name}.html").read_text(encoding="utf-8")
    assert ("tables.js" in text) == ('class="searchable' in text)
