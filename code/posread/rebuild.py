"""The rows that a reading says, made again from it: a block at a time, since tables are large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.precision import FloatType, rounded

if TYPE_CHECKING:  # whose methods these functions are
    from posread.reading import Axis, Reading

Index = NDArray[np.intp]
#: What the name of a type ends in whose last digits were cut off, and not rounded.
CUT = ", toward zero"
#: Entries that are made at a time.
BLOCK = 2**17


class Part(NamedTuple):
    """Columns of an axis that hold one function of the angle."""

    columns: slice | Index
    pairs: slice | Index
    wave: str


def in_narrow(places: Float, omega: Float, steps: tuple[str, ...], kind: FloatType) -> Float:
    """Products of positions and frequencies, with these steps rounded."""
    there = rounded(places, kind) if "positions" in steps else places
    turns: Float = there[:, np.newaxis] * (rounded(omega, kind) if "frequencies" in steps else omega)
    return rounded(turns, kind) if "angles" in steps else turns


class Rows:
    """Makes rows of the table that a reading says; NaN in columns that are no part of it."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.omega: list[Float] = []
        self.parts: list[list[Part]] = []
        cells = reading.cells
        waves = np.array(cells.wave)
        for number, axis in enumerate(reading.axes):
            mine = np.flatnonzero(cells.axis == number)
            most = int(cells.pair[mine].max(initial=0)) + 1
            omega = axis.frequencies.rebuild(max(most, len(axis.frequencies.values)))
            self.omega.append(np.append(omega, 0.0))  # the last is for pairs at rest, which are numbered -1
            parts = []
            for wave in ("sin", "cos", "angle"):
                which = mine[waves[mine] == wave]
                if which.size:
                    parts.append(Part(as_slice(cells.column[which]), as_slice(cells.pair[which]), wave))
            self.parts.append(parts)
        self.inner: dict[int, NDArray[np.complex128]] = {}

    @property
    def columns(self) -> Index:
        """Those that the reading says anything of."""
        known = [self.reading.cells.column, self.reading.coordinates, self.reading.zeros]
        told = np.concatenate([np.asarray(part, dtype=np.intp) for part in known])
        return np.setdiff1d(told, np.asarray(self.reading.afterwards.spoilt, dtype=np.intp))

    def at(self, rows: Index) -> Float:
        """Some rows."""
        places = [axis.positions.at(rows) for axis in self.reading.axes if axis.positions is not None]
        if not self.reading.straight:
            return self._made(places)
        low = [np.floor(where) for where in places]
        made, after = self._made(low), self._made([where + 1 for where in low])
        return np.asarray(made + (after - made) * (places[0] - low[0])[:, np.newaxis])

    def _made(self, places: list[Float]) -> Float:
        """Rows at positions along each axis."""
        result = self._empty(len(places[0]))
        for number, where in enumerate(places):
            self._fill(result, number, where)
        return self.reading.afterwards.of_columns(result)

    def block(self, start: int, stop: int) -> Float:
        """Rows in a run, no more than in a block; by products where they are on a line."""
        if self.reading.straight:
            return self.at(np.arange(start, stop))
        result = self._empty(stop - start)
        for number, axis in enumerate(self.reading.axes):
            angles = any(part.wave == "angle" for part in self.parts[number])
            if axis.on_a_line and not self.reading.rounding and not angles:
                self._fill_by_products(result, number, axis, start)
            else:
                self._fill(result, number, axis.at(np.arange(start, stop)))
        return self.reading.afterwards.of_columns(result)

    def _empty(self, count: int) -> Float:
        reading = self.reading
        result = np.full((count, reading.shape[1]), np.nan)
        result[:, list(reading.zeros)] = 0
        return result

    def angles(self, number: int, places: Float) -> Float:
        """The angles of all pairs of an axis, with the steps rounded that were."""
        return in_narrow(places, self.omega[number], *(self.reading.rounding or ((), "float32")))

    def _fill(self, result: Float, number: int, places: Float) -> None:
        angles = self.angles(number, places)
        functions: dict[str, Any] = {"sin": np.sin, "cos": np.cos, "angle": np.asarray}
        for part in self.parts[number]:
            result[:, part.columns] = self.shaped(functions[part.wave](angles[:, part.pairs]), part.wave)
        self._fill_coordinates(result, number, places)

    def _fill_by_products(self, result: Float, number: int, axis: Axis, start: int) -> None:
        omega, places = self.omega[number], axis.at(np.arange(start, start + len(result)))
        if number not in self.inner:
            step = float(axis.positions.step or 0) if axis.positions else 0.0
            rows = np.arange(rows_at_once(self.reading.shape[1]))
            self.inner[number] = np.exp(1j * step * rows[:, np.newaxis] * omega)
        hands = self.inner[number][: len(result)] * np.exp(1j * float(places[0]) * omega)
        for part in self.parts[number]:
            values = hands.imag if part.wave == "sin" else hands.real
            result[:, part.columns] = self.shaped(values[:, part.pairs], part.wave)
        self._fill_coordinates(result, number, places)

    def _fill_coordinates(self, result: Float, number: int, places: Float) -> None:
        for column in self.reading.coordinates[number : number + 1]:
            result[:, column] = places / self.reading.unit

    def shaped(self, values: Float, wave: str) -> Float:
        """With sign, scale, shift and limit."""
        reading = self.reading
        factor = reading.scale * (1 if wave == "angle" else reading.signs[0 if wave == "sin" else 1])
        told = values if factor == 1 else factor * values
        told = told + reading.shift if reading.shift else told
        return told if reading.limit is None else told.clip(-reading.limit, reading.limit)


def as_slice(numbers: Index) -> slice | Index:
    """A slice for evenly spaced numbers, which NumPy reads without a copy."""
    steps = np.diff(numbers)
    step = int(steps[0]) if steps.size else 1
    if not numbers.size or numbers.min() < 0 or step < 1 or (steps != step).any():
        return numbers
    return slice(int(numbers[0]), int(numbers[-1]) + 1, step)


def rows_at_once(width: int) -> int:
    """How many rows a block of a table has."""
    return max(1, BLOCK // width)


def spans_of(count: int, width: int) -> Iterator[tuple[int, int]]:
    """Beginnings and ends of blocks of rows."""
    step = rows_at_once(width)
    for start in range(0, count, step):
        yield start, min(start + step, count)


def table(reading: Reading) -> Float:
    """The table that a reading says, or the line of frequencies."""
    if reading.layout == "frequencies":
        line = np.zeros(reading.shape)
        names = reading.axes[0].frequencies
        slowed = names.factor or 1 if names.blend == "interpolation" else 1
        line[list(reading.columns)] = reading.scale * names.rebuild() / slowed
        return rounded(line, reading.rounding[1]) if reading.rounding else line
    result, rows = np.empty(reading.shape), Rows(reading)
    for start, stop in spans_of(*reading.shape):
        result[start:stop] = rows.block(start, stop)
    return reading.afterwards.of_rows(result)


def turned(reading: Reading, vectors: Float, positions: Float) -> Float:
    """What a function that rotates makes of vectors at positions, by its reading."""
    result = np.array(vectors, dtype=np.float64)
    rows, cells = np.rint(positions).astype(np.intp), reading.cells
    frame = Rows(reading)
    half = len(cells.column) // 2
    for number, axis in enumerate(reading.axes):
        mine = np.flatnonzero(cells.axis[:half] == number)
        one, two, pairs = cells.column[mine], cells.column[mine + half], cells.pair[mine]
        angles = frame.angles(number, axis.turned_by(rows))[:, pairs]
        factor: Float | float = reading.scale
        if reading.growth:
            factor = reading.scale * np.exp(positions[:, np.newaxis] * np.array(reading.growth)[mine])
        cos, sin = factor * np.cos(angles), factor * reading.signs[0] * np.sin(angles)
        result[:, one] = vectors[:, one] * cos - vectors[:, two] * sin
        result[:, two] = vectors[:, two] * cos + vectors[:, one] * sin
    if reading.order:
        result[:, list(reading.order)] = result.copy()
    return result
