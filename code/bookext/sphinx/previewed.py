"""What a reference to a row of a table shows of it: the columns whose heads are ``{previewed}`Verdict` ``.

The page has the attribute ``data-preview`` there, by which `bookext.finish.previews` finds them.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole


class previewed(nodes.inline):  # docutils names nodes like this
    """The head of a column that a preview shows."""


class PreviewedRole(SphinxRole):
    """``{previewed}`text` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Mark the text."""
        return [previewed("", self.text)], []


def _visit(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "span", "", **{"data-preview": ""}))


def _depart(self: Any, node: nodes.Element) -> None:
    self.body.append("</span>")


def setup(app: Sphinx) -> None:
    """Register the role with Sphinx."""
    app.add_node(previewed, html=(_visit, _depart))
    app.add_role("previewed", PreviewedRole())
