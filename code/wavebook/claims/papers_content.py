"""Checks of what papers of wavebook/data/papers.yml say about what and where, and entries at rest."""

from __future__ import annotations

import numpy as np

from posenc import frequencies
from posenc.arguments import Float
from posenc.rope import apply_rope
from wavebook.claims import trained
from wavebook.claims.finding import Part, aside, check, digits, reported, same, says
from wavebook.claims.papers_language import low_utility
from wavebook.claims.trained import tell


def _best_offset(query: Float, key: Float) -> int:
    """At which distance, from -500 to 500, RoPE's score of two vectors is largest."""
    offsets = np.arange(-500, 501)
    scores = apply_rope(np.broadcast_to(key, (len(offsets), len(key))), offsets) @ query
    return int(offsets[scores.argmax()])


@check("P-09")
def _entangled() -> list[Part]:
    rng = np.random.default_rng(0)
    found = {_best_offset(*rng.normal(size=(2, 128))) for _ in range(10)}
    return [says("different places", len(found), len(found) > 1)]


@check("P-10")
def _polar() -> list[Part]:
    rng = np.random.default_rng(0)
    omega, offsets = frequencies(128), np.arange(-500, 501)
    best = {int(offsets[(np.cos(np.outer(offsets, omega)) @ rng.random(64)).argmax()]) for _ in range(10)}
    return [says("different places of the largest score, for ten contents", len(best), best == {0})]


@check("P-38")
def _added_scalar() -> list[Part]:
    query, first, second = np.random.default_rng(0).normal(size=(3, 64))
    bias = -0.25 * np.array([1, 9])
    added = ((query @ first + bias) - (query @ second + bias)).tolist()
    gains = apply_rope(np.broadcast_to(query, (2, 64)), [1, 9]) @ (first - second)
    change = float(gains[1] - gains[0])
    distance = np.arange(1000)
    powers = np.exp(10.0 * (distance % 2) + 10.0 * (distance == 5) - 20)
    single = float(powers[5] / powers.sum())
    return [
        aside("change", digits(abs(change), 1)),
        same("change of a key's gain with distance, added bias", added[1] - added[0]),
        says("the same, RoPE", digits(abs(change), 1), abs(change) > 0.1),
        says(
            "weight that a bias leaves to other pairs than the one it favors",
            digits(1 - single),
            single < 0.5,
        ),
        aside("single", digits(single)),
    ]


@check("P-40")
def _polar_extrapolates() -> list[Part]:
    names = {"back": "three back", "last": "last letter", "near": "marks"}
    gains = {}
    for one in trained.belonging("P-40"):
        layers = ", two layers" if one.setting.layers == 2 else ""
        rope = trained.plain(one)
        if rope is None:
            raise ValueError(f"there is no run of RoPE to compare with {one.name}")
        gains[f"{names[one.setting.task]}{layers}, {one.rate}"] = one, rope
    return [
        aside("rerun", digits(trained.rerun())),
        *(trained.gain(name, *pair) for name, pair in gains.items()),
        *(tell(f"PoPE, {name}", polar.beyond) for name, (polar, _) in gains.items()),
        *(tell(f"RoPE, {name}", rotary.beyond) for name, (_, rotary) in gains.items()),
    ]


@check("P-16")
def _tenth() -> list[Part]:
    return [reported("pretraining loss", "comparable with a tenth of the entries turned")]


@check("P-17")
def _inefficient() -> list[Part]:
    return [
        *low_utility(),
        reported("three language models", "pairs that turn far do not help in long contexts"),
    ]


@check("P-43")
def _high_frequency() -> list[Part]:
    names = {"back": "three back", "last": "last letter"}
    parts = []
    for one in trained.belonging("P-43"):
        rope = trained.plain(one, pairs="all")
        if one.setting.pairs == "slow" or rope is None:
            continue  # slow pairs alone are not what the paper proposes
        layers = ", two layers" if one.setting.layers == 2 else ""
        half = one.setting.encoding == trained.HALF
        name = f"half, {names[one.setting.task]}{layers}" if half else f"fast, {one.rate}"
        parts.append(trained.gain(name, one, rope))
    return parts
