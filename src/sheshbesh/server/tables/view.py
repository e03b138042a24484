"""A match as its viewers are sent it: everything there is to see and to do, as plain data.

`fixed`, `position_data` and `common` are the same for everybody and are made once for the match, for each
position and for each change; `personal` adds what only the viewer's own seats may know or do. No secret of
the dice and no rule is in any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from msgspec import structs

from sheshbesh.match import Card, ClockKind, Contest
from sheshbesh.rules import Position, Side
from sheshbesh.rules.side import SIDE_NAMES, SIDES, name_or_none
from sheshbesh.server.tables.offers import paid
from sheshbesh.server.tables.seats import MatchAgreement
from sheshbesh.server.tables.store import clock_fields
from sheshbesh.session import ChouetteHeader, Event, Header, Phase, Session
from sheshbesh.session.actions import RetryAction
from sheshbesh.session.board_data import board_data, choices_data, step_data
from sheshbesh.session.clock import Clock
from sheshbesh.session.phases import CUBE_PHASES, OFFERED
from sheshbesh.session.state import FinishedGame
from sheshbesh.session.turn import Turn

_OFFERS = frozenset({"accept", "refuse"})


def is_stale(now: str, kind: str, key: object) -> bool:
    """Return True if an action of this type with this key was decided upon something else than `now`'s."""
    if kind in _OFFERS:
        return key != now
    return not isinstance(key, str) or key.partition(".")[0] != now.partition(".")[0]


def card_data(card: Card) -> dict[str, Any]:
    """The card as a page shows it."""
    clock = card.clock
    money = card.has_cube and card.contest is Contest.MONEY
    return {
        "code": card.code,
        "hash": card.hash,
        "game": card.game,
        "title": card.rules.title,
        "contest": card.contest.value,
        "length": card.length,
        "clock": {
            "code": clock.code,
            "kind": clock.kind.value,
            "delay": clock.delay,
            "bank": clock.bank(card.length),
        },
        "dice": card.dice.value,
        "cube": card.has_cube,
        "touch_move": card.touch_move,
        "crawford": card.crawford and card.has_cube and card.contest is Contest.POINTS,
        "jacoby": card.jacoby and money,
        "beavers": card.beavers and money,
        "raccoons": card.raccoons and money,
        "automatic_doubles": card.automatic_doubles if money else 0,
        "options": card.as_dict()["options"],
        "agreements": card.allows_agreements,
        "one_pair": card.one_pair,
    }


def fixed(table: MatchAgreement) -> dict[str, Any]:
    """Return what never changes while a match is played."""
    event = {} if table.event is None else {"event": table.event.to_data()}
    return {
        "match": table.id,
        "card": card_data(table.card),
        "rules": table.card.rules.fingerprint,
        "players": {side.value: seat.to_data() for side, seat in table.seats.items()},
        "rated": table.rated,
        "tutor": table.tutor,
        **event,
    }


def placed(session: Session) -> Position | None:
    """Return what stands on the board: while it is thrown for the first move, the checkers as they will
    begin."""
    return session.card.rules.start() if session.phase is Phase.OPENING else session.position


def position_data(position: Position | None) -> dict[str, Any]:
    """Return what everybody sees of a position: it stays while the dice are thrown and doubles are
    offered."""
    if position is None:
        return {"board": None, "pips": dict.fromkeys(SIDE_NAMES), "pending": None}
    owed = position.pending
    return {
        "board": board_data(position),
        "pips": {side.value: position.pips(side) for side in SIDES},
        "pending": {"dice": list(owed.steps), "choose": owed.choose is not None}
        if owed is not None
        else None,
        "race": not position.has_contact,
    }


def common(session: Session, now: int) -> dict[str, Any]:
    """Return what everybody sees of a match at `now` (ms of the table's time), besides `position_data`."""
    turn = session.turn
    call = {} if session.event is None else {"call_at": session.call_at}
    return {
        "phase": session.phase.value,
        "game": session.game_no,
        "score": {side.value: session.score.score(side) for side in SIDES},
        "crawford": session.score.crawford,
        "opening": opening_data(session),
        "on_roll": name_or_none(session.on_roll),
        "to_act": [side.value for side in session.to_act],
        "turn": None if turn is None else _turn(turn),
        "dice_steps": 2 if turn is None else _steps_of_dice(session),
        "cube": cube_data(session),
        "resignation": _resignation(session),
        "proposal": _proposal(session),
        "clock": clock_data(session.clock, now),
        "paused": session.paused,
        "breaks": {side.value: session.breaks_left(side) for side in SIDES} | {"until": session.break_until},
        "results": [result_data(game) for game in session.games],
        "winner": name_or_none(session.winner),
        "ending": session.ending,
        **call,
    }


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "dice": list(turn.dice),
        "done": [step_data(step) for step in turn.done],
        "touched": turn.touched,
    }


def _resignation(session: Session) -> dict[str, Any] | None:
    offer = session.resignation
    if offer is None:
        return None
    pays = paid(session, offer.by, offer.kind, offer.points)
    return {"by": offer.by.value, "kind": offer.kind, "points": offer.points, "pays": pays}


def _proposal(session: Session) -> dict[str, Any] | None:
    offer = session.proposal
    return None if offer is None else {"by": offer.by.value, "what": offer.what, "points": offer.points}


def result_data(game: FinishedGame) -> dict[str, Any]:
    """Return how a game ended."""
    return {
        "winner": name_or_none(game.result.winner),
        "kind": game.result.kind,
        "points": game.points,
        "cube": game.cube,
        "reason": game.reason,
    }


def personal(
    session: Session,
    you: Sequence[Side],
    *,
    claims: Sequence[Side] = (),
    typed_for: Sequence[Side] = (),
    tutor: bool = False,
) -> dict[str, Any]:
    """Return what a viewer who plays these sides may do, and how the turn may continue.

    `claims` are those of them that may claim the match from an opponent who has left, `typed_for`
    sides whose dice a player types in for them, since they have no hands. With the `tutor` a play may be
    taken back for another try.
    """
    position = session.position
    allowed = {side.value: _allowed(session, side, side in claims, typed_for) for side in you}
    if tutor and (side := session.retriable) is not None and side in you:
        allowed[side.value].append("retry")
    data: dict[str, Any] = {
        "you": list(allowed),
        "dice": _dice(session, you),
        "allowed": next(iter(allowed.values())) if len(allowed) == 1 else [],
        "resign_kinds": [],
    }
    if len(allowed) > 1:
        data["allowed_of"] = allowed
    if position is not None and you:
        loser = session.on_roll if session.on_roll in you else you[0]
        data["resign_kinds"] = list(position.variant.resignations(position, loser or you[0]))
    if session.phase is Phase.MOVE and session.on_roll in you and not session.paused:
        assert session.turn is not None
        data["choices"] = choices_data(session.turn)
    return data


def _allowed(session: Session, side: Side, claims: bool, typed_for: Sequence[Side]) -> list[str]:  # noqa: FBT001
    # The server itself claims the time of a clock.
    kinds = [kind for kind in session.allowed(side) if kind != "time"]
    if claims:
        kinds.append("time")
    if "dice" not in kinds and any(session.may(other, "dice") for other in typed_for):
        kinds.append("dice")
    return kinds


def _steps_of_dice(session: Session) -> int:
    """Return the number of steps that the dice that lie are good for."""
    turn, position = session.turn, session.position
    assert turn is not None
    assert position is not None
    owed = position.pending
    if owed is not None and owed.choose is None:
        return len(owed.steps)
    doubles = position.variant.axes["throw"]["double_steps"]
    return int(str(doubles)) if turn.dice.is_double else 2


def opening_data(session: Session) -> dict[str, Any] | None:
    """Return how it was decided who begins this game: `throws` are White's die and Black's, ties first.

    `by` is draw, or winner or alternate, where the rules let the last game decide.
    """
    if not session.game_no:
        return None
    draws = session.draws
    drawn = bool(draws) or session.phase is Phase.OPENING
    by = "draw" if drawn else str(session.card.rules.axes["opening"]["later"])
    tied = drawn and (not draws or draws[-1][0] == draws[-1][1])
    starter = None if tied else name_or_none(session.starter)
    return {"by": by, "throws": [list(dice) for dice in draws], "starter": starter}


def cube_data(session: Session) -> dict[str, Any]:
    """Return the cube of a match; that of an offer is drawn at its value before."""
    offered, by = None, None
    value = session.score.cube
    if session.phase in CUBE_PHASES:
        assert session.doubler is not None
        offered, value = session.stake * OFFERED[session.phase], session.stake * OFFERED[session.phase] // 2
        by = session.doubler.other if session.phase is Phase.BEAVERED else session.doubler
    owner = session.score.owner
    return {
        "value": value,
        "owner": owner.value if isinstance(owner, Side) else owner,
        "offered": offered,
        "by": name_or_none(by),
        "in_play": session.card.has_cube,
        "automatic": session.score.automatic_doubles,
    }


def standing_data(card: Card, standing: Mapping[str, Any], now: int) -> dict[str, Any]:
    """Return the `standing` of a match's row as a list shows it, its clocks at `now` of the match's time."""
    clock = Clock(card.clock, **clock_fields(standing["clock"]))
    entry = {name: value for name, value in standing.items() if name != "clock"}
    return {**entry, "clock": clock_data(clock, now), "now": now}


def clock_data(clock: Clock, now: int) -> dict[str, Any] | None:
    """Both players' time at `now`; None where it is not measured."""
    kind = clock.settings.kind
    if kind is ClockKind.NONE:
        return None
    free = clock.allowance - clock.elapsed(now) if kind is ClockKind.DELAY and clock.running else 0
    return {
        **{side.value: clock.bank(side, now) for side in Side},
        "given": {side.value: clock.quota(side).given for side in Side},
        "running": name_or_none(clock.running),
        "delay": max(free, 0),
        "kind": kind.value,
        "away": max(clock.since - now, 0) if clock.running is not None else 0,
        "at": now,
    }


def _dice(session: Session, you: Sequence[Side]) -> dict[str, Any]:
    """Return where the dice are, and what chains in the viewer's keeping owe."""
    throwing = session.throwing
    data: dict[str, Any] = {"source": throwing.source.value, "game": throwing.game}
    table = throwing.table
    if table is None:
        return data
    owe: dict[str, str | None] = {}
    for side in you:
        asked = table.throw is not None and table.throw.asked and side.value in table.awaited
        if throwing.needs_anchor(side):
            owe[side.value] = "anchor"
        else:
            owe[side.value] = "link" if asked or session.may(side, "link") else None
    return data | {
        "index": table.index,
        "serial": table.epoch.serial if table.epoch is not None else 0,
        "length": table.length,
        "owe": owe,
    }


_QUIET = frozenset({"roll", "choose", "accept", "refuse"})
"""Decisions that are no turns of their own: listed only where nobody thought about them."""


def turn_of(before: Session, event: Event) -> dict[str, Any] | None:
    """The line an event adds to the list of a game's turns; None for what is no turn."""
    kind = event.action.type
    if kind in ("play", "confirm") and "play" in event.then and before.turn is not None:
        play = event.then["play"]
        kind = "pass" if play == "pass" else "play"
        dice = sorted(before.turn.dice, reverse=True)
        return _marked({"side": event.actor, "dice": dice, "play": play, "kind": kind}, event)
    if isinstance(event.action, RetryAction):
        taken_back = event.then["taken_back"]
        return {"side": event.action.side, "dice": None, "play": taken_back, "kind": kind}
    if kind in ("double", "take", "drop", "beaver"):
        line = _marked({"side": event.actor, "dice": None, "play": None, "kind": kind}, event)
        return line | {"cube": event.then["cube"]} if "cube" in event.then else line
    if event.guessed and kind in _QUIET:
        return _marked({"side": event.actor, "dice": None, "play": None, "kind": kind}, event)
    return None


_THOUGHT_ABOUT = (
    frozenset({"play", "confirm", "double", "take", "drop", "beaver"})
    | {"answer", "agree", "decline", "double_one"}
    | (_QUIET - {"roll"})
)
"""Decisions that a program asks an engine for; to throw may be none."""


def fallback_after(before: frozenset[str], event: Event) -> frozenset[str]:
    """The actors whose programs decide by heuristics, since no engine answers, once this has happened."""
    if event.guessed:
        return before | {event.actor}
    return before - {event.actor} if event.action.type in _THOUGHT_ABOUT else before


def _marked(line: dict[str, Any], event: Event) -> dict[str, Any]:
    return line | {"guessed": True} if event.guessed else line


# While a table lasts the seed of seeded dice is withheld: all coming throws follow from it.

HeaderT = TypeVar("HeaderT", Header, ChouetteHeader)


def shown_header(header: HeaderT, *, over: bool) -> HeaderT:
    """The first line of a record as others may have it."""
    return header if over else replace(header, seed=None)


def shown_events(events: Iterable[Event], *, over: bool) -> Sequence[Event]:
    """The events of a record as others may have them."""
    return tuple(events) if over else tuple(map(shown_event, events))


def shown_event(event: Event) -> Event:
    """An event as those are sent it who look at a table in progress."""
    transcript = event.then.get("transcript", ())
    kept = [entry for entry in transcript if not _is_seed(entry)]
    return (
        event
        if len(kept) == len(transcript)
        else structs.replace(event, then={**event.then, "transcript": kept})
    )


def _is_seed(entry: Mapping[str, Any]) -> bool:
    return entry.get("type") == "seed"
