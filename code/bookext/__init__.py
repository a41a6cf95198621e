"""The Sphinx extension that makes the book's pages self-contained, light and alive without a kernel.

`build` is the command: it runs the notebooks (`notebooks`, `kernels`, `observe`), lets Sphinx write the pages
(`extension`, `widgets`, `figures`, `numbering`, `counts`), and finishes them (`site`, `stylesheet`, `icons`).
What leans on the inside of other projects is in `upstream`. It knows nothing of the book's own package: what
it needs of the palette it reads from a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    # Imported here, because every kernel imports this package to be observed, and none needs Sphinx.
    from bookext.extension import setup as register

    return register(app)
