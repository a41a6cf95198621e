"""What a term is called in other languages: ``{translated}`he: מיקום | ja: 位置` ``.

Each word is marked with its language, and with the direction in which that is written. The search finds
it, as any other word of the page.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxRole

from bookext.sphinx.html import end

logger = logging.getLogger(__name__)

#: Languages that are written from right to left.
RIGHT_TO_LEFT = ("ar", "fa", "he", "ur", "yi")
_ENTRY = re.compile(r"(?P<language>[a-z]{2,3}): (?P<words>\S.*)")


class translated(nodes.General, nodes.Inline, nodes.Element):  # docutils names nodes like this
    """What a term is called elsewhere."""


class foreign(nodes.General, nodes.Inline, nodes.TextElement):
    """A word, or several, of another `language`."""


class TranslatedRole(SphinxRole):
    """``{translated}`language: words | language: words` ``."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Mark each language's words."""
        made = translated()
        for entry in self.text.split(" | "):
            found = _ENTRY.fullmatch(entry.strip())
            if not found:
                logger.warning(
                    "{translated} says a language and its words, not %r", entry, location=self.get_location()
                )
                return [], []
            if made.children:
                made += nodes.Text(" · ")
            made += foreign("", found["words"], language=found["language"])
        return [made], []


def _visit(self: Any, node: nodes.Element) -> None:
    language = node["language"]
    direction = {"dir": "rtl"} if language in RIGHT_TO_LEFT else {}
    self.body.append(self.starttag(node, "span", "", lang=language, **direction))


def setup(app: Sphinx) -> None:
    """Register the role with Sphinx."""

    def begin(self: Any, node: nodes.Element) -> None:
        self.body.append(self.starttag(node, "span", "", CLASS="translated"))

    app.add_node(translated, html=(begin, end("</span>")))
    app.add_node(foreign, html=(_visit, end("</span>")))
    app.add_role("translated", TranslatedRole())
