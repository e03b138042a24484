"""The one reader of ids: whatever text somebody has for a position, of whatever program.

| text | |
|---|---|
| `B4e1c3Ee3C1E4b:w` | our own id, of every game |
| `XGID=…`, `xgid=…`, without the prefix, with `%3A` for colons, within an address | eXtreme Gammon's |
| `4HPwATDgc/ABMA`, `…:cAkAAAAAAAAA`, `GNUBGID=…`, `Position ID: … Match ID: …` | GNU Backgammon's |
| `11jjjjjhhhccccc:ooddddd88866666:N0N…`, `OGID=…` | OpenGammon's |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from sheshbesh.errors import MatchError, NotationError
from sheshbesh.formats.gnubg_id import parse_gnubg_id
from sheshbesh.formats.ogid import parse_ogid
from sheshbesh.formats.plain_board import counts_of
from sheshbesh.formats.xgid import parse_xgid
from sheshbesh.i18n import Text
from sheshbesh.match import MatchState
from sheshbesh.rules import Position, Roll, Side, Variant, as_variant
from sheshbesh.rules.ids import stripped

Kind = Literal["own", "xgid", "gnubgid", "ogid"]

_LONGEST = 2048
_NAMED = re.compile(
    r"(?<![a-z])(?:(?P<xgid>xgid)|(?P<gnubgid>gnu(?:bg)?[ -]?id)|(?P<ogid>ogid))\s*[=:]?\s*(?P<text>\S+)",
    re.IGNORECASE,
)
_PRINTED = re.compile(
    r"Position ID\s*:?\s*(?P<position>[A-Za-z0-9+/=]+)(?:[\s,;]*Match ID\s*:?\s*(?P<match>[A-Za-z0-9+/=]+))?",
    re.IGNORECASE,
)
"""The lines that GNU Backgammon prints beside a board."""
_XGID = re.compile(r"[-A-Za-z]+:-?\w+(?::-?\w+){5,}|(?=\w*-)[-A-Oa-o]{20,}(?::\S*)?")
_OGID = re.compile(r"\w*:\w*:[A-Z?]\d+[A-Z](?::\S*)?")
_GNUBG = re.compile(
    r"[A-Za-z0-9+/]{12,16}={0,2}(?::[A-Za-z0-9+/]{4,20}={0,2})?|(?=[^:]*[P-Zp-z+/])[A-Za-z0-9+/]{14}:"
)
_OWN = re.compile(r"[A-Oa-o0-9()]+:[wb](?::\S*)?")


@dataclass(frozen=True, slots=True)
class AnyPosition:
    """The content of an id.

    Parameters
    ----------
    kind : Kind
        Whose id it is.
    position : Position
        The position.
    match : MatchState, optional
        Score and cube; None where the id says nothing of them.
    dice : Roll, optional
        The throw; None where none is made.
    offer : str, optional
        The cube action of the side on roll, or against it, that waits for an answer ("double", "beaver",
        "raccoon"), or None.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> formats.parse_any_id(sb.variant("tapa").start().id, "tapa").kind
    'own'
    """

    kind: Kind
    position: Position
    match: MatchState | None = None
    dice: Roll | None = None
    offer: str | None = None


def kind_of_id(text: str) -> tuple[Kind, str] | None:
    """Recognise whose id a text is, or is meant to be.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    tuple[Kind, str] or None
        The kind, and the id itself without what names it; None if it is of nobody.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> formats.kind_of_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")[0]
    'xgid'
    """
    plain = stripped(text).strip("\"'<>`")
    if "%" in plain:
        plain = unquote(plain)
    if named := _NAMED.search(plain):
        said = named["text"]
        if "://" in plain:
            said = re.split(r"[&#]", said)[0]
        if named["xgid"]:
            return "xgid", said
        return ("ogid" if named["ogid"] else "gnubgid"), said
    if printed := _PRINTED.search(plain):
        return "gnubgid", ":".join(filter(None, printed.groups()))
    if _OWN.fullmatch(plain):
        return "own", plain
    if _OGID.fullmatch(plain):
        return "ogid", plain
    if _XGID.fullmatch(plain):
        return "xgid", plain
    if _GNUBG.fullmatch(plain):
        return "gnubgid", plain
    return None


def parse_any_id(
    text: str, game: Variant | str, turn: Side | str = Side.WHITE, *, kind: Kind = "own"
) -> AnyPosition:
    """Read an id of whatever program.

    Parameters
    ----------
    text : str
        The id.
    game : Variant or str
        The game that it is a position of, or its name.
    turn : Side or str
        The side on roll where the id does not say it.
    kind : Kind
        Whose id it is taken for where its form does not say it.

    Returns
    -------
    AnyPosition
        What the id says.

    Raises
    ------
    NotationError
        The text cannot be read; what is wrong with the id that it comes nearest to is said.
    PositionError
        The position is impossible; `problems` has every reason.
    MatchError
        The score or the cube is impossible, or the match is over.
    VariantError
        The game is unknown.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> from sheshbesh import formats
    >>> formats.parse_any_id("4HPwATDgc/ABMA", "backgammon").kind
    'gnubgid'
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise NotationError(
            Text(
                "a position id is a text of at most {n} characters: {text}",
                n=_LONGEST,
                text=repr(str(text)[:60]),
            )
        )
    if len({named["text"] for named in _NAMED.finditer(text)}) > 1:
        raise NotationError(Text("several ids in one text, expected one: {text}", text=repr(text[:60])))
    read = _read(*(kind_of_id(text) or (kind, stripped(text))), as_variant(game), turn)
    if read.kind != "own" and not any(sum(counts_of(read.position, side)) for side in Side):
        raise NotationError(
            Text("there is no checker of either side on the board of this id: {text}", text=repr(text[:60]))
        )
    if read.match is not None and read.match.winner is not None:
        length, white, black = read.match.length, read.match.white, read.match.black
        over = Text("a match to {n} points is over at {white}-{black}", n=length, white=white, black=black)
        raise MatchError(over, problems=(over,))
    return read


def _read(kind: Kind, plain: str, game: Variant, turn: Side | str) -> AnyPosition:
    if kind == "own":
        return AnyPosition(kind, game.position_from_id(plain))
    if kind == "gnubgid":
        bare = re.sub(r"=+(?=:|$)", "", plain)
        gnubg = parse_gnubg_id(bare, game, turn)
        return AnyPosition(kind, gnubg.position, gnubg.match, gnubg.dice, "double" if gnubg.doubled else None)
    found = parse_xgid(plain, game) if kind == "xgid" else parse_ogid(plain, game)
    return AnyPosition(kind, found.position, found.match, found.dice, found.offer)
