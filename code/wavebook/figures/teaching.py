"""The figure of the page for teachers: which chapter needs which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

from wavebook.figures.style import BookFigure, book_figure, new_figure
from wavebook.palette import COLOR

#: A chapter's column and row in the drawing, and what it says under "You need".
Place = tuple[float, float, Sequence[str]]
PART_1: Mapping[str, Place] = {
    "order": (4.2, 0, []),
    "two-dimensions": (2, 0, []),
    "many-dimensions": (1.5, 1, ["two-dimensions"]),
    "uniqueness": (2, 2, ["many-dimensions"]),
    "wavelengths": (3, 2, ["many-dimensions"]),
    "transformer": (4.6, 2, ["order", "many-dimensions"]),
    "relatives": (3.5, 1, ["order", "two-dimensions"]),
}
OTHERS: Mapping[str, Place] = {
    "distance-law": (1.65, 3, ["uniqueness"]),
    "returns": (1.65, 4, ["distance-law"]),
    "shift": (1, 2, ["many-dimensions"]),
    "spectra": (2.6, 3, ["wavelengths"]),
    "rope": (3.55, 3, ["wavelengths", "relatives"]),
    "training": (4.5, 3, ["transformer", "relatives"]),
    "elsewhere": (2.6, 4, ["distance-law", "spectra"]),
    "numbers": (0, 2, ["many-dimensions"]),
    "practice": (0, 3, ["numbers"]),
}
HALF_WIDTH, HALF_HEIGHT = 0.42, 0.24
#: What is not written as its file is called.
NAMES = {"rope": "RoPE"}


@book_figure
def dependencies() -> BookFigure:
    """Draw the chapters as numbered boxes, with an arrow from each to those that need it.

    The first part of the book has filled boxes, and the others have outlines.
    """
    chapters = {**PART_1, **OTHERS}
    columns = [column for column, _, _ in chapters.values()]
    rows = [row for _, row, _ in chapters.values()]
    figure = new_figure(7.2, 0.86 * (max(rows) - min(rows) + 0.75))
    figure.narrows = False
    axes = figure.subplots()
    for x, y, needs in chapters.values():
        for name in needs:
            left, above, _ = chapters[name]
            axes.add_patch(
                FancyArrowPatch(
                    (left, -above - HALF_HEIGHT),
                    (x, -y + HALF_HEIGHT),
                    arrowstyle="-|>",
                    mutation_scale=11,
                    linewidth=1.1,
                    color=COLOR["muted"],
                    shrinkA=0,
                    shrinkB=1,
                )
            )
    for number, (name, (x, y, _)) in enumerate(chapters.items(), 1):
        filled = name in PART_1
        axes.add_patch(
            FancyBboxPatch(
                (x - HALF_WIDTH, -y - HALF_HEIGHT),
                2 * HALF_WIDTH,
                2 * HALF_HEIGHT,
                boxstyle="round,pad=0,rounding_size=0.06",
                facecolor=COLOR["sine" if filled else "paper"],
                edgecolor=COLOR["sine"],
                linewidth=1.2,
            )
        )
        words = NAMES.get(name, name.replace("-", " ").capitalize()).split()
        lines = [" ".join(words)] if len(" ".join(words)) < 10 else words
        axes.text(
            x,
            -y,
            f"{number}  " + "\n".join(lines),
            ha="center",
            va="center",
            fontsize=10.5,
            color=COLOR["paper" if filled else "ink"],
        )
    axes.set(
        xlim=(min(columns) - HALF_WIDTH - 0.03, max(columns) + HALF_WIDTH + 0.03),
        ylim=(-max(rows) - HALF_HEIGHT - 0.05, -min(rows) + HALF_HEIGHT + 0.05),
    )
    axes.axis("off")
    return figure
