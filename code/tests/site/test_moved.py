"""Addresses of earlier editions lead to what they named."""

from __future__ import annotations

import re

import pytest
from harness import REPOSITORY
from lxml.html import document_fromstring

from bookext.data_files import read_yaml

OLD = read_yaml(REPOSITORY / "book/addresses.yml")
#: What we name by hand, and what others may have linked to; a heading has a name from its words, too.
LABEL = re.compile(r"(sec|q|thm|rem|def|lem|cor|prop|ex|fig|tab|claim|paper|term)-")


@pytest.fixture(scope="module")
def found(site):
    """For each old page: the names that it has now, and where the others lead."""
    pages = {}
    for name in OLD:
        tree = document_fromstring(site.file(f"/book/{name}").read_bytes())
        pages[name] = set(tree.xpath("//@id")), tree
    return pages


def test_each_label_is_somewhere(found):
    lost = [
        f"{page}#{name}"
        for page, names in OLD.items()
        for name in names
        if LABEL.match(name) and name not in found[page][0]
    ]
    assert not lost, "say in book/moved.yml where these are now"


def test_each_link_has_its_place(site, found):
    for page, (_, tree) in found.items():
        for link in tree.xpath("//ul[@class='moved']//a/@href"):
            path, _, name = link.removeprefix("../").partition("#")
            target = document_fromstring(site.file(f"/{path}").read_bytes())
            assert target.xpath("//article"), f"{page} leads to {link}"
            assert not name or name in target.xpath("//article//@id"), f"{page} leads to {link}"


@pytest.mark.parametrize("with_scripts", [True, False])
def test_an_old_address_in_a_browser(site, new_page, with_scripts):
    page = new_page(java_script_enabled=with_scripts)
    page.goto(f"{site.url('book/notation')}?a=1#notation")
    if not with_scripts:
        page.locator("a").first.click()
    page.wait_for_url("**/book/glossary.html**")
    assert page.locator("article h1").text_content().startswith("Glossary")
    if with_scripts:
        assert page.url.endswith("?a=1#notation")
