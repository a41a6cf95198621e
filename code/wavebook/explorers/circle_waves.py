"""The explorer of two dimensions: a point on the unit circle, its two waves, one statement at a time."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import traitlets

from wavebook.explorers.base import Choice, Explorer, Number


def near_returns(limit: int) -> list[int]:
    """The offsets up to ``limit`` that come nearer to whole turns than every smaller one, and than one step.

    PE(p + k) and PE(p) lie 2 |sin(k/2)| apart for d_model = 2.
    These are the offsets where that distance sets a record; none is zero, since pi is irrational.

    >>> near_returns(100)
    [6, 19, 25, 44]
    """
    offsets = np.arange(1, limit + 1)
    chords = 2 * np.abs(np.sin(offsets / 2))
    records = chords < np.minimum.accumulate(np.append(np.inf, chords[:-1]))
    return [int(offset) for offset in offsets[records] if offset > 1]


#: What each layer shows, and the offsets it allows: from, to, step, and the one it starts with.
LAYERS: dict[str, dict[str, Any]] = {
    "rotation": {"min": -12, "max": 12, "step": 1, "start": 3},
    "chord": {"min": -12, "max": 12, "step": 1, "start": 3},
    "near-return": {"options": near_returns(1000), "start": 44},
}


class CircleWaves(Explorer):
    """The encoding for d_model = 2: the point (sin p, cos p) on its circle, and the two waves it draws.

    The layer "rotation" is that the step from p to p + k is one turn by k radians, the same for every p;
    "chord", that its length is 2 |sin(k/2)|; "near-return", the offsets that almost close the circle,
    magnified.

    >>> explorer = CircleWaves(layer="chord", position=5)
    >>> explorer
    CircleWaves(layer='chord', position=5.0, offset=3.0)
    >>> explorer.offset = 50
    Traceback (most recent call last):
        ...
    ValueError: offset must be from -12 to 12 in steps of 1 in the layer 'chord', got 50
    """

    slug = "circle-waves"
    parts = ("chord", "returns")
    layer = Choice("rotation", tuple(LAYERS), help="which statement is drawn; it stays as it was made")
    position = Number(2.0, low=0, high=100, step=0.1)
    offset = Number(3.0, low=-12, high=1000, help="its range depends on the layer, and so does its default")

    constants: ClassVar[dict[str, Any]] = {"layers": LAYERS}

    def __init__(self, layer: str = "rotation", **values: Any) -> None:
        start = LAYERS[layer]["start"] if layer in LAYERS else 0
        super().__init__(**{"layer": layer, "offset": start} | values)
        self._made = True

    @traitlets.validate("layer")
    def _layer_stays(self, proposal: dict[str, Any]) -> str:
        if getattr(self, "_made", False) and proposal["value"] != self.layer:
            raise ValueError(f"layer cannot be changed, got {proposal['value']!r}; make another CircleWaves")
        layer: str = proposal["value"]
        return layer

    @traitlets.validate("offset")
    def _offset_of_layer(self, proposal: dict[str, Any]) -> float:
        offset: float = proposal["value"]
        allowed = LAYERS[self.layer]
        if "options" in allowed:
            if offset not in allowed["options"]:
                options = ", ".join(map(str, allowed["options"]))
                raise ValueError(
                    f"offset must be one of {options} in the layer {self.layer!r}, got {offset:g}"
                )
        elif not allowed["min"] <= offset <= allowed["max"] or (allowed["step"] == 1 and offset % 1):
            raise ValueError(
                f"offset must be from {allowed['min']} to {allowed['max']} in steps of {allowed['step']}"
                f" in the layer {self.layer!r}, got {offset:g}"
            )
        return offset
