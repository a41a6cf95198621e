"""The book's predictions: their answers by other ways than those by which they were computed."""

import cmath
import re
import struct
import subprocess
import sys
from functools import cache
from itertools import pairwise

import mpmath as mp
import numpy as np
import pytest
from by_definition import apart, omegas

from posenc import positional_encoding
from wavebook.examples import SIGNS
from wavebook.explorers import ask, questions
from wavebook.explorers.slips import shows_from


def number(question):
    """The number that a question's answer begins with."""
    return float(question["answer"].split()[0].replace(",", ""))


@pytest.mark.slow
def test_a_page_with_a_question_does_not_read_what_was_trained():
    program = (
        "import sys, wavebook.explorers.questions; sys.exit('wavebook.experiments.cliff' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


@pytest.mark.parametrize("d", [4, 8, 16])
def test_hands_that_are_seen_to_move(d):
    angles = [mp.degrees(mp.mpf(10_000) ** (-mp.mpf(2 * i) / d)) for i in range(d // 2)]
    names = {1: "one", 2: "two", 4: "four"}
    assert questions.hands(d)["answer"] == names[sum(angle >= 1 for angle in angles)]


def test_the_first_near_return_is_the_first():
    chords = 2 * np.abs(np.sin(np.arange(1, 2000) / 2))
    assert number(questions.first_near_return()) == 1 + np.flatnonzero(chords < 1e-4)[0]


def test_the_chord_is_that_of_two_points_of_a_circle():
    for k, chord in questions.shape_of_the_chord()["truth"]:
        assert chord == pytest.approx(abs(np.exp(1j * k) - 1), abs=1e-3)


def test_new_hands_come_in_between_the_old_ones():
    old, new = ([mp.mpf(10_000) ** (-mp.mpf(2 * i) / d) for i in range(d // 2)] for d in (8, 16))
    added = [omega for omega in new if min(abs(omega - each) for each in old) > mp.mpf(10) ** -9]
    assert len(added) == 4
    assert [any(a > omega > b for a, b in pairwise(old)) for omega in added] == [
        True,
        True,
        True,
        False,
    ]
    assert questions.more_hands(8)["answer"] == "between the old ones, and the last one after them"


def test_the_hands_go_as_far_where_all_digits_jump():
    assert [(n ^ (n + 1)).bit_count() for n in (126, 127)] == [1, 8]
    places = [np.exp(2j * np.pi * n / 2 ** np.arange(1, 9)) for n in (126, 127, 128)]
    ways = [np.linalg.norm(after - before) for before, after in pairwise(places)]
    assert ways[0] == pytest.approx(ways[1])


def test_the_slow_hand_moves_the_reading_most():
    reads = []
    for hand in range(3):
        angles = [mp.radians(30) if j == hand else mp.mpf(0) for j in range(3)]

        def alike(p, angles=angles):  # the nearest encoding has the largest dot product
            return sum(mp.cos(p * mp.mpf(10) ** -j - angle) for j, angle in enumerate(angles))

        reads.append(max(range(629), key=alike))
    asked = questions.hand_that_counts_most()
    assert asked["answer"] == "the slow one"
    assert max(reads) == reads[2]
    assert f"takes you to {reads[2]}, the other two to {reads[0]} and {reads[1]}:" in asked["because"]


def test_where_none_is_three_back_the_first_is_nearest():
    scores = [sum(mp.cos((1 - 3 - key) * w) for w in omegas(64, 10_000)) / 8 for key in range(64)]
    weights = [mp.exp(score) / sum(map(mp.exp, scores)) for score in scores]
    assert max(weights) == weights[0]
    asked = questions.none_is_back(64)
    assert asked["answer"] == "the first one, at 0"
    assert f"{100 * float(weights[0]):.1f}" in asked["because"]


def test_the_weight_is_that_of_the_softmax():
    for d in (64, 512):
        encodings = positional_encoding(np.arange(64), d)
        scores = encodings @ positional_encoding(37, d) / np.sqrt(d)
        weight = np.exp(scores[37]) / np.exp(scores).sum()
        asked = questions.weight_of_the_target(d)
        assert number(asked) == pytest.approx(100 * weight, rel=0.05)
        gap = scores[37] - scores[38]
        assert f"lower by only {gap:.3f}," in asked["because"]
        assert (
            f"leaves each of them {100 * np.exp(scores[38]) / np.exp(scores[37]):.0f}\N{NO-BREAK SPACE}% of"
            in asked["because"]
        )


def test_pairs_that_never_turn():
    wavelengths = 2 * np.pi * 10_000 ** (np.arange(64) / 64)
    assert number(questions.never_turning(128, 512)) == pytest.approx(
        100 * np.mean(wavelengths > 512), abs=0.06
    )


def test_what_a_larger_base_leaves_of_the_distance_between_neighbors():
    def near(b):
        return mp.sqrt(sum(2 - 2 * mp.cos(mp.mpf(b) ** (-mp.mpf(i) / 256)) for i in range(256)))

    asked = questions.what_a_base_costs(512, 1_000_000)
    assert number(asked) == pytest.approx(float(100 * near(10**6) / near(10**4)), abs=0.5)
    assert f"grows {float(mp.mpf(100) ** (mp.mpf(510) / 512)):.0f} times." in asked["question"]
    assert f"{1.5:g} times as large" in asked["because"], (
        "a million is the cube of 100, and 10,000 its square"
    )


def test_the_next_tenfold_distance_costs_about_a_quarter_too():
    similarity = 1 - apart([10, 100, 1000], omegas(512)) ** 2 / 512
    assert -np.diff(similarity) == pytest.approx(0.25, abs=0.03)
    asked = questions.next_quarter(512)
    assert number(asked) == pytest.approx(similarity[2], abs=0.005)
    assert f"of {similarity[0]:.2f}, where" in asked["question"]
    assert f"to {similarity[1]:.2f}. What" in asked["question"]


def test_the_curve_of_distances_is_that_of_the_encodings():
    asked = questions.shape_of_distance(512)
    for x, y in asked["truth"][::10]:
        exact = mp.sqrt(sum(2 - 2 * mp.cos(x * mp.mpf(10_000) ** (-mp.mpf(i) / 256)) for i in range(256)))
        assert y == pytest.approx(float(exact), abs=0.01)
    assert asked["truth"][60][0] == 1000
    assert asked["answer"].startswith(f"it rises to {asked['truth'][60][1]:.1f} at a thousand")
    level = float(re.search(r"stays near ([\d.]+)$", asked["answer"])[1])
    offsets = np.geomspace(20_000, 1e6, 2000)
    assert np.abs(apart(offsets, omegas(512)) - level).max() < 2
    assert asked["truth"][-1][0] == asked["places"][-1] == 1e6


def test_some_offset_is_nearer_than_neighbors():
    distances = apart(np.arange(1, 1001), omegas(8))
    asked = questions.nearer_than_neighbors(8)
    assert asked["answer"] == ("yes" if distances.argmin() else "no")
    first = next(k for k in range(2, 1001) if distances[k - 1] < distances[0])
    assert f"At offset {first} the distance is {distances[first - 1]:.3f}," in asked["because"]
    assert asked["because"].endswith(f" {distances.min():.3f}, at {1 + distances.argmin()}.")


def test_the_choice_with_the_farthest_neighbors():
    asked = questions.farthest_neighbors(64)
    told = {option["text"]: option["tempting"] for option in asked["options"]}
    linear = 2 * np.sqrt((np.sin(1 / np.linspace(1, 10_000, 32) / 2) ** 2).sum())
    octave = 2 * np.sqrt((np.sin(0.5 ** np.arange(32) / 2) ** 2).sum())
    geometric = 2 * np.sqrt((np.sin(10_000 ** (-np.arange(32) / 32) / 2) ** 2).sum())
    for name, distance in (("linear", linear), ("octave", octave), ("geometric", geometric)):
        if name != asked["answer"]:
            assert f"{distance:.2f}" in told[name]


def test_without_the_factor_position_is_what_is_left():
    d = 64
    x, pe = (2 * SIGNS[:, :d] - 1) / np.sqrt(d), positional_encoding(np.arange(48), d)
    parts = {
        "token with token": x[24] @ x.T,
        "token with position": x[24] @ pe.T,
        "position with token": pe[24] @ x.T,
        "position with position": pe[24] @ pe.T,
    }
    sizes = {name: np.abs(part).mean() / np.sqrt(d) for name, part in parts.items()}
    asked = questions.without_the_factor(d)
    assert asked["answer"] == max(sizes, key=sizes.get)
    own = sizes.pop(asked["answer"])
    assert (
        f"average size is {own:.2f}, and that of the other three together {sum(sizes.values()):.2f}:"
        in (asked["because"])
    )


def test_pairs_that_turn_with_a_smaller_base():
    turning = [[2 * np.pi * b ** (2 * i / 128) <= 200 for i in range(64)] for b in (10_000, 100)]
    asked = questions.pairs_that_turn(128, 200, 100)
    assert asked["question"].startswith(f"At *d* = 128 and base 10,000, {sum(turning[0])} of the 64")
    assert asked["answer"].endswith(f" {sum(turning[1])}")


def test_hands_that_come_round_across_an_image():
    turns = [13 * 10_000 ** (-i / 5) / (2 * np.pi) for i in range(5)]
    asked = questions.across_an_image(10)
    assert asked["answer"] == ["none", "one", "two"][sum(turn >= 1 for turn in turns)]
    assert f"{2 * np.pi * 10_000 ** (1 / 5):.0f} steps" in asked["because"]


def test_the_base_whose_curve_never_closes():
    asked = questions.open_curve()
    roots = {option["text"]: mp.sqrt(mp.mpf(option["text"])) for option in asked["options"]}
    closing = [
        text
        for text, root in roots.items()
        if any(abs(root * m - mp.nint(root * m)) < 1e-9 for m in range(1, 50))
    ]
    assert set(roots) - set(closing) == {asked["answer"]}


def test_answers_that_are_theorems():
    assert questions.entries_that_change(8)["answer"] == "none"
    assert questions.turned_back(8, 7)["answer"] == "they are the same numbers"
    assert questions.cosine_first(8, 5)["answer"] == "they turn the other way"
    assert questions.swap()["answer"] == "exactly what it was"
    assert questions.outputs_of_a_trade()["answer"] == "each goes with its token, exactly as it was"
    assert questions.start_of_a_shift()["answer"] == "the angle alone"
    assert questions.both_move_on()["answer"] == "the one with encodings added"
    assert questions.key_moves_back(54, 12)["answer"] == "it falls and rises, again and again"
    assert questions.error_of_adding()["answer"].startswith("it rises at once")


def test_a_key_can_be_aimed():
    """The score of a query of ones and a key turned by 40 beforehand, as a sum of cosines."""
    frequencies = 10_000 ** (-np.arange(32) / 32)
    scores = np.cos(np.outer(np.arange(1001) - 40, frequencies)).sum(axis=1)
    assert questions.highest_far_away(40)["answer"] == "yes"
    assert scores.argmax() == 40


def test_pairs_at_angles_past_those_of_training():
    """Pair i turns by at most 2048 w_i in training; slowed by 8^(2i/126), it turns on in 8 times as much."""
    past = 0
    for i in range(63):
        trained = mp.mpf(2048) * mp.mpf(10_000) ** (-mp.mpf(i) / 64)
        past += trained < 2 * mp.pi and 8 * trained / mp.mpf(8) ** (mp.mpf(i) / 63) > trained
    assert number(questions.past_training(128, 8, 2048)) == past


def test_the_slowest_pairs_get_to_new_angles():
    """Pair i has made 2047 steps of w_i; it has seen a whole turn, or what comes after is new."""
    turned = [2047 * mp.mpf(10_000) ** (-mp.mpf(i) / 64) for i in range(64)]
    new = [i for i, angle in enumerate(turned) if angle + turned[i] / 2047 < 2 * mp.pi]
    asked = questions.new_angles(52, 4)
    assert new == list(range(64 - len(new), 64))
    assert asked["answer"] == "the slow ones"
    assert f"the {len(new)} slowest" in asked["because"]
    assert f"by {float(mp.degrees(turned[52])):.0f}°" in asked["question"]


def test_quiet_tokens_leave_the_neighbor_more_alike():
    """The cosines from sums over the entries, with tokens of norm one."""
    words = ["the", "dog", "bit", "the", "man", "and", "the", "man", "ran"]
    sums = []
    for p, word in enumerate(words):
        token = np.where(SIGNS[words.index(word), :64], 1.0, -1.0)
        sums.append(token / np.linalg.norm(token) + positional_encoding(p, 64))
    units = [vector / np.linalg.norm(vector) for vector in sums]
    asked = questions.quiet_tokens(64)
    assert units[0] @ units[1] > units[0] @ units[6]
    assert asked["answer"] == "that of another token, *dog*, at position 1"
    assert f"the cosine is {units[0] @ units[1]:.2f}, against {units[0] @ units[6]:.2f}" in asked["because"]
    assert f"{1 / np.linalg.norm(positional_encoding(7, 64)):.2f} times" in asked["question"]


def test_the_sum_of_cosines_is_the_same_on_the_other_side():
    after, before, double = (sum(mp.cos(k * w) for w in omegas(8, 100)) for k in (5, -5, 10))
    assert after == before
    asked = questions.other_side(8, 100, 5)
    assert asked["answer"] == "5 before *p*"
    assert f" {float(after):.2f}." in asked["question"]
    shown = f"{float(double):.2f}".replace("-", "\N{MINUS SIGN}")
    assert [shown in option["tempting"] for option in asked["options"]] == [True, False, False]


def test_digits_that_change_and_what_parts_the_marks():
    assert number(questions.digits_that_change()) == bin(31 ^ 32).count("1")
    assert questions.what_parts_the_marks(64)["answer"] == "a matrix that shifts one of the encodings"


def test_a_double_root_gives_a_line():
    block = np.array([[1, 0], [1, 1]])  # the shift of (1, p)
    line = [(np.linalg.matrix_power(block, p) @ [1, 0])[1] for p in range(5)]
    assert line == list(range(5))
    assert questions.double_root()["answer"] == "a straight line"


def test_places_of_the_same_similarity_are_those_that_far_apart():
    right = questions.same_similarity(12, 32, 64)["right"]
    assert sorted(map(tuple, right)) == sorted(
        (p, q) for p in range(64) for q in range(64) if abs(p - q) == 20 and p != 12 and q != 32
    )
    with pytest.raises(ValueError, match="right must be places, a value for each of p, q, got"):
        ask.place("Where?", traits={"p": "p", "q": "q"}, right=[[1]], answer="there", because="so", acts=[])


@pytest.mark.slow
def test_a_short_test_finds_two_slips():
    """Each program as its mistake is told, token by token, in complex numbers."""
    pairs = range(32)
    golden = cmath.pi * (3 - 5**0.5)
    query = [cmath.rect(1, i * golden) for i in pairs]
    key = [q * cmath.rect(1, 10 * 500_000 ** (-i / 32)) for i, q in enumerate(query)]
    entries = [[part for z in vector for part in (z.real, z.imag)] for vector in (query, key)]
    halves = [[complex(row[i], row[i + 32]) for i in pairs] for row in entries]

    @cache
    def score(p, q, base=500_000, last=0, halved=False):
        turn = (cmath.rect(1, (p - q) * base ** (-i / (32 - last))) for i in pairs)
        vectors = zip(turn, *(halves if halved else (query, key)), strict=True)
        return sum((t * a * b.conjugate()).real for t, a, b in vectors) / 32

    def narrow(p):
        (bits,) = struct.unpack("<I", struct.pack("<f", p))
        bits += 0x7FFF + (bits >> 16 & 1)  # to the nearest, and halves to even
        return struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0]

    def tokens(program, begin=0):
        """How many tokens there are when some score is first off by more than a twentieth."""
        p = begin
        while all(abs(program(p, q) - score(p, q)) <= 0.05 for q in range(p + 1)):
            p += 1
        return p + 1

    held, place, turned = [], 0, {}
    for p in range(1025):  # the cache is full before the last of these comes
        if len(held) == 1024:
            held, place = held[512:], place - 512
        held, place, turned[p] = [*held, p], place + 1, place
    assert all(turned[p] - turned[q] == p - q for p in range(1024) for q in (0, p)), "right up to here"
    off = max(abs(score(turned[1024], turned[q]) - score(1024, q)) for q in held)
    assert off > 0.05
    firsts = {
        "the layout": tokens(lambda p, q: score(p, q, halved=True)),
        "the base": tokens(lambda p, q: score(p, q, 10_000)),
        "*d* \N{MINUS SIGN} 2": tokens(lambda p, q: score(p, q, last=1)),
        "bfloat16": tokens(lambda p, q: score(narrow(p), narrow(q))),
        "the cache": 1025,
    }
    asked = questions.found_by_a_short_test()
    assert asked["answer"] == " and ".join(name for name, first in firsts.items() if first <= 16)
    for name, first in firsts.items():
        assert (f"{name} from {first:,}" in asked["because"]) == (first > 16), name
    assert list(shows_from().values()) == list(firsts.values())
