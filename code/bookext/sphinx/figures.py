"""Figures for light and dark pages, and for narrow ones: an SVG figure of a notebook gets its twins."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
from docutils import nodes
from myst_nb.core.render import MimeData, NbElementRenderer
from PIL import Image
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from bookext import upstream

logger = logging.getLogger(__name__)

#: An output may have a form for narrow screens beside its SVG.
NARROW = "application/vnd.bookext.narrow+svg"

_UNITS = {"px": 1, "": 1, "pt": 96 / 72, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4}


def read_palette(path: Path) -> dict[str, dict[str, str]]:
    """Role -> {"light": color, "dark": color}, without the palette's entries that are no such pair."""
    pairs = {
        role: pair
        for role, pair in json.loads(path.read_text(encoding="utf-8")).items()
        if isinstance(pair, dict)
    }
    light = [pair["light"].lower() for pair in pairs.values()]
    if len(set(light)) < len(light):
        raise ValueError(f"{path}: two roles share a light color, so their dark twins cannot be told apart")
    return pairs


def palette_css(palette: Mapping[str, Mapping[str, str]], prefix: str) -> str:
    """The palette as custom properties, whose names begin with a `prefix`, for both themes.

    >>> print(palette_css({"sine": {"light": "#00f", "dark": "#0ff"}}, "book"))
    html { --book-sine: #00f; }
    html[data-theme="dark"] { --book-sine: #0ff; }
    """
    themes = (("html", "light"), ('html[data-theme="dark"]', "dark"))
    return "\n".join(
        f"{selector} {{ {' '.join(f'--{prefix}-{role}: {pair[theme]};' for role, pair in palette.items())} }}"
        for selector, theme in themes
    )


def dark_variant(svg: str, palette: Mapping[str, Mapping[str, str]]) -> str:
    """`svg` with the palette's light colors exchanged for its dark ones, all in one pass.

    >>> dark_variant('fill:#FFFFFF;stroke:#111111', {"a": {"light": "#ffffff", "dark": "#111111"}})
    'fill:#111111;stroke:#111111'
    """
    dark = {pair["light"].lower(): pair["dark"] for pair in palette.values()}
    return re.sub(r"#[0-9a-fA-F]{6}\b", lambda m: dark.get(m[0].lower(), m[0]), svg)


def without_paper(svg: str) -> str:
    """`svg` without the paper that makes it readable in a dark notebook: the page's own shows through.

    >>> without_paper('<svg width="1" style="background:#ffffff"><g style="background:#ffffff"/></svg>')
    '<svg width="1"><g style="background:#ffffff"/></svg>'
    """
    return re.sub(r'(<svg\b[^>]*?) style="background:#\w{6}"', r"\1", svg, count=1)


def index_colors(png: bytes) -> bytes:
    """The same picture with a table of its colors, if these are no more than 256."""
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    colors, index = np.unique(np.asarray(image).reshape(-1, 4), axis=0, return_inverse=True)
    if len(colors) > 256:
        return png
    table = Image.frombytes("P", image.size, index.astype(np.uint8).tobytes())
    table.putpalette(colors[:, :3].tobytes())
    smaller = io.BytesIO()
    table.save(smaller, "PNG", optimize=True, transparency=colors[:, 3].tobytes())
    return min(smaller.getvalue(), png, key=len)


def recompress(svg: str) -> str:
    """`svg` with the pictures inside it, Matplotlib's heatmaps, made smaller; no pixel changes."""
    return re.sub(
        r"(data:image/png;base64,)([\w+/=\s]+)",
        lambda m: m[1] + base64.b64encode(index_colors(base64.b64decode(m[2]))).decode(),
        svg,
    )


def size(path: Path) -> tuple[int, int] | None:
    """Width and height of an SVG or PNG file in CSS pixels; None if it does not say."""
    data = path.read_bytes()
    if path.suffix == ".png":
        width, height = struct.unpack(">II", data[16:24])
        density = re.search(rb"pHYs(.{4}).{4}\x01", data, re.DOTALL)  # dots per metre
        scale = 96 / 0.0254 / struct.unpack(">I", density[1])[0] if density else 1
        return round(width * scale), round(height * scale)
    head = re.search(rb"<svg\b[^>]*>", data)
    if path.suffix != ".svg" or not head:
        return None
    sides = [re.search(rf'\b{side}="([\d.]+)([a-z]*)"'.encode(), head[0]) for side in ("width", "height")]
    width, height = (round(float(m[1]) * _UNITS[m[2].decode()]) if m else None for m in sides)
    return (width, height) if width is not None and height is not None else None


def bundles(document: nodes.document) -> list[nodes.Element]:
    """All outputs of the document's cells."""
    return [node for node in document.findall(nodes.container) if is_bundle(node)]


def formats_of(bundle: nodes.Element) -> dict[str, nodes.Element]:
    """MIME type -> how an output looks in that format."""
    return {child["mime_type"]: child for child in bundle.children if isinstance(child, nodes.Element)}


def is_bundle(node: nodes.Node) -> TypeGuard[nodes.Element]:
    """Whether `node` holds one output of a cell in all its formats, before MyST-NB has picked one."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "mime_bundle"


def cell_of(node: nodes.Node) -> nodes.Element | None:
    """The code cell that `node` is an output of."""
    place: nodes.Node | None = node
    while isinstance(place, nodes.Element):
        if place.get("nb_element") == "cell_code":
            return place
        place = place.parent
    return None


def alt_of(node: nodes.Node) -> str:
    """The alt text that the cell of `node` gives its image; empty if it gives none."""
    cell = cell_of(node)
    options = cell["cell_metadata"] if cell is not None else {}
    return str(options.get("mystnb", {}).get("image", {}).get("alt", ""))


def add_image(env: BuildEnvironment, content: bytes, suffix: str) -> str:
    """Write an image beside MyST-NB's own and return its address as Sphinx wants it."""
    path = upstream.notebook_folder(env) / f"{hashlib.sha256(content).hexdigest()}{suffix}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return "/" + os.path.relpath(path, env.srcdir)


class NarrowForm:
    """Keeps a figure's form for narrow screens until `DarkVariants` puts it beside the other."""

    mime_priority_overrides = ()

    @staticmethod
    def handle_mime(renderer: NbElementRenderer, data: MimeData, inline: bool) -> list[nodes.Element] | None:
        """A node that holds it, or None for all other forms."""
        return [nodes.container("", svg=data.string)] if data.mime_type == NARROW else None


def twins(
    env: BuildEnvironment, image: nodes.image, narrow: str | None, palette: Mapping[str, Mapping[str, str]]
) -> nodes.container:
    """`image`, an SVG file, with its twins; a page shows the one that fits its theme and its width."""
    wide = without_paper(Path(env.srcdir, image["uri"].lstrip("/")).read_text(encoding="utf-8"))
    # The box keeps them apart from a caption, which the theme would hide together with the one it follows.
    box = nodes.container("", classes=["figure-twins"])
    for svg, width in ((wide, "only-wide"), (narrow, "only-narrow")):
        if svg is None:
            continue
        light = recompress(svg)
        for drawn, theme in ((light, "only-light"), (dark_variant(light, palette), "only-dark")):
            twin = image.copy()
            twin["uri"] = add_image(env, drawn.encode(), ".svg")
            twin["classes"] = [*image["classes"], theme, *([width] if narrow else [])]
            box += twin
    return box


class DarkVariants(SphinxTransform):
    """Give every SVG output its twins, and insist that every picture says in words what it shows."""

    default_priority = 401

    def apply(self, **kwargs: Any) -> None:
        """Look at every picture of the page."""
        palette = read_palette(Path(self.env.srcdir, self.config.bookext_palette))
        for bundle in bundles(self.document):
            formats = formats_of(bundle)
            if (
                not formats.keys() & {"image/svg+xml", "image/png"}
                or "application/vnd.jupyter.widget-view+json" in formats
            ):
                continue
            if not alt_of(bundle):
                logger.warning(
                    "a cell shows a picture without alt text: set mystnb.image.alt", location=bundle
                )
            narrow = (
                next(held["svg"] for held in formats[NARROW].findall(nodes.container) if "svg" in held)
                if NARROW in formats
                else None
            )
            for image in list(formats["image/svg+xml"].children) if "image/svg+xml" in formats else []:
                if isinstance(image, nodes.image):
                    image.replace_self(twins(self.env, image, narrow, palette))
