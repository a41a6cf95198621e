"""Numbers about the book itself: ``{count}`theorems` `` is how often a pattern occurs in all pages together.

The patterns are `bookext_counts` in the configuration: a name, and a list of regular expressions, each of
which is looked for within what the one before it matched. No page has to be run, or read, because another one
has changed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

logger = logging.getLogger(__name__)


def count(patterns: Sequence[str], text: str) -> int:
    r"""How often the last of `patterns` matches within what those before it match, one within the other.

    >>> count([r"<.*?>", r"a"], "<aa> a <a>"), count([r"a"], "<aa> a <a>")
    (3, 4)
    """
    first, *rest = patterns
    found = [match[0] for match in re.finditer(first, text, re.MULTILINE)]
    return sum(count(rest, part) for part in found) if rest else len(found)


class number_of(nodes.Inline, nodes.TextElement):  # docutils names nodes like this
    """The place of a number that is known when all pages have been read."""


class CountRole(SphinxRole):
    """``{count}`name` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Leave a place for the number."""
        if self.text not in self.config.bookext_counts:
            logger.warning("bookext_counts has no %r", self.text, location=self.get_location())
        return [number_of(self.rawtext, self.text)], []


def counts_of(env: BuildEnvironment) -> dict[str, dict[str, int]]:
    """Document -> name -> number."""
    if not hasattr(env, "bookext_counts"):
        env.bookext_counts = {}  # type: ignore[attr-defined]  # extensions keep their data so
    found: dict[str, dict[str, int]] = env.bookext_counts  # type: ignore[attr-defined]
    return found


def _count_page(app: Sphinx, docname: str, source: list[str]) -> None:
    patterns = app.config.bookext_counts
    counts_of(app.env)[docname] = {name: count(patterns[name], source[0]) for name in patterns}


def _forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    counts_of(env).pop(docname, None)


def _merge(app: Sphinx, env: BuildEnvironment, docnames: list[str], other: BuildEnvironment) -> None:
    counts_of(env).update({name: counts_of(other)[name] for name in docnames if name in counts_of(other)})


def _fill_in(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for place in list(doctree.findall(number_of)):
        total = sum(page.get(place.astext(), 0) for page in counts_of(app.env).values())
        place.replace_self(nodes.Text(str(total)))


def setup(app: Sphinx) -> None:
    """Register the role with Sphinx."""
    app.add_node(number_of)
    app.add_role("count", CountRole())
    app.connect("source-read", _count_page)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("doctree-resolved", _fill_in)
