"""What a course asks: the inventory against the claims, and the plan against the book's pages."""

from __future__ import annotations

import copy
import re
from itertools import groupby, pairwise

import pytest
from book_source import directives, text_of
from harness import REPOSITORY, documents

from wavebook import course, data

PLAN = data.read_yaml("course.yml")


@pytest.fixture(scope="module")
def items():
    return course.inventory()


def test_there_are_enough_items_each_with_one_right_answer(items):
    assert len(items) >= 20
    assert len({item["id"] for item in items}) == len(items)
    for item in items:
        assert sum(option["right"] for option in item["options"]) == 1, item["id"]
        assert re.fullmatch(r"[^{}%]*\S", re.sub(r"\\\(.+?\\\)", "", item["why"])), item["id"]


def test_each_wrong_answer_was_published_and_is_not_so(items):
    known = (REPOSITORY / "book/references.bib").read_text(encoding="utf-8")
    for item in items:
        for option in item["options"]:
            if not option["right"]:
                published = option["published"]
                assert published["verdict"] in ("fails", "partly"), item["id"]
                [entry] = re.findall(
                    rf"^@\w+\{{{published['source']},.*?^\}}", known, re.MULTILINE | re.DOTALL
                )
                assert published["at"] or re.search(r"^\s*(url|eprint)\s*=", entry, re.MULTILINE), item["id"]


def test_an_answer_that_the_check_finds_right_is_no_wrong_answer():
    [item] = copy.deepcopy([one for one in PLAN["inventory"] if one["id"] == "longest-wave"])
    item["wrong"][0]["part"] = "shortest wavelength"
    with pytest.raises(ValueError, match=r"part must be one that W-03 is wrong in.*longest-wave"):
        course.inventory([item])


def test_an_answer_from_notes_that_nobody_can_open_is_refused():
    [item] = copy.deepcopy([one for one in PLAN["inventory"] if one["id"] == "longest-wave"])
    item["wrong"][0]["claim"] = "H2-06"
    with pytest.raises(ValueError, match="H2-06"):
        course.inventory([item])


def test_the_right_answer_has_no_place_of_its_own(items):
    """No letter is right more often than it has to be, and the list of items does not go by letters."""
    places = [[option["right"] for option in item["options"]].index(True) for item in items]
    assert places.count(0) <= len(items) / 2
    assert abs(places.count(0) - places.count(1)) <= 1
    assert max(len(list(run)) for _, run in groupby(places)) <= 4
    pairs = [place for item, place in zip(items, places, strict=True) if len(item["options"]) == 2]
    changes = sum(one != other for one, other in pairwise(pairs))
    assert len(pairs) // 4 <= changes <= len(pairs) * 3 // 4
    assert course.inventory() == items, "the same in each copy"


def amounts(texts: list[str]) -> list[float]:
    """The numbers that texts begin with, or fractions of them; [] if one begins with something else."""
    found = [re.match(r"(?:At )?(?:\\\()?(\d+)(?:/(\d+))?(?![\d^{])", text) for text in texts]
    return [float(one[1]) / float(one[2] or 1) for one in found] if all(found) else []


def test_amounts_rise_and_other_answers_have_no_order(items):
    for item in items:
        numbers = amounts([option["text"] for option in item["options"]])
        assert not numbers or item["ordered"], item["id"]
        assert numbers == sorted(numbers), item["id"]
    assert sum(item["ordered"] for item in items) >= 5
    assert amounts([r"\(6/768\): so", "At 50"]) == [6 / 768, 50]
    assert not amounts([r"\(2^{-n}\)", r"\(10{,}000^2\)"])


def test_a_stem_names_what_its_check_was_computed_for(items):
    [stem] = [item["stem"] for item in items if item["id"] == "slowest-hand"]
    assert stem.startswith(r"At \(d = 128\) and base \(100\),")


def test_the_plan_names_pages_and_exercises_of_the_book():
    labels = {one.option("label") for name in documents() for one in directives(text_of(name), "exercise")}
    assert len(PLAN["weeks"]) == 3
    for week in PLAN["weeks"]:
        assert {f"book/{name}" for name in week["read"]} <= set(documents())
        assert set(week["hand_in"]) <= labels
    handed = [label for week in PLAN["weeks"] for label in week["hand_in"]]
    assert len(set(handed)) == len(handed)


def test_the_lecture_takes_as_long_as_its_slides():
    said = {"five": 5, "ten": 10, "fifteen": 15}
    text = text_of("book/teaching")
    [deck] = re.findall(r"^```\{deck\}\n(.+?)^```", text, re.MULTILINE | re.DOTALL)
    text_only = re.sub(r"<[^>]+>", "", deck)
    minutes = [
        said[word.lower()] for word in re.findall(r"^\d+\. .+?[,?] (\w+) minutes\.$", text_only, re.MULTILINE)
    ]
    assert len(minutes) == len(re.findall(r"^\d+\. ", deck, re.MULTILINE))
    lecture = PLAN["lecture"]
    assert sum(minutes) == lecture["minutes"]
    assert sum(minutes[item - 1] for item in lecture["short"]["items"]) == lecture["short"]["minutes"] == 40
    titles = re.findall(r"^\d+\. (?:<a [^>]*>)?([^<,]+)", deck, re.MULTILINE)
    named = ", ".join(f"*{titles[item - 1]}*" for item in lecture["short"]["items"])
    assert f"\nIn forty minutes: {named}.\n" in text


def test_prompts_ask_what_the_page_asks():
    asked = course.prompts()
    kinds = {"number": 0, "words": 0, "open": 0}
    for one in asked:
        kinds[one["kind"]] += 1
    assert all(kinds.values()), kinds
