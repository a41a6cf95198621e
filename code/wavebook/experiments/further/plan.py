"""What is trained beside the two experiments of the chapter on training, and what is asked of it.

Each job is one trial, a setting with one learning rate and ten seeds, and one thing that is asked. Nothing is
chosen by its results: each rate that is named here is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from wavebook.experiments import stored
from wavebook.experiments.cliff.plan import RATES, SEEDS, TWO_LAYERS, back
from wavebook.experiments.cliff.trial import Trial
from wavebook.experiments.model import Parameters, initial, logits, norm
from wavebook.experiments.probe import TUNING
from wavebook.experiments.setting import Setting
from wavebook.experiments.tasks import TASKS, draw
from wavebook.experiments.train import examine, train

Answers = dict[str, NDArray[Any]]
#: Of the folder of results, the part that is of this package.
PLACE = "further"
RANDOM_ROPE = "RoPE, random positions"
DEEP: dict[str, Any] = {"layers": 6, "heads": 2, "steps": 600}
#: Steps and learning rates after the encoding was dropped.
AFTER = [(100, 0.003), (100, 0.01)]
#: Sequences that a linear map is fitted to, and as many that it is tested with.
READ = 64


def tested(setting: Setting, parameters: Parameters) -> Answers:
    """Right answers and questions by position."""
    return {"tested": examine(setting, parameters)}


def dropped(setting: Setting, parameters: Parameters) -> Answers:
    """The same without RoPE: at once, and after some steps more on sequences of the trained length."""
    bare = setting.changed(encoding="none")
    found = {"with RoPE": examine(setting, parameters), "dropped": examine(bare, parameters)}
    for steps, rate in AFTER:
        tuned, _ = train(bare.changed(steps=steps), SEEDS, [rate] * len(SEEDS), parameters=parameters)
        found[f"dropped, tuned at {rate}"] = examine(bare, tuned)
    return found


def lengthened(setting: Setting, parameters: Parameters) -> Answers:
    """A learned table made longer in three ways, and each after some steps on the longer sequences."""
    rows, n = parameters["table"][:, : setting.trained], setting.tested
    at = torch.arange(n) * (setting.trained - 1) / (n - 1)
    low = at.floor().long().clamp(max=setting.trained - 2)
    part = (at - low)[:, None]
    tables = {
        "untrained rows": parameters["table"],
        "repeated": rows[:, torch.arange(n) % setting.trained],
        "stretched": (1 - part) * rows[:, low] + part * rows[:, low + 1],
    }
    steps, rate = TUNING
    found: Answers = {}
    for name, table in tables.items():
        longer = parameters | {"table": table}
        found[name] = examine(setting, longer)
        long = setting.changed(trained=n, steps=steps)
        tuned, _ = train(long, SEEDS, [rate] * len(SEEDS), parameters=longer)
        found[f"{name}, tuned"] = examine(setting, tuned)
    return found


def narrowed(setting: Setting, parameters: Parameters) -> Answers:
    """With cosines and sines as they are, and rounded to bfloat16."""
    return {
        "float32": examine(setting, parameters),
        "bfloat16": examine(setting.changed(narrow=True), parameters),
    }


@torch.no_grad()  # type: ignore[untyped-decorator]  # PyTorch is not looked into when types are checked
def read(setting: Setting, parameters: Parameters) -> Answers:
    """How often a linear map of the state tells the position, before the first layer and after each.

    Fitted by least squares to some sequences and tested with others, for models that begin and that are
    trained: (2, models, layers + 1), the fraction of positions within the trained length that are told.
    """
    n, found = setting.trained, []
    for weights in (initial(setting, TASKS[setting.task].vocabulary, SEEDS), parameters):
        generators = [np.random.default_rng([seed, 4]) for seed in SEEDS]
        tokens, _ = draw(setting.task, generators, 2 * READ, n, setting.back)
        states: list[torch.Tensor] = []
        positions = torch.arange(n, dtype=torch.float32)[None, None]
        logits(setting, weights, torch.tensor(tokens), positions, passed=states.append)
        found.append(
            [
                [_told(state[model].double().numpy()) for state in map(norm, states)]
                for model in range(len(SEEDS))
            ]
        )
    return {"told": np.array(found)}


def _told(states: NDArray[np.float64]) -> float:
    """The fraction of positions that a linear map tells, of states (sequences, positions, d)."""
    n = states.shape[1]
    states = np.concatenate([states, np.ones((*states.shape[:2], 1))], axis=2)
    fitted, other = (part.reshape(-1, part.shape[2]) for part in (states[:READ], states[READ:]))
    wanted = np.tile(np.eye(n), (READ, 1))
    weights = np.linalg.lstsq(
        fitted.T @ fitted + 1e-6 * np.eye(fitted.shape[1]), fitted.T @ wanted, rcond=None
    )[0]
    return float(((other @ weights).argmax(1) == np.tile(np.arange(n), READ)).mean())


@dataclass(frozen=True)
class Job:
    """One trial and what is asked of it."""

    ask: Callable[[Setting, Parameters], Answers]
    trial: Trial

    @property
    def name(self) -> str:
        """What is asked, the setting and the rate, in one line."""
        return f"{self.ask.__name__}: {self.trial.name}"


def jobs() -> list[Job]:
    """All jobs, in the order in which they are run."""
    one_layer = [
        *(back(base=base) for base in (8.0, 16.0, 64.0, 128.0)),
        back(base=16.0, trained=16),
        back(base=64.0, trained=64),
        *(back(pairs=half) for half in ("fast", "slow")),
        *(Setting(task, "PoPE") for task in ("back", "last", "near")),
        *(Setting(task, RANDOM_ROPE) for task in ("back", "last", "near")),
    ]
    two_layers = [Setting(task, name, **TWO_LAYERS) for name in ("PoPE", "none") for task in ("back", "last")]
    return [
        *(Job(tested, Trial(setting, rate)) for setting in one_layer for rate in RATES),
        *(Job(narrowed, Trial(back(spectrum), 0.03)) for spectrum in ("geometric", "difference set 8")),
        *(Job(lengthened, Trial(Setting("back", "learned"), rate)) for rate in RATES),
        *(Job(read, Trial(Setting("back", name, **DEEP), 0.01)) for name in ("sinusoidal", "RoPE", "none")),
        *(Job(tested, Trial(setting, 0.01)) for setting in two_layers),
        *(Job(dropped, Trial(Setting(task, "RoPE", **TWO_LAYERS), 0.01)) for task in ("back", "last")),
    ]


def run(job: Job, folder: Path) -> None:
    """Train the seeds of a job, ask, and keep the answers; nothing if they are there."""

    def whole() -> dict[str, Any]:
        setting = job.trial.setting
        parameters, losses = train(setting, SEEDS, [job.trial.rate] * len(SEEDS))
        found = job.ask(setting, parameters)
        return {
            "losses": losses,
            "found": found,
        }

    result = stored.keep_one(job, folder / PLACE, whole)
    if result is not None:
        loss = result["losses"][-10:].mean()
        print(f"{job.name}: last loss {loss:.3f}, {result['seconds']:.0f} s", flush=True)
