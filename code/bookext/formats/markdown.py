"""HTML as Markdown: the articles of finished pages in what notebooks and programs that read have instead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from bookext.sphinx import quiz


@dataclass
class Cell:
    """The place of a code cell, by its page's element; whether it is a part of what is folded."""

    element: HtmlElement
    folded: bool = False


#: What Sphinx wraps around several lines, and what we have wrapped around them already.
_SPLIT = re.compile(r"^\\begin\{split\}\s*(\\begin\{aligned\}.*\\end\{aligned\})\s*\\end\{split\}$")

#: A piece of a notebook: Markdown, or the place of a cell.
Piece: TypeAlias = str | Cell


# ---- text ----


def escape(text: str) -> str:
    r"""Text as Markdown that shows it.

    >>> print(escape("d_model * 2 < $5"))
    d\_model \* 2 &lt; \$5
    """
    return re.sub(r"([\\`*_$])", r"\\\1", text).replace("&", "&amp;").replace("<", "&lt;")


def running(text: str) -> str:
    r"""Running text as Markdown; formulas between brackets, as outputs of cells have them, between dollars.

    >>> print(running(r"so \(a < b\), with 2 * 3"))
    so $a \lt b$, with 2 \* 3
    """
    parts = re.split(r"(\\\(.+?\\\)|\\\[.+?\\\])", text, flags=re.DOTALL)
    return "".join(f"${math(part)}$" if n % 2 else escape(part) for n, part in enumerate(parts))


def paragraph(text: str) -> str:
    r"""A paragraph on one line, which begins nothing else.

    >>> print(paragraph("1. May was\n wet"))
    1\. May was wet
    """
    line = re.sub(r"[ \n]+", " ", text).strip()
    if re.match(r"[#+>-]", line):
        return f"\\{line}"
    return re.sub(r"^(\d+)([.)]\s)", r"\1\\\2", line)


def marked(text: str, mark: str) -> str:
    """Text between marks, which must touch it.

    >>> marked("so ", "**")
    '**so** '
    """
    inner = text.strip()
    if not inner:
        return text
    start = text.index(inner)
    return text[:start] + mark + inner + mark + text[start + len(inner) :]


def math(tex: str) -> str:
    r"""TeX without its delimiters, and without signs that HTML or a table would take for its own.

    >>> print(math(r"\(a < |b|\)"))
    a \lt |b|
    """
    for opening, closing in ((r"\(", r"\)"), (r"\[", r"\]")):
        tex = tex.strip().removeprefix(opening).removesuffix(closing)
    tex = re.sub(r"\s*<\s*", r" \\lt ", tex)
    return re.sub(r"\s*(?<!\\)>\s*", r" \\gt ", tex).strip()


def classes(element: HtmlElement) -> set[str]:
    """The classes of an element."""
    return set((element.get("class") or "").split())


def is_cell(element: HtmlElement) -> bool:
    """Whether an element is a code cell with its outputs."""
    return element.tag == "div" and classes(element) >= {"cell", "container"}


def quoted(text: str) -> str:
    """Markdown as a quotation."""
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def in_table(text: str) -> str:
    r"""Markdown for a cell of a table, which ends at the next bar.

    >>> print(in_table(r"$\|x\|$ or $|x|$ or a|b"))
    $\Vert{}x\Vert{}$ or $\vert{}x\vert{}$ or a\|b
    """

    def bars(formula: re.Match[str]) -> str:
        return formula[0].replace("\\|", "\\Vert{}").replace("|", "\\vert{}")

    parts = re.split(r"(?<!\\)(\$[^$]+\$)", text.replace("\n\n", "<br>"))
    return "".join(
        re.sub(r".+", bars, part) if n % 2 else part.replace("|", "\\|") for n, part in enumerate(parts)
    )


@dataclass
class Reader:
    """Reads a page, whose address is `address`, as Markdown."""

    address: str = ""

    def inline(self, element: HtmlElement) -> str:
        """What stands in an element of running text."""
        text = running(element.text or "")
        for child in element:
            if isinstance(child.tag, str):
                text += self.phrase(child)
            text += running(child.tail or "")
        return text

    def phrase(self, element: HtmlElement) -> str:
        """One element of running text."""
        own = classes(element)
        if "math" in own:
            return f"${math(element.text_content())}$"
        if element.tag == "a":
            return self.link(element)
        if element.tag in ("em", "i", "cite"):
            return marked(self.inline(element), "*")
        if element.tag in ("strong", "b"):
            return marked(self.inline(element), "**")
        if element.tag in ("code", "tt", "kbd"):
            text = element.text_content()
            fence = "``" if "`" in text else "`"
            return f"{fence}{text}{fence}"
        if element.tag == "img":
            return self.picture(element)
        if element.tag == "br":
            return " "
        if element.tag in ("sup", "sub"):
            return f"<{element.tag}>{self.inline(element)}</{element.tag}>"
        if element.tag in ("svg", "script", "style", "input", "button", "noscript") or "headerlink" in own:
            return ""
        return self.inline(element)

    def link(self, element: HtmlElement) -> str:
        """A link, or its text alone if it leads to a page that has no address."""
        if "headerlink" in classes(element):
            return ""
        text, target = self.inline(element), element.get("href", "")
        if not urlsplit(target).scheme:
            if not self.address:
                return text
            target = urljoin(self.address, target)
        inner = text.strip()
        return text.replace(inner, f"[{inner}]({target})", 1) if inner else ""

    def picture(self, element: HtmlElement) -> str:
        """A picture, or its description if it has no address."""
        alt = escape(element.get("alt", ""))
        return f"![{alt}]({urljoin(self.address, element.get('src', ''))})" if self.address else f"*{alt}*"

    # ---- blocks ----

    def blocks(self, element: HtmlElement) -> list[Piece]:
        """What stands in an element that holds blocks, or text."""
        pieces: list[Piece] = []
        text = running(element.text or "")

        def close() -> None:
            nonlocal text
            if text.strip():
                pieces.append(paragraph(text))
            text = ""

        for child in element:
            if isinstance(child.tag, str):
                found = self.block(child)
                if found is None:
                    text += self.phrase(child)
                else:
                    close()
                    pieces += found
            text += running(child.tail or "")
        close()
        return pieces

    def block(self, element: HtmlElement) -> list[Piece] | None:
        """One block; None if the element is running text."""
        own, tag = classes(element), element.tag
        if is_cell(element):
            return [Cell(element), *self.caption(element)]
        if tag in ("script", "style", "noscript", "input", "button", "svg"):
            return []
        if tag in ("p", "dt"):
            return self.one(paragraph(self.inline(element)))
        if re.fullmatch("h[1-6]", tag):
            return self.one(f"{'#' * int(tag[1])} {paragraph(self.inline(element))}")
        if tag in ("ul", "ol"):
            return [self.items(element)]
        if tag == "pre":
            return [self.code(element, "")]
        if any(name.startswith("highlight-") for name in own):
            return [self.code(element, next(name for name in own if name.startswith("highlight-"))[10:])]
        if tag == "table":
            return [self.table(element)]
        if tag == "details":
            return self.details(element)
        if quiz.is_quiz(element):
            return self.quiz(element)
        if tag in ("aside", "blockquote") or {"proof", "admonition"} & own:
            return self.boxed(element, own)
        if "math" in own and tag == "div":
            return [self.display(element)]
        if tag in ("div", "section", "figure", "figcaption", "dl", "dd", "main", "article"):
            return self.blocks(element)
        return None

    @staticmethod
    def one(text: str) -> list[Piece]:
        """A block, if there is anything in it."""
        return [text] if text.strip("# ") else []

    def joined(self, pieces: Iterable[Piece]) -> str:
        """Blocks, none of which is a cell, as one text."""
        return "\n\n".join(piece for piece in pieces if isinstance(piece, str))

    def items(self, element: HtmlElement) -> str:
        """A list, whose items may have blocks of their own."""
        lines = []
        for number, item in enumerate(element.iterchildren("li"), int(element.get("start", 1))):
            mark = "- " if element.tag == "ul" else f"{number}. "
            text = self.joined(self.blocks(item))
            lines.append(mark + text.replace("\n", "\n" + " " * len(mark)))
        return re.sub(r"\n +\n", "\n\n", "\n".join(lines))

    def code(self, element: HtmlElement, language: str) -> str:
        """A block of program text."""
        text = element.text_content().strip("\n")
        kind = "python" if language in ("default", "ipython3", "python3") else language
        fence = "````" if "```" in text else "```"
        return f"{fence}{kind}\n{text}\n{fence}"

    def display(self, element: HtmlElement) -> str:
        """A formula on a line of its own, with its number; on one line, so that a quotation can hold it."""
        number = "".join(element.xpath(".//span[@class='eqno']//text()")).strip("()# \xb6")
        for mark in element.xpath(".//span[@class='eqno']"):
            mark.drop_tree()
        tex = _SPLIT.sub(r"\1", " ".join(math(element.text_content()).split()))
        return f"$${tex} \\tag{{{number}}}$$" if number else f"$${tex}$$"

    def table(self, element: HtmlElement) -> str:
        """A table, with its caption above it."""
        rows = [
            [in_table(self.joined(self.blocks(cell))) for cell in row.iterchildren("td", "th")]
            for row in element.iter("tr")
        ]
        sides = [
            "--:" if "text-right" in classes(cell) else ":-:" if "text-center" in classes(cell) else ":--"
            for cell in next(element.iter("tr")).iterchildren("td", "th")
        ]
        caption = self.joined(paragraph(self.inline(one)) for one in element.iterchildren("caption"))
        lines = [f"| {' | '.join(row)} |" for row in rows]
        lines.insert(1, f"| {' | '.join(sides)} |")
        return "\n".join([*([f"{caption}\n"] if caption else []), *lines])

    def details(self, element: HtmlElement) -> list[Piece]:
        """What is folded."""
        summary = element.find("summary")
        title = paragraph(self.inline(summary)) if summary is not None else "More"
        body = [child for child in element if child is not summary]
        return folded(title, [piece for child in body for piece in self.block(child) or []])

    def boxed(self, element: HtmlElement, own: set[str]) -> list[Piece]:
        """A theorem, an exercise, a note: its title in bold, and quoted if nothing in it folds or runs."""
        heads = element.xpath("./p[contains(@class, 'title')]")
        title = paragraph(self.inline(heads[0])) if heads else ""
        body: list[Piece] = []
        for child in element:
            if isinstance(child.tag, str) and child not in heads:
                body += self.block(child) or self.one(paragraph(self.phrase(child)))
        if "solution" in own or "dropdown" in own:
            return folded(title, body)
        pieces = [*self.one(f"**{title}**" if title else ""), *body]
        if any(isinstance(piece, Cell) or "<details>" in piece for piece in pieces):
            return pieces
        return [quoted(self.joined(pieces))]

    def quiz(self, element: HtmlElement) -> list[Piece]:
        """A question with its options, and the answers folded."""
        asked, answers = quiz.markdown(
            element,
            lambda text: paragraph(self.inline(text)),
            lambda elements: self.joined(piece for one in elements for piece in self.block(one) or []),
        )
        return [*asked, *folded("Answers", [answers])]

    def caption(self, element: HtmlElement) -> list[Piece]:
        """What a cell's figures are called, and what they show in words."""
        pieces: list[Piece] = []
        for figure in element.iter("figure"):
            for caption in figure.iter("figcaption"):
                pieces.append(self.joined(self.blocks(caption)))
        seen = dict.fromkeys(
            image.get("alt", "")
            for image in element.iter("img")
            if image.get("alt") and not list(image.iterancestors("noscript"))
        )
        for alt in seen:
            pieces += folded("The figure in words", [paragraph(escape(alt))])
        return pieces


def folded(title: str, body: Iterable[Piece]) -> list[Piece]:
    """Blocks behind a title that unfolds them, and cells between them that are collapsed.

    >>> print(folded("Hint", ["Look."])[0])
    <details><summary>Hint</summary>
    <BLANKLINE>
    Look.
    <BLANKLINE>
    </details>
    """
    pieces: list[Piece] = []
    texts: list[str] = []
    head = summary(title)

    def close() -> None:
        nonlocal head
        if texts:
            inner = "\n\n".join(texts)
            pieces.append(f"<details><summary>{head}</summary>\n\n{inner}\n\n</details>")
            head = f"{summary(title)}, continued"
            texts.clear()

    for piece in body:
        if isinstance(piece, Cell):
            close()
            pieces.append(Cell(piece.element, folded=True))
        else:
            texts.append(piece)
    close()
    return pieces


def summary(title: str) -> str:
    """A title as the HTML of a summary, in which Markdown is not read.

    >>> summary("Solution to[Exercise 1](x) *a*")
    'Solution to Exercise 1 a'
    """
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"(?<=\w)\[", " [", title))
    return re.sub(r"\\([\\`*_$])", r"\1", re.sub(r"(?<!\\)[*`]", "", title))
