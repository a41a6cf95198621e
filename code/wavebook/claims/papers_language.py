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
    """In how many heads the mean score falls with nearly each step."""
    falls = load().arrays["falls"]
    return [
        aside("heads", falls.size),
        says("heads whose score falls on the whole", int((falls < 0).sum()), (falls < 0).mean() < 0.5),
        says(
            "heads whose score falls with nearly each step",
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
    """What a gap beyond the trained length costs more than one within it, by the pairs that see it."""
    parted = results.parted()
    whole, slow, fast = (parted[name].mean for name in ("beyond", "slow beyond", "fast beyond"))
    return [
        says("gap beyond the trained length", digits(whole), whole > 0.1),
        says("in slow pairs alone", digits(slow), slow >= 0.5 * whole),
        says("in the others alone", digits(fast), fast < 0.05),
    ]


@check(
    "P-50",
    "{doc}`token-208`",
    why="Of the mean square of queries the square of their mean is %{queries:.2f} in the median of the heads "
    "that look near and %{queries elsewhere:.2f} in the others; of keys %{keys:.2f} and "
    "%{keys elsewhere:.2f}.",
)
def _alike() -> list[Part]:
    query, key = results.rank_one("query"), results.rank_one("key")
    return [
        says("queries", query[0], query[0] > 0.8),
        says("keys", key[0], key[0] > 0.8),
        aside("queries elsewhere", query[1]),
        aside("keys elsewhere", key[1]),
    ]


@check(
    "P-51",
    "{doc}`token-208`",
    why="By size the sixteen fastest of 32 pairs have %{fast half, by size:.2f} in the median head that "
    "looks near, and pairs 23 and 24, which make no whole turn, %{two slow pairs:.2f}. But "
    "of what varies with the offset, up to 900, the fast half makes %{fast half, by what varies:.2f}.",
)
def _medium_and_high() -> list[Part]:
    half, slow = results.medians(range(16))[0], results.medians((23, 24))[0]
    varies = results.varies(range(16))
    return [
        says("fast half, by size", digits(half), half > 0.5),
        says("fast half, by what varies", digits(varies), varies > 0.5),
        aside("two slow pairs", digits(slow)),
    ]


@check(
    "P-52",
    "{doc}`token-208`",
    why="Heads are chosen by random tokens, which no training has. In twenty texts, %{same offset:.0f} of "
    "%{heads:.0f} give most to the same near offset.",
)
def _intrinsic() -> list[Part]:
    near = load().arrays["text heads"][:, : plan.NEAR].argmax(1)
    same = sum(int(offset) == head.near for offset, head in zip(near, load().heads, strict=True))
    many = len(load().heads)
    return [
        says("same offset", same, 2 * same > many),
        says("each of them", same, same == many),
        aside("heads", many),
    ]


@check(
    "P-53",
    "{doc}`token-208`",
    why="The greatest over the mean of a head's root mean squares, in the median: queries %{queries:.1f}, "
    "keys %{keys:.1f}, values %{values:.1f}.",
)
def _massive() -> list[Part]:
    query, key, value = (results.peaks(name) for name in ("query", "key", "value"))
    return [
        says("queries", query, query > value),
        says("keys", key, key > value),
        aside("values", value),
    ]


@check(
    "P-54",
    "{doc}`token-208`",
    why="In the first layer values have it more: the greatest over the mean is %{queries, layer 0:.1f} for "
    "queries, %{keys, layer 0:.1f} for keys, %{values, layer 0:.1f} for values in the median; from the "
    "second on queries or keys have more, there %{queries, layer 1:.1f}, %{keys, layer 1:.1f} and "
    "%{values, layer 1:.1f}.",
)
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


@check(
    "P-55",
    "{doc}`token-208`",
    why="Twelve of 32 pairs make no whole turn in 8,192 tokens. The greatest of a head is one of them in "
    "%{queries:.2f} of the heads for queries, and in %{keys:.2f} for keys.",
)
def _partial_cycles() -> list[Part]:
    part = {
        name: float((results.greatest_pairs(name) >= plan.PARTIAL.start).mean()) for name in ("query", "key")
    }
    chance = (SIZE // 2 - plan.PARTIAL.start) / (SIZE // 2)
    return [
        says("queries", digits(part["query"]), part["query"] > chance),
        says("keys", digits(part["key"]), part["key"] > chance),
    ]


@check(
    "P-56",
    "{doc}`token-208`",
    why="In the heads that look near, the fastest four pairs have %{these heads:.3f} of the sum of sizes in "
    "the median, in all others %{others:.3f}; the slow pairs 23 and 24 have %{slow, these:.2f} and %{slow, "
    "others:.2f}.",
)
def _fast_for_position() -> list[Part]:
    fast, slow = results.medians(range(4)), results.medians((23, 24))
    return [
        says("these heads", fast[0], fast[0] >= 2 * fast[1]),
        aside("others", fast[1]),
        aside("slow, these", digits(slow[0])),
        aside("slow, others", digits(slow[1])),
    ]


@check(
    "P-57",
    "{doc}`token-208`",
    why="The greatest pair is in the slow half in %{queries:.2f} of the heads for queries, in "
    "%{keys:.2f} for keys. The slowest eight of 32 have %{slowest quarter:.2f} of the sum of sizes in the "
    "median head that does not look near.",
)
def _prefers_slow() -> list[Part]:
    part = {name: float((results.greatest_pairs(name) >= 16).mean()) for name in ("query", "key")}
    slowest = results.medians(range(24, 32))[1]
    return [
        says("queries", digits(part["query"]), part["query"] > 0.5),
        says("keys", digits(part["key"]), part["key"] > 0.5),
        says("slowest quarter", digits(slowest), slowest > 0.25),
    ]


@check(
    "P-58",
    "{doc}`token-208`",
    why="In random tokens a linear map of the states tells up to %{told:.2f} of the variance of positions "
    "from 64 to 511; with windows of 16 tokens and no first one, up to layer 4, %{windows:.2f}.",
)
def _absolute() -> list[Part]:
    whole = max(results.told("whole").values())
    alone = max(value for layer, value in results.told("windows alone").items() if layer <= 4)
    return [says("told", whole, whole > 0.5), aside("windows", max(alone, 0.0))]


@check(
    "P-59",
    "{doc}`token-208`",
    why="After four layers a linear map tells %{whole, layer 4:.2f} of the variance of positions, and with "
    "another first token %{another, layer 4:.2f}. After sixteen layers it is %{whole, layer 16:.2f}, and "
    "where no other token sees the first %{unseen, layer 16:.2f}; that does not tell the mask from the next "
    "token, which then is first.",
)
def _two_sources() -> list[Part]:
    whole, another, unseen = (
        results.told(way) for way in ("whole", "another first token", "first token unseen")
    )
    return [
        aside("whole, layer 4", whole[4]),
        says("another, layer 4", another[4], whole[4] - another[4] > 0.05),
        aside("whole, layer 16", whole[16]),
        says("unseen, layer 16", unseen[16], unseen[16] > 0.1),
    ]


@check(
    "P-60",
    "{doc}`token-208`",
    why="With the first token and 64 more, sixteen heads that look near cost %{these heads:+.3f} nats from "
    "position 256 on, sixteen others with as little weight on what is far %{alike:+.3f}, and sixteen random "
    "ones %{random:+.3f}. (The paper finds its heads by optimization.)",
)
def _streaming() -> list[Part]:
    rises = results.rises()
    heads, alike, random = (rises[f"{name} {plan.COMPARED}"].mean for name in ("heads", "alike", "random"))
    less = results.differences()["random"]
    return [
        says("these heads", heads, heads < 0.01),
        says("less than random ones", digits(less.mean, 3), less.high < 0),
        aside("alike", alike),
        aside("random", random),
    ]


@check(
    "P-61",
    "{doc}`token-208`",
    why="In the median of 270 heads the first token, the same in each text, gets %{first:.2f} of the weight "
    "of queries from 64 on; a token at random would get less than 0.01.",
)
def _sink() -> list[Part]:
    first = digits(np.median(load().arrays["first"]))
    return [says("first", first, first > 0.1)]


@check(
    "P-62",
    "{doc}`token-208`",
    why="Over 270 heads, the rank correlation of the weight at one near offset, in random tokens, and the "
    "part of the fastest eight pairs is %{correlation:.2f}.",
)
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
