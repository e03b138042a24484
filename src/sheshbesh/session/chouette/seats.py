"""The seats of a chouette."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sheshbesh.errors import MatchError
from sheshbesh.i18n import JoinedText, Text
from sheshbesh.session.phases import SERVER

FEWEST, MOST = 3, 10


@dataclass(frozen=True, slots=True)
class Seats:
    """The box, and behind it the queue whose first is the captain. MatchError for impossible seats."""

    box: str
    queue: tuple[str, ...]

    def __post_init__(self) -> None:
        problems = []
        if not FEWEST <= len(self.people) <= MOST:
            problems.append(
                Text(
                    "a chouette has {least} to {most} people, not {n}",
                    least=FEWEST,
                    most=MOST,
                    n=len(self.people),
                )
            )
        if len(set(self.people)) != len(self.people) or not all(self.people) or SERVER in self.people:
            problems.append(
                Text(
                    "everybody needs a different name other than {server}: {people}",
                    server=repr(SERVER),
                    people=repr(self.people),
                )
            )
        if problems:
            raise MatchError(
                Text("impossible seats: {problems}", problems=JoinedText(*problems, separator="; ")),
                tuple(problems),
            )

    @classmethod
    def by_throws(cls, throws: Mapping[str, Sequence[int]]) -> Seats:
        """Seat people by their throws: highest is the box, next the captain, then the crew in order.

        Each person has one die, and more after a tie. MatchError for a tie that
        was not thrown off, a die that is none, or a die of somebody who did not tie.
        """
        for name, dice in throws.items():
            if not dice or not all(type(die) is int and 1 <= die <= 6 for die in dice):
                raise MatchError(
                    Text("{name} must have thrown dice of 1 to 6, not {dice}", name=name, dice=repr(dice))
                )
        order = sorted(throws, key=lambda name: tuple(throws[name]), reverse=True)
        for one, other in pairwise(order):
            shorter = min(len(throws[one]), len(throws[other]))
            if tuple(throws[one])[:shorter] == tuple(throws[other])[:shorter]:
                raise MatchError(
                    Text("{one} and {other} have tied and must throw again", one=one, other=other)
                )
        for name, dice in throws.items():
            before = tuple(dice[:-1])
            if before and all(
                tuple(throws[other])[: len(before)] != before for other in throws if other != name
            ):
                raise MatchError(
                    Text("{name} has not tied and throws no more: {dice}", name=name, dice=repr(dice))
                )
        return cls(order[0], tuple(order[1:]))

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody: box, captain, crew."""
        return (self.box, *self.queue)

    @property
    def captain(self) -> str:
        """The first of the queue, who plays for the team when a game begins."""
        return self.queue[0]

    def rotated(self, *, box_won: bool) -> Seats:
        """The seats of the next game. What counts is the box against the captain the game began with."""
        captain, *crew = self.queue
        if box_won:
            return Seats(self.box, (*crew, captain))
        return Seats(captain, (*crew, self.box))

    def joined(self, name: str) -> Seats:
        """With one more person at the end of the queue."""
        return Seats(self.box, (*self.queue, name))

    def left(self, name: str) -> Seats:
        """Without one person; when the box leaves, the captain takes its place."""
        box, *queue = (person for person in self.people if person != name)
        return Seats(box, tuple(queue))
