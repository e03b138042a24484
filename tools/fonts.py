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

PACKAGES = {
    "@fontsource-variable/inter": "5.3.0",
    "@fontsource/noto-serif-display": "5.3.0",
    "@fontsource-variable/vazirmatn": "5.3.0",
}

LATIN = "U+0020-007E,U+00A0-00FF,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2032,U+2190-2193,U+2212"
LATIN_EXT = "U+0100-017F,U+0218-021B,U+1E9E,U+2039-203A,U+20AC,U+2116,U+2713"
CYRILLIC = "U+0400-045F,U+0490-0491"
ARABIC = "U+0600-06FF,U+0750-0752,U+200C-200F,U+2066-2069,U+FB50-FDFF,U+FE70-FEFC"

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
    ("inter-latin", "@fontsource-variable/inter", "inter-latin-wght-normal", LATIN, (400, 700)),
    ("inter-latin-ext", "@fontsource-variable/inter", "inter-latin-ext-wght-normal", LATIN_EXT, (400, 700)),
    ("inter-cyrillic", "@fontsource-variable/inter", "inter-cyrillic-wght-normal", CYRILLIC, (400, 700)),
    ("serif-latin", "@fontsource/noto-serif-display", "noto-serif-display-latin-600-normal", LATIN, None),
    (
        "serif-latin-ext",
        "@fontsource/noto-serif-display",
        "noto-serif-display-latin-ext-600-normal",
        LATIN_EXT,
        None,
    ),
    (
        "serif-cyrillic",
        "@fontsource/noto-serif-display",
        "noto-serif-display-cyrillic-600-normal",
        CYRILLIC,
        None,
    ),
    (
        "vazirmatn",
        "@fontsource-variable/vazirmatn",
        "vazirmatn-arabic-wght-normal",
        ARABIC,
        (400, 700),
    ),
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
            options.layout_features = SHAPING if target == "vazirmatn" else ["kern", "tnum"]
            options.flavor = "woff2"
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
