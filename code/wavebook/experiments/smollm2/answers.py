"""Numbers that the page says in its folds and beside its results, and what must be so for its words.

Most answer what a reader of interpretability or statistics asked: of which heads, against what, how sure.
"""

from __future__ import annotations

import re
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import load, network, results, tables
from wavebook.experiments.smollm2.longer import TEXTS
from wavebook.experiments.smollm2.texts import LENGTH

#: Looks up to here, and beyond it, are counted apart (a bound that was chosen afterward).
NEARBY = 40
#: The slow pairs that were turned.
SLOW = (23, 24)


def with_kinds() -> list[str]:
    """The rises of our heads with 16 tokens, with 64, and with 64 in 2,048, the kinds of text drawn again."""
    losses, (written, arrays) = load().losses("cut"), results.longer()
    longer = dict(zip(written["cut"], arrays["cut"].T.astype(np.float64), strict=True))
    rises = [losses[f"heads {many}"] - losses["none"] for many in (16, 64)]
    found = [results.interval_with_kinds(rise, range(len(load().texts))) for rise in rises]
    found.append(results.interval_with_kinds(longer["heads 64"] - longer["none"], TEXTS))
    assert max(one.low for one in found[:2]) < 0 < found[2].low
    return [tables.between(one) for one in found]


def _split(kind: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Which looks are beyond those nearby, which the formula has right, and which the simpler rule."""
    looks = {"random": "look", "text": "look text"}[kind]
    right = (results.ranks_by(hands, looks) == 1 for hands in (results.own_hands(), results.agreeing()))
    return load().arrays[looks] > NEARBY, *right


def _named() -> dict[str, str]:
    arrays, heads, text = load().arrays, load().heads, results.named("text")
    pilot = re.search(
        r"in (\d+ of \d+) heads that look at one small offset",
        files("wavebook.experiments.smollm2").joinpath("plan.md").read_text("utf-8"),
    )
    assert pilot
    said = {"pilot": pilot[1], "since": f"{network.SINCE}"}
    stay = arrays["look"] == arrays["look text"]
    right = text.ranks == 1
    assert 2 * stay.sum() < len(heads)
    assert not right[~stay].any()
    said |= {"stay": f"{stay.sum()}", "stay_right": f"{right[stay].sum()}"}
    far, first, rule = _split("text")
    for name, some in (("near", ~far), ("far", far)):
        counts = some.sum(), (first & some).sum(), (rule & some).sum()
        said |= dict(
            zip(
                (f"text_{name}", f"text_{name}_first", f"text_{name}_agreeing"),
                map(str, counts),
                strict=True,
            )
        )
    far, first, rule = _split("random")
    for name, some in (("near", ~far), ("far", far)):
        said[f"split_{name}"] = f"{(first & some).sum()} and {(rule & some).sum()} of {some.sum()}"
    return said | {
        "by_others": f"{results.elsewhere_by_others():.0f}",
        "by_others_far": f"{results.elsewhere_by_others(NEARBY + 1):.1f}",
    }


def _longer() -> dict[str, str]:
    random, text = (results.named_longer(kind, "beyond") for kind in ("random", "text"))
    new = results.named_longer("random", "new")
    slight, hardly = results.slight_longer()
    reached = sum(said == seen < LENGTH for said, seen in zip(new.said, new.looks, strict=True))
    return {
        "longer_since": f"{LENGTH:,}",
        "reach": f"{LENGTH - 2:,}",
        "reached": f"{reached}",
        "beyond_first": f"{random.first}",
        "beyond_rule": f"{random.rule}",
        "beyond_foreign": f"{random.foreign:.1f}",
        "text_beyond_first": f"{text.first}",
        "text_beyond_rule": f"{text.rule}",
        "text_beyond_foreign": f"{text.foreign:.1f}",
        "longer_uneven": f"{slight.sum()}",
        "longer_hardly": f"{hardly.sum()}",
        "longer_distinct": f"{len(set(new.looks))}",
    }


def _moved() -> dict[str, str]:
    steady, turned = results.steady(), results.turned()
    some, slow = results.turned(steady), results.moved_by(SLOW)
    near_one = np.array([head.near == 1 for head in load().heads])
    low, high = results.turned_interval()
    return {
        "turned_cases": f"{turned.cases}",
        "turned_right": f"{turned.right}",
        "stayed": f"{turned.stayed}",
        "stayed_right": f"{turned.stayed_right}",
        "rest_cases": f"{turned.rest}",
        "rest_stayed": f"{turned.rest_stayed}",
        "turned_rule": f"{results.turned_by_rule()}",
        "turned_low": f"{100 * low:.0f}",
        "turned_high": f"{100 * high:.0f}",
        "steady": f"{steady.sum()}",
        "steady_turned": f"{some.right} of {some.cases}",
        "steady_rest": f"{some.rest_stayed} of {some.rest}",
        "moved_slow": f"{slow[steady].sum()} of {slow[steady].size}",
        "moved_slow_heads": f"{slow[near_one & steady].any((1, 2)).sum()}",
        "left_groups": "{}, {}, {} and {}".format(
            *(results.right_without(range(start, start + 4)) for start in (4, 8, 12, 16))
        ),
    }


def _cause() -> dict[str, str]:
    first, new, texts = (results.medians_there(of) for of in ("caused", "caused again", "caused texts"))
    assert first[0] > first[1]
    assert new[0] > new[1]
    low, low_by_middle = results.as_low()
    assert low_by_middle == 0, "by the median none"
    own = {(head.layer, head.number): head.name for head in load().heads}
    others = [place for place in results.looking_there() if own.get(place) != "2.1"]
    # In percent, of what is not rounded yet.
    more = 100 * np.expm1(results.paired_curves("caused again").mean(0))
    return {
        "there_percent": f"{more[results.THERE]:.0f}",
        "rival_percent": f"{more[results.paired().rival]:.0f}",
        "look_too": ", ".join(own[place] for place in others if place in own),
        "far_look_too": ", ".join(f"{layer}.{head}" for layer, head in others if (layer, head) not in own),
        "as_sure": f"{results.as_sure()}",
        "as_many": f"{results.as_many()}",
        "as_low": f"{low}",
        "middle_first": "{:.2f}; {:.2f}".format(*first),
        "middle_new": "{:.2f}; {:.2f}".format(*new),
        "middle_texts": "; ".join(tables.signed(each, 2).removeprefix("+") for each in texts),
    }


def _cut() -> dict[str, str]:
    rises, longer = results.rises(), results.rises_longer()
    by_place = results.rises_by_range("heads 64")
    assert by_place[-1] == max(by_place), "it grows with position"
    assert longer["heads"].low < 0.01 < longer["heads"].high
    assert rises["random 64"].low < 0.05 < rises["random 64"].high
    undecided = sum(one.true is None for one in tables.outcomes())
    assert undecided == 1
    return {
        "alike_64": f"{rises['alike 64'].mean:.3f}",
        "random_64": f"{rises['random 64'].mean:.3f}",
        "undecided": f"{undecided}",
    }


def said() -> dict[str, str]:
    """The words of all these numbers, by their names on the page.

    >>> said()["turned_cases"]
    '182'
    """
    return _named() | _longer() | _moved() | _cause() | _cut()
