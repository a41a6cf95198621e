"""A workbench in this process: what is drawn follows its controls. In live kernels: test_notebooks.py."""

import pytest
from ipywidgets import IntSlider
from matplotlib import _mathtext

from wavebook.figures.style import FOR_PAGE, BookFigure, new_figure
from wavebook.workbench import workbench


class Words:
    """A picture of what it was drawn with."""

    def __init__(self, **values):
        self.values = values

    def on_paper(self):
        return f"<svg>{self.values}</svg>"


def test_the_picture_follows_the_controls_and_what_is_fixed_stays():
    first, second = IntSlider(value=3), IntSlider(value=5)
    box = workbench(Words, p=first, base=100, k=second)
    assert box.children[:2] == (first, second)
    (picture,) = box.children[2:]
    assert bytes(picture.value).decode() == "<svg>{'p': 3, 'base': 100, 'k': 5}</svg>"
    first.value, second.value = 7, 8
    assert bytes(picture.value).decode() == "<svg>{'p': 7, 'base': 100, 'k': 8}</svg>"


def test_it_draws_nothing_for_narrow_screens(monkeypatch):
    """Where a notebook runs for a page, other figures do, which takes as long again; nobody would see it."""
    monkeypatch.setenv(FOR_PAGE, "1")
    monkeypatch.setattr(BookFigure, "one_column", lambda figure: pytest.fail("a narrow figure"))
    box = workbench(curve, k=IntSlider(value=3))
    assert b"<svg" in bytes(box.children[-1].value)


def curve(k):
    return new_figure(k, 3)


def test_what_is_drawn_again_parses_no_formula_again(monkeypatch):
    figure = new_figure(3, 3)
    figure.subplots().set_title("$x^2$")
    before = figure.svg()
    monkeypatch.setattr(_mathtext.Parser, "parse", lambda *given: pytest.fail("parsed again"))
    assert figure.svg() == before


def test_a_workbench_without_a_control_is_refused():
    with pytest.raises(TypeError, match="needs a control that can be moved"):
        workbench(Words, p=3)
