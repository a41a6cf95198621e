"""A place to say why: ``{say-why}``, a question for the reader's own words, and then the book's reason.

The first paragraph asks, in one line on the page; it unfolds, and all that follows is the reason, in a fold
of its own::

    :::{say-why}
    Why is the norm the same at every position?

    Each pair adds one to its square.
    :::

It needs no script. `static/say_why.js` adds a box to write in, so that the two can be compared.
"""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

from bookext.sphinx.html import end, give_scripts, has


class say_why(nodes.General, nodes.Element):  # docutils names nodes like this
    """A question and a reason."""


class say_why_question(nodes.General, nodes.TextElement):
    """The question, which is seen while all else is folded."""


class say_why_reason(nodes.General, nodes.Element):
    """The reason, which folds."""


class SayWhy(Directive):
    """The directive ``{say-why}``."""

    has_content: ClassVar[bool] = True

    def run(self) -> list[nodes.Node]:
        """The question, and what it unfolds."""
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        if len(body.children) < 2 or not isinstance(body.children[0], nodes.paragraph):
            raise self.error("say-why needs a paragraph that asks, and a reason below it")
        question, *reason = body.children
        made = say_why(ids=[])
        made.source, made.line = self.state_machine.get_source_and_line(self.lineno)
        self.state.document.set_id(made)
        made += [say_why_question("", "", *question.children), say_why_reason("", *reason)]
        return [made]


def _visit(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "div", CLASS="say-why", **{"data-say-why": ""}) + "<details>")


def _visit_question(self: Any, node: nodes.Element) -> None:
    self.body.append("<summary>")


def _visit_reason(self: Any, node: nodes.Element) -> None:
    self.body.append('<details data-say-why-reason=""><summary>The book’s reason</summary>')


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_node(say_why, html=(_visit, end("</details></div>\n")))
    app.add_node(say_why_question, html=(_visit_question, end("</summary>")))
    app.add_node(say_why_reason, html=(_visit_reason, end("</details>")))
    give_scripts(app, has(say_why), "say_why.js")
    app.add_directive("say-why", SayWhy)
