"""Numbers that the page says in its folds and beside its results, and what must be so for its words.

Most answer what a reader of interpretability or statistics asked: of which heads, against what, how sure.
"""

from __future__ import annotations

import re
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import load, network, plan, results, tables
from wavebook.experiments.smollm2.longer import TEXTS
from wavebook.experiments.smollm2.texts import LENGTH

#: Looks up to here, and beyond it, are counted apart (a bound that was chosen afterward).
NEARBY = 40
#: How many of each head's largest hands.
LARGEST = 5, 8, 12, 16, 18
DOZEN = 12
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
    assert found[1].low < 0.01 < found[1].high, "a third that has its bound in it"
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
    at = [head.name for head in heads].index("2.1")
    assert results.fastest(2) == 1 == results.ranks_by(results.without(range(2, 32)))[at], "2.1 itself"
    assert not right[~stay].any()
    said |= {"stay": f"{stay.sum()}", "stay_right": f"{right[stay].sum()}"}
    alone, alone_text = ((arrays[f"looks{of}"] == arrays[f"look{of}"]).sum(1) for of in ("", " text"))
    said |= {
        "one_least": f"{alone.min()}",
        "one_most": f"{alone.max()}",
        "one_text_least": f"{alone_text.min()}",
        "one_text_most": f"{alone_text.max()}",
        "near_in_texts": f"{(arrays['text heads'][:, : plan.NEAR].max(1) >= plan.ENOUGH).sum()}",
        "drawn_too": "{} to {}".format(*results.drawn_firsts(heads=True)),
        "by_largest": f"{results.largest(DOZEN)}",
        "by_largests": "{}, {}, {}, {} and {}".format(*(results.largest(many) for many in LARGEST)),
    }
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


def _slight() -> dict[str, str]:
    """How little the looks get, here and farther back, and that the formula names all of the others."""
    arrays, heads = load().arrays, load().heads
    found: dict[str, str] = {}
    for kind, looks in (("random", "look"), ("text", "look text")):
        given = arrays[f"{kind} heads"][np.arange(len(heads)), arrays[looks]].astype(float)
        slight, hardly = (
            given < results.even_share(arrays[looks]),
            results.times_the_next(kind).round(3) < results.LITTLE,
        )
        found |= {f"{kind}_uneven": f"{slight.sum()}", f"{kind}_hardly": f"{hardly.sum()}"}
        if kind == "random":
            assert (results.named().ranks == 1)[~hardly].all(), "in the others it is right"
            found["clear"] = f"{(~hardly).sum()}"
        else:
            assert 2 * hardly.sum() > len(heads), "most hardly stand out"
    for kind in ("random", "text"):
        new = results.named_longer(kind, "new")
        right = np.equal(new.said, new.looks)
        slight, hardly = results.slight_longer(kind)
        found |= {f"longer_{kind}_uneven": f"{slight.sum()}", f"longer_{kind}_hardly": f"{hardly.sum()}"}
        if kind == "random":
            assert right[~hardly].all()
            found["longer_clear"] = f"{(~hardly).sum()}"
        else:
            assert 2 * slight.sum() == len(heads), "half of them"
            found["longer_text_slight"] = f"{(right & slight).sum()}"
    return found


def _longer() -> dict[str, str]:
    random, text = (results.named_longer(kind, "beyond") for kind in ("random", "text"))
    new = results.named_longer("random", "new")
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
        "longer_distinct": f"{len(set(new.looks))}",
    }


def _moved() -> dict[str, str]:
    steady, turned = results.steady(), results.turned()
    some, slow = results.turned(steady), results.moved_by(SLOW)
    near_one = np.array([head.near == 1 for head in load().heads])
    low, high = results.turned_interval()
    before = results.named().ranks == 1
    named, by_rule = results.turned(before), results.turned_by_rule()
    assert named.rest_right == named.rest_stayed
    return {
        "turned_cases": f"{turned.cases}",
        "turned_went": f"{turned.right - turned.stayed_right}",
        "stayed": f"{turned.stayed}",
        "stayed_right": f"{turned.stayed_right}",
        "rest_cases": f"{turned.rest}",
        "rest_right": f"{turned.rest_right}",
        "turned_rule": f"{by_rule[0]}",
        "of_all": f"{turned.cases + turned.rest}",
        "all_right": f"{turned.right + turned.rest_right}",
        "all_stayed": f"{turned.stayed + turned.rest_stayed}",
        "all_rule": f"{by_rule[1]}",
        "named_turned": f"{named.right} of {named.cases}",
        "named_rest": f"{named.rest_right} of {named.rest}",
        "turned_low": f"{100 * low:.0f}",
        "turned_high": f"{100 * high:.0f}",
        "steady": f"{steady.sum()}",
        "steady_turned": f"{some.right} of {some.cases}",
        "steady_rest": f"{some.rest_right} of {some.rest}",
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
    trimmed = {of: results.trimmed_sizes(of) for of in ("caused", "caused again", "caused texts")}
    for of in ("caused", "caused again"):
        there, rival = trimmed[of]
        assert there > 2 * rival, "more than twice, each without its own greatest"
    misses = [100 * results.excess_misses(of) for of in trimmed]
    students = results.surer_than_students()
    logs = load().arrays["caused texts"].astype(np.float64)
    rounding = (logs[:, :, results.THERE] < np.log(results.SOUND)).any(1)
    assert rounding.sum() == 1
    excess, excess_cut = (
        results.interval(results.excess(logs[~rounding, at], results.THERE), 2) for at in (0, 1)
    )
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
        "least_misses": f"{min(misses):.0f}",
        "most_misses": f"{max(misses):.0f}",
        "no_zero": f"{students[0]}",
        "students": f"{students[1]}",
        "excess_texts": tables.between(excess, 2),
        "excess_texts_cut": tables.between(excess_cut, 2),
        "trimmed_first": "{:.2f}; {:.2f}".format(*trimmed["caused"]),
        "trimmed_new": "{:.2f}; {:.2f}".format(*trimmed["caused again"]),
        "trimmed_texts": "{:.2f}; {:.2f}".format(*trimmed["caused texts"]),
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
    assert rises["heads 64"].low < 0 < min(one.low for one in (rises["heads 16"], longer["heads"]))
    zero = {kind: results.rises_but(kind).low <= 0 for kind in {text["kind"] for text in load().texts}}
    assert [kind for kind, within in zero.items() if not within] == ["licenses and data"]
    losses = load().losses("cut")
    half = [text["kind"] in ("this book", "programs") for text in load().texts]
    less = results.interval((losses["heads 64"] - losses["alike 64"])[half], 4)
    assert 2 * sum(half) == len(half)
    assert less.low < 0 < less.high, "as much as ours"
    (written, arrays), kinds = results.longer(), [load().texts[at]["kind"] for at in TEXTS]
    lost = dict(zip(written["cut"], arrays["cut"].T.astype(np.float64), strict=True))
    more = lost["alike 64"] - lost["heads 64"]
    assert all(more[np.equal(kinds, kind)].mean() > 0 for kind in zero), "more in each kind"
    rules = tables.refuted()
    assert len(rules) == 8
    assert [at for at, came in enumerate(rules) if came] == [2, 5], "two, both about a cause"
    return {
        "alike_64": f"{rises['alike 64'].mean:.3f}",
        "random_64": f"{rises['random 64'].mean:.3f}",
        "cut_16": f"{rises['heads 16'].mean:.3f}",
        "cut_longer": f"{longer['heads'].mean:.3f}",
        "alike_longer": f"{longer['alike'].mean:.3f}",
        "undecided": f"{undecided}",
    }


def said() -> dict[str, str]:
    """The words of all these numbers, by their names on the page.

    >>> said()["turned_cases"]
    '182'
    """
    return _named() | _slight() | _longer() | _moved() | _cause() | _cut()
