"""The scores of all: the games that count, and a tally of them for each entrant.

Scores of systems that go in rounds are counted here, those of brackets and arenas in their own modules. The
order of results makes no difference: everything is added up by round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import Struct

from sheshbesh.tournaments.state import NOBODY, Pairing, Tournament

Standings = tuple["Row", ...]


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of the standings.

    Entrants with equal places share those from `place` to `last`; one who still plays in a bracket comes to
    none beyond them. `ties` has the numbers of the tie-breaks, by name, None for one that does not apply. In
    a tournament of several brackets or groups `bracket` or `group` says of which this is the standing.
    """

    place: int
    last: int
    entrant: int
    score: float = 0
    wins: int = 0
    losses: int = 0
    played: int = 0
    ties: dict[str, float | None] = {}
    bracket: str = ""
    group: int = 0


class Game(NamedTuple):
    """A pairing as it counts: its round, the two, the winner (0: both lost), whether it was played.

    `second` is 0 for a bye, and where a loss was made good since the winner was disqualified.
    """

    round: int
    first: int
    second: int
    winner: int
    played: bool
    points: int = 0
    """By how many points it was won, scores cut to the length."""


@dataclass(slots=True)
class Tally:
    """The sums of one entrant: `score` in points of the tournament, games at the board, rounds without one.

    `wins` counts all wins, byes and walkovers among them; `met` and `beaten` are opponents at the board.
    """

    entrant: int
    score: float = 0
    wins: int = 0
    losses: int = 0
    byes: int = 0
    unplayed: int = 0
    met: list[int] = field(default_factory=list)
    beaten: list[int] = field(default_factory=list)
    won_against: list[int] = field(default_factory=list)
    points: int = 0
    missed: int = 0

    @property
    def board_wins(self) -> int:
        """Return wins at the board."""
        return len(self.beaten)


def game_of(state: Tournament, pairing: Pairing) -> Game:
    """Return a decided pairing as it counts by now."""
    result = pairing.result
    assert result is not None, "only a decided pairing counts"
    first, second, winner, played = pairing.first, pairing.second, result.winner, result.is_played
    loser = pairing.other(winner) if winner else NOBODY
    if loser and state.entrant(winner).why == "disqualified":
        return Game(pairing.round, loser, NOBODY, loser, played=False)
    points = 0
    if result.score is not None and winner:
        cut = [min(each, pairing.length) for each in result.score]
        points = abs(cut[0] - cut[1])
    return Game(pairing.round, first, second, winner, played, points)


def games(state: Tournament, until: int) -> Iterator[Game]:
    """Yield the games of the rounds 1 to `until` that have a result."""
    for pairing in state.counted():
        if pairing.round <= until:
            yield game_of(state, pairing)


def tallies(state: Tournament, counted: Iterable[Game], rounds: int) -> dict[int, Tally]:
    """Return the sums of all entrants over these games, where `rounds` rounds are over.

    A round without a game at the board is unplayed. A round that an entrant missed is a loss where one plays
    until N losses; one before they came is half a point in a Swiss, as its settings say.
    """
    found = {each.number: Tally(each.number) for each in state.players()}
    board: dict[int, set[int]] = {number: set() for number in found}
    decided: dict[int, set[int]] = {number: set() for number in found}
    still: dict[int, set[int]] = {number: set() for number in found}
    for game in counted:
        _count(found, game)
        for number in filter(None, (game.first, game.second)):
            (board if game.played else decided)[number].add(game.round)
    # What is still played is not missed, nor what a director has annulled.
    called_off: dict[int, set[int]] = {number: set() for number in found}
    for pairing in state.pairings:
        if pairing.status != "decided" and not pairing.playoff:
            rounds_of = called_off if pairing.status == "annulled" else still
            for number in filter(None, pairing.both):
                rounds_of[number].add(pairing.round)
    over = set(range(1, rounds + 1))
    for number, tally in found.items():
        entrant = state.entrant(number)
        tally.unplayed = len((over | decided[number]) - board[number] - still[number])
        if state.settings.system == "losses":
            end = entrant.out_at if entrant.status == "out" else rounds
            came = board[number] | decided[number] | still[number] | called_off[number]
            tally.missed = sum(1 for each in over if each <= end and each not in came)
            tally.losses += tally.missed
        halves = min(entrant.late, 2) if state.settings.system == "swiss" and _is_half(state) else 0
        tally.score = tally.wins + halves / 2 - entrant.penalty
    return found


def _is_half(state: Tournament) -> bool:
    return state.settings.late == "half"


def _count(found: Mapping[int, Tally], game: Game) -> None:
    for number, other in ((game.first, game.second), (game.second, game.first)):
        if number == NOBODY:
            continue
        tally = found[number]
        won = game.winner == number
        tally.wins += won
        tally.losses += not won
        tally.byes += won and other == NOBODY
        tally.points += game.points if won else -game.points
        if won and other:
            tally.won_against.append(other)
        if game.played and other:
            tally.met.append(other)
            if won:
                tally.beaten.append(other)


def overall(rows: Standings) -> Standings:
    """Return the places of a tournament as a whole, without those of consolation brackets and of groups."""
    return tuple(row for row in rows if row.bracket in ("", "main") and not row.group)


def row_data(rows: Standings) -> list[list[Any]]:
    """Return standings as events record them: place, entrant, score, and the bracket or group."""
    return [
        [row.place, row.entrant, _number(row.score), *filter(None, (row.bracket or row.group,))]
        for row in rows
    ]


def _number(score: float) -> float:
    """Return a whole score without its fraction, as JSON of other programs has it."""
    return int(score) if score == int(score) else score
