"""Further checks of the statements in wavebook/data/papers.yml: those that a computation alone decides."""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from posenc import frequencies, wavelengths
from posenc.arguments import Float
from posenc.biases import alibi_bias
from posenc.context import yarn, yarn_scale
from posenc.positions import section_axes
from posenc.precision import rounded
from posenc.rope import apply_rope
from wavebook.attention import causal_mask, self_attention
from wavebook.claims.finding import Part, aside, check, exactly, reported, same, says


def _digits(value: float, digits: int = 2) -> float:
    """A value in the digits that do not hang on the draw of the last bits."""
    return round(float(value), digits)


def _turned(vectors: Float, positions: Float, step: str) -> Float:
    """RoPE at base 10,000 with one step rounded to bfloat16: "cos and sin", or "positions"."""
    places = rounded(positions, "bfloat16") if step == "positions" else positions
    angles = np.outer(places, frequencies(vectors.shape[-1]))
    cos, sin = np.cos(angles), np.sin(angles)
    if step == "cos and sin":
        cos, sin = rounded(cos, "bfloat16"), rounded(sin, "bfloat16")
    x, y = vectors[..., ::2], vectors[..., 1::2]
    return np.stack([x * cos - y * sin, x * sin + y * cos], axis=-1).reshape(len(positions), -1)


def _spread(step: str, context: int) -> float:
    """How far a score five positions apart varies in a context: its deviation over norms, in thousandths."""
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(2, 1, 128))
    places = rng.integers(0, context, 2000).astype(float)
    scores = (_turned(query, places + 5, step) * _turned(key, places, step)).sum(axis=1)
    return _digits(1000 * scores.std() / np.linalg.norm(query) / np.linalg.norm(key))


@check(
    "P-18",
    "{ref}`sec-steps`",
    why="The score of two vectors with random entries, five positions apart, $d = 128$, base $10{,}000$: "
    "exact, it does not vary. With cosines and sines rounded, its standard deviation in a context of "
    "200 positions is %{short, cos and sin:.2f} thousandths of the product of the norms, and %{long, "
    "cos and sin:.2f} in one of 100,000: it deviates, and no more in a long context. With *positions* "
    "rounded the figures are %{short, positions:.2f} and %{long, positions:.2f}. So whether it grows "
    "hangs on the step that is rounded.",
)
def _bfloat16() -> list[Part]:
    found = {
        (where, step): _spread(step, context)
        for step in ("cos and sin", "positions")
        for where, context in (("short", 200), ("long", 100_000))
    }
    fixed, grown = (found["long", step] - found["short", step] for step in ("cos and sin", "positions"))
    return [
        *(aside(f"{where}, {step}", value) for (where, step), value in found.items()),
        says("it deviates, in thousandths", found["short", "cos and sin"], found["short", "cos and sin"] > 0),
        says("more in a long context, cosines and sines rounded", _digits(fixed), fixed > 0.1),
        says("more in a long context, positions rounded", _digits(grown), grown > 0.1),
    ]


@check(
    "P-19",
    "{prf:ref}`thm-integers`, {cite}`wang2024resonance`",
    why="A pair whose wavelength is a whole number has at each position the angle of a trained one, so the "
    "gap is zero; with $d = 128$, base $10{,}000$ and 1,024 trained positions, %{pairs:.0f} of 64 pairs "
    "complete a turn, and without rounding some of their angles up to four times the length are "
    "%{gap:.2f} away from each trained one. Two conditions: slower pairs are not helped, and the "
    "rounded ones, taken together, repeat.",
)
def _resonance() -> list[Part]:
    length, waves = 1024, wavelengths(128)
    fast = waves[waves <= length]
    places = np.arange(length, 4 * length)

    def gap(wave: float) -> float:
        """The largest distance of a later angle to the nearest trained one, on the circle of radius one."""
        trained = np.sort(np.arange(length) * 2 * np.pi / wave % (2 * np.pi))
        later = places * 2 * np.pi / wave % (2 * np.pi)
        around = np.concatenate([trained[-1:] - 2 * np.pi, trained, trained[:1] + 2 * np.pi])
        at = np.searchsorted(around, later)
        near = np.minimum(around[at] - later, later - around[at - 1])
        return float(2 * np.sin(near / 2).max())

    return [
        aside("pairs", len(fast)),
        aside("gap", _digits(max(gap(wave) for wave in fast))),
        same("largest gap of the pairs with whole wavelengths", max(gap(round(wave)) for wave in fast)),
        says(
            "slowest pair with a whole wavelength: gap",
            _digits(gap(round(waves[-1]))),
            gap(round(waves[-1])) < 1e-9,
        ),
    ]


@check(
    "P-20",
    "{ref}`sec-extrapolate`, {ref}`sec-token-47`",
    why="Of a head with $d = 128$ and base $500{,}000$, trained on 8,192 tokens, %{slow pairs:.0f} of 64 "
    "pairs complete no turn: that is so. Whether it is they that harm a model is a matter of trained "
    "models. Those of this book are too small to say: they break where *fast* hands return, and with "
    "the fast half of the pairs alone as with all.",
)
def _undertrained() -> list[Part]:
    slow = int((wavelengths(128, 5e5) > 8192).sum())
    return [
        aside("slow pairs", slow),
        reported("LLaMA3-8B and Phi3-mini", "experiments validate the hypothesis"),
    ]


def _mean_similarity(omega: Float, start: int, stop: int) -> float:
    """The mean of the sum of cosines over offsets, divided by the number of pairs."""
    total = 0.0
    for first in range(start, stop, 4096):
        total += np.cos(np.outer(np.arange(first, min(first + 4096, stop)), omega)).sum()
    return _digits(total / (stop - start) / len(omega))


@check(
    "P-21",
    "{ref}`sec-decay`, {prf:ref}`rem-at-rest`",
    why="For a key equal to its query, $d = 128$, base $10{,}000$, trained length 4,096: the mean score "
    "falls from %{RoPE, near:.2f} of its largest value at distances up to 100 to %{RoPE, trained:.2f} "
    "at 2,000 to 4,000 and %{RoPE, far:.2f} at 20,000 to 40,000. With the pairs that complete no turn "
    "at rest it is %{HoPE, near:.2f}, %{HoPE, trained:.2f} and %{HoPE, far:.2f}. So both fall within "
    "the trained length, and beyond it RoPE's score falls on and the other hardly does.",
)
def _without_decay() -> list[Part]:
    omega = frequencies(128)
    fast = np.where(wavelengths(128) <= 4096, omega, 0)
    spans = {"near": (0, 100), "trained": (2000, 4000), "far": (20_000, 40_000)}
    found = {
        f"{name}, {span}": _mean_similarity(chosen, *limits)
        for name, chosen in (("RoPE", omega), ("HoPE", fast))
        for span, limits in spans.items()
    }
    return [
        *(aside(name, value) for name, value in found.items()),
        says(
            "fall beyond the trained length, RoPE",
            _digits(found["RoPE, trained"] - found["RoPE, far"]),
            found["RoPE, trained"] - found["RoPE, far"] > 0.05,
        ),
        says(
            "fall beyond, slow pairs at rest",
            _digits(found["HoPE, trained"] - found["HoPE, far"]),
            abs(found["HoPE, trained"] - found["HoPE, far"]) < 0.03,
        ),
    ]


@check(
    "P-22",
    "{eq}`eq-bound`, {prf:ref}`rem-at-rest`",
    why="The measure is the sum of cosines, by which a copy is preferred to a stranger. Over the pairs that "
    "turn with time in Qwen2-VL, the 16 fastest of 64 at base $10^6$, it is negative at a distance of "
    "%{first:.0f} frames already. Over all pairs, for two patches at one place of the picture, it is "
    "not: the least value up to 10,000 frames is %{least:.2f} of the largest. So the statement holds "
    "for the temporal pairs by themselves; with these at rest, as in HoPE, their sum is the same at all "
    "distances.",
)
def _semantic() -> list[Part]:
    omega, axes = frequencies(128, 1e6), section_axes([16, 24, 24])
    frames = np.arange(10_001)
    temporal = np.cos(np.outer(frames, omega[axes == 0])).sum(axis=1)
    whole = (temporal + (axes != 0).sum()) / 64
    first = int((temporal < 0).argmax())
    return [
        aside("first", first),
        aside("least", _digits(whole.min())),
        says("temporal pairs alone: first negative sum at", first, temporal[first] < 0),
        says("all pairs: least sum, of the largest", _digits(whole.min()), bool(whole.min() < 0)),
    ]


def _exponential(matrix: Float) -> Float:
    """The matrix exponential, by its series after halving ten times."""
    small, power, total = matrix / 1024, np.eye(len(matrix)), np.eye(len(matrix))
    for n in range(1, 20):
        power = power @ small / n
        total = total + power
    for _ in range(10):
        total = total @ total
    return total


def _antisymmetric(rng: np.random.Generator, d: int) -> Float:
    matrix: Float = rng.normal(size=(d, d))
    return (matrix - matrix.T) / 2


def _unequal(generators: list[Float]) -> float:
    """How far R(x)ᵀ R(y) is from R(y - x), the largest entry, for one pair of points."""

    def rotation(point: Float) -> Float:
        return _exponential(np.tensordot(point, np.array(generators), axes=1))

    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(2, len(generators)))
    return float(abs(rotation(x).T @ rotation(y) - rotation(y - x)).max())


@check(
    "P-23",
    "{prf:ref}`thm-blocks`, {doc}`two-dimensions`",
    why="$R(x) = \\exp(x_1 A_1 + x_2 A_2)$, with antisymmetric matrices of size $8$: if they commute, "
    "$R(x)^\\top R(y)$ is $R(y - x)$; for two drawn at random some entry is %{off:.2f} off. On one axis "
    "there is one matrix, which commutes with itself: the statement is about two axes and more.",
)
def _commuting() -> list[Part]:
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    alike = [basis @ np.kron(np.diag(rng.normal(size=4)), turn) @ basis.T for _ in range(2)]
    drawn = _unequal([_antisymmetric(rng, 8) for _ in range(2)])
    return [
        aside("off", _digits(drawn)),
        same("difference with matrices that commute", _unequal(alike)),
        says("difference with random matrices", _digits(drawn), drawn > 0.01),
    ]


@check(
    "P-24",
    "{prf:ref}`thm-blocks`",
    why="The antisymmetric matrices of size $8$ that commute with RoPE's generator are a space of dimension "
    "%{dimension:.0f}: the rotations of the four pairs. They commute with one another, so the space is "
    "maximal, and it is the torus.",
)
def _torus() -> list[Part]:
    d = 8
    generator = np.kron(np.diag(frequencies(d)), np.array([[0.0, -1.0], [1.0, 0.0]]))
    basis = [np.outer(a, b) - np.outer(b, a) for i, a in enumerate(np.eye(d)) for b in np.eye(d)[i + 1 :]]
    commutators = np.array([(generator @ one - one @ generator).ravel() for one in basis])
    dimension = len(basis) - int(np.linalg.matrix_rank(commutators, tol=1e-9))
    return [
        aside("dimension", dimension),
        exactly("dimension of what commutes with RoPE's generator", 4, dimension),
    ]


@check(
    "P-25",
    "{prf:ref}`thm-blocks`, {cite}`schenck2025learning`",
    why="With any orthogonal matrix $Q$ and pairs that turn by any combination of three coordinates, scores "
    "of $Q R(x) Q^\\top$ do not change when all points are moved alike; tried at $d = 8$ with random "
    "vectors.",
)
def _translation() -> list[Part]:
    rng = np.random.default_rng(2)
    basis = np.linalg.qr(rng.normal(size=(8, 8)))[0]
    omega, shift = rng.normal(size=(4, 3)), rng.normal(size=3)
    query, key = rng.normal(size=(2, 8))

    def turned(vector: Float, point: Float) -> Float:
        pairs = (basis.T @ vector)[::2] + 1j * (basis.T @ vector)[1::2]
        pairs = pairs * np.exp(1j * omega @ point)
        moved: Float = basis @ np.stack([pairs.real, pairs.imag], axis=-1).ravel()
        return moved

    x, y = rng.normal(size=(2, 3))
    moved = turned(query, x + shift) @ turned(key, y + shift)
    return [same("change of a score when both points move", moved - turned(query, x) @ turned(key, y))]


@check(
    "P-26",
    "{prf:ref}`rem-counter`",
    why="Sixty-four tokens, equal scores, no encoding: in one layer each token looks at all before it "
    "alike. Followed through %{layers:.0f} such layers, %{first quarter:.2f} of what the last token is "
    "made of comes from the first quarter of the tokens; with a residual connection beside each layer, "
    "%{with residuals:.2f}. It hangs on how even attention is: if each token gives itself 0.99 of its "
    "weight, it is %{sharp:.2f}.",
)
def _early() -> list[Part]:
    n, layers = 64, 3
    even = np.tri(n) / np.arange(1, n + 1)[:, None]

    def early(step: Float) -> float:
        return _digits(np.linalg.matrix_power(step, layers)[-1, : n // 4].sum())

    bias, residual = early(even), early((even + np.eye(n)) / 2)
    sharp = early(0.01 * even + 0.99 * np.eye(n))
    return [
        aside("layers", layers),
        aside("first quarter", bias),
        aside("with residuals", residual),
        aside("sharp", sharp),
        says("from the first quarter, equal scores", bias, bias > 0.5),
        says("from the first quarter, with residuals", residual, residual > 0.25),
        says("from the first quarter, 0.99 of the weight on itself", sharp, sharp > 0.25),
    ]


@check(
    "P-27",
    "{prf:ref}`thm-far`, {prf:ref}`thm-linear-bias`",
    why="ALiBi's weights fall with each step, for equal contents. RoPE's need not: for a key that is its "
    "query turned by 50 positions in advance, the largest of 200 scores is at distance %{largest "
    "at:.0f} ($d = 128$, base $10{,}000$). The abstract does not say what it assumes of queries and "
    "keys.",
)
def _competing() -> list[Part]:
    biases = alibi_bias(200, 0.25)[-1]
    query = np.tile([1.0, 0.5], 64)
    key = apply_rope(query[None], [50])[0]
    scores = apply_rope(np.broadcast_to(key, (200, 128)), -np.arange(200)) @ query
    at = int(scores.argmax())
    return [
        aside("largest at", at),
        says(
            "ALiBi: steps at which the bias does not fall with distance",
            int((np.diff(biases) <= 0).sum()),
            not (np.diff(biases) <= 0).any(),
        ),
        says("RoPE: largest score at distance", at, at == 0),
    ]


def _neighbors(layers: int, *, residual: bool) -> tuple[float, float]:
    """Mean cosine of neighbors and of tokens at least 20 apart, after masked layers with random weights."""
    rng, near, far = np.random.default_rng(0), [], []
    offsets = np.subtract.outer(np.arange(48), np.arange(48))
    for _ in range(40):
        x = rng.normal(size=(48, 32))
        for _ in range(layers):
            query, key, value = rng.normal(size=(3, 32, 32)) / 32**0.5
            out = self_attention(x, query, key, value, bias=causal_mask(48))[0]
            x = x + out if residual else out
            x = x / np.linalg.norm(x, axis=1, keepdims=True) * 32**0.5
        cosines = x @ x.T / 32
        near.append(cosines[offsets == 1].mean())
        far.append(cosines[offsets >= 20].mean())
    return _digits(np.mean(near)), _digits(np.mean(far))


@check(
    "P-28",
    "{prf:ref}`rem-counter`",
    why="Random tokens, two masked layers with random weights and a normalization after each, no "
    "encoding, $d = 32$, 40 sequences of 48: "
    "the mean cosine of neighbors is %{near:.2f}, that of tokens 20 and more apart %{far:.2f}. With "
    "residual connections %{near, residual:.2f} and %{far, residual:.2f}.",
)
def _nearby() -> list[Part]:
    plain, added = _neighbors(2, residual=False), _neighbors(2, residual=True)
    return [
        aside("near", plain[0]),
        aside("far", plain[1]),
        aside("near, residual", added[0]),
        aside("far, residual", added[1]),
        says("neighbors more alike, by", _digits(plain[0] - plain[1]), plain[0] - plain[1] > 0.02),
        says("with residual connections, by", _digits(added[0] - added[1]), added[0] - added[1] > 0.02),
    ]


@check(
    "P-29",
    "{prf:ref}`thm-rotary`",
    why="The score is the real part of $\\sum_i q_i \\overline{k_i}\\, e^{j \\omega_i \\Delta}$. Its "
    "imaginary part is the real part for a key whose pairs are turned by a quarter: another head with "
    "RoPE can have it by its key matrix. So it is left out of one score, and not out of reach. What it is "
    "worth, “valuable phase information” as the paper goes on, was not tried.",
)
def _imaginary() -> list[Part]:
    query, key = np.random.default_rng(0).normal(size=(2, 128))
    complex_query, complex_key = (v[::2] + 1j * v[1::2] for v in (query, key))
    whole = (complex_query * complex_key.conj() * np.exp(1j * frequencies(128) * 7)).sum()
    quarter = np.stack([-key[1::2], key[::2]], axis=-1).ravel()
    turned = apply_rope(query[None], [7])[0]
    return [
        same("RoPE's score and the real part", whole.real - turned @ key),
        same("imaginary part and the score of the key turned by a quarter", whole.imag - turned @ quarter),
    ]


@check(
    "P-30",
    "{ref}`sec-decay`, {prf:ref}`thm-log-law`",
    why="For independent queries and keys with mean zero the expected score is zero at each distance: no "
    "bias. If both have the mean $(1, \\dots, 1)$, it is $2\\sum_i \\cos \\omega_i \\Delta$: at $d = "
    "128$, base $10{,}000$, %{mean 1, at 1:.0f} at distance 1 and %{mean 1, at 1000:.0f} at 1,000. So "
    "there is one where means are not zero.",
)
def _mean_bias() -> list[Part]:
    ones = np.ones(128)

    def expected(mean: Float, distance: int) -> float:
        return float(apply_rope(mean[None], [distance])[0] @ mean)

    near, far = expected(ones, 1), expected(ones, 1000)
    none = expected(0 * ones, 1) - expected(0 * ones, 1000)
    return [
        aside("mean 1, at 1", _digits(near, 1)),
        aside("mean 1, at 1000", _digits(far, 1)),
        says("bias for means of one, between 1 and 1,000", _digits(near - far, 1), near > far),
        says("bias for means of zero", none, none != 0),
    ]


def _largest_weight(n: float, gap: float) -> float:
    """The largest softmax weight of n scores of which one is larger than the others by a gap."""
    return float(1 / (1 + (n - 1) * np.exp(-gap)))


@check(
    "P-31",
    "{ref}`sec-sharper`",
    why="For the paper's example, one score of $3$ among scores of $-2$, the largest weight is %{a "
    "hundred:.2f} for a hundred scores and %{a million:.4f} for a million. It holds for scores in a "
    "fixed range. If the gap grows like $2 \\ln n$, it is %{growing gap:.2f} for the same million: such "
    "is the paper's own cure, which multiplies scores by a multiple of $\\ln n$.",
)
def _fading() -> list[Part]:
    hundred, million = _largest_weight(100, 5), _largest_weight(1e6, 5)
    growing = _largest_weight(1e6, 2 * log(1e6))
    return [
        aside("a hundred", _digits(hundred)),
        aside("a million", _digits(million, 4)),
        aside("growing gap", _digits(growing)),
        says("scores in a fixed range, a million of them", _digits(million, 4), million < 0.001),
        says("a gap that grows", _digits(growing), growing < 0.001),
    ]


@check(
    "P-32",
    "{ref}`sec-sharper`",
    why="If scores are between $-5$ and $5$, no weight among a million can be above $1/(1 + (n - "
    "1)e^{-10})$, which is %{bound:.3f}. A circuit with fixed weights and bounded inputs has such a "
    "range, if no bias or factor grows with the distance or the length. With ALiBi's slope of $1/2$ and "
    "equal contents, the nearest token keeps %{slope:.2f} however many there are. And it is no statement "
    "about lengths in use: among a thousand the bound is %{thousand:.2f}.",
)
def _disperse() -> list[Part]:
    bound, thousand = _largest_weight(1e6, 10), _largest_weight(1e3, 10)
    nearest = 1 / np.exp(-np.arange(10**6) / 2).sum()
    return [
        aside("bound", _digits(bound, 3)),
        aside("thousand", _digits(thousand)),
        aside("slope", _digits(nearest)),
        says("bound for a million scores", _digits(bound, 3), bound < 0.05),
        says("largest weight of a million with ALiBi's slope", _digits(nearest), nearest < 0.05),
    ]


def _last_token(n: int) -> Float:
    """What the last of n tokens gets in one causal layer with RoPE: n - 1 equal ones, and another."""
    one, zero = np.random.default_rng(0).normal(size=(2, 32)) / 2
    x = np.concatenate([np.tile(one, (n - 1, 1)), zero[None]])
    scores = apply_rope(x, np.arange(n)) @ apply_rope(zero[None], [n - 1])[0] / 32**0.5
    weights = np.exp(scores - scores.max())
    mixed: Float = x[-1] + weights @ x / weights.sum()
    return mixed


@check(
    "P-33",
    "{prf:ref}`rem-counter`, {ref}`sec-steps`",
    why="One causal layer with RoPE, $d = 32$, entries of deviation one half, $n - 1$ equal tokens "
    "and another at the end, against one "
    "token more: what the last token gets differs by %{at 10:.3f} at $n = 10$ and %{at 100:.5f} at $n = "
    "100$. Rounded to bfloat16, the two are equal at $n =$ %{equal from:.0f}, in float64 they are not.",
)
def _collapse() -> list[Part]:
    def apart(n: int) -> float:
        return float(abs(_last_token(n + 1) - _last_token(n)).max())

    def same_rounded(n: int) -> bool:
        return bool((rounded(_last_token(n + 1), "bfloat16") == rounded(_last_token(n), "bfloat16")).all())

    equal = next(n for n in range(10, 4000, 10) if same_rounded(n))
    return [
        aside("at 10", _digits(apart(10), 3)),
        aside("at 100", _digits(apart(100), 5)),
        aside("equal from", equal),
        says(
            "difference at 100 over that at 10",
            _digits(apart(100) / apart(10), 3),
            apart(100) < 0.1 * apart(10),
        ),
        says("equal in bfloat16 at", equal, apart(equal) > 0),
    ]


@check(
    "P-34",
    "{ref}`q-mla`, {prf:ref}`rem-latent`",
    why="Between $W_Q^\\top$ and $W_{UK}$ is $R(q - p)$, so each distance needs another product: for random "
    "matrices, a head of 64 entries and a latent of 16, those of distances 0 and 5 differ by "
    "%{apart:.2f} in some entry. Turned entries beside the latent ones, which is what the paper does, "
    "leave that product alone.",
)
def _absorbed() -> list[Part]:
    rng = np.random.default_rng(0)
    query, up = rng.normal(size=(64, 32)) / 8, rng.normal(size=(64, 16)) / 8

    def product(distance: int) -> Float:
        return query.T @ apply_rope(up.T, np.full(16, distance)).T

    apart = abs(product(5) - product(0)).max()
    return [
        aside("apart", _digits(apart)),
        says("difference of the products for two distances", _digits(apart), apart > 0.01),
    ]


@check(
    "P-35",
    "{ref}`q-static-yarn`, {ref}`where the factor acts <sec-yarn-factor>`",
    why="With factor 4, 32,768 trained tokens, $d = 128$ and base $10^6$, %{changed:.0f} of 64 pairs turn "
    "slower and all scores are multiplied by %{factor:.2f}, whatever the prompt's length. So a short "
    "prompt is computed otherwise. Whether that costs anything is a matter of trained models, for which "
    "the page says “potentially”.",
)
def _static() -> list[Part]:
    changed = int((yarn(128, 4, 1e6, length=32_768) < frequencies(128, 1e6) * (1 - 1e-9)).sum())
    return [
        aside("changed", changed),
        aside("factor", _digits(yarn_scale(4) ** 2)),
        says("pairs that turn slower in a prompt of any length", changed, changed > 0),
        reported("Qwen3", "performance on shorter texts is potentially impacted"),
    ]


@check(
    "P-36",
    "{ref}`q-mrope`",
    why="With the sections 24, 20, 20, dealt out in turn, at base $5 \\cdot 10^6$, the slowest pair of time "
    "has a wavelength of %{time:,.0f}, those of height and width %{height:,.0f} and %{width:,.0f}: each "
    "axis has fast and slow pairs, and the four slowest belong to time. In the bands 16, 24, 24 of "
    "Qwen2-VL, at its base $10^6$, time had the fastest alone, up to %{time in bands:,.0f}.",
)
def _full_frequency() -> list[Part]:
    waves, dealt = wavelengths(128, 5e6), section_axes([24, 20, 20], interleaved=True)
    bands = section_axes([16, 24, 24])
    slowest = [waves[dealt == axis].max() for axis in range(3)]
    fastest = max(waves[dealt == axis].min() for axis in range(3))
    equal = bool(np.isclose(slowest, waves[-1]).all())
    return [
        *(aside(name, wave) for name, wave in zip(("time", "height", "width"), slowest, strict=True)),
        aside("time in bands", wavelengths(128, 1e6)[bands == 0].max()),
        says("fastest pair of each axis: a wavelength of at most", _digits(fastest, 1), fastest < 20),
        says(
            "smallest of the slowest wavelengths, over the slowest of all",
            _digits(min(slowest) / waves[-1]),
            equal,
        ),
    ]


def _pictured(directions: Float, omega: Float) -> NDArray[np.float64]:
    """Mean similarity, from 20 to 60 units away: along the first axis, and between the axes at 35 degrees."""
    radius = np.linspace(20, 60, 400)
    found = []
    for angle in (0.0, np.deg2rad(35)):
        places = radius[:, None] * [np.cos(angle), np.sin(angle)]
        found.append(np.cos(places @ (directions * omega[:, None]).T).mean())
    return np.array(found)


@check(
    "P-37",
    "{doc}`two-dimensions`",
    why="A query equal to its key, $d = 128$, base $100$, from 20 to 60 units away: with axial RoPE the "
    "mean score is %{axial, along:.2f} of the largest along an axis, since half of the pairs don't "
    "turn, and %{axial, between:.2f} at 35 degrees. With one frequency for each pair and one draw "
    "of directions it is %{spread, along:.2f} and %{spread, between:.2f}: no cross. (Averaged over all "
    "directions a pair gives $J_0(\\omega r)$, a circle.)",
)
def _cross() -> list[Part]:
    axial = np.repeat(np.eye(2), 32, axis=0), np.tile(frequencies(64, 100), 2)
    turns = np.random.default_rng(0).uniform(0, 2 * np.pi, 64)
    spread = np.stack([np.cos(turns), np.sin(turns)], axis=1), frequencies(128, 100)
    crossed, even = _pictured(*axial), _pictured(*spread)
    return [
        aside("axial, along", _digits(crossed[0])),
        aside("axial, between", _digits(crossed[1])),
        aside("spread, along", _digits(even[0])),
        aside("spread, between", _digits(even[1])),
        says(
            "axial: along an axis less between",
            _digits(crossed[0] - crossed[1]),
            crossed[0] - crossed[1] > 0.2,
        ),
        says("spread: along an axis less between", _digits(even[0] - even[1]), abs(even[0] - even[1]) < 0.1),
    ]


@check(
    "P-38",
    "{prf:ref}`thm-linear-bias`, {prf:ref}`thm-rotary`",
    why="With an added bias the gain of one key over another, both at one distance, is the same at each "
    "distance. So a head cannot prefer one key near and another far. With RoPE that gain changes by "
    "%{change:.1f} from distance 1 to 9, for random vectors, $d = 64$. But one pair a bias does single out: "
    "the key that the head prefers everywhere, at the distance that the bias favors. Among 1,000 keys, half "
    "of them preferred by 10, with a bias of 10 at distance 5, the preferred one there gets %{single:.2f} of "
    "the weight.",
)
def _added_scalar() -> list[Part]:
    query, first, second = np.random.default_rng(0).normal(size=(3, 64))
    bias = -0.25 * np.array([1, 9])
    added = ((query @ first + bias) - (query @ second + bias)).tolist()
    gains = apply_rope(np.broadcast_to(query, (2, 64)), [1, 9]) @ (first - second)
    change = float(gains[1] - gains[0])
    distance = np.arange(1000)
    powers = np.exp(10.0 * (distance % 2) + 10.0 * (distance == 5) - 20)
    single = _digits(powers[5] / powers.sum(), 2)
    return [
        aside("change", abs(_digits(change, 1))),
        same("change of a key's gain with distance, added bias", added[1] - added[0]),
        says("the same, RoPE", abs(_digits(change, 1)), abs(change) > 0.1),
        says(
            "weight that a bias leaves to other pairs than the one it favors",
            _digits(1 - single),
            single < 0.5,
        ),
        aside("single", single),
    ]


def _merged(length: int, group: int, window: int) -> int:
    """The largest relative position that SelfExtend's program gives in a sequence of this length."""
    last = length - 1
    return last // group + window - window // group


@check(
    "P-39",
    "{ref}`sec-longer-contexts`, {cite}`jin2024longlm`",
    why="By the program's formula, with a group of 5 and a window of 1,024, positions stay below 4,096 up "
    "to %{length:,.0f} tokens, where the README has 16,384: whole-number division cuts off the "
    "difference. For its example of 15,800 tokens the largest position is %{largest:,.0f}, as it says. "
    "Positions in a group are the same, so their order is left to the window.",
)
def _self_extend() -> list[Part]:
    length = max(n for n in range(4096, 20_000) if _merged(n, 5, 1024) < 4096)
    largest = _merged(15_800, 5, 1024)
    return [
        aside("length", length),
        aside("largest", largest),
        exactly("longest input", 16_384, length),
        exactly("largest position in the example", 3979, largest),
    ]
