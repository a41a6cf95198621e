"""XML of learning platforms: elements with names of one language, and files that are the same each time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from lxml import etree
from lxml.builder import ElementMaker
from lxml.html import HtmlElement

from bookext.finish import formulas


def maker(namespace: str = "", **prefixes: str) -> ElementMaker:
    """What makes elements of a `namespace`, which has no prefix.

    >>> made = maker("urn:x")
    >>> print(etree.tostring(made.item("a", id="1"), encoding="unicode"))
    <item xmlns="urn:x" id="1">a</item>
    """
    names: dict[str | None, str] = {None: namespace} if namespace else {}
    names.update(prefixes)
    return ElementMaker(namespace=namespace or None, nsmap=names)


_MATH = "http://www.w3.org/1998/Math/MathML"


def _read(text: str, namespace: str) -> HtmlElement:
    text = formulas.in_text(text).replace("<math", f'<math xmlns="{_MATH}"')
    read = etree.fromstring(f'<div xmlns="{namespace}">{text}</div>')
    # QTI 2.1 asks for MathML 2, where a length has its unit, and a row no style.
    for one in read.iter(f"{{{_MATH}}}mpadded"):
        one.attrib.update({name: "0em" for name, value in one.attrib.items() if value == "0"})
    for one in read.iter(f"{{{_MATH}}}mrow"):
        if "displaystyle" in one.attrib:
            one.tag = f"{{{_MATH}}}mstyle"
    return read


def blocks(text: str, namespace: str) -> list[HtmlElement]:
    r"""The blocks of a text of XHTML, as elements of a `namespace`, its formulas as MathML.

    >>> [(one.tag, one.text) for one in blocks("<p>a</p><p>b</p>", "urn:x")]
    [('{urn:x}p', 'a'), ('{urn:x}p', 'b')]
    >>> [made] = blocks(r"<p>\(\mathrm{PE}\)</p>", "urn:x")
    >>> [dict(one.attrib) for one in made.iter("{*}mpadded")]
    [{'lspace': '0em'}]
    """
    return list(_read(text, namespace))


def fill(parent: HtmlElement, text: str, namespace: str) -> HtmlElement:
    """Put a line of XHTML into an element, its formulas as MathML.

    >>> print(etree.tostring(fill(maker("urn:x").p(), "a <em>b</em>", "urn:x"), encoding="unicode"))
    <p xmlns="urn:x">a <em>b</em></p>
    """
    line = _read(text, namespace)
    parent.text = line.text
    parent.extend(list(line))
    return parent


def written(root: HtmlElement) -> bytes:
    """The file of an XML document."""
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8") + b"\n"
    return made


def packed(files: Mapping[str, bytes]) -> bytes:
    """A ZIP of files, in their order, each of one day, so that the same files make the same ZIP.

    >>> packed({"a": b"1"}) == packed({"a": b"1"})
    True
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    return out.getvalue()
