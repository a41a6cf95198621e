"""Checks of what source H2, "N dimensions", claims."""

import numpy as np

from posenc import closest_offset, encoding_distance, frequencies, positional_encoding, wavelengths
from wavebook.claims.finding import (
    Part,
    about,
    aside,
    between,
    check,
    digits,
    exactly,
    reported,
    rounds,
    same,
    says,
)
from wavebook.experiments import load
from wavebook.harmonics import largest_distance


@check("H2-01")
def _wraps() -> list[Part]:
    return [about("cycles in 50 positions", "8", 50 / wavelengths(2)[0])]


@check("H2-02")
def _twelve_and_eighteen() -> list[Part]:
    return [about("cycles from 12 to 18", "2", (18 - 12) / wavelengths(2)[0])]


@check("H2-03")
def _ratio() -> list[Part]:
    ratio = wavelengths(512)[1] / wavelengths(512)[0]
    return [
        exactly("ratio of neighbors", 10_000 ** (1 / 256), ratio),
        rounds("10000^(1/256)", "1.0180", 10_000 ** (1 / 256)),
        rounds("step in %", "1.8", 100 * (ratio - 1)),
    ]


@check("H2-04")
def _last_frequency() -> list[Part]:
    last = frequencies(512)[-1]
    power = 10_000 ** (-510 / 512)
    return [exactly("last frequency", power, last), rounds("10000^(-510/512)", "0.000158", power)]


@check("H2-05")
def _longest() -> list[Part]:
    said = {8: "398", 32: "2512", 128: "39811", 512: "63096"}
    return [
        rounds(f"longest wavelength at d_model {width}", figure, wavelengths(width)[-1])
        for width, figure in said.items()
    ]


@check("H2-06")
def _range() -> list[Part]:
    ends = wavelengths(512)
    return [
        exactly("shortest wavelength", 2 * np.pi, ends[0]),
        rounds("longest wavelength at d_model 512", "62832", ends[-1]),
    ]


@check("H2-07")
def _width_eight() -> list[Part]:
    slower = wavelengths(8)[1:]
    return [
        *(between(f"wavelength of pair {pair}", 20, 60, value) for pair, value in enumerate(slower, start=1)),
        rounds("cycles of the slowest in 50 positions", "0.125", 50 / slower[-1]),
    ]


@check("H2-08")
def _norm() -> list[Part]:
    norms = np.linalg.norm(positional_encoding(np.arange(1000), 512), axis=1)
    return [
        exactly("smallest norm of 1000 positions", 16, norms.min()),
        exactly("largest norm", 16, norms.max()),
    ]


@check("H2-09")
def _squared_distance() -> list[Part]:
    offsets = np.arange(50)
    claimed = (2 - 2 * np.cos(np.divide.outer(offsets, wavelengths(512)))).sum(axis=1)
    return [
        same(
            "largest error below offset 50, d_model 512",
            abs(claimed - encoding_distance(offsets, 512) ** 2).max(),
        ),
        aside("claimed square at offset 10", claimed[10]),
        aside("square at offset 10", encoding_distance(10, 512) ** 2),
    ]


@check("H2-10")
def _far_distance() -> list[Part]:
    far = encoding_distance(np.arange(10_000, 60_000), 512)
    return [
        rounds("mean distance at offsets 10000 to 60000", "32", far.mean()),
        rounds("largest distance there", "32", far.max()),
        aside("least upper bound of the distances", largest_distance(512)),
    ]


@check("H2-11")
def _near_and_far() -> list[Part]:
    half = int(wavelengths(512)[-1] / 2)
    offset, _ = closest_offset(half, 512)
    falls = np.flatnonzero(np.diff(encoding_distance(np.arange(half + 1), 512)) < 0)
    return [
        says("offset of the nearest encodings below half the longest wavelength", offset, offset == 1),
        says("offsets there at which the distance falls", falls.size, falls.size == 0),
        aside("last offset before the first fall", falls[0]),
    ]


@check("H2-12")
def _models() -> list[Part]:
    return [reported(model, "a learned table") for model in ("BERT", "GPT-2", "GPT-3")]


@check("H2-13")
def _middle_pairs() -> list[Part]:
    cycles = 50 / wavelengths(32)
    return [between(f"cycles of pair {pair}", 2, 3, cycles[pair]) for pair in (5, 6)]


@check("H2-14")
def _learned() -> list[Part]:
    probes = load().probes
    factors = np.exp(abs(np.log(probes["omega/learned"].astype(float) / probes["omega/start"].astype(float))))
    return [
        aside("median factor", digits(np.median(factors))),
        aside("largest factor", digits(factors.max(), 1)),
        reported("RoPE", "the frequencies hardly moved"),
    ]
