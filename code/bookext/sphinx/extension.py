"""What Sphinx is told: which of our functions it calls, and when."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment

from bookext import upstream
from bookext.book import PALETTE, Book, Manifest, citation
from bookext.data_files import read_yaml
from bookext.sphinx import (
    addresses,
    ask_file,
    book_numbers,
    cells,
    chapters,
    citations,
    deck,
    exercises,
    figures,
    formal,
    html,
    launch,
    outdated,
    packages,
    previewed,
    quiz,
    recall,
    say_why,
    source,
    stills,
    summaries,
    translated,
    widgets,
)

#: Where a page's metadata keep the names of the CSV files that it offers.
CSV = "bookext-csv"


def use_repository(app: Sphinx, config: Config) -> None:
    """Show the repository's buttons if, and only if, the repository has an address."""
    options = config.html_theme_options
    if options.get("repository_url"):
        options |= {"use_repository_button": True, "use_edit_page_button": True, "use_issues_button": True}
        options["footer_content_items"] = [*options.get("footer_content_items", []), "last-updated"]


def add_static_files(app: Sphinx) -> None:
    """Put `host.js` and the palette's style sheet among the site's files."""
    app.config.html_static_path.append(str(Path(__file__).parents[1] / "static"))
    palette = figures.read_palette(Path(app.srcdir, app.config.bookext_palette))
    sheet = Path(app.outdir, "_static", "palette.css")
    sheet.parent.mkdir(parents=True, exist_ok=True)
    sheet.write_text(figures.palette_css(palette, app.config.bookext_palette_prefix), encoding="utf-8")
    # For pictures that a reader saves: figures.js asks for it.
    if face := dict(app.config.bookext_still_face):
        files = {"400": face.pop("file"), "600": face.pop("bold", "")}
        rules = {
            weight: stills.face_rule(**face, file=Path(app.srcdir, file), weight=weight)
            for weight, file in files.items()
            if file
        }
        script = f"globalThis.FIGURE_FACES = {json.dumps(rules)};\n"
        sheet.with_name("face.js").write_text(script, encoding="utf-8")


def has_searchable_table(doctree: nodes.document) -> bool:
    """Whether a table of the document is of class `searchable`."""
    return any("searchable" in table["classes"] for table in doctree.findall(nodes.table))


def has_filter(doctree: nodes.document) -> bool:
    """Whether a document has a box that filters its sections."""
    return any("data-filter" in raw.astext() for raw in doctree.findall(nodes.raw))


def has_explorer(doctree: nodes.document) -> bool:
    """Whether a document has a widget that runs in the page."""
    return any(widgets.STATE in made.astext() for made in doctree.findall(nodes.raw))


def name_spans(app: Sphinx, doctree: nodes.document) -> None:
    """Let every page refer to a span `[text]{#id}` as {ref}`id`: MyST knows it on its own page only."""
    standard = app.env.domains["std"]
    for span in doctree.findall(nodes.inline):
        for name in span["ids"]:
            standard.anonlabels[name] = app.env.docname, name
            standard.labels[name] = app.env.docname, name, span.astext()


def executed_notebook(app: Sphinx, pagename: str) -> Path | None:
    """Where a page's notebook lies with its outputs; None for a page that is no notebook."""
    if "kernelspec" in app.env.metadata.get(pagename, {}):
        return upstream.notebook_folder(app.env) / f"{pagename}.ipynb"
    return None


def save_outputs(app: Sphinx, doctree: nodes.document) -> None:
    """Save a notebook with its outputs, and those that are CSV and name a file beside index.html."""
    page = app.env.docname
    if executed_notebook(app, page) is None:
        return
    names = []
    for cell in upstream.write_outputs(app.env, page).cells:
        for output in cell.get("outputs", []):
            name = output.get("metadata", {}).get("text/csv", {}).get("filename")
            if name:
                names.append(Path(name).name)
                text = output["data"]["text/csv"]
                Path(app.outdir, names[-1]).write_text(text, encoding="utf-8", newline="")
    app.env.metadata[page][CSV] = names


def forget_pictures(app: Sphinx, doctree: nodes.document) -> None:
    """Let no page wait for pictures that it made itself.

    Their names are hashes of what is in them. Two pages that show the same one would each be read again
    because the other has written it, at every build.
    """
    needed = app.env.dependencies[app.env.docname]
    made = Path(os.path.relpath(upstream.notebook_folder(app.env), app.srcdir))
    needed -= {name for name in needed if made in Path(name).parents}


def offer_notebook(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Offer a MyST notebook as .ipynb, which the theme does only where it can also launch it."""
    notebook = executed_notebook(app, pagename)
    if notebook and context.get("page_source_suffix") == ".md":
        target = Path(app.outdir, "_sources", f"{pagename}.ipynb")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(notebook, target)
        context["ipynb_source"] = f"{pagename}.ipynb"


def read_again(
    app: Sphinx, env: BuildEnvironment, added: set[str], changed: set[str], removed: set[str]
) -> list[str]:
    """Read the pages again whose notebooks were run again."""
    return list(app.config.bookext_ran)


def keywords_of(app: Sphinx) -> dict[str, dict[str, str]]:
    """What readers type for a section, by document and by the section's id: the file `bookext_search`."""
    name = app.config.bookext_search
    if not name:
        return {}
    read = read_yaml(Path(app.srcdir, name))
    return {page: dict(sections) for page, sections in (read or {}).items()}


def symbols_of(app: Sphinx) -> dict[str, dict[str, Any]]:
    """What symbols of displayed formulas mean, by document: the file `bookext_symbols`."""
    name = app.config.bookext_symbols
    if not name:
        return {}
    read = read_yaml(Path(app.srcdir, name))
    return {page: {**read["everywhere"], **(own or {})} for page, own in read["pages"].items()}


def read_beside(app: Sphinx, name: str) -> Any:
    """What a YAML file of the book says; None if there is none."""
    return read_yaml(Path(app.srcdir, name)) if name else None


def write_manifest(app: Sphinx, error: Exception | None) -> None:
    """Say what of Sphinx's output is the site, and what is known of the book."""
    if error or app.builder.name != "html":
        return
    config, uri = app.config, app.builder.get_target_uri
    parts = upstream.parts(upstream.contents_of(app.env))
    palette = figures.read_palette(Path(app.srcdir, config.bookext_palette))
    options = config.html_theme_options
    Manifest(
        book=Book(
            title=config.html_title,
            author=config.author,
            language=config.language,
            rights=re.sub(r"<[^>]+>", "", options.get("extra_footer", "")),
            root=uri(config.root_doc),
            parts=[(caption, [uri(name) for name in names]) for caption, names in parts],
            site=config.html_baseurl,
            repository=options.get("repository_url", ""),
            branch=options.get("repository_branch", "") or "main",
            palette=config.bookext_palette_prefix,
            models=[
                json.loads(Path(app.srcdir, name).read_text(encoding="utf-8"))["model"]
                for name in config.bookext_models
            ],
            levels=config.bookext_levels,
            words_a_minute=config.bookext_pace.get("words", Book.words_a_minute),
            foot=config.bookext_foot,
            online_only=config.bookext_online_only,
            **citation(Path(app.srcdir, "CITATION.cff")),
        ),
        pages=[uri(name) for name in sorted(app.env.found_docs)],
        files=sorted({name for page in app.env.found_docs for name in app.env.metadata[page].get(CSV, [])}),
        colors={role: pair["light"] for role, pair in palette.items()},
        packages=list(config.bookext_packages.items()),
        wheels=config.bookext_wheels,
        wheels_page=packages.page_of(app),
        search={uri(name): keywords for name, keywords in keywords_of(app).items()},
        addresses=read_beside(app, config.bookext_addresses) or {},
        moved={entry["old"]: entry["new"] for entry in read_beside(app, config.bookext_moved) or []},
        symbols={uri(name): symbols for name, symbols in symbols_of(app).items()},
    ).write(Path(app.outdir))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register everything with Sphinx."""
    app.add_config_value("bookext_palette", "palette.json", "env", str)
    app.add_config_value("bookext_palette_prefix", PALETTE, "html", str)
    app.add_config_value("bookext_preload", [], "", list)
    app.add_config_value("bookext_search", "", "html", str)
    app.add_config_value("bookext_symbols", "", "html", str)
    app.add_config_value("bookext_film", "", "", str)
    app.add_config_value("bookext_foot", "", "html", str)
    app.add_config_value("bookext_levels", {}, "html", dict)
    app.add_config_value("bookext_online_only", [], "html", list)
    app.add_config_value("bookext_addresses", "", "html", str)
    app.add_config_value("bookext_moved", "", "html", str)
    app.add_config_value("bookext_still_face", {}, "env", dict)
    app.add_config_value("bookext_packages", {}, "html", dict)
    app.add_config_value("bookext_models", [], "html", list)
    # Set by bookext.build: which documents it has run, and hashes of what the pages are made with.
    app.add_config_value("bookext_ran", [], "", list)
    app.add_config_value("bookext_read_with", "", "env", str)
    app.add_config_value("bookext_written_with", "", "html", str)
    app.connect("config-inited", use_repository)
    app.connect("builder-inited", add_static_files)
    app.connect("builder-inited", upstream.without_index)
    app.connect("env-get-outdated", read_again)
    app.connect("env-before-read-docs", upstream.forget)
    app.connect("doctree-read", name_spans)
    app.connect("doctree-read", save_outputs)
    app.connect("doctree-read", forget_pictures, priority=900)  # after Sphinx has noted them
    app.connect("env-before-read-docs", upstream.remember_entries)
    upstream.number_by_outlines(app)
    app.connect("env-before-read-docs", upstream.write_in_parallel)
    app.connect("write-started", upstream.keep_doctrees)
    app.connect("html-page-context", offer_notebook)
    app.connect("html-page-context", launch.date, priority=400)  # before the theme drops what is empty
    app.connect("html-page-context", launch.offer, priority=600)  # after the theme has made its own buttons
    html.give_scripts(app, has_explorer, "figures.js")
    html.give_scripts(app, has_filter, "filter.js")
    html.give_scripts(app, has_searchable_table, "tables.js")
    app.connect("build-finished", write_manifest, priority=900)  # after the theme has written its last file
    addresses.setup(app)
    summaries.setup(app)
    chapters.setup(app)
    citations.setup(app)
    deck.setup(app)
    exercises.setup(app)
    formal.setup(app)
    previewed.setup(app)
    ask_file.setup(app)
    quiz.setup(app)
    recall.setup(app)
    translated.setup(app)
    say_why.setup(app)
    source.setup(app)
    book_numbers.setup(app)
    outdated.setup(app)
    packages.setup(app)
    app.add_transform(cells.FoldCode)
    app.add_transform(widgets.StaticWidgets)
    app.add_transform(figures.DarkVariants)
    app.add_css_file("palette.css")
    app.add_js_file("formulas.js")
    app.add_js_file("previews.js")
    app.add_js_file("proofs.js")
    app.add_js_file("page.js")
    app.add_js_file("host.js", priority=1, loading_method="async")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
