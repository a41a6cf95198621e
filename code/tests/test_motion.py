"""Theorems to be moved: a line below an explorer names those that it shows; each is seen in a read-out."""

from __future__ import annotations

import ast
import math
import re

import pytest
import yaml
from explorer_page import labels
from harness import REPOSITORY, numbered_chapters

from wavebook import explorers

MOTION = yaml.safe_load((REPOSITORY / "book/motion.yml").read_text(encoding="utf-8"))
EXPLORER = re.compile(
    rf"^(?P<call>(?:{'|'.join(explorers.__all__)})\([^\n]*\))\n```\n(?P<after>.*\n.*\n.*)", re.MULTILINE
)
TEXTS = {name: (REPOSITORY / f"{name}.md").read_text(encoding="utf-8") for name in numbered_chapters()}
LINE = "\n{.in-motion}\nIn motion: "


def theorems() -> list[str]:
    return [
        label for text in TEXTS.values() for label in re.findall(r"\{prf:theorem\}.*\n:label: (\S+)", text)
    ]


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
    assert sorted(MOTION["moved"]) == sorted(in_motion()), "and has a read-out there if it is named"


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
    values = {
        word.arg: ast.literal_eval(word.value) for word in tree.value.keywords if word.arg != "prediction"
    }
    return getattr(explorers, tree.value.func.id)(**values)


def read(page, pattern: str) -> tuple[str, ...]:
    """What the groups of a pattern hold in all that the explorer says."""
    said = "\n".join([*labels(page), re.sub(r"\s+", " ", page.locator("[data-explorer]").inner_text())])
    match = re.search(pattern, said)
    assert match, f"no read-out {pattern!r} in: {said}"
    return match.groups()


def length(groups: tuple[str, ...]) -> float:
    """The length of one vector, or of the difference of two."""
    entries = [float(text.replace("\N{MINUS SIGN}", "-")) for text in groups]
    half = len(entries) // 2
    return math.hypot(*entries) if half == 1 else math.dist(entries[:half], entries[half:])


@pytest.mark.parametrize("label", MOTION["moved"])
def test_the_theorem_is_seen_in_a_read_out(mount, label):
    case = MOTION["moved"][label]
    page = mount(explorer(in_motion()[label]))
    reading = {
        "changes": lambda pattern: read(page, pattern),
        "stays": lambda pattern: read(page, pattern),
        "length": lambda pattern: length(read(page, pattern)),
    }
    before = {kind: reading[kind](case[kind]) for kind in reading if kind in case}
    assert before
    if "press" in case:
        page.get_by_role("button", name=case["press"], exact=True).click()
    for trait, value in case.get("move", {}).items():
        page.evaluate("([name, value]) => model.set(name, value)", [trait, value])
    page.evaluate("frames()")
    after = {kind: reading[kind](case[kind]) for kind in before}
    for kind, value in before.items():
        if kind == "changes":
            assert all(was != now for was, now in zip(value, after[kind], strict=True)), f"{value} stays"
        elif kind == "stays":
            assert after[kind] == value
        else:
            assert after[kind] == pytest.approx(value, abs=2e-3)  # read-outs have three digits
