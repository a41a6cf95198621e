"""What a course asks, as data: the concept inventory and the prompts of "Recall", and the plan of its weeks.

``python -m wavebook.course FILE`` writes it as JSON, of which `bookext.course` makes what learning
platforms read. Each wrong answer of the inventory was published: a claim of the page "Is it so?", and a
part of it that the claim's own check finds to be wrong.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from wavebook import data, recall
from wavebook.claims import Finding, evaluate
from wavebook.claims.finding import fill
from wavebook.claims.present import place_of

__all__ = ["inventory", "prompts"]


#: How letters of a formula are typed, where a program compares it.
_TYPED = re.compile(r" \(type \w+\)| Type \w+ for [^.]+\.")


def _read_published() -> dict[str, dict[str, str]]:
    """The claims that have a source which anybody can open, by their ids."""
    entries = [entry for name in ("errors", "papers") for entry in data.read_yaml(f"{name}.yml")]
    return {entry["id"]: entry for entry in entries}


def _wrong(option: dict[str, str], entry: dict[str, str], found: Finding, item: str) -> dict[str, Any]:
    """A wrong answer, with where it was published; an error if the book's check does not find it wrong."""
    part = next((part for part in found.parts if part.name == option["part"]), None)
    if part is None or part.holds is not False:
        raise ValueError(
            f"part must be one that {option['claim']} is wrong in, got {option['part']!r} in the item {item}"
        )
    published = {
        "claim": option["claim"],
        "verdict": found.verdict.value,
        "source": entry["source"],
        "at": place_of(entry),
    }
    return {"text": recall.card(option["text"]), "right": False, "published": published}


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _places(items: list[dict[str, Any]]) -> dict[str, int]:
    """Where each item's right answer stands, from 0: the same in each copy, and no habit to guess by.

    An item whose answers have an order of their own says it. The others are taken as their digests come,
    and each gets the place that has had the fewest right answers.
    """
    found = {item["id"]: item["place"] - 1 for item in items if "place" in item}
    for item in sorted(items, key=lambda item: _digest(item["id"])):
        if "place" not in item:
            taken = list(found.values())
            found[item["id"]] = min(range(1 + len(item["wrong"])), key=taken.count)
    return found


def inventory(items: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
    r"""The concept inventory, each item checked against what the book computes.

    They are those that ``data/course.yml`` lists under ``inventory``, if no `items` are given, each with
    ``id``, ``set``, ``kind``, ``stem``, ``options``, ``ordered`` and ``why``; texts are HTML, and formulas in
    it TeX between ``\(`` and ``\)``. It is a ValueError if a wrong answer's claim has no source that can be
    opened, or if the book's check does not find the part wrong.

    >>> item = inventory()[0]
    >>> item["id"], sum(option["right"] for option in item["options"])
    ('how-many', 1)
    """
    items = data.read_yaml("course.yml")["inventory"] if items is None else items
    published = _read_published()
    named = [option["claim"] for item in items for option in item["wrong"]]
    if unknown := sorted(set(named) - published.keys()):
        raise ValueError(f"claim must be one of errors.yml or papers.yml, got {', '.join(unknown)}")
    found = {one.id: one for one in evaluate(published[name] for name in dict.fromkeys(named))}
    places = _places(items)
    made = []
    for item in items:
        options = [
            _wrong(option, published[option["claim"]], found[option["claim"]], item["id"])
            for option in item["wrong"]
        ]
        if "place" not in item:
            options.sort(key=lambda option: _digest(option["text"]))
        options.insert(places[item["id"]], {"text": recall.card(item["right"]), "right": True})
        parts = [part for option in item["wrong"] for part in found[option["claim"]].parts]
        made.append(
            {
                "id": item["id"],
                "set": "inventory",
                "kind": "choice",
                "stem": recall.card(fill(item["stem"], parts)),
                "options": options,
                "ordered": "place" in item,
                "why": recall.card(fill(item["why"], parts)),
            }
        )
    return made


def prompts() -> list[dict[str, Any]]:
    """The prompts of the page "Recall", as questions of a platform.

    Returns
    -------
    list of dict
        With ``id``, ``set``, ``chapter``, ``kind``, ``stem``, ``answer`` and ``why``. The kind is
        ``number``, with the ``value`` and by which fraction of it an answer may be off; ``words``, with
        those that count; or ``open``. A platform cannot compare formulas, so they are open, and what one
        types for a letter is left out.

    Examples
    --------
    >>> {one["kind"] for one in prompts()} == {"number", "words", "open"}
    True
    """
    made = []
    for prompt in recall.prompts():
        one = {"id": prompt["id"], "set": "recall", "chapter": prompt["chapter"], "kind": "open"}
        if "number" in prompt:
            one |= {"kind": "number", "value": prompt["number"], "within": prompt["within"]}
        elif "words" in prompt:
            one |= {"kind": "words", "words": prompt["words"]}
        texts = {"stem": _TYPED.sub("", prompt["ask"]), "answer": prompt["answer"], "why": prompt["why"]}
        made.append(one | {name: recall.card(text) for name, text in texts.items()})
    return made


if __name__ == "__main__":
    planned = data.read_yaml("course.yml")
    whole = {"questions": inventory() + prompts(), "lecture": planned["lecture"], "weeks": planned["weeks"]}
    Path(sys.argv[1]).parent.mkdir(parents=True, exist_ok=True)
    Path(sys.argv[1]).write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
