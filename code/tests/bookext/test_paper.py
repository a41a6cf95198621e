"""How pages become one document for paper, on two small ones; the PDF itself is looked at by test_pdf.py."""

from __future__ import annotations

import dataclasses

import pytest
from lxml import html

from bookext.book import Book
from bookext.formats.paper import Taken, joined

ROOT = "file:///site/"
# ruff: noqa: E501  (pages as the build writes them)
ONE = """<article class="bd-article"><section id="one"><h1>1 One<a class="headerlink" href="#one">#</a></h1>
<p id="twice">See <a href="file:///site/book/two.html#twice">two</a>,
<a href="file:///site/book/two.html">all of it</a>,
<a href="file:///site/book/two.html#lost">a lost place</a>, <a href="file:///site/claims.csv">the data</a>,
<a href="file:///site/book/one.html?Clock.p=3">a setting</a> and <a href="https://example.org/x">the web</a>.</p>
<details><summary>Source</summary><div class="highlight"><pre>code</pre></div></details>
<details class="proof-fold"><summary>Proof</summary><p>Because.</p></details>
<div class="cell code-waits"><pre>import this</pre></div>
<div class="explorer-view"><div data-explorer="clock"
id="clock"><svg><g clip-path="url(#box)"></g></svg></div></div>
<div class="solution"><p>The solution.</p></div>
<details class="formal-theorem"><summary>It holds</summary><p>Where the two differ: nowhere.</p><div
><table class="formal-reads"></table></div><p>In A.v</p></details>
<div class="theorem-map"><details class="map-item"><summary>It holds</summary><div
class="map-said">In A.v</div></details></div>
<fieldset class="quiz" data-quiz=""><legend>Which?</legend>
<div class="quiz-option" data-quiz-option=""><label><input type="radio" name="q"><span
class="quiz-letter" data-quiz-letter="">A</span>this</label>
<div role="status"><div class="quiz-feedback" data-quiz-feedback=""><p>No.</p></div></div></div>
<div class="quiz-option" data-quiz-option="" data-right=""><label><input type="radio" name="q">
<span class="quiz-letter" data-quiz-letter="">B</span>that</label>
<div role="status"><div class="quiz-feedback" data-quiz-feedback=""><p>Yes.</p></div></div></div></fieldset>
<section id="sec"><h2>A section</h2><p>After.</p></section></section></article>"""
TWO = """<article class="bd-article"><section id="two"><h1>2 Two</h1><p id="twice">Again.</p></section></article>"""
PAGES = [Taken("book/one", ONE, ["p { color: red; }"]), Taken("book/two", TWO, ["p { color: red; }"])]
BOOK = Book(
    'The "Book"', "Someone", root="book/one.html", parts=[("A part", ["book/two.html"])], palette="sea"
)


@pytest.fixture(scope="module")
def document():
    return html.document_fromstring(joined(BOOK, PAGES, ROOT, ["site.css"]))


def targets(document) -> dict[str, str | None]:
    return {
        link.text_content(): link.get("href") for link in document.xpath("//article//a | //article//span")
    }


def test_every_name_is_there_once(document):
    names = document.xpath("//@id")
    assert len(names) == len(set(names))
    assert {"one", "two", "one--twice", "two--twice", "one--sec"} <= set(names)
    assert document.xpath("//g/@clip-path") == ["url(#one--box)"]


def test_links_between_pages_stay_within(document):
    found = targets(document)
    assert found["two"] == "#two--twice"
    assert found["all of it"] == found["a lost place"] == "#two"
    assert found["a setting"] == "#one"
    assert found["the data"] is None
    assert found["the web"] == "https://example.org/x"
    assert "file:" not in html.tostring(document.body, encoding="unicode")


def test_with_an_address_explorers_and_files_are_linked_there():
    book = dataclasses.replace(BOOK, site="https://example.org/book/")
    document = html.document_fromstring(joined(book, PAGES, ROOT, []))
    found = targets(document)
    assert found["the data"] == "https://example.org/book/claims.csv"
    assert found["a setting"] == "https://example.org/book/book/one.html?Clock.p=3"
    [note] = document.find_class("paper-live")
    assert note.xpath(".//@href") == ["https://example.org/book/book/one.html#clock"]


def test_without_one_a_sentence_says_where_explorers_move(document):
    [note] = document.find_class("paper-live")
    assert "web edition" in note.text_content()
    assert not note.xpath(".//a")


def test_code_that_is_folded_is_left_out_and_proofs_are_open(document):
    text = document.body.text_content()
    assert "import this" not in text
    assert "Source" not in text
    assert "Because." in text
    assert not document.xpath("//details[not(@class='map-item')]")


def test_of_a_kernels_theorems_there_is_in_what_they_differ_and_the_map(document):
    [theorem] = document.find_class("formal-theorem")
    assert theorem.text_content() == "It holdsWhere the two differ: nowhere."
    assert [node.tag for node in document.find_class("map-item")] == ["details"]
    assert "In A.v" not in document.text_content()


def test_it_is_the_same_whether_the_theme_has_folded_its_solutions_or_not():
    """Its script runs at some time while the page is taken."""
    found = set()
    for state in ("dropdown", "dropdown toggle", "dropdown toggle toggle-hidden"):
        one = dataclasses.replace(PAGES[0], html=ONE.replace('"solution"', f'"solution {state}"'))
        found.add(joined(BOOK, [one, PAGES[1]], ROOT, []))
    assert found == {joined(BOOK, PAGES, ROOT, [])}


def test_answers_come_last_in_their_chapter(document):
    [one, _] = document.xpath("//article")
    assert one[-1].get("id") == "one--solutions"
    assert one[-1].xpath("string(h2)") == "Answers and solutions"
    assert "The solution." in one[-1].text_content()
    assert "Yes." in one[-1].text_content()
    assert "B" in one[-1].text_content()
    assert "No." not in one.text_content()  # the feedback to a wrong answer needs one who gave it
    assert not one.xpath(".//@data-right")


def test_headings_are_as_deep_as_their_part(document):
    levels = {
        " ".join(title.text_content().split()): title.get("aria-level")
        for title in document.xpath("//article//*[@role='heading']")
    }
    assert levels["1 One"] == "1"
    assert levels["A section"] == levels["2 Two"] == "2"
    assert levels["A part"] == "1"


def test_the_contents_leave_room_for_each_number(document):
    assert document.xpath("//nav//@data-of") == ["one", "one--sec", "two"]


def test_each_page_has_its_running_head_and_styles_come_once(document):
    assert document.get_element_by_id("two").get("style") == "page: two"
    text = document.xpath("string(//head)")
    assert '@page two { @top-left { content: "A part" } @top-right { content: "2 Two" }' in text
    assert 'content: "The \\"Book\\""' in text
    assert text.count("p { color: red; }") == 1


def test_colors_have_the_names_that_the_book_gives_them(document):
    text = html.tostring(document, encoding="unicode")
    assert "var(--sea-muted)" in text
    assert 'style="stroke: var(--sea-' in text
    assert "--palette-" not in text
