"""Which position each token of a batch has, when rows are padded or several documents share one."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray


def token_positions(mask: ArrayLike, documents: ArrayLike | None = None) -> NDArray[np.int64]:
    """Positions that count from 0 in each sequence, whatever padding and other documents are beside it.

    Parameters
    ----------
    mask : array_like
        Shape (..., tokens): 1 or True for a token, 0 or False for padding, on either side; `attention_mask`
        in most libraries.
    documents : array_like of int, optional
        A number for each token of a packed row, of the shape of `mask`: the count starts again where it
        changes.

    Returns
    -------
    ndarray of int
        The shape of `mask`; 0 for padding, which a model must mask anyway. `position_ids` in most libraries.

    Raises
    ------
    TypeError, ValueError
        If `mask` has no axis or holds anything but 0 and 1, or `documents` has another shape or no integers.

    Examples
    --------
    >>> token_positions([[0, 0, 1, 1, 1], [1, 1, 1, 1, 0]])
    array([[0, 0, 0, 1, 2],
           [0, 1, 2, 3, 0]])
    >>> token_positions([1, 1, 1, 1, 1], documents=[7, 7, 8, 8, 8])
    array([0, 1, 0, 1, 2])
    """
    given = np.asarray(mask)
    if given.dtype.kind not in "biuf":
        raise TypeError(f"mask must hold 0 and 1, got dtype {given.dtype} from {mask!r}")
    if not given.ndim or not np.isin(given, (0, 1)).all():
        raise ValueError(f"mask must be a row of 0 and 1, or several, got {mask!r}")
    real = given.astype(bool)
    starts = np.zeros(real.shape, dtype=bool)
    if documents is not None:
        numbers = np.asarray(documents)
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"documents must be integers, got dtype {numbers.dtype} from {documents!r}")
        if numbers.shape != real.shape:
            raise ValueError(f"documents must have the shape of mask, {real.shape}, got {numbers.shape}")
        starts[..., 1:] = numbers[..., 1:] != numbers[..., :-1]
    before = np.cumsum(real, axis=-1) - real  # tokens before this one in its row
    first = np.maximum.accumulate(np.where(starts, before, 0), axis=-1)
    positions: NDArray[np.int64] = np.where(real, before - first, 0).astype(np.int64)
    return positions
