"""The page as a release serves it, which browsers load with a tenth of the requests."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path

from sheshbesh.server.http import static
from sheshbesh.server.http.page_modules import PACKED
from tests.shared import made_once
from tests.web.browser import CHECKOUT

_PACK = CHECKOUT / "tools/web/pack.mjs"


@cache
def packed_page() -> Path:
    """A copy of the page's folder with what `make pack` adds."""
    sources = static.build()

    def pack(folder: Path) -> None:
        shutil.copytree(static.FOLDER, folder, ignore=shutil.ignore_patterns(PACKED), dirs_exist_ok=True)
        subprocess.run(["node", _PACK, folder, sources], check=True, timeout=120)

    digest = hashlib.sha256(sources.encode() + _PACK.read_bytes()).hexdigest()
    return made_once(CHECKOUT / "build/packed-page" / digest[:20], pack)
