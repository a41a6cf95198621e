"""Which entries a function turns together, and how pairs are torn that do not turn as one."""

from __future__ import annotations

import math

import numpy as np

from posenc.arguments import Float
from posread import report
from posread.fit.hands import Complex, Index
from posread.problem import Problem
from posread.reading import Layout

#: An entry that moves by no more than this is not turned.
STILL = 1e-9


def find_order(stack: Float, d_model: int) -> Index | None:
    """Where each entry goes at position 0, where nothing turns; None if each stays where it is."""
    first = stack[0] / max(float(stack[0].max()), 1e-300)  # YaRN multiplies, too
    ones = np.abs(first - 1) < 1e-3
    alone = (ones.sum(axis=0) == 1).all() and (ones.sum(axis=1) == 1).all()
    order: Index = np.argmax(ones, axis=0)
    moves = not (order == np.arange(d_model)).all()
    return order if alone and moves and (np.abs(first) < 1e-3).sum() == first.size - d_model else None


def find_ways(order: Index) -> tuple[Layout, tuple[str, str]] | None:
    """The layout in which pairs come in, if they go out in the other one, and both in words."""
    moved = np.flatnonzero(order != np.arange(len(order)))  # both ends stay where they are
    begin, end = max(int(moved[0]) - 1, 0), min(int(moved[-1]) + 2, len(order))
    if (end - begin) % 2:
        return None
    neighbors = np.arange(begin, end).reshape(-1, 2).T.ravel()  # those of one half, then those of the other
    if (order[neighbors] == np.arange(begin, end)).all():
        return "interleaved", ("neighbors", "halves")
    return ("halves", ("halves", "neighbors")) if (order[begin:end] == neighbors).all() else None


def find_pairs(stack: Float, d_model: int) -> tuple[Layout, Index, Index] | Problem:
    """Which two entries turn together."""
    moved = np.abs(stack - np.eye(d_model)).max(axis=0)  # [to, from]
    mixes = np.abs(stack * (1 - np.eye(d_model))).max(axis=0) > STILL
    mixes |= mixes.T
    partners = mixes.sum(axis=1)
    turning = np.flatnonzero((moved > STILL).any(axis=0))
    if (partners > 1).any():
        return report.mixed_entries(np.flatnonzero(partners > 1).tolist(), int(partners.max()))
    lonely = turning[partners[turning] == 0]
    if lonely.size:
        return report.without_partner(lonely.tolist())
    one = np.array([i for i in turning if i < int(np.argmax(mixes[i]))], dtype=np.intp)
    two = np.array([int(np.argmax(mixes[i])) for i in one], dtype=np.intp)
    apart = two - one
    if (apart == 1).all():
        return "interleaved", one, two
    if (apart == apart[0]).all():
        return "halves", one, two
    return report.pairs_in_no_layout(list(zip(one.tolist(), two.tolist(), strict=True)), turning.tolist())


def lengths_problem(stack: Float, slack: float) -> list[Problem]:
    """Whether columns of matrices do not all have the length 1."""
    squares = (stack**2).sum(axis=1)
    if np.abs(squares - 1).max() <= 4 * slack:
        return []
    return [report.lengths_change(math.sqrt(float(squares.min())), math.sqrt(float(squares.max())))]


def how_torn(rows: Index, ahead: Complex, across: Complex, one: Index, two: Index, allowed: float) -> Problem:
    """Pairs whose second entry does not turn as the first does: mirrored, with a sign lost, or mixed."""
    columns = np.sort(np.concatenate([one, two])).tolist()
    if np.abs(ahead + across).max() <= allowed:  # (c, s) and (s, -c)
        return report.torn("mirrored", columns)
    if np.abs(ahead - across.conj()).max() <= allowed:  # (c, s) and (s, c)
        return report.torn("same sign", columns)
    weights = _weights(rows, ahead, across, allowed)
    if weights is not None:
        return report.torn("weights", columns, weights)
    overwritten = _overwritten(ahead, across, max(allowed, 1e-12))
    if overwritten:
        return report.torn(f"{overwritten} overwritten", columns)
    # Mixed layouts take cosines and sines from the angle of the entry that is written.
    angles = ahead.real + 1j * across.imag, across.real + 1j * ahead.imag
    if max(np.abs(np.abs(hands) - 1).max() for hands in angles) > allowed:
        return report.torn("no rotation", columns)
    return report.torn("layouts mixed" if _mixed(angles, one, two, allowed) else "apart", columns)


def _weights(rows: Index, ahead: Complex, across: Complex, allowed: float) -> tuple[float, ...] | None:
    """The factors of the two entries, if there are any beside a rotation."""
    if not (rows == 0).any():
        return None
    at = int(np.argmax(rows == 0))
    first, second = ahead[at].real, across[at].real
    apart = np.abs(first - second) > allowed
    if not apart.any() or (np.abs(first) <= allowed).any() or (np.abs(second) <= allowed).any():
        return None
    before = ahead * second, across * first
    after = (ahead.real * second + 1j * ahead.imag * first, across.real * first + 1j * across.imag * second)
    if all(np.abs(x - y).max() > 2 * allowed for x, y in (before, after)):
        return None
    return tuple(np.stack([first, second], axis=1).ravel()[:1000].tolist())


def _overwritten(ahead: Complex, across: Complex, allowed: float) -> str:
    """Which entry was overwritten before the other was computed; empty if none."""
    for c, s, found, told in (
        (ahead.real, across.imag, (ahead.imag, across.real), "first"),
        (across.real, ahead.imag, (across.imag, ahead.real), "second"),
    ):
        off = c**2 + s**2 - 1, found[0] - c * s, found[1] - c + s * s
        if max(np.abs(part).max() for part in off) <= allowed:
            return told
    return ""


def _mixed(angles: tuple[Complex, Complex], one: Index, two: Index, allowed: float) -> bool:
    """Whether angles were repeated for one layout and entries swapped for the other."""
    count = angles[0].shape[1]
    if count % 2:
        return False
    half = count // 2
    neighbors = bool(one.size) and two[0] - one[0] == 1
    parts = (slice(half), slice(half, None)) if neighbors else (slice(0, None, 2), slice(1, None, 2))
    return all(bool(np.abs(hands[:, parts[0]] - hands[:, parts[1]]).max() <= allowed) for hands in angles)
