"""Checks of what source H1, "Two dimensions", claims."""

import numpy as np
import sympy as sp

from posenc import encoding_distance, positional_encoding, shift_matrix, wavelengths
from posenc.biases import alibi_bias, alibi_slopes
from posenc.precision import ROUNDING
from wavebook.attention import self_attention
from wavebook.claims.finding import Part, about, aside, check, digits, exactly, reported, same, says
from wavebook.experiments import cliff, load


@check("H1-01")
def _permutation() -> list[Part]:
    words = np.random.default_rng(0).normal(size=(6, 8))
    order = np.random.default_rng(1).permutation(6)
    return [
        same(
            "largest difference", abs(self_attention(words[order])[0] - self_attention(words)[0][order]).max()
        )
    ]


@check("H1-02")
def _width_two() -> list[Part]:
    positions = np.arange(100.0)
    expected = np.stack([np.sin(positions), np.cos(positions)], axis=-1)
    codes = [positional_encoding(positions, 2, base) for base in (1.5, 10, 1e4, 1e9)]
    return [same("largest difference over four bases", max(abs(code - expected).max() for code in codes))]


@check("H1-03")
def _clockwise() -> list[Part]:
    start, quarter = positional_encoding([0.0, np.pi / 2], 2)
    p = sp.Symbol("p", real=True)
    x, y = sp.sin(p), sp.cos(p)
    turning = float(sp.trigsimp(x * y.diff(p) - y * x.diff(p)))
    return [
        same("error of PE(0)", np.linalg.norm(start - [0, 1])),
        same("error of PE(π/2)", np.linalg.norm(quarter - [1, 0])),
        says("angular velocity, negative if clockwise", turning, turning < 0),
    ]


@check("H1-04")
def _zero_and_six() -> list[Part]:
    zero, six, turn = positional_encoding([0.0, 6.0, 2 * np.pi], 2)
    apart = np.linalg.norm(zero - six)
    return [
        says("distance of 0 and 6", apart, apart <= 0.02),  # nearly identical: one percent of the diameter
        same("distance of 0 and 2π", np.linalg.norm(zero - turn)),
        aside("nearest of the positions 1 to 1000", 1 + encoding_distance(np.arange(1, 1001), 2).argmin()),
    ]


@check("H1-05")
def _even_steps() -> list[Part]:
    sine, cosine = positional_encoding(np.arange(1000), 2).T
    hand = cosine + 1j * sine
    steps = np.angle(hand[1:] / hand[:-1])
    uneven = np.ptp(steps) > ROUNDING
    laps = np.sort(np.append(np.arange(13) % (2 * np.pi), 2 * np.pi))  # where the positions of two laps are
    return [
        says("smallest step in radians", steps.min(), uneven),
        says("largest step in radians", steps.max(), uneven),
        aside("smallest gap after two laps", np.diff(laps).min()),
        aside("largest gap after two laps", np.diff(laps).max()),
    ]


@check("H1-06")
def _cycles() -> list[Part]:
    one = wavelengths(2)[0]
    return [
        about("cycles in 100 positions", "15.9", 100 / one),
        about("cycles in 20 positions", "3.2", 20 / one),
    ]


@check("H1-07")
def _neighbors() -> list[Part]:
    return [
        about(
            "distance of neighbors",
            "1",
            np.linalg.norm(positional_encoding(1, 2) - positional_encoding(0, 2)),
        )
    ]


@check("H1-08")
def _tangent() -> list[Part]:
    p = sp.Symbol("p", real=True)
    norm = sp.sqrt(sp.trigsimp(sp.diff(sp.sin(p), p) ** 2 + sp.diff(sp.cos(p), p) ** 2))
    return [exactly("norm of the tangent", 1, float(norm))]


@check("H1-09")
def _orthogonal() -> list[Part]:
    p = sp.Symbol("p", real=True)
    integral = sp.integrate(sp.sin(p) * sp.cos(p), (p, 0, 2 * sp.pi))
    sine, cosine = positional_encoding(np.arange(1000), 2).T
    error = abs(sine**2 - (1 - cosine**2)).max()
    return [
        same("integral over a period", float(integral)),
        says("error of predicting the square of the sine", error, error > ROUNDING),
    ]


@check("H1-10")
def _extrapolation() -> list[Part]:
    run = cliff.load().run("back", "sinusoidal")
    kept = run.over(32, 38) / run.over(3, 32)
    seen, later = positional_encoding(np.arange(100), 512), positional_encoding(np.arange(100, 120), 512)
    beyond = np.maximum(later - seen.max(axis=0), seen.min(axis=0) - later).max(axis=0)  # of each entry
    outside, clearly = (beyond > 0).sum(), (beyond > 0.01).sum()
    return [
        says("entries of 512 that leave the range seen", outside, outside == 0),
        says("entries that leave it by more than 0.01", clearly, clearly == 0),
        says(
            "fraction of its accuracy that a trained model keeps, at this scale", kept.mean(), kept.min() >= 1
        ),
        reported("perplexity beyond the training length", "falls for some twenty tokens, then rises"),
    ]


@check("H1-11")
def _parameters() -> list[Part]:
    table = np.zeros((1024, 512))
    return [says("parameters", table.size, table.size > 500_000)]


@check("H1-12")
def _alibi() -> list[Part]:
    run = load().run("last", "ALiBi", layers=2, heads=4, steps=300)
    kept = run.over(64, 128) / run.over(0, 32)
    apart = abs(np.subtract.outer(np.arange(64), np.arange(64)))
    fixed = [-apart / 4**head for head in range(1, 5)]
    biases = [alibi_bias(64, slope) for slope in alibi_slopes(4)]
    return [
        reported("learned parameters", "none"),
        same("bias that head and distance leave open", np.abs(np.subtract(biases, fixed)).max()),
        says("trained models of five that lose nothing, at this scale", (kept >= 1).sum(), kept.min() >= 1),
        reported("perplexity on longer sequences", "stays low"),
        reported("generalization to longer tasks", "not well suited"),
    ]


@check("H1-13")
def _complex_form() -> list[Part]:
    p, wavelength = np.arange(50), wavelengths(2)[0]
    sine, cosine = positional_encoding(p, 2).T
    return [
        same("largest error over 50 positions", abs(np.exp(1j * p / wavelength) - (cosine + 1j * sine)).max())
    ]


@check("H1-14")
def _two_scales() -> list[Part]:
    p = np.arange(100.0)
    code = np.stack([np.sin(p), np.cos(p), np.sin(p / 10), np.cos(p / 10)], axis=-1)
    return [
        same(
            "difference from the encoding, d_model 4, base 100",
            abs(code - positional_encoding(p, 4, base=100)).max(),
        ),
        exactly("first wavelength", 2 * np.pi, wavelengths(4, base=100)[0]),
        exactly("second wavelength", 20 * np.pi, wavelengths(4, base=100)[1]),
    ]


@check("H1-15")
def _depends_on_offset() -> list[Part]:
    p, k = np.arange(1000.0), 7.0
    errors = positional_encoding(p, 2) @ shift_matrix(k, 2).T - positional_encoding(p + k, 2)
    return [same("largest error over 1000 positions", abs(errors).max())]


@check("H1-16")
def _gradients() -> list[Part]:
    norms = np.linalg.norm(positional_encoding(np.arange(1000), 512), axis=1)
    rng, gradient = np.random.default_rng(0), np.ones(64) / 8
    for _ in range(20):
        gradient = rng.normal(size=(64, 64)).T @ gradient * 1.5 / 8
    factor = digits(np.linalg.norm(gradient), -2)
    return [
        same("variation of the gradient of a score, relative", np.ptp(np.outer(norms, norms)) / 256),
        says("factor through twenty layers", factor, factor < 10),
    ]
