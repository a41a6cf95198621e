"""What is asked of the trained models afterwards: pairs taken out, frequencies changed, weights read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from posenc.context import METHODS, yarn, yarn_scale
from posenc.encoding import frequencies
from wavebook.experiments import stored
from wavebook.experiments.model import Parameters, used_frequencies
from wavebook.experiments.plan import RANDOM, SEEDS
from wavebook.experiments.setting import Setting
from wavebook.experiments.train import examine, train
from wavebook.weights import rotation_parts

Answers = dict[str, NDArray[Any]]
#: YaRN's ramp, in turns within the trained length; its own is made for hundreds of times the length.
BETA_SLOW, BETA_FAST = 0.25, 1.0
#: How many of the fastest pairs are left, where only those are; without any, the encoding is gone.
LEFT = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16]
#: Steps and learning rate of fine-tuning on the longer sequences.
TUNING = (50, 0.003)


def trained(setting: Setting, folder: Path) -> dict[str, Any]:
    """What :func:`wavebook.experiments.plan.run` kept of a setting."""
    kept: dict[str, Any] = torch.load(stored.file_of(setting, folder), weights_only=False)
    return kept


def accuracy(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Right answers over questions, all positions together: (2, models, n) to (models,)."""
    found: NDArray[np.float64] = counts[0].sum(1) / counts[1].sum(1)
    return found


def pairs_out(setting: Setting, folder: Path) -> Answers:
    """Accuracy when pairs are taken out: one, or the slow ones, within the trained length and beyond."""
    parameters, omega = trained(setting, folder)["parameters"], used_frequencies(setting)
    pair = np.arange(len(omega))

    def without(chosen: NDArray[np.bool_], length: int) -> NDArray[np.int64]:
        changed = omega.clone()
        changed[torch.tensor(chosen)] = 0
        counts: NDArray[np.int64] = examine(setting, parameters, length=length, omega=changed)
        return counts

    alone = [accuracy(without(pair == i, setting.trained)) for i in pair]
    left = [without(pair >= i, setting.tested) for i in LEFT]
    return {
        "one": np.array(alone),  # (pairs, models): this pair is out
        "left": np.array([accuracy(counts[:, :, : setting.trained]) for counts in left]),
        "left, beyond": np.array([accuracy(counts[:, :, setting.trained :]) for counts in left]),
    }


def longer(setting: Setting, folder: Path) -> Answers:
    """Right answers by position in sequences four times as long, for each method of longer contexts."""
    kept = trained(setting, folder)
    factor, size = setting.tested / setting.trained, setting.rotated
    steps, rate = TUNING
    found: Answers = {}
    methods = {name: method(size, factor, setting.base, setting.trained) for name, method in METHODS.items()}
    methods["YaRN, own ramp"] = yarn(
        size, factor, setting.base, length=setting.trained, beta_slow=BETA_SLOW, beta_fast=BETA_FAST
    )
    for name, frequencies_there in methods.items():
        omega = torch.tensor(frequencies_there, dtype=torch.float32)
        parameters = dict(kept["parameters"])
        if name.startswith("YaRN"):
            parameters["q0"] = parameters["q0"] * yarn_scale(factor) ** 2
        found[name] = examine(setting, parameters, omega=omega)[0]
        long = setting.changed(trained=setting.tested, steps=steps)
        tuned, _ = train(long, SEEDS, [rate] * len(SEEDS), parameters=parameters, omega=omega)
        found[f"{name}, tuned"] = examine(setting, tuned, omega=omega)[0]
    return found


def rotations_alone(setting: Setting, folder: Path) -> NDArray[np.float64]:
    """Accuracy within the trained length if W_qᵀ W_k is nothing but the rotations in its diagonal blocks."""
    parameters = dict(trained(setting, folder)["parameters"])
    product = products(parameters)
    kept = np.zeros_like(product)
    even, odd = np.arange(0, setting.d_model, 2), np.arange(1, setting.d_model, 2)
    for into, matrix in zip(kept, product, strict=True):
        turned = rotation_parts(matrix)
        into[even, even] = into[odd, odd] = turned.real
        into[even, odd], into[odd, even] = turned.imag, -turned.imag
    parameters["q0"] = torch.tensor(kept)
    parameters["k0"] = torch.eye(setting.d_model).expand_as(parameters["q0"])
    return accuracy(examine(setting, parameters, length=setting.trained))


def products(parameters: Parameters) -> NDArray[np.float32]:
    """W_qᵀ W_k of the first layer, one head: (models, d_model, d_model).

    The model multiplies rows by matrices from the right, so its q is W_qᵀ.
    """
    found: NDArray[np.float32] = (parameters["q0"] @ parameters["k0"].transpose(1, 2)).numpy()
    return found


def probe(folder: Path) -> Answers:
    """Everything that the chapter says about trained weights, as arrays by name."""
    usual = {name: Setting("back", name) for name in ("learned", "sinusoidal", RANDOM, "RoPE")}
    found: Answers = {}

    def add(name: str, ask: Callable[[Setting, Path], Answers], setting: Setting) -> None:
        found.update({f"{name}/{key}": value for key, value in ask(setting, folder).items()})

    for name in ("sinusoidal", RANDOM, "RoPE"):
        add(f"pairs/{name}", pairs_out, usual[name])
    add("longer", longer, usual["RoPE"])
    squeezed = trained(usual["sinusoidal"], folder)["parameters"]
    found["longer/sinusoidal, interpolation"] = examine(
        usual["sinusoidal"], squeezed, change=lambda positions: positions / 4
    )[0]
    found["rotations/within"] = rotations_alone(usual[RANDOM], folder)
    for name in ("sinusoidal", RANDOM):
        kept = trained(usual[name], folder)
        found[f"product/{name}"] = products(kept["parameters"])
        found[f"steps/{name}"] = np.array(sorted(kept["kept"]))
        found[f"training/{name}"] = np.array(
            [products(kept["kept"][step])[0] for step in sorted(kept["kept"])]
        )
    table = trained(usual["learned"], folder)["parameters"]["table"].numpy()
    rows = table[:, : usual["learned"].trained]
    rows = rows / np.linalg.norm(rows, axis=2, keepdims=True)
    found["table/similarity"] = (rows @ rows.transpose(0, 2, 1)).mean(0)
    found["table/spectrum"] = np.linalg.svd(table[:, : usual["learned"].trained], compute_uv=False)
    free = trained(Setting("back", RANDOM, learn_omega=True), folder)["parameters"]["omega"]
    found["omega/learned"] = free.exp().numpy()
    found["omega/start"] = frequencies(32)
    return found
