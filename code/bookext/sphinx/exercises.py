"""All exercises of the book by difficulty: ``{exercises}``, a list that the build makes.

The difficulty of an exercise is a class, one of `LEVELS`: ``:class: medium``. Its title says it, wherever the
title stands. The list is made when all pages have been read, and every page is written again when one was: no
page has to be run, or edited, because another one has changed.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from bookext import upstream

LEVELS = ("easy", "medium", "hard")


class Exercise(NamedTuple):
    """An exercise: its page and label, its number (5.2, A.1), what it is called, and how hard it is."""

    docname: str
    label: str
    number: str
    title: str
    level: str


class said_level(nodes.inline):  # docutils names nodes like this
    """What the title of an exercise says of its level."""


def level_of(exercise: nodes.Element) -> str:
    """The level of an exercise; "" if it has none.

    >>> level_of(nodes.Element(classes=["exercise", "medium"]))
    'medium'
    """
    return next((level for level in LEVELS if level in exercise["classes"]), "")


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
        node = entry["node"]
        parts = [part for title in node.findall(nodes.subtitle) for part in title.children]
        title = "".join(part.astext() for part in parts if not isinstance(part, said_level))
        exercise = Exercise(docname, label, ".".join(map(str, numbers)), title, level_of(node))
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


def _say_levels(app: Sphinx, doctree: nodes.document) -> None:
    """Let titles say the level: those of solutions, and what other pages know, are made of them."""
    for exercise in upstream.exercises_of(app.env, doctree):
        if level := level_of(exercise):
            for title in exercise.findall(nodes.subtitle):
                title += said_level("", f" \N{MIDDLE DOT} {level}")


def _visit_level(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "span", "", CLASS="exercise-level"))


def _depart_level(self: Any, node: nodes.Element) -> None:
    self.body.append("</span>")


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_node(exercise_list)
    app.add_directive("exercises", ExerciseList)
    app.connect("doctree-resolved", _fill_in)
    app.add_node(said_level, html=(_visit_level, _depart_level))
    app.connect("doctree-read", _say_levels)
