"""What one run of the experiment is: a task, an encoding, a size, and what departs from the usual."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import gcd

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float
from posenc.encoding import BASE, frequencies
from wavebook.choices import difference_set, difference_set_frequencies

ENCODINGS = (
    "none",
    "learned",
    "sinusoidal",
    "sinusoidal, random starts",
    "sinusoidal, random positions",
    "RoPE",
    "RoPE, half of each head",
    "ALiBi",
    "T5 bias",
)
#: The lengths at which copying is tested: tokens of the whole.
COPY_LENGTHS = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48, 56, 64]


@dataclass(frozen=True)
class Setting:
    """What is trained: a task, an encoding, a size, and whatever departs from the usual."""

    task: str
    encoding: str
    layers: int = 1
    heads: int = 1
    d_model: int = 32
    trained: int = 32  # tokens of the longest sequence in training
    tested: int = 128  # and in the test; positions from 0 to tested - 1
    batch: int = 8
    steps: int = 500
    base: float = BASE
    pairs: str = "all"  # of the encoding: "all", or the "fast" or the "slow" half
    learn_omega: bool = False
    embedding_std: float = 1.0
    shuffled: bool = False  # the targets, as a control
    back: int = 3  # how far back the first task looks
    #: Or "difference set Q", of order Q; and drawn from the seed S: "random S", uniform between 0 and pi;
    #: "random residues Q S", as many as that set has and on its grid; "moved set Q S", a multiple, shifted.
    spectrum: str = "geometric"
    scale: float = 1.0  # what all frequencies are multiplied by
    narrow: bool = False  # RoPE's cosines and sines rounded to bfloat16

    @property
    def name(self) -> str:
        """Those fields that differ from the usual, in one line."""
        usual = Setting(self.task, self.encoding)
        parts = [f"{key}={value}" for key, value in vars(self).items() if getattr(usual, key) != value]
        return ", ".join([self.task, self.encoding, *parts])

    def changed(self, **fields: object) -> Setting:
        """The same with other fields."""
        return replace(self, **fields)  # type: ignore[arg-type]

    @property
    def rotated(self) -> int:
        """How many entries of each head RoPE turns; 0 without RoPE."""
        if not self.encoding.startswith("RoPE"):
            return 0
        size = self.d_model // self.heads
        return size // 2 if self.encoding.endswith("half of each head") else size

    @property
    def omega(self) -> Float:
        """The frequencies of the encoding, in radians per position; 0 for pairs that are left out."""
        return _frequencies(self).copy()

    @property
    def period(self) -> int | None:
        """After how many positions all hands are back, for spectra on the grid of a difference set."""
        order = _order(self.spectrum)
        return None if order is None else order * order + order + 1

    @property
    def random(self) -> bool:
        """Whether the positions are drawn at random in training."""
        return "random" in self.encoding


#: The spectra on a grid 2 pi r / N, by the words before the order of a difference set.
_GRIDS = ("difference set", "random residues", "moved set")


def _order(spectrum: str) -> int | None:
    """The order of the difference set on whose grid a spectrum is, or None."""
    words = spectrum.split()
    return int(words[2]) if " ".join(words[:2]) in _GRIDS else None


def _on_grid(size: int, residues: NDArray[np.int64], modulus: int) -> Float:
    """Frequencies 2 pi r / N, from fast to slow, and 0 for the remaining pairs, as of a difference set."""
    turns = np.where(residues > modulus // 2, residues - modulus, residues)
    omega = np.zeros(size // 2)
    omega[: len(turns)] = 2 * np.pi * turns[np.argsort(-np.abs(turns), kind="stable")] / modulus
    return omega


def _drawn_on_grid(kind: str, size: int, order: int, seed: int) -> Float:
    """The two controls on the grid of a difference set, drawn from a seed."""
    rng, modulus = np.random.default_rng([order, seed]), order * order + order + 1
    if kind == "random residues":
        return _on_grid(size, rng.choice(modulus, order + 1, replace=False), modulus)
    units = [a for a in range(1, modulus) if gcd(a, modulus) == 1]
    moved = rng.choice(units) * difference_set(order) + rng.integers(modulus)
    return _on_grid(size, moved % modulus, modulus)


@cache
def _frequencies(setting: Setting) -> Float:
    size = setting.rotated or setting.d_model
    if setting.encoding == "PoPE":
        size = 2 * (setting.d_model // setting.heads)  # a frequency for each entry of a head
    kind, _, number = setting.spectrum.rpartition(" ")
    order = _order(setting.spectrum)
    if kind == "difference set":
        omega = difference_set_frequencies(size, int(number))
    elif order is not None:
        omega = _drawn_on_grid(kind.rpartition(" ")[0], size, order, int(number))
    elif kind == "random":
        omega = np.sort(np.random.default_rng(int(number)).uniform(0, np.pi, size // 2))[::-1].copy()
    elif setting.spectrum == "geometric":
        omega = frequencies(size, setting.base)
    else:
        raise ValueError(f"spectrum must be one of those of Setting, got {setting.spectrum!r}")
    half = len(omega) // 2
    if setting.pairs == "fast":
        omega[half:] = 0
    elif setting.pairs == "slow":
        omega[:half] = 0
    return setting.scale * omega
