"""Program text without its documentation: ``{source}``, a `literalinclude` that leaves out docstrings.

What they say is in the package's reference; beside an explanation they would be most of the lines.
"""

from __future__ import annotations

import ast
import textwrap

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.directives.code import LiteralInclude


def without_docstrings(text: str) -> str:
    '''Python source without its docstrings.

    >>> print(without_docstrings('def f(x):\\n    """Twice x."""\\n    return 2 * x  # so'))
    def f(x):
        return 2 * x  # so
    '''
    lines = textwrap.dedent(text).splitlines()
    gone: set[int] = set()
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) and len(node.body) > 1:
            gone |= set(range(node.body[0].lineno, node.body[1].lineno - _blank(node, lines)))
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in gone)


def _blank(node: ast.FunctionDef | ast.ClassDef, lines: list[str]) -> int:
    """How many lines before a body's second statement are comments or decorators, which stay."""
    first, at = node.body[1].lineno, node.body[1].lineno - 1
    while lines[at - 1].lstrip().startswith(("#", "@")):
        at -= 1
    return first - 1 - at


class Source(LiteralInclude):
    """The directive ``{source}``, with the options of `literalinclude`."""

    def run(self) -> list[nodes.Node]:
        """The lines, less the docstrings."""
        made = super().run()
        for block in (block for node in made for block in node.findall(nodes.literal_block)):
            text = without_docstrings(block.astext())
            block.rawsource, block.children = text, [nodes.Text(text)]
        return made


def setup(app: Sphinx) -> None:
    """Register the directive with Sphinx."""
    app.add_directive("source", Source)
