"""Match equity: the chance to win a match from a score, before the next game begins.

>>> from sheshbesh.cube import equity_table
>>> table = equity_table("kazaross_xg2")
>>> table.chance(2, 3), table.chance(3, 2)
(0.59947, 0.40053)
>>> table.chance(2, 1, crawford=False)
0.48803

A table comes from the data that is shipped (`equity_tables()`), from a file of one's own
(`read_equity_table`), or from a game's own results (`sheshbesh.cube.generate`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from sheshbesh.bounded import MOST_SETTINGS, parse_toml, read_text
from sheshbesh.errors import MatchError
from sheshbesh.match.state import MatchState
from sheshbesh.rules import Side, Variant, as_variant, variant

Row = tuple[float, ...]

tables_folder = Path(__file__).with_name("tables")
"""The folder of the shipped tables."""

_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class MatchEquityTable:
    """The chance to win a match from every score up to `length` points away.

    `pre_crawford[i][j]` is the chance of White who needs i + 1 points against Black who needs j + 1,
    where one side needs a single point before the Crawford game; `post_crawford[i]` that of White
    who needs i + 1 against 1 after it, `post_crawford_black[j]` that of Black who needs j + 1 against
    White's 1. Most tables are for sides of equal skill, then White and Black may be exchanged.
    `game` names the game whose table it is, if it is that of one. Raises MatchError, with every
    problem, for chances that cannot be.
    """

    name: str
    source: str
    pre_crawford: tuple[Row, ...]
    post_crawford: Row
    post_crawford_black: Row
    game: str | None = None

    def __post_init__(self) -> None:
        problems = _problems(self)
        if problems:
            raise MatchError(
                f"impossible match equity table {self.name!r}: {'; '.join(problems)}", problems=problems
            )

    @property
    def length(self) -> int:
        """The most points away in the table."""
        return len(self.pre_crawford)

    def chance(
        self, away: int, opponent_away: int, *, crawford: bool = True, side: Side | str = Side.WHITE
    ) -> float:
        """The chance of a side that needs `away` points against one that needs `opponent_away`.

        A side that needs 0 or less has won. Where exactly one side needs a single point, `crawford` says
        whether the Crawford game is still to come, or after it (false). `side` matters only where
        the sides differ in skill. MatchError beyond the table's length, or if both have won.
        """
        if away <= 0 or opponent_away <= 0:
            if away <= 0 and opponent_away <= 0:
                raise MatchError(f"both sides have won the match: {away} and {opponent_away} points away")
            return 1.0 if away <= 0 else 0.0
        if max(away, opponent_away) > self.length:
            raise MatchError(
                f"{self.name} knows matches to {self.length} points, "
                f"not {away}-away {opponent_away}-away; see sheshbesh.match.extended"
            )
        if side != Side.WHITE:
            return 1.0 - self.chance(opponent_away, away, crawford=crawford)
        if not crawford and opponent_away == 1:
            return self.post_crawford[away - 1]
        if not crawford and away == 1:
            return 1.0 - self.post_crawford_black[opponent_away - 1]
        return self.pre_crawford[away - 1][opponent_away - 1]

    def after(self, match: MatchState, side: Side | str, gain: int) -> float:
        """The chance of `side` after the present game, in which it gains `gain` points.

        A loss is negative, a game without a winner 0. In a match without the Crawford rule, a side
        that comes to a single point finds the chances of after that game; what the rule does to the
        scores before is `sheshbesh.match.without_crawford`'s matter. MatchError in money play.
        """
        side = Side.of(side)
        away, opponent_away = match.away(side), match.away(side.other)
        if away is None or opponent_away is None:
            raise MatchError("money play has no match to win")
        near = min(away, opponent_away) == 1
        crawford = match.crawford_rule and (not near or (match.crawford and gain == 0))
        return self.chance(away - max(gain, 0), opponent_away + min(gain, 0), crawford=crawford, side=side)

    def __repr__(self) -> str:
        return f"<MatchEquityTable {self.name}, {self.length} points>"


def table_from_rows(
    name: str, source: str, pre_crawford: Sequence[Sequence[float]], post_crawford: Sequence[float]
) -> MatchEquityTable:
    """A table for sides of equal skill. MatchError with every problem."""
    post = tuple(post_crawford)
    return MatchEquityTable(name, source, tuple(tuple(row) for row in pre_crawford), post, post)


def _problems(table: MatchEquityTable) -> list[str]:
    size = table.length
    if not size:
        return ["it has no rows"]
    problems = [
        f"row {i} has {len(row)} numbers, expected {size}"
        for i, row in enumerate(table.pre_crawford, 1)
        if len(row) != size
    ]
    rows = {f"row {i}": row for i, row in enumerate(table.pre_crawford, 1)}
    for word, post in (("", table.post_crawford), (" (black)", table.post_crawford_black)):
        rows[f"post_crawford{word}"] = post
        if len(post) != size:
            problems.append(f"post_crawford{word} has {len(post)} numbers, expected {size}")
    problems += [
        f"{where}, number {j}: {value!r} is no chance between 0 and 1"
        for where, row in rows.items()
        for j, value in enumerate(row, 1)
        if not (isfinite(value) and 0 <= value <= 1)
    ]
    return problems


def _disorder(table: MatchEquityTable) -> list[str]:
    """Return where a chance falls though a side needs less: a slip of the pen in a table that was typed
    in."""
    problems = []
    for i, row in enumerate(table.pre_crawford):
        for j, chance in enumerate(row):
            if j and chance < row[j - 1] - _TOLERANCE:
                problems.append(f"row {i + 1}: the chance falls at {j + 1} away, to {chance}")
            if i and chance > table.pre_crawford[i - 1][j] + _TOLERANCE:
                problems.append(f"row {i + 1}: who needs more has the better chance at {j + 1} away")
    return problems


# Files


def equity_tables() -> tuple[str, ...]:
    """The names of the shipped tables."""
    return tuple(sorted(file.stem for file in tables_folder.glob("*.toml")))


def equity_table(name: str | PathLike[str] | MatchEquityTable) -> MatchEquityTable:
    """A shipped table by name, one from a file by its path, or a table as it is.

    MatchError for an unknown name or a file that does not hold.
    """
    if isinstance(name, MatchEquityTable):
        return name
    if isinstance(name, str) and name.lower().replace("-", "_") in equity_tables():
        return _shipped(name.lower().replace("-", "_"))
    path = Path(name)
    if not path.suffix:
        raise MatchError(
            f"no match equity table is called {str(name)!r}: expected {', '.join(equity_tables())}, "
            "or the path of a .toml or .xml file"
        )
    return read_equity_table(path)


def equity_table_of(game: Variant | str) -> MatchEquityTable | None:
    """The shipped table that was made for this rule set, named or as a Variant; None if there is none.

    VariantError for an unknown name.
    """
    return _table_of(as_variant(game))


@cache
def _table_of(game: Variant) -> MatchEquityTable | None:
    tables = (_shipped(name) for name in equity_tables())
    return next((table for table in tables if table.game and variant(table.game) == game), None)


@cache
def _shipped(name: str) -> MatchEquityTable:
    return read_equity_table(tables_folder / f"{name}.toml")


def read_equity_table(path: str | PathLike[str]) -> MatchEquityTable:
    """Read a table from a file; MatchError, naming the file, if it cannot be read or does not hold.

    Two forms. TOML has `name`, `game`, `source`, `pre_crawford` (a list of rows, each for one side's points
    away from 1 up, over the other's; whole rows, or each from the diagonal on) and `post_crawford`
    (one row: the chance of the side that trails 1-away). XML is that of GNU Backgammon's explicit
    tables.
    """
    path = Path(path)
    try:
        text = read_text(path, MOST_SETTINGS)
        table = (_from_xml if path.suffix.lower() == ".xml" else _from_toml)(path.stem, text)
        if problems := _disorder(table):
            raise MatchError("; ".join(problems), problems=problems)
        return table
    except (OSError, UnicodeDecodeError) as error:
        raise MatchError(f"cannot read the match equity table {path}: {error}") from None
    except MatchError as error:
        raise MatchError(f"{path}: {error}", problems=error.problems) from None


def _from_toml(name: str, text: str) -> MatchEquityTable:
    try:
        data = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise MatchError(f"no TOML: {error}") from None
    needed = ("source", "pre_crawford", "post_crawford")
    problems = [f"unknown key {key!r}" for key in data if key not in (*needed, "name", "game", "length")]
    problems += [f"{key} is missing" for key in needed if key not in data]
    if problems:
        raise MatchError("; ".join(problems), problems=problems)
    rows = [_numbers(row, f"row {i}") for i, row in enumerate(_list(data["pre_crawford"], "pre_crawford"), 1)]
    if data.get("length", len(rows)) != len(rows):
        raise MatchError(f"length is {data['length']!r}, but there are {len(rows)} rows")
    post = _numbers(data["post_crawford"], "post_crawford")
    table = table_from_rows(str(data.get("name", name)), str(data["source"]), _squared(rows), post)
    return replace(table, game=data.get("game"))


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise MatchError(f"{where} is a list, not {value!r}")
    return value


def _numbers(value: object, where: str) -> list[float]:
    row = _list(value, where)
    wrong = [each for each in row if type(each) not in (int, float)]
    if wrong:
        raise MatchError(f"{where} holds numbers, not {wrong[0]!r}")
    return [float(each) for each in row]


def _squared(rows: list[list[float]]) -> list[list[float]]:
    """Whole rows as they are; the half above the diagonal is completed."""
    size = len(rows)
    if [len(row) for row in rows] != list(range(size, 0, -1)) or size == 1:
        return rows
    return [
        [rows[i][j - i] if j >= i else round(1.0 - rows[j][i - j], 9) for j in range(size)]
        for i in range(size)
    ]


def _from_xml(name: str, text: str) -> MatchEquityTable:
    """GNU Backgammon's form: explicit tables only, a stray closing tag after <info> forgiven."""
    body = text.replace("</met>", "")
    start = body.find("<met>")
    try:
        root = ElementTree.fromstring(body[start:] + "</met>" if start >= 0 else body)
    except ElementTree.ParseError as error:
        raise MatchError(f"no XML: {error}") from None
    pre, post = root.find("pre-crawford-table"), root.find("post-crawford-table")
    if pre is None or post is None:
        raise MatchError("expected <pre-crawford-table> and <post-crawford-table>")
    for table in (pre, post):
        if table.get("type") != "explicit":
            raise MatchError(f'<{table.tag}> is of type {table.get("type")!r}; only "explicit" can be read')
    title = root.findtext("info/name") or name
    rows = [_cells(row) for row in pre.findall("row")]
    posts = [_cells(row) for row in post.findall("row")]
    if len(posts) != 1 or post.get("player", "both") != "both":
        raise MatchError("expected one post-Crawford row for both players")
    source = root.findtext("info/description") or title
    return table_from_rows(title.strip(), source.strip(), rows, posts[0])


def _cells(row: ElementTree.Element) -> list[float]:
    cells = [(cell.text or "").strip() for cell in row.findall("me")]
    try:
        return [float(cell) for cell in cells]
    except ValueError as error:
        raise MatchError(f"<me> holds a number: {error}") from None
