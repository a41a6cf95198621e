"""What every explorer shares: checked traits, one joined ES module, and one style sheet.

README.md beside this file says how to write one.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from posenc.arguments import check_base, check_choice, check_d_model, check_real
from wavebook.explorers import strings
from wavebook.explorers.ask import PARTS, Prediction
from wavebook.explorers.modules import collect_modules, join_modules
from wavebook.explorers.strings import SCRIPTS
from wavebook.palette import PALETTE


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
        help: str = "",
    ) -> None:
        super().__init__(default, help=help)
        self.low, self.high, self.step, self.integer, self.log = low, high, step, integer, log
        self.tag(sync=True)

    @property
    def allowed(self) -> str:
        """What it can be, in words."""
        return f"{'an integer' if self.integer else 'a number'} from {self.low:g} to {self.high:g}"

    def validate(self, obj: Any, value: Any) -> float:
        number = check_real(value, self.name or "value")
        if number.ndim:
            raise ValueError(f"{self.name} must be {self.allowed}, got an array of shape {number.shape}")
        if not self.low <= number <= self.high or (self.integer and number % 1):
            raise ValueError(f"{self.name} must be {self.allowed}, got {value!r}")
        return int(number) if self.integer else float(number)

    def spec(self) -> dict[str, Any]:
        """What the slider needs to know."""
        return {"min": self.low, "max": self.high, "step": self.step} | ({"log": True} if self.log else {})


class Width(Number):
    """d_model: an even integer from 2 to ``high``."""

    def __init__(self, default: int, *, high: int, help: str = "") -> None:
        super().__init__(default, low=2, high=high, step=2, integer=True, help=help or "even")

    def validate(self, obj: Any, value: Any) -> float:
        return super().validate(obj, check_d_model(value))


class Base(Number):
    """The base b, from 2 to 10^7; its slider is logarithmic, a hundred steps to the decade."""

    def __init__(self, default: float = 10_000.0, *, help: str = "") -> None:
        super().__init__(default, low=2, high=1e7, step=0.01, log=True, help=help)

    def validate(self, obj: Any, value: Any) -> float:
        return super().validate(obj, check_base(value))


class Choice(traitlets.TraitType[Any, Any]):
    """One of ``options``."""

    def __init__(self, default: Any, options: tuple[Any, ...], *, help: str = "") -> None:
        super().__init__(default, help=help)
        self.options = options
        self.tag(sync=True)

    @property
    def allowed(self) -> str:
        """What it can be, in words."""
        return "one of " + ", ".join(map(repr, self.options))

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

    Subclass it as README.md says. The traits are added to a class's documentation, as parameters. A value
    that is not one of those named there, or a name that is not there, is a TypeError or ValueError.
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
        if "slug" in vars(cls) and cls.__doc__:
            cls.__doc__ = f"{inspect.cleandoc(cls.__doc__)}\n\n{_parameters(cls)}"
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
                cls._esm, cls._css = module_text(cls, *strings.choose_language(cls.slug)), style_sheet()
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


def _parameters(cls: type[Explorer]) -> str:
    """The traits that have a control, as a section of the class's documentation."""
    traits = {name: getattr(cls, name) for name in spec_of(cls)}
    told = (
        f"{name} : {trait.allowed}{f'; {trait.help}' if trait.help else ''}" for name, trait in traits.items()
    )
    return "\n".join(["Parameters", "----------", *told])


def _check_acts(explorer: Explorer, asked: Prediction, setting: dict[str, Any]) -> None:
    """Raise a ValueError unless what is to happen can happen, and makes a difference."""
    parts = (*PARTS, *explorer.parts, *(["truth"] if asked["kind"] == "curve" else []))
    if unknown := [part for part in asked["hides"] if part not in parts]:
        raise ValueError(
            f"hides must name any of {', '.join(parts)} for {type(explorer).__name__},"
            f" got {', '.join(map(repr, unknown))}"
        )
    if unknown := [trait for trait in asked.get("free", ()) if trait not in setting]:
        raise ValueError(
            f"free must name any of {', '.join(setting)} of {type(explorer).__name__},"
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


def view_of(cls: type[Explorer]) -> Path:
    """The module that draws an explorer."""
    return SCRIPTS / "views" / f"{cls.slug.replace('-', '_')}.js"


def module_text(cls: type[Explorer], language: str = "", table: Mapping[str, str] | None = None) -> str:
    """The ES module of an explorer: its drawing, what that imports, and the class's numbers, in one text.

    With a language, in the words of a table, as far as that goes.
    """
    spec = {
        "slug": cls.slug,
        "traits": spec_of(cls),
        "constants": cls.constants,
        "diverging": PALETTE["diverging"],
    }
    given = {}
    if table:
        names = strings.names_of(spec_of(cls), cls.constants)
        words = {name: table[name] for name in names if name in table}
        spec |= {
            "constants": strings.retold(cls.constants, lambda said: table.get(said, said)),
            "lang": language,
            "words": words,
        }
        for path in collect_modules(view_of(cls), {}):
            given[path] = strings.reader(path.read_text(encoding="utf-8")).written(table, names)
    return join_modules(
        view_of(cls), given | {SCRIPTS / "spec.js": f"export const SPEC = {json.dumps(spec)};"}
    )


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
