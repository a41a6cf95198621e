"""What can be taken away from a figure that moves: link, own page, picture, full screen; and slides."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import parse_qsl, quote

import pytest
from book_source import directives, text_of
from harness import documents, figures_of, visit, with_explorers
from lxml import etree
from PIL import Image
from playwright.sync_api import Page, expect
from test_pages_access import axe_finds_nothing

SVG = "{http://www.w3.org/2000/svg}"


FIGURES = [(name, figure) for name in with_explorers() for figure in figures_of(name)]


def open_menu(page: Page, figure: str = ""):
    """The menu of a figure, open; the only one of the page without a name."""
    menu = page.locator(f"#explorer-{figure} + .figure-menu" if figure else ".figure-menu")
    menu.locator("summary").click()
    return menu


def lies_within(inner, outer) -> bool:
    """Whether an element of a picture is in the place of another, to a pixel."""
    boxes = [[float(part.get(name)) for name in ("x", "y", "width", "height")] for part in (inner, outer)]
    (x, y, width, height), (left, top, wide, high) = boxes
    return x >= left - 1 and y >= top - 1 and x + width <= left + wide + 1 and y + height <= top + high + 1


# How the letters of a figure look, on its page or in a picture, one after the other; and its lines.
LOOKS = """() => {
    const seen = (of) => [...document.querySelectorAll(of)].filter((one) =>
        one.checkVisibility({visibilityProperty: true}) && !one.closest('[aria-hidden], form, a, button'));
    const look = (one, names) => names.map((name) => getComputedStyle(one)[name]).join();
    return {
        letters: seen('svg text').map((one) => look(one, ['fill', 'textAnchor', 'fontWeight'])),
        lines: seen('svg :is(path, line, circle)').map((one) => getComputedStyle(one).stroke)
            .filter((color) => color !== 'none' && !color.endsWith(', 0)')).sort(),
    };
}"""


def test_each_explorer_has_a_page_of_its_own(site):
    assert len(FIGURES) > 40
    for name in documents():
        built = {path.stem for path in (site.root / name).glob("*.html")}
        assert built == {figure for of, figure in FIGURES if of == name}, name


@pytest.mark.parametrize(("name", "figure"), FIGURES)
def test_a_figure_alone_and_its_picture_from_the_disk(new_page, site, tmp_path, name, figure):
    """Its page opens without a server, and is small; so does its SVG, which says what it shows."""
    file = site.root / name / f"{figure}.html"
    # One has all heads of a language model.
    assert file.stat().st_size < (500_000 if file.stem == "all-heads" else 200_000)
    page = visit(new_page(color_scheme="light"), file.as_uri())
    root = page.locator("[data-explorer]")
    assert root.get_attribute("id") == f"explorer-{figure}"
    assert page.locator("h1").inner_text()
    back = page.locator("[data-back]").get_attribute("href")
    assert back.split("?")[0].split("#")[0].endswith(f"/{name.rpartition('/')[2]}.html")

    menu = open_menu(page)
    with page.expect_download() as download:
        menu.get_by_role("button", name="Save SVG").click()
    assert download.value.suggested_filename == f"{name.rpartition('/')[2]}-{figure}.svg"
    saved = tmp_path / "figure.svg"
    download.value.save_as(saved)
    text = saved.read_text(encoding="utf-8")
    tree = etree.fromstring(text.encode())
    drawn = page.evaluate("""() => [...document.querySelectorAll('[data-explorer] svg')]
        .filter((svg) => !svg.closest('form') && svg.checkVisibility({visibilityProperty: true}))
        .map((svg) => [...svg.querySelectorAll('text')].filter((text) => text.checkVisibility())
            .map((text) => text.textContent))""")
    looks = page.evaluate(LOOKS)
    panels = tree.findall(f"{SVG}svg")
    assert len(panels) == len(drawn)
    for panel, texts in zip(panels, drawn, strict=True):
        words = [t for t in panel.iter(f"{SVG}text") if t.get("aria-hidden") is None]
        assert ["".join(t.itertext()) for t in words] == texts
        assert root.get_attribute("data-state") != "asking"
        # Each has marks, or is what is written upon a map.
        marks = list(panel.iter(*(f"{SVG}{mark}" for mark in ("path", "rect", "circle"))))
        assert marks or any(lies_within(image, panel) for image in tree.findall(f"{SVG}image"))
    # Each weight that its letters have is a face in it, and no other is.
    weights = {"400"} | set(tree.xpath("//@font-weight"))
    assert set(re.findall(r"font-weight:(\d+)", tree.findtext(f"{SVG}style"))) == weights
    expect(menu.locator("[role=status]")).to_have_text("Saved as SVG.")
    # What the state is, in words and as data.
    assert json.loads(tree.findtext(f"{SVG}metadata").partition(" ")[2]) == json.loads(
        root.get_attribute("data-values")
    )
    assert tree.findtext(f"{SVG}desc")
    # Nothing from outside, no color that a style sheet of ours would have to give.
    addresses = re.findall(r"""(?:href|src)="([^"]*)"|url\(["']?([^)"']+)|@import""", unescape(text))
    assert all((a or b).startswith(("data:", "#")) for a, b in addresses)
    assert not re.search(r"var\(|class=|currentcolor|color\(", text, re.IGNORECASE)
    page.goto(saved.as_uri())
    assert page.evaluate("document.documentElement.tagName") == "svg"
    assert page.evaluate("document.documentElement.getBoundingClientRect().width > 300")
    assert page.evaluate(LOOKS) == looks


def test_a_figure_alone_shows_what_its_address_asks_for(new_page, site):
    """The second and third of a kind have their own names there, as they have on their page."""
    query = "circle-waves-3.offset=710"
    for address in (
        f"{(site.root / 'book/two-dimensions/circle-waves-3.html').as_uri()}?{query}",
        f"{site.url('book/two-dimensions').removesuffix('.html')}/circle-waves-3.html?{query}",
    ):
        page = visit(new_page(), address, shown=False)
        root = page.locator("[data-explorer]")
        assert root.get_attribute("data-link") == query
        assert json.loads(root.get_attribute("data-values"))["offset"] == 710
        assert (
            page.locator("[data-back]")
            .get_attribute("href")
            .endswith(f"two-dimensions.html?{query}#explorer-circle-waves-3")
        )
    axe_finds_nothing(page)  # over http: it asks for style sheets, which a page from the disk may not


def test_the_menu_by_keyboard_on_a_phone_and_not_on_paper(new_page, site):
    page = visit(new_page(), site.url("book/relatives"))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu = page.locator("#explorer-rotary + .figure-menu")
    summary = menu.locator("summary")
    summary.focus()
    page.keyboard.press("Enter")
    expect(menu).to_have_attribute("open", "")
    page.keyboard.press("Tab")
    expect(menu.get_by_role("button", name="Copy link")).to_be_focused()
    page.locator("#explorer-rotary input[name=p]").press("ArrowRight")
    expect(menu).not_to_have_attribute("open", "")  # it closes when the focus leaves it
    summary.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(menu.locator("[role=status]")).to_have_text("Link to what this figure shows copied.")
    p = page.locator("#explorer-rotary input[name=p]").input_value()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(site.url("book/relatives") + "?rotary.")
    assert f"rotary.p={p}" in link
    assert link.endswith("#explorer-rotary")
    menu.get_by_role("button", name="Copy embed code").press("Enter")
    expect(menu.locator("[role=status]")).to_have_text("Embed code copied.")
    code = etree.HTML(page.evaluate("navigator.clipboard.readText()")).find(".//iframe")
    alone = menu.get_by_role("link", name="Open alone").get_attribute("href")
    assert code.get("src") == alone
    assert alone.startswith(f"{site.origin}/book/relatives/rotary.html?rotary.")
    assert code.get("title")
    axe_finds_nothing(page)  # open
    page.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(summary).to_be_focused()
    page.emulate_media(media="print")
    expect(summary).to_be_hidden()
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 360, "height": 740})
    summary.click()
    for item in menu.locator("button, a").all():
        assert item.bounding_box()["x"] + item.bounding_box()["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_without_a_clipboard_the_link_is_there_to_be_copied(new_page, site):
    page = new_page()
    page.add_init_script("delete Navigator.prototype.clipboard")
    visit(page, f"{site.url('book/relatives')}?rotary.p=12")
    menu = open_menu(page, "rotary")
    menu.get_by_role("button", name="Copy link").click()
    field = menu.locator("input")
    expect(field).to_have_value(f"{site.url('book/relatives')}?rotary.p=12#explorer-rotary")
    expect(field).to_have_accessible_name("Link to what this figure shows")
    expect(field).not_to_be_editable()
    selected = "(field) => [document.activeElement === field, field.selectionEnd - field.selectionStart]"
    assert field.evaluate(selected) == [True, len(field.input_value())]


def test_without_a_script_there_is_no_menu(new_page, site):
    page = new_page(java_script_enabled=False)
    page.goto(site.url("book/relatives"))
    assert not page.get_by_text("Use this figure").count()
    page.goto((site.root / "book/relatives/rotary.html").as_uri())
    assert page.locator(".explorer-still img").is_visible()


def test_a_picture_with_an_open_question_says_that_it_is_not_all(new_page, site, tmp_path):
    page = visit(new_page(), (site.root / "book/uniqueness/similarity-matrix.html").as_uri(), shown=False)

    def saved() -> tuple[int, str]:
        """How many maps are in the picture, and what the menu says."""
        menu = open_menu(page)
        with page.expect_download() as download:
            menu.get_by_role("button", name="Save SVG").click()
        download.value.save_as(tmp_path / "a.svg")
        said = menu.locator("[role=status]").inner_text()
        menu.locator("summary").press("Escape")
        return len(etree.parse(tmp_path / "a.svg").findall(f".//{SVG}image")), said

    maps, said = saved()
    assert (maps, "without what its question hides" in said) == (0, True)
    page.get_by_role("button", name="Show me").click()
    page.keyboard.press("Escape")
    assert saved() == (1, "Saved as SVG.")


# A page that says where it is published, before any script of its own runs.
CANONICAL = """new MutationObserver((_, observer) => {
    if (!document.body) return;
    observer.disconnect();
    const at = {rel: 'canonical', href: 'https://example.org/book/relatives.html'};
    document.head.append(Object.assign(document.createElement('link'), at));
}).observe(document, {childList: true, subtree: true});"""


@pytest.mark.parametrize("alone", [False, True], ids=["in its page", "alone"])
@pytest.mark.parametrize("published", [False, True], ids=["nowhere", "published"])
def test_what_another_site_frames_is_not_on_this_disk(new_page, site, published, alone):
    """The code is the book's address, if it has one; if not, a part of one, and what is said tells so."""
    page = new_page()
    page.add_init_script("delete Navigator.prototype.clipboard;" + (CANONICAL if published else ""))
    file = site.root / "book" / ("relatives/rotary.html" if alone else "relatives.html")
    visit(page, f"{file.as_uri()}?rotary.p=12")
    menu = open_menu(page, "rotary")
    menu.get_by_role("button", name="Copy embed code").click()
    source = etree.HTML(menu.locator("input").input_value()).find(".//iframe").get("src")
    before = "https://example.org/" if published else ""
    assert source == f"{before}book/relatives/rotary.html?rotary.p=12"
    said = menu.locator("[role=status]").inner_text()
    assert ("put that of the site" in said) == (not published)


def test_a_png_is_a_picture_of_what_is_shown(new_page, site, tmp_path):
    """From the disk, in the dark, with a map, whose pixels are those of the page."""
    page = visit(new_page(color_scheme="dark"), site.file_url("book/many-dimensions"))
    menu = open_menu(page, "heatmap")
    with page.expect_download() as download:
        menu.get_by_role("button", name="Save PNG").click()
    download.value.save_as(tmp_path / "a.png")
    picture = Image.open(tmp_path / "a.png").convert("RGB")
    box = page.locator("#explorer-heatmap .panels").bounding_box()
    sides = (box["width"] + 28) / (box["height"] + 28)
    assert picture.width / picture.height == pytest.approx(sides, rel=0.05)
    assert picture.width >= 2 * box["width"]
    colors = picture.resize((200, 200)).getcolors(40_000)
    assert len(colors) > 300, "a map has many colors"
    paper = picture.getpixel((2, 2))
    assert max(paper) < 60, "the page is dark"


def at_rest(place) -> dict:
    """Where something is once it stays there: type and drawing take turns until both fit the screen."""
    before = None
    for _ in range(120):
        box = place.bounding_box()
        if box and box == before:
            return box
        before = box
        place.page.wait_for_timeout(250)
    raise TimeoutError("it does not come to rest")


def test_full_screen_is_in_large_type(new_page, site):
    page = visit(new_page(viewport={"width": 1920, "height": 1080}), site.url("book/transformer"))
    root = page.locator("#explorer-look-back")
    size = "(root) => root.querySelector('.controls label').getBoundingClientRect().height"
    before = root.evaluate(size)
    menu = open_menu(page, "look-back")
    menu.get_by_role("button", name="Full screen").click()
    page.wait_for_function("document.fullscreenElement")
    page.wait_for_function("Number(document.querySelector('#explorer-look-back').style.zoom) > 1.2")
    page.wait_for_function(f"({size})(document.querySelector('#explorer-look-back')) > {1.2 * before}")
    # What is dragged follows the pointer, however large the type is.
    grip = root.locator("svg .grip.cursor").first
    box = at_rest(grip)
    before_drag = int(root.locator("input[name=position]").input_value())
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 200, y, steps=5)
    page.mouse.up()
    page.wait_for_function(
        f"document.querySelector('#explorer-look-back [name=position]').value > {before_drag}"
    )
    moved = at_rest(root.locator("svg .grip.cursor").first)
    assert moved["x"] + moved["width"] / 2 == pytest.approx(x + 200, abs=25)
    page.evaluate("document.exitFullscreen()")
    page.wait_for_function("!document.querySelector('#explorer-look-back').style.zoom")
    page.wait_for_function(f"({size})(document.querySelector('#explorer-look-back')) === {before}")


# ---- slides ----


def slides() -> list[str]:
    """The entries of the deck in the page for teachers, by its source."""
    (deck,) = directives(text_of("book/teaching"), "deck")
    return re.split(r"^\d+\. ", deck.body, flags=re.MULTILINE)[1:]


MINUTES = {"five": 5, "ten": 10, "fifteen": 15, "twenty": 20}


def test_the_deck_takes_two_hours_and_ends_with_the_whole_idea():
    entries = slides()
    minutes = [MINUTES[re.search(r"(\w+) minutes\.", entry)[1].lower()] for entry in entries]
    assert sum(minutes) == 120
    assert "The whole idea" in entries[-1]
    links = [re.search(r'href="([\w-]+)\.html[^"]*#explorer-([\w-]+)"', entry) for entry in entries]
    shown = [(f"book/{link[1]}", link[2]) for link in links if link]
    assert len(shown) >= len(entries) - 1
    assert set(shown) <= set(FIGURES)


@pytest.mark.parametrize("served", [True, False], ids=["served", "from the disk"])
def test_the_slides_follow_one_another(new_page, site, served):
    page = new_page(viewport={"width": 1600, "height": 900})
    visit(page, site.url("book/teaching") if served else site.file_url("book/teaching"))
    page.get_by_role("button", name="Present these slides").click()
    stage = page.locator(".deck-stage")
    count = len(slides())
    for n, entry in enumerate(slides(), 1):
        expect(stage.locator("[role=status]")).to_have_text(f"{n} of {count}")
        if link := re.search(r'href="([\w-]+)\.html(\?[^"]*)?#explorer-([\w-]+)"', entry):
            inside = page.frame_locator(".deck-stage iframe")
            root = inside.locator(f"#explorer-{link[3]}")
            expect(root).to_be_visible()
            asked = parse_qsl(unescape(link[2] or "").removeprefix("?"))
            shown = json.loads(root.get_attribute("data-values"))
            assert [float(value) for _, value in asked] == [
                shown[trait.rpartition(".")[2]] for trait, _ in asked
            ]
        else:
            assert not stage.locator("iframe").count()
        page.keyboard.press("PageDown" if n % 2 else "ArrowRight")
    expect(stage.locator("[role=status]")).to_have_text(f"{count} of {count}")
    # From inside of a figure, too.
    page.frame_locator(".deck-stage iframe").locator("body").click(position={"x": 3, "y": 3})
    page.keyboard.press("PageUp")
    expect(stage.locator("[role=status]")).to_have_text(f"{count - 1} of {count}")
    stage.get_by_role("button", name="Close").click()
    expect(stage).to_have_count(0)


def test_slides_of_ones_own(new_page, site):
    """A line a slide: an address of this book, in any of its forms, and what to say; all else is words."""
    page = visit(new_page(), site.url("book/teaching"))
    box = page.locator(".deck-own textarea")
    page.locator(".deck-own summary").click()
    assert len(box.input_value().splitlines()) == len(slides())
    lines = [
        f"{site.url('book/relatives')}?rotary.p=12#explorer-rotary Turn both.",
        "order/shuffle.html?shuffle.order=21",
        "https://elsewhere.invalid/a.html#explorer-b No figure of this book.",
    ]
    box.fill("\n".join(lines))
    page.get_by_role("button", name="Present my slides").click()
    stage = page.locator(".deck-stage")
    wanted = [
        ("book/relatives/rotary.html?rotary.p=12#slide", "Turn both."),
        ("book/order/shuffle.html?shuffle.order=21#slide", ""),
        (None, lines[2]),
    ]
    for n, (address, words) in enumerate(wanted, 1):
        expect(stage.locator("[role=status]")).to_have_text(f"{n} of 3")
        expect(stage.locator(".deck-words")).to_have_text(words)
        if address:
            assert stage.locator("iframe").get_attribute("src") == f"{site.origin}/{address}"
        else:
            assert not stage.locator("iframe").count()
        page.keyboard.press("PageDown")
    stage.get_by_role("button", name="Close").click()
    visit(page, f"{site.url('book/teaching')}?deck={quote('order.html#explorer-shuffle One.')}#deck-own")
    assert box.input_value() == "order.html#explorer-shuffle One."
