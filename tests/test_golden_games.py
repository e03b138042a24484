"""One whole recorded game of every game, replayed throw by throw to its result.

To record them anew on purpose: `python -m tests.make_goldens games`.
"""

from __future__ import annotations

import re

import pytest

import sheshbesh as sb
from tests.make_goldens import GAMES

_LINE = re.compile(r"(?P<side>white|black) (?P<dice>\d-\d): (?P<play>.+) -> (?P<id>\S+)")


@pytest.mark.parametrize("name", sb.variants())
def test_the_recorded_game_is_played_to_its_result(name: str) -> None:
    game = sb.variant(name)
    title, start, *lines, result = (GAMES / f"{name}.txt").read_text("utf-8").splitlines()
    assert title == f"# {game.title}: a game played at random"
    position = game.start()
    assert start == f"start -> {position.id}"
    for number, line in enumerate(lines, start=1):
        match = _LINE.fullmatch(line)
        assert match is not None, f"line {number}: {line}"
        assert position.turn == match["side"], f"line {number}"
        play = position.parse_play(match["play"], sb.Roll.parse(match["dice"]))
        assert play.notation == match["play"], f"line {number}"
        assert play.result.id == match["id"], f"line {number}"
        position = play.result
    assert result == f"result: {position.result}"
    assert position.result is not None


def test_no_game_is_left_out() -> None:
    assert {path.stem for path in GAMES.glob("*.txt")} == set(sb.variants())
