"""What a diagnosis consists of: a reading, and problems, both as data."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

Layout = Literal["interleaved", "halves", "quarters", "blocks", "caches", "angles", "frequencies"]
Law = Literal["geometric", "blend", "own", "equal", "one", "none", "unread"]

#: What can be wrong. A kind says what was seen; where it may come from is in `Problem.origin`.
Kind = Literal[
    "unread",  # no reading explains the entries
    "transposed",  # positions run along the columns
    "equal-rows",  # every row is the same
    "zero-rows",
    "zero-columns",
    "lone-column",  # a sine without its cosine, or the other way round
    "extra-columns",  # columns before or behind that are no part of the encoding
    "columns-shuffled",
    "unpaired-frequencies",  # the two columns of a pair turn at different speeds
    "clipped",
    "scaled",
    "shifted",
    "sign",  # a sine or cosine negated; turning backwards
    "noise",  # every row is off by a little
    "rows-off",  # some rows are off the reading of the others
    "rows-repeated",
    "rows-out-of-place",  # some rows hold another position than their neighbors say
    "uneven",
    "reversed",
    "start",  # the first position is no whole number, or not the one asked for
    "step",
    "rounded-positions",
    "rounded-frequencies",
    "rounded-angles",
    "rising-frequencies",
    "equal-frequencies",
    "base",  # no base in use
    "unknown-frequencies",  # they follow no law that is tried
    "nothing-turns",
    "positions-ignored",
    "positions-confused",  # the result depends on more than a vector and its own position
    "lengths-change",
    "not-relative",  # scores depend on more than the distance
    "pairs-torn",  # the two entries of a pair turn by different angles
    "entries-permuted",  # the result has the entries in another order
    "pairs-mixed",  # entries are mixed that form no pairs
    "added",  # a vector is added to what is turned, or in place of turning
]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong; prints as a sentence.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    text : str
        A sentence.
    rows, columns : tuple of int
        Where it was seen; for a function that rotates, rows are positions. Empty if it is everywhere.
    expected, found : object
        What a sound table would have, and what this one has: numbers or words, None where there are none.
    origin : str
        What it is likely to come from; empty if that is not known.
    cure : str
        What to do, in one line; empty if that is not known.
    """

    kind: Kind
    text: str
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    expected: Any = None
    found: Any = None
    origin: str = ""
    cure: str = ""

    def __str__(self) -> str:
        return " ".join(part for part in (self.text, self.origin, self.cure) if part)


@dataclass(frozen=True)
class Frequencies:
    """The frequencies of an axis, in radians per position.

    Attributes
    ----------
    law : str
        "geometric"; "blend", a known method for longer contexts; "equal"; "own", any others; "one", a single
        pair; "none", if nothing turns; "unread".
    values : tuple of float
        One for each pair that turns, as measured.
    base, over : float or None
        Pair i has the frequency first base^(-2i / over). With a blend, before it is applied.
    readings : tuple of (float, float)
        All pairs of a base and a number of dimensions that are read with about equal right, the one above
        first.
    blend : str or None
        "interpolation", "NTK-aware", "YaRN", "Llama 3.1" or "LongRoPE".
    factor : float or None
        By which the blend divides the slowest frequencies.
    detail : str
        What else is known of the frequencies, in words.
    rounded : str or None
        The type that the frequencies were rounded to.
    """

    law: Law
    values: tuple[float, ...] = field(repr=False)
    base: float | None = None
    over: float | None = None
    readings: tuple[tuple[float, float], ...] = ()
    blend: str | None = None
    factor: float | None = None
    detail: str = ""
    rounded: str | None = None

    @property
    def rising(self) -> bool:
        """Whether the last is larger than the first."""
        return len(self.values) > 1 and abs(self.values[-1]) > abs(self.values[0]) * (1 + 1e-3)

    def __str__(self) -> str:
        if self.law == "none":
            return "nothing turns"
        if self.law == "unread":
            return "frequencies not read"
        if self.law == "one":
            return "one pair, so any base"
        if self.law == "equal":
            return "all frequencies equal"
        known = "" if self.base is None else formula(self.base, self.over)
        for base, over in self.readings[1:]:
            known += f" (or, the same, {formula(base, over)})"
        if self.blend == "interpolation":
            return f"frequencies {known}, all divided by {number(self.factor)} (position interpolation)"
        if self.law == "blend":
            by = f" with factor {number(self.factor)}" if self.factor else ""
            return f"frequencies {known} under {self.blend}{by}{self.detail}"
        if self.law == "own":
            return f"frequencies of their own, from {self.values[0]:.4g} to {self.values[-1]:.4g}"
        return f"frequencies {known}{self.detail}"


def number(value: float | None) -> str:
    """A number as people write it: 1,000,000 and 0.25."""
    if value is None:
        return "?"
    if value and (abs(value) >= 1e15 or abs(value) < 1e-4):
        return f"{value:.6g}"
    if float(value).is_integer():
        return f"{int(value):,}"
    digits = max(6 - 1 - math.floor(math.log10(abs(value))), 0)
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:,.0f}"


def formula(base: float, over: float | None) -> str:
    """The frequencies as a formula."""
    if abs(base - 2) < 1e-12 and over == 2:
        return "2^-i"
    if base < 1:  # they rise
        return f"{number(1 / base)}^(+2i/{number(over)})"
    return f"{number(base)}^(-2i/{number(over)})"


@dataclass(frozen=True)
class Positions:
    """The positions of the rows along one axis.

    Attributes
    ----------
    first, last : float
        Those of the first and last row that hold one; whole where they are whole numbers.
    step : float or None
        From row to row; None if that is not the same everywhere.
    """

    first: float
    last: float
    step: float | None

    def __str__(self) -> str:
        if self.step is None:
            return f"uneven positions, from {number(self.first)} to {number(self.last)}"
        return f"positions {number(self.first)} to {number(self.last)} in steps of {number(self.step)}"


@dataclass(frozen=True)
class Axis:
    """The frequencies of one coordinate, and the positions along it.

    Attributes
    ----------
    frequencies : Frequencies
    positions : Positions or None
        None where only frequencies were given.
    """

    frequencies: Frequencies
    positions: Positions | None = None


@dataclass(frozen=True)
class Reading:
    """How a table is to be read, or a function that rotates.

    Attributes
    ----------
    layout : str
        "interleaved": a pair's sine and cosine are neighbors. "halves": all of one, then all of the other.
        "quarters": halves within the half of each axis. "blocks": for each frequency the sines of all axes,
        then their cosines. "caches": cosines or sines alone, each twice. "angles", "frequencies": before the
        sine is taken.
    first : str or None
        "sin" or "cos"; None where nothing comes first.
    signs : tuple of int
        Of the sine and of the cosine.
    axes : tuple of Axis
        One for a sequence, two for an image.
    columns : tuple of int
        The columns, or entries, that turn.
    scale : float
        The root of sin^2 + cos^2.
    shift : float
        What was added to every entry.
    number_type : str
        The narrowest that holds the entries: "float64", "float32", "float16", "bfloat16", "8 bits", or
        "4 decimals" and the like.
    grid : tuple of int, or None
        Rows and columns of an image, of a table with two axes; which axis comes first is read off `axes`.
    programs : tuple of str
        Programs that are known to build tables in this way.
    """

    layout: Layout
    first: Literal["sin", "cos"] | None
    axes: tuple[Axis, ...]
    columns: tuple[int, ...] = field(repr=False)
    signs: tuple[int, int] = (1, 1)
    scale: float = 1.0
    shift: float = 0.0
    number_type: str = "float64"
    grid: tuple[int, int] | None = None
    programs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Diagnosis:
    """What :func:`diagnose` found; prints as a short report.

    Attributes
    ----------
    d_model : int
        Number of columns, or of entries of a head.
    reading : Reading or None
        None if nothing was recognized.
    problems : list of Problem
        Empty for a sound table.
    nearest : tuple of (str, float)
        If nothing was recognized: the two layouts that came nearest, and by what fraction sin^2 + cos^2
        strays from its median in one entry of ten.

    The attributes `layout`, `first`, `denominator` ("d", "d-2" or None), `base` and `first_position` are
    short for what is in the reading of the first axis.
    """

    d_model: int
    reading: Reading | None
    problems: list[Problem] = field(default_factory=list)
    nearest: tuple[tuple[str, float], ...] = ()

    @property
    def sound(self) -> bool:
        """Whether it was read, and nothing is wrong."""
        return self.reading is not None and not self.problems

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of the problems."""
        return tuple(problem.kind for problem in self.problems)

    @property
    def layout(self) -> Layout | None:
        """As in the reading."""
        return self.reading.layout if self.reading else None

    @property
    def first(self) -> Literal["sin", "cos"] | None:
        """Which comes first, "sin" or "cos"."""
        return self.reading.first if self.reading else None

    @property
    def frequencies(self) -> Frequencies | None:
        """Those of the first axis."""
        return self.reading.axes[0].frequencies if self.reading else None

    @property
    def base(self) -> float | None:
        """That of the first axis, before a blend."""
        found = self.frequencies
        return found.base if found else None

    @property
    def denominator(self) -> Literal["d", "d-2"] | None:
        """Whether the exponent of the first axis has d, or d - 2."""
        found = self.frequencies
        if found is None or found.over is None or self.reading is None:
            return None
        pairs = len(found.values)
        if found.over == 2 * pairs - 2 and found.over not in (self.d_model, len(self.reading.columns)):
            return "d-2"
        return "d"

    @property
    def first_position(self) -> float | None:
        """The position of row 0, or the one it would have if it is zero; or that of position 0 if turned."""
        if self.reading is None:
            return None
        positions = self.reading.axes[0].positions
        if positions is None:
            return None
        return int(positions.first) if float(positions.first).is_integer() else positions.first

    def as_dict(self) -> dict[str, Any]:
        """All of it as numbers, strings, lists and dictionaries, for JSON."""
        return {
            "sound": self.sound,
            "d_model": self.d_model,
            "reading": asdict(self.reading) if self.reading else None,
            "problems": [asdict(problem) for problem in self.problems],
            "nearest": [list(near) for near in self.nearest],
        }

    def _heading(self) -> list[str]:
        reading = self.reading
        if reading is None:
            lines = [f"No sinusoidal encoding was recognized in {self.d_model} columns."]
            if self.nearest:
                near = "; ".join(f"{name}, by {miss:.2g}" for name, miss in self.nearest)
                lines.append(f"Nearest, by how much sin^2 + cos^2 strays: {near}.")
            return lines
        zero = {row for problem in self.problems if problem.kind == "zero-rows" for row in problem.rows}
        row = next(row for row in range(len(zero) + 1) if row not in zero)
        return [*table_lines(reading, self.d_model, row)]

    def __str__(self) -> str:
        return report(self._heading(), self.problems)


def table_lines(reading: Reading, d_model: int, row: int = 0) -> list[str]:
    """The reading of a table in words; `row` is the first that holds a position."""
    order = f"{reading.first} first" if reading.first else ""
    what = {
        "quarters": "halves for each axis",
        "blocks": "sines and cosines of all axes by frequency",
        "caches": f"{reading.first} alone",
        "angles": "angles, before sine and cosine",
        "frequencies": "frequencies alone",
    }.get(reading.layout, reading.layout)
    if reading.layout == "caches":
        order = ""
    head = f"Sinusoidal encoding, {d_model} columns, {what}{order and ', '}{order}"
    if len(reading.columns) < d_model:
        head += f", in columns {spans(reading.columns)}"
    lines = [head + ","]
    for number_, axis in enumerate(reading.axes):
        name = "" if len(reading.axes) == 1 else f"axis {number_ + 1}: "
        text = f"{name}{axis.frequencies}"
        if axis.positions is None:
            lines.append(text + ".")
        elif len(reading.axes) == 1:
            step = axis.positions.step
            here = axis.positions.first + row * (step or 0)
            text += f", row {row} holds position {number(here)}"
            text += ", steps uneven" if step is None else "" if step == 1 else f", steps of {number(step)}"
            lines.append(text + ".")
        else:
            lines.append(f"{text}, from {number(axis.positions.first)} to {number(axis.positions.last)}.")
    if len(reading.axes) > 1:
        grid = f" of a grid of {reading.grid[0]} by {reading.grid[1]}" if reading.grid else ""
        lines.append(f"{'Two' if len(reading.axes) == 2 else len(reading.axes)} axes{grid}.")
    if reading.programs:
        lines.append(f"The convention of {', '.join(reading.programs)}.")
    return lines


def report(lines: Iterable[str], problems: Iterable[Problem]) -> str:
    """What was recognized, and an item for each problem, in lines that fit a page."""
    filled = [textwrap.fill(line, 84, break_on_hyphens=False, break_long_words=False) for line in lines]
    items = [
        textwrap.fill(f"- {text}", 84, subsequent_indent="  ", break_on_hyphens=False)
        for text in [str(problem) for problem in problems] or ["No problem found."]
    ]
    return "\n".join([*filled, *items])


def spans(numbers: Iterable[int]) -> str:
    """Numbers in words: 3; 3 to 7; 0 to 7 and 32 to 39; 1, 5, 9 and 12 more."""
    runs: list[list[int]] = []
    for value in numbers:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    parts = [str(a) if a == b else f"{a} to {b}" for a, b in runs]
    if len(parts) <= 3:
        return ", ".join(parts[:-1]) + " and " + parts[-1] if len(parts) > 1 else "".join(parts)
    shown = ", ".join(parts[:3])
    return f"{shown} and {sum(b - a + 1 for a, b in runs[3:])} more"
