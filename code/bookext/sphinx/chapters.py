"""A link to a chapter shows its number: {doc}`rope` is "Chapter 12", unless it has words of its own.

Titles ask or name, and seldom fit into another sentence.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import docname_join


class NumberedChapters(SphinxPostTransform):
    """Give references to chapters, without words of their own, the number in place of the title."""

    default_priority = 5  # before Sphinx resolves references

    def run(self, **kwargs: Any) -> None:
        """Change each of the page."""
        for link in self.document.findall(addnodes.pending_xref):
            if link.get("refdomain") != "std" or link["reftype"] != "doc" or link["refexplicit"]:
                continue
            name = docname_join(link.get("refdoc", self.env.docname), link["reftarget"])
            if number := self.env.toc_secnumbers.get(name, {}).get(""):
                words = f"Chapter\N{NO-BREAK SPACE}{'.'.join(map(str, number))}"
                link["refexplicit"] = True
                link.children = []
                link += nodes.inline(words, words, classes=["xref", "std", "std-doc"])


def setup(app: Sphinx) -> None:
    """Register it with Sphinx."""
    app.add_post_transform(NumberedChapters)
