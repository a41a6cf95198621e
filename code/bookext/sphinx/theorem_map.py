"""What stands on what: a map of a book's theorems, and of all that a proof kernel has checked of them.

``{formal} map`` draws it from the record that `bookext_formal` names (its ``map``: for each item ``name``,
``kind``, ``line``, ``statement``, ``proof``, what it ``uses``, and ``axioms`` where no row has them) and
from the theorems in the pages' sources.
Without a script it is a list of folds in groups; ``map.js`` draws lines and lets arrow keys walk along them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from sphinx.environment import BuildEnvironment

from bookext.upstream import contents_of

#: A theorem of a page: its title and its label, up to the next heading or theorem.
_THEOREM = re.compile(
    r"^`{3,}\{prf:(theorem|lemma|definition|corollary)\} ?([^\n]*)\n:label: (\S+)\n"
    r"(.*?)(?=^`{3,}\{prf:(?:theorem|lemma|definition|corollary)|^\#|\Z)",
    re.MULTILINE | re.DOTALL,
)
#: What belongs to a theorem behind it: its reason, its derivations and its proof in words.
_REASONS = re.compile(
    r"\A`*(?:\s*(?:\*Why:\*(?:[^\n]+\n)+|```\{code-cell\}[^`]*\bproofs\.[^`]*```|(`{3,})\{prf:proof\}.*?\n\1))*",
    re.DOTALL,
)
#: How a theorem of the book is known to hold, the strongest first.
WAYS = {
    "kernel": "checked by the kernel",
    "sympy": "by SymPy and in words",
    "words": "in words",
    "library": "of the library",
}


@dataclass
class Node:
    """A node of the map: what it is, how it is known, what it says and what it stands on."""

    name: str
    title: str
    kind: str
    way: str
    said: str
    page: str = ""
    where: str = ""
    proof: str = ""
    uses: list[str] = field(default_factory=list)


def short(axiom: str) -> str:
    """An axiom's name without those of the modules that it is in.

    >>> short("Classical_Prop.classic")
    'classic'
    """
    return axiom.rpartition(".")[2]


def place(name: str) -> str:
    """The id of a node.

    >>> place("Clock.shift"), place("Coq.Reals"), place("thm-rotary")
    ('map-shift', 'map-Reals', 'map-thm-rotary')
    """
    return f"map-{short(name)}"


def theorems_in(text: str) -> list[dict[str, Any]]:
    r"""The theorems of a page's source: label, title, statement, how each is proved, and to which it refers.

    >>> page = "```{prf:theorem} Two\n:label: thm-two\nSo.\n```\n\n*Why:* {prf:ref}`thm-one`.\n# End\n"
    >>> (found,) = theorems_in(page)
    >>> found["label"], found["title"], found["said"], found["way"], found["uses"]
    ('thm-two', 'Two', 'So.', 'words', ['thm-one'])
    """
    found = []
    for kind, title, label, rest in _THEOREM.findall(text):
        said, _, after = rest.partition("\n```")
        behind = _REASONS.match(after)
        after = behind[0] if behind else ""
        found.append(
            {
                "label": label,
                "title": title,
                "kind": kind,
                "said": re.sub(r"^:class:.*\n", "", said).strip(),
                "way": "sympy" if re.search(r"^proofs\.\w+\(.*\)\.check", rest, re.MULTILINE) else "words",
                "uses": sorted(set(re.findall(r"\{prf:ref\}`(thm-[\w-]+)`", said + after)) - {label}),
            }
        )
    return found


def book(env: BuildEnvironment) -> dict[str, dict[str, Any]]:
    """The theorems of all pages by their labels, each with its page, as one reads them."""
    known = {}
    for page in contents_of(env):
        path = Path(env.doc2path(page))
        if path.suffix == ".md":
            for theorem in theorems_in(path.read_text(encoding="utf-8")):
                known[theorem["label"]] = {**theorem, "page": page}
    return known


def nodes_of(record: dict[str, Any], theorems: dict[str, dict[str, Any]]) -> dict[str, list[Node]]:
    """The nodes in groups, by the groups' titles, those that others stand on last."""
    of_theorem = {
        f"{part['file'].removesuffix('.v')}.{part['name']}": label
        for label, checked in record["theorems"].items()
        for part in checked["parts"]
    }
    groups: dict[str, list[Node]] = {"The theorems of the book": []}
    for label, theorem in theorems.items():
        checked = record["theorems"].get(label)
        names = [name for name, owner in of_theorem.items() if owner == label]
        part = bool(checked) and checked["differs"].startswith("Only a part")
        ways = ["kernel"] * bool(checked) + [theorem["way"]]
        where = ", ".join(WAYS[way] + " in part" * (part and way == "kernel") for way in ways)
        title = theorem["title"].replace("$", "") + ", in part" * part
        node = Node(label, title, "theorem", ways[0], theorem["said"], theorem["page"], where)
        node.uses = [*names, *(used for used in theorem["uses"] if used in theorems)]
        groups["The theorems of the book"].append(node)
    for item in reversed(record["map"]):
        name = item["name"]
        kind = {"corollary": "theorem", "fixpoint": "definition"}.get(item["kind"], item["kind"])
        where = f"{name.partition('.')[0]}.v, line {item['line']}"
        if "axioms" in item:
            where += f"; axioms: {', '.join(map(short, item['axioms'])) or 'none'}"
        said = f"{item.get('given', '')}\n{item['statement']}".strip()
        node = Node(name, short(name), kind, "kernel", said, "", where, item["proof"], item["uses"])
        groups.setdefault(f"{name.partition('.')[0]}.v", []).insert(0, node)
    known = {node.name for group in groups.values() for node in group}
    others = sorted({used for item in record["map"] for used in item["uses"]} - known)
    groups["The libraries"] = [Node(name, name, "library", "library", "") for name in others]
    return groups


def _links(names: list[str], by_name: dict[str, Node]) -> str:
    links = ", ".join(f'<a href="#{place(name)}">{escape(by_name[name].title)}</a>' for name in names)
    return f'<p class="map-uses">It stands on: {links}.</p>' if links else ""


def _node(node: Node, by_name: dict[str, Node], addresses: dict[str, str]) -> str:
    """A node: its shape and name open what it says, and what is around it."""
    said = f"<pre>{escape(node.said)}</pre>" if node.said else ""
    page = f'<a href="{addresses[node.page]}#{node.name}">On its page</a>; ' if node.page else ""
    where = f"<p>{page}{escape(node.where)}.</p>" if node.where else ""
    source = (
        f"<details><summary>Its proof</summary><pre>{escape(node.proof)}</pre></details>"
        if node.proof
        else ""
    )
    return (
        f'<li class="map-{node.kind} by-{node.way}"><details class="map-item" id="{place(node.name)}">'
        f'<summary><span class="map-shape" aria-hidden="true"></span>'
        f'<span class="map-name">{escape(node.title)}</span></summary>'
        f'<div class="map-said">{said}{where}{source}'
        f"{_links(node.uses, by_name)}</div></details>"
    )


def drawn(groups: dict[str, list[Node]], addresses: dict[str, str]) -> str:
    """The map as HTML."""
    by_name = {node.name: node for group in groups.values() for node in group}
    kinds = dict.fromkeys((node.kind, node.way) for node in by_name.values())
    key = "".join(
        f'<li class="map-{kind} by-{way}"><span class="map-shape" aria-hidden="true"></span>'
        f"{kind if kind == way else f'{kind}, {WAYS[way]}'}</li>"
        for kind, way in kinds
    )
    parts = [
        f'<div class="map-group"><p>{escape(title)}</p><ul>'
        + "".join(_node(node, by_name, addresses) for node in nodes)
        + "</ul></div>"
        for title, nodes in groups.items()
        if nodes
    ]
    return f'<div class="theorem-map"><ul class="map-key">{key}</ul>{"".join(parts)}</div>'
