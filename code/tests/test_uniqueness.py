"""Uniqueness, the law of distance, near returns: against other arithmetic, and every number that is said."""

import json
import math
import re
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pytest
import sympy as sp
from explorer_page import values
from glued import Page
from hypothesis import given, settings
from hypothesis import strategies as st
from test_families import by_inverse_transform, largest_sum

from posenc.distance import first_decrease, similarity_law
from posenc.returns import far_return, real_period, record_offsets
from wavebook import data
from wavebook.explorers import AddOrRotate, ClosestPair, DistanceLaw
from wavebook.explorers.closest_pair import BASES, LIMIT, WIDTHS

widths = st.integers(1, 64).map(lambda pairs: 2 * pairs)


# --- Oracles: the definition, literally, in extended precision or in mpmath; nothing of posenc.


def omegas(d, b=10_000):
    return [np.longdouble(b) ** (-np.longdouble(2 * i) / d) for i in range(d // 2)]


def codes(positions, d, b=10_000):
    """(n, d) in extended precision."""
    angles = np.multiply.outer(np.asarray(positions, np.longdouble), omegas(d, b))
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(-1, d)


TURN = 8 * np.arctan(np.longdouble(1))


def angles(offsets, d, b=10_000):
    """What each hand has turned, within a turn: taken off in extended precision, and kept in double."""
    offsets = np.asarray(offsets, np.longdouble)
    return (np.fmod(w * offsets, TURN).astype(float) for w in omegas(d, b))


def kernel(offsets, d, b=10_000):
    return sum(np.cos(a) for a in angles(offsets, d, b))


def apart(offsets, d, b=10_000):
    """Distances from position 0 by Pythagoras."""
    return np.sqrt(sum(np.sin(a) ** 2 + (1 - np.cos(a)) ** 2 for a in angles(offsets, d, b)))


def exact_apart(offset, d, b=10_000, digits=60):
    with mpmath.workdps(digits):
        angles = [mpmath.mpf(offset) * mpmath.mpf(b) ** (-mpmath.mpf(2 * i) / d) for i in range(d // 2)]
        return mpmath.sqrt(mpmath.fsum(mpmath.sin(a) ** 2 + (1 - mpmath.cos(a)) ** 2 for a in angles))


def records_by_looking(limit, d, b=10_000):
    found = apart(np.arange(1, limit + 1), d, b)
    before = np.minimum.accumulate(np.append(np.inf, found[:-1]))
    return [int(k) for k in 1 + np.flatnonzero(found < before)]


# --- The law


@pytest.mark.parametrize(
    ("offset", "d", "b"), [(0.3, 8, 100), (5, 64, 10_000), (-17, 128, 1e6), (250, 512, 10_000)]
)
def test_law_is_the_integral_and_its_corrections(offset, d, b):
    """By quadrature in 30 digits, with the derivative for the second correction taken numerically."""
    with mpmath.workdps(30):
        wave = lambda x: mpmath.cos(offset * mpmath.mpf(b) ** (-2 * x / mpmath.mpf(d)))  # noqa: E731
        area = mpmath.quad(wave, mpmath.linspace(0, d // 2, 65))
        ends = (wave(0) - wave(mpmath.mpf(d) / 2)) / 2
        slopes = (mpmath.diff(wave, mpmath.mpf(d) / 2) - mpmath.diff(wave, 0)) / 12
        expected = [area, area + ends, area + ends + slopes]
    got = [similarity_law(offset, d, b, corrections=c) for c in range(3)]
    np.testing.assert_allclose(got, [float(e) for e in expected], rtol=1e-11)


@settings(deadline=None)
@given(st.floats(1e-3, 1e3), widths, st.floats(1.5, 1e7))
def test_law_keeps_its_bound(offset, d, b):
    assert (
        abs(similarity_law(offset, d, b) - float(kernel(offset, d, b)))
        <= math.log(b) * offset**2 / (4 * d) + 1e-9
    )


def test_law_at_zero_in_shape_and_what_it_refuses():
    assert similarity_law(0, 64) == 32
    assert similarity_law(-5, 64) == similarity_law(5, 64)
    assert similarity_law(np.ones((2, 3)), 8).shape == (2, 3)
    for wrong in (3, -1, "1"):
        with pytest.raises(ValueError, match=f"corrections must be one of 0, 1, 2, got {wrong!r}"):
            similarity_law(1, 8, corrections=wrong)
    with pytest.raises(ValueError, match="offsets must be finite"):
        similarity_law(math.inf, 8)


# --- Real periods


@pytest.mark.parametrize("d", [2, 4, 6, 8, 10, 12, 16, 24])
def test_real_period_in_exact_fractions(d):
    """A period exists where the root is rational: the least n that makes all n r^-i whole, by counting."""
    for base in [*range(2, 130), 256, 4096, 10_000, Fraction(9, 4), Fraction(27, 8), Fraction(5, 2)]:
        root = sp.Rational(base.numerator, base.denominator) ** sp.Rational(2, d)
        turns = real_period(d, base)
        assert (turns is not None) == (d == 2 or root.is_Rational), base
        if turns is not None and d > 2 and turns < 3000:
            ratio = Fraction(int(root.p), int(root.q))
            whole = (
                n for n in range(1, turns + 1) if all((n / ratio**i).denominator == 1 for i in range(d // 2))
            )
            assert next(whole) == turns


def test_real_period_is_one_and_brings_every_hand_home():
    for d, base in ((4, 10_000), (8, 10_000), (6, 64), (20, 1024)):
        with mpmath.workdps(60):
            period = 2 * mpmath.pi * real_period(d, base)
            assert exact_apart(period, d, base) < mpmath.mpf(10) ** -45
            longest = 2 * mpmath.pi * mpmath.mpf(base) ** (1 - mpmath.mpf(2) / d)
            assert abs(period - longest) < mpmath.mpf(10) ** -45


@pytest.mark.parametrize(
    ("base", "error"),
    [
        (10_000.0, TypeError),
        (True, TypeError),
        ("4", TypeError),
        (1, ValueError),
        (Fraction(1, 2), ValueError),
    ],
)
def test_real_period_refuses(base, error):
    with pytest.raises(error, match="base must be an integer or Fraction > 1, got"):
        real_period(4, base)


# --- Returns


@pytest.mark.parametrize(
    ("d", "b"), [(2, 10), (4, 10_000), (6, 1000), (8, 10_000), (10, 10_000), (16, 100), (64, 10_000)]
)
def test_records_against_looking_at_every_offset(d, b):
    found = record_offsets(20_000, d, b)
    assert [k for k, _ in found] == records_by_looking(20_000, d, b)
    for k, value in found:
        assert value == pytest.approx(float(exact_apart(k, d, b)), rel=1e-7)


@pytest.mark.slow  # high precision, for long
def test_the_kept_records_are_records():
    """All of them: complete up to 30,000 by literal search; each nearer than the one before, in 60 digits."""
    kept = ClosestPair.constants["records"]
    assert set(kept) == set(map(str, BASES))
    assert all(set(found) == set(map(str, WIDTHS)) for found in kept.values())
    for b in BASES:
        for d in WIDTHS:
            offsets = kept[str(b)][str(d)]
            assert [k for k in offsets if k <= 30_000] == records_by_looking(
                30_000 if d < 100 else 3000, d, b
            )
            values = [exact_apart(k, d, b) for k in offsets]
            assert all(later < earlier for earlier, later in pairwise(values))
            assert offsets[-1] <= LIMIT


@pytest.mark.parametrize(("d", "b"), [(12, 10_000), (16, 10_000), (20, 1000)])
def test_the_kept_records_are_complete(d, b):
    """Searched again, to a length where the widths in question have returned at least once."""
    limit = 2_000_000 if d < 20 else 30_000_000
    assert [k for k, _ in record_offsets(limit, d, b)] == [
        k for k in ClosestPair.constants["records"][str(b)][str(d)] if k <= limit
    ]


@pytest.mark.parametrize(("d", "digits"), [(4, 6), (16, 7), (32, 13), (64, 30)])
def test_far_returns_are_near(d, digits):
    offset, value = far_return(d, digits=digits)
    assert type(offset) is int
    assert offset > 1
    true = exact_apart(offset, d, digits=200)
    assert value == pytest.approx(float(true), rel=1e-12)
    assert true < exact_apart(1, d)


def test_far_return_refuses(monkeypatch):
    with pytest.raises(ValueError, match="digits must be an integer from 1"):
        far_return(8, digits=0)
    with pytest.raises(TypeError, match="digits must be an integer"):
        far_return(8, digits=2.5)
    monkeypatch.setattr(
        "sympy.polys.matrices.DomainMatrix.lll", lambda basis: basis
    )  # nothing found but the offset 1
    with pytest.raises(ValueError, match="digits must be large enough to reach an offset above 1, got 3"):
        far_return(64, digits=3)


@pytest.mark.parametrize("d", [2, 4, 8, 16, 32, 64, 128, 512])
def test_first_decrease_in_sixty_digits(d):
    k = first_decrease(d)
    values = [exact_apart(j, d) for j in range(1, k + 2)]
    assert all(a <= b for a, b in pairwise(values[:-1]))
    assert values[-1] < values[-2]


# --- The explorers' mathematics


# --- Every number of the sentences

PAGES = ("uniqueness", "distance-law", "returns")


@pytest.fixture(scope="module")
def said():
    """What the pages glue into their sentences, by running their cells here, without pictures and proofs."""
    values: dict[str, str] = {}
    for name in PAGES:
        with pytest.MonkeyPatch.context() as patch:
            for key, text in Page(name, patch).glued.items():
                assert values.setdefault(key, text) == text, f"two pages disagree about {key}"
    return values


def number(text):
    """'3.5 × 10²⁸', '24 %', '1,234.5' as a float."""
    plain = (
        re.sub(r"^10(?=⁻)", "1e", text)
        .replace(",", "")
        .replace("\u00a0", " ")
        .replace(" %", "")
        .translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    )
    return float(plain.replace(" × 10", "e"))


def shown_digits(text):
    """Half a unit of the last digit shown."""
    mantissa, _, power = text.replace(",", "").replace("\u00a0", " ").replace(" %", "").partition(" × 10")
    scale = number(text) / float(mantissa) if power else 1
    return 0.5000001 * scale * 10.0 ** -len(mantissa.partition(".")[2])


ROUNDING = {
    "scatter": 1e-13,
    "rotate-error": 1e-11,
    "rotate-half": 1e-13,
}  # what rounding may leave
BOUNDS = ("law-miss-0", "law-miss-1", "law-miss-2", "law-miss-far", "error-high")  # "at most": rounded up


def oracles():
    """Each number that the pages say, by the definition."""
    whole = np.arange(1, 100_001)
    d128, far = apart(np.arange(50), 128), apart(whole, 512)
    w128, w512 = np.array(omegas(128)), np.array(omegas(512))
    share, slope = kernel(whole, 512) / 256, np.sqrt((w128**2).sum())
    fine = np.arange(0.1, 10, 0.001)
    limit = math.pi * 512 / math.log(10_000)

    def missed(corrections, offsets):
        with mpmath.workdps(25):
            b, h = mpmath.mpf(10_000), mpmath.log(10_000) / 256
            laws = [
                (mpmath.ci(k) - mpmath.ci(k / b)) / h
                + (corrections > 0) * (mpmath.cos(k) - mpmath.cos(k / b)) / 2
                + (corrections > 1) * h / 12 * (k / b * mpmath.sin(k / b) - k * mpmath.sin(k))
                for k in map(mpmath.mpf, map(int, offsets))
            ]
        return max(abs(float(law) / 256 - share[int(k) - 1]) for law, k in zip(laws, offsets, strict=True))

    learned = np.subtract(*codes([15, 10], 128))
    places = [p for p in range(1001) if not 5 < p < 15]
    errors = np.linalg.norm(
        (codes(places, 128) + learned - codes(np.add(places, 5), 128)).astype(float), axis=1
    )
    middle = codes([7, 8], 512).mean(axis=0) - codes([7.5], 512)[0]
    kept = ClosestPair.constants["records"]["10000"]
    reals = np.linspace(1, 7, 60_001)
    falls = np.flatnonzero(np.diff(apart(np.arange(1, 514), 512)) < 0) + 1
    signs = {
        tuple(math.sin(p * w) > 0 for w in omegas(128)) + tuple(math.cos(p * w) > 0 for w in omegas(128))
        for p in range(1000)
    }

    out = {"at-49": d128[49], "far-high": d128.max(), "far-where": d128.argmax()}
    out |= {"bf16-first": 2**8 + 1, "bf16-same": 2**8}  # eight significant bits; ties to even
    out |= {"near-20": 1 + np.flatnonzero(far >= 20)[0], "pairs-512": 256}
    exponents = {
        Fraction(8 * i, 512) % 1 for i in range(256)
    }  # of ten: those of one family differ by integers
    out |= {"family-count": len(exponents)}
    out |= {"added-25": np.linalg.norm((codes([20], 128)[0] + learned - codes([25], 128)[0]).astype(float))}
    out |= {
        "slope-128": slope,
        "q-over-s": (w128**4).sum() / slope**2,
    }
    out |= {"line-tenth": fine[slope * fine / apart(fine, 128) > 1.1][0]}
    wide = np.sqrt((w512**2).sum())
    out |= {"line-tenth-512": fine[wide * fine / apart(fine, 512) > 1.1][0]}

    def cin(x):
        return mpmath.quad(lambda u: (1 - mpmath.cos(u)) / u, [0, x])

    out |= {"line-tenth-limit": mpmath.findroot(lambda x: x * x / 4 - 1.21 * cin(x), 2.1)}
    out |= {
        "decade": 25,
        "decade-1": 100 * (share[9] - share[99]),
        "decade-2": 100 * (share[99] - share[999]),
        "law-limit": limit,
    }
    out |= {"law-zero": 10_000 / math.exp(0.5772156649015329), "true-zero": whole[share < 0][0]}
    out |= {f"law-miss-{c}": missed(c, range(1, int(limit / 2))) for c in range(3)}
    out |= {"law-far": 5000, "law-miss-far": missed(1, range(math.ceil(limit), 5001))}
    out |= {
        "root-d": math.sqrt(512),
        "root-2d": 32,
        "share-over": 100 * (far > math.sqrt(512)).mean(),
        "far-max": far.max(),
    }
    out |= {"far-max-at": whole[far.argmax()], "far-mean": far[10_000:].mean(), "far-std": far[10_000:].std()}
    out |= {
        "real-fall": reals[1:][np.diff(apart(reals, 512)) < 0][0],
        "falls-turn": round(falls[0] / (2 * math.pi)),
        "fall-first": falls[0],
    }
    out |= {"falls-512": (falls < 512).sum(), "period-4": 200 * math.pi, "period-8": 2000 * math.pi}
    eight = apart(np.arange(1, 200_001), 8)
    first = 1 + np.flatnonzero(eight < eight[0])[0]
    out |= {
        "eight-first": first,
        "eight-first-distance": eight[first - 1],
        "eight-neighbors": eight[0],
        "eight-near": 1 + eight.argmin(),
    }
    out |= {
        "eight-best": 1 + eight[:1000].argmin(),
        "eight-near-distance": eight.min(),
        "eight-turns": (1 + eight.argmin()) / (2000 * math.pi),
        "eight-below": 2 + np.flatnonzero(eight < 0.1)[0],
    }  # offset k needs k + 1 positions
    sixteen = apart(np.arange(1, 600_001), 16)
    out |= {"sixteen-first": 1 + np.flatnonzero(sixteen < sixteen[0])[0], "first-flat": 24}
    out |= {"log-first-16": math.log10(kept["16"][1]), "log-first-20": math.log10(kept["20"][1])}
    families = {16: (4, 10), 20: (2, 100), 512: (4, 10)}  # how many hands in one, and their ratio
    out |= {f"expect-{d}": by_inverse_transform(d, *family) for d, family in families.items()}
    out |= {"expect-512-free": by_inverse_transform(512, 1, 1)}
    most, _ = largest_sum(4, 10)
    out |= {f"largest-{d}": math.sqrt(d * most / 2) for d in (8, 128, 512)}
    out |= {"most-of-four": most, "largest-short": 100 * (1 - math.sqrt(most) / 2)}
    scattered = {d: apart(np.random.default_rng(0).integers(1, 10**9, 100_000), d) for d in (2, 8, 512)}
    out |= {f"std-{d}": values.std() for d, values in scattered.items()}
    out |= {"random-offsets": 100_000, "mean-512": scattered[512].mean()}
    out |= {"slowest-beat": 2 * math.pi / (w512[254] - w512[255])}
    entries = np.stack([f(np.outer(np.arange(5000), w512)) for f in (np.sin, np.cos)])
    tiny = entries[(entries != 0) & (abs(entries) < 2.0**-14)]
    out |= {"subnormal": tiny.size, "subnormal-error": (abs(np.float16(tiny) - tiny) / abs(tiny)).max()}
    for d in (16, 20, 512):
        arcs = math.ceil(2 * math.pi * math.sqrt(d / 2) / apart(1, d))
        out |= {f"pigeon-{d}": math.ceil(d / 2 * math.log10(arcs))}
    out |= {
        "neighbors-128": d128[1],
        "neighbors-512": far[0],
        "rounding-bf16": 32 / 256,
        "bits-needed": math.log(1000, 2),
        "bits-spent": 4096,
    }
    out |= {
        "step-length": np.linalg.norm(learned.astype(float)),
    }
    out |= {"error-low": errors.min(), "error-mean": errors.mean(), "error-high": errors.max()}
    out |= {
        "middle-error": np.linalg.norm(middle.astype(float)),
    }
    out |= {
        "middle-share": 100 * np.linalg.norm(middle.astype(float)) / far[0],
        "peak-after": 32,
        "peak-before": kernel(10, 64),
    }
    out |= {
        "bits-ratio": 4096 / math.log(1000, 2),
        "signs-distinct": len(signs),
    }
    turn = min(range(1, 1001), key=lambda k: abs(math.sin(k / 2)))
    out |= {
        "pairs": 49 * 50 // 2,
        "one-pair": turn,
        "one-pair-turns": round(turn / (2 * math.pi)),
        "float32-until": 2**24 + 1,
    }
    return out


@pytest.mark.slow  # high precision, for long
def test_every_number_said_is_so(said):
    right = oracles()
    returns = {name for name in said if name.startswith("return-")}
    assert set(said) == set(right) | set(ROUNDING) | returns | {"periodic"}, (
        "a number without an oracle, or an oracle without a number"
    )
    wrong = {
        name: (said[name], float(value))
        for name, value in right.items()
        if name not in BOUNDS and abs(number(said[name]) - float(value)) > shown_digits(said[name])
    }
    assert not wrong
    loose = {
        name: (said[name], float(right[name]))
        for name in BOUNDS
        if not 0 <= number(said[name]) - float(right[name]) <= 2 * shown_digits(said[name])
    }
    assert not loose, "not rounded up, though the sentence says 'at most'"
    assert said["periodic"] == "2, 4 and 8"  # 10^(8/d) is rational for no other even d
    for name, most in ROUNDING.items():
        assert 0 < number(said[name]) <= most


def test_the_far_returns_said_are_so(said):
    offsets = {d: int(said[f"return-{d}-exact"].replace(",", "")) for d in (32, 64)}
    assert all(exact_apart(k, d, digits=100) < exact_apart(1, d, digits=100) for d, k in offsets.items())
    assert number(said["return-64"]) == pytest.approx(offsets[64], rel=0.05)
    for name, k in (("distance", offsets[64]), ("neighbors", 1)):
        assert abs(number(said[f"return-64-{name}"]) - float(exact_apart(k, 64, digits=100))) <= 0.0005001


def test_the_benchmark_meets_what_is_asked():
    rows = json.loads(data.read("distance.json"))["matrices"]
    loop, broadcast = (
        next(row for row in rows if row["method"].startswith(name)) for name in ("double loop", "broadcast")
    )
    assert (loop["n_positions"], loop["d_model"]) == (500, 128)
    assert (
        broadcast["n_positions"],
        broadcast["d_model"],
    ) == (1000, 512)
    assert loop["times_distance_matrix"] >= 200
    assert broadcast["times_distance_matrix"] >= 1000
    assert broadcast["times_its_memory"] >= 1000


def test_the_laws_leave_the_frame_where_they_are_larger(mount):
    """And are never drawn level along its edge, nor outside."""
    page = mount(DistanceLaw(base=2, d_model=8))
    lines = page.locator("svg").last.evaluate("""(svg) => [...svg.querySelectorAll('path.muted')]
        .map((path) => path.getAttribute('d').slice(1).split('L').map((pair) => pair.split(' ').map(Number)))
        .filter((points) => points.length > 2 || points[0][0] !== points[1][0])""")
    heights = [y for line in lines for _, y in line]
    assert max(heights) <= 300 - 40
    assert len(lines) > 3, "the law comes back"
    law = [np.array(line) for line in lines if len(line) > 2]
    level = [np.diff(line[:, 1]) for line in law]
    assert not any((steps == 0).any() for steps in level)


def test_explorers_state_what_is_so(mount):
    shown = values(mount(DistanceLaw(offset=250, d_model=64, base=1000)))
    expected = {
        "distance": float(apart(250, 64, 1000)),
        "typical": 8,
        "largest": math.sqrt(128),
        "similarity": float(kernel(250, 64, 1000)) / 32,
        "similarity_by_law": similarity_law(250, 64, 1000) / 32,
        "parting_offset": math.pi * 64 / math.log(1000),
    }
    assert {name: shown[name] for name in expected} == pytest.approx(expected, rel=1e-5)
    start, end, here, there = codes([10, 17, 33, 40], 128)
    error, step = (
        float(np.linalg.norm(vector.astype(float))) for vector in (here + end - start - there, end - start)
    )
    shown = values(mount(AddOrRotate(position=33, offset=7, pair=5)))
    sizes = [shown[name] for name in ("missed", "step_size", "most")]
    np.testing.assert_allclose(sizes, [error, step, 2 * step], rtol=1e-5)
    start, end, here, there = (vector[10:12].astype(float) for vector in codes([10, 17, 33, 40], 128))
    added = here + end - start
    radius, missed = np.linalg.norm(added), np.linalg.norm(added - there)
    np.testing.assert_allclose([shown["added_size"], shown["dial_missed"]], [radius, missed], rtol=1e-5)
    page = mount(ClosestPair(offset=700, d_model=4))
    shown, turns = values(page), np.array([700.0, 7.0]) / (2 * np.pi)
    np.testing.assert_allclose(shown["missed_degrees"], 360 * (turns - np.round(turns)), rtol=1e-5)
    distances = [float(exact_apart(700, 4)), float(exact_apart(1, 4))]
    np.testing.assert_allclose([shown["distance"], shown["neighbors"]], distances, rtol=1e-5)
    nearest = [k for k in records_by_looking(7000, 4) if k > 700]
    for offset in [*nearest, 1]:  # the button goes from record to record, and round
        page.get_by_role("button", name="Next nearer").press("Enter")
        assert page.evaluate("model.get('offset')") == offset
