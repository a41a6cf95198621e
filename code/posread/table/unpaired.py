"""Tables without pairs: sines or cosines alone, angles, frequencies, pairs that were torn or shuffled."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.precision import SIGNIFICANT_BITS, FloatType, rounded
from posread import report
from posread.bases import IN_USE, ROUND, roundness
from posread.fit.axes import whole
from posread.fit.frequency_laws import as_they_are, line_of, named, of_ratio, progression
from posread.fit.hands import Index, geometric
from posread.fit.number_types import SINGLE, Numbers, decimals, number_type, rounded_up, short, type_of_most
from posread.fit.rounding import MANY, NARROW, STEPS, Narrowed, even, narrow, of_narrow, worst_of
from posread.problem import Problem
from posread.reading import Axis, Cells, Diagnosis, Frequencies, Layout, Positions, Reading
from posread.rebuild import in_narrow
from posread.rules import Evidence, problems_of
from posread.table.gate import NOISIEST, check

Wave = Literal["sin", "cos"]
#: Of all rows at least so many must be rebuilt.
MOST = 0.5
#: Copies of columns are as near to each other as this, in units of the largest entry.
ALIKE = 0.1
#: Of columns that were changed those that turn faster tell how fast.
FAST = 0.05
#: So many rows at most are made again from later ones.
BEGIN = 8


class Waves(NamedTuple):
    """Frequencies that were read: their law, the first of them, and which steps were rounded."""

    names: Frequencies
    first: float
    rounding: tuple[tuple[str, ...], FloatType] | None = None
    worst: tuple[int, float] | None = None
    lost: int = 0


def line(values: Float) -> Diagnosis:
    """A line of numbers as frequencies, `inv_freq`, or what is wrong with it."""
    n = len(values)
    live = np.trim_zeros(values, "b")  # pairs at rest, the slowest of the head
    if not live.size:
        return Diagnosis(n, None, [report.line_of_zeros(n)])
    wrong, held = where_not_falling(live), number_type(live)
    few = decimals(np.unique(live)) if wrong.size and len(live) >= MANY else None
    if few is not None and (np.diff(live) <= 0).all() and live[-1] > 0:  # which rounding has made equal
        wrong, held = wrong[:0], few
    if wrong.size:
        at = int(wrong[0])
        before = float(live[max(at - 1, 0)])
        return Diagnosis(n, None, [report.not_falling(at, before, float(live[at]), wrong.size)])
    found = line_law(values, live, held)
    unknown = report.unknown_frequencies(live.tolist(), as_they_are(live / live[0]).detail)
    if found is None:
        return Diagnosis(n, None, [unknown])
    detail = found.names.detail + f", and {n - len(live)} pairs at rest" * (len(live) < n)
    names = replace(found.names, values=tuple((live / live[0]).tolist()), detail=detail)
    reading = Reading(
        "frequencies", None, (Axis(names),), tuple(range(len(live))), scale=found.first,
        number_type=held.name, rounding=found.rounding, shape=(n,),
    )  # fmt: skip
    relative = 64 * SINGLE + (2.0**-7 if found.rounding and names.law == "own" else 0.0)
    told = reading.rebuild()
    if (np.abs(told - values) > relative * np.abs(values) + 4 * held.error).any():
        return Diagnosis(n, None, [unknown])
    seen = Evidence(reading, rows=n, worst_frequency=found.worst, lost=found.lost)
    rough = [report.narrowed(held.name, False, *worst_of(values, told))] if few is held else []
    return Diagnosis(2 * n, reading, [*problems_of(seen), *rough])


def where_not_falling(live: Float) -> Index:
    """The numbers that are not below the one before, or not above 0; none if all fall, or all rise."""
    steps = np.diff(live)
    positive = live > 0
    if positive.all() and len(live) > 1 and ((steps < 0).all() or (steps > 0).all() or not steps.any()):
        return np.zeros(0, np.intp)
    wrong = ~positive
    wrong[1:] |= steps >= 0
    return np.flatnonzero(wrong)


def line_law(values: Float, live: Float, held: Numbers) -> Waves | None:
    """The law of a line of frequencies, which may end in zeros; None if it has none."""
    n, kind = len(values), narrow(live)
    widths: list[float] = [2 * n, 2 * n - 2]
    half = None if kind is None else of_narrow(values, kind, widths)
    if half is not None and kind is not None:
        found = narrowed(half, values, 1.0, kind)
        return found._replace(first=1.0) if found.names.blend == "interpolation" else found
    error = 0.0 if even(live) else held.error / float(np.abs(live).max())
    sigma = np.abs(live) * max(error, SINGLE) * 4
    if "decimals" in held.name:  # which are the same for large and small
        sigma = np.maximum(sigma, held.error)
    names = named(live / live[0], sigma / live[0], widths)
    # numbers that are known so roughly fit some ramp or other
    loose = kind is not None and error and names.law == "blend" and names.blend != "NTK-aware"
    if names.law in ("one", "own") or loose:
        return None if not names.detail or loose else Waves(names, float(live[0]))
    return _whole_line(names, whole(float(live[0]), 1e-6 + 4 * error))


def _whole_line(names: Frequencies, first: float) -> Waves:
    """The same, as interpolation if all frequencies were divided by a whole number."""
    factor = 1 / first
    round_factor = factor > 1 and abs(factor - round(factor)) < 1e-4 * factor
    known = names.law == "geometric" and roundness(names.base or 1.0, 1e-9)[0] <= ROUND + 1
    if known and not names.rising and round_factor:
        names = replace(names, law="blend", blend="interpolation", factor=float(round(factor)))
        first = 1.0
    return Waves(names, first)


class Alone(NamedTuple):
    """A table in which each column is an angle, or its sine, or its cosine."""

    layout: Layout
    wave: Literal["sin", "cos", "angle"]
    found: Waves
    scale: float = 1.0
    shift: float = 0.0
    changed: bool = False  # whether each entry is a little off
    backwards: bool = False  # whether position 0 is last


def alone(array: NDArray[Any], values: Float, rows: Index, lead: int, width: int) -> Diagnosis | None:
    """A reading of a table without pairs, or what is wrong with its pairs; or None."""
    if len(rows) < 3:
        return None
    n_columns = array.shape[1]
    inner = values[:, lead:width]
    single, twice, words = _once(inner)
    read = _angles(single, rows) or _cache(single, rows) or _mended(single, rows)
    if read is not None:
        names = read.found.names
        read = read._replace(found=read.found._replace(names=replace(names, detail=names.detail + words)))
        return judged(array, read, np.arange(lead, width), twice)
    waves = inner.any(axis=0).all()  # a column of zeros is none
    if waves and float(np.abs(inner).max()) <= 1 + 1e-2 and rows[0] == 0 and not lead:
        return _torn(inner, rows, n_columns)
    return None


def _once(inner: Float) -> tuple[Float, Index, str]:
    """Columns without their copies, which column of these each one is, and this in words."""
    half = inner.shape[1] // 2
    ways = (
        (slice(0, half), slice(half, None), np.tile(np.arange(half), 2), ", each half twice"),
        (slice(0, None, 2), slice(1, None, 2), np.arange(2 * half) // 2, ", each column twice, side by side"),
    )
    for one, two, twice, words in ways if half and inner.shape[1] % 2 == 0 else ():
        apart = np.median(np.abs(inner[:, one] - inner[:, two]).max(axis=1))  # a few rows may be spoilt
        if apart <= ALIKE * min(float(np.abs(inner).max()), 1.0):
            return (inner[:, one] if not apart else (inner[:, one] + inner[:, two]) / 2), twice, words
    return inner, np.arange(inner.shape[1]), ""


def _mended(single: Float, rows: Index) -> Alone | None:
    """Sines or cosines alone with spoilt rows, changed, moved, or with the last position first."""
    inside = _between(rows)
    if inside.size < 8:
        return None
    before, here, after = single[inside - 1], single[inside], single[inside + 1]
    fine, off, cosine = np.ones(len(inside), bool), before, before[0]
    for _ in range(12):  # by the better half of rows, until that is the same
        cosine = _cosines(before[fine], here[fine], after[fine])
        off = np.abs(before + after - 2 * cosine * here)
        fine = off.max(axis=1) <= np.median(off.max(axis=1))
    fine = off.max(axis=1) <= max(4 * float(np.median(off.max(axis=1))), 1e-9)
    fine[1:-1] &= fine[:-2] & fine[2:]  # a few spoilt rows in a row may go on as waves do
    kept = np.unique((inside[fine] + np.array([[-1], [0], [1]])).ravel())
    values, rows_kept = single[kept], rows[kept]
    while rows_kept.size > 1 and 0 < rows_kept[0] == rows_kept[1] - 1 < BEGIN:  # the first rows are spoilt
        values = np.concatenate([2 * cosine * values[:1] - values[1:2], values])
        rows_kept = np.append(rows_kept[0] - 1, rows_kept)
    read = _cache(values, rows_kept) if rows_kept.size else None
    if read is None:
        noise = float(np.median(off[fine] / np.sqrt(2 + 4 * cosine**2)))
        read = _cache(single, rows, 2 * noise)
    if found := read or _moved(single, rows):
        return found
    read = _cache(single[::-1], (rows[-1] - rows)[::-1])  # with the last position first
    return None if read is None else read._replace(backwards=True)


def _moved(single: Float, rows: Index) -> Alone | None:
    """The same to all of whose entries something was added: x[p-1] + x[p+1] = 2 cos(omega) x[p] + more."""
    inside = _between(rows)
    ends = single[inside - 1, 0] + single[inside + 1, 0]
    here = single[inside, 0]
    spread = float(((here - here.mean()) ** 2).sum())
    slope = float(((here - here.mean()) * (ends - ends.mean())).sum()) / (spread or 1)
    if not spread or slope > 1.99:
        return None
    shift = short(float(ends.mean() - slope * here.mean()) / (2 - slope), 1e-5)
    read = _cache(single - shift, rows) if abs(shift) > 1e-3 else None
    return None if read is None else read._replace(shift=shift)


def _between(rows: Index) -> Index:
    """Places of rows that are there with the row before and the row after."""
    return np.flatnonzero((np.diff(rows[:-1]) == 1) & (np.diff(rows[1:]) == 1)) + 1


def _cosines(before: Float, here: Float, after: Float) -> Float:
    """Of the angle of each column from row to row, by x[p-1] + x[p+1] = 2 cos(omega) x[p]."""
    power = (here**2).sum(axis=0)
    return np.asarray(((before + after) * here).sum(axis=0) / (2 * np.where(power > 1e-12, power, 1)))


def half_filled(array: NDArray[Any], sample: Float, rows: Index) -> Diagnosis | None:
    """A reading of a table with sines alone, or cosines, in every second column, and zeros between."""
    used = np.flatnonzero(sample.any(axis=0))
    if len(rows) < 3 or used.size < 2 or (np.diff(used) != 2).any() or 2 * used.size < array.shape[1] - 1:
        return None
    read = _cache(sample[:, used], rows)
    return None if read is None else judged(array, read, used, np.arange(used.size))


def judged(array: NDArray[Any], read: Alone, columns: Index, pairs: Index) -> Diagnosis | None:
    """The diagnosis of a table whose columns hold these pairs; None if it does not rebuild the table."""
    n, n_columns = array.shape
    found = read.found
    step = whole(found.first, 1e-9)
    positions = Positions(0.0, step * (n - 1), step)
    if read.backwards:
        positions = Positions(positions.last, 0.0, -step)
    zeros = tuple(np.setdiff1d(np.arange(n_columns), columns).tolist())
    cells = Cells(columns, np.zeros(len(columns), np.intp), pairs, (read.wave,) * len(columns))
    entries = type_of_most((array[: min(len(array), 512)].astype(np.float64) - read.shift)[:, columns])
    if read.wave == "angle" and entries.name in NARROW:  # large numbers have few digits behind the point
        bits = {kind: SIGNIFICANT_BITS[kind] for kind in NARROW}[entries.name]
        exponent = math.frexp(float(np.abs(array).max()))[1]
        entries = entries._replace(error=math.ldexp(0.5, exponent - bits))
    error = max(entries.error / read.scale, 2.0**-53)
    reading = Reading(
        read.layout, None if read.wave == "angle" else read.wave, (Axis(found.names, positions),),
        tuple(columns.tolist()), scale=read.scale, shift=read.shift, number_type=entries.name,
        rounding=found.rounding, zeros=zeros, shape=array.shape, cells=cells,
    )  # fmt: skip
    whole_check = check(reading, array, None, error)
    typical, noisy = 0.0, 0
    if read.changed:
        most, typical = float(whole_check.miss.max()), float(np.median(whole_check.miss))
        if most > NOISIEST or whole_check.off.mean() < 0.9:
            return None
        noisy = int(whole_check.off.sum())
        reading = replace(reading, noise=rounded_up(most * read.scale))
        whole_check = check(reading, array, None, error)
    off = np.flatnonzero(whole_check.off)
    zero = off[~array[off].any(axis=1)]
    astray = np.setdiff1d(off, zero)
    if astray.size > MOST * n:
        return None
    reading = replace(reading, rows_off=off)
    first = 0
    if found.rounding is not None:
        plain = check(replace(reading, rounding=None), array, None, error)
        first = int(np.argmax(plain.off))
    rough = read.scale * float(whole_check.miss[astray].max(initial=0.0))
    rough = entries.error if read.layout == "angles" else rough
    seen = Evidence(
        reading, rows=n, zero_columns=zeros, ends=(float(array.min()), float(array.max()))
        if read.shift else (-1.0, 1.0), read_rows=np.arange(n), typical=typical * read.scale, noisy=noisy,
        astray=astray, miss=rough, zero_rows=zero, shows_from=first, worst_frequency=found.worst,
        lost=found.lost,
    )  # fmt: skip
    return Diagnosis(n_columns, reading, problems_of(seen))


def _cache(single: Float, rows: Index, noise: float = 0.0) -> Alone | None:
    """Sines or cosines alone, from position 0 on; with `noise` entries may be off by four times it."""
    if rows[0] != 0:
        return None
    pairs = single.shape[1]
    widths: list[float] = [2 * pairs, 2 * pairs - 2, pairs]
    waves: tuple[Wave, Wave] = ("cos", "sin")
    for wave in waves:
        scale = _amplitude(single, wave, rows, noise)
        scale = 1.0 if abs(scale - 1) < 2e-3 + noise else scale
        if not scale or (np.abs(single[0] / scale - (wave == "cos")) > 1e-2 + 8 * noise).any():
            continue
        alike = single / scale, wave, rows, widths
        found = changed_waves(*alike, noise) if noise else read_waves(*alike)
        if found is not None:
            return Alone("caches", wave, found, scale, changed=noise > 0)
    return None


def changed_waves(waves: Float, wave: Wave, rows: Index, widths: list[float], noise: float) -> Waves | None:
    """The law of columns that were changed a little, by those that turn fast enough to tell."""
    found = speeds_of(waves, wave, rows)
    if found is None:
        return None
    inside = _between(rows)
    rough = np.arccos(np.clip(_cosines(waves[inside - 1], waves[inside], waves[inside + 1]), -1, 1))
    fast = int(np.argmax(np.append(rough, 0) < FAST))
    if fast < 2:
        return None
    omega = refined(waves[:, :fast], wave, rows, rough[:fast])
    if (omega <= 0).any():
        return None
    error = 5 * noise / len(rows) ** 1.5
    law = line_of(omega / omega[0], np.full(fast, error))
    if law is None:
        return None
    first = whole(float(omega[0]), 8 * error)
    names = of_ratio(tuple((law[0] ** np.arange(waves.shape[1])).tolist()), *law, widths)
    told = first * names.rebuild(waves.shape[1])
    return Waves(names, first) if _match(waves, wave, rows[:, np.newaxis] * told, noise) else None


def _angles(single: Float, rows: Index) -> Alone | None:
    """Products of positions and frequencies, if the table is one."""
    top = float(np.abs(single).max())
    pairs = single.shape[1]
    widths: list[float] = [2 * pairs, 2 * pairs - 2, pairs]
    if top < 1.5 or rows[-1] == 0 or (single[-1] <= 0).any():
        return None
    omega = single[-1] / rows[-1]
    error = number_type(single)
    allowed = 4 * error.error * np.abs(single) / top + 8 * SINGLE * np.abs(single) + 1e-12
    if (np.abs(single - rows[:, np.newaxis] * omega) > allowed + 1e-6 * np.abs(single)).any():
        return None
    if len(omega) < 2 or omega[0] == omega[-1]:
        return None
    sigma = omega / omega[0] * max(error.error / top * 4, 8 * SINGLE)
    names = named(omega / omega[0], sigma, widths)
    if names.law not in ("geometric", "blend"):
        return None
    if error.name not in NARROW:
        for half in NARROW:
            near = rounded(omega, half)
            if (np.abs(near - omega) <= 4 * SINGLE * omega).all():
                told = of_narrow(near, half, widths)
                if told is not None:
                    return Alone("angles", "angle", narrowed(told, near, 1.0, half))
    first = whole(float(omega[0]), 2.0**-7 if error.name in NARROW else 1e-5)
    return Alone("angles", "angle", Waves(names, first))


def speeds_of(waves: Float, wave: Wave, rows: Index) -> tuple[Float, Float] | None:
    """Frequencies of columns that are all sines, or all cosines, from position 0 on; and their errors.

    A first guess is from x[p-1] + x[p+1] = 2 cos(omega) x[p]; it is refined where a column is near a quarter
    turn of position 0, or at the last row before.
    """
    inside = _between(rows)
    if inside.size < 2 or rows[0] != 0:
        return None
    rough = np.arccos(np.clip(_cosines(waves[inside - 1], waves[inside], waves[inside + 1]), -1, 1))
    clipped = np.clip(waves, -1, 1)
    steps = np.diff(clipped, axis=0, prepend=clipped[:1])
    before_the_turn = (steps >= 0) & (clipped < 0.96) if wave == "sin" else (steps <= 0) & (clipped > -0.96)
    before_the_turn[0] = True
    early = np.cumprod(before_the_turn, axis=0).astype(bool)
    last = np.maximum(early.sum(axis=0) - 1, 0)
    angle = np.arcsin(clipped) if wave == "sin" else np.arccos(clipped)
    slow = last >= 3
    fine = np.where(slow, angle[last, np.arange(waves.shape[1])] / np.maximum(rows[last], 1), rough)
    slope = np.abs(np.cos(angle) if wave == "sin" else np.sin(angle))
    sharp = np.where(slow, slope[last, np.arange(waves.shape[1])], 1)
    error = number_type(waves).error
    sigma = np.where(slow, error / np.maximum(sharp, 1e-3) / np.maximum(rows[last], 1), np.sqrt(error) + 1e-7)
    return fine, np.maximum(sigma, 4 * SINGLE * fine + 1e-12)


def matched(waves: Float, wave: Wave, rows: Index, omega: Float) -> bool:
    """Whether columns are the sines or the cosines of these frequencies."""
    return _match(waves, wave, rows[:, np.newaxis] * omega, number_type(waves).error)


def _match(waves: Float, wave: Wave, angles: Float, error: float) -> bool:
    told = np.sin(angles) if wave == "sin" else np.cos(angles)
    allowed = 4 * error + 8 * SINGLE * (1 + np.abs(angles))
    return bool((np.abs(waves - told) <= allowed).mean() > 0.999)


def refined(waves: Float, wave: Wave, rows: Index, omega: Float) -> Float:
    """Frequencies that fit all rows, by Newton's method over twice as many rows each time."""
    omega = omega.copy()
    reach = 4
    while True:
        near = rows <= reach
        p = rows[near][:, np.newaxis].astype(float)
        for _ in range(2):
            sin, cos = np.sin(p * omega), np.cos(p * omega)
            told, slope = (sin, p * cos) if wave == "sin" else (cos, -p * sin)
            total = (slope**2).sum(axis=0)
            change = ((waves[near] - told) * slope).sum(axis=0) / np.where(total > 0, total, 1)
            omega = omega + np.clip(change, -0.5 / reach, 0.5 / reach)
        if reach >= rows[-1]:
            return omega
        reach *= 2


def read_waves(waves: Float, wave: Wave, rows: Index, widths: list[float]) -> Waves | None:
    """The frequencies of columns that are all sines, or all cosines."""
    found = speeds_of(waves, wave, rows)
    if found is None:
        return None
    rough, sigma = found
    unwrapped = geometric(rough[::-1], sigma[::-1])
    first = unwrapped[::-1] if unwrapped is not None else rough
    fine = refined(waves, wave, rows, first)
    measured: list[tuple[Frequencies, Float]] = []
    for omega in (fine, first):
        if (omega > 0).all():
            spread = np.maximum(np.minimum(sigma, 1e-6 * omega + number_type(waves).error / rows[-1]), 1e-12)
            measured.append((named(omega / omega[0], spread / omega[0], widths), omega))
    laws = [names for names, _ in measured if names.law == "geometric"]
    usual = product((base for rank in IN_USE for base in rank), widths)
    laws += [Frequencies.of_base(base, over, len(fine)) for base, over in usual if over > 0]
    steps = dict.fromkeys([1.0, whole(float(fine[0]), 1e-5), whole(float(first[0]), 1e-5)])
    simple = _by_law(waves, wave, rows, laws, [step for step in steps if step > 0])
    if simple is not None:
        return simple
    for names, omega in measured:
        if matched(waves, wave, rows, omega):
            half = _of_narrow(waves, wave, rows, omega, widths)
            if half is not None:
                return half
            start = float(omega[0])
            if not matched(waves, wave, rows, start * names.rebuild()):  # near a law, and none
                names = Frequencies("own", tuple((omega / start).tolist()))
            return Waves(names, whole(start, 1e-5))
    return None


def _by_law(
    waves: Float, wave: Wave, rows: Index, laws: list[Frequencies], steps: list[float]
) -> Waves | None:
    """The first law that explains all rows; or all of them, if a step of the program was rounded."""
    error = number_type(waves).error
    places = rows.astype(np.float64)
    few = np.arange(min(len(rows), 12))
    models = [
        (names, step * progression(names.base, names.over, waves.shape[1]), step)
        for names, step in product(laws, steps)
        if names.base and names.over
    ]
    for names, omega, _ in models:
        angles = rows[:, np.newaxis] * omega
        if _match(waves[few], wave, angles[few], error) and _match(waves, wave, angles, error):
            return Waves(names, float(omega[0]))
    for kind, narrowed in product(NARROW, STEPS):
        for names, omega, step in models:
            angles = in_narrow(step * places[few], omega / step, narrowed, kind)
            if not _match(waves[few], wave, angles, error):
                continue
            angles = in_narrow(step * places, omega / step, narrowed, kind)
            if _match(waves, wave, angles, error):
                names = replace(names, rounded=kind) if "frequencies" in narrowed else names
                return Waves(names, step, (narrowed, kind))
    return None


def _of_narrow(waves: Float, wave: Wave, rows: Index, omega: Float, widths: list[float]) -> Waves | None:
    """The same if the frequencies were rounded to half precision, which explains what is seen."""
    for kind, step in product(NARROW, dict.fromkeys([1.0, float(max(round(omega[0]), 1))])):
        near = rounded(omega / step, kind)
        if not (near > 0).all() or not matched(waves, wave, rows, step * near):
            continue
        half = of_narrow(near, kind, widths)
        if half is None:
            continue
        told = half.names.base and half.names.law == "geometric"
        # columns that an eighth of the type's last digit would put elsewhere
        apart = step * near * (1 + 2.0 ** -SIGNIFICANT_BITS[kind] / 4)
        tells = np.flatnonzero(np.frexp(near)[0] != 0.5)
        sure = sum(not matched(waves[:, [i]], wave, rows, apart[[i]]) for i in tells)
        if told or sure >= MANY:
            return narrowed(half, near, step, kind)
    return None


def narrowed(half: Narrowed, near: Float, step: float, kind: FloatType) -> Waves:
    """The same of frequencies that were rounded: by the law that rounds to them, or as they are."""
    worst, lost = worst_of(near, half.told) if half.told is not None else (None, 0)
    names = half.names
    if half.told is None:
        names = Frequencies("own", tuple((near / near[0]).tolist()), rounded=kind)
    return Waves(names, step * half.first, (("frequencies",), kind), worst, lost)


def _amplitude(single: Float, wave: Wave, rows: Index, noise: float) -> float:
    """What all cosines, or all sines, were multiplied by, if the rows from position 0 on tell it; else 0."""
    if wave == "cos":
        middle = float(single[0].mean())
        return middle if np.ptp(single[0]) <= 1e-2 * abs(middle) + 8 * noise else 0.0
    found = speeds_of(single[:, :1] / float(np.abs(single[:, 0]).max() or 1), wave, rows)
    if found is None:
        return 0.0
    told = np.sin(rows * float(found[0][0]))
    return float((told * single[:, 0]).sum() / max(float((told**2).sum()), 1e-12))


def _torn(values: Float, rows: Index, n_columns: int) -> Diagnosis | None:
    """Sines and cosines that form no pairs: of different frequencies, or in another order."""
    width = values.shape[1]
    padded = rows[0] == 0 and not values[0].any()
    if padded:  # then the row of position 0 is from the next ones: x[0] = 2 cos(omega) x[1] - x[2]
        begin = 2 * _cosines(values[1:-2], values[2:-1], values[3:]) * values[1] - values[2]
        values = np.concatenate([[np.where(np.abs(begin) < 1e-6, 0, begin)], values[1:]])
    is_sine, is_cosine = np.abs(values[0]) < 1e-3, np.abs(values[0] - 1) < 1e-3
    more = is_cosine.sum() > is_sine.sum()  # which are ones, perhaps, and in no pair
    if more or not (is_sine | is_cosine).all() or not is_cosine.any() or width < 4:
        return None
    speeds = np.zeros(width)
    own = True
    for wave, which in (("sin", is_sine), ("cos", is_cosine)):
        found = speeds_of(values[:, which], wave, rows)  # type: ignore[arg-type]
        if found is None:
            return None
        speeds[which] = refined(values[:, which], wave, rows, found[0])  # type: ignore[arg-type]
        own = own and matched(values[:, which], wave, rows, speeds[which])  # type: ignore[arg-type]
    sines, cosines = _by_speed(values, is_sine, is_cosine, speeds, float(rows[-1]))
    if (
        len(sines) == len(cosines)
        and matched(values[:, sines], "sin", rows, speeds[sines])
        and matched(values[:, cosines], "cos", rows, speeds[sines])
    ):
        problem: Problem = report.shuffled(np.stack([sines, cosines], axis=1).ravel().tolist())
    elif not own or (apart := _apart(values, rows, is_sine, is_cosine, speeds)) is None:
        return None
    else:
        problem = report.unpaired(speeds.tolist(), is_sine.tolist(), apart)
    zero = [report.zero_rows(np.array([0]))] if padded else []
    return Diagnosis(n_columns, None, [problem, *zero])


def _apart(
    values: Float, rows: Index, is_sine: NDArray[np.bool_], is_cosine: NDArray[np.bool_], speeds: Float
) -> list[int] | None:
    """Neighbors neither of which turns as the other; none if sines come first; None if no pair is apart."""
    if not (is_sine[0] and is_cosine[1]):
        return []
    error, angles = number_type(values).error, rows[:, np.newaxis] * speeds

    def differ(one: int, wave: Wave, other: int) -> bool:
        return not _match(values[:, [one]], wave, angles[:, [other]], error)

    pairs = (j for j in range(0, len(speeds) - 1, 2) if is_sine[j] and is_cosine[j + 1])
    apart = [j for j in pairs if differ(j, "sin", j + 1) and differ(j + 1, "cos", j)]
    return apart or None


def _by_speed(
    values: Float, is_sine: NDArray[np.bool_], is_cosine: NDArray[np.bool_], speeds: Float, last: float
) -> tuple[Index, Index]:
    """Sines and cosines, the fastest first."""
    speeds = np.abs(speeds)  # a negated sine turns backwards
    sines = np.flatnonzero(is_sine)[np.argsort(-speeds[is_sine], kind="stable")]
    cosines = np.flatnonzero(is_cosine)[np.argsort(-speeds[is_cosine], kind="stable")]
    if len(sines) == len(cosines):  # of slow cosines, which all are near 1, the faster one has fallen farther
        there = np.flatnonzero(is_cosine)
        order = np.argsort(values[:, there].mean(axis=0), kind="stable")
        slow = there[order[len(order) - int((speeds[sines] * last < 2).sum()) :]]
        cosines = np.array([*(c for c in cosines.tolist() if c not in slow), *slow], dtype=np.intp)
    return sines, cosines
