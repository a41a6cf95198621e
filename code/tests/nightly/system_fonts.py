"""`system_fonts.py`: pages and explorers on a system that has one family of fonts, with one after the other.

The book brings its own faces; what is drawn before they come, and in JupyterLab, is in the system's. So the
tests of layout run under a configuration of fontconfig that knows one folder. Arguments go on to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

HERE = Path(__file__).parents[1]
#: Packages of Debian and Ubuntu, and the sans, serif and monospaced family in each.
FAMILIES = {
    "fonts-dejavu-core": ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"),
    "fonts-liberation": ("Liberation Sans", "Liberation Serif", "Liberation Mono"),
    "fonts-noto-core": ("Noto Sans", "Noto Serif", "Noto Sans"),
}
#: Where text that is wider, narrower, higher or lower would show.
TESTS = (
    "test_typeface",
    "test_explorers",
    "test_explorer_drawings",
    "test_pages",
    "test_pages_access",
    "test_pages_focus",
    "test_pages_explorers",
    "test_pages_weight",
)


def asked(*command: str, **environment: str) -> str:
    """What a command of fontconfig answers."""
    env = os.environ | environment
    return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout


def configured(package: str, folder: Path) -> Path:
    """A configuration in which there is the folder of one package's fonts, and nothing else."""
    families = FAMILIES[package]
    files = asked("fc-list", f":family={families[0]}", "--format", "%{file}\n").splitlines()
    if not files:
        raise SystemExit(f"{families[0]} is not there; on Debian and Ubuntu: apt install {package}")
    aliases = (
        f"<alias binding='same'><family>{generic}</family><prefer><family>{family}</family></prefer></alias>"
        for generic, family in zip(("sans-serif", "serif", "monospace"), families, strict=True)
    )
    places = (f"<dir>{escape(str(place))}</dir>" for place in sorted({Path(file).parent for file in files}))
    text = "".join(
        ["<fontconfig>", *places, f"<cachedir>{folder}/cache</cachedir>", *aliases, "</fontconfig>"]
    )
    (path := folder / "fonts.conf").write_text(text, encoding="utf-8")
    found = asked("fc-list", "--format", "%{family[0]}\n", FONTCONFIG_FILE=str(path))
    first = families[0].split()[0]
    if strange := {family for family in found.splitlines() if not family.startswith(first)}:
        raise SystemExit(f"the fonts of {package} share their folder with others: {sorted(strange)}")
    return path


def main(arguments: list[str]) -> int:
    """Run the tests with each family; how many of the runs failed."""
    failed = 0
    tests = (
        []
        if any(argument.partition("::")[0].endswith(".py") for argument in arguments)
        else [str(next(HERE.glob(f"*/{name}.py"))) for name in TESTS]
    )
    for package, (sans, *_) in FAMILIES.items():
        print(f"== {sans} ==", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            system = {"FONTCONFIG_FILE": str(configured(package, Path(folder))), "POSENC_SYSTEM_SANS": sans}
            command = [sys.executable, "-m", "pytest", "-q", *tests, *arguments]
            failed += subprocess.run(command, env=os.environ | system, check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
