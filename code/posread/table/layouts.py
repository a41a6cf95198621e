"""Which columns form pairs: the layouts that are tried, and how well each fits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.precision import SIGNIFICANT_BITS
from posread.fit.hands import Complex, Index
from posread.fit.rounding import narrow
from posread.reading import Layout

#: A layout fails if sin^2 + cos^2 strays by more than this fraction in one entry of ten.
STRAY = 0.06
#: Axes of different widths are looked for among coordinates up to this one.
LARGEST_COORDINATE = 256
#: So near the sine of a whole number is one; those of all coordinates are farther apart but for few.
WHOLE = 2e-5


class Columns(NamedTuple):
    """A way to make pairs of columns, and perhaps to give these to axes."""

    layout: Layout
    name: str
    one: Index  # of each pair the column that comes first
    two: Index
    axes: tuple[Index, ...] | None  # pairs of each axis; None where the columns do not say
    lone: tuple[int, ...] = ()  # a sine or cosine without its partner
    extra: tuple[int, ...] = ()  # columns before


def _blocks(start: int, width: int, count: int) -> tuple[Index, Index, tuple[Index, ...]]:
    """Halves within each of `count` blocks."""
    size = width // count
    half = size // 2
    one = np.concatenate([start + size * a + np.arange(half) for a in range(count)])
    return one, one + half, tuple(half * a + np.arange(half) for a in range(count))


def candidates(width: int) -> Iterator[Columns]:
    """All layouts that are tried, the simplest first."""
    for lead in range(4):
        w = width - lead
        extra = tuple(range(lead))
        if w < 2:
            return
        more = f", after {lead} column{'s' * (lead > 1)} more" if lead else ""
        even = np.arange(lead, lead + w - 1, 2)
        half = w // 2
        if w % 2 == 0:
            yield Columns("interleaved", "interleaved" + more, even, even + 1, None, (), extra)
            rows = lead + np.arange(half)
            yield Columns("halves", "halves" + more, rows, rows + half, None, (), extra)
            for count in (2, 3, 4):
                if w % (2 * count) == 0 and w > 2 * count:
                    name = f"halves for each of {count} axes{more}"
                    yield Columns("quarters", name, *_blocks(lead, w, count), (), extra)
            for count in (2, 3):
                if w % (2 * count) == 0 and w > 2 * count and lead in (0, count):
                    firsts = lead + np.arange(w).reshape(-1, 2, count)[:, 0].ravel()
                    pairs = np.arange(firsts.size).reshape(-1, count)
                    yield Columns(
                        "blocks", f"sines and cosines of {count} axes by frequency{more}", firsts,
                        firsts + count, tuple(pairs[:, a] for a in range(count)), (), extra,
                    )  # fmt: skip
        elif not lead:
            last = width - 1
            yield Columns("interleaved", "interleaved", even, even + 1, None, (last,))
            rows = np.arange(half)
            yield Columns("halves", "halves, one more of the first", rows, rows + half + 1, None, (half,))
            yield Columns("halves", "halves, one more of the second", rows, rows + half, None, (last,))


def unequal(values: Float) -> Iterator[Columns]:
    """Axes of different widths, as of a video: an axis begins where a pair turns by whole numbers.

    The first frequency of each is 1, and the coordinates of an image or a video are whole and few.
    """
    angles = np.arange(LARGEST_COORDINATE + 1)
    width = values.shape[1]

    def whole(waves: Float) -> list[int]:
        """The columns that hold one of these values in nearly each row, and not one value alone."""
        ordered = np.sort(waves)
        at = np.clip(np.searchsorted(ordered, values), 1, len(ordered) - 1)
        off = np.minimum(np.abs(values - ordered[at]), np.abs(values - ordered[at - 1])) > WHOLE
        return np.flatnonzero((off.mean(axis=0) < 0.05) & (np.ptp(values, axis=0) > 0.1)).tolist()

    sines, cosines = whole(np.sin(angles)), whole(np.cos(angles))
    begins = [c for c in range(0, width - 1, 2) if c in sines and c + 1 in cosines]
    begins = begins or [c for c in range(0, width - 1, 2) if c in cosines and c + 1 in sines]
    if 2 <= len(begins) <= 4 and begins[0] == 0 and width % 2 == 0:
        even = np.arange(0, width, 2)
        axes = np.split(np.arange(width // 2), [begin // 2 for begin in begins[1:]])
        yield Columns("interleaved", "interleaved, in axes of different widths", even, even + 1, tuple(axes))
    for first, second in ((sines, cosines), (cosines, sines)):
        halves = _halves(first, second, width)
        if 2 <= len(halves) <= 4:
            axes = np.split(np.arange(width // 2), np.cumsum(halves[:-1]))
            # Before an axis there are two columns for each pair of the axes before it.
            one = np.concatenate([pairs + pairs[0] for pairs in axes])
            two = one + np.repeat(halves, halves)
            yield Columns("quarters", "halves for each of several axes", one, two, tuple(axes))


class Fit(NamedTuple):
    """How a layout fits a sample of rows."""

    columns: Columns
    hands: Complex  # (rows, pairs): second + i first, on the unit circle; no rows if the fit is poor
    scale: float
    limit: float | None  # at which entries are clipped
    stray: float

    @property
    def spread(self) -> float:
        """About the standard error of entries that were changed, in units of the scale."""
        return float(np.median(np.abs(np.abs(self.hands) ** 2 - 1)))


def fit(columns: Columns, values: Float) -> Fit | None:
    """The pairs of a layout, if sin^2 + cos^2 is nearly the same everywhere: else `stray` is large."""
    a, b = values[:, columns.one], values[:, columns.two]
    larger = np.maximum(np.abs(a), np.abs(b))
    top = float(larger.max(initial=0.0))
    if not top or not a.size:
        return None
    free, squares = larger < top * (1 - 1e-6), a**2
    squares += b**2
    del larger
    middle, chosen = _middle(squares, free)
    if middle <= 0:
        return None
    scale = math.sqrt(middle)
    both = top == max(a.max(), b.max()) == -min(a.min(), b.min())
    kind = narrow(np.array([top]))
    half = 2.0 ** -SIGNIFICANT_BITS[kind] if kind else 0.0
    below = 0.999 - half if both else 0.98  # near to 1 only if both ends are there
    clipped = top < below * scale and float((~free).mean()) > 0.02 and int((~free).sum()) >= 2
    stray = _stray(chosen if clipped else squares, middle)
    del chosen
    if clipped:  # signs alone, of which no angle can be told
        none = float((np.minimum(np.abs(a), np.abs(b)) >= top * (1 - 1e-6)).mean()) > 0.9
    else:  # a pair that is none
        none = columns.extra == () and bool((np.abs(np.median(squares, axis=0) / middle - 1) > 0.5).any())
    stray = max(stray, 1.0) if none else stray
    limit = top if clipped else None
    if stray >= STRAY:
        return Fit(columns, np.zeros((0, len(columns.one)), np.complex128), scale, limit, stray)
    if limit is not None:
        a, b = _completed(a, b, middle, limit)
    hands = np.asarray((b + 1j * a) / scale, dtype=np.complex128)
    return Fit(columns, hands, scale, limit, stray)


def _middle(squares: Float, free: NDArray[np.bool_]) -> tuple[float, Float]:
    """The usual sin^2 + cos^2, by those that are not at the limit if many are; and these."""
    chosen = squares[free] if free.any() else squares.ravel()
    middle = float(np.median(squares))
    if free.any() and float((~free).mean()) > 0.02 and middle < 0.9999 * float(np.median(chosen)):
        middle = float(np.median(chosen))
    return middle, chosen


def _stray(squares: Float, middle: float) -> float:
    """By how much squares stray from their middle in one entry of ten."""
    off = squares.ravel() / middle
    off -= 1
    return float(np.quantile(np.abs(off, out=off), 0.9, overwrite_input=True))


def _completed(a: Float, b: Float, middle: float, limit: float) -> tuple[Float, Float]:
    """The two of each pair, of which what was cut off one the other still tells."""
    whole_a = np.sign(a) * np.sqrt(np.maximum(middle - b**2, 0))
    whole_b = np.sign(b) * np.sqrt(np.maximum(middle - a**2, 0))
    cut_a, cut_b = (np.abs(x) >= limit * (1 - 1e-6) for x in (a, b))
    return np.where(cut_a & ~cut_b, whole_a, a), np.where(cut_b & ~cut_a, whole_b, b)


def _halves(first: list[int], second: list[int], width: int) -> list[int]:
    """The sizes of halves in a row, by the columns where each begins; nothing if they do not fit."""
    begin, halves = 0, list[int]()
    while begin < width and begin in first:
        half = next((c for c in second if c > begin), width) - begin
        halves.append(half)
        begin += 2 * half
    return halves if begin == width else []
