"""`diagnose`: a table is read first, and judged then."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from collections.abc import Sequence as SequenceOf
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float
from posenc.diagnosis import waves
from posenc.diagnosis.axes import ORIENTATIONS, AxisFit, Sequence, read_axis, sequence, whole
from posenc.diagnosis.entries import SINGLE, Numbers, check_finite, number_type, numbers_of
from posenc.diagnosis.layouts import STRAY, Columns, Fit, candidates, fit, unequal
from posenc.diagnosis.phases import Index, chord, decoded, tolerance
from posenc.diagnosis.plausible import of_frequencies, stepped
from posenc.diagnosis.programs import programs
from posenc.diagnosis.reading import (
    Axis,
    Diagnosis,
    Frequencies,
    Positions,
    Problem,
    Reading,
    number,
    spans,
)
from posenc.diagnosis.rounding import rounding_of
from posenc.precision import SIGNIFICANT_BITS, FloatType

#: Tables with no more rows are read whole; of longer ones about so many are read, and the rest compared.
MANY = 2048
#: Rows that are compared at a time.
BLOCK = 256
#: Rows that stray and are looked at one by one, at most.
STRAYS = 1024
#: How often the middle of entries that were moved is found anew, at most.
CENTERED = 6


def diagnose(table: ArrayLike) -> Diagnosis:
    """Read a table of positional encodings: how it was made, and what is wrong with it.

    Parameters
    ----------
    table : array_like of real numbers, shape (rows, columns)
        At least three rows, one for each position, and two columns. Axes of length 1 are dropped. Complex
        numbers, such as `freqs_cis`, count as cosine and sine; one line of numbers as frequencies.

    Returns
    -------
    Diagnosis
        A reading, or None and the two that came nearest, and a list of problems.

    Raises
    ------
    TypeError
        If the table does not hold real or complex numbers, or has a mask.
    ValueError
        If it does not have the shape above, or holds something that is not finite, or above 1e100.

    Notes
    -----
    A base and a number of dimensions enter the frequencies only together: base 10,000 over d is base
    10,000^((d-2)/d) over d - 2. The rounder reading comes first, and others that are as round beside it.

    The slowest pair cannot count its turns: of 64 turns to both sides one is taken that all pairs agree on.
    A table with one or two pairs tells little, and the simplest reading is reported.

    Examples
    --------
    >>> from posenc import positional_encoding
    >>> print(diagnose(positional_encoding(range(50), 64)))
    Sinusoidal encoding, 64 columns, interleaved, sin first,
    frequencies 10,000^(-2i/64), row 0 holds position 0.
    The convention of the paper's formula, Annotated Transformer, PyTorch's tutorial.
    - No problem found.
    >>> found = diagnose(0.5 * positional_encoding(range(50), 64))
    >>> found.sound, found.kinds, found.reading.scale
    (False, ('scaled',), 0.5)
    """
    array = numbers_of(table, "table")
    shape = array.shape
    if not shape:
        raise ValueError(f"table must have the shape (rows >= 3, columns >= 2), got the number {array}")
    while array.ndim > 2 and 1 in array.shape:
        array = array.squeeze(array.shape.index(1))
    if array.ndim == 3 and array.shape[-1] == 2:  # view_as_real of complex numbers
        array = array.reshape(len(array), -1)
    if array.ndim == 2 and 1 in array.shape:
        array = array.ravel()
    check_finite(array, "table")
    if array.ndim == 1 and array.dtype.kind != "c":
        line = waves.lone_frequencies(array.astype(float))
        if line is not None:
            return line
    if array.dtype.kind == "c" and array.ndim == 2:
        array = np.stack([array.real, array.imag], axis=-1).reshape(len(array), -1)
    if array.ndim != 2 or array.shape[0] < 3 or array.shape[1] < 2:
        raise ValueError(f"table must have the shape (rows >= 3, columns >= 2), got {shape}")
    found = _diagnosed(array)
    if found.reading is None and not {"equal-rows", "clipped"} & set(found.kinds) and array.shape[1] >= 3:
        turned = _diagnosed(array.T) if array.shape[0] >= 2 else found
        if turned.reading is not None and "noise" not in turned.kinds:
            problem = Problem(
                "transposed",
                "The table is transposed: positions run along its columns, and pairs along its rows.",
                origin="What follows is said of the transposed table.",
                cure="Pass table.T.",
            )
            return replace(turned, problems=[problem, *turned.problems])
    return found


def _diagnosed(array: NDArray[Any]) -> Diagnosis:
    n, n_columns = array.shape
    rows = _sampled(n)
    sample = array[rows].astype(np.float64)
    alive: NDArray[np.bool_] = np.asarray(sample.any(axis=1))
    problems: list[Problem] = []

    # columns of zeros at the end, or in front
    used = np.flatnonzero(sample.any(axis=0))
    if not used.size:
        return Diagnosis(
            n_columns,
            None,
            [Problem("equal-rows", "Every entry is 0.", cure="Fill the table before it is used.")],
        )
    if (sample[alive] == sample[alive][0]).all() and _all_equal(array, sample[alive][0]):
        return Diagnosis(n_columns, None, [_equal_rows(sample[alive][0], n)])
    width = int(used[-1]) + 1
    if width % 2 and width < n_columns:  # a sine that is zero throughout belongs to its cosine
        width += 1
    lead = int(used[0]) if used[0] >= 2 else 0
    lead -= lead % 2
    repeats = _repeats(sample, alive)
    kept = np.flatnonzero(alive & ~repeats)
    read = _tried(sample[kept], rows[kept]) if width < n_columns or lead else None
    if (
        read is not None and not read.fit.columns.lone and not read.fit.columns.extra
    ):  # sines that are too small for their type
        lead, width = 0, n_columns
    else:
        read = _read(sample[kept][:, lead:width], rows[kept])
        if read is None and lead:
            lead, read = 0, _read(sample[kept][:, :width], rows[kept])
    if width < n_columns or lead:
        gone = tuple([*range(lead), *range(width, n_columns)])
        be = "Column {} is" if len(gone) == 1 else "Columns {} are"
        problems.append(
            Problem(
                "zero-columns",
                f"{be.format(spans(gone))} zero.",
                columns=gone,
                expected=width - lead,
                found=n_columns,
                origin="An odd or rounded width was filled up, or a part was never filled in.",
            )
        )
    if read is None:
        return _unread(array, sample, rows, kept, width, problems)
    read = _rescaled(read, sample[kept][:, lead:width])
    return _judged(array, sample, rows, alive, repeats, read, lead, problems)


def _sampled(n: int) -> Index:
    """The rows that are read: all of them, or the first ones, the last ones and a few between, two by two."""
    if n <= MANY:
        return np.arange(n)
    far = np.linspace(0, n - 2, 16).astype(int)
    powers = np.array([2**k + shift for k in range(8, 40) for shift in (-1, 0, 1, 2)])
    chosen = np.concatenate([np.arange(272), far, far + 1, powers, np.arange(n - 8, n)])
    return np.unique(chosen[(chosen >= 0) & (chosen < n)])


def _all_equal(array: NDArray[Any], row: Float) -> bool:
    """Whether all rows that are not zero are the same."""
    for start in range(0, len(array), 4096):
        block = array[start : start + 4096]
        same = (block == row).all(axis=1) | ~block.any(axis=1)
        if not same.all():
            return False
    return True


def _equal_rows(row: Float, n: int) -> Problem:
    return Problem(
        "equal-rows",
        f"All {n} rows are equal, so the table says nothing about order.",
        rows=(0, n - 1),
        expected="a row for each position",
        found="one row",
        origin="One row was added to every token: rows were taken along a wrong axis, or one index was used.",
        cure="Give each token its own row: table[positions].",
    )


def _repeats(sample: Float, alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows that an earlier row equals."""
    seen: dict[bytes, int] = {}
    result = np.zeros(len(sample), bool)
    for i in np.flatnonzero(alive).tolist():
        key = hashlib.blake2b((sample[i] + 0.0).tobytes(), digest_size=16).digest()
        result[i] = seen.setdefault(key, i) != i
    return result


class Read(NamedTuple):
    """A sample of rows as it was read."""

    fit: Fit
    axes: tuple[AxisFit, ...]
    groups: tuple[Index, ...]  # pairs of each axis
    numbers: Numbers
    shift: float


def _rescaled(read: Read, values: Float) -> Read:
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


def _read(values: Float, rows: Index) -> Read | None:
    """The simplest reading that explains most rows: as it is, moved to its middle, with rows in any order."""
    found = _tried(values, rows)
    if found is not None:
        return found
    low, high = float(values.min()), float(values.max())
    if high > low and abs(high + low) > 0.1 * (high - low):
        middle = (high + low) / 2
        middle = round(middle, 3) if abs(round(middle, 3) - middle) < 1e-3 * (high - low) else middle
        found = _tried(values - middle, rows, middle)
        for _ in range(CENTERED):
            if found is None or _bad(found) <= SINGLE:
                break
            moved = _middle(found, values)
            better = _tried(values - moved, rows, moved)
            if better is None or _bad(better) >= _bad(found):
                break
            found = better
    return found or _tried(values, rows, layouts=unequal(values)) or _tried(values, rows, any_order=True)


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


def _tried(
    values: Float,
    rows: Index,
    shift: float = 0.0,
    any_order: bool = False,
    layouts: Iterable[Columns] | None = None,
) -> Read | None:
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
        if _distinct(axis.places, apart).size > 0.75 * n:
            return False
    return True


def _widths(columns: Columns, pairs: int, axes: int, width: int) -> list[float]:
    """The numbers of dimensions that may stand in the exponent, the usual one first."""
    own: list[float] = [2 * pairs, 2 * pairs - 2]
    if columns.lone:
        own = [2 * pairs + 1, 2 * pairs + 2, *own]
    if axes > 1:
        own += [2 * pairs * axes, 2 * pairs + 1]
    return own


def _judged(
    array: NDArray[Any],
    sample: Float,
    rows: Index,
    alive: NDArray[np.bool_],
    repeats: NDArray[np.bool_],
    read: Read,
    lead: int,
    problems: list[Problem],
) -> Diagnosis:
    """The diagnosis of a table that was read."""
    n, n_columns = array.shape
    layout = read.fit.columns
    noise = max(read.numbers.error / read.fit.scale, 2.0**-53)
    kept = np.flatnonzero(alive & ~repeats)
    lines = [
        sequence(rows[kept], axis.places, axis.miss <= np.maximum(axis.allowed, 0.02), noise, _top(axis))
        for axis in read.axes
    ]
    axis, line = read.axes[0], lines[0]
    turning = np.concatenate(
        [group[axis.turning] for group, axis in zip(read.groups, read.axes, strict=True)]
    )
    columns = np.sort(np.concatenate([layout.one[turning], layout.two[turning]])) + lead
    _, sine, cosine = ORIENTATIONS[axis.quarter, axis.flip]

    if read.shift:
        low, high = float(sample[alive].min()), float(sample[alive].max())
        problems.append(
            Problem(
                "shifted",
                f"The entries lie between {low:.4g} and {high:.4g}: they were moved and scaled.",
                expected=(-1.0, 1.0),
                found=(low, high),
                cure=f"Subtract {read.shift:.4g}, and divide by {read.fit.scale:.4g}.",
            )
        )
    if layout.lone:
        at = layout.lone[0] + lead
        problems.append(
            Problem(
                "lone-column",
                f"The number of columns is odd, so column {at} has no partner.",
                columns=(at,),
                expected=n_columns + 1,
                found=n_columns,
                cure="Use an even d_model.",
            )
        )
    coordinates = 0.0
    if layout.extra:
        coordinates = _coordinates(sample[kept], read, lead)
        if not coordinates:
            problems.append(_extra(layout, lead))
    if read.fit.limit is not None:
        limit = read.fit.limit
        problems.append(
            Problem(
                "clipped",
                f"The entries are clipped at {limit:.4g}.",
                expected=round(read.fit.scale, 4),
                found=limit,
            )
        )
    scale = read.fit.scale
    if abs(scale - 1) > 2e-3 + 2 * noise and not read.shift:
        known = _scale_origin(scale, n_columns)
        problems.append(
            Problem(
                "scaled",
                f"The entries are scaled: sin^2 + cos^2 is {scale:.4g}^2 and not 1.",
                expected=1.0,
                found=scale,
                origin=known,
                cure="Divide by it, unless the program means it.",
            )
        )
    else:
        scale = 1.0 if not read.shift else scale
    if (sine, cosine) != (1, 1):
        what = {(-1, 1): "sine is", (1, -1): "cosine is", (-1, -1): "sine and the cosine are"}[sine, cosine]
        problems.append(
            Problem(
                "sign",
                f"The {what} negated.",
                expected=(1, 1),
                found=(sine, cosine),
                origin="With a negated sine, it is as if positions were counted downwards from 0."
                if (sine, cosine) == (-1, 1)
                else "",
                cure="Change the sign.",
            )
        )
    grid = None
    repeated_rows = rows[repeats]
    zero_rows = rows[~alive]
    if len(read.axes) > 1:
        seen = rows[kept]
        if len(rows) < n:
            read, seen, zero_rows = _completed(array, read, lead, noise)
        axes, grid, more = _on_a_grid(read, seen, kept, noise)
        problems += more
        problems += of_frequencies(axis.frequencies, True)
    else:
        positions, more, zero_more, repeat_more, names, explained = _along_a_line(
            array, sample, rows, kept, read, line, lead, noise, repeated_rows
        )
        zero_rows, repeated_rows = np.union1d(zero_rows, zero_more), np.union1d(repeated_rows, repeat_more)
        if explained:
            repeated_rows = repeated_rows[:0]
        axes = (Axis(names, positions),)
        first_one = positions.step or 1.0
        problems += of_frequencies(names, n_columns >= 2, first_one)
        problems += [p for p in more if p.kind != "step" or not stepped(names, first_one)]
    problems += _zero_rows(zero_rows)
    if repeated_rows.size and len(read.axes) == 1:
        problems.append(
            Problem(
                "rows-repeated",
                f"{_rows(repeated_rows)} repeat{'s' * (repeated_rows.size == 1)} earlier rows"
                + _times(repeated_rows, n),
                rows=_few(repeated_rows),
                origin=_repeat_origin(repeated_rows, n),
                cure="Make the table again, long enough, with a position for each row."
                if positions.step == 1
                else "For time steps that may be meant.",
            )
        )
    if coordinates:
        known = " of pi times the coordinates in front" if coordinates > 2 else " of the coordinates in front"
        axes = tuple(replace(a, frequencies=replace(a.frequencies, detail=known)) for a in axes)
    reading = Reading(
        layout.layout,
        ORIENTATIONS[axis.quarter, axis.flip][0],
        axes,
        tuple(columns.tolist()),
        (sine, cosine),
        scale,
        read.shift,
        read.numbers.name,
        grid,
    )
    reading = replace(reading, programs=programs(reading, n_columns))
    return Diagnosis(n_columns, reading, problems)


def _top(axis: AxisFit) -> float:
    return float(np.abs(axis.omega).max()) or 1.0


def _coordinates(sample: Float, read: Read, lead: int) -> float:
    """By what the coordinates in front of the pairs were multiplied, 1 or pi as in NeRF; else 0."""
    extra = read.fit.columns.extra
    if len(extra) != len(read.axes):
        return 0.0
    for factor in (1.0, math.pi):
        off = [
            np.abs(np.exp(1j * factor * sample[:, lead + column]) - np.exp(1j * axis.places)).max()
            for column, axis in zip(extra, read.axes, strict=True)
        ]
        if max(off) < 1e-2:
            return factor
    return 0.0


def _extra(layout: Columns, lead: int) -> Problem:
    """Columns in front of the pairs that are not their coordinates."""
    count = len(layout.extra)
    columns = tuple(lead + c for c in layout.extra)
    text = f"Column{'s' * (count > 1)} {spans(columns)} {'are' if count > 1 else 'is'} no part of the pairs."
    return Problem(
        "extra-columns",
        text,
        columns=columns,
        cure="Leave them out, and ask again.",
    )


def _scale_origin(scale: float, width: int) -> str:
    for d in (width,):
        if abs(scale / math.sqrt(d) - 1) < 2e-3:
            return f"That is the root of d = {d}: the encoding was multiplied with the embedding."
        if abs(scale * math.sqrt(d) - 1) < 2e-3:
            return f"That is 1 over the root of d = {d}."
        if abs(scale / math.sqrt(2 / d) - 1) < 2e-3:
            return "Rows have norm 1: they were normalized."
    return ""


def _times(repeated: Index, n: int) -> str:
    """The end of a sentence: how often each row is there, if several times."""
    times = _copies(np.setdiff1d(np.arange(n), repeated), n)
    return f": each is there {times} times." if times > 1 else "."


def _copies(seen: Index, n: int) -> int:
    """How often each row is there in a run, if those in ``seen`` are the first of each; else 1."""
    times = n // max(seen.size, 1)
    return times if seen.size * times == n and (seen == times * np.arange(seen.size)).all() else 1


def _repeat_origin(rows: Index, n: int) -> str:
    if rows[-1] == n - 1 and rows.size == n - rows[0] and rows.size > 1:
        return "The index was clipped at the table's end, or it began again."
    return ""


def _zero_rows(rows: Index) -> list[Problem]:
    if not rows.size:
        return []
    be = "is" if rows.size == 1 else "are"
    return [Problem("zero-rows", f"{_rows(rows)} {be} zero, as for padding.", rows=_few(rows))]


def _rows(rows: Index) -> str:
    return f"Row{'s' * (rows.size > 1)} {spans(rows.tolist())}"


def _few(rows: Index) -> tuple[int, ...]:
    """Row numbers as data; of very many only the first thousand."""
    return tuple(rows[:1000].tolist())


def _completed(array: NDArray[Any], read: Read, lead: int, noise: float) -> tuple[Read, Index, Index]:
    """The same with the positions of all rows of a long table; which rows these are; rows of zeros."""
    places: list[list[Float]] = [[] for _ in read.axes]
    miss: list[list[Float]] = [[] for _ in read.axes]
    alive = np.zeros(len(array), bool)
    for start in range(0, len(array), BLOCK):
        values = array[start : start + BLOCK].astype(np.float64)
        full = values.any(axis=1)
        alive[start : start + BLOCK] = full
        hands = _hands_of(values[full], read, lead)
        for i, (axis, group) in enumerate(zip(read.axes, read.groups, strict=True)):
            turned = hands[:, group[axis.turning]] * 1j**-axis.quarter
            where, off = decoded(turned, axis.omega[axis.turning], np.zeros(len(turned)), noise)
            places[i].append(axis.flip * where)
            miss[i].append(off)
    axes = []
    for axis, where_all, off_all in zip(read.axes, places, miss, strict=True):
        found = np.concatenate(where_all)
        allowed = tolerance(found, axis.omega, noise)
        axes.append(axis._replace(places=found, miss=np.concatenate(off_all), allowed=allowed))
    return read._replace(axes=tuple(axes)), np.flatnonzero(alive), np.flatnonzero(~alive)


def _on_a_grid(
    read: Read, rows: Index, kept: Index, noise: float
) -> tuple[tuple[Axis, ...], tuple[int, int] | None, list[Problem]]:
    """Positions along each axis, and the numbers of rows and columns of a grid, if they make one."""
    axes: list[Axis] = []
    counts: list[int] = []
    places: list[Float] = []
    problems: list[Problem] = []
    for axis in read.axes:
        precise = 8 * noise / _top(axis) + 32 * SINGLE * (1 + np.abs(axis.places)) + 1e-9
        distinct = _distinct(axis.places, float(precise.max()) * 4)
        steps = np.diff(distinct)
        step: float | None = None
        if steps.size and np.ptp(steps) <= 8 * precise.max() + 1e-3 * abs(steps[0]):
            step = whole(float(steps.mean()), float(precise.max()) * 4)
        low, high = (whole(float(p), 4 * float(precise.max())) for p in (distinct[0], distinct[-1]))
        axes.append(Axis(axis.frequencies, Positions(low, high, step)))
        counts.append(distinct.size)
        places.append(np.searchsorted(distinct, axis.places - 4 * precise.max()).astype(float))
    grid = None
    if len(axes) == 2 and counts[0] * counts[1] == len(rows):
        slow = int(np.mean(np.diff(places[0]) != 0) > 0.5)
        height, breadth = (counts[0], counts[1]) if slow == 0 else (counts[1], counts[0])
        told = np.divmod(np.arange(len(rows)), breadth)
        across = (places[0], places[1]) if slow == 0 else (places[1], places[0])
        if (across[0] == told[0]).all() and (across[1] == told[1]).all():
            grid = (height, breadth)
    off = np.zeros(len(rows), bool)
    for axis in read.axes:
        off |= axis.miss > axis.allowed
    if off.any():
        problems += _strays(rows[off], np.maximum.reduce([a.miss for a in read.axes])[off], len(rows))
    return tuple(axes), grid, problems


def _distinct(places: Float, apart: float) -> Float:
    ordered = np.sort(places)
    new = np.concatenate([[True], np.diff(ordered) > max(apart, 1e-9)])
    return np.asarray(ordered[new])


def _strays(rows: Index, miss: Float, n: int) -> list[Problem]:
    """Rows that no position explains."""
    middle, most = float(np.median(miss)), float(miss.max())
    if rows.size > 0.9 * n:
        return [
            Problem(
                "noise",
                f"{rows.size} of {n} rows that were read are off by a little: hands miss their places by "
                f"{middle:.2g} in a typical one, and by at most {most:.2g}.",
                expected=0.0,
                found=middle,
                origin="The table was changed after it was made, as training does, or rounded on the way.",
            )
        ]
    what = "is" if rows.size == 1 else "are"
    return [
        Problem(
            "rows-off",
            f"{_rows(rows)} {what} no encoding with these frequencies: hands miss their places by up to "
            f"{most:.2g}.",
            rows=_few(rows),
            expected=0.0,
            found=most,
        )
    ]


def _along_a_line(
    array: NDArray[Any],
    sample: Float,
    rows: Index,
    kept: Index,
    read: Read,
    line: Sequence,
    lead: int,
    noise: float,
    repeated: Index,
) -> tuple[Positions, list[Problem], Index, Index, Frequencies, bool]:
    """Positions of a sequence, what is wrong with them; rows of zeros and repeated rows beyond the sample."""
    n = len(array)
    axis = read.axes[0]
    names = axis.frequencies
    problems: list[Problem] = []
    seen, places, miss = rows[kept], axis.places, axis.miss
    hands = read.fit.hands
    none = np.zeros(0, np.intp)
    zero_more, repeat_more = none, none
    line = _snapped(line, axis, hands, seen, noise)
    if names.base == 0.5 and names.over == 2:
        steps = np.diff(np.unwrap(places)) / np.diff(seen)
        even = steps.size > 0 and np.ptp(steps) <= 4 * float(axis.allowed.max())
        step = float(steps.mean()) if even and steps.mean() else None
        out = miss > axis.allowed
        strays_found = _strays(seen[out], miss[out], len(seen)) if out.any() else []
        ends = Positions(float(places[0]), float(places[-1]), step)
        return ends, strays_found, none, none, names, False
    if line.step is not None and read.fit.limit is None:
        every = _hands_of(sample[sample.any(axis=1)], read, lead)
        there = rows[sample.any(axis=1)]
        told = np.asarray(line.start + line.step * there, dtype=np.float64)
        misses = np.abs(every - axis.hands(told)).max(axis=1) > tolerance(told, axis.omega, noise)
        inexact = not axis.exact and names.law in ("geometric", "own")
        if misses.any() or inexact:
            half = rounding_of(axis, every, there, told, noise, names)
            if half is not None:
                positions = _positions_of(half[2], there, n)
                return positions, [half[0], *_of_line(positions, n, names)], none, none, half[1], True
        if inexact and names.law == "geometric":
            names = replace(names, law="own", base=None, over=None, readings=())
    if len(rows) < n and line.step is not None and read.fit.limit is None:
        strays = _compared(array, read, line, lead, noise)
        strays = np.setdiff1d(strays, rows)
        if strays.size:
            chosen = strays[np.unique(np.linspace(0, strays.size - 1, STRAYS).astype(int))]
            values = array[chosen].astype(float)
            empty = ~values.any(axis=1)
            zero_more = strays if empty.all() else chosen[empty]
            chosen, values = chosen[~empty], values[~empty]
            if chosen.size:
                more = _hands_of(values, read, lead)
                hands, seen = np.concatenate([hands, more]), np.concatenate([seen, chosen])
                told = line.start + line.step * chosen
                turned = more[:, axis.turning] * 1j**-axis.quarter
                where, off = decoded(turned, axis.omega[axis.turning], axis.flip * told, noise)
                places, miss = np.concatenate([places, axis.flip * where]), np.concatenate([miss, off])
                order = np.argsort(seen, kind="stable")
                hands, seen, places, miss = hands[order], seen[order], places[order], miss[order]
    allowed = tolerance(places, axis.omega, noise)
    good = miss <= allowed
    precise = 8 * noise / _top(axis) + 32 * SINGLE * (1 + np.abs(places)) + 1e-9
    if line.step is None:
        return (
            Positions(float(places[0]), float(places[-1]), None),
            _uneven(seen, places, good, miss, precise),
            zero_more,
            repeat_more,
            names,
            False,
        )
    told = np.asarray(line.start + line.step * seen, dtype=np.float64)
    on = np.abs(places - told) <= 3 * precise
    expected = axis.hands(told)
    near = np.abs(hands - expected).max(axis=1) <= tolerance(told, axis.omega, noise)
    first, last = line.start, whole(line.start + line.step * (n - 1), 1e-9 * (1 + abs(line.start)))
    positions = Positions(first, last, line.step)
    times = _copies(seen, n)
    if times > 1:  # each row several times over
        apart = whole(line.step * times, 1e-6)
        once = Positions(first, whole(first + apart * (n // times - 1), 1e-6), apart)
        positions = Positions(first, once.last, line.step)
        return positions, _of_line(once, n // times, names), zero_more, repeat_more, names, False
    if not (near | (good & on)).all():
        half = rounding_of(axis, hands, seen, told, noise, names) if len(rows) < n else None
        if half is not None:
            positions = _positions_of(half[2], seen, n)
            return positions, [half[0], *_of_line(positions, n, names)], none, none, half[1], True
        else:
            likely = np.abs(places) <= 2 * np.abs(told).max() + 1000
            out = ~on & good & likely
            off = ~near & ~(good & (on | likely))
            if out.sum() > 0.3 * len(seen):
                problems += _uneven(seen, places, good, miss, precise)
                positions = Positions(float(places[0]), float(places[-1]), None)
                return positions, problems, zero_more, repeat_more, names, False
            if out.any() and off.sum() <= 0.9 * len(seen):  # else where they are is not known so exactly
                problems.append(_out_of_place(seen[out], places[out], told[out]))
            if off.any():
                problems += _strays(seen[off], miss[off], len(seen))
    return positions, [*problems, *_of_line(positions, n, names)], zero_more, repeat_more, names, False


def _positions_of(places: Float, rows: Index, n: int) -> Positions:
    """Positions of all rows, of which some are known to lie on a line."""
    step = float((places[-1] - places[0]) / (len(places) - 1)) if len(places) == n else 1.0
    if len(places) < n:
        step = float(places[1] - places[0])
    step = whole(step, 1e-6)
    start = whole(float(places[0]), 1e-6) - step * float(rows[0] if len(places) == n else 0)
    return Positions(start, start + step * (n - 1), step)


def _hands_of(values: Float, read: Read, lead: int) -> NDArray[np.complex128]:
    """The hands of rows, by the layout that was read."""
    one, two = read.fit.columns.one + lead, read.fit.columns.two + lead
    hands = (values[:, two] + 1j * values[:, one] - read.shift * (1 + 1j)) / read.fit.scale
    return np.asarray(hands, dtype=np.complex128)


def _snapped(
    line: Sequence, axis: AxisFit, hands: NDArray[np.complex128], rows: Index, noise: float
) -> Sequence:
    """The line with whole numbers for its start and step where that puts the hands where they are."""
    if line.step is None:
        return line
    on = np.flatnonzero(line.on)
    if not on.size:
        return line
    on = on[np.unique(np.linspace(0, on.size - 1, 256).astype(int))]
    worst = float(line.precise.max())

    def miss(start: float, step: float) -> tuple[float, float]:
        told = start + step * rows[on]
        off = chord(hands[on] * axis.hands(told).conj(), np.zeros((len(on), 1)))
        return float((off > tolerance(told, axis.omega, noise)).mean()), float(np.median(off))

    now = miss(line.start, line.step)
    start, step = line.start, line.step
    for trial in (float(round(step)), simple(step)):
        if trial and abs(trial - step) < 5e-3 * max(1.0, abs(step)):
            middle = float(rows[on].mean())
            moved = start + (step - trial) * middle
            for begin in (float(round(moved)), whole(moved, 1e-3), moved):
                if abs(begin - moved) > max(0.05, 4 * worst):
                    continue
                then = miss(begin, trial)
                if then[0] <= now[0] + 1e-9 and then[1] <= max(2 * now[1], 2 * noise, 1e-9):
                    return line._replace(start=begin, step=trial)
    begin = whole(start, 4 * worst)
    if miss(begin, step)[0] <= now[0]:
        start = begin
    return line._replace(start=start, step=step)


def simple(value: float) -> float:
    """The nearest fraction with a small denominator, or with a whole reciprocal, if it is very near."""
    for denominator in (2, 4, 8, 3, 16, 32):
        near = round(value * denominator) / denominator
        if near and abs(near - value) < 1e-7 * max(1, abs(value)):
            return near
    return value


def _compared(array: NDArray[Any], read: Read, line: Sequence, lead: int, noise: float) -> Index:
    """Rows of a long table that are not where the line puts them. Turned on block by block, by products."""
    assert line.step is not None
    axis = read.axes[0]
    columns = read.fit.columns
    one, two = _slice(columns.one + lead), _slice(columns.two + lead)
    inner = np.exp(1j * axis.flip * line.step * np.arange(BLOCK)[:, np.newaxis] * axis.omega)
    strays = []
    for start in range(0, len(array), BLOCK):
        place = line.start + line.step * start
        outer = axis.hands(np.array([place]))[0]
        block = array[start : start + BLOCK]
        told = inner[: len(block)] * outer
        off = np.maximum(
            np.abs(told.imag * read.fit.scale + read.shift - block[:, one]).max(axis=1),
            np.abs(told.real * read.fit.scale + read.shift - block[:, two]).max(axis=1),
        )
        places = place + line.step * np.arange(len(block)).astype(np.float64)
        wrong = np.flatnonzero(off > tolerance(places, axis.omega, noise) * read.fit.scale)
        if wrong.size:
            strays.append(start + wrong)
    return np.concatenate(strays) if strays else np.zeros(0, np.intp)


def _slice(columns: Index) -> slice | Index:
    """A slice for evenly spaced columns, which NumPy reads without a copy."""
    steps = np.diff(columns)
    if not steps.size:
        return slice(int(columns[0]), int(columns[0]) + 1)
    if (steps == steps[0]).all() and steps[0] > 0:
        return slice(int(columns[0]), int(columns[-1]) + 1, int(steps[0]))
    return columns


def _uneven(
    rows: Index, places: Float, good: NDArray[np.bool_], miss: Float, precise: Float
) -> list[Problem]:
    """Positions that lie on no line."""
    shown = ", ".join(number(round(float(p), 6)) for p in places[:5])
    steps = np.diff(places)
    order = "rise" if (steps > 0).all() else "fall" if (steps < 0).all() else "go up and down"
    result = [
        Problem(
            "uneven",
            f"Positions are uneven: they {order}, and begin {shown}.",
            rows=(int(rows[0]), int(rows[-1])),
            found=tuple(float(p) for p in places[:1000]),
            origin="For time steps that may be meant.",
        )
    ]
    if not good.all():
        result += _strays(rows[~good], miss[~good], len(rows))
    return result


def _out_of_place(rows: Index, places: Float, told: Float) -> Problem:
    shown = "; ".join(
        f"row {r} has {number(round(float(p), 4))} and not {number(round(float(t), 4))}"
        for r, p, t in list(zip(rows.tolist(), places, told, strict=True))[:3]
    )
    more = f"; and {rows.size - 3} more" if rows.size > 3 else ""
    return Problem(
        "rows-out-of-place",
        f"Some rows hold other positions than the rest says: {shown}{more}.",
        rows=_few(rows),
        expected=tuple(float(t) for t in told[:1000]),
        found=tuple(float(p) for p in places[:1000]),
    )


def _of_line(positions: Positions, n: int, names: Frequencies) -> list[Problem]:
    """What is odd about start and step; hands that are all alike do not tell."""
    result: list[Problem] = []
    if names.law == "equal":
        return result
    first, last, step = positions.first, positions.last, positions.step
    assert step is not None
    if step < 0:
        result.append(
            Problem(
                "reversed",
                f"The rows are in reverse order: row 0 holds {number(first)}, the last {number(last)}.",
                expected=abs(step),
                found=step,
                cure="Unless it is meant, as for relative positions or time steps, turn the table around.",
            )
        )
    if not float(step).is_integer():
        origin = ""
        if abs(step * (n - 1) - n) < 1e-6 * n:
            origin = f"That is linspace(0, {n}, {n}), which has {n - 1} steps."
        elif abs(step * (n - 1) - round(step * (n - 1))) < 1e-6 and abs(step) < 1 and round(step * (n - 1)):
            origin = f"Positions run from {number(first)} to {number(last)} in {n} rows."
        if abs(step) < 0.5 and abs(last - first) <= 1 + 1e-6:
            origin += " Most pairs hardly turn."
        for factor, words in (
            (180 / math.pi, "degrees were taken for radians"),
            (2 * math.pi, "positions were multiplied by 2 pi"),
        ):
            if abs(abs(step) / factor - 1) < 1e-5:
                origin = f"As if {words}."
        result.append(
            Problem(
                "step",
                f"The rows are {number(abs(step))} positions apart, or the first frequency is not 1.",
                expected=1.0,
                found=step,
                origin=origin.strip(),
            )
        )
    if not float(first).is_integer():
        result.append(
            Problem(
                "start",
                f"Row 0 holds the position {number(first)}, which is not a whole number.",
                rows=(0,),
                expected=float(round(first)),
                found=first,
            )
        )
    return result


def _half_filled(sample: Float, rows: Index, n_columns: int) -> Diagnosis | None:
    """A reading of a table with sines alone, or cosines, in every second column, and zeros between."""
    used = np.flatnonzero(sample.any(axis=0))
    if used.size < 2 or (np.diff(used) != 2).any() or 2 * used.size < n_columns - 1:
        return None
    found = waves.lone(sample[:, used], rows, n_columns)
    if found is None or found.reading is None:
        return None
    problem = Problem(
        "zero-columns",
        "Every second column is zero.",
        columns=tuple(np.setdiff1d(np.arange(n_columns), used).tolist()),
        origin="One half of each pair was never filled in, or was overwritten.",
        cure="Fill in both: the sine and the cosine of the same angle.",
    )
    reading = replace(found.reading, columns=tuple(used.tolist()))
    return replace(found, reading=reading, problems=[problem, *found.problems])


def _unread(
    array: NDArray[Any], sample: Float, rows: Index, kept: Index, width: int, problems: list[Problem]
) -> Diagnosis:
    """What can be said of a table that no layout of pairs explains."""
    n_columns = array.shape[1]
    zero = rows[~sample.any(axis=1)]
    with_zero = np.union1d(kept, [0]) if zero.size == 1 and zero[0] == 0 else kept  # a sine or an angle at 0
    special = _half_filled(sample[with_zero], rows[with_zero], n_columns)
    if special is not None:  # which explains all columns of zeros
        problems = [problem for problem in problems if problem.kind != "zero-columns"]
    else:
        special = waves.lone(sample[with_zero][:, :width], rows[with_zero], n_columns)
    values = sample[kept][:, :width]
    if special is not None:
        gone = zero if special.reading is None or zero.size > 1 or (zero.size and zero[0]) else zero[:0]
        return replace(special, problems=[*special.problems, *problems, *_zero_rows(gone)])
    top = float(np.abs(values).max(initial=0))
    fits = [found for columns in candidates(width) if (found := fit(columns, values)) is not None]
    near = sorted(
        ((found.columns.name, found.stray) for found in fits if not found.columns.extra),
        key=lambda pair: pair[1],
    )
    nearest: SequenceOf[tuple[str, float]] = [(name, min(miss, 9.99)) for name, miss in near[:2]]
    at_top = np.abs(values) == top
    if top and at_top.mean() > 0.2 and (values == -top).any() and (values == top).any():
        problem = Problem(
            "clipped",
            f"The entries are clipped at {top:.4g}, so far that nothing else can be told.",
            found=top,
        )
    else:
        problem = Problem(
            "unread",
            "No reading that is tried explains the entries, so nothing is said of frequencies or positions.",
            origin=waves.kind_of(values, rows[kept]),
        )
    if zero.size:
        problems += _zero_rows(zero)
    return Diagnosis(n_columns, None, [problem, *problems], tuple(nearest))
