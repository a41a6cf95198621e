"""Numbers as they come in: checked, and with the error that their type allows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float, as_array, shown
from posenc.precision import SIGNIFICANT_BITS, FloatType, rounded
from posread.rebuild import CUT

#: So many entries of a sample tell its type.
MANY = 50_000
#: Of no fewer rows some may have another type than most, which are so large a part of them.
FEW, MOST = 16, 0.8
#: So many entries of a large table tell what all of it may be.
ENOUGH = 2**18
#: Entries beyond are no encoding, and their squares may overflow.
LARGEST = 1e100
#: A relative difference that arithmetic in float32 leaves behind.
SINGLE = 2.0**-24
#: That which an angle in float64 has, with its frequency.
DOUBLE = 2.0**-49
#: Types that are tried, the narrowest first; float64 holds the rest.
NARROWEST: tuple[FloatType, ...] = ("bfloat16", "float16", "float32")


def numbers_of(values: ArrayLike, name: str) -> NDArray[Any]:
    """Real or complex numbers as an array of any type, not copied; or an error that names the argument."""
    array = as_array(values, name)
    if array.dtype.kind not in "iufc":
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype} from {shown(values)}")
    return array


def check_finite(array: NDArray[Any], name: str) -> None:
    """Raise, naming the argument, if an entry is not finite, or its square may not be.

    A block at a time, since tables are large.
    """
    step = max(1, 2**20 * len(array) // max(array.size, 1))
    for start in range(0, len(array), step):
        block = array[start : start + step]
        fine = np.isfinite(block)
        if not fine.all():
            raise ValueError(f"{name} must be finite, got {block[~fine].flat[0]}")
        ends = map(float, (block.real.max(), block.real.min(), block.imag.max()) if block.size else ())
        if max(map(abs, ends), default=0.0) > LARGEST:
            raise ValueError(f"{name} must be at most {LARGEST:g}, got {block.flat[np.abs(block).argmax()]}")


class Numbers(NamedTuple):
    """The narrowest type that holds some entries, and by how much it rounds them at most."""

    name: str
    error: float


def number_type(sample: Float, scale: float = 1.0) -> Numbers:
    """The narrowest type that holds a sample of entries, if these were divided by `scale` first."""
    values = sample.ravel()
    if values.size > MANY:  # as many, evenly over the sample, by a stride that meets all columns
        values = values[:: values.size // MANY | 1]
    values = values / scale
    top = float(np.abs(values).max(initial=0.0))
    distinct = np.unique(values)
    usual = 1e-30 < top < 2.0**24 and distinct.size >= 8
    if usual and (np.frexp(np.abs(distinct))[0] % 0.5).any():  # and no powers of two alone
        few = _digits(distinct) or decimals(distinct)
        few = few or (_eight_bits(distinct, top, values.size) if values.size >= 64 else None)
        if few is not None:
            return Numbers(few.name, few.error * scale)
    exact = 0.0 if scale == 1 else 4 * SINGLE
    for kind in NARROWEST:
        held = rounded(values, kind)
        if (np.abs(held - values) <= exact * np.abs(values)).all():
            return Numbers(kind, scale * max(top, 1e-300) * 2.0 ** -SIGNIFICANT_BITS[kind])
    return Numbers("float64", scale * top * 2.0**-53)


def is_fine(name: str) -> bool:
    """Whether a type has bits, of which small entries have as many as large ones, and not a few digits."""
    return "float" in name


def thinned(rows: Float) -> Float:
    """The rows, or of a large table as many, evenly, as tell what all of it may be."""
    return rows[:: 1 + rows.size // ENOUGH]


def type_of_most(rows: Float) -> Numbers:
    """The narrowest type that holds most rows: a few may have been spoilt after all were rounded."""
    numbers = number_type(rows)
    if numbers.name not in ("float32", "float64") or len(rows) < FEW:
        return numbers
    few = thinned(rows)
    if len(few) < len(rows) and not any(which.mean() > MOST / 2 for which in _held(few)):
        return numbers
    return next((number_type(rows[which]) for which in _held(rows) if MOST < which.mean() < 1), numbers)


def _held(rows: Float) -> Iterator[NDArray[np.bool_]]:
    """The rows that a type holds, or so many decimals, for each of some; a few rows at a time."""
    step = max(1, MANY // rows.shape[1])
    blocks = [rows[start : start + step] for start in range(0, len(rows), step)]
    for kind in NARROWEST:
        yield np.concatenate([(rounded(block, kind) == block).all(axis=1) for block in blocks])
    for unit in (10.0**digits for digits in (2, 3, 4, 5, 6)):
        off = [np.abs(np.rint(block * unit) - block * unit).max(axis=1) for block in blocks]
        yield np.concatenate(off) < 1e-6


def short(value: float, allowed: float) -> float:
    """The shortest number, of up to four digits, that is as near as is allowed; or the number itself."""
    tries = (float(f"{value:.{digits}g}") for digits in range(1, 5))
    return next((near for near in tries if abs(near - value) <= allowed * abs(value)), value)


def rounded_up(value: float) -> float:
    """Two digits that are no less."""
    digits = 1 - math.floor(math.log10(value))
    return math.ceil(value * 10.0**digits) / 10.0**digits


def decimals(distinct: Float) -> Numbers | None:
    """Numbers that are all whole, or between two that are, or were printed with so many decimals."""
    if (np.abs(np.abs(distinct[distinct != 0]) % 1 - 0.5) < 1e-9).all():
        return Numbers(f"integers{CUT}", 0.5)
    for digits in range(1, 9):
        if _are_whole(distinct * 10**digits, 1e-4 * 10 ** max(digits - 6, 0)):
            whole = _are_whole(distinct, 1e-9)
            return Numbers("integers", 0.5) if whole else Numbers(f"{digits} decimals", 0.5 * 10.0**-digits)
    return None


def _digits(distinct: Float) -> Numbers | None:
    """Numbers that were printed with so many digits, of which small ones have more decimals than these."""
    sizes = np.abs(distinct[distinct != 0])
    if sizes.max() > 1 or sizes.min() >= 0.1:
        return None
    powers = np.floor(np.log10(sizes))
    for digits in range(4, 7):  # less is a change that is to be told
        if _are_whole(sizes * 10.0 ** (digits - 1 - powers), 1e-4):
            plain = _are_whole(sizes * 10.0**digits, 1e-4)
            return None if plain else Numbers(f"{digits} digits", 0.5 * 10.0**-digits)
    return None


def _are_whole(values: Float, within: float) -> bool:
    return bool((np.abs(np.rint(values) - values) < within).all())


def _eight_bits(distinct: Float, top: float, count: int) -> Numbers | None:
    """Numbers that are multiples of a step, no more of which than eight bits tell apart."""
    for steps in (127, 128, 127.5):
        if top <= 1.01 and _are_whole(distinct * steps, 1e-3):
            return Numbers("8 bits", 0.5 / steps)
    if distinct.size > 256 or count <= 4 * distinct.size:
        return None
    step = float(np.diff(distinct).min())
    even = step > 2.0**-9 * top and _are_whole(distinct / step, 0.02)
    return Numbers("8 bits", 0.5 * step) if even else None
