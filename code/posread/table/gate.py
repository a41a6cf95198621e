"""A reading is held against the table that was given: what it does not rebuild is not said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.precision import SIGNIFICANT_BITS
from posread.fit.hands import Index, evenly, fineness, tolerance
from posread.fit.number_types import DOUBLE, SINGLE, is_fine, short
from posread.fit.rounding import NARROW, is_measured
from posread.reading import Afterwards, Axis, Reading
from posread.rebuild import CUT, Rows, as_slice, spans_of

#: An entry of a table that was changed after it was made may be off by so much.
NOISIEST = 0.5
#: Of rows so many are off where a column was changed, and of columns at most one in so many.
SEVERAL, FEW = 0.3, 16
#: So many rows tell how fine angles are.
SOME = 32
#: So many rows tell that one vector was added to all.
ENOUGH = 16
#: Positions beyond are no reason for angles in float32 to be off, if they are not whole; nor are angles of
#: few pairs, for which some position or other is found.
FARTHEST, FEW_PAIRS = 1000.0, 2e-3


class Check(NamedTuple):
    """How a reading fits some rows."""

    reading: Reading
    rows: Index
    miss: Float  # the largest of each row, in units of the scale
    allowed: Float
    rough: NDArray[np.bool_] | np.bool_ = np.False_  # rows off by more than a column is rounded
    angles: float = SINGLE  # by how much these may be off, in proportion

    @property
    def off(self) -> NDArray[np.bool_]:
        """The rows that are not as the reading says."""
        return np.asarray((self.miss > self.allowed) | self.rough)

    def is_strict(self, noise: float) -> bool:
        """Whether no entry is off by more than its type rounds it once, or that is float32 at least."""
        finer = self.miss.size and float(self.miss.max()) <= 1.01 * noise + 8 * SINGLE
        return noise <= 2 * SINGLE or bool(finer and not self.off.any())

    def type_of_angles(self, noise: float) -> str:
        """The type within whose rounding angles are as the reading says."""
        fine = self.miss <= allowed_of(self.reading, self.rows, noise, DOUBLE)
        return "float64" if (fine | self.off).all() else "float32"

    @property
    def fraction(self) -> float:
        """Of the rows, how many are off."""
        return float(self.off.mean()) if self.miss.size else 1.0


def allowed_of(reading: Reading, rows: Index, noise: float, angles: float = SINGLE) -> Float:
    """By how much entries of rows may be off, in units of the scale; and angles, in proportion."""
    result = np.full(len(rows), reading.noise / reading.scale)
    most = np.zeros(len(rows))
    for axis in reading.axes:
        omega, places = axis.frequencies.rebuild(), axis.at(rows)
        if reading.layout == "angles":
            top = float(np.abs(omega).max(initial=0.0))
            most = np.maximum(most, 4 * noise + 16 * angles * np.abs(places) * top + 1e-12)
        else:
            few = FEW_PAIRS if len(omega) < 8 else 1.0
            least = np.minimum(tolerance(near(axis, places), omega, 0.0, angles), few)
            most = np.maximum(most, least + rounds_by(noise))
    return np.asarray(result + most)


def rounds_by(noise: float) -> float:
    """By how much an entry is off that its type rounds twice, after products in float32 at the coarsest.

    As in `encoding_table`, which is within 2.6e-7 in float32, however fine its angles are.
    """
    return 2.01 * noise + 3 * min(noise, SINGLE)


def near(axis: Axis, places: Float) -> Float:
    """Positions, but as if those that are far were near, if they are not whole: a guess is no excuse."""
    first = axis.positions.first if axis.positions else 0.0
    if not axis.uneven and float(first).is_integer():
        return places
    return np.minimum(np.abs(places), np.abs(places - first) + FARTHEST)


def check(reading: Reading, values: NDArray[Any], rows: Index | None, noise: float) -> Check:
    """Whether rows, or all rows of a table, are as the reading says; a block at a time."""
    made = Rows(reading)
    columns = as_slice(made.columns)
    own, grow = own_rounding(reading), growing(reading, made)
    angles = fineness_of(made, values, rows, noise, grow) if grow and not own else SINGLE
    grow = [by * angles / SINGLE for by in grow if not (reading.rounding or reading.afterwards.singled)]
    miss, beyond, peak = np.empty(len(values)), np.zeros(len(values)), np.zeros(1)
    for start, stop in spans_of(*values.shape):
        told = (made.block(start, stop) if rows is None else made.at(rows[start:stop]))[:, columns]
        if own:
            peak = np.maximum(peak, np.maximum(told.max(axis=0), -told.min(axis=0)))
        told -= values[start:stop, columns]
        miss[start:stop] = np.maximum(told.max(axis=1, initial=0.0), -told.min(axis=1, initial=0.0))
        if grow:
            np.abs(told, out=told)
            told -= own * peak
            told -= turned_by(reading, np.arange(start, stop) if rows is None else rows[start:stop], grow)
            beyond[start:stop] = told.max(axis=1, initial=0.0)
    miss /= reading.scale
    rows = np.arange(len(values)) if rows is None else rows
    rough = beyond / reading.scale > 8 * angles + rounds_by(noise) * (not own) if grow else np.False_
    allowed = allowed_of(reading, rows, noise, angles)
    return Check(reading, rows, np.where(np.isnan(miss), np.inf, miss), allowed, rough, angles)


def turned_by(reading: Reading, rows: Index, grow: list[Float]) -> Float:
    """By how much entries of rows may be off, that grow by so much from position to position."""
    parts = (np.abs(axis.at(rows))[:, np.newaxis] * by for axis, by in zip(reading.axes, grow, strict=True))
    return np.asarray(sum(parts))


def fineness_of(
    made: Rows, values: NDArray[Any], rows: Index | None, noise: float, grow: list[Float]
) -> float:
    """The relative error of angles, by some rows."""
    few = evenly(np.arange(len(values)), SOME)
    at, scale = few if rows is None else rows[few], made.reading.scale
    off = np.abs(made.at(at) - values[few])[:, made.columns]
    turns = turned_by(made.reading, at, grow) / (8 * SINGLE * scale)
    return fineness(off / scale, turns, 4 * noise)


def is_plain(reading: Reading) -> bool:
    """Whether each entry is known by itself: not cut off nor changed, and by a law, a step and no measure.

    Frequencies and positions that were measured are known only so well as the fastest pairs tell them; which
    half precision hides.
    """
    plain = not reading.noise and not reading.shift and reading.limit is None and reading.layout != "angles"
    uneven = reading.number_type not in NARROW and any(axis.uneven for axis in reading.axes)
    return plain and not uneven and not any(is_measured(axis.frequencies) for axis in reading.axes)


def growing(reading: Reading, made: Rows) -> list[Float]:
    """Of each axis, by how much entries of columns may be off more from position to position; or nothing.

    An angle in float32 is off in proportion to itself, and a frequency to its logarithm besides.
    """
    cells, result = reading.cells, list[Float]()
    if not is_plain(reading):
        return result
    for number, omega in enumerate(made.omega):
        by, mine, positions = np.zeros(reading.shape[1]), cells.axis == number, reading.axes[number].positions
        speeds = np.abs(omega[cells.pair[mine]])
        whole = positions is not None and positions.step and not (positions.first % 1 or positions.step % 1)
        by[cells.column[mine]] = 8 * SINGLE * speeds * (1 + np.abs(np.log(np.maximum(speeds, 1e-30))))
        by[cells.column[mine]] *= (speeds != 1) | (not whole)  # whole angles are exact
        by[list(reading.coordinates[number : number + 1])] = 8 * SINGLE
        result.append(reading.scale * by[made.columns])
    return result


def own_rounding(reading: Reading) -> float:
    """By which part of the largest of its column an entry may be off; 0 if its type does not round so."""
    kinds = (kind for kind in NARROW if kind == reading.number_type and is_plain(reading))
    return next((4 * 2.0 ** -SIGNIFICANT_BITS[kind] for kind in kinds), 0.0)


def in_type(found: Check, values: Float, held: float) -> Check | None:
    """The same if few digits hide by how much rows miss it; they may have been cut off, and are named so.

    None if rows are off by little more than that: then the reading is.
    """
    reading, miss = found.reading, found.miss
    if is_fine(reading.number_type) or reading.noise:
        return found
    if (found.off & (miss <= 3 * found.allowed)).any():
        return None
    measured = any(is_measured(axis.frequencies) for axis in reading.axes)
    if measured or ((miss <= found.allowed - 0.9 * held) | found.off).all():
        return found
    made, few = Rows(reading), ~found.off
    name, given = reading.number_type.removesuffix(CUT), values[few]
    given = np.trunc(given) if name != reading.number_type else given
    less = (np.abs(made.at(found.rows[few])) - np.abs(given))[:, made.columns] / reading.scale
    spare = (found.allowed[few] - 2 * held)[:, np.newaxis]
    cut = ((less >= -spare) & (less <= 2 * held + spare)).all()
    return found._replace(reading=replace(reading, number_type=name + CUT)) if cut else None


def with_columns(found: Check, values: NDArray[Any], noise: float) -> Check:
    """The same with what was done to a few columns, where these alone are not as the reading says."""
    reading = found.reading
    plain = reading.afterwards == Afterwards() and not reading.noise and reading.limit is None
    alike = (values == values[0]).all(axis=0) & (values[0] != 0)
    if not plain or not (found.off.mean() >= SEVERAL or alike.any()):
        return found
    made, own = Rows(reading), own_rounding(reading)
    told, columns = made.at(found.rows), made.columns
    still = np.intersect1d(np.flatnonzero(alike), columns[moving(reading, told[:, columns], noise)])
    allowed = allowed_of(reading, found.rows, 0.0 if own else noise, found.angles)
    allowed = allowed[:, np.newaxis] * reading.scale
    rest = (values - told)[:, columns]
    off = np.abs(rest) > own * np.abs(told[:, columns]).max(axis=0) + allowed
    changed = np.union1d(columns[off.mean(axis=0) > SEVERAL / 2], still)
    middle = np.median(rest, axis=0)
    varied = np.ptp(values[:, columns], axis=0).all() and len(values) >= ENOUGH
    one = varied and not any(is_measured(axis.frequencies) for axis in reading.axes)
    if one and np.abs(rest - middle).max() <= 2 * float(allowed.max()):  # was added to all rows
        shifts = np.zeros(values.shape[1])
        shifts[columns] = middle
        how = Afterwards(shifts=tuple(shifts.tolist()))
    elif can_be_told(told, values, changed, len(columns)):
        how = changes(told, values, changed, float(allowed.max()) + own)
    else:
        return found
    kept = tuple(column for column in reading.columns if column not in how.spoilt)
    other = check(replace(reading, afterwards=how, columns=kept), values, found.rows, noise)
    as_good = 1e-9 * still.size  # no row need be off where a column stands still
    return other if other.fraction < min(found.fraction, SEVERAL) + as_good else found


def can_be_told(told: Float, values: Float, changed: Index, count: int) -> bool:
    """Whether these are few of `count` columns, with something in each, and the reading says how each moves.

    Of a pair whose frequency was measured as 0 nothing is known that a column could be held against.
    """
    few = 0 < changed.size <= max(1, count // FEW)
    return few and bool(values[:, changed].any(axis=0).all() and np.ptp(told[:, changed], axis=0).all())


def moving(reading: Reading, told: Float, noise: float) -> NDArray[np.bool_]:
    """Columns that move by more than the type rounds away; or float32, where they may have been scaled."""
    finest = 2 * max(noise, SINGLE if reading.scale != 1 or reading.shift else 0.0)
    return np.asarray(np.ptp(told, axis=0) > finest * reading.scale)


def changes(told: Float, values: Float, columns: Index, allowed: float) -> Afterwards:
    """What was done to columns: negated, multiplied, moved, or something else."""
    factors, shifts, spoilt = np.ones(values.shape[1]), np.zeros(values.shape[1]), list[int]()
    for c in columns.tolist():
        wave, seen = told[:, c] - told[:, c].mean(), values[:, c] - values[:, c].mean()
        power = float((wave**2).sum())
        ways = [(-1.0, 0.0)]
        if not np.ptp(values[:, c]):
            ways.append((0.0, float(values[0, c])))
        elif power:
            factor = short(float((wave * seen).sum()) / power, max(allowed / 4, 1e-6))
            shift = short(float((values[:, c] - factor * told[:, c]).mean()), 1e-6)
            ways += [(factor, 0.0), (factor, shift)]
        size = allowed * np.abs(values[:, c]).max()
        fits = (way for way in ways if np.abs(way[0] * told[:, c] + way[1] - values[:, c]).max() <= size)
        factors[c], shifts[c] = next(fits, (1.0, 0.0))
        if factors[c] == 1 and not shifts[c]:
            spoilt.append(c)
    told_of = tuple(columns.tolist())
    return Afterwards((), tuple(factors.tolist()), tuple(shifts.tolist()), tuple(spoilt), singled=told_of)
