"""The picture of what a reader brought: the hands of the reading, and none where nothing was read."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from posenc import positional_encoding, wavelengths
from posread import diagnose, from_config
from wavebook.look import POSITION, RADIUS, Hands, Seen, draw, hands_of, look

SVG = "{http://www.w3.org/2000/svg}"
ROPE = {"model_type": "llama", "head_dim": 64, "rope_theta": 10_000.0, "max_position_embeddings": 4_096}


def test_a_table_s_hands_are_its_frequencies():
    table = positional_encoding(np.arange(90), 64)
    (hands,) = hands_of(diagnose(table))
    assert np.allclose(2 * np.pi / np.array(hands.omega), wavelengths(64), rtol=1e-6)
    assert hands.length == 89
    picture = ET.fromstring(Seen(diagnose(table))._repr_svg_())
    told = [text.text for text in picture.iter(f"{SVG}text")]
    assert len(told) == len(list(picture.iter(f"{SVG}circle"))) == 10
    assert (told[0], told[-1]) == ("6.28", "47,117")


def test_a_hand_is_where_it_stands_at_its_position():
    picture = ET.fromstring(draw([Hands("", (0.1,), 20)]))
    ((tail, tip),) = [
        [complex(*map(float, point)) for point in zip(*[iter(line.get("points").split())] * 2, strict=True)]
        for line in picture.iter(f"{SVG}polyline")
    ]
    right, up = (tip - tail).real, -(tip - tail).imag  # down is plus in a picture
    assert np.allclose(
        (right, up), (RADIUS * np.sin(0.1 * POSITION), RADIUS * np.cos(0.1 * POSITION)), atol=0.01
    )


@pytest.mark.parametrize(("length", "arcs", "filled"), [(None, 0, 0), (3, 1, 0), (5, 1, 0), (7, 0, 1)])
def test_what_is_passed_is_shaded(length, arcs, filled):
    """A turn takes 6.28 positions; more than half of one is the large arc."""
    picture = ET.fromstring(draw([Hands("", (1.0,), length)]))
    paths = [path.get("d") for path in picture.iter(f"{SVG}path")]
    assert len(paths) == arcs
    assert all(f"A {RADIUS} {RADIUS} 0 {int(length > math.pi)} 1" in path for path in paths)
    assert sum(circle.get("fill") != "none" for circle in picture.iter(f"{SVG}circle")) == filled


def test_types_of_layers_have_a_row_each_and_their_names_do_no_harm():
    (hands,) = hands_of(from_config(ROPE))
    assert (len(hands.omega), hands.length) == (32, 4_096)
    picture = ET.fromstring(draw([hands, Hands("<script>&", (1.0,))]))
    assert "<script>&" in [text.text for text in picture.iter(f"{SVG}text")]
    assert not list(picture.iter(f"{SVG}script"))


def test_where_nothing_is_read_there_is_no_picture(tmp_path):
    path = tmp_path / "pasted.txt"
    path.write_text("\n".join(f"{0.1 * n**2 % 1:.3f}, {0.3 * n**2 % 1:.3f}" for n in range(40)))
    seen = look(str(path))
    assert seen.found.reading is None
    assert seen._repr_svg_() is None
    assert repr(seen) == str(seen.found)
