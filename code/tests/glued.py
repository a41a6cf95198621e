"""The numbers that a page says, by the names that its text glues them by: on the site, or by its cells."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import jupytext
import pytest
from harness import REPOSITORY
from lxml.html import document_fromstring

POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@cache
def said(root: Path, name: str) -> dict[str, str]:
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


# Cells that draw or prove, which have tests of their own.
SKIPPED = (
    "figures.",
    "proofs.",
    "workbench(",
    "CircleWaves(",
    "BlockShift(",
    "Clock(",
    "Heatmap(",
    "Torus(",
    "DistanceLaw(",
    "BeforeAfter(",
    "AddOrRotate(",
    "ClosestPair(",
)


class Page:
    """A chapter's cells, run here: what they glue into sentences, and the value of a cell's last line.

    Built from nothing but the source, so no site is needed; a name glued twice has to say the same twice.
    """

    def __init__(self, name: str, patch: pytest.MonkeyPatch) -> None:
        self.glued: dict[str, str] = {}
        self.values: list[tuple[str, object]] = []
        patch.chdir(REPOSITORY / "book")
        patch.setattr("wavebook.say._glue", self._keep)
        space: dict[str, object] = {}
        for cell in jupytext.read(f"{name}.md").cells:
            if cell.cell_type != "code" or cell.source.startswith(SKIPPED):
                continue
            tree = ast.parse(cell.source)
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, f"{name}.md", "exec"), space)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), f"{name}.md", "eval"), space)
                self.values.append((cell.source, value))

    def _keep(self, name: str, value: str) -> None:
        assert self.glued.setdefault(name, value) == value, f"{name} is said in two ways"

    def value(self, part_of_the_source: str) -> object:
        (value,) = (value for source, value in self.values if part_of_the_source in source)
        return value
