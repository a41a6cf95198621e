"""The search of the built site, asked what people asked elsewhere, in their own words.

`data/questions.yml` has the questions, each with the public thread that it is from and the pages, or
sections, that answer it.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

import check

HERE = Path(__file__).parent
ASKED = yaml.safe_load((HERE / "data/questions.yml").read_text(encoding="utf-8"))


def places(site, queries: list[str]) -> list[list[list[str]]]:
    """For each query the addresses that the search lists, page by page, the best first."""
    command = [str(check.NODE / "bin/node"), str(HERE / "js/ask.js"), str(site.root)]
    answer = subprocess.run(command, input=json.dumps(queries), text=True, capture_output=True, check=True)
    return json.loads(answer.stdout)


@pytest.fixture(scope="module")
def ranks(site) -> dict[str, tuple[int | None, str]]:
    """For each question the place of the first right page, from 0, and what came first instead."""
    found = {}
    for asked, pages in zip(ASKED, places(site, [asked["asked"] for asked in ASKED]), strict=True):
        right = tuple(f"book/{page}" for page in asked["right"])
        firsts = [hits[0].replace(".html", "") for hits in pages]
        rank = next((i for i, first in enumerate(firsts) if f"{first}#".startswith(right)), None)
        found[asked["asked"]] = rank, firsts[0] if firsts else "nothing"
    return found


def test_there_are_enough_questions_each_with_its_source():
    assert len(ASKED) >= 150
    assert len({asked["asked"] for asked in ASKED}) == len(ASKED)
    assert all(asked["source"].startswith("https://") and asked["right"] for asked in ASKED)


def test_no_question_loses_its_page(ranks):
    assert not {asked: first for asked, (rank, first) in ranks.items() if rank is None}


def test_the_right_page_is_among_the_first(ranks):
    """Among the first three for 97 of 100, and the first for three of four."""
    third = {asked: found for asked, found in ranks.items() if found[0] is None or found[0] > 2}
    later = {asked: found for asked, found in ranks.items() if found[0] != 0}
    assert len(third) <= 0.03 * len(ranks), third
    assert len(later) <= 0.25 * len(ranks), later


@pytest.mark.parametrize(
    ("plain", "wordy"),
    [
        ("why 10000", "what is the reason why 10000 is used"),
        ("add or concatenate", "why do we add and not concatenate instead"),
        ("odd d_model", "what should I do if I have an odd d_model"),
    ],
)
def test_what_a_question_is_asked_with_costs_nothing(site, plain, wordy):
    one, other = places(site, [plain, wordy])
    assert one[0][0] == other[0][0]


def test_a_number_is_one_however_it_is_written(site):
    found = places(site, ["10000", "10,000", "10 000", "1e4", "10k"])
    assert all(one == found[0] for one in found)
    d_model = places(site, ["d_model", "d-model", "d model", "dmodel"])
    assert all(one == d_model[0] for one in d_model)


def test_no_word_excludes(site):
    """A word that is nowhere, or only elsewhere, leaves what the others find."""
    plain, more = places(
        site, ["sqrt d_model embedding scale", "sqrt d_model embedding scale xyzzy references"]
    )
    assert {hits[0].partition("#")[0] for hits in plain} <= {hits[0].partition("#")[0] for hits in more}
    assert plain[0][0] == more[0][0]
