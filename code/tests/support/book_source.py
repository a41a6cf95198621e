"""The sources of the book's pages, read with its own parser: directives, cells, and runs of prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from bookext.data_files import read_yaml

REPOSITORY = Path(__file__).resolve().parents[3]


def text_of(name: str) -> str:
    """The source of a document such as "book/intro"."""
    return (REPOSITORY / f"{name}.md").read_text(encoding="utf-8")


class Directive(NamedTuple):
    """A directive: its name, what stands beside it, options as written, body, and its line (from zero)."""

    name: str
    argument: str
    options: str
    body: str
    line: int

    @property
    def below(self) -> int:
        """The line on which the body begins."""
        return self.line + 1 + self.options.count("\n")

    def option(self, name: str) -> str:
        """An option that is written between colons; "" if it is not there."""
        found = re.search(rf"^:{name}: *(.*)$", self.options, re.MULTILINE)
        return found[1] if found else ""


@cache
def parser(*, blocks_alone: bool = False) -> MarkdownIt:
    """The book's own: with the extensions of _config.yml, a dollar means here what it means on the page."""
    extensions = set(read_yaml(REPOSITORY / "_config.yml")["parse"]["myst_enable_extensions"])
    made = create_md_parser(MdParserConfig(enable_extensions=extensions), RendererHTML)
    return made.disable("inline") if blocks_alone else made


def directive_of(token: Token, above: int) -> Directive | None:
    """The directive that a block is, if it is one, `above` lines below the top."""
    if token.type not in ("fence", "colon_fence") or not token.info.startswith("{"):
        return None
    name, _, argument = token.info[1:].partition("}")
    return Directive(name, argument.strip(), *_split_options(token.content), above + token.map[0])


def _split_options(content: str) -> tuple[str, str]:
    """A directive's options, with the dashes or colons around them, and its body."""
    lines = content.splitlines(keepends=True)
    if lines[:1] == ["---\n"]:
        end = lines.index("---\n", 1) + 1
    else:
        end = next((n for n, line in enumerate(lines) if not re.match(r":[\w-]+:", line)), len(lines))
    return "".join(lines[:end]), "".join(lines[end:])


#: What holds no Markdown.
VERBATIM = re.compile(r"code\S*|source|literalinclude|math|raw|bibliography|eval-rst|toctree")


def _all_directives(text: str, above: int = 0) -> Iterator[Directive]:
    for token in parser(blocks_alone=True).parse(text):
        if directive := directive_of(token, above):
            yield directive
            if not VERBATIM.fullmatch(directive.name):
                yield from _all_directives(directive.body, directive.below)


@cache
def directives(text: str, *names: str) -> list[Directive]:
    """The directives of these names in a text, in its order, those inside others, too."""
    return [found for found in _all_directives(text) if found.name in names]


def explorer_calls(text: str) -> list[str]:
    """The lines of cells that show an explorer, such as `Clock(position=0)`."""
    cells = directives(text, "code-cell")
    return [call for cell in cells for call in re.findall(r"^[A-Z]\w+\((?:\)|\w+=.*\))$", cell.body, re.M)]


class Run(NamedTuple):
    """A run of text, such as a paragraph or a table's cell, with the line on which it begins (from zero)."""

    token: Token
    line: int


def prose(
    text: str, skipped: re.Pattern[str], captions: tuple[str, ...], above: int = 0
) -> Iterator[Run | Directive | Token]:
    """The runs of a text, its cells, and the beginnings of its headings, in order.

    Those inside directives, too, but of those whose names are `skipped`; and what cells say of their pictures
    in the options of these names.
    """
    for token in parser().parse(text):
        if token.type == "inline":
            yield Run(token, above + token.map[0])
        elif token.type == "heading_open":
            yield token
        elif directive := directive_of(token, above):
            parts = []
            if directive.name == "code-cell":
                yield directive
                parts = [(said, directive.line + 1 + n) for said, n in _said(directive.options, captions)]
            elif not skipped.fullmatch(directive.name):
                parts = [(directive.argument, directive.line), (directive.body, directive.below)]
            for part, line in parts:
                yield from prose(part, skipped, captions, line)


def _said(options: str, names: tuple[str, ...]) -> Iterator[tuple[str, int]]:
    """What these options of a cell say, each with the number of lines above its first one."""

    def walk(node: yaml.Node) -> Iterator[tuple[str, int]]:
        for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
            if key.value in names:
                yield value.value, value.start_mark.line + (value.style in ("|", ">"))
            else:
                yield from walk(value)

    if options.startswith("---"):
        yield from walk(yaml.compose(options.rstrip().removesuffix("---"), yaml.SafeLoader))


INSERTED = "\ufffc"  # stands for a formula, a role or code in a run of text


def flatten(token: Token) -> tuple[str, dict[int, Token]]:
    """The words of a run of text, with a mark for each thing that is no word; and these things by place."""
    text, inserted = "", {}
    for child in token.children or []:
        if child.type == "text":
            text += child.content
        elif child.type in ("softbreak", "hardbreak"):
            text += "\n"
        elif child.content:
            inserted[len(text)] = child
            text += INSERTED
    return text, inserted
