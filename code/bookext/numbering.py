"""Chapters numbered from where the book starts, and appendices by letters; Sphinx can only count from 1."""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector


def shifted(number: tuple[int, ...] | list[int] | None, shift: int) -> tuple[int, ...] | list[int] | None:
    """A section number with `shift` added to its chapter.

    >>> shifted((2, 1), -1), shifted((), -1), shifted(None, -1)
    ((1, 1), (), None)
    """
    return type(number)([number[0] + shift, *number[1:]]) if number else number


def letter(env: BuildEnvironment, docname: str, mark: str) -> None:
    """Number the document `mark`, and its sections mark.1, mark.2, ...: it stands in an unnumbered part of the contents."""
    numbers = {"": (mark,)}
    title, *below = env.tocs[docname].findall(nodes.reference)
    title["secnumber"] = env.titles[docname]["secnumber"] = (mark,)
    count = 0
    for reference in below:
        numbers[reference["anchorname"]] = None
        if len(list(_lists_around(reference))) == 2:  # the title's own, and that of the sections
            count += 1
            reference["secnumber"] = numbers[reference["anchorname"]] = (mark, count)
    env.toc_secnumbers[docname] = numbers


def _lists_around(node: nodes.Node) -> Iterator[nodes.Node]:
    while node := node.parent:
        if isinstance(node, nodes.bullet_list):
            yield node


def count_from(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Let the first chapter have the number `bookext_first_chapter`, and `bookext_appendices` the letters A, B, ...

    In titles, contents, figures and theorems alike.
    """
    shift = app.config.bookext_first_chapter - 1
    for docname, numbers in env.toc_secnumbers.items():
        env.toc_secnumbers[docname] = {anchor: shifted(number, shift) for anchor, number in numbers.items()}
        title = env.titles[docname]
        if "secnumber" in title:
            title["secnumber"] = shifted(title["secnumber"], shift)
        for reference in env.tocs[docname].findall(nodes.reference):
            if reference.get("secnumber"):
                reference["secnumber"] = shifted(reference["secnumber"], shift)
    for mark, docname in zip(ascii_uppercase, app.config.bookext_appendices):
        letter(env, docname, mark)
    # Figures, equations and theorems took their chapter's number before it was changed.
    TocTreeCollector().assign_figure_numbers(env)
    return []
