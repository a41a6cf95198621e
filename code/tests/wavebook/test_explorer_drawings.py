"""What circle and waves and the clock draw and say, against Python; what is written in every drawing fits."""

import base64

import numpy as np
import pytest
from explorer_page import numbers, values
from matplotlib.font_manager import findfont
from playwright.sync_api import Page, expect
from test_explorers import EXPLORERS

from posenc import frequencies, positional_encoding, shift_matrix, wavelengths
from wavebook.experiments.smollm2 import load, plan, results
from wavebook.explorers import AllHeads, CircleWaves, Clock, Counter, Heatmap, near_returns


@pytest.mark.parametrize(("position", "offset"), [(0, 3), (2.5, -7), (61.3, 12)])
def test_rotation_states_what_python_computes(mount, position, offset):
    page = mount(CircleWaves(position=position, offset=offset))
    here, there = positional_encoding([position, position + offset], 2)
    seen = values(page)
    for name, value in (("point", here), ("moved", there), ("matrix", shift_matrix(offset, 2))):
        np.testing.assert_allclose(seen[name], value, rtol=1e-5, err_msg=name)
    shown = [
        numbers(cell)[0]
        for cell in page.locator(".equation").last.locator(".matrix span").all_text_contents()
    ]
    np.testing.assert_allclose(shown, [*shift_matrix(offset, 2).ravel(), *here, *there], atol=6e-4)


def test_chord_and_return_state_what_python_computes(mount):
    a, b = positional_encoding([5.0, 2.0], 2)
    shown = values(mount(CircleWaves(layer="chord", position=5, offset=-3)))
    assert shown["distance"] == pytest.approx(np.linalg.norm(a - b), rel=1e-5)
    for offset in near_returns(1000):
        shown = values(mount(CircleWaves(layer="near-return", offset=offset)))
        assert shown["turns"] == round(offset / (2 * np.pi))
        missed = offset - 2 * np.pi * shown["turns"]
        assert shown["missed_radians"] == pytest.approx(missed, rel=1e-5)
        assert shown["distance"] == pytest.approx(2 * abs(np.sin(offset / 2)), rel=1e-5)


def test_clock_states_what_python_computes(mount):
    page = mount(Clock(position=123, d_model=6, base=500))
    shown = values(page)
    assert shown["position"] == 123
    np.testing.assert_allclose(shown["wavelengths"], wavelengths(6, 500), rtol=1e-5)
    np.testing.assert_allclose(shown["pairs"], positional_encoding(123, 6, 500).reshape(-1, 2), rtol=1e-5)


def test_hands_that_come_in_are_marked_until_something_moves(mount):
    page = mount(Clock(position=7, d_model=8))
    old, new = wavelengths(8), wavelengths(16)
    for trait, value, marked in (
        ("d_model", 16, [i for i, length in enumerate(new) if not np.isclose(old, length).any()]),
        ("position", 8, []),
        ("d_model", 8, []),
    ):
        page.evaluate("([trait, value]) => model.set(trait, value)", [trait, value])
        page.evaluate("frames()")
        assert values(page)["fresh"] == marked
        assert page.locator("svg circle.claimed.wash").count() == len(marked)


@pytest.mark.parametrize(("name", "degrees"), [("2.1", 0), ("2.1", 180), ("19.3", 0)])
def test_hands_of_a_head_name_what_the_formula_names(mount, name, degrees):
    """With hands rounded for the page; beyond what is recorded of most heads, too."""
    at = [head.name for head in load().heads].index(name)
    hands, head = results.own_hands()[at], load().heads[at]
    hands[23] *= np.exp(1j * np.radians(degrees))
    named = plan.FAR + int(plan.curve(hands, plan.END)[plan.FAR :].argmax())
    seen = values(mount(AllHeads(layer=head.layer, head=head.number, pair=23, turned=degrees)))
    assert (seen["says"], seen["look"]) == (named, load().arrays["look"][at])


@pytest.mark.parametrize("change", [{"speed": 0.95}, {"pair": 23, "turned": 90}, {"pair": 9, "turned": 90}])
def test_where_a_changed_model_looked_is_what_was_recorded(mount, change):
    """A quarter turn of hand 23: there the formula was wrong. What was not measured is not marked."""
    page, arrays = mount(AllHeads(**change)), load().arrays
    at = [head.name for head in load().heads].index("2.1")
    looks = {0.95: arrays["look scaled"][1, at], 23: arrays["look turned"][at, plan.TURNED.index(23), 0]}
    look = looks.get(change.get("speed", change.get("pair")))
    assert (values(page)["then"], page.locator("svg .dashed").count()) == (look, look is not None)
    looked = f"With this change the model looked {look} back (measured)."
    said = looked if look else "The model was not measured with this change."
    assert said in page.locator(".note").text_content()


def test_a_hand_that_never_completes_a_turn_is_read_in_degrees(mount):
    page = mount(Clock(position=7, d_model=8))
    said = page.locator("svg text").all_text_contents()
    assert [text for text in said if text.endswith(" turns")] == ["1.114 turns", "0.111 turns", "0.011 turns"]
    assert [text for text in said if text.endswith("°")] == [f"{np.degrees(7 / 1000):.1f}°"]


def drawn_lines(page, selector):
    """The points of the paths that match, as (path, point, coordinate)."""
    return [
        np.array([point.split() for point in path.get_attribute("d")[1:].split("L")], float)
        for path in page.locator(selector).all()
    ]


def test_hands_stand_where_the_encoding_says(mount):
    page = mount(Clock(position=123, d_model=6, base=500))
    hands = np.array([tip - hub for hub, tip in drawn_lines(page, "svg path.turning")])
    radius = float(page.locator("svg circle.hair").first.get_attribute("r"))
    np.testing.assert_allclose(
        hands / [radius, -radius], positional_encoding(123, 6, 500).reshape(3, 2), atol=0.01 / radius * 2
    )


def test_points_stand_where_the_encoding_says(mount):
    page = mount(CircleWaves(position=9.5, offset=-4))
    center, radius, points = page.evaluate("""() => {
        const all = [...root.querySelector('svg').querySelectorAll('circle')];
        const place = (c) => ['cx', 'cy'].map((name) => Number(c.getAttribute(name)));
        return [place(all[0]), Number(all[0].getAttribute('r')), all.slice(1).map(place)]; }""")
    expected = positional_encoding([5.5, 9.5], 2)  # p + k is drawn under p
    np.testing.assert_allclose((np.array(points) - center) / [radius, -radius], expected, atol=0.02 / radius)


def test_clock_counts_the_hands_that_move(mount):
    page = mount(Clock(position=7, d_model=16))
    page.get_by_role("button", name="Step").press("Enter")
    page.evaluate("frames()")
    visible = int(np.sum(np.degrees(frequencies(16)) >= 1))
    words = ["no", "one", "two", "three", "four", "five"]
    assert page.evaluate("model.get('position')") == 8
    assert (
        f"From 7 to 8, {words[visible]} of the eight hands moved visibly"
        in page.locator(".words").text_content()
    )


@pytest.mark.parametrize(("kind", "base", "places"), [("binary", 2, 8), ("decimal", 10, 4)])
@pytest.mark.parametrize("count", [0, 99.9, 127, 128, 200.3])
def test_each_hand_is_in_the_sector_of_its_digit(mount, kind, base, places, count):
    page = mount(Counter(count=count, digits=kind))
    shown, whole, ends = values(page), int(count), [max(1, int(count)) - 1, max(1, int(count))]
    digits = [whole // base**i % base for i in range(places)]
    assert shown["shown_digits"] == digits
    assert [int(turns % 1 * base + 1e-4) for turns in shown["turns"]] == digits
    here, one, other = positional_encoding(
        2 * np.pi / base * np.array([count, *ends]), 2 * places, base**places
    )
    assert shown["moved_by"] == pytest.approx(np.linalg.norm(one - other), rel=1e-5)
    was, now = (np.array([end // base**i for i in range(places)]) for end in ends)
    assert shown["digits_jumped"] == (was != now).sum()
    hubs, tips = np.moveaxis(drawn_lines(page, "svg path.thick"), 1, 0)
    hands = (tips - hubs) / np.linalg.norm(tips - hubs, axis=1, keepdims=True) * [1, -1]
    np.testing.assert_allclose(hands, here.reshape(-1, 2), atol=0.002)
    assert (np.diff(hubs[:, 0]) < 0).all(), "the last digit is at the right"
    assert [*map(int, page.locator("svg text.big").all_text_contents())] == digits


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_counter_glides_from_number_to_number(mount, motion):
    page = mount(Counter(count=126), reduced_motion=motion)
    stop_time(page)
    page.get_by_role("button", name="Play").press("Enter")
    page.clock.run_for(500)
    assert (126 < values(page)["count"] < 127) == (motion == "no-preference")
    page.clock.run_for(1800)
    assert values(page)["count"] == 128


def stop_time(page: Page) -> None:
    """No time passes on the page but what `run_for` lets pass, however slow the machine is."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_clock_plays_only_when_asked(mount, motion):
    page = mount(Clock(position=7), reduced_motion=motion)
    stop_time(page)  # from now on a second lasts as long as it takes to call what is due in it
    page.clock.run_for(1000)
    assert page.evaluate("[model.get('position'), host.drawn]") == [7, 1]
    page.get_by_role("button", name="Play").press("Space")
    while page.evaluate("model.get('position')") < 9:
        page.clock.run_for(50)
    drawn = page.evaluate("host.drawn")
    # Two steps: without motion a drawing each; with it the hands sweep.
    assert drawn <= 4 if motion == "reduce" else drawn > 8
    page.get_by_role("button", name="Pause").press("Enter")
    position = page.evaluate("model.get('position')")
    page.clock.run_for(1000)
    assert page.evaluate("model.get('position')") == position
    page.get_by_role("button", name="Play").click()
    page.evaluate("window.stopped = model.get('position'); cleanup()")
    page.clock.run_for(1000)
    assert page.evaluate("model.get('position') - stopped") == 0


def test_the_row_runs_down_the_table(mount):
    page = mount(Heatmap(position=190), reduced_motion="reduce")
    stop_time(page)
    before = page.evaluate("picture()")
    page.get_by_role("button", name="Play").press("Enter")
    page.clock.run_for(500)
    assert page.evaluate("model.get('position')") in (194, 195), "eight rows a second"
    page.clock.run_for(50)
    assert page.evaluate("picture()") != before
    page.clock.run_for(1000)
    assert page.evaluate("model.get('position')") == 199
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_the_hand_plays_up_to_its_last_position(mount):
    page = mount(CircleWaves(position=98.5), reduced_motion="reduce")
    page.clock.install()  # for good: on a page of its own
    page.get_by_role("button", name="Step").press("Enter")
    assert page.evaluate("model.get('position')") == 99.5
    page.get_by_role("button", name="Play").press("Enter")  # there is no whole step left
    assert page.evaluate("model.get('position')") == 99.5
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.evaluate("model.set('position', 2)")
    page.get_by_role("button", name="Play").press("Enter")
    page.wait_for_function("model.get('position') === 5")
    assert mount(CircleWaves(layer="chord")).get_by_role("button", name="Play").count() == 0


# At the width of a phone and of a page, with every control at its ends or its options, one at a time, and in
# some settings that mix them: which texts leave their drawing, or meet another, by more than 2 pixels, or are
# smaller than 13. A text is as high as its capitals and descenders, and as wide as in DejaVu Sans, unhinted:
# most fonts of systems are narrower.
CROWDED = """async (font) => {
    document.fonts.add(await new FontFace("wide", `url(data:font/ttf;base64,${font})`).load());
    const style = document.head.appendChild(document.createElement("style"));
    style.textContent =
        ".posenc-explorer * { font-family: wide !important; text-rendering: geometricPrecision }";
    const inputs = [...root.querySelectorAll(".controls input")];
    const faults = {};
    const look = (draw) => {
        draw();
        const set = inputs.filter(({type, checked}) => type === "range" || checked).map((input) =>
            `${input.name}=${input.getAttribute("aria-valuetext") ?? input.nextSibling.textContent}`);
        const setting = [`${root.clientWidth} pixels`, ...set].join(", ");
        for (const svg of root.querySelectorAll("svg")) {
            if (!svg.checkVisibility()) continue; // one that is asked for with a button
            const {left, top, right, bottom} = svg.getBoundingClientRect();
            const texts = [...svg.querySelectorAll("text")].map((element) => {
                const box = element.getBoundingClientRect();
                const size = parseFloat(getComputedStyle(element).fontSize);
                const line = top + Number(element.getAttribute("y"));
                if (size < 13) faults[`${element.textContent} is small`] ??= setting;
                const [up, down] = [line - 0.74 * size, line + 0.22 * size];
                return {text: element.textContent, left: box.left, right: box.right, up, down};
            }).filter(({text}) => text.trim());
            texts.forEach((one, n) => {
                if (Math.min(one.left - left, right - one.right, one.up - top, bottom - one.down) < -2) {
                    faults[`${one.text} leaves its drawing`] ??= setting;
                }
                for (const other of texts.slice(n + 1)) {
                    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
                    const down = Math.min(one.down, other.down) - Math.max(one.up, other.up);
                    if (Math.min(across, down) > 2) {
                        faults[`${one.text} meets ${other.text}`] ??= setting;
                    }
                }
            });
        }
    };
    const slide = (input, part) => {
        if (part !== undefined) input.value = Number(input.min) + part * (input.max - input.min);
        input.dispatchEvent(new Event("input", {bubbles: true}));
    };
    for (const width of [328, 704]) {
        document.body.style.width = `${width}px`;
        await frames(4);
        await withoutScreen((draw) => {
            look(draw);
            for (const input of inputs.filter(({type}) => type === "range")) {
                const before = input.value;
                for (const part of [0, 1]) { slide(input, part); look(draw); }
                input.value = before;
                slide(input);
            }
            for (const input of inputs.filter(({type}) => type === "radio")) {
                const before = inputs.find(({name, checked}) => name === input.name && checked);
                input.click();
                look(draw);
                before.click();
            }
            for (let n = 1; n <= 10; n += 1) {
                inputs.forEach((input, j) => {
                    const part = (n * Math.sqrt(j + 1.5)) % 1; // irrational: each gets everywhere
                    if (input.type === "range") slide(input, part);
                    else if (part < 0.5) input.click();
                });
                look(draw);
            }
        });
    }
    return Object.entries(faults).map((fault) => fault.join(": "));
}"""


@pytest.fixture(scope="module")
def wide_font():
    """The file of DejaVu Sans, which Matplotlib brings along, as base64."""
    with open(findfont("DejaVu Sans"), "rb") as file:
        return base64.b64encode(file.read()).decode()


@pytest.mark.parametrize("make", EXPLORERS)
def test_no_text_is_cut_or_meets_another(mount, wide_font, make):
    assert mount(make()).evaluate(CROWDED, wide_font) == []
