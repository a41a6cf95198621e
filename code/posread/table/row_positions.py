"""Where the rows of a table that was read are: readings of all of it, the likeliest first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.bases import ROUND, roundness, tells
from posread.fit.axes import ORIENTATIONS, ends, sequence, snapped, whole
from posread.fit.frequency_laws import as_they_are, law_of_most
from posread.fit.hands import Index, decoded, evenly
from posread.fit.number_types import DOUBLE, SINGLE, short
from posread.fit.rounding import NARROW, is_measured, of_phases, of_small_angles, rounding_of
from posread.reading import Afterwards, Axis, Cells, Frequencies, Positions, Reading, Wave
from posread.rebuild import Rows, spans_of
from posread.table.pairing import BYTES, Read, divisors, hands_of, uneven

#: More than this part of the rows on other positions than the line has for them, and there is no line.
UNEVEN = 0.3


def readings(
    read: Read, array: NDArray[Any], rows: Index, lead: int, zeros: tuple[int, ...]
) -> Iterator[Reading]:
    """Readings of a table, of which some rows were read, from the simplest to the last resort."""
    base = unplaced(read, array.shape, lead, zeros)
    if read.grid is not None:
        yield from along_a_grid(on_a_grid(base, read, int(rows[-1]) + 1), read, array, rows)
    elif len(read.axes) > 1 and not all(axis is read.axes[0] for axis in read.axes):
        yield from with_places(base, read, array, rows, lead)
    else:
        yield from along_a_line(base, read, array, rows, lead)


def along_a_grid(base: Reading, read: Read, array: NDArray[Any], rows: Index) -> Iterator[Reading]:
    """A reading of a grid, before it the same with bases that small angles tell."""
    axes = list(base.axes)
    for i, (fit, group) in enumerate(zip(read.axes, read.groups, strict=True)):
        assert read.grid is not None
        places, hands = read.grid[i].at(rows), read.fit.hands[:, group] * read.fit.scale
        exact = of_small_angles(fit, hands, places, base.scale, read.numbers)
        if exact is not None and exact[1] == 1:
            axes[i] = replace(axes[i], frequencies=exact[0])
    told = replace(base, axes=tuple(axes))
    if axes != list(base.axes) and is_exact(told, array, rows):
        yield told
    yield base


def unplaced(read: Read, shape: tuple[int, ...], lead: int, zeros: tuple[int, ...]) -> Reading:
    """All of a reading but the positions."""
    layout, axis = read.fit.columns, read.axes[0]
    first, sine, cosine = ORIENTATIONS[axis.quarter, axis.flip]
    second: Wave = "cos" if first == "sin" else "sin"
    signs = np.ones(shape[1])
    column, of_axis, pair, wave = list[int](), list[int](), list[int](), list[Wave]()
    turn = list[int]()
    for number, (group, fit) in enumerate(zip(read.groups, read.axes, strict=True)):
        index = np.where(fit.turning, np.cumsum(fit.turning) - 1, -1)
        own, *told = ORIENTATIONS[fit.quarter, fit.flip]
        order: tuple[Wave, Wave] = (first, second) if own == first else (second, first)
        for columns, name in zip((layout.one[group], layout.two[group]), order, strict=True):
            signs[columns + lead] = told[name == "cos"] * (sine, cosine)[name == "cos"]
            column += (columns + lead).tolist()
            of_axis += [number] * len(group)
            pair += index.tolist()
            wave += [name] * len(group)
            turn += (columns[fit.turning] + lead).tolist()
    if layout.lone and axis.turning.all():
        column.append(layout.lone[0] + lead)
        of_axis.append(0)
        pair.append(len(axis.turning))
        wave.append(second if "of the second" in layout.name else first)
    cells = Cells(np.array(column), np.array(of_axis), np.array(pair), tuple(wave))
    negated = tuple(signs.tolist()) if (signs < 0).any() else ()
    return Reading(
        layout.layout, first, tuple(Axis(fit.frequencies) for fit in read.axes), tuple(sorted(turn)),
        (sine, cosine), scale_of(read), read.shift, read.numbers.name, limit=read.fit.limit, zeros=zeros,
        shape=shape, cells=cells, afterwards=Afterwards(columns=negated),
    )  # fmt: skip


def scale_of(read: Read) -> float:
    """What entries were multiplied by, short as the type allows."""
    noise = read.noise
    scale = 1.0 if abs(read.fit.scale - 1) <= 4 * noise + 1e-6 and not read.shift else read.fit.scale
    top = read.fit.scale * float(max(np.abs(read.fit.hands.real).max(), np.abs(read.fit.hands.imag).max()))
    if read.numbers.name == "integers" and not read.shift and abs(top - scale) < 1:  # cut off, perhaps
        scale = top
    more = 0.016 if read.shift == BYTES[0] else noise + 1e-6
    even = abs(scale - abs(read.shift)) <= more * scale  # from 0 on, as a byte
    return abs(read.shift) if even else short(scale, noise / 4 + 4 * SINGLE)


def on_a_grid(base: Reading, read: Read, n: int) -> Reading:
    """Axes with the positions of a grid."""
    assert read.grid is not None
    axes = tuple(Axis(f.frequencies, p) for f, p in zip(read.axes, read.grid, strict=True))
    begin = read.grid[0].begin
    grid = None
    if len(axes) == 2:
        inner = 0 if read.grid[0].each == 1 else 1
        breadth, outer = read.grid[inner].count, read.grid[1 - inner]
        if outer.each == breadth and breadth * outer.count == n - begin:
            grid = (outer.count, breadth)
    return replace(base, axes=axes, grid=grid)


def with_places(base: Reading, read: Read, array: NDArray[Any], rows: Index, lead: int) -> Iterator[Reading]:
    """Axes with a position of its own for each row; first on a grid if most rows are on one."""
    axes, grid = list[Axis](), list[Positions]()
    for number, axis in enumerate(read.axes):
        places = every_place(read, number, array, rows, lead)
        axes.append(Axis(axis.frequencies, uneven(places, rows)))
        cells = gridded(places, 4 * max(float(axis.allowed.max()), 1e-6))
        grid += [] if cells is None else [cells]
    if len(grid) == len(axes) and len({(cells.each, cells.count) for cells in grid}) > 1:
        yield on_a_grid(base, read._replace(grid=tuple(grid)), len(array))
    yield replace(base, axes=tuple(axes))


def gridded(places: Float, apart: float) -> Positions | None:
    """A coordinate that most rows have by their place on a grid, whatever row is first; else None."""
    rows, new = np.arange(1, len(places)), np.abs(np.diff(places)) > apart
    each = max(divisors(len(places)), key=lambda run: int((new == (rows % run == 0)).sum()))
    cells = np.median(places.reshape(-1, each), axis=1)
    counts = (count for count in range(2, len(cells) // 2 + 1) if not len(cells) % count)
    same = (count for count in counts if np.mean(np.abs(cells[count:] - cells[:-count]) <= apart) > 0.5)
    count = next(same, len(cells))
    own = np.median(cells.reshape(-1, count), axis=0)
    step = whole(float(np.median(np.diff(own))), apart) if count > 1 else 0.0
    first = whole(float(np.median(own - step * np.arange(count))), apart)
    if not step or np.mean(np.abs(own - first - step * np.arange(count)) <= apart) <= 0.5:
        return None
    return Positions(first, first + step * (count - 1), step, each, count)


def every_place(read: Read, number: int, array: NDArray[Any], rows: Index, lead: int) -> Float:
    """The position of every row along an axis: those that were read, and of a long table all the others."""
    axis, group = read.axes[number], read.groups[number]
    result = np.zeros(len(array))
    if len(rows) < len(array):
        for start, stop in spans_of(*array.shape):
            hands = hands_of(array[start:stop, lead:].astype(np.float64), read)[:, group[axis.turning]]
            hands *= 1j**-axis.quarter
            found, _ = decoded(hands, axis.omega[axis.turning], np.zeros(stop - start), read.noise)
            result[start:stop] = axis.flip * found
    result[rows] = axis.places
    return result


def along_a_line(base: Reading, read: Read, array: NDArray[Any], rows: Index, lead: int) -> Iterator[Reading]:
    """One axis: on a line as it is, with each row several times, with a step rounded, and last uneven."""
    n, axis, noise = len(array), read.axes[0], read.noise
    names = over_all(axis.frequencies, base)
    hands = read.fit.hands[:, read.groups[0]]
    count, times = len(read.axes), copies(rows, n) if array[1].any() else 1

    def placed(positions: Positions, names: Frequencies = names, **other: Any) -> Reading:
        return replace(base, axes=(Axis(names, positions),) * count, **other)

    places = np.unwrap(axis.places) if names.octaves else axis.places
    sure = axis.miss <= np.maximum(axis.allowed, max(0.02, 2 * float(np.median(axis.miss))))
    line = snapped(sequence(rows, places, sure, noise, axis.fastest), axis, hands, rows, noise)
    if line.step is not None:
        ways = list(rounder(line.start, line.step, noise, rows[-1]))
        plain = [placed(on_line(*way, n, times), names) for way in ways]
        told = np.asarray(line.start + line.step * rows, dtype=np.float64)
        start, step = whole(line.start, 0.05), whole(ways[0][1], 1e-3 * min(1.0, abs(line.step)))
        first = others(read, base, names, np.float64(start) + step * rows)
        laws = (placed(on_line(start, short(step * by, 1e-9), n, times), law) for law, by in first)
        yield from filter(partial(is_exact, array=array, rows=rows), laws)
        yield from plain if not is_measured(names) else ()
        bent = read.fit.limit is None and not names.octaves
        if bent and (half := rounding_of(axis, hands, rows, told, noise, names)) is not None:
            on = on_line(*ends(half.places, rows), n, times)
            yield placed(on, half.names, rounding=(half.steps, half.kind))
        yield from plain if is_measured(names) else ()  # anything has some, so what was rounded comes first
        if not axis.exact and names.law in ("geometric", "blend", "own"):
            yield placed(on_line(line.start, line.step, n, times), as_they_are(np.array(names.values)))
    if not (names.octaves and line.step is not None and line.on.mean() > 0.5):
        yield placed(uneven(every_place(read, 0, array, rows, lead), rows))


def others(
    read: Read, base: Reading, names: Frequencies, places: Float
) -> Iterator[tuple[Frequencies, float]]:
    """Laws that are tried first, and by how much the step is off: that of small angles, or of most pairs."""
    hands = read.fit.hands[:, read.groups[0]] * read.fit.scale
    exact = of_small_angles(read.axes[0], hands, places, base.scale, read.numbers)
    if exact is not None:
        yield exact
    phases = read.fit.hands[:, read.groups[0]], places, read.noise, read.numbers.name in NARROW
    if (told := of_phases(read.axes[0], *phases)) is not None:
        yield told, 1.0
    if is_measured(names):  # a column may have been changed
        yield from ((law, 1.0) for law in law_of_most(names))


def is_exact(reading: Reading, array: NDArray[Any], rows: Index) -> bool:
    """Whether a table in float32 is rounded from what a reading says: programs in float32 make another.

    Of a base or a step that is not round they make one that is as near to it as float32 is.
    """
    made, few, axis = Rows(reading), evenly(rows, 16), reading.axes[0]
    if reading.number_type == "float64":
        off = np.abs(made.at(few) - array[few])[:, made.columns] / reading.scale
        return bool((off <= 8 * DOUBLE * (1 + np.abs(axis.at(few)))[:, np.newaxis]).mean() > 0.99)
    if reading.number_type != "float32":
        return True
    base, step = axis.frequencies.base or 1.0, axis.positions and axis.positions.step
    plain = roundness(max(base, 1 / base), 1e-9)[0] <= ROUND and not (step or 0.0) % 1
    told, apart = made.at(few), 0.0 if plain else 32 * SINGLE
    same = np.abs(told.astype(np.float32) - array[few]) <= apart * np.abs(told)
    return float(same[:, made.columns].mean()) > 0.99


def over_all(names: Frequencies, of: Reading) -> Frequencies:
    """The same progression over all columns, some of which are zero, where that base is rounder."""
    width = of.shape[1]
    if not of.zeros or names.law != "geometric" or not names.base or not names.over or names.octaves:
        return names
    base = names.base ** (width / names.over)
    rank, near = roundness(base, 1e-6) if 1 < base < 1e100 else (math.inf, base)
    if rank >= roundness(max(names.base, 1 / names.base), 1e-6)[0]:
        return names
    return replace(names, base=near, over=float(width), readings=((near, float(width)),))


def rounder(start: float, step: float, noise: float, last: int) -> Iterator[tuple[float, float]]:
    """A start and a step, first as whole numbers or with few digits if they are near to these.

    Or the step that ends in a whole number at the last row, as of numbers that are evenly spaced.
    """
    fine, digits = (1e-5, range(1, 8)) if noise > 1e-9 else (1e-7, range(1, 6))
    rough = 2 * noise / abs(step * last) if last else 0.0
    near = float(round(start)) if abs(start - round(start)) < 0.01 else start
    told = [(n, float(f"{step:.{n}g}")) for n in digits]
    few = [
        next((t for n, t in told if abs(t / step - 1) < max(tells(n, fine), more)), step)
        for more in (rough, 0.0)
    ]
    even = (round(start + step * last) - near) / last
    ends = [(near, even)] if abs(even / step - 1) < fine else []
    yield from dict.fromkeys([(near, few[0]), (near, few[1]), *ends, (near, step), (start, step)])


def on_line(start: float, step: float, n: int, times: int) -> Positions:
    """Positions along a line, where each row is there so many times."""
    if times > 1:
        apart = whole(step * times, 1e-6)
        return Positions(start, whole(start + apart * ((n - 1) // times), 1e-6), apart / times, each=times)
    return Positions(start, whole(start + step * (n - 1), 1e-9 * (1 + abs(start))), step)


def copies(seen: Index, n: int) -> int:
    """How often each row is there in a run, if those in ``seen`` are the first of each; else 1."""
    times = int(seen[1]) if seen.size > 1 else 1
    whole_runs = (seen == times * np.arange(seen.size)).all() and n - seen[-1] <= times
    return times if whole_runs else 1
