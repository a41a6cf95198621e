"""Findings as the appendix shows them: a table in MyST, and the same as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping

from posenc.precision import ROUNDING
from wavebook.claims.finding import Finding, Part, Verdict
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


def number(value: float) -> str:
    r"""A computed value for reading: six significant digits, and a power of ten where zeros would hide them.

    >>> [number(value) for value in (0.9588510772, 524288.0, 60611.47716626106, 2.2e-16, -1.0)]
    ['0.958851', '524288', '60611.5', '2.20000\xa0×\xa010⁻¹⁶', '−1']
    """
    if value == round(value) and abs(value) < 1e7:
        text = f"{value + 0.0:.0f}"  # 0 of -0
    else:
        text = f"{value:.6g}" if 1e-4 <= abs(value) < 999_999.5 else scientific(value, 6)
    return text.replace("-", "−")


def _is_rounding(part: Part) -> bool:
    """Whether a value is what rounding leaves, be it nothing: how much that is hangs on the processor."""
    value = part.computed
    if isinstance(value, str):
        return False
    return abs(value) <= ROUNDING and (value != 0 or part.rule == "same")


def _line(part: Part) -> str:
    if _is_rounding(part):
        value = "at most 10⁻¹²"  # ROUNDING
    else:
        value = part.computed if isinstance(part.computed, str) else number(part.computed)
    mark = {True: "**", False: "*", None: ""}[part.holds]
    return f"{_escape(part.name)}: {mark}{value}{mark}"


def _lines(found: Finding) -> list[str]:
    """What was computed of a claim, or is reported; asides are in the sentence that says why."""
    return [_line(part) for part in found.parts if part.rule != "aside"]


def _escape(text: str) -> str:
    return re.sub(r"([*_\[\]<>|`$^])", r"\\\1", text)


#: What a verdict is called.
_VERDICTS = {
    Verdict.HOLDS: "It holds",
    Verdict.PARTLY: "It holds in part",
    Verdict.FAILS: "It fails",
    Verdict.REPORTED: "It is a matter of reports",
    Verdict.UNPUBLISHED: "Nothing has been published",
}
#: What it is called where the statement is a paper's, whose conditions were often not read.
OF_PAPERS = _VERDICTS | {
    Verdict.PARTLY: "It holds with conditions",
    Verdict.FAILS: "It does not hold",
    Verdict.REPORTED: "It is not decidable here",
}


def outcome(found: Finding, verdicts: Mapping[Verdict, str] = _VERDICTS) -> str:
    """One finding as MyST: the verdict, why, and what was computed.

    >>> from wavebook.claims.finding import Finding, rounds
    >>> print(outcome(Finding("X-1", "The norm is 16", (rounds("norm", "16", 17.2),), "Why.", "{doc}`x`")))
    **It fails.** Why. ({doc}`x`)
    <BLANKLINE>
    - norm: *17.2*
    """
    verdict = verdicts[found.verdict]
    return "\n".join(
        [f"**{verdict}.** {found.why} ({found.shown})", "", *(f"- {line}" for line in _lines(found))]
    )


def statement(entry: Mapping[str, str], found: Finding) -> str:
    """A statement of wavebook/data/papers.yml as MyST: its words, its source, what was read, the finding.

    >>> from wavebook.claims.finding import Finding, exactly
    >>> entry = {"claim": "“Two”", "source": "a2026b", "at": "2601.00001v2", "read": "the abstract"}
    >>> print(statement(entry, Finding("X-1", "", (exactly("sum", 2, 2),), "Why.", "{doc}`x`")))
    *“Two”.* {cite}`a2026b`, [version 2](https://arxiv.org/abs/2601.00001v2). Read: the abstract.
    <BLANKLINE>
    **It holds.** Why. ({doc}`x`)
    <BLANKLINE>
    - sum: **2**
    """
    at = entry["at"]
    if at.startswith("https:"):
        place = f"[the page]({at})"
    else:
        version = re.search(r"v(\d+)$", at)
        called = f"version {version[1]}" if version else f"version not noted, read by {entry['by']}"
        place = f"[{called}](https://arxiv.org/abs/{at})"
    said = f"*{entry['claim']}.* {{cite}}`{entry['source']}`, {place}. Read: {entry['read']}."
    return f"{said}\n\n{outcome(found, OF_PAPERS)}"


def table(findings: Iterable[Finding], *, caption: str, name: str) -> str:
    """The findings as a MyST table that the site makes searchable; a row's anchor is ``#claim-`` and its id.

    A reference to a row shows the marked columns: never what is said alone, but with the verdict.

    >>> from wavebook.claims.finding import Finding, rounds
    >>> found = Finding("X-1", "The norm is 16", (rounds("norm", "16", 16.0),), "Why.", "{doc}`x`")
    >>> print(table([found], caption="Claims", name="tab-x").splitlines()[-2])
    | [X-1]{#claim-x-1} | The norm is 16 | [holds]{.verdict-holds} | norm: **16** | Why. {doc}`x` |
    """
    rows = [
        f"| [{f.id}]{{#claim-{f.id.lower()}}} | {typeset(f.claim)} "
        f"| [{f.verdict}]{{.verdict-{f.verdict.replace(' ', '-')}}} "
        f"| {'<br>'.join(_lines(f))} | {f.why} {f.shown} |"
        for f in findings
    ]
    return "\n".join(
        [
            f":::{{table}} {caption}",
            f":name: {name}",
            ":class: searchable",
            "",
            "| Source | {previewed}`It is said that` | {previewed}`Verdict` | Computed "
            "| {previewed}`What is so` |",
            "|:--|:--|:--|:--|:--|",
            *rows,
            ":::",
        ]
    )


def to_csv(findings: Iterable[Finding]) -> str:
    """The findings as CSV: id, verdict, computed (pairs ``name=value``, eight digits each), claim.

    What rounding leaves of a value, up to 10^-12, is written as 0.

    Introduced in the appendix "Claims, checked".

    >>> from wavebook.claims.finding import Finding, rounds
    >>> print(to_csv([Finding("X-1", "The norm is 16", (rounds("norm", "16", 16.0),), "Why.", "")]), end="")
    id,verdict,computed,claim
    X-1,holds,norm=16.000000,The norm is 16
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "verdict", "computed", "claim"])
    for found in findings:
        pairs = [
            f"{part.name}={part.computed if isinstance(part.computed, str) else _digits(part)}"
            for part in found.parts
        ]
        if any(pair.count("=") != 1 or ";" in pair for pair in pairs):
            raise ValueError(
                f"the parts of {found.id} must have names and values without '=' and ';', got {pairs}"
            )
        writer.writerow([found.id, found.verdict, "; ".join(pairs), found.claim])
    return text.getvalue()


def _digits(part: Part) -> str:
    """Eight significant digits, with the zeros among them; a longer whole number keeps all its digits."""
    value = 0.0 if _is_rounding(part) else float(part.computed) + 0.0  # which makes 0 of -0
    if value == round(value) and abs(value) >= 1e8:
        return f"{value:.0f}"
    return f"{value:#.8g}"
