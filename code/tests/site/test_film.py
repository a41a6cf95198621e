"""The film that `make film` has made, played by a browser: `make test MARK=film`."""

from __future__ import annotations

import base64

import pytest
from harness import REPOSITORY
from PIL import Image

from bookext.film.__main__ import SIZE, read

pytestmark = pytest.mark.film

FILM = REPOSITORY / "_build/film/waves-of-position.webm"

#: Plays the film for a moment, then jumps to each time, and says its sizes and what is on the screen: how
#: bright it is, in 160 x 90 places.
WATCH = """async ([film, times]) => {
    const bytes = Uint8Array.from(atob(film), (sign) => sign.charCodeAt(0));
    const src = URL.createObjectURL(new Blob([bytes], {type: "video/webm"}));
    const video = Object.assign(document.createElement("video"), {src, muted: true});
    document.body.append(video);
    const next = (name) => new Promise((done, fail) => {
        video.addEventListener(name, done, {once: true});
        video.addEventListener("error", () => fail(new Error(video.error?.message)), {once: true});
    });
    await next("loadeddata");
    await video.play();
    await new Promise((done) => setTimeout(done, 600));
    video.pause();
    const played = video.currentTime;
    const canvas = Object.assign(document.createElement("canvas"), {width: 160, height: 90});
    const context = canvas.getContext("2d", {willReadFrequently: true});
    const seen = [];
    for (const time of times) {
        const there = next("seeked");
        video.currentTime = time;
        await there;
        context.drawImage(video, 0, 0, 160, 90);
        const {data} = context.getImageData(0, 0, 160, 90);
        seen.push(Array.from({length: 160 * 90}, (_, n) => data[4 * n + 1]));
    }
    return {duration: video.duration, width: video.videoWidth, height: video.videoHeight, played, seen};
}"""


@pytest.fixture(scope="module")
def scenes():
    return read(REPOSITORY / "book/film.yml")


@pytest.fixture(scope="module")
def watched(browser, scenes):
    """What a browser shows of the film a second before each scene ends, and at its beginning."""
    times, began = [], 0.0
    for scene in scenes:
        times += [began + 0.2, began + scene.seconds - 0.5]
        began += scene.seconds
    page = browser.new_page()
    return page.evaluate(WATCH, [base64.b64encode(FILM.read_bytes()).decode(), times])


def spread(picture: list[int], rows: range) -> float:
    """How much the brightness of some rows varies: the standard deviation."""
    values = [value for row in rows for value in picture[160 * row : 160 * (row + 1)]]
    mean = sum(values) / len(values)
    return (sum((value - mean) ** 2 for value in values) / len(values)) ** 0.5


def test_it_plays_for_about_a_minute(watched, scenes):
    assert watched["duration"] == pytest.approx(sum(scene.seconds for scene in scenes), abs=0.2)
    assert 60 <= watched["duration"] <= 90
    assert (watched["width"], watched["height"]) == (SIZE["width"], SIZE["height"])
    assert watched["played"] > 0.1
    assert FILM.stat().st_size < 5e6


def test_each_scene_has_its_figure_and_its_caption(watched, scenes):
    for scene, start, end in zip(scenes, watched["seen"][::2], watched["seen"][1::2], strict=True):
        for picture in (start, end):
            assert spread(picture, range(5, 72) if scene.figure else range(90)) > 8, scene.caption
            assert spread(picture, range(78, 88) if scene.figure else range(90)) > 8, scene.caption


def test_what_moves_has_moved(watched, scenes):
    for scene, start, end in zip(scenes, watched["seen"][::2], watched["seen"][1::2], strict=True):
        pairs = zip(start[: 160 * 75], end[: 160 * 75], strict=True)
        moved = sum(abs(one - other) > 25 for one, other in pairs)
        assert (moved > 40) == bool(scene.moves), (scene.caption, moved)


def test_the_poster_is_a_picture_of_it():
    with Image.open(FILM.with_suffix(".png")) as poster:
        assert poster.size == (SIZE["width"], SIZE["height"])
        assert poster.convert("L").getextrema() != (0, 0)
    assert "muted" in FILM.with_name("embed.html").read_text(encoding="utf-8")


def test_the_scenes_are_of_pages_that_the_site_has(scenes):
    assert sum(scene.poster for scene in scenes) == 1
    for scene in scenes:
        page = REPOSITORY / f"_build/html/book/{scene.figure}.html"
        assert not scene.figure or page.is_file(), scene.figure
