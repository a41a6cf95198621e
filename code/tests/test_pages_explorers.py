"""Every explorer of the built site works by keyboard and finger, without a kernel, and says in words what it shows."""

from __future__ import annotations

import re

import pytest
from harness import documents, guarded_page, numbered_chapters, visit
from playwright.sync_api import Locator, expect

# How often each explorer has drawn, counted by the event that bubbles up from it.
COUNT = "addEventListener('posenc:drawn', ({target}) => { target.drawn = (target.drawn || 0) + 1; });"

# What one sees (shapes and pixels, not their text), and what one is told.
LOOK = """(root) => {
    const bare = (svg) => {
        const copy = svg.cloneNode(true);
        copy.removeAttribute('aria-label');
        copy.querySelectorAll('text, title, desc').forEach((element) => element.remove());
        return copy.outerHTML;
    };
    const all = (selector) => [...root.querySelectorAll(selector)];
    return {
        drawn: root.drawn || 0,
        drawing: all('svg').map(bare).concat(all('canvas').map((canvas) => canvas.toDataURL())).join(),
        labels: all('[role=img]').map((drawing) => drawing.getAttribute('aria-label')).join(),
    };
}"""


class Explorer:
    """One explorer on a page, and its moves."""

    def __init__(self, root: Locator):
        self.root = root
        self.name = root.get_attribute("data-explorer")

    def look(self) -> dict:
        return self.root.evaluate(LOOK)

    def after(self, act) -> dict:
        """What the explorer looks like once it has drawn in answer to `act`."""
        before = self.look()["drawn"]
        act()
        self.root.page.wait_for_function(
            "([root, before]) => (root.drawn || 0) > before", arg=[self.root.element_handle(), before]
        )
        return self.look()

    def sliders(self) -> list[Locator]:
        return self.root.locator("input[type=range]").all()

    def groups(self) -> list[Locator]:
        return self.root.get_by_role("radiogroup").all()


@pytest.fixture(scope="module", params=documents())
def explorers(request, browser, site):
    """The explorers of a page, which the tests below move one after the other."""
    with guarded_page(browser, site.origin) as page:
        page.add_init_script(COUNT)
        visit(page, site.url(request.param), typeset=False)
        yield [Explorer(root) for root in page.locator("[data-explorer]").all()]
        page.guard.check()


def test_every_chapter_has_an_explorer(site):
    for name in [documents()[0], *numbered_chapters()]:
        assert "widget-view+json" in site.file(f"/{name}.html").read_text(), f"{name} has no explorer"


def test_explorers_keep_their_contract(explorers):
    for explorer in explorers:
        look = explorer.look()
        assert look["drawn"] == 1, f"{explorer.name} drew {look['drawn']} times before anyone moved anything"
        assert explorer.sliders() or explorer.groups(), f"{explorer.name} has no control"
        for drawing in explorer.root.locator("svg, canvas:not([aria-hidden=true])").all():
            assert drawing.get_attribute("role") == "img"
            assert re.search(r"\d", drawing.get_attribute("aria-label")), (
                f"{explorer.name}: a drawing's label states its numbers"
            )
        for slider in explorer.sliders():
            assert re.fullmatch(r"[a-z]\w*", slider.get_attribute("name"))
            expect(slider).to_have_accessible_name(re.compile(r"\w{2,}"))
            assert explorer.root.locator(f"output[for='{slider.get_attribute('id')}']").count() == 1
        for radio in explorer.root.locator("input[type=radio]").all():
            expect(radio).to_have_accessible_name(re.compile(r"\w"))


def test_sliders_move_by_keyboard(explorers):
    for explorer in explorers:
        for slider in explorer.sliders():
            where = f"{explorer.name}, slider {slider.get_attribute('name')}"
            said = explorer.root.locator(f"output[for='{slider.get_attribute('id')}']")
            low, high, start = slider.get_attribute("min"), slider.get_attribute("max"), slider.input_value()
            # From the middle of its range, so that each of the four keys has somewhere to go.
            middle = str(round((float(low) + float(high)) / 2))
            if middle != start:
                explorer.after(lambda: slider.fill(middle))
            seen, told = [explorer.look()], [said.inner_text()]
            values = [slider.input_value()]
            for key in ("ArrowRight", "ArrowLeft", "Home", "End"):
                seen.append(explorer.after(lambda: slider.press(key)))
                told.append(said.inner_text())
                values.append(slider.input_value())
                assert seen[-1]["drawing"] != seen[-2]["drawing"], (
                    f"{where}: {key} does not change the drawing"
                )
                assert seen[-1]["labels"] != seen[-2]["labels"], (
                    f"{where}: {key} does not change what the drawing says"
                )
                assert told[-1] != told[-2], f"{where}: {key} does not change the number shown"
                assert slider.get_attribute("aria-valuetext") == told[-1], (
                    f"{where}: what is read aloud is not what is shown"
                )
            assert float(values[1]) > float(values[0]) and values[2] == values[0], f"{where}: {values}"
            assert [float(value) for value in values[3:]] == pytest.approx([float(low), float(high)]), (
                f"{where}: {values}"
            )
            # Labels, not drawings: a drawing may show the step that led here.
            assert seen[2]["labels"] == seen[0]["labels"], (
                f"{where}: the same value, and the drawing says something else"
            )
            explorer.after(lambda: slider.fill(start))


def test_choices_move_by_keyboard(explorers):
    for explorer in explorers:
        for group in explorer.groups():
            for _ in group.locator("input").all():
                before = explorer.look()
                after = explorer.after(lambda: group.locator("input:checked").press("ArrowRight"))
                assert after["drawing"] != before["drawing"], f"{explorer.name}: a choice changes nothing"
                assert after["labels"] != before["labels"], (
                    f"{explorer.name}: a choice does not change what the drawing says"
                )


def test_buttons_act(explorers):
    for explorer in explorers:
        for button in explorer.root.get_by_role("button").all():
            expect(button).to_have_accessible_name(re.compile(r"\w"))
            explorer.after(lambda: button.press("Enter"))
            button.press("Enter")  # what one press started, the next one stops


def test_tab_reaches_every_control(explorers):
    if not explorers:
        return
    page = explorers[0].root.page
    page.evaluate("document.activeElement.blur()")
    page.evaluate(
        "document.addEventListener('focusin', ({target}) => (window.reached ||= []).push(target), true)"
    )
    wanted = page.evaluate(
        "document.querySelectorAll('[data-explorer] :is(input[type=range], button)').length"
        " + document.querySelectorAll('[data-explorer] [role=radiogroup]').length"
    )
    stops = page.evaluate("document.querySelectorAll('a, button, input, [tabindex], summary').length")
    for _ in range(stops):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "new Set((window.reached || []).filter((e) => e.closest('[data-explorer]'))).size"
        )
        if found == wanted:
            return
    pytest.fail(f"Tab reached {found} of {wanted} controls")


def test_a_finger_moves_a_slider(new_page, site):
    page = new_page(has_touch=True, is_mobile=True, viewport={"width": 360, "height": 740})
    page.add_init_script(COUNT)
    for name in documents():
        visit(page, site.url(name), typeset=False)
        for explorer in map(Explorer, page.locator("[data-explorer]").all()):
            for slider in explorer.sliders():
                box = slider.bounding_box()
                assert box["height"] >= 24 and box["width"] >= 150, f"{explorer.name}: too small for a finger"
                values = [slider.input_value()]
                for share in (0.25, 0.75):
                    slider.scroll_into_view_if_needed()
                    slider.tap(position={"x": share * box["width"], "y": box["height"] / 2})
                    values.append(slider.input_value())
                assert len(set(values[1:])) == 2, (
                    f"{explorer.name}, {slider.get_attribute('name')}: a tap does not move it"
                )


def test_without_script_a_still_stands_in(new_page, site):
    page = new_page(java_script_enabled=False)
    for name in documents():
        page.goto(site.url(name))
        views = page.locator("script[type$='widget-view+json']").count()
        stills = page.locator("main .explorer-still")
        assert stills.count() == views
        for still in stills.all():
            picture = still.locator("img")
            picture.scroll_into_view_if_needed()
            assert picture.is_visible() and still.locator("p").is_visible()
            assert len(picture.get_attribute("alt").split()) >= 4
            page.wait_for_function(
                "image => image.complete && image.naturalWidth > 0", arg=picture.element_handle()
            )


def test_workbenches_stand_still_on_the_page(browser_page, site):
    for name in numbered_chapters():
        visit(browser_page, site.url(name), typeset=False)
        notes = browser_page.locator("main .live-elsewhere")
        assert notes.count(), f"{name} has no workbench"
        for note in notes.all():
            cell = note.locator("xpath=ancestor::*[contains(@class, 'cell_output')][1]")
            assert cell.locator("img:visible").count() == 1
