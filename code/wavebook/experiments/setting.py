"""What one run of the experiment is: a task, an encoding, a size, and what departs from the usual."""

from __future__ import annotations

from dataclasses import dataclass, replace

from posenc.encoding import BASE

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
        size = self.d_model // self.heads
        return {"RoPE": size, "RoPE, half of each head": size // 2}.get(self.encoding, 0)

    @property
    def random(self) -> bool:
        """Whether the positions are drawn at random in training."""
        return "random" in self.encoding
