"""Checks of what source H3, "Uniqueness and interpolation", claims.

Its figure has 50 positions and d_model 128.
"""

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
import sympy as sp

from posenc import (
    closest_offset,
    distance_matrix,
    encoding_distance,
    encoding_table,
    frequencies,
    positional_encoding,
    shift_matrix,
)
from posenc.precision import ROUNDING
from wavebook.claims.finding import Part, about, aside, between, check, exactly, rounds, same, says
from wavebook.harmonics import largest_distance


def _one_pair(position: sp.Expr) -> sp.Matrix:
    """The two entries of a pair, of any frequency, in symbols."""
    angle = sp.Symbol("omega", real=True) * position
    return sp.Matrix([sp.sin(angle), sp.cos(angle)])


def _scatter(n_positions: int, d_model: int) -> float:
    """The largest range of the distances on a diagonal, from differences of encodings: no theorem is used."""
    encodings = encoding_table(n_positions, d_model)
    distances = np.linalg.norm(encodings[:, np.newaxis] - encodings, axis=-1)
    return max(float(np.ptp(np.diagonal(distances, k))) for k in range(n_positions))


@check("H3-01")
def _difference_only() -> list[Part]:
    p, q, s = sp.symbols("p q s", real=True)
    gap = _one_pair(p + s) - _one_pair(q + s)
    change = sp.expand(sp.expand_trig(gap.dot(gap).diff(s)))
    return [
        says("change of a pair's squared distance under a common shift", str(change), change == 0),
        same("largest scatter on a diagonal", _scatter(50, 128)),
    ]


@check("H3-02")
def _linear() -> list[Part]:
    slope = {d: np.linalg.norm(frequencies(d)) for d in (8, 32, 128, 512)}
    # It is linear as long as the straight line is less than ten percent too long.
    offsets = np.linspace(1, 3, 2001)
    end = np.interp(1.1, slope[128] * offsets / encoding_distance(offsets, 128), offsets)
    return [
        *(exactly(f"slope at zero, d_model {d}", slope[d], encoding_distance(1e-7, d) / 1e-7) for d in slope),
        about("end of the linear stretch", "10", end),
    ]


@check("H3-03")
def _largest() -> list[Part]:
    return [
        rounds("square root of d", "11.3", np.sqrt(128)),
        rounds("diameter of the sphere", "11.3", 2 * np.linalg.norm(positional_encoding(0, 128))),
        rounds(
            "largest distance up to offset 30000", "11.3", encoding_distance(np.arange(30_001), 128).max()
        ),
        aside("least upper bound of the distances", largest_distance(128)),
    ]


@check("H3-04")
def _levels_off() -> list[Part]:
    picture, further = encoding_distance(np.arange(31, 50), 128), encoding_distance(np.arange(31, 1001), 128)
    return [
        between("smallest distance from 31 to 49", 10, 11, picture.min()),
        between("largest distance from 31 to 49", 10, 11, picture.max()),
        # It levels off if what follows stays in a band as narrow as the one that is claimed.
        says("range of the distances from 31 to 1000", np.ptp(further), np.ptp(further) <= 1),
    ]


@check("H3-05")
def _corner() -> list[Part]:
    distances = distance_matrix(50, 128)
    p, q = np.unravel_index(distances.argmax(), distances.shape)
    return [
        about("largest distance", "11", distances.max()),
        rounds("difference at which it is largest", "49", abs(p - q)),
        aside("distance in the corners", distances[0, 49]),
    ]


@check("H3-06")
def _scatters() -> list[Part]:
    return [
        about("largest scatter on a diagonal", "1", _scatter(50, 128)),
        between("distance at 25", 9, 10, encoding_distance(25, 128)),
    ]


@check("H3-07")
def _added_step() -> list[Part]:
    code = positional_encoding(np.arange(31), 128)
    error = {p: np.linalg.norm(code[p - 5] + code[15] - code[10] - code[p]) for p in (20, 25, 30)}
    return [
        *(about(f"error at {p}", said, error[p]) for p, said in ((20, "1.5"), (25, "3"), (30, "4.5"))),
        says("growth of the error from 20 to 30", error[30] - error[20], error[20] < error[25] < error[30]),
    ]


@check("H3-08")
def _norms() -> list[Part]:
    norms = np.linalg.norm(encoding_table(200, 128), axis=1)
    pair = _one_pair(sp.Symbol("p", real=True))
    exact = sp.trigsimp(pair.dot(pair))
    return [
        rounds("mean norm", "8", norms.mean()),
        about("range of the norms", "0.02", np.ptp(norms)),
        says("squared norm of a pair without rounding", str(exact), exact == 1),
    ]


@check("H3-09")
def _pairs() -> list[Part]:
    return [rounds("pairs", "1225", len(list(combinations(range(50), 2))))]


@check("H3-10")
def _neighbors() -> list[Part]:
    norm = np.linalg.norm(positional_encoding(0, 128))
    return [
        rounds("distance of neighbors", "0.7", encoding_distance(1, 128)),
        about("fraction of the norm in %", "30", 100 * encoding_distance(1, 128) / norm),
    ]


@check("H3-11")
def _ten_and_thirty() -> list[Part]:
    return [
        between("distance at 10", 6, 7, encoding_distance(10, 128)),
        about("distance at 30", "10", encoding_distance(30, 128)),
    ]


@check("H3-12")
def _smallest_grows() -> list[Part]:

    def growth(d: int) -> float:
        nearest, of_twice = closest_offset(1000, d)[1], closest_offset(1000, 2 * d)[1]
        return 100 * (of_twice / nearest - 1)

    return [
        about("growth in %, 64 to 128", "40", growth(64)),
        about("growth in %, 256 to 512", "40", growth(256)),
        about(
            "growth in % at large d_model",
            "40",
            100 * (encoding_distance(1, 2**17) / encoding_distance(1, 2**16) - 1),
        ),
    ]


@check("H3-13")
def _one_per_cent() -> list[Part]:
    norm = np.linalg.norm(positional_encoding(0, 128))
    return [rounds("norm", "8", norm), about("fraction in %", "1", 100 * 0.1 / norm)]


@check("H3-14")
def _rotation() -> list[Part]:
    codes, steps = positional_encoding(np.arange(130), 128), (1, 2, 5, 10, 30)
    places = np.delete(np.arange(100), 10)  # the steps are learned at 10
    added = [
        np.linalg.norm(codes[places] + codes[10 + k] - codes[10] - codes[places + k], axis=1).min()
        for k in steps
    ]
    turned = [abs(codes[:100] @ shift_matrix(k, 128).T - codes[k : 100 + k]).max() for k in steps]
    return [
        says("smallest error of addition", min(added), min(added) > ROUNDING),
        same("largest error of rotation", max(turned)),
    ]


@check("H3-15")
def _bits() -> list[Part]:
    spent, needed = 8 * positional_encoding(0, 128).astype(np.float32).nbytes, np.log2(1000)
    return [
        rounds("bits of an encoding", "4096", spent),
        rounds("bits needed", "10", needed),
        about("ratio", "400", spent / needed),
    ]


@check("H3-16")
def _orthogonal() -> list[Part]:
    d, more = sp.symbols("d m", positive=True)
    n = d + more
    # The squares of the eigenvalues, which are those of all cosines, sum to at least n^2/d; the diagonal has
    # n of that.
    cosines = sp.factor(n**2 / d - n)
    codes = encoding_table(129, 128) / 8
    ours = ((codes @ codes.T) ** 2).sum() - 129
    bound = float(cosines.subs({d: 128, more: 1}))
    return [
        says("least sum of squared cosines of 129 encodings at d_model 128", bound, cosines.is_positive),
        says("that sum for the encodings of 129 positions", ours, ours >= bound),
    ]


@check("H3-17")
def _no_nearer() -> list[Part]:
    # To grow continuously is read as to grow without a setback: that the curve has no jumps would say little.
    curve = encoding_distance(np.arange(50), 128)
    falls, drop = (np.diff(curve) < 0).sum(), (np.maximum.accumulate(curve) - curve).max()
    return [
        says("offsets below 50 after which the distance falls", falls, falls == 0),
        says("by how much a farther position is nearer", drop, drop <= 0),
    ]


@check("H3-18")
def _cost() -> list[Part]:

    def exponent(count: Callable[[int], int]) -> float:
        return math.log2(count(100) / count(50))

    # Each distance is a sum over all pairs of sine and cosine; a double loop takes one for each entry of the
    # matrix.
    return [
        rounds("exponent of n in a double loop", "2", exponent(lambda n: distance_matrix(n, 128).size)),
        rounds("exponent of d_model", "1", exponent(lambda d: frequencies(d).size)),
    ]
