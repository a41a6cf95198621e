"""A chapter that its author opens as a notebook: what was not changed is not changed."""

from __future__ import annotations

import difflib
from types import SimpleNamespace

import jupytext
import pytest
from harness import REPOSITORY, chapters
from nbformat.v4 import new_markdown_cell

from bookext import sources


def saved(name: str, change=lambda cells: None) -> tuple[str, str]:
    """The text of a chapter, and what JupyterLab leaves of it: opened, changed, saved."""
    path = f"{name}.md"
    old = (REPOSITORY / path).read_text(encoding="utf-8")
    notebook = jupytext.reads(old, fmt="md:myst")
    # What JupyterLab writes into every notebook that it opens.
    notebook.metadata["language_info"] = {"name": "python", "pygments_lexer": "ipython3", "version": "3.11"}
    notebook.metadata["kernelspec"]["display_name"] = "Python 3 (ipykernel)"
    change(notebook.cells)
    model = {"type": "file", "content": jupytext.writes(notebook, fmt="md:myst")}
    assert model["content"] != old, "Jupytext writes it otherwise: that is what the hook is for"
    sources.keep(model=model, path=path, contents_manager=SimpleNamespace(root_dir=str(REPOSITORY)))
    return old, model["content"]


@pytest.mark.slow
@pytest.mark.parametrize("name", chapters())
def test_opened_and_saved_a_chapter_is_the_same_to_the_byte(name):
    old, new = saved(name)
    assert new == old


def test_only_the_cell_that_was_changed_changes():
    def change(cells):
        code = [cell for cell in cells if cell.cell_type == "code"]
        code[3].source += "\nchanged = 1"
        cells.insert(1, new_markdown_cell("A new paragraph."))

    old, new = saved("book/shift", change)
    lines = [line for line in difflib.ndiff(old.splitlines(), new.splitlines()) if line[0] in "+-"]
    added = [line[2:] for line in lines if line[0] == "+" and line.strip() != "+"]
    assert not [line for line in lines if line[0] == "-" and line.strip() != "-"]
    assert "changed = 1" in added
    assert "A new paragraph." in added
    assert len(added) <= 3  # what Jupytext puts between two cells of text
