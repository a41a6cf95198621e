"""What a page's own script does: named buttons, the list of keys, the section in which a mistake is."""

from __future__ import annotations

import shutil
from urllib.parse import parse_qs, urlsplit

import pytest
from harness import REPOSITORY, visit

PAGE = """<!doctype html><script src="head.js"></script><script defer src="page.js"></script><article>
<section id="one" style="height: 3000px"><section id="two" style="height: 2000px; margin-top: 1000px">
</section></section></article>
<input id="text"><input id="range" type="range"><button data-does="print">Print</button>
<button data-does="keys">Keyboard</button>
<a class="page-report"
   href="https://a.org/issues/new?title=T&amp;body=Page%3A+a%0ASection%3A+%0A%0AWhat%3F">Report</a>"""


@pytest.fixture
def page(browser, tmp_path):
    for script in ("finish/head.js", "static/page.js"):
        shutil.copy(REPOSITORY / "code/bookext" / script, tmp_path)
    (tmp_path / "page.html").write_text(PAGE)
    page = browser.new_page(viewport={"width": 800, "height": 600})
    page.add_init_script("window.printed = 0; window.print = () => { window.printed += 1; }")
    page.goto((tmp_path / "page.html").as_uri())
    yield page
    page.close()


def test_a_question_mark_opens_the_keys_and_can_be_turned_off(page):
    dialog = page.locator("dialog")
    page.focus("#text")
    page.keyboard.press("?")
    assert page.input_value("#text") == "?"
    assert not dialog.count()
    page.focus("#range")
    page.keyboard.press("?")
    assert dialog.is_visible()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert page.evaluate("document.activeElement.id") == "range"
    page.click("text=Keyboard")
    dialog.locator("input").uncheck()
    dialog.get_by_role("button", name="Close").click()
    page.keyboard.press("?")
    assert not dialog.is_visible()
    page.reload()
    page.keyboard.press("?")
    assert not dialog.count(), "remembered"


def test_buttons_do_what_they_name(page):
    page.click("text=Print")
    assert page.evaluate("printed") == 1


def test_a_report_names_the_section_that_was_read(page):
    body = """() => new URL(document.querySelector('.page-report').href).searchParams.get('body')"""
    assert "Section: #one\n" in page.evaluate(body)
    page.evaluate("scrollTo(0, 2500)")
    page.wait_for_function(f"({body})().includes('Section: #two')")
    page.evaluate("scrollTo(0, 1e6)")
    page.wait_for_timeout(500)
    query = parse_qs(urlsplit(page.get_attribute(".page-report", "href")).query)
    assert query == {"title": ["T"], "body": ["Page: a\nSection: #two\n\nWhat?"]}


def test_the_tools_of_a_page_of_the_book(browser_page, site):
    visit(browser_page, site.url("book/order"))
    tools = browser_page.locator(".page-tools")
    tools.locator("summary").click()
    assert "Does attention know order?" in tools.locator("pre").inner_text()
    assert tools.locator(".copybtn").count() == 1
    tools.locator("button", has_text="Keyboard").click()
    assert browser_page.locator("dialog.page-keys").is_visible()
    browser_page.keyboard.press("Escape")
    browser_page.emulate_media(media="print")
    assert not tools.is_visible()
