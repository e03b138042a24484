"""The history of a position: what the rules ask about the game so far, besides the checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypedDict

from sheshbesh import _core
from sheshbesh.errors import PositionError
from sheshbesh.i18n import Text
from sheshbesh.rules.axes import number_of
from sheshbesh.rules.pending import MOST_CHECKERS, Pending
from sheshbesh.rules.side import SIDES, Side

if TYPE_CHECKING:
    from sheshbesh.rules.variant import Variant

_WHOLE_ELEMENT = 4
"""Steps of an element of a chain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The facts about the game so far that some rules ask for; where nothing is given, the usual holds.

    Parameters
    ----------
    first_turn : bool, optional
        Whether the side on roll has not finished a turn; by default whether all its checkers stand where they
        start.
    turns_played : Mapping[str, int] or None
        The finished turns of each side.
    starter : Side or str, optional
        The side that began the game.
    mother_lost : Side or str, optional
        The side that lost its mother and plays on.
    phase : str, optional
        "chosen_double" for a double to be named.
    steps : Sequence[int], optional
        The numbers to be played of the element that is owed.
    rest : Sequence[int]
        The numbers of the later elements.
    then : str, optional
        "own_throw" where the same side throws afterwards.
    element : int, optional
        The number of the steps, if it is given.
    head : int
        The checkers that left the head earlier in this roll, where the game limits them.

    Raises
    ------
    PositionError
        No game can have come to this.

    Examples
    --------
    >>> import sheshbesh as sb
    >>> game = sb.variant("long_nardy")
    >>> game.position(game.start().board(), history=sb.History(first_turn=False)).is_first_turn
    False
    """

    first_turn: bool | None = None
    turns_played: Mapping[str, int] | None = field(default=None, hash=False)
    starter: Side | str | None = None
    mother_lost: Side | str | None = None
    phase: str | None = None
    steps: Sequence[int] | None = None
    rest: Sequence[int] = ()
    then: str | None = None
    element: int | None = None
    head: int = 0

    def __post_init__(self) -> None:
        if self.first_turn is not None and type(self.first_turn) is not bool:
            raise PositionError(f"first_turn is true, false or None, not {self.first_turn!r}")
        for name in ("steps", "rest"):
            numbers = getattr(self, name)
            if numbers is not None and (isinstance(numbers, str) or not isinstance(numbers, Sequence)):
                raise PositionError(f"{name} is a list of numbers, not {numbers!r}")
        if type(self.head) is not int or not 0 <= self.head <= MOST_CHECKERS:
            raise PositionError(
                Text(
                    "0 to {most} checkers have left the head, not {head}",
                    most=MOST_CHECKERS,
                    head=repr(self.head),
                )
            )


class HistoryFields(TypedDict, total=False):
    """The fields of `History` as keywords."""

    first_turn: bool | None
    turns_played: Mapping[str, int] | None
    starter: Side | str | None
    mother_lost: Side | str | None
    phase: str | None
    steps: Sequence[int] | None
    rest: Sequence[int]
    then: str | None
    element: int | None
    head: int


def give_history(game: Variant, position: _core.Description, turn: Side, history: History) -> None:
    """Give a position its history as the rules of the game count it; PositionError if it cannot be."""
    _give_turns(game, position, turn, history)
    pending = _pending(game, turn, dict(zip(SIDES, position.turns, strict=True)), history)
    if pending is not None:
        position.pending = replace(pending, head=history.head or pending.head).to_core()
    position.starter, position.mother_lost = (
        None if side is None else Side.of(side) is Side.BLACK
        for side in (history.starter, history.mother_lost)
    )


def _give_turns(game: Variant, position: _core.Description, turn: Side, history: History) -> None:
    first_turn, turns_played = history.first_turn, history.turns_played
    limit = game._core.turns_remembered
    position.suppose_turns(game._core)
    turns = dict(zip(SIDES, position.turns, strict=True))
    if not isinstance(turns_played or {}, Mapping):
        raise PositionError(f"finished turns are counted by side, not {turns_played!r}")
    for name, count in (turns_played or {}).items():
        if type(count) is not int or count < 0:
            raise PositionError(f"finished turns are counted from 0, not {count!r}")
        turns[Side.of(name)] = min(count, limit)
    if first_turn is not None:
        turns[turn] = 0 if first_turn else max(turns[turn], min(1, limit))
    position.turns = (turns[Side.WHITE], turns[Side.BLACK])


def _pending(game: Variant, side: Side, turns: Mapping[Side, int], history: History) -> Pending | None:
    phase, steps, rest, then, element = (
        history.phase,
        history.steps,
        history.rest,
        history.then,
        history.element,
    )
    if phase is not None:
        if phase != "chosen_double":
            raise PositionError(f'a phase is "chosen_double", not {phase!r}')
        return Pending(side, choose="double")
    if steps is None:
        return None
    if element is not None and element not in steps:
        raise PositionError(
            Text(
                "the element {element} is not made of the steps {steps}",
                element=repr(element),
                steps=repr(tuple(steps)),
            )
        )
    if not game.has_chains:
        raise PositionError(Text("nothing can be owed in this game"))
    part = len(set(steps)) == 1 and len(steps) < _WHOLE_ELEMENT
    if then is None and part and game.axes["throw"]["unused_to_opponent"]:
        then = "own_throw"  # a part of an element can only have been handed over
    owed = Pending(side, tuple(steps), tuple(rest), then)
    owed.to_core()  # refuses what no chain could owe
    # A plain throw is no debt: what follows is decided when it is played.
    plain = len(set(steps)) > 1 or not _progresses(game, side, turns)
    return None if plain and not rest and then is None else owed


def _progresses(game: Variant, side: Side, turns: Mapping[Side, int]) -> bool:
    """Return True if a double thrown now by `side` would start a chain, as far as turns decide it."""
    throw = game.axes["throw"]
    finished = turns[side] + (turns[side.other] if throw["progression_count"] == "game" else 0)
    first = number_of(game.axes, "throw", "progression_from")
    return first != 0 and finished + 1 >= first
