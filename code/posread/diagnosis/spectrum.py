"""Names for frequencies: a base over a number of dimensions, or a known method for longer contexts."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from posenc.arguments import Float
from posread.diagnosis.phases import UNEVEN, fitted_line
from posread.diagnosis.reading import Frequencies

#: Bases in use, the commonest first; then powers of ten count as round, then one digit, then two.
IN_USE = (
    (1e4,),
    (5e5, 1e6),
    (1e5, 5e6, 1e7, 1e3, 1e2, 2e6, 8e6, 1.5e5, 1.6e5, 2.5e5, 5e4, 5e7),
    (1e8, 1e11),
)
#: Bases that longer contexts are made from.
BEFORE = (1e4, 5e5, 1e6, 1e5, 5e6, 1e7, 1.5e5, 2.5e5, 1e3)
FACTORS = (
    2.0,
    4.0,
    8.0,
    16.0,
    32.0,
    64.0,
    3.0,
    5.0,
    6.0,
    10.0,
    12.0,
    20.0,
    24.0,
    40.0,
    48.0,
    1.5,
    2.5,
    128.0,
)
LENGTHS = tuple(2**k for k in range(8, 21))
#: How round a base must be to be named beside the one that is preferred.
ROUND = 5


def roundness(base: float, allowed: float) -> tuple[int, float]:
    """How round the roundest number is within a relative distance, 0 for 10,000, and that number."""
    for rank, known in enumerate(IN_USE):
        for value in known:
            if abs(math.log(base / value)) <= allowed:
                return rank, value
    tries = [
        10.0 ** round(math.log10(base)),
        float(f"{base:.0e}"),
        float(f"{base:.1e}"),
        float(f"{base:.2e}"),
    ]
    for rank, value in enumerate(tries, len(IN_USE)):
        if abs(math.log(base / value)) <= allowed:
            return rank, value
    return ROUND + 3, base


def bases(
    ratio: float, error: float, widths: Iterable[float], both: bool = False
) -> list[tuple[float, float]]:
    """(base, over) for the ratio of neighbors, the roundest first; `error` is that of its logarithm.

    Others are kept if they are as round, or in wide use; with `both` also that over the first of the widths.
    """
    widths = list(dict.fromkeys(widths))
    found: list[tuple[int, int, float, float]] = []
    for order, over in enumerate(widths):
        if over <= 0 or abs(math.log(ratio) * over / 2) > 600:
            continue
        base = ratio ** (-over / 2)
        allowed = min(max(4 * error * over / 2, 2e-6), 0.01)
        rank, value = roundness(base, allowed) if base > 1 else roundness(1 / base, allowed)
        found.append((rank, order, value if base > 1 else 1 / value, float(over)))
    found.sort()
    best = found[0][0]
    kept = [
        entry
        for i, entry in enumerate(found)
        if i == 0
        or (entry[2] < 1e9 and (entry[0] <= min(max(best, 1), ROUND) or (both and entry[3] in widths[:2])))
    ]
    return [(base, over) for _, _, base, over in kept]


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


def named(omega: Float, sigma: Float, widths: Iterable[float], both: bool = False) -> Frequencies:
    """The name of frequencies, fastest first unless they rise; `sigma` are their standard errors."""
    widths = list(widths)
    values = tuple(float(w) for w in omega)
    if not len(omega):
        return Frequencies("none", ())
    if len(omega) == 1:
        return Frequencies("one", values)
    if (np.abs(omega - omega[0]) <= 1e-6 * abs(omega[0]) + 6 * sigma).all():
        return Frequencies("equal", values)
    line = line_of(omega, sigma)
    if line is not None:
        return of_ratio(values, *line, widths, both)
    return blend(omega, sigma, widths) or Frequencies("own", values)


def of_ratio(
    values: tuple[float, ...], ratio: float, error: float, widths: list[float], both: bool = False
) -> Frequencies:
    """The name of a geometric progression, by the ratio of neighbors and the error of its logarithm."""
    if abs(math.log(ratio) - math.log(2)) < max(4 * error, 1e-6):
        return Frequencies("geometric", values, 0.5, 2.0, ((0.5, 2.0),))
    readings = bases(ratio, error, widths, both)
    base, over = readings[0]
    ntk = _ntk(ratio, error, widths) if roundness(max(base, 1 / base), 1e-5)[0] > 4 else None
    if ntk:
        base, over, factor = ntk
        detail = _dynamic(factor)
        return Frequencies("blend", values, base, over, ((base, over),), "NTK-aware", factor, detail)
    detail = _raised(base, over, widths)
    return Frequencies("geometric", values, base, over, tuple(readings), detail=detail)


def _ntk(ratio: float, error: float, widths: list[float]) -> tuple[float, float, float] | None:
    """A base in use and a factor that give this ratio as NTK-aware scaling."""
    for over in widths[:1]:
        if over <= 2:
            continue
        slowed = ratio ** (-over / 2)
        for base in BEFORE:
            for factor in FACTORS:
                told = math.log(base) + math.log(factor) * over / (over - 2)
                if abs(math.log(slowed) - told) < min(max(4 * error * over / 2, 2e-6), 1e-4):
                    return base, over, factor
    return None


def _dynamic(factor: float) -> str:
    """At which length dynamic NTK with factor 2 has the frequencies of NTK-aware scaling with a factor."""
    return f" (or dynamic NTK, which with factor 2 comes to it at {(factor + 1) / 2:.6g} times the length)"


def _raised(base: float, over: float, widths: list[float]) -> str:
    """What raises 10,000 to a base that nobody would choose: NTK-aware scaling, fixed or dynamic."""
    if over != widths[0] or over <= 2 or not 1.5e4 < base < 5e5 or roundness(base, 1e-5)[0] < ROUND:
        return ""
    factor = (base / 1e4) ** ((over - 2) / over)
    return f", which is 10,000 under NTK-aware with factor {factor:.4g}{_dynamic(factor)}"


def blend(omega: Float, sigma: Float, widths: list[float]) -> Frequencies | None:
    """YaRN, Llama 3.1 or LongRoPE, by what they do to the frequencies of a base."""
    pairs = len(omega)
    values = tuple(float(w) for w in omega)
    if pairs < 4 or (omega <= 0).any():
        return None
    relative = sigma / omega + 1e-7
    for over in widths[:1]:
        for base in _bases_of_the_fast(omega, relative, over):
            slowed = progression(base, over, pairs) / omega
            fine = 20 * relative + 1e-6
            if abs(slowed[0] - 1) > fine[0]:
                continue
            end = float(slowed[-1])
            factor = float(round(2 * end) / 2) if abs(round(2 * end) / 2 / end - 1) < fine[-1] + 1e-5 else end
            if factor < 1.2:
                continue
            kept = (1 / slowed - 1 / factor) / (1 - 1 / factor)
            slack = fine / (1 - 1 / factor)
            if (kept < -slack).any() or (kept > 1 + slack).any():
                continue
            inner = np.flatnonzero((kept > 3 * slack) & (kept < 1 - 3 * slack))
            if (kept >= 1 - 3 * slack).sum() < 2 or (kept <= 3 * slack).sum() < 2:
                continue
            if len(inner) and (np.diff(inner) > 1).any():
                continue
            name = _ramp(kept, slack, inner, progression(base, over, pairs), base, over)
            if name:
                return Frequencies("blend", values, base, over, ((base, over),), name[0], factor, name[1])
    for over in widths[:1]:
        for base in BEFORE:
            slowed = progression(base, over, pairs) / omega
            near = 1 - 20 * relative.max() - 1e-3
            if (
                pairs >= 8
                and slowed[-1] > 1.5
                and (slowed > near).all()
                and slowed[0] < 2
                and (slowed[1:] > slowed[:-1] * near).all()
            ):
                # of the first pair only what it is beside the others is known: it has been made 1 here
                detail = (
                    f", each pair slowed by a factor of its own, the last {slowed[-1]:.4g} times the first's"
                )
                return Frequencies("blend", values, base, over, ((base, over),), "LongRoPE", None, detail)
    return None


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


def _ramp(
    kept: Float, slack: Float, inner: np.ndarray, plain: Float, base: float, over: float
) -> tuple[str, str] | None:
    """Whether a ramp is linear in the turns or in the number of a pair, and what it is called."""
    if not len(inner):
        first = int((kept > 0.5).sum())
        return "YaRN or Llama 3.1", f", without a ramp: {first} pairs are kept, the rest divided"
    pairs = len(kept)
    for length in LENGTHS:
        turns = length * plain / (2 * math.pi)
        for name, slow, fast in (("Llama 3.1", 1, 4), ("YaRN", 1, 32)):
            told = np.clip((turns - slow) / (fast - slow), 0, 1)
            if (np.abs(told - kept) <= slack + 1e-6).all():
                if name == "YaRN":
                    return name, f" and length {length:,}, with the ramp in turns"
                return name, f" and length {length:,}"
    if len(inner) < 2:
        return "YaRN or Llama 3.1", ", with a ramp of one pair"
    for x, words in ((np.arange(pairs, dtype=float), "pairs"), (plain, "turns")):
        slope = (kept[inner[-1]] - kept[inner[0]]) / (x[inner[-1]] - x[inner[0]])
        told = np.clip(kept[inner[0]] + slope * (x - x[inner[0]]), 0, 1)
        if (np.abs(told - kept) <= 4 * slack + 1e-5).all():
            if words == "pairs":
                first = inner[0] - (1 - kept[inner[0]]) / -slope
                last = inner[-1] + kept[inner[-1]] / -slope
                lengths = [n for n in LENGTHS if _ends(n, base, over, first, last)]
                known = f" and length {lengths[0]:,}" if len(lengths) == 1 else ""
                return "YaRN", f"{known}, with the ramp over pairs {first:.4g} to {last:.4g}"
            low = kept[inner[0]] - slope * x[inner[0]]
            ratio = 1 - 1 / low if low < 0 else math.inf
            return "Llama 3.1 or YaRN", f", with a ramp of turns from 1 to {ratio:.3g}, or in that ratio"
    return None


def _ends(length: int, base: float, over: float, first: float, last: float) -> bool:
    """Whether the ramp of a trained length, from 32 turns to 1, has these ends."""
    exact = [over * math.log(length / (2 * math.pi * turns)) / (2 * math.log(base)) for turns in (32, 1)]
    ends = max(math.floor(exact[0]), 0), math.ceil(exact[1])
    return (abs(ends[0] - first) < 0.02 and abs(ends[1] - last) < 0.02) or (
        abs(exact[0] - first) < 0.02 and abs(exact[1] - last) < 0.02
    )
