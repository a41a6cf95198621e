"""A chapter in JupyterLab, as its reader runs it: `make test MARK=lab`. Slow, and so no part of `make test`.

It opens the first chapter as a notebook, runs all its cells, moves a slider by keyboard, and asks the kernel.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import nbformat
import pytest
from harness import SHOW_ALL, WATCH, numbered_chapters, with_explorers
from jupyter_client import BlockingKernelClient
from test_pages_explorers import Explorer

from bookext.lab import give

pytestmark = pytest.mark.lab

PATIENCE = 120_000  # milliseconds; a chapter runs for some seconds, more on a busy machine

# In the kernel: the present values of every explorer that is not hidden from its reader, by model.
VALUES = """
from ipywidgets.widgets.widget import _instances
from wavebook.explorers.base import Explorer, spec_of
{key: {trait: getattr(widget, trait) for trait in spec_of(type(widget))}
 for key, widget in _instances.items() if isinstance(widget, Explorer)}
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory, site):
    """A JupyterLab server of its own, on what `make lab` shows: its address and its runtime folder."""
    pytest.importorskip("jupyterlab")
    home = tmp_path_factory.mktemp("lab")
    give(site.notebook("book/intro").parent, home / "book")
    news = home / "settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    news.parent.mkdir(parents=True)
    news.write_text(
        '{"fetchNews": "false", "checkForUpdates": false}'
    )  # or it asks the reader, and then the network
    places = {
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTERLAB_SETTINGS_DIR": "settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--ServerApp.ip=127.0.0.1",  # the browser knows no names, not even localhost
        "--ServerApp.port=0",
        f"--ServerApp.root_dir={home / 'book'}",
        "--LabApp.expose_app_in_browser=True",
        "--ServerApp.allow_root=True",
    ]
    with open(home / "log", "w") as log:
        server = subprocess.Popen(
            command,
            env=os.environ | {name: str(home / place) for name, place in places.items()},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        deadline = time.monotonic() + 60
        while not (found := list((home / "runtime").glob("jpserver-*.json"))):
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail((home / "log").read_text())
            time.sleep(0.2)
        yield json.loads(found[0].read_text()), home / "runtime"
    finally:
        server.terminate()
        server.wait(20)


@contextlib.contextmanager
def kernel(connection: Path):
    """A second client of a running kernel."""
    client = BlockingKernelClient(connection_file=str(connection))
    client.load_connection_file()
    client.start_channels()
    client.wait_for_ready(timeout=30)
    yield client
    client.stop_channels()


def ask(client, code: str) -> dict:
    """The value of the last expression of `code` in the kernel."""
    results = []
    reply = client.execute_interactive(
        code, timeout=60, output_hook=lambda message: results.append(message["content"].get("data", {}))
    )
    assert reply["content"]["status"] == "ok", reply["content"]
    return ast.literal_eval(next(result["text/plain"] for result in results if "text/plain" in result))


def after(explorer: Explorer, act) -> dict:
    """What an explorer looks like once it has drawn in answer to `act`."""
    drawn = explorer.element.evaluate("root => root.drawn || 0")
    act()
    look = explorer.element.evaluate("(root, drawn) => moved(root, drawn)", drawn)
    assert look, f"{explorer.name} does not draw"
    return look


@pytest.fixture
def page(browser):
    """A window of its own, closed even if the test fails: what is left open, Lab would open again."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()


@pytest.mark.parametrize("chapter", numbered_chapters())
def test_chapter_runs_in_jupyterlab(lab, site, page, chapter):
    server, runtime = lab
    name = chapter.removeprefix("book/")
    made = nbformat.read(site.notebook(chapter), as_version=4)
    cells = [cell for cell in made.cells if cell.cell_type == "code"]
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_init_script(WATCH)
    page.goto(f"{server['url']}lab/workspaces/{name}/tree/{name}.ipynb?token={server['token']}")
    page.wait_for_function(
        "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
    )
    # One question and its answer: a kernel that has said it is idle may still be about to be connected anew,
    # and the answer to what was asked before that is lost.
    answered = page.evaluate("""async () => {
        const { sessionContext } = jupyterapp.shell.currentWidget;
        await sessionContext.ready;
        const answer = await sessionContext.session.kernel.requestExecute({ code: "", silent: true }).done;
        return answer.content.status;
    }""")
    assert answered == "ok"

    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    done = """() => {
        const cells = jupyterapp.shell.currentWidget.content.model.sharedModel.cells
            .filter((cell) => cell.cell_type === 'code' && cell.source.trim())
            .map((cell) => ({source: cell.source, outputs: cell.getOutputs(), count: cell.execution_count}));
        // No cell runs after one that failed.
        const failed = cells.some(({outputs}) => outputs.some((output) => output.output_type === 'error'));
        return (failed || cells.every(({count}) => count)) && cells;
    }"""
    ran = page.wait_for_function(done).json_value()
    assert [cell["source"] for cell in ran] == [cell.source for cell in cells]
    for cell in ran:
        wrong = [
            output
            for output in cell["outputs"]
            if output["output_type"] == "error" or output.get("name") == "stderr"
        ]
        assert not wrong, f"{cell['source']}: {wrong}"
    if chapter not in with_explorers():
        return  # a chapter with a workbench alone, which needs a kernel and no browser: test_notebooks.py

    # To the first explorer: Lab draws only what is near the screen.
    first = next(
        number
        for number, cell in enumerate(
            page.evaluate(
                "jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map((cell) => cell.toJSON())"
            )
        )
        if any("widget-view" in kind for output in cell.get("outputs", []) for kind in output.get("data", {}))
    )
    # Asked for again until it is there: while outputs are being drawn the list's places still move.
    page.wait_for_function(
        """(number) => {
            void jupyterapp.shell.currentWidget.content.scrollToItem(number); // its promise may wait for ever
            return document.querySelector("[data-explorer]")?.checkVisibility();
        }""",
        arg=first,
        polling=500,
    )
    page.evaluate(SHOW_ALL)
    explorer = Explorer(page.locator("[data-explorer]").first)
    name = page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session.kernel.id")
    with kernel(runtime / f"kernel-{name}.json") as client:
        for slider in explorer.sliders():
            trait = slider.get_attribute("name")
            before, look = ask(client, VALUES), explorer.element.evaluate("look")
            slider.focus()  # makes its cell the active one
            cell = page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex")
            # After an answer at the first token, or at all that a model reads, nothing further is drawn.
            at_end = trait == "back" or explorer.name == "model-clock"
            last = slider.input_value() == slider.get_attribute("max") or at_end
            key = "ArrowLeft" if last else "ArrowRight"
            assert after(explorer, partial(slider.press, key))["drawing"] != look["drawing"]
            # Lab has shortcuts on the arrow keys; the slider keeps them to itself.
            assert page.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex") == cell
            moved = {}
            for _ in range(50):  # the message is under way
                now = ask(client, VALUES)
                moved = {
                    (key, name)
                    for key in before
                    for name in before[key]
                    if before[key][name] != now[key][name]
                }
                if moved:
                    break
            assert [name for _, name in moved] == [trait], (
                f"{trait} moved on the screen, in the kernel {moved}"
            )
            ((model, _),) = moved
            # And back: the kernel sets the trait, the slider follows.
            shown = slider.input_value()
            code = f"_instances['{model}'].{trait} = {before[model][trait]!r}; 0"
            after(explorer, partial(ask, client, code))
            assert slider.input_value() != shown
    assert not complaints
    page.evaluate("jupyterapp.commands.execute('kernelmenu:shutdown')")
