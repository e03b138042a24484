"""Make the page's fonts again: subsets of open fonts, as small as the page needs.

    .venv/bin/python tools/fonts.py

Fetches the packages named below with npm into a temporary folder. The fonts are under the SIL Open
Font License 1.1; their licences are kept beside them.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

FONTS = Path(__file__).parents[1] / "src" / "sheshbesh" / "web" / "fonts"

INTER, SERIF = "@fontsource-variable/inter", "@fontsource/noto-serif-display"
VAZIRMATN = "@fontsource-variable/vazirmatn"
PACKAGES = {INTER: "5.3.0", SERIF: "5.3.0", VAZIRMATN: "5.3.0"}

# A browser fetches a file when the first character in its range is shown. What every language has, what each
# of them has, and what is rare are therefore files of their own. The same ranges stand in styles/page.css.
SIGNS = (
    "U+0020-0040,U+005B-0060,U+007B-007E,U+00A0,U+00AB,U+00B1,U+00B7,U+00BB,U+00D7,U+2010-2015,U+2018-201E,"
)
SIGNS += "U+2022,U+2026,U+2032,U+2190-2193,U+2212"
LETTERS = "U+0041-005A,U+0061-007A"
TURKISH_1 = "U+00C7,U+00D6,U+00DC,U+00E7,U+00F6,U+00FC"
TURKISH_2 = "U+011E-011F,U+0130-0131,U+015E-015F"
LATIN_1 = "U+00A1-00AA,U+00AC-00B0,U+00B2-00B6,U+00B8-00BA,U+00BC-00C6,U+00C8-00D5,U+00D8-00DB,U+00DD-00E6,"
LATIN_1 += "U+00E8-00F5,U+00F7-00FB,U+00FD-00FF"
LATIN_EXT = (
    "U+0100-011D,U+0120-012F,U+0132-015D,U+0160-017F,U+0218-021B,U+1E9E,U+2039-203A,U+20AC,U+2116,U+2713"
)
RUSSIAN = "U+0401,U+0410-044F,U+0451"
CYRILLIC_EXT = "U+0400,U+0402-040F,U+0450,U+0452-045F,U+0490-0491"
ARABIC = "U+060C,U+061B,U+061F,U+0621-063A,U+0640-0652,U+0654,U+0660-066C,U+0670,U+067E,U+0686,U+0698,U+06A9,"
ARABIC += "U+06AF,U+06C0,U+06CC,U+06F0-06F9,U+200C-200F,U+2066-2069"
ARABIC_EXT = (
    "U+0600-060B,U+060D-061A,U+061C-061E,U+0620,U+063B-063F,U+0653,U+0655-065F,U+066D-066F,U+0671-067D,"
)
ARABIC_EXT += (
    "U+067F-0685,U+0687-0697,U+0699-06A8,U+06AA-06AE,U+06B0-06BF,U+06C1-06CB,U+06CD-06EF,U+06FA-06FF,"
)
ARABIC_EXT += "U+0750-0752,U+FB50-FDFF,U+FE70-FEFC"

# The joins and marks that Arabic script is unreadable without.
SHAPING = [
    "kern",
    "mark",
    "mkmk",
    "tnum",
    "ccmp",
    "locl",
    "init",
    "medi",
    "fina",
    "isol",
    "rlig",
    "liga",
    "calt",
]

# Target, package, file in it, characters, weights kept (None: the font has one).
MADE: tuple[tuple[str, str, str, str, tuple[int, int] | None], ...] = (
    ("inter-signs", INTER, "inter-latin-wght-normal", SIGNS, (400, 700)),
    ("inter-letters", INTER, "inter-latin-wght-normal", LETTERS, (400, 700)),
    ("inter-turkish-1", INTER, "inter-latin-wght-normal", TURKISH_1, (400, 700)),
    ("inter-turkish-2", INTER, "inter-latin-ext-wght-normal", TURKISH_2, (400, 700)),
    ("inter-latin-1", INTER, "inter-latin-wght-normal", LATIN_1, (400, 700)),
    ("inter-latin-ext", INTER, "inter-latin-ext-wght-normal", LATIN_EXT, (400, 700)),
    ("inter-russian", INTER, "inter-cyrillic-wght-normal", RUSSIAN, (400, 700)),
    ("inter-cyrillic-ext", INTER, "inter-cyrillic-wght-normal", CYRILLIC_EXT, (400, 700)),
    ("serif-signs", SERIF, "noto-serif-display-latin-600-normal", SIGNS, None),
    ("serif-letters", SERIF, "noto-serif-display-latin-600-normal", LETTERS, None),
    ("serif-turkish-1", SERIF, "noto-serif-display-latin-600-normal", TURKISH_1, None),
    ("serif-turkish-2", SERIF, "noto-serif-display-latin-ext-600-normal", TURKISH_2, None),
    ("serif-latin-1", SERIF, "noto-serif-display-latin-600-normal", LATIN_1, None),
    ("serif-latin-ext", SERIF, "noto-serif-display-latin-ext-600-normal", LATIN_EXT, None),
    ("serif-russian", SERIF, "noto-serif-display-cyrillic-600-normal", RUSSIAN, None),
    ("vazirmatn", VAZIRMATN, "vazirmatn-arabic-wght-normal", ARABIC, (400, 700)),
    ("vazirmatn-ext", VAZIRMATN, "vazirmatn-arabic-wght-normal", ARABIC_EXT, (400, 700)),
)


def main() -> None:
    """Fetch, subset, write."""
    FONTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        names = [f"{name}@{version}" for name, version in PACKAGES.items()]
        subprocess.run(["npm", "install", "--no-package-lock", "--silent", *names], cwd=folder, check=True)
        modules = Path(folder) / "node_modules"
        for package in PACKAGES:
            shutil.copy(modules / package / "LICENSE", FONTS / f"{package.rsplit('/', 1)[1]}.LICENSE")
        for target, package, name, characters, weights in MADE:
            font = TTFont(modules / package / "files" / f"{name}.woff2")
            options = subset.Options()
            options.layout_features = SHAPING if package == VAZIRMATN else ["kern", "tnum"]
            options.flavor = "woff2"
            options.hinting = False
            options.name_IDs = [0, 1, 2, 13, 14]
            cutter = subset.Subsetter(options)
            cutter.populate(unicodes=subset.parse_unicodes(characters))
            cutter.subset(font)
            if weights is not None:
                font = instantiateVariableFont(font, {"wght": weights})
            font.flavor = "woff2"
            path = FONTS / f"{target}.woff2"
            font.save(path)
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
