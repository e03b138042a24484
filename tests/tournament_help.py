"""A tournament that is run to its end as a server would: by `due`, with a clock of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sheshbesh.tournaments import (
    SERVER,
    Action,
    Event,
    Pairing,
    Presence,
    Settings,
    Tournament,
    TournamentRecord,
    apply,
    due,
    new,
    read_settings,
)
from sheshbesh.tournaments.actions import (
    AddAction,
    AnnounceAction,
    EnterAction,
    PairAction,
    ResultAction,
    StartAction,
)
from sheshbesh.tournaments.draw import commitment

SECRET = "5a" * 32
DIRECTOR = "nora"
CARD = "tavla.p5.clock-d12-60"
SECOND, MINUTE = 1000, 60_000


def settings_of(system: str, **changes: Any) -> Settings:
    """Return settings of a plain tournament of this system, directed by Nora."""
    data = {"title": "Test", "card": CARD, "system": system, "directors": [DIRECTOR]}
    return read_settings({**data, **changes})


class Course:
    """A tournament, its clock and its events.

    Matches are won by `winner_of`, which is asked with the two numbers; by default the lower one, as if
    seeds were strength.
    """

    def __init__(self, settings: Settings, winner_of: Callable[[int, int], int] = min) -> None:
        self.settings = settings
        self.state: Tournament = new(settings, "t1")
        self.winner_of = winner_of
        self.events: list[Event] = []
        self.now = 0

    def do(self, actor: str, action: Action) -> Tournament:
        """Let somebody act; what is refused is raised."""
        outcome = apply(self.state, actor, action, self.now)
        if outcome.event is not None:
            self.events.append(outcome.event)
        self.state = outcome.state
        return self.state

    def open(self, entrants: int, **fields: Any) -> Course:
        """Announce it and enter this many, named by their numbers."""
        self.do(DIRECTOR, AnnounceAction(commitment(SECRET)))
        for number in range(1, entrants + 1):
            self.enter(f"p{number}", **fields)
        return self

    def enter(self, identity: str, **fields: Any) -> Tournament:
        """Enter somebody; at real boards the director adds the name."""
        if self.settings.boards == "real":
            return self.do(DIRECTOR, AddAction(name=identity.upper()))
        share = f"{len(self.state.entrants) + 1:064x}"
        return self.do(identity, EnterAction(name=identity.upper(), **{"share": share, **fields}))

    def start(self) -> Course:
        """Start it."""
        self.do(SERVER, StartAction(SECRET))
        return self

    def step(self, presence: Presence | None = None, results: Iterable[ResultAction] = ()) -> int:
        """Do what is due, once; returns how many actions that were."""
        if presence is None:
            everybody = frozenset(range(1, len(self.state.entrants) + 1))
            presence = Presence(everybody, {each.number: everybody for each in self.state.open_pairings})
        actions = due(self.state, self.now, presence, results)
        for action in actions:
            self.do(SERVER, self.completed(action))
        return len(actions)

    def completed(self, action: Action) -> Action:
        """Return the action with what only a server knows."""
        if isinstance(action, StartAction):
            return StartAction(SECRET)
        if isinstance(action, PairAction) and self.settings.boards == "site":
            ids = tuple(f"m{len(self.state.pairings) + place}" for place in range(len(action.pairs)))
            return PairAction(round=action.round, pairs=action.pairs, bye=action.bye, matches=ids)
        return action

    def result_of(self, pairing: Pairing, winner: int | None = None) -> ResultAction:
        """Return the result of a match, won by `winner` or as the course has it."""
        winner = self.winner_of(*pairing.both) if winner is None else winner
        length = pairing.length
        score = (length, 0) if winner == pairing.first else (0, length)
        return ResultAction(pairing=pairing.number, winner=winner, score=score)

    def pair(self) -> list[tuple[int, int]]:
        """Do what is due until there are open pairings; returns them."""
        while not self.state.open_pairings or self.state.unpaired:
            if not self.step():
                break
        return [each.both for each in self.state.open_pairings]

    def play(self, *winners: int) -> None:
        """Play all open pairings; of those with a winner among `winners` that one wins."""
        results = []
        for pairing in self.state.open_pairings:
            named = [number for number in pairing.both if number in winners]
            results.append(self.result_of(pairing, named[0] if named else None))
        self.step(results=results)

    def finish(self, rng: random.Random | None = None) -> Course:
        """Play to the end; with a generator one match after the other, in an order of its own."""
        for _ in range(100_000):
            if self.step():
                continue
            still = self.state.open_pairings
            if not still:
                break
            self.now += MINUTE
            chosen: Sequence[Pairing] = still if rng is None else [rng.choice(still)]
            self.step(results=[self.result_of(each) for each in chosen])
        return self

    def record(self) -> str:
        """Return the record as text."""
        start = new(self.settings, "t1")
        return TournamentRecord(start.settings, "t1", 0, tuple(self.events)).to_text()


def by_strength(seed: int) -> Callable[[int, int], int]:
    """Return winners by chance, the same for the same two: the lower number wins twice of three times."""

    def winner_of(first: int, second: int) -> int:
        low, high = sorted((first, second))
        return low if random.Random(f"{seed} {low} {high}").random() < 2 / 3 else high

    return winner_of


def slots(state: Tournament) -> dict[str, tuple[int, int]]:
    """Return who is paired in each place that stands."""
    return {each.slot: each.both for each in state.pairings if each.status != "annulled"}


def swiss_of_nine() -> Course:
    """Return a Swiss of nine that was played to its end."""
    return Course(settings_of("swiss"), by_strength(9)).open(9).start().finish()


def there(course: Course, *absent: int) -> Presence:
    """Return a presence in which everybody is at their board but these."""
    numbers = frozenset(each.number for each in course.state.entrants) - set(absent)
    return Presence(numbers, {each.number: numbers for each in course.state.open_pairings})
