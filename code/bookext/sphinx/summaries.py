"""A page of functions that stays short: of most the signature and the first sentence, of some all of it.

`bookext_whole` lists the functions and classes whose docstrings are shown whole, by their full names, or
modules of which all are. What is cut is what ``help`` shows in Python.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def first_paragraph(lines: list[str]) -> list[str]:
    """The lines of a docstring up to the first that is empty.

    >>> first_paragraph(["Turn a clock.", "", "Parameters", "----------"])
    ['Turn a clock.', '']
    """
    end = next((i for i, line in enumerate(lines) if not line.strip()), len(lines))
    return [*lines[:end], ""]


def _cut(app: Sphinx, what: str, name: str, found: Any, options: Any, lines: list[str]) -> None:
    whole = set(app.config.bookext_whole)
    if what in ("function", "class", "method", "property", "attribute") and not _is_in(name, whole):
        lines[:] = first_paragraph(lines)


def _is_in(name: str, whole: set[str]) -> bool:
    return bool({name, name.rpartition(".")[0]} & whole)


def setup(app: Sphinx) -> None:
    """Register it before the sections of a docstring are read."""
    app.add_config_value("bookext_whole", [], "env")
    app.connect("autodoc-process-docstring", _cut, priority=100)
