"""`diagnose`: readings of a table are tried, the likeliest first, until one rebuilds it."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float
from posread import report
from posread.fit.hands import Index, decoded, evenly, precision, tolerance
from posread.fit.number_types import SINGLE, check_finite, is_fine, numbers_of, rounded_up, thinned
from posread.problem import Problem
from posread.programs import programs
from posread.reading import Axis, Cells, Diagnosis, Positions, Reading
from posread.rebuild import CUT, Rows, spans_of
from posread.rules import Evidence, is_usual, problems_of
from posread.table import unpaired
from posread.table.gate import NOISIEST, Check, check, in_type, near, with_columns
from posread.table.layouts import candidates, fit
from posread.table.mended import mended
from posread.table.pairing import Read, hands_of, middles, reads, reads_otherwise, rescaled, uneven
from posread.table.row_positions import UNEVEN, readings

__all__ = ["diagnose"]

#: Tables with no more rows and entries are read whole; of others some rows are read, and the rest compared.
MANY, ENTRIES = 2048, 2**21
#: Rows that stray and are looked at one by one, at most.
STRAYS = 1024
#: Tables with as many entries may be noise, which is seen by so many rows in four places.
LARGE, SOME = 2**16, 64
#: A table that begins again is read by its first part if that has so many rows, and so much is as before.
PERIOD, AGAIN = 64, 0.9
#: A reading that more rows miss is none; and one of rows on straight lines if more do.
MOST, SPOILT, HALF = 0.5, 0.1, 0.4
#: The typical row of a table that was changed may be off by so much.
NOISE = 0.08
#: Rows that were drawn out go no farther.
FARTHEST = 1e9
#: So large a part of what is left of a column may be in proportion to it.
SYSTEMATIC = 0.2
#: Where entries are rounded by more, two or three pairs tell no far position and no frequencies of their own.
ROUGH = 1e-4


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
    A reading is accepted only if the table that it says agrees with the one that was given, within what the
    type of the numbers and that of its ``angles`` round away, in all rows but its ``rows_off``;
    ``found.reading.rebuild()`` returns that table. Noise is read up to about 0.02 an entry; an encoding under
    a norm is not read.

    A base and a number of dimensions enter the frequencies only together: base 10,000 over d is base
    10,000^((d-2)/d) over d - 2. The rounder reading comes first, and others that are as round beside it.
    In float32 a base that is off a usual one by less than 2 in a million is read as that, unless no other
    rebuilds the table bit by bit.

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
    array = as_rows(table)
    if array.ndim == 1:
        return replace(unpaired.line(array.astype(np.float64)), line=True)
    found = of_a_cast(array, read_table(array))
    named = {"equal-rows", "clipped", "zero-rows"} & set(found.kinds)
    if found.reading is None and not named and array.shape[1] >= 3:
        turned = read_table(array.T)
        if turned.reading is not None and not turned.reading.noise:
            return replace(turned, problems=[report.TRANSPOSED, *turned.problems])
    if found.reading is None and {"unread", "unpaired-frequencies", "columns-shuffled"} & set(found.kinds):
        return mended(array, read_table) or found
    if found.reading is not None and is_doubtful(found, found.reading):
        better = mended(array, read_table)
        if better is not None and better.reading is not None and not is_doubtful(better, better.reading):
            return better
    return found


def of_a_cast(array: NDArray[Any], found: Diagnosis) -> Diagnosis:
    """A reading of whole numbers whose rest a cast has cut off, if no other rounds to them."""
    rounds = found.reading is not None and not found.reading.number_type.endswith(CUT)
    if rounds or (thinned(array) % 1).any() or array.shape[1] < 3:
        return found
    other = read_table(array + 0.5 * np.sign(array.astype(np.float64)))
    return found if other.reading is None else other


def is_doubtful(found: Diagnosis, reading: Reading) -> bool:
    """Whether a reading leaves so much out that a table with a part put right may be read better."""
    uneven = bool(reading.rows_off.size) and reading.axes[0].uneven
    return uneven or reading.noise > 0 or "extra-columns" in found.kinds


def is_noise(array: NDArray[Any]) -> bool:
    """Whether a large table has, where it is tried, no pairs, and next to no column that is a wave."""
    n = len(array)
    if array.size < LARGE or n < 4 * SOME:
        return False
    for start in np.linspace(0, n - SOME, 4).astype(int):
        values = array[start : start + SOME].astype(np.float64)
        here, ends = values[1:-1], values[:-2] + values[2:]  # of a wave ends are 2 cos(omega) times here
        here, ends = here - here.mean(axis=0), ends - ends.mean(axis=0)
        both, power = (ends * here).sum(axis=0), (here**2).sum(axis=0) * (ends**2).sum(axis=0)
        fits = (fit(columns, values) for columns in candidates(values.shape[1]))
        if np.quantile(both**2 / np.maximum(power, 1e-300), 0.9) > 0.5:
            return False
        if any(found is not None and found.stray < 0.15 for found in fits):
            return False
    return True


def as_rows(table: ArrayLike) -> NDArray[Any]:
    """A table as rows and columns of real numbers, or a line of numbers; checked."""
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
    if array.ndim == 1 and array.dtype.kind != "c" and array.size >= 2:
        return array
    if array.dtype.kind == "c" and array.ndim == 2:
        array = np.stack([array.real, array.imag], axis=-1).reshape(len(array), -1)
    if array.ndim != 2 or array.shape[0] < 3 or array.shape[1] < 2:
        raise ValueError(f"table must have the shape (rows >= 3, columns >= 2), got {shape}")
    return array


@dataclass(frozen=True)
class Given:
    """A table, and the rows of it that are read."""

    array: NDArray[Any]
    rows: Index  # that are read
    sample: Float
    alive: NDArray[np.bool_]  # those that are not zero
    repeats: NDArray[np.bool_]  # those that an earlier row equals
    again: Index  # rows from which on the table is there again, of which none is read

    @classmethod
    def of(cls, array: NDArray[Any], whole: bool = False) -> Given:
        """The same with a sample of its rows, or with all; of a table that begins again its first part."""
        n, again = beginning_again(array)
        rows = np.arange(n) if whole else sampled(n, array.shape[1])
        rows = np.union1d(rows, evenly(n + np.flatnonzero(~again[n:]), SOME))
        sample = array[rows].astype(np.float64)
        alive: NDArray[np.bool_] = np.asarray(sample.any(axis=1))
        return cls(array, rows, sample, alive, repeats_in(sample, alive), np.flatnonzero(again))

    @property
    def is_whole(self) -> bool:
        """Whether each row is read, or equals one that is."""
        return len(self.rows) + len(self.again) == len(self.array)


@dataclass(frozen=True)
class Found:
    """A reading that was accepted, and how it came about."""

    check: Check
    read: Read
    lead: int

    @property
    def angles(self) -> float:
        """How fine angles are; as those in float32 where a column may have another frequency instead."""
        return SINGLE if self.check.reading.afterwards.spoilt else self.check.angles

    @property
    def on_lines(self) -> bool:
        """Whether steps tell the positions of all axes."""
        return not any(axis.uneven for axis in self.check.reading.axes)

    @property
    def perfect(self) -> bool:
        """Whether each row of the sample is rebuilt, by no noise, by a law and a step or octaves."""
        reading = self.check.reading
        told = self.on_lines and all(axis.frequencies.law != "own" for axis in reading.axes)
        how = reading.afterwards  # one column may be a frequency, too
        told &= not how.spoilt and (not how.columns or len(how.singled) > 1)
        told &= len({*_firsts(reading)}) == 1
        told |= reading.axes[0].frequencies.octaves
        return told and not self.check.off.any() and not reading.noise

    def decode(self, values: Float, number: int, omega: Float, hints: Float) -> tuple[Float, Float]:
        """Positions of rows along an axis, near to hints, and by how much they miss them."""
        layout, axis, group = self.read.fit.columns, self.read.axes[number], self.read.groups[number]
        width = self.lead + max(int(layout.one.max()), int(layout.two.max())) + 1
        hands = hands_of(values[:, self.lead : width], self.read)[:, group[axis.turning]] * 1j**-axis.quarter
        if hands.shape[1] != len(omega):
            return hints, np.full(len(hints), np.inf)
        where, miss = decoded(hands, omega, axis.flip * hints, self.read.noise)
        return axis.flip * where, miss


def _firsts(reading: Reading) -> list[str]:
    """What comes first in each axis."""
    cells = reading.cells
    return [cells.wave[int(np.argmax(cells.axis == axis))] for axis in range(len(reading.axes))]


def read_table(array: NDArray[Any], whole: bool = False) -> Diagnosis:
    """Read a table of pairs, or else of sines or cosines alone, by a sample of its rows or as a whole."""
    given = Given.of(array, whole)
    n_columns = array.shape[1]
    blank = filled_in_part(given)
    if blank is not None:
        return blank
    found = None if (noise := is_noise(array)) else search(given)
    if found is None:
        return without_pairs(given, waves=not noise)
    held = on_all_rows(given, found)
    if held is None and not given.is_whole and len(array) <= MANY and array.size <= 2 * ENTRIES:
        return read_table(array, whole=True)
    if held is None:
        return without_pairs(given)
    seen = evidence(given, found, held)
    reading = seen.reading
    if not seen.moved.size and not seen.astray.size:
        reading = replace(reading, programs=programs(reading, seen.zero_rows))
    return Diagnosis(n_columns, reading, problems_of(replace(seen, reading=reading)))


def sampled(n: int, width: int) -> Index:
    """The rows that are read: all of them, or the first ones, the last ones and a few between, two by two."""
    if n <= MANY and n * width <= ENTRIES:
        return np.arange(n)
    far = np.linspace(0, n - 2, 16).astype(int)
    powers = np.array([2**k + shift for k in range(8, 40) for shift in (-1, 0, 1, 2)])
    near = np.arange(min(272, max(96, ENTRIES // (8 * width))))
    chosen = np.concatenate([near, far, far + 1, powers, np.arange(n - 8, n)])
    return np.unique(chosen[(chosen >= 0) & (chosen < n)])


def beginning_again(array: NDArray[Any]) -> tuple[int, NDArray[np.bool_]]:
    """After how many rows a table begins again and goes on as before, and of which of all rows that is true.

    A few may be spoilt.
    """
    few, n = array[:, :: 1 + array.shape[1] // 16], len(array)
    for anchor in (0, 5):  # of which one may be spoilt
        alike = (few[anchor + PERIOD :] == few[anchor : anchor + 1]).all(axis=1)
        for start in (PERIOD + np.flatnonzero(alike)[:4]).tolist():
            again = np.zeros(n, bool)
            for row, end in spans_of(n - start, array.shape[1]):
                again[start + row : start + end] = (array[start:][row:end] == array[row:end]).all(axis=1)
            if again[start:].mean() > AGAIN:
                return start, again
    return n, np.zeros(n, bool)


def repeats_in(sample: Float, alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows that an earlier row equals."""
    seen: dict[bytes, int] = {}
    result = np.zeros(len(sample), bool)
    for i in np.flatnonzero(alive).tolist():
        key = hashlib.blake2b((sample[i] + 0.0).tobytes(), digest_size=16).digest()
        result[i] = seen.setdefault(key, i) != i
    return result


def filled_in_part(given: Given) -> Diagnosis | None:
    """A table that holds nothing, one row in each place, or one or two rows and zeros."""
    array, n_columns = given.array, given.array.shape[1]
    alive = given.sample[given.alive]
    if len(alive) > 2 and not (alive == alive[0]).all():
        return None
    full = np.flatnonzero(array.any(axis=1))
    zero = np.setdiff1d(np.arange(len(array)), full)
    if not full.size:
        return Diagnosis(n_columns, None, [report.ALL_ZERO])
    if full.size < 3:
        return Diagnosis(n_columns, None, [report.zero_rows(zero)])
    spans = spans_of(len(full), n_columns)
    if not all((array[full[start:stop]] == array[full[0]]).all() for start, stop in spans):
        return None
    if not zero.size:
        return Diagnosis(n_columns, None, [report.equal_rows(len(array))])
    return Diagnosis(n_columns, None, [report.repeated_rows(full[1:], 1), report.zero_rows(zero)])


def windows(given: Given) -> list[tuple[int, int]]:
    """Columns that may hold the encoding: all of them, or without zeros in front and behind."""
    used = np.flatnonzero(given.sample.any(axis=0))
    n_columns = given.array.shape[1]
    width = int(used[-1]) + 1
    if width % 2 and width < n_columns:  # a sine that is zero throughout belongs to its cosine
        width += 1
    lead = int(used[0]) - int(used[0]) % 2
    parts = [(0, n_columns), (lead, width), (0, width)]
    return list(dict.fromkeys([*parts, (int(used[0]), width)] if used[0] % 2 else parts))


def search(given: Given) -> Found | None:
    """The first reading that rebuilds all rows of the sample; else the one that rebuilds most."""
    best = _with_repeats(given) if given.repeats.any() else None
    if best is not None and best[1].perfect:
        return best[1]
    parts = windows(given)
    kept = np.flatnonzero(given.alive & ~given.repeats)
    for begin, end in parts:
        for key, found in strict_first(_readings_of(given, kept, begin, end)):
            if best is None or (found.angles, key) < (best[1].angles, best[0]):
                best = key, found
            if best[1].perfect and best[1] is found and not found.read.fit.columns.extra:
                return found
        if best is not None and best[0] < 0.05:
            return best[1]
    if best is None or best[0] >= MOST:
        best = min([*filter(None, [best]), *_last_resorts(given)], key=lambda pair: pair[0], default=None)
    return None if best is None else best[1]


Keyed = tuple[float, Found]


def _with_repeats(given: Given) -> Keyed | None:
    """A reading of all rows, if it explains repeated ones, which are none then: a wave of whole rows."""
    alive, best = np.flatnonzero(given.alive), list[Keyed]()
    for begin, end in windows(given):
        for key, found in strict_first(_readings_of(given, alive, begin, end)):
            if found.perfect:
                return key, found
            off = found.check.off[given.repeats[alive]].mean()
            if found.on_lines and off < MOST and not found.check.reading.noise:
                best.append((key, found))
    return min(best, key=lambda pair: pair[0], default=None)


def _readings_of(
    given: Given,
    kept: Index,
    begin: int,
    end: int,
    shift: float = 0.0,
    of: Callable[[Float, Index, float, NDArray[Any]], Iterator[Read]] = reads,
) -> Iterator[Keyed]:
    sample = given.sample if len(kept) == len(given.rows) else given.sample[kept]
    values, rows = sample[:, begin:end], given.rows[kept]
    zeros = tuple([*range(begin), *range(end, given.array.shape[1])])
    source = given.array[:, begin:end]
    for read in (version for first in of(values, rows, shift, source) for version in versions(first, values)):
        if explains_much(read, begin) or (begin % 2 and read.fit.columns.lone):  # whose partner is zero
            continue
        for reading in readings(read, given.array, rows, begin, zeros):
            reading = with_coordinates(reading, read, sample, rows)
            found = in_type(checked(reading, read, sample, rows, begin), sample, read.held)
            if found is None:
                continue
            reading = found.reading
            penalty = 0.1 * read.order + odds_of(reading)
            bent = read.fit.columns.extra or reading.limit is not None  # of which much fits
            if (bent and found.fraction > 0.1) or not is_proven(found, read.held):
                continue
            found = as_drawn(found, sample, read.held)
            if found.fraction <= MOST:
                yield found.fraction + penalty, Found(found, read, begin)
            elif (changed := as_changed(found, sample, read.held)) is not None:
                yield MOST + typical_of(changed) + penalty, Found(changed, read, begin)


def strict_first(keyed: Iterator[Keyed]) -> Iterator[Keyed]:
    """The same, where a perfect reading of one layout waits for one that holds to the digits of the type."""
    waiting: Keyed | None = None
    for key, found in keyed:
        if waiting is not None and found.read is not waiting[1].read:
            yield waiting
            waiting = None
        if found.perfect and not found.check.is_strict(found.read.held):
            waiting = waiting or (key, found)
        else:
            yield key, found
    if waiting is not None:
        yield waiting


def odds_of(reading: Reading) -> float:
    """How far a reading is from the simplest, in fractions of rows."""
    axes = reading.axes
    uneven = any(axis.uneven for axis in axes) and not axes[0].frequencies.octaves
    result = 0.02 * any(axis.frequencies.law == "own" for axis in axes) + UNEVEN * uneven
    how = reading.afterwards  # one may be a frequency, too, and what holds something else, two
    return result + (0.045 if how.spoilt else (0, 0.03, 0.01)[min(len(how.singled), 2)])


def checked(reading: Reading, read: Read, sample: Float, rows: Index, begin: int) -> Check:
    """A reading held against rows; it says nothing of a column without its partner that misses it.

    Nor of a limit, if it rebuilds the rows without one: a few entries may be the largest.
    """
    found, cells, lone = check(reading, sample, rows, read.held), reading.cells, read.fit.columns.lone
    if reading.limit is not None:
        free = check(replace(reading, limit=None), sample, rows, read.held)
        found = found if free.off.any() else free
    if lone and len(cells.column) % 2 and sample[:, begin + lone[0]].any():
        less = check(replace(found.reading, cells=without_last(cells)), sample, rows, read.held)
        found = min(found, less, key=lambda one: one.fraction)
    return with_columns(found, sample, read.held)


def is_proven(found: Check, held: float) -> bool:
    """Whether positions are more than a fit: to two or three pairs much fits, and more to few digits."""
    count, rough = found.rows.size, held > ROUGH and has_few_pairs(found.reading)
    if rough and any(is_guessed(axis, count) for axis in found.reading.axes):
        return False
    axes = [axis for axis in found.reading.axes if axis.uneven and not axis.frequencies.octaves]
    few = min((len(axis.frequencies.values) for axis in axes), default=4)
    if few > 3:
        return few > 7 or not any(axis.frequencies.rising for axis in axes)
    known = all(is_usual(axis.frequencies.base or 0) and not is_far(axis.positions, count) for axis in axes)
    return few == 3 and known and not found.off.any()


def has_few_pairs(reading: Reading) -> bool:
    """Whether the first axis has no more than three that turn."""
    return len(reading.axes[0].frequencies.values) < 4


def is_guessed(axis: Axis, count: int) -> bool:
    """Whether an axis has no step, no law, or far positions."""
    return axis.uneven or axis.frequencies.law == "own" or is_far(axis.positions, count)


def is_far(positions: Positions | None, count: int) -> bool:
    """Whether positions of so many rows are beyond those that are likely."""
    places = positions.at(np.arange(positions.count or count)) if positions else np.zeros(1)
    return float(np.abs(places).max()) > 20 * count + 1000


def versions(read: Read, values: Float) -> list[Read]:
    """A reading as it is, and with a type that entries may have had before they were scaled."""
    other = rescaled(read, values)
    return [read] if other is read else [read, other]


def _last_resorts(given: Given) -> Iterator[Keyed]:
    kept = np.flatnonzero(given.alive & ~given.repeats)
    n_columns = given.array.shape[1]
    for shift in dict.fromkeys(middles(given.sample[kept])):
        for key, found in strict_first(_readings_of(given, kept, 0, n_columns, shift)):
            yield key, found
            if found.perfect:
                return
    yield from strict_first(_readings_of(given, kept, 0, n_columns, of=partial(reads, changed=True)))
    yield from strict_first(_readings_of(given, kept, 0, n_columns, of=reads_otherwise))


def explains_much(read: Read, begin: int) -> bool:
    """Whether columns are to spare where others were left out before, or entries clipped."""
    return bool(read.fit.columns.extra) and (begin > 0 or read.fit.limit is not None)


def is_capped(sample: Float) -> bool:
    """Whether many entries are the largest one, which is not 1: they were clipped, and not changed."""
    sizes = np.abs(sample)
    top = float(sizes.max())
    return abs(top - 1) > 1e-3 and float((sizes == top).mean()) > 0.2


def as_changed(found: Check, sample: Float, held: float) -> Check | None:
    """The same of a table that was changed after it was made, by as much as can be told; else None.

    What few digits hide may be a reading that is not the right one, and so may what two or three pairs tell.
    """
    if not is_placed(found):
        return None
    most, typical = float(found.miss.max(initial=0.0)), float(np.median(found.miss))
    few = has_few_pairs(found.reading) or not is_fine(found.reading.number_type)
    if not 8 * held * few <= typical <= NOISE or most > NOISIEST or found.fraction < 0.9 or is_capped(sample):
        return None
    made = Rows(found.reading)
    off = np.abs(made.at(found.rows) - sample)[:, made.columns]
    if (off.max(axis=0) > most * found.reading.scale / 8).sum() <= max(2, off.shape[1] // 10):  # a few alone
        return None
    if is_systematic(made.at(found.rows) - sample, made, found.rows):
        return None
    scale = found.reading.scale
    scale = 1.0 if abs(scale - 1) < 2e-3 + 2 * typical else scale
    noise = rounded_up(most * scale)
    sure = 4 * typical / math.sqrt(len(found.rows))
    axes = tuple(replace(axis, positions=settled(axis.positions, sure)) for axis in found.reading.axes)
    reading = replace(found.reading, noise=noise, scale=scale, axes=axes)
    return found._replace(reading=reading, allowed=np.full(len(found.miss), most), rough=np.False_)


def is_systematic(rest: Float, made: Rows, rows: Index) -> bool:
    """Whether what is left of some column is in proportion to it, as smoothing leaves it, and no noise."""
    told, rest = made.at(rows)[:, made.columns], rest[:, made.columns]
    both = (told * rest).sum(axis=0) ** 2
    alike = both / np.maximum((told**2).sum(axis=0) * (rest**2).sum(axis=0), 1e-300)
    return bool(alike.max() > max(SYSTEMATIC, 25 / len(rows)))


def as_drawn(found: Check, sample: Float, held: float) -> Check:
    """The same, of fewer or more rows that were drawn out to these on straight lines if that rebuilds them.

    As programs for images do it: with ends on ends, or with the ends of the first and the last cell there.
    """
    reading, rows = found.reading, np.arange(n := found.reading.shape[0])
    positions = reading.axes[0].positions
    if found.fraction <= HALF or not is_placed(found) or positions is None or not positions.step:
        return found
    cells, ends = round(positions.step * n), round(positions.step * (n - 1))
    if not reading.axes[0].on_a_line or not 2 <= ends < FARTHEST:
        return found
    middles = np.clip((rows + 0.5) * cells / n - 0.5, 0, cells - 1)
    for places in (rows * ends / (n - 1), middles, rows + 0.5):
        places = places + round(positions.first - places[0])
        line = Positions(float(places[0]), float(places[-1]), float(places[2] - places[1]))
        line = line if np.allclose(line.at(rows), places, 0, 1e-9) else uneven(places, rows)
        axes = tuple(replace(axis, positions=line) for axis in reading.axes)
        told = check(replace(reading, axes=axes, straight=True), sample, found.rows, held)
        if told.fraction < SPOILT:
            return told
    return found


def is_placed(found: Check) -> bool:
    """Whether steps tell all positions, or octaves do, and none is a far guess."""
    axes = found.reading.axes
    for axis in axes:
        if axis.positions is None or (axis.uneven and not axes[0].frequencies.octaves):
            return False
        places, grid = axis.at(found.rows), axis.positions.count > 0
        if not (found.reading.alike or grid) or (near(axis, places) < np.abs(places)).any():
            return False
    return True


def settled(positions: Positions | None, noise: float) -> Positions | None:
    """The same line from the whole number that its beginning cannot be told from."""
    if positions is None or positions.step is None or positions.count:
        return positions
    less = positions.first - round(positions.first)
    if abs(less) > noise:
        return positions
    return replace(positions, first=float(round(positions.first)), last=positions.last - less)


def typical_of(changed: Check) -> float:
    """The miss of a typical row; more where a step has many digits, which must tell that much."""
    positions = changed.reading.axes[0].positions
    step = positions.step or 0.0 if positions is not None else 0.0
    return float(np.median(changed.miss)) * (1.0 if float(f"{step:.4g}") == step else 1.1)


def with_coordinates(reading: Reading, read: Read, sample: Float, rows: Index) -> Reading:
    """The same if columns in front, or one behind, hold the coordinates, as they are or divided by pi."""
    layout, cells = read.fit.columns, reading.cells
    extra = layout.extra or layout.lone
    if not extra or len(extra) != len(reading.axes):
        return reading
    for factor in (1.0, math.pi):
        off = 0.0
        for column, axis in zip(extra, reading.axes, strict=True):
            given = np.exp(1j * factor * sample[:, column])
            off = max(off, float(np.abs(given - np.exp(1j * axis.at(rows))).max()))
        if off < 1e-2:
            where = "in front" if layout.extra else "behind"
            words = f" of {'pi times ' * (factor > 2)}the coordinates {where}"
            axes = tuple(replace(a, frequencies=replace(a.frequencies, detail=words)) for a in reading.axes)
            if layout.lone:
                cells = without_last(cells)
            return replace(reading, axes=axes, coordinates=extra, unit=factor, cells=cells)
    return reading


def without_last(cells: Cells) -> Cells:
    """The same without a column that has no partner, which is the last."""
    n = len(cells.column) // 2 * 2
    return Cells(cells.column[:n], cells.axis[:n], cells.pair[:n], cells.wave[:n])


def on_all_rows(given: Given, found: Found) -> Check | None:
    """The reading held against the whole table; None if most rows miss it."""
    reading, noise = found.check.reading, found.read.noise
    if len(given.rows) < len(given.array):
        whole = check(reading, given.array, None, noise)
    else:
        whole = check(reading, given.sample, given.rows, noise)
    explained = ~whole.off
    if reading.noise:
        most = float(whole.miss[given.rows[given.alive]].max(initial=0.0))
        most = float(whole.miss[whole.miss <= 2 * most].max())  # of rows that were not read, too
        noisy = replace(reading, noise=rounded_up(most * reading.scale))
        allowed = np.maximum(whole.allowed, most)
        return whole._replace(reading=noisy, allowed=allowed) if most <= NOISIEST else None
    kept = np.ones(len(given.array), bool)
    kept[given.rows[given.repeats | ~given.alive]] = False
    kept[given.again] = False
    if explained[kept].mean() < 1 - MOST:
        return None
    return whole


def evidence(given: Given, found: Found, whole: Check) -> Evidence:
    """What was seen of a table beside its reading."""
    reading, read, array = whole.reading, found.read, given.array
    off = with_the_last(np.flatnonzero(whole.off), given)
    positions = reading.axes[0].positions
    assert positions is not None
    repeated = np.union1d(given.rows[given.repeats] if given.is_whole else off[:0], given.again)
    repeated = np.intersect1d(repeated, off)
    if positions.each > 1 and not positions.count:
        repeated = np.setdiff1d(np.arange(len(array)), np.arange(0, len(array), positions.each))
    if any(axis.uneven for axis in reading.axes):
        repeated = np.union1d(repeated, at_the_end(given))
    looked = evenly(rest := np.setdiff1d(off, repeated), max(STRAYS, ENTRIES // array.shape[1]))
    values = array[looked].astype(np.float64)
    full = np.asarray(values.any(axis=1))
    zero = off[:0] if full.all() else off[~array[off].any(axis=1)]
    looked, values, repeated = looked[full], values[full], np.setdiff1d(repeated, zero)
    moved, moved_to, astray = places_of(looked, values, found, reading)
    astray = np.setdiff1d(rest, np.concatenate([moved, zero])) if len(rest) > len(full) else astray
    alive = given.rows[given.alive]
    layout = read.fit.columns
    first_shown = 0
    ends = np.array([given.sample[given.alive].min(), given.sample[given.alive].max()])
    ends = np.trunc(ends) if reading.number_type == f"integers{CUT}" else ends
    plain = check(replace(reading, noise=0.0), given.sample[given.alive], alive, read.held)
    if reading.rounding is not None:
        plain = check(replace(reading, rounding=None), given.sample, given.rows, read.noise)
        first_shown = int(given.rows[np.argmax(plain.off)])
    return Evidence(
        replace(reading, rows_off=off, angles=whole.type_of_angles(read.noise)),
        rows=len(array), zero_columns=reading.zeros,
        extra=tuple(column + found.lead for column in layout.extra),
        lone=tuple(column + found.lead for column in layout.lone),
        ends=(float(ends[0]), float(ends[1])), read_rows=alive, places=positions.at(alive), zero_rows=zero,
        repeated=repeated, astray=astray,
        miss=reading.scale * float(whole.miss[astray].max(initial=0.0)),
        typical=reading.scale * float(np.median(plain.miss)) if reading.noise else 0.0, moved=moved,
        moved_to=moved_to, shows_from=first_shown, noisy=int(plain.off.sum()),
    )  # fmt: skip


def with_the_last(off: Index, given: Given) -> Index:
    """Rows that are off, and with these the last one that repeats them, where a grid comes round to it."""
    last = len(given.array) - 1
    stuck = last - 1 in off and last not in off and bool((given.array[last - 1] == given.array[last]).all())
    return np.append(off, last) if stuck else off


def at_the_end(given: Given) -> Index:
    """The last rows if there are several, and they alone repeat others."""
    rows, n = given.rows[given.repeats], len(given.array)
    return rows if rows.size > 1 and rows[0] == n - rows.size else rows[:0]


def places_of(rows: Index, values: Float, found: Found, reading: Reading) -> tuple[Index, Float, Index]:
    """Rows that hold another position than they should, these positions, and rows that hold none.

    The positions of several axes, if these are not the same, have a column each.
    """
    if not rows.size or reading.noise or reading.rounding or any(axis.uneven for axis in reading.axes):
        return rows[:0], np.zeros(0), rows
    last = np.arange(reading.shape[0])
    fine, apart, there = np.ones(len(rows), bool), np.zeros(len(rows), bool), list[Float]()
    for number, axis in enumerate(reading.axes[:1] if reading.alike else reading.axes):
        told, omega = axis.at(rows), axis.frequencies.rebuild()
        where, miss = found.decode(values, number, omega, told)
        fine &= miss <= tolerance(where, omega, found.read.noise)
        fine &= np.abs(where) <= 2 * float(np.abs(axis.at(last)).max()) + 1000
        apart |= np.abs(where - told) > 3 * precision(where, omega, found.read.noise)
        there.append(where)
    moved = fine & apart
    places = there[0] if len(there) == 1 else np.stack(there, axis=1)
    return rows[moved], places[moved], rows[~moved]


def roughness(sample: Float) -> int | None:
    """How many decimals all entries have, if it is none or one, and they reach from -1 to 1; else None."""
    if not 0.5 < np.abs(sample).max() <= 1:
        return None
    scaled = ((digits, sample * 10**digits) for digits in (0, 1))
    return next((digits for digits, values in scaled if np.abs(values - np.rint(values)).max() < 1e-5), None)


def without_pairs(given: Given, *, waves: bool = True) -> Diagnosis:
    """What can be said of a table that no layout of pairs explains."""
    array, sample, rows = given.array, given.sample, given.rows
    n_columns = array.shape[1]
    zero = rows[~given.alive]
    kept = np.flatnonzero(given.alive & ~given.repeats)
    used = np.flatnonzero(sample.any(axis=0))
    lead, width = int(used[0]), int(used[-1]) + 1
    if (digits := roughness(sample)) is not None:
        return Diagnosis(n_columns, None, [report.rough_entries(digits)])
    # the row of position 0 may be zero: a sine or an angle
    with_zero = np.union1d(kept, [0]) if zero.size == 1 and zero[0] == 0 else kept
    special = unpaired.half_filled(array, sample[with_zero], rows[with_zero]) if waves else None
    if special is None and waves:
        special = unpaired.alone(array, sample[with_zero], rows[with_zero], lead, width)
    if special is not None:
        return special
    values = sample[kept][:, :width]
    problems: list[Problem] = [] if not zero.size else [report.zero_rows(zero)]
    if used.size < n_columns:
        gone = np.setdiff1d(np.arange(n_columns), used).tolist()
        problems.insert(0, report.zero_columns(gone, used.size, n_columns))
    top = float(np.abs(values).max(initial=0))
    at_top = np.abs(values) == top
    both = min((values == -top).mean(), (values == top).mean())  # cosines of 0 are 1, and negated rows -1
    if top and at_top.mean() > 0.2 and both > (0.05 if top == 1 else 0):
        problems.insert(0, report.clipped(top, None))
    else:
        problems.insert(0, report.unread(float(values.min())))
    return Diagnosis(n_columns, None, problems, nearest(values))


def nearest(values: Float) -> tuple[tuple[str, float], ...]:
    """The two layouts of which some rows come nearest, and by how much they stray."""
    some, columns = values[:: 1 + len(values) // 512], candidates(values.shape[1])
    fits = [found for one in columns if (found := fit(one, some)) is not None]
    near = sorted((found.stray, found.columns.name) for found in fits if not found.columns.extra)
    return tuple((name, miss) for miss, name in near[:2])
