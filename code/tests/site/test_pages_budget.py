"""What a reader has to get through: words, height, code boxes, questions.

The budgets are the outline's: Part I tells the story, Part II goes into depth, everything else is looked up.
What a page has is printed, so that `pytest -s -k budget` shows all pages beside one another.
"""

from __future__ import annotations

from harness import VISIBLE_WORDS, numbered_parts

HEIGHT = 15_000  # pixels at a width of 1280, folds closed
#: Looked up rather than read: they may be as long as what they list, and keep to all else.
LISTS = {"book/api", "book/is-it-so", "book/questions", "book/references", "genindex", "search"}

FIRST, *REST = numbered_parts()
SECOND = [name for part in REST for name in part]

COUNTED = """() => {
    const article = document.querySelector('article') ?? document.querySelector('main'); // that of the search
    const all = (what) => [...article.querySelectorAll(what)].filter((element) =>
        element.checkVisibility({visibilityProperty: true}) && element.getClientRects().length);
    return {
        height: article.scrollHeight,
        snippets: all('.cell_input').filter((cell) => !cell.closest('.exercise, .solution')).length,
        steps: all('.derivation-step').length,
        theorems: all('.proof.theorem').length,
        explorers: all('[data-explorer]').length,
        quizzes: all('[data-quiz]').length,
        exercises: all('.exercise').length,
        cut: all('math[display=block]').filter((formula) =>
            [formula, formula.parentElement].some((box) => box.scrollWidth > box.clientWidth + 2)).length,
        summary: all('#summary > ul > li').length,
    };
}"""


def test_a_page_is_within_its_budget(light, page_name):
    page = light.evaluate(COUNTED) | {"words": light.evaluate(VISIBLE_WORDS)}
    print(f"\n{page_name}: {page}")
    assert page["height"] <= HEIGHT or page_name in LISTS
    assert not page["steps"], "proofs are folded"
    assert not page["cut"], "no formula is cut"
    if page_name in FIRST:
        # The least keeps a chapter a chapter, and is no aim: an evening is short of time, not of words.
        assert 800 < page["words"] <= 2000
        assert 1 <= page["snippets"] <= 6
        assert page["quizzes"] >= 2
        assert 1 <= page["explorers"] <= 5
        assert 1 <= page["summary"] <= 6
    if page_name in SECOND:
        assert 500 < page["words"] <= 2500
        assert page["snippets"] <= 6
        assert page["quizzes"] >= 1


# The numbers of equations that are upon their formulas.
UPON = """() => [...document.querySelectorAll('div.math > .eqno')].filter((number) => {
    const a = number.getBoundingClientRect();
    return [...number.nextElementSibling.querySelectorAll('mi, mn, mo')].some((letter) => {
        const b = letter.getBoundingClientRect();
        return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    });
}).map((number) => number.textContent)"""


def test_a_number_is_not_upon_its_formula(light):
    assert light.evaluate(UPON) == []


def test_a_number_is_not_upon_its_formula_on_a_phone(phone):
    assert phone.evaluate(UPON) == []


def test_the_first_part_is_an_evening(new_page, site):
    """Its words together, of the pages as they come, which is quicker: without scripts no formula is set."""
    page = new_page(java_script_enabled=False)
    words = {}
    for name in FIRST:
        page.goto(site.url(name))  # with its style sheets, which hide what is not counted
        words[name] = page.evaluate(VISIBLE_WORDS)
    print(words)
    assert 7000 < sum(words.values()) <= 13_000
