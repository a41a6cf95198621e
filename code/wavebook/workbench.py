"""Sliders that redraw a figure, where a notebook has a kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import ipywidgets


class Drawn(Protocol):
    """What can be shown as an SVG, as the book's figures can."""

    def on_paper(self) -> str:
        """The SVG."""


def workbench(draw: Callable[..., Drawn], /, **controls: object) -> ipywidgets.VBox:
    """Show what a function draws, below a control for each of its arguments.

    A control is a widget of ipywidgets, or a value that stays as it is; a TypeError says if none is a widget.
    Above the figure, which follows them, are the controls that can be moved.

    In the place of `ipywidgets.interact`. That one shows its figure in an Output widget, whose contents the
    front end has to send back to the kernel. Where a program plays the front end, as for
    ``jupyter nbconvert --execute``, that may swallow the news that the kernel has answered, and the notebook
    then waits for ever (https://github.com/jupyter/nbclient/issues/312). An Image widget sends nothing back.

    >>> from ipywidgets import IntSlider
    >>> from wavebook.figures.order import sentence
    >>> box = workbench(sentence, position=IntSlider(value=0, max=9), d_model=4, base=100)
    >>> slider, picture = box.children
    >>> before = picture.value
    >>> slider.value = 5
    >>> before == picture.value, bytes(picture.value[:5])
    (False, b'<?xml')
    """
    from ipywidgets import Image, Layout, ValueWidget, VBox

    moved = {name: control for name, control in controls.items() if isinstance(control, ValueWidget)}
    if not moved:
        raise TypeError(f"a workbench needs a control that can be moved, not {controls!r}")
    picture = Image(format="svg+xml", layout=Layout(max_width="100%", object_fit="contain"))

    def redraw(change: object = None) -> None:
        values = controls | {name: control.value for name, control in moved.items()}
        picture.value = draw(**values).on_paper().encode()

    for control in moved.values():
        control.observe(redraw, "value")
    redraw()
    return VBox([*moved.values(), picture])
