"""Writing the text of a match in two columns, in the spelling of XG or of gnubg."""

from __future__ import annotations

from itertools import pairwise

from sheshbesh.errors import RecordError
from sheshbesh.formats.plain_board import obstacles
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.records import model
from sheshbesh.records.board import counts, difference, follows_hole, steps_of_event, text_of_steps
from sheshbesh.records.entry import is_crawford_due
from sheshbesh.records.text import MOST_ROW, variant_named
from sheshbesh.rules import Side, variant

DIALECTS = ("xg", "gnubg")
_LEFT, _ROW = 32, 5
_UNPLAYED = {"xg": "????", "gnubg": "???"}
_DANCE = {"xg": "Cannot Move", "gnubg": ""}


def format_mat(match: model.Match, dialect: str = "xg") -> str:
    """The text of a match; RecordError for a game or an event that such a file cannot hold."""
    if dialect not in DIALECTS:
        raise RecordError(f"no dialect {dialect!r} of .mat files: expected {' or '.join(DIALECTS)}")
    rules = variant(match.variant)
    if found := obstacles(rules):
        raise RecordError(
            Text(
                "a .mat file cannot hold {variant}: {why}; write json or a record instead",
                variant=match.variant,
                why=JoinedText(*found, separator="; "),
            )
        )
    if not any(_has_row(event) for game in match.games for event in game.events):
        raise RecordError(
            Text(
                "a .mat file cannot hold a match in which nothing was played: write json or a record instead"
            )
        )
    lines = [f'; [{name} "{value}"]' for name, value in _tags(match).items()]
    lines += ["", f"{match.length or 0} point match", ""]
    played = False
    for game in match.games:
        due = is_crawford_due(match.length, game.white, game.black, played=played or not match.crawford_rule)
        doubled = any(isinstance(event, model.DoubleEvent) for event in game.events)
        lines += _Game(match, game, dialect, said=game.crawford is not (due and not doubled)).lines()
        played |= game.crawford
    if (longest := max(map(len, lines))) > MOST_ROW:
        raise RecordError(
            Text(
                "a .mat file cannot hold a row of {longest} characters, at most {most}: shorten "
                "the names and tags, or write json or a record instead",
                longest=longest,
                most=MOST_ROW,
            )
        )
    return "\n".join(lines) + "\n"


def _has_row(event: model.Event) -> bool:
    return not isinstance(event, model.CommentEvent | model.ResultEvent | model.ResignEvent)


def _tags(match: model.Match) -> dict[str, str]:
    """The tags, with what the rows alone do not contain."""
    tags = {_plain(name): _plain(value) for name, value in match.tags.items()}
    if variant_named(tags.get("Variation", "")) != match.variant:
        tags["Variation"] = match.variant.capitalize()
    if match.length is None:
        tags["Jacoby"] = "On" if match.jacoby else "Off"
        if match.beavers:
            tags["Beaver"] = "On"
    tags["Crawford"] = "On" if match.crawford_rule else "Off"
    return tags


def _plain(text: str) -> str:
    """A tag on one line, without the signs that would end it."""
    return " ".join(text.replace('"', "'").replace("[", "(").replace("]", ")").split())


def _name(text: str) -> str:
    """A name in a score line, where a colon would end it."""
    return " ".join(text.replace(":", " ").split()) or "?"


class _Game:
    """The rows of one game."""

    def __init__(self, match: model.Match, game: model.RecordedGame, dialect: str, *, said: bool) -> None:
        self.match, self.game, self.dialect = match, game, dialect
        self.rows: list[list[str | None]] = []
        self.missing: set[int] = set()
        """The rows before which others are missing in the file that this came from."""
        self.remarks: dict[int, list[str]] = {}
        self.lost = self.hole = self.unseen = False
        self.turn = Side.WHITE
        if said:
            # The score alone would say otherwise.
            self._remark(f"; Crawford game: {'yes' if game.crawford else 'no'}")

    def lines(self) -> list[str]:
        """The heading, the rows and the result."""
        for index, event in enumerate(self.game.events):
            self._event(event, index)
        result = self._result()
        if result and self.unseen and self.game.result is not None and self.game.result.winner is not None:
            # Only a row with a number says that others are missing before it.
            self.hole = True
            self._put(self.game.result.winner, f" {result}")
            result = ""
        white, black = (_name(self.match.players[side]) for side in ("white", "black"))
        left = f"{white} : {self.game.white}"
        width = max(_LEFT, len(left) + 2, *(len(row[0] or "") + 1 for row in self.rows), 0)
        if result and self._joins():
            # Where a left cell stands last, gnubg expects the result of the right side beside it.
            self.rows[-1][1], result = f" {result}", ""
        out = [f" Game {self.game.number}", f" {left:<{width + 3}}{black} : {self.game.black}"]
        out += self.remarks.get(0, [])
        number = 0
        for index, (mine, theirs) in enumerate(self.rows):
            number += 2 if index in self.missing else 1
            out.append(f"{number:3}) {mine or '':<{width}}{theirs or ''}".rstrip() or "")
            out += self.remarks.get(index + 1, [])
        if result and self.game.result is not None:
            white_won = self.game.result.winner is Side.WHITE
            out.append(" " * (_ROW + 1 if white_won else width + _ROW) + result)
        return [*out, ""]

    def _joins(self) -> bool:
        result = self.game.result
        return bool(
            result is not None and result.winner is Side.BLACK and self.rows and self.rows[-1][1] is None
        )

    def _result(self) -> str:
        """The row of the result; "" where there is none."""
        result = self.game.result
        if result is None or result.winner is None:
            return ""
        before = self.game.white if result.winner is Side.WHITE else self.game.black
        won = self.match.length is not None and before + result.points >= self.match.length
        return f"Wins {result.points} point{' and the match' if won else ''}"

    def _put(self, side: Side, text: str) -> None:
        column = 0 if side is Side.WHITE else 1
        if (
            not self.rows
            or self.hole
            or self.rows[-1][column] is not None
            or (column == 0 and self.rows[-1][1] is not None)
            # What was set up after a row comes before what follows.
            or len(self.rows) in self.remarks
        ):
            if self.hole:
                self.missing.add(len(self.rows))
            self.rows.append([None, None])
        self.hole = False
        self.rows[-1][column] = text

    def _event(self, event: model.Event, index: int) -> None:
        self.lost = not getattr(event, "position", "" if self.lost else "?")
        self.hole = follows_hole(self.game.events, index)
        match event:
            case model.ResultEvent():
                self.unseen = self.hole
            case model.PlayEvent():
                self.turn = event.side.other
                self._put(event.side, f"{event.dice[0]}{event.dice[1]}: {self._play(event, index)}".rstrip())
            case model.DoubleEvent():
                self._put(event.side, f" Doubles => {event.cube}")
            case model.TakeEvent():
                # gnubg would take the word for one more double.
                if not isinstance(self.game.events[index - 1], model.BeaverEvent):
                    self._put(event.side, " Takes")
            case model.DropEvent():
                self._put(event.side, " Drops")
            case model.BeaverEvent():
                self._put(event.side, f" Beavers => {event.cube}")
            case model.SetPositionEvent():
                self._remark(f"; Set Pos={self._set_position(event)}/0")
            case model.ResignEvent() if self.lost or self._waits_for(event.side.other, index):
                # The board does not say that it was one: the other side's roll may have borne off the last.
                self._put(event.side, " Concedes")
            # Comments have no place: gnubg takes their rows for plays it cannot read.

    def _waits_for(self, side: Side, index: int) -> bool:
        """Return True if what stands before an event is a roll of this side that was not played."""
        before = self.game.events[index - 1] if index else None
        return isinstance(before, model.PlayEvent) and before.side is side and before.play is None

    def _remark(self, text: str) -> None:
        self.remarks.setdefault(len(self.rows), []).append(text)

    def _play(self, event: model.PlayEvent, index: int) -> str:
        if event.play is None:
            return _UNPLAYED[self.dialect]
        if event.play == "" and event.legal:
            return _DANCE[self.dialect]
        if event.play == "" and (self.dialect == "xg" or not _is_dumped(event)):
            # Nothing written would be a dance, or a play that is not shown.
            return _DANCE["xg"]
        if self.dialect == "gnubg":
            if not event.legal and _is_dumped(event):
                return self._dump(event, index)
            return " ".join(f"{a}/{b}{'*' if hit else ''}" for a, b, hit in steps_of_event(event))
        return " ".join(_xg_words(event.play))

    def _set_position(self, event: model.SetPositionEvent) -> str:
        """The board as XG writes it; behind it the cube and whose turn it is, where no row tells them."""
        board, *rest = event.position.removeprefix("XGID=").split(":")[:4]
        told = rest[:2] == ["0", "0"] and event.side is self.turn
        return board if told else ":".join((board, *rest))

    def _dump(self, event: model.PlayEvent, index: int) -> str:
        """An illegal play as Snowie's and XG's exports write it: by the position that it led to."""
        later = (each for each in self.game.events[index + 1 :] if isinstance(each, model.PlayEvent))
        dice = next((each.dice for each in later), (1, 1))
        # Snowie names the side that is on roll next first, and sees the board as that side does.
        first, second = event.side.other, event.side
        board = counts(event.after)
        mine, theirs = board[first], board[second]
        places = [-theirs[24], *(mine[point] - theirs[23 - point] for point in range(24)), mine[24]]
        names = [self.match.players[side.value] for side in (first, second)]
        scores = {Side.WHITE: self.game.white, Side.BLACK: self.game.black}
        fields = [
            self.match.length or 0,
            *(0, 1, 0, 0),
            *(_name(name).replace(";", " ") for name in names),
            int(self.game.crawford),
            *(scores[side] for side in (first, second)),
            1,
            0,
            *places,
            *dice,
        ]
        return f"Illegal play ({';'.join(map(str, fields))};)"


def _is_dumped(event: model.PlayEvent) -> bool:
    """Return True if a play that was illegal can be told from the position that it led to."""
    steps = difference(event.before, counts(event.after), event.dice)
    return bool(event.position) and steps is not None and text_of_steps(steps) == event.play


def _xg_words(play: str) -> list[str]:
    """A play in XG's words: `Bar/`, `/Off`, and a way cut at a hit on it."""
    words = []
    for word in play.split():
        times = word[word.index("(") :] if "(" in word else ""
        parts = word.removesuffix(times).split("/")
        marked = [part for part in parts[1:-1] if part.endswith("*")]
        if not marked:
            words.append(_spelled(parts) + times)
            continue
        pairs = pairwise(parts)
        hops = [_spelled([a.removesuffix("*"), b]) for a, b in pairs]
        words += hops * int(times.strip("()") or 1)
    return words


def _spelled(parts: list[str]) -> str:
    return "/".join(parts).replace("bar", "Bar").replace("off", "Off")
