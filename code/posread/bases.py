"""Bases that programs use, and how round others are."""

import math

#: Bases in use, the commonest first; then powers of ten count as round, then one digit, then two.
IN_USE = ((1e4,), (5e5, 1e6), (1e5, 5e6, 1e7, 1e3, 1e2, 2e6, 8e6, 1.5e5, 1.6e5, 2.5e5, 5e4, 5e7), (1e8, 1e11))
#: How round a base must be to be named beside the one that is preferred.
ROUND = 5


def roundness(base: float, allowed: float) -> tuple[int, float]:
    """How round the roundest number is within a relative distance, 0 for 10,000, and that number."""
    whole = float(round(base))
    if whole > 5e5 and whole % 10 and abs(base / whole - 1) < 1e-10:  # as exact as that, and no other
        return ROUND + 3, whole
    for rank, known in enumerate(IN_USE):
        for value in known:
            if abs(math.log(base / value)) <= allowed:
                return rank, value
    few = (float(f"{base:.{digits}e}") for digits in range(3))
    for rank, value in enumerate((10.0 ** round(math.log10(base)), *few), len(IN_USE)):
        if abs(math.log(base / value)) <= allowed:
            return rank, value
    return ROUND + 3, base


def tells(digits: int, allowed: float) -> float:
    """How near a number of so many digits must be to tell more than chance: one in a hundred is as near."""
    return min(allowed, max(10.0 ** -(digits + 2), 1e-8))
