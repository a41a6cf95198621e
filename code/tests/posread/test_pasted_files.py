"""What people paste: numbers as files have them and as programs print them, and configurations."""

from __future__ import annotations

import json
import random
import string
import time

import numpy as np
import pytest

from posenc import frequencies, positional_encoding
from posread.files import Unreadable, numbers_in, read, read_file

TABLE = positional_encoding(np.arange(60), 32)


def as_torch(table, digits: int) -> str:
    """A tensor as PyTorch prints it: rows of nine numbers a line, and the type behind them."""
    rows = []
    for row in table:
        cells = [f"{entry: .{digits}f}" for entry in row]
        lines = [", ".join(cells[start : start + 9]) for start in range(0, len(cells), 9)]
        rows.append("[" + ",\n          ".join(lines) + "]")
    return "pe = tensor([" + ",\n        ".join(rows) + "], dtype=torch.float64)"


def as_numpy(table, **options) -> str:
    with np.printoptions(threshold=10**6, **options):
        return str(table)


with np.printoptions(threshold=10**6):
    REPR = repr(TABLE)
WAYS = {
    "commas": "\n".join(",".join(map(repr, row)) for row in TABLE.tolist()),
    "semicolons": "\n".join(";".join(map(repr, row)) + ";" for row in TABLE.tolist()),
    "quoted": "\n".join(",".join(f'"{entry!r}"' for entry in row) for row in TABLE.tolist()),
    "tabs, and names": "\n".join("\t".join(map(str, row)) for row in [map("c{}".format, range(32)), *TABLE]),
    "numbered columns": "\n".join(",".join(map(str, row)) for row in [range(32), *TABLE.tolist()]),
    "spaces": "\n".join("  ".join(map(repr, row)) for row in TABLE.tolist()),
    "a list": repr(TABLE.tolist()),
    "str of an array": as_numpy(TABLE),
    "repr of an array": REPR,
    "a batch": as_torch(TABLE, 6).replace("tensor([", "tensor([[").replace("], dtype", "]], dtype"),
    "torch": as_torch(TABLE, 6),
    "scientific": as_numpy(TABLE, formatter={"float": "{:.6e}".format}),
}  # fmt: skip


@pytest.mark.parametrize("text", WAYS.values(), ids=WAYS)
def test_a_table_is_read_however_it_is_written(text, tmp_path):
    assert np.allclose(numbers_in(text), TABLE, atol=1e-6)
    path = tmp_path / "pasted.txt"
    path.write_text("\ufeff" + text, encoding="utf-8")  # as spreadsheets begin
    found = read(path)
    assert (found.layout, found.first, found.base, found.sound) == ("interleaved", "sin", 10_000, True)


def test_a_path_may_be_a_text(tmp_path):
    np.savetxt(tmp_path / "table.csv", TABLE, delimiter=",")
    assert read(str(tmp_path / "table.csv")).sound


@pytest.mark.parametrize("name", ["table.npy", "table.csv", "table.txt"])
def test_a_key_that_names_nothing_is_refused(tmp_path, name):
    path = tmp_path / name
    np.save(path, TABLE) if path.suffix == ".npy" else np.savetxt(path, TABLE, delimiter=",")
    with pytest.raises(Unreadable, match="holds one array, which has no key, and not 'pe'"):
        read(path, "pe")


def test_a_corner_without_a_name_belongs_to_names():
    assert numbers_in(",0,1\n0,0.5,0.25\n1,0.5,0.75").tolist() == [[0, 0.5, 0.25], [1, 0.5, 0.75]]


@pytest.mark.parametrize("separator", [", ", " ", "\n"])
def test_a_line_of_frequencies_is_read(separator, tmp_path):
    path = tmp_path / "pasted.txt"
    path.write_text(separator.join(f"{omega:.8g}" for omega in frequencies(64, 500_000)))
    found = read(path)
    assert found.layout == "frequencies"
    assert found.base == pytest.approx(500_000)


@pytest.mark.parametrize("name", ["pasted.txt", "config.json"])
def test_a_configuration_is_read(name, tmp_path):
    path = tmp_path / name
    path.write_text("\n" + json.dumps({"model_type": "llama", "head_dim": 64, "rope_theta": 500_000.0}))
    assert read(path).kinds["all"].base == 500_000
    path.write_text('{"model_type": "llama",')
    with pytest.raises(ValueError, match=r"is no JSON: .*column"):
        read(path)


def test_a_table_in_json_is_read(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(TABLE.tolist()))
    assert read(path).sound
    assert np.array_equal(read_file(path), TABLE)


def test_one_of_the_lists_in_an_object_is_read(tmp_path):
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"model": "vit", "pos_embed": [TABLE.tolist()], "scale": [1, 2]}))
    assert np.array_equal(read_file(path, "pos_embed"), [TABLE])
    with pytest.raises(Unreadable, match="holds 2 arrays, so name one with --key: pos_embed, scale"):
        read_file(path)


RANDOM = random.Random(0)
NONSENSE = {
    "words": " ".join("".join(RANDOM.choices(string.ascii_letters, k=9)) for _ in range(10_000)),
    "lines": "\n".join("".join(RANDOM.choices(string.printable, k=70)) for _ in range(1_500)),
    "one word": "x" * 100_000,
    "brackets": "[" * 100_000,
    "an article": "As is known [1], a token has a place [2, 3]. " * 2_200,
    "braces": "{" * 100_000,
    "commas": "," * 100_000,
}


@pytest.mark.parametrize("text", NONSENSE.values(), ids=NONSENSE)
def test_a_hundred_kilobytes_of_nonsense_are_refused_in_a_line(text, tmp_path):
    path = tmp_path / "pasted.txt"
    path.write_text(text)
    start = time.process_time()
    with pytest.raises(ValueError, match=r"text|print of an array") as refused:
        read(path)
    assert time.process_time() - start < 2
    assert len(str(refused.value)) < 300


def test_a_hundred_kilobytes_of_numbers_are_no_encoding(tmp_path):
    path = tmp_path / "pasted.txt"
    path.write_text("\n".join(" ".join(f"{RANDOM.random():.6f}" for _ in range(16)) for _ in range(700)))
    found = read(path)
    assert found.reading is None
    assert found.problems


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("[[ 0.  1. ... 0.  1.]]", "leaves numbers out"),
        ("0,1\n0.8,0.5\n0.9", r"row 1 has 2 numbers, row 3 has 1"),
        ("0,1\n0.8,oops", "row 2 has 'oops'"),
        ("1.0,oops\n0.8,0.5", "row 1 has 'oops'"),
        ("tensor([0.+1.j])", "has '0.+1.j'"),
    ],
)
def test_what_is_wrong_with_a_text_is_said(text, words):
    with pytest.raises(ValueError, match=words):
        numbers_in(text)
