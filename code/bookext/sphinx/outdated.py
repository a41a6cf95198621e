"""Which pages are written again when some were read again.

Sphinx writes a page that was read, and few others: pages show each other's titles and numbers, and refer
to labels that may be gone. Writing all of them is always right and takes as long as the first time. So what
pages can show of each other is compared with what it was when they were last written. If it is the same,
only those are written that were read, and those that gather something from others: counts, reading times,
lists of exercises, results of their notebooks.
"""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Mapping
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from bookext import upstream
from bookext.sphinx import book_numbers, exercises

#: Where a page's metadata say that it shows something of all pages.
GATHERS = "bookext-gathers"
_GATHER = (book_numbers.number_of, book_numbers.time_for, exercises.exercise_list)


def _note_what_gathers(app: Sphinx, doctree: nodes.document) -> None:
    kinds = (*_GATHER, upstream.reference_to_a_result())
    if any(isinstance(node, kinds) for node in doctree.findall()):
        app.env.metadata[app.env.docname][GATHERS] = True


def in_order(data: Any) -> Any:
    """Data in an order that does not depend on which page was read last; lists grow page by page, too.

    >>> in_order({"b": {2, 1}, "a": ("so", ["much", "for", "that"])})
    [("'a'", ['so', ['for', 'much', 'that']]), ("'b'", ['1', '2'])]
    """
    if isinstance(data, nodes.Node):
        return data.pformat()
    if isinstance(data, Mapping):
        return sorted((repr(key), in_order(value)) for key, value in data.items())
    if isinstance(data, (set, frozenset)):
        return sorted(map(repr, data))
    if isinstance(data, list):
        return sorted((in_order(value) for value in data), key=repr)
    if isinstance(data, tuple):
        return [in_order(value) for value in data]
    return data if data is None or isinstance(data, (str, int, float)) else pickle.dumps(data)


def shown_of_pages(env: BuildEnvironment) -> dict[str, str]:
    """Hashes of what pages may show of each other, kind by kind; what is in doubt counts as shown."""
    kinds: dict[str, Any] = {
        "documents": sorted(env.found_docs),
        "numbers of sections": env.toc_secnumbers,
        "numbers of figures": env.toc_fignumbers,
        "contents": {name: tuple(below) for name, below in env.toctree_includes.items()},
        "titles": env.titles,
        "headings": env.tocs,
        **{f"domain {name}": data for name, data in env.domaindata.items()},
        **upstream.kept_by_extensions(env),
    }
    return {kind: hashlib.sha256(repr(in_order(data)).encode()).hexdigest() for kind, data in kinds.items()}


def _write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    shown = shown_of_pages(env)
    if shown != getattr(env, "bookext_shown", None):
        env.bookext_shown = shown  # type: ignore[attr-defined]  # extensions keep their data so
        return sorted(env.found_docs)
    if not env.bookext_read_any:  # type: ignore[attr-defined]
        return []
    return sorted(name for name in env.found_docs if GATHERS in env.metadata[name])


def _note_reading(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    env.bookext_read_any = bool(docnames)  # type: ignore[attr-defined]  # extensions keep their data so


def setup(app: Sphinx) -> None:
    """Register it with Sphinx."""
    app.connect("doctree-read", _note_what_gathers)
    app.connect("env-before-read-docs", _note_reading)
    app.connect("env-get-updated", _write, priority=900)  # after all numbers are given
