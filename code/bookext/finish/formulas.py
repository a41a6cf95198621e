r"""Formulas: TeX in, MathML out, when the book is built.

A page that comes with its formulas set shows them at once, without JavaScript too, and nothing on it moves;
screen readers find mathematics instead of glyphs. The program that translates is Temml, run in QuickJS, an
engine that a Python package brings along, as the explorers are for their stills (`bookext.sphinx.stills`).
"""

from __future__ import annotations

import functools
import html
import re
from pathlib import Path

import dukpy
from lxml.html import HtmlElement, fragment_fromstring

#: Temml 0.13.5: dist/temml.min.js of the npm package.
TEMML = Path(__file__).parent / "temml/temml.min.js"
#: Elements that may hold formulas: a formula, and text in which there are some.
_PLACES = (
    "descendant-or-self::*["
    + " or ".join(
        f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"
        for name in ("math", "mathjax_process")
    )
    + "]"
)
_TEX = re.compile(r"\\\((?P<inline>.+?)\\\)|\\\[(?P<display>.+?)\\\]", re.DOTALL)
_TALL = (
    ".//mfrac | .//mtable | .//munder | .//mover | .//munderover | .//msqrt | .//mroot | .//msup | .//msubsup"
)
_SET = "temml.renderToString(dukpy.tex, {displayMode: dukpy.display, throwOnError: true, strict: true})"


@functools.cache
def _temml() -> dukpy.JSInterpreter:
    engine = dukpy.JSInterpreter()
    engine.evaljs(f"var window, document; {TEMML.read_text(encoding='utf-8')}; globalThis.temml = temml; 0")
    return engine


def mathml(tex: str, display: bool = False) -> str:
    r"""A formula as MathML.

    >>> mathml(r"\sqrt d")
    '<math><msqrt><mi>d</mi></msqrt></math>'
    >>> mathml(r"\sqr d")
    Traceback (most recent call last):
        ...
    ValueError: the formula '\\sqr d' cannot be set: Unsupported function name: \sqr
    """
    try:
        made: str = _temml().evaljs(_SET, tex=tex, display=display)
    except dukpy.JSRuntimeError as error:
        reason = re.search(r"ParseError:\s*(.*?)(?: at position|\n|$)", str(error))
        raise ValueError(f"the formula {tex!r} cannot be set: {reason[1] if reason else error}") from None
    return made


#: Lines over and under a formula, which Temml leaves to its style sheet: the element, and the line as a sign.
_LINES = {"top": ("mover", "\u203e"), "bottom": ("munder", "_")}
_LINED = re.compile(r'<menclose notation="(top|bottom)"[^>]*>((?:(?!<menclose).)*?)</menclose>', re.DOTALL)


def _drawn(line: re.Match[str]) -> str:
    tag, sign = _LINES[line[1]]
    return f'<{tag}><mrow>{line[2]}</mrow><mo stretchy="true">{sign}</mo></{tag}>'


def in_text(text: str) -> str:
    r"""A text of HTML, its formulas as MathML that needs no style sheet.

    >>> in_text(r"<p>\(\sqrt d\)</p>")
    '<p><math><msqrt><mi>d</mi></msqrt></math></p>'
    >>> in_text(r"\(\overline y\)")
    '<math><mover><mrow><mi>y</mi></mrow><mo stretchy="true">\u203e</mo></mover></math>'
    """

    def typeset(place: re.Match[str]) -> str:
        made = mathml(html.unescape(place["inline"] or place["display"]), bool(place["display"]))
        count = 1
        while count:  # from the innermost out
            made, count = _LINED.subn(_drawn, made)
        return made

    return _TEX.sub(typeset, text)


#: What has been set, here or by an earlier build: TeX in its brackets, and MathML.
_done: dict[str, str] = {}
_earlier: dict[str, str] = {}


def remember(earlier: dict[str, str]) -> None:
    """Begin anew, and set nothing that is in the table `earlier`."""
    _done.clear()
    _earlier.clear()
    _earlier.update(earlier)


def done() -> dict[str, str]:
    """A table of what was set since then, for the next build."""
    return dict(_done)


def _set_once(tex: str, display: bool) -> str:
    key = f"\\[{tex}" if display else f"\\({tex}"
    if key not in _done:
        _done[key] = _earlier.get(key) or mathml(tex, display)
    return _done[key]


def element(tex: str, display: bool = False) -> HtmlElement:
    r"""A formula as an element, with its TeX; brackets around what is no taller than they are do not stretch.

    Chromium gives those that may stretch room at their sides, as if they had. A formula in the text that ends
    in a sign, which a number follows, leaves no room but the text's own.

    >>> [mark.get("stretchy") for mark in element(r"\left(a\right) \left(\frac ab\right)").iter("mo")]
    ['false', 'false', 'true', 'true']
    >>> [mark.get("rspace") for mark in element("a = b =").iter("mo")]
    [None, '0em']
    """
    made: HtmlElement = fragment_fromstring(_set_once(tex, display))
    made.set("data-tex", tex)
    if not display:
        for sign in made.xpath("mrow/*[last()][self::mo[not(@rspace)]]"):
            sign.set("rspace", "0em")
    for row in made.iter("mrow"):
        ends = [end for end in (row[:1] + row[-1:]) if end.get("stretchy") == "true"]
        if len(ends) == 2 and not row.xpath(_TALL):
            for end in ends:
                end.set("stretchy", "false")
    return made


def _pieces(text: str) -> tuple[str, list[HtmlElement]]:
    """A text's beginning, and its formulas, each with the text behind it as its tail."""
    made: list[HtmlElement] = []
    start = end = 0
    before = ""
    for found in _TEX.finditer(text):
        start = found.start()
        if made:
            made[-1].tail = text[end:start]
        else:
            before = text[:start]
        made.append(element(found["inline"] or found["display"], bool(found["display"])))
        end = found.end()
    if not made:
        return text, []
    made[-1].tail = text[end:]
    return before, made


def set_in(root: HtmlElement) -> None:
    r"""Set the formulas in an element, wherever it says that there are some.

    >>> root = fragment_fromstring(r'<p>at <span class="math">\(p\)</span>, not <code>\(p\)</code></p>')
    >>> set_in(root)
    >>> from lxml.html import tostring
    >>> print(tostring(root, encoding="unicode"))
    <p>at <span class="math"><math data-tex="p"><mi>p</mi></math></span>, not <code>\(p\)</code></p>
    """
    for place in root.xpath(_PLACES):
        for part in list(place.iter()):
            texts = (part.text, *(child.tail for child in part)) if isinstance(part.tag, str) else ()
            if any("\\" in text for text in texts if text) and not part.xpath("ancestor-or-self::code"):
                _set(part)


def _set(place: HtmlElement) -> None:
    """Set the formulas among the texts that are directly in an element."""
    for child in list(place):
        if child.tail and "\\" in child.tail:
            child.tail, made = _pieces(child.tail)
            at = place.index(child) + 1
            place[at:at] = made
    if place.text and "\\" in place.text:
        place.text, made = _pieces(place.text)
        place[0:0] = made
