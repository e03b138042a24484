"""A position with what surrounds it: written into an address and read back, pasted, or refused."""

from __future__ import annotations

from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.errors import NotationError, PositionError, SheshbeshError
from sheshbesh.formats import format_gnubg_id, format_xgid
from sheshbesh.i18n import translate
from sheshbesh.match import Card
from sheshbesh.players.situation import Situation, bare
from sheshbesh.rules import Side
from sheshbesh.session.board_data import board_data

XGID = "-b----E-C---eE---c-e----B-:0:0:1:31:3:1:0:5:10"
MONEY = Card.from_code("backgammon.m")


def board_of(game: str, **change: Any) -> dict[str, Any]:
    return board_data(sb.variant(game).start()) | change


@pytest.mark.parametrize("game", sb.variants())
def test_every_games_start_goes_through_an_address(game: str) -> None:
    here = Situation.start(Card.from_code(f"{game}.p3"))
    assert Situation.of_query(here.query) == here
    again = Situation.of_board(here.card, board_data(here.position), Side.WHITE, {})
    assert again.position.counts("white") == here.position.counts("white")


def test_dice_cube_score_and_the_crawford_game_stand_in_the_address() -> None:
    told = {"card": "backgammon.p5", "dice": "31", "cube": "4b", "score": "3.1"}
    here = Situation.of_query(told)
    assert (here.match.cube, here.match.owner, here.match.white, here.match.black) == (4, "black", 3, 1)
    assert here.query == told | {"id": "B4e1c3Ee3C1E4b:w"}
    assert Situation.of_query({"card": "backgammon.p5", "score": "4.1", "crawford": "1"}).match.crawford


def test_an_impossible_board_is_refused_with_every_reason_in_the_readers_language() -> None:
    board = board_of("backgammon")
    board["points"][0] = {"w": 1, "b": 1}
    with pytest.raises(PositionError) as caught:
        Situation.of_board(MONEY, board, Side.WHITE, {"cube": "2", "crawford": "1"})
    problems = caught.value.problems
    assert list(problems) == [
        "white has 16 checkers, not 15",
        "black has 14 checkers, not 15",
        "both colours on White's point 1",
        "there is no Crawford game in money play",
    ]
    assert translate(problems[0], "tr") == "beyaz: 16 pul var, 15 olmalı"


def test_captives_are_read_where_the_game_has_them() -> None:
    card = Card.from_code("tapa.m")
    board = board_of("tapa")
    board["points"][23] = {"w": 13, "b": 0}
    board["points"][4] = {"w": 2, "b": 1, "pin": "black"}
    board["points"][0] = {"w": 0, "b": 14}
    position = Situation.of_board(card, board, Side.BLACK, {}).position
    assert position.pinned("black") == {20}
    assert position.turn == "black"


def test_every_writing_of_a_position_can_be_pasted() -> None:
    here = Situation.of_query({"card": "backgammon.p5", "dice": "31", "cube": "2w", "score": "3.1"})
    xgid = format_xgid(here.position, here.match, (3, 1))
    for text in (
        xgid,
        format_gnubg_id(here.position, here.match, (3, 1)),
        "https://play.example/analysis?card=backgammon.p5&id=B4e1c3Ee3C1E4b%3Aw&dice=31&cube=2w&score=3.1",
    ):
        found = Situation.of_text(text, MONEY)
        assert found.query == here.query
    assert here.ids()["xgid"] == xgid
    tapa = Situation.start(Card.from_code("tapa.m"))
    assert Situation.of_text(tapa.position.id, tapa.card) == tapa
    assert set(tapa.ids()) == {"own"}
    with pytest.raises(NotationError):
        Situation.of_text("good morning", MONEY)


@pytest.mark.parametrize(
    "text",
    [
        f"xgid={XGID}",
        XGID,
        XGID.replace(":", "%3A"),
        f"https://board.example/show?xgid={XGID}&theme=2",
        f"XGID={XGID}\nX:anna   O:boris\n",
        "OGID=11jjjjjhhhccccc:ooddddd88866666:N0N:31:B:R:3:1:5:0",
        "GNUBGID=4HPwATDgc/ABMA:MIGlADAACAAA",
    ],
)
def test_every_id_is_read_however_it_is_written(text: str) -> None:
    here = Situation.of_query({"card": "backgammon.p5", "dice": "31", "score": "3.1"})
    assert Situation.of_text(text, MONEY).query == here.query
    if "\n" not in text:
        assert Situation.of_query({"card": "backgammon.p5", "id": text}).query == here.query


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("XGID=----BbC---dE---c-e----B-:0:0:1:00:0:0:3:0:10", "the board of an XGID has 26 characters"),
        ("----BbC---dE---c-e----B-:0:0:1:00:0:0:3:0:10", "the board of an XGID has 26 characters"),
        (f"XGID={XGID[:-3]}:1:1:1", "an XGID has 10 fields between colons"),
        (f"XGID={XGID.replace(':31:', ':3X:')}", "field 5 .dice.: '3X' is neither"),
        ("GNUBGID=4HPwATDgc/ABM", "a Position ID has 14 characters"),
        ("11jjjjjhhhcccczz:ooddddd88866666:N0N", "field 1 .White.: 16 checkers, there are 15"),
        (f"XGID={XGID.replace(':3:1:', ':9:1:')}", "a match to 5 points is over at 9-1"),
        ("B4e1c3Ee3C1E4:w", "23 points, not 24"),
    ],
)
def test_what_is_nearly_an_id_is_refused_by_the_rule_that_it_breaks(text: str, said: str) -> None:
    with pytest.raises(SheshbeshError, match=said):
        Situation.of_text(text, MONEY)
    with pytest.raises(SheshbeshError, match=said):
        Situation.of_query({"card": "backgammon.m", "id": text})


def test_what_may_be_asked_depends_on_dice_and_cube() -> None:
    assert Situation.of_query({"dice": "31"}).in_turn
    before = Situation.of_query({})
    assert before.may_double
    assert not before.in_turn
    assert not Situation.of_query({"cube": "2b"}).may_double
    assert not Situation.of_query({"card": "tapa.m"}).may_double


def test_a_card_is_shown_without_its_clock_and_dice() -> None:
    assert bare(Card.from_code("tavla.p3.clock-d12-120.dice-typed")).code == "tavla.p3"
