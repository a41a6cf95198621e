"""The small language models: their data whole, the rules older than the runs, what is said of them by loops.

The last part needs torch, as that of `test_training.py`; the text needs the history of the repository.
"""

import ast
import hashlib
import json
import math
import re
import statistics
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from wavebook.experiments import language
from wavebook.experiments.language.spectra import SPECTRA, USUAL, frequencies_of

HERE = Path(language.__file__).parent
STORED = np.load(HERE / "language.npz")
WRITTEN = json.loads((HERE / "language.json").read_text())
RECORDED = language.load()


def git(*words):
    """What git says, or a test that is skipped where there is no history."""
    done = subprocess.run(["git", *words], cwd=HERE, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        pytest.skip(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout


def entries(spectrum, again=False):
    """What is written of a spectrum."""
    return [run for run in WRITTEN["runs"] if (run["spectrum"], run["again"]) == (spectrum, again)]


def rows(kind, spectrum, again=False):
    """The arrays of a spectrum, seed by seed, from the file itself."""
    return [row for run in entries(spectrum, again) for row in STORED[f"{kind}/{run['name']}"].tolist()]


def test_the_data_are_whole():
    data = (HERE / "language.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == RECORDED.about["sha256"]
    assert len(data) < 500_000
    assert list(RECORDED.runs) == list(SPECTRA)
    for run in (*RECORDED.runs.values(), RECORDED.again):
        assert run.setting == SPECTRA[run.spectrum]
        seeds = len(run.seeds)
        assert run.loss.shape == run.excess.shape == (seeds, 1024)
        assert run.training.shape == (seeds, run.setting.steps // 10)
        assert np.isfinite(run.loss).all()
        assert (run.loss > 0).all()
        assert run.distances.shape == (seeds, len(language.DISTANCES))
        assert run.places.shape == (seeds, len(language.PLACES))
        assert (run.distances >= 0).all()
        assert (run.distances <= language.ASKED).all()
        assert all(re.fullmatch("[0-9a-f]{40}", commit) for commit in run.commits), "an unchanged program"
        assert run.omega.shape == ((seeds, 16) if run.spectrum == "learned" else (0, 0))
    assert {run.seeds for run in RECORDED.runs.values()} == {RECORDED.run("geometric").seeds}


def constants(source):
    """What the rules say, of the source of the package: constants, and how a measure is computed."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in (
                "ENOUGH", "PERIOD", "DISTANCES", "PLACES", "MEASURES", "PREDICTIONS"
            ):  # fmt: skip
                found[name] = ast.unparse(node.value)
            case ast.FunctionDef(name="measure" | "counts" | "outcome" | "shift" as name):
                node.body = [line for line in node.body if not isinstance(line, ast.Expr)]
                found[name] = ast.unparse(node.body)
    return found


def computing(source):
    """A program without what it imports and says, which may have other names and words by now."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if hasattr(node, "body") and isinstance(node.body, list):
            node.body = [
                line
                for line in node.body
                if not isinstance(line, ast.Import | ast.ImportFrom)
                and not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))
            ] or [ast.Pass()]
    return ast.unparse(tree)


def test_the_rules_are_older_than_the_runs():
    """They are those of the commit that the page names, and what was trained was trained by it or later."""
    inside = git("rev-parse", "--show-prefix").strip()
    committed = constants(git("show", f"{language.RULES}:{inside}__init__.py"))
    assert len(committed) == 10
    assert committed == constants((HERE / "__init__.py").read_text())
    for name in ("spectra.py", "plan.py", "measure.py", "../text.py"):
        path = (HERE / name).resolve()
        then = git("show", f"{language.RULES}:./{name}")
        assert computing(then) == computing(path.read_text()), name
    for run in (*RECORDED.runs.values(), RECORDED.again):
        for commit in run.commits:
            git("merge-base", "--is-ancestor", language.RULES, commit)


def measured(name, spectrum, again=False):
    """A measure by its words, from the file."""
    if name == "within":
        return rows("within", spectrum, again)
    if name.startswith("copied"):
        ranges = {"copied within": (16, 48), "copied beyond": (64, 160), "copied far": (256, 1000)}
        first, last = ranges[name]
        at = [n for n, distance in enumerate(language.DISTANCES) if first <= distance <= last]
        return [statistics.fmean(row[n] / 200 for n in at) for row in rows("distances", spectrum, again)]
    if name == "late":
        at = [n for n, place in enumerate(language.PLACES) if place >= 128]
        return [statistics.fmean(row[n] / 200 for n in at) for row in rows("places", spectrum, again)]
    excess = rows("excess", spectrum, again)
    if name == "step":
        return [statistics.fmean(row[187:247]) - statistics.fmean(row[123:183]) for row in excess]
    first, last = {"beyond": (64, 182), "far": (512, 1023)}[name]
    return [statistics.fmean(row[first : last + 1]) for row in excess]


@pytest.mark.parametrize("name", language.MEASURES)
def test_measures_and_what_counts_by_their_words(name):
    base = measured(name, "geometric")
    shift = max(abs(a - b) for a, b in zip(base, measured(name, "geometric", again=True), strict=False))
    assert RECORDED.shift(name) == pytest.approx(shift)
    for spectrum, run in RECORDED.runs.items():
        values = measured(name, spectrum)
        assert run.measure(name).tolist() == pytest.approx(values)
        if spectrum == "geometric":
            continue
        apart = [a - b for a, b in zip(values, base, strict=True)]
        found = RECORDED.against(spectrum, name)
        assert found.by_seed.tolist() == pytest.approx(apart)
        error = statistics.stdev(apart) / math.sqrt(len(apart))
        one_sign = all(value > 0 for value in apart) or all(value < 0 for value in apart)
        size = abs(statistics.fmean(apart))
        assert found.counts == (one_sign and size >= 5 * error and size >= 5 * shift)


def test_outcomes_by_their_words():
    outcomes = RECORDED.predictions()
    assert [prediction for prediction, _ in outcomes] == list(language.PREDICTIONS)
    for (spectrum, measure, sign, than), said in outcomes:
        found = RECORDED.against(spectrum, measure, than)
        if found.counts:
            assert said == ("right" if found.mean * sign > 0 else "refuted")
        else:
            assert said == "open"


def test_nothing_is_concluded_from_what_seeds_or_a_rerun_shift():
    def counts(values, shift):
        return language.Difference(np.array(values), shift).counts

    assert counts([1.0, 1.1, 0.9], 0.1)
    assert not counts([1.0, 1.1, 0.9], 0.21), "a fifth of it by rounding alone"
    assert not counts([1.0, 2.0, 0.3], 0.0), "five standard errors"
    assert not counts([1.0, 1.0, -0.01], 0.0), "one seed has the other sign"


def test_intervals_by_counting_resamples():
    values = [0.3, 1.0, 4.0, 1.5, -2.0]
    means = sorted(sum(drawn) / 5 for drawn in product(values, repeat=5))
    low, high = language.interval(np.array(values))
    assert sum(mean < low - 1e-9 for mean in means) < 0.025 * len(means)
    assert sum(mean <= low + 1e-9 for mean in means) >= 0.025 * len(means)
    assert sum(mean < high - 1e-9 for mean in means) < 0.975 * len(means)
    assert sum(mean <= high + 1e-9 for mean in means) >= 0.975 * len(means)


def test_each_spectrum_by_its_formula():
    geometric = [10_000 ** (-i / 16) for i in range(16)]
    for name, wanted in (
        ("geometric", geometric),
        ("learned", geometric),
        ("base 64", [64 ** (-i / 16) for i in range(16)]),
        ("fast half", geometric[:8] + 8 * [0]),
        ("PoPE", [10_000 ** (-i / 32) for i in range(32)]),
    ):
        assert frequencies_of(name, 3) == pytest.approx(np.array([wanted, wanted]))
    (one, same), (first, second) = (
        frequencies_of(name, 0) for name in ("difference set", "half set, half geometric")
    )
    assert one.tolist() == same.tolist() == first.tolist()
    assert second == pytest.approx(np.array(geometric))
    residues = [round(omega * 183 / 2 / math.pi) for omega in one]
    assert one == pytest.approx(2 * np.pi * np.array(residues) / 183)
    assert residues.count(0) == 3, "one of them is in the set"
    kept = [r % 183 for r in residues if r] + [0]
    assert Counter((a - b) % 183 for a in kept for b in kept if a != b) == dict.fromkeys(range(1, 183), 1)


def test_random_residues_are_on_the_same_grid_and_differ_by_seed():
    drawn = [frequencies_of("random residues", seed)[0] * 183 / 2 / math.pi for seed in range(5)]
    for residues in drawn:
        assert residues == pytest.approx(residues.round())
        assert len({round(r) % 183 for r in residues if abs(r) > 0.5}) in (13, 14)
    assert len({tuple(residues.round()) for residues in drawn}) == 5
    with pytest.raises(ValueError, match="name must be one of"):
        frequencies_of("mel", 0)


def text():
    """The module of the text, or a test that is skipped."""
    from wavebook.experiments import text

    git("cat-file", "-e", text.COMMIT)
    return text


def test_the_text_of_the_test_is_not_trained_on():
    module = text()
    whole, train, test = module.written(), module.blocks(testing=False), module.blocks(testing=True)
    assert len(train) + len(test) == len(whole) // 8192
    for n in range(len(whole) // 8192):
        block = whole[8192 * n : 8192 * (n + 1)]
        mine = test if n % 8 == 7 else train
        assert (mine == block).all(1).sum() == 1
    assert not set(map(bytes, train.astype(np.uint8))) & set(map(bytes, test.astype(np.uint8)))


def test_the_windows_that_are_trained():
    module = text()
    tokens, targets = module.drawn(np.random.default_rng(0), 40, 64)
    assert (tokens[:, 1:] == targets[:, :-1]).all()
    source = bytes(module.written().astype(np.uint8))
    letters = [ord(letter) - 32 for letter in "abcdefghijklmnopqrstuvwxyz"]
    for n, (row, after) in enumerate(zip(tokens, targets, strict=True)):
        window = [*row.tolist(), int(after[-1])]
        if n % 2:
            assert set(window) <= set(letters)
            assert any(window[p:] == window[:-p] for p in range(8, 33))
        elif n % 4 == 0:
            assert bytes(window) in source
        else:
            found = [
                (a, d)
                for d in range(16, 49)
                for a in range(65 - 12 - d)
                if window[a : a + 12] == window[a + d : a + d + 12]
                and set(window[a : a + 12]) <= set(letters)
            ]
            assert found


def test_the_plan_is_what_was_recorded():
    pytest.importorskip("torch")
    from wavebook.experiments.language.plan import RATE, cells

    assert [run["name"] for run in WRITTEN["runs"]] == [cell.name for cell in cells()][: len(WRITTEN["runs"])]
    assert {run["rate"] for run in WRITTEN["runs"]} == {RATE}


def untrained(name, seed=0):
    """The parameters of a spectrum as training begins, and its frequencies as the plan has them."""
    import torch

    from wavebook.experiments.model import initial

    omega = torch.tensor(frequencies_of(name, seed), dtype=torch.float32)[None, None, :, None]
    return initial(SPECTRA[name], 97, [seed]), omega


def test_each_head_turns_by_its_own_frequencies():
    """A score of the first layer by the formula, pair by pair; and what is learned begins as geometric."""
    torch = pytest.importorskip("torch")
    from wavebook.experiments.model import initial, logits, norm

    name, n = "half set, half geometric", 7
    parameters, omega = untrained(name)
    tokens, positions = torch.arange(n)[None, None], torch.arange(n, dtype=torch.float32)[None, None]
    seen = []
    logits(SPECTRA[name], parameters, tokens, positions, omega, attended=seen.append)
    read = norm(parameters["embed"][0, :n]).double()
    for head in range(2):
        part = slice(32 * head, 32 * head + 32)
        q, k = (
            torch.view_as_complex((read @ parameters[w][0].double())[:, part].reshape(n, 16, 2).contiguous())
            for w in ("q0", "k0")
        )
        turns = torch.tensor(frequencies_of(name, 0)[head])
        scores = [
            float((q[n - 1] * k[j].conj() * torch.exp(1j * turns * (n - 1 - j))).real.sum()) / math.sqrt(32)
            for j in range(n)
        ]
        wanted = np.exp(scores) / np.exp(scores).sum()
        assert seen[0][0, 0, head, n - 1].tolist() == pytest.approx(wanted.tolist(), abs=1e-5)
    begun = initial(SPECTRA["learned"], 97, [0, 1])
    begun["omega"][1] += math.log(2)
    omega = untrained("geometric")[1]
    fixed = {key: value for key, value in begun.items() if key != "omega"}
    both = [tokens.expand(2, 1, n), positions]
    said = logits(SPECTRA["learned"], begun, *both)
    assert torch.allclose(said, logits(USUAL, fixed, *both, torch.cat([omega, 2 * omega])), atol=1e-5)


def test_the_loss_by_position_is_that_of_the_same_characters():
    """Where both windows begin alike nothing is in excess, and elsewhere a loop gets the same."""
    torch = pytest.importorskip("torch")
    module = text()
    from wavebook.experiments.language import measure

    parameters, omega = untrained("geometric")
    setting = SPECTRA["geometric"].changed(tested=256)
    found = measure.by_position(setting, parameters, omega)
    assert np.abs(found["excess"][32:64]).max() < 1e-5
    assert np.abs(found["excess"][64:]).max() > 1e-3
    block, p = module.blocks(testing=True), 150  # a character that a short window from 128 on tells, too late
    starts = range(0, 8192 - 256, 512)
    apart = []
    for row in block:
        for start in starts:
            losses = []
            for begin in (start, start + 96):  # of the windows of 64 the one that has it in its second half
                window = torch.tensor(row[begin : start + p + 1])[None, None]
                at = torch.arange(window.shape[-1], dtype=torch.float32)[None, None]
                said = measure.logits(setting, parameters, window, at, omega)[0, 0, -1].log_softmax(-1)
                losses.append(-float(said[row[start + p + 1]]))
            apart.append(losses[0] - losses[1])
    assert found["excess"][p] == pytest.approx(statistics.fmean(apart), abs=1e-4)


def test_copies_are_where_they_are_asked_for():
    pytest.importorskip("torch")
    text()
    from wavebook.experiments.language.measure import copies

    windows = copies(0, 4, 87)
    assert windows.shape == (25, 99)
    assert (windows[:, 4:16] == windows[:, 87:]).all()
    assert not (windows[:, 30:42] == windows[:, 87:]).all(1).any()
