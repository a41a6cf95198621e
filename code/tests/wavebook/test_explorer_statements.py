"""The explorers of tokens, hands, angles seen in training, recorded runs and roots: what they say."""

import numpy as np
import pytest
from explorer_page import labels, values

from posenc import context, frequencies, positional_encoding
from posenc.precision import rounded
from posenc.rope import apply_rope
from wavebook.examples import LEARNED
from wavebook.explorers import Attempts, Roots, SetHands, Slips, TrainedAngles
from wavebook.explorers.slips import shows_from


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
    shown = values(mount(Attempts(attempt=attempt, position=p, length=length)))
    here, there = (np.array(vectors(place, length)) for place in (p, p + 1))
    assert (shown["position"], shown["length"], shown["entries"]) == (p, length, len(here))
    np.testing.assert_allclose(shown["vector"], here, rtol=1e-5, atol=1e-8)
    size, step = np.linalg.norm(here), np.linalg.norm(there - here)
    np.testing.assert_allclose(
        [shown[name] for name in ("size", "step", "token_size")], [size, step, 4], rtol=1e-5
    )


def test_random_numbers_are_not_called_learned(mount):
    """The table was drawn from a normal distribution, which its name and its drawing say."""
    drawn = np.random.default_rng(2).normal(0, 0.5, size=(48, 16)).round(2)
    page = mount(Attempts(attempt="a learned table", position=11))
    assert values(page)["vector"] == pytest.approx(drawn[11])
    said = [*page.locator(".option").all_text_contents(), *labels(page)]
    assert all("random" in text for text in said if "learned" in text)
    assert sum("learned" in text for text in said) == 2


def test_a_table_ends(mount):
    page = mount(Attempts(attempt="a learned table", position=48, length=64))
    shown = values(page)
    assert shown["vector"] is shown["size"] is shown["step"] is None
    assert "no row 48" in page.locator(".note").inner_text()
    page.locator("input[name=length]").press("Home")  # a shorter sequence has no position 48
    page.evaluate("frames()")
    assert (values(page)["position"], values(page)["length"]) == (3, 4)


def test_set_hands_are_read_as_python_reads_them(mount):
    page = mount(SetHands(fast=40, middle=-140, slow=20))
    setting = np.radians([40, -140, 20])
    vector = np.column_stack([np.sin(setting), np.cos(setting)]).ravel()
    distances = np.linalg.norm(positional_encoding(np.arange(629), 6, 1000) - vector, axis=1)
    shown = values(page)
    assert shown["nearest"] == distances.argmin()
    assert shown["distance"] == pytest.approx(distances.min(), rel=1e-5)
    assert shown["target_distance"] == pytest.approx(distances[37], rel=1e-5)
    for target in (37, 250, 444, 5, 611):
        page.get_by_role("radio", name=str(target), exact=True).check()
        page.get_by_role("button", name="Set them").press("Enter")
        page.evaluate("frames()")
        degrees = [page.evaluate(f"model.get('{name}')") for name in ("fast", "middle", "slow")]
        turns = np.degrees(target / 10.0 ** np.arange(3)) - degrees
        assert abs((turns + 180) % 360 - 180).max() <= 0.51
        assert values(page)["nearest"] == target
        assert "Right" in page.locator(".note").inner_text()


@pytest.mark.parametrize("method", ["unchanged", "interpolation", "NTK-aware", "YaRN"])
def test_trained_angles_state_what_python_computes(mount, method):
    page = mount(TrainedAngles(method=method, factor=8, pair=56))
    old = frequencies(128)
    omega = old if method == "unchanged" else context.METHODS[method](128, 8, 10_000.0, 2048)
    shown = values(page)
    assert shown["seen_radians"] == pytest.approx(old[56] * 2047, rel=1e-5)
    assert shown["longer_radians"] == pytest.approx(omega[56] * (8 * 2048 - 1), rel=1e-5)
    assert shown["pairs_beyond"] == context.unseen_pairs(omega, 128, 8, length=2048)
    assert shown["is_new"] == (method not in ("interpolation", "YaRN"))


def test_methods_are_offered_to_who_begins_with_one(mount):
    assert mount(TrainedAngles()).get_by_role("radio").count() == 0
    assert mount(TrainedAngles(method="YaRN")).get_by_role("radio").count() == 4


def test_slips_state_what_python_computes(mount):
    """The scores of the last token, key by key, with tokens as the explorer's module describes them."""
    angle = np.arange(32) * np.pi * (3 - np.sqrt(5))
    query = np.stack([np.cos(angle), np.sin(angle)], axis=1).ravel()
    omega = frequencies(64, 500_000)
    key = apply_rope(query, 10, omega=omega)

    def scores(places, first=0, omega=omega, **layout):
        last = apply_rope(query, places[-1], omega=omega, **layout)
        return apply_rope(np.tile(key, (len(places), 1)), places, omega=omega, **layout)[first:] @ last / 32

    page = mount(Slips())
    for tokens in (16, 300, 1025, 1400):
        places = np.arange(tokens)
        renumbered = places - 512 * (places >= 1024)
        first = 512 if tokens > 1024 else 0
        programs = {
            "other layout": scores(places, layout="halves"),
            "base forgotten": scores(places, omega=frequencies(64, 10_000)),
            "d - 2": scores(places, omega=500_000.0 ** (-np.arange(32) / 31)),
            "bfloat16 positions": scores(rounded(places, "bfloat16")),
            "renumbered cache": scores(renumbered, first),
        }
        for slip, program in programs.items():
            page.evaluate(f"model.set('slip', '{slip}'); model.set('tokens', {tokens})")
            page.evaluate("frames()")
            shown = values(page)
            right = scores(places)[tokens - len(program) :]
            assert shown["off"] == pytest.approx(abs(program - right).max(), rel=1e-4, abs=1e-12), slip
            assert shown["length"] == tokens


def test_slips_show_where_python_says(mount):
    page = mount(Slips(tokens=300))
    shown = values(page)
    assert shown["shows"] == shows_from()
    assert shown["found"] == [slip for slip, first in shows_from().items() if first <= 300]
    assert "from 59" in page.locator("svg").last.text_content()


def test_roots_state_what_a_matrix_does(mount):
    page = mount(Roots())
    for radius, angle, multiplicity, fate in [
        (1, 60, "single", "stays bounded"),
        (1, 0, "single", "stays bounded"),
        (0.9, 60, "single", "fades"),
        (1.1, 60, "single", "grows"),
        (1, 60, "double", "drifts"),
        (1, 0, "double", "drifts"),
        (0.9, 60, "double", "fades"),
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
        shown = values(page)
        for name, power in (("size_forward", 24), ("size_backward", -24)):
            size = np.linalg.norm(np.linalg.matrix_power(shift, power) @ start)
            assert shown[name] == pytest.approx(size, rel=1e-5)
        assert shown["fate"] == fate
        assert fate in page.locator(".note").inner_text()
