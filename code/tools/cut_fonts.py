"""Cuts the faces in book/_static/fonts, from three npm packages, to what this book writes.

They are a third of what a reader waits for. Where the site has a letter or sign that its face lacks, a test
names it, and it goes in below.

The sans of interface and explorers is that of the figures too, which read it from wavebook/fonts. It is
Source Sans 3, under a name of its own: the license keeps the name "Source" for what is not cut.

Of the serif and of the sans, one face comes before the others, and stands in for them until they are there,
each letter made as wide as theirs, so that lines break where they will (`stand_ins`).
"""

from __future__ import annotations

import copy
import hashlib
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from check import ENVIRONMENT, NPM, REPOSITORY
from fontTools import subset
from fontTools.ttLib import TTFont

from bookext.finish import bill

FONTS = REPOSITORY / "book/_static/fonts"
STAND_INS = REPOSITORY / "book/_static/stand-ins.css"
#: Where Matplotlib finds the sans.
FIGURES = REPOSITORY / "code/wavebook/fonts"
#: What the sans is called when it is cut.
SANS = "Waves Sans"
#: How large it is set, in percent: its small letters are then as high as those of most systems' sans.
SANS_SCALE = 106

ASCII = "".join(map(chr, range(0x20, 0x7F)))
TEXT = ASCII + "\u00a0\u2002°±²³·¹×÷©ÄÖÜßáãäçèéíóöúü–—‘’“”…′−"  # noqa: RUF001 - these signs are meant
SIGNS = "±×ΔΘαβγδεζθλμνξπρστφωϕϵ‖…′‾\u2061ℓℚℝ→↦∂∉∏∑−∗√∑∞∫≈≠≡≤≥⊕⊤⋅⋯⋱⌊⌋⟨⟩⟼𝟏"  # noqa: RUF001 - as above
#: The letters of names from Central Europe, in a file of its own that few pages load.
NAMES = "ĀāĂăĄąĆćČčĎďĐđĒēĘęĚěĞğĪīİŁłŃńŇňŌōŐőŘřŚśŞşŠšŢţŤťŪūŮůŰűŹźŻżŽž"
#: What explorers, figures and the interface write beside the text's characters.
DRAWN = "ΔΘΣΩαβγδεζηθλμνξπρστφψω½ᵀ⁰⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉←↑→↓↔−√∑∞≈≠≤≥○●✓"
#: The letters for a letter that stands alone, which a browser slants.
SLANTED = "".join(map(chr, [*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)])) + "\N{PLANCK CONSTANT}"


@dataclass(frozen=True)
class Cut:
    """Faces that are cut to the same characters, with the same features of theirs."""

    #: Files of a package, and what they are called when they are cut.
    faces: dict[str, str]
    characters: str
    features: list[str]


@dataclass(frozen=True)
class Package:
    """A package of the registry, and what is taken from it."""

    name: str
    sha256: str
    cuts: list[Cut]

    @property
    def version(self) -> str:
        """The one that the bill of materials names."""
        (known,) = (made.version for made in bill.SOURCES if made.package == f"npm/{self.name}")
        return known


TEXT_FACES = ("400-normal", "400-italic", "700-normal")
PACKAGES = [
    Package(
        "@fontsource/stix-two-text",
        "910943975c04992905616f6ff56edf73c405fc4fba571192f0a6a83a5e8ddf49",
        [
            Cut(
                {
                    f"files/stix-two-text-latin-{face}.woff2": f"stix-two-text-latin-{face}"
                    for face in TEXT_FACES
                },
                TEXT,
                ["kern", "liga", "pnum"],
            ),
            Cut(
                {"files/stix-two-text-latin-ext-400-normal.woff2": "stix-two-text-latin-ext-400-normal"},
                NAMES,
                ["kern"],
            ),
        ],
    ),
    Package(
        "@fontsource/stix-two-math",
        "948de1b5470fbbd745fedbe6135797454fe833d94feecc6f2073cd771fe2f5fd",
        [
            Cut(
                {"files/stix-two-math-latin-400-normal.woff2": "stix-two-math-400-normal"},
                ASCII + SIGNS + SLANTED,
                ["ssty", "dtls", "flac", "ss04"],
            )
        ],
    ),
    Package(
        "source-sans",
        "49cf78ddd79b436591ee696785222b54ff28102922e3d3df297fe382d7fdfa88",
        [
            Cut(
                {
                    "TTF/SourceSans3-Regular.ttf": "waves-sans-400",
                    "TTF/SourceSans3-Semibold.ttf": "waves-sans-600",
                },
                TEXT + DRAWN,
                ["kern"],  # its figures are all as wide as one another
            )
        ],
    ),
]


def fetch(package: Package, folder: Path) -> Path:
    """Unpack a package in `folder`, if it is the one that we know, and say where its files are."""
    pack = [*NPM, "pack", f"{package.name}@{package.version}", "--pack-destination", str(folder)]
    subprocess.run(pack, cwd=REPOSITORY, env=ENVIRONMENT, check=True)
    plain = package.name.removeprefix("@").replace("/", "-")
    archive = folder / f"{plain}-{package.version}.tgz"
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise ValueError(f"{archive.name} has the hash {found}, and should have {package.sha256}")
    with tarfile.open(archive) as files:
        files.extractall(folder / plain, filter="data")
    return folder / plain / "package"


def call(font: TTFont, family: str) -> None:
    """Give a font another name, and leave in it, of what it says of itself, its copyright and its license."""
    names = font["name"]
    style = names.getDebugName(17) or names.getDebugName(2)
    version, whence = names.getDebugName(5), names.getDebugName(4)
    names.names = [record for record in names.names if record.nameID in (0, 13, 14)]
    plain = f"{family.replace(' ', '')}-{style}"
    for number, said in {
        1: family if style == "Regular" else f"{family} {style}",
        2: "Regular",
        3: plain,
        4: f"{family} {style}",
        5: version,
        6: plain,
        10: f"Cut from {whence}.",
        16: family,
        17: style,
    }.items():
        names.setName(said, number, 3, 1, 0x409)


def keep_roots_narrow(font: TTFont) -> None:
    """Make each larger sign for a root from the usual one, by moving up its bar.

    A root is given the room of the widest sign that its face has (MathML Core, section 3.3.3), so that with
    wider signs for higher roots a blank follows each low one. The heights are those of the face; beyond the
    last, some three lines, no root of this book goes.
    """
    glyphs, widths, variants = font["glyf"], font["hmtx"], font["MATH"].table.MathVariants
    name = font.getBestCmap()[ord("√")]
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(name)]
    larger_ones = signs.MathGlyphVariantRecord[1:]
    signs.GlyphAssembly = None  # read by now; it would be read later, and put back, if it were set first
    shape = glyphs[name]
    bar = max(y for _, y in shape.coordinates) - font["MATH"].table.MathConstants.RadicalRuleThickness.Value
    for larger in larger_ones:
        up = glyphs[larger.VariantGlyph].yMax - shape.yMax
        moved = copy.deepcopy(shape)
        for j, (x, y) in enumerate(shape.coordinates):
            moved.coordinates[j] = (x, y + up if y >= bar else y)
        moved.recalcBounds(glyphs)
        glyphs[larger.VariantGlyph] = moved
        widths[larger.VariantGlyph] = widths[name]


def cut(source: Path, target: Path, characters: str, features: list[str]) -> None:
    """Write the font `source` to `target` with these characters, and what the features make of them."""
    flavor = "woff2" if target.suffix == ".woff2" else None
    options = subset.Options(flavor=flavor, layout_features=features, hinting=False)
    if renamed := target.stem.startswith("waves-sans"):
        options.name_IDs = ["*"]
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    with subset.load_font(str(source), options) as font:
        if "MATH" in font:
            keep_roots_narrow(font)
        if renamed:
            call(font, SANS)
        subsetter.subset(font)
        font.recalcTimestamp = False  # the same bytes each time
        subset.save_font(font, str(target), options)


def advances(face: str) -> dict[int, int]:
    """How wide each character is in a face, by its code point."""
    with TTFont(FONTS / f"{face}.woff2") as font:
        return {code: font["hmtx"][name][0] for code, name in font.getBestCmap().items()}


def stand_in(family: str, first: str, other: str, style: str, scale: int = 100) -> list[str]:
    """The rules by which the face `first` stands in for `other`, which has a style of its own.

    A rule makes all its letters wider or narrower by one percentage, so there is one for each that occurs.
    `scale` is how large the page sets the family, in percent.
    """
    usual, alike = advances(first), dict[int, list[int]]()
    for code, width in sorted(advances(other).items()):
        if width and usual.get(code):
            alike.setdefault(round(scale * width / usual[code]), []).append(code)
    return [
        f'@font-face {{ font-family: "{family}"; {style}; font-display: swap; size-adjust: {percent}%; '
        f'src: url("fonts/{first}.woff2") format("woff2"); '
        f"unicode-range: {', '.join(f'U+{code:X}' for code in codes)}; }}"
        for percent, codes in sorted(alike.items())
    ]


def stand_ins() -> str:
    """The style sheet by which the first face of the text and of the sans stands in for their others."""
    text = "stix-two-text-latin-"
    rules = [
        rule
        for face, style in (("700-normal", "font-weight: 700"), ("400-italic", "font-style: italic"))
        for rule in stand_in("STIX stand-in", f"{text}400-normal", text + face, style)
    ]
    rules += stand_in("Sans stand-in", "waves-sans-400", "waves-sans-600", "font-weight: 600 900", SANS_SCALE)
    return "\n".join(["/* By `cut_fonts.py`: bold and italic before their faces come. */", *rules, ""])


def main() -> None:
    """Cut every face, and write what stands in for three of them."""
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            files = fetch(package, Path(folder))
            for one in package.cuts:
                for file, name in one.faces.items():
                    targets = [FONTS / f"{name}.woff2"]
                    if name == "waves-sans-400":
                        targets.append(FIGURES / f"{name}.ttf")
                    for target in targets:
                        cut(files / file, target, one.characters, one.features)
                        print(f"{target.name}: {target.stat().st_size:,} bytes")
    STAND_INS.write_text(stand_ins(), encoding="utf-8")


if __name__ == "__main__":
    main()
