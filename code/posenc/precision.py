"""Numbers as narrower types hold them, for machines whose NumPy has no bfloat16."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posenc.encoding import Float, check_real

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
