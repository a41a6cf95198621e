"""`diagnose_rope`: a function that rotates is tried on unit vectors, at near and far positions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float, check_count, check_d_model, shown
from posread.diagnosis.axes import ORIENTATIONS, AxisFit, read_axis, sequence, whole
from posread.diagnosis.entries import SINGLE, check_finite, number_type, numbers_of
from posread.diagnosis.phases import Index, tolerance
from posread.diagnosis.places import simple
from posread.diagnosis.plausible import of_frequencies, slowest_first
from posread.diagnosis.reading import (
    Axis,
    Diagnosis,
    Frequencies,
    Layout,
    Positions,
    Problem,
    Reading,
    number,
    spans,
)
from posread.diagnosis.rounding import rounding_of

#: Positions that narrow types are the first to miss, with their neighbors, and as far beyond.
FAR = tuple(sorted({2**k + shift for k in range(7, 18) for shift in (-1, 0, 1, 2)}))
#: An entry that moves by no more than this is not turned.
STILL = 1e-9

Rotate = Callable[[Float, Float], ArrayLike]


class RopeDiagnosis(Diagnosis):
    """What :func:`diagnose_rope` found; as :class:`Diagnosis`, but `first` is None: nothing comes first.

    In its problems, rows are positions and columns are entries of a head. `tried` is the last position at
    which the function was called.
    """

    @property
    def tried(self) -> int | None:
        """The last position at which the function was called."""
        positions = self.reading.axes[0].positions if self.reading else None
        if positions is None or not positions.step:
            return None
        return round((positions.last - positions.first) / positions.step)

    def _heading(self) -> list[str]:
        reading = self.reading
        if reading is None:
            lines = [f"No RoPE was recognized in {self.d_model} entries."]
            if self.nearest:
                lines.append(
                    "Nearest: " + "; ".join(f"{name}, off by {m:.2g}" for name, m in self.nearest) + "."
                )
            return lines
        names = reading.axes[0].frequencies
        layout: str = reading.layout
        if "entries-permuted" in self.kinds:
            layout += " in and " + ("halves out" if layout == "interleaved" else "interleaved out")
        parts = [f"RoPE, {self.d_model} entries", layout, _known(names, self.d_model)]
        if len(reading.columns) < self.d_model:
            parts.append(f"entries {spans(reading.columns)} turn, the rest stays")
        if len(reading.axes) > 1:
            known = [_known(axis.frequencies, self.d_model) for axis in reading.axes]
            named = f": {'; '.join(known)}" if len(set(known)) > 1 else ""
            parts.append(f"with {len(reading.axes)} sets of frequencies{named}")
        if reading.scale != 1:
            parts.append(f"what turns is multiplied by {reading.scale:.5g}")
        lines = [", ".join(parts) + "."]
        positions = reading.axes[0].positions
        if positions is not None and self.tried is not None and self.tried < 2**16:
            lines.append(
                f"It was tried up to position {self.tried:,}: beyond, it fails, or it was asked for less."
            )
        if reading.programs:
            lines.append(f"As in {', '.join(reading.programs)}.")
        return lines


def _known(names: Frequencies, d_model: int) -> str:
    if names.law in ("none", "one", "equal", "own", "unread"):
        return str(names)
    if names.base is None:
        return "base unknown"
    over = "" if names.over == d_model else f" over {number(names.over)}"
    text = f"base {number(names.base)}{over}"
    if names.base < 1:
        text = str(names)
    for base, over_too in names.readings[1:]:
        text += f" (or, the same, {number(base)} over {number(over_too)})"
    if names.blend == "interpolation":
        return f"{text}, position interpolation with factor {number(names.factor)}"
    if names.blend:
        by = f" with factor {number(names.factor)}" if names.factor else ""
        return f"{text}, {names.blend}{by}{names.detail}"
    return text + names.detail


def diagnose_rope(rotate: Rotate, d_model: int, n_positions: int = 64) -> RopeDiagnosis:
    """Try a function that rotates queries and keys: which RoPE it is, and whether it is one.

    Parameters
    ----------
    rotate : callable
        Takes vectors of shape (n, d_model) and their n positions, and returns the turned vectors.
    d_model : int
        Entries of a head: an even integer from 2 to 2**24.
    n_positions : int
        Positions 0 to n_positions - 1 are tried, at least 3, and some farther ones, up to 131,074: those at
        which narrow types begin to skip whole numbers. Far ones at which `rotate` raises, or returns what is
        not finite, are left out.

    Returns
    -------
    RopeDiagnosis
        A reading, or None, and a list of problems.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or `rotate` raises an error, or returns another shape or no real
        numbers.

    Examples
    --------
    >>> from posenc.rope import apply_rope
    >>> print(diagnose_rope(lambda x, p: apply_rope(x, p, 500_000, layout="halves"), 128))
    RoPE, 128 entries, halves, base 500,000.
    As in GPT-NeoX and Hugging Face (rotate_half).
    - No problem found.
    """
    if not callable(rotate):
        raise TypeError(f"rotate must be a function of vectors and positions, got {shown(rotate)}")
    d_model, n_positions = check_d_model(d_model), check_count(n_positions, "n_positions", least=3)
    near = np.arange(min(n_positions, 4096), dtype=float)
    matrices = {p: _matrix(rotate, d_model, p) for p in (0.0, 1.0, 2.0, 3.0 if n_positions > 3 else 2.0)}
    far = _reachable(rotate, d_model, n_positions)
    for p in far[-1:] + far[len(far) // 2 : len(far) // 2 + 1]:
        matrices[p] = _matrix(rotate, d_model, p)
    for p in _others_turn(rotate, d_model, near, list(matrices.values())):
        matrices[p] = _matrix(rotate, d_model, p)
    stack = np.array(list(matrices.values()))
    noise = max(number_type(stack).error / max(float(np.abs(stack).max()), 1e-300), 2.0**-53)
    slack = 4 * noise + 32 * SINGLE
    eye = np.eye(d_model)

    if _called(rotate, np.zeros((1, d_model)), np.ones(1)).any():
        return _none(
            d_model,
            Problem(
                "added",
                "A vector of zeros does not stay one, so it is not a rotation: something is added.",
                expected="a rotation",
                found="a sum",
                origin="A table of encodings may have been added in place of turning.",
            ),
        )
    if np.abs(stack - stack[0]).max() <= slack:
        together = _called(rotate, np.ones((4, d_model)), np.array([0.0, 3.0, 7.0, 12.0]))
        apart = [_called(rotate, np.ones((1, d_model)), np.array([p]))[0] for p in (0.0, 3.0, 7.0, 12.0)]
        rows = _called(rotate, np.ones((4, d_model)), np.zeros(4))
        if np.abs(together - np.array(apart)).max() > slack and np.abs(rows - rows[0]).max() <= slack:
            return _none(
                d_model,
                Problem(
                    "positions-confused",
                    "A vector is turned otherwise in company: alone, all positions give the same.",
                    origin="Positions are counted from the first one of each call.",
                    cure="Use the positions as they are given.",
                ),
            )
        if np.abs(stack[0] - eye).max() <= slack:
            return _none(
                d_model,
                Problem("nothing-turns", "No entry is turned.", expected="a rotation", found="the input"),
            )
        return _none(d_model, _ignored(rotate, d_model, stack[0], slack))
    alone = np.array([_called(rotate, eye[[j]], np.ones(1))[0] for j in (0, d_model - 1)])
    if np.abs(alone - matrices[1.0].T[[0, -1]]).max() > slack:
        return _none(
            d_model,
            Problem(
                "positions-confused",
                "A vector comes out otherwise when others of the same position come with it.",
                origin="Something is computed across the vectors of a call, such as a mean.",
            ),
        )
    order = _order(stack, d_model)
    torn = None if order is None else _taken_apart(order)
    if order is not None and torn is not None:  # then the rest is said of it with this put right
        found = diagnose_rope(lambda x, p: _called(rotate, x, p)[:, order], d_model, n_positions)
        if found.reading is not None and found.reading.layout == torn[0]:
            again = replace(found.reading, programs=torn[1] if found.sound else ())
            return RopeDiagnosis(d_model, again, [_permuted(order, torn), *found.problems])
    read = _pairs(stack, d_model) if order is None else _permuted(order, torn)
    if isinstance(read, Problem):
        lengths = [] if read.kind == "lengths-change" else _lengths(stack, slack)
        return _none(d_model, read, *lengths)
    layout, one, two = read
    places = np.concatenate([near, np.array([p for p in far if p >= len(near)])])
    ahead, across = _hands(rotate, d_model, one, two, places)
    problems: list[Problem] = []
    problems += _confused(matrices, places, ahead, one, two, slack)
    return _judged(d_model, layout, one, two, places, ahead, across, noise, problems)


def _called(rotate: Rotate, vectors: Float, positions: Float) -> Float:
    try:
        returned = rotate(vectors.copy(), positions.copy())
    except Exception as error:  # whatever a program raises
        raise ValueError(f"rotate(vectors, positions) raised {type(error).__name__}: {error}") from error
    turned = numbers_of(returned, "rotate(...)")
    if turned.dtype.kind == "c":
        raise TypeError(f"rotate(...) must be real numbers, got dtype {turned.dtype}")
    if turned.shape != vectors.shape:
        raise ValueError(f"rotate must return the shape {vectors.shape}, got {turned.shape}")
    lost = ~np.isfinite(turned).all(axis=1)
    if lost.any():
        at = int(np.argmax(lost))
        vector = "a vector of zeros" if not vectors[at].any() else "a vector"
        raise ValueError(
            f"rotate(...) must be finite, got {turned[at][~np.isfinite(turned[at])][0]} for {vector} at "
            f"position {number(float(positions[at]))}"
        )
    check_finite(turned, "rotate(...)")
    return turned.astype(np.float64)


def _matrix(rotate: Rotate, d_model: int, position: float) -> Float:
    """The matrix that turns a column at a position."""
    return _called(rotate, np.eye(d_model), np.full(d_model, position)).T


def _others_turn(rotate: Rotate, d_model: int, near: Float, matrices: list[Float]) -> list[float]:
    """Positions at which entries turn that the matrices leave as they are; a few of them."""
    rests = np.all([np.abs(matrix - np.eye(d_model)).max(axis=0) <= STILL for matrix in matrices], axis=0)
    if rests.all() or not rests.any():
        return []
    turned = np.abs(_called(rotate, np.ones((len(near), d_model)), near) - 1)[:, rests] > STILL
    first = near[np.argmax(turned, axis=0)][turned.any(axis=0)]
    return [float(p) for p in np.unique(first)[:4]]


def _reachable(rotate: Rotate, d_model: int, n_positions: int) -> list[float]:
    """Far positions at which the function can be called: a program may hold a table that ends."""
    reached: list[float] = []
    vectors = np.ones((1, d_model))
    for p in FAR:
        if p < n_positions:
            continue
        try:
            _called(rotate, vectors, np.array([float(p)]))
        except Exception:  # whatever a program raises beyond its table
            break
        reached.append(float(p))
    return reached


def _none(d_model: int, *problems: Problem) -> RopeDiagnosis:
    return RopeDiagnosis(d_model, None, list(problems))


def _ignored(rotate: Rotate, d_model: int, matrix: Float, slack: float) -> Problem:
    """A rotation that is the same at all positions."""
    rows = _called(rotate, np.ones((4, d_model)), np.zeros(4))
    if np.abs(rows - rows[0]).max() > slack:
        return Problem(
            "positions-ignored",
            "The positions are ignored: a vector is turned by its number in the batch instead.",
            expected="positions",
            found="row numbers",
            origin="RoPE runs along the wrong axis, such as that of the heads.",
            cure="Pass the positions of the tokens, and turn along the axis of the tokens.",
        )
    return Problem(
        "positions-ignored",
        "The positions are ignored: every position gives the same result.",
        expected="positions",
        found="one matrix",
        origin="The last axis may be taken for that of the positions, or they may be overwritten.",
    )


def _lengths(stack: Float, slack: float) -> list[Problem]:
    squares = (stack**2).sum(axis=1)  # of each column: its length squared
    if np.abs(squares - 1).max() > 4 * slack:
        return [
            Problem(
                "lengths-change",
                "Lengths change: it is not a rotation.",
                expected=1.0,
                found=(math.sqrt(float(squares.min())), math.sqrt(float(squares.max()))),
            )
        ]
    return []


def _step_origin(step: float) -> str:
    """What makes the first pair turn by so much."""
    known = {
        2.0: "it was applied twice",
        180 / math.pi: "degrees were taken for radians",
        2 * math.pi: "positions were multiplied by 2 pi",
    }
    return next(
        (f"As if {words}." for value, words in known.items() if abs(abs(step) / value - 1) < 1e-5), ""
    )


def _order(stack: Float, d_model: int) -> Index | None:
    """Where each entry goes at position 0, where nothing turns; None if each stays where it is."""
    first = stack[0] / max(float(stack[0].max()), 1e-300)  # YaRN multiplies, too
    ones = np.abs(first - 1) < 1e-3
    if (np.abs(first - np.eye(d_model)).max() < 1e-3) or not (
        (ones.sum(axis=0) == 1).all()
        and (ones.sum(axis=1) == 1).all()
        and (np.abs(first) < 1e-3).sum() == first.size - d_model
    ):
        return None
    order: Index = np.argmax(ones, axis=0)
    return None if (order == np.arange(d_model)).all() else order


def _taken_apart(order: Index) -> tuple[Layout, tuple[str, ...]] | None:
    """The layout in which pairs come in, if they go out in the other one; and programs that do so."""
    moved = np.flatnonzero(order != np.arange(len(order)))
    begin, end = (
        max(int(moved[0]) - 1, 0),
        min(int(moved[-1]) + 2, len(order)),
    )  # both ends stay where they are
    if (end - begin) % 2:
        return None
    neighbors = np.arange(begin, end).reshape(-1, 2).T.ravel()  # those of one half, then those of the other
    if (order[neighbors] == np.arange(begin, end)).all():
        return "interleaved", ("DeepSeek-V3 in Hugging Face (apply_rotary_pos_emb_interleave)",)
    return ("halves", ()) if (order[begin:end] == neighbors).all() else None


def _permuted(order: Index, apart: tuple[Layout, tuple[str, ...]] | None) -> Problem:
    moved = np.flatnonzero(order != np.arange(len(order)))
    origin = ""
    if apart:
        ways = ("neighbors", "halves") if apart[0] == "interleaved" else ("halves", "neighbors")
        origin = f"Pairs come in as {ways[0]} and go out as {ways[1]}."
    return Problem(
        "entries-permuted",
        "The result has the entries in another order: at position 0, where nothing turns, entry "
        f"{int(moved[0])} comes out as entry {int(order[moved[0]])}.",
        columns=tuple(moved.tolist()),
        expected=tuple(range(len(order))),
        found=tuple(order.tolist()),
        origin=origin,
        cure="Scores stay the same if queries and keys agree; else put entries together as they were taken "
        "apart.",
    )


def _pairs(stack: Float, d_model: int) -> tuple[Layout, Index, Index] | Problem:
    """Which two entries turn together."""
    moved = np.abs(stack - np.eye(d_model)).max(axis=0)  # [to, from]
    mixes = np.abs(stack * (1 - np.eye(d_model))).max(axis=0) > STILL
    mixes |= mixes.T
    partners = mixes.sum(axis=1)
    turning = np.flatnonzero((moved > STILL).any(axis=0))
    if (partners > 1).any():
        which = np.flatnonzero(partners > 1)
        return Problem(
            "pairs-mixed",
            "Entries are mixed that form no pairs: "
            f"entry {which[0]} is mixed with {int(partners[which[0]])} others.",
            columns=tuple(which.tolist()),
            expected=1,
            found=int(partners.max()),
        )
    alone = turning[partners[turning] == 0]
    if alone.size:
        return Problem(
            "lengths-change",
            f"Entries {spans(alone.tolist())} change without a partner, so it is not a rotation.",
            columns=tuple(alone.tolist()),
        )
    one = np.array([i for i in turning if i < int(np.argmax(mixes[i]))], dtype=np.intp)
    two = np.array([int(np.argmax(mixes[i])) for i in one], dtype=np.intp)
    apart = two - one
    if (apart == 1).all():
        return "interleaved", one, two
    if (apart == apart[0]).all():
        return "halves", one, two
    return Problem(
        "pairs-mixed",
        "Entries turn in pairs, but in neither layout: the pairs are "
        + ", ".join(f"({a}, {b})" for a, b in list(zip(one.tolist(), two.tolist(), strict=True))[:4])
        + " ...",
        columns=tuple(turning.tolist()),
        found=tuple(zip(one.tolist(), two.tolist(), strict=True)),
    )


def _hands(
    rotate: Rotate, d_model: int, one: Index, two: Index, places: Float
) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """Where the first and the second entry of each pair go, as complex numbers: (positions, pairs)."""
    vector = np.zeros((len(places), d_model))
    vector[:, one] = 1
    ahead = _called(rotate, vector, places)
    vector = np.zeros((len(places), d_model))
    vector[:, two] = 1
    across = _called(rotate, vector, places)
    return ahead[:, one] + 1j * ahead[:, two], across[:, two] - 1j * across[:, one]


def _confused(
    matrices: dict[float, Float],
    places: Float,
    hands: NDArray[np.complex128],
    one: Index,
    two: Index,
    slack: float,
) -> list[Problem]:
    """Whether a vector is turned otherwise when other positions come with it."""
    for place, matrix in matrices.items():
        at = np.flatnonzero(places == place)
        if not at.size:
            continue
        alone = matrix[one, one] + 1j * matrix[two, one]
        if np.abs(hands[at[0]] - alone).max() > slack:
            return [
                Problem(
                    "positions-confused",
                    f"A vector at position {number(place)} is turned otherwise when others come with it.",
                    rows=(int(place),),
                    origin="Row numbers, the length of the batch or its largest position, as by dynamic NTK, "
                    "are used, too.",
                )
            ]
    return []


def _judged(
    d_model: int,
    layout: Layout,
    one: Index,
    two: Index,
    places: Float,
    ahead: NDArray[np.complex128],
    across: NDArray[np.complex128],
    noise: float,
    problems: list[Problem],
) -> RopeDiagnosis:
    rows = places.astype(np.intp)
    slack = tolerance(places, np.ones(1), noise)[:, np.newaxis]
    columns = tuple(np.sort(np.concatenate([one, two])).tolist())
    lengths = np.abs(ahead)
    scale = float(np.median(lengths))
    torn = np.abs(ahead - across) > 4 * slack * max(scale, 1e-9)
    early = rows < 300
    if torn[early].any():
        pairs = np.flatnonzero(torn[early].any(axis=0))
        if np.abs(lengths - scale).max() > 4 * slack.max() * scale:
            problems.append(
                Problem(
                    "lengths-change",
                    "Lengths change: it is not a rotation.",
                    expected=1.0,
                    found=_range(lengths),
                )
            )
        allowed = 4 * float(slack.max()) * scale
        problems.append(_torn(rows[early], ahead[early], across[early], one[pairs], two[pairs], allowed))
        reading = Reading(layout, None, (Axis(Frequencies("unread", ())),), columns)
        return RopeDiagnosis(d_model, reading, problems)
    if np.abs(lengths / max(scale, 1e-300) - 1).max() > 4 * float(slack.max()):
        problems.append(
            Problem(
                "lengths-change",
                "Lengths change: it is not a rotation.",
                expected=1.0,
                found=_range(lengths),
                origin="xPos does that: as queries grow with the position keys shrink, or the reverse."
                if _grows(lengths)
                else "",
            )
        )
    hands = ahead / np.maximum(lengths, 1e-300)
    widths: list[float] = [2 * len(one), d_model, 2 * len(one) - 2]
    axes, groups = _axes(hands, rows, noise, widths)
    if not axes:
        return RopeDiagnosis(
            d_model,
            Reading(layout, None, (Axis(Frequencies("unread", ())),), columns),
            [*problems, _unlike(hands, rows, noise)],
        )
    axis = axes[0]
    names = axis.frequencies
    if axis.flip < 0:
        problems.append(
            Problem(
                "sign",
                "It turns backwards, which matters only if queries and keys do not agree.",
                expected=1,
                found=-1,
                cure="Change the sign of the sine in both, or leave it in both.",
            )
        )
    names, positions, more = _places(axis, hands[:, groups[0]], rows, noise)
    if len(axes) > 1 and (problem := _own_coordinates(axes, rows, noise)) is not None:
        more = [problem]
    first = positions.step or 1.0
    problems += of_frequencies(names, False, first)
    problems += [p for p in more if p.kind != "step" or not slowest_first(names, first)]
    uneven = any(p.kind == "lengths-change" for p in problems)  # then there is no one factor
    scale = 1.0 if uneven or abs(scale - 1) <= max(2 * noise, 1e-6) else scale
    if scale != 1 and not _meant(scale, names):
        problems.append(
            Problem(
                "scaled",
                f"What turns is also multiplied by {scale:.5g}, and scores by its square.",
                expected=1.0,
                found=scale,
            )
        )
    found = tuple(
        Axis(names if i == 0 else other.frequencies, positions if i == 0 else None)
        for i, other in enumerate(axes)
    )
    type_name = number_type(np.stack([ahead.real, ahead.imag])).name
    if layout == "halves" and (4 * (two - one) == len(columns)).all():
        layout = "quarters"
    reading = Reading(layout, None, found, columns, (axis.flip, 1), scale, 0.0, type_name)
    odd = {"lengths-change", "positions-confused", "not-relative", "step"}
    if len(axes) == 1 and not odd & {p.kind for p in problems}:
        reading = replace(reading, programs=_programs(layout, one, two, d_model, names))
    return RopeDiagnosis(d_model, reading, problems)


def _torn(
    rows: Index,
    ahead: NDArray[np.complex128],
    across: NDArray[np.complex128],
    one: Index,
    two: Index,
    allowed: float,
) -> Problem:
    """Pairs whose second entry does not turn as the first does: mirrored, with a sign lost, or mixed."""
    columns = tuple(np.sort(np.concatenate([one, two])).tolist())
    if np.abs(ahead + across).max() <= allowed:  # (c, s) and (s, -c)
        return Problem(
            "pairs-torn",
            "Pairs are mirrored and not turned: in each, the sign of the second entry is wrong.",
            columns=columns,
            expected="cos, -sin; sin, cos",
            found="cos, sin; sin, -cos",
            cure="Use x cos - y sin and x sin + y cos; scores are relative all the same if queries and keys "
            "agree.",
        )
    if np.abs(ahead - across.conj()).max() <= allowed:  # (c, s) and (s, c)
        return Problem(
            "pairs-torn",
            "Sines have the same sign in both entries of a pair, so it is not a rotation.",
            columns=columns,
            expected="cos, -sin; sin, cos",
            found="cos, sin; sin, cos",
            origin="A minus is missing, as where rotate_half is to negate one half.",
            cure="Use x cos - y sin and x sin + y cos.",
        )
    if (rows == 0).any():
        at = int(np.argmax(rows == 0))
        first, second = ahead[at].real, across[at].real  # the factors of the two entries, if there are any
        apart = np.abs(first - second) > allowed
        usable = bool(apart.any() and (np.abs(first) > allowed).all() and (np.abs(second) > allowed).all())
        if usable and any(
            np.abs(one - two).max() <= 2 * allowed
            for one, two in (
                (ahead * second, across * first),  # multiplied before they turn
                (
                    ahead.real * second + 1j * ahead.imag * first,
                    across.real * first + 1j * across.imag * second,
                ),
            )
        ):
            return Problem(
                "pairs-torn",
                "The two entries of a pair are multiplied by different numbers, beside the rotation.",
                columns=columns,
                expected=1.0,
                found=tuple(np.stack([first, second], axis=1).ravel()[:1000].tolist()),
                origin="The learned weights of a norm do that.",
                cure="Try the rotation alone.",
            )
    for c, s, found, told in (
        (ahead.real, across.imag, (ahead.imag, across.real), "first"),
        (across.real, ahead.imag, (across.imag, ahead.real), "second"),
    ):
        other = "second" if told == "first" else "first"
        if max(
            np.abs(c**2 + s**2 - 1).max(), np.abs(found[0] - c * s).max(), np.abs(found[1] - c + s * s).max()
        ) <= max(allowed, 1e-12):
            return Problem(
                "pairs-torn",
                f"The {other} entry of each pair is computed from the new value of the {told}, not from the "
                "old.",
                columns=columns,
                expected="x cos - y sin; x sin + y cos",
                found="the same, with one of x and y overwritten in between",
                origin=f"The {told} was overwritten before the {other} was computed, as where a view of the "
                "vector is written to.",
                cure="Compute both from the vector as it came: copy it, or write into another.",
            )
    # Mixed layouts take cosines and sines from the angle of the entry that is written.
    one_angle, two_angle = ahead.real + 1j * across.imag, across.real + 1j * ahead.imag
    if max(np.abs(np.abs(hands) - 1).max() for hands in (one_angle, two_angle)) > allowed:
        return Problem(
            "pairs-torn",
            "What becomes of the first entry of a pair and what becomes of the second are not one rotation.",
            columns=columns,
        )
    mixed = False
    if ahead.shape[1] % 2 == 0:
        half = ahead.shape[1] // 2
        pairs = (
            (slice(half), slice(half, None))
            if one.size and two[0] - one[0] == 1
            else (slice(0, None, 2), slice(1, None, 2))
        )
        mixed = all(
            np.abs(hands[:, pairs[0]] - hands[:, pairs[1]]).max() <= allowed
            for hands in (one_angle, two_angle)
        )
    if mixed:
        return Problem(
            "pairs-torn",
            "The two entries of a pair turn by different angles, as if two layouts were mixed.",
            columns=columns,
            origin="Angles were repeated for one layout, and entries swapped for the other.",
            cure="Repeat the angles as the entries are paired: tile for halves, repeat for neighbors.",
        )
    return Problem("pairs-torn", "The two entries of a pair turn by different angles.", columns=columns)


def _range(lengths: Float) -> tuple[float, float]:
    return float(lengths.min()), float(lengths.max())


def _grows(lengths: Float) -> bool:
    ordered = np.diff(np.log(np.maximum(lengths[:48], 1e-300)), axis=0)
    return bool((ordered >= 0).all() or (ordered <= 0).all())


def _meant(scale: float, names: Frequencies) -> bool:
    """Whether a method for longer contexts multiplies by this."""
    if names.blend == "YaRN" and names.factor:
        return abs(scale / (0.1 * math.log(names.factor) + 1) - 1) < 1e-3
    return names.blend == "LongRoPE" and 1 < scale < 1.5


def _axes(
    hands: NDArray[np.complex128], rows: Index, noise: float, widths: list[float]
) -> tuple[list[AxisFit], list[Index]]:
    """All pairs as one set of frequencies, or in two or three sets that follow one another."""
    pairs = hands.shape[1]
    best: tuple[float, list[AxisFit], list[Index]] | None = None
    for count in (1, 2, 3):
        if pairs % count or pairs // count < 1 or (count > 1 and pairs // count < 3):
            continue
        groups = list(np.split(np.arange(pairs), count))
        axes = []
        for group in groups:
            own = [2 * len(group), *widths] if count > 1 else widths
            axis = read_axis(
                hands[:, group],
                rows,
                noise,
                own,
                both=count == 1 and 2 * len(group) < widths[1],
                quarters=(0,),
            )
            if axis is None or axis.quarter % 4 or ORIENTATIONS[axis.quarter, axis.flip][0] != "sin":
                break
            axes.append(axis)
        if len(axes) < count:
            continue
        score = (
            1 - min(axis.good for axis in axes) + 0.3 * (count - 1) + 0.5 * (axes[0].frequencies.law == "own")
        )
        if best is None or score < best[0]:
            best = score, axes, groups
        if score < 0.05:
            break
    return (best[1], best[2]) if best else ([], [])


def _unlike(hands: NDArray[np.complex128], rows: Index, noise: float) -> Problem:
    """A rotation whose angles are no products of a position and a frequency."""
    steps = hands[1:] * hands[:-1].conj()
    near = np.flatnonzero(np.diff(rows) == 1)
    if near.size:
        off = np.abs(steps[near] - steps[near[0]]).max(axis=1) > 8 * noise + 1e-3
        if off.any():
            first = int(rows[near[np.argmax(off)]])
            return Problem(
                "not-relative",
                f"Scores depend on more than the distance, from positions {first} on.",
                rows=(first,),
                origin="The angle is no multiple of the position.",
            )
    return Problem("unread", "The angles follow no law that is tried.")


def _places(
    axis: AxisFit, hands: NDArray[np.complex128], rows: Index, noise: float
) -> tuple[Frequencies, Positions, list[Problem]]:
    """With which positions the function turns, held against those that it was given."""
    names = axis.frequencies
    problems: list[Problem] = []
    top = float(np.abs(axis.omega).max()) or 1.0
    near = rows < 200
    line = sequence(rows[near], axis.places[near], axis.miss[near] < 0.1, noise, top)
    if line.step is None:
        problems.append(
            Problem(
                "not-relative",
                "Scores depend on more than the distance: positions are uneven.",
                found=tuple(float(p) for p in axis.places[:100]),
            )
        )
        return names, Positions(float(axis.places[0]), float(axis.places[-1]), None), problems
    start, step = whole(line.start, 16 * noise / top + 1e-5), line.step

    def explained(trial: float) -> int:
        """How many of all positions, of which the far ones tell most, this step explains."""
        line = np.asarray(start + trial * rows, dtype=np.float64)
        miss = np.abs(hands - axis.hands(line)).max(axis=1)
        return int((miss <= tolerance(line, axis.omega, noise)).sum())

    trials = [float(round(step)), 1 / round(1 / step) if abs(step) < 1 else step, simple(step), step]
    allowed_step = 1e-5 + 8 * noise / max(int(near.sum()), 1)
    trials = [trial for trial in trials if trial and abs(trial - step) < allowed_step]
    step = max(trials, key=explained)  # the first of those that explain as many
    told = np.asarray(start + step * rows, dtype=np.float64)
    precise = 8 * noise / top + 32 * SINGLE * (1 + np.abs(told)) + 1e-9
    allowed = tolerance(told, axis.omega, noise)
    expected = axis.hands(told)
    good = np.abs(hands - expected).max(axis=1) <= allowed
    on = np.abs(axis.places[near] - told[near]) <= 3 * precise[near]
    if names.law != "own" and on.mean() < 0.7 and (axis.miss[near] <= 3 * axis.allowed[near]).mean() > 0.7:
        other = np.flatnonzero(near & (np.abs(axis.places - rows) > 0.01))[:3]
        shown = "; ".join(f"{rows[i]} as {number(round(float(axis.places[i]), 3))}" for i in other)
        problems.append(
            Problem(
                "not-relative",
                f"Scores depend on more than the distance: positions are turned like others, {shown}.",
                rows=tuple(rows[:100].tolist()),
                expected=tuple(rows[:100].tolist()),
                found=tuple(axis.places[:100].tolist()),
                origin="The angle is no multiple of the position.",
            )
        )
        return names, Positions(float(axis.places[0]), float(axis.places[-1]), None), problems
    inexact = not axis.exact and names.law in ("geometric", "own")
    if not good.all() or inexact:
        half = rounding_of(axis, hands, rows, told, noise, names)
        if half is None and inexact and names.law == "geometric":
            names = replace(names, law="own", base=None, over=None, readings=())
        if half is None and good.all():
            pass
        elif half is not None:
            problem, names, _ = half
            start = 0.0 if axis.good < 0.9 else start
            step = 1.0 if axis.good < 0.9 else step
            first = problem.rows[0]
            text = problem.text.replace("row", "position")
            if problem.kind != "rounded-frequencies":
                text += " So scores depend on more than the distance."
            problems.append(replace(problem, text=text, rows=(first, int(rows[-1]))))
        else:
            away = ~good
            first = int(rows[np.argmax(away)])
            moved = (
                away
                & (axis.places > -1)
                & (axis.places < 1.01 * rows.max())
                & (axis.miss <= axis.allowed)
                & (np.abs(axis.places - told) > 3 * precise)
            )
            if axis.good < 0.5 or abs(start) > 1000:
                problems.append(
                    Problem(
                        "not-relative",
                        f"Scores depend on more than the distance, from position {first} on: angles stray.",
                        rows=tuple(rows[away].tolist()),
                        found=float(axis.miss.max()),
                    )
                )
                return names, Positions(0.0, float(rows[-1]), None), problems
            if moved.sum() >= 0.5 * away.sum():
                shown = "; ".join(
                    f"{r} as {number(round(float(p), 3))}"
                    for r, p in list(zip(rows[moved], axis.places[moved], strict=True))[:3]
                )
                problems.append(
                    Problem(
                        "rows-out-of-place",
                        f"Some positions are turned like others: {shown}.",
                        rows=tuple(rows[moved].tolist()),
                        expected=tuple(told[moved].tolist()),
                        found=tuple(axis.places[moved].tolist()),
                        origin="The index may be clipped or wrap at a table's end, or positions be rounded "
                        "or grouped.",
                    )
                )
            else:
                problems.append(
                    Problem(
                        "not-relative",
                        f"Scores depend on more than the distance, from position {first} on: angles stray.",
                        rows=tuple(rows[away].tolist()),
                        found=float(axis.miss[away].max()),
                    )
                )
    if (
        step != 1
        and names.law in ("geometric", "own")
        and not (problems and problems[-1].kind == "rounded-angles")
    ):
        factor = 1 / step
        if (
            factor > 1
            and abs(factor - round(factor, 3)) < 1e-6 * factor
            and names.law == "geometric"
            and not names.rising
        ):
            names = replace(names, law="blend", blend="interpolation", factor=round(factor, 3))
        else:
            problems.append(
                Problem(
                    "step",
                    f"The first pair turns by {number(step)} radians from position to position, not by 1.",
                    expected=1.0,
                    found=step,
                    origin=_step_origin(step),
                )
            )
    if start and names.law != "equal":
        problems.append(
            Problem(
                "start",
                f"Position 0 is turned like position {number(start)}, and all others are as far off.",
                rows=(0,),
                expected=0.0,
                found=start,
                origin="It does no harm as long as queries and keys agree.",
            )
        )
    return names, Positions(float(start), float(start + step * rows[-1]), float(step)), problems


def _own_coordinates(axes: list[AxisFit], rows: Index, noise: float) -> Problem | None:
    """Sets of pairs each of which turns by a coordinate of its own, that the position is divided into."""
    told = [_coordinate(rows, axis.places, 16 * noise + 1e-3) for axis in axes]
    if all(form == "p" for form in told):
        return None
    if None in told:
        near = rows < 200
        uneven = [i + 1 for i, axis in enumerate(axes) if _uneven(rows[near], axis.places[near])]
        if not uneven:
            return None
        return Problem(
            "not-relative",
            "Scores depend on more than the distance: the coordinate by which set "
            f"{' and '.join(map(str, uneven))} of the pairs turns is no multiple of the position.",
        )
    forms = [str(form) for form in told]
    image = len(forms) == 2 and {form.replace("p // ", "p % ") for form in forms} in (
        {forms[0]}, {forms[1]},
    )  # fmt: skip
    return Problem(
        "not-relative",
        f"Sets of pairs turn by their own coordinates, {', '.join(forms[:-1])} and {forms[-1]} at position "
        "p, so scores depend on more than the distance.",
        found=tuple(forms),
        origin="That is meant for an image whose tokens are numbered row by row." if image else "",
    )


def _coordinate(rows: Index, places: Float, allowed: float) -> str | None:
    """The form p // a % m of whole coordinates, or None."""
    there = np.rint(places).astype(np.intp)
    if np.abs(places - there).max() > allowed or not (there == 1).any():
        return None
    at = int(np.argmax(there == 1))
    forms = []
    for a in range(int(rows[at - 1]) + 1 if at else 1, int(rows[at]) + 1):
        m = int(there.max()) + 1 if (there[rows > a] == 0).any() else 0
        if (there == (rows // a % m if m else rows // a)).all():
            forms.append("p" + (f" // {a}" if a > 1 else "") + (f" % {m}" if m else ""))
    return forms[0] if len(forms) == 1 else None


def _uneven(rows: Index, places: Float) -> bool:
    """Whether positions are far from a line."""
    step = (places[-1] - places[0]) / (rows[-1] - rows[0])
    return bool(np.abs(places - places[0] - step * (rows - rows[0])).max() > 0.25)


def _programs(layout: Layout, one: Index, two: Index, d_model: int, names: Frequencies) -> tuple[str, ...]:
    """Programs that turn these entries in this layout."""
    if names.law not in ("geometric", "blend") or names.base is None or names.base < 1:
        return ()
    turned = 2 * len(one)
    begin, contiguous = int(min(one.min(), two.min())), turned == int(two.max()) - int(one.min()) + 1
    if turned == d_model:
        if layout == "halves":
            return ("GPT-NeoX and Hugging Face (rotate_half)",)
        return ("RoFormer, and Llama's own program",)
    if layout == "halves" and not contiguous and int(two[0] - one[0]) == d_model // 2 and begin == 0:
        return ("Gemma 4 (rope type proportional)",) if names.over == d_model else ()
    if names.over == d_model:
        return ()
    if contiguous and begin == 0:
        return ("GPT-NeoX and Phi with partial rotation",) if layout == "halves" else ("GPT-J",)
    if contiguous and begin + turned == d_model:
        return ("DeepSeek, whose last entries turn",)
    return ()
