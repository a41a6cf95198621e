"""Numbers about the book itself, known when all its pages have been read.

``{count}`theorems` `` is how many there are on all pages together.

``{minutes}`book/one, Chapters: words quizzes` `` is how long pages take: before the colon are documents, or
parts of `_toc.yml` by how their captions begin; after it is what a reader does there. `bookext_pace` in the
configuration has how many words are read in a minute, and how many minutes go by with each of the rest;
``{pace}`words` `` quotes it.

What is counted is in the pages' documents, as Sphinx has read them: no page has to be run, or read, because
another one has changed. Words are those that are seen while all folds are closed: no formulas, code, tables
or feedback, and no exercises, which have a name of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from docutils import nodes
from sphinx.addnodes import glossary, pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from bookext import upstream
from bookext.sphinx.cells import NOTEBOOK_ONLY
from bookext.sphinx.formal import shows_derivation
from bookext.sphinx.quiz import quiz_feedback
from bookext.sphinx.translated import translated
from bookext.sphinx.widgets import VIEW

logger = logging.getLogger(__name__)

#: What {count} knows: for an element with each of these classes ...
CLASSES = {
    "theorems": {"proof", "theorem"},
    "quizzes": {"quiz"},
    "exercises": {"exercise"},
    "easy": {"exercise", "easy"},
    "medium": {"exercise", "medium"},
    "hard": {"exercise", "hard"},
}
#: ... and figures to move, theorems and remarks that a line below a figure names, derivations, theorems that
#: have one before the next theorem, entries of a glossary, and those with a name in another language.
NAMES = {*CLASSES, "explorers", "in-motion", "derivations", "derived", "terms", "translated"}


def count_nodes(document: nodes.Element) -> dict[str, int]:
    """How many of each kind a page has.

    >>> theorem = nodes.admonition(classes=["proof", "theorem"])
    >>> proof = nodes.raw("", '<details class="derivation">', format="html")
    >>> parts = [proof, theorem, theorem, proof, proof]
    >>> counted = count_nodes(nodes.section("", *(part.deepcopy() for part in parts)))
    >>> {name: number for name, number in counted.items() if number}
    {'derivations': 3, 'derived': 1, 'theorems': 2}
    """
    found = dict.fromkeys(sorted(NAMES), 0)
    without = False  # a derivation, as yet: the last theorem
    for node in document.findall(nodes.Element):
        classes: set[str] = set(node.get("classes", []))
        for name, needed in CLASSES.items():
            found[name] += needed <= classes
        without |= CLASSES["theorems"] <= classes
        if shows_derivation(node):
            found["derivations"] += 1
            found["derived"] += without
            without = False
        found["explorers"] += node.get("mime_type") == VIEW
        if "in-motion" in classes:
            found["in-motion"] += sum(link["refdomain"] == "prf" for link in node.findall(pending_xref))
        if isinstance(node, glossary):
            entries = list(node.findall(nodes.definition_list_item))
            found["terms"] += len(entries)
            found["translated"] += sum(entry.next_node(translated) is not None for entry in entries)
    return found


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


class number_of(nodes.Inline, nodes.TextElement):  # docutils names nodes like this
    """The place of a number that is known when all pages have been read."""


class CountRole(SphinxRole):
    """``{count}`name` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Leave a place for the number."""
        if self.text not in NAMES:
            logger.warning("{count} knows no %r", self.text, location=self.get_location())
        return [number_of(self.rawtext, self.text)], []


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


def counts_of(env: BuildEnvironment) -> dict[str, dict[str, int]]:
    """Document -> name -> number."""
    if not hasattr(env, "bookext_counts"):
        env.bookext_counts = {}  # type: ignore[attr-defined]  # extensions keep their data so
    found: dict[str, dict[str, int]] = env.bookext_counts  # type: ignore[attr-defined]
    return found


def _count_page(app: Sphinx, doctree: nodes.document) -> None:
    counts_of(app.env)[app.env.docname] = {**count_nodes(doctree), "words": words(doctree)}


def _forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    counts_of(env).pop(docname, None)


def _merge(app: Sphinx, env: BuildEnvironment, docnames: list[str], other: BuildEnvironment) -> None:
    counts_of(env).update({name: counts_of(other)[name] for name in docnames if name in counts_of(other)})


def _documents(env: BuildEnvironment, place: str) -> list[str]:
    """The documents that a name stands for: one, or those of the parts whose captions begin with it."""
    if place in env.found_docs:
        return [place]
    parts = upstream.parts(upstream.contents_of(env))
    return [name for caption, names in parts if caption.startswith(place) for name in names]


def _fill_in(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for place in list(doctree.findall(number_of)):
        number = sum(page.get(place.astext(), 0) for page in counts_of(app.env).values())
        place.replace_self(nodes.Text(str(number)))
    for time in list(doctree.findall(time_for)):
        total = 0.0
        for named in map(str.strip, time["places"]):
            names = _documents(app.env, named)
            if not names:
                logger.warning("{minutes}: %r is no document and no part", named, location=docname)
            for name in names:
                total += minutes(counts_of(app.env).get(name, {}), time["kinds"], app.config.bookext_pace)
        time.replace_self(nodes.inline("", in_words(total), classes=["minutes"]))


def setup(app: Sphinx) -> None:
    """Register the roles with Sphinx."""
    app.add_config_value("bookext_pace", {}, "env", dict)
    app.add_node(number_of)
    app.add_node(time_for)
    app.add_role("count", CountRole())
    app.add_role("minutes", MinutesRole())
    app.add_role("pace", PaceRole())
    app.connect("doctree-read", _count_page)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("doctree-resolved", _fill_in)
