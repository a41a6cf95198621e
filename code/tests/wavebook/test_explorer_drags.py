"""Dragging: what looks movable is moved by mouse and finger, and the slider goes along."""

import itertools

import numpy as np
import pytest
from explorer_page import show
from test_explorers import CLASSES

from wavebook import explorers
from wavebook.explorers import ask, questions

#: What can be taken hold of, in the order of the drawings: the trait that each moves; an area moves two.
GRIPS = {
    "all-heads": (explorers.AllHeads, [None, "offset", None, "offset", "turned", *[None] * 32]),  # see below
    "clock": (explorers.Clock, ["position"] * 4),
    "counter": (explorers.Counter, ["count"] * 8),
    "rotary": (explorers.Rotary, ["p", "q", "p"]),
    "rotation": (explorers.CircleWaves, ["position", "offset"] * 2),
    "chord": (lambda: explorers.CircleWaves(layer="chord"), ["position", "offset"] * 2 + ["offset"]),
    "near-return": (lambda: explorers.CircleWaves(layer="near-return"), ["position"]),
    "distance-law": (explorers.DistanceLaw, ["offset"] * 2),
    "wavelengths": (explorers.Wavelengths, ["length", "base"]),
    "base-trade": (explorers.BaseTrade, ["base"] * 2),
    "sinusoids": (explorers.Sinusoids, ["pair"]),
    "heatmap": (explorers.Heatmap, [None, "position"]),
    "look-back": (explorers.LookBack, ["position", "offset"]),
    "scores-by-distance": (explorers.ScoresByDistance, ["offset"] * 4),
    "trained-head": (explorers.TrainedHead, ["pair"]),
    "roots": (lambda: explorers.Roots(angle=60), ["radius"]),
    "torus": (explorers.Torus, [None, "position", "position"]),
    "add-or-rotate": (explorers.AddOrRotate, ["position"] * 3),
    "closest-pair": (explorers.ClosestPair, ["offset"] * 5),
    "score-parts": (explorers.ScoreParts, ["position", "key"]),
    "shuffle": (explorers.Shuffle, [None] * 5),  # see below: a place of its own is no number
    "set-hands": (explorers.SetHands, ["fast", "middle", "slow"]),
    "attempts": (explorers.Attempts, ["position"]),
    "slips": (explorers.Slips, ["tokens"]),
    "trained-angles": (explorers.TrainedAngles, ["pair"]),
    "similarity-matrix": (explorers.SimilarityMatrix, [None, "p"]),
    "block-shift": (lambda: explorers.BlockShift(beside="eigenvalues"), ["position", "offset"]),
    "cosine-first": (
        lambda: explorers.BlockShift(arrangement="cosine first", beside="hands"),
        ["position", "offset"],
    ),
    "context-extension": (explorers.ContextExtension, ["length", "factor"]),
    # Three areas, which a press takes the cursor to, or the token that is walked to; and both as lines.
    "cliff": (explorers.Cliff, [None, None, None, "position", "back"]),
    "before-after": (explorers.BeforeAfter, ["offset", "offset", "shift"]),
}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


class Mouse:
    """A mouse with its button down."""

    def __init__(self, page):
        self.page = page

    def press(self, x, y):
        self.page.mouse.move(x, y)
        self.page.mouse.down()

    def move(self, x, y):
        self.page.mouse.move(x, y)

    def lift(self):
        self.page.mouse.up()


class Finger:
    """A finger, as the browser itself would hear of it."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)

    def _send(self, kind, *points):
        touches = [{"x": float(x), "y": float(y)} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def press(self, x, y):
        self._send("touchStart", (x, y))

    def move(self, x, y):
        self._send("touchMove", (x, y))

    def lift(self):
        self._send("touchEnd")


# Where a grip can be held, in pixels of the window: four fifths along it.
PLACE = """void (window.place = (number) => {
    const grip = root.querySelectorAll('.grip')[number];
    const box = grip.ownerSVGElement.getBoundingClientRect();
    const { x, y } = grip.getPointAtLength(0.8 * grip.getTotalLength());
    return [box.left + x, box.top + y];
})"""


def at(page, number):
    page.evaluate(PLACE)
    return np.array(page.evaluate("(number) => frames(1).then(() => place(number))", number))


def by(place, dx, dy=0):
    """A place so many pixels from another."""
    return np.add(place, [dx, dy])


def get(page, trait):
    return page.evaluate("(trait) => model.get(trait)", trait)


# Two values of a grip's slider, so far apart that the grip is 14 pixels elsewhere, and where it is at both;
# the slider is left at the first. Pixels, so that one more or less does not matter.
MEASURE = """async ([number, trait]) => {
    const slider = root.querySelector(`input[type=range][name=${trait}]`), start = model.get(trait);
    const move = async (steps) => {
        model.set(trait, start);
        slider.value = Number(slider.value) + steps * Number(slider.step);
        slider.dispatchEvent(new Event('input', { bubbles: true }));
        await frames(1);
        return { value: model.get(trait), place: place(number) };
    };
    root.querySelectorAll('.grip')[number].scrollIntoView({ block: 'center' });
    for (let steps = 1; ; steps *= 2) {
        const there = await move(steps), here = await move(-steps);
        const way = Math.hypot(there.place[0] - here.place[0], there.place[1] - here.place[1]);
        if (way >= 14 || steps > 4096) return { start, steps: 2 * steps, way, here, there };
    }
}"""


def drag(pointer, start, end, moves=4):
    pointer.press(*start)
    for step in range(1, moves + 1):
        pointer.move(*(start + (end - start) * step / moves))
    pointer.lift()


def faults_of_grip(page, pointer, number, trait):
    """Take a grip to where its slider would bring it: the slider must then be there."""
    page.evaluate(PLACE)
    found = page.evaluate(MEASURE, [number, trait])
    low, high = found["here"]["value"], found["there"]["value"]
    here, there = (np.array(found[end]["place"]) for end in ("here", "there"))
    if page.locator(".grip").nth(number).get_attribute("class") == "grip cursor":
        there[1] = here[1]  # it slides across; a finger that goes up or down scrolls the page
    drag(pointer, here, there)
    page.evaluate("frames(1)")
    got = get(page, trait)
    page.evaluate("([trait, value]) => model.set(trait, value)", [trait, found["start"]])
    near = abs(high - low) * (1.6 / found["way"] + 0.51 / found["steps"])
    told = f"grip {number} of {trait}: from {low} to {got}, not {high}, {found['way']:.0f} px"
    return [] if abs(got - high) <= near and got != low else [told]


#: Each figure in the one way and the other: by turns that which comes first.
HELD = [
    pytest.param(name, options, id=f"{name}-{how}")
    for n, name in enumerate(GRIPS)
    for how, options in [("mouse", DESK), ("finger", PHONE)][:: -1 if n % 2 else 1]
]


@pytest.mark.parametrize(("name", "options"), HELD)
def test_what_is_held_goes_along(mount, name, options):
    make, traits = GRIPS[name]
    page = mount(make(), **options)
    assert page.locator(".grip").count() == len(traits)
    pointer = Finger(page) if options is PHONE else Mouse(page)
    faults = []
    for number, trait in enumerate(traits):
        if trait:
            faults += faults_of_grip(page, pointer, number, trait)
    assert not faults
    assert page.evaluate("document.documentElement.scrollWidth") <= options["viewport"]["width"]


def test_each_explorer_that_has_a_grip_is_tried(mount):
    by_keys_or_elsewhere = {"machine", "riddle", "votes"}
    tried = by_keys_or_elsewhere | {make().slug for make, _ in GRIPS.values()}
    for cls in CLASSES:
        if cls.slug not in tried:
            assert mount(cls()).locator(".grip").count() == 0, f"what {cls.__name__} moves belongs into GRIPS"


@pytest.mark.parametrize(("options", "reach"), [(DESK, 11), (PHONE, 21)], ids=["mouse", "finger"])
def test_a_grip_is_large_enough(mount, options, reach):
    for make, number in (
        (explorers.Sinusoids, 0),
        (explorers.BeforeAfter, 2),
        (explorers.Heatmap, 1),
        (explorers.Torus, 2),
    ):
        page = mount(make(), **options)
        page.evaluate(
            "(number) => root.querySelectorAll('.grip')[number].scrollIntoView({ block: 'center' })", number
        )
        x, y = at(page, number)
        for dx, dy in ((reach, 0), (-reach, 0), (0, reach), (0, -reach)):
            hit = "([x, y]) => document.elementFromPoint(x, y)?.getAttribute('data-grip') ?? null"
            assert page.evaluate(hit, [x + dx, y + dy]) is not None, (make.slug, dx, dy)


def circle_round(center, radius, turns, moves=12):
    angles = np.linspace(0, 2 * np.pi * turns, round(abs(turns) * moves) + 1)
    return np.array(center) + radius * np.column_stack([np.sin(angles), -np.cos(angles)])


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["mouse", "finger"])
def test_a_token_is_carried_to_another_place(mount, options):
    page = mount(explorers.Shuffle(), **options)
    orders = list(itertools.permutations(range(5)))  # in the order of their numbers
    pointer = Finger(page) if options is PHONE else Mouse(page)
    page.evaluate("root.querySelector('.grip').scrollIntoView({ block: 'center' })")
    places = [np.array(at(page, token)) for token in range(5)]
    drag(pointer, places[1], places[4])
    page.evaluate("frames()")
    assert orders[get(page, "order")] == (0, 2, 3, 4, 1)
    drag(pointer, places[0], by(places[0], 3))
    assert orders[get(page, "order")] == (0, 2, 3, 4, 1)
    drag(pointer, places[4], by(places[0], -30))  # the same token again, beyond the end
    page.evaluate("frames()")
    assert orders[get(page, "order")] == (1, 0, 2, 3, 4)


def test_a_hand_counts_its_turns_and_stops_at_the_end(mount):
    page = mount(explorers.Clock(position=0, d_model=2))
    hub, tip = page.evaluate("""() => {
        const grip = root.querySelector('.grip'), box = grip.ownerSVGElement.getBoundingClientRect();
        return [0, grip.getTotalLength()].map((l) => grip.getPointAtLength(l)).map(({ x, y }) =>
            [box.left + x, box.top + y]); }""")
    radius = hub[1] - tip[1]
    pointer = Mouse(page)
    path = circle_round(hub, 0.9 * radius, 2)
    pointer.press(*path[0])
    for place in path[1:]:
        pointer.move(*place)
    assert get(page, "position") == round(4 * np.pi)
    # Back by four turns: two of them are more than there is. Then on by one: it follows at once.
    for place in circle_round(hub, 0.9 * radius, -4)[1:]:
        pointer.move(*place)
    assert get(page, "position") == 0
    for place in circle_round(hub, 0.9 * radius, 1)[1:]:
        pointer.move(*place)
    assert get(page, "position") == 6
    pointer.lift()
    pointer.move(*(by(path[0], 30)))
    assert get(page, "position") == 6, "let go"


@pytest.mark.parametrize("focus", ["body", "input[name=d_model]"])
def test_escape_gives_back_the_value_from_before(mount, focus):
    page = mount(explorers.DistanceLaw(offset=100))
    page.locator(focus).focus()
    here, pointer = at(page, 0), Mouse(page)
    pointer.press(*here)
    pointer.move(*by(here, 40, 0))
    page.evaluate("frames()")
    assert get(page, "offset") > 200
    assert page.locator("svg[data-held=cursor]").count() == 1
    page.keyboard.press("Escape")
    assert get(page, "offset") == 100
    pointer.move(*by(here, 60, 0))
    assert get(page, "offset") == 100
    assert page.locator("[data-held]").count() == 0
    pointer.lift()
    page.keyboard.press("Escape")
    assert get(page, "offset") == 100


def test_elsewhere_nothing_is_held(mount):
    page = mount(explorers.DistanceLaw())
    here, pointer = at(page, 0), Mouse(page)
    drag(pointer, by(here, 60, 0), by(here, 90, 0))
    assert get(page, "offset") == 10
    cursor = "([x, y]) => getComputedStyle(document.elementFromPoint(x, y)).cursor"
    assert page.evaluate(cursor, list(here)) == "ew-resize"
    assert page.evaluate(cursor, list(by(here, 60, 0))) != "ew-resize"
    page = mount(explorers.Clock())
    assert page.evaluate(cursor, list(at(page, 0))) == "grab"


def test_of_two_that_meet_the_nearer_is_held(mount):
    page = mount(explorers.LookBack(position=40, offset=1))
    query, key = at(page, 0), at(page, 1)
    assert query[0] - key[0] < 20
    drag(Mouse(page), by(query, -2), by(query, 58))
    assert [get(page, "position") > 40, get(page, "offset")] == [True, 1]
    page.evaluate("model.set('position', 40)")
    drag(Mouse(page), by(at(page, 1), -1), by(at(page, 1), -61))
    assert [get(page, "position"), get(page, "offset") > 1] == [40, True]


def test_the_torus_turns_and_the_map_takes_a_press(mount):
    page = mount(explorers.Torus())
    box = page.locator("svg").first.bounding_box()
    corner = np.array([box["x"] + 20, box["y"] + 20])
    drag(Mouse(page), corner, by(corner, -100, 30))
    assert page.evaluate("[model.get('turn'), model.get('tilt')]") == [340, 60]
    page = mount(explorers.Heatmap(d_model=8))
    box = page.locator("canvas").bounding_box()
    pointer = Mouse(page)
    pointer.press(box["x"] + 0.6 * box["width"], box["y"] + 0.25 * box["height"] + 1)
    assert page.evaluate("[model.get('pair'), model.get('position')]") == [2, 50]
    pointer.move(box["x"] + 2 * box["width"], box["y"] - 50)
    assert page.evaluate("[model.get('pair'), model.get('position')]") == [3, 0]
    page.keyboard.press("Escape")
    assert page.evaluate("[model.get('pair'), model.get('position')]") == [8, 37]
    pointer.lift()


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["mouse", "finger"])
def test_a_press_goes_to_a_ring_and_chooses_a_hand(mount, options):
    page = mount(explorers.AllHeads(pair=23, turned=180, offset=500), **options)
    pointer = Finger(page) if options is PHONE else Mouse(page)
    seen = "([x, y]) => document.elementFromPoint(x, y).classList.contains('pick')"
    for number, selector, trait, value in (
        (0, "svg .ring.muted", "offset", 208),
        (1, "svg .ring.claimed", "offset", 893),
        (2, "svg >> nth=2 >> circle >> nth=9", "shown", 7),
        (2, "svg >> nth=2 >> circle >> nth=33", "shown", 31),
    ):
        one = page.locator(selector)
        one.scroll_into_view_if_needed()
        box = one.bounding_box()
        place = by((box["x"], box["y"]), box["width"] / 2 - 5, box["height"] / 2)  # hardly beside it
        assert page.evaluate(seen, [*place]) == (number == 2)
        drag(pointer, place, place)
        assert get(page, trait) == value
    # To look at a hand has turned none back; the one that is shown begins at nothing when it is turned.
    assert (get(page, "pair"), get(page, "turned")) == (23, 180)
    turn = page.locator("input[name=turned]")
    assert turn.input_value() == "0"
    turn.focus()
    page.keyboard.press("ArrowRight")
    assert (get(page, "pair"), get(page, "turned")) == (31, 15)


def test_a_cursor_at_what_the_hands_name_goes_with_it_and_comes_back(mount):
    page = mount(explorers.AllHeads())
    speed = page.locator("input[name=speed]")
    for factor, offset in (("1.1", 189), ("1", 208)):
        speed.fill(factor)
        assert get(page, "offset") == offset
        page.evaluate("frames()")
    page.locator("input[name=offset]").fill("300")
    speed.fill("1.1")
    assert get(page, "offset") == 300


def test_a_button_gives_the_hands_back_as_they_are(mount):
    page = mount(explorers.AllHeads(pair=23, turned=180, speed=1.1, shown=23, offset=300))
    unchanged = page.get_by_role("button", name="Hands unchanged")
    unchanged.click()
    assert [get(page, trait) for trait in ("turned", "speed", "offset")] == [0, 1, 300]
    page.evaluate("frames()")
    assert page.locator("input[name=turned]").input_value() == "0"
    assert "Unchanged" not in page.locator(".note").text_content()  # it speaks of what is changed no more
    # A cursor at what the changed hands name goes back to what they name by themselves.
    page.evaluate("model.set('speed', 1.1), model.set('offset', 189)")
    page.evaluate("frames()")
    unchanged.click()
    assert get(page, "offset") == 208


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["wide", "narrow"])
def test_a_number_is_nearest_to_its_own_hand(mount, options):
    page = mount(explorers.AllHeads(), **options)
    labels, hubs = page.evaluate("""() => {
        const [box, svg] = [(each) => each.getBoundingClientRect(), root.querySelectorAll('svg')[2]];
        const of = (each) => [box(each).left + box(each).width / 2, box(each).top + box(each).height / 2];
        return [
            [...svg.querySelectorAll('text')].filter((each) => /^\\d+$/.test(each.textContent))
                .map((each) => [Number(each.textContent), ...of(each)]),
            [...svg.querySelectorAll('circle')].slice(2, 34).map(of),
        ];
    }""")
    assert [number for number, *_ in labels] == [0, 8, 16, 23, 24]
    for number, *place in labels:
        assert np.hypot(*(np.array(hubs) - place).T).argmin() == number


@pytest.mark.parametrize("name", GRIPS)
def test_a_drag_draws_once_a_frame(mount, name):
    page = mount(GRIPS[name][0]())
    page.evaluate("frames()")
    drawn = page.evaluate("""async () => {
        const svg = [...root.querySelectorAll('svg')].find((each) => each.querySelector('.grip'));
        svg.setPointerCapture = () => {}; // which knows only pointers that there are
        const tell = (type, x, y) => [...svg.querySelectorAll('.grip')].at(-1).dispatchEvent(
            new PointerEvent(type, { bubbles: true, pointerId: 7, clientX: x, clientY: y }));
        const box = svg.getBoundingClientRect(), before = host.drawn, picture = svg.innerHTML;
        tell('pointerdown', box.left + 100, box.top + 100);
        for (let i = 0; i < 30; i += 1) tell('pointermove', box.left + 100 + 20 * i, box.top + 100 + 8 * i);
        const during = host.drawn; await frames(3);
        return [during - before, host.drawn - before, svg.innerHTML !== picture]; }""")
    assert drawn == [0, 1, True]


def test_a_double_click_presses_nothing_that_has_taken_the_place_of_a_button(browser):
    page = browser.new_page(**DESK)
    page.clock.install(time=0)
    page.clock.pause_at(1)  # neither the act ends before the second click comes, however busy the machine is,
    show(page, explorers.Shuffle(prediction=questions.swap()))
    styles = page.context.new_cdp_session(page)
    styles.send("Animation.enable")
    styles.send("Animation.setPlaybackRate", {"playbackRate": 0})  # nor what a style sheet says of seconds
    box = page.get_by_role("button", name="Show me").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(x, y)
    # Wherever a button of the figure is now.
    box = page.get_by_role("button", name="the dog bit the man").bounding_box()
    page.mouse.click(box["x"] + 9, box["y"] + 9, click_count=2)
    assert page.evaluate("root.dataset.state") == "acting"
    page.clock.run_for(10_000)
    assert page.evaluate("root.dataset.state") == "answered"
    assert get(page, "order") == 21  # the man bit the dog
    page.close()


@pytest.mark.parametrize(("part", "scrolls"), [("waves", True), ("hand", False)])
def test_a_finger_on_the_waves_scrolls_the_page_and_on_a_hand_it_turns(browser, part, scrolls):
    page = browser.new_page(**PHONE)
    show(page, explorers.Machine(position=24, d_model=8, base=100))
    page.evaluate("document.body.style.height = '3000px'")
    start = np.array(
        page.evaluate(
            """(part) => {
        const {left, top, width, height} = root.querySelector(`svg [data-${part}]`).getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    }""",
            part,
        )
    )
    drag(Finger(page), start, by(start, 0, -160), moves=8)
    page.evaluate("frames(3)")
    assert (page.evaluate("scrollY") > 60) == scrolls
    page.close()


def test_nothing_is_held_while_a_question_is_open(browser):
    complaints = []
    page = browser.new_page(**DESK)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    acts = [{"position": 8, "seconds": 1}]
    question = ask.choice("Which?", ["a", "b"], truth="a", because="so.", acts=acts)
    show(page, explorers.Clock(prediction=question))
    here = at(page, 1)
    drag(Mouse(page), here, by(here, 30, 30))
    assert get(page, "position") == 7
    page.get_by_role("button", name="Show me").click()
    here = at(page, 1)
    drag(Mouse(page), here, by(here, 30, 30))
    assert get(page, "position") != 7
    page.close()
    assert not complaints


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["mouse", "finger"])
def test_the_cliff_is_dragged_from_one_set_to_the_next(mount, options):
    """By its end of the measure of N steps; in the story the answer goes along, and keys move it as well."""
    page = mount(explorers.Cliff(spectrum="N = 73", position=76, back=76), **options)
    state = "['spectrum', 'position', 'back'].map((trait) => model.get(trait))"
    pointer = Finger(page) if options is PHONE else Mouse(page)
    page.evaluate("root.querySelectorAll('.grip')[3].scrollIntoView({ block: 'center' })")
    here, step = np.array(at(page, 3)), page.evaluate("root.querySelector('svg').clientWidth / 135")
    drag(pointer, here, by(here, 14 * step))
    assert page.evaluate(state) == ["N = 91", 94, 94]
    drag(pointer, at(page, 3), by(here, -44 * step))
    assert page.evaluate(state) == ["N = 31", 34, 34]
    drag(pointer, at(page, 3), by(here, 60 * step))
    assert page.evaluate(state) == ["N = 133", 127, 3], "no token is so far back"
    page.get_by_role("radio", name="N = 133").press("ArrowLeft")
    page.evaluate("frames(4)")
    assert page.evaluate(state) == ["N = 91", 94, 94]
    if options is DESK:
        pointer.press(*at(page, 3))
        pointer.move(*by(here, -20 * step))
        assert page.evaluate(state) == ["N = 57", 60, 60]
        page.keyboard.press("Escape")
        assert page.evaluate(state) == ["N = 91", 94, 94]
        pointer.lift()
    page = mount(explorers.Cliff(step=3), **options)
    assert page.locator(".grasp").count() == 0, "it would give the answer away"
    page.locator(".asking [type=button]").click()
    page.evaluate("frames()")
    page.locator(".grasp").scroll_into_view_if_needed()
    drag(Finger(page) if options is PHONE else Mouse(page), at(page, 3), by(at(page, 3), -15 * step))
    page.evaluate("frames()")
    assert page.evaluate(state) == ["N = 57", 60, 60]
    assert "57 back" not in page.locator(".answered").text_content()
    assert "60 back" in page.locator(".answered").text_content()
    assert "57 steps" in page.locator("legend").text_content()


@pytest.mark.parametrize("name", GRIPS)
def test_the_hint_covers_no_word_of_the_drawing(mount, name):
    """Where a drawing can be taken hold of is said above it."""
    page = mount(GRIPS[name][0]())
    page.evaluate("frames(2)")
    heights = page.evaluate("""() => [...document.querySelectorAll('.halo')].map((ring) => [
        parseFloat(getComputedStyle(ring, '::after').bottom),
        ring.parentElement.querySelector('svg').clientHeight,
        ring.parentElement.clientHeight,
    ])""")
    assert all(bottom >= max(drawing) for bottom, *drawing in heights), heights


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["mouse", "finger"])
def test_a_story_says_beside_the_ring_that_it_can_be_dragged(mount, options):
    """At its right, above the letters that are not read yet, where the drawing has no word."""
    page = mount(explorers.Cliff(step=1), **options)
    page.evaluate("frames(2)")
    found = page.evaluate("""() => {
        const ring = document.querySelector('.halo'), box = ring.getBoundingClientRect();
        const after = getComputedStyle(ring, '::after'), at = getComputedStyle(ring, '::before');
        const [middle, width, height] = [after.left, after.width, after.height].map(parseFloat);
        const left = middle + width * (parseFloat(after.translate) || 0) / 100;
        const bottom = box.height - parseFloat(after.bottom);
        const words = [...ring.parentElement.querySelectorAll('svg text')]
            .map((one) => one.getBoundingClientRect())
            .filter((one) => one.right - box.left > left && one.left - box.left < left + width
                && one.bottom - box.top > bottom - height && one.top - box.top < bottom);
        return { across: left - parseFloat(at.left), down: parseFloat(at.top) - bottom, words: words.length,
            room: box.width - left - width };
    }""")
    assert 0 < found["across"] < 40
    assert 0 < found["down"] < 40
    assert found["room"] >= 0
    assert found["words"] == 0
