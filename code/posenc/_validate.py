"""Checks of arguments: each returns its value in the type that the package computes with, or raises."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike, NDArray

Float = NDArray[np.float64]

#: The largest d_model that is accepted: 128 MiB for one encoding, a thousand times the widest models in use.
MAX_D_MODEL = 2**24


def check_d_model(d_model: int) -> int:
    """Return ``d_model`` as an int, or raise if it is not an even integer from 2 to 2**24."""
    wrong = f"d_model must be an even integer >= 2, got {d_model!r}"
    if isinstance(d_model, (bool, np.bool_)):
        raise TypeError(wrong)
    try:
        size = operator.index(d_model)
    except TypeError:
        raise TypeError(wrong) from None
    if size < 2 or size % 2:
        raise ValueError(wrong)
    if size > MAX_D_MODEL:
        raise ValueError(f"d_model must be at most 2**24, got {d_model!r}")
    return size


def check_base(base: float) -> float:
    """Return ``base`` as a float, or raise if it is not a finite real number > 1."""
    wrong = f"base must be a finite real number > 1, got {base!r}"
    if isinstance(base, (bool, np.bool_)) or not isinstance(base, Real):
        raise TypeError(wrong)
    try:
        value = float(base)
    except OverflowError:
        raise ValueError(wrong) from None
    if not (math.isfinite(value) and value > 1):
        raise ValueError(wrong)
    return value


def check_count(count: int, name: str, least: int) -> int:
    """Return ``count`` as an int, or raise, by ``name``, if it is not an integer from ``least`` to 2**53."""
    wrong = f"{name} must be an integer from {least} to 2**53, got {count!r}"
    if isinstance(count, (bool, np.bool_)):
        raise TypeError(wrong)
    try:
        value = operator.index(count)
    except TypeError:
        raise TypeError(wrong) from None
    if not least <= value <= 2**53:
        raise ValueError(wrong)
    return value


def check_real(values: ArrayLike, name: str, *, finite: bool = True) -> Float:
    """Return ``values`` as a float64 array, or raise naming ``name`` if one is not a (finite) real number."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype} from {values!r}")
    if array.dtype.kind in "iu" and array.size and max(abs(int(array.max())), abs(int(array.min()))) > 2**53:
        raise ValueError(f"{name} must be at most 2**53 in size to be exact in float64, got {values!r}")
    array = array.astype(np.float64)
    fine = np.isfinite(array)
    if finite and not fine.all():
        raise ValueError(f"{name} must be finite, got {array[~fine].flat[0]}")
    return array


def check_scalar(value: float, name: str) -> float:
    """Return ``value`` as a float, or raise naming ``name`` if it is not one finite real number."""
    number = check_real(value, name)
    if number.ndim:
        raise ValueError(f"{name} must be a single number, got an array of shape {number.shape}")
    return float(number)


def check_positive(value: float, name: str) -> float:
    """Return ``value`` as a float, or raise naming ``name`` if it is not one finite real number > 0."""
    number = check_scalar(value, name)
    if number <= 0:
        raise ValueError(f"{name} must be one finite number > 0, got {number!r}")
    return number


def check_choice(value: object, name: str, allowed: Iterable[object]) -> None:
    """Raise, by ``name``, if ``value`` is not one of those ``allowed``."""
    allowed = tuple(allowed)
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")
