"""What can be wrong, as values that print as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

#: What can be wrong. A kind says what was seen, and never what it comes from, which no table tells.
Kind = Literal[
    "unread",  # no reading explains the entries
    "transposed",  # positions run along the columns
    "equal-rows",  # every row is the same
    "zero-rows",
    "zero-columns",
    "lone-column",  # a sine without its cosine, or the other way round
    "extra-columns",  # columns before or behind that are no part of the encoding
    "columns-shuffled",
    "unpaired-frequencies",  # the two columns of a pair turn at different speeds
    "clipped",
    "scaled",
    "shifted",
    "sign",  # a sine or cosine negated; turning backwards
    "noise",  # every row is off by a little
    "rows-off",  # some rows are off the reading of the others
    "rows-repeated",
    "rows-out-of-place",  # some rows hold another position than their neighbors say
    "uneven",
    "reversed",
    "start",  # the first position is no whole number, or not the one asked for
    "step",
    "rounded-positions",
    "rounded-frequencies",
    "rounded-angles",
    "rising-frequencies",
    "equal-frequencies",
    "base",  # no base in use
    "unknown-frequencies",  # they follow no law that is tried
    "nothing-turns",
    "positions-ignored",
    "positions-confused",  # the result depends on more than a vector and its own position
    "lengths-change",
    "not-relative",  # scores depend on more than the distance
    "pairs-torn",  # the two entries of a pair turn by different angles
    "entries-permuted",  # the result has the entries in another order
    "pairs-mixed",  # entries are mixed that form no pairs
    "not-linear",  # a norm, a clip or quantization inside
    "added",  # a vector is added to what is turned, or in place of turning
]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong; prints as a sentence.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    text : str
        A sentence.
    rows, columns : tuple of int
        Where it was seen; for a function that rotates, rows are positions. Empty if it is everywhere.
    expected, found : object
        What a sound table would have, and what this one has: numbers or words, None where there are none.
    """

    kind: Kind
    text: str
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    expected: Any = None
    found: Any = None

    def __str__(self) -> str:
        return self.text
