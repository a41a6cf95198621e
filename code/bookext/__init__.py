"""The Sphinx extension that makes the book's pages self-contained, light and alive without a kernel.

`widgets` and `figures` work on a notebook's outputs, `numbering` on the whole book, `pages` on the written HTML.
It knows nothing of the book's own package: what it needs of the palette it reads from a file.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from bookext import execution, figures, numbering, pages, widgets

#: Of MathJax's 24 MB, what a page may ask for: TeX in, HTML out, MathML for screen readers; the extensions that
#: \\require loads; and the menu, when a reader asks for it. Its ready-made bundle is a third heavier.
MATHJAX = (
    "startup.js",
    "core.js",
    "input/tex.js",
    "input/tex/extensions",
    "output/chtml.js",
    "output/chtml/fonts",
    "a11y/assistive-mml.js",
    "ui/menu.js",
)


def use_repository(app: Sphinx, config: Config) -> None:
    """Show the repository's buttons and the launch link if, and only if, the repository has an address."""
    options = config.html_theme_options
    if options.get("repository_url"):
        options |= {"use_repository_button": True, "use_edit_page_button": True, "use_issues_button": True}
        options["launch_buttons"] = {
            "binderhub_url": "https://mybinder.org",
            "notebook_interface": "jupyterlab",
        }


def add_static_files(app: Sphinx) -> None:
    """Put `host.js` and the palette's style sheet among the site's files."""
    app.config.html_static_path.append(str(Path(__file__).parent / "static"))
    palette = figures.read_palette(Path(app.srcdir, app.config.bookext_palette))
    sheet = Path(app.outdir, "_static", "palette.css")
    sheet.parent.mkdir(parents=True, exist_ok=True)
    sheet.write_text(figures.palette_css(palette), encoding="utf-8")


def make_searchable(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Give the pages that have a table of class `searchable`, and no others, what makes it so."""
    if doctree and any("searchable" in table["classes"] for table in doctree.findall(nodes.table)):
        app.add_js_file("datatables/dataTables.min.js")
        app.add_js_file("tables.js")


def name_spans(app: Sphinx, doctree: nodes.document) -> None:
    """Let every page refer to a span that has an id, `[text]{#id}`, as {ref}`id`: MyST knows it on its own page only."""
    standard = app.env.domains["std"]
    for span in doctree.findall(nodes.inline):
        for name in span["ids"]:
            standard.anonlabels[name] = app.env.docname, name
            standard.labels[name] = app.env.docname, name, span.astext()


def executed_notebook(app: Sphinx, pagename: str) -> Path | None:
    """Where a page's notebook lies with its outputs; None for a page that is no notebook."""
    if "kernelspec" in app.env.metadata.get(pagename, {}):
        return Path(app.env.mystnb_config.output_folder, f"{pagename}.ipynb")
    return None


def offer_csv(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Put a notebook's CSV outputs that name a file beside the site's index.html."""
    notebook = executed_notebook(app, pagename)
    for cell in nbformat.read(notebook, 4).cells if notebook else []:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("text/csv", {}).get("filename")
            if name:
                Path(app.outdir, Path(name).name).write_text(
                    output["data"]["text/csv"], encoding="utf-8", newline=""
                )


def offer_notebook(app: Sphinx, pagename: str, templatename: str, context: dict, doctree) -> None:
    """Offer a MyST notebook as .ipynb, which the theme does only where it can also launch it."""
    notebook = executed_notebook(app, pagename)
    if notebook and context.get("page_source_suffix") == ".md":
        target = Path(app.outdir, "_sources", f"{pagename}.ipynb")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(notebook, target)
        context["ipynb_source"] = f"{pagename}.ipynb"


def finish_site(app: Sphinx, error: Exception | None) -> None:
    """Copy MathJax and rewrite the pages once they are all there."""
    if error or app.builder.name != "html":
        return
    source = Path(find_spec("sphinx-mathjax-offline").origin).parent / "static/mathjax"
    for part in MATHJAX:
        target = Path(app.outdir, "_static/mathjax", part)
        target.parent.mkdir(parents=True, exist_ok=True)
        if (source / part).is_dir():
            shutil.copytree(source / part, target, dirs_exist_ok=True)
        else:
            shutil.copy(source / part, target)
    pages.finish(Path(app.outdir), app.builder.get_target_uri(app.config.root_doc), app.config.html_title)


def setup(app: Sphinx) -> dict:
    """Register everything with Sphinx."""
    execution.heed_replies()
    app.add_config_value("bookext_palette", "palette.json", "env", str)
    app.add_config_value("bookext_first_chapter", 1, "env", int)
    app.add_config_value("bookext_appendices", [], "env", list)
    app.connect("config-inited", use_repository)
    app.connect("builder-inited", add_static_files)
    app.connect("doctree-read", name_spans)
    app.connect("env-get-updated", numbering.count_from, priority=501)  # after Sphinx has counted
    app.connect("html-page-context", offer_notebook)
    app.connect("html-page-context", offer_csv)
    app.connect("html-page-context", make_searchable)
    app.connect("build-finished", finish_site, priority=900)  # after the theme has written its last file
    app.add_transform(widgets.StaticWidgets)
    app.add_transform(figures.FigureTwins)
    app.add_css_file("palette.css")
    app.add_js_file("formulas.js")
    app.add_js_file("host.js", priority=1, loading_method="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
