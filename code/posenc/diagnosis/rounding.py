"""Which step of a program was rounded to half precision, read off the rows that stray."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from posenc._validate import Float
from posenc.diagnosis.axes import AxisFit
from posenc.diagnosis.phases import Index, tolerance
from posenc.diagnosis.reading import Frequencies, Kind, Problem
from posenc.diagnosis.spectrum import IN_USE, progression
from posenc.precision import FloatType, rounded

#: The largest number that float16 holds.
LARGEST_HALF = 65_504
#: What half precision may have been used for, from the mildest to the worst, and the kind of problem.
STEPS: tuple[tuple[tuple[str, ...], Kind], ...] = (
    (("positions",), "rounded-positions"),
    (("frequencies",), "rounded-frequencies"),
    (("angles",), "rounded-angles"),
    (("positions", "frequencies", "angles"), "rounded-angles"),
)
#: So many rows are compared, and so few before these.
ROWS, FEW = 1200, 16


def rounding_of(
    axis: AxisFit,
    hands: NDArray[np.complex128],
    rows: Index,
    places: Float,
    noise: float,
    names: Frequencies,
) -> tuple[Problem, Frequencies, Float] | None:
    """The step whose rounding explains every row, the frequencies before it, and the positions; or None."""
    chosen = np.unique(np.linspace(0, len(rows) - 1, ROWS).astype(int))
    hands, rows, places = hands[chosen][:, axis.turning], rows[chosen], places[chosen]
    few = np.unique(np.linspace(0, len(rows) - 1, FEW).astype(int))
    sure = axis.exact and axis.good >= 0.9  # the frequencies are known, so others need not be tried
    models = [(names, axis.omega[axis.turning])]
    if names.law in ("geometric", "own"):
        models = [*models, *_usual(axis)] if axis.exact else [*_usual(axis), *models]
    kinds: tuple[FloatType, ...] = ("bfloat16", "float16")
    for kind, (steps, problem), line in product(kinds, STEPS, _lines(axis, rows, places)):
        if kind == "float16" and np.abs(line).max() > LARGEST_HALF:
            continue
        for model, omega in models[:1] if sure and "frequencies" not in steps else models:
            allowed = tolerance(line, omega, noise)

            def miss(angles: Float, at: Index | slice = slice(None)) -> Float:
                told = 1j**axis.quarter * np.exp(1j * axis.flip * angles)
                off: Float = np.abs(hands[at] - told).max(axis=1)
                return off

            if (miss(_angles(line[few], omega, steps, kind), few) > allowed[few]).any():
                continue
            if (miss(_angles(line, omega, steps, kind)) > allowed).any():
                continue
            off = miss(_angles(line, omega, (), kind)) > allowed
            if not off.any():  # nothing needs an explanation
                continue
            first = int(rows[np.argmax(off)])
            held = steps[0] if len(steps) == 1 else f"{', '.join(steps[:-1])} and {steps[-1]}"
            found = Problem(
                problem,
                f"Angles are rounded to half precision, which shows from row {first} on: {held} in {kind}.",
                rows=(first, int(rows[-1])),
                expected="float32",
                found=kind,
                cure="Compute positions, frequencies and angles in float32 or better, and cast last.",
            )
            return found, replace(model, rounded=kind) if "frequencies" in steps else model, line
    return None


def _angles(places: Float, omega: Float, steps: tuple[str, ...], kind: FloatType) -> Float:
    """Products of positions and frequencies, with these steps rounded."""
    there = rounded(places, kind) if "positions" in steps else places
    turns: Float = there[:, np.newaxis] * (rounded(omega, kind) if "frequencies" in steps else omega)
    return rounded(turns, kind) if "angles" in steps else turns


def _lines(axis: AxisFit, rows: Index, places: Float) -> Iterator[Float]:
    """The positions as read; and as row numbers, if rounding may have bent the reading."""
    yield places
    if axis.good < 0.9:
        for line in (np.rint(places[0] - rows[0]) + rows, rows.astype(np.float64)):
            if not np.array_equal(line, places):
                yield np.asarray(line, dtype=np.float64)


def _usual(axis: AxisFit) -> list[tuple[Frequencies, Float]]:
    """Frequencies of a round base within two percent, under each denominator."""
    pairs = int(axis.turning.sum())
    result: list[tuple[Frequencies, Float]] = []
    measured = axis.omega[axis.turning]
    if pairs < 2 or (measured <= 0).any():
        return []
    fall = -math.log(measured[-1] / measured[0]) / (pairs - 1)
    for over in (2.0 * pairs, 2.0 * pairs - 2):
        base = math.exp(fall * over / 2)
        reach = 0.05 if axis.good > 0.9 else 3.0
        usual = [b for rank in IN_USE for b in rank if abs(math.log(base / b)) < reach]
        for near in dict.fromkeys([*usual, float(f"{base:.0e}"), float(f"{base:.1e}")]):
            if abs(math.log(base / near)) < reach and near > 1:
                values = progression(near, over, pairs)
                result.append(
                    (
                        Frequencies("geometric", tuple(values.tolist()), near, over, ((near, over),)),
                        values,
                    )
                )
    return result
