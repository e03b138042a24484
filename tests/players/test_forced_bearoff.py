"""The bear-off that plays itself, and the choices that it leaves to the player."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.engines import Engine, make_engine
from sheshbesh.match.card import Card
from sheshbesh.players.settlement import finish
from sheshbesh.session import Session


@pytest.fixture(scope="module")
def engine() -> Engine:
    return make_engine("backgammon")


def at(white: dict[str, int], dice: tuple[int, int], black: dict[str, int] | None = None) -> Session:
    theirs = {"24": 2} if black is None else black
    board = {
        "white": white,
        "white_off": 15 - sum(white.values()),
        "black": theirs,
        "black_off": 15 - sum(theirs.values()),
    }
    card = Card.from_code("backgammon.p1.dice-seeded")
    position = sb.variant("backgammon").position(board)
    return start_at(Session.new(card, match_id="test", seed="1"), position, sb.Roll.of(dice))


def test_the_only_play_that_takes_most_off_is_made() -> None:
    play = finish(at({"6": 3, "5": 4, "4": 4, "2": 4}, (6, 5)))
    assert play is not None
    assert play.notation == "6/off 5/off"


def test_without_tables_unequal_plays_are_left_to_the_player() -> None:
    state = at({"6": 2, "5": 2, "4": 2, "3": 2, "2": 2, "1": 4}, (6, 1))
    assert {play.notation for play in state.turn.plays()} >= {"6/off 1/off"}  # type: ignore[union-attr]
    assert finish(state) is not None
    undecided = at({"6": 1, "4": 1, "2": 2}, (4, 1))
    assert finish(undecided) is None


def test_the_exact_tables_decide_what_is_not_obvious(engine: Engine) -> None:
    state = at({"6": 1, "4": 1, "2": 2}, (4, 1))
    play = finish(state, engine)
    assert play is not None
    assert play == engine.rank(play.position, (4, 1), state.score)[0].play


def test_there_is_something_to_think_about_while_the_sides_meet() -> None:
    meeting = at({"6": 3, "5": 4, "4": 4, "2": 4}, (6, 5), black={"1": 2})
    assert meeting.position is not None
    assert meeting.position.has_contact
    assert finish(meeting) is None


def test_a_player_who_is_not_home_yet_chooses_each_play() -> None:
    assert finish(at({"8": 1, "5": 3}, (3, 1))) is None


@pytest.mark.parametrize("game", sb.variants())
def test_no_game_begins_as_a_race(game: str) -> None:
    assert sb.variant(game).start().has_contact
