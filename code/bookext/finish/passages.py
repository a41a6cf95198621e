"""What the search looks in: the passages of the pages, a section or an entry each, as one file for all.

The search runs in the reader's browser (`static/search.js`), from a disk as well as from any host. It finds
passages and not only pages, and quotes plain text: formulas are written in Unicode here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from lxml.html import HtmlElement
from pylatexenc.latex2text import LatexNodes2Text

from bookext.cache import Kept
from bookext.pages import Written
from bookext.sphinx import quiz

#: What a page's `search` in its head (html_meta) says of it: it answers in short what a text says at length;
#: it is looked up, and less often read, such as a glossary; or it lists everything, such as the references.
#: A text of the book counts 1.
WEIGHTS = {"": 1.0, "answers": 0.43, "reference": 0.35, "listing": 0.2}

#: What the script calls them.
NAME = "PASSAGES"

#: An entry of the glossary or of the API has an id of its own, as a section with a heading has, and so has
#: something in each row of a searchable table.
_ROW = "self::tr[.//*[@id]][ancestor::table[contains(concat(' ', @class, ' '), ' searchable ')]]"
_STARTS = f"self::section[@id][h1|h2|h3|h4] or self::dt[@id] or {_ROW}"
#: What belongs to another passage, or is its title.
_OTHERS = (
    f"{_STARTS} or self::dd[preceding-sibling::dt[@id]]"
    " or parent::section and (self::h1 or self::h2 or self::h3 or self::h4)"
)
#: What is no text of the book, or says wrong things on purpose.
_SKIPPED = ["script", "style", "nav", "noscript", "fieldset", "aside", "button"]
_SKIPPED_CLASSES = {
    *("headerlink", "section-number", "prediction-printed", "explorer-still"),
    *("cell_output", "code-waits"),  # of the code, what the page shows
    *("theorem-map", "formal-refused"),  # what the theorems' folds say, and what is not so
}
#: What is folded or a program's: found, but after what is read first.
_BEHIND = {"pre", "details"}
_BEHIND_CLASSES = {"solution", "cell_input", "exercise"}


#: A function with its power, and what text wants a space around, and what it wants none beside.
_FUNCTION = re.compile(r"\\(?:sin|cos|tan|ln|log|exp|Re)(?![A-Za-z])(?:\s*\^\s*(?:\w|\{\w+\}))?")
_RELATION = re.compile(r"\s*([=<>≤≥≈≠])\s*")
_BRACKET = re.compile(r"(?<=[(\[{]) | (?=[)\]}])|(?<=sin|cos|tan|exp|log) (?=\()|(?<=ln) (?=\()")


@cache
def plain(tex: str) -> str:
    r"""A formula as text in one line.

    >>> plain(r"\(0 \le \omega_i p\)"), plain(r"\(10{,}000\)")
    ('0 ≤ ω_i p', '10,000')
    >>> plain(r"\cos a\sin b"), plain(r"2\sin^2 \omega"), plain(r"\ln(1 + p)"), plain(r"(\cos a)")
    ('cos a sin b', '2 sin^2 ω', 'ln(1 + p)', '(cos a)')
    """
    spaced = _FUNCTION.sub(lambda function: rf"\ {function[0]}\ ", tex)
    text: str = LatexNodes2Text(math_mode="text").latex_to_text(
        spaced.strip().removeprefix("\\(").removesuffix("\\)")
    )
    return _BRACKET.sub("", " ".join(_RELATION.sub(r" \1 ", text).split()))


def _collect(element: HtmlElement, read: list[str], behind: list[str], folded: bool = False) -> None:
    """Append the texts of an element to what is read, or stands behind that; not those of passages in it."""
    for child in element:
        classes = set((child.get("class") or "").split())
        if (
            isinstance(child.tag, str)  # and no comment
            and child.tag not in _SKIPPED
            and not quiz.is_quiz(child)
            and not classes & _SKIPPED_CLASSES
            and not child.xpath(_OTHERS)
        ):
            away = folded or child.tag in _BEHIND or bool(classes & _BEHIND_CLASSES)
            into = behind if away else read
            if "math" in classes and child.tag in ("span", "div"):
                into.append(plain("".join(child.itertext())))
            else:
                into.append(child.text or "")
                _collect(child, read, behind, away)
            if child.tag in ("p", "li", "div", "td", "th", "tr", "dt", "dd"):
                into.append(" ")
        (behind if folded else read).append(child.tail or "")


def _line(parts: list[str]) -> str:
    return re.sub(r"\s+", " ", "".join(parts)).strip()


def title_of(element: HtmlElement) -> str:
    """The title of a passage: a heading, one's own or in it, an entry, or a row's second cell."""
    named = {"section": "h1|h2|h3|h4", "tr": "td[2]"}.get(element.tag, "self::*")
    heading = element.xpath(named)[0]
    parts: list[str] = [heading.text or ""]
    _collect(heading, parts, parts)
    return _line(parts)


def passages(
    page: HtmlElement, name: str, keywords: Mapping[str, str] | None = None
) -> list[dict[str, str | float]]:
    r"""What can be found on the page `name`: for each passage two titles, its text, and what is folded.

    The first has the keywords of the page's head, as `about`. `keywords` are those of its passages, by id:
    what readers type, and the section says in other words. One without a passage is a KeyError. `abroad`
    is what a term of the glossary is called in other languages.

    >>> from bookext.pages import read
    >>> page = read(rb'''<meta name="keywords" content="sea"><article>
    ... <section id="a"><h1><span class="section-number">1 </span>Waves</h1><p>At <span
    ... class="math">\(\omega\)</span>.</p><section id="b"><h2>More</h2><pre>x = 1</pre></section>
    ... </section></article>''')
    >>> for passage in passages(page, "a.html", {"b": "tide"}):
    ...     print({name: value for name, value in passage.items() if value not in ("", 1)})
    {'address': 'a.html#a', 'page': 'Waves', 'title': 'Waves', 'text': 'At ω.', 'about': 'sea'}
    {'address': 'a.html#b', 'page': 'Waves', 'title': 'More', 'behind': 'x = 1', 'keywords': 'tide'}
    """
    found: list[dict[str, str | float]] = []
    weight = WEIGHTS["".join(page.xpath("//meta[@name='search']/@content"))]
    about = ", ".join(page.xpath("//meta[@name='keywords']/@content"))
    unused = dict(keywords or {})
    for element in page.xpath(f"//article//*[{_STARTS}]"):
        read: list[str] = []
        behind: list[str] = []
        abroad: list[str] = []
        if element.tag == "dt":
            entry = element.getnext()
            if entry is not None and entry.tag == "dd":
                read.append(entry.text or "")
                _collect(entry, read, behind)
                abroad = [one.text_content() for one in entry.xpath(".//span[@class='translated']/span")]
        else:
            _collect(element, read, behind)
        at = element.get("id") or element.xpath(".//@id")[0]
        # A section that answers several questions has a name of each.
        names = [at, *(other for other in element.xpath("./span/@id") if other != at)]
        title = at if "sig" in (element.get("class") or "").split() else title_of(element)
        first = found[0]["page"] if found else title
        found.append(
            {
                "address": f"{name}#{at}",
                "page": first,
                "title": title,
                "text": _line(read),
                "behind": _line(behind),
                "about": "" if found else about,
                "keywords": ", ".join(unused.pop(each) for each in names if each in unused),
                "abroad": ", ".join(abroad),
                "weight": weight,
            }
        )
    if unused:
        raise KeyError(f"the search has keywords for what {name} does not have: {', '.join(sorted(unused))}")
    return found


def script(
    pages: Iterable[Written],
    keywords: Mapping[str, Mapping[str, str]] | None = None,
    kept: Kept | None = None,
) -> str:
    """The passages of all pages, as a script that gives them their name; `keywords` by page and id."""
    known = dict(keywords or {})
    kept = kept or Kept()
    found: list[Any] = []
    for page in pages:
        own = known.pop(page.name, {})

        def make(page: Written = page, own: Mapping[str, str] = own) -> bytes:
            return json.dumps(passages(page.tree(), page.name, own)).encode()

        found += json.loads(kept.get("passages", [page.source, page.name, repr(sorted(own.items()))], make))
    if known:
        raise KeyError(f"the search has keywords for pages that are not there: {', '.join(sorted(known))}")
    return named_data(NAME, found)


def named_data(name: str, data: Any) -> str:
    r"""A script that gives data a name: it can be loaded from the disk, where a page may not fetch.

    >>> named_data("A", ["é", 1])
    'var A = ["é",1];\n'
    """
    return f"var {name} = {json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"
