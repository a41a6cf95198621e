"""A program that asks for a file of the reader's: ``{ask-file}``, where Python in the page is built in.

The program has the name of the file as ``FILE``; the text before it says how other readers get the same
elsewhere::

    ```{ask-file} A text of your own
    :accept: .txt
    :pasted: pasted.txt

    print(len(open(FILE).read()))
    ```

The page gets an element that is hidden and has no text; `bookext.live` finds it by ``data-ask-file``, which
holds all that is said here, and shows a place for the file. Without it nothing is seen, there and elsewhere.
With ``:pasted:`` a text can be typed in place of a file, and a link carries it behind its ``#``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive, directives
from sphinx.application import Sphinx


class ask_file(nodes.General, nodes.Element):  # docutils names nodes like this
    """A place for a file; `asked` is what the page must know, as JSON."""


class AskFile(Directive):
    """The directive ``{ask-file}``."""

    has_content: ClassVar[bool] = True
    required_arguments: ClassVar[int] = 1
    final_argument_whitespace: ClassVar[bool] = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]] | None] = {
        "accept": directives.unchanged,
        "pasted": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        """Turn the program into an element that holds it."""
        program = "\n".join(self.content)
        if "FILE" not in program:
            raise self.error("the program of an ask-file must use FILE, the name of the reader's file")
        asked = {
            "title": self.arguments[0],
            "program": program,
            "accept": self.options.get("accept", ""),
            "pasted": self.options.get("pasted", ""),  # the name of a file with what was typed
        }
        return [ask_file(asked=json.dumps(asked, ensure_ascii=False))]


def _visit(self: Any, node: nodes.Element) -> None:
    attributes = {"data-ask-file": node["asked"], "hidden": ""}
    self.body.append(self.starttag(node, "div", "", CLASS="ask-file", **attributes) + "</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_node(ask_file, html=(_visit, None))
    app.add_directive("ask-file", AskFile)
