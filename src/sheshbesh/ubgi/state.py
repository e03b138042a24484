"""The state of a dialogue in the line protocol: game, position, dice, score and cube."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sheshbesh.errors import MatchError, NotationError, ProtocolError
from sheshbesh.formats.any_id import Kind, parse_any_id
from sheshbesh.match import MatchState
from sheshbesh.rules import Position, Roll, Side, Variant
from sheshbesh.ubgi.answers import MissingContextError

_KINDS: Mapping[str, Kind] = {"id": "own", "gnubgid": "gnubgid", "xgid": "xgid", "ogid": "ogid"}
"""Whose id is expected by the word before it; each of the others is read behind it, too."""

SEATS = {"p0": Side.WHITE, "p1": Side.BLACK, "white": Side.WHITE, "black": Side.BLACK}
"""The sides by the draft's names and by colour."""


@dataclass(frozen=True)
class DialogueState:
    """Everything a question can be about. `turn` is for texts that do not say who is on roll.

    `match` is None until something about a score, a cube or the rules of money play has been set:
    equities are then cubeless points. `offer` is a double that waits for an answer; `position` is
    then still that of the side that doubled.
    """

    game: Variant
    turn: Side = Side.WHITE
    position: Position | None = None
    dice: Roll | None = None
    match: MatchState | None = None
    offer: str | None = None
    scores: tuple[int, int] = field(default=(0, 0))

    def fresh(self) -> DialogueState:
        """A new game: the start, no dice, a centred cube at 1; the score stays."""
        match = None if self.match is None else replace(self.match, cube=1, owner=None, automatic_doubles=0)
        return replace(self, position=self.game.start(self.turn), dice=None, offer=None, match=match)

    def at(self, position: Position) -> DialogueState:
        """Another position, whose dice are not thrown yet."""
        return replace(self, position=position, dice=None, offer=None)

    def read_position(self, kind: str, text: str) -> DialogueState:
        """The state after `position KIND TEXT`; errors of the notation, the position and the score."""
        if kind == "start":
            return self.at(self.game.start(self.turn))
        if kind not in _KINDS:
            raise NotationError(f"a position is start, id, gnubgid, xgid or ogid, not {kind!r}")
        found = parse_any_id(text, self.game, self.turn, kind=_KINDS[kind])
        if found.match is None:
            return self.at(found.position)
        return replace(self, position=found.position, dice=found.dice, match=found.match, offer=found.offer)

    def with_match(self, *, crawford: bool, **changes: object) -> DialogueState:
        """Another score or cube; MatchError for one that cannot be.

        `crawford` says whether a game in which somebody needs one point is the Crawford game: it may be
        set before the score is. A centred cube above 1 is one of automatic doubles, in money play.
        """
        match = self.match or MatchState()
        state = replace(match, **{"crawford": False, "automatic_doubles": 0, **_centred(match, changes)})  # type: ignore[arg-type]
        if state.winner is not None:
            raise MatchError(f"a match to {state.length} is over at {state.white}-{state.black}")
        if crawford and 1 in (state.away(Side.WHITE), state.away(Side.BLACK)) and state.owner is None:
            state = replace(state, crawford=True)
        return replace(self, match=state)

    def required_position(self) -> Position:
        """The position a question is about; MissingContextError without one."""
        if self.position is None:
            raise MissingContextError("no position yet: send position or newgame")
        return self.position


def seat(text: str) -> Side:
    """A side by the draft's name or by its colour; ProtocolError for anything else."""
    if text not in SEATS:
        raise ProtocolError(f"a side is p0 (white) or p1 (black), not {text!r}")
    return SEATS[text]


def _centred(match: MatchState, changes: Mapping[str, object]) -> dict[str, object]:
    """The changes with the automatic doubles that a centred cube above 1 stands for in money play."""
    length, owner, cube = (changes.get(key, getattr(match, key)) for key in ("length", "owner", "cube"))
    if length is not None or owner is not None or not isinstance(cube, int):
        return {**changes}
    return {**changes, "automatic_doubles": cube.bit_length() - 1}
