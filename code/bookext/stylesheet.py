"""One small style sheet for the whole site, in place of the dozen that its extensions bring.

The theme's sheets style every component a site might use; a rule is kept only if some page or script of
this site speaks of every class and id in its selector. What is kept is kept in order, so the cascade is as before.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Set
from pathlib import Path

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_STRING = r'"(?:\\.|[^"\\])*"' + r"|'(?:\\.|[^'\\])*'"
_TOKEN = re.compile(_STRING + r"|url\([^\"'()]*\)|[{};]", re.DOTALL)
_URL = re.compile(r"url\(\s*([\"']?)([^\"')]+)\1\s*\)")
_IMPORT = re.compile(r"@import\s+(?:url\()?\s*([\"'])(.+?)\1\s*\)?\s*;")
_NESTED = re.compile(r"@(media|supports|layer|container)\b")


def words(text: str) -> set[str]:
    """Everything in `text` that could be the name of a class or an id.

    >>> sorted(words('<p class="a-b">c.d'))
    ['a-b', 'c', 'class', 'd', 'p']
    """
    return set(re.findall(r"[\w-]+", text))


def rules(css: str) -> Iterator[tuple[str, str | None]]:
    """The top-level rules of a sheet without comments: (selector or at-rule, block or None).

    >>> list(rules('@charset "a;b";p{x:y}@media print{a{b:c}}'))
    [('@charset "a;b"', None), ('p', 'x:y'), ('@media print', 'a{b:c}')]
    """
    depth = start = opened = 0
    prelude = ""
    for token in _TOKEN.finditer(css):
        match token[0]:
            case "{":
                if depth == 0:
                    prelude, opened = css[start : token.start()].strip(), token.end()
                depth += 1
            case "}":
                depth -= 1
                if depth == 0:
                    yield prelude, css[opened : token.start()].strip()
                    start = token.end()
            case ";" if depth == 0:
                yield css[start : token.start()].strip(), None
                start = token.end()


def selectors(prelude: str) -> list[str]:
    """The members of a selector list.

    >>> selectors('a:is(b, c), [d="e,f"]')
    ['a:is(b, c)', '[d="e,f"]']
    """
    members, depth, start = [], 0, 0
    for token in re.finditer(_STRING + r"|[(),\[\]]", prelude):
        if token[0] in "([":
            depth += 1
        elif token[0] in ")]":
            depth -= 1
        elif token[0] == "," and depth == 0:
            members.append(prelude[start : token.start()].strip())
            start = token.end()
    return [*members, prelude[start:].strip()]


def may_match(selector: str, known: Set[str]) -> bool:
    """Whether every class and id that `selector` demands is a known word; what stands in :is(), :not() and the like is not asked.

    >>> may_match('.a > b:not(.c)', {'a'}), may_match('.a.c', {'a'}), may_match('#d', {'a'})
    (True, False, False)
    """
    plain, previous = re.sub(r"\[(?:" + _STRING + r"|[^\]])*\]", "", selector), None
    while plain != previous:
        plain, previous = re.sub(r":[\w-]+\([^()]*\)", "", plain), plain
    names = re.findall(r"[.#]((?:\\.|[\w-])+)", plain)
    return all(re.sub(r"\\(.)", r"\1", name) in known for name in names)


def prune(css: str, known: Set[str]) -> str:
    """`css` without comments and without the rules that no element of the site can match.

    >>> prune('.a,.b{x:y}@media print{.c{x:y}}/* d */p{x:y}', {'a'})
    '.a{x:y}\\np{x:y}'
    """
    kept = []
    for prelude, block in rules(_COMMENT.sub("", css)):
        if block is None:
            kept.append(f"{prelude};")
        elif _NESTED.match(prelude):
            inner = prune(block, known)
            if inner:
                kept.append(f"{prelude}{{{inner}}}")
        elif prelude.startswith("@"):
            kept.append(f"{prelude}{{{block}}}")
        else:
            alive = ",".join(s for s in selectors(prelude) if may_match(s, known))
            if alive and block:
                kept.append(f"{alive}{{{block}}}")
    return "\n".join(kept)


def drop_unused(css: str, known: Set[str]) -> str:
    """`css` without keyframes and custom properties that nothing names.

    >>> drop_unused('@keyframes k{}\\n@keyframes m{}\\np{animation:m;--a:1;--b:2;x:var(--b)}', set())
    '@keyframes m{}\\np{animation:m;--b:2;x:var(--b)}'
    """
    lines = css.split("\n")
    rest = words("\n".join(line for line in lines if "@keyframes" not in line))
    css = "\n".join(
        line for line in lines if not (m := re.match(r"@keyframes ([\w-]+)", line)) or m[1] in rest
    )
    while True:
        used = set(re.findall(r"var\(\s*(--[\w-]+)", css)) | known
        smaller = re.sub(
            r"(?<=[{;\s])(--[\w-]+)\s*:(?:" + _STRING + r"|[^;{}\"'])*(?:;|(?=\}))",
            lambda m: m[0] if m[1] in used else "",
            css,
        )
        if smaller == css:
            return css
        css = smaller


def read(path: Path, base: Path) -> str:
    """The sheet at `path`, its imports pulled in, its addresses made relative to the folder `base`."""
    css = _COMMENT.sub("", path.read_text(encoding="utf-8"))
    folder = posixpath.relpath(path.parent.as_posix(), base.as_posix())

    def moved(match: re.Match) -> str:
        address = match[2]
        if re.match(r"(?:[a-z]+:|/|#)", address):
            return match[0]
        return f'url("{posixpath.normpath(posixpath.join(folder, address))}")'

    css = _IMPORT.sub(lambda m: f"@import-here {m[2]};", css)
    css = _URL.sub(moved, css)
    return re.sub(r"@import-here ([^;]+);", lambda m: read(path.parent / m[1], base), css)
