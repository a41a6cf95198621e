"""The explorers of tokens, hands, angles seen in training, recorded runs and roots: what they say."""

import numpy as np
import pytest
from explorer_page import labels, numbers

from posenc import context, frequencies, positional_encoding
from wavebook.examples import LEARNED
from wavebook.experiments import load
from wavebook.explorers import AccuracyByPosition, Attempts, Roots, SetHands, TrainedAngles


@pytest.mark.parametrize(
    ("attempt", "p", "length", "vectors"),
    [
        ("the number", 20, 32, lambda p, n: [p]),
        ("the fraction", 9, 25, lambda p, n: [p / n]),
        ("binary digits", 31, 64, lambda p, n: [int(digit) for digit in reversed(f"{p:06b}")]),
        ("a learned table", 40, 48, lambda p, n: LEARNED[p]),
        ("sines and cosines", 5, 60, lambda p, n: positional_encoding(p, 16)),
    ],
)
def test_attempts_state_what_python_computes(mount, attempt, p, length, vectors):
    table, chart = labels(mount(Attempts(attempt=attempt, position=p, length=length)))
    here, there = (np.array(vectors(place, length)) for place in (p, p + 1))
    assert numbers(table)[:2] == [length, len(here)]
    assert numbers(table)[2] == p
    np.testing.assert_allclose(numbers(table)[3:], here[:4], rtol=6e-3, atol=1e-9)
    size, step = np.linalg.norm(here), np.linalg.norm(there - here)
    np.testing.assert_allclose(numbers(chart), [p, length, size, step, 4], rtol=6e-3)


def test_a_table_ends(mount):
    page = mount(Attempts(attempt="a learned table", position=48, length=64))
    table, chart = labels(page)
    assert "There is none for 48." in table
    assert numbers(chart) == [48, 64, 48]
    assert "no row 48" in page.locator(".note").inner_text()
    page.locator("input[name=length]").press("Home")  # a shorter sequence has no position 48
    page.evaluate("frames()")
    assert numbers(labels(page)[1])[:2] == [3, 4]


def test_set_hands_are_read_as_python_reads_them(mount):
    page = mount(SetHands(fast=40, middle=-140, slow=20))
    setting = np.radians([40, -140, 20])
    vector = np.column_stack([np.sin(setting), np.cos(setting)]).ravel()
    distances = np.linalg.norm(positional_encoding(np.arange(629), 6, 1000) - vector, axis=1)
    dials, chart = labels(page)
    assert numbers(dials) == [40, -140, 20, 37]
    nearest = distances.argmin()
    np.testing.assert_allclose(numbers(chart), [nearest, distances[nearest], distances[37]], atol=6e-3)
    for target in (37, 250, 444, 5, 611):
        page.get_by_role("radio", name=str(target), exact=True).check()
        page.get_by_role("button", name="Set them").press("Enter")
        page.evaluate("frames()")
        degrees = [page.evaluate(f"model.get('{name}')") for name in ("fast", "middle", "slow")]
        turns = np.degrees(target / 10.0 ** np.arange(3)) - degrees
        assert abs((turns + 180) % 360 - 180).max() <= 0.51
        assert numbers(labels(page)[1])[0] == target
        assert "Right" in page.locator(".note").inner_text()


def test_accuracy_by_position_states_what_was_recorded(mount):
    page = mount(AccuracyByPosition(encoding="RoPE", beside="RoPE, half of each head", position=50))
    (label,) = labels(page)
    said = numbers(label)
    for encoding in ("RoPE", "RoPE, half of each head"):
        run = load().run("back", encoding)
        seeds = run.over(48, 52)
        np.testing.assert_allclose(said[:5], [seeds.mean(), seeds.min(), seeds.max(), 48, 51], atol=0.011)
        for n, (start, stop) in enumerate(((0, 32), (32, 40), (64, 128))):
            expected = [run.over(start, stop).mean(), start, stop - 1]
            np.testing.assert_allclose(said[5 + 3 * n : 8 + 3 * n], expected, atol=0.0051)
        del said[:14]
    assert said == [0, 31, 0.06]
    names = page.locator("svg text", has_text="RoPE").all_text_contents()
    assert names == ["RoPE", "half RoPE"]
    page.evaluate("model.set('beside', 'RoPE')")
    page.evaluate("frames()")
    assert page.locator("svg .wash:not(.muted)").count() == 1, "one band, if both are the same"


@pytest.mark.parametrize("method", ["unchanged", "interpolation", "NTK-aware", "YaRN"])
def test_trained_angles_state_what_python_computes(mount, method):
    page = mount(TrainedAngles(method=method, factor=8, pair=56))
    old = frequencies(128)
    omega = old if method == "unchanged" else context.METHODS[method](128, 8, 10_000.0, 2048)
    dial, chart = labels(page)
    angles = np.degrees([old[56] * 2047, omega[56] * (8 * 2048 - 1)])
    np.testing.assert_allclose([numbers(dial)[3], numbers(dial)[5]], angles, atol=0.51)
    unseen = context.unseen_pairs(omega, 128, 8, length=2048)
    assert numbers(chart) == [64, 8, unseen, 56]
    first = page.locator(".note").inner_text().partition("\n")[0]
    assert first.endswith(": new") == (method not in ("interpolation", "YaRN"))


def test_roots_state_what_a_matrix_does(mount):
    page = mount(Roots())
    for radius, angle, multiplicity, verdict in [
        (1, 60, "single", "bounded: waves"),
        (1, 0, "single", "bounded: a constant"),
        (0.9, 60, "single", "fades forward"),
        (1.1, 60, "single", "grows forward"),
        (1, 60, "double", "drifts: waves"),
        (1, 0, "double", "drifts: a straight line"),
        (0.9, 60, "double", "In the end it fades forward"),
    ]:
        traits = {"radius": radius, "angle": angle, "multiplicity": multiplicity}
        page.evaluate(
            "(traits) => Object.entries(traits).forEach(([name, value]) => model.set(name, value))", traits
        )
        page.evaluate("frames()")
        c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        turn = radius * np.array([[c, s], [-s, c]])
        block = np.block([[turn, np.zeros((2, 2))], [turn, turn]])
        shift, start = (turn, [0, 1]) if multiplicity == "single" else (block, [0, 1, 0, 0])
        plane, chart = labels(page)
        assert multiplicity in plane
        assert numbers(plane) == [radius, angle]
        length = np.linalg.norm(np.linalg.matrix_power(shift, 24) @ start)
        np.testing.assert_allclose(numbers(chart)[3], length, atol=6e-3)
        assert verdict in chart
        assert verdict in page.locator(".note").inner_text()
