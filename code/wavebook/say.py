"""Numbers as the book's sentences print them.

Each function but `say` gives a str; a TypeError or ValueError names what it cannot print.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from importlib import import_module

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import check_count, check_flag, check_index, check_real, check_scalar, shown

#: Enough for each digit of a float, and for those that are asked for.
_EXACT = Context(prec=2500)

#: What MyST-NB puts before the type of an output that holds a number for a sentence.
_KIND = "application/papermill.record/"

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def scientific(value: float, digits: int = 1, *, up: bool = False) -> str:
    r"""Write a number as some significant digits times a power of ten; no line ends inside it.

    There are from 1 to 1000 `digits`. Rounded `up` it is what a sentence with "at most" or "within" needs.

    >>> scientific(6.0289e-05, 3)
    '6.03\xa0×\xa010⁻⁵'
    >>> scientific(6.0289e-05, up=True)
    '7\xa0×\xa010⁻⁵'
    >>> scientific(0)
    '0'
    """
    number = check_scalar(value, "value")
    digits, up = check_count(digits, "digits", least=1, most=1000), check_flag(up, "up")
    if number == 0:
        return "0"
    exact = Decimal(number)
    last = Decimal(1).scaleb(exact.adjusted() - digits + 1)  # a unit of the last digit
    text = exact.quantize(last, ROUND_CEILING if up else ROUND_HALF_EVEN, _EXACT)
    mantissa, exponent = f"{text:.{digits - 1}e}".split("e")
    return f"{mantissa}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{str(int(exponent)).translate(_RAISED)}"


def at_most(value: float, places: int = 0) -> str:
    r"""Write a bound from above: a number in decimals, rounded up, so that it is still a bound.

    It is the largest value there is, to be named after "at most", "within" or "no more than", with 0 to 1000
    decimal `places`.

    >>> at_most(0.0708, 2), at_most(1234.5), at_most(0.25, 2)
    ('0.08', '1,235', '0.25')
    """
    return _decimals(value, places, ROUND_CEILING)


def at_least(value: float, places: int = 0) -> str:
    r"""Write a bound from below: a number in decimals, rounded down, so that it is still a bound.

    It is the smallest value there is, to be named after "at least" or "no less than", with 0 to 1000 decimal
    `places`.

    >>> at_least(20.7759, 1), at_least(1234.5), at_least(0.25, 2)
    ('20.7', '1,234', '0.25')
    """
    return _decimals(value, places, ROUND_FLOOR)


def percent(fraction: float) -> str:
    r"""Write a fraction in whole percent, without the sign; a half is rounded up, as a reader does.

    >>> percent(0.785), percent(0.975), percent(1)
    ('79', '98', '100')
    """
    exact = _EXACT.multiply(Decimal(check_scalar(fraction, "fraction")), 100)
    # A mean of counts may be off in its last bits: half a percent is one for that, too.
    near = exact.quantize(Decimal("1e-9"), ROUND_HALF_EVEN, _EXACT)
    return f"{near.quantize(Decimal(1), ROUND_HALF_UP, _EXACT):,}"


def in_a_row(words: Iterable[object]) -> str:
    """Write things, words or whole numbers, one after the other.

    >>> in_a_row([35, 59, 70]), in_a_row(["none"])
    ('35, 59 and 70', 'none')
    """
    wrong = f"words must be one or more words or whole numbers, got {shown(words)}"
    if getattr(words, "ndim", 1) != 1 or isinstance(words, str | bytes) or not isinstance(words, Iterable):
        raise TypeError(wrong)
    given = list(words)
    if not all(isinstance(word, str | int | np.integer) for word in given):
        raise TypeError(wrong)
    if not given:
        raise ValueError(wrong)
    *first, last = map(str, given)
    return f"{', '.join(first)} and {last}" if first else last


def _decimals(value: float, places: int, rounding: str) -> str:
    unit = Decimal(1).scaleb(-check_count(places, "places", least=0, most=1000))
    return f"{Decimal(check_scalar(value, 'value')).quantize(unit, rounding, _EXACT):,}"


def below(residues: ArrayLike, exponent: int) -> str:
    r"""Write the power of ten that what rounding leaves stays below, once it is seen to stay below it.

    What it leaves hangs on the processor, so it is nothing to be printed; a bound with room above it is. The
    `residues` are real numbers of any shape, with their signs or without, the `exponent` from -300 to 300. A
    sentence names the power after "below" or "less than".

    >>> below([2e-15, -3e-16], -14)
    '10⁻¹⁴'
    >>> below(0.1 + 0.2 - 0.3, -17)
    Traceback (most recent call last):
        ...
    ValueError: residues must be below 1e-17 in size, got 5.551115123125783e-17
    """
    power = check_index(exponent, f"exponent must be an integer from -300 to 300, got {shown(exponent)}")
    if not -300 <= power <= 300:
        raise ValueError(f"exponent must be an integer from -300 to 300, got {shown(exponent)}")
    largest = float(np.abs(check_real(residues, "residues")).max(initial=0.0))
    if not largest < 10.0**power:
        raise ValueError(f"residues must be below 1e{power} in size, got {largest}")
    return f"10{str(power).translate(_RAISED)}"


def say(texts: Mapping[str, object] | None = None, /, **named: object) -> None:
    """Hand numbers to the sentences of a chapter: each value is glued, as its text, under its name.

    Of `texts` the names are as a sentence has them in its ``{glue:text}`` role; of those that are `named`, an
    underscore stands for a hyphen.

    Only this function needs IPython, which every notebook has. A notebook shows nothing of what is handed
    over; it is in the form in which MyST-NB, which builds the book, looks for it.

    >>> from wavebook.say import say
    >>> say({"share-512": "17 %"}, turns_50=f"{50 / 6.283:.2f}")
    """
    given: object = {} if texts is None else texts
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise TypeError(f"texts must be a mapping of names, which are str, to values, got {shown(texts)}")
    for name, value in (
        dict(texts or {}) | {key.replace("_", "-"): value for key, value in named.items()}
    ).items():
        _glue(name, str(value))


def _glue(name: str, text: str) -> None:
    """Do what `glue` of MyST-NB does with a text that is not to be displayed."""
    data = {f"{_KIND}text/plain": repr(text)}
    display = import_module("IPython.display")  # here, because the core needs NumPy alone
    display.publish_display_data(data, {"scrapbook": {"name": name, "mime_prefix": _KIND}})
