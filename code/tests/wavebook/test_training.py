"""The experiment: its tasks by a literal loop, its data, its weights, and, with PyTorch, its models.

The last part needs torch: `make test WITH=torch MARK=torch` brings it; without it those tests are skipped.
"""

import pickle
from importlib.resources import files as files_of

import numpy as np
import pytest

from posenc import positional_encoding, shift_matrix
from posenc.rope import apply_rope
from wavebook.experiments import ENCODINGS, Setting, averaged, load, stored
from wavebook.experiments.tasks import BACK, FIXED, TASKS, UNASKED, draw
from wavebook.weights import shift_cosine


def answer(task, tokens, position):
    """What the task asks for, by its words."""
    before = tokens[:position]
    if task == "back":
        return before[-BACK] if position >= BACK else UNASKED
    if task == "fixed":
        return tokens[FIXED] if position > FIXED else UNASKED
    if task == "last":
        letters = [token for token in before if token < 8]
        return letters[-1] if tokens[position] >= 8 and letters else UNASKED
    if task == "near":
        return int(0 in tokens[position - 7 : position + 1]) if position >= 7 else UNASKED
    separator = tokens.index(32)
    return tokens[position - separator] if position >= separator else UNASKED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("wavebook.experiments", "results"),
        ("wavebook.experiments.cliff", "cliff"),
        ("wavebook.experiments.further", "further"),
        ("wavebook.experiments.language", "language"),
    ],
)
def test_what_was_recorded_would_be_written_the_same(package, name, monkeypatch, tmp_path):
    written, arrays = stored.read(package, name)
    files = [(files_of(package) / f"{name}.{kind}").read_bytes() for kind in ("npz", "json")]
    monkeypatch.setattr(stored, "files", lambda package: tmp_path)
    monkeypatch.setattr(stored, "about", lambda: {k: written["about"][k] for k in list(written["about"])[:6]})
    more = {key: value for key, value in written.items() if key not in ("about", "runs")}
    stored.write(package, name, arrays, written["runs"], **more)
    assert (tmp_path / f"{name}.npz").read_bytes() == files[0]
    if "sha256" in written["about"]:  # the first experiment was recorded before that was noted
        assert (tmp_path / f"{name}.json").read_bytes() == files[1]
    again, _ = stored.read(package, name)
    assert {**again, "about": 0} == {**written, "about": 0}


@pytest.mark.parametrize("task", [task for task in TASKS if task != "text"])
def test_targets_are_what_the_task_says(task):
    tokens, targets = draw(task, [np.random.default_rng(seed) for seed in range(3)], 4, 20)
    assert tokens.shape == targets.shape == (3, 4, 20)
    assert tokens.max() < TASKS[task].vocabulary
    for row, asked in zip(tokens.reshape(-1, 20).tolist(), targets.reshape(-1, 20).tolist(), strict=True):
        assert asked == [answer(task, row, position) for position in range(20)]


def test_the_first_task_looks_as_far_back_as_it_is_told():
    tokens, targets = draw("back", [np.random.default_rng(0)], 4, 20, back=8)
    for row, asked in zip(tokens[0].tolist(), targets[0].tolist(), strict=True):
        assert asked == [row[position - 8] if position >= 8 else UNASKED for position in range(20)]


def test_unknown_tasks_are_named():
    with pytest.raises(ValueError, match=r"task must be one of 'back'.*got 'sort'"):
        draw("sort", [np.random.default_rng(0)], 1, 8)


def test_the_data_are_whole():
    """Every encoding of the first task, five seeds, rates that were chosen by the recorded losses."""
    recorded = load()
    assert set(recorded.about) == {"date", "command", "machine", "python", "numpy", "torch"}
    for encoding in ENCODINGS:
        recorded.run("back", encoding)
    for name, run in recorded.runs.items():
        assert name == run.setting.name
        right, asked = run.counts
        assert run.counts.shape[:2] == (2, 5)
        assert (right <= asked).all()
        assert run.losses.shape == (run.setting.steps // 10, 5)
        assert np.isfinite(run.losses).all()
        if run.choice:
            assert run.rate == min(run.choice, key=run.choice.__getitem__)
    with pytest.raises(ValueError, match="there is no run 'back, no such'"):
        recorded.run("back", "no such")


def test_the_controls_are_at_chance():
    """Targets shuffled: a standard deviation of chance is well below 0.01 with so many questions."""
    for encoding in ("sinusoidal, random starts", "RoPE"):
        assert abs(load().run("back", encoding, shuffled=True).over(0, 128) - 1 / 16).max() < 0.01


def test_without_its_encoding_a_trained_model_nearly_guesses():
    for encoding in ("sinusoidal", "sinusoidal, random starts", "RoPE"):
        removed, whole = load().probes[f"pairs/{encoding}/left, beyond"][[0, -1]]
        assert abs(removed - 1 / 16).max() < 0.03
        assert (whole - removed).min() > 0.15


def test_positions_are_averaged_where_something_is_asked():
    run = load().run("last", "RoPE")
    at, means = averaged(run.accuracy)
    assert at[1] - at[0] == 4
    for seed in range(5):
        for middle, mean in zip(at, means[seed], strict=True):
            first = round(middle - 1.5)
            asked = [
                right / count for right, count in run.counts[:, seed, first : first + 4].T.tolist() if count
            ]
            assert mean == pytest.approx(sum(asked) / len(asked))


def test_the_trained_head_is_nearest_to_its_own_offset():
    learned = load().probes["product/sinusoidal, random starts"]
    assert {int(np.argmax([shift_cosine(matrix, k) for k in range(9)])) for matrix in learned} == {BACK}
    assert shift_cosine(shift_matrix(BACK, 32), BACK) == pytest.approx(1)


# From here on with PyTorch.


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip("torch")


def test_waves_and_turns_are_the_books(torch):
    from wavebook.experiments.model import turn, used_frequencies, waves

    positions = np.arange(20.0)
    omega = used_frequencies(Setting("back", "sinusoidal"))
    made = waves(torch.tensor(positions, dtype=torch.float32), omega).numpy()
    np.testing.assert_allclose(made, positional_encoding(positions, 32), atol=2e-6)
    vectors = np.random.default_rng(0).normal(size=(20, 32))
    turned = turn(torch.tensor(vectors), torch.tensor(positions), omega.double()).numpy()
    np.testing.assert_allclose(turned, apply_rope(vectors, positions), atol=1e-5)
    half = turn(torch.tensor(vectors), torch.tensor(positions), omega[:8].double()).numpy()
    np.testing.assert_array_equal(half[:, 16:], vectors[:, 16:])


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_no_model_sees_what_comes_later(torch, encoding):
    """And models of one batch don't see one another: alone, each says the same."""
    from wavebook.experiments.model import initial, logits

    setting = Setting("back", encoding, layers=2, heads=4)
    parameters = initial(setting, 16, [0, 1])
    tokens = torch.tensor(np.random.default_rng(0).integers(16, size=(2, 3, 12)))
    positions = torch.arange(12.0)[None, None]
    said = logits(setting, parameters, tokens, positions)
    changed = tokens.clone()
    changed[:, :, 8:] = (changed[:, :, 8:] + 1) % 16
    again = logits(setting, parameters, changed, positions)
    torch.testing.assert_close(said[:, :, :8], again[:, :, :8])
    assert not torch.allclose(said[:, :, 8:], again[:, :, 8:])
    alone = {name: value[1:] for name, value in parameters.items()}
    torch.testing.assert_close(logits(setting, alone, tokens[1:], positions), said[1:], atol=1e-5, rtol=1e-5)


def test_a_trial_is_kept_whole_or_not_at_all(torch, tmp_path):
    setting, asked = Setting("back", "RoPE"), []

    def train():
        asked.append(1)
        return {"losses": torch.zeros(2)}

    folder = tmp_path / "cliff"
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):  # in the middle of writing
        stored.keep_one(setting, folder, lambda: {"losses": lambda: 0})
    assert not list(stored.kept([setting], folder))
    assert stored.keep_one(setting, folder, train)
    assert stored.keep_one(setting, folder, train) is None
    assert len(asked) == 1
    other = Setting("back", "PoPE")
    [(thing, result)] = stored.kept([other, setting], folder)
    assert thing == setting
    assert result["losses"].tolist() == [0, 0]
    assert list(folder.iterdir()) == [stored.file_of(setting, folder)]


def test_the_smoke_run_gives_what_was_recorded(torch):
    """Sixty steps, two seeds. Other machines round otherwise, and training magnifies that a little."""
    from wavebook.experiments.record import smoke

    torch.set_num_threads(1)
    again = smoke()
    np.testing.assert_allclose(again["losses"], load().smoke["losses"], atol=0.05)
    np.testing.assert_allclose(again["accuracies"], load().smoke["accuracies"], atol=0.05)
