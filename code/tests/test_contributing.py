"""What CONTRIBUTING.md shows and names is there."""

from __future__ import annotations

import re

import pytest
from harness import REPOSITORY

import posenc
from wavebook import say
from wavebook.figures import many_dimensions as figures

TEXT = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
CELLS = re.findall(r"^( *)```\{code-cell\} python3\n(.*?)^ *```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_first_change_comes_first_and_is_short():
    first = TEXT.partition("\n## ")[2].partition("\n## ")[0]
    assert first.startswith("Your first change\n")
    prose = re.sub(r"```.*?```", "", first, flags=re.DOTALL).splitlines()[1:]
    assert len([line for line in prose if line]) <= 5
    assert re.findall(r"^make \w+", first, re.MULTILINE) == ["make watch", "make format", "make check"]


@pytest.mark.parametrize("cell", [body for _, body in CELLS])
def test_a_cell_that_it_shows_runs(cell):
    lines = [line.strip() for line in re.sub(r"(?s) *---\n.*---\n", "", cell).splitlines()]
    code = "\n".join(line for line in lines if not line.startswith(":"))
    names = {name: getattr(posenc, name) for name in posenc.__all__}
    exec(code, names | vars(say) | {"figures": figures})


def test_what_it_glues_was_given_to_say():
    for name in re.findall(r"\{glue:text\}`([\w-]+)`", TEXT):
        assert f"{name.replace('-', '_')}=" in TEXT, name


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"`([\w./-]+/[\w./-]+|[\w-]+\.(?:py|css|yml))`", TEXT)))
)
def test_a_file_that_it_names_is_there(name):
    if name in ("book/NAME.md", "_build/test-results") or name.startswith("@"):
        return
    places = [REPOSITORY, REPOSITORY / "code", REPOSITORY / "code/wavebook"]
    found = any((place / name).exists() for place in places)
    assert found or ("/" not in name and list(REPOSITORY.glob(f"[bc]o*/**/{name}"))), name
