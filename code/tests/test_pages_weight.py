"""How many bytes a page makes a reader load, and which come first on a slow line.

No times: bytes and their order are the same on every machine.
"""

from __future__ import annotations

import pytest
from harness import REPOSITORY, SHOW_ALL, SLIDER, gzipped, numbered_chapters

LIMIT = 700_000  # bytes, each file gzipped, for a page read from its beginning to its end
FIRST = 200_000  # of them, before its first explorer works

SLOW = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 0.75e6 / 8}


@pytest.mark.over(numbered_chapters())
def test_a_page_is_light(light, site, page_name):
    files = {site.file(url) for url in light.loaded if url.startswith("http")}
    weights = sorted(((len(gzipped(path)), path.name) for path in files), reverse=True)
    shown = [name for _, name in weights]
    assert f"{page_name.rpartition('/')[2]}.html" in shown
    assert any("stix-two-math" in name for name in shown), "the face of its formulas counts"
    total = sum(weight for weight, _ in weights)
    print(f"{page_name}: {total:,} bytes in {len(weights)} files: {weights[:8]}")
    assert total <= LIMIT, f"{page_name} weighs {total:,} bytes: {weights}"


WITH_EXPLORERS = [
    name
    for name in numbered_chapters()
    if "from posenc.explorers import" in (REPOSITORY / f"{name}.md").read_text(encoding="utf-8")
]


@pytest.mark.over(WITH_EXPLORERS)
def test_the_first_explorer_waits_for_nothing_heavy(new_page, site, page_name):
    page = new_page()
    page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
    page.add_init_script(
        "addEventListener('posenc:drawn', () => { window.drawnAt ??= performance.now(); }, true)"
    )
    page.goto(site.url(page_name), wait_until="commit")
    page.wait_for_function("window.drawnAt", timeout=60_000)
    # A slider that answers: moved at once, with the rest of the page still on its way.
    page.evaluate(SHOW_ALL)
    slider = page.locator(f"[data-explorer] {SLIDER}").first
    before = slider.input_value()
    slider.press("ArrowRight")
    assert slider.input_value() != before
    page.wait_for_function("!document.querySelector('script[type=\"text/late\"]')", timeout=60_000)
    drawn = page.evaluate("window.drawnAt")
    loads = page.evaluate("""performance.getEntriesByType('resource').map((entry) => ({
        name: entry.name, kind: entry.initiatorType, end: entry.responseEnd, bytes: entry.encodedBodySize,
    }))""")
    loads = [load for load in loads if load["name"].startswith("http")]
    document = page.evaluate("performance.getEntriesByType('navigation')[0].encodedBodySize")
    early = [load for load in loads if load["end"] <= drawn]
    # Browsers decide what is near enough to load at once: on a slow line, up to 2,500 pixels below.
    near = page.evaluate("""[...document.images].filter((image) =>
        image.getBoundingClientRect().top + scrollY < innerHeight + 2500).map((image) => image.currentSrc)""")
    heavy = [
        load["name"]
        for load in early
        if any(word in load["name"].lower() for word in ("mathjax", "fontawesome", "fa-", "passages"))
        or (load["kind"] == "img" and load["name"] not in near)
    ]
    assert not heavy, f"loaded before the first explorer: {heavy}"
    weight = document + sum(load["bytes"] for load in early)
    print(f"{page_name}: {weight:,} bytes before the first explorer: {[load['name'] for load in early]}")
    assert weight <= FIRST, f"{weight:,} bytes before the first explorer"
    # The line was slow indeed, or the order above would mean nothing.
    last = max(load["end"] for load in loads)
    assert last >= 1000 * (document + sum(load["bytes"] for load in loads)) / SLOW["downloadThroughput"] * 0.8
