"""One coordinate: the frequencies of its pairs, the order and signs of sine and cosine, positions of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.fit.frequency_laws import BEFORE, in_use, named, progression
from posread.fit.hands import (
    TURNS,
    Complex,
    Index,
    as_measured,
    chord,
    decoded,
    evenly,
    first_places,
    laws,
    located,
    precision,
    speeds,
    tolerance,
    usual,
)
from posread.fit.number_types import SINGLE
from posread.reading import Frequencies, Positions

#: A reading of an axis that misses early rows by more than this (a chord, in the middle) is none.
MISS = 0.15

# z = second + i first is i^m e^(i omega q) with q = p or -p: what comes first, signs of sine and cosine.
ORIENTATIONS: dict[tuple[int, int], tuple[Literal["sin", "cos"], int, int]] = {
    (0, 1): ("sin", 1, 1),
    (1, -1): ("cos", 1, 1),
    (0, -1): ("sin", -1, 1),
    (1, 1): ("cos", -1, 1),
    (2, -1): ("sin", 1, -1),
    (3, 1): ("cos", 1, -1),
    (2, 1): ("sin", -1, -1),
    (3, -1): ("cos", -1, -1),
}


class AxisFit(NamedTuple):
    """An axis as it was read from a sample of rows."""

    frequencies: Frequencies
    omega: Float  # of all pairs, those at rest 0; the first that turns has 1
    turning: NDArray[np.bool_]
    quarter: int  # the m of ORIENTATIONS
    flip: int
    places: Float  # the position of each row
    miss: Float  # by how much its hands miss it
    allowed: Float  # by how much they may
    exact: bool  # whether omega is that of the name, and not measured

    @property
    def good(self) -> float:
        """The fraction of rows that are where they may be."""
        return float((self.miss <= self.allowed).mean())

    @property
    def fastest(self) -> float:
        """The greatest frequency; 1 if all hands rest."""
        return float(np.abs(self.omega).max()) or 1.0

    def hands(self, places: NDArray[np.floating[Any]], omega: Float | None = None) -> Complex:
        """The hands that positions should have, as the table has them; or with other frequencies."""
        omega = self.omega if omega is None else omega
        result: Complex = 1j**self.quarter * np.exp(1j * self.flip * places[:, np.newaxis] * omega)
        return result


def read_axis(
    hands: Complex,
    rows: Index,
    noise: float,
    widths: Iterable[float],
    *,
    both: bool = False,
    any_order: bool = False,
    quarters: tuple[int, ...] = (0, 1, 2, 3),
) -> AxisFit | None:
    """The simplest reading of the hands of an axis, (rows, pairs), or None.

    With `any_order` rows may come in no order: bases in use are tried one by one, which takes longer.
    """
    widths, rows = list(widths), rows // max(int(np.gcd.reduce(np.diff(rows))), 1)
    upright = np.minimum(np.abs(hands[0].real), np.abs(hands[0].imag)) <= 1e-12  # others turn, but too slowly
    turning = ~(upright & (np.abs(hands - hands[0]).max(axis=0) <= 1e-12))
    if not turning.any():
        return None
    moving = hands[:, turning]
    found = speeds(moving, rows, noise)
    fits: list[AxisFit] = []
    if found is not None:
        start = int(np.flatnonzero(rows == found.row)[0])

        def tried(law: tuple[Float, int]) -> bool:
            """Whether a law explains nearly all rows; if not, it is kept for comparison."""
            omega, direction = law
            step = abs(float(omega[0])) or float(omega.max())
            unit, sigma = omega / step, found.sigma / step
            names = named(unit, sigma, widths, both)
            models: list[tuple[Float, bool]] = []
            if names.law == "geometric" and names.base and names.over:
                models.append((progression(names.base, names.over, len(unit)), True))
            models.append((unit, False))
            for model, exact in models:
                best = _oriented(
                    moving, rows, start, found.phase, model, direction, step, noise, names, exact, quarters
                )
                fits.append(best._replace(turning=turning))
                if best.good > 0.98:
                    return True
            return False

        done = any(map(tried, laws(found.delta, found.sigma)))
        if not done and moving.shape[1] > 1:
            done = any(map(tried, usual(found.delta, found.sigma, in_use(moving.shape[1], widths))))
        if not done:
            any(map(tried, as_measured(found.delta, found.sigma, mixed=len(quarters) == 1)))
    octaves = _octaves(moving, rows, noise)
    if octaves is not None:
        fits.insert(0, octaves._replace(turning=turning))
    if any_order and (not fits or max(fit.good for fit in fits) < 0.5):
        fits += _by_catalog(moving, rows, noise, widths, turning)
    fits = [fit for fit in fits if float(np.median(fit.miss[:33])) < MISS]
    if not fits:
        return None
    top = max(fit.good for fit in fits)
    best = next(fit for fit in fits if fit.good > top - 0.02)
    everything = np.zeros(hands.shape[1])
    everything[turning] = best.omega
    best = best._replace(omega=everything)
    return _from_the_first(_to_the_last(best, hands, noise), hands)


def _to_the_last(fit: AxisFit, hands: Complex, noise: float) -> AxisFit:
    """The same with pairs that seem at rest if they turn too slowly for their type to show it."""
    resting = np.flatnonzero(~fit.turning)
    names = fit.frequencies
    if not resting.size or names.law != "geometric" or not names.base or not names.over or names.rising:
        return fit
    begin = int(np.argmax(fit.turning))
    if resting[0] < begin or not fit.turning[begin : resting[0]].all():
        return fit
    omega = progression(names.base, names.over, len(fit.omega) - begin)
    for base, over in names.readings:
        if over == 2 * (len(fit.omega) - begin) or over == 2 * (len(fit.omega) - begin) - 2:
            omega = progression(base, over, len(fit.omega) - begin)
    omega = np.concatenate([np.zeros(begin), omega])
    reach = float(np.abs(fit.places).max()) * float(omega[resting[0]])
    off = np.abs(hands[:, resting] - fit.hands(fit.places, omega[resting])).max()
    if reach > 8 * noise or off > 8 * noise:
        return fit
    names = replace(names, values=tuple(omega[begin:].tolist()))
    turning = np.arange(len(omega)) >= begin
    return fit._replace(frequencies=names, omega=omega, turning=turning)


def _from_the_first(fit: AxisFit, hands: Complex) -> AxisFit:
    """The same if pairs before the first that turns make whole turns from row to row, as with 2 pi p."""
    begin = int(np.argmax(fit.turning))
    known = fit.turning[begin:].all() and fit.frequencies.law == "geometric" and len(fit.places) > 1
    if not begin or not known or begin + 1 == len(fit.omega):
        return fit
    ratio = float(fit.omega[begin + 1] / fit.omega[begin])
    omega: Float = np.asarray(ratio ** (np.arange(len(fit.omega)) - float(begin)))
    off = np.abs(hands - fit.hands(fit.places, omega)).max(axis=1)
    if np.median(off) > 1e-5:
        return fit
    names = fit.frequencies
    values = tuple((omega / omega[0]).tolist())
    shift = 2 * begin  # the exponent counts from the first pair
    if names.over is not None and names.base is not None:
        over = names.over + shift if names.over == 2 * (len(omega) - begin) else names.over
        base = float(ratio ** (-over / 2))
        near = round(base) if abs(round(base) / base - 1) < 1e-6 else base
        names = Frequencies("geometric", values, float(near), over, ((float(near), over),))
    turning, places = np.ones(len(omega), bool), fit.places * omega[0]
    return fit._replace(frequencies=names, omega=omega / omega[0], turning=turning, places=places, miss=off)


def _octaves(moving: Complex, rows: Index, noise: float) -> AxisFit | None:
    """Pairs each of which turns twice as fast as the one before, at any coordinates: NeRF."""
    pairs = moving.shape[1]
    if not 3 <= pairs < 1000:
        return None
    for quarter, flip in ((0, 1), (1, -1)):
        hands = moving * 1j**-quarter
        hands = hands if flip > 0 else hands.conj()
        off = np.abs(hands[:, 1:] - hands[:, :-1] ** 2).max(axis=1)
        if (off <= 12 * noise + 64 * SINGLE).mean() <= 0.75:  # some rows may be spoilt
            continue
        omega: Float = np.ldexp(1.0, np.arange(pairs))
        places = located(np.angle(hands), omega, np.zeros(len(rows)))
        miss = chord(hands, places[:, np.newaxis] * omega)
        names = Frequencies("geometric", tuple(omega.tolist()), 0.5, 2.0, ((0.5, 2.0),))
        allowed = tolerance(places, omega, noise)
        return AxisFit(names, omega, np.ones(pairs, bool), quarter, flip, places, miss, allowed, True)
    return None


def _oriented(
    moving: Complex,
    rows: Index,
    start: int,
    phase: Float,
    omega: Float,
    direction: int,
    step: float,
    noise: float,
    names: Frequencies,
    exact: bool,
    quarters: tuple[int, ...],
) -> AxisFit:
    """The order and the signs under which the hands of a row agree on a position, and all positions then."""
    options: list[tuple[tuple[float, ...], int, int, float]] = []
    turn = common_turn(omega)
    for quarter in quarters:
        turns = TURNS if len(omega) > 1 else 0  # one pair does not tell turns apart
        places, misses = first_places((phase - quarter * np.pi / 2)[np.newaxis], omega, turns, noise)
        place, miss = float(places[0]), float(misses[0])
        for flip in (1, -1):
            signs = ORIENTATIONS[quarter, flip][1:]
            first = flip * place
            last = first + flip * direction * step * (rows[-1] - rows[start])
            if turn and last < -0.5 and abs(last - turn * round(last / turn)) < 0.02:  # counted down to 0
                first, last = first - turn * round(last / turn), 0.0
            downward = flip * direction < 0 and max(first, last) < 0.5 and last < -0.5
            natural = signs == (1, 1) and not downward
            odd = abs(first - round(first)) > 0.02 and last != 0
            bad = float(miss > 0.02 + 0.5 * noise) + float(miss > MISS)
            far = abs(first) > 1000 + 20 * len(rows)
            few = float(odd) if len(omega) == 2 or far else 0.0  # a phase of one pair is no position
            odds = (float(not natural), float(downward), float(odd), float(first < -0.5))
            key = (bad, few, *odds, abs(first), miss)
            options.append((key, quarter, flip, flip * first))
    # With few pairs several orders fit: then the rounder start tells. With more, the miss does.
    least = min(option[0][-1] for option in options)
    fine = [o for o in options if o[0][-1] <= max(3 * least, 1e-6 + 10 * noise)]
    _, quarter, flip, start_place = min(fine or options)
    turned = moving * 1j**-quarter
    hints = start_place + direction * step * (rows - rows[start])
    found, off = decoded(turned, omega, hints, noise)
    allowed = tolerance(found, omega, noise)
    return AxisFit(names, omega, np.ones(len(omega), bool), quarter, flip, flip * found, off, allowed, exact)


def common_turn(omega: Float) -> float:
    """After how many positions all hands stand as before, if the slowest is the first to come round; or 0."""
    slow = float(np.abs(omega[omega != 0]).min(initial=np.inf))
    times = omega / slow
    return 2 * np.pi / slow if np.abs(times - np.rint(times)).max() < 1e-6 else 0.0


def _by_catalog(
    moving: Complex, rows: Index, noise: float, widths: list[float], turning: NDArray[np.bool_]
) -> list[AxisFit]:
    """Rows in no order: the bases in use are tried one after the other."""
    pairs = moving.shape[1]
    if pairs < 3:
        return []
    few = evenly(np.arange(len(rows)), 6)
    fits = []
    for base in (*BEFORE, 100.0):
        for over in widths[:3]:
            omega = progression(base, over, pairs)
            for quarter in (0, 1, 2, 3):
                slow, misses = first_places(np.angle(moving[few] * 1j**-quarter), omega)
                if np.median(misses) > 0.02 + 4 * noise or np.abs(slow).max() > 1e5:
                    continue
                places, miss = decoded(moving * 1j**-quarter, omega, np.zeros(len(rows)), noise)
                flip = -1 if quarter or (slow < -0.5).all() else 1
                names = Frequencies.of_base(base, float(over), pairs)
                allowed = tolerance(places, omega, noise)
                fits.append(AxisFit(names, omega, turning, quarter, flip, flip * places, miss, allowed, True))
    return fits


class Sequence(NamedTuple):
    """The positions of rows as a line, and the rows that are not on it."""

    start: float  # of row 0
    step: float | None
    on: NDArray[np.bool_]
    precise: Float  # by how much a position may be off


def whole(value: float, allowed: float) -> float:
    """The whole number that a value is, within what is allowed."""
    near = round(value)
    return float(near) if abs(value - near) <= allowed else value


def sequence(rows: Index, places: Float, sure: NDArray[np.bool_], noise: float, top: float) -> Sequence:
    """The commonest line through the positions of those rows that are sure."""
    precise = precision(places, np.array([top]), noise)
    index = np.flatnonzero(sure)
    if index.size < 2:
        return Sequence(float(places[index[0]]) if index.size else 0.0, None, sure.copy(), precise)
    r, p = rows[index].astype(float), places[index]
    slopes = np.diff(p) / np.diff(r)
    best: Sequence | None = None
    tried = np.unique(np.round(slopes, 9))
    tried = tried[np.linspace(0, tried.size - 1, min(tried.size, 24)).astype(int)]
    anchors = evenly(np.arange(index.size), 9)
    for slope in (float(np.median(slopes)), *tried.tolist()):
        for anchor in anchors:
            step, base = _follow(r, p, int(anchor), slope, precise[index])
            for chosen in (float(round(step)), step):
                if not chosen or abs(chosen - step) > 5e-3:
                    continue
                shift = base if chosen == step else float(np.median(p - chosen * (r - r[anchor])))
                on = np.abs(p - shift - chosen * (r - r[anchor])) <= 2 * precise[index]
                if best is None or (on.sum(), chosen % 1 == 0) > (best.on.sum(), (best.step or 0) % 1 == 0):
                    whole_on = np.zeros(len(rows), bool)
                    whole_on[index[on]] = True
                    best = Sequence(shift - chosen * r[anchor], chosen, whole_on, precise)
            if best is not None and best.on.sum() == index.size:
                return best
    return Sequence(float(p[0]), None, sure.copy(), precise) if best is None else _of_most(best, r, p)


def _of_most(line: Sequence, r: Float, p: Float) -> Sequence:
    """The same, or the middle of all lines if it has few of the rows: two are on any line."""
    if line.on.sum() >= 0.3 * len(r):
        return line
    ahead = len(r) // 2
    slope = float(np.median((p[ahead:] - p[:-ahead]) / (r[ahead:] - r[:-ahead])))
    return line._replace(start=float(np.median(p - slope * r)), step=slope or None)


def _follow(r: Float, p: Float, anchor: int, slope: float, precise: Float) -> tuple[float, float]:
    """The line through a row, by rows on it that are near and then by farther ones: slope and place."""
    step, base = slope, float(p[anchor])
    for width in (8.0, 64.0, 512.0, 4096.0, np.inf):  # farther rows tell the step more exactly
        near = np.abs(r - r[anchor]) <= width
        hit = near & (np.abs(p - base - step * (r - r[anchor])) <= 3 * precise + 0.02 * abs(step))
        x, y = r[hit] - r[anchor], p[hit]
        spread = float(((x - x.mean()) ** 2).sum()) if hit.sum() >= 2 else 0.0
        if not spread:
            break
        step = float(((x - x.mean()) * (y - y.mean())).sum() / spread)
        base = float(y.mean() - step * x.mean())
    return step, base


def ends(places: Float, rows: Index) -> tuple[float, float]:
    """Start and step of places of rows that are known to lie on a line."""
    step = whole(float((places[-1] - places[0]) / (rows[-1] - rows[0])), 1e-6)
    return whole(float(places[0]) - step * float(rows[0]), 1e-6), step


def simple(value: float) -> float:
    """The nearest fraction with a small denominator, or with a whole reciprocal, if it is very near."""
    for denominator in (2, 4, 8, 3, 16, 32):
        near = round(value * denominator) / denominator
        if near and abs(near - value) < 1e-7 * max(1, abs(value)):
            return near
    return value


def snapped(line: Sequence, axis: AxisFit, hands: Complex, rows: Index, noise: float) -> Sequence:
    """The line with whole numbers for its start and step where that puts the hands where they are."""
    on = np.flatnonzero(line.on)
    if line.step is None or not on.size:
        return line
    on = evenly(on, 256)
    worst = float(line.precise.max())

    def miss(start: float, step: float) -> tuple[float, float]:
        told = start + step * rows[on]
        off = chord(hands[on] * axis.hands(told).conj(), np.zeros((len(on), 1)))
        return float((off > tolerance(told, axis.omega, noise)).mean()), float(np.median(off))

    now = miss(line.start, line.step)
    start, step = line.start, line.step
    for trial in (float(round(step)), simple(step)):
        if not trial or abs(trial - step) >= 5e-3 * max(1.0, abs(step)):
            continue
        moved = start + (step - trial) * float(rows[on].mean())
        for begin in (float(round(moved)), whole(moved, 1e-3), moved):
            if abs(begin - moved) > max(0.05, 4 * worst):
                continue
            then = miss(begin, trial)
            if then[0] <= now[0] + 1e-9 and then[1] <= max(2 * now[1], 2 * noise, 1e-9):
                return line._replace(start=begin, step=trial)
    begin = whole(start, 4 * worst)
    return line._replace(start=begin if miss(begin, step)[0] <= now[0] else start, step=step)


def on_the_ladder(
    names: Frequencies, positions: Positions, before: Frequencies, pairs_before: int
) -> tuple[Frequencies, Positions]:
    """The same of an axis that goes on with the progression of the first, at positions of the same kind."""
    base, over, step = before.base, before.over, positions.step
    if names.law != "geometric" or before.law != "geometric" or not step or not base or not over:
        return names, positions
    for begin in (float(pairs_before), 0.5):
        first = base ** (-2 * begin / over)
        if abs(step * (1 if positions.count else positions.each) / first - 1) > 1e-5 or abs(first - 1) < 1e-9:
            continue
        names = replace(names, base=base, over=over, begin=begin, readings=((base, over),))
        told = [whole(value / first, 1e-5) for value in (positions.first, positions.last, step)]
        return names, replace(positions, first=told[0], last=told[1], step=told[2])
    return names, positions
