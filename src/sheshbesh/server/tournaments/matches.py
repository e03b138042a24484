"""The matches of a tournament: how one is made of a pairing, and what its end says of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import bindparam, insert, update

from sheshbesh.match import DiceSource
from sheshbesh.rules import Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.server.storage import Rows, Step
from sheshbesh.server.storage.tournament_tables import tournament_pairings
from sheshbesh.server.tables.begin import insert_matches
from sheshbesh.server.tables.seats import BOT, GUEST, USER, MatchAgreement, Seat
from sheshbesh.session import EventTerms, Session
from sheshbesh.session.state import Forbidden
from sheshbesh.tournaments import Entrant, Pairing, Tournament
from sheshbesh.tournaments.actions import ResultAction
from sheshbesh.tournaments.settings import card_of
from sheshbesh.tournaments.state import NOBODY

FORBIDS: tuple[Forbidden, ...] = (*("agreements", "pauses", "tutor", "hints", "analysis", "rematch", "chat"),)
"""The things that every match of a tournament forbids."""

_BETWEEN_GAMES = 30
"""Seconds after which players are called to the next game."""

_KINDS = {"account": USER, "guest": GUEST, "bot": BOT}

_PAIRING = insert(tournament_pairings)
_RESULT = update(tournament_pairings).where(tournament_pairings.c.match_id == bindparam("match"))


def match_of(state: Tournament, pairing: Pairing, *, down: int, now: int) -> MatchAgreement:
    """Return the match that two entrants are to play. `down` is that of the site's uptime, in ms."""
    settings = state.settings
    card = replace(card_of(settings.card), length=pairing.length)
    if card.dice is DiceSource.CHAINS:
        # Nobody may withhold a share of the dice, and one of the two may be a program.
        card = replace(card, dice=DiceSource.STRICT)
    both = {side: state.entrant(number) for side, number in zip(Side, pairing.both, strict=True)}
    return MatchAgreement(
        pairing.match,
        card,
        {side: _seat(entrant) for side, entrant in both.items()},
        rated=settings.rated and all(entrant.kind != "guest" for entrant in both.values()),
        private=not settings.public,
        created=now,
        down=down,
        event=EventTerms(state.id, pairing.number, _BETWEEN_GAMES, FORBIDS, settings.delay * 60),
    )


def _seat(entrant: Entrant) -> Seat:
    return Seat(_KINDS[entrant.kind], entrant.name, entrant.id)


def made_pairings(before: Tournament, after: Tournament) -> tuple[Pairing, ...]:
    """Return the pairings with a match that an event has made."""
    return tuple(each for each in after.pairings[len(before.pairings) :] if each.match)


def matches_of(state: Tournament, pairings: Sequence[Pairing], *, down: int, now: int) -> list[Step]:
    """Return the rows of the matches of new pairings, and those that name them."""
    if not pairings:
        return []
    tables = [match_of(state, each, down=down, now=now) for each in pairings]
    named = [
        {"match_id": each.match, "tournament_id": state.id, "number": each.number, "settled": False}
        for each in pairings
    ]
    return [*insert_matches(tables), Rows(_PAIRING, named)]


# How a match has ended


def result_steps(table: MatchAgreement, session: Session) -> Sequence[Step]:
    """Return what belongs to the end of a match: its result, where it is one of a tournament."""
    if table.event is None:
        return ()
    return (Rows(_RESULT, [{"match": table.id, "result": _result(session)}]),)


def _result(session: Session) -> dict[str, Any]:
    last = session.games[-1] if session.games else None
    return {
        "winner": name_or_none(session.winner),
        "score": [session.score.score(side) for side in Side],
        "games": [
            [game.points if side is game.result.winner else 0 for side in Side] for game in session.games
        ],
        "ending": session.ending,
        "resigned": last is not None and last.reason == "resignation" and session.ending == "points",
        "kind": min(max(last.result.points, 1), 3) if last is not None else 1,
        "events": session.events,
    }


_HOW = {"time": "time", "forfeit": "forfeit", "abandoned": "forfeit"}
_MOST_POINTS = 999


def result_action(pairing: Pairing, result: Mapping[str, Any], turns: int | None) -> ResultAction:
    """Return the action by which a tournament learns how a match has ended; `turns` are the loser's."""
    winner = {"white": pairing.first, "black": pairing.second}.get(result["winner"], NOBODY)
    return ResultAction(
        pairing=pairing.number,
        winner=winner,
        score=_points(result["score"]),
        games=tuple(_points(game) for game in result["games"]),
        how=_HOW.get(result["ending"], "played"),  # type: ignore[arg-type]
        turns=turns,
        resigned=result["resigned"],
        kind=result["kind"],
    )


def _points(both: Iterable[int]) -> tuple[int, int]:
    white, black = (min(points, _MOST_POINTS) for points in both)
    return white, black
