"""The explorer of the cliff: what it shows against what was recorded, its questions, and its story."""

import math
import re

import numpy as np
import pytest
from explorer_page import values
from playwright.sync_api import expect

from wavebook.experiments import cliff
from wavebook.experiments.cliff import letters
from wavebook.explorers import Cliff, Votes, questions, votes
from wavebook.explorers.cliff import OFFSETS, SPECTRA

CONSTANTS = Cliff.constants
STORY = CONSTANTS["story"]
#: The order of each difference set is the root of what its name says: N = q^2 + q + 1.
ORDERS = {int(name.split()[-1]): name for name in SPECTRA if name != "geometric"}


def run_of(spectrum, k):
    if spectrum == "geometric":
        return cliff.load().run("back", "RoPE", back=k)
    (order,) = [q for q in range(64) if q * q + q + 1 == int(spectrum.split()[-1])]
    return cliff.load().run("back", "RoPE", back=k, spectrum=f"difference set {order}")


@pytest.mark.parametrize("setting", CONSTANTS["settings"], ids=lambda one: f"{one['spectrum']}, {one['k']}")
def test_what_the_drawing_gets_is_what_was_recorded(setting):
    run = run_of(setting["spectrum"], setting["k"])
    right, asked = run.counts[:, :, setting["k"] : 128].astype(float)
    levels = [92 if sign == "~" else ord(sign) for sign in setting["runs"]]
    shown = (np.reshape(levels, (-1, 128)) - 35) / 90
    assert len(shown) == len(run.seeds) == 10, "all seeds"
    np.testing.assert_allclose(shown[:, setting["k"] :], right / asked, atol=0.5 / 90 + 1e-9)
    together = 100 * right.sum(0) / asked.sum(0)
    np.testing.assert_allclose(setting["mean"][setting["k"] :], together, atol=0.5 + 1e-9)
    for position, row in enumerate(setting["weights"]):
        told = dict(zip(row[::2], row[1::2], strict=True))
        for offset, weight in enumerate(run.weights.mean(0)[position, :128]):
            assert told.get(offset, 0) / 1000 == pytest.approx(
                weight, abs=0.0051 if offset not in told else 6e-4
            )
    low = np.flatnonzero(together[32 - setting["k"] :] < 90)
    assert setting["breaks"] == (
        32 + low[0] if len(low) else 128 if len(shown[0]) == run.setting.tested else 136
    )


def test_each_spectrum_and_task_is_there_that_was_trained():
    there = {(one["spectrum"], one["k"]) for one in CONSTANTS["settings"]}
    assert there >= {(name, 3) for name in SPECTRA}
    assert there >= {(name, k) for name in ("geometric", "N = 73") for k in OFFSETS}


def test_the_hands_of_a_difference_set_are_back_together_after_its_period_and_not_before():
    for period, name in ORDERS.items():
        hands = np.array(CONSTANTS["spectra"][name])
        steps = np.arange(1, period + 1)
        near = abs(np.exp(1j * np.outer(steps, hands)).sum(1) + 1)  # the residue 0 stands still
        np.testing.assert_allclose(near[:-1], math.sqrt(len(hands)), rtol=1e-6)
        assert near[-1] == pytest.approx(len(hands) + 1)
        assert {one["foreseen"] for one in CONSTANTS["settings"] if one["spectrum"] == name} <= {
            period + k for k in OFFSETS
        }


def test_where_the_two_fastest_hands_are_back():
    fast, second = CONSTANTS["spectra"]["geometric"]
    assert (fast, second) == (1, pytest.approx(10 ** (-4 / 16)))
    for one in CONSTANTS["settings"]:
        if one["spectrum"] == "geometric":
            sums = [math.cos(d - one["k"]) + math.cos(second * (d - one["k"])) for d in range(32, 128)]
            assert one["foreseen"] == 32 + int(np.argmax(sums))


def test_the_questions_know_what_was_recorded():
    for k in (3, 5):
        right, number = run_of("N = 73", k).counts.astype(int).sum(1)
        late = [p for p in range(32, 128) if right[p] < 0.9 * number[p]]
        assert int(questions.where_now(k)["answer"]) == late[0] == 73 + k
    turned = STORY[1]["asked"]
    assert float(turned["answer"].split()[0]) == pytest.approx(44 / (2 * math.pi), abs=5e-4)


@pytest.mark.parametrize(
    ("spectrum", "k", "position", "back"),
    [("geometric", 3, 47, 47), ("N = 73", 5, 90, 78), ("N = 57", 8, 63, 60)],
)
def test_it_states_what_was_recorded(mount, spectrum, k, position, back):
    seen = values(mount(Cliff(spectrum=spectrum, k=k, position=position, back=back)))
    task = k if spectrum in ("geometric", "N = 73") else 3
    run = run_of(spectrum, task)
    assert seen["looks_back"] == task
    assert seen["accuracy"] == pytest.approx(
        run.counts[0, :, position].mean() / run.counts[1, 0, position], abs=6e-3
    )
    np.testing.assert_allclose(seen["runs"], run.accuracy[:, position], atol=6e-3)
    weights = run.weights.mean(0)[position]
    np.testing.assert_allclose(
        [weight for _, weight in seen["attention"]], np.sort(weights[weights > 0.02])[::-1], atol=6e-4
    )
    hands = np.sort(abs(run.omega[run.omega != 0]))[::-1][: len(seen["turns"])]
    np.testing.assert_allclose(seen["turns"], hands * abs(back - task) / (2 * math.pi), rtol=1e-5)


@pytest.mark.parametrize("width", [360, 1100])
def test_the_story_goes_through_its_steps(mount, width):
    page = mount(Cliff(step=1), viewport={"width": width, "height": 900})
    root = page.locator("[data-explorer]")
    said = set()
    for step, scene in enumerate(STORY, 1):
        assert values(page)["step"] == step
        said.add(page.locator(".say").text_content())
        state = values(page)
        assert {trait: state[trait] for trait in scene["start"]} == scene["start"]
        if scene["asked"]:
            assert root.get_attribute("data-state") == "asking"
            before = page.evaluate("picture()")
            page.locator(".asking [type=button]").click()
            expect(root).to_have_attribute("data-state", "answered")
            page.evaluate("frames()")
            assert page.evaluate("picture()") != before, "something has happened"
            end = [act["set"] | act["to"] for act in scene["asked"]["acts"]]
            for trait in {trait for act in end for trait in act}:
                assert values(page)[trait] == [act[trait] for act in end if trait in act][-1]
            told = page.locator(".answered").text_content()
            assert scene["asked"]["answer"] in told
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.evaluate("scrollTo(0, 0)")
        if step < len(STORY):
            page.get_by_role("button", name="Next").click()
            page.evaluate("frames()")
    assert len(said) == len(STORY)
    offered = page.get_by_role("radio", name=re.compile("^[0-9]+$"))
    assert [one.evaluate("input => input.parentElement.textContent") for one in offered.all()] == [
        name.removeprefix("N = ") for name in SPECTRA if name != "geometric"
    ], "each is a number of steps"
    page.get_by_role("radio", name="31").check()
    page.evaluate("frames(4)")
    assert [values(page)[name] for name in ("position", "back")] == [34, 34]
    assert "N = 31" in page.locator(".answered").text_content()
    legend = page.locator("legend").text_content()
    assert "31 steps" in legend
    assert "73" not in legend, "the question is about what is on the screen"
    assert page.locator(".panel svg rect.claimed").count() > 0, "the letter that looks right"
    page.get_by_role("radio", name="133").check()
    page.evaluate("frames(4)")
    assert page.locator(".panel svg rect.claimed").count() == 0, "no letter is so far back"
    page.get_by_role("button", name="Step 2").click()
    page.evaluate("frames()")
    assert root.get_attribute("data-state") in ("asking", "answered")
    assert values(page)["spectrum"] == "geometric"


def test_a_question_that_is_left_open_takes_no_control_with_it(mount):
    page = mount(Cliff(step=1))
    slider = page.get_by_role("slider", name="letter")  # as the riddle calls it
    expect(slider).to_be_visible()
    page.get_by_role("button", name="Step 2").click()
    expect(slider).to_be_hidden()
    page.get_by_role("button", name="Step 1").click()
    expect(slider).to_be_visible()


def test_going_on_from_an_open_question_shows_its_answer_first(mount):
    page = mount(Cliff(step=2))
    root = page.locator("[data-explorer]")

    def now():
        page.evaluate("frames()")
        return values(page)["step"], root.get_attribute("data-state")

    onward, shows = page.locator(".steps .next"), page.get_by_role("button", name="Show me")
    expect(onward).to_be_hidden()  # the question has its own ways on
    expect(shows).to_have_count(1)
    shows.click()
    assert now() == (2, "answered")
    onward.press("Enter")
    assert now() == (3, "asking")
    expect(onward).to_be_hidden()
    expect(page.locator(".prediction")).to_be_focused()
    page.get_by_role("button", name="Step 2").press("ArrowRight")
    assert now() == (3, "answered")
    expect(onward).to_be_hidden()  # it is the last one
    page.get_by_role("button", name="Ask me again").click()
    expect(onward).to_be_hidden()
    page = mount(Cliff(step=1), reduced_motion="no-preference")
    page.locator(".steps .next").dblclick()
    state = page.evaluate("[model.get('step'), root.dataset.state]")
    assert state == [2, "asking"], "one press"


PHONES = pytest.mark.parametrize("size", [(390, 844), (360, 740)], ids=["390", "360"])


@PHONES
def test_on_a_phone_one_goes_through_the_story_without_scrolling(mount, size):
    """As a person does: a press is where the button is seen."""
    width, height = size
    page = mount(Cliff(step=1), viewport={"width": width, "height": height}, has_touch=True, is_mobile=True)
    page.evaluate("document.body.style.padding = '900px 0'")
    page.evaluate("root.scrollIntoView()")

    def tap(button):
        box = button.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        assert 0 < x < width
        assert 0 < y < height
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).tagName", [x, y]) == "BUTTON"
        page.touchscreen.tap(x, y)

    for step in range(1, len(STORY) + 1):
        if step > 1:
            tap(page.get_by_role("button", name="Next"))
            expect(page.locator("[data-explorer]")).to_have_attribute("data-state", "asking")
            page.evaluate("frames()")
            words = page.locator(".say").bounding_box()
            assert -1 <= words["y"] < height / 2
            tap(page.get_by_role("button", name="Show me"))
            expect(page.locator("[data-explorer]")).to_have_attribute("data-state", "answered")
            page.evaluate("frames(4)")
            told, bar = (page.locator(part).bounding_box() for part in (".answered p", ".steps"))
            assert told["y"] + told["height"] <= bar["y"], "the whole answer is above the way on"
        assert values(page)["step"] == step
        bar = page.locator(".steps").bounding_box()
        assert bar["y"] + bar["height"] <= height + 1


def test_nothing_moves_when_the_story_answers(mount):
    page = mount(Cliff(step=1), viewport={"width": 1272, "height": 900})
    drawing = page.locator(".panels")
    places = {drawing.bounding_box()["y"]}
    height = {page.evaluate("root.offsetHeight")}
    for _ in STORY[1:]:
        page.get_by_role("button", name="Next").click()
        page.evaluate("frames()")
        places.add(drawing.bounding_box()["y"])
        height.add(page.evaluate("root.offsetHeight"))
        page.get_by_role("button", name="Show me").click()
        page.evaluate("frames()")
        places.add(drawing.bounding_box()["y"])
        height.add(page.evaluate("root.offsetHeight"))
    assert len(places) == len(height) == 1


#: The words and numbers through which the cursor runs; its own name may be there, and the letters are below
#: its end.
CROSSED = """() => {
    const knob = root.querySelector("svg .knob").getBoundingClientRect();
    const x = knob.left + knob.width / 2;
    return [...root.querySelectorAll("svg text:not(.letter)")].filter((text) => {
        const { left, right } = text.getBoundingClientRect();
        return left < x + 3 && right > x - 3 && !/^(token |letter )/.test(text.textContent);
    }).map((text) => text.textContent);
}"""


@pytest.mark.parametrize("width", [360, 1240])
@pytest.mark.parametrize(
    ("spectrum", "position", "back"),
    [
        ("N = 133", 127, 127),
        ("N = 73", 76, 76),
        ("geometric", 47, 47),
        ("geometric", 40, 40),
        ("geometric", 49, 49),
        ("N = 31", 34, 34),
    ],
)
def test_the_cursor_runs_through_no_words(mount, spectrum, position, back, width):
    shown = Cliff(spectrum=spectrum, position=position, back=back)
    page = mount(shown, viewport={"width": width, "height": 900})
    assert page.evaluate(CROSSED) == []


def test_a_bar_beside_the_token_that_is_compared_has_its_own_name(mount):
    page = mount(Cliff(position=49, back=49), viewport={"width": 1240, "height": 900})
    weights = cliff.load().run("back", "RoPE").weights.mean(0)[49]
    boxes = []
    for back in (49, 47):
        name = page.locator("svg text", has_text=re.compile(rf"^{back} back: {100 * weights[back]:.0f}\s%$"))
        boxes.append(name.bounding_box())
    assert boxes[0]["x"] < boxes[1]["x"], "each at its own"
    assert boxes[1]["y"] - boxes[0]["y"] > 15, "one above the other"


@pytest.mark.parametrize("name", [name for name in SPECTRA if name != "geometric"])
def test_the_answer_of_the_story_follows_the_spectrum(name):
    run = run_of(name, 3)
    (asks, said), steps = CONSTANTS["outcomes"][name], int(name.removeprefix("N = "))
    assert f"after {steps} steps" in asks
    turning = np.count_nonzero(run.omega)
    assert f"{turning} of the {len(run.omega)} hands turn" in asks
    right, asked = run.counts.astype(int).sum(1)[:, :128]
    late = [p for p in range(32, 128) if right[p] < 0.9 * asked[p]]
    low = [int(np.flatnonzero(row[:128] < 0.9)[0]) for row in run.accuracy if (row[:128] < 0.9).any()]
    assert f"{steps + 3} back" in said
    if late:
        assert late[0] == steps + 3
        assert f"<b>{late[0]}</b>" in said
        assert f"{low.count(late[0])} of the {len(run.accuracy)} first fall" in said
    else:
        assert steps + 3 > 127
        assert f"{len(run.accuracy) - len(low)} of the {len(run.accuracy)} runs do not fall" in said
        drawn = [
            cliff.load().run("back", "RoPE", spectrum=f"random residues 11 {n}").accuracy[:, 32:128].mean()
            for n in range(5)
        ]
        means = (100 * np.mean(drawn), 100 * run.accuracy[:, 32:128].mean())
        assert "{:.0f} % against {:.0f} %".format(*means) in said, "what needs no difference set"


@pytest.mark.parametrize("width", [360, 1100])
def test_the_question_of_the_story_stays_above_its_answer(mount, width):
    page = mount(Cliff(step=3), viewport={"width": width, "height": 900})
    page.locator(".asking [type=button]").click()
    question, told = page.locator("legend").bounding_box(), page.locator(".answered").bounding_box()
    assert question["y"] + question["height"] <= told["y"]


#: How far the middle of the slider's knob is from the cursor, in pixels.
KNOB = """() => {
    const { left, width } = root.querySelector('input[name=position]').getBoundingClientRect();
    const { value, max } = root.querySelector('input[name=position]');
    const knob = matchMedia('(pointer: coarse)').matches ? 26 : 18;
    const cursor = root.querySelector('svg .knob').getBoundingClientRect();
    return left + knob / 2 + (value / max) * (width - knob) - cursor.left - cursor.width / 2;
}"""


@pytest.mark.parametrize("width", [360, 1100])
def test_the_slider_of_the_story_is_below_the_cursor(mount, width):
    page = mount(Cliff(step=1), viewport={"width": width, "height": 900})
    for position in (0, 47, 127):
        page.evaluate("(position) => model.set('position', position)", position)
        page.evaluate("frames()")
        assert abs(page.evaluate(KNOB)) < 1
    assert page.locator("input[name=position]").bounding_box()["width"] > 0.85 * page.evaluate(
        "root.clientWidth"
    )


def test_the_story_says_why_an_answer_is_wrong_at_all_and_that_two_hands_are_no_rule():
    run = cliff.load().run("back", "RoPE", back=3)
    right, asked = run.counts[:, :, 47].astype(int).sum(1)
    said = STORY[0]["say"].replace("\N{NO-BREAK SPACE}", " ")
    assert f"{math.floor(100 * right / asked + 0.5)} % at 47" in said  # 78.5, half up
    assert f"Of the {asked - right} wrong ones {run.origins[47, 47]} are the very first letter" in said
    told = []
    for base in ((10_000.0,), (10.0, 32.0, 100.0, 1e6)):
        runs = [cliff.load().run("back", "RoPE", base=b, rate=rate) for b in base for rate in (0.03, 0.01)]
        named, learned = 0, 0
        for run in runs:
            steps = np.arange(32, run.setting.tested) - 3
            best = 32 + int(np.argmax(np.cos(np.outer(np.sort(run.omega)[-2:], steps)).sum(0).round(9)))
            fractions = np.where(run.possible >= 20, run.wrong / np.maximum(run.possible, 1), 0)
            good = run.over(0, 32) >= 0.95
            learned += int(good.sum())
            most = (fractions[:, 32:].argmax(1) + 32 == best) & (fractions[:, 32:].max(1) > 2 / 15)
            named += int((good & most).sum())
        told.append(f"{named} of {learned}")
    assert (
        f"they name the misleading letter in {told[0]} runs at these speeds, and in only {told[1]} at others."
        in STORY[2]["say"]
    )


def test_nothing_that_answers_is_drawn_before(mount):
    page = mount(Cliff(step=3))
    assert "76" not in page.locator(".panel svg").text_content()
    assert values(page)["position"] == 31
    page = mount(Cliff(spectrum="N = 73", position=31, back=3, prediction=questions.where_now()))
    assert page.locator(".panel svg .claimed").count() == 0
    assert "76" not in page.locator(".panel svg").text_content()
    page.locator(".asking [type=button]").click()
    page.evaluate("frames()")
    assert page.locator(".panel svg .claimed").count() > 0
    assert values(page)["position"] == values(page)["back"] == 76


#: The letters of the text at the foot of the drawing, by their places, and which of them are in purple.
SPELLED = """() => [...root.querySelectorAll('svg text.letter')].map((text) => [
    Number(text.getAttribute('x')), Number(text.getAttribute('y')), text.textContent,
    text.classList.contains('claimed'),
]).filter(([, , sign]) => sign.length === 1 && sign >= 'a')"""


@pytest.mark.parametrize("name", SPECTRA)
def test_the_letters_are_those_of_the_recorded_text(mount, name):
    run = run_of(name, 3)
    text = letters.load()[run.trial.name]
    page = mount(Cliff(spectrum=name, position=44, back=3), viewport={"width": 1280, "height": 900})
    rows: dict[float, list] = {}
    for _x, y, sign, _purple in sorted(page.evaluate(SPELLED)):
        rows.setdefault(y, []).append(sign)
    said, read = (rows[y] for y in sorted(rows))
    assert "".join(read).startswith(text.letters[:45])
    assert "".join(said) == text.said[3:45]


# --- What each hand adds


@pytest.mark.parametrize("weights", ["as trained", "all alike"])
@pytest.mark.parametrize("offset", [2, 3, 47, 104])
def test_what_each_hand_adds(mount, weights, offset):
    """By the recorded heads; alike, each hand has the mean of all amplitudes, and points three back."""
    run = run_of("geometric", 3)
    omega = 10_000 ** (-np.arange(16) / 16)
    score = {
        "as trained": lambda back: (run.head * np.exp(1j * omega * back)).real.mean(0),
        "all alike": lambda back: abs(run.head).mean() * np.cos(omega * (back - 3)),
    }[weights]
    lead = (score(3) - score(offset)) / math.sqrt(32)
    page = mount(Votes(offset=offset, weights=weights))
    seen = values(page)
    np.testing.assert_allclose(seen["leads"], lead, atol=2e-3)
    told = page.locator(".note").inner_text()
    sums = [float(number.replace("\u2212", "-")) for number in re.findall(r"[\u2212\d.]+(?= of)", told)]
    np.testing.assert_allclose(sums, [lead[:2].sum(), lead[2:].sum()] if offset != 3 else [], atol=1.5e-2)
    assert seen["share"] == pytest.approx(math.exp(-lead.sum()), rel=0.02)


def test_the_score_of_a_head_is_what_its_weights_come_from():
    """What is left to the token 47 back is what it gets in the test, where the mean of all tokens says so."""
    weights = run_of("geometric", 3).weights.mean(0)[47]
    assert votes.beside("as trained", 47) == pytest.approx(weights[47] / weights[3], abs=0.1)


def test_no_hand_can_add_more_than_its_frame():
    for weights, head in Votes.constants["heads"].items():
        adds = np.array([votes.leads(weights, offset) for offset in range(128)])
        assert (adds.max(0) <= np.array(head["most"]) + 2e-3).all()


def test_why_the_slower_hands_do_not_save_it():
    run = run_of("geometric", 3)
    asked = questions.why_not_saved()
    sizes = abs(run.head)
    assert asked["answer"] == "the head listens to them too little"

    def lead(offset, hands):
        """Of 3 back over another token, by some of the hands of the mean head."""
        mean = run.head.mean(0) / np.sqrt(32)
        angles = [10_000 ** (-i / 16) for i in hands]
        return sum(
            (mean[i] * (np.exp(3j * angle) - np.exp(1j * offset * angle))).real
            for i, angle in zip(hands, angles, strict=True)
        )

    two, others = range(2), range(2, 16)
    least = min(lead(offset, range(16)) for offset in range(32) if offset != 3)
    # A hand adds most where it is opposite to where the mean head wants it.
    mean = run.head.mean(0)
    wants = (mean * np.exp(3j * 10_000 ** (-np.arange(16) / 16))).real
    possible = sum(abs(mean[i]) + wants[i] for i in others) / np.sqrt(32)
    assert lead(47, two) < 0.05, "next to nothing"
    assert (
        f"the other 14 only {lead(47, others):.1f}, though they could add up to {possible:.1f}"
        in asked["because"]
    )
    assert f"leads by at least {np.floor(10 * least) / 10:.1f} in" in asked["because"]
    assert lead(15, others) > lead(15, two), "where the hint goes"
    right = run.counts[0, :, 47] / run.counts[1, :, 47]
    np.testing.assert_allclose(right, run.weights[:, 47, 3], atol=0.025, err_msg="as often as its weight")
    assert np.mean(sizes[:, :2].sum(1) / sizes.sum(1)) > 0.5
    turns = 44 * 10_000 ** (-np.arange(16) / 16) / (2 * np.pi)
    assert (abs(turns - turns.round()) > 0.2).sum() == 5


def test_what_two_hands_say_is_not_told_before(mount):
    page = mount(Votes(offset=3, prediction=questions.why_not_saved()))
    assert "47" not in page.locator(".panel svg").text_content()
    assert page.locator(".panel svg path.hair.muted[d*=Z]").count() == 0, "no frames"
    page.locator(".asking [type=button]").click()
    page.evaluate("frames()")
    assert values(page)["offset"] == 47
    assert page.locator(".panel svg path.hair.muted[d*=Z]").count() == 16
