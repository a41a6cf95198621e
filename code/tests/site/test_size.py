"""How long the book may be: one number for each part, and what the build has counted."""

from __future__ import annotations

import json

import pytest
from harness import numbered_parts

#: Words that a reader sees who unfolds nothing.
OPEN = {
    "the front page": (["book/intro"], 500),
    "the tour": (["book/tour"], 1_600),
    "token 208": (["book/token-208"], 2_100),
    "Part I": (numbered_parts()[0], 12_500),
    "Part II": ([name for part in numbered_parts()[1:] for name in part], 17_000),
}
#: Words of the pages' Markdown, folds and programs included.
WORDS = {
    "token 47 and its chapter": (["book/token-47", "book/training"], 9_000),
    "is it so?": (["book/is-it-so"], 8_000),
    "questions": (["book/questions"], 17_000),
}
ALL_WORDS, ENTRIES = 130_000, 24


@pytest.fixture(scope="module")
def sizes(site):
    return json.loads((site.root / "sizes.json").read_text())


@pytest.mark.parametrize("part", OPEN)
def test_open_words(sizes, part):
    names, most = OPEN[part]
    assert sum(sizes["pages"][f"{name}.html"]["open"] for name in names) <= most


@pytest.mark.parametrize("part", WORDS)
def test_words(sizes, part):
    names, most = WORDS[part]
    assert sum(sizes["pages"][f"{name}.html"]["words"] for name in names) <= most


def test_the_whole(sizes):
    assert sizes["words"] <= ALL_WORDS
    assert sizes["entries"] <= ENTRIES
