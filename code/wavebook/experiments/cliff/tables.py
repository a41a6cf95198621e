"""The trials side by side: the table of rules that the page shows, and the files that it links to.

Everything is counted over seeds that learned the task, unless a column says otherwise, and no trial that was
run is left out of :func:`trials`. `wavebook.files` makes files of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments import load as every_setting
from wavebook.experiments.cliff import NONE, Run, by_hands, expected_break, load, own_head, own_rival
from wavebook.experiments.markdown import table
from wavebook.experiments.setting import COPY_LENGTHS, Setting

RATES = (0.03, 0.01)
#: Of the six difference sets with a period beyond the trained length that have room in 32 entries.
ORDERS = (5, 7, 8, 9, 11, 13)
SCALES = (0.8, 0.85, 0.9, 0.95, 1.0, 1.05, 1.1, 1.2, 1.3)
#: How many of the fastest hands a rule looks at; None is all of them.
HANDS = (1, 2, 3, None)

Runs = Sequence[Run]


def run_of(spectrum: str = "geometric", *, task: str = "back", encoding: str = "RoPE", **changes: Any) -> Run:
    """The run of a spectrum, with the usual task, encoding and rate if nothing else is said."""
    return load().run(task, encoding, spectrum=spectrum, **changes)


def usual(spectrum: str = "geometric", **changes: Any) -> list[Run]:
    """The same at both rates."""
    return [run_of(spectrum, rate=rate, **changes) for rate in RATES]


def all_sets(kind: str = "difference set {}") -> list[Run]:
    """The six difference sets, or another spectrum on the grid of each, at both rates."""
    return [run for q in ORDERS for run in usual(kind.format(q))]


def residues() -> list[Run]:
    """The random residues, all draws."""
    return [run for draw in range(5) for run in all_sets(f"random residues {{}} {draw}")]


def moved() -> list[Run]:
    """Multiples of some sets, shifted, all draws."""
    return [run for q in (7, 8, 11) for n in range(3) for run in usual(f"moved set {q} {n}")]


def groups() -> dict[str, Runs]:
    """What the rules are tried on: one layer, one head, $d = 32$, trained on 32 tokens, both rates."""
    return {
        "geometric, $k = 3$": usual(),
        "geometric, $k = 1, 2, 5, 8$": [run for k in (1, 2, 5, 8) for run in usual(back=k)],
        "geometric times $0.8$ to $1.3$": [run for c in SCALES if c != 1 for run in usual(scale=c)],
        "geometric, bases $10$ to $10^6$": [run for b in (10.0, 32.0, 100.0, 1e6) for run in usual(base=b)],
        "six difference sets": all_sets(),
        "random residues, same $N$": residues(),
        "ten random spectra": [run for draw in range(10) for run in usual(f"random {draw}")],
    }


def further() -> dict[str, Runs]:
    """Other sizes and lengths, where the rule by two hands was not made."""
    return {
        "trained on $16$": usual(trained=16),
        "trained on $64$": usual(trained=64),
        "trained for $2{,}000$ steps": usual(steps=2000),
        "$d = 64$": usual(d_model=64),
        "two heads of $16$": usual(heads=2),
        "two layers of two heads of $32$": [run_of(**LARGER)],
        "two layers of four heads of $8$": [run_of(layers=2, heads=4, rate=0.01)],
    }


def count(runs: Iterable[Run], right: Callable[[Run], NDArray[np.bool_]]) -> int:
    """Of the seeds that learned the task: for how many something is right."""
    return sum(int((run.trained & right(run)).sum()) for run in runs)


def learned(runs: Iterable[Run]) -> int:
    """How many seeds learned the task."""
    return sum(int(run.trained.sum()) for run in runs)


def seeds(runs: Iterable[Run]) -> int:
    """How many there are."""
    return sum(len(run.seeds) for run in runs)


class AtPeriod(NamedTuple):
    """Of the seeds that learned the task: for how many something is at k + N."""

    learned: int
    #: The first accuracy below 0.9.
    breaks: int
    #: The largest fall from one position to the next.
    drops: int
    #: The token that wrong answers come from.
    answers: int


def at_period(runs: Runs) -> AtPeriod:
    """What is at the period of the grid, and in how many seeds."""
    return AtPeriod(
        learned(runs),
        count(runs, lambda run: run.breaks == expected_break(run)),
        count(runs, lambda run: run.drops == expected_break(run)),
        count(runs, lambda run: run.favorites == expected_break(run)),
    )


class Named(NamedTuple):
    """Of the seeds that learned the task: in how many a rule names where wrong answers come from."""

    learned: int
    #: Two hands, by the fraction of those wrong answers that could be it.
    hands: int
    #: Two hands, by plain count of wrong answers.
    plain: int
    #: The head itself, by fraction; None where it was not read.
    head: int | None


def _offset(run: Run, plain: bool) -> NDArray[np.int64]:
    """Where wrong answers come from, seed by seed: by plain count, or by the fraction that could be it."""
    return run.counted if plain else run.favorites


def by_rule(runs: Runs, hands: int | None = 2, *, best: int = 1, plain: bool = False) -> int:
    """In how many seeds the fastest `hands`, or all, have that offset among the `best` they name first."""
    return count(runs, lambda run: np.isin(_offset(run, plain), by_hands(run, hands)[:best]))


def by_head(runs: Runs, *, plain: bool = False) -> int | None:
    """In how many seeds the head itself names it; None where it was not read."""
    if any(run.beats is None for run in runs):
        return None
    return count(runs, lambda run: own_rival(run) == _offset(run, plain))


def named(runs: Runs) -> Named:
    """How often two hands, and the head itself, name where wrong answers come from."""
    return Named(learned(runs), by_rule(runs), by_rule(runs, plain=True), by_head(runs))


def _rules(runs: Runs, *, best: int = 1, plain: bool = False) -> list[int | None]:
    """In how many seeds each rule names the offset; of the head also its break; None: it was not read."""
    row: list[int | None] = [by_rule(runs, hands, best=best, plain=plain) for hands in HANDS]
    head = by_head(runs, plain=plain) if best == 1 else None
    breaks = None if head is None else count(runs, lambda run: own_head(run) == run.breaks)
    return [*row, head, breaks]


def rules() -> str:
    """How often each rule names the offset that most wrong answers come from, by fraction, in Markdown."""
    rows = []
    for name, runs in groups().items():
        found = ["–" if value is None else str(value) for value in _rules(runs)]
        rows.append([name, f"{learned(runs)} of {seeds(runs)}", *found])
    heads = ["runs", "learned it", "one hand", "two", "three", "all", "the head", "its break"]
    return table(heads, rows)


#: A row of a file.
Row = Sequence[str | int | float | None]


def every_rule() -> list[Row]:
    """Each rule in numbers: by fraction, by plain count, and among the first three that it names."""
    rows: list[Row] = [
        ["counted", "runs", "seeds", "learned", "one hand", "two", "three", "all", "the head", "its break"]
    ]
    ways: dict[str, dict[str, Any]] = {
        "by fraction": {},
        "by plain count": {"plain": True},
        "by fraction, among the first three": {"best": 3},
    }
    for way, changes in ways.items():
        for name, runs in (groups() | further()).items():
            rows.append([way, plain(name), seeds(runs), learned(runs), *_rules(runs, **changes)])
    return rows


def on_the_grid() -> list[Row]:
    """Each difference set beside its multiples and random residues modulo the same N.

    How many of the seeds that learned the task break at 3 + N, and how accurate they are before.
    """
    rows: list[Row] = [["N", "residues", "learned", "break at 3 + N", "before, mean", "before, worst"]]
    kinds = {"difference set": all_sets(), "multiples of it": moved(), "random": residues()}
    for q in ORDERS:
        for kind, all_runs in kinds.items():
            runs = [run for run in all_runs if run.setting.period == q * q + q + 1]
            if runs:
                known, first, *_ = at_period(runs)
                right = np.concatenate([run.over(32, expected_break(run))[run.trained] for run in runs])
                rows.append([q * q + q + 1, kind, known, first, *_rounded(right.mean(), right.min())])
    return rows


def seed_by_seed() -> list[Row]:
    """Each seed of the geometric spectrum: where it breaks, and where its wrong answers come from.

    By fraction: of the wrong answers that have a token at this offset, how many are it; by count: how many of
    all wrong answers.
    """
    rows: list[Row] = [
        ["rate", "seed", "right at 47", "break", "largest drop"]
        + [f"{way}{part}" for way in ("by fraction", "by count") for part in ("", ", answers", ", of")]
    ]
    for run in usual():
        for n, seed in enumerate(run.seeds):
            found = [int(run.favorites[n]), int(run.counted[n])]
            out_of = [int(run.possible[n, found[0]]), int(run.possible[n, 0])]
            places = [
                part
                for offset, total in zip(found, out_of, strict=True)
                for part in (offset, int(run.wrong[n, offset]), total)
            ]
            first = _rounded(run.accuracy[n, 47])
            rows.append([run.trial.rate, seed, *first, _place(run.breaks[n]), int(run.drops[n]), *places])
    return rows


#: Two layers of two heads, at the one rate that they were trained with.
LARGER: dict[str, Any] = {"layers": 2, "heads": 2, "d_model": 64, "steps": 600, "rate": 0.01}
STARTS = "sinusoidal, random starts"


#: The tasks and encodings that a spectrum was tried with.
ASKED: dict[str, dict[str, Any]] = {
    "three back": {},
    "last letter": {"task": "last"},
    "mark nearby": {"task": "near"},
    "three back, added, random starts": {"encoding": STARTS},
    "three back, added": {"encoding": "sinusoidal"},
    "three back, two layers of two heads": LARGER,
    "last letter, two layers of two heads": LARGER | {"task": "last"},
    "mark nearby, two layers of two heads": LARGER | {"task": "near"},
}


def tasks() -> list[Row]:
    """Accuracy of all seeds just past the trained length, and further, by task and spectrum."""
    rows: list[Row] = [["task", "rate", "spectrum", "right at 32 to 63", "at 64 to 127"]]
    for name, changes in ASKED.items():
        for rate in (LARGER["rate"],) if "layers" in changes else RATES:
            for spectrum in ("geometric", "difference set 8", "difference set 13"):
                try:
                    run = run_of(spectrum, **changes | {"rate": rate})
                except ValueError:
                    continue
                right = _rounded(run.over(32, 64).mean(), run.over(64, 128).mean())
                rows.append([name, rate, spectrum_in_words(run.setting), *right])
    return rows


def encodings() -> list[Row]:
    """All settings of the earlier run, nine encodings on four tasks: the means of all seeds."""
    rows: list[Row] = [
        ["setting", "rate", "seeds", "right within the trained length", "up to twice that", "further"]
    ]
    for run in every_setting().runs.values():
        trained = run.setting.trained
        copied = run.setting.task == "copy"
        asked = np.array(COPY_LENGTHS) if copied else 1 + np.arange(run.setting.tested)
        within, twice = asked <= trained, asked <= 2 * trained
        right = [run.accuracy[:, part] for part in (within, twice & ~within, ~twice)]
        means = _rounded(*(part[np.isfinite(part)].mean() for part in right))
        rows.append([run.setting.name, run.rate, len(run.accuracy), *means])
    return rows


def _place(position: int) -> str | int:
    return "none" if position == NONE else int(position)


def _rounded(*values: float) -> list[float]:
    """To three decimals. A mean may be off in its last bits, which must not decide where it is halfway."""
    return [round(round(float(value), 9), 3) for value in values]


def plain(text: str) -> str:
    """A name without the marks of formulas."""
    return text.replace("$", "").replace("{,}", "")


def _most(values: Iterable[int]) -> list[str | int | None]:
    """The most frequent value, and how often."""
    found = Counter(int(value) for value in values).most_common(1)
    return [_place(found[0][0]), found[0][1]] if found else [None, None]


def spectrum_in_words(setting: Setting) -> str:
    """Which frequencies a trial has, without the seed of what is drawn."""
    if setting.period is not None:
        which = {"random": ", random residues", "moved": ", multiples"}
        return f"N = {setting.period}" + which.get(setting.spectrum.split()[0], "")
    return "random" if setting.spectrum.startswith("random") else setting.spectrum


def described(setting: Setting) -> str:
    """A setting in words, without the seed of what is drawn."""
    usual_one = Setting(setting.task, setting.encoding)
    task = {"back": f"{setting.back} back", "last": "last letter", "near": "mark nearby", "fixed": "fixed"}
    parts = [task[setting.task], spectrum_in_words(setting)]
    if setting.encoding != "RoPE":
        parts.append("added, random starts" if setting.random else "added")
    words = {
        "scale": "times {}",
        "base": "base {:.0f}",
        "trained": "trained on {}",
        "steps": "{} steps",
        "d_model": "d = {}",
        "layers": "{} layers",
        "heads": "{} heads",
    }
    for field, text in words.items():
        if getattr(setting, field) != getattr(usual_one, field):
            parts.append(text.format(getattr(setting, field)))
    return ", ".join(parts)


def trials() -> list[Row]:
    """All trials, those that differ by a draw in one row: the most frequent places, and in how many seeds."""
    found: dict[tuple[str, float], list[Run]] = {}
    for run in load().runs.values():
        found.setdefault((described(run.setting), run.trial.rate), []).append(run)
    places = ("break", "largest drop", "by fraction", "by count")
    rows: list[Row] = [
        ["trial", "draws", "rate", "seeds", "learned"]
        + [f"{place}{part}" for place in places for part in ("", ", in seeds")]
        + ["two hands", "right beyond the trained length"]
    ]
    for (name, rate), runs in found.items():
        setting = runs[0].setting
        of_learned = [(run, n) for run in runs for n in np.flatnonzero(run.trained)]
        back = setting.task == "back"
        beyond = np.mean([run.over(setting.trained, setting.tested).mean() for run in runs])
        row: list[str | int | float | None] = [name, len(runs), rate, seeds(runs), learned(runs)]
        row += _most(run.breaks[n] for run, n in of_learned)
        row += _most(run.drops[n] for run, n in of_learned)
        row += _most(run.favorites[n] for run, n in of_learned if back)
        row += _most(run.counted[n] for run, n in of_learned if back)
        row += [int(by_hands(runs[0], 2)[0]) if back and len(runs) == 1 else None, *_rounded(beyond)]
        rows.append(row)
    return rows
