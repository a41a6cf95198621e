"""Programs that readers are told to draw a figure with: they run, and draw what the page is about."""

from __future__ import annotations

import re

import matplotlib.pyplot as plt
import numpy as np
import pytest
from harness import REPOSITORY

from posenc import positional_encoding, wavelengths

PROGRAM = re.compile(
    r"^:::\{dropdown\} Draw this yourself\n```python\n(.*?)^```\n:::$", re.MULTILINE | re.DOTALL
)


@pytest.fixture
def drawn(request):
    """The axes of a chapter's program, which imports nothing of the book's."""
    text = (REPOSITORY / f"book/{request.param}.md").read_text(encoding="utf-8")
    (program,) = PROGRAM.findall(text)
    assert "posenc" not in program
    assert "wavebook" not in program
    assert len([line for line in program.splitlines() if line and not line.startswith("import")]) <= 6
    with plt.ioff():
        exec(compile(program, request.param, "exec"), {})
    yield plt.gcf().axes
    plt.close("all")


@pytest.mark.parametrize("drawn", ["two-dimensions"], indirect=True)
def test_two_lines_and_a_circle(drawn):
    waves, circle = drawn
    position = waves.lines[0].get_xdata()
    shown = np.stack([line.get_ydata() for line in waves.lines], axis=1)
    assert np.allclose(shown, positional_encoding(position, 2))
    assert np.allclose(np.transpose(circle.lines[0].get_data()), shown)


@pytest.mark.parametrize("drawn", ["many-dimensions"], indirect=True)
def test_the_table_and_some_of_its_waves(drawn):
    table = positional_encoding(np.arange(50), 128)
    assert np.allclose(drawn[0].images[0].get_array(), table)
    assert np.allclose([line.get_ydata() for line in drawn[1].lines], table[:, 0:121:20].T)


@pytest.mark.parametrize("drawn", ["wavelengths"], indirect=True)
def test_the_row_of_wavelengths(drawn):
    assert drawn[0].get_yscale() == "log"
    assert np.allclose(drawn[0].lines[0].get_ydata(), wavelengths(128))


def test_no_other_page_has_one():
    pages = {
        path.stem
        for path in (REPOSITORY / "book").glob("*.md")
        if "Draw this yourself" in path.read_text("utf-8")
    }
    assert pages == {"two-dimensions", "many-dimensions", "wavelengths"}
