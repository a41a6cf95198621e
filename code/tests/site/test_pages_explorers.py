"""Every explorer of the site works by keyboard and finger, without a kernel, and says what it shows."""

from __future__ import annotations

import json
import re

import pytest
from explorer_page import SAID, gives_reason
from harness import (
    BARE,
    EXPLORERS_ALONE,
    RADIO,
    SLIDER,
    documents,
    figures_of,
    numbered_chapters,
    numbered_parts,
    of_each_kind,
    visible,
    visit,
    with_explorers,
)
from playwright.sync_api import Locator, Page, expect


class Explorer:
    """One explorer on a page, and its controls."""

    def __init__(self, root: Locator):
        self.root = root
        self.element = root.element_handle()  # a locator looks for it anew each time
        self.name = root.get_attribute("data-explorer")

    def sliders(self) -> list[Locator]:
        return self.root.locator(SLIDER).all()

    def groups(self) -> list[Locator]:
        return self.root.get_by_role("radiogroup").all()


def explorers(page: Page) -> list[Explorer]:
    """The explorers of a page, which the tests below move one after the other."""
    return [Explorer(root) for root in page.locator("[data-explorer]").all()]


def test_every_chapter_of_part_i_has_an_explorer(site):
    for name in [documents()[0], *numbered_parts()[0]]:
        text = site.file(f"/{name}.html").read_text(encoding="utf-8")
        assert "widget-view+json" in text, f"{name} has no explorer"


@pytest.mark.over(documents())
def test_explorers_keep_their_contract(light):
    assert all(drawn == 1 for drawn in light.drawings), (
        f"drawn before anyone moved anything: {light.drawings}"
    )
    for explorer in explorers(light):
        assert explorer.sliders() or explorer.groups(), f"{explorer.name} has no control"
        for drawing in explorer.root.locator("svg, canvas:not([aria-hidden=true])").all():
            assert drawing.get_attribute("role") == "img"
            assert re.search(r"\d", drawing.get_attribute("aria-label")), (
                f"{explorer.name}: a drawing's label states its numbers"
            )
        shown = json.loads(explorer.root.get_attribute("data-values"))
        for slider in explorer.sliders():
            assert re.fullmatch(r"[a-z]\w*", slider.get_attribute("name"))
            assert slider.get_attribute("name") in shown
            expect(slider).to_have_accessible_name(re.compile(r"\w{2,}"))
            assert explorer.root.locator(f"output[for='{slider.get_attribute('id')}']").count() == 1
        for radio in explorer.root.locator(RADIO).all():
            expect(radio).to_have_accessible_name(re.compile(r"\w"))


@pytest.mark.over(of_each_kind(documents()))
def test_buttons_act(light):
    for explorer in explorers(light):
        for button in explorer.root.locator(".controls").get_by_role("button").all():
            expect(button).to_have_accessible_name(re.compile(r"\w"))
            drawn = explorer.element.evaluate("root => root.drawn || 0")
            button.press("Enter")
            assert explorer.element.evaluate("(root, drawn) => moved(root, drawn)", drawn), explorer.name
            button.press("Enter")  # what one press started, the next one stops


# The next Tab goes on from the beginning of the explorer; how many controls it has.
BEFORE_CONTROLS = """(root) => {
    const stops = [...root.querySelectorAll('.controls :is(input[type=range], button, [role=radiogroup])')];
    root.stops = stops.filter((stop) => stop.checkVisibility());
    const start = Object.assign(document.createElement('span'), {tabIndex: -1});
    root.before(start);
    start.focus({preventScroll: true});
    start.remove();
    return root.stops.length;
}"""
# Which of the controls has the focus, and whether it is behind all of them.
AT = """(root) => {
    const at = document.activeElement;
    const nth = root.stops.findIndex((stop) => stop.contains(at));
    const behind = root.stops.at(-1).compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING;
    return [nth < 0 ? null : nth, nth < 0 && (Boolean(behind) || at === document.body)];
}"""


@pytest.mark.over(of_each_kind(documents()))
def test_tab_reaches_every_control(light):
    """From what comes before them, one after the other, and out again."""
    faults = []
    for explorer in explorers(light):
        wanted = explorer.element.evaluate(BEFORE_CONTROLS)
        reached = []
        for _ in range(wanted + 20):  # a drawing or a link may be on the way
            light.keyboard.press("Tab")
            inside, left = explorer.element.evaluate(AT)
            reached += [inside] * (inside is not None)
            if left:
                break
        if reached != list(range(wanted)) or not left:
            faults.append(f"{explorer.name}: Tab reaches {reached} of {wanted} controls, and leaves: {left}")
    assert not faults


@pytest.mark.over(of_each_kind(documents()))
def test_a_finger_moves_a_slider(phone):
    faults = []
    for explorer in explorers(phone):
        for slider in [slider.element_handle() for slider in explorer.sliders()]:
            where = f"{explorer.name}, slider {slider.get_attribute('name')}"
            box = slider.bounding_box()
            if box["height"] < 24 or box["width"] < 150:
                faults.append(f"{where}: too small for a finger: {box}")
            slider.scroll_into_view_if_needed()
            values = []
            for place in (0.25, 0.75):
                slider.tap(position={"x": place * box["width"], "y": box["height"] / 2})
                values.append(slider.input_value())
            if values[0] == values[1]:
                faults.append(f"{where}: a tap does not move it")
    assert not faults


@pytest.mark.over(with_explorers())
def test_without_script_a_still_stands_in(new_page, site, page_name):
    page = new_page(java_script_enabled=False)
    page.goto(site.url(page_name))
    stills = page.locator("main .explorer-still")
    assert stills.count() == page.locator("script[type$='widget-view+json']").count()
    for still in stills.all():
        picture = still.locator("img")
        picture.scroll_into_view_if_needed()
        assert picture.is_visible()
        expect(still).to_contain_text("the picture shows where it starts")
        assert len(picture.get_attribute("alt").split()) >= 4
        assert json.loads(still.get_attribute("data-values"))
        page.wait_for_function(
            "image => image.complete && image.naturalWidth > 0", arg=picture.element_handle()
        )


@pytest.mark.over(numbered_chapters())
def test_a_workbench_is_in_the_notebook_alone(light, site, page_name):
    """Its section is the last, so that no number of a section is missing; nothing leads to it."""
    assert not light.locator("main .live-elsewhere, .notebook-only, a[href$='#workbench']").count()
    cells = json.loads(site.notebook(page_name).read_text(encoding="utf-8"))["cells"]
    *_, last = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert last.startswith("workbench(") or "\nworkbench(" in last


# --- Phones

# For each drawing, brought to the middle of the screen above the controls: how much of it is seen, and
# whether a finger on the first of them, which stays at the foot of the screen, meets it.
SEEN = """(root) => [...root.querySelectorAll('.panel')].map((panel) => {
    const form = root.querySelector('.controls'), [first] = form.children;
    const stays = getComputedStyle(form).position === 'sticky';
    const bar = stays ? first.offsetTop + first.offsetHeight : form.offsetHeight;
    const { top, height } = panel.getBoundingClientRect();
    const head = document.querySelector('.bd-header-article').getBoundingClientRect().height;
    scrollBy({ top: top + height / 2 - (head + innerHeight - bar) / 2, behavior: 'instant' });
    const hit = ({ left, top, width, height }) => {
        const met = document.elementFromPoint(left + width / 2, top + height / 2);
        return Boolean(met) && root.contains(met) && !met.closest('.panels');
    };
    const box = panel.getBoundingClientRect(), foot = root.querySelector('.controls').getBoundingClientRect();
    const covered = foot.top < box.bottom && foot.bottom > box.top ? box.bottom - foot.top : 0;
    const seen = Math.min(box.bottom - covered, innerHeight) - Math.max(box.top, head);
    const reached = hit((first.querySelector('input') ?? first).getBoundingClientRect());
    return { seen: seen / box.height, reached };
})"""


@pytest.mark.over(documents())
def test_on_a_phone_control_and_picture_are_seen_together(phone):
    # What has come with an answer sleeps for half a second.
    phone.wait_for_function(
        "!document.getAnimations().some(({ animationName }) => animationName === 'posenc-sleep')"
    )
    faults = []
    for explorer in explorers(phone):
        for number, drawing in enumerate(explorer.root.evaluate(SEEN)):
            if drawing["seen"] < 0.95 or not drawing["reached"]:
                faults.append(f"{explorer.name}, drawing {number}: {drawing}")
    assert not faults


# --- Links


@pytest.mark.over(documents())
def test_every_explorer_has_a_name_in_the_address(light):
    names = []
    for explorer in explorers(light):
        nth = sum(name.rstrip("-0123456789") == explorer.name for name in names) + 1
        names.append(explorer.name if nth == 1 else f"{explorer.name}-{nth}")
        assert explorer.root.get_attribute("id") == f"explorer-{names[-1]}"
        expect(light.locator(f"#explorer-{names[-1]} + .figure-menu > summary")).to_be_visible()
    assert light.locator(".fault").count() == 0


@pytest.mark.over(["book/tour"])
def test_a_link_leads_to_an_explorer_in_its_setting(new_page, site, page_name):
    query = "?look-back.offset=5&rotary.p=12&rotary.frequency=7"
    for options in ({}, {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}):
        page = new_page(**options)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        visit(page, f"{site.url(page_name)}{query}#explorer-look-back", shown=False)
        linked = page.locator("#explorer-look-back")
        expect(linked).to_be_in_viewport()
        assert 0 <= linked.bounding_box()["y"] < 200
        assert linked.locator("input[name=offset]").input_value() == "5"
        expect(linked).to_have_attribute("data-state", "answered")
        rotary = page.locator("#explorer-rotary")
        assert rotary.locator("input[name=p]").input_value() == "12"
        expect(rotary.locator(".fault")).to_contain_text(
            "frequency = 7, which must be a number from 0.01 to 1"
        )
        others = [block for block in page.locator("[data-prediction]").all() if block.is_visible()]
        assert len(others) - 2 == page.locator(ASKING).count(), "the others still ask"
        menu = page.locator("#explorer-look-back + .figure-menu")
        menu.locator("summary").click()
        menu.get_by_role("button", name="Copy link").click()
        expect(menu.locator("[role=status]")).to_have_text("Link to what this figure shows copied.")
        assert page.evaluate("navigator.clipboard.readText()") == (
            f"{site.url(page_name)}?look-back.offset=5#explorer-look-back"
        )
        visit(page, f"{site.url(page_name)}?rotary.p=12", shown=False)
        assert page.evaluate("scrollY") == 0, "without a fragment nothing scrolls"


# --- Predictions

ASKING = "[data-prediction][data-state=asking]"


def answer(block: Locator) -> str:
    """Answer with the last option, or with what the slider shows, by keyboard; what was said then."""
    asked = block.locator(".prediction")
    radio = asked.locator("input[type=radio]")
    if radio.count():
        radio.first.focus()
        radio.first.press("ArrowLeft")  # round to the last one
        said = asked.locator("label:has(:checked)").text_content()
    elif block.get_attribute("data-prediction") == "place":  # it is where the explorer's own sliders are
        own = block.locator(SLIDER)
        own.first.press("ArrowRight")
        said = ", ".join(f"{own.nth(n).get_attribute('name')} = {own.nth(n).input_value()}" for n in range(2))
    elif block.get_attribute("data-prediction") == "curve":
        asked.locator("input[type=range]").last.press("Home")
        said = "a curve that is off by"
    else:
        asked.locator("input[type=range]").press("ArrowRight")
        said = asked.locator("output").text_content()
    asked.get_by_role("button", name="Answer").press("Enter")
    block.press("Escape")  # which ends what happens
    return said


@pytest.mark.over(of_each_kind(with_explorers()))
def test_questions_are_asked_answered_and_remembered(new_page, site, page_name):
    """In the dark theme here, and in the light one in Firefox."""
    page = new_page(viewport={"width": 360, "height": 800}, color_scheme="dark")
    visit(page, site.url(page_name) + BARE, shown=False)
    assert page.locator("[data-explorer]").count() == len(figures_of(page_name))
    page.evaluate(EXPLORERS_ALONE)
    blocks = page.locator("[data-prediction]")
    total = blocks.count()

    def fits(*widths: int) -> bool:
        for width in widths:
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                return False
        return True

    assert page.locator(ASKING).count() == total
    for width in (360, 1280):
        assert fits(width)
        assert not any(visible(page.locator("[data-veiled]")))
    told = []
    for block in blocks.all():
        said = answer(block)
        expect(block).to_have_attribute("data-state", "answered")
        told.append(block.locator(SAID).inner_text())
        begins = rf"You (said|drew) {re.escape(said)}(\.| which|, | [\d.]+ on average)"
        assert re.match(begins, told[-1]), (said, told[-1])
        assert gives_reason(block)
    assert page.locator("[data-veiled]").count() == 0
    assert fits(1280, 360)

    page.reload()
    page.wait_for_function(
        "count => document.querySelectorAll('[data-prediction]').length === count", arg=total
    )
    page.evaluate(EXPLORERS_ALONE)
    assert page.locator(SAID).all_inner_texts() == told
    for block in blocks.all():
        block.get_by_role("button", name="Ask me again").press("Enter")
    assert page.locator(ASKING).count() == total
    for block in blocks.all():
        block.get_by_role("button", name="Show me").press("Enter")
        block.press("Escape")
        expect(block).to_have_attribute("data-state", "answered")
        assert gives_reason(block)
    assert page.locator("[data-veiled]").count() == 0


def test_the_tour_asks_before_each_figure(site):
    text = site.file("/book/tour.html").read_text(encoding="utf-8")
    assert text.count('class="prediction-printed"') == 7  # as readers without JavaScript have it
