"""The unit tests with other versions than the locked ones: `versions.py newest` or `versions.py oldest`.

newest: whatever is newest among what the packages allow one another.
oldest: the lower bounds in pyproject.toml, everything else as pinned.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
OWN = ("posenc", "posread", "wavebook", "bookext")

#: Version 2 is another program under the same name; this book is written for the first.
BOUNDS = {"jupyter-book": "<2"}


def pinned() -> dict[str, str]:
    """The pins of what is installed directly: the name of each package, and its version."""
    groups = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["dependency-groups"]
    lines = [line for name in ("book", "pdf", "test") for line in groups[name] if isinstance(line, str)]
    return dict(line.split("==") for line in lines if "==" in line)


def lower_bounds() -> dict[str, str]:
    """The lowest version that pyproject.toml allows of each package that ours but bookext import."""
    wanted: list[str] = []
    for name in OWN[:-1]:
        project = tomllib.loads((REPOSITORY / "code" / name / "pyproject.toml").read_text())["project"]
        wanted += chain(project["dependencies"], *project.get("optional-dependencies", {}).values())
    return dict(re.findall(r"^([\w.-]+)>=([\w.]+)", "\n".join(wanted), re.MULTILINE))


def newest() -> list[str]:
    """At least the pinned versions of what is installed directly."""
    return [
        f"{name}>={version}{',' + BOUNDS[name] if name in BOUNDS else ''}"
        for name, version in pinned().items()
    ]


def oldest() -> list[str]:
    """The lower bounds; what has none, and is not PyTorch, as pinned."""
    versions = pinned() | lower_bounds()
    return [f"{name}=={version}" for name, version in versions.items() if name != "torch"]


def main(which: str) -> int:
    """Install them into an environment of their own, and run the unit tests there."""
    home = REPOSITORY / f".venv-{which}"
    shutil.rmtree(home, ignore_errors=True)
    uv, python = str(Path(sys.executable).with_name("uv")), str(home / "bin/python")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, str(home)], check=True)
    asked = {"newest": newest, "oldest": oldest}[which]()
    own = [part for name in OWN for part in ("--editable", str(REPOSITORY / "code" / name))]
    subprocess.run(
        [uv, "pip", "install", "--no-config", "--quiet", "--python", python, *own, *asked], check=True
    )
    return subprocess.run([python, "code/tools/check.py", "unit"], cwd=REPOSITORY).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
