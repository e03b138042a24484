"""A copy of the page for the root of a host of files: games against the browser's engine, and the rules."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from sheshbesh.errors import SheshbeshError
from sheshbesh.i18n import Text, languages
from sheshbesh.rules import variants
from sheshbesh.server.http.api.variants import game_data, summary
from sheshbesh.server.http.nets import nets
from sheshbesh.server.http.static import FOLDER, PAGES, index_page
from sheshbesh.server.http.words import LATER, REASONS, words_of

VIEWS = ("home", "local", "rules", "settings")
"""The views of a copy; the front page is that of a match without a server."""

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
    places = [("", "local"), ("local", "local"), ("rules", "rules"), ("settings", "settings")]
    for path, view in (*places, *((f"rules/{name}", "rules") for name in variants())):
        like = next(address for address, each in PAGES.items() if each == view)
        index = index_page(like, "en", changed).plain
        _write(folder / path / "index.html", index.replace(_MANIFEST, b"").replace(b"</head>", _MARK))
    for lang in (each.code for each in languages()):
        for view in (*VIEWS, *(f"{view}{LATER}" for view in VIEWS), REASONS):
            _write(folder / "i18n" / lang / f"{view}.json", words_of(lang, FOLDER, view))
        api = folder / "api" / "v1" / lang
        _write(api / "variants.json", _json([summary(name, lang) for name in variants()]))
        for name in variants():
            _write(api / "variants" / f"{name}.json", _json(game_data(name, None, lang)))
    return sum(1 for each in folder.rglob("*") if each.is_file())


def _write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=str).encode()
