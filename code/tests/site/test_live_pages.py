"""Python in the page, driven in a browser that knows no other host: `make test MARK=live`, after `make live`.

The runtime is optional, so this is no part of `make test`. What needs no browser is in test_live.py.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
import time
from pathlib import Path

import numpy as np
import pytest
from firefox import find_firefox, start
from harness import chapters, read_through, visit
from playwright.sync_api import Browser, Page, expect
from test_exercises import RIGHT, WRONG
from test_pages_access import LAYOUT, RUN, axe_finds_nothing, colors_are_apart

from bookext.live import files
from posenc import positional_encoding
from posread import diagnose
from wavebook import exercises

pytestmark = pytest.mark.live

CHAPTER = "book/order"
PATIENCE = 240  # seconds; a busy machine is slow to start Python

#: Numbers that are printed may differ by so much: NumPy is another version, and so are its sums of sines.
RELATIVE, ABSOLUTE = 1e-9, 1e-12
#: And so are its integers, in a machine of 32 bits.
INTEGER = re.compile(r"np\.int(32|64)")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d*)?(?:e[+-]?\d+)?")

#: What only a click may load.
RUNTIME = re.compile(r"/_static/(live/|live-)")


@pytest.fixture(scope="session", autouse=True)
def is_live(site):
    if not (site.root / "_static/live-settings.json").is_file():
        pytest.fail("the site has no Python: run `make live` first", pytrace=False)


@pytest.fixture
def chapter(browser_page, site) -> Page:
    return visit(browser_page, site.url(CHAPTER))


#: What runs a program of the page, and not one on a file of the reader's.
PROGRAMS = "[data-live]:not([data-ask-file])"


def cell(page: Page, number: int):
    """The nth cell that runs."""
    return page.locator(PROGRAMS).nth(number)


def told(place, pattern: str = r"^(Done|Stopped|Right|Not yet|Python could)") -> str:
    """What the page says of a run, once it says something that fits the pattern."""
    status, end = place.locator(".live-status"), time.monotonic() + PATIENCE
    while not re.search(pattern, text := status.text_content() or ""):
        assert time.monotonic() < end, f"after {PATIENCE} s the page says {text!r}"
        place.page.wait_for_timeout(50)
    return text


def run(place) -> str:
    place.locator(".live-run").click()
    return told(place)


def edit(place, text: str) -> None:
    place.locator(".live-run").wait_for()  # the buttons come after the explorers
    if (button := place.locator(".live-edit")).is_visible():
        button.click()
    place.locator(".live-editor").fill(text)


def test_what_was_typed_is_there_after_the_page_is_loaded_anew(chapter, site):
    """In the same tab, until it is reset; and nothing is loaded for it."""
    exercise = chapter.locator("#ex-order-count")
    edit(cell(chapter, 0), "first = 1")
    exercise.locator(".live-editor").fill("answer = 2")
    chapter.reload()
    assert told(cell(chapter, 0), "^As") == told(exercise, "^As") == "As you left it."
    assert cell(chapter, 0).locator(".live-editor").input_value() == "first = 1"
    assert exercise.locator(".live-editor").input_value() == "answer = 2"
    for place in (cell(chapter, 0), exercise):
        place.locator(".live-reset").click()
    chapter.reload()
    cell(chapter, 0).locator(".live-edit").wait_for()
    assert not cell(chapter, 0).locator(".live-editor").count()
    assert exercise.locator(".live-editor").input_value() != "answer = 2"
    assert exercise.locator(".live-status").text_content() == ""
    assert not list(filter(RUNTIME.search, chapter.guard.requests))


@pytest.fixture
def asker(browser_page, site):
    """The place that asks for a file, on the page that has it."""
    place = visit(browser_page, site.url("book/check-yours")).locator("[data-ask-file]")
    place.locator(".live-run").wait_for()
    return place


def paste(asker, text: str) -> None:
    asker.locator("label textarea").fill(text)


def test_a_file_of_the_readers_is_diagnosed(asker, tmp_path):
    """Chosen, dropped and pasted; and what the terminal would say stands there, to the letter."""
    page = asker.page
    table = positional_encoding(range(90), 32)
    asker.locator(".live-run").click()
    assert told(asker, "^There").startswith("There is no file yet")
    assert not list(filter(RUNTIME.search, page.guard.requests)), "nothing is loaded for no file"

    path = tmp_path / "half.npy"
    np.save(path, 0.5 * table)
    asker.locator("input[type=file]").set_input_files(path)
    assert "stays on this computer" in told(asker, "half.npy")
    assert run(asker) == "Done."
    assert asker.locator(".live-text").text_content().strip() == str(diagnose(0.5 * table))
    assert page.evaluate("document.querySelector('.live-figure').decode().then(() => true)"), "its hands"

    # Pasted: what is typed takes the place of the file.
    paste(asker, "\n".join(",".join(f"{x:.6f}" for x in row) for row in table))
    assert run(asker) == "Done."
    assert "No problem found" in asker.locator(".live-text").text_content()
    paste(asker, json.dumps({"model_type": "llama", "head_dim": 64, "rope_theta": 500_000.0}))
    assert run(asker) == "Done."
    assert "base:        500,000" in asker.locator(".live-text").text_content()
    paste(asker, "lorem ipsum " * 8_000)
    assert run(asker).startswith("Stopped by an error")
    error = asker.locator(".live-error").text_content()
    assert "the text must be rows of numbers or the JSON of a config.json" in error
    assert len(error) < 400

    # Dropped, several arrays, and the program edited by keyboard to name one.
    np.savez(tmp_path / "two.npz", one=table, other=table[::-1])
    page.evaluate(DROP, [list((tmp_path / "two.npz").read_bytes()), "two.npz"])
    assert run(asker).startswith("Stopped by an error")
    assert "one, other" in asker.locator(".live-output").text_content()
    editor = asker.locator(":scope > .live-editor")
    editor.fill(editor.input_value().replace("FILE)", 'FILE, "other")'))
    editor.press("Control+Enter")
    told(asker, "^(Running|Done)")
    assert told(asker) == "Done."
    assert "reverse order" in asker.locator(".live-text").text_content()

    asker.locator(".live-reset").click()
    assert asker.locator("label textarea").input_value() == ""
    assert "other" not in editor.input_value()
    page.guard.check()


def test_a_link_carries_what_was_pasted(asker, new_page):
    """Behind the number sign, which no server sees; and who opens it has it, before Python is loaded."""
    page = asker.page
    link = asker.get_by_role("button", name="Copy link")
    link.click()
    assert told(asker, "^A link").endswith("nothing is.")
    text = "1.0, 0.1, 0.01\nπ? <b>&"
    paste(asker, text)
    link.click()
    told(asker, "^(Copied|The address)")
    assert "#paste=" in page.url
    other = new_page()
    place = visit(other, page.url).locator("[data-ask-file]")
    assert told(place, "^As the link").endswith("Press Run.")
    assert place.locator("label textarea").input_value() == text
    assert not list(filter(RUNTIME.search, other.guard.requests))
    assert not [address for address in other.guard.requests if "paste" in address.partition("#")[0]]
    other.evaluate("location.hash = '#paste=broken!'")
    assert told(place, "damaged")
    place.locator(".live-reset").click()
    assert "#paste" not in other.url
    # What would make an address too long is refused.
    paste(asker, "".join(np.random.default_rng(0).choice(list("0123456789 "), size=100_000)))
    link.click()
    assert told(asker, "^That").startswith("That is too much for a link")


#: A file dropped on the place that asks for one.
DROP = """([bytes, name]) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name));
    document.querySelector("[data-ask-file]").dispatchEvent(
        new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
}"""


def test_the_place_for_a_file_is_for_everyone(asker):
    """Named controls in the order of the Tab key, and no wider than a phone."""
    page = asker.page
    for control in asker.locator("input, textarea, button").filter(visible=True).all():
        expect(control).to_have_accessible_name(re.compile(r"\w"))
    asker.locator("input[type=file]").focus()
    seen = []
    for _ in range(3):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.className"))
    assert seen == ["live-editor", "live-editor", "live-run"]
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
        box = asker.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width


def test_without_python_there_is_no_place_for_a_file(new_page, site):
    """But a sentence that names the command, here as where scripts are off."""
    page = new_page(java_script_enabled=False)
    page.goto(site.url("book/check-yours"))
    assert page.locator("[data-ask-file]").is_hidden()
    assert page.get_by_text("python -m posread diagnose FILE").first.is_visible()


def test_a_page_without_a_click_loads_none_of_it(new_page, site):
    for name in (CHAPTER, "book/tour"):
        page = new_page()
        read_through(visit(page, site.url(name)))
        assert not list(filter(RUNTIME.search, page.guard.requests))


def test_a_reader_runs_edits_errs_stops_and_resets(chapter):
    """In one visit, since each start of Python takes seconds; by keyboard where a reader might."""
    first, second = cell(chapter, 0), cell(chapter, 1)
    printed = first.locator(":scope > .cell_output pre").text_content().strip()
    first.locator(".live-run").focus()
    first.locator(".live-status").evaluate("""status => {
        window.said = [];
        new MutationObserver(() => said.push(status.textContent)).observe(status, {childList: true}); }""")
    chapter.keyboard.press("Enter")
    assert told(first) == "Done."
    said = chapter.evaluate("said")
    assert any(re.fullmatch(r"Loading Python: \d+\.\d MB of 12\.5 MB …", text) for text in said), said
    assert "Loading numpy: 3.1 MB …" in said
    assert agrees(first.locator(".live-text").text_content(), printed)
    assert first.locator(":scope > .cell_output").is_hidden()
    assert re.search(
        r"Python 3\.12\.\d+, NumPy 2\.\d+\.\d+, in your browser",
        first.locator(".live-versions").text_content(),
    )
    assert list(filter(RUNTIME.search, chapter.guard.requests))

    # An edit, and a cell below that sees it.
    edit(first, "dog_bites = np.ones((5, 8))\nfor row in dog_bites:")
    editor = first.locator(".live-editor")
    editor.press("End")
    editor.press("Enter")
    editor.press_sequentially("row[0] = 7")
    assert editor.input_value().endswith(":\n    row[0] = 7"), "Enter indents"
    editor.press("Control+Enter")
    assert told(first, "^Done;") == "Done; the program prints nothing."
    edit(second, "dog_bites.sum()")
    assert run(second) == "Done."
    assert "70.0" in second.locator(".live-text").text_content()

    # An error, and the way to its line.
    edit(second, "x = 1\ny = [0]\nfor i in range(3):\n    print(y[i])")
    assert run(second) == "Stopped by an error in line 4."
    error = second.locator(".live-error")
    assert re.match(r"Line 4:\n +print\(y\[i\]\)\nIndexError: list index out of range", error.text_content())
    assert second.locator(".live-text").text_content().strip() == "0"
    second.get_by_role("button", name="Go to line 4").click()
    chosen = "(e => e.value.slice(e.selectionStart, e.selectionEnd))(document.activeElement)"
    assert chapter.evaluate(chosen) == "    print(y[i])"
    edit(second, "if True print(1)")
    assert run(second) == "Stopped by an error in line 1."
    assert "SyntaxError" in error.text_content()

    # A program that does not end; the next run starts anew, and finds what it needs.
    edit(second, "while True:\n    pass")
    second.locator(".live-run").click()
    told(second, "Running")
    assert not first.locator(".live-stop").is_visible()
    first.locator(".live-run").click()
    assert "Another program is running" in first.locator(".live-status").text_content()
    second.locator(".live-stop").click()
    assert told(second) == "Stopped. The next run starts Python again."
    edit(second, "dog_bites.sum()")
    assert run(second) == "Done."
    assert "70.0" in second.locator(".live-text").text_content()

    # Everything as it was.
    for place in (first, second):
        place.get_by_role("button", name="Reset").click()
        assert not place.locator(".live-editor").count()
        assert not place.locator(".live-output").is_visible()
        assert place.locator(":scope > .cell_output").is_visible()
    assert run(first) == "Done."
    assert agrees(first.locator(".live-text").text_content(), printed)

    # A figure, for which Matplotlib comes now, in the same session.
    edit(first, "import matplotlib.pyplot as plt\nplt.plot([0, 1]);")
    assert run(first) == "Done."
    assert not first.locator(".live-text").count(), "nothing is printed with it"
    assert chapter.evaluate("document.querySelector('.live-figure').decode().then(() => true)")
    axe_finds_nothing(chapter, RUN.replace("document", "'[data-live]'", 1), least=5)


def test_an_answer_is_checked(chapter):
    exercise = chapter.locator("#ex-order-count")
    exercise.scroll_into_view_if_needed()
    assert run(exercise).startswith("Not yet. Set sentences and told_apart:")
    assert exercise.locator(".live-status code").all_text_contents() == ["sentences", "told_apart"]
    axe_finds_nothing(chapter, RUN.replace("document", "'.live-answer'", 1), least=5)
    for program, words in [WRONG["ex-order-count"][0], (RIGHT["ex-order-count"][0], "Right.")]:
        exercise.locator(".live-editor").fill(program)
        assert words in run(exercise)
    axe_finds_nothing(chapter, RUN.replace("document", "'.live-answer'", 1), least=5)
    # The names of a try before do not count.
    exercise.locator(".live-editor").fill("print('so')")
    assert run(exercise).startswith("Not yet. Set sentences")
    assert exercise.locator(".live-text").text_content() == "so\n"
    exercise.get_by_role("button", name="Reset").click()
    assert exercise.locator(".live-editor").input_value() == "sentences = ...\ntold_apart = ..."


def test_every_exercise_that_is_checked_has_its_place(new_page, site):
    found = []
    for name in chapters():
        data = re.search(r'id="live-data"[^>]*>(.*?)</script>', (site.root / f"{name}.html").read_text())
        found += [one["label"] for one in json.loads(data[1])["exercises"]] if data else []
    assert sorted(found) == sorted(task.label for task in exercises.tasks())


def differences(found: str, wanted: str) -> list[tuple[float, float]] | None:
    """The numbers of two printed texts in pairs, where they differ; None where other things do."""
    found, wanted = (INTEGER.sub("np.int", text) for text in (found, wanted))
    texts = [re.sub(r"\s+", "", NUMBER.sub("0", text)) for text in (found, wanted)]
    numbers = [list(map(float, NUMBER.findall(text))) for text in (found, wanted)]
    if texts[0] != texts[1] or len(numbers[0]) != len(numbers[1]):
        return None
    return [(one, other) for one, other in zip(*numbers, strict=True) if one != other]


def agrees(found: str, wanted: str) -> bool:
    """Whether two printed texts say the same, but for white space and the tolerance of numbers."""
    pairs = differences(found, wanted)
    return pairs is not None and all(
        math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE) for one, other in pairs
    )


def test_agreement_is_of_all_numbers():
    assert agrees("[1.0, 2.50]", "[1.0,\n 2.5]")
    assert not agrees("1.0", "1.00001")
    assert not agrees("1 2", "1")
    assert not agrees("a 1", "b 1")
    assert differences("[np.int32(3), 1.0]", "[np.int64(3), 1.5]") == [(1.0, 1.5)]


def formulas(notebook: Path) -> dict[str, str]:
    """The programs of a chapter that show a formula, and its TeX, as they were when the chapter was built."""
    found = {}
    for each in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in each.get("outputs", []):
            if tex := "".join(output.get("data", {}).get("text/latex", "")):
                found["".join(each["source"]).strip()] = tex.strip("$").removeprefix("\\displaystyle").strip()
    return found


@pytest.mark.over(chapters())
def test_the_browser_prints_what_the_page_prints(new_page, site, page_name, record_property):
    page = visit(new_page(), site.url(page_name))
    count = page.locator(PROGRAMS).count()
    if not count:
        pytest.skip("no program of this page runs in it")
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true; })")
    page.add_style_tag(
        content=".toggle-hidden > * { display: block !important; visibility: visible !important }"
    )
    faults, pairs, wanted_formulas = [], [], formulas(site.notebook(page_name))
    for number in range(count):
        place = cell(page, number)
        source = place.locator(".cell_input pre").text_content().strip()
        tex = wanted_formulas.get(source)
        wanted = tex or " ".join(place.locator(":scope > .cell_output pre").all_text_contents())
        pictures = place.locator(":scope > .cell_output img").count()
        place.locator(".live-run").evaluate("button => button.click()")
        said = told(place)
        if tex and place.locator(".live-math > math").count():
            found = place.locator(".live-math > math").get_attribute("alttext")
        else:
            found = " ".join(place.locator(".live-output > pre").all_text_contents())
        apart = differences(found, wanted)
        pairs += apart or []
        same = agrees(found, wanted) and place.locator(".live-figure").count() == pictures
        if not said.startswith("Done") or not same:
            faults.append(f"program {number + 1}: {said}\n{found[:300]}\ninstead of\n{wanted[:300]}")
    record_property("programs", count)
    record_property("differences", pairs)
    assert not faults, "\n".join(faults)


def test_axe_finds_nothing(new_page, site):
    phone = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    for options in ({"color_scheme": "dark"}, phone):
        page = visit(new_page(**options), site.url(CHAPTER))
        first = cell(page, 0)
        edit(first, "print('so')\n1 / 0")
        assert run(first) == "Stopped by an error in line 2."
        if options is phone:
            axe_finds_nothing(page, LAYOUT, least=1)
        else:
            colors_are_apart(page, set())
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_from_the_disk_the_button_says_why_not(browser: Browser, site):
    page = browser.new_page()
    page.goto(site.file_url(CHAPTER))
    place = cell(page, 0)
    place.locator(".live-run").click()
    assert "only on a page that comes from a server" in told(place, "server")
    page.close()


def test_every_file_is_the_lock_s_and_billed(site):
    folder = site.root / "_static" / files.FOLDER
    lock = json.loads((folder / files.LOCK).read_text())
    for name in files.WHEELS:
        entry = lock["packages"][name]
        assert hashlib.sha256((folder / entry["file_name"]).read_bytes()).hexdigest() == entry["sha256"]
    assert site.billed() == site.shipped()


def test_a_reader_with_firefox(tmp_path, site):
    program = find_firefox()
    if not program:
        pytest.skip("no Firefox is installed")
    with start(program, tmp_path / "profile") as firefox:
        firefox.open(site.url(CHAPTER))
        firefox.evaluate("""(async () => {
            while (!document.querySelector('.live-run')) await new Promise(requestAnimationFrame);
            window.program = document.querySelector('[data-live]');
            window.exercise = document.querySelector('#ex-order-count');
        })()""")

        def press(place: str, button: str) -> str:
            """Press a button; what the page then says."""
            firefox.evaluate(f"{place}.querySelector('.live-{button}').click()")
            end = time.monotonic() + PATIENCE
            while not re.match(
                "Done|Stopped|Right|Not yet|Python could|As it was|Shift",
                said := firefox.evaluate(f"{place}.querySelector('.live-status').textContent"),
            ):
                assert time.monotonic() < end, said
                time.sleep(0.2)
            return said

        def write(place: str, text: str) -> None:
            firefox.evaluate(f"{place}.querySelector('.live-editor').value = {json.dumps(text)}")

        def shown(selector: str) -> str:
            return firefox.evaluate(f"program.querySelector('{selector}').textContent")

        assert press("program", "run") == "Done."
        assert agrees(shown(".live-text"), shown(":scope > .cell_output pre"))
        press("program", "edit")
        write("program", "x = 1\nx / 0")
        assert press("program", "run") == "Stopped by an error in line 2."
        assert "ZeroDivisionError" in shown(".live-error")
        write("program", "while True:\n    pass")
        firefox.evaluate("program.querySelector('.live-run').click()")
        assert press("program", "stop") == "Stopped. The next run starts Python again."
        assert press("program", "reset") == "As it was."
        for text, words in [WRONG["ex-order-count"][0], (RIGHT["ex-order-count"][0], "Right.")]:
            write("exercise", text)
            assert words in press("exercise", "run")
        assert press("exercise", "reset") == "As it was."
        assert not firefox.complaints(site.origin)
