"""A Markdown twin of each page, for programs that read: ``order.md`` beside ``order.html``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lxml.html import HtmlElement

from bookext.formats.markdown import Cell, Piece, Reader, classes, escape, folded, paragraph
from bookext.sphinx.cells import WAITS

#: A formula in a derivation that is longer, in characters of its TeX, is on the page alone.
LONG = 60
#: A formula that fits on one line, in what sets several lines.
_ONE_LINE = re.compile(r"\\\[\\begin\{aligned\}(((?!\\\\).)*)\\end\{aligned\}\\\]", re.DOTALL)


@dataclass
class Twin(Reader):
    """Reads a page with its links as they are: the twin lies beside it."""

    def link(self, element: HtmlElement) -> str:
        """A link, relative to the page."""
        inner = self.inline(element).strip()
        if not inner or "headerlink" in classes(element):
            return ""
        return f"[{inner}]({element.get('href', '')})"

    def picture(self, element: HtmlElement) -> str:
        """A picture, with its address."""
        return f"![{escape(element.get('alt', ''))}]({element.get('src', '')})"

    def code(self, element: HtmlElement, language: str) -> str:
        """A block of program text; what a program printed is in no language."""
        return super().code(element, "" if language == "myst-ansi" else language)

    def block(self, element: HtmlElement) -> list[Piece] | None:
        """A block; a kernel's statements are in its files, and their map is on the page alone."""
        alone = {"formal-reads", "theorem-map", "formal-refused"}
        return [] if classes(element) & alone else super().block(element)

    def table(self, element: HtmlElement) -> str:
        """A table; of a long one to search, each row is a paragraph, without its head."""
        if "searchable" not in classes(element):
            return super().table(element)
        rows = ([self.joined(self.blocks(cell)) for cell in row] for row in element.iterfind("tbody/tr"))
        caption = (paragraph(self.inline(one)) for one in element.iterchildren("caption"))
        return "\n\n".join([*caption, *(" ".join(row) for row in rows)])

    def details(self, element: HtmlElement) -> list[Piece]:
        """What is folded: no kernel's record, no questions, which a file has, no long derivation."""
        own = classes(element)
        if own & {"formal-proof", "formal-machine", "recall-list"}:
            return []
        return self.derivation(element) if "derivation" in own else super().details(element)

    def derivation(self, element: HtmlElement) -> list[Piece]:
        """A proof line by line: each reason, after its formula if that is short."""
        left_out = False
        for formula in element.find_class("derivation-step"):
            text = _ONE_LINE.sub(lambda found: rf"\[{found[1].replace('&', '')}\]", formula.text_content())
            left_out |= len(text) > LONG
            formula.text = "" if len(text) > LONG else text
        title, *body = (self.joined(self.block(part) or []) for part in element)
        note = ["The longer formulas are on the page."] if left_out else []
        return folded(title or "Proof", [*filter(None, body), *note])

    def caption(self, element: HtmlElement) -> list[Piece]:
        """What a cell's figures are called; what they show is said in their place."""
        return [self.joined(self.blocks(caption)) for caption in element.iter("figcaption")]


def shown(cell: HtmlElement, reader: Twin) -> list[Piece]:
    """What a page shows of a code cell: its source, unless that waits, and its outputs."""
    pieces: list[Piece] = []
    if WAITS in classes(cell):
        return pieces
    for part in cell:
        own = classes(part)
        if "cell_input" in own and WAITS not in own:
            pieces.append(reader.code(part.xpath(".//pre")[0], "python"))
        elif "cell_output" in own:
            pieces += outputs(part, reader)
    return pieces


def outputs(box: HtmlElement, reader: Twin) -> list[Piece]:
    """Outputs: an explorer and a figure in words, all others as they read."""
    alts = dict.fromkeys(image.get("alt", "") for image in box.iter("img"))
    if not alts:
        return reader.blocks(box)
    kind = "A figure to move on the page" if box.find_class("explorer-still") else "Figure"
    return [f"*{kind}: {escape(alt)}*" for alt in alts if alt]


def markdown(page: HtmlElement) -> str:
    """The text of a finished page as Markdown."""
    reader = Twin()
    pieces: list[str] = []
    for piece in reader.blocks(page.xpath("//article[contains(@class, 'bd-article')]")[0]):
        if isinstance(piece, Cell):
            pieces += [part for part in shown(piece.element, reader) if isinstance(part, str)]
        else:
            pieces.append(piece)
    return "\n\n".join(pieces) + "\n"
