"""Which step of a program was rounded to half precision, read off the rows that stray."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from posenc.arguments import Float
from posenc.context import llama3, yarn
from posenc.precision import SIGNIFICANT_BITS, FloatType, rounded
from posread.bases import IN_USE, ROUND, roundness
from posread.fit.axes import AxisFit
from posread.fit.frequency_laws import BEFORE, FACTORS, LENGTHS, named, of_more, of_ratio, progression
from posread.fit.hands import Complex, Index, evenly, tolerance, wrapped
from posread.fit.number_types import DOUBLE, SINGLE, Numbers
from posread.reading import Frequencies
from posread.rebuild import in_narrow

#: The largest number that float16 holds.
LARGEST_HALF = 65_504
#: The smallest number of each.
SMALLEST = {"bfloat16": 2.0**-133, "float16": 2.0**-24}
#: What half precision may have been used for, from the mildest to the worst.
STEPS: tuple[tuple[str, ...], ...] = (
    ("positions",),
    ("frequencies",),
    ("angles",),
    ("positions", "frequencies", "angles"),
)
#: The types in which programs hold what should be float32.
NARROW: tuple[FloatType, ...] = ("bfloat16", "float16")
#: Of numbers with one significant bit every type holds the neighborhood, so they tell nothing; so many others
#: are too many for chance.
MANY = 8
#: So large a part of the rows may be off by a tie that fell the other way, and positions bent by so much.
TIES, BENT = 0.02, 0.05
#: So many rows are compared, and so few before these.
ROWS, FEW = 1200, 16

#: Of how many bits the types are whose last digit tells a base, by any name.
_BITS = {str(kind): bits for kind, bits in SIGNIFICANT_BITS.items()}


class Rounding(NamedTuple):
    """Steps of a program that were rounded, which explains every row."""

    steps: tuple[str, ...]
    kind: FloatType
    names: Frequencies
    places: Float


def rounding_of(
    axis: AxisFit, hands: Complex, rows: Index, places: Float, noise: float, names: Frequencies
) -> Rounding | None:
    """The step whose rounding explains every row, the frequencies before it, and the positions; or None."""
    chosen = evenly(np.arange(len(rows)), ROWS)
    hands, rows, places = hands[chosen][:, axis.turning], rows[chosen], places[chosen]
    few = evenly(np.arange(len(rows)), FEW)
    sure = axis.exact and axis.good >= 0.9  # the frequencies are known, so others need not be tried
    models = _models(axis, names)
    before = {kind: _before(axis, kind) for kind in NARROW if not axis.exact}
    for kind, steps, line in product(NARROW, STEPS, _lines(axis, rows, places)):
        tried = models[:1] if sure and "frequencies" not in steps else models
        if steps == ("frequencies",) and not axis.exact:
            tried = [*tried, *before[kind]]
        for model, omega in tried:
            if kind == "float16" and _overflows(steps, line, omega):
                continue
            allowed = tolerance(line, omega, noise)

            def miss(angles: Float, at: Index | slice = slice(None)) -> Float:
                told = 1j**axis.quarter * np.exp(1j * axis.flip * angles)
                off: Float = np.abs(hands[at] - told).max(axis=1)
                return off

            if (miss(in_narrow(line[few], omega, steps, kind), few) > allowed[few]).mean() > TIES:
                continue
            if (miss(in_narrow(line, omega, steps, kind)) > allowed).mean() > TIES:
                continue
            if (miss(in_narrow(line, omega, (), kind)) > allowed).any():  # which needs an explanation
                names = replace(model, rounded=kind) if "frequencies" in steps else model
                return Rounding(steps, kind, names, line)
    return None


def _overflows(steps: tuple[str, ...], line: Float, omega: Float) -> bool:
    """Whether float16 does not hold what would be rounded to it."""
    far, top = float(np.abs(line).max()), float(np.abs(omega).max(initial=0.0))
    largest = {"positions": far, "frequencies": top, "angles": far * top}
    return any(largest[step] > LARGEST_HALF for step in steps)


def _models(axis: AxisFit, names: Frequencies) -> list[tuple[Frequencies, Float]]:
    """Frequencies that may have been rounded: those that were read, and those of round bases near them."""
    read = [(names, axis.omega[axis.turning])]
    if names.law != "geometric" and not is_measured(names):
        return read
    return [*read, *_usual(axis)] if axis.exact else [*_usual(axis), *read]


def is_measured(names: Frequencies) -> bool:
    """Whether frequencies are told as they were measured, and by no law."""
    return names.law == "own" or names.blend == "pair by pair"


def _before(axis: AxisFit, kind: FloatType) -> list[tuple[Frequencies, Float]]:
    """The law of measured frequencies before they were rounded to a type, if one rounds to them."""
    measured = axis.omega[axis.turning]
    pairs = len(measured)
    if pairs < 2 or not ((measured > 0) & (measured < LARGEST_HALF)).all():
        return []
    half = of_narrow(rounded(measured, kind), kind, [2 * pairs, 2 * pairs - 2])
    return [] if half is None or half.told is None or half.first != 1 else [(half.names, half.told)]


def narrow(values: Float) -> FloatType | None:
    """The narrower of the two types that holds all numbers, if one does."""
    return next((kind for kind in NARROW if (rounded(values, kind) == values).all()), None)


class Narrowed(NamedTuple):
    """Frequencies before they were rounded to a type, the first of them in radians per position."""

    names: Frequencies
    first: float
    told: Float | None  # all of them; None where no law tells them


def of_narrow(values: Float, kind: FloatType, widths: list[float]) -> Narrowed | None:
    """The law of frequencies before they were rounded to a type, if rounding changed them; else None."""
    tells = np.frexp(values)[0] != 0.5  # all types hold powers of two
    alive = values > 0
    if not tells[alive].any() or not alive[0] or even(values[alive]):
        return None
    for first in _firsts(float(values[0])):
        spread = _ratios(values, kind, first)
        if spread is None:
            continue
        names, told = _law_of(values, kind, first, spread, widths)
        if alive.sum() == 2 and names.base not in {base for rank in IN_USE for base in rank}:
            return None  # two numbers have any ratio
        if _rounds_to(told, values, kind):
            if (np.abs(told - values) <= 2e-6 * told).all():
                return None
            if first < 1 - 1e-9 and names.law == "geometric" and not names.rising:
                names = replace(names, law="blend", blend="interpolation", factor=float(round(1 / first)))
            return Narrowed(replace(names, rounded=kind), first, told)
    return _bent(values, kind, widths) if (tells & alive).sum() >= MANY else None


def _law_of(
    values: Float, kind: FloatType, first: float, spread: tuple[float, float], widths: list[float]
) -> tuple[Frequencies, Float]:
    """The law of a ratio, and its frequencies; of the exact ratio if a rounder base does not round so."""
    ratio, error = spread
    names = of_ratio(tuple(values[values > 0].tolist()), ratio, error, widths)
    told: Float = first * _of(names, ratio, len(values))
    if not _rounds_to(told, values, kind):
        names = of_ratio(names.values, ratio, 0.0, widths)
        told = first * _powers(ratio, len(values))
    return names, told


def _bent(values: Float, kind: FloatType, widths: list[float]) -> Narrowed | None:
    """Frequencies in no progression that were rounded: by a method for longer contexts, or as they are."""
    live = values[values > 0]
    names = named(live / live[0], 2.0**-7 * live / live[0], widths)
    falls = np.log(live[:-1] / live[1:])
    if names.law in ("own", "one") or falls.min() <= 0 or falls.max() > 4 * np.median(falls):
        return None
    for blended, told in _blends(values, kind, widths[0]):
        if _rounds_to(told, values, kind):
            return Narrowed(replace(blended, rounded=kind), 1.0, told)
    return Narrowed(Frequencies("own", tuple((live / live[0]).tolist()), rounded=kind), float(live[0]), None)


def worst_of(values: Float, told: Float) -> tuple[tuple[int, float], int]:
    """The pair whose frequency rounding moved most, and by how much; and how many became 0."""
    off = np.abs(values - told)
    worst = int(off.argmax())
    return (worst, float(off[worst])), int(((values == 0) & (told > 0)).sum())


def _blends(values: Float, kind: FloatType, over: float) -> Iterator[tuple[Frequencies, Float]]:
    """YaRN and Llama 3.1 with numbers in use, whose first frequencies and whose last are these."""
    pairs = len(values)
    if pairs < MANY or over != 2 * pairs:
        return
    for base, factor in product(BEFORE, FACTORS):
        plain = progression(base, over, pairs)
        ends = (plain[:3], values[:3]), (plain[-1:] / factor, values[-1:])
        if not all(_rounds_to(told, seen, kind) for told, seen in ends):
            continue
        for length in LENGTHS:
            ramp = {"length": length, "ramp": "pairs"}
            for name, program, numbers in (("Llama 3.1", llama3, {"length": length}), ("YaRN", yarn, ramp)):
                told = program(2 * pairs, factor, base, **numbers)
                more = {"detail": f" and length {length:,}", "method": tuple(numbers.items())}
                yield Frequencies.blended(values, base, over, name, factor=factor, **more), told


def even(values: Float) -> bool:
    """Whether numbers are a progression as they are: more than two, since two always are one, or halvings."""
    ratio = (values[-1] / values[0]) ** (1 / (len(values) - 1))
    told = values[0] * ratio ** np.arange(len(values))
    tells = len(values) > 2 or math.frexp(ratio)[0] == 0.5
    return bool(tells and np.isfinite(told).all() and (np.abs(told - values) <= 1e-6 * told).all())


def _firsts(first: float) -> list[float]:
    """What a first frequency may have been before it was rounded."""
    tries = [1.0, 2 * math.pi, 1 / (2 * math.pi), first]
    if first < 1:
        tries.insert(1, 1 / round(1 / first))
    return [one for one in tries if abs(one - first) <= 2.0**-8 * first]


def _ratios(values: Float, kind: FloatType, first: float) -> tuple[float, float] | None:
    """The ratios of a progression that is rounded to these numbers: the middle, and a quarter of their width.

    That of logarithms, as the standard error of a fit.
    """
    step = np.ldexp(1.0, np.frexp(values)[1] - SIGNIFICANT_BITS[kind])
    step = np.where(values > 0, np.maximum(step, SMALLEST[kind]), SMALLEST[kind])
    low, high = np.maximum(values - step / 2, 0), values + step / 2
    between = _between(low / first, high / first)
    return between and (math.exp(sum(between) / 2), (between[1] - between[0]) / 8)


def _between(low: Float, high: Float) -> tuple[float, float] | None:
    """The least and the most that the logarithm of a ratio may be, of a progression from 1 between these."""
    with np.errstate(divide="ignore"):
        below, above = (np.log(edge[1:]) / np.arange(1, len(low)) for edge in (low, high))
    least, most = float(below.max()), float(above.min())
    return (least, most) if least < most and math.isfinite(least) else None


def of_small_angles(
    axis: AxisFit, entries: Complex, places: Float, scale: float, kind: Numbers
) -> tuple[Frequencies, float] | None:
    """The roundest base whose sines are rounded to these, and by how much the step is off; or None."""
    pairs, names, cut = axis.turning.sum(), axis.frequencies, kind._replace(error=2 * kind.error)
    exact = [(kind, 0.0), (cut, 0.0)]  # or cut off
    exact += [(kind, 32 * SINGLE)] * (_rank(names) > ROUND)  # or made in float32
    ways = (_told_by_sines(axis, entries, places, scale, *one) for one in exact)
    low, high = next(filter(None, ways), (np.zeros(0), np.zeros(0)))
    if not low.size:
        return None
    ends = (1.0, 1.0) if low[0] <= 1 <= high[0] else (float(low[0]), float(high[0]))
    first, between = sum(ends) / 2, _between(low / ends[1], high / ends[0])
    if between is None or between[1] >= 0 or -between[0] * pairs > 600:
        return None
    found = list[tuple[int, bool, float, float]]()
    for over in (2.0 * pairs, 2.0 * pairs - 2):
        least, most = (-edge * over / 2 for edge in between[::-1])
        rank, base = _roundest(least, most)
        found.append((rank, True, base, over))
        mine = names.base if names.law == "geometric" and names.over == over else None
        if first == 1 and mine and least <= math.log(mine) <= most:  # as it was read
            found.append((roundness(mine, 1e-9)[0], False, 0.0, over))
    rank, _, base, over = min(found, key=lambda one: one[:2])
    wide = of_more(math.exp(sum(between) / 2), (between[1] - between[0]) / 8, 2.0 * pairs)
    base, over = [(base, over), *wide][-1 if rank > ROUND + 2 else 0]
    return (Frequencies.of_base(base, over, int(pairs)), first) if base else None


def of_phases(
    axis: AxisFit, hands: Complex, places: Float, noise: float, relative: bool
) -> Frequencies | None:
    """The law of frequencies as phases at known places tell them, if those that were read miss them; or None.

    Phases far from position 0 tell more than increments; and of small ones, if `relative`, a type as much.
    """
    omega, pairs = axis.omega[axis.turning], int(axis.turning.sum())
    told = places[:, np.newaxis] * omega
    off = axis.flip * np.angle(hands[:, axis.turning] * 1j**-axis.quarter * np.exp(-1j * axis.flip * told))
    error = noise * np.clip(np.abs(told), 1e-9 if relative else 1.0, 1.0)
    if pairs < 3 or np.abs(off).max() > 1 or (np.abs(off) <= 2 * error + 2 * DOUBLE * np.abs(told)).all():
        return None
    weights = 1 / (error + DOUBLE * np.abs(told)) ** 2
    spread = (weights * places[:, np.newaxis] ** 2).sum(axis=0)
    omega = omega + (weights * places[:, np.newaxis] * off).sum(axis=0) / np.maximum(spread, 1e-300)
    if not (spread.all() and (omega > 0).all()):
        return None
    least = 1e-12 if noise < SINGLE / 8 else 2e-6
    names = named(omega / omega[0], 1 / np.sqrt(spread), [2.0 * pairs, 2.0 * pairs - 2], least=least)
    return None if is_measured(names) else names


def _rank(names: Frequencies) -> int:
    """How round the base is that was read."""
    return roundness(max(names.base, 1 / names.base), 2e-6)[0] if names.base else 0


def _told_by_sines(
    axis: AxisFit, entries: Complex, places: Float, scale: float, kind: Numbers, rough: float
) -> tuple[Float, Float] | None:
    """The least and the most that each frequency may be.

    Of types with bits small sines tell it, which are known to as many digits as large ones.
    """
    few, omega, bits = evenly(np.flatnonzero(places), 256), axis.omega[axis.turning], _BITS.get(kind.name, 0)
    if kind.name == "float64" or len(omega) < 2 or (omega <= 0).any():
        return None
    hands, there = entries[few][:, axis.turning] * 1j**-axis.quarter, np.abs(places[few])[:, np.newaxis]
    told = there * omega
    if not bits:
        phases = np.angle(hands) * axis.flip * np.sign(places[few])[:, np.newaxis]
        angles, long, error = told + wrapped(phases - told), np.abs(hands) / scale - 1, kind.error / scale
        slope = np.stack([np.cos(angles), -np.sin(angles)])  # of the sine, and of the cosine
        slope = np.where(np.abs(slope) > 0.3, slope, np.nan)
        middle = angles + long * np.stack([np.sin(angles), np.cos(angles)]) / slope
        off = error * (1 + 2 * error) / np.abs(slope)
        low = np.maximum(np.nanmax((middle - off) / there, axis=(0, 1)), 0.0)
        high = np.nanmin((middle + off) / there, axis=(0, 1))
        return None if (low > high).any() else (low, high)
    sines = np.abs(hands.imag)
    half = np.maximum(np.ldexp(0.5, np.frexp(sines)[1] - bits), SMALLEST.get(kind.name, 0.0) / 2)
    near, more = told < 0.5, 2.0**-19 if bits < 24 else 2.0**-50 + rough
    if scale != 1:
        more += 2.0**-bits / 8 + abs(float(np.median(np.abs(hands))) / scale - 1)
    low, high = (np.arcsin(np.clip(edge / scale, 0, 1)) / there for edge in (sines - half, sines + half))
    low = np.where(near, low * (1 - more), 0.0).max(axis=0, initial=0.0)
    high = np.where(near, high * (1 + more), np.inf).min(axis=0, initial=np.inf)
    return None if (low > high).any() else (low, high)


def _roundest(least: float, most: float) -> tuple[int, float]:
    """How round the roundest number is whose logarithm is between these, and that number."""
    middle = math.exp((least + most) / 2)
    rank, base = roundness(middle, (most - least) / 2)
    tries = (float(f"{middle:.{digits}g}") for digits in range(4, 17)) if rank > ROUND + 2 else ()
    return rank, next((near for near in tries if least <= math.log(near) <= most), base)


def _rounds_to(told: Float, values: Float, kind: FloatType) -> bool:
    """Whether numbers, as a program in float32 has them, are these when they are rounded."""
    low, high = rounded(told * (1 - 1e-6), kind), rounded(told * (1 + 1e-6), kind)
    return bool(((low <= values) & (values <= high)).all())


def _of(names: Frequencies, ratio: float, pairs: int) -> Float:
    """The law that was named, from 1 on; or the ratio's where it is no progression of the base."""
    if names.law == "geometric" and names.base and names.over and names.base != 0.5:
        return progression(names.base, names.over, pairs)
    return _powers(ratio, pairs)


def _powers(ratio: float, count: int) -> Float:
    result: Float = ratio ** np.arange(count, dtype=np.float64)
    return result


def _lines(axis: AxisFit, rows: Index, places: Float) -> Iterator[Float]:
    """Whole positions if they are near to those read, which rounding may have bent; and these."""
    start = np.rint(places[0] - rows[0])
    whole = np.asarray(start + rows, dtype=np.float64)
    near = bool(np.abs(whole - places).max() <= BENT)
    yield from [whole] * near
    yield places
    if axis.good < 0.9:
        yield from [whole] * (not near) + [rows.astype(np.float64)] * bool(start)


def _usual(axis: AxisFit) -> list[tuple[Frequencies, Float]]:
    """Frequencies of a round base within two percent, under each denominator."""
    result, measured = list[tuple[Frequencies, Float]](), axis.omega[axis.turning]
    pairs, reach = len(measured), 0.05 if axis.good > 0.9 else 3.0
    if pairs < 2 or (measured <= 0).any():
        return []
    fall = -math.log(measured[-1] / measured[0]) / (pairs - 1)
    for over in (2.0 * pairs, 2.0 * pairs - 2):
        base = math.exp(fall * over / 2)
        usual = [b for rank in IN_USE for b in rank if abs(math.log(base / b)) < reach]
        for near in dict.fromkeys([*usual, float(f"{base:.0e}"), float(f"{base:.1e}")]):
            if abs(math.log(base / near)) < reach and near > 1:
                result.append((Frequencies.of_base(near, over, pairs), progression(near, over, pairs)))
    return result
