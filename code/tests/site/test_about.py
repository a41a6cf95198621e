"""What the site says of itself: previews, data, citations, twins, lists of pages, wrong addresses."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from datetime import date
from urllib.parse import parse_qs, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup
from harness import REPOSITORY, documents
from lxml.html import document_fromstring
from markdown_it import MarkdownIt
from pybtex.database import parse_string
from test_formats_notebooks import MYST

from bookext import pages
from bookext.book import Book
from bookext.finish import about, card
from bookext.sphinx import figures

PAGE = """<html><head><meta charset="utf-8"><meta name="description" content="Of a &amp; b."></head><body>
<article class="bd-article"><section id="a"><h1><span class="section-number">2 </span>A &lt;/script&gt; &amp;
b_c <a class="headerlink" href="#a">#</a></h1></section></article></body></html>"""
FACTS = {
    "title": "The Book",
    "author": "Ann & Ben",
    "root": "book/intro.html",
    "description": "All of it.",
    "version": "1.2",
    "released": "2026-03-04",
    "licenses": ["MIT"],
    "parts": [("", ["book/tour.html"]), ("Part I", ["book/a.html"])],
}
PAGES = {
    page.name: page
    for page in (
        about.Page("book/a.html", "A </script> & b_c", "Of a & b.", "2"),
        about.Page("book/intro.html", "The Book", "All of it."),
        about.Page("book/lost.html", "In no part"),
        about.Page("book/tour.html", "A tour", "In short."),
    )
}
PLACED = Book(**FACTS, site="https://a.org/b/", repository="https://github.com/o/r")
UNPLACED = Book(**FACTS)


def described(book: Book) -> BeautifulSoup:
    tree = pages.read(PAGE.encode())
    page = about.page_of(tree, "book/a.html")
    assert page == PAGES["book/a.html"]
    about.describe(tree, page, book)
    about.add_tools(tree, page, book)
    return BeautifulSoup(pages.write(tree), "html.parser")


def properties(page: BeautifulSoup) -> dict[str, str]:
    return {meta["property"]: meta["content"] for meta in page.select("head meta[property]")}


def test_a_preview_has_whole_addresses_or_none():
    there, nowhere = properties(described(PLACED)), properties(described(UNPLACED))
    assert there["og:title"] == "A </script> & b_c"
    assert there["og:description"] == "Of a & b."
    assert there["og:url"] == "https://a.org/b/book/a.html"
    assert there["og:image"] == "https://a.org/b/_static/card.png"
    assert nowhere.items() <= there.items()
    assert there.keys() - nowhere.keys() == {"og:url", "og:image", "og:image:alt"}


def test_data_of_a_page_name_its_book():
    (script,) = described(PLACED).select("head script[type='application/ld+json']")
    data = json.loads(script.string)
    assert data["@type"] == ["Chapter", "LearningResource"]
    assert (data["name"], data["position"]) == ("A </script> & b_c", "2")
    assert data["isPartOf"]["url"] == "https://a.org/b/book/intro.html"
    whole = about.data(PAGES["book/intro.html"], UNPLACED)
    assert whole["@type"] == ["Book", "LearningResource"]
    assert (whole["version"], whole["datePublished"]) == ("1.2", "2026-03-04")
    assert not whole.keys() & {"url", "image"}
    assert about.data(PAGES["book/tour.html"], PLACED)["@type"] == ["WebPage", "LearningResource"]


def test_entries_for_bibliographies_are_read_by_a_bibliography_program():
    for name, page in PAGES.items():
        ((key, entry),) = parse_string(about.bibtex(page, PLACED), "bibtex").entries.items()
        assert key == f"the-book{'-' * (name != PLACED.root)}{'' if name == PLACED.root else name[5:-5]}"
        assert str(entry.persons["author"][0]) == "{Ann \\& Ben}"
        assert entry.fields["year"] == "2026"
        assert entry.fields["url"] == f"https://a.org/b/{name}"
        assert "1.2" in entry.fields.get("note", "") + entry.fields.get("howpublished", "")
    assert "A </script> \\& b\\_c" in about.bibtex(PAGES["book/a.html"], UNPLACED)
    assert "url" not in about.bibtex(PAGES["book/a.html"], UNPLACED)


def test_a_mistake_is_reported_only_where_there_is_a_repository():
    (link,) = described(PLACED).select("a.page-report")
    parts = urlsplit(link["href"])
    assert link["href"].startswith("https://github.com/o/r/issues/new?")
    query = parse_qs(parts.query)
    assert query["title"] == ["Mistake in “A </script> & b_c”"]
    assert "Page: https://a.org/b/book/a.html\nSection: \n" in query["body"][0]
    assert not described(UNPLACED).select("a.page-report")


def test_search_engines_get_every_page_once():
    name = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
    places = [loc.text for loc in ET.fromstring(about.sitemap(PAGES.values(), PLACED)).iter(name)]
    assert places == [f"https://a.org/b/{page}" for page in PAGES]


def test_programs_that_read_get_the_contents():
    for book, top in ((PLACED, "https://a.org/b/"), (UNPLACED, "")):
        tokens = MarkdownIt().parse(about.llms(PAGES, book))
        links = [
            child.attrs["href"]
            for token in tokens
            for child in token.children or []
            if child.type == "link_open"
        ]
        assert links == [
            f"{top}llms-full.txt",
            *(f"{top}book/{name}.md" for name in ("intro", "tour", "a", "lost")),
        ]
    assert "## Part I\n\n- [A </script> & b_c](book/a.md): Of a & b.\n" in about.llms(PAGES, UNPLACED)


@pytest.mark.parametrize(
    ("book", "asked", "top"),
    [
        (PLACED, "https://a.org/b/deep/er/wrong.html", "https://a.org/b/"),
        (UNPLACED, "https://a.org/b/wrong.html", "https://a.org/b/"),
    ],
)
def test_a_wrong_address_leads_on(book, asked, top):
    """With an address from any folder, without one from the site's top."""
    page = BeautifulSoup(about.missing(PAGES, book), "html.parser")
    links = [urljoin(asked, link["href"]) for link in page.select("a[href]")]
    assert set(links) == {f"{top}{name}" for name in PAGES}
    assert urljoin(asked, page.form["action"]) == f"{top}search.html"
    assert not page.select("link, img, [src]"), "it asks for no file"


def test_the_card_is_the_same_each_time():
    palette = figures.read_palette(REPOSITORY / "code/wavebook/palette.json")
    color = {role: pair["light"] for role, pair in palette.items()}
    first, again, other = (card.draw(title, "Of $5 & more", color) for title in ("Waves", "Waves", "Wave"))
    assert first == again != other
    assert len(first) < 120_000


# ---- the built site ----


#: What schema.org says that a value of each is, of what we say of a page.
LEARNED = {
    "license": lambda value: all(one.startswith("https://spdx.org/licenses/") for one in value),
    "teaches": lambda value: all(isinstance(one, str) and one.strip() == one != "Summary" for one in value),
    "educationalLevel": {"Beginner", "Intermediate", "Advanced"}.__contains__,
    "timeRequired": lambda value: 1 <= int(re.fullmatch(r"PT(\d+)M", value)[1]) <= 300,
    "datePublished": lambda value: date.fromisoformat(value),
    "dateModified": lambda value: date.fromisoformat(value),
    "inLanguage": "en".__eq__,
}


@pytest.mark.slow
def test_every_page_says_what_one_learns_there(site):
    for name in documents():
        page = document_fromstring((site.root / f"{name}.html").read_bytes())
        (text,) = page.xpath("//script[@type='application/ld+json']/text()")
        data = json.loads(text)
        assert "LearningResource" in data["@type"], name
        untold = {key for key in LEARNED if key not in data}
        # A listing without sections is looked up, and teaches nothing.
        listed = "listing" in page.xpath("//meta[@name='search']/@content")
        nothing = listed and not page.xpath("//article//h2")
        assert untold == ({"teaches"} if nothing else set()), (name, untold)
        assert all(right(data[key]) for key, right in LEARNED.items() if key in data), (name, data)


@pytest.mark.slow
def test_one_text_has_all_pages(site):
    text = (site.root / "llms-full.txt").read_text(encoding="utf-8")
    twins = {name: (site.root / f"{name}.md").read_text(encoding="utf-8").strip() for name in documents()}
    assert all(text.count(f"<!-- {name}.md -->\n\n{twin}\n") == 1 for name, twin in twins.items())
    assert len(text) < sum(len(twin) + 100 for twin in twins.values()) + 500, "and nothing else"


@pytest.mark.slow
def test_every_page_has_a_twin_that_says_the_same(site):
    for name in documents():
        page = document_fromstring((site.root / f"{name}.html").read_bytes())
        twins = page.xpath("//link[@rel='alternate'][@type='text/markdown']/@href")
        assert twins == [f"{name[5:]}.md"]
        text = (site.root / f"{name}.md").read_text(encoding="utf-8")
        assert not MYST.search(re.sub(r"(?ms)^````?.*?^````?$|(?<![}`])`[^`\n]+`", "", text)), name
        headings = page.xpath("//article//*[self::h1 or self::h2 or self::h3]")
        marks = [token for token in MarkdownIt().parse(text) if token.type == "heading_open"]
        assert len(marks) == len(headings), name
        assert not re.search(r"<(?:div|span|svg|script)\b", re.sub(r"`[^`]*`", "", text)), name


@pytest.mark.slow
def test_what_needs_an_address_is_not_there_without_one(site):
    pages = {path: path.read_text(encoding="utf-8") for path in site.root.rglob("*.html")}
    if 'rel="canonical"' in pages[site.root / "book/intro.html"]:
        assert (site.root / "sitemap.xml").is_file()
        return
    assert not (site.root / "sitemap.xml").exists()
    assert not [path for path, text in pages.items() if re.search("og:(?:url|image)|page-report", text)]
    assert (site.root / "_static/card.png").is_file()
    assert all(f"]({name}.md)" in (site.root / "llms.txt").read_text() for name in documents())


def test_a_browser_finds_an_icon_where_it_looks_for_one(browser_page, site):
    """On a page without one it asks the root; what it is told must be no complaint."""
    assert (site.root / "favicon.ico").read_bytes()[:4] == b"\x00\x00\x01\x00", "an ICO file"
    answer = browser_page.goto(f"{site.origin}/favicon.ico")
    assert answer.status == 200
