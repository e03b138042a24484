"""GNU Backgammon's Match ID: what it means, exact round trips, and clear errors for the rest."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sheshbesh as sb
from tests.test_formats import dice, matches, positions

START = "4HPwATDgc/ABMA"
MANUAL = f"{START}:QYkqASAAIAAA"
"""The example of gnubg's manual: to 9 at 2:4, player 0 owns the cube at 2, player 1 has thrown 5-2."""


def test_a_match_id_means_what_the_manual_says() -> None:
    found = sb.parse_gnubg_id(MANUAL, sb.variant("backgammon"))
    assert found.position == sb.variant("backgammon").start("black")
    assert found.match == sb.MatchState(length=9, white=2, black=4, cube=2, owner="white")
    assert (found.dice, found.doubled, found.resignation) == ((5, 2), False, None)
    assert sb.format_gnubg_id(found.position, found.match, found.dice) == MANUAL
    assert sb.parse_gnubg_id(f"GNUBGID={MANUAL}", "backgammon") == found


def test_a_position_id_alone_has_no_match() -> None:
    found = sb.parse_gnubg_id(START, sb.variant("backgammon"), "black")
    assert found == sb.GnubgPosition(sb.variant("backgammon").start("black"))


@given(positions(), matches(), dice, st.sampled_from((None, "single", "gammon", "backgammon")))
def test_what_is_written_is_read_again(
    position: sb.Position, match: sb.MatchState, throw: tuple[int, int] | None, resignation: str | None
) -> None:
    match = replace(match, beavers=False)  # an id has no place for them
    text = sb.format_gnubg_id(position, match, throw, doubled=throw is None, resignation=resignation)
    found = sb.parse_gnubg_id(text, position.variant)
    assert found == sb.GnubgPosition(position, match, throw, throw is None, resignation)  # type: ignore[arg-type]


def match_id(**fields: int) -> str:
    """The id of the start with some bits set: `b5=1` is 1 from bit 5 on."""
    key = sum(value << int(start[1:]) for start, value in fields.items())
    return f"{START}:{base64.b64encode(key.to_bytes(9, 'little')).decode()}"


def test_without_the_bit_jacoby_is_on_for_money() -> None:
    for bits, jacoby in (({}, True), ({"b66": 1}, False)):
        match = sb.parse_gnubg_id(match_id(b4=3, **bits), sb.variant("backgammon")).match
        assert match is not None
        assert match.jacoby is jacoby


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{START}:QYkqASAAIAA", "12 characters"),
        (f"{START}:QYkqASAAIAA ", "12 characters"),
        (f"{START}:QYk?ASAAIAAA", "column 4"),
        (match_id(b4=3, b67=1), "beyond the 67th"),
        (match_id(b4=3, b8=5), "state of a game"),
        (match_id(b4=2), "owner of the cube"),
        (match_id(b4=3, b15=3), "3-0 are no dice"),
        (match_id(b4=3, b15=7, b18=1), "7-1 are no dice"),
    ],
)
def test_an_unreadable_match_id_says_where(text: str, said: str) -> None:
    with pytest.raises(sb.NotationError, match=said):
        sb.parse_gnubg_id(text, sb.variant("backgammon"))


def test_an_impossible_score_is_refused() -> None:
    with pytest.raises(sb.MatchError):
        sb.parse_gnubg_id(match_id(b4=3, b21=3, b36=3, b51=3), sb.variant("backgammon"))


def test_what_cannot_be_written_is_refused() -> None:
    start = sb.variant("backgammon").start()
    with pytest.raises(sb.NotationError, match="the cube up to 32768, not 65536"):
        sb.format_gnubg_id(start, sb.MatchState(cube=65536, owner="white"))
    with pytest.raises(sb.NotationError, match="up to 32767"):
        sb.format_gnubg_id(start, sb.MatchState(white=40000))
    with pytest.raises(sb.NotationError, match="resignation"):
        sb.format_gnubg_id(start, resignation="koks")
    with pytest.raises(sb.NotationError, match="before the throw"):
        sb.format_gnubg_id(start, dice=(3, 1), doubled=True)
    with pytest.raises(sb.DiceError):
        sb.format_gnubg_id(start, dice=(7, 1))


@given(st.text(max_size=40) | st.from_regex(r"[A-Za-z0-9+/]{14}:[A-Za-z0-9+/]{12}", fullmatch=True))
def test_no_text_breaks_the_reader(text: str) -> None:
    for whole in (text, f"{START}:{text}"):
        try:
            sb.parse_gnubg_id(whole, sb.variant("backgammon"))
        except (sb.NotationError, sb.PositionError, sb.MatchError) as error:
            assert str(error)
