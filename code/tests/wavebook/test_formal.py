"""What must hold of the theorems for the proof kernel: without it, and, where there is one, with it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
from book_source import directives, text_of
from harness import REPOSITORY, documents

from kernel import check as formal

SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in formal.SOURCES.glob("*.v")}
RECORDED = json.loads(formal.RECORDED.read_text(encoding="utf-8"))
THEOREMS = pytest.mark.parametrize("theorem", formal.theorems(), ids=lambda theorem: theorem["label"])


def one_line(text: str) -> str:
    return " ".join(text.split())


def without_comments(text: str) -> str:
    """A file of the kernel's without comments, which have none inside them."""
    return re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)


#: The book's theorems by label: what each says.
BOOK = {
    one.option("label"): one_line(one.body)
    for name in documents()
    for one in directives(text_of(name), "prf:theorem")
}


def test_nothing_is_taken_for_granted():
    assert set(formal.order()) == set(SOURCES)
    assert all(
        "Qed." in item["proof"] for item in formal.items() if item["kind"] not in {"definition", "fixpoint"}
    )
    words = r"Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|bypass_check|Unset Guard Checking"
    for name, text in SOURCES.items():
        assert not re.search(rf"\b(?:{words})\b", without_comments(text)), name


def test_each_theorem_is_one_of_the_book():
    labels = [theorem["label"] for theorem in formal.theorems()]
    assert len(labels) == len(set(labels)) >= 22
    assert set(labels) <= set(BOOK)
    assert set(labels) <= {name for text in SOURCES.values() for name in re.findall(r"\bthm-[\w-]+", text)}
    for name, text in SOURCES.items():
        assert not re.search(r"Theorem \d", text), f"{name}: a number changes, and a label stays"


# --- the kernel's statements and the page's ------------------------------------------------------

#: What the left sides need not have: how formulas are set, and a name that the page gives to a matrix.
SETTING = re.compile(
    r"\\(?:begin|end)\{\w+\}|\\\\(?:\[\w+\])?|\\q?quad|M_k =|and the matrix \$M_k\$ does not depend on \$p\$"
)
FORMULA = re.compile(r"[\\=<>+*^]|\d|\$\w")
FUNCTIONS = {
    "sin": r"\\sin",
    "cos": r"\\cos",
    "sqrt": r"\\sqrt",
    "Rabs": r"\\lvert",
    "exp": r"e\^\{-",
    "PI": r"\\pi",
}
#: The page's bound is coarser, on purpose; and sizes that are said by a type.
COARSER = {"thm-largest": {"4", "8"}, "thm-leakage": {"2"}}
#: What the page says of the score elsewhere.
ASIDE = "(before the division by $\\sqrt d$)"


def unfolded(text: str) -> str:
    """A statement with all definitions that it uses."""
    definitions = {each["name"]: each["text"] for each in RECORDED["definitions"]}
    words, found = set(re.findall(r"\w+", text)), [text]
    while new := {word for word in words if word in definitions}:
        found += [definitions.pop(word) for word in new]
        words = {word for text in found for word in re.findall(r"\w+", text)}
    return "\n".join(found)


def differences(theorem: dict, page: str, stated: dict[str, str]) -> list[str]:
    """Where the page's theorem, the kernel's statements and the table between the two do not agree."""
    found, left = [], page
    for name, reads in theorem["reads"].items():
        if one_line(" ".join(kernel for _, kernel in reads)) != one_line(stated[name]):
            found.append(f"{name} states something else")
        for book, _ in reads:
            if one_line(book) not in page:
                found.append(f"the page does not say: {book}")
            elif book:
                left = left.replace(one_line(book), "\N{BULLET}")
    for words in theorem.get("left", []):
        if words not in left:
            found.append(f"the page does not say: {words}")
        left = left.replace(words, "")
    rest = SETTING.sub(" ", left).replace("$$", "")
    if FORMULA.search(rest):
        found.append(f"not in the table: {rest}")
    page = page[: page.index(theorem["left"][0])] if "left" in theorem else page
    # The same constants, of which d = 2h halves some, and the same functions.
    beside = [pair for reads in theorem["reads"].values() for pair in reads if pair[0]]
    numbers = [
        set(
            re.findall(r"(?<!frac)\d+|(?<=frac)\d", re.sub(r"frac1(?=\d)", "frac1 ", text.replace("{,}", "")))
        )
        - {"0", "1"}
        for text in (SETTING.sub(" ", page), unfolded(" ".join(kernel for _, kernel in beside)))
    ]
    lost = {n for n in numbers[0] - numbers[1] if str(int(n) // 2) not in numbers[1]}
    if lost - COARSER.get(theorem["label"], set()):
        found.append(f"the kernel has no {lost}")
    whole = unfolded(" ".join(stated.values()))
    for name, written in FUNCTIONS.items():
        if re.search(written, page.replace(ASIDE, "")) and not re.search(rf"\b{name}\b", whole):
            found.append(f"the kernel has no {name}")
    return found


def stated_by(theorem: dict) -> dict[str, str]:
    return {name: formal.proved(name).stated for name in theorem["reads"]}


@THEOREMS
def test_a_statement_reads_as_the_page_does(theorem):
    """The table's right sides are the kernel's statements; its left sides are all formulas of the page's."""
    assert not differences(theorem, BOOK[theorem["label"]], stated_by(theorem))


@THEOREMS
def test_a_page_that_says_something_else_is_noticed(theorem):
    """Every number, relation and sign of the page's theorem, one at a time."""
    page = re.sub(r"and the matrix \$M_k\$ does not depend on \$p\$", "", BOOK[theorem["label"]])
    tried = 0
    for spot in re.finditer(
        r"\d+|\\neq?\b|\\ge\b|\\le\b|[<>=]|(?<= )[-+](?= )|\\sin\b|\\cos\b|\\sqrt\b", page
    ):
        if SETTING.search(page[max(0, spot.start() - 6) : spot.end() + 4]):
            continue
        other = page[: spot.start()] + ("7" if spot[0][0].isdigit() else r"\tan") + page[spot.end() :]
        assert differences(theorem, other, stated_by(theorem)), other
        tried += 1
    assert tried or not FORMULA.search(page.replace("$", ""))


@THEOREMS
def test_what_a_hypothesis_is_for_is_said_of_one(theorem):
    """Each reason is one of a hypothesis of the statements, as it stands there."""
    hypotheses = [
        one_line(text) for stated in stated_by(theorem).values() for text in stated.split("->")[:-1]
    ]
    needs = [one_line(text) for text in theorem.get("needs", {})]
    for text in needs:
        assert any(hypothesis.endswith(text) for hypothesis in hypotheses), text
    shown = RECORDED["theorems"][theorem["label"]]
    assert shown["needs"] == theorem.get("needs", {})
    assert shown["left"] == theorem.get("left", [])
    # One on a number is in words of the page beside it, or has a reason.
    asked = {True: set(), False: set()}
    for book, stated in (pair for reads in theorem["reads"].values() for pair in reads):
        asked[bool(book)] |= set(re.findall(r"(\([^():]*\)%(?:nat|Z)(?: <> \w)?) ->", stated))
    assert not asked[False] - asked[True] - set(needs)


def test_a_statement_that_says_something_else_is_noticed():
    theorems = {name: theorem for theorem in formal.theorems() for name in theorem["reads"]}
    for mutation in formal.mutations():
        name = mutation["theorem"]
        theorem = theorems[name]
        assert differences(
            theorem, BOOK[theorem["label"]], stated_by(theorem) | {name: formal.mutated(mutation)}
        )


# --- what the pages show -------------------------------------------------------------------------


def test_what_the_pages_show_is_what_the_files_say():
    """Statements, proofs and definitions; goals are the kernel's own, and compared where there is one."""
    assert list(RECORDED["theorems"]) == [theorem["label"] for theorem in formal.theorems()]
    assert RECORDED["axioms"] == formal.AXIOMS
    assert RECORDED["definitions"] == formal.definitions()
    for theorem in formal.theorems():
        shown = RECORDED["theorems"][theorem["label"]]
        assert shown["differs"] == theorem["differs"]
        assert set(shown["axioms"]) <= set(formal.AXIOMS)
        by_machine = any(name.partition(".")[0] in formal.BY_MACHINE for name in theorem["reads"])
        assert bool(shown["machine"]) == by_machine
        assert all(map(formal.MACHINE.match, shown["machine"]))
        for name, part in zip(theorem["reads"], shown["parts"], strict=True):
            proved = formal.proved(name)
            said = [part[key] for key in ("file", "name", "statement")]
            assert said == [f"{proved.file}.v", proved.name, proved.statement]
            assert part["reads"] == theorem["reads"][name]
            assert [step["rule"] for step in part["steps"]] == list(proved.sentences)
            assert part["steps"][-1]["state"] == "Nothing is left to prove."
            assert all(
                "\N{RIGHT TACK}" in step["state"] or "proved" in step["state"] for step in part["steps"][:-1]
            )


def test_axioms_are_listed_for_each_theorem_of_the_files():
    """In the row of the book's theorem that it is, or, if it is none, where the map has it."""
    others = [name for name, item in MAP.items() if "axioms" in item]
    assert others == formal.unnumbered()
    assert all(set(MAP[name]["axioms"]) <= set(formal.AXIOMS) for name in others)


def test_all_definitions_that_a_statement_uses_are_shown():
    """A name that is neither bound nor the library's: nothing is left to guess."""
    known = {each["name"] for each in RECORDED["definitions"]}
    for each in [*RECORDED["definitions"]]:
        assert each["text"].startswith(f"Definition {each['name']}")
    defined = {
        name
        for text in SOURCES.values()
        for name in re.findall(r"^(?:Definition|Fixpoint) (\w+)", text, re.MULTILINE)
    }
    for name in formal.names():
        assert set(re.findall(r"\w+", unfolded(formal.proved(name).stated))) & defined <= known, name


# --- the map, and what is refused -----------------------------------------------------------------

MAP = {item["name"]: item for item in RECORDED["map"]}
#: Names of definitions that proofs give to other things as well: a tactic, hypotheses, a library's function.
HOMONYMS = {"Encoding.apply", "Irrational.B", "Encoding.K", "Clock.T", "Encoding.minus"}


def test_the_maps_edges_are_those_that_the_texts_words_make():
    """The compiler resolved the names that were recorded; here each word of a text is looked up."""
    recorded = [{key: MAP[name][key] for key in MAP[name] if key not in {"uses", "axioms"}} for name in MAP]
    assert formal.items() == recorded
    by_word = {name.partition(".")[2]: name for name in MAP}
    assert len(by_word) == len(MAP) > 200, "names are told apart without their files"
    edges = 0
    for item in MAP.values():
        file, _, short = item["name"].partition(".")
        text = without_comments(item["statement"].partition(short)[2] + item["proof"])
        words = {by_word[word] for word in re.findall(r"[\w']+", text) if word in by_word} - {item["name"]}
        uses = set(item["uses"]) & set(MAP)
        assert uses <= words, item["name"]
        assert words - HOMONYMS == uses - HOMONYMS, item["name"]
        before = formal.order()[: formal.order().index(file) + 1]
        assert {used.partition(".")[0] for used in uses} <= set(before), item["name"]
        edges += len(uses)
    assert edges > 600


def closure(name: str) -> set[str]:
    """All items on which one stands, itself included, by the recorded edges."""
    found, ahead = set(), [name]
    while ahead:
        here = ahead.pop()
        if here in MAP and here not in found:
            found.add(here)
            ahead += MAP[here]["uses"]
    return found


def test_each_item_serves_a_theorem():
    """A lemma on which no theorem stands would be of no use."""
    ends = {item["name"] for item in MAP.values() if item["kind"] in {"theorem", "corollary"}}
    assert {name for end in ends for name in closure(end)} == set(MAP)


def test_each_theorem_of_the_book_is_checked_or_has_a_reason():
    left = formal.left()
    checked = [theorem["label"] for theorem in formal.theorems()]
    assert sorted([*checked, *left]) == sorted(BOOK)
    assert RECORDED["left"] == left
    assert 0 < len(left) <= 3
    assert all(len(why.split()) > 10 for why in left.values())


def test_each_changed_statement_has_the_kernels_answer():
    """The same changes in the same order, each with an error; with a kernel they are made again."""
    refused = RECORDED["refused"]
    assert [{key: one[key] for key in one if key != "said"} for one in refused] == formal.mutations()
    assert len(refused) >= 40
    for one in refused:
        assert one["said"].strip()
        assert not formal.SPELLING.search(one["said"])
        assert len(one["said"]) < 3_000


# --- without a kernel, and with one --------------------------------------------------------------


def test_without_a_kernel_it_says_in_a_line_what_to_install(tmp_path):
    """As `make formal` calls it, with nothing on the path."""
    done = subprocess.run(
        [sys.executable, REPOSITORY / "code/kernel/check.py"],
        env={"PATH": str(tmp_path)}, cwd=tmp_path, text=True, capture_output=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert not done.stdout
    assert done.stderr.count("\n") == 1
    assert all(name in done.stderr for name in ("Debian", "macOS", "opam", "apt install coq"))
    assert not any(tmp_path.iterdir())


def test_without_interval_it_says_what_to_install(tmp_path):
    said = "Cannot find a physical path bound to logical path Tactic with prefix Interval."
    with pytest.raises(SystemExit, match=r"lacks Interval\. Debian, Ubuntu: apt install coq libcoq-interval"):
        formal.run("sh", "-c", f"echo '{said}' >&2; exit 1", folder=tmp_path)
    with pytest.raises(SystemExit, match=r"no such name$"):
        formal.run("sh", "-c", "printf 'no such name' >&2; exit 1", folder=tmp_path)


def test_there_are_mutations_of_every_kind_and_of_every_theorem():
    known = formal.mutations()
    assert {each["theorem"] for each in known} == set(formal.names())
    assert {each["kind"] for each in known} == {"sign", "constant", "hypothesis", "quantifier"}
    texts = [(each["theorem"], formal.mutated(each)) for each in known]
    assert len(set(texts)) == len(texts)
    for name, text in texts:
        assert text != formal.proved(name).stated


@pytest.fixture(scope="module")
def compiled():
    """The files, as `make formal` has compiled them, or compiled now."""
    if not shutil.which("coqc"):
        pytest.skip("needs a proof kernel")
    if not formal.compiled():
        formal.compile_all()


def test_changed_statements_are_refused_and_unchanged_ones_are_not(compiled):
    """The same proofs in the same way; and no statement is refused for how it is written."""
    changed = formal.mutations()
    as_they_are = [(name, formal.proved(name).stated) for name in formal.names()]
    said = formal.refusals([(each["theorem"], formal.mutated(each)) for each in changed] + as_they_are)
    assert all(said[: len(changed)]), [each for each, why in zip(changed, said, strict=False) if not why]
    assert not any(said[len(changed) :])


@pytest.mark.parametrize("stated", [" (b : R) : norm2 b = INR h", " (b : R : b = b"])
def test_what_is_no_statement_is_not_taken_for_refused(compiled, stated):
    with pytest.raises(ValueError, match="no error of the proof"):
        formal.refusals([("Clock.norm_of_an_encoding", stated)])


def test_a_fresh_recording_is_the_one_that_is_shown(compiled):
    """All of it, where the kernel is of the recorded version: others may print goals in another way."""
    found = formal.recording()
    if found["tool"] == RECORDED["tool"]:
        assert found == RECORDED


@pytest.mark.parametrize("name", ["Clock.whole_positions_differ", "Shift.the_shift_is_the_only_matrix"])
def test_what_a_proof_is_made_of_is_on_the_map(compiled, name):
    """The constants in the kernel's own terms, followed to the end: a second way to what it stands on."""
    file, _, _ = name.partition(".")
    question = f"DependenciesOf{file}"  # a file of its own, where another test asks at the same time
    (formal.BUILT / f"{question}.v").write_text(
        f"Require Kernel.{file}.\nPrint All Dependencies Kernel.{name}.\n"
    )
    said = formal.compile_file(question)
    mine = "|".join(formal.order())
    found = set(re.findall(rf"^(?:Kernel\.)?((?:{mine})\.\w+)", said, re.MULTILINE)) & set(MAP)
    assert found
    assert found <= closure(name)
    assert {used for used in MAP[name]["uses"] if used in MAP and MAP[used]["kind"] == "lemma"} <= found
