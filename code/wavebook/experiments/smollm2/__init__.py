"""A published language model under the same lens: SmolLM2-135M, run in NumPy.

What was measured is data in this package, ``smollm2.json`` and ``smollm2.npz``, read with NumPy alone;
``make model`` measures again. ``plan.md``, committed before, says what is run and what would have refuted
it; `plan` runs it, `network` is the model, `record` writes the data, and `results` reads off what became of
the plan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.stored import read

__all__ = ["Head", "Recorded", "load"]


@dataclass(frozen=True)
class Head:
    """A head that is looked at: layer and number from 0, the small offset, and its mean weight there."""

    layer: int
    number: int
    near: int
    weight: float
    #: The head that the cut compares it with.
    alike: tuple[int, int]

    @property
    def name(self) -> str:
        """Layer and number: "2.1"."""
        return f"{self.layer}.{self.number}"


@dataclass(frozen=True)
class Recorded:
    """All that was measured."""

    #: Date, command, machine, versions, the plan's commit, and the hash of the arrays.
    about: dict[str, str]
    #: Name, license, package and hash.
    model: dict[str, Any]
    heads: tuple[Head, ...]
    #: Kind, name and hash of each text that counts.
    texts: tuple[dict[str, str], ...]
    #: The names of conditions, by what they are of.
    names: Mapping[str, list[Any]]
    arrays: Mapping[str, NDArray[Any]]

    @property
    def hands(self) -> NDArray[np.complex128]:
        """Mean query times mean key before turning, of all heads: (30, 9, 32)."""
        real, imaginary = self.arrays["hands"].astype(np.float64)
        found: NDArray[np.complex128] = real + 1j * imaginary
        return found

    def losses(self, of: str) -> dict[str, NDArray[np.float64]]:
        """The mean losses of each text, by condition: of "cut", "rested" or "parted"."""
        columns = self.arrays[of].T.astype(np.float64)
        return dict(zip(self.names[of], columns, strict=True))


@cache
def load() -> Recorded:
    """The recorded results.

    >>> load().heads[2].name
    '2.1'
    >>> load().hands.shape
    (30, 9, 32)
    """
    written, arrays = read("wavebook.experiments.smollm2", "smollm2")
    heads = tuple(
        Head(layer, number, entry["near"], entry["weight"], tuple(entry["alike"]))
        for entry in written["heads"]
        for layer, number in [entry["head"]]
    )
    names = {name: written[name] for name in ("cut", "rested", "parted", "ways", "asked")}
    return Recorded(written["about"], written["model"], heads, tuple(written["texts"]), names, arrays)
