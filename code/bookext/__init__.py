"""The Sphinx extension that makes the book's pages self-contained, light and alive without a kernel.

`build` is the command. It runs the notebooks (`run`), lets Sphinx write the pages (`sphinx`), and finishes
them (`finish`), among them what is made of a page in another form (`formats`); `live` puts Python into a
built site. What leans on the inside of other projects is in `upstream`. It knows nothing of the book's own
packages: what it needs of them is in the settings, and what it needs of the palette it reads from a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    # Imported here, because every kernel imports this package to be observed, and none needs Sphinx.
    from bookext.sphinx.extension import setup as register

    return register(app)
