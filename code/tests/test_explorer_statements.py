"""The explorers of tokens, hands, angles seen in training, recorded runs and roots: what they say."""

import numpy as np
import pytest
from explorer_page import labels, values

from posenc import context, frequencies, positional_encoding
from wavebook.examples import LEARNED
from wavebook.experiments import ENCODINGS, load
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


def test_accuracy_by_position_states_what_was_recorded(mount):
    page = mount(AccuracyByPosition(encoding="RoPE", beside="RoPE, half of each head", position=50))
    shown = values(page)
    assert (shown["trained"], shown["chance"]) == (32, 1 / 16)
    for encoding, curve in zip(("RoPE", "RoPE, half of each head"), shown["curves"], strict=True):
        run = load().run("back", encoding)
        seeds = run.over(48, 52)
        assert (curve["encoding"], curve["from"], curve["to"]) == (encoding, 48, 51)
        read = [curve[name] for name in ("accuracy", "lowest", "highest")]
        np.testing.assert_allclose(read, [seeds.mean(), seeds.min(), seeds.max()], atol=0.011)
        for part, (start, stop) in zip(curve["over"], ((0, 32), (32, 40), (64, 128)), strict=True):
            assert (part["from"], part["to"]) == (start, stop - 1)
            assert part["accuracy"] == pytest.approx(run.over(start, stop).mean(), abs=0.0051)
    names = page.locator("svg text", has_text="RoPE").all_text_contents()
    assert names == ["RoPE", "half RoPE"]
    page.evaluate("model.set('beside', 'RoPE')")
    page.evaluate("frames()")
    assert page.locator("svg .wash:not(.muted)").count() == 1, "one band, if both are the same"


# Of every two encodings: names on the dashed line, and those no nearer to their own curve than to the other.
NAMES_BESIDE_CURVES = """async (encodings) => {
    const faults = [];
    for (const encoding of encodings) for (const beside of encodings) {
        model.set("encoding", encoding);
        model.set("beside", beside);
        await frames();
        const points = (style) => root.querySelector(`path.${style}`).getAttribute("d").slice(1).split("L")
            .map((point) => point.split(" ").map(Number));
        const [, level] = points("dashed")[0];
        const curves = [...root.querySelectorAll("path.thick")].map((path) =>
            path.getAttribute("d").slice(1).split("L").map((point) => point.split(" ").map(Number)));
        const names = [...root.querySelectorAll("svg text:not(.small):not(.muted)")]
            .map((text) => text.getBBox());
        const alike = curves.length < 2 || curves[0].every(([, y], j) => Math.abs(y - curves[1][j][1]) < 7);
        if (names.length !== curves.length) faults.push(`${encoding}, ${beside}: ${names.length} names`);
        names.forEach(({x, y, width, height}, n) => {
            const away = curves.map((curve) => Math.min(...curve.map(([u, v]) =>
                Math.hypot(Math.max(x - u, 0, u - x - width), Math.max(y - v, 0, v - y - height)))));
            const fault = (what) => faults.push(`${encoding}, ${beside}: name ${n} ${what}`);
            if (y < level && level < y + height) fault("is on the line");
            if (away[n] > 20) fault(`is ${away[n]} away`);
            if (!alike && away.some((far, m) => m !== n && far <= away[n])) fault(`is no nearer: ${away}`);
        });
    }
    return faults;
}"""


@pytest.mark.parametrize("width", [360, 800])
def test_the_names_are_beside_their_curves(mount, width):
    page = mount(AccuracyByPosition(), viewport={"width": width, "height": 800})
    faults = page.evaluate(NAMES_BESIDE_CURVES, list(ENCODINGS))
    # A phone has no room for this name between two of the curves: there only its color says whose it is.
    assert [fault for fault in faults if width == 800 or "random positions" not in fault] == []
    assert len(faults) <= 4


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
