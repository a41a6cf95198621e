"""A searchable table narrows, filters and sorts by keyboard; without JavaScript it is all there."""

from __future__ import annotations

import csv

import pytest
import yaml
from harness import REPOSITORY, documents, visit

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
    yield light
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
    claims = yaml.safe_load((REPOSITORY / "book/claims.yml").read_text(encoding="utf-8"))
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
    search = page.get_by_role("searchbox")
    search.press_sequentially("ALiBi")
    assert shown(page) == [row["id"] for row in recorded if "alibi" in row["claim"].lower()]
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


def test_heads_sort_from_the_keyboard(browser_page, site, recorded):
    """On a page of its own, whose rows it leaves in another order."""
    page = visit(browser_page, site.url(PAGE), typeset=False)
    page.wait_for_selector(".table-tools")
    head = page.get_by_role("button", name="Verdict: Activate to sort")
    head.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("th[aria-sort=ascending]")
    order = {row["id"]: row["verdict"] for row in recorded}
    assert [order[name] for name in shown(page)] == sorted(order.values())


def test_a_link_leads_to_its_row(browser_page, site):
    page = browser_page
    page.goto(site.url(f"{PAGE}.html#claim-h2-09"))
    row = page.locator("tr:has(:target)")
    assert row.locator("td").first.inner_text().strip() == "H2-09"
    box = row.bounding_box()
    assert 0 <= box["y"] <= 700


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
