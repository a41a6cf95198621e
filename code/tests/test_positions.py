"""`token_positions` against a count by hand, on padded and packed rows."""

import numpy as np
import pytest

from posenc.positions import token_positions


def counted(mask, documents):
    """One row, token by token."""
    positions, count, before = [], 0, None
    for real, document in zip(mask, documents, strict=True):
        if document != before:
            count, before = 0, document
        positions.append(count if real else 0)
        count += int(real)
    return positions


def test_random_rows():
    rng = np.random.default_rng(0)
    mask = rng.integers(0, 2, (50, 12))
    documents = np.cumsum(rng.random((50, 12)) < 0.2, axis=1)
    expected = [counted(*row) for row in zip(mask, documents, strict=True)]
    assert token_positions(mask, documents).tolist() == expected
    assert token_positions(mask.astype(bool)).tolist() == [counted(row, [0] * 12) for row in mask]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((1,), ValueError, "mask must be a row of 0 and 1, or several, got 1"),
        (([0, 2],), ValueError, r"mask must be a row of 0 and 1, or several, got \[0, 2\]"),
        ((["x"],), TypeError, "mask must hold 0 and 1"),
        (([1, 1], [1]), ValueError, r"documents must have the shape of mask, \(2,\), got \(1,\)"),
        (([1, 1], [0.5, 1]), TypeError, "documents must be integers"),
    ],
)
def test_bad_input(arguments, error, message):
    with pytest.raises(error, match=message):
        token_positions(*arguments)
