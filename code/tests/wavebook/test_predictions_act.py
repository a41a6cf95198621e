"""Every prediction of the book answers by letting it happen: what changes, and what is covered meanwhile."""

import json
from itertools import product

import book_predictions
import pytest
from explorer_page import gives_reason, pages_by_options, setting
from explorer_page import load as load_page

from bookext.sphinx import stills
from wavebook.explorers.base import spec_of

URL = "http://act.test/"
CALLS = book_predictions.calls()

#: What a reader has before them: the state, the traits and what is drawn, as data; and how much of the
#: picture is under something that is not it: hatching, a blur, a gradient, or what a pseudo-element adds.
LOOK = """() => {
  const panels = root.querySelector('.panels');
  const covers = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    if (pseudo && ['none', 'normal', ''].includes(style.content)) return false;
    const blurred = /blur/.test(style.filter + style.backdropFilter);
    return style.backgroundImage !== 'none' || blurred || Boolean(pseudo);
  };
  const area = (element) => element.clientWidth * element.clientHeight;
  const all = [panels, ...panels.querySelectorAll('*:not(.halo)')];
  return {
    state: root.dataset.state,
    values: JSON.parse(root.dataset.values),
    marks: [...root.querySelectorAll(':is(.panels, .sketch) :is(path, circle, rect, text)')]
      .filter((mark) => mark.checkVisibility({ visibilityProperty: true }) && !mark.matches('.grip, .halo'))
      .map((mark) => mark.outerHTML),
    covered: all.filter((element) => [undefined, '::before', '::after'].some((name) => covers(element, name)))
      .reduce((sum, element) => sum + area(element), 0),
    veiled: [...root.querySelectorAll('[data-veiled]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true })).length,
    said: root.querySelector('[role=status]').textContent,
    height: panels.offsetHeight,
  };
}"""
WATCH = """() => {
  window.states = [root.dataset.state];
  new MutationObserver(() => {
    if (states.at(-1) !== root.dataset.state) states.push(root.dataset.state);
  }).observe(root, { attributes: true, attributeFilter: ['data-state'] });
}"""


SIZE = {"width": 1000, "height": 900}


@pytest.fixture(scope="module")
def pages(browser):
    """By their options, pages with an address and a clock of their own, and their complaints."""

    def begin(page):
        page.clock.install(time=0)
        page.clock.pause_at(1)
        page.goto(URL)

    with pages_by_options(browser, begin, viewport=SIZE) as made:
        yield made


@pytest.fixture
def stage(pages):
    """A function that shows an explorer to who remembers nothing: the page is loaded anew for each."""
    made, complaints = pages
    complaints.clear()

    def opened(explorer, **options):
        page = made(options)
        page.set_viewport_size(SIZE)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        load(page, explorer)
        return page

    yield opened
    assert not complaints


def load(page, explorer):
    """Load the page, or load it again, and show the explorer."""
    load_page(page, explorer, URL)
    page.evaluate(WATCH)


def seconds(explorer) -> float:
    """How long the act of an explorer's question takes."""
    return sum(step["seconds"] for step in explorer.prediction["acts"])


def play(page, explorer, button, times):
    """Press a button, and let what it starts go on to its end; what was seen, so many times on the way.

    Between them the clock jumps, as it does on a busy machine: most frames are drawn by nobody.
    """
    page.get_by_role("button", name=button, exact=True).click()
    moments = []
    for _ in range(times):
        moments.append(page.evaluate(LOOK))
        page.clock.fast_forward(int(1000 * seconds(explorer) / times))
        page.clock.run_for(40)
    page.clock.run_for(100)
    return moments


def changes(before, after):
    """The names of the values that have changed, and how many marks are drawn that were not there."""
    names = {name for name in after["values"] if before["values"].get(name) != after["values"][name]}
    return names, len(set(after["marks"]) - set(before["marks"]))


@pytest.mark.parametrize("which", CALLS)
def test_it_happens(stage, which):
    explorer = book_predictions.make_explorer(CALLS[which])
    traits = set(spec_of(type(explorer)))
    page = stage(explorer)
    before = page.evaluate(LOOK)
    assert before["state"] == "asking"
    assert before["marks"], "while a question is open there is a figure"
    assert not before["said"]

    moments = play(page, explorer, "Show me", 6)
    after = page.evaluate(LOOK)
    assert page.evaluate("states") == ["asking", "acting", "answered"]
    names, marks = changes(before, after)
    moved = names & traits
    shown = {name for step in explorer.prediction["acts"] for name in step["show"]}
    assert moved or shown - {"numbers"}, "nothing happens"
    assert marks, "nothing that is drawn is new"
    assert len({json.dumps([moment["marks"], moment["values"]]) for moment in moments}) >= 2, "it jumps"
    for moment in (before, *moments, after):
        assert moment["covered"] == 0
        assert moment["veiled"] == 0
        # Below a sketch, which is a picture itself, another can come with the answer.
        kept = moment["height"] == before["height"]
        assert kept or explorer.prediction["kind"] == "curve", "the picture keeps its room"
    assert gives_reason(page.locator("[data-prediction]"))
    for moment in moments[:-1]:
        assert not moment["said"], "words come after what is seen"

    moments = play(page, explorer, "Watch again", 3)
    again = page.evaluate(LOOK)
    assert page.evaluate("states")[3:] == ["acting", "answered"]
    assert again["values"] == after["values"]
    assert any(changes(moment, again)[1] for moment in moments), "it happens again"

    load(page, explorer)
    returned = page.evaluate(LOOK)
    assert (returned["state"], returned["said"]) == ("answered", after["said"])
    assert {name: returned["values"][name] for name in traits} == {
        name: after["values"][name] for name in traits
    }
    assert page.evaluate("atOnce") == 1


#: Where the last button, what was said and what has changed of the drawing are, from top to bottom; the head
#: of a page covers the first pixels of the screen, and controls that stick to its foot the last ones.
PLACES = """() => {
  const box = (part) => { const { top, bottom } = part.getBoundingClientRect(); return [top, bottom]; };
  const form = root.querySelector('.controls');
  const news = [...root.querySelectorAll('.panels :is(path, circle, rect, text)')]
    .filter((mark) => !mark.matches('.grip') && !before.includes(mark.outerHTML))
    .map(box).filter(([top, bottom]) => bottom > top);
  return {
    button: box(root.querySelector('.after button')),
    asked: box(root.querySelector('.prediction')),
    said: box(root.querySelector('.answered')),
    figure: box(root.querySelector('.panels')),
    changed: [Math.min(...news.map(([top]) => top)), Math.max(...news.map(([, bottom]) => bottom))],
    foot: getComputedStyle(form).position === 'sticky' ? form.getBoundingClientRect().top : innerHeight,
  };
}"""
HEAD = 48
#: A page around the explorer, as wide as the book's column, with a head that stays.
AROUND = """html { scroll-padding-top: 64px } body > div { max-width: 44rem; margin: 1500px auto }"""


@pytest.mark.parametrize("which", CALLS)
def test_without_motion_it_is_at_its_end_at_once_and_on_the_screen(stage, which):
    """Wherever the button was when it was pressed, on a wide screen and on a phone."""
    explorer = book_predictions.make_explorer(CALLS[which])
    page = stage(explorer, reduced_motion="reduce")
    page.add_style_tag(content=AROUND)
    end = page.evaluate(LOOK)["values"]
    for step in explorer.prediction["acts"]:
        end |= step["set"] | step["to"]
    for size, part in product([(1280, 800), (390, 844), (360, 740)], (0.3, 0.95)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.clock.run_for(100)
        after = page.evaluate(
            f"""(part) => {{
              window.before = [...root.querySelectorAll('.panels *')].map((mark) => mark.outerHTML);
              const button = [...root.querySelectorAll('.asking button')].at(-1);
              scrollBy(0, button.getBoundingClientRect().bottom - part * innerHeight);
              button.click();
              return ({LOOK})();
            }}""",
            part,
        )
        assert after["state"] == "answered"
        for trait in spec_of(type(explorer)):
            assert after["values"][trait] == pytest.approx(end[trait], rel=1e-5)
        page.clock.run_for(200)
        seen = page.evaluate(PLACES)
        assert seen["said"][0] < seen["button"][1] <= seen["said"][1], "the buttons come with what is said"
        sketch = explorer.prediction["kind"] == "curve"  # is a drawing itself
        figure = seen["asked"] if sketch else seen["figure"]
        top, bottom = min(figure[0], seen["said"][0]), max(figure[1], seen["said"][1])
        assert top >= HEAD, seen
        if bottom - top <= seen["foot"] - HEAD - 28:
            assert bottom <= seen["foot"], seen
            assert sketch or HEAD <= seen["changed"][0] < seen["changed"][1] <= seen["foot"], seen
        else:  # where both have no room there is the figure, from its top on
            assert top <= HEAD + 20, seen
        page.evaluate("root.querySelectorAll('.after button')[1].click()")
        page.clock.run_for(200)


@pytest.mark.slow
@pytest.mark.parametrize("which", CALLS)
def test_paper_has_the_whole_figure(which):
    explorer = book_predictions.make_explorer(CALLS[which])
    still = stills.draw(setting(explorer) | {"_esm": explorer._esm, "_css": explorer._css})
    assert json.loads(still.values).items() >= json.loads(json.dumps(setting(explorer))).items()
    assert "<path" in still.svg
