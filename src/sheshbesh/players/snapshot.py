"""A snapshot of a match as plain data: all that a decision depends on, for a process that keeps no matches.

The dice's chains, the clocks and the finished games are left out: no decision depends on them. What comes
back from `read_snapshot` is therefore good for asking and judging, not for playing on.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sheshbesh.errors import ProtocolError, SheshbeshError
from sheshbesh.match import Card, DiceSource, MatchState
from sheshbesh.rules import Roll, Side
from sheshbesh.session import Phase, Session, Turn
from sheshbesh.session.state import Proposal, Resignation


def snapshot_data(state: Session) -> dict[str, Any]:
    """Return what is to be decided in this state, as plain data; steps of the turn that are done are left
    out."""
    score, offer, proposal = state.score, state.resignation, state.proposal
    data: dict[str, Any] = {
        "card": state.card.code,
        "phase": state.phase.value,
        "white": score.white,
        "black": score.black,
        "cube": score.cube,
        "owner": None if score.owner is None else Side.of(score.owner).value,
        "crawford": score.crawford,
        "automatic": score.automatic_doubles,
        "stake": state.stake,
        "rolled": state.rolled,
    }
    if state.position is not None:
        data["position"] = state.position.id
    if state.turn is not None:
        data["dice"] = list(state.turn.dice)
    if state.doubler is not None:
        data["doubler"] = state.doubler.value
    if offer is not None:
        data["resignation"] = [offer.by.value, offer.kind, offer.points, offer.phase.value]
    if proposal is not None:
        data["proposal"] = [proposal.by.value, proposal.what, proposal.points]
    return data


def read_snapshot(data: Mapping[str, Any]) -> Session:
    """Return the state that `snapshot_data` described; ProtocolError for what it cannot have written."""
    try:
        return _snapshot(data)
    except SheshbeshError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProtocolError(f"this is no state of a match: {type(error).__name__}: {error}") from None


def _snapshot(data: Mapping[str, Any]) -> Session:
    fresh = _table(data["card"])
    card = fresh.card
    position = card.rules.position_from_id(data["position"]) if "position" in data else None
    turn = None
    if "dice" in data:
        if position is None:
            raise ProtocolError("this is no state of a match: dice without a position")
        turn = Turn(position, Roll(*data["dice"]), touch_move=card.touch_move)
    return fresh.but(
        phase=Phase(data["phase"]),
        score=_score(fresh.score, data),
        position=position,
        turn=turn,
        game_no=1,
        stake=data["stake"],
        rolled=data["rolled"],
        doubler=Side(data["doubler"]) if "doubler" in data else None,
        resignation=_resignation(*data["resignation"]) if "resignation" in data else None,
        proposal=_proposal(*data["proposal"]) if "proposal" in data else None,
    )


@lru_cache(maxsize=256)
def _table(code: str) -> Session:
    card = Card.from_code(code)
    seed = "none" if card.dice is DiceSource.SEEDED else None
    return Session.new(card, seed=seed)


def _score(opening: MatchState, data: Mapping[str, Any]) -> MatchState:
    return MatchState(
        length=opening.length,
        white=data["white"],
        black=data["black"],
        cube=data["cube"],
        owner=data["owner"],
        crawford=data["crawford"],
        jacoby=opening.jacoby,
        beavers=opening.beavers,
        allow_dead_double=opening.allow_dead_double,
        automatic_doubles=data["automatic"],
        crawford_rule=opening.crawford_rule,
        cube_limit=opening.cube_limit,
    )


def _resignation(by: str, kind: str, points: int, phase: str) -> Resignation:
    return Resignation(Side(by), kind, points, Phase(phase))


def _proposal(by: str, what: str, points: int) -> Proposal:
    return Proposal(Side(by), what, points)
