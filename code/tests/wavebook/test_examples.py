"""What the examples of the book are drawn from: orders by counting, and data as they are packed."""

import base64
from itertools import pairwise

import numpy as np
import pytest

from wavebook import examples


def test_arrangements_are_all_orders_as_a_dictionary_has_them():
    found = [examples.arrangement(number) for number in range(120)]
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in found)
    assert all(one < next_one for one, next_one in pairwise(found))
    for wrong in (-1, 120):
        with pytest.raises(ValueError, match="number must be an integer from 0 to 119"):
            examples.arrangement(wrong)


def test_equal_words_have_equal_vectors():
    vectors = examples.word_vectors(32)
    words = [name.rstrip("₁₂") for name in examples.NAMES]
    for one in range(5):
        for other in range(5):
            assert (vectors[one] == vectors[other]).all() == (words[one] == words[other])
    assert (examples.word_vectors(8) == vectors[:, :8]).all()
    assert examples.SENTENCE[examples.SAME] == "the"


def test_signs_are_packed_bit_by_bit():
    packed = base64.b64decode(examples.PACKED_SIGNS)
    bits = [byte >> place & 1 for byte in packed for place in range(7, -1, -1)]
    assert bits == [int(sign) for row in examples.SIGNS for sign in row]


@pytest.mark.parametrize("length", [1, 16, 48])
def test_each_way_to_number_tokens_gives_a_row_a_token(length):
    for name, rows in examples.ATTEMPTS.items():
        assert rows(length).shape[0] == length, name
    digits = examples.ATTEMPTS["binary digits"](length)
    assert [int("".join(str(int(bit)) for bit in row[::-1]), 2) for row in digits] == list(range(length))
    np.testing.assert_array_equal(examples.ATTEMPTS["the fraction"](length)[:, 0] * length, range(length))
