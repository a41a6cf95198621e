"""Checks of the statements in wavebook/data/papers.yml: what papers of 2024 to 2026 say.

A check settles what is mathematics in a statement, at a stated d_model and base. What was observed in trained
models stays a matter of reports, unless the recorded experiment of chapter 14 has the same comparison.
"""

from __future__ import annotations

import numpy as np

from posenc import closest_offset, frequencies, similarity, wavelengths
from posenc.arguments import Float
from posenc.biases import alibi_bias
from posenc.rope import apply_rope
from posenc.spectra import first_negative
from wavebook.attention import causal_mask, self_attention
from wavebook.claims.finding import Part, aside, check, reported, same, says
from wavebook.experiments import cliff


def _rounded(value: float, digits: int = 2) -> float:
    """A measured fraction in the digits that do not hang on the draw of the last bits."""
    return round(float(value), digits)


@check(
    "P-01",
    "{prf:ref}`thm-integers`, {prf:ref}`rem-folding`",
    why="As a bound for the slowest hand it is right: beyond its wavelength that hand repeats its angles, "
    "here at $d = 128$, base $100$ and up to ten times beyond $2\\pi b$. It is no bound for the encoding: up "
    "to there no two whole positions are nearer than %{smallest distance:.2f}, since the other hands tell "
    "them apart.",
)
def _aliasing() -> list[Part]:
    base, reach = 100.0, int(10 * 2 * np.pi * 100)
    _, nearest = closest_offset(reach + 1, 128, base)
    turns = reach / wavelengths(128, base)[-1]
    return [
        says("turns of the slowest hand", _rounded(turns), turns > 1),
        says("smallest distance", _rounded(nearest), nearest < 1e-9),
    ]


@check(
    "P-02",
    "{doc}`numbers`",
    why="At base $10^{12}$ and $d = 128$ the angles and sines of the slowest hand stay apart in single "
    "precision, and its cosines are all one. Added to entries near one, such sines are mostly lost: an "
    "entry that is turned, of a pair of ones, has %{values of a turned entry:.0f} values at 1,048,576 "
    "positions. So its neighbors are nearly all alike, though there are %{different sines:,.0f} sines.",
)
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


def _far_wins(length: int) -> float:
    """How often a key at least twice as far scores higher; equal query and key, d_model 128, base 10,000."""
    rng = np.random.default_rng(0)
    far = rng.integers(2, length, 40_000)
    near = (1 + rng.random(40_000) * (far // 2)).astype(int)
    return _rounded((similarity(far, 128) > similarity(near, 128)).mean())


@check(
    "P-03",
    "{ref}`sec-decay`, {prf:ref}`thm-typical`",
    why="For a key equal to its query, $d = 128$ and base $b = 10{,}000$: among pairs of keys, the far "
    "one drawn evenly and the near one evenly up to half of its distance, the far one wins in "
    "%{up to b/10:.2f} of the cases up to $b/10$, "
    "%{up to b:.2f} up to $b$, %{up to 10 b:.2f} up to $10b$. So in this setting it "
    "is near one half from some ten or a hundred times the base on, and below the base what is near is "
    "preferred.",
)
def _locality() -> list[Part]:
    below = [
        aside(f"up to {name}", _far_wins(length))
        for name, length in (("b/10", 1000), ("b", 10**4), ("10 b", 10**5))
    ]
    beyond = {name: _far_wins(length) for name, length in (("100 b", 10**6), ("1000 b", 10**7))}
    return [
        *below,
        *(says(f"chance up to {name}", value, abs(value - 0.5) < 0.05) for name, value in beyond.items()),
    ]


@check(
    "P-04",
    "{prf:ref}`thm-far`",
    why="One query and two keys with random entries, $d = 128$ and base $10{,}000$: of the distances up "
    "to 20,000, the key that wins at distance zero loses at a fraction of %{fraction:.2f}. The two scores "
    "are different sums of cosines of the same angles.",
)
def _order_of_keys() -> list[Part]:
    pairs = np.random.default_rng(1).normal(size=(3, 64, 2)) @ np.array([1, 1j])
    turns = np.exp(1j * np.outer(np.arange(20_001), frequencies(128)))
    query, *keys = pairs
    first, second = ((turns @ (query * key.conj())).real for key in keys)
    lost = (first > second) != (first[0] > second[0])
    return [says("fraction", _rounded(lost.mean()), bool(lost.any()))]


@check(
    "P-05",
    "{eq}`eq-bound`",
    why="The demand is that $K$ is not negative up to the context length. At $d = 128$ and 1,000 "
    "positions, of the bases in steps of ten, %{first:.0f} is the first that meets it. It is a bound and "
    "no threshold: larger bases fail, the last of those below 7,000 at %{last:.0f}. And where half of a "
    "head turns, each base meets the demand ({prf:ref}`rem-at-rest`), which is itself no measure of what a "
    "model can do.",
)
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


@check(
    "P-06",
    "{prf:ref}`thm-far`, {cite}`barbero2025round`",
    why="What trained models do is *reported*, for Gemma 7B. That no head is bound to prefer what is near "
    "is a theorem: a key that is its query turned by 5,000 scores highest %{best distance:,.0f} positions "
    "away, among 8,192 distances at $d = 128$ and base $10{,}000$.",
)
def _no_decay() -> list[Part]:
    query = np.tile([1.0, 0.5], 64)
    key = apply_rope(query[None], [5000])[0]
    scores = apply_rope(np.broadcast_to(key, (8192, 128)), -np.arange(8192)) @ query
    return [
        aside("best distance", scores.argmax()),
        reported("Gemma 7B", "fast pairs make positional patterns"),
    ]


def _layers(x: Float, layers: int) -> Float:
    for _ in range(layers):
        x = x + self_attention(x, bias=causal_mask(len(x)))[0]
    return x


@check(
    "P-07",
    "{prf:ref}`thm-permutation`, {prf:ref}`rem-counter`",
    why="Without a mask it is a theorem for what is read off the tokens as a set, or off one token wherever "
    "it stands; read at its last place, a model still knows which token is last. A causal mask is a "
    "positional signal by itself, as the next section has it: "
    "with two such layers and no encoding, six tokens with entries of deviation one half and $d = 8$, the "
    "output of the last token changes by %{masked:.3f} when two earlier tokens trade places.",
)
def _necessity() -> list[Part]:
    tokens = np.random.default_rng(0).normal(size=(6, 8)) / 2
    order = np.array([0, 2, 1, 3, 4, 5])
    plain = abs(self_attention(tokens[order])[0] - self_attention(tokens)[0][order]).max()
    masked = abs(_layers(tokens[order], 2)[-1] - _layers(tokens, 2)[-1]).max()
    return [
        same("change of the outputs without a mask, up to their order", plain),
        says("masked", _rounded(masked, 3), masked < 1e-9),
    ]


@check(
    "P-08",
    "{prf:ref}`rem-counter`",
    why="Tokens with independent entries of deviation one half at $d = 64$, and one masked layer "
    "without parameters, 200 "
    "sequences of 64: before the layer the score of a token with itself has the same mean everywhere, and "
    "after it the first token's is %{ratio:.1f} times that of the last. The first token saw only itself, "
    "and the others are mixed with what came before. With entries of deviation one, where each token looks "
    "almost at itself alone, it is %{deviation one:.2f} times. (That near tokens are favored, as the "
    "abstract goes "
    "on, is not tried.)",
)
def _mask_alone() -> list[Part]:
    def first_to_last(deviation: float) -> float:
        rng = np.random.default_rng(0)
        scores = np.zeros(64)
        for _ in range(200):
            out = self_attention(deviation * rng.normal(size=(64, 64)), bias=causal_mask(64))[0]
            scores += (out * out).sum(axis=1)
        return float(scores[0] / scores[-1])

    half, one = first_to_last(0.5), first_to_last(1.0)
    return [
        says("ratio", _rounded(half, 1), half > 1.2),
        says("deviation one", _rounded(one), one > 1.2),
    ]


def _best_offset(query: Float, key: Float) -> int:
    """At which distance, from -500 to 500, RoPE's score of two vectors is largest."""
    offsets = np.arange(-500, 501)
    scores = apply_rope(np.broadcast_to(key, (len(offsets), len(key))), offsets) @ query
    return int(offsets[scores.argmax()])


@check(
    "P-09",
    "{prf:ref}`thm-far`, {prf:ref}`thm-rotary`",
    why="The angle of each pair of query and key adds to the angle that the positions make. For ten "
    "queries and keys with random entries, $d = 128$ and base $10{,}000$, the largest score within 500 "
    "positions is at %{different places:.0f} different distances.",
)
def _entangled() -> list[Part]:
    rng = np.random.default_rng(0)
    found = {_best_offset(*rng.normal(size=(2, 128))) for _ in range(10)}
    return [says("different places", len(found), len(found) > 1)]


@check(
    "P-10",
    "{prf:ref}`thm-rotary`",
    why="As others describe it, PoPE turns non-negative sizes by angles without the content in them. "
    "Then, without the learned phase it may add, the score is $\\sum_c a_c \\cos \\omega_c \\Delta$ with "
    "$a_c \\ge 0$, and it is largest at $\\Delta = 0$ whatever the content is. How it falls from there still "
    "depends on the content.",
)
def _polar() -> list[Part]:
    rng = np.random.default_rng(0)
    omega, offsets = frequencies(128), np.arange(-500, 501)
    best = {int(offsets[(np.cos(np.outer(offsets, omega)) @ rng.random(64)).argmax()]) for _ in range(10)}
    return [says("different places of the largest score, for ten contents", len(best), best == {0})]


@check(
    "P-11",
    "{prf:ref}`rem-harmonic`, {prf:ref}`thm-integers`",
    why="As a function of the distance a score is a sum of cosines and sines whose frequencies are given and "
    "not evenly spaced: that is the transform. Each of its terms is periodic. Their sum has no whole "
    "period, if that is what is meant: its angles come near their beginning again and again, and at whole "
    "distances never all back to it.",
)
def _periodic() -> list[Part]:
    query, key = np.random.default_rng(0).normal(size=(2, 128))
    products = (query[::2] + 1j * query[1::2]) * np.conj(key[::2] + 1j * key[1::2])
    at = 137
    whole = (products * np.exp(1j * frequencies(128) * at)).real.sum()
    rope = apply_rope(query[None], [at])[0] @ key
    return [same("score of RoPE and the transform at a distance of 137", whole - rope)]


@check(
    "P-12",
    "{prf:ref}`thm-blocks`",
    why="The matrix exponential of $p$ times one antisymmetric matrix, with the frequencies in its "
    "planes, and RoPE's rotation of one vector are the same.",
)
def _rotations() -> list[Part]:
    omega, p = frequencies(8), 3
    generator = np.kron(np.diag(omega), np.array([[0.0, -1.0], [1.0, 0.0]]))
    power, exponential = np.eye(8), np.eye(8)
    for n in range(1, 40):  # the series itself
        power = power @ (p * generator) / n
        exponential += power
    vector = np.arange(1.0, 9.0)
    return [same("largest difference", abs(exponential @ vector - apply_rope(vector[None], [p])[0]).max())]


@check(
    "P-13",
    "{prf:ref}`thm-linear-bias`, {prf:ref}`rem-roots`",
    why="Two entries more for queries and keys, and the matrix $\\begin{pmatrix} 1 & k \\\\ 0 & 1 "
    "\\end{pmatrix}$, whose powers add up: the added score is ALiBi's line. Its root is a double one at "
    "$1$.",
)
def _unipotent() -> list[Part]:
    slope, n = 0.25, 12
    step = np.array([[1.0, 1.0], [0.0, 1.0]])
    query, key = np.array([1.0, 0.0]), np.array([0.0, slope])
    bias = np.array(
        [[query @ np.linalg.matrix_power(step, abs(q - p)) @ key * -1 for q in range(n)] for p in range(n)]
    )
    behind = np.tril_indices(n)
    roots = np.roots(np.poly(step))
    return [
        same("largest difference from ALiBi's bias", abs(bias - alibi_bias(n, slope))[behind].max()),
        same("distance of the roots from 1", abs(_rounded(abs(roots - 1).max(), 6))),
    ]


@check(
    "P-14",
    "{doc}`training`, {cite}`liu2024scaling`",
    why="That is about tuning large models. Small ones that are trained from the beginning, on 32 tokens, "
    "to say the token three back ($d = 32$, one head, ten seeds, the higher of two rates), have from twice "
    "the trained length on an accuracy of %{base 10:.2f} with base 10, %{base 10000:.2f} with 10,000, and "
    "%{base 1000000:.2f} with $10^6$, where %{learned with base 1000000:.0f} seeds have learned the task.",
)
def _other_bases() -> list[Part]:
    parts: list[Part] = []
    for base in (10.0, 1e4, 1e6):
        run = cliff.load().run("back", "RoPE", base=base)
        parts.append(aside(f"base {base:.0f}", _rounded(run.over(64, 128).mean())))
    parts.append(aside("learned with base 1000000", int(run.trained.sum())))
    return [*parts, reported("Llama 2, 7B and 13B", "both help")]


@check(
    "P-16",
    "{cite}`khan2026fractional`",
    why="Not decidable here: a tenth was not tried, and the models of this book are small.",
)
def _tenth() -> list[Part]:
    return [reported("pretraining loss", "comparable with a tenth of the entries turned")]


@check(
    "P-17",
    "{cite}`chiang2025inefficiency`",
    why="Not decidable here: which pairs a head uses is learned.",
)
def _inefficient() -> list[Part]:
    return [reported("three language models", "pairs that turn far do not help in long contexts")]
