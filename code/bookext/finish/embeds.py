"""An explorer alone: a small page for each, to be shown in a frame of another site, or on a projector.

``book/order.html`` has an explorer named ``shuffle``; so ``book/order/shuffle.html`` has that explorer and
nothing else of it but its heading, what is said right before it, and a way back. What follows the question
mark of an address means the same on both. `static/figures.js` leads there.
"""

from __future__ import annotations

import copy
import html
import json
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from lxml.html import HtmlElement, tostring

from bookext.book import Book
from bookext.finish.about import Page
from bookext.finish.passages import title_of
from bookext.pages import read, remove
from bookext.sphinx import widgets


def named(page: HtmlElement) -> Iterator[tuple[str, int, HtmlElement]]:
    """The explorers of a page: the name in addresses, which of its kind it is, and the script of its view."""
    seen: Counter[str] = Counter()
    for view in page.xpath(f"//script[@type='{widgets.VIEW}']"):
        for still in view.xpath("following-sibling::noscript[1]//*[@data-name]"):
            kind = still.get("data-name")
            seen[kind] += 1
            yield kind if seen[kind] == 1 else f"{kind}-{seen[kind]}", seen[kind], view


def _moved(address: str, back: str) -> str:
    """An address of a page, as a page in the folder of its name has it; `back` is the way to the page.

    >>> [_moved(address, "../a.html") for address in ("#x", "../b/c.html?d", "https://e.org/", "")]
    ['../a.html#x', '../../b/c.html?d', 'https://e.org/', '']
    """
    if not address or urlsplit(address).scheme:
        return address
    return back + address if address.startswith("#") else f"../{address}"


def _heading(view: HtmlElement) -> str:
    """The heading of the section that an explorer is in, without its number."""
    for heading in view.xpath("ancestor::section[1]/*[self::h1 or self::h2 or self::h3 or self::h4][1]"):
        return title_of(heading)
    return ""


def _caption(view: HtmlElement, back: str) -> str:
    """What a figure's caption says or, without one, the paragraph before it, for a page one deeper."""
    found = view.xpath("ancestor::figure[1]/figcaption")
    cell = "ancestor::div[contains(concat(' ', @class, ' '), ' cell ')][1]"
    found = found or view.xpath(f"{cell}/preceding-sibling::*[1][self::p]")
    if not found:
        return ""
    told = copy.deepcopy(found[0])
    told.tail = None
    for link in told.xpath(".//a[contains(@class, 'headerlink')]"):
        remove(link)
    for element in told.iter():
        element.attrib.pop("id", None)
    told.rewrite_links(partial(_moved, back=back))
    told.tag = "div"
    return str(tostring(told, encoding="unicode"))


def _scripts(view: HtmlElement, nth: int, states: widgets.Models) -> str:
    """The state of the one widget, and its view, which says that it is the `nth` of its kind on its page."""
    shown = json.loads(view.text)
    model = shown["model_id"]
    state = {"version_major": 2, "version_minor": 0, "state": {model: states[model]}}
    both = (widgets.STATE, state), (widgets.VIEW, shown | {"nth": nth})
    return "".join(
        f'<script type="{kind}">'
        + json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        + "</script>"
        for kind, data in both
    )


def embeds(tree: HtmlElement, page: Page, book: Book) -> dict[str, HtmlElement]:
    """The pages of the explorers of a page, by their names: "book/order/shuffle.html".

    It has formulas as TeX; like those that are made of it, it is set, and gets its sheet, later.
    """
    scripts = tree.xpath(f"//script[@type='{widgets.STATE}']")
    if not scripts:
        return {}
    states = widgets.whole(json.loads(scripts[0].text)["state"])
    here = PurePosixPath(page.name)
    folder, back = here.with_suffix(""), f"../{here.name}"
    top = "../" * (len(folder.parts))
    head = tree.xpath("//head/script[not(@type) and not(@src)][1] | //head/script[contains(@src, 'host.js')]")
    late = tree.xpath("//script[@type='text/late'][contains(@data-src, 'figures.js')]")
    rebased = [copy.deepcopy(script) for script in [*head, *late]]
    for script in rebased:
        script.tail = "\n"
        for name in ("src", "data-src"):
            if script.get(name):
                script.set(name, _moved(script.get(name), back))
    programs = "".join(tostring(script, encoding="unicode") for script in rebased)
    made = {}
    for name, nth, view in named(tree):
        still = copy.deepcopy(view.xpath("following-sibling::noscript[1]")[0])
        still.tail = None
        still.rewrite_links(partial(_moved, back=back))
        title = _heading(view) or page.title
        shown, whole = html.escape(title), html.escape(f"{title} — {book.title}")
        address = book.address(page.name)
        canonical = f'<link rel="canonical" href="{html.escape(address)}">\n' if address else ""
        caption = _caption(view, back)
        text = f"""<!DOCTYPE html>
<html lang="{html.escape(book.language)}" data-content_root="{top}" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{whole}</title>
{canonical}{programs}</head>
<body class="embed">
<main>
<h1>{shown}</h1>
<div class="embed-figure">{_scripts(view, nth, states)}{tostring(still, encoding="unicode")}</div>
<div class="embed-foot">{caption and f'<div class="embed-caption">{caption}</div>'}
<p><a data-back="" href="{html.escape(back)}#explorer-{name}" target="_blank">{html.escape(page.title)}</a>,
in <cite>{html.escape(book.title)}</cite></p></div>
</main>
</body>
</html>
"""
        made[(folder / f"{name}.html").as_posix()] = read(text.encode())
    return made
