"""Every chapter ran in silence for the site, and its workbench answers to its sliders in a live kernel."""

from __future__ import annotations

import ast
import asyncio
import base64
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import jupytext
import nbformat
import pytest
import zmq
import zmq.asyncio
from harness import REPOSITORY, chapters, numbered_chapters, of_each_kind
from jupyter_client.session import Session
from nbclient import NotebookClient
from nbclient.output_widget import OutputWidget
from nbformat.v4 import new_code_cell, new_notebook

from bookext.upstream import look_for_replies

look_for_replies()  # as the build does

# In the kernel: the widget gets the end of its range that it is not at, and later its first value back.
MOVE = """
from ipywidgets.widgets.widget import _instances as every_widget
slider = every_widget["{id}"]
start = slider.value
if hasattr(slider, "options"):
    slider.index = 0 if slider.index else len(slider.options) - 1
else:
    low, high = slider.min, slider.max
    if hasattr(slider, "base"):
        low, high = slider.base**low, slider.base**high
    slider.value = low if slider.value == high else high
"""
RETURN = "slider.value = start"


def needed_by(last: str, before: list[str]) -> list[str]:
    """The cells among those `before` that define, straight or by others, a name that the cell `last` uses."""
    wanted, cells = names(last)[1], []
    for cell in reversed(before):
        defined, used = names(cell)
        if defined & wanted:
            wanted |= used
            cells.insert(0, cell)
    return cells


def names(cell: str) -> tuple[set[str], set[str]]:
    """The names that a cell defines, and those that it uses."""
    defined, used = set(), set()
    for node in ast.walk(ast.parse(cell)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                defined.add(name)
            case ast.alias(name=name, asname=other):
                defined.add(other or name.partition(".")[0])
    return defined, used


class Kernel:
    """A live kernel in the chapters' folder, and what a front end would show of its widgets."""

    def __init__(self):
        place = {"metadata": {"path": str(REPOSITORY / "book")}}
        self.client = NotebookClient(new_notebook(), timeout=300, resources=place)

    def execute(self, code: str) -> None:
        cells = self.client.nb.cells
        cells.append(new_code_cell(code))
        self.client.execute_cell(
            cells[-1], len(cells) - 1
        )  # raises CellExecutionError, which quotes the cell

    def workbenches(self) -> list[tuple[list[str], str]]:
        """For each workbench: the ids of its controls, and of its picture."""
        boxes = [state for state in self.client.widget_state.values() if state["_model_name"] == "VBoxModel"]
        ids = [[child.removeprefix("IPY_MODEL_") for child in box["children"]] for box in boxes]
        return [(children[:-1], children[-1]) for children in ids]

    def picture(self, image: str) -> bytes:
        """What a front end shows of an Image widget."""
        return base64.b64decode(self.client.widget_buffers[image]["value",]["data"])


@pytest.fixture(scope="module")
def kernel():
    """One for all workbenches: what a chapter imports, the next one finds imported."""
    kernel = Kernel()
    with kernel.client.setup_kernel():
        yield kernel


@pytest.mark.over(chapters())
def test_runs_in_silence(site, page_name):
    """No warning, no progress bar: what a cell writes to stderr stands on the page."""
    ran = nbformat.read(site.notebook(page_name), as_version=4)
    cells = [cell for cell in ran.cells if cell.cell_type == "code"][1:]  # the first is for readers alone
    assert all(cell.execution_count for cell in cells if cell.source.strip()), "a cell did not run"
    noise = [
        output.text
        for cell in cells
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert not noise


@pytest.mark.over(chapters())
def test_no_widget_waits_for_a_front_end(site, page_name):
    """An Output widget's contents come from there, and a program in its place may miss the kernel's reply."""
    ran = nbformat.read(site.notebook(page_name), as_version=4)
    states = ran.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {})
    assert "OutputModel" not in {model["model_name"] for model in states.get("state", {}).values()}


@pytest.mark.slow  # a kernel of its own
@pytest.mark.xdist_group("workbenches")
@pytest.mark.parametrize("chapter", of_each_kind(numbered_chapters()))
def test_workbench_redraws(kernel, chapter):
    cells = [
        cell.source for cell in jupytext.read(REPOSITORY / f"{chapter}.md").cells if cell.cell_type == "code"
    ]
    benches = [number for number, cell in enumerate(cells) if "workbench" in names(cell)[1]]
    assert benches, "a chapter ends with a workbench"
    for number in benches:
        known = len(kernel.workbenches())
        kernel.execute("%reset -f")
        for cell in [*needed_by(cells[number], cells[:number]), cells[number]]:
            kernel.execute(cell)
        (workbench,) = kernel.workbenches()[known:]
        assert not faults_of_workbench(kernel, *workbench)


def faults_of_workbench(kernel: Kernel, controls: list[str], image: str) -> list[str]:
    """What is wrong with a workbench, each of whose controls is moved to an end of its range and back."""
    models = {control: kernel.client.widget_state[control] for control in controls}
    faults = [
        f"{model['_model_name']} has not been thought of"
        for model in models.values()
        if model["_model_name"]
        not in {"IntSliderModel", "FloatLogSliderModel", "FloatSliderModel", "SelectionSliderModel"}
    ]
    for control, model in models.items():
        label = model["description"]
        before = kernel.picture(image)
        kernel.execute(MOVE.format(id=control))
        after = kernel.picture(image)
        if b"<svg" not in after:
            faults.append(f"{label}: drawn as {after[:40]!r}")
        elif after == before:
            faults.append(f"{label} moves, and the figure does not change")
        # Back, for the next control: one may make another meaningless, as d_model = 2 does the base.
        kernel.execute(RETURN)
        if kernel.picture(image) != before:
            faults.append(f"{label} comes back, and the figure does not")
    return faults


def test_no_reply_is_slept_through():
    """The kernel's reply comes while nbclient answers a widget: it is heard before anybody asks for it."""

    async def turns() -> None:
        for _ in range(20):  # of the loop, more than any event takes to reach those who wait for it
            await asyncio.sleep(0)

    async def order_of_events() -> list[str]:
        context = zmq.asyncio.Context()
        kernel = zmq.Context.shadow(context.underlying).socket(zmq.ROUTER)
        shell = context.socket(zmq.DEALER)
        try:
            kernel.bind("inproc://shell")  # within the process, what is sent is there at once
            shell.connect("inproc://shell")
            session = Session(key=b"")

            def send(message):
                session.send(shell, message)
                zmq.Socket.shadow(shell.underlying).get(
                    zmq.EVENTS
                )  # takes the signal, as a send does now and then

            channel = SimpleNamespace(socket=shell, send=send)
            widget = OutputWidget(
                "id", {"outputs": []}, SimpleNamespace(session=session, shell_channel=channel), None
            )
            widget.parent_header = {}
            widget.send({})
            identity = kernel.recv_multipart()[0]
            events = []
            heard = asyncio.ensure_future(shell.poll())
            heard.add_done_callback(lambda _: events.append("heard"))
            await turns()  # now it waits
            kernel.send_multipart([identity, b"reply"])
            events.append("replied")
            widget.send({})
            events.append("answered")
            await turns()
            events.append("asked")
            shell.get(zmq.EVENTS)  # nothing else wakes who has missed the signal, not even the next message
            await heard
            return events
        finally:
            kernel.close(0)
            shell.close(0)
            context.term()

    with ThreadPoolExecutor() as elsewhere:  # Playwright's loop runs in this thread
        events = elsewhere.submit(asyncio.run, order_of_events()).result()
    assert events == ["replied", "answered", "heard", "asked"]
