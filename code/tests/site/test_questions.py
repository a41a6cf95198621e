"""The page of questions: each is short, with an address of its own, a thread, and a way into the book.

The threads are data of the package; what the page says in numbers is computed again, without the package.
"""

from __future__ import annotations

import cmath
import csv
import itertools
import math
import re

import numpy as np
import pytest
from book_source import text_of
from by_definition import kernel, omegas
from harness import REPOSITORY, documents
from lxml import html
from site_numbers import Page, half_a_digit, number

from wavebook import data

SOURCE = (REPOSITORY / "book/questions.md").read_text(encoding="utf-8")
THREADS = data.read_yaml("threads.yml")
#: Of the source, the questions: a label, a heading, and what is below them up to the next heading.
QUESTION = re.compile(r"^\((q-[a-z0-9-]+)\)=\n### .+\n\n((?s:.*?))(?=^\(|^## |\Z)", re.MULTILINE)
QUESTIONS = dict(QUESTION.findall(SOURCE))
LINKS = re.compile(r"\]\((https://[^)\s]+)\)")
INTO_THE_BOOK = re.compile(r"\{(?:ref|doc|prf:ref|numref)\}`[^`]+`")


@pytest.fixture(scope="module")
def page(site):
    return Page(site.root, "book/questions")


@pytest.fixture(scope="module")
def sections(site):
    """The sections of the built page, by their addresses."""
    tree = html.fromstring((site.root / "book/questions.html").read_bytes())
    return {one.get("id"): one for one in tree.xpath("//article//section[h3]")}


def test_questions_have_labels_and_threads_a_line_each():
    assert len(QUESTIONS) == SOURCE.count("\n### ")
    assert len({(one["source"], one["answer"]) for one in THREADS}) == len(THREADS)
    assert all(one["asked"].strip() and one["source"].startswith("https://") for one in THREADS)


@pytest.mark.parametrize("label", QUESTIONS)
def test_a_question_has_a_thread_and_leads_into_the_book(label):
    threads = {one["source"] for one in THREADS if one["answer"] == label}
    assert threads, "no thread in threads.yml"
    linked = set(LINKS.findall(QUESTIONS[label]))
    assert linked <= threads, linked - threads
    assert INTO_THE_BOOK.search(QUESTIONS[label])


def test_the_site_has_the_threads_as_a_table(site):
    rows = list(csv.DictReader((site.root / "threads.csv").read_text().splitlines()))
    assert rows == THREADS


def test_a_box_leaves_what_has_all_words(new_page, site):
    page = new_page()
    page.goto(f"{site.url('book/questions')}")
    shown = page.locator("article section:has(> h3):visible")
    assert shown.count() == len(QUESTIONS)
    page.locator("[data-filter] input").press_sequentially("yarn sglang")
    page.locator("output", has_text=f"of {len(QUESTIONS)}").wait_for()
    left = set(shown.evaluate_all("all => all.map((one) => one.id)"))
    assert "q-sglang-yarn" in left
    assert left < set(QUESTIONS)
    assert all("sglang" in text.lower() and "yarn" in text.lower() for text in shown.all_text_contents())
    page.evaluate("location.hash = 'q-why-10000'")
    page.locator("#q-why-10000").wait_for()


def test_without_scripts_there_is_no_box(new_page, site):
    page = new_page(java_script_enabled=False)
    page.goto(site.file_url("book/questions"))
    assert not page.locator("[data-filter]").is_visible()


def test_each_thread_has_an_answer():
    labels = {
        label for name in documents() for label in re.findall(r"^\(([\w-]+)\)=$", text_of(name), re.MULTILINE)
    }
    pages = {name.removeprefix("book/") for name in documents()}
    assert {one["answer"] for one in THREADS} <= labels | pages


def test_a_question_has_the_address_of_its_label(sections):
    """The sign behind its heading leads there, so that a heading may be worded anew."""
    assert set(sections) == set(QUESTIONS)
    for label, section in sections.items():
        assert section.xpath("string(h3/a[contains(@class, 'headerlink')]/@href)") == f"#{label}"


def test_a_question_has_at_most_150_words(sections):
    long = {}
    for label, section in sections.items():
        for unread in section.xpath(".//pre | .//figure | .//a[contains(@class, 'headerlink')]"):
            unread.drop_tree()
        words = len(re.findall(r"[^\W_]+(?:[-'’.,][^\W_]+)*", section.text_content()))
        if words > 150:
            long[label] = words
    assert not long


# What it says in numbers, by the definitions


@pytest.fixture
def said(page):
    def is_said(key: str, value: float) -> None:
        text = page.glued[key]
        assert abs(number(text) - value) <= half_a_digit(text), (key, text, value)

    return is_said


def test_what_static_yarn_does_to_a_short_prompt(said):
    """YaRN by its published rule, pair by pair: a ramp over the numbers of the pairs, ends moved outward."""
    d, b, f, length = 128, 1e6, 4.0, 32_768

    def pair_with(turns: float) -> float:
        return d * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(b))

    low, high = max(math.floor(pair_with(32)), 0), min(math.ceil(pair_with(1)), d - 1)
    old = omegas(d, b)
    new = []
    for i, w in enumerate(old):
        ramp = min(max((i - low) / (high - low), 0.0), 1.0)
        new.append(w / f * ramp + w * (1 - ramp))
    said("yarn-changed", sum(a != c for a, c in zip(old, new, strict=True)))
    said("yarn-times", (0.1 * math.log(f) + 1) ** 2)
    said("k-before", float(kernel(np.array([1000]), old)[0]))
    said("k-after", float(kernel(np.array([1000]), np.array(new))[0]))
    # The rule of the paper: linear in the turns that a pair makes in the trained length, from 1 to 32.
    kept = [min(max((length * w / (2 * math.pi) - 1) / (32 - 1), 0.0), 1.0) for w in old]
    over_turns = [w / f * (1 - part) + w * part for w, part in zip(old, kept, strict=True)]
    said("k-turns", float(kernel(np.array([1000]), np.array(over_turns))[0]))


def test_order_in_the_state_of_a_recurrence(page, said):
    """Token by token, as a layer reads them; a sum is the same in each order, up to rounding."""
    keys, values = np.random.default_rng(0).normal(size=(2, 6, 4))

    def read(order: list[int], decay: float) -> np.ndarray:
        state = np.zeros((4, 4))
        for token in order:
            state = decay * state + np.outer(keys[token], values[token])
        return state

    def change(decay: float) -> float:
        return abs(read([0, 3, 2, 1, 4, 5], decay) - read([0, 1, 2, 3, 4, 5], decay)).max()

    said("swap-decay", change(0.9))
    assert change(1) < 1e-14
    assert page.glued["swap-plain"] == "0"


def test_a_bias_to_both_sides_is_no_number_for_each_key(said):
    both = [math.exp(-abs(4 - q) / 4) for q in range(9)]
    one = [math.exp(q / 4) for q in range(9)]
    said("two-sided", max(abs(a / sum(both) - b / sum(one)) for a, b in zip(both, one, strict=True)))


def test_a_ramp_whose_ends_were_rounded(said):
    """YaRN's ramp over the pairs, written out, from c(32) to c(1), with c(r) the pair that makes r turns."""

    def ramp(pair: int, ends: list[float]) -> float:
        keep = 1 - min(max((pair - ends[0]) / (ends[1] - ends[0]), 0), 1)
        return keep + (1 - keep) / 32

    ends = [64 * math.log(4096 / (turns * 2 * math.pi)) / (2 * math.log(150_000)) for turns in (32, 1)]
    whole = [math.floor(ends[0]), math.ceil(ends[1])]
    faster = [ramp(pair, whole) / ramp(pair, ends) for pair in range(32)]
    said("oss-changed", sum(abs(times - 1) > 1e-12 for times in faster))
    said("oss-pair", max(range(32), key=faster.__getitem__))
    said("oss-fast", max(faster))


def test_weights_after_rope_make_scores_depend_on_the_position(said):
    """Each pair of neighbors turned as a complex number, and a weight for each entry after it."""
    query, key = np.random.default_rng(8).normal(size=(2, 128))
    weights = np.random.default_rng(0).uniform(0.5, 1.5, 128)

    def turned(vector: np.ndarray, position: int) -> list[float]:
        pairs = [
            complex(vector[2 * i], vector[2 * i + 1]) * cmath.exp(1j * position * 10_000 ** (-i / 64))
            for i in range(64)
        ]
        return [entry for z in pairs for entry in (z.real, z.imag)]

    def score(position: int, at: np.ndarray) -> float:
        both = zip(turned(query, position + 5), turned(key, position), at, strict=True)
        return sum(a * w * b * w for a, b, w in both) / math.sqrt(128)

    said("norm-near", score(0, weights))
    said("norm-far", score(100, weights))
    said("norm-offset", 5)
    said("norm-moved", 100)
    assert abs(score(0, np.ones(128)) - score(100, np.ones(128))) < 1e-12


def test_how_far_the_sinks_are(said):
    said("sink-true", 4 + 3000 + 1020 - 1)
    said("sink-cache", 4 + 1020 - 1)


def test_what_a_longer_number_does_to_longrope(said):
    """LongRoPE's factor of cos and sin is sqrt(1 + ln f / ln L)."""
    said("longrope-factor", math.sqrt(1 + math.log(32) / math.log(4096)))
    said("longrope-raised", math.sqrt(1 + math.log(64) / math.log(4096)))


def test_positions_after_an_image(said):
    """Counted token by token: the text, a grid that begins where it ends, and text after the larger side."""
    places = [(i, i, i) for i in range(10)]
    places += [(10, 10 + row, 10 + column) for row in range(8) for column in range(6)]
    places += [(18 + i,) * 3 for i in range(5)]
    said("image-tokens", len(places))
    said("image-next", max(map(max, places)) + 1)
    said("image-delta", max(map(max, places)) + 1 - len(places))


def test_a_part_of_a_head_and_a_slot_of_a_ring(said):
    said("second-part", omegas(128)[32])
    said("ring-right", 1000)
    said("ring-wrong", (5000 - 4096) - 4000)  # the query's slot, and the key's, which has not wrapped


def test_six_along_a_row_and_three_by_three(said):
    speeds = omegas(64)
    one = sum(math.cos(6 * w) for w in speeds) + len(speeds)
    both = 2 * sum(math.cos(3 * w) for w in speeds)
    said("row-only", one)
    said("diagonal", both)


def test_an_orthogonal_matrix_before_rope_is_another_score(page):
    """After it the score stays; the page's example, with a matrix written out by the signs of common bits."""
    chance = np.random.default_rng(8)
    query, key = chance.normal(size=(2, 128))
    signs = [[(-1) ** (row & column).bit_count() for column in range(128)] for row in range(128)]
    matrix = np.array(signs) / math.sqrt(128)

    def turned(vector: np.ndarray, p: int) -> np.ndarray:
        pairs = (vector[0::2] + 1j * vector[1::2]) * np.exp(1j * p * np.array(omegas(128)))
        return np.stack([pairs.real, pairs.imag], axis=1).ravel()

    after = (matrix @ turned(query, 9)) @ (matrix @ turned(key, 4))
    before = turned(matrix @ query, 9) @ turned(matrix @ key, 4)
    for name, value in (("after-rope", after), ("before-rope", before)):
        text = page.glued[name]
        assert abs(number(text) - value) <= half_a_digit(text)


def test_the_frequencies_of_two_sizes_of_a_head(said):
    said("nemo-right", 1e6 ** (-2 * 32 / 128))
    said("nemo-wrong", 1e6 ** (-2 * 32 / 160))


def test_where_buckets_of_t5_stop_being_single(said):
    """Half of a direction's buckets are single; the rest divide what is left up to 128 by its logarithm."""

    def bucket(distance: int, buckets: int) -> int:
        single = buckets // 2
        if distance < single:
            return distance
        far = single + int(math.log(distance / single) / math.log(128 / single) * (buckets - single))
        return min(far, buckets - 1)

    for name, buckets in (("-causal", 32), ("", 16)):
        found = [bucket(distance, buckets) for distance in range(400)]
        said(f"t5-exact{name}", next(p for p in range(400) if found.count(found[p]) > 1))
        said(f"t5-last{name}", found.index(buckets - 1))


def test_slopes_of_one_device(said):
    """2^(-8 h / n) for the h-th of n heads: the ninth of 32, and the first of eight."""
    said("slope-own", 2 ** (-8 * 9 / 32))
    said("slope-first", 2 ** (-8 * 1 / 8))


def test_what_a_trained_length_does_to_the_ramp(page):
    """By the published rule, for both lengths; the page rounds up."""

    def new(length: int) -> np.ndarray:
        def pair_with(turns: float) -> float:
            return 128 * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(1e6))

        low, high = math.floor(pair_with(32)), math.ceil(pair_with(1))
        ramp = np.clip((np.arange(64) - low) / (high - low), 0, 1)
        old = np.array(omegas(128, 1e6))
        return old / 4 * ramp + old * (1 - ramp)

    change = 100 * np.abs(new(40_960) / new(32_768) - 1).max()
    assert number(page.glued["qwen-ramp"]) - 1 < change <= number(page.glued["qwen-ramp"])


def test_numbers_of_formats_and_caches(said):
    said("e4m3-max", 448)  # sign, 1111, 110
    said("float32-whole", 2.0**24)
    assert np.float32(2**24) == np.float32(2**24 + 1)
    said("evict-off", (4096 - 1 + 1) - 1024)


def test_grids_and_rows_of_resized_tables(said):
    """A side by its pixels, in floats as `scale_factor` is, and rows one by one."""
    side = 518 // 14
    said("dino-side", side)
    said("dino-pixels", 14 * math.sqrt(1370 - 1))
    lost = (n for n in itertools.count(1) if int((n / side) * side) < n)
    said("dino-wrong", next(lost))
    said("dino-next", next(lost))
    said("long-clip", sum(1 if row < 20 else 4 for row in range(77)))


def test_distances_and_lengths_that_a_method_makes(said):
    """Self-Extend's by its groups, dynamic NTK's by its last pair, and a video's frame by frame."""
    turned = (p // 8 + 1024 - 1024 // 8 for p in range(1024, 16_384))  # the query's; a key's first group is 0
    said("grouped-far", max(turned))
    base = 10_000 * (8 * 8 - (8 - 1)) ** (128 / 126)
    said("dynamic-over", omegas(128)[-1] / omegas(128, base)[-1])
    places = [(frame, row, column) for frame in range(600) for row in range(8) for column in range(16)]
    said("video-tokens", len(places))
    said("video-places", max(map(max, places)) + 1)


def test_when_a_video_begins_again(said):
    said("video-latent", len(range(0, 201, 4)))
    said("video-period", 2 * math.pi * 256 ** (2 * 3 / 16))


def test_how_far_two_bases_are_apart(said):
    said("merge-ratio", (2e7 / 5e5) ** (126 / 128))


def rotated(x: np.ndarray, p: int) -> np.ndarray:
    """A vector whose pairs of neighbors are turned as complex numbers."""
    z = (x[0::2] + 1j * x[1::2]) * np.exp(1j * p * np.array(omegas(len(x))))
    return np.stack([z.real, z.imag], axis=1).ravel()


def weighed(scores: dict[int, float], values: np.ndarray) -> np.ndarray:
    """The mean of the values with a softmax's weights, over the keys that have a score."""
    powers = {key: math.exp(score) for key, score in scores.items()}
    return sum(power * values[key] for key, power in powers.items()) / sum(powers.values())


def test_a_sentence_read_backward_by_heads_with_one_side(said):
    """Token by token: a bias of the distance, for keys on one side alone, or on both."""
    chance = np.random.default_rng(8)
    tokens, maps = chance.normal(size=(24, 32)), chance.normal(size=(2, 4, 3, 32, 8)) / math.sqrt(32)

    def encode(x: np.ndarray, seen: dict[int, tuple[int, ...]]) -> np.ndarray:
        for layer in maps:
            out = np.zeros_like(x)
            for head, (q, k, v) in enumerate(layer):
                slope = 2.0 ** (-8 * (head + 1) / 4)
                for p in range(24):
                    scores = {
                        r: float((x[p] @ q) @ (x[r] @ k)) / math.sqrt(8) - slope * abs(p - r)
                        for r in range(24)
                        if np.sign(p - r) in (0, *seen[head])
                    }
                    out[p, 8 * head : 8 * head + 8] = weighed(scores, x @ v)
            x = x + out
        return x

    def reversal(seen: dict[int, tuple[int, ...]]) -> float:
        return np.abs(encode(tokens[::-1], seen)[::-1] - encode(tokens, seen)).max()

    assert reversal(dict.fromkeys(range(4), (1, -1))) < 1e-12
    said("one-sided", reversal({0: (1,), 1: (-1,), 2: (1,), 3: (-1,)}))


def test_one_token_again_and_again_is_told_apart_by_the_mask(page):
    tokens = np.random.default_rng(8).normal(size=(24, 32))
    maps = np.random.default_rng(8).normal(size=(2, 3, 32, 32)) / math.sqrt(32)

    def read(window: int) -> np.ndarray:
        x = np.array([tokens[0]] + [tokens[1]] * 63)
        for q, k, v in maps:
            turned = [(rotated(one @ q, p), rotated(one @ k, p)) for p, one in enumerate(x)]
            rows = [
                {
                    r: float(turned[p][0] @ turned[r][1]) / math.sqrt(32)
                    for r in range(max(0, p - window + 1), p + 1)
                }
                for p in range(64)
            ]
            x = x + np.array([weighed(scores, x @ v) for scores in rows])
        return x

    apart = min(np.linalg.norm(one - other) for one, other in itertools.combinations(read(64)[1:], 2))
    assert 0 <= apart - number(page.glued["same-apart"]) < 0.001
    seen = read(int(page.glued["same-window"]))
    alike = [p for p in range(1, 64) if np.abs(seen[p] - seen[-1]).max() < 1e-12]
    assert alike == list(range(int(page.glued["same-from"]), 64))
    assert page.glued["same-times"] == "63"


def test_what_dropout_leaves_of_a_position(said):
    for d in (512, 16):
        p = np.arange(1000)[:, None] * np.repeat(omegas(d), 2)
        table = np.where(np.arange(d) % 2, np.cos(p), np.sin(p))
        dropped = np.where(np.random.default_rng(0).random((1000, d)) < 0.1, 0, table / 0.9)
        own = sum(np.linalg.norm(table - row, axis=1).argmin() == place for place, row in enumerate(dropped))
        said(f"dropped-{d}", own)
    said("random-apart", 0.02 * math.sqrt(2 * 768))


def test_turned_before_the_feature_map(said):
    query, key = np.random.default_rng(8).normal(size=(2, 128))

    def score(p: int, q: int) -> float:
        pairs = zip(rotated(query, p), rotated(key, q), strict=True)
        return math.fsum(math.prod(x + 1 if x > 0 else math.exp(x) for x in pair) for pair in pairs)

    said("linear-near", score(9, 4))
    said("linear-far", score(1009, 1004))


def test_what_arrives_from_where_through_even_layers(said):
    """From each token, by a walk back: half of it stays, half goes evenly to what the mask lets it see."""
    there = [0.0] * 63 + [1.0]
    for _ in range(3):
        there = [
            there[p] / 2 + sum(there[later] / (later + 1) for later in range(p, 64)) / 2 for p in range(64)
        ]
    said("u-first", sum(there[:16]))
    said("u-last", there[63])
    said("u-before", there[62])
    assert min(there) == there[62]


def test_small_numbers_of_new_answers(page, said):
    said("esm-slow", sum(1024 * w < 2 * math.pi for w in omegas(64)))
    said("sigma-alike", math.exp(-((2 * math.pi * 10 * 0.01) ** 2) / 2))
    skipped = [*range(512), *range(2560, 4096)]
    said("pose-met", len({p - q for p in skipped for q in skipped if p >= q}))
    scores = np.random.default_rng(0).normal(size=(1000, 8))
    parts = [8 / (8 + math.fsum(map(math.exp, row))) for row in scores]
    said("zero-keys", 100 * math.fsum(parts) / 1000)


def test_how_far_in_zeros_at_a_border_are_felt(said):
    """By one scalar a token: whose state is another than the middle's, layer by layer."""
    x = [1.0] * 24
    for a, b, c in np.random.default_rng(1).normal(size=(4, 3)):
        around = [0.0, *x, 0.0]
        x = [math.tanh(a * around[p] + b * around[p + 1] + c * around[p + 2]) for p in range(24)]
    said("conv-known", sum(one != x[12] for one in x[:12]))
    said("conv-alike", sum(one == x[12] for one in x))
