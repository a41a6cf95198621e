"""The pages are for everyone: no fault that axe-core can find, light and dark, wide and narrow; and the themes really differ."""

from __future__ import annotations

import io
from pathlib import Path

import axe_playwright_python
import matplotlib.image
import numpy as np
import pytest
from harness import documents, visit
from test_pages import PAGES

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
# Rules that axe-core leaves off by itself: targets large enough for a finger.
RUN = "axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}})"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing(new_page, site, page, scheme):
    view = visit(new_page(color_scheme=scheme), site.url(page))
    assert view.locator("html").get_attribute("data-theme") == scheme
    view.evaluate(AXE)
    result = view.evaluate(RUN)
    assert len(result["passes"]) > 10
    faults = [
        f"{fault['id']} ({fault['impact']}): {node['target']} {node['failureSummary']}"
        for fault in result["violations"]
        for node in fault["nodes"]
    ]
    assert not faults, "\n".join(faults)


def brightness(png: bytes, edge: bool = False) -> float:
    """Mean of an image's pixels, or of those along its edge, from 0 (black) to 1 (white)."""
    pixels = matplotlib.image.imread(io.BytesIO(png))[..., :3]
    return float(
        np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]).mean() if edge else pixels.mean()
    )


@pytest.mark.parametrize("page", documents())
def test_the_theme_reaches_every_picture(browser_page, site, page):
    """The reader's switch, not the system's setting; each figure and each explorer, by its pixels."""
    visit(browser_page, site.url(page))
    switch = browser_page.locator("button.theme-switch-button").filter(visible=True).first
    # Not what lies on a heatmap: its colours are data, and the same in both themes. Of a figure that says it is one, only the edge.
    pictures = browser_page.locator(
        "main :is([data-explorer] .panel:not(:has(canvas)) svg, .cell_output img)"
    )
    seen = {}
    for theme in ("light", "dark"):
        for _ in range(3):  # the switch goes round: light, dark, as the system has it
            if browser_page.locator("html").get_attribute("data-theme") != theme:
                switch.click()
        assert browser_page.locator("html").get_attribute("data-theme") == theme
        shown = []
        for picture in pictures.filter(visible=True).all():
            picture.scroll_into_view_if_needed()
            browser_page.wait_for_function(
                "picture => picture.complete !== false", arg=picture.element_handle()
            )
            text = picture.get_attribute("alt") or picture.get_attribute("aria-label")
            shown.append((round(brightness(picture.screenshot(), edge="heatmap" in text.lower()), 2), text))
        seen[theme] = shown
    assert len(seen["light"]) == len(seen["dark"])
    assert not [picture for picture in seen["light"] if picture[0] < 0.6]
    assert not [picture for picture in seen["dark"] if picture[0] > 0.4]
