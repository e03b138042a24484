"""What follows an action of a chouette at once, without a decision.

Shares of the dice that the server keeps, new chains for a bot that has taken over the team's dice, the
opening throws of bots, and their votes on ending the chouette, which follow those of the people.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from sheshbesh.rules import Side
from sheshbesh.server.chouettes.table import ChouetteTable
from sheshbesh.server.matches.server_actions import Followed, carried_on
from sheshbesh.session import (
    SERVER,
    Action,
    Chouette,
    DiceKeeper,
    Phase,
    RollAction,
    StopAction,
    apply_chouette,
)


def kept_sides(state: Chouette, bots: Collection[str]) -> tuple[Side, ...]:
    """The sides that bots play: the server keeps their chains of dice."""
    return tuple(side for side in Side if state.player_for(side) in bots)


def follow(
    state: Chouette,
    actor: str,
    action: Action,
    now: int,
    *,
    keeper: DiceKeeper,
    table: ChouetteTable,
    lag: int = 0,
    guessed: bool = False,
) -> Followed[Chouette]:
    """Take an action and do the server's part after it. Refused, or NotationError if a play cannot be read.

    `lag` is how long the action was under way, there and back, in milliseconds.
    """
    after, _, event = apply_chouette(state, actor, action, now, lag=lag)
    event = replace(event, guessed=True) if guessed else event
    return perform(Followed(after, (event,), (state,)), now, keeper, table)


def perform(
    done: Followed[Chouette], now: int, keeper: DiceKeeper, table: ChouetteTable
) -> Followed[Chouette]:
    """Do what the server owes the last state; no more events if it owes nothing."""
    kept = kept_sides(done.after, table.bots)

    def due(state: Chouette) -> tuple[str, Action] | None:
        # Where the players change, another keeper has their chains: the room updates that first.
        return _next(state, keeper, table) if kept_sides(state, table.bots) == kept else None

    return carried_on(done, due, lambda state, actor, action: apply_chouette(state, actor, action, now))


def _next(state: Chouette, keeper: DiceKeeper, table: ChouetteTable) -> tuple[str, Action] | None:
    if state.is_over:
        return None
    board, kept = state.board, kept_sides(state, table.bots)
    table_of_dice = board.throwing.table
    for side in kept:
        # New chains that have been asked for already are waited for.
        is_renewing = table_of_dice is not None and table_of_dice.renewal is not None
        if not is_renewing and keeper.lacks(board, side) and board.may(side, "anchor"):
            return state.player_for(side), keeper.renewed(side)
    due = next(iter(keeper.due_actions(board)), None)
    if due is not None:
        party, action = due
        return (SERVER if party == SERVER else state.player_for(Side.of(party))), action
    for side in kept:
        if board.phase is Phase.OPENING and board.may(side, "roll"):
            return state.player_for(side), keeper.with_share(board, side, RollAction())
    return _vote_to_end(state, table)


def _vote_to_end(state: Chouette, table: ChouetteTable) -> tuple[str, Action] | None:
    """A bot votes for ending the chouette when more than half of the people are, or nobody is left."""
    seated, bots = state.seats.people, table.bots
    present = [name for name in seated if name not in bots]
    votes = not any(name in table.persons for name in seated)
    votes |= 2 * sum(name in state.stopping for name in present) > len(present) > 0
    for name in seated:
        if name in bots and votes != (name in state.stopping):
            return name, StopAction(on=votes)
    return None
