"""What every explorer shares: checked traits, one joined ES module, one style sheet, and a still.

How to write an explorer
------------------------
1. ``my_idea.py`` holds a subclass. Its traits are declared with the types below, which check what they are given and
   carry the range and step of their slider; its ``still`` draws a Matplotlib figure of the current values
   (in :mod:`posenc.figures.stills`), for readers without JavaScript and for print::

       class MyIdea(Explorer):
           slug = "my-idea"                                # data-explorer on the page, my_idea.js here
           d_model = Width(64, high=512)
           base = Base()

           def still(self):
               return stills.my_idea(self.d_model, self.base)

2. ``my_idea.js`` beside it holds only the drawing, and no import: the class joins ``math.js``, ``kit.js`` and it into one
   module, because a notebook loads the module from a blob, where a relative import has no place to be relative to::

       export default explorer("My idea", (kit) => {
         kit.slider("d_model", { label: "width *d*" });             // *d* is set in italics
         kit.slider("base", { label: "base *b*" });
         const plot = kit.panel({ height: 260 });
         return ({ d_model, base }) => {                            // called once for each drawing, with the traits' values
           const x = scale([1, 100], [40, plot.width - 10], "log"); // plot.width is in pixels of the page
           plot.draw(axes(x, y, { x: "offset" }) + path(points, "sine"), "What the drawing shows, with its numbers.");
         };
       });

   Besides sliders the kit makes radio groups (``kit.choice``), buttons (``kit.button``) and text (``kit.note``); ``plot.map`` lays
   a heatmap under the drawing, ``kit.set(trait, value)`` moves a trait, ``kit.redraw()`` asks for a drawing, and what is started
   is stopped by ``kit.onCleanup``. ``kit.js`` says the rest, above each function.
3. Numbers come from ``math.js``, never from a formula in the drawing; a new function there gets its line in
   ``tests/test_explorers.py``, which holds it against Python. Colours are classes (``sine``, ``cosine``, ``shifted``, ``claimed``,
   ``muted``; ink is the default); a canvas asks ``kit.colour(role)``, and ``diverging(value)`` is the heatmaps' map.
   ``SPEC.constants`` is the class's ``constants``, for numbers that are better computed in Python.
4. Export it in ``explorers/__init__.py``. The tests find it there.

Every slider is drawn by the kit, is named after its trait, and moves it: ``explorer.position = 7`` in a notebook moves the
slider, and moving the slider sets ``explorer.position``. After every drawing the root dispatches ``posenc:drawn``.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import anywidget
import traitlets

from posenc._validate import check_base, check_d_model, check_real
from posenc.figures.style import PALETTE, BookFigure

FOLDER = Path(__file__).parent


class Number(traitlets.TraitType):
    """A finite real number in [low, high]; its slider moves in steps of ``step``, with ``log=True`` in steps of its log10.

    ``integer=True`` allows whole numbers only.
    """

    def __init__(
        self,
        default: float,
        *,
        low: float,
        high: float,
        step: float = 1,
        integer: bool = False,
        log: bool = False,
    ):
        super().__init__(default)
        self.low, self.high, self.step, self.integer, self.log = low, high, step, integer, log
        self.tag(sync=True)

    def validate(self, obj, value):
        number = check_real(value, self.name)
        allowed = f"{'an integer' if self.integer else 'a number'} from {self.low:g} to {self.high:g}"
        if number.ndim:
            raise ValueError(f"{self.name} must be {allowed}, got an array of shape {number.shape}")
        if not self.low <= number <= self.high or (self.integer and number % 1):
            raise ValueError(f"{self.name} must be {allowed}, got {value!r}")
        return int(number) if self.integer else float(number)

    def spec(self) -> dict:
        """What the slider needs to know."""
        return {"min": self.low, "max": self.high, "step": self.step} | ({"log": True} if self.log else {})


class Width(Number):
    """d_model: an even integer from 2 to ``high``."""

    def __init__(self, default: int, *, high: int):
        super().__init__(default, low=2, high=high, step=2, integer=True)

    def validate(self, obj, value):
        return super().validate(obj, check_d_model(value))


class Base(Number):
    """The base b, from 2 to 10^7; its slider is logarithmic, a hundred steps to the decade."""

    def __init__(self, default: float = 10_000.0):
        super().__init__(default, low=2, high=1e7, step=0.01, log=True)

    def validate(self, obj, value):
        return super().validate(obj, check_base(value))


class Choice(traitlets.TraitType):
    """One of ``options``."""

    def __init__(self, default, options: tuple):
        super().__init__(default)
        self.options = options
        self.tag(sync=True)

    def validate(self, obj, value):
        if value not in self.options:
            raise ValueError(
                f"{self.name} must be one of {', '.join(map(repr, self.options))}, got {value!r}"
            )
        return value

    def spec(self) -> dict:
        return {"options": self.options}


class Explorer(anywidget.AnyWidget):
    """A figure with sliders: a widget in a notebook, the same module in the plain page, a still elsewhere.

    Subclass it as this module's own documentation says.
    """

    #: The explorer's name on the page, as data-explorer; its drawing is in the file of that name.
    slug: str
    #: Files of pure functions beside math.js that only this explorer needs.
    mathematics: tuple[str, ...] = ()
    #: Numbers computed in Python that the drawing needs; the module sees them as SPEC.constants.
    constants: dict = {}

    def __init_subclass__(cls, **options):
        if "slug" in vars(
            cls
        ):  # anywidget subclasses each instance's class once more, to add traits of these names
            if taken := sorted(spec_of(cls).keys() & set(anywidget.AnyWidget.class_trait_names())):
                raise TypeError(
                    f"{cls.__name__} must not name a trait {', '.join(taken)}: every widget has its own"
                )
            cls._esm = module_text(cls)
            cls._css = style_sheet()
        super().__init_subclass__(**options)

    def __init__(self, **values):
        own = spec_of(type(self))
        if unknown := sorted(values.keys() - own.keys()):
            raise TypeError(
                f"{type(self).__name__} has no {', '.join(unknown)}; it has {', '.join(sorted(own))}"
            )
        super().__init__(**values)

    def still(self) -> BookFigure:
        """The explorer as a figure, at its present values."""
        raise NotImplementedError

    def __repr__(self) -> str:
        values = ", ".join(f"{trait}={getattr(self, trait)!r}" for trait in spec_of(type(self)))
        return f"{type(self).__name__}({values})"

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        return data | {"image/png": base64.b64encode(self.still().png()).decode()}, metadata


def spec_of(cls: type[Explorer]) -> dict[str, dict]:
    """Trait name -> what its control needs to know, for the traits that have a control."""
    # Not class_traits(): that is filled only after the class is made, and the module is written while it is made.
    members = (member for ancestor in reversed(cls.__mro__) for member in vars(ancestor).items())
    return {name: trait.spec() for name, trait in members if isinstance(trait, (Number, Choice))}


def module_text(cls: type[Explorer]) -> str:
    """The ES module of an explorer: its constants, the shared mathematics, the kit and its own drawing, in one text."""

    def lines(script: str) -> str:
        """A script without its comment lines and indentation: every page carries it in full."""
        return re.sub(r"(?m)^[ \t]+|^[ \t]*//.*\n", "", (FOLDER / script).read_text())

    spec = {"slug": cls.slug, "traits": spec_of(cls), "constants": cls.constants}
    scripts = ("math.js", *cls.mathematics, "kit.js", cls.slug.replace("-", "_") + ".js")
    return "\n".join(
        [
            f"const DIVERGING = {json.dumps(PALETTE['diverging'])};",
            f"const SPEC = {json.dumps(spec)};",
            *(lines(script) for script in scripts),
        ]
    )


def style_sheet() -> str:
    """explorer.css, and the palette's colours: those of the page's theme where it names one, else the reader's own."""

    def colours(theme: str) -> str:
        roles = (
            f"--posenc-{role}:{pair[theme]};" for role, pair in PALETTE.items() if isinstance(pair, dict)
        )
        return "{color-scheme:" + theme + ";" + "".join(roles) + "}"

    root = ".posenc-explorer"
    return "\n".join(
        [
            f"{root}{colours('light')}",
            # Paper is white, whatever the theme: hence "screen".
            f'@media screen{{html[data-theme="dark"] {root},body[data-jp-theme-light="false"] {root}{colours("dark")}}}',
            f"@media screen and (prefers-color-scheme:dark){{"
            f"html:not([data-theme]) body:not([data-jp-theme-light]) {root}{colours('dark')}}}",
            (FOLDER / "explorer.css").read_text(),
        ]
    )
