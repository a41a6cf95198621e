r"""Notebooks for people: each chapter as it reads on its page, in plain Markdown and TeX.

MyST Markdown in a notebook shows its syntax: numbers are missing, theorems lie there as directives. The
finished page has it all: numbers, references, titles. So :func:`notebook` takes the text from the page and
the cells from the notebook that was run for it, cell by cell in the same order.

What folds on the page folds in ``<details>``, in a piece for each stretch between two cells, because a
Markdown cell cannot fold the code cell after it. A cell that the page does not show is collapsed.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urljoin, urlsplit

import nbformat
from lxml.html import HtmlElement

from bookext.sphinx import stills
from bookext.sphinx.cells import WAITS
from bookext.sphinx.widgets import STATE, VIEW

GLUED = "application/papermill.record/"

#: Runs the notebook on its own. Plain Python: what reads notebooks need not know IPython's `%pip`.
SETUP = """\
# This notebook needs {module}, the package of its book.
import importlib.util

if importlib.util.find_spec("{module}") is None:
    """
INSTALL = """get_ipython().run_line_magic("pip", "install --quiet {requirements}")"""
REFUSE = """raise ModuleNotFoundError(
        "This notebook needs the book's package: in a copy of the book's sources, run "
        "python -m pip install {folders} with the Python of this kernel, and run the cell again."
    )"""


@dataclass(frozen=True)
class Place:
    """Where things are published: the site's address, the repository's and its branch; "" if nowhere.

    `packages` are what the book's notebooks import, with extras, and their folders in the repository.
    """

    site: str = ""
    repository: str = ""
    branch: str = "main"
    packages: tuple[tuple[str, str], ...] = ()

    @property
    def requirements(self) -> list[str]:
        """What pip installs the book's packages from; nothing without a repository."""
        if not self.repository:
            return []
        address = f"git+{self.repository}@{self.branch}#subdirectory="
        return [f"{package} @ {address}{folder}" for package, folder in self.packages]

    def setup(self) -> str:
        """The program of a notebook's first cell."""
        wanted = [package for package, _ in self.packages]
        if not wanted:
            return ""
        if self.repository:
            install = INSTALL.format(requirements=" ".join(f"'{one}'" for one in self.requirements))
        else:
            extras = [package.partition("[") for package in wanted]
            folders = " ".join(
                f"'./{folder}{bracket}{extra}'"
                for (_, folder), (_, bracket, extra) in zip(self.packages, extras, strict=True)
            )
            install = REFUSE.format(folders=folders)
        return SETUP.format(module=wanted[-1].partition("[")[0]) + install


@dataclass
class Cell:
    """The place of a code cell, by its page's element; whether it is a part of what is folded."""

    element: HtmlElement
    folded: bool = False


#: What Sphinx wraps around several lines, and what we have wrapped around them already.
_SPLIT = re.compile(r"^\\begin\{split\}\s*(\\begin\{aligned\}.*\\end\{aligned\})\s*\\end\{split\}$")

#: A piece of a notebook: Markdown, or the place of a cell.
Piece: TypeAlias = str | Cell

#: A notebook, or a cell of it, as its file has it.
Json: TypeAlias = dict[str, Any]


# ---- text ----


def escape(text: str) -> str:
    r"""Text as Markdown that shows it.

    >>> print(escape("d_model * 2 < $5"))
    d\_model \* 2 &lt; \$5
    """
    return re.sub(r"([\\`*_$])", r"\\\1", text).replace("&", "&amp;").replace("<", "&lt;")


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
        text = escape(element.text or "")
        for child in element:
            if isinstance(child.tag, str):
                text += self.phrase(child)
            text += escape(child.tail or "")
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
        text = escape(element.text or "")

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
            text += escape(child.tail or "")
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
        if tag == "fieldset":
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
        legend = element.find("legend")
        question = paragraph(self.inline(legend)) if legend is not None else ""
        more = [
            piece
            for child in element
            if child is not legend and "quiz-option" not in classes(child)
            for piece in self.block(child) or []
        ]
        choices, answers = [], []
        for option in element.find_class("quiz-option"):
            letter = option.find_class("quiz-letter")[0].text_content()
            choices.append(f"- {letter}: {paragraph(self.inline(option.xpath('./label/span[2]')[0]))}")
            told = self.joined(self.blocks(option.find_class("quiz-feedback")[0]))
            answers.append(f"- {letter}: " + told.replace("\n", "\n  "))
        return [
            f"**Quick check.** {question}",
            *more,
            "\n".join(choices),
            *folded("Answers", ["\n".join(answers)]),
        ]

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

    >>> summary("Solution to [Exercise 1](x) *a*")
    'Solution to Exercise 1 a'
    """
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"\\([\\`*_$])", r"\1", re.sub(r"(?<!\\)[*`]", "", title))


# ---- cells ----


def number_widgets(notebook: Json) -> None:
    """Number the widgets, whose names are drawn by chance, in the order in which the cells show them.

    Explorers get a still, for where a notebook is only looked at.
    """
    widgets = notebook["metadata"].pop("widgets", None)
    if not widgets:
        return
    states = widgets[STATE]["state"]
    shown = [
        output["data"]
        for cell in notebook["cells"]
        for output in cell.get("outputs", [])
        if VIEW in output.get("data", {})
    ]
    numbers: dict[str, str] = {}

    def number(model: str) -> None:
        if model in states and model not in numbers:
            numbers[model] = f"widget-{len(numbers) + 1}"
            for part in re.findall(r"IPY_MODEL_([\w-]+)", json.dumps(states[model], sort_keys=True)):
                number(part)

    for data in shown:
        if "_esm" in (state := states.get(data[VIEW]["model_id"], {}).get("state", {})):
            data["image/svg+xml"] = stills.draw(state).svg
    for view in (data[VIEW] for data in shown):
        number(view["model_id"])
        view["model_id"] = numbers.get(view["model_id"], view["model_id"])
    kept = json.dumps({model: states[model] for model in numbers})
    renamed = re.sub("|".join(numbers), lambda match: numbers[match[0]], kept)
    notebook["metadata"]["widgets"] = {STATE: widgets[STATE] | {"state": json.loads(renamed)}}


def said(cell: Json) -> dict[str, str]:
    """The numbers that a cell hands to sentences, by their names."""
    return {
        output["metadata"]["scrapbook"]["name"]: ast.literal_eval(output["data"][f"{GLUED}text/plain"])
        for output in cell["outputs"]
        if "scrapbook" in output.get("metadata", {})
    }


def markdown_cell(text: str) -> Json:
    """A cell of text."""
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def code_cell(source: str, count: int | None = None) -> Json:
    """A cell of program text, without outputs."""
    return {"cell_type": "code", "metadata": {}, "source": source, "execution_count": count, "outputs": []}


def cell_for_readers(cell: Json, place: Cell, reader: Reader) -> Json:
    """A cell with the outputs that are to be seen, collapsed if its page does not show it."""
    made = code_cell(cell["source"], cell["execution_count"])
    shown = place.element.find_class("cell_output")
    alt = next((image.get("alt") for image in place.element.iter("img") if image.get("alt")), "")
    for output in cell["outputs"]:
        data = output.get("data", {})
        if any(kind.startswith(GLUED) for kind in data):
            continue
        if "text/markdown" in data:
            data["text/markdown"] = reader.joined(piece for box in shown for piece in reader.blocks(box))
        if "text/plain" in data:
            data["text/plain"] = re.sub(r" at 0x[0-9a-f]+", "", data["text/plain"])
        for kind in data.keys() & {"image/svg+xml", "image/png"}:
            output["metadata"].setdefault(kind, {})["alt"] = alt
        made["outputs"].append(output)
    if place.folded or WAITS in classes(place.element):
        made["metadata"]["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
    if numbers := said(cell):
        made["metadata"]["said"] = numbers
    return made


def notebook(page: HtmlElement, executed: Json, name: str, place: Place) -> Json:
    """The notebook for readers: the text of the finished page `name`, and the cells of what was run."""
    address = f"{place.site.rstrip('/')}/{name}.html" if place.site else ""
    reader = Reader(address)
    number_widgets(executed)
    code = iter([cell for cell in executed["cells"] if cell["cell_type"] == "code"])
    made: list[Json] = []
    text: list[str] = []

    def close() -> None:
        if text:
            made.append(markdown_cell("\n\n".join(text)))
            text.clear()

    for piece in reader.blocks(page.xpath("//article[contains(@class, 'bd-article')]")[0]):
        if isinstance(piece, Cell):
            close()
            made.append(cell_for_readers(next(code), piece, reader))
            continue
        if piece.startswith("#"):
            close()
        text.append(piece)
        if piece.startswith("# "):
            text.append(about(address))
            close()
            if first := place.setup():
                made.append(code_cell(first))
    close()
    if next(code, None):
        raise ValueError(f"{name}: the page has fewer cells than its notebook")
    for number, cell in enumerate(made):
        cell["id"] = f"cell-{number}"
    kept = ("kernelspec", "language_info", "widgets")
    metadata = {key: executed["metadata"][key] for key in kept if key in executed["metadata"]}
    return {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def about(address: str) -> str:
    """Where a notebook is from, and how it is used."""
    page = f"[a page]({address})" if address else "a page"
    return (
        f"This notebook is {page} of its book, with the cells that the page hides: they are collapsed. "
        "To move the sliders, run all cells."
    )


def finish(page: HtmlElement, executed: str, name: str, place: Place) -> str:
    """The file of a reader's notebook, from a page and the file of the notebook that was run for it."""
    read = nbformat.reads(executed, as_version=4)  # type: ignore[no-untyped-call]  # joins what is in lines
    made = notebook(page, read, name, place)
    nbformat.validate(made)
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
