"""A copy of the page for the root of a host of files: play, lessons, rules, puzzles, the analysis board."""

from __future__ import annotations

import shutil
from pathlib import Path

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text, languages
from sheshbesh.server.http.copied import address_of_copy, copy_of, names
from sheshbesh.server.http.nets import nets
from sheshbesh.server.http.page_modules import WITHOUT_SERVER
from sheshbesh.server.http.static import FOLDER, PAGES, index_page
from sheshbesh.server.http.words import LATER, REASONS, words_of

_LEFT_OUT = shutil.ignore_patterns("sw.js", "index.html", "manifest.webmanifest", "*.br")
_MANIFEST = b'<link rel="manifest" href="/manifest.webmanifest">\n'
_MARK = b'<meta name="static" content="">\n</head>'


def write_copy(folder: Path) -> int:
    """Write the copy into a new or empty folder; return the number of its files.

    SheshbeshError where there is something in the folder already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SheshbeshError(Text("{folder} is not empty", folder=str(folder)))
    shutil.copytree(FOLDER, folder, ignore=_LEFT_OUT, dirs_exist_ok=True)
    for digest, net in nets().items():
        shutil.copyfile(net, folder / "engine" / f"{digest}.net")
    changed = (FOLDER / "index.html").stat().st_mtime_ns
    for path, view in _places().items():
        like = next(address for address, each in PAGES.items() if each == view)
        index = index_page(like, "en", changed).plain
        _write(folder / path / "index.html", index.replace(_MANIFEST, b"").replace(b"</head>", _MARK))
    for lang in (each.code for each in languages()):
        for view in (*WITHOUT_SERVER, *(f"{view}{LATER}" for view in WITHOUT_SERVER), REASONS):
            _write(folder / "i18n" / lang / f"{view}.json", words_of(lang, FOLDER, view))
        for name in names():
            _write(folder / address_of_copy(name, lang)[1:], copy_of(name, lang))
    return sum(1 for each in folder.rglob("*") if each.is_file())


def _places() -> dict[str, str]:
    """The addresses of the copy, each with its view; the front page is a match without a server."""
    found = {"": "local", "local": "local", "settings": "settings", "analysis": "analysis"}
    found |= {path: path for path in ("rules", "learn", "puzzles")}
    for name in names():
        folder, _, one = name.partition("/")
        view = {"variants": "rules"}.get(folder, folder)
        if one and view in found:
            found[f"{view}/{one}"] = view
    return found


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
