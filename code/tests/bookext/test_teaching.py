"""The page for teachers: the list of exercises that the build makes, and the figure of what needs what."""

from __future__ import annotations

import re
from functools import cache

import pytest
from book_source import directives, text_of
from bs4 import BeautifulSoup
from harness import documents, numbered_chapters
from lxml.html import HtmlElement, document_fromstring

from bookext.sphinx import exercises
from wavebook.figures import teaching as figures

PAGE = "book/teaching"


def levels(name: str) -> dict[str, str]:
    """The exercises of a page: label -> how hard it is."""
    return {one.option("label"): one.option("class") for one in directives(text_of(name), "exercise")}


@pytest.mark.parametrize("name", documents())
def test_every_exercise_says_how_hard_it_is(name):
    assert set(levels(name).values()) <= set(exercises.LEVELS)


@pytest.mark.build
def test_the_list_has_every_exercise_under_its_difficulty(site):
    @cache
    def page_at(name: str) -> HtmlElement:
        return document_fromstring((site.root / f"{name}.html").read_bytes())

    page = BeautifulSoup((site.root / f"{PAGE}.html").read_text(encoding="utf-8"), "lxml")
    (section,) = (one for one in page.select("section") if one.h2 and "by difficulty" in one.h2.get_text())
    listed = {}
    for head, items in zip(
        section.select(":scope > p:has(> strong)"), section.select(":scope > ul"), strict=True
    ):
        level, count = re.fullmatch(r"(\w+) \((\d+)\)", head.get_text()).groups()
        links = items.select("a")
        assert len(links) == int(count)
        for link in links:
            address, _, label = link["href"].partition("#")
            place = address.removesuffix(".html") or PAGE.removeprefix("book/")
            number, title = re.fullmatch(r"(\d+(?:\.\d+)?) (.+)", link.get_text()).groups()
            assert label not in listed
            listed[label] = (f"book/{place}", level.lower())
            assert f"Exercise {number} ({title} · {level.lower()})" in " ".join(
                page_at(f"book/{place}").get_element_by_id(label).text_content().split()
            )
    assert listed == {label: (name, level) for name in documents() for label, level in levels(name).items()}


#: The arrows of the figure: a chapter, and those that it is said to need.
DRAWN = {name: set(needs) for name, (_, _, needs) in {**figures.PART_1, **figures.OTHERS}.items()}


def test_the_figure_has_every_chapter_in_order():
    assert [f"book/{name}" for name in DRAWN] == numbered_chapters()


@pytest.mark.parametrize("name", numbered_chapters())
def test_the_figure_says_what_each_chapter_says_it_needs(name):
    """All that a chapter names under "You need" leads to it, over one arrow or several."""

    def before(chapter: str) -> set[str]:
        return DRAWN[chapter].union(*map(before, DRAWN[chapter]))

    line = "".join(re.findall(r"^\*\*You need\*\* .*", text_of(name), re.MULTILINE))
    needed = set(re.findall(r"\{doc\}`([\w-]+)`", line))
    assert needed <= before(name.removeprefix("book/"))
