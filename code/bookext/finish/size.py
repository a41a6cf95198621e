"""How much there is to read: words of all pages, words that are open on them, and entries of the contents.

A page's words are those of its Markdown, folds and programs included. Its open words are those that a reader
sees who unfolds nothing: no programs, no solutions and nothing in a figure that moves. A formula is one word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml.html import HtmlElement

_WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
_CLOSED = (
    "self::details[not(@open)] or self::pre or self::script or self::style or self::template or self::button "
    "or self::svg or self::noscript or @hidden or @data-explorer"
)
_CLASSES = ("cell_input", "solution", "dropdown", "toggle", "explorer-view", "headerlink", "eqno")


def open_words(page: HtmlElement) -> int:
    """How many words of a page's text a reader sees who unfolds nothing.

    >>> from bookext.pages import read
    >>> text = b"<article><h1>A day</h1><p>Two <b>hands</b>.</p><details><summary>Why</summary>So.</details>"
    >>> open_words(read(text + b"<div class='cell_input'>import x</div> Then.</article>"))
    5
    """
    count = 0
    for article in page.xpath("//article"):
        closed = set(article.xpath(f".//*[{_CLOSED}]"))
        closed |= {element for name in _CLASSES for element in article.find_class(name)}
        count += _words_in(article, closed)
    return count


def _words_in(element: HtmlElement, closed: set[HtmlElement]) -> int:
    count = len(_WORD.findall(element.text or ""))
    for child in element:
        if child.tag == "math":
            count += 1
        elif isinstance(child.tag, str) and child not in closed:
            count += _words_in(child, closed)
        count += len(_WORD.findall(child.tail or ""))
    return count


def words(text: str) -> int:
    r"""How many words there are between spaces, as `wc -w` counts.

    >>> words("one, two\n# three")
    4
    """
    return len(text.split())


def entries(page: HtmlElement) -> int:
    """How many pages the contents beside a page name."""
    return len(page.xpath("//nav[contains(@class, 'bd-docs-nav')]//li[contains(@class, 'toctree-l1')]"))


def table(pages: Mapping[str, HtmlElement], texts: Mapping[str, str], root: str) -> dict[str, object]:
    """The sizes of all `pages`, whose Markdown is in `texts`, and of the book."""
    sizes = {name: {"words": words(texts[name]), "open": open_words(page)} for name, page in pages.items()}
    return {
        "words": sum(size["words"] for size in sizes.values()),
        "open": sum(size["open"] for size in sizes.values()),
        "entries": entries(pages[root]),
        "pages": sizes,
    }
