"""What the tests of the site work with: the book's documents, a build, a server, and a page under guard."""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from urllib.parse import unquote, urlsplit

from book_source import REPOSITORY, explorer_calls, text_of
from lxml.html import document_fromstring, tostring
from playwright.sync_api import Browser, Locator, Page, Request, Route

from bookext.build import documents as documents_of
from bookext.data_files import read_yaml
from wavebook import explorers

#: Whether a page test keeps a trace of what it did, which doubles what each step costs.
TRACED = "POSENC_TRACES" in os.environ


@cache
def contents() -> dict:
    """What _toc.yml says; read once, since many tests ask for their pages."""
    return read_yaml(REPOSITORY / "_toc.yml")


@cache
def documents() -> list[str]:
    """The names of the book's documents, in reading order: those of _toc.yml."""
    return documents_of(REPOSITORY)


@cache
def online_only() -> list[str]:
    """The documents that neither the PDF nor the EPUB has."""
    config = read_yaml(REPOSITORY / "_config.yml")
    return config["sphinx"]["config"]["bookext_online_only"]


def printed() -> list[str]:
    """The documents that the PDF and the EPUB have, in reading order."""
    return [name for name in documents() if name not in online_only()]


def chapters() -> list[str]:
    """The documents that are notebooks: those whose header names a kernel."""
    return [name for name in documents() if "kernelspec:" in text_of(name)[:1000]]


def numbered_parts() -> list[list[str]]:
    """The chapters proper, part by part: the documents of the table of contents' numbered parts."""
    return [
        [entry["file"] for entry in part["chapters"]] for part in contents()["parts"] if part.get("numbered")
    ]


def numbered_chapters() -> list[str]:
    """The chapters proper."""
    return [name for part in numbered_parts() for name in part]


def with_explorers() -> list[str]:
    """The documents that have an explorer, and not a workbench alone."""
    return [name for name in documents() if "from wavebook.explorers import" in text_of(name)]


def figures_of(name: str) -> list[str]:
    """What the explorers of a page are called in addresses, by its source: "clock", "clock-2"."""
    kinds = Counter()
    found = []
    for call in explorer_calls(text_of(name)):
        slug = getattr(explorers, call.partition("(")[0]).slug
        kinds[slug] += 1
        found.append(slug if kinds[slug] == 1 else f"{slug}-{kinds[slug]}")
    return found


#: What makes a page another kind of page for its scripts and its layout: what its source has, by expressions.
KINDS = (
    "from wavebook.explorers import",
    r"\{prf:theorem\}",
    r"\{exercise\}",
    r"\{quiz\}",
    r"searchable",
    r"\{code-cell\}",
    r"\{deck\}|\{recall\}|\{automodule\}|\{glossary\}|\{bibliography\}",
)


def kind_of(name: str) -> tuple[bool, ...] | str:
    """What kind of page a page is; one that no document is written for is a kind of its own."""
    path = REPOSITORY / f"{name}.md"
    if not path.is_file():
        return name
    text = path.read_text(encoding="utf-8")
    return tuple(bool(re.search(expression, text)) for expression in KINDS)


def of_each_kind(names: Iterable[str]) -> list[str]:
    """The first page of each kind: for a test of what one program does on all of a kind in the same way."""
    first: dict[tuple[bool, ...] | str, str] = {}
    for name in names:
        first.setdefault(kind_of(name), name)
    return list(first.values())


#: For Chromium: no name leads to a host. `Page.route` could refuse, too, by a detour for each request.
CLOSED = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"

#: Pages that no document of the book is written for.
GENERATED = ["search", "genindex"]


def all_pages() -> list[str]:
    """Every page of the site that is read, in reading order."""
    return documents() + GENERATED


@cache
def compress(path: Path) -> bytes:
    """A file as a good server sends it."""
    return gzip.compress(path.read_bytes(), 9)


def read_refused(part: str) -> list[tuple[str, str, str]]:
    """Calls, as text, that data/refused.yml has: each with its error, and an expression of what that says."""
    table = read_yaml(REPOSITORY / "code/tests/data/refused.yml")
    return [
        (call, error, words)
        for calls, error, words in table[part]
        for call in ([calls] if isinstance(calls, str) else calls)
    ]


#: At the end of a page's address: the page with its headings and explorers, without what is between them.
BARE = "?explorers-alone"


@cache
def strip_page(path: Path) -> bytes:
    """A page as it is sent to who asks for its explorers alone; most of its loading is all the rest of it."""
    tree = document_fromstring(path.read_bytes())
    for part in tree.xpath("//main//article//section/*[not(self::section or starts-with(name(), 'h'))]"):
        if not part.xpath("descendant-or-self::script[contains(@type, 'widget')]"):
            part.drop_tree()
    return gzip.compress(tostring(tree, encoding="utf-8", doctype="<!DOCTYPE html>"), 1)


class Handler(SimpleHTTPRequestHandler):
    """A static server that compresses, as every host of such sites does."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            return self.send_error(404)
        body = strip_page(path) if BARE in self.path else compress(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # a page that closes while it still loads
            self.wfile.write(body)

    def log_message(self, *args):
        pass


@dataclass
class Site:
    """The built site: where its files are, and where they are served."""

    root: Path
    origin: str

    def url(self, name: str) -> str:
        """The address of a document ("book/intro") or file ("search.html")."""
        return f"{self.origin}/{name}" if "." in name else f"{self.origin}/{name}.html"

    def file_url(self, name: str) -> str:
        """The same, without a server."""
        return (self.root / f"{name}.html").as_uri()

    def notebook(self, name: str) -> Path:
        """A chapter as a reader gets it, with all outputs: the page offers it for download."""
        return self.root / "_sources" / f"{name}.ipynb"

    def file(self, url: str) -> Path:
        """The file that answers for an address."""
        return self.root / unquote(urlsplit(url).path).lstrip("/")

    def billed(self) -> dict[str, str]:
        """The files that the bill of materials lists, with their hashes."""
        made = json.loads((self.root / "bom.json").read_text(encoding="utf-8"))
        groups = [*made["components"], made["metadata"]["component"]]
        return {
            file["name"]: file["hashes"][0]["content"]
            for group in groups
            for file in group.get("components", [])
        }

    def shipped(self) -> dict[str, str]:
        """The files that the pages are served with, with their hashes."""
        return {
            path.relative_to(self.root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in (self.root / "_static").rglob("*")
            if path.is_file()
        }


def fault_of_site(root: Path, *, of_any_sources: bool = False) -> str | None:
    """Why a site cannot be tested: it is missing, or was built from other texts than the present ones."""
    if not (root / "index.html").is_file():
        return f"there is no site at {root}"
    for name in () if of_any_sources else documents():
        built = root / "_sources" / f"{name}.md"
        if not built.is_file() or built.read_bytes() != (REPOSITORY / f"{name}.md").read_bytes():
            return f"the site at {root} is stale: it was built from another {name}.md"
    return None


#: How a page of a small book begins that has code.
HEADER = """---
jupytext: {text_representation: {format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

"""


def furnish(book: Path, contents: str) -> dict:
    """Put into the folder of a small book what each page of a site needs of this one, and its contents.

    What comes back are this book's settings, to be written there; none of them names a page of this one.
    """
    for folder in ("book/_static", "book/_templates"):
        shutil.copytree(REPOSITORY / folder, book / folder)
    (book / "code/wavebook").mkdir(parents=True)
    shutil.copy(REPOSITORY / "code/wavebook/palette.json", book / "code/wavebook")
    (book / "book/references.bib").touch()
    (book / "_toc.yml").write_text(f"format: jb-book\nroot: book/{contents}")
    config = read_yaml(REPOSITORY / "_config.yml")
    names = ("search", "addresses", "moved", "symbols")
    config["sphinx"]["config"] |= {f"bookext_{name}": "" for name in names}
    config["sphinx"]["config"] |= {"bookext_preload": [], "bookext_models": [], "bookext_formal": {}}
    return config


def build(book: Path) -> subprocess.CompletedProcess:
    """What `make book` runs, in another copy of the book."""
    return subprocess.run(
        [sys.executable, "-m", "bookext.build"],
        cwd=book,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


@dataclass
class Guard:
    """What a page asked for and complained of."""

    requests: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def watch(self, page: Page, origin: str) -> None:
        """Record everything, and what is asked of another host apart."""

        def on_request(request) -> None:
            self.requests.append(request.url)
            if not request.url.startswith((origin, "file:", "data:", "blob:")):
                self.foreign.append(request.url)

        page.on("request", on_request)
        page.on("requestfailed", self.on_failure)
        page.on(
            "response",
            lambda answer: answer.status >= 400 and self.failed.append(f"{answer.status}: {answer.url}"),
        )
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on(
            "console",
            lambda message: (
                message.type in ("error", "warning")
                and self.complaints.append(f"console {message.type}: {message.text}")
            ),
        )

    def on_failure(self, request) -> None:
        # A page that is left while it loads aborts its requests: no fault. What is blocked is in `foreign`.
        if request.failure != "net::ERR_ABORTED" and request.url not in self.foreign:
            self.failed.append(f"{request.failure}: {request.url}")

    def check(self) -> None:
        """Fail if the page reached out, missed a file or complained."""
        assert not self.foreign, f"requests to other hosts: {self.foreign}"
        assert not self.failed, f"requests that failed: {self.failed}"
        assert not self.complaints, f"the page complains: {self.complaints}"


def wait_for(page: Page, expression: str, *, arg=None, timeout: float = 30_000) -> None:
    """What `Page.wait_for_function` does by `eval` in the page, which a page's policy can forbid."""
    end = time.monotonic() + timeout / 1000
    while not page.evaluate(expression, arg):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {timeout / 1000:g} s for {expression}")
        page.wait_for_timeout(20)


@contextlib.contextmanager
def guarded_page(browser: Browser, origin: str, **options) -> Iterator[Page]:
    """A page in a context of its own, watched; `page.guard` is what was seen."""
    context = browser.new_context(
        **{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
    )
    context.set_default_timeout(30_000)
    if TRACED:
        context.tracing.start()  # what was done and what was answered; saved only if a test fails
    page = context.new_page()
    page.guard = Guard()
    page.guard.watch(page, origin)
    page.wait_for_function = partial(wait_for, page)
    yield page
    context.close()


# Watches explorers: how often each has drawn, by the event that bubbles up from it, and what it looks like.
# `look` is what one sees (shapes and pixels, not their text), and what one is told. `moved` waits for the
# drawing after number `drawn`, and gives up when none comes in `patience` frames: a busy page has fewer of
# them in a second, so its patience lasts longer.
WATCH = """
addEventListener('posenc:drawn', ({target}) => { target.drawn = (target.drawn || 0) + 1; });
window.look = (root) => {
    const bare = (svg) => {
        const copy = svg.cloneNode(true);
        copy.removeAttribute('aria-label');
        copy.querySelectorAll('text, title, desc').forEach((element) => element.remove());
        return copy.outerHTML;
    };
    const all = (selector) => [...root.querySelectorAll(selector)];
    return {
        drawn: root.drawn || 0,
        drawing: all('svg').map(bare).concat(all('canvas').map((canvas) => canvas.toDataURL())).join(),
        labels: all('[role=img]').map((drawing) => drawing.getAttribute('aria-label')).join(),
    };
};
window.moved = async (root, drawn, patience = 120) => {
    for (; (root.drawn || 0) <= drawn; patience -= 1) {
        if (!patience) return null;
        await new Promise(requestAnimationFrame);
    }
    return look(root);
};
"""

DRAWN = """document.querySelectorAll('[data-explorer], .explorer-error').length
    >= document.querySelectorAll('script[type$="widget-view+json"]').length"""


#: A control of an explorer, and none of the question that it asks first.
SLIDER = "input[type=range]:not(.prediction *)"
RADIO = "input[type=radio]:not(.prediction *)"

# Presses "Show me" wherever a question is open, and Escape, which ends what happens then; leaves the focus
# where a new page has it.
SHOW_ALL = """[...document.querySelectorAll('[data-prediction][data-state=asking] .asking [type=button]')]
    .forEach((button) => button.click()) || document.activeElement.blur()
    || document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }))"""


#: Hides what is around the explorers of a page. Most of what a step of one costs is the layout of all that.
EXPLORERS_ALONE = """(() => {
    const parts = 'main article section > *, .bd-sidebar, .bd-header, nav, footer';
    document.querySelectorAll(parts).forEach((part) => {
        part.hidden = !part.querySelector('[data-explorer]') && !part.closest('[data-explorer]');
    });
    document.head.append(Object.assign(document.createElement('style'), {
        textContent: '[hidden] { display: none !important }',
    }));
})()"""


#: How many words are read with all folds closed: headings, captions and prose; a formula is one.
VISIBLE_WORDS = r"""() => [...document.querySelectorAll('article :is(p, li, legend, figcaption, h1, h2, h3)')]
    .filter((block) => block.checkVisibility({visibilityProperty: true})
        && !block.closest('pre, table, .derivation, [data-explorer], details:not([open]), .onlyprint')
        && !block.closest('.solution, .explorer-still')
        && ![...block.children].some((child) => /^(P|UL|OL|LI)$/.test(child.tagName)))
    .map((block) => {
        const copy = block.cloneNode(true);
        copy.querySelectorAll('span.math, math').forEach((formula) => formula.replaceWith('x'));
        copy.querySelectorAll('.headerlink').forEach((link) => link.remove());
        return (copy.textContent.match(/[\p{L}\p{N}]+(?:[-'’.,][\p{L}\p{N}]+)*/gu) ?? []).length;
    })
    .reduce((sum, count) => sum + count, 0)"""

#: How far what is seen has moved by itself since the page began to load (cumulative layout shift).
SHIFTED = """async () => {
    let total = 0;
    const observer = new PerformanceObserver((list) => list.getEntries()
        .filter((entry) => !entry.hadRecentInput).forEach((entry) => { total += entry.value; }));
    observer.observe({type: 'layout-shift', buffered: true});
    await new Promise((resolve) => setTimeout(resolve, 50));
    observer.disconnect();
    return total;
}"""


# The theme looks for what scrolls 300 ms after the last change, by the page's own clock; a large one is late.
SETTLED = """async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done, 400));
}"""


#: What the page is told of its medium, as `Page.emulate_media` names it.
MEDIA = """() => {
    const is = (query) => matchMedia(query).matches;
    return {
        media: is('print') ? 'print' : 'screen',
        color_scheme: is('(prefers-color-scheme: dark)') ? 'dark' : 'light',
        reduced_motion: is('(prefers-reduced-motion)') ? 'reduce' : 'no-preference',
        forced_colors: is('(forced-colors)') ? 'active' : 'none',
    };
}"""


# What a page is like, and how it becomes so again; the theme looks for what scrolls after a change of size.
# Each question to a page costs as much as many a test: so it tells its medium, too, and in the end whether a
# pointer has moved, and whether there is a tooltip.
REMEMBER = f"""() => {{
    const root = document.documentElement;
    const stores = [localStorage, sessionStorage].map((store) => Object.entries(store));
    const [focus, place] = [document.activeElement, [scrollX, scrollY]];
    const theme = [root.dataset.theme, root.dataset.mode];
    const folds = new Map([...document.querySelectorAll('details')].map((fold) => [fold, fold.open]));
    if (!('pointed' in window)) {{
        window.pointed = false;
        addEventListener('pointermove', () => {{ window.pointed = true; }}, true);
    }}
    window.restore = () => {{
        [localStorage, sessionStorage].forEach((store, n) => {{
            if (JSON.stringify(Object.entries(store)) === JSON.stringify(stores[n])) return;
            store.clear();
            stores[n].forEach(([name, value]) => store.setItem(name, value));
        }});
        [root.dataset.theme, root.dataset.mode] = theme;
        folds.forEach((open, fold) => {{ fold.open = open; }});
        if (focus !== document.activeElement) {{
            document.activeElement.blur();
            focus.focus({{preventScroll: true}});
        }}
        scrollTo({{left: place[0], top: place[1], behavior: 'instant'}});
        return [pointed, Boolean(document.querySelector('.tooltip'))];
    }};
    return ({MEDIA})();
}}"""


def picture_taker(page: Page) -> Callable[[dict[str, float]], bytes]:
    """A function that takes a picture of a part of the page that is in the window, by the shortest way.

    `Page.screenshot` sets the page's style first: in a chapter that costs more than the picture.
    """
    browser = page.context.new_cdp_session(page)

    def taken(clip: dict[str, float]) -> bytes:
        options = {"clip": {**clip, "scale": 1}, "optimizeForSpeed": True}
        return base64.b64decode(browser.send("Page.captureScreenshot", options)["data"])

    return taken


@contextlib.contextmanager
def same_screen(page: Page, begin: str = MEDIA) -> Iterator[Page]:
    """A page that gets back its size and its medium, which `begin` tells."""
    size, media = page.viewport_size, page.evaluate(begin)
    yield page
    if changed := page.viewport_size != size:
        page.set_viewport_size(size)
    if page.evaluate(MEDIA) != media:
        page.emulate_media(**media)
        changed = True
    if changed:
        page.evaluate(SETTLED)


@contextlib.contextmanager
def restored(page: Page) -> Iterator[Page]:
    """A page that gets back its size, medium, theme, storage, folds, focus, pointer and scroll.

    What a test does to an explorer or to a question it undoes itself: only it knows how.
    """
    with same_screen(page, REMEMBER):
        yield page
    pointed, tooltip = page.evaluate("restore()")
    if pointed:
        page.mouse.move(0, 0)
    if pointed or tooltip:  # which a pointer or the focus had brought up
        page.wait_for_function("!document.querySelector('.tooltip')")
        page.evaluate("window.pointed = false")


def visible(elements: Locator) -> list[bool]:
    """Whether each of some elements is seen. Asked at once: each search through a page takes its time."""
    return elements.evaluate_all("""all => all.map((element) =>
        element.checkVisibility({visibilityProperty: true}) && element.getClientRects().length > 0)""")


def visit(page: Page, url: str, *, shown: bool = True, until: str = "load") -> Page:
    """Open a page and wait until its explorers are drawn.

    Whatever a prediction hides is shown, unless ``shown`` is false.
    """
    page.add_init_script(WATCH)
    page.goto(url, wait_until=until)
    page.wait_for_function(DRAWN)
    if shown:
        page.evaluate(SHOW_ALL)
    return page


#: The faces that may come after the first explorer.
LATE_FACES = re.compile(r"/fonts/(waves-sans-600|stix-two-(math|text-latin-(400-italic|700-normal)))")
#: Those that a served page asks for first of all, and what nothing is drawn without.
FIRST_FACES = re.compile(r"/fonts/(stix-two-text-latin-400-normal|waves-sans-400)")
SHEET = re.compile(r"^http.*/_static/site\.css")


def visit_with_late_faces(page: Page, url: str) -> Page:
    """Open a page, and let its late faces come when its explorers are drawn.

    How soon the first faces come after the style sheet is up to the line, so here they come before it.
    """
    held: list[Route] = []
    waiting: list[Route] = []
    come: set[str] = set()

    def hold(route: Route) -> None:
        held.append(route)

    def release(request: Request) -> None:
        if first := FIRST_FACES.search(request.url):
            come.add(first[1])
        while len(come) == 2 and waiting:
            waiting.pop().continue_()

    def wait(route: Route) -> None:
        waiting.append(route)
        release(route.request)

    page.on("requestfinished", release)
    page.route(SHEET, wait)
    page.route(LATE_FACES, hold)
    visit(page, url, shown=False, until="domcontentloaded")
    page.evaluate("new Promise(requestAnimationFrame)")
    while held:
        held.pop().continue_()
    page.unroute(LATE_FACES)
    page.unroute(SHEET)
    page.remove_listener("requestfinished", release)
    page.wait_for_load_state()
    page.evaluate("document.fonts.ready.then(() => {})")
    return page


def read_through(page: Page) -> Page:
    """Go through the pictures from the beginning to the end, since each is loaded when it comes near."""
    page.evaluate("""async () => {
        for (const image of document.images) {
            if (image.complete || !image.checkVisibility()) continue;
            image.scrollIntoView({block: 'center', behavior: 'instant'});
            await new Promise(requestAnimationFrame);
        }
        scrollTo({top: 0, behavior: 'instant'});
    }""")
    page.wait_for_function(
        "[...document.images].every((image) => image.complete || !image.checkVisibility())"
    )
    return page


@contextlib.contextmanager
def opened(browser: Browser, url: str, origin: str, **options) -> Iterator[Page]:
    """A page opened and read through once, for all tests of one profile.

    `page.loaded` is what it asked for by then, `page.drawings` how often each explorer has drawn but for its
    question's answer, and
    `page.shift` by how much it moved by itself before anybody touched it; late faces come last.
    """
    with guarded_page(browser, origin, **options) as page:
        visit_with_late_faces(page, url)
        page.shift = page.evaluate(SHIFTED)
        page.evaluate(SHOW_ALL)
        read_through(page)
        page.loaded = list(page.guard.requests)
        page.drawings = page.evaluate(
            "[...document.querySelectorAll('[data-explorer]')].map((root) =>"
            "(root.drawn || 0) - (root.dataset.state === 'answered'))"
        )
        yield page
