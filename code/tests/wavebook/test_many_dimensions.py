"""The explorers of the chapter "Many dimensions": their geometry, and what they draw and say."""

import math
import re

import numpy as np
import pytest
from explorer_page import numbers, values

from posenc import encoding_distance, frequencies, positional_encoding, shift_matrix, wavelengths
from posenc.rotation import LAYOUTS, layout_order
from wavebook.explorers import BlockShift, Heatmap, Torus
from wavebook.palette import PALETTE


@pytest.mark.parametrize(
    ("base", "fraction"),
    [(6.25, [5, 2]), (4, [2, 1]), (5, None)],
)
def test_torus_says_whether_it_closes(mount, base, fraction):
    page = mount(Torus(base=base, position=20))
    shown = values(page)
    assert shown["fraction"] == fraction
    assert shown["closes_after"] == (fraction and pytest.approx(2 * math.pi * fraction[0], rel=1e-5))
    assert ("never closes" in page.locator(".words").text_content()) == (fraction is None)
    turns = [2 * math.pi * n for n in range(1, 4)]
    gaps = [float(encoding_distance(turn, 4, base)) for turn in turns]
    assert shown["nearest_return"] == 1 + int(np.argmin(np.round(gaps, 9)))
    assert shown["nearest_distance"] == pytest.approx(min(gaps), rel=1e-5, abs=1e-8)


def test_the_square_has_the_true_slope(mount):
    page = mount(Torus(base=6.25, position=9))
    pieces = page.evaluate(
        """[...root.querySelectorAll('svg')[1].querySelectorAll("path[class='']")]
        .map((path) => path.getAttribute('d'))"""
    )
    ends = np.array([[point.split() for point in piece[1:].split("L")] for piece in pieces], float)
    step = ends[:, 1] - ends[:, 0]
    np.testing.assert_allclose(-step[:, 1] / step[:, 0], 2.5, rtol=0.02)
    side = float(
        page.evaluate("root.querySelectorAll('svg')[1].querySelector('.muted.hair').getBBox().width")
    )
    assert -step[:, 1].sum() == pytest.approx(side * 9 / (2 * math.pi), rel=0.01)


@pytest.mark.parametrize(
    ("position", "d_model", "base", "pair"),
    [(37, 128, 1e4, 8), (199, 512, 200.0, 255), (0, 2, 50.0, 0), (5, 8, 1e4, 255)],
)
def test_heatmap_states_and_draws_what_python_computes(mount, position, d_model, base, pair):
    page = mount(Heatmap(position=position, d_model=d_model, base=base, pair=pair))
    i, encoding = min(pair, d_model // 2 - 1), positional_encoding(position, d_model, base)
    shown, waves = values(page), wavelengths(d_model, base)
    assert [shown["sine"], shown["cosine"]] == pytest.approx(encoding[2 * i : 2 * i + 2], rel=1e-5)
    assert [shown["wavelength"], shown["last_wavelength"]] == pytest.approx(waves[[i, -1]], rel=1e-5)
    assert (shown["pair"], shown["pairs"], shown["turning_pairs"]) == (i, d_model // 2, (waves <= 200).sum())
    stems = page.evaluate(
        """['sine', 'cosine'].map((role) => root.querySelector(`path.${role}`).getAttribute('d'))"""
    )
    for part, drawn in enumerate(stems):
        (zero, *_), tops = zip(
            *[map(float, stem.split(" ")[1].split("V")) for stem in drawn.split("M")[1:]], strict=True
        )
        np.testing.assert_allclose((zero - np.array(tops)) / 46, encoding[part::2], atol=0.05 / 46 * 2)


def test_the_pair_stays_within_the_width(mount):
    page = mount(Heatmap(d_model=512, pair=255))
    page.locator("input[name=d_model]").fill("8")
    page.evaluate("frames()")
    slider = page.locator("input[name=pair]")
    assert (slider.get_attribute("max"), slider.input_value()) == ("3", "3")
    assert values(page)["pair"] == 3
    assert (
        slider.get_attribute("aria-valuetext")
        == "3"
        == page.locator(f"output[for={slider.get_attribute('id')}]").text_content()
    )
    slider.press("ArrowLeft")
    page.evaluate("frames()")
    assert values(page)["pair"] == 2


def permutation(layout, d_model):
    return np.eye(d_model)[layout_order(layout, d_model)]


@pytest.mark.parametrize(
    ("p", "k", "d", "base", "layout"),
    [(20, 5, 8, 10_000, "interleaved"), (3, -7, 16, 100, "halves"), (100, 50, 6, 20, "cosine first")],
)
def test_block_shift_states_what_python_computes(mount, p, k, d, base, layout):
    page = mount(
        BlockShift(position=p, offset=k, d_model=d, base=base, arrangement=layout, beside="eigenvalues")
    )
    P, T = permutation(layout, d), shift_matrix(k, d, base)
    start, end = P @ positional_encoding(p, d, base), P @ positional_encoding(p + k, d, base)
    eigenvalues = np.linalg.eigvals(T)[0::2]  # a block's two stand together
    shown = values(page)
    expected = {
        "start": start,
        "end": end,
        "product": end,
        "turns_radians": k * frequencies(d, base),
        "eigenvalues": np.column_stack([eigenvalues.real, abs(eigenvalues.imag)]),
    }
    for name, value in expected.items():
        np.testing.assert_allclose(shown[name], value, rtol=1e-5, atol=1e-8, err_msg=name)
    assert shown["determinant"] == 1
    checks = page.locator(".note").last.text_content()
    assert len(re.findall(r"by (?:0|[\d.]+\s×\s10⁻¹[⁴-⁹])[ ,;]", checks)) == 3, checks


@pytest.mark.parametrize(
    ("beside", "said", "circles"), [("nothing", 1, 0), ("hands", 1, 9), ("eigenvalues", 2, 17)]
)
def test_block_shift_has_beside_it_what_it_was_asked_for(mount, beside, said, circles):
    page = mount(BlockShift(beside=beside))
    assert page.locator(".note").count() == said
    drawing = page.locator("[role=img]").first
    assert drawing.locator("circle:not(.grip *)").count() == circles
    label = drawing.get_attribute("aria-label")
    assert ("eigenvalue" in label) == (beside == "eigenvalues")


def cells(page):
    """The colors of the matrix's cells by their row and column; the cells of the columns are not square."""
    found = page.evaluate("""() => [...root.querySelectorAll('rect')].map((rect) => [
        ...['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name))), rect.style.fill])""")
    square = [cell for cell in found if abs(cell[2] - cell[3]) < 0.02]
    side = square[0][2]
    return {(round((y - 42) / side), round((x - 34) / side)): fill for x, y, _, _, fill in square}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_cells_lie_where_the_matrix_has_them(mount, layout):
    page = mount(BlockShift(arrangement=layout, d_model=6, offset=2, base=50))
    P = permutation(layout, 6)
    matrix = P @ shift_matrix(2, 6, 50) @ P.T
    drawn = cells(page)
    assert set(drawn) == set(zip(*np.nonzero(matrix), strict=True))
    stops = [[int(stop[j : j + 2], 16) for j in (1, 3, 5)] for stop in PALETTE["diverging"]]
    for place, fill in drawn.items():
        rgb = [
            np.interp(matrix[place], np.linspace(-1, 1, len(stops)), channel)
            for channel in zip(*stops, strict=True)
        ]
        np.testing.assert_allclose(numbers(fill), rgb, atol=0.501)


def test_only_the_columns_move_with_position_and_only_the_matrix_with_offset(mount):
    page = mount(BlockShift())
    for trait, matrix, column in (("position", 0, 8), ("offset", 16, 0)):
        before = cells(page)
        page.locator(f"input[name={trait}]").press("ArrowRight")
        page.evaluate("frames()")
        assert values(page)["changed"] == {"matrix": matrix, "column": column}
        assert (cells(page) == before) == (trait == "position")


def test_the_cells_glide_to_their_places_unless_motion_is_unwelcome(mount):
    for motion in ("reduce", "no-preference"):
        page = mount(BlockShift(), reduced_motion=motion)
        page.clock.install()
        before = page.evaluate("host.drawn")
        page.get_by_role("radio", name="halves").check()
        page.clock.run_for(1500)
        assert (page.evaluate("host.drawn") - before > 5) == (motion == "no-preference")
        assert set(cells(page)) == {
            (row, column) for row in range(8) for column in range(8) if row % 4 == column % 4
        }
