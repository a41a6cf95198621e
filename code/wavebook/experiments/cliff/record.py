"""What was trained to see where a Transformer breaks, written into the package as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments import stored
from wavebook.experiments.cliff.plan import PLACE, SEEDS, back, trials
from wavebook.experiments.cliff.trial import Trial
from wavebook.experiments.record import EVERY, small
from wavebook.experiments.setting import Setting

#: The run that the tests repeat: a trial and its seeds.
SMOKE = Trial(back("difference set 5", steps=60), 0.03), [0, 1]


def smoke() -> dict[str, list[float]]:
    """A run of seconds: its last losses, in nats, and its accuracies within the trained length."""
    trial, seeds = SMOKE
    return small(trial.setting, seeds, trial.rate)


def shown(trial: Trial) -> bool:
    """Whether the explorer shows the trial, so that its weights by position are kept."""
    setting = trial.setting
    return trial.rate == 0.03 and setting in [
        *(back(back=k) for k in (1, 2, 3, 5, 8)),
        *(back("difference set 8", back=k) for k in (1, 2, 3, 5, 8)),
        *(back(f"difference set {q}") for q in (5, 7, 9)),
        *(back(f"difference set {q}", tested=256) for q in (11, 13)),
    ]


def by_seed(trial: Trial) -> bool:
    """Whether the weights of each seed are kept, and the query and key of each token."""
    return shown(trial) and trial.setting in [back(), back("difference set 8")]


def beaten(
    setting: Setting, query: NDArray[np.complex128], key: NDArray[np.complex128]
) -> NDArray[np.uint16]:
    """How many triples of tokens have a rival at each offset with the higher score: (models, offsets).

    A triple is the query's token, the rival's at this offset, and the one that is asked for. Where the latter
    two are the same token nothing is lost, and a tie, up to rounding, counts as half.
    """
    other = ~np.eye(query.shape[1], dtype=bool)
    turned = np.exp(1j * np.outer(np.arange(setting.tested), setting.omega))  # (offsets, pairs)
    found = np.zeros((len(query), setting.tested), np.uint16)
    for model, (asks, offers) in enumerate(zip(query, key, strict=True)):
        scores = np.einsum("tp,op,rp->otr", asks, turned, offers.conj(), optimize=True).real
        above = (scores[:, :, :, np.newaxis] - scores[setting.back][:, np.newaxis, :])[:, :, other]
        near = np.abs(above) < 1e-4
        found[model] = ((above > 0) & ~near).sum((1, 2)) + near.sum((1, 2)) // 2
    return found


def triangle(square: NDArray[Any]) -> NDArray[Any]:
    """The offsets up to the position alone, of (..., positions, offsets)."""
    kept: NDArray[Any] = square[(..., *np.tril_indices(square.shape[-1]))]
    return kept


def parts(values: NDArray[np.complex128], kind: type) -> NDArray[Any]:
    """Real and imaginary parts, as a first axis."""
    return np.stack([values.real, values.imag]).astype(kind)


def arrays_of(trial: Trial, kept: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """What is written of one trial."""
    measured, setting = kept["measured"], trial.setting
    blocks = kept["losses"].reshape(-1, EVERY, len(SEEDS))
    sources = measured["sources"].astype(np.int64)
    arrays: dict[str, NDArray[Any]] = {
        "counts": measured["counts"].astype(np.uint8),
        "wrong": sources[:, setting.trained :].sum(1).astype(np.int32),
        "losses": blocks.mean(1).astype(np.float16),
    }
    if "query" in measured:
        query, key = measured["query"], measured["key"]
        arrays["head"] = parts(query.mean(1) * key.mean(1).conj(), np.float32)
        arrays["beats"] = beaten(setting, query, key)
    if shown(trial):
        weights = measured["weights"] if by_seed(trial) else measured["weights"].mean(0, keepdims=True)
        arrays["weights"] = triangle(np.rint(255 * weights).astype(np.uint8))
        arrays["origins"] = triangle(sources.sum(0).astype(np.uint16))
    if by_seed(trial):
        arrays["tokens"] = parts(np.stack([query, key]), np.float32)
    return arrays


def record(folder: Path) -> None:
    """Write cliff.json, which can be read, and cliff.npz beside it, with the arrays."""
    arrays: dict[str, NDArray[Any]] = {}
    runs: list[dict[str, Any]] = []
    for trial, kept in stored.kept(trials(), folder / PLACE):
        found = arrays_of(trial, kept)
        arrays |= {f"{key}/{trial.name}": values for key, values in found.items()}
        entry: dict[str, Any] = {
            "name": trial.name,
            "setting": vars(trial.setting),
            "rate": trial.rate,
            "seeds": SEEDS,
        }
        if "beats" in found:
            entry["triples"] = kept["measured"]["query"].shape[1] ** 3
        runs.append(entry | {"commit": kept["commit"], "seconds": round(kept["seconds"], 1)})
    stored.write("wavebook.experiments.cliff", "cliff", arrays, runs, smoke=smoke())
