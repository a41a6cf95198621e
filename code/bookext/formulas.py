r"""How wide an inline formula will be, roughly: it is given room, so that no text moves when MathJax sets it.

Characters have the widths of TeX's own fonts, and scripts and fractions are smaller; what is left of the way
to MathJax, such as the height of a bracket, does not matter for where a line of text breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\begin\{\w+\}|\\end\{\w+\}|\\[a-zA-Z]+|\\.|.", re.DOTALL)
_SCRIPT = 0.71  # the size of scripts, and of what is above and below the line of a fraction in the text
_RELATIONS = {
    "=",
    "<",
    ">",
    *(f"\\{name}" for name in ("le", "ge", "leq", "geq", "ne", "neq", "approx", "in")),
}
_RELATIONS |= {
    f"\\{name}" for name in ("sim", "to", "mapsto", "ll", "gg", "propto", "mid", "notin", "subset")
}
_BINARY = {"+", "-", "\\pm", "\\times", "\\cdot", "\\circ", "\\oplus", "\\odot"}
_SPACES = {
    "\\,": 0.17,
    "\\:": 0.22,
    "\\;": 0.28,
    "\\!": -0.17,
    "\\ ": 0.25,
    "\\quad": 1.0,
    "\\qquad": 2.0,
    "~": 0.25,
}
_NAMES = {
    "sin",
    "cos",
    "tan",
    "log",
    "ln",
    "exp",
    "max",
    "min",
    "det",
    "arg",
    "dim",
    "gcd",
    "deg",
    "lim",
    "tanh",
    "Re",
    "Im",
}
_NOTHING = {
    "left",
    "right",
    "big",
    "Big",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "displaystyle",
    "textstyle",
    "limits",
}
_WRAPPERS = {
    "mathrm",
    "operatorname",
    "text",
    "mathbf",
    "mathbb",
    "boldsymbol",
    "mathit",
    "overline",
    "bar",
    "hat",
}
_WIDTHS = {
    "\\infty": 1.0,
    "\\sum": 1.06,
    "\\prod": 0.94,
    "\\int": 0.6,
    "\\dots": 1.34,
    "\\ldots": 1.17,
    "\\cdots": 1.17,
}
_WIDTHS |= {
    "\\prime": 0.28,
    "'": 0.28,
    ",": 0.45,
    ";": 0.45,
    ".": 0.28,
    ":": 0.84,
    "|": 0.28,
    "\\|": 0.5,
    "/": 0.5,
}
_WIDTHS |= {
    "\\lVert": 0.5,
    "\\rVert": 0.5,
    "\\lvert": 0.28,
    "\\rvert": 0.28,
    "(": 0.39,
    ")": 0.39,
    "[": 0.28,
    "]": 0.28,
}
_WIDTHS |= {
    "m": 0.88,
    "w": 0.72,
    "i": 0.35,
    "j": 0.41,
    "l": 0.3,
    "t": 0.36,
    "\\omega": 0.64,
    "\\lambda": 0.58,
}
_WIDTHS |= {"W": 0.94, "M": 0.97, "X": 0.83, "K": 0.85, "Q": 0.79, "N": 0.85, "H": 0.83, "x": 0.57, "d": 0.52}


def width(tex: str) -> float:
    r"""The width of a formula in em of its own font.

    >>> [round(width(tex), 1) for tex in ("p", "d/2", r"\omega_i = b^{-2i/d}", r"\frac{1}{2}")]
    [0.5, 1.5, 4.7, 0.6]
    """
    return _row(iter(_TOKEN.findall(tex)), None)


def _row(tokens: Iterator[str], until: str | None) -> float:
    """The width up to a closing token; of several lines, that of the widest."""
    total, widest = 0.0, 0.0
    for token in tokens:
        if token == until or token.startswith("\\end"):
            break
        if token == "\\\\":
            widest, total = max(widest, total), 0.0
        else:
            total += _one(token, tokens)
    return max(widest, total)


def _argument(tokens: Iterator[str]) -> float:
    """The width of what a command or a script is applied to."""
    token = next((token for token in tokens if not token.isspace()), "")
    return _row(tokens, "}") if token == "{" else _one(token, tokens) if token else 0.0


def _script(tokens: Iterator[str]) -> float:
    """The width of a script, in which signs have no space around them."""
    token = next((token for token in tokens if not token.isspace()), "")
    if token != "{":
        return _one(token, tokens) if token else 0.0
    group, depth = [], 1
    for token in tokens:
        depth += (token == "{") - (token == "}")
        if not depth:
            break
        group.append(token)
    spaces = sum(0.44 * (token in _BINARY) + 0.55 * (token in _RELATIONS) for token in group)
    return _row(iter(group), None) - spaces


def _one(token: str, tokens: Iterator[str]) -> float:
    name = token[1:]
    if token == "{":
        return _row(tokens, "}")
    if token in "^_":
        return _SCRIPT * _script(tokens) + 0.05
    if token.startswith("\\begin"):
        return _row(tokens, None) + 1.3
    if name in ("frac", "tfrac", "dfrac", "binom"):
        return _SCRIPT * max(_argument(tokens), _argument(tokens)) + 0.24
    if name == "sqrt":
        return _argument(tokens) + 0.83
    if name in _WRAPPERS:
        return _argument(tokens)
    for group, wide in ((_SPACES, None), (_RELATIONS, 1.33), (_BINARY, 1.22), (_WIDTHS, None)):
        if token in group:
            return wide if wide is not None else float(group[token])  # type: ignore[index]
    if name in _NAMES:
        return 0.5 * len(name) + 0.17
    if name in _NOTHING or token.isspace() or token in "}&":
        return 0.0
    return 0.72 if token.isupper() else 0.5
