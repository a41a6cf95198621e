"""The last step: from what Sphinx wrote to the site that is published.

:func:`finish` reads one folder and writes another, and so can run any number of times. On the pages: one
style sheet, the explorers before everything else, icons and the sizes of images in place, and what the
extensions leave to be mended.
"""

from __future__ import annotations

import copy
import hashlib
import html
import json
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring

from bookext import upstream
from bookext.beside import Beside
from bookext.cache import Kept
from bookext.finish import about, bill, card, formulas, icons, passages, policy, previews, stylesheet
from bookext.formats import markdown_pages
from bookext.formats import notebooks as readable
from bookext.sphinx import figures, widgets

#: The file in which `bookext.sphinx.extension` says what of Sphinx's output is the site.
MANIFEST = "bookext.json"

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


def read(text: bytes) -> HtmlElement:
    """The tree of a page in UTF-8."""
    return document_fromstring(text, parser=HTMLParser(encoding="utf-8"))


def write(page: HtmlElement) -> str:
    r"""The text of a page.

    >>> write(read(b"<!DOCTYPE html><html><body><p>a<br>b &amp; c</p></body></html>"))
    '<!DOCTYPE html>\n<html><body><p>a<br>b &amp; c</p></body></html>'
    """
    text: str = tostring(page, encoding="unicode", doctype="<!DOCTYPE html>")
    return text


def remove(element: HtmlElement) -> None:
    """Take an element out of its page, and leave the text behind it."""
    element.drop_tree()


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


def keep_marks_with_formulas(page: HtmlElement) -> None:
    r"""Let no line begin with the comma behind an inline formula.

    >>> page = read(rb'<p>at <span class="math notranslate nohighlight">\(p\)</span>, or</p>')
    >>> keep_marks_with_formulas(page)
    >>> print(tostring(page.find("body/p"), encoding="unicode"))
    <p>at <span class="unbroken"><span class="math notranslate nohighlight">\(p\)</span>,</span> or</p>
    """
    for formula in page.xpath("//span[@class='math notranslate nohighlight']"):
        marks = re.match(r"[.,;:!?)’”]+", formula.tail or "")
        if marks and (formula.text or "").startswith("\\("):
            rest = formula.tail[marks.end() :]
            box = etree.Element("span", {"class": "unbroken"})
            formula.getparent().replace(formula, box)
            box.append(formula)
            formula.tail, box.tail = marks[0], rest


def fold_proofs(page: HtmlElement) -> None:
    r"""Fold the proofs in words, as those in formulas fold themselves; not what is folded already.

    >>> page = read(b'<div class="proof admonition is-proof"><p>Proof. So.</p></div><p>After.</p>')
    >>> fold_proofs(page)
    >>> print(write(page).replace("><", ">\n<").partition("<body>\n")[2])
    <details class="proof-fold">
    <summary>Proof in words</summary>
    <div class="proof admonition is-proof">
    <p>Proof. So.</p>
    </div>
    </details>
    <p>After.</p>
    </body>
    </html>
    """
    for proof in page.xpath("//div[contains(@class, 'is-proof')][not(ancestor::details)]"):
        fold = etree.Element("details", {"class": "proof-fold"})
        summary = etree.SubElement(fold, "summary")
        summary.text = "Proof in words"
        fold.tail, proof.tail = proof.tail, None
        proof.getparent().replace(proof, fold)
        fold.append(proof)


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
    if links:
        one = etree.Element("link", {"rel": "stylesheet", "href": address})
        one.tail = links[0].tail
        links[0].addprevious(one)
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


def finished(source: Path, name: str) -> HtmlElement:
    """The page `name` of Sphinx's output, all but its style sheet."""
    page = read((source / name).read_bytes())
    page.set("data-theme", "light")  # without JavaScript a page is light
    delay_scripts(page, name == "search.html")
    upstream.mend(page)
    upstream.name_handlers(page)
    widgets.number_widgets(page)
    keep_marks_with_formulas(page)
    fold_proofs(page)
    icons.put_pictures(page)
    size_images(page, (source / name).parent)
    return page


def build_sheet(source: Path, target: Path, pages: dict[str, str], sheets: list[Path]) -> str:
    """Write the site's one style sheet from all `sheets`; return its address with a mark of its contents."""
    static = source / "_static"
    known = {word for text in pages.values() for word in stylesheet.words(text)}
    for script in static.rglob("*.js"):
        if script.name != "fontawesome.js":
            known |= stylesheet.words(script.read_text(encoding="utf-8"))
    read_rules = [
        rule
        for path in sheets
        if path.name not in _REPLACED_SHEETS
        for rule in stylesheet.read(path, static.resolve())
    ]
    rules = stylesheet.drop_unused(list(stylesheet.prune(read_rules, known)), known)
    # The theme draws some signs as text in a font of 2,000 icons.
    rules = [rule for rule in rules if not (rule.prelude == "@font-face" and "Font Awesome" in str(rule))]
    css = "\n".join(map(str, rules))
    characters = icons.private_characters(stylesheet.texts(rules))
    if characters:
        font = static / "vendor/fontawesome/webfonts/fa-solid-900.ttf"
        (target / "_static/icons.woff").write_bytes(icons.subset_font(font, characters))
        css += "\n" + _ICON_FONT
    (target / "_static/site.css").write_text(css, encoding="utf-8")
    return f"_static/site.css?v={hashlib.sha256(css.encode()).hexdigest()[:8]}"


def copy_static(source: Path, target: Path, sheets: list[Path]) -> None:
    """Copy the static files that a page can ask for: not what is in the one sheet, nor in the page."""
    static = source / "_static"
    left_out = {path.resolve() for path in sheets} | {static.resolve() / "basic.css"}
    left_out |= {static.resolve() / name for name in ("vendor", "locales", "scripts/fontawesome.js")}
    left_out |= {static.resolve() / name for name in _SPHINX_SEARCH}
    left_out |= set(static.resolve().glob("*.html"))

    def ignore(folder: str, names: list[str]) -> set[str]:
        here = Path(folder).resolve()
        return {name for name in names if here / name in left_out or name.endswith(".map")}

    shutil.copytree(static, target / "_static", ignore=ignore)


def copy_files(
    source: Path, target: Path, manifest: dict[str, list[str]], pages: dict[str, HtmlElement]
) -> None:
    """Copy the pages' images and downloads, their sources, and the files beside them."""
    wanted = set(manifest["files"]) | {"objects.inv"}
    for name, page in pages.items():
        folder = (source / name).parent
        for _, _, address, _ in page.iterlinks():
            path = folder / unquote(address.partition("#")[0].partition("?")[0])
            if any(part in address for part in ("_images/", "_downloads/")) and path.is_file():
                wanted.add(path.resolve().relative_to(source.resolve()).as_posix())
        for path in (source / "_sources" / name).parent.glob(f"{Path(name).stem}.*"):
            wanted.add(path.relative_to(source).as_posix())
    for name in sorted(wanted):
        if (source / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, target / name)


def published(source: Path) -> readable.Place:
    """Where what Sphinx wrote to `source` will be published."""
    manifest = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
    published = manifest["published"]
    return readable.Place(**published | {"packages": tuple(map(tuple, published["packages"]))})


def write_notebooks(source: Path, target: Path, pages: dict[str, HtmlElement], kept: Kept) -> None:
    """Put a notebook for readers in the place of each that was run for a page."""
    place = published(source)
    for name, page in pages.items():
        file = Path("_sources", name).with_suffix(".ipynb")
        if (target / file).is_file():
            executed = (source / file).read_text(encoding="utf-8")
            document = name.removesuffix(".html")

            def make(page: HtmlElement = page, executed: str = executed, document: str = document) -> bytes:
                return readable.finish(copy.deepcopy(page), executed, document, place).encode()

            of: list[str | bytes] = [(source / name).read_bytes(), executed, document, repr(place)]
            (target / file).write_bytes(kept.get("notebook", of, make))


def write_about(
    target: Path, manifest: dict[str, Any], pages: dict[str, HtmlElement], kept: Kept
) -> about.Book:
    """Write what the site says of itself: on each page of the book, beside it, and for the whole."""
    known = {name: about.page_of(pages[name], name) for name in manifest["pages"]}
    book = about.Book(
        **manifest["book"],
        description=known[manifest["root"]].description,
        root=manifest["root"],
        site=manifest["published"]["site"],
        repository=manifest["published"]["repository"],
    )
    files = {"llms.txt": about.llms(known, book), "404.html": with_policy(about.missing(known, book))}
    if book.site:
        files["sitemap.xml"] = about.sitemap(known.values(), book)
    for name, page in known.items():
        files[Path(name).with_suffix(".md").as_posix()] = markdown_pages.markdown(copy.deepcopy(pages[name]))
        about.describe(pages[name], page, book)
        about.add_tools(pages[name], page, book)
    for name, text in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(text, encoding="utf-8", newline="")
    shown = (book.title, book.description, manifest["colors"])
    (target / about.CARD).write_bytes(kept.get("card", [repr(shown)], lambda: card.draw(*shown)))
    return book


def finish(source: Path, target: Path, kept: Kept | None = None) -> None:
    """Make the site in the new folder `target` of what Sphinx wrote to `source`, which stays as it is."""
    kept = kept or Kept()
    manifest = json.loads((source / MANIFEST).read_text(encoding="utf-8"))
    names = [
        *manifest["pages"],
        *(name for name in ("genindex.html", "search.html") if (source / name).is_file()),
    ]
    pages = {name: finished(source, name) for name in names}
    sheets = {
        ((source / name).parent / link.get("href").partition("?")[0]).resolve(): None
        for name, page in pages.items()
        for link in sheets_of(page)
    }
    copy_static(source, target, list(sheets))
    copy_files(source, target, manifest, pages)
    found = {name: pages[name] for name in manifest["pages"]}

    def from_pages_as_they_are() -> set[str]:
        (target / "_static/passages.js").write_text(
            passages.script(found, manifest["search"]), encoding="utf-8"
        )
        (target / "_static/previewed.js").write_text(previews.script(found), encoding="utf-8")
        write_notebooks(source, target, pages, kept)
        return kept.used

    others = Beside(from_pages_as_they_are)
    book = write_about(target, manifest, pages, kept)
    for page in pages.values():
        formulas.set_in(page)  # last: what is made of a page above has the formulas as they were written
        # By these head.js knows which faces to ask for at once.
        if page.xpath(f"//script[@type='{widgets.VIEW}']"):
            page.set("data-explorers", "")
        elif page.xpath("//math"):
            page.set("data-formulas", "")
    texts = {name: write(page) for name, page in pages.items()}
    address = build_sheet(source, target, texts, list(sheets))
    for name, page in pages.items():
        link_one_sheet(page, "../" * name.count("/") + address)
        policy.declare(page)
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text(write(page), encoding="utf-8")
    kept.used |= others.result()
    (target / "bom.json").write_text(bill.bill(target, book), encoding="utf-8", newline="")
    index = with_policy(redirect(manifest["root"], manifest["title"]))
    (target / "index.html").write_text(index, encoding="utf-8")
    kept.forget_the_rest()
