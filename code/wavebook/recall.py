r"""The prompts of the page "Recall", for other programs: as CSV, and as a package for Anki.

``python -m wavebook.recall FILE`` writes the package; it needs genanki (``wavebook[anki]``). The page itself
reads ``data/recall.yml`` when it is built.
"""

from __future__ import annotations

import csv
import html
import io
import re
import sys
from pathlib import Path
from typing import Any

from wavebook import data

__all__ = ["card", "prompts", "to_csv", "write_anki"]

#: By these Anki knows the deck and its kind of note again: a second import changes cards, and adds none.
_DECK, _MODEL = 1_763_047_001, 1_763_047_002
#: What a package says its cards were made at, in seconds: so the same prompts make the same package.
_MADE = 1_750_000_000


def prompts() -> list[dict[str, Any]]:
    """The prompts, in the order of the chapters.

    Returns
    -------
    list of dict
        With the keys that the head of ``data/recall.yml`` explains.

    Examples
    --------
    >>> prompts()[0]["id"]
    'shuffled-tokens'
    """
    return list(data.read_yaml("recall.yml"))


def _typed(prompt: dict[str, Any]) -> str:
    """What a reader may type; "" if nothing is typed."""
    if "words" in prompt:
        return str(prompt["words"][0])
    return str(prompt.get("formula", prompt.get("number", "")))


def to_csv() -> str:
    """The prompts as a table: with what may be typed, and by which fraction of itself it may be off.

    Returns
    -------
    str
        CSV with a head, formulas in TeX.

    Examples
    --------
    >>> to_csv().splitlines()[0]
    'id,chapter,question,typed,within,answer,why'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "chapter", "question", "typed", "within", "answer", "why"])
    for one in prompts():
        allowed = one.get("within", "")
        writer.writerow(
            [one["id"], one["chapter"], one["ask"], _typed(one), allowed, one["answer"], one["why"]]
        )
    return text.getvalue()


def card(text: str) -> str:
    r"""A text as Anki shows it: HTML, with TeX in the brackets of MathJax.

    >>> card("Is $a < b$ *so*, or `d`?")
    'Is \\(a &lt; b\\) <em>so</em>, or <code>d</code>?'
    """
    pieces = re.split(r"(\$[^$]+\$|`[^`]+`)", text)
    made = []
    for piece in pieces:
        if piece.startswith("$"):
            made.append(rf"\({html.escape(piece[1:-1], quote=False)}\)")
        elif piece.startswith("`"):
            made.append(f"<code>{html.escape(piece[1:-1], quote=False)}</code>")
        else:
            made.append(re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html.escape(piece, quote=False)))
    return "".join(made)


def write_anki(file: Path) -> None:
    """Write the prompts as a package for Anki, with a deck of one card each.

    The file is an ``.apkg``. An ImportError says what to install if genanki is not there.
    """
    try:
        import genanki  # type: ignore[import-untyped]  # it has no types
    except ImportError as error:
        raise ImportError("write_anki needs genanki: python -m pip install 'wavebook[anki]'") from error
    model = genanki.Model(
        _MODEL,
        "Waves of Position",
        fields=[{"name": name} for name in ("Question", "Answer", "Why", "Chapter")],
        templates=[
            {
                "name": "Question",
                "qfmt": "{{Question}}",
                "afmt": "{{FrontSide}}<hr id=answer><b>{{Answer}}</b>"
                "<p>{{Why}}</p><p><small>{{Chapter}}</small></p>",
            }
        ],
    )
    deck = genanki.Deck(_DECK, "Waves of Position")
    for one in prompts():
        texts = [card(one[key]) for key in ("ask", "answer", "why")]
        guid = genanki.guid_for("waves-of-position", one["id"])
        note = genanki.Note(model=model, fields=[*texts, one["chapter"]], guid=guid, tags=[one["chapter"]])
        deck.add_note(note)
    genanki.Package(deck).write_to_file(str(file), timestamp=_MADE)


if __name__ == "__main__":
    write_anki(Path(sys.argv[1]))
