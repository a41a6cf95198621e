"""What a course asks: the inventory against the claims, and the plan against the book's pages."""

from __future__ import annotations

import copy
import re

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
    places = [[option["right"] for option in item["options"]].index(True) for item in items]
    assert min(places.count(place) for place in (0, 1)) >= len(items) // 4


def test_the_plan_names_pages_and_exercises_of_the_book():
    labels = {one.option("label") for name in documents() for one in directives(text_of(name), "exercise")}
    assert len(PLAN["weeks"]) == 3
    for week in PLAN["weeks"]:
        assert {f"book/{name}" for name in week["read"]} <= set(documents())
        assert set(week["hand_in"]) <= labels
    assert set(PLAN["sheet"]) <= labels


def test_prompts_ask_what_the_page_asks():
    asked = course.prompts()
    kinds = {"number": 0, "words": 0, "open": 0}
    for one in asked:
        kinds[one["kind"]] += 1
    assert all(kinds.values()), kinds
