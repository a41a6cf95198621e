"""Fixtures and marks: the built site, a server for it, browsers that reach nothing else, and who runs where.

A test that looks at the pages of the site asks for one of the profiles; each page is opened once in each:

    def test_something(light):  # or phone: for every page of the site
    @pytest.mark.over(chapters())  # or for those that a function names
    def test_something(phone):

Tests that share a page find it as it was: `restored` puts back its size, medium, theme, storage, folds, focus
and scroll after each. What a test does to an explorer or to a question it undoes itself.

A test that wants a page to itself asks for `browser_page` (an empty page, guarded) and `site`:

    def test_something(browser_page, site):
        browser_page.goto(site.url("book/intro"))

The guard lets no request leave the machine, and writes down whether a page tried, or complained.
"""

from __future__ import annotations

import contextlib
import gc
import re
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from explorer_page import empty_page, show
from harness import (
    CLOSED,
    REPOSITORY,
    TRACED,
    Handler,
    Site,
    all_pages,
    fault_of_site,
    guarded_page,
    opened,
    restored,
    same_screen,
)
from hypothesis import settings
from playwright.sync_api import Error, Page

from bookext.browser import launched

# A busy machine is slow, and nothing here is about time.
settings.register_profile("book", deadline=None)
settings.load_profile("book")

#: Where pictures and traces of failed tests are kept.
RESULTS = REPOSITORY / "_build/test-results"

#: A test that uses one of these fixtures bears the mark.
MARKS = {
    "browser": {"browser", "firefox"},
    "firefox": {"firefox"},
    "build": {"site", "small_book", "small"},
    "building": {"small"},
    "kernel": {"compiled"},
}

#: What is no part of `make test`, since it needs more than the built site and a browser: another format of
#: it, another program, many builds, hours. Whatever bears one of these marks is "apart".
APART = ("building", "course", "epub", "film", "firefox", "kernel", "lab", "live", "nightly", "pdf")

#: Where PyTorch is used, by files and folders: `make test WITH=torch MARK=torch` brings it and runs them.
WITH_TORCH = (
    "posenc/pytorch.py",
    "tests/posenc/test_pytorch.py",
    "tests/posenc/test_rope_library.py",
    "tests/posread/test_config_library.py",
    "tests/wavebook/test_cliff.py",
    "tests/wavebook/test_training.py",
    "wavebook/experiments/",
)

#: What takes seconds to make: one worker makes it, and runs all tests that use it.
ONCE = {"compiled", "firefox", "small_book"}


def pytest_addoption(parser):
    parser.addoption("--site", help="test this site, whatever it was built from; default: _build/html")


@pytest.hookimpl(tryfirst=True)  # before -m chooses, and before xdist reads the groups
def pytest_collection_modifyitems(items):
    """Mark each test by what it needs, so that nobody forgets to; put all tests of a page on one worker."""
    for item in items:
        for mark, fixtures in MARKS.items():
            if fixtures & set(getattr(item, "fixturenames", ())):
                item.add_marker(mark)
        if item.nodeid.removeprefix("code/").startswith(WITH_TORCH):
            item.add_marker("torch")
        if any(map(item.get_closest_marker, APART)):
            item.add_marker("apart")
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if costly := ONCE & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(min(costly)))
        elif "page_name" in parameters:
            item.add_marker(pytest.mark.xdist_group(parameters["page_name"]))


def pytest_collection_finish():
    """What is there by now stays, so the garbage collector need not look through it again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # many live objects are made by SymPy, and few of them are garbage


def pytest_generate_tests(metafunc):
    """A test that asks for a page, in whatever profile, runs for every page, or those that its mark names."""
    if "page_name" in metafunc.fixturenames:
        mark = metafunc.definition.get_closest_marker("over")
        names = mark.args[0] if mark else all_pages()
        metafunc.parametrize("page_name", names, indirect=True, scope="session")


@pytest.fixture(scope="session")
def page_name(request) -> str:
    """The name of the page that a test looks at: "book/intro"."""
    return request.param


@pytest.fixture(scope="session")
def serve():
    """A function that serves a folder, and returns its address."""
    servers = []

    def served(root: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: Handler(*args, directory=str(root)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield served
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="session")
def site(request, serve):
    """The site that `make book` built, and a server for it."""
    chosen = request.config.getoption("--site")
    root = Path(chosen).resolve() if chosen else REPOSITORY / "_build/html"
    if fault := fault_of_site(root, of_any_sources=bool(chosen)):
        pytest.fail(f"{fault}: run `make book` first", pytrace=False)
    return Site(root, serve(root))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Save what a failed test saw: a picture of each page and, if asked, a trace of what led there."""
    report = yield
    if report.failed and report.when == "call":
        pages = [page for value in item.funcargs.values() for page in pages_of(value)]
        for number, page in enumerate(pages):
            stem = RESULTS / re.sub(r"[^\w.-]+", "-", item.nodeid) / str(number)
            with contextlib.suppress(Error):  # a page that crashed has no picture; the test has failed anyway
                page.screenshot(path=f"{stem}.png")
                if TRACED and hasattr(page, "guard"):  # only these are traced
                    page.context.tracing.stop(path=f"{stem}.zip")
                    page.context.tracing.start()
    return report


def pages_of(value) -> list[Page]:
    """The pages behind the value of a fixture: itself, or those that it has opened."""
    held = [value] if isinstance(value, Page) else getattr(value, "pages", [])
    return [page for page in held if isinstance(page, Page)]  # a PDF has pages, too


@pytest.fixture(scope="session")
def browser():
    with launched(CLOSED) as browser:
        yield browser


@pytest.fixture(scope="session")
def light_page(browser, site, page_name):
    """What `light` is, for the whole session."""
    with opened(browser, site.url(page_name), site.origin, color_scheme="light") as page:
        yield page


@pytest.fixture
def light(light_page):
    """Each page as most read it: 1280 x 800, light."""
    with restored(light_page) as page:
        yield page


@pytest.fixture(scope="session")
def phone_page(browser, site, page_name):
    """What `phone` is, for the whole session."""
    options = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    with opened(browser, site.file_url(page_name), site.origin, color_scheme="dark", **options) as page:
        yield page


@pytest.fixture
def phone(phone_page):
    """Each page on a small phone in the dark, opened from the disk: no server stands behind it."""
    with restored(phone_page) as page:
        yield page


@pytest.fixture
def new_page(browser, site):
    """A function that opens guarded pages with the options of Playwright's `new_context`."""
    with contextlib.ExitStack() as stack:
        pages = []

        def open_page(**options) -> Page:
            pages.append(stack.enter_context(guarded_page(browser, site.origin, **options)))
            return pages[-1]

        open_page.pages = pages
        yield open_page
        for page in pages:
            page.guard.check()


@pytest.fixture
def browser_page(new_page):
    """An empty page, 1280 x 800, that fails its test if it reaches out or complains."""
    return new_page()


@pytest.fixture(scope="module")
def usual_pages(browser):
    """The pages on which `mount` shows explorers, by their options, and their complaints."""
    pages: dict[str, Page] = {}
    complaints: list[str] = []
    yield pages, complaints
    for page in pages.values():
        page.close()


@pytest.fixture
def mount(browser, usual_pages):
    """A function that shows an explorer on an empty page.

    It is shared by those who want no more than a size; with other options it is one of its own. It must
    stay silent.
    """
    pages, complaints = usual_pages
    complaints.clear()

    with contextlib.ExitStack() as stack:
        taken: dict[str, Page] = {}

        def mounted(explorer, **options):
            if options and "viewport" not in options:
                page = empty_page(browser, complaints, **options)
                stack.callback(page.close)
                return show(page, explorer)
            key = repr(options)
            if key not in taken:
                if key not in pages:
                    pages[key] = empty_page(browser, complaints, **options)
                taken[key] = stack.enter_context(same_screen(pages[key]))
            return show(taken[key], explorer)

        yield mounted
    assert not complaints
