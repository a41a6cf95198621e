"""What must hold of the repository itself: its shape, its imports, its pins, its build."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import grimp
import pytest
import vendor
from harness import REPOSITORY

from bookext.data_files import read_yaml
from bookext.finish import bill

CODE = REPOSITORY / "code"

#: The hosts from which pages usually fetch scripts, styles and fonts.
DELIVERY_NETWORKS = re.compile(
    r"jsdelivr\.|unpkg\.com|cdnjs\.|cloudflare\.com|esm\.sh|skypack\.|jspm\.|googleapis\.com|gstatic\.com"
    r"|bootstrapcdn\.|polyfill\.io|statically\.io"
)


def sources() -> list[Path]:
    """The files of the project: what git tracks or would track; without git, all but what a build leaves."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=REPOSITORY, text=True, capture_output=True
    )
    if listed.returncode == 0:
        return [path for name in listed.stdout.splitlines() if (path := REPOSITORY / name).is_file()]
    left_by_builds = {".git", ".venv", "_build", "__pycache__", ".pytest_cache", ".hypothesis"}
    return [path for path in REPOSITORY.rglob("*") if path.is_file() and not left_by_builds & set(path.parts)]


def text_of(path: Path) -> str:
    """The text of a file; nothing for one that is not text."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def test_standard_library_code_is_found():
    """A module or package called `code` here would hide the standard library's, which pdb and pytest need."""
    script = "import code, pdb; assert hasattr(code, 'InteractiveConsole'), code"
    for place in (REPOSITORY, CODE):
        subprocess.run([sys.executable, "-c", script], cwd=place, check=True)
    subprocess.run(
        [sys.executable, "-m", "pytest", "--version"], cwd=REPOSITORY, check=True, capture_output=True
    )


#: Which packages of others a room may import; what is in no room of `wavebook` teaches. Which room may import
#: which of ours, and that none is part of a circle, is said in code/pyproject.toml, for import-linter.
PACKAGES = {
    "posenc": {"numpy", "sympy", "mpmath", "torch"},
    "posread": {"numpy"},
    "wavebook": {"numpy", "sympy", "mpmath", "IPython", "yaml", "genanki"},  # IPython only to glue
    # What trains, what reads the published model, and what that is compared with.
    "wavebook.experiments": {"numpy", "torch", "gguf", "tokenizers", "transformers", "llama_cpp"},
    "wavebook.figures": {"numpy", "matplotlib", "sympy", "mpmath"},
    "wavebook.explorers": {"numpy", "anywidget", "traitlets"},
    "wavebook.claims": {"numpy", "sympy", "mpmath", "yaml"},
    "wavebook.files": set(),
    "wavebook.data": {"yaml"},
    "wavebook.recall": {"genanki"},  # the latter to write a package for Anki
    "wavebook.course": set(),
    "wavebook.workbench": {"ipywidgets"},
    "wavebook.proofs": {"sympy", "mpmath"},  # SymPy counts with mpmath, and brings it along
}


def test_a_room_imports_no_other_packages_of_others():
    """Wherever in a file it does so; what only types are named by is no import."""
    tops = ("posenc", "posread", "wavebook")
    graph = grimp.build_graph(
        *tops, include_external_packages=True, exclude_type_checking_imports=True, cache_dir=None
    )
    for module in graph.modules:
        if module.startswith(tops):
            room = max((name for name in PACKAGES if f"{module}.".startswith(f"{name}.")), key=len)
            found = {
                name for name in graph.find_modules_directly_imported_by(module) if not name.startswith(tops)
            }
            assert not found - PACKAGES[room] - sys.stdlib_module_names, module


def test_posenc_needs_only_numpy():
    script = """if True:
        import sys, posenc
        from posenc import *
        loaded = {name.partition(".")[0] for name in sys.modules}
        extra = loaded & {"sympy", "matplotlib", "anywidget", "torch", "IPython"}
        assert not extra, extra"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_builder_does_not_name_the_book():
    """What it needs to know of one is in its settings, or in attributes of a page."""
    title = read_yaml(REPOSITORY / "_config.yml")["title"]
    words = re.compile("posenc|wavebook|it is said that|" + r"\W*".join(title.split()), re.IGNORECASE)
    named = [
        f"{path.relative_to(REPOSITORY)}: {match[0]}"
        for path in sources()
        if CODE / "bookext" in path.parents
        for match in words.finditer(f"{path.name}\n{text_of(path)}")
    ]
    assert not named


#: `make live`, which no page needs, asks one of them for Pyodide, and takes only what has the right hash.
FETCHES = CODE / "bookext/live/files.py"


def test_no_delivery_network_is_named():
    named = [
        f"{path.relative_to(REPOSITORY)}: {match[0]}"
        for path in sources()
        if path not in (Path(__file__), FETCHES)
        for match in DELIVERY_NETWORKS.finditer(text_of(path))
    ]
    assert not named


@pytest.mark.parametrize(("place", "source"), vendor.copies().items(), ids=lambda path: path.name)
def test_a_script_by_others_is_the_one_of_its_package(place, source):
    """And of the version that the bill of materials says; its license is beside it."""
    assert place.read_bytes() == source.read_bytes(), "run `python code/tools/vendor.py`"
    name = source.relative_to(CODE / "node_modules").parts[0]
    wanted = json.loads((CODE / "package.json").read_text())["dependencies"]
    assert {made.version for made in bill.SOURCES if made.package == f"npm/{name}"} in ({wanted[name]}, set())
    assert "Copyright" in place.with_name("License.txt").read_text()


def test_no_hash_names_in_the_sources():
    """The build names images by a hash of their content: such a name in a source is wrong after a change."""
    hashed = [
        f"{path.relative_to(REPOSITORY)}: {match[0]}"
        for path in (REPOSITORY / "book").rglob("*")
        for match in re.finditer(r"\b[0-9a-f]{32,}\b", text_of(path) if path.is_file() else "")
    ]
    assert not hashed


def test_every_direct_dependency_is_exact_and_locked():
    """With a hash for each file; but our own packages."""
    groups = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["dependency-groups"]
    lock = tomllib.loads((REPOSITORY / "uv.lock").read_text())["package"]
    locked = {
        (package["name"], package["version"]) for package in lock if "editable" not in package["source"]
    }
    own = {package["name"] for package in lock if "editable" in package["source"]}
    direct = {line for group in groups.values() for line in group if isinstance(line, str)} - own
    assert direct <= {f"{name}=={version}" for name, version in locked}, "run `uv lock`"
    files = [file for package in lock for file in [package.get("sdist"), *package.get("wheels", [])] if file]
    assert all(re.fullmatch("sha256:[0-9a-f]{64}", file["hash"]) for file in files)
    assert {package["source"].get("registry") for package in lock} <= {"https://pypi.org/simple", None}


def test_plain_pip_gets_what_is_locked():
    """`requirements.txt` is what uv writes of the lock, below two lines that say so."""
    command = [str(Path(sys.executable).with_name("uv")), "export", "--quiet", "--frozen", "--no-hashes"]
    command += ["--only-group", "book", "--no-annotate", "--no-header", "--offline"]
    done = subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, text=True)
    text = (REPOSITORY / "requirements.txt").read_text()
    assert text.split("\n", 2)[2] == done.stdout
    for name in ("jupyter-book", "numpy", "matplotlib", "ipywidgets", "sympy"):
        assert re.search(rf"^{name}==\S+$", text, re.MULTILINE)


CODE_BLOCK = re.compile(r"^(`{3,})[^\n]*python[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)


def public_names(path: Path) -> set[str]:
    """What a module defines at its top for others: functions, classes and values."""
    names: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def names_used(path: Path) -> set[str]:
    """The names that a file of Python takes, wherever it has them from; to import one is not to use it."""
    used = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.add(node.id)
        elif isinstance(node, ast.Attribute):
            used.add(node.attr)
    return used


def test_no_code_is_dead():
    """As no export of JavaScript is: each public name of the book's packages is used outside the tests.

    By a page, by code, by the worker's JavaScript or by an entry point, which call Python by name.
    """
    asks = [CODE / "bookext", CODE / "wavebook", CODE / "posenc", CODE / "posread", CODE / "benchmarks"]
    used = set().union(*(names_used(path) for folder in asks for path in folder.rglob("*.py")))
    named = [REPOSITORY / "_config.yml", CODE / "bookext/pyproject.toml", *(CODE / "bookext").rglob("*.js")]
    texts = [text_of(path) for path in named]
    for page in (REPOSITORY / "book").glob("*.md"):  # its code, and not its prose
        texts += [block[2] for block in CODE_BLOCK.finditer(text_of(page))]
    used |= set(re.findall(r"\w+", "\n".join(texts)))
    unused = {
        f"{path.relative_to(CODE)}: {name}"
        for package in ("bookext", "wavebook")
        for path in sorted((CODE / package).rglob("*.py"))
        for name in public_names(path) - used
    }
    assert not unused
