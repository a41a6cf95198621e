"""Longer contexts for a model with RoPE: changes of the frequencies, and factors of the scores.

``factor`` is the number of times that the context is longer than the one the model was trained for; of
:func:`llama3` it is what slow frequencies are divided by, 8 in Llama 3.1 for 16 times the length. The
frequencies that functions return go in as ``omega`` to :func:`posenc.rope.apply_rope`,
:func:`posenc.distance.encoding_distance` and their kin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import (
    Float,
    check_base,
    check_choice,
    check_count,
    check_d_model,
    check_flag,
    check_real,
    check_result,
    check_scalar,
    shown,
)
from posenc.encoding import BASE, frequencies

Ramp = Literal["turns", "pairs"]

#: What YaRN's ramp is linear in, a pair's turns within the trained length or its number.
RAMPS: tuple[Ramp, ...] = get_args(Ramp)


def check_factor(factor: float) -> float:
    """Return ``factor`` as a float, or raise if it is not a finite number >= 1."""
    value = check_real(factor, "factor")
    if value.ndim or value < 1:
        raise ValueError(f"factor must be one finite number >= 1, got {shown(factor)}")
    return float(value)


def interpolation(d_model: int, factor: float, base: float = BASE) -> Float:
    """Position interpolation: all frequencies divided by ``factor``.

    The longer context fills the trained range. Elsewhere it is called PI or linear scaling (`rope_type`
    `linear`).

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
    base, factor = check_base(base), check_factor(factor)
    try:
        new: float = base * factor ** (d_model / (d_model - 2))
        return check_result(new, "base and factor")
    except OverflowError:
        raise ValueError(
            f"base and factor must give a finite new base, got base={base:g}, factor={factor:g}"
        ) from None


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
    ramp: Ramp = "turns",
    truncate: bool = True,
) -> Float:
    """YaRN's frequencies: fast pairs stay, slow ones are interpolated, and a ramp blends the two.

    A pair that makes at most ``beta_slow`` turns in the trained length is divided by ``factor``, one that
    makes at least ``beta_fast`` turns is left alone.

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
        Turns within `length`: finite, 0 <= beta_slow <= beta_fast. In the paper alpha and beta. If they are
        equal, there is a step in place of a ramp.
    ramp : {"turns", "pairs"}
        Linear in the number of turns, as in the paper, or in the number of the pair, as in the authors' code
        and the libraries; then beta_slow must not be 0.
    truncate : bool
        For the ramp over pairs: whether its ends are moved outward to whole pairs.

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
    if not 0 <= beta_slow <= beta_fast:
        raise ValueError(
            "beta_slow must be at least 0 and at most beta_fast, "
            f"got beta_slow={beta_slow!r}, beta_fast={beta_fast!r}"
        )
    check_choice(ramp, "ramp", RAMPS)
    truncate = check_flag(truncate, "truncate")
    if ramp == "pairs" and not beta_slow:
        raise ValueError(f"beta_slow must be above 0 for a ramp over pairs, got {beta_slow!r}")
    omega, base = frequencies(d_model, base), check_base(base)
    d_model = 2 * omega.size
    if ramp == "turns":
        turns = length * omega / (2 * np.pi)
        rising: Float = (
            (turns - beta_slow) / (beta_fast - beta_slow)
            if beta_fast > beta_slow
            else (turns >= beta_slow).astype(np.float64)
        )
    else:
        first, last = (
            d_model * math.log(min(max(length / (2 * math.pi * beta), 5e-324), 1e308)) / (2 * math.log(base))
            for beta in (beta_fast, beta_slow)
        )
        if truncate:
            first, last = math.floor(first), math.ceil(last)
        first, last = max(first, 0), min(last, d_model - 1)
        rising = 1 - (np.arange(omega.size, dtype=np.float64) - first) / (
            last - first if last != first else 0.001
        )
    kept = np.clip(rising, 0, 1)  # 0 interpolates, 1 keeps
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


def llama3(
    d_model: int,
    factor: float,
    base: float = BASE,
    *,
    length: int = 8192,
    low_freq_factor: float = 1.0,
    high_freq_factor: float = 4.0,
) -> Float:
    """Llama 3.1's frequencies: those of :func:`yarn`, with a ramp from one to four turns.

    Nothing else is changed: scores are not scaled.

    Parameters
    ----------
    d_model : int
        Size of a head: an even integer from 2 to 2**24.
    factor : float
        Finite, >= 1; 8 in Llama 3.1.
    base : float
        Finite, > 1; 500,000 in Llama 3.1.
    length : int
        The trained length in positions, >= 1; elsewhere `original_max_position_embeddings`.
    low_freq_factor, high_freq_factor : float
        Turns within `length`: finite, 0 <= low_freq_factor <= high_freq_factor; a step if they are equal, as
        in Llama 4 Scout.

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
    The function `apply_scaling` of the models' published code.

    Examples
    --------
    >>> slowed = frequencies(128, 500_000) / llama3(128, 8, 500_000)
    >>> int((slowed == 1).sum()), int((slowed == 8).sum())
    (29, 29)
    """
    low = check_scalar(low_freq_factor, "low_freq_factor")
    high = check_scalar(high_freq_factor, "high_freq_factor")
    if not 0 <= low <= high:
        raise ValueError(
            "low_freq_factor must be at least 0 and at most high_freq_factor, "
            f"got low_freq_factor={low!r}, high_freq_factor={high!r}"
        )
    return yarn(d_model, factor, base, length=length, beta_slow=low, beta_fast=high)


def dynamic_ntk(
    d_model: int, n: int, base: float = BASE, *, length: int = 2048, factor: float = 1.0
) -> Float:
    """Dynamic NTK-aware scaling: the base grows with the sequence, from the trained length on.

    Parameters
    ----------
    d_model : int
        Size of a head: an even integer from 4 to 2**24.
    n : int
        Number of tokens so far, >= 1.
    base : float
        Finite, > 1; elsewhere `rope_theta`.
    length : int
        The trained length in positions, >= 1.
    factor : float
        Finite, >= 1. The base is that of :func:`ntk_base` for ``factor n / length - (factor - 1)``, which
        with 1 is ``n / length``.

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
    Peng et al. (2024); for other factors than 1, the library transformers.

    Examples
    --------
    >>> bool((dynamic_ntk(8, 2048) == frequencies(8)).all())
    True
    >>> bool((dynamic_ntk(8, 8192) == ntk_aware(8, 4)).all())
    True
    """
    n, length = check_count(n, "n", least=1), check_count(length, "length", least=1)
    factor = check_factor(factor)
    return ntk_aware(d_model, factor * max(n, length) / length - (factor - 1), base)


def longrope(
    d_model: int,
    n: int,
    base: float = BASE,
    *,
    short_factor: ArrayLike,
    long_factor: ArrayLike,
    length: int = 4096,
) -> Float:
    """LongRoPE: each frequency divided by a factor of its own, which a search has found.

    Parameters
    ----------
    d_model : int
        Size of a head: an even integer from 2 to 2**24.
    n : int
        Number of tokens, >= 1.
    base : float
        Finite, > 1; elsewhere `rope_theta`.
    short_factor, long_factor : array_like
        Shape (d_model/2,), numbers > 0: the factors for sequences up to `length`, and for longer ones.
    length : int
        The trained length in positions, >= 1; elsewhere `original_max_position_embeddings`.

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
    Ding et al. (2024), and their code.

    Examples
    --------
    >>> longrope(4, 8192, short_factor=[1, 1], long_factor=[1.25, 10])
    array([0.8  , 0.001])
    """
    n, length = check_count(n, "n", least=1), check_count(length, "length", least=1)
    omega = frequencies(d_model, base)
    factors = {}
    for name, values in (("short_factor", short_factor), ("long_factor", long_factor)):
        factors[name] = check_real(values, name)
        if factors[name].shape != omega.shape or not (factors[name] > 0).all():
            raise ValueError(f"{name} must be {omega.size} numbers > 0, got {shown(values)}")
    with np.errstate(over="ignore"):
        divided: Float = omega / factors["long_factor" if n > length else "short_factor"]
    return check_result(divided, "the inverses of short_factor and long_factor")


def longrope_scale(factor: float, length: int = 4096) -> float:
    """LongRoPE's factor of queries and keys, sqrt(1 + ln(factor) / ln(length)); of scores it is the square.

    Parameters
    ----------
    factor : float
        Finite, >= 1.
    length : int
        The trained length in positions, >= 2.

    Returns
    -------
    float

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Ding et al. (2024), and their code.

    Examples
    --------
    >>> round(longrope_scale(32) ** 2, 3)
    1.417
    """
    return math.sqrt(1 + math.log(check_factor(factor)) / math.log(check_count(length, "length", least=2)))


def log_n_scale(n: ArrayLike, length: int = 512) -> Float:
    """The factor ln(n) / ln(length) of the scores of a query that sees n tokens.

    Parameters
    ----------
    n : array_like
        Numbers of tokens, >= 1, of any shape.
    length : int
        The trained length in positions, >= 2, at which nothing is scaled.

    Returns
    -------
    ndarray
        The shape of `n`.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    Chiang and Cholak (2022), and Su (2021), from the entropy of the weights.

    Examples
    --------
    >>> log_n_scale([512, 512**2])
    array([1., 2.])
    """
    n = check_real(n, "n")
    if not (n >= 1).all():
        raise ValueError(f"n must be at least 1, got {n}")
    scale: Float = np.log(n) / math.log(check_count(length, "length", least=2))
    return scale


def stepped_scale(positions: ArrayLike, length: int = 8192, beta: float = 0.1, *, start: int = 1) -> Float:
    """A factor of queries that grows in steps: 1 + beta ln(1 + floor((p + start) / length)).

    Llama 4 has it in its layers without RoPE, and counts positions from 1; Ministral 3 has it in all of its
    layers, and counts from 0.

    Parameters
    ----------
    positions : array_like
        Whole positions p >= 0 of the queries, of any shape.
    length : int
        Positions in a step, >= 1; elsewhere `floor_scale`.
    beta : float
        Finite, >= 0; elsewhere `attn_scale`, `llama_4_scaling_beta`.
    start : int
        The number of the first position, >= 0: 1 in Llama 4, 0 in Ministral 3.

    Returns
    -------
    ndarray
        The shape of `positions`. It is 1 for the first `length` - `start` positions.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    References
    ----------
    The attention of the published code of Llama 4, and of Ministral 3 in the library transformers 5.

    Examples
    --------
    >>> stepped_scale([0, 8190, 8191]).round(3)
    array([1.   , 1.   , 1.069])
    >>> stepped_scale([8191, 8192], start=0).round(3)
    array([1.   , 1.069])
    """
    start = check_count(start, "start", least=0)
    positions, beta = check_real(positions, "positions"), check_scalar(beta, "beta")
    if (positions % 1).any() or (positions < 0).any():
        raise ValueError(f"positions must be whole numbers >= 0, got {positions}")
    if beta < 0:
        raise ValueError(f"beta must be one finite number >= 0, got {beta!r}")
    with np.errstate(over="ignore"):
        scale: Float = 1 + beta * np.log1p((positions + start) // check_count(length, "length", least=1))
    return check_result(scale, "beta")


#: Name -> the method as a function of d_model, factor, base and the trained length.
METHODS: dict[str, Callable[[int, float, float, int], Float]] = {
    "unchanged": lambda d_model, factor, base, length: frequencies(d_model, base),
    "interpolation": lambda d_model, factor, base, length: interpolation(d_model, factor, base),
    "NTK-aware": lambda d_model, factor, base, length: ntk_aware(d_model, factor, base),
    "YaRN": lambda d_model, factor, base, length: yarn(d_model, factor, base, length=length),
    "Llama 3.1": lambda d_model, factor, base, length: llama3(d_model, factor, base, length=length),
}


def unseen_pairs(
    new_omega: ArrayLike, d_model: int, factor: float, base: float = BASE, *, length: int = 2048
) -> int:
    """How many pairs leave, in a context ``factor`` times as long, the range of angles that training showed.

    A pair that makes a whole turn within ``length`` under the old frequencies has been near every angle; the
    range of a slower one ends at length times its frequency, one step more than the last position reaches.

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
    with np.errstate(over="ignore"):  # what overflows is farther than any other
        reached = new * check_factor(factor) * length
    # One part in 10^9: a pair slowed by exactly the factor reaches the end of the seen range, not beyond.
    return int(((seen < 2 * np.pi) & (reached > seen * (1 + 1e-9))).sum())
