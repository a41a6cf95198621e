"""The numbers that a page of the site says, by the names that its text glues them by."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from lxml.html import document_fromstring

POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@cache
def read_glued(root: Path, name: str) -> dict[str, str]:
    """What a page of the site says, by the name in ``{glue:text}``; a name used twice says the same twice."""
    names = re.findall(r"\{glue:text\}`([^`]+)`", (root / f"_sources/{name}.md").read_text(encoding="utf-8"))
    page = document_fromstring((root / f"{name}.html").read_bytes())
    texts = [span.text_content() for span in page.find_class("pasted-text")]
    assert len(names) == len(texts), f"{name}: {len(names)} numbers in the text, {len(texts)} on the page"
    values: dict[str, str] = {}
    for key, text in zip(names, texts, strict=True):
        assert values.setdefault(key, text) == text, f"{name}: {key} is said in two ways"
    return values


def plain(text: str) -> str:
    """'−3.5 × 10²⁸' as '-3.5e28', '10⁻¹⁴' as '1e-14', '1,234 %' as '1234'."""
    for old, new in (("\N{NO-BREAK SPACE}", " "), (",", ""), (" %", ""), ("−", "-")):
        text = text.replace(old, new)
    return re.sub(r"^10(?=⁻)", "1e", text).translate(POWERS).replace(" × 10", "e")


def number(text: str) -> float:
    """A number as a page says it."""
    return float(plain(text))


def half_a_digit(text: str) -> float:
    """Half a unit of the last digit that is said: a value may be off by so much, and no more."""
    mantissa, _, power = plain(text).partition("e")
    return 0.5000001 * 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))


class Page:
    """A page of the site: what its text says, and what its cells show."""

    def __init__(self, root: Path, name: str) -> None:
        self.glued = read_glued(root, name)
        self.cells = nbformat.read(root / f"_sources/{name}.ipynb", as_version=4).cells

    def value(self, part_of_the_source: str) -> Any:
        """What the cell with these words shows last: Markdown as it is, anything else as Python reads it."""
        data = self._cell(part_of_the_source).outputs[-1].data
        return data.get("text/markdown") or ast.literal_eval(data["text/plain"])

    def printed(self, part_of_the_source: str) -> str:
        """What the cell with these words prints."""
        outputs = self._cell(part_of_the_source).outputs
        return "".join(output.text for output in outputs if output.output_type == "stream")

    def _cell(self, part_of_the_source: str) -> nbformat.NotebookNode:
        (cell,) = (one for one in self.cells if one.cell_type == "code" and part_of_the_source in one.source)
        return cell
