"""Which cells wait for the switch "Show all code": by their tags, their outputs and where they are."""

from __future__ import annotations

import re

import jupytext
import pytest
from docutils import nodes
from harness import REPOSITORY, chapters, numbered_chapters
from sphinx.errors import ExtensionError

from bookext.sphinx import cells


def output(*formats: str) -> nodes.container:
    """One output of a cell, in these formats."""
    return nodes.container(
        "", *(nodes.container("", mime_type=name) for name in formats), nb_element="mime_bundle"
    )


def cell(*outputs: nodes.Node, tags: tuple[str, ...] = ()) -> nodes.container:
    """A cell as MyST-NB puts it into a document."""
    made = nodes.container(
        "",
        nodes.container("", nb_element="cell_code_source", classes=["cell_input"]),
        nb_element="cell_code",
        cell_metadata={"tags": list(tags)},
        classes=["cell"],
    )
    if outputs:
        made += nodes.container("", *outputs, nb_element="cell_code_output", classes=["cell_output"])
    return made


GLUED = "application/papermill.record/text/plain"
PICTURE = ("image/svg+xml", "text/plain")


def waiting(made: nodes.container, *, inside: nodes.Element | None = None) -> str:
    """What of a cell waits: "all", "source" or nothing; the cell is in a document, or in a block of one."""
    document = nodes.document(None, None)
    if inside is not None:
        document += inside
        inside += made
    else:
        document += made
    transform = cells.FoldCode.__new__(cells.FoldCode)
    transform.document = document
    transform.apply()
    if cells.WAITS in made["classes"]:
        return "all"
    return "source" if cells.WAITS in made.children[0]["classes"] else ""


@pytest.mark.parametrize(
    ("made", "what"),
    [
        (cell(), "all"),
        (cell(output(*PICTURE)), "source"),
        (cell(nodes.figure("", output(*PICTURE))), "source"),
        (cell(output("text/html", "text/latex", "text/plain")), "source"),
        (cell(output("text/plain")), "all"),
        (cell(nodes.literal_block("", "printed")), "all"),
        (cell(nodes.literal_block("", "printed"), output(*PICTURE)), "source"),
        (cell(output(GLUED), output(GLUED)), "all"),
        (cell(output("text/plain"), tags=("show",)), ""),
        (cell(tags=("show", "other")), ""),
        (cell(tags=("other",)), "all"),
    ],
    ids=[
        "silent",
        "picture",
        "figure",
        "proof",
        "text",
        "printed",
        "both",
        "glued",
        "shown",
        "two-tags",
        "other-tag",
    ],
)
def test_what_waits(made, what):
    assert waiting(made) == what


@pytest.mark.parametrize("kind", ["exercise", "solution"])
def test_exercises_and_solutions_show_their_cells(kind):
    assert waiting(cell(output("text/plain")), inside=nodes.admonition("", classes=[kind])) == ""


def test_another_block_changes_nothing():
    assert waiting(cell(), inside=nodes.admonition("", classes=["note"])) == "all"


def test_numbers_for_sentences_leave_no_output():
    made = cell(output(GLUED))
    waiting(made)
    assert [part["nb_element"] for part in made.children] == ["cell_code_source"]
    mixed = cell(output(GLUED), output(*PICTURE))
    waiting(mixed)
    assert len(mixed.children[1].children) == 1


def test_a_tagged_cell_begins_the_fold_below_it():
    first, second = (cell(output(*PICTURE), tags=("fold",)) for _ in range(2))
    fold = nodes.container("", nodes.rubric(), nodes.paragraph(), design_component="dropdown", has_title=True)
    block = nodes.section("", second, nodes.paragraph(), fold)
    with pytest.raises(ExtensionError, match="needs a dropdown below it"):
        waiting(first, inside=block)
    block = nodes.section("", first, second, fold)
    waiting(cell(), inside=block)
    assert fold.children[1:3] == [first, second]
    assert block.children[0] is fold
    assert cells.WAITS in first.children[0]["classes"]


SNIPPET_LINES = 12


@pytest.mark.parametrize("name", numbered_chapters())
def test_a_chapter_shows_a_few_short_snippets(name):
    shown = [
        one.source
        for one in jupytext.read(REPOSITORY / f"{name}.md").cells
        if "show" in one.metadata.get("tags", [])
    ]
    assert 1 <= len(shown) <= 6
    for source in shown:
        assert len(source.splitlines()) <= SNIPPET_LINES, source
        assert not re.search(r"^(from |import |say\(|figures\.|proofs\.)", source, re.MULTILINE), source


@pytest.mark.parametrize("name", chapters())
def test_no_source_is_kept_from_the_page(name):
    """Or the switch could not show it."""
    kept = {"remove-cell", "remove-input", "hide-cell", "hide-input"}
    for one in jupytext.read(REPOSITORY / f"{name}.md").cells:
        assert not kept.intersection(one.metadata.get("tags", [])), one.source
