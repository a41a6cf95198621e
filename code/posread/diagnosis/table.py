"""`diagnose`: a table is read first (`pairing`), then its rows get their places, and it is judged."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence as SequenceOf
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float
from posread.diagnosis import waves
from posread.diagnosis.axes import ORIENTATIONS, sequence
from posread.diagnosis.entries import check_finite, numbers_of
from posread.diagnosis.layouts import candidates, fit
from posread.diagnosis.pairing import Read, explained, fastest, read_pairs, rescaled
from posread.diagnosis.phases import Index
from posread.diagnosis.places import along_a_line, completed, on_a_grid
from posread.diagnosis.plausible import of_frequencies, stepped
from posread.diagnosis.programs import programs
from posread.diagnosis.reading import (
    Axis,
    Diagnosis,
    Problem,
    Reading,
    spans,
)
from posread.diagnosis.verdicts import (
    empty_rows,
    equal_rows,
    extra_columns,
    few,
    how_often,
    named_rows,
    repeat_origin,
    scale_origin,
)

#: Tables with no more rows are read whole; of longer ones about so many are read, and the rest compared.
MANY = 2048


def diagnose(table: ArrayLike) -> Diagnosis:
    """Read a table of positional encodings: how it was made, and what is wrong with it.

    Parameters
    ----------
    table : array_like of real numbers, shape (rows, columns)
        At least three rows, one for each position, and two columns. Axes of length 1 are dropped. Complex
        numbers, such as `freqs_cis`, count as cosine and sine; one line of numbers as frequencies.

    Returns
    -------
    Diagnosis
        A reading, or None and the two that came nearest, and a list of problems.

    Raises
    ------
    TypeError
        If the table does not hold real or complex numbers, or has a mask.
    ValueError
        If it does not have the shape above, or holds something that is not finite, or above 1e100.

    Notes
    -----
    A base and a number of dimensions enter the frequencies only together: base 10,000 over d is base
    10,000^((d-2)/d) over d - 2. The rounder reading comes first, and others that are as round beside it.

    The slowest pair cannot count its turns: of 64 turns to both sides one is taken that all pairs agree on.
    A table with one or two pairs tells little, and the simplest reading is reported.

    Examples
    --------
    >>> from posenc import positional_encoding
    >>> print(diagnose(positional_encoding(range(50), 64)))
    Sinusoidal encoding, 64 columns, interleaved, sin first,
    frequencies 10,000^(-2i/64), row 0 holds position 0.
    The convention of the paper's formula, Annotated Transformer, PyTorch's tutorial.
    - No problem found.
    >>> found = diagnose(0.5 * positional_encoding(range(50), 64))
    >>> found.sound, found.kinds, found.reading.scale
    (False, ('scaled',), 0.5)
    """
    array = numbers_of(table, "table")
    shape = array.shape
    if not shape:
        raise ValueError(f"table must have the shape (rows >= 3, columns >= 2), got the number {array}")
    while array.ndim > 2 and 1 in array.shape:
        array = array.squeeze(array.shape.index(1))
    if array.ndim == 3 and array.shape[-1] == 2:  # view_as_real of complex numbers
        array = array.reshape(len(array), -1)
    if array.ndim == 2 and 1 in array.shape:
        array = array.ravel()
    check_finite(array, "table")
    if array.ndim == 1 and array.dtype.kind != "c":
        line = waves.lone_frequencies(array.astype(float))
        if line is not None:
            return line
    if array.dtype.kind == "c" and array.ndim == 2:
        array = np.stack([array.real, array.imag], axis=-1).reshape(len(array), -1)
    if array.ndim != 2 or array.shape[0] < 3 or array.shape[1] < 2:
        raise ValueError(f"table must have the shape (rows >= 3, columns >= 2), got {shape}")
    found = _diagnosed(array)
    if found.reading is None and not {"equal-rows", "clipped"} & set(found.kinds) and array.shape[1] >= 3:
        turned = _diagnosed(array.T) if array.shape[0] >= 2 else found
        if turned.reading is not None and "noise" not in turned.kinds:
            problem = Problem(
                "transposed",
                "The table is transposed: positions run along its columns, and pairs along its rows.",
                origin="What follows is said of the transposed table.",
                cure="Pass table.T.",
            )
            return replace(turned, problems=[problem, *turned.problems])
    return found


def _diagnosed(array: NDArray[Any]) -> Diagnosis:
    n, n_columns = array.shape
    rows = _sampled(n)
    sample = array[rows].astype(np.float64)
    alive: NDArray[np.bool_] = np.asarray(sample.any(axis=1))
    problems: list[Problem] = []

    # columns of zeros at the end, or in front
    used = np.flatnonzero(sample.any(axis=0))
    if not used.size:
        return Diagnosis(
            n_columns,
            None,
            [Problem("equal-rows", "Every entry is 0.", cure="Fill the table before it is used.")],
        )
    if (sample[alive] == sample[alive][0]).all() and _all_equal(array, sample[alive][0]):
        return Diagnosis(n_columns, None, [equal_rows(sample[alive][0], n)])
    width = int(used[-1]) + 1
    if width % 2 and width < n_columns:  # a sine that is zero throughout belongs to its cosine
        width += 1
    lead = int(used[0]) if used[0] >= 2 else 0
    lead -= lead % 2
    repeats = _repeats(sample, alive)
    kept = np.flatnonzero(alive & ~repeats)
    read = explained(sample[kept], rows[kept]) if width < n_columns or lead else None
    if (
        read is not None and not read.fit.columns.lone and not read.fit.columns.extra
    ):  # sines that are too small for their type
        lead, width = 0, n_columns
    else:
        read = read_pairs(sample[kept][:, lead:width], rows[kept])
        if read is None and lead:
            lead, read = 0, read_pairs(sample[kept][:, :width], rows[kept])
    if width < n_columns or lead:
        gone = tuple([*range(lead), *range(width, n_columns)])
        be = "Column {} is" if len(gone) == 1 else "Columns {} are"
        problems.append(
            Problem(
                "zero-columns",
                f"{be.format(spans(gone))} zero.",
                columns=gone,
                expected=width - lead,
                found=n_columns,
                origin="An odd or rounded width was filled up, or a part was never filled in.",
            )
        )
    if read is None:
        return _unread(array, sample, rows, kept, width, problems)
    read = rescaled(read, sample[kept][:, lead:width])
    return _judged(array, sample, rows, alive, repeats, read, lead, problems)


def _sampled(n: int) -> Index:
    """The rows that are read: all of them, or the first ones, the last ones and a few between, two by two."""
    if n <= MANY:
        return np.arange(n)
    far = np.linspace(0, n - 2, 16).astype(int)
    powers = np.array([2**k + shift for k in range(8, 40) for shift in (-1, 0, 1, 2)])
    chosen = np.concatenate([np.arange(272), far, far + 1, powers, np.arange(n - 8, n)])
    return np.unique(chosen[(chosen >= 0) & (chosen < n)])


def _all_equal(array: NDArray[Any], row: Float) -> bool:
    """Whether all rows that are not zero are the same."""
    for start in range(0, len(array), 4096):
        block = array[start : start + 4096]
        same = (block == row).all(axis=1) | ~block.any(axis=1)
        if not same.all():
            return False
    return True


def _repeats(sample: Float, alive: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows that an earlier row equals."""
    seen: dict[bytes, int] = {}
    result = np.zeros(len(sample), bool)
    for i in np.flatnonzero(alive).tolist():
        key = hashlib.blake2b((sample[i] + 0.0).tobytes(), digest_size=16).digest()
        result[i] = seen.setdefault(key, i) != i
    return result


def _judged(
    array: NDArray[Any],
    sample: Float,
    rows: Index,
    alive: NDArray[np.bool_],
    repeats: NDArray[np.bool_],
    read: Read,
    lead: int,
    problems: list[Problem],
) -> Diagnosis:
    """The diagnosis of a table that was read."""
    n, n_columns = array.shape
    layout = read.fit.columns
    noise = max(read.numbers.error / read.fit.scale, 2.0**-53)
    kept = np.flatnonzero(alive & ~repeats)
    lines = [
        sequence(rows[kept], axis.places, axis.miss <= np.maximum(axis.allowed, 0.02), noise, fastest(axis))
        for axis in read.axes
    ]
    axis, line = read.axes[0], lines[0]
    turning = np.concatenate(
        [group[axis.turning] for group, axis in zip(read.groups, read.axes, strict=True)]
    )
    columns = np.sort(np.concatenate([layout.one[turning], layout.two[turning]])) + lead
    _, sine, cosine = ORIENTATIONS[axis.quarter, axis.flip]

    if read.shift:
        low, high = float(sample[alive].min()), float(sample[alive].max())
        problems.append(
            Problem(
                "shifted",
                f"The entries lie between {low:.4g} and {high:.4g}: they were moved and scaled.",
                expected=(-1.0, 1.0),
                found=(low, high),
                cure=f"Subtract {read.shift:.4g}, and divide by {read.fit.scale:.4g}.",
            )
        )
    if layout.lone:
        at = layout.lone[0] + lead
        problems.append(
            Problem(
                "lone-column",
                f"The number of columns is odd, so column {at} has no partner.",
                columns=(at,),
                expected=n_columns + 1,
                found=n_columns,
                cure="Use an even d_model.",
            )
        )
    coordinates = 0.0
    if layout.extra:
        coordinates = _coordinates(sample[kept], read, lead)
        if not coordinates:
            problems.append(extra_columns(layout, lead))
    if read.fit.limit is not None:
        limit = read.fit.limit
        problems.append(
            Problem(
                "clipped",
                f"The entries are clipped at {limit:.4g}.",
                expected=round(read.fit.scale, 4),
                found=limit,
            )
        )
    scale = read.fit.scale
    if abs(scale - 1) > 2e-3 + 2 * noise and not read.shift:
        known = scale_origin(scale, n_columns)
        problems.append(
            Problem(
                "scaled",
                f"The entries are scaled: sin^2 + cos^2 is {scale:.4g}^2 and not 1.",
                expected=1.0,
                found=scale,
                origin=known,
                cure="Divide by it, unless the program means it.",
            )
        )
    else:
        scale = 1.0 if not read.shift else scale
    if (sine, cosine) != (1, 1):
        what = {(-1, 1): "sine is", (1, -1): "cosine is", (-1, -1): "sine and the cosine are"}[sine, cosine]
        problems.append(
            Problem(
                "sign",
                f"The {what} negated.",
                expected=(1, 1),
                found=(sine, cosine),
                origin="With a negated sine, it is as if positions were counted downwards from 0."
                if (sine, cosine) == (-1, 1)
                else "",
                cure="Change the sign.",
            )
        )
    grid = None
    repeated_rows = rows[repeats]
    zero_rows = rows[~alive]
    if len(read.axes) > 1:
        seen = rows[kept]
        if len(rows) < n:
            read, seen, zero_rows = completed(array, read, lead, noise)
        axes, grid, more = on_a_grid(read, seen, kept, noise)
        problems += more
        problems += of_frequencies(axis.frequencies, True)
    else:
        positions, more, zero_more, repeat_more, names, explained = along_a_line(
            array, sample, rows, kept, read, line, lead, noise, repeated_rows
        )
        zero_rows, repeated_rows = np.union1d(zero_rows, zero_more), np.union1d(repeated_rows, repeat_more)
        if explained:
            repeated_rows = repeated_rows[:0]
        axes = (Axis(names, positions),)
        first_one = positions.step or 1.0
        problems += of_frequencies(names, n_columns >= 2, first_one)
        problems += [p for p in more if p.kind != "step" or not stepped(names, first_one)]
    problems += empty_rows(zero_rows)
    if repeated_rows.size and len(read.axes) == 1:
        problems.append(
            Problem(
                "rows-repeated",
                f"{named_rows(repeated_rows)} repeat{'s' * (repeated_rows.size == 1)} earlier rows"
                + how_often(repeated_rows, n),
                rows=few(repeated_rows),
                origin=repeat_origin(repeated_rows, n),
                cure="Make the table again, long enough, with a position for each row."
                if positions.step == 1
                else "For time steps that may be meant.",
            )
        )
    if coordinates:
        known = " of pi times the coordinates in front" if coordinates > 2 else " of the coordinates in front"
        axes = tuple(replace(a, frequencies=replace(a.frequencies, detail=known)) for a in axes)
    reading = Reading(
        layout.layout,
        ORIENTATIONS[axis.quarter, axis.flip][0],
        axes,
        tuple(columns.tolist()),
        (sine, cosine),
        scale,
        read.shift,
        read.numbers.name,
        grid,
    )
    reading = replace(reading, programs=programs(reading, n_columns))
    return Diagnosis(n_columns, reading, problems)


def _coordinates(sample: Float, read: Read, lead: int) -> float:
    """By what the coordinates in front of the pairs were multiplied, 1 or pi as in NeRF; else 0."""
    extra = read.fit.columns.extra
    if len(extra) != len(read.axes):
        return 0.0
    for factor in (1.0, math.pi):
        off = [
            np.abs(np.exp(1j * factor * sample[:, lead + column]) - np.exp(1j * axis.places)).max()
            for column, axis in zip(extra, read.axes, strict=True)
        ]
        if max(off) < 1e-2:
            return factor
    return 0.0


def _half_filled(sample: Float, rows: Index, n_columns: int) -> Diagnosis | None:
    """A reading of a table with sines alone, or cosines, in every second column, and zeros between."""
    used = np.flatnonzero(sample.any(axis=0))
    if used.size < 2 or (np.diff(used) != 2).any() or 2 * used.size < n_columns - 1:
        return None
    found = waves.lone(sample[:, used], rows, n_columns)
    if found is None or found.reading is None:
        return None
    problem = Problem(
        "zero-columns",
        "Every second column is zero.",
        columns=tuple(np.setdiff1d(np.arange(n_columns), used).tolist()),
        origin="One half of each pair was never filled in, or was overwritten.",
        cure="Fill in both: the sine and the cosine of the same angle.",
    )
    reading = replace(found.reading, columns=tuple(used.tolist()))
    return replace(found, reading=reading, problems=[problem, *found.problems])


def _unread(
    array: NDArray[Any], sample: Float, rows: Index, kept: Index, width: int, problems: list[Problem]
) -> Diagnosis:
    """What can be said of a table that no layout of pairs explains."""
    n_columns = array.shape[1]
    zero = rows[~sample.any(axis=1)]
    with_zero = np.union1d(kept, [0]) if zero.size == 1 and zero[0] == 0 else kept  # a sine or an angle at 0
    special = _half_filled(sample[with_zero], rows[with_zero], n_columns)
    if special is not None:  # which explains all columns of zeros
        problems = [problem for problem in problems if problem.kind != "zero-columns"]
    else:
        special = waves.lone(sample[with_zero][:, :width], rows[with_zero], n_columns)
    values = sample[kept][:, :width]
    if special is not None:
        gone = zero if special.reading is None or zero.size > 1 or (zero.size and zero[0]) else zero[:0]
        return replace(special, problems=[*special.problems, *problems, *empty_rows(gone)])
    top = float(np.abs(values).max(initial=0))
    fits = [found for columns in candidates(width) if (found := fit(columns, values)) is not None]
    near = sorted(
        ((found.columns.name, found.stray) for found in fits if not found.columns.extra),
        key=lambda pair: pair[1],
    )
    nearest: SequenceOf[tuple[str, float]] = [(name, min(miss, 9.99)) for name, miss in near[:2]]
    at_top = np.abs(values) == top
    if top and at_top.mean() > 0.2 and (values == -top).any() and (values == top).any():
        problem = Problem(
            "clipped",
            f"The entries are clipped at {top:.4g}, so far that nothing else can be told.",
            found=top,
        )
    else:
        problem = Problem(
            "unread",
            "No reading that is tried explains the entries, so nothing is said of frequencies or positions.",
            origin=waves.kind_of(values, rows[kept]),
        )
    if zero.size:
        problems += empty_rows(zero)
    return Diagnosis(n_columns, None, [problem, *problems], tuple(nearest))
