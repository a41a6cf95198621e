"""Findings as the page shows them: a table in MyST, and the same as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping

from posenc.precision import ROUNDING
from wavebook.claims.finding import Finding, Part
from wavebook.say import scientific

_WORDS = {
    "d_model": "d",
    "delta_min": "δ<sub>min</sub>",
    "lambda": "λ",
    "theta": "θ",
    "sqrt": "√",
    "pi": "π",
    "w": "ω",
}
_NESTED = r"((?:[^()]|\([^()]*\))*)"


def typeset(claim: str) -> str:
    r"""A claim of data/claims.yml, which is plain text, as MyST: Greek letters, subscripts and powers.

    >>> typeset("the ratio 10000^(1/256), norm sqrt(d_model) and *2*pi*")
    'the ratio 10000<sup>1/256</sup>, norm √(d) and ·2π·'
    >>> typeset("values in [-1, 1] of e^{i m} and lambda_10")
    'values in \\[−1, 1\\] of e<sup>i m</sup> and λ<sub>10</sub>'
    """
    text = re.sub(r"(?<=\d)-(?=\d)", "–", re.sub(r"(?<![\w)])-(?=[\d.])", "−", claim.replace("<=", "≤")))
    text = re.sub(r"([<>|\[\]`$#~])", r"\\\1", text)
    text = re.sub(rf"\b({'|'.join(_WORDS)})(?![a-zA-Z])", lambda word: _WORDS[word[1]], text)
    text = re.sub(
        rf"\^\({_NESTED}\)|\^\{{([^}}]*)\}}|\^(\w+)",
        lambda power: f"<sup>{power[1] or power[2] or power[3]}</sup>",
        text,
    )
    text = re.sub(r"_\{([^}]*)\}|(?<=[λωM])_(\w+)", lambda index: f"<sub>{index[1] or index[2]}</sub>", text)
    return re.sub(r"\*(?=π)", "", text).replace("*", "·").replace("_", r"\_")


def number(value: float, significant: int = 6) -> str:
    r"""A computed value for reading: six significant digits, and a power of ten where zeros would hide them.

    >>> [number(value) for value in (0.9588510772, 524288.0, 60611.47716626106, 2.2e-16, -1.0)]
    ['0.958851', '524288', '60611.5', '2.20000\xa0×\xa010⁻¹⁶', '−1']
    """
    if value == round(value) and abs(value) < 1e7:
        text = f"{value + 0.0:.0f}"  # 0 of -0
    else:
        text = (
            f"{value:.{significant}g}"
            if 1e-4 <= abs(value) < 0.9999995 * 10**significant
            else scientific(value, significant)
        )
    return text.replace("-", "−")


def _is_rounding(part: Part) -> bool:
    """Whether a value is what rounding leaves, be it nothing: how much that is hangs on the processor."""
    value = part.computed
    if isinstance(value, str):
        return False
    return abs(value) <= ROUNDING and (value != 0 or part.rule == "same")


def _escape(text: str) -> str:
    return re.sub(r"([*_\[\]<>|`$^])", r"\\\1", text)


#: Of a claim without a source of its own, by the mark that its id begins with: which text it is from.
SOURCES = {
    "H1": "monograph, on two dimensions",
    "H2": "monograph, on many dimensions",
    "H3": "monograph, on uniqueness and interpolation",
    "H4": "monograph, on wavelengths",
    "J1": "notes on sinusoidal encoding",
    "J2": "notes on what positional encoding is",
    "J3": "notes on embedding and encoding in PyTorch",
    "K": "note on the definition and the shift",
}


def kind_of(entry: Mapping[str, str]) -> str:
    """What a statement is from: a paper, a page, an article, or notes.

    >>> [kind_of(entry) for entry in ({"id": "K-01"}, {"id": "P-01", "at": "2601.00001"}, {"id": "W-01"})]
    ['notes', 'paper', 'article']
    """
    if "at" not in entry:
        return "article" if entry["id"].startswith("W-") else "notes"
    return "page" if entry["at"].startswith("https:") and "aclanthology" not in entry["at"] else "paper"


def read_of(entry: Mapping[str, str]) -> str:
    """How much of the source was read: the whole, a part, or the abstract.

    >>> [read_of(entry) for entry in ({"id": "H1-01"}, {"id": "P-1", "read": "the abstract and a caption"})]
    ['whole', 'part']
    """
    read = entry.get("read", "" if "source" not in entry else "the passage")
    if read.startswith("the abstract") and " and " not in read:
        return "abstract"
    return "whole" if read in ("", "the paper") or read.startswith("the page") else "part"


def place_of(entry: Mapping[str, str]) -> str:
    """Where a statement stands, as an address; nothing for what is not named.

    >>> place_of({"at": "2601.00001v2"})
    'https://arxiv.org/abs/2601.00001v2'
    """
    at = entry.get("at", "")
    return at if not at or at.startswith("https:") else f"https://arxiv.org/abs/{at}"


def _facets(entry: Mapping[str, str], found: Finding) -> str:
    """What the page's table can be narrowed by, as classes."""
    facets = {
        "verdict": found.verdict,
        "about": entry.get("about", "models"),
        "source": kind_of(entry),
        "read": read_of(entry),
    }
    return " ".join(f".facet-{kind}-{value.replace(' ', '-')}" for kind, value in facets.items())


def _said(entry: Mapping[str, str]) -> str:
    """The statement, what it is from, and how much of that was read."""
    quoted = entry["claim"] if "at" in entry else typeset(entry["claim"])
    cited = f" {{cite}}`{entry['source']}`" if "source" in entry else ""
    kind, read, address = kind_of(entry), read_of(entry), place_of(entry)
    told = f"[{read}]({address})" if address else read
    return f"{quoted}.{cited}{'' if kind == 'notes' else f' ({told})'}"


_SENTENCE = re.compile(r"(?<=[\w)$”%*`]\.) (?=[A-Z“$(])")


def _found(entry: Mapping[str, str], found: Finding) -> str:
    """The verdict, why, the values of what was said in figures, and where to look beside its own source.

    What is more than a sentence is marked, for a script to fold.
    """
    first, *rest = _SENTENCE.split(found.why, maxsplit=1)
    values = ", ".join(_value(part) for part in found.parts if part.claimed)
    more = " ".join(filter(None, [*rest, f"({values})" if values else ""]))
    verdict = f"[{found.verdict}]{{.verdict-{found.verdict.replace(' ', '-')}}}"
    shown = found.shown.replace(f"{{cite}}`{entry.get('source')}`", "").strip(", ")
    return f"{verdict}: {first}{f' [{more}]{{.more}}' if more else ''} {shown}".rstrip()


def _value(part: Part) -> str:
    """A computed value in four digits, bold if it supports what was said, slanted if it contradicts it."""
    mark = {True: "**", False: "*", None: ""}[part.holds]
    if isinstance(part.computed, str):
        return f"{mark}{_escape(part.computed)}{mark}"
    return f"{mark}{'0' if _is_rounding(part) else number(part.computed, 4)}{mark}"


def table(
    entries: Iterable[Mapping[str, str]], findings: Iterable[Finding], *, caption: str, name: str
) -> str:
    r"""The findings as a MyST table that the site makes searchable; a row's anchor is ``#claim-`` and its id.

    A reference to a row shows the marked columns: never what is said alone, but with the verdict.

    >>> from wavebook.claims.finding import Finding, rounds
    >>> found = Finding("X-1", "The norm is 16", (rounds("norm", "16", 16.0),), "Why.", "{doc}`x`")
    >>> entry = {"id": "X-1", "about": "distance", "claim": "The norm is 16"}
    >>> row = table([entry], [found], caption="Claims", name="tab-x").splitlines()[-2].split(" | ")
    >>> print(*row, sep="\n")
    | [X-1]{#claim-x-1 .facet-verdict-holds .facet-about-distance .facet-source-notes .facet-read-whole}
    The norm is 16.
    [holds]{.verdict-holds}: Why. [(**16**)]{.more} {doc}`x` |
    """
    rows = [
        f"| [{one['id']}]{{#claim-{one['id'].lower()} {_facets(one, found)}}} "
        f"| {_said(one)} | {_found(one, found)} |"
        for one, found in zip(entries, findings, strict=True)
    ]
    return "\n".join(
        [
            f":::{{table}} {caption}",
            f":name: {name}",
            ":class: searchable",
            "",
            "| Mark | {previewed}`It is said that` | {previewed}`Is it so?` |",
            "|:--|:--|:--|",
            *rows,
            ":::",
        ]
    )


def to_csv(entries: Iterable[Mapping[str, str]], findings: Iterable[Finding]) -> str:
    """The findings as CSV; computed values are pairs ``name=value``, eight digits each.

    A plus sign before a name says that the value supports the statement, a minus sign that it contradicts it.
    What rounding leaves of a value, up to 10^-12, is written as 0.

    >>> from wavebook.claims.finding import Finding, rounds
    >>> found = Finding("H1-1", "The norm is 16", (rounds("norm", "16", 16.0),), "Why.", "")
    >>> entry = {"id": "H1-1", "about": "distance", "claim": "The norm is 16"}
    >>> print(to_csv([entry], [found]), end="")
    id,about,from,at,read,verdict,computed,claim
    H1-1,distance,"monograph, on two dimensions",,the whole,holds,+norm=16.000000,The norm is 16
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "about", "from", "at", "read", "verdict", "computed", "claim"])
    for one, found in zip(entries, findings, strict=True):
        pairs = [
            f"{ {True: '+', False: '-', None: ''}[part.holds] }{part.name}="
            f"{part.computed if isinstance(part.computed, str) else _digits(part)}"
            for part in found.parts
        ]
        if any(pair.count("=") != 1 or ";" in pair for pair in pairs):
            raise ValueError(
                f"the parts of {found.id} must have names and values without '=' and ';', got {pairs}"
            )
        origin = one.get("source") or SOURCES.get(one["id"].split("-")[0], "")
        read = one.get("read", f"the {read_of(one)}") + (f", {one['by']}" if "by" in one else "")
        writer.writerow(
            [
                one["id"],
                one["about"],
                origin,
                place_of(one),
                read,
                found.verdict,
                "; ".join(pairs),
                one["claim"],
            ]
        )
    return text.getvalue()


def _digits(part: Part) -> str:
    """Eight significant digits, with the zeros among them; a longer whole number keeps all its digits."""
    value = 0.0 if _is_rounding(part) else float(part.computed) + 0.0  # which makes 0 of -0
    if value == round(value) and abs(value) >= 1e8:
        return f"{value:.0f}"
    return f"{value:#.8g}"
