"""Numbers as narrower types hold them, and what rounding does to frequencies and encodings."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import (
    Float,
    check_angles,
    check_base,
    check_choice,
    check_count,
    check_d_model,
    check_entries,
    check_real,
    needed,
)
from posenc.encoding import BASE, frequencies

#: Differences of numbers near 1 that are no larger than this count as rounding.
ROUNDING = 1e-12

FloatType = Literal["float32", "float16", "bfloat16"]


class _Format(NamedTuple):
    """A binary floating-point format of IEEE 754, or one made like those."""

    bits: int  #: of the significand, the leading one included
    lowest: int  #: exponent of the smallest normal number; below it digits are lost one by one
    highest: int  #: exponent of the largest numbers


# A bfloat16 is the upper half of a float32: its exponents, and 8 bits.
_FORMATS: dict[FloatType, _Format] = {
    "bfloat16": _Format(8, -126, 127),
    "float16": _Format(11, -14, 15),
    "float32": _Format(24, -126, 127),
}

#: Bits of the significand, the leading one included, of the types that models compute in, narrow first.
SIGNIFICANT_BITS = {name: form.bits for name, form in _FORMATS.items()}


def rounded(values: ArrayLike, dtype: FloatType) -> Float:
    """The nearest numbers that a type holds, kept in float64.

    Of two numbers that are equally near the one whose last bit is 0 is taken (halves to even). Subnormal
    numbers are kept, as the types define them. What is too large becomes infinite, and NaN and infinities
    stay what they are.

    Parameters
    ----------
    values : array_like
        Real numbers of any shape, NaN and infinities among them.
    dtype : {"float32", "float16", "bfloat16"}
        The type to round to.

    Returns
    -------
    ndarray
        The same shape; a scalar for a scalar.

    Raises
    ------
    TypeError, ValueError
        If `values` are not real numbers, or the type is another.

    References
    ----------
    IEEE 754-2019, section 4.3.1; bfloat16: Kalamkar et al. (2019), https://arxiv.org/abs/1905.12322.

    Examples
    --------
    >>> rounded([256, 257, 258, 0.1], "bfloat16").tolist()
    [256.0, 256.0, 258.0, 0.10009765625]
    >>> rounded([1e-45, 1e-40, 65519, 65520], "float16").tolist()
    [0.0, 0.0, 65504.0, inf]
    """
    values = check_real(values, "values", finite=False)
    check_choice(dtype, "dtype", _FORMATS)
    form = _FORMATS[dtype]
    _, exponent = np.frexp(values)  # 2**(exponent - 1) <= |value| < 2**exponent
    last = np.maximum(exponent - 1, form.lowest) - (form.bits - 1)  # exponent of the last bit that is kept
    with np.errstate(over="ignore"):
        result = np.ldexp(np.rint(np.ldexp(values, -last)), last)
    largest = math.ldexp(2 - math.ldexp(1, 1 - form.bits), form.highest)
    infinite: Float = np.where(np.abs(result) > largest, np.copysign(np.inf, result), result)[()]
    return infinite


def narrow_encoding(positions: ArrayLike, d_model: int, base: float = BASE, *, dtype: FloatType) -> Float:
    r"""The encoding as a program gets it that computes in a narrow type: rounded after every step.

    Positions, frequencies, their products and the sines and cosines of these are rounded in turn;
    the sine and cosine themselves are taken exactly.

    Parameters
    ----------
    positions : array_like
        Real numbers of any shape.
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1.
    dtype : {"float32", "float16", "bfloat16"}
        The type of the program.

    Returns
    -------
    ndarray
        Shape (\*positions.shape, d_model).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> narrow_encoding(257, 2, dtype="bfloat16")  # 257 becomes 256
    array([-1.        , -0.03979492])
    """
    places = np.asarray(rounded(check_real(positions, "positions"), dtype))
    omega = rounded(frequencies(d_model, base), dtype)
    check_entries(2 * places.size * omega.size, "positions and d_model")
    if not np.isfinite(places).all():
        raise ValueError(
            f"positions must be finite in {dtype}, got {np.abs(check_real(positions, 'positions')).max():g}"
        )
    check_angles(places, omega, "positions")
    angles = rounded(np.multiply.outer(places, omega), dtype)
    if not np.isfinite(angles).all():
        raise ValueError(
            f"positions times omega must be finite in {dtype}, got positions up to {np.abs(places).max():g}"
        )
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (..., d_model/2, 2)
    return rounded(pairs.reshape(*np.shape(places), 2 * omega.size), dtype)


def frequency_errors(d_model: int = 512, base: float = BASE) -> dict[tuple[str, str], Float]:
    """Errors of computed frequencies, in units in the last place.

    The two usual formulas are ``base ** -(2i / d)`` ("power") and ``exp(2i * (-log(base) / d))``
    ("exponential"). Each step of theirs is rounded correctly, power, exponential and logarithm too. A library
    whose functions are not adds errors of its own, other ones on other processors.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**16.
    base : float
        Finite, > 1.

    Returns
    -------
    dict of (str, str) to ndarray
        By formula and type ("float32", "float64"); each of shape (d_model/2,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Notes
    -----
    Powers, exponentials and true values come from mpmath, which `pip install posenc[proofs]` installs.

    Examples
    --------
    >>> bool(frequency_errors(16)["power", "float64"].max() < 4)
    True
    """
    base, d_model = check_base(base), check_d_model(d_model)
    pairs = check_count(d_model, "d_model", least=2, most=2**16) // 2
    if base > float(np.finfo(np.float32).max):
        raise ValueError(f"base must be at most 3.4e38, the largest float32, got {base:g}")
    mpmath = needed("mpmath", "proofs", "frequency_errors")
    with mpmath.workdps(40):
        exact = [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model) for i in range(pairs)]
        log_base = float(mpmath.log(base))
    errors = {}
    for kind in (np.float32, np.float64):
        even: NDArray[Any] = np.arange(0, d_model, 2, dtype=kind)
        exponents, arguments = -(even / kind(d_model)), even * kind(-log_base / d_model)
        with mpmath.workprec(np.finfo(kind).nmant + 1):  # the bits of the type: mpmath rounds correctly
            forms = {
                "power": [mpmath.power(float(kind(base)), q) for q in exponents.tolist()],
                "exponential": [mpmath.exp(argument) for argument in arguments.tolist()],
            }
        units = np.spacing(np.array(exact, dtype=kind)).tolist()
        for form, omega in forms.items():
            with mpmath.workdps(40):
                errors[form, kind.__name__] = np.array(
                    [float(abs(w - e) / u) for w, e, u in zip(omega, exact, units, strict=True)]
                )
    return errors
