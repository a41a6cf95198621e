"""Theorems that a proof kernel has checked: a line below each, and ``{formal}``, a page of all of them.

`bookext_formal` names a JSON file and the section that explains what such a check is worth::

    {"file": "code/kernel/checked.json", "section": "sec-kernel"}

The file has what was recorded when the kernel checked the theorems: ``tool``, ``language`` (for colors),
``axioms`` (name -> what it says), ``definitions`` (``name``, ``file``, ``text``), and ``theorems`` by their
labels in the book, each with ``differs`` (words, or nothing), ``axioms``, ``machine`` (those on the
machine's numbers) and ``parts``: ``name``, ``file``, ``statement``, ``reads`` (pieces of the
statement, each after the words of the book that it stands for) and ``steps`` of ``rule`` and ``state``.
Besides, it has the theorems that are ``left``, and why; the changed statements that were ``refused``, each
with what was ``said``; and the ``map`` of all that the kernel's files have (`theorem_map`).
No page has to be edited: a theorem on record gets a line with a link to ``{formal} theorems``.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from bookext.sphinx import say_why, theorem_map
from bookext.sphinx.html import end, give_scripts
from bookext.sphinx.theorem_map import short

#: The line's text, and what follows it where the book's theorem has more than what was checked: then these
#: are the words that `differs` begins with.
TITLE, IN_PART = "Checked by a proof kernel", ", in part"
ONLY_A_PART = "Only a part is checked"


class formal_fold(nodes.General, nodes.Element):  # docutils names nodes like this
    """Something folded: a `formal_title`, and what it unfolds."""


class formal_title(nodes.General, nodes.TextElement):
    """What a fold is opened by."""


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


def place(label: str) -> str:
    """The label of what was checked of a theorem.

    >>> place("thm-rotary")
    'formal-thm-rotary'
    """
    return f"formal-{label}"


def in_part(theorem: dict[str, Any]) -> bool:
    """Whether the book's theorem has more than what was checked."""
    found: bool = theorem["differs"].startswith(ONLY_A_PART)
    return found


def words(piece: str) -> str:
    r"""A piece of a theorem of the book as Markdown; the piece of a formula becomes one.

    >>> print(words(r"&= \tfrac d2 \\"), words("$T(k)$ of {eq}`eq-shift`"), words(r"$\mathrm{PE}(p + k) ="))
    $= \tfrac d2$ $T(k)$ of {eq}`eq-shift` $\mathrm{PE}(p + k) =$
    """
    if piece.count("$") % 2:  # one that goes on in the next piece, or has begun in the one before
        return f"{piece}$" if piece.startswith("$") or " $" in piece else f"${piece}"
    if "$" in piece or not re.search(r"[\\^]", piece):
        return piece
    if "\\begin" not in piece:
        piece = re.sub(r"&|\\\\", " ", re.sub(r"(?<=\w) & ", r"\\quad ", piece))
    return f"${' '.join(piece.split())}$"


def _steps(steps: list[dict[str, str]]) -> formal_fold:
    count = len(steps)
    title = f"Its proof, {count} step{'s' * (count != 1)}"
    fold = formal_fold("", formal_title("", title), classes=["formal-proof"])
    fold += formal_steps("", *(formal_step(rule=step["rule"], state=step["state"]) for step in steps))
    return fold


def line_of(theorem: dict[str, Any], label: str, docname: str) -> nodes.paragraph:
    """What is said below a theorem: that it was checked, with a link to what."""
    text = TITLE + IN_PART * in_part(theorem)
    return nodes.paragraph("", "", reference(docname, place(label), text), classes=["formal"])


def shows_derivation(node: nodes.Node) -> bool:
    """Whether it is what a cell has shown, and that a derivation."""
    return isinstance(node, nodes.raw) and 'class="derivation' in node.astext()


def _is_proof(node: nodes.Node) -> bool:
    """Whether a block is the proof of what stands before it: in words, or a cell that shows a derivation."""
    if not isinstance(node, nodes.Element):
        return False
    if "proof" in node.get("classes", []) and not node.get("label"):
        return True
    return any(map(shows_derivation, node.findall(nodes.raw)))


def place_of(theorem: nodes.Element) -> int:
    """The place among its siblings where a theorem's line comes: after its reason and its proof."""
    siblings, at = theorem.parent.children, theorem.parent.index(theorem) + 1
    if at < len(siblings) and isinstance(siblings[at], nodes.paragraph | say_why.say_why):
        at += 1
    while at < len(siblings) and _is_proof(siblings[at]):
        at += 1
    return at


def add_lines(app: Sphinx, doctree: nodes.document) -> None:
    """Put a line below each theorem that the kernel has checked."""
    labeled = [node for node in doctree.findall(nodes.Element) if "proof" in node.get("classes", [])]
    found = read(app) if labeled else {}
    if not found:
        return
    app.env.note_dependency(str(Path(app.srcdir, app.config.bookext_formal["file"])))
    for node in labeled:
        if theorem := found["theorems"].get(node.get("label")):
            node.parent.insert(place_of(node), line_of(theorem, node["label"], app.env.docname))


def reference(docname: str, label: str, text: str) -> nodes.Node:
    """A reference to what has a label."""
    return addnodes.pending_xref(
        "",
        nodes.inline("", text, classes=["xref", "std", "std-ref"]),
        refdoc=docname,
        refdomain="std",
        reftype="ref",
        reftarget=label,
        refexplicit=True,
        refwarn=True,
    )


class Formal(SphinxDirective):
    """The directive ``{formal}``, with the name of a part of the record."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Write the part of the record that is asked for."""
        kinds = {
            "theorems": self._theorems,
            "axioms": self._axioms,
            "definitions": self._definitions,
            "left": self._left,
            "refused": self._refused,
            "map": self._map,
        }
        kind = self.arguments[0]
        if kind not in kinds:
            raise self.error(f"{kind!r} is none of {', '.join(kinds)}")
        found = read(self.env.app)
        if not found:
            raise self.error("bookext_formal names no file")
        self.env.note_dependency(str(Path(self.env.app.srcdir, self.config.bookext_formal["file"])))
        self.book = theorem_map.book(self.env)
        self.checked = {label: found["theorems"][label] for label in self.book if label in found["theorems"]}
        return kinds[kind](found)

    def _parsed(self, lines: list[str]) -> list[nodes.Node]:
        body = nodes.Element()
        self.state.nested_parse(
            StringList(lines, source=self.get_source_info()[0]), self.content_offset, body
        )
        return body.children

    def _inline(self, text: str) -> list[nodes.Node]:
        parsed = self._parsed([text]) if text else []
        return [part for block in parsed for part in block.children]

    def _theorems(self, found: dict[str, Any]) -> list[nodes.Node]:
        folds = [self._theorem(label) for label in self.checked]
        return [*self._parsed([f"Checked by {found['tool']}:"]), *folds]

    def _title(self, label: str, more: str) -> formal_title:
        """What opens a theorem's fold: its title in the book, which is no link there."""
        title = self.book.get(label, {}).get("title") or label
        return formal_title("", "", *self._inline(title), nodes.Text(more))

    def _theorem(self, label: str) -> nodes.Node:
        """The fold of one theorem: its statements beside its words, their proofs, and what they rest on."""
        theorem = self.checked[label]
        fold = formal_fold("", self._title(label, IN_PART * in_part(theorem)))
        fold["classes"], fold["names"] = ["formal-theorem"], [place(label)]
        self.state.document.note_explicit_target(fold)
        fold += self._parsed([f"{{prf:ref}}`{label}`"])
        if theorem["differs"]:
            fold += nodes.paragraph(
                "", "", nodes.emphasis("", "Where the two differ: "), nodes.Text(theorem["differs"])
            )
        for part in theorem["parts"]:
            fold += [self._beside(part), _steps(part["steps"])]
        if needs := theorem.get("needs"):
            reasons = [f"- `{hypothesis}`: {why}" for hypothesis, why in needs.items()]
            fold += self._parsed(["What hypotheses are for:", "", *reasons])
        files = ", ".join(dict.fromkeys(f"`{part['file']}`" for part in theorem["parts"]))
        axioms = ", ".join(f"`{short(axiom)}`" for axiom in theorem["axioms"]) or "none"
        fold += self._parsed([f"In {files}; axioms: {axioms}."])
        if theorem["machine"]:
            listed = ", ".join(f"<code>{escape(axiom)}</code>" for axiom in theorem["machine"])
            title = f"The machine's own numbers: operations and axioms, {len(theorem['machine'])} names"
            machine = nodes.raw("", f"<p>{listed}.</p>", format="html")
            fold += formal_fold("", formal_title("", title), machine, classes=["formal-machine"])
        return fold

    def _beside(self, part: dict[str, Any]) -> nodes.table:
        """A statement, piece by piece, beside the words that each stands for."""
        kind = part["statement"].split()[0]
        head: list[list[nodes.Node]] = [
            [nodes.Text("in the book")],
            [nodes.Text(kind), nodes.Text(" "), nodes.literal("", part["name"])],
        ]
        rows: list[list[list[nodes.Node]]] = [
            [self._inline(words(book)), [nodes.literal("", stated)]] for book, stated in part["reads"]
        ]
        group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in (40, 60)), cols=2)
        group += [nodes.thead("", _row(head)), nodes.tbody("", *map(_row, rows))]
        return nodes.table("", group, classes=["formal-reads"])

    def _axioms(self, found: dict[str, Any]) -> list[nodes.Node]:
        return self._parsed([f"- `{short(name)}`: {says}" for name, says in found["axioms"].items()])

    def _definitions(self, found: dict[str, Any]) -> list[nodes.Node]:
        text = "\n".join(one["text"] for one in found["definitions"])
        return [nodes.literal_block(text, text, language=found["language"], force=True)]

    def _left(self, found: dict[str, Any]) -> list[nodes.Node]:
        return self._parsed([f"- {{prf:ref}}`{label}`: {why}" for label, why in found["left"].items()])

    def _refused(self, found: dict[str, Any]) -> list[nodes.Node]:
        """For each theorem a fold of its changed statements, and what was said to each."""
        folds: list[nodes.Node] = []
        for label, theorem in self.checked.items():
            stated = {f"{part['file'][:-2]}.{part['name']}": part["statement"] for part in theorem["parts"]}
            changed = [one for one in found["refused"] if one["theorem"] in stated]
            count = f": {len(changed)} change{'s' * (len(changed) != 1)}"
            fold = formal_fold("", self._title(label, count), classes=["formal-refused"])
            for one in changed:
                fold += nodes.raw("", refusal(one, stated[one["theorem"]]), format="html")
            folds.append(fold)
        return folds

    def _map(self, found: dict[str, Any]) -> list[nodes.Node]:
        builder = self.env.app.builder
        if builder.format != "html":
            return []
        for theorem in self.book.values():
            self.env.note_dependency(self.env.doc2path(theorem["page"]))
        pages = {theorem["page"] for theorem in self.book.values()}
        addresses = {page: builder.get_relative_uri(self.env.docname, page) for page in pages}
        groups = theorem_map.nodes_of(found, self.book)
        return [nodes.raw("", theorem_map.drawn(groups, addresses), format="html")]


def refusal(changed: dict[str, str], statement: str) -> str:
    r"""A changed statement and what was said to it, as HTML: of the statement the lines that are changed.

    >>> refusal({"kind": "sign", "old": "<", "new": ">", "said": "No."}, "Theorem t :\n 1 < 2.")
    '<div class="formal-no"><code>1 <del>&lt;</del> <ins>&gt;</ins> 2.</code><pre>No.</pre></div>'
    """
    at = statement.index(changed["old"])
    begin = statement.rfind("\n", 0, at) + 1
    end = (statement + "\n").index("\n", at + len(changed["old"]))
    before, after = statement[begin:at].lstrip(), statement[at + len(changed["old"]) : end]
    old, new = escape(changed["old"]), escape(changed["new"])
    line = f"{escape(before)}<del>{old}</del> <ins>{new}</ins>{escape(after)}"
    return f'<div class="formal-no"><code>{line}</code><pre>{escape(changed["said"])}</pre></div>'


def has_map(doctree: nodes.document) -> bool:
    """Whether a document has a map of theorems."""
    return any('class="theorem-map"' in raw.astext() for raw in doctree.findall(nodes.raw))


def _row(cells: list[list[nodes.Node]]) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *cell)) for cell in cells))


def _visit_fold(self: Any, node: nodes.Element) -> None:
    self.body.append(self.starttag(node, "details"))


def _visit_steps(self: Any, node: nodes.Element) -> None:
    self.body.append('<ol class="formal-steps">\n')


def _visit_step(self: Any, node: nodes.Element) -> None:
    rule, state = self.encode(node["rule"]), self.encode(node["state"])
    self.body.append(f'<li><code class="formal-rule">{rule}</code><pre class="formal-state">{state}</pre>')


def setup(app: Sphinx) -> None:
    """Register the directive and the lines with Sphinx."""
    app.add_config_value("bookext_formal", {}, "env", dict)
    app.add_node(formal_fold, html=(_visit_fold, end("</details>\n")))
    app.add_node(formal_title, html=(lambda self, node: self.body.append("<summary>"), end("</summary>\n")))
    app.add_node(formal_steps, html=(_visit_steps, end("</ol>\n")))
    app.add_node(formal_step, html=(_visit_step, end("</li>\n")))
    app.add_directive("formal", Formal)
    app.connect("doctree-read", add_lines)
    give_scripts(app, has_map, "map.js")
