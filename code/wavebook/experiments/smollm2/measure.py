"""What is measured in a run of the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2.network import (
    FIRST,
    HEADS,
    KEYS,
    LAYERS,
    OMEGA,
    SHARED,
    SINCE,
    SIZE,
    Array,
    Change,
    Network,
    Place,
    Watch,
    by_offset,
    turned,
)

Arrays = dict[str, NDArray[Any]]
#: Weights of tokens that are at least so far back are added up, without the first token's.
BACK = 64
#: Layers after which a state is asked where it is; 0 is the embedding.
ASKED = (0, 1, 2, 4, 8, 16, 30)


def pairs_at(n: int) -> NDArray[np.int64]:
    """How many queries from SINCE on have a key at each offset that is not the first token: (n,)."""
    offsets = np.arange(n)
    found: NDArray[np.int64] = np.maximum(n - np.maximum(SINCE, offsets + 1), 0)
    return found


def look(network: Network, tokens: NDArray[np.int64], change: Change, *, scores: bool = False) -> Arrays:
    """What all heads attend to, by offset, and their mean queries and keys.

    Only queries from SINCE on count, and the first token does not.

    Returns
    -------
    dict with `profile`, the mean weight at each offset (30, 9, n); `first`, the first token's (30, 9), and
        `far`, the weight of all that is at least BACK back (30, 9); `query` (30, 9, 32) and `key`
        (30, 3, 32), the means; `spread query`, `spread key` and `spread value`, the root mean square of each
        pair or entry; `losses` (n - 1,); with `scores` also `score`, the mean score at each offset
    """
    n = len(tokens)
    sums = np.zeros((LAYERS, HEADS, n))
    first = np.zeros((LAYERS, HEADS))
    shapes: dict[str, tuple[tuple[int, ...], Any]] = {
        "query": ((HEADS, SIZE // 2), np.complex64),
        "key": ((KEYS, SIZE // 2), np.complex64),
        "spread query": ((HEADS, SIZE // 2), np.float32),
        "spread key": ((KEYS, SIZE // 2), np.float32),
        "spread value": ((KEYS, SIZE), np.float32),
    }
    found: Arrays = {name: np.zeros((LAYERS, *shape), kind) for name, (shape, kind) in shapes.items()}
    score = np.zeros((LAYERS, HEADS, n), np.float32)

    def heads(layer: int, query: NDArray[np.complex64], key: NDArray[np.complex64], value: Array) -> None:
        found["query"][layer], found["key"][layer] = query[SINCE:].mean(0), key[1:].mean(0)
        for name, values in {"query": query[SINCE:], "key": key[1:], "value": value[1:]}.items():
            found[f"spread {name}"][layer] = np.sqrt((np.abs(values) ** 2).mean(0))
        if scores:
            score[layer] = mean_scores(query, key, change.omega)

    def weights(layer: int, head: int, start: int, given: Array) -> None:
        seen = given[max(SINCE - start, 0) :].copy()
        first[layer, head] += seen[:, 0].sum()
        seen[:, 0] = 0
        sums[layer, head, : seen.shape[1]] += by_offset(seen)

    states = network.states(tokens, change, Watch(heads=heads, weights=weights))
    queries, pairs = n - SINCE, pairs_at(n)
    found |= {
        "profile": (sums / np.maximum(pairs, 1)).astype(np.float32),
        "first": (first / queries).astype(np.float32),
        "far": (sums[:, :, BACK:].sum(2) / queries).astype(np.float32),
        "losses": network.losses(states, tokens),
    }
    return found | ({"score": score} if scores else {})


def mean_scores(
    query: NDArray[np.complex64], key: NDArray[np.complex64], omega: NDArray[np.float64]
) -> NDArray[np.float32]:
    """The mean score at each offset, (9, n), of queries (n, 9, 32) and keys (n, 3, 32), by a correlation."""
    n = len(query)
    late, early = query.copy(), key.copy()
    late[:SINCE], early[0] = 0, 0
    long = 2 * n
    ours = np.fft.fft(late, long, axis=0)
    theirs = np.repeat(np.fft.fft(early, long, axis=0), SHARED, 1)
    # The sum over positions p of q(p) conj(k(p - offset)), for each pair, and all turned by their offset.
    sums = np.fft.ifft(ours * theirs.conj(), axis=0)[:n]
    turn = np.exp(1j * np.outer(np.arange(n), omega))
    total = (sums * turn[:, np.newaxis]).real.sum(2) / np.sqrt(SIZE)
    found: NDArray[np.float32] = (total / np.maximum(pairs_at(n), 1)[:, np.newaxis]).T.astype(np.float32)
    return found


def turn_phases(
    network: Network,
    tokens: NDArray[np.int64],
    places: Sequence[Place],
    turned_pairs: Sequence[int],
    angles: Sequence[float],
) -> Arrays:
    """The mean weight at each offset of some heads when one pair of their queries is turned by an angle.

    What a head reads comes from the layers before it, so each head can be changed alone.

    Returns
    -------
    dict with `profile`, of shape (heads, pairs, angles, n)
    """
    n = len(tokens)
    found = np.zeros((len(places), len(turned_pairs), len(angles), n), np.float32)
    turn = np.exp(1j * np.outer(np.arange(n), OMEGA)).astype(np.complex64)
    future = np.triu(np.ones((n, n), bool), 1)[SINCE:]
    pairs = np.maximum(pairs_at(n), 1)

    def heads(layer: int, query: NDArray[np.complex64], key: NDArray[np.complex64], value: Array) -> None:
        for at, (where, head) in enumerate(places):
            if where != layer:
                continue
            keys = turned(key[:, [head // SHARED]], turn)[0]
            for pair, number in enumerate(turned_pairs):
                for angle, radians in enumerate(angles):
                    changed = query[:, [head]] / np.float32(np.sqrt(SIZE))
                    changed[:, 0, number] *= np.complex64(np.exp(1j * radians))
                    scores = turned(changed, turn)[0, SINCE:] @ keys.T
                    scores[future] = -np.inf
                    weights = np.exp(scores - scores.max(1, keepdims=True))
                    weights /= weights.sum(1, keepdims=True)
                    weights[:, 0] = 0
                    found[at, pair, angle] = by_offset(weights) / pairs

    network.states(tokens, watch=Watch(heads=heads))
    return {"profile": found}


def cause(
    network: Network,
    tokens: NDArray[np.int64],
    place: int,
    others: NDArray[np.int64],
    windows: Mapping[Place, int],
) -> Arrays:
    """What one other token changes in what is said after it, with all heads as they are and with some cut.

    Returns
    -------
    dict with `whole` and `cut`, divergences in nats at each offset from the `place`, (others, n - place)
    """
    found: Arrays = {}
    for name, change in {"whole": Change(), "cut": Change(windows=windows)}.items():
        before = network.states(tokens, change)[place:]
        rows = []
        for other in others:
            changed = tokens.copy()
            changed[place] = other
            rows.append(network.divergences(before, network.states(changed, change)[place:]))
        found[name] = np.array(rows)
    return found


def told(network: Network, tokens: NDArray[np.int64], seed: int) -> Arrays:
    """States after some layers, from which positions are to be read: four times (layers, n, 576)."""
    other = tokens.copy()
    other[0] = np.random.default_rng(seed + 500).integers(1000, 48_000)
    narrow = {(layer, head): 16 for layer in range(LAYERS) for head in range(HEADS)}
    ways = {
        "whole": (tokens, Change()),
        "another first token": (other, Change()),
        "first token unseen": (tokens, Change(first_seen=False)),
        "windows alone": (tokens, Change(windows=narrow, first_seen=False)),
    }
    found: Arrays = {}
    for name, (read, change) in ways.items():
        states: list[Array] = []

        def keep(layer: int, x: Array, states: list[Array] = states) -> None:
            if layer in ASKED:
                states.append(x.astype(np.float16))

        network.states(read, change, Watch(states=keep))
        found[name] = np.stack(states)
    return found


def constant(network: Network) -> Arrays:
    """How far states are from the last one's when all tokens are the same, and after a first that is not.

    Returns
    -------
    dict with `same` and `first`, the distance from the last position's state over its size, after the last
        layer's norm: (positions,)
    """
    found: Arrays = {}
    for name, first in {"same": 5000, "first": FIRST}.items():
        tokens = np.full(512, 5000)
        tokens[0] = first
        states = network.states(tokens)
        found[name] = np.linalg.norm(states - states[-1], axis=1) / np.linalg.norm(states[-1])
    return found
