"""Tables of what was measured, as the pages show them: in MyST Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(header: Sequence[str], rows: Iterable[Sequence[str]], align: str = "") -> str:
    """A table; `align` has "l" or "r" for each column, and without it all but the first are set right.

    >>> print(table(["head", "looks at"], [["2.1", "208"]]))
    | head | looks at |
    | :-- | --: |
    | 2.1 | 208 |
    """
    marks = {"l": ":--", "r": "--:"}
    rule = [marks[letter] for letter in align or "l".ljust(len(header), "r")]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))


def folded(title: str, *parts: str) -> str:
    """Paragraphs and tables that the page folds.

    >>> print(folded("All trials", "One row each."))
    ::::{dropdown} All trials
    One row each.
    ::::
    """
    return f"::::{{dropdown}} {title}\n" + "\n\n".join(parts) + "\n::::"
