"""The pages in Firefox, where one is installed: no error, no other host, every slider moves its drawing.

Questions are answered by keyboard, what can be held is dragged, and a link brings back its setting.
"""

from __future__ import annotations

import pytest
from firefox import find_firefox, start
from harness import DRAWN, EXPLORERS_ALONE, SHOW_ALL, SLIDER, WATCH

LEFT, RIGHT, HOME, ENTER, SPACE = "\ue012", "\ue014", "\ue011", "\ue007", " "  # WebDriver's names for keys

# As a reader waits for a page: frame by frame, and not for ever.
READY = f"""(async () => {{
    for (let frame = 0; frame < 3600; frame += 1) {{
        if ({DRAWN}) return true;
        await new Promise(requestAnimationFrame);
    }}
    return false;
}})()"""

COUNT = f"document.querySelectorAll('[data-explorer] {SLIDER}').length"

# Gives the focus to a slider; returns how it and its explorer are.
FOCUS = """(() => {{
    const slider = document.querySelectorAll('[data-explorer] {slider}')[{number}];
    window.root = slider.closest('[data-explorer]');
    window.slider = slider;
    slider.scrollIntoView({{block: 'center', behavior: 'instant'}});
    slider.focus();
    return {{...look(root), where: `${{root.dataset.explorer}}, slider ${{slider.name}}`,
             value: slider.value, atEnd: slider.value === slider.max}};
}})()"""


@pytest.fixture(scope="session")
def firefox(tmp_path_factory):
    program = find_firefox()
    if not program:
        pytest.skip("no Firefox is installed")
    with start(program, tmp_path_factory.mktemp("firefox") / "profile") as firefox:
        firefox.before_every_page(WATCH)
        firefox.resize(1280, 800)
        yield firefox


def faults_of_slider(firefox, number: int) -> list[str]:
    """What is wrong with a slider of the page, moved by one step, or home where that shows nothing."""
    before = firefox.evaluate(FOCUS.format(number=number, slider=SLIDER))
    firefox.press(LEFT if before["atEnd"] else RIGHT)
    after = firefox.evaluate(f"moved(root, {before['drawn']}, 300)")
    if after and after["drawing"] == before["drawing"]:  # as beyond what a model reads
        firefox.press(HOME)
        after = firefox.evaluate(f"moved(root, {after['drawn']}, 300)")
    if not after:
        return [f"{before['where']}: no drawing answers to the key"]
    faults = {
        "the key does not move it": firefox.evaluate("slider.value") == before["value"],
        "the drawing does not change": after["drawing"] == before["drawing"],
        "what the drawing says does not change": after["labels"] == before["labels"],
    }
    return [f"{before['where']}: {fault}" for fault, found in faults.items() if found]


FIRST_ASKING = """[...document.querySelectorAll('[data-explorer]')]
    .findIndex((root) => root.dataset.state === 'asking')"""
# The question of an explorer; gives the focus to what a reader answers it with.
QUESTION = """(() => {{
    window.root = document.querySelectorAll('[data-explorer]')[{number}];
    if (root.dataset.state !== 'asking') return null;
    const own = root.dataset.prediction === 'place'
        ? root.querySelector("{slider}") : [...root.querySelectorAll('.prediction input')].at(-1);
    own.scrollIntoView({{block: 'center', behavior: 'instant'}});
    own.focus();
    return {{where: root.dataset.explorer, type: own.type}};
}})()"""
BUTTON = """[...root.querySelectorAll('button')]
    .find((button) => button.textContent === {name!r} && button.checkVisibility()).focus()"""
# Escape ends what happens meanwhile.
ANSWERED = """(() => {
    root.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    return { state: root.dataset.state, veiled: root.querySelectorAll('[data-veiled]').length,
        said: root.querySelector('.answered [role=status]').textContent };
})()"""


def faults_of_question(firefox, number: int, again: bool) -> list[str]:
    """What is wrong with an explorer's question: answered, and perhaps asked again and shown."""
    asked = firefox.evaluate(QUESTION.format(number=number, slider=SLIDER))
    if not asked:
        return []
    firefox.press(SPACE if asked["type"] == "radio" else HOME)
    faults = []
    presses = (("Answer", "answered"), ("Ask me again", "asking"), ("Show me", "answered"))
    for button, state in presses if again else presses[:1]:
        firefox.evaluate(BUTTON.format(name=button))
        firefox.press(ENTER)
        found = firefox.evaluate(ANSWERED)
        if found["state"] != state or (found["veiled"] and state == "answered"):
            faults.append(f"{button} leaves it {found}")
        told, quoted = ". " in found["said"], found["said"].startswith("You ")
        if (told, quoted) != (state == "answered", button == "Answer"):
            faults.append(f"{button} is answered by {found['said']!r}")
    return [f"the question of {asked['where']}: {fault}" for fault in faults]


# Where a thing that can be held is, and a place beside it, toward the middle of its drawing.
GRIP = """(() => {{
    window.root = document.querySelectorAll('[data-explorer]')[{number}];
    const grip = root.querySelectorAll('.grip')[{grip}];
    const svg = grip.ownerSVGElement;
    svg.scrollIntoView({{block: 'center', behavior: 'instant'}});
    const box = svg.getBoundingClientRect();
    const {{x: left, y: top, width, height}} = grip.getBBox();
    const {{x, y}} = grip.classList.contains('area') // has a middle, and its edge may be that of the drawing
        ? {{x: left + 0.7 * width, y: top + 0.3 * height}}
        : grip.getPointAtLength(0.8 * grip.getTotalLength());
    const [right, down] = [x < box.width / 2 ? 1 : -1, y < box.height / 2 ? 1 : -1];
    const start = [box.left + x, box.top + y];
    return {{start, ends: [90, -60].map((way) => [start[0] + way * right, start[1] + (way / 3) * down])}};
}})()"""


def goes_along(firefox, number: int, grip: int) -> bool:
    """Whether what an explorer's grip holds goes where the mouse does; some stay, since they turn round."""
    for way in (0, 1):  # and back: what is at an end goes one way only
        found = firefox.evaluate(GRIP.format(number=number, grip=grip))
        before = firefox.evaluate("look(root)")
        firefox.drag(found["start"], found["ends"][way])
        after = firefox.evaluate(f"moved(root, {before['drawn']}, 60)")
        if after and after["labels"] != before["labels"]:
            return True
    return False


def faults_of_grips(firefox, number: int) -> list[str]:
    """What is wrong with what can be held in an explorer: nothing of it goes along."""
    root = f"document.querySelectorAll('[data-explorer]')[{number}]"
    grips = range(firefox.evaluate(f"{root}.querySelectorAll('.grip').length"))
    if not grips or any(goes_along(firefox, number, grip) for grip in reversed(grips)):
        return []
    return [f"{firefox.evaluate(f'{root}.dataset.explorer')}: nothing that is held goes along"]


def test_works_in_firefox(firefox, site, page_name):
    firefox.open(site.url(page_name))
    faults = [] if firefox.evaluate(READY) else ["explorers or formulas are missing"]
    firefox.evaluate(EXPLORERS_ALONE)
    explorers = range(firefox.evaluate("document.querySelectorAll('[data-explorer]').length"))
    first = firefox.evaluate(FIRST_ASKING)
    for number in explorers:  # one a page is asked again, since each press is a fifth of a second's work
        faults += faults_of_question(firefox, number, again=number == first)
    firefox.evaluate(SHOW_ALL)
    for number in range(firefox.evaluate(COUNT)):
        faults += faults_of_slider(firefox, number)
    for number in explorers:
        faults += faults_of_grips(firefox, number)
    assert not [*faults, *firefox.complaints(site.origin)]


def test_a_link_leads_to_its_setting_in_firefox(firefox, site):
    firefox.open(f"{site.url('book/tour')}?rotary.p=12&rotary.frequency=7#explorer-rotary")
    assert firefox.evaluate(READY)
    found = firefox.evaluate("""(() => {
        const rotary = document.querySelector('#explorer-rotary');
        return {
            p: rotary.querySelector('[name=p]').value,
            told: rotary.querySelector('.fault').textContent,
            state: rotary.dataset.state,
            top: rotary.getBoundingClientRect().top,
        };
    })()""")
    assert found["p"] == "12"
    assert "frequency = 7, which must be a number from 0.01 to 1" in found["told"]
    assert found["state"] == "answered"
    assert 0 <= found["top"] < 200


PLANTED = """<!doctype html><title>Planted</title>
<img src="missing.png"><img src="https://elsewhere.invalid/x.png">
<script>console.warn("a warning"); undefined.error;</script>
<div data-explorer="planted"><svg role="img" aria-label="1"></svg><input type="range" name="idle"></div>"""


def test_planted_faults_are_found(firefox, tmp_path, serve):
    (tmp_path / "page.html").write_text(PLANTED)
    origin = serve(tmp_path)
    firefox.open(f"{origin}/page.html")
    assert faults_of_slider(firefox, 0) == ["planted, slider idle: no drawing answers to the key"]
    found = "\n".join(firefox.complaints(origin))
    for fault in ("404: ", "foreign: https://elsewhere.invalid/x.png", "warn: a warning", "error: TypeError"):
        assert fault in found
