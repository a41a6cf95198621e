"""`make fonts`: cut the faces in book/_static/fonts, from two npm packages, to what this book writes.

They are a third of what a reader waits for. Where the site has a letter or sign that its face lacks, a test
names it, and it goes in below.

The text's first face comes before the two others, and stands in for them until they are there, each letter
made as wide as theirs, so that lines break where they will (`stand_ins`).
"""

from __future__ import annotations

import copy
import hashlib
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from bookext.finish import bill
from check import ENVIRONMENT, NPM, REPOSITORY

FONTS = REPOSITORY / "book/_static/fonts"
STAND_INS = REPOSITORY / "book/_static/stand-ins.css"

ASCII = "".join(map(chr, range(0x20, 0x7F)))
TEXT = ASCII + "\u00a0\u2002°±²³·¹×÷©ÄÖÜßáçèéóöü–—‘’“”…′−"  # noqa: RUF001 - it is these signs that are meant
SIGNS = "±×ΔΘαβγδεζθλμνξπρστφωϕϵ‖…′‾\u2061ℓℚℝ→↦∂∉∏∑−√∞∫≈≠≡≤≥⊕⊤⋅⋯⋱⌊⌋⟨⟩⟼𝟏"  # noqa: RUF001 - as above
#: The letters for a letter that stands alone, which a browser slants.
SLANTED = "".join(map(chr, [*range(0x1D434, 0x1D468), *range(0x1D6E2, 0x1D71C)])) + "\N{PLANCK CONSTANT}"


@dataclass(frozen=True)
class Package:
    """A package of the registry, and what is taken from it: faces, their characters and their features."""

    name: str
    sha256: str
    faces: dict[str, str]
    characters: str
    features: list[str]

    @property
    def version(self) -> str:
        """The one that the bill of materials names."""
        (known,) = (made.version for made in bill.SOURCES if made.package == f"npm/@fontsource/{self.name}")
        return known


PACKAGES = [
    Package(
        "stix-two-text",
        "910943975c04992905616f6ff56edf73c405fc4fba571192f0a6a83a5e8ddf49",
        {f"latin-{face}": f"latin-{face}" for face in ("400-normal", "400-italic", "700-normal")},
        TEXT,
        ["kern", "liga", "pnum"],
    ),
    Package(
        "stix-two-math",
        "948de1b5470fbbd745fedbe6135797454fe833d94feecc6f2073cd771fe2f5fd",
        {"latin-400-normal": "400-normal"},
        ASCII + SIGNS + SLANTED,
        ["ssty", "dtls", "flac", "ss04"],
    ),
]


def fetch(package: Package, folder: Path) -> Path:
    """Unpack a package in `folder`, if it is the one that we know, and say where its faces are."""
    pack = [*NPM, "pack", f"@fontsource/{package.name}@{package.version}", "--pack-destination", str(folder)]
    subprocess.run(pack, cwd=REPOSITORY, env=ENVIRONMENT, check=True)
    archive = folder / f"fontsource-{package.name}-{package.version}.tgz"
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != package.sha256:
        raise ValueError(f"{archive.name} has the hash {found}, and should have {package.sha256}")
    with tarfile.open(archive) as files:
        files.extractall(folder / package.name, filter="data")
    return folder / package.name / "package/files"


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
    """Write the WOFF2 font `source` to `target` with these characters, and what the features make of them."""
    options = subset.Options(flavor="woff2", layout_features=features, hinting=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=characters)
    with subset.load_font(str(source), options) as font:
        if "MATH" in font:
            keep_roots_narrow(font)
        subsetter.subset(font)
        font.recalcTimestamp = False  # the same bytes each time
        subset.save_font(font, str(target), options)


def advances(face: str) -> dict[int, int]:
    """How wide each character is in a face of the text, by its code point."""
    with TTFont(FONTS / f"stix-two-text-latin-{face}.woff2") as font:
        return {code: font["hmtx"][name][0] for code, name in font.getBestCmap().items()}


def stand_ins() -> str:
    """The style sheet by which the text's first face stands in for its bold and its italic.

    A rule makes all its letters wider or narrower by one percentage, so there is one for each that occurs.
    """
    usual = advances("400-normal")
    rules = []
    for face, style in (("700-normal", "font-weight: 700"), ("400-italic", "font-style: italic")):
        alike: dict[int, list[int]] = {}
        for code, width in sorted(advances(face).items()):
            if width and usual.get(code):
                alike.setdefault(round(100 * width / usual[code]), []).append(code)
        rules += [
            f'@font-face {{ font-family: "STIX stand-in"; {style}; font-display: swap; '
            f"size-adjust: {percent}%; "
            'src: url("fonts/stix-two-text-latin-400-normal.woff2") format("woff2"); '
            f"unicode-range: {', '.join(f'U+{code:X}' for code in codes)}; }}"
            for percent, codes in sorted(alike.items())
        ]
    return "\n".join(["/* By `make fonts`: bold and italic before their faces come. */", *rules, ""])


def main() -> None:
    """Cut every face, and write what stands in for two of them."""
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            files = fetch(package, Path(folder))
            for face, name in package.faces.items():
                target = FONTS / f"{package.name}-{name}.woff2"
                cut(files / f"{package.name}-{face}.woff2", target, package.characters, package.features)
                print(f"{target.name}: {target.stat().st_size:,} bytes")
    STAND_INS.write_text(stand_ins(), encoding="utf-8")


if __name__ == "__main__":
    main()
