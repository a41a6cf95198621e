"""Chapters opened as notebooks by their authors: what they did not change stays as it is, to the byte.

Jupytext writes a notebook in its own way: other line breaks in the metadata, another name of the kernel. So
JupyterLab would rewrite a chapter by opening it. :func:`keep`, a hook that Jupyter Server calls before it
saves, puts back the old text of the header and of every cell that has not changed.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise
from pathlib import Path
from typing import Any

import jupytext
from jupytext.myst import myst_to_notebook


def pieces(text: str) -> list[str]:
    r"""The header of a MyST Markdown notebook, and then its cells; joined, they are the text.

    >>> pieces("---\na: 1\n---\n# A\n\n```{code-cell} python3\n1\n```\n")
    ['---\na: 1\n---\n', '# A\n\n', '```{code-cell} python3\n1\n```\n']
    """
    read = myst_to_notebook(text, add_source_map=True)
    lines = text.splitlines(keepends=True)
    # A cell of code is known by its first line, below the fence and its options.
    starts = [
        start if cell.cell_type == "markdown" else start - 1
        for cell, start in zip(read.cells, read.metadata["source_map"], strict=True)
    ]
    bounds = [0, *starts, len(lines)]
    return ["".join(lines[a:b]) for a, b in pairwise(bounds)]


def plain(piece: str) -> str:
    """A cell without what depends on who has written it: the name of its language, and blank lines."""
    return re.sub(r"^(`{3,}\{code-cell\}) \w+", r"\1", piece.strip())


def merged(old: str, new: str) -> str:
    """The text `new`, as Jupytext writes it, with the header and the unchanged cells of `old`."""
    before, after = pieces(old), pieces(new)
    usual = pieces(jupytext.writes(jupytext.reads(old, fmt="md:myst"), fmt="md:myst"))
    if len(usual) != len(before):
        return new
    kept = before[:1]
    known, found = ([plain(piece) for piece in cells[1:]] for cells in (usual, after))
    for kind, i, j, m, n in SequenceMatcher(None, known, found, autojunk=False).get_opcodes():
        if kind == "equal":
            kept += before[1 + i : 1 + j]
        else:
            changed = after[1 + m : 1 + n]
            kept += [piece.replace("cell} ipython3\n", "cell} python3\n", 1) for piece in changed]
    return "".join(kept)


def keep(model: dict[str, Any], path: str, contents_manager: Any, **more: Any) -> None:
    """Keep what has not changed in a chapter that is about to be saved."""
    if model["type"] == "file" and path.endswith(".md"):
        place = Path(contents_manager.root_dir, path)
        old = place.read_text(encoding="utf-8") if place.is_file() else ""
        if "kernelspec:" in old[:1000]:
            model["content"] = merged(old, model["content"])
