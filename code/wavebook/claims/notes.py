"""Checks of what the shorter notes claim: sources J1, J2, J3 and K."""

import mpmath
import numpy as np
import sympy as sp
from numpy.typing import NDArray

from posenc import encoding_table, frequencies, positional_encoding, shift_matrix, similarity, wavelengths
from posenc.context import unseen_pairs
from posenc.precision import ROUNDING
from posenc.rope import apply_rope
from posenc.rotation import halves_order
from wavebook.attention import self_attention
from wavebook.claims.finding import (
    Part,
    aside,
    check,
    digits,
    exactly,
    reported,
    rounds,
    same,
    says,
    unpublished,
)
from wavebook.experiments import cliff, further
from wavebook.initialization import embedding_deviations


@check("J1-01")
def _three_rows() -> list[Part]:
    said = {1: ("0.84", "0.54", "0.01"), 2: ("0.91", "0.41", "0.02"), 3: ("0.14", "-0.98", "0.03")}
    return [
        rounds(f"entry {entry} of PE({p})", figure, positional_encoding(p, 4)[entry])
        for p, row in said.items()
        for entry, figure in enumerate(row)
    ]


@check("J1-02")
def _slowest() -> list[Part]:
    periods = {width: wavelengths(width)[-1] for width in range(2, 1025, 2)}
    nearest = min(periods, key=lambda width: abs(periods[width] - 10_000 * np.pi))
    return [
        exactly("slowest period at d_model 512", 10_000 * np.pi, periods[512]),
        exactly("nearest slowest period of any d_model", 10_000 * np.pi, periods[nearest]),
    ]


@check("J1-03")
def _fourier_series() -> list[Part]:
    omegas = [sp.Integer(10_000) ** sp.Rational(-2 * pair, 512) for pair in range(256)]
    harmonic = sum(
        bool(omega.is_rational) for omega in omegas
    )  # the first frequency is 1: these are the ratios to it
    return [says("waves of 256 in rational ratio to the first", harmonic, harmonic == 256)]


@check("J1-04")
def _recovers_distance() -> list[Part]:
    code = positional_encoding(np.arange(1000), 512)
    dots, scores = code @ code.T, similarity(np.arange(1000), 512)
    distances = abs(np.subtract.outer(np.arange(1000), np.arange(1000)))
    rises = (
        np.diff(scores) > 0
    ).sum()  # it is continuous: where it rises, it takes a value that it had before
    sides = abs(similarity(-np.arange(1000), 512) - scores).max()
    return [
        same(
            "relative difference between pairs of one distance",
            abs(dots - scores[distances]).max() / scores[0],
        ),
        says("rises in 999 steps of distance", rises, rises == 0),
        says("difference between before and after", sides, sides > ROUNDING),
    ]


@check("J1-05")
def _stable() -> list[Part]:
    run = cliff.load().run("back", "sinusoidal")
    kept = run.over(64, 128) / run.over(3, 32)
    table = encoding_table(20_000, 64)
    steps = np.linalg.norm(np.diff(table, axis=0), axis=1)
    return [
        same("variation of the norm over 20000 positions", np.ptp(np.linalg.norm(table, axis=1))),
        same("variation of the distance of neighbors", np.ptp(steps)),
        says(
            "fraction of its accuracy that a trained model keeps, at this scale",
            kept.mean(),
            kept.min() > 0.95,
        ),
        reported("a model beyond its training length", "gets worse"),
    ]


@check("J1-06")
def _who_uses_rope() -> list[Part]:
    return [
        reported("GPT-3", "a learned table"),
        unpublished("GPT-4"),
        unpublished("GPT-5"),
        reported("LLaMA", "RoPE"),
        reported("Qwen", "RoPE"),
    ]


@check("J1-07")
def _integer_division() -> list[Part]:
    p, differences = np.arange(1000)[:, np.newaxis], []
    for width in (2, 4, 6, 128, 512):
        i = np.arange(width)
        angle = p / 10_000 ** (2 * (i // 2) / width)
        table = np.where(i % 2 == 0, np.sin(angle), np.cos(angle))
        differences.append(abs(table - positional_encoding(p[:, 0], width)).max())
    return [same("largest difference over five values of d_model", max(differences))]


@check("J2-01")
def _same_words() -> list[Part]:
    rng = np.random.default_rng(0)
    vectors = {word: rng.normal(size=8) for word in ("the", "dog", "bit", "man")}
    matrices, sentences = rng.normal(size=(3, 8, 8)), ("the dog bit the man", "the man bit the dog")
    rows = (np.array([vectors[word] for word in sentence.split()]) for sentence in sentences)
    one, other = (self_attention(x, *matrices)[0] for x in rows)
    return [same("largest difference of a token's outputs", abs(one - other[[0, 4, 2, 3, 1]]).max())]


@check("J2-02")
def _relative_score() -> list[Part]:
    m, n, s, omega, a, b, c, d = sp.symbols("m n s omega a b c d", real=True)

    def turned(x: sp.Expr, y: sp.Expr, angle: sp.Expr) -> sp.Matrix:
        return sp.Matrix([x * sp.cos(angle) - y * sp.sin(angle), x * sp.sin(angle) + y * sp.cos(angle)])

    score = turned(a, b, omega * (m + s)).dot(turned(c, d, omega * (n + s)))
    change = sp.expand(score.diff(s))
    query, key = np.random.default_rng(0).normal(size=(2, 64))
    queries, keys = (apply_rope(np.tile(x, (100, 1)), np.arange(100)) for x in (query, key))
    scores = queries @ keys.T
    return [
        says("rate of change of a pair's score as both move on", str(change), change == 0),
        same("largest change of scores at d_model 64", abs(scores[1:, 1:] - scores[:-1, :-1]).max()),
    ]


@check("J2-03")
def _score_falls() -> list[Part]:
    query = np.ones(128)
    turned = apply_rope(np.tile(query, (513, 1)), np.arange(513))
    alike, aimed = (
        turned @ query,
        turned @ apply_rope(query, 200),
    )  # a key like the query, and one turned by 200 positions
    level, rises = alike[257:].mean() / alike[1:257].mean(), (np.diff(alike) > 0).sum()
    return [
        says(
            "equal vectors, pairs of one length: level at 257 to 512 over that at 1 to 256", level, level < 1
        ),
        says("equal vectors, pairs of one length: rises in 512 steps", rises, rises == 0),
        says("vectors aimed at 200, distance of the highest score", aimed.argmax(), aimed.argmax() == 0),
    ]


@check("J2-04")
def _longer_text() -> list[Part]:
    run = cliff.load().run("back", "RoPE")
    kept = run.over(32, 64) / run.over(3, 32)
    unseen = unseen_pairs(frequencies(128), 128, 2, length=2048)
    return [
        says("pairs of 64 at angles outside the range of training", unseen, unseen == 0),
        says(
            "fraction of its accuracy that a trained model keeps, at this scale", kept.mean(), kept.min() >= 1
        ),
        reported("trained models on longer inputs", "not well suited"),
    ]


@check("J2-05")
def _separable() -> list[Part]:
    code, texts = encoding_table(512, 512), np.random.default_rng(0).normal(size=(20, 512, 512))
    energy = np.cumsum(np.linalg.svd(code, compute_uv=False) ** 2)
    directions = 1 + (energy < 0.99 * energy[-1]).sum()

    def read(candidates: np.ndarray, x: np.ndarray) -> float:
        """The fraction of rows of x whose own candidate is the nearest: what was added to it is not known."""
        nearest = (x @ candidates.T - (candidates**2).sum(axis=1) / 2).argmax(axis=1)
        return float((nearest == np.arange(512)).mean())

    found, small, large = np.mean(
        [
            (read(words, words + code), read(code, words + code), read(code, np.sqrt(512) * words + code))
            for words in texts
        ],
        axis=0,
    )
    return [
        says("directions of 512 with 99 % of the encodings' energy", directions, directions < 512),
        says("fraction of random tokens read off the sum", found, found == 1),
        says("fraction of positions read off, entries of size one", small, small == 1),
        says("fraction of positions read off, PyTorch's default", large, large == 1),
    ]


@check("J3-01")
def _scaled_embeddings() -> list[Part]:
    draws = {  # the standard deviation of an entry, and the width
        "tensor2tensor": (embedding_deviations(512)["tensor2tensor"], 512),
        "PyTorch's tutorial": (embedding_deviations(200)["PyTorch tutorial"], 200),
        "PyTorch's default": (embedding_deviations(512)["PyTorch default"], 512),
        "Xavier": (embedding_deviations(512)["Xavier"], 512),
    }
    parts = []
    for name, (deviation, width) in draws.items():
        before = deviation * np.sqrt(width) / np.linalg.norm(positional_encoding(0, width))
        after = (
            np.sqrt(width) * before
        )  # the code drowns the shorter words before, and not the longer ones after
        parts.append(says(f"token over encoding with the factor, {name}", after, before < 1 <= after))
    return parts


@check("J3-02")
def _exp_log() -> list[Part]:
    with mpmath.workdps(40):
        true = [mpmath.mpf(10_000) ** (-mpmath.mpf(dim) / 512) for dim in range(0, 512, 2)]

    def worst(values: np.ndarray) -> float:
        with mpmath.workdps(40):
            return float(
                max(abs(value / exact - 1) for value, exact in zip(values.tolist(), true, strict=True))
            )

    forms = {}
    for kind in (np.float64, np.float32):
        dims: NDArray[np.floating] = np.arange(512, step=2).astype(kind)
        arguments, exponents = dims * kind(-float(mpmath.log(10_000)) / 512), -(dims / kind(512))
        # Rounded correctly, as not every processor's exponentials and powers are.
        with mpmath.workprec(np.finfo(kind).nmant + 1):
            forms[kind.__name__] = (
                np.array([float(mpmath.exp(one)) for one in arguments.tolist()]),
                np.array([float(mpmath.power(10_000, one)) for one in exponents.tolist()]),
            )
    by_exp, by_power = forms["float64"]
    errors = {name: worst(by_exp) / worst(by_power) for name, (by_exp, by_power) in forms.items()}
    return [
        same("largest relative difference in float64", abs(by_exp / by_power - 1).max()),
        *(
            says(f"error over that of the power in {name}", ratio, ratio < 1)
            for name, ratio in errors.items()
        ),
    ]


@check("J3-03")
def _normalised() -> list[Part]:
    steps = {length: np.diff(np.arange(length) / length).mean() for length in (10, 100)}
    return [rounds("step at length 10", "0.1", steps[10]), rounds("step at length 100", "0.01", steps[100])]


@check("J3-04")
def _halves() -> list[Part]:
    p = np.arange(500)
    angles = np.multiply.outer(p, frequencies(512))
    halves = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    interleaved = positional_encoding(p, 512)
    back = np.argsort(halves_order(512))
    dots = halves @ halves.T - interleaved @ interleaved.T
    return [
        same("difference once the columns are put back", abs(halves[:, back] - interleaved).max()),
        same("relative difference of the dot products", abs(dots).max() / 256),
    ]


@check("J3-05")
def _swapped() -> list[Part]:
    code = positional_encoding(np.arange(200), 64)
    swapped = code.reshape(-1, 32, 2)[:, :, ::-1].reshape(-1, 64)
    errors = [abs(swapped[:-k] @ shift_matrix(-k, 64).T - swapped[k:]).max() for k in (1, 7, 100)]
    changed = int((swapped[0] != code[0]).sum())
    return [
        same("error of T(−k) as the shift by k", max(errors)),
        same("difference of the dot products", abs(swapped @ swapped.T - code @ code.T).max()),
        says("entries of 64 that change at position 0", changed, changed == 0),
    ]


@check("J3-06")
def _bounded() -> list[Part]:
    table = positional_encoding(np.arange(2000), 512)
    low, high = table.min(), table.max()
    return [says("smallest entry of 2000 rows", low, low >= -1), says("largest entry", high, high <= 1)]


@check("K-01")
def _blocks() -> list[Part]:
    k, width = 3.0, 512
    by_block = (
        shift_matrix(k, width).reshape(width // 2, 2, width // 2, 2).transpose(0, 2, 1, 3)
    )  # (row, column, 2, 2)
    own, angles = by_block.diagonal().transpose(2, 0, 1), k * frequencies(width)
    expected = np.array([[np.cos(angles), np.sin(angles)], [-np.sin(angles), np.cos(angles)]]).transpose(
        2, 0, 1
    )
    outside = abs(by_block).max(axis=(2, 3)) - np.diag(abs(own).max(axis=(1, 2)))
    return [
        same("largest entry outside the blocks", outside.max()),
        same("largest error of the blocks in order", abs(own - expected).max()),
        exactly("blocks at d_model 512", width // 2 + 1, len(own)),
    ]


@check("K-02")
def _shift() -> list[Part]:
    p, k, omega = sp.symbols("p k omega", real=True)
    turn = sp.Matrix([[sp.cos(omega * k), sp.sin(omega * k)], [-sp.sin(omega * k), sp.cos(omega * k)]])
    pair, moved = (sp.Matrix([sp.sin(omega * x), sp.cos(omega * x)]) for x in (p, p + k))
    left = sum(
        abs(entry) for entry in (turn * pair - moved.applyfunc(sp.expand).applyfunc(sp.expand_trig)).expand()
    )
    positions = np.arange(200)
    errors = [
        positional_encoding(positions, 64) @ shift_matrix(k, 64).T - positional_encoding(positions + k, 64)
        for k in (-20, -1, 0.5, 1, 100)
    ]
    return [
        says("difference of the sides, for one pair", str(left), left == 0),
        same("largest error over 200 positions, d_model 64", max(abs(error).max() for error in errors)),
    ]


@check("J2-06")
def _survives() -> list[Part]:
    told = further.load().job("read", "back", "sinusoidal", rate=0.01, **further.DEEP).told
    if told is None:
        raise ValueError("the job must have been asked for positions")
    before, after = float(told[1, :, 0].mean()), float(told[1, :, -1].mean())
    return [
        aside("told before", digits(before)),
        aside("guessing", digits(1 / 32)),
        says("told after", digits(after), after > 2 / 32),
        says("part of it that is left", digits(after / before), after > 0.9 * before),
    ]
