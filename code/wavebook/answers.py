"""What the answers to questions compute with small random models, where no formula says it."""

from __future__ import annotations

import math

import numpy as np

from posenc.arguments import Float
from posenc.biases import alibi_bias, alibi_slopes
from posenc.rope import apply_rope
from posenc.table import encoding_table
from wavebook.attention import self_attention, softmax


def exchanged(decay: float) -> float:
    """How far the state of a recurrence with a `decay` moves where two of six tokens are exchanged."""
    rows = np.random.default_rng(0).normal(size=(2, 6, 4))  # keys and values

    def state(*order: int) -> Float:
        aged = [decay ** (5 - age) * np.outer(*rows[:, token]) for age, token in enumerate(order)]
        total: Float = np.stack(aged).sum(axis=0)
        return total

    return float(np.abs(state(0, 3, 2, 1, 4, 5) - state(*range(6))).max())


def read_backward(*, one_sided: bool) -> float:
    """How far two layers of heads with slopes are from reading a sequence backward as they read it forward.

    Heads look to both sides, or `one_sided` every other one to each.
    """
    n, width, heads = 24, 32, 4
    chance = np.random.default_rng(8)
    tokens = chance.normal(size=(n, width))
    maps = chance.normal(size=(2, heads, 3, width, width // heads)) / math.sqrt(width)
    sides = np.subtract.outer(np.arange(n), np.arange(n))
    biases = [alibi_bias(n, slope) for slope in alibi_slopes(heads)]
    if one_sided:
        biases = [np.where((-1) ** one * sides >= 0, bias, -np.inf) for one, bias in enumerate(biases)]

    def encode(x: Float) -> Float:
        for layer in maps:
            heads = zip(layer.swapaxes(2, 3), biases, strict=True)
            x = x + np.concatenate([self_attention(x, *maps, bias=bias)[0] for maps, bias in heads], axis=1)
        return x

    return float(np.abs(encode(tokens[::-1])[::-1] - encode(tokens)).max())


def one_token_again(n: int, window: int) -> Float:
    """A start and one token n - 1 times, after two causal layers with RoPE that see a `window`: (n, 32)."""
    start, again = np.random.default_rng(8).normal(size=(2, 32))
    x, places = np.stack([start, *[again] * (n - 1)]), np.arange(n)
    back = np.subtract.outer(places, places)
    for q, k, v in np.random.default_rng(8).normal(size=(2, 3, 32, 32)) / math.sqrt(32):
        scores = apply_rope(x @ q, places) @ apply_rope(x @ k, places).T / math.sqrt(32)
        x = x + softmax(np.where((back >= 0) & (back < window), scores, -np.inf)) @ (x @ v)
    return x


def nearest_own(d_model: int) -> int:
    """How many of 1000 encodings are nearest to their own row after dropout of a tenth of the entries."""
    table, keep = encoding_table(1000, d_model), np.random.default_rng(0).random((1000, d_model)) >= 0.1
    distances = (table**2).sum(axis=1) - 2 * (table * keep / 0.9) @ table.T
    return int((distances.argmin(axis=1) == np.arange(1000)).sum())


def convolved(padding: str) -> Float:
    """Equal tokens behind four convolutions of width three: how far each is from one in the middle."""
    x = np.ones((24, 8))
    for kernel in np.random.default_rng(8).normal(size=(4, 3, 8, 8)) / math.sqrt(3 * 8):
        around = np.pad(x, ((1, 1), (0, 0)), padding)  # type: ignore[call-overload]  # a name of NumPy's
        x = np.tanh(sum(around[place : place + 24] @ matrix for place, matrix in enumerate(kernel)))
    off: Float = np.abs(x - x[12]).max(axis=1)
    return off
