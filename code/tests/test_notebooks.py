"""Every notebook runs from top to bottom as its reader runs it, and its workbench answers to its sliders."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import jupytext
import pytest
import zmq
import zmq.asyncio
from harness import REPOSITORY, chapters, numbered_chapters
from jupyter_client.session import Session
from nbclient import NotebookClient
from nbclient.output_widget import OutputWidget
from nbformat.v4 import new_code_cell

from bookext.execution import heed_replies

heed_replies()  # as the build does

# In the kernel: the widget gets the end of its range that it is not at, and later its first value back.
MOVE = """
from ipywidgets.widgets.widget import _instances as every_widget
slider = every_widget["{id}"]
start = slider.value
if hasattr(slider, "options"):
    slider.index = 0 if slider.index else len(slider.options) - 1
else:
    low, high = (slider.base**slider.min, slider.base**slider.max) if hasattr(slider, "base") else (slider.min, slider.max)
    slider.value = low if slider.value == high else high
"""
RETURN = "slider.value = start"


class Notebook:
    """A chapter with a live kernel. `outputs(id)` is what an Output widget shows, as a front end would see it."""

    def __init__(self, name: str):
        self.cells = jupytext.read(REPOSITORY / f"{name}.md")
        self.client = NotebookClient(
            self.cells,
            timeout=300,
            resources={"metadata": {"path": str(REPOSITORY / name).rpartition("/")[0]}},
        )

    def run(self) -> None:
        for number, cell in enumerate(self.cells.cells):
            self.client.execute_cell(cell, number)  # raises CellExecutionError, which quotes the cell

    def widgets(self, *models: str) -> dict[str, dict]:
        return {
            key: state for key, state in self.client.widget_state.items() if state["_model_name"] in models
        }

    def workbenches(self) -> list[tuple[list[str], str]]:
        """For each `interact`: the ids of its controls, and of its output."""
        boxes = [
            state
            for state in self.widgets("VBoxModel").values()
            if "widget-interact" in state["_dom_classes"]
        ]
        ids = [[child.removeprefix("IPY_MODEL_") for child in box["children"]] for box in boxes]
        return [(children[:-1], children[-1]) for children in ids]

    def outputs(self, output: str) -> list:
        return self.client.widget_state[output]["outputs"]

    def execute(self, code: str) -> None:
        self.cells.cells.append(new_code_cell(code))
        self.client.execute_cell(self.cells.cells[-1], len(self.cells.cells) - 1)


@pytest.fixture(scope="module", params=chapters())
def notebook(request):
    notebook = Notebook(request.param)
    with notebook.client.setup_kernel():
        notebook.run()
        notebook.name = request.param
        yield notebook


def test_runs_in_silence(notebook):
    """No warning, no progress bar: what a cell writes to stderr stands on the page."""
    noise = [
        output.text
        for cell in notebook.cells.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "stream" and output.name == "stderr"
    ]
    assert not noise


def test_workbench_redraws(notebook):
    workbenches = notebook.workbenches()
    if notebook.name in numbered_chapters():
        assert workbenches, "a chapter ends with a workbench"
    for controls, output in workbenches:
        models = {notebook.client.widget_state[control]["_model_name"] for control in controls}
        assert models <= {"IntSliderModel", "FloatLogSliderModel", "FloatSliderModel", "SelectionSliderModel"}
        for control in controls:
            label = notebook.client.widget_state[control]["description"]
            before = notebook.outputs(output)
            notebook.execute(MOVE.format(id=control))
            after = notebook.outputs(output)
            kinds = [out["output_type"] for out in after]
            assert kinds == ["display_data"], f"{label}: the workbench shows {after}"
            assert {"image/svg+xml", "image/png"} & after[0]["data"].keys()
            assert after[0]["data"] != before[0]["data"], f"{label} moves, and the figure does not change"
            # Back, for the next control: one may make another meaningless, as d_model = 2 does the base.
            notebook.execute(RETURN)
            assert notebook.outputs(output)[0]["data"] == before[0]["data"], (
                f"{label} comes back, and the figure does not"
            )


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
