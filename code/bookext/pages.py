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
from lxml.html import HtmlElement, HTMLParser, document_fromstring, tostring

from bookext import upstream
from bookext.sphinx import widgets
from bookext.sphinx.cells import NOTEBOOK_ONLY


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


class Written:
    """A page as it reads when Sphinx has written it, without the faults of the extensions.

    Parameters
    ----------
    name
        The page's own, from the top of the site: "book/order.html".
    source
        The file that Sphinx has written.

    Examples
    --------
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

    def tree(self, *, in_notebook: bool = False) -> HtmlElement:
        """A copy of the page, for whoever asks: without what only a notebook has, or with it."""
        made = copy.deepcopy(self._tree)
        if not in_notebook:
            leave_out_notebook_only(made)
        return made


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
    """Let the folds of a theorem be one line, the kernel's last; each proof but the first says what it proves.

    >>> fold = '<div class="cell"><details class="derivation"><summary>Proof</summary>'
    >>> fold += '<p class="derivation-title">{}</p></details></div>'
    >>> kernel = '<details class="formal"><summary>Checked</summary></details>'
    >>> page = read((kernel + "".join(map(fold.format, ("One", "Two")))).encode())
    >>> gather_proofs(page)
    >>> [summary.text for summary in page.xpath("//div[@class='proofs']//summary")]
    ['Proof', 'Two', 'Checked']
    >>> alone = read(fold.format("One").encode())
    >>> gather_proofs(alone)
    >>> alone.find_class("proofs"), alone.xpath("string(//summary)")
    ([], 'Proof')
    """
    folds = {}
    for fold in page.xpath(
        "//details[contains(@class, 'derivation') or contains(@class, 'proof-fold') or @class='formal']"
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


#: A power as a text has it, after a digit: of its signs the face of the text has some, and another face the rest.
_POWER = re.compile(r"(?<=\d)[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
#: What is text for a program, or has a face of its own.
_AS_IT_IS = {"script", "style", "pre", "code", "svg", "math", "textarea", "option", "noscript", "template"}


def mark_powers(page: HtmlElement) -> None:
    """Name the powers in a page's text, so that the style sheet can give all their signs one face.

    >>> page = read("<p>less than 10⁻¹⁴, or <b>2⁴</b>: <code>10⁷</code> 10⁹.</p>".encode())
    >>> mark_powers(page)
    >>> [(power.text, power.tail) for power in page.find_class("power")], page.text_content()
    ([('⁻¹⁴', ', or '), ('⁴', None), ('⁹', '.')], 'less than 10⁻¹⁴, or 2⁴: 10⁷ 10⁹.')
    """

    def pieces(text: str) -> tuple[str, list[HtmlElement]]:
        """What comes before the first power, and the powers with what comes after each."""
        found = list(_POWER.finditer(text))
        ends = [*(match.start() for match in found[1:]), len(text)]
        powers: list[HtmlElement] = []
        for match, end in zip(found, ends, strict=True):
            power = etree.Element("span", {"class": "power"})
            power.text, power.tail = match[0], text[match.end() : end] or None
            powers.append(power)
        return text[: found[0].start()], powers

    for element in [part for body in page.iter("body") for part in body.iter(etree.Element)]:
        kept = any(one.tag in _AS_IT_IS for one in (element, *element.iterancestors()))
        if element.text and not kept and _POWER.search(element.text):
            element.text, powers = pieces(element.text)
            element[:0] = powers
        inside = any(one.tag in _AS_IT_IS for one in element.iterancestors())
        if element.tail and not inside and _POWER.search(element.tail):
            element.tail, powers = pieces(element.tail)
            for power in reversed(powers):
                element.addnext(power)


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
