"""The systems: what is planned at the start, who meets next, who stands where, and when it is over."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Protocol

from sheshbesh.tournaments.standings import Standings
from sheshbesh.tournaments.state import Pair, Tournament
from sheshbesh.tournaments.systems import arena, bracket, round_robin, swiss


class System(Protocol):
    """A system of play. All its functions are pure."""

    def plan(self, state: Tournament, /) -> Tournament:
        """Return the tournament with its bracket or schedule: once, when the seeds are fixed."""

    def wanted(self, state: Tournament, ready: Collection[int], seed: str, now: int, /) -> tuple[Pair, ...]:
        """Return who is to be paired now, of those who are ready. The answer is put into a `pair` action."""

    def check(self, state: Tournament, number: int, pairs: tuple[Pair, ...], /) -> None:
        """Raise Refused unless these pairs may be round `number`; computes no matching."""

    def standings(self, state: Tournament, /) -> Standings:
        """Return who stands where."""

    def is_over(self, state: Tournament, /) -> bool:
        """Return whether nothing is left to be played at `state.at`."""


_SYSTEMS: Mapping[str, System] = MappingProxyType(
    {
        "knockout": bracket,
        "double": bracket,
        "swiss": swiss,
        "losses": swiss,
        "round_robin": round_robin,
        "arena": arena,
    }
)


def system_of(state: Tournament) -> System:
    """Return the system of the present stage: groups are round robins, whatever follows them."""
    return round_robin if state.stage == "groups" else _SYSTEMS[state.settings.system]


def standings(state: Tournament) -> Standings:
    """Return who stands where; nobody does before the start."""
    return system_of(state).standings(state) if state.seed else ()
