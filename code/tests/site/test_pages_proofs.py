"""Folded proofs: all there without a script and on paper; links open them; they can be read line by line."""

from __future__ import annotations

import json
import re

import pytest
from harness import REPOSITORY, chapters, visit
from lxml.html import document_fromstring
from test_pages import STICKING_OUT

CHAPTER = "book/two-dimensions"
RECORD = REPOSITORY / "code/kernel/checked.json"
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))["theorems"]
#: What a line's mark is called in the summary.
NAMES = {"derived": "derived by SymPy", "stated, checked": "stated and checked", "in words": "in words"}
FOLDS = "main :is(details.derivation, details.proof-fold)"


@pytest.mark.over(chapters())
def test_proofs_are_folded_and_say_how_they_came_to_be(light):
    """The title of a fold is one word, unless another is before it; each line says how it came to be."""
    assert not light.locator("main .derivation:not(details), main .is-proof:not(details *)").count()
    assert not light.locator("main .remark-fold[open]").count(), "whose proofs are open in it"
    for proof in light.locator("main details.derivation").all():
        assert proof.evaluate("proof => proof.open === Boolean(proof.closest('.remark-fold'))")
        title = proof.locator(".derivation-title").text_content()
        assert proof.locator("summary").text_content() in {"Proof", title}
        said = proof.locator(".derivation-origin").text_content()
        marks = proof.locator(".derivation-mark").evaluate_all("marks => marks.map((m) => m.textContent)")
        kinds = [mark.strip("[]").removeprefix("the theorem: ") for mark in marks]
        parts = [f"{kinds.count(kind)} {name}" for kind, name in NAMES.items() if kind in kinds]
        lines = f"{len(kinds)} line{'s' * (len(kinds) != 1)}"
        assert said == f"{lines} ({', '.join(parts)})"
        assert len(kinds) == proof.locator(".derivation-steps > li").count()


@pytest.mark.over(chapters())
def test_two_proofs_beside_one_another_have_different_titles(light):
    """Each fold's title, and that of the next if nothing is between the two."""
    pairs = light.locator(FOLDS).evaluate_all("""(folds) => folds.map((fold) => {
        const next = (fold.closest('.cell') ?? fold).nextElementSibling;
        const beside = next?.matches('.cell') ? next.querySelector('.derivation > summary')
            : next?.matches('.proof-fold') ? next.querySelector('summary') : null;
        return [fold.querySelector('summary').textContent, beside?.textContent];
    })""")
    assert all(title != beside for title, beside in pairs)


@pytest.mark.over(chapters())
def test_the_folds_of_a_theorem_are_one_line(light):
    """Its proofs, and last the link to what a kernel has checked; a remark's fold has one open."""
    rows = light.locator("main .proofs:not(.remark-fold *)")
    for row in rows.all():
        lines = row.evaluate("""row => [...row.querySelectorAll(':scope > *')].map((fold) => {
            const { top, bottom } = (fold.querySelector('summary, a') ?? fold).getBoundingClientRect();
            return (top + bottom) / 2;
        })""")
        assert len(lines) > 1
        assert lines[1] == pytest.approx(lines[0], abs=3), "beside one another"
    assert not light.locator(":is(.proof-fold, .cell:has(details.derivation)) + p.formal").evaluate_all(
        "lines => lines.filter((line) => !line.closest('.proofs')).length"
    )


@pytest.mark.over(chapters())
def test_open_proofs_fit(light, phone):
    """What is too wide scrolls in a box of its own."""
    for page, width in ((light, 1280), (phone, 360)):
        page.evaluate(f"document.querySelectorAll('{FOLDS}').forEach((fold) => {{ fold.open = true; }})")
        page.evaluate("() => new Promise((done) => setTimeout(done, 200))")  # until what is too wide scrolls
        assert not page.evaluate(STICKING_OUT, width)
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width


def test_a_proof_opens_and_can_be_read_line_by_line(browser_page, site):
    page = visit(browser_page, site.url(CHAPTER))
    proof = page.locator("details.derivation").first
    lines = proof.locator(".derivation-steps > li")
    total = lines.count()
    assert total > 2
    assert not lines.first.is_visible()
    proof.locator("summary").press("Enter")
    tools = proof.get_by_role("group", name="Read the proof line by line")
    tools.wait_for()
    shown = "lines => lines.map((line) => line.checkVisibility({visibilityProperty: true}))"
    assert all(lines.evaluate_all(shown))
    height = proof.bounding_box()["height"]
    button = tools.get_by_role("button", name="Line by line")
    button.press("Enter")
    assert lines.evaluate_all(shown) == [True] + [False] * (total - 1)
    for number in range(2, total + 1):
        page.keyboard.press("ArrowRight")
        assert tools.get_by_role("status").inner_text() == f"Line {number} of {total}"
        assert lines.evaluate_all(shown) == [True] * number + [False] * (total - number)
    assert "is-before" in lines.nth(total - 2).get_attribute("class")
    assert "is-now" in lines.nth(total - 1).get_attribute("class")
    page.keyboard.press("ArrowRight")
    assert tools.get_by_role("button", name="Next line").is_disabled()
    page.keyboard.press("ArrowLeft")
    assert lines.evaluate_all(shown)[-1] is False
    tools.get_by_role("button", name="Line before").click()
    assert tools.get_by_role("status").inner_text() == f"Line {total - 2} of {total}"
    tools.get_by_role("button", name="All lines").click()
    assert all(lines.evaluate_all(shown))
    assert proof.bounding_box()["height"] == pytest.approx(height, abs=1)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_what_a_kernel_has_checked_is_all_there(new_page, site, script):
    """Each theorem on record, folded: statements beside words, and all steps; on paper without the steps."""
    page = new_page(java_script_enabled=script)
    page.goto(site.url("book/kernel"))
    for label, theorem in RECORDED.items():
        fold = page.locator(f"details.formal-theorem#formal-{label}")
        assert not fold.locator("td").first.is_visible()
        fold.locator("> summary").click()
        for part, table in zip(theorem["parts"], fold.locator(".formal-reads").all(), strict=True):
            said = " ".join(table.locator("tr > :last-child").all_inner_texts())
            assert "".join(said.split()) == "".join(part["statement"].rstrip(".").split())
            assert table.locator("tr").count() == len(part["reads"]) + 1
        for part, proof in zip(theorem["parts"], fold.locator("details.formal-proof").all(), strict=True):
            proof.locator("summary").click()
            steps = proof.locator(".formal-steps > li")
            assert steps.locator(".formal-rule").all_inner_texts() == [step["rule"] for step in part["steps"]]
            assert steps.locator("pre").all_inner_texts() == [step["state"] for step in part["steps"]]
            assert steps.last.is_visible()
    if script:
        tools = page.get_by_role("group", name="Read the proof line by line").first
        tools.get_by_role("button", name="Line by line").click()
        tools.get_by_role("button", name="Next line").click()
        assert tools.get_by_role("status").inner_text().startswith("Line 2 of ")
    page.emulate_media(media="print")
    assert page.locator(".formal-reads td").last.is_visible()
    assert not page.locator(".formal-steps").first.is_visible()


@pytest.mark.over(["book/kernel"])
def test_a_kernels_statements_fit_a_phone(phone):
    page = phone
    page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })")
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")  # until what is too wide scrolls
    assert not page.evaluate(STICKING_OUT, 360)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 360


def test_each_theorem_on_record_leads_to_what_was_checked(site):
    pages = [site.file(f"/{name}.html").read_text(encoding="utf-8") for name in chapters()]
    kernel = site.file("/book/kernel.html").read_text(encoding="utf-8")
    assert kernel.count('class="formal-theorem"') == len(RECORDED)
    for label, theorem in RECORDED.items():
        (text,) = [text for text in pages if f'id="{label}"' in text]
        after = text[text.index(f'id="{label}"') :]
        link = after.index(f'href="kernel.html#formal-{label}"')
        assert link < (after + 'id="thm-').index('id="thm-', 10)
        fold = kernel[kernel.index(f'id="formal-{label}"') :]
        in_part = theorem["differs"].startswith("Only a part")
        assert in_part == (label in {"thm-largest", "thm-only"})
        for said in (after[link : after.index("</p>", link)], fold[: fold.index("</summary>")]):
            assert (", in part" in said) == in_part


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_map_of_theorems_is_a_list_that_can_be_walked(new_page, site, script):
    """Each item with its statement and what it stands on; with a script, lines, and arrow keys along them."""
    page = new_page(java_script_enabled=script)
    page.goto(site.url("book/kernel"))
    names = {item["name"]: item for item in json.loads(RECORD.read_text(encoding="utf-8"))["map"]}
    items = page.locator(".theorem-map .map-item")
    listed = items.evaluate_all("items => items.map((item) => item.id)") if script else None
    if listed:
        assert len(listed) == len(set(listed)) > len(names) + 24
    item = page.locator("#map-whole_positions_differ")
    item.locator("> summary").click()
    assert names["Clock.whole_positions_differ"]["statement"] in item.locator("pre").first.text_content()
    links = item.locator(".map-uses a").all_text_contents()
    uses = names["Clock.whole_positions_differ"]["uses"]
    assert [used.partition(".")[2] for used in uses if used in names] == [
        link for link in links if any(link == used.partition(".")[2] for used in uses if used in names)
    ]
    assert not page.locator(".theorem-map [href='']").count()
    if not script:
        return
    item.locator("> summary").focus()
    assert page.locator(".map-lines .is-below").get_attribute("d").count("M") == len(uses)
    page.keyboard.press("ArrowDown")
    reached = page.evaluate("document.activeElement.parentElement.id")
    assert f"#{reached}" == item.locator(".map-uses a").first.get_attribute("href")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.parentElement.id") == listed[listed.index(reached) + 1]


def test_what_was_refused_is_shown_with_what_was_changed(site):
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    page = document_fromstring(site.file("/book/kernel.html").read_text(encoding="utf-8"))
    shown = page.xpath("//details[contains(@class, 'formal-refused')]//div[@class='formal-no']")
    pairs = [
        (no.xpath("string(.//del)"), no.xpath("string(.//ins)"), no.xpath("string(pre)").strip())
        for no in shown
    ]
    assert sorted(pairs) == sorted((one["old"], one["new"], one["said"].strip()) for one in record["refused"])


def test_a_link_into_a_proof_opens_it(browser_page, site):
    page = visit(browser_page, site.url(CHAPTER))
    page.evaluate("document.querySelectorAll('.derivation-steps')[1].children[0].id = 'in-a-proof'")
    proof = page.locator("details.derivation").nth(1)
    page.evaluate("location.hash = '#in-a-proof'")
    page.wait_for_function("document.querySelectorAll('details.derivation')[1].open")
    assert proof.locator("#in-a-proof").is_visible()
    assert not page.locator("details.derivation").first.evaluate("proof => proof.open")


def test_without_javascript_a_proof_opens(new_page, site):
    page = new_page(java_script_enabled=False)
    page.goto(site.url(CHAPTER))
    proof = page.locator("details.derivation").first
    assert not proof.locator(".derivation-steps").is_visible()
    proof.locator("summary").click()
    assert proof.locator(".derivation-steps > li").last.is_visible()


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_on_paper_proofs_are_open(new_page, site, script):
    page = new_page(java_script_enabled=script)
    page.goto(site.url("book/order"))
    page.emulate_media(media="print")
    if script:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
    for fold in page.locator(FOLDS).all():
        inside = fold.locator(":is(.derivation-steps > li, .is-proof > *)").last
        assert inside.bounding_box()["height"] > 5
        assert inside.is_visible()
    assert page.locator(FOLDS).count() > 2


def test_on_paper_solutions_are_open_even_where_no_script_opens_them(new_page, site):
    """The theme's listens to a reader's printing; a program that prints may tell it nothing, or too late."""
    page = new_page()
    visit(page, site.url("book/relatives"))
    folded = page.locator(".solution.toggle-hidden > :not(.admonition-title)")
    assert folded.count() > 2
    assert not folded.first.is_visible()
    page.emulate_media(media="print")
    for inside in folded.all():
        assert inside.is_visible()
        assert inside.bounding_box()["height"] > 10
        assert inside.evaluate("element => getComputedStyle(element).opacity") == "1"


def test_the_reason_stands_outside(site):
    """Between a theorem and its folded proof there is a sentence at least."""
    for name in chapters():
        text = site.file(f"/{name}.html").read_text(encoding="utf-8")
        for found in re.finditer(r'<div class="proof theorem', text):
            fold = re.compile(r'<details class="(derivation|proof-fold)').search(text, found.end())
            other = text.find('<div class="proof theorem', found.end())
            if fold and (other < 0 or fold.start() < other):
                between = text[text.index("</section>", found.end()) : fold.start()]
                assert "<p>" in between, f"{name}: {text[found.start() : found.start() + 300]}"


@pytest.mark.over(chapters())
def test_a_formula_in_a_folds_title_is_set(light):
    """As it is in the text: no reader sees its source."""
    for title in light.locator("main summary").all_text_contents():
        assert "\\(" not in title
