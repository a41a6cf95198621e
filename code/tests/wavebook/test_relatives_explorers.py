"""The explorers of the chapter "Relatives": their mathematics against Python, and what they draw and say."""

import math

import numpy as np
import pytest
from explorer_page import values

from posenc import biases, context, encoding_distance, frequencies, positional_encoding, rope
from wavebook.examples import ARROWS, T5_LEVELS, contents
from wavebook.explorers.context_extension import ContextExtension
from wavebook.explorers.rotary import Rotary
from wavebook.explorers.scores_by_distance import ScoresByDistance


@pytest.mark.parametrize(("p", "q", "frequency"), [(12, 5, 0.3), (19, 12, 0.3), (0, 100, 0.07)])
def test_rotary_states_what_python_computes(mount, p, q, frequency):
    shown = values(mount(Rotary(p=p, q=q, frequency=frequency, pairs=4)))
    query, key = (
        rope.apply_rope(ARROWS[name], at, omega=[frequency]) for name, at in (("query", p), ("key", q))
    )
    angle = np.degrees(np.arccos(query @ key / np.linalg.norm(query) / np.linalg.norm(key)))
    arrows = [shown[name] for name in ("query_radians", "key_radians", "angle_degrees", "score")]
    np.testing.assert_allclose(arrows, [p * frequency, q * frequency, angle, query @ key], rtol=1e-5)
    encodings = positional_encoding([p, q], omega=[frequency])
    added = (np.array(ARROWS["query"]) + encodings[0]) @ (np.array(ARROWS["key"]) + encodings[1])
    places = np.linspace(abs(p - q), 100, 4 * (100 - abs(p - q)) + 1)  # four to a position
    pairs = [(n, n - p + q) if p > q else (n + p - q, n) for n in places]
    scores = [
        (np.array(ARROWS["query"]) + one) @ (np.array(ARROWS["key"]) + two)
        for one, two in (positional_encoding(pair, omega=[frequency]) for pair in pairs)
    ]
    chart = [shown[name] for name in ("offset", "added_score", "added_least", "added_most")]
    np.testing.assert_allclose(chart, [p - q, added, min(scores), max(scores)], rtol=1e-5)
    scores = [
        rope.apply_rope(ARROWS["query"], p, omega=[omega]) @ rope.apply_rope(ARROWS["key"], q, omega=[omega])
        for omega in frequency / 10.0 ** np.arange(4)
    ]
    np.testing.assert_allclose([*shown["scores"], shown["total"]], [*scores, sum(scores)], rtol=1e-5)


def test_slower_pairs_are_added_one_at_a_time(mount):
    page = mount(Rotary())
    totals = []
    for pairs in (1, 2, 3, 4, 1):
        shown = values(page)
        assert len(shown["scores"]) == shown["pairs"] == pairs
        assert page.get_by_role("img").count() == 2 + (pairs > 1), "one pair is the large dial"
        totals.append(shown["total"] - shown["score"])
        page.locator("form button").last.press("Enter")
        page.evaluate("frames()")
    assert totals[0] == totals[-1] == 0
    assert len({*totals}) == 4


def test_moving_both_keeps_the_rotary_score_and_no_other(mount):
    page = mount(Rotary(p=99, q=40))
    before = values(page)
    for p, q in ((100, 41), (59, 0), (60, 1)):  # at the end of the range both go back together
        page.get_by_role("button", name="Move both").press("Enter")
        page.evaluate("frames()")
        assert page.evaluate("[model.get('p'), model.get('q')]") == [p, q]
        after = values(page)
        assert (after["offset"], after["score"]) == (before["offset"], before["score"])
        assert after["added_score"] != before["added_score"]


@pytest.mark.parametrize("content", ["alike", "random", "aimed"])
def test_scores_state_what_python_computes(mount, content):
    page = mount(ScoresByDistance(content=content, offset=77, base=500, head=5))
    query, key = contents(500)[content]
    encodings = positional_encoding(0, 64, 500) @ positional_encoding(np.arange(1001), 64, 500).T / 8
    bucket = int(biases.t5_bucket(-77, 16, 128, causal=True))
    shown = values(page)
    expected = [encodings[77], rope.apply_rope(query, 77, 500.0) @ key / 8, -77 / 32, T5_LEVELS[bucket]]
    np.testing.assert_allclose(
        [shown[name] for name in ("added", "rope", "alibi", "t5")], expected, rtol=1e-5
    )
    assert (shown["slope"], shown["bucket"]) == (1 / 32, bucket)


def bucket_by_hand(distance):
    """The published rule for one direction's 16 buckets and 128 positions: 8 exact ones, then logarithms."""
    return distance if distance < 8 else min(15, 8 + int(math.log(distance / 8) / math.log(16) * 8))


def test_the_example_of_t5_has_the_buckets_of_the_page_and_no_base(mount):
    """Its levels are the means of the added encodings' scores at base 10,000, whatever the slider says."""
    omegas = [10_000 ** (-i / 32) for i in range(32)]
    scores = {k: math.fsum(math.cos(omega * k) for omega in omegas) / 8 for k in range(1001)}
    means = [
        np.mean([score for k, score in scores.items() if bucket_by_hand(k) == bucket]) for bucket in range(16)
    ]
    assert list(T5_LEVELS) == pytest.approx(means, abs=0.0051)
    page = mount(ScoresByDistance(offset=40))
    for base in (100, 10_000, 1e6):
        page.evaluate("(base) => model.set('base', base)", base)
        page.evaluate("frames()")
        shown = values(page)
        assert (shown["bucket"], shown["t5"]) == (bucket_by_hand(40), T5_LEVELS[12]), base
    assert "made up" in page.locator("svg").last.text_content()


def test_the_four_scores_have_one_scale_and_alibi_leaves_it(mount):
    page = mount(ScoresByDistance(head=1, offset=40))  # at 40 the first head subtracts 20
    scales = page.locator("svg").evaluate_all(
        """all => all.map((svg) => [...svg.querySelectorAll("text.small[text-anchor=end]")]
            .map((tick) => [tick.textContent, tick.getAttribute("y")]).join(";"))"""
    )
    assert len(scales) == 4
    assert len(set(scales)) == 1
    alibi = page.locator("svg").nth(2)
    curve = alibi.evaluate("svg => svg.querySelector('path.thick').getAttribute('d')")
    points = np.array([point.split() for point in curve[1:].split("L")], float)
    assert (np.diff(points[:, 1]) > 0).all(), "it falls, up to where it leaves, and is never level"
    ticks = {text: float(y) - 4 for text, y in (tick.split(",") for tick in scales[0].split(";"))}
    unit = (ticks["\u22124"] - ticks["4"]) / 8
    assert (points[-1, 1] - ticks["0"]) / unit == pytest.approx(9, abs=0.01), "the end of the frame"
    decade = (points[-1, 0] - points[0, 0]) / math.log10(9 / 0.5)  # from 1 to the 18 at which it is -9
    assert decade == pytest.approx((page.locator("svg").nth(2).bounding_box()["width"] - 54) / 3, abs=0.1)
    assert alibi.locator("circle").count() == 0


@pytest.mark.parametrize("method", ["interpolation", "NTK-aware", "YaRN", "Llama 3.1"])
def test_context_extension_states_what_python_computes(mount, method):
    page = mount(ContextExtension(method=method, factor=4, base=5000, length=1024))
    omega, old = context.METHODS[method](128, 4, 5000.0, 1024), frequencies(128, 5000.0)
    shown = values(page)
    expected = {
        "slowest_wavelength": 2 * np.pi / omega[-1],
        **dict(
            zip(("slowed_first", "slowed_middle", "slowed_last"), (old / omega)[[0, 32, 63]], strict=True)
        ),
        "neighbors": encoding_distance(1, omega=omega),
        "neighbors_before": encoding_distance(1, omega=old),
    }
    assert {name: shown[name] for name in expected} == pytest.approx(expected, rel=1e-5)
    kept, divided = (omega == old).sum(), np.isclose(old / omega, 4, rtol=1e-9).sum()
    unseen = context.unseen_pairs(omega, 128, 4, 5000.0, length=1024)
    counts = [shown[name] for name in ("reaching_beyond", "pairs", "kept", "between", "divided")]
    assert counts == [unseen, 64, kept, 64 - kept - divided, divided]
