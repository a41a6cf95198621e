"""Checks of the statements in wavebook/data/errors.yml: what well-known texts say and is not quite so."""

import numpy as np

from posenc import (
    closest_offset,
    encoding_distance,
    frequencies,
    positional_encoding,
    shift_matrix,
    wavelengths,
)
from posenc.arguments import Float
from posenc.biases import alibi_slopes
from posenc.rope import apply_rope
from wavebook.claims.finding import Part, about, check, exactly, rounds, same, says


@check("W-01")
def _unique_positions() -> list[Part]:
    cycle = int(2 * np.pi * 10_000)
    apart, (_, nearest) = encoding_distance(cycle, 512), closest_offset(3 * cycle, 512)
    return [
        says("distance of encodings that far apart, d_model 512", apart, apart == 0),
        says("smallest distance among three times as many positions", nearest, nearest == 0),
    ]


@check("W-02")
def _two_directions() -> list[Part]:
    query, key = np.array([0.6, -1.1]), np.array([1.3, 0.4])

    def by_block(x: Float, p: int) -> Float:
        block: Float = shift_matrix(p, 2) @ x
        return block

    def by_formula(x: Float, p: int) -> Float:
        turned: Float = apply_rope(x[None], [p])[0]
        return turned

    moved = [
        turn(query, 17) @ turn(key, 13) - turn(query, 7) @ turn(key, 3) for turn in (by_block, by_formula)
    ]
    return [
        same("largest difference of the two forms", abs(by_block(query, 7) - by_formula(query, 7)).max()),
        same("change of either score when both positions move by ten", max(map(abs, moved))),
    ]


@check("W-03")
def _endpoint() -> list[Part]:
    ends = wavelengths(512)
    ratios = ends[1:] / ends[:-1]
    return [
        same("spread of the ratios of neighbors, d_model 512", np.ptp(ratios)),
        exactly("shortest wavelength", 2 * np.pi, ends[0]),
        exactly("longest wavelength, d_model 512", 2 * np.pi * 10_000, ends[-1]),
    ]


@check("W-04")
def _twice() -> list[Part]:
    return [
        about("ratio of the first two wavelengths, d_model 48", "2", wavelengths(48)[1] / wavelengths(48)[0])
    ]


@check("W-05")
def _lab() -> list[Part]:
    pair, heads = np.arange(384), np.arange(1, 9)
    codes = positional_encoding(np.arange(512), 512)
    mean = np.linalg.norm(codes.mean(axis=0)) / np.linalg.norm(codes[0])
    return [
        rounds("last wavelength, d_model 512", "62832", wavelengths(512)[-1]),
        same(
            "largest difference of the hands' speeds, d_model 768",
            abs(0.3 * 4 ** (-2 * pair / 383) - frequencies(768)).max(),
        ),
        same(
            "largest difference of the slopes, eight heads", abs(2.0 ** (-8 / heads) - alibi_slopes(8)).max()
        ),
        says(
            "norm of the mean of 512 encodings, as a fraction of one", mean, mean < 1 / np.sqrt(512)
        ),  # what random ones would have
    ]


@check("W-06")
def _raw_index() -> list[Part]:
    row, position = np.arange(100), np.arange(40)[:, None]
    angle = position / 10_000.0 ** (2 * row / 768)
    shown = np.where(row % 2 == 0, np.sin(angle), np.cos(angle))
    return [
        same(
            "largest difference from the table",
            abs(shown - positional_encoding(position[:, 0], 768)[:, :100]).max(),
        )
    ]


@check("W-07")
def _decay() -> list[Part]:
    one, fifty = encoding_distance([1, 50], 128)
    offsets = np.arange(100)
    return [
        same(
            "largest difference of the distances at k and −k",
            abs(encoding_distance(offsets, 128) - encoding_distance(-offsets, 128)).max(),
        ),
        says("distance at offset 50 less that at 1, d_model 128", fifty - one, fifty < one),
    ]


@check("W-08")
def _missing_sign() -> list[Part]:
    i = np.arange(1, 33)
    printed = 10_000.0 ** (2 * (i - 1) / 64)
    query, key, m, n = (0.6, -1.1), (1.3, 0.4), 7, 3
    (q1, q2), (k1, k2) = query, key
    angle, slipped = m - n, (m - n) * m
    score = (q1 * np.cos(angle) - q2 * np.sin(angle)) * k1 + (q2 * np.cos(slipped) + q1 * np.sin(angle)) * k2
    true = apply_rope(np.array([query]), [m])[0] @ apply_rope(np.array([key]), [n])[0]
    return [
        same(
            "largest relative error of the frequencies, d_model 64", abs(printed / frequencies(64) - 1).max()
        ),
        same("error of the score at positions 7 and 3", score - true),
    ]


@check("W-09")
def _monotone() -> list[Part]:
    falls = np.flatnonzero(np.diff(encoding_distance(np.arange(101), 512)) < 0)
    _, nearest = closest_offset(1_000_000, 2)
    return [
        says("last offset before the distance first falls, d_model 512", falls[0], not falls.size),
        says("smallest distance of the first pair, a million positions", nearest, nearest == 0),
    ]
