"""The page "Recall": its prompts against the package, what it judges and remembers, and its deck for Anki."""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
import sqlite3
import zipfile

import ml_dtypes
import numpy as np
import pytest
import sympy
from docutils.core import publish_doctree
from docutils.parsers.rst import directives
from harness import REPOSITORY, documents, visit
from lxml.html import document_fromstring
from myst_parser.docutils_ import Parser
from playwright.sync_api import expect

import posenc
from bookext.sphinx import recall as directive
from bookext.sphinx import say_why
from posenc.context import interpolation, ntk_aware, yarn_scale
from wavebook import recall
from wavebook.experiments import load

PROMPTS = {prompt["id"]: prompt for prompt in recall.prompts()}
PAGE = "book/recall"


def far_moves(d_model: int) -> int:
    """At how many of a thousand positions the step from 10 to 13, as a vector, is the step by three."""
    encodings = posenc.positional_encoding(np.arange(1003), d_model)
    steps = encodings[3:] - encodings[:-3]
    return int(np.isclose(steps, steps[10]).all(axis=1).sum())


def first_break() -> int:
    """Where most of the recorded heads that look three back are first wrong more than one time in twenty."""
    falls = load().run("back", "RoPE").accuracy[:, 3:] < 0.95
    found = np.bincount(3 + falls.argmax(axis=1))
    return int(found.argmax())


#: What the package says to each prompt that asks for a number.
NUMBERS = {
    "turns-of-44": lambda: 44 / posenc.wavelengths(2)[0],
    "norm": lambda: np.linalg.norm(posenc.positional_encoding(1234, 512)),
    "angles-of-a-shift": lambda: len(set(3 * posenc.frequencies(512))),
    "add-is-right-once": lambda: far_moves(512),
    "longest-wavelength": lambda: posenc.wavelengths(2**14)[-1],
    "pairs-an-octave": lambda: (256 - 1) / math.log2(np.divide(*posenc.wavelengths(512)[[-1, 0]])),
    "four-terms": lambda: len(sympy.sympify("expand((x + u) * (y + v))").args),
    "factor-root-d": lambda: math.sqrt(512) / np.linalg.norm(posenc.positional_encoding(9, 512)),
    "typical-distance": lambda: np.mean(posenc.encoding_distance(np.arange(10**6, 10**6 + 2000), 512)),
    "turns-of-710": lambda: 710 / posenc.wavelengths(2)[0],
    "folding": lambda: float(sympy.solve("2*pi - w - w")[0]),
    "partial-rotation": lambda: 128 * 0.25 / 2,
    "token-47": first_break,
    "two-axes": lambda: 768 // 2,
    "bfloat16": lambda: next(n for n in range(1, 1000) if float(ml_dtypes.bfloat16(n)) != n),
}

#: And to each that asks for a formula, at values of its letters.
FORMULAS = {
    "addition-formula": lambda a, b: (math.sin(a + b) - math.cos(a) * math.sin(b)) / math.sin(a),
    "chord": lambda k: posenc.encoding_distance(k, 2),
    "frequency": lambda b, i, d: posenc.frequencies(int(d), b)[int(i)],
    "wavelength": lambda w: 2 * math.pi / w,
    "dot-product": lambda u, v, k: sum(
        math.sin(w * 7) * math.sin(w * (7 + k)) + math.cos(w * 7) * math.cos(w * (7 + k)) for w in (u, v)
    ),
    "ratio": lambda b, d: np.divide(*posenc.wavelengths(int(d), b)[[1, 0]]),
    "alibi": lambda m, k: math.log(math.exp(-m * k)),
    "interpolation": lambda w, f: w * interpolation(8, int(f))[1] / posenc.frequencies(8)[1],
    "ntk-base": lambda b, f, d: ntk_aware(int(d), f, b)[1] ** (-d / 2),
    "yarn-factor": yarn_scale,
    "div-term": lambda b, d: math.log(posenc.frequencies(int(d), b)[1]) / 2,
}


def of_kind(kind: str) -> list[str]:
    """The prompts that are answered so."""
    return [name for name, prompt in PROMPTS.items() if kind in prompt]


def test_there_are_enough_prompts_of_each_kind():
    assert len(PROMPTS) >= 40
    typed = [name for kind in directive.KINDS for name in of_kind(kind)]
    assert len(typed) >= len(PROMPTS) / 2
    parts = {prompt["chapter"] for prompt in PROMPTS.values()}
    assert len(parts) >= 15, "both parts"
    assert {f"book/{chapter}" for chapter in parts} <= set(documents())
    assert set(of_kind("number")) == set(NUMBERS)
    assert set(of_kind("formula")) == set(FORMULAS)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_is_what_the_package_computes(name):
    prompt = PROMPTS[name]
    assert NUMBERS[name]() == pytest.approx(prompt["number"], rel=max(prompt["within"], 1e-9))


@pytest.mark.parametrize("name", FORMULAS)
def test_a_formula_is_what_the_package_computes(name):
    letters = PROMPTS[name]["letters"]
    text = PROMPTS[name]["formula"].replace("^", "**").replace("ln", "log")
    symbols = {letter: sympy.Symbol(letter) for letter in letters}
    written = sympy.lambdify(list(symbols.values()), sympy.parse_expr(text, symbols))
    for values in zip(*letters.values(), strict=True):
        assert written(*values) == pytest.approx(FORMULAS[name](*values), rel=1e-9)


def test_a_faulty_prompt_is_refused(tmp_path):
    whole = PROMPTS["norm"]
    for change, fault in [
        ({"within": None}, "within"),
        ({"words": ["a"]}, "more than one of"),
        ({"number": None, "within": None, "words": ["a*", "a"]}, "has no star"),
        ({"hint": "?"}, "hint is none of"),
        ({"why": ""}, "no why"),
    ]:
        prompt = {key: value for key, value in (whole | change).items() if value is not None}
        (tmp_path / "a.yml").write_text(json.dumps([prompt]))
        with pytest.raises(ValueError, match=fault):
            directive.read(tmp_path / "a.yml")
    (tmp_path / "a.yml").write_text(json.dumps([whole, whole]))
    with pytest.raises(ValueError, match="more than one prompt is called norm"):
        directive.read(tmp_path / "a.yml")


def test_a_place_to_say_why_needs_a_question_and_a_reason():
    directives.register_directive("say-why", say_why.SayWhy)

    def read(body: str, complaints: io.StringIO):
        settings = {"myst_enable_extensions": ["colon_fence"], "warning_stream": complaints, "halt_level": 5}
        return publish_doctree(f":::{{say-why}}\n{body}\n:::", parser=Parser(), settings_overrides=settings)

    complaints = io.StringIO()
    (made,) = read("Why?\n\nSo.", complaints).findall(say_why.say_why)
    assert [child.astext() for child in made.children] == ["Why?", "So."]
    assert not complaints.getvalue()
    assert not list(read("Why?", complaints).findall(say_why.say_why))
    assert "a paragraph that asks, and a reason" in complaints.getvalue()


# ---- for other programs ----


def test_the_table_has_each_prompt():
    rows = list(csv.DictReader(io.StringIO(recall.to_csv())))
    assert [row["id"] for row in rows] == list(PROMPTS)
    assert [row["question"] for row in rows] == [prompt["ask"] for prompt in PROMPTS.values()]


def notes_of(package: bytes, folder) -> list[tuple[str, list[str]]]:
    """What a package for Anki has: each note's name and fields."""
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        (folder / "collection").write_bytes(archive.read("collection.anki2"))
    with sqlite3.connect(folder / "collection") as collection:
        found = collection.execute("select guid, flds from notes order by id").fetchall()
        (cards,) = collection.execute("select count(*) from cards").fetchone()
    assert cards == len(found)
    return [(guid, fields.split("\x1f")) for guid, fields in found]


def test_the_deck_is_that_of_the_prompts(tmp_path):
    """After a change of a prompt: `python -m wavebook.recall book/_static/recall.apkg`."""
    recall.write_anki(tmp_path / "new.apkg")
    kept = notes_of((REPOSITORY / "book/_static/recall.apkg").read_bytes(), tmp_path)
    assert kept == notes_of((tmp_path / "new.apkg").read_bytes(), tmp_path)
    assert len({guid for guid, _ in kept}) == len(PROMPTS)
    for (_, fields), prompt in zip(kept, PROMPTS.values(), strict=True):
        assert fields[3] == prompt["chapter"]
        assert fields[0].count(r"\(") == prompt["ask"].count("$") / 2


# ---- on the page ----


@pytest.fixture
def session(new_page, site):
    """The page of prompts at a moment that the test sets."""
    page = new_page()
    page.clock.install(time="2026-03-01T12:00:00")
    page.goto(site.url("llms.txt"))  # where its storage is, and nothing reads it yet
    return page


def remember(page, site, prompts: dict[str, dict[str, int]]) -> None:
    """Open the page as a reader finds it who has answered these prompts."""
    page.evaluate("text => localStorage.setItem('recall', text)", json.dumps({"prompts": prompts}))
    page.goto(site.url(PAGE))


def only(page, site, *names: str) -> None:
    """Begin a session with some prompts: all others are known, and due much later."""
    remember(page, site, {other: {"known": 1, "due": 10**6} for other in PROMPTS if other not in names})
    page.get_by_role("button", name="Begin").click()


def remembered(page) -> dict[str, dict[str, int]]:
    return json.loads(page.evaluate("localStorage.getItem('recall')") or "{}").get("prompts", {})


STATE = "[data-recall-session]"


#: What is typed, by its prompt: what is right or wrong, and what cannot be read, after which one goes on.
TYPED = {
    "longest-wavelength": {
        "right": ["62,800", "2 pi 10^4", "2π·10000", "6.28e4"],
        "wrong": ["10000"],
        "asking": ["two pi", " "],
    },
    "turns-of-44": {"right": ["7.003", "7,003"], "wrong": ["7.1"]},
    "ratio": {
        "right": ["b^(2/d)", "exp(2ln(b)/d)"],
        "wrong": ["b^2/d"],
        "asking": ["cos b", "b^(2/x)", "b^(2/d"],
    },
    "chord": {"right": ["2sin(k/2)", "sqrt(2 - 2cos(k))"]},
    "dot-product": {"right": ["cos(uk)+cos(v k)"], "wrong": ["cos(uk)−cos(vk)"]},
    "ntk-base": {"right": ["b f^(d/(d-2))"]},
    "the-rise": {"right": ["Like a Logarithm.", "as log(k)"], "wrong": ["linearly"]},
    "rope-turns": {"right": ["The query and key vectors."], "wrong": ["values"]},
    "before-or-after": {"right": ["No, it can’t", "no."], "wrong": ["nothing"]},
}


def sessions() -> list[dict[str, list[tuple[str, str]]]]:
    """The same as (typed, state), by sessions that ask a prompt once; what can't be read is in the first."""
    found: list[dict[str, list[tuple[str, str]]]] = []
    for name, kinds in TYPED.items():
        unread = [(text, "asking") for text in kinds.get("asking", [])]
        judged = [(text, state) for state in ("right", "wrong") for text in kinds.get(state, [])]
        for n, one in enumerate(judged):
            if n == len(found):
                found.append({})
            found[n][name] = [*unread * (n == 0), one]
    return found


#: The name of the prompt whose question is on the card.
NOW = """() => [...document.querySelectorAll('[data-recall]')].find((one) =>
    one.querySelector('[data-recall-question]').textContent.trim()
        === document.querySelector('.recall-card .recall-question').textContent.trim()).dataset.recall"""


@pytest.mark.parametrize("wanted", sessions(), ids=lambda wanted: f"{len(wanted)} prompts")
def test_what_is_typed_is_judged(session, site, wanted):
    only(session, site, *wanted)
    left = dict(wanted)
    while left:
        name = session.evaluate(NOW)
        for typed, state in left.pop(name):
            told = f"{typed!r} to {name}"
            session.get_by_role("textbox").fill(typed)
            session.keyboard.press("Enter")
            assert session.locator(STATE).get_attribute("data-state") == state, told
            if state == "asking":
                assert session.locator(".recall-told").inner_text(), f"{told}: says what cannot be read"
                assert name not in remembered(session), told
        assert session.locator(".recall-told a").count(), f"{name}: where it is shown"
        session.keyboard.press("Enter")  # Next has the focus
        assert remembered(session)[name]["known"] == (state == "right"), told
    assert not session.locator(".recall-card").count(), "each is asked once"


def test_a_week_of_questions(session, site):
    """Known: after one day, three and seven; not known: tomorrow, and from the beginning."""
    day = session.evaluate("Math.floor((Date.now() - new Date().getTimezoneOffset() * 60000) / 864e5)")
    asked_on = []
    for after in range(12):
        session.clock.set_fixed_time(f"2026-03-{1 + after:02}T12:00:00")
        kept = {name: {"known": 1, "due": 10**6} for name in PROMPTS if name != "norm"}
        if one := remembered(session).get("norm"):
            kept["norm"] = one
        remember(session, site, kept)
        if not session.get_by_role("button", name="Begin").count():
            assert session.get_by_role("button", name="Practice all the same").count()
            continue
        asked_on.append(after)
        session.get_by_role("button", name="Begin").click()
        session.get_by_role("textbox").fill("15" if after == 4 else "16")
        session.keyboard.press("Enter")
        session.keyboard.press("Enter")
    assert asked_on == [0, 1, 4, 5, 6, 9]  # right, right, wrong; the day after, and from one day again
    assert remembered(session)["norm"] == {"known": 3, "due": day + 9 + 7}


def test_the_first_visit_is_a_mixed_session(session, site):
    """Ten prompts, neighbors of different chapters, by keyboard; what was not known comes back tomorrow."""
    session.goto(site.url(PAGE))
    session.get_by_role("button", name="Begin").focus()
    session.keyboard.press("Enter")
    order = []
    while session.locator(".recall-card").count():
        assert session.locator(".recall-count").inner_text() == f"{len(order) + 1} of 10"
        text = session.locator(".recall-card .recall-question").inner_text()
        if session.get_by_role("textbox").count():
            session.get_by_role("button", name="Show the answer").focus()
        session.keyboard.press("Enter")
        last = session.get_by_role("button", name="Not yet")
        if last.count():
            last.focus()
        session.keyboard.press("Enter")
        order.append(text)
    kept = remembered(session)
    assert len(set(order)) == len(kept) == 10
    chapters = [PROMPTS[name]["chapter"] for name in kept]  # in the order in which they were answered
    assert all(one != other for one, other in itertools.pairwise(chapters))
    assert len({one["due"] for one in kept.values()}) == 1
    assert {one["known"] for one in kept.values()} == {0}


def test_dates_are_exported_imported_and_erased(session, site, tmp_path):
    only(session, site, "norm")
    session.reload()
    with session.expect_download() as download:
        session.get_by_role("button", name="Export dates").click()
    saved = tmp_path / "recall.json"
    download.value.save_as(saved)
    before = remembered(session)
    session.get_by_role("button", name="Erase dates").click()
    assert remembered(session) == before, "asks once more"
    session.get_by_role("button", name="Erase all of them?").click()
    assert remembered(session) == {}
    (tmp_path / "other.json").write_text("[1]")
    session.locator("input[type=file]").set_input_files(tmp_path / "other.json")
    session.get_by_text("nothing was changed").wait_for()
    assert remembered(session) == {}
    session.locator("input[type=file]").set_input_files(saved)
    session.get_by_text("dates were imported").wait_for()
    assert remembered(session) == before


def test_a_link_asks_what_belongs_to_some_chapters(new_page, site):
    page = new_page()
    page.goto(f"{site.url(PAGE)}?of=order,uniqueness")
    wanted = [name for name, one in PROMPTS.items() if one["chapter"] in ("order", "uniqueness")]
    assert not page.locator("[data-recall]:visible").count(), "the list waits until it is asked for"
    page.locator(".recall-list > summary").click()
    shown = page.locator("[data-recall]:visible").evaluate_all("all => all.map((one) => one.dataset.recall)")
    assert shown == wanted
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("ol.recall-key > li:visible").count() == len(wanted)
    assert not page.locator("[data-recall-answer]:visible").count()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator(".recall-key").count()


def test_prompts_need_no_script_and_no_server(new_page, site):
    page = new_page(java_script_enabled=False)
    page.goto(site.file_url(PAGE))
    assert page.locator("[data-recall]").count() == len(PROMPTS)
    answer = page.locator("[data-recall-answer]").first
    answer.locator("summary").click()
    assert answer.locator("p").is_visible()


SAY_WHY = ["order", "two-dimensions", "many-dimensions", "uniqueness", "wavelengths", "relatives"]
SENTENCE = "Since each pair adds one."
KEPT = f"Object.values(localStorage).some((kept) => kept.includes({SENTENCE!r}))"


def test_a_chapter_asks_once_for_a_sentence_and_not_in_a_fold(site):
    places = {
        name.removeprefix("book/"): document_fromstring(site.file(f"/{name}.html").read_bytes()).xpath(
            "//*[@data-say-why]"
        )
        for name in documents()
    }
    assert [name for name, found in places.items() if found] == SAY_WHY
    for name in SAY_WHY:
        (place,) = places[name]
        assert not place.xpath("ancestor::details"), name  # nor in a worked solution, which folds


def test_a_sentence_is_kept_only_if_its_writer_asks(new_page, site):
    page = visit(new_page(), site.url(f"book/{SAY_WHY[0]}"), shown=False)  # where nothing moves any more
    place = page.locator("[data-say-why]")
    box, ask = place.get_by_role("textbox", name="Say why"), place.get_by_role("checkbox")
    reason = place.locator("[data-say-why-reason]")
    assert not box.is_visible()
    place.locator("summary").first.click()
    box.fill(SENTENCE)
    assert not reason.locator("p").first.is_visible()
    reason.locator("summary").click()
    assert reason.locator("p").first.is_visible()
    assert not page.evaluate(KEPT)
    page.reload()
    place.locator("summary").first.click()
    assert box.input_value() == ""
    box.fill(SENTENCE)
    ask.check()
    page.reload()
    expect(box, "who has written something finds it").to_be_visible()
    assert box.input_value() == SENTENCE
    assert ask.is_checked()
    ask.uncheck()
    page.reload()
    place.locator("summary").first.click()
    assert box.input_value() == ""
    assert not page.evaluate(KEPT)
