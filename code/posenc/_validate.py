"""Checks of arguments: each returns the value in the type that the package computes with, or names what is wrong."""

from __future__ import annotations

import math
import operator
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float = NDArray[np.float64]


def check_d_model(d_model: int) -> int:
    """Return ``d_model`` as an int, or raise if it is not an even integer >= 2."""
    try:
        width = operator.index(d_model)
    except TypeError:
        raise TypeError(f"d_model must be an even integer >= 2, got {d_model!r}") from None
    if isinstance(d_model, (bool, np.bool_)):
        raise TypeError(f"d_model must be an even integer >= 2, got {d_model!r}")
    if width < 2 or width % 2:
        raise ValueError(f"d_model must be an even integer >= 2, got {d_model!r}")
    return width


def check_base(base: float) -> float:
    """Return ``base`` as a float, or raise if it is not a finite real number > 1."""
    if isinstance(base, (bool, np.bool_)) or not isinstance(base, Real):
        raise TypeError(f"base must be a finite real number > 1, got {base!r}")
    value = float(base)
    if not (math.isfinite(value) and value > 1):
        raise ValueError(f"base must be a finite real number > 1, got {base!r}")
    return value


def check_count(count: int, name: str, least: int) -> int:
    """Return ``count`` as an int, or raise naming ``name`` if it is not an integer from ``least`` to 2**53."""
    allowed = f"{name} must be an integer from {least} to 2**53"
    try:
        value = operator.index(count)
    except TypeError:
        raise TypeError(f"{allowed}, got {count!r}") from None
    if isinstance(count, (bool, np.bool_)):
        raise TypeError(f"{allowed}, got {count!r}")
    if not least <= value <= 2**53:
        raise ValueError(f"{allowed}, got {count!r}")
    return value


def check_real(values: ArrayLike, name: str) -> Float:
    """Return ``values`` as a float64 array, or raise naming ``name`` if one is not a finite real number."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype} from {values!r}")
    if array.dtype.kind in "iu" and array.size and max(abs(int(array.max())), abs(int(array.min()))) > 2**53:
        raise ValueError(f"{name} must be at most 2**53 in size to be exact in float64, got {values!r}")
    array = array.astype(np.float64)
    finite = np.isfinite(array)
    if not finite.all():
        raise ValueError(f"{name} must be finite, got {array[~finite].flat[0]}")
    return array
