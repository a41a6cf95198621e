"""Numbers about the book itself: ``{count}`theorems` `` is how many there are on all pages together.

What is counted is in the pages' documents, as Sphinx has read them. No page has to be run, or read, because
another one has changed.
"""

from __future__ import annotations

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from bookext.sphinx.formal import shows_derivation
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
#: ... and figures to move, theorems and remarks that a line below a figure names, derivations, and theorems
#: that have one before the next theorem.
NAMES = {*CLASSES, "explorers", "in-motion", "derivations", "derived"}


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
    return found


class number_of(nodes.Inline, nodes.TextElement):  # docutils names nodes like this
    """The place of a number that is known when all pages have been read."""


class CountRole(SphinxRole):
    """``{count}`name` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Leave a place for the number."""
        if self.text not in NAMES:
            logger.warning("{count} knows no %r", self.text, location=self.get_location())
        return [number_of(self.rawtext, self.text)], []


def counts_of(env: BuildEnvironment) -> dict[str, dict[str, int]]:
    """Document -> name -> number."""
    if not hasattr(env, "bookext_counts"):
        env.bookext_counts = {}  # type: ignore[attr-defined]  # extensions keep their data so
    found: dict[str, dict[str, int]] = env.bookext_counts  # type: ignore[attr-defined]
    return found


def _count_page(app: Sphinx, doctree: nodes.document) -> None:
    counts_of(app.env).setdefault(app.env.docname, {}).update(count_nodes(doctree))


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
    app.connect("doctree-read", _count_page)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    app.connect("doctree-resolved", _fill_in)
