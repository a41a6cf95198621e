"""The picture that stands for the book where somebody shares a link to it."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping

import numpy as np
from PIL import Image

#: The size that previews have room for, in pixels.
SIZE = (1200, 630)
#: The waves, from fast to slow, each this many times as long as the one before.
WAVES, RATIO = 4, 2.3


def draw(title: str, text: str, color: Mapping[str, str]) -> bytes:
    r"""A PNG with a title, a text below it, and waves of geometric lengths, the same bytes each time.

    `color` gives the colors of "paper", "ink", "muted", "grid", "sine" and "cosine".

    >>> color = dict.fromkeys(["paper", "ink", "muted", "grid", "sine", "cosine"], "#000000")
    >>> Image.open(io.BytesIO(draw("Waves", "Of sines", color))).size
    (1200, 630)
    """
    from matplotlib import rc_context  # slow to import
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context({"font.family": "STIXGeneral", "text.parse_math": False}):
        figure = Figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100, facecolor=color["paper"])
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set(xlim=(0, SIZE[0]), ylim=(0, SIZE[1]))
        x = np.linspace(0, SIZE[0], 2400)
        for i in range(WAVES):
            angle, height = x / (28 * RATIO**i), 60 + 68 * i
            axes.axhline(height, color=color["grid"], linewidth=1)
            axes.plot(x, height + 24 * np.cos(angle), color=color["cosine"], linewidth=2.5, alpha=0.9)
            axes.plot(x, height + 24 * np.sin(angle), color=color["sine"], linewidth=2.5)
        axes.text(70, 545, title, fontsize=60, color=color["ink"], va="center")
        lines = textwrap.wrap(text, 78)[:3]
        axes.text(72, 480, "\n".join(lines), fontsize=23, color=color["muted"], va="top", linespacing=1.35)
        figure.savefig(drawn := io.BytesIO(), format="png")
    # So few colors need no more than a palette: a fourth of the bytes.
    Image.open(drawn).convert("RGB").quantize(64).save(saved := io.BytesIO(), format="png", optimize=True)
    return saved.getvalue()
