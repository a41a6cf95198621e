"""One small style sheet for the whole site, in place of the dozen that its extensions bring.

The theme's sheets style every component a site might use; a rule is kept only if some page or script of
this site speaks of every class and id in its selector. What is kept is kept in order, so the cascade is as
before. Sheets are read with tinycss2. What it does not understand, and a rule's nested rules, are kept as
they are.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path

import tinycss2
from tinycss2.ast import Node

#: At-rules that hold rules, which are looked at one by one.
_GROUPS = {"media", "supports", "layer", "container"}


@dataclass
class Rule:
    """What is before the braces, and in them: declarations, rules, or nothing (``@charset "utf-8";``)."""

    prelude: str
    declarations: list[Node] | None = None
    rules: list[Rule] | None = None

    def __str__(self) -> str:
        if self.rules is not None:
            return f"{self.prelude}{{{''.join(map(str, self.rules))}}}"
        if self.declarations is None:
            return f"{self.prelude};"
        body = ";".join(node.serialize().strip() for node in self.declarations)
        return f"{self.prelude}{{{body}}}"


def words(text: str) -> set[str]:
    """Everything in `text` that could be the name of a class or an id.

    >>> sorted(words('<p class="a-b">c.d'))
    ['a-b', 'c', 'class', 'd', 'p']
    """
    return set(re.findall(r"[\w-]+", text))


def _selectors(prelude: list[Node]) -> Iterator[list[Node]]:
    """The members of a selector list."""
    member: list[Node] = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield member
            member = []
        else:
            member.append(token)
    yield member


def may_match(selector: Iterable[Node], known: Set[str]) -> bool:
    """Whether every class and id that a selector demands is a known word.

    What is inside :is(), :not() and the like is not asked.

    >>> parse = tinycss2.parse_component_value_list
    >>> [may_match(parse(selector), {"a"}) for selector in (".a > b:not(.c)", ".a.c", "#d")]
    [True, False, False]
    """
    before = ""
    for token in selector:
        demands = token.type == "hash" or (token.type == "ident" and before == ".")
        if demands and token.value not in known:
            return False
        before = token.value if token.type == "literal" else ""
    return True


def prune(nodes: Iterable[Node], known: Set[str]) -> Iterator[Rule]:
    """The rules of a parsed sheet that some element of the site can match.

    >>> sheet = parse('.a,.b{x:y}@media print{.c{x:y}}/* d */p{x:y}')
    >>> print(*prune(sheet, {"a"}))
    .a{x:y} p{x:y}
    """
    for node in nodes:
        if node.type == "qualified-rule":
            alive = [member for member in _selectors(node.prelude) if may_match(member, known)]
            prelude = ",".join(tinycss2.serialize(member).strip() for member in alive)
            body = _body(node.content)
            if alive and body:
                yield Rule(prelude, body)
        elif node.type == "at-rule":
            prelude = f"@{node.at_keyword}{tinycss2.serialize(node.prelude)}".strip()
            if node.content is None:
                yield Rule(prelude)
            elif node.lower_at_keyword in _GROUPS:
                inner = tinycss2.parse_rule_list(node.content, skip_comments=True, skip_whitespace=True)
                rules = list(prune(inner, known))
                if rules:
                    yield Rule(prelude, rules=rules)
            else:
                yield Rule(prelude, _body(node.content))


def _body(content: list[Node]) -> list[Node]:
    """What is between a rule's braces, without comments and what a browser cannot read either."""
    parsed = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return [node for node in parsed if node.type != "error"]


def parse(css: str) -> list[Node]:
    """A sheet's rules."""
    parsed = tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)
    return [node for node in parsed if node.type != "error"]


def _below(nodes: Iterable[Node]) -> Iterator[Node]:
    """All tokens in `nodes` and in what they contain."""
    for node in nodes:
        yield node
        for part in ("prelude", "content", "arguments", "value"):
            inside = getattr(node, part, None)
            if isinstance(inside, list):
                yield from _below(inside)


def _bodies(rules: Iterable[Rule]) -> Iterator[Rule]:
    """All rules that have declarations, wherever they are."""
    for rule in rules:
        if rule.rules is not None:
            yield from _bodies(rule.rules)
        elif rule.declarations is not None:
            yield rule


def _is_keyframes(rule: Rule) -> bool:
    return rule.prelude.startswith(("@keyframes", "@-webkit-keyframes"))


def names(nodes: Iterable[Node]) -> set[str]:
    """All names in parsed sheets: no other word decides what of them is kept.

    >>> sorted(names(parse("a.b>#c{--d:var(--e)}")))
    ['--d', '--e', 'a', 'b', 'c']
    """
    return {token.value for token in _below(nodes) if token.type in ("ident", "hash")}


def drop_unused(rules: list[Rule], known: Set[str]) -> list[Rule]:
    """`rules` without keyframes and custom properties that nothing names.

    >>> sheet = parse("@keyframes k{}@keyframes m{}p{animation:m;--a:1;--b:2;x:var(--b)}")
    >>> print(*drop_unused(list(prune(sheet, set())), set()))
    @keyframes m{} p{animation:m;--b:2;x:var(--b)}
    """
    used = {
        token.value
        for rule in _bodies(rules)
        if not _is_keyframes(rule)
        for token in _below(rule.declarations or [])
        if token.type == "ident"
    }
    rules = [rule for rule in rules if not _is_keyframes(rule) or rule.prelude.split()[-1] in used]
    while True:
        named = known | {
            argument.value
            for rule in _bodies(rules)
            for token in _below(rule.declarations or [])
            if token.type == "function" and token.lower_name == "var"
            for argument in token.arguments
            if argument.type == "ident"
        }
        dropped = False
        for rule in _bodies(rules):
            kept = [
                node
                for node in rule.declarations or []
                if node.type != "declaration" or not node.name.startswith("--") or node.name in named
            ]
            dropped |= len(kept) < len(rule.declarations or [])
            rule.declarations = kept
        if not dropped:
            return [rule for rule in rules if rule.declarations != [] or rule.prelude.startswith("@")]


def texts(rules: Iterable[Rule]) -> str:
    """All that the declarations of `rules` have between quotation marks."""
    tokens = (token for rule in _bodies(rules) for token in _below(rule.declarations or []))
    return "".join(token.value for token in tokens if token.type == "string")


def read(path: Path, base: Path) -> list[Node]:
    """The sheet at `path`, its imports pulled in, its addresses made relative to the folder `base`."""
    folder = posixpath.relpath(path.parent.as_posix(), base.as_posix())
    rules: list[Node] = []
    for rule in parse(path.read_text(encoding="utf-8")):
        if rule.type == "at-rule" and rule.lower_at_keyword == "import":
            address = next(token for token in _below(rule.prelude) if token.type in ("string", "url"))
            rules += read(path.parent / address.value, base)
            continue
        for token in _below([rule]):
            if token.type == "url":
                _move(token, folder, 'url("{}")')
            elif token.type == "function" and token.lower_name == "url":
                for argument in token.arguments:
                    if argument.type == "string":
                        _move(argument, folder, '"{}"')
        rules.append(rule)
    return rules


def _move(token: Node, folder: str, form: str) -> None:
    """Let an address that was relative to `folder` be relative to where `folder` is."""
    if not re.match(r"(?:[a-z]+:|/|#)", token.value):
        token.value = posixpath.normpath(posixpath.join(folder, token.value))
        token.representation = form.format(token.value)
