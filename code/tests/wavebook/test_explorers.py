"""The explorers: their traits in Python, their stills, their mathematics and manners in a browser."""

import base64
import gzip
import inspect
import io
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from explorer_page import labels, setting, values
from lxml import etree
from PIL import Image

import wavebook.explorers
from bookext.sphinx import stills
from posenc import positional_encoding
from wavebook.explorers import AllHeads, CircleWaves, Cliff, Clock, Heatmap, Machine, near_returns
from wavebook.explorers.base import Choice, Explorer, spec_of
from wavebook.explorers.circle_waves import LAYERS
from wavebook.figures.style import DIVERGING
from wavebook.palette import PALETTE

CLASSES = [
    cls
    for cls in (getattr(wavebook.explorers, name) for name in wavebook.explorers.__all__)
    if isinstance(cls, type)
]
#: One of each to be drawn: every explorer as it comes, and circle and waves in each of its layers.
EXPLORERS = [pytest.param(cls, id=cls.slug) for cls in CLASSES if cls is not CircleWaves]
EXPLORERS += [
    pytest.param(lambda show=show: Machine(show=show, position=5), id=f"machine-{show}")
    for show in ("image", "compare")
]
EXPLORERS += [
    pytest.param(lambda layer=layer: CircleWaves(layer=layer), id=f"circle-waves-{layer}") for layer in LAYERS
]


# --- Python


def test_values_are_kept():
    explorer = CircleWaves(layer="chord", position=np.float64(3.25), offset=np.float32(5))
    assert (explorer.position, explorer.offset) == (3.25, 5)
    explorer.position = np.int64(7)
    assert explorer.position == 7
    assert type(explorer.position) is float
    assert type(Clock(d_model=np.int64(6)).d_model) is int


@pytest.mark.parametrize("make", EXPLORERS)
def test_bundle_has_a_widget_and_its_name(make):
    explorer = make()
    data, _ = explorer._repr_mimebundle_()
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.model_id
    assert data["text/plain"].startswith(type(explorer).__name__)


@pytest.mark.parametrize("cls", CLASSES)
def test_module_stands_alone(cls):
    explorer = cls()
    text = explorer._esm
    assert not re.search(r"\bimport\b|\brequire\b|https?:", text)
    assert text.count("export default") == 1
    written = len(text) - (len(json.dumps(cls.constants)) if cls in (AllHeads, Cliff) else 0)
    assert written <= 59_000, "light enough for every page to carry it"
    # All heads of a language model are many, and one page has them.
    most = 140_000 if cls is AllHeads else 60_000
    assert len(gzip.compress(text.encode())) <= most, "with what is recorded"
    for role, pair in PALETTE.items():
        if isinstance(pair, dict):
            assert f"--posenc-{role}:{pair['light']};" in explorer._css
            assert f"--posenc-{role}:{pair['dark']};" in explorer._css


def test_an_explorer_is_imported_when_it_is_asked_for():
    script = """if True:
        import sys, wavebook.explorers
        assert not {"anywidget", "matplotlib", "wavebook.explorers.base"} & set(sys.modules)
        assert set(wavebook.explorers.__all__) <= set(dir(wavebook.explorers))
        from wavebook.explorers import Clock
        assert "wavebook.explorers.clock" in sys.modules and "wavebook.explorers.torus" not in sys.modules
        assert not hasattr(wavebook.explorers, "Sundial")"""
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("cls", CLASSES)
def test_each_trait_is_documented_with_what_it_can_be(cls):
    """In the text that a notebook shows for `Clock?`, which is made of the traits."""
    section = inspect.getdoc(cls).partition("Parameters\n----------\n")[2]
    documented = dict(line.split(" : ", 1) for line in section.splitlines())
    traits = spec_of(cls)
    assert list(documented) == list(traits), "in another order, or not all"
    for name, spec in traits.items():
        if "options" in spec:
            assert all(repr(option) in documented[name] for option in spec["options"])
        else:
            assert f"from {spec['min']:g} to {spec['max']:g}" in documented[name]


def test_near_returns_are_the_fractions_of_a_turn():
    """Oracle: with 50 digits of pi, no smaller offset, and no single step, comes as near to whole turns."""
    from mpmath import mp, nint, pi

    with mp.workdps(50):
        gap = [abs(k - 2 * pi * nint(k / (2 * pi))) for k in range(1, 1001)]
    expected = [k for k in range(2, 1001) if gap[k - 1] < min(gap[: k - 1])]
    assert near_returns(1000) == expected
    assert {44, 710} < set(expected)


# --- In a browser


def shapes(drawing):
    """The elements of a drawing: name, class and text of each, and the numbers of where it is."""
    return [
        (etree.QName(element).localname, element.get("class", ""), element.text or "", numbers_of(element))
        for element in drawing.iter(etree.Element)
    ]


def numbers_of(element):
    """The numbers of an element's attributes, in their order by name."""
    own = " ".join(value for name, value in sorted(element.items()) if name not in ("class", "style"))
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", own)]


@pytest.mark.parametrize("make", EXPLORERS)
def test_the_still_is_what_a_browser_draws_first(mount, make):
    """Another engine, another page: the same drawings, and the same words beside them."""
    explorer = make()
    still = stills.draw(setting(explorer) | {"_esm": explorer._esm, "_css": explorer._css})
    page = mount(explorer)
    assert page.evaluate("root.clientWidth") == 768, "as wide as the still"
    drawn = page.evaluate("""[...root.querySelectorAll('.panel > svg')].map((svg) => {
        svg.querySelectorAll('.grip').forEach((grip) => grip.remove());
        return new XMLSerializer().serializeToString(svg); })""")
    assert still.label == " ".join(labels(page))
    assert json.loads(still.values) == values(page)
    panels = [part for part in etree.fromstring(still.svg.encode()) if part.tag.endswith("}svg")]
    assert len(panels) == len(drawn)
    for ours, theirs in zip(panels, map(etree.fromstring, drawn), strict=True):
        ours, theirs = shapes(ours)[1:], shapes(theirs)[1:]
        ours = [shape for shape in ours if shape[0] != "image"]
        assert [shape[:3] for shape in ours] == [shape[:3] for shape in theirs]
        for one, other in zip(ours, theirs, strict=True):
            assert one[3] == pytest.approx(other[3], abs=0.11), one  # drawings round to a tenth of a pixel
    maps = page.evaluate("""[...root.querySelectorAll('canvas')].map((canvas) =>
        Array.from(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data))""")
    pictures = re.findall(r'href="data:image/png;base64,([^"]+)"', still.svg)
    for colors, picture in zip(maps, pictures, strict=True):
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGBA"))
        np.testing.assert_allclose(pixels.ravel(), colors, atol=1)
    settings = page.evaluate("""[...root.querySelectorAll('.control')].map((control) =>
        (control.querySelector('output') ?? control.querySelector(':checked + span')).innerHTML)""")
    assert [value for _, value in still.settings] == settings


def test_a_map_of_512_by_200_is_right(mount):
    page = mount(Heatmap(d_model=512))
    colors = page.evaluate("""() => Array.from(root.querySelector("canvas").getContext("2d")
        .getImageData(0, 0, 512, 200).data)""")
    expected = 255 * DIVERGING((positional_encoding(np.arange(200), 512) + 1) / 2)
    # Matplotlib's map has 256 steps; between two of them the color differs by less than three of 255.
    np.testing.assert_allclose(np.reshape(colors, (200, 512, 4)), expected, atol=3)


@pytest.mark.parametrize("make", EXPLORERS)
def test_first_drawing_is_at_once_and_later_ones_once_a_frame(mount, make):
    page = mount(make())
    assert page.evaluate("atOnce") == 1
    assert page.evaluate("root.dataset.explorer") == make().slug
    page.evaluate("frames()")
    drawn = page.evaluate("host.drawn")
    values = page.evaluate("""async () => {
        const input = root.querySelector('input[type=range]');
        for (let i = 0; i < 30; i += 1) {
            input.value = String(i % 2 ? input.max : input.min);
            input.dispatchEvent(new Event('input'));
        }
        const now = host.drawn; await frames(3); return [now, host.drawn]; }""")
    assert values == [drawn, drawn + 1]


@pytest.mark.parametrize("make", EXPLORERS)
def test_each_drawing_has_its_values(mount, make):
    """The setting, and what the view computes: a tenth of a slider's way on, both are the new ones."""
    page = mount(make())
    traits = spec_of(type(make()))
    before = values(page)
    assert traits.keys() < before.keys(), "a view says more than its setting"
    slider = page.locator(".controls input[type=range]").first
    name = slider.get_attribute("name")
    slider.evaluate("""input => {
        const way = input.max - input.min;
        input.value = Number(input.value) + (input.value - input.min > way / 2 ? -0.1 : 0.1) * way;
        input.dispatchEvent(new Event('input')); }""")
    page.evaluate("frames()")
    after = values(page)
    assert after[name] == page.evaluate("(name) => model.get(name)", name) != before[name]
    assert {key for key in after if after[key] != before[key]} - traits.keys(), "what is computed changes too"


@pytest.mark.parametrize("make", EXPLORERS)
def test_a_sequence_has_a_length_and_a_vector_a_size(mount, make):
    page = mount(make())
    said = " ".join([page.locator("[data-explorer]").text_content(), *labels(page)])
    assert not re.search(r"(?<!sequence )(?<!rained )\blengths?\b(?! L)|[\d.]+ long\b|long as its", said), (
        said
    )


@pytest.mark.parametrize("make", EXPLORERS)
def test_controls_work_from_the_keyboard(mount, make):
    page = mount(make())
    page.evaluate("window.leaked = 0; document.body.addEventListener('keydown', () => { leaked += 1; })")
    inputs = page.locator("input")
    assert inputs.count() >= 1
    seen = set()
    for input in inputs.all():
        trait, kind = input.get_attribute("name"), input.get_attribute("type")
        assert trait in spec_of(type(make()))
        if (trait, kind) in seen:
            continue
        seen.add((trait, kind))
        label = page.get_by_role("slider" if kind == "range" else "radio", name=re.compile(r"\w")).and_(
            page.locator(f"[name={trait}]")
        )
        assert label.count() >= 1, f"{trait} has no accessible name"
        for key in ("ArrowRight", "ArrowLeft") if kind == "range" else ("ArrowRight",):
            state, said = f"[picture(), model.get('{trait}'), host.saved ?? 0, host.drawn]", labels(page)
            before = page.evaluate(state)
            (input if kind == "range" else page.locator(f"input[name={trait}]:checked")).press(key)
            page.evaluate("frames()")
            after = page.evaluate(state)
            assert after[0] != before[0], f"the drawing does not follow {trait}"
            assert kind == "range" or labels(page) != said, f"nor does what it says follow {trait}"
            assert after[1] != before[1]
            assert after[2] > before[2]
            assert after[3] > before[3]
    assert page.evaluate("leaked") == 0


@pytest.mark.parametrize("make", EXPLORERS)
def test_sliders_follow_the_model(mount, make):
    """A value set by the kernel looks as it does when the reader sets it."""
    page = mount(make())
    for slider in page.locator("input[type=range]").all():
        trait, shown = slider.get_attribute("name"), page.locator(f"output[for={slider.get_attribute('id')}]")

        def look(slider=slider, shown=shown):
            page.evaluate("frames()")
            return slider.input_value(), shown.text_content(), labels(page)

        slider.press("End")
        looks = [look()]
        top = page.evaluate(f"model.get('{trait}')")
        slider.press("Home")
        looks.append(look())
        page.evaluate("([trait, value]) => model.set(trait, value)", [trait, top])
        looks.append(look())
        assert looks[0] == looks[2]
        assert all(end != home for end, home in zip(looks[0], looks[1], strict=True))
        assert slider.get_attribute("aria-valuetext") == shown.text_content()


def test_base_slider_is_logarithmic_and_shows_the_base_it_sets(mount):
    page = mount(Clock())
    slider = page.locator("input[name=base]")
    for key, base in (("Home", 2), ("End", 1e7), ("ArrowLeft", 9.77e6)):
        slider.press(key)
        assert page.evaluate("model.get('base')") == base
        page.evaluate("frames()")  # it is written with the drawing
        assert (
            float(page.locator(f"output[for={slider.get_attribute('id')}]").text_content().replace(",", ""))
            == base
        )


@pytest.mark.parametrize("make", EXPLORERS)
def test_cleanup_leaves_nothing(mount, make):
    page = mount(make())
    assert page.evaluate("Object.values(listeners).flat().length") > 0
    drawn = page.evaluate("""async () => {
        let drawn = 0;
        root.addEventListener('posenc:drawn', () => { drawn += 1; });
        const input = root.querySelector('input[type=range]');
        input.dispatchEvent(new Event('input')); // asks for a drawing, which must not come any more
        cleanup(); await frames(3); return drawn; }""")
    assert drawn == 0
    assert page.evaluate("[Object.values(listeners).flat().length, host.children.length]") == [0, 0]


@pytest.mark.parametrize(
    ("page_says", "system", "expected"),
    [
        ("document.documentElement.dataset.theme = 'dark'", "light", "dark"),
        ("document.documentElement.dataset.theme = 'light'", "dark", "light"),
        ("document.body.dataset.jpThemeLight = 'false'", "light", "dark"),
        ("document.body.dataset.jpThemeLight = 'true'", "dark", "light"),
        ("0", "dark", "dark"),
        ("0", "light", "light"),
    ],
)
def test_colors_follow_the_page_then_the_system(mount, page_says, system, expected):
    page = mount(CircleWaves(), color_scheme=system)
    page.evaluate(page_says)
    assert (
        page.evaluate("getComputedStyle(root).getPropertyValue('--posenc-sine').trim()")
        == PALETTE["sine"][expected]
    )
    page.emulate_media(media="print")
    assert (
        page.evaluate("getComputedStyle(root).getPropertyValue('--posenc-sine').trim()")
        == PALETTE["sine"]["light"]
    )


# Every slider at its least value and its greatest, in every combination: the heights that this leads to.
CORNERS = """async () => {
    const sliders = [...root.querySelectorAll('input[type=range]')], heights = new Set();
    await withoutScreen((draw) => {
        for (let corner = 0; corner < 2 ** sliders.length; corner += 1) {
            sliders.forEach((slider, number) => {
                slider.value = corner >> number & 1 ? slider.max : slider.min;
                slider.dispatchEvent(new Event('input', { bubbles: true }));
            });
            draw();
            heights.add(root.offsetHeight);
        }
    });
    return [...heights];
}"""


@pytest.mark.parametrize("width", [360, 800])
@pytest.mark.parametrize("make", EXPLORERS)
def test_nothing_overflows_or_jumps(mount, make, width):
    page = mount(make(), viewport={"width": width, "height": 900})
    drawn = page.evaluate("host.drawn")
    heights = page.evaluate(CORNERS)
    assert page.evaluate("host.drawn") > drawn, "moved by no key, and yet drawn anew"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(heights) == 1, f"the page below would jump: {heights}"
    narrowest = page.evaluate(
        "Math.min(...[...root.querySelectorAll('svg, canvas')].filter((drawing) => drawing.checkVisibility())"
        ".map((drawing) => drawing.clientWidth))"
    )
    assert narrowest >= 290, "drawings stack before they grow too small to read"


@pytest.mark.parametrize("make", EXPLORERS)
def test_a_drawing_is_small_enough_for_a_frame(mount, make):
    """Elements and not milliseconds: they cost the same everywhere."""
    page = mount(make())
    drawn, most = page.evaluate("""() => withoutScreen((draw) => {
        const input = root.querySelector('input[type=range]'), before = host.drawn; let most = 0;
        for (let i = 0; i < 40; i += 1) {
            input.value = String(Number(input.min) + (Number(input.max) - Number(input.min)) * i / 40);
            input.dispatchEvent(new Event('input'));
            draw();
            most = Math.max(most, root.querySelectorAll('svg *').length);
        }
        return [host.drawn - before, most]; })""")
    assert drawn == 40
    print(f"{most} elements")
    assert 10 < most < 500


def test_a_trait_of_every_widget_is_not_taken():
    """A trait called `layout` works alone; it is overwritten where widgets are stored with their layout."""
    with pytest.raises(TypeError, match="Crooked must not name a trait layout"):
        type("Crooked", (Explorer,), {"slug": "clock", "layout": Choice("on", ("on", "off"))})
