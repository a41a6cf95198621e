"""The whole book as one EPUB: ``python -m bookext.formats.epub`` beside a site that was built.

1. Each page of the site becomes a chapter, a file of XHTML: the article as it is without JavaScript, with
   its formulas as MathML, its explorers as pictures at the settings with which they start, what folds open,
   solutions last.
2. Figures keep their light paper, which is in the picture: a reader's program may turn its pages dark
   without saying so. All else takes its colors from that program.
3. The chapters, their pictures, one small style sheet, the face of formulas and the table of contents are
   packed in an order and with dates that are always the same.

No browser is needed. The file lies in the site; the next `python -m bookext.build` makes a site without it.
"""

from __future__ import annotations

import hashlib
import io
import json
import posixpath
import re
import sys
import uuid
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import zip_longest
from pathlib import Path
from urllib.parse import unquote, urljoin

from lxml import etree
from lxml.html import HtmlElement, fragment_fromstring

from bookext import pages
from bookext.book import CARD, Book, built
from bookext.formats.articles import (
    answers_last,
    leave_out,
    live,
    mend_links,
    offer,
    text_of,
    unfold,
    with_class,
)
from bookext.sphinx import quiz, stills, widgets

#: The book's own style sheet.
SHEET = Path(__file__).with_name("epub.css")

#: How wide explorers draw themselves, in pixels: their letters are then about as large as the text on a
#: reader that is held in the hand, and panels are below one another.
WIDTH = 480

#: The face of formulas, which has the tall brackets that few readers' own faces have.
FACE = "_static/fonts/stix-two-math-400-normal.woff2"

#: Where the pages are, for as long as links are looked at.
_ROOT = "file:///site/"

_XHTML = "http://www.w3.org/1999/xhtml"
_MATHML = "http://www.w3.org/1998/Math/MathML"
_EPUB = "http://www.idpf.org/2007/ops"
_OPF = "http://www.idpf.org/2007/opf"
_DC = "http://purl.org/dc/elements/1.1/"
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
_KINDS = {
    ".xhtml": "application/xhtml+xml",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".css": "text/css",
    ".woff2": "font/woff2",
}

#: What only a page of the site does with an attribute.
_ATTRIBUTES = re.compile(r"data-(?!head$)|aria-|on|(loading|decoding|download|tabindex|role|title|style)$")

#: What formulas are called that are wider than so many em, for which a telephone has no room.
_LONG = {"longest": 40, "longer": 22.5, "long": 17}

#: What the book says of itself to those who cannot see it, or not well.
_ACCESS = (
    ("schema:accessMode", "textual"),
    ("schema:accessMode", "visual"),
    ("schema:accessModeSufficient", "textual,visual"),
    ("schema:accessibilityFeature", "MathML"),
    ("schema:accessibilityFeature", "alternativeText"),
    ("schema:accessibilityFeature", "displayTransformability"),
    ("schema:accessibilityFeature", "readingOrder"),
    ("schema:accessibilityFeature", "structuralNavigation"),
    ("schema:accessibilityFeature", "tableOfContents"),
    ("schema:accessibilityHazard", "none"),
    (
        "schema:accessibilitySummary",
        "Formulas are MathML. All pictures have alternative text, which says what they show and not each of "
        "their points. Figures that move in the web edition are pictures here, with their settings as text. "
        "The book has not been checked against a standard by a person.",
    ),
)


@dataclass
class Chapter:
    """A page of the site as a chapter: its article, and the pictures that it shows, by their names here."""

    name: str  # of the document: "book/intro"
    article: HtmlElement
    pictures: dict[str, bytes] = field(default_factory=dict)

    @property
    def file(self) -> str:
        """The chapter's file in the book."""
        return f"{self.short}.xhtml"

    @property
    def short(self) -> str:
        """The last part of the page's name."""
        return self.name.rpartition("/")[2]

    def title(self) -> str:
        """The chapter's heading."""
        return text_of(self.article.find(".//h1"))

    def sections(self) -> list[tuple[str, str]]:
        """Name and heading of each section."""
        found = [(title.getparent().get("id"), text_of(title)) for title in self.article.iter("h2")]
        return [(name, title) for name, title in found if name]


# ---- From a page to a chapter


def with_paper(svg: str) -> str:
    """A figure on paper of its own, which it lies on in a dark book too.

    >>> with_paper('<?xml version="1.0"?><svg width="2" xmlns="http://www.w3.org/2000/svg"><g/></svg>')
    '<svg xmlns="http://www.w3.org/2000/svg" width="2"><rect width="100%" height="100%" fill="#ffffff"/><g/></svg>'
    """  # noqa: E501
    root = etree.fromstring(svg.encode(), etree.XMLParser(huge_tree=True, remove_comments=True))
    for metadata in root.findall("{*}metadata"):
        root.remove(metadata)
    for path in root.xpath("//*[local-name() = 'path'][not(@d)]"):  # Matplotlib's own, of what has no outline
        path.set("d", "M0 0")
    sides = {"width": "100%", "height": "100%", "fill": "#ffffff"}
    root.insert(0, etree.Element(f"{{{root.nsmap[None]}}}rect", sides))
    made: str = etree.tostring(root, encoding="unicode")
    return made


def stored(chapter: Chapter, content: bytes, suffix: str) -> str:
    """Give a chapter a picture, and return its address."""
    name = f"pictures/{hashlib.sha256(content).hexdigest()[:16]}{suffix}"
    chapter.pictures[name] = content
    return name


def draw_explorers(chapter: Chapter) -> None:
    """Put what a page has of an explorer for readers without JavaScript in its place, drawn for a book."""
    article = chapter.article
    states: widgets.Models = {}
    for script in article.xpath(f".//script[@type='{widgets.STATE}']"):
        states |= widgets.whole(json.loads(script.text)["state"])
    views: dict[str, int] = {}
    for script in article.xpath(f".//script[@type='{widgets.VIEW}']"):
        state = states[json.loads(script.text)["model_id"]]["state"]
        [shown] = script.xpath("following-sibling::noscript[1]//*[contains(@class, 'explorer-still')]")
        [picture] = shown.iter("img")
        still = stills.draw(state, WIDTH)
        box = etree.Element("div", {"class": "explorer-view"})
        # The name that the explorer makes for itself on the page, to which links lead.
        slug = re.search(r'"slug":\s*"([\w-]+)"', state["_esm"])
        if slug:
            nth = views[slug[1]] = views.get(slug[1], 0) + 1
            box.append(etree.Element("span", {"data-explorer": slug[1]}))
            box[0].set("id", f"explorer-{slug[1]}" + (f"-{nth}" if nth > 1 else ""))
        if prediction := state.get("prediction"):
            box.append(fragment_fromstring(prediction["printed"]))
        address = stored(chapter, stills.plain(still.svg).encode(), ".svg")
        etree.SubElement(box, "img", {"src": address, "alt": picture.get("alt"), "class": "drawing"})
        words = fragment_fromstring(still.words(), create_parent="div")
        words.set("class", "explorer-words")
        box.append(words)
        box.tail, script.tail = script.tail, None
        script.addprevious(box)
        script.getparent().remove(script)


def take_pictures(chapter: Chapter, folder: Path) -> None:
    """Pack the figures of a page in a `folder`; one that has a form for narrow pages keeps both."""
    for box in with_class(chapter.article, "figure-twins"):
        narrow = box.xpath("./img[contains(@class, 'only-light')][contains(@class, 'only-narrow')]")
        wide = box.xpath("./img[contains(@class, 'only-light')][not(contains(@class, 'only-narrow'))]")
        if narrow and wide:
            picture = etree.Element("picture")
            wide[0].addprevious(picture)
            source = {"media": "(max-width: 30em)", "srcset": narrow[0].get("src"), "type": _KINDS[".svg"]}
            etree.SubElement(picture, "source", source)
            picture.append(wide[0])
    leave_out(chapter.article)
    for drawing in with_class(chapter.article, "theorem-map"):  # any other width parts it from its lines
        drawing.drop_tree()
    for element in chapter.article.xpath(".//img | .//source"):
        attribute = "src" if element.tag == "img" else "srcset"
        address = element.get(attribute)
        if address in chapter.pictures:
            continue
        path = folder / unquote(address)
        content = path.read_bytes()
        if path.suffix == ".svg":
            content = with_paper(content.decode()).encode()
        element.set(attribute, stored(chapter, content, path.suffix))
        for side in ("width", "height"):  # which its sheet says
            element.attrib.pop(side, None)


def number_checks(article: HtmlElement) -> None:
    """Give quick checks the numbers by which the chapter's end answers them, and no more to press."""
    answers = article.xpath(".//ol[@class='paper-checks']/li")
    for number, (check, answer) in enumerate(zip(quiz.groups(article), answers, strict=True), 1):
        quiz.without_controls(check, number, answer)
    for part in article.xpath(".//input"):
        part.drop_tree()
    for letter in with_class(article, "paper-letter"):
        letter.tail = f" {letter.tail or ''}"


def link_solutions(article: HtmlElement) -> None:
    """Let each exercise lead to its solution, which no longer follows it."""
    exercises = {one.get("id"): one for one in with_class(article, "exercise")}
    for number, solution in enumerate(with_class(article, "solution"), 1):
        of = [link.get("href", "").partition("#")[2] for link in solution.xpath("./p[1]//a")]
        solution.set("id", f"solution-{number}")
        if of and of[0] in exercises:
            note = etree.SubElement(exercises[of[0]], "p", {"class": "to-solution"})
            etree.SubElement(note, "a", {"href": f"#solution-{number}"}).text = "Solution"


def room_of(row: HtmlElement) -> tuple[int, int]:
    """How many letters wide a table's row is at least, and how many letters its longest cell has."""
    least, longest = 0, 0
    for cell in row:
        words = text_of(cell).split()
        formulas = [len(text_of(formula)) for formula in cell.iter("math")]
        least += max([*map(len, words), *formulas], default=0) + 2
        longest = max(longest, len(" ".join(words)))
    return least, longest


def stack_tables(article: HtmlElement) -> None:
    """Let each cell of a table that is too wide for a narrow page know the head of its column.

    >>> cells = "<td>" + "long " * 20 + "</td><td>b</td><td>c</td><td>d</td>"
    >>> page = fragment_fromstring(f"<div><table><thead><tr><th>A</th><th>B</th><th>C</th><th>D</th></tr></thead>"
    ...     f"<tbody><tr>{cells}</tr></tbody></table></div>")
    >>> stack_tables(page)
    >>> page[0].get("class"), [cell.get("data-head") for cell in page.iter("td")]
    ('stacked', ['A', 'B', 'C', 'D'])
    """  # noqa: E501
    for table in article.iter("table"):
        heads = [text_of(head) for head in table.xpath("./thead/tr[1]/th")]
        rows = table.xpath("./tbody/tr")
        rooms = [room_of(row) for row in rows]
        if not heads or any(len(row) != len(heads) or row.xpath("./*[@colspan]") for row in rows):
            continue
        least, longest = (max(room[n] for room in rooms) for n in (0, 1))
        least = max(least, room_of(table.xpath("./thead/tr[1]")[0])[0])
        if least > 46 or (len(heads) > 3 and longest > 60):
            size = "stacked small" if least > 60 else "stacked"
            table.set("class", f"{table.get('class', '')} {size}".strip())
            for row in rows:
                for head, cell in zip(heads, row, strict=True):
                    cell.set("data-head", head)


def chapter_of(folder: Path, name: str, address: str) -> Chapter:
    """The page `name` of the site in a `folder` as a chapter; `address` is the site's, if it has one."""
    page = folder / f"{name}.html"
    [article] = pages.read(page.read_bytes()).xpath("//article")
    chapter = Chapter(name, article)
    for link in article.iter("a"):
        if link.get("href"):
            link.set("href", urljoin(f"{_ROOT}{name}.html", link.get("href")))
    draw_explorers(chapter)
    take_pictures(chapter, page.parent)
    unfold(article)
    live(article, f"{address.rstrip('/')}/{name}.html" if address else "")
    link_solutions(article)
    answers_last(article, "solutions")
    number_checks(article)
    stack_tables(article)
    return chapter


def mend(chapters: Iterable[Chapter], book: Book) -> None:
    """Let links between pages lead from chapter to chapter."""
    articles = {chapter.name: chapter for chapter in chapters}
    places = {name: set(chapter.article.xpath(".//@id")) for name, chapter in articles.items()}

    def within(name: str, place: str) -> str:
        return articles[name].file + (f"#{place}" if place in places[name] else "")

    for name, chapter in articles.items():
        inner = [link for link in chapter.article.iter("a") if link.get("href", "").startswith("#")]
        for link in inner:  # those that were made here
            link.set("href", f"{_ROOT}{name}.html{link.get('href')}")
        mend_links(chapter.article, list(articles), _ROOT, book.site, within)


# ---- XHTML


def width_of(part: HtmlElement) -> float:
    """About how wide a formula is, in its own em; readers' programs break no line in it.

    >>> width_of(fragment_fromstring("<mfrac><mi>x</mi><mrow><mi>sin</mi><mo>+</mo></mrow></mfrac>"))
    2.4
    """
    inside = [width_of(child) for child in part]
    if part.tag in ("mi", "mn", "mtext"):
        return 0.5 * len(part.text or "")
    if part.tag == "mo":
        return 0.35 if part.get("fence") or part.get("form") or part.text in tuple(",\u2061'") else 0.9
    if part.tag == "mspace":
        size = re.fullmatch(r"(-?[\d.]+)em", part.get("width", ""))
        return float(size[1]) if size else 0
    if part.tag == "mtable":
        rows = [[width_of(cell) for cell in row] for row in part]
        columns = [max(cells) for cells in zip_longest(*rows, fillvalue=0.0)]
        return sum(columns) + (0.8 * (len(columns) - 1) if part.get("class") != "tml-jot" else 0)
    if part.tag in ("mfrac", "munder", "mover", "munderover"):
        return max(inside)
    if part.tag in ("msub", "msup", "msubsup"):
        return inside[0] + 0.7 * max(inside[1:])
    return sum(inside) + (0.7 if part.tag in ("msqrt", "mroot") else 0)


def plain_formula(formula: HtmlElement) -> None:
    """Say in MathML 3, which all programs know that know any, what Temml says in MathML Core or CSS.

    >>> formula = fragment_fromstring('<math style="display:block math;"><msup><mi>b</mi><mi scriptlevel="2">c</mi>'
    ...     '</msup><mrow displaystyle="true"></mrow><mtd class="tml-right"></mtd></math>')
    >>> plain_formula(formula)
    >>> print(etree.tostring(formula, encoding="unicode"))
    <math><msup><mi>b</mi><mstyle scriptlevel="2"><mi>c</mi></mstyle></msup><mstyle
    displaystyle="true"><mrow/></mstyle><mtd class="tml-right" columnalign="right"/></math>
    """  # noqa: E501
    formula.attrib.pop("style", None)
    if formula.get("display") == "block":
        width = width_of(formula)
        if length := next((name for name, least in _LONG.items() if width > least), ""):
            formula.set("class", f"{formula.get('class', '')} {length}".strip())
    for element in list(formula.iter()):
        for side in ("left", "right"):
            if element.tag == "mtd" and f"tml-{side}" in element.get("class", ""):
                element.set("columnalign", side)
        said = {name for name in ("scriptlevel", "displaystyle") if element.get(name)}
        if said and element.tag not in ("math", "mstyle", "mtable"):
            style = etree.Element("mstyle", {name: element.attrib.pop(name) for name in sorted(said)})
            style.tail, element.tail = element.tail, None
            element.getparent().replace(element, style)
            style.append(element)


def xml(element: HtmlElement, namespace: str = _XHTML) -> etree._Element:
    """An element of HTML as one of XHTML, without what only a page in a browser has a use for.

    >>> page = fragment_fromstring('<p data-x="1">a<br><math data-tex="p" style="x"><mi>p</mi></math></p>')
    >>> print(etree.tostring(xml(page), encoding="unicode"))
    <p xmlns="http://www.w3.org/1999/xhtml">a<br/><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>p</mi></math></p>
    """
    if element.tag == "math":
        namespace = _MATHML
        plain_formula(element)
    made = etree.Element(f"{{{namespace}}}{element.tag}", nsmap={None: namespace})
    for name, value in element.attrib.items():
        kept = name == "style" and namespace == _MATHML
        if kept or (not _ATTRIBUTES.match(name) and ":" not in name):
            made.set(name, value)
    made.text, made.tail = element.text, element.tail
    for child in element:
        if isinstance(child.tag, str):
            made.append(xml(child, namespace))
        elif child.tail:  # what follows a comment
            if len(made):
                made[-1].tail = (made[-1].tail or "") + child.tail
            else:
                made.text = (made.text or "") + child.tail
    return made


def document(title: str, body: etree._Element) -> bytes:
    """A file of XHTML with that `body`."""
    html = etree.Element(f"{{{_XHTML}}}html", nsmap={None: _XHTML, "epub": _EPUB})
    html.set("lang", "en")
    html.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    head = etree.SubElement(html, f"{{{_XHTML}}}head")
    etree.SubElement(head, f"{{{_XHTML}}}title").text = title
    link = {"rel": "stylesheet", "type": "text/css", "href": "book.css"}
    etree.SubElement(head, f"{{{_XHTML}}}link", link)
    html.append(body)
    etree.cleanup_namespaces(html, keep_ns_prefixes=["epub"])
    text: bytes = etree.tostring(html, encoding="UTF-8", xml_declaration=True, doctype="<!DOCTYPE html>")
    return text + b"\n"


def body_of(chapter: Chapter, part: str) -> etree._Element:
    """A chapter's body; `part` is the caption of the part that it begins, or "" if it begins none."""
    body = etree.Element(f"{{{_XHTML}}}body")
    if part:
        etree.SubElement(body, f"{{{_XHTML}}}p", {"class": "part"}).text = part
    inside = xml(chapter.article)
    inside.tag = f"{{{_XHTML}}}div"
    inside.set("class", "chapter")
    inside.tail = None
    body.append(inside)
    return body


def from_text(text: str) -> etree._Element:
    """A body that is written here."""
    return etree.fromstring(f'<body xmlns="{_XHTML}" xmlns:epub="{_EPUB}">{text}</body>')


def title_page(book: Book) -> bytes:
    """The book's name, what it is about, and who wrote it."""
    lines = "".join(
        f'<p class="{name}">{escape(text)}</p>'
        for name, text in (
            ("about", book.subtitle),
            ("author", book.author),
            ("edition", f"Version {book.version}, {book.released}"),
            ("rights", book.rights),
        )
    )
    return document(
        book.title, from_text(f'<div class="title-page"><h1>{escape(book.title)}</h1>{lines}</div>')
    )


def navigation(book: Book, chapters: dict[str, Chapter]) -> bytes:
    """The table of contents: parts, chapters and sections."""

    def entry(chapter: Chapter) -> str:
        sections = "".join(
            f'<li><a href="{chapter.file}#{escape(name)}">{escape(title)}</a></li>'
            for name, title in chapter.sections()
        )
        below = f"<ol>{sections}</ol>" if sections else ""
        return f'<li><a href="{chapter.file}">{escape(chapter.title())}</a>{below}</li>'

    entries = []
    parts = book.documents()
    for caption, names in parts:
        inside = "".join(entry(chapters[name]) for name in names)
        entries.append(f"<li><span>{escape(caption)}</span><ol>{inside}</ol></li>" if caption else inside)
    first = chapters[parts[0][1][0]].file
    return document(
        "Contents",
        from_text(
            f'<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>{"".join(entries)}</ol></nav>'
            '<nav epub:type="landmarks" id="landmarks" hidden="hidden"><h2>Landmarks</h2><ol>'
            '<li><a epub:type="titlepage" href="title.xhtml">Title page</a></li>'
            '<li><a epub:type="toc" href="nav.xhtml">Contents</a></li>'
            f'<li><a epub:type="bodymatter" href="{first}">Text</a></li></ol></nav>'
        ),
    )


# ---- The package


def package(book: Book, chapters: dict[str, Chapter], files: dict[str, bytes]) -> bytes:
    """What the book is, all its `files`, and the order in which it is read."""
    opf = etree.Element(
        f"{{{_OPF}}}package",
        {"version": "3.0", "unique-identifier": "id"},
        nsmap={None: _OPF, "dc": _DC},
    )
    opf.set("prefix", "schema: http://schema.org/")
    opf.set("{http://www.w3.org/XML/1998/namespace}lang", "en")
    metadata = etree.SubElement(opf, f"{{{_OPF}}}metadata")

    def say(name: str, text: str, **attributes: str) -> None:
        etree.SubElement(metadata, f"{{{_DC}}}{name}", attributes).text = text

    # One book, whichever edition it is; without an address its name has to do.
    number = uuid.uuid5(uuid.NAMESPACE_URL, book.site or f"urn:{book.title}")
    say("identifier", f"urn:uuid:{number}", id="id")
    say("title", book.title, id="title")
    say("creator", book.author, id="author")
    say("language", "en")
    say("date", book.released)
    say("description", book.subtitle)
    say("rights", book.rights)
    if book.site:
        say("source", book.site)
    meta = [("dcterms:modified", f"{book.released}T00:00:00Z"), *_ACCESS]
    for name, text in meta:
        etree.SubElement(metadata, f"{{{_OPF}}}meta", {"property": name}).text = text
    etree.SubElement(metadata, f"{{{_OPF}}}meta", {"name": "cover", "content": "cover.png"})
    manifest = etree.SubElement(opf, f"{{{_OPF}}}manifest")
    special = {"nav.xhtml": "nav", "cover.png": "cover-image"}
    for name, content in files.items():
        item = {"id": posixpath.basename(name), "href": name, "media-type": _KINDS[Path(name).suffix]}
        if item["id"][0].isdigit():  # an id of XML begins with a letter
            item["id"] = f"p{item['id']}"
        if name in special:
            item["properties"] = special[name]
        elif name.endswith(".xhtml") and b"<math" in content:
            item["properties"] = "mathml"
        etree.SubElement(manifest, f"{{{_OPF}}}item", item)
    spine = etree.SubElement(opf, f"{{{_OPF}}}spine")
    for name in ("title.xhtml", "nav.xhtml", *(chapter.file for chapter in chapters.values())):
        etree.SubElement(spine, f"{{{_OPF}}}itemref", {"idref": name})
    made: bytes = etree.tostring(opf, encoding="UTF-8", xml_declaration=True, pretty_print=True)
    return made


def packed(files: dict[str, bytes]) -> bytes:
    """The files as one, in their order, with a date that says nothing; the first says what all of it is.

    >>> packed({"a": b"x"}) == packed({"a": b"x"})
    True
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in {"mimetype": b"application/epub+zip", **files}.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # or it says on which system it was made
            entry.external_attr = 0o644 << 16
            # A PNG and a face are as small as they can be.
            small = name == "mimetype" or name.endswith((".png", ".woff2"))
            entry.compress_type = zipfile.ZIP_STORED if small else zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
    return out.getvalue()


def make(book: Book, folder: Path) -> bytes:
    """The EPUB of a `book` whose built site is in a `folder`."""
    parts = book.documents()
    names = [name for _, part in parts for name in part]
    chapters = {name: chapter_of(folder, name, book.site) for name in names}
    mend(chapters.values(), book)
    files = {
        "title.xhtml": title_page(book),
        "nav.xhtml": navigation(book, chapters),
        "book.css": SHEET.read_bytes(),
        "cover.png": (folder / CARD).read_bytes(),
        posixpath.basename(FACE): (folder / FACE).read_bytes(),
    }
    begins = {part[0]: caption for caption, part in parts}
    pictures: dict[str, bytes] = {}
    for name, chapter in chapters.items():
        files[chapter.file] = document(chapter.title(), body_of(chapter, begins.get(name, "")))
        pictures |= chapter.pictures
    files |= dict(sorted(pictures.items()))
    opf = package(book, chapters, files)
    inside = {f"book/{name}": content for name, content in {"content.opf": opf, **files}.items()}
    return packed({"META-INF/container.xml": _CONTAINER.encode(), **inside})


def main() -> int:
    """Pack the book in the current folder, whose site is in ``_build/html``."""
    book, folder = built(Path.cwd())
    name, made = f"{book.slug}.epub", make(book, folder)
    (folder / name).write_bytes(made)
    offer(folder, name, "EPUB")
    print(f"{len(made) / 1e6:.1f} MB: _build/html/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
