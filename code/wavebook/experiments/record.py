"""Everything that was trained, written into the package as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from wavebook.experiments import stored
from wavebook.experiments.plan import RATES, settings
from wavebook.experiments.probe import probe
from wavebook.experiments.setting import Setting
from wavebook.experiments.train import examine, train

#: Losses are kept as means over so many steps.
EVERY = 10
#: The run that the tests repeat: a setting, its seeds and its rate.
SMOKE = Setting("back", "sinusoidal, random starts", steps=60), [0, 1], 0.03


def small(setting: Setting, seeds: list[int], rate: float) -> dict[str, list[float]]:
    """A run of seconds: its last losses, in nats, and its accuracies within the trained length."""
    parameters, losses = train(setting, seeds, [rate] * len(seeds))
    right, asked = examine(setting, parameters, length=setting.trained)
    return {
        "losses": losses[-EVERY:].mean(0).round(4).tolist(),
        "accuracies": (right.sum(1) / asked.sum(1)).round(4).tolist(),
    }


def smoke() -> dict[str, list[float]]:
    """The run that the tests repeat."""
    return small(*SMOKE)


def record(folder: Path) -> None:
    """Write results.json, which can be read, and results.npz beside it, with the arrays."""
    arrays: dict[str, Any] = {}
    runs = []
    for setting, kept in stored.kept(settings(), folder):
        blocks = kept["losses"][: len(kept["losses"]) // EVERY * EVERY].reshape(
            -1, EVERY, len(kept["counts"][0])
        )
        arrays[f"counts/{setting.name}"] = kept["counts"].astype(np.int16)
        arrays[f"losses/{setting.name}"] = blocks.mean(1).astype(np.float16)
        choice = {
            str(rate): round(loss, 4)
            for rate, loss in kept["choice"].items()
            if rate in RATES and loss == loss
        }
        runs.append(
            {"name": setting.name, "setting": vars(setting), "rate": kept["rate"], "choice": choice}
            | {"seconds": round(kept["seconds"])}
        )
    for name, found in probe(folder).items():
        arrays[f"probe/{name}"] = found.astype(np.float16 if found.dtype.kind == "f" else np.int16)
    stored.write("wavebook.experiments", "results", arrays, runs, smoke=smoke())
