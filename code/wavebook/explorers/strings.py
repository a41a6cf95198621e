"""The texts of the explorers, one table for each view; and a view in another language.

:mod:`wavebook.explorers.translate` writes the tables.

A text stands in English where it is drawn, as a string or a template of a module in ``js``, or as a value of
an explorer's class. Nothing marks it: the rule below tells a text from a class name, an event or another
word of the program, and ``code/tests/wavebook/test_explorer_strings.py`` shows every view with all its texts
replaced, where no English word may be left, and nothing but texts be changed.

Pieces that ``+`` joins are one text. What a program puts into it is ``{0}``, ``{1}``, ... and may stand in
another order in the translation, or more than once.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from wavebook.explorers.modules import scan

SCRIPTS = Path(__file__).parent / "js"

#: The names of a formula's functions, which no language changes; `rich` gives sin and cos their colors.
NAMES = {"sin", "cos", "PE"}
#: Where there is a text, even of one word: a function and which of its arguments, or an object's key.
TEXT = {
    *("text 1", "beside 1", "explorer 0", "button 0", "counted 1", "counted 2", "label", "xName", "yName"),
    *("equation 0", "equation 1", "measure 0", "spoken 0", "counts", "names", "sentence", "unit", "answer"),
}
#: Where there is none.
CODE = {
    *("text 2", "text 3", "beside 2", "path 1", "line 4", "circle 2", "arrow 1", "dots 2", "scale 2"),
    *("note 0", "make 0", "on 1", "setAttribute 0", "part 0", "smooth 0", "slider 0", "choice 0", "keep 0"),
    *("hand 0", "cursor 0", "set 0", "querySelector 0", "querySelectorAll 0", "matchMedia 0", "matches 0"),
    *("color 0", "getPropertyValue 0", "setProperty 0", "Error 0", "className", "style", "[]", "key"),
    *("find 0", "closest 0", "insertAdjacentHTML 0", "line 2", "mark 1", "alike 0", "beyond 2", "beyond 3"),
}


@dataclass
class Literal:
    """A string or template, or several that ``+`` joins: its words, where it is, its tokens and its holes."""

    key: str
    place: str
    start: int
    end: int
    holes: list[tuple[int, int]] = field(default_factory=list)


class Reader:
    """The literals of a script, each with the place where it stands.

    One that is the value of a choice, such as "binary digits", is a text only where there is one for sure.

    >>> [said] = Reader('text(at, `${n} of ` + "all")').texts()
    >>> said.key, said.place
    ('{0} of all', 'text 1')
    """

    def __init__(self, script: str) -> None:
        self.tokens = list(scan(script))
        self.speaking = [at for at, token in enumerate(self.tokens) if token.kind not in ("space", "comment")]
        self.found: list[Literal] = []
        self._between(0, "block", "")

    def texts(self, values: Collection[str] = ()) -> list[Literal]:
        """The literals that are for readers, where the `values` of choices are none."""
        return [
            one
            for one in self.found
            if is_text(one.key, one.place) and (one.place in TEXT or one.key not in values)
        ]

    def written(self, table: Mapping[str, str], values: Collection[str] = ()) -> str:
        """The script with the texts of a table replaced."""
        texts = {literal.start: literal for literal in self.texts(values)}
        return self._written(table, texts, 0, len(self.tokens))

    def _written(self, table: Mapping[str, str], texts: Mapping[int, Literal], at: int, last: int) -> str:
        pieces: list[str] = []
        while at < last:
            literal = texts.get(at)
            said = table.get(literal.key) if literal else None
            if literal is None or said is None:
                pieces.append(self.tokens[at].text)
                at += 1
                continue
            holes = ["${" + self._written(table, texts, *hole) + "}" for hole in literal.holes]
            words = re.split(r"\{(\d+)\}", re.sub(r"[\\`]|\$(?=\{)", r"\\\g<0>", said))
            words[1::2] = [holes[int(n)] for n in words[1::2]]
            pieces.append(f"`{''.join(words)}`")
            at = literal.end
        return "".join(pieces)

    def _text(self, n: int) -> str:
        return self.tokens[self.speaking[n]].text if 0 <= n < len(self.speaking) else ""

    def _is_literal(self, n: int) -> bool:
        return self._text(n)[:1] in ('"', "'", "`")

    def _between(self, n: int, kind: str, place: str) -> int:
        """Read on to the end of a bracket, a template's hole or the script; tell what comes there."""
        commas, key = 0, ""
        while n < len(self.speaking):
            text = self._text(n)
            here = {"call": f"{place} {commas}", "object": key, "block": ""}.get(kind, place)
            if kind == "object" and self._text(n - 1) in ("{", ",") and self._text(n + 1) == ":":
                key = text
                n += 1
            elif self._is_literal(n):
                n = self._literal(n, here)
            elif text in ("(", "[", "{"):
                n = self._between(n + 1, *self._opened(n, here)) + 1
            elif text[:1] in (")", "]", "}"):
                return n
            else:
                if text == ",":
                    commas, key = commas + 1, ""
                n += 1
        return n

    def _opened(self, n: int, here: str) -> tuple[str, str]:
        """What a bracket is, and where what is in it stands."""
        bracket, before = self._text(n), self._text(n - 1)
        named = re.fullmatch(r"(?!(?:if|for|while|switch|return|of|in|case)$)[\w$]+|[)\]]", before)
        if bracket == "(":
            return ("call", before) if named else ("group", here)
        if bracket == "[":
            return ("index", "[]") if named else ("array", here)
        return ("object" if before in (*"(,=:[?|&", "return") else "block"), ""

    def _literal(self, n: int, place: str) -> int:
        before, last = self._text(n - 1), self._text(n - 2)
        literal = Literal("", place, self.speaking[n], 0)
        self.found.append(literal)
        n = self._piece(n, literal)
        while self._text(n) == "+" and self._is_literal(n + 1):
            n = self._piece(n + 1, literal)
        compared = (before, last) == ("=", "=") or (self._text(n) in ("=", "!") and self._text(n + 1) == "=")
        if compared or before in ("case", "from") or self._text(n) in ("in", "."):
            literal.place = "key"
        literal.end = self.speaking[n - 1] + 1
        return n

    def _piece(self, n: int, literal: Literal) -> int:
        """Add a string or a template to a literal; tell what comes after it."""
        literal.key += _unescape(self._text(n))
        while self._text(n).endswith("${"):
            literal.key += f"{{{len(literal.holes)}}}"
            end = self._between(n + 1, "hole", literal.place)
            literal.holes.append((self.speaking[n] + 1, self.speaking[end]))
            literal.key += _unescape(self._text(end))
            n = end
        return n + 1


#: A script's reader, once made: most views draw with the same modules.
reader = cache(Reader)


def _unescape(piece: str) -> str:
    """What a string or a piece of a template says."""
    inner = piece[1:-2] if piece.endswith("${") else piece[1:-1]
    return re.sub(
        r"\\(?:u(\w{4})|(.))", lambda m: chr(int(m[1], 16)) if m[1] else {"n": "\n"}.get(m[2], m[2]), inner
    )


def words(text: str) -> list[str]:
    """The words that a reader sees: without tags, what the program puts in, and symbols.

    >>> words('<b class="small">{0} of</b> *pq* turns')
    ['of', 'turns']
    """
    bare = re.sub(r"^[^<>]*=\"?[^<>]*>|<[^<>]*(>|$)|\{\d+\}|\*[^*]+\*|&\w+;", " ", text)
    return [] if '="' in bare else [word for word in re.findall(r"[A-Za-z]{2,}", bare) if word not in NAMES]


def is_text(key: str, place: str) -> bool:
    """Whether a literal is for readers.

    One that stands in no known place is, if it has two words, a capital letter, or beside a single word a
    space, and is no list of classes, selector or declaration of a style.
    """
    said = words(key)
    if place == "spoken 0" or (place in TEXT and said):
        return True
    if place in CODE or not said:
        return False
    if re.search(r"^[.#:(]\w|^[\w-]+:[\w{#]|^[\w-]+\([#\w-]*\)?$|^data-|^var\(|\dpx|\}px", key):
        return False
    alone = len(said) == 1 and said[0].islower() and not re.search(r"[}>] |[ >]\{|^\W", key)
    return not alone and not set(said) <= classes()


@cache
def classes() -> set[str]:
    """The names of classes in the explorers' style sheet."""
    return set(re.findall(r"\.([a-z][\w-]*)", (SCRIPTS / "explorer.css").read_text(encoding="utf-8")))


def retold(value: Any, say: Callable[[str], Any], place: str = "") -> Any:
    """A constant with its texts told anew. In a mapping the key is a text's place; packed data has no space.

    >>> retold({"kind": "sum", "say": ["It turns.", "low"]}, str.upper)
    {'kind': 'sum', 'say': ['IT TURNS.', 'low']}
    """
    if isinstance(value, str):
        return say(value) if (place in TEXT or " " in value) and is_text(value, place) else value
    if isinstance(value, Mapping):
        return {key: retold(one, say, str(key)) for key, one in value.items()}
    return [retold(one, say, place) for one in value] if isinstance(value, (list, tuple)) else value


def names_of(spec: Mapping[str, Mapping[str, Any]], constants: Mapping[str, Any]) -> list[str]:
    """What a drawing looks up to show it (`spoken`): options, and the keys of constants that have words.

    >>> names_of({"how": {"options": ("on", 3)}}, {"runs": {"first try": 1}})
    ['on', 'first try']
    """

    def keys(value: Any) -> Iterator[str]:
        if isinstance(value, Mapping):
            yield from (str(key) for key in value if " " in str(key))
            for one in value.values():
                yield from keys(one)

    options = [str(option) for control in spec.values() for option in control.get("options", ())]
    return [name for name in dict.fromkeys([*options, *keys(constants)]) if words(name)]


def translation(path: Path) -> dict[str, str]:
    """What a table says in place of a view's texts. What it leaves out stays, all of it if there is no table.

    Raises a ValueError if a translation has a hole that its text has not.
    """
    told: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    for text, said in told.items():
        if unknown := set(re.findall(r"\{\d+\}", said)) - set(re.findall(r"\{\d+\}", text)):
            raise ValueError(f"{path}: {said!r} has {', '.join(sorted(unknown))}, which {text!r} has not")
    return {text: said for text, said in told.items() if said}


def choose_language(slug: str) -> tuple[str, dict[str, str]]:
    """The language that WAVEBOOK_STRINGS asks for, a folder of tables, and its table for a view."""
    folder = Path(os.environ.get("WAVEBOOK_STRINGS", ""))
    return folder.name, translation(folder / f"{slug}.json") if folder.name else {}
