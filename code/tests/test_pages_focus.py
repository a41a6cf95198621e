"""Keyboard focus is seen: the Tab key walks through a page, and at each stop something around it changes."""

from __future__ import annotations

import io
from typing import Any

import pytest
from harness import guarded_page, visit
from PIL import Image, ImageChops

#: Formulas, previews, an exercise, explorers with predictions and a quick check: what a chapter can have.
PAGE = "book/order"
#: Pixels around an element in which its focus may show: the outline's offset and width, and half as much again.
AROUND = 6
#: In pixels: two sides of a small button, one pixel wide.
LEAST = 40

#: The element that has the focus, and where it is in the window.
FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const {left, top, right, bottom} = element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") || element.name || element.textContent.trim().slice(0, 40);
    const nth = [...document.querySelectorAll("*")].indexOf(element);
    return {nth, is: `${element.localName} ${element.className} "${name}"`, left, top, right, bottom};
}"""
#: Focus goes, and the next Tab goes on from here.
LEAVE = "document.activeElement.blur()"


def changed(before: bytes, after: bytes) -> int:
    """How many pixels of two pictures differ so that one sees it."""
    one, other = (Image.open(io.BytesIO(picture)).convert("RGB") for picture in (before, after))
    difference = ImageChops.difference(one, other).convert("L").point(lambda value: 255 if value > 24 else 0)
    return difference.histogram()[255]


def walk(page) -> tuple[int, list[str]]:
    """Press Tab until the page ends: how many stops there are, and at which of them nothing is seen."""
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    unseen, visited = [], set[int]()
    while True:
        page.keyboard.press("Tab")
        at: dict[str, Any] | None = page.evaluate(FOCUSED)
        if at is None or at["nth"] in visited:
            return len(visited), unseen
        visited.add(at["nth"])
        left, top = max(0, at["left"] - AROUND), max(0, at["top"] - AROUND)
        right, bottom = min(width, at["right"] + AROUND), min(height, at["bottom"] + AROUND)
        if right - left < 1 or bottom - top < 1:
            unseen.append(f"{at['is']} is outside the window")
            continue
        clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
        focused = page.screenshot(clip=clip)
        page.evaluate(LEAVE)
        count = changed(focused, page.screenshot(clip=clip))
        if count < LEAST:
            unseen.append(f"{at['is']}: {count} pixels change")


@pytest.mark.build
@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_focus_is_seen_at_each_stop(browser, site, width, scheme):
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "reduced_motion": "reduce"}
    with guarded_page(browser, site.origin, **options) as page:
        visit(page, site.url(PAGE))
        stops, unseen = walk(page)
        assert stops > 40
        assert unseen == []
        page.guard.check()
