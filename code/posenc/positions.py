"""Which position each token has: in padded rows, with several documents in one, and after images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.arguments import as_array, check_count, check_entries, check_flag, shown


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
    given = as_array(mask, "mask", "numbers 0 and 1")
    if given.dtype.kind not in "biuf":
        raise TypeError(f"mask must hold 0 and 1, got dtype {given.dtype} from {shown(mask)}")
    if not given.ndim or not np.isin(given, (0, 1)).all():
        raise ValueError(f"mask must be a row of 0 and 1, or several, got {shown(mask)}")
    real = given.astype(bool)
    starts = np.zeros(real.shape, dtype=bool)
    if documents is not None:
        numbers = as_array(documents, "documents", "integers")
        if numbers.dtype.kind not in "iu":
            raise TypeError(f"documents must be integers, got dtype {numbers.dtype} from {shown(documents)}")
        if numbers.shape != real.shape:
            raise ValueError(f"documents must have the shape of mask, {real.shape}, got {numbers.shape}")
        starts[..., 1:] = numbers[..., 1:] != numbers[..., :-1]
    before = np.cumsum(real, axis=-1) - real  # tokens before this one in its row
    first = np.maximum.accumulate(np.where(starts, before, 0), axis=-1)
    positions: NDArray[np.int64] = np.where(real, before - first, 0).astype(np.int64)
    return positions


def _is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Whether ``value`` is a list, a tuple or an array, and so has an order."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0 and not isinstance(value, np.ma.MaskedArray)
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def multimodal_positions(parts: Sequence[int | tuple[int, int, int]]) -> NDArray[np.int64]:
    """Positions with time, row and column of a sequence of text and images, by the rule of Qwen2-VL.

    The tokens of a text have three equal coordinates, each one larger than the token before. The patches of
    an image have those of a grid that begins where a text would go on; what follows goes on at 1 more than
    the largest coordinate so far. So an image of 2 by 3 patches takes 3 positions for its 6 tokens.

    Parameters
    ----------
    parts : sequence of int or (int, int, int)
        In the order of the sequence: the number of tokens of a text, >= 0, or frames, rows and columns of an
        image or video, >= 1, as the language model sees them (in Qwen2-VL after two by two patches are
        merged). An image has one frame.

    Returns
    -------
    ndarray of int
        Shape (tokens, 3): time, row and column, as :func:`posenc.rope.apply_axial_rope` takes them.

    Raises
    ------
    TypeError, ValueError
        If `parts` is not as above, or has more than 2**30/3 tokens.

    References
    ----------
    Wang et al. (2024), section 2.1. For a video with more frames than rows and columns, transformers 5 goes
    on after the larger of the latter, not of all three.

    Examples
    --------
    >>> multimodal_positions([2, (1, 2, 2), 2]).T
    array([[0, 1, 2, 2, 2, 2, 4, 5],
           [0, 1, 2, 2, 3, 3, 4, 5],
           [0, 1, 2, 3, 2, 3, 4, 5]])
    """
    wrong = (
        f"parts must be a sequence of numbers of tokens and of (frames, rows, columns), got {shown(parts)}"
    )
    if not _is_sequence(parts):
        raise TypeError(wrong)
    grids: list[tuple[int, int, int]] = []
    for part in parts:
        if _is_sequence(part):
            if len(part) != 3:
                raise ValueError(wrong)
            frames, rows, columns = (check_count(size, "parts", least=1) for size in part)
            grids.append((frames, rows, columns))
        else:
            grids.append((-check_count(part, "parts", least=0), 1, 1))  # a text
    check_entries(3 * sum(abs(frames) * rows * columns for frames, rows, columns in grids), "parts")
    found, start = [np.zeros((0, 3), dtype=np.int64)], 0
    for frames, rows, columns in grids:
        if frames <= 0:
            found.append(np.repeat(start + np.arange(-frames)[:, np.newaxis], 3, axis=1))
            start -= frames
        else:
            found.append(start + np.indices((frames, rows, columns)).reshape(3, -1).T)
            start += max(frames, rows, columns)
    return np.concatenate(found)


def section_axes(sections: Sequence[int], *, interleaved: bool = False) -> NDArray[np.int64]:
    """The axis of each pair for sections of M-RoPE, as :func:`posenc.rope.apply_axial_rope` takes it.

    Parameters
    ----------
    sections : sequence of int
        How many pairs turn with each axis, >= 0, two axes or more; `mrope_section` in configurations.
    interleaved : bool
        False: in bands, the fastest pairs for the first axis, as in Qwen2-VL. True: dealt out in turn, and to
        the first axis alone where the others have had theirs, as in Qwen3-VL (`mrope_interleaved`).

    Returns
    -------
    ndarray of int
        Shape (sum of `sections`,).

    Raises
    ------
    TypeError, ValueError
        If an argument is not as above, or an axis would have to take pairs that are not there.

    Examples
    --------
    >>> section_axes([2, 1, 1]), section_axes([4, 2, 2], interleaved=True)
    (array([0, 0, 1, 2]), array([0, 1, 2, 0, 1, 2, 0, 0]))
    """
    if not _is_sequence(sections):
        raise TypeError(f"sections must be a sequence of integers, got {shown(sections)}")
    counts = [check_count(count, "sections", least=0, most=2**24) for count in sections]
    pairs, ways = sum(counts), len(counts)
    if ways < 2 or not 1 <= pairs <= 2**24:
        raise ValueError(
            f"sections must be two numbers of pairs or more, in all from 1 to 2**24, got {shown(sections)}"
        )
    if not check_flag(interleaved, "interleaved"):
        return np.repeat(np.arange(ways), counts)
    axes = np.zeros(pairs, dtype=np.int64)
    for axis in range(1, ways):
        places = axis + ways * np.arange(counts[axis])
        if places.size and places[-1] >= pairs:
            raise ValueError(
                f"sections must give the first axis the most pairs to be interleaved, got {shown(sections)}"
            )
        axes[places] = axis
    return axes
