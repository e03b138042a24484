"""Tables looked at again: frames to leaf through, transcripts of dice, moments; what is rendered is kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import from_json, to_json

from sheshbesh.fairdice import Verdict, dump_transcript, verify_transcript
from sheshbesh.players.situation import Situation, situation_of
from sheshbesh.rules import Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.server.people.access import check_look
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables.chouette_view import cube_data, event_data
from sheshbesh.server.tables.seats import OVER, MatchAgreement
from sheshbesh.server.tables.store import MatchStore
from sheshbesh.server.tables.view import opening_data, result_data, shown_events, turn_of
from sheshbesh.session import AdviseAction, Chouette, ChouetteRecord, Event, Phase, ResignAction, Session
from sheshbesh.session.board_data import board_data, step_data
from sheshbesh.session.turn import Turn

MOST = 48 * 1024 * 1024
"""Bytes that are kept."""

Key: TypeAlias = tuple[str, ...]


class RenderCache:
    """Texts by key, the least recently used of which are forgotten where they are too many bytes.

    One thing is rendered at a time: threads that compute would take turns with the event loop.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Key, bytes] = OrderedDict()
        self._size = 0
        self._lock = asyncio.Lock()

    @property
    def size(self) -> int:
        """Bytes that are kept."""
        return self._size

    def __contains__(self, key: Key) -> bool:
        return key in self._kept

    async def get(
        self, key: Key, render: Callable[[], Awaitable[tuple[bytes, Mapping[Key, bytes]]]]
    ) -> bytes:
        """Return what is kept by this key, or else the first of what `render` gives; it keeps the second.

        Requests for the same key while it is being rendered wait for that.
        """
        if (found := self._find(key)) is not None:
            return found
        async with self._lock:
            if (found := self._find(key)) is not None:
                return found
            answer, lasting = await render()
            for each, text in lasting.items():
                self._keep(each, text)
            return answer

    def _find(self, key: Key) -> bytes | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def _keep(self, key: Key, text: bytes) -> None:
        self._size += len(text) - len(self._kept.pop(key, b""))
        self._kept[key] = text
        while self._size > self._most and self._kept:
            _, oldest = self._kept.popitem(last=False)
            self._size -= len(oldest)


# Matches


class Game(NamedTuple):
    """A game as it was played: who began it, and as frames every turn and cube action with the position
    before it, and the end. One that is `finished` stays as it is for ever."""

    data: Mapping[str, Any]
    finished: bool


def games_data(table: MatchAgreement, events: Iterable[Event]) -> Mapping[int, Game]:
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
            # What is left of a chain may be the opponent's turn when a play is taken back.
            turn = None if line["kind"] == "retry" else before.turn
            found.append(_frame(before, event, line["dice"]) | line | {"steps": steps_of(turn, line["play"])})
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


def events_until(events: Sequence[Event], until: int | None) -> Sequence[Event]:
    """Return the events up to a time of their table; all of them for None."""
    return events if until is None else [event for event in events if event.at <= until]


async def rendered_game(
    rendered: RenderCache, store: MatchStore, table: MatchAgreement, game: int, *, until: int | None = None
) -> bytes:
    """A game of a match as JSON, without frames where it was not begun; 0 is the last game of a match that is
    over. What stays as it is for ever is rendered once and kept; what is shown `until` a time is not."""

    async def render() -> tuple[bytes, Mapping[Key, bytes]]:
        events = events_until(await store.tail(table.id, 0), until)
        games = await asyncio.to_thread(games_data, table, events)
        nothing = Game({"game": game, "opening": None, "frames": []}, finished=False)

        def text(one: Game) -> bytes:
            return to_json({"match": table.id, **one.data})

        if until is not None:
            return text(games.get(game, nothing)), {}
        lasting: dict[Key, bytes] = {
            (table.id, "frames", str(n)): text(one) for n, one in games.items() if n and one.finished
        }
        if game == 0 and games:
            last = lasting[table.id, "frames", "0"] = text(games[max(games)])
            return last, lasting
        return text(games.get(game, nothing)), lasting

    key = table.id, "frames", str(game)
    return await rendered.get(key if until is None else (*key, str(until)), render)


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


async def game_of(
    rendered: RenderCache, store: MatchStore, match: str, game: int, person: Person | None
) -> tuple[MatchAgreement, Sequence[Mapping[str, Any]]]:
    """The frames of a game of a match that is over, 0 for the last; none where there is no such game.

    Failure 404 where there is none or it is not theirs to see, 409 where it goes on: nobody is helped in
    a game that is being played.
    """
    table = await store.table(match)
    check_look(table, person)
    assert table is not None
    if table.state != OVER:
        raise Failure(409, "this match is still being played", code="not_over")
    return table, from_json(await rendered_game(rendered, store, table, game))["frames"]


async def moment_of(
    rendered: RenderCache, store: MatchStore, match: str, game: int, n: int, person: Person | None
) -> tuple[MatchAgreement, Situation]:
    """A match and the situation in a frame; game 0 is the last one, frame -1 the last decision there.

    Failure as in `game_of`, 404 where there is no such frame.
    """
    table, frames = await game_of(rendered, store, match, game, person)
    decided = [each for each in frames if each["query"] is not None and each["kind"] != "end"]
    if not decided or n >= len(frames):
        raise Failure(404, "there is no such moment in this match")
    chosen = decided[-1] if n < 0 else frames[n]
    if chosen["query"] is None:
        raise Failure(404, "there is no such moment in this match")
    return table, Situation.of_query(chosen["query"])


# Chouettes


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
            frames.append(_chouette_frame(before, event, advice))
        # Advice about a decision is not shown once it is made.
        if isinstance(event.action, AdviseAction):
            advice[event.actor] = event.action.advice
        elif before.key != state.key:
            advice.clear()
        if state.is_between_games or state.is_over:
            frames.append(_chouette_end(before, state, event))
    return {
        "game": game,
        "games": games,
        "over": state.is_over,
        "opening": opening,
        "frames": frames,
        "rows": [*map(dict, state.rows)],
    }


def _chouette_frame(state: Chouette, event: Event, advice: Mapping[str, str]) -> dict[str, Any]:
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


def _chouette_end(before: Chouette, state: Chouette, event: Event) -> dict[str, Any]:
    result = result_data(state.board.games[-1])
    ended = _chouette_frame(before, event, {})
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


# Dice


def transcript(events: Iterable[Event]) -> str:
    """Return what the events say of the dice, as a stand-alone transcript."""
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
