"""Links: the setting of an explorer in the page's address, which only a page without a kernel has."""

import html
import json
import re
from urllib.parse import parse_qsl

import pytest
from book_claims import FILES, read_entries
from book_source import explorer_calls, text_of
from explorer_page import load as load_page
from explorer_page import pages_by_options
from playwright.sync_api import expect
from test_explorers import CLASSES, EXPLORERS

from wavebook.explorers import CircleWaves, Clock, ContextExtension, ask
from wavebook.explorers.base import spec_of

URL = "https://posenc.test/page.html"
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="module")
def pages(browser):
    """By their options, empty pages which have an address, and their complaints."""
    with pages_by_options(browser, reduced_motion="reduce") as made:
        yield made


@pytest.fixture
def open_page(pages):
    """A function that opens an empty page which has an address, and on which nothing is remembered."""
    made, complaints = pages
    complaints.clear()

    def opened(options=DESK):
        page = made(options)
        if not page.url.startswith(URL):
            page.goto(URL)
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        return page

    yield opened
    assert not complaints


def load(page, explorer, address=URL, nth=1):
    """Load a page and show the explorer as the static page does: the nth of its kind."""
    if page.url.partition("#")[0] == address.partition("#")[0]:  # then nothing would be loaded
        page.goto("about:blank")
    return load_page(page, explorer, address, nth)


def link_to(page):
    """The link that the page's menu makes of what the explorer says."""
    query, place = page.evaluate("[root.dataset.link, root.id]")
    return f"{URL}{'?' * bool(query)}{query}#{place}"


def values(page):
    return page.evaluate(
        "Object.fromEntries([...root.querySelectorAll('.controls input:is([type=range], :checked)')]"
        ".map(({ name }) => [name, model.get(name)]))"
    )


@pytest.mark.parametrize("make", EXPLORERS)
def test_a_link_brings_back_every_setting(open_page, make):
    page = load(open_page(), make())
    slug, before = make().slug, values(page)
    assert link_to(page) == f"{URL}#explorer-{slug}"
    sliders = page.locator(".controls input[type=range]")
    for slider in sliders.all():
        slider.press("ArrowLeft")
        if values(page)[slider.get_attribute("name")] == before[slider.get_attribute("name")]:
            slider.press("ArrowRight")  # it was at its least
    page.evaluate("frames()")  # tokens that change places travel in one drawing, and stand in the next
    for group in page.locator("[role=radiogroup]").all():
        group.locator("input:checked").press("ArrowRight")
    page.evaluate("frames()")
    after, looks = values(page), page.locator("svg").evaluate_all("all => all.map((svg) => svg.innerHTML)")
    assert all(after[trait] != before[trait] for trait in before)

    link = link_to(page)
    assert link.endswith(f"#explorer-{slug}")
    made = make()  # some keep what no control shows, such as which hand is turned
    changed = [
        name
        for name in spec_of(type(made))
        if page.evaluate("name => model.get(name)", name) != getattr(made, name)
    ]
    assert {*before} <= {*changed}
    assert link.count(f"{slug}.") == len(changed)
    load(page, make(), link)
    assert values(page) == after
    assert page.locator(".fault").count() == 0
    # The clock's hands leave a trace of the step that led here; a page that is opened there has none.
    if make is not Clock:
        page.evaluate("frames()")
        assert page.locator("svg").evaluate_all("all => all.map((svg) => svg.innerHTML)") == looks
    assert page.evaluate("atOnce") == 1, "drawn once, at the setting asked for"
    # What was given is told from what is given anew: the link stays whole.
    assert link_to(page) == link
    load(page, make(), f"{URL}?q=words#elsewhere")
    assert values(page) == before
    assert link_to(page) == f"{URL}#explorer-{slug}"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("clock.position=1001", "position = 1001, which must be a number from 0 to 1,000 in steps of 1"),
        ("clock.position=-1", "position = -1, which must be"),
        ("clock.position=2.5", "position = 2.5, which must be"),
        ("clock.position=seven", "position = seven, which must be"),
        ("clock.position=", "position = , which must be"),
        ("clock.position=NaN", "position = NaN, which must be"),
        ("clock.position=<img src=x onerror=throw>", "position = <img src=x onerror=throw>, which"),
        ("clock.d_model=7", "d_model = 7, which must be a number from 2 to 16 in steps of 2"),
        ("clock.base=1", "base = 1, which must be a number from 2 to 10,000,000. "),
        ("clock.speed=3", "speed = 3, which is none of position, d_model, base."),
        ("clock.constructor=3", "constructor = 3, which is none of"),
        ("clock.d_model=3&clock.x=4", "in steps of 2; x = 4, which is none of"),
    ],
)
def test_what_is_not_understood_is_named_and_the_usual_shown(open_page, query, said):
    page = load(open_page(), Clock(), f"{URL}?{query}&clock-2.position=9")
    assert values(page) == {"position": 7, "d_model": 8, "base": 10_000}
    note = page.locator(".fault")
    assert note.is_visible()
    assert note.text_content().startswith("This page’s address asks for ")
    assert said in note.text_content()
    assert note.text_content().endswith(". The usual setting is shown instead.")
    assert page.locator("img").count() == 0


def test_what_is_understood_is_shown_beside_what_is_not(open_page):
    page = load(open_page(PHONE), Clock(), f"{URL}?clock.position=12&clock.base={'9' * 60}&clock.d_model=4")
    assert values(page) == {"position": 12, "d_model": 4, "base": 10_000}
    assert f"base = {'9' * 40}, which" in page.locator(".fault").text_content()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize(
    ("make", "query", "said"),
    [
        (
            lambda: ContextExtension(),
            "method=yarn",
            "must be one of interpolation, NTK-aware, YaRN, Llama 3.1",
        ),
        (lambda: CircleWaves(layer="chord"), "offset=13", "must be a number from -12 to 12 in steps of 1"),
        (lambda: CircleWaves(layer="near-return"), "offset=45", "must be one of 6, 19, 25, 44, "),
        (lambda: CircleWaves(layer="chord"), "layer=rotation", "is none of position, offset"),
    ],
)
def test_choices_and_layers_have_their_own_limits(open_page, make, query, said):
    explorer = make()
    page = load(open_page(), explorer, f"{URL}?{explorer.slug}.{query}")
    assert said.replace("-12", "\u221212") in page.locator(".fault").text_content()
    assert page.evaluate("[model.get('layer'), model.get('offset'), model.get('method')]") == [
        getattr(explorer, trait, None) for trait in ("layer", "offset", "method")
    ]


def test_the_second_of_a_kind_has_a_name_of_its_own(open_page):
    page = load(open_page(), Clock(), f"{URL}?clock.position=3&clock-2.position=4", nth=2)
    assert values(page)["position"] == 4
    assert page.locator("#explorer-clock-2[data-explorer=clock]").count() == 1
    assert link_to(page) == f"{URL}?clock-2.position=4#explorer-clock-2"


def test_a_notebook_has_no_links(mount):
    page = mount(Clock())
    assert page.evaluate("[root.id, 'link' in root.dataset]") == ["", False]


def test_a_link_to_a_setting_shows_it_and_a_plain_one_asks(open_page):
    question = ask.choice(
        "How many hands move?",
        ["one", "two"],
        truth="two",
        because="each is slower.",
        acts=[{"position": 8, "seconds": 1}],
    )
    clock = Clock(prediction=question)
    block, asking = "[data-prediction]", ("data-state", "asking")
    page = open_page()
    for query in ("", "#explorer-clock", "?clock.position=1001", "?clock.speed=1", "?clock-2.position=9"):
        load(page, clock, URL + query)
        expect(page.locator(block)).to_have_attribute(*asking)
    load(page, clock, f"{URL}?clock.position=9#explorer-clock")
    expect(page.locator(block)).to_have_attribute("data-state", "answered")
    expect(page.locator(f"{block} .answered [role=status]")).to_have_text("Two. Each is slower.")
    assert page.locator("[data-veiled]").count() == 0
    page.get_by_role("button", name="Ask me again").click()
    expect(page.locator(block)).to_have_attribute(*asking)
    assert page.evaluate("model.get('position')") == clock.position  # what the question is about
    load(page, clock, f"{URL}?clock.position=9#explorer-clock")
    load(page, clock)
    expect(page.locator(block)).to_have_attribute(*asking)  # a link is no answer: nothing was remembered


SETTING = r'"([\w-]+)\.html\?([^"#]+)#explorer-([\w-]+)"'


@pytest.mark.parametrize("where", ["claims", "teaching"])
def test_links_to_settings_lead_to_what_there_is(where):
    """The page has the explorer, as often as its name says, and the explorer takes the value."""
    texts = [entry["shown"] for name in FILES for entry in read_entries(name)]
    if where == "teaching":
        texts = [text_of("book/teaching")]
    links = [link for text in texts for link in re.findall(SETTING, text)]
    assert len(links) >= 4
    kinds = {cls.slug: cls for cls in CLASSES}
    for page, query, name in links:
        slug, nth = re.match(r"(.+?)(?:-(\d+))?$", name).groups()
        cls = kinds[slug]
        calls = [
            call for call in explorer_calls(text_of(f"book/{page}")) if call.startswith(f"{cls.__name__}(")
        ]
        call = re.sub(r",? ?prediction=.*\)$", ")", calls[int(nth or 1) - 1])
        explorer = eval(
            call, {cls.__name__: cls}
        )  # the chapter's own line: what a trait takes may depend on it
        for setting, value in parse_qsl(html.unescape(query), strict_parsing=True):
            owner, _, trait = setting.partition(".")
            assert owner == name
            assert trait in spec_of(cls), (name, trait)
            numeric = "min" in spec_of(cls)[trait]
            setattr(explorer, trait, json.loads(value) if numeric else value)  # refuses what it cannot be
