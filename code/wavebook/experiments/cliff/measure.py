"""What is measured of trained models, position by position: answers, where wrong ones come from, weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from wavebook.experiments.model import Parameters, logits, norm
from wavebook.experiments.setting import Setting
from wavebook.experiments.tasks import UNASKED, draw
from wavebook.experiments.train import TEST_SEQUENCES, positions_for

#: Up to so many tokens the models are tested with as many sequences as in the first experiment.
MANY = 320
#: And with so many beyond.
FEW_SEQUENCES = 25
#: Attention weights that are looked at at once.
AT_ONCE = 2**22

Measured = dict[str, NDArray[Any]]


def sources(
    said: NDArray[np.int64], tokens: NDArray[np.int64], wrong: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """How many wrong answers at each position are the token at each offset: (positions, offsets).

    All three of shape (sequences, positions). A token can occur more than once, so an answer may be counted
    at several offsets; by chance it is at each of them in one case of as many as there are tokens.
    """
    n = tokens.shape[1]
    found = np.zeros((n, n), np.int64)
    for offset in range(n):
        equal = (said[:, offset:] == tokens[:, : n - offset]) & wrong[:, offset:]
        found[offset:, offset] = equal.sum(0)
    return found


def by_offset(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Attention weights of (positions, keys) as (positions, offsets), 0 where there is no key."""
    n = len(weights)
    keys = np.subtract.outer(np.arange(n), np.arange(n))  # position - offset
    return np.where(keys >= 0, np.take_along_axis(weights, np.maximum(keys, 0), axis=1), 0)


@torch.no_grad()  # type: ignore[untyped-decorator]  # PyTorch is not looked into when types are checked
def measure(setting: Setting, parameters: Parameters) -> Measured:
    """Test the models with new sequences, the same for each setting of a task and a length.

    What is measured, by its name: `counts`, right answers and questions, of shape (2, models, positions);
    `sources`, wrong answers that are the token at an offset, (models, positions, offsets); `weights`, the
    mean attention weight of the first layer, all heads together, (models, positions, offsets). With RoPE and
    one head also `query` and `key`: the complex pairs of each token's query and key before they are turned,
    (models, tokens, pairs), divided so that the score is the real part of query times conjugate key times
    exp(i omega offset).
    """
    n, models = setting.tested, len(parameters["embed"])
    count = TEST_SEQUENCES if n <= MANY else FEW_SEQUENCES
    together = max(1, AT_ONCE // (n * n * setting.heads))
    counts = np.zeros((2, models, n), np.int64)
    found, weights = np.zeros((models, n, n), np.uint8), np.zeros((models, n, n), np.float32)
    for model in range(models):
        rng = [np.random.default_rng([model, n, 3])]
        own = {name: value[model : model + 1] for name, value in parameters.items()}
        drawn, wanted = draw(setting.task, rng, count, n, setting.back)
        positions = positions_for(setting, rng, n, testing=True)
        answers, total = [], np.zeros((n, n))
        for start in range(0, count, together):
            seen: list[torch.Tensor] = []
            tokens = torch.tensor(drawn[:, start : start + together])
            said = logits(setting, own, tokens, positions, attended=seen.append)
            answers.append(said.argmax(-1).numpy()[0])
            total += seen[0][0].mean(1).sum(0).double().numpy()
        answered, (token,), (target,) = np.concatenate(answers), drawn, wanted
        asked = target != UNASKED
        counts[:, model] = (answered == target).sum(0), asked.sum(0)
        found[model] = sources(answered, token, asked & (answered != target))
        weights[model] = by_offset(total / count)
    measured: Measured = {"counts": counts, "sources": found, "weights": weights}
    if setting.rotated and setting.layers == setting.heads == 1:
        read = norm(parameters["embed"])
        for name in ("query", "key"):
            pairs = (read @ parameters[f"{name[0]}0"]).unflatten(-1, (-1, 2)).numpy().astype(np.float64)
            measured[name] = (pairs[..., 0] + 1j * pairs[..., 1]) / setting.d_model**0.25
    return measured
