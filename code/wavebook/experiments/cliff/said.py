"""What the note on token 47 and its chapter say of the trials: numbers by their names on the page.

What the sentences say in words is asserted beside them.
"""

from __future__ import annotations

import numpy as np

from posenc import similarity
from wavebook.choices import difference_set, difference_set_frequencies
from wavebook.experiments import ENCODINGS
from wavebook.experiments import load as load_first
from wavebook.experiments.cliff import BELOW, TRAINED, load, tables, two_hands
from wavebook.experiments.cliff.tables import RATES, run_of, usual
from wavebook.experiments.counts import Counted
from wavebook.say import at_least, at_most, percent

#: Residues modulo 73 whose greatest sum of cosines is smaller than that of the difference set.
LOWER = (3, 9, 10, 11, 16, 18, 23, 33, 35)
#: The orders of the sets that the note compares with the usual frequencies: short and long periods.
SHORT, LONG, LAST = 8, 11, 13
#: Takes the marks of formulas away.
_PLAIN = str.maketrans("", "", "${}")
#: The usual frequencies, trained twice, and the seeds that both times have.
_TWICE, _FIVE = (load_first().run("back", "RoPE"), run_of()), slice(5)

Said = dict[str, object]


def _turns(steps: int, pair: int = 0) -> str:
    return f"{steps * run_of().omega[pair] / (2 * np.pi):.3f}"


def _of(one: tables.Named) -> str:
    return f"{one.hands} of {one.learned}"


def recorded() -> Said:
    """What was run, when and where: of both pages, as the next."""
    about = load().about
    return dict(
        trials=len(load().runs), rate=RATES[0], lower_rate=RATES[1],
        **{f"about_{name}": about[name] for name in ("date", "machine", "torch")},
        about_minutes=f"{float(about['minutes']):.0f}",
    )  # fmt: skip


def first_break() -> Said:
    """Where the usual frequencies break, and with which token."""
    run = run_of()
    at, mean = run.mean_break, run.mean
    assert mean[3:32].min() == 1, "all are right"
    assert run.origins is not None
    right, asked = run.counts.astype(int).sum(1)[:, at]
    back = at - run.setting.back
    turned = np.cos(np.outer(np.arange(at), run.omega[:2])).sum(1)
    assert turned[back] > turned[1:32].max(), "more nearly than after any distance in training"
    return dict(
        broken=at, up_to=at - 1, back=back, turns=_turns(back), second_turns=_turns(back, 1),
        before=at_least(100 * mean[3:at].min()), after=percent(mean[at]), seeds=len(run.seeds),
        at_once=(run.breaks == at).sum(), blamed=run.origins[at, at], mistakes=asked - right,
    )  # fmt: skip


def training() -> Said:
    """How the models were trained and tested."""
    one = run_of().setting
    return dict(
        trained=one.trained, longest=one.trained - 1, tested=one.tested, end=one.tested - 1, k=one.back,
        steps=one.steps, batch=one.batch, sequences=run_of().counts[1, 0, -1], level=f"{100 * BELOW:.0f}",
        enough=f"{100 * TRAINED:.0f}",
        largest_head=max(run.setting.d_model // run.setting.heads for run in load().runs.values()),
    )  # fmt: skip


def seeds_apart() -> Said:
    """How its seeds differ, and what their heads weigh."""
    run = run_of()
    assert run.head is not None
    assert run.weights is not None
    at, late, amplitudes = run.mean_break, two_hands(run)[1], np.abs(run.head)
    steps, fastest = at - run.setting.back, amplitudes[:, :2].sum(1) / amplitudes.sum(1)
    return dict(
        elsewhere=", ".join(map(str, sorted(run.breaks[run.breaks != at]))), late=late,
        dots_near=(run.favorites == at).sum(), dots_late=(run.favorites == late).sum(),
        pi_about=f"{steps // 2}/{round(steps * run.omega[0] / (2 * np.pi))}",
        weight=percent(run.weights.mean(0)[at, at]), fastest_least=percent(fastest.min()),
        fastest_most=percent(fastest.max()),
    )  # fmt: skip


def trained_twice() -> Said:
    """What the first seeds have, trained with one model at a time and with more, which rounds otherwise."""
    assert _TWICE[0].setting == _TWICE[1].setting, "one model"
    first, then = (percent(run.over(64, 128)[_FIVE].mean()) for run in _TWICE)
    return dict(twice_first=first, twice_then=then)


def moved_seeds() -> Said:
    """Where these seeds broke, the first time and the second."""
    right, asked = np.stack([run.counts[:, _FIVE].astype(int) for run in _TWICE], axis=1)[..., 32:]
    at, mean = run_of().mean_break, right.sum(1) / asked.sum(1)
    assert (32 + (mean < BELOW).argmax(1) == at).all(), "the mean broke there both times"
    first, then = 32 + (right / asked < BELOW).argmax(2)
    return dict(
        seeds_twice=len(first), twice_moved=(first != then).sum(), breaks_first=", ".join(map(str, first)),
        breaks_then=", ".join(map(str, then)),
        **dict(zip(("broken_first", "broken_then"), map(percent, mean[:, at - 32].tolist()), strict=True)),
    )  # fmt: skip


def asked_and_scaled() -> Said:
    """How often the rule holds where another token is asked for, and where all hands turn otherwise."""
    back = run_of().mean_break - run_of().setting.back
    asked = [(k + back, run) for k in (1, 2, 3, 5, 8) for run in usual(back=k)]
    mean = [32 + (run.accuracy[run.trained].mean(0)[32:] < BELOW).argmax() == at for at, run in asked]
    each = sum(int((run.breaks[run.trained] == at).sum()) for at, run in asked)
    assert sum(mean) > len(mean) / 2, "mostly"
    runs = tables.groups()["geometric times $0.8$ to $1.3$"]
    moved = tables.named(runs)
    assert 0.45 < moved.hands / moved.learned < 0.55, "about half"
    return dict(
        follows=f"{sum(mean)} of {len(mean)}", moved_first=moved.hands, moved_learned=moved.learned,
        follows_each=f"{each} of {tables.learned(run for _, run in asked)}",
        moved_three=tables.by_rule(runs, best=3),
    )  # fmt: skip


def sets_and_grid() -> Said:
    """How often the break and the misleading token are at the period, of sets and of random residues."""
    sets, grid = tables.at_period(tables.all_sets()), tables.at_period(tables.residues())
    assert sets.answers == sets.drops == sets.learned, "in each"
    others, ours = 2 * np.pi * np.array(LOWER) / 73, difference_set_frequencies(18, SHORT)
    lower, usual_sum = (similarity(np.arange(1, 73), omega=omega).max() for omega in (others, ours))
    assert lower < usual_sum
    assert not any(tables.learned(usual(f"difference set {q}")) for q in (3, 4)), "no seed of smaller sets"
    share = "{}\N{NO-BREAK SPACE}%".format
    return dict(
        there_both=f"{sets.answers} of {sets.learned}", grid_share=share(percent(grid.breaks / grid.learned)),
        others_sum=at_most(lower, 2), set_share=share(percent(sets.breaks / sets.learned)),
        set_sum=f"{usual_sum:.2f}", others=", ".join(map(str, LOWER)),
    )  # fmt: skip


def chosen() -> Said:
    """The sets that the note names, and how far they hold."""
    draws = [tables.at_period(usual(f"random residues {min(tables.ORDERS)} {draw}")) for draw in range(5)]
    assert all(one.breaks == one.learned for one in draws), "for the smallest N the set is no better"
    assert not run_of(f"difference set {LAST}").trained.all(), "the last row draws one that has not learned"
    grid = tables.at_period(tables.residues())
    short, long, last = (q**2 + q + 1 for q in (SHORT, LONG, LAST))
    randoms = np.stack([run_of(f"random {draw}").over(32, 128) for draw in range(10)]).mean()
    far_set, far = (run_of(name).over(32, 128).mean() for name in (f"difference set {LONG}", "geometric"))
    return dict(
        residues=", ".join(map(str, difference_set(SHORT))), choose_period=short, long_period=long,
        last_period=last, far_set=percent(far_set), far_geometric=percent(far), far_random=percent(randoms),
        grid_there=grid.answers, grid_learned=grid.learned,
    )  # fmt: skip


def away_from_the_grid() -> Said:
    """How often two hands, and the head, name the offset that misleads where no hands return exactly."""
    trials = tables.groups().items()
    runs = [run for name, group in trials if "sets" not in name and "residues" not in name for run in group]
    return dict(
        head_offset=tables.by_head(runs), hands_offset=f"{tables.by_rule(runs)} of {tables.learned(runs)}"
    )


def where_the_rule_fails() -> Said:
    """How often the rule names the offset that misleads, with other hands, sizes and counts."""
    ours = {name: tables.named(runs) for name, runs in tables.groups().items()}
    sizes = {name: tables.named(runs) for name, runs in tables.further().items()}
    assert all(one.head is not None and one.head >= one.hands for one in ours.values()), "the head, as often"
    (short_break,) = {run.mean_break for run in usual(trained=16)}
    near, drawn, run = ours["geometric, $k = 3$"], tables.groups()["ten random spectra"], run_of()
    count, fraction = run.counted[0], run.favorites[0]
    of_count, of_fraction = (f"{run.wrong[0, n]:,} of {run.possible[0, n]:,}" for n in (count, fraction))
    return dict(
        near=_of(near), near_plain=near.plain, bases=_of(ours["geometric, bases $10$ to $10^6$"]),
        wide=_of(sizes["$d = 64$"]), short_break=short_break,
        by_size="; ".join(f"{name}, {_of(one)}" for name, one in sizes.items()).translate(_PLAIN),
        by_count=count, by_count_of=of_count, by_fraction=fraction, by_fraction_of=of_fraction,
        later_back=fraction - run.setting.back, later_turns=_turns(fraction - run.setting.back),
        all_drawn=f"{tables.by_rule(drawn, None)} of {tables.learned(drawn)}",
    )  # fmt: skip


def costs() -> Said:
    """Right answers on other tasks, and with added encodings, from twice the trained length on."""
    found: Said = {}
    spectra = ("geometric", f"difference set {SHORT}", f"difference set {LAST}")
    for task, name in (("last", "last"), ("near", "nearby")):
        for rate, suffix in zip(RATES, ("", "_lower"), strict=True):
            right = [run_of(one, task=task, rate=rate).over(64, 128) for one in spectra]
            assert task == "last" or suffix or np.mean(right, axis=1).max() < 0.62, "guessing has half"
            found |= {f"{name}{suffix}_{n}": percent(one.mean()) for n, one in enumerate(right)}
            if task == "last" and not suffix:
                lost = right[0] - right[2]
    added = [run_of(one, encoding="sinusoidal").over(32, 64).mean() for one in spectra[:2]]
    starts = tables.at_period(usual(spectra[1], encoding=tables.STARTS))
    return found | dict(
        lost_errors=f"{lost.mean() / (lost.std(ddof=1) / np.sqrt(len(lost))):.1f}",
        added_geometric=percent(added[0]), added_set=percent(added[1]),
        starts_there=f"{starts.answers} of {starts.learned}",
    )  # fmt: skip


#: The parts of a sequence that the chapter compares: within the trained length, just beyond it, and far.
STRETCHES = {"within $L$": (3, 32), "next eight": (32, 40), "from $2L$": (64, 128)}
HALF = "RoPE, half of each head"


def nine() -> dict[str, Counted]:
    """The encodings, asked for the token three back: as trained for the note, or as in the earlier run."""
    again = {name: run_of(encoding=name) for name in ("RoPE", "sinusoidal", tables.STARTS)}
    return {name: again.get(name) or load_first().run("back", name) for name in ENCODINGS}


def other_encodings() -> Said:
    """How far these get, in larger models and on another task too, and when the earlier run was."""
    first, runs, (within, soon, far) = load_first(), nine(), STRETCHES.values()
    means = {name: percent(run.over(*far).mean()) for name, run in runs.items()}
    larger = [first.run("back", name, layers=2, heads=4, steps=300) for name in ("RoPE", HALF)]
    guessed, larger_half = (run.over(64, 128).mean() for run in larger)
    assert abs(guessed - 1 / 16) < 0.01, "it guesses"
    fixed = [percent(first.run("fixed", name).over(*within).mean()) for name in (tables.STARTS, "sinusoidal")]
    return dict(
        starts_far=means[tables.STARTS], waves_far=means["sinusoidal"], rope_far=means["RoPE"],
        half_far=means[HALF], larger_half=percent(larger_half), runs=len(first.runs), fixed_starts=fixed[0],
        fixed_plain=fixed[1], date=first.about["date"],
        waves_next=percent(runs["sinusoidal"].over(*soon).mean()),
        half_not=f"{(runs[HALF].over(*within) < TRAINED).sum()} of {len(runs[HALF].accuracy)}",
        middle_far=percent(run_of(**tables.LARGER).over(64, 128).mean()),
        minutes=f"{sum(run.seconds for run in first.runs.values()) / 60:.0f}",
    )  # fmt: skip
