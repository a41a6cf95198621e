"""Appendices lettered A, B, ...; Sphinx can only count.

A title that is typed as "A. Claims" would do for the page's name alone: its sections (A.1), exercises,
theorems, figures and all references to them take their numbers from what Sphinx has counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookext import upstream


def letter(env: BuildEnvironment, docname: str, mark: str) -> None:
    """Number a document `mark`, its sections mark.1, mark.2, ...; the contents give them no numbers."""
    numbers: dict[str, Any] = {"": (mark,)}
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
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.bullet_list):
            yield node


def restore(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Let Sphinx find what it expects: its own last numbers to compare with, none in titles and contents."""
    if hasattr(env, "bookext_numbers"):
        env.toc_secnumbers, env.toc_fignumbers = env.bookext_numbers
    for docname, title in env.titles.items():
        for element in (title, *env.tocs[docname].findall(nodes.reference)):
            element.attributes.pop("secnumber", None)
    return []


def letter_appendices(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Give `bookext_appendices` the letters A, B, ..., in titles, contents, figures and theorems alike."""
    env.bookext_numbers = upstream.numbers_of(env)  # type: ignore[attr-defined]  # extensions keep their data so
    for mark, docname in zip(ascii_uppercase, app.config.bookext_appendices, strict=False):
        letter(env, docname, mark)
    # Figures, equations and theorems took their numbers before their page had its letter.
    upstream.number_figures_again(env)
    return []
