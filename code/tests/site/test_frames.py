"""Figures and pages in frames of other sites, which may give them no origin, and no storage with it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from harness import REPOSITORY, Site, documents
from lxml.html import fragment_fromstring
from playwright.sync_api import Browser, Frame

#: What is asked for across origins has to be allowed by the host, as GitHub's does: without leave there are
#: other faces, and nothing else is missing.
FACES = re.compile(r"\.woff2?\b|preload|Failed to load resource: net::ERR_FAILED")

#: What Canvas keeps of a frame, by its allow-list (gems/canvas_sanitize in instructure/canvas-lms): the
#: others are dropped when a page is saved. Of styles it keeps borders, too.
CANVAS = {
    *("src", "width", "height", "name", "align", "frameborder", "scrolling", "sandbox", "allowfullscreen"),
    *("style", "title"),
}


@contextmanager
def framed(
    browser: Browser, course: Site, address: str, sandbox: str | None
) -> Iterator[tuple[Frame, list[str]]]:
    """A page of the book in a frame of a course, and what they complain of."""
    page = browser.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda told: told.type in ("error", "warning") and complaints.append(told.text))
    leave = f'sandbox="{sandbox}"' if sandbox is not None else ""
    shown = f'<iframe {leave} width="900" height="700" src="{address}"></iframe>'
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
        with framed(browser, course, site.url(name), "allow-scripts") as (frame, complaints):
            assert frame.evaluate("origin") == "null"
            root = frame.locator("[data-explorer]")
            root.locator("svg, canvas").first.wait_for()
            values = root.evaluate("""async (root) => {
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
            }""")
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
        with framed(browser, course, site.url(name), "allow-scripts") as (frame, complaints):
            frame.locator("article h1").first.wait_for()
            frame.wait_for_timeout(500)
            assert not frame.locator(".explorer-error").count(), name
            for number in range(frame.locator("[data-explorer]").count()):
                assert frame.locator("[data-explorer]").nth(number).locator("svg, canvas").count(), name
            assert not faults(complaints), (name, complaints)


def test_what_canvas_leaves_of_a_frame_shows_the_figure(browser, site, course, new_page):
    page = new_page()
    page.goto(site.url("book/order"))
    menu = page.locator(".figure-menu").first
    menu.locator("summary").click()
    menu.get_by_role("button", name="Copy embed code").click()
    field = menu.locator("textarea, input").last
    field.wait_for()
    given = fragment_fromstring(field.input_value())
    kept = {name: value for name, value in given.attrib.items() if name in CANVAS}
    assert {"src", "title", "width", "height", "style"} <= kept.keys()
    assert kept["style"] == "border:0"
    with framed(browser, course, kept["src"], None) as (frame, complaints):
        frame.locator("[data-explorer] :is(svg, canvas)").first.wait_for()
        assert not faults(complaints)


def test_teachers_are_told_what_to_paste():
    text = Path(REPOSITORY, "book/teaching.md").read_text()
    for word in ("Canvas", "Moodle", "Copy embed code"):
        assert word in text
