"""The whole book as one PDF: ``python -m bookext.formats.paper`` beside a site that was built.

1. Chromium opens every page as paper has it, and the article is taken as it is drawn: formulas set, explorers
   at their settings.
2. `joined` makes one document of the articles: every name in it begins with its page's, links between
   pages become links within it, code that is folded on the page is left out, solutions come last in a
   chapter.
3. Chromium prints that document, once to see on which page each heading comes, and again with those
   numbers in the contents. So links, outline and tags are Chromium's own.
4. pypdf gives the file a title and author, and each page of the site a link to it.

The file lies in the site. The next `python -m bookext.build` makes a new site, without it.
"""

from __future__ import annotations

import html
import io
import logging
import math
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

from lxml import etree
from lxml.html import HtmlElement, tostring
from playwright.sync_api import Browser, Page, ViewportSize
from pypdf import PdfReader, PdfWriter

from bookext.book import Book, built, colored
from bookext.browser import launched
from bookext.formats.articles import (
    answers_last,
    leave_out,
    live,
    mend_links,
    offer,
    read,
    text_of,
    unfold,
    with_class,
)

#: What the joined document looks like beside what the site's style sheets say of paper.
SHEET = Path(__file__).with_name("paper.css")

#: A window in which explorers draw themselves: the narrowest that is no phone's. Its width in CSS pixels is
#: that of the column, before paper.css makes explorers smaller.
WINDOW: ViewportSize = {"width": 769, "height": 900}

#: Attributes that name other elements of the page, one or several.
_NAMING = ("for", "list", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns")

#: How a page is taken: everything opened, loaded, and written into the document that a reader sees.
_TAKE = """async () => {
    dispatchEvent(new Event("beforeprint"));
    const article = document.querySelector("article");
    const pictures = [...article.querySelectorAll("img")];
    for (const picture of pictures) picture.loading = "eager";
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
    for (const picture of pictures) picture.setAttribute("src", picture.src);
    for (const link of article.querySelectorAll("a[href]")) link.setAttribute("href", link.href);
    for (const box of article.querySelectorAll("input")) {
        box.setAttribute("value", box.value);
        box.toggleAttribute("checked", box.checked);
    }
    for (const option of article.querySelectorAll("option")) {
        option.toggleAttribute("selected", option.selected);
    }
    for (const canvas of article.querySelectorAll("canvas")) {
        const picture = new Image();
        for (const {name, value} of canvas.attributes) picture.setAttribute(name, value);
        picture.src = canvas.toDataURL();
        picture.alt = canvas.getAttribute("aria-label") ?? "";
        const {position, left, top} = getComputedStyle(canvas);
        const [width, height] = [`${canvas.clientWidth}px`, `${canvas.clientHeight}px`];
        Object.assign(picture.style, {position, left, top, width, height, maxWidth: "none"});
        canvas.replaceWith(picture);
    }
    const rules = (sheet) => [...sheet.cssRules].map((rule) => rule.cssText).join("\\n");
    return {
        html: article.outerHTML,
        styles: [...document.styleSheets].filter((sheet) => !sheet.href).map(rules),
    };
}"""

#: When a page is complete: its explorers are drawn.
_COMPLETE = """() => document.querySelectorAll("[data-explorer], .explorer-error").length
    >= document.querySelectorAll('script[type$="widget-view+json"]').length"""

#: Waits until the joined document is complete, and makes smaller what is wider than its column, or so high
#: that half of the page before it could be left empty; no smaller than can be read.
_READY = """async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((picture) => picture.decode().catch(() => {})));
    const BLOCKS = "p, li, td, th, dd, legend, figcaption, h1, h2, h3, h4, label, div";
    for (const formula of document.querySelectorAll("math")) {
        const room = formula.parentElement.closest(BLOCKS);
        const {width} = formula.getBoundingClientRect();
        if (!room.clientWidth || width <= room.clientWidth) continue;
        formula.style.fontSize = `${(99 * room.clientWidth) / width}%`;
    }
    for (const table of document.querySelectorAll("article table")) {
        const room = table.parentElement.clientWidth;
        if (room && table.offsetWidth > room) table.style.zoom = room / table.offsetWidth;
    }
    const [HIGHEST, SMALLEST] = [(105 / 25.4) * 96, 0.66];
    const height = (element) => element?.getBoundingClientRect().height ?? 0;
    for (const panels of document.querySelectorAll(".explorer-view .panels")) {
        const view = panels.closest(".explorer-view");
        const above = height(view.querySelector(".prediction")) + height(view.querySelector(".controls"));
        if (above + height(panels) <= HIGHEST) continue;
        panels.style.width = `${panels.clientWidth}px`;
        panels.style.marginInline = "auto";
        panels.style.zoom = Math.max(SMALLEST, (HIGHEST - above) / height(panels));
    }
}"""

#: Puts the numbers of pages into the contents, and returns the places that are on none.
_FILL_IN = """(pages) => [...document.querySelectorAll("[data-of]")].filter((place) => {
    place.textContent = pages[place.dataset.of] ?? "";
    return !place.textContent;
}).map((place) => place.dataset.of)"""


@dataclass
class Taken:
    """A page of the site as Chromium has drawn it: its article, and the styles that its scripts made."""

    name: str  # of the document: "book/intro"
    html: str
    styles: list[str] = field(default_factory=list)

    @property
    def short(self) -> str:
        """What names of the page begin with in the joined document."""
        return self.name.rpartition("/")[2]


# ---- One document of many pages


def prefix_names(article: HtmlElement, short: str) -> None:
    """Let every name of a page begin with `short`, and all that refers to it within the page.

    >>> page = read('<article><p id="a"><label for="b">x</label><svg fill="url(#c)"></svg></p></article>')
    >>> prefix_names(page, "one")
    >>> print(tostring(page, encoding="unicode"))
    <article><p id="one--a"><label for="one--b">x</label><svg fill="url(#one--c)"></svg></p></article>
    """
    for element in article.iter():
        if not isinstance(element.tag, str):
            continue
        if name := element.get("id"):
            element.set("id", f"{short}--{name}")
        if element.tag == "input" and element.get("name"):
            element.set("name", f"{short}--{element.get('name')}")
        for attribute in _NAMING:
            if names := element.get(attribute):
                element.set(attribute, " ".join(f"{short}--{name}" for name in names.split()))
        if element.tag == "use" and element.get("href", "").startswith("#"):
            element.set("href", f"#{short}--{element.get('href')[1:]}")
        for attribute, value in element.attrib.items():
            if "url(" in value:
                element.set(attribute, re.sub(r"""url\((["']?)#""", rf"url(\1#{short}--", value))


def heading(text: str, level: int, **attributes: str) -> HtmlElement:
    """A heading of the outline's `level`, which looks as one of a page."""
    made = etree.Element(f"h{level}", attributes)
    made.text = text
    return made


def set_levels(article: HtmlElement, deeper: int) -> None:
    """Put the article's headings `deeper` in the outline than they are on their page; they look the same.

    >>> page = read("<article><h1>A</h1><h2>B</h2></article>")
    >>> set_levels(page, 1)
    >>> print(tostring(page, encoding="unicode"))
    <article><h1 role="heading" aria-level="2">A</h1><h2 role="heading" aria-level="3">B</h2></article>
    """
    for title in article.iter("h1", "h2", "h3", "h4", "h5"):
        title.set("role", "heading")
        title.set("aria-level", str(int(title.tag[1]) + deeper))


def contents(book: Book, articles: dict[str, HtmlElement]) -> HtmlElement:
    """The table of contents: parts, chapters and sections, each with room for its page's number."""
    nav = etree.Element("nav", {"class": "paper-contents", "id": "contents"})
    etree.SubElement(nav, "h1").text = "Contents"

    def entry(parent: HtmlElement, target: str, text: str) -> HtmlElement:
        item = etree.SubElement(parent, "li")
        link = etree.SubElement(item, "a", {"href": f"#{target}"})
        etree.SubElement(link, "span", {"class": "paper-entry"}).text = text
        etree.SubElement(link, "span", {"class": "paper-number", "data-of": target})
        return item

    for caption, names in book.documents():
        if caption:
            etree.SubElement(nav, "p", {"class": "paper-part-entry"}).text = caption
        chapters = etree.SubElement(nav, "ol")
        for name in names:
            article, short = articles[name], name.rpartition("/")[2]
            item = entry(chapters, short, text_of(article.find(".//h1")))
            sections = etree.SubElement(item, "ol")
            for title in article.iter("h2"):
                place = title.getparent().get("id")
                if place and "paper-answers" not in title.getparent().get("class", ""):
                    entry(sections, place, text_of(title))
            if not len(sections):
                item.remove(sections)
    return nav


def cover(book: Book) -> str:
    """The title page: the book's name above eight waves, each slower than the one above it."""
    waves = []
    for pair in range(8):
        frequency = 9 * 2.0 ** (-pair * 0.75)
        points = " ".join(
            f"{x:.1f},{64 + 74 * pair - 26 * math.sin(frequency * 2 * math.pi * x / 640 + 0.6):.2f}"
            for x in range(0, 641, 2)
        )
        color = "sine" if pair % 2 == 0 else "cosine"
        waves.append(f'<polyline points="{points}" style="stroke: var(--palette-{color})"/>')
    lines = [html.escape(text) for text in (book.title, book.subtitle, book.author, book.rights)]
    return (
        f'<header class="paper-cover"><h1>{lines[0]}</h1><p class="paper-about">{lines[1]}</p>'
        f'<svg viewBox="0 0 640 640" aria-hidden="true">{"".join(waves)}</svg>'
        f'<p class="paper-author">{lines[2]}</p><p class="paper-rights">{lines[3]}</p></header>'
    )


def quoted(text: str) -> str:
    r"""A text as CSS writes it.

    >>> print(quoted('a "b"'))
    "a \"b\""
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def joined(book: Book, pages: list[Taken], root: str, sheets: Iterable[str]) -> str:
    """One document of all `pages` of the site at `root`; `sheets` are addresses of style sheets."""
    names = [page.name for page in pages]
    articles = {page.name: read(page.html) for page in pages}
    for page in pages:
        article = articles[page.name]
        leave_out(article)
        for name in ("tag_screen", "tag-screen"):  # as print.css has it, before answers are gathered
            for element in with_class(article, name):
                element.drop_tree()
        for fold in with_class(article, "formal-theorem"):  # a kernel's statements, and what is said of them
            for table in fold.xpath("*[descendant-or-self::table][1]"):
                for element in [table, *table.itersiblings()]:
                    element.drop_tree()
        for title in article.xpath(
            ".//*[contains(@class, 'remark-fold')]//*[contains(@class, 'derivation')]/summary"
        ):
            title.drop_tree()  # which the derivation says once more
        unfold(article)
        live(article, f"{book.site.rstrip('/')}/{page.name}.html" if book.site else "")
        prefix_names(article, page.short)
        answers_last(article, f"{page.short}--solutions")
    known = {name for article in articles.values() for name in article.xpath(".//@id")}

    def within(name: str, place: str) -> str:
        short = name.rpartition("/")[2]
        return f"#{short}--{place}" if place and f"{short}--{place}" in known else f"#{short}"

    for page in pages:
        mend_links(articles[page.name], names, root, book.site, within)
    heads, body = [], []
    nav = contents(book, articles)
    for caption, chapters in book.documents():
        for name in chapters:
            article, short = articles[name], name.rpartition("/")[2]
            set_levels(article, 1 if caption else 0)
            article.set("id", short)
            article.set("class", f"{article.get('class', '')} paper-page".strip())
            article.set("style", f"page: {short}")
            if caption and name == chapters[0]:
                part = etree.Element("p", {"class": "paper-part", "role": "heading", "aria-level": "1"})
                part.text = caption
                article.insert(0, part)
            head = text_of(article.find(".//h1"))
            heads.append(
                f"@page {short} {{ @top-left {{ content: {quoted(caption or book.title)} }} "
                f"@top-right {{ content: {quoted(head)} }} @bottom-center {{ content: counter(page) }} }}"
            )
            body.append(tostring(article, encoding="unicode"))
    styles = dict.fromkeys(style for page in pages for style in page.styles)
    links = "".join(f'<link rel="stylesheet" href="{html.escape(sheet)}">' for sheet in sheets)
    return (
        '<!DOCTYPE html>\n<html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f"<title>{html.escape(book.title)}</title>{links}"
        + "".join(f"<style>{style}</style>" for style in styles)
        + f"<style>{colored(SHEET.read_text(encoding='utf-8'), book.palette)}{' '.join(heads)}</style></head>"
        + f"<body>{colored(cover(book), book.palette)}{tostring(nav, encoding='unicode')}"
        + '<div class="bd-main"><div class="bd-content"><div class="bd-article-container">'
        + "".join(body)
        + "</div></div></div></body></html>"
    )


# ---- In the browser


def taken(page: Page, site: Path, name: str) -> Taken:
    """Open a document of the `site` as paper has it, and take its article."""
    page.goto((site / f"{name}.html").as_uri())
    page.wait_for_function(_COMPLETE)
    page.evaluate("document.fonts.ready.then(() => {})")
    found = page.evaluate(_TAKE)
    return Taken(name, found["html"], found["styles"])


def printed(page: Page) -> bytes:
    """What Chromium prints of the page."""
    return page.pdf(prefer_css_page_size=True, print_background=True, tagged=True, outline=True)


def pages_of(pdf: bytes) -> dict[str, int]:
    """Name of a place that the document links to -> its page, counted from 1."""
    reader = PdfReader(io.BytesIO(pdf))
    found = {}
    for name, place in reader.named_destinations.items():
        number = reader.get_destination_page_number(place)
        if number is not None:
            found[unquote(name.removeprefix("/"))] = number + 1
    return found


def make(book: Book, folder: Path, site: Path, browser: Browser) -> bytes:
    """The PDF of the `book` in a `folder`, from its built `site`."""
    # The pages' policy would forbid what Playwright waits with, which is `eval` in the page.
    context = browser.new_context(
        bypass_csp=True, viewport=WINDOW, device_scale_factor=2, color_scheme="light", reduced_motion="reduce"
    )
    context.set_default_timeout(600_000)  # the whole book in one document: a busy machine reads it slowly
    page = context.new_page()
    page.emulate_media(media="print")
    pages = [taken(page, site, name) for _, names in book.documents() for name in names]
    root = f"{site.resolve().as_uri()}/"
    [sheet] = [path.as_uri() for path in (site / "_static").resolve().glob("site.css")]
    document = folder / "_build/paper.html"
    document.write_text(joined(book, pages, root, [sheet]), encoding="utf-8")
    pdf = with_page_numbers(page, document.as_uri())
    context.close()
    return described(pdf, book)


def with_page_numbers(page: Page, address: str) -> bytes:
    """What Chromium prints of the joined document once its contents say where everything is.

    Each time anew: a document that is printed a second time is broken into pages at other places.
    """
    found: dict[str, int] = {}
    for _ in range(4):
        page.goto(address)
        page.evaluate(_READY)
        if found and (missing := page.evaluate(_FILL_IN, found)):
            raise RuntimeError(f"the contents name places that are on no page: {missing}")
        pdf = printed(page)
        before, found = found, pages_of(pdf)
        if found == before:
            return pdf
    raise RuntimeError("with the numbers in the contents, headings move to other pages, again and again")


def described(pdf: bytes, book: Book) -> bytes:
    """The same with the book's title and author, and nothing that is different in the next one."""
    # pypdf copies the color profile of a picture twice, once for nothing, and warns that it has more objects
    # than the file said, one for each picture with a profile. The file is right, and larger by a few kB.
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    writer.pdf_header = "%PDF-1.7"
    writer.metadata = {"/Title": book.title, "/Author": book.author, "/Subject": book.subtitle}
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def main() -> int:
    """Print the book in the current folder, whose site is in ``_build/html``."""
    began = time.monotonic()
    book, site = built(Path.cwd())
    with launched() as browser:
        pdf = make(book, Path.cwd(), site, browser)
    name = f"{book.slug}.pdf"
    (site / name).write_bytes(pdf)
    offer(site, name, "PDF")
    count = len(PdfReader(io.BytesIO(pdf)).pages)
    print(f"{count} pages, {len(pdf) / 1e6:.1f} MB in {time.monotonic() - began:.0f} s: _build/html/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
