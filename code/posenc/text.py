"""Numbers as the book's sentences print them."""

from __future__ import annotations

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float, digits: int = 1) -> str:
    r"""A number as ``digits`` significant digits times a power of ten; no line ends inside it.

    Used by all chapters for numbers too small or too large to be read otherwise.

    >>> scientific(6.0289e-05, 3)
    '6.03\xa0×\xa010⁻⁵'
    >>> scientific(0)
    '0'
    """
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(int(exponent)).translate(_RAISED)}"
