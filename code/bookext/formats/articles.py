"""A page of the site as a book has it that is not read in a browser: what its PDF and its EPUB share.

Nothing can be pressed there: what folds is open or left out, solutions and answers come last in a chapter,
links between pages stay in the book, and a note under each explorer says where it moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml import etree
from lxml.html import HtmlElement, HTMLParser, fragment_fromstring

from bookext import pages
from bookext.sphinx import quiz

#: What has no use where nothing can be pressed.
_LEFT_OUT = (
    *("headerlink", "copybtn", "toggle-button", "derivation-tools", "live-elsewhere", "code-waits"),
    *("only-dark", "only-narrow", "table-tools", "explorer-still", "in-motion-play", "formal-proof"),
    *("sd-summary-state-marker", "map-said", "formal-refused", "formal-machine"),
)


def read(text: str) -> HtmlElement:
    """The element that a text of HTML is, however long."""
    return fragment_fromstring(text, parser=HTMLParser(huge_tree=True))


def with_class(root: HtmlElement, name: str) -> list[HtmlElement]:
    """The elements of a class within `root`, itself not included."""
    return [element for element in root.find_class(name) if element is not root]


def text_of(element: HtmlElement) -> str:
    """The text of a heading in one line."""
    return " ".join("".join(element.itertext()).split())


def place_of(address: str, names: Iterable[str], root: str) -> tuple[str, str] | None:
    """The document and the name in it that an address of the site under `root` leads to; None for any other.

    >>> place_of("file:///s/book/one.html?Clock.p=3#sec-a", ["book/one"], "file:///s/")
    ('book/one', 'sec-a')
    >>> place_of("file:///s/claims.csv", ["book/one"], "file:///s/")
    """
    if not address.startswith(root):
        return None
    parts = urlsplit(address[len(root) :])
    name = unquote(parts.path).removesuffix(".html")
    return (name, unquote(parts.fragment)) if name in names else None


def mend_links(
    article: HtmlElement, names: list[str], root: str, address: str, within: Callable[[str, str], str]
) -> None:
    """Let links between pages stay in the book, and others lead to the site if it has an address.

    `within` says where in the book a page's document and a name in it are.

    >>> page = read('<p><a href="file:///s/b/one.html#x">in</a> <a href="file:///s/a.csv">on disk</a></p>')
    >>> mend_links(page, ["b/one"], "file:///s/", "", lambda name, place: f"#{place}")
    >>> from lxml.html import tostring
    >>> print(tostring(page, encoding="unicode"))
    <p><a href="#x">in</a> <span>on disk</span></p>
    """
    for link in list(article.iter("a")):
        target = link.get("href", "")
        link.attrib.pop("target", None)
        if place := place_of(target, names, root):
            if address and "?" in target:  # an explorer at a setting, which only the site has
                link.set("href", address.rstrip("/") + "/" + target[len(root) :])
            else:
                link.set("href", within(*place))
        elif target.startswith(root) and address:
            link.set("href", address.rstrip("/") + "/" + target[len(root) :])
        elif not target.startswith(("http://", "https://", "mailto:")):
            link.tag = "span"
            link.attrib.pop("href", None)


def leave_out(article: HtmlElement) -> None:
    """Take out of an article what only a pointer uses, and folded code."""
    unwanted = [element for name in _LEFT_OUT for element in with_class(article, name)]
    unwanted += article.xpath(".//script | .//noscript | .//button | .//style | .//template")
    for details in article.iter("details"):
        body = [child for child in details if child.tag != "summary"]
        prose = "".join(text for child in body for text in child.xpath(".//p//text()")).strip()
        code = any(child.find_class("highlight") for child in body)
        if code and not prose:
            unwanted.append(details)
    for element in unwanted:
        if element.getparent() is not None:
            element.drop_tree()
    for cell in with_class(article, "cell"):
        if not "".join(cell.itertext()).strip() and not cell.xpath(".//img | .//svg"):
            cell.drop_tree()


#: The classes by which the theme's script folds an admonition, before and after it has run.
_FOLDING = {"dropdown", "toggle", "toggle-shown", "toggle-hidden"}


def unfold(article: HtmlElement) -> None:
    """Make what folds on a page a plain block, whose title is what one clicks there.

    The theme's script, which folds admonitions, may have run when a browser's page is taken, or not: without
    its classes the page is the same, and nothing is hidden.

    >>> page = read('<div><div class="solution dropdown toggle toggle-hidden"><p>A</p></div></div>')
    >>> unfold(page)
    >>> page[0].get("class")
    'solution'
    """
    for name in _FOLDING:
        for block in with_class(article, name):
            kept = [one for one in block.get("class", "").split() if one not in _FOLDING]
            block.set("class", " ".join(kept))
    for fold in with_class(article, "remark-fold"):  # its title is the remark's
        fold.remove(fold.find("summary"))
        fold.drop_tag()
    for details in list(article.iter("details")):
        if "map-item" in details.get("class", ""):  # a node of a drawing
            continue
        details.tag = "div"
        details.attrib.pop("open", None)
        details.set("class", f"{details.get('class', '')} unfolded".strip())
        for summary in details.findall("summary"):
            summary.tag = "p"
            summary.set("class", f"{summary.get('class', '')} unfolded-title".strip())


def answers_last(article: HtmlElement, name: str) -> None:
    """Put the solutions and the answers to quick checks behind everything else, in a section of that `name`.

    >>> page = read('<article><h1>A</h1><div class="solution"><p>Because.</p></div><p>More.</p></article>')
    >>> answers_last(page, "a--solutions")
    >>> [(element.tag, element.get("id")) for element in page]
    [('h1', None), ('p', None), ('section', 'a--solutions')]
    """
    solutions = [
        one
        for one in with_class(article, "solution")
        if not any("solution" in above.get("class", "").split() for above in one.iterancestors())
    ]
    checks = quiz.groups(article)
    if not solutions and not checks:
        return
    section = etree.SubElement(article, "section", {"class": "paper-answers", "id": name})
    title = etree.SubElement(section, "h2")
    title.text = "Solutions" if not checks else "Answers and solutions" if solutions else "Answers"
    if checks:
        listed = etree.SubElement(section, "ol", {"class": "paper-checks"})
    for check in checks:
        quiz.take_answer(check, etree.SubElement(listed, "li"))
    for solution in solutions:
        solution.drop_tree()
        solution.tail = None
        section.append(solution)


def live(article: HtmlElement, page: str) -> None:
    """Say under each explorer where it moves: at the address of its page, or in words if there is none."""
    for view in with_class(article, "explorer-view"):
        note = etree.SubElement(view, "p", {"class": "paper-live"})
        if page:
            explorer = view.xpath(".//@data-explorer")
            place = view.xpath(".//*[@data-explorer]/@id")
            link = etree.SubElement(note, "a", {"href": page + (f"#{place[0]}" if place else "")})
            link.text = page.partition("://")[2] + (f"#{place[0]}" if explorer and place else "")
            note.text = "You can move this figure at "
        else:
            note.text = "You can move this figure in the web edition of the book."


def offer(site: Path, name: str, form: str) -> None:
    """Let the download menu of every page of a `site` offer the whole book: the file `name`."""
    for path in sorted(site.rglob("*.html")):
        page = pages.read(path.read_bytes())
        address = "../" * len(path.relative_to(site).parent.parts) + name
        for menu in page.xpath("//div[contains(@class, 'dropdown-download-buttons')]/ul"):
            if menu.xpath(".//a[@href=$address]", address=address):
                continue
            item = etree.SubElement(menu, "li")
            link = etree.SubElement(
                item,
                "a",
                {"href": address, "class": "btn btn-sm dropdown-item", "title": f"The whole book as {form}"},
            )
            text = f"The whole book ({Path(name).suffix})"
            etree.SubElement(link, "span", {"class": "btn__text-container"}).text = text
            path.write_text(pages.write(page), encoding="utf-8")
