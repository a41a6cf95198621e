"""The Sphinx extension: its pure functions, and a book of three pages built with it.

The real pages are looked at in test_pages*.py.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pydata_sphinx_theme
import pytest
import yaml
from docutils import nodes
from fontTools.ttLib import TTFont
from harness import REPOSITORY
from harness import build as build_book
from lxml.html import fromstring, tostring
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from PIL import Image

import cut_fonts
from bookext import upstream
from bookext.finish import icons, site, stylesheet
from bookext.run import notebooks
from bookext.sphinx import counts, figures, stills, widgets

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
PALETTE = {"sine": {"light": "#0b5fa5", "dark": "#6db7ff"}, "paper": {"light": "#ffffff", "dark": "#14181e"}}


# ---- notebooks: which cell failed ----

NOTEBOOK = """---
jupytext: {text_representation: {format_name: myst}}
kernelspec: {display_name: Python 3, language: python, name: python3}
---

# Title

```{code-cell} python3
a = 1
```

Text.

```{code-cell} python3
:tags: [x]
b = a / 0
```
"""


def failed(folder: Path, index: int | None, error: Exception) -> str:
    (folder / "one.md").write_text(NOTEBOOK)
    notebook = upstream.read_notebook(folder / "one.md")
    run = notebooks._Run("one", notebook, folder, 300)
    run.index = index
    return str(run.failure(error))


def test_the_failing_cell_is_named(tmp_path):
    error = CellExecutionError("Traceback ...", "ZeroDivisionError", "division by zero")
    assert (
        failed(tmp_path, 3, error) == "one.md: cell 2 (line 14) failed: ZeroDivisionError: division by zero"
    )
    assert failed(tmp_path, 1, CellTimeoutError("Too long.\nMore")).endswith(
        "cell 1 (line 8) failed: CellTimeoutError: Too long."
    )


def test_a_notebook_that_does_not_start_is_named(tmp_path):
    assert (
        failed(tmp_path, None, DeadKernelError("Kernel died"))
        == "one.md: a cell failed: DeadKernelError: Kernel died"
    )


def test_a_page_without_a_kernel_is_no_notebook(tmp_path):
    (tmp_path / "page.md").write_text("# Title\n")
    assert upstream.read_notebook(tmp_path / "page.md") is None


# ---- observe: what a process reads ----


def test_what_is_read_is_seen_and_what_is_written_or_installed_is_not(tmp_path):
    (tmp_path / "used.py").write_text("import yaml")
    (tmp_path / "package").mkdir()
    for name in ("package/__init__.py", "package/data.txt", "table.json", "other.txt"):
        (tmp_path / name).touch()
    script = """if True:
        from bookext.run import observe
        observe.start()
        import json, os, used, package
        from importlib.resources import files
        files("package").joinpath("data.txt").read_text()
        open("table.json").close()
        os.listdir("package")
        with open("other.txt", "w") as other: other.write("x")
        print("\\n".join(observe.files(".")))"""
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, text=True, stdout=subprocess.PIPE, check=True
    )
    seen = {
        os.path.relpath(name, tmp_path.resolve()) + "/" * name.endswith("/")
        for name in result.stdout.splitlines()
    }
    assert seen == {"used.py", "package/__init__.py", "package/data.txt", "table.json", "package/"}


# ---- counts ----


def test_patterns_count_within_each_other():
    text = "<a a> a <b> <a>"
    assert [counts.count(patterns, text) for patterns in (["a"], ["<.*?>"], ["<.*?>", "a"])] == [4, 3, 3]


# ---- stylesheet ----


def pruned(css: str, known: set[str]) -> list[str]:
    return [str(rule) for rule in stylesheet.prune(stylesheet.parse(css), known)]


def test_pruning_keeps_order_and_structure():
    css = """/* .gone{} */ .kept { x: "}" } .gone, .kept > b { y: 1 }
    @media print { .gone { a: b } .kept { c: d } } @media screen { .gone { a: b } }
    .kept.gone { z: 1 } #gone { z: 1 }
    a[href=".gone"] { background: url(data:image/svg+xml;a{b}) } :not(.gone) { w: 1 }"""
    assert pruned(css, {"kept"}) == [
        '.kept{x: "}"}',
        ".kept > b{y: 1}",
        "@media print{.kept{c: d}}",
        'a[href=".gone"]{background: url(data:image/svg+xml;a{b})}',
        ":not(.gone){w: 1}",
    ]


def test_what_is_nested_or_new_is_kept_as_it_is():
    css = ".kept{a:b;&:hover{c:d}.gone &{e:f}}@starting-style{.gone{g:h}}@scope (.gone){p{i:j}}"
    assert pruned(css, {"kept"}) == [
        ".kept{a:b;&:hover{c:d};.gone &{e:f}}",
        "@starting-style{.gone{g:h}}",
        "@scope (.gone){p{i:j}}",
    ]


def test_escaped_class_names_are_understood():
    selector = stylesheet.parse(r".w-1\/2{}")[0].prelude
    assert stylesheet.may_match(selector, {"w-1/2"})
    assert not stylesheet.may_match(selector, {"w-1"})


def test_unused_properties_go_and_used_ones_stay():
    rules = list(
        stylesheet.prune(stylesheet.parse(":root{--a:1;--b:var( --c);--c:2;--d:3}p{x:var(--b)}"), set())
    )
    kept = stylesheet.drop_unused(rules, {"--d"})
    assert list(map(str, kept)) == [":root{--b:var( --c);--c:2;--d:3}", "p{x:var(--b)}"]


def test_sheets_are_joined_with_their_addresses_right(tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "base.css").write_text("b{background:url(images/b.png)}")
    (tmp_path / "deep/one.css").write_text(
        "@import '../base.css';a{background:url('x.png')}c{d:url(data:,e)}"
    )
    joined = stylesheet.prune(stylesheet.read(tmp_path / "deep/one.css", tmp_path), set())
    assert "".join(map(str, joined)) == (
        'b{background:url("images/b.png")}a{background:url("deep/x.png")}c{d:url(data:,e)}'
    )


# ---- icons ----


def test_icons_are_as_their_makers_published_them():
    """Font Awesome Free 6.5.2: files of the npm package @fortawesome/fontawesome-free, with its license."""
    total = hashlib.sha256()
    for path in sorted(path for path in icons.FOLDER.rglob("*") if path.is_file()):
        total.update(path.relative_to(icons.FOLDER).as_posix().encode() + path.read_bytes())
    assert total.hexdigest() == "5b68707dc0a4fce54c4cdddec541399fbf9385d36fe510ee70999bed9c3c1d7c"
    assert "Font Awesome Free License" in (icons.FOLDER / "LICENSE.txt").read_text()
    for path in icons.FOLDER.rglob("*.svg"):
        assert "Font Awesome Free 6.5.2" in path.read_text()


def test_icons_are_the_themes():
    """The same drawings as in the theme's script, which the pages no longer load."""
    script = (THEME / "scripts/fontawesome.js").read_text()
    for path in icons.FOLDER.rglob("*.svg"):
        assert icons.outline(path.parent.name, path.stem)[1] in script, path.name


def test_icon_tags_become_pictures():
    page = site.read(
        b'<p><i class="theme-switch fa-solid fa-sun     fa-lg" data-mode="light" title="Light"></i> '
        b'<span class="fab fa-github"></span> <i>x</i></p>'
    )
    icons.put_pictures(page)
    sun, github = icons.outline("solid", "sun"), icons.outline("brands", "github")
    assert tostring(page.find("body/p"), encoding="unicode") == (
        '<p><svg class="svg-inline--fa theme-switch fa-sun fa-lg" aria-hidden="true" focusable="false" '
        'data-mode="light" '
        f'viewBox="{sun[0]}"><path fill="currentColor" d="{sun[1]}"></path></svg> '
        '<svg class="svg-inline--fa fa-github" aria-hidden="true" focusable="false" '
        f'viewBox="{github[0]}"><path fill="currentColor" d="{github[1]}"></path></svg> <i>x</i></p>'
    )
    with pytest.raises(ValueError, match=r"'nothing'.*'solid'"):
        icons.put_pictures(site.read(b'<i class="fas fa-nothing"></i>'))


def test_the_font_keeps_only_what_is_asked_for():
    characters = {"\uf058", "\uf05a"}
    data = icons.subset_font(THEME / "vendor/fontawesome/webfonts/fa-solid-900.ttf", characters)
    assert set(map(chr, TTFont(io.BytesIO(data)).getBestCmap())) == characters
    assert data == icons.subset_font(THEME / "vendor/fontawesome/webfonts/fa-solid-900.ttf", characters), (
        "the same bytes each time"
    )


# ---- formulas ----


@pytest.mark.build
def test_the_font_has_all_that_formulas_are_made_of(site):
    """A single letter is slanted by the browser, which takes another character for it; and it draws roots."""
    has = TTFont(REPOSITORY / "book/_static/fonts/stix-two-math-400-normal.woff2").getBestCmap()
    wanted: set[str] = set()
    for path in site.root.rglob("*.html"):
        for formula in fromstring(path.read_bytes()).iter("math"):
            wanted.update("".join(formula.itertext()))
    assert wanted > set("αω∑")
    drawn = {chr(0x1D434 + ord(letter) - ord("A")) for letter in "ABCKQ"} | set("\N{PLANCK CONSTANT}√")
    missing = {sign for sign in wanted | drawn if ord(sign) not in has and not sign.isspace()}
    assert not missing - {"\N{VARIATION SELECTOR-15}"}, f"`make fonts`, with {sorted(missing)}"


@pytest.mark.build
def test_the_faces_of_the_text_have_all_that_is_written(site):
    """Letters and signs of Western languages: others are in the face for names, or in no face of ours."""
    written: set[str] = set()
    for path in site.root.rglob("*.html"):
        page = fromstring(path.read_bytes())
        for formula in page.xpath("//math"):
            formula.clear(keep_tail=True)
        written.update(page.text_content())  # with what the explorers say
    assert written > set("aZ0é’")
    ours = {sign for sign in written if ord(sign) < 0x100 or "\u2010" <= sign <= "\u2027" or sign == "−"}
    for face in ("400-normal", "400-italic", "700-normal"):
        has = TTFont(REPOSITORY / f"book/_static/fonts/stix-two-text-latin-{face}.woff2").getBestCmap()
        missing = sorted(sign for sign in ours if ord(sign) not in has and not sign.isspace())
        assert missing == ["\N{NON-BREAKING HYPHEN}"], "`make fonts`, with what is missing"


def test_what_stands_in_for_bold_and_italic_is_as_wide_as_they_are():
    assert cut_fonts.STAND_INS.read_text(encoding="utf-8") == cut_fonts.stand_ins(), "run `make fonts`"


# ---- figures ----


def test_dark_variant_exchanges_the_palette_and_nothing_else():
    svg = '<path style="stroke: #0B5FA5; fill: #123456"/><path fill="#ffffff"/><use href="#0b5fa5ab"/>'
    assert (
        figures.dark_variant(svg, PALETTE)
        == '<path style="stroke: #6db7ff; fill: #123456"/><path fill="#14181e"/><use href="#0b5fa5ab"/>'
    )


def test_the_books_palette_has_twins_for_every_role():
    palette = figures.read_palette(REPOSITORY / "code/wavebook/palette.json")
    for role, pair in palette.items():
        assert figures.dark_variant(pair["light"], palette) == pair["dark"], role
        assert f"--posenc-{role}: {pair['dark']};" in figures.palette_css(palette)


def test_pictures_inside_a_figure_lose_bytes_and_no_pixel():
    random = np.random.default_rng(0)
    colors = random.integers(0, 256, (200, 4), dtype=np.uint8)
    few, many = (
        colors[random.integers(0, 200, (90, 60))],
        random.integers(0, 256, (90, 60, 4), dtype=np.uint8),
    )

    def png(pixels):
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "PNG")
        return buffer.getvalue()

    assert figures.index_colors(png(many)) == png(many), "more colors than a table holds"
    svg = f'<image xlink:href="data:image/png;base64,\n{base64.encodebytes(png(few)).decode()}" width="1"/>'
    slim = figures.recompress(svg)
    assert len(slim) < len(svg) / 3
    assert slim.endswith('" width="1"/>')
    stored = base64.b64decode(re.search(r'base64,([^"]+)"', slim)[1])
    assert (np.asarray(Image.open(io.BytesIO(stored)).convert("RGBA")) == few).all()


def test_a_palette_with_two_equal_colors_is_refused(tmp_path):
    (tmp_path / "p.json").write_text(json.dumps({"a": PALETTE["sine"], "b": PALETTE["sine"]}))
    with pytest.raises(ValueError, match="two roles share"):
        figures.read_palette(tmp_path / "p.json")


def test_sizes_in_css_pixels(tmp_path):
    svg, png, plain = (tmp_path / name for name in ("a.svg", "b.png", "c.png"))
    svg.write_text(
        '<?xml version="1.0"?>\n<svg xmlns="x" width="518.4pt" height="2.5in" viewBox="0 0 1 1">'
        '<svg width="1"/></svg>'
    )
    Image.new("RGB", (1440, 500)).save(png, dpi=(200, 200))
    Image.new("RGB", (30, 20)).save(plain)
    assert (figures.size(svg), figures.size(png), figures.size(plain)) == ((691, 240), (691, 240), (30, 20))
    svg.write_text('<svg viewBox="0 0 1 1"/>')
    assert figures.size(svg) is None


# ---- widgets ----

MODELS = {
    "one": {
        "state": {"_esm": "code", "_css": "style", "_view_name": "x", "layout": "IPY_MODEL_l", "position": 3}
    },
    "two": {"state": {"_esm": "code", "_css": "other", "position": 4}},
    "box": {"state": {"children": ["IPY_MODEL_slider", "IPY_MODEL_box", "IPY_MODEL_out"]}},
    "slider": {"state": {"value": 1}},
    "out": {
        "state": {"outputs": [{"output_type": "stream", "text": "t"}, {"data": {"image/svg+xml": "<svg/>"}}]}
    },
}


def test_explorers_are_told_from_other_widgets():
    assert [name for name in MODELS if widgets.is_explorer(MODELS, name)] == ["one", "two"]
    assert not widgets.is_explorer(MODELS, "unknown")


def test_what_a_widget_shows_is_found_inside_it():
    assert widgets.shown_by(MODELS, "box") == {"image/svg+xml": "<svg/>"}
    assert widgets.shown_by(MODELS, "slider") is None


def test_state_is_pruned_and_shared():
    assert widgets.share_texts(MODELS, ["one", "two", "one"]) == {
        "one": {"state": {"_esm": "code", "_css": "style", "position": 3}},
        "two": {"state": {"_esm": {"same_as": "one"}, "_css": "other", "position": 4}},
    }


def test_modules_that_explorers_share_are_written_once():
    kit, circle, clock = (f"const ${name} = (() => {{\nreturn 1;\n}})();\n" for name in ("kit", "b", "c"))
    texts = {"alone": "export 1;", "one": kit + circle + "export 1;", "two": clock + kit + "export 2;"}
    shared = widgets.share_texts({name: {"state": {"_esm": text}} for name, text in texts.items()}, [*texts])
    assert [shared[name]["state"]["_esm"] for name in texts] == [
        "export 1;",
        [kit, circle, "export 1;"],
        [clock, {"same_as": "one", "piece": 0}, "export 2;"],
    ]


def test_a_page_without_script_has_the_question_and_its_answer(monkeypatch):
    still = stills.Still(
        "<svg/>", "A dial at 7.", '{"p":7}', [("<i>p</i>", "7"), ("order", "new")], ["<b>2</b> hands"]
    )
    monkeypatch.setattr(stills, "draw", lambda state: still)
    monkeypatch.setattr(widgets, "add_image", lambda env, content, suffix: f"{content.decode()}{suffix}")
    for prediction, wanted in ((None, ""), ({"printed": "<p>Why? Because.</p>"}, "<p>Why? Because.</p>")):
        view = nodes.container("", mime_type=widgets.VIEW)
        widgets.StaticWidgets.add_still(SimpleNamespace(env=None), view, {"prediction": prediction})
        before, picture, after = view.children
        box = '<div class="explorer-still" data-values="{&quot;p&quot;:7}">'
        assert before.astext() == f"<noscript>{box}{wanted}"
        assert (picture["uri"], picture["alt"]) == ("<svg/>.svg", "A dial at 7.")
        assert after.astext().startswith(
            "<p><i>p</i>: 7; order: new.</p><div><b>2</b> hands</div><p>This figure"
        )


def test_a_module_cannot_end_its_script_element():
    text = widgets.script(widgets.STATE, {"_esm": "a</script>b"}).astext()
    assert text.count("</script>") == 1
    assert json.loads(re.search(r">(.*)</script>$", text)[1]) == {"_esm": "a</script>b"}


# ---- pages ----

PAGE = """<html><head>
  <script data-cfasync="false">theme</script>
  <link rel="preload" as="script" href="bootstrap.js" />
  <link href="../_static/styles/theme.css?digest=1" rel="stylesheet" />
  <script defer src="../_static/scripts/fontawesome.js?digest=1"></script>
  <script defer="defer" src="../_static/host.js?v=1"></script>
  <script src="../_static/togglebutton.js"></script>
  <script>var togglebuttonSelector = 1;</script>
  <script src="../_static/documentation_options.js"></script>
  <script>window.MathJax = {}</script>
  <script defer="defer" src="../_static/mathjax/startup.js"></script>
  <script src="../_static/searchtools.js"></script>
  <link rel="stylesheet" type="text/css" href="../_static/b.css?v=2" />
</head><body>text<script type="application/json">{}</script>
</body></html>"""


def test_scripts_wait_in_the_right_order():
    page = site.read(PAGE.encode())
    site.delay_scripts(page)
    late = [
        (script.get("data-src", ""), script.text or "")
        for script in page.xpath("//script[@type='text/late']")
    ]
    assert [source.rpartition("/")[2] or body for source, body in late] == [
        "documentation_options.js",
        "var togglebuttonSelector = 1;",
        "togglebutton.js",
    ]
    theme, host, data = page.xpath("//script[not(@type='text/late')]")
    assert "prefers-color-scheme" in theme.text
    assert "host.js" in host.get("src")
    assert data.get("type") == "application/json"
    assert not page.xpath("//link[@rel='preload']")
    search = site.read(PAGE.encode())
    site.delay_scripts(search, is_search=True)
    assert "passages.js" in site.write(search)
    assert "searchtools.js" not in site.write(search)


def test_one_sheet_replaces_all():
    page = site.read(PAGE.encode())
    site.link_one_sheet(page, "../_static/site.css?v=3")
    assert [link.get("href") for link in page.iter("link")] == ["bootstrap.js", "../_static/site.css?v=3"]
    bare = site.read(b"<p>a</p>")
    site.link_one_sheet(bare, "x")
    assert not list(bare.iter("link"))


def test_images_get_their_size_and_wait(tmp_path):
    (tmp_path / "a b.svg").write_text('<svg width="10" height="20">')
    page = site.read(b'<img alt="a b" src="a%20b.svg"/><img src="https://x/b.png"/>')
    site.size_images(page, tmp_path)
    assert [dict(image.attrib) for image in page.iter("img")] == [
        {
            "alt": "a b",
            "src": "a%20b.svg",
            "width": "10",
            "height": "20",
            "loading": "lazy",
            "decoding": "async",
        },
        {"src": "https://x/b.png", "loading": "lazy", "decoding": "async"},
    ]


def test_faults_of_the_extensions_are_mended():
    page = site.read(
        b'<article><div class="proof admonition" id="proof">\n<p>Proof. By this.</p></div>'
        b'<section id="exercise-content"></section>'
        b'<div class="citation-list" role="list"><div role="doc-biblioentry">c</div></div></article>'
    )
    upstream.mend(page)
    text = site.write(page)
    assert "<p><em>Proof.</em> By this.</p>" in text
    assert 'class="proof admonition is-proof"' in text
    assert not page.xpath("//@id | //@role")
    assert page.find_class("bd-sidebar-secondary")


# ---- host.js ----

COUNTER = """
export default {
  initialize({ model }) { model.set("started", (model.get("started") || 0) + 1); },
  render({ model, el }) {
    window.order.push("drawn");
    const show = () => { el.textContent = `${model.get("count")}/${model.get("started")}`; };
    model.on("change:count", show);
    model.on("change", () => window.order.push("changed"));
    window.model = model;
    show();
  },
};
"""


@pytest.fixture
def hosted(browser, tmp_path):
    """A page with late scripts and four views: two of one widget, a broken one, one without state."""
    state = {
        "a": {
            "state": {"_esm": ["// A piece.\n", COUNTER], "_css": "body { color: rgb(1, 2, 3) }", "count": 7}
        },
        "b": {
            "state": {
                "_esm": [
                    {"same_as": "a", "piece": 0},
                    "export default { render() { throw new Error('planted') } }",
                ],
                "_css": {"same_as": "a"},
            }
        },
    }
    views = "".join(
        f'<div id="v{i}"><script type="{widgets.VIEW}">{{"model_id": "{m}"}}</script></div>'
        for i, m in enumerate("aabz")
    )
    shutil.copy(REPOSITORY / "code/bookext/static/host.js", tmp_path / "host.js")
    (tmp_path / "late.js").write_text("let setting = 1; order.push('file')")
    (tmp_path / "page.html").write_text(
        '<!doctype html><html data-theme="dark"><script>window.order = []</script>'
        '<script async src="host.js"></script>'
        f'<script type="{widgets.STATE}">{json.dumps({"state": state})}</script>{views}<details></details>'
        '<script type="text/late" data-src="late.js"></script>'
        '<script type="text/late">order.push("inline " + typeof setting)</script></html>'
    )
    page = browser.new_page()
    page.route(
        "**/late.js", lambda route: (time.sleep(0.5), route.continue_())
    )  # the inline script must wait for it
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_function("order.some((entry) => entry.startsWith('inline'))")
    yield page
    page.close()


def test_explorers_draw_before_late_scripts_run(hosted):
    order = hosted.evaluate("order")
    assert order[-2:] == ["file", "inline number"]
    assert order.count("drawn") == 2
    assert hosted.locator("style").count() == 1
    assert hosted.evaluate("getComputedStyle(document.body).color") == "rgb(1, 2, 3)"


def test_views_of_one_widget_move_together(hosted):
    shown = [hosted.locator(f"#v{i} .explorer-view") for i in range(2)]
    assert [view.inner_text() for view in shown] == ["7/1", "7/1"], "initialised once"
    hosted.evaluate(
        "order.length = 0; model.set('count', 7); model.set({count: 8}); model.save_changes(); model.send({})"
    )
    assert [view.inner_text() for view in shown] == ["8/1", "8/1"]
    assert hosted.evaluate("order") == [
        "changed",
        "changed",
    ]
    hosted.evaluate("model.off('change:count'); model.set('count', 9)")
    assert shown[0].inner_text() == "8/1"
    assert hosted.evaluate("model.get('count')") == 9


def test_a_broken_explorer_says_so_in_its_place(hosted):
    broken, lost = (hosted.locator(f"#v{i} [role=alert]").inner_text() for i in (2, 3))
    assert "planted" in broken
    assert "no state" in lost


def test_paper_is_light_and_open(hosted):
    state = "[document.documentElement.dataset.theme, document.querySelector('details').open]"
    hosted.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert hosted.evaluate(state) == ["light", True]
    hosted.evaluate("dispatchEvent(new Event('afterprint'))")
    assert hosted.evaluate(state) == ["dark", False]


# ---- numbering, and a book of three pages ----


@pytest.fixture(scope="module")
def small_book(tmp_path_factory) -> Path:
    """A built book with a repository's address, with two numbered parts and an appendix."""
    book = tmp_path_factory.mktemp("small")
    for folder in ("book/_static", "book/_templates"):
        shutil.copytree(REPOSITORY / folder, book / folder)
    (book / "code/wavebook").mkdir(parents=True)
    shutil.copy(REPOSITORY / "code/wavebook/palette.json", book / "code/wavebook")
    config = yaml.safe_load((REPOSITORY / "_config.yml").read_text())
    config["repository"]["url"] = "https://github.com/someone/something"
    config["html"]["baseurl"] = "https://someone.github.io/something/"
    config["sphinx"]["config"]["bookext_preload"] = []
    (book / "_toc.yml").write_text(
        "format: jb-book\nroot: book/intro\nparts:\n- numbered: 2\n  chapters:\n  - file: book/one\n"
        "- numbered: 2\n  chapters:\n  - file: book/two\n- chapters:\n  - file: book/extra\n"
    )
    config["sphinx"]["config"]["bookext_appendices"] = ["book/extra"]
    (book / "_config.yml").write_text(yaml.safe_dump(config))
    (book / "book/extra.md").write_text(
        "# Extra\n\n## First\n\n### Deeper\n\n## Second\n\n"
        "```{prf:theorem}\n:label: thm-extra\nNo.\n```\n\nOne [word]{#a-word}.\n"
    )
    (book / "book/references.bib").write_text("")
    (book / "book/intro.md").write_text(
        "# Book\n\n{ref}`here` {eq}`eq-two` {prf:ref}`thm-one` {prf:ref}`thm-extra` {ref}`a-word`\n"
    )
    (book / "book/one.md").write_text(
        NOTEBOOK.partition("# Title")[0] + "# One\n\n```{prf:theorem}\n:label: thm-one\nYes.\n```\n\n"
        "```{code-cell} python3\n1\n```\n"
    )
    day = {"GIT_AUTHOR_DATE": "2026-05-04T12:00:00", "GIT_COMMITTER_DATE": "2026-05-04T12:00:00"}
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    for command in (["init", "--quiet"], ["add", "book"], [*who, "commit", "--quiet", "--message", "All"]):
        subprocess.run(["git", *command], cwd=book, env={**os.environ, **day}, check=True)
    (book / "book/two.md").write_text(
        "# Two\n\n(here)=\n## Section\n\n$$\na\n$$ (eq-two)\n\n"
        ":::{quiz}\nIs {eq}`eq-two` like {ref}`a-word`?\n\n"
        "- [x] As {prf:ref}`thm-one` says\n  - See {eq}`eq-two`.\n"
        "- [ ] No\n  - See {doc}`extra`.\n:::\n"
    )
    result = build_book(book)
    assert result.returncode == 0, result.stdout
    return book / "_build/html/book"


def test_a_second_part_goes_on_counting(small_book):
    intro, one, two = ((small_book / f"{name}.html").read_text() for name in ("intro", "one", "two"))
    assert '<span class="section-number">1\u2002</span>One' in one
    assert "Theorem 1.1" in one
    assert '<span class="section-number">2.1\u2002</span>Section' in two
    assert '<span class="eqno">(2.1)' in two
    assert "(2.1)" in intro
    assert "Theorem 1.1" in intro
    assert re.search(r'href="two.html">\s*2\u2002Two', intro), "the contents at the side count alike"


def test_appendices_are_lettered(small_book):
    intro, extra = ((small_book / f"{name}.html").read_text() for name in ("intro", "extra"))
    headings = re.findall(r'<h\d><span class="section-number">([^<]+)\u2002</span>(\w+)', extra)
    assert headings == [("A", "Extra"), ("A.1", "First"), ("A.2", "Second")]
    assert ">Deeper<" in extra
    assert "Theorem A.1" in intro
    assert "Theorem A.1" in extra
    assert re.search(r'href="extra.html">\s*A\u2002Extra', intro), (
        "the contents at the side are lettered alike"
    )


def test_a_span_can_be_referred_to_from_another_page(small_book):
    assert re.search(
        r'<a class="reference internal" href="extra.html#a-word">(<span[^>]*>)?word<',
        (small_book / "intro.html").read_text(),
    )


def test_a_quiz_may_refer_to_other_things(small_book):
    page = site.read((small_book / "two.html").read_bytes())
    (group,) = page.xpath("//fieldset[@data-quiz]")
    legend, *options = group
    assert " ".join(legend.text_content().split()) == "Is (2.1) like word?"
    assert [" ".join(option.text_content().split()) for option in options] == [
        "AAs Theorem 1.1 says Right. See (2.1).",
        "BNo Not quite. See Extra.",
    ]
    assert [link.get("href") for link in group.iter("a")] == [
        "#equation-eq-two",
        "extra.html#a-word",
        "one.html#thm-one",
        "#equation-eq-two",
        "extra.html",
    ]


def test_repository_buttons_need_an_address(small_book, site):
    address = "https://github.com/someone/something"
    one = (small_book / "one.html").read_text()
    assert f'href="{address}"' in one
    assert f"{address}/edit/main/book/one.md" in one
    assert f"{address}/issues/new" in one
    assert yaml.safe_load((REPOSITORY / "_config.yml").read_text())["repository"]["url"] or not any(
        re.search("btn-source-|dropdown-launch-buttons|Last updated on", path.read_text())
        for path in site.root.glob("book/*.html")
    )


def test_a_site_with_an_address_says_so(small_book):
    top = "https://someone.github.io/something/"
    one = (small_book / "one.html").read_text()
    assert f'<link rel="canonical" href="{top}book/one.html"' in one
    assert f'content="{top}_static/card.png"' in one
    assert f"<loc>{top}book/one.html</loc>" in (small_book.parent / "sitemap.xml").read_text()
    assert 'href="/something/book/one.html"' in (small_book.parent / "404.html").read_text()
    assert 'class="page-report" href="https://github.com/someone/something/issues/new?' in one


def test_what_the_buttons_of_a_page_open_is_published(small_book):
    """Each address is taken apart by the rules of its service, and its file looked for on that branch."""
    root = small_book.parents[2]
    branches = {"main": root, "notebooks": root / "_build/notebooks"}
    page = (small_book / "one.html").read_text()
    rules = {
        "colab.research.google.com": r"/github/someone/something/blob/(?P<branch>\w+)/(?P<path>.*)",
        "mybinder.org": r"/v2/gh/someone/something/(?P<branch>\w+)\?urlpath=lab/tree/(?P<path>.*)",
        "github.com": r"/someone/something/(?:edit|blob)/(?P<branch>\w+)/(?P<path>.*)",
    }
    opened = {}
    for host, rule in rules.items():
        for found in re.finditer(f'href="https://{re.escape(host)}{rule}"', page.replace("&amp;", "&")):
            opened[host] = branches[found["branch"]] / found["path"].partition('"')[0]
    assert opened.keys() == rules.keys()
    assert [path.name for path in opened.values()] == ["one.ipynb", "one.ipynb", "one.md"]
    assert all(path.is_file() for path in opened.values()), opened
    assert "Last updated on 2026-05-04" in " ".join(page.split())
    branch = branches["notebooks"]
    assert (branch / "requirements.txt").read_text().split() == [
        "wavebook[notebooks]", "@", "git+https://github.com/someone/something@main#subdirectory=code"
    ]  # fmt: skip
    first = json.loads((branch / "book/one.ipynb").read_text())["cells"][1]["source"]
    assert "git+https://github.com/someone/something@main#subdirectory=code" in first
    intro = (small_book / "intro.html").read_text()
    assert "colab" not in intro, "a page that is no notebook has none"
