"""Draws the picture that README begins with, of the built book's first page.

Run it as `python code/tools/front_picture.py`.

The page is opened as a reader sees it who wants less motion, so that each run draws the same; the picture has
few colors, which keeps it small. Build the book first.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from bookext.browser import launched

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "_build/html/book/intro.html"
PICTURE = REPOSITORY / "book/_static/front.png"
SIZE = {"width": 1280, "height": 704}
COLORS = 96
LIMIT = 150_000  # bytes


def main() -> None:
    """Open the page, and store what is seen."""
    with launched() as browser:
        page = browser.new_page(viewport=SIZE, reduced_motion="reduce", color_scheme="light")
        page.goto(PAGE.as_uri())
        page.wait_for_selector("[data-explorer]")
        page.evaluate("document.fonts.ready")
        page.add_style_tag(content=".bd-header-article { visibility: hidden }")
        shot = page.screenshot()
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.quantize(COLORS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)
    size = PICTURE.stat().st_size
    assert size <= LIMIT, f"{PICTURE} has {size:,} bytes"
    print(f"{PICTURE}: {size:,} bytes")


if __name__ == "__main__":
    main()
