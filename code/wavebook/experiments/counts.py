"""What was counted in a test, as fractions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.arguments import Float


class Counted:
    """What both experiments say of a run from its counts alone."""

    #: Right answers and questions, of shape (2, seeds, positions).
    counts: NDArray[Any]

    @property
    def accuracy(self) -> Float:
        """Right answers over questions, of shape (seeds, positions); NaN where nothing is asked."""
        right, asked = self.counts.astype(np.float64)
        with np.errstate(invalid="ignore"):
            fractions: Float = right / asked
        return fractions

    def over(self, start: int, stop: int) -> Float:
        """The accuracy at positions `start` to `stop` - 1 together, of shape (seeds,)."""
        right, asked = self.counts[:, :, start:stop].astype(np.float64).sum(2)
        fraction: Float = right / asked
        return fraction
