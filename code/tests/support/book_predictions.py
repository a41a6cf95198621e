"""The predictions of the book, as the cells of its pages make them."""

from __future__ import annotations

import ast

from book_source import explorer_calls, text_of
from harness import documents

from wavebook import explorers
from wavebook.explorers import ask, questions
from wavebook.explorers.base import Explorer


def calls() -> dict[str, str]:
    """Page and question -> the line that makes the explorer, for each prediction of the book."""
    found = {}
    for name in sorted(documents()):
        for call in explorer_calls(text_of(name)):
            for word in ast.parse(call).body[0].value.keywords:
                if word.arg == "prediction":
                    found[f"{name.removeprefix('book/')}: {ast.unparse(word.value)}"] = call
    return found


class Names(dict[str, object]):
    """What a page has by name after ``from wavebook.explorers import ...``."""

    def __missing__(self, name: str) -> object:
        return {"ask": ask, "questions": questions}.get(name) or getattr(explorers, name)


def make_explorer(call: str) -> Explorer:
    """The explorer of such a line, with its question."""
    explorer: Explorer = eval(call, Names())
    return explorer
