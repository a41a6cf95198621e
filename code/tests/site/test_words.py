"""The book's words for its things: the table of book/README.md, looked for in the prose of every page.

A page that must say another word, since it quotes somebody, has an entry in `ALLOWED`.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import pytest
from book_source import VERBATIM, Run, flatten, prose, text_of
from harness import documents

#: What is not written, and what is in its place.
INSTEAD = {
    r"orders? of (?:the |its )?words|word order": "order of the tokens",
    r"schedules?": "choice of frequencies, or spectrum",
    r"rotary (?:positional |position )?(?:encodings?|embeddings?)": "RoPE",
    r"linear bias(?:es)?": "ALiBi",
    r"(?:the|an?|its|their|what|which|this|that|whose|larger|smaller|same) shares?": "fraction",
    r"(?:position(?:al)?|the|two|all|these|those|different) codes": "encodings",
    r"(?:position(?:al)?) code": "encoding",
    r"hand(?:s|ed|ing)? (?:\w+ )?over": "pass",
    r"h(?:old|olds|eld|olding) (?:\w+ )?against": "compare with",
}
FORBIDDEN = re.compile("|".join(rf"(?P<_{n}>\b(?:{one})\b)" for n, one in enumerate(INSTEAD)), re.IGNORECASE)

#: Page, what it says, and why it may.
ALLOWED = {
    ("book/tour", "rotary position embedding"): "the full name, once",
    ("book/relatives", "rotary position embedding"): "the full name, once",
    ("book/relatives", "linear biases"): "the full name of ALiBi, once",
    ("book/glossary", "Rotary position embedding"): "the entry of RoPE",
    ("book/glossary", "linear biases"): "the entry of ALiBi",
}


TO_DO = (
    "The table is in book/README.md; a quotation goes on the list ALLOWED in code/tests/site/test_words.py."
)


class Said(NamedTuple):
    """A word on a page that another should replace."""

    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.line}: “{self.text}”: write {self.instead}"


@cache
def forbidden(text: str) -> list[Said]:
    """What a page says that the table has another word for."""
    instead = list(INSTEAD.values())
    return [
        Said(1 + run.line + words.count("\n", 0, found.start()), found[0], instead[int(found.lastgroup[1:])])
        for run in prose(text, VERBATIM, ("alt", "caption", "description"))
        if isinstance(run, Run)
        for words in [flatten(run.token)[0]]
        for found in FORBIDDEN.finditer(words)
    ]


@pytest.mark.parametrize("name", documents())
def test_a_page_says_what_the_table_says(name):
    left = [said for said in forbidden(text_of(name)) if (name, said.text) not in ALLOWED]
    if left:
        lines = [f"{name}.md:{said}" for said in left]
        pytest.fail("\n".join([*lines, TO_DO]), pytrace=False)


def test_the_allow_list_is_needed():
    there = {(name, said.text) for name in documents() for said in forbidden(text_of(name))}
    assert not ALLOWED.keys() - there
