"""Figures with sliders: anywidget classes whose JavaScript runs in a notebook and in the plain page alike.

Each class is imported when it is first asked for, so that a chapter pays for those alone that it shows.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posenc.explorers.accuracy_by_position import AccuracyByPosition
    from posenc.explorers.add_or_rotate import AddOrRotate
    from posenc.explorers.attempts import Attempts
    from posenc.explorers.before_after import BeforeAfter
    from posenc.explorers.block_shift import BlockShift
    from posenc.explorers.circle_waves import CircleWaves, near_returns
    from posenc.explorers.clock import Clock
    from posenc.explorers.closest_pair import ClosestPair
    from posenc.explorers.context_extension import ContextExtension
    from posenc.explorers.distance_law import DistanceLaw
    from posenc.explorers.heatmap import Heatmap
    from posenc.explorers.look_back import LookBack
    from posenc.explorers.loudness import Loudness
    from posenc.explorers.roots import Roots
    from posenc.explorers.rotary import Rotary
    from posenc.explorers.score_parts import ScoreParts
    from posenc.explorers.scores_by_distance import ScoresByDistance
    from posenc.explorers.set_hands import SetHands
    from posenc.explorers.shuffle import Shuffle
    from posenc.explorers.similarity_matrix import SimilarityMatrix
    from posenc.explorers.sinusoids import Sinusoids
    from posenc.explorers.spectra import Spectra
    from posenc.explorers.torus import Torus
    from posenc.explorers.trained_angles import TrainedAngles
    from posenc.explorers.trained_head import TrainedHead
    from posenc.explorers.wavelengths import Wavelengths

#: What is exported -> the module that holds it.
_HOMES = {
    "AccuracyByPosition": "accuracy_by_position",
    "AddOrRotate": "add_or_rotate",
    "Attempts": "attempts",
    "BeforeAfter": "before_after",
    "BlockShift": "block_shift",
    "CircleWaves": "circle_waves",
    "Clock": "clock",
    "ClosestPair": "closest_pair",
    "ContextExtension": "context_extension",
    "DistanceLaw": "distance_law",
    "Heatmap": "heatmap",
    "LookBack": "look_back",
    "Loudness": "loudness",
    "Roots": "roots",
    "Rotary": "rotary",
    "ScoreParts": "score_parts",
    "ScoresByDistance": "scores_by_distance",
    "SetHands": "set_hands",
    "Shuffle": "shuffle",
    "SimilarityMatrix": "similarity_matrix",
    "Sinusoids": "sinusoids",
    "Spectra": "spectra",
    "Torus": "torus",
    "TrainedAngles": "trained_angles",
    "TrainedHead": "trained_head",
    "Wavelengths": "wavelengths",
    "near_returns": "circle_waves",
}

__all__ = [
    "AccuracyByPosition",
    "AddOrRotate",
    "Attempts",
    "BeforeAfter",
    "BlockShift",
    "CircleWaves",
    "Clock",
    "ClosestPair",
    "ContextExtension",
    "DistanceLaw",
    "Heatmap",
    "LookBack",
    "Loudness",
    "Roots",
    "Rotary",
    "ScoreParts",
    "ScoresByDistance",
    "SetHands",
    "Shuffle",
    "SimilarityMatrix",
    "Sinusoids",
    "Spectra",
    "Torus",
    "TrainedAngles",
    "TrainedHead",
    "Wavelengths",
    "near_returns",
]


def __getattr__(name: str) -> object:
    """Import an explorer's module when the explorer is first asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
