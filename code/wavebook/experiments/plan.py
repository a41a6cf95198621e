"""What is trained, in which order, and how one setting is run from the choice of its rate to its test."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

from wavebook.experiments import stored
from wavebook.experiments.setting import COPY_LENGTHS, ENCODINGS, Setting
from wavebook.experiments.tasks import TASKS
from wavebook.experiments.train import examine, train

SEEDS = [0, 1, 2, 3, 4]
RATES = [0.01, 0.03, 0.1]
#: The seeds that a rate is chosen with, in runs of half the steps.
CHOICE_SEEDS = [0, 1]
#: After these steps the parameters are kept.
WATCH = [0, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500]

LARGE: dict[str, Any] = {"layers": 2, "heads": 4, "steps": 300}
#: Copying is learned late, so its sequences are shorter, its batches larger and its steps more.
COPYING: dict[str, Any] = {"layers": 2, "heads": 4, "steps": 2000, "trained": 16, "tested": 64, "batch": 16}
RANDOM = "sinusoidal, random starts"


def variations() -> list[Setting]:
    """One thing changed in the first task; they are trained with the rate of the unchanged setting."""
    return [
        *(Setting("back", encoding, shuffled=True) for encoding in (RANDOM, "RoPE")),
        *(Setting("back", RANDOM, pairs=pairs) for pairs in ("fast", "slow")),
        Setting("back", RANDOM, learn_omega=True),
        *(
            Setting("back", encoding, base=base)
            for base in (10.0, 100.0, 1e6)
            for encoding in (RANDOM, "RoPE")
        ),
        *(Setting("back", RANDOM, embedding_std=std) for std in (0.1, 10.0)),
    ]


def settings() -> list[Setting]:
    """All settings, in the order in which they are trained."""
    return [
        *(Setting("back", encoding) for encoding in ENCODINGS),
        *variations(),
        *(Setting("back", encoding, **LARGE) for encoding in ENCODINGS),
        *(Setting(task, encoding) for task in ("last", "fixed") for encoding in ENCODINGS),
        *(Setting(task, encoding, **LARGE) for task in ("last", "fixed") for encoding in ENCODINGS),
        *(Setting("copy", encoding, **COPYING) for encoding in ENCODINGS),
    ]


def chosen_rates(setting: Setting) -> dict[float, float]:
    """The loss that each rate ends with in short runs, in nats: the mean over two seeds and some steps."""
    if setting in variations():
        return {0.03: math.nan}  # what is chosen without the variation, with either encoding
    pairs = [(seed, rate) for rate in RATES for seed in CHOICE_SEEDS]
    half = setting.changed(steps=setting.steps // 2)
    _, losses = train(half, [seed for seed, _ in pairs], [rate for _, rate in pairs])
    tail = losses[-half.steps // 10 :].mean(0).reshape(len(RATES), -1).mean(1)
    return dict(zip(RATES, tail.tolist(), strict=True))


def run(setting: Setting, folder: Path) -> None:
    """Choose the rate of a setting, train its seeds, test them, and keep all; nothing if it is there."""

    def whole() -> dict[str, Any]:
        rates = chosen_rates(setting)
        rate = min(rates, key=rates.__getitem__)
        kept = {}

        def keep(step: int, parameters: dict[str, torch.Tensor]) -> None:
            kept[step] = {name: value.detach().clone() for name, value in parameters.items()}

        parameters, losses = train(setting, SEEDS, [rate] * len(SEEDS), watch=WATCH, seen=keep)
        if TASKS[setting.task].all_lengths:
            by_length = [examine(setting, parameters, length=n).sum(2) for n in COPY_LENGTHS]
            counts = np.stack(by_length, axis=2)  # (2, models, lengths)
        else:
            counts = examine(setting, parameters)  # (2, models, positions)
        return {
            "setting": setting,
            "choice": rates,
            "rate": rate,
            "losses": losses,
            "counts": counts,
            "parameters": parameters,
            "kept": kept if setting.layers == 1 and setting.encoding.startswith("sinusoidal") else {},
        }

    result = stored.keep_one(setting, folder, whole)
    if result is None:
        return
    counts = result["counts"]
    within = slice(0, setting.trained) if counts.shape[2] == setting.tested else slice(0, 8)
    accuracy = [
        counts[0][:, part].sum() / counts[1][:, part].sum() for part in (within, slice(within.stop, None))
    ]
    print(
        f"{setting.name}: rate {result['rate']}, {accuracy[0]:.3f} within, {accuracy[1]:.3f} beyond, "
        f"{result['seconds']:.0f} s",
        flush=True,
    )
