"""A sample of rows, read: layouts of pairs with the frequencies of each axis, the simplest first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.precision import SIGNIFICANT_BITS
from posread.fit.axes import AxisFit, on_the_ladder, read_axis, sequence, snapped
from posread.fit.hands import Complex, Index, evenly, tolerance
from posread.fit.number_types import Numbers, number_type, short, thinned, type_of_most
from posread.fit.rounding import NARROW, is_measured
from posread.reading import Positions
from posread.table.layouts import STRAY, Columns, Fit, candidates, fit, unequal

#: How often the middle of entries that were moved is found anew, at most.
CENTERED = 6
#: What is added to entries that become bytes.
BYTES = (127.5, 128.0, 127.0)
#: From so many entries.
MIDDLES = 2**17
#: An axis of a grid has no more coordinates.
COORDINATES = 4096
#: So many rows of one coordinate are compared, of which some may be spoilt.
SHARED = 9
#: And so many rows in a row at most.
LASTING = 5
#: Into so many axes pairs are divided, at most.
AXES = 4


class Read(NamedTuple):
    """A sample of rows as it was read."""

    fit: Fit
    axes: tuple[AxisFit, ...]
    groups: tuple[Index, ...]  # pairs of each axis
    numbers: Numbers
    shift: float
    grid: tuple[Positions, ...] | None = None  # of each axis, where rows go over a grid
    order: float = 0.0  # how far this is from the simplest, in fractions of rows
    changed: float = 0.0  # by how much an entry was changed after it was made, where that is looked for

    @property
    def held(self) -> float:
        """By how much the type rounds an entry, in units of the scale."""
        return max(self.numbers.error / self.fit.scale, 2.0**-53)

    @property
    def noise(self) -> float:
        """By how much an entry may be off."""
        return max(self.held, self.changed)


def reads(
    values: Float, rows: Index, shift: float, source: NDArray[Any], changed: bool = False
) -> Iterator[Read]:
    """Readings of a sample of rows, the likeliest first: one axis, then several that go over a grid.

    With `changed` all entries may be off by what sin^2 + cos^2 is off.
    """
    if len(rows) < 3:
        return
    for order, found in enumerate(fitting(values - shift if shift else values, candidates(values.shape[1]))):
        plain = Read(found, (), (), _numbers(values, shift, found), shift)
        if changed:
            plain = plain._replace(changed=found.spread)
        for groups in _options(found, plain.noise):
            read = _with_axes(plain, groups, rows, source)
            if read is None:
                continue
            several = len(read.groups) > 1 and found.columns.axes is None
            rest = sum(int((~axis.turning).sum()) for axis in read.axes) / len(found.columns.one)
            penalty = 0.01 * order + 0.1 * several + 0.1 * rest + 0.02 * len(found.columns.extra)
            yield read._replace(order=penalty + 0.2 * is_measured(read.axes[0].frequencies))


def reads_otherwise(values: Float, rows: Index, shift: float, source: NDArray[Any]) -> Iterator[Read]:
    """Readings that take longer: axes of different widths, and rows in no order."""
    if len(rows) < 3:
        return
    for layouts, any_order in ((unequal(values), False), (candidates(values.shape[1]), True)):
        for found in fitting(values - shift if shift else values, layouts):
            plain = Read(found, (), (), _numbers(values, shift, found), shift)
            groups = found.columns.axes or (np.arange(len(found.columns.one)),)
            read = _with_axes(plain, groups, rows, source, any_order)
            if read is not None:
                yield read._replace(order=0.2 * is_measured(read.axes[0].frequencies))


def fitting(values: Float, layouts: Iterable[Columns]) -> list[Fit]:
    """The layouts in which sin^2 + cos^2 is nearly the same everywhere; without columns to spare if any."""
    few = thinned(values)
    if len(few) < len(values):
        layouts = [one for one in layouts if (near := fit(one, few)) and near.stray < 4 * STRAY]
    fits = [found for columns in layouts if (found := fit(columns, values)) is not None]
    fits = [found for found in fits if found.stray < STRAY]
    whole = [found for found in fits if not found.columns.extra]
    return whole or fits


def _numbers(values: Float, shift: float, found: Fit) -> Numbers:
    """The type of the entries as they were before they were scaled, if that is narrower, or clipped."""
    if found.limit is not None:  # which may be no number of the type
        values = values[np.abs(values - shift) < found.limit * (1 - 1e-6)]
    numbers = number_type(values) if found.limit is not None else type_of_most(values)
    wide = ("float32", "float64")
    if (numbers.name in (*wide, "float16") or "decimals" in numbers.name) and abs(found.scale - 1) > 1e-6:
        for scale in dict.fromkeys([found.scale, short(found.scale, 2e-3)]):
            scaled = number_type(values - shift, scale)
            if scaled.name not in wide and scaled.error > numbers.error:
                return scaled
    return numbers


def _options(found: Fit, noise: float) -> Iterator[tuple[Index, ...]]:
    """Ways to give the pairs to axes: in runs that are the same, all to one, in other runs, or in turn."""
    columns, pairs = found.columns, np.arange(len(found.columns.one))
    if columns.axes is not None:
        yield columns.axes
        return
    for count in range(2, AXES + 1):
        if pairs.size % count == 0 and pairs.size >= 2 * count:
            groups = np.split(pairs, count)
            hands = [found.hands[:, group] for group in groups]
            if np.abs(hands[0] - hands[0][:, :1]).max() > 0.1 and _alike(hands, noise):
                yield tuple(groups)
    yield (pairs,)
    for count in range(2, AXES + 1):
        if pairs.size % count == 0 and pairs.size > count:
            yield tuple(np.split(pairs, count))
    if pairs.size % 2 == 0 and pairs.size > 4:
        yield pairs[0::2], pairs[1::2]


def _widths(columns: Columns, pairs: int, axes: int) -> list[float]:
    """The numbers of dimensions that may stand in the exponent, the usual one first."""
    own: list[float] = [2 * pairs, 2 * pairs - 2]
    if columns.lone:
        own = [2 * pairs + 1, 2 * pairs + 2, *own]
    if axes > 1:
        own += [2 * pairs * axes, 2 * pairs + 1]
    return own


def _with_axes(
    plain: Read, groups: tuple[Index, ...], rows: Index, source: NDArray[Any], any_order: bool = False
) -> Read | None:
    """The same with the axes of some groups of pairs; on a grid with their positions, too."""
    found, noise = plain.fit, plain.noise
    hands = [found.hands[:, group] for group in groups]
    if len(groups) == 1 or _alike(hands, noise):
        over = _widths(found.columns, len(groups[0]), 1)
        axis = read_axis(hands[0], rows, noise, over, any_order=any_order)
        if axis is None or len(groups[0]) < min(len(groups), 2):
            return None
        return plain._replace(axes=(axis,) * len(groups), groups=groups)
    grid = _on_a_grid(plain, Cloth(found, plain.shift, source[: rows[-1] + 1]), groups, rows)
    if grid is not None:
        return grid
    axes = []
    for own in hands:
        over = _widths(found.columns, own.shape[1], len(groups))
        axis = read_axis(own, rows, noise, over, any_order=any_order)
        if axis is None or (not axis.frequencies.octaves and not _plausible(axis, len(rows))):
            return None
        axes.append(axis)
    doubled = {axis.frequencies.octaves for axis in axes}
    if True in doubled and (False in doubled or any(map(_goes_on, hands[:-1], hands[1:]))):
        return None
    return plain._replace(axes=tuple(axes), groups=groups)


def _goes_on(hands: Complex, others: Complex) -> bool:
    """Whether the first of the others turn twice as fast as the last of the hands in most rows: one axis."""
    return bool(np.median(np.abs(others[:, 0] - hands[:, -1] ** 2)) < 1e-3)


def _alike(hands: list[Complex], noise: float) -> bool:
    """Whether all groups of pairs are the same."""
    first, *rest = hands
    return all(own.shape == first.shape and bool(np.abs(own - first).max() <= 8 * noise) for own in rest)


class Cloth(NamedTuple):
    """The hands of any rows of a table in a layout."""

    fit: Fit
    shift: float
    source: NDArray[Any]

    def hands(self, rows: Index, group: Index) -> Complex:
        """Those of a group of pairs."""
        columns = self.fit.columns.one[group], self.fit.columns.two[group]
        a, b = (self.source[np.ix_(rows, part)].astype(np.float64) - self.shift for part in columns)
        return np.asarray((b + 1j * a) / self.fit.scale)

    def usual_hands(self, at: Index, each: int, group: Index) -> Complex:
        """Those of rows, each the middle of some rows that share its coordinate: one may be spoilt."""
        room, period = len(self.source) - 1 - int(at[-1]), each * len(at)
        inner = evenly(np.arange(each), SHARED)
        offsets = (inner + period * np.arange(SHARED)[:, np.newaxis]).ravel()
        offsets = offsets[offsets <= room][:SHARED]
        offsets = offsets[: (len(offsets) - 1) // 2 * 2 + 1]

        def middle(some: Index) -> Complex:
            hands = np.array([self.hands(some + offset, group) for offset in offsets])
            return np.asarray(np.median(hands.real, axis=0) + 1j * np.median(hands.imag, axis=0))

        return np.concatenate([middle(some) for some in np.split(at, range(16, len(at), 16))])


def _on_a_grid(plain: Read, cloth: Cloth, groups: tuple[Index, ...], rows: Index) -> Read | None:
    """The same with each axis by the rows in which its coordinate is another, if rows go over a grid."""
    axes, positions, begin, noise = list[AxisFit](), list[Positions](), int(rows[0]), plain.noise
    joined = _joined(cloth, groups, begin, 8 * noise + 1e-5)
    if len(joined) < 2:
        return None  # one line, and no grid
    for group, each, at in joined:
        over = _widths(cloth.fit.columns, len(group), len(joined))
        own, index = cloth.usual_hands(at, each, group), np.arange(len(at))
        axis = read_axis(own, index, noise, over)
        if axis is None or axis.good < 0.5 or len(axis.frequencies.values) < 2:
            return None
        names, far = axis.frequencies, float(np.abs(axis.places).max()) > 20 * len(at)
        if noise > 1e-3 and (is_measured(names) or names.rising or far):  # to which anything fits
            return None
        line = sequence(index, axis.places, axis.miss <= 0.02, noise, axis.fastest)
        line = snapped(line, axis, own, index, noise)
        places = uneven(axis.places, index)
        if line.step is not None and line.on.mean() > 0.5:
            places = Positions(line.start, line.start + line.step * (len(at) - 1), line.step)
        placed = places.over(each, len(at), begin)
        if axes:
            before = sum(len(other.turning) for other in axes)
            names, placed = on_the_ladder(axis.frequencies, placed, axes[0].frequencies, before)
            axis = axis._replace(frequencies=names)
        positions.append(placed)
        axes.append(axis)
    told = tuple(group for group, _, _ in joined)
    return plain._replace(axes=tuple(axes), groups=told, grid=tuple(positions))


def _joined(
    cloth: Cloth, groups: tuple[Index, ...], begin: int, apart: float
) -> list[tuple[Index, int, Index]]:
    """Groups of pairs that go over the rows in different ways, with these; nothing if one does in none."""
    result: list[tuple[Index, int, Index]] = []
    for group in groups:
        cells = _cells(cloth, group, begin, apart)
        if cells is None:
            return []
        each, at = cells
        if result and result[-1][1] == each and np.array_equal(result[-1][2], at):
            group = np.concatenate([result.pop()[0], group])
        result.append((group, each, at))
    return result


def _cells(cloth: Cloth, group: Index, begin: int, apart: float) -> tuple[int, Index] | None:
    """How many rows share a coordinate, and the rows at which it is another until it begins again."""
    n, few = len(cloth.source), evenly(group, 8)
    first = cloth.hands(np.array([begin]), few)

    def others(rows: Index) -> NDArray[np.bool_]:
        return np.asarray(np.abs(cloth.hands(rows, few) - first).max(axis=1) > apart)

    each = _each(cloth, few, begin, others, apart)
    if not each:
        return None
    at = np.arange(begin, n, each)[: COORDINATES + 1]
    inner = evenly(np.arange(each), LASTING)
    rows = [cloth.hands(np.minimum(at + row, n - 1), few) for row in inner]
    own = np.median(np.real(rows), axis=0) + 1j * np.median(np.imag(rows), axis=0)
    gaps = np.zeros(len(at), np.intp)  # from some cells, since one may be spoilt, to the next like them
    for cell in own[:LASTING]:
        again = np.flatnonzero(np.abs(own - cell).max(axis=1) <= apart)
        gaps += np.bincount(np.diff(again), minlength=len(at))[: len(at)]
    count = int(np.argmax(gaps[2:])) + 2 if gaps[2:].any() else len(at)
    if count < len(at):
        same = np.abs(own[count:] - own[:-count]).max(axis=1) <= apart
        count = count if same.mean() > 0.5 else len(at)
    if not 2 <= count <= COORDINATES or count == n - begin:
        return None
    return each, at[:count]


def _each(
    cloth: Cloth, few: Index, begin: int, others: Callable[[Index], NDArray[np.bool_]], apart: float
) -> int:
    """How many rows have one coordinate, by the first rows in a row that have another; 0 if none has."""
    n = len(cloth.source)
    for start in range(begin, n - 1, 2048):
        off = others(np.arange(start, min(start + 2048 + LASTING, n)))
        if off[:-1].any() and (off[:-1] & off[1:]).any():
            break
    else:
        return 0
    tried = list[int]()
    for length in range(2, min(LASTING, len(off)) + 1):  # rows that are spoilt may come in a row, too
        lasting = np.lib.stride_tricks.sliding_window_view(off, length).all(axis=1)
        if lasting.any():
            tried.append(start + int(np.argmax(lasting)) - begin)
    tried = [each for each in dict.fromkeys([*tried, *divisors(n - begin)]) if each]
    rows = np.arange(begin, min(n, begin + 2048))
    hands = cloth.hands(rows, few)
    new = np.abs(np.diff(hands, axis=0)).max(axis=1) > apart
    return max(tried, key=lambda each: int((new == ((rows[1:] - begin) % each == 0)).sum()))


def uneven(places: Float, rows: Index) -> Positions:
    """Positions that no step tells."""
    return Positions(float(places[rows[0]]), float(places[rows[-1]]), None, places=tuple(places.tolist()))


def divisors(count: int) -> list[int]:
    """All that divide a number, but itself."""
    rows = np.arange(1, count)
    return [int(row) for row in rows[count % rows == 0]]


def _plausible(axis: AxisFit, n: int) -> bool:
    """Whether an axis has the positions of a grid; few pairs fit anything."""
    few = len(axis.frequencies.values) < 3 or axis.frequencies.rising
    if few or axis.good < 0.9 or np.abs(axis.places).max() > 20 * n + 1000:
        return False
    distinct = np.diff(np.sort(axis.places)) > max(float(axis.allowed.max()), 1e-6) * 4
    return 1 + int(distinct.sum()) <= 0.75 * n


def rescaled(read: Read, values: Float) -> Read:
    """The same, with the error of half precision if entries were rounded to it first and scaled then.

    Rounding is in proportion to an entry, which tells it from changes that training makes.
    """
    axes = read.axes
    narrow = read.numbers.name in ("float32", "float64") and read.grid is None
    narrow &= len(read.fit.columns.one) > 1  # one pair has a place for any angle
    if not narrow or min(axis.good for axis in axes) > 0.5:
        return read
    told = told_by(read)
    layout = read.fit.columns
    seen = np.concatenate([values[:, layout.one], values[:, layout.two]], axis=1) - read.shift
    scale = float((told * seen).sum() / (told**2).sum())
    if abs(scale - 1) < 1e-3:  # they were not scaled, and the type is the one that they have
        return read
    for kind in reversed(NARROW):
        error = 2.0 ** -SIGNIFICANT_BITS[kind]
        off, large = np.abs(seen / scale - told), np.abs(told) > 0.5
        small = np.abs(told) < 0.1
        if off.max() <= 2 * error and small.any() and off[small].mean() < 0.35 * off[large].mean():
            axes = tuple(axis._replace(allowed=tolerance(axis.places, axis.omega, error)) for axis in axes)
            return read._replace(axes=axes, numbers=Numbers(kind, error * scale))
    return read


def told_by(read: Read) -> Float:
    """What a reading of rows, each with a place of its own, says of the first and the second of each pair."""
    hands = np.zeros(read.fit.hands.shape, np.complex128)
    for group, axis in zip(read.groups, read.axes, strict=True):
        hands[:, group] = axis.hands(axis.places)
    return np.concatenate([hands.imag, hands.real], axis=1)


def middles(values: Float) -> Iterator[float]:
    """What may have been added to all entries: with it sin^2 + cos^2 = a (sin + cos) + b in some layout."""
    values = values[:: 1 + values.size // MIDDLES]
    if values.min() >= 0 and 250 < values.max() < 256 and not (2 * values % 1).any():
        yield from BYTES
    for columns in candidates(values.shape[1]):
        one, two = values[:, columns.one], values[:, columns.two]
        sums, squares = (one + two).ravel(), (one**2 + two**2).ravel()
        used = np.ones(len(sums), bool)
        slope, radius, far = 0.0, 0.0, sums
        for _ in range(CENTERED):  # some may be spoilt
            wave = sums[used] - sums[used].mean()
            slope = float((wave * squares[used]).sum() / max(float((wave**2).sum()), 1e-300))
            off = squares - slope * sums
            middle = float(np.median(off))
            radius, far = middle + slope**2 / 2, np.abs(off - middle)
            used = far <= 4 * np.median(far) + 1e-12
        if columns.extra or radius <= 0 or used.mean() < 0.5 or abs(slope) < 0.02 * math.sqrt(radius):
            continue
        if np.median(far) < STRAY * radius:
            yield from (short(slope / 2, 1e-3), slope / 2)


def hands_of(values: Float, read: Read) -> Complex:
    """The hands of rows, by the layout that was read."""
    one, two = read.fit.columns.one, read.fit.columns.two
    hands = (values[:, two] + 1j * values[:, one] - read.shift * (1 + 1j)) / read.fit.scale
    return np.asarray(hands, dtype=np.complex128)
