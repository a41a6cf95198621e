"""The models of the table in the chapter on RoPE: what is reported, and what configurations say."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from posenc.rope import partial_frequencies
from posread.config import LayerRope, from_config
from wavebook import data


@dataclass(frozen=True)
class Model:
    """A line of the table; encoding and extension are as reported."""

    name: str
    year: int
    encoding: str
    #: The longest context trained before it was lengthened, and the one stated; "?" if no source was found.
    trained: int | str
    stated: int | str
    #: How its context was lengthened.
    extension: str
    #: Keys of the bibliography, separated by commas.
    sources: str
    #: What its types of layers do, by what distinguishes them ("local"); empty without RoPE or sines.
    kinds: dict[str, LayerRope]
    #: The name of the published configuration that `kinds` was read from.
    record: str | None


@cache
def models() -> tuple[Model, ...]:
    """Return the models, in the order of the table.

    >>> [model.name for model in models()][:3]
    ['Transformer', 'BERT', 'GPT-2']
    """
    return tuple(_model(entry) for entry in json.loads(data.read("models.json")))


#: What is said of a type of layer.
_LAYERS = {
    "all": "", "sliding_attention": "local", "full_attention": "global", "main": "window",
    "compress": "compressed",
}  # fmt: skip


def _model(entry: dict[str, Any]) -> Model:
    kinds = from_config(entry["config"]).kinds if "config" in entry else {}
    named = {_LAYERS[name]: kind for name, kind in kinds.items()}
    return Model(
        name=entry["model"],
        kinds=dict(sorted(named.items(), key=lambda one: one[1].base)),
        record=entry.get("record"),
        **{key: entry[key] for key in ("year", "encoding", "trained", "stated", "extension", "sources")},
    )


def longest(kind: LayerRope) -> float:
    """Return the longest wavelength of the pairs that turn, in positions, before any is divided or blended.

    >>> round(longest(models()[0].kinds[""]))  # the paper's, at d_model = 512
    60611
    """
    if kind.place == "spread":
        omega = partial_frequencies(kind.head_dim, kind.rotary_dim, kind.base, truncated=True)
    else:
        omega = partial_frequencies(kind.rotary_dim, kind.rotary_dim, kind.base)
    return 2 * math.pi / float(omega[omega > 0].min())


def waves(kind: LayerRope) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the wavelengths of the pairs that turn, in positions, after any method for longer contexts.

    They go from short to long; those of LongRoPE and dynamic scaling are for the trained length.

    >>> waves(models()[0].kinds[""]).shape
    (256,)
    """
    return np.sort(2 * np.pi / kind.omega[kind.omega > 0])
