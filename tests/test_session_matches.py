"""Matches as they are played: openings, cube, Crawford, offers, clocks, breaks, touch-move."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.records import format_match, read_match
from sheshbesh.reviews.questions import questions
from sheshbesh.rules import Side
from sheshbesh.session import (
    AcceptAction,
    BeaverAction,
    ChooseAction,
    ConfirmAction,
    DiceAction,
    DoubleAction,
    DropAction,
    Phase,
    PlayAction,
    ProposeAction,
    RefuseAction,
    ResignAction,
    ResumeAction,
    RetryAction,
    RollAction,
    Session,
    StepAction,
    SwapAction,
    TouchAction,
    UndoAction,
)
from sheshbesh.session.actions import ACTIONS
from tests.session_help import BLACK, OTHER, SERVER, WHITE, S, Table, play_one

NAMES = {"standard": "backgammon", "iran_traditional": "takhte"}


# Locked games


@pytest.mark.parametrize(
    ("code", "start", "played"),
    [
        # Each side's last checker is imprisoned on the other's ace point, below all the others.
        ("tapa.p3", "(nA)21A(Ma):w", ["2/1", "pass"]),
        # Both are closed out, and both have a checker on the bar.
        ("backgammon.p3", "bbbbbb12BBBBBB:w:x1.1", ["pass"]),
    ],
)
def test_a_game_in_which_nobody_can_ever_move_again_ends_without_a_winner(
    code: str, start: str, played: list[str]
) -> None:
    table = Table(code)
    table.header = replace(table.header, start=start)
    table.state = table.header.session()
    table.ready()
    for play in played:
        table.throw(2, 1).play(play)
    paid = {"winner": None, "kind": "tie", "points": 0, "reason": "locked"}
    event = table.events[-1]
    assert event.then["game"] == paid and "match" not in event.then
    assert (table.phase, table.state.score.white, table.state.score.black) == (Phase.READY, 0, 0)
    assert table.record().replay().games == table.state.games
    match = read_match(table.record().to_text().encode())
    assert [event.to_data() for event in match.games[0].events][-1]["winner"] is None
    assert read_match(format_match(match, "json")).games == match.games
    assert table.begin().state.game_no == 2, "the next game is played"


@pytest.mark.parametrize(
    ("game", "start"),
    [
        ("tapa", "(nA)20A1(Ma):w"),
        ("tapa", "(nA)21A(Ma):w"),
        ("backgammon", "bbbbbb12BBBBB1:w:x1.1"),
        ("backgammon", "bbbbbb12BBBBBB:w:x1.0"),
        ("backgammon", "B4e1c3Ee3C1E4b:w"),
        ("long_nardy", "O11o11:w"),
    ],
)
def test_a_game_in_which_somebody_can_move_or_will_is_not_locked(game: str, start: str) -> None:
    assert not sb.variant(game).position_from_id(start).is_locked


# Openings and later games


def test_the_higher_die_starts_and_plays_both_numbers() -> None:
    table = Table("backgammon.m").ready()
    event = table.do(BLACK, DiceAction(2, 5))
    assert event.then["dice"] == [2, 5]
    assert event.then["starter"] == BLACK
    assert (table.phase, table.on_roll, table.state.dice) == (Phase.MOVE, BLACK, (5, 2))


def test_the_winner_of_the_draw_throws_both_dice_again_where_that_is_the_rule() -> None:
    table = Table("tavla.p3").begin(6, 1)
    assert (table.phase, table.on_roll) == (Phase.ROLL, WHITE)
    table.throw(3, 3)
    assert table.state.dice == (3, 3)


def test_a_tie_is_thrown_again() -> None:
    table = Table("backgammon.m").begin(4, 4)
    assert table.phase is Phase.OPENING
    table.do(WHITE, DiceAction(1, 6))
    assert table.on_roll == BLACK


@pytest.mark.parametrize(("start", "starters"), [("winner", "WBB"), ("alternate", "WBW"), ("roll", "W??")])
def test_who_starts_later_games(start: str, starters: str) -> None:
    """White starts the first game; Black wins the first two."""
    table = Table(f"backgammon.later_start={start}.m")
    for expected in starters:
        table.ready()
        if table.state.game_no == 1 or expected == "?":
            assert table.phase is Phase.OPENING
            table.do(WHITE, DiceAction(6, 1))
        assert table.state.on_roll is (Side.WHITE if expected in "W?" else Side.BLACK)
        if table.phase is Phase.ROLL:
            assert "double" in table.state.allowed(table.on_roll)
        table.resigns(WHITE)


@pytest.mark.parametrize("washed", [ProposeAction("settle", 0), None], ids=["called off", "first of all"])
def test_after_a_game_without_a_winner_the_winner_of_the_last_decided_one_begins(
    washed: ProposeAction | None,
) -> None:
    """B 45: in takhte the draw is held once; only where nobody has won yet there is another."""
    table = Table("takhte.p5").begin(6, 1)
    if washed is not None:
        table.resigns(WHITE).ready()
        assert (table.phase, table.on_roll) == (Phase.ROLL, BLACK)
    table.do(WHITE, ProposeAction("settle", 0))
    table.do(BLACK, AcceptAction())
    assert table.state.games[-1].result.winner is None
    table.ready()
    if washed is None:
        assert table.phase is Phase.OPENING
    else:
        assert (table.phase, table.on_roll) == (Phase.ROLL, BLACK)


VECTORS = Path(__file__).parent / "data" / "vectors.jsonl"
OPENINGS = [
    vector
    for vector in map(json.loads, VECTORS.read_text("utf-8").splitlines())
    if vector["type"] == "opening"
]


@pytest.mark.parametrize("vector", OPENINGS, ids=lambda vector: str(vector["id"]))
def test_the_vectors_of_openings_through_a_session(vector: dict[str, Any]) -> None:
    said, expected = vector["opening"], vector["claims"]["opening"]
    table = Table(f"{NAMES.get(vector['variant'], vector['variant'])}.m")
    if said.get("game_no", 1) > 1:
        table.begin(6, 1).resigns(OTHER[said["previous_winner"]])
    table.ready()
    if table.phase is Phase.OPENING:
        table.do(WHITE, DiceAction(said["white_die"], said["black_die"]))
    if expected["starter"] is None:
        assert table.phase is Phase.OPENING
    else:
        assert table.on_roll == expected["starter"]
        dice = "roll" if table.state.dice is None else sorted(table.state.dice)
        assert dice == (expected["dice"] if expected["dice"] == "roll" else sorted(expected["dice"]))


# Crawford and the dead cube, at every score, through whole sessions


def check_cube(table: Table, *, crawford: bool) -> None:
    """Who may double, at the first throw of each side: the law told once more."""
    length = table.header.card.length or 0
    for side in (BLACK, WHITE):
        table.to_roll(side)
        own = table.score[0] if side == WHITE else table.score[1]
        lives = not crawford and own + 1 < length
        assert ("double" in table.state.allowed(side)) == lives
        if not lives:
            expected = "cube.crawford" if crawford else "cube.dead"
            assert table.rule(side, DoubleAction()) == expected


@pytest.mark.parametrize("length", range(1, 8))
def test_crawford_and_dead_cubes_at_every_score_of_matches_to_seven(length: int) -> None:
    """Every way to every score: the Crawford game is the one after a side first came within a point."""
    seen = set()
    todo = [(Table(f"backgammon.p{length}"), False)]
    while todo:
        table, was_within = todo.pop()
        within = length > 1 and length - 1 in table.score
        crawford = within and not was_within
        key = (*table.score, was_within)
        if key in seen:
            continue
        seen.add(key)
        begun = table.fork().begin()
        assert begun.state.score.crawford == crawford
        check_cube(begun, crawford=crawford)
        for winner, points in product((WHITE, BLACK), (1, 2, 3)):
            after = table.fork()
            play_one(after, winner, points, cube=False)
            won = tuple(
                score + points * (side == winner)
                for side, score in zip((WHITE, BLACK), table.score, strict=True)
            )
            assert after.score == won
            assert (after.phase is Phase.OVER) == (max(won) >= length)
            if after.phase is Phase.OVER:
                assert after.state.winner is Side.of(winner)
                assert after.state.ending == "points"
            else:
                todo.append((after, was_within or within))
    scores = {key[:2] for key in seen}
    assert scores == set(product(range(length), repeat=2))


@pytest.mark.parametrize("length", range(2, 8))
def test_redoubles_are_dead_when_the_cube_is_enough(length: int) -> None:
    for own in range(length - 1):
        table = Table(f"backgammon.nocrawford.p{length}")
        for _ in range(own):
            play_one(table, BLACK, 1, cube=False)
        table.begin().doubles(WHITE).to_roll(BLACK)
        assert ("double" in table.state.allowed(BLACK)) == (own + 2 < length)
        assert table.rule(WHITE, DoubleAction()) == "turn.other"


def test_a_dead_cube_may_be_turned_where_the_table_agreed_on_it() -> None:
    table = Table("backgammon.allow_dead_double=true.p1").begin().doubles(BLACK).resigns(BLACK)
    assert table.score == (2, 0)
    assert table.state.winner is Side.WHITE


def test_without_crawford_the_cube_is_never_away() -> None:
    table = Table("backgammon.p3.nocrawford")
    play_one(table, WHITE, 2, cube=False)
    table.begin().to_roll(BLACK)
    assert "double" in table.state.allowed(BLACK)
    # Code that judges the score must know it, too.
    assert not table.state.score.crawford_rule


# The cube


def test_a_drop_pays_the_present_value() -> None:
    table = Table("backgammon.p9").begin().doubles(BLACK, DropAction())
    assert table.score == (0, 1)
    assert table.state.games[-1].reason == "drop"
    table.begin().doubles(BLACK).doubles(WHITE, DropAction())
    assert table.score == (2, 1)


@pytest.mark.parametrize(
    ("answers", "cube", "owner", "paid"),
    [
        ("take", 2, WHITE, None),
        ("drop", 1, None, (BLACK, 1)),
        ("beaver take", 4, WHITE, None),
        ("beaver drop", 1, None, (WHITE, 2)),
        ("beaver beaver take", 8, WHITE, None),
        ("beaver beaver drop", 1, None, (BLACK, 4)),
    ],
)
def test_beavers_and_raccoons(
    answers: str, cube: int, owner: str | None, paid: tuple[str, int] | None
) -> None:
    """Black doubles. White keeps the cube in every case; who drops loses what was agreed before."""
    table = Table("backgammon.m.beavers.raccoons").begin().to_roll(BLACK)
    table.do(BLACK, DoubleAction())
    for actor, word in zip((WHITE, BLACK, WHITE), answers.split(), strict=False):
        table.do(actor, ACTIONS[word]())
    assert table.state.score.cube == cube
    assert table.state.score.owner == (Side.of(owner) if owner else None)
    if paid is None:
        assert (table.phase, table.on_roll) == (Phase.ROLL, BLACK)
        assert "double" not in table.state.allowed(BLACK)
    else:
        winner, points = paid
        assert table.score == ((points, 0) if winner == WHITE else (0, points))


def test_there_are_no_beavers_in_a_match_and_no_raccoons_unless_agreed() -> None:
    table = Table("backgammon.p7.beavers.raccoons").begin().to_roll(BLACK)
    table.do(BLACK, DoubleAction())
    assert table.rule(WHITE, BeaverAction()) == "cube.beavers"
    table = Table("backgammon.m.beavers").begin().to_roll(BLACK)
    table.do(BLACK, DoubleAction())
    table.do(WHITE, BeaverAction())
    assert table.rule(BLACK, BeaverAction()) == "cube.raccoons"


@pytest.mark.parametrize(
    ("card", "ties", "cube", "turned", "paid"),
    [
        ("backgammon.m", 2, 1, False, 1),  # Jacoby: a gammon on a cube in the middle counts single
        ("backgammon.m.nojacoby", 0, 1, False, 2),
        ("backgammon.m", 0, 2, True, 4),
        ("backgammon.m.auto1", 3, 2, False, 2),  # an automatic double does not turn the cube
        ("backgammon.m.auto3", 2, 4, False, 4),
        ("backgammon.m.auto3", 2, 8, True, 16),
        ("backgammon.p7.auto3", 2, 1, False, 2),  # neither has force in a match
    ],
)
def test_jacoby_and_automatic_doubles(card: str, ties: int, cube: int, turned: bool, paid: int) -> None:  # noqa: FBT001
    table = Table(card).ready()
    for _ in range(ties):
        table.do(WHITE, DiceAction(5, 5))
    table.do(WHITE, DiceAction(3, 1))
    if turned:
        table.doubles(BLACK)
    assert table.state.score.cube == cube
    table.resigns(WHITE, "gammon")
    assert table.score == (0, paid)
    table.ready()
    assert table.state.score.cube == 1


def test_what_was_offered_cannot_be_taken_back() -> None:
    table = Table("backgammon.m").begin().to_roll(BLACK)
    table.do(BLACK, DoubleAction())
    for action in (UndoAction(), RollAction(), DoubleAction(), RefuseAction()):
        assert table.rule(BLACK, action) in ("offer.open", "offer.none", "turn.not_now")


# Resignation, proposals, pauses


@pytest.mark.parametrize(("kind", "points"), [("single", 1), ("gammon", 2), ("backgammon", 3)])
@pytest.mark.parametrize("loser", [WHITE, BLACK])
def test_a_resignation_is_accepted_or_refused(kind: str, points: int, loser: str) -> None:
    table = Table("backgammon.p9").begin().doubles(BLACK)
    before = table.state
    table.do(loser, ResignAction(kind))
    assert table.state.to_act == (Side.of(loser).other,)
    table.do(OTHER[loser], RefuseAction())
    assert (table.phase, table.on_roll, table.state.score) == (before.phase, BLACK, before.score)
    table.resigns(loser, kind)
    assert table.score == ((0, 2 * points) if loser == WHITE else (2 * points, 0))


def test_a_resignation_in_the_middle_of_a_turn_leaves_it_as_it_was() -> None:
    table = Table("backgammon.p5").begin()
    table.do(WHITE, StepAction(8, 5))
    turn = table.state.turn
    table.do(BLACK, ResignAction())
    table.do(WHITE, RefuseAction())
    assert table.state.turn == turn
    table.do(WHITE, UndoAction())


# Another try


@pytest.mark.parametrize("code", ["backgammon.m", "takhte.p5", "backgammon.m.dice-strict", "tapa.p3"])
def test_the_last_play_is_taken_back_once_for_the_same_dice(code: str) -> None:
    table = Table(code).ready()
    if "strict" in code:
        table.draw()
        table.do(table.on_roll, table.dressed(RollAction()))
        table.due_actions()
    else:
        table.do(WHITE, DiceAction(5, 3))
        if table.phase is Phase.ROLL:
            table.throw(5, 3)
    mover, before, turn = table.on_roll, table.state, table.state.turn
    assert turn is not None
    first, second = (play.notation for play in list(turn.plays())[:2])
    table.play(first)
    assert table.state.retriable == mover
    assert table.rule(SERVER, RetryAction(OTHER[mover])) == "turn.no_retry"
    assert table.rule(mover, RetryAction(mover)) == "actor.server"
    event = table.do(SERVER, RetryAction(mover))
    assert event.then == {"taken_back": first}
    after = table.state
    assert (after.phase, after.position, after.turn) == (Phase.MOVE, before.position, turn)
    assert after.throwing == before.throwing, "no other dice come of it"
    assert after.key != before.key, "a play that was sent before is a stale one"
    table.play(second)
    assert table.state.retriable is None
    assert table.rule(SERVER, RetryAction(mover)) == "turn.no_retry"
    assert table.record().replay() == table.state


@pytest.mark.parametrize("code", ["backgammon.p7.clock-d12-120", "backgammon.m"])
def test_no_play_is_taken_back_where_a_clock_runs_or_something_has_happened(code: str) -> None:
    table = Table(code).begin().play()
    if ".clock" not in code:
        assert table.state.retriable == WHITE
        table.do(BLACK, RollAction())
    assert table.state.retriable is None
    assert table.rule(SERVER, RetryAction(WHITE)) == "turn.no_retry"


def test_a_match_file_keeps_the_play_that_stood_and_the_one_that_was_taken_back() -> None:
    table = Table("backgammon.m").begin(3, 1).play("24/23 13/10")
    table.do(SERVER, RetryAction(WHITE))
    table.play("8/5 6/5").throw(6, 4).play("24/18 13/9")
    match = read_match(table.record().to_text().encode())
    white, black = match.games[0].events
    assert (white.play, white.tried, black.play, black.tried) == (  # type: ignore[union-attr]
        "8/5 6/5",
        "24/23 13/10",
        "24/18 13/9",
        None,
    )
    for form in ("json", "record"):
        assert read_match(format_match(match, form)).games == match.games, form
    sgf = format_match(match, "sgf")
    assert "C[24/23 13/10 was taken back]" in (sgf if isinstance(sgf, str) else sgf.decode())
    assert [each.played for each in questions(match) if each.tried] == ["24/23 13/10"]


def test_a_match_file_keeps_a_play_that_was_taken_back_before_a_resignation() -> None:
    table = Table("backgammon.m").begin(3, 1).play("24/23 13/10")
    table.do(SERVER, RetryAction(WHITE))
    table.do(WHITE, ResignAction("single"))
    table.do(BLACK, AcceptAction())
    match = read_match(table.record().to_text().encode())
    unplayed = match.games[0].events[0]
    assert (unplayed.play, unplayed.tried) == (None, "24/23 13/10")  # type: ignore[union-attr]
    for form in ("json", "record"):
        assert read_match(format_match(match, form)).games == match.games, form
    sgf = format_match(match, "sgf")
    assert "DI[31]C[24/23 13/10 was taken back]" in (sgf if isinstance(sgf, str) else sgf.decode())
    assert [(each.played, each.tried) for each in questions(match)] == [("24/23 13/10", True)]


def test_proposals_lapse() -> None:
    table = Table("backgammon.m").begin().to_roll(BLACK)
    for ending in (ResignAction("single"), DoubleAction()):
        table.do(WHITE, ProposeAction("settle", 2))
        assert table.state.proposal is not None
        table.do(BLACK, ending)
        assert table.state.proposal is None
        if table.phase is Phase.RESIGNED:
            table.do(WHITE, RefuseAction())
    table.do(WHITE, DropAction())
    table.do(WHITE, ProposeAction("draw"))
    table.do(BLACK, ProposeAction("pause"))  # takes its place
    assert table.state.proposal is not None and table.state.proposal.by is Side.BLACK
    table.do(BLACK, RefuseAction())  # withdrawn
    assert table.state.proposal is None
    table.do(WHITE, ProposeAction("draw"))
    table.begin()
    assert table.state.proposal is None


def test_a_money_session_ends_by_consent() -> None:
    table = Table("backgammon.m").begin()
    table.do(WHITE, ProposeAction("draw"))
    event = table.do(BLACK, AcceptAction())
    assert event.then["match"] == {"winner": None, "reason": "draw"}
    assert (table.phase, table.state.winner, table.state.ending) == (Phase.OVER, None, "draw")


@pytest.mark.parametrize(("points", "score"), [(2, (2, 0)), (-3, (0, 3)), (0, (0, 0))])
def test_a_game_is_settled_by_consent(points: int, score: tuple[int, int]) -> None:
    table = Table("backgammon.m").begin()
    table.do(WHITE, ProposeAction("settle", points))
    table.do(BLACK, AcceptAction())
    assert table.score == score
    assert table.phase is Phase.READY
    assert table.state.games[-1].reason == "settlement"


@pytest.mark.parametrize(
    ("code", "points", "score"),
    [
        ("takhte.p5", 2, (2, 0)),
        ("takhte.p5", 0, (0, 0)),
        ("takhte.g5", -3, (0, 1)),
        ("backgammon.agreements=true.p5", -1, (0, 1)),
    ],
)
def test_a_game_of_a_match_is_settled_where_the_table_has_agreements(
    code: str, points: int, score: tuple[int, int]
) -> None:
    table = Table(code).begin()
    table.do(WHITE, ProposeAction("settle", points))
    event = table.do(BLACK, AcceptAction())
    assert event.then["game"]["reason"] == "settlement"
    assert (table.score, table.phase) == (score, Phase.READY)


def test_a_settlement_may_decide_a_match() -> None:
    table = Table("takhte.p3").begin()
    table.do(BLACK, ProposeAction("settle", 3))
    table.do(WHITE, AcceptAction())
    assert (table.phase, table.state.winner) == (Phase.OVER, Side.BLACK)


def test_a_traditional_match_ends_drawn_by_consent() -> None:
    table = Table("takhte.g5").begin()
    table.do(WHITE, ProposeAction("draw"))
    table.do(BLACK, AcceptAction())
    assert (table.phase, table.state.winner, table.state.ending) == (Phase.OVER, None, "draw")


def test_an_official_table_has_no_agreements() -> None:
    table = Table("takhte.agreements=false.p5").begin()
    assert table.rule(WHITE, ProposeAction("settle", 1)) == "offer.money_only"


def test_a_pause_stops_everything_but_its_end() -> None:
    table = Table("backgammon.p5.clock-d12-120").begin()
    table.do(BLACK, ProposeAction("pause"))
    table.do(WHITE, AcceptAction(), after=20 * S)
    assert table.state.clock.running is None
    assert table.state.allowed(WHITE) == table.state.allowed(BLACK) == ("resume",)
    table.do(BLACK, ResumeAction(), after=10_000 * S)
    assert table.state.clock.running is Side.WHITE
    # Eight seconds beyond the free twelve were used before the pause.
    assert table.state.clock.bank(Side.WHITE, table.now) == (600 - 8) * S - 10
    table.play()


# Turns


def test_undo_until_confirmed() -> None:
    table = Table("backgammon.p5").begin()
    empty = table.state.turn
    table.do(WHITE, StepAction(8, 5))
    assert table.rule(WHITE, ConfirmAction()) == "dice.all"
    table.do(WHITE, StepAction(6, 5))
    table.do(WHITE, UndoAction())
    assert table.state.turn is not None and len(table.state.turn.done) == 1
    table.do(WHITE, StepAction(6, 5))
    table.do(WHITE, UndoAction(all=True))
    assert table.state.turn == empty
    table.do(WHITE, SwapAction())
    assert table.state.dice == (1, 3)
    table.play("8/5 6/5")
    assert table.rule(WHITE, UndoAction()) == "turn.other"


def test_the_die_shown_first_is_played_where_two_would_do() -> None:
    table = Table("backgammon.p5").begin(6, 5).play("24/18 13/8").throw(6, 5)
    for first, die in ((6, 6), (5, 5)):
        if table.state.dice is not None and table.state.dice.first != first:
            table.do(BLACK, SwapAction())
        assert table.state.turn is not None
        steps = {step.die for step in table.state.turn.next_steps() if step.origin == 13}
        assert die in steps


def test_touch_move() -> None:
    table = Table("backgammon.touch_move=true.p5").begin()
    table.do(WHITE, TouchAction(1))  # nothing of White's stands there: it binds nobody
    table.do(WHITE, TouchAction(8))
    assert table.state.turn is not None and table.state.turn.touched == 8
    assert table.state.allowed(WHITE)[:2] == ("step", "swap")
    assert table.rule(WHITE, StepAction(6, 5)) == "turn.touched"
    assert table.rule(WHITE, PlayAction("24/23 13/10")) == "turn.touched"
    table.do(WHITE, StepAction(8, 5))
    assert table.rule(WHITE, UndoAction()) == "turn.touch_move"
    assert table.rule(WHITE, PlayAction("8/5 6/5")) == "turn.touch_move"
    table.do(WHITE, StepAction(6, 5))
    table.do(WHITE, ConfirmAction())
    assert table.on_roll == BLACK


def test_a_touched_checker_that_cannot_move_binds_nobody() -> None:
    table = Table("takhte.p5").begin(6, 1)
    table.throw(6, 6)
    table.do(WHITE, TouchAction(6))  # 6/off is not open to anybody at the start
    assert table.state.turn is not None and table.state.turn.touched is None
    table.do(WHITE, StepAction(24, 18))


def test_a_dance_is_confirmed_with_nothing_done() -> None:
    table = Table("backgammon.p5")
    table.begin()
    board = {"white": {13: 14}, "white_bar": 1, "black": {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2, 12: 3}}
    position = sb.variant("backgammon").position(board, turn="white")
    state: Session = table.state
    assert state.turn is not None
    table.state = state.but(position=position, turn=type(state.turn)(position, state.turn.dice))
    assert table.state.turn is not None and table.state.turn.forced is not None
    assert table.state.turn.forced.is_pass
    event = table.do(WHITE, ConfirmAction())
    assert event.then["play"] == "pass"
    assert table.on_roll == BLACK


# Size


@pytest.mark.parametrize(
    "card", ["backgammon.p25.clock-d12-120", "acey_deucey.g5", "tawla31.p31", "long_nardy.m"]
)
def test_a_live_match_is_small(card: str) -> None:
    """About 10 KB without record and chains, the rules of the game among them.

    How many of its equal texts are one object, which a pickle writes once, depends on what was done before
    in this process: a few bytes more or less, for which there is room.
    """
    table = Table(card, seed="size")
    largest = 0
    for _ in range(600):
        if table.phase is Phase.OVER:
            break
        if table.phase is Phase.READY:
            table.ready()
        elif table.phase is Phase.MOVE:
            table.play()
        elif table.phase is Phase.CHOOSE:
            table.do(table.on_roll, ChooseAction(3))
        else:
            table.do(table.state.to_act[0].value, RollAction())
        largest = max(largest, len(pickle.dumps(table.state.but(throwing=None))))
    assert largest < 12_000
