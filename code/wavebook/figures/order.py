"""The figures of the chapter "Does attention know order?"."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from posenc.arguments import Float
from posenc.encoding import positional_encoding
from wavebook.attention import causal_mask, self_attention
from wavebook.examples import NAMES, word_vectors
from wavebook.figures.style import BookFigure, book_figure, new_figure
from wavebook.palette import COLOR


def _names(order: Iterable[int] = range(5)) -> list[str]:
    """The tokens in a given order, with subscripts that the figures' font has."""
    return [NAMES[j].replace("₁", "$_1$").replace("₂", "$_2$") for j in order]


def _weights(ax: Axes, weights: Float, words: list[str], title: str) -> None:
    """A square for each weight, of that area: the row looks at the column."""
    for row, line in enumerate(weights):
        for column, weight in enumerate(line):
            side = 0.94 * np.sqrt(weight)
            ax.add_patch(
                Rectangle((column - side / 2, row - side / 2), side, side, color=COLOR["computed"], lw=0)
            )
    for edge in np.arange(len(words) + 1) - 0.5:
        ax.axhline(edge, color=COLOR["grid"], lw=0.6, zorder=0)
        ax.axvline(edge, color=COLOR["grid"], lw=0.6, zorder=0)
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
    right.plot(positions, equal[:, 0], "o", ms=3.5, color=COLOR["computed"])
    right.set(xlabel="position $p$", ylabel="weight of the first token", ylim=(0, 1.05), yticks=[0, 0.5, 1])
    right.annotate(r"$\frac{1}{p+1}$", (3, 0.25), xytext=(14, 10), textcoords="offset points", fontsize=15)
    right.set_title("(b)  a counter", fontsize=10.5)
    return figure
