"""Which sinusoidal encoding a table holds, and what is wrong with it.

Programs disagree about the layout of the columns, about the denominator of the exponent and about the first
position, and a table that was built in half precision, clipped or padded looks like any other on a screen.
:func:`diagnose` reads all of that off the numbers alone, and :func:`diagnose_rope` tries a function that
rotates.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc._validate import Float, check_count, check_d_model, check_real
from posenc.precision import SIGNIFICANT_BITS, rounded

Layout = Literal["interleaved", "halves"]

#: Rows at the beginning from which the speeds of the pairs are first read; few enough to be free of rounding.
EARLY = 33
#: A reading of the columns fails if sin^2 + cos^2 strays by more than this fraction, in the median.
STRAY = 0.02
#: Speeds form a geometric progression if they follow one within this fraction, or what rounding allows.
UNEVEN = 0.02
#: A phase further than this (radians) from its line has been rounded, so a fit stops before it.
OFF_THE_LINE = 0.05
#: A position this near to a whole number is one.
WHOLE = 5e-3
#: The largest number that float16 holds.
LARGEST_HALF = 65_504
#: So many turns of the slowest hand are tried for the position of row 0.
TURNS = 16
#: Of two bases that are equally round the one over d - 2 is meant if the other is larger than any in use.
LARGEST = 1e7
#: Entries of a rotation that are off by more than this are wrong and not rounded.
TURN_ERROR = 1e-3
#: An entry of a rotation that moves by no more than this is not turned at all.
STILL = 1e-7
#: What half precision may have been used for, from the mildest to the worst.
ROUNDED = (("frequencies",), ("positions",), ("angles",), ("positions", "frequencies", "angles"))


@dataclass(frozen=True)
class Diagnosis:
    """What :func:`diagnose` found; prints as a short report.

    Attributes
    ----------
    layout : str or None
        "interleaved" or "halves": whether the sine and cosine of a pair are neighbors or half a table apart.
    first : str or None
        "sin" or "cos": which of the two comes first.
    denominator : str or None
        "d" or "d-2": whether the frequencies are base^(-2i/d) or base^(-2i/(d-2)).
    base : float or None
        The base, rounded to two significant digits where the table allows that.
    d_model : int
        Number of columns.
    first_position : int or float or None
        The position of row 0; an int where it is a whole number.
    problems : list of str
        One sentence for each thing that is wrong; empty for a sound table.

    What a table does not tell, such as the base of a table with one pair, is None.
    """

    layout: Layout | None
    first: Literal["sin", "cos"] | None
    denominator: Literal["d", "d-2"] | None
    base: float | None
    d_model: int
    first_position: float | None
    problems: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        if self.layout is None:
            lines = [f"No sinusoidal encoding was recognized in {self.d_model} columns."]
        else:
            lines = [
                f"Sinusoidal encoding, {self.d_model} columns, {self.layout}, {self.first} first,",
                "base unknown"
                if self.base is None
                else f"frequencies {self.base:,.6g}^(-2i/{'d' if self.denominator == 'd' else '(d-2)'})",
                f"row 0 holds position {self.first_position:g}." if self.first_position is not None else "",
            ]
            lines = [lines[0], ", ".join(part for part in lines[1:] if part)]
        return _report(lines, self.problems)


def _report(lines: Iterable[str], problems: list[str]) -> str:
    """What was recognized, and an item for each problem, in lines that fit a page."""
    items = (
        textwrap.fill(f"- {problem}", 84, subsequent_indent="  ", break_on_hyphens=False)
        for problem in problems or ["No problem found."]
    )
    return "\n".join([*lines, *items])


class _Line(NamedTuple):
    """The angles of all pairs: exp(-fall i) (start + step row) for pair i."""

    start: float
    step: float
    fall: float
    spread: float  # the standard error of `fall`

    def speeds(self, pairs: int) -> Float:
        return np.asarray(np.exp(-self.fall * np.arange(pairs)))

    def angles(self, rows: ArrayLike, pairs: int) -> Float:
        return (self.start + self.step * np.asarray(rows, dtype=float)[:, np.newaxis]) * self.speeds(pairs)


def diagnose(table: ArrayLike) -> Diagnosis:
    """Read a table of positional encodings: its conventions, and what is wrong with it.

    Parameters
    ----------
    table : array_like of real numbers, shape (rows, columns)
        At least three rows, one for each position, and two columns.

    Returns
    -------
    Diagnosis
        Layout, order, denominator, base, first position, and a list of problems.

    Raises
    ------
    TypeError
        If the table does not hold real numbers.
    ValueError
        If it does not have two axes, three rows and two columns, or holds something that is not finite.

    Notes
    -----
    The base and the denominator enter the frequencies only together: base 10,000 over d is base
    10,000^((d-2)/d) over d - 2. Of the two readings the one with the rounder base is reported.

    The slowest pair cannot count its turns. Row 0 is looked for within its first 16; of a table that begins
    farther on, the first position that is reported is wrong, and rows may be said to be off.

    Examples
    --------
    >>> from posenc import positional_encoding
    >>> print(diagnose(positional_encoding(range(50), 64)))
    Sinusoidal encoding, 64 columns, interleaved, sin first,
    frequencies 10,000^(-2i/d), row 0 holds position 0.
    - No problem found.
    >>> diagnose(0.5 * positional_encoding(range(50), 64)).problems
    ['The entries are scaled: sin^2 + cos^2 is 0.5^2 and not 1.']
    """
    values = _checked(table)
    n_columns = values.shape[1]
    problems: list[str] = []

    zero_rows = np.flatnonzero(~values.any(axis=1))
    if zero_rows.size:
        problems.append(f"{_rows(zero_rows)} {'is' if zero_rows.size == 1 else 'are'} zero, as for padding.")
    last = np.flatnonzero(values.any(axis=0))
    width = int(last[-1]) + 1 if last.size else 0
    if width % 2 and width < n_columns:  # a sine that is zero throughout belongs to its cosine
        width += 1
    if width < n_columns:
        problems.append(f"{_columns(width, n_columns)} zero: filled up to an odd or rounded width.")
    if width % 2:
        problems.append("The number of columns is odd, so the last one has no partner and is left out here.")
    repeated = _repeated(values, zero_rows)
    good = np.ones(len(values), dtype=bool)
    good[zero_rows] = good[repeated] = False

    reading = _read_columns(values[:, :width], good)
    if reading is None:
        low, high = float(values.min()), float(values.max())
        if high > low and abs(high + low) > 0.1 * (high - low) and not zero_rows.size:
            centered = diagnose((2 * values - high - low) / (high - low))
            if centered.layout is not None:
                moved = f"The entries lie between {low:.4g} and {high:.4g}: they were moved and scaled."
                return replace(centered, problems=[moved, *centered.problems])
        problems.insert(0, _why_not(values[:, : width - width % 2], good))
        return Diagnosis(None, None, None, None, n_columns, None, problems)
    layout, phasors, scale, limit = reading
    if limit is not None:
        problems.append(f"The entries are clipped at {limit:.4g}.")
    if abs(scale - 1) > 2e-3:
        problems.append(f"The entries are scaled: sin^2 + cos^2 is {scale:.4g}^2 and not 1.")

    error = _entry_error(values)
    speeds = _early_speeds(phasors, good)
    first: Literal["sin", "cos"] = "sin"
    if (
        np.sum(np.sign(speeds)) < 0
    ):  # the hands turn back: the cosine comes first, or the rows are in reverse order
        upward = _fit(phasors[::-1], -speeds, good[::-1], error)
        swapped = _fit(1j * phasors.conj(), -speeds, good, error)
        off = _misfit(swapped, 1j * phasors.conj()) if swapped else math.inf
        if upward and off > 0.1 and _misfit(upward, phasors[::-1]) < off / 10:
            forward = diagnose(values[::-1])
            return replace(forward, problems=["The rows are in reverse order.", *forward.problems])
        first, phasors, speeds = "cos", 1j * phasors.conj(), -speeds
    line = _fit(phasors, speeds, good, error)
    if line is None:
        problems.insert(0, "The frequencies do not form a geometric progression, so they have no base.")
        return Diagnosis(layout, first, None, None, n_columns, None, problems)

    spectrum = _round_numbers(line, phasors.shape[1])
    spectrum, rounding = _rounding(phasors, spectrum, good, repeated, error)
    line, base, denominator = spectrum
    if not float(line.start).is_integer():
        problems.append(f"Row 0 holds the position {line.start:.4g}, which is not a whole number.")
    if line.step != 1:
        problems.append(f"The rows are {line.step:.4g} positions apart, or the first frequency is not 1.")
    if base == 1e8:
        problems.append("The base is 10^8, as if an index that runs 0, 2, 4 were doubled in 10,000^(2i/d).")
    problems += rounding
    start = int(line.start) if float(line.start).is_integer() else line.start
    return Diagnosis(layout, first, denominator, base, n_columns, start, problems)


class RopeDiagnosis(Diagnosis):
    """What :func:`diagnose_rope` found; as :class:`Diagnosis`, but `first` is None: nothing comes first."""

    def __str__(self) -> str:
        if self.layout is None:
            lines = [f"No RoPE was recognized in {self.d_model} entries."]
        else:
            known = "base unknown" if self.base is None else f"base {self.base:,.6g}"
            over = ", d - 2 in the exponent" if self.denominator == "d-2" else ""
            lines = [f"RoPE, {self.d_model} entries, {self.layout}, {known}{over}."]
        return _report(lines, self.problems)


def diagnose_rope(
    rotate: Callable[[Float, Float], ArrayLike], d_model: int, n_positions: int = 64
) -> RopeDiagnosis:
    """Try a function that rotates queries and keys: which RoPE it is, and whether it is one.

    Parameters
    ----------
    rotate : callable
        Takes vectors of shape (n, d_model) and their n positions, and returns the turned vectors.
    d_model : int
        Entries of a head: an even integer from 2 to 2**24.
    n_positions : int
        Positions 0 to n_positions - 1 are tried; at least 3.

    Returns
    -------
    RopeDiagnosis
        Layout, base, denominator, first position, and a list of problems: lengths that change, scores that
        depend on more than the distance, entries that are not turned, rounding.

    Raises
    ------
    TypeError, ValueError
        If `d_model` or `n_positions` is not as above, or `rotate` returns another shape or no real numbers.

    Examples
    --------
    >>> from posenc.rope import apply_rope
    >>> print(diagnose_rope(lambda x, p: apply_rope(x, p, 500_000, layout="halves"), 128))
    RoPE, 128 entries, halves, base 500,000.
    - No problem found.
    """
    d_model, n_positions = check_d_model(d_model), check_count(n_positions, "n_positions", least=3)
    turns = np.empty((n_positions, d_model, d_model))  # a matrix for each position
    for position in range(n_positions):
        turned = check_real(rotate(np.eye(d_model), np.full(d_model, float(position))), "rotate(...)")
        if turned.shape != (d_model, d_model):
            raise ValueError(f"rotate must return the shape {(d_model, d_model)}, got {turned.shape}")
        turns[position] = turned.T

    problems = []
    squares = turns.transpose(0, 2, 1) @ turns
    if np.abs(squares - np.eye(d_model)).max() > TURN_ERROR:
        problems.append("Lengths change: it is not a rotation.")
    steps = turns[:-1].transpose(0, 2, 1) @ turns[1:]  # what neighbors' scores are made of
    uneven = np.abs(steps - steps[0]).max(axis=(1, 2)) > TURN_ERROR
    if uneven.any():
        problems.append(
            f"Scores depend on more than the distance, from positions {np.flatnonzero(uneven)[0]} on."
        )
    moves = np.abs(turns - np.eye(d_model)).max(axis=0) > STILL  # (d_model, d_model)
    turning = np.flatnonzero(moves.any(axis=0))
    if not turning.size:
        return RopeDiagnosis(None, None, None, None, d_model, None, ["No entry is turned."])
    size = int(turning[-1]) + 1  # of what is turned, if that is the beginning of a head
    size += size % 2
    readings: tuple[tuple[Layout, int], ...] = (
        ("interleaved", size),
        ("halves", size),
        ("halves", d_model),
    )
    for layout, width in readings:
        across = np.arange(width)
        one = across[::2] if layout == "interleaved" else across[: width // 2]
        two = one + (1 if layout == "interleaved" else width // 2)
        pairs = np.eye(d_model, dtype=bool)
        pairs[one, two] = pairs[two, one] = True
        if not (moves & ~pairs).any():
            break
    else:
        problems.append("Entries are mixed that form no pairs in either layout.")
        return RopeDiagnosis(None, None, None, None, d_model, None, problems)
    if turning.size < d_model:
        first = width == size == turning.size
        which = f"the first {size}" if first else f"{turning.size} of the {d_model}"
        problems.append(f"Only {which} entries are turned.")
    one, two = one[np.isin(one, turning)], two[np.isin(one, turning)]
    sines, cosines = turns[:, two, one], turns[:, one, one]
    if np.abs(cosines - turns[:, two, two]).max() > TURN_ERROR:
        problems.append("The two entries of a pair turn by different angles, as if two layouts were mixed.")
        return RopeDiagnosis(layout, None, None, None, d_model, None, problems)
    if sines[1, 0] < 0:
        sines = -sines
        problems.append("It turns backwards, which matters only if queries and keys do not agree.")
    table = np.stack([sines, cosines], axis=-1).reshape(n_positions, -1)
    found = diagnose(table)
    if found.first == "sin":
        problems += found.problems
    return RopeDiagnosis(layout, None, found.denominator, found.base, d_model, found.first_position, problems)


def _checked(table: ArrayLike) -> Float:
    values = check_real(table, "table")
    if values.ndim != 2 or values.shape[0] < 3 or values.shape[1] < 2:
        raise ValueError(f"table must have the shape (rows >= 3, columns >= 2), got {values.shape}")
    return values


def _rows(rows: NDArray[np.intp]) -> str:
    """Row numbers as the beginning of a sentence."""
    if rows.size == 1:
        return f"Row {rows[0]}"
    if rows[-1] - rows[0] + 1 == rows.size:
        return f"Rows {rows[0]} to {rows[-1]}"
    shown = ", ".join(map(str, rows[:5]))
    return f"Rows {shown}" if rows.size <= 5 else f"Rows {shown} and {rows.size - 5} more"


def _columns(start: int, stop: int) -> str:
    return f"Column {start} is" if stop - start == 1 else f"Columns {start} to {stop - 1} are"


def _repeated(values: Float, zero_rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Rows that an earlier row equals, zero rows left out."""
    _, owners = np.unique(values, axis=0, return_inverse=True)
    owners = owners.reshape(-1)
    firsts: dict[int, int] = {}
    repeats = [row for row, owner in enumerate(owners.tolist()) if firsts.setdefault(owner, row) != row]
    return np.setdiff1d(np.array(repeats, dtype=np.intp), zero_rows)


def _entry_error(values: Float) -> float:
    """The relative rounding error of the entries: that of the narrowest type that holds them all."""
    for name, bits in SIGNIFICANT_BITS.items():
        if np.abs(values).max() <= LARGEST_HALF and (rounded(values, name) == values).all():
            return 2.0**-bits
    return 2.0**-53


def _read_columns(
    values: Float, good: NDArray[np.bool_]
) -> tuple[Layout, NDArray[np.complex128], float, float | None] | None:
    """Layout in which sin^2 + cos^2 is constant, the pairs as second + i first, their length, the clip."""
    pairs = values.shape[1] // 2
    if not pairs or good.sum() < 3:
        return None
    best: tuple[float, Layout, Float, Float, float, float | None] | None = None
    layouts: tuple[Layout, ...] = ("interleaved", "halves")
    for layout in layouts:
        if layout == "interleaved":
            a, b = values[:, 0 : 2 * pairs : 2], values[:, 1 : 2 * pairs : 2]
        else:
            a, b = values[:, :pairs], values[:, pairs : 2 * pairs]
        top = np.abs(values[good]).max()
        free = (np.maximum(np.abs(a), np.abs(b)) < top * (1 - 1e-6)) & good[:, np.newaxis]
        if not free.any():
            continue
        squares = (a**2 + b**2)[free]
        middle = float(np.median(squares))
        stray = float(np.quantile(np.abs(squares / middle - 1), 0.9)) if middle > 0 else math.inf
        scale = math.sqrt(middle)
        limit = float(top) if top < 0.98 * scale else None
        if best is None or stray < best[0]:
            best = stray, layout, a, b, scale, limit
    if best is None or best[0] > STRAY:
        return None
    _, layout, a, b, scale, limit = best
    if limit is not None:  # what was cut off one of the two, the other still tells
        whole_a = np.sign(a) * np.sqrt(np.maximum(scale**2 - b**2, 0))
        whole_b = np.sign(b) * np.sqrt(np.maximum(scale**2 - a**2, 0))
        cut_a, cut_b = (np.abs(x) >= limit * (1 - 1e-6) for x in (a, b))
        a, b = np.where(cut_a & ~cut_b, whole_a, a), np.where(cut_b & ~cut_a, whole_b, b)
    return layout, np.asarray((b + 1j * a) / scale, dtype=np.complex128), scale, limit


def _early_speeds(phasors: NDArray[np.complex128], good: NDArray[np.bool_]) -> Float:
    """Radians per row of each pair, from the first rows."""
    both = np.flatnonzero(good[:-1] & good[1:])[:EARLY]
    return np.asarray(np.angle((phasors[both + 1] * phasors[both].conj()).sum(axis=0)))


def _fit(
    phasors: NDArray[np.complex128], speeds: Float, good: NDArray[np.bool_], error: float
) -> _Line | None:
    """The line that the phases follow; None if the speeds are no geometric progression."""
    pairs = len(speeds)
    index = np.arange(pairs)
    turning = speeds > 0
    if not turning.any():
        return None
    doubt = max(error, 1e-9) * (1 + 1 / (EARLY * np.abs(speeds[turning]) + 1e-300))  # relative, of each speed
    if pairs == 1:
        fall, step = 0.0, float(speeds[0])
    else:
        weights = 1 / doubt
        if turning.sum() < 2:
            return None
        slope, intercept = np.polyfit(index[turning], np.log(speeds[turning]), 1, w=weights)
        misses = np.abs(np.log(speeds[turning]) - slope * index[turning] - intercept)
        if np.median(misses / (UNEVEN + 20 * doubt)) > 1 or slope >= 0 or (misses > 0.5 + 100 * doubt).any():
            return None
        fall, step = -float(slope), float(math.exp(intercept))

    rows = np.flatnonzero(good)
    line = _Line(
        _start(np.angle(phasors[rows[0]]), np.exp(-fall * index)) - step * rows[0], step, fall, math.inf
    )
    reach = EARLY
    while True:
        seen = rows[rows < reach]
        seen = seen[np.unique(np.linspace(0, len(seen) - 1, 48).astype(int))]
        for _ in range(3):
            speed = line.speeds(pairs)
            off = np.angle(phasors[seen] * np.exp(-1j * line.angles(seen, pairs)))  # (rows, pairs), radians
            on = np.abs(off).max(axis=1) < OFF_THE_LINE
            if 2 * on.sum() < len(seen):  # from here on rounding has the upper hand
                return line
            kept, off = seen[on], off[on]
            places = line.start + line.step * kept
            terms = [np.outer(np.ones(len(kept)), speed), np.outer(kept, speed)]
            if pairs > 1:
                terms.append(-np.outer(places, index * speed))
            matrix = np.stack([term.ravel() for term in terms], axis=1)
            change, *_ = np.linalg.lstsq(matrix, off.ravel(), rcond=None)
            noise = max(float(np.std(off.ravel() - matrix @ change)), error, 1e-12)
            spread = noise * math.sqrt(np.linalg.pinv(matrix.T @ matrix)[-1, -1]) if pairs > 1 else 0.0
            line = _Line(
                line.start + change[0],
                line.step + change[1],
                line.fall + (change[2] if pairs > 1 else 0),
                spread,
            )
        if reach >= len(phasors):
            return line
        reach *= 2


def _misfit(line: _Line, phasors: NDArray[np.complex128]) -> float:
    """How far the hands of a typical row are from where the line puts them."""
    rows = np.arange(len(phasors))
    return float(np.median(np.abs(phasors - np.exp(1j * line.angles(rows, phasors.shape[1]))).max(axis=1)))


def _start(phases: Float, speeds: Float) -> float:
    """The position of a row: the slowest hand says roughly where, each faster one more exactly.

    The slowest hand cannot count its own turns, so those positions are tried of which the others know.
    """

    def refined(position: float) -> tuple[float, float]:
        for phase, speed in zip(phases[::-1], speeds[::-1], strict=True):
            position += float(np.angle(np.exp(1j * (phase - speed * position)))) / speed
        return float(np.abs(np.exp(1j * (phases - speeds * position)) - 1).max()), position

    first = phases[-1] / speeds[-1]
    tries = [refined(first + turns * 2 * math.pi / speeds[-1]) for turns in range(TURNS)]
    least = min(miss for miss, _ in tries)
    return next(float(position) for miss, position in tries if miss <= 2 * least + WHOLE)


def _whole_start(line: _Line, pairs: int) -> float:
    """The position of row 0, as the whole number that it is or that points all hands the same way, if any."""
    if abs(line.start - round(line.start)) < WHOLE * max(1, abs(line.start) / 10) and line.start > -0.5:
        return round(line.start)
    speeds = line.speeds(pairs)
    turn = (
        2 * math.pi / float(speeds[-1])
    )  # the slowest hand cannot tell a position from the same one turns later
    for turns in range(TURNS):
        place = round(line.start + turns * turn)
        if place >= 0 and np.abs(np.exp(1j * speeds * (place - line.start)) - 1).max() < WHOLE:
            return place
    return line.start


class _Spectrum(NamedTuple):
    """A line with round numbers, and the base and denominator that give its fall."""

    line: _Line
    base: float | None
    denominator: Literal["d", "d-2"] | None


def _rounder(value: float) -> tuple[float, float, float]:
    """The round numbers near `value`, the roundest first."""
    return 1e4, float(f"{value:.0e}"), float(f"{value:.1e}")


def _round_numbers(line: _Line, pairs: int) -> _Spectrum:
    """The line with a round start, step and base where the table allows it."""
    line = line._replace(
        start=_whole_start(line, pairs), step=1.0 if abs(line.step - 1) < WHOLE else line.step
    )
    if pairs == 1:
        return _Spectrum(line._replace(fall=0.0, spread=0.0), None, None)

    def judged(exponent: int) -> tuple[int, float]:
        """How far from round the base is that takes `exponent` steps to fall, and that base, rounded."""
        base = math.exp(line.fall * exponent)
        allowed = min(max(4 * line.spread * exponent, 1e-6), 0.01)
        for rank, candidate in enumerate(_rounder(base)):
            if abs(math.log(base / candidate)) < allowed:
                return rank, candidate
        return len(_rounder(base)), base

    over_d, over_less = judged(pairs), judged(pairs - 1)
    if over_less[0] < over_d[0] or (over_less[0] == over_d[0] and over_d[1] > LARGEST):
        return _Spectrum(line._replace(fall=math.log(over_less[1]) / (pairs - 1)), over_less[1], "d-2")
    return _Spectrum(line._replace(fall=math.log(over_d[1]) / pairs), over_d[1], "d")


def _rounding(
    phasors: NDArray[np.complex128],
    spectrum: _Spectrum,
    good: NDArray[np.bool_],
    repeated: NDArray[np.intp],
    error: float,
) -> tuple[_Spectrum, list[str]]:
    """What rounding explains of the rows that are not where the line puts them, and what it does not.

    Rounded frequencies hide the base, so the spectrum that explains the table comes back with the sentences.
    """
    rows = np.arange(len(phasors))
    pairs = phasors.shape[1]
    filled = good.copy()
    filled[repeated] = True
    line = spectrum.line
    places = line.start + line.step * rows
    # What a table in single precision may be off by: its frequencies are rounded, and then its angles.
    allowed = 4 * error + 8 * 2.0**-24 * (1 + np.abs(places))
    repeats = [f"{_rows(repeated)} repeat{'s' * (repeated.size == 1)} earlier rows."] if repeated.size else []

    def misses(angles: Float) -> NDArray[np.bool_]:
        off: NDArray[np.bool_] = filled & (np.abs(phasors - np.exp(1j * angles)).max(axis=1) > allowed)
        return off

    wrong = misses(line.angles(rows, pairs))
    if not wrong.any():
        return spectrum, repeats
    for name in ("bfloat16", "float16"):
        if np.abs(places).max() > LARGEST_HALF and name == "float16":
            continue
        for what in ROUNDED:
            for candidate in _candidates(spectrum, pairs) if "frequencies" in what else [spectrum]:
                speeds = candidate.line.speeds(pairs)
                there = rounded(places, name) if "positions" in what else places
                turn = rounded(speeds, name) if "frequencies" in what else speeds
                angles = there[:, np.newaxis] * turn
                if not misses(rounded(angles, name) if "angles" in what else angles).any():
                    start = int(np.flatnonzero(misses(candidate.line.angles(rows, pairs)))[0])
                    held = what[0] if len(what) == 1 else f"{', '.join(what[:-1])} and {what[-1]}"
                    found = f"The angles are rounded to half precision from row {start} on: {held} in {name}."
                    return candidate, [found]
    wrong[repeated] = False
    strays = np.flatnonzero(wrong)
    if strays.size:
        repeats.append(f"{_rows(strays)} {'is' if strays.size == 1 else 'are'} off the line of the others.")
    return spectrum, repeats


def _candidates(spectrum: _Spectrum, pairs: int) -> list[_Spectrum]:
    """The spectrum, and those with a round base within two percent under either denominator."""
    found = [spectrum]
    divisors: tuple[tuple[Literal["d", "d-2"], int], ...] = (("d", pairs), ("d-2", pairs - 1))
    for denominator, exponent in divisors:
        if exponent:
            base = math.exp(spectrum.line.fall * exponent)
            found += [
                _Spectrum(spectrum.line._replace(fall=math.log(near) / exponent), near, denominator)
                for near in _rounder(base)
                if abs(math.log(base / near)) < 0.02
            ]
    return found


def _why_not(values: Float, good: NDArray[np.bool_]) -> str:
    """One sentence on a table whose columns form no pairs."""
    fallback = "This is not a sinusoidal encoding: in neither layout is sin^2 + cos^2 the same everywhere."
    top = np.abs(values).max(initial=0)
    if top and (np.abs(values) == top).mean() > 0.2 and (values == -top).any():
        return f"The entries are clipped at {top:.4g}, so far that nothing else can be told."
    rows = np.flatnonzero(good[:-2] & good[1:-1] & good[2:])
    if not rows.size or not values.size:
        return fallback
    # A wave of frequency w obeys x[p-1] + x[p+1] = 2 cos(w) x[p], whatever its phase.
    before, here, after = values[rows], values[rows + 1], values[rows + 2]
    power = (here**2).sum(axis=0)
    usable = power > 1e-6 * len(rows)
    cosine = ((before + after) * here).sum(axis=0)[usable] / (2 * power[usable])
    off = np.abs(
        before + after - 2 * np.clip(cosine, -1, 1) * here[:, usable]
        if usable.all()
        else (before + after)[:, usable] - 2 * np.clip(cosine, -1, 1) * here[:, usable]
    ).max(axis=0)
    if usable.any() and np.median(off) < 1e-2:
        return (
            "This is not a sinusoidal encoding: each column is a wave, but neither neighbors nor halves form"
            " pairs. The columns are in another order, or sine and cosine turn at different frequencies."
        )
    return fallback
