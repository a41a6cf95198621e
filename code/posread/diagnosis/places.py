"""Where the rows of a table that was read are: along a line, or on a grid; of long tables all rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.diagnosis.axes import AxisFit, Sequence, whole
from posread.diagnosis.entries import SINGLE
from posread.diagnosis.pairing import Read, distinct_places, fastest, hands_of
from posread.diagnosis.phases import Index, chord, decoded, tolerance
from posread.diagnosis.reading import (
    Axis,
    Frequencies,
    Positions,
    Problem,
)
from posread.diagnosis.rounding import rounding_of
from posread.diagnosis.verdicts import (
    astray,
    copies,
    of_line,
    out_of_place,
    uneven,
)

#: Rows that are compared at a time.
BLOCK = 256
#: Rows that stray and are looked at one by one, at most.
STRAYS = 1024


def on_a_grid(
    read: Read, rows: Index, kept: Index, noise: float
) -> tuple[tuple[Axis, ...], tuple[int, int] | None, list[Problem]]:
    """Positions along each axis, and the numbers of rows and columns of a grid, if they make one."""
    axes: list[Axis] = []
    counts: list[int] = []
    places: list[Float] = []
    problems: list[Problem] = []
    for axis in read.axes:
        precise = 8 * noise / fastest(axis) + 32 * SINGLE * (1 + np.abs(axis.places)) + 1e-9
        distinct = distinct_places(axis.places, float(precise.max()) * 4)
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
        problems += astray(rows[off], np.maximum.reduce([a.miss for a in read.axes])[off], len(rows))
    return tuple(axes), grid, problems


def completed(array: NDArray[Any], read: Read, lead: int, noise: float) -> tuple[Read, Index, Index]:
    """The same with the positions of all rows of a long table; which rows these are; rows of zeros."""
    places: list[list[Float]] = [[] for _ in read.axes]
    miss: list[list[Float]] = [[] for _ in read.axes]
    alive = np.zeros(len(array), bool)
    for start in range(0, len(array), BLOCK):
        values = array[start : start + BLOCK].astype(np.float64)
        full = values.any(axis=1)
        alive[start : start + BLOCK] = full
        hands = hands_of(values[full], read, lead)
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


def along_a_line(
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
        strays_found = astray(seen[out], miss[out], len(seen)) if out.any() else []
        ends = Positions(float(places[0]), float(places[-1]), step)
        return ends, strays_found, none, none, names, False
    if line.step is not None and read.fit.limit is None:
        every = hands_of(sample[sample.any(axis=1)], read, lead)
        there = rows[sample.any(axis=1)]
        told = np.asarray(line.start + line.step * there, dtype=np.float64)
        misses = np.abs(every - axis.hands(told)).max(axis=1) > tolerance(told, axis.omega, noise)
        inexact = not axis.exact and names.law in ("geometric", "own")
        if misses.any() or inexact:
            half = rounding_of(axis, every, there, told, noise, names)
            if half is not None:
                positions = _positions_of(half[2], there, n)
                return positions, [half[0], *of_line(positions, n, names)], none, none, half[1], True
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
                more = hands_of(values, read, lead)
                hands, seen = np.concatenate([hands, more]), np.concatenate([seen, chosen])
                told = line.start + line.step * chosen
                turned = more[:, axis.turning] * 1j**-axis.quarter
                where, off = decoded(turned, axis.omega[axis.turning], axis.flip * told, noise)
                places, miss = np.concatenate([places, axis.flip * where]), np.concatenate([miss, off])
                order = np.argsort(seen, kind="stable")
                hands, seen, places, miss = hands[order], seen[order], places[order], miss[order]
    allowed = tolerance(places, axis.omega, noise)
    good = miss <= allowed
    precise = 8 * noise / fastest(axis) + 32 * SINGLE * (1 + np.abs(places)) + 1e-9
    if line.step is None:
        return (
            Positions(float(places[0]), float(places[-1]), None),
            uneven(seen, places, good, miss, precise),
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
    times = copies(seen, n)
    if times > 1:  # each row several times over
        apart = whole(line.step * times, 1e-6)
        once = Positions(first, whole(first + apart * (n // times - 1), 1e-6), apart)
        positions = Positions(first, once.last, line.step)
        return positions, of_line(once, n // times, names), zero_more, repeat_more, names, False
    if not (near | (good & on)).all():
        half = rounding_of(axis, hands, seen, told, noise, names) if len(rows) < n else None
        if half is not None:
            positions = _positions_of(half[2], seen, n)
            return positions, [half[0], *of_line(positions, n, names)], none, none, half[1], True
        else:
            likely = np.abs(places) <= 2 * np.abs(told).max() + 1000
            out = ~on & good & likely
            off = ~near & ~(good & (on | likely))
            if out.sum() > 0.3 * len(seen):
                problems += uneven(seen, places, good, miss, precise)
                positions = Positions(float(places[0]), float(places[-1]), None)
                return positions, problems, zero_more, repeat_more, names, False
            if out.any() and off.sum() <= 0.9 * len(seen):  # else where they are is not known so exactly
                problems.append(out_of_place(seen[out], places[out], told[out]))
            if off.any():
                problems += astray(seen[off], miss[off], len(seen))
    return positions, [*problems, *of_line(positions, n, names)], zero_more, repeat_more, names, False


def _positions_of(places: Float, rows: Index, n: int) -> Positions:
    """Positions of all rows, of which some are known to lie on a line."""
    step = float((places[-1] - places[0]) / (len(places) - 1)) if len(places) == n else 1.0
    if len(places) < n:
        step = float(places[1] - places[0])
    step = whole(step, 1e-6)
    start = whole(float(places[0]), 1e-6) - step * float(rows[0] if len(places) == n else 0)
    return Positions(start, start + step * (n - 1), step)


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
