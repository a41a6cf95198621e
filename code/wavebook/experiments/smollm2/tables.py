"""What became of each prediction of the plan, and the tables of the page.

Most predictions are one condition: "first in half, among three in three quarters" is two. Some have "each".
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from wavebook.experiments.markdown import folded, table
from wavebook.experiments.smollm2 import load, plan, results
from wavebook.experiments.smollm2.longer import LENGTH as TWICE
from wavebook.experiments.smollm2.record import RANGES
from wavebook.experiments.smollm2.results import Interval, Moved
from wavebook.experiments.smollm2.texts import LENGTH
from wavebook.models import models


@dataclass(frozen=True)
class Outcome:
    """A prediction of the plan, what was found, and whether it came true (None: undecided)."""

    part: str
    said: str
    found: str
    true: bool | None
    #: What was known of it before the runs: that the pilot had shown it, or that it could hardly fail.
    known: str = ""
    #: The commit that added it to the plan later.
    added: str = ""


#: The commits that added to the plan: while the first runs went on, and twice when their results were known.
MEANWHILE, AFTERWARD, LONGER = "f541acb", "2165e0b", "adec839"
LATER = {"meanwhile": MEANWHILE, "afterward": AFTERWARD, "longer": LONGER}
#: What was found of predictions, by their ids, and whether they came true.
Found = dict[str, tuple[str, bool | None]]


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign.

    >>> signed(-0.0114)
    '−0.011'
    """
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")


def plain(value: float) -> str:
    """A number with one decimal, and no sign of a zero.

    >>> plain(-0.04), plain(-1.26)
    ('0.0', '−1.3')
    """
    return f"{value:z.1f}".replace("-", "\N{MINUS SIGN}")


def between(one: Interval, digits: int = 3) -> str:
    r"""A mean with its interval, in whose brackets no line ends.

    >>> between(Interval(0.1, -0.02, 0.25), 2)
    '+0.10 (−0.02\xa0to\xa0+0.25)'
    """
    low, high = (signed(end, digits) for end in (one.low, one.high))
    return f"{signed(one.mean, digits)} ({low}\N{NO-BREAK SPACE}to\N{NO-BREAK SPACE}{high})"


def _name() -> Found:
    found, text = results.named(), results.named("text")
    mean, _ = results.shuffled()
    nulls = [mean, found.foreign, found.heads / (plan.END - plan.FAR)]
    in_texts = [results.shuffled_among(32, "look text"), text.foreign, nulls[2]]
    at = [head.name for head in load().heads].index("2.1")
    kinds = dict.fromkeys(each["kind"] for each in load().texts)
    looks = dict(zip(kinds, load().arrays["look kinds"][:, at].tolist(), strict=True))
    return {
        "first": (f"{found.first} of {found.heads}", 2 * found.first >= found.heads),
        "three": (f"{found.three} of {found.heads}", 4 * found.three >= 3 * found.heads),
        "nulls": (
            f"{nulls[0]:.1f}, {nulls[1]:.1f} and {nulls[2]:.2f} of {found.heads}",
            max(nulls) < found.heads / 10,
        ),
        "texts": (
            "{} of {}, against {:.1f}, {:.1f} and {:.2f}".format(text.first, text.heads, *in_texts),
            max(in_texts) < text.first < found.first,
        ),
        "kinds": (
            "; ".join(f"{kind}: {look}" for kind, look in looks.items()),
            set(looks.values()) == {results.THERE},
        ),
    }


def _of(moved: Moved, best: int) -> str:
    return f"{moved.first if best == 1 else moved.three} of {moved.cases}"


def _move() -> Found:
    scaled, turned = results.scaled(), results.turned()
    own = results.scaled_named()
    return {
        "scaled first": (_of(scaled, 1), 3 * scaled.first >= scaled.cases),
        "scaled three": (_of(scaled, 3), 2 * scaled.three >= scaled.cases),
        "scaled head 2.1": (
            ", ".join(f"{look} ({said})" for _, look, said in own),
            all(abs(look - said) <= 1 for _, look, said in own),
        ),
        "turned": (f"{turned.right} of {turned.cases}", 2 * turned.right >= turned.cases),
    }


def _cause() -> Found:
    found, again = results.caused(), results.paired()
    return {
        "caused": (between(found.there, 2), found.there.low > 0),
        "caused more": (f"than at {100 * found.above:.1f} %", found.above >= 0.99),
        "caused by the head": (between(found.cut, 2), found.cut.low <= 0 <= found.cut.high),
        "caused again": (between(again.there, 2), again.there.low > 0),
        "caused again, more": (
            f"next is {signed(again.rival_does, 2)}, at {again.rival}",
            again.as_great == 0,
        ),
    }


def _cut() -> Found:
    rises = results.rises()
    heads, alike, random = (rises[f"{name} {plan.COMPARED}"] for name in ("heads", "alike", "random"))
    return {
        "heads": (between(heads), heads.mean < 0.01),
        "random": (between(random), random.mean > 0.05),
        "alike": (f"{between(alike)} against {signed(random.mean)}", alike.mean < random.mean),
    }


def _where() -> Found:
    own, others = results.medians(range(4))
    greatest = np.concatenate([results.greatest_pairs(name).ravel() for name in ("query", "key")])
    slow = greatest >= 16
    peaks = {name: results.peaks(name) for name in ("query", "key", "value")}
    falls = load().arrays["falls"]
    rested, parted = results.rested(), results.parted()
    most = rested["fastest quarter"].mean
    return {
        "fast part": (f"{own:.3f} and {others:.3f}", own >= 2 * others),
        "slow pair": (f"{slow.sum()} of {slow.size}", bool(slow.mean() > 0.5)),
        "peaks": (
            ", ".join(f"{name} {value:.1f}" for name, value in peaks.items()),
            min(peaks["query"], peaks["key"]) > peaks["value"],
        ),
        "falls": (f"{(falls < 0).sum()} of {falls.size}", bool((falls < 0).mean() > 0.5)),
        "falls alone": (f"{(falls < -0.9).sum()} of {falls.size}", bool((falls < -0.9).mean() < 0.5)),
        "rested slow": (
            ", ".join(f"{name} {signed(each.mean, 2)}" for name, each in rested.items()),
            min(rested, key=lambda name: rested[name].mean) == "slowest quarter",
        ),
        "rested fast": (signed(most, 2), most > 1),
        "beyond": (between(parted["beyond"], 2), parted["beyond"].mean > 0.1),
        "beyond, slow": (
            between(parted["slow beyond"], 2),
            parted["slow beyond"].mean >= 0.5 * parted["beyond"].mean,
        ),
        "beyond, fast": (between(parted["fast beyond"], 2), parted["fast beyond"].mean < 0.05),
    }


def _told() -> Found:
    whole, unseen = (max(results.told(way).values()) for way in ("whole", "first token unseen"))
    layers = [results.told(way) for way in ("whole", "first token unseen")]
    late = [told[30] for told in layers]
    fewer = [layers[1][layer] < told for layer, told in layers[0].items() if layer >= 4]
    edge = max(value for layer, value in results.told("windows alone").items() if layer <= 4)
    same, first = (float(value) for value in load().arrays["all alike"])
    return {
        "told": (f"{whole:.2f}", whole > 0.5),
        "first unseen": (
            f"{unseen:.2f} against {whole:.2f} by the greatest of the layers, which the plan did not fix;"
            f" after layer 30 more, {late[1]:.2f} against {late[0]:.2f}: undecided",
            unseen > 0.1 and (all(fewer) or (None if any(fewer) else False)),
        ),
        "windows": (signed(edge, 2).removeprefix("+"), edge < 0.05),
        "all alike": (f"apart by {same:.3f} and {first:.3f} of their size", same < 0.001 < 0.01 < first),
    }


def _longer() -> Found:
    every, new, text = (
        results.named_longer(*of) for of in (("random", "all"), ("random", "new"), ("text", "new"))
    )
    rises, heads = results.rises_longer(), len(load().heads)
    at = [head.name for head in load().heads].index("2.1")
    nulls = (new.shuffled, new.foreign)
    return {
        "longer": (f"{every.first} of {heads}", 2 * every.first >= heads),
        "longer, new": (f"{new.first} of {heads}", 2 * new.first >= heads),
        "longer, rule": (f"{new.rule} against {new.first}", new.rule < new.first),
        "longer, nulls": ("{:.1f} and {:.1f}".format(*nulls), max(nulls) < min(heads / 10, new.first)),
        "longer, head 2.1": (
            f"{every.looks[at]} and {new.looks[at]}",
            (every.looks[at], new.looks[at]) == (results.THERE, new.said[at]),
        ),
        "longer, texts": (
            f"{text.first}, against {text.shuffled:.1f} and {text.foreign:.1f}",
            max(text.shuffled, text.foreign) < text.first,
        ),
        "longer, cut": (between(rises["heads"]), rises["heads"].mean < 0.01),
        "longer, alike": (between(rises["alike"]), rises["heads"].mean < rises["alike"].mean),
    }


@cache
def outcomes() -> tuple[Outcome, ...]:
    """All predictions of the plan, which predictions.json lists."""
    found = _name() | _move() | _cause() | _cut() | _where() | _told() | _longer()
    listed = json.loads(files("wavebook.experiments.smollm2").joinpath("predictions.json").read_text("utf-8"))
    return tuple(
        Outcome(said["part"], said["said"], *found[said["id"]], said["known"], LATER.get(said["added"], ""))
        for said in listed
    )


def refuted() -> list[bool]:
    """Which of the plan's rules that begin with "Refuted if" came about, in its order."""
    named, new = results.named(), results.named_longer("random", "new")
    rises, parted, again = results.rises(), results.parted(), results.paired()
    heads, random = (rises[f"{name} {plan.COMPARED}"].mean for name in ("heads", "random"))
    moved = [look for _, look, said in results.scaled_named() if abs(look - said) > 1]
    return [
        3 * named.first < named.heads or named.first <= results.shuffled()[1],
        results.THERE in moved or len(moved) >= 2,
        results.caused().above <= 0.95,
        heads > 0.02 or heads >= random,
        parted["fast beyond"].mean > parted["slow beyond"].mean,
        again.there.low <= 0 <= again.there.high or again.as_great >= 3,
        3 * new.first < named.heads or new.first <= new.shuffled_most,
        results.rises_longer()["heads"].mean > 0.02,
    ]


def failed() -> str:
    """The predictions, folded: those that did not come true, those about a cause first; then all others."""
    every = sorted(outcomes(), key=lambda one: one.true is not False or one.part != "a cause?")
    first, second = (
        table(
            ("predicted *(what we knew before, noted afterward)*", "found"),
            [
                (one.said + (f" *({one.known})*" if one.known else ""), one.found)
                for one in every
                if (one.true is False) is failed
            ],
            "ll",
        )
        for failed in (True, False)
    )
    right, open_ones = (sum(one.true is true for one in every) for true in (True, None))
    title = f"All {len(every)} predictions, and what was found"
    return folded(title, first, f"The {right} that came true, and {open_ones} undecided:", second)


def _row(name: str) -> str:
    """What the cut's records call "heads" are the near heads of the page."""
    return f"near {name}" if name.startswith("heads") else name


def cut() -> str:
    """The rise of the loss with its interval, by what is cut; in twice as many tokens, where that was run."""
    longer = {f"{name} {plan.COMPARED}": between(rise) for name, rise in results.rises_longer().items()}
    lines = [(_row(name), between(rise), longer.get(name, "")) for name, rise in results.rises().items()]
    less = between(results.differences()["alike"]), longer[f"less {plan.COMPARED}"]
    header = "heads, and tokens seen", *(f"of {length:,} tokens" for length in (LENGTH, TWICE))
    return table(header, [*lines, ("near minus alike", *less)])


def by_position() -> str:
    """The rise of the loss in each range of positions, by what is cut."""
    lines = [
        (_row(name), *(signed(value) for value in results.rises_by_range(name)))
        for name in load().names["cut"]
        if name != "none"
    ]
    ranges = [f"{start:,} to {stop - 1:,}" for start, stop in RANGES]
    return table(("heads, and tokens seen", *ranges), lines)


def by_kind() -> str:
    """The rise of the loss by kind of text and what is cut, and how much less ours is than those alike."""
    kinds = list(dict.fromkeys(text["kind"] for text in load().texts))
    losses = load().losses("cut")
    names = [f"{name} {plan.COMPARED}" for name in ("heads", "alike", "random")]
    rises = {name: losses[name] - losses["none"] for name in names}
    rises["near minus alike"] = rises[names[0]] - rises[names[1]]
    lines = [(_row(name), *map(signed, results.means_by_kind(values))) for name, values in rises.items()]
    return table(("heads, and tokens seen", *kinds), lines)


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
            best, _, later = results.nearest_return(omega, many, model.trained)
            cells.append(f"{best:,}; {later:,}" if later else f"{best:,}; none")
        lines.append((model.name, f"{model.trained:,}", *cells))
    return table(("model", "trained", *(f"{many} hands" for many in FASTEST)), lines, "lrrrr")


def compared() -> dict[str, dict[str, float | str]]:
    """How our tokens and logits compare with those of other programs, as ``oracle.py`` wrote it."""
    read: dict[str, dict[str, float | str]] = json.loads(
        files("wavebook.experiments.smollm2").joinpath("oracle.json").read_text()
    )
    return read
