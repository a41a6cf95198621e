"""Build the book at every change and show it: ``python -m bookext.watch`` in the book's root.

The site is served on this machine alone; an open page loads itself again when a build has replaced it, and
stays as it is when a build fails. sphinx-autobuild would know of Sphinx only, not of notebooks and finishing.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

#: What makes the pages, and folders below it that git ignores.
PLACES = ("book", "code", "_config.yml", "_toc.yml")
IGNORED = (".", "__pycache__", "_build", "node_modules")
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


def snapshot(places: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """When each file in `places` was changed, and its size."""
    found = {}
    for place in places:
        walked: Iterable[tuple[str, list[str], list[str]]] = os.walk(place)
        if not place.is_dir():
            walked = [(str(place.parent), [], [place.name])]
        for folder, folders, names in walked:
            folders[:] = [name for name in folders if not name.startswith(IGNORED)]
            for name in names:
                path = Path(folder, name)
                try:
                    status = path.stat()
                except OSError:  # an editor's file that is gone again
                    continue
                found[path] = status.st_mtime_ns, status.st_size
    return found


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
    places = [book / name for name in PLACES]
    builds = Builds()
    serving = server(book / "_build/html", builds, port)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    seen: dict[Path, tuple[int, int]] = {}
    try:
        while True:
            now = snapshot(places)
            if now != seen:
                seen = now
                if subprocess.run([sys.executable, "-m", "bookext.build"], check=False).returncode == 0:
                    builds.done()
                print(
                    f"http://127.0.0.1:{port}/ shows the last build that succeeded; Ctrl-C ends.", flush=True
                )
            time.sleep(0.5)
    except KeyboardInterrupt:
        serving.shutdown()


if __name__ == "__main__":
    main()
