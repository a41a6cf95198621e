"""Figures and pages in frames of other sites, which may give them no origin, and no storage with it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from harness import REPOSITORY, Site, documents
from lxml.html import fragment_fromstring, tostring
from playwright.sync_api import Browser, Frame

#: What is asked for across origins has to be allowed by the host, as GitHub's does: without leave there are
#: other faces, and nothing else is missing.
FACES = re.compile(r"\.woff2?\b|preload|Failed to load resource: net::ERR_FAILED")

#: What Canvas keeps of a frame, by `SANITIZE` in gems/canvas_sanitize/lib/canvas_sanitize/canvas_sanitize.rb
#: of instructure/canvas-lms: the others are dropped when a page is saved. Of styles it keeps these, and more.
CANVAS = {
    *("src", "width", "height", "name", "align", "frameborder", "scrolling", "sandbox", "allowfullscreen"),
    *("class", "dir", "id", "lang", "role", "style", "title"),
}
CANVAS_STYLES = {"border", "height", "margin", "max-height", "max-width", "min-height", "min-width", "width"}
#: What Moodle makes of a *URL* resource that is displayed as *Embed* (`resourcelib_embed_general` in
#: lib/resourcelib.php of moodle/moodle).
MOODLE_EMBED = (
    '<div class="resourcecontent resourcegeneral"><iframe id="resourceobject" src="{}"></iframe></div>'
)

#: Gives a slider its other end, and answers with what the figure then shows.
MOVE = """async (root) => {
    const buttons = [...root.querySelectorAll("button")];
    buttons.find((one) => one.textContent === "Show me")?.click();
    const control = root.querySelector("input[type=range]:not(:disabled)");
    if (!control) return "no slider";
    const drawn = new Promise(done => root.addEventListener('posenc:drawn', done, {once: true}));
    const middle = (Number(control.min) + Number(control.max)) / 2;
    control.value = Number(control.value) > middle ? control.min : control.max;
    control.dispatchEvent(new Event("input", {bubbles: true}));
    await drawn;
    return root.dataset.values;
}"""


def frame_of(address: str, sandbox: str) -> str:
    """A frame of a page of the book."""
    return f'<iframe sandbox="{sandbox}" width="900" height="700" src="{address}"></iframe>'


def left_by_canvas(pasted: str) -> str:
    """What Canvas keeps of a frame that is pasted into a page's HTML."""
    frame = fragment_fromstring(pasted)
    for name, value in frame.attrib.items():
        if name == "style":
            rules = [rule.partition(":") for rule in value.split(";") if rule]
            kept = [f"{rule[0].strip()}: {rule[2]}" for rule in rules if rule[0].strip() in CANVAS_STYLES]
            frame.set(name, "; ".join(kept) + ";")
        elif name not in CANVAS:
            del frame.attrib[name]
    return tostring(frame, encoding="unicode", method="html")


def left_by_moodle(pasted: str, *, cleaned: bool) -> str:
    """What Moodle shows of what is pasted: a *Page* is not cleaned, and a forum's post is.

    mod/page/view.php of moodle/moodle sets `noclean`, and takes all as it is. `purify_html` in lib/weblib.php
    sets no `HTML.SafeIframe`, without which HTML Purifier takes frames out.
    """
    return re.sub(r"<iframe\b.*?</iframe>", "", pasted) if cleaned else pasted


@contextmanager
def framed(browser: Browser, course: Site, shown: str) -> Iterator[tuple[Frame, list[str]]]:
    """The frame of a course's page that shows this HTML, and what they complain of."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda told: told.type in ("error", "warning") and complaints.append(told.text))
    place = tempfile.mkdtemp(dir=course.root)
    Path(place, "page.html").write_text(f"<!DOCTYPE html><title>A course</title>{shown}")
    page.goto(f"{course.origin}/{Path(place).name}/page.html")
    (_, frame) = page.frames
    frame.wait_for_load_state("load")
    yield frame, complaints
    page.close()


def faults(complaints: list[str]) -> list[str]:
    """What is complained of besides faces that did not come."""
    return [text for text in complaints if not FACES.search(text)]


@pytest.fixture(scope="module")
def course(serve, tmp_path_factory) -> Site:
    """Another site, of another origin."""
    folder = tmp_path_factory.mktemp("course")
    (folder / "favicon.ico").touch()
    return Site(folder, serve(folder))


def one_of_each_page(site: Site) -> list[str]:
    """The first figure alone of each page that has one."""
    return [
        min(path.relative_to(site.root).as_posix() for path in folder.glob("*.html"))
        for name in documents()
        if (folder := site.root / name).is_dir()
    ]


def test_a_figure_moves_in_a_frame_without_an_origin(browser, site, course):
    names = one_of_each_page(site)
    assert len(names) > 10
    for name in names:
        with framed(browser, course, frame_of(site.url(name), "allow-scripts")) as (frame, complaints):
            assert frame.evaluate("origin") == "null"
            root = frame.locator("[data-explorer]")
            root.locator("svg, canvas").first.wait_for()
            values = root.evaluate(MOVE)
            assert values, name
            assert not faults(complaints), name


def test_a_page_works_in_a_frame_without_an_origin(browser, site, course):
    for name in (
        "book/intro",
        "book/tour",
        "book/order",
        "book/recall",
        "book/questions",
        "book/check-yours",
    ):
        with framed(browser, course, frame_of(site.url(name), "allow-scripts")) as (frame, complaints):
            frame.locator("article h1").first.wait_for()
            frame.wait_for_timeout(500)
            assert not frame.locator(".explorer-error").count(), name
            for number in range(frame.locator("[data-explorer]").count()):
                assert frame.locator("[data-explorer]").nth(number).locator("svg, canvas").count(), name
            assert not faults(complaints), (name, complaints)


def test_what_canvas_and_moodle_leave_of_a_frame_shows_the_figure(browser, site, course, new_page):
    """And the figure moves in it; where Moodle leaves no frame, a *URL* resource has one."""
    page = new_page()
    page.goto(site.url("book/order"))
    menu = page.locator(".figure-menu").first
    menu.locator("summary").click()
    # Where it cannot write to the clipboard, the page shows the words.
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    menu.get_by_role("button", name="Copy embed code").click()
    field = menu.locator("textarea, input").last
    field.wait_for()
    pasted = field.input_value()
    given = fragment_fromstring(pasted)
    canvas = left_by_canvas(pasted)
    assert {"src", "title", "width", "height", "style"} <= set(fragment_fromstring(canvas).keys())
    assert "border: 0" in canvas
    assert "<iframe" not in left_by_moodle(pasted, cleaned=True)
    for shown in (canvas, left_by_moodle(pasted, cleaned=False), MOODLE_EMBED.format(given.get("src"))):
        with framed(browser, course, shown) as (frame, complaints):
            root = frame.locator("[data-explorer]")
            root.locator("svg, canvas").first.wait_for()
            assert frame.evaluate("origin") != course.origin
            before = root.get_attribute("data-values")
            assert root.evaluate(MOVE) not in (None, "", "no slider", before), shown
            assert not faults(complaints), shown


def test_teachers_are_told_what_to_paste():
    text = Path(REPOSITORY, "book/teaching.md").read_text()
    for word in ("Canvas", "Moodle", "Copy embed code"):
        assert word in text
