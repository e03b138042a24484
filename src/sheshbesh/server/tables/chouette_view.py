"""A chouette as each of its viewers is sent it: the board as in a match, and everybody around it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sheshbesh.rules import Side
from sheshbesh.rules.side import name_or_none
from sheshbesh.server.tables import view
from sheshbesh.server.tables.seats import ChouetteAgreement
from sheshbesh.server.tables.table import Table
from sheshbesh.server.tables.view import shown_event
from sheshbesh.server.tables.wire import members
from sheshbesh.session import Chouette, Event, Member, Phase
from sheshbesh.session.board_data import choices_data
from sheshbesh.session.chouette.state import BOX, TEAM

_Chouette = Table[Any, Chouette, ChouetteAgreement]


def event_data(before: Chouette, event: Event) -> dict[str, Any]:
    """An event as the page reads it: `actor` is the side that a match would name, `by` who it was."""
    side = before.side_of(event.actor)
    data = shown_event(event).to_data()
    return {**data, "actor": side.value if side is not None else event.actor, "by": event.actor}


def turn_of(before: Chouette, event: Event) -> dict[str, Any] | None:
    """The play that an event adds to the list of a game's turns; None for what is no play."""
    side, turn = before.side_of(event.actor), before.board.turn
    if side is None or turn is None or "play" not in event.then:
        return None
    play = event.then["play"]
    dice = sorted(turn.dice, reverse=True)
    kind = "pass" if play == "pass" else "play"
    return {"side": side.value, "dice": dice, "play": play, "kind": kind, "by": event.actor}


def shared(table: _Chouette) -> str:
    """Return the members of a state's body that are the same for all, as JSON; `chouette` is not closed."""
    state, agreed, viewers = table.state, table.agreement, table.viewers
    board = state.board
    fixed = viewers.once("fixed", agreed, _fixed)
    position = viewers.once("position", view.placed(board), view.position_data)
    players = {side.value: _player(table, state.player_for(side)) for side in Side}
    common = view.common(board, table.now())
    del common["cube"]
    return (
        f'{fixed},{position},{members({"players": players, **common})},"chouette":{{{members(_around(table))}'
    )


def _fixed(agreed: ChouetteAgreement) -> dict[str, Any]:
    return {
        "match": agreed.id,
        "rules": agreed.card.rules.fingerprint,
        "rated": False,
        "tutor": False,
    }


def personal(table: _Chouette, names: Sequence[str], *, known: bool) -> tuple[str, str]:
    """Return what the people of these names are sent besides: members of the body, and the end of `chouette`.

    `known` is false for strangers, who cannot join.
    """
    state, agreed = table.state, table.agreement
    board, card = state.board, table.viewers.once("card", agreed, _card)
    seated = [name for name in names if state.side_of(name) is not None]
    sides = [side for side in Side if any(state.side_of(name) is side for name in seated)]
    played = [
        side
        for side in sides
        if state.player_for(side) in seated and state.player_for(side) not in agreed.bots
    ]
    allowed = {side.value: list(_on_board(state, state.player_for(side))) for side in played}
    data = view.personal(board, sides)
    data["you"] = [side.value for side in sides]
    data["allowed"] = next(iter(allowed.values())) if len(sides) == 1 and allowed else []
    data.pop("allowed_of", None)
    if len(sides) > 1:
        data["allowed_of"] = {side.value: allowed.get(side.value, []) for side in sides}
    advises = TEAM not in played and any(state.may_advise(name) for name in seated)
    data.pop("choices", None)
    if board.phase is Phase.MOVE and board.turn is not None:
        if board.on_roll in played:
            data["choices"] = choices_data(board.turn)
        elif advises and board.on_roll is TEAM and not board.turn.done:
            data["choices"] = choices_data(board.turn)
            card = table.viewers.once("card of advice", agreed, _card_of_advice)
    data["cube"] = _own_cube(state, seated, view.cube_data(board))
    own = {
        "people": _people(table, names),
        "mine": {name: _mine(table, name) for name in names},
        "may_join": known and not names and "join" in state.allowed("?"),
        "one_screen": len(seated) > 1,
    }
    return f"{card},{members(data)}", f",{members(own)}}}"


def _card(agreed: ChouetteAgreement) -> dict[str, Any]:
    return {"card": view.card_data(agreed.card)}


def _card_of_advice(agreed: ChouetteAgreement) -> dict[str, Any]:
    return {"card": {**view.card_data(agreed.card), "touch_move": False}}


def _on_board(state: Chouette, player: str) -> tuple[str, ...]:
    return tuple(
        kind
        for kind in state.allowed(player)
        if kind in ("double", *state.board.allowed(_side(state, player)))
    )


def _side(state: Chouette, name: str) -> Side:
    side = state.side_of(name)
    assert side is not None
    return side


def _player(table: _Chouette, name: str) -> dict[str, Any]:
    sitter = table.agreement.sitter(name)
    kind = "user" if sitter is not None and not sitter.is_bot else "bot"
    return {"name": name, "kind": kind, "level": None, "id": None, "rating": None}


def _own_cube(state: Chouette, names: Sequence[str], drawn: Mapping[str, Any]) -> Mapping[str, Any]:
    """The cube on the board is the viewer's own, where they have just one."""
    own = [member for member in state.playing if member.name in names]
    if len(own) != 1 or not drawn["in_play"]:
        return {**drawn, "in_play": False, "owner": None}
    return {**drawn, **_cube(own[0]), "offered": None, "by": None}


def _cube(member: Member) -> dict[str, Any]:
    owner = member.score.owner
    return {"value": member.score.cube, "owner": owner.value if isinstance(owner, Side) else None}


def _around(table: _Chouette) -> dict[str, Any]:
    state, agreed = table.state, table.agreement
    return {
        "box": state.seats.box,
        "captain": state.captain,
        "first_captain": state.seats.captain,
        "members": [_member(table, member) for member in state.members],
        "rows": [dict(row) for row in state.rows],
        "sheet": dict(state.sheet),
        "stopping": list(state.stopping),
        "asking": state.is_asking,
        "cubes": state.board.card.has_cube,
        "consultation": state.consultation.value,
        "chosen_members": state.chosen_members,
        "throws": {name: list(dice) for name, dice in agreed.throws.items()},
        "over": state.is_over,
    }


def _people(table: _Chouette, names: Sequence[str]) -> list[dict[str, Any]]:
    state, agreed = table.state, table.agreement
    away = table.viewers.presence.away()
    listed = (
        *state.seats.people,
        *state.coming,
        *(name for name in state.sheet if state.side_of(name) is None),
    )
    found = []
    for name in dict.fromkeys(listed):
        sitter = agreed.sitter(name)
        is_bot = sitter is None or sitter.is_bot
        found.append(
            {
                "name": name,
                "bot": sitter is None or sitter.user is None,
                "stand_in": is_bot and sitter is not None and sitter.user is not None,
                "level": sitter.strength if sitter is not None and is_bot else None,
                "role": _role(state, name),
                "you": name in names,
                "here": is_bot or table.viewers.presence.is_here(name),
                "away": name in away and not is_bot,
                "going": name in state.going,
                "points": state.sheet.get(name, 0),
            }
        )
    return found


def _role(state: Chouette, name: str) -> str:
    if name == state.seats.box:
        return "box"
    if name in state.seats.queue:
        return "captain" if name == state.captain else "crew"
    return "coming" if name in state.coming else "gone"


def cube_data(member: Member) -> dict[str, Any]:
    """A member's cube, who has it, whether it waits for an answer; and what would end their game."""
    offered, terms = member.offered, member.terms
    return {
        "playing": member.playing,
        **_cube(member),
        "offered": name_or_none(offered),
        "beavered": member.beavered,
        "terms": {"by": terms.by.value, "points": terms.points} if terms is not None else None,
    }


def _member(table: _Chouette, member: Member) -> dict[str, Any]:
    return {"name": member.name, **cube_data(member), "advice": table.viewers.advice.get(member.name)}


def _mine(table: _Chouette, name: str) -> dict[str, Any]:
    """Return what one of the viewer's names may do, but for the board of its side, and to whom."""
    state = table.state
    beavers = state.board.card.beavers
    others = [member.name for member in state.playing if member.name != state.captain]
    allowed = (
        state.allowed(name) if name not in table.agreement.bots else ("stop",) if not state.is_over else ()
    )
    return {
        "allowed": list(allowed),
        "answer": [
            {
                "member": each,
                "cube": member.score.cube * 2,
                "beaver": beavers and not member.beavered,
                "beavered": member.beavered,
            }
            for each in state.to_answer(name)
            if (member := state.member(each)) is not None
        ],
        "double": list(state.may_double(name)),
        "settle": {member: state.most_settled(found) for member, found in _settling(state, name)},
        "terms": _terms(state, name),
        "hand_over": others if "hand_over" in allowed else [],
        "take_over": _may_take_over(table, name),
        "side": "white" if name == state.seats.box else "black" if name in state.seats.queue else None,
        "hand": name in (state.player_for(BOX), state.captain),
    }


def _settling(state: Chouette, name: str) -> list[tuple[str, Member]]:
    """Those whose games one may offer to settle: the members, one among them for oneself."""
    names = state.may_settle(name)
    return [(member.name, member) for member in state.playing if member.name in names]


def _terms(state: Chouette, name: str) -> list[dict[str, Any]]:
    """The settlements that wait for this person, or for others to answer this person."""
    side = state.side_of(name)
    return [
        {"member": member.name, "points": terms.points, "own": terms.by is side}
        for member in state.settlements(name)
        if (terms := member.terms) is not None
    ]


def _may_take_over(table: _Chouette, name: str) -> bool:
    """Return True if a member may play on for a captain who has been away for long."""
    state = table.state
    member = state.member(name)
    gone = state.captain in table.viewers.presence.away() and state.captain not in table.agreement.bots
    plays = member is not None and member.playing and name != state.captain
    return gone and plays and state.may_hand_over(state.captain)
