"""Tables of which a part is spoilt: it is put right, the table is read, and the reading has what was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.precision import SIGNIFICANT_BITS, rounded
from posread import report
from posread.fit.hands import Index, evenly, fitted_line
from posread.fit.number_types import number_type, short, type_of_most
from posread.problem import Problem
from posread.reading import Afterwards, Diagnosis, Reading
from posread.rebuild import table
from posread.table.gate import changes
from posread.table.layouts import Columns, candidates, fit

#: Larger tables are not put right, which would take long; nor are rows looked for that more rows have lost.
LARGEST, ROWS = 2**19, 2048
#: So many rows tell how columns were changed, and so many columns whether a row was lost, at most.
SOME = 256
#: Half of the columns tells by itself if it has so many.
HALF = 8
#: Entries that differ by less are equal, and so are lengths of rows.
ALIKE = 1e-3
Reader = Callable[[NDArray[Any]], Diagnosis]


class Mended(NamedTuple):
    """A table that was put right, what there is to say of it, what was done to it, and rows made empty."""

    array: Float
    problem: Callable[[Reading], Problem]
    how: Afterwards = Afterwards()
    emptied: tuple[int, ...] = ()


def mended(array: NDArray[Any], read: Reader) -> Diagnosis | None:
    """A reading of a table with one part put right; None if there is none that rebuilds it."""
    if array.size > LARGEST or array.shape[1] < 4:
        return None
    values = array.astype(np.float64)
    for way in (_rows_alike, _columns_alike, _without_rows, _without_pairs, _with_a_row_more, _halves):
        for one in way(values, read):
            found = read(one.array)
            told = None if found.reading is None or found.reading.noise else _told(found, one, values)
            if told is not None:
                return told
    return None


def _left(problems: Sequence[Problem], one: Mended) -> list[Problem]:
    """What is said of the mended table that is of the given one, too."""
    gone = set(one.how.spoilt)
    zero = gone | set(one.how.singled)  # which the mended table has as zero, if half of it was spoilt
    rest = [p for p in problems if p.kind != "zero-rows"]
    return [p for p in rest if not p.columns or {*p.columns} - (zero if p.kind == "zero-columns" else gone)]


def _told(found: Diagnosis, one: Mended, values: Float) -> Diagnosis | None:
    """What was read of the mended table, as it is of the table that was given; None if that is no reading."""
    reading, gone = found.reading, set(one.how.spoilt)
    rest = _left(found.problems, one)
    assert reading is not None
    zero = {row for p in found.problems if p.kind == "zero-rows" for row in p.rows}
    # half of a table is little, and without a law it may be any rows
    lawless = 2 * len(one.how.singled) == values.shape[1] and "unknown-frequencies" in found.kinds
    no_grid = bool(one.how.missing) and len(reading.axes) < 2
    if zero - set(one.emptied) or (one.how.rows and reading.rows_off.size) or no_grid or lawless:
        return None
    off = reading.rows_off[~np.isin(reading.rows_off, one.how.missing)]
    off = off - np.searchsorted(one.how.missing, off)
    columns, zeros = (tuple(c for c in of if c not in gone) for of in (reading.columns, reading.zeros))
    reading = replace(reading, afterwards=one.how, rows_off=off, columns=columns, zeros=zeros, programs=())
    kept = np.setdiff1d(np.arange(len(values)), off)
    miss = np.nan_to_num(np.abs(table(reading) - values))[kept]
    allowed = 1e-5 * np.abs(values[kept]).max(initial=0.0) + 4 * number_type(one.array).error
    if len(kept) < len(values) / 2 or (miss > allowed * np.maximum(1, np.abs(values[kept]))).any():
        return None
    return replace(found, reading=reading, problems=[one.problem(reading), *rest])


def _lengths(values: Float) -> tuple[Float, NDArray[np.bool_]]:
    """The lengths of rows in units of the usual one, 1 for rows of zeros; and which are usual."""
    lengths = np.sqrt((values**2).sum(axis=1) * 2 / values.shape[1])  # 1 where sin^2 + cos^2 is
    usual = 1.0 if (np.abs(lengths - 1) < ALIKE).mean() > 0.25 else float(np.median(lengths[lengths > 0]))
    allowed = ALIKE + 2 * type_of_most(values).error
    near = (np.abs(lengths / usual - 1) < allowed) | (lengths == 0)
    usual = usual if near.mean() > 0.5 else 1.0  # and each row has a length of its own
    return np.where(lengths > 0, lengths / usual, 1.0), near


def _is_paired(values: Float) -> bool:
    """Whether sin^2 + cos^2 is the same in some layout."""
    fits = (fit(columns, values) for columns in candidates(values.shape[1]) if not columns.extra)
    return any(found.stray < ALIKE for found in fits if found is not None)


def _rows_alike(values: Float, read: Reader) -> Iterator[Mended]:
    """Rows that are multiplied: each by its own length, or a few by another than the rest."""
    lengths, usual = _lengths(values)
    if usual.all():
        return
    factors = np.ones(len(values))
    factors[~usual] = [short(length, 1e-6) for length in lengths[~usual].tolist()]
    if _is_paired(array := values / factors[:, np.newaxis]):
        rows, how = np.flatnonzero(factors != 1), Afterwards(rows=tuple(factors.tolist()))
        yield Mended(array, lambda _: report.scaled_rows(rows, factors[rows]), how)


def _without_rows(values: Float, read: Reader) -> Iterator[Mended]:
    """Rows of another length, such as a class token before a grid."""
    rows = np.flatnonzero(~_lengths(values)[1])
    if 0 < rows.size <= 1 + len(values) // 8:
        array = values.copy()
        array[rows] = 0

        def problem(reading: Reading) -> Problem:
            return report.rows_off(rows, float(np.abs(table(reading) - values)[rows].max()))

        yield Mended(array, problem, emptied=tuple(rows.tolist()))


def _columns_alike(values: Float, read: Reader) -> Iterator[Mended]:
    """Sines that are multiplied or moved otherwise than cosines: s^2 = A s + B c + C - D c^2."""
    for columns in candidates(values.shape[1]):
        if columns.extra or columns.lone:
            continue
        some = values[:: 1 + len(values) // SOME]
        one, two = (some[:, part].ravel() for part in (columns.one, columns.two))
        terms = np.stack([one, two, np.ones_like(one), -(two**2)])
        solved = _solved(terms @ terms.T, terms @ one**2)
        if solved is None or solved[3] <= 0:
            continue
        squares = np.array([1.0, solved[3]])
        centers = solved[:2] / (2 * squares)
        radius = solved[2] + float((squares * centers**2).sum())
        if radius <= 0 or np.quantile(np.abs(solved @ terms - one**2), 0.9) > ALIKE * radius:
            continue
        factors, shifts = np.ones(values.shape[1]), np.zeros(values.shape[1])
        for part, center, square in zip((columns.one, columns.two), centers, squares, strict=True):
            factors[part] = short(float(np.sqrt(radius / square)), 1e-6)
            shifts[part] = 0.0 if abs(center) < 1e-6 else short(float(center), 1e-6)
        how = Afterwards(columns=tuple(factors.tolist()), shifts=tuple(shifts.tolist()))
        told = [(float(factors[c[0]]), float(shifts[c[0]])) for c in (columns.one, columns.two)]

        def problem(reading: Reading, told: list[tuple[float, float]] = told) -> Problem:
            return report.columns_apart(*told[:: 1 if reading.first == "sin" else -1])

        yield Mended((values - shifts) / factors, problem, how)


def _solved(matrix: Float, right: Float) -> Float | None:
    """The solution of a few equations that are symmetric and positive; None if they do not tell it."""
    system = np.concatenate([matrix, right[:, np.newaxis]], axis=1)
    for i in range(len(right)):
        if system[i, i] <= 1e-12 * matrix[i, i]:
            return None
        system[i] /= system[i, i]
        for j in range(len(right)):
            if j != i:
                system[j] -= system[j, i] * system[i]
    return np.asarray(system[:, -1])


def _odd_pairs(columns: Columns, values: Float) -> tuple[Index, Index]:
    """Pairs that do not turn by the same from most rows to the next, and those that turn backwards."""
    hands = values[:, columns.two] + 1j * values[:, columns.one]
    moves = hands[1:] * hands[:-1].conj()
    usual = np.median(moves.real, axis=0) + 1j * np.median(moves.imag, axis=0)
    size = float(np.median(np.abs(hands) ** 2)) or 1.0
    off = np.maximum(np.abs(moves - usual), np.abs(np.abs(hands[1:]) ** 2 - size))
    allowed = ALIKE * size + 8 * number_type(values).error
    sense = np.sign((np.sign(moves.imag) * (np.abs(moves.imag) > 1e-12 * size)).sum(axis=0))
    against = sense * np.sign(sense.sum()) < 0
    return np.flatnonzero(((off > allowed).mean(axis=0) > 0.05) | against), np.flatnonzero(against)


def _without_pairs(values: Float, read: Reader) -> Iterator[Mended]:
    """Pairs that turn against the others, or as no progression has it: columns were negated, or moved."""
    for columns in candidates(values.shape[1]):
        pairs = len(columns.one)
        if pairs < 2 or columns.extra or columns.lone:
            continue
        bad, against = _odd_pairs(columns, values)
        for part in (columns.one, columns.two) if 0 < against.size <= max(pairs // 8, 1) else ():
            array = values.copy()
            array[:, part[against]] *= -1
            yield _changed(array, values, np.sort(part[against]), 1.0)
        if not 0 < bad.size <= max(pairs // 8, 1):
            continue
        there = np.concatenate([columns.one[bad], columns.two[bad]])
        reading = read(np.delete(values, there, axis=1)).reading
        if reading is None or len(reading.axes) > 1 or reading.noise or reading.axes[0].positions is None:
            continue
        omega, good = reading.axes[0].frequencies.rebuild(), np.setdiff1d(np.arange(pairs), bad)
        if len(omega) != len(good) or (omega <= 0).any():
            continue
        line = fitted_line(good.astype(float), np.log(omega), np.full(len(good), 1e-6))
        places = reading.axes[0].positions.at(np.arange(len(values)))
        angles = places[:, np.newaxis] * line.at(bad.astype(float))
        waves = [reading.signs[0] * np.sin(angles), reading.signs[1] * np.cos(angles)]
        told = reading.shift + reading.scale * np.hstack(waves[:: 1 if reading.first == "sin" else -1])
        kind, array = number_type(values).name, values.copy()
        told = rounded(told, kind) if kind in SIGNIFICANT_BITS else told
        off = np.abs(told - values[:, there]).max(axis=0) > ALIKE * reading.scale
        array[:, there[off]] = told[:, off]
        yield _changed(array, values, np.sort(there[off]), reading.scale)


def _changed(array: Float, values: Float, columns: Index, scale: float) -> Mended:
    """Columns that were multiplied or moved, or are something else."""
    how = changes(array, values, columns, 1e-6 * scale)
    return Mended(array, lambda _: report.changed_columns(how), how)


def _halves(values: Float, read: Reader) -> Iterator[Mended]:
    """Half of the columns, beside which something else stands."""
    for other in np.split(np.arange(values.shape[1]), 2) if values.shape[1] % 4 == 0 else ():
        array = values.copy()
        array[:, other] = 0
        if len(other) >= HALF and values.min() < 0 and _is_paired(np.delete(values, other, axis=1)):
            yield _changed(array, values, other, 1.0)


def _with_a_row_more(values: Float, read: Reader) -> Iterator[Mended]:
    """A grid that has lost a row: the coordinates that begin again soonest do so one row too early, once."""
    n, best, period = len(values), 0, 0
    if n > ROWS:
        return
    columns = evenly(np.flatnonzero((np.abs(np.diff(values, axis=0)) > ALIKE).mean(axis=0) > 0.5), SOME)
    inner = columns
    for lag in range(2, n // 2 + 1):
        same = np.abs(values[lag:, columns] - values[:-lag, columns]) < ALIKE
        if (count := int((same.mean(axis=0) > 0.5).sum())) > best:
            best, period, inner = count, lag, columns[same.mean(axis=0) > 0.5]
    if not best:
        return
    same = np.abs(values[period:, inner] - values[:-period, inner]).max(axis=1) < ALIKE
    if same.all():
        return
    start = int(np.argmin(same))
    end = start + int(np.argmax(np.append(same[start:], True)))
    row = end if end < len(same) else start + period
    array = np.insert(values, row, 0.0, axis=0)
    yield Mended(array, lambda _: report.missing_row(row), Afterwards(missing=(row,)), (row,))
