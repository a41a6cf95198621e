"""The figures of a chapter as slides, a PDF for each: what a room sees, for where there is no browser.

An explorer is on its slide as it starts, with its question and without the answer, so that the room can vote.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, replace
from pathlib import Path

from lxml.html import HtmlElement, tostring
from playwright.sync_api import Browser

from bookext import pages
from bookext.book import Book
from bookext.formats.articles import text_of
from bookext.formats.paper import described, printed

_STYLE = """\
@page { size: 320mm 180mm; margin: 0; }
html, body { margin: 0; background: #fff; color: #1f2328; }
body { font: 15pt/1.35 "Waves Sans", sans-serif; }
.slide { box-sizing: border-box; width: 320mm; height: 179.5mm; padding: 9mm 12mm 10mm; break-after: page;
  display: flex; flex-direction: column; gap: 4mm; overflow: hidden; position: relative; }
.slide:last-child { break-after: auto; }
.slide h2 { margin: 0; font-size: 21pt; font-weight: 600; } .slide p { margin: 0 0 2mm; }
.slide img { flex: 1 1 0; min-height: 0; width: 100%; object-fit: contain; }
.slide .said { flex: none; max-height: 52mm; overflow: hidden; } .slide figcaption { text-align: start; }
.slide .place { position: absolute; inset: auto 12mm 4mm auto; font-size: 10pt; color: #59616b; }
.first { justify-content: center; } .first h1 { font-size: 38pt; margin: 0; }"""

_READY = """async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((picture) => picture.decode()));
}"""


@dataclass(frozen=True)
class Slide:
    """A picture, and what is said with it."""

    title: str
    picture: str
    alt: str
    #: HTML.
    said: str


def _inner(element: HtmlElement) -> str:
    for mark in element.find_class("headerlink"):
        mark.drop_tree()
    return html.escape(element.text or "") + "".join(tostring(child, encoding="unicode") for child in element)


def _heading(element: HtmlElement) -> str:
    """The heading over an element, without its number."""
    head = element.xpath("ancestor::section[1]/*[self::h1 or self::h2 or self::h3]")[0]
    for mark in head.xpath(".//*[contains(@class, 'headerlink') or contains(@class, 'section-number')]"):
        mark.drop_tree()
    return text_of(head)


def slides_of(page: HtmlElement) -> list[Slide]:
    """The figures of a page in their order; of twins, the light and wide one.

    >>> page = pages.read(b'''<article><section><h1>Order</h1><figure><img class="only-light" src="a.svg"
    ... alt="A"><img class="only-dark" src="b.svg" alt="A"><figcaption><p>One.</p></figcaption></figure>
    ... </section></article>''')
    >>> slides_of(page)
    [Slide(title='Order', picture='a.svg', alt='A', said='<p>One.</p>')]
    """
    if page.xpath("//meta[@name='search']/@content"):
        return []  # it is looked up, and not presented
    found = []
    figures = "//article//figure[.//img] | //article//*[contains(@class, 'explorer-still')][.//img]"
    for figure in page.xpath(figures):
        if figure.tag == "figure" and figure.xpath("ancestor::*[contains(@class, 'explorer-still')]"):
            continue
        pictures = figure.xpath(
            ".//img[not(contains(@class, 'only-dark')) and not(contains(@class, 'only-narrow'))]"
        )
        if not pictures:
            continue
        if figure.tag == "figure":
            said = "".join(_inner(caption) for caption in figure.iter("figcaption"))
        else:
            asked = figure.xpath(".//*[contains(@class, 'prediction-printed')]/p")
            # The question and its options stand before the answer, which is the last paragraph.
            said = "".join(f"<p>{_inner(one)}</p>" for one in asked[:-1])
        for link in pages.read(said.encode()).iter("a") if said else ():
            said = said.replace(tostring(link, encoding="unicode"), _inner(link))
        found.append(
            Slide(_heading(figure), pictures[0].get("src"), pictures[0].get("alt", ""), said.strip())
        )
    return found


def document(title: str, slides: list[Slide], base: str, sheet: str) -> str:
    """The slides as a page; `base` is the address of the page that they are from, `sheet` of its styles."""
    made = [f'<section class="slide first"><h1>{html.escape(title)}</h1></section>']
    for number, one in enumerate(slides, 1):
        made.append(
            f'<section class="slide"><h2>{html.escape(one.title)}</h2>'
            f'<img src="{html.escape(one.picture)}" alt="{html.escape(one.alt)}">'
            f'<div class="said">{one.said}</div>'
            f'<p class="place">{html.escape(title)} · {number} of {len(slides)}</p></section>'
        )
    return (
        '<!DOCTYPE html>\n<html lang="en" data-theme="light" data-mode="light"><head><meta charset="utf-8">'
        f'<title>{html.escape(title)}</title><base href="{html.escape(base)}">'
        f'<link rel="stylesheet" href="{html.escape(sheet)}"><style>{_STYLE}</style></head>'
        f"<body>{''.join(made)}</body></html>"
    )


def make(book: Book, site: Path, name: str, folder: Path, browser: Browser) -> bytes:
    """The slides of a document of the `site` as a PDF; `folder` is where they may be written on the way."""
    page = pages.read((site / f"{name}.html").read_bytes())
    title, slides = _heading(page.find(".//article//h1")), slides_of(page)
    way = folder.resolve() / "slides.html"
    place, sheet = (site / f"{name}.html").as_uri(), (site / "_static/site.css").as_uri()
    way.write_text(document(title, slides, place, sheet), encoding="utf-8")
    context = browser.new_context(bypass_csp=True, color_scheme="light", reduced_motion="reduce")
    try:
        shown = context.new_page()
        shown.goto(way.as_uri())
        shown.evaluate(_READY)
        pdf = printed(shown)
    finally:
        context.close()
        way.unlink()
    return described(pdf, replace(book, title=f"{title}. {book.title}"))
