"""Real states of real games, stored so that a page can be built without a server.

    python -m tests.server.fixtures

writes `tests/data/wire/states/GAME.json`: the layout, and states of one seeded match as White's
player is sent them. The page's tests read them; a test holds them against the code.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import sheshbesh as sb
from sheshbesh.match import Card
from sheshbesh.rules import Refusal, Side
from sheshbesh.server.tables import view
from sheshbesh.server.tables.seats import MatchAgreement, Seat
from sheshbesh.session import (
    Action,
    ChooseAction,
    DoubleAction,
    Phase,
    PlayAction,
    Session,
    TakeAction,
    apply,
    parse_action,
)
from sheshbesh.session.board_data import layout_data

FOLDER = Path(__file__).parents[1] / "data" / "wire" / "states"
_LARGEST = 400
"""Stages of the largest graph that is worth a fixture; real ones reach thousands."""

_SEATS = {
    Side.WHITE: Seat("guest", "Nava", user="u1"),
    Side.BLACK: Seat("engine", "club", level="club"),
}


def arrangement(game: str) -> MatchAgreement:
    """A seeded match with a clock, and with the cube where the game has one."""
    code = f"{game}.p5.clock-d12-120.dice-seeded"
    return MatchAgreement(f"fix-{game}", Card.from_code(code), _SEATS, tutor=True, seed="fixture")


def state_data(table: MatchAgreement, session: Session, you: tuple[Side, ...], now: int) -> dict[str, Any]:
    """A whole STATE, with its key beside it."""
    data = (
        view.fixed(table)
        | view.position_data(view.placed(session))
        | view.common(session, now)
        | view.personal(session, you)
    )
    return {"key": session.key, "d": data}


def random_action(session: Session, chance: random.Random) -> tuple[Side, Action]:
    side = chance.choice(session.to_act)
    allowed = session.allowed(side)
    if session.phase is Phase.MOVE:
        assert session.turn is not None
        plays = session.turn.plays()
        return side, PlayAction(chance.choice(plays).notation)
    if session.phase is Phase.CHOOSE:
        return side, ChooseAction(chance.randint(1, 6))
    if "double" in allowed and chance.random() < 0.1:
        return side, DoubleAction()
    if "take" in allowed:
        return side, TakeAction()
    return side, parse_action({"type": "ready" if "ready" in allowed else "roll"})


def play(table: MatchAgreement, chance: random.Random) -> list[Session]:
    """Every state of a match played at random."""
    session = table.header.session()
    states, now = [session], 0
    while session.phase is not Phase.OVER and len(states) < 3000:
        side, action = random_action(session, chance)
        now += chance.randint(500, 4000)
        session = apply(session, side, action, now).state
        states.append(session)
    return states


def _picked(states: list[Session]) -> list[Session]:
    """A few moments worth looking at: both sides' turns early and late, offers, ends."""
    moves = [s for s in states if s.turn is not None and len(s.turn.position.stages(s.turn.dice)) < _LARGEST]
    mine = [s for s in moves if s.on_roll is Side.WHITE]
    theirs = [s for s in moves if s.on_roll is Side.BLACK]
    double = [s for s in mine if s.dice is not None and s.dice.is_double]
    held = [s for s in mine if s.position is not None and any(s.position.pinned(side) for side in Side)]
    barred = [s for s in mine if s.position is not None and s.position.counts(Side.WHITE)[26]]
    off = [s for s in mine if s.position is not None and s.position.counts(Side.WHITE)[0] > 2]
    owed = [s for s in mine if s.position is not None and s.position.pending]
    found = [
        states[0],
        next(s for s in states if s.phase is Phase.OPENING),
        *mine[:2],
        *theirs[1:2],
        *[s for s in states if s.phase is Phase.ROLL and s.on_roll is Side.WHITE][1:2],
        *mine[len(mine) // 4 :][:1],
        *double[len(double) // 2 :][:1],
        *held[len(held) // 2 :][:1],
        *barred[:1],
        *owed[:1],
        *off[len(off) // 2 :][:1],
        *[s for s in states if s.phase is Phase.DOUBLED and s.on_roll is Side.BLACK][:1],
        *[s for s in states if s.phase is Phase.CHOOSE and s.on_roll is Side.WHITE][:1],
        *[s for s in states if s.phase is Phase.READY and s.games][:1],
        states[-1],
    ]
    return list({id(s): s for s in found}.values())


def fixture(game: str) -> dict[str, Any]:
    """The layout of a game and the chosen states of its match."""
    table = arrangement(game)
    states = play(table, random.Random(f"fixture {game}"))
    seen = [state_data(table, s, (Side.WHITE,), s.at) | {"v": s.events, "now": s.at} for s in _picked(states)]
    refused = sb.variant(game).start().refusal("24/1", (6, 5))
    assert isinstance(refused, Refusal)
    return {
        "layout": layout_data(table.card.rules, table.card),
        "states": seen,
        "refused": {"rule": refused.rule, "source": refused.source, "text": refused.text},
    }


def write() -> None:
    """Write all fixtures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in sb.variants():
        text = json.dumps(fixture(game), ensure_ascii=False, separators=(",", ":"))
        (FOLDER / f"{game}.json").write_text(text.replace('{"key"', '\n{"key"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
