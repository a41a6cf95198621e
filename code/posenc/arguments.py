"""Checks of arguments: each returns its value in the type that the package computes with, or raises."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable
from importlib import import_module
from numbers import Real
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "MAX_D_MODEL",
    "MAX_ENTRIES",
    "MAX_PRODUCTS",
    "Float",
    "Result",
    "as_array",
    "check_angles",
    "check_base",
    "check_choice",
    "check_count",
    "check_d_model",
    "check_entries",
    "check_flag",
    "check_index",
    "check_positive",
    "check_products",
    "check_real",
    "check_result",
    "check_rng",
    "check_scalar",
    "needed",
    "shown",
]

Float = NDArray[np.float64]
Result = TypeVar("Result", float, NDArray[np.float64])

#: The largest d_model that is accepted: 128 MiB for one encoding, a thousand times the widest models in use.
MAX_D_MODEL = 2**24
#: The most numbers that a function makes at once: 8 GiB in float64.
MAX_ENTRIES = 2**30
#: The most products that a search makes before it is refused, minutes on one core.
MAX_PRODUCTS = 2**40


def shown(value: object) -> str:
    """``value`` as a message shows it: short, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # an integer of too many digits, or an object that cannot be shown
        return f"an object of type {type(value).__name__}"
    return text if len(text) <= 500 else f"{text[:480]}..."


def as_array(values: object, name: str, what: str = "real numbers") -> NDArray[Any]:
    """``values`` as an array of NumPy, or raise by ``name``: a tensor may have gradients, and be in bfloat16.

    Masked arrays are refused, since a mask would be lost, and so are ragged lists.
    """
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(
            f"{name} must be {what} without a mask (give .filled(), or .data), got a masked array"
        )
    detach = getattr(values, "detach", None)
    try:
        if callable(detach):  # a tensor of PyTorch, which NumPy takes neither with gradients nor in bfloat16
            tensor = detach().cpu()
            values = tensor.double() if "float" in str(tensor.dtype) else tensor
        array = np.asarray(values)
    except ValueError:
        raise ValueError(f"{name} must be {what} in rows of one length, got {shown(values)}") from None
    except Exception as error:
        raise TypeError(
            f"{name} must be {what}, got {shown(values)} ({type(error).__name__}: {error})"
        ) from None
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            f"{name} must be {what} without a mask (give .filled(), or .data), got a masked array"
        )
    if array.dtype.name.startswith(("bfloat16", "float8")):  # NumPy has these from elsewhere
        array = array.astype(np.float64)
    return array


def check_d_model(d_model: int) -> int:
    """Return ``d_model`` as an int, or raise if it is not an even integer from 2 to 2**24."""
    wrong = f"d_model must be an even integer >= 2, got {shown(d_model)}"
    size = check_index(d_model, wrong)
    if size < 2 or size % 2:
        raise ValueError(wrong)
    if size > MAX_D_MODEL:
        raise ValueError(f"d_model must be at most 2**24, got {shown(d_model)}")
    return size


def check_index(value: Any, wrong: str) -> int:
    """Return ``value`` as an int, if it is one, or an array of no axes with one; or raise what is wrong."""
    if isinstance(value, (bool, np.bool_, np.ma.MaskedArray)) or str(getattr(value, "dtype", "")).endswith(
        "bool"
    ):
        raise TypeError(wrong)
    try:
        if getattr(value, "ndim", 0):  # one number in an axis of its own is a list of one
            raise TypeError
        return operator.index(value)
    except Exception:
        raise TypeError(wrong) from None


def check_base(base: float) -> float:
    """Return ``base`` as a float, or raise if it is not a finite real number > 1."""
    wrong = f"base must be a finite real number > 1, got {shown(base)}"
    value = _float(base, wrong)
    if not (math.isfinite(value) and value > 1):
        raise ValueError(wrong)
    return value


def _float(value: Any, wrong: str) -> float:
    """``value`` as a float, if it is a real number of whatever type, or an array or tensor of no axes."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(wrong)
    if not isinstance(value, Real):
        try:
            array = as_array(value, "")
        except (TypeError, ValueError):
            raise TypeError(wrong) from None
        if array.ndim or array.dtype.kind not in "iuf":
            raise TypeError(wrong)
        value = array[()]
    try:
        return float(value)
    except OverflowError:
        raise ValueError(wrong) from None


def check_count(count: int, name: str, least: int, most: int = 2**53) -> int:
    """Return ``count`` as an int, or raise, by ``name``, if it is not one from ``least`` to ``most``."""
    limit = "2**53" if most == 2**53 else f"{most:,}"
    wrong = f"{name} must be an integer from {least} to {limit}, got {shown(count)}"
    value = check_index(count, wrong)
    if not least <= value <= most:
        raise ValueError(wrong)
    return value


def check_entries(count: int, names: str) -> None:
    """Raise, by ``names``, if so many numbers do not fit into the memory of most machines."""
    if count > MAX_ENTRIES:
        raise ValueError(f"{names} must ask for at most 2**30 numbers at once (8 GiB), got {count:,}")


def check_products(count: int, names: str) -> None:
    """Raise, by ``names``, if so many products would take hours."""
    if count > MAX_PRODUCTS:
        raise ValueError(f"{names} must ask for at most 2**40 products (minutes), got {count:,}")


def check_real(values: ArrayLike, name: str, *, finite: bool = True) -> Float:
    """Return ``values`` as a float64 array, or raise naming ``name`` if one is not a (finite) real number."""
    array = as_array(values, name)
    if array.dtype.kind == "O" and array.size and all(type(one) is int for one in array.flat):
        raise ValueError(_inexact(name, values))
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype} from {shown(values)}")
    if array.dtype.kind in "iu" and array.size and max(abs(int(array.max())), abs(int(array.min()))) > 2**53:
        raise ValueError(_inexact(name, values))
    with np.errstate(over="ignore"):  # a longdouble may be too large
        array = array.astype(np.float64)
    fine = np.isfinite(array)
    if finite and not fine.all():
        raise ValueError(f"{name} must be finite, got {array[~fine].flat[0]}")
    return array


def _inexact(name: str, values: object) -> str:
    """Why whole numbers beyond 2**53 are refused, while floats of that size are what they are."""
    return (
        f"{name} must be at most 2**53 in size to be exact in float64, where larger whole numbers are "
        f"rounded (give floats if that is right), got {shown(values)}"
    )


def check_scalar(value: float, name: str) -> float:
    """Return ``value`` as a float, or raise naming ``name`` if it is not one finite real number."""
    if type(value) in (float, int) and abs(value) <= 2**53:  # as most are: an array would take longer
        return float(value)
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
    flag = isinstance(value, (bool, np.bool_))
    simple = flag or isinstance(value, (str, int, float, np.number))
    # True is not 1 here, nor 1 True.
    if not simple or not any(flag == isinstance(one, (bool, np.bool_)) and one == value for one in allowed):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {shown(value)}")


def check_flag(value: object, name: str) -> bool:
    """Return ``value`` as a bool, or raise, by ``name``, if it is not True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def check_rng(rng: int | np.random.Generator) -> np.random.Generator:
    """Return ``rng``, or the generator for that seed, or raise if it is neither."""
    if isinstance(rng, np.random.Generator):
        return rng
    wrong = f"rng must be an integer from 0 to 2**128, or a numpy.random.Generator, got {shown(rng)}"
    seed = check_index(rng, wrong)
    if not 0 <= seed <= 2**128:
        raise ValueError(wrong)
    return np.random.default_rng(seed)


def check_angles(values: Float, omega: Float, name: str) -> None:
    """Raise, by ``name``, if an angle, a value times a frequency, is too large for a float."""
    if not values.size or not omega.size:
        return
    farthest, fastest = float(np.abs(values).max()), float(np.abs(omega).max())
    if math.isinf(farthest * fastest):
        raise ValueError(
            f"{name} times omega must be a finite angle, got {name} up to {farthest:g} "
            f"and omega up to {fastest:g}"
        )


def check_result(result: Result, names: str) -> Result:
    """Return ``result``, or raise, by the ``names`` of the arguments, if it is too large for a float."""
    if not np.isfinite(result).all():
        raise ValueError(f"{names} must be small enough for a finite result in float64, got a larger one")
    return result


def needed(module: str, extra: str, function: str) -> ModuleType:
    """Import what only a few functions need, or say what to install."""
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(
            f"{function} needs {module.partition('.')[0]}: install posenc with the extra '{extra}', "
            f"as in `pip install 'posenc[{extra}]'`",
            name=module,
        ) from None
