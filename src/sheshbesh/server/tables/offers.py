"""Offers to end a game early, what they would pay, and why something is not to be had."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sheshbesh.i18n import translate
from sheshbesh.match import Card, ClockKind, Contest
from sheshbesh.rules import GameResult, Refused, Side
from sheshbesh.session import Action, ProposeAction, ResignAction, Session, apply
from sheshbesh.session.game_course import game_points, largest_loss


def proposable(card: Card) -> tuple[str, ...]:
    """Return what of all that needs consent is possible in matches by this card; in some nothing is."""
    timed = card.clock.kind is not ClockKind.NONE
    return (*(("settle", "draw") if card.allows_agreements else ()), *(("pause",) if timed else ()))


def most(session: Session) -> int:
    """The points of the largest settlement: in a match what the side that is farther behind still needs."""
    if session.card.contest is Contest.GAMES:
        return 1
    if session.score.is_money:
        return largest_loss(session)
    return max(session.score.away(side) or 0 for side in Side)


def paid(session: Session, loser: Side, kind: str, points: int) -> int:
    """Return what a game pays its winner that is lost at this class, worth `points` before the cube."""
    if session.card.contest is Contest.GAMES:
        return 1
    return game_points(session, GameResult(loser.other, points, kind))


def offers_data(session: Session, sides: Sequence[Side], lang: str, now: int) -> dict[str, Any]:
    """The offers open to the player of `sides`; the reason for what is refused in `lang`."""
    side = next((each for each in sides if each in session.to_act), sides[0])
    return {
        "resign": {each.value: _losses(session, each, lang, now) for each in sides},
        "propose": [
            {"what": offer.what, "points": offer.points, "refused": _refused(session, side, offer, lang, now)}
            for offer in _proposals(session)
        ],
        "most": most(session),
    }


def _losses(session: Session, side: Side, lang: str, now: int) -> list[dict[str, Any]]:
    """The classes at which a side could give up, the cheapest first."""
    position = session.position
    if position is None:
        return []
    away = session.score.away(side.other)
    losses = []
    for kind, worth in position.variant.losses(position, side).items():
        points = paid(session, side, kind, worth)
        losses.append(
            {
                "kind": kind,
                "points": points,
                "ends": away is not None and points >= away,
                "refused": _refused(session, side, ResignAction(kind), lang, now),
            }
        )
    return sorted(losses, key=lambda each: int(each["points"]))


def _proposals(session: Session) -> list[ProposeAction]:
    """The settlements that mean something at this cube, and what else needs consent."""
    cube = session.score.cube
    shares = [0, *((cube // 2, -cube // 2) if cube > 1 else ()), cube, -cube]
    return [
        ProposeAction(what, points)
        for what in proposable(session.card)
        for points in (shares if what == "settle" else [0])
    ]


def _refused(session: Session, side: Side, action: Action, lang: str, now: int) -> str | None:
    """Why this cannot be done now; None if it can."""
    try:
        apply(session, side, action, now)
    except Refused as refused:
        return translate(refused.refusal.text, lang)
    return None
