"""A line below each explorer names the theorems that it moves; those that stand still are listed, and why."""

from __future__ import annotations

import re

import pytest
import yaml
from harness import REPOSITORY, numbered_chapters

from posenc import explorers

#: Theorems without a figure that moves, and why.
STILL: dict[str, str] = yaml.safe_load((REPOSITORY / "book/motion.yml").read_text(encoding="utf-8"))
EXPLORER = re.compile(
    rf"^(?:{'|'.join(explorers.__all__)})\([^\n]*\)\n```\n(?P<after>.*\n.*\n.*)", re.MULTILINE
)
TEXTS = {name: (REPOSITORY / f"{name}.md").read_text(encoding="utf-8") for name in numbered_chapters()}


def theorems() -> list[str]:
    return [
        label for text in TEXTS.values() for label in re.findall(r"\{prf:theorem\}.*\n:label: (\S+)", text)
    ]


def in_motion() -> list[str]:
    """The labels that the lines below the explorers name."""
    lines = [
        line
        for text in TEXTS.values()
        for line in re.findall(r"^\{\.in-motion\}\n(In motion: .*)", text, re.MULTILINE)
    ]
    return [label for line in lines for label in re.findall(r"\{prf:ref\}`(thm-[\w-]+)`", line)]


def test_every_theorem_is_in_motion_or_said_to_be_still():
    shown, all_of_them = in_motion(), theorems()
    assert len(all_of_them) > 50
    assert len(set(shown)) == len(shown), "named once, where it is seen best"
    assert sorted([*shown, *STILL]) == sorted(all_of_them), (
        "a theorem is named below an explorer, or stands in book/motion.yml with a reason"
    )
    assert all(len(reason.split()) > 2 for reason in STILL.values())


@pytest.mark.parametrize("chapter", TEXTS)
def test_the_line_stands_below_an_explorer(chapter):
    below = [match["after"] for match in EXPLORER.finditer(TEXTS[chapter])]
    lines = TEXTS[chapter].count("{.in-motion}")
    assert below
    assert lines == sum(after.startswith("\n{.in-motion}\nIn motion: ") for after in below) > 0
