"""A book of a few pages, built: numbers, letters, references, buttons, and what is published."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from harness import HEADER, REPOSITORY, furnish
from harness import build as build_book

from bookext import pages as finish_pages
from bookext.book import manifest
from bookext.data_files import read_yaml
from bookext.finish import site as finish

#: What a proof kernel has said of a theorem.
CHECKED = {
    "tool": "Prover 1",
    "language": "coq",
    "axioms": {"Logic.choice": "one can choose"},
    "definitions": [{"name": "yes", "file": "A", "text": "Definition yes := 1."}],
    "theorems": {
        "thm-one": {
            "differs": "In nothing.",
            "axioms": ["Logic.choice"],
            "machine": ["Int.add"],
            "parts": [
                {
                    "name": "one",
                    "file": "A.v",
                    "statement": "Theorem one : 1 < 2.",
                    "reads": [["Yes", ": 1 < 2"]],
                    "steps": [{"rule": "lia.", "state": "1 < 2 & more"}],
                }
            ],
        }
    },
}


@pytest.fixture(scope="module")
def small_book(tmp_path_factory) -> Path:
    """A built book with a repository's address, with two numbered parts and a page without a number."""
    book = tmp_path_factory.mktemp("small")
    config = furnish(
        book,
        "intro\nparts:\n- numbered: 2\n  chapters:\n  - file: book/one\n"
        "- numbered: 2\n  chapters:\n  - file: book/two\n- chapters:\n  - file: book/extra\n",
    )
    for package in ("posenc", "posread", "wavebook"):
        (book / "code" / package).mkdir(exist_ok=True)
        for name in ("pyproject.toml", "README.md", "__init__.py"):
            shutil.copy(REPOSITORY / "code" / package / name, book / "code" / package)
    config["repository"]["url"] = "https://github.com/someone/something"
    config["html"]["baseurl"] = "https://someone.github.io/something/"
    config["sphinx"]["config"]["bookext_formal"] = {"file": "checked.json", "section": "here"}
    (book / "checked.json").write_text(json.dumps(CHECKED))
    (book / "_config.yml").write_text(yaml.safe_dump(config))
    (book / "book/extra.md").write_text(
        "# Extra\n\n## First\n\n### Deeper\n\n## Second\n\n"
        "```{prf:theorem}\n:label: thm-extra\nNo.\n```\n\nOne [word]{#a-word}.\n"
    )
    (book / "book/intro.md").write_text(
        "# Book\n\n{ref}`here` {eq}`eq-two` {prf:ref}`thm-one` {prf:ref}`thm-extra` {ref}`a-word`\n"
    )
    (book / "book/one.md").write_text(
        HEADER + "# One\n\n```{prf:theorem}\n:label: thm-one\nYes.\n```\n\n"
        "It turns by $\\omega_i = b^{-2i/d}$.\n\n```{code-cell} python3\n1\n```\n"
    )
    day = {"GIT_AUTHOR_DATE": "2026-05-04T12:00:00", "GIT_COMMITTER_DATE": "2026-05-04T12:00:00"}
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    for command in (["init", "--quiet"], ["add", "book"], [*who, "commit", "--quiet", "--message", "All"]):
        subprocess.run(["git", *command], cwd=book, env={**os.environ, **day}, check=True)
    (book / "book/two.md").write_text(
        "# Two\n\n```{formal} theorems\n```\n```{formal} axioms\n```\n```{formal} definitions\n```\n\n"
        "(here)=\n## Section\n\n$$\na\n$$ (eq-two)\n\n"
        ":::{quiz}\nIs {eq}`eq-two` like {ref}`a-word`?\n\n"
        "- [x] As {prf:ref}`thm-one` says\n  - See {eq}`eq-two`.\n"
        "- [ ] No\n  - See {doc}`extra`.\n:::\n"
    )
    result = build_book(book)
    assert result.returncode == 0, result.stdout
    return book / "_build/html/book"


def test_a_theorem_leads_to_what_a_proof_kernel_has_checked(small_book):
    """From a page that was not edited for it, and from no theorem that was not checked."""
    page = finish_pages.read((small_book / "one.html").read_bytes())
    (line,) = page.xpath("//p[@class='formal']")
    (theorem,) = page.xpath("//*[@id='thm-one']")
    assert theorem in line.itersiblings(preceding=True)
    assert line.xpath("a/@href") == ["two.html#formal-thm-one"]
    assert not finish_pages.read((small_book / "extra.html").read_bytes()).xpath("//p[@class='formal']")
    other = finish_pages.read((small_book / "two.html").read_bytes())
    (fold,) = other.xpath("//details[@id='formal-thm-one']")
    assert fold.get("open") is None
    said = " ".join(fold.text_content().split())
    rows = ("Theorem 1.1", "In nothing.", "Yes", ": 1 < 2", "lia.", "1 < 2 & more", "A.v", "choice")
    for text in (*rows, "operations and axioms, 1 names", "Int.add"):
        assert text in said
    assert "Logic." not in said
    assert len(fold.xpath(".//details[@class='formal-proof']/ol/li")) == 1
    whole = " ".join(other.text_content().split())
    for text in ("one can choose", "Definition yes := 1."):
        assert text in whole
    assert whole.count("Prover 1") == 1, "said above the theorems, for all of them"


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a site."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_a_system_that_cannot_fork_makes_the_same_site(small_book, tmp_path, monkeypatch):
    """What is made of a page as it reads must not see what is done to it for the site."""
    source = small_book.parents[1] / "sphinx"
    finish.finish(source, tmp_path / "forked")
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.delattr(os, "fork", raising=False)
    finish.finish(source, tmp_path / "here")
    forked, here = files_of(tmp_path / "forked"), files_of(tmp_path / "here")
    assert forked.keys() == here.keys()
    assert [name for name in forked if forked[name] != here[name]] == []
    turns = rb"$\\omega_i = b^{-2i/d}$"  # in a file of JSON
    assert turns in here["_sources/book/one.ipynb"]
    assert turns.replace(rb"\\", b"\\") in here["book/one.md"]
    assert b"b^-2i/d" in here["_static/passages.js"]


def test_a_paper_book_has_the_same_documents_in_their_order(small_book):
    known = manifest(small_book.parents[1] / "sphinx").book
    assert known.documents() == [("", ["book/intro", "book/one", "book/two", "book/extra"])]
    assert (known.title, known.slug) == ("Waves of Position", "waves-of-position")
    assert known.rights.startswith("Text under CC")
    assert known.palette == "posenc"


def test_a_second_part_goes_on_counting(small_book):
    intro, one, two = ((small_book / f"{name}.html").read_text() for name in ("intro", "one", "two"))
    assert '<span class="section-number">1\u2002</span>One' in one
    assert "Theorem 1.1" in one
    assert '<span class="section-number">2.1\u2002</span>Section' in two
    assert '<span class="eqno">(2.1)' in two
    assert "(2.1)" in intro
    assert "Theorem 1.1" in intro
    assert re.search(r'href="two.html">\s*2\u2002Two', intro), "the contents at the side count alike"


def test_a_part_without_numbers_has_none(small_book):
    extra = (small_book / "extra.html").read_text()
    assert ">Deeper<" in extra
    article = extra.split("<article", 1)[1].split("</article>", 1)[0]  # below it is the page before
    assert 'class="section-number"' not in article


def test_a_span_can_be_referred_to_from_another_page(small_book):
    assert re.search(
        r'<a class="reference internal" href="extra.html#a-word">(<span[^>]*>)?word<',
        (small_book / "intro.html").read_text(),
    )


def test_a_quiz_may_refer_to_other_things(small_book):
    page = finish_pages.read((small_book / "two.html").read_bytes())
    (group,) = page.xpath("//fieldset[@data-quiz]")
    legend, *options = group
    assert " ".join(legend.text_content().split()) == "Is (2.1) like word?"
    assert [" ".join(option.text_content().split()) for option in options] == [
        "AAs Theorem 1.1 says Right. See (2.1).",
        "BNo Not quite. See Extra.",
    ]
    assert [link.get("href") for link in group.iter("a")] == [
        "#equation-eq-two",
        "extra.html#a-word",
        "one.html#thm-one",
        "#equation-eq-two",
        "extra.html",
    ]


def test_repository_buttons_need_an_address(small_book, site):
    address = "https://github.com/someone/something"
    one = (small_book / "one.html").read_text()
    assert f'href="{address}"' in one
    assert f"{address}/edit/main/book/one.md" in one
    assert f"{address}/issues/new" in one
    assert read_yaml(REPOSITORY / "_config.yml")["repository"]["url"] or not any(
        re.search("btn-source-|dropdown-launch-buttons|Last updated on", path.read_text())
        for path in site.root.glob("book/*.html")
    )


def test_a_site_with_an_address_says_so(small_book):
    top = "https://someone.github.io/something/"
    one = (small_book / "one.html").read_text()
    assert f'<link rel="canonical" href="{top}book/one.html"' in one
    assert f'content="{top}_static/card.png"' in one
    assert f"<loc>{top}book/one.html</loc>" in (small_book.parent / "sitemap.xml").read_text()
    assert 'href="/something/book/one.html"' in (small_book.parent / "404.html").read_text()
    assert 'class="page-report" href="https://github.com/someone/something/issues/new?' in one


def test_what_the_buttons_of_a_page_open_is_published(small_book):
    """Each address is taken apart by the rules of its service, and its file looked for on that branch."""
    root = small_book.parents[2]
    branches = {"main": root, "notebooks": root / "_build/notebooks"}
    page = (small_book / "one.html").read_text()
    rules = {
        "colab.research.google.com": r"/github/someone/something/blob/(?P<branch>\w+)/(?P<path>.*)",
        "mybinder.org": r"/v2/gh/someone/something/(?P<branch>\w+)\?urlpath=lab/tree/(?P<path>.*)",
        "github.com": r"/someone/something/(?:edit|blob)/(?P<branch>\w+)/(?P<path>.*)",
    }
    opened = {}
    for host, rule in rules.items():
        for found in re.finditer(f'href="https://{re.escape(host)}{rule}"', page.replace("&amp;", "&")):
            opened[host] = branches[found["branch"]] / found["path"].partition('"')[0]
    assert opened.keys() == rules.keys()
    assert [path.name for path in opened.values()] == ["one.ipynb", "one.ipynb", "one.md"]
    assert all(path.is_file() for path in opened.values()), opened
    assert "Last updated on 2026-05-04" in " ".join(page.split())
    branch = branches["notebooks"]
    address = "git+https://github.com/someone/something@main#subdirectory="
    packages = read_yaml(root / "_config.yml")["sphinx"]["config"]["bookext_packages"]
    wanted = [f"{package} @ {address}{folder}" for package, folder in packages.items()]
    assert (branch / "requirements.txt").read_text().splitlines() == wanted
    first = json.loads((branch / "book/one.ipynb").read_text())["cells"][1]["source"]
    folder = "https://someone.github.io/something/_static/packages/"
    wheels = {path.name for path in (root / "_build/html/_static/packages").iterdir()}
    assert set(re.findall(re.escape(folder) + r"([^'\s]+)", first)) == wheels
    assert len(wheels) == len(packages)
    intro = (small_book / "intro.html").read_text()
    assert "colab" not in intro, "a page that is no notebook has none"
