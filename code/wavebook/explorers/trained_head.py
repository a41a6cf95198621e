"""The explorer of a trained head: the rotations in its blocks beside those of T(3), step by step."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from posenc.encoding import frequencies
from wavebook.experiments import load
from wavebook.explorers.base import Explorer, Number
from wavebook.weights import rotation_parts

#: How far back the head of the recorded run was trained to look.
OFFSET = 3


class TrainedHead(Explorer):
    """The diagonal blocks of W_qᵀ W_k of one trained head, pair by pair, at eleven moments of its training.

    Parameters
    ----------
    moment : integer from 0 to 10, the moment of the training, from its start to its end
    pair : integer from 0 to 15, the pair that is looked at

    Raises
    ------
    TypeError, ValueError
        If a value is not one of those, or there is no such parameter.

    Introduced in the chapter "What training makes of it".

    >>> TrainedHead(pair=1)
    TrainedHead(moment=5, pair=1)
    """

    slug = "trained-head"
    moment = Number(5, low=0, high=10, integer=True)
    pair = Number(1, low=0, high=15, integer=True)

    constants: ClassVar[dict[str, Any]] = {
        "offset": OFFSET,
        "steps": [int(step) for step in load().probes["steps/sinusoidal, random starts"]],
        "parts": [
            [[round(float(part.real), 2), round(float(part.imag), 2)] for part in rotation_parts(matrix)]
            for matrix in load().probes["training/sinusoidal, random starts"]
        ],
        "aims": np.round(OFFSET * frequencies(32), 5).tolist(),
    }
