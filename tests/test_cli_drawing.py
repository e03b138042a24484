"""The board as text: what is seen, from which side, and in the middle of a play."""

from __future__ import annotations

import random

import pytest

import sheshbesh as sb
from sheshbesh.i18n import translate
from sheshbesh.rules.drawing import Picture

START = """\
X Black  pips 167   off  0
+-13--14--15--16--17--18-+-----+-19--20--21--22--23--24-+
| O   :   .   :   X   :  |     | X   :   .   :   .   O  |
| O   :   .   :   X   :  |     | X   :   .   :   .   O  |
| O   :   .   :   X   :  |     | X   :   .   :   .   :  |
| O   :   .   :   .   :  |     | X   :   .   :   .   :  |
| O   :   .   :   .   :  |     | X   :   .   :   .   :  |
|                        | BAR |                        |
| X   .   :   .   :   .  |     | O   .   :   .   :   .  |
| X   .   :   .   :   .  |     | O   .   :   .   :   .  |
| X   .   :   .   O   .  |     | O   .   :   .   :   .  |
| X   .   :   .   O   .  |     | O   .   :   .   :   X  |
| X   .   :   .   O   .  |     | O   .   :   .   :   X  |
+-12--11--10--9---8---7--+-----+-6---5---4---3---2---1--+
O White  pips 167   off  0
White to play"""


def positions(name: str, seed: int, length: int) -> list[tuple[sb.Position, sb.Play]]:
    chance = random.Random(seed)
    position = sb.variant(name).start()
    seen: list[tuple[sb.Position, sb.Play]] = []
    while position.result is None and len(seen) < length:
        dice = None if position.pending else (chance.randint(1, 6), chance.randint(1, 6))
        plays = position.legal_plays(dice)
        play = plays[chance.randrange(len(plays))]
        seen.append((position, play))
        position = play.result
    return seen


def test_the_start_is_drawn_from_the_side_on_roll() -> None:
    assert str(sb.variant("backgammon").start()) == START
    swapped = START.translate(str.maketrans("OX", "XO"))
    for side, other in (("O Black", "O White"), ("X White", "X Black"), ("White to play", "Black to play")):
        swapped = swapped.replace(side, other)
    assert str(sb.variant("backgammon").start("black")) == swapped


@pytest.mark.parametrize("name", sb.variants())
def test_every_board_is_plain_ascii_within_80_columns(name: str) -> None:
    for position, _ in positions(name, 1, 120):
        text = str(position)
        assert text.isascii()
        assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("name", sb.variants())
def test_a_picture_after_the_steps_of_a_play_is_that_of_its_result(name: str) -> None:
    for position, play in positions(name, 2, 200):
        picture = Picture.of(position).after(position.turn, play.steps)
        assert picture == Picture.of(play.result)
        assert all(picture.pips(side) == play.result.pips(side) for side in sb.Side)


def test_a_captive_is_seen_under_its_captor() -> None:
    board = {"white": {"10": 1, "24": 14}, "black": {"10": 3, "1": 12}}
    position = sb.variant("tapa").position(board)
    picture = Picture.of(position)
    assert picture.pile(sb.Side.WHITE, 10) == ["[o]", "X", "X", "X"]
    assert picture.pile(sb.Side.BLACK, 15) == ["[o]", "X", "X", "X"]
    assert "imprisoned 1" in picture.tray(sb.Side.WHITE)


def test_a_high_pile_ends_in_its_count() -> None:
    board = {"white": {"10": 1, "24": 14}, "black": {"10": 7, "1": 8}}
    picture = Picture.of(sb.variant("tapa").position(board))
    assert picture.pile(sb.Side.WHITE, 24) == ["O", "O", "O", "O", "14O"]
    assert picture.pile(sb.Side.WHITE, 10) == ["[o]", "X", "X", "X", "7X"]


def test_heads_are_labelled_and_short_in_games_of_one_direction() -> None:
    position = sb.variant("long_nardy").start()
    picture = Picture.of(position)
    assert picture.pile(sb.Side.WHITE, 24) == ["O", "O", "15O"]
    assert picture.pile(sb.Side.WHITE, 12)[-1] == "15X"
    lines = picture.lines(sb.Side.BLACK)
    assert lines[-1] == "White's head"
    assert [translate(lines[0], lang) for lang in ("en", "tr")] == [
        each.rjust(len(lines[1])) for each in ("Black's head", "Siyahın başı")
    ]
    assert translate(lines[-1], "tr") == "Beyazın başı"
    assert "head" not in str(sb.variant("tapa").start())


def test_bar_and_hand_are_seen() -> None:
    position = sb.variant("backgammon").position_from_id("A4e1c3Ee3C1E4b:w:x1.0")
    assert "on the bar 1" in str(position)
    assert any("|  O  |" in line for line in str(position).splitlines()[2:7])
    assert "in hand 15" in str(sb.variant("acey_deucey").start())
