"""A published language model: its arithmetic by definition, its records whole, what is said of them.

The model itself is not needed but for the last test, which is skipped where it is not installed.
"""

from __future__ import annotations

import cmath
import hashlib
import itertools
import json
import math
import random
import re
import statistics
import subprocess
from importlib.metadata import PackageNotFoundError
from importlib.resources import files
from types import SimpleNamespace

import numpy as np
import pytest
from harness import REPOSITORY

from wavebook.experiments import smollm2
from wavebook.experiments.smollm2 import (
    answers,
    longer,
    measure,
    network,
    plan,
    record,
    results,
    tables,
    texts,
)
from wavebook.experiments.smollm2.network import (
    HEADS,
    KEYS,
    LAYERS,
    OMEGA,
    SHARED,
    SIZE,
    WIDTH,
    Change,
    Watch,
)
from wavebook.experiments.smollm2.tokens import Tokenizer, pieces

RECORDED = smollm2.load()
ARRAYS = RECORDED.arrays
FOLDER = "code/wavebook/experiments/smollm2"
PLAN = (REPOSITORY / FOLDER / "plan.md").read_text()


# ---- the model, by definition ----


def one_head(rows, weights, head, *, jump=0, jump_at=0, window=None, first_seen=True):
    """What a head gives, by its definition, in floats of 64 bits: its weights and its output."""
    entries = rows.astype(float) @ weights["qkv"].astype(float)
    key_head = head // SHARED
    q = entries[:, head * SIZE : (head + 1) * SIZE]
    k = entries[:, HEADS * SIZE + key_head * SIZE : HEADS * SIZE + (key_head + 1) * SIZE]
    v = entries[:, (HEADS + KEYS) * SIZE + key_head * SIZE :][:, :SIZE]
    n = len(rows)
    place = [p + (jump if p >= jump_at else 0) for p in range(n)]

    def turned(row, p):
        out = []
        for i in range(SIZE // 2):
            angle = place[p] * 100_000 ** (-2 * i / SIZE)
            a, b = row[2 * i], row[2 * i + 1]
            out += [
                a * math.cos(angle) - b * math.sin(angle),
                a * math.sin(angle) + b * math.cos(angle),
            ]
        return np.array(out)

    turned_k = [turned(k[p], p) for p in range(n)]
    weights_of = np.zeros((n, n))
    for p in range(n):
        seen = [
            o
            for o in range(p + 1)
            if (window is None or p - o < window or o == 0) and (first_seen or o > 0 or p == 0)
        ]
        query = turned(q[p], p)
        powers = [math.exp(float(query @ turned_k[o]) / 8) for o in seen]
        for o, power in zip(seen, powers, strict=True):
            weights_of[p, o] = power / sum(powers)
    return weights_of, weights_of @ v


@pytest.fixture(scope="module")
def layer():
    rng = np.random.default_rng(1)
    weights = {
        "qkv": rng.normal(0, 0.05, (WIDTH, (HEADS + 2 * KEYS) * SIZE)).astype(np.float32),
        "out": np.eye(WIDTH, dtype=np.float32),
    }
    return weights, rng.normal(0, 1, (21, WIDTH)).astype(np.float32)


CHANGES = {
    "as it is": ({}, {}),
    "window": ({"windows": {(0, 4): 5}}, {"window": 5}),
    "first unseen": ({"first_seen": False}, {"first_seen": False}),
    "a gap": (
        {"jump": np.full(SIZE // 2, 300), "jump_at": 9},
        {"jump": 300, "jump_at": 9},
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_attention_is_what_its_definition_says(layer, name):
    ours, theirs = CHANGES[name]
    weights, rows = layer
    seen = {}
    change = Change(**ours)
    watch = Watch(weights=lambda _, head, start, given: seen.__setitem__(head, given.copy()))
    out = network._attend(rows, weights, 0, change.turns(len(rows)), change, watch)
    for head in (0, 4, 8):
        options = theirs if head == 4 or "window" not in theirs else {}
        wanted, values = one_head(rows, weights, head, **options)
        np.testing.assert_allclose(seen[head], wanted, atol=2e-5)
        np.testing.assert_allclose(out[:, head * SIZE : (head + 1) * SIZE], values, atol=2e-5)


def test_weights_are_added_along_offsets():
    weights = np.random.default_rng(2).random((4, 9)).astype(np.float32)
    wanted = [sum(weights[q, 5 + q - k] for q in range(4) if 5 + q - k >= 0) for k in range(9)]
    np.testing.assert_allclose(network.by_offset(weights), wanted, rtol=1e-6)


def test_mean_scores_by_offset_are_means_of_scores():
    rng = np.random.default_rng(3)
    n = 80
    query, key = (
        (rng.normal(size=(n, heads, 32)) + 1j * rng.normal(size=(n, heads, 32))).astype(np.complex64)
        for heads in (HEADS, KEYS)
    )
    found = measure.mean_scores(query, key, OMEGA)
    pairs = measure.pairs_at(n)
    for head, offset in ((0, 0), (4, 7), (8, 70)):
        scores = [
            sum(
                (
                    query[p, head, i] * key[p - offset, head // 3, i].conjugate() * cmath.exp(1j * w * offset)
                ).real
                for i, w in enumerate(OMEGA)
            )
            / 8
            for p in range(max(measure.SINCE, offset + 1), n)
        ]
        assert pairs[offset] == len(scores)
        assert found[head, offset] == pytest.approx(np.mean(scores), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a  b", ["a", " ", " b"]),
        ("x 47", ["x", " ", "4", "7"]),
        ("we're\n\n  ok", ["we", "'re", "\n\n ", " ok"]),
        ("été²!", ["été", "²", "!"]),
        ("end  ", ["end", "  "]),
    ],
)
def test_texts_are_cut_into_pieces(text, wanted):
    assert pieces(text) == wanted
    assert "".join(pieces(text)) == text


def test_pairs_are_merged_by_their_rank():
    tokenizer = Tokenizer.__new__(Tokenizer)
    tokenizer.vocabulary = ["a", "b", "c", "ab", "bc", "abc"]
    tokenizer._number = {token: at for at, token in enumerate(tokenizer.vocabulary)}
    tokenizer._rank = {("b", "c"): 0, ("a", "b"): 1, ("a", "bc"): 2}
    tokenizer._known = {}
    assert tokenizer.encode("abc").tolist() == [5]
    assert tokenizer.encode("aab").tolist() == [0, 3]
    assert tokenizer.decode(np.array([0, 3])) == "aab"


# ---- the records ----


def test_the_data_are_those_that_were_hashed():
    data = files("wavebook.experiments.smollm2").joinpath("smollm2.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == RECORDED.about["sha256"]
    assert len(data) < 3_000_000
    assert RECORDED.model["sha256"] == network.SHA256


def test_the_records_are_whole():
    many = len(RECORDED.heads)
    assert len(RECORDED.texts) == len(texts.COUNTED) >= 20
    assert {text["kind"] for text in RECORDED.texts} == {text.kind for text in texts.COUNTED}
    assert len({text["sha256 of tokens"] for text in RECORDED.texts}) == len(texts.COUNTED)
    assert ARRAYS["hands"].shape == (2, LAYERS, HEADS, SIZE // 2)
    assert ARRAYS["random"].shape == ARRAYS["text"].shape == (LAYERS, HEADS, record.SHOWN)
    assert ARRAYS["looks"].shape == (len(plan.RUNS), many)
    assert ARRAYS["look scaled"].shape == (len(plan.FACTORS), many)
    assert ARRAYS["look turned"].shape == (many, len(plan.TURNED), len(plan.ANGLES))
    assert ARRAYS["cut"].shape == (len(texts.COUNTED), len(RECORDED.names["cut"]))
    for name in ("caused", "caused again"):
        assert ARRAYS[name].shape == (
            len(plan.CAUSED),
            2,
            plan.CAUSE_LENGTH - plan.PLACE_CHANGED,
        )
    assert not set(plan.CAUSED) & set(plan.CAUSED_AGAIN)
    assert ARRAYS["shuffled together"].sum() == record.SHUFFLES
    for name, values in ARRAYS.items():
        assert np.isfinite(values).all(), name


def test_weights_of_all_heads_are_those_of_the_heads_looked_at():
    for at, head in enumerate(RECORDED.heads):
        for kind in ("random", "text"):
            exact = ARRAYS[f"{kind} heads"][at][: record.SHOWN].astype(float)
            level = ARRAYS[kind][head.layer, head.number]
            shown = exact > 2 * 10.0**record.LEAST
            wanted = 10 ** (record.LEAST + level[shown] / record.STEPS)
            np.testing.assert_allclose(wanted, exact[shown], rtol=0.14)
        assert ARRAYS["random heads"][at].argmax() == head.near
        far = ARRAYS["random heads"][at][plan.FAR : plan.END]
        assert (
            far.argmax() + plan.FAR == ARRAYS["look"][at] or far.max() == far[ARRAYS["look"][at] - plan.FAR]
        )


def literal_curve(hands, factor=1.0):
    return [
        sum(
            (hand * cmath.exp(1j * factor * 100_000 ** (-i / 32) * offset)).real
            for i, hand in enumerate(hands)
        )
        for offset in range(plan.END)
    ]


def test_the_formula_is_a_sum_of_cosines_and_names_what_is_said():
    ranks = results.named().ranks
    for at, head in enumerate(RECORDED.heads):
        curve = literal_curve(RECORDED.hands[head.layer, head.number])
        look = int(ARRAYS["look"][at])
        assert 1 + sum(value > curve[look] for value in curve[plan.FAR :]) == ranks[at]
        best = sorted(range(plan.FAR, plan.END), key=lambda k: -curve[k])[:3]
        assert best == results.formula()[at].tolist()
    named = results.named()
    assert named.first == sum(ranks == 1)
    assert named.three == sum(ranks <= 3)


@pytest.mark.slow
def test_moved_looks_are_counted_again():
    cases = first = 0
    for factor, looks in zip(plan.FACTORS, ARRAYS["look scaled"], strict=True):
        for head, look in zip(RECORDED.heads, looks, strict=True):
            curve = literal_curve(RECORDED.hands[head.layer, head.number], factor)
            cases += 1
            first += max(curve[plan.FAR :]) == curve[int(look)]
    scaled = results.scaled()
    assert (scaled.cases, scaled.first) == (cases, first)
    turned = results.turned()
    assert turned.cases + turned.rest == ARRAYS["look turned"].size
    stayed = sum(int((ARRAYS["look turned"][at] == look).sum()) for at, look in enumerate(ARRAYS["look"]))
    assert turned.stayed + turned.rest_stayed == stayed
    both = by_rule = rule_of_all = 0
    counted, by_head = {"steady": [0] * 5, "others": [0] * 5}, []

    def goes(hands):
        curve = literal_curve(hands)
        return curve.index(max(curve[plan.FAR :]), plan.FAR)

    for at, head in enumerate(RECORDED.heads):
        hands, look = RECORDED.hands[head.layer, head.number], ARRAYS["look"][at]
        even = [abs(h) * cmath.exp(-1j * 100_000 ** (-i / 32) * head.near) for i, h in enumerate(hands)]
        singly = {int(ARRAYS["looks"][sequence, at]) for sequence in range(3)}
        cases = counted["steady" if singly == {int(look)} else "others"]
        assert results.steady()[at] == (singly == {int(look)})
        first, before = goes(hands), tuple(cases)
        for pair, number in enumerate(plan.TURNED):
            for angle, radians in enumerate(plan.ANGLES):
                seen = ARRAYS["look turned"][at, pair, angle]
                said, rule = (
                    goes([h * cmath.exp(1j * radians * (i == number)) for i, h in enumerate(given)])
                    for given in (hands, even)
                )
                both += said != first and said == look == seen
                by_rule += said != first and rule == seen
                rule_of_all += rule == seen
                cases[4] += said == first == seen
                cases[0 if said != first else 2] += 1
                cases[1 if said != first else 3] += seen == (said if said != first else look)
        by_head.append([int(cases[k]) - before[k] for k in range(2)])
    assert turned.stayed_right == both
    # The interval of a ratio is near two standard errors of what is left, head by head.
    cases, right = np.array(by_head).T
    error = math.sqrt(16 / 15 * sum((right - cases * right.sum() / cases.sum()) ** 2)) / cases.sum()
    low, high = results.turned_interval()
    assert low < right.sum() / cases.sum() < high
    assert high - low == pytest.approx(3.92 * error, rel=0.15)
    assert results.turned_by_rule() == (by_rule, rule_of_all)
    for name, heads in (("steady", results.steady()), ("others", ~results.steady())):
        some = results.turned(heads)
        assert [some.cases, some.right, some.rest, some.rest_stayed, some.rest_right] == counted[name]


@pytest.mark.slow
def test_rivals_of_the_formula_are_counted_again():
    looks = ARRAYS["look"].astype(int)

    def firsts(changed):
        found = beside = 0
        for head, look in zip(RECORDED.heads, looks, strict=True):
            curve = literal_curve(changed(RECORDED.hands[head.layer, head.number], head.near))
            found += max(curve[plan.FAR :]) == curve[look]
            beside += max(curve[plan.FAR :]) in curve[look - 1 : look + 2]
        return found, beside

    for many in (2, 8, 23, 25):
        assert results.fastest(many) == firsts(lambda hands, near, many=many: hands[:many])[0]

    def greatest(hands, near):
        least = sorted(map(abs, hands))[-12]
        return [hand if abs(hand) >= least else 0 for hand in hands]

    assert results.largest(12) == firsts(greatest)[0]

    def agreeing(hands, near):
        return [abs(hand) * cmath.exp(-1j * 100_000 ** (-i / 32) * near) for i, hand in enumerate(hands)]

    assert results.named_by(results.agreeing())[::2] == firsts(agreeing)
    assert results.named_by(results.own_hands())[::2] == firsts(lambda hands, near: hands)
    looks = ARRAYS["look text"].astype(int)
    assert results.named_by(results.agreeing(), "look text")[::2] == firsts(agreeing)
    looks = ARRAYS["look"].astype(int)
    curves = [literal_curve(RECORDED.hands[head.layer, head.number]) for head in RECORDED.heads]
    best = [max(curve[plan.FAR :]) for curve in curves]
    drawn = sorted(
        sum(curve[k] == top for curve, top, k in zip(curves, best, row, strict=True))
        for row in ARRAYS["drawn looks"].astype(int).tolist()
    )
    ends = (round(part * (len(drawn) - 1)) for part in (0.025, 0.975))
    assert results.drawn_firsts() == tuple(drawn[end] for end in ends)
    # With the heads drawn, too: two variances add up.
    right = [
        [curve[k] == top for curve, top, k in zip(curves, best, row, strict=True)]
        for row in ARRAYS["drawn looks"]
    ]
    draw, counts = random.Random(3), []
    for row in right * 5:
        counts.append(sum(draw.choices(row, k=len(row))))
    ends = (sorted(counts)[round(part * (len(counts) - 1))] for part in (0.025, 0.975))
    assert results.drawn_firsts(heads=True) == tuple(ends)
    rows = zip(plan.FACTORS, ARRAYS["look scaled"].astype(int).tolist(), strict=True)
    rule = [
        found == round(look / factor) for factor, row in rows for found, look in zip(row, looks, strict=True)
    ]
    assert results.scaled_by_rule() == sum(rule)


@pytest.mark.slow
def test_what_slow_pairs_choose_is_counted_again():
    looks, slow, fast = ARRAYS["look"].astype(int).tolist(), (23, 24), range(4)

    def names(left_out):
        for head in RECORDED.heads:
            hands = RECORDED.hands[head.layer, head.number].tolist()
            curve = literal_curve([0 if i in left_out else hand for i, hand in enumerate(hands)])
            yield curve.index(max(curve[plan.FAR :]), plan.FAR)

    for left_out in ((), slow, fast, range(4, 8), range(16, 20)):
        said = list(names(left_out))
        assert results.formula(1, left_out)[:, 0].tolist() == said
        right = [
            head.near == 1 and one == look
            for head, one, look in zip(RECORDED.heads, said, looks, strict=True)
        ]
        assert results.right_without(left_out) == sum(right)
    moved = results.moved_by(slow)
    for at, look in enumerate(looks):
        for pair, number in enumerate(slow):
            row = ARRAYS["look turned"][at, plan.TURNED.index(number)].astype(int).tolist()
            assert moved[at, pair].tolist() == [one != look for one in row]


@pytest.mark.slow
def test_looks_of_all_heads_are_counted_again():
    """Of the heads looked at from their weights, up to 900; of the others from levels, which may be equal."""
    mine = {(head.layer, head.number): at for at, head in enumerate(RECORDED.heads)}
    for kind in ("random", "text"):
        offsets, weights, shared = results.looks_of_all(kind)
        for place in [*mine, (0, 0), (5, 5), (29, 8)]:
            if place in mine:
                given = ARRAYS[f"{kind} heads"][mine[place]].astype(float).tolist()
            else:
                given = [10 ** (record.LEAST + int(level) / record.STEPS) for level in ARRAYS[kind][place]]
            far = given[plan.FAR : plan.END]
            assert offsets[place].tolist() == [
                given.index(max(given[:16])),
                given.index(max(far), plan.FAR),
            ]
            assert weights[place] == pytest.approx([max(given[:16]), max(far)])
            assert shared[place] == far.count(max(far))
    found = of = 0
    for layer, number in np.ndindex(LAYERS, HEADS):
        levels = ARRAYS["random"][layer, number].astype(int).tolist()
        top = [k for k in range(plan.FAR, 512) if levels[k] == max(levels[plan.FAR :])]
        if (layer, number) not in mine and len(top) <= 3 and top[0] > 40:
            curve = literal_curve(RECORDED.hands[layer, number])[:512]
            of += 1
            found += curve.index(max(curve[plan.FAR :])) in top
    assert results.elsewhere(41) == (found, of)


@pytest.mark.slow
def test_other_hands_than_a_heads_own_are_counted_again():
    mine = {(head.layer, head.number) for head in RECORDED.heads}
    names = {}
    for place in np.ndindex(LAYERS, HEADS):
        curve = literal_curve(RECORDED.hands[place])[:512]
        names[place] = curve.index(max(curve[plan.FAR :]), plan.FAR)
    for since in (16, 41):
        total = 0.0
        for place, name in names.items():
            levels = ARRAYS["random"][place].astype(int).tolist()
            top = [k for k in range(plan.FAR, 512) if levels[k] == max(levels[plan.FAR : 512])]
            if place not in mine and len(top) <= 3 and top[0] >= since:
                total += (sum(other in top for other in names.values()) - (name in top)) / (len(names) - 1)
        assert results.elsewhere_by_others(since) == pytest.approx(total, abs=0.051)


def test_what_comes_after_the_look_is_counted_again():
    order = results.far_order("text")
    for at, row in enumerate(ARRAYS["text heads"].astype(float).tolist()):
        assert order[at, :2].tolist() == sorted(range(plan.FAR, plan.END), key=lambda k: -row[k])[:2]
        both = sorted(ARRAYS["random heads"][at, plan.FAR : plan.END].astype(float))
        assert results.times_the_next()[at] == pytest.approx(both[-1] / both[-2])
        both = sorted(row[plan.FAR : plan.END])
        assert results.times_the_next("text")[at] == pytest.approx(both[-1] / both[-2])
    for look, share in zip((26, 441), results.even_share(np.array([26, 441])), strict=True):
        shares = [1 / (query + 1) for query in range(64, 1024) if query > look]
        assert share == pytest.approx(np.mean(shares))
    back = max(
        range(20, 901),
        key=lambda k: sum(math.cos(100_000 ** (-i / 32) * k) for i in range(4)),
    )
    right = [int(ARRAYS["look"][at]) == head.near + back for at, head in enumerate(RECORDED.heads)]
    assert results.four_hands_here() == (back, sum(right))


def test_weights_beyond_and_means_by_kind_are_counted_again():
    at, n = 2, texts.LENGTH
    weights = ARRAYS["text heads"][at].astype(float)
    # Each offset counts for the queries that have a key there which is not the first token.
    far = sum(weights[k] * (n - max(measure.SINCE, k + 1)) for k in range(64, len(weights)))
    assert results.beyond("text")[at] == pytest.approx(far / (n - measure.SINCE))
    values = np.arange(20.0) ** 2
    assert results.means_by_kind(values) == [np.mean(values[start : start + 5]) for start in (0, 5, 10, 15)]
    conditions = RECORDED.names["cut"]
    whole = [row[conditions.index("none")][-1] for at, row in enumerate(ARRAYS["cut ranges"]) if at % 5 < 2]
    inside = RECORDED.losses("parted")["inside"]
    assert results.gap_costs().mean == pytest.approx(np.mean(inside - np.array(whole, float)), abs=0.006)


def test_what_a_change_costs_is_counted_again():
    conditions = RECORDED.names["cut"]
    losses = ARRAYS["cut"].astype(float)
    for name, found in results.rises().items():
        rises = losses[:, conditions.index(name)] - losses[:, 0]
        assert found.mean == pytest.approx(rises.mean(), abs=6e-5)
        assert found.low <= found.mean <= found.high
        # The interval of a mean is near two standard errors, whatever draws it.
        assert found.high - found.low == pytest.approx(3.92 * rises.std(ddof=1) / math.sqrt(20), rel=0.35)
    for kind, start in (("this book", 0), ("licenses and data", 15)):
        rises = losses[:, conditions.index("heads 64")] - losses[:, 0]
        kept = [rise for at, rise in enumerate(rises.tolist()) if not start <= at < start + 5]
        found = results.rises_but(kind)
        assert found.mean == pytest.approx(statistics.fmean(kept), abs=6e-5)
        error = statistics.stdev(kept) / math.sqrt(15)
        assert (found.low > 0) is (statistics.fmean(kept) > 2.2 * error)
        assert found.high - found.low == pytest.approx(3.92 * error, rel=0.15)
    logs = ARRAYS["caused"].astype(float)[:, 0]
    by_hand = [row[208] - np.mean([row[k] for k in range(188, 229) if not 205 <= k <= 211]) for row in logs]
    np.testing.assert_allclose(results.excess(logs, 208), by_hand, atol=1e-9)
    assert results.caused().there.mean == pytest.approx(np.mean(by_hand), abs=0.006)
    whole, cut = ARRAYS["caused again"].astype(float).transpose(1, 0, 2)
    added = [np.mean([a[k] - b[k] for a, b in zip(whole, cut, strict=True)]) for k in range(471)]
    paired = results.paired()
    assert paired.there.mean == pytest.approx(added[208], abs=0.006)
    others = [k for k in range(40, 471) if k <= 204 or k >= 217]
    assert paired.rival == max(others, key=lambda k: added[k])
    assert paired.as_great == sum(added[k] >= added[208] for k in others)
    for kind in ("caused", "caused again", "caused texts"):
        whole, cut = ARRAYS[kind].astype(float).transpose(1, 0, 2).tolist()
        rows = [
            [abs(a - b) for a, b in zip(one, other, strict=True)]
            for one, other in zip(whole, cut, strict=True)
        ]
        for leave_out in (False, True):
            kept = sorted(rows, key=lambda row: row[208])[: 12 - leave_out]
            means = [math.fsum(column) / len(kept) for column in zip(*kept, strict=True)]
            size, rival, elsewhere = results.mean_sizes(kind, leave_out)
            assert (size, elsewhere) == pytest.approx((means[208], max(means[k] for k in others)))
            assert means[rival] == pytest.approx(elsewhere)
        signed = [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(whole, cut, strict=True)]
        columns = list(zip(*signed, strict=True))
        middle = [statistics.median(column) for column in columns]
        assert results.medians_there(kind) == pytest.approx((middle[208], max(middle[k] for k in others)))
        sure = {k: statistics.fmean(columns[k]) / statistics.stdev(columns[k]) for k in (208, *others)}
        many = {k: sum(each > 0 for each in columns[k]) for k in (208, *others)}
        assert results.as_many(kind) == sum(many[k] >= many[208] for k in others)
        # Each offset without its own greatest: the sum less that.
        trimmed = [(math.fsum(map(abs, column)) - max(map(abs, column))) / 11 for column in columns]
        assert results.trimmed_sizes(kind) == pytest.approx((trimmed[208], max(trimmed[k] for k in others)))
        if kind == "caused texts":
            sound = {
                k: [
                    value
                    for value, one, other in zip(columns[k], whole, cut, strict=True)
                    if min(one[k], other[k]) >= math.log(1e-6)
                ]
                for k in (208, *others)
            }
            assert len(sound[208]) == 11
            rest = {k: statistics.fmean(values) for k, values in sound.items()}
            low = [sum(each[k] <= each[208] for k in others) for each in (rest, middle)]
            assert results.as_low() == tuple(low)
        assert results.as_sure(kind) == sum(sure[k] >= sure[208] for k in others)


def test_how_often_an_interval_has_no_zero_is_counted_again():
    """By Student's interval, which is wider; the drawn ones are near the normal's, of n in all."""
    wider = sure = 0
    for kind in ("caused", "caused again", "caused texts"):
        whole, cut = ARRAYS[kind].astype(float).transpose(1, 0, 2).tolist()

        def excess(row, k):
            around = [row[near] for near in range(k - 20, k + 21) if abs(near - k) > 3]
            return row[k] - statistics.fmean(around)

        sets = [[excess(row, 208) for row in rows] for rows in (whole, cut)]
        sets.append([one[208] - other[208] for one, other in zip(whole, cut, strict=True)])
        for values in sets:
            error = statistics.stdev(values) / math.sqrt(12)
            drawn = random.Random(5)
            means = sorted(statistics.fmean(drawn.choices(values, k=12)) for _ in range(4000))
            if means[100] > 0 or means[-101] < 0:
                sure += 1
                wider += abs(statistics.fmean(values)) < 2.201 * error
        missed = of = 0
        for k in (k for k in range(40, 471) if abs(k - 208) > 3):
            values = [excess(row, k) for row in whole]
            of += 1
            missed += abs(statistics.fmean(values)) > 1.96 * statistics.pstdev(values) / math.sqrt(12)
        assert results.excess_misses(kind) == pytest.approx(missed / of, abs=0.03)
    assert results.surer_than_students() == (sure, wider)


def test_rules_of_refutation_are_those_of_the_plan():
    rules = re.findall(r"Refuted if [^.]*\.(?:\d[^.]*\.)*", PLAN)
    came = tables.refuted()
    assert len(rules) == len(came)
    assert ["95th percentile" in rule or "its interval has 0 in it" in rule for rule in rules] == came
    found = {one.said: one.true for one in tables.outcomes()}
    assert found["the excess at 208 is greater than at 99 % of other offsets"] is False


def test_which_other_heads_look_208_back_is_counted_again():
    """Of the sixteen from their weights, up to 900; of the others from levels that only it may have."""
    mine = {(head.layer, head.number): at for at, head in enumerate(RECORDED.heads)}
    found = []
    for place in np.ndindex(LAYERS, HEADS):
        given = ARRAYS["random heads"][mine[place], :901] if place in mine else ARRAYS["random"][place]
        far = given[16:].tolist()
        if far[208 - 16] == max(far) and far.count(max(far)) == 1:
            found.append(place)
    assert results.looking_there() == found


def test_what_is_cut_of_heads_drawn_at_random_is_drawn_again():
    own = [(head.layer, head.number) for head in RECORDED.heads]
    places = [(layer, head) for layer in range(30) for head in range(9) if (layer, head) not in own]
    sums = []
    for number in range(20):
        at = np.random.default_rng(5000 + number).choice(254, 16, replace=False)
        sums.append(math.fsum(float(ARRAYS["far"][places[one][0], places[one][1]]) for one in at))
        assert plan.drawn(own, number) == [places[one] for one in at]
    mine, alike, random = results.far_weights()
    assert random == pytest.approx(math.fsum(sums) / 20)
    assert mine == pytest.approx(math.fsum(float(ARRAYS["far"][a, b]) for a, b in own))
    assert alike == pytest.approx(
        math.fsum(float(ARRAYS["far"][a, b]) for a, b in [one.alike for one in RECORDED.heads])
    )


def test_what_is_said_of_kinds_of_text():
    """Which rises have one sign; ours less those alike, in two kinds alone; and with kinds drawn, too."""
    losses = RECORDED.losses("cut")
    costs, less = ((losses["heads 64"] - losses[name]).reshape(4, 5) for name in ("none", "alike 64"))
    assert [RECORDED.texts[at]["kind"] for at in (5, 15)] == ["programs", "licenses and data"]
    assert (costs[1] > 0).all()
    assert (costs[3] < 0).all()
    assert sum(less.mean(1) < -0.01) == 2
    rng = np.random.default_rng(2026)
    drawn = less[rng.integers(4, size=(2000, 4, 1)), rng.integers(5, size=(2000, 4, 5))].mean((1, 2))
    assert 0 <= np.percentile(drawn, 97.5) < 0.001
    for name in ("heads 16", "heads 64"):
        rise = (losses[name] - losses["none"]).reshape(4, 5)
        drawn = rise[rng.integers(4, size=(9000, 4, 1)), rng.integers(5, size=(9000, 4, 5))].mean((1, 2))
        found = results.interval_with_kinds(rise.ravel(), range(20))
        ends = (rise.mean(), *np.percentile(drawn, (2.5, 97.5)))
        assert (found.mean, found.low, found.high) == pytest.approx(ends, abs=0.0016)
    cut, texts_of = results.longer()[1]["cut"].astype(float), [number // 5 for number in longer.TEXTS]
    rise = cut[:, 1] - cut[:, 0]
    one = results.interval_with_kinds(rise, longer.TEXTS)
    assert [texts_of.count(kind) for kind in range(4)] == [5, 5, 5, 4]
    groups = [[rise[at] for at, kind in enumerate(texts_of) if kind == one] for one in range(4)]
    draw, means = random.Random(1), []
    for _ in range(9000):
        drawn = [one for group in draw.choices(groups, k=4) for one in draw.choices(group, k=len(group))]
        means.append(sum(drawn) / len(drawn))
    ends = sorted(means)[225], sorted(means)[-226]
    assert (one.low, one.high) == pytest.approx(ends, abs=0.0016)


def test_returns_of_other_models_are_returns():
    omega = 10_000.0 ** (-np.arange(64) / 64)
    offset, mean, later = results.nearest_return(omega, 4, 2048)

    def at(k):
        return sum(math.cos(10_000 ** (-i / 64) * k) for i in range(4)) / 4

    assert at(offset) == pytest.approx(mean)
    since = next(k for k in range(1, 2048) if at(k) < 0)
    assert offset == max(range(since, 2049), key=at)
    assert later == next(k for k in range(2049, 40_000) if at(k) > mean)
    best = results.returns(omega, 4, 2048, 3)
    assert best[0] == offset
    assert best == sorted(range(since, 2049), key=at, reverse=True)[:3]


# ---- the plan ----


def test_the_plan_named_the_heads_and_their_looks_before():
    lines = re.findall(
        r"^\| (\d+)\.(\d) \| (\d) \| ([\d.]+) \| ([\d, ]+) \| (\d+)\.(\d) \|$",
        PLAN,
        re.MULTILINE,
    )
    assert len(lines) == len(RECORDED.heads)
    for line, head, three in zip(lines, RECORDED.heads, results.formula(), strict=True):
        layer, number, near, weight, said, *alike = line
        assert (int(layer), int(number), int(near)) == (
            head.layer,
            head.number,
            head.near,
        )
        assert float(weight) == head.weight
        assert [int(k) for k in said.split(", ")] == three.tolist()
        assert tuple(map(int, alike)) == tuple(head.alike)


def test_the_plan_came_before_the_records():
    def git(*words):
        return subprocess.run(["git", *words], cwd=REPOSITORY, capture_output=True, text=True)

    committed = git("log", "--format=%H", "--", f"{FOLDER}/smollm2.npz").stdout.split()
    if not committed:
        pytest.skip("outside a clone, or in one without its history")
    first = RECORDED.about["plan"]
    assert git("merge-base", "--is-ancestor", first, committed[-1]).returncode == 0
    assert "smollm2.npz" not in git("ls-tree", "-r", "--name-only", first).stdout
    # What the plan says of the runs has not been changed since, but for what it says was added.
    before = git("show", f"{first}:{FOLDER}/plan.md").stdout
    added = re.search(r"## Added before it was run.*?(?=## What is not done here)", PLAN, re.DOTALL)
    assert PLAN.replace(added[0], "") == before


def test_longer_runs_came_after_their_plan_and_are_counted_again():
    """By the formula's definition; the nulls' means are about what chance gives."""

    def git(*words):
        return subprocess.run(["git", *words], cwd=REPOSITORY, capture_output=True, text=True)

    recorded = git("log", "--format=%H", "--", f"{FOLDER}/longer.npz").stdout.split()
    if recorded:  # in a clone with its history
        assert git("merge-base", "--is-ancestor", tables.LONGER, recorded[-1]).returncode == 0
        assert "longer.npz" not in git("ls-tree", "-r", "--name-only", tables.LONGER).stdout
    written, arrays = results.longer()
    data = files("wavebook.experiments.smollm2").joinpath("longer.npz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == written["about"]["sha256"]
    assert written["about"]["of"] == RECORDED.about["sha256"]
    assert len({text["sha256 of tokens"] for text in written["texts"]}) == len(longer.TEXTS) == 19
    assert {text["name"] for text in written["texts"]} < {text["name"] for text in RECORDED.texts}
    planned = re.search(r"^The first of the new offsets.*$", PLAN, re.MULTILINE)[0]
    planned = {head: int(k.replace(",", "")) for head, k in re.findall(r"(\d+\.\d) ([\d,]*\d)", planned)}
    # The runs of 1,024 tokens have offsets to 1,022, since the first token is no key.
    ranges = longer.RANGES | {"beyond": (1024, 1901)}
    all_hands, omega = RECORDED.hands, 100_000 ** (-np.arange(32) / 32)
    for kind, part in itertools.product(("random", "text"), ranges):
        start, stop = ranges[part]
        found = results.named_longer(kind, part, 50)
        rule = first = 0
        offsets = np.arange(start, stop)[:, np.newaxis]
        for at, head in enumerate(RECORDED.heads):
            hands = all_hands[head.layer, head.number]
            own, even = (
                (np.abs(hands) * np.cos(omega * shifted + phases)).sum(axis=1).tolist()
                for shifted, phases in ((offsets, np.angle(hands)), (offsets - head.near, 0))
            )
            weights = arrays[kind][at, start:stop].astype(float)
            beyond = start + weights.tolist().index(max(weights))
            look = beyond if part == "beyond" else int(arrays[f"{kind} {part}"][at])
            assert found.looks[at] == look
            assert weights[look - start] == weights.max()
            said = start + own.index(max(own))
            assert found.said[at] == said
            first += said == look
            rule += start + even.index(max(even)) == look
            if part == "new":
                assert planned[head.name] == said
        assert (found.first, found.rule) == (first, rule)
        if part == "new":
            slight, hardly = results.slight_longer(kind)
            for at, look in enumerate(found.looks):
                weights = sorted(arrays[kind][at, start:stop].astype(float).tolist())
                even = [1 / (query + 1) for query in range(look + 1, 2048)]
                assert slight[at] == (weights[-1] < sum(even) / len(even))
                assert hardly[at] == (round(weights[-1] / weights[-2], 3) < 1.25)
        assert found.shuffled < 1
        others = itertools.permutations(range(len(RECORDED.heads)), 2)
        hits = sum(found.said[other] == found.looks[at] for at, other in others)
        assert found.foreign == pytest.approx(hits / (len(RECORDED.heads) - 1), abs=0.006)
    losses = arrays["cut"].astype(float)
    rises = results.rises_longer()
    assert rises["heads"].mean == pytest.approx(np.mean(losses[:, 1] - losses[:, 0]), abs=6e-5)
    assert rises["less"].mean == pytest.approx(np.mean(losses[:, 1] - losses[:, 2]), abs=6e-5)


def _of_the_page(name):
    return {"heads": "near heads"}.get(name.split()[0], name.split()[0]) + " " + name.split()[1]


def test_the_table_of_rises_has_each_in_its_row_and_column():
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in tables.cut().splitlines()[2:]]
    table = {name: [cell.partition(" ")[0] for cell in cells] for name, *cells in rows}
    assert list(table) == [*map(_of_the_page, RECORDED.names["cut"][1:]), "near minus alike"]
    ours, alike = table["near heads 64"], table["alike 64"]
    whole, longest = ARRAYS["cut"].astype(float), results.longer()[1]["cut"].astype(float)
    at = RECORDED.names["cut"].index("heads 64")
    for shown, losses, column in ((ours[0], whole, at), (ours[1], longest, 1)):
        rise = (losses[:, column] - losses[:, 0]).mean()
        assert float(shown.replace("\N{MINUS SIGN}", "-")) == pytest.approx(rise, abs=6e-4)
    for one, other, less in zip(ours, alike, table["near minus alike"], strict=True):
        assert float(less.replace("\N{MINUS SIGN}", "-")) == pytest.approx(
            float(one) - float(other), abs=0.0011
        )
    assert [name for name, cells in table.items() if not cells[1]] == [
        "near heads 16",
        "near heads 256",
        "random 64",
    ]


def test_each_prediction_has_an_outcome():
    found = tables.outcomes()
    assert len({one.said for one in found}) == len(found)
    # By the same criterion in each part: what its twin of the first plan was marked for, a later one is, too.
    twins = [line["known"] for line in json.loads((REPOSITORY / FOLDER / "predictions.json").read_text())]
    assert twins == [one.known for one in found]
    later = [one for one in found if one.added == tables.LONGER]
    assert [one.said for one in later if not one.known] == [
        "and of 901 to 1,900, which it calls new, first in at least half"
    ]
    assert {
        "name it",
        "move it",
        "a cause?",
        "cut it",
        "where?",
        "beyond",
        "absolute?",
        "longer",
    } == {one.part for one in found}
    said = tables.failed()
    wrong = [one for one in found if one.true is False]
    assert [one.said for one in found if one.true is None] == [
        "less, but more than 0.1, where no other token sees the first"
    ]
    assert len(wrong) + sum(one.true is True for one in found) + 1 == len(found)
    before, _, after = said.partition(f"The {len(found) - len(wrong) - 1} that came true, and 1 undecided:")
    for one in found:
        assert one.said in (before if one in wrong else after)


def test_the_oracle_agreed():
    read = json.loads((REPOSITORY / FOLDER / "oracle.json").read_text())
    assert read["tokenizers"]["different"] == 0
    assert read["tokens"] > 1_000_000
    assert read["transformers"]["same best token"] == 1
    assert read["transformers"]["greatest difference of a logarithm"] < 1e-3


# ---- the model itself, where it is installed ----


@pytest.mark.slow
def test_the_texts_are_those_that_were_read():
    gguf = pytest.importorskip("gguf")
    assert gguf
    try:
        tokenizer = Tokenizer(network.model_file())
    except PackageNotFoundError:
        pytest.skip("the model is not installed: make model")
    for text, entry in zip(texts.COUNTED, RECORDED.texts, strict=True):
        read = texts.tokens_of(text, tokenizer)
        digest = hashlib.sha256(read.astype("<u4").tobytes()).hexdigest()
        assert digest == entry["sha256 of tokens"], text.name
        assert tokenizer.decode(read[1:]) == text.read()[: len(tokenizer.decode(read[1:]))]


def test_a_file_that_is_not_the_recorded_one_is_refused(tmp_path, monkeypatch):
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF")
    monkeypatch.setattr(
        "importlib.metadata.distribution",
        lambda _: SimpleNamespace(locate_file=lambda _: other),
    )
    with pytest.raises(ValueError, match="must have the SHA-256"):
        network.model_file()


def test_what_the_page_says_of_looks_is_counted_again():
    said, curves = answers.said(), [literal_curve(RECORDED.hands[a.layer, a.number]) for a in RECORDED.heads]
    named = [curve.index(max(curve[plan.FAR :]), plan.FAR) for curve in curves]
    looks, in_texts = (ARRAYS[name].astype(int).tolist() for name in ("look", "look text"))
    for nearby, name in ((True, "near"), (False, "far")):
        of_texts = [at for at in range(16) if (in_texts[at] <= 40) is nearby]
        assert said[f"text_{name}"] == str(len(of_texts))
        assert said[f"text_{name}_first"] == str(sum(named[at] == in_texts[at] for at in of_texts))
    for kind, at_looks, singles in (("random", looks, "looks"), ("text", in_texts, "looks text")):
        slight = hardly = 0
        for at, look in enumerate(at_looks):
            weights = ARRAYS[f"{kind} heads"][at].astype(float).tolist()
            far = sorted(weights[plan.FAR : plan.END])
            slight += weights[look] < statistics.fmean(1 / (q + 1) for q in range(max(64, look + 1), 1024))
            hardly += round(far[-1] / far[-2], 3) < 1.25
        assert (said[f"{kind}_uneven"], said[f"{kind}_hardly"]) == (str(slight), str(hardly))
        alone = [sum(map(int.__eq__, row, at_looks)) for row in ARRAYS[singles].astype(int).tolist()]
        if kind == "random":
            assert (said["one_least"], said["one_most"]) == (str(min(alone)), str(max(alone)))
    by_bar = sum(max(row[:9]) >= 0.3 for row in ARRAYS["text heads"].astype(float).tolist())
    assert said["near_in_texts"] == str(by_bar)
    new = results.longer()[1]["random new"].astype(int).tolist()
    planned = re.search(r"^The first of the new offsets.*$", PLAN, re.MULTILINE)[0].replace(",", "")
    firsts = [int(k) for k in re.findall(r"\d+\.\d (\d+)", planned)]
    assert said["reached"] == str(sum(one == k <= 1022 for one, k in zip(firsts, new, strict=True)))
    assert said["pilot"] in PLAN
