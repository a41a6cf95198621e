"""The book's quantities by their definitions, literally, without `posenc`: what tests compute again.

Doubles where those will do, extended precision where offsets are large, and mpmath where digits are counted.
"""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

#: The base of the paper.
B = 10_000.0


def close(got: Any, want: Any, **options: Any) -> None:
    """What was computed is what the definition gives, but for rounding."""
    np.testing.assert_allclose(got, want, **{"rtol": 1e-12, "atol": 1e-12} | options)


# In doubles, and in extended precision


def omegas(d: int, b: float = B) -> np.ndarray:
    """Angular frequencies, from fast to slow."""
    return np.array([float(b) ** (-2 * i / d) for i in range(d // 2)])


def extend_omegas(d: int, b: float = B) -> np.ndarray:
    """`omegas` with the digits that far offsets need."""
    return np.array([np.longdouble(b) ** (-np.longdouble(2 * i) / d) for i in range(d // 2)])


def codes(positions: Any, omega: np.ndarray) -> np.ndarray:
    """A row for each position, in the precision of the frequencies: the sine and the cosine of each pair."""
    angles = np.multiply.outer(np.asarray(positions, omega.dtype), omega)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, 2 * len(omega))


TURN = 8 * np.arctan(np.longdouble(1))


def angles(offsets: Any, omega: np.ndarray) -> list[np.ndarray]:
    """What each hand has turned; in extended precision within a turn, which is then kept in double."""
    turned = [w * np.asarray(offsets, omega.dtype) for w in omega]
    return turned if omega.dtype == float else [np.fmod(a, TURN).astype(float) for a in turned]


def kernel(offsets: Any, omega: np.ndarray) -> np.ndarray:
    """K: the sum of the cosines."""
    return sum(np.cos(a) for a in angles(offsets, omega))


def apart(offsets: Any, omega: np.ndarray) -> np.ndarray:
    """Distances from position 0, by Pythagoras."""
    return np.sqrt(sum(np.sin(a) ** 2 + (1 - np.cos(a)) ** 2 for a in angles(offsets, omega)))


# In as many digits as mpmath is set to


def exact_omega(i: int, d: int, b: Any = B) -> mpmath.mpf:
    """The angular frequency of a pair."""
    return mpmath.mpf(b) ** (-mpmath.mpf(2 * i) / d)


def exact_omegas(d: int, b: Any = B) -> list[mpmath.mpf]:
    """All of them, from fast to slow."""
    return [exact_omega(i, d, b) for i in range(d // 2)]


def exact_code(position: Any, d: int, b: Any = B) -> list[mpmath.mpf]:
    """An encoding."""
    return [f(w * mpmath.mpf(position)) for w in exact_omegas(d, b) for f in (mpmath.sin, mpmath.cos)]


def exact_apart(offset: Any, d: int, b: Any = B, digits: int = 60) -> mpmath.mpf:
    """The distance from position 0, with so many digits or more: no half angles."""
    with mpmath.workdps(max(digits, mpmath.mp.dps)):
        here, there = exact_code(0, d, b), exact_code(offset, d, b)
        return mpmath.norm([x - y for x, y in zip(here, there, strict=True)])
