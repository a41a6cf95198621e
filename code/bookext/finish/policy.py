"""What a page may load and run, said in its head: nothing from elsewhere, and no program but the site's.

A Content-Security-Policy as a ``meta`` tag works on any static host and from the disk. A browser then refuses
every script in the page whose hash is not listed, every ``onclick``, and every request to another host.

- ``file:`` is where everything comes from when the site is opened from the disk; a page from a server cannot
  load such an address anyway.
- ``blob:`` is how `static/host.js` starts the modules of explorers and the settings of late scripts, all of
  which stand in the page as data.
- A worker is the site's own file: what it may do is said by the server that sends it, and not here.
- Styles may stand in the page: figures, and what sets formulas, give elements a ``style``.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping

from lxml import etree
from lxml.html import HtmlElement

#: What a page may have, kind by kind. The default is not 'none': it covers what has no kind of its own, such
#: as the next page, which Firefox fetches ahead.
RULES: Mapping[str, str] = {
    "default-src": "'self' file:",
    "script-src": "'self' file: blob:",
    "style-src": "'self' file: 'unsafe-inline'",
    "img-src": "'self' file: data:",
    "font-src": "'self' file: data:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "frame-src": "'self' file:",
    "form-action": "'self' file:",
    "base-uri": "'none'",
}
#: Types of scripts that browsers run or obey; what has another type is data.
_RUN = ("", "module", "importmap", "speculationrules", "text/javascript", "application/javascript")


def digest(script: str) -> str:
    """The hash of a script's text as a policy names it.

    >>> digest("alert('Hello, world.');")  # the example of https://www.w3.org/TR/CSP3/
    "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def rules(scripts: Iterable[str]) -> str:
    """The policy of a page that runs these `scripts` of its own."""
    hashes = " ".join(dict.fromkeys(map(digest, scripts)))
    made = {**RULES, "script-src": f"{RULES['script-src']} {hashes}".strip()}
    return "; ".join(f"{kind} {sources}" for kind, sources in made.items())


def declare(page: HtmlElement) -> None:
    """Put its policy first in a page's head, after its encoding.

    Call it last: the hashes are those of the page's scripts. What no policy allows is an error.
    """
    for element in page.xpath("//*[@*[starts-with(name(), 'on')]] | //*[starts-with(@href, 'javascript:')]"):
        raise ValueError(
            f"a handler in the page, which its policy forbids: {etree.tostring(element)[:200]!r}"
        )
    scripts = [
        script.text or ""
        for script in page.iter("script")
        if (script.get("type") or "").lower() in _RUN and not script.get("src")
    ]
    meta = etree.Element("meta", {"http-equiv": "Content-Security-Policy", "content": rules(scripts)})
    head = page.find("head")
    encoding = head.xpath("meta[@charset]")
    head.insert(head.index(encoding[0]) + 1 if encoding else 0, meta)
    meta.tail = "\n"
