"""Every address on the built pages leads somewhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import lxml.html
import pytest
from harness import all_pages, numbered_chapters, with_explorers

#: What a page loads by itself, as against what it leads to when asked.
LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}


@cache
def parsed(path: Path) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(path.read_bytes())


@cache
def anchors(path: Path) -> set[str]:
    return set(parsed(path).xpath("//@id"))


def fault(path: Path, address: str) -> str | None:
    """What is wrong with an address on the page at `path`; None if nothing is."""
    parts = urlsplit(address)
    if parts.scheme in ("http", "https", "mailto"):
        return None if parts.scheme != "http" else "not encrypted"
    if parts.scheme or parts.netloc:
        return "no ordinary address"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file():
        return "no such file"
    if parts.fragment.startswith(
        "explorer-"
    ):  # which gets its name when it is drawn, and has a page of its own
        alone = target.with_suffix("") / f"{parts.fragment.removeprefix('explorer-')}.html"
        return None if alone.is_file() else "no such explorer"
    if parts.fragment and target.suffix == ".html" and unquote(parts.fragment) not in anchors(target):
        return "no such anchor"
    return None


def test_a_link_calls_a_chapter_by_its_number(site):
    """A title asks or names, and is no part of another sentence; words of its own a link may have."""
    named: dict[str, tuple[str, set[str]]] = {}
    for count, name in enumerate(numbered_chapters(), start=1):
        title = (
            parsed(site.root / f"{name}.html")
            .find(".//h1")
            .xpath("string(text()[normalize-space()])")
            .strip()
        )
        page = Path(name).name
        titles = {title, title.partition(":")[0], page, page.replace("-", " ")}
        named[f"{page}.html"] = f"chapter {count}", {each.casefold() for each in titles}
    found = Counter()
    for name in all_pages():
        for link in parsed(site.root / f"{name}.html").xpath("//article//a[span[contains(@class, 'doc')]]"):
            target, said = (
                link.get("href").rpartition("/")[2],
                " ".join(link.text_content().casefold().split()),
            )
            if target in named:
                number, titles = named[target]
                assert said not in titles, (name, said)
                assert said == number or not said.startswith("chapter"), (name, said)
                found[target] += said == number
    assert all(found[target] for target in named)


def test_links_of_figures_alone_lead_somewhere(site):
    paths = [path for name in with_explorers() for path in (site.root / name).glob("*.html")]
    assert paths
    faults = {
        (path.name, address): reason
        for path in paths
        for address in parsed(path).xpath("//a/@href | //img/@src | //script/@src | //@data-src")
        if (reason := fault(path, address))
    }
    assert not faults


@pytest.mark.over([*all_pages(), "index"])
def test_links_lead_somewhere(site, page_name):
    path = site.root / f"{page_name}.html"
    addresses = set(parsed(path).xpath("//a/@href"))
    faults = {address: reason for address in addresses if (reason := fault(path, address))}
    assert addresses
    assert not faults


@pytest.mark.over([*all_pages(), "index"])
def test_nothing_is_loaded_from_elsewhere(site, page_name):
    """Read from the source, so that it holds of what is loaded late, or only in some browser, too."""
    path = site.root / f"{page_name}.html"
    addresses = {
        element.get(attribute)
        for tag, attribute in LOADED.items()
        for element in parsed(path).iterfind(f".//{tag}[@{attribute}]")
        if not (tag == "link" and {"canonical", "alternate"} & set(element.get("rel", "").split()))
    }
    addresses |= set(parsed(path).xpath("//@data-src"))
    assert not [address for address in addresses if urlsplit(address).netloc]
    missing = [address for address in addresses if not address.startswith("data:") and fault(path, address)]
    assert not missing


def test_anchors_are_unique(site, page_name):
    names = Counter(parsed(site.root / f"{page_name}.html").xpath("//@id"))
    assert names
    assert not {name for name, count in names.items() if count > 1}


def test_a_citation_names_one_work(site):
    """Of all pages together: two works of one year by the same authors have a letter each."""
    named: dict[str, set[str]] = {}
    for name in all_pages():
        for link in parsed(site.root / f"{name}.html").xpath("//a[contains(@href, 'references.html#id')]"):
            work = link.get("href").rpartition("#")[2]
            named.setdefault(" ".join(link.text_content().split()), set()).add(work)
    assert len(named) > 100
    assert not {text: works for text, works in named.items() if len(works) > 1}


def test_style_sheets_reach_for_nothing_foreign(site):
    for sheet in site.root.rglob("*.css"):
        foreign = re.findall(
            r"(?:url\(|@import)\s*[\"']?((?:https?:)?//[^\"')\s]+)", sheet.read_text(encoding="utf-8")
        )
        assert not foreign, f"{sheet.relative_to(site.root)}: {foreign}"
