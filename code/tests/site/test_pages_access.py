"""The pages are for everyone: axe-core finds no fault, light, dark or on a phone; the themes differ."""

from __future__ import annotations

import io

import matplotlib.image
import numpy as np
import pytest
from harness import REPOSITORY, SETTLED, all_pages, of_each_kind, picture_taker

# From npm, with the tools that check JavaScript.
AXE = REPOSITORY / "code/node_modules/axe-core/axe.min.js"
# With two rules that not every version has on by itself: targets are large enough for a finger, and a control
# is told by the words that are seen on it.
# No page has sound or film, for which axe would ask for all styles again.
RUN = """axe.run(document, {preload: false, resultTypes: ['violations'], rules: {
    'target-size': {enabled: true}, 'label-content-name-mismatch': {enabled: true}}})"""
# Two in three elements are parts of a formula or of a program, of which axe knows nothing but their text: it
# sees that alone, but for those in which something is named, leads elsewhere, has a role or can be reached. A
# formula keeps its size.
PLAIN = """async (run) => {
    const more = ':is(a, button, [id], [href], [tabindex], [role], [title], [data-of-kind])';
    const aria = (element) => element.getAttributeNames().some((name) => name.startsWith('aria-'));
    const parts = [...document.querySelectorAll('math, pre')].filter((part) => part.firstElementChild
        && !part.querySelector(more) && ![...part.querySelectorAll('*')].some(aria));
    const kept = parts.map((part) => [...part.childNodes]);
    const sizes = parts.map((part) => {
        const {width, height} = part.getBoundingClientRect();
        return [Math.max(width, part.scrollWidth), height];
    });
    parts.forEach((part, n) => {
        const formula = part.localName === 'math';
        const text = formula ? document.createElementNS(part.namespaceURI, 'mtext') : new Text();
        text.textContent = part.textContent;
        part.replaceChildren(text);
        if (!formula) return;
        part.style.inlineSize = `${sizes[n][0]}px`;
        part.style.blockSize = `${sizes[n][1]}px`;
        part.style.overflow = 'clip';
    });
    try {
        return await run();
    } finally {
        parts.forEach((part, n) => {
            part.replaceChildren(...kept[n]);
            part.style.inlineSize = part.style.blockSize = part.style.overflow = '';
            if (part.getAttribute('style') === '') part.removeAttribute('style');
        });
    }
}"""
# One text of each kind that is not known yet: of one color, on the same grounds, in a link or not, and large
# or not, as WCAG draws the line: from 18 points on, in bold from 14.
KINDS = """(known) => {
    const kinds = new Map();
    const seen = new Map([[null, '']]);
    const grounds = (element) => {
        if (!seen.has(element)) {
            const {backgroundColor, backgroundImage, opacity} = getComputedStyle(element);
            const ground = [backgroundColor, backgroundImage, opacity].join();
            const own = ground === 'rgba(0, 0, 0, 0),none,1' ? '' : `;${ground}`;
            seen.set(element, own + grounds(element.parentElement));
        }
        return seen.get(element);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        const element = text.parentElement;
        if (!text.data.trim() || !element.checkVisibility({visibilityProperty: true})) continue;
        const {color, fill, fontSize, fontWeight, textDecorationLine} = getComputedStyle(element);
        const large = parseFloat(fontSize) * 0.75 >= (fontWeight >= 700 ? 14 : 18);
        const own = [color, fill, large, textDecorationLine, Boolean(element.closest('a'))];
        const kind = own.join(';') + grounds(element);
        if (!kinds.has(kind)) kinds.set(kind, element);
    }
    known.forEach((kind) => kinds.delete(kind));
    window.ofEachKind = [...kinds.values()];
    return [...kinds.keys()];
}"""
# What axe does, where a text of each kind is marked, and its rules of colors look at no other.
OF_EACH_KIND = f"""(async () => {{
    axe.configure({{rules: [{{id: 'color-contrast', selector: '[data-of-kind]'}}]}});
    ofEachKind.forEach((element) => element.toggleAttribute('data-of-kind', true));
    try {{
        return await ({PLAIN})(() => %s);
    }} finally {{
        ofEachKind.forEach((element) => element.toggleAttribute('data-of-kind', false));
        axe.reset();
    }}
}})()"""
# All of it, but contrast, which takes half of the time and is the same for all texts of a kind, in one each.
BY_KINDS = OF_EACH_KIND % RUN
ONLY_COLORS = """axe.run(ofEachKind,
    {resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block']})"""
COLORS = OF_EACH_KIND % ONLY_COLORS

# And a phone changes what is where, what scrolls, and what is hidden behind a button.
LAYOUT = f"""({PLAIN})(() => axe.run(document, {{preload: false, resultTypes: ['violations'], runOnly: [
    'aria-hidden-focus', 'button-name', 'bypass', 'label', 'label-content-name-mismatch', 'link-name',
    'meta-viewport', 'region', 'scrollable-region-focusable', 'target-size']}}))"""


def axe_finds_nothing(page, run=RUN, least=10) -> set[str]:
    """What rules there was something to look at for."""
    assert AXE.is_file(), "axe-core is not installed: run `make check` once"
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")  # or the header halves what lies below its edge
    page.evaluate(SETTLED)
    if not page.evaluate("'axe' in window"):  # the page is shared
        page.evaluate(AXE.read_text(encoding="utf-8"))
    result = page.evaluate(run)
    assert len(result["passes"]) >= least
    faults = [
        f"{fault['id']} ({fault['impact']}): {node['target']} {node['failureSummary']}"
        for fault in result["violations"]
        for node in fault["nodes"]
    ]
    assert not faults, "\n".join(faults)
    return {rule["id"] for rule in result["passes"]}


@pytest.fixture(scope="session")
def known_kinds() -> set[str]:
    """The kinds of text that have been looked at."""
    return set()


def colors_are_apart(page, known_kinds) -> None:
    page.evaluate(SETTLED)
    if kinds := page.evaluate(KINDS, list(known_kinds)):
        axe_finds_nothing(page, COLORS, least=0)
        known_kinds.update(kinds)


def test_axe_finds_nothing_in_light(light, known_kinds):
    assert light.locator("html").get_attribute("data-theme") == "light"
    kinds = light.evaluate(KINDS, list(known_kinds))
    looked_at = axe_finds_nothing(light, BY_KINDS)
    # A kind or two that is left may be such that axe cannot say: but not all of the first page's.
    assert known_kinds or "color-contrast" in looked_at
    known_kinds.update(kinds)


def test_axe_finds_nothing_on_a_phone(phone):
    assert phone.locator("html").get_attribute("data-theme") == "dark"  # as the system asks
    axe_finds_nothing(phone, LAYOUT, least=5)


def brightness(png: bytes, edge: bool = False) -> float:
    """Mean of an image's pixels, or of those along its edge, from 0 (black) to 1 (white)."""
    pixels = matplotlib.image.imread(io.BytesIO(png))[..., :3]
    return float(
        np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]]).mean() if edge else pixels.mean()
    )


# Not what lies on a heatmap: its colors are data, and the same in both themes. Of a figure that says that it
# is one, only the edge.
PICTURES = "main :is([data-explorer] .panel:not(:has(canvas)) svg, .cell_output img)"


def turn_theme(page, wanted: str) -> None:
    """The reader's switch, not the system's setting. It goes round: light, dark, as the system has it."""
    theme = page.locator("html")
    for _ in range(3):
        if theme.get_attribute("data-theme") == wanted and theme.get_attribute("data-mode") == wanted:
            return
        page.locator("button.theme-switch-button").filter(visible=True).first.click()
    assert theme.get_attribute("data-theme") == wanted


# Brings a picture into the window, once it is there: its words, and where on the page it is seen.
BROUGHT = """async (picture) => {
    picture.scrollIntoView({block: 'center', behavior: 'instant'});
    while (picture.complete === false) await new Promise(requestAnimationFrame);
    const {left, top, right, bottom} = picture.getBoundingClientRect();
    const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
    return {
        text: picture.getAttribute('alt') ?? picture.getAttribute('aria-label'),
        clip: {
            x: x + scrollX, y: y + scrollY,
            width: Math.min(right, innerWidth) - x, height: Math.min(bottom, innerHeight) - y,
        },
    };
}"""


@pytest.mark.over(of_each_kind(all_pages()))
def test_the_dark_theme_has_contrast_and_reaches_every_picture(light, known_kinds):
    """A theme changes colors and nothing else: of texts, and of figures and explorers, by their pixels."""
    picture_of = picture_taker(light)
    seen = {}
    for theme in ("dark", "light"):  # and so the page is left as it was
        turn_theme(light, theme)
        if theme == "dark":
            colors_are_apart(light, known_kinds)
        seen[theme] = []
        for picture in light.locator(PICTURES).filter(visible=True).element_handles():
            brought = picture.evaluate(BROUGHT)
            edge = "heatmap" in brought["text"].lower()
            bright = brightness(picture_of(brought["clip"]), edge)
            seen[theme].append((round(bright, 2), brought["text"]))
    assert len(seen["light"]) == len(seen["dark"])
    assert not [picture for picture in seen["light"] if picture[0] < 0.6]
    assert not [picture for picture in seen["dark"] if picture[0] > 0.4]
