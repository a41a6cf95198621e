"""Keyboard focus is seen: the Tab key walks through a page, and at each stop something around it changes."""

from __future__ import annotations

import io
from typing import Any

import pytest
from harness import all_pages, at_night, by_turns, guarded_page, picture_taker, visit
from PIL import Image, ImageChops

#: Formulas, previews, an exercise, explorers with predictions and a quick check: what a chapter can have.
PAGE = "book/order"
#: Pixels around an element in which its focus may show: the outline's offset and width, and half of it.
AROUND = 6
#: In pixels: two sides of a small button, one pixel wide.
LEAST = 40

#: The Tab key goes on from where the focus was last, in the question answered last: now from the top.
TO_THE_TOP = (
    """document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute("tabindex")"""
)
#: The element that has the focus, which stop of the walk it is, and where it is in the window.
FOCUSED = """async (again = null) => {
    const stops = (window.stops ??= []);
    if (again !== null) {
        stops[again].scrollIntoView({ block: "center", behavior: "instant" });
        stops[again].focus();
    }
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    // What is scrolled to may draw itself, or load, and move.
    const place = () => JSON.stringify([element.getBoundingClientRect(), scrollX, scrollY]);
    for (let still = 0, frame = 0, before = ""; still < 3 && frame < 600; frame += 1, before = place()) {
        await new Promise(requestAnimationFrame);
        still = place() === before ? still + 1 : 0;
    }
    const {left, top, right, bottom} = element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") || element.name || element.textContent.trim();
    if (!stops.includes(element)) stops.push(element);
    const nth = stops.indexOf(element);
    const is = `${element.localName} ${element.className} "${name}"`;
    return {nth, is, left, top, right, bottom, scrolled: [scrollX, scrollY]};
}"""
#: Focus goes, and the next Tab goes on from here.
LEAVE = "document.activeElement.blur()"


def changed(before: bytes, after: bytes) -> int:
    """How many pixels of two pictures differ so that one sees it."""
    one, other = (Image.open(io.BytesIO(picture)).convert("RGB") for picture in (before, after))
    difference = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > 24 else 0)
    return difference.histogram()[255]


def walk(page) -> tuple[list[str], list[str]]:
    """Press Tab from the top of the page to its end: the stops, and at which of them nothing is seen."""
    picture = picture_taker(page)
    width, height = page.viewport_size["width"], page.viewport_size["height"]

    def fault(at: dict[str, Any]) -> str | None:
        """What is wrong with the stop that has the focus, and loses it."""
        left, top = max(0, at["left"] - AROUND), max(0, at["top"] - AROUND)
        right, bottom = min(width, at["right"] + AROUND), min(height, at["bottom"] + AROUND)
        if right - left < 1 or bottom - top < 1:
            return f"{at['is']} is outside the window"
        x, y = left + at["scrolled"][0], top + at["scrolled"][1]  # of the page, not of the window
        clip = {"x": x, "y": y, "width": right - left, "height": bottom - top}
        focused = picture(clip)
        page.evaluate(LEAVE)
        count = changed(focused, picture(clip))
        return None if count >= LEAST else f"{at['is']}: {count} pixels change"

    unseen, stops = [], list[str]()
    page.evaluate(TO_THE_TOP)
    while True:
        page.keyboard.press("Tab")
        at: dict[str, Any] | None = page.evaluate(FOCUSED)
        if at is None or at["nth"] < len(stops):
            return stops, unseen
        stops.append(at["is"])
        # Twice more, in the middle of the window, since on a busy machine a picture can come late, or what is
        # above it, or the page can still be going somewhere.
        if found := fault(at):
            looks = (page.evaluate(FOCUSED, at["nth"]) for _ in range(2))
            if all(again is None or fault(again) for again in looks):
                unseen.append(found)


@pytest.mark.build
@pytest.mark.browser
@pytest.mark.parametrize(
    ("width", "scheme"),
    [(1280, "light"), (360, "dark"), at_night((1280, "dark")), at_night((360, "light"))],
)
def test_focus_is_seen_at_each_stop(browser, site, width, scheme):
    options = {
        "viewport": {"width": width, "height": 800},
        "color_scheme": scheme,
        "reduced_motion": "reduce",
    }
    with guarded_page(browser, site.origin, **options) as page:
        visit(page, site.url(PAGE))
        stops, unseen = walk(page)
        assert "Skip to main content" in stops[0]
        assert len(stops) > 80
        assert unseen == []
        page.guard.check()


#: Code that is wider than its box, and is no stop of the Tab key.
CODE_OUT_OF_REACH = """() => [...document.querySelectorAll("pre")]
    .filter((code) => code.checkVisibility() && code.scrollWidth > code.clientWidth && code.tabIndex < 0)
    .map((code) => code.textContent.slice(0, 60))"""


@pytest.mark.over(["book/intro", "book/is-it-so", "book/teaching", "book/whats-new", PAGE])
def test_code_that_is_unfolded_can_be_scrolled_by_keyboard(browser_page, site, page_name):
    browser_page.set_viewport_size({"width": 360, "height": 740})
    visit(browser_page, site.url(page_name))
    browser_page.get_by_label("Show all code").check(force=True)
    browser_page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
    assert browser_page.locator("pre").filter(visible=True).count() > 0
    browser_page.wait_for_function(f"({CODE_OUT_OF_REACH})().length === 0")


#: What is wider than the window, and what the explorers write beside their drawings.
TOO_WIDE = """() => {
    const {scrollWidth, clientWidth} = document.scrollingElement;
    const cut = [...document.querySelectorAll("[data-explorer] svg text")].filter((text) => {
        const [box, drawing] = [text, text.ownerSVGElement].map((element) => element.getBoundingClientRect());
        return box.width && (box.right > drawing.right + 2 || box.left < drawing.left - 2);
    });
    return [scrollWidth - clientWidth, cut.map((text) => text.textContent)];
}"""


@pytest.mark.over(by_turns(all_pages()))
def test_a_page_fits_a_window_of_320_pixels(phone):
    """As wide as a window of 1280 is at four times the size (WCAG 1.4.10)."""
    phone.set_viewport_size({"width": 320, "height": 740})
    try:
        phone.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        assert phone.evaluate(TOO_WIDE) == [0, []]
    finally:
        phone.set_viewport_size({"width": 360, "height": 740})
        phone.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
