"""A chouette looked at again: frames to leaf through, with the cubes and the sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sheshbesh.rules import Side
from sheshbesh.server.tables.chouette_view import cube_data, event_data
from sheshbesh.server.tables.replay import steps_of
from sheshbesh.server.tables.view import opening_data, result_data
from sheshbesh.session import AdviseAction, Chouette, ChouetteRecord, Event, ResignAction
from sheshbesh.session.board_data import board_data

_QUIET = frozenset(
    {"ready", "roll", "link", "withhold", "anchor", "dice", "step", "touch", "swap", "undo", "time", "credit"}
)
"""Actions that are no frame of their own; how a game was lost on time stands at its end."""


def frames_data(record: ChouetteRecord, game: int) -> Mapping[str, Any]:
    """A game of a chouette: before each play, cube and change of players the position; and the end."""
    state = record.header.session()
    frames: list[dict[str, Any]] = []
    advice: dict[str, str] = {}
    opening = None
    games = 0
    for event in record.events:
        before, state = state, record.header.follow(state, event).state
        games = max(games, state.board.game_no)
        if state.board.game_no == game and not state.is_between_games and not state.is_over:
            opening = opening_data(state.board)
        if before.board.game_no != game or before.is_between_games:
            continue
        if event.action.type not in _QUIET or "play" in event.then:
            frames.append(_frame(before, event, advice))
        # Advice about a decision is not shown once it is made.
        if isinstance(event.action, AdviseAction):
            advice[event.actor] = event.action.advice
        elif before.key != state.key:
            advice.clear()
        if state.is_between_games or state.is_over:
            frames.append(_end(before, state, event))
    return {
        "game": game,
        "games": games,
        "over": state.is_over,
        "opening": opening,
        "frames": frames,
        "rows": [*map(dict, state.rows)],
    }


def _frame(state: Chouette, event: Event, advice: Mapping[str, str]) -> dict[str, Any]:
    position = state.board.position
    data = event_data(state, event)
    turn = state.board.turn
    dice = turn.dice if turn is not None else event.then.get("dice")
    return {
        "n": event.n,
        "at": event.at,
        "board": board_data(position) if position is not None else None,
        "pips": {side.value: position.pips(side) for side in Side} if position is not None else None,
        "side": data["actor"],
        "by": event.actor,
        "kind": event.action.type,
        "member": getattr(event.action, "member", None),
        "answer": getattr(event.action, "answer", None),
        "points": getattr(event.action, "points", None),
        "advice": getattr(event.action, "advice", None),
        "offer": event.action.kind if isinstance(event.action, ResignAction) else None,
        "on": getattr(event.action, "on", None),
        "play": event.then.get("play"),
        "dice": sorted(dice, reverse=True) if dice is not None else None,
        "steps": steps_of(turn, event.then.get("play")),
        "hands": {side.value: state.player_for(side) for side in Side},
        "cubes": {member.name: cube_data(member) for member in state.members},
        "advised": dict(advice),
        "sheet": dict(state.sheet),
    }


def _end(before: Chouette, state: Chouette, event: Event) -> dict[str, Any]:
    result = result_data(state.board.games[-1])
    ended = _frame(before, event, {})
    position = state.board.position
    return ended | {
        "board": board_data(position) if position is not None else None,
        "kind": "end",
        "play": None,
        "steps": [],
        "sheet": dict(state.sheet),
        # The points are those of each member; see the sheet.
        "result": {name: result[name] for name in ("winner", "kind", "reason")},
    }
