"""Predictions: an explorer that asks first, and answers by letting it happen."""

import builtins
import itertools
import math
import re

import pytest
from explorer_page import EMPTY, load, values
from harness import read_refused
from playwright.sync_api import expect

from wavebook import explorers
from wavebook.explorers import (
    BlockShift,
    Clock,
    ClosestPair,
    DistanceLaw,
    Rotary,
    SimilarityMatrix,
    ask,
    questions,
)

SOON = [{"position": 1, "seconds": 1}]
QUESTION = "How many of the four hands move by a degree or more?"


def hands(**changes):
    """A question about the clock."""
    options = {
        "options": {1: "one", 2: "two", 4: "all *four*"},
        "truth": 2,
        "because": "each is ten times slower than the one before",
        "tempting": {4: "All turn a < little."},
        "acts": [{"position": 1, "seconds": 1}],
    }
    return ask.choice(QUESTION, **options | changes)


def happens(*steps):
    """A question whose answer lets that happen."""
    return hands(acts=steps)


def offset(**changes):
    """A question about the law of distance, which leaves out its curves."""
    options = {"truth": 1000, "low": 10, "high": 1e5, "log": True, "step": 0.01, "unit": "positions"}
    options |= {"because": "distance is logarithmic.", "tempting": {"low": "As far again is not enough."}}
    options |= {"hides": ["beyond", "numbers"], "acts": [{"offset": [10, 1000], "seconds": 1}]}
    return ask.number("How far apart must they be?", **options | changes)


def rise(**changes):
    """A question about the law of distance that is answered with a curve."""
    options = {"truth": [(0, 0), (1, 1), (2, 4)], "places": [0, 1, 2], "names": ("time *t*", "way")}
    options |= {"low": 0, "high": 8, "answer": "a square", "because": "the speed grows"}
    options |= {"tempting": {"high": "It begins slowly."}}
    return ask.curve("How does it rise?", **options | changes)


# --- Python


@pytest.mark.parametrize(("call", "error", "words"), read_refused("questions"))
def test_bad_questions_are_refused(call, error, words):
    named = {name: getattr(explorers, name) for name in explorers.__all__}
    with pytest.raises(getattr(builtins, error), match=words):
        eval(call, named | globals())


def test_the_answer_is_the_computed_truth():
    assert hands()["answer"] == "two"
    assert hands(truth=1, tempting=None)["answer"] == "one"
    assert offset(truth=1234.5)["answer"] == "1,230 positions"
    assert offset()["near"] == pytest.approx([1000 / 1.1, 1100])
    assert (
        ask.number("How many?", truth=-3, low=-10, high=10, unit="°", because="x", acts=SOON)["answer"]
        == "\u22123°"
    )
    assert ask.number("How many?", truth=3, low=0, high=10, because="x", acts=SOON)["near"] == [2, 4]


def test_paper_gets_the_question_and_its_answer():
    printed = hands()["printed"]
    assert QUESTION in printed
    assert "one; two; all <em>four</em>?" in printed
    assert "Two. Each is ten times slower than the one before.<" in printed


# --- In a browser: a page with an address, for a page without one keeps nothing

URL = "http://posenc.test/"


@pytest.fixture
def ask_in_page(browser):
    """A function that shows an explorer with its question, on a page that can be loaded again."""
    contexts, complaints = [], []

    def asked(explorer, *, clock=False, **options):
        options = {"viewport": {"width": 800, "height": 900}, "reduced_motion": "reduce"} | options
        context = browser.new_context(**options)
        contexts.append(context)
        context.route("**/*", lambda route: route.fulfill(body=EMPTY, content_type="text/html"))
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if clock:
            page.clock.install(time=0)
            page.clock.pause_at(1)
        return load(page, explorer, URL)

    yield asked
    for context in contexts:
        context.close()
    assert not complaints


def is_asking(page):
    """Check that the question is open, the figure there but for what would answer it; the controls wait."""
    expect(page.locator("[data-prediction]")).to_have_attribute("data-state", "asking")
    figure = "sketch" if page.locator(".sketch").count() else "panels"  # what is sketched has no second axes
    for name in (figure, "note", "controls"):
        for part in page.locator(f".{name}").all():
            assert part.is_visible() == (name == figure), name
            assert (part.get_attribute("data-veiled") is not None) == (name == "note"), name
    assert page.locator(".controls").evaluate("form => form.inert")
    expect(page.locator(SAID)).to_be_empty()
    expect(page.locator(".printed")).to_be_hidden()
    reached = """() => { const [input] = root.querySelectorAll('.controls input');
        input.focus(); return document.activeElement === input; }"""
    assert not page.evaluate(reached)


def is_answered(page, said):
    """Check that everything is in sight, and what was said."""
    expect(page.locator("[data-prediction]")).to_have_attribute("data-state", "answered")
    assert page.locator("[data-veiled]").count() == 0
    for part in page.locator(".controls, .panels, .note").all():
        assert part.is_visible()
    assert not page.locator(".controls").evaluate("form => form.inert")
    expect(page.locator(SAID)).to_have_text(said)


SAID = "[role=status]"
TRUTH = "Two. Each is ten times slower than the one before."


def test_a_wrong_choice_is_told_what_it_is_and_why(ask_in_page):
    page = ask_in_page(Clock(position=0, prediction=hands()))
    is_asking(page)
    page.get_by_label("all four").check()
    is_asking(page)  # chosen, and not yet said
    page.get_by_role("button", name="Answer").click()
    is_answered(page, f"You said all four. All turn a < little. {TRUTH}")
    assert page.locator(".right").text_content() == "two"
    assert page.evaluate("model.get('position')") == 1


def test_a_right_choice_and_show_me(ask_in_page):
    page = ask_in_page(Clock(position=0, prediction=hands()))
    page.get_by_label("two").check()
    page.get_by_role("button", name="Answer").click()
    is_answered(page, "You said two, and that is right. Each is ten times slower than the one before.")
    page.get_by_role("button", name="Ask me again").click()
    is_asking(page)
    assert page.evaluate("model.get('position')") == 0
    assert page.locator("input:checked, .right").count() == 0
    page.get_by_role("button", name="Show me").click()
    is_answered(page, TRUTH)


def test_what_is_free_moves_before_the_answer(ask_in_page):
    free = hands().meanwhile(["position"], "First turn it.")
    page = ask_in_page(Clock(position=0, prediction=free))
    block, slider = page.locator("[data-prediction]"), page.get_by_role("slider", name="position p")
    expect(page.locator(".asking")).to_contain_text("First turn it.")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    assert page.evaluate("model.get('position')") == 2
    expect(block).to_have_attribute(STATE[0], "asking")
    others = page.locator(".controls > *:not(:has([name=position]))")
    assert others.count() > 1
    assert not any(one.is_visible() for one in others.all())
    moved = page.evaluate(
        "[...root.querySelectorAll('.grip')].flatMap((one) => one.dataset.moves.split(' '))"
    )
    assert set(moved) == {"position"}
    page.get_by_role("button", name="Show me").click()
    is_answered(page, TRUTH)
    assert page.evaluate("model.get('position')") == 1, "what happens begins where the question does"
    assert all(one.is_visible() for one in others.all())
    page.get_by_role("button", name="Ask me again").click()
    assert not others.first.is_visible()
    with pytest.raises(ValueError, match=r"free must name any of position, .*, got 'speed'"):
        Clock(prediction=hands().meanwhile(["speed"], "It moves."))


STATE = ("data-state", "acting")


@pytest.fixture
def acting(ask_in_page):
    """A clock whose position goes from 0 to 10 on "Show me", on its way."""
    page = ask_in_page(
        Clock(position=0, prediction=happens({"position": 10, "seconds": 2, "even": True})),
        reduced_motion="no-preference",
        clock=True,
    )
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("[data-prediction]")).to_have_attribute(*STATE)
    page.clock.run_for(1130)
    expect(page.locator("[data-prediction]")).to_have_attribute(*STATE)
    shown = page.evaluate("JSON.parse(root.dataset.values).position")
    assert 4 < shown < 7
    assert shown % 1, "between whole positions"
    assert page.evaluate("model.get('position')") == round(shown), "its slider and its kernel have whole ones"
    return page


def test_escape_goes_to_the_end(acting):
    acting.keyboard.press("Escape")
    is_answered(acting, TRUTH)
    assert acting.evaluate("model.get('position')") == 10


def test_a_hand_on_a_control_takes_over(acting):
    slider = acting.get_by_role("slider", name="position p")
    slider.focus()
    slider.press("ArrowRight")
    is_answered(acting, TRUTH)
    reached = acting.evaluate("model.get('position')")
    assert 5 <= reached <= 9
    acting.clock.run_for(3000)
    assert acting.evaluate("model.get('position')") == reached, "it is the reader's"
    acting.get_by_role("button", name="Watch again").click()
    expect(acting.locator("[data-prediction]")).to_have_attribute(*STATE)
    acting.clock.run_for(2100)
    is_answered(acting, TRUTH)
    assert acting.evaluate("model.get('position')") == 10


def test_a_hand_on_the_figure_takes_over(acting):
    box = acting.locator(".panels").bounding_box()
    acting.mouse.click(box["x"] + 2, box["y"] + 2)
    is_answered(acting, TRUTH)
    assert 4 <= acting.evaluate("model.get('position')") <= 8


def test_taking_it_away_leaves_the_end(acting):
    acting.evaluate("cleanup()")
    assert acting.evaluate("model.get('position')") == 10


def test_a_notebook_keeps_a_setting_that_was_made_since(ask_in_page):
    """The question is about another one; and what was answered is not answered by moving it back."""
    explorer = Clock(position=0, prediction=hands())
    page = ask_in_page(explorer)
    explorer.position = 30
    load(page, explorer, URL)
    is_answered(page, TRUTH)
    assert page.evaluate("model.get('position')") == 30
    page.get_by_role("button", name="Ask me again").click()
    is_asking(page)
    assert page.evaluate("model.get('position')") == 0


def test_a_place_is_answered_by_moving_the_marker(ask_in_page):
    explorer = SimilarityMatrix(prediction=questions.same_similarity(12, 32, 64))
    page = ask_in_page(explorer)
    why = "Wherever two positions are 20 apart. One rotation takes"
    block, colors = page.locator("[data-prediction]"), page.locator("canvas")
    expect(block).to_have_attribute("data-state", "asking")
    assert not colors.is_visible()
    assert not page.locator(".note").is_visible()
    strip = page.locator("svg rect.plain")
    assert strip.count() == 8 * 64, "eight rows of the map, so that there is something to see"
    tops = "cells => cells.map((cell) => Number(cell.getAttribute('y')))"
    colored = set(strip.evaluate_all(tops))
    assert len(colored) == 8
    steps = [below - top for top, below in itertools.pairwise(sorted(colored))]
    assert steps == pytest.approx([steps[0]] * 7, abs=0.2)

    def labels():
        return " ".join(image.get_attribute("aria-label") for image in page.get_by_role("img").all())

    assert "0.59" not in labels()
    assert "The row of position 12" in labels()

    page.get_by_role("slider", name="position p").press("ArrowRight")  # by keyboard, and wrong
    expect(page.get_by_role("img").first).to_have_attribute("aria-label", re.compile("row of position 13"))
    assert "The row of position 12" in labels(), "another row would say where it is the same"
    assert set(strip.evaluate_all(tops)) == colored
    page.get_by_role("button", name="Answer").press("Enter")
    told = page.locator("[role=status]")
    expect(told).to_contain_text(
        f"You said p = 13, q = 32. Both row and column had to change, and the similarity had to stay. {why}"
    )
    assert colors.is_visible()
    expect(strip).to_have_count(0)
    assert "0.59" in labels()
    place = "[model.get('p'), model.get('q')]"
    right = explorer.prediction["right"]
    assert page.evaluate(place) in right, "the marker has gone there"
    load(page, explorer, URL)
    expect(told).to_contain_text("You said p = 13, q = 32.")
    assert page.evaluate(place) in right

    page.get_by_role("button", name="Ask me again").press("Enter")
    expect(block).to_have_attribute("data-state", "asking")
    assert page.evaluate(place) == [12, 32]
    box = page.locator("svg").first.bounding_box()  # by hand, and right
    side = box["height"] - 24 - 40
    at = [box["x"] + 30 + (20 + 0.5) * side / 64, box["y"] + 24 + (40 + 0.5) * side / 64]
    page.mouse.click(*at)
    page.get_by_role("button", name="Answer").click()
    expect(told).to_contain_text("You said p = 40, q = 20, and that is right. " + why)
    page.get_by_role("button", name="Ask me again").click()
    page.get_by_role("button", name="Show me").click()
    expect(told).to_contain_text(re.compile("^" + why))


def heights(page):
    """The heights of a sketch's handles."""
    return page.evaluate("[...root.querySelectorAll('.sketch input')].map((input) => Number(input.value))")


def test_a_curve_is_sketched_with_keys(ask_in_page):
    explorer = DistanceLaw(prediction=rise())
    page = ask_in_page(explorer)
    is_asking(page)
    curve = page.locator(".sketch svg")
    expect(curve).to_have_attribute("aria-label", "Your sketch of the way: 4 at 0, 4 at 1, 4 at 2.")
    for keys in (["Home"], ["ArrowDown"] * 3, ["ArrowUp"]):
        page.keyboard.press("Tab")
        for key in keys:
            page.keyboard.press(key)
    expect(page.get_by_role("slider", name="way at time t 2")).to_be_focused()
    assert page.locator(".sketch circle").count() == 3 + 1, "the handle in hand has a ring"
    assert heights(page) == [0, 1, 5]
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    is_answered(
        page,
        "You drew a curve that is off by 0.33 on average, which is close. A square. The speed grows.",
    )
    expect(curve).to_have_attribute(
        "aria-label", "Your sketch of the way: 0 at 0, 1 at 1, 5 at 2. Computed: 0 at 0, 1 at 1, 4 at 2."
    )
    assert page.locator(".sketch input").first.is_disabled()
    load(page, explorer, URL)  # remembered, with what was drawn
    is_answered(page, re.compile("^You drew a curve that is off by 0.33"))
    assert heights(page) == [0, 1, 5]
    page.get_by_role("button", name="Ask me again").click()
    is_asking(page)
    assert heights(page) == [4, 4, 4]
    expect(curve).not_to_have_attribute("aria-label", re.compile("Computed"))
    page.get_by_role("button", name="Show me").click()
    is_answered(page, "A square. The speed grows.")
    expect(curve).to_have_attribute("aria-label", " Computed: 0 at 0, 1 at 1, 4 at 2.")


@pytest.mark.parametrize("width", [800, 360])
def test_a_curve_is_sketched_with_one_stroke(ask_in_page, width):
    page = ask_in_page(DistanceLaw(prediction=rise()))
    page.set_viewport_size({"width": width, "height": 740})
    page.evaluate("frames()")
    tops = {label: page.locator(f".sketch text:text-is('{label}')").last.bounding_box() for label in (0, 8)}
    floor, ceiling = (tops[label]["y"] + tops[label]["height"] / 2 for label in (0, 8))
    dots = [dot.bounding_box() for dot in page.locator(".sketch circle").all()]
    across = [dot["x"] + dot["width"] / 2 for dot in dots]
    page.mouse.move(across[0], floor)
    page.mouse.down()
    page.mouse.move(across[2], ceiling)  # the handle in the middle is passed, and comes along
    page.mouse.up()
    page.mouse.move(across[0], ceiling)  # the pen is up
    assert heights(page) == [0, 4, 8]
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("[role=status]")).to_contain_text("mostly too high. It begins slowly. A square.")
    page.mouse.click(across[0], ceiling)
    assert heights(page) == [0, 4, 8], "what was said is said"


def test_nothing_is_said_by_pressing_answer_alone(ask_in_page):
    page = ask_in_page(Clock(position=0, prediction=hands()))
    page.get_by_role("button", name="Answer").click()
    is_asking(page)


@pytest.mark.parametrize(
    ("presses", "said"),
    [
        ("", "You said 1,000 positions, and that is right. Distance"),
        (
            "Home",
            "You said 10 positions, which is too low. As far again is not enough. 1,000 positions.",
        ),
        ("End", "You said 100,000 positions, which is too high. 1,000 positions. Distance"),
    ],
)
def test_a_number_by_its_slider(ask_in_page, presses, said):
    page = ask_in_page(DistanceLaw(prediction=offset()))
    is_asking(page)
    slider = page.locator(".prediction").get_by_role("slider")
    if presses:
        slider.press(presses)
    expect(slider).to_have_attribute("aria-valuetext", re.search(r"said (.*?),? (which|and)", said)[1])
    page.get_by_role("button", name="Answer").click()
    is_answered(page, re.compile(re.escape(said)))
    expect(page.locator(".prediction input")).to_be_disabled()


def test_keys_alone(ask_in_page):
    page = ask_in_page(Clock(position=0, prediction=hands()))
    reached = []
    for key in ("Tab", "ArrowDown", "Tab", "Shift+Tab", "Enter"):
        page.keyboard.press(key)
        reached.append(page.evaluate("document.activeElement.closest('.prediction') !== null"))
    assert all(reached)
    is_answered(page, re.compile("^You said two, and that is right"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Watch again"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Ask me again"
    page.keyboard.press("Enter")
    is_asking(page)
    assert page.evaluate("document.activeElement.type") == "radio"
    for key in ("Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    is_answered(page, TRUTH)
    for _ in range(3):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "position", "on to the explorer"


@pytest.mark.parametrize("act", ["two", "Show me"])
def test_a_reader_who_returns_is_not_asked_twice(ask_in_page, act):
    explorer = Clock(position=0, prediction=hands())
    page = ask_in_page(explorer)
    if act == "Show me":
        page.get_by_role("button", name=act).click()
    else:
        page.get_by_label(act).check()
        page.get_by_role("button", name="Answer").click()
    said = page.locator("[role=status]").inner_text()
    load(page, explorer, URL)
    is_answered(page, said)
    assert page.evaluate("atOnce") == 1
    load(page, Clock(position=0, prediction=hands(options={1: "a", 2: "b"}, tempting=None)), URL)
    if act == "two":  # what was said is no answer any more
        is_asking(page)
    load(page, explorer, URL)
    page.get_by_role("button", name="Ask me again").click()
    load(page, explorer, URL)
    is_asking(page)


def test_where_nothing_is_kept_it_works_all_the_same(ask_in_page):
    page = ask_in_page(Clock(position=0, prediction=hands()))
    load(page, Clock(position=0, prediction=hands()), "about:blank")
    assert page.evaluate("try { localStorage; 'kept' } catch { 'refused' }") == "refused"
    is_asking(page)
    page.get_by_role("button", name="Show me").click()
    is_answered(page, TRUTH)


def test_what_is_shown_cannot_be_moved_while_the_question_is_open(ask_in_page):
    page = ask_in_page(Clock(position=0, prediction=hands()))
    panels = page.locator(".panels")
    assert panels.evaluate("panels => getComputedStyle(panels).pointerEvents") == "none"
    page.get_by_role("button", name="Show me").click()
    assert panels.evaluate("panels => getComputedStyle(panels).pointerEvents") == "auto"


@pytest.mark.parametrize("answered", [False, True])
def test_on_paper_nothing_is_left_out(ask_in_page, answered):
    page = ask_in_page(Clock(position=0, prediction=hands()))
    if answered:
        page.get_by_role("button", name="Show me").click()
    page.emulate_media(media="print")
    assert page.locator(".note").first.is_visible()
    assert page.locator(".controls").is_visible()
    expect(page.locator("[data-veiled]")).to_have_count(0)  # it hears of paper in its own time
    printed = page.locator(".prediction").inner_text()
    assert QUESTION in printed
    assert TRUTH in printed
    assert "Show me" not in printed
    assert "Ask me again" not in printed


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("make", [hands, offset, rise])
def test_a_question_fits_a_phone(ask_in_page, make, scheme):
    explorer = Clock(position=0, prediction=make()) if make is hands else DistanceLaw(prediction=make())
    page = ask_in_page(explorer, has_touch=True, is_mobile=True, color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 740})
    page.evaluate("frames()")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for target in page.locator(":is(.option, .asking button, .prediction input[type=range])").all():
        assert target.bounding_box()["height"] >= 44
    height = page.evaluate("root.querySelector('.panels').offsetHeight")
    page.get_by_role("button", name="Show me").click()
    kept = page.evaluate("root.querySelector('.panels').offsetHeight") == height
    assert kept or make is rise, "the picture keeps its room"


def test_a_phone_keeps_the_question_above_its_answer_and_one_row_of_controls(ask_in_page):
    page = ask_in_page(Rotary(prediction=questions.both_move_on()), has_touch=True, is_mobile=True)
    page.set_viewport_size({"width": 360, "height": 500})
    page.get_by_role("button", name="Show me").tap()
    expect(page.locator(SAID)).to_contain_text("encodings added.")
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("frames(4)")
    question, told = page.locator("legend").bounding_box(), page.locator(".answered").bounding_box()
    assert question["y"] + question["height"] <= told["y"]
    expect(page.locator(".guesses .option").filter(visible=True)).to_have_count(0)
    tops = [one.bounding_box()["y"] for one in page.locator(".controls input").all()]
    assert [top < 500 for top in tops] == [True, False, False]
    page.locator("[name=frequency]").focus()
    page.keyboard.press("ArrowRight")
    page.evaluate("frames(4)")
    box = page.locator("[name=frequency]").bounding_box()
    assert 0 < box["y"] < box["y"] + box["height"] <= 500, "what has the focus is in sight"


def test_the_plot_is_of_the_offset_that_was_asked_about_until_the_query_moves(ask_in_page):
    explorer = Rotary(p=60, q=60, prediction=questions.key_moves_back(60, 18))
    page = ask_in_page(explorer)
    plot = page.locator("svg").nth(1)
    assert plot.locator("path.thick").get_attribute("d").count("L") <= 1, "nothing is told yet"
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(SAID)).to_contain_text("again and again.")
    load(page, Rotary(p=60, q=18, prediction=explorer.prediction), URL)  # nor does coming back change it
    expect(plot).to_have_attribute("aria-label", re.compile("against the offset. At 42 "))
    drawn = plot.locator("path.thick").get_attribute("d")[1:].split("L")
    heights = [-float(point.split()[1]) for point in drawn]
    turn = complex(0.94, 0.34) * complex(0.36, -0.77)
    scores = [
        (turn * complex(math.cos(0.05 * n), math.sin(0.05 * n))).real for n in range(601)
    ]  # six a position
    assert len(heights) == len(scores)
    unit = (max(heights) - min(heights)) / (max(scores) - min(scores))
    assert heights == pytest.approx([heights[0] + unit * (score - scores[0]) for score in scores], abs=0.2)
    page.locator("[name=q]").press("ArrowLeft")
    expect(plot).to_have_attribute("aria-label", re.compile("against the offset. At 43 "))
    page.get_by_role("button", name="Move both").press("Enter")
    expect(plot).to_have_attribute("aria-label", re.compile("both positions move on with 43 between"))


def test_what_was_asked_with_is_gone_when_it_is_answered(ask_in_page):
    page = ask_in_page(DistanceLaw(d_model=512, prediction=offset()))
    guess = page.locator("[name=guess]")
    expect(guess).to_be_visible()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(SAID)).to_contain_text("1,000 positions.")
    expect(guess).to_be_hidden()
    page.get_by_role("button", name="Ask me again").click()
    expect(guess).to_be_visible()


def test_an_answer_leaves_a_dot_at_each_offset_however_few_frames_there_are(ask_in_page):
    page = ask_in_page(ClosestPair(prediction=questions.nearer_than_neighbors(8)))
    bound = page.get_by_text("guaranteed", exact=True)
    expect(bound).to_have_count(0)  # it is explained below the question
    dots = page.locator("svg path.muted[style*='3.6px']")
    assert dots.get_attribute("d").count("h0") == 1
    page.get_by_role("button", name="Show me").click()  # with reduced motion, at its end at once
    expect(page.locator("[data-prediction]")).to_have_attribute("data-state", "answered")
    assert dots.get_attribute("d").count("h0") == page.evaluate("model.get('offset')") == 63
    expect(bound).to_have_count(1)
    page.locator("[name=offset]").fill("500")
    page.evaluate("frames()")
    assert dots.get_attribute("d").count("h0") == 63 + 1, "what the reader tries is alone"


def test_an_answer_that_is_played_is_one_move(ask_in_page):
    """T(5) becomes T(-5): the cosines stay, and the sines change their signs."""
    shift = BlockShift(beside="eigenvalues", prediction=questions.turned_back(8, 5))
    page = ask_in_page(shift, reduced_motion="no-preference", clock=True)
    page.get_by_role("button", name="Show me").click()
    page.clock.run_for(4000)
    expect(page.locator("[data-prediction]")).to_have_attribute("data-state", "answered")
    assert page.evaluate("model.get('offset')") == -5
    assert values(page)["changed"] == {"matrix": 8, "column": 0}
    page.locator("input[name=offset]").press("ArrowRight")
    page.clock.run_for(100)
    assert values(page)["changed"] == {"matrix": 16, "column": 0}, "the next is another"


def test_a_drag_over_a_figure_that_waits_selects_nothing(ask_in_page):
    page = ask_in_page(Clock(prediction=hands()))
    box = page.locator(".panels").bounding_box()
    page.mouse.move(box["x"] + box["width"] - 20, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 20, box["y"] + 10, steps=5)
    page.mouse.up()
    assert page.evaluate("getSelection().toString()") == ""


def test_cleanup_leaves_nothing_of_the_question(ask_in_page):
    page = ask_in_page(Clock(prediction=hands()))
    page.evaluate("cleanup()")
    assert page.evaluate("host.children.length") == 0
