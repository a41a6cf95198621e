"""What CONTRIBUTING.md and the READMEs of the folders show and name is there."""

from __future__ import annotations

import re

import pytest
from harness import REPOSITORY

import posenc
from wavebook import say
from wavebook.figures import many_dimensions as figures

PATHS = [
    REPOSITORY / "CONTRIBUTING.md",
    REPOSITORY / "book/README.md",
    *(REPOSITORY / "code").rglob("README.md"),
]
#: But those of the packages, which are for their users.
TEXT = "\n".join(
    path.read_text(encoding="utf-8")
    for path in PATHS
    if "node_modules" not in path.parts and path.parent.name not in ("posenc", "posread", "wavebook")
)
CELLS = re.findall(r"^( *)```\{code-cell\} python3\n(.*?)^ *```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("cell", [body for _, body in CELLS])
def test_a_cell_that_it_shows_runs(cell):
    lines = [line.strip() for line in re.sub(r"(?s) *---\n.*---\n", "", cell).splitlines()]
    code = "\n".join(line for line in lines if not line.startswith(":"))
    names = {name: getattr(posenc, name) for name in posenc.__all__}
    exec(code, names | vars(say) | {"figures": figures})


@pytest.mark.parametrize(
    "name", sorted(set(re.findall(r"`([\w./-]+/[\w./-]+|[\w-]+\.(?:py|css|yml))`", TEXT)))
)
def test_a_file_that_it_names_is_there(name):
    if name in ("book/NAME.md", "site/", "nightly/") or name.startswith(("@", "_build/")):
        return  # a name to be filled in, an address, or what a build makes
    places = [
        REPOSITORY,
        *(REPOSITORY / name for name in ("code", "code/wavebook", "code/bookext", "code/tests")),
    ]
    found = any((place / name).exists() or (place / f"{name}.py").exists() for place in places)
    assert found or ("/" not in name and list(REPOSITORY.glob(f"[bc]o*/**/{name}"))), name
