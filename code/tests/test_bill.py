"""The bill of materials names every static file of the site, with its hash, and versions that are true."""

from __future__ import annotations

import json
import re

import pytest
from harness import REPOSITORY

from bookext.book import PACKAGES, Book
from bookext.finish import bill


def test_a_file_of_unknown_origin_stops_the_build(tmp_path):
    (tmp_path / "_static/minisearch").mkdir(parents=True)
    (tmp_path / "_static/minisearch/minisearch.js").write_text("1")
    (tmp_path / "_static/host.js").write_text("2")
    made = json.loads(bill.bill(tmp_path, Book("A")))
    ((component,), (own,)) = made["components"], made["metadata"]["component"]["components"]
    assert component["purl"] == "pkg:npm/minisearch@7.2.0"
    assert own["name"] == "_static/host.js"
    (tmp_path / "_static/new").mkdir()
    (tmp_path / "_static/new/program.js").write_text("3")
    with pytest.raises(ValueError, match=r"where _static/new/program\.js comes from"):
        bill.bill(tmp_path, Book("A"))


@pytest.mark.slow
def test_every_shipped_file_is_billed(site):
    made = json.loads((site.root / "bom.json").read_text(encoding="utf-8"))
    assert site.billed() == site.shipped()
    ours = {
        path.name
        for place in ("code/bookext/static", "book/_static")
        for path in (REPOSITORY / place).iterdir()
    }
    made_by_build = {"card.png", "face.js", "passages.js", "previewed.js", "site.css", "symbol_texts.js"}
    own = {file["name"].removeprefix("_static/") for file in made["metadata"]["component"]["components"]}
    wheels = {path.relative_to(site.root / "_static").as_posix() for path in (site.root / PACKAGES).iterdir()}
    assert wheels
    assert own <= ours | made_by_build | wheels, "what others made has a name and a license of its own"
    for component in made["components"]:
        assert component["licenses"]
        assert component["purl"].endswith(f"@{component['version']}")
        assert component["purl"].startswith("pkg:")


@pytest.mark.slow
def test_versions_are_those_that_the_files_name(site):
    """Files that say what they are: a banner, or a license beside them."""
    known = {source.name: source.known_version for source in bill.SOURCES}
    static = site.root / "_static"
    for name, path, pattern in (
        ("Bootstrap", "scripts/bootstrap.js.LICENSE.txt", r"Bootstrap v([\d.]+)"),
        ("clipboard.js", "clipboard.min.js", r"clipboard\.js v([\d.]+)"),
        ("Font Awesome Free", "scripts/fontawesome.js.LICENSE.txt", r"Free ([\d.]+)"),
    ):
        assert re.search(pattern, (static / path).read_text(encoding="utf-8"))[1] == known[name]
    said = (REPOSITORY / "CONTRIBUTING.md").read_text()
    assert f"`@fontsource/stix-two-text` {known['STIX Two Text']}" in said
    assert f"`source-sans` {known['Source Sans']}" in said
