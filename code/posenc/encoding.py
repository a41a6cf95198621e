"""The encoding itself: frequencies, wavelengths, and the code of a position.

Notation (book/notation.md): position p, width d_model, pair i = 0 .. d_model/2 - 1, base b,
angular frequency omega_i = b^(-2i/d_model) in radians per position, wavelength 2 pi / omega_i.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from posenc._validate import Float, check_base, check_d_model, check_real


def frequencies(d_model: int, base: float = 10_000.0) -> Float:
    """Angular frequencies omega_i = base^(-2i/d_model), in radians per position.

    They fall in geometric progression from omega_0 = 1, whatever the base.
    The last is base^(-(d_model - 2)/d_model), which is never 1/base.

    Parameters
    ----------
    d_model : even integer >= 2
    base : finite number > 1

    Returns
    -------
    array of shape (d_model/2,), radians per position

    Raises
    ------
    TypeError, ValueError
        If ``d_model`` is not an even integer >= 2 or ``base`` not a finite number > 1.

    Introduced in the chapter "Two dimensions". Source: Vaswani et al. (2017), section 3.5.

    >>> frequencies(8)
    array([1.   , 0.1  , 0.01 , 0.001])
    >>> frequencies(7)
    Traceback (most recent call last):
        ...
    ValueError: d_model must be an even integer >= 2, got 7
    """
    d_model, base = check_d_model(d_model), check_base(base)
    # One power per pair, rounded once: b ** -(2i/d) is nearer the true value than a running product.
    return base ** -(np.arange(0, d_model, 2) / d_model)


def resolve_frequencies(d_model: int | None, base: float, omega: ArrayLike | None) -> Float:
    """``omega`` checked, or the frequencies of ``d_model`` and ``base``; raise if both are given."""
    if omega is None:
        return frequencies(d_model, base)
    if d_model is not None or base != 10_000.0:
        raise TypeError(
            f"omega takes the place of d_model and base, got omega and d_model={d_model!r}, base={base!r}"
        )
    chosen = check_real(omega, "omega")
    if chosen.ndim != 1 or not chosen.size:
        raise ValueError(f"omega must be a line of at least one frequency, got shape {chosen.shape}")
    return chosen


def wavelengths(d_model: int, base: float = 10_000.0) -> Float:
    """Wavelengths lambda_i = 2 pi / omega_i, in positions per cycle.

    Parameters, errors: as for :func:`frequencies`.

    Returns
    -------
    array of shape (d_model/2,), positions per cycle, rising from 2 pi

    Introduced in the chapter "Many dimensions". Source: Vaswani et al. (2017), section 3.5.

    >>> wavelengths(4).round(3)
    array([  6.283, 628.319])
    """
    return 2 * np.pi / frequencies(d_model, base)


def positional_encoding(
    positions: ArrayLike,
    d_model: int | None = None,
    base: float = 10_000.0,
    *,
    omega: ArrayLike | None = None,
) -> Float:
    """Sinusoidal encoding: sin(omega_i p) in column 2i, cos(omega_i p) in column 2i + 1.

    Parameters
    ----------
    positions : real numbers, of any shape; they need not be integers or positive
    d_model : even integer >= 2
    base : finite number > 1
    omega : real numbers of shape (d_model/2,), radians per position: any frequencies, in place of d_model and base

    Returns
    -------
    array of shape (*positions.shape, d_model); a scalar position gives shape (d_model,)

    Raises
    ------
    TypeError, ValueError
        If a position or frequency is not a finite real number, or both ``d_model`` and ``omega`` are given;
        and as for :func:`frequencies`.

    Introduced in the chapter "Two dimensions"; ``omega`` in "Wavelengths in geometric progression".
    Source: Vaswani et al. (2017), section 3.5.

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
    angles = positions[..., np.newaxis] * resolve_frequencies(d_model, base, omega)  # (..., d_model/2)
    encoding = np.empty((*positions.shape, 2 * angles.shape[-1]))  # (..., d_model)
    np.sin(angles, out=encoding[..., 0::2])
    np.cos(angles, out=encoding[..., 1::2])
    return encoding
