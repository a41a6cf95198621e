"""Checks of what papers of wavebook/data/papers.yml say about distance: what is near, what is far."""

from __future__ import annotations

from functools import cache

import numpy as np

from posenc import frequencies, similarity, wavelengths
from posenc.arguments import Float
from posenc.biases import alibi_bias
from posenc.rope import apply_rope
from wavebook.claims.finding import Part, aside, check, digits, reported, says
from wavebook.claims.papers_language import lost_with_distance


@cache
def far_wins(length: int) -> float:
    """How often a key at least twice as far scores higher; equal query and key, d_model 128, base 10,000."""
    rng = np.random.default_rng(0)
    far = rng.integers(2, length, 40_000)
    near = (1 + rng.random(40_000) * (far // 2)).astype(int)
    return float((similarity(far, 128) > similarity(near, 128)).mean())


@check("P-03")
def _locality() -> list[Part]:
    lengths = {"b/10": 1000, "b": 10**4, "10 b": 10**5, "100 b": 10**6, "1000 b": 10**7}
    found = {f"up to {name}": far_wins(length) for name, length in lengths.items()}
    return [says(name, digits(value), abs(value - 0.5) < 0.05) for name, value in found.items()]


@check("P-04")
def _order_of_keys() -> list[Part]:
    turns = np.exp(1j * np.outer(np.arange(20_001), frequencies(128)))
    rng, lost = np.random.default_rng(1), []
    for _ in range(30):
        query, *keys = rng.normal(size=(3, 64, 2)) @ np.array([1, 1j])
        first, second = ((turns @ (query * key.conj())).real for key in keys)
        lost.append(float(((first > second) != (first[0] > second[0])).mean()))
    return [
        says("fraction", digits(np.mean(lost)), min(lost) > 0),
        aside("least", digits(min(lost))),
        aside("most", digits(max(lost))),
    ]


@check("P-06")
def _no_decay() -> list[Part]:
    query = np.tile([1.0, 0.5], 64)
    key = apply_rope(query[None], [5000])[0]
    scores = apply_rope(np.broadcast_to(key, (8192, 128)), -np.arange(8192)) @ query
    return [
        aside("best distance", scores.argmax()),
        *lost_with_distance(),
        reported("Gemma 7B", "fast pairs make positional patterns"),
    ]


def _mean_similarity(omega: Float, start: int, stop: int) -> float:
    """The mean of the sum of cosines over offsets, divided by the number of pairs."""
    total = 0.0
    for first in range(start, stop, 4096):
        total += np.cos(np.outer(np.arange(first, min(first + 4096, stop)), omega)).sum()
    return total / (stop - start) / len(omega)


@check("P-21")
def _without_decay() -> list[Part]:
    omega = frequencies(128)
    fast = np.where(wavelengths(128) <= 4096, omega, 0)
    spans = {"near": (0, 100), "trained": (2000, 4000), "far": (20_000, 40_000)}
    found = {
        f"{name}, {span}": _mean_similarity(chosen, *limits)
        for name, chosen in (("RoPE", omega), ("HoPE", fast))
        for span, limits in spans.items()
    }
    return [
        *(aside(name, digits(value)) for name, value in found.items()),
        says(
            "fall beyond the trained length, RoPE",
            digits(found["RoPE, trained"] - found["RoPE, far"]),
            found["RoPE, trained"] - found["RoPE, far"] > 0.05,
        ),
        says(
            "fall within, slow pairs at rest",
            digits(found["HoPE, near"] - found["HoPE, trained"]),
            found["HoPE, near"] - found["HoPE, trained"] < 0.03,
        ),
        says(
            "fall beyond, slow pairs at rest",
            digits(found["HoPE, trained"] - found["HoPE, far"]),
            abs(found["HoPE, trained"] - found["HoPE, far"]) < 0.03,
        ),
    ]


@check("P-27")
def _competing() -> list[Part]:
    biases = alibi_bias(200, 0.25)[-1]
    query = np.tile([1.0, 0.5], 64)
    key = apply_rope(query[None], [50])[0]
    scores = apply_rope(np.broadcast_to(key, (200, 128)), -np.arange(200)) @ query
    at = int(scores.argmax())
    return [
        aside("largest at", at),
        says(
            "ALiBi: steps at which the bias does not fall with distance",
            int((np.diff(biases) <= 0).sum()),
            not (np.diff(biases) <= 0).any(),
        ),
        says("RoPE: largest score at distance", at, at == 0),
    ]


@check("P-30")
def _mean_bias() -> list[Part]:
    ones = np.ones(128)

    def expected(mean: Float, distance: int) -> float:
        return float(apply_rope(mean[None], [distance])[0] @ mean)

    near, far = expected(ones, 1), expected(ones, 1000)
    none = expected(0 * ones, 1) - expected(0 * ones, 1000)
    return [
        aside("mean 1, at 1", digits(near, 1)),
        aside("mean 1, at 1000", digits(far, 1)),
        says("bias for means of one, between 1 and 1,000", digits(near - far, 1), near > far),
        says("bias for means of zero", none, none != 0),
    ]
