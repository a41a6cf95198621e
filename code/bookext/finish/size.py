"""How much there is to read: words of all pages, words that are open on them, and entries of the contents.

A page's words are those of its Markdown, folds and programs included. Its open words are those that a reader
sees who unfolds nothing: no programs, no solutions and nothing in a figure that moves. A formula is one word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lxml.html import HtmlElement

_WORD = re.compile(r"[^\W_]+(?:[-'’.,][^\W_]+)*")
#: What keeps its text to itself: elements of these kinds, with one of these attributes or of these classes.
_TAGS = {"pre", "script", "style", "template", "button", "svg", "noscript"}
_ATTRIBUTES = {"hidden", "data-explorer"}
_CLASSES = {"cell_input", "solution", "dropdown", "toggle", "explorer-view", "headerlink", "eqno"}


def open_words(page: HtmlElement) -> int:
    """How many words of a page's text a reader sees who unfolds nothing.

    >>> from bookext.pages import read
    >>> text = b"<article><h1>A day</h1><p>Two <b>hands</b>.</p><details><summary>Why</summary>So.</details>"
    >>> open_words(read(text + b"<div class='cell_input'>import x</div> Then.</article>"))
    5
    """
    return sum(map(_words_in, page.iter("article")))


def _words_in(element: HtmlElement) -> int:
    count = len(_WORD.findall(element.text or ""))
    for child in element:
        if child.tag == "math":
            count += 1
        elif isinstance(child.tag, str) and not _is_closed(child):
            count += _words_in(child)
        if child.tail:
            count += len(_WORD.findall(child.tail))
    return count


def _is_closed(element: HtmlElement) -> bool:
    given = element.attrib
    return (
        element.tag in _TAGS
        or (element.tag == "details" and "open" not in given)
        or not _ATTRIBUTES.isdisjoint(given)
        or not _CLASSES.isdisjoint(given.get("class", "").split())
    )


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
