"""Match files of other programs, read and written; statistics from the analysis that stands in them."""

from sheshbesh.records.decision import Candidate, CubeEquities, Decision, GameOutcome
from sheshbesh.records.model import (
    BeaverEvent,
    CommentEvent,
    DoubleEvent,
    DropEvent,
    Event,
    Match,
    PlayEvent,
    RecordedGame,
    Repair,
    ResignEvent,
    ResultEvent,
    SetPositionEvent,
    TakeEvent,
)
from sheshbesh.records.read import read_match
from sheshbesh.records.stake import match_statistics, outcomes_of
from sheshbesh.records.statistics import RULES, Statistics, statistics, uncounted
from sheshbesh.records.write import DIALECTS, FORMS, format_match, write_match

__all__ = [
    "DIALECTS",
    "FORMS",
    "RULES",
    "BeaverEvent",
    "Candidate",
    "CommentEvent",
    "CubeEquities",
    "Decision",
    "DoubleEvent",
    "DropEvent",
    "Event",
    "GameOutcome",
    "Match",
    "PlayEvent",
    "RecordedGame",
    "Repair",
    "ResignEvent",
    "ResultEvent",
    "SetPositionEvent",
    "Statistics",
    "TakeEvent",
    "format_match",
    "match_statistics",
    "outcomes_of",
    "read_match",
    "statistics",
    "uncounted",
    "write_match",
]
