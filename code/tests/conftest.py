"""Fixtures and marks: the built site, a server for it, browsers that can reach nothing else, and who runs where.

A test that wants a page of the site asks for `name` through one of the profiles; each page is opened once in each:

    def test_something(light):  # or dark, narrow: for every page of the site
    @pytest.mark.over(chapters)  # or for some of them
    def test_something(narrow):

A test that wants a page to itself asks for `browser_page` (an empty page, guarded) and `site`:

    def test_something(browser_page, site):
        browser_page.goto(site.url("book/intro"))

The guard lets no request leave the machine, and writes down whether a page tried, or put anything on the console.
"""

from __future__ import annotations

import contextlib
import threading
from http.server import ThreadingHTTPServer

import pytest
from browser import arguments, ensure_browser
from explorer_page import empty_page, show
from harness import REPOSITORY, Handler, Site, fault_of_site, guarded_page
from playwright.sync_api import Page, sync_playwright

#: A test that uses one of these fixtures bears the mark.
MARKS = {"browser": {"browser"}, "build": {"site", "small_book"}}


def pytest_addoption(parser):
    parser.addoption("--site", default=REPOSITORY / "_build/html", help="the built site to test: _build/html")


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    """Mark each test by what it needs, so that nobody forgets to."""
    for item in items:
        for mark, fixtures in MARKS.items():
            if fixtures & set(getattr(item, "fixturenames", ())):
                item.add_marker(mark)


@pytest.fixture(scope="session")
def site(request):
    """The site that `make book` built, and a server for it."""
    root = (request.config.invocation_params.dir / request.config.getoption("--site")).resolve()
    if fault := fault_of_site(root):
        pytest.fail(f"{fault}: run `make book` first", pytrace=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: Handler(*args, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield Site(root, f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def browser():
    path = ensure_browser()  # before Playwright starts here: it cannot be started twice at once
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments())
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser, site):
    """A function that opens guarded pages with the options of Playwright's `new_context`."""
    with contextlib.ExitStack() as stack:
        pages = []

        def open_page(**options) -> Page:
            pages.append(stack.enter_context(guarded_page(browser, site.origin, **options)))
            return pages[-1]

        yield open_page
        for page in pages:
            page.guard.check()


@pytest.fixture
def browser_page(new_page):
    """An empty page, 1280 x 800, that fails its test if it reaches out or complains."""
    return new_page()


@pytest.fixture(scope="module")
def usual_page(browser):
    """The page on which `mount` shows one explorer after the other, and its complaints."""
    complaints = []
    page = empty_page(browser, complaints)
    yield page, complaints
    page.close()


@pytest.fixture
def mount(browser, usual_page):
    """A function that shows an explorer alone on an empty page, of its own if it has options; the page must stay silent."""
    page, complaints = usual_page
    complaints.clear()
    own = []

    def mounted(explorer, **options):
        if options:
            own.append(empty_page(browser, complaints, **options))
        return show(own[-1] if options else page, explorer)

    yield mounted
    for page in own:
        page.close()
    assert not complaints
