"""Names for frequencies: a base over a number of dimensions, or a known method for longer contexts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np

from posenc.arguments import Float
from posenc.context import llama3, yarn
from posread.bases import IN_USE, ROUND, roundness, tells
from posread.fit.hands import UNEVEN, fitted_line
from posread.reading import Frequencies
from posread.report import formula, number, spans

#: Bases that longer contexts are made from.
BEFORE = (1e4, 5e5, 1e6, 1e5, 5e6, 1e7, 1.5e5, 2.5e5, 1e3)
FACTORS = (
    2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 3.0, 5.0, 6.0, 10.0, 12.0, 20.0,
    24.0, 40.0, 48.0, 1.5, 2.5, 128.0,
)  # fmt: skip
LENGTHS = tuple(2**k for k in range(8, 21))
#: The widest table, and by which part of the steps between widths one may be off.
WIDEST, CHANCE = 8192, 5e-3
#: What is known no better than to this part tells no method.
ROUGH = 0.05


def bases(
    ratio: float, error: float, widths: Iterable[float], both: bool = False, least: float = 2e-6
) -> list[tuple[float, float]]:
    """(base, over) for the ratio of neighbors, the roundest first; `error` is that of its logarithm.

    A base is known to no more than `least`.

    Others are kept if they are as round, or in wide use; with `both` also that over the first of the widths.
    """
    widths = list(dict.fromkeys(widths))
    found: list[tuple[int, int, float, float]] = []
    for order, over in enumerate(widths):
        if over <= 0 or abs(math.log(ratio) * over / 2) > 600:
            continue
        base = ratio ** (-over / 2)
        exact = 4 * error * over / 2
        rank, value = roundness(max(base, 1 / base), min(max(exact, least), 0.01))
        value = _with_few_decimals(value, exact) if rank > ROUND else value
        found.append((rank, order, value if base > 1 else 1 / value, float(over)))
    found.sort()
    best = found[0][0]
    wide = of_more(ratio, error, max(widths))
    if best > ROUND + 2 and wide:
        return wide
    as_round = min(max(best, 1), ROUND)
    others = [
        (base, over) for rank, _, base, over in found[1:]
        if base < 1e9 and (rank <= as_round or (both and over in widths[:2]))
    ]  # fmt: skip
    return [found[0][2:], *others, *wide]


def _with_few_decimals(value: float, exact: float) -> float:
    """A number with no more than two decimals, if that is as near as it is known."""
    whole = len(str(int(value)))
    tries = ((whole + digits, round(value, digits)) for digits in range(3 if exact > 1e-9 else 6))
    return next((near for n, near in tries if abs(near / value - 1) <= tells(n, exact)), value)


def of_more(ratio: float, error: float, width: float) -> list[tuple[float, float]]:
    """A base in use over more dimensions, where that is no chance: of a table's first columns; or none.

    Of a base above 100 that is round nothing is looked for.
    """
    own = ratio ** (-width / 2)
    if ratio >= 1 or (own > 101 and roundness(own, 1e-6)[0] <= ROUND + 2):
        return []
    for base in (known for rank in IN_USE[:2] for known in rank):
        over = -2 * math.log(base) / math.log(ratio)
        unit, off = (8 if over < 128 else 64), over * max(4 * error / abs(math.log(ratio)), 1e-7)
        near = unit * round(over / unit)
        if width < near <= WIDEST and abs(near - over) <= off < CHANCE * unit:
            return [(base, float(near))]
    return []


def progression(base: float, over: float, pairs: int) -> Float:
    """base^(-2i / over)."""
    result: Float = base ** (-2 * np.arange(pairs) / over)
    return result


def in_use(pairs: int, widths: Iterable[float]) -> list[Float]:
    """The frequencies of all bases in use, falling and then rising."""
    widths = [over for over in dict.fromkeys(widths) if over > 0]
    known = [base for rank in IN_USE[:-1] for base in rank]
    falling = [progression(base, over, pairs) for base in known for over in widths]
    return [*falling, *(1 / omega for omega in falling)]


def line_of(omega: Float, sigma: Float) -> tuple[float, float] | None:
    """The ratio of neighbors and the error of its logarithm, if they are in geometric progression."""
    if len(omega) < 2 or (omega <= 0).any():
        return None
    relative = np.maximum(sigma / omega, 1e-12)
    places = np.arange(len(omega), dtype=float)
    line = fitted_line(places, np.log(omega), relative)
    misses = np.abs(np.log(omega) - line.level - line.slope * places)
    if (misses > UNEVEN + 8 * relative).any() or np.median(misses / (2e-3 + 8 * relative)) > 1:
        return None
    return math.exp(line.slope), line.error


def named(
    omega: Float, sigma: Float, widths: Iterable[float], both: bool = False, least: float = 2e-6
) -> Frequencies:
    """The name of frequencies, fastest first unless they rise; `sigma` are their standard errors."""
    widths = list(widths)
    values = tuple(float(w) for w in omega)
    if len(omega) == 1:
        return Frequencies("one", values)
    if (np.abs(omega - omega[0]) <= 1e-6 * abs(omega[0]) + 6 * sigma).all():
        return Frequencies("equal", values)
    line = line_of(omega, sigma)
    if line is not None:
        return of_ratio(values, *line, widths, both, least)
    return blend(omega, sigma, widths) or Frequencies("own", values)


def law_of_most(names: Frequencies) -> Iterator[Frequencies]:
    """The progression of a base in use that most pairs keep to, of frequencies that have no law."""
    pairs = len(names.values)
    values = np.abs(names.values[1:])
    if pairs < 5 or not values.all():
        return
    told = np.median(-np.log(values) * pairs / np.arange(1, pairs))
    for base in (base for rank in IN_USE for base in rank if abs(math.log(base) - told) < UNEVEN):
        yield Frequencies.of_base(base, 2.0 * pairs, pairs)


def as_they_are(omega: Float) -> Frequencies:
    """Frequencies near to a law, and of none."""
    return _own(omega, np.full(len(omega), 1e-7), 2.0 * len(omega))


def of_ratio(
    values: tuple[float, ...],
    ratio: float,
    error: float,
    widths: list[float],
    both: bool = False,
    least: float = 2e-6,
) -> Frequencies:
    """The name of a geometric progression, by the ratio of neighbors and the error of its logarithm."""
    if abs(math.log(ratio) - math.log(2)) < max(4 * error, 1e-6):
        return Frequencies("geometric", values, 0.5, 2.0, ((0.5, 2.0),))
    readings = bases(ratio, error, widths, both, least)
    base, over = readings[0]
    ntk = _ntk(ratio, error, widths) if roundness(max(base, 1 / base), 1e-5)[0] > 4 else None
    if ntk:
        base, over, factor = ntk
        return Frequencies.blended(np.array(values), base, over, "NTK-aware", factor=factor)
    return Frequencies("geometric", values, base, over, tuple(readings))


def _ntk(ratio: float, error: float, widths: list[float]) -> tuple[float, float, float] | None:
    """A base in use and a factor that give this ratio as NTK-aware scaling; of 10,000 also other factors."""
    over = widths[0]
    if over <= 2:
        return None
    slowed, within = math.log(ratio) * -over / 2, min(max(4 * error * over / 2, 2e-6), 1e-4)
    exact = math.exp(min((slowed - math.log(1e4)) * (over - 2) / over, 50.0))
    fine = 1.2 < exact < 50 and within < 1e-5 and roundness(math.exp(slowed), 1e-5)[0] > ROUND + 2
    others = (float(f"{exact:.3g}"), round(exact * 1024) / 1024) if fine else ()
    for base, factor in (*product(BEFORE, FACTORS), *((1e4, factor) for factor in others)):
        told = math.log(base) + math.log(factor) * over / (over - 2)
        if abs(slowed - told) < within:
            return base, over, factor
    return None


class Method(NamedTuple):
    """A method for longer contexts with its numbers, and the frequencies that it has."""

    name: str
    factor: float
    detail: str
    numbers: dict[str, Any]
    omega: Float


def blend(omega: Float, sigma: Float, widths: list[float]) -> Frequencies | None:
    """YaRN or Llama 3.1 if their formula rebuilds the line; else a base slowed pair by pair."""
    pairs, over = len(omega), widths[0]
    if pairs < 4 or not omega.all():
        return None
    relative = sigma / np.abs(omega) + 1e-7
    if (omega < 0).any():
        own = _own(omega, relative, over)
        return own if own.detail else None
    allowed, sure = 20 * relative + 1e-6, known_well(relative)
    fine = np.minimum(allowed, np.maximum(6 * relative, 5e-6))  # of which a method that fits has no more
    for base in _bases_of_the_fast(omega, relative, over):
        if base <= 1:
            continue
        slowed = progression(base, over, pairs) / omega
        if abs(slowed[0] - 1) > allowed[0] or over != 2 * pairs or (slowed < 1 - allowed).any():
            continue
        for found in _methods(base, slowed, allowed, sure):
            if (np.abs(found.omega / omega - 1) <= fine)[:sure].all():
                told = {
                    "factor": found.factor,
                    "detail": found.detail,
                    "method": tuple(found.numbers.items()),
                }
                return Frequencies.blended(omega, base, over, found.name, **told)
    return _pair_by_pair(omega, relative, over)


def known_well(relative: Float) -> int:
    """How many pairs, from the first on, are known so well that they tell a method."""
    return int(np.argmax(np.append(relative, np.inf) > ROUGH))


def _methods(base: float, slowed: Float, allowed: Float, sure: int) -> Iterator[Method]:
    """Methods whose first pairs and last pairs of those that are sure are slowed as these are."""
    pairs, d_model, slowed = len(slowed), 2 * len(slowed), slowed[:sure]
    if sure < 4:
        return
    end, fine = float(slowed[-1]), float(allowed[:sure].max()) * 2
    near = round(2 * end) / 2
    ends = [near if near > 1 and abs(near / end - 1) < fine else end]
    factors = [*ends, *(f for f in FACTORS if f > end * (1 + fine))]
    changed = slowed > 1 + 2 * allowed[:sure]
    kept = int(np.argmax(changed)) if changed.any() else sure
    if kept < 1 or sure - kept < 2 or end < 1.2:  # one pair tells no method
        return
    plain = progression(base, d_model, pairs)
    if ends[0] == near and (np.abs(slowed[kept:] / near - 1) <= fine).all() and kept >= 2:
        detail = f", without a ramp: {kept} pairs are kept, the rest divided"
        numbers = {"kept": kept}
        told = np.where(np.arange(pairs) < kept, plain, plain / ends[0])
        yield Method("YaRN or Llama 3.1", ends[0], detail, numbers, told)
    for factor in factors:
        ramp = (1 / slowed[kept] - 1 / factor) / (1 - 1 / factor)  # of the first pair that is slowed
        turn = 2 * math.pi / float(plain[kept])
        others = (_round_lengths(turn * (1 + more * ramp)) for more in (3, 31))
        for length in dict.fromkeys([*LENGTHS, *chain.from_iterable(others)]):
            yield from _of_length(d_model, base, factor, length)


def _of_length(d_model: int, base: float, factor: float, length: int) -> Iterator[Method]:
    """Both methods with the numbers that go with a trained length."""
    words = f" and length {length:,}"
    yield Method("Llama 3.1", factor, words, {"length": length}, llama3(d_model, factor, base, length=length))
    told, numbers = yarn(d_model, factor, base, length=length), {"length": length, "ramp": "turns"}
    yield Method("YaRN", factor, f"{words}, with the ramp in turns", numbers, told)
    for truncate in (True, False):
        logs = (math.log(length / (2 * math.pi * turns)) for turns in (32, 1))
        first, last = (d_model * log / (2 * math.log(base)) for log in logs)
        if truncate:
            first, last = math.floor(first), math.ceil(last)
        detail = f"{words}, with the ramp over pairs {max(first, 0):.4g} to {min(last, d_model - 1):.4g}"
        numbers = {"length": length, "ramp": "pairs", "truncate": truncate}
        told = yarn(d_model, factor, base, length=length, ramp="pairs", truncate=truncate)
        yield Method("YaRN", factor, detail, numbers, told)


def _round_lengths(length: float) -> list[int]:
    """A length, if it is about a round number."""
    for unit in (1024, 1000, 256, 100):
        near = round(length / unit) * unit
        if near > 0 and abs(near / length - 1) < 1e-3:
            return [near]
    return []


def _pair_by_pair(omega: Float, relative: Float, over: float) -> Frequencies | None:
    """A base in use, each pair of which is slowed by a factor of its own, and more from pair to pair."""
    pairs = len(omega)
    if _is_even_in_half(omega, relative):
        return None
    odd = _own(omega, relative, over)
    if odd.detail:
        return odd
    sure = known_well(relative)
    for base in (one for one in _bases_of_the_fast(omega, relative, over) if one in BEFORE[:-1]):
        slowed = (progression(base, over, pairs) / omega)[:sure]
        near = 1 - 20 * float(relative[:sure].max(initial=0.0)) - 1e-3
        rises = (slowed > near).all() and (slowed[1:] > slowed[:-1] * near).all()
        if sure < 8 or not slowed[0] < 2 or slowed[-1] <= 1.5 or not rises:
            continue
        # of the first pair only what it is beside the others is known: it has been made 1 here
        detail = f", each pair slowed by its own factor, the last {slowed[-1]:.4g} times the first's"
        return Frequencies.blended(omega, base, over, "pair by pair", detail=detail)
    return None


def _own(omega: Float, relative: Float, over: float) -> Frequencies:
    """Frequencies of no law; in words a progression of a round base, if many pairs keep to one exactly."""
    pairs, values = len(omega), tuple(float(w) for w in omega)
    best: tuple[int, str] = (pairs // 2 + 1, "")
    if pairs < 8 or relative.max() > 1e-4 or not omega.all():
        return Frequencies("own", values)
    fall = abs(math.log(abs(float(np.median(omega[:-1] / omega[1:]))))) * over / 2
    middle = math.exp(min(fall, 600.0))
    tried = [middle, *_bases_of_the_fast(np.abs(omega), relative, over)]
    for near, of_first in product(tried, (False, True)):
        rank, base = roundness(near, 1e-5) if 1 < near < math.inf else (ROUND + 1, 1.0)
        ratios = omega / progression(base, over, pairs)
        if not of_first and not (usual := float(np.median(ratios))):  # of both signs
            continue
        ratios /= 1.0 if of_first else usual
        off = np.flatnonzero(np.abs(ratios - 1) > 20 * relative + 1e-6)
        if rank > ROUND or not 0 < off.size < best[0]:
            continue
        be = "are in the ratios of" if off[0] == 0 else "are"  # of the first only the ratio is known
        low, high = (number(float(f"{end:.4g}")) for end in (ratios[off].min(), ratios[off].max()))
        who = f"pair {off[0]}, which has" if off.size == 1 else f"pairs {spans(off.tolist())}, which have"
        by = low if low == high else f"{low} to {high}"
        best = int(off.size), f": they {be} {formula(base, over)} but for {who} {by} times that"
    return Frequencies("own", values, detail=best[1])


def _is_even_in_half(omega: Float, relative: Float) -> bool:
    """Whether a progression that was rounded to half precision may look so."""
    half = 2.0**-8 + 2.0**-24 / omega
    line = fitted_line(np.arange(len(omega), dtype=float), np.log(omega), relative + half)
    misses = np.abs(np.log(omega) - line.level - line.slope * np.arange(len(omega)))
    return bool((misses <= 2 * half + 8 * relative).all())


def _bases_of_the_fast(omega: Float, relative: Float, over: float) -> list[float]:
    """Bases that the first pairs tell, which no blend changes, and then the usual ones."""
    found: list[float] = []
    for count in (4, 3, 2):
        if len(omega) > count:
            line = fitted_line(np.arange(count, dtype=float), np.log(omega[:count]), relative[:count])
            base = math.exp(-line.slope * over / 2) if -line.slope * over / 2 < 600 else math.inf
            if 1 < base < math.inf:
                found.append(roundness(base, min(max(4 * line.error * over / 2, 1e-5), 0.01))[1])
    return list(dict.fromkeys([*found, *BEFORE]))
