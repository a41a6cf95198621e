"""How far rows of an encoding are off, taken sine by sine and by the table, as it was measured once.

Such errors are rounding, and another processor rounds otherwise: the book draws those of one, as data.
``python -m wavebook.row_errors`` measures again.
"""

from __future__ import annotations

import json
from pathlib import Path

import mpmath
import numpy as np
from numpy.typing import NDArray

from posenc.encoding import BASE, frequencies, positional_encoding
from posenc.precision import FloatType, rounded
from posenc.table import encoding_table
from wavebook import data

#: The setting of what is recorded, and how many pairs of a row are looked at.
D_MODEL, N_POSITIONS, PAIRS = 512, 65_536, 4


def measure(d_model: int, n_positions: int) -> dict[str, list[float]]:
    """The errors of some 120 rows, evenly spread over the logarithm of the position.

    A row's error is its largest over the first four pairs, against mpmath; one below a sixteenth of the unit
    roundoff is given as that. The ``position`` of each row stands beside its error by how it was computed:
    "sines, float32", "table, float32", "sines, float64" and "table, float64". The least `d_model` is 8.

    >>> errors = measure(8, 300)
    >>> max(errors["table, float64"]) < max(errors["sines, float64"]) < max(errors["table, float32"])
    True
    """
    positions = np.unique(np.geomspace(1, n_positions - 1, 120).round().astype(int))
    with mpmath.workdps(40):
        omega = [mpmath.mpf(BASE) ** (-mpmath.mpf(2 * i) / d_model) for i in range(PAIRS)]
        true = [[f(w * int(p)) for w in omega for f in (mpmath.sin, mpmath.cos)] for p in positions]

    def errors(rows: NDArray[np.floating]) -> list[float]:
        each = (
            float(max(abs(t - float(x)) for t, x in zip(*pair, strict=True)))
            for pair in zip(true, rows, strict=True)
        )
        return [max(error, 2.0**-56) for error in each]  # a logarithmic axis has no zero

    single = positions.astype(np.float32)[:, np.newaxis] * frequencies(d_model).astype(np.float32)[:PAIRS]
    shown = slice(2 * PAIRS)
    return {
        "position": positions.tolist(),
        "sines, float32": errors(
            np.stack([np.sin(single), np.cos(single)], axis=-1).reshape(len(positions), -1)
        ),
        "table, float32": errors(encoding_table(n_positions, d_model, dtype=np.float32)[positions, shown]),
        "sines, float64": errors(positional_encoding(positions, d_model)[:, shown]),
        "table, float64": errors(encoding_table(n_positions, d_model)[positions, shown]),
    }


def first_wrong(dtype: FloatType, *steps: str, base: float = BASE, d_model: int = 128) -> int:
    """The first position at which RoPE turns some pair more than 0.1 away, with these `steps` in a type.

    Steps are "frequencies", "positions" and "angles"; those that are not named are done in float64.

    >>> first_wrong("bfloat16", "positions")
    257
    """
    omega, start, step, sure = frequencies(d_model, base), 0, 5000, 0
    if dtype == "float32":  # three roundings, each by at most 2^-24: nothing is off before such angles
        start, step, sure = 550_000, 50_000, 559_240
    if dtype == "float32" and steps == ("positions",):
        start = 2**24  # the whole numbers up to here are floats
    turn = rounded(omega, dtype) if "frequencies" in steps else omega
    while True:
        places = np.arange(start, start + step)[:, np.newaxis]
        fast = (start + step) * omega > sure  # and nothing in slow pairs
        angles = (rounded(places, dtype) if "positions" in steps else places) * turn[fast]
        angles = rounded(angles, dtype) if "angles" in steps else angles
        off = (2 * abs(np.sin((angles - places * omega[fast]) / 2)) > 0.1).any(axis=1)
        if off.any():
            return int(start + off.argmax())
        start += step


def read_recorded() -> dict[str, list[float]]:
    """What :func:`measure` found once, for ``D_MODEL`` and ``N_POSITIONS``, to two digits.

    >>> read_recorded()["position"][-1]
    65535
    """
    found: dict[str, list[float]] = json.loads(data.read("row_errors.json"))
    return found


def main() -> None:
    """Measure, and write what is found to where the book reads it."""
    found = {
        name: values if name == "position" else [float(f"{value:.2g}") for value in values]
        for name, values in measure(D_MODEL, N_POSITIONS).items()
    }
    place = Path(__file__).with_name("data") / "row_errors.json"
    place.write_text(json.dumps(found) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
