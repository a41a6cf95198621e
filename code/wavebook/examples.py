"""The data of the book's examples: the sentences, vectors and settings that its figures and explorers share.

What is random here was drawn once, with a seed, and is the same in the page, in a notebook and in a test.
"""

from __future__ import annotations

import base64
from collections.abc import Callable
from itertools import permutations
from math import factorial

import numpy as np

from posenc.arguments import Float
from posenc.biases import t5_bucket_starts
from posenc.encoding import positional_encoding
from posenc.rope import apply_rope

#: As near as this, in turns, a hand is back where it was.
HOME = 0.07

NAMES = ("the₁", "dog", "bit", "the₂", "man")  # the two "the" are told apart here, never in their vectors


def word_vectors(d_model: int) -> Float:
    """A random vector for each token of the sentence, shape (5, d_model <= 32); both "the" have the same.

    The first eight entries are those that the chapter draws.

    >>> vectors = word_vectors(8)
    >>> vectors.shape, bool((vectors[0] == vectors[3]).all())
    ((5, 8), True)
    """
    first, rest = (
        np.random.default_rng(seed).normal(size=(4, columns)) for seed, columns in ((0, 8), (1, 24))
    )
    the, dog, bit, man = np.hstack([first, rest.round(2)])[:, :d_model]
    return np.array([the, dog, bit, the, man])


def arrangement(number: int) -> list[int]:
    """The order of the five tokens with this number, 0 .. 119, in the dictionary's sense.

    >>> arrangement(0), arrangement(119)
    ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    """
    if not 0 <= number < factorial(5):
        raise ValueError(f"number must be an integer from 0 to 119, got {number!r}")
    return list(list(permutations(range(5)))[number])


#: Sizes in the explorer of ways to number tokens: binary digits, width of the vectors, and a table's rows.
DIGITS, WIDTH = 6, 16
LEARNED = np.random.default_rng(2).normal(0, 0.5, size=(48, WIDTH)).round(2)
#: Their names, and what makes the vectors of positions in a sequence of some length.
ATTEMPTS: dict[str, Callable[[int], Float]] = {
    "the number": lambda length: np.arange(length, dtype=float)[:, np.newaxis],
    "the fraction": lambda length: np.arange(length)[:, np.newaxis] / length,
    "binary digits": lambda length: ((np.arange(length)[:, np.newaxis] >> np.arange(DIGITS)) & 1).astype(
        float
    ),
    "a learned table": lambda length: LEARNED[:length],
    "sines and cosines": lambda length: positional_encoding(np.arange(length), WIDTH),
}


def published(
    positions: Float, d_model: int, *, last: int = 0, layout: str = "halves", first: str = "sin"
) -> Float:
    """A program's table: with d - 2 in the exponent if `last` is 1, and with its order of columns.

    >>> bool(np.allclose(published(np.arange(9), 8, layout="interleaved"), positional_encoding(range(9), 8)))
    True
    """
    angles = np.outer(positions, 10_000.0 ** (-np.arange(d_model // 2) / (d_model // 2 - last)))
    parts = [np.sin(angles), np.cos(angles)][:: 1 if first == "sin" else -1]
    columns = np.concatenate(parts, axis=1)
    return columns if layout == "halves" else np.stack(parts, axis=-1).reshape(columns.shape)


#: Random tokens for the explorer of a score's parts: 48 of them, of 512 entries +1 and -1; a smaller d_model
#: takes the first entries.
SIGNS = np.random.default_rng(5).integers(0, 2, (48, 512)).astype(bool)
#: The sentence of the explorer of loudness, and where "the" comes again; a word has the vector of the place
#: where it comes first.
SENTENCE = ["the", "dog", "bit", "the", "man", "and", "the", "man", "ran"]
SAME = 6
PACKED_SIGNS = base64.b64encode(np.packbits(SIGNS).tobytes()).decode()

#: The query and the key of one pair in the explorer of RoPE, before they are turned.
ARROWS = {"query": (0.94, 0.34), "key": (0.36, 0.77)}
#: An example of what a T5 head may learn, a number for each of the 16 buckets of one direction: the scores of
#: added encodings, d_model 64 and base 10,000, on the average of the bucket's distances, up to 1000.
T5_LEVELS = (4.0, 3.86, 3.54, 3.2, 2.99, 2.94, 2.94, 2.91, 2.69, 2.56, 2.39, 2.25, 2.16, 1.95, 1.78, 1.01)
#: Model width, heads and aim of the explorer of scores; the random query and key are drawn once.
SCORES = {
    "d_model": 64,
    "heads": 8,
    "aim": 40,
    "furthest": 1000,
    "starts": t5_bucket_starts(16, 128).tolist(),
    "levels": T5_LEVELS,
}
RANDOM = np.random.default_rng(4).normal(size=(2, SCORES["d_model"])).round(2)


def contents(base: float) -> dict[str, tuple[Float, Float]]:
    """The queries and keys of the explorer of scores, by their names: alike, random, aimed."""
    even = np.ones(SCORES["d_model"])
    return {
        "alike": (even, even),
        "random": (RANDOM[0], RANDOM[1]),
        "aimed": (even, apply_rope(even, SCORES["aim"], base)),
    }
