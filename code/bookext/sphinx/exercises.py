"""All exercises of the book by difficulty: ``{exercises}``, a list that the build makes.

The title of an exercise ends in its difficulty, one of `LEVELS`, in parentheses. The page has a dot there
instead, since it puts the whole title in parentheses. The list is made when all pages have been read, and
every page is written again when one was: no page has to be run, or edited, because another one has changed.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from bookext import upstream

LEVELS = ("easy", "medium", "hard")
_LEVEL = re.compile(rf"\s*\(({'|'.join(LEVELS)})\)$")
_INNER = re.compile(rf"\s*\(({'|'.join(LEVELS)})\)(?=\)?$)")


class Exercise(NamedTuple):
    """An exercise: its page and label, its number (5.2, A.1), what it is called, and how hard it is."""

    docname: str
    label: str
    number: str
    title: str
    level: str


def split_title(title: str) -> tuple[str, str]:
    """A title without its level, and the level; no text if there is none.

    >>> split_title("Three gaps (medium)"), split_title("Which i?")
    (('Three gaps', 'medium'), ('Which i?', ''))
    """
    level = _LEVEL.search(title)
    return (title[: level.start()], level[1]) if level else (title, "")


class exercise_list(nodes.General, nodes.Element):  # docutils names nodes like this
    """The place of the list, until all pages have been read."""


class ExerciseList(SphinxDirective):
    """The directive ``{exercises}``."""

    def run(self) -> list[nodes.Node]:
        """Leave a place for the list."""
        return [exercise_list()]


def exercises_of(env: BuildEnvironment) -> list[Exercise]:
    """The book's exercises in reading order."""
    registry: dict[str, dict[str, Any]] = getattr(env, "sphinx_exercise_registry", {})
    pages = list(upstream.contents_of(env))
    found = []
    for label, entry in registry.items():
        if not entry["type"].startswith("exercise"):  # solutions are in the register, too
            continue
        docname = entry["docname"]
        numbers = env.toc_fignumbers.get(docname, {}).get("exercise", {}).get(label, (0,))
        title, level = split_title("".join(node.astext() for node in entry["node"].findall(nodes.subtitle)))
        exercise = Exercise(docname, label, ".".join(map(str, numbers)), title, level)
        found.append((pages.index(docname), numbers[-1], exercise))
    return [exercise for *_, exercise in sorted(found)]


def _link(app: Sphinx, fromdoc: str, exercise: Exercise) -> nodes.reference:
    uri = f"{app.builder.get_relative_uri(fromdoc, exercise.docname)}#{exercise.label}"
    return nodes.reference("", f"{exercise.number} {exercise.title}", internal=True, refuri=uri)


def _list(app: Sphinx, fromdoc: str, exercises: list[Exercise]) -> nodes.bullet_list:
    """A line for each page that has any."""
    lines = nodes.bullet_list()
    for page, group in groupby(exercises, key=lambda exercise: exercise.docname):
        line = nodes.paragraph("", "", nodes.emphasis("", app.env.titles[page].astext()), nodes.Text(": "))
        for number, exercise in enumerate(group):
            line += [*([nodes.Text("; ")] if number else []), _link(app, fromdoc, exercise)]
        lines += nodes.list_item("", line)
    return lines


def _fill_in(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for place in list(doctree.findall(exercise_list)):
        found = exercises_of(app.env)
        shown: list[nodes.Node] = []
        for level in (*LEVELS, ""):
            chosen = [exercise for exercise in found if exercise.level == level]
            if chosen:
                head = f"{level.capitalize() or 'Not marked'} ({len(chosen)})"
                shown += [
                    nodes.paragraph("", "", nodes.strong("", head)),
                    _list(app, docname, chosen),
                ]
        place.replace_self(shown)


def without_inner_parentheses(title: str) -> str:
    """A title as the page has it, where the exercise's number stands before it and parentheses around it.

    >>> without_inner_parentheses("Exercise 2.4 (Three gaps (medium))")
    'Exercise 2.4 (Three gaps · medium)'
    """
    return _INNER.sub(r" · \1", title)


def _mend_titles(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    for title in doctree.findall(nodes.title):
        if isinstance(title.parent, nodes.Admonition):
            for text in list(title.findall(nodes.Text)):
                if _INNER.search(text):
                    text.parent.replace(text, nodes.Text(without_inner_parentheses(text)))


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_node(exercise_list)
    app.add_directive("exercises", ExerciseList)
    app.connect("doctree-resolved", _fill_in)
    app.connect("doctree-resolved", _mend_titles)
