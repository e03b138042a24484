"""The site with the page of another folder: python -m tests.web.packed_site WEB serve."""

from __future__ import annotations

import sys
from pathlib import Path

from sheshbesh.cli.main import main
from sheshbesh.server.http import static

if __name__ == "__main__":
    static.FOLDER = Path(sys.argv.pop(1))
    static._VENDOR = static.FOLDER / "vendor"
    main()
