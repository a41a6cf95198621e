r"""How wide an inline formula will be, roughly: it is given room, so that no text moves when MathJax sets it.

Characters have the widths of TeX's own fonts, and scripts and fractions are smaller; what is left of the way
to MathJax, such as the height of a bracket, does not matter for where a line of text breaks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\\begin\{\w+\}|\\end\{\w+\}|\\[a-zA-Z]+|\\.|.", re.DOTALL)
_SCRIPT = 0.71  # the size of scripts, and of what is above and below the line of a fraction in the text
# fmt: off
#: Signs, which have space around them except in scripts: (with the space, without).
_SIGNS = dict.fromkeys((
    "=", "<", ">", r"\le", r"\ge", r"\leq", r"\geq", r"\ne", r"\neq", r"\approx", r"\in", r"\notin",
    r"\subset", r"\sim", r"\to", r"\mapsto", r"\ll", r"\gg", r"\propto", r"\mid",
), (1.33, 0.78))
_SIGNS |= dict.fromkeys(("+", "-", r"\pm", r"\times", r"\cdot", r"\circ", r"\oplus", r"\odot"), (1.22, 0.78))
_NAMES = {
    "sin", "cos", "tan", "tanh", "log", "ln", "exp", "max", "min", "det", "arg", "dim", "gcd", "deg", "lim",
    "Re", "Im",
}
_NOTHING = {
    "left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "textstyle", "limits",
}
_WRAPPERS = {
    "mathrm", "operatorname", "text", "mathbf", "mathbb", "boldsymbol", "mathit", "overline", "bar", "hat",
}
_WIDTHS = {
    r"\,": 0.17, r"\:": 0.22, r"\;": 0.28, r"\!": -0.17, r"\ ": 0.25, "~": 0.25,
    r"\quad": 1.0, r"\qquad": 2.0,
    r"\infty": 1.0, r"\sum": 1.06, r"\prod": 0.94, r"\int": 0.6,
    r"\dots": 1.34, r"\ldots": 1.17, r"\cdots": 1.17,
    r"\prime": 0.28, "'": 0.28, ",": 0.45, ";": 0.45, ".": 0.28, ":": 0.84, "/": 0.5,
    "|": 0.28, r"\|": 0.5, r"\lVert": 0.5, r"\rVert": 0.5, r"\lvert": 0.28, r"\rvert": 0.28,
    "(": 0.39, ")": 0.39, "[": 0.28, "]": 0.28,
    "m": 0.88, "w": 0.72, "i": 0.35, "j": 0.41, "l": 0.3, "t": 0.36, "x": 0.57, "d": 0.52,
    "W": 0.94, "M": 0.97, "X": 0.83, "K": 0.85, "Q": 0.79, "N": 0.85, "H": 0.83,
    r"\omega": 0.64, r"\lambda": 0.58,
}
# fmt: on


def width(tex: str) -> float:
    r"""The width of a formula in em of its own font.

    >>> [round(width(tex), 1) for tex in ("p", "d/2", r"\omega_i = b^{-2i/d}", r"\frac{1}{2}")]
    [0.5, 1.5, 4.7, 0.6]
    """
    return _row(iter(_TOKEN.findall(tex)), None)


def _row(tokens: Iterator[str], until: str | None, script: bool = False) -> float:
    """The width up to a closing token; of several lines, that of the widest."""
    total, widest = 0.0, 0.0
    for token in tokens:
        if token == until or token.startswith("\\end"):
            break
        if token == "\\\\":
            widest, total = max(widest, total), 0.0
        elif script and token in _SIGNS:
            total += _SIGNS[token][1]
        else:
            total += _one(token, tokens)
    return max(widest, total)


def _argument(tokens: Iterator[str], script: bool = False) -> float:
    """The width of what a command or a script is applied to."""
    token = next((token for token in tokens if not token.isspace()), "")
    return _row(tokens, "}", script) if token == "{" else _one(token, tokens) if token else 0.0


def _one(token: str, tokens: Iterator[str]) -> float:
    name = token[1:]
    if token == "{":
        return _row(tokens, "}")
    if token in "^_":
        return _SCRIPT * _argument(tokens, script=True) + 0.05
    if token.startswith("\\begin"):
        return _row(tokens, None) + 1.3
    if name in ("frac", "tfrac", "dfrac", "binom"):
        return _SCRIPT * max(_argument(tokens), _argument(tokens)) + 0.24
    if name == "sqrt":
        return _argument(tokens) + 0.83
    if name in _WRAPPERS:
        return _argument(tokens)
    if token in _SIGNS:
        return _SIGNS[token][0]
    if token in _WIDTHS:
        return _WIDTHS[token]
    if name in _NAMES:
        return 0.5 * len(name) + 0.17
    if name in _NOTHING or token.isspace() or token in "}&":
        return 0.0
    return 0.72 if token.isupper() else 0.5
