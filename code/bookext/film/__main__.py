"""Make the film of the book in the current folder, whose site is built: a WebM and a poster.

The setting `bookext_film` names a YAML file: a list of scenes. A scene has a ``caption``, and how many
``seconds`` it lasts. With a ``figure``, the name of a page that has an explorer alone, that explorer is
shown in a ``state``, as a link to it says, and ``moves`` says from where to where some of its inputs go.
A caption may have places, ``{name}``, for what the explorer says of itself in ``data-values``. A scene
without a figure is a title. One scene is the ``poster``.

The browser draws each frame and encodes it. Nothing is animated by its clock, so the film is as smooth on
a slow machine.
"""

from __future__ import annotations

import base64
import html
import json
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, ViewportSize

from bookext.book import Book, built
from bookext.browser import launched
from bookext.build import settings
from bookext.data_files import read_yaml
from bookext.film import webm

SIZE: ViewportSize = {"width": 1280, "height": 720}
#: Frames in a second while something moves; a still picture is one frame, and one more each second.
RATE = 12
#: Seconds in which nothing moves, at the beginning of a scene and at its end.
REST = 1.0

_STYLE = """\
body.embed > main > h1, .embed-foot, .figure-menu, .explorer-view .prediction, .explorer-view .controls,
.explorer-view .steps, .explorer-view .hint, .explorer-view .answered, .explorer-view .note {
  display: none !important; }
html, body.embed { overflow: hidden; }
.embed-figure { position: fixed !important; left: 0; top: 0; width: 1000px !important; margin: 0 !important; }
.film-caption { position: fixed; inset: auto 0 0 0; height: 108px; display: flex; align-items: center;
  justify-content: center; text-align: center; padding: 0 70px; background: #1f2328; color: #fff;
  font: 600 31px/1.25 "Waves Sans", sans-serif; text-wrap: balance; }
.film-title { position: fixed; inset: 0; display: flex; align-items: center; justify-content: center;
  text-align: center; padding: 0 120px; background: #1f2328; color: #fff;
  font: 600 52px/1.25 "Waves Sans", sans-serif; }"""

#: Gives the page its look, and makes the figure as large as there is room, without drawing it anew.
_PREPARE = """async ([style, klass, text]) => {
    document.head.append(Object.assign(document.createElement("style"), {textContent: style}));
    document.body.append(Object.assign(document.createElement("div"), {className: klass, textContent: text}));
    await document.fonts.load("600 31px 'Waves Sans'").catch(() => {});
    await document.fonts.ready;
    const figure = document.querySelector(".embed-figure");
    if (!figure) return;
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const [box, drawn] = [figure, figure.querySelector(".panels")].map((one) => one.getBoundingClientRect());
    const scale = Math.min(1200 / drawn.width, 580 / drawn.height, 1.6);
    const x = 640 - box.left - scale * (drawn.left - box.left + drawn.width / 2);
    const y = 302 - box.top - scale * (drawn.top - box.top + drawn.height / 2);
    figure.style.transformOrigin = "0 0";
    figure.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}"""

#: Sets inputs, and waits until the explorer, which draws at most once a frame, has drawn that.
_MOVE = """async (values) => {
    const root = document.querySelector("[data-explorer]");
    for (const [name, value] of Object.entries(values)) {
        const input = root.querySelector(`input[name="${name}"]`);
        if (!input) throw new Error(`the explorer ${root.dataset.explorer} has no input ${name}`);
        input.value = value;
        input.dispatchEvent(new Event("input", {bubbles: true}));
    }
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

#: An encoder in a page; each frame comes as a PNG, and what has been encoded is asked for at the end.
_ENCODER = """([width, height]) => {
    const chunks = [];
    const encoder = new VideoEncoder({
        output: (chunk) => {
            const bytes = new Uint8Array(chunk.byteLength);
            chunk.copyTo(bytes);
            let text = "";
            for (const byte of bytes) text += String.fromCharCode(byte);
            chunks.push({time: chunk.timestamp / 1000, key: chunk.type === "key", data: btoa(text)});
        },
        error: (error) => { globalThis.failed = String(error); },
    });
    encoder.configure({codec: "vp09.00.31.08", width, height, bitrate: 700_000, latencyMode: "quality"});
    globalThis.add = async (png, time, key) => {
        const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
        const frame = new VideoFrame(picture, {timestamp: time * 1000});
        encoder.encode(frame, {keyFrame: key});
        frame.close();
        picture.close();
        if (globalThis.failed) throw new Error(globalThis.failed);
    };
    globalThis.take = async () => { await encoder.flush(); return chunks; };
}"""


@dataclass(frozen=True)
class Scene:
    """What is shown for some seconds."""

    caption: str
    seconds: float
    figure: str = ""
    state: dict[str, Any] = field(default_factory=dict)
    moves: dict[str, list[float]] = field(default_factory=dict)
    poster: bool = False

    def at(self, second: float) -> dict[str, float]:
        """Where its inputs are after so many seconds: they rest, go evenly, and rest.

        >>> scene = Scene("A", 4, "a/b", moves={"position": [0, 10]})
        >>> [scene.at(second)["position"] for second in (0, 1, 2, 3, 4)]
        [0.0, 0.0, 5.0, 10.0, 10.0]
        """
        part = min(1.0, max(0.0, (second - REST) / (self.seconds - 2 * REST)))
        return {name: start + part * (end - start) for name, (start, end) in self.moves.items()}


def read(path: Path) -> list[Scene]:
    """The scenes of a file."""
    return [Scene(**entry) for entry in read_yaml(path)]


def address(scene: Scene, site: Path) -> str:
    """Where the scene's figure is, in its state, and in the state in which its moves begin."""
    name = scene.figure.rpartition("/")[2]
    begins = scene.state | {key: f"{start:g}" for key, (start, _) in scene.moves.items()}
    query = "&".join(f"{name}.{key}={value}" for key, value in begins.items())
    return f"{(site / f'book/{scene.figure}.html').as_uri()}{'?' if query else ''}{query}"


def filled(caption: str, values: dict[str, Any]) -> str:
    """A caption with the explorer's values in its places.

    >>> filled("Token {breaks}", {"breaks": 47})
    'Token 47'
    """

    def value(place: re.Match[str]) -> str:
        if place[1] not in values:
            raise ValueError(f"caption must name values of its explorer, got {place[0]} in {caption!r}")
        return str(values[place[1]])

    return re.sub(r"\{(\w+)\}", value, caption)


def opened(page: Page, scene: Scene, site: Path) -> None:
    """Show the beginning of a scene."""
    if not scene.figure:
        # On any explorer's page, which has the faces; the title covers it.
        page.goto(min(site.glob("book/*/*.html")).as_uri())
        page.evaluate(_PREPARE, [_STYLE, "film-title", scene.caption])
        return
    page.goto(address(scene, site))
    page.wait_for_selector("[data-explorer][data-values]")
    values = json.loads(page.get_attribute("[data-explorer]", "data-values") or "{}")
    page.evaluate(_PREPARE, [_STYLE, "film-caption", filled(scene.caption, values)])


def frames(page: Page, scene: Scene) -> Iterator[tuple[float, bytes]]:
    """The scene's pictures, each with the second at which it comes."""
    last: tuple[dict[str, float], bytes, float] | None = None
    for number in range(round(scene.seconds * RATE)):
        second = number / RATE
        now = scene.at(second)
        if last and now == last[0]:
            if second - last[2] >= 1:
                last = (now, last[1], second)
                yield second, last[1]
            continue
        if now:
            page.evaluate(_MOVE, now)
        last = (now, page.screenshot(), second)
        yield second, last[1]


def make(scenes: list[Scene], site: Path, browser: Browser) -> tuple[bytes, bytes]:
    """The film, and its poster."""
    context = browser.new_context(
        bypass_csp=True, viewport=SIZE, color_scheme="light", reduced_motion="reduce", device_scale_factor=1
    )
    shown, encoder = context.new_page(), context.new_page()

    # Only a page of a secure address may encode; nobody is asked for this one.
    def answer(route: Route) -> None:
        route.fulfill(body="<!DOCTYPE html><title>film</title>", content_type="text/html")

    encoder.route("https://film.invalid/*", answer)
    encoder.goto("https://film.invalid/")
    encoder.evaluate(_ENCODER, [SIZE["width"], SIZE["height"]])
    poster, began = b"", 0.0
    for scene in scenes:
        opened(shown, scene, site)
        for second, picture in frames(shown, scene):
            time_of_frame = round(1000 * (began + second))
            key = second == 0 or second % 2 == 0
            encoder.evaluate(
                "([png, time, key]) => add(png, time, key)",
                [base64.b64encode(picture).decode(), time_of_frame, key],
            )
        if scene.poster:
            poster = shown.screenshot()
        began += scene.seconds
    chunks = [
        webm.Chunk(round(one["time"]), one["key"], base64.b64decode(one["data"]))
        for one in encoder.evaluate("() => take()")
    ]
    context.close()
    return webm.film(chunks, SIZE["width"], SIZE["height"], round(1000 * began)), poster


def embed(book: Book, seconds: float) -> str:
    """The words that put the film into a page: silent, again and again, with controls."""
    name, title = book.slug, html.escape(book.title)
    return (
        f'<video src="{name}.webm" poster="{name}.png" width="{SIZE["width"]}" height="{SIZE["height"]}" '
        f'muted loop controls playsinline preload="none" aria-label="{title}, {seconds:.0f} seconds, silent">'
        "</video>\n"
    )


def main() -> int:
    """Make the film of the book in the current folder."""
    began = time.monotonic()
    folder = Path.cwd()
    book, site = built(folder)
    scenes = read(folder / settings(folder)["sphinx"]["config"]["bookext_film"])
    with launched() as browser:
        film, poster = make(scenes, site, browser)
    out = folder / "_build/film"
    out.mkdir(parents=True, exist_ok=True)
    seconds = sum(scene.seconds for scene in scenes)
    (out / f"{book.slug}.webm").write_bytes(film)
    (out / f"{book.slug}.png").write_bytes(poster)
    (out / "embed.html").write_text(embed(book, seconds), encoding="utf-8")
    sizes = f"{len(film) / 1e6:.1f} MB, poster {len(poster) / 1e3:.0f} kB"
    print(f"{seconds:g} s, {sizes}, made in {time.monotonic() - began:.0f} s: _build/film")
    return 0


if __name__ == "__main__":
    sys.exit(main())
