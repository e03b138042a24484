"""Match files for tests, real ones and small ones written by hand."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from sheshbesh.records import Match, read_match

DATA = Path(__file__).parents[1] / "data" / "review"
FILES = sorted(path.name for path in DATA.iterdir() if path.suffix in (".txt", ".mat", ".sgf", ".xg"))
AGAIN = ("analysed_2ply.sgf", "four_ways.mat", "four_ways.txt")
"""The files with a match that another one has, too."""


@cache
def sample(name: str) -> Match:
    """Return the match of a file, read once for all tests that only look at it."""
    return read_match(DATA / name)


def games(match: Match) -> list[dict[str, Any]]:
    """The games as plain data."""
    return [dict(game.to_data()) for game in match.games]


def read(text: str) -> Match:
    """The match in a text."""
    return read_match(text.encode())


def plays(match: Match, game: int = 0) -> list[tuple[str, str | None, bool]]:
    """(dice, play, legal) of a game's rolls."""
    return [
        (f"{event['dice'][0]}{event['dice'][1]}", event["play"], event["legal"])
        for event in games(match)[game]["events"]
        if event["type"] == "play"
    ]


def kinds(match: Match, game: int = 0) -> list[str]:
    """The types of a game's events."""
    return [event["type"] for event in games(match)[game]["events"]]
