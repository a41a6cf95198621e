"""Checks of what papers of wavebook/data/papers.yml say about what RoPE is: transforms, groups, matrices."""

from __future__ import annotations

import numpy as np

from posenc import frequencies
from posenc.arguments import Float
from posenc.biases import alibi_bias
from posenc.rope import apply_rope
from wavebook.claims.finding import Part, aside, check, digits, exactly, same, says


@check("P-11")
def _periodic() -> list[Part]:
    query, key = np.random.default_rng(0).normal(size=(2, 128))
    products = (query[::2] + 1j * query[1::2]) * np.conj(key[::2] + 1j * key[1::2])
    at = 137
    whole = (products * np.exp(1j * frequencies(128) * at)).real.sum()
    rope = apply_rope(query[None], [at])[0] @ key
    return [same("score of RoPE and the transform at a distance of 137", whole - rope)]


@check("P-12")
def _rotations() -> list[Part]:
    omega, p = frequencies(8), 3
    generator = np.kron(np.diag(omega), np.array([[0.0, -1.0], [1.0, 0.0]]))
    power, exponential = np.eye(8), np.eye(8)
    for n in range(1, 40):  # the series itself
        power = power @ (p * generator) / n
        exponential += power
    vector = np.arange(1.0, 9.0)
    return [same("largest difference", abs(exponential @ vector - apply_rope(vector[None], [p])[0]).max())]


@check("P-13")
def _unipotent() -> list[Part]:
    slope, n = 0.25, 12
    step = np.array([[1.0, 1.0], [0.0, 1.0]])
    query, key = np.array([1.0, 0.0]), np.array([0.0, slope])
    bias = np.array(
        [[query @ np.linalg.matrix_power(step, abs(q - p)) @ key * -1 for q in range(n)] for p in range(n)]
    )
    behind = np.tril_indices(n)
    roots = np.roots(np.poly(step))
    return [
        same("largest difference from ALiBi's bias", abs(bias - alibi_bias(n, slope))[behind].max()),
        same("distance of the roots from 1", abs(digits(abs(roots - 1).max(), 6))),
    ]


def _exponential(matrix: Float) -> Float:
    """The matrix exponential, by its series after halving ten times."""
    small, power, total = matrix / 1024, np.eye(len(matrix)), np.eye(len(matrix))
    for n in range(1, 20):
        power = power @ small / n
        total = total + power
    for _ in range(10):
        total = total @ total
    return total


def _antisymmetric(rng: np.random.Generator, d: int) -> Float:
    matrix: Float = rng.normal(size=(d, d))
    return (matrix - matrix.T) / 2


def _unequal(generators: list[Float]) -> float:
    """How far R(x)ᵀ R(y) is from R(y - x), the largest entry, for one pair of points."""

    def rotation(point: Float) -> Float:
        return _exponential(np.tensordot(point, np.array(generators), axes=1))

    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, len(generators)))
    return float(abs(rotation(x).T @ rotation(y) - rotation(y - x)).max())


@check("P-23")
def _commuting() -> list[Part]:
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    alike = [basis @ np.kron(np.diag(rng.normal(size=4)), turn) @ basis.T for _ in range(2)]
    drawn = _unequal([_antisymmetric(rng, 8) for _ in range(2)])
    return [
        aside("off", digits(drawn)),
        same("difference with matrices that commute", _unequal(alike)),
        says("difference with random matrices", digits(drawn), drawn > 0.01),
    ]


@check("P-24")
def _torus() -> list[Part]:
    d = 8
    generator = np.kron(np.diag(frequencies(d)), np.array([[0.0, -1.0], [1.0, 0.0]]))
    basis = [np.outer(a, b) - np.outer(b, a) for i, a in enumerate(np.eye(d)) for b in np.eye(d)[i + 1 :]]
    commutators = np.array([(generator @ one - one @ generator).ravel() for one in basis])
    dimension = len(basis) - int(np.linalg.matrix_rank(commutators, tol=1e-9))
    return [
        aside("dimension", dimension),
        exactly("dimension of what commutes with RoPE's generator", 4, dimension),
    ]


@check("P-25")
def _translation() -> list[Part]:
    rng = np.random.default_rng(2)
    basis = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    omega, shift = rng.normal(size=(4, 3)), rng.normal(size=3)
    query, key = rng.normal(size=(2, 8))

    def turned(vector: Float, point: Float) -> Float:
        pairs = (basis.T @ vector)[::2] + 1j * (basis.T @ vector)[1::2]
        pairs = pairs * np.exp(1j * omega @ point)
        moved: Float = basis @ np.stack([pairs.real, pairs.imag], axis=-1).ravel()
        return moved

    x, y = rng.normal(size=(2, 3))
    moved = turned(query, x + shift) @ turned(key, y + shift)
    return [same("change of a score when both points move", moved - turned(query, x) @ turned(key, y))]


@check("P-29")
def _imaginary() -> list[Part]:
    query, key = np.random.default_rng(0).normal(size=(2, 128))
    complex_query, complex_key = (v[::2] + 1j * v[1::2] for v in (query, key))
    whole = (complex_query * complex_key.conj() * np.exp(1j * frequencies(128) * 7)).sum()
    quarter = np.stack([-key[1::2], key[::2]], axis=-1).ravel()
    turned = apply_rope(query[None], [7])[0]
    return [
        same("RoPE's score and the real part", whole.real - turned @ key),
        same("imaginary part and the score of the key turned by a quarter", whole.imag - turned @ quarter),
    ]
