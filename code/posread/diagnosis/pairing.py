"""A sample of rows, read: the simplest layout of pairs that explains most of them, and where each row is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.precision import SIGNIFICANT_BITS, FloatType
from posread.diagnosis.axes import AxisFit, read_axis
from posread.diagnosis.entries import SINGLE, Numbers, number_type
from posread.diagnosis.layouts import STRAY, Columns, Fit, candidates, fit, unequal
from posread.diagnosis.phases import Index, tolerance

#: How often the middle of entries that were moved is found anew, at most.
CENTERED = 6


class Read(NamedTuple):
    """A sample of rows as it was read."""

    fit: Fit
    axes: tuple[AxisFit, ...]
    groups: tuple[Index, ...]  # pairs of each axis
    numbers: Numbers
    shift: float


def read_pairs(values: Float, rows: Index) -> Read | None:
    """The simplest reading that explains most rows: as it is, moved to its middle, with rows in any order."""
    found = explained(values, rows)
    if found is not None:
        return found
    low, high = float(values.min()), float(values.max())
    if high > low and abs(high + low) > 0.1 * (high - low):
        middle = (high + low) / 2
        middle = round(middle, 3) if abs(round(middle, 3) - middle) < 1e-3 * (high - low) else middle
        found = explained(values - middle, rows, middle)
        for _ in range(CENTERED):
            if found is None or _bad(found) <= SINGLE:
                break
            moved = _middle(found, values)
            better = explained(values - moved, rows, moved)
            if better is None or _bad(better) >= _bad(found):
                break
            found = better
    return (
        found or explained(values, rows, layouts=unequal(values)) or explained(values, rows, any_order=True)
    )


def rescaled(read: Read, values: Float) -> Read:
    """The same, with the error of half precision if entries were rounded to it first and scaled then.

    Rounding is in proportion to an entry, which tells it from changes that training makes.
    """
    axes = read.axes
    if read.numbers.name not in ("float32", "float64") or min(axis.good for axis in axes) > 0.5:
        return read
    hands = np.zeros(read.fit.hands.shape, np.complex128)
    for group, axis in zip(read.groups, axes, strict=True):
        hands[:, group] = axis.hands(axis.places)
    one, two = values[:, read.fit.columns.one] - read.shift, values[:, read.fit.columns.two] - read.shift
    told, seen = np.concatenate([hands.imag, hands.real], axis=1), np.concatenate([one, two], axis=1)
    scale = float((told * seen).sum() / (told**2).sum())
    kinds: tuple[FloatType, ...] = ("float16", "bfloat16")
    for kind in kinds:
        error = 2.0 ** -SIGNIFICANT_BITS[kind]
        off, large = np.abs(seen / scale - told), np.abs(told) > 0.5
        small = np.abs(told) < 0.1
        if off.max() <= 2 * error and small.any() and off[small].mean() < 0.35 * off[large].mean():
            noise = error
            axes = tuple(axis._replace(allowed=tolerance(axis.places, axis.omega, noise)) for axis in axes)
            return read._replace(axes=axes, numbers=Numbers(kind, error * scale))
    return read


def explained(
    values: Float,
    rows: Index,
    shift: float = 0.0,
    any_order: bool = False,
    layouts: Iterable[Columns] | None = None,
) -> Read | None:
    """The reading that explains most rows, of those that are tried in this order; None if none does."""
    if len(rows) < 3:
        return None
    tried = candidates(values.shape[1]) if layouts is None else layouts
    fits = [found for columns in tried if (found := fit(columns, values)) is not None]
    fits = [found for found in fits if found.stray < STRAY]
    if any(not found.columns.extra for found in fits):
        fits = [found for found in fits if not found.columns.extra]
    best: tuple[float, Read] | None = None
    for order, found in enumerate(fits):
        numbers = number_type(values + shift)
        if numbers.name in ("float32", "float64") and abs(found.scale - 1) > 1e-6:
            scaled = number_type(values, found.scale)
            if scaled.name not in ("float32", "float64"):
                numbers = scaled
        noise = max(numbers.error / found.scale, 2.0**-53)
        for groups in _options(found.columns):
            widths = [_widths(found.columns, len(group), len(groups), values.shape[1]) for group in groups]
            axes = []
            for group, width in zip(groups, widths, strict=True):
                axis = read_axis(found.hands[:, group], rows, noise, width, any_order=any_order)
                if axis is None:
                    break
                axes.append(axis)
            if len(axes) < len(groups):
                continue
            bad = 1 - min(axis.good for axis in axes)
            if len(groups) > 1 and not _plausible(axes, len(rows)):
                continue
            if found.columns.extra and bad > 0.1:
                continue
            rest = sum(int((~axis.turning).sum()) for axis in axes) / len(found.columns.one)
            score = bad + 0.3 * (len(groups) - 1) * (found.columns.axes is None) + 0.1 * rest
            score += 0.01 * order + 0.2 * (axes[0].frequencies.law == "own") + 0.02 * len(found.columns.extra)
            candidate = Read(found, tuple(axes), groups, numbers, shift)
            if best is None or score < best[0]:
                best = score, candidate
            if score < 0.05:
                return candidate
    return best[1] if best else None


def _options(columns: Columns) -> list[tuple[Index, ...]]:
    """Ways to give the pairs to axes."""
    pairs = len(columns.one)
    if columns.axes is not None:
        return [columns.axes]
    result: list[tuple[Index, ...]] = [(np.arange(pairs),)]
    for count in (2, 3):
        if pairs % count == 0 and pairs > count:
            result.append(tuple(np.split(np.arange(pairs), count)))
    return result


def _widths(columns: Columns, pairs: int, axes: int, width: int) -> list[float]:
    """The numbers of dimensions that may stand in the exponent, the usual one first."""
    own: list[float] = [2 * pairs, 2 * pairs - 2]
    if columns.lone:
        own = [2 * pairs + 1, 2 * pairs + 2, *own]
    if axes > 1:
        own += [2 * pairs * axes, 2 * pairs + 1]
    return own


def _plausible(axes: list[AxisFit], n: int) -> bool:
    """Whether axes have the positions of a grid, or coordinates of octaves; few pairs fit anything."""
    for axis in axes:
        if axis.frequencies.base == 0.5 and axis.frequencies.over == 2:
            continue
        apart = max(float(axis.allowed.max()), 1e-6) * 4
        if len(axis.frequencies.values) < 3 or axis.frequencies.rising:
            return False
        if axis.good < 0.9 or np.abs(axis.places).max() > 20 * n + 1000:
            return False
        if distinct_places(axis.places, apart).size > 0.75 * n:
            return False
    return True


def _bad(read: Read) -> float:
    """By how much the rows miss their places, the typical one of the worst axis."""
    return max(float(np.median(axis.miss)) for axis in read.axes)


def _middle(read: Read, values: Float) -> float:
    """What was added to the entries, by what is left when the encoding is taken away."""
    told = np.zeros(read.fit.hands.shape, np.complex128)
    for group, axis in zip(read.groups, read.axes, strict=True):
        told[:, group] = axis.hands(axis.places)
    unit = np.concatenate([told.imag, told.real])
    seen = np.concatenate([values[:, read.fit.columns.one], values[:, read.fit.columns.two]])
    wave, level = unit - unit.mean(), float(seen.mean())
    scale = float((wave * seen).sum() / (wave**2).sum())
    return level - scale * float(unit.mean())


def distinct_places(places: Float, apart: float) -> Float:
    """The places in order, those that are no more than `apart` from another as one."""
    ordered = np.sort(places)
    new = np.concatenate([[True], np.diff(ordered) > max(apart, 1e-9)])
    return np.asarray(ordered[new])


def fastest(axis: AxisFit) -> float:
    """The greatest frequency of an axis; 1 if all its hands rest."""
    return float(np.abs(axis.omega).max()) or 1.0


def hands_of(values: Float, read: Read, lead: int) -> NDArray[np.complex128]:
    """The hands of rows, by the layout that was read."""
    one, two = read.fit.columns.one + lead, read.fit.columns.two + lead
    hands = (values[:, two] + 1j * values[:, one] - read.shift * (1 + 1j)) / read.fit.scale
    return np.asarray(hands, dtype=np.complex128)
