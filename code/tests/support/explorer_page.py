"""An explorer alone on an empty page: what the fixture `mount` shows, and what tests read off it."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import Browser, Locator, Page

from wavebook.explorers.base import Explorer, spec_of

SHIM = """
window.mount = async (esm, css, state, nth) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: css }));
  const host = document.body.appendChild(document.createElement("div")), listeners = {};
  const model = {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    save_changes: () => { host.saved = (host.saved ?? 0) + 1; },
    on: (event, listener) => { (listeners[event] ??= []).push(listener); },
    off(event, listener) {
      listeners[event] = (listeners[event] ?? []).filter((other) => other !== listener);
    },
  };
  host.drawn = 0;
  host.addEventListener("posenc:drawn", () => { host.drawn += 1; });
  window.module = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const cleanup = window.module.default.render({ model, el: host, nth });
  const root = host.firstElementChild;
  const first = JSON.parse(root.dataset.values ?? "null");
  Object.assign(window, { host, model, cleanup, listeners, root, first, atOnce: host.drawn });
};
window.frames = async (count = 2) => {
  for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame);
};
// What asks for the next frame gets it when `act` says so: nothing is painted, or waits for a screen.
window.withoutScreen = async (act) => {
  const frame = window.requestAnimationFrame, due = [];
  window.requestAnimationFrame = (step) => due.push(step);
  try {
    return await act(() => due.splice(0).forEach((step) => step(performance.now())));
  } finally {
    window.requestAnimationFrame = frame;
  }
};
window.picture = () => [...document.querySelectorAll("svg, canvas")].map((drawing) =>
  drawing.getAttribute("aria-label") + (drawing.innerHTML || drawing.toDataURL())).join();
"""

OPTIONS = {"viewport": {"width": 800, "height": 900}, "reduced_motion": "reduce"}
EMPTY = """<!doctype html><html lang='en'><meta name=viewport content='width=device-width'>
<body style='margin: 16px'></body></html>"""


def empty_page(browser: Browser, complaints: list[str], **options) -> Page:
    """A page that writes down what it says on the console, what goes wrong, and what it asks others for."""
    page = browser.new_page(**OPTIONS | options)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.on(
        "request",
        lambda request: request.url.startswith(("blob:", "about:")) or complaints.append(request.url),
    )
    return page


@contextlib.contextmanager
def pages_by_options(
    browser: Browser, begin: Callable[[Page], object] = lambda page: None, **always: Any
) -> Iterator[tuple[Callable[[dict[str, Any]], Page], list[str]]]:
    """By their options, pages that are empty at any address, each begun once, and their complaints."""
    made: dict[str, Page] = {}
    complaints: list[str] = []

    def page(options: dict[str, Any]) -> Page:
        if (key := repr(options)) not in made:
            context = browser.new_context(**always, **options)
            context.route("**/*", lambda route: route.fulfill(body=EMPTY, content_type="text/html"))
            made[key] = context.new_page()
            made[key].on("pageerror", lambda error: complaints.append(str(error)))
            made[key].on("console", lambda message: complaints.append(message.text))
            begin(made[key])
        return made[key]

    yield page, complaints
    for one in made.values():
        one.context.close()


#: Takes away the explorer that is there, by its own cleanup, and whatever a test did to the document; or says
#: that nothing was there. To leave the page for an empty one costs as much as to show an explorer.
AGAIN = """() => {
    if (!('cleanup' in window)) return false;
    cleanup();
    for (const {name} of [...document.documentElement.attributes])
        if (name !== 'lang') document.documentElement.removeAttribute(name);
    document.querySelectorAll('style').forEach((style) => style.remove());
    document.body.outerHTML = "<body style='margin: 16px'></body>";
    scrollTo(0, 0);
    return true;
}"""


def show(page: Page, explorer: Explorer) -> Page:
    """Render an explorer on an emptied page, as a notebook would."""
    if not page.evaluate(AGAIN):
        page.goto("about:blank")
        page.set_content(EMPTY)
        page.evaluate(SHIM)
    return _mount(page, explorer)


def load(page: Page, explorer: Explorer, address: str, nth: int | None = None) -> Page:
    """Load a page, or load it again, and render an explorer on it; as the nth of its kind, as a site does."""
    page.goto(address)
    page.evaluate(SHIM)
    return _mount(page, explorer, nth)


def setting(explorer: Explorer) -> dict[str, Any]:
    """Its traits, as they are."""
    return {trait: getattr(explorer, trait) for trait in spec_of(type(explorer))}


def _mount(page: Page, explorer: Explorer, nth: int | None = None) -> Page:
    state = setting(explorer) | {"prediction": explorer.prediction}
    own = [explorer._esm, explorer._css, state] + ([nth] if nth else [])
    page.evaluate("(own) => mount(...own)", own)
    return page


def numbers(text: str) -> list[float]:
    """The numbers that a text states."""
    return [
        float(number.replace(",", ""))
        for number in re.findall(r"-?\d[\d,]*\.?\d*", text.replace("\u2212", "-"))
    ]


def values(page: Page) -> dict[str, Any]:
    """What the explorer shows, as data."""
    shown: dict[str, Any] = json.loads(page.locator("[data-explorer]").get_attribute("data-values"))
    return shown


def labels(page: Page) -> list[str]:
    """What the drawings say of themselves."""
    return [svg.get_attribute("aria-label") for svg in page.locator("svg").all()]


#: What an explorer's question has said, once it is answered.
SAID = ".answered [role=status]"


def gives_reason(root: Locator) -> bool:
    """Whether the answer gives its reason, in a sentence of its own after what was said and what is right."""
    words = root.locator(SAID).text_content() or ""
    before = 1 + (words.startswith("You ") and ", and that is right." not in words)
    return len(re.findall(r"[.?!](?:\s|$)", words)) > before
