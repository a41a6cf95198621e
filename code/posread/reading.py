"""What a reading says, as values; the table or the outputs that it stands for can be rebuilt from it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from posenc.arguments import Float
from posenc.context import llama3, yarn, yarn_scale
from posenc.precision import FloatType
from posread import rebuild, report
from posread.problem import Kind, Problem
from posread.rebuild import Index

Layout = Literal["interleaved", "halves", "quarters", "blocks", "caches", "angles", "frequencies"]
Wave = Literal["sin", "cos", "angle"]
Law = Literal["geometric", "blend", "own", "equal", "one"]


@dataclass(frozen=True)
class Frequencies:
    """The frequencies of an axis, in radians per position.

    Attributes
    ----------
    law : str
        "geometric"; "blend", a known method for longer contexts; "equal"; "own", any others; "one", a single
        pair.
    values : tuple of float
        One for each pair that turns, as measured.
    base, over : float or None
        Pair i has the frequency base^(-2i / over). With a blend, before it is applied.
    readings : tuple of (float, float)
        All pairs of a base and a number of dimensions that are read with about equal right, the one above
        first.
    blend : str or None
        "interpolation", "NTK-aware", "YaRN", "Llama 3.1", "YaRN or Llama 3.1", or "pair by pair".
    factor : float or None
        By which the blend divides the slowest frequencies.
    detail : str
        What else is known of the frequencies, in words.
    rounded : str or None
        The type that the frequencies were rounded to.
    method : tuple of (str, object)
        What the blend takes besides base and factor, by the names of :mod:`posenc.context`.
    begin : float
        The i of the first pair, where one progression is dealt out to several axes.
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
    method: tuple[tuple[str, Any], ...] = field(default=(), repr=False)
    begin: float = 0.0

    @classmethod
    def of_base(cls, base: float, over: float, pairs: int) -> Frequencies:
        """Those of a base over a number of dimensions."""
        values = base ** (-2 * np.arange(pairs) / over)
        return cls("geometric", tuple(values.tolist()), base, over, ((base, over),))

    @classmethod
    def blended(cls, values: Float, base: float, over: float, blend: str, **more: Any) -> Frequencies:
        """Those that a method made of a base."""
        return cls("blend", tuple(values.tolist()), base, over, ((base, over),), blend, **more)

    @property
    def rising(self) -> bool:
        """Whether the last is larger than the first."""
        return len(self.values) > 1 and abs(self.values[-1]) > abs(self.values[0]) * (1 + 1e-3)

    @property
    def octaves(self) -> bool:
        """Whether each pair turns twice as fast as the one before."""
        return self.base == 0.5 and self.over == 2

    @property
    def own_factor(self) -> float:
        """What YaRN multiplies cosines and sines by; 0 for other methods."""
        return yarn_scale(self.factor) if self.factor and "YaRN" in (self.blend or "") else 0.0

    def rebuild(self, pairs: int | None = None) -> Float:
        """The frequencies of so many pairs (those that were read, and perhaps more), from what is said."""
        count = len(self.values) if pairs is None else pairs
        said = np.asarray(self.values, dtype=np.float64)
        if self.law == "geometric" or self.blend in ("interpolation", "NTK-aware"):
            assert self.base is not None
            assert self.over is not None
            base = self.base
            if self.blend == "NTK-aware" and self.factor:
                base *= self.factor ** (self.over / (self.over - 2))
            i = self.begin + np.arange(count)
            return np.asarray(base ** (-2 * i / self.over), dtype=np.float64)
        if self.blend in ("YaRN", "Llama 3.1", "YaRN or Llama 3.1") and self.factor and self.base:
            extra = dict(self.method)
            if "kept" in extra:
                plain = np.asarray(self.base ** (-2 * np.arange(len(said)) / float(self.over or 1)))
                said = np.where(np.arange(len(said)) < extra["kept"], plain, plain / self.factor)
            else:
                program = llama3 if self.blend == "Llama 3.1" else yarn
                said = program(2 * len(said), self.factor, self.base, **extra)
        return np.append(said, np.full(max(count - len(said), 0), np.nan))

    def __str__(self) -> str:
        return report.frequencies(self)


@dataclass(frozen=True)
class Positions:
    """The positions of the rows along one axis.

    Attributes
    ----------
    first, last : float
        Those of the first and last row that hold one; whole where they are whole numbers.
    step : float or None
        From row to row, or on a grid from cell to cell; None if that is not the same everywhere.
    each, count, begin : int
        On a grid `each` rows in a run have one position, and after `count` positions they begin again, from
        row `begin` on. Along a line count is 0; each is above 1 where each row is there several times.
    places : tuple of float
        Of every row, where no step tells it.
    """

    first: float
    last: float
    step: float | None
    each: int = 1
    count: int = 0
    begin: int = 0
    places: tuple[float, ...] = field(default=(), repr=False)

    def at(self, rows: Index) -> Float:
        """The positions of rows."""
        runs = (rows - self.begin) // self.each
        runs = runs % self.count if self.count else runs
        if self.step is None:
            return np.asarray(self.places, dtype=np.float64)[runs]
        return np.asarray(self.first + self.step * (1 if self.count else self.each) * runs)

    def over(self, each: int, count: int, begin: int) -> Positions:
        """The same of a grid, where so many rows have one position, and after so many they begin again."""
        return replace(self, each=each, count=count, begin=begin)

    def __str__(self) -> str:
        return report.positions(self)


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

    @property
    def uneven(self) -> bool:
        """Whether no step tells the positions."""
        return self.positions is None or self.positions.step is None

    @property
    def on_a_line(self) -> bool:
        """Whether positions go on by one step, from each row to the next."""
        found = self.positions
        return found is not None and found.step is not None and found.each == 1 and not found.count

    def at(self, rows: Index) -> Float:
        """The positions of rows."""
        assert self.positions is not None
        return self.positions.at(rows)

    def turned_by(self, rows: Index) -> Float:
        """The positions by which a function turns those at which it was tried; listed ones are of these."""
        assert self.positions is not None
        return np.array(self.positions.places) if self.uneven else self.positions.at(rows)


@dataclass(frozen=True)
class Cells:
    """What each column that was read holds: of which axis and pair, and which function of the angle."""

    column: Index = field(default_factory=lambda: np.zeros(0, np.intp))
    axis: Index = field(default_factory=lambda: np.zeros(0, np.intp))
    pair: Index = field(default_factory=lambda: np.zeros(0, np.intp))  # in the axis; -1 for one at rest
    wave: tuple[Wave, ...] = ()


@dataclass(frozen=True)
class Afterwards:
    """What was done to a table after it was made, or to a part of it; empty where nothing was."""

    rows: tuple[float, ...] = ()  # factors
    columns: tuple[float, ...] = ()  # factors
    shifts: tuple[float, ...] = ()  # of columns
    spoilt: tuple[int, ...] = ()  # columns of which nothing is said
    missing: tuple[int, ...] = ()  # rows that were lost
    singled: tuple[int, ...] = ()  # columns that were changed by themselves

    def of_columns(self, table: Float) -> Float:
        """Rows of a table with what was done to all of them."""
        result = table * self.columns if self.columns else table
        return np.asarray(result + self.shifts if self.shifts else result)

    def of_rows(self, table: Float) -> Float:
        """A whole table with the rest."""
        result = table * np.array(self.rows)[:, np.newaxis] if self.rows else table
        result[:, list(self.spoilt)] = np.nan
        return np.asarray(np.delete(result, list(self.missing), axis=0) if self.missing else result)


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
        "4 decimals", "5 digits" and the like.
    grid : tuple of int, or None
        Rows and columns of an image, of a table with two axes; which axis comes first is read off `axes`.
    programs : tuple of str
        Programs whose own table, or whose turning, is this one.
    limit : float or None
        At which entries are clipped.
    noise : float
        By which an entry of a changed table is off at most, or 0.
    straight : bool
        Whether rows between whole positions are on straight lines between those of whole positions.
    rounding : tuple of (tuple of str, str), or None
        Steps of the program that were rounded, of "positions", "frequencies" and "angles", and to which type.
    coordinates : tuple of int
        Columns in front that hold the coordinates themselves, of each axis one, which positions are `unit`
        times.
    zeros : tuple of int
        Columns that are zero and no part of a pair.
    shape : tuple of int
        Of the table, or of the vectors that a function was tried on.
    growth : tuple of float
        Of a function, the logarithm of each pair's growth from position to position; or empty.
    order : tuple of int
        Of a function, where each entry comes out; empty if where it came in.
    probes : tuple of ndarray, or None
        The vectors and the positions at which a function was held against its reading.
    afterwards : Afterwards
        What was done to a part of the table.
    rows_off : ndarray of int
        The rows that are not as the reading says; empty for a sound table.
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
    limit: float | None = None
    noise: float = 0.0
    straight: bool = False
    rounding: tuple[tuple[str, ...], FloatType] | None = None
    coordinates: tuple[int, ...] = ()
    unit: float = 1.0
    zeros: tuple[int, ...] = field(default=(), repr=False)
    shape: tuple[int, ...] = ()
    growth: tuple[float, ...] = field(default=(), repr=False)
    order: tuple[int, ...] = field(default=(), repr=False)
    afterwards: Afterwards = field(default_factory=Afterwards, repr=False)
    probes: tuple[Float, Float] | None = field(default=None, repr=False, compare=False)
    rows_off: Index = field(default_factory=lambda: np.zeros(0, np.intp), repr=False, compare=False)
    cells: Cells = field(default_factory=Cells, repr=False, compare=False)

    @property
    def alike(self) -> bool:
        """Whether all axes have the same frequencies and positions."""
        return all(axis == self.axes[0] for axis in self.axes)

    def rebuild(self) -> Float:
        """The table that the reading says, of its `shape`, from what it prints.

        For a line of frequencies this line; for a function the outputs for its `probes`. It agrees with what
        was given, within what the number type and angles in float32 round away and the noise, in all rows but
        `rows_off`; columns that are no part of the reading are NaN.
        """
        return rebuild.table(self) if self.probes is None else rebuild.turned(self, *self.probes)


@dataclass(frozen=True)
class Diagnosis:
    """What :func:`~posread.table.read.diagnose` found; prints as a short report.

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
    line : bool
        Whether it is one line of numbers, read as frequencies.

    The attributes `layout`, `first`, `denominator` ("d", "d-2" or None), `base` and `first_position` are
    short for what is in the reading of the first axis.
    """

    d_model: int
    reading: Reading | None
    problems: list[Problem] = field(default_factory=list)
    nearest: tuple[tuple[str, float], ...] = ()
    line: bool = False

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
        less = found.over == 2 * len(found.values) - 2
        return "d-2" if less and found.over not in (self.d_model, len(self.reading.columns)) else "d"

    @property
    def first_position(self) -> float | None:
        """The position that the line has for row 0, or for position 0 if turned."""
        positions = self.reading.axes[0].positions if self.reading is not None else None
        if positions is None:
            return None
        return int(positions.first) if float(positions.first).is_integer() else positions.first

    def as_dict(self) -> dict[str, Any]:
        """All of it as numbers, strings, lists and dictionaries, for JSON."""
        plain = None
        if self.reading is not None:
            plain = asdict(replace(self.reading, cells=Cells(), probes=None))
            del plain["cells"], plain["probes"]
            plain["rows_off"] = self.reading.rows_off.tolist()
        return {
            "sound": self.sound,
            "d_model": self.d_model,
            "reading": plain,
            "problems": [asdict(problem) for problem in self.problems],
            "nearest": [list(near) for near in self.nearest],
        }

    def __str__(self) -> str:
        return report.told(report.table_heading(self), self.problems, self.reading)
