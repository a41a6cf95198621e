"""Times to read: what is counted, and what the first page says, against the pages as a reader sees them."""

from __future__ import annotations

import json
import re

import pytest
from book_source import directives, text_of
from docutils import nodes
from docutils.core import publish_doctree
from harness import REPOSITORY, VISIBLE_WORDS, Site, all_pages, documents, visit
from myst_parser.docutils_ import Parser
from sphinx.addnodes import glossary

from bookext.data_files import read_yaml
from bookext.sphinx.book_numbers import count_nodes, minutes, words
from bookext.sphinx.translated import foreign, translated

PACE = read_yaml(REPOSITORY / "_config.yml")["sphinx"]["config"]["bookext_pace"]

# Words in what a reader sees of paragraphs and lists: read off the page, not off what Sphinx made it from.
TEXT = """
# A title of five words

At most $d/2$ hands, isn't it?

- one-word
- 1,234 items

| a | table |
|:--|:--|
| not | read |

```python
code = "not read"
```

$$
not = read
$$

% not read
"""


def test_words_are_those_of_running_text():
    document = publish_doctree(
        TEXT,
        parser=Parser(),
        settings_overrides={"myst_enable_extensions": ["dollarmath"], "doctitle_xform": False},
    )
    assert words(document) == 5 + 6 + 3


@pytest.mark.parametrize("folded", ["dropdown", "toggle", "exercise", "solution"])
def test_what_is_folded_is_not_read(folded):
    text = nodes.paragraph("", "three more words")
    assert words(nodes.container("", text, classes=["x"])) == 3
    assert words(nodes.container("", text.deepcopy(), classes=[folded])) == 0
    assert words(nodes.container("", text.deepcopy(), design_component=folded)) == 0


def test_entries_of_a_glossary_are_counted_and_those_with_a_name_elsewhere():
    def entry(*parts: nodes.Node) -> nodes.Node:
        said = nodes.definition("", nodes.paragraph("", "", *parts))
        return nodes.definition_list_item("", nodes.term("", "a"), said)

    known = entry(translated("", foreign("", "位置", language="ja")))
    terms = nodes.definition_list("", known, entry(nodes.Text("It is.")), entry(nodes.Text("So.")))
    elsewhere = nodes.definition_list("", known.deepcopy())
    counted = count_nodes(nodes.section("", glossary("", terms), elsewhere))
    assert (counted["translated"], counted["terms"]) == (1, 3)


def test_a_time_is_the_sum_of_its_parts():
    pace = {"words": 100, "figures": 2, "exercises": 10}
    counted = {"words": 250, "figures": 3, "exercises": 7}
    assert minutes(counted, ["words", "figures"], pace) == 8.5
    assert minutes(counted, ["exercises"], pace) == 70
    assert minutes({}, ["words", "exercises"], pace) == 0


def said(site: Site, name: str = documents()[0]) -> list[float]:
    """The times on a page, by default the first, in minutes."""
    text = site.file(f"/{name}.html").read_text(encoding="utf-8")
    times = re.findall(r'class="minutes">(?:(\d+) hours? ?)?(?:(\d+) minutes?)?<', text)
    return [60 * int(hours or 0) + int(minutes or 0) for hours, minutes in times]


def test_the_tour_is_what_it_says(browser_page, site):
    """Fifteen minutes with seven figures that ask and one to read; no code to be seen, and no derivation."""
    page = visit(browser_page, site.url("book/tour"))
    words = page.evaluate(VISIBLE_WORDS)
    explorers, quizzes = page.locator("[data-explorer]").count(), page.locator("[data-quiz]").count()
    assert (explorers, quizzes) == (8, 1)
    assert not page.locator("article :is(pre, .derivation)").filter(visible=True).count()
    takes = words / PACE["words"] + explorers * PACE["explorers"] + quizzes * PACE["quizzes"]
    assert said(site)[0] == pytest.approx(takes, abs=1)
    assert 12 <= said(site)[0] <= 15
    assert "fifteen minutes" in page.title()


#: What there is to read: all words but those of drawings and of controls, with what the figures ask and say.
READ = r"""() => {
    const article = document.querySelector('article');
    const count = (text) => (text.match(/[\p{L}\p{N}]+(?:[-'’.,][\p{L}\p{N}]+)*/gu) ?? []).length;
    return [...article.querySelectorAll('svg, form.controls, .figure-menu')]
        .filter((part) => part.checkVisibility({visibilityProperty: true}))
        .filter((part) => !part.parentElement.closest('svg, form'))
        .reduce((rest, part) => rest - count(part.innerText ?? part.textContent), count(article.innerText));
}"""


def test_the_tour_is_within_its_words(browser_page, site):
    """As it opens, and when every question has been answered: what is told then is read as well."""
    page = visit(browser_page, site.url("book/tour"), shown=False)
    opens = page.evaluate(READ)
    for question in page.locator("[data-prediction]").all():
        question.get_by_role("button", name="Show me").press("Enter")
    for question in page.locator("[data-quiz]").all():
        question.locator(".quiz-option[data-right] label").click()
    page.wait_for_function("document.querySelectorAll('[data-state=answered]').length === 7")
    answered = page.evaluate(READ)
    print(f"\nthe tour: {opens} words, {answered} when all is answered")
    assert 1500 < opens <= 1900
    assert opens < answered <= 2300


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_break_comes_where_motion_is_welcome(new_page, site, motion):
    """By the address of the picture; at any other it is still, as it is on paper and without JavaScript."""
    page = visit(new_page(reduced_motion=motion), site.url("book/tour"), shown=False)
    picture = page.locator(".tag_comes img").filter(visible=True)
    page.wait_for_function("document.readyState === 'complete'")
    if motion == "no-preference":
        page.wait_for_function("document.querySelector('.tag_comes img').src.endsWith('#comes')")
    file, _, part = picture.get_attribute("src").partition("#")
    assert part == ("comes" if motion == "no-preference" else "")
    drawn = (site.root / "_images" / file.rpartition("/")[2]).read_text(encoding="utf-8")
    assert drawn.count('id="comes"') == 1
    rules = re.search(r"<style>(@keyframes comes.*?)</style>", drawn)[1].split("}}", 1)[1]
    selectors = re.findall(r"([^{}]+)\{animation", rules)
    assert selectors
    assert all(selector.startswith("#comes:target ") for selector in selectors)


def test_each_way_to_read_takes_longer_than_the_one_before(site):
    times = said(site)
    assert len(times) == 3, "three ways"
    assert times == sorted(set(times))


def test_exercises_take_as_long_as_their_levels(site):
    """To the hour; and what is allowed for each is in one place."""
    levels = [one.option("class") for name in documents() for one in directives(text_of(name), "exercise")]
    assert len(levels) > 70
    assert said(site, "book/checks")[-1] == pytest.approx(sum(PACE[level] for level in levels), abs=30)
    assert PACE["easy"] < PACE["medium"] < PACE["hard"]


def test_figures_that_move_are_counted(site):
    """As many as the pages hold, and the page on checks says so."""
    held = sum(
        site.file(f"/{name}.html")
        .read_text(encoding="utf-8")
        .count('type="application/vnd.jupyter.widget-view+json"')
        for name in all_pages()
    )
    text = re.sub(r"<[^>]+>", "", site.file("/book/checks.html").read_text(encoding="utf-8"))
    assert re.search(r"The pages have (\d+) figures", text)[1] == str(held)


@pytest.mark.parametrize("size", [(1440, 900), (1280, 800), (390, 844)], ids=str)
def test_the_first_screen_is_a_riddle(new_page, site, size):
    """In sight: the title, the riddle, its letters, all ways to guess and to go on; where wide, the hands."""
    width, height = size
    page = visit(new_page(viewport={"width": width, "height": height}), site.url(documents()[0]), shown=False)
    lead = page.locator("article .lead")
    assert "positional encoding" in lead.inner_text()
    riddle, machine = page.locator("[data-explorer=riddle]"), page.locator("[data-explorer=machine] svg")
    said = json.loads(riddle.get_attribute("data-values"))
    assert str(said["position"]) in lead.inner_text()
    assert str(said["position"] + 1) in lead.inner_text()
    letters = riddle.locator("svg")
    parts = [page.locator("h1:visible"), lead, letters, *riddle.locator(".option").all()]
    parts += riddle.locator(".asking button").all()
    doors = page.locator("article .doors a")
    assert len({door.get_attribute("href") for door in doors.all()}) == 3
    assert doors.locator(".minutes").count() == 3
    for part in [*parts, *doors.all()]:
        box = part.bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] + box["height"] <= height, part
    assert letters.bounding_box()["width"] > 0.8 * width, "as wide as the page"
    if width > 900:
        assert machine.bounding_box()["y"] < height - 100, "it is seen that there is something that moves"


def test_the_first_page_is_short(browser_page, site):
    page = visit(browser_page, site.url(documents()[0]))
    assert 300 < page.evaluate(VISIBLE_WORDS) <= 600
