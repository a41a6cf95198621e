"""What the checks of the claims find, by which rules, and how the book shows it.

The verdicts are the result of computation. They are written down here so that none changes unseen, whether
somebody edits a claim, a check or the package. Whether the figures behind them are right is asked in
test_claims_values.py.
"""

from __future__ import annotations

import ast
import csv
import io
import math
import re
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from book_claims import FILES, find, find_all, read_entries
from book_source import text_of
from harness import documents
from lxml.html import document_fromstring

from posenc import positional_encoding, shift_matrix, wavelengths
from wavebook.claims import Finding, checked, evaluate, finding, present
from wavebook.claims.finding import (
    about,
    aside,
    between,
    check,
    exactly,
    fill,
    reported,
    rounds,
    same,
    says,
    unpublished,
)
from wavebook.experiments import cliff, load

#: All claims are computed once, in one process: it takes seconds.
COMPUTED_ONCE = pytest.mark.xdist_group("claims, computed")

EXPECTED = {entry["id"]: entry["verdict"] for name in FILES for entry in read_entries(name)}


@pytest.mark.slow
@COMPUTED_ONCE
@pytest.mark.parametrize("claim", EXPECTED)
def test_no_verdict_changes_unseen(claim):
    """What the program finds is what the YAML says, the only place where a verdict is written down."""
    (verdict,) = (one.verdict for one in find_all() if one.id == claim)
    assert verdict == EXPECTED[claim], f"changed on purpose? Then change `verdict` of {claim}, too"


def test_every_claim_has_a_check_and_every_check_a_claim():
    ids = EXPECTED.keys()
    assert ids == set(checked()), f"without a check: {ids - set(checked())}; a claim: {set(checked()) - ids}"


# Rounding


@pytest.mark.slow
def test_what_is_printed_is_rounded_once(monkeypatch):
    """Each value that is rounded for print is recomputed unrounded: rounding that gives what is printed.

    A difference of two rounded values would be off: 0.30 - 0.28 for 0.29536 - 0.28328, which is 0.01.
    """
    printed = {
        (one.id, part.name): part.computed for one in evaluate(read_entries("papers")) for part in one.parts
    }
    modules = [module for name, module in sys.modules.items() if name.startswith("wavebook.claims.")]
    places = {}

    def unrounded(value, digits=2):
        places[float(value)] = digits
        return float(value)

    for module in modules:
        if hasattr(module, "digits"):
            monkeypatch.setattr(module, "digits", unrounded)
    checked_values = 0
    for one in evaluate(read_entries("papers")):
        for part in one.parts:
            if part.computed in places and not isinstance(part.computed, str):
                checked_values += 1
                assert printed[one.id, part.name] == round(part.computed, places[part.computed]), (
                    f"{one.id}, {part.name}: {printed[one.id, part.name]} of {part.computed}"
                )
            elif isinstance(part.computed, float) and part.computed != printed[one.id, part.name]:
                pytest.fail(f"{one.id}, {part.name}: hangs on a rounded value")
    assert checked_values


# A verdict that no input can change would be typed, not computed.


def reaching_the_end(d_model: int) -> np.ndarray:
    return np.geomspace(2 * np.pi, 2 * np.pi * 10_000, d_model // 2)


CLIFF = cliff.load()


def losing(lost: int, recorded: Any) -> Any:
    """Results in which every model is right in 100 of 100 answers, and from position 32 on in fewer."""

    def counts(run: Any) -> np.ndarray:
        asked = np.full(run.counts.shape[1:], 100)
        right = asked.copy()
        right[:, 32:] -= lost
        return np.stack([right, asked]).astype(np.int16)

    return replace(
        recorded, runs={name: replace(run, counts=counts(run)) for name, run in recorded.runs.items()}
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("claim", "name", "replacement", "verdict"),
    [
        (
            "H1-07",
            "two_dimensions.positional_encoding",
            lambda *of: 2 * positional_encoding(*of),
            "fails",
        ),  # about
        ("H1-15", "two_dimensions.shift_matrix", lambda *of: shift_matrix(*of).T, "fails"),  # same
        (
            "H2-05",
            "many_dimensions.wavelengths",
            partial(wavelengths, base=252.7),
            "partly",
        ),  # rounds: right at one width of four
        ("H2-06", "many_dimensions.wavelengths", reaching_the_end, "holds"),  # rounds
        (
            "H2-08",
            "many_dimensions.positional_encoding",
            lambda *of: 1.001 * positional_encoding(*of),
            "fails",
        ),  # exactly
        ("H2-13", "many_dimensions.wavelengths", partial(wavelengths, base=30), "holds"),  # between
        (
            "H3-11",
            "uniqueness.encoding_distance",
            lambda offsets, d_model: np.interp(offsets, [10, 30], [6.5, 10]),
            "holds",
        ),  # between, about
        ("H3-17", "uniqueness.encoding_distance", lambda offsets, d_model: np.sqrt(offsets), "holds"),  # says
        ("H4-13", "wavelengths.wavelengths", partial(wavelengths, base=1000), "fails"),  # about
        ("J1-07", "notes.positional_encoding", partial(positional_encoding, base=9999), "fails"),  # same
        ("J3-06", "notes.positional_encoding", lambda *of: 1.001 * positional_encoding(*of), "fails"),  # says
        ("H1-12", "two_dimensions.load", lambda: losing(0, load()), "holds"),  # same, says
        ("H1-12", "two_dimensions.alibi_slopes", lambda heads: np.ones(heads), "fails"),
        ("J1-05", "notes.cliff.load", lambda: losing(0, CLIFF), "holds"),  # says
        ("H1-10", "two_dimensions.cliff.load", lambda: losing(0, CLIFF), "partly"),
        ("J2-04", "notes.cliff.load", lambda: losing(0, CLIFF), "partly"),
        ("W-03", "well_known.wavelengths", reaching_the_end, "holds"),  # exactly
        ("W-04", "well_known.wavelengths", partial(wavelengths, base=2**24), "holds"),  # about
    ],
)
def test_another_input_makes_another_verdict(claim, name, replacement, verdict, monkeypatch):
    assert verdict != EXPECTED[claim]
    monkeypatch.setattr(f"wavebook.claims.{name}", replacement)
    (entry,) = (entry for name in FILES for entry in read_entries(name) if entry["id"] == claim)
    assert evaluate([entry])[0].verdict == verdict


# The rules


@pytest.mark.parametrize(
    ("rule", "said", "holding", "failing"),
    [
        (rounds, ["11.3"], [11.25, 11.3, 11.34999], [11.2499, 11.36, -11.3, 0]),
        (
            rounds,
            ["1.0180"],
            [1.01804, 1.01796],
            [1.0181, 1.0179],
        ),  # a zero at the end is a digit that was said
        (rounds, ["524288"], [524288, 524287.5, 524288.5], [524287, 524289]),
        (rounds, ["-0.98"], [-0.9849, -0.9751], [-0.99, 0.98]),
        (about, ["100"], [95, 105], [94.99, 105.01, -100]),
        (about, ["-100"], [-95, -105], [-94.99, 100]),
        (
            about,
            ["1"],
            [0.5, 1.5],
            [0.49, 1.51],
        ),  # rounding to what was said is enough, if that is more than five per cent
        (about, ["0.02"], [0.01501, 0.0249], [0.0251, 0]),
        (between, [6, 7], [6, 6.5, 7], [5.999999, 7.000001]),
        (
            exactly,
            [16],
            [16, 16 + 1.5e-11, 16 - 1.5e-11],
            [16 + 2e-11, -16],
        ),  # rounding grows with the figure
        (exactly, [0], [1e-12, -1e-12], [1.1e-12]),
        (same, [], [0, 1e-12, -1e-12], [1.1e-12, -1.1e-12, 2]),
    ],
)
def test_where_a_rule_ends(rule, said, holding, failing):
    for value in [*holding, *failing]:
        part = rule("figure", *said, np.float64(value))
        assert part.holds is (value in holding), f"{rule.__name__}: {value}"
        assert type(part.computed) is float
        assert (part.name, part.rule) == ("figure", rule.__name__)
        assert part.claimed == (None if rule is same else (float(said[0]), float(said[-1])))


@pytest.mark.parametrize("holds", [True, False])
def test_what_is_said_in_words_holds_as_its_condition_does(holds):
    for part in (says("words", np.int64(3), np.bool_(holds)), says("words", "0", holds)):
        assert part.holds is holds
        assert part.claimed is None


ENTRY = {"id": "X-01", "about": "distance", "claim": "words", "shown": "{doc}`x`", "why": "Because."}
REPORT, SILENCE = reported("a model", "a table"), unpublished("another model")


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        ([REPORT], "reported"),
        ([SILENCE], "not published"),
        ([REPORT, SILENCE], "reported"),
        ([says("words", 1, True), REPORT, SILENCE], "holds"),
        ([says("words", 1, False), REPORT], "fails"),
        ([says("words", 1, False), says("more words", 1, True), SILENCE], "partly"),
    ],
)
def test_what_nobody_can_compute_neither_holds_nor_fails(parts, verdict):
    assert REPORT.holds is None
    assert SILENCE.holds is None
    found = Finding("X-01", "words", tuple(parts), "Because.", "{doc}`x`")
    assert found.verdict == verdict
    row = present.table([ENTRY], [found], caption="", name="x").splitlines()[-2]
    assert f"[{verdict}]{{.verdict-{verdict.replace(' ', '-')}}}" in row
    assert f".facet-verdict-{verdict.replace(' ', '-')}" in row
    assert present.to_csv([ENTRY], [found]).splitlines()[1].split(",")[5] == verdict


def test_an_aside_is_for_the_sentence_and_decides_nothing():
    beside = aside("distance of 0 and 710", np.float64(6e-5))
    assert beside.holds is None
    for holds, verdict in ((True, "holds"), (False, "fails")):
        found = Finding("X-01", "words", (says("words", 1, holds), beside), "Because.", "{doc}`x`")
        assert found.verdict == verdict
        assert beside.name not in present.table([ENTRY], [found], caption="", name="x")
        assert beside.name in present.to_csv([ENTRY], [found])


def test_a_sentence_takes_its_values_from_the_parts():
    parts = [aside("height", 1234.5), says("sum", "0", True), aside("fall", -0.25)]
    assert fill("%{height:,.0f}, %{sum}, %{fall:.2f}: 5 %{", parts) == "1,234, 0, −0.25: 5 %{"
    with pytest.raises(ValueError, match=r"must name parts of its check, got %{depth:.1f} in"):
        fill("It is %{depth:.1f}.", parts)


@COMPUTED_ONCE
def test_no_sentence_has_a_place_left_over():
    for one in find_all():
        assert "%{" not in one.why


def linked_claims() -> list[tuple[str, str]]:
    """The pages' links to rows of the table: the page, and the claim."""
    return [
        (name, claim) for name in documents() for claim in re.findall(r"\bclaim-(\w+-\d+)", text_of(name))
    ]


def test_every_claim_that_a_page_answers_is_in_the_table():
    assert linked_claims()
    known = {claim.lower() for claim in EXPECTED}
    assert not [(name, claim) for name, claim in linked_claims() if claim not in known]


def test_the_names_of_claims_are_their_page_s_own():
    """Elsewhere a link to one says in words what it leads to; without them it would show the name."""
    pages = {name: text_of(name) for name in documents()}
    bare = re.compile(r"\{ref\}`claim-|\[\]\(#claim-|\b[HJK]\d?-\d\d\b")
    assert bare.search(pages["book/is-it-so"])
    assert [name for name, text in pages.items() if bare.search(text)] == ["book/is-it-so"]


def test_no_verdict_rests_on_a_typed_outcome():
    """What is given to `says`, which is told whether a part holds, is computed: never a literal."""
    for module in Path(finding.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("says", "Part"):
                given = [*call.args, *(word.value for word in call.keywords)]
                typed = [
                    one for one in given if isinstance(one, ast.Constant) and isinstance(one.value, bool)
                ]
                assert not typed, f"{module.name}, line {call.lineno}"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    ("rule", "said"),
    [(rounds, ["1"]), (about, ["1"]), (between, [0, 1]), (exactly, [1]), (same, []), (says, [])],
)
def test_a_figure_must_be_finite(rule, said, value):
    with pytest.raises(ValueError, match=r"^my figure must be computed as a finite number, got"):
        rule("my figure", *said, value, *([True] if rule is says else []))


# Checks


@pytest.fixture
def register(monkeypatch):
    """An empty register of checks, in place of the book's until the test ends."""
    monkeypatch.setattr(finding, "_CHECKS", {})


def planted(claim: str, *names: str) -> None:
    """Register a check that returns parts of these names."""

    @check(claim)
    def _planted():
        return [rounds(name, "1", 1) for name in names]


@pytest.mark.parametrize(
    ("ids", "complaint"),
    [
        (["X-01", "X-02", "X-01"], "got twice: X-01$"),
        (["X-01", "X-09", "X-08"], "got none for: X-09, X-08$"),
        (["X-03"], r"the check of X-03 must return parts of different names, got \['a', 'b', 'a'\]$"),
        (["X-04"], r"the check of X-04 must return parts of different names, got \[\]$"),
    ],
)
def test_what_is_wrong_with_claims_is_named(register, ids, complaint):
    for claim, *names in (["X-01", "a"], ["X-02", "a", "b"], ["X-03", "a", "b", "a"], ["X-04"]):
        planted(claim, *names)
    assert [one.id for one in evaluate(ENTRY | {"id": claim} for claim in ("X-02", "X-01"))] == [
        "X-02",
        "X-01",
    ]
    with pytest.raises(ValueError, match=complaint):
        evaluate(ENTRY | {"id": claim} for claim in ids)


def test_a_claim_has_one_check_and_says_why(register):
    planted("X-01", "a")
    with pytest.raises(ValueError, match="one check, got a second one for X-01"):
        planted("X-01", "b")
    assert checked() == ["X-01"]
    for unsaid in ({**ENTRY, "why": ""}, {key: ENTRY[key] for key in ("id", "claim", "shown")}):
        with pytest.raises(ValueError, match=r"why must be a sentence, got none for: X-01$"):
            evaluate([unsaid])


# How findings are shown


@COMPUTED_ONCE
@pytest.mark.parametrize("name", FILES)
def test_csv_says_what_was_found(name):
    text = present.to_csv(read_entries(name), find(name))
    assert text.splitlines()[0] == "id,about,from,at,read,verdict,computed,claim"
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["id"], row["claim"]) for row in rows] == [
        (entry["id"], entry["claim"]) for entry in read_entries(name)
    ]
    for row, one in zip(rows, find(name), strict=True):
        assert row["verdict"] == one.verdict
        pairs = [pair.split("=") for pair in row["computed"].split("; ")]
        assert [(part.name, 2) for part in one.parts] == [
            (re.sub("^[+-]", "", pair[0]), len(pair)) for pair in pairs
        ], row["id"]
        for (_, value), part in zip(pairs, one.parts, strict=True):
            if isinstance(part.computed, str):
                assert value == part.computed
                continue
            if abs(part.computed) <= 1e-12:  # how much rounding leaves hangs on the processor
                assert value == "0.0000000", row["id"]
                continue
            assert float(value) == pytest.approx(part.computed, rel=5e-6, abs=0), row["id"]
            digits = re.sub(r"e.*|\D", "", value)
            assert len(digits.lstrip("0") or digits) >= 5, f"{row['id']}: {value} has too few digits"


@pytest.mark.parametrize("name", ["a = b", "a; b"])
def test_csv_refuses_names_that_would_split_elsewhere(name):
    with pytest.raises(ValueError, match="X-01"):
        present.to_csv([ENTRY], [Finding("X-01", "", (rounds(name, "1", 1),), "", "")])


@COMPUTED_ONCE
@pytest.mark.parametrize("name", FILES)
def test_table_has_a_row_and_an_anchor_for_each_claim(name):
    rows = [
        line
        for line in present.table(read_entries(name), find(name), caption="Claims", name="tab-x").splitlines()
        if line.startswith("| [")
    ]
    anchors = [re.search(r"\{#([\w-]+) ", row)[1] for row in rows]
    assert anchors == [f"claim-{entry['id'].lower()}" for entry in read_entries(name)]
    for row in rows:
        assert len(re.split(r"(?<!\\)\|", row)) == 3 + 2, row  # before, three cells, after


@pytest.mark.parametrize(
    "entry",
    [entry for name in ("claims", "errors") for entry in read_entries(name)],
    ids=lambda entry: entry["id"],
)
def test_claims_are_typeset_without_markup_left_over(entry):
    text = present.typeset(entry["claim"])
    assert not re.search(r"(?<!\\)[*_^`$\[\]|]|\b(?:d_model|sqrt|lambda|theta|pi)\b", text), text
    assert re.sub(r"\D", "", text) == re.sub(r"\D", "", entry["claim"]), "no digit lost"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (16.0, "16"),
        (-1.0, "−1"),
        (9_999_999.0, "9999999"),
        (0.30000000000000004, "0.3"),
        (-0.41614683, "−0.416147"),
        (60611.47716626106, "60611.5"),
        (0.0001036632928, "0.000103663"),
        (2.9006993893e-06, "2.90070\u00a0×\u00a010⁻⁶"),
        (1234567.8, "1.23457\u00a0×\u00a010⁶"),
        (56234131.519, "5.62341\u00a0×\u00a010⁷"),
    ],
)
def test_numbers_are_written_for_reading(value, text):
    assert present.number(value) == text


@pytest.mark.build
@pytest.mark.parametrize(
    ("claim", "names"), [("h2-12", ["BERT", "GPT"]), ("j1-06", ["GPT-3", "LLaMA", "Qwen"])]
)
def test_a_claim_on_models_leads_to_where_they_are_named(site, claim, names):
    tree = document_fromstring((site.root / "book/is-it-so.html").read_bytes())
    (row,) = tree.xpath(f"//*[@id='claim-{claim}']/ancestor-or-self::tr")
    pages = {re.split("[#?]", href)[0] for href in row.xpath(".//a/@href")} - {"references.html", ""}
    articles = [
        document_fromstring((site.root / "book" / page).read_bytes()).xpath("//article")[0] for page in pages
    ]
    text = "".join(article.text_content() for article in articles)
    assert all(name in text for name in names)
