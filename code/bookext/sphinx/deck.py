"""Slides: ``{deck}``, a list whose entries begin with a link to a figure, and then say what there is to say.

An entry without such a link is a slide of words. The page has it as a list, with links that lead to the
figures; `static/deck.js` shows the slides one after the other, and makes more of them::

    ```{deck}
    1. <a href="one.html?clock.position=3#explorer-clock">A clock</a>. It turns once in an hour. (5 minutes)
    2. That was all.
    ```
"""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from bookext.sphinx.html import end, give_scripts, has


class deck(nodes.General, nodes.Element):  # docutils names nodes like this
    """A list of slides."""


class Deck(Directive):
    """The directive ``{deck}``."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """The list, marked."""
        made = deck()
        made.source, made.line = self.state_machine.get_source_and_line(self.lineno)
        self.state.nested_parse(self.content, self.content_offset, made)
        if len(made.children) != 1 or not isinstance(made.children[0], nodes.enumerated_list):
            raise self.error("deck needs one numbered list")
        return [made]


def _visit(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "div", CLASS="deck", **{"data-deck": ""}))


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_node(deck, html=(_visit, end("</div>\n")))
    give_scripts(app, has(deck), "deck.js")
    app.add_directive("deck", Deck)
