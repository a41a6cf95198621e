"""The book's pages by the newest Sphinx and its companions, without Jupyter Book.

It builds in an environment of its own, from a `conf.py` that Jupyter Book's reading of `_config.yml` makes,
and runs no notebook. What Sphinx says is in `_build/next/report.txt`, and below it the versions; the exit
status is Sphinx's. It says what raising the versions will cost, and nothing hangs on it.
"""

import pprint
import shutil
import subprocess
import sys
from pathlib import Path

from jupyter_book.config import get_final_config

REPOSITORY = Path(__file__).resolve().parents[3]
FOLDER = REPOSITORY / "_build/next"

#: The newest of each, as they allow one another; ours bring what they import, but not their bounds on Sphinx.
WANTED = [
    "sphinx",
    "myst-nb",
    "sphinx-book-theme",
    "sphinx-design",
    "sphinx-proof",
    "sphinx-exercise",
    "sphinxcontrib-bibtex",
    "sphinx-external-toc",
    "sphinx-multitoc-numbering",
    "sphinx-togglebutton",
    "sphinx-copybutton",
]
OWN = ["posenc", "posread", "wavebook"]
#: What is Jupyter Book's, or mends what the present versions do.
LEFT_OUT = {"jupyter_book", "sphinx_comments", "sphinx_jupyterbook_latex", "sphinx_thebe", "bookext"}
#: The settings whose files are the book's.
FROM_BOOK = ["bibtex_bibfiles", "templates_path", "html_static_path"]


def write_settings() -> None:
    """Write the `conf.py` that Jupyter Book would hand to Sphinx, without what is its own."""
    settings, _ = get_final_config(
        user_yaml=REPOSITORY / "_config.yml",
        cli_config={"latex_individualpages": False},
        sourcedir=REPOSITORY,
    )
    settings["extensions"] = [name for name in settings["extensions"] if name not in LEFT_OUT]
    settings["nb_execution_mode"] = "off"
    for key in FROM_BOOK:  # Sphinx looks beside conf.py
        settings[key] = [str(REPOSITORY / name) for name in settings[key]]
    settings["html_favicon"] = str(REPOSITORY / settings["html_favicon"])
    ours = {key: value for key, value in settings.items() if not key.startswith(("bookext_", "latex_"))}
    lines = [f"{key} = {pprint.pformat(value)}" for key, value in ours.items()]
    (FOLDER / "conf.py").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Install, build, and keep what was said."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    write_settings()
    home = FOLDER / "environment"
    uv, python = str(Path(sys.executable).with_name("uv")), str(home / "bin/python")
    report = FOLDER / "report.txt"
    own = [part for name in OWN for part in ("--editable", str(REPOSITORY / "code" / name))]
    commands = [
        [uv, "venv", "--quiet", "--python", sys.executable, str(home)],
        [uv, "pip", "install", "--no-config", "--quiet", "--python", python, *own, *WANTED],
        [python, "-m", "sphinx", "-b", "html", "-c", str(FOLDER), ".", str(FOLDER / "html")],
        [uv, "pip", "list", "--python", python],
    ]
    status = 0
    with report.open("w", encoding="utf-8") as out:
        for command in commands:
            print("$", *command[:4], "...", file=out, flush=True)
            done = subprocess.run(command, cwd=REPOSITORY, stdout=out, stderr=subprocess.STDOUT)
            status = status or done.returncode
    print(*report.read_text(encoding="utf-8").splitlines()[-80:], sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
