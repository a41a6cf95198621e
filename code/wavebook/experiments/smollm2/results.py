"""What became of the plan: each number that the page and the claims say, read off the recorded data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wavebook.experiments.smollm2 import load, plan
from wavebook.experiments.smollm2.longer import END
from wavebook.experiments.smollm2.longer import RANGES as LONGER
from wavebook.experiments.smollm2.measure import pairs_at
from wavebook.experiments.smollm2.network import HEADS, LAYERS, OMEGA, SHARED, SINCE, Place
from wavebook.experiments.smollm2.record import LEAST, STEPS, favorites, ranks
from wavebook.experiments.smollm2.texts import LENGTH
from wavebook.experiments.stored import read

Float = NDArray[np.float64]
DRAWS = 2000
#: A look with less than so many times the next weight hardly stands out.
LITTLE = 1.25
#: Of the measure of what a changed token causes: how far the neighborhood goes, and what of it is left out.
AROUND, WITHOUT = 20, 3
OTHERS = range(40, 471)
THERE = 208


@dataclass(frozen=True)
class Interval:
    """A mean, and what 95 % of the means of as many things drawn with replacement lie between."""

    mean: float
    low: float
    high: float


def interval(values: Float, digits: int = 3) -> Interval:
    """The mean of some texts or sequences, and its interval.

    >>> interval(np.array([1.0, 1.0, 1.0]))
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    rng = np.random.default_rng(2026)
    means = values[rng.integers(len(values), size=(DRAWS, len(values)))].mean(1)
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(*(round(float(value), digits) for value in (values.mean(), low, high)))


def own_hands() -> NDArray[np.complex128]:
    """The hands of the heads that are looked at: (heads, 32)."""
    hands = load().hands
    return np.array([hands[head.layer, head.number] for head in load().heads])


def own_curves(factor: float = 1) -> Float:
    """The formula of the heads that are looked at, at each offset: (heads, offsets)."""
    return plan.curve(own_hands(), plan.END, factor * OMEGA)


def without(pairs: Iterable[int]) -> NDArray[np.complex128]:
    """The hands of the heads that are looked at, and nothing of some pairs: (heads, 32)."""
    hands = own_hands()
    hands[:, list(pairs)] = 0
    return hands


def formula(best: int = 3, left_out: Iterable[int] = ()) -> NDArray[np.int64]:
    """The first far offsets that the formula names for each head, some pairs left out: (heads, best)."""
    curves = plan.curve(without(left_out), plan.END)
    found: NDArray[np.int64] = np.argsort(-curves[:, plan.FAR :], 1)[:, :best] + plan.FAR
    return found


# ---- name it ----


@dataclass(frozen=True)
class Named:
    """How often the formula names the far offset that gets the most."""

    heads: int
    #: For each head, the place of the offset in the formula's order, from 1.
    ranks: NDArray[np.int64]
    #: In how many heads it is first, in each of the sequences or texts alone.
    alone: NDArray[np.int64]
    #: In how many heads the hands of another head name it, in the mean over the others.
    foreign: float

    @property
    def first(self) -> int:
        """In how many heads it is the first."""
        return int((self.ranks == 1).sum())

    @property
    def three(self) -> int:
        """In how many heads it is among the first three."""
        return int((self.ranks <= 3).sum())


def named(kind: str = "random") -> Named:
    """With random tokens, or in the texts ("text")."""
    arrays, curves = load().arrays, own_curves()
    more = "" if kind == "random" else " text"
    look, alone = (arrays[f"{name}{more}"].astype(np.int64) for name in ("look", "looks"))
    foreign = [
        float(np.mean([ranks(other, there) == 1 for at, other in enumerate(curves) if at != head]))
        for head, there in enumerate(look)
    ]
    firsts = np.array([(ranks(curves, row) == 1).sum() for row in alone])
    return Named(len(look), ranks(curves, look), firsts, round(sum(foreign), 2))


def drawn_firsts(*, heads: bool = False) -> tuple[int, int]:
    """What 95 % of the drawn sets of sequences lie between, in heads of which the formula is first.

    `heads`: with the heads drawn again, too.
    """
    drawn = load().arrays["drawn looks"].astype(np.int64)
    right = favorites(own_curves()) == drawn
    if heads:
        many = len(right[0])
        again = np.random.default_rng(2026).integers(many, size=right.shape)
        right = np.take_along_axis(right, again, 1)
    low, high = np.percentile(right.sum(1), (2.5, 97.5))
    return int(low), int(high)


def shuffled() -> tuple[float, int]:
    """With phases shuffled: how many heads' offsets are named, in the mean, and at most in 99 % of them."""
    counts = np.repeat(np.arange(len(load().heads) + 1), load().arrays["shuffled together"])
    return round(float(counts.mean()), 2), int(np.sort(counts)[int(np.ceil(0.99 * len(counts))) - 1])


def ranks_by(hands: NDArray[np.complex128], looks: str = "look") -> NDArray[np.int64]:
    """For each head the place of its far look in the order of some hands (heads, 32), from 1."""
    return ranks(plan.curve(hands, plan.END), load().arrays[looks].astype(np.int64))


def named_by(hands: NDArray[np.complex128], looks: str = "look") -> tuple[int, int, int]:
    """In how many heads some hands (heads, 32) name the offset: first, among three, first or beside it."""
    curves, seen = plan.curve(hands, plan.END), load().arrays[looks].astype(np.int64)
    found, away = ranks(curves, seen), favorites(curves) - seen
    return int((found == 1).sum()), int((found <= 3).sum()), int((abs(away) <= 1).sum())


def fastest(many: int) -> int:
    """In how many heads so many of the fastest hands alone name the offset."""
    return named_by(without(range(many, len(OMEGA))))[0]


def largest(many: int) -> int:
    """In how many heads so many of each head's largest hands alone name the offset."""
    hands = own_hands()
    np.put_along_axis(hands, np.argsort(-np.abs(hands), 1)[:, many:], 0, 1)
    return named_by(hands)[0]


def right_without(pairs: Iterable[int], near: int = 1) -> int:
    """In how many of the heads that look so far nearby the formula without some pairs names the far look."""
    right = ranks_by(without(pairs)) == 1
    return sum(bool(one) for one, head in zip(right, load().heads, strict=True) if head.near == near)


def agreeing() -> NDArray[np.complex128]:
    """The same sizes, and all hands made to agree at the head's small offset: (heads, 32)."""
    near = np.array([head.near for head in load().heads])
    found: NDArray[np.complex128] = np.abs(own_hands()) * np.exp(-1j * np.outer(near, OMEGA))
    return found


def shuffled_among(fastest: int, looks: str = "look", draws: int = 200) -> float:
    """With the phases shuffled among so many of the fastest alone: how many are named, on average."""
    rng, hands = np.random.default_rng(208), own_hands()
    counts = []
    for _ in range(draws):
        phases = np.angle(hands)
        phases[:, :fastest] = rng.permuted(phases[:, :fastest], axis=1)
        counts.append(named_by(np.abs(hands) * np.exp(1j * phases), looks)[0])
    return round(float(np.mean(counts)), 1)


def elsewhere(since: int = plan.FAR, reach: int = 512) -> tuple[int, int]:
    """In how many of the other heads the formula's first offset is at the top, and of how many.

    Of these the mean weights were kept to a tenth of a power of ten, up to `reach`: the top is the highest
    level, where at most three offsets share it, from `since` on.
    """
    sharp, tops = _sharp(since, reach)
    best = plan.curve(load().hands, reach)[..., plan.FAR :].argmax(-1)
    there = np.take_along_axis(tops, best[..., np.newaxis], -1)[..., 0]
    return int((there & sharp).sum()), int(sharp.sum())


def _sharp(since: int, reach: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which other heads' tops are told, (30, 9), and which far offsets are at the top, (30, 9, offsets)."""
    levels = load().arrays["random"][..., plan.FAR : reach]
    tops: NDArray[np.bool_] = levels == levels.max(-1, keepdims=True)
    sharp: NDArray[np.bool_] = (tops.sum(-1) <= 3) & (tops.argmax(-1) + plan.FAR >= since)
    for head in load().heads:
        sharp[head.layer, head.number] = False
    return sharp, tops


def elsewhere_by_others(since: int = plan.FAR, reach: int = 512) -> float:
    """The same, named by another head's hands, on average over all others (not planned)."""
    sharp, tops = _sharp(since, reach)
    best = plan.curve(load().hands, reach)[..., plan.FAR :].argmax(-1).ravel()
    total = 0.0
    for at in np.flatnonzero(sharp.ravel()):
        hits = tops.reshape(len(best), -1)[at][best]
        total += (hits.sum() - hits[at]) / (len(best) - 1)
    return round(total, 1)


def weights_of_all(kind: str) -> list[list[Float]]:
    """What each head gives to each offset: up to 900, or as kept of most heads, up to 511 in steps."""
    kept = load()
    weights = [[*layer] for layer in 10 ** (LEAST + kept.arrays[kind].astype(np.float64) / STEPS)]
    for at, head in enumerate(kept.heads):
        weights[head.layer][head.number] = kept.arrays[f"{kind} heads"][at, : plan.END].astype(np.float64)
    return weights


def looks_of_all(kind: str) -> tuple[Float, Float, NDArray[np.int64]]:
    """Where each head looks, near and far, with what weight, and how many share the far top.

    From the weights themselves in the heads that are looked at, up to 900; in the others up to 511, from
    their levels, whose steps are a tenth of a power of ten, so that some offsets may share the highest.

    Returns
    -------
    (numpy.ndarray, numpy.ndarray, numpy.ndarray)
        Offsets and weights, (30, 9, 2) each, and how many share the far one's level, itself counted: (30, 9).
    """
    offsets, tops = np.zeros((2, LAYERS, HEADS, 2))
    shared = np.zeros((LAYERS, HEADS), np.int64)
    for layer, row in enumerate(weights_of_all(kind)):
        for head, weights in enumerate(row):
            found = [int(weights[: plan.FAR].argmax()), plan.FAR + int(weights[plan.FAR :].argmax())]
            offsets[layer, head], tops[layer, head] = found, weights[found]
            shared[layer, head] = (weights[plan.FAR :] == weights[found[1]]).sum()
    return offsets, tops, shared


def beyond(kind: str) -> Float:
    """What each head gives to what is 64 or more back, in random tokens ("random") or texts ("text")."""
    weights = load().arrays[f"{kind} heads"].astype(np.float64)
    there = pairs_at(LENGTH)[: weights.shape[1]] / (LENGTH - SINCE)
    found: Float = (weights * there)[:, plan.COMPARED :].sum(1)
    return found


def interval_with_kinds(values: Float, texts: Iterable[int]) -> Interval:
    """A mean of some texts, and its interval with the kinds of text drawn again, then the texts of each."""
    rng = np.random.default_rng(2026)
    kinds = np.array([load().texts[number]["kind"] for number in texts])
    groups = [values[kinds == kind] for kind in dict.fromkeys(kinds.tolist())]
    means = []
    for _ in range(DRAWS):
        drawn = (groups[at] for at in rng.integers(len(groups), size=len(groups)))
        means.append(np.concatenate([rng.choice(group, len(group)) for group in drawn]).mean())
    low, high = np.percentile(means, (2.5, 97.5))
    return Interval(*(round(float(value), 3) for value in (values.mean(), low, high)))


def means_by_kind(values: Float) -> list[float]:
    """The means over the texts of each kind."""
    kinds = np.array([text["kind"] for text in load().texts])
    return [float(values[kinds == kind].mean()) for kind in dict.fromkeys(kinds.tolist())]


def agreement(kind: str = "random") -> Float:
    """Spearman's correlation over the far offsets, of the formula and the measured weight, for each head."""
    measured = load().arrays[f"{kind} heads"][:, plan.FAR : plan.END].astype(float)
    theirs = own_curves()[:, plan.FAR :]
    a, b = (values.argsort(1).argsort(1).astype(float) for values in (measured, theirs))
    a, b = a - a.mean(1, keepdims=True), b - b.mean(1, keepdims=True)
    found: Float = (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))
    return found


def far_order(kind: str = "random") -> NDArray[np.int64]:
    """The far offsets of each head that is looked at, the most attended first: (heads, offsets)."""
    weights = load().arrays[f"{kind} heads"][:, plan.FAR : plan.END]
    found: NDArray[np.int64] = np.argsort(-weights, 1, kind="stable") + plan.FAR
    return found


def times_the_next(kind: str = "random") -> Float:
    """How many times the next one's the weight of each head's far look is."""
    weights = np.sort(load().arrays[f"{kind} heads"][:, plan.FAR : plan.END].astype(np.float64), 1)
    found: Float = weights[:, -1] / weights[:, -2]
    return found


def even_share(looks: NDArray[np.int64], length: int = LENGTH) -> Float:
    """The mean weight at each of these offsets if a query gave the same to all the tokens that it sees."""
    return np.array([np.mean(1 / (np.arange(max(SINCE, int(look) + 1), length) + 1)) for look in looks])


def four_hands_here() -> tuple[int, int]:
    """Where the four fastest hands are most nearly back up to 900, and in how many heads that is the look."""
    back, _, _ = nearest_return(OMEGA, 4, plan.END - 1)
    looks = load().arrays["look"].astype(np.int64)
    return back, sum(look == head.near + back for head, look in zip(load().heads, looks, strict=True))


def spike(head: int = 2) -> tuple[float, float]:
    """The weight of a head's far look in random tokens, and the median of all far offsets."""
    weights = load().arrays["random heads"][head, plan.FAR : plan.END]
    return float(weights.max()), float(np.median(weights))


# ---- move it ----


@dataclass(frozen=True)
class Moved:
    """How often the formula says where a look goes."""

    cases: int
    first: int
    three: int


def scaled_ranks() -> NDArray[np.int64]:
    """With all frequencies multiplied, the ranks of the looks: (factors, heads)."""
    looks = load().arrays["look scaled"].astype(np.int64)
    return np.array([ranks(own_curves(factor), row) for factor, row in zip(plan.FACTORS, looks, strict=True)])


def scaled() -> Moved:
    """The same, over all factors and heads."""
    found = scaled_ranks()
    return Moved(found.size, int((found == 1).sum()), int((found <= 3).sum()))


def scaled_by_rule() -> int:
    """In how many of these cases the look is that from before, over the factor."""
    arrays = load().arrays
    rule = np.array([np.round(arrays["look"] / factor) for factor in plan.FACTORS])
    return int((arrays["look scaled"].astype(np.int64) == rule).sum())


def scaled_named() -> list[tuple[float, int, int]]:
    """Of head 2.1: the factor, where it looks, and 208 over the factor."""
    at = [head.name for head in load().heads].index("2.1")
    looks = load().arrays["look scaled"][:, at]
    return [
        (factor, int(look), round(THERE / factor)) for factor, look in zip(plan.FACTORS, looks, strict=True)
    ]


@dataclass(frozen=True)
class Turned:
    """What happened where the formula says that a look changes."""

    cases: int
    #: In how many of them the look is the one that the formula names, or the one from before.
    right: int
    stayed: int
    stayed_right: int
    #: Cases in which the formula says that nothing changes, and in how many the look is what it names.
    rest: int
    rest_right: int
    #: Or the one from before, which in some heads the formula does not name.
    rest_stayed: int


def said_of_turned(hands: NDArray[np.complex128]) -> NDArray[np.int64]:
    """Where some hands (heads, 32) say that a look goes, one of them turned: (heads, pairs, angles)."""
    said = np.zeros((len(hands), len(plan.TURNED), len(plan.ANGLES)), np.int64)
    for pair, number in enumerate(plan.TURNED):
        for angle, radians in enumerate(plan.ANGLES):
            changed = hands.copy()
            changed[:, number] *= np.exp(1j * radians)
            said[:, pair, angle] = favorites(plan.curve(changed, plan.END))
    return said


def steady() -> NDArray[np.bool_]:
    """Which heads look at the same far offset, nothing turned, in each sequence that was turned and in all.

    A hand was turned in the first three of the eight sequences, so where these differ some of what seems
    moved is of the sequences.
    """
    arrays = load().arrays
    found: NDArray[np.bool_] = (arrays["looks"][: len(plan.SCALED)] == arrays["look"]).all(0)
    return found


def turned(heads: slice | NDArray[np.bool_] = slice(None)) -> Turned:
    """With one pair of a head's query turned: all heads that are looked at, or some."""
    measured = load().arrays["look turned"].astype(np.int64)[heads]
    said = said_of_turned(own_hands())[heads]
    moves = said != favorites(own_curves())[heads, np.newaxis, np.newaxis]
    old = load().arrays["look"].astype(np.int64)[heads, np.newaxis, np.newaxis]
    return Turned(
        int(moves.sum()),
        int((measured == said)[moves].sum()),
        int((measured == old)[moves].sum()),
        int(((measured == old) & (measured == said))[moves].sum()),
        int((~moves).sum()),
        int((measured == said)[~moves].sum()),
        int((measured == old)[~moves].sum()),
    )


def moved_looks() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the formula says that a look goes, a hand turned, if to a new place; and where it went."""
    said, measured = said_of_turned(own_hands()), load().arrays["look turned"].astype(np.int64)
    moves = said != favorites(own_curves())[:, np.newaxis, np.newaxis]
    return said[moves], measured[moves]


def turned_interval() -> tuple[float, float]:
    """The part of these cases in which the formula is right: its interval, the heads drawn again."""
    said, measured = said_of_turned(own_hands()), load().arrays["look turned"]
    moves = said != favorites(own_curves())[:, np.newaxis, np.newaxis]
    cases, right = moves.sum((1, 2)), (moves & (said == measured)).sum((1, 2))
    drawn = np.random.default_rng(2026).integers(len(cases), size=(DRAWS, len(cases)))
    low, high = np.percentile(right[drawn].sum(1) / cases[drawn].sum(1), (2.5, 97.5))
    return float(low), float(high)


def turned_by_rule() -> tuple[int, int]:
    """Of the cases in which the formula says that a look changes, and of all: how many the rule has."""
    moves = said_of_turned(own_hands()) != favorites(own_curves())[:, np.newaxis, np.newaxis]
    right = said_of_turned(agreeing()) == load().arrays["look turned"]
    return int(right[moves].sum()), int(right.sum())


def moved_by(pairs: Iterable[int]) -> NDArray[np.bool_]:
    """Whether a look moved, as measured, when one of these pairs was turned: (heads, pairs, angles)."""
    arrays, at = load().arrays, [plan.TURNED.index(pair) for pair in pairs]
    found: NDArray[np.bool_] = arrays["look turned"][:, at] != arrays["look"][:, np.newaxis, np.newaxis]
    return found


# ---- is it a cause? ----


def excess(logs: Float, offset: int) -> Float:
    """Logarithms of divergences (..., offsets) at an offset, less their mean around it."""
    around = [k for k in range(offset - AROUND, offset + AROUND + 1) if abs(k - offset) > WITHOUT]
    found: Float = logs[..., offset] - logs[..., around].mean(-1)
    return found


@dataclass(frozen=True)
class Caused:
    """What a changed token does 208 later."""

    there: Interval
    #: With head 2.1 cut, and the difference.
    cut: Interval
    gone: Interval
    #: The part of the other offsets at which the excess is smaller.
    above: float
    #: The offset with the greatest excess.
    greatest: int


def caused(kind: str = "caused") -> Caused:
    """In random sequences, or in texts ("caused texts")."""
    logs = load().arrays[kind].astype(np.float64)
    whole, cut = excess(logs[:, 0], THERE), excess(logs[:, 1], THERE)
    others = np.array([excess(logs[:, 0].mean(0), k) for k in OTHERS if abs(k - THERE) > WITHOUT])
    everywhere = {k: float(excess(logs[:, 0].mean(0), k)) for k in OTHERS}
    return Caused(
        interval(whole, 2),
        interval(cut, 2),
        interval(whole - cut, 2),
        round(float((others < whole.mean()).mean()), 3),
        max(everywhere, key=lambda k: everywhere[k]),
    )


def excess_misses(kind: str) -> float:
    """The part of the other offsets at which the interval of the excess has no zero in it."""
    logs = load().arrays[kind].astype(np.float64)[:, 0]
    found = [interval(excess(logs, k)) for k in OTHERS if abs(k - THERE) > WITHOUT]
    return float(np.mean([one.low > 0 or one.high < 0 for one in found]))


#: Student's bound of 95 % with eleven degrees of freedom: a mean is as many standard errors from zero.
STUDENT = 2.201


def surer_than_students() -> tuple[int, int]:
    """Of the intervals at 208 of the excess, whole and cut, and of what the head adds, in three sets.

    Returns
    -------
    (int, int)
        How many have no zero in them, and of how many of these Student's interval has it.
    """
    count = wider = 0
    for kind in ("caused", "caused again", "caused texts"):
        logs = load().arrays[kind].astype(np.float64)
        added = logs[:, 0] - logs[:, 1]
        for values in (*(excess(logs[:, at], THERE) for at in (0, 1)), added[:, THERE]):
            drawn, error = interval(values), values.std(ddof=1) / np.sqrt(len(values))
            if drawn.low > 0 or drawn.high < 0:
                count += 1
                wider += int(abs(values.mean()) <= STUDENT * error)
    return count, wider


#: Offsets at which what 208 does may go on: none to compare with.
AFTER = range(THERE - WITHOUT, THERE + 9)
CLEAR = [k for k in OTHERS if k not in AFTER]


@dataclass(frozen=True)
class Paired:
    """What a changed token does more with head 2.1 whole than with it cut."""

    there: Interval
    #: The greatest of the other offsets, and what it does there.
    rival: int
    rival_does: float
    #: How many other offsets have as great a difference.
    as_great: int


def paired_curves(kind: str = "caused again") -> Float:
    """The differences of the logarithms, by offset: (sequences, offsets)."""
    logs = load().arrays[kind].astype(np.float64)
    found: Float = logs[:, 0] - logs[:, 1]
    return found


def paired(kind: str = "caused again") -> Paired:
    """In the sequences that the plan asked for later, or in others."""
    curves = paired_curves(kind)
    curve = curves.mean(0)
    rival = max(CLEAR, key=lambda k: curve[k])
    there = interval(curves[:, THERE], 2)
    as_great = sum(bool(curve[k] >= curve[THERE]) for k in CLEAR)
    return Paired(there, rival, round(float(curve[rival]), 2), as_great)


def medians_there(kind: str = "caused again") -> tuple[float, float]:
    """The median of the difference at 208, which no single sequence makes, and the greatest elsewhere."""
    curve = np.median(paired_curves(kind), 0)
    return float(curve[THERE]), max(float(curve[k]) for k in CLEAR)


def as_many(kind: str = "caused again") -> int:
    """At how many other offsets the difference is above zero in at least as many sequences as at 208."""
    above = (paired_curves(kind) > 0).sum(0)
    return int((above[CLEAR] >= above[THERE]).sum())


#: Divergences below this are rounding, for the most part.
SOUND = 1e-6


def as_low() -> tuple[int, int]:
    """In texts: at how many other offsets the difference is as low, by the mean and by the median.

    The mean is without what is rounding, at each offset; the median needs no such choice.
    """
    sound = (load().arrays["caused texts"] >= np.log(SOUND)).all(1)
    curves = paired_curves("caused texts")
    means = (curves * sound).sum(0) / sound.sum(0)
    mean, median = (int((each[CLEAR] <= each[THERE]).sum()) for each in (means, np.median(curves, 0)))
    return mean, median


def as_sure(kind: str = "caused again") -> int:
    """At how many other offsets the mean difference is at least as many of its standard errors as at 208."""
    curves = paired_curves(kind)
    there, *others = (curves[:, k].mean() / curves[:, k].std(ddof=1) for k in (THERE, *CLEAR))
    return sum(bool(each >= there) for each in others)


def looking_there() -> list[tuple[int, int]]:
    """The heads that look 208 back, of the far offsets to which weights were kept, and nowhere as much."""
    offsets, _, shared = looks_of_all("random")
    alone = (offsets[..., 1] == THERE) & (shared == 1)
    return [(int(layer), int(head)) for layer, head in np.argwhere(alone)]


def mean_sizes(kind: str, leave_out: bool = False) -> tuple[float, int, float]:
    """The mean size of the difference, whatever its sign: at 208, and where of the others it is greatest.

    `leave_out`: without the sequence in which it is greatest at 208. What goes on after 208 is no other.
    """
    sizes = np.abs(paired_curves(kind))
    if leave_out:
        sizes = np.delete(sizes, sizes[:, THERE].argmax(), 0)
    means = sizes.mean(0)
    rival = max(CLEAR, key=lambda k: means[k])
    return float(means[THERE]), rival, float(means[rival])


def trimmed_sizes(kind: str) -> tuple[float, float]:
    """The mean size of the difference at 208, and the greatest elsewhere: each without its own greatest."""
    means = np.sort(np.abs(paired_curves(kind)), 0)[:-1].mean(0)
    return float(means[THERE]), float(means[CLEAR].max())


# ---- cut it ----


def far_weight(heads: Iterable[Place]) -> float:
    """What some heads give in all to what is as far back as is cut, in heads."""
    return sum(float(load().arrays["far"][place]) for place in heads)


def far_weights() -> tuple[float, float, float]:
    """The same of the heads that are looked at, of those alike, and of those drawn, as a mean."""
    recorded = load()
    own = [(head.layer, head.number) for head in recorded.heads]
    drawn = [far_weight(plan.drawn(own, number)) for number in range(len(recorded.texts))]
    alike = [(layer, number) for layer, number in (head.alike for head in recorded.heads)]
    return far_weight(own), far_weight(alike), sum(drawn) / len(drawn)


def rises() -> dict[str, Interval]:
    """How much the mean loss from position 256 on rises, by what is cut."""
    losses = load().losses("cut")
    return {name: interval(values - losses["none"], 4) for name, values in losses.items() if name != "none"}


def differences() -> dict[str, Interval]:
    """The rise of the heads that are looked at, less that of those that they are compared with."""
    losses = load().losses("cut")
    ours = losses[f"heads {plan.COMPARED}"]
    return {name: interval(ours - losses[f"{name} {plan.COMPARED}"], 4) for name in ("alike", "random")}


def rises_but(kind: str) -> Interval:
    """How much the mean loss rises with 64 tokens seen by the heads looked at, without one kind of text."""
    losses = load().losses("cut")
    rise = losses[f"heads {plan.COMPARED}"] - losses["none"]
    return interval(rise[np.array([text["kind"] != kind for text in load().texts])], 4)


def rises_by_range(name: str) -> list[float]:
    """The mean rise in each range of positions."""
    ranges = load().arrays["cut ranges"].astype(np.float64)
    at = load().names["cut"].index(name)
    return [round(float(value), 3) for value in (ranges[:, at] - ranges[:, 0]).mean(0)]


def rises_of(of: str, reference: Float) -> dict[str, Interval]:
    """The rises of "rested" or "parted" over the losses of the same texts."""
    return {name: interval(values - reference, 3) for name, values in load().losses(of).items()}


def gap_costs() -> Interval:
    """What a gap within the trained length costs, over no gap, in the second half."""
    kept = load()
    at = [number for number in range(len(kept.texts)) if number % 5 < 2]
    whole = kept.arrays["cut ranges"][at, 0, len(kept.arrays["cut ranges"][0, 0]) - 1].astype(np.float64)
    return interval(kept.losses("parted")["inside"] - whole, 2)


def rested() -> dict[str, Interval]:
    """How much the loss rises when pairs are at rest."""
    whole = load().losses("cut")["none"][[at for at in range(len(load().texts)) if at % 5 < 2]]
    return rises_of("rested", whole)


def parted() -> dict[str, Interval]:
    """How much more a gap beyond the trained length costs than one within it, by the pairs that see it."""
    return {
        name: each
        for name, each in rises_of("parted", load().losses("parted")["inside"]).items()
        if name != "inside"
    }


# ---- where does position sit? ----


def parts(pairs: Iterable[int]) -> tuple[Float, Float]:
    """The part of the sum of sizes that some pairs have, in the heads that are looked at and the others."""
    sizes = np.abs(load().hands)
    part = sizes[..., list(pairs)].sum(-1) / sizes.sum(-1)
    own = np.zeros((LAYERS, HEADS), bool)
    for head in load().heads:
        own[head.layer, head.number] = True
    return part[own], part[~own]


def medians(pairs: Iterable[int]) -> tuple[float, float]:
    """The same, as medians."""
    own, others = parts(pairs)
    return round(float(np.median(own)), 3), round(float(np.median(others)), 3)


def varies(pairs: Iterable[int], near: int | None = None) -> float:
    """What some pairs make of the formula's variance over offsets, of theirs and the others': the median.

    Of all heads that are looked at, or of those whose small offset is `near`.
    """
    hands, some = own_hands(), list(pairs)
    hands = hands[[near in (None, head.near) for head in load().heads]]
    inside, outside = hands.copy(), hands.copy()
    outside[:, some] = 0
    inside -= outside
    one, other = (plan.curve(each, plan.END)[:, 1:].var(1) for each in (inside, outside))
    return round(float(np.median(one / (one + other))), 3)


def greatest_pairs(name: str) -> NDArray[np.int64]:
    """The pair of the greatest root mean square of each head's queries or keys."""
    found: NDArray[np.int64] = load().arrays[f"spread {name}"].argmax(-1)
    return found


def peaks(name: str) -> float:
    """The greatest over the mean of a head's root mean squares, by what they are of: the median."""
    spread = load().arrays[f"spread {name}"].astype(np.float64)
    return round(float(np.median(spread.max(-1) / spread.mean(-1))), 2)


def rank_one(name: str) -> tuple[float, float]:
    """The part of the mean square that the mean has, in the heads looked at and the others: medians."""
    one = load().arrays[f"one {name}"].astype(np.float64)
    if name == "key":
        one = np.repeat(one, SHARED, 1)
    own = [(head.layer, head.number) for head in load().heads]
    mine = [one[place] for place in own]
    others = [one[a, b] for a in range(LAYERS) for b in range(HEADS) if (a, b) not in own]
    return round(float(np.median(mine)), 2), round(float(np.median(others)), 2)


def told(way: str) -> dict[int, float]:
    """The part of the variance of positions that is told, by layer."""
    row = load().arrays["told"][load().names["ways"].index(way)]
    return {layer: round(float(value), 2) for layer, value in zip(load().names["asked"], row, strict=True)}


# ---- in twice as many tokens ----


@dataclass(frozen=True)
class NamedLonger:
    """In how many heads the far offset that gets the most is named, in 2,048 tokens."""

    first: int
    #: By the same sizes, all hands agreeing at the small offset.
    rule: int
    #: By another head's hands, on average, and by the head's own with their phases shuffled, at most in 99 %.
    foreign: float
    shuffled: float
    shuffled_most: int
    #: Where each head looks, and where the formula says.
    looks: list[int]
    said: list[int]
    #: In how many heads the formula is first in single sequences or texts.
    alone: list[int]


def longer() -> tuple[dict[str, Any], Mapping[str, NDArray[Any]]]:
    """What was recorded of 2,048 tokens: in words, and the arrays."""
    return read("wavebook.experiments.smollm2", "longer")


@cache
def named_longer(kind: str, part: str, shuffles: int = 1000) -> NamedLonger:
    """Of all far offsets ("all"), of 901 to 1,900 ("new"), or of those that no run of 1,024 tokens has.

    In random tokens or texts ("text"). The last, "beyond", is asked of the kept means alone.
    """
    arrays, hands = longer()[1], own_hands()
    start, stop = (LENGTH, END) if part == "beyond" else LONGER[part]
    angles = np.outer(OMEGA, np.arange(start, stop))
    cos, sin = np.cos(angles), np.sin(angles)

    def said(hands: NDArray[np.complex128]) -> NDArray[np.int64]:
        found: NDArray[np.int64] = start + (hands.real @ cos - hands.imag @ sin).argmax(-1)
        return found

    looks = start + arrays[kind][:, start:stop].argmax(-1)
    alone = looks[np.newaxis]
    if part in LONGER:
        looks, alone = (arrays[f"{kind} {part}{more}"].astype(np.int64) for more in ("", " alone"))
    own = said(hands)
    foreign = [np.delete(own == look, at).mean() for at, look in enumerate(looks)]
    rng, counts = np.random.default_rng(2048), []
    for _ in range(shuffles):
        phases = rng.permuted(np.angle(hands), axis=1)
        counts.append(int((said(np.abs(hands) * np.exp(1j * phases)) == looks).sum()))
    return NamedLonger(
        int((own == looks).sum()),
        int((said(agreeing()) == looks).sum()),
        round(float(sum(foreign)), 2),
        round(float(np.mean(counts)), 2),
        sorted(counts)[int(np.ceil(0.99 * shuffles)) - 1],
        looks.tolist(),
        own.tolist(),
        [int(many) for many in (alone == own).sum(1)],
    )


def slight_longer(kind: str = "random") -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of 901 to 1,900: whose looks get less than an even spread gives, and whose hardly more than the next.

    Hardly: less than `LITTLE` times.
    """
    start, stop = LONGER["new"]
    weights = np.sort(longer()[1][kind][:, start:stop].astype(np.float64), 1)
    looks = np.array(named_longer(kind, "new").looks)
    return weights[:, -1] < even_share(looks, 2 * LENGTH), (weights[:, -1] / weights[:, -2]).round(3) < LITTLE


def rises_longer() -> dict[str, Interval]:
    """How much the mean loss from position 1,024 on rises, by what is cut; and ours less those alike."""
    written, arrays = longer()
    losses = dict(zip(written["cut"], arrays["cut"].T.astype(np.float64), strict=True))
    ours, alike = (losses[f"{name} {plan.COMPARED}"] for name in ("heads", "alike"))
    return {
        "heads": interval(ours - losses["none"], 4),
        "alike": interval(alike - losses["none"], 4),
        "less": interval(ours - alike, 4),
    }


# ---- in other models ----


def _back(omega: Float, fastest: int, end: int) -> tuple[Float, int]:
    """The mean cosine of the fastest hands at the offsets 0 to `end`, and where it first falls below 0."""
    offsets = np.arange(end + 1)
    mean = np.zeros(len(offsets))
    for each in omega[:fastest]:
        mean += np.cos(each * offsets) / fastest
    mean = mean.round(9)
    return mean, max(1, int((mean < 0).argmax()))


def returns(omega: Float, fastest: int, trained: int, many: int) -> list[int]:
    """The offsets within the trained length at which the fastest hands are most nearly back, the best first.

    By their mean cosine, after it first falls below 0.

    >>> returns(np.array([2 * np.pi / 10]), 1, 35, 2)
    [10, 20]
    """
    mean, since = _back(omega, fastest, trained)
    return [since + int(at) for at in np.argsort(-mean[since:], kind="stable")[:many]]


def nearest_return(
    omega: Float, fastest: int, trained: int, reach: int = 20
) -> tuple[int, float, int | None]:
    """Where the fastest hands are most nearly back within the trained length, and where more so beyond.

    Offsets before their mean cosine first falls below 0 are left out.

    Returns
    -------
    (int, float, int or None)
        The offset, the mean cosine there, and the first offset up to `reach` times the trained length at
        which it is greater, if there is one.

    Examples
    --------
    >>> nearest_return(np.array([2 * np.pi / 10]), 1, 25)
    (10, 1.0, None)
    """
    mean, since = _back(omega, fastest, reach * trained)
    best = since + int(mean[since : trained + 1].argmax())
    later = np.flatnonzero(mean[trained + 1 :] > mean[best])
    return best, float(mean[best]), trained + 1 + int(later[0]) if len(later) else None
