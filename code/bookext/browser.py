"""Find a Chromium for the page tests, or fetch one: `python -m bookext.browser` makes sure there is one.

Debian's Chromium without windows comes first, in which the tests take a fifth less time; then an installed
Chromium or Chrome, then Playwright's own, then its download, then Debian's package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Error, sync_playwright

INSTALLED = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
)
MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
HELP = """\
The page tests need Chromium or Chrome, and none could be found, downloaded or installed.
Do one of these, then run `make test` again:
  Debian, Ubuntu: apt-get install chromium
  macOS, Windows: install Google Chrome or Chromium
  elsewhere:      put a chromium on PATH, or name one: BOOKEXT_BROWSER=/path/to/chromium make test"""


def candidates() -> Iterator[str]:
    """Every browser on this machine that might do, best first."""
    named = os.environ.get("BOOKEXT_BROWSER")
    if named:  # a reader's choice is not second-guessed
        yield named
        return
    yield from filter(None, map(shutil.which, INSTALLED))
    yield from (path for path in MACOS if Path(path).exists())
    with sync_playwright() as playwright:  # it takes a while to start, so it is asked last
        own = playwright.chromium.executable_path
    if Path(own).exists():
        yield own


def arguments() -> list[str]:
    """Chromium's sandbox cannot run as root, which is what a container is."""
    return ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


def starts(path: str) -> bool:
    """Whether the browser at `path` really starts: Ubuntu's `chromium` can be a stub that only names snap."""
    try:
        with sync_playwright() as playwright:
            playwright.chromium.launch(executable_path=path, args=arguments()).close()
    except Error as error:
        print(f"{path} does not start: {str(error).splitlines()[0]}", file=sys.stderr)
        return False
    return True


def ensure_browser() -> str:
    """Return the path of a Chromium that starts; download or install one if there is none."""
    if usable := next(filter(starts, candidates()), None):
        return usable
    if named := os.environ.get("BOOKEXT_BROWSER"):
        raise SystemExit(f"BOOKEXT_BROWSER names {named!r}, which is no browser that starts here")
    ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        ways.append(["sh", "-c", "apt-get update && apt-get install --yes --no-install-recommends chromium"])
    for way in ways:
        print("no browser yet, trying:", " ".join(way), file=sys.stderr)
        # apt must not wait for an answer that nobody gives
        subprocess.run(way, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, stdin=subprocess.DEVNULL)
        if usable := next(filter(starts, candidates()), None):
            return usable
    raise SystemExit(HELP)


@contextmanager
def launched(*more: str) -> Iterator[Browser]:
    """A Chromium with nothing open, and with these arguments more; it ends with the block."""
    path = ensure_browser()  # before Playwright starts here: it cannot be started twice at once
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*arguments(), *more])
        yield browser
        browser.close()


if __name__ == "__main__":
    print("browser:", ensure_browser())
