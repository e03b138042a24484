"""What players may ask of a room: which seat is meant, what the server does in their stead, what is late."""

from __future__ import annotations

from sheshbesh.errors import NotationError
from sheshbesh.rules import Refusal, Refused, Side
from sheshbesh.server.tables.match import Match
from sheshbesh.session import (
    SERVER,
    AbandonAction,
    Action,
    AnchorAction,
    CallAction,
    ClaimAction,
    CreditAction,
    DiceAction,
    ForfeitAction,
    LinkAction,
    ReadyAction,
    Session,
    WithholdAction,
)

_SERVERS = (AbandonAction, CallAction, CreditAction, ForfeitAction, WithholdAction)
"""What only the server does; the session refuses it in its words."""


async def act_for(
    room: Match,
    sides: tuple[Side, ...],
    action: Action,
    *,
    ref: str,
    key: str | None,
    named: str | None,
    lag: int = 0,
) -> None:
    """Let the player of these sides act for one of them: the one `named`, else the obvious one.

    Refused if the action is not accepted.
    """
    side = _side_meant(room, sides, named)
    if (
        isinstance(action, AnchorAction)
        and action.lost
        and not room.kind.may_renew_chain(f"{room.id} {side}")
    ):
        raise Refused.of("dice.renewals")
    if isinstance(action, _SERVERS):
        return await room.act(side, action, ref=ref)
    if isinstance(action, ClaimAction) and room.session.clock.deadline() is None:
        return await _claim(room, side, ref)
    if isinstance(action, ClaimAction) and not room.is_up:
        raise Refused.of("clock.running")
    if (
        isinstance(action, DiceAction)
        and not room.session.may(side, "dice")
        and room.agreement.engine_sides()
    ):
        # The person at the real board also types the dice of the engine.
        return await room.act(SERVER, action, ref=_ref_of(side, ref), key=key)
    free = isinstance(action, LinkAction | AnchorAction | ReadyAction | ClaimAction)
    if not free and key is None:
        raise Refused.of("wire.stale")
    return await room.act(side, action, ref=ref, key=None if free else key, lag=lag)


def why_refused(session: Session, steps: tuple[tuple[int, int], ...]) -> Refusal | None:
    """Return why the turn in progress cannot go on by these steps (origin, target); None if it can.

    Refused where there is no turn, and for what are no steps.
    """
    turn = session.turn
    if turn is None:
        raise Refused.of("tutor.not_now")
    try:
        return turn.position.refusal((*turn.done, *steps), turn.dice)
    except NotationError:
        raise Refused.of("wire.text") from None


def _side_meant(room: Match, sides: tuple[Side, ...], named: str | None) -> Side:
    if not sides:
        raise Refused.of("wire.seat")
    if named is not None:
        if named not in sides:
            raise Refused.of("wire.seat")
        return Side.of(named)
    if len(sides) == 1:
        return sides[0]
    acting = room.session.to_act
    if len(acting) != 1:
        raise Refused.of("wire.side")
    return acting[0]


async def _claim(room: Match, side: Side, ref: str) -> None:
    """End an untimed match whose other player is gone, at the least that player is certain to lose."""
    if side.other not in room.viewers.claims():
        raise Refused.of("claim.early")
    kind = await room.kind.engines.level_of_loss(room.session, side.other)
    # They may have come back meanwhile, or at another process.
    await room.kind.seats.ask()
    room.viewers.look()
    if side.other not in room.viewers.claims():
        raise Refused.of("claim.early")
    return await room.act(SERVER, AbandonAction(side.other.value, kind), ref=_ref_of(side, ref))


def _ref_of(side: Side, ref: str) -> str:
    """A player's name for what the server does for them: two players may use the same name."""
    return f"{side.value}:{ref}"
