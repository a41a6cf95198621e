"""How soon a reader can move the first explorer of each page, on a processor slowed four times.

    python code/tests/nightly/first_use.py [--site FOLDER] [--repeats 3] [--slowed 4] [--only NAME]

From a server and from the disk. What is measured is the time from the beginning of the navigation until the
frame is shown in which the first explorer is drawn: it listens from then on. Browser and server share the
machine with whatever else runs there, so the least of some visits says most.
"""

from __future__ import annotations

import argparse
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

from harness import REPOSITORY, Handler, Site, documents
from playwright.sync_api import Browser

from bookext.browser import launched

#: Seconds from the beginning until the first drawing is shown: two frames later it has been.
WATCH = """globalThis.shown = new Promise((tell) => addEventListener('posenc:drawn', () =>
    requestAnimationFrame(() => requestAnimationFrame(() => tell(performance.now() / 1000)))));"""


def seconds(browser: Browser, address: str, slowed: float) -> float:
    """How long one visit takes, with nothing in the browser's memory."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    try:
        page = context.new_page()
        page.add_init_script(WATCH)
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        page.goto(address, wait_until="commit")
        return float(page.evaluate("shown"))
    finally:
        context.close()


def with_explorers(site: Site) -> list[str]:
    """The pages that have one."""
    named = [name for name in documents() if (site.root / f"{name}.html").is_file()]
    return [name for name in named if "data-explorers" in (site.root / f"{name}.html").read_text("utf-8")]


def main() -> None:
    """Visit the pages in turn, and print the least of each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--site", type=Path, default=REPOSITORY / "_build/html")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--slowed", type=float, default=4, help="how many times slower the processor is")
    parser.add_argument("--only", default="", help="pages whose name contains this")
    given = parser.parse_args()
    root = given.site.resolve()
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *args: Handler(*args, directory=str(root)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = Site(root, f"http://127.0.0.1:{server.server_port}")
    with launched() as browser:
        pages = [name for name in with_explorers(site) if given.only in name]
        found: dict[str, list[list[float]]] = {name: [[], []] for name in pages}
        for _ in range(given.repeats):
            for name in pages:
                for kind, address in enumerate((site.url(name), site.file_url(name))):
                    found[name][kind].append(seconds(browser, address, given.slowed))
    server.shutdown()
    print(
        f"Seconds until the first explorer is shown, slowed {given.slowed:g} times, least of {given.repeats}:"
    )
    print(f"{'page':24}{'served':>8}{'disk':>8}")
    for name, (served, disk) in found.items():
        print(f"{name:24}{min(served):8.2f}{min(disk):8.2f}")


if __name__ == "__main__":
    main()
