"""The explorer that the book begins with: hands, the waves that their tips have drawn, and the vector."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import traitlets

from posenc.arguments import Float
from wavebook.experiments.setting import Setting
from wavebook.explorers.base import Base, Choice, Explorer, Number, Width
from wavebook.explorers.model_clock import lines

#: What is drawn: one position and how it came about, also with its turns counted or among the patches of an
#: image's row, or two of them and what their encodings have in common.
STAGES = ("waves", "turns", "image", "compare")
#: Patches in a row of that image.
PATCHES = 14
#: The hands by the formula, and those of the model that breaks at token 47.
EXAMPLE, SMALL = "example", "small Transformer"
#: Lines of the table of models whose hands can be turned instead, and what they are called here.
MODELS = {
    "Transformer": "first Transformer",
    "Llama 3.1 8B": "Llama 3.1",
    "Gemma 4 26B-A4B, global": "Gemma 4, global",
    "Qwen3-8B": "Qwen3",
    "DeepSeek-V3": "DeepSeek-V3",
}
ROWS = 5  # hands of a model that are drawn
#: Steps after which the two fastest of the small Transformer are nearly back: from three back to 47 back.
RETURN = 44


def _digits(omegas: Float) -> list[float]:
    return [float(f"{omega:.9g}") for omega in omegas]


def hands_of_models() -> dict[str, dict[str, Any]]:
    """What is drawn and said of each of those models: some of its hands, from the fastest to the slowest.

    `omegas` are in radians per position, to nine digits, so that a turn of millions of positions is right to
    one; `late` of all hands do not come round once in its `context`, and `rest` do not turn. What is zero is
    left out, and so is the context where none is named: it adds what others turn by. Of the small
    Transformer the fastest hands are drawn, and `say` is what is said.
    """
    found: dict[str, dict[str, Any]] = {SMALL: _small()}
    for line in lines():
        if line["name"] not in MODELS:
            continue
        waves, context = line.pop("waves"), line["context"]
        shown = waves[np.linspace(0, len(waves) - 1, ROWS).round().astype(int)]
        values = {
            "hands": len(waves),
            "late": int((waves > context).sum()) if context else 0,
            "rest": line["rest"],
            "context": context,
        }
        found[MODELS[line["name"]]] = {
            "omegas": _digits(2 * np.pi / shown),
            **{name: value for name, value in values.items() if value},
        }
    return found


def _small() -> dict[str, Any]:
    omega = Setting("back", "RoPE").omega
    return {
        "omegas": _digits(omega[:ROWS]),
        "say": f"The {ROWS} fastest of its {len(omega)} hands. It adds no vector: it turns queries and keys."
        f" Go from 0 to {RETURN}: which are nearly back?",
    }


class Machine(Explorer):
    """A hand for each pair of dimensions, and behind its tip the two waves that it has drawn.

    It moves by itself, from ``position`` on, unless the reader's system asks for less motion.
    With a question it waits.

    With "waves" it shows one position, its hands, its vector, and all positions before it; with "turns" also
    how many turns each hand has made since position 0; with "image" the positions are those of the patches
    in a row, all of them in the picture, and the first turn is marked; with "compare" two positions, the
    angles between their hands, and the sum of the cosines of these.

    >>> Machine(d_model=10, base=100)
    Machine(show='waves', position=62.0, offset=5, d_model=10, base=100.0, whose='example')
    >>> Machine(show="clock")
    Traceback (most recent call last):
        ...
    ValueError: show must be one of 'waves', 'turns', 'image', 'compare', got 'clock'
    """

    slug = "machine"
    #: The sum of the cosines for each offset, which "compare" draws below; the last turn of each hand,
    #: or with "turns" the number of all.
    parts: ClassVar[tuple[str, ...]] = ("sums", "step")
    show = Choice("waves", STAGES, help="what is drawn; it stays as it was made")
    position = Number(62.0, low=0, high=1000)
    offset = Number(
        5,
        low=-30,
        high=30,
        integer=True,
        help='with "compare", the second position is so many after the first',
    )
    d_model = Width(10, high=16, help="there are d_model/2 hands")
    base = Base(100.0)
    whose = Choice(
        EXAMPLE,
        (EXAMPLE, SMALL, *MODELS.values()),
        help="whose hands they are: by the formula, for d_model and base, or a model's as configured",
    )

    constants: ClassVar[dict[str, Any]] = {"models": hands_of_models(), "patches": PATCHES}

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self._made = True

    @traitlets.validate("show")
    def _show_stays(self, proposal: dict[str, Any]) -> str:
        if getattr(self, "_made", False) and proposal["value"] != self.show:
            raise ValueError(f"show cannot be changed, got {proposal['value']!r}; make another Machine")
        show: str = proposal["value"]
        return show
