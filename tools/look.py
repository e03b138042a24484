"""Write what the page has of the board's measures and colours: a module and a style sheet.

    .venv/bin/python tools/look.py [--check]

Both are committed, since browsers in use cannot import JSON. The data is in `web/board/measures.json` and
`web/board/palettes.json`, which `sheshbesh.pictures` reads as well.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_HEAD = (
    "/* Colours of the three materials, written by tools/look.py from board/palettes.json. A board takes its",
    "   own from its `material`; `data-material` on any element gives the same tokens to what stands",
    "   around it. */",
)
_FORCED = (
    "/* With forced colours the paper board is drawn in those. */",
    "@media (forced-colors: active) {",
    "  ssb-board[material] {",
)

WEB = Path(__file__).resolve().parents[1] / "src" / "sheshbesh" / "web"


def measures_module(data: Mapping[str, Any]) -> str:
    """The module of `measures.json`, a constant for each entry."""
    lines = ["// Written by tools/look.py from measures.json."]
    for name, value in data.items():
        lines += ["", f"export const {name.upper()} = {_literal(value)};"]
    return "\n".join([*lines, ""])


def _literal(value: Any, indent: str = "") -> str:
    if not isinstance(value, Mapping):
        return json.dumps(value)
    inner = indent + "  "
    rows = (f"{inner}{name}: {_literal(each, inner)},\n" for name, each in value.items())
    return f"{{\n{''.join(rows)}{indent}}}"


def board_styles(palettes: Mapping[str, Any]) -> str:
    """The style sheet of `palettes.json`: the tokens of each material."""
    lines = [*_HEAD]
    for name, palette in palettes["materials"].items():
        selectors = f'[data-material="{name}"],', f'ssb-board[material="{name}"] {{'
        lines += ["", *selectors, *_tokens(palette), "}"]
    lines += ["", *_FORCED, *(f"  {token}" for token in _tokens(palettes["forced"])), "  }", "}", ""]
    return "\n".join(lines)


def _tokens(palette: Mapping[str, str]) -> Iterator[str]:
    return (f"  --{name}: {value};" for name, value in palette.items())


def main() -> int:
    """Write the files, or name those that are not what the data says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare, and write nothing")
    check = parser.parse_args().check
    measures = json.loads((WEB / "board" / "measures.json").read_text(encoding="utf-8"))
    palettes = json.loads((WEB / "board" / "palettes.json").read_text(encoding="utf-8"))
    made = {
        WEB / "board" / "measures.js": measures_module(measures),
        WEB / "styles" / "board.css": board_styles(palettes),
    }
    for file, text in made.items():
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        if check:
            print(f"{file.name} is not what its data says: make look", file=sys.stderr)
            return 1
        file.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
