"""The refusals of the session: a closed list of ids with wording and source.

Refusals about plays come from `sheshbesh.rules`, about doubling from `sheshbesh.match`, about the
links of the dice from `sheshbesh.fairdice`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sheshbesh.i18n import Text
from sheshbesh.rules.refusal import Refusal, Refused, declare_rules
from sheshbesh.session.phases import ANSWERING, Phase

SESSION_RULES: Mapping[str, tuple[str, str | None]] = MappingProxyType(
    {
        "turn.other": ("it is not your turn", None),
        "turn.not_now": ("this cannot be done now", None),
        "turn.nothing_done": ("there is no step to take back", None),
        "turn.no_retry": ("no play can be taken back for another try now", None),
        "turn.touch_move": ("a touched checker is played, nothing is taken back", "Khalili (004), p. 6"),
        "turn.touched": ("the touched checker can move, so it must", "Khalili (004), p. 6"),
        "actor.unknown": ("only the players and the server act in this match", None),
        "actor.player": ("only the players do this", None),
        "actor.hand": ("one hand throws, moves and answers for each side; the others advise", None),
        "actor.server": ("only the server may do this", None),
        "match.over": ("the match is over", None),
        "match.paused": ("the clock is paused", None),
        "clock.expired": ("the time has run out", "Khalili (004), p. 6"),
        "clock.running": ("there is still time on the clock", "Khalili (004), p. 6"),
        "clock.credit": ("no more time can be given back than has passed", None),
        "clock.own": ("the other side claims the time", None),
        "clock.none": ("no clock is running", None),
        "break.none_left": ("you have no break left", "Khalili (004), p. 6"),
        "break.between_games": ("breaks are taken between games", "Khalili (004), p. 6"),
        "cube.none": ("this game is played without the cube", None),
        "cube.beavers": ("beavers are not played at this table", None),
        "cube.raccoons": ("raccoons, beavers against a beaver, are not played at this table", None),
        "cube.raccooned": ("a raccoon is taken or dropped, not turned once more", None),
        "offer.open": ("an offer must be answered first", None),
        "offer.none": ("there is no offer to answer", None),
        "offer.own": ("the other side answers this offer", None),
        "offer.unknown": ("one may propose draw, settle or pause", None),
        "offer.money_only": (
            "the rules of this match leave no room for agreements on its result",
            "Khalili (004), p. 7",
        ),
        "resign.kind": ("the game has no such result to resign at", None),
        "resign.borne_off": ("a side that has borne off a checker loses a single game at most", None),
        "dice.other_source": ("the dice of this match come from elsewhere", None),
        "dice.impossible": ("a die shows 1 to 6", None),
        "dice.choose": ("a double is named by its number, 1 to 6", None),
        "chouette.seats": ("a chouette has three to ten people, each with a different name", None),
        "chouette.named": ("the box doubles the whole team at this table", None),
        "chouette.answer": ("a cube is answered with take, drop or beaver", None),
        "chouette.hand_over": (
            "the captain hands over to another member who still plays, while a game is played",
            None,
        ),
        "chouette.settle": ("the box settles with a member who still plays, a member with the box", None),
        "settle.points": ("a settlement pays no more than the largest result would at this cube", None),
        "settle.changed": ("another settlement is offered by now", None),
        "chouette.left": ("a player who has left the game has no part in it", None),
        "advice.silent": ("no advice may be given now", None),
        "advice.impossible": ("advice is a legal play, or something the hand may do now", None),
        "event.agreements": ("in this event nothing is agreed on at the board", "Khalili (004), p. 7"),
        "event.pauses": ("in this event the clock is not paused", None),
        "event.early": ("the time between two games is not over yet", None),
        "forfeit.reason": ("a match is forfeited as no_show, absent, withdrawn or ruling", None),
        "ready.already": ("you are ready already", None),
    }
)

declare_rules(SESSION_RULES)

_DUE = {
    Phase.READY: Text("a game is to be begun"),
    Phase.OPENING: Text("the draw for the first move is to be thrown"),
    Phase.ROLL: Text("the dice are to be thrown"),
    Phase.THROWING: Text("the throw is to be completed"),
    Phase.CHOOSE: Text("a double is to be named"),
    Phase.MOVE: Text("the dice are to be played"),
    **dict.fromkeys(ANSWERING, Text("the offer is to be answered")),
    Phase.OVER: Text("the match is over"),
}
_NOT_NOW = {
    phase: Refusal("turn.not_now", None, Text("this cannot be done now: {due}", due=due))
    for phase, due in _DUE.items()
}


def not_now(phase: Phase) -> Refused:
    """Return the refusal of what cannot be done in a phase, which says what the match waits for."""
    return Refused(_NOT_NOW[phase])
