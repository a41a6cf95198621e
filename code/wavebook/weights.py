"""What trained weights say about the encoding: their blocks beside those of T(k).

A head's score of two encodings is PE(p)ᵀ A PE(q) with A = W_qᵀ W_k. The head that looks k positions back by
:func:`wavebook.attention.look_back_weights` has A = T(k), as T(k) PE(p − k) = PE(p).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import Float, check_real, check_result, check_scalar
from posenc.encoding import BASE
from posenc.rotation import shift_matrix


def _square(matrix: ArrayLike) -> Float:
    """``matrix`` checked: square, of even size."""
    matrix = check_real(matrix, "matrix")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"matrix must be square, got shape {matrix.shape}")
    if len(matrix) % 2 or not matrix.size:
        raise ValueError(f"matrix must be of an even size >= 2, got shape {matrix.shape}")
    return matrix


def _direction(matrix: ArrayLike) -> Float:
    """``matrix`` checked, and divided by a power of two near its largest entry: no square overflows."""
    matrix = _square(matrix)
    largest = np.abs(matrix).max()
    if largest == 0:
        raise ValueError("matrix must have an entry that is not 0")
    scaled: Float = np.ldexp(matrix, -np.frexp(largest)[1])
    return scaled


def rotation_parts(matrix: ArrayLike) -> NDArray[np.complex128]:
    """The rotation in each two-by-two block on the diagonal: size and angle as one complex number.

    A two-by-two matrix is in one way the sum of a turned and stretched identity and of a turned and
    stretched reflection; the first is what is returned.

    Parameters
    ----------
    matrix : array_like
        Shape (d_model, d_model), in the order of the encoding: sine and cosine of each pair together.

    Returns
    -------
    ndarray of complex
        Shape (d_model/2,); for T(k) it is e^(j omega_i k).

    Raises
    ------
    TypeError, ValueError
        If `matrix` is not square, or not of an even size.

    Examples
    --------
    >>> np.angle(rotation_parts(shift_matrix(3, 4))).round(3)
    array([3.  , 0.03])
    """
    matrix = _square(matrix)
    a, b, c, d = (matrix[i::2, j::2].diagonal() for i in (0, 1) for j in (0, 1))
    with np.errstate(over="ignore", invalid="ignore"):
        halves = check_result(np.array([a / 2 + d / 2, b / 2 - c / 2]), "matrix")
    parts: NDArray[np.complex128] = halves[0] + 1j * halves[1]
    return parts


def rotation_fraction(matrix: ArrayLike) -> float:
    """How much of a matrix's sum of squares is in the rotations on its diagonal.

    Parameters
    ----------
    matrix : array_like
        Shape (d_model, d_model), not all 0.

    Returns
    -------
    float
        From 0 to 1: 1 for any matrix of rotations, and about 1/d_model for random entries.

    Raises
    ------
    TypeError, ValueError
        If `matrix` is not square, not of an even size, or all 0.

    Examples
    --------
    >>> rotation_fraction(5 * shift_matrix(3, 8))
    1.0
    """
    matrix = _direction(matrix)
    return float(2 * (np.abs(rotation_parts(matrix)) ** 2).sum() / (matrix**2).sum())


def shift_cosine(matrix: ArrayLike, offset: float, base: float = BASE) -> float:
    """The cosine of the angle between a matrix and T(offset), both read as long vectors.

    Parameters
    ----------
    matrix : array_like
        Shape (d_model, d_model), not all 0.
    offset : float
        In positions.
    base : float
        Finite, > 1.

    Returns
    -------
    float
        From -1 to 1.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above.

    Examples
    --------
    >>> round(shift_cosine(2 * shift_matrix(3, 8), 3), 12)
    1.0
    """
    matrix = _direction(matrix)
    target = shift_matrix(check_scalar(offset, "offset"), len(matrix), base)
    return float((matrix * target).sum() / np.linalg.norm(matrix) / np.linalg.norm(target))
