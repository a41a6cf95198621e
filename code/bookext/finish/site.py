"""The last step: from what Sphinx wrote to the site that is published.

:func:`finish` reads one folder and writes another, and so can run any number of times. On the pages: one
style sheet, the explorers before everything else, icons and the sizes of images in place, and what the
extensions leave to be mended.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
import shutil
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import unquote

from lxml import etree
from lxml.html import HtmlElement
from tinycss2.ast import Node

from bookext import upstream
from bookext.book import CARD, Book, Manifest, manifest
from bookext.cache import Kept
from bookext.finish import (
    about,
    bill,
    card,
    embeds,
    formulas,
    icons,
    moved,
    passages,
    policy,
    previews,
    size,
    stylesheet,
    symbols,
)
from bookext.finish.forked import begun
from bookext.formats import markdown_pages, notebooks
from bookext.formats.notebooks import Place
from bookext.pages import Published, Written, read, remove, write, written
from bookext.sphinx import figures, widgets

#: Sphinx's search, which finds pages; ours finds passages.
_SPHINX_SEARCH = ("searchtools.js", "searchindex.js")
_SEARCH = ("language_data.js", "minisearch/minisearch.js", "passages.js", "ranking.js", "search.js")
#: Theorems, exercises and code in many colors; blocks.css sets them as a printed book does.
_REPLACED_SHEETS = {"proof.css", "exercise.css", "pygments.css"}

#: What is settled before anything is drawn, so that no page flashes: the theme, and how much code is shown.
_HEAD = (Path(__file__).parent / "head.js").read_text(encoding="utf-8")
_ICON_FONT = (
    '@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;'
    'src:url("icons.woff")format("woff")}'
)


def _script(kind: str | None, body: str | None, source: str | None = None) -> HtmlElement:
    made = etree.Element("script")
    if kind:
        made.set("type", kind)
    if source:
        made.set("data-src", source)
    made.text = body
    made.tail = "\n"
    return made


def delay_scripts(page: HtmlElement, is_search: bool = False) -> None:
    """Put off every script but ours until the explorers have drawn.

    `host.js` starts them. Scripts of other types are data, or the notebook's own, and stay as they are.
    """
    for link in page.xpath("//link[@rel='preload'][@as='script']"):
        remove(link)
    options: list[HtmlElement] = []
    settings: list[HtmlElement] = []
    programs = [_script("text/late", None, f"_static/{name}") for name in _SEARCH if is_search]
    for script in page.xpath("//script[not(@type)]"):
        source, body = script.get("src", ""), script.text or ""
        name = source.partition("?")[0].rpartition("/")[2]
        if name == "host.js":
            continue
        if upstream.settles_theme(script):
            script.getparent().replace(script, _script(None, _HEAD))
            continue
        if name == "design-tabs.js":  # it waits for DOMContentLoaded, which comes before anything late
            script.set("defer", "")
            if not page.find_class("sd-tab-set"):
                remove(script)
            continue
        remove(script)
        if name == "fontawesome.js" or name in (*_SPHINX_SEARCH, *_SEARCH):
            continue  # the icons stand in the page already
        if "mathjax" in (source + body).lower():
            continue  # as the formulas will (`bookext.finish.formulas`)
        given = programs if source else settings
        place = options if name == "documentation_options.js" else given
        place.append(_script("text/late", body or None, source))
    # The programs expect all settings to be made, as they are on a page that runs them when it is complete.
    page.find("body").extend(options + settings + programs)


def add_scripts(page: HtmlElement, name: str, files: Iterable[str]) -> None:
    """Give the page `name` more scripts, after those that it has, once the explorers have drawn."""
    up = "../" * name.count("/")
    page.find("body").extend(_script("text/late", None, f"{up}_static/{file}") for file in files)


def size_images(page: HtmlElement, folder: Path) -> None:
    """Give every local image of a page in `folder` its size, and let it load only when it is near."""
    for image in page.iter("img"):
        path = folder / unquote(image.get("src", ""))
        sides = figures.size(path) if path.is_file() else None
        if sides and "width" not in image.attrib and "height" not in image.attrib:
            image.set("width", str(sides[0]))
            image.set("height", str(sides[1]))
        if "loading" not in image.attrib:
            image.set("loading", "lazy")
            image.set("decoding", "async")


def sheets_of(page: HtmlElement) -> list[HtmlElement]:
    """The links to style sheets of a page."""
    found: list[HtmlElement] = page.xpath("//link[@rel='stylesheet'][@href]")
    return found


def link_one_sheet(page: HtmlElement, address: str) -> None:
    """Let the one style sheet at `address` take the place of all those a page links."""
    links = sheets_of(page)
    one = etree.Element("link", {"rel": "stylesheet", "href": address})
    one.tail = "\n"
    if links:
        links[0].addprevious(one)
    elif (head := page.find("head")) is not None:
        head.append(one)
    for link in links:
        remove(link)


def redirect(target: str, title: str) -> str:
    """A page that leads to `target`, with a link for readers whose browser does not follow by itself."""
    target, title = html.escape(target), html.escape(title)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<meta http-equiv="refresh" content="0; url={target}">
<link rel="canonical" href="{target}">
</head>
<body><main><h1>{title}</h1><p><a href="{target}">Read the book</a></p></main></body>
</html>
"""


def with_policy(text: str) -> str:
    """A page that we have written as a text, with its policy."""
    page = read(text.encode())
    policy.declare(page)
    return write(page)


def shorten_solutions(page: HtmlElement) -> None:
    """Let a solution that follows its exercise not say its title and level again.

    >>> page = read(b'<div class="solution"><p class="admonition-title">Solution to<a href="#e"> Exercise 1'
    ...             b' (A dial<span> easy</span>)</a></p></div>')
    >>> shorten_solutions(page)
    >>> page.text_content()
    'Solution to Exercise 1'
    """
    for link in page.xpath("//div[contains(@class, 'solution')]/p[@class='admonition-title']/a"):
        link.text = (link.text or "").partition(" (")[0]
        for part in list(link):
            link.remove(part)


def gather_proofs(page: HtmlElement) -> None:
    """Let a theorem's folds be one line, with the kernel's link; a proof but the first says what it proves.

    >>> fold = '<div class="cell"><details class="derivation"><summary>Proof</summary>'
    >>> fold += '<p class="derivation-title">{}</p></details></div>'
    >>> kernel = '<p class="formal"><a href="kernel.html">Checked</a></p>'
    >>> page = read((kernel + "".join(map(fold.format, ("One", "Two")))).encode())
    >>> gather_proofs(page)
    >>> [part.text for part in page.xpath("//div[@class='proofs']//summary | //div[@class='proofs']//a")]
    ['Proof', 'Two', 'Checked']
    >>> alone = read(fold.format("One").encode())
    >>> gather_proofs(alone)
    >>> alone.find_class("proofs"), alone.xpath("string(//summary)")
    ([], 'Proof')
    """
    folds = {}
    for fold in page.xpath(
        "//details[contains(@class, 'derivation') or contains(@class, 'proof-fold')] | //p[@class='formal']"
    ):
        block = fold
        while re.search(r"\b(cell|output)", block.getparent().get("class", "")):
            block = block.getparent()
        folds[block] = fold
    rows: list[list[HtmlElement]] = []
    for block in folds:
        before = block.getprevious()
        if before is not None and rows and before is rows[-1][-1] and not (before.tail or "").strip():
            rows[-1].append(block)
        else:
            rows.append([block])
    for blocks in rows:
        kernel = [block for block in blocks if folds[block].get("class") == "formal"]
        proofs = [block for block in blocks if block not in kernel]
        for proof in (folds[block] for block in proofs[1:]):
            title = proof.xpath("string(.//p[@class='derivation-title'])")
            proof.find("summary").text = title or "In words"
        if len(blocks) > 1:
            row = etree.Element("div", {"class": "proofs"})
            row.tail = blocks[-1].tail
            blocks[0].addprevious(row)
            for block in (*proofs, *kernel):
                block.tail = None
                row.append(block)


def fold_remarks(page: HtmlElement) -> None:
    r"""Let a remark of the class `folded`, whose place a sentence has, be a fold with all of its proof.

    What follows it up to its proofs is in the fold, and the proofs are open there: one click is enough. A
    section that follows is not, whatever proofs it has.

    >>> proof = '<div class="cell"><details class="derivation"><summary>Proof</summary></details></div>'
    >>> remark = '<div class="proof remark folded"><p class="admonition-title">Remark 1 (So)</p></div>'
    >>> page = read(f"<section>{remark}<p>Why.</p>{proof}<p>On.</p></section>".encode())
    >>> fold_remarks(page)
    >>> [part.text_content() for part in page.iter("details", "summary")][:2]
    ['Remark 1 (So), with proofRemark 1 (So)Why.Proof', 'Remark 1 (So), with proof']
    >>> [part.tag for part in page.find(".//section")], "open" in page.find(".//div/details").attrib
    (['details', 'p'], True)
    >>> page = read(f"<section>{remark}<p>Why.</p>{proof}<section>{proof}</section></section>".encode())
    >>> fold_remarks(page)
    >>> [part.tag for part in page.find(".//section")]
    ['details', 'section']
    >>> page = read(remark.replace("So", r'At <span class="math">\(d\)</span>').encode())
    >>> fold_remarks(page)
    >>> write(page).partition("<summary>")[2].partition("</summary>")[0]
    'Remark 1 (At <span class="math">\\(d\\)</span>), with proof'
    """
    for remark in page.find_class("folded"):
        within = [remark]
        for follower in remark.itersiblings():
            proofs = follower.xpath("descendant-or-self::details[contains(@class, 'derivation')]")
            if follower.tag == "section" or (not proofs and (follower.tag != "p" or len(within) > 1)):
                break
            within.append(follower)
            for proof in proofs:
                proof.set("open", "")
        fold = etree.Element("details", {"class": "proof-fold remark-fold"})
        fold.tail = within[-1].tail
        remark.addprevious(fold)
        (summary,) = deepcopy(remark.xpath("p[@class='admonition-title']"))  # a formula stays one
        for part in summary.xpath(".//*[not(ancestor-or-self::*[contains(@class, 'math')])]"):
            part.drop_tag()
        summary.tag, summary.tail = "summary", None
        summary.attrib.clear()
        if len(summary):
            summary[-1].tail = f"{summary[-1].tail or ''}, with proof"
        else:
            summary.text = f"{summary.text}, with proof"
        fold.append(summary)
        for part in within:
            part.tail = None
            fold.append(part)


def prepared(page: Written, folder: Path) -> Published:
    """A page of the site, whose files are in a `folder`, as far as it does not depend on the others."""
    made = Published.of(page)
    made.tree.set("data-theme", "light")  # without JavaScript a page is light
    delay_scripts(made.tree, page.name == "search.html")
    upstream.name_handlers(made.tree)
    shorten_solutions(made.tree)
    gather_proofs(made.tree)
    fold_remarks(made.tree)
    icons.put_pictures(made.tree)
    size_images(made.tree, (folder / page.name).parent)
    return made


def name_at_foot(page: HtmlElement, caption: str) -> None:
    """Let the part of the contents with this `caption` stand at the foot of a page, and not beside it.

    >>> contents = '<nav class="bd-docs-nav"><p class="caption">More</p><ul><li><a>A</a></li></ul></nav>'
    >>> page = read(f'{contents}<div class="bd-footer-content__inner"></div>'.encode())
    >>> name_at_foot(page, "More")
    >>> [element.get("class") for element in page.xpath("//a/ancestor::*[@class]")]
    ['bd-footer-content__inner', 'footer-item foot-pages']
    """
    for title in page.xpath("//nav[contains(@class, 'bd-docs-nav')]//p[@class='caption']"):
        if title.text_content() == caption:
            entries = title.getnext()
            foot = etree.Element("nav", {"class": "footer-item foot-pages", "aria-label": caption})
            foot.extend(entries.iter("a"))
            for place in page.find_class("bd-footer-content__inner"):
                place.insert(0, foot)
            remove(title)
            remove(entries)


def write_moved(target: Path, shown: Manifest, pages: Mapping[str, Published]) -> None:
    """Lead from the addresses of earlier editions to where things are, on pages and where a page was."""
    folder = shown.book.root.rpartition("/")[0] + "/"
    inside = {name.removeprefix(folder): page for name, page in pages.items() if name.startswith(folder)}
    now = {name: moved.names_in(page.tree) for name, page in inside.items()}
    found = moved.moves(shown.addresses, now, shown.moved)
    moved.check_targets(found, now)
    titles = {folder + name: about.heading_of(page.tree) for name, page in inside.items()}
    for name, links in moved.within(folder, found).items():
        if name in pages:
            moved.mark(pages[name].tree, name, links, titles)
            add_scripts(pages[name].tree, name, ["moved.js"])
        else:
            canonical = shown.book.address(links[""]) or "../" * folder.count("/") + links[""]
            write_text(target / name, with_policy(moved.stub(name, links, titles, canonical)))


def build_sheet(source: Path, target: Path, pages: dict[str, str], sheets: list[Path], kept: Kept) -> str:
    """Write the site's one style sheet from all `sheets`; return its address with a mark of its contents."""
    static = source / "_static"
    scripts = (path for path in static.rglob("*.js") if path.name != "fontawesome.js")
    known: set[str] = set()
    for text in (*pages.values(), *(path.read_text(encoding="utf-8") for path in scripts)):

        def words(text: str = text) -> bytes:
            return " ".join(sorted(stylesheet.words(text))).encode()

        known.update(kept.get("words", [text], words).decode().split())

    @cache
    def read_rules() -> list[Node]:
        used = (path for path in sheets if path.name not in _REPLACED_SHEETS)
        return [rule for path in used for rule in stylesheet.read(path, static.resolve())]

    def make() -> bytes:
        rules = stylesheet.drop_unused(list(stylesheet.prune(read_rules(), known)), known)
        # The theme draws some signs as text in a font of 2,000 icons.
        rules = [rule for rule in rules if not (rule.prelude == "@font-face" and "Font Awesome" in str(rule))]
        characters = sorted(icons.private_characters(stylesheet.texts(rules)))
        return json.dumps(["\n".join(map(str, rules)), characters]).encode()

    # A sheet may import others, so all that there are count.
    of: list[str | bytes] = [repr(sheets), *(path.read_bytes() for path in sorted(static.rglob("*.css")))]
    names = json.loads(
        kept.get("names", of, lambda: json.dumps(sorted(stylesheet.names(read_rules()))).encode())
    )
    css, characters = json.loads(kept.get("sheet", [*of, repr(sorted(known.intersection(names)))], make))
    if characters:
        font = static / "vendor/fontawesome/webfonts/fa-solid-900.ttf"
        cut = kept.get("icons", [repr(characters)], lambda: icons.subset_font(font, set(characters)))
        (target / "_static/icons.woff").write_bytes(cut)
        css += "\n" + _ICON_FONT
    (target / "_static/site.css").write_text(css, encoding="utf-8")
    return f"_static/site.css?v={hashlib.sha256(css.encode()).hexdigest()[:8]}"


#: What a browser asks the site's root for by itself, for a page that names no icon, such as a text.
ICON = "favicon.ico"


def copy_static(source: Path, target: Path, sheets: list[Path]) -> None:
    """Copy the static files that a page can ask for: not what is in the one sheet, nor in the page."""
    static = source / "_static"
    left_out = {path.resolve() for path in sheets} | {static.resolve() / "basic.css"}
    left_out |= {static.resolve() / name for name in ("vendor", "locales", "scripts/fontawesome.js")}
    left_out |= {static.resolve() / name for name in _SPHINX_SEARCH}
    left_out |= set(static.resolve().glob("*.html")) | {static.resolve() / ICON}

    def ignore(folder: str, names: list[str]) -> set[str]:
        here = Path(folder).resolve()
        return {name for name in names if here / name in left_out or name.endswith(".map")}

    shutil.copytree(static, target / "_static", ignore=ignore)
    if (static / ICON).is_file():
        shutil.copy(static / ICON, target / ICON)


def copy_files(source: Path, target: Path, files: Iterable[str], pages: Iterable[Published]) -> None:
    """Copy the pages' images and downloads, their sources, and the `files` beside them.

    Their notebooks are not copied: those for readers are made of the pages.
    """
    wanted = {*files, "objects.inv"}
    for page in pages:
        folder = (source / page.name).parent
        for address in page.tree.xpath("//@*[contains(., '_images/') or contains(., '_downloads/')]"):
            path = folder / unquote(address.partition("#")[0].partition("?")[0])
            if path.is_file():
                wanted.add(path.resolve().relative_to(source.resolve()).as_posix())
        for path in (source / "_sources" / page.name).parent.glob(f"{Path(page.name).stem}.*"):
            if path.suffix != ".ipynb":
                wanted.add(path.relative_to(source).as_posix())
    for name in sorted(wanted):
        if (source / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, target / name)


def write_text(path: Path, text: str) -> None:
    """Write a text, the same on every system, into a folder that may have to be made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def write_notebooks(source: Path, target: Path, pages: Iterable[Written], place: Place, kept: Kept) -> None:
    """Write a notebook for readers of each that was run for a page."""
    for page in pages:
        file = Path("_sources", page.name).with_suffix(".ipynb")
        if (source / file).is_file():
            executed = (source / file).read_text(encoding="utf-8")
            document = page.name.removesuffix(".html")

            def make(page: Written = page, executed: str = executed, document: str = document) -> bytes:
                return notebooks.finish(page.tree(in_notebook=True), executed, document, place).encode()

            of: list[str | bytes] = [page.source, executed, document, repr(place)]
            (target / file).parent.mkdir(parents=True, exist_ok=True)
            (target / file).write_bytes(kept.get("notebook", of, make))


def write_other_forms(
    source: Path, target: Path, pages: list[Written], shown: Manifest, kept: Kept
) -> set[str]:
    """Write what is made of the pages as they read; return what was `kept` of it."""
    write_text(target / "_static/passages.js", passages.script(pages, shown.search, kept))
    write_text(target / "_static/previewed.js", previews.script(pages, kept))
    for page in pages:

        def make(page: Written = page) -> bytes:
            return markdown_pages.markdown(page.tree()).encode()

        text = kept.get("markdown", [page.source], make).decode()
        write_text(target / Path(page.name).with_suffix(".md"), text)
    write_notebooks(source, target, pages, Place.of(shown), kept)
    return kept.used


def write_about(
    target: Path, shown: Manifest, pages: Mapping[str, Published], kept: Kept
) -> tuple[Book, dict[str, about.Page]]:
    """Write what the site says of itself: on each page of the book, and for the whole; return both."""
    known = {name: about.page_of(pages[name].tree, name) for name in shown.pages}
    book = replace(shown.book, description=known[shown.book.root].description)
    files = {"llms.txt": about.llms(known, book), "404.html": with_policy(about.missing(known, book))}
    if book.site:
        files["sitemap.xml"] = about.sitemap(known.values(), book)
    for name, page in known.items():
        about.describe(pages[name].tree, page, book)
        about.add_tools(pages[name].tree, page, book)
    for name, text in files.items():
        write_text(target / name, text)
    drawn = (book.title, book.description, shown.colors)
    (target / CARD).write_bytes(kept.get("card", [repr(drawn)], lambda: card.draw(*drawn)))
    return book, known


def finish(source: Path, target: Path, kept: Kept | None = None) -> None:
    """Make the site in the new folder `target` of what Sphinx wrote to `source`, which stays as it is."""
    kept = kept or Kept()
    shown = manifest(source)
    others = [name for name in ("genindex.html", "search.html") if (source / name).is_file()]
    read_pages = [written(source, name) for name in [*shown.pages, *others]]
    pages = {page.name: prepared(page, source) for page in read_pages}
    sheets = {
        ((source / name).parent / link.get("href").partition("?")[0]).resolve(): None
        for name, page in pages.items()
        for link in sheets_of(page.tree)
    }
    copy_static(source, target, list(sheets))
    copy_files(source, target, shown.files, pages.values())
    formulas.remember(kept.table("formulas"))
    other_forms = begun(write_other_forms, source, target, read_pages[: len(shown.pages)], shown, kept)
    for shown_page in pages.values():
        name_at_foot(shown_page.tree, shown.book.foot)
    write_moved(target, shown, pages)
    book, known = write_about(target, shown, pages, kept)
    trees = {name: page.tree for name, page in pages.items()}
    for name in shown.pages:
        trees |= embeds.embeds(trees[name], known[name], book)
    told: dict[str, dict[str, list[object]]] = {}
    for name, tree in trees.items():
        formulas.set_in(tree)
        page = pages.get(name)
        if page is not None and (marked := symbols.mark_in(tree, shown.symbols.get(page.name, {}))):
            told[page.name] = marked
            tree.set("data-symbols", page.name)
            add_scripts(tree, page.name, symbols.SCRIPTS)
        # By these head.js knows which faces to ask for at once.
        if tree.xpath(f"//script[@type='{widgets.VIEW}']"):
            tree.set("data-explorers", "")
        elif tree.xpath("//math"):
            tree.set("data-formulas", "")
    write_text(target / "_static" / symbols.TEXTS, symbols.script(told))
    address = build_sheet(
        source, target, {name: write(tree) for name, tree in trees.items()}, list(sheets), kept
    )
    for name, tree in trees.items():
        link_one_sheet(tree, "../" * name.count("/") + address)
        policy.declare(tree)
        write_text(target / name, write(tree))
    kept.keep_table("formulas", formulas.done())
    kept.used |= other_forms()
    texts = {name: (target / name).with_suffix(".md").read_text(encoding="utf-8") for name in shown.pages}
    write_text(target / about.FULL, about.whole_text(known, texts, book))
    sizes = size.table({name: trees[name] for name in shown.pages}, texts, shown.book.root)
    write_text(target / "sizes.json", json.dumps(sizes, indent=1) + "\n")
    write_text(target / "bom.json", bill.bill(target, book))
    write_text(target / "index.html", with_policy(redirect(book.root, book.title)))
    kept.forget_the_rest()
