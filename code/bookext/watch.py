"""Build the book at every change and show it: ``python -m bookext.watch`` in the book's root.

The site is served on this machine alone; an open page loads itself again when a build has replaced it, and
stays as it is when a build fails. sphinx-autobuild would know of Sphinx only, not of notebooks and finishing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import watchfiles

from bookext.build import documents, settings
from bookext.hashes import LEFT

#: What of the book's own folder makes pages beside its documents.
TOP = ("_config.yml", "_toc.yml", "CHANGELOG.md", "CITATION.cff")
#: Where a page asks whether there is a newer one.
NEWS = "/newer-than/"
#: Asks, from a file of its own: a page's policy lets no other script run.
_RELOAD = """(async () => {{
  for (;;) {{
    const answer = await fetch("{news}{number}").catch(() => null);
    if (answer?.status === 200) return location.reload();
    if (!answer) await new Promise((next) => setTimeout(next, 1000));
  }}
}})();
"""


def places(book: Path, config: Mapping[str, Any], names: Iterable[str]) -> list[Path]:
    """The folders in which the pages of a `book` are made: of its documents, its packages, and this one.

    Its own is not among them. The `names` are those of its documents, as in "book/order".
    """
    sphinx = config["sphinx"]["config"]
    folders = [(book / name).parent for name in names]
    folders += [book / place for place in sphinx.get("bookext_packages", {}).values()]
    static = [name for key in ("html_static_path", "templates_path") for name in sphinx.get(key, [])]
    folders += [book / name for name in static]
    folders.append(Path(__file__).parent)
    found = sorted({folder.resolve() for folder in folders if folder.is_dir() and folder != book})
    return [one for one in found if not set(one.parents) & set(found)]


def within(folders: Iterable[Path]) -> Callable[[watchfiles.Change, str], bool]:
    """Whether a change in one of the `folders` counts.

    >>> from watchfiles import Change
    >>> counts = within([Path("/.b/code")])
    >>> counts(Change.modified, "/.b/code/x/a.py"), counts(Change.added, "/.b/code/x/__pycache__/a.pyc")
    (True, False)
    """
    roots = list(folders)

    def counts(change: watchfiles.Change, name: str) -> bool:
        path = Path(name)
        return any(
            root in path.parents and not any(part.startswith(LEFT) for part in path.relative_to(root).parts)
            for root in roots
        )

    return counts


def at_top(change: watchfiles.Change, name: str) -> bool:
    """Whether a change in the book's own folder counts.

    >>> from watchfiles import Change
    >>> at_top(Change.modified, "/b/_toc.yml"), at_top(Change.modified, "/b/README.md")
    (True, False)
    """
    return Path(name).name in TOP


def signal_changes(book: Path, folders: Iterable[Path], changed: threading.Event) -> threading.Event:
    """Set `changed` whenever something changes that counts; return what ends this when it is set."""
    end = threading.Event()

    def look(*paths: Path, counts: Callable[[watchfiles.Change, str], bool], deep: bool) -> None:
        for _ in watchfiles.watch(
            *paths, watch_filter=counts, recursive=deep, stop_event=end, raise_interrupt=False
        ):
            changed.set()

    below = list(folders)
    for paths, counts, deep in (([book], at_top, False), (below, within(below), True)):
        what = {"counts": counts, "deep": deep}
        threading.Thread(target=look, args=paths, kwargs=what, daemon=True).start()
    return end


class Builds:
    """How many builds there have been, and a way to wait for the next one."""

    def __init__(self) -> None:
        self.number = 0
        self._changed = threading.Condition()

    def done(self) -> None:
        """Say that the site is new."""
        with self._changed:
            self.number += 1
            self._changed.notify_all()

    def newer_than(self, number: int, seconds: float) -> bool:
        """Wait for a build after `number`, up to some seconds; whether there is one."""
        with self._changed:
            return self._changed.wait_for(lambda: self.number > number, seconds)


def server(site: Path, builds: Builds, port: int) -> ThreadingHTTPServer:
    """A server of the site on this machine, whose pages ask for the next build."""

    class Handler(SimpleHTTPRequestHandler):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments, directory=str(site))  # type: ignore[arg-type]  # as the server calls it

        def do_GET(self) -> None:
            if self.path.startswith(NEWS) and self.path.endswith(".js"):
                number = self.path.removeprefix(NEWS).removesuffix(".js")
                return self.send("text/javascript", _RELOAD.format(news=NEWS, number=number))
            if self.path.startswith(NEWS):
                newer = builds.newer_than(int(self.path.removeprefix(NEWS)), 30)
                self.send_response(200 if newer else 204)
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            path = Path(self.translate_path(self.path))
            if path.suffix != ".html" or not path.is_file():
                return super().do_GET()
            script = f'<script src="{NEWS}{builds.number}.js"></script></body>'
            self.send("text/html", path.read_text(encoding="utf-8").replace("</body>", script))

        def send(self, kind: str, text: str) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def end_headers(self) -> None:
            self.send_header("Cache-Control", "no-store")
            super().end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    return ThreadingHTTPServer(("127.0.0.1", port), Handler)


def main(arguments: list[str] | None = None) -> None:
    """Build, serve, and build again at every change, until interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m bookext.watch", description="Build the book at every change."
    )
    parser.add_argument("--port", type=int, default=8000)
    port: int = parser.parse_args(arguments).port
    book = Path.cwd()
    builds = Builds()
    serving = server(book / "_build/html", builds, port)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    changed = threading.Event()
    end = signal_changes(book, places(book, settings(book), documents(book)), changed)
    try:
        while True:
            changed.clear()  # before the build, during which more may change
            if subprocess.run([sys.executable, "-m", "bookext.build"], check=False).returncode == 0:
                builds.done()
            print(f"http://127.0.0.1:{port}/ shows the last build that succeeded; Ctrl-C ends.", flush=True)
            while not changed.wait(1):  # in steps, so that Ctrl-C is heard on Windows too
                pass
    except KeyboardInterrupt:
        end.set()
        serving.shutdown()


if __name__ == "__main__":
    main()
