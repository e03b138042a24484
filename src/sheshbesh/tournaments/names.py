"""Lists of entrants as a director has them: a CSV file of names, read whole or not at all.

One entrant a line: name, and if known rating and club, with commas or semicolons between them. A first line
that begins with `name` names the columns and is passed over.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO

from sheshbesh.errors import EntrantsError
from sheshbesh.i18n import Text
from sheshbesh.rules.safe_text import unfit_character
from sheshbesh.tournaments.actions import AddAction

MOST_LINES = 2000
MOST_BYTES = 256 * 1024
LONGEST_NAME = 100
RATINGS = range(1, 10_000)


def read_names(data: bytes, entered: Iterable[str] = ()) -> tuple[AddAction, ...]:
    """Return the entrants of a CSV file; `entered` are the names of those who are in already.

    EntrantsError lists the fault of every line, or what is wrong with the whole file.
    """
    if len(data) > MOST_BYTES:
        raise EntrantsError(Text("the file has more than {most} KiB", most=MOST_BYTES // 1024))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise EntrantsError(Text("the file is not text in UTF-8")) from None
    first = text.split("\n", 1)[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True))
    except csv.Error:
        raise EntrantsError(Text("the file is no table with commas or semicolons")) from None
    if len(rows) > MOST_LINES:
        raise EntrantsError(Text("the file has more than {most} lines", most=MOST_LINES))
    return _read(rows, {_folded(name) for name in entered})


def _read(rows: list[list[str]], seen: set[str]) -> tuple[AddAction, ...]:
    found: list[AddAction] = []
    problems: list[str] = []
    for number, row in enumerate(rows, start=1):
        cells = [_bare(cell) for cell in row]
        if not any(cells) or (number == 1 and cells[0].lower() == "name"):
            continue
        fault = _fault(cells, seen)
        if fault is not None:
            problems.append(Text("line {number}: {fault}", number=number, fault=fault))
            continue
        seen.add(_folded(cells[0]))
        name, rating, club = (*cells, "", "")[:3]
        found.append(AddAction(name=name, rating=int(rating) if rating else None, club=club or None))
    if problems:
        raise EntrantsError("; ".join(problems), problems)
    return tuple(found)


def _bare(cell: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from reading it as a formula."""
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:2] in ("=", "+", "-", "@", "\t") else cell


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _fault(cells: list[str], seen: set[str]) -> Text | None:
    name, rating, *_ = (*cells, "", "")
    character = next(filter(None, map(unfit_character, cells)), None)
    if character is not None:
        return Text("it contains the character {character}", character=character)
    if not 1 <= len(name) <= LONGEST_NAME:
        return Text("a name has 1 to {most} characters", most=LONGEST_NAME)
    if len(cells) > 3 and any(cells[3:]):
        return Text("it has more than name, rating and club")
    if rating and not (rating.isascii() and rating.isdigit() and int(rating) in RATINGS):
        return Text("a rating is a number from 1 to {most}", most=RATINGS[-1])
    if _folded(name) in seen:
        return Text("{name} is entered twice", name=name)
    return None
