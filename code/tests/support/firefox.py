"""Firefox as it is installed, driven by WebDriver BiDi, the protocol that it speaks itself.

Playwright, asked to drive an installed Firefox, gives a command that the long-term release does not know, and
Selenium needs a geckodriver, which Debian does not package. Firefox needs neither: started with
--remote-debugging-port it listens on a web socket, to messages that are a standard of the W3C
(https://w3c.github.io/webdriver-bidi). The tests need little of it: a page, its scripts, the keyboard, and
what the page asks for and complains of.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from websockets.sync.client import ClientConnection, connect

INSTALLED = ("firefox-esr", "firefox")
MACOS = "/Applications/Firefox.app/Contents/MacOS/firefox"
PATIENCE = 60  # seconds; a busy machine is slow to start a browser

#: No motion, no news, and nothing beyond this machine: what is not local goes to a proxy that is not there.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.type": 1,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.prefersReducedMotion": 1,
}


def find_firefox() -> str | None:
    """The path of an installed Firefox; a reader's choice is not second-guessed."""
    if named := os.environ.get("POSENC_FIREFOX"):
        return named
    found = [path for name in INSTALLED if (path := shutil.which(name))]
    return next(iter([*found, *filter(os.path.exists, [MACOS])]), None)


class Firefox:
    """A running Firefox with one empty page: its commands, and the events that came in between."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.numbers = itertools.count(1)
        self.events: list[dict] = []
        self.send("session.new", capabilities={})
        self.send("session.subscribe", events=["log.entryAdded", "network"])
        self.page = self.send("browsingContext.create", type="tab")["context"]

    def send(self, method: str, **params) -> dict:
        """Give a command; return its result."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        deadline = time.monotonic() + PATIENCE
        while True:
            message = json.loads(self.socket.recv(timeout=max(0, deadline - time.monotonic())))
            if message.get("id") != number:
                self.events.append(message)
            elif message["type"] == "error":
                raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
            else:
                return message["result"]

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded. The events of the page before it are forgotten."""
        self.send("browsingContext.navigate", context=self.page, url="about:blank", wait="complete")
        self.events.clear()
        self.send("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def evaluate(self, script: str):
        """The value of an expression in the page; what can be written as JSON comes back."""
        expression = f"Promise.resolve({script}).then((value) => JSON.stringify(value ?? null))"
        result = self.send(
            "script.evaluate", expression=expression, target={"context": self.page}, awaitPromise=True
        )
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def before_every_page(self, script: str) -> None:
        """Run a script in every page, before its own."""
        self.send("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def press(self, key: str) -> None:
        """Press a key, by its code in WebDriver's list, and let it go."""
        actions = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": actions}
        self.send("input.performActions", context=self.page, actions=[keyboard])

    def drag(self, start: list[float], end: list[float], moves: int = 4) -> None:
        """Press the mouse at one place of the window, in pixels, move it to another, and let it go."""
        there, *path = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 20}
            for x, y in np.linspace(start, end, moves + 1)
        ]
        actions = [there, {"type": "pointerDown", "button": 0}, *path, {"type": "pointerUp", "button": 0}]
        mouse = {"type": "pointer", "id": "mouse", "actions": actions}
        self.send("input.performActions", context=self.page, actions=[mouse])

    def resize(self, width: int, height: int) -> None:
        """Give the page another size."""
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self.page, viewport=size)

    def complaints(self, origin: str) -> list[str]:
        """What the page did since it was opened that it should not: ask others, miss a file, complain."""
        return [fault for event in self.events if (fault := self.fault(event, origin))]

    def fault(self, event: dict, origin: str) -> str | None:
        params = event["params"]
        context = params.get("context") or params.get("source", {}).get("context")
        if context != self.page:
            return None  # the browser's own business
        match event["method"]:
            case "log.entryAdded" if params["level"] in ("error", "warn"):
                return f"{params['level']}: {params['text']}"
            case "network.beforeRequestSent" if not params["request"]["url"].startswith(
                (origin, "about:", "data:", "blob:")
            ):
                return f"foreign: {params['request']['url']}"
            case "network.fetchError" if params["errorText"] != "NS_BINDING_ABORTED":  # as a page is left
                return f"{params['errorText']}: {params['request']['url']}"
            case "network.responseCompleted" if params["response"]["status"] >= 400:
                return f"{params['response']['status']}: {params['request']['url']}"
        return None


@contextlib.contextmanager
def start(program: str, profile: Path) -> Iterator[Firefox]:
    """Start Firefox with an empty profile, and end it."""
    profile.mkdir(parents=True)
    lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
    with open(profile / "log", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        address = profile / "WebDriverBiDiServer.json"  # written once it listens
        deadline = time.monotonic() + PATIENCE
        while not (address.is_file() and (text := address.read_text(encoding="utf-8"))):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{program} does not start: {(profile / 'log').read_text()}")
            time.sleep(0.05)
        server = json.loads(text)
        with connect(
            f"ws://{server['ws_host']}:{server['ws_port']}/session", max_size=None, proxy=None
        ) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(20)
