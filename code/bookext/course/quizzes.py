"""Questions, put together as quizzes: one for each set, or for each chapter of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bookext.course.questions import Question

#: What the sets are called.
SETS = {"inventory": "Concept inventory", "checks": "Quick checks", "recall": "Recall"}


@dataclass(frozen=True)
class Quiz:
    """Questions that are asked together."""

    name: str
    title: str
    questions: tuple[Question, ...]


def group(questions: Iterable[Question], titles: Mapping[str, str]) -> list[Quiz]:
    """Questions as quizzes, in their order; `titles` are those of the chapters.

    >>> asked = [Question("a", "recall", "open", "", chapter="order"), Question("b", "inventory", "open", "")]
    >>> [(quiz.name, quiz.title) for quiz in group(asked, {"order": "Order"})]
    [('recall-order', 'Recall: Order'), ('inventory', 'Concept inventory')]
    """
    found: dict[tuple[str, str], list[Question]] = {}
    for one in questions:
        found.setdefault((one.set, one.chapter), []).append(one)
    return [
        Quiz(
            f"{kind}-{chapter}" if chapter else kind,
            f"{SETS[kind]}: {titles[chapter]}" if chapter else SETS[kind],
            tuple(those),
        )
        for (kind, chapter), those in found.items()
    ]
