"""What runs explorers in a page without a kernel, in a browser: host.js."""

from __future__ import annotations

import json
import shutil
import time

import pytest
from harness import REPOSITORY

from bookext.sphinx import widgets

COUNTER = """
export default {
  initialize({ model }) { model.set("started", (model.get("started") || 0) + 1); },
  render({ model, el }) {
    window.order.push("drawn");
    const show = () => { el.textContent = `${model.get("count")}/${model.get("started")}`; };
    model.on("change:count", show);
    model.on("change", () => window.order.push("changed"));
    window.model = model;
    show();
  },
};
"""


@pytest.fixture
def hosted(browser, tmp_path):
    """A page with late scripts and four views: two of one widget, a broken one, one without state."""
    state = {
        "a": {
            "state": {"_esm": ["// A piece.\n", COUNTER], "_css": "body { color: rgb(1, 2, 3) }", "count": 7}
        },
        "b": {
            "state": {
                "_esm": [
                    {"same_as": "a", "piece": 0},
                    "export default { render() { throw new Error('planted') } }",
                ],
                "_css": {"same_as": "a"},
            }
        },
    }
    views = "".join(
        f'<div id="v{i}"><script type="{widgets.VIEW}">{{"model_id": "{m}"}}</script></div>'
        for i, m in enumerate("aabz")
    )
    shutil.copy(REPOSITORY / "code/bookext/static/host.js", tmp_path / "host.js")
    (tmp_path / "late.js").write_text("let setting = 1; order.push('file')")
    (tmp_path / "page.html").write_text(
        '<!doctype html><html data-theme="dark"><script>window.order = []</script>'
        '<script async src="host.js"></script>'
        f'<script type="{widgets.STATE}">{json.dumps({"state": state})}</script>{views}<details></details>'
        '<script type="text/late" data-src="late.js"></script>'
        '<script type="text/late">order.push("inline " + typeof setting)</script></html>'
    )
    page = browser.new_page()
    page.route(
        "**/late.js", lambda route: (time.sleep(0.5), route.continue_())
    )  # the inline script must wait for it
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("order.some((entry) => entry.startsWith('inline'))")
    yield page
    page.close()


def test_explorers_draw_before_late_scripts_run(hosted):
    order = hosted.evaluate("order")
    assert order[-2:] == ["file", "inline number"]
    assert order.count("drawn") == 2
    assert hosted.locator("style").count() == 1
    assert hosted.evaluate("getComputedStyle(document.body).color") == "rgb(1, 2, 3)"


def test_views_of_one_widget_move_together(hosted):
    shown = [hosted.locator(f"#v{i} .explorer-view") for i in range(2)]
    assert [view.inner_text() for view in shown] == ["7/1", "7/1"], "initialised once"
    hosted.evaluate(
        "order.length = 0; model.set('count', 7); model.set({count: 8}); model.save_changes(); model.send({})"
    )
    assert [view.inner_text() for view in shown] == ["8/1", "8/1"]
    assert hosted.evaluate("order") == [
        "changed",
        "changed",
    ]
    hosted.evaluate("model.off('change:count'); model.set('count', 9)")
    assert shown[0].inner_text() == "8/1"
    assert hosted.evaluate("model.get('count')") == 9


def test_a_broken_explorer_says_so_in_its_place(hosted):
    broken, lost = (hosted.locator(f"#v{i} [role=alert]").inner_text() for i in (2, 3))
    assert "planted" in broken
    assert "no state" in lost


def test_paper_is_light_and_open(hosted):
    state = "[document.documentElement.dataset.theme, document.querySelector('details').open]"
    hosted.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert hosted.evaluate(state) == ["light", True]
    hosted.evaluate("dispatchEvent(new Event('afterprint'))")
    assert hosted.evaluate(state) == ["dark", False]
