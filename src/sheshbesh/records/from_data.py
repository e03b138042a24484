"""A match from plain data: the way back from `Match.to_data`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sheshbesh.errors import RecordError
from sheshbesh.formats.xgid import DEFAULT_MAX_CUBE, parse_xgid_board
from sheshbesh.i18n import Text
from sheshbesh.match.card import Card
from sheshbesh.match.state import HIGHEST_CUBE
from sheshbesh.records import model
from sheshbesh.records.board import has_xgid, place, pushed, steps_of_text, turned
from sheshbesh.records.decision import Decision
from sheshbesh.records.model import at_line
from sheshbesh.rules import Position, Side, Variant, variant

_MOST = 20_000
_Kind = TypeVar("_Kind", int, str, bool)
_KINDS = {int: Text("a whole number"), str: Text("a text"), bool: Text("true or false")}
_XGID = re.compile(r"XGID=[-A-Oa-o]{26}:\d{1,3}:(?:0|-?1):-?1:(?:00|[1-6]{2})(?::\d{1,7}){5}", re.ASCII)


def _as(kind: type[_Kind], value: object) -> _Kind:
    """A value of this kind; RecordError for one of another, which would only look alike."""
    if type(value) is not kind:
        raise RecordError(
            at_line(1, Text("expected {kind}, not {found}", kind=_KINDS[kind], found=repr(value)[:80]))
        )
    return value


def match_from_data(data: Mapping[str, Any]) -> model.Match:
    """The match in this data; errors of many kinds if it holds none, for the caller to word."""
    rules = data.get("rules", {})
    card = rules.get("card")
    game = Card.from_code(card).rules if card else variant(data["variant"])
    games = data["games"]
    if sum(len(each["events"]) for each in games) > _MOST:
        raise RecordError(at_line(1, Text("more than {most} events", most=_MOST)))
    length = data["length"]
    if length is not None and (type(length) is not int or not 0 < length < 1_000_000):
        raise RecordError(
            at_line(
                1,
                Text("a match is to 1 to 999999 points, or null for money, not {found}", found=repr(length)),
            )
        )
    found = tuple(_game(each, game, length) for each in games)
    _check_scores(found, length)
    analysis = tuple(Decision.from_data(each) for each in data.get("analysis", ()))
    if any(not has_place(each, found) for each in analysis):
        raise RecordError(at_line(1, Text("the analysis is about events that this match does not have")))
    return model.Match(
        str(data.get("format", "json")),
        str(data.get("dialect", "")),
        {side: _as(str, data["players"][side]) for side in ("white", "black")},
        length,
        str(data["variant"]),
        found,
        {str(key): _as(str, value) for key, value in data.get("tags", {}).items()},
        tuple(
            model.Repair(int(each["line"]), str(each["found"]), str(each["reason"]), str(each["done"]))
            for each in data.get("repairs", ())
        ),
        analysis,
        str(data["analysed_by"]) if analysis and data.get("analysed_by") is not None else None,
        jacoby=_as(bool, rules.get("jacoby", False)),
        beavers=_as(bool, rules.get("beavers", False)),
        crawford_rule=_as(bool, rules.get("crawford_rule", True)),
        card=card,
    )


def has_place(decision: Decision, games: Sequence[model.RecordedGame]) -> bool:
    """Return True if the games have the event that a decision is about."""
    game = next((each for each in games if each.number == decision.game), None)
    return game is not None and 0 <= decision.event < len(game.events)


def _check_scores(games: Sequence[model.RecordedGame], length: int | None) -> None:
    """RecordError for a score that no game of such a match begins at."""
    for game in games:
        low, high = sorted((game.white, game.black))
        if low < 0 or (length is not None and high >= length):
            to = "money play" if length is None else f"a match to {length} points"
            raise RecordError(
                at_line(
                    1,
                    Text(
                        "game {number}: the score is {white}-{black} in {to}",
                        number=game.number,
                        white=game.white,
                        black=game.black,
                        to=to,
                    ),
                )
            )


def _game(data: Mapping[str, Any], rules: Variant, length: int | None) -> model.RecordedGame:
    events: list[model.Event] = []
    position: Position | None = None
    for each in data["events"]:
        event, position = _event(each, rules, position)
        if isinstance(event, _ANSWERS):
            # Nothing can be missing between a double and its answer.
            asked = next((old.position for old in reversed(events) if isinstance(old, _PLACED)), "")
            if asked and event.position not in ("", asked):
                raise _of_another(_as(int, data["number"]), event.position)
            event = replace(event, position=event.position or asked)
        events.append(event)
    score = data["score"]
    game = model.RecordedGame(
        _as(int, data["number"]),
        _as(int, score["white"]),
        _as(int, score["black"]),
        _as(bool, data["crawford"]),
        tuple(events),
    )
    _check_values(game, rules)
    cube: list[str] | None = None
    for event in events:
        _check_position(game, event, length)
        if not isinstance(event, _PLACED) or not event.position.startswith("XGID="):
            continue
        here = event.position.split(":")[1:3]
        if cube not in (None, here) and not isinstance(event, model.SetPositionEvent):
            raise _of_another(game.number, event.position)
        # Only a take and a position that is set up change the cube.
        cube = None if isinstance(event, model.TakeEvent) else here
    return game


_PLACED = model.DECISIONS | model.SetPositionEvent
_ANSWERS = model.TakeEvent | model.DropEvent | model.BeaverEvent


def _of_another(number: int, where: str) -> RecordError:
    return RecordError(
        at_line(
            1,
            Text(
                "game {number}: this position is of another score, roll or turn than its event: {text}",
                number=number,
                text=repr(where[:80]),
            ),
        )
    )


def _check_values(game: model.RecordedGame, rules: Variant) -> None:
    """RecordError for points that no game pays, at any cube, and for a cube that no doubling leads to."""
    most = max((*rules.losses(rules.start(), Side.WHITE).values(), 1)) * HIGHEST_CUBE
    for event in game.events:
        points = getattr(event, "points", 0)
        cube = getattr(event, "cube", 1)
        if not 0 <= points <= most:
            raise RecordError(
                at_line(
                    1,
                    Text(
                        "game {number}: {points} points, no game pays that", number=game.number, points=points
                    ),
                )
            )
        if not 1 <= cube <= 2 * HIGHEST_CUBE or cube & (cube - 1):
            raise RecordError(
                at_line(
                    1,
                    Text(
                        "game {number}: a cube at {cube}: expected a power of two",
                        number=game.number,
                        cube=cube,
                    ),
                )
            )


def _check_position(game: model.RecordedGame, event: model.Event, length: int | None) -> None:
    """RecordError for an XGID of another score, roll or turn than its event has."""
    if not isinstance(event, _PLACED):
        return
    where = event.position
    if not where.startswith("XGID="):
        return
    _, cube, _, turn, dice, *score = where.split(":")
    thrown = f"{event.dice[0]}{event.dice[1]}" if isinstance(event, model.PlayEvent) else "00"
    told = [str(game.white), str(game.black), str(length or 0)]
    # The side that answers a double is not on turn.
    acts = isinstance(event, model.PlayEvent | model.DoubleEvent | model.SetPositionEvent)
    on_turn = not acts or (turn == "1") is (event.side is Side.WHITE)
    fits = on_turn and dice == thrown and [score[0], score[1], score[3]] == told
    fits = fits and (length is None or score[2] == str(int(game.crawford)))
    if fits and 2 ** int(cube) <= 2 * HIGHEST_CUBE and score[4] == str(max(DEFAULT_MAX_CUBE, int(cube))):
        return
    raise _of_another(game.number, where)


def _event(
    data: Mapping[str, Any], rules: Variant, position: Position | None
) -> tuple[model.Event, Position | None]:
    kind = data["type"]
    if kind == "comment":
        return model.CommentEvent(_as(str, data["text"])), position
    if kind == "result":
        winner = data["winner"]
        return model.ResultEvent(
            None if winner is None else Side.of(winner), _as(int, data["points"])
        ), position
    side = Side.of(data["side"])
    if kind == "resign":
        return model.ResignEvent(side, _as(int, data["points"])), position
    where = str(data["position"] or "")
    if where:
        here = _position(where, rules, position)
    else:
        # The board is not known: the last one that was. Answers to a double leave its side on turn.
        here = position or rules.start(side)
        here = here if kind in ("take", "drop", "beaver") else turned(here, side)
    if kind == "setposition":
        return model.SetPositionEvent(side, where, here), here
    if kind == "play":
        event = _play(data, side, where, here)
        return event, event.after
    return _cube(kind, side, _as(int, data["cube"]), where, here), here


def _cube(kind: str, side: Side, cube: int, where: str, here: Position) -> model.Event:
    match kind:
        case "double":
            return model.DoubleEvent(side, cube, where, here)
        case "take":
            return model.TakeEvent(side, cube, where, here)
        case "drop":
            return model.DropEvent(side, cube, where, here)
        case "beaver":
            return model.BeaverEvent(side, cube, where, here)
    raise RecordError(at_line(1, Text("no event {kind}", kind=repr(kind))))


def _position(text: str, rules: Variant, expected: Position | None) -> Position:
    """The position of an id; that of the play before it where both say the same."""
    if has_xgid(rules):
        if not _XGID.fullmatch(text):
            raise RecordError(
                at_line(1, Text("the position of an event is no XGID: {text}", text=repr(text[:80])))
            )
        fields = text.removeprefix("XGID=").split(":")
        found = parse_xgid_board(fields[0], rules, Side.WHITE if fields[3] == "1" else Side.BLACK)
    else:
        found = rules.position_from_id(text)
    return expected if expected is not None and expected == found else found


def _play(data: Mapping[str, Any], side: Side, where: str, here: Position) -> model.PlayEvent:
    first, second = (_as(int, die) for die in data["dice"])
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise RecordError(at_line(1, Text("no dice show {dice}", dice=repr(data["dice"])[:80])))
    dice, text, legal = (max(first, second), min(first, second)), data["play"], _as(bool, data["legal"])
    text = None if text is None else _as(str, text)
    tried = data.get("tried") if legal else None
    if tried is not None:
        tried = here.parse_play(str(tried), dice).notation
    if text is None:
        return model.PlayEvent(side, dice, None, legal, where, here, here, tried)
    if legal:
        play = here.parse_play(text, dice)
        name = "" if play.is_pass else play.notation
        return model.PlayEvent(side, dice, name, legal, where, here, play.result, tried)
    after = turned(here, side.other)
    steps = steps_of_text(str(text)) if text else ()
    board = pushed(here, steps) if steps and where else None
    if board is not None:
        after = place(here.variant, board, side.other) or after
    return model.PlayEvent(side, dice, str(text), legal, where, here, after)
