"""The two forms of a page, and the one way between them.

`Written` is a page as it reads when Sphinx has written it: formulas are TeX, and there is nothing in it that
only a site has. Notebooks, search, previews and Markdown are made of that. `Published` is the same page on
its way into the site, where it gets its formulas drawn, its tools and its head. Nobody can change the first,
nor make it of the second: so what is made of a page does not depend on when it is made.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from pathlib import Path

from lxml import etree
from lxml.html import HtmlComment, HtmlElement, document_fromstring, tostring

from bookext import upstream
from bookext.sphinx import widgets
from bookext.sphinx.cells import NOTEBOOK_ONLY

#: Names of SVG from which the parser takes the capitals, since HTML has none.
_CAPITALS = {name.lower(): name for name in ("viewBox", "preserveAspectRatio")}


#: What a page's elements are, of whatever name: lxml's own parser of HTML asks a table, in Python, each time.
_KINDS = etree.ElementDefaultClassLookup(element=HtmlElement, comment=HtmlComment)


def read(text: bytes) -> HtmlElement:
    """The tree of a page in UTF-8.

    >>> drawing = b'<svg viewBox="0 0 1 1" role="img"></svg>'
    >>> tostring(read(drawing).find("body/svg"))
    b'<svg viewBox="0 0 1 1" role="img"></svg>'
    """
    parser = etree.HTMLParser(encoding="utf-8")
    parser.set_element_class_lookup(_KINDS)
    page: HtmlElement = document_fromstring(text, parser=parser)
    for drawing in page.iter("svg"):
        for element in drawing.iter(etree.Element):
            if _CAPITALS.keys() & set(element.keys()):
                named = [(_CAPITALS.get(name, name), value) for name, value in element.items()]
                element.attrib.clear()
                element.attrib.update(named)
    return page


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


class Written:
    """A page as it reads when Sphinx has written it, without the faults of the extensions.

    Its name is from the top of the site, "book/order.html", and its source the file that Sphinx has written.

    >>> page = Written("a.html", b"<article><p>So.</p></article>")
    >>> page.tree().find(".//p").text = "changed"
    >>> page.tree().find(".//p").text
    'So.'
    >>> bench = b'<ul><li><a href="#b">B</a></li></ul><section id="b" class="notebook-only">Move.</section>'
    >>> page = Written("a.html", bench)
    >>> page.tree().text_content(), page.tree(in_notebook=True).text_content()
    ('', 'BMove.')
    """

    def __init__(self, name: str, source: bytes) -> None:
        self.name = name
        self.source = source
        self._tree = read(source)
        upstream.mend(self._tree)
        widgets.number_widgets(self._tree)
        keep_marks_with_formulas(self._tree)
        fold_proofs(self._tree)
        leave_out_own_numbers(self._tree)

    def tree(self, *, in_notebook: bool = False) -> HtmlElement:
        """A copy of the page, for whoever asks: without what only a notebook has, or with it."""
        made = copy.deepcopy(self._tree)
        if not in_notebook:
            leave_out_notebook_only(made)
        return made


def leave_out_own_numbers(page: HtmlElement) -> None:
    """Take the numbers from the figures of a page that asks for it: nothing refers to them.

    They would go on from another page.

    >>> caption = b'<figcaption><span class="caption-number">Fig. 5 </span>b</figcaption>'
    >>> page = read(b'<p class="own-figures">a</p>' + caption)
    >>> leave_out_own_numbers(page)
    >>> page.text_content()
    'ab'
    """
    if page.find_class("own-figures"):
        for number in page.xpath("//figcaption//*[contains(@class, 'caption-number')]"):
            remove(number)


@dataclass
class Published:
    """A page on its way into the site: who changes its `tree` changes what is published, nothing else."""

    name: str
    tree: HtmlElement

    @classmethod
    def of(cls, page: Written) -> Published:
        """The beginning of it."""
        return cls(page.name, page.tree())


def written(folder: Path, name: str) -> Written:
    """The page `name` in the `folder` of Sphinx's output."""
    return Written(name, (folder / name).read_bytes())


def leave_out_notebook_only(page: HtmlElement) -> None:
    """Take out the sections of the class `notebook-only`, and their entries in the page's contents."""
    for section in page.xpath(f"//section[contains(concat(' ', @class, ' '), ' {NOTEBOOK_ONLY} ')]"):
        for entry in page.xpath("//li[a[@href=$address]]", address=f"#{section.get('id')}"):
            remove(entry)
        remove(section)


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
    <summary>Proof</summary>
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
        summary.text = "Proof"
        fold.tail, proof.tail = proof.tail, None
        proof.getparent().replace(proof, fold)
        fold.append(proof)
