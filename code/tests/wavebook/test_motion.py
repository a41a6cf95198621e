"""Theorems to be moved: a line below an explorer names those that it shows; each is seen in its values."""

from __future__ import annotations

import ast
import math
import re
from functools import reduce
from operator import getitem

import pytest
from book_source import directives, text_of
from explorer_page import values
from harness import REPOSITORY, numbered_chapters

from bookext.data_files import read_yaml
from wavebook import explorers

MOTION = read_yaml(REPOSITORY / "book/motion.yml")
EXPLORER = re.compile(
    rf"^(?P<call>(?:{'|'.join(explorers.__all__)})\([^\n]*\))\n```\n(?P<after>.*\n.*\n.*)", re.MULTILINE
)
TEXTS = {name: text_of(name) for name in numbered_chapters()}
LINE = "\n{.in-motion}\nThis figure shows "


def theorems() -> list[str]:
    return [one.option("label") for text in TEXTS.values() for one in directives(text, "prf:theorem")]


def in_motion() -> dict[str, str]:
    """The labels that the lines below the explorers name, with the explorer above the line."""
    shown = {}
    for text in TEXTS.values():
        for match in EXPLORER.finditer(text):
            if match["after"].startswith(LINE):
                for label in re.findall(r"\{prf:ref\}`((?:thm|rem)-[\w-]+)`", match["after"]):
                    assert label not in shown, f"{label} is named once, where it is seen best"
                    shown[label] = match["call"]
    return shown


def test_every_theorem_is_in_motion_or_said_to_be_still():
    assert len(theorems()) > 10
    shown = [label for label in in_motion() if label.startswith("thm-")]  # a remark may be shown, or not
    assert sorted([*shown, *MOTION["still"]]) == sorted(theorems()), (
        "a theorem is named below an explorer, or stands in book/motion.yml as still, with a reason"
    )
    assert sorted(MOTION["moved"]) == sorted(in_motion()), "and has a value there if it is named"


#: The chapters before each.
EARLIER = {chapter: list(TEXTS)[:n] for n, chapter in enumerate(TEXTS)}


def named(chapter: str) -> set[str]:
    """The classes of a chapter's explorers."""
    return {match["call"].partition("(")[0] for match in EXPLORER.finditer(TEXTS[chapter])}


@pytest.mark.parametrize("chapter", TEXTS)
def test_the_line_stands_below_an_explorer(chapter):
    """And an explorer has one, here or where it was first."""
    below = [match["after"] for match in EXPLORER.finditer(TEXTS[chapter])]
    lines = TEXTS[chapter].count("{.in-motion}")
    assert lines == sum(after.startswith(LINE) for after in below)
    first = {name for name in named(chapter) if not any(name in named(other) for other in EARLIER[chapter])}
    assert lines or not first


def explorer(call: str) -> explorers.Explorer:
    """The explorer of a cell, without the question that it asks first: its other arguments are literals."""
    (tree,) = ast.parse(call).body
    traits = {
        word.arg: ast.literal_eval(word.value) for word in tree.value.keywords if word.arg != "prediction"
    }
    return getattr(explorers, tree.value.func.id)(**traits)


def value(shown: dict, name: str) -> object:
    """A value of an explorer by its name in book/motion.yml."""
    one, to, other = name.partition(" to ")
    return round(math.dist(shown[one], shown[other]), 4) if to else reduce(getitem, name.split("."), shown)


@pytest.mark.parametrize("label", MOTION["moved"])
def test_the_theorem_is_seen_in_the_values(mount, label):
    case = MOTION["moved"][label]
    page = mount(explorer(in_motion()[label]))
    before = values(page)
    if "press" in case:
        page.get_by_role("button", name=case["press"], exact=True).click()
    for trait, to in case.get("move", {}).items():
        page.evaluate("([name, value]) => model.set(name, value)", [trait, to])
    page.evaluate("frames()")
    for name in case["changes"]:
        assert value(values(page), name) != value(before, name), name
    for name in case.get("stays", []):
        assert value(values(page), name) == value(before, name), name
