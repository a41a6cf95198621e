"""Checks of what papers of wavebook/data/papers.yml say about inputs longer than trained."""

from __future__ import annotations

from math import log

import numpy as np

from posenc import frequencies, wavelengths
from posenc.arguments import Float
from posenc.context import yarn, yarn_scale
from posenc.precision import rounded
from posenc.rope import apply_rope
from wavebook.claims import trained
from wavebook.claims.finding import Part, aside, check, digits, exactly, reported, same, says
from wavebook.claims.papers_language import undertrained
from wavebook.claims.trained import tell


@check("P-19")
def _resonance() -> list[Part]:
    length, waves = 1024, wavelengths(128)
    fast = waves[waves <= length]
    places = np.arange(length, 4 * length)

    def gap(wave: float) -> float:
        """The largest distance of a later angle to the nearest trained one, on the circle of radius one."""
        trained = np.sort(np.arange(length) * 2 * np.pi / wave % (2 * np.pi))
        later = places * 2 * np.pi / wave % (2 * np.pi)
        around = np.concatenate([trained[-1:] - 2 * np.pi, trained, trained[:1] + 2 * np.pi])
        at = np.searchsorted(around, later)
        near = np.minimum(around[at] - later, later - around[at - 1])
        return float(2 * np.sin(near / 2).max())

    return [
        aside("pairs", len(fast)),
        aside("gap", digits(max(gap(wave) for wave in fast))),
        same("largest gap of the pairs with whole wavelengths", max(gap(round(wave)) for wave in fast)),
        says(
            "slowest pair with a whole wavelength: gap",
            digits(gap(round(waves[-1]))),
            gap(round(waves[-1])) < 1e-9,
        ),
    ]


@check("P-20")
def _undertrained() -> list[Part]:
    slow = int((wavelengths(128, 5e5) > 8192).sum())
    return [
        aside("slow pairs", slow),
        *undertrained(),
        reported("LLaMA3-8B and Phi3-mini", "experiments validate the hypothesis"),
    ]


def _largest_weight(n: float, gap: float) -> float:
    """The largest softmax weight of n scores of which one is larger than the others by a gap."""
    return float(1 / (1 + (n - 1) * np.exp(-gap)))


@check("P-31")
def _fading() -> list[Part]:
    hundred, million = _largest_weight(100, 5), _largest_weight(1e6, 5)
    growing = _largest_weight(1e6, 2 * log(1e6))
    return [
        aside("a hundred", digits(hundred)),
        aside("a million", digits(million, 4)),
        aside("growing gap", digits(growing)),
        says("scores in a fixed range, a million of them", digits(million, 4), million < 0.001),
        says("a gap that grows", digits(growing), growing < 0.001),
    ]


@check("P-32")
def _disperse() -> list[Part]:
    bound, thousand = _largest_weight(1e6, 10), _largest_weight(1e3, 10)
    nearest = 1 / np.exp(-np.arange(10**6) / 2).sum()
    return [
        aside("bound", digits(bound, 3)),
        aside("thousand", digits(thousand)),
        aside("slope", digits(nearest)),
        says("bound for a million scores", digits(bound, 3), bound < 0.05),
        says("largest weight of a million with ALiBi's slope", digits(nearest), nearest < 0.05),
    ]


def _last_token(n: int) -> Float:
    """What the last of n tokens gets in one causal layer with RoPE: n - 1 equal ones, and another."""
    one, zero = np.random.default_rng(0).normal(size=(2, 32)) / 2
    x = np.concatenate([np.tile(one, (n - 1, 1)), zero[None]])
    scores = apply_rope(x, np.arange(n)) @ apply_rope(zero[None], [n - 1])[0] / 32**0.5
    weights = np.exp(scores - scores.max())
    mixed: Float = x[-1] + weights @ x / weights.sum()
    return mixed


@check("P-33")
def _collapse() -> list[Part]:
    def apart(n: int) -> float:
        return float(abs(_last_token(n + 1) - _last_token(n)).max())

    def same_rounded(n: int) -> bool:
        return bool((rounded(_last_token(n + 1), "bfloat16") == rounded(_last_token(n), "bfloat16")).all())

    equal = next(n for n in range(10, 4000, 10) if same_rounded(n))
    return [
        aside("at 10", digits(apart(10), 3)),
        aside("at 100", digits(apart(100), 5)),
        aside("equal from", equal),
        says(
            "difference at 100 over that at 10",
            digits(apart(100) / apart(10), 3),
            apart(100) < 0.1 * apart(10),
        ),
        says("equal in bfloat16 at", equal, apart(equal) > 0),
    ]


@check("P-35")
def _static() -> list[Part]:
    changed = int((yarn(128, 4, 1e6, length=32_768) < frequencies(128, 1e6) * (1 - 1e-9)).sum())
    return [
        aside("changed", changed),
        aside("factor", digits(yarn_scale(4) ** 2)),
        says("pairs that turn slower in a prompt of any length", changed, changed > 0),
        reported("Qwen3", "performance on shorter texts is potentially impacted"),
    ]


def _merge_positions(length: int, group: int, window: int) -> int:
    """The largest relative position that SelfExtend's program gives in a sequence of this length."""
    last = length - 1
    return last // group + window - window // group


@check("P-39")
def _self_extend() -> list[Part]:
    length = max(n for n in range(4096, 20_000) if _merge_positions(n, 5, 1024) < 4096)
    largest = _merge_positions(15_800, 5, 1024)
    return [
        aside("length", length),
        aside("largest", largest),
        exactly("longest input", 16_384, length),
        exactly("largest position in the example", 3979, largest),
    ]


@check("P-42")
def _random_positions() -> list[Part]:
    last, back, near = (trained.run_of(task, trained.RANDOM) for task in ("last", "back", "near"))
    return [
        tell("last, within", last.within),
        tell("last, beyond", last.beyond),
        tell("last, whole", trained.run_of("last", "RoPE").beyond),
        tell("back, within", back.within),
        tell("near, within", near.within),
        says(
            "last letter: lost beyond the trained length",
            digits(last.within - last.beyond),
            last.within - last.beyond < trained.rerun(),
        ),
        says("three back: learned", digits(back.within), back.within > 0.9),
    ]
