"""What a reference leads to, shown beside it: a theorem, an equation, an exercise, a source, a claim.

The targets of all pages stand in one script, which a page loads when a reader first points at a reference
(`static/previews.js`): so it works from a disk, where a page may not fetch another, and costs nothing before.

sphinx-tippy does the same. Its scripts come from another host unless two libraries are vendored, and it names
its files at random, so that no two builds would be alike.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable
from urllib.parse import urljoin

from lxml import etree
from lxml.html import Element, HtmlElement, tostring

from bookext.cache import Kept
from bookext.finish import formulas
from bookext.finish.passages import named_data
from bookext.pages import Written

#: What the script calls them.
NAME = "PREVIEWS"

#: What a reference can lead to that is short enough to be shown; a section is not.
_BLOCKS = {"proof", "exercise", "math", "citation"}
#: What belongs to the page and not to the block.
_DROPPED = (
    ".//a[contains(@class, 'headerlink')] | .//details | .//script | .//button"
    " | .//span[contains(@class, 'backrefs')] | .//*[contains(@class, 'toggle-button')]"
)


def _shown(target: HtmlElement) -> HtmlElement | None:
    """What of a target is shown: a copy, or None where there is nothing short."""
    classes = set((target.get("class") or "").split())
    if classes & _BLOCKS and "is-proof" not in classes:
        return copy.deepcopy(target)
    if target.tag == "dt":
        entry = target.getnext()
        paragraph = entry.find("p") if entry is not None and entry.tag == "dd" else None
        if paragraph is None:
            return None
        made: HtmlElement = copy.deepcopy(paragraph)
        return made
    cells = target.xpath("ancestor::tr[1]/td") if target.tag == "span" else []
    if cells:  # of a row, the columns that its table marks (`bookext.sphinx.previewed`)
        row: HtmlElement = Element("dl")
        for heading, cell in zip(target.xpath("ancestor::table[1]//th"), cells, strict=True):
            if heading.xpath(".//@data-preview"):
                etree.SubElement(row, "dt").text = heading.text_content().strip()
                told = copy.deepcopy(cell)
                told.tag, told.tail = "dd", None
                told.attrib.clear()
                row.append(told)
        return row if len(row) else None
    return None


def preview(target: HtmlElement) -> str | None:
    r"""The HTML that is shown for a target, without ids and links; None for one that is not previewed.

    >>> from bookext.pages import read
    >>> page = read(b'''<div class="proof theorem" id="t"><p>Two <a href="x.html">hands</a><a
    ... class="headerlink" href="#t">#</a>.</p></div><section id="s"><h2>Long</h2></section>''')
    >>> preview(page.get_element_by_id("t"))
    '<div class="proof theorem"><p>Two hands.</p></div>'
    >>> preview(page.get_element_by_id("s"))
    """
    shown = _shown(target)
    if shown is None:
        return None
    for part in shown.xpath(_DROPPED):
        part.drop_tree()
    for link in shown.xpath(".//a"):
        link.drop_tag()
    for element in shown.iter():
        if isinstance(element.tag, str):
            for name in ("id", "tabindex", "style"):
                element.attrib.pop(name, None)
    shown.tail = None
    formulas.set_in(shown)
    return re.sub(r"\s+", " ", tostring(shown, encoding="unicode")).strip()


def referred_to(page: HtmlElement, name: str) -> list[str]:
    """The places to which the article of the page `name` refers, by address from the site's root."""
    links = page.xpath("//article//a[contains(@class, 'internal')][contains(@href, '#')]/@href")
    return sorted({urljoin(name, link) for link in links})


def previews(page: HtmlElement, anchors: Iterable[str]) -> dict[str, str]:
    """The previews of places on a page, by their ids, of those that have one."""
    targets = ((anchor, page.get_element_by_id(anchor, None)) for anchor in anchors)
    shown = {anchor: preview(target) for anchor, target in targets if target is not None}
    return {anchor: text for anchor, text in shown.items() if text}


def collect(pages: Iterable[Written], kept: Kept | None = None) -> dict[str, str]:
    """The previews of all that the pages' articles refer to, by address from the site's root."""
    kept = kept or Kept()
    by_name = {page.name: page for page in pages}

    def links_of(page: Written) -> list[str]:
        def make() -> bytes:
            return json.dumps(referred_to(page.tree(), page.name)).encode()

        return list(json.loads(kept.get("links", [page.name, page.source], make)))

    anchors: dict[str, list[str]] = {}
    for address in sorted({link for page in by_name.values() for link in links_of(page)}):
        name, _, anchor = address.partition("#")
        anchors.setdefault(name, []).append(anchor)
    found: dict[str, str] = {}
    for name in anchors.keys() & by_name.keys():
        page, wanted = by_name[name], anchors[name]

        def make(page: Written = page, wanted: list[str] = wanted) -> bytes:
            return json.dumps(previews(page.tree(), wanted)).encode()

        made = json.loads(kept.get("previews", [page.source, repr(wanted)], make))
        found |= {f"{name}#{anchor}": text for anchor, text in made.items()}
    return dict(sorted(found.items()))


def script(pages: Iterable[Written], kept: Kept | None = None) -> str:
    """The previews of all pages, as a script that gives them their name."""
    return named_data(NAME, collect(pages, kept))
