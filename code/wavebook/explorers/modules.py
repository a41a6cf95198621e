"""Joins an explorer's ES modules into one text.

A notebook loads it from a blob, where no module can import another. Each module keeps a scope of its own,
as a function that returns what the module exports; every module comes after those that it imports. Comments
and space that says nothing are left out, for every page carries the text in full.

What a module may import and export is a part of the language; anything else is an error that names the file
and the line::

    import { one, two as second } from "./beside.js";
    export const three = ...;              // one name for each export
    export function four() { ... }
    export class Five { ... }
    export default ...;                    // only in the module that is asked for

The scanner knows strings, templates, comments and regular expressions: a ``//`` inside a template stays. Of
a slash it has to guess whether it divides: it does after a name, a number, a closing bracket or the end of
a text. Statements must end in semicolons, as the formatter writes them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path


class ModuleError(ValueError):
    """A module that cannot be joined; the message begins with the file and the line."""


@dataclass(frozen=True)
class Token:
    """A piece of JavaScript: "space", "comment", "word", "text", "regex" or "mark"; itself; its line."""

    kind: str
    text: str
    line: int


_PIECE = re.compile(
    r"""
    (?P<space>\s+)
    |(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<word>[\w$#]+)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
    |(?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_REGEX = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
_TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*", re.DOTALL)
#: Words after which a slash begins a regular expression, though it divides after other words.
_BEFORE_REGEX = {"return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do"}


def scan(script: str, name: str = "module") -> Iterator[Token]:
    """The tokens of a script; together they are the script.

    >>> [token.text for token in scan("a /* b */ = `c // ${d}`")]
    ['a', ' ', '/* b */', ' ', '=', ' ', '`c // ${', 'd', '}`']
    """
    at, line, divides = 0, 1, False
    braces: list[str] = []  # "{" for a block, "${" for a template's hole, in the order they were opened
    while at < len(script):
        kind, text = _token(script, at, divides, braces, f"{name}:{line}")
        yield Token(kind, text, line)
        if kind in ("word", "text", "regex", "mark"):
            divides = _divides_after(kind, text)
        at += len(text)
        line += text.count("\n")


def _divides_after(kind: str, text: str) -> bool:
    """Whether a slash after this token divides."""
    if kind == "word":
        return text not in _BEFORE_REGEX
    if kind == "mark":
        return text in (")", "]", "}")
    return not text.endswith("${")


def _token(script: str, at: int, divides: bool, braces: list[str], place: str) -> tuple[str, str]:
    """The kind and text of the token that begins at a place; keeps the list of open braces."""
    mark = script[at]
    if mark == "`" or (mark == "}" and braces and braces[-1] == "${"):
        if mark == "}":
            braces.pop()
        end = _end(_TEMPLATE.match(script, at + 1))
        if script.startswith("${", end):
            braces.append("${")
            return "text", script[at : end + 2]
        if script.startswith("`", end):
            return "text", script[at : end + 1]
        raise ModuleError(f"{place}: the template has no end")
    if mark == "/" and not divides and (regex := _REGEX.match(script, at)):
        return "regex", regex[0]
    found = _PIECE.match(script, at)
    assert found is not None, "a mark is any character"
    kind = found.lastgroup
    assert kind is not None, "every piece has a name"
    if found[0] in ('"', "'") or (script.startswith("/*", at) and kind != "comment"):
        raise ModuleError(f"{place}: the text or comment has no end")
    if found[0] == "{":
        braces.append("{")
    elif found[0] == "}" and braces:
        braces.pop()
    return kind, found[0]


def _end(found: re.Match[str] | None) -> int:
    assert found, "the pattern matches the empty text too"
    return found.end()


@dataclass
class Module:
    """What a module imports, as (path, name there, name here), what it exports, and the rest of its text."""

    path: Path
    body: str = ""
    imports: list[tuple[Path, str, str]] = field(default_factory=list)
    exports: list[str] = field(default_factory=list)


@cache  # most modules are imported by every explorer
def parse(script: str, path: Path) -> Module:
    """A module's imports, exports and body; `path` is where it is, from which its imports are taken.

    The result is shared: do not change it.
    """
    return _Parser(script, path).module


class _Parser:
    """Reads a module's tokens once, from the first to the last."""

    def __init__(self, script: str, path: Path) -> None:
        self.module = Module(path)
        self.tokens = list(scan(script, path.name))
        self.at = 0
        depth = 0
        body: list[str] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            depth += _nesting(token)
            if token.kind == "word" and token.text in ("import", "export") and not self._is_property():
                if depth:
                    raise self._error(token, f"{token.text} inside a block or a call")
                self.at += 1
                if token.text == "import":
                    self._import(token)
                else:
                    body.append(self._export(token))
            else:
                body.append(_squeeze(token))
                self.at += 1
        self.module.body = _join_pieces(body)

    def _error(self, token: Token, what: str) -> ModuleError:
        return ModuleError(f"{self.module.path.name}:{token.line}: {what}; see wavebook.explorers.modules")

    def _is_property(self) -> bool:
        """Whether the token here is a name after a dot or before a colon, and no statement."""
        before = next(
            (t for t in reversed(self.tokens[: self.at]) if t.kind not in ("space", "comment")), None
        )
        after = next((t for t in self.tokens[self.at + 1 :] if t.kind not in ("space", "comment")), None)
        return bool(before and before.text == ".") or bool(after and after.text == ":")

    def _next(self) -> Token:
        """The next token that says something."""
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            if token.kind not in ("space", "comment"):
                return token
        raise ModuleError(f"{self.module.path.name}: the module ends too early")

    def _skip(self, text: str) -> bool:
        """Go past the next token if it is this one."""
        at = self.at
        if self._next().text == text:
            return True
        self.at = at
        return False

    def _import(self, start: Token) -> None:
        form = 'an import must be import { name } from "./module.js";'
        if not self._skip("{"):
            raise self._error(start, form)
        names: list[tuple[str, str]] = []
        while not self._skip("}"):
            there = self._next().text
            names.append((there, self._next().text if self._skip("as") else there))
            self._skip(",")
        word, source, end = self._next(), self._next(), self._next()
        if word.text != "from" or source.kind != "text" or end.text != ";":
            raise self._error(start, form)
        if not source.text[1:-1].startswith(("./", "../")):
            raise self._error(start, f"only modules beside this one can be imported, not {source.text}")
        path = (self.module.path.parent / source.text[1:-1]).resolve()
        self.module.imports += [(path, there, here) for there, here in names]

    def _export(self, start: Token) -> str:
        """What replaces the beginning of an export."""
        word = self._next()
        if word.text == "default":
            self.module.exports.append("default")
            return "const default$ = "
        if word.text not in ("const", "function", "class"):
            raise self._error(start, f"export {word.text} cannot be joined")
        name = self._next()
        if name.kind != "word" or (word.text == "const" and not self._names_one()):
            raise self._error(start, f"one name for each export {word.text}, and a semicolon at its end")
        self.module.exports.append(name.text)
        return f"{word.text} {name.text}"

    def _names_one(self) -> bool:
        """Whether a const ends with a semicolon, and without a comma outside brackets, which would go on."""
        depth = 0
        for token in self.tokens[self.at :]:
            depth += _nesting(token)
            if token.kind == "mark" and not depth and token.text in ",;":
                return token.text == ";"
        return False


def _nesting(token: Token) -> int:
    """By how many brackets a token opens (1) or closes (-1)."""
    if token.kind == "mark":
        return (token.text in "([{") - (token.text in ")]}")
    if token.kind == "text":
        return token.text.endswith("${") - token.text.startswith("}")
    return 0


def _squeeze(token: Token) -> str:
    """A token as a page carries it; comments are as good as a space."""
    if token.kind in ("comment", "space"):
        return "\n" if "\n" in token.text else " "
    return token.text


def _join_pieces(pieces: list[str]) -> str:
    """The pieces without the space between them, where it says nothing.

    No new line stays. That is enough for modules whose statements end in a semicolon.
    """
    text = [""]
    gap = False
    for piece in pieces:
        if not piece.strip():
            gap = True
            continue
        before, after = text[-1][-1:], piece[0]
        if gap and ((_is_name(before) and _is_name(after)) or (before in "+-/" and after in "+-/")):
            text.append(" ")
        text.append(piece)
        gap = False
    return "".join(text).strip()


def _is_name(character: str) -> bool:
    return character.isalnum() or character in ("_", "$", "#")


def join_modules(entry: Path, given: Mapping[Path, str] | None = None) -> str:
    """One ES module out of a module and all that it imports; `given` has texts to be used instead of files.

    The entry must have a default export, which is all that the result exports.
    """
    modules = collect_modules(entry, given or {})
    # The same name in every explorer, so that a page with several has the text of a module they share once.
    names = {path: f"${path.parent.name}_{path.stem}" for path in modules}
    names = {path: re.sub(r"[^\w$]", "_", name) for path, name in names.items()}
    if len(set(names.values())) < len(names):
        raise ModuleError(f"{entry.name}: two modules have the same name, {', '.join(names.values())}")
    if "default" not in modules[entry.resolve()].exports:
        raise ModuleError(f"{entry.name}: there is no default export")
    functions = [
        f"const {names[path]} = (() => {{\n{_function(modules[path], names)}\n}})();" for path in modules
    ]
    return "\n".join([*functions, f"export default {names[entry.resolve()]}.default$;"])


def collect_modules(entry: Path, given: Mapping[Path, str]) -> dict[Path, Module]:
    """A module and all that it imports, in the order of their evaluation."""
    modules: dict[Path, Module] = {}
    _collect(entry.resolve(), {path.resolve(): text for path, text in given.items()}, modules, [])
    return modules


def _collect(path: Path, texts: dict[Path, str], modules: dict[Path, Module], waiting: list[Path]) -> None:
    """Parse a module after all that it imports."""
    if path in modules:
        return
    if path in waiting:
        circle = " -> ".join(step.name for step in [*waiting[waiting.index(path) :], path])
        raise ModuleError(f"{path.name}: the imports make a circle, {circle}")
    if path not in texts and not path.is_file():
        raise ModuleError(f"{waiting[-1].name if waiting else path.name}: there is no module {path.name}")
    module = parse(texts[path] if path in texts else path.read_text(encoding="utf-8"), path)
    for source, there, _ in module.imports:
        _collect(source, texts, modules, [*waiting, path])
        if there not in modules[source].exports:
            raise ModuleError(f"{path.name}: {source.name} exports no {there}")
    modules[path] = module


def _function(module: Module, names: dict[Path, str]) -> str:
    """The body of the function that a module becomes."""
    imports: dict[Path, list[str]] = {}
    for source, there, here in module.imports:
        imports.setdefault(source, []).append(there if there == here else f"{there}:{here}")
    taken = [f"const{{{','.join(own)}}}={names[source]};" for source, own in imports.items()]
    given = ["default$" if name == "default" else name for name in module.exports]
    return "".join([*taken, module.body, f"return{{{','.join(given)}}};"])
