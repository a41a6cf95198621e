"""Training and testing of the models of one setting, all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from wavebook.experiments.model import Parameters, initial, logits
from wavebook.experiments.setting import Setting
from wavebook.experiments.tasks import TASKS, UNASKED, draw

#: How many sequences a model is tested with, at each length.
TEST_SEQUENCES = 100


def positions_for(
    setting: Setting, seeds: list[np.random.Generator], n: int, *, testing: bool
) -> torch.Tensor:
    """The positions of the tokens: (models, batch, n), or (1, 1, n) where they simply count from 0.

    Random starts are whole numbers, in training alone. Random positions are real numbers in order, in the
    test too, as in Ruoss et al. (2023).
    """
    batch = TEST_SEQUENCES if testing else setting.batch
    if setting.encoding.endswith("random positions"):
        drawn = [np.sort(rng.random((batch, n)) * setting.tested, axis=1) for rng in seeds]
        return torch.tensor(np.array(drawn), dtype=torch.float32)
    count = torch.arange(n, dtype=torch.float32)[None, None]
    if setting.random and not testing:
        starts = [rng.integers(setting.tested - n + 1, size=(batch, 1)) for rng in seeds]
        return count + torch.tensor(np.array(starts), dtype=torch.float32)
    return count


def loss_of(said: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The mean cross-entropy of each model, in nats: (models, batch, n, vocabulary) to (models,)."""
    each = functional.cross_entropy(
        said.flatten(0, 2), targets.flatten(), ignore_index=UNASKED, reduction="none"
    )
    each = each.unflatten(0, (len(targets), -1))
    return each.sum(1) / (targets != UNASKED).flatten(1).sum(1)


def train(
    setting: Setting,
    seeds: list[int],
    rates: list[float],
    *,
    parameters: Parameters | None = None,
    watch: Iterable[int] = (),
    seen: Callable[[int, Parameters], None] = lambda step, parameters: None,
    omega: torch.Tensor | None = None,
) -> tuple[Parameters, NDArray[np.float32]]:
    """Train one model for each pair of a seed and a learning rate, as one batch.

    Models with the same seed begin with the same parameters and read the same sequences, whatever their
    learning rate. Adam; the rate rises over the first 50 steps and then falls to 0 in a straight line.

    Where to go on from is drawn from the seeds if no `parameters` are given. `seen` is called with the step
    and the parameters after as many steps as `watch` says, and `omega` takes the place of the setting's.
    Returned are the parameters, each with a first axis for the models, and the losses, (steps, models).
    """
    task, watch = TASKS[setting.task], set(watch)
    own = sorted(set(seeds))
    generators = [np.random.default_rng([seed, 1]) for seed in own]
    place = [own.index(seed) for seed in seeds]
    shuffle = np.random.default_rng(0)
    if parameters is None:
        parameters = initial(setting, task.vocabulary, seeds)
    parameters = {name: value.clone().requires_grad_() for name, value in parameters.items()}
    first = {name: torch.zeros_like(value) for name, value in parameters.items()}
    second = {name: torch.zeros_like(value) for name, value in parameters.items()}
    rate, losses = torch.tensor(rates), []
    if 0 in watch:
        seen(0, parameters)
    for step in range(1, setting.steps + 1):
        n = setting.trained
        if task.all_lengths:
            n = 2 * int(np.random.default_rng([step, 2]).integers(1, n // 2 + 1))
        tokens, targets = draw(setting.task, generators, setting.batch, n, setting.back)
        if setting.shuffled:
            asked = targets != UNASKED
            targets[asked] = shuffle.permutation(targets[asked])
        positions = positions_for(setting, generators, n, testing=False)
        if len(positions) > 1:
            positions = positions[place]
        said = logits(setting, parameters, torch.tensor(tokens[place]), positions, omega)
        loss = loss_of(said, torch.tensor(targets[place]))
        loss.sum().backward()
        losses.append(loss.detach().numpy())
        now = rate * min(step / 50, (setting.steps + 1 - step) / max(setting.steps - 50, 1))
        with torch.no_grad():
            for name, value in parameters.items():
                gradient = value.grad
                first[name].lerp_(gradient, 0.1)
                second[name].mul_(0.99).addcmul_(gradient, gradient, value=0.01)
                size = (second[name] / (1 - 0.99**step)).sqrt_().add_(1e-8)
                by = (now / (1 - 0.9**step)).view(-1, *[1] * (value.ndim - 1))
                value.sub_(by * first[name] / size)
                value.grad = None
        if step in watch:
            seen(step, parameters)
    return {name: value.detach() for name, value in parameters.items()}, np.array(losses)


@torch.no_grad()  # type: ignore[untyped-decorator]  # PyTorch is not looked into when types are checked
def examine(
    setting: Setting,
    parameters: Parameters,
    *,
    length: int | None = None,
    omega: torch.Tensor | None = None,
    change: Callable[[torch.Tensor], torch.Tensor] = lambda positions: positions,
) -> NDArray[np.int64]:
    """How many of :data:`TEST_SEQUENCES` new sequences are answered rightly at each position.

    The `length` of each is the setting's `tested` if it is not given, and `omega` takes the place of the
    setting's; `change` is applied to the positions before they are encoded. Right answers, and questions, are
    of shape (2, models, length).
    """
    n = setting.tested if length is None else length
    models = len(parameters["embed"])
    right, asked = [], []
    for model in range(models):  # one after another: long sequences together would need gigabytes
        rng = [np.random.default_rng([model, n, 3])]
        own = {name: value[model : model + 1] for name, value in parameters.items()}
        tokens, targets = draw(setting.task, rng, TEST_SEQUENCES, n, setting.back)
        positions = change(positions_for(setting, rng, n, testing=True))
        said = logits(setting, own, torch.tensor(tokens), positions, omega).argmax(-1).numpy()
        right.append((said == targets).sum((0, 1)))
        asked.append((targets != UNASKED).sum((0, 1)))
    return np.stack([right, asked])
