"""The files that the site offers: they say what is recorded, and all of it."""

import csv

import pytest

from posread.config import known_keys
from wavebook import files
from wavebook.models import models


def read(name):
    """Each row as a dict, by the program that others will read it with."""
    with (files.folder() / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", files.FILES)
def test_a_file_says_what_was_recorded(name):
    """`python -m wavebook.files` would write what is there."""
    assert (files.folder() / name).read_text(encoding="utf-8") == files.as_csv(files.FILES[name]())


def test_no_file_is_left_over():
    there = {path.relative_to(files.folder()).as_posix() for path in files.folder().rglob("*.csv")}
    assert there == set(files.FILES)


def test_each_model_and_each_of_its_layers_has_a_row():
    rows = read("models.csv")
    assert list(dict.fromkeys(row["model"] for row in rows)) == [model.name for model in models()]
    assert len(rows) == sum(max(1, len(model.kinds)) for model in models())
    assert all(row["sources"] for row in rows)


def test_each_key_has_its_names():
    assert [row["names"].split() for row in read("keys.csv")] == [list(key.names) for key in known_keys()]
