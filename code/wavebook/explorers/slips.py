"""The explorer of slips: two programs with RoPE, one of them wrong, and how many tokens show it."""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np

from posenc import frequencies
from posenc.precision import rounded
from posenc.rope import apply_rope
from wavebook.explorers.base import Choice, Explorer, Number

#: The head: its size, base and how far back it looks; the base of a program that has forgotten it; how many
#: tokens its cache holds, of which it drops the older half when it is full; and how much of the largest score
#: a score may be off.
HEAD: dict[str, Any] = {
    "d_model": 64,
    "base": 500_000,
    "aim": 10,
    "other_base": 10_000,
    "cache": 1024,
    "tolerance": 0.05,
    "asked": 16,
}
#: The most tokens that are compared.
LONGEST = 2000
SLIPS = ("other layout", "base forgotten", "d - 2", "bfloat16 positions", "renumbered cache")


class Slips(Explorer):
    """The scores of a sound program and of one with a slip, and from how many tokens on it shows.

    The head has 64 entries and base 500,000, and looks for the token ten back: all its tokens have one query,
    whose pairs have norm 1, and one key, which is the query turned by ten positions.

    >>> Slips(slip="other layout")
    Slips(slip='other layout', tokens=16.0)
    """

    slug = "slips"
    parts = ("slips",)
    slip = Choice("d - 2", SLIPS)
    tokens = Number(
        16, low=2, high=LONGEST, step=0.03, log=True, help="in the sequence; whole numbers when rounded"
    )

    constants: ClassVar[dict[str, Any]] = HEAD


@functools.cache
def shows_from() -> dict[str, int]:
    """Slip -> the number of tokens from which on some score is off by more than the tolerance."""
    d, base, aim = HEAD["d_model"], HEAD["base"], HEAD["aim"]
    phases = np.arange(d // 2) * np.pi * (3 - 5**0.5)  # the golden angle: no two pairs alike
    query = np.stack([np.cos(phases), np.sin(phases)], axis=-1).ravel()
    right = frequencies(d, base)
    key = apply_rope(query, aim, omega=right)
    far = np.arange(-LONGEST, LONGEST + 1)

    def scores(omega: Any, layout: Any = "interleaved") -> Any:
        """At the distances ``far``, as a fraction of the largest that there can be."""
        turned = apply_rope(np.tile(query, (far.size, 1)), far, omega=omega, layout=layout)
        return turned @ key / (d / 2)

    true = scores(right)
    distances = np.subtract.outer(np.arange(LONGEST), np.arange(LONGEST))
    tables = {
        "other layout": scores(right, "halves"),
        "base forgotten": scores(frequencies(d, HEAD["other_base"])),
        "d - 2": scores(base ** (-np.arange(d // 2) / (d // 2 - 1))),
    }
    found = {}
    for slip in SLIPS:
        seen = distances
        kept = distances >= 0
        if slip == "bfloat16 positions":
            narrow = rounded(np.arange(LONGEST), "bfloat16").astype(int)
            seen = np.subtract.outer(narrow, narrow)
        if slip == "renumbered cache":
            half = int(HEAD["cache"]) // 2
            dropped = np.maximum(np.arange(LONGEST) // half - 1, 0) * half
            seen = distances - np.subtract.outer(dropped, dropped)
            kept = kept & (np.arange(LONGEST) >= dropped[:, np.newaxis])
        off = abs(tables.get(slip, true)[seen + LONGEST] - true[distances + LONGEST])
        found[slip] = int(((off > HEAD["tolerance"]) & kept).any(axis=1).argmax()) + 1
    return found
