"""What every explorer shares: checked traits, one joined ES module, and one style sheet.

How to write an explorer
------------------------
1. ``my_idea.py`` holds a subclass. Its traits are declared with the types below, which check what they are
   given and carry the range and step of their slider::

       class MyIdea(Explorer):
           slug = "my-idea"             # data-explorer on the page, js/views/my_idea.js here
           d_model = Width(64, high=512)
           base = Base()

2. ``js/views/my_idea.js`` holds the drawing. It imports what it needs from ``js/lib``::

       // @ts-check
       import { frequencies } from "../lib/encoding.js";
       import { explorer } from "../lib/kit/explorer.js";

       /** @import { Kit } from "../types" */
       /** @typedef {{ d_model: number, base: number }} Traits */

       export default explorer("My idea", (/** @type {Kit<Traits>} */ kit) => {
         kit.slider("d_model", { label: "width *d*" });        // *d* is set in italics
         kit.slider("base", { label: "base *b*" });
         const plot = kit.panel({ height: 260 });
         return ({ d_model, base }) => {                       // called once for each drawing
           const x = scale([1, 100], [40, plot.width - 10]);   // plot.width is in pixels of the page
           const last = wavelength(frequencies(d_model, base).at(-1));
           plot.draw(axes(x, y, { xName: "offset" }), `Wavelengths up to ${short(last)}.`);
           return { last_wavelength: last };                   // what is to be seen, as data
         };
       });

   Besides sliders the kit makes radio groups (``kit.choice``), buttons (``kit.button``) and text
   (``kit.note``); ``plot.map`` lays a heatmap under the drawing, ``kit.set(trait, value)`` moves a trait,
   ``kit.redraw()`` asks for a drawing, and what is started is stopped by ``kit.onCleanup``.
   ``js/types.d.ts`` lists it all. For readers without JavaScript the build lets the module draw once, in an
   engine that has no page (`bookext.sphinx.stills`): so the first drawing comes from the traits alone, as SVG
   and maps, and measures no text.

   What the drawing function returns, and the setting of the traits, are the root's ``data-values``, as JSON,
   after each drawing: numbers, words, lists or tables by names that a test, a theorem in motion
   (``book/motion.yml``) or another program asks for. A name says its unit where it has one
   (``missed_degrees``, ``query_radians``); numbers are exact to six digits, and what is not there is null.
   The still has them too. A sentence for readers of the screen is the drawing's description; no program
   reads it.

   On the page a formula's symbol lights what shows it (``data-symbol``; ``book/symbols.yml``). A letter
   between stars shows itself. Other marks have a word of their own in their style, and ``kit.shows`` says
   which symbol that is: with ``kit.shows = { here: "p" }``, ``line(x, top, x, bottom, "hair here")`` shows
   the position *p*.

   What looks movable can be dragged: ``plot.draw(markup, description, grips)``, where a grip says where it is
   and what moving it makes of a trait. ``js/lib/kit/drag.js`` makes the usual ones::

       [hand("position", [hub, tip], hub, omega), cursor("offset", [[x(k), top], [x(k), bottom]], x)]

   The kit finds the nearest grip under a mouse or finger, keeps the value to the slider's steps, and gives
   back the old one at Escape. The sliders stay: whoever uses keys needs them.
3. Formulas are functions in ``js/lib``, never a part of a drawing; each has a line in
   ``tests/js/vectors.py``, which compares it with Python. Constants are Python's: ``SPEC.traits`` has every
   control's range or options and ``SPEC.constants`` the class's ``constants``. Colors are classes
   (``sine``, ``cosine``, ``shifted``, ``claimed``, ``muted``; ink is the default); a canvas asks
   ``kit.color(role)``, and ``SPEC.diverging`` is the heatmaps' map.
4. Name it in ``explorers/__init__.py``, for type checkers. All others find it by itself: a class is named
   after its module.

A notebook loads an explorer from a blob, where no module can import another, so
:mod:`wavebook.explorers.modules` joins its modules into one text when the first of its kind is made.

Any explorer takes a ``prediction``, a question that is asked first, and answered by letting it happen
(:mod:`wavebook.explorers.ask`). While it is open the controls wait, and what would give the answer away is
not drawn: the notes, a map, or a part of the drawing that the class names in its ``parts``. For such a part
the drawing asks ``kit.part(name)``, how much of it is to be seen: 0 while the question is open, 1 once it is
answered, and on the way from one to the other while the part draws itself; without a question it is 1. What
is left out has to be left out of the description, too. ``kit.smooth(trait)`` says that the drawing can show
the trait between whole numbers while it moves.

On the static page the setting of an explorer can be linked to: ``?NAME.trait=value&NAME.other=value``. NAME
is the slug; the second of a kind on a page is NAME-2, in the order of the page. A trait is one that has a
control here, with the control's limits (the layer of :class:`CircleWaves` has none). The root says in
``data-link`` what differs from how the explorer was made; the page's menu makes a link of it, with
``#explorer-NAME``, so that it comes into view. What an address
asks for and cannot have is named above the explorer, which shows its usual value. A prediction is about the
setting that the explorer was made with; where the address gives another, it counts as answered by "Show me"
and the setting is shown at once, whatever the acts would make of it. That is not remembered: the plain page
asks. A notebook has no such links.

Every slider is drawn by the kit, is named after its trait, and moves it: ``explorer.position = 7`` in a
notebook moves the slider, and moving the slider sets ``explorer.position``. After every drawing the root
dispatches ``posenc:drawn``.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from posenc.arguments import check_base, check_choice, check_d_model, check_real
from wavebook.explorers.ask import PARTS, Prediction
from wavebook.explorers.modules import joined
from wavebook.palette import PALETTE

SCRIPTS = Path(__file__).parent / "js"


class Number(traitlets.TraitType[Any, Any]):
    """A finite real number in [low, high].

    Its slider moves in steps of ``step``, with ``log=True`` in steps of its log10. ``integer=True`` allows
    whole numbers only.
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
    ) -> None:
        super().__init__(default)
        self.low, self.high, self.step, self.integer, self.log = low, high, step, integer, log
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> float:
        number = check_real(value, self.name or "value")
        allowed = f"{'an integer' if self.integer else 'a number'} from {self.low:g} to {self.high:g}"
        if number.ndim:
            raise ValueError(f"{self.name} must be {allowed}, got an array of shape {number.shape}")
        if not self.low <= number <= self.high or (self.integer and number % 1):
            raise ValueError(f"{self.name} must be {allowed}, got {value!r}")
        return int(number) if self.integer else float(number)

    def spec(self) -> dict[str, Any]:
        """What the slider needs to know."""
        return {"min": self.low, "max": self.high, "step": self.step} | ({"log": True} if self.log else {})


class Width(Number):
    """d_model: an even integer from 2 to ``high``."""

    def __init__(self, default: int, *, high: int) -> None:
        super().__init__(default, low=2, high=high, step=2, integer=True)

    def validate(self, obj: Any, value: Any) -> float:
        return super().validate(obj, check_d_model(value))


class Base(Number):
    """The base b, from 2 to 10^7; its slider is logarithmic, a hundred steps to the decade."""

    def __init__(self, default: float = 10_000.0) -> None:
        super().__init__(default, low=2, high=1e7, step=0.01, log=True)

    def validate(self, obj: Any, value: Any) -> float:
        return super().validate(obj, check_base(value))


class Choice(traitlets.TraitType[Any, Any]):
    """One of ``options``."""

    def __init__(self, default: Any, options: tuple[Any, ...]) -> None:
        super().__init__(default)
        self.options = options
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> Any:
        check_choice(value, str(self.name), self.options)
        return value

    def spec(self) -> dict[str, Any]:
        return {"options": self.options}


class Asked(traitlets.TraitType[Any, Any]):
    """A prediction, or none; it stays as it was made."""

    def __init__(self) -> None:
        super().__init__(None, allow_none=True)
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> Prediction | None:
        if value is not None and not isinstance(value, Prediction):
            raise TypeError(
                f"{self.name} must be made by a function of wavebook.explorers.ask, got {value!r}"
            )
        return value


class Explorer(anywidget.AnyWidget):
    """A figure with sliders: a widget in a notebook, the same module in the plain page.

    Subclass it as this module's own documentation says.
    """

    #: The explorer's name on the page, as data-explorer; its drawing is in the file of that name.
    slug: ClassVar[str]
    #: Numbers and names that the drawing gets from Python; its module sees them as SPEC.constants.
    constants: ClassVar[dict[str, Any]] = {}
    #: What its drawing can leave out while a question is open, besides `ask.PARTS`.
    parts: ClassVar[tuple[str, ...]] = ()
    #: The question that is asked before anything is shown; see :mod:`wavebook.explorers.ask`.
    prediction = Asked()
    _esm: str
    _css: str

    def __init_subclass__(cls, **options: Any) -> None:
        # anywidget makes a subclass for each instance's class too, which has the slug of another.
        if "slug" in vars(cls) and (
            taken := spec_of(cls).keys() & set(anywidget.AnyWidget.class_trait_names())
        ):
            names = ", ".join(sorted(taken))
            raise TypeError(f"{cls.__name__} must not name a trait {names}: every widget has its own")
        super().__init_subclass__(**options)

    def __init__(self, **values: Any) -> None:
        own = spec_of(type(self))
        if unknown := sorted(values.keys() - own.keys() - {"prediction"}):
            raise TypeError(
                f"{type(self).__name__} has no {', '.join(unknown)}; it has {', '.join(sorted(own))}"
            )
        for cls in type(self).__mro__:
            # anywidget reads both from the class; joining the modules can wait till here
            if issubclass(cls, Explorer) and "slug" in vars(cls) and "_esm" not in vars(cls):
                cls._esm, cls._css = module_text(cls), style_sheet()
        super().__init__(**values)
        if self.prediction is not None:
            setting = {trait: getattr(self, trait) for trait in own}
            _check_acts(self, self.prediction, setting)
            self.prediction = Prediction(self.prediction | {"setting": setting})

    def __repr__(self) -> str:
        values = ", ".join(f"{trait}={getattr(self, trait)!r}" for trait in spec_of(type(self)))
        return f"{type(self).__name__}({values})"


def spec_of(cls: type[Explorer]) -> dict[str, dict[str, Any]]:
    """Trait name -> what its control needs to know, for the traits that have a control."""
    # Not class_traits(): that is filled only after the class is made, and this is asked while it is made.
    members = (member for ancestor in reversed(cls.__mro__) for member in vars(ancestor).items())
    return {name: trait.spec() for name, trait in members if isinstance(trait, (Number, Choice))}


def _check_acts(explorer: Explorer, asked: Prediction, setting: dict[str, Any]) -> None:
    """Raise a ValueError unless what is to happen can happen, and makes a difference."""
    parts = (*PARTS, *explorer.parts, *(["truth"] if asked["kind"] == "curve" else []))
    if unknown := [part for part in asked["hides"] if part not in parts]:
        raise ValueError(
            f"hides must name any of {', '.join(parts)} for {type(explorer).__name__},"
            f" got {', '.join(map(repr, unknown))}"
        )
    now = dict(setting)
    moves = False
    for step in asked["acts"]:
        for trait, value in [*step["set"].items(), *step["to"].items()]:
            if trait not in setting:
                raise ValueError(
                    f"acts must move any of {', '.join(setting)} of {type(explorer).__name__}, got {trait!r}"
                )
            if trait in step["to"] and isinstance(explorer.traits()[trait], Choice):
                raise ValueError(f"acts must set {trait!r} at once, in a step that pauses: it is a choice")
            # The trait's own check, on a value that the explorer is not given.
            checked = explorer.traits()[trait].validate(explorer, value)
            moves = moves or checked != now[trait]
            now[trait] = checked
    shown = {name for step in asked["acts"] for name in step["show"]} - {"numbers"}
    if not moves and not shown:
        raise ValueError(f"acts must move a trait or show a part of the drawing, got {asked['acts']!r}")


def module_text(cls: type[Explorer]) -> str:
    """The ES module of an explorer: its drawing, what that imports, and the class's numbers, in one text."""
    spec = {
        "slug": cls.slug,
        "traits": spec_of(cls),
        "constants": cls.constants,
        "diverging": PALETTE["diverging"],
    }
    view = SCRIPTS / "views" / f"{cls.slug.replace('-', '_')}.js"
    return joined(view, {SCRIPTS / "spec.js": f"export const SPEC = {json.dumps(spec)};"})


@functools.cache
def style_sheet() -> str:
    """explorer.css, and the palette's colors: those of the page's theme if it names one, or the reader's."""

    def colors(theme: str) -> str:
        roles = (
            f"--posenc-{role}:{pair[theme]};" for role, pair in PALETTE.items() if isinstance(pair, dict)
        )
        return "{color-scheme:" + theme + ";" + "".join(roles) + "}"

    root = ".posenc-explorer"
    return "\n".join(
        [
            f"{root}{colors('light')}",
            # Paper is white, whatever the theme: hence "screen".
            f'@media screen{{html[data-theme="dark"] {root},'
            f'body[data-jp-theme-light="false"] {root}{colors("dark")}}}',
            f"@media screen and (prefers-color-scheme:dark){{"
            f"html:not([data-theme]) body:not([data-jp-theme-light]) {root}{colors('dark')}}}",
            (SCRIPTS / "explorer.css").read_text(),
        ]
    )
