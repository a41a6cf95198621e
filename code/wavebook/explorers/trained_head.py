"""The explorer of a trained head: the rotations in its blocks beside those of T(3), step by step."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from posenc.encoding import frequencies
from wavebook.experiments import load
from wavebook.explorers import ask
from wavebook.explorers.base import Explorer, Number
from wavebook.weights import rotation_parts

#: How far back the head of the recorded run was trained to look.
OFFSET = 3


def where_it_turns_alike() -> ask.Prediction:
    """In which pairs the trained block comes to turn as T(3) does: for ``TrainedHead(moment=0, pair=0)``."""
    parts = np.array([complex(*part) for part in TrainedHead.constants["parts"][-1]])
    off = np.abs(np.angle(parts * np.exp(-1j * np.array(TrainedHead.constants["aims"]))))
    fast, other = [0, 1, 2], 7
    assert off[fast].max() < 0.2 < 1 < off[other]
    assert np.abs(parts).argmax() == 0
    assert 100 * abs(parts[other]) < abs(parts[0])
    return ask.choice(
        f"Training begins with a random matrix. In which pairs will the block turn as *T*({OFFSET}) does?",
        {"all": "in all", "fast": "in the fast ones", "slow": "in the slow ones"},
        truth="fast",
        because=f"in pairs 0 to {fast[-1]} it is within {np.ceil(100 * off[fast].max()) / 100:.2f} radians"
        f" of that, and in pair {other} it is {off[other]:.1f} away, with less than a hundredth of the size"
        " of pair 0: to tell a token from its neighbors, slow hands are of little use",
        tempting={
            "all": f"It would, if all pairs counted alike, as they do in *T*({OFFSET}).",
            "slow": "They hardly move in one step, so they tell neighbors apart worst.",
        },
        acts=[
            {"moment": 10, "seconds": 1.2, "even": True},
            {"pair": other, "seconds": 0.8, "even": True},
            {"pause": 0.5},
            {"pair": 0, "seconds": 0.5},
        ],
    ).then("Now move through the training, and from pair to pair.")


class TrainedHead(Explorer):
    """The diagonal blocks of W_qᵀ W_k of one trained head, pair by pair, at eleven moments of its training.

    >>> TrainedHead(pair=1)
    TrainedHead(moment=5, pair=1)
    """

    slug = "trained-head"
    moment = Number(5, low=0, high=10, integer=True, help="of the training, from its start to its end")
    pair = Number(1, low=0, high=15, integer=True, help="that is looked at")

    constants: ClassVar[dict[str, Any]] = {
        "offset": OFFSET,
        "steps": [int(step) for step in load().probes["steps/sinusoidal, random starts"]],
        "parts": [
            [[round(float(part.real), 2), round(float(part.imag), 2)] for part in rotation_parts(matrix)]
            for matrix in load().probes["training/sinusoidal, random starts"]
        ],
        "aims": np.round(OFFSET * frequencies(32), 5).tolist(),
    }
