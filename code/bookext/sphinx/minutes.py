"""How long pages take: ``{minutes}`book/one, Chapters: words explorers` `` and ``{pace}`words` ``.

Before the colon are documents, or parts of `_toc.yml` by how their captions begin; after it is what a reader
does there: "words" are read, and everything else is what `{count}` knows. What one of them takes is
`bookext_pace` in the configuration: how many words are read in a minute, and how many minutes go by with each
of the rest. ``{pace}`` quotes that. No page has to be run, or read, because another one has changed.

The words are those that are seen while all folds are closed: no formulas, code, tables or feedback, and no
exercises, which have a name of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from bookext import upstream
from bookext.sphinx.cells import NOTEBOOK_ONLY
from bookext.sphinx.counts import counts_of
from bookext.sphinx.quiz import quiz_feedback

logger = logging.getLogger(__name__)

_WORD = re.compile(r"\w+(?:[-'’.,]\w+)*")
_SKIPPED = (
    nodes.literal_block,
    nodes.math_block,
    nodes.table,
    nodes.raw,
    nodes.Invisible,
    quiz_feedback,
)
_FOLDED = {"dropdown", "toggle", "exercise", "solution", NOTEBOOK_ONLY}


def words(node: nodes.Node) -> int:
    """How many words of running text a node shows; a formula in the text is one.

    >>> words(nodes.paragraph("", "", nodes.Text("At most "), nodes.math("", "d/2"), nodes.Text(" hands")))
    4
    """
    if isinstance(node, nodes.Text):
        return len(_WORD.findall(node.astext()))
    if isinstance(node, nodes.math):
        return 1
    if not isinstance(node, nodes.Element) or isinstance(node, _SKIPPED):
        return 0
    if _FOLDED & {*node.get("classes", []), node.get("design_component")}:
        return 0
    return sum(words(child) for child in node.children)


def minutes(counted: Mapping[str, int], kinds: list[str], pace: Mapping[str, float]) -> float:
    """What those of the `counted` things take that are among the `kinds`.

    >>> minutes({"words": 900, "figures": 3, "tables": 5}, ["words", "figures"], {"words": 200, "figures": 2})
    10.5
    """
    return sum(
        counted.get(kind, 0) / pace[kind] if kind == "words" else counted.get(kind, 0) * pace[kind]
        for kind in kinds
    )


def in_words(minutes: float) -> str:
    """A time as one says it: to the minute within an hour, to ten minutes within ten, else to the hour.

    >>> in_words(13.6), in_words(1), in_words(59.6), in_words(157), in_words(61), in_words(2561)
    ('14 minutes', '1 minute', '1 hour', '2 hours 40 minutes', '1 hour', '43 hours')
    """
    exact = round(minutes)
    step = 1 if exact < 60 else 10 if exact < 600 else 60
    total = round(exact / step) * step
    parts = [(total // 60, "hour"), (total % 60, "minute")]
    return " ".join(f"{count} {unit}{'s' * (count != 1)}" for count, unit in parts if count)


class time_for(nodes.Inline, nodes.TextElement):  # docutils names nodes like this
    """The place of a time that is known when all pages have been read."""


class MinutesRole(SphinxRole):
    """``{minutes}`places: kinds` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Leave a place for the time."""
        places, _, kinds = self.text.partition(":")
        if unknown := set(kinds.split()) - self.config.bookext_pace.keys() or not kinds.split():
            logger.warning(
                "bookext_pace has no %s, for {minutes}`%s`", unknown, self.text, location=self.get_location()
            )
            return [], []
        return [time_for(self.rawtext, "", places=places.split(","), kinds=kinds.split())], []


class PaceRole(SphinxRole):
    """``{pace}`kind` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Quote the configuration."""
        if self.text not in self.config.bookext_pace:
            logger.warning("bookext_pace has no %r", self.text, location=self.get_location())
        return [nodes.Text(str(self.config.bookext_pace.get(self.text)))], []


def _documents(env: BuildEnvironment, place: str) -> list[str]:
    """The documents that a name stands for: one, or those of the parts whose captions begin with it."""
    if place in env.found_docs:
        return [place]
    parts = upstream.parts(upstream.contents_of(env))
    return [name for caption, names in parts if caption.startswith(place) for name in names]


def _count_words(app: Sphinx, doctree: nodes.document) -> None:
    counts_of(app.env).setdefault(app.env.docname, {})["words"] = words(doctree)


def _fill_in(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for time in list(doctree.findall(time_for)):
        total = 0.0
        for place in map(str.strip, time["places"]):
            names = _documents(app.env, place)
            if not names:
                logger.warning("{minutes}: %r is no document and no part", place, location=docname)
            for name in names:
                total += minutes(counts_of(app.env).get(name, {}), time["kinds"], app.config.bookext_pace)
        time.replace_self(nodes.inline("", in_words(total), classes=["minutes"]))


def setup(app: Sphinx) -> None:
    """Register the roles with Sphinx."""
    app.add_config_value("bookext_pace", {}, "env", dict)
    app.add_node(time_for)
    app.add_role("minutes", MinutesRole())
    app.add_role("pace", PaceRole())
    app.connect("doctree-read", _count_words)
    app.connect("doctree-resolved", _fill_in)
