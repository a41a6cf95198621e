"""The unit tests' requirements in versions other than the pinned ones: `python versions.py newest|oldest`.

newest: whatever is newest among what the packages allow one another.
oldest: the lower bounds in pyproject.toml, everything else as pinned.
"""

import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]

#: Version 2 is another program under the same name; this book is written for the first.
BOUNDS = {"jupyter-book": "<2"}


def pinned(*names: str) -> dict[str, str]:
    """The pins in these files: the name of each package, and its version with what may follow it."""
    lines = "\n".join((REPOSITORY / name).read_text() for name in names)
    return dict(re.findall(r"^([\w.-]+)==([^#\n]*[^#\s])", lines, re.MULTILINE))


def lower_bounds() -> dict[str, str]:
    """The lowest version that pyproject.toml allows of each package that posenc and wavebook import."""
    wanted: list[str] = []
    for name in ("posenc", "posread", "wavebook"):
        project = tomllib.loads((REPOSITORY / "code" / name / "pyproject.toml").read_text())["project"]
        wanted += [*project["dependencies"], *chain(*project["optional-dependencies"].values())]
    return dict(re.findall(r"^([\w.-]+)>=([\w.]+)", "\n".join(wanted), re.MULTILINE))


def newest() -> list[str]:
    """At least the pinned versions of what is installed directly."""
    direct = pinned("requirements.txt", "requirements-pdf.txt", "requirements-test.txt")
    return [
        f"{name}>={version}{',' + BOUNDS[name] if name in BOUNDS else ''}" for name, version in direct.items()
    ]


def oldest() -> list[str]:
    """The lower bounds; what has none, and is not PyTorch, as pinned."""
    versions = pinned("requirements.txt", "requirements-pdf.txt", "requirements-test.txt") | lower_bounds()
    return [f"{name}=={version}" for name, version in versions.items() if name != "torch"]


if __name__ == "__main__":
    own = re.findall(r"^-e .+$", (REPOSITORY / "requirements.txt").read_text(), re.MULTILINE)
    print("\n".join([*own, *{"newest": newest, "oldest": oldest}[sys.argv[1]]()]))
