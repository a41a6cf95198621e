"""Figures of a page: twins for dark pages, smaller pictures, sizes."""

from __future__ import annotations

import base64
import io
import json
import re

import numpy as np
import pytest
from harness import REPOSITORY
from PIL import Image

from bookext.sphinx import figures

PALETTE = {"sine": {"light": "#0b5fa5", "dark": "#6db7ff"}, "paper": {"light": "#ffffff", "dark": "#14181e"}}


def test_dark_variant_exchanges_the_palette_and_nothing_else():
    svg = '<path style="stroke: #0B5FA5; fill: #123456"/><path fill="#ffffff"/><use href="#0b5fa5ab"/>'
    assert (
        figures.dark_variant(svg, PALETTE)
        == '<path style="stroke: #6db7ff; fill: #123456"/><path fill="#14181e"/><use href="#0b5fa5ab"/>'
    )


def test_the_books_palette_has_twins_for_every_role():
    palette = figures.read_palette(REPOSITORY / "code/wavebook/palette.json")
    for role, pair in palette.items():
        assert figures.dark_variant(pair["light"], palette) == pair["dark"], role
        assert f"--sea-{role}: {pair['dark']};" in figures.palette_css(palette, "sea")


def test_pictures_inside_a_figure_lose_bytes_and_no_pixel():
    random = np.random.default_rng(0)
    colors = random.integers(0, 256, (200, 4), dtype=np.uint8)
    few, many = (
        colors[random.integers(0, 200, (90, 60))],
        random.integers(0, 256, (90, 60, 4), dtype=np.uint8),
    )

    def png(pixels):
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "PNG")
        return buffer.getvalue()

    assert figures.index_colors(png(many)) == png(many), "more colors than a table holds"
    svg = f'<image xlink:href="data:image/png;base64,\n{base64.encodebytes(png(few)).decode()}" width="1"/>'
    slim = figures.recompress(svg)
    assert len(slim) < len(svg) / 3
    assert slim.endswith('" width="1"/>')
    stored = base64.b64decode(re.search(r'base64,([^"]+)"', slim)[1])
    assert (np.asarray(Image.open(io.BytesIO(stored)).convert("RGBA")) == few).all()


def test_a_palette_with_two_equal_colors_is_refused(tmp_path):
    (tmp_path / "p.json").write_text(json.dumps({"a": PALETTE["sine"], "b": PALETTE["sine"]}))
    with pytest.raises(ValueError, match="two roles share"):
        figures.read_palette(tmp_path / "p.json")


def test_sizes_in_css_pixels(tmp_path):
    svg, png, plain = (tmp_path / name for name in ("a.svg", "b.png", "c.png"))
    svg.write_text(
        '<?xml version="1.0"?>\n<svg xmlns="x" width="518.4pt" height="2.5in" viewBox="0 0 1 1">'
        '<svg width="1"/></svg>'
    )
    Image.new("RGB", (1440, 500)).save(png, dpi=(200, 200))
    Image.new("RGB", (30, 20)).save(plain)
    assert (figures.size(svg), figures.size(png), figures.size(plain)) == ((691, 240), (691, 240), (30, 20))
    svg.write_text('<svg viewBox="0 0 1 1"/>')
    assert figures.size(svg) is None
