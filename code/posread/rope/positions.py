"""With which positions a function turns, and in how many sets of frequencies, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from posenc.arguments import Float
from posenc.precision import FloatType
from posread.fit.axes import ORIENTATIONS, AxisFit, ends, read_axis, sequence, simple, whole
from posread.fit.frequency_laws import as_they_are
from posread.fit.hands import Complex, Index, tolerance
from posread.fit.number_types import DOUBLE
from posread.fit.rounding import is_measured, of_phases, rounding_of
from posread.reading import Frequencies, Positions

Rounding = tuple[tuple[str, ...], FloatType] | None


class Placed(NamedTuple):
    """The frequencies of a set of pairs, and the positions by which they turn."""

    names: Frequencies
    positions: Positions
    rounding: Rounding = None


def find_sets(
    hands: Complex, rows: Index, noise: float, widths: list[float]
) -> Iterator[tuple[list[AxisFit], list[Index]]]:
    """All pairs as one set of frequencies, or in several that follow one another or take turns."""
    for groups in _divisions(hands, rows):
        axes = []
        for group in groups:
            over = widths if len(groups) == 1 else [2 * len(group), *widths]
            both = 2 * len(group) < widths[1]
            axis = read_axis(hands[:, group], rows, noise, over, both=both, quarters=(0,))
            if axis is None or axis.quarter % 4 or ORIENTATIONS[axis.quarter, axis.flip][0] != "sin":
                break
            names = axis.frequencies
            if len(groups) > 1 and names.over == 2 * len(group):  # the usual reading of a part, told alone
                axis = axis._replace(frequencies=replace(names, readings=names.readings[:1]))
            axes.append(axis)
        if len(axes) == len(groups) and len({axis.flip for axis in axes}) == 1:
            yield axes, groups


def _divisions(hands: Complex, rows: Index) -> Iterator[list[Index]]:
    """Ways to give pairs to sets."""
    pairs = np.arange(hands.shape[1])
    yield [pairs]
    first = np.flatnonzero(np.diff(rows) == 1)[:1]
    moves = hands[first + 1] * hands[first].conj() if first.size else np.ones((1, len(pairs)))
    speeds = np.abs(np.angle(moves))[0]
    jumps = np.flatnonzero(speeds[1:] > speeds[:-1] * 1.5) + 1
    if 1 <= jumps.size <= 3 and min(np.diff([0, *jumps, len(pairs)])) >= 3:
        yield np.split(pairs, jumps)
    for count in (2, 3):
        if len(pairs) % count == 0 and len(pairs) // count >= 3:
            yield np.split(pairs, count)
    if len(pairs) % 2 == 0 and len(pairs) >= 6:
        yield [pairs[0::2], pairs[1::2]]


def find_places(axis: AxisFit, hands: Complex, rows: Index, noise: float) -> Iterator[Placed]:
    """A line of positions, with a step rounded or not; parts of the position; last, one for each position."""
    names, near = axis.frequencies, rows < 200
    line = sequence(rows[near], axis.places[near], axis.miss[near] < 0.1, noise, axis.fastest)
    unit = float(axis.places[axis.places > 0.01].min(initial=np.inf))
    form = find_form(rows, axis.places / unit, (16 * noise + 1e-3) / unit)
    if line.step is not None:
        start, step = _line(axis, hands, rows, noise, line.start, line.step)
        on = Positions(start, start + step * float(rows[-1]), step)
        measured = is_measured(names)
        told = np.asarray(start + step * rows, dtype=np.float64)
        law = of_phases(axis, hands, told, noise, relative=False)
        if law is not None and is_exact(axis, hands, told, law, noise):
            yield Placed(law, on)
        if not measured:
            yield Placed(names, on)
        half = rounding_of(axis, hands, rows, told, noise, names)
        if half is None and start:  # which rounding may have bent
            half = rounding_of(axis, hands, rows, rows.astype(np.float64), noise, names)
        if half is not None:
            first, step = ends(half.places, rows)
            bent = Positions(first, first + step * float(rows[-1]), step)
            yield Placed(half.names, bent, (half.steps, half.kind))
        if measured:  # which explains anything, so what was rounded comes first
            yield Placed(names, on)
        if not axis.exact:
            yield Placed(as_they_are(axis.omega[axis.turning]), on)
    if form is not None:
        each, count = form
        step = unit if count else unit / each
        yield Placed(names, Positions(0.0, float(axis.places.max()), step, each=each, count=count))
    places = tuple(axis.places.tolist())
    if np.abs(axis.places).max() <= 2 * float(rows[-1]) + 1000:  # farther ones are chance
        yield Placed(names, Positions(places[0], places[-1], None, places=places))


def is_exact(axis: AxisFit, hands: Complex, places: Float, law: Frequencies, noise: float) -> bool:
    """Whether angles by a law, in float64, explain nearly all hands."""
    omega = np.zeros(len(axis.omega))
    omega[axis.turning] = law.rebuild()
    off = np.abs(hands - axis.hands(places, omega))
    return bool((off <= 4 * noise + 8 * DOUBLE * (1 + np.abs(places))[:, np.newaxis]).mean() > 0.99)


def _line(
    axis: AxisFit, hands: Complex, rows: Index, noise: float, start: float, step: float
) -> tuple[float, float]:
    """Start and step, round where that explains as many positions, of which the far ones tell most."""

    def explained(begin: float, trial: float) -> int:
        told = np.asarray(begin + trial * rows, dtype=np.float64)
        miss = np.abs(hands - axis.hands(told)).max(axis=1)
        return int((miss <= tolerance(told, axis.omega, noise)).sum())

    part = 1 / round(1 / step) if abs(step) < 1 and round(1 / step) else step
    few = (float(f"{step:.{digits}g}") for digits in range(2, 8))
    steps = [float(round(step)), part, simple(step), *few, step]
    allowed = 1e-5 + 8 * noise / max(int((rows < 200).sum()), 1)
    starts = [whole(start, max(16 * noise / axis.fastest + 1e-5, 1e-3)), start]
    tries = [(b, s) for b in starts for s in steps if s and abs(s - step) < allowed]
    return max(tries, key=lambda pair: explained(*pair))  # the first of those that explain as many


def find_form(rows: Index, places: Float, allowed: float) -> tuple[int, int] | None:
    """The a and m for which whole coordinates are p // a % m; m is 0 where they never begin again."""
    there = np.rint(places).astype(np.intp)
    if np.abs(places - there).max() > allowed or not (there == 1).any():
        return None
    at = int(np.argmax(there == 1))
    forms = []
    for each in range(int(rows[at - 1]) + 1 if at else 1, int(rows[at]) + 1):
        count = int(there.max()) + 1 if (there[rows > each] == 0).any() else 0
        if (there == (rows // each % count if count else rows // each)).all():
            forms.append((each, count))
    return forms[0] if len(forms) == 1 else None


def form_of(positions: Positions) -> str | None:
    """Coordinates as a formula of the position p; None where there is none."""
    step = positions.step or 0.0
    if abs(step * (1 if positions.count else positions.each) - 1) > 1e-12 or positions.first:
        return None
    each = f" // {positions.each}" if positions.each > 1 else ""
    return f"p{each}" + (f" % {positions.count}" if positions.count else "")
