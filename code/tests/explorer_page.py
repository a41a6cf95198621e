"""An explorer alone on an empty page: the fixture `mount`, and what the tests read off the page."""

import re

import pytest

from posenc.explorers.base import spec_of

SHIM = """
window.mount = async (esm, css, state) => {
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
    off: (event, listener) => { listeners[event] = (listeners[event] ?? []).filter((other) => other !== listener); },
  };
  host.drawn = 0;
  host.addEventListener("posenc:drawn", () => { host.drawn += 1; });
  window.module = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const cleanup = window.module.default.render({ model, el: host });
  Object.assign(window, { host, model, cleanup, listeners, root: host.firstElementChild, atOnce: host.drawn });
};
window.frames = async (count = 2) => { for (let i = 0; i < count; i += 1) await new Promise(requestAnimationFrame); };
window.picture = () => [...document.querySelectorAll("svg, canvas")].map((drawing) =>
  drawing.getAttribute("aria-label") + (drawing.innerHTML || drawing.toDataURL())).join();
"""


OPTIONS = {"viewport": {"width": 800, "height": 900}, "reduced_motion": "reduce"}


@pytest.fixture(scope="module")
def usual_page(browser):
    page = browser.new_page(**OPTIONS)
    yield page
    page.close()


@pytest.fixture
def mount(browser, usual_page):
    """A function that renders an explorer alone on an empty page, as a notebook would; the page must stay silent."""
    complaints, watchers = (
        [],
        {
            "pageerror": lambda error: complaints.append(str(error)),
            "console": lambda message: complaints.append(message.text),
            "request": lambda request: (
                request.url.startswith(("blob:", "about:")) or complaints.append(request.url)
            ),
        },
    )
    pages = []

    def show(explorer, **options):
        page = browser.new_page(**OPTIONS | options) if options else usual_page
        if options or page not in pages:
            pages.append(page)
            for event, watcher in watchers.items():
                page.on(event, watcher)
        page.goto("about:blank")
        page.set_content("<!doctype html><html lang='en'><body style='margin: 16px'></body></html>")
        page.evaluate(SHIM)
        state = {trait: getattr(explorer, trait) for trait in spec_of(type(explorer))}
        page.evaluate("([esm, css, state]) => mount(esm, css, state)", [explorer._esm, explorer._css, state])
        return page

    yield show
    for page in pages:
        if page is not usual_page:
            page.close()
        else:
            for event, watcher in watchers.items():
                page.remove_listener(event, watcher)
    assert not complaints


def calls(page, function, arguments):
    """The results of an exported function for a list of arguments, arrays as lists."""
    script = """([name, all]) => all.map((args) => {
        const plain = (value) => typeof value === "number" ? value : Array.from(value, plain);
        return plain(window.module[name](...args)); })"""
    return page.evaluate(script, [function, arguments])


def numbers(text):
    return [
        float(number.replace(",", ""))
        for number in re.findall(r"-?\d[\d,]*\.?\d*", text.replace("\u2212", "-"))
    ]


def labels(page):
    return [svg.get_attribute("aria-label") for svg in page.locator("svg").all()]
