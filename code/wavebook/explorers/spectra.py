"""The explorer of spectra: other ways to choose the frequencies, and what becomes of the encoding."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from wavebook.explorers.base import Base, Choice, Explorer, Width

WIDEST = 128


class Spectra(Explorer):
    """The sines, the distances and the measures of a choice of frequencies.

    >>> Spectra(spectrum="harmonic")
    Spectra(spectrum='harmonic', d_model=64, base=10000.0)
    """

    slug = "spectra"
    spectrum = Choice("geometric", ("geometric", "linear", "harmonic", "octave", "log-uniform", "Gaussian"))
    d_model = Width(64, high=WIDEST)
    base = Base(help="the harmonic, octave and Gaussian spectra have no use for it")

    # The same numbers as posenc.spectra draws: a shorter draw is the beginning of a longer one.
    constants: ClassVar[dict[str, Any]] = {
        "furthest": 1000,
        "draws": {
            "uniform": np.random.default_rng(0).uniform(size=WIDEST // 2).tolist(),
            "normal": np.abs(np.random.default_rng(0).normal(size=WIDEST // 2)).tolist(),
        },
    }
