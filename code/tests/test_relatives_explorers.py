"""The explorers of the chapter "Relatives": their mathematics against Python, and what they draw and say."""

import numpy as np
import pytest
from explorer_page import labels, numbers

from posenc import biases, context, encoding_distance, frequencies, positional_encoding, rope
from wavebook.examples import ARROWS, contents
from wavebook.explorers.context_extension import ContextExtension
from wavebook.explorers.rotary import Rotary
from wavebook.explorers.scores_by_distance import ScoresByDistance


@pytest.mark.parametrize(("p", "q", "frequency"), [(12, 5, 0.3), (19, 12, 0.3), (0, 100, 0.07)])
def test_rotary_states_what_python_computes(mount, p, q, frequency):
    arrows, chart, several = labels(mount(Rotary(p=p, q=q, frequency=frequency)))
    query, key = (
        rope.apply_rope(ARROWS[name], at, omega=[frequency]) for name, at in (("query", p), ("key", q))
    )
    angle = np.degrees(np.arccos(query @ key / np.linalg.norm(query) / np.linalg.norm(key)))
    np.testing.assert_allclose(numbers(arrows), [p * frequency, q * frequency, angle, query @ key], atol=0.06)
    encodings = positional_encoding([p, q], omega=[frequency])
    added = (np.array(ARROWS["query"]) + encodings[0]) @ (np.array(ARROWS["key"]) + encodings[1])
    places = np.linspace(abs(p - q), 100, 4 * (100 - abs(p - q)) + 1)  # four to a position
    pairs = [(n, n - p + q) if p > q else (n + p - q, n) for n in places]
    scores = [
        (np.array(ARROWS["query"]) + one) @ (np.array(ARROWS["key"]) + two)
        for one, two in (positional_encoding(pair, omega=[frequency]) for pair in pairs)
    ]
    least, most = min(scores), max(scores)
    np.testing.assert_allclose(numbers(chart), [p - q, query @ key, added, least, most], atol=6e-4)
    scores = [
        rope.apply_rope(ARROWS["query"], p, omega=[omega]) @ rope.apply_rope(ARROWS["key"], q, omega=[omega])
        for omega in frequency / 10.0 ** np.arange(4)
    ]
    np.testing.assert_allclose(numbers(several), [4, 10, *scores, sum(scores)], atol=6e-3)


def test_moving_both_keeps_the_rotary_score_and_no_other(mount):
    page = mount(Rotary(p=99, q=40))
    before = numbers(labels(page)[1])
    for p, q in ((100, 41), (59, 0), (60, 1)):  # at the end of the range both go back together
        page.get_by_role("button", name="Move both").press("Enter")
        page.evaluate("frames()")
        assert page.evaluate("[model.get('p'), model.get('q')]") == [p, q]
        after = numbers(labels(page)[1])
        assert after[:2] == before[:2]
        assert after[2] != before[2]


@pytest.mark.parametrize("content", ["alike", "random", "aimed"])
def test_scores_state_what_python_computes(mount, content):
    page = mount(ScoresByDistance(content=content, offset=77, base=500, head=5))
    query, key = contents(500)[content]
    encodings = positional_encoding(0, 64, 500) @ positional_encoding(np.arange(1001), 64, 500).T / 8
    starts = [*biases.t5_bucket_starts(32, 128), 1001]
    bucket = int(biases.t5_bucket(-77, 32, 128, causal=True))
    said = [numbers(label.partition("At distance")[2]) for label in labels(page)]
    assert [line[0] for line in said] == [77] * 4
    assert [line[1] for line in said] == [500] * 4
    expected = [
        encodings[77],
        rope.apply_rope(query, 77, 500.0) @ key / 8,
        -77 / 32,
        encodings[starts[bucket] : starts[bucket + 1]].mean(),
    ]
    np.testing.assert_allclose([line[2] for line in said], expected, atol=6e-4)
    assert said[2][3:] == [5, 0.03125]
    assert said[3][3:] == [bucket]


@pytest.mark.parametrize("method", ["interpolation", "NTK-aware", "YaRN", "Llama 3.1"])
def test_context_extension_states_what_python_computes(mount, method):
    page = mount(ContextExtension(method=method, factor=4, base=5000, length=1024))
    omega, old = context.METHODS[method](128, 4, 5000.0, 1024), frequencies(128, 5000.0)
    wave, slowed = labels(page)
    assert numbers(wave)[-2] == pytest.approx(2 * np.pi / omega[-1], rel=5e-4)
    np.testing.assert_allclose(numbers(slowed)[-5:-2], (old / omega)[[0, 32, 63]], atol=6e-3)
    note = numbers(" ".join(page.locator(".equation").all_text_contents()))
    np.testing.assert_allclose(
        note[:2], [encoding_distance(1, omega=omega), encoding_distance(1, omega=old)], atol=6e-4
    )
    kept, divided = (omega == old).sum(), np.isclose(old / omega, 4, rtol=1e-9).sum()
    unseen = context.unseen_pairs(omega, 128, 4, 5000.0, length=1024)
    assert note[2:] == [unseen, 64, kept, 64 - kept - divided, divided, 4]
