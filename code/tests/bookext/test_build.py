"""The build does again what must be done again, and nothing else: two chapters, changed and built."""

import hashlib
import os
import re
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.request import urlopen

import grimp
import pytest
import watchfiles
import yaml
from harness import HEADER, REPOSITORY, furnish
from harness import build as build_book
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn, JupyterCacheAbstract
from matplotlib import font_manager
from nbformat.v4 import new_code_cell, new_notebook

from bookext import build, watch
from bookext.cache import Kept
from bookext.finish import site
from bookext.run import notebooks

pytestmark = pytest.mark.xdist_group("small build")

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SQUARE = """# Square

(the-area)=
## Area

It has an area.

```{code-cell} python3
from shape import SIDE

f"area {SIDE**2}"
```
"""
STORY = """# Story

{ref}`Elsewhere <the-area>`.

```{code-cell} python3
from pathlib import Path

f"hero {Path('hero.txt').read_text()}"
```
"""


class Book:
    """A small book in a folder, and what its last build said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.output = ""

    def write(self, **texts: str) -> None:
        for name, text in texts.items():
            (self.folder / "book" / name.replace("_", ".")).write_text(text, encoding="utf-8")

    def build(self) -> bool:
        result = build_book(self.folder)
        self.output = result.stdout
        return result.returncode == 0

    def page(self, name: str) -> str:
        return (self.folder / f"_build/html/book/{name}.html").read_text(encoding="utf-8")

    def ran(self) -> set[str]:
        return set(re.findall(r"^book/(\w+): ran in", self.output, re.MULTILINE))

    def wrote(self) -> set[str]:
        return set(re.findall(r"^.*writing output.*%\].*book/(\w+)", self.output, re.MULTILINE))

    def site(self) -> dict[str, str]:
        top = self.folder / "_build/html"
        return {
            path.relative_to(top).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in top.rglob("*")
            if path.is_file()
        }


@pytest.fixture(scope="module")
def small(tmp_path_factory) -> Book:
    folder = tmp_path_factory.mktemp("small")
    config = furnish(
        folder,
        "square\nparts:\n- numbered: 2\n  chapters:\n  - file: book/story\n"
        "- chapters:\n  - file: book/extra\n",
    )
    (folder / "_config.yml").write_text(yaml.safe_dump(config))
    book = Book(folder)
    book.write(extra_md="# Extra\n", shape_py="SIDE = 3\n", hero_txt="Ann")
    book.write(square_md=HEADER + SQUARE, story_md=HEADER + STORY)
    assert book.build(), book.output
    assert book.ran() == {"square", "story"}, book.output
    return book


def test_a_chapter_runs_again_if_what_it_uses_has_changed_and_no_other_does(small):
    assert "area 9" in small.page("square")
    assert "hero Ann" in small.page("story")
    numbers = re.findall(r'"section-number">[^<]*', small.page("story") + small.page("extra"))
    assert {number[-2] for number in numbers} == {"1"}, "the part without numbers has none"
    small.write(square_md=HEADER + SQUARE.replace("It has an area.", "It surely has one."))
    assert small.build(), small.output
    assert not small.ran(), "a sentence is no code"
    assert "It surely has one." in small.page("square")
    assert re.findall(r'"section-number">[^<]*', small.page("story") + small.page("extra")) == numbers

    small.write(shape_py="SIDE = 10\n")
    assert small.build(), small.output
    assert small.ran() == {"square"}
    assert "area 100" in small.page("square")

    small.write(hero_txt="Barbara")
    assert small.build(), small.output
    assert small.ran() == {"story"}
    assert "hero Barbara" in small.page("story")


def test_a_page_is_written_again_if_what_it_shows_has_changed_and_few_others_are(small):
    """The root shows the contents, and so is written with each."""
    extra = "# Extra\n\n{{count}}`exercises` exercises, and {{ref}}`the-area`.\n\n{}"
    small.write(square_md=HEADER + SQUARE, story_md=HEADER + STORY, extra_md=extra.format(""))
    assert small.build(), small.output

    small.write(extra_md=extra.format("One sentence more.\n"))
    assert small.build(), small.output
    assert small.wrote() == {"extra", "square"}

    before = small.site()
    assert small.build(), small.output
    assert not small.wrote()
    assert "left the site as it was" in small.output
    page = small.folder / "_build/html/book/extra.html"
    page.write_text("spoilt", encoding="utf-8")
    assert small.build(), small.output
    assert "left the site as it was" not in small.output
    assert small.site() == before

    heading = re.search(r"^## .*", SQUARE, re.MULTILINE)[0]
    small.write(square_md=HEADER + SQUARE.replace(heading, f"{heading} renamed"))
    assert small.build(), small.output
    assert small.wrote() == {"extra", "square", "story"}
    assert "renamed" in small.page("extra")

    assert "0 exercises" in small.page("extra")
    small.write(
        square_md=HEADER + SQUARE, story_md=HEADER + STORY + "\n:::{exercise}\n:label: counted\nWhy?\n:::\n"
    )
    assert small.build(), small.output
    assert "1 exercises" in small.page("extra")
    small.write(story_md=HEADER + STORY, extra_md="# Extra\n")
    assert small.build(), small.output


def test_a_number_follows_what_is_put_before_it(small):
    exercise = ":::{{exercise}}\n:label: {}\nWhy?\n:::\n"
    story = HEADER + STORY + exercise.format("late")
    for exercises, number in (("", "1.1"), (exercise.format("early"), "1.2")):
        small.write(story_md=story.replace(":::", exercises + ":::", 1), extra_md="# Extra\n\n{ref}`late`\n")
        assert small.build(), small.output
        assert re.search(rf"Exercise\s*{number}<", small.page("extra"))
    small.write(story_md=HEADER + STORY, extra_md="# Extra\n")
    assert small.build(), small.output


def test_what_is_kept_is_made_again_of_something_else(tmp_path):
    made = []

    def get(text: str, with_: str = "1") -> bytes:
        kept = Kept(tmp_path / "kept", with_)
        return kept.get("shout", [text], lambda: made.append(text) or text.upper().encode())

    assert [get("a"), get("a"), get("b"), get("a", "2")] == [b"A", b"A", b"B", b"A"]
    assert made == ["a", "b", "a"]
    kept = Kept(tmp_path / "kept", "1")
    kept.get("shout", ["a"], lambda: b"never")
    kept.forget_the_rest()
    assert get("b") == b"B"
    assert made == ["a", "b", "a", "b"]

    Kept(tmp_path / "kept", "1").keep_table("signs", {"a": "A"})
    assert Kept(tmp_path / "kept", "1").table("signs") == {"a": "A"}
    assert Kept(tmp_path / "kept", "2").table("signs") == {}


def test_sphinx_is_not_started_if_nothing_has_changed_and_is_if_anything_has(small):
    def started() -> bool:
        assert small.build(), small.output
        return "Running Sphinx" in small.output

    started()
    assert not started()
    before = small.site()
    (small.folder / "_build/html/index.html").write_text("not so", encoding="utf-8")
    assert started()
    assert small.site() == before
    assert not started()
    sheet = small.folder / "book/_static/new.txt"
    sheet.write_text("new", encoding="utf-8")
    assert started()
    assert "_static/new.txt" in small.site()
    sheet.unlink()
    assert started()


def test_pages_that_show_the_same_picture_are_not_read_for_ever(small):
    """Each writes it when it is read."""
    cell = """
```{code-cell} python3
---
mystnb:
  image:
    alt: A line from left to right
---
from IPython.display import SVG

SVG('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9"/></svg>')
```
"""
    small.write(square_md=HEADER + SQUARE + cell, story_md=HEADER + STORY + cell)
    assert small.build(), small.output
    assert "2 changed" in small.output
    (first, second) = (re.findall(r"_images/\w+\.svg", small.page(name)) for name in ("square", "story"))
    assert first == second != []
    (small.folder / "anything.txt").write_text("so that Sphinx looks at all")
    assert small.build(), small.output
    assert "0 added, 0 changed" in small.output
    small.write(square_md=HEADER + SQUARE, story_md=HEADER + STORY)


def test_a_label_may_move_to_another_page(small):
    """In both directions: one of the two pages is read before the other has lost its label."""
    small.write(
        square_md=HEADER + SQUARE.replace("(the-area)=\n", ""),
        story_md=HEADER + STORY + "\n(the-area)=\n## Moved\n",
    )
    assert small.build(), small.output
    assert 'id="the-area"' in small.page("story")
    small.write(square_md=HEADER + SQUARE, story_md=HEADER + STORY)
    assert small.build(), small.output
    assert 'id="the-area"' in small.page("square")


def test_finishing_twice_gives_the_same_site(small, tmp_path):
    site.finish(small.folder / "_build/sphinx", tmp_path / "once")
    site.finish(small.folder / "_build/sphinx", tmp_path / "twice")
    twice = Book(tmp_path)
    (tmp_path / "_build").mkdir()
    (tmp_path / "twice").rename(tmp_path / "_build/html")
    assert twice.site() == small.site()


def test_a_build_that_fails_leaves_the_site_and_fails_again(small):
    before = small.site()
    small.write(story_md=HEADER + STORY.replace("read_text()", "read_text(1 / 0)"))
    assert not small.build()
    assert "book/story.md: cell 1 (line 10) failed: ZeroDivisionError: division by zero\n" in small.output
    assert small.site() == before

    # The page that refers to the label is not the one that changed, and not read again.
    small.write(story_md=HEADER + STORY, square_md=HEADER + SQUARE.replace("(the-area)=", "(another)="))
    for _ in range(2):
        assert not small.build()
        assert "the-area" in small.output
        assert small.site() == before
    small.write(square_md=HEADER + SQUARE)
    assert small.build(), small.output


def test_what_has_changed_since_a_run_is_named(tmp_path):
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "folder").mkdir()
    names = ["a.txt", "folder/", "gone.txt"]
    files = {name: notebooks.digest(str(tmp_path / name) + "/" * name.endswith("/")) for name in names}
    record = {"packages": {"one": "1.0"}, "files": files}
    assert notebooks.changes(record, tmp_path, {"one": "1.0", "two": "2.0"}) == []
    assert notebooks.changes(record, tmp_path, {"one": "1.1"}) == ["one"]
    assert notebooks.changes(record, tmp_path, {}) == ["one"]
    assert notebooks.changes({"execution_seconds": 1}, tmp_path, {}), "MyST-NB's own record"
    (tmp_path / "folder/__pycache__").mkdir()
    assert notebooks.changes(record, tmp_path, {"one": "1.0"}) == [], "what Python keeps beside the sources"
    (tmp_path / "a.txt").write_text("b")
    (tmp_path / "folder/new").touch()
    assert notebooks.changes(record, tmp_path, {"one": "1.0"}) == ["a.txt", "folder/"]


def test_what_changes_while_a_notebook_runs_makes_no_good_result(tmp_path):
    names = [str(tmp_path / name) for name in ("old", "new", "gone")]
    for name, changed in zip(names[:2], (100, 300), strict=True):
        Path(name).touch()
        os.utime(name, (changed, changed))
    old, new, gone = (notebooks._digest_of_old(name, began=200) for name in names)
    assert old == hashlib.sha256().hexdigest()
    assert new is gone is None


def keep_result(cache: JupyterCacheAbstract, uri: str, code: str, data: dict | None = None) -> None:
    notebook = new_notebook(cells=[new_code_cell(code)], metadata={"kernelspec": KERNEL})
    cache.cache_notebook_bundle(CacheBundleIn(notebook, uri, data=data or {}), check_validity=False)


def test_it_is_known_how_long_each_notebook_took_the_last_time(tmp_path):
    cache = get_cache(tmp_path)
    for code, data in (("a", {"execution_seconds": 9.5}), ("b", {"execution_seconds": 2.5}), ("c", {})):
        keep_result(cache, "one.md", code, data)
    assert notebooks.seconds_of_last_runs(cache) == {"one.md": 2.5}


def test_only_the_last_few_results_of_a_notebook_are_kept(tmp_path):
    cache = get_cache(tmp_path)
    keep_result(cache, "two.md", "x")
    for code in "abc":
        keep_result(cache, "one.md", code)
    notebooks._forget_old(cache, keep=2)
    kept = [
        (record.uri, cache.get_cache_bundle(record.pk).nb.cells[0].source)
        for record in cache.list_cache_records()
    ]
    assert sorted(kept) == [("one.md", "b"), ("one.md", "c"), ("two.md", "x")]


def test_a_notebook_that_is_no_markdown_is_named(small):
    """In words, before anything runs."""
    contents = small.folder / "_toc.yml"
    before = contents.read_text()
    contents.write_text(before + "  - file: book/other\n  - file: book/lost\n")
    small.write(other_ipynb="{}")
    assert not small.build()
    contents.write_text(before)
    (small.folder / "book/other.ipynb").unlink()
    assert "Traceback" not in small.output
    assert "_toc.yml names book/other, which must be Markdown, book/other.md; there is other.ipynb." in (
        small.output
    )
    assert "jupytext --to md:myst book/other.ipynb" in small.output
    assert "book/lost.md; there is no such file." in small.output


# ---- what each step depends on ----


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "again"),
    [
        ("formats/epub.css", set()),
        ("formats/paper.py", set()),
        ("live/page.js", set()),
        ("watch.py", set()),
        ("run/notebooks.py", set()),
        ("README.md", set()),
        ("finish/site.py", {"finished"}),
        ("finish/head.js", {"finished"}),
        ("formats/notebooks.py", {"finished"}),
        ("static/page.js", {"written"}),
        ("sphinx/quiz.py", {"read", "finished"}),
        ("sphinx/still.js", {"read", "finished"}),
        ("upstream.py", {"read", "finished"}),
    ],
)
def test_a_comma_lets_only_those_steps_begin_again_that_use_it(tmp_path, name, again):
    program = tmp_path / "program"
    left_out = shutil.ignore_patterns("__pycache__", "temml", "fontawesome", "minisearch", "jsep")
    shutil.copytree(build.HERE, program, ignore=left_out)
    config = build.settings(REPOSITORY)
    before = build.stages(REPOSITORY, config, program)
    with (program / name).open("a", encoding="utf-8") as file:
        file.write(",")
    after = build.stages(REPOSITORY, config, program)
    stages = ("read", "written", "finished")
    assert {stage for stage in stages if getattr(before, stage) != getattr(after, stage)} == again


def test_pages_are_read_again_if_the_face_in_their_stills_is_cut_anew(tmp_path):
    face = {"family": "Sea", "file": "sea.woff2"}
    config = {"sphinx": {"config": {"bookext_palette": "palette.json", "bookext_still_face": face}}}
    for name in ("_toc.yml", "palette.json", face["file"]):
        (tmp_path / name).write_text(name)
    before = build.stages(tmp_path, config)
    (tmp_path / face["file"]).write_text("with one sign more")
    after = build.stages(tmp_path, config)
    assert before.read != after.read
    assert before.finished == after.finished


@pytest.mark.parametrize(
    ("begin", "listed"),
    [
        ("bookext.sphinx.extension", build.READ_BY),
        ("bookext.finish.site", build.FINISHED_BY),
        ("bookext.formats.branch", build.FINISHED_BY),
    ],
)
def test_each_step_lists_all_modules_that_it_imports(begin, listed):
    graph = grimp.build_graph("bookext", exclude_type_checking_imports=True, cache_dir=None)
    seen = {begin} | graph.find_upstream_modules(begin)

    def place(module: str) -> Path:
        path = build.HERE.parent / module.replace(".", "/")
        return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")

    assert len(seen) > 3
    names = {place(module).relative_to(build.HERE).as_posix() for module in seen}
    assert not {
        name for name in names if not any(name == one or name.startswith(f"{one}/") for one in listed)
    }


def test_a_site_is_replaced_whole(tmp_path):
    old, new = tmp_path / "html", tmp_path / "html.new"
    for folder, name in ((old, "stale"), (new, "fresh")):
        folder.mkdir()
        (folder / name).touch()
    build.replace(new, old)
    assert [path.name for path in old.iterdir()] == ["fresh"]
    assert [path.name for path in tmp_path.iterdir()] == ["html"]


# ---- watch ----


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("_toc.yml", True),
        ("CHANGELOG.md", True),
        ("README.md", False),
        ("_build/html/index.html", False),
        ("book/one.md", True),
        ("book/deep/two.md", True),
        ("book/.one.md.swp", False),
        ("code/shape/__pycache__/a.pyc", False),
        ("code/shape/area.py", True),
        ("code/tests/test_area.py", False),
    ],
)
def test_a_change_is_seen_if_a_page_may_need_it(tmp_path, name, counts):
    book = tmp_path.resolve()
    path = book / name
    for folder in (path.parent, book / "book", book / "code/shape"):
        folder.mkdir(parents=True, exist_ok=True)
    config = {"sphinx": {"config": {"bookext_packages": {"shape": "code/shape"}}}}
    folders = watch.places(book, config, ["book/one"])
    assert set(folders) == {book / "book", book / "code/shape", Path(watch.__file__).parent}
    watched = (
        folders if any(one in path.parents for one in folders) else [book] if path.parent == book else []
    )
    filters = {True: watch.within(folders), False: watch.at_top}
    assert counts == (bool(watched) and filters[watched == folders](watchfiles.Change.modified, str(path)))


def test_a_file_that_is_saved_sets_the_signal(tmp_path):
    """Also one that an editor has put in the place of the old one, which is another file for the system."""
    book = tmp_path.resolve()
    (book / "book").mkdir()
    (book / "_toc.yml").write_text("old")
    changed = threading.Event()
    end = watch.signal_changes(book, [book / "book"], changed)
    try:
        for name in ("book/one.md", "_toc.yml", "book/one.md", "_toc.yml"):
            for _ in range(100):  # until the watcher has begun to look
                (book / "new").write_text("text")
                (book / "new").rename(book / name)
                if changed.wait(0.2):
                    break
            assert changed.is_set(), name
            while changed.wait(0.5):
                changed.clear()
    finally:
        end.set()


def test_a_page_learns_of_the_next_build(tmp_path):
    (tmp_path / "page.html").write_text("<html><body>text</body></html>")
    builds = watch.Builds()
    serving = watch.server(tmp_path, builds, 0)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{serving.server_port}"
    try:
        page = urlopen(f"{address}/page.html").read().decode()
        (script,) = re.findall(r'<body>text<script src="(.+?)"></script></body>', page)
        assert f'"{watch.NEWS}0"' in urlopen(address + script).read().decode()
        with ThreadPoolExecutor() as elsewhere:
            asked = elsewhere.submit(lambda: urlopen(address + watch.NEWS + "0").status)
            assert not asked.done()
            builds.done()
            assert asked.result(20) == 200
    finally:
        serving.shutdown()
        serving.server_close()


def test_no_list_of_fonts_but_the_build_s_own_is_used(small, monkeypatch, tmp_path):
    """The user's has no font here, as one may have those that are gone."""
    fonts = font_manager.FontManager()
    fonts.ttflist = []
    (tmp_path / "matplotlib").mkdir()
    font_manager.json_dump(fonts, tmp_path / f"matplotlib/fontlist-v{fonts.__version__}.json")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("MPLCONFIGDIR")
    cell = "from matplotlib.font_manager import findfont\n\nfindfont('DejaVu Sans').rpartition('/')[2]"
    small.write(story_md=f"{HEADER}{STORY}\n```{{code-cell}} python3\n{cell}\n```\n")
    assert small.build(), small.output
    assert "DejaVuSans.ttf" in small.page("story")
