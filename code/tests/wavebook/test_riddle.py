"""The riddle: its letters against what was recorded, its question, its keys and its motion."""

import json
import re
from importlib.resources import files

import numpy as np
import pytest
from explorer_page import values
from playwright.sync_api import expect

from wavebook.experiments import cliff
from wavebook.experiments.cliff import letters
from wavebook.explorers import Riddle, questions

RUN = cliff.load().run("back", "RoPE", back=3)
TEXT = letters.load()[RUN.trial.name]
#: The signs that are drawn in the size of letters, with where they are and whether they are in purple.
DRAWN = """() => [...root.querySelectorAll('svg text.letter')].map((text) => ({
    x: Number(text.getAttribute('x')), y: Number(text.getAttribute('y')), sign: text.textContent,
    wrong: text.classList.contains('claimed'),
}))"""


def rows(page):
    """What it says and what it reads, as two strings, and which signs of each are in purple."""
    drawn = [one for one in page.evaluate(DRAWN) if re.fullmatch("[a-p]", one["sign"])]
    by_row = [
        sorted((one for one in drawn if one["y"] == y), key=lambda one: one["x"])
        for y in sorted({one["y"] for one in drawn})
    ]
    return [("".join(one["sign"] for one in row), [one["wrong"] for one in row]) for row in by_row]


@pytest.mark.parametrize("name", letters.load())
def test_a_text_is_of_the_task_that_it_stands_for(name):
    text, run = letters.load()[name], cliff.load().runs[name]
    assert text.back == run.setting.back
    assert len(text.letters) == len(text.said) == letters.LENGTH
    assert set(text.letters + text.said) <= set(letters.ALPHABET)
    # The text is the one that its seed and number draw, in a test of this length.
    rng = np.random.default_rng([text.seed, letters.LENGTH, 3])
    tokens = rng.integers(16, size=(100, letters.LENGTH))
    assert "".join(letters.ALPHABET[n] for n in tokens[text.nth]) == text.letters
    wrong = [p for p in range(text.back, 128) if text.said[p] != text.letters[p - text.back]]
    assert text.wrong == wrong
    assert not wrong or wrong[0] >= run.setting.trained - 1, "within its training it is right"


def test_the_text_goes_wrong_where_the_runs_do():
    right, asked = RUN.counts.astype(int).sum(1)
    late = [p for p in range(32, 128) if right[p] < 0.9 * asked[p]]
    assert TEXT.wrong[0] == late[0] == 47
    assert TEXT.said[47] == TEXT.letters[0] != TEXT.letters[44]
    assert json.loads(files("wavebook.experiments.cliff").joinpath("letters.json").read_text())["about"]


def test_the_words_have_the_numbers_of_the_record():
    asked = questions.why_wrong()
    texts = set(RUN.counts[1, :, 47].tolist())
    assert f"{RUN.counts.shape[1]} models with {texts.pop()} texts each" in asked["figures"]
    assert not texts
    assert asked["plainly"] in asked["printed"]
    assert asked["figures"] in asked["printed"]


@pytest.mark.parametrize("width", [360, 1272])
def test_while_it_asks_it_has_read_up_to_the_letter_before(mount, width):
    page = mount(Riddle(prediction=questions.why_wrong()), viewport={"width": width, "height": 900})
    (said, wrong), (read, marked) = rows(page)
    assert TEXT.said[:47].endswith(said)
    assert len(said) > 5
    assert not any(wrong)
    assert not any(marked), "whose letter it will be is not seen"
    assert "?" in [one["sign"] for one in page.evaluate(DRAWN)]
    if width > 1200:
        assert said == TEXT.said[3:47]
        assert read == TEXT.letters[: len(read)], "and some that come"
        assert len(read) >= 50
    page.get_by_role("button", name="Show me").click()
    page.evaluate("frames()")
    (said, wrong), (read, marked) = rows(page)
    assert said[-1] == TEXT.letters[0]
    assert wrong == [False] * (len(said) - 1) + [True]
    assert marked.index(True) == 0, "the first letter"
    assert values(page) == {"position": 47, "says": TEXT.said[47], "asked": TEXT.letters[44], "right": False}


def test_it_reads_aloud_and_stops_before_the_letter(mount):
    page = mount(Riddle(prediction=questions.why_wrong()), reduced_motion="no-preference")
    page.wait_for_function("root.querySelectorAll('svg text.letter.shifted').length > 8")
    begun = rows(page)[0][0]
    page.wait_for_function(
        "[...root.querySelectorAll('svg text.letter')].some((one) => one.textContent === '?')"
    )
    assert TEXT.said[3:47].endswith(rows(page)[0][0])
    assert begun != rows(page)[0][0]
    page.evaluate("frames(30)")  # from the place where it is seen to its own
    drawn = page.evaluate("host.drawn")
    page.evaluate("frames(4)")
    assert page.evaluate("host.drawn") == drawn, "it rests"


@pytest.mark.parametrize("position", [3, 31, 47, 60, 100, 127])
def test_keys_move_it_and_it_says_what_is_there(mount, position):
    page = mount(Riddle(position=position - (position > 3)))
    page.get_by_role("slider", name="letter").press("ArrowRight" if position > 3 else "Home")
    page.evaluate("frames()")
    seen = values(page)
    assert seen["position"] == position
    assert seen["says"] == TEXT.said[position]
    assert seen["right"] == (position not in TEXT.wrong)
    label = page.locator("svg").first.get_attribute("aria-label")
    assert f"At letter {position} it says {TEXT.said[position]}" in label
    assert ("should say" in label) == (position in TEXT.wrong)
    (_, wrong), _ = rows(page)
    assert wrong[-1] == (position in TEXT.wrong)


def test_an_answer_that_was_not_chosen_is_asked_for_beside_the_button(mount):
    """What the browser says by itself would cover the options."""
    page = mount(Riddle(prediction=questions.why_wrong()))
    page.evaluate("root.addEventListener('invalid', (event) => { window.told = event; }, true)")
    page.get_by_role("button", name="Answer").click()
    assert page.evaluate("told.defaultPrevented") is True
    words = "getComputedStyle(root.querySelector('.asking'), '::after').display"
    assert page.evaluate(words) != "none"
    expect(page.locator("input[name=guess]").first).to_be_focused()
    page.locator("input[name=guess]").nth(2).check()
    assert page.evaluate(words) == "none"
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("[data-explorer]")).to_have_attribute("data-state", "answered")
    assert "that is right" in page.locator(".answered").text_content()
