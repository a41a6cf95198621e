"""`diagnose_rope`: a function that rotates is tried near and far, and held against its reading."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float, check_count, check_d_model, shown
from posread import report
from posread.fit.axes import on_the_ladder
from posread.fit.hands import Complex, Index, decoded, evenly, fineness, precision, tolerance
from posread.fit.number_types import SINGLE, number_type
from posread.fit.rounding import is_measured
from posread.problem import Problem
from posread.programs import rope_programs
from posread.reading import Axis, Cells, Diagnosis, Layout, Reading, Wave
from posread.rebuild import turned
from posread.rope import probe
from posread.rope.pairs import find_order, find_pairs, find_ways, how_torn, lengths_problem
from posread.rope.positions import Placed, find_places, find_sets, form_of
from posread.rope.probe import CALL, Rotate
from posread.rules import Evidence, problems_of

__all__ = ["RopeDiagnosis", "diagnose_rope"]

#: An entry that moves by no more than this is not turned.
STILL = 1e-9
#: A reading that more of the positions miss is none.
MOST = 0.5
#: So many positions are asked for at most.
LARGEST = 2**20
#: Positions that stray and are looked at one by one, at most.
STRAYS = 1024


@dataclass(frozen=True)
class RopeDiagnosis(Diagnosis):
    """What :func:`diagnose_rope` found.

    As :class:`~posread.reading.Diagnosis`, but `first` is None: nothing comes first.

    In its problems, rows are positions and columns are entries of a head. `tried` is the last position at
    which the function was called, `asked` the number of those that were all tried, and `fails_at` the first
    of the far ones at which it fails, or None.
    """

    tried: int | None = None
    asked: int = 0
    fails_at: float | None = None

    @property
    def where_tried(self) -> str:
        """The positions at which the function was called, in words."""
        text = f"Tried at positions 0 to {self.asked - 1:,}"
        if self.tried is not None and self.tried >= self.asked:
            text += f", and around powers of two up to {self.tried:,}"
        return text + ("." if self.fails_at is None else f"; at {self.fails_at:,.0f} it fails.")

    def __str__(self) -> str:
        return report.told(report.rope_heading(self), self.problems, self.reading)


def diagnose_rope(rotate: Rotate, d_model: int, n_positions: int = 64) -> RopeDiagnosis:
    """Try a function that rotates queries and keys: which RoPE it is, and whether it is one.

    Parameters
    ----------
    rotate : callable
        Takes vectors of shape (n, d_model) and their n positions, both arrays of NumPy in float64, and
        returns the turned vectors. A function that looks positions up needs ``positions.astype(int)``.
    d_model : int
        Entries of a head: an even integer from 2 to 2**24.
    n_positions : int
        Positions 0 to n_positions - 1 are all tried, 3 to 2**20 of them, and some farther ones, up to
        131,074: those at which narrow types begin to skip whole numbers. Far ones at which `rotate` raises,
        or returns what is not finite, are left out, and the report says so.

    Returns
    -------
    RopeDiagnosis
        A reading, or None, and a list of problems.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or `rotate` raises an error, or returns another shape or no real
        numbers.

    Notes
    -----
    A reading is accepted only if it foretells what the function makes of ``found.reading.probes``, its
    vectors and positions, within what the type of the results rounds away, at all positions but those in
    ``rows_off``; ``found.reading.rebuild()`` returns it.

    Examples
    --------
    >>> from posenc.rope import apply_rope
    >>> print(diagnose_rope(lambda x, p: apply_rope(x, p, 500_000, layout="halves"), 128))
    RoPE, 128 entries, halves, base 500,000.
    Tried at positions 0 to 63, and around powers of two up to 131,074.
    As in GPT-NeoX and Hugging Face (rotate_half).
    - No problem found.
    """
    if not callable(rotate):
        raise TypeError(f"rotate must be a function of vectors and positions, got {shown(rotate)}")
    d_model = check_d_model(d_model)
    tried = Trial.of(rotate, d_model, check_count(n_positions, "n_positions", least=3, most=LARGEST))
    problem = tried.no_rotation()
    if problem is not None:
        return tried.found(None, [problem])
    order = find_order(tried.stack, d_model)
    if order is None:
        return read_turned(tried)
    ways = find_ways(order)
    if ways is None:
        return tried.found(None, [report.permuted(order, None), *lengths_problem(tried.stack, tried.slack)])
    # the rest is said of it with this put right
    inner = diagnose_rope(lambda x, p: probe.call(rotate, x, p)[:, order], d_model, n_positions)
    permuted = report.permuted(order, ways[1])
    if inner.reading is None or inner.reading.layout != ways[0]:
        return tried.found(None, [report.permuted(order, None)])
    known = ("DeepSeek-V3 in Hugging Face (apply_rotary_pos_emb_interleave)",)
    of = known if inner.sound and ways[0] == "interleaved" else ()
    reading = replace(inner.reading, order=tuple(order.tolist()), programs=of)
    return replace(inner, reading=reading, problems=[permuted, *inner.problems])


@dataclass(frozen=True)
class Trial:
    """A function with what it made of unit vectors at a few positions."""

    rotate: Rotate
    d_model: int
    asked: int
    far: tuple[float, ...]
    fails_at: float | None
    matrices: dict[float, Float]
    stack: Float
    noise: float

    @classmethod
    def of(cls, rotate: Rotate, d_model: int, asked: int) -> Trial:
        """The function called at a few near positions and a few far ones."""
        near = np.arange(min(asked, CALL), dtype=float)
        matrices = {
            p: probe.matrix_at(rotate, d_model, p) for p in (0.0, 1.0, 2.0, 3.0 if asked > 3 else 2.0)
        }
        far, fails_at = probe.reachable(rotate, d_model, asked)
        for p in far[-1:] + far[len(far) // 2 : len(far) // 2 + 1]:
            matrices[p] = probe.matrix_at(rotate, d_model, p)
        for p in _where_others_turn(rotate, d_model, near, list(matrices.values())):
            matrices[p] = probe.matrix_at(rotate, d_model, p)
        stack = np.array(list(matrices.values()))
        noise = max(number_type(stack).error / max(float(np.abs(stack).max()), 1e-300), 2.0**-53)
        return cls(rotate, d_model, asked, tuple(far), fails_at, matrices, stack, noise)

    @property
    def slack(self) -> float:
        """By how much entries of matrices may differ."""
        return 4 * self.noise + 32 * SINGLE

    @property
    def positions(self) -> Float:
        """All that are asked for, and the far ones."""
        return np.concatenate([np.arange(self.asked, dtype=float), np.array(self.far)])

    def found(self, reading: Reading | None, problems: list[Problem]) -> RopeDiagnosis:
        """A diagnosis that says where the function was called."""
        last = int(max(self.asked - 1, *self.far, 0))
        return RopeDiagnosis(
            self.d_model, reading, problems, tried=last, asked=self.asked, fails_at=self.fails_at
        )

    def no_rotation(self) -> Problem | None:
        """Why this is no rotation by positions at all; None if it may be one."""
        d_model, slack = self.d_model, self.slack
        if not probe.is_repeatable(self.rotate, d_model, slack):
            return report.UNREPEATABLE
        linear = probe.not_linear(self.rotate, d_model, self.noise)
        try:
            if probe.call(self.rotate, np.zeros((1, d_model)), np.ones(1)).any():
                return report.ADDED
        except ValueError:  # a norm divides by the length of a vector
            if linear is None:
                raise
        if linear is not None:
            return linear
        if np.abs(self.stack - self.stack[0]).max() <= slack:
            return self._same_everywhere()
        eye = np.eye(d_model)
        alone = np.array([probe.call(self.rotate, eye[[j]], np.ones(1))[0] for j in (0, d_model - 1)])
        if np.abs(alone - self.matrices[1.0].T[[0, -1]]).max() > slack:
            return report.ACROSS_VECTORS
        return None

    def _same_everywhere(self) -> Problem:
        """Why all positions give the same matrix."""
        d_model, slack, places = self.d_model, self.slack, np.array([0.0, 3.0, 7.0, 12.0])
        ones = np.ones((4, d_model))
        together = probe.call(self.rotate, ones, places)
        apart = np.array([probe.call(self.rotate, ones[:1], np.array([p]))[0] for p in places])
        if probe.keeps_positions(self.rotate, d_model, slack):
            return report.POSITIONS_KEPT
        rows = probe.call(self.rotate, ones, np.zeros(4))
        by_row = np.abs(rows - rows[0]).max() > slack
        if np.abs(together - apart).max() > slack and not by_row:
            return report.COUNTED_FROM_THE_FIRST
        if np.abs(self.stack[0] - np.eye(d_model)).max() <= slack:
            return report.NOTHING_TURNS
        return report.positions_ignored(by_row=bool(by_row))


def _where_others_turn(rotate: Rotate, d_model: int, near: Float, matrices: list[Float]) -> list[float]:
    """Positions at which entries turn that the matrices leave as they are; a few of them."""
    rests = np.all([np.abs(matrix - np.eye(d_model)).max(axis=0) <= STILL for matrix in matrices], axis=0)
    if rests.all() or not rests.any():
        return []
    moved = np.abs(probe.call(rotate, np.ones((len(near), d_model)), near) - 1)[:, rests] > STILL
    first = near[np.argmax(moved, axis=0)][moved.any(axis=0)]
    return [float(p) for p in np.unique(first)[:4]]


@dataclass(frozen=True)
class Pairs:
    """The pairs of a function, and where their entries go at some positions."""

    layout: Layout
    one: Index
    two: Index
    rows: Index
    ahead: Complex
    across: Complex
    noise: float

    @property
    def slack(self) -> Float:
        """By how much hands may differ at each position."""
        return tolerance(self.rows.astype(np.float64), np.ones(1), self.noise)[:, np.newaxis]

    @property
    def hands(self) -> Complex:
        """Where the first entries go, without what they grow by."""
        return np.asarray(self.ahead / np.maximum(np.abs(self.ahead), 1e-300))

    @property
    def scale(self) -> float:
        """By how much a vector is longer afterwards, in the middle."""
        return float(np.median(np.abs(self.ahead)))


def read_turned(trial: Trial) -> RopeDiagnosis:
    """Read a function whose entries stay in order."""
    paired = find_pairs(trial.stack, trial.d_model)
    if isinstance(paired, Problem):
        more = [] if paired.kind == "lengths-change" else lengths_problem(trial.stack, trial.slack)
        return trial.found(None, [paired, *more])
    layout, one, two = paired
    places = np.append(np.arange(min(trial.asked, CALL), dtype=float), trial.far)
    ahead, across = probe.hands_at(trial.rotate, trial.d_model, one, two, places)
    pairs = Pairs(layout, one, two, places.astype(np.intp), ahead, across, trial.noise)
    problems = _confused(trial, pairs)
    torn = _torn(pairs)
    if torn:
        return trial.found(None, [*problems, *torn])
    growth = _growth(pairs)
    lengths = np.abs(ahead)
    if growth is not None:
        how = _why_lengths_change(pairs)
        if growth and len({g > 0 for g in growth if g}) == 1:
            how = "Each pair changes its length by a constant factor a position."
        problems.append(report.lengths_change(float(lengths.min()), float(lengths.max()), how))
        if not growth:
            return trial.found(None, problems)
    return _judged(trial, pairs, growth or (), problems)


def _why_lengths_change(pairs: Pairs) -> str:
    """What stands where the cosine or the sine belongs, or that all pairs grow alike; empty if neither."""
    cos, sin, slack = pairs.ahead.real, pairs.ahead.imag, 4 * float(pairs.slack.max())
    if np.abs(cos - sin).max() <= slack:
        first = np.abs(cos[0] - 1).max() <= slack
        names = ("cosine", "sine") if first else ("sine", "cosine")
        return f"The {names[0]} stands where the {names[1]} belongs."
    if np.abs(cos - 1).max() <= slack:
        return "The factor 1 stands where the cosine belongs."
    lengths = np.abs(pairs.ahead)
    alike = np.ptp(lengths, axis=1).max() <= slack * float(lengths.max())
    return "All pairs are multiplied by one factor, which depends on the position." if alike else ""


def _confused(trial: Trial, pairs: Pairs) -> list[Problem]:
    """Whether a vector is turned otherwise when other positions come with it."""
    for place, matrix in trial.matrices.items():
        at = np.flatnonzero(pairs.rows == place)
        if at.size:
            alone = matrix[pairs.one, pairs.one] + 1j * matrix[pairs.two, pairs.one]
            if np.abs(pairs.ahead[at[0]] - alone).max() > trial.slack:
                return [report.in_company(place)]
    return [] if probe.is_free_of_order(trial.rotate, trial.d_model, trial.slack) else [report.OUT_OF_ORDER]


def _torn(pairs: Pairs) -> list[Problem]:
    """Pairs whose two entries do not turn as one."""
    slack, scale, early = pairs.slack, pairs.scale, pairs.rows < 300
    torn = (np.abs(pairs.ahead - pairs.across) > 4 * slack * max(scale, 1e-9))[early]
    if not torn.any():
        return []
    which = np.flatnonzero(torn.any(axis=0))
    lengths = np.abs(pairs.ahead)
    allowed = 4 * float(slack.max()) * scale
    hands = pairs.rows[early], pairs.ahead[early], pairs.across[early]
    how = how_torn(*hands, pairs.one[which], pairs.two[which], allowed)
    if np.abs(lengths - scale).max() > allowed:
        return [report.lengths_change(float(lengths.min()), float(lengths.max())), how]
    return [how]


def _growth(pairs: Pairs) -> tuple[float, ...] | None:
    """The logarithm of what each pair grows by a position; empty if by no constant; None if none grows."""
    lengths = np.abs(pairs.ahead)
    slack = 16 * pairs.noise + 32 * SINGLE  # the angle is no reason
    if np.abs(lengths / max(pairs.scale, 1e-300) - 1).max() <= slack:
        return None
    logs = np.log(np.maximum(lengths, 1e-300))
    base, last = logs[0], int(np.flatnonzero(pairs.rows < 4096)[-1])
    rate = (logs[last] - base) / max(float(pairs.rows[last] - pairs.rows[0]), 1.0)
    told = base + rate * (pairs.rows - pairs.rows[0])[:, np.newaxis]
    straight = np.abs(logs - told).max() <= 1e-6 + 8 * pairs.noise and np.abs(base).max() <= 1e-6
    return tuple(rate.tolist()) if straight else ()


def _judged(trial: Trial, pairs: Pairs, growth: tuple[float, ...], problems: list[Problem]) -> RopeDiagnosis:
    """The diagnosis of a function whose pairs turn as one."""
    hands = pairs.hands
    best: Held | None = None
    for reading in islice(_readings(trial, pairs, hands, growth), 60):
        held = hold(trial, pairs, reading, hands)
        if best is None or (held.angles, held.cost) < (best.angles, best.cost):
            best = held
        if best.cost == 0:
            break
    if best is None or best.off.mean() > MOST:
        other = 1j * hands.conj()
        tried = islice(_readings(trial, pairs, other, ()), 8)
        if any(not hold(trial, pairs, one, other).cost for one in tried):
            return trial.found(None, [*problems, report.EXCHANGED])
        return trial.found(None, [*problems, _unlike(hands, pairs)])
    best = replace(best, reading=_interpolated(best.reading))
    seen = _evidence(trial, pairs, best)
    told = problems_of(seen)
    odd = {"lengths-change", "positions-confused", "not-relative", "step", "rows-out-of-place"}
    reading = seen.reading
    if len(reading.axes) == 1 and not seen.moved.size and not odd & {p.kind for p in [*problems, *told]}:
        names = rope_programs(reading.layout, pairs.one, pairs.two, trial.d_model, seen.names)
        reading = replace(reading, programs=names)
    return trial.found(reading, [*problems, *told])


def _interpolated(reading: Reading) -> Reading:
    """The same, with positions that are divided by a round factor told as what they are."""
    names, positions = reading.axes[0].frequencies, reading.axes[0].positions
    if len(reading.axes) > 1 or names.law != "geometric" or names.rising or positions is None:
        return reading
    factor = 1 / positions.step if positions.step and reading.axes[0].on_a_line else 1.0
    if factor <= 1 or abs(factor - round(factor, 3)) >= 1e-6 * factor:
        return reading
    names = replace(names, law="blend", blend="interpolation", factor=round(factor, 3))
    return replace(reading, axes=(Axis(names, positions),))


@dataclass(frozen=True)
class Held:
    """A reading held against the hands of a function."""

    reading: Reading
    off: NDArray[np.bool_]
    cost: float
    angles: float  # by how much these may be off, in proportion


def _readings(trial: Trial, pairs: Pairs, hands: Complex, growth: tuple[float, ...]) -> Iterator[Reading]:
    """Readings of a function, the simplest first."""
    rows, one, two = pairs.rows, pairs.one, pairs.two
    widths: list[float] = [2 * len(one), trial.d_model, 2 * len(one) - 2]
    scale = 1.0 if growth or abs(pairs.scale - 1) <= max(2 * trial.noise, 1e-6) else pairs.scale
    type_name = number_type(np.stack([pairs.ahead.real, pairs.ahead.imag])).name
    columns = tuple(np.sort(np.concatenate([one, two])).tolist())
    layout = pairs.layout
    if layout == "halves" and (4 * (two - one) == len(columns)).all():
        layout = "quarters"
    for axes, groups in find_sets(hands, rows, trial.noise, widths):
        of_axis, pair = np.zeros(len(one), np.intp), np.zeros(len(one), np.intp)
        for number, (group, axis) in enumerate(zip(groups, axes, strict=True)):
            of_axis[group] = number
            pair[group] = np.where(axis.turning, np.cumsum(axis.turning) - 1, -1)
        cos, sin = list[Wave](["cos"]), list[Wave](["sin"])
        waves = (*cos * len(one), *sin * len(one))
        cells = Cells(np.concatenate([one, two]), np.tile(of_axis, 2), np.tile(pair, 2), waves)
        ways = [
            list(find_places(axis, hands[:, group], rows, trial.noise))
            for axis, group in zip(axes, groups, strict=True)
        ]
        for placed in product(*ways):
            if len({p.rounding for p in placed}) > 1:
                continue
            ladder: list[Placed] = []
            before = int(one[0]) // (2 if layout == "interleaved" else 1)  # pairs that rest
            for other, group in zip(placed, groups, strict=True):
                names, where = on_the_ladder(other.names, other.positions, placed[0].names, before)
                ladder.append(Placed(names, where, other.rounding))
                before += len(group)
            yield Reading(
                layout, None, tuple(Axis(p.names, p.positions) for p in ladder), columns, (axes[0].flip, 1),
                scale, number_type=type_name, rounding=placed[0].rounding, growth=growth,
                shape=(len(rows), trial.d_model), cells=cells,
            )  # fmt: skip


def hold(trial: Trial, pairs: Pairs, reading: Reading, hands: Complex) -> Held:
    """Whether a reading foretells the hands at the positions that were tried together."""
    rows = pairs.rows
    vectors = np.zeros((len(rows), trial.d_model))
    vectors[:, pairs.one] = 1
    told = turned(replace(reading, growth=(), scale=1.0), vectors, rows.astype(np.float64))
    miss = np.abs(told[:, pairs.one] + 1j * told[:, pairs.two] - hands)
    uneven = sum(axis.uneven for axis in reading.axes)
    measured = uneven or any(is_measured(axis.frequencies) for axis in reading.axes)
    angles = SINGLE if measured else fineness(miss, turns_of(reading, rows), 4 * trial.noise)
    off = miss.max(axis=1) > allowed_of(reading, rows, trial.noise, angles)
    several = len(reading.axes) > 1  # of which each may be measured
    own = any(a.frequencies.law == "own" or (several and is_measured(a.frequencies)) for a in reading.axes)
    odd = (0.1 * own + 0.02 * (len(reading.axes) - 1)) * (off.any() or uneven or own)
    return Held(reading, off, float(off.mean()) + MOST * uneven + odd, angles)


def turns_of(reading: Reading, rows: Index) -> Float:
    """The angles of all pairs at positions, without a sign."""
    cells, half = reading.cells, len(reading.cells.column) // 2
    result = np.zeros((len(rows), half))
    for number, axis in enumerate(reading.axes):
        mine = np.flatnonzero(cells.axis[:half] == number)
        omega = np.append(axis.frequencies.rebuild(), 0.0)[cells.pair[mine]]
        result[:, mine] = np.abs(axis.turned_by(rows)[:, np.newaxis] * omega)
    return result


def allowed_of(reading: Reading, rows: Index, noise: float, angles: float) -> Float:
    """By how much hands may be off at positions."""
    parts = ((axis.turned_by(rows), axis.frequencies.rebuild()) for axis in reading.axes)
    return np.asarray(np.max([tolerance(*part, noise, angles) for part in parts], axis=0))


def _evidence(trial: Trial, pairs: Pairs, best: Held) -> Evidence:
    """What was seen beside the reading: it is held against what the function makes of a full vector."""
    reading = best.reading
    listed = any(axis.uneven for axis in reading.axes)
    positions = pairs.rows.astype(np.float64) if listed else trial.positions
    vectors: Float = np.broadcast_to(probe.vector_of(trial.d_model), (len(positions), trial.d_model))
    if vectors.size <= 2**22:
        vectors = vectors.copy()
    reading = replace(reading, probes=(vectors, positions), shape=vectors.shape)
    rows = positions.astype(np.intp)
    miss = np.zeros(len(rows))
    for at in np.split(np.arange(len(rows)), range(CALL, len(rows), CALL)):
        told = turned(_part(reading, at), vectors[at], positions[at])
        given = probe.outputs(trial.rotate, trial.d_model, positions[at])
        miss[at] = np.abs(told - given).max(axis=1)
    factor = np.exp(np.max(np.outer(positions, reading.growth), axis=1)) if reading.growth else 1.0
    allowed = 4 * reading.scale * factor * allowed_of(reading, rows, trial.noise, best.angles)
    off = np.flatnonzero(miss > allowed)
    moved, moved_to, astray = _where(trial, pairs, reading, rows[off])
    forms = tuple(form_of(axis.positions) for axis in reading.axes if axis.positions is not None)
    first = 0
    if reading.rounding is not None:
        plain = hold(trial, pairs, replace(reading, rounding=None), pairs.hands)
        first = int(pairs.rows[np.argmax(plain.off)])
    listed_places = reading.axes[0].turned_by(rows) if listed else np.zeros(0)
    return Evidence(
        replace(reading, rows_off=off), unit="position", rows=int(rows[-1]) + 1, read_rows=rows,
        places=listed_places, astray=astray, miss=float(miss[off].max(initial=0.0)), moved=moved,
        moved_to=moved_to, shows_from=first, forms=forms,
        finer=number_type(given).name != reading.number_type,
    )  # fmt: skip


def _part(reading: Reading, at: Index) -> Reading:
    """The reading at some of the positions that it lists, one by one."""

    def cut(axis: Axis) -> Axis:
        if axis.positions is None or not axis.uneven:
            return axis
        places = axis.turned_by(at)[at]
        return replace(axis, positions=replace(axis.positions, places=tuple(places.tolist())))

    return replace(reading, axes=tuple(map(cut, reading.axes)))


def _where(trial: Trial, pairs: Pairs, reading: Reading, off: Index) -> tuple[Index, Float, Index]:
    """Positions that are turned like others, like which, and those that are turned like none."""
    positions, names = reading.axes[0].positions, reading.axes[0].frequencies
    if not off.size or len(reading.axes) > 1 or positions is None or positions.step is None:
        return off[:0], np.zeros(0), off
    looked = evenly(off, STRAYS)
    ahead, _ = probe.hands_at(trial.rotate, trial.d_model, pairs.one, pairs.two, looked.astype(np.float64))
    hands = ahead / np.maximum(np.abs(ahead), 1e-300)
    told, omega = positions.at(looked), names.rebuild()
    turning = np.abs(hands - hands[0]).max(axis=0) > 0 if len(hands) > 1 else np.ones(hands.shape[1], bool)
    if turning.sum() != len(omega):
        turning = reading.cells.pair[: hands.shape[1]] >= 0
    ahead = hands[:, turning] if reading.signs[0] > 0 else hands[:, turning].conj()
    where, miss = decoded(ahead, omega, told, trial.noise)
    apart = np.abs(where - told) > 3 * precision(told, omega, trial.noise)
    moved = (miss <= tolerance(where, omega, trial.noise)) & apart
    moved &= (where > -1) & (where < 1.01 * float(pairs.rows.max()))
    if moved.sum() < 0.5 * len(looked):
        moved &= False
    rest = off if not moved.any() else looked[~moved]
    return looked[moved], where[moved], rest


def _unlike(hands: Complex, pairs: Pairs) -> Problem:
    """A rotation whose angles are no products of a position and a frequency."""
    rows, steps = pairs.rows, hands[1:] * hands[:-1].conj()
    near = np.flatnonzero(np.diff(rows) == 1)
    if near.size:
        off = np.abs(steps[near] - steps[near[0]]).max(axis=1) > 8 * pairs.noise + 1e-3
        if off.any():
            return report.not_relative(rows[near[np.argmax(off)] + 1 :], rows[:0])
    return report.NO_LAW
