"""The explorer of all heads of a language model: what each attends to, and what its own hands say."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import load, results
from wavebook.experiments.smollm2.network import BASE, OMEGA
from wavebook.experiments.smollm2.plan import ANGLES, END, FACTORS, FAR, NAMED, TURNED
from wavebook.experiments.smollm2.record import LEAST, STEPS
from wavebook.explorers import ask
from wavebook.explorers.base import Choice, Explorer, Number

#: How many levels of the records are one here, since a page has all heads.
COARSER = 2
#: Hands are whole numbers of these parts of one.
PARTS = 600
#: One sign for each level of a weight.
SIGNS = "".join(map(chr, [*range(48, 58), *range(65, 91), *range(97, 123), 33, 35]))


def _written(kind: str) -> list[list[str]]:
    """One sign for the level of each weight that is kept: to 900 back in some heads, to 511 in the others."""

    def signs(weights: NDArray[np.float64]) -> str:
        levels = np.rint((np.log10(np.maximum(weights, 10.0**LEAST)) - LEAST) * STEPS).astype(int)
        return "".join(SIGNS[level] for level in (levels + 1) // COARSER)

    return [[signs(head) for head in layer] for layer in results.weights_of_all(kind)]


def _looks(kind: str) -> list[list[list[float]]]:
    """Of each head near and far offset, their weights, and how many far offsets share the highest level."""
    offsets, weights, shared = results.looks_of_all(kind)
    parts = (offsets[..., 0], offsets[..., 1], weights[..., 0], weights[..., 1], shared)
    return [
        [
            [*map(int, head[:2]), *(float(f"{weight:.2g}") for weight in head[2:4]), int(head[4])]
            for head in layer
        ]
        for layer in np.stack(parts, -1).tolist()
    ]


#: What was changed in the model: the factor of all frequencies, or a hand and by how many degrees.
CHANGES = [
    *(f"{factor:.2f}" for factor in FACTORS),
    *(f"{pair} {np.degrees(angle):.0f}" for pair in TURNED for angle in ANGLES),
]


def _moved() -> dict[str, list[int]]:
    """Of each head that is looked at: where it looked with each change."""
    arrays = load().arrays
    return {
        head.name: [*scaled.tolist(), *turned.ravel().tolist()]
        for head, scaled, turned in zip(
            load().heads, arrays["look scaled"].T, arrays["look turned"], strict=True
        )
    }


def where_it_goes() -> ask.Prediction:
    """Where the look of head 2.1 goes when all hands turn faster: for ``AllHeads()``."""
    factor, look, said = results.scaled_named()[-1]
    assert look == said
    names, looks = (
        [head.name for head in load().heads],
        (load().arrays[each] for each in ("look", "look text")),
    )
    random, texts = ([found[names.index(name)] for name in ("17.8", "19.3")] for found in looks)
    assert random[0] == results.THERE
    assert random[1] == texts[1] == results.formula(1)[names.index("19.3"), 0]
    asked = ask.choice(
        f"All hands of the model turn {100 * (factor - 1):.0f} % faster. How far back will head"
        f" {NAMED[0]}.{NAMED[1]} look then?",
        {
            "same": f"still {results.THERE} back",
            "near": f"{look} back",
            "far": f"{round(results.THERE * factor)} back",
        },
        truth="near",
        because="the head has learned the turns, not the distance. The same turns take"
        f" {results.THERE}/{factor:g} steps, and there the model then looked (measured)",
        tempting={
            "same": "It would, if the head had learned the distance.",
            "far": "Faster hands need fewer steps, not more.",
        },
        acts=[{"speed": factor, "seconds": 1.4}, {"offset": look, "seconds": 1.2}],
    )
    asked = asked.meanwhile(
        ["offset", "shown"],
        f"First slide *Δ* to 1 and back to {results.THERE}, and watch the fast hands. The other sliders come"
        " with the answer.",
    )
    return asked.then(
        "Now press “Hands unchanged”, choose hand 23, and turn it half round, then a quarter. Or press it"
        f" again, and try heads 17.8 ({results.THERE} back, too) and 19.3 (right in texts, too)."
    )


class AllHeads(Explorer):
    """Each head of SmolLM2-135M: its mean weights by offset, its own formula's curve, and its hands.

    >>> AllHeads(layer=16, head=0)
    AllHeads(layer=16, head=0, tokens='random tokens', offset=208, pair=0, turned=0.0, shown=0, speed=1.0)
    """

    slug = "all-heads"
    layer = Number(NAMED[0], low=0, high=29, integer=True)
    head = Number(NAMED[1], low=0, high=8, integer=True)
    tokens = Choice("random tokens", ("random tokens", "texts"), help="what the model read")
    offset = Number(results.THERE, low=0, high=END - 1, integer=True, help="to which the hands are turned")
    pair = Number(0, low=0, high=31, integer=True, help="the hand that is turned by itself")
    turned = Number(0.0, low=0, high=345, step=15, help="by how many degrees it is turned")
    shown = Number(0, low=0, high=31, integer=True, help="the hand that is drawn large")
    speed = Number(1.0, low=0.8, high=1.25, step=0.01, help="the factor of all frequencies in the formula")

    constants: ClassVar[dict[str, Any]] = {
        "signs": SIGNS,
        "least": LEAST,
        "steps": STEPS // COARSER,
        "far": FAR,
        "end": END,
        "omega": np.round(OMEGA, 9).tolist(),
        "base": BASE,
        "random": _written("random"),
        "texts": _written("text"),
        "looks": {"random tokens": _looks("random"), "texts": _looks("text")},
        "parts": PARTS,
        "changes": CHANGES,
        "moved": _moved(),
        "hands": np.rint(PARTS * load().arrays["hands"].astype(float)).astype(int).tolist(),
    }
