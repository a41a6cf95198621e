"""The figures of the chapter "Attention does not know order"."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations
from math import factorial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc._validate import Float
from posenc.attention import causal_mask, self_attention
from posenc.encoding import positional_encoding
from posenc.figures.style import COLOUR, BookFigure, book_figure, new_figure

NAMES = ("the₁", "dog", "bit", "the₂", "man")  # the two "the" are told apart here, never in their vectors


def word_vectors(d_model: int) -> Float:
    """A random vector for each token of the sentence, shape (5, d_model <= 32); both "the" have the same.

    >>> vectors = word_vectors(8)
    >>> vectors.shape, bool((vectors[0] == vectors[3]).all())
    ((5, 8), True)
    """
    the, dog, bit, man = np.random.default_rng(0).normal(size=(32, 4)).T.round(2)[:, :d_model]
    return np.array([the, dog, bit, the, man])


def _names(order: Iterable[int] = range(5)) -> list[str]:
    """The tokens in a given order, with subscripts that the figures' font has."""
    return [NAMES[j].replace("₁", "$_1$").replace("₂", "$_2$") for j in order]


def arrangement(number: int) -> list[int]:
    """The order of the five tokens with this number, 0 .. 119, in the dictionary's sense.

    >>> arrangement(0), arrangement(119)
    ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    """
    if not 0 <= number < factorial(5):
        raise ValueError(f"number must be an integer from 0 to 119, got {number!r}")
    return list(list(permutations(range(5)))[number])


def _weights(ax: Axes, weights: Float, words: list[str], title: str) -> None:
    """A square for each weight, of that area: the row looks at the column."""
    for row, line in enumerate(weights):
        for column, weight in enumerate(line):
            side = 0.94 * np.sqrt(weight)
            ax.add_patch(
                Rectangle((column - side / 2, row - side / 2), side, side, color=COLOUR["computed"], lw=0)
            )
    for edge in np.arange(len(words) + 1) - 0.5:
        ax.axhline(edge, color=COLOUR["grid"], lw=0.6, zorder=0)
        ax.axvline(edge, color=COLOUR["grid"], lw=0.6, zorder=0)
    ends = (-0.5, len(words) - 0.5)
    ax.set(aspect="equal", xlim=ends, ylim=ends[::-1])
    ax.set_xticks(range(len(words)), words)
    ax.set_yticks(range(len(words)), words)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    ax.set_title(title, fontsize=10.5)


@book_figure
def sentence(position: int, d_model: int, base: float) -> BookFigure:
    """Attention weights of the sentence, bare and with the encodings of position .. position + 4 added.

    >>> len(sentence(0, 8, 10_000).axes)
    2
    """
    x = word_vectors(d_model)
    encoding = positional_encoding(position + np.arange(5), d_model, base)
    figure = new_figure(7.2, 3.5)
    for ax, rows, title in zip(
        figure.subplots(1, 2),
        (x, x + encoding),
        ("tokens alone", f"tokens + encodings of {position} to {position + 4}"),
        strict=True,
    ):
        _weights(ax, self_attention(rows)[1], _names(), title)
    return figure


@book_figure
def causal(length: int = 40) -> BookFigure:
    """The weights of the sentence under a causal mask, and the first token's weight at each position.

    >>> len(causal(10).axes)
    2
    """
    figure = new_figure(7.2, 3.3)
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
    _, weights = self_attention(word_vectors(8), bias=causal_mask(5))
    _weights(left, weights, _names(), "(a)  what each token may see")
    positions = np.arange(length)
    _, equal = self_attention(np.zeros((length, 1)), bias=causal_mask(length))
    right.plot(positions, equal[:, 0], "o", ms=3.5, color=COLOUR["computed"])
    right.set(xlabel="position $p$", ylabel="weight of the first token", ylim=(0, 1.05), yticks=[0, 0.5, 1])
    right.annotate(r"$\frac{1}{p+1}$", (3, 0.25), xytext=(14, 10), textcoords="offset points", fontsize=15)
    right.set_title("(b)  a counter", fontsize=10.5)
    return figure


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
