"""What several directives need to write their HTML, and to bring a script along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def end(text: str) -> Callable[[Any, nodes.Element], None]:
    """What writes a text where an element of a page ends."""

    def depart(self: Any, node: nodes.Element) -> None:
        self.body.append(text)

    return depart


def give_scripts(app: Sphinx, wanted: Callable[[nodes.document], bool], *files: str) -> None:
    """Give the pages whose document is `wanted`, and no others, some scripts, in this order."""

    def add(
        app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
    ) -> None:
        if doctree and wanted(doctree):
            for name in files:
                app.add_js_file(name)

    app.connect("html-page-context", add)


def has(kind: type[nodes.Element]) -> Callable[[nodes.document], bool]:
    """Whether a document has an element of a kind."""
    return lambda doctree: any(True for _ in doctree.findall(kind))
