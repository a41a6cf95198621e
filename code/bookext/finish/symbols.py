r"""What the symbols of displayed formulas mean: each is marked, and a script says it when it is asked.

A book says in one file (`bookext_symbols`) what its symbols are: `everywhere`, and under `pages` those
pages whose formulas explain themselves, with what is different there. A symbol is named as it reads: ``p``,
and with an index ``ω_i``, which is one symbol where the file has it, and two where it has not. After the name
comes what it is, in plain words with formulas between ``$``; or a mapping, in which `says` is that, and
`lights` are the marks in figures (their ``data-symbol``) that show it, where they are not called what the
symbol is called.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lxml.html import HtmlElement

from bookext.finish.formulas import mathml
from bookext.finish.passages import named_data

#: What the scripts call the definitions, and the two files that a page with symbols loads, in this order.
NAME = "SYMBOLS"
TEXTS = "symbol_texts.js"
SCRIPTS = (TEXTS, "symbols.js")

_INDEXED = {"msub": "_", "msup": "^"}
#: What can be a symbol; a row or a cell with a symbol in it is wider.
_SYMBOLS = {"mi", "mo", "mtext", *_INDEXED}
_INVISIBLE = re.compile("[\\s\u2061-\u2064]")


@dataclass(frozen=True)
class Symbol:
    """What a symbol is, and what the figures call the parts that show it."""

    says: str
    lights: tuple[str, ...]

    @classmethod
    def read(cls, name: str, given: str | Mapping[str, str]) -> Symbol:
        """As the book's file has it.

        >>> Symbol.read("p", "a place")
        Symbol(says='a place', lights=('p',))
        >>> Symbol.read("ω_i", {"says": "a speed", "lights": "ω hand"})
        Symbol(says='a speed', lights=('ω', 'hand'))
        """
        entry = {"says": given} if isinstance(given, str) else given
        return cls(entry["says"], tuple(entry.get("lights", name).split()))


def name_of(element: HtmlElement) -> str:
    r"""How a piece of a formula reads.

    >>> from bookext.finish.formulas import element
    >>> name_of(element(r"\omega_i")[0]), name_of(element(r"\omega_{d/2-1}")[0]), name_of(element("K^T")[0])
    ('ω_i', 'ω_d/2−1', 'K^T')
    """
    between = _INDEXED.get(element.tag, "")
    parts = [_INVISIBLE.sub("", element.text or ""), *map(name_of, element)]
    return parts[0] + between.join(parts[1:])


def mark(formula: HtmlElement, known: Mapping[str, Symbol]) -> Iterator[str]:
    r"""Mark the symbols of a formula that are `known`, and say which: one with an index as a whole.

    >>> from bookext.finish.formulas import element
    >>> from lxml.html import tostring
    >>> made = element(r"\sum_j \omega_i^2 p")
    >>> told = {name: Symbol("", ()) for name in ("ω_i", "p", "∑")}
    >>> list(mark(made, told))
    ['∑', 'ω_i', 'ω_i', 'p']
    >>> [(part.text, part.get("data-symbol")) for part in made.iter("mi")]
    [('j', None), ('ω', 'ω_i'), ('i', 'ω_i'), ('p', 'p')]
    """
    name = name_of(formula)
    if name in known and formula.tag in _SYMBOLS:
        formula.set("data-symbol", name)
        yield name
        return
    parts = list(formula)
    if formula.tag == "msubsup":  # a power of an indexed letter, which has no element of its own
        indexed = f"{name_of(parts[0])}_{name_of(parts[1])}"
        if indexed in known:
            for part in parts[:2]:
                part.set("data-symbol", indexed)
                yield indexed
            parts = parts[2:]
    for part in parts:
        yield from mark(part, known)


def displayed(page: HtmlElement) -> list[HtmlElement]:
    """The displayed formulas of a page's text; lines that a program derived are records."""
    return [
        formula
        for place in page.find_class("math")
        for formula in place.iterchildren("math")
        if formula.get("display") == "block"
    ]


def mark_in(page: HtmlElement, given: Mapping[str, str | Mapping[str, str]]) -> dict[str, list[object]]:
    """Mark the symbols of a page's displayed formulas; what its script is told of those that are there."""
    known = {name: Symbol.read(name, entry) for name, entry in given.items()}
    found: dict[str, None] = {}
    for formula in displayed(page):
        names = dict.fromkeys(mark(formula, known))
        if names:
            formula.set("data-symbols", "")
        found |= names
    return {name: [_set(known[name].says), known[name].lights] for name in found}


def _set(text: str) -> str:
    r"""A definition as HTML.

    >>> _set("$p$ & more")
    '<math><mi>p</mi></math> &amp; more'
    """
    pieces = re.split(r"\$(.+?)\$", text)
    return "".join(
        mathml(piece) if n % 2 else html.escape(piece, quote=False) for n, piece in enumerate(pieces)
    )


def script(told: Mapping[str, Mapping[str, list[object]]]) -> str:
    """What the symbols of all pages mean, by page, as a script that gives it its name."""
    return named_data(NAME, told)
