"""Numbers as narrower types hold them, for machines whose NumPy has no bfloat16."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from posenc._validate import Float, check_real

#: Differences of numbers near 1 that are no larger than this count as rounding.
ROUNDING = 1e-12

#: Bits of the significand, the leading one included, of the types that models compute in.
SIGNIFICANT_BITS = {"float32": 24, "float16": 11, "bfloat16": 8}


def rounded(values: ArrayLike, dtype: str) -> Float:
    """The nearest numbers that a type holds, ties to even, kept in float64.

    Parameters
    ----------
    values : real numbers of any shape, at most 65504 in size for float16
    dtype : "float32", "float16" or "bfloat16"

    Returns
    -------
    array of the same shape

    Raises
    ------
    TypeError, ValueError
        If a value is not a finite real number or too large for the type, or the type is another.

    Introduced in the chapter "Inside the Transformer".

    >>> rounded([256, 257, 258, 0.1], "bfloat16").tolist()
    [256.0, 256.0, 258.0, 0.10009765625]
    """
    values = check_real(values, "values")
    if dtype not in SIGNIFICANT_BITS:
        raise ValueError(f"dtype must be one of {', '.join(SIGNIFICANT_BITS)}, got {dtype!r}")
    if dtype == "bfloat16":
        # A bfloat16 is the upper half of a float32. Float64 holds both exactly, so one rounding to 8 bits is enough.
        fraction, exponent = np.frexp(values)
        result = np.ldexp(np.rint(fraction * 2**8), exponent - 8)
        largest = float(2.0**128 - 2.0**120)
    else:
        with np.errstate(over="ignore"):
            result = values.astype(dtype).astype(np.float64)
        largest = float(np.finfo(dtype).max)
    if (np.abs(result) > largest).any():
        raise ValueError(
            f"values must be at most {largest:g} in size to be held in {dtype}, got {np.abs(values).max():g}"
        )
    return result


def round_to_bfloat16(values: ArrayLike) -> Float:
    """The values a bfloat16 number can take that are nearest to ``values``, ties to even; as float64.

    A bfloat16 is the upper half of a float32: 8 significant bits, the exponents of a float32.

    Parameters
    ----------
    values : real numbers of any shape, below 3e38 in size

    Returns
    -------
    array of the same shape

    Raises
    ------
    TypeError, ValueError
        If a value is not a finite real number, or is too large for the type.

    Introduced in the chapter "Uniqueness and interpolation". Source: Kalamkar et al. (2019), https://arxiv.org/abs/1905.12322.

    >>> round_to_bfloat16([1, 256, 257, 259, 0.1])
    array([1.00000000e+00, 2.56000000e+02, 2.56000000e+02, 2.60000000e+02,
           1.00097656e-01])
    """
    values = check_real(values, "values")
    mantissa, exponent = np.frexp(values)  # values = mantissa * 2**exponent, 1/2 <= |mantissa| < 1
    digits = np.minimum(8, exponent + 133)  # below 2**-126 digits are lost one by one, the last at 2**-133
    rounded = np.ldexp(np.rint(np.ldexp(mantissa, digits)), exponent - digits)
    if (abs(rounded) >= 2.0**128).any():
        raise ValueError(
            f"values must be below 3.39e38 in size to round to bfloat16, got {values[abs(rounded) >= 2.0**128].flat[0]}"
        )
    return rounded[()]


def frequency_errors(d_model: int = 512, base: float = 10_000.0) -> dict[tuple[str, str], Float]:
    """Errors of omega_i in units in the last place, by form ("power", "exponential") and type ("float32", "float64").

    The true values come from mpmath with 40 digits. Introduced in the chapter "Wavelengths in geometric progression".

    >>> bool(frequency_errors(16)["power", "float64"].max() < 4)
    True
    """
    import mpmath  # here, because `import posenc` must not need more than NumPy

    with mpmath.workdps(40):
        exact = [mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / d_model) for i in range(d_model // 2)]
    errors = {}
    for kind in (np.float32, np.float64):
        even = np.arange(0, d_model, 2, dtype=kind)
        forms = {
            "power": kind(base) ** -(even / kind(d_model)),
            "exponential": np.exp(even * kind(-math.log(base) / d_model)),
        }
        for form, omega in forms.items():
            assert omega.dtype == kind
            units = np.spacing(np.array(exact, dtype=kind)).tolist()
            with mpmath.workdps(40):
                errors[form, kind.__name__] = np.array(
                    [float(abs(mpmath.mpf(float(w)) - e) / u) for w, e, u in zip(omega, exact, units)]
                )
    return errors
