"""Which sinusoidal encoding a table holds, or which RoPE a function applies, and what is wrong with it.

Programs disagree about the layout of the columns, about the denominator of the exponent and about the first
position, and a table that was built in half precision, clipped or padded looks like any other on a screen.
:func:`diagnose` looks for a *reading* of the numbers, a layout with frequencies and positions that explains
the entries within what their type allows, and then judges it; :func:`diagnose_rope` tries a function that
rotates. What is not read is called unread. From a terminal: ``python -m posread diagnose FILE``.
"""

from posread.diagnosis.reading import (
    KINDS,
    Axis,
    Diagnosis,
    Frequencies,
    Kind,
    Positions,
    Problem,
    Reading,
)
from posread.diagnosis.rope import RopeDiagnosis, diagnose_rope
from posread.diagnosis.table import diagnose

__all__ = [
    "KINDS",
    "Axis",
    "Diagnosis",
    "Frequencies",
    "Kind",
    "Positions",
    "Problem",
    "Reading",
    "RopeDiagnosis",
    "diagnose",
    "diagnose_rope",
]
