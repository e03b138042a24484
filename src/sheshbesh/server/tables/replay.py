"""A match looked at again: frames to leaf through, and the transcript of its dice."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from pydantic_core import to_json

from sheshbesh.fairdice import Verdict, dump_transcript, verify_transcript
from sheshbesh.players.situation import situation_of
from sheshbesh.rules import Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.server.tables.render_cache import Key, RenderCache
from sheshbesh.server.tables.seats import Arrangement
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.server.tables.view import opening_data, result_data, shown_events, turn_of
from sheshbesh.session import Event, Phase, Session
from sheshbesh.session.board_data import board_data, step_data
from sheshbesh.session.turn import Turn


class Game(NamedTuple):
    """A game as it was played: who began it, and as frames every turn and cube action with the position
    before it, and the end. One that is `finished` stays as it is for ever."""

    data: Mapping[str, Any]
    finished: bool


def games_data(table: Arrangement, events: Iterable[Event]) -> Mapping[int, Game]:
    """Every game of a match that was begun, by its number."""
    session = table.header.session()
    frames: dict[int, list[dict[str, Any]]] = defaultdict(list)
    openings: dict[int, dict[str, Any] | None] = {}
    for event in events:
        before, session = session, table.header.follow(session, event).state
        if session.phase not in (Phase.READY, Phase.OVER):
            openings[session.game_no] = opening_data(session)
        found, line = frames[before.game_no], turn_of(before, event)
        if line is not None:
            found.append(
                _frame(before, event, line["dice"]) | line | {"steps": steps_of(before.turn, line["play"])}
            )
        ended = len(session.games) > len(before.games)
        if ended or (session.phase is Phase.OVER and before.phase is not Phase.OVER):
            found.append(_frame(session, event) | _end(session, ended=ended))
    return {
        game: Game(
            {"game": game, "opening": openings.get(game), "frames": found},
            finished=game <= len(session.games) or session.phase is Phase.OVER,
        )
        for game, found in frames.items()
    }


async def rendered_game(rendered: RenderCache, store: MatchStore, table: Arrangement, game: int) -> bytes:
    """A game of a match as JSON, without frames where it was not begun; 0 is the last game of a match that is
    over. What stays as it is for ever is rendered once and kept."""

    async def render() -> tuple[bytes, Mapping[Key, bytes]]:
        games = await asyncio.to_thread(games_data, table, await store.tail(table.id, 0))
        nothing = Game({"game": game, "opening": None, "frames": []}, finished=False)

        def text(one: Game) -> bytes:
            return to_json({"match": table.id, **one.data})

        lasting: dict[Key, bytes] = {
            (table.id, "frames", str(n)): text(one) for n, one in games.items() if n and one.finished
        }
        if game == 0 and games:
            last = lasting[table.id, "frames", "0"] = text(games[max(games)])
            return last, lasting
        return text(games.get(game, nothing)), lasting

    return await rendered.get((table.id, "frames", str(game)), render)


def _frame(session: Session, event: Event, dice: Sequence[int] | None = None) -> dict[str, Any]:
    position = session.position
    owner, here = session.score.owner, situation_of(session, dice)
    return {
        "n": event.n,
        "at": event.at,
        "board": board_data(position) if position is not None else None,
        "position": position.id if position is not None else None,
        "pips": {side.value: position.pips(side) for side in Side} if position is not None else None,
        "cube": {
            "value": session.score.cube,
            "owner": owner.value if isinstance(owner, Side) else owner,
            "in_play": session.card.has_cube,
        },
        "score": {side.value: session.score.score(side) for side in Side},
        "crawford": session.score.crawford,
        "query": None if here is None else here.query,
    }


def steps_of(turn: Turn | None, play: str | None) -> list[list[int]]:
    """The steps of a play that ended this turn, as they were made or else in an order that is possible."""
    if turn is None or play in (None, "pass"):
        return []
    if turn.done and (made := turn.made) is not None and made.notation == play:
        return [step_data(step) for step in turn.done]
    return [step_data(step) for step in turn.position.parse_play(play, tuple(turn.dice)).steps]


def _end(session: Session, *, ended: bool) -> dict[str, Any]:
    frame: dict[str, Any] = {"kind": "end", "side": None, "dice": None, "play": None, "steps": []}
    if ended:
        frame["result"] = result_data(session.games[-1])
    if session.phase is Phase.OVER:
        frame["match"] = {"winner": name_or_none(session.winner), "reason": session.ending}
    return frame


def transcript(events: Iterable[Event]) -> str:
    """What the events say of the dice, as a stand-alone transcript."""
    return dump_transcript(entry for event in events for entry in event.then.get("transcript", ()))


def dice_data(events: Sequence[Event], *, over: bool) -> dict[str, Any]:
    """The transcript of the dice of a table, what an audit says of it, and whether a seed is `withheld` from
    it, since the table is not `over`."""
    verdict, text = verify_transcript(transcript(events)), transcript(shown_events(events, over=over))
    withheld = not over and any(throw.source == "seeded" for throw in verdict.throws)
    return {"transcript": text, "verdict": verdict_data(verdict), "withheld": withheld}


def verdict_data(verdict: Verdict) -> dict[str, Any]:
    """The result of an audit as plain data."""
    return {
        "ok": verdict.ok,
        "problems": [str(problem) for problem in verdict.problems],
        "throws": [
            {
                "game": throw.game,
                "number": throw.number,
                "source": throw.source,
                "roller": throw.roller,
                "dice": list(throw.dice) if throw.dice is not None else None,
                "missing": list(throw.missing),
                "ok": throw.problem is None,
            }
            for throw in verdict.throws
        ],
        "proved": list(verdict.proved),
        "unproved": list(verdict.unproved),
    }


def games_of(session: Session) -> Sequence[dict[str, Any]]:
    """The finished games, for a table of contents."""
    return [{"game": number, **result_data(game)} for number, game in enumerate(session.games, start=1)]
