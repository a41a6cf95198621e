"""Everything that leans on the inside of another project, and what would make each piece unnecessary.

Nothing else in this package patches another project or reaches past what it documents.
"""

from __future__ import annotations

import asyncio
import copy
import functools
import json
import os
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from lxml import etree
from lxml.html import HtmlElement
from nbformat import NotebookNode
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector


def look_for_replies() -> None:
    """Let nbclient look for replies after it has sent what an Output widget shows back to the kernel.

    It sends past the asynchronous socket, and a send can swallow the one signal that a reply has come
    (a ZeroMQ socket signals changes, not states). The reply then lies unread until the cell's time is out.
    Asking the asynchronous socket for its events makes it read what is there. Calling this twice does no
    harm.

    Unnecessary with https://github.com/jupyter/nbclient/issues/312; a proposal is
    https://github.com/jupyter/nbclient/pull/311.
    """
    import zmq
    from nbclient.output_widget import OutputWidget

    send: Callable[..., None] = OutputWidget.send
    if getattr(send, "looks_for_replies", False):
        return

    def send_and_look(self: OutputWidget, *args: Any, **kwargs: Any) -> None:
        send(self, *args, **kwargs)
        self.kernel_client.shell_channel.socket.get(zmq.EVENTS)

    send_and_look.looks_for_replies = True  # type: ignore[attr-defined]  # our own mark on our own function
    setattr(OutputWidget, "send", send_and_look)  # noqa: B010  # mypy knows that this replaces a method


def let_signals_stop(task: asyncio.Task[Any] | None) -> None:
    """Let Ctrl-C end the build: nbclient lets it end one kernel, and the others go on.

    It sets the signals' handlers each time a kernel starts, and knows of one kernel only. We found no report.
    """
    if task is None or sys.platform == "win32":
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)


def read_notebook(path: Path) -> NotebookNode | None:
    """The notebook in a MyST Markdown file, as MyST-NB will see it; None if the file is no notebook.

    We run the notebooks ourselves, and MyST-NB finds the results in its cache. Unnecessary once MyST-NB knows
    what else a notebook depends on, https://github.com/executablebooks/MyST-NB/issues/299, and runs several
    at a time.
    """
    return copy.deepcopy(_notebook_of(path, path.read_text(encoding="utf-8")))


@functools.cache
def _notebook_of(path: Path, text: str) -> NotebookNode | None:
    from myst_nb.core.read import is_myst_markdown_notebook, myst_nb_reader_plugin

    if not is_myst_markdown_notebook(text):
        return None
    notebook: NotebookNode = myst_nb_reader_plugin(str(path))
    return notebook


def write_outputs(env: BuildEnvironment, docname: str) -> NotebookNode:
    """Write a page's notebook with its outputs to where MyST-NB has written it without them, and return it.

    MyST-NB 1.4.0 takes the outputs from its cache, shows them, and then saves the notebook that it had
    before. We found no report of it; unnecessary when `myst_nb.sphinx_.Parser.parse` saves
    ``nb_client.notebook``.
    """
    from jupyter_cache import get_cache

    notebook = read_notebook(Path(env.doc2path(docname)))
    cache = get_cache(env.config.nb_execution_cache_path)
    merged: NotebookNode = cache.merge_match_into_notebook(notebook)[1]
    target = notebook_folder(env) / f"{docname}.ipynb"
    nbformat.write(merged, target)  # type: ignore[no-untyped-call]  # nbformat types some of its functions
    return merged


def take_widget_state(env: BuildEnvironment, docname: str) -> dict[str, Any]:
    """Take the state of a page's widgets from MyST-NB, which would load the widget manager for it.

    Unnecessary once MyST-NB loads the manager only where it is wanted:
    https://github.com/executablebooks/MyST-NB/issues/377.
    """
    from myst_nb.sphinx_ import NbMetadataCollector

    entry = NbMetadataCollector.get_js_files(env, docname).pop("ipywidgets_state", None)
    state: dict[str, Any] = json.loads(entry[1]["body"])["state"] if entry else {}
    return state


def notebook_folder(env: BuildEnvironment) -> Path:
    """Where MyST-NB writes notebooks and their images, a folder for which it documents no name."""
    return Path(env.mystnb_config.output_folder)  # type: ignore[attr-defined]  # set by MyST-NB


def forget(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Forget all pages that are going to be read, before the first one is.

    Sphinx forgets each page just before it reads it; so a label that has moved to another page is still known
    from where it was, and the page that has it now is blamed for a second one. We found no report of it.
    """
    for docname in docnames:
        app.emit("env-purge-doc", env, docname)
        env.clear_doc(docname)


def contents_of(env: BuildEnvironment) -> Any:
    """The table of contents that sphinx-external-toc has read; it documents no name for it."""
    return env.external_site_map  # type: ignore[attr-defined]  # set by sphinx-external-toc


def parts(contents: Any) -> list[tuple[str, list[str]]]:
    """The parts of a table of contents: a caption, which may be "", and its documents in reading order."""

    def below(name: str) -> list[str]:
        parts = contents[name].subtrees if name in contents else []
        return [name, *(one for part in parts for item in part.items for one in below(str(item)))]

    return [
        (part.caption or "", [name for item in part.items for name in below(str(item))])
        for part in contents.root.subtrees
    ]


def kept_by_extensions(env: BuildEnvironment) -> dict[str, Any]:
    """What extensions keep of all pages without a domain: theorems and exercises; neither documents where."""
    exercises = getattr(env, "sphinx_exercise_registry", {})
    return {
        "theorems": getattr(env, "proof_list", {}),
        "exercises": {label: (found["docname"], found["node"]) for label, found in exercises.items()},
        "order of exercises": getattr(env, "sphinx_exercise_node_order", {}),
    }


def exercises_of(env: BuildEnvironment, doctree: nodes.document) -> list[nodes.Element]:
    """The exercises of the page that is read, in its tree and as sphinx-exercise keeps them for solutions."""
    from sphinx_exercise.nodes import is_exercise_node

    kept = [node for page, node in kept_by_extensions(env)["exercises"].values() if page == env.docname]
    found = [node for node in [*doctree.findall(nodes.Element), *kept] if is_exercise_node(node)]
    return list({id(node): node for node in found}.values())


def reference_to_a_result() -> type[Any]:
    """What stands in a page for what another page's notebook has glued; MyST-NB documents no name for it."""
    from myst_nb.ext.glue.utils import PendingGlueReference

    kind: type[Any] = PendingGlueReference
    return kind


def outline(env: BuildEnvironment, element: nodes.Element) -> list[nodes.Node]:
    """What Sphinx looks at to number figures: sections, contents, and what can have a number.

    Of what its standard domain knows that is what has a title: a box of code without a caption has none.
    """
    standard: Any = env.domains["std"]

    def can_have_number(child: nodes.Element) -> bool:
        kinds = {name: domain.get_enumerable_node_type(child) for name, domain in env.domains.items()}
        return bool(kinds.pop("std") and standard.get_numfig_title(child)) or any(kinds.values())

    made: list[nodes.Node] = []
    for child in element.children:
        if isinstance(child, (nodes.section, addnodes.toctree)):
            empty = child.copy()
            empty.extend(outline(env, child))
            made.append(empty)
        elif isinstance(child, nodes.Element):
            made += [child.deepcopy()] if can_have_number(child) else outline(env, child)
    return made


def number_by_outlines(app: Sphinx) -> None:
    """Let Sphinx number figures by the pages' outlines, which are kept; it would read all of all pages.

    It does so at every build, which takes seconds even where no page was read. We found no report of it.
    Calling this twice does no harm.
    """

    def keep(app: Sphinx, doctree: nodes.document) -> None:
        kept = nodes.Element("", *outline(app.env, doctree))
        for node in kept.findall():
            # Or with each outline its whole page would be kept, and read at every build.
            node.document = None  # type: ignore[assignment]  # as a node begins
        _outlines(app.env)[app.env.docname] = kept

    app.connect("doctree-read", keep, priority=950)  # as the page is kept
    app.connect("env-purge-doc", lambda app, env, docname: _outlines(env).pop(docname, None))
    assign: Callable[..., list[str]] = TocTreeCollector.assign_figure_numbers
    if hasattr(assign, "by_outlines"):
        return

    def assign_by_outlines(self: TocTreeCollector, env: Any) -> list[str]:
        env.get_doctree = _outlines(env).__getitem__
        try:
            return assign(self, env)
        finally:
            del env.get_doctree  # and the method is seen again

    assign_by_outlines.by_outlines = True  # type: ignore[attr-defined]  # our own mark on our own function
    setattr(TocTreeCollector, "assign_figure_numbers", assign_by_outlines)  # noqa: B010  # mypy knows that it replaces a method


def _outlines(env: Any) -> dict[str, nodes.Element]:
    if not hasattr(env, "bookext_outlines"):
        env.bookext_outlines = {}
    kept: dict[str, nodes.Element] = env.bookext_outlines
    return kept


def write_in_parallel(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Let pages be written by several processes if many are read; a few are written as soon by one.

    Reading them so is not allowed while an extension that Jupyter Book loads does not say that it may be:
    https://github.com/jupyter-book/jupyter-book/issues/1735. So Sphinx hears of it after it has read.
    """
    if len(docnames) > 5:
        app.connect("env-updated", lambda app, env: setattr(app, "parallel", os.cpu_count() or 1))


def without_index(app: Sphinx) -> None:
    """Let Sphinx make no index for its own search, which the site does not have (`bookext.finish.passages`).

    It reads, feeds and writes it at every build. There is no setting that leaves it out and keeps the page.
    """
    builder: Any = app.builder
    for step in ("load_indexer", "index_page", "dump_search_index"):
        setattr(builder, step, lambda *arguments: None)


def keep_doctrees(app: Sphinx, builder: Any) -> None:
    """Let references to a number look into a page's tree that is kept, in the place of one read for each.

    Unnecessary with https://github.com/sphinx-doc/sphinx/issues/12883.
    """
    domain: Any = app.env.domains["std"]
    get_doctree = functools.cache(app.env.get_doctree)
    resolve = domain._resolve_numref_xref

    def look_into_kept(env: Any, *rest: Any) -> Any:
        env.get_doctree = get_doctree
        try:
            return resolve(env, *rest)
        finally:
            del env.get_doctree  # and the method is seen again

    domain._resolve_numref_xref = look_into_kept


def remember_plugins() -> None:
    """Let pybtex remember its plugins: for each citation it would look through all installed packages.

    We found no report of it. Calling this twice does no harm.
    """
    from pybtex import plugin

    load: Any = plugin._load_entry_point
    if not hasattr(load, "cache_info"):
        plugin._load_entry_point = functools.cache(load)


def remember_entries(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    """Let pybtex set each entry of the bibliography once, in the place of twice in each build.

    sphinxcontrib-bibtex wants them all, for the page and for what is shown beside a citation, even where no
    page was read. We found no report of it. Calling this twice does no harm.
    """
    from pybtex.style.formatting import BaseStyle

    format_entry: Any = getattr(BaseStyle.format_entry, "without_memory", BaseStyle.format_entry)
    known: dict[tuple[str, ...], Any] = getattr(env, "bookext_entries", {})
    env.bookext_entries = known  # type: ignore[attr-defined]  # extensions keep their data so

    def remembered(self: BaseStyle, label: str, entry: Any, bib_data: Any = None) -> Any:
        key = (type(self).__qualname__, label, repr(entry))
        if key not in known:
            known[key] = format_entry(self, label, entry, bib_data)
        return known[key]

    remembered.without_memory = format_entry  # type: ignore[attr-defined]  # our own mark on our own function
    BaseStyle.format_entry = remembered


def run_sphinx(book: Path, output: Path, doctrees: Path, overrides: Mapping[str, Any]) -> int:
    """Build the pages as ``jupyter-book build -n -W --keep-going`` does; 0 if all went well.

    Jupyter Book's command line always writes to ``_build/html``, where our finished site is, so this calls
    the function behind it.
    """
    from jupyter_book.sphinx import build_sphinx

    remember_plugins()
    result = build_sphinx(
        str(book),
        str(output),
        doctreedir=str(doctrees),
        path_config=str(book / "_config.yml"),
        confoverrides={
            "external_toc_path": str(book / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
            **overrides,
        },
        noconfig=True,
        warningiserror=True,
        keep_going=True,
    )
    return result if isinstance(result, int) else 1


def settles_theme(script: HtmlElement) -> bool:
    """Whether a script is the theme's own that decides between light and dark, in whose place is ours.

    The theme's runs after the page is drawn for the first time:
    https://github.com/pydata/pydata-sphinx-theme/issues/1857.
    """
    return script.get("data-cfasync") is not None


#: What the theme's buttons do when they are pressed, and the name for it in `static/page.js`.
_HANDLERS = {"window.print()": "print", "toggleFullScreen()": "fullscreen"}


def name_handlers(page: HtmlElement) -> None:
    """Name what a button does, in the place of a program in the page, which the page's policy forbids.

    Unnecessary once the theme's buttons have listeners: it has no issue for it that we could find.
    """
    for button in page.xpath("//*[@onclick]"):
        action = _HANDLERS.get(button.get("onclick"))
        if action:
            del button.attrib["onclick"]
            button.set("data-does", action)


def mend(page: HtmlElement) -> None:
    """Take from a page the faults of docutils and the extensions that an accessibility or HTML checker finds.

    None of them is known upstream, as far as we could find; each line is unnecessary once its project's pages
    pass https://validator.w3.org/nu/ and axe.
    """
    # sphinx-proof and sphinx-exercise: the same id on every block of a page, and a proof has nothing to be
    # told by.
    for block in page.xpath("//*[@id='proof-content' or @id='exercise-content' or @id='solution-content']"):
        del block.attrib["id"]
    for proof in page.xpath("//div[@id='proof'][@class='proof admonition']"):
        del proof.attrib["id"]
        proof.set("class", "proof admonition is-proof")
        first = proof.find("p")
        if first is not None and (first.text or "").startswith("Proof."):
            word = etree.Element("em")
            word.text, word.tail = "Proof.", first.text.removeprefix("Proof.")
            first.text = None
            first.insert(0, word)
    # docutils: roles that are deprecated, or that promise list items which are not there.
    for entry in page.xpath("//*[@role='doc-biblioentry']"):
        del entry.attrib["role"]
    for group in page.xpath("//div[@role='list'][contains(@class, 'citation-list')]"):
        del group.attrib["role"]
    # The theme: its script looks for the sidebar wherever something stands in the margin.
    if not page.xpath("//*[contains(@class, 'bd-sidebar-secondary')]"):
        for article in page.xpath("//article")[:1]:
            box = etree.Element("div", {"class": "bd-sidebar-secondary", "hidden": ""})
            box.tail, article.tail = article.tail, "\n"
            article.addnext(box)
    # sphinx-togglebutton: a label that hides the words which the summary shows.
    for button in page.xpath("//*[@aria-label='Toggle hidden content']"):
        del button.attrib["aria-label"]
