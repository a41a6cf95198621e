"""A course of few questions: read by programs that are not ours, and the same each time."""

from __future__ import annotations

import html
import io
import re
import zipfile
from dataclasses import replace

import pytest
from lxml import etree
from lxml.html import document_fromstring, fragment_fromstring
from moodle_xml_parser import parser as moodle_parser
from qti_package_maker.common.package_integrity import check_package

from bookext.course import cartridge, handouts, moodle, qti
from bookext.course.questions import Option, Question, group, quick_check, xhtml
from bookext.sphinx import quiz

PUBLISHED = {"claim": "W-01", "verdict": "fails", "source": "someone", "at": ""}
ASKED = [
    Question(
        "first",
        "inventory",
        "choice",
        r"<p>Is \(a &lt; b\) &amp; <em>so</em>?</p>",
        (Option("no", False, published=PUBLISHED), Option(r"yes, \(b\)", True)),
        why="<p>It is.</p>",
        ordered=True,
    ),
    Question(
        "a",
        "recall",
        "number",
        "<p>How many?</p>",
        answer="2",
        why="<p>So.</p>",
        value=2,
        within=0.01,
        chapter="order",
    ),
    Question(
        "b",
        "recall",
        "words",
        "<p>Who?</p>",
        answer="Anna",
        why="<p>So.</p>",
        words=("Anna", "Ann"),
        chapter="order",
    ),
    Question("c", "recall", "open", "<p>Why?</p>", answer="Because", why="<p>So.</p>", chapter="order"),
]
QUIZZES = group(ASKED, {"order": "Order / words"})
LINKS = {"Part I": [("Order & more", "https://example.org/order.html?a=1&b=2")]}
FILES = {"sheet.html": ("Sheet", b"<p>One.</p>")}


def the_cartridge() -> bytes:
    return cartridge.package("Waves", "About waves", LINKS, FILES, QUIZZES)


def changed(package: bytes, name: str, old: bytes, new: bytes) -> bytes:
    """The package with another text in one of its files."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as read, zipfile.ZipFile(out, "w") as write:
        for entry in read.namelist():
            content = read.read(entry)
            assert entry != name or old in content
            write.writestr(entry, content.replace(old, new) if entry == name else content)
    return out.getvalue()


def faults(package: bytes, folder) -> list[str]:
    file = folder / "package.zip"
    file.write_bytes(package)
    found: list[str] = check_package(str(file))
    return found


@pytest.mark.parametrize(
    ("make", "name", "old", "new"),
    [
        (lambda: qti.package(QUIZZES), "items/inventory-first.xml", b"<value>B</value>", b"<value>C</value>"),
        (
            lambda: qti.package(QUIZZES),
            "imsmanifest.xml",
            b'href="items/recall-a.xml"',
            b'href="items/none.xml"',
        ),
        (the_cartridge, "quizzes/inventory.xml", b'<response_label ident="B"', b'<response_label ident="X"'),
        (the_cartridge, "imsmanifest.xml", b'href="sheet.html"', b'href="none.html"'),
    ],
)
def test_packages_are_whole_and_a_broken_one_is_not(tmp_path, make, name, old, new):
    assert not faults(make(), tmp_path)
    assert faults(changed(make(), name, old, new), tmp_path)


def test_each_resource_of_a_cartridge_is_in_its_contents():
    with zipfile.ZipFile(io.BytesIO(the_cartridge())) as package:
        root = etree.fromstring(package.read("imsmanifest.xml"))
        link = etree.fromstring(package.read("links/2.xml"))
    assert root.findtext(".//{*}schemaversion") == "1.1.0"
    shown = [item.get("identifierref") for item in root.iterfind(".//{*}item") if item.get("identifierref")]
    assert shown == [resource.get("identifier") for resource in root.iterfind(".//{*}resource")]
    assert [item.findtext("{*}title") for item in root.iterfind(".//{*}organization/{*}item/{*}item")] == [
        "Course",
        "Part I",
        "Quizzes",
    ]
    assert link.find("{*}url").get("href") == LINKS["Part I"][0][1]


def test_a_cartridge_asks_as_its_profile_demands():
    """At least three answers to choose from, and an essay says that no program scores it."""
    about = [
        dict(zip(made.itertext("{*}fieldlabel"), made.itertext("{*}fieldentry"), strict=True))
        for made in map(cartridge.item, (*ASKED, replace(ASKED[1], value=2.5)))
    ]
    assert [one.get("qmd_computerscored") for one in about] == [None, None, None, "No", "No"]
    for one in (ASKED[0], replace(ASKED[0], options=(*ASKED[0].options, Option("who knows", False)))):
        made = cartridge.item(one)
        labels = [label.get("ident") for label in made.iter("{*}response_label")]
        assert labels == ["A", "B", "C"]
        assert [test.text for test in made.iter("{*}varequal")] == labels


def test_formulas_of_qti_are_of_the_mathml_that_it_knows():
    """Version 2, in which a length has a unit, and a row has no style of its own."""
    made = qti.item(replace(ASKED[2], stem=r"<p>\(\mathrm{PE}\) and \(\boxed{x}\)</p>"))
    math = "{http://www.w3.org/1998/Math/MathML}"
    assert [one.get("lspace") for one in made.iter(f"{math}mpadded")] == ["0em"]
    assert [one.get("displaystyle") for one in made.iter(f"{math}mstyle")] == ["true"]
    assert not [one for one in made.iter(f"{math}mrow") if "displaystyle" in one.attrib]


def test_a_line_over_a_letter_is_drawn_without_a_style_sheet():
    """Browsers draw no `menclose`: without the line a conjugate is the number itself."""
    stem = r"<p>\(x \overline{y + \overline z}\) and \(\underline x\)</p>"
    sheet = handouts.document("A", stem).decode()
    made = etree.tostring(qti.item(replace(ASKED[2], stem=stem)), encoding="unicode")
    for text in (sheet, made):
        assert "menclose" not in text
        assert (text.count("<mover>"), text.count("<munder>")) == (2, 1)


def test_a_title_keeps_its_words_apart():
    one = replace(ASKED[2], stem=r"<p>Is \(\cos a \sin b\) at \(\cos \omega_i \Delta \ge 0\)?</p>")
    assert one.title == "Is cos a sin b at cos ω_i Δ ≥ 0?"


def accepted_by_moodle(one: Question, typed: str) -> bool:
    """Whether its short answers take it, whose only sign is a star."""
    for answer in moodle.question(one).iterfind("answer"):
        pattern = re.escape(answer.findtext("text").lower()).replace(r"\*", ".*")
        if re.fullmatch(pattern, typed.lower()):
            return answer.get("fraction") == "100"
    return False


def accepted_by_qti(one: Question, typed: str) -> bool:
    root = qti.item(one)
    keys = [entry.get("mapKey").lower() for entry in root.iter("{*}mapEntry")]
    patterns = [match.get("pattern") for match in root.iter("{*}patternMatch")]
    return typed.lower() in keys or any(re.fullmatch(pattern, typed) for pattern in patterns)


@pytest.mark.parametrize("accepted", [accepted_by_moodle, accepted_by_qti])
def test_a_word_is_taken_as_the_page_takes_it(accepted, tmp_path):
    one = replace(ASKED[2], words=("no", "it can't", "no, *", "*quer*key*"))
    for typed in ("No", "no.", "It can’t.", "it can't", "No, it is even.", "The query and key vectors."):
        assert accepted(one, typed), typed
    for typed in ("nothing", "yes", "keys", "*no*"):
        assert not accepted(one, typed), typed
    assert not faults(qti.package(group([one], {"order": "Order"})), tmp_path)


def test_a_cartridge_scores_a_number_that_must_be_exact():
    def computed(**changes: float) -> bool:
        made = cartridge.item(replace(ASKED[1], **changes))
        return [one.text for one in made.iter("{*}varequal")] == ["256", "256."]

    assert computed(value=256, within=0)
    assert computed(value=256, within=0.001)
    assert not computed(value=256, within=0.01)
    assert not computed(value=2.56, within=0)


def test_a_player_of_qti_needs_no_program_for_formulas():
    made = qti.item(ASKED[0])
    assert "\\(" not in "".join(made.itertext())
    assert [len(list(one)) for one in made.iter("{http://www.w3.org/1998/Math/MathML}math")] == [1, 1]


def test_moodle_reads_what_was_asked():
    bank = moodle.bank(QUIZZES, "Waves")
    [choice] = moodle_parser.parse_bytes(bank)["multichoice"]
    assert choice.text_pre_parse == html.unescape(ASKED[0].stem)  # this reader's habit
    assert [(option.answer, option.score_fraction) for option in choice.options] == [
        ("no", 0.0),
        (r"yes, \(b\)", 100.0),
    ]
    root = etree.fromstring(bank)
    assert root.findtext("question[@type='multichoice']/questiontext/text") == ASKED[0].stem
    kinds = [question.get("type") for question in root.iterfind("question")]
    assert kinds == ["category", "multichoice", "category", "numerical", "shortanswer", "essay"]
    assert root.findtext(".//question[@type='numerical']/answer/tolerance") == "0.02"
    assert [one.text for one in root.iterfind(".//question[@type='shortanswer']/answer/text")] == [
        "Anna",
        "Anna.",
        "Ann",
        "Ann.",
        "*",
    ]
    # A slash in a name would begin a category within it.
    assert root.findall(".//category/text")[1].text.endswith("Recall: Order // words")


def said_by_moodle(one: Question) -> list[str]:
    """What is said after each answer."""
    return [text.text for text in moodle.question(one).iterfind("answer/feedback/text")]


def said_by_qti(one: Question) -> list[str]:
    return ["".join(told.itertext()) for told in qti.item(one).iterfind("{*}modalFeedback")]


def said_by_the_cartridge(one: Question) -> list[str]:
    return [text.text for text in cartridge.item(one).iterfind("{*}itemfeedback//{*}mattext")]


@pytest.mark.parametrize("said", [said_by_moodle, said_by_qti, said_by_the_cartridge])
def test_what_is_said_after_an_answer_begins_with_the_verdict(said):
    """As on the page: of each answer that a program judges."""
    for one, verdicts in (
        (ASKED[0], {False, True}),
        (
            replace(ASKED[0], options=(Option("a", True), Option("b", False), Option("c", False))),
            {False, True},
        ),
        (ASKED[2], {False, True}),
    ):
        told = [re.sub(r"<[^>]+>", "", text) for text in said(one)]
        assert {quiz.VERDICTS[right] for right in verdicts} == {
            verdict for text in told for verdict in quiz.VERDICTS.values() if text.startswith(verdict)
        }
        assert all(text.startswith(tuple(quiz.VERDICTS.values())) for text in told)
    # Essays have none, and in a cartridge a number is one.
    assert not any(text.startswith(tuple(quiz.VERDICTS.values())) for text in said(ASKED[3]))


@pytest.mark.parametrize("answer", ["No.", r"\(b\)", "Why not?"])
def test_an_answer_ends_in_one_mark(answer):
    for kind in ("number", "words", "open"):
        one = replace(ASKED[1], kind=kind, answer=answer, words=("no",))
        made = [moodle.question(one), qti.item(one), cartridge.item(one)]
        texts = ["".join(root.itertext()).replace("&lt;", "<") for root in made]
        assert not [text for text in texts if ".." in text or "?." in text], kind
        assert all(re.search(r"[.?]\s*(</p>)?\s*(<p>)?\s*So\.", text) for text in texts), kind


@pytest.mark.parametrize("ordered", [False, True])
def test_answers_are_shuffled_unless_they_have_an_order(ordered):
    one = replace(ASKED[0], ordered=ordered)
    shuffled = [
        moodle.question(one).findtext("shuffleanswers"),
        qti.item(one).find(".//{*}choiceInteraction").get("shuffle"),
        cartridge.item(one).find(".//{*}render_choice").get("shuffle"),
    ]
    assert shuffled == (["false", "false", "No"] if ordered else ["true", "true", "Yes"])


def test_an_essay_is_left_to_a_person_and_counts_a_point():
    """QTI 2.1: no rule sets its score, which has a maximum and no value before somebody gives one.

    Importers take an item without rules for one that a person scores; the answer is there for that person.
    """
    for one in ASKED:
        root, is_open = qti.item(one), one.kind == "open"
        score = root.find("{*}outcomeDeclaration[@identifier='SCORE']")
        assert score.get("normalMaximum") == "1"
        assert (score.findtext(".//{*}value") is None) == is_open
        assert root.findtext("{*}outcomeDeclaration[@identifier='MAXSCORE']//{*}value") == "1"
        assert (root.find("{*}responseProcessing") is None) == is_open
        assert [one.get("view") for one in root.iter("{*}rubricBlock")] == ["scorer"] * is_open
    with zipfile.ZipFile(io.BytesIO(qti.package(QUIZZES))) as package:
        test = etree.fromstring(package.read("recall-order.xml"))
    assert test.findtext("{*}outcomeDeclaration[@identifier='MAXSCORE']//{*}value") == "3"
    summed = [one.get("variableIdentifier") for one in test.iterfind(".//{*}sum/{*}testVariables")]
    assert summed == ["SCORE", "MAXSCORE"]


def test_a_course_is_the_same_each_time():
    for make in (the_cartridge, lambda: qti.package(QUIZZES), lambda: moodle.bank(QUIZZES, "Waves")):
        assert make() == make()


def test_students_do_not_see_the_key():
    known = {"someone": ("Some page", "https://example.org/page")}
    copy = handouts.inventory(ASKED[:1] * 2, "Waves").decode()
    key = handouts.inventory_key(
        ASKED[:1] * 2, "Waves", known, {"claim-w-01": "is-it-so.html#claim-w-01"}
    ).decode()
    for told in (
        "https://example.org/page",
        "is-it-so.html#claim-w-01",
        "It is.",
        "B is right",
        "guesses has 1 of 2 right",
    ):
        assert told in key
        assert told not in copy
    nowhere = document_fromstring(handouts.inventory_key(ASKED[:1], "Waves", known, {}))
    assert nowhere.xpath("//a/@href") == ["https://example.org/page"]


def test_a_syllabus_links_what_has_an_address():
    weeks = [{"title": "Hands", "read": ["order"], "hand_in": ["ex-a"]}]
    plan = {"lecture": {"minutes": 90, "short": {"minutes": 30, "items": [1, 2, 4]}}, "weeks": weeks}
    deck = '<ol><li><p><a href="order.html#explorer-bag">A bag</a>.</p></li><li><p>A break.</p></li></ol>'

    def made(at: str) -> list[str]:
        told = {"pages": {"order": ("1 Order", at)}, "exercises": {"ex-a": ("Twins", at)}}
        told |= {"checks": {}, "recall": {}, "files": {}, "slides": ["slides/order.pdf"], "figures": at}
        page = document_fromstring(handouts.syllabus("W", fragment_fromstring(deck), plan, told))
        for said in ("1 Order", "1 Twins", "90 minutes; in 30: 1, 2 and 4."):
            assert said in page.text_content()
        assert [item.xpath("count(.//code)") for item in page.xpath("//ol/li")] == [1, 0]
        assert ("SITE=" in page.text_content()) == (not at), "what to do without an address"
        alone = document_fromstring(handouts.syllabus("W", None, plan, told)).text_content()
        assert "1 Twins" in alone
        assert not re.search("bag|folder|90 minutes", alone), "what is for teachers"
        return page.xpath("//a/@href")

    assert (
        made("https://example.org/")
        == ["https://example.org/order.html#explorer-bag"] + ["https://example.org/"] * 2
    )
    assert made("") == []


def test_a_sheet_counts_its_exercises_and_says_where_they_are():
    twins = handouts.Exercise("Twins", "easy", "Exercise 1.2", "<p>So?</p>", "<p>So.</p>", "a.html#b")
    for solved in (False, True):
        page = document_fromstring(handouts.sheet([twins, replace(twins, level="")], "W", solved=solved))
        heads = [head.text_content() for head in page.iter("h2")]
        assert heads == ["1 Twins (easy, Exercise 1.2)", "2 Twins (Exercise 1.2)"]
        assert ("So." in page.text_content()) == solved


def test_a_place_of_the_book_is_called_one():
    """Also where its link is gone; the works that are cited are not in the book."""
    told = {
        'href="#eq">(3.1)': "(3.1) in the book",
        'href="a.html"><span class="doc">Chapter 6</span>': "Chapter 6 in the book",
        'href="#x"><span class="std std-ref">“So?”</span>': "“So?” in the book",
        'href="references.html#id1">Vaswani, 2017': "Vaswani, 2017",
        'href="a.html#t"><span class="std std-term">PoPE</span>': "PoPE",
    }
    for rest, said in told.items():
        link = f'<a class="reference internal" {rest}</a>'
        assert xhtml(fragment_fromstring(f"<p>See {link}, too.</p>")) == f"See {said}, too."


def test_a_quick_check_of_a_page_is_a_question():
    page = fragment_fromstring(
        '<fieldset data-quiz=""><legend>Is <math data-tex="a_1"><mi>a</mi></math> so?</legend><p>More.</p>'
        '<div data-quiz-option="" data-right=""><label><span data-quiz-choice="">yes</span></label>'
        '<div role="status"><div data-quiz-feedback=""><p><strong>Right.</strong> So.</p></div></div></div>'
        '<div data-quiz-option=""><label><span data-quiz-choice="">no</span></label>'
        '<div data-quiz-feedback=""><p>Not quite.</p></div></div></fieldset>'
    )
    one = quick_check(page, "order", 2)
    assert (one.name, one.stem) == ("checks-order-2", r"<p>Is \(a_1\) so?</p><p>More.</p>")
    assert [(option.text, option.right) for option in one.options] == [("yes", True), ("no", False)]
    assert one.options[0].why == "<p><strong>Right.</strong> So.</p>"
    assert not one.ordered
    page.set("data-quiz-ordered", "")
    assert quick_check(page, "order", 2).ordered
