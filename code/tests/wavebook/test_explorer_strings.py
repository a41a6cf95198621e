"""Every text of every explorer is in its table: in another language no English word is left."""

import json
import re
from string import ascii_letters

import pytest
from explorer_page import show
from test_explorers import CLASSES

from wavebook.explorers import Cliff, Clock, ask, strings, translate
from wavebook.explorers.base import Choice, module_text, spec_of
from wavebook.explorers.translate import texts_of

#: Letters that stand for their own in a language that nobody speaks.
ACCENTS = str.maketrans("aeiouyAEIOUY", "áéíóúýÁÉÍÓÚÝ")
#: What no table has, for every language says it so.
UNCHANGED = {
    "sin": "a function's name; `rich` gives it its color",
    "cos": "likewise",
    "NTK": "of the neural tangent kernel, in the name of a method",
    "tensor": "tensor2tensor, a program",
    "Xavier": "a person's name, of an initialization",
}
#: An explorer's texts, whatever part of the page says them; and all else that is there, all places included.
READ = """() => {
    const said = [], other = document.body.cloneNode(true);
    const spoken = ["aria-label", "aria-valuetext", "title", "data-hint", "data-missing"];
    const texts = document.createTreeWalker(other, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        said.push(texts.currentNode.data);
        texts.currentNode.data = "";
    }
    for (const one of other.querySelectorAll("*")) {
        for (const name of ["lang", "dir"]) one.removeAttribute(name);
        // Drawn by lot, or when the page gets to it.
        for (const name of ["id", "for", "aria-labelledby", "data-seen"]) one.removeAttribute(name);
        one.style?.removeProperty("--below");
        if (one.getAttribute("style") === "") one.removeAttribute("style");
        // What data says in words is what is shown.
        if (one.dataset.symbol?.length > 2) one.removeAttribute("data-symbol");
        const {values} = one.dataset;
        const unsaid = (_, value) =>
            typeof value === "string" ? "" : value instanceof Object ? Object.values(value) : value;
        if (values) one.dataset.values = JSON.stringify(JSON.parse(values, unsaid));
        for (const name of spoken) {
            if (one.hasAttribute(name)) said.push(one.getAttribute(name));
            one.removeAttribute(name);
        }
    }
    return [said, other.innerHTML];
}"""
#: And what its buttons lead to.
PRESS = f"""async () => {{
    const said = [];
    for (const button of document.querySelectorAll("[data-explorer] button")) {{
        if (!button.checkVisibility() || button.disabled) continue;
        button.click();
        await frames(2);
        said.push(...({READ})()[0]);
    }}
    return said;
}}"""


def pseudo(text: str, letters: dict[int, int] = ACCENTS) -> str:
    """A text with accents, but for its tags, holes, symbols and the names that no language changes."""
    kept = r"<[^>]*>|^[^<>]*\">|<[^>]*$|\{\d+\}|\*[^*]+\*|_\w|&\w+;|\b(?:" + "|".join(UNCHANGED) + r")\b"
    pieces = re.split(f"({kept})", text)
    return "".join(piece if n % 2 else piece.translate(letters) for n, piece in enumerate(pieces))


def in_pseudo(cls) -> str:
    """An explorer's module in that language."""
    return module_text(cls, "en-x-pseudo", {text: pseudo(text) for text in texts_of(cls)})


def english(said: list[str]) -> list[str]:
    """The texts that have an English word."""

    def is_english(word: str) -> bool:
        return word.isascii() and len(word) > 2 and word not in UNCHANGED

    return [text for text in said if any(map(is_english, re.findall(r"[^\W\d_]+", text)))]


def settings(cls):
    """An explorer as it comes, and with each option that it offers."""
    yield from ({"step": step} for step in range(4)) if cls is Cliff else [{}]
    for name, trait in ((name, getattr(cls, name)) for name in spec_of(cls)):
        if isinstance(trait, Choice):
            yield from ({name: option} for option in trait.options if option != trait.default_value)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.slug)
def test_a_view_in_another_language_is_the_same_without_an_english_word(cls, mount):
    for setting in settings(cls):
        page = mount(cls(**setting))
        said, rest = page.evaluate(READ)
        other = cls(**setting)
        other._esm = in_pseudo(cls)
        show(page, other)
        assert page.locator("[data-explorer]").get_attribute("lang") == "en-x-pseudo"
        accented, same = page.evaluate(READ)
        assert english(accented) == [], setting
        assert same == rest, setting
        assert len(accented) == len(said), setting
        assert english(page.evaluate(PRESS)) == [], setting


#: Letters of a language that is written from right to left.
HEBREW = str.maketrans({letter: chr(0x5D0 + n % 26) for n, letter in enumerate(ascii_letters)})
#: Where the words of the drawings are, from the left, and how wide; and on which side a slider begins.
WHERE = """() => [
    [...root.querySelectorAll("svg text")].map((text) => {
        const box = text.getBoundingClientRect();
        return [box.left - root.getBoundingClientRect().left, box.width].map(Math.round);
    }),
    [...root.querySelectorAll("output, [type=range]")].map((one) => getComputedStyle(one).direction),
]"""


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.slug)
def test_words_from_right_to_left_leave_the_drawing_as_it_is(cls, mount):
    explorer = cls()
    explorer._esm = module_text(cls, "he", {text: pseudo(text, HEBREW) for text in texts_of(cls)})
    page = mount(explorer)
    assert page.evaluate("getComputedStyle(root.querySelector('.controls')).direction") == "rtl"
    places, sides = page.evaluate(WHERE)
    assert set(sides) <= {"ltr"}
    page.evaluate("root.dir = 'ltr'")
    assert page.evaluate(WHERE)[0] == places


SHARED = {"because": "só", "acts": [{"position": 1, "seconds": 1}]}
ASKED = {
    "choice": ask.choice("Whích?", ["óné", "twó", "thréé"], truth="twó", **SHARED),
    "number": ask.number("Hów mány?", truth=7, low=1, high=9, **SHARED),
    "place": ask.place("Whéré?", traits={"position": "*p*"}, right=[[5]], answer="át 5", **SHARED),
    "curve": ask.curve(
        "Hów?",
        truth=[(0, 0), (1, 1), (2, 4)],
        places=[0, 1, 2],
        low=0,
        high=8,
        names=("á", "é"),
        answer="á squáré",
        **SHARED,
    ),
}


@pytest.mark.parametrize("kind", ASKED)
def test_what_the_kit_says_of_a_question_is_in_the_tables(kind, mount):
    explorer = Clock(position=0, prediction=ask.Prediction(ASKED[kind] | {"printed": ""}))
    explorer._esm = in_pseudo(Clock)
    page = mount(explorer)
    for guess in (0, 1, -1):  # an answer too low, or wrong; another; and "show me"
        if kind == "choice" and guess >= 0:
            page.locator("[name=guess]").nth(guess).check()
        elif kind in ("number", "curve") and guess >= 0:
            for slider in page.locator("[name=guess], .sketch input").all():
                slider.fill(str(1 + 7 * guess))
        page.locator(".asking button").nth(0 if guess >= 0 else 1).click()
        page.wait_for_function("root.dataset.state === 'answered'")
        told, _ = page.evaluate(READ)
        assert len(told) > 10
        assert english(told) == []
        page.get_by_text("Ásk mé ágáín").click()


def test_tables_keep_what_is_translated_and_the_environment_chooses_them(tmp_path, monkeypatch):
    folder = tmp_path / "eo"
    monkeypatch.setattr("sys.argv", ["translate", str(folder)])
    translate.main()
    assert {path.stem for path in folder.iterdir()} == {cls.slug for cls in CLASSES}
    table = folder / "clock.json"
    empty = json.loads(table.read_text())
    assert set(empty.values()) == {""}
    assert {"Play", "model width *d*", "{0}s", "{0} at position {1}. {2}"} <= empty.keys()
    own = {"Play": "Ludi", "{0} at position {1}. {2}": "Ĉe {1}: {0}. {2}", "no longer there": "for"}
    table.write_text(json.dumps(empty | own))
    translate.main()
    assert json.loads(table.read_text()) == empty | dict(list(own.items())[:2])

    assert strings.choose_language("clock") == ("", {})
    assert module_text(Clock, *strings.choose_language("clock")) == module_text(Clock)
    monkeypatch.setenv("WAVEBOOK_STRINGS", str(folder))
    text = module_text(Clock, *strings.choose_language("clock"))
    assert '"lang":"eo"' in text
    assert "Ludi" in text
    assert re.search(r"`Ĉe \$\{[^}]+\}: \$\{", text)
    table.write_text(json.dumps({"{0} turns": "{0} el {1}"}))
    with pytest.raises(
        ValueError, match=r"clock.json: '\{0\} el \{1\}' has \{1\}, which '\{0\} turns' has not"
    ):
        strings.choose_language("clock")
