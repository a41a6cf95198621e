"""Checks of what papers of wavebook/data/papers.yml say about rounding, caches, pictures and films."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from posenc import frequencies, wavelengths
from posenc.arguments import Float
from posenc.positions import section_axes
from posenc.precision import rounded
from posenc.rope import apply_rope
from wavebook.claims.finding import Part, aside, check, digits, says


def _turn(vectors: Float, positions: Float, step: str) -> Float:
    """RoPE at base 10,000 with one step rounded to bfloat16: "cos and sin", or "positions"."""
    places = rounded(positions, "bfloat16") if step == "positions" else positions
    angles = np.outer(places, frequencies(vectors.shape[-1]))
    cos, sin = np.cos(angles), np.sin(angles)
    if step == "cos and sin":
        cos, sin = rounded(cos, "bfloat16"), rounded(sin, "bfloat16")
    x, y = vectors[..., ::2], vectors[..., 1::2]
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1).reshape(len(positions), -1)


def _spread(step: str, context: int) -> float:
    """How far a score five positions apart varies in a context: its deviation over norms, in thousandths."""
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(2, 1, 128))
    places = rng.integers(0, context, 2000).astype(float)
    scores = (_turn(query, places + 5, step) * _turn(key, places, step)).sum(axis=1)
    return float(1000 * scores.std() / np.linalg.norm(query) / np.linalg.norm(key))


@check("P-18")
def _bfloat16() -> list[Part]:
    found = {
        (where, step): _spread(step, context)
        for step in ("cos and sin", "positions")
        for where, context in (("short", 200), ("long", 100_000))
    }
    fixed, grown = (found["long", step] - found["short", step] for step in ("cos and sin", "positions"))
    return [
        *(aside(f"{where}, {step}", digits(value)) for (where, step), value in found.items()),
        says("it deviates", digits(found["short", "cos and sin"]), found["short", "cos and sin"] > 0),
        says("more in a long context, cosines and sines rounded", digits(fixed), fixed > 0.1),
        says("more in a long context, positions rounded", digits(grown), grown > 0.1),
    ]


@check("P-34")
def _absorbed() -> list[Part]:
    rng = np.random.default_rng(0)
    query, up = rng.normal(size=(64, 32)) / 8, rng.normal(size=(64, 16)) / 8

    def product(distance: int) -> Float:
        return query.T @ apply_rope(up.T, np.full(16, distance)).T

    apart = abs(product(5) - product(0)).max()
    return [
        aside("apart", digits(apart)),
        says("difference of the products for two distances", digits(apart), apart > 0.01),
    ]


@check("P-22")
def _semantic() -> list[Part]:
    omega, axes = frequencies(128, 1e6), section_axes([16, 24, 24])
    frames = np.arange(10_001)
    temporal = np.cos(np.outer(frames, omega[axes == 0])).sum(axis=1)
    whole = (temporal + (axes != 0).sum()) / 64
    first = int((temporal < 0).argmax())
    return [
        aside("first", first),
        aside("least", digits(whole.min())),
        says("temporal pairs alone: first negative sum at", first, temporal[first] < 0),
        says("all pairs: least sum, of the largest", digits(whole.min()), bool(whole.min() < 0)),
    ]


@check("P-36")
def _full_frequency() -> list[Part]:
    waves, dealt = wavelengths(128, 5e6), section_axes([24, 20, 20], interleaved=True)
    bands = section_axes([16, 24, 24])
    slowest = [waves[dealt == axis].max() for axis in range(3)]
    fastest = max(waves[dealt == axis].min() for axis in range(3))
    equal = bool(np.isclose(slowest, waves[-1]).all())
    return [
        *(aside(name, wave) for name, wave in zip(("time", "height", "width"), slowest, strict=True)),
        aside("time in bands", wavelengths(128, 1e6)[bands == 0].max()),
        says("fastest pair of each axis: a wavelength of at most", digits(fastest, 1), fastest < 20),
        says(
            "smallest of the slowest wavelengths, over the slowest of all",
            digits(min(slowest) / waves[-1]),
            equal,
        ),
    ]


def _picture(directions: Float, omega: Float) -> NDArray[np.float64]:
    """Mean similarity, from 20 to 60 units away: along the first axis, and between the axes at 35 degrees."""
    radius = np.linspace(20, 60, 400)
    found = []
    for angle in (0.0, np.deg2rad(35)):
        places = radius[:, None] * [np.cos(angle), np.sin(angle)]
        found.append(np.cos(places @ (directions * omega[:, None]).T).mean())
    return np.array(found)


@check("P-37")
def _cross() -> list[Part]:
    axial = np.repeat(np.eye(2), 32, axis=0), np.tile(frequencies(64, 100), 2)
    turns = np.random.default_rng(0).uniform(0, 2 * np.pi, 64)
    spread = np.stack([np.cos(turns), np.sin(turns)], axis=1), frequencies(128, 100)
    crossed, even = _picture(*axial), _picture(*spread)
    return [
        aside("axial, along", digits(crossed[0])),
        aside("axial, between", digits(crossed[1])),
        aside("spread, along", digits(even[0])),
        aside("spread, between", digits(even[1])),
        says(
            "axial: along an axis less between",
            digits(crossed[0] - crossed[1]),
            crossed[0] - crossed[1] > 0.2,
        ),
        says("spread: along an axis less between", digits(even[0] - even[1]), abs(even[0] - even[1]) < 0.1),
    ]
