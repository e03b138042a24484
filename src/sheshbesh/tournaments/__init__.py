"""Tournaments as pure state machines: entries, draws, pairings, results, standings, and their records.

A tournament is its events, as a match is. `apply` takes an action and gives a new state or refuses; `due`
says what the server has to do next. There is no clock, no randomness and no input or output here, and
nothing is known about how matches are played.
"""

from sheshbesh.rules import Refused
from sheshbesh.tournaments.actions import ACTIONS, Action, Event, action_data, read_action
from sheshbesh.tournaments.apply import apply, new
from sheshbesh.tournaments.course import Outcome
from sheshbesh.tournaments.due import (
    Presence,
    due,
    late_points,
    next_due,
    pair_actions,
    to_pair,
    without_pairing,
)
from sheshbesh.tournaments.names import read_names
from sheshbesh.tournaments.permissions import allowed, may
from sheshbesh.tournaments.record import TournamentRecord, Verdict, verify
from sheshbesh.tournaments.refusals import TOURNAMENT_RULES
from sheshbesh.tournaments.settings import Series, Settings, check_settings, read_settings
from sheshbesh.tournaments.standings import Row, Standings
from sheshbesh.tournaments.state import (
    MODERATOR,
    SERVER,
    Entrant,
    Pair,
    Pairing,
    Result,
    Status,
    Tournament,
)
from sheshbesh.tournaments.systems import standings, system_of

__all__ = [
    "ACTIONS",
    "MODERATOR",
    "SERVER",
    "TOURNAMENT_RULES",
    "Action",
    "Entrant",
    "Event",
    "Outcome",
    "Pair",
    "Pairing",
    "Presence",
    "Refused",
    "Result",
    "Row",
    "Series",
    "Settings",
    "Standings",
    "Status",
    "Tournament",
    "TournamentRecord",
    "Verdict",
    "action_data",
    "allowed",
    "apply",
    "check_settings",
    "due",
    "late_points",
    "may",
    "new",
    "next_due",
    "pair_actions",
    "read_action",
    "read_names",
    "read_settings",
    "standings",
    "system_of",
    "to_pair",
    "verify",
    "without_pairing",
]
