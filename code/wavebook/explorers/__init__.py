"""Figures with sliders: anywidget classes whose JavaScript runs in a notebook and in the plain page alike.

Each class is imported when it is first asked for, so that a chapter pays for those alone that it shows.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wavebook.explorers.accuracy_by_position import AccuracyByPosition
    from wavebook.explorers.add_or_rotate import AddOrRotate
    from wavebook.explorers.attempts import Attempts
    from wavebook.explorers.before_after import BeforeAfter
    from wavebook.explorers.block_shift import BlockShift
    from wavebook.explorers.circle_waves import CircleWaves, near_returns
    from wavebook.explorers.clock import Clock
    from wavebook.explorers.closest_pair import ClosestPair
    from wavebook.explorers.context_extension import ContextExtension
    from wavebook.explorers.distance_law import DistanceLaw
    from wavebook.explorers.heatmap import Heatmap
    from wavebook.explorers.look_back import LookBack
    from wavebook.explorers.loudness import Loudness
    from wavebook.explorers.roots import Roots
    from wavebook.explorers.rotary import Rotary
    from wavebook.explorers.score_parts import ScoreParts
    from wavebook.explorers.scores_by_distance import ScoresByDistance
    from wavebook.explorers.set_hands import SetHands
    from wavebook.explorers.shuffle import Shuffle
    from wavebook.explorers.similarity_matrix import SimilarityMatrix
    from wavebook.explorers.sinusoids import Sinusoids
    from wavebook.explorers.spectra import Spectra
    from wavebook.explorers.torus import Torus
    from wavebook.explorers.trained_angles import TrainedAngles
    from wavebook.explorers.trained_head import TrainedHead
    from wavebook.explorers.wavelengths import Wavelengths

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
