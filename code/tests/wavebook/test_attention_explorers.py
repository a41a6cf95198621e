"""The explorers that attend: their mathematics against Python, and what they draw and say."""

import math
import re

import numpy as np
import pytest
from explorer_page import values

from posenc import positional_encoding, shift_matrix
from wavebook.attention import look_back_weights, score_terms, self_attention
from wavebook.examples import NAMES, SIGNS, arrangement, word_vectors
from wavebook.explorers import BeforeAfter, LookBack, Loudness, ScoreParts, Shuffle, questions


@pytest.mark.parametrize(("order", "encoding"), [(0, "off"), (17, "off"), (17, "on")])
def test_shuffle_states_what_python_computes(mount, order, encoding):
    page = mount(Shuffle(order=order, encoding=encoding, d_model=6))
    x = word_vectors(6)[arrangement(order)] + (
        positional_encoding(np.arange(5), 6) if encoding == "on" else 0
    )
    outputs, weights = self_attention(x)
    shown = values(page)
    np.testing.assert_allclose(shown["weights"], weights, rtol=1e-5)
    np.testing.assert_allclose([shown["outputs"][name] for name in shown["sentence"]], outputs, rtol=1e-5)
    assert shown["sentence"] == [NAMES[token] for token in arrangement(order)]


@pytest.mark.parametrize(("order", "encoding"), [(0, "off"), (21, "off"), (21, "on")])
def test_shuffle_says_of_each_token_whether_its_output_is_as_it_was(mount, order, encoding):
    page = mount(Shuffle(order=order, encoding=encoding))
    said = [
        text for text in page.locator("svg text").all_text_contents() if re.match("identical|changed ", text)
    ]
    plain, order_now = word_vectors(8), arrangement(order)
    places = positional_encoding(np.arange(5), 8) * (encoding == "on")
    first, now = (self_attention(vectors + places)[0] for vectors in (plain, plain[order_now]))
    moved = [abs(now[order_now.index(token)] - first[token]).max() for token in range(5)]
    assert (
        said == [f"changed by {far:.3f}" if far > 1e-12 else "identical" for far in moved][: 5 * bool(order)]
    )


def test_shuffle_says_what_attention_notices(mount):
    page = mount(Shuffle())
    verdict = page.locator(".note").last
    assert "order we compare with" in verdict.inner_text()
    page.get_by_role("slider", name="order").press("End")
    page.evaluate("frames()")
    backwards = [4, 3, 2, 1, 0]
    assert arrangement(page.evaluate("model.get('order')")) == backwards
    assert page.locator("output").inner_text() == "man the₂ bit dog the₁"
    assert "what it was" in verdict.inner_text()
    page.get_by_role("radio", name="on").check()
    page.evaluate("frames()")
    plain = word_vectors(8)
    encoding = positional_encoding(np.arange(5), 8)
    moved = abs(
        self_attention(plain[backwards] + encoding)[0] - self_attention(plain + encoding)[0][backwards]
    ).max()
    assert values(page)["largest_difference"] == pytest.approx(moved, rel=1e-5)
    assert f"{moved:.3f}" in verdict.inner_text()
    page.get_by_role("button", name="the man bit the dog").press("Enter")
    page.evaluate("frames()")
    assert arrangement(page.evaluate("model.get('order')")) == [0, 4, 2, 3, 1]


def test_the_explorer_and_the_chapter_compare_the_same_two_sentences(mount):
    """What the chapter's program says, by loops and from its own seed, is what the figure above it says."""
    the, dog, bit, man = np.random.default_rng(0).normal(size=(4, 8)).tolist()

    def encoded(p):
        return [f(p * 10_000 ** (-i / 4)) for i in range(4) for f in (math.sin, math.cos)]

    def attended(tokens):
        x = [[a + b for a, b in zip(token, encoded(p), strict=True)] for p, token in enumerate(tokens)]
        for query in x:
            powers = [
                math.exp(math.fsum(a * b for a, b in zip(query, key, strict=True)) / 8**0.5) for key in x
            ]
            yield [
                math.fsum(w * row[j] for w, row in zip(powers, x, strict=True)) / sum(powers)
                for j in range(8)
            ]

    dog_bites = list(attended([the, dog, bit, the, man]))
    man_bites = list(attended([the, man, bit, the, dog]))
    pairs = zip(man_bites, [dog_bites[place] for place in (0, 4, 2, 3, 1)], strict=True)
    largest = max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
    page = mount(Shuffle(encoding="on", d_model=8, order=21))
    assert values(page)["largest_difference"] == pytest.approx(largest, rel=1e-5)
    assert f"{largest:.3f}" in page.locator(".note").last.inner_text()


@pytest.mark.parametrize(
    ("p", "k", "temperature", "d"), [(40, 3, 1.0, 64), (20, -7, 0.05, 512), (1, 5, 0.3, 16)]
)
def test_look_back_states_what_attention_computes(mount, p, k, temperature, d):
    page = mount(LookBack(position=p, offset=k, temperature=temperature, d_model=d))
    encodings = positional_encoding(np.arange(64), d)
    _, weights = self_attention(encodings, w_k=shift_matrix(k, d), temperature=temperature)
    np.testing.assert_allclose(look_back_weights(p, k, 64, temperature, d), weights[p], rtol=1e-9, atol=1e-12)
    shown = values(page)
    assert shown["largest_weight"] == pytest.approx(weights[p].max(), rel=1e-5)
    assert (shown["target"], shown["largest_at"]) == (p - k, weights[p].argmax())
    if p >= k:
        assert shown["largest_at"] == p - k
        assert shown["weight"] == pytest.approx(weights[p, p - k], rel=1e-5)
    else:
        assert shown["score"] is shown["weight"] is None


@pytest.mark.parametrize(
    ("s", "offset", "d"), [(0, 5, 64), (0, -60, 512), (5, 5, 64), (-13, 20, 2), (20, -60, 512), (7, 0, 16)]
)
def test_before_and_after_state_what_the_matrix_computes(mount, s, offset, d):
    page = mount(BeforeAfter(shift=s, offset=offset, d_model=d))
    query = positional_encoding(17.0, d) @ shift_matrix(s, d)
    there, opposite = positional_encoding([17.0 - offset, 17.0 + offset], d) @ query
    shown = values(page)
    assert [shown[name] for name in ("score", "mirrored", "difference")] == pytest.approx(
        [there, opposite, there - opposite], rel=1e-5, abs=1e-8
    )
    assert (shown["peak"], shown["peak_at"]) == (d / 2, s)


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
    halves = ("token", "position")
    names = [f"{one} with {other}" for one in halves for other in halves]
    fractions = abs(parts[:, q]) / abs(parts[:, q]).sum()
    scatter = np.delete(parts, p, axis=1).std(axis=1)
    shown = values(page)
    for name, expected in (("parts", parts[:, q]), ("fractions", fractions), ("scatter", scatter)):
        np.testing.assert_allclose([shown[name][part] for part in names], expected, rtol=1e-5, atol=1e-8)
    assert [shown[name] for name in ("score", "largest", "largest_at")] == pytest.approx(
        [score[q], score.max(), score.argmax()], rel=1e-5
    )
    assert shown["scatters_most"] == names[scatter.argmax()]
    assert page.locator(".words").inner_text().endswith(f"{names[scatter.argmax()]}.")


@pytest.mark.parametrize(
    ("state", "size", "d"), [("quiet", 1 / 8, 64), ("even", 1, 64), ("loud", 8, 64), ("loud", 2**0.5, 2)]
)
def test_loudness_states_what_python_computes(mount, state, size, d):
    words = ["the", "dog", "bit", "the", "man", "and", "the", "man", "ran"]
    tokens = size * np.where(SIGNS[[words.index(word) for word in words], :d], 1, -1)
    encodings = positional_encoding(np.arange(9), d)
    sums = tokens + encodings
    shown = values(mount(Loudness(tokens=state, d_model=d)))
    largest = [rows.max() for rows in (tokens, encodings, sums)]
    assert shown["largest_entries"] == pytest.approx(largest, rel=1e-5)
    norm = np.linalg.norm(tokens[0])
    ratio = norm / np.linalg.norm(encodings[0])
    assert [shown["token_norm"], shown["ratio"]] == pytest.approx([norm, ratio], rel=1e-5)
    units = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    assert shown["cosine_same_token"] == pytest.approx(units[0] @ units[6], rel=1e-5)
    assert shown["cosine_neighbors"] == pytest.approx(units[0] @ units[1], rel=1e-5)


def test_the_keys_hands_turn_on_until_they_are_the_querys(mount):
    """While the question is open they are where the key's are; then T(k) has brought them home."""
    page = mount(LookBack(position=40, offset=3, d_model=64, prediction=questions.weight_of_the_target(64)))
    omega = 10_000 ** (-np.array([0, 3, 6, 10, 13, 16]) / 32)
    seen = values(page)
    np.testing.assert_allclose(seen["query_radians"], 40 * omega, rtol=1e-5)
    np.testing.assert_allclose(seen["key_radians"], 37 * omega, rtol=1e-5)
    apart = seen["score"]
    page.get_by_role("button", name="Show me").click()
    page.evaluate("frames()")
    seen = values(page)
    np.testing.assert_allclose(seen["key_radians"], seen["query_radians"], rtol=1e-5)
    assert seen["score"] > apart, "the sum of the cosines below grows to its most"
    assert seen["score"] == pytest.approx(32 / 8)
    page = mount(LookBack(position=2, offset=5))
    assert page.locator("svg circle.shifted").count() == 0, (
        "there is no such key, so there are no hands of it"
    )
    assert page.locator("svg circle.grid.ring").count() == 6, "the query's hands stay"
