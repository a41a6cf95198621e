"""How many bytes a page makes a reader load, and for which of them its first explorer waits.

No times: bytes and their order are the same on every machine.
"""

from __future__ import annotations

import threading
from http.server import ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from harness import (
    SHOW_ALL,
    SLIDER,
    Handler,
    compress,
    guarded_page,
    numbered_chapters,
    of_each_kind,
    with_explorers,
)

from bookext.sphinx.widgets import VIEW

LIMIT = 700_000  # bytes, each file gzipped, for a page read from its beginning to its end
FIRST = 215_000
#: A page that is about all heads of a language model has them.
FIRST_OF = {"book/token-208": 265_000}


@pytest.mark.over(numbered_chapters())
def test_a_page_is_light(light, site, page_name):
    files = {site.file(url) for url in light.loaded if url.startswith("http")}
    weights = sorted(((len(compress(path)), path.name) for path in files), reverse=True)
    shown = [name for _, name in weights]
    assert f"{page_name.rpartition('/')[2]}.html" in shown
    assert any("stix-two-math" in name for name in shown), "the face of its formulas counts"
    total = sum(weight for weight, _ in weights)
    print(f"{page_name}: {total:,} bytes in {len(weights)} files: {weights[:8]}")
    assert total <= LIMIT, f"{page_name} weighs {total:,} bytes: {weights}"


#: What a page needs before anything in it works, beside itself.
NEEDED = ("/_static/site.css", "/_static/host.js", "/_static/fonts/")


def first_slider_answers(page) -> None:
    """The first slider of a page moves; a question before it is answered by "Show me"."""
    page.evaluate(SHOW_ALL)
    slider = page.locator(f"[data-explorer] {SLIDER}").first
    before = slider.input_value()
    slider.press("ArrowRight")
    assert slider.input_value() != before


@pytest.mark.over(of_each_kind(with_explorers()))
def test_the_first_explorer_waits_for_nothing_heavy(new_page, site, page_name):
    page = new_page()
    held = []

    def hold(route):
        address = urlsplit(route.request.url).path
        needed = route.request.is_navigation_request() or address.startswith(NEEDED)
        return route.continue_() if needed or released else held.append(route)

    released = False
    page.route("http://**", hold)  # it goes before the guard's
    page.add_init_script(
        "addEventListener('posenc:drawn', () => { window.drawnAt ??= performance.now(); }, true)"
    )
    page.goto(site.url(page_name), wait_until="commit")
    page.wait_for_function("window.drawnAt")
    # A slider that answers, with nothing there but what is needed.
    first_slider_answers(page)
    page.wait_for_function("!document.querySelector('script[type=\"text/late\"]')")
    released = True
    for route in held:
        route.continue_()
    page.wait_for_load_state("networkidle")
    drawn = page.evaluate("window.drawnAt")
    loads = page.evaluate("""performance.getEntriesByType('resource').map((entry) => ({
        name: entry.name, start: entry.startTime, bytes: entry.encodedBodySize,
    }))""")
    document = page.evaluate("performance.getEntriesByType('navigation')[0].encodedBodySize")
    early = {load["name"]: load["bytes"] for load in loads if load["start"] <= drawn}
    needed = {name: size for name, size in early.items() if urlsplit(name).path.startswith(NEEDED)}
    # What is only asked for shares the line. Browsers decide what picture is near enough to come at once, and
    # it is nearer than it will be while explorers above it are not drawn and the text has its first face.
    near = page.evaluate("""[...document.images].filter((image) => {
        const { top } = image.getBoundingClientRect();
        const above = [...document.querySelectorAll('[data-explorer]')]
            .filter((root) => root.getBoundingClientRect().top < top)
            .reduce((sum, root) => sum + root.offsetHeight, 0);
        return top + scrollY - above < 1.2 * (innerHeight + 2500);
    }).map((image) => image.currentSrc)""")
    icon = page.evaluate("document.querySelector('link[rel~=icon]').href")
    strange = {name for name in early if name.startswith("http")} - {*needed, *near, icon}
    assert not strange, f"asked for before the first explorer: {strange}"
    weight = document + sum(needed.values())
    print(f"{page_name}: {weight:,} bytes before the first explorer: {list(needed)}")
    most = FIRST_OF.get(page_name, FIRST)
    assert weight <= most, f"{weight:,} bytes before the first explorer"


@pytest.mark.over(of_each_kind(with_explorers()))
def test_the_first_explorer_waits_for_nothing_behind_it(browser, light, site, page_name):
    """A server stops in the middle of the page, behind the first explorer, which works, and stays as wide."""
    go_on = threading.Event()

    class Halting(Handler):
        def do_GET(self):
            if page_name not in self.path:
                return super().do_GET()
            body = (site.root / f"{page_name}.html").read_bytes()
            until = body.index(VIEW.encode()) + 1000
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:until])
            self.wfile.flush()
            assert go_on.wait(60)
            self.wfile.write(body[until:])

    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: Halting(*args, directory=str(site.root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}"
    try:
        with guarded_page(browser, origin) as page:
            page.goto(f"{origin}/{page_name}.html", wait_until="commit")
            page.wait_for_function("document.querySelector('[data-explorer]')")
            first_slider_answers(page)
            assert page.evaluate("document.readyState") == "loading"
            width = "document.querySelector('[data-explorer]').clientWidth"
            assert page.evaluate(width) == light.evaluate(width)
            page.guard.check()
    finally:
        go_on.set()
        server.shutdown()
        server.server_close()
