"""Numbers that the page says, in words, and what its figures draw; and what must be so for its words.

Many answer what a reader of interpretability or statistics asked: of which heads, against what, how sure.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import load, network, plan, results, tables
from wavebook.experiments.smollm2.longer import LENGTH as TWICE
from wavebook.experiments.smollm2.longer import RANGES, TEXTS
from wavebook.experiments.smollm2.record import COUNTS, SHOWN, favorites
from wavebook.experiments.smollm2.texts import LENGTH
from wavebook.say import at_most, in_a_row, percent

#: Looks up to here, and beyond it, are counted apart (a bound that was chosen afterward).
NEARBY = 40
#: How many of the fastest hands, and of each head's largest.
FASTEST, DOZEN = (2, 4, 8, 16, 23, 24, 25), 12
#: The fastest pairs, the slow ones that were turned, and that of which the page speaks.
FAST, SLOW, SLOWEST = range(4), (23, 24), 23
#: In percent, what the intervals of the page hold.
CERTAIN = 95


def _at() -> int:
    """Which of the heads that are looked at the page is about."""
    return [head.name for head in load().heads].index("2.1")


# ---- what the figures draw ----


def spike() -> tuple[NDArray[Any], int, int, list[int]]:
    """The weights of head 2.1, its far look, its near one, and the offsets that its hands name next."""
    look, head = int(load().arrays["look"][_at()]), load().heads[_at()]
    first, *others = results.formula()[_at()].tolist()
    assert first == look == results.THERE
    return load().arrays["random heads"][_at()], look, head.near, others


def named() -> tuple[
    list[str], str, NDArray[Any], NDArray[Any], dict[str, tuple[NDArray[Any], NDArray[Any]]]
]:
    """The heads, what formula and simpler rule name, and the measured looks with their weights."""
    names, simpler = [head.name for head in load().heads], plan.curve(results.agreeing(), plan.END)
    found = {"random tokens": _looks("random"), "texts": _looks("text")}
    return names, names[_at()], results.formula(1)[:, 0], favorites(simpler), found


def caused() -> tuple[NDArray[Any], int, int, int, tuple[float, float]]:
    """What head 2.1 adds to the effect of a changed token: by offset, from where to where; its interval."""
    there = results.paired().there
    return (
        results.paired_curves(),
        min(results.OTHERS),
        max(results.OTHERS),
        results.THERE,
        (there.low, there.high),
    )


def _looks(kind: str) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Where the near heads look, in random tokens ("random") or texts ("text"), and with what weight."""
    looks = load().arrays[{"random": "look", "text": "look text"}[kind]]
    return looks, load().arrays[f"{kind} heads"][np.arange(len(looks)), looks].astype(np.float64)


# ---- what is said ----


def _run() -> dict[str, str]:
    """What was run: of what model, with what, when."""
    recorded, longer = load(), results.longer()[0]["about"]
    oracle: Any = tables.compared()
    layers, each = recorded.model["layers"], recorded.model["heads"]
    minutes = float(recorded.about["minutes"]) + float(longer["minutes"])
    theirs = oracle["transformers"]
    return {
        "layers": f"{layers}",
        "each": f"{each}",
        "all": f"{layers * each}",
        "pairs": f"{recorded.hands.shape[-1]}",
        "trained": f"{network.TRAINED:,}",
        "length": f"{LENGTH:,}",
        "longer_tokens": f"{TWICE:,}",
        "runs": f"{len(plan.RUNS)}",
        "texts": f"{len(recorded.texts)}",
        "since": f"{network.SINCE}",
        "far": f"{plan.FAR}",
        "end": f"{plan.END - 1}",
        "offsets": f"{plan.END - plan.FAR}",
        "enough": percent(plan.ENOUGH),
        "certain": f"{CERTAIN}",
        "minutes": f"{minutes:.0f}",
        "plan": recorded.about["plan"][:7],
        "date": recorded.about["date"],
        "machine": recorded.about["machine"],
        "oracle_tokens": f"{oracle['tokens'] / 1e6:.1f} million",
        "oracle_positions": f"{theirs['positions']}",
        "transformers": theirs["version"],
        "apart": at_most(theirs["greatest difference of a logarithm"], 4),
    }


def _why() -> dict[str, str]:
    """Of head 2.1: what its hands say, and why of this offset first."""
    at, omega, near = _at(), network.OMEGA, load().heads[_at()].near
    weight, median = results.spike(at)
    offsets = np.array([near, *results.formula()[at]])
    hands = results.own_hands()[at, :, np.newaxis] * np.exp(1j * np.outer(omega, offsets))
    up = np.cos(np.angle(hands[:3])).min(0)
    assert up[0] > 0.9, "nearly up"
    assert up[1] > 0.99, "and more nearly"
    parts = hands.real
    fast, slow = parts[:16].sum(0), -parts[16:].sum(0)
    scores, its = parts.sum(0), parts[SLOWEST]
    assert slow.min() > 0
    assert fast[1] > fast[2:].max(), "first by the faster half alone, too"
    assert its[1] - its[2] > 0.5 * (slow[2] - slow[1]), "most of the difference"
    assert its[1] - its[3] > 0.5 * (slow[3] - slow[1])
    assert np.abs(results.own_hands()[at]).argmax() == SLOWEST
    assert slow[1:].argmin() == 0
    assert 4 * np.ptp(fast[1:]) < np.ptp(slow[1:]), "about the same, and not"
    turned = load().arrays["look turned"][at, plan.TURNED.index(SLOWEST)].tolist()
    goes = results.said_of_turned(results.own_hands())[at, plan.TURNED.index(SLOWEST)].tolist()
    assert goes == [offsets[3]] * 2
    assert turned == [offsets[1], offsets[3]], "by a quarter it stayed"
    weights = load().arrays["random heads"][at].astype(float)
    assert weights[offsets[2]] == np.delete(weights[plan.FAR :], results.THERE - plan.FAR).max(), "the next"
    quarter = scores - its + (1j * hands[SLOWEST]).real
    assert 0 < quarter[3] - quarter[1] < 0.5, "nearly a tie"
    sinks = np.degrees(omega[SLOWEST] * (offsets - offsets[1]))
    written = {
        f"{name}_{which}": tables.plain(value)
        for name, values in (("fast", fast), ("slow", slow), ("score", scores), ("its", -its))
        for which, value in zip(("near", "first", "second", "third"), values, strict=True)
    }
    return written | {
        "name": load().heads[at].name,
        "near": f"{near}",
        "look": f"{results.THERE}",
        "times_next": f"{results.times_the_next()[at]:.1f}",
        "times": f"{round(weight / median, -3):,.0f}",
        "turns": in_a_row(f"{(results.THERE - near) * each / (2 * np.pi):.2f}" for each in omega[:3]),
        "agree_too": f"{offsets[2]} and {offsets[3]}",
        "agree_next": f"{offsets[2]}",
        "lead": f"{scores[1] - scores[2]:.1f}",
        "lead_factor": f"{np.exp(scores[1] - scores[2]):.0f}",
        "sinks_next": f"{sinks[2]:.0f}",
        "sinks": f"{sinks[3]:.0f}",
        "tied_near": tables.plain(quarter[1]),
        "tied_far": tables.plain(quarter[3]),
        "slowest_said": f"{SLOWEST}",
        "chosen_by_slow": f"{goes[1]}",
    }


def _right() -> dict[str, str]:
    """In how many heads formula, simpler rule and chance name the look: in random tokens, and in texts."""
    found, text, rule = results.named(), results.named("text"), results.agreeing()
    shuffled, most = results.shuffled()
    low, high = results.drawn_firsts()
    rights, in_texts = results.named_by(rule), results.named_by(rule, "look text")
    assert max(shuffled, found.foreign) < 1
    assert most < found.first
    assert text.first == in_texts[0]
    assert 3 * text.first < text.heads
    heads, looks = load().heads, load().arrays["look"]
    return {
        "chosen": f"{found.heads}",
        "near_one": f"{sum(head.near == 1 for head in heads)}",
        "near_self": f"{sum(head.near == 0 for head in heads)}",
        "first": f"{found.first}",
        "three": f"{found.three}",
        "run_least": f"{found.alone.min()}",
        "run_most": f"{found.alone.max()}",
        "agreeing": f"{rights[0]}",
        "foreign": f"{found.foreign:.1f}",
        "shuffled": f"{shuffled:.1f}",
        "chance": f"{found.heads / (plan.END - plan.FAR):.2f}",
        "text_first": f"{text.first}",
        "text_three": f"{text.three}",
        "text_least": f"{text.alone.min()}",
        "text_most": f"{text.alone.max()}",
        "text_agreeing": f"{in_texts[0]}",
        "text_foreign": f"{text.foreign:.1f}",
        "text_shuffled": f"{results.shuffled_among(32, 'look text')}",
        "low": f"{low}",
        "high": f"{high}",
        "drawn_too": "{} to {}".format(*results.drawn_firsts(heads=True)),
        "distinct": f"{len(set(looks.tolist()))}",
        "keys": f"{len({(head.layer, head.number // network.SHARED) for head in heads})}",
        "typical": f"{100 * np.median(_looks('random')[1]):.1f}",
    }


def _how_many_hands() -> dict[str, str]:
    """How often the fastest or largest hands alone are right."""
    at = _at()
    right = [many for many in range(1, 33) if results.ranks_by(results.without(range(many, 32)))[at] == 1]
    gap = [many for many in right if many + 1 not in right and many < 32]
    assert (right[0], len(gap)) == (2, 1), "from two on, and again"
    assert results.fastest(2) == 1, "2.1 itself"
    return {
        "right_to": f"{gap[0]}",
        "right_again": f"{right[right.index(gap[0]) + 1]}",
        "many_hands": in_a_row(FASTEST[4:]),
        "by_largest": f"{results.largest(DOZEN)}",
        "by_fastest": in_a_row(map(results.fastest, FASTEST)),
    }


def _split(kind: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Which looks are beyond those nearby, which the formula has right, and which the simpler rule."""
    looks = {"random": "look", "text": "look text"}[kind]
    right = (results.ranks_by(hands, looks) == 1 for hands in (results.own_hands(), results.agreeing()))
    return load().arrays[looks] > NEARBY, *right


def _where_it_holds() -> dict[str, str]:
    """Of single sequences, of texts, and of the other heads."""
    arrays, at = load().arrays, _at()
    pilot = re.search(
        r"in (\d+ of \d+) heads that look at one small offset",
        files("wavebook.experiments.smollm2").joinpath("plan.md").read_text("utf-8"),
    )
    assert pilot
    alone = (arrays["looks"] == arrays["look"]).sum(1)
    far, sharp_far = results.elsewhere(NEARBY + 1)
    beyond, first, rule = _split("text")
    weight = 100 * _looks("text")[1]
    given = 100 * arrays["text heads"][at].astype(float)
    assert (
        f"{weight[at]:.1f}"
        == f"{given[results.THERE]:.1f}"
        == f"{given[results.far_order('text')[at, 1]]:.1f}"
    )
    return {
        "pilot": pilot[1],
        "near_in_texts": f"{(arrays['text heads'][:, : plan.NEAR].max(1) >= plan.ENOUGH).sum()}",
        "one_least": f"{alone.min()}",
        "one_most": f"{alone.max()}",
        "weight_text": f"{weight[at]:.1f}",
        "text_second": f"{results.far_order('text')[at, 1]}",
        "beyond_near": f"{NEARBY}",
        "text_near": f"{(~beyond).sum()}",
        "text_near_first": f"{(first & ~beyond).sum()}",
        "text_near_agreeing": f"{(rule & ~beyond).sum()}",
        "text_far": f"{beyond.sum()}",
        "text_far_first": f"{(first & beyond).sum()}",
        "text_far_agreeing": f"{(rule & beyond).sum()}",
        "shown_to": f"{SHOWN - 1}",
        "sharp_far": f"{sharp_far}",
        "elsewhere_far": f"{far}",
        "by_others_far": f"{results.elsewhere_by_others(NEARBY + 1):.1f}",
    }


def _slight() -> dict[str, str]:
    """How little the looks get, here and farther back, and that the formula names all of the others."""
    found = {"little": f"{results.LITTLE}"}
    for kind in ("random", "text"):
        looks, given = _looks(kind)
        hardly = results.times_the_next(kind).round(3) < results.LITTLE
        slight, new = results.slight_longer(kind)[0], results.named_longer(kind, "new")
        found |= {
            f"{kind}_uneven": f"{(given < results.even_share(looks)).sum()}",
            f"{kind}_hardly": f"{hardly.sum()}",
        }
        if kind == "random":
            found["longer_random_uneven"] = f"{slight.sum()}"
            assert (results.named().ranks == 1)[~hardly].all(), "in the others it is right"
            found["clear"] = f"{(~hardly).sum()}"
        else:
            assert 2 * slight.sum() == len(looks), "half of them"
            found["longer_text_slight"] = f"{(np.equal(new.said, new.looks) & slight).sum()}"
    return found


def _longer() -> dict[str, str]:
    """Farther back, where the formula was asked before the runs."""
    new, text, all_of, all_in_texts, beyond, texts_beyond = (
        results.named_longer(kind, part) for part in ("new", "all", "beyond") for kind in ("random", "text")
    )
    at, (start, stop) = _at(), RANGES["new"]
    assert (new.looks[at], all_of.looks[at]) == (new.said[at], results.THERE)
    assert text.looks[at] != text.said[at]
    reached = sum(said == seen < LENGTH for said, seen in zip(new.said, new.looks, strict=True))
    return {
        "longer_from": f"{start}",
        "longer_to": f"{stop - 1:,}",
        "longer_new": f"{new.first}",
        "longer_rule": f"{new.rule}",
        "longer_foreign": f"{new.foreign:.1f}",
        "longer_look": f"{new.looks[at]}",
        "longer_all": f"{all_of.first}",
        "longer_text": f"{text.first}",
        "longer_text_rule": f"{text.rule}",
        "longer_text_foreign": f"{text.foreign:.1f}",
        "longer_text_look": f"{text.looks[at]:,}",
        "longer_text_all": f"{all_in_texts.first}",
        "longer_since": f"{LENGTH:,}",
        "reach": f"{LENGTH - 2:,}",
        "reached": f"{reached}",
        "beyond_first": f"{beyond.first}",
        "beyond_rule": f"{beyond.rule}",
        "text_beyond_first": f"{texts_beyond.first}",
        "text_beyond_rule": f"{texts_beyond.rule}",
    }


def _moved() -> dict[str, str]:
    """What turning a hand did, and multiplying all frequencies."""
    steady, turned, scaled = results.steady(), results.turned(), results.scaled()
    some, named = results.turned(steady), results.turned(results.named().ranks == 1)
    rule, rule_of_all = results.turned_by_rule()
    low, high = results.turned_interval()
    assert named.rest_right == named.rest_stayed
    return {
        "turned_cases": f"{turned.cases}",
        "turned_right": f"{turned.right}",
        "stayed": f"{turned.stayed}",
        "stayed_right": f"{turned.stayed_right}",
        "turned_rule": f"{rule}",
        "rest_cases": f"{turned.rest}",
        "rest_right": f"{turned.rest_right}",
        "rest_stayed": f"{turned.rest_stayed}",
        "rest_rule": f"{rule_of_all - rule}",
        "of_all": f"{turned.cases + turned.rest}",
        "all_right": f"{turned.right + turned.rest_right}",
        "all_stayed": f"{turned.stayed + turned.rest_stayed}",
        "all_rule": f"{rule_of_all}",
        "named_turned": f"{named.right} of {named.cases}",
        "named_rest": f"{named.rest_right} of {named.rest}",
        "turned_low": f"{100 * low:.0f}",
        "turned_high": f"{100 * high:.0f}",
        "two": in_a_row(SLOW),
        "steady": f"{steady.sum()}",
        "steady_turned": f"{some.right} of {some.cases}",
        "steady_rest": f"{some.rest_right} of {some.rest}",
        "scaled": f"{scaled.first} of {scaled.cases}",
        "scaled_rule": f"{results.scaled_by_rule()}",
    }


#: What a changed token causes was asked of three sets.
SETS = {"first": "caused", "new": "caused again", "texts": "caused texts"}


def _sizes() -> dict[str, str]:
    """The sizes of what the head adds at 208, with the greatest elsewhere in brackets: three ways."""
    found: dict[str, str] = {}
    for name, of in SETS.items():
        sizes = {way: results.mean_sizes(of, way == "_without")[::2] for way in ("", "_without")}
        trimmed, (middle, greatest) = results.trimmed_sizes(of), results.medians_there(of)
        if name == "texts":
            assert sizes[""][0] < sizes[""][1], "next to nothing"
        else:
            assert all(there > elsewhere for there, elsewhere in sizes.values()), "greatest there"
            assert trimmed[0] > 2 * trimmed[1]
            assert middle > greatest
        found |= {f"size_{name}{way}": "{:.2f} ({:.2f})".format(*pair) for way, pair in sizes.items()}
        found[f"trimmed_{name}"] = "{:.2f} ({:.2f})".format(*trimmed)
        written = (tables.signed(each, 2).removeprefix("+") for each in (middle, greatest))
        found[f"middle_{name}"] = "{} ({})".format(*written)
    return found


def _cause() -> dict[str, str]:
    """What a changed token does 208 later, with the head whole and with it cut."""
    first, new, texts = (results.caused(of) for of in SETS.values())
    added = {name: results.paired(of) for name, of in SETS.items()}
    again, curves, in_texts = added["new"], results.paired_curves(), results.paired_curves("caused texts")
    assert again.there.low < again.as_great == 0, "the greatest, with zero in the interval"
    assert first.there.low < 0 < first.there.mean
    assert 100 * first.above < CERTAIN
    there, texts_there = np.sort(curves[:, results.THERE]), np.sort(in_texts[:, results.THERE])
    others = [results.interval(curves[:, k], 9) for k in results.CLEAR]
    assert new.cut.mean > 0.8 * new.there.mean > 0 > texts.cut.high, "nearly as great"
    misses = [100 * results.excess_misses(of) for of in SETS.values()]
    students = results.surer_than_students()
    low, low_by_middle = results.as_low()
    assert low_by_middle == 0, "by the median none"
    logs = load().arrays["caused texts"].astype(np.float64)
    rounding = (logs[:, :, results.THERE] < np.log(results.SOUND)).any(1)
    assert rounding.sum() == 1
    assert rounding.argmax() == abs(in_texts[:, results.THERE]).argmax()
    excess, excess_cut = (
        results.interval(results.excess(logs[~rounding, at], results.THERE), 2) for at in (0, 1)
    )
    own = {(head.layer, head.number): head.name for head in load().heads}
    looking = [place for place in results.looking_there() if own.get(place) != "2.1"]
    # In percent, of what is not rounded yet.
    more = 100 * np.expm1(curves.mean(0))
    of_first = np.sort(results.paired_curves("caused")[:, results.THERE])
    return {
        "others_from": f"{min(results.OTHERS)}",
        "others_to": f"{max(results.OTHERS)}",
        "foretold": "99",
        "refuted_to": f"{CERTAIN}",
        "above": percent(first.above),
        "caused": tables.between(first.there, 2),
        "caused_again": tables.between(new.there, 2),
        "in_texts": tables.between(texts.there, 2),
        "caused_cut": tables.between(first.cut, 2),
        "caused_again_cut": tables.between(new.cut, 2),
        "in_texts_cut": tables.between(texts.cut, 2),
        "seen": tables.between(added["first"].there, 2),
        "added": tables.between(again.there, 2),
        "added_texts": tables.between(added["texts"].there, 2),
        "divergence": f"{np.exp(load().arrays['caused'][:, 0, results.THERE].astype(float).mean()):.3f}",
        "no_zero": f"{students[0]}",
        "students": f"{students[1]}",
        "least_misses": f"{min(misses):.0f}",
        "most_misses": f"{max(misses):.0f}",
        "again_above": percent(new.above),
        "look_too": ", ".join(own[place] for place in looking if place in own),
        "far_look_too": ", ".join(f"{layer}.{head}" for layer, head in looking if (layer, head) not in own),
        "seen_without": tables.signed(of_first[:-1].mean(), 2),
        "there_percent": f"{more[results.THERE]:.0f}",
        "rival": f"{again.rival}",
        "rival_percent": f"{more[again.rival]:.0f}",
        "positive": f"{(there > 0).sum()}",
        "as_many": f"{results.as_many()}",
        "compared": f"{len(results.CLEAR)}",
        "added_without": tables.signed(there[1:-1].mean(), 2),
        "as_sure": f"{results.as_sure()}",
        "texts_without": tables.between(results.interval(texts_there[1:], 3)),
        "texts_below": f"{(texts_there[1:] < 0).sum()} of {len(texts_there) - 1}",
        "excess_texts": tables.between(excess, 2),
        "excess_texts_cut": tables.between(excess_cut, 2),
        "as_low": f"{low}",
        "too_often": percent(sum(one.low > 0 for one in others) / len(others)),
        "too_low": percent(sum(one.high < 0 for one in others) / len(others)),
    }


def with_kinds() -> list[str]:
    """The near heads' rises with 16 tokens, 64, and 64 in 2,048, the kinds of text drawn again."""
    losses, (written, arrays) = load().losses("cut"), results.longer()
    longer = dict(zip(written["cut"], arrays["cut"].T.astype(np.float64), strict=True))
    rises = [losses[f"heads {many}"] - losses["none"] for many in (16, 64)]
    found = [results.interval_with_kinds(rise, range(len(load().texts))) for rise in rises]
    found.append(results.interval_with_kinds(longer["heads 64"] - longer["none"], TEXTS))
    assert max(one.low for one in found[:2]) < 0 < found[2].low
    assert found[1].low < 0.01 < found[1].high, "a third that has its bound in it"
    return [tables.between(one) for one in found]


def _cut() -> dict[str, str]:
    """What the far sight of all near heads is worth to the loss."""
    rises, longer = results.rises(), results.rises_longer()
    assert rises["heads 64"].low < 0 < min(one.low for one in (rises["heads 16"], longer["heads"]))
    assert max(rises["heads 64"].mean, longer["heads"].mean) < 0.01 < rises["heads 16"].mean < 0.012
    assert longer["heads"].low < 0.01 < longer["heads"].high
    assert rises["random 64"].low < 0.05 < rises["random 64"].high
    zero = {kind: results.rises_but(kind).low <= 0 for kind in {text["kind"] for text in load().texts}}
    assert [kind for kind, within in zero.items() if not within] == ["licenses and data"]
    losses = load().losses("cut")
    half = [text["kind"] in ("this book", "programs") for text in load().texts]
    less = results.interval((losses["heads 64"] - losses["alike 64"])[half], 4)
    assert 2 * sum(half) == len(half)
    assert less.low < 0 < less.high, "about as much as ours"
    return {
        "cut_said": "0.01",
        "loss": f"{losses['none'].mean():.2f}",
        "seeing": f"{plan.COMPARED}",
        "in_sight": f"{(load().arrays['look text'] < plan.COMPARED).sum()}",
        "seen_least": f"{plan.WINDOWS[0]}",
        "cut_64": tables.between(rises["heads 64"]),
        "cut_16": tables.between(rises["heads 16"]),
        "alike_64": tables.between(rises["alike 64"]),
        "cut_16_mean": f"{rises['heads 16'].mean:.3f}",
    }


def of_the_cut() -> tuple[str, ...]:
    """What the tables of the cut need to be read, in three paragraphs."""
    arrays, heads = load().arrays, load().heads
    ours, alike, drawn = (percent(weight / len(heads)) for weight in results.far_weights())
    own, others = (
        np.array([arrays["first"][tuple(place)] for place in places], float)
        for places in ([(head.layer, head.number) for head in heads], [head.alike for head in heads])
    )
    seen = (arrays["look text"] < plan.COMPARED).sum()
    again = "{} with 16 tokens, {} with 64 and {}".format(*with_kinds())
    assert results.differences()["alike"].high < 0
    paragraphs = (
        f"The loss is from position {COUNTS} on (with {TWICE:,} tokens from {LENGTH:,}; {len(TEXTS)} texts"
        f" have so many). In brackets: {CERTAIN} % of the means lie there when the texts are drawn again;"
        f" with the kinds of text drawn again, too, the rises of the near heads are {again} in {TWICE:,}."
        f" Without licenses and data, that with {plan.COMPARED} is"
        f" {tables.between(results.rises_but('licenses and data'))}. In texts {seen} of the near heads look"
        f" within {plan.COMPARED} tokens; with {plan.WINDOWS[0]} they see no far one. We judged"
        f" predictions by the mean: for two the interval holds the bound (0.01 in {TWICE:,} tokens, 0.05 of"
        " random heads), with the kinds drawn again for a third (0.01), too.",
        "*Alike*: as many others, each matched to a near one by its weight so far back. They are one"
        " set; no interval is over heads. In two of the four kinds of text they cost about as much as"
        f" near ones. *Random*: as many drawn for each text. Near heads give {ours} % of their weight"
        f" there, those alike {alike} %, those drawn {drawn} %. The first interval of the difference just"
        " reaches zero with the kinds drawn again, since it comes from two of the four; half of those alike"
        f" give the first token at least {percent(np.median(others))} %, near heads at most"
        f" {percent(own.max())} %.",
        "Heads that need no far tokens have been found by optimization, to save memory ({ref}`Is it so?,"
        " P-60 <claim-p-60>`). Whether near heads can be cut because they look near, is open.",
    )
    return tuple(words.replace(" %", "\N{NO-BREAK SPACE}%") for words in paragraphs)


def _predicted() -> dict[str, str]:
    """How many of the predictions came true, by whether they were news and by when they were made."""
    every, rules = tables.outcomes(), tables.refuted()
    news, known = ([one for one in every if bool(one.known) is was] for was in (False, True))
    wrong = [one for one in every if one.true is False]
    assert {one.part for one in news if one.true is False} == {"a cause?"}
    assert 2 * sum(one.part == "a cause?" for one in wrong) > len(wrong), "mostly"
    assert len(rules) == 8
    assert [at for at, came in enumerate(rules) if came] == [2, 5], "two, both about a cause"
    assert 2 * sum(bool(one.true) for one in known) > sum(bool(one.true) for one in every), "most of them"
    undecided = [one for one in every if one.true is None]
    assert undecided == [one for one in news if one.true is None]
    added = {name: [one for one in every if one.added == name] for name in tables.LATER.values()}
    first, later = ([one for one in every if bool(one.added) is was] for was in (False, True))
    return {
        "predictions": f"{len(every)}",
        "news": f"{len(news)}",
        "news_true": f"{sum(bool(one.true) for one in news)}",
        "news_failed": f"{sum(one.true is False for one in news)}",
        "true": f"{sum(bool(one.true) for one in every)}",
        "failed": f"{len(wrong)}",
        "undecided": f"{len(undecided)}",
        "planned": f"{len(first)}",
        "planned_failed": f"{sum(one.true is False for one in first)}",
        "later": f"{len(later)}",
        "later_failed": f"{sum(one.true is False for one in later)}",
        "added_beyond": f"{len(added[tables.MEANWHILE])}",
        "commit_beyond": tables.MEANWHILE,
        "added_again": f"{len(added[tables.AFTERWARD])}",
        "commit_again": tables.AFTERWARD,
        "added_longer": f"{len(added[tables.LONGER])}",
        "commit_longer": tables.LONGER,
    }


def _more() -> dict[str, str]:
    """What else was asked of this model: its hands, gaps, and where position is told."""
    arrays, ways = load().arrays, ("whole", "another first token", "first token unseen")
    whole, another, unseen = (results.told(way) for way in ways)
    parted, rested, falls = results.parted(), results.rested(), arrays["falls"]
    near_one = np.array([head.near == 1 for head in load().heads])
    slow = results.moved_by(SLOW)
    steady = results.steady()
    assert results.right_without(FAST) == 0
    assert np.median(results.parts(SLOW)[0][near_one]) > 2 * np.median(results.parts(FAST)[0][near_one]), (
        "larger"
    )
    left = [results.right_without(range(start, start + 4)) for start in (4, 8, 12, 16)]
    return {
        "rest_fast": f"{rested['fastest quarter'].mean:.1f}",
        "rest_slow": f"{rested['slowest quarter'].mean:.2f}",
        "rest_turn": f"{network.OMEGA[24] * (LENGTH - 1):.2f}",
        "fast_varies": percent(results.varies(FAST, near=1)),
        "slow_varies": percent(results.varies(SLOW, near=1)),
        "fast_varies_self": percent(results.varies(FAST, near=0)),
        "slow_varies_self": percent(results.varies(SLOW, near=0)),
        "right_one": f"{results.right_without(())}",
        "right_without": f"{results.right_without(SLOW)}",
        "left_groups": in_a_row(left),
        "moved_slow": f"{slow[steady].sum()} of {slow[steady].size}",
        "moved_slow_heads": f"{slow[near_one & steady].any((1, 2)).sum()}",
        "gap": f"{plan.BEYOND:,}",
        "inside": f"{plan.INSIDE:,}",
        "beyond": f"{parted['beyond'].mean:.1f}",
        "gap_costs": f"{results.gap_costs().mean:.2f}",
        "slow_beyond": f"{parted['slow beyond'].mean:.1f}",
        "fast_beyond": f"{abs(parted['fast beyond'].mean):.2f}",
        "falling": f"{(falls < 0).sum()}",
        "steep": tables.signed(-0.9, 1),
        "steadily": f"{(falls < -0.9).sum()}",
        "whole_4": f"{whole[4]:.2f}",
        "whole_16": f"{whole[16]:.2f}",
        "whole_30": f"{whole[30]:.2f}",
        "another_4": f"{another[4]:.2f}",
        "another_16": f"{another[16]:.2f}",
        "unseen_4": f"{unseen[4]:.2f}",
        "unseen_16": f"{unseen[16]:.2f}",
        "unseen_30": f"{unseen[30]:.2f}",
    }


def of_other_models() -> tuple[str, str]:
    """What the table of near returns needs to be read, in two paragraphs."""
    omega = 500_000.0 ** (-np.arange(64) / 64)
    back, beyond = results.returns(omega, 4, 8192, 3), results.nearest_return(omega, 4, 8192)[2]
    here, right = results.four_hands_here()
    return (
        "Where fast hands return can be computed; whether a head looks there, only a measurement can say."
        " For so many of the fastest hands: the offset within the trained length (before any extension)"
        " at which, after they came apart, they are most nearly back by their mean cosine; then the first"
        " beyond it that is nearer.",
        "A head with the base and length of Llama 3.1 that leans on its four fastest hands and looks $k$ back"
        " may also look $k$ + {:,}, {:,} or {:,} back, which are nearly as good,".format(*back)
        + f" and, beyond its length, $k$ + {beyond:,}. Here four hands say $k$ + {here} (up to"
        f" {plan.END - 1}), and there {right} of the near heads looks.",
    )


@cache
def said() -> dict[str, str]:
    """The words of all these numbers, by their names on the page.

    >>> said()["turned_cases"]
    '182'
    """
    groups = (
        *(_run, _why, _right, _how_many_hands, _where_it_holds, _slight, _longer, _moved, _sizes, _cause),
        *(_cut, _predicted, _more),
    )
    return {name: words for group in groups for name, words in group().items()}
