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
    setting,
)
from wavebook.experiments import load
from wavebook.harmonics import largest_distance


@check(
    "H2-01",
    "{ref}`sec-circle`",
    why=r"One cycle takes $2\pi$ positions.",
)
def _wraps() -> list[Part]:
    return [about("cycles in 50 positions", "8", 50 / wavelengths(2)[0])]


@check(
    "H2-02",
    "{ref}`sec-circle`, " + setting("two-dimensions", "circle-waves", "12 and 18", position=12, offset=6),
    why="They are six positions apart, a little less than one cycle.",
)
def _twelve_and_eighteen() -> list[Part]:
    return [about("cycles from 12 to 18", "2", (18 - 12) / wavelengths(2)[0])]


@check(
    "H2-03",
    "{prf:ref}`rem-ratio`, " + setting("wavelengths", "wavelengths", "at *d* = 512", d_model=512),
    why=r"The power is right; the figure is nearly that of its square root, $10\,000^{1/512}$.",
)
def _ratio() -> list[Part]:
    ratio = wavelengths(512)[1] / wavelengths(512)[0]
    return [
        exactly("ratio of neighbors", 10_000 ** (1 / 256), ratio),
        rounds("10000^(1/256)", "1.0180", 10_000 ** (1 / 256)),
        rounds("step in %", "1.8", 100 * (ratio - 1)),
    ]


@check(
    "H2-04",
    "{prf:ref}`thm-endpoint`",
    why="The power is right; the figure is not its value.",
)
def _last_frequency() -> list[Part]:
    last = frequencies(512)[-1]
    power = 10_000 ** (-510 / 512)
    return [exactly("last frequency", power, last), rounds("10000^(-510/512)", "0.000158", power)]


@check(
    "H2-05",
    "{prf:ref}`thm-endpoint`, " + setting("many-dimensions", "clock", "four hands", d_model=8),
    why=r"The last exponent is $1 - 2/d$, and the wavelength is $2\pi$ times that power of the base.",
)
def _longest() -> list[Part]:
    said = {8: "398", 32: "2512", 128: "39811", 512: "63096"}
    return [
        rounds(f"longest wavelength at d_model {width}", figure, wavelengths(width)[-1])
        for width, figure in said.items()
    ]


@check(
    "H2-06",
    "{prf:ref}`thm-endpoint`",
    why="With the exponent as printed the last pair stops one step short of $2\\pi b$, whatever $d$ "
    "is; with the denominator $d/2-1$ of the authors' own program {cite}`vaswani2018tensor2tensor` "
    "it gets there.",
)
def _range() -> list[Part]:
    ends = wavelengths(512)
    return [
        exactly("shortest wavelength", 2 * np.pi, ends[0]),
        rounds("longest wavelength at d_model 512", "62832", ends[-1]),
    ]


@check(
    "H2-07",
    "{prf:ref}`thm-endpoint`, " + setting("many-dimensions", "clock", "four hands", d_model=8),
    why=r"Each wavelength is ten times the one before, from $2\pi$ on.",
)
def _width_eight() -> list[Part]:
    slower = wavelengths(8)[1:]
    return [
        *(between(f"wavelength of pair {pair}", 20, 60, value) for pair, value in enumerate(slower, start=1)),
        rounds("cycles of the slowest in 50 positions", "0.125", 50 / slower[-1]),
    ]


@check(
    "H2-08",
    "{prf:ref}`thm-norm-many`",
    why="Every pair adds one to the square of the norm, and there are 256 pairs.",
)
def _norm() -> list[Part]:
    norms = np.linalg.norm(positional_encoding(np.arange(1000), 512), axis=1)
    return [
        exactly("smallest norm of 1000 positions", 16, norms.min()),
        exactly("largest norm", 16, norms.max()),
    ]


@check(
    "H2-09",
    "{prf:ref}`thm-norm-many`, " + setting("uniqueness", "distance-law", "10 apart", d_model=512, offset=10),
    why="A factor $2\\pi$ is missing: at offset 10 the claimed formula gives %{claimed square at "
    "offset 10:.2f}, and the squared distance is %{square at offset 10:.1f}.",
)
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


@check(
    "H2-10",
    "{prf:ref}`thm-typical`, " + setting("uniqueness", "distance-law", "20,000 apart", offset=20000),
    why="There is no limit, it swings about $\\sqrt d$; $\\sqrt{2d}$ needs every hand opposite, and "
    "the least upper bound is %{least upper bound of the distances:.3f}.",
)
def _far_distance() -> list[Part]:
    far = encoding_distance(np.arange(10_000, 60_000), 512)
    return [
        rounds("mean distance at offsets 10000 to 60000", "32", far.mean()),
        rounds("largest distance there", "32", far.max()),
        aside("least upper bound of the distances", largest_distance(512)),
    ]


@check(
    "H2-11",
    "{numref}`fig-closest`",
    why="Up to there none is nearer than neighbors, but the distance often falls, first after offset "
    "%{last offset before the first fall:.0f}, at $d=512$.",
)
def _near_and_far() -> list[Part]:
    half = int(wavelengths(512)[-1] / 2)
    offset, _ = closest_offset(half, 512)
    falls = np.flatnonzero(np.diff(encoding_distance(np.arange(half + 1), 512)) < 0)
    return [
        says("offset of the nearest encodings below half the longest wavelength", offset, offset == 1),
        says("offsets there at which the distance falls", falls.size, falls.size == 0),
        aside("last offset before the first fall", falls[0]),
    ]


@check(
    "H2-12",
    "{doc}`relatives <relatives>`, {cite}`devlin2019bert,radford2019language,brown2020language`",
    why="All three are reported to learn a table of positions instead.",
)
def _models() -> list[Part]:
    return [reported(model, "a learned table") for model in ("BERT", "GPT-2", "GPT-3")]


@check(
    "H2-13",
    setting("wavelengths", "sinusoids", "pair 5", pair=5, d_model=32),
    why="Dimensions 10 to 12 belong to pairs 5 and 6, which have not finished one cycle.",
)
def _middle_pairs() -> list[Part]:
    cycles = 50 / wavelengths(32)
    return [between(f"cycles of pair {pair}", 2, 3, cycles[pair]) for pair in (5, 6)]


@check(
    "H2-14",
    "{doc}`spectra <spectra>`, {cite}`su2021rotary`",
    why="They begin there: in five small models each moved by a factor of %{median factor:.2f} in the "
    "median, %{largest factor:.1f} at most. RoPE's are *reported* to have hardly "
    "moved.",
)
def _learned() -> list[Part]:
    probes = load().probes
    factors = np.exp(abs(np.log(probes["omega/learned"].astype(float) / probes["omega/start"].astype(float))))
    return [
        aside("median factor", digits(np.median(factors))),
        aside("largest factor", digits(factors.max(), 1)),
        reported("RoPE", "the frequencies hardly moved"),
    ]
