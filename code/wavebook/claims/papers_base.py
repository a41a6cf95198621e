"""Checks of what papers of wavebook/data/papers.yml say about a base: how long a context it serves."""

from __future__ import annotations

import numpy as np

from posenc import closest_offset, frequencies, similarity, wavelengths
from wavebook.choices import first_negative
from wavebook.claims import trained
from wavebook.claims.finding import Part, aside, check, digits, reported, says
from wavebook.claims.trained import RATES, tell


@check("P-01")
def _aliasing() -> list[Part]:
    width, base, reach = 128, 100.0, int(10 * 2 * np.pi * 100)
    _, nearest = closest_offset(reach + 1, width, base)
    turns = reach / wavelengths(width, base)[-1]
    return [
        aside("width", width),
        aside("base", base),
        says("turns of the slowest hand", digits(turns), turns > 1),
        says("smallest distance", digits(nearest), nearest < 1e-9),
    ]


@check("P-02")
def _precision_wall() -> list[Part]:
    slowest = np.float32(frequencies(128, 1e12)[-1])
    angles = np.arange(2**20, dtype=np.float32) * slowest  # each product is exact to one rounding
    sines, cosines = (
        values.astype(np.float32) for values in (np.sin(angles.astype(float)), np.cos(angles.astype(float)))
    )
    turned = len(np.unique(cosines - sines))
    return [
        says("different sines", len(np.unique(sines)), len(np.unique(sines)) < 1000),
        says("different cosines", len(np.unique(cosines)), len(np.unique(cosines)) == 1),
        says("values of a turned entry", turned, turned < 1000),
    ]


@check("P-05")
def _base_bound() -> list[Part]:
    bases = np.arange(10, 7001, 10)
    allowed = np.array([first_negative(128, float(base), limit=999) is None for base in bases])
    first = bases[allowed][0]
    at_rest = 32 + np.array([similarity(np.arange(1000), 64, base) for base in (10, 100, 1000)])
    failing = int((at_rest.min(axis=1) < 0).sum())
    return [
        aside("first", first),
        aside("last", bases[~allowed][-1]),
        says(
            "bases below 4,000 that meet the demand",
            int(allowed[bases < 4000].sum()),
            not allowed[bases < 4000].any(),
        ),
        says("bases 10, 100, 1,000 that fail it where half of a head turns", failing, failing > 0),
    ]


@check("P-14")
def _other_bases() -> list[Part]:
    def beyond(base: float, rate: float) -> float:
        return trained.run_of("back", "RoPE", base=base, rate=rate).beyond

    found = [
        tell(f"base {base:.0f}, {rate}", beyond(base, rate)) for base in (10.0, 1e4, 1e6) for rate in RATES
    ]
    others = [beyond(base, rate) for base in (8.0, 16.0, 32.0, 64.0, 100.0, 128.0) for rate in RATES]
    return [
        *found,
        tell("least of others", min(others)),
        tell("most of others", max(others)),
        reported("Llama 2, 7B and 13B", "both help"),
    ]


@check("P-41")
def _base_at_length() -> list[Part]:
    def run(length: int, base: float, rate: float) -> trained.Tested:
        return trained.run_of("back", "RoPE", base=base, trained=length, rate=rate)

    pairs = [(length, rate) for length in (16, 32, 64) for rate in RATES]
    return [
        aside("rerun", digits(trained.rerun())),
        *(
            trained.gain(f"L {length}, {rate}", run(length, float(length), rate), run(length, 1e4, rate))
            for length, rate in pairs
        ),
        *(
            trained.gain(f"L 32, base 1000000, {rate}", run(32, 32.0, rate), run(32, 1e6, rate))
            for rate in RATES
        ),
    ]
