"""Checks of what papers of wavebook/data/papers.yml say of language models: on that of "Token 208".

It is one model of 135 million weights in four bits; what is found holds for it. Thresholds are the plan's,
where the plan has one.
"""

from __future__ import annotations

import numpy as np

from posenc.arguments import Float
from wavebook.claims.finding import Part, aside, check, digits, says
from wavebook.experiments.smollm2 import load, plan, results
from wavebook.experiments.smollm2.network import SIZE


def lost_with_distance() -> list[Part]:
    """In how many heads the mean score falls, on the whole and steadily."""
    falls = load().arrays["falls"]
    return [
        aside("heads", falls.size),
        says("heads whose score falls on the whole", int((falls < 0).sum()), (falls < 0).mean() < 0.5),
        says(
            "heads whose score falls steadily",
            int((falls < -0.9).sum()),
            (falls < -0.9).mean() < 0.5,
        ),
    ]


def low_utility() -> list[Part]:
    """What the fastest pairs have of the sizes of heads that do not look near, and what they cost at rest."""
    _, part = results.medians(range(8))
    rise = results.rested()["fastest quarter"].mean
    return [
        says("fast pairs elsewhere", digits(part), part < 0.125),
        says("fast pairs at rest", digits(rise), rise < 0.05),
    ]


def undertrained() -> list[Part]:
    """What a gap beyond the trained length costs more than one within it, by the pairs that see it.

    The gap moves the first token, too: if that has much of the weight, it may be what is lost.
    """
    parted, first = results.parted(), float(np.median(load().arrays["first"]))
    whole, slow, fast = (parted[name].mean for name in ("beyond", "slow beyond", "fast beyond"))
    return [
        says("gap beyond the trained length", digits(whole), whole > 0.1),
        says("in slow pairs alone", digits(slow), slow >= 0.5 * whole),
        says("in the others alone", digits(fast), fast < 0.05),
        says("weight of the first token", digits(first), first < 0.1),
    ]


@check("P-50")
def _alike() -> list[Part]:
    query, key = results.rank_one("query"), results.rank_one("key")
    return [
        says("queries", query[0], query[0] > 0.8),
        says("keys", key[0], key[0] > 0.8),
        aside("queries elsewhere", query[1]),
        aside("keys elsewhere", key[1]),
    ]


@check("P-51")
def _medium_and_high() -> list[Part]:
    half, slow = results.medians(range(16))[0], results.medians((23, 24))[0]
    varies = results.varies(range(16))
    return [
        says("fast half, by size", digits(half), half > 0.5),
        says("fast half, by what varies", digits(varies), varies > 0.5),
        aside("two slow pairs", digits(slow)),
    ]


@check("P-52")
def _intrinsic() -> list[Part]:
    near = load().arrays["text heads"][:, : plan.NEAR].argmax(1)
    same = sum(int(offset) == head.near for offset, head in zip(near, load().heads, strict=True))
    many = len(load().heads)
    return [
        says("same offset", same, 2 * same > many),
        says("each of them", same, same == many),
        aside("heads", many),
    ]


@check("P-53")
def _massive() -> list[Part]:
    query, key, value = (results.peaks(name) for name in ("query", "key", "value"))
    return [
        says("queries", query, query > value),
        says("keys", key, key > value),
        aside("values", value),
    ]


@check("P-54")
def _from_the_first() -> list[Part]:
    parts = []
    for layer in (0, 1):
        peak = {}
        for name in ("query", "key", "value"):
            spread = load().arrays[f"spread {name}"][layer].astype(np.float64)
            peak[name] = digits(np.median(spread.max(-1) / spread.mean(-1)), 1)
        parts += [
            says(f"queries, layer {layer}", peak["query"], peak["query"] > peak["value"]),
            says(f"keys, layer {layer}", peak["key"], peak["key"] > peak["value"]),
            aside(f"values, layer {layer}", peak["value"]),
        ]
    return parts


@check("P-55")
def _partial_cycles() -> list[Part]:
    part = {
        name: float((results.greatest_pairs(name) >= plan.PARTIAL.start).mean()) for name in ("query", "key")
    }
    chance = (SIZE // 2 - plan.PARTIAL.start) / (SIZE // 2)
    return [
        says("queries", digits(part["query"]), part["query"] > chance),
        says("keys", digits(part["key"]), part["key"] > chance),
    ]


@check("P-56")
def _fast_for_position() -> list[Part]:
    fast, slow = results.medians(range(4)), results.medians((23, 24))
    return [
        says("these heads", fast[0], fast[0] >= 2 * fast[1]),
        aside("others", fast[1]),
        says("named without them", results.right_without(range(4)), results.right_without(range(4)) == 0),
        aside("named", results.right_without(())),
        aside("slow, these", digits(slow[0])),
        aside("slow, others", digits(slow[1])),
    ]


@check("P-57")
def _prefers_slow() -> list[Part]:
    part = {name: float((results.greatest_pairs(name) >= 16).mean()) for name in ("query", "key")}
    two, slowest = (results.medians(pairs)[1] for pairs in ((23, 24), range(25, 32)))
    return [
        says("queries", digits(part["query"], 3), part["query"] > 0.5),
        says("keys", digits(part["key"], 3), part["key"] > 0.5),
        aside("two slow pairs", digits(two)),
        says("seven slower", digits(slowest), slowest > 7 / 32),
    ]


@check("P-58")
def _absolute() -> list[Part]:
    whole = results.told("whole")
    most = max(whole.values())
    alone = max(value for layer, value in results.told("windows alone").items() if layer <= 4)
    return [says("told", most, most > 0.5), aside("told, layer 4", whole[4]), aside("windows", alone)]


@check("P-59")
def _two_sources() -> list[Part]:
    whole, another, unseen = (
        results.told(way) for way in ("whole", "another first token", "first token unseen")
    )
    return [
        aside("whole, layer 4", whole[4]),
        says("another, layer 4", another[4], whole[4] - another[4] > 0.05),
        aside("whole, layer 16", whole[16]),
        says("unseen, layer 16", unseen[16], unseen[16] > 0.1),
        says("unseen, last layer", unseen[30], unseen[30] < whole[30]),
    ]


@check("P-60")
def _streaming() -> list[Part]:
    rises = results.rises()
    heads, alike, random = (rises[f"{name} {plan.COMPARED}"].mean for name in ("heads", "alike", "random"))
    less, longer = results.differences()["random"], results.rises_longer()["heads"].mean
    return [
        says("these heads", heads, heads < 0.01),
        says("in 2,048 tokens", longer, longer < 0.01),
        says("less than random ones", digits(less.mean, 3), less.high < 0),
        says("alike", alike, alike < 0.01),
        aside("random", random),
    ]


@check("P-61")
def _sink() -> list[Part]:
    first = digits(np.median(load().arrays["first"]))
    return [says("first", first, first > 0.1)]


@check("P-62")
def _behavior_and_frequency() -> list[Part]:
    sizes = np.abs(load().hands)
    part = (sizes[..., :8].sum(-1) / sizes.sum(-1)).ravel()
    weight = load().arrays["random"][..., : plan.NEAR].max(-1).ravel()
    found = digits(_ranked(part, weight.astype(float)))
    return [
        says("correlation", found, found > 0),
        says("a strong one", found, found > 0.7),
    ]


def _ranked(one: Float, other: Float) -> float:
    """Spearman's correlation; equal values share their mean rank."""

    def places(values: Float) -> Float:
        _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
        means = np.cumsum(counts) - (counts - 1) / 2
        return np.asarray(means[inverse], dtype=np.float64)

    return float(np.corrcoef(places(one), places(other))[0, 1])
