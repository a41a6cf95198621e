"""Addresses of earlier editions that still lead to what they named.

The file `bookext_addresses` lists what the pages of published editions had names for; ``python -m
bookext.finish.moved SITE FILE`` adds those of a built site to it. A name that is not on its page any more is
looked for on the others: labels are the same wherever a section goes. `bookext_moved` says the rest: what is
called otherwise now, and where a page went that is gone.

A page that is gone leaves a page of links, one that is there a list of links below its text, of which a
reader sees the one whose name the address has; `static/moved.js` follows it.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml
from lxml.html import HtmlElement, fragment_fromstring

from bookext.data_files import read_yaml
from bookext.pages import read

#: Names that programs give, and that nobody links to: numbers, entries of indices, functions' own.
_GIVEN = re.compile(r"id\d+$|cell|footnote|index-|mjx|explorer-|.*[.]")

#: Old page -> old name, "" for the page itself -> where that is now.
Moves = dict[str, dict[str, str]]


def names_in(page: HtmlElement) -> list[str]:
    """What can be linked to in a page's text.

    >>> names_in(read(b'<article><section id="a"><p id="id3"></p></section></article><p id="b"></p>'))
    ['a']
    """
    return [str(name) for name in page.xpath("//article//@id") if not _GIVEN.match(name)]


def moves(
    old: Mapping[str, Iterable[str]], now: Mapping[str, Iterable[str]], told: Mapping[str, str]
) -> Moves:
    """Where the names of `old` pages are now, if they are not where they were.

    What is `told` counts first, then the one other page that has the name. What is gone from a page that is
    still there leads to its beginning, as browsers have it.

    >>> moves({"a": ["x", "y"], "b": ["z"]}, {"a": ["x"], "c": ["z"]}, {"b": "c#z", "a#y": "c"})
    {'a': {'y': 'c'}, 'b': {'': 'c#z', 'z': 'c#z'}}
    >>> moves({"b": ["z"]}, {"c": ["z"]}, {})
    Traceback (most recent call last):
        ...
    ValueError: b is no page any more, and nothing says where it went
    """
    homes: dict[str, list[str]] = {}
    for page, names in now.items():
        for name in names:
            homes.setdefault(name, []).append(page)
    found: Moves = {}
    for page, names in old.items():
        lost = [name for name in names if name not in now.get(page, ())]
        here = {name: f"{homes[name][0]}#{name}" for name in lost if len(homes.get(name, ())) == 1}
        here |= {name: told[f"{page}#{name}"] for name in lost if f"{page}#{name}" in told}
        if page not in now:
            if page not in told:
                raise ValueError(f"{page} is no page any more, and nothing says where it went")
            here = {"": told[page], **here}
        if here:
            found[page] = here
    return found


def check_targets(found: Moves, now: Mapping[str, Iterable[str]]) -> None:
    """Raise if something leads to a page or a name that is not there.

    >>> check_targets({"b": {"": "c#z"}}, {"c": ["a"]})
    Traceback (most recent call last):
        ...
    ValueError: b leads to c#z, which is not there
    """
    for page, links in found.items():
        for name, target in links.items():
            place, _, anchor = target.partition("#")
            if place not in now or (anchor and anchor not in now[place]):
                raise ValueError(f"{page}{'#' * bool(name)}{name} leads to {target}, which is not there")


def _links(links: Mapping[str, str], up: str, titles: Mapping[str, str]) -> str:
    rows = ""
    for name, target in links.items():
        title = html.escape(titles.get(target.partition("#")[0], target))
        named = f' id="{html.escape(name)}"' if name else ""
        rows += f'<li{named}><a href="{html.escape(up + target)}">{title}</a></li>'
    return f'<ul class="moved">{rows}</ul>'


def mark(tree: HtmlElement, page: str, links: Mapping[str, str], titles: Mapping[str, str]) -> None:
    """Put below the text of a page where its lost names lead."""
    box = fragment_fromstring(
        '<div class="moved-from d-print-none"><p>What you look for has moved:</p>'
        f"{_links(links, '../' * page.count('/'), titles)}</div>"
    )
    for article in tree.xpath("//article[contains(@class, 'bd-article')]"):
        box.tail, article.tail = article.tail, "\n"
        article.addnext(box)


def stub(page: str, links: Mapping[str, str], titles: Mapping[str, str], canonical: str) -> str:
    """The page of links that a page leaves which is gone."""
    up = "../" * page.count("/")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>This page has moved</title>
<link rel="canonical" href="{html.escape(canonical)}">
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.1rem/1.5 serif; }}
</style>
</head>
<body>
<main class="gone">
<article><h1>This page has moved</h1><p>What was here is now in:</p>{_links(links, up, titles)}</article>
</main>
<script src="{up}_static/moved.js"></script>
</body>
</html>
"""


def within(folder: str, found: Moves) -> Moves:
    """The same with the `folder` of the pages before each.

    >>> within("book/", {"a.html": {"": "c.html#z"}})
    {'book/a.html': {'': 'book/c.html#z'}}
    """
    return {
        folder + page: {name: folder + target for name, target in links.items()}
        for page, links in found.items()
    }


def record(site: Path, file: Path) -> None:
    """Add the names that a built site has to those of earlier editions."""
    known = read_yaml(file) if file.is_file() else {}
    for path in sorted(site.glob("book/*.html")):
        name = path.name
        page = read(path.read_bytes())
        if page.xpath("//article"):  # and not what a page has left that was gone before
            known[name] = sorted({*known.get(name, []), *names_in(page)})
    file.write_text(yaml.safe_dump(known, default_flow_style=None, width=110), encoding="utf-8")


if __name__ == "__main__":
    record(Path(sys.argv[1]), Path(sys.argv[2]))
