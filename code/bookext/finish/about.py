"""What the site says of itself to programs and to who cites it: previews, search engines, reference managers.

Addresses in previews, the canonical address and the list of pages for search engines must be whole, so they
are written only if the site has an address (``html.baseurl`` in ``_config.yml``); a link to report a mistake
needs the repository's.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

from lxml import etree
from lxml.html import HtmlElement, fragment_fromstring

from bookext.book import CARD, Book
from bookext.finish.passages import title_of
from bookext.finish.size import open_words

#: The text of all pages, beside them.
FULL = "llms-full.txt"
#: Of sections, those that each chapter has, and those without a name.
_EACH = ("", "Exercises", "Summary")


@dataclass(frozen=True)
class Page:
    """One page: its name ("book/order.html"), title, description, and number if it is a chapter.

    And what it teaches, which are the headings of its sections, or what it is for if it has none; a listing,
    as of references, teaches nothing. And the words that are open on it.
    """

    name: str
    title: str
    description: str = ""
    number: str = ""
    teaches: tuple[str, ...] = field(default=(), compare=False, repr=False)
    words: int = field(default=0, compare=False, repr=False)


def heading_of(tree: HtmlElement) -> str:
    """The title of a page, as its heading has it."""
    return "".join(map(title_of, tree.xpath("(//article//h1)[1]")))


def page_of(tree: HtmlElement, name: str) -> Page:
    r"""What a page says in its heading and its head.

    >>> from bookext.pages import read
    >>> text = rb'''<meta name="description" content="So."><article><h1><span class="section-number">3
    ... </span>At <span class="math">\(\omega\)</span><a class="headerlink">#</a></h1></article>'''
    >>> page_of(read(text), "a.html")
    Page(name='a.html', title='At ω', description='So.', number='3')
    """
    number = "".join(tree.xpath("(//article//h1)[1]/span[@class='section-number']/text()")).strip()
    title = heading_of(tree)
    description = "".join(tree.xpath("//meta[@name='description']/@content")[:1])
    sections = tree.xpath("//article//h2[not(ancestor::*[@hidden])]")
    teaches = tuple(title for title in map(title_of, sections) if title not in _EACH)
    if not sections and description and "listing" not in tree.xpath("//meta[@name='search']/@content"):
        teaches = (description,)
    return Page(name, title, description, number, teaches, open_words(tree))


def data(page: Page, book: Book) -> dict[str, Any]:
    """A page as schema.org describes books, their chapters, and what one learns from."""
    part = next((caption for caption, pages in book.parts if page.name in pages), "")
    learned = {
        "inLanguage": book.language,
        "license": [f"https://spdx.org/licenses/{name}.html" for name in book.licenses],
        "isAccessibleForFree": True,
        "datePublished": book.released,
        "dateModified": book.released,
        "learningResourceType": "interactive textbook",
        "educationalLevel": book.levels.get(part, book.levels.get("", "")),
        "teaches": list(page.teaches),
        "timeRequired": f"PT{max(1, round(page.words / book.words_a_minute))}M" if page.words else "",
    }
    whole = {
        "@type": "Book",
        "name": book.title,
        "author": {"@type": "Organization", "name": book.author},
        "inLanguage": book.language,
        "url": book.address(book.root),
    }
    if page.name == book.root:
        own = {
            "@type": ["Book", "LearningResource"],
            "description": page.description,
            "bookFormat": "https://schema.org/EBook",
            "version": book.version,
            "image": book.address(CARD),
        }
        made = whole | learned | own
    else:
        made = {
            "@type": ["Chapter" if page.number else "WebPage", "LearningResource"],
            "name": page.title,
            "description": page.description,
            "position": page.number,
            **learned,
            "url": book.address(page.name),
            "isPartOf": filled(whole),
        }
    return {"@context": "https://schema.org", **filled(made)}


def filled(values: Mapping[str, Any]) -> dict[str, Any]:
    """What is not empty."""
    return {name: value for name, value in values.items() if value not in ("", [], None)}


def describe(tree: HtmlElement, page: Page, book: Book) -> None:
    """Put into a page's head what makes a preview of a link to it, and its data."""
    head = tree.find("head")
    properties = {
        "og:type": "book" if page.name == book.root else "article",
        "og:site_name": book.title,
        "og:title": page.title,
        "og:description": page.description,
        "og:url": book.address(page.name),
        "og:image": book.address(CARD),
        "og:image:alt": f"{book.title}, above sine waves of four lengths" if book.site else "",
    }
    for name, content in filled(properties).items():
        etree.SubElement(head, "meta", {"property": name, "content": content}).tail = "\n"
    markdown = Path(page.name).with_suffix(".md").name
    link = etree.SubElement(head, "link", {"rel": "alternate", "type": "text/markdown", "href": markdown})
    link.tail = "\n"
    kind = "summary_large_image" if book.site else "summary"
    etree.SubElement(head, "meta", {"name": "twitter:card", "content": kind}).tail = "\n"
    script = etree.SubElement(head, "script", {"type": "application/ld+json"})
    script.text = json.dumps(data(page, book), ensure_ascii=False).replace("</", "<\\/")
    script.tail = "\n"


# ---- at the foot of a page ----


def bibtex(page: Page, book: Book) -> str:
    r"""An entry for a bibliography, of a page or of the book.

    >>> print(bibtex(Page("book/a.html", "Waves & d_model"), Book("B", "C", released="2026-01-02")))
    @misc{b-a,
      author = {{C}},
      title = {{Waves \& d\_model}},
      howpublished = {In: \emph{B}},
      year = {2026}
    }
    """
    whole = page.name == book.root
    name = book.title if whole else page.title
    edition = f", version {book.version}" if book.version else ""
    values = {
        "author": f"{{{tex(book.author)}}}",
        "title": f"{{{tex(name)}}}",
        "howpublished": "" if whole else f"In: \\emph{{{tex(book.title)}}}{edition}",
        "note": edition[2:].capitalize() if whole else "",
        "year": book.released[:4],
        "url": book.address(page.name),
    }
    words = f"{book.title} {'' if whole else Path(page.name).stem}".lower()
    key = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    lines = ",\n".join(f"  {field} = {{{value}}}" for field, value in filled(values).items())
    return f"@misc{{{key},\n{lines}\n}}"


def tex(text: str) -> str:
    """Text as TeX that shows it."""
    return re.sub(r"([&%$#_{}])", r"\\\1", text)


def report(page: Page, book: Book) -> str:
    """Where a mistake on a page is reported; `static/page.js` fills in the section."""
    where = book.address(page.name) or page.name
    body = f"Page: {where}\nSection: \n\nWhat is wrong, and what should it say?\n"
    query = urlencode({"title": f"Mistake in “{page.title}”", "body": body})
    return f"{book.repository}/issues/new?{query}"


def add_tools(tree: HtmlElement, page: Page, book: Book) -> None:
    """Put below a page's text how it is cited, its plain form, and where a mistake is reported.

    Outside of the text proper, which notebooks, the search and the counts of words are made of.
    """
    for article in tree.xpath("//article[contains(@class, 'bd-article')]"):
        markdown = Path(page.name).with_suffix(".md").name
        links = [f'<a href="{html.escape(markdown)}">This page as Markdown</a>']
        if book.repository:
            address = html.escape(report(page, book))
            links.append(f'<a class="page-report" href="{address}">Report a mistake on this page</a>')
        box = fragment_fromstring(
            '<div class="page-tools d-print-none" role="group" aria-label="About this page">'
            "<details><summary>Cite this page</summary>"
            '<div class="highlight-bibtex notranslate"><div class="highlight">'
            f"<pre>{html.escape(bibtex(page, book))}</pre></div></div></details>"
            f"{''.join(links)}"
            '<button type="button" class="pst-js-only" data-does="keys">Keyboard</button></div>'
        )
        box.tail, article.tail = article.tail, "\n"
        article.addnext(box)


# ---- files beside the pages ----


def sitemap(pages: Iterable[Page], book: Book) -> str:
    """The list of pages that search engines ask for."""
    rows = "".join(f"<url><loc>{html.escape(book.address(page.name))}</loc></url>\n" for page in pages)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{rows}</urlset>\n'
    )


def contents(pages: Mapping[str, Page], book: Book) -> list[tuple[str, list[Page]]]:
    """The pages in reading order, part by part; what is in no part comes last."""
    found = [(caption, [pages[name] for name in names if name in pages]) for caption, names in book.parts]
    named = {page.name for _, group in found for page in group} | {book.root}
    return [*found, ("", [page for name, page in pages.items() if name not in named])]


def llms(pages: Mapping[str, Page], book: Book) -> str:
    """The book's contents for programs that read: https://llmstxt.org."""
    lines = [f"# {book.title}", "", f"> {book.description}", ""]
    lines += ["Each page is also there as Markdown, at the same address with .md in place of .html.", ""]
    lines += [f"All of them in one text: [{FULL}]({book.address(FULL) or FULL})", ""]

    def item(page: Page) -> str:
        name = Path(page.name).with_suffix(".md").as_posix()
        told = f": {page.description}" if page.description else ""
        return f"- [{page.title}]({book.address(name) or name}){told}"

    lines += ["## The book", "", item(pages[book.root]), ""]
    for caption, group in contents(pages, book):
        if group:
            lines += [f"## {caption}", ""] if caption else []
            lines += [*map(item, group), ""]
    return "\n".join(lines)


def whole_text(pages: Mapping[str, Page], texts: Mapping[str, str], book: Book) -> str:
    r"""All pages as one text, for programs that read, in reading order.

    >>> book = Book("B", description="All.", root="i.html", parts=[("", ["a.html"])])
    >>> pages = {name: Page(name, name) for name in ("a.html", "i.html")}
    >>> print(whole_text(pages, {"a.html": "# A\n\nSo.\n", "i.html": "# I\n"}, book))
    # B
    <BLANKLINE>
    > All.
    <BLANKLINE>
    <!-- i.md -->
    <BLANKLINE>
    # I
    <BLANKLINE>
    <!-- a.md -->
    <BLANKLINE>
    # A
    <BLANKLINE>
    So.
    <BLANKLINE>
    """
    order = [pages[book.root], *(page for _, group in contents(pages, book) for page in group)]
    parts = [f"# {book.title}\n\n> {book.description}\n"]
    for page in dict.fromkeys(order):
        name = Path(page.name).with_suffix(".md").as_posix()
        parts.append(f"<!-- {book.address(name) or name} -->\n\n{texts[page.name].strip()}\n")
    return "\n".join(parts)


def missing(pages: Mapping[str, Page], book: Book) -> str:
    """The page that a host shows for an address that leads nowhere.

    The host shows it in any folder, so its links begin at the site's address. Without one they are relative:
    right at the top of the site, and nobody knows better. It asks for no file, so it looks the same anywhere.
    """
    top = urlsplit(book.site.rstrip("/") + "/").path if book.site else ""
    escape = html.escape

    def link(name: str, text: str) -> str:
        return f'<a href="{escape(urljoin(top, name))}">{escape(text)}</a>'

    groups = ""
    for caption, group in contents(pages, book):
        if caption and group:
            groups += f"<h2>{escape(caption)}</h2>"
        links = [link(page.name, f"{page.number} {page.title}".strip()) for page in group]
        groups += f"<ul><li>{'</li><li>'.join(links)}</li></ul>" if links else ""
    return f"""<!DOCTYPE html>
<html lang="{escape(book.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Page not found — {escape(book.title)}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.1rem/1.5 serif; }}
h2 {{ font-size: 1.1rem; margin-bottom: 0; }}
ul {{ margin-top: .3rem; padding-left: 1.2rem; }}
li {{ padding-block: .2rem; }}
input, button {{ font: inherit; padding: .3rem .6rem; }}
</style>
</head>
<body>
<main>
<h1>There is no such page</h1>
<p>The address may have changed, or have a slip in it. Search, choose a page, or begin
{link(book.root, "at the beginning")}.</p>
<form action="{escape(urljoin(top, "search.html"))}" role="search">
<label>Search for <input type="search" name="q"></label> <button>Search</button>
</form>
<nav aria-label="All pages">{groups}</nav>
</main>
</body>
</html>
"""
