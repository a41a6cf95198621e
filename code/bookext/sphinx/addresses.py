"""Pages whose sections are known by short labels of their own, and not by ids made of their titles."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx

#: What a page's front matter says, at its top: `addresses: labels`.
KEY = "addresses"


def lead_with_labels(app: Sphinx, doctree: nodes.document) -> None:
    """Let the label `(name)=` above a heading be what the heading's link has; its title may change then."""
    # Not in `env.metadata` yet: Sphinx puts it there in the same event, and then notes the sections.
    told = (field for info in doctree.findall(nodes.docinfo) for field in info.findall(nodes.field))
    if (KEY, "labels") not in [(field[0].astext(), field[1].astext()) for field in told]:
        return
    for section in doctree.findall(nodes.section):
        ids = section["ids"]
        labels = [one for one in ids if one in doctree.nameids.values() and one != ids[0]]
        section["ids"] = [*labels, *(one for one in ids if one not in labels)]


def setup(app: Sphinx) -> None:
    """Register it before Sphinx notes the sections of a page for its table of contents."""
    app.connect("doctree-read", lead_with_labels, priority=100)
