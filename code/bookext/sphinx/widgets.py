"""Widgets on a page without a kernel: explorers stay alive, all others become the figure they show.

Works between the execution of a notebook and MyST-NB's choice of a format for each output, while an output
still has all its formats at hand.
"""

from __future__ import annotations

import base64
import html
import json
import re
from pathlib import Path
from typing import Any

import dukpy
from docutils import nodes
from lxml.html import HtmlElement
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

from bookext import upstream
from bookext.sphinx import stills
from bookext.sphinx.figures import add_image, alt_of, bundles, formats_of

logger = logging.getLogger(__name__)

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
#: Shown under a still that readers without JavaScript see.
STILL = "This figure has sliders, which need JavaScript; the picture shows where it starts."
#: Shown under a figure that only a kernel can redraw.
LIVE = "Live in JupyterLab: run this notebook to move the sliders."

Models = dict[str, dict[str, Any]]

#: After a line that ends a function: what is between two of those is a piece that another text may have too.
_SEAM = re.compile(r"(?<=\n\}\)\(\);\n)")


def is_explorer(models: Models, model_id: str) -> bool:
    """Whether the widget runs in the page by itself, as an anywidget does."""
    return bool(models.get(model_id, {}).get("state", {}).get("_esm"))


def children(state: Any) -> list[str]:
    """The models that a widget's state refers to.

    >>> children({"a": "IPY_MODEL_x", "b": [1, "IPY_MODEL_y"]})
    ['x', 'y']
    """
    if isinstance(state, str):
        return [state[len("IPY_MODEL_") :]] if state.startswith("IPY_MODEL_") else []
    parts = state.values() if isinstance(state, dict) else state if isinstance(state, list) else []
    return [model for part in parts for model in children(part)]


def shown_by(models: Models, model_id: str) -> dict[str, Any] | None:
    """The first output, in all its formats, that the widget or one of its parts displays, if any.

    That is what an Output widget holds, or an Image widget, whose contents are in its buffers.
    """
    waiting, seen = [model_id], set()
    while waiting:
        current = waiting.pop(0)
        if current in seen:
            continue
        seen.add(current)
        model = models.get(current, {})
        state = model.get("state", {})
        for output in state.get("outputs") or []:
            if "data" in output:
                shown: dict[str, Any] = output["data"]
                return shown
        for buffer in model.get("buffers", []):
            if buffer["path"] == ["value"] and "format" in state:
                svg = state["format"] == "svg+xml"
                content = buffer["data"]
                return {f"image/{state['format']}": base64.b64decode(content).decode() if svg else content}
        waiting += children(state)
    return None


def share_texts(models: Models, wanted: list[str]) -> Models:
    """What a page needs of the widgets' state: the explorers and their own traits, each long text once.

    A text that an earlier widget has too becomes ``{"same_as": <the earlier widget's id>}``. A text of
    several pieces becomes a list, where those of an earlier one are ``{"same_as": <its id>, "piece": n}``.
    """
    texts: dict[str, str] = {}
    pieces: dict[str, dict[str, Any]] = {}
    shared: Models = {}
    for model_id in dict.fromkeys(wanted):
        state: dict[str, Any] = {}
        for name, value in models[model_id]["state"].items():
            if name in ("_esm", "_css"):
                owner = texts.setdefault(value, model_id)
                if owner != model_id:
                    state[name] = {"same_as": owner}
                    continue
                parts = [pieces.get(part, part) for part in _SEAM.split(value)]
                state[name] = value if len(parts) == 1 else parts
                for n, part in enumerate(parts if len(parts) > 1 else []):
                    if isinstance(part, str):
                        pieces[part] = {"same_as": owner, "piece": n}
            elif not name.startswith("_") and name not in ("layout", "tabbable", "tooltip"):
                state[name] = value
        shared[model_id] = {"state": state}
    return shared


def whole(shared: Models) -> Models:
    """The widgets' state with all texts where they belong: what `share_texts` was given.

    >>> both = {"a": {"state": {"_esm": "one", "p": 3}}, "b": {"state": {"_esm": "one", "p": 4}}}
    >>> whole(share_texts(both, ["a", "b"])) == both
    True
    """

    def text(model_id: str, name: str) -> Any:
        value = shared[model_id]["state"][name]
        if isinstance(value, dict):
            return text(value["same_as"], name)
        if not isinstance(value, list):
            return value
        return "".join(
            part if isinstance(part, str) else shared[part["same_as"]]["state"][name][part["piece"]]
            for part in value
        )

    return {
        model_id: {
            "state": {
                name: text(model_id, name) if name in ("_esm", "_css") else value
                for name, value in model["state"].items()
            }
        }
        for model_id, model in shared.items()
    }


def script(mime_type: str, data: Any) -> nodes.raw:
    """`data` as a JSON script of a page."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
    return nodes.raw("", f'<script type="{mime_type}">{body}</script>', format="html")


def number_widgets(page: HtmlElement) -> None:
    """Number a finished page's widgets, whose names are drawn by chance: each build names them alike."""
    scripts = page.xpath(f"//script[@type='{STATE}' or @type='{VIEW}']")
    names: dict[str, str] = {}
    for script in scripts:
        if script.get("type") == STATE:
            for name in json.loads(script.text)["state"]:
                names.setdefault(name, f"widget-{len(names) + 1}")
    for script in scripts if names else []:
        script.text = re.sub("|".join(map(re.escape, names)), lambda found: names[found[0]], script.text)


class StaticWidgets(SphinxTransform):
    """Keep the explorers, with a still beside them, and replace all other widgets by what they show."""

    default_priority = 400  # before the dark variants, which the replaced figures get too

    def apply(self, **kwargs: Any) -> None:
        """Look at every widget of the page, and write the state that is left."""
        models = upstream.take_widget_state(self.env, self.env.docname)
        explorers: list[tuple[str, nodes.Element]] = []
        for bundle in bundles(self.document):
            formats = formats_of(bundle)
            if VIEW not in formats:
                continue
            found = re.search(r'"model_id":\s*"([^"]+)"', formats[VIEW].astext())
            model_id = found[1] if found else ""
            if is_explorer(models, model_id):
                explorers.append((model_id, formats[VIEW]))
                self.add_still(formats[VIEW], models[model_id]["state"])
            else:
                self.replace(bundle, shown_by(models, model_id))
        if explorers:
            state = {
                "version_major": 2,
                "version_minor": 0,
                "state": share_texts(models, [m for m, _ in explorers]),
            }
            explorers[0][1].insert(0, script(STATE, state))

    def add_still(self, view: nodes.Element, state: dict[str, Any]) -> None:
        """Put a picture there, and the question with its answer, for readers without JavaScript."""
        try:
            still = stills.draw(state)
        except dukpy.JSRuntimeError as error:
            name = state.get("_anywidget_id", "an explorer")
            logger.warning(
                "%s cannot draw itself: %s; `make check` finds the line of an error in its JavaScript",
                name,
                str(error).strip().splitlines()[0],
                location=view,
            )
            return
        face = dict(self.env.config.bookext_still_face)
        face.pop("bold", None)  # a page has many stills, and each has its face in it: one
        if file := face.pop("file", None):
            still.svg = stills.with_face(still.svg, file=Path(self.env.srcdir, file), **face)
        picture = nodes.image(
            uri=add_image(self.env, still.svg.encode(), ".svg"),
            alt=alt_of(view) or still.label,
            classes=["dark-light"],
        )
        prediction = state.get("prediction")
        asked = prediction["printed"] if prediction else ""
        data = f'class="explorer-still" data-values="{html.escape(still.values)}" data-name="{still.name}"'
        view.append(nodes.raw("", f"<noscript><div {data}>{asked}", format="html"))
        view.append(picture)
        view.append(nodes.raw("", f"{still.words()}<p>{STILL}</p></div></noscript>", format="html"))

    def replace(self, bundle: nodes.Element, output: dict[str, Any] | None) -> None:
        """Put the figure that a kernel's widget shows in the widget's place."""
        for mime_type, suffix in (("image/svg+xml", ".svg"), ("image/png", ".png")):
            if output and mime_type in output:
                data = output[mime_type]
                content = data.encode() if suffix == ".svg" else base64.b64decode(data)
                image = nodes.image(uri=add_image(self.env, content, suffix), alt=alt_of(bundle))
                bundle.children = [nodes.container("", image, mime_type=mime_type)]
                bundle.children[0].parent = bundle
                note = nodes.paragraph("", LIVE, classes=["live-elsewhere"])
                bundle.parent.insert(bundle.parent.index(bundle) + 1, note)
                return
        logger.warning(
            "a widget is no explorer and shows no figure, so the page cannot show it", location=bundle
        )
        bundle.parent.remove(bundle)
