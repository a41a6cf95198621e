"""From the hands of the pairs to their frequencies and to the position of each row.

A hand is a complex number on the unit circle, cos + i sin of the angle omega p. Everything here is sums of
products of entries, without a linear algebra library, whose last bits differ from processor to processor.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posread.fit.number_types import DOUBLE, SINGLE

Complex = NDArray[np.complex128]
Index = NDArray[np.intp]

#: Increments from row to row that differ by less than this (a chord) belong together.
ALIKE = 0.2
#: A geometric progression is one whose terms stray by no more than this fraction.
UNEVEN = 0.02
#: Rows that are farther apart than this are not looked for among bases in use.
FARTHEST = 200.0
#: Positions beyond are more likely to be whole than to be near.
FAR = 100.0
#: So many entries tell how fine angles are, and that they are finer than those in float32 so large a part.
TELLING, FINE = 32, 0.6
#: So many hands are followed from the slowest to the fastest: more would say no more.
ENOUGH = 128
#: So many turns of the slowest hand are tried for the position of a row, to both sides.
TURNS = 64


def wrapped(angles: Float) -> Float:
    """Angles in (-pi, pi]; with room for one more array, and not for four, which took longer to find."""
    turns: Float = angles / (2 * np.pi)
    np.rint(turns, out=turns)
    turns *= 2 * np.pi
    return np.subtract(angles, turns, out=turns)


def evenly(indices: Index, most: int) -> Index:
    """So many of these at most, evenly chosen, the first and the last among them."""
    if indices.size <= most:
        return indices
    chosen: Index = indices[np.unique(np.linspace(0, indices.size - 1, most).astype(int))]
    return chosen


def chord(hands: Complex, angles: Float) -> Float:
    """How far hands are from where angles put them, the farthest of each row: (rows,)."""
    off: Float = np.abs(hands - np.exp(1j * angles)).max(axis=1)
    return off


def tolerance(places: NDArray[np.floating[Any]], omega: Float, noise: float, angles: float = SINGLE) -> Float:
    """What a sound row may be off by: its type's rounding, and that of angles, in single precision."""
    top = float(np.abs(omega).max(initial=0.0))
    allowed: Float = 4 * noise + np.minimum(8 * angles * (1 + np.abs(places) * top), 0.3)
    return allowed


def fineness(off: Float, turns: Float, room: float) -> float:
    """The relative error of angles, by entries that angles in float32 would have moved out of their room.

    `turns` are the angles, with what the logarithm of a frequency adds to its error.
    """
    tells = SINGLE * turns > 8 * room
    fine = off <= room + 8 * DOUBLE * turns
    return DOUBLE if tells.sum() >= TELLING and fine[tells].mean() > FINE else SINGLE


def precision(places: NDArray[np.floating[Any]], omega: Float, noise: float) -> Float:
    """What positions that were read may be off by."""
    top = float(np.abs(omega).max(initial=0.0)) or 1.0
    return np.asarray(8 * noise / top + 32 * SINGLE * (1 + np.abs(places)) + 1e-9)


class Speeds(NamedTuple):
    """Radians that each pair turns from one row to the next, modulo a turn, and the phases at a row."""

    delta: Float  # (pairs,)
    sigma: Float  # their standard errors
    phase: Float  # at `row`
    row: int


def speeds(hands: Complex, rows: Index, noise: float) -> Speeds | None:
    """The commonest increment between consecutive rows, refined along the rows that keep it.

    None if no row follows another at a distance. Rows that do not move are passed over.
    """
    next_to = np.flatnonzero(np.diff(rows) == 1)
    if not next_to.size:
        return None
    moves = hands[next_to + 1] * hands[next_to].conj()
    moves /= np.maximum(np.abs(moves), 1e-300)
    still = np.abs(moves - 1).max(axis=1) <= 6 * noise + 1e-9
    moving = np.flatnonzero(~still)[:32]
    if not moving.size:
        return None
    early = moves[moving]
    some = early[:, :: early.shape[1] // 64 + 1]  # enough pairs to tell increments apart
    alike = np.abs(some[:, np.newaxis] - some[np.newaxis]).max(axis=2) < ALIKE
    best = int(np.argmax(alike.sum(axis=1)))
    delta = np.angle(early[alike[best]].sum(axis=0))
    if alike[best].sum() < max(2, len(moving) // 4) and len(moving) > 2:
        return None
    # the longest run of rows that keep this increment
    keeps = np.abs(moves - np.exp(1j * delta)).max(axis=1) < ALIKE
    runs = np.split(next_to[keeps], np.flatnonzero(np.diff(next_to[keeps]) != 1) + 1)
    longest = max(runs, key=len)
    return _refined(hands, rows, int(longest[0]) if longest.size else int(next_to[0]), delta, noise)


def _refined(hands: Complex, rows: Index, first: int, delta: Float, noise: float) -> Speeds:
    """Phase and speed of each pair by least squares, over twice as many rows each time that it works."""
    origin = int(rows[first])
    phase = np.angle(hands[first])
    later = rows[first:] - origin
    sigma = np.full(len(delta), max(noise, 1e-12))
    reach, wide = 2, 0.7
    while True:
        seen = evenly(first + np.flatnonzero(later <= reach), 64)
        time = (rows[seen] - origin).astype(float)
        off = np.angle(hands[seen] * np.exp(-1j * (phase + time[:, np.newaxis] * delta)))
        on = np.abs(off).max(axis=1) < wide
        if on.sum() < max(2, 0.7 * len(seen)):
            break
        time, off = time[on], off[on]
        middle = time.mean()
        spread = float(((time - middle) ** 2).sum())
        if spread:
            slope = ((time - middle)[:, np.newaxis] * off).sum(axis=0) / spread
            level = off.mean(axis=0) - slope * middle
            rest = off - level - slope * time[:, np.newaxis]
            rough = np.sqrt((rest**2).mean(axis=0))
            delta, phase = delta + slope, phase + level
            sigma = np.maximum(rough, max(noise, 1e-12)) / math.sqrt(spread) + 2 * SINGLE * np.abs(delta)
            wide = min(0.7, 0.02 + 10 * float(rough.max()) + 4 * noise + 3 * reach * float(sigma.max()))
        if reach >= later[-1]:
            break
        reach *= 2
    return Speeds(wrapped(delta), sigma, wrapped(phase), origin)


class Line(NamedTuple):
    """Logarithms of speeds on a line: log w_j = level + slope j, with the standard error of the slope."""

    level: float
    slope: float
    error: float

    def at(self, j: Float | float) -> Float:
        """The speed of pair j."""
        return np.asarray(np.exp(self.level + self.slope * np.asarray(j, dtype=float)))


def fitted_line(places: Float, logs: Float, errors: Float) -> Line:
    """A weighted fit, in closed form."""
    weights = 1 / np.maximum(errors, 1e-13) ** 2
    total = weights.sum()
    middle, mean = (weights * places).sum() / total, (weights * logs).sum() / total
    spread = float((weights * (places - middle) ** 2).sum())
    slope = float((weights * (places - middle) * (logs - mean)).sum() / spread) if spread else 0.0
    error = math.sqrt(1 / spread) if spread else math.inf
    rest = logs - mean - slope * (places - middle)
    if len(places) > 2:
        error *= max(1.0, math.sqrt(float((weights * rest**2).sum()) / (len(places) - 2)))
    return Line(float(mean - slope * middle), slope, error)


#: So many pairs are tried as the first of a progression, and so many are looked at to begin one.
SEEDS, BEGIN = 48, 5


def geometric(delta: Float, sigma: Float, least: int = 3) -> Float | None:
    """Speeds in geometric progression, slow to fast, that are `delta` modulo whole turns; or None.

    The slow end needs no turns added, for so many pairs at least; each faster pair is foretold by the slower.
    """
    pairs = len(delta)
    trusted = (delta > 8 * sigma) & (delta < np.pi)
    least = min(least, pairs)
    seeds = np.flatnonzero(trusted)
    if seeds.size > SEEDS:  # many at rest: the first that turn tell little, and late ones may be lost
        seeds = np.unique(np.concatenate([seeds[: SEEDS // 2], evenly(seeds, SEEDS // 2)]))
    sure_to = 0  # no progression goes on from pairs below to the last
    for seed in seeds.tolist():
        if seed < sure_to:
            continue
        for width in range(min(BEGIN, pairs - seed), least - 1, -1):
            window = np.arange(seed, seed + width)
            x = delta[window]
            if width < 2 or not trusted[window].all() or (np.diff(x) <= 0).any():
                continue
            line = fitted_line(window.astype(float), np.log(x), sigma[window] / x)
            misses = np.abs(np.log(x) - np.log(line.at(window.astype(float))))
            if (misses > UNEVEN + 6 * sigma[window] / x).any():
                continue
            result, reached = _unwrapped(delta, sigma, seed, width)
            if result is not None:
                return result
            if reached - seed > ENOUGH // 2:
                sure_to = reached
                break
    return None


def _unwrapped(delta: Float, sigma: Float, seed: int, width: int) -> tuple[Float | None, int]:
    """The progression that begins with some pairs: faster ones unwrapped one by one, slower ones foretold.

    None if there is none; and the first pair, or the last, that is not as foretold.
    """
    pairs = len(delta)
    sums = Sums()
    result = np.zeros(pairs)
    for j in range(seed, pairs):
        value, spread = float(delta[j]), float(sigma[j])
        if j >= seed + width:
            told, doubt = sums.foretold(j)
            value += 2 * math.pi * round((told - value) / (2 * math.pi))
            allowed = min(UNEVEN * told, 0.8) + 6 * spread + 4 * doubt
            if value <= 0 or abs(value - told) > allowed or doubt > 0.8:
                return None, j
        result[j] = value
        sums.add(j, math.log(value), spread / value)
    for j in range(seed - 1, -1, -1):  # slower still: nearly at rest, or lost in the noise
        told, _ = sums.foretold(j)
        if abs(delta[j] - told) > UNEVEN * told + 8 * sigma[j]:
            return None, j
        result[j] = delta[j] if delta[j] > 20 * sigma[j] else told
    return result, pairs


class Sums:
    """A weighted line through logarithms, one by one."""

    def __init__(self) -> None:
        self.count = 0
        self.w = self.x = self.y = self.xx = self.xy = self.yy = 0.0
        self.origin = (0.0, 0.0)
        self.unit = 1.0
        self.places = 0.0

    def add(self, place: int, log: float, error: float) -> None:
        """One more."""
        weight = 1 / max(error, 1e-13) ** 2
        if not self.count:
            self.origin, self.unit = (float(place), log), weight
        weight /= self.unit
        x, y = place - self.origin[0], log - self.origin[1]
        self.count += 1
        self.places += place
        self.w += weight
        self.x += weight * x
        self.y += weight * y
        self.xx += weight * x * x
        self.xy += weight * x * y
        self.yy += weight * y * y

    def foretold(self, place: int) -> tuple[float, float]:
        """The value at a place, and how far it may be off."""
        middle, mean = self.x / self.w, self.y / self.w
        spread = self.xx - self.w * middle**2
        slope = (self.xy - self.w * middle * mean) / spread if spread > 0 else 0.0
        error = math.sqrt(1 / (spread * self.unit)) if spread > 0 else math.inf
        rest = max(self.yy - self.w * mean**2 - slope**2 * spread, 0.0) * self.unit
        if self.count > 2:
            error *= max(1.0, math.sqrt(rest / (self.count - 2)))
        told = math.exp(min(self.origin[1] + mean + slope * (place - self.origin[0] - middle), 700.0))
        return told, told * error * max(abs(place - self.places / self.count), 1.0)


def usual(delta: Float, sigma: Float, models: list[Float]) -> Iterator[tuple[Float, int]]:
    """Frequencies in use, at steps that no pair denies: for rows so far apart that most pairs are lost.

    Whole steps come first.
    """
    found: list[tuple[bool, int, Float, int]] = []
    if not models or float(sigma.max()) > 0.02 or float(np.abs(delta).max()) < 8 * float(sigma.max()):
        return  # then anything fits
    phases = np.broadcast_to(delta, (len(models), len(delta)))
    places, misses = first_places(phases, np.array(models), 2, float(sigma.max()))
    for order, (omega, step, miss) in enumerate(zip(models, places.tolist(), misses.tolist(), strict=True)):
        odd = abs(step - round(step)) > 1e-3 * (max(1.0, abs(step)) if len(delta) > 3 else 1.0)
        missed = miss > 8 * float(sigma.max()) + 1e-5 or not step or abs(step) > FARTHEST
        if not missed and not (odd and len(delta) < 4):  # to so few pairs some step or other fits
            found.append((odd, order, abs(step) * omega, 1 if step > 0 else -1))
    found.sort(key=lambda entry: entry[:2])
    for _, _, omega, sign in found:
        yield omega, sign


def laws(delta: Float, sigma: Float) -> Iterator[tuple[Float, int]]:
    """Frequencies per row that the increments allow, likeliest first, with the direction of the rows."""
    if np.ptp(delta) <= 1e-6 * abs(delta[0]):
        yield from as_measured(delta, sigma)
    ways = [(-1, 3), (1, 3)]  # falling, and then rising
    ways += [(-1, 2)] * (3 < len(delta) < 8)  # of few pairs, far apart, two may tell the others
    for order, least in ways:
        for sign in (1, -1):
            slow_to_fast = geometric(sign * delta[::order], sigma[::order], least)
            if slow_to_fast is not None:
                yield slow_to_fast[::order], sign


def as_measured(delta: Float, sigma: Float, mixed: bool = False) -> Iterator[tuple[Float, int]]:
    """The increments themselves as frequencies per row, if no pair turns by more than half a turn.

    With `mixed` a few pairs may turn the other way than the rest; without, several to both sides.
    """
    for sign in (1, -1):
        other = int((sign * delta < -8 * sigma).sum())
        few, several = len(delta) // 4, max(len(delta) // 8, 1)
        some = 0 < other <= few if mixed else sign > 0 and several < other < len(delta) - several
        if some and (np.abs(delta) > 8 * sigma).all():
            yield sign * delta, sign
        if (sign * delta > -8 * sigma).all() and (sign * delta > 8 * sigma).any():
            yield np.where(sign * delta > 0, sign * delta, 0.0), sign


def located(phases: Float, omega: Float, hints: NDArray[np.floating[Any]]) -> Float:
    """Positions at which all hands point as they do, by hints, of which a row may have several.

    The slowest hand says roughly where, in the turn of it that is nearest to the hint; each faster one says
    more exactly. The frequencies are those of all rows, (pairs,), or each row's own, (rows, pairs).
    """
    omega = np.atleast_2d(omega)
    turning = np.flatnonzero(omega.any(axis=0))
    order = turning[_slowest_first(omega[:, turning])]
    places = hints.reshape(len(phases), -1).astype(float)
    at = (np.s_[:], order[0]) if len(omega) == 1 else (np.arange(len(omega))[:, np.newaxis], order)
    for phase, frequency in zip(*(each[at].T[..., np.newaxis] for each in (phases, omega)), strict=True):
        places = places + wrapped(phase - frequency * places) / frequency
    each = omega[:, np.newaxis]
    off = wrapped(phases[:, np.newaxis] - places[..., np.newaxis] * each)
    off *= each
    total = (each**2).sum(axis=2)
    return np.asarray(places + off.sum(axis=2) / np.where(total, total, 1)).reshape(hints.shape)


def _slowest_first(omega: Float) -> Index:
    """For each row the pairs that are followed, in order: (rows, pairs)."""
    order: Index = np.argsort(np.abs(omega), axis=1, kind="stable")
    return order[:, evenly(np.arange(order.shape[1]), ENOUGH)]


def first_places(phases: Float, omega: Float, most: int = TURNS, noise: float = 0.0) -> tuple[Float, Float]:
    """For each row of phases the position nearest to 0 that has its hands, and by how much they miss it.

    So many turns of the slowest hand are tried to both sides; misses within the noise are as good as none.
    The frequencies are those of all rows, or each row's own.
    """
    omega = np.atleast_2d(omega)
    if omega.shape[1] > ENOUGH:
        some = _slowest_first(omega)
        pointing, chosen = (np.take_along_axis(each, some, axis=1) for each in (phases, omega))
        places, _ = first_places(pointing, chosen, most, noise)
        return places, _miss(phases, places[:, np.newaxis] * omega)
    slow = np.where(omega, np.abs(omega), np.inf).min(axis=1)
    hints = np.arange(-most, most + 1) * (2 * np.pi / slow)[:, np.newaxis]
    # Some rows at a time: as many as NumPy needs to be quick, and as few as the processor keeps close by.
    at_once = 1032 // hints.shape[1]
    found: list[tuple[float, float]] = []
    for i in range(0, len(phases), at_once):
        rows = np.s_[i : i + at_once] if len(omega) > 1 else np.s_[:]
        block = _tried(phases[i : i + at_once], omega[rows], hints[rows])
        found += [_nearest(*row, noise) for row in zip(*block, strict=True)]
    places, misses = np.reshape(found, (-1, 2)).T
    return places, misses


def _tried(phases: Float, omega: Float, hints: Float) -> tuple[Float, Float]:
    """The position by each hint that sends all hands where they are, and its miss: (rows, hints) both."""
    places = located(phases, omega, np.broadcast_to(hints, (len(phases), hints.shape[1])))
    return places, _miss(phases[:, np.newaxis], places[..., np.newaxis] * omega[:, np.newaxis])


def _miss(phases: Float, told: Float) -> Float:
    """The chord, by the largest angle alone: cosines and sines of all would take as long as the rest.

    So far out that floats are more than a turn apart, an angle is not wrapped, and nothing fits.
    """
    off = wrapped(phases - told)
    off = np.abs(off, out=off).max(axis=-1)
    chords: Float = 2 * np.sin(np.minimum(off, np.pi) / 2)
    return chords


def _nearest(places: Float, miss: Float, noise: float) -> tuple[float, float]:
    """Of the positions that fit about as well as any the one nearest to 0, and its miss."""
    fine = np.flatnonzero(miss <= max(2 * float(miss.min()), 3 * noise) + 1e-9)
    best = int(fine[np.argmin(np.abs(places[fine]))])
    # Frequencies such as 1, 0.1, 0.01 come round together: of far positions that fit a whole one is meant.
    if abs(places[best]) > FAR and abs(places[best] - round(float(places[best]))) > 1e-3:
        even = fine[np.abs(places[fine] - np.rint(places[fine])) < 1e-4]
        if even.size:
            best = int(even[np.argmin(np.abs(places[even]))])
    return float(places[best]), float(miss[best])


def decoded(hands: Complex, omega: Float, hints: Float, noise: float) -> tuple[Float, Float]:
    """The position of each row, and by how much its hands miss it."""
    phases = np.angle(hands)
    places = located(phases, omega, hints)
    miss = chord(hands, places[:, np.newaxis] * omega)
    doubtful = evenly(lost := np.flatnonzero(miss > max(1e-3, 4 * noise)), 96)
    far_off = bool(np.median(miss) > 0.1)
    helped = False
    for some in (doubtful[::8], np.delete(doubtful, np.s_[::8]), np.setdiff1d(lost, doubtful)[:512]):
        found, left = first_places(phases[some], omega)
        better = left < miss[some] / 3
        places[some[better]], miss[some[better]] = found[better], left[better]
        helped |= bool(better.any())
        if not helped and (far_off or some.size > doubtful.size):  # these are not the frequencies
            break
    return places, miss
