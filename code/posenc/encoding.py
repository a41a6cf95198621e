"""The encoding itself: frequencies, wavelengths, and the encoding of a position.

Notation: position p, d = d_model (even), pair i = 0 .. d/2 - 1, base b,
angular frequency omega_i = b^(-2i/d) in radians per position, wavelength 2 pi / omega_i in positions.

Where frequencies can be given, they are given in one way: either ``d_model`` with an optional ``base``,
or ``omega``, any frequencies of one's own choice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posenc.arguments import (
    Float,
    check_angles,
    check_base,
    check_d_model,
    check_entries,
    check_real,
    check_result,
    shown,
)

__all__ = ["BASE", "frequencies", "positional_encoding", "resolve_frequencies", "wavelengths"]

#: The base of Vaswani et al. (2017).
BASE = 10_000.0


def frequencies(d_model: int, base: float = BASE) -> Float:
    """Angular frequencies of the sinusoidal encoding: omega_i = base^(-2i/d_model).

    They fall in geometric progression from omega_0 = 1, whatever the base.
    The last is base^(-(d_model - 2)/d_model), which is never 1/base.

    Parameters
    ----------
    d_model : int
        Size of the encoding: an even integer from 2 to 2**24.
    base : float
        Finite, > 1. Elsewhere it is called `theta` or `rope_theta`.

    Returns
    -------
    ndarray
        Radians per position, of shape (d_model/2,).

    Raises
    ------
    TypeError, ValueError
        If `d_model` is not an even integer from 2 to 2**24, or `base` not a finite number > 1.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> frequencies(8)
    array([1.   , 0.1  , 0.01 , 0.001])
    >>> frequencies(7)
    Traceback (most recent call last):
        ...
    ValueError: d_model must be an even integer >= 2, got 7
    """
    d_model, base = check_d_model(d_model), check_base(base)
    # One power per pair, rounded once: b ** -(2i/d) is nearer the true value than a running product.
    omega: Float = base ** -(np.arange(0, d_model, 2) / d_model)
    return omega


def resolve_frequencies(
    d_model: int | None = None, base: float | None = None, omega: ArrayLike | None = None
) -> Float:
    """The frequencies that the arguments ``d_model``, ``base`` and ``omega`` of a function mean.

    Parameters
    ----------
    d_model : int, optional
        Even integer from 2 to 2**24: the frequencies are those of :func:`frequencies`.
    base : float, optional
        Finite, > 1; 10,000 if it is not given. Only with `d_model`.
    omega : array_like, optional
        Radians per position, real numbers of shape (d_model/2,): any frequencies, in place of `d_model` and
        `base`.

    Returns
    -------
    ndarray
        Radians per position, of shape (d_model/2,).

    Raises
    ------
    TypeError
        If not exactly one of `d_model` and `omega` is given, or `base` comes with `omega`,
        or an argument has a wrong type.
    ValueError
        If an argument is not as above.

    Examples
    --------
    >>> resolve_frequencies(4, 100), resolve_frequencies(omega=[1, 0.5])
    (array([1. , 0.1]), array([1. , 0.5]))
    >>> resolve_frequencies(4, omega=[1, 0.5])
    Traceback (most recent call last):
        ...
    TypeError: give either d_model or omega, got both: d_model=4, omega=[1, 0.5]
    """
    if omega is None:
        if d_model is None:
            raise TypeError("give either d_model or omega, got neither")
        return frequencies(d_model, BASE if base is None else base)
    if d_model is not None:
        raise TypeError(
            f"give either d_model or omega, got both: d_model={shown(d_model)}, omega={shown(omega)}"
        )
    if base is not None:
        raise TypeError(
            f"base goes with d_model, not with omega: got base={shown(base)}, omega={shown(omega)}"
        )
    return _check_line(omega, "omega")


def _check_line(values: ArrayLike, name: str) -> Float:
    """Return ``values`` as frequencies, or raise naming ``name`` if they are not a line of some."""
    chosen = check_real(values, name)
    if chosen.ndim != 1 or not chosen.size:
        raise ValueError(f"{name} must be a line of at least one frequency, got shape {chosen.shape}")
    return chosen


def _frequencies_for(d_model: int, base: float | None, omega: ArrayLike | None) -> Float:
    """The same where ``d_model`` is read off an array: ``base``, ``omega`` or neither is given."""
    if omega is None:
        return resolve_frequencies(d_model, base)
    chosen = resolve_frequencies(None, base, omega)
    if chosen.size != d_model // 2:
        raise ValueError(
            f"omega must have shape ({d_model // 2},) for d_model = {d_model}, got {chosen.shape}"
        )
    return chosen


def wavelengths(
    d_model: int | None = None, base: float | None = None, *, omega: ArrayLike | None = None
) -> Float:
    """Wavelengths lambda_i = 2 pi / omega_i: how many positions one turn takes.

    Parameters
    ----------
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given.
    omega : array_like, optional
        Radians per position, not 0, of shape (d_model/2,); in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Positions per turn, of shape (d_model/2,). Those of :func:`frequencies` rise from 2 pi.

    Raises
    ------
    TypeError, ValueError
        As for :func:`resolve_frequencies`, and if a frequency is 0.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> wavelengths(4).round(3)
    array([  6.283, 628.319])
    """
    frequency = resolve_frequencies(d_model, base, omega)
    if not frequency.all():
        raise ValueError(f"omega must not be 0 to have a wavelength, got {frequency}")
    with np.errstate(over="ignore"):
        return check_result(2 * np.pi / frequency, "the inverse of omega")


def positional_encoding(
    positions: ArrayLike,
    d_model: int | None = None,
    base: float | None = None,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    r"""Sinusoidal encoding of positions: sin(omega_i p) in column 2i, cos(omega_i p) in column 2i + 1.

    Parameters
    ----------
    positions : array_like
        Real numbers of any shape; they need not be integers or positive.
    d_model : int, optional
        Size of the encoding: an even integer from 2 to 2**24.
    base : float, optional
        Finite, > 1; 10,000 if it is not given. Elsewhere it is called `theta` or `rope_theta`.
    omega : array_like, optional
        Radians per position, of shape (d_model/2,): any frequencies, in place of `d_model` and `base`.

    Returns
    -------
    ndarray
        Shape (\*positions.shape, d_model); one position gives shape (d_model,).

    Raises
    ------
    TypeError, ValueError
        If a position is not a finite real number, or an angle too large for one; and as for
        :func:`resolve_frequencies`.

    References
    ----------
    Vaswani et al. (2017), section 3.5.

    Examples
    --------
    >>> positional_encoding(0, 4)
    array([0., 1., 0., 1.])
    >>> positional_encoding([0, 1, 2], 2).round(3)
    array([[ 0.   ,  1.   ],
           [ 0.841,  0.54 ],
           [ 0.909, -0.416]])
    >>> positional_encoding([0, 1], omega=[1, 0.5]).round(3)
    array([[0.   , 1.   , 0.   , 1.   ],
           [0.841, 0.54 , 0.479, 0.878]])
    >>> positional_encoding(float("nan"), 2)
    Traceback (most recent call last):
        ...
    ValueError: positions must be finite, got nan
    """
    positions = check_real(positions, "positions")
    omega = resolve_frequencies(d_model, base, omega)
    check_angles(positions, omega, "positions")
    check_entries(2 * positions.size * omega.size, "positions and d_model")
    angles = positions[..., np.newaxis] * omega  # (..., d_model/2)
    encoding = np.empty((*positions.shape, 2 * angles.shape[-1]))  # (..., d_model)
    np.sin(angles, out=encoding[..., 0::2])
    np.cos(angles, out=encoding[..., 1::2])
    return encoding
