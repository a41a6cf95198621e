"""The experiment of where a Transformer breaks: its data whole, what is read off them by literal loops.

The last part needs torch, as that of `test_training.py`.
"""

import cmath
import hashlib
import math
from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from wavebook.experiments import Setting, cliff
from wavebook.experiments import load as load_first
from wavebook.experiments.cliff import NONE, by_hands, own_head, own_rival, tables, two_hands
from wavebook.experiments.tasks import draw as draw_task
from wavebook.figures import cliff as figures

RUNS = cliff.load().runs
MAIN = cliff.load().run("back", "RoPE")
SET = cliff.load().run("back", "RoPE", spectrum="difference set 8")
HEADS = [run for run in RUNS.values() if run.head is not None and run.setting.task == "back"]


def test_the_data_are_those_that_were_hashed():
    data = files("wavebook.experiments.cliff").joinpath("cliff.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == cliff.load().about["sha256"]
    assert len(data) < 2_000_000


def test_each_run_is_whole():
    for name, run in RUNS.items():
        assert name == run.trial.name
        seeds, n = len(run.seeds), run.setting.tested
        assert seeds == 10
        assert run.counts.shape == (2, seeds, n)
        assert (run.counts[0] <= run.counts[1]).all()
        assert run.losses.shape == (run.setting.steps // 10, seeds)
        assert run.wrong.shape == (seeds, n)
        errors = (run.counts[1].astype(int) - run.counts[0])[:, run.setting.trained :].sum(1)
        assert (run.wrong <= errors[:, np.newaxis]).all()
        assert run.commit
        assert "+" not in run.commit
        assert run.seconds > 0


def test_both_rates_of_what_the_chapter_rests_on():
    for rate in (0.03, 0.01):
        for q in (3, 4, 5, 7, 8, 9, 11, 13):
            cliff.load().run("back", "RoPE", spectrum=f"difference set {q}", rate=rate)
        for k in (1, 2, 3, 5, 8):
            for spectrum in ("geometric", "difference set 8"):
                cliff.load().run("back", "RoPE", spectrum=spectrum, back=k, rate=rate)
        for scale in (0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.3):
            cliff.load().run("back", "RoPE", scale=scale, rate=rate)
        for base in (10, 32, 100, 1e4, 1e6):
            cliff.load().run("back", "RoPE", base=base, rate=rate)
        for draw in range(10):
            cliff.load().run("back", "RoPE", spectrum=f"random {draw}", rate=rate)
        for q in (5, 7, 8, 9, 11, 13):
            for draw in range(5):
                cliff.load().run("back", "RoPE", spectrum=f"random residues {q} {draw}", rate=rate)
        for q in (7, 8, 11):
            for draw in range(3):
                cliff.load().run("back", "RoPE", spectrum=f"moved set {q} {draw}", rate=rate)
        for spectrum in ("geometric", "difference set 8"):
            cliff.load().run("back", "RoPE", spectrum=spectrum, steps=2000, rate=rate)
    with pytest.raises(ValueError, match=r"there is no run 'back, RoPE, scale=7, rate=0\.03'"):
        cliff.load().run("back", "RoPE", scale=7)


def test_the_first_experiment_agrees():
    """The same seeds, sequences and rate, in a larger batch, which rounds otherwise."""
    first = load_first().run("back", "RoPE")
    assert first.rate == MAIN.trial.rate
    both = first.counts[0].astype(int), MAIN.counts[0, :5].astype(int)
    np.testing.assert_allclose(both[0][:, :46], both[1][:, :46], atol=20)
    assert np.mean(np.abs(both[0] - both[1])) < 12


def test_breaks_and_training_by_a_literal_loop():
    for run in RUNS.values():
        for seed in range(10):
            right, asked = (run.counts[i, seed].tolist() for i in (0, 1))
            bad = [p for p, (a, b) in enumerate(zip(right, asked, strict=True)) if b and a / b < 0.9]
            assert run.breaks[seed] == (bad[0] if bad else NONE)
            n = run.setting.trained
            assert run.trained[seed] == (sum(right[:n]) / sum(asked[:n]) >= 0.95)


def test_shares_by_a_literal_loop():
    for run in (MAIN, SET):
        right, asked = run.counts.astype(int)
        for seed in range(10):
            for offset in range(run.setting.tested):
                possible = sum(
                    asked[seed, p] - right[seed, p] for p in range(max(32, offset), run.setting.tested)
                )
                share = run.shares[seed, offset]
                if possible < 20:
                    assert math.isnan(share)
                else:
                    assert share == pytest.approx(run.wrong[seed, offset] / possible)


def test_largest_drops_and_counts_by_a_literal_loop():
    for run in RUNS.values():
        for seed in range(10):
            right, asked = (run.counts[i, seed].tolist() for i in (0, 1))
            fractions = [a / b if b else None for a, b in zip(right, asked, strict=True)]
            falls = {
                p + 1: a - b
                for p, (a, b) in enumerate(pairwise(fractions))
                if a is not None and b is not None
            }
            assert falls[run.drops[seed]] == max(falls.values())
            wrong = run.wrong[seed].tolist()
            assert run.counted[seed] == (wrong.index(max(wrong)) if any(wrong) else NONE)
            n, offset = run.setting.trained, 60
            assert run.possible[seed, offset] == sum(asked[max(n, offset) :]) - sum(right[max(n, offset) :])


def test_the_mean_is_of_all_answers():
    for run in (MAIN, SET):
        for position in (2, 3, 47, 127):
            right, asked = (sum(run.counts[i, :, position].tolist()) for i in (0, 1))
            assert run.mean[position] == (right / asked if asked else 1)


@pytest.mark.slow
def test_no_test_sequence_was_seen_in_training():
    """Not even twelve tokens of it in a row: as the two were drawn, of each seed."""
    powers = 16 ** np.arange(12)

    def parts(sequences):
        last = sequences.shape[1] - 11
        return np.unique(np.stack([sequences[:, i : i + 12] @ powers for i in range(last)]))

    for seed in range(10):
        rng = np.random.default_rng([seed, 1])
        seen = np.concatenate([draw_task("back", [rng], 8, 32)[0][0] for _ in range(500)])
        (asked,), _ = draw_task("back", [np.random.default_rng([seed, 128, 3])], 100, 128)
        assert not np.intersect1d(parts(seen), parts(asked)).size
        assert np.intersect1d(parts(seen), parts(seen[:3])).size  # what is there is found


def test_residues_of_the_controls_are_what_they_are_called():
    for q in (5, 7, 8, 9, 11, 13):
        modulus = q * q + q + 1
        for kind in ("random residues", "moved set"):
            drawn = set()
            for n in range(5):
                setting = Setting("back", "RoPE", spectrum=f"{kind} {q} {n}")
                turns = setting.omega * modulus / (2 * math.pi)
                residues = {round(t) % modulus for t in turns[: q + 1]}
                np.testing.assert_allclose(turns, turns.round(), atol=1e-9)
                assert setting.period == modulus
                assert len(residues) == q + 1
                assert not turns[q + 1 :].any()
                assert (np.diff(abs(turns[: q + 1])) <= 1e-9).all()
                differences = {(a - b) % modulus for a in residues for b in residues} - {0}
                assert (len(differences) == modulus - 1) == (kind == "moved set")
                drawn.add(frozenset(residues))
            assert len(drawn) == 5
    assert Setting("back", "RoPE").period is None


def test_heads_have_learned_with_the_frequencies_that_are_said():
    """By their score and these frequencies, the right offset is mostly the best of those in training."""
    for run in RUNS.values():
        if run.head is not None and run.setting.task == "back" and run.setting.encoding == "RoPE":
            best = run.score(range(run.setting.trained))[run.trained].argmax(1)
            assert not best.size or np.mean(best == run.setting.back) > 0.7, run.trial.name


def test_the_tables_leave_no_trial_out():
    head, *rows = tables.trials()
    draws, out_of, known = (head.index(column) for column in ("draws", "seeds", "learned"))
    assert sum(row[draws] for row in rows) == len(RUNS)
    assert sum(row[out_of] for row in rows) == sum(len(run.seeds) for run in RUNS.values())
    assert sum(row[known] for row in rows) == sum(run.trained.sum() for run in RUNS.values())
    assert sum(row[draws] > 1 for row in rows) == 2 * (1 + 6 + 3)
    grouped = [run.trial.name for runs in tables.groups().values() for run in runs]
    assert len(grouped) == len(set(grouped)) == 2 * (1 + 4 + 8 + 4 + 6 + 30 + 10)


@pytest.mark.slow
def test_the_tables_count_by_literal_loops():
    lines = [[cell.strip() for cell in row.split("|")[1:-1]] for row in tables.rules().splitlines()[2:]]
    for line, runs in zip(lines, tables.groups().values(), strict=True):
        learned = [(run, seed) for run in runs for seed in range(10) if run.trained[seed]]
        assert line[1] == f"{len(learned)} of {10 * len(runs)}"
        for column, hands in enumerate((1, 2, 3, None), start=2):
            assert int(line[column]) == sum(run.favorites[s] == by_hands(run, hands)[0] for run, s in learned)
        assert int(line[6]) == sum(own_rival(run)[s] == run.favorites[s] for run, s in learned)
        assert int(line[7]) == sum(own_head(run)[s] == run.breaks[s] for run, s in learned)
    counted = {tuple(row[:2]): row[2:] for row in tables.every_rule()[1:]}
    assert len(counted) == 3 * (len(tables.groups()) + len(tables.further()))
    for (way, name), row in counted.items():
        runs = next(
            runs for key, runs in (tables.groups() | tables.further()).items() if tables.plain(key) == name
        )
        learned = [(run, seed) for run in runs for seed in range(10) if run.trained[seed]]
        named, best = ("counted", 1) if "count" in way else ("favorites", 3 if "three" in way else 1)
        assert row[:2] == [10 * len(runs), len(learned)]
        assert row[3] == sum(getattr(run, named)[s] in two_hands(run)[:best] for run, s in learned), (
            way,
            name,
        )
    found = tables.at_period(tables.all_sets())
    assert found.drops == found.answers == found.learned  # what the note says of them
    for run in tables.all_sets():
        wrong = (run.counts[1] - run.counts[0].astype(int))[:, run.setting.trained :].sum(axis=1)
        at = 3 + run.setting.period
        assert all(2 * run.wrong[seed, at] > wrong[seed] for seed in range(10) if run.trained[seed]), "most"
    seen = [
        run.breaks[seed]
        for q in (5, 7, 8, 9, 11, 13)
        for rate in (0.03, 0.01)
        for run in [cliff.load().run("back", "RoPE", spectrum=f"difference set {q}", rate=rate)]
        for seed in range(10)
        if run.trained[seed]
        if run.breaks[seed] == 3 + q * q + q + 1
    ]
    assert found.breaks == len(seen)


def test_what_the_figures_count_by_literal_loops():
    """Hits of two hands and of the head: no seed that learned the task is left out."""
    for runs in [*tables.groups().values(), *tables.further().values()]:
        seeds = [(run, n) for run in runs for n in range(10) if run.trained[n]]
        found, hands = tables.named(runs), {id(run): by_hands(run, 2)[0] for run in runs}
        assert found.learned == len(seeds)
        assert found.hands == sum(run.favorites[n] == hands[id(run)] for run, n in seeds)
        assert found.plain == sum(run.counted[n] == hands[id(run)] for run, n in seeds)
        if any(run.beats is None for run in runs):
            assert found.head is None
        else:
            assert found.head == sum(run.favorites[n] == own_rival(run)[n] for run, n in seeds)


def test_the_name_of_the_fall_comes_with_its_dot():
    ax = figures.strip(np.ones((2, 64)), 32, 47).axes[0]
    named = {words.get_text().split(":")[0]: words.get_gid() for words in ax.texts}
    assert [named["position 46"], named["position 47"]] == [None, "part-01-name"]
    assert "part-01-edge" in [dot.get_gid() for dot in ax.lines]


def test_where_wrong_answers_come_from_adds_up():
    for run in RUNS.values():
        if run.origins is not None:
            beyond = run.origins[run.setting.trained :].astype(int).sum(0)
            np.testing.assert_array_equal(beyond, run.wrong.sum(0))
            np.testing.assert_array_equal(run.origins, np.tril(run.origins))  # no offset beyond the position
            assert not run.origins[:, run.setting.back].any()  # that would have been right


def test_weights_are_weights():
    shown = [run for run in RUNS.values() if run.weights is not None]
    assert len(shown) >= 10
    for run in shown:
        n = run.setting.tested
        assert run.weights.shape in ((1, n, n), (10, n, n))
        np.testing.assert_allclose(run.weights.sum(2), 1, atol=n / 2 / 255)
    assert MAIN.weights.shape[0] == SET.weights.shape[0] == 10


def test_scores_are_those_of_queries_and_keys_by_a_literal_loop():
    for run in (MAIN, SET):
        (query, key), omega = run.tokens, run.omega
        for seed in (0, 7):
            for offset in (0, 3, 47, 76):
                total = 0
                for asks in query[seed]:
                    for offers in key[seed]:
                        for a, b, w in zip(asks, offers, omega, strict=True):
                            total += (a * b.conjugate() * cmath.exp(1j * w * offset)).real
                assert run.score([offset])[seed, 0] == pytest.approx(total / 256, abs=1e-3)


def test_beaten_triples_by_a_literal_loop():
    for run, offset in ((MAIN, 47), (SET, 76), (SET, 60)):
        query, key = run.tokens
        for seed in (0, 3):

            def score(t, u, there, asks=query[seed], offers=key[seed], omega=run.omega):
                return (asks[t] * offers[u].conj() * np.exp(1j * omega * there)).sum().real

            lost = 0.0
            for t in range(16):
                wanted = [score(t, u, 3) for u in range(16)]
                rivals = [score(t, u, offset) for u in range(16)]
                for u, rival in enumerate(rivals):
                    for v, right in enumerate(wanted):
                        if u != v:
                            lost += 0.5 if abs(rival - right) < 1e-4 else rival > right
            assert run.beats[seed, offset] == pytest.approx(lost / 16**3, abs=2 / 16**3)


@pytest.mark.slow
def test_the_rules_by_literal_loops():
    for run in HEADS:
        k, start, n = run.setting.back, run.setting.trained, run.setting.tested
        for count in (1, 2, 3, None):
            speeds = sorted(run.omega, key=abs, reverse=True)[:count]
            sums = {D: sum(math.cos(w * (D - k)) for w in speeds) for D in range(start, n)}
            hands = by_hands(run, count)
            assert sorted(hands) == list(sums)
            assert all(sums[a] >= sums[b] - 1e-8 for a, b in pairwise(hands))
        assert two_hands(run) == by_hands(run, 2)
        for seed in range(10):
            over = [D for D in range(n) if k != D and run.beats[seed, D] > 0.1]
            assert own_head(run)[seed] == (max(k, over[0]) if over else NONE)
            assert max(run.beats[seed, start:]) == run.beats[seed, own_rival(run)[seed]]


def test_a_head_with_a_difference_set_cannot_tell_the_period():
    """Whatever it has learned: the score at k + N is the score at k."""
    for run in HEADS:
        if run.setting.spectrum.startswith("difference set"):
            there = cliff.expected_break(run)
            same = run.score([run.setting.back, there])
            np.testing.assert_allclose(same[:, 0], same[:, 1], rtol=1e-6, atol=1e-6)
    with pytest.raises(ValueError, match="has no difference set and no residues"):
        cliff.expected_break(MAIN)


def test_wrong_answers_with_a_difference_set_are_the_token_a_period_before():
    """All seeds that have learned the task, of each order, offset and rate: none is left out."""
    count = 0
    for run in HEADS:
        setting = run.setting
        if setting.spectrum.startswith("difference set") and cliff.expected_break(run) < setting.tested:
            assert (run.favorites[run.trained] == cliff.expected_break(run)).all(), run.trial.name
            count += run.trained.sum()
    assert count > 150


def test_unknown_spectra_are_refused():
    with pytest.raises(ValueError, match="spectrum must be one of those of Setting, got 'prime 3'"):
        _ = Setting("back", "RoPE", spectrum="prime 3").omega
    several = next(run for run in RUNS.values() if run.head is None)
    for ask in (own_head, own_rival, lambda run: run.score([1])):
        with pytest.raises(ValueError, match="more than one head, or no RoPE"):
            ask(several)


# From here on with PyTorch.


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


def test_the_plan_is_what_was_recorded(torch):
    from wavebook.experiments.cliff.plan import trials

    assert [trial.name for trial in trials()] == list(RUNS)


def test_answers_and_weights_are_measured_as_they_are(torch):
    """An untrained model: answers, sources and mean weights from its logits and scores, by loops."""
    from wavebook.experiments.cliff.measure import measure
    from wavebook.experiments.model import initial, logits
    from wavebook.experiments.tasks import draw

    setting = Setting("back", "RoPE", spectrum="difference set 5", tested=12, back=2)
    parameters = initial(setting, 16, [4, 5])
    measured, omega = measure(setting, parameters), setting.omega
    for model in range(2):
        own = {name: value[model : model + 1] for name, value in parameters.items()}
        tokens, targets = draw("back", [np.random.default_rng([model, 12, 3])], 100, 12, 2)
        positions = torch.arange(12.0)[None, None]
        said = logits(setting, own, torch.tensor(tokens), positions).argmax(-1).numpy()[0]
        right, sources = np.zeros(12, int), np.zeros((12, 12), int)
        weights = np.zeros((12, 12))
        for row in range(100):
            for p in range(12):
                # The weights, from queries and keys alone.
                scores = [
                    (
                        measured["query"][model, tokens[0, row, p]]
                        * measured["key"][model, tokens[0, row, p - D]].conj()
                        * np.exp(1j * omega * D)
                    )
                    .sum()
                    .real
                    for D in range(p + 1)
                ]
                powers = np.exp(np.array(scores) - max(scores))
                weights[p, : p + 1] += powers / powers.sum() / 100
                if p < 2:
                    continue
                assert targets[0, row, p] == tokens[0, row, p - 2]
                right[p] += said[row, p] == targets[0, row, p]
                if said[row, p] != targets[0, row, p]:
                    for D in range(p + 1):
                        sources[p, D] += tokens[0, row, p - D] == said[row, p]
        np.testing.assert_array_equal(measured["counts"][0, model], right)
        np.testing.assert_array_equal(measured["counts"][1, model], [0, 0, *[100] * 10])
        np.testing.assert_array_equal(measured["sources"][model], sources)
        np.testing.assert_allclose(measured["weights"][model], weights, atol=2e-5)


def test_the_smoke_run_gives_what_was_recorded(torch):
    """Sixty steps, two seeds. Other machines round otherwise, and training magnifies that a little."""
    from wavebook.experiments.cliff.record import smoke

    torch.set_num_threads(1)
    again = smoke()
    np.testing.assert_allclose(again["losses"], cliff.load().smoke["losses"], atol=0.05)
    np.testing.assert_allclose(again["accuracies"], cliff.load().smoke["accuracies"], atol=0.05)
