"""Widgets of a page: what is kept of their state, and what stands in their place."""

from __future__ import annotations

import base64
import json
import re
from types import SimpleNamespace

from docutils import nodes

from bookext.sphinx import stills, widgets

MODELS = {
    "one": {
        "state": {"_esm": "code", "_css": "style", "_view_name": "x", "layout": "IPY_MODEL_l", "position": 3}
    },
    "two": {"state": {"_esm": "code", "_css": "other", "position": 4}},
    "box": {"state": {"children": ["IPY_MODEL_slider", "IPY_MODEL_box", "IPY_MODEL_out"]}},
    "slider": {"state": {"value": 1}},
    "out": {
        "state": {"outputs": [{"output_type": "stream", "text": "t"}, {"data": {"image/svg+xml": "<svg/>"}}]}
    },
}


def test_explorers_are_told_from_other_widgets():
    assert [name for name in MODELS if widgets.is_explorer(MODELS, name)] == ["one", "two"]
    assert not widgets.is_explorer(MODELS, "unknown")


def test_what_a_widget_shows_is_found_inside_it():
    assert widgets.shown_by(MODELS, "box") == {"image/svg+xml": "<svg/>"}
    assert widgets.shown_by(MODELS, "slider") is None


def test_so_is_the_picture_of_an_image_widget():
    buffer = {"path": ["value"], "encoding": "base64", "data": base64.b64encode(b"<svg/>").decode()}
    models = {
        "box": {"state": {"children": ["IPY_MODEL_slider", "IPY_MODEL_image"]}},
        "slider": {"state": {"value": 1}},
        "image": {"state": {"format": "svg+xml"}, "buffers": [buffer]},
    }
    assert widgets.shown_by(models, "box") == {"image/svg+xml": "<svg/>"}
    models["image"]["state"]["format"] = "png"
    assert widgets.shown_by(models, "box") == {"image/png": buffer["data"]}


def test_state_is_pruned_and_shared():
    assert widgets.share_texts(MODELS, ["one", "two", "one"]) == {
        "one": {"state": {"_esm": "code", "_css": "style", "position": 3}},
        "two": {"state": {"_esm": {"same_as": "one"}, "_css": "other", "position": 4}},
    }


def test_modules_that_explorers_share_are_written_once():
    kit, circle, clock = (f"const ${name} = (() => {{\nreturn 1;\n}})();\n" for name in ("kit", "b", "c"))
    texts = {"alone": "export 1;", "one": kit + circle + "export 1;", "two": clock + kit + "export 2;"}
    shared = widgets.share_texts({name: {"state": {"_esm": text}} for name, text in texts.items()}, [*texts])
    assert [shared[name]["state"]["_esm"] for name in texts] == [
        "export 1;",
        [kit, circle, "export 1;"],
        [clock, {"same_as": "one", "piece": 0}, "export 2;"],
    ]


#: An environment whose book gives its stills no face.
ENVIRONMENT = SimpleNamespace(config=SimpleNamespace(bookext_still_face={}))


def test_a_page_without_script_has_the_question_and_its_answer(monkeypatch):
    still = stills.Still(
        "<svg/>", "A dial at 7.", '{"p":7}', "dial", [("<i>p</i>", "7"), ("order", "new")], ["<b>2</b> hands"]
    )
    monkeypatch.setattr(stills, "draw", lambda state: still)
    monkeypatch.setattr(widgets, "add_image", lambda env, content, suffix: f"{content.decode()}{suffix}")
    for prediction, wanted in ((None, ""), ({"printed": "<p>Why? Because.</p>"}, "<p>Why? Because.</p>")):
        view = nodes.container("", mime_type=widgets.VIEW)
        widgets.StaticWidgets.add_still(SimpleNamespace(env=ENVIRONMENT), view, {"prediction": prediction})
        before, picture, after = view.children
        box = '<div class="explorer-still" data-values="{&quot;p&quot;:7}" data-name="dial">'
        assert before.astext() == f"<noscript>{box}{wanted}"
        assert (picture["uri"], picture["alt"]) == ("<svg/>.svg", "A dial at 7.")
        assert after.astext().startswith(
            "<p><i>p</i>: 7; order: new.</p><div><b>2</b> hands</div><p>This figure"
        )


def test_a_module_cannot_end_its_script_element():
    text = widgets.script(widgets.STATE, {"_esm": "a</script>b"}).astext()
    assert text.count("</script>") == 1
    assert json.loads(re.search(r">(.*)</script>$", text)[1]) == {"_esm": "a</script>b"}
