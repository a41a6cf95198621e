"""What became of each prediction of the plan, and the tables of the page.

A prediction is one condition: "first in half, among three in three quarters" is two.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from wavebook.experiments.smollm2 import load, plan, results
from wavebook.experiments.smollm2.record import RANGES
from wavebook.experiments.smollm2.results import Interval, Moved
from wavebook.models import models


@dataclass(frozen=True)
class Outcome:
    """A prediction of the plan, what was found, and whether it came true."""

    part: str
    said: str
    found: str
    true: bool
    #: What was known of it before the runs: that the pilot had shown it, or that it could hardly fail.
    known: str = ""
    #: The commit that added it to the plan later.
    added: str = ""


#: The commits that added to the plan: while the first runs went on, and when their results were known.
MEANWHILE, AFTERWARD = "f541acb", "2165e0b"
PILOT, CHEAP = "the pilot showed it", "could hardly fail"


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign.

    >>> signed(-0.0114)
    '−0.011'
    """
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def between(one: Interval, digits: int = 3) -> str:
    """A mean with its interval.

    >>> between(Interval(0.1, -0.02, 0.25), 2)
    '+0.10 (−0.02 to +0.25)'
    """
    return f"{signed(one.mean, digits)} ({signed(one.low, digits)} to {signed(one.high, digits)})"


def _name() -> list[Outcome]:
    found, text = results.named(), results.named("text")
    mean, _ = results.shuffled()
    nulls = [mean, found.foreign, found.heads / (plan.END - plan.FAR)]
    in_texts = [results.shuffled_among(32, "look text"), text.foreign, nulls[2]]
    at = [head.name for head in load().heads].index("2.1")
    kinds = dict.fromkeys(each["kind"] for each in load().texts)
    looks = dict(zip(kinds, load().arrays["look kinds"][:, at].tolist(), strict=True))
    return [
        Outcome(
            "name it",
            "first in at least half of the heads",
            f"{found.first} of {found.heads}",
            2 * found.first >= found.heads,
            PILOT,
        ),
        Outcome(
            "name it",
            "among the first three in at least three quarters",
            f"{found.three} of {found.heads}",
            4 * found.three >= 3 * found.heads,
            PILOT,
        ),
        Outcome(
            "name it",
            "shuffled, foreign and random: each right in less than a tenth of the heads",
            f"{nulls[0]:.1f}, {nulls[1]:.1f} and {nulls[2]:.2f} of {found.heads}",
            max(nulls) < found.heads / 10,
            CHEAP,
        ),
        Outcome(
            "name it",
            "in texts in fewer heads, but in more than with each of these",
            "{} of {}, against {:.1f}, {:.1f} and {:.2f}".format(text.first, text.heads, *in_texts),
            max(in_texts) < text.first < found.first,
            PILOT,
        ),
        Outcome(
            "name it",
            "in texts head 2.1 looks 208 back in each of the four kinds",
            "; ".join(f"{kind}: {look}" for kind, look in looks.items()),
            set(looks.values()) == {results.THERE},
        ),
    ]


def _of(moved: Moved, best: int) -> str:
    return f"{moved.first if best == 1 else moved.three} of {moved.cases}"


def _move() -> list[Outcome]:
    scaled, turned = results.scaled(), results.turned()
    own = results.scaled_named()
    return [
        Outcome(
            "move it",
            "all hands times a factor: first in at least a third",
            _of(scaled, 1),
            3 * scaled.first >= scaled.cases,
            "two heads in the pilot",
        ),
        Outcome(
            "move it",
            "and among the first three in at least half",
            _of(scaled, 3),
            2 * scaled.three >= scaled.cases,
        ),
        Outcome(
            "move it",
            "head 2.1 looks at 208 over the factor, give or take one",
            ", ".join(f"{look} ({said})" for _, look, said in own),
            all(abs(look - said) <= 1 for _, look, said in own),
            PILOT,
        ),
        Outcome(
            "move it",
            "one hand turned: where the look is to change, the new one in at least half",
            f"{turned.right} of {turned.cases}",
            2 * turned.right >= turned.cases,
        ),
    ]


def _cause() -> list[Outcome]:
    found, again = results.caused(), results.paired()
    return [
        Outcome(
            "a cause?",
            "in random tokens the excess at 208 is above 0",
            between(found.there, 2),
            found.there.low > 0,
        ),
        Outcome(
            "a cause?",
            "and greater than at 99 % of other offsets",
            f"than at {100 * found.above:.1f} %",
            found.above >= 0.99,
        ),
        Outcome(
            "a cause?",
            "it is gone when head 2.1 is cut: its interval has 0 in it",
            between(found.cut, 2),
            found.cut.low <= 0 <= found.cut.high,
            "nothing was there to be gone",
        ),
        Outcome(
            "a cause?",
            "asked again: what head 2.1 adds at 208 is above 0",
            between(again.there, 2),
            again.there.low > 0,
            added=AFTERWARD,
        ),
        Outcome(
            "a cause?",
            "and greater than at each other offset",
            f"next is {signed(again.rival_does, 2)}, at {again.rival}",
            again.as_great == 0,
            added=AFTERWARD,
        ),
    ]


def _cut() -> list[Outcome]:
    rises = results.rises()
    heads, alike, random = (rises[f"{name} {plan.COMPARED}"] for name in ("heads", "alike", "random"))
    return [
        Outcome(
            "cut it",
            "with 64 tokens the heads cost less than 0.01 nats",
            between(heads),
            heads.mean < 0.01,
            PILOT,
        ),
        Outcome(
            "cut it",
            "the random ones cost more than 0.05",
            between(random),
            random.mean > 0.05,
            PILOT,
        ),
        Outcome(
            "cut it",
            "those alike cost less than the random ones",
            f"{between(alike)} against {signed(random.mean)}",
            alike.mean < random.mean,
        ),
    ]


def _where() -> list[Outcome]:
    own, others = results.medians(range(4))
    greatest = np.concatenate([results.greatest_pairs(name).ravel() for name in ("query", "key")])
    slow = float((greatest >= 16).mean())
    peaks = {name: results.peaks(name) for name in ("query", "key", "value")}
    falls = load().arrays["falls"]
    rested, parted = results.rested(), results.parted()
    most = rested["fastest quarter"].mean
    return [
        Outcome(
            "where?",
            "the fastest four have at least twice as large a part in these heads as in the others",
            f"{own:.3f} and {others:.3f}",
            own >= 2 * others,
            PILOT,
        ),
        Outcome(
            "where?",
            "in more than half of queries and keys the greatest pair is in the slow half",
            f"{(greatest >= 16).sum()} of {greatest.size}",
            slow > 0.5,
            PILOT,
        ),
        Outcome(
            "where?",
            "the greatest over the mean is larger for queries and keys than for values",
            ", ".join(f"{name} {value:.1f}" for name, value in peaks.items()),
            min(peaks["query"], peaks["key"]) > peaks["value"],
        ),
        Outcome(
            "where?",
            "the score falls with distance in most heads",
            f"{(falls < 0).sum()} of {falls.size}",
            bool((falls < 0).mean() > 0.5),
        ),
        Outcome(
            "where?",
            "but with a rank correlation below −0.9 in less than half",
            f"{(falls < -0.9).sum()} of {falls.size}",
            bool((falls < -0.9).mean() < 0.5),
        ),
        Outcome(
            "where?",
            "at rest, the slowest quarter costs least",
            ", ".join(f"{name} {signed(each.mean, 2)}" for name, each in rested.items()),
            min(rested, key=lambda name: rested[name].mean) == "slowest quarter",
            CHEAP,
        ),
        Outcome("where?", "and the fastest quarter more than 1 nat", signed(most, 2), most > 1),
        Outcome(
            "beyond",
            "a gap beyond the trained length costs more than 0.1 nats more than one within it",
            between(parted["beyond"], 2),
            parted["beyond"].mean > 0.1,
            added=MEANWHILE,
        ),
        Outcome(
            "beyond",
            "in the slow pairs alone at least half of that",
            between(parted["slow beyond"], 2),
            parted["slow beyond"].mean >= 0.5 * parted["beyond"].mean,
            added=MEANWHILE,
        ),
        Outcome(
            "beyond",
            "in the others alone less than 0.05",
            between(parted["fast beyond"], 2),
            parted["fast beyond"].mean < 0.05,
            added=MEANWHILE,
        ),
    ]


def _told() -> list[Outcome]:
    whole, unseen = (max(results.told(way).values()) for way in ("whole", "first token unseen"))
    late = [results.told(way)[30] for way in ("whole", "first token unseen")]
    edge = max(value for layer, value in results.told("windows alone").items() if layer <= 4)
    same, first = (float(value) for value in load().arrays["all alike"])
    return [
        Outcome(
            "absolute?",
            "a linear map tells more than half of the position's variance after some layer",
            f"{whole:.2f}",
            whole > 0.5,
        ),
        Outcome(
            "absolute?",
            "less, but more than 0.1, where no other token sees the first",
            f"{unseen:.2f}, of the greatest; after layer 30 more, {late[1]:.2f} against {late[0]:.2f}",
            0.1 < unseen < whole,
        ),
        Outcome(
            "absolute?",
            "nothing with windows of 16 and no first token, up to layer 4 (a check)",
            f"{edge:.2f}",
            edge < 0.05,
            "a check",
        ),
        Outcome(
            "absolute?",
            "all tokens alike: states alike; another first one: not",
            f"apart by {same:.3f} and {first:.3f} of their size",
            same < 0.001 < 0.01 < first,
            "half of it is a theorem",
        ),
    ]


def outcomes() -> list[Outcome]:
    """All predictions of the plan."""
    return [*_name(), *_move(), *_cause(), *_cut(), *_where(), *_told()]


def rows(header: Sequence[str], lines: Iterable[Sequence[str]], align: str = "") -> str:
    """A table in Markdown."""
    marks = {"l": ":--", "r": "--:"}
    rule = [marks[letter] for letter in align or "l" * len(header)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *lines))


def failed() -> str:
    """The predictions that did not come true, then all others, folded."""
    header = ("part", "predicted", "found", "known before")
    every = outcomes()
    wrong, right = ([one for one in every if one.true is true] for true in (False, True))
    first, second = (
        rows(header, [(one.part, one.said, one.found, one.known) for one in some]) for some in (wrong, right)
    )
    title = f"The {len(right)} that came true, of {len(every)}"
    return f"{first}\n\n{folded(title, second)}"


def heads() -> str:
    """Each head: where it looks, near and far, and what the formula says."""
    arrays, said = load().arrays, results.formula()
    ranks, text = results.named().ranks, results.named("text").ranks
    weights = arrays["random heads"]
    lines = [
        (
            head.name,
            str(head.near),
            f"{head.weight:.2f}",
            f"**{arrays['look'][at]}**",
            f"{100 * weights[at, arrays['look'][at]]:.2g}",
            ", ".join(map(str, said[at])),
            str(ranks[at]),
            f"{arrays['look text'][at]} ({text[at]})",
        )
        for at, head in enumerate(load().heads)
    ]
    header = (
        "head",
        "near",
        "weight",
        "looks at",
        "weight, %",
        "the formula says",
        "rank",
        "in texts (rank)",
    )
    return rows(header, lines, "lrrrrlrr")


def folded(title: str, table: str) -> str:
    """A table in a fold."""
    return f":::{{dropdown}} {title}\n{table}\n:::"


def by_position() -> str:
    """The rise of the loss in each range of positions, by what is cut."""
    lines = [
        (name, *(signed(value) for value in results.rises_by_range(name)))
        for name in load().names["cut"]
        if name != "none"
    ]
    ranges = [f"{start:,} to {stop - 1:,}" for start, stop in RANGES]
    return rows(("heads and window", *ranges), lines, "l" + "r" * len(ranges))


def by_kind() -> str:
    """The rise of the loss by kind of text and what is cut, and how much less ours is than those alike."""
    kinds = list(dict.fromkeys(text["kind"] for text in load().texts))
    losses = load().losses("cut")
    names = [f"{name} {plan.COMPARED}" for name in ("heads", "alike", "random")]
    rises = {name: losses[name] - losses["none"] for name in names}
    rises["heads less alike"] = rises[names[0]] - rises[names[1]]
    lines = [(name, *map(signed, results.means_by_kind(values))) for name, values in rises.items()]
    return rows(("heads and window", *kinds), lines, "l" + "r" * len(kinds))


def told() -> str:
    """How much of a position a linear map of the states tells, by layer."""
    asked = load().names["asked"]
    lines = [
        (way, *(signed(value, 2).removeprefix("+") for value in results.told(way).values()))
        for way in load().names["ways"]
    ]
    return rows(("after layer", *map(str, asked)), lines, "l" + "r" * len(asked))


#: Of the models of the book's table, those whose returns are told: all entries of their heads turn.
OTHERS = ("LLaMA", "Llama 3.1 8B", "Qwen3-8B", "gpt-oss-20b")
#: How many of the fastest hands.
FASTEST = (2, 4, 8)


def other_models() -> str:
    """Near returns of the fastest hands in other models, from their configurations."""
    lines = []
    for model in models():
        if model.name not in OTHERS:
            continue
        (kind,) = model.kinds.values()
        assert isinstance(model.trained, int)
        omega = kind.base ** (-np.arange(0, kind.rotary_dim, 2) / kind.rotary_dim)
        cells = []
        for many in FASTEST:
            best, mean, later = results.nearest_return(omega, many, model.trained)
            beyond = f"{later:,}" if later else "none"
            cells.append(f"{best:,} ({np.floor(1e4 * mean) / 1e4:.4f}); {beyond}")
        lines.append((model.name, f"{kind.base:,.0f}", f"{model.trained:,}", *cells))
    return rows(("model", "base", "trained", *(f"{many} hands" for many in FASTEST)), lines, "lrrrrr")


def compared() -> dict[str, dict[str, float | str]]:
    """How our tokens and logits compare with those of other programs, as ``oracle.py`` wrote it."""
    read: dict[str, dict[str, float | str]] = json.loads(
        files("wavebook.experiments.smollm2").joinpath("oracle.json").read_text()
    )
    return read
