"""The explorers that attend: their mathematics against Python, and what they draw and say."""

from itertools import permutations

import numpy as np
import pytest
from explorer_page import labels, numbers

from posenc import positional_encoding, shift_matrix
from wavebook.attention import look_back_weights, score_terms, self_attention
from wavebook.examples import SIGNS, arrangement, word_vectors
from wavebook.explorers import BeforeAfter, LookBack, Loudness, ScoreParts, Shuffle
from wavebook.initialization import embedding_deviations


def test_orders_are_numbered_as_in_a_dictionary():
    assert [arrangement(number) for number in range(120)] == [list(order) for order in permutations(range(5))]


def test_the_page_gets_the_initializations_of_python():
    for d in (2, 64, 512):
        given = {
            name: (a / (b + c * d)) ** 0.5
            for name, (a, b, c) in Loudness.constants["initializations"].items()
        }
        assert given == pytest.approx(embedding_deviations(d), rel=1e-14)
        assert list(given) == list(embedding_deviations(d))


def test_there_is_no_order_120():
    with pytest.raises(ValueError, match="number must be an integer from 0 to 119, got 120"):
        arrangement(120)


@pytest.mark.parametrize(("order", "encoding"), [(0, "off"), (17, "off"), (17, "on")])
def test_shuffle_states_what_python_computes(mount, order, encoding):
    page = mount(Shuffle(order=order, encoding=encoding, d_model=6))
    x = word_vectors(6)[arrangement(order)] + (
        positional_encoding(np.arange(5), 6) if encoding == "on" else 0
    )
    outputs, weights = self_attention(x)
    said = labels(page)
    np.testing.assert_allclose(
        np.reshape(numbers(said[0].replace("₁", "").replace("₂", "")), (5, 5)), weights, atol=6e-3
    )
    np.testing.assert_allclose(numbers(said[1].replace("₁", "").replace("₂", "")), outputs[:, 0], atol=6e-4)


def test_shuffle_swaps_neighbors_and_says_what_attention_notices(mount):
    page = mount(Shuffle())
    verdict = page.locator(".note").last
    assert "order we compare with" in verdict.inner_text()
    page.get_by_role("button", name="Swap dog and bit").press("Enter")
    page.evaluate("frames()")
    assert arrangement(page.evaluate("model.get('order')")) == [0, 2, 1, 3, 4]
    assert "what it was" in verdict.inner_text()
    page.get_by_role("radio", name="on").check()
    page.evaluate("frames()")
    plain, swapped = word_vectors(8), word_vectors(8)[[0, 2, 1, 3, 4]]
    encoding = positional_encoding(np.arange(5), 8)
    moved = abs(
        self_attention(swapped + encoding)[0] - self_attention(plain + encoding)[0][[0, 2, 1, 3, 4]]
    ).max()
    assert numbers(verdict.inner_text())[-1] == pytest.approx(moved, abs=6e-4)
    page.get_by_role("button", name="the man bit the dog").press("Enter")
    page.evaluate("frames()")
    assert arrangement(page.evaluate("model.get('order')")) == [0, 4, 2, 3, 1]


@pytest.mark.parametrize(
    ("p", "k", "temperature", "d"), [(40, 3, 1.0, 64), (20, -7, 0.05, 512), (1, 5, 0.3, 16)]
)
def test_look_back_states_what_attention_computes(mount, p, k, temperature, d):
    page = mount(LookBack(position=p, offset=k, temperature=temperature, d_model=d))
    encodings = positional_encoding(np.arange(64), d)
    _, weights = self_attention(encodings, w_k=shift_matrix(k, d), temperature=temperature)
    np.testing.assert_allclose(look_back_weights(p, k, 64, temperature, d), weights[p], rtol=1e-9, atol=1e-12)
    said = labels(page)[0]
    assert numbers(said)[-2:] == [pytest.approx(weights[p].max(), abs=6e-4), weights[p].argmax()]
    if p >= k:
        assert f"Key {p - k} has the score" in said
        assert weights[p].argmax() == p - k
        assert numbers(said)[-3] == pytest.approx(weights[p, p - k], abs=6e-4)
    else:
        assert f"There is no key \u2212{k - p}" in said


@pytest.mark.parametrize(
    ("s", "offset", "d"), [(0, 5, 64), (0, -60, 512), (5, 5, 64), (-13, 20, 2), (20, -60, 512), (7, 0, 16)]
)
def test_before_and_after_state_what_the_matrix_computes(mount, s, offset, d):
    page = mount(BeforeAfter(shift=s, offset=offset, d_model=d))
    query = positional_encoding(17.0, d) @ shift_matrix(s, d)
    there, opposite = positional_encoding([17.0 - offset, 17.0 + offset], d) @ query
    label = labels(page)[0]
    assert numbers(label) == pytest.approx(
        [d, s, d / 2, s, offset, there, -offset, opposite, there - opposite], abs=6e-3
    )
    assert numbers(page.locator(".formula").inner_text())[1::2][:2] == pytest.approx(
        [there, opposite], abs=6e-3
    )
    if abs(offset) == abs(s) > 0:
        peak, mirrored = positional_encoding([17.0 - s, 17.0 + s], d) @ query
        assert numbers(page.locator(".words").inner_text())[1::2] == pytest.approx([peak, mirrored], abs=6e-3)


@pytest.mark.parametrize(("s", "d"), [(0, 64), (5, 64), (-20, 512)])
def test_before_and_after_are_level_only_without_a_shift(mount, s, d):
    page = mount(BeforeAfter(shift=s, offset=9, d_model=d))
    mirrored, curve = (
        page.evaluate("""['path.muted.dashed', 'path.shifted:not(.wash, .hair, .fill)'].map((selector) =>
        root.querySelector('svg ' + selector).getAttribute('d').slice(1).split('L')
            .map((point) => point.split(' ').map(Number)))""")
    )
    encodings, heights = positional_encoding(np.arange(-60, 60.25, 0.25), d), -np.array(curve)[:, 1]
    scores = encodings @ shift_matrix(s, d) @ positional_encoding(0, d)
    # The drawn curve is the score on some scale; the other, drawn from right to left, has its heights.
    assert np.corrcoef(heights, scores)[0, 1] > 1 - 1e-6
    assert curve[0][0] < curve[1][0]
    assert mirrored[0][0] > mirrored[1][0]
    assert [y for _, y in mirrored] == [y for _, y in curve]
    ring, mark = page.evaluate(
        "[...root.querySelectorAll('svg circle')].map((mark) => Number(mark.getAttribute('cy')))"
    )
    assert (ring == mark) == (s == 0)


@pytest.mark.parametrize(("factor", "p", "q"), [("with", 24, 20), ("without", 24, 20), ("with", 0, 47)])
def test_score_parts_state_what_python_computes(mount, factor, p, q):
    page, d = mount(ScoreParts(factor=factor, position=p, key=q)), 64
    words, encodings = (
        np.where(SIGNS[:, :d], 1, -1) * (1 if factor == "with" else d**-0.5),
        positional_encoding(np.arange(48), d),
    )
    parts, (score, *_) = (
        score_terms(words, encodings)[:, p],
        (words + encodings)[[p]] @ (words + encodings).T / d**0.5,
    )
    shares = 100 * abs(parts[:, q]) / abs(parts[:, q]).sum()
    table, total = labels(page)
    assert numbers(table.partition("With key")[2]) == pytest.approx(
        [q, *np.column_stack([parts[:, q], shares]).ravel()], abs=0.51
    )
    assert numbers(table.partition("With key")[2])[1::2] == pytest.approx(parts[:, q], abs=6e-3)
    assert numbers(total) == pytest.approx([p, q, score[q], score.max(), score.argmax()], abs=6e-3)
    scatter = np.delete(parts, p, axis=1).std(axis=1)
    said = page.locator(".words").inner_text()
    assert numbers(said.partition("scatter by")[2]) == pytest.approx(scatter, rel=6e-3, abs=6e-3)
    assert said.endswith(
        ("token with token.", "token with position.", "position with token.", "position with position.")[
            scatter.argmax()
        ]
    )


@pytest.mark.parametrize(
    ("sigma", "factor", "d"), [(0.125, "with", 64), (0.125, "without", 64), (1.0, "with", 2)]
)
def test_loudness_states_what_python_computes(mount, sigma, factor, d):
    words = ["the", "dog", "bit", "the", "man", "and", "the", "man", "ran"]
    size = sigma * d**0.5 if factor == "with" else sigma
    tokens = size * np.where(SIGNS[[words.index(word) for word in words], :d], 1, -1)
    encodings = positional_encoding(np.arange(9), d)
    sums = tokens + encodings
    page = mount(Loudness(sigma=sigma, factor=factor, d_model=d))
    *strips, ruler = labels(page)
    largest = [numbers(strip)[-1] for strip in strips]
    assert largest == pytest.approx([rows.max() for rows in (tokens, encodings, sums)], abs=6e-3)
    ratio = np.linalg.norm(tokens[0]) / np.linalg.norm(encodings[0])
    assert numbers(ruler)[0] == pytest.approx(ratio, rel=6e-3)
    units = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    assert numbers(ruler)[-2:] == pytest.approx([units[0] @ units[6], units[0] @ units[1]], abs=6e-3)
    assert ("that of tensor2tensor" in page.locator(".note").inner_text()) == (sigma == d**-0.5)


def test_words_drawn_with_one_over_root_d_keep_their_ratio_at_every_width(mount):
    for d in (2, 64, 512):
        *_, ruler = labels(mount(Loudness(d_model=d)))
        before, after = numbers(ruler.partition("tensor2tensor")[2])[:2]
        assert (before, after) == pytest.approx(((2 / d) ** 0.5, 2**0.5), rel=6e-3)
