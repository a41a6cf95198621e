"""The pages in Firefox, where one is installed: no error, no other host, every slider moves its drawing."""

from __future__ import annotations

import pytest
from firefox import find_firefox, started
from harness import DRAWN, SHOW_ALL, SLIDER, WATCH

LEFT, RIGHT = "\ue012", "\ue014"  # WebDriver's names for the arrow keys

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
    with started(program, tmp_path_factory.mktemp("firefox") / "profile") as firefox:
        firefox.before_every_page(WATCH)
        firefox.resize(1280, 800)
        yield firefox


def faults_of_slider(firefox, number: int) -> list[str]:
    """What is wrong with a slider of the page, moved by one step."""
    before = firefox.evaluate(FOCUS.format(number=number, slider=SLIDER))
    firefox.press(LEFT if before["atEnd"] else RIGHT)
    after = firefox.evaluate(f"moved(root, {before['drawn']}, 300)")
    if not after:
        return [f"{before['where']}: no drawing answers to the key"]
    faults = {
        "the key does not move it": firefox.evaluate("slider.value") == before["value"],
        "the drawing does not change": after["drawing"] == before["drawing"],
        "what the drawing says does not change": after["labels"] == before["labels"],
    }
    return [f"{before['where']}: {fault}" for fault, found in faults.items() if found]


def test_works_in_firefox(firefox, site, page_name):
    firefox.open(site.url(page_name))
    faults = [] if firefox.evaluate(READY) else ["explorers or formulas are missing"]
    firefox.evaluate(SHOW_ALL)
    for number in range(firefox.evaluate(COUNT)):
        faults += faults_of_slider(firefox, number)
    assert not [*faults, *firefox.complaints(site.origin)]


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
