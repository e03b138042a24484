"""The oracle behind the interface of `vectors`."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from tests.reference.boards import from_board, to_board
from tests.reference.opening import opening
from tests.reference.plays import Sequence, legal_plays, legal_prefixes
from tests.reference.position import Position
from tests.reference.results import Result, result
from tests.reference.rules import Axes, Rules, read_axes
from tests.reference.vectors import Case, Fields, Final

AxesOf = Callable[[str, Fields], Axes]
"""Returns the axes of a game with options."""


class Oracle:
    """Answers for any game whose axes can be had; cube and match scores are not its business."""

    def __init__(self, axes_of: AxesOf) -> None:
        self._axes_of = axes_of

    def terms(self, game: str, options: Fields) -> tuple[str, str]:
        """Return movement and contact."""
        rules = self._rules(game, options)
        return rules.movement, rules.contact

    def finals(self, case: Case, dice: tuple[int, int]) -> list[Final]:
        """Return the final positions of the legal plays."""
        rules, pos = self._position(case)
        plays = legal_plays(rules, pos, dice)
        return [_final(rules, pos, final, sequences) for final, sequences in plays.items()]

    def accepts_prefix(self, case: Case, dice: tuple[int, int], steps: list[tuple[int, int]]) -> bool:
        """Whether the steps begin a legal play."""
        rules, pos = self._position(case)
        prefixes = legal_prefixes(rules, pos, dice)
        return any([(step.source, step.target) for step in prefix] == steps for prefix in prefixes)

    def result(self, case: Case) -> Fields | None:
        """Return how the game has ended."""
        rules, pos = self._position(case)
        return _result_fields(result(rules, pos))

    def opening(self, game: str, options: Fields, draw: Fields) -> tuple[str | None, object]:
        """Return who starts and with what."""
        return opening(self._rules(game, options), **draw)  # type: ignore[arg-type]

    def may_double(self, game: str, options: Fields, cube: Fields) -> bool:
        """Raise: the oracle has no cube."""
        raise NotImplementedError(f"the oracle has no cube: {game} {options} {cube}")

    def points(self, game: str, options: Fields, score: Fields) -> int:
        """Raise: the oracle has no match."""
        raise NotImplementedError(f"the oracle has no match: {game} {options} {score}")

    def _rules(self, game: str, options: Fields) -> Rules:
        return read_axes(self._axes_of(game, options))

    def _position(self, case: Case) -> tuple[Rules, Position]:
        rules = self._rules(case.game, case.options)
        return rules, from_board(rules, case.board, case.turn, **case.context)


def _final(rules: Rules, before: Position, after: Position, sequences: list[Sequence]) -> Final:
    most = max(len(sequence) for sequence in sequences)
    found = result(rules, after)
    follows = None if found is not None else _follows(before, after)
    return Final(to_board(rules, after), most, _result_fields(found), follows)


def _follows(before: Position, after: Position) -> Fields | None:
    """Return what comes next in the words of the vectors."""
    pending = after.pending
    if pending is None:
        return {"by": after.turn, "throw": True} if after.turn == before.turn else None
    if pending.choose is not None:
        return {"by": pending.by, "choose": pending.choose}
    steps, rest = list(pending.steps), list(pending.rest)
    return {"by": pending.by, "steps": steps, "rest": rest, "then": pending.then}


def _result_fields(found: Result | None) -> Fields | None:
    return cast("Fields", found._asdict()) if found is not None else None
