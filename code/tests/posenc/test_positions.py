"""`token_positions` against a count by hand, on padded and packed rows."""

import numpy as np
import pytest

from posenc.positions import multimodal_positions, section_axes, token_positions


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


def by_the_rule(parts):
    """The rule token by token: a patch adds its place in the grid, text goes on after the largest."""
    found = []
    for part in parts:
        start = max((max(one) for one in found), default=-1) + 1
        if isinstance(part, int):
            found += [(start + i,) * 3 for i in range(part)]
        else:
            frames, rows, columns = part
            found += [
                (start + t, start + r, start + c)
                for t in range(frames)
                for r in range(rows)
                for c in range(columns)
            ]
    return found


@pytest.mark.parametrize(
    "parts",
    [
        [
            5,
            (1, 2, 2),
            2,
        ],  # the case of two by two patches: text, (5,5,5) (5,5,6) (5,6,5) (5,6,6), then 7 and 8
        [(1, 2, 3), 4, (1, 7, 2), (1, 1, 1), 1],
        [3, (4, 2, 3), 2],
        [0, 1, 0],
    ],
)
def test_multimodal_positions_count_as_qwen2_vl_does(parts):
    np.testing.assert_array_equal(multimodal_positions(parts), by_the_rule(parts))


def test_no_parts_have_no_positions():
    assert multimodal_positions([]).shape == (0, 3)
    assert multimodal_positions([5, (1, 2, 2), 2])[-2:].tolist() == [[7] * 3, [8] * 3]


@pytest.mark.parametrize("sections", [[24, 20, 20], [11, 11, 10], [4, 2, 2], [2, 1, 1]])
def test_section_axes_by_a_literal_loop(sections):
    bands = [axis for axis, count in enumerate(sections) for _ in range(count)]
    assert section_axes(sections).tolist() == bands
    left, dealt = list(sections), []
    for pair in range(sum(sections)):
        axis = pair % 3 if left[pair % 3] else 0
        left[axis] -= 1
        dealt.append(axis)
    assert section_axes(sections, interleaved=True).tolist() == dealt
    assert left == [0, 0, 0]
