"""A function that rotates is called: what it returns is checked, and what it makes of unit vectors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import Float
from posread import report
from posread.fit.hands import Complex, Index
from posread.fit.number_types import check_finite, numbers_of
from posread.problem import Problem

#: Positions that narrow types are the first to miss, with their neighbors, and as far beyond.
FAR = tuple(sorted({2**k + shift for k in range(7, 18) for shift in (-1, 0, 1, 2)}))
#: So many positions are asked for in one call.
CALL = 4096

Rotate = Callable[[Float, Float], ArrayLike]


def call(rotate: Rotate, vectors: Float, positions: Float) -> Float:
    """What the function returns, in float64; or an error that says what is wrong with it."""
    try:
        returned = rotate(vectors.copy(), positions.copy())
    except Exception as error:  # whatever a program raises
        hint = ""
        if isinstance(error, IndexError | TypeError) and ("integer" in str(error) or "indices" in str(error)):
            hint = "; positions arrive as a float64 array, so a lookup needs positions.astype(int)"
        told = f"rotate(vectors, positions) raised {type(error).__name__}: {error}{hint}"
        raise ValueError(told) from error
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
            f"position {report.number(float(positions[at]))}"
        )
    check_finite(turned, "rotate(...)")
    return turned.astype(np.float64)


def matrix_at(rotate: Rotate, d_model: int, position: float) -> Float:
    """The matrix that turns a column at a position."""
    return call(rotate, np.eye(d_model), np.full(d_model, position)).T


def reachable(rotate: Rotate, d_model: int, n_positions: int) -> tuple[list[float], float | None]:
    """Far positions at which the function can be called, and the first at which it fails."""
    reached: list[float] = []
    vectors = np.ones((1, d_model))
    for p in FAR:
        if p < n_positions:
            continue
        try:
            call(rotate, vectors, np.array([float(p)]))
        except Exception:  # whatever a program raises beyond its table
            return reached, float(p)
        reached.append(float(p))
    return reached, None


def hands_at(rotate: Rotate, d_model: int, one: Index, two: Index, places: Float) -> tuple[Complex, Complex]:
    """Where the first and the second entry of each pair go, as complex numbers: (positions, pairs)."""
    units = np.zeros((2, len(places), d_model))
    units[0][:, one] = units[1][:, two] = 1
    ahead, across = (call(rotate, vectors, places) for vectors in units)
    return ahead[:, one] + 1j * ahead[:, two], across[:, two] - 1j * across[:, one]


def vector_of(d_model: int) -> Float:
    """The vector with which a reading is held against the function: no two entries are alike."""
    return np.asarray(1 + 0.5 * np.cos(1.0 + np.arange(d_model)), dtype=np.float64)


def outputs(rotate: Rotate, d_model: int, positions: Float) -> Float:
    """What becomes of that vector at positions, so many in a call."""
    parts = [
        call(rotate, np.tile(vector_of(d_model), (len(part), 1)), part)
        for part in np.split(positions, range(CALL, len(positions), CALL))
    ]
    return np.concatenate(parts)


def is_repeatable(rotate: Rotate, d_model: int, slack: float) -> bool:
    """Whether the same call gives the same result again."""
    first, again = (outputs(rotate, d_model, np.arange(3.0)) for _ in range(2))
    return bool(np.abs(first - again).max() <= slack * max(1.0, float(np.abs(first).max())))


def is_free_of_order(rotate: Rotate, d_model: int, slack: float) -> bool:
    """Whether positions in no order give what they give one by one."""
    places = np.array([2.0, 0.0, 1.0])
    alone = np.concatenate([outputs(rotate, d_model, place) for place in places[:, np.newaxis]])
    together = outputs(rotate, d_model, places)
    return bool(np.abs(together - alone).max() <= slack * max(1.0, float(np.abs(alone).max())))


def keeps_positions(rotate: Rotate, d_model: int, slack: float) -> bool:
    """Whether a second call with as many vectors turns by the positions of the first."""
    before, places = np.array([0.0, 3.0, 7.0, 12.0, 1.0]), np.array([5.0, 1.0, 9.0, 2.0, 0.0])
    first, second = (outputs(rotate, d_model, p) for p in (before, places))
    fresh = outputs(rotate, d_model, np.append(places, 4.0))[: len(places)]
    return bool(np.abs(first - second).max() <= slack < np.abs(fresh - second).max())


def not_linear(rotate: Rotate, d_model: int, noise: float) -> Problem | None:
    """Whether twice a vector is not turned into twice the vector, or a sum not into the sum."""
    x = np.stack([vector_of(d_model), np.cos(3.0 * np.arange(d_model)), np.eye(d_model)[0]])
    y = np.stack([np.sin(1.0 + np.arange(d_model)), 0.1 * vector_of(d_model), 40 * np.eye(d_model)[-1]])
    p = np.array([1.0, 2.0, 1.0])
    of_x, of_y, of_sum = (call(rotate, vectors, p) for vectors in (x, y, x + y))
    for factor in (2.0, 64.0, 0.015625):
        told = call(rotate, factor * x, p)
        allowed = (8 * noise + 1e-6) * max(float(np.abs(told).max()), factor * float(np.abs(of_x).max()))
        if np.abs(told - factor * of_x).max() > allowed:
            return report.not_linear(f"a vector {report.number(factor)} times as long does not come out so")
    top = max(float(np.abs(part).max()) for part in (of_x, of_y, of_sum))
    if np.abs(of_sum - of_x - of_y).max() > (16 * noise + 1e-6) * top:
        return report.not_linear("a sum of two vectors does not come out as the sum of what becomes of them")
    return None
