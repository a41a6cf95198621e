"""What papers say: every statement is quoted with its source, and its values come out another way, too."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re

import numpy as np
import pytest
from harness import REPOSITORY

from posenc import frequencies
from wavebook import data
from wavebook.claims import evaluate, trained
from wavebook.experiments import further

PAPERS = data.read_yaml("papers.yml")


@pytest.fixture(scope="module")
def findings():
    return {found.id: found for found in evaluate(PAPERS)}


def computed(found) -> dict[str, float | str]:
    return {part.name: part.computed for part in found.parts}


def test_every_statement_has_a_source_and_a_place():
    sources = set(
        re.findall(r"^@\w+\{(\w+),", (REPOSITORY / "book/references.bib").read_text(), re.MULTILINE)
    )
    for one in PAPERS:
        assert one["source"] in sources, one["id"]
        assert one["read"]
        assert re.fullmatch(r"\d{4}\.\d{5}(v\d)?|https://\S+", one["at"]), one["id"]
        assert ("by" in one) == bool(re.fullmatch(r"\d{4}\.\d{5}", one["at"])), "a version, or a day"
        assert "“" in one["claim"], "it quotes"


@pytest.mark.slow
def test_some_values_by_their_definition(findings):
    """By loops over positions, in other words than the checks'."""
    omega = np.array([10_000 ** (-2 * i / 128) for i in range(64)])
    assert np.allclose(omega, frequencies(128))
    rng = np.random.default_rng(5)
    lost = 0
    for _ in range(4000):  # other draws than those of the check
        far = rng.integers(2, 1000)
        near = int(1 + rng.random() * (far // 2))
        lost += np.cos(omega * far).sum() > np.cos(omega * near).sum()
    assert lost / 4000 == pytest.approx(computed(findings["P-03"])["up to b/10"], abs=0.02)
    small = np.array([100 ** (-2 * i / 128) for i in range(64)])
    least = min(2 * (64 - np.cos(small * k).sum()) for k in range(1, int(2000 * np.pi) + 1))
    assert np.sqrt(least) == pytest.approx(computed(findings["P-01"])["smallest distance"], abs=0.01)
    assert all(np.cos(small * k).sum() < 64 - 1e-9 for k in range(1, 7000))
    assert np.float32(1e12 ** (-126 / 128)) * np.float32(2**20) < 1e-4, "so each cosine rounds to one"


# From here on: the values of single statements, computed without posenc and in another way.

OMEGA = [10_000 ** (-2 * i / 128) for i in range(64)]


def turned(vector, angles):
    """RoPE by complex multiplication."""
    pairs = (vector[::2] + 1j * vector[1::2]) * np.exp(1j * np.asarray(angles))
    return np.stack([pairs.real, pairs.imag], axis=-1).ravel()


def to_bfloat16(value):
    """The nearest number with eight significant binary digits, halves to even, by integers."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(round(mantissa * 256), exponent - 8)


@pytest.mark.slow
def test_bfloat16_in_cosines_and_sines(findings):
    """As many positions, other ones; deviations of a score from its exact value, over norms."""
    rng = np.random.default_rng(0)
    query, key = rng.normal(size=(2, 1, 128))[:, 0]
    for context, name in ((200, "short, cos and sin"), (100_000, "long, cos and sin")):
        scores = []
        for q in np.random.default_rng(9).integers(0, context, 600).tolist():
            both = []
            for vector, p in ((query, q + 5), (key, q)):
                cos, sin = ([to_bfloat16(f(p * w)) for w in OMEGA] for f in (math.cos, math.sin))
                both.append((vector[::2] + 1j * vector[1::2]) * (np.array(cos) + 1j * np.array(sin)))
            scores.append((both[0] * both[1].conj()).real.sum())
        spread = 1000 * np.std(scores) / np.linalg.norm(query) / np.linalg.norm(key)
        assert spread == pytest.approx(computed(findings["P-18"])[name], abs=0.03)


@pytest.mark.slow
def test_whole_wavelengths(findings):
    values = computed(findings["P-19"])
    waves = [2 * math.pi / w for w in OMEGA]
    assert values["pairs"] == sum(wave <= 1024 for wave in waves)
    wave = max(wave for wave in waves if wave <= 1024)  # the slowest that completes a turn, by brute force
    trained = np.exp(2j * np.pi * np.arange(1024) / wave)
    gap = max(abs(trained - np.exp(2j * np.pi * p / wave)).min() for p in range(1024, 4096))
    assert gap <= values["gap"] + 0.005
    assert all((p - round(wave)) >= 0 for p in range(1024, 2000)), "so each later position has a trained one"


def test_pairs_that_complete_no_turn(findings):
    slow = sum(2 * math.pi * 5e5 ** (2 * i / 128) > 8192 for i in range(64))
    assert computed(findings["P-20"])["slow pairs"] == slow


def test_falls_of_the_mean_score(findings):
    """By the sum of a geometric series of rotations, not by adding cosines."""
    values = computed(findings["P-21"])

    def mean(omegas, start, stop):
        total = 0.0
        for w in omegas:
            total += (
                (stop - start)
                if w == 0
                else ((np.exp(1j * w * stop) - np.exp(1j * w * start)) / (np.exp(1j * w) - 1)).real
            )
        return total / (stop - start) / 64

    rest = [w if 2 * math.pi / w <= 4096 else 0 for w in OMEGA]
    for name, omegas in (("RoPE", OMEGA), ("HoPE", rest)):
        for span, limits in (("near", (0, 100)), ("trained", (2000, 4000)), ("far", (20_000, 40_000))):
            assert mean(omegas, *limits) == pytest.approx(values[f"{name}, {span}"], abs=0.006)


def test_temporal_pairs(findings):
    values = computed(findings["P-22"])
    fast = [1e6 ** (-2 * i / 128) for i in range(16)]
    first = next(n for n in range(1, 1000) if sum(math.cos(w * n) for w in fast) < 0)
    assert values["first"] == first
    least = min(sum(math.cos(w * n) for w in fast) + 48 for n in range(10_001)) / 64
    assert values["least"] == pytest.approx(least, abs=0.006)


def test_matrices_that_commute_and_the_torus():
    """For commuting planes R(x)'R(y) = R(y - x) by angles; for two that don't, a counterexample by hand."""
    a, b = np.zeros((3, 3)), np.zeros((3, 3))
    a[0, 1], a[1, 0], b[1, 2], b[2, 1] = -1, 1, -1, 1

    def rotation(matrix):  # by eigenvalues
        values, vectors = np.linalg.eig(matrix)
        return (vectors @ np.diag(np.exp(values)) @ np.linalg.inv(vectors)).real

    x, y = (math.pi / 2, 0), (0, math.pi / 2)
    together = rotation(x[0] * a + x[1] * b).T @ rotation(y[0] * a + y[1] * b)
    assert abs(together - rotation((y[0] - x[0]) * a + (y[1] - x[1]) * b)).max() > 0.5
    generator = np.zeros((8, 8))
    for i in range(4):
        generator[2 * i, 2 * i + 1], generator[2 * i + 1, 2 * i] = -(0.1**i), 0.1**i
    off = []
    for i in range(8):
        for j in range(i):
            one = np.zeros((8, 8))
            one[i, j], one[j, i] = 1, -1
            off.append(abs(generator @ one - one @ generator).max() > 1e-9)
    assert off.count(False) == 4, "of single planes, the four of RoPE commute"


def test_what_comes_from_early_tokens(findings):
    """Token by token, as exact fractions of what each is made of."""
    values = computed(findings["P-26"])
    n = 64
    for own, name in ((0.0, "first quarter"), (0.5, "with residuals"), (0.99, "sharp")):
        made = np.eye(n)
        for _ in range(3):
            made = np.array([own * made[p] + (1 - own) * made[: p + 1].mean(axis=0) for p in range(n)])
        assert made[-1, :16].sum() == pytest.approx(values[name], abs=0.006)


def test_neighbors_are_alike(findings):
    """Other draws, and attention written out."""
    values, rng = computed(findings["P-28"]), np.random.default_rng(77)
    near, far = [], []
    for _ in range(40):
        x = rng.normal(size=(48, 32))
        for _ in range(2):
            q, k, v = (x @ rng.normal(size=(32, 32)) / 32**0.5 for _ in range(3))
            rows = []
            for p in range(48):
                weights = np.exp(q[p] @ k[: p + 1].T / 32**0.5)
                rows.append(weights @ v[: p + 1] / weights.sum())
            x = np.array(rows)
            x = x / np.linalg.norm(x, axis=1, keepdims=True) * 32**0.5
        near += [x[p] @ x[p - 1] / 32 for p in range(1, 48)]
        far += [x[p] @ x[q] / 32 for p in range(48) for q in range(p - 19)]
    assert np.mean(near) == pytest.approx(values["near"], abs=0.04)
    assert np.mean(far) == pytest.approx(values["far"], abs=0.08)


def test_bias_of_means_and_of_scalars(findings):
    values = computed(findings["P-30"])
    for distance in (1, 1000):
        expected = 2 * sum(math.cos(w * distance) for w in OMEGA)
        assert values[f"mean 1, at {distance}"] == pytest.approx(expected, abs=0.06)
    query, first, second = np.random.default_rng(0).normal(size=(3, 64))
    angles = np.array([10_000 ** (-2 * i / 64) for i in range(32)])
    gain = [turned(query, n * angles) @ (first - second) for n in (1, 9)]
    assert abs(gain[1] - gain[0]) == pytest.approx(computed(findings["P-38"])["change"], abs=0.06)
    # 499 keys as good as the one but for the bias, and 500 that only the distance could help.
    single = 1 / (1 + 499 * math.exp(-10) + 500 * math.exp(-20))
    assert computed(findings["P-38"])["single"] == pytest.approx(single, abs=0.006)


def test_largest_weights(findings):
    values = computed(findings["P-31"])
    scores = np.full(100, -2.0)
    scores[-1] = 3
    assert (np.exp(scores) / np.exp(scores).sum()).max() == pytest.approx(values["a hundred"], abs=0.006)
    bound = computed(findings["P-32"])["bound"]
    scores = np.full(10**6, -5.0)
    scores[0] = 5
    assert (np.exp(scores) / np.exp(scores).sum()).max() == pytest.approx(bound, abs=0.0006)
    rng = np.random.default_rng(3)
    drawn = np.exp(rng.uniform(-5, 5, 10**6))
    assert drawn.max() / drawn.sum() <= bound + 0.0006
    # ALiBi's weights of equal contents are a geometric series.
    assert computed(findings["P-32"])["slope"] == pytest.approx(1 - np.exp(-0.5), abs=0.006)


def test_long_inputs_become_one(findings):
    values = computed(findings["P-33"])
    one, zero = np.random.default_rng(0).normal(size=(2, 32)) / 2
    angles = np.array([10_000 ** (-2 * i / 32) for i in range(16)])

    def last(n):
        asks = turned(zero, (n - 1) * angles)
        weights = [math.exp(turned(one, q * angles) @ asks / 32**0.5) for q in range(n - 1)]
        own = math.exp(zero @ zero / 32**0.5)
        return zero + (sum(weights) * one + own * zero) / (sum(weights) + own)

    assert abs(last(11) - last(10)).max() == pytest.approx(values["at 10"], abs=0.0006)
    at = int(values["equal from"])
    assert [to_bfloat16(v) for v in last(at + 1)] == [to_bfloat16(v) for v in last(at)]
    assert [to_bfloat16(v) for v in last(at - 9)] != [to_bfloat16(v) for v in last(at - 10)]


def test_no_one_product_for_two_distances(findings):
    rng = np.random.default_rng(0)
    query, up = rng.normal(size=(64, 32)) / 8, rng.normal(size=(64, 16)) / 8
    angles = 5 * np.array([10_000 ** (-2 * i / 64) for i in range(32)])
    rotation = np.zeros((64, 64))
    for i, angle in enumerate(angles):
        rotation[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [
            [math.cos(angle), -math.sin(angle)],
            [math.sin(angle), math.cos(angle)],
        ]
    apart = abs(query.T @ rotation @ up - query.T @ up).max()
    assert apart == pytest.approx(computed(findings["P-34"])["apart"], abs=0.006)


def test_static_yarn(findings):
    """A pair keeps its speed if it makes 32 turns in training; bounds truncated as the authors do it."""
    values = computed(findings["P-35"])
    turns = [32_768 / (2 * math.pi * 1e6 ** (2 * i / 128)) for i in range(64)]
    exact = sum(one < 32 for one in turns)
    assert exact <= values["changed"] <= exact + 1
    assert values["factor"] == pytest.approx((0.1 * math.log(4) + 1) ** 2, abs=0.006)


def test_frequencies_dealt_out(findings):
    values, left, of = computed(findings["P-36"]), [24, 20, 20], []
    for pair in range(64):
        axis = pair % 3 if pair < 60 else 0  # height and width have twenty each
        left[axis] -= 1
        of.append(axis)
    assert left == [0, 0, 0]
    for axis, name in enumerate(("time", "height", "width")):
        slowest = max(2 * math.pi * 5e6 ** (2 * i / 128) for i in range(64) if of[i] == axis)
        assert values[name] == pytest.approx(slowest)
    assert values["time in bands"] == pytest.approx(2 * math.pi * 10 ** (6 * 15 / 64))


def test_the_cross_of_axial_rope(findings):
    values = computed(findings["P-37"])
    omegas = [100 ** (-2 * i / 64) for i in range(32)]
    along = np.mean([(32 + sum(math.cos(w * r) for w in omegas)) / 64 for r in np.linspace(20, 60, 300)])
    assert along == pytest.approx(values["axial, along"], abs=0.01)
    x, y = math.cos(math.radians(35)), math.sin(math.radians(35))
    between = np.mean(
        [
            sum(math.cos(w * r * x) + math.cos(w * r * y) for w in omegas) / 64
            for r in np.linspace(20, 60, 300)
        ]
    )
    assert between == pytest.approx(values["axial, between"], abs=0.01)


def test_how_far_self_extend_reaches(findings):
    """By all queries and keys of a small case, and by the formula written out."""
    group, window, limit = 3, 8, 20

    def largest(n):
        return max(
            q // group + window - window // group - k // group
            for q in range(n)
            for k in range(q + 1)
            if q - k >= window
        )

    reach = max(n for n in range(10, 80) if largest(n) < limit)
    assert abs(reach - ((limit - window) * group + window)) <= group + 1
    values = computed(findings["P-39"])
    assert values["largest"] == 15_799 // 5 + 1024 - 1024 // 5
    assert (values["length"] - 1) // 5 + 1024 - 1024 // 5 == 4095
    assert values["length"] // 5 + 1024 - 1024 // 5 == 4096


def share(name, key, start, stop):
    """Right answers over questions, all seeds together, from the file of arrays itself."""
    stored = np.load(REPOSITORY / "code/wavebook/experiments/further/further.npz")
    right, asked = stored[f"{name}/{key}"].astype(int)[:, :, start:stop]
    return right.sum() / asked.sum()


def data_of(name):
    return (REPOSITORY / "code/wavebook/experiments" / name).read_text(encoding="utf-8")


def stored_share(file, name, start, stop, seeds=None):
    """The same for the other two experiments, and their first seeds."""
    stored = np.load(REPOSITORY / "code/wavebook/experiments" / file)
    right, asked = stored[f"counts/{name}"].astype(int)[:, :seeds, start:stop]
    return right.sum() / asked.sum()


def share_of_cliff(name, start, stop):
    return stored_share("cliff/cliff.npz", name, start, stop)


def trained_parts(statement):
    (one,) = evaluate([entry for entry in PAPERS if entry["id"] == statement])
    return one.parts


def test_statements_that_runs_decide(findings):
    polar, base = computed(findings["P-40"]), computed(findings["P-41"])
    for rate in (0.03, 0.01):
        for name, task in (("three back", "back"), ("last letter", "last"), ("marks", "near")):
            found = share(f"tested: {task}, PoPE, rate={rate}", "tested", 64, 128)
            assert found == pytest.approx(polar[f"PoPE, {name}, {rate}"], abs=0.006)
        at_length = share(f"tested: back, RoPE, trained=16, base=16.0, rate={rate}", "tested", 32, 128)
        usual = share_of_cliff(f"back, RoPE, trained=16, rate={rate}", 32, 128)
        assert at_length - usual == pytest.approx(base[f"L 16, {rate}"], abs=0.006)
    last = "tested: last, RoPE, random positions, rate=0.03"
    assert share(last, "tested", 64, 128) == pytest.approx(
        computed(findings["P-42"])["last, beyond"], abs=0.006
    )
    fast = share("tested: back, RoPE, pairs=fast, rate=0.03", "tested", 64, 128)
    rope = share_of_cliff("back, RoPE, rate=0.03", 64, 128)
    assert fast - rope == pytest.approx(computed(findings["P-43"])["fast, 0.03"], abs=0.006)
    (name,) = (one for one in further.load().jobs if one.startswith("dropped: last"))
    for rate in (0.003, 0.01):
        assert share(name, f"dropped, tuned at {rate}", 0, 32) == pytest.approx(
            computed(findings["P-15"])[f"tuned, within, {rate}"], abs=0.006
        )


def test_every_run_that_belongs_to_a_statement_is_in_the_table():
    """By the names in the files of results, and not by the program that makes the table."""
    rows = {row["run"]: row["statements"].split() for row in csv.DictReader(io.StringIO(trained.to_csv()))}
    written = json.loads(data_of("further/further.json"))
    belongs = {
        "PoPE": "P-40",
        "RoPE, random positions": "P-42",
        "pairs=": "P-43",
        "base=": "P-41",
        "trained=": "P-41",
    }
    seen = set()
    for entry in written["runs"]:
        asked, name = entry["name"].split(": ", 1)
        for answer in entry["answers"]:
            if answer == "told":
                continue
            row = name if asked == "tested" else f"{answer}: {name}"
            assert row in rows, f"{row} was run, and is not in the table"
            for sign, statement in belongs.items():
                if asked == "tested" and sign in name and not (sign == "base=" and "pairs=" in name):
                    assert statement in rows[row], f"{row} belongs to {statement}"
                    seen.add(statement)
    assert seen == set(belongs.values())
    for entry in json.loads(data_of("cliff/cliff.json"))["runs"]:
        if re.fullmatch(r"back, RoPE(, base=[\d.]+|, trained=\d+)?, rate=[\d.]+", entry["name"]):
            assert "P-41" in rows[entry["name"]], entry["name"]
    gains = [part for part in trained_parts("P-40") if part.rule == "differs"]
    assert len(gains) == sum("PoPE" in entry["name"] for entry in written["runs"]) == 8
    assert sum(part.holds is None for part in gains) == 4, "as the sentence has it"


def test_no_difference_within_a_rerun_decides():
    """Two trainings of the same seeds, read from both files: nothing smaller supports or contradicts."""
    first = stored_share("results.npz", "back, RoPE", 64, 128)
    second = stored_share("cliff/cliff.npz", "back, RoPE, rate=0.03", 64, 128, seeds=5)
    assert trained.rerun() >= abs(first - second) - 0.006 > 0.1
    for statement in ("P-40", "P-41", "P-43"):
        for part in trained_parts(statement):
            if part.rule == "differs":
                assert (part.holds is None) == (abs(part.computed) <= trained.rerun()), (statement, part)


def test_the_further_runs_are_whole():
    """Ten seeds each, the hash of the arrays, a commit; answers that are no more than questions."""
    recorded = further.load()
    stored = (REPOSITORY / "code/wavebook/experiments/further/further.npz").read_bytes()
    assert recorded.about["sha256"] == hashlib.sha256(stored).hexdigest()
    assert len(recorded.jobs) == 41
    for job in recorded.jobs.values():
        assert job.seeds == tuple(range(10))
        assert re.fullmatch(r"[0-9a-f]{40}", job.commit), "an unchanged program"
        assert np.isfinite(job.losses).all()
        for counted in job.counted.values():
            right, asked = counted.counts
            assert counted.counts.shape == (2, 10, job.setting.tested)
            assert (right <= asked).all()


def test_pope_and_narrow_turns_are_what_they_say():
    torch = pytest.importorskip("torch")
    from wavebook.experiments.model import polar, turn

    vectors, positions = torch.tensor([[[0.5, -1.0]]]), torch.tensor([[3.0]])
    omega, phase = torch.tensor([1.0, 0.1]), torch.tensor([[0.2, 0.0]])
    sizes = [math.log(1 + math.exp(v)) for v in (0.5, -1.0)]
    angles = [3.2, 0.3]
    wanted = [s * math.cos(a) for s, a in zip(sizes, angles, strict=True)]
    wanted += [s * math.sin(a) for s, a in zip(sizes, angles, strict=True)]
    assert polar(vectors, positions, omega, phase)[0, 0].tolist() == pytest.approx(wanted, abs=1e-6)
    found = turn(vectors, positions, torch.tensor([0.7]), narrow=True)[0, 0].tolist()
    cos, sin = to_bfloat16(math.cos(2.1)), to_bfloat16(math.sin(2.1))
    assert found == pytest.approx([0.5 * cos + sin, 0.5 * sin - cos], abs=1e-6)


def test_the_plan_is_what_was_recorded():
    pytest.importorskip("torch")
    from wavebook.experiments.further.plan import jobs

    assert [job.name for job in jobs()] == list(further.load().jobs)
    assert {tuple(further.DEEP.items()), tuple(further.TWO_LAYERS.items())} <= {
        tuple((key, getattr(job.setting, key)) for key in keys)
        for job in further.load().jobs.values()
        for keys in (further.DEEP, further.TWO_LAYERS)
    }
