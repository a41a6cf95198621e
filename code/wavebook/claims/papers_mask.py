"""Checks of what papers of wavebook/data/papers.yml say about causal masks and no encoding."""

from __future__ import annotations

import numpy as np

from posenc.arguments import Float
from wavebook.attention import causal_mask, self_attention
from wavebook.claims import trained
from wavebook.claims.finding import Part, aside, check, digits, reported, same, says
from wavebook.claims.trained import tell
from wavebook.experiments import further


def _layers(x: Float, layers: int) -> Float:
    for _ in range(layers):
        x = x + self_attention(x, bias=causal_mask(len(x)))[0]
    return x


@check("P-07")
def _necessity() -> list[Part]:
    tokens = np.random.default_rng(0).normal(size=(6, 8)) / 2
    order = np.array([0, 2, 1, 3, 4, 5])
    plain = abs(self_attention(tokens[order])[0] - self_attention(tokens)[0][order]).max()
    masked = abs(_layers(tokens[order], 2)[-1] - _layers(tokens, 2)[-1]).max()
    return [
        same("change of the outputs without a mask, up to their order", plain),
        says("masked", digits(masked, 3), masked < 1e-9),
    ]


@check("P-08")
def _mask_alone() -> list[Part]:
    def first_to_last(deviation: float) -> float:
        rng = np.random.default_rng(0)
        scores = np.zeros(64)
        for _ in range(200):
            out = self_attention(deviation * rng.normal(size=(64, 64)), bias=causal_mask(64))[0]
            scores += (out * out).sum(axis=1)
        return float(scores[0] / scores[-1])

    half, one = first_to_last(0.5), first_to_last(1.0)
    return [
        says("ratio", digits(half, 1), half > 1.2),
        says("deviation one", digits(one), one > 1.2),
    ]


@check("P-15")
def _dropped() -> list[Part]:
    def run(asked: str, task: str = "last") -> trained.Tested:
        return trained.run_of(task, "RoPE", rate=0.01, asked=asked, **further.TWO_LAYERS)

    rope, dropped = run("with RoPE"), run("dropped")
    never = trained.run_of("last", "none", rate=0.01, **further.TWO_LAYERS)
    parts = [tell("dropped", dropped.beyond)]
    for rate in (0.003, 0.01):
        tuned, back = (run(f"dropped, tuned at {rate}", task) for task in ("last", "back"))
        parts += [
            tell(f"tuned, within, {rate}", tuned.within),
            tell(f"tuned, beyond, {rate}", tuned.beyond),
            tell(f"three back, within, {rate}", back.within),
            tell(f"three back, beyond, {rate}", back.beyond),
        ]
    return [
        tell("RoPE, within", rope.within),
        tell("RoPE, beyond", rope.beyond),
        *parts,
        tell("dropped, within", dropped.within),
        tell("never, within", never.within),
        tell("never, beyond", never.beyond),
        reported("language models", "the context grows without training on long texts"),
    ]


@check("P-26")
def _early() -> list[Part]:
    n, layers = 64, 3
    even = np.tri(n) / np.arange(1, n + 1)[:, None]

    def early(step: Float) -> float:
        return float(np.linalg.matrix_power(step, layers)[-1, : n // 4].sum())

    bias, residual = early(even), early((even + np.eye(n)) / 2)
    sharp = early(0.01 * even + 0.99 * np.eye(n))
    return [
        aside("first quarter", digits(bias)),
        aside("with residuals", digits(residual)),
        aside("sharp", digits(sharp)),
        says("from the first quarter, equal scores", digits(bias), bias > 0.5),
        says("from the first quarter, with residuals", digits(residual), residual > 0.25),
        says("from the first quarter, 0.99 of the weight on itself", digits(sharp), sharp > 0.25),
    ]


def _neighbors(layers: int, *, residual: bool) -> tuple[float, float]:
    """Mean cosine of neighbors and of tokens at least 20 apart, after masked layers with random weights."""
    rng, near, far = np.random.default_rng(0), [], []
    offsets = np.subtract.outer(np.arange(48), np.arange(48))
    for _ in range(40):
        x = rng.normal(size=(48, 32))
        for _ in range(layers):
            query, key, value = rng.normal(size=(3, 32, 32)) / 32**0.5
            out = self_attention(x, query, key, value, bias=causal_mask(48))[0]
            x = x + out if residual else out
            x = x / np.linalg.norm(x, axis=1, keepdims=True) * 32**0.5
        cosines = x @ x.T / 32
        near.append(cosines[offsets == 1].mean())
        far.append(cosines[offsets >= 20].mean())
    return float(np.mean(near)), float(np.mean(far))


@check("P-28")
def _nearby() -> list[Part]:
    plain, added = _neighbors(2, residual=False), _neighbors(2, residual=True)
    return [
        aside("near", digits(plain[0])),
        aside("far", digits(plain[1])),
        aside("near, residual", digits(added[0])),
        aside("far, residual", digits(added[1])),
        says("neighbors more alike, by", digits(plain[0] - plain[1]), plain[0] - plain[1] > 0.02),
        says("with residual connections, by", digits(added[0] - added[1]), added[0] - added[1] > 0.02),
    ]
