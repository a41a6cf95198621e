"""The machine: what it says is what Python computes, it moves when it may, and what is held goes along."""

import numpy as np
import pytest
from explorer_page import empty_page, show, values
from playwright.sync_api import expect
from test_explorer_drags import DESK, PHONE, Finger, Mouse, drag

from posenc import positional_encoding, wavelengths
from wavebook.experiments import cliff
from wavebook.explorers import Machine, machine, questions
from wavebook.models import models, waves

FREE = {"reduced_motion": "no-preference"}


def test_it_states_what_python_computes(mount):
    seen = values(mount(Machine(position=123, d_model=6, base=500)))
    np.testing.assert_allclose(np.ravel(seen["pairs"]), positional_encoding([123], 6, 500)[0], atol=1e-5)
    np.testing.assert_allclose(seen["wavelengths"], wavelengths(6, 500), rtol=1e-5)


def test_a_cell_is_filled_up_or_down_from_its_middle(mount):
    """As far as its number goes; and beside the last one is its scale."""
    page = mount(Machine(position=7, d_model=4, base=100))
    cells = page.evaluate("""[...root.querySelectorAll('g[data-symbol="PE d"]')].map((cell) => {
        const [a, b] = [0, 1].map((n) => cell.children[n].getBBox());
        return [b.y + b.height / 2 - (a.y + a.height / 2), a.height / b.height]; })""")
    shown = [2 * np.sign(up) * part for up, part in cells]
    np.testing.assert_allclose(shown, positional_encoding([7], 4, 100)[0], atol=2e-3)
    ends = page.evaluate("""() => {
        const cell = [...root.querySelectorAll('g[data-symbol="PE d"]')].at(-1).children[1].getBBox();
        return [...root.querySelectorAll("svg > text")]
            .filter((text) => /^(1|0|\u22121)$/.test(text.textContent) && text.classList.contains("small"))
            .map((text) => [text.textContent, (text.getAttribute("y") - 4 - cell.y) / cell.height]); }""")
    assert [words for words, _ in ends] == ["\u22121", "0", "1"]
    np.testing.assert_allclose([place for _, place in ends], [1, 0.5, 0], atol=0.02)


#: By the name that it has here, what layers of the model do.
KINDS = {
    machine.MODELS[name]: kind
    for model in models()
    for layers, kind in model.kinds.items()
    if (name := f"{model.name}, {layers}" if layers else model.name) in machine.MODELS
}


@pytest.mark.parametrize("whose", machine.MODELS.values())
def test_the_hands_are_those_of_the_model(mount, whose):
    """From its configuration: their speeds, those that never come round, and those that stand still."""
    kind = KINDS[whose]
    page = mount(Machine(position=123, whose=whose))
    seen, said = values(page), page.locator(".note.words").inner_text()
    each, rest = waves(kind), kind.head_dim // 2 - len(waves(kind))
    np.testing.assert_allclose(
        seen["wavelengths"], each[np.linspace(0, len(each) - 1, 5).round().astype(int)], rtol=1e-5
    )
    turns = 2 * np.pi * 123 / np.array(seen["wavelengths"])
    np.testing.assert_allclose(seen["pairs"], np.transpose([np.sin(turns), np.cos(turns)]), atol=1e-3)
    assert f"5 of its {len(each)} hands" in said
    assert (f"{rest} more stand still" in said) == (rest > 0 and whose != "first Transformer")
    context = kind.extended_length or kind.trained_length
    late = (each > (context or np.inf)).sum()
    assert ("never come round" in said) == (late > 0)
    assert not late or f"In the {context:,} tokens that it reads, {late} never come round" in said
    assert ("turns queries and keys" in said) == (whose != "first Transformer")


@pytest.mark.parametrize("width", [360, 1240])
@pytest.mark.parametrize("whose", machine.MODELS.values())
def test_a_row_says_how_long_its_turn_is_to_the_last_digit(mount, whose, width):
    """By the exact frequency: 60,611 positions, 20,473,564; on a phone below a heading."""
    page = mount(Machine(position=5, whose=whose), viewport={"width": width, "height": 800})
    each = waves(KINDS[whose])
    asked = each[np.linspace(0, len(each) - 1, 5).round().astype(int)]
    digits = [1 if wave < 100 else 0 for wave in asked]
    turns = [f"{wave:,.{n}f}".removesuffix(".0") for wave, n in zip(asked, digits, strict=True)]
    names = page.locator(".panel svg text.muted.clear").all_text_contents()
    if width == 360:
        assert names == turns
        assert page.locator(".panel svg text", has_text="one turn in").count() == 1
    else:
        assert names == [f"one turn in {turns[0]} positions", *(f"in {turn}" for turn in turns[1:])]
    heads = page.locator(".panel svg text", has_text="hands")
    assert heads.all_text_contents() == ["hands"]


def test_the_small_transformer_turns_the_hands_that_it_was_trained_with(mount):
    """The fastest of them; after 44 steps two are nearly back, as they never are within its training."""
    page = mount(Machine(position=44, whose=machine.SMALL), reduced_motion="reduce")
    seen, said = values(page), page.locator(".note.words").inner_text()
    run = cliff.load().run("back", "RoPE", back=3, spectrum="geometric")
    np.testing.assert_allclose(seen["wavelengths"], 2 * np.pi / run.omega[:5], rtol=1e-5)
    assert f"The 5 fastest of its {run.omega.size} hands" in said
    steps = run.mean_break - run.setting.back
    assert (steps, f"from 0 to {steps}: which" in said) == (machine.RETURN, True)
    upright = np.array(seen["pairs"])[:2, 1].sum()
    assert upright > np.cos(np.outer(np.arange(1, run.setting.trained), run.omega[:2])).sum(1).max()


def test_keys_choose_whose_hands_turn_and_a_question_keeps_its_own(mount):
    page = mount(Machine(position=10), reduced_motion="reduce")
    before = values(page)["wavelengths"]
    assert "10 numbers" in page.locator(".note.words").inner_text()
    page.get_by_role("radio", name="example").press("ArrowRight")
    page.evaluate("frames()")
    assert values(page)["whose"] == machine.SMALL
    assert values(page)["wavelengths"] != before
    assert page.locator(".panel svg").get_attribute("aria-label").startswith("5 hands at position 10")
    page.get_by_role("radio", name=machine.SMALL).press("ArrowLeft")
    page.evaluate("frames()")
    assert values(page)["wavelengths"] == before
    asked = questions.hands(8, 24)
    others = (
        Machine(prediction=asked, d_model=8, position=24, base=10_000),
        Machine(show="compare"),
        Machine(d_model=2),
    )
    for other in others:
        assert mount(other).get_by_role("radio", name="Qwen3").count() == 0


#: The lines at the whole tens, and the numbers below them, across.
TENS = """() => {
    const [ticks, texts] = ["path", "text"].map((tag) => [...root.querySelectorAll(`svg > ${tag}`)]);
    const foot = Math.max(...texts.map((text) => Number(text.getAttribute("y")))) - 40;
    const at = ticks.map((tick) => tick.getAttribute("d")
        .match(/^M([\\d.]+) ([\\d.]+)L([\\d.]+) ([\\d.]+)$/));
    return [at.filter((d) => d && d[1] === d[3] && Number(d[2]) > foot && d[4] - d[2] === 5)
        .map((d) => Number(d[1])),
        texts.filter((text) => /^\\d+$/.test(text.textContent) && text.matches(".muted:not(.small, .clear)"))
            .map((text) => Number(text.getAttribute("x"))),
        Number(root.querySelector("text.big").getAttribute("x"))];
}"""


@pytest.mark.parametrize("width", [360, 1240])
@pytest.mark.parametrize("position", [60, 63, 65, 69, 140])
def test_a_ten_has_its_number_up_to_that_of_the_cursor(mount, position, width):
    page = mount(Machine(position=position), viewport={"width": width, "height": 800})
    ticks, numbers, here = page.evaluate(TENS)
    assert ticks
    assert set(numbers) == {x for x in ticks if 18 < x < here - 44}


@pytest.mark.parametrize(("position", "offset"), [(62, 5), (62, -5), (3, 17), (900, 0)])
def test_two_positions_have_a_dot_product_that_the_offset_alone_decides(mount, position, offset):
    machine = Machine(show="compare", position=position, offset=offset, d_model=8, base=10_000)
    seen = values(mount(machine))
    here, there = positional_encoding([500, 500 + abs(offset)], 8, 10_000)
    assert seen["second_position"] == position + offset
    assert seen["dot_product"] == pytest.approx(here @ there, rel=1e-5)
    assert sum(seen["cosines"]) == pytest.approx(seen["dot_product"], rel=1e-4)


def test_what_is_shown_stays(mount):
    machine = Machine(show="compare")
    with pytest.raises(ValueError, match="show cannot be changed, got 'waves'"):
        machine.show = "waves"


def position(page):
    return values(page)["position"]


def test_it_begins_at_its_place_and_drifts_on(mount):
    page = mount(Machine(position=40), **FREE)
    assert page.evaluate("first.position") == pytest.approx(40, abs=1), "its waves are drawn at once"
    page.wait_for_function("JSON.parse(root.dataset.values).position > 43")
    before, drawn = page.evaluate("[JSON.parse(root.dataset.values).position, host.drawn]")
    page.evaluate("frames(5)")
    assert position(page) > before
    assert page.evaluate("host.drawn") > drawn
    assert page.evaluate("model.get('position')") == pytest.approx(position(page), abs=1.5)
    # Pressed, it comes to rest at a whole position, and draws no more.
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function("JSON.parse(root.dataset.values).position % 1 === 0")
    page.evaluate("frames(3)")
    drawn = page.evaluate("host.drawn")
    page.evaluate("frames(5)")
    assert page.evaluate("host.drawn") == drawn
    assert page.evaluate("model.get('position')") == position(page)


def test_the_answer_says_how_far_a_step_turns_each_hand(mount):
    asked = questions.hands(8, 24)
    page = mount(Machine(position=24, d_model=8, base=10_000, prediction=asked), reduced_motion="reduce")
    turns = page.locator(".panel svg text", has_text="°")
    assert turns.count() == 0
    page.get_by_role("button", name="Show me").click()
    expect(turns).to_have_text([f"+{np.degrees(10.0**-i):.2g}°" for i in range(4)])
    assert page.locator(".panel svg .wash").count() == 4
    page.get_by_role("button", name="Ask me again").click()
    expect(turns).to_have_count(0)
    assert mount(Machine(position=24, d_model=8)).locator(".panel svg .wash").count() == 0, "nothing is asked"


def test_a_slider_stops_it(mount):
    page = mount(Machine(), **FREE)
    page.locator("input[name=position]").press("End")
    page.evaluate("frames(3)")
    drawn = page.evaluate("host.drawn")
    page.evaluate("frames(5)")
    assert (position(page), page.evaluate("host.drawn")) == (1000, drawn)


def test_played_from_the_end_it_begins_anew(mount):
    page = mount(Machine(position=1000))
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("model.get('position') < 100")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def test_nothing_moves_by_itself_where_the_reader_wants_less_motion(mount):
    page = mount(Machine(), reduced_motion="reduce")
    assert position(page) == 62
    page.evaluate("frames(5)")
    assert page.evaluate("host.drawn") == 1


def test_what_is_out_of_sight_does_not_move(mount):
    page = mount(Machine(), **FREE)
    page.evaluate("root.before(Object.assign(document.createElement('p'), { style: 'height: 3000px' }))")
    # The browser says in its own time what is in sight.
    assert page.evaluate("""async () => {
        for (let wait = 0; wait < 600; wait += 1) {
            const drawn = host.drawn;
            await frames(4);
            if (host.drawn === drawn) return true;
        }
        return false; }""")
    drawn = page.evaluate("host.drawn")
    page.evaluate("root.scrollIntoView()")
    page.wait_for_function("(drawn) => host.drawn > drawn", arg=drawn)


def test_of_all_that_a_busy_browser_tells_at_once_the_last_counts(browser):
    complaints = []
    page = empty_page(browser, complaints, **FREE)
    page.add_init_script("""window.IntersectionObserver = class {
        constructor(tell) { this.tell = tell; }
        observe() { setTimeout(() => this.tell([{ isIntersecting: true }, { isIntersecting: false }])); }
        disconnect() {}
    };""")
    show(page, Machine())
    page.evaluate("frames(5)")
    drawn = page.evaluate("host.drawn")
    page.evaluate("frames(5)")
    assert page.evaluate("host.drawn") == drawn
    assert not complaints
    page.close()


# Where the waves, or a hand, can be held, in pixels of the window.
MIDDLE = """(part) => {
    const { left, top, width, height } = root.querySelector(`[data-${part}]`).getBoundingClientRect();
    return [left + width / 2, top + height / 2, width, height];
}"""


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["mouse", "finger"])
@pytest.mark.parametrize("show", ["waves", "compare"])
def test_the_waves_go_along(mount, show, options):
    page = mount(Machine(show=show), reduced_motion="reduce", **options)
    page.evaluate("root.scrollIntoView()")
    x, y, *_ = page.evaluate(MIDDLE, "waves")
    start = np.array([x - 60, y])
    drag(Finger(page) if options is PHONE else Mouse(page), start, start - [52, 0])
    page.wait_for_function("""() => {
        const { position } = JSON.parse(root.dataset.values);
        return position > 62 && position % 1 === 0 && position === model.get('position');
    }""")
    assert page.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["mouse", "finger"])
def test_a_hand_is_turned(mount, options):
    page = mount(Machine(), reduced_motion="reduce", **options)
    page.evaluate("root.scrollIntoView()")
    x, y, *_ = page.evaluate(MIDDLE, "hand='4'")
    # A quarter of a turn of the slowest hand, clockwise from its top.
    drag(Finger(page) if options is PHONE else Mouse(page), np.array([x, y - 20]), np.array([x + 20, y]))
    page.wait_for_function("JSON.parse(root.dataset.values).position % 1 === 0")
    assert position(page) == pytest.approx(62 + wavelengths(10, 100)[-1] / 4, abs=1)


def test_escape_gives_back_the_position_from_before(mount):
    page = mount(Machine(), reduced_motion="reduce")
    x, y, *_ = page.evaluate(MIDDLE, "waves")
    pointer = Mouse(page)
    pointer.press(x, y)
    pointer.move(x - 200, y)
    page.evaluate("frames(2)")
    assert position(page) > 62
    page.keyboard.press("Escape")
    page.evaluate("frames(2)")
    assert position(page) == 62
    pointer.lift()


def test_the_second_position_is_dragged_by_itself(mount):
    page = mount(Machine(show="compare"), reduced_motion="reduce", **DESK)
    box = page.locator("path.grip.cursor").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(Mouse(page), np.array([x, y]), np.array([x - 150, y]))
    page.evaluate("frames(2)")
    seen = values(page)
    assert seen["position"] == 62
    assert seen["offset"] < 0
