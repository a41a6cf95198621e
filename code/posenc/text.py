"""Numbers as the book's sentences print them."""

from __future__ import annotations

from collections.abc import Mapping

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float, digits: int = 1) -> str:
    r"""Write a number as some significant digits times a power of ten; no line ends inside it.

    Parameters
    ----------
    value : float
        The number, usually one too small or too large to be read otherwise.
    digits : int
        How many significant digits, >= 1.

    Returns
    -------
    str

    Examples
    --------
    >>> scientific(6.0289e-05, 3)
    '6.03\xa0×\xa010⁻⁵'
    >>> scientific(0)
    '0'
    """
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(int(exponent)).translate(_RAISED)}"


def say(texts: Mapping[str, object] | None = None, /, **named: object) -> None:
    """Hand numbers to the sentences of a chapter: each value is glued, as its text, under its name.

    Parameters
    ----------
    texts : mapping of str to object, optional
        Names, as a sentence has them in its ``{glue:text}`` role, and values.
    **named
        The same; an underscore stands for a hyphen.

    Notes
    -----
    Only this function needs MyST-NB, which builds the book.

    Examples
    --------
    >>> from posenc import text
    >>> text.say({"share-512": "17 %"}, turns_50=f"{50 / 6.283:.2f}")
    """
    from myst_nb import glue  # here, because the package must not need what builds the book

    for name, value in (
        dict(texts or {}) | {key.replace("_", "-"): value for key, value in named.items()}
    ).items():
        glue(name, str(value), display=False)
