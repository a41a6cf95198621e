"""The explorer of longer contexts: what four methods do to the frequencies."""

from __future__ import annotations

from inspect import signature
from typing import Any, ClassVar

from posenc.context import llama3, yarn
from wavebook.explorers.base import Base, Choice, Explorer, Number

#: The turns in the trained length between which YaRN, and Llama 3.1, go over from one rule to the other.
YARN = signature(yarn).parameters
LLAMA = signature(llama3).parameters


class ContextExtension(Explorer):
    """What each method of lengthening a context does to the 64 frequencies of a head with 128 entries.

    >>> ContextExtension(factor=4)
    ContextExtension(method='YaRN', factor=4.0, base=10000.0, length=2048)
    """

    slug = "context-extension"
    parts = ("beyond",)
    method = Choice("YaRN", ("interpolation", "NTK-aware", "YaRN", "Llama 3.1"))
    factor = Number(8, low=1, high=32, step=0.5, help="new length over trained length")
    base = Base()
    length = Number(2048, low=256, high=8192, step=128, integer=True, help="the trained length in positions")

    constants: ClassVar[dict[str, Any]] = {
        "d_model": 128,
        "beta": {
            "YaRN": {"slow": YARN["beta_slow"].default, "fast": YARN["beta_fast"].default},
            "Llama 3.1": {
                "slow": LLAMA["low_freq_factor"].default,
                "fast": LLAMA["high_freq_factor"].default,
            },
        },
    }
