"""Uniqueness, the law of distance, near returns: against other arithmetic, and every number that is said."""

import json
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from by_definition import apart, codes, exact_apart, extend_omegas, kernel
from explorer_page import values
from site_numbers import half_a_digit, number, read_glued
from test_harmonics import by_inverse_transform, largest_sum
from test_returns import records_by_looking

from wavebook import data
from wavebook.distance_law import similarity_law
from wavebook.explorers import AddOrRotate, ClosestPair, DistanceLaw
from wavebook.near_returns import far_return

# --- Every number of the sentences

PAGES = ("book/uniqueness", "book/distance-law", "book/returns")


@pytest.fixture(scope="module")
def numbers(site):
    """What the pages say, by the names that they glue it by."""
    values: dict[str, str] = {}
    for name in PAGES:
        for key, text in read_glued(site.root, name).items():
            assert values.setdefault(key, text) == text, f"two pages disagree about {key}"
    return values


ROUNDING = {"rotate-error": 1e-11}  # what it may leave
BOUNDS = ("law-miss-far", "error-high")  # "at most": rounded up
LEAST = ("error-low",)  # "at least": rounded down


def oracles():
    """Each number that the pages say, by the definition."""
    whole = np.arange(1, 100_001)
    d128, far = apart(np.arange(50), extend_omegas(128)), apart(whole, extend_omegas(512))
    w128, w512 = extend_omegas(128), extend_omegas(512)
    share, slope = kernel(whole, extend_omegas(512)) / 256, np.sqrt((w128**2).sum())
    fine = np.arange(0.1, 10, 0.001)
    limit = math.pi * 512 / math.log(10_000)

    def missed(offsets):
        with mpmath.workdps(25):
            b, h = mpmath.mpf(10_000), mpmath.log(10_000) / 256
            laws = [
                (mpmath.ci(k) - mpmath.ci(k / b)) / h + (mpmath.cos(k) - mpmath.cos(k / b)) / 2
                for k in map(mpmath.mpf, map(int, offsets))
            ]
        return max(abs(float(law) / 256 - share[int(k) - 1]) for law, k in zip(laws, offsets, strict=True))

    learned = np.subtract(*codes([15, 10], extend_omegas(128)))
    places = [p for p in range(1001) if not 5 < p < 15]
    errors = np.linalg.norm(
        (codes(places, w128) + learned - codes(np.add(places, 5), w128)).astype(float),
        axis=1,
    )
    middle = codes([7, 8], extend_omegas(512)).mean(axis=0) - codes([7.5], extend_omegas(512))[0]
    kept = ClosestPair.constants["records"]["10000"]
    reals = np.linspace(1, 7, 60_001)
    falls = np.flatnonzero(np.diff(apart(np.arange(1, 514), extend_omegas(512))) < 0) + 1
    signs = {
        tuple(math.sin(p * w) > 0 for w in extend_omegas(128))
        + tuple(math.cos(p * w) > 0 for w in extend_omegas(128))
        for p in range(1000)
    }

    out = {"at-49": d128[49], "far-high": d128.max(), "far-where": d128.argmax()}
    out |= {"bf16-first": 2**8 + 1, "bf16-same": 2**8}  # eight significant bits; ties to even
    out |= {"near-20": 1 + np.flatnonzero(far >= 20)[0], "pairs-512": 256}
    exponents = {
        Fraction(8 * i, 512) % 1 for i in range(256)
    }  # of ten: those of one family differ by integers
    out |= {"family-count": len(exponents)}
    out |= {"added-25": np.linalg.norm((codes([20], w128)[0] + learned - codes([25], w128)[0]).astype(float))}
    out |= {"line-tenth": fine[slope * fine / apart(fine, extend_omegas(128)) > 1.1][0]}
    wide = np.sqrt((w512**2).sum())
    out |= {"line-tenth-512": fine[wide * fine / apart(fine, extend_omegas(512)) > 1.1][0]}

    def cin(x):
        return mpmath.quad(lambda u: (1 - mpmath.cos(u)) / u, [0, x])

    out |= {"line-tenth-limit": mpmath.findroot(lambda x: x * x / 4 - 1.21 * cin(x), 2.1)}
    out |= {
        "decade": 25,
        "law-limit": limit,
    }
    out |= {"law-zero": 10_000 / math.exp(0.5772156649015329), "true-zero": whole[share < 0][0]}
    out |= {"bound-ends": math.sqrt(256 * 4 * 512 / math.log(10_000))}  # ln b D^2 / 4d = d / 2
    out |= {"law-far": 5000, "law-miss-far": missed(range(math.ceil(limit), 5001))}
    out |= {
        "root-d": math.sqrt(512),
        "root-2d": 32,
        "share-over": 100 * (far > math.sqrt(512)).mean(),
        "far-max": far.max(),
    }
    out |= {"far-max-at": whole[far.argmax()], "far-mean": far[10_000:].mean(), "far-std": far[10_000:].std()}
    out |= {
        "real-fall": reals[1:][np.diff(apart(reals, extend_omegas(512))) < 0][0],
        "falls-turn": round(falls[0] / (2 * math.pi)),
        "fall-first": falls[0],
    }
    out |= {"period-4": 200 * math.pi, "period-8": 2000 * math.pi}
    eight = apart(np.arange(1, 200_001), extend_omegas(8))
    first = 1 + np.flatnonzero(eight < eight[0])[0]
    out |= {
        "eight-first": first,
        "eight-first-distance": eight[first - 1],
        "eight-near": 1 + eight.argmin(),
    }
    out |= {
        "eight-near-distance": eight.min(),
        "eight-turns": (1 + eight.argmin()) / (2000 * math.pi),
    }
    sixteen = apart(np.arange(1, 600_001), extend_omegas(16))
    out |= {"sixteen-first": 1 + np.flatnonzero(sixteen < sixteen[0])[0], "first-flat": 24}
    ten = apart(np.arange(1, 101), extend_omegas(10))
    out |= {"ten-first": 1 + np.flatnonzero(ten < ten[0])[0]}
    out |= {f"log-first-{d}": math.log10(kept[str(d)][1]) for d in (10, 12, 16, 20)}
    # How many hands in one, and their ratio.
    families = {10: (1, 1), 12: (2, 100), 16: (4, 10), 20: (2, 100), 512: (4, 10)}
    out |= {f"expect-{d}": by_inverse_transform(d, *family) for d, family in families.items()}
    out |= {"expect-512-free": by_inverse_transform(512, 1, 1)}
    most, _ = largest_sum(4, 10)
    out |= {"largest-512": math.sqrt(512 * most / 2)}
    out |= {"most-of-four": most, "largest-short": 100 * (1 - math.sqrt(most) / 2)}
    drawn = np.random.default_rng(0).integers(1, 10**9, 100_000)
    scattered = apart(drawn, extend_omegas(512))
    out |= {"random-offsets": 100_000, "mean-512": scattered.mean(), "std-512": scattered.std()}
    out |= {"slowest-beat": 2 * math.pi / (w512[254] - w512[255])}
    entries = np.stack([f(np.outer(np.arange(5000), w512)) for f in (np.sin, np.cos)])
    tiny = entries[(entries != 0) & (abs(entries) < 2.0**-14)]
    out |= {"subnormal": tiny.size, "subnormal-error": (abs(np.float16(tiny) - tiny) / abs(tiny)).max()}
    for d in (10, 12, 16, 20, 512):
        arcs = math.ceil(2 * math.pi * math.sqrt(d / 2) / apart(1, extend_omegas(d)))
        out |= {f"pigeon-{d}": math.ceil(10 * d / 2 * math.log10(arcs)) / 10}
    out |= {
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
        "middle-share": 100 * np.linalg.norm(middle.astype(float)) / far[0],
        "peak-after": 32,
        "peak-before": kernel(10, extend_omegas(64)),
    }
    out |= {
        "bits-ratio": 4096 / math.log(1000, 2),
        "signs-distinct": len(signs),
    }
    turn = min(range(1, 1001), key=lambda k: abs(math.sin(k / 2)))
    out |= {
        "one-pair": turn,
        "one-pair-turns": round(turn / (2 * math.pi)),
        "float32-until": 2**24 + 1,
    }
    return out


@pytest.mark.slow  # high precision, for long
def test_every_number_said_is_so(numbers):
    right = oracles()
    returns = {name for name in numbers if name.startswith("return-")}
    assert set(numbers) == set(right) | set(ROUNDING) | returns | {"periodic", "flat"}, (
        "a number without an oracle, or an oracle without a number"
    )
    wrong = {
        name: (numbers[name], float(value))
        for name, value in right.items()
        if name not in BOUNDS + LEAST
        and abs(number(numbers[name]) - float(value)) > half_a_digit(numbers[name])
    }
    assert not wrong
    loose = {
        name: (numbers[name], float(right[name]))
        for name in BOUNDS + LEAST
        if not 0
        <= (number(numbers[name]) - float(right[name])) * (-1 if name in LEAST else 1)
        <= 2 * half_a_digit(numbers[name])
    }
    assert not loose, "not rounded up, though the sentence says 'at most'"
    flat = [d for d, found in ClosestPair.constants["records"]["10000"].items() if len(found) == 1]
    assert numbers["flat"] == "24, 32, 64, 128 and 512" == f"{', '.join(flat[:-1])} and {flat[-1]}"
    assert numbers["periodic"] == "2, 4 and 8"  # 10^(8/d) is rational for no other even d
    for name, most in ROUNDING.items():
        assert 0 < number(numbers[name]) <= most


def test_the_far_returns_said_are_so(numbers):
    for d, digits in ((32, 13), (64, 30)):
        offset, nearest = far_return(d, digits=digits)
        assert exact_apart(offset, d, digits=100) < exact_apart(1, d, digits=100)
        assert float(nearest) == pytest.approx(float(exact_apart(offset, d, digits=100)))
    assert number(numbers["return-64"]) == pytest.approx(offset, rel=0.05)
    neighbors = float(exact_apart(1, 64, digits=100))
    assert abs(number(numbers["return-64-neighbors"]) - neighbors) <= 0.0005001


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
        "distance": float(apart(250, extend_omegas(64, 1000))),
        "typical": 8,
        "largest": math.sqrt(128),
        "similarity": float(kernel(250, extend_omegas(64, 1000))) / 32,
        "similarity_by_law": similarity_law(250, 64, 1000) / 32,
        "parting_offset": math.pi * 64 / math.log(1000),
    }
    assert {name: shown[name] for name in expected} == pytest.approx(expected, rel=1e-5)
    start, end, here, there = codes([10, 17, 33, 40], extend_omegas(128))
    error, step = (
        float(np.linalg.norm(vector.astype(float))) for vector in (here + end - start - there, end - start)
    )
    shown = values(mount(AddOrRotate(position=33, offset=7, pair=5)))
    sizes = [shown[name] for name in ("missed", "step_size", "most")]
    np.testing.assert_allclose(sizes, [error, step, 2 * step], rtol=1e-5)
    start, end, here, there = codes([10, 17, 33, 40], extend_omegas(128))[:, 10:12].astype(float)
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
    page = mount(ClosestPair(d_model=16))  # where there is none, it says so
    assert page.get_by_role("button", name="Next nearer").is_disabled()
    (first,) = records_by_looking(600_000, 16)[1:2]
    assert f"the first is {first:,}." in page.locator(".note").text_content()
