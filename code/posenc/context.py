"""Longer contexts for a model with RoPE: each method is a change of the frequencies, and nothing else.

``factor`` is the number of times that the context is longer than the one the model was trained for. What the
functions return goes in as ``omega`` to :func:`posenc.rope.apply_rope`,
:func:`posenc.distance.encoding_distance` and their kin.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from posenc._validate import Float, check_base, check_count, check_d_model, check_real, check_scalar
from posenc.encoding import BASE, frequencies


def check_factor(factor: float) -> float:
    """Return ``factor`` as a float, or raise if it is not a finite number >= 1."""
    value = check_real(factor, "factor")
    if value.ndim or value < 1:
        raise ValueError(f"factor must be one finite number >= 1, got {factor!r}")
    return float(value)


def interpolation(d_model: int, factor: float, base: float = BASE) -> Float:
    """Position interpolation: all frequencies divided by ``factor``.

    The longer context fills the trained range. Elsewhere it is called PI or linear scaling (`rope_scaling` of
    type `linear`).

    Parameters
    ----------
    d_model : int
        Size of a head: an even integer from 2 to 2**24.
    factor : float
        Finite, >= 1.
    base : float
        Finite, > 1; elsewhere `rope_theta`.

    Returns
    -------
    ndarray
        Radians per position, of shape (d_model/2,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Chen et al. (2023), section 2.3.

    Examples
    --------
    >>> interpolation(8, 4)
    array([0.25   , 0.025  , 0.0025 , 0.00025])
    """
    return frequencies(d_model, base) / check_factor(factor)


def ntk_base(d_model: int, factor: float, base: float = BASE) -> float:
    """The base b factor^(d/(d - 2)), which keeps the first frequency and divides the last by ``factor``.

    Parameters
    ----------
    d_model : int
        Size of a head: an even integer from 4 to 2**24.
    factor : float
        Finite, >= 1.
    base : float
        Finite, > 1; elsewhere `rope_theta`.

    Returns
    -------
    float
        The new base.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    bloc97 (2023).

    Examples
    --------
    >>> round(ntk_base(8, 8))
    160000
    """
    d_model = check_d_model(d_model)
    if d_model < 4:
        raise ValueError(f"d_model must be at least 4 to have a first and a last frequency, got {d_model}")
    return float(check_base(base) * check_factor(factor) ** (d_model / (d_model - 2)))


def ntk_aware(d_model: int, factor: float, base: float = BASE) -> Float:
    """NTK-aware scaling: the frequencies of :func:`ntk_base`. Pair i is slowed by factor^(2i/(d - 2)).

    Parameters
    ----------
    d_model : int
        Size of a head: an even integer from 4 to 2**24.
    factor : float
        Finite, >= 1; elsewhere `alpha`.
    base : float
        Finite, > 1; elsewhere `rope_theta`.

    Returns
    -------
    ndarray
        Radians per position, of shape (d_model/2,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    bloc97 (2023).

    Examples
    --------
    >>> frequencies(8) / ntk_aware(8, 8)
    array([1., 2., 4., 8.])
    """
    return frequencies(d_model, ntk_base(d_model, factor, base))


def yarn(
    d_model: int,
    factor: float,
    base: float = BASE,
    *,
    length: int = 2048,
    beta_slow: float = 1.0,
    beta_fast: float = 32.0,
) -> Float:
    """YaRN's frequencies: fast pairs stay, slow ones are interpolated, and a ramp blends the two.

    A pair that makes at most ``beta_slow`` turns in the trained length is divided by ``factor``, one that
    makes at least ``beta_fast`` turns is left alone. The ramp is linear in the number of turns, as in the
    paper; the authors' code has it linear in the number of the pair.

    Parameters
    ----------
    d_model : int
        Size of a head: an even integer from 2 to 2**24.
    factor : float
        Finite, >= 1; elsewhere `s`.
    base : float
        Finite, > 1; elsewhere `rope_theta`.
    length : int
        The trained length in positions, >= 1; elsewhere `original_max_position_embeddings`.
    beta_slow, beta_fast : float
        Turns within `length`: finite, 0 <= beta_slow < beta_fast. In the paper alpha and beta.

    Returns
    -------
    ndarray
        Radians per position, of shape (d_model/2,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Peng et al. (2024), section 3.2 ("NTK-by-parts").

    Examples
    --------
    >>> (frequencies(8) / yarn(8, 4, length=2048)).round(3)
    array([1.   , 1.   , 3.282, 4.   ])
    """
    length = check_count(length, "length", least=1)
    beta_slow, beta_fast = check_scalar(beta_slow, "beta_slow"), check_scalar(beta_fast, "beta_fast")
    if not 0 <= beta_slow < beta_fast:
        raise ValueError(
            "beta_slow must be at least 0 and below beta_fast, "
            f"got beta_slow={beta_slow!r}, beta_fast={beta_fast!r}"
        )
    omega = frequencies(d_model, base)
    turns = length * omega / (2 * np.pi)
    kept = np.clip((turns - beta_slow) / (beta_fast - beta_slow), 0, 1)  # 0 interpolates, 1 keeps
    blended: Float = omega * ((1 - kept) / check_factor(factor) + kept)
    return blended


def yarn_scale(factor: float) -> float:
    """YaRN's other half: queries and keys are multiplied by 0.1 ln(factor) + 1, so scores by its square.

    Elsewhere it is called `mscale` or `attention_factor`.

    Parameters
    ----------
    factor : float
        Finite, >= 1.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If `factor` is not as above.

    References
    ----------
    Peng et al. (2024), section 3.3; an empirical fit.

    Examples
    --------
    >>> round(yarn_scale(16), 3)
    1.277
    """
    return 0.1 * math.log(check_factor(factor)) + 1


#: Name -> the method as a function of d_model, factor, base and the trained length.
METHODS: dict[str, Callable[[int, float, float, int], Float]] = {
    "unchanged": lambda d_model, factor, base, length: frequencies(d_model, base),
    "interpolation": lambda d_model, factor, base, length: interpolation(d_model, factor, base),
    "NTK-aware": lambda d_model, factor, base, length: ntk_aware(d_model, factor, base),
    "YaRN": lambda d_model, factor, base, length: yarn(d_model, factor, base, length=length),
}


def unseen_pairs(
    new_omega: ArrayLike, d_model: int, factor: float, base: float = BASE, *, length: int = 2048
) -> int:
    """How many pairs reach, in a context ``factor`` times as long, an angle that training never showed.

    A pair that makes a whole turn within ``length`` under the old frequencies has seen every angle; a slower
    one only those up to length times its frequency, one step more than the last position reaches.

    Parameters
    ----------
    new_omega : array_like
        The frequencies of the longer context, radians per position, of shape (d_model/2,).
    d_model : int
        Size of a head: an even integer from 2 to 2**24.
    factor : float
        Finite, >= 1.
    base : float
        The base of the training: finite, > 1.
    length : int
        The trained length in positions, >= 1.

    Returns
    -------
    int

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> unseen_pairs(frequencies(8), 8, 2), unseen_pairs(interpolation(8, 2), 8, 2)
    (1, 0)
    """
    old, new = frequencies(d_model, base), check_real(new_omega, "new_omega")
    if new.shape != old.shape:
        raise ValueError(f"new_omega must have shape {old.shape}, got {new.shape}")
    length = check_count(length, "length", least=1)
    seen = old * length
    reached = new * check_factor(factor) * length
    # One part in 10^9: a pair slowed by exactly the factor reaches the end of the seen range, not beyond.
    return int(((seen < 2 * np.pi) & (reached > seen * (1 + 1e-9))).sum())
