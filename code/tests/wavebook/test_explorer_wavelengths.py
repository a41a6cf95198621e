"""The wavelengths as tones: none before a key, each that of a hand, and a key ends them."""

import numpy as np
import pytest

from posenc import frequencies
from wavebook.explorers import Wavelengths

#: What is asked of the browser's sound, in place of it.
HEARD = """() => {
    window.heard = { made: 0, closed: 0, pitches: [], times: [], ends: null };
    window.AudioContext = class {
        currentTime = 3;
        constructor() { heard.made += 1; heard.pitches = []; heard.times = []; }
        close() { heard.closed += 1; }
        createGain() { return { gain: {}, connect() {} }; }
        createOscillator() {
            const tone = {
                frequency: { setValueAtTime(pitch, at) { heard.pitches.push(pitch); heard.times.push(at); } },
                connect() {}, start() {}, stop(at) { heard.ends = at; },
            };
            heard.tone = tone;
            return tone;
        }
    };
}"""


def heard(page, name):
    return page.evaluate(f"heard.{name}")


@pytest.mark.parametrize(("d_model", "base"), [(128, 10_000), (8, 10_000), (512, 500)])
def test_the_hands_are_heard_once_they_are_asked_for(mount, d_model, base):
    page = mount(Wavelengths(d_model=d_model, base=base), reduced_motion="reduce")
    page.evaluate(HEARD)
    page.locator("input[name=length]").press("ArrowRight")
    page.evaluate("frames()")
    assert heard(page, "made") == 0, "nothing sounds by itself"
    page.get_by_role("button", name="Hear them").press("Enter")
    pitches = 3520 * frequencies(d_model, base)
    np.testing.assert_allclose(heard(page, "pitches"), pitches[pitches >= 40], rtol=1e-9)
    times = heard(page, "times")
    assert np.all(np.diff(times) > 0)
    assert heard(page, "ends") - times[0] <= 6.01
    page.get_by_role("button", name="Stop").press("Space")
    assert heard(page, "closed") == 1
    assert page.get_by_role("button", name="Hear them").is_visible()


@pytest.mark.parametrize(
    "end",
    [
        "root.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))",
        "heard.tone.onended()",
        "cleanup()",
    ],
)
def test_the_sound_ends(mount, end):
    page = mount(Wavelengths())
    page.evaluate(HEARD)
    page.get_by_role("button", name="Hear them").click()
    assert (heard(page, "made"), heard(page, "closed")) == (1, 0)
    page.evaluate(end)
    assert heard(page, "closed") == 1
