"""A searchable table narrows, filters, sorts and has pages by keyboard; without JavaScript it is whole."""

from __future__ import annotations

import csv

import pytest
import yaml
from harness import documents, visit

from wavebook import data

PAGE = "book/claims"
ROWS = "table.searchable tbody tr"


@pytest.fixture(scope="module")
def recorded(site) -> list[dict[str, str]]:
    """The table as the site offers it for download."""
    with (site.root / "claims.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def page(light):
    """The page, and its table as it came: not searched, not filtered."""
    light.wait_for_selector(".table-tools")
    light.get_by_role("button", name="All rows").click()
    yield light
    light.get_by_role("button", name="rows a page").click()
    light.get_by_role("searchbox").fill("")
    for name in ("Verdict", "Source"):
        light.get_by_role("group", name=name).get_by_label("all").check()


def shown(page) -> list[str]:
    """The claims that the table shows, in its order; the count beside the tools must agree."""
    names = [row.locator("td").first.inner_text().strip() for row in page.locator(ROWS).all()]
    names = [name for name in names if "-" in name]  # not the row that says that there is none
    assert page.locator(".table-tools output").inner_text().startswith(f"{len(names)} of ")
    return names


@pytest.mark.over([PAGE])
def test_the_download_is_the_table(page, recorded):
    claims = yaml.safe_load(data.read("claims.yml"))
    assert list(recorded[0]) == ["id", "verdict", "computed", "claim"]
    assert [(row["id"], row["claim"]) for row in recorded] == [
        (claim["id"], claim["claim"]) for claim in claims
    ]
    rows = [
        [cell.inner_text().strip() for cell in row.locator("td").all()] for row in page.locator(ROWS).all()
    ]
    assert [(row[0], row[2]) for row in rows] == [(row["id"], row["verdict"]) for row in recorded]
    link = page.locator("a[href$='claims.csv']")
    assert link.get_attribute("download") is not None
    assert link.get_attribute("href") == "../claims.csv"


@pytest.mark.over([PAGE])
def test_search_narrows_the_table(page, recorded):
    texts = dict(zip(shown(page), page.locator(ROWS).all_text_contents(), strict=True))
    search = page.get_by_role("searchbox")
    search.press_sequentially("ALiBi")
    found = shown(page)
    assert found == [name for name, text in texts.items() if "alibi" in text.lower()]
    assert {row["id"] for row in recorded if "alibi" in row["claim"].lower()} <= set(found)
    search.fill("nothing is said of this")
    assert shown(page) == []
    search.fill("")
    assert len(shown(page)) == len(recorded)


@pytest.mark.over([PAGE])
def test_filters_work_together_from_the_keyboard(page, recorded):
    verdict, source = (page.get_by_role("group", name=name) for name in ("Verdict", "Source"))
    verdict.get_by_label("all").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert shown(page) == [row["id"] for row in recorded if row["verdict"] == "fails"]
    source.get_by_label("all").focus()
    page.keyboard.press("ArrowRight")
    assert shown(page) == [
        row["id"] for row in recorded if row["verdict"] == "fails" and row["id"].startswith("H1-")
    ]
    page.keyboard.press("ArrowLeft")
    verdict.get_by_label("all").check()
    assert len(shown(page)) == len(recorded)


def test_the_table_turns_its_pages(browser_page, site, recorded):
    """By keyboard, from the first page to the last; the focus stays on the button."""
    page = visit(browser_page, site.url(PAGE))
    page.wait_for_selector(".table-tools")
    names = [row["id"] for row in recorded]
    rows, told = page.locator(ROWS), page.locator(".table-tools output")
    size = rows.count()
    assert 8 < size < 20
    following, before = (page.get_by_role("button", name=name) for name in ("Next", "Previous"))
    assert before.get_attribute("aria-disabled") == "true"
    following.focus()
    for start in range(0, len(names), size):
        present = [row.locator("td").first.inner_text().strip() for row in rows.all()]
        assert present == names[start : start + size]
        assert told.inner_text() == f"{start + 1} to {start + len(present)} of {len(names)} rows"
        page.keyboard.press("Enter")
    assert following.get_attribute("aria-disabled") == "true"
    assert following.evaluate("button => button === document.activeElement")
    before.click()
    assert rows.count() == size


def test_heads_sort_from_the_keyboard(browser_page, site, recorded):
    """On a page of its own, whose rows it leaves in another order."""
    page = visit(browser_page, site.url(PAGE))
    page.wait_for_selector(".table-tools")
    page.get_by_role("button", name="All rows").click()
    head = page.get_by_role("button", name="Verdict: Activate to sort")
    head.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("th[aria-sort=ascending]")
    order = {row["id"]: row["verdict"] for row in recorded}
    assert [order[name] for name in shown(page)] == sorted(order.values())


@pytest.mark.parametrize("way", ["opened with it", "clicked", "clicked again", "typed", "filtered out"])
def test_a_link_leads_to_its_row(way, browser_page, site):
    """The row is on a later page of the table, which has to be turned to."""
    page = browser_page
    page.goto(site.url(f"{PAGE}.html") + ("#claim-h2-09" if way == "opened with it" else ""))
    page.wait_for_selector(".table-tools")
    if way == "typed":
        page.evaluate("location.hash = 'claim-h2-09'")
    elif way == "filtered out":
        page.get_by_role("searchbox").fill("ALiBi")
    if way in ("clicked", "clicked again", "filtered out"):
        page.locator("a[href='#claim-h2-09']").first.click()
    if way == "clicked again":
        page.get_by_role("button", name="Next").click()
        page.locator("a[href='#claim-h2-09']").first.click()
    row = page.locator("tr:has(:target)")
    row.wait_for()
    assert row.locator("td").first.inner_text().strip() == "H2-09"
    page.wait_for_function(
        "row => 0 <= row.getBoundingClientRect().y && row.getBoundingClientRect().y <= 700",
        arg=row.element_handle(),
    )


def test_all_rows_are_printed(browser_page, site, recorded):
    """With their formulas set, in the rows too that are not in the page before."""
    page = visit(browser_page, site.url(PAGE))
    page.wait_for_selector(".table-tools")
    some = page.locator(ROWS).count()
    formulas = page.locator(f"{ROWS} .math").count()
    for event, count in (("beforeprint", len(recorded)), ("afterprint", some)):
        page.evaluate("event => dispatchEvent(new Event(event))", event)
        assert page.locator(ROWS).count() == count
        if event == "beforeprint":
            assert page.locator(f"{ROWS} .math").count() > formulas
            assert not page.locator(f"{ROWS} .math:not(:has(math))").count()


def test_without_javascript_the_table_is_there(new_page, site, recorded):
    page = new_page(java_script_enabled=False)
    page.goto(site.url(PAGE))
    assert page.locator(ROWS).count() == len(recorded)
    assert page.locator(ROWS).last.is_visible()
    assert not page.locator(".table-tools").count()


@pytest.mark.over(documents())
def test_only_pages_with_such_a_table_load_what_it_needs(site, page_name):
    text = (site.root / f"{page_name}.html").read_text(encoding="utf-8")
    assert ("dataTables" in text) == ("tables.js" in text) == ('class="searchable' in text)
