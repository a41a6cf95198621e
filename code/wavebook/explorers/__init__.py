"""Figures with sliders: anywidget classes whose JavaScript runs in a notebook and in the plain page alike.

Each class is imported when it is first asked for, so that a chapter pays for those alone that it shows.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wavebook.explorers.add_or_rotate import AddOrRotate as AddOrRotate
    from wavebook.explorers.all_heads import AllHeads as AllHeads
    from wavebook.explorers.attempts import Attempts as Attempts
    from wavebook.explorers.base_trade import BaseTrade as BaseTrade
    from wavebook.explorers.before_after import BeforeAfter as BeforeAfter
    from wavebook.explorers.block_shift import BlockShift as BlockShift
    from wavebook.explorers.circle_waves import CircleWaves as CircleWaves
    from wavebook.explorers.circle_waves import near_returns as near_returns
    from wavebook.explorers.cliff import Cliff as Cliff
    from wavebook.explorers.clock import Clock as Clock
    from wavebook.explorers.closest_pair import ClosestPair as ClosestPair
    from wavebook.explorers.context_extension import ContextExtension as ContextExtension
    from wavebook.explorers.counter import Counter as Counter
    from wavebook.explorers.distance_law import DistanceLaw as DistanceLaw
    from wavebook.explorers.heatmap import Heatmap as Heatmap
    from wavebook.explorers.look_back import LookBack as LookBack
    from wavebook.explorers.loudness import Loudness as Loudness
    from wavebook.explorers.machine import Machine as Machine
    from wavebook.explorers.model_clock import ModelClock as ModelClock
    from wavebook.explorers.riddle import Riddle as Riddle
    from wavebook.explorers.roots import Roots as Roots
    from wavebook.explorers.rotary import Rotary as Rotary
    from wavebook.explorers.score_parts import ScoreParts as ScoreParts
    from wavebook.explorers.scores_by_distance import ScoresByDistance as ScoresByDistance
    from wavebook.explorers.set_hands import SetHands as SetHands
    from wavebook.explorers.shuffle import Shuffle as Shuffle
    from wavebook.explorers.similarity_matrix import SimilarityMatrix as SimilarityMatrix
    from wavebook.explorers.sinusoids import Sinusoids as Sinusoids
    from wavebook.explorers.slips import Slips as Slips
    from wavebook.explorers.spectra import Spectra as Spectra
    from wavebook.explorers.torus import Torus as Torus
    from wavebook.explorers.trained_angles import TrainedAngles as TrainedAngles
    from wavebook.explorers.trained_head import TrainedHead as TrainedHead
    from wavebook.explorers.votes import Votes as Votes
    from wavebook.explorers.wavelengths import Wavelengths as Wavelengths

#: What is exported -> the module that holds it. A class is named after its module.
_HOMES = {
    module.name.title().replace("_", ""): module.name
    for module in iter_modules(__path__)
    if module.name not in ("ask", "base", "modules", "questions", "strings", "translate")
} | {"near_returns": "circle_waves"}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    """Import an explorer's module when the explorer is first asked for (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
