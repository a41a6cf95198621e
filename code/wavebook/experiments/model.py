"""Many small Transformers that are trained at once, with the positional encoding as a part to exchange.

Every parameter has a first axis for the models, and every product is one batched product: a single small
model would spend its time in calls. Pre-norm, causal, no dropout, no biases; RMS norm without a gain, so that
nothing but W_q and W_k acts on an encoding before the scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import torch
from torch.nn import functional

from posenc.biases import alibi_bias, alibi_slopes, t5_bucket
from wavebook.experiments.setting import Setting

Parameters = dict[str, torch.Tensor]


def initial(setting: Setting, vocabulary: int, seeds: list[int]) -> Parameters:
    """Parameters at the start, drawn from a generator of its own for each model."""
    d, layers = setting.d_model, setting.layers
    shapes = {"embed": (vocabulary, d), "out": (d, vocabulary)}
    for layer in range(layers):
        shapes |= {f"{name}{layer}": (d, d) for name in ("q", "k", "v", "o")}
        shapes |= {f"up{layer}": (d, 2 * d), f"down{layer}": (2 * d, d)}
    if setting.encoding == "learned":
        shapes["table"] = (setting.tested, d)
    drawn: dict[str, list[torch.Tensor]] = {name: [] for name in shapes}
    for seed in seeds:
        generator = torch.Generator().manual_seed(seed)
        for name, shape in shapes.items():
            # Products keep the size of what they act on; a learned table starts as large as sinusoids are.
            std = {"embed": setting.embedding_std, "table": math.sqrt(0.5)}.get(name, shape[0] ** -0.5)
            drawn[name].append(std * torch.randn(shape, generator=generator))
    made = {name: torch.stack(values) for name, values in drawn.items()}
    if setting.encoding == "T5 bias":
        made["buckets"] = torch.zeros(len(seeds), setting.heads, 32)
    if setting.encoding == "PoPE":
        made["phase"] = torch.zeros(len(seeds), setting.heads, d // setting.heads)
    if setting.learn_omega:
        made["omega"] = used_frequencies(setting).log().expand(len(seeds), -1).clone()
    return made


def used_frequencies(setting: Setting) -> torch.Tensor:
    """The frequencies of the encoding, in radians per position; 0 for pairs that are left out."""
    return torch.tensor(setting.omega, dtype=torch.float32)


def waves(positions: torch.Tensor, omega: torch.Tensor) -> torch.Tensor:
    """Sines and cosines, interleaved: (..., n) and (..., d/2) to (..., n, d)."""
    angles = positions[..., None] * omega[..., None, :]
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


def turn(
    vectors: torch.Tensor, positions: torch.Tensor, omega: torch.Tensor, *, narrow: bool = False
) -> torch.Tensor:
    """The first entries of queries or keys turned by their positions: (..., n, size) to the same.

    With `narrow`, cosines and sines are rounded to bfloat16.
    """
    pairs = vectors[..., : 2 * omega.shape[-1]].unflatten(-1, (-1, 2))
    angles = positions[..., None] * omega
    sin, cos = angles.sin(), angles.cos()
    if narrow:
        sin, cos = (values.bfloat16().float() for values in (sin, cos))
    x, y = pairs.unbind(-1)
    turned = torch.stack([x * cos - y * sin, x * sin + y * cos], dim=-1).flatten(-2)
    return torch.cat([turned, vectors[..., turned.shape[-1] :]], dim=-1)


def polar(
    vectors: torch.Tensor, positions: torch.Tensor, omega: torch.Tensor, phase: torch.Tensor | None = None
) -> torch.Tensor:
    """Entries as non-negative sizes at the angles of their positions: (..., n, size) to (..., n, 2 size).

    As in Gopalakrishnan et al. (2025); `phase` is added to the angles, (..., 1, size).
    """
    angles = positions[..., None] * omega
    if phase is not None:
        angles = angles + phase
    sizes = functional.softplus(vectors)
    return torch.cat([sizes * angles.cos(), sizes * angles.sin()], dim=-1)


def norm(x: torch.Tensor) -> torch.Tensor:
    """Each vector divided by the root mean square of its entries."""
    return x * (x.square().mean(-1, keepdim=True) + 1e-6).rsqrt()


def bias(setting: Setting, parameters: Parameters, n: int) -> torch.Tensor:
    """What is added to the scores, the causal mask included: (models or 1, 1, heads, n, n)."""
    mask = torch.full((n, n), -torch.inf).triu(1)
    if setting.encoding == "ALiBi":
        slopes = [alibi_bias(n, slope) for slope in alibi_slopes(setting.heads)]
        mask = mask + torch.tensor(np.array(slopes), dtype=torch.float32)
    if setting.encoding == "T5 bias":
        offsets = np.subtract.outer(np.arange(n), np.arange(n)).T
        chosen = functional.one_hot(torch.tensor(t5_bucket(offsets, causal=True)), 32).float()
        return mask + (parameters["buckets"] @ chosen.flatten(0, 1).T).unflatten(-1, (n, n))[:, None]
    return mask.expand(1, 1, setting.heads, n, n)


def logits(
    setting: Setting,
    parameters: Parameters,
    tokens: torch.Tensor,
    positions: torch.Tensor,
    omega: torch.Tensor | None = None,
    attended: Callable[[torch.Tensor], None] = lambda weights: None,
    passed: Callable[[torch.Tensor], None] = lambda x: None,
) -> torch.Tensor:
    """What each model says at each position, before the softmax.

    From tokens (models, batch, n) at positions (models or 1, batch or 1, n) to (models, batch, n,
    vocabulary); `omega` replaces the frequencies, of shape (pairs,); `attended` is called with the attention
    weights of each layer, (models, batch, heads, n, n), and `passed` with what goes into the first layer and
    comes out of each, (models, batch, n, d).
    """
    models, batch, n = tokens.shape
    vocabulary = parameters["embed"].shape[1]
    own_rows = tokens + vocabulary * torch.arange(models)[:, None, None]
    x = functional.embedding(own_rows, parameters["embed"].flatten(0, 1))  # (models, batch, n, d)
    if omega is None:
        omega = used_frequencies(setting)
        if setting.learn_omega:
            omega = parameters["omega"].exp()[:, None]
            omega = omega[:, None, None] if setting.rotated else omega
    if setting.encoding == "learned":
        x = x + parameters["table"][:, None, :n]
    elif setting.encoding.startswith("sinusoidal"):
        # A pair whose frequency is 0 has been left out: no sine, and no cosine either.
        x = x + waves(positions, omega) * (omega != 0).repeat_interleave(2, dim=-1)[..., None, :]
    added = bias(setting, parameters, n)
    passed(x)

    def product(x: torch.Tensor, name: str) -> torch.Tensor:
        return (x.flatten(1, 2) @ parameters[name]).unflatten(1, (batch, n))

    def by_head(x: torch.Tensor, name: str) -> torch.Tensor:
        return product(x, name).unflatten(-1, (setting.heads, -1)).transpose(2, 3)

    for layer in range(setting.layers):
        read = norm(x)
        query, key, value = (by_head(read, f"{name}{layer}") for name in "qkv")
        if setting.rotated:
            query, key = (turn(v, positions[:, :, None], omega, narrow=setting.narrow) for v in (query, key))
        if setting.encoding == "PoPE":
            query = polar(query, positions[:, :, None], omega)
            key = polar(key, positions[:, :, None], omega, parameters["phase"][:, None, :, None])
        scores = query @ key.transpose(-1, -2) / math.sqrt(value.shape[-1]) + added
        weights = scores.softmax(-1)
        attended(weights)
        mixed = (weights @ value).transpose(2, 3).flatten(-2)  # (models, batch, n, d)
        x = x + product(mixed, f"o{layer}")
        x = x + product(product(norm(x), f"up{layer}").relu(), f"down{layer}")
        passed(x)
    return product(norm(x), "out")
