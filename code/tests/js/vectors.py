"""What the functions of ``wavebook/explorers/js/lib`` must return, for ``lib.test.js``: prints JSON.

    python tests/js/vectors.py

A vector is [module, function, arguments, expected, tolerance]. Expected values come from NumPy and mpmath
by definition where that is short, else from the core of posenc, which has tests of its own; never from
JavaScript.
"""

from __future__ import annotations

import base64
import itertools
import json
import math
import sys

import mpmath as mp
import numpy as np

from posenc import context, spectra
from posenc.biases import alibi_slopes, t5_bucket, t5_bucket_starts
from posenc.encoding import positional_encoding
from posenc.precision import rounded
from posenc.rope import apply_rope
from posenc.rotation import shift_matrix
from wavebook import choices as rivals
from wavebook.attention import score_terms, self_attention
from wavebook.explorers import ask
from wavebook.palette import PALETTE

RNG = np.random.default_rng(20171206)
VECTORS: list[list[object]] = []
STOPS = PALETTE["diverging"]
BETA = {"YaRN": {"slow": 1, "fast": 32}, "Llama 3.1": {"slow": 1, "fast": 4}}


def plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, mp.mpf):
        return float(value)
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value


def case(
    module: str, function: str, arguments: list[object], expected: object, tolerance: float = 1e-12
) -> None:
    """Add a vector; the tolerance is relative above 1 and absolute below."""
    VECTORS.append([module, function, plain(arguments), plain(expected), tolerance])


def omegas(d: int, base: float) -> np.ndarray:
    """The frequencies by their definition, each rounded once."""
    return np.array([float(mp.mpf(base) ** (mp.mpf(-2 * i) / d)) for i in range(d // 2)])


def vector(p: float, omega: np.ndarray) -> np.ndarray:
    """The encoding by its definition; the angle is a product of floats, as it is in the browser."""
    return np.array([f(float(w) * p) for w in omega for f in (math.sin, math.cos)])


def widths(count: int = 12) -> list[tuple[float, float, int, float]]:
    """Positions, offsets, widths and bases at random, the narrowest and a wide one among them."""
    found = [
        (
            RNG.uniform(-1000, 1000),
            RNG.uniform(-50, 50),
            2 * int(RNG.integers(1, 33)),
            10 ** RNG.uniform(0.31, 7),
        )
        for _ in range(count)
    ]
    return [(3.5, -2.0, 2, 1e4), (199.0, 17.0, 512, 1e4), *[tuple(map(plain, row)) for row in found]]


def encoding() -> None:
    """encoding.js."""
    for p, k, d, b in widths():
        omega = omegas(d, b)
        case("encoding", "frequencies", [d, b], omega)
        case("encoding", "wavelengths", [d, b], 2 * math.pi / omega)
        case("encoding", "encode", [p, d, b], vector(p, omega), 1e-11)
        case("encoding", "encode", [p, d, b, [1, 0.25]], vector(p, np.array([1, 0.25])))
        shifted = np.kron(np.eye(d // 2), np.ones((2, 2))) * 0
        for i, w in enumerate(omega):
            s, c = math.sin(w * k), math.cos(w * k)
            shifted[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, s], [-s, c]]
        start = vector(p, omega)
        case("encoding", "shift", [start, k, b], shifted @ start)
        case("encoding", "rotation", [k, 0.5], shift_matrix(k / 2, 2))
        case("tables", "handsMoving", [omega, k, 0.1], int(np.sum(omega * abs(k) >= 0.1)), 0)
        case("encoding", "wavelength", [omega[-1]], 2 * math.pi / omega[-1])
    case("tables", "encodingTable", [5, 8, 100], [x for p in range(5) for x in vector(p, omegas(8, 100))])
    case("tables", "sineTable", [4, [1, 0.1, 3]], [math.sin(w * p) for w in (1, 0.1, 3) for p in range(4)])


def distance() -> None:
    """distance.js, adding.js and laws.js."""
    for p, k, d, b in widths():
        omega = omegas(d, b)
        start, end = vector(0, omega), vector(k, omega)
        case("distance", "similarity", [k, d, b], start @ end, 1e-11)
        pairs = (start * end).reshape(-1, 2)
        case("distance", "cosines", [k, omega], pairs.sum(axis=1), 1e-11)
        case("distance", "distance", [k, d, b], np.linalg.norm(start - end), 1e-11)
        case("distance", "apart", [start, end], np.linalg.norm(start - end))
        case("distance", "typicalDistance", [d], math.sqrt(sum(vector(0.3, omega) ** 2) * 2))
        case("distance", "largestDistance", [d], np.linalg.norm(2 * vector(p, omega)))
        learned = RNG.uniform(-20, 20)
        added = vector(p, omega) + vector(learned + k, omega) - vector(learned, omega)
        missed = np.linalg.norm(added - vector(p + k, omega))
        case("adding", "additionError", [p, k, learned, d, b], missed, 1e-10)
        far = abs(k) * 10
        cin = [mp.quad(lambda t: (1 - mp.cos(t)) / t, [0, *np.arange(5, x, 5), x]) for x in (far, far / b)]
        law = d / 2 * (1 - (cin[0] - cin[1]) / mp.log(b)) + (mp.cos(far) - mp.cos(far / b)) / 2
        case("laws", "cin", [far], cin[0])
        case("laws", "similarityLaw", [far, d, b], law)
        case("laws", "distanceLaw", [far, d, b], mp.sqrt(max(0, d - 2 * law)), 1e-9)
        case("laws", "logarithmicLaw", [far, b], 1 - (mp.log(far) + mp.euler) / mp.log(b))
        case("laws", "costOfDecade", [b], mp.log(10) / mp.log(b))
        case("laws", "partingOffset", [d, b], mp.pi * d / mp.log(b))
    for x in (0, 1e-9, 0.5, 3.999999, 4, 4.000001, 55, 1e6):
        case("laws", "cin", [x], mp.euler + mp.log(x) - mp.ci(x) if x else 0)
    for length, d in ((1, 2), (100, 4), (99, 4), (10**6, 12), (10**6 - 1, 12)):
        boxes = max(n for n in range(1, length + 1) if n ** (d // 2) <= length) if d > 2 else length
        case("laws", "pigeonholeBound", [length, d], 2 * math.pi * math.sqrt(d / 2) / boxes)


def motion() -> None:
    """motion.js, against the integral of the velocity and the half-lives of what is left."""
    for place, push, seconds, calm, fade in (
        (0, 90, 0.016, 1.6, 0.7),
        (62, 1.6, 3, 1.6, 0.7),
        (500, -120, 2, 0, 0.4),
    ):

        def velocity(t: mp.mpf, push: float = push, calm: float = calm, fade: float = fade) -> mp.mpf:
            return mp.mpf(calm) + (push - mp.mpf(calm)) * mp.power(2, -t / (mp.mpf(fade) * mp.log(2)))

        case(
            "motion",
            "coasted",
            [place, push, seconds, calm, fade],
            [place + mp.quad(velocity, [0, seconds]), velocity(mp.mpf(seconds))],
        )
    # Pushed so, and with no time limit, it goes so much farther than it would in calm.
    pushed = (62 + 0.7 * 1.6) / 0.7
    case("motion", "coasted", [0, pushed, 60, 1.6, 0.7], [62 + 60 * 1.6, 1.6])
    for place, whole in ((62.3, 62), (61.6, 62), (7, 7)):
        case("motion", "settled", [place, 0.1 * math.log(2), 0.1], (place + whole) / 2)
        case("motion", "settled", [place, 60, 0.1], whole)


def circle() -> None:
    """circle.js."""
    for p in (0, 4.4, 99.9, math.pi / 2):
        case("circle", "onCircle", [p], [math.sin(p), math.cos(p)])
    for k in (1, 6, 19, 25, 44, 333, 710):
        turns = int(mp.nint(k / (2 * mp.pi)))
        case("circle", "nearestTurns", [k], turns, 0)
        case("circle", "turnsGap", [k], k - 2 * mp.pi * turns, 1e-13)
        divisor = math.gcd(k, 2 * turns)
        case("circle", "piAsFraction", [k, turns], [k // divisor, 2 * turns // divisor], 0)
        case("circle", "greatestDivisor", [k, 12], math.gcd(k, 12), 0)


def matrices() -> None:
    """matrices.js and layouts.js."""
    for n in (1, 2, 5, 16):
        a, b = RNG.normal(size=(2, n, n))
        turn = np.linalg.qr(a)[0]
        case("matrices", "transposed", [a], a.T)
        case("matrices", "applied", [a, b[0]], a @ b[0])
        case("matrices", "multiplied", [a, b], a @ b)
        case("matrices", "identity", [n], np.eye(n), 0)
        case("matrices", "farthest", [a, b], abs(a - b).max())
        case("matrices", "determinant", [a], np.linalg.det(a))
        for power in (0, 1, 13, 50):
            case("matrices", "powered", [turn, power], np.linalg.matrix_power(turn, power))
    case("matrices", "determinant", [[[0, 2], [3, 0]]], -6)
    for layout in ("interleaved", "halves", "cosine first"):
        for _, k, d, b in [*widths(4)[2:], (0, 3.0, 2, 50.0)]:
            order = {  # which entry of ours comes first, second, ... in this layout
                "interleaved": np.arange(d),
                "halves": np.r_[0:d:2, 1:d:2],
                "cosine first": np.arange(d).reshape(-1, 2)[:, ::-1].ravel(),
            }[layout]
            P = np.eye(d)[order]
            case("layouts", "placesOf", [layout, d], P.argmax(axis=0), 0)
            case("layouts", "laidOut", [list(range(d)), layout], order, 0)
            case("layouts", "encodeIn", [k, d, b, layout], vector(k, omegas(d, b))[order])
            case("layouts", "shiftMatrix", [k, d, b, layout], P @ shift_matrix(k, d, b) @ P.T)


def attention() -> None:
    """attention.js and score_terms.js."""
    for shape in ((1, 4), (5, 8), (9, 3), (4, 32)):
        x = RNG.normal(size=shape)
        outputs, weights = self_attention(x)
        case("attention", "attentionWeights", [x], weights)
        case("attention", "mix", [weights, x], outputs)
        case("attention", "dot", [x[0], x[-1]], math.fsum(x[0] * x[-1]))
    for scores in (RNG.normal(size=7) * 300, [1e4, -1e4, 1e4]):
        powers = [mp.exp(mp.mpf(float(s)) - max(scores)) for s in scores]
        case("attention", "softmax", [scores], [power / mp.fsum(powers) for power in powers])
    x = RNG.normal(size=(5, 8))
    case("attention", "encoded", [x, 100], x + [vector(p, omegas(8, 100)) for p in range(5)])
    for number, order in enumerate(itertools.permutations(range(5))):
        case("attention", "arrangement", [number, 5], order, 0)
        case("attention", "arrangementNumber", [order], number, 0)
    for place, word in (
        (-2.5, "caxbed"),
        (0.9, "caxbed"),
        (1, "acxbed"),
        (3, "axbced"),
        (5.2, "axbedc"),
        (9, "axbedc"),
    ):
        order = ["axcbed".index(letter) for letter in "axcbed"]
        case("attention", "carried", [order, 2, place], ["axcbed".index(letter) for letter in word], 0)
    for p, k, count, temperature, d, b in (
        (40.0, 3, 64, 0.1, 32, 1e4),
        (5.0, -4, 16, 1.0, 64, 100.0),
        (7.0, 9, 12, 3.0, 2, 1e4),
    ):
        keys = positional_encoding(np.arange(count), d, b) @ shift_matrix(k, d, b).T
        scores = keys @ vector(p, omegas(d, b)) / math.sqrt(d)
        case("attention", "backScores", [p, k, count, temperature, d, b], scores / temperature, 1e-10)
        case("attention", "backScore", [p, 5, k, d, b], scores[5], 1e-10)

    table = RNG.normal(size=(4, 6))
    sizes = {"digits": 5, "width": 6, "base": 100, "table": table.tolist()}
    for name, p, length, expected in (
        ("the number", 7, 9, [7]),
        ("the fraction", 7, 20, [0.35]),
        ("binary digits", 22, 30, [0, 1, 1, 0, 1]),
        ("a learned table", 3, 9, table[3]),
        ("sines and cosines", 8, 9, vector(8, omegas(6, 100))),
    ):
        case("attempts", "attempt", [name, p, length, sizes], expected)
    for count, base, places, expected in ((126.9, 2, 8, [*map(int, "01111110")]), (128, 10, 4, [8, 2, 1, 0])):
        case("attempts", "digitsOf", [count, base, places], expected, 0)

    signs = RNG.integers(0, 2, (3, 16)).astype(bool)
    packed = base64.b64encode(np.packbits(signs)).decode()
    for d in (2, 10, 16):
        case("score_terms", "signTokens", [packed, 16, d], np.where(signs[:, :d], 1, -1), 0)
    for n, d in ((1, 2), (5, 8), (12, 64)):
        tokens, size, b, p = (
            RNG.normal(size=(n, d)),
            RNG.uniform(0.1, 9),
            10 ** RNG.uniform(0.4, 6),
            int(RNG.integers(n)),
        )
        parts = score_terms(size * tokens, positional_encoding(np.arange(n), d, b))[:, p]
        case("score_terms", "scoreParts", [p, tokens, size, b], parts)
        case("score_terms", "summed", [parts], parts.sum(axis=0))
        case("score_terms", "fractions", [parts[:, 0]], abs(parts[:, 0]) / abs(parts[:, 0]).sum())
    for n in (1, 2, 47):
        values = RNG.normal(size=n) * 9
        case("score_terms", "scatter", [values], values.std())
        other = RNG.normal(size=n)
        alike = values @ other / np.linalg.norm(values) / np.linalg.norm(other)
        case("score_terms", "cosine", [values, other], alike)


def relatives() -> None:
    """rope.js, biases.js and context.js."""
    for t, _, d, b in widths(8)[2:]:
        pair, q, k = RNG.normal(size=2), *RNG.normal(size=(2, d))
        spun = complex(*pair) * complex(math.cos(t), math.sin(t))
        case("rope", "rotated", [pair, t], [spun.real, spun.imag])
        case("rope", "ropeScore", [t, q, k, omegas(d, b)], apply_rope(q, t, b) @ k, 1e-10)
        for query in (np.ones(d), q):
            case("rope", "aimedKey", [t, omegas(d, b), query], apply_rope(query, t, b), 1e-11)
        m, n, w = RNG.uniform(0, 100, 3) / [1, 1, 100]
        q, k = RNG.normal(size=(2, 2))
        sums = [v + vector(at, np.array([w])) for v, at in ((q, m), (k, n))]
        case("rope", "addedScore", [m, n, q, k, w], sums[0] @ sums[1])
        turn = np.angle(complex(*k) / complex(*q))
        case("rope", "angleBetween", [q, k], turn)
        q, k = RNG.normal(size=(2, d))
        spun_hands = (q[::2] + 1j * q[1::2]) * np.exp(1j * omegas(d, b) * 7.5)
        case("own_rule", "ownScore", [q[::2], q[1::2], omegas(d, b), 7.5], spun_hands.real.sum(), 1e-11)
        turned = apply_rope(np.tile(q, (90, 1)), np.arange(90), b)
        case("slips", "scoresTo", [90, q, k, omegas(d, b)], turned @ k / (d // 2), 1e-10)
        third = (q[::2] + 1j * q[1::2]) * np.where(np.arange(d // 2) == 1, np.exp(1j * np.pi / 3), 1)
        case("own_rule", "turnOne", [q[::2], q[1::2], 1, 60], [third.real, third.imag])
        case("own_rule", "greatestFrom", [q, 1], 1 + np.argmax(q[1:]), 0)
        case("slips", "halvesAsNeighbors", [q], q.reshape(2, -1).T.ravel(), 0)
    for n in (0, 1, 255, 256, 257, 258, 259, 511, 513, 514, 1025, 1026, 1028, 1030, 2047, 4095):
        case("slips", "bfloat16", [n], rounded(n, "bfloat16"), 0)
    for cache in (4, 1024):
        held: list[int] = []
        for p in range(3 * cache):
            if len(held) == cache:
                held = held[cache // 2 :]
            case("slips", "droppedBefore", [p, cache], p - len(held), 0)
            held.append(p)
    for heads in (1, 4, 8, 16):
        for head, slope in enumerate(alibi_slopes(heads), 1):
            case("biases", "alibiSlope", [head, heads], slope)
    starts = t5_bucket_starts(32, 128).tolist()
    for k in (0, 1, 15, 16, 17, 40, 127, 128, 129, 299):
        case("biases", "bucketOf", [k, starts], int(t5_bucket(-k, 32, 128, causal=True)), 0)
    case("context", "keptAndDivided", [[1, 1, 1], 1], [3, 0], 0)  # where nothing is divided, all are kept
    for name, method in context.METHODS.items():
        for _, _, d, b in widths(4)[3:]:
            d = max(d, 4)
            factor, length = RNG.uniform(1, 32), int(RNG.integers(1, 9000))
            slowed = method(d, factor, b, length)
            case("context", "extended", [name, factor, d, b, length, BETA], slowed)
            divisors = omegas(d, b) / slowed
            kept = divisors < 1 + 1e-9
            counts = [int(kept.sum()), int((~kept & (divisors > factor * (1 - 1e-9))).sum())]
            case("context", "keptAndDivided", [divisors, factor], counts, 0)
            case("context", "slowing", [omegas(d, b), slowed], omegas(d, b) / slowed)
            beyond = [
                i
                for i, (old, new) in enumerate(zip(omegas(d, b), slowed, strict=True))
                if old * length < 2 * math.pi and new * factor * length > old * length * (1 + 1e-6)
            ]
            assert len(beyond) == context.unseen_pairs(slowed, d, factor, b, length=length)
            case("context", "unseenPairs", [slowed, factor, d, b, length], beyond, 0)


def choices() -> None:
    """spectra.js."""
    draws = {
        "uniform": np.random.default_rng(0).uniform(size=64).tolist(),
        "normal": np.abs(np.random.default_rng(0).normal(size=64)).tolist(),
    }
    for _, _, d, b in widths(8):
        d = min(d, 128)
        length = 10 ** RNG.uniform(1, 6)
        case("spectra", "pairsPerOctave", [d, b], d * math.log(2) / 2 / math.log(b))
        never = np.mean(2 * math.pi / omegas(d, b) > length)
        case("spectra", "fractionNeverTurning", [length, d, b], never)
        case("spectra", "neighborRatio", [d, b], mp.mpf(b) ** (mp.mpf(2) / d))
        counts = np.histogram(1 / omegas(d, b), 2.0 ** np.arange(25))[0]
        case("spectra", "octaveCounts", [omegas(d, b), 24], counts, 0)
        for name in ("geometric", "linear", "harmonic", "octave", "log-uniform", "Gaussian"):
            omega = rivals.SPECTRA[name](d, b)
            case("spectra", "spectrum", [name, d, b, draws], omega)
            if d > 2:
                case("spectra", "measures", [omega, b, 300], spectra.measure(omega, b, limit=300), 1e-9)
    case("spectra", "octaveStart", [3], 16 * math.pi)


def torus() -> None:
    """torus.js."""
    tube, eye = 0.42, 5.0
    for p in RNG.uniform(0, 250, 40):
        e = vector(p, omegas(4, 7.0))
        fast, slow = np.arctan2(e[0], e[1]), np.arctan2(e[2], e[3])
        ring = np.array([math.cos(slow), math.sin(slow), 0])
        point = ring + tube * (math.cos(fast) * ring + math.sin(fast) * np.array([0, 0, 1]))
        case("torus", "torusPoint", [e, tube], point)
        case("torus", "torusAt", [fast, slow, tube], point)
        turn, tilt = RNG.integers(0, 360), RNG.integers(0, 91)
        a, b = math.radians(turn), math.radians(tilt - 90)
        about = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
        over = np.array([[1, 0, 0], [0, math.cos(b), -math.sin(b)], [0, math.sin(b), math.cos(b)]])
        moved = over @ about @ point
        case("torus", "turned", [point, turn, tilt], moved)
        case("torus", "seen", [moved, eye], moved[:2] * eye / (eye - moved[2]))
        # The clearance of the line of sight, in fine steps; where it grazes the torus either answer is right.
        ray = np.array([0, 0, eye]) - moved
        way = np.linspace(0.03, 2.9, 20_000)[:, None] * ray / np.linalg.norm(ray)
        x, y, z = ((moved + way) @ over).T
        clearance = ((np.hypot(x, y) - 1) ** 2 + z**2 - tube**2).min()
        if abs(clearance) > 0.004:
            case("torus", "inView", [moved, tilt, tube, eye], bool(clearance > 0))
    for quarters in range(8, 145):
        b = quarters / 4
        root = [(m, n) for n in (1, 2) for m in range(1, 13) if m * m == b * n * n]
        case("torus", "windings", [b], root[0] if root else [], 0)
    for p, b in ((0.0, 5.0), (40.0, 6.25), (250.0, 36.0)):
        omega = omegas(4, b)
        case("torus", "wrappedAngles", [p, omega], np.mod(omega * p, 2 * math.pi), 1e-9)
        ends = [2 * math.pi * n / w for w in omega for n in range(1, int(w * p / (2 * math.pi)) + 1)]
        case("torus", "turnEnds", [p, omega], sorted([0, p, *ends]))
        gaps = [
            np.linalg.norm(vector(2 * math.pi * n, omega) - [0, 1, 0, 1])
            for n in range(1, int(p / 2 / math.pi) + 1)
        ]
        if gaps:
            best = int(np.argmin(np.round(gaps, 8)))
            case("torus", "nearestReturn", [p, b], {"turns": best + 1, "gap": gaps[best]}, 1e-9)


def roots() -> None:
    """roots.js: powers of the shift's matrix, for a double root with a Jordan block."""
    for _ in range(20):
        radius, angle, p = RNG.uniform(0.8, 1.2), RNG.uniform(0, math.pi), int(RNG.integers(-9, 10))
        turn = radius * shift_matrix(angle, 2)
        block = np.block([[turn, np.zeros((2, 2))], [turn, turn]])
        for name, matrix, start in (("single", turn, [0, 1]), ("double", block, [0, 1, 0, 0])):
            power = np.linalg.matrix_power(np.linalg.inv(matrix) if p < 0 else matrix, abs(p))
            case("roots", "rootEncoding", [p, radius, angle, name], power @ start, 1e-9)


def drawing() -> None:
    """The kit, where Python can say what it must write."""
    minus = "\u2212"
    for x, digits in ((1.5, 3), (-0.0004, 3), (-2.25, 1), (0, 0), (12345.678, 2)):
        expected = f"{x:.{digits}f}".replace("-0.000", "0.000").replace("-", minus)
        if (x, digits) != (-2.25, 1):  # half to even there, half up here
            case("kit/format", "fixed", [x, digits], expected)
            case(
                "kit/format", "signed", [x, digits], expected if expected[0] == minus else "\u2007" + expected
            )
    shown = {
        6.28318: "6.283",
        62831.85: "62,832",
        6.0287e-5: "6.029 × 10⁻⁵",
        -1e-12: f"{minus}1.000 × 10⁻¹²",
        0: "0",
        54.5: "54.5",
    }
    for x, text in shown.items():
        case("kit/format", "short", [x], text)
    case("kit/format", "powerOfTen", [-7], f'10<tspan dy="-4" font-size="75%">{minus}7</tspan>')
    case("kit/format", "subscript", [10], "₁₀")
    case(
        "kit/format",
        "rich",
        ["*x*_0 and sin", "b"],
        '<b class="var" data-symbol="x">x</b><sub class="var">0</sub> and '
        '<b class="sine" data-symbol="sin">sin</b>',
    )
    case("kit/formulas", "equation", ["a", 1], '<span class="equation"><span>a</span><span>1</span></span>')
    cells = f"<span>\u20071.000</span><span>{minus}0.500</span>"
    for function, rows, columns in (("matrix", [[1, -0.5]], 2), ("column", [1, -0.5], 1)):
        frame = f'<span class="matrix" style="grid-template-columns:repeat({columns},auto)">'
        case("kit/formulas", function, [rows], f"{frame}{cells}</span>")

    case("kit/svg", "px", [1.23456], 1.23)
    case("kit/svg", "path", [[[0, 1.234], [5, 6]], "sine", True], '<path class="sine" d="M0 1.23L5 6Z"/>')
    case("kit/svg", "path", [[]], "")
    case("kit/svg", "line", [0, 1, 2, 3, "hair"], '<path class="hair" d="M0 1L2 3"/>')
    case("kit/svg", "circle", [[1, 2], 3], '<circle class="fill" cx="1" cy="2" r="3"/>')
    case(
        "kit/svg",
        "dots",
        [[[1, 2], [3, 4]], 1.5],
        '<path class="" style="stroke-width:3px" d="M1 2h0M3 4h0"/>',
    )
    bars = 'style="stroke-width:2px;stroke-linecap:butt" d="M0 0V1M1 0V2"/>'
    case("kit/svg", "uprights", [["M0 0V1", "M1 0V2"], 2, "sine"], f'<path class="sine" {bars}')
    case("kit/svg", "uprights", [["M0 0V1", "M1 0V2"], 2], f"<path {bars}")
    box = 'x="1" y="2" width="3" height="4" style="fill:red"/>'
    case("kit/svg", "rect", [1, 2, 3, 4, "red"], f'<rect class="plain" {box}')
    case("kit/svg", "corners", [1, 2, 3, 4], [[1, 2], [4, 2], [4, 6], [1, 6]])
    case(
        "kit/svg",
        "text",
        [[1, 2], "p", "small"],
        '<text class="small" x="1" y="2" text-anchor="middle">p</text>',
    )
    head = '<path class="x fill" d="M10 0L2 -3.5L2 3.5Z"/>'
    case("kit/svg", "arrow", [[[0, 0], [10, 0]], "x"], f'<path class="x" d="M0 0L10 0"/>{head}')
    case("kit/svg", "arrow", [[[0, 0], [0.05, 0]], "x"], "")

    for ends, kind, count, expected in (
        ([0, 1], "linear", 4, [0, 0.5, 1]),
        ([-12, 12], "linear", 6, [-10, -5, 0, 5, 10]),
        ([0, 11.3], "linear", 4, [0, 5, 10]),
        ([5, 1e8], "log", 6, [1e2, 1e4, 1e6, 1e8]),
        ([1, 1000], "log", 6, [1, 10, 100, 1000]),
    ):
        case("kit/scales", "ticks", [{"domain": ends, "kind": kind}, count], expected)
    case("kit/scales", "within", [7, {"domain": [0, 5]}], 5)
    case("kit/scales", "within", [-7, {"domain": [0, 5]}], 0)

    channels = np.array([[int(stop[j : j + 2], 16) for j in (1, 3, 5)] for stop in STOPS])
    at = np.linspace(-1, 1, len(STOPS))
    for value in np.linspace(-1.2, 1.2, 49):
        rgb = [np.interp(value, at, channel) for channel in channels.T]
        case("kit/color", "diverging", [value, STOPS], rgb, 0.51)  # rounded to whole numbers
    for rgb, bright in (
        ([255, 255, 255], True),
        ([0, 0, 0], False),
        ([255, 0, 0], False),
        ([0, 255, 0], True),
    ):
        case("kit/color", "isBright", [rgb], bright)
    values = [-1, -0.5, 0, 0.3, 1, 7]
    picture = [x for v in values for x in (*(np.interp(min(v, 1), at, c) for c in channels.T), 255)]
    case("kit/color", "pixels", [values, STOPS], picture, 3 / 255)


#: Something for a question to let happen.
SOON = [{"position": 1, "seconds": 1}]


def acts() -> None:
    """Where an act has got to, step by step: what is set stays, what glides eases in and out, parts come."""
    steps = ask.choice(
        "Which?",
        ["a", "b"],
        truth="a",
        because="so",
        hides=["curve", "numbers"],
        acts=[
            {"q": [1, 9], "seconds": 0.5, "show": "curve"},
            {"name": "last", "pause": 0.25},
            {"b": 1e4, "seconds": 1, "even": True, "show": "numbers"},
        ],
    )["acts"]
    start = {"q": 4, "b": 100, "name": "first", "other": 7}
    ranges = {"q": {"min": 0, "max": 10, "step": 1}, "b": {"min": 1, "max": 1e6, "step": 0.01, "log": True}}
    ease = np.polynomial.Polynomial([0, 0, 3, -2])  # the cubic that is level at 0 and at 1
    for seconds in (0, 0.125, 0.25, 0.4, 0.5, 0.6, 0.75, 1.0, 1.25, 1.75, 5, "Infinity"):
        t = np.inf if seconds == "Infinity" else seconds
        first, last = (float(np.clip(part, 0, 1)) for part in (t / 0.5, t - 0.75))
        values: dict[str, object] = {"q": 1 + 8 * ease(first)}
        shown = {"curve": ease(first)}
        if t >= 0.5:
            values["name"] = "last"
        if t >= 0.75:
            values["b"] = np.exp(np.interp(last, [0, 1], np.log([100, 1e4])))
            shown["numbers"] = last
        wanted = {"values": values, "shown": shown, "over": bool(t >= 1.75)}
        if seconds != "Infinity":  # which JSON has not
            case("kit/acts", "stateAt", [steps, start, ranges, seconds], wanted, 1e-9)
    for part in (0, 0.3, 1):
        case("kit/acts", "between", [-2, 6, part], np.interp(part, [0, 1], [-2, 6]), 1e-12)
        case("kit/acts", "between", [1, 1000, part, True], 10 ** (3 * part), 1e-12)
    line = [[0, 0], [2, 4], [10, 0]]
    for part, drawn in ((0, []), (0.25, [[0, 0], [1, 2]]), (0.75, [*line[:2], [6, 2]]), (1, line)):
        case("kit/svg", "upTo", [line, part], drawn)


def predictions() -> None:
    """What a reader is told who has made a guess."""
    choice = ask.choice(
        "Which *d*?",
        {2: "two & *two*", 4: "four", 8: "eight"},
        truth=4,
        because="*d* is even",
        tempting={2: "It is < 4."},
        acts=SOON,
    )
    number = ask.number(
        "How many?",
        truth=1000,
        low=10,
        high=1e5,
        log=True,
        step=0.01,
        unit="steps",
        because="so.",
        tempting={"high": "Less will do."},
        acts=SOON,
    )
    italic = '<span class="var" data-symbol="{0}">{0}</span>'.format
    truth = f"<b>Four.</b> {italic('d')} is even."
    for said, told in (
        (None, truth),
        ("four", f"You said <b>four</b>, and that is right. {italic('d')} is even."),
        ("eight", f"You said <b>eight</b>. {truth}"),
        ("two & *two*", f"You said <b>two &amp; {italic('two')}</b>. It is &lt; 4. {truth}"),
    ):
        case("kit/prediction", "feedback", [choice, said], told)
    truth = "<b>1,000 steps.</b> So."
    for value, told in (
        (None, truth),
        (909, f"You said <b>909 steps</b>, which is too low. {truth}"),
        (910, f"You said <b>910 steps</b>, which is close. {truth}"),
        (1000, "You said <b>1,000 steps</b>, and that is right. So."),
        (1099, f"You said <b>1,099 steps</b>, which is close. {truth}"),
        (1101, f"You said <b>1,101 steps</b>, which is too high. Less will do. {truth}"),
    ):
        case("kit/prediction", "feedback", [number, value], told)
    own = "Four & no more."
    for said, told in (
        (None, "Four &amp; no more."),
        ("four", "You said <b>four</b>, and that is right. Four &amp; no more."),
        ("eight", "You said <b>eight</b>. Four &amp; no more."),
    ):
        case("kit/prediction", "feedback", [choice.plainly(own), said], told)
    case(
        "kit/prediction",
        "feedback",
        [number.plainly(own), 1000],
        "You said <b>1,000 steps</b>, and that is right. Four &amp; no more.",
    )
    answers = (None, True), ("four", True), ("five", False), (4, False)
    for said, is_one in answers:
        case("kit/prediction", "isAnswer", [choice, said], is_one)
    for said, is_one in ((None, True), (10, True), (1e5, True), (9, False), (2e5, False), ("10", False)):
        case("kit/prediction", "isAnswer", [number, said], is_one)
    sketches()
    acts()
    case("kit/prediction", "withUnit", [0.25, ""], "0.25")
    case("kit/prediction", "withUnit", [-30, "°"], "\u221230°")
    case("kit/prediction", "withUnit", [5, " turns"], "5 turns")
    # A guess that is the answer as it is told is right, also where a unit has its own space.
    part = ask.number(
        "How much?", truth=21.53, low=0, high=100, unit="%", digits=2, because="so", acts=[{"pause": 1}]
    )
    told = "You said <b>22\u00a0%</b>, and that is right. So."
    case("kit/prediction", "feedback", [part, 22], told)


def sketches() -> None:
    """A sketched curve against NumPy's interpolation, and what a reader is told of it."""
    xs, ys = np.sort(RNG.uniform(-3, 3, 6)), RNG.uniform(0, 8, 6)
    points = np.column_stack([xs, ys])
    for x in (*np.linspace(-4, 4, 17), *xs):
        case("kit/sketch", "heightAt", [points, x], np.interp(x, xs, ys))
    places = [1, 10, 100, 1000]
    truth = [(x, np.sqrt(x)) for x in np.geomspace(1, 1000, 31)]
    common = {
        "truth": truth,
        "low": 0,
        "high": 40,
        "names": ("step *k*", "way"),
        "answer": "a root",
        "because": "so",
        "tempting": {"high": "Less will do."},
    }
    asked = ask.curve("How far?", places=places, log=True, step=0.5, **common)
    even = ask.curve("How far?", places=[1, 500.5, 1000], **common)
    for question, heights in ((asked, [1, 3, 10, 31.5]), (asked, [40, 0, 40, 0]), (even, [0, 20, 40])):
        x, y = np.array(question["truth"]).T
        mapped = np.log10 if question["log"] else np.asarray
        off = np.interp(mapped(x), mapped(np.array(question["places"])), heights) - y
        case("kit/sketch", "gaps", [heights, question], {"off": np.abs(off).mean(), "high": off.mean()}, 1e-9)
    across = [0, 10, 20, 30]
    for start, end, after in (
        ([9, 5], [9, 5], [1, 5, 1, 1]),  # a tap takes the nearest handle
        ([9, 5], [29, 3], [1, 4.9, 3.9, 3]),  # a quick stroke takes those that it passes
        ([29, 3], [9, 5], [1, 5, 3.9, 1]),
        ([-20, 7], [-9, 7], [7, 1, 1, 1]),
    ):
        case("kit/sketch", "stroked", [[1, 1, 1, 1], across, start, end], after)
    truth_told = "<b>A root.</b> So."
    for heights, told in (
        (None, ""),
        ([1, 3, 10, 31.5], "You drew a curve that is off by <b>{}</b> on average, which is close. "),
        ([40] * 4, "You drew a curve that is off by <b>{}</b> on average, mostly too high. Less will do. "),
        ([0] * 4, "You drew a curve that is off by <b>{}</b> on average, mostly too low. "),
        (
            [8.5] * 4,
            "You drew a curve that is off by <b>{}</b> on average, here too high, there too low. ",
        ),
    ):
        x, y = np.array(asked["truth"]).T
        off = np.abs(np.interp(np.log10(x), range(4), heights) - y).mean() if heights else 0
        shown = f"{off:.1f}" if 1 <= off < 10 else f"{off:.0f}" if off >= 10 else f"{off:.2f}"
        case("kit/prediction", "feedback", [asked, heights], told.format(shown) + truth_told)
    for said, is_one in (
        (None, True),
        ([0, 40, 1, 2], True),
        ([0, 40, 1], False),
        ([0, 41, 1, 2], False),
        ([0, 40, 1, "2"], False),
        (4, False),
    ):
        case("kit/prediction", "isAnswer", [asked, said], is_one)
    case("kit/format", "plain", ["*d*_i and sin"], "di and sin")
    one = '<input type="range" name="guess" min="0" max="40" step="0.5" aria-label="way at step k {}">'.format
    case(
        "kit/sketch",
        "sketchInputs",
        [asked],
        '<p class="where">Draw in the picture, or move the points with the arrow keys; then press Answer.</p>'
        f'<div class="sketch"><svg role="img"></svg>{one(1)}{one(10)}{one(100)}{one("1,000")}</div>',
    )


def recorded() -> None:
    """What is recorded of trained heads, and the turns of their hands."""
    for count in (1, 3):
        rows = RNG.integers(0, 91, size=(count, 7))
        text = "".join(chr(35 + level) for level in rows.ravel()).replace(chr(92), "~")
        case("cliff", "accuracies", [text, 7], rows / 90)
    case("cliff", "accuracies", ["#}~", 3], [[0, 1, 57 / 90]])
    for omega, steps in ((1, 44), (-2 * math.pi * 21 / 57, 57), (0.3, -7)):
        count = abs(mp.mpf(omega) * steps) / (2 * mp.pi)
        case("cliff", "turns", [omega, steps], count)
        case("cliff", "fromHome", [float(count)], abs(float(count) - round(float(count))))
    hands, speeds = [[1.5, -0.5], [0.25, 2]], [1, 0.3]
    for offset in (0, 3, 47, 12.5):
        turned = [
            complex(*hand) * (mp.expj(3 * w) - mp.expj(offset * w))
            for hand, w in zip(hands, speeds, strict=True)
        ]
        case("cliff", "leads", [hands, speeds, 3, offset], [float(mp.re(one)) for one in turned])
    case("cliff", "nearer", [0, 1], 0.22)
    case("cliff", "nearer", [2, 1, 0.5], 1.5)
    case("cliff", "nearer", [0.999, 1], 1)


def seen_of(length: int, p: int, rival: int, room: float, cell: float) -> list[dict[str, float]]:
    """For a whole cursor: all from the first on, or three about the rival, a gap, and the last ones."""
    cells = int(room // cell)
    slid = max(0, p + 3 - cells)
    if not slid:
        return [{"at": n, "x": (n + 0.5) * cell, "seen": 1} for n in range(min(length, cells))]
    first = min(max(0, p - rival - 1), slid)
    places = {n: n - first for n in range(first, first + 3)}
    places |= {n: n - slid for n in range(slid + 4, min(length, slid + cells))}
    return [{"at": n, "x": (place + 0.5) * cell, "seen": 1} for n, place in sorted(places.items())]


def spelling() -> None:
    """Which letters of a text are seen, and what is said of them."""
    for p, rival, room in ((10, 47, 1240), (47, 47, 1240), (47, 47, 358), (90, 47, 358), (127, 47, 700)):
        case("letters", "placed", [128, p, rival, room, 25], seen_of(128, p, rival, room, 25))
    spelled = {"letters": "abcabd", "said": "???aba", "back": 3}
    for p, right in ((3, True), (4, True), (5, False)):
        case("letters", "isRight", [spelled, p], right)
    case("letters", "sayingAt", [spelled, 2], "Letter 2 is c; no letter is 3 back.")
    case("letters", "sayingAt", [spelled, 4], "At letter 4 it says b, which is right.")
    case("letters", "sayingAt", [spelled, 5], "At letter 5 it says a and should say c.")
    three = [{"at": 0, "x": 10, "seen": 1}, {"at": 7, "x": 40, "seen": 1}, {"at": 8, "x": 60, "seen": 1}]
    waves = [6.283, 100.0, 1000.0]
    for position, round_ in ((1, 0), (7, 1), (100, 2), (5000, 3)):
        case("sweeps", "cameRound", [waves, position], round_)
        swept = [2 * math.pi if position >= wave else 2 * math.pi * position / wave for wave in waves]
        case("sweeps", "sweeps", [waves, position], swept)
    for x, nearest in ((-5, 0), (24, 0), (26, 7), (51, 8), (999, 8)):
        case("letters", "nearestTo", [three, x], nearest)


if __name__ == "__main__":  # and not while pytest looks for doctests
    for write in (
        encoding,
        distance,
        motion,
        circle,
        matrices,
        attention,
        relatives,
        choices,
        torus,
        roots,
        drawing,
        predictions,
        recorded,
        spelling,
    ):
        write()
    json.dump(VECTORS, sys.stdout)
