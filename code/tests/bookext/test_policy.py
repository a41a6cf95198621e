"""The pages' own policy: it allows what they need, and names all scripts in them by their hashes."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from bs4 import BeautifulSoup
from harness import guarded_page, visit

from bookext import pages
from bookext.finish import policy

PAGE = b"""<html><head><title>A</title><meta charset="utf-8"><script>let a = "<b>&amp;";</script></head><body>
<script type="application/json">{"a": 1}</script><script src="x.js"></script></body></html>"""


def parts(page: str) -> dict[str, list[str]]:
    """The rules of a page's policy, which stands before everything that loads or runs."""
    head = BeautifulSoup(page.partition("</head>")[0], "html.parser").head
    before = [element.name for element in head.find_all(True)]
    (meta,) = head.select("meta[http-equiv='Content-Security-Policy']")
    first = next((n for n, name in enumerate(before) if name in ("script", "link", "style")), len(before))
    assert head.find_all(True).index(meta) < first
    rules = [rule.split() for rule in meta["content"].split(";")]
    return {name: values for name, *values in rules}


def hashed(page: str) -> set[str]:
    """The hashes of the scripts in a page, by another parser than the build's."""
    return {
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    }


def test_a_policy_names_the_scripts_in_a_page():
    page = pages.read(PAGE)
    policy.declare(page)
    text = pages.write(page)
    named = {value for value in parts(text)["script-src"] if value.startswith("'sha256")}
    assert named == hashed(text)
    assert len(named) == 1
    assert parts(text)["default-src"] == ["'self'", "file:"]
    assert parts(text)["object-src"] == ["'none'"]


@pytest.mark.parametrize(
    "fault", ['<p onclick="a()">', '<a href="javascript:a()">a</a>', '<img onerror="a">']
)
def test_what_no_policy_allows_stops_the_build(fault):
    with pytest.raises(ValueError, match="forbids"):
        policy.declare(pages.read(f"<head></head><body>{fault}</body>".encode()))


@pytest.mark.slow
def test_every_page_of_the_site_has_a_policy(site):
    paths = [path for path in site.root.rglob("*.html") if "_static" not in path.parts]
    assert paths
    for path in paths:
        text = path.read_text(encoding="utf-8")
        rules = parts(text)
        assert {value for value in rules["script-src"] if value.startswith("'sha256")} == hashed(text), path
        assert not {"'unsafe-inline'", "'unsafe-eval'"} & set(rules["script-src"]), path
        sources = {source for values in rules.values() for source in values if "'" not in source}
        assert sources == {"file:", "blob:", "data:"}, path  # and no host
        assert not re.search(r"<[^>]*\son[a-z]+=", re.sub(r"(?s)<(script|pre).*?</\1>", "", text)), path


def test_a_planted_script_does_not_run(browser, site):
    """On a page of the site, served or from the disk: a script in it, and one from elsewhere."""
    text = (site.root / "book/order.html").read_text(encoding="utf-8")
    planted = (
        '<script>window.planted = 1</script><script src="https://elsewhere.invalid/x.js"></script></body>'
    )
    body = text.replace("</body>", planted)
    for address in (site.url("book/order"), site.file_url("book/order")):
        with guarded_page(browser, site.origin) as page:
            page.route("**/order.html", lambda route: route.fulfill(body=body, content_type="text/html"))
            visit(page, address)
            assert page.evaluate("window.planted") is None, address
            refused = [said for said in page.guard.complaints if "Content Security Policy" in said]
            assert refused == page.guard.complaints
            assert len(refused) == 2
