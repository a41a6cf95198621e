"""Numbers that chapters glue, and their bounds, computed again without the package."""

import itertools
import json
import math
import re
from fractions import Fraction
from functools import cache

import mpmath
import numpy as np
import pytest
from book_source import REPOSITORY, text_of
from by_definition import apart, extend_omegas, kernel, omegas
from harness import numbered_chapters
from lxml import html
from site_numbers import Page

from wavebook import data
from wavebook.experiments import cliff, load
from wavebook.lost_digits import frequency_errors


def fixture(name: str):
    """The page, read once for all tests of this module."""

    @pytest.fixture(scope="module")
    def page(site):
        return Page(site.root, f"book/{name}")

    return page


two = fixture("two-dimensions")
many = fixture("many-dimensions")
in_depth = fixture("shift")
computer = fixture("numbers")
law = fixture("distance-law")
trained = fixture("training")
base_10_000 = fixture("wavelengths")
signs = fixture("returns")
bag = fixture("order")
news = fixture("whats-new")
inside = fixture("transformer")
note = fixture("token-47")
rope = fixture("rope")


@cache
def chord(k: int) -> float:
    return float(2 * abs(mpmath.sin(mpmath.mpf(k) / 2)))


def test_how_near_to_its_start_one_hand_comes(two):
    assert two.glued["chord-1"] == f"{chord(1):.2f}"
    assert two.glued["gap-44"] == f"{chord(44):.3f}"
    assert two.glued["gap-710"] == "6.03\u00a0×\u00a010⁻⁵"  # "within": rounded up
    assert (two.glued["turns-in-44"], two.glued["turns-in-710"]) == ("7", "113")


def test_the_nearest_quarter_turns(two):
    def miss(k):
        return math.sqrt(2 * math.cos(k) ** 2 + 2 * (math.sin(k) - 1) ** 2)

    forwards, both_ways = min(range(1, 101), key=miss), min(range(-100, 101), key=miss)
    assert (forwards, both_ways) == (33, -11)
    assert two.value("misses = {") == [(k, round(miss(k), 4)) for k in (forwards, both_ways)]


def test_the_sampled_products_stay_below_the_bound(two):
    sums = np.cumsum([math.sin(p) * math.cos(p) for p in range(1000)])
    assert two.value("closed = ") == (True, round(max(abs(sums)), 4), round(0.45762193, 4))
    assert all(abs(sums[1:]) > 1e-6)
    assert sums[0] == 0


def test_why_both_sine_and_cosine():
    """What the table says of sines alone: integers differ, lengths and dot products know the position."""
    sines = np.sin(np.arange(-2000, 2001))
    assert np.diff(np.sort(sines)).min() > 0
    assert abs(sines[2000]) < 0.5 < abs(sines[2001])
    assert math.sin(5) * math.sin(3) != pytest.approx(math.sin(7) * math.sin(5))
    assert math.sin(5) * math.sin(3) == pytest.approx(math.cos(2) / 2 - math.cos(8) / 2)


def test_how_near_one_hand_comes(many):
    assert many.glued["almost-zero"] == str(min(range(1, 1001), key=chord)) == "710"
    assert many.glued["almost-zero-apart"] == "6\u00a0×\u00a010⁻⁵"
    assert chord(710) == pytest.approx(6.03e-5, abs=5e-8)
    assert many.glued["neighbors"] == f"{chord(1):.2f}"


def test_a_counting_step_is_half_a_turn_of_the_fastest_hand(many):
    assert many.glued["step-counter"] == f"{apart(math.pi, omegas(10, 32)):.1f}" == "2.6"
    for n in range(31):
        for bit in range(5):
            assert (math.sin(math.pi * (n + 0.5) / 2**bit) < 0) == bool(n >> bit & 1)


def test_periods(in_depth):
    # All frequencies are powers of ten with whole exponents, 10^(-8i/d), at these d only.
    whole = [d for d in range(2, 2001, 2) if all(Fraction(8 * i, d).denominator == 1 for i in range(d // 2))]
    assert in_depth.glued["periodic"] == "2, 4 and 8"
    assert whole == [2, 4, 8]


def test_the_table_is_as_fast_as_its_record_says(computer):
    record = json.loads(data.read("table.json"))
    seconds = {(row["method"], row["dtype"]): row["median_seconds"] for row in record["methods"]}
    fill = next(
        value for (method, dtype), value in seconds.items() if "fill" in method and dtype == "float64"
    )
    assert float(computer.glued["fill-64"]) == pytest.approx(
        seconds["`encoding_table`", "float64"] / fill, abs=0.006
    )


def test_a_fit_that_is_perfect_where_it_was_made(in_depth):
    """Least squares by normal equations in fifty digits finds what float64 does not."""
    assert float(in_depth.glued["error-16"]) > 0.1
    with mpmath.workdps(50):
        omega = [mpmath.mpf(10) ** (-mpmath.mpf(i) / 2) for i in range(8)]
        rows = mpmath.matrix([[f(w * p) for w in omega for f in (mpmath.sin, mpmath.cos)] for p in range(65)])
        before, after = rows[:64, :], rows[1:, :]
        fit = (mpmath.inverse(before.T * before) * (before.T * after)).T
        for i, w in enumerate(omega):
            assert abs(fit[2 * i, 2 * i + 1] - mpmath.sin(w)) < 1e-6
            assert abs(fit[2 * i, 2 * i] - mpmath.cos(w)) < 1e-6


def test_a_linear_shift_is_bounded_only_on_the_unit_circle():
    """The theorem that bounded encodings with a linear shift are waves, at matrices of both kinds."""
    chance = np.random.default_rng(0)
    basis, angles = chance.normal(size=(5, 5)), (0.4, 2.5)
    turns = np.eye(5)
    for i, angle in enumerate(angles):
        block = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
        turns[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block
    waves = basis @ turns @ np.linalg.inv(basis)
    start, places = chance.normal(size=5), np.arange(-200, 201)
    rows = np.array([np.linalg.matrix_power(waves, p) @ start for p in places])
    columns = [np.ones(401), *(f(a * places) for a in angles for f in (np.cos, np.sin))]
    fitted, *_ = np.linalg.lstsq(np.stack(columns, axis=1), rows, rcond=None)
    np.testing.assert_allclose(np.stack(columns, axis=1) @ fitted, rows, atol=1e-9)
    for grows in (np.diag([1.1, 1, 1, 1, 1]), np.eye(5) + np.eye(5, k=1)):
        far = max(np.linalg.norm(np.linalg.matrix_power(grows, p) @ start) for p in (-200, 200))
        assert far > 100 * np.linalg.norm(start)


def test_the_condition_number(in_depth):
    """By iteration with the matrix of products and with its inverse, in as many digits as they need."""
    with mpmath.workdps(160):
        omega = [mpmath.mpf(10) ** (-mpmath.mpf(i) / 4) for i in range(16)]
        cosines = [[mpmath.cos(w * p) for w in omega] for p in range(128)]
        sines = [[mpmath.sin(w * p) for w in omega] for p in range(128)]
        rows = mpmath.matrix([c + s for c, s in zip(cosines, sines, strict=True)])
        products = rows.T * rows
        ends = []
        for matrix in (products, mpmath.inverse(products)):
            vector, length = mpmath.matrix([1] * 32), mpmath.mpf(1)
            for _ in range(30):
                vector = matrix * (vector / length)
                length = mpmath.norm(vector)
            ends.append(length)
        said = in_depth.glued["condition-32"].translate(str.maketrans("\u2070¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
        value = float(said.replace("\u00a0×\u00a010", "e"))
        assert value == pytest.approx(float(mpmath.sqrt(ends[0] * ends[1])), rel=0.03)


def test_adding_costs_twice_as_much_as_standing_still():
    """In mean squares over a period, which is a long stretch: at width 8 all hands are back after 2000 pi."""
    omega = 10.0 ** -np.arange(4)
    places = np.linspace(0, 2000 * math.pi, 100_000, endpoint=False)

    def encoding(p):
        return np.exp(1j * np.multiply.outer(p, omega))

    for step in (1, 5, 77.7):
        learned = encoding(10 + step) - encoding(10)
        errors = (abs(encoding(places) + learned - encoding(places + step)) ** 2).sum(axis=1)
        assert errors.mean() == pytest.approx(2 * (abs(learned) ** 2).sum(), rel=1e-9)


def test_how_far_the_staircases_fall():
    """What the text beside the figure of the closest pairs says of widths 10, 12 and 16."""
    nearest = {10: 36_446_873, 12: 43_737_253, 16: 27_916_192}  # up to a hundred million
    fallen = {d: apart(1, extend_omegas(d)) / apart(k, extend_omegas(d)) for d, k in nearest.items()}
    assert fallen == {
        10: pytest.approx(16, abs=0.5),
        12: pytest.approx(6, abs=0.5),
        16: pytest.approx(2.2, abs=0.1),
    }
    assert apart(9475, extend_omegas(10)) < apart(6, extend_omegas(10)) < apart(1, extend_omegas(10))
    assert apart(14_495, extend_omegas(12)) < apart(1, extend_omegas(12))


def test_the_scatter_in_a_stretch_shrinks_with_the_width(law):
    stretch, said = np.arange(50_000, 150_000), law.value("offsets = np.arange(50_000, 150_000)")
    for d, mean, scatter in said:
        squares = sum(2 - 2 * np.cos(stretch * 10_000 ** (-2 * i / d)) for i in range(d // 2))
        assert (mean, scatter) == (round(np.sqrt(squares).mean(), 2), round(np.sqrt(squares).std(), 2))
    assert [d for d, *_ in said] == [32, 128, 512]
    assert said[0][2] > said[1][2] > said[2][2]


# Where the law of similarity holds


def test_what_a_tenfold_distance_costs(base_10_000):
    """Not the law's mean: each stretch from ten positions to the base by itself."""
    for power in (3, 4, 5, 6):
        levels = [kernel(10.0**k, omegas(512, 10.0**power)) / 256 for k in range(1, power + 1)]
        losses = [100 * (a - b) for a, b in itertools.pairwise(levels)]
        assert base_10_000.glued[f"losses-{power}"] == f"{min(losses):.0f} % to {max(losses):.0f} %"
        assert base_10_000.glued[f"decade-{power}"] == f"{100 / power:.0f} %"


def test_where_the_bound_of_the_law_ends(law, base_10_000, news):
    """The theorem's bound ln b D^2 / 4d reaches the greatest similarity, d/2, between these two offsets."""

    def bound(offset: float) -> float:
        return math.log(10_000) * offset**2 / (4 * 512)

    says = int(law.glued["bound-ends"])
    assert bound(says - 1) < 256 < bound(says + 1)
    assert bound(1000) > 10 * 256
    place = f"{math.pi * 512 / math.log(10_000):.0f}"
    assert law.glued["law-limit"] == base_10_000.glued["law-ends"] == news.glued["law-ends"] == place


def test_how_many_rivals_yarn_is_made_for(rope):
    """A target with half of the weight keeps it; with one rival fewer it would lose, with one more gain."""

    def weight(rivals: float, factor: float) -> float:
        """Of the target, once half, against so many times the rivals, with scores sharpened as by YaRN."""
        lead = math.log(rivals) * (0.1 * math.log(factor) + 1) ** 2
        return 1 / (1 + factor * rivals * math.exp(-lead))

    for name, factor in (("yarn-rivals", 32), ("yarn-start", 1.01)):
        said = int(rope.glued[name])
        assert weight(said - 1, factor) < 0.5 < weight(said + 1, factor)
    assert float(rope.glued["sharper-32"]) == round(1 + math.log(32) / math.log(4096), 2)
    assert float(rope.glued["scale-32"]) > float(rope.glued["sharper-32"]), "the text says by more"


def test_the_last_doubling_adds_fewer_hands(base_10_000):
    waves = [2 * math.pi * 10_000 ** (i / 256) for i in range(256)]
    counts = [sum(wave <= 1024 * 2**k for wave in waves) for k in range(7)]
    steps = [b - a for a, b in itertools.pairwise(counts)]
    assert {str(step) for step in steps[:-1]} == set(base_10_000.glued["counts-512"].split(" or "))
    assert steps[-1] < min(steps[:-1])


def test_the_mean_of_the_squares_tends_to_less_than_half_over_the_logarithm():
    for base in (10.0, 1e4):
        beta = math.log(base)
        limit = (1 - base**-2) / (2 * beta)
        means = [
            math.fsum(base ** (-4 * i / d) for i in range(d // 2)) / (d / 2) for d in (64, 512, 4096, 32768)
        ]
        assert all(a > b > limit for a, b in itertools.pairwise(means))
        assert means[-1] == pytest.approx(limit, rel=1e-3)
        assert limit * beta < 0.5


# Digits, signs, masks


def test_errors_are_said_of_their_form_and_type(computer):
    errors = frequency_errors(512)
    for form, name in (("power", "power"), ("exponential", "exp")):
        for bits in (32, 64):
            assert computer.glued[f"{name}-{bits}"] == f"{errors[form, f'float{bits}'].max():.2f}"


def test_signs_with_zero_as_negative(signs):
    waves = [10_000 ** (-i / 64) for i in range(64)]
    rows = [tuple(f(w * p) > 0 for w in waves for f in (math.sin, math.cos)) for p in range(1000)]
    assert signs.glued["signs-distinct"] == str(len(set(rows)))
    others = [tuple(f(w * p) >= 0 for w in waves for f in (math.sin, math.cos)) for p in range(1000)]
    assert len(set(others)) != len(set(rows)), "so the page has to say which"


def attended(x: np.ndarray, masked: bool) -> np.ndarray:
    rows = []
    for p, query in enumerate(x):
        seen = x[: p + 1] if masked else x
        powers = [math.exp(query @ key / math.sqrt(x.shape[1])) for key in seen]
        rows.append(sum(w * value for w, value in zip(powers, seen, strict=True)) / sum(powers))
    return np.array(rows)


def test_what_one_causal_layer_tells():
    x = np.random.default_rng(0).normal(size=(10, 6))
    first_kept = np.r_[0, 1 + np.random.default_rng(1).permutation(9)]
    last_kept = np.r_[np.random.default_rng(2).permutation(9), 9]
    assert abs(attended(x[first_kept], True)[0] - attended(x, True)[0]).max() == 0
    assert abs(attended(x[last_kept], True)[9] - attended(x, True)[9]).max() < 1e-15
    middle = np.array([1, 2, 3, 0, 4, 5, 6, 7, 8, 9])  # the same tokens before token 4
    assert abs(attended(x[middle], True)[4] - attended(x, True)[4]).max() < 1e-15


def test_equal_tokens_are_told_apart_by_a_mask_alone(bag):
    without, masked = bag.value("differences = []")
    assert without == 0
    assert masked > 0.1
    x = np.random.default_rng(0).normal(size=(5, 8))
    x[3] = x[0]
    assert abs(attended(x, False)[0] - attended(x, False)[3]).max() < 1e-15
    assert abs(attended(x, True)[0] - attended(x, True)[3]).max() > 0.1


# Bounds


def is_outward(said: str, *, least: float | None = None, most: float | None = None) -> bool:
    """Whether a bound holds for the value before rounding, and misses it by no more than its last digit."""
    gap = float(said) - most if least is None else least - float(said)
    return 0 <= gap <= 10.0 ** -len(said.partition(".")[2])


def test_bounds_on_trained_heads_hold(trained):
    starts, probes, said = "sinusoidal, random starts", load().probes, trained.glued
    blocks = probes[f"product/{starts}"].astype(float)
    for i in (0, 1, 2, 4):
        (a, b), (c, d) = blocks[:, 2 * i, 2 * i : 2 * i + 2].T, blocks[:, 2 * i + 1, 2 * i : 2 * i + 2].T
        off = [abs(math.remainder(x - 3 * 10 ** (-i / 4), math.tau)) for x in np.arctan2(b - c, a + d)]
        assert is_outward(said[f"off-{i}"], **({"most": max(off)} if i < 4 else {"least": min(off)}))


def test_the_note_says_first_where_its_rule_fails(site, note):
    """Its first section is short, and counts the seeds in which two hands name the offset."""

    def named(seen="favorites", **changes):
        hits = known = 0
        for rate in (0.03, 0.01):
            for each in changes.get("base", [1e4]):
                try:
                    run = cliff.load().run("back", "RoPE", rate=rate, **changes | {"base": each})
                except ValueError:
                    continue
                angles = run.omega[:2].tolist()
                offsets = range(run.setting.trained, run.setting.tested)
                best = max(offsets, key=lambda D, w=angles: round(sum(math.cos(x * (D - 3)) for x in w), 9))
                seeds = run.trained.nonzero()[0]
                known += len(seeds)
                hits += sum(int(getattr(run, seen)[seed] == best) for seed in seeds)
        return hits, known

    said = note.glued
    for key, found in {
        "near": named(),
        "bases": named(base=[10, 32, 100, 1e6]),
        "wide": named(d_model=64),
    }.items():
        assert said[key] == "{} of {}".format(*found), key
    assert said["by-size"].endswith("heads of 8, {} of {}".format(*named(layers=2, heads=4)))
    assert said["near-plain"] == str(named("counted")[0])
    text = html.parse(site.root / "book/token-47.html").getroot().get_element_by_id("in-short")
    for formula in text.xpath(".//math | .//*[contains(@class, 'math')] | .//h2"):
        formula.drop_tree()
    words = re.findall(r"\w+(?:[-'’.,]\w+)*", text.text_content())
    assert 60 < len(words) <= 120


def test_the_same_seeds_trained_twice(note, trained):
    """Answer by answer: the mean breaks at one place, and the seeds and what comes later do not agree."""
    means, places, later = [], [], []
    for run in (load().run("back", "RoPE"), cliff.load().run("back", "RoPE")):
        right, asked = run.counts[:, :5].astype(int).tolist()
        means.append([sum(r[p] for r in right) / sum(a[p] for a in asked) for p in range(32, 128)])
        places.append(
            [next(p for p in range(32, 128) if r[p] / a[p] < 0.9) for r, a in zip(right, asked, strict=True)]
        )
        later.append(
            sum(sum(r[64:]) / sum(a[64:]) for r, a in zip(right, asked, strict=True))
            / 5  # as many asked of each
        )
    assert [next(p for p, mean in enumerate(of, 32) if mean < 0.9) for of in means] == [47, 47]
    for page in (note, trained):
        assert [page.glued["twice-first"], page.glued["twice-then"]] == [
            f"{100 * mean:.0f}" for mean in later
        ]
    assert note.glued["twice-moved"] == str(sum(one != other for one, other in zip(*places, strict=True)))
    assert [note.glued["breaks-first"], note.glued["breaks-then"]] == [
        ", ".join(map(str, of)) for of in places
    ]
    assert [note.glued["broken-first"], note.glued["broken-then"]] == [f"{100 * of[15]:.0f}" for of in means]


def test_a_set_has_the_smallest_modulus_and_not_the_smallest_real_part(note, trained):
    """Of the residues that the pages name, by sums of roots of unity, one at a time."""
    other = [int(residue) for residue in note.glued["others"].split(", ")]
    sums = [
        [mpmath.fsum(mpmath.expjpi(mpmath.mpf(2 * s * k) / 73) for s in residues) for k in range(1, 73)]
        for residues in ((0, 1, 3, 7, 15, 31, 36, 54, 63), other)
    ]
    assert max(map(abs, sums[0])) < max(map(abs, sums[1]))
    real = [max(value.real for value in of) for of in sums]
    assert real[1] < real[0]
    for page in (note, trained):
        assert page.glued["set-sum"] == f"{float(real[0]):.2f}"
        assert is_outward(page.glued["others-sum"], most=float(real[1]))


BOUND = re.compile(
    r"(?:at most|at least|more than|up to|within) \{glue:text\}`([\w-]+)`"
    r"|\{glue:text\}`([\w-]+)` or (?:above|more|less|below)"
)
#: What follows such words and is a whole number, or glued in a loop and tested with the others of its page.
NO_BOUND = {"first-bfloat16", "last-held-float16", "law-far", "near-20"}
#: What has the numbers of experiments for pages to say.
EXPERIMENTS = REPOSITORY / "code/wavebook/experiments"


@pytest.mark.parametrize("name", numbered_chapters())
def test_a_bound_is_rounded_outwards(name):
    text = text_of(name)
    programs = text + "".join(path.read_text(encoding="utf-8") for path in EXPERIMENTS.glob("*/said.py"))
    for match in BOUND.finditer(text):
        key = match[1] or match[2]
        made = rf"\b{key.replace('-', '_')}=(?:at_most\(|at_least\(|below\(|scientific\([^=]*, up=True\))"
        assert key in NO_BOUND or re.search(made, programs), match[0]


def test_a_head_with_tokens_finds_its_target_as_often_as_other_draws_say(inside):
    angles = np.arange(512)[:, np.newaxis] * 10_000 ** (-np.arange(256) / 256)
    codes = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)  # (512, 512), sines first
    later = np.concatenate([np.sin(angles + angles[3]), np.cos(angles + angles[3])], axis=1)
    assert np.allclose(later[:-3], codes[3:], rtol=0, atol=1e-9)
    turn = np.diag(np.tile(np.cos(angles[3]), 2))
    turn[:256, 256:], turn[256:, :256] = np.diag(np.sin(angles[3])), -np.diag(np.sin(angles[3]))
    energy, axes = np.linalg.eigh(codes.T @ codes)
    axes = axes[:, np.argsort(energy)[::-1][: int(inside.glued["directions-512"])]]
    onto = axes @ axes.T
    tokens = np.random.default_rng(8).normal(size=(40, 64, 512))
    right = {"any": [], "out": []}
    for x in tokens:
        out = x - x @ onto
        out *= np.sqrt(512) / np.linalg.norm(out, axis=1, keepdims=True)
        for name, sums in (("any", x + codes[:64]), ("out", out + codes[:64])):
            scores = (sums @ onto) @ (sums @ onto @ turn.T).T
            right[name].append((scores.argmax(axis=1)[3:] == np.arange(61)).mean())
    # A share of 1220 queries has a standard error of 1.4 per cent.
    said = {name: float(inside.glued[f"hits-{name}"].rstrip("%\u00a0 ")) for name in right}
    assert said["any"] == pytest.approx(100 * np.mean(right["any"]), abs=5)
    assert said["out"] == 100
    assert np.mean(right["out"]) == 1
