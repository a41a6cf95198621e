"""Checks of what source H4, "Geometric progression of wavelengths", claims; its figure has d_model 512."""

import numpy as np
import sympy as sp

from posenc import frequencies, wavelengths
from posenc.arguments import Float
from posenc.context import unseen_pairs
from posenc.spectra import log_uniform, measure
from wavebook.choices import SPECTRA, gaussian
from wavebook.claims.finding import Part, about, between, check, digits, reported, rounds, same, says
from wavebook.experiments import cliff
from wavebook.near_returns import record_offsets


def _free_of_returns(base: float, positions: int = 200_000) -> int:
    """The first offset that at d_model 512 is nearer than neighbors are; `positions` if there is none."""
    records = record_offsets(positions, 512, base)
    return records[1][0] if len(records) > 1 else positions


@check("H4-01")
def _exact_end() -> list[Part]:
    ratio = 10_000 ** (1 / 255)
    return [
        same("relative error of the last wavelength with that power", ratio**255 / 10_000 - 1),
        rounds("10000^(1/255)", "1.01804", ratio),
    ]


@check("H4-02")
def _log_step() -> list[Part]:
    waves = wavelengths(512)
    return [
        rounds("step in natural logarithms", "0.0179", np.log(waves[1] / waves[0])),
        rounds("step in decimal logarithms", "0.0179", np.log10(waves[1] / waves[0])),
    ]


@check("H4-03")
def _cycles_per_position() -> list[Part]:
    cycles = 1 / wavelengths(512)
    return [
        rounds("first, d_model 512", "0.159", cycles[0]),
        rounds("last, d_model 512", "0.0000159", cycles[-1]),
    ]


@check("H4-04")
def _crossings() -> list[Part]:
    waves = wavelengths(512)
    said = {10: "20", 100: "80", 1000: "140", 10_000: "200"}
    return [about(f"first pair above {x}", pair, (waves > x).argmax()) for x, pair in said.items()]


@check("H4-05")
def _three_wavelengths() -> list[Part]:
    waves = wavelengths(512)
    return [
        rounds(f"wavelength of pair {i}", said, waves[i])
        for i, said in ((10, "39"), (50, "1537"), (100, "60415"))
    ]


@check("H4-06")
def _cycles() -> list[Part]:
    cycles = 200 / wavelengths(512)
    return [
        between("cycles of pair 0", 30, 35, cycles[0]),
        about("cycles of pair 10", "5", cycles[10]),
        says("cycles of pair 50", cycles[50], cycles[50] < 1),
        about("cycles of pair 100", "0.003", cycles[100]),
    ]


@check("H4-07")
def _one_ratio() -> list[Part]:
    waves = wavelengths(512)
    return [rounds("range of the ratios", "0.0002", np.ptp(waves[1:] / waves[:-1]))]


# To support a text means, where the source says it, that it is not longer than half the longest wavelength
# (H4-13). So there are two questions: is the figure that half, and does anything happen to the encodings
# beyond it?


@check("H4-08")
def _base_1000() -> list[Part]:
    longest, free = wavelengths(512, 1000)[-1], _free_of_returns(1000)
    return [
        rounds("longest wavelength, d_model 512", "623", longest),
        about("half of it, as far as the source says a base supports", "3000", longest / 2),
        says("positions without a pair nearer than neighbors, at least", free, free <= longest / 2),
    ]


@check("H4-09")
def _base_100000() -> list[Part]:
    return [
        rounds("longest wavelength, d_model 512", "628320", wavelengths(512, 100_000)[-1]),
        reported("models in use", "Llama 3 and Qwen3 have larger bases"),
    ]


@check("H4-10")
def _half_exponent() -> list[Part]:
    return [
        rounds("2π times the root of 10000", "628", 2 * np.pi * np.sqrt(10_000)),
        about("longest wavelength, d_model 512", "628", 2 * np.pi * 10_000 ** (255 / 512)),
    ]


@check("H4-11")
def _octaves() -> list[Part]:
    x, b, d = sp.symbols("x b d", positive=True)
    pair = d * sp.log(x / (2 * sp.pi)) / (2 * sp.log(b))  # the pair, not always whole, with wavelength x
    change = sp.simplify((pair.subs(x, 2 * x) - pair).diff(x))
    octaves = 2 * np.pi * 2.0 ** np.arange(14)
    dimensions = 2 * np.histogram(wavelengths(512), octaves)[0]
    return [
        says("change of the steps in an octave along the spectrum", str(change), change == 0),
        says("fewest dimensions in an octave", dimensions.min(), np.ptp(dimensions) == 0),
        says("most dimensions in an octave", dimensions.max(), np.ptp(dimensions) == 0),
    ]


@check("H4-12")
def _rivals() -> list[Part]:
    # Worse means: better in none of the chapter's six measures. Of random choices we take the median of
    # five draws.
    more_is_better = np.array([1, 1, -1, 1, -1, 1])

    def measures(*draws: Float) -> Float:
        medians: Float = np.median([measure(omega, limit=2000) for omega in draws], axis=0)
        return more_is_better * medians

    geometric = measures(SPECTRA["geometric"](512, 1e4))
    rivals = {
        "linear": measures(SPECTRA["linear"](512, 1e4)),
        "harmonic": measures(SPECTRA["harmonic"](512, 1e4)),
        "log-uniform": measures(*(log_uniform(512, rng=seed) for seed in range(5))),
        "Gaussian": measures(*(gaussian(512, rng=seed) for seed in range(5))),
    }
    better = {name: int((measured > geometric + 1e-9).sum()) for name, measured in rivals.items()}
    return [
        says(f"measures in which the {name} one is better", count, count == 0)
        for name, count in better.items()
    ]


@check("H4-13")
def _half_the_longest() -> list[Part]:
    half, free = wavelengths(512)[-1] / 2, _free_of_returns(10_000)
    return [
        about("half the longest wavelength, d_model 512", "30000", half),
        says("positions without a pair nearer than neighbors, at least", free, free <= half),
    ]


@check("H4-14")
def _terms() -> list[Part]:
    t, errors = np.linspace(0, 2 * np.pi, 4001), []
    for terms in (64, 128):
        k = np.arange(1, terms + 1, 2)
        partial = np.pi / 2 + 4 / np.pi * (np.cos(np.outer(t, k)) / k**2).sum(axis=1)
        errors.append(abs(partial - abs(t - np.pi)).max())
    p = np.arange(1024)
    angles = np.outer(p, 2 * np.pi / 2.0 ** np.arange(2, 12))
    waves = np.concatenate([np.ones((1024, 1)), np.sin(angles), np.cos(angles)], axis=1)
    bump = np.exp(-(((p - 512) / 128) ** 2))
    missed = abs(waves @ np.linalg.lstsq(waves, bump, rcond=None)[0] - bump).max()
    return [
        about("error with twice the terms", "0.5", errors[1] / errors[0]),
        says("error of the bump, of its height", digits(missed), missed < 0.01),
    ]


@check("H4-15")
def _unsaturated() -> list[Part]:
    run = cliff.load().run("back", "sinusoidal")
    kept = float((run.over(32, 64) / run.over(3, 32)).mean())
    unseen = unseen_pairs(frequencies(512), 512, 2, length=512)
    return [
        says("fraction kept, at this scale", digits(kept), 0.1 < kept < 0.9),
        says("pairs of 256 at unseen angles", unseen, unseen == 0),
    ]
