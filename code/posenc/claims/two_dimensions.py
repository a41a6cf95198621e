"""Checks of what source H1, "Two dimensions", claims."""

from __future__ import annotations

import numpy as np
import sympy as sp

from posenc import positional_encoding
from posenc.attention import self_attention
from posenc.claims.finding import Part, check, same, says


@check("H1-01", "{prf:ref}`thm-permutation`")
def _permutation() -> list[Part]:
    """Scores are compared and values are mixed word by word, so a new order of the words is a new order of the outputs, as long as there is no mask."""
    words = np.random.default_rng(0).normal(size=(6, 8))
    order = np.random.default_rng(1).permutation(6)
    return [same("largest difference", abs(self_attention(words[order])[0] - self_attention(words)[0][order]).max())]


@check("H1-02", "{eq}`eq-two`")
def _width_two() -> list[Part]:
    """The only exponent is zero, and any base to the power zero is one."""
    positions = np.arange(100.0)
    expected = np.stack([np.sin(positions), np.cos(positions)], axis=-1)
    codes = [positional_encoding(positions, 2, base) for base in (1.5, 10, 1e4, 1e9)]
    return [same("largest difference over four bases", max(abs(code - expected).max() for code in codes))]


@check("H1-03", "{numref}`fig-four-views`")
def _clockwise() -> list[Part]:
    """The point starts at the top and is at the right a quarter turn later, as a clock's hand is."""
    start, quarter = positional_encoding([0.0, np.pi / 2], 2)
    p = sp.Symbol("p", real=True)
    x, y = sp.sin(p), sp.cos(p)
    turning = float(sp.trigsimp(x * y.diff(p) - y * x.diff(p)))
    return [
        same("error of PE(0)", np.linalg.norm(start - [0, 1])),
        same("error of PE(π/2)", np.linalg.norm(quarter - [1, 0])),
        says("angular velocity, negative if clockwise", turning, turning < 0),
    ]


@check("H1-04", "{prf:ref}`thm-unique`, {numref}`fig-near-returns`")
def _zero_and_six() -> list[Part]:
    """Zero and six are more than a quarter of the radius apart; whole turns do coincide, but no two integers are whole turns apart."""
    zero, six, turn = positional_encoding([0.0, 6.0, 2 * np.pi], 2)
    apart = np.linalg.norm(zero - six)
    return [
        says("distance of 0 and 6", apart, apart <= 0.02),  # nearly identical: one per cent of the diameter
        same("distance of 0 and 2π", np.linalg.norm(zero - turn)),
    ]
