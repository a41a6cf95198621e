"""Tables without pairs: sines or cosines alone, angles, frequencies, pairs that were torn or shuffled."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import Any, Literal

import numpy as np

from posenc.arguments import Float
from posenc.precision import SIGNIFICANT_BITS, rounded
from posread.diagnosis.axes import whole
from posread.diagnosis.entries import SINGLE, number_type
from posread.diagnosis.phases import Index, geometric
from posread.diagnosis.plausible import of_frequencies, slowest_first, stepped
from posread.diagnosis.reading import Axis, Diagnosis, Frequencies, Positions, Problem, Reading, number
from posread.diagnosis.rounding import (
    MANY,
    NARROW,
    STEPS,
    even,
    in_narrow,
    narrow,
    of_narrow,
    rounded_problem,
)
from posread.diagnosis.spectrum import IN_USE, line_of, named, progression

Wave = Literal["sin", "cos"]


def lone_frequencies(values: Float) -> Diagnosis | None:
    """A line of numbers as frequencies, `inv_freq`, if these are as a known law has them."""
    n, whole = len(values), values
    values = np.trim_zeros(values, "b")  # pairs at rest, the slowest of the head
    if len(values) < 2 or (values <= 0).any() or (np.diff(values) == 0).all():
        return None
    kind = narrow(values)
    half = None if kind is None else of_narrow(whole, kind, [2 * n, 2 * n - 2])
    if half is None:
        error = 0.0 if even(values) else number_type(values).error / float(np.abs(values).max())
        sigma = np.abs(values) * max(error, SINGLE) * 4
        names = named(values / values[0], sigma / values[0], [2 * n, 2 * n - 2])
    else:
        names, error = half[0], 2.0**-7
    # numbers that are known so roughly fit some ramp or other
    loose = kind is not None and error and names.law == "blend" and names.blend != "NTK-aware"
    if half is None and (names.law in ("own", "one") or loose):
        return None
    first = float(values[0])
    problems = of_frequencies(names, False, first) + ([] if half is None else [half[1]])
    if names.rising and names.law == "geometric" and not slowest_first(names, first):
        waves = abs(first / (2 * math.pi) - 1) < 1e-5 + 4 * error
        what = "wavelengths, 2 pi base^(2i/d)," if waves else "divisors of the position, base^(2i/d),"
        problems = [
            replace(
                problem,
                text="The numbers rise from pair to pair, as frequencies do not.",
                origin=f"They may be {what} and not frequencies.",
                cure="Pass the frequencies, base^(-2i/d).",
            )
            if problem.kind == "rising-frequencies"
            else problem
            for problem in problems
        ]
    elif abs(first - 1) > 1e-6 + 4 * error and names.law == "geometric" and not names.rising:
        factor = 1 / first
        if factor <= 1 or abs(factor - round(factor)) >= 1e-4 * factor:
            turns = abs(2 * math.pi * first - 1) < 1e-5 + 4 * error
            problems.append(
                Problem(
                    "step",
                    f"The first frequency is {number(first)} and not 1, and all others are as many times "
                    "as large.",
                    expected=1.0,
                    found=first,
                    origin="It is 1 / (2 pi), as if turns per position were meant." if turns else "",
                )
            )
        else:
            names = replace(names, law="blend", blend="interpolation", factor=float(round(factor)))
    if len(values) < n:
        names = replace(names, detail=f"{names.detail}, and {n - len(values)} pairs at rest")
    held = number_type(values).name
    reading = Reading("frequencies", None, (Axis(names),), tuple(range(len(values))), number_type=held)
    return Diagnosis(2 * n, reading, problems)


def speeds_of(waves: Float, wave: Wave, rows: Index) -> tuple[Float, Float] | None:
    """Frequencies of columns that are all sines, or all cosines, from position 0 on; and their errors.

    A first guess is from x[p-1] + x[p+1] = 2 cos(omega) x[p]; it is refined where a column is near a quarter
    turn of position 0, or at the last row before.
    """
    inside = np.flatnonzero((np.diff(rows[:-1]) == 1) & (np.diff(rows[1:]) == 1)) + 1
    if inside.size < 2 or rows[0] != 0:
        return None
    before, here, after = waves[inside - 1], waves[inside], waves[inside + 1]
    power = (here**2).sum(axis=0)
    power = np.where(power > 1e-12, power, 1.0)
    cosine = np.clip(((before + after) * here).sum(axis=0) / (2 * power), -1, 1)
    rough = np.arccos(cosine)
    clipped = np.clip(waves, -1, 1)
    steps = np.diff(clipped, axis=0, prepend=clipped[:1])
    before_the_turn = (steps >= 0) & (clipped < 0.96) if wave == "sin" else (steps <= 0) & (clipped > -0.96)
    before_the_turn[0] = True
    early = np.cumprod(before_the_turn, axis=0).astype(bool)
    last = np.maximum(early.sum(axis=0) - 1, 0)
    angle = np.arcsin(clipped) if wave == "sin" else np.arccos(clipped)
    slow = last >= 3
    fine = np.where(slow, angle[last, np.arange(waves.shape[1])] / np.maximum(rows[last], 1), rough)
    sharp = np.where(
        slow, np.abs(np.cos(angle) if wave == "sin" else np.sin(angle))[last, np.arange(waves.shape[1])], 1
    )
    error = number_type(waves).error
    sigma = np.where(slow, error / np.maximum(sharp, 1e-3) / np.maximum(rows[last], 1), np.sqrt(error) + 1e-7)
    return fine, np.maximum(sigma, 4 * SINGLE * fine + 1e-12)


def matched(waves: Float, wave: Wave, rows: Index, omega: Float) -> bool:
    """Whether columns are the sines or the cosines of these frequencies."""
    return _match(waves, wave, rows, rows[:, np.newaxis] * omega, number_type(waves).error)


def _match(waves: Float, wave: Wave, rows: Index, angles: Float, error: float) -> bool:
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
            angles = p * omega
            told, slope = (
                (np.sin(angles), p * np.cos(angles))
                if wave == "sin"
                else (np.cos(angles), -p * np.sin(angles))
            )
            total = (slope**2).sum(axis=0)
            change = ((waves[near] - told) * slope).sum(axis=0) / np.where(total > 0, total, 1)
            omega = omega + np.clip(change, -0.5 / reach, 0.5 / reach)
        if reach >= rows[-1]:
            return omega
        reach *= 2


def read_waves(
    waves: Float, wave: Wave, rows: Index, widths: list[float]
) -> tuple[Frequencies, Float, Problem | None] | None:
    """The name of the frequencies of columns that are all sines, or all cosines; these; were they rounded."""
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
    laws += [
        Frequencies(
            "geometric", tuple(progression(base, over, len(fine)).tolist()), base, over, ((base, over),)
        )
        for rank in IN_USE
        for base in rank
        for over in widths
        if over > 0
    ]
    steps = dict.fromkeys([1.0, whole(float(fine[0]), 1e-5), whole(float(first[0]), 1e-5)])
    simple = _by_law(waves, wave, rows, laws, [step for step in steps if step > 0])
    if simple is not None:
        return simple
    for names, omega in measured:
        if matched(waves, wave, rows, omega):
            half = _of_narrow(waves, wave, rows, omega, widths)
            if half is not None:
                return half
            if names.law == "geometric":  # near a progression, and none
                names = Frequencies("own", names.values)
            return names, omega, None
    return None


def _by_law(
    waves: Float, wave: Wave, rows: Index, laws: list[Frequencies], steps: list[float]
) -> tuple[Frequencies, Float, Problem | None] | None:
    """The first law that explains all rows; or all of them, if a step of the program was rounded."""
    error = number_type(waves).error
    places = rows.astype(np.float64)
    few = np.arange(min(len(rows), 12))
    models = [
        (names, step * progression(names.base, names.over, waves.shape[1]), step)
        for names in laws
        for step in steps
        if names.base and names.over
    ]
    for names, omega, _ in models:
        angles = rows[:, np.newaxis] * omega
        if _match(waves[few], wave, rows[few], angles[few], error) and _match(
            waves, wave, rows, angles, error
        ):
            return names, omega, None
    for kind, (narrowed, problem) in product(NARROW, STEPS):
        for names, omega, step in models:
            angles = in_narrow(step * places[few], omega / step, narrowed, kind)
            if not _match(waves[few], wave, rows[few], angles, error):
                continue
            angles = in_narrow(step * places, omega / step, narrowed, kind)
            if _match(waves, wave, rows, angles, error):
                told = np.sin(rows[:, np.newaxis] * omega - (0 if wave == "sin" else -np.pi / 2))
                off = (np.abs(waves - told) > 4 * error + 8 * SINGLE * (1 + rows[:, np.newaxis] * omega)).any(
                    axis=1
                )
                if "frequencies" in narrowed:
                    names = replace(names, rounded=kind)
                return names, omega, rounded_problem(problem, narrowed, kind, rows[np.argmax(off)], rows[-1])
    return None


def _of_narrow(
    waves: Float, wave: Wave, rows: Index, omega: Float, widths: list[float]
) -> tuple[Frequencies, Float, Problem] | None:
    """The same if the frequencies were rounded to half precision, which explains what is seen."""
    for kind, step in product(NARROW, dict.fromkeys([1.0, float(max(round(omega[0]), 1))])):
        near = rounded(omega / step, kind)
        if not (near > 0).all() or not matched(waves, wave, rows, step * near):
            continue
        half = of_narrow(near, kind, widths)
        if half is None:
            continue
        told = half[0].base and half[0].law == "geometric"
        # columns that an eighth of the type's last digit would put elsewhere
        apart = step * near * (1 + 2.0 ** -SIGNIFICANT_BITS[kind] / 4)
        sure = sum(
            not matched(waves[:, [i]], wave, rows, apart[[i]])
            for i in np.flatnonzero(np.frexp(near)[0] != 0.5)
        )
        if told or sure >= MANY:
            return half[0], step * near, half[1]
    return None


def lone(values: Float, rows: Index, n_columns: int) -> Diagnosis | None:
    """A reading of a table without pairs, or None."""
    if len(rows) < 3:
        return None
    width = values.shape[1]
    half = width // 2
    everything = tuple(range(width))
    # each column twice
    single, layout = values, "once"
    if width % 2 == 0 and width >= 2:
        if np.array_equal(values[:, :half], values[:, half:]):
            single, layout = values[:, :half], "halves"
        elif np.array_equal(values[:, 0::2], values[:, 1::2]):
            single, layout = values[:, 0::2], "interleaved"
    pairs = single.shape[1]
    widths: list[float] = [2 * pairs, 2 * pairs - 2, pairs]
    top = float(np.abs(values).max())
    kind = number_type(values).name
    angle = _angles(single, rows, widths)
    if angle is not None:
        names, omega = angle
        half = _narrow_angles(single, rows, omega, kind, widths)
        names = half[0] or names if half else names
        step = whole(float(omega[0]), 2.0**-7 if kind in NARROW else 1e-5)
        alone = _alone("angles", None, names, step, rows, everything, n_columns, layout, kind)
        return alone if half is None else replace(alone, problems=[*alone.problems, half[1]])
    if rows[0] == 0:
        for wave in ("cos", "sin"):
            scale = _amplitude(single, wave, rows)
            scale = 1.0 if abs(scale - 1) < 2e-3 else scale
            if not scale or (np.abs(single[0] / scale - (wave == "cos")) > 1e-2).any():
                continue
            found = read_waves(single / scale, wave, rows, widths)
            if found is not None:
                names, omega, half = found
                alone = _alone(
                    "caches", wave, names, float(omega[0]), rows, everything, n_columns, layout, kind
                )
                if half is not None:
                    alone = replace(alone, problems=[*alone.problems, half])
                return alone if scale == 1 else _scaled(alone, scale)
    if top <= 1 + 1e-2 and rows[0] == 0:
        torn = _torn(values, rows, n_columns)
        if torn is not None:
            return torn
    return None


def _amplitude(single: Float, wave: Wave, rows: Index) -> float:
    """What all cosines, or all sines, were multiplied by, if the rows from position 0 on tell it; else 0."""
    if wave == "cos":
        return float(single[0].mean()) if np.ptp(single[0]) <= 1e-2 * abs(float(single[0].mean())) else 0.0
    found = speeds_of(single[:, :1] / float(np.abs(single[:, 0]).max() or 1), wave, rows)
    if found is None:
        return 0.0
    told = np.sin(rows * float(found[0][0]))
    return float((told * single[:, 0]).sum() / max(float((told**2).sum()), 1e-12))


def _scaled(alone: Diagnosis, scale: float) -> Diagnosis:
    """The same of a cache that was multiplied."""
    assert alone.reading is not None
    problem = Problem(
        "scaled",
        f"The entries are scaled: they reach {number(round(scale, 6))} and not 1.",
        expected=1.0,
        found=scale,
        origin="YaRN and LongRoPE multiply cosines and sines so.",
        cure="Divide by it, unless the program means it.",
    )
    reading = replace(alone.reading, scale=scale)
    return replace(alone, reading=reading, problems=[*alone.problems, problem])


def _alone(
    layout: Any,
    wave: Any,
    names: Frequencies,
    step: float,
    rows: Index,
    columns: Any,
    n_columns: int,
    twice: str,
    kind: str,
) -> Diagnosis:
    near = float(round(step)) if abs(step - round(step)) < 1e-5 else step
    last = near * float(rows[-1])
    problems = of_frequencies(names, False)
    if near != 1 and not stepped(names, near):
        problems.append(
            Problem(
                "step",
                f"The rows are {near:.6g} positions apart, or the first frequency is not 1.",
                expected=1.0,
                found=near,
            )
        )
    if twice != "once":
        names = replace(
            names, detail=f", each {'column twice, side by side' if twice == 'interleaved' else 'half twice'}"
        )
    reading = Reading(layout, wave, (Axis(names, Positions(0.0, last, near)),), columns, number_type=kind)
    return Diagnosis(n_columns, reading, problems)


def _angles(single: Float, rows: Index, widths: list[float]) -> tuple[Frequencies, Float] | None:
    """Products of positions and frequencies, if the table is one; and the frequencies of its columns."""
    top = float(np.abs(single).max())
    if top < 1.5 or rows[-1] == 0 or (single[-1] <= 0).any():
        return None
    omega = single[-1] / rows[-1]
    error = number_type(single)
    allowed = 4 * error.error * np.abs(single) / top + 8 * SINGLE * np.abs(single) + 1e-12
    if (np.abs(single - rows[:, np.newaxis] * omega) > allowed + 1e-6 * np.abs(single)).any():
        return None
    if len(omega) < 2 or omega[0] == omega[-1]:
        return None
    names = named(omega / omega[0], omega / omega[0] * max(error.error / top * 4, 8 * SINGLE), widths)
    return (names, omega) if names.law in ("geometric", "blend") else None


def _narrow_angles(
    single: Float, rows: Index, omega: Float, kind: str, widths: list[float]
) -> tuple[Frequencies | None, Problem] | None:
    """Whether angles are held in half precision, or products with frequencies that were."""
    if kind in NARROW:
        off = number_type(single).error
        return None if off < 1e-2 else (None, _rough_angles(kind, off))
    for half in NARROW:
        near = rounded(omega, half)
        if (np.abs(near - omega) <= 4 * SINGLE * omega).all():
            return of_narrow(near, half, widths)
    return None


def _rough_angles(kind: str, off: float) -> Problem:
    return Problem(
        "rounded-angles",
        f"The angles are held in {kind}, which is off by up to {off:.2g} where they are largest.",
        expected="float32",
        found=kind,
        cure="Compute positions, frequencies and angles in float32 or better, and cast last.",
    )


def _with_a_beginning(values: Float) -> Float:
    """The same with the row of position 0 from the next ones: x[0] = 2 cos(omega) x[1] - x[2]."""
    before, here, after = values[1:-2], values[2:-1], values[3:]
    power = (here**2).sum(axis=0)
    twice = ((before + after) * here).sum(axis=0) / np.where(power > 0, power, 1)
    values = values.copy()
    values[0] = twice * values[1] - values[2]
    values[0, np.abs(values[0]) < 1e-6] = 0
    return values


def _torn(values: Float, rows: Index, n_columns: int) -> Diagnosis | None:
    """Sines and cosines that form no pairs: of different frequencies, or in another order."""
    width = values.shape[1]
    if rows[0] == 0 and not values[0].any():  # a row for padding
        values = _with_a_beginning(values)
    is_sine = np.abs(values[0]) < 1e-3
    is_cosine = np.abs(values[0] - 1) < 1e-3
    if not (is_sine | is_cosine).all() or not is_sine.any() or not is_cosine.any() or width < 4:
        return None
    speeds = np.zeros(width)
    own = True
    for wave, which in (("sin", is_sine), ("cos", is_cosine)):
        found = speeds_of(values[:, which], wave, rows)  # type: ignore[arg-type]
        if found is None:
            return None
        speeds[which] = refined(values[:, which], wave, rows, found[0])  # type: ignore[arg-type]
        own = own and matched(values[:, which], wave, rows, speeds[which])  # type: ignore[arg-type]
    sines = np.flatnonzero(is_sine)[np.argsort(-speeds[is_sine], kind="stable")]
    cosines = np.flatnonzero(is_cosine)[np.argsort(-speeds[is_cosine], kind="stable")]
    if len(sines) == len(cosines):  # of slow cosines, which all are near 1, the faster one has fallen farther
        means = values[:, np.flatnonzero(is_cosine)].mean(axis=0)
        slow = np.argsort(means, kind="stable")[len(means) - int((speeds[sines] * rows[-1] < 2).sum()) :]
        fast = [c for c in cosines.tolist() if c not in np.flatnonzero(is_cosine)[slow]]
        cosines = np.array([*fast, *np.flatnonzero(is_cosine)[slow]], dtype=np.intp)
    if (
        len(sines) == len(cosines)
        and matched(values[:, sines], "sin", rows, speeds[sines])
        and matched(values[:, cosines], "cos", rows, speeds[sines])
    ):
        problem = Problem(
            "columns-shuffled",
            "Each column is a sine or a cosine, and each sine has its cosine, but in no layout that is read.",
            columns=tuple(range(width)),
            expected="interleaved or halves",
            found=tuple(np.stack([sines, cosines], axis=1).ravel().tolist()),
            origin="Columns were permuted, or several encodings stand side by side.",
            cure="Interleaved and by frequency, columns are those in `found`.",
        )
    elif not own:
        return None
    else:
        by_column = line_of(speeds / speeds[0], 1e-3 * speeds / speeds[0]) is not None
        pairs = ""
        if is_sine[0] and is_cosine[1]:
            pairs = f": in the second pair {speeds[2]:.4g} and {speeds[3]:.4g}" if width > 3 else ""
        problem = Problem(
            "unpaired-frequencies",
            f"Sine and cosine of a pair have different frequencies{pairs}.",
            columns=tuple(range(width)),
            expected="one frequency for the two",
            found=tuple(float(w) for w in speeds[:1000]),
            origin="The number of the column was used in the exponent where that of the pair belongs."
            if by_column
            else "",
            cure="Use 2 * (j // 2) / d for column j." if by_column else "",
        )
    return Diagnosis(n_columns, None, [problem])


def kind_of(values: Float, rows: Index) -> str:
    """What else is seen of columns: whether each is a wave."""
    inside = np.flatnonzero((np.diff(rows[:-1]) == 1) & (np.diff(rows[1:]) == 1)) + 1
    if inside.size < 3 or not values.size:
        return ""
    before, here, after = values[inside - 1], values[inside], values[inside + 1]
    power = (here**2).sum(axis=0)
    usable = power > 1e-6 * len(inside)
    if not usable.any():
        return ""
    cosine = ((before + after) * here).sum(axis=0)[usable] / (2 * power[usable])
    off = np.abs((before + after)[:, usable] - 2 * np.clip(cosine, -1, 1) * here[:, usable]).max(axis=0)
    if np.median(off) < 1e-2 * float(np.abs(values).max()):
        return "From row to row most columns move as waves, or as slow curves, do."
    return ""
