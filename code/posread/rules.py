"""What is wrong, of evidence: one function a kind, and no sentence (these are in `report`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from posenc.arguments import Float
from posread import report
from posread.bases import IN_USE
from posread.fit.hands import Index
from posread.fit.number_types import is_fine
from posread.problem import Kind, Problem
from posread.reading import Frequencies, Reading

#: Bases beyond these are in no use that is known.
BASES = (2.0, 1e12)
#: Powers of a base that is in use which slips make of it: of the exponent, or of its logarithm.
SLIPS = {1 / math.log(10): "(1 / ln 10)", 1 / math.log(2): "(1 / ln 2)", 2: "2"}
#: Coordinates of an image that reach no farther hardly turn most pairs.
NEAR = 2.0
#: A pair that turns by fewer radians in all may hide the next in the rounding to few digits.
SEEN = 0.01
#: What was rounded, and the kind of problem that it is.
ROUNDED: dict[tuple[str, ...], Kind] = {
    ("positions",): "rounded-positions",
    ("frequencies",): "rounded-frequencies",
    ("angles",): "rounded-angles",
    ("positions", "frequencies", "angles"): "rounded-angles",
}


def _none() -> Index:
    return np.zeros(0, np.intp)


def _no_numbers() -> Float:
    return np.zeros(0)


@dataclass(frozen=True)
class Evidence:
    """What was seen of a table, or of a function that rotates, beside its reading; nothing is judged here."""

    reading: Reading
    unit: Literal["row", "position"] = "row"
    rows: int = 0  # of the table, or the last position
    zero_columns: tuple[int, ...] = ()
    extra: tuple[int, ...] = ()  # columns in front that are no part of the pairs
    lone: tuple[int, ...] = ()
    ends: tuple[float, float] = (-1.0, 1.0)  # of the entries
    read_rows: Index = field(default_factory=_none)  # those that were looked at one by one
    places: Float = field(default_factory=_no_numbers)  # where these are
    zero_rows: Index = field(default_factory=_none)
    repeated: Index = field(default_factory=_none)
    astray: Index = field(default_factory=_none)  # rows that no position explains
    miss: float = 0.0  # by how much at most
    typical: float = 0.0  # by how much a row is off that has noise
    noisy: int = 0  # of the rows that were looked at those that are off
    moved: Index = field(default_factory=_none)  # rows that hold another position
    moved_to: Float = field(default_factory=_no_numbers)
    shows_from: int = 0  # the first row or position at which a rounded step shows
    worst_frequency: tuple[int, float] | None = None  # of rounded frequencies: the pair, and by how much
    forms: tuple[str | None, ...] = ()  # of a function, the coordinate of each axis as a formula of p
    lost: int = 0  # pairs whose frequency became 0
    finer: bool = False  # of a function, whether results have another type than its cosines and sines

    @property
    def names(self) -> Frequencies:
        """The frequencies of the first axis."""
        return self.reading.axes[0].frequencies

    @property
    def step(self) -> float | None:
        """That of the first axis, if it is a line."""
        positions = self.reading.axes[0].positions
        return None if positions is None or positions.count else positions.step

    @property
    def one_line(self) -> bool:
        """Whether rows, or positions, are along one line."""
        return self.step is not None


Rule = Callable[[Evidence], Iterator[Problem]]


def shifted(seen: Evidence) -> Iterator[Problem]:
    """Something was added to every entry."""
    if seen.reading.shift:
        yield report.shifted(*seen.ends, seen.reading.shift, seen.reading.scale)


def zero_columns(seen: Evidence) -> Iterator[Problem]:
    """Columns that are zero."""
    if seen.zero_columns:
        width = seen.reading.shape[1]
        yield report.zero_columns(seen.zero_columns, width - len(seen.zero_columns), width)


def lone_column(seen: Evidence) -> Iterator[Problem]:
    """A sine without its cosine, or the other way round."""
    for column in seen.lone[: not seen.reading.coordinates]:
        yield report.lone_column(column, seen.reading.shape[1])


def extra_columns(seen: Evidence) -> Iterator[Problem]:
    """Columns that are no part of the pairs."""
    if seen.extra and not seen.reading.coordinates:
        yield report.extra_columns(seen.extra)


def clipped(seen: Evidence) -> Iterator[Problem]:
    """Entries that are cut off."""
    if seen.reading.limit is not None:
        yield report.clipped(seen.reading.limit, seen.reading.scale)


def scaled(seen: Evidence) -> Iterator[Problem]:
    """A factor that no method explains."""
    reading = seen.reading
    told = reading.layout == "frequencies" or reading.scale == 1 or reading.shift
    if not told and not is_meant(reading.scale, seen.names):
        layout = "function" if seen.unit == "position" else reading.layout
        yield report.scaled(reading.scale, layout, reading.shape[1])


def is_meant(scale: float, names: Frequencies) -> bool:
    """Whether a method for longer contexts that was read multiplies by this."""
    if names.own_factor and abs(scale / names.own_factor - 1) < 1e-3:
        return True
    return names.blend == "pair by pair" and 1 < scale < 1.5


def signs(seen: Evidence) -> Iterator[Problem]:
    """A sine or a cosine negated; turning backwards."""
    if seen.reading.signs != (1, 1):
        yield report.BACKWARDS if seen.unit == "position" else report.signs(*seen.reading.signs)


def unlike_axes(seen: Evidence) -> Iterator[Problem]:
    """Axes of a table with another order of sine and cosine, or other signs, than the first."""
    cells, factors = seen.reading.cells, seen.reading.afterwards.columns
    if seen.unit == "position" or len(seen.reading.axes) < 2:
        return
    for negated in (False, True):
        numbers = list[int]()
        for axis in range(1, len(seen.reading.axes)):
            mine = np.flatnonzero(cells.axis == axis)
            other = cells.wave[mine[0]] != seen.reading.first
            plain = np.setdiff1d(cells.column[mine], seen.reading.afterwards.singled).tolist()
            minus = bool(factors) and min(factors[c] for c in plain) < 0
            numbers += [axis + 1] * (minus if negated else other)
        if numbers:
            yield report.unlike_axes(numbers, str(seen.reading.first), negated)


def changed_columns(seen: Evidence) -> Iterator[Problem]:
    """Columns that were changed by themselves; a vector that was added to all rows."""
    added = np.abs(seen.reading.afterwards.shifts)
    if added.size and not seen.reading.afterwards.singled:
        yield report.added_vector(float(added.max()))
    if seen.reading.afterwards.singled:
        yield report.changed_columns(seen.reading.afterwards)


def noise(seen: Evidence) -> Iterator[Problem]:
    """Every row a little off."""
    if seen.reading.straight:
        yield report.STRAIGHT
    if seen.reading.noise:
        yield report.noise(seen.noisy, seen.read_rows.size, seen.typical, seen.reading.noise)


def rows_off(seen: Evidence) -> Iterator[Problem]:
    """Rows that no position explains."""
    if seen.astray.size and seen.unit == "row":
        yield report.rows_off(seen.astray, seen.miss)


def not_relative(seen: Evidence) -> Iterator[Problem]:
    """A function whose angles are no multiples of the position."""
    if seen.unit == "row":
        return
    axes, first, rows = seen.reading.axes, seen.reading.axes[0].positions, seen.read_rows
    if all(axis.on_a_line for axis in axes):
        if seen.astray.size:
            yield report.not_relative(seen.astray, seen.astray[:0], seen.miss)
    elif len(axes) > 1 and None not in seen.forms:
        yield report.own_coordinates([str(form) for form in seen.forms])
    elif len(axes) == 1 and first is not None:
        places = first.at(rows) if first.step else seen.places
        other = np.abs(places - rows) > 0.01
        yield report.not_relative(rows[other], places[other])
    else:
        sets = [i for i, axis in enumerate(axes, 1) if not axis.on_a_line]
        yield report.not_relative(rows[:0], rows[:0], sets=sets)


def dealt(seen: Evidence) -> Iterator[Problem]:
    """A function with one progression dealt out to sets of pairs that turn by the same position."""
    one, *others = seen.reading.axes
    in_turn = seen.unit == "position" and any(axis.frequencies.begin == 0.5 for axis in others)
    if in_turn and one.on_a_line and all(axis.positions == one.positions for axis in others):
        yield report.dealt(one.frequencies)


def out_of_place(seen: Evidence) -> Iterator[Problem]:
    """Rows that hold another position."""
    if not seen.moved.size:
        return
    told = np.stack([axis.positions.at(seen.moved) for axis in seen.reading.axes if axis.positions], axis=1)
    told = told if seen.moved_to.ndim > 1 else told[:, 0]
    yield report.out_of_place(seen.moved, seen.moved_to, told, seen.unit)


def uneven(seen: Evidence) -> Iterator[Problem]:
    """Positions on no line."""
    axes = seen.reading.axes
    if seen.unit == "position" or seen.names.octaves:
        return
    if len(axes) == 1 and axes[0].positions and axes[0].uneven:
        yield report.uneven(seen.read_rows, seen.places)
    if len(axes) > 1 and any(axis.uneven and axis.positions and not axis.positions.count for axis in axes):
        yield report.off_the_grid(len(axes))


def zero_rows(seen: Evidence) -> Iterator[Problem]:
    """Rows that are zero."""
    if seen.zero_rows.size:
        yield report.zero_rows(seen.zero_rows)


def repeated_rows(seen: Evidence) -> Iterator[Problem]:
    """Rows that equal earlier ones."""
    if not seen.repeated.size:
        return
    positions = seen.reading.axes[0].positions
    times = positions.each if positions and not positions.count and not seen.rows % positions.each else 1
    yield report.repeated_rows(seen.repeated, times)


def reversed_rows(seen: Evidence) -> Iterator[Problem]:
    """The last position first."""
    positions = [axis.positions for axis in seen.reading.axes if axis.positions]
    told = seen.unit == "row" and seen.names.law != "equal" and not seen.names.octaves and positions
    if told and all(place.step and place.step < 0 for place in positions):
        rows = np.setdiff1d(np.arange(seen.reading.shape[0]), seen.reading.rows_off)[[0, -1]]
        ends = np.array([place.at(rows) for place in positions])
        ends = ends[:1] if seen.one_line else ends
        yield report.reversed_rows(rows, ends[:, 0], ends[:, 1], (positions[0].step or 0) * positions[0].each)


def some_backwards(seen: Evidence) -> Iterator[Problem]:
    """The last coordinate first along some axes of a grid."""
    steps = [p.step or 0 for axis in seen.reading.axes if (p := axis.positions) and p.count]
    back = [i for i, step in enumerate(steps, 1) if step < 0]
    if seen.unit == "row" and 0 < len(back) < len(seen.reading.axes):
        yield report.backwards(back)


def step(seen: Evidence) -> Iterator[Problem]:
    """Rows that are not a whole number of positions apart; a first pair that does not turn by 1."""
    value, positions = seen.step, seen.reading.axes[0].positions
    if value is None or positions is None or seen.names.law == "equal" or seen.names.octaves:
        return
    if not is_stepped(seen.names, value):
        yield from (function_step if seen.unit == "position" else table_step)(seen, value * positions.each)


def function_step(seen: Evidence, value: float) -> Iterator[Problem]:
    """A first pair that does not turn by 1, where nothing else explains it."""
    rounding = seen.reading.rounding
    explained = seen.names.blend in ("interpolation", "pair by pair")
    explained = explained or (rounding is not None and "angles" in rounding[0])
    if value != 1 and seen.reading.axes[0].on_a_line and not explained:
        yield report.function_step(value)


def table_step(seen: Evidence, value: float) -> Iterator[Problem]:
    """Rows between whole positions, or a first frequency other than 1."""
    positions, alone = seen.reading.axes[0].positions, seen.reading.layout in ("caches", "angles")
    odd = not float(value).is_integer() or (alone and abs(value) != 1)
    if positions is not None and (odd or (value > 1 and is_timescale(seen.names, value))):
        yield report.table_step(value, positions.first, positions.last, seen.rows)


def is_timescale(names: Frequencies, value: float) -> bool:
    """Whether a whole step is a first frequency instead, with which the base is 10,000 over d - 2."""
    less = names.law == "geometric" and names.over == 2 * len(names.values) - 2
    return less and not is_usual(names.base or 0) and names.base == IN_USE[0][0] / value


def is_usual(base: float) -> bool:
    """Whether a base is in use."""
    return any(abs(base / known - 1) < 1e-6 for rank in IN_USE for known in rank)


def near_grid(seen: Evidence) -> Iterator[Problem]:
    """Coordinates of an image that were divided by its size."""
    axes = seen.reading.axes
    ends = [(p.first, p.last) for axis in axes if (p := axis.positions) and p.count and (p.step or 0) % 1]
    if len(ends) == len(axes) and not seen.names.octaves and max(abs(b - a) for a, b in ends) <= NEAR:
        yield report.near_grid(ends)


def at_rest(seen: Evidence) -> Iterator[Problem]:
    """Pairs of a table that never turn; with few digits the next slower ones seem to be at rest."""
    cells, values = seen.reading.cells, seen.names.values
    few = not is_fine(seen.reading.number_type)
    hidden = few and bool(values) and (seen.rows < 16 or min(map(abs, values)) * seen.rows < SEEN)
    if seen.unit == "row" and (cells.pair < 0).any() and not hidden:
        yield report.at_rest(np.sort(cells.column[cells.pair < 0]).tolist())


def twice(seen: Evidence) -> Iterator[Problem]:
    """Each frequency several times, in pairs side by side."""
    cells, axes = seen.reading.cells, seen.reading.axes
    if seen.unit == "row" and len(axes) > 1 and seen.reading.alike:
        order = cells.axis[np.argsort(cells.column)]
        if np.count_nonzero(np.diff(order)) >= 2 * len(axes):
            yield report.twice(len(axes))


def start(seen: Evidence) -> Iterator[Problem]:
    """A first position that is no whole number, or not 0."""
    positions = seen.reading.axes[0].positions
    if positions is None or not seen.one_line or seen.names.law == "equal" or seen.names.octaves:
        return
    if seen.unit == "position":
        if abs(positions.first) >= 1e-3 and not seen.astray.size:
            at = int(np.setdiff1d(seen.read_rows, seen.moved)[0])
            yield report.function_start(at, float(positions.at(np.array([at]))[0]))
    elif (value := seen.step) is not None and value < 0 and abs(positions.last) < 1e-6:
        return  # counted down to 0
    elif seen.names.law != "one" and not float(positions.first).is_integer() and not is_on_steps(seen):
        yield report.table_start(positions.first)


def is_on_steps(seen: Evidence) -> bool:
    """Whether the first position is whole if it is counted in steps that were slowed with the rest."""
    positions, value = seen.reading.axes[0].positions, seen.step
    own = seen.names.law == "own"  # whose first is 1 in no unit but its own
    if positions is None or not value or not (own or is_stepped(seen.names, value)):
        return False
    steps = positions.first / value
    fine = 1e-5 if seen.reading.number_type in ("float32", "float64") else 1e-3
    return abs(steps - round(steps)) < fine * max(1.0, abs(steps))


def rounded_steps(seen: Evidence) -> Iterator[Problem]:
    """Positions, frequencies or angles in half precision."""
    found = seen.reading.rounding
    if found is None:
        return
    steps, type_ = found
    if seen.worst_frequency is not None or not seen.reading.axes[0].positions:
        rising = seen.names.rising and seen.reading.axes[0].positions is None
        yield report.narrowed(type_, rising, seen.worst_frequency, seen.lost)
    else:
        yield report.rounded(ROUNDED[steps], steps, type_, seen.shows_from, seen.rows - 1, seen.unit)


def rough_function(seen: Evidence) -> Iterator[Problem]:
    """A function whose cosines and sines have few digits."""
    name = seen.reading.number_type
    narrow = seen.finer and name in ("bfloat16", "float16")
    if seen.unit == "position" and (narrow or name.endswith((" bits", " decimals"))):
        yield report.rough_entries_of_function(name)


def rough_angles(seen: Evidence) -> Iterator[Problem]:
    """Angles that are held in half precision."""
    reading = seen.reading
    if reading.layout == "angles" and reading.number_type in ("bfloat16", "float16") and seen.miss > 1e-2:
        yield report.rough_angles(reading.number_type, seen.miss)


def frequencies(seen: Evidence) -> Iterator[Problem]:
    """What is implausible in frequencies."""
    first = seen.reading.scale if seen.reading.layout == "frequencies" else seen.step or 1.0
    whole = seen.step is not None and abs(seen.step - round(seen.step)) < 1e-5 and round(seen.step) != 0
    table = seen.unit == "row" and seen.reading.layout not in ("caches", "angles", "frequencies")
    told = set[str]()
    for axis in seen.reading.axes:
        for problem in of_frequencies(axis.frequencies, table, first, whole, seen.reading):
            if problem.text not in told:
                told.add(problem.text)
                yield problem


def of_frequencies(
    names: Frequencies, table: bool, first: float, whole: bool, reading: Reading
) -> Iterator[Problem]:
    """What is implausible in the frequencies of an axis."""
    if names.law == "equal":
        yield report.equal_frequencies(names.values[0])
    elif names.law == "own":
        if not reading.noise:  # which hides a law
            yield report.unknown_frequencies(names.values, names.detail)
    elif names.octaves:
        if whole:  # and not the coordinates of a point, as in NeRF
            yield report.rising(names, 1.0)
    elif names.rising and names.base is not None:
        yield report.rising(names, abs(first))
    elif names.law == "geometric" and names.base is not None:
        if not BASES[0] <= names.base <= BASES[1]:
            yield report.odd_base(names.base, BASES)
        else:
            yield from slips(names.base, table)


def slips(base: float, table: bool) -> Iterator[Problem]:
    """A base that is a power of one in use, as slips make it; and in a table 10,000 squared."""
    for power, words in SLIPS.items():
        for known in (*IN_USE[0], *IN_USE[1]) if power < 2 else IN_USE[0] * table:
            if abs(base / known**power - 1) < 1e-6:
                yield report.slipped_base(base, known, words)


def is_slowest_first(names: Frequencies, first: float) -> bool:
    """Whether frequencies that rise from ``first`` end at 1: the usual ones, in reverse order."""
    values = names.values
    return names.rising and bool(values[0]) and abs(abs(first * values[-1] / values[0]) - 1) < 1e-3


def is_stepped(names: Frequencies, first: float) -> bool:
    """Whether a first frequency other than 1 is as it should be: it ends at 1, or was slowed, too."""
    return is_slowest_first(names, first) or (names.blend == "pair by pair" and 0.5 < abs(first) < 1)


def line_start(seen: Evidence) -> Iterator[Problem]:
    """A line of frequencies that does not begin with 1."""
    reading, names = seen.reading, seen.names
    told = reading.scale == 1 or names.blend == "interpolation" or names.rising or names.law == "equal"
    if reading.layout == "frequencies" and not told and not is_stepped(names, reading.scale):
        yield report.line_step(reading.scale)


#: In the order in which they are told.
RULES: tuple[Rule, ...] = (
    zero_columns, shifted, lone_column, extra_columns, clipped, scaled, signs, unlike_axes, changed_columns,
    at_rest, twice, frequencies, line_start,
    uneven, rounded_steps, rough_angles, rough_function, out_of_place, noise, rows_off, not_relative, dealt,
    reversed_rows, some_backwards, step, near_grid, start, zero_rows, repeated_rows,
)  # fmt: skip


def problems_of(seen: Evidence) -> list[Problem]:
    """All that is wrong."""
    found, off = [problem for rule in RULES for problem in rule(seen)], seen.reading.rows_off
    unsaid = off.size and not any(problem.rows for problem in found)
    return [*found, report.rows_off(off, seen.miss)] if unsaid else found
