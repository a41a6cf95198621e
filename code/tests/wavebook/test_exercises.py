"""The checks of answers: each accepts what is right, however it is found, and explains usual wrong ones."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from book_source import directives, text_of
from harness import REPOSITORY, numbered_parts

from bookext.data_files import read_yaml
from wavebook import exercises

#: Of each exercise, answers that are right and answers that are wrong.
ANSWERS = read_yaml(REPOSITORY / "code/tests/data/answers.yml")
RIGHT = {label: answers["right"] for label, answers in ANSWERS.items()}
WRONG = {
    label: [(wrong["program"], wrong["told"]) for wrong in answers["wrong"]]
    for label, answers in ANSWERS.items()
}


def temperature() -> float:
    """The largest temperature, from the scores themselves: the similarities at distances from the target."""
    omega = 10_000.0 ** (-2 * np.arange(256) / 512)
    scores = np.cos(np.outer(np.arange(64) - 37, omega)).sum(axis=1) / math.sqrt(512)
    gaps = np.delete(scores[37] - scores, 37)
    low, high = 1e-3, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 / (1 + np.exp(-gaps / middle).sum()) > 0.9 else (low, middle)
    return low


def judged(label: str, program: str) -> exercises.Verdict:
    names: dict = {"np": np}
    if label == "ex-order-ruler":
        names["s"] = lambda p: f"{1 / (p + 1):.3e}"
    if label == "ex-write-shift":
        exec(RIGHT[label][0], names)
        names["right"] = np.array(names.pop("T"))
    forward = min(range(1, 101), key=lambda k: abs(np.exp(1j * k) - 1j))
    program = program.replace("{forward}", str(forward))
    program = program.replace("0.{digits}", f"{temperature():.3f}")
    exec(program, names)
    return exercises.check(label, names)


@pytest.mark.parametrize(
    ("label", "program"), [(label, program) for label, programs in RIGHT.items() for program in programs]
)
def test_what_is_right_is_accepted(label, program):
    verdict = judged(label, program)
    assert verdict.right, verdict.words
    assert verdict.words.endswith(".")


@pytest.mark.parametrize(
    ("label", "program", "told"),
    [(label, program, told) for label, programs in WRONG.items() for program, told in programs],
)
def test_what_is_wrong_is_explained(label, program, told):
    verdict = judged(label, program)
    assert not verdict.right
    assert told in verdict.words


def test_every_task_has_answers_and_an_exercise_in_part_one():
    tasks = list(exercises.tasks())
    labels = [task.label for task in tasks]
    assert list(ANSWERS) == labels == list(exercises._JUDGES), (
        "data/exercises.yml, the judges of wavebook.exercises and tests/data/answers.yml have the same tasks"
    )
    assert len(tasks) >= 10
    part = [one for name in numbered_parts()[0] for one in directives(text_of(name), "exercise")]
    assert [one.option("label") for one in part if one.option("label") in labels] == labels
    for task in tasks:
        assert len(re.findall("`", task.ask)) % 2 == 0
        assert not judged(task.label, task.start).right, "what is there to begin with is no answer"


def test_an_unknown_exercise_is_named():
    with pytest.raises(ValueError, match=r"label must be one of ex-order-count, .*not 'ex-none'"):
        exercises.check("ex-none", {})
