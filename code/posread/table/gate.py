"""A reading is held against the table that was given: what it does not rebuild is not said."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.fit.hands import Index, tolerance
from posread.reading import Reading
from posread.rebuild import Rows, as_slice, spans_of

#: An entry of a table that was changed after it was made may be off by so much.
NOISIEST = 0.5


class Check(NamedTuple):
    """How a reading fits some rows."""

    reading: Reading
    rows: Index
    miss: Float  # the largest of each row, in units of the scale
    allowed: Float

    @property
    def off(self) -> NDArray[np.bool_]:
        """The rows that are not as the reading says."""
        return np.asarray(self.miss > self.allowed)

    @property
    def fraction(self) -> float:
        """Of the rows, how many are off."""
        return float(self.off.mean()) if self.miss.size else 1.0


def allowed_of(reading: Reading, rows: Index, noise: float) -> Float:
    """By how much entries of rows may be off, in units of the scale."""
    result = np.full(len(rows), reading.noise / reading.scale)
    most = np.zeros(len(rows))
    for axis in reading.axes:
        assert axis.positions is not None
        omega = axis.frequencies.rebuild()
        places = axis.positions.at(rows)
        if reading.layout == "angles":
            top = float(np.abs(omega).max(initial=0.0))
            most = np.maximum(most, 4 * noise + 16 * 2.0**-24 * np.abs(places) * top + 1e-12)
        else:
            most = np.maximum(most, tolerance(places, omega, noise) - 2 * noise)  # as the type rounds, twice
    return np.asarray(result + most)


def check(reading: Reading, values: NDArray[Any], rows: Index | None, noise: float) -> Check:
    """Whether rows, or all rows of a table, are as the reading says; a block at a time."""
    made = Rows(reading)
    columns = as_slice(made.columns)
    miss = np.empty(len(values))
    for start, stop in spans_of(*values.shape):
        told = (made.block(start, stop) if rows is None else made.at(rows[start:stop]))[:, columns]
        told -= values[start:stop, columns]
        miss[start:stop] = np.maximum(told.max(axis=1, initial=0.0), -told.min(axis=1, initial=0.0))
    miss /= reading.scale
    rows = np.arange(len(values)) if rows is None else rows
    return Check(reading, rows, np.where(np.isnan(miss), np.inf, miss), allowed_of(reading, rows, noise))
