"""Theorems that a proof kernel has checked: a fold below each, and ``{formal}``, a table of all of them.

`bookext_formal` names a JSON file and the section that explains what such a check is worth::

    {"file": "code/kernel/checked.json", "section": "sec-kernel"}

The file has what was recorded when the kernel checked the theorems: ``tool``, ``language`` (for colors),
``axioms`` (name -> what it says), ``definitions`` (``name``, ``file``, ``text``), and ``theorems`` by their
labels in the book, each with ``differs`` (words, or nothing), ``axioms``, ``machine`` (whether it rests on
the machine's numbers besides) and ``parts``: ``name``, ``file``, ``statement`` and ``steps`` of ``rule`` and
``state``.
No page has to be edited, and without the file's entry a theorem has no fold.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from bookext.sphinx import say_why
from bookext.sphinx.html import end

#: The fold's title, and what follows it where the book's theorem has more than what was checked: then these
#: are the words that `differs` begins with.
TITLE, IN_PART = "Checked by a proof kernel", ", in part"
ONLY_A_PART = "Only a part is checked"


class formal_fold(nodes.General, nodes.Element):  # docutils names nodes like this
    """Something folded: its `title`, and a class."""


class formal_step(nodes.General, nodes.Element):
    """A step of a proof: its `rule`, and the `state` after it."""


class formal_steps(nodes.General, nodes.Element):
    """The steps of a proof."""


def read(app: Sphinx) -> dict[str, Any]:
    """What was recorded; {} in a book that has no such theorems."""
    name = app.config.bookext_formal.get("file")
    if not name:
        return {}
    found: dict[str, Any] = json.loads(Path(app.srcdir, name).read_text(encoding="utf-8"))
    return found


def short(axiom: str) -> str:
    """An axiom's name without those of the modules that it is in.

    >>> short("Classical_Prop.classic")
    'classic'
    """
    return axiom.rpartition(".")[2]


def in_part(theorem: dict[str, Any]) -> bool:
    """Whether the book's theorem has more than what was checked."""
    found: bool = theorem["differs"].startswith(ONLY_A_PART)
    return found


def _code(text: str, language: str) -> nodes.literal_block:
    return nodes.literal_block(text, text, language=language, force=True)


def _steps(steps: list[dict[str, str]]) -> formal_fold:
    count = len(steps)
    fold = formal_fold(title=f"The proof, {count} step{'s' * (count != 1)}", classes=["formal-proof"])
    fold += formal_steps("", *(formal_step(rule=step["rule"], state=step["state"]) for step in steps))
    return fold


def fold_of(found: dict[str, Any], theorem: dict[str, Any], section: nodes.Node) -> formal_fold:
    """The fold below a theorem: what was checked, step by step, and what it rests on."""
    fold = formal_fold(title=TITLE + IN_PART * in_part(theorem), classes=["formal"])
    if theorem["differs"]:
        fold += nodes.paragraph(
            "", "", nodes.emphasis("", "Where the two differ: "), nodes.Text(theorem["differs"])
        )
    for part in theorem["parts"]:
        fold += [_code(part["statement"], found["language"]), _steps(part["steps"])]
    files = dict.fromkeys(part["file"] for part in theorem["parts"])
    rests: list[nodes.Node] = [nodes.Text(f"By {found['tool']}, in ")]
    for number, name in enumerate(files):
        rests += [nodes.Text(", ")] * (number > 0) + [nodes.literal("", name)]
    rests.append(nodes.Text(". Axioms: "))
    for number, axiom in enumerate(theorem["axioms"]):
        rests += [nodes.Text(", ")] * (number > 0) + [nodes.literal("", short(axiom))]
    rests.append(nodes.Text("none" * (not theorem["axioms"])))
    rests.append(nodes.Text("; and the machine's own numbers. " if theorem["machine"] else ". "))
    fold += nodes.paragraph("", "", *rests, section)
    return fold


def _is_proof(node: nodes.Node) -> bool:
    """Whether a block is the proof of what stands before it: in words, or a cell that shows a derivation."""
    if not isinstance(node, nodes.Element):
        return False
    if "proof" in node.get("classes", []) and not node.get("label"):
        return True
    return any('class="derivation' in raw.astext() for raw in node.findall(nodes.raw))


def place_of(theorem: nodes.Element) -> int:
    """The place among its siblings where a theorem's fold comes: after its reason and its proof."""
    siblings, at = theorem.parent.children, theorem.parent.index(theorem) + 1
    if at < len(siblings) and isinstance(siblings[at], nodes.paragraph | say_why.say_why):
        at += 1
    while at < len(siblings) and _is_proof(siblings[at]):
        at += 1
    return at


def add_folds(app: Sphinx, doctree: nodes.document) -> None:
    """Put a fold below each theorem that the kernel has checked."""
    labeled = [node for node in doctree.findall(nodes.Element) if "proof" in node.get("classes", [])]
    found = read(app) if labeled else {}
    if not found:
        return
    app.env.note_dependency(str(Path(app.srcdir, app.config.bookext_formal["file"])))
    for node in labeled:
        if theorem := found["theorems"].get(node.get("label")):
            section = reference(app.env.docname, app.config.bookext_formal["section"])
            node.parent.insert(place_of(node), fold_of(found, theorem, section))


def reference(docname: str, label: str) -> nodes.Node:
    """A reference to a section by its label."""
    inside = nodes.inline("", "What such a check is worth", classes=["xref", "std", "std-ref"])
    return addnodes.pending_xref(
        "",
        inside,
        refdoc=docname,
        refdomain="std",
        reftype="ref",
        reftarget=label,
        refexplicit=True,
        refwarn=True,
    )


class Formal(SphinxDirective):
    """The directive ``{formal}``: ``theorems``, ``axioms`` or ``definitions``."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the part of the record that is asked for."""
        kinds = {"theorems": self._theorems, "axioms": self._axioms, "definitions": self._definitions}
        kind = self.arguments[0]
        if kind not in kinds:
            raise self.error(f"{kind!r} is none of {', '.join(kinds)}")
        found = read(self.env.app)
        if not found:
            raise self.error("bookext_formal names no file")
        self.env.note_dependency(str(Path(self.env.app.srcdir, self.config.bookext_formal["file"])))
        body = nodes.Element()
        lines = StringList(kinds[kind](found), source=self.get_source_info()[0])
        self.state.nested_parse(lines, self.content_offset, body)
        return body.children

    def _theorems(self, found: dict[str, Any]) -> list[str]:
        rows = ["| theorem | file | statements |", "|:--|:--|:--|"]
        for label, theorem in found["theorems"].items():
            for file in dict.fromkeys(part["file"] for part in theorem["parts"]):
                names = [f"`{part['name']}`" for part in theorem["parts"] if part["file"] == file]
                rows.append(
                    f"| {{prf:ref}}`{label}`{IN_PART * in_part(theorem)} | `{file}` | {', '.join(names)} |"
                )
        return rows

    def _axioms(self, found: dict[str, Any]) -> list[str]:
        return [f"- `{short(name)}`: {says}" for name, says in found["axioms"].items()]

    def _definitions(self, found: dict[str, Any]) -> list[str]:
        return [
            f"```{found['language']}",
            *"\n".join(one["text"] for one in found["definitions"]).split("\n"),
            "```",
        ]


def _visit_fold(self: Any, node: nodes.Element) -> None:
    self.body.append(f"{self.starttag(node, 'details')}<summary>{self.encode(node['title'])}</summary>\n")


def _visit_steps(self: Any, node: nodes.Element) -> None:
    self.body.append('<ol class="formal-steps">\n')


def _visit_step(self: Any, node: nodes.Element) -> None:
    rule, state = self.encode(node["rule"]), self.encode(node["state"])
    self.body.append(f'<li><code class="formal-rule">{rule}</code><pre class="formal-state">{state}</pre>')


def setup(app: Sphinx) -> None:
    """Register the directive and the folds with Sphinx."""
    app.add_config_value("bookext_formal", {}, "env", dict)
    app.add_node(formal_fold, html=(_visit_fold, end("</details>\n")))
    app.add_node(formal_steps, html=(_visit_steps, end("</ol>\n")))
    app.add_node(formal_step, html=(_visit_step, end("</li>\n")))
    app.add_directive("formal", Formal)
    app.connect("doctree-read", add_folds)
