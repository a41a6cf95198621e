"""What must hold of the repository itself: its shape, its imports, its pins, its build."""

from __future__ import annotations

import ast
import graphlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import vendor
import yaml
from harness import REPOSITORY

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


# Which parts of the packages a part may import, and which packages of others. `posenc` is the tool; in
# `wavebook`, the modules directly in it are "teaching".
PARTS = {
    "posenc": ({"posenc"}, {"numpy", "sympy", "mpmath", "torch"}),
    "posread": ({"posenc", "posread"}, {"numpy"}),
    "recorder": (
        set(),
        {"torch", "transformers"},
    ),  # it makes and runs what it writes of, and nobody imports it
    "teaching": (
        {"posenc", "posread", "teaching", "data"},
        {"numpy", "sympy", "mpmath", "IPython", "yaml", "genanki"},
    ),  # IPython only to glue
    "experiments": (
        {"posenc", "teaching", "experiments"},
        # What trains, what reads the published model, and what that is compared with.
        {"numpy", "torch", "gguf", "tokenizers", "transformers", "llama_cpp"},
    ),
    "figures": ({"posenc", "teaching", "experiments", "figures"}, {"numpy", "matplotlib", "sympy", "mpmath"}),
    "explorers": ({"posenc", "teaching", "experiments", "explorers"}, {"numpy", "anywidget", "traitlets"}),
    "claims": ({"posenc", "teaching", "experiments", "claims"}, {"numpy", "sympy", "mpmath", "yaml"}),
    "files": ({"posread", "teaching", "experiments", "data"}, set()),  # what the site offers as tables
    "data": (set(), set()),
    "recall": ({"teaching", "data"}, {"yaml", "genanki"}),  # the latter to write a package for Anki
    "course": ({"claims", "recall", "data"}, {"yaml"}),  # what it asks, and the claims that it is from
    "workbench": (set(), {"ipywidgets"}),
    "proofs": ({"proofs"}, {"sympy", "mpmath"}),  # SymPy counts with mpmath, and brings it along
}


def part_of(module: str) -> str:
    """The part that a module of the two packages belongs to."""
    if module == "posread.config.record":
        return "recorder"
    top, name = [*module.split("."), ""][:2]
    return top if top in ("posenc", "posread") else name if name in PARTS else "teaching"


def is_module(name: str) -> bool:
    """Whether one of the packages has a module, or a folder of modules, of this name."""
    path = CODE / name.replace(".", "/")
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def imported(path: Path) -> set[str]:
    """The full names of the modules that a file imports, wherever in the file it does so."""
    names = set()
    tree = ast.parse(path.read_text())
    # What only a type is named by is never imported when the program runs.
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative import"
            # `from posenc import x` names a module or something of the package: the module, if there is one
            modules = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name for name in modules if is_module(name)} or {node.module}
    return names


def name_of(path: Path) -> str:
    """The name by which a module is imported."""
    return ".".join(path.relative_to(CODE).with_suffix("").parts).removesuffix(".__init__")


MODULES = {
    name_of(path): path
    for package in ("posenc", "posread", "wavebook", "bookext")
    for path in sorted((CODE / package).rglob("*.py"))
}


@pytest.mark.parametrize("module", [name for name in MODULES if not name.startswith("bookext")])
def test_imports_run_one_way(module):
    parts, packages = PARTS[part_of(module)]
    for name in imported(MODULES[module]):
        top = name.partition(".")[0]
        if top in ("posenc", "posread", "wavebook"):
            assert part_of(name) in parts, f"{module} must not import {name}"
            assert module != "posenc.arguments", "everything needs the checks, which need nothing of posenc"
        else:
            assert top in sys.stdlib_module_names | packages, f"{module} must not import {name}"


def folder_of(module: str) -> str:
    """The folder of a package that a module is in, or the module itself if it is directly in the package.

    >>> folder_of("bookext.finish.site"), folder_of("bookext.book"), folder_of("bookext")
    ('bookext.finish', 'bookext.book', 'bookext')
    """
    return ".".join(module.split(".")[:2])


def circle(room: Callable[[str], str], modules: Mapping[str, Path] = MODULES) -> list[str]:
    """A circle of imports between rooms, of which each module is in one; none if all run one way."""
    graph: dict[str, set[str]] = {}
    for module, path in modules.items():
        graph.setdefault(room(module), set()).update(map(room, imported(path) & modules.keys()))
    # A module of a folder may import another, and the folder's own name.
    graph = {name: others - {name} for name, others in graph.items()}
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(error.args[1])
    return []


def test_imports_make_no_circle():
    assert not circle(str)


def test_folders_import_one_way():
    """All of `finish` may import all of `formats`, say, and then nothing of `formats` imports `finish`."""
    assert not circle(folder_of)


def test_a_circle_is_found(tmp_path, monkeypatch):
    """One of folders, which no two modules make."""
    texts = {
        "ship.hull": "from ship.sails import jib",
        "ship.sails.jib": "",
        "ship.sails.main": "from ship.ropes.sheet import LENGTH",
        "ship.ropes.sheet": "import ship.sails.jib",
    }
    modules = {name: tmp_path / f"{name.replace('.', '/')}.py" for name in texts}
    for name, path in modules.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[name])
    monkeypatch.setattr("test_project.CODE", tmp_path)
    assert not circle(str, modules)
    assert set(circle(folder_of, modules)) == {"ship.sails", "ship.ropes"}
    modules["ship.sails.jib"].write_text("import ship.sails.main")
    assert set(circle(str, modules)) == {"ship.sails.jib", "ship.sails.main", "ship.ropes.sheet"}


def test_posenc_needs_only_numpy():
    script = """if True:
        import sys, posenc
        from posenc import *
        loaded = {name.partition(".")[0] for name in sys.modules}
        extra = loaded & {"sympy", "matplotlib", "anywidget", "torch", "IPython"}
        assert not extra, extra"""
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("path", sorted((CODE / "bookext").rglob("*.py")), ids=lambda path: path.name)
def test_the_extension_knows_none_of_the_books_packages(path):
    assert not [
        name for name in imported(path) if name.partition(".")[0] in ("posenc", "posread", "wavebook")
    ]


def test_the_builder_does_not_name_the_book():
    """What it needs to know of one is in its settings, or in attributes of a page."""
    title = yaml.safe_load((REPOSITORY / "_config.yml").read_text(encoding="utf-8"))["title"]
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


#: Modules that are tested with the module of `posenc` that they go on from.
TESTED_WITH = {
    "choices": "spectra",
    "distance_law": "distance",
    "lost_digits": "precision",
    "near_returns": "returns",
    "rotary_sums": "rope",
}


def test_each_module_has_its_test_file():
    """Each public module of the tool, and of the book's those that teach: test_<module>.py."""
    modules = [*(CODE / "posenc").glob("*.py"), *(CODE / "wavebook").glob("*.py")]
    modules += [path.parent for path in (CODE / "posenc").glob("*/__init__.py")]
    wanted = {TESTED_WITH.get(path.stem, path.stem) for path in modules if not path.stem.startswith("_")}
    there = {path.stem.removeprefix("test_") for path in Path(__file__).parent.rglob("test_*.py")}
    assert not wanted - there
