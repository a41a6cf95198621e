"""Figures with sliders: anywidget classes whose JavaScript runs in a notebook and in the plain page alike."""

from posenc.explorers.add_or_rotate import AddOrRotate
from posenc.explorers.before_after import BeforeAfter
from posenc.explorers.block_shift import BlockShift
from posenc.explorers.circle_waves import CircleWaves, near_returns
from posenc.explorers.clock import Clock
from posenc.explorers.closest_pair import ClosestPair
from posenc.explorers.context_extension import ContextExtension
from posenc.explorers.distance_law import DistanceLaw
from posenc.explorers.heatmap import Heatmap
from posenc.explorers.look_back import LookBack
from posenc.explorers.rotary import Rotary
from posenc.explorers.schedules import Schedules
from posenc.explorers.score_parts import ScoreParts
from posenc.explorers.scores_by_distance import ScoresByDistance
from posenc.explorers.shuffle import Shuffle
from posenc.explorers.sinusoids import Sinusoids
from posenc.explorers.torus import Torus
from posenc.explorers.wavelengths import Wavelengths

__all__ = [
    "AddOrRotate",
    "BeforeAfter",
    "BlockShift",
    "CircleWaves",
    "Clock",
    "ClosestPair",
    "ContextExtension",
    "DistanceLaw",
    "Heatmap",
    "LookBack",
    "Rotary",
    "Schedules",
    "ScoreParts",
    "ScoresByDistance",
    "Shuffle",
    "Sinusoids",
    "Torus",
    "Wavelengths",
    "near_returns",
]
