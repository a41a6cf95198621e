"""Longer contexts for a rotary model: each method is a change of the frequencies, and nothing else.

``factor`` is the number of times that the text is longer than the model was trained for.
What the functions return goes in as ``omega`` to :func:`posenc.rope.apply_rope`, :func:`posenc.encoding_distance` and their kin.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from posenc._validate import Float, check_base, check_count, check_d_model, check_real
from posenc.encoding import frequencies


def check_factor(factor: float) -> float:
    """Return ``factor`` as a float, or raise if it is not a finite number >= 1."""
    value = check_real(factor, "factor")
    if value.ndim or value < 1:
        raise ValueError(f"factor must be one finite number >= 1, got {factor!r}")
    return float(value)


def interpolation(d_model: int, factor: float, base: float = 10_000.0) -> Float:
    """Position interpolation: all frequencies divided by ``factor``, so that the longer text fills the trained range.

    Parameters
    ----------
    d_model, base : as for :func:`posenc.frequencies`
    factor : finite number >= 1

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Raises
    ------
    TypeError, ValueError
        If ``factor`` is not a finite number >= 1; and as for :func:`posenc.frequencies`.

    Introduced in the chapter "Relatives". Source: Chen et al. (2023), section 2.3.

    >>> interpolation(8, 4)
    array([0.25   , 0.025  , 0.0025 , 0.00025])
    """
    return frequencies(d_model, base) / check_factor(factor)


def ntk_base(d_model: int, factor: float, base: float = 10_000.0) -> float:
    """The base b factor^(d/(d - 2)), which leaves the first frequency as it is and divides the last by ``factor``.

    Parameters, errors: as for :func:`interpolation`; moreover ``d_model`` must be at least 4.

    Introduced in the chapter "Relatives". Source: bloc97 (2023).

    >>> round(ntk_base(8, 8))
    160000
    """
    d_model = check_d_model(d_model)
    if d_model < 4:
        raise ValueError(f"d_model must be at least 4 to have a first and a last frequency, got {d_model}")
    return check_base(base) * check_factor(factor) ** (d_model / (d_model - 2))


def ntk_aware(d_model: int, factor: float, base: float = 10_000.0) -> Float:
    """NTK-aware scaling: the frequencies of :func:`ntk_base`. Pair i is slowed by factor^(2i/(d - 2)).

    Parameters, errors: as for :func:`ntk_base`.

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Introduced in the chapter "Relatives". Source: bloc97 (2023).

    >>> frequencies(8) / ntk_aware(8, 8)
    array([1., 2., 4., 8.])
    """
    return frequencies(d_model, ntk_base(d_model, factor, base))


def yarn(
    d_model: int,
    factor: float,
    base: float = 10_000.0,
    *,
    length: int = 2048,
    beta_slow: float = 1.0,
    beta_fast: float = 32.0,
) -> Float:
    """YaRN's frequencies: fast pairs stay, slow ones are interpolated, and between them a ramp blends the two.

    A pair that makes at most ``beta_slow`` turns in the trained length is divided by ``factor``, one that makes at least
    ``beta_fast`` turns is left alone. The ramp is linear in the number of turns, as in the paper; the authors' code has it
    linear in the number of the pair.

    Parameters
    ----------
    d_model, factor, base : as for :func:`interpolation`
    length : integer >= 1, the trained length in positions
    beta_slow, beta_fast : finite numbers, 0 <= beta_slow < beta_fast, in turns within ``length``

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Raises
    ------
    TypeError, ValueError
        If ``length``, ``beta_slow`` or ``beta_fast`` is not as above; and as for :func:`interpolation`.

    Introduced in the chapter "Relatives". Source: Peng et al. (2024), section 3.2 ("NTK-by-parts").

    >>> (frequencies(8) / yarn(8, 4, length=2048)).round(3)
    array([1.   , 1.   , 3.282, 4.   ])
    """
    length = check_count(length, "length", least=1)
    beta_slow = float(check_real(beta_slow, "beta_slow"))
    beta_fast = float(check_real(beta_fast, "beta_fast"))
    if not 0 <= beta_slow < beta_fast:
        raise ValueError(
            f"beta_slow must be at least 0 and below beta_fast, got beta_slow={beta_slow!r}, beta_fast={beta_fast!r}"
        )
    omega = frequencies(d_model, base)
    kept = np.clip(
        (length * omega / (2 * np.pi) - beta_slow) / (beta_fast - beta_slow), 0, 1
    )  # 0 interpolates, 1 keeps
    return omega * ((1 - kept) / check_factor(factor) + kept)


def yarn_scale(factor: float) -> float:
    """YaRN's other half: queries and keys are multiplied by 0.1 ln(factor) + 1, so scores by its square.

    Errors: as for :func:`interpolation`.

    Introduced in the chapter "Relatives". Source: Peng et al. (2024), section 3.3; an empirical fit.

    >>> round(yarn_scale(16), 3)
    1.277
    """
    return 0.1 * math.log(check_factor(factor)) + 1


#: Name -> the method as a function of d_model, factor, base and the trained length, for tables, figures and explorers.
METHODS: dict[str, Callable[[int, float, float, int], Float]] = {
    "unchanged": lambda d_model, factor, base, length: frequencies(d_model, base),
    "interpolation": lambda d_model, factor, base, length: interpolation(d_model, factor, base),
    "NTK-aware": lambda d_model, factor, base, length: ntk_aware(d_model, factor, base),
    "YaRN": lambda d_model, factor, base, length: yarn(d_model, factor, base, length=length),
}


def unseen_pairs(
    omega: Float, d_model: int, factor: float, base: float = 10_000.0, *, length: int = 2048
) -> int:
    """How many pairs of ``omega`` reach, in a text ``factor`` times as long, an angle that training never showed.

    A pair that makes a whole turn within ``length`` under the old frequencies has seen every angle; a slower one only
    those up to length times its frequency.

    Parameters
    ----------
    omega : array of shape (d_model/2,), the new frequencies
    d_model, factor, base, length : as for :func:`yarn`

    Raises
    ------
    TypeError, ValueError
        If ``omega`` has another shape; and as for :func:`yarn`.

    Introduced in the chapter "Relatives".

    >>> unseen_pairs(frequencies(8), 8, 2), unseen_pairs(interpolation(8, 2), 8, 2)
    (1, 0)
    """
    old, new = frequencies(d_model, base), check_real(omega, "omega")
    if new.shape != old.shape:
        raise ValueError(f"omega must have shape {old.shape}, got {new.shape}")
    length = check_count(length, "length", least=1)
    seen = old * length
    reached = new * check_factor(factor) * length
    # One part in 10^9: a pair slowed by exactly the factor reaches the end of the seen range, and not rounding beyond it.
    return int(((seen < 2 * np.pi) & (reached > seen * (1 + 1e-9))).sum())
