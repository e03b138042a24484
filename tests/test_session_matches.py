"""Matches as they are played: openings, cube, Crawford, offers, clocks, breaks, touch-move."""

from __future__ import annotations

import json
import pickle
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.rules import Side
from sheshbesh.session import Phase, Session, actions
from tests.session_help import BLACK, WHITE, S, Table

NAMES = {"standard": "backgammon", "iran_traditional": "takhte"}
OTHER = {WHITE: BLACK, BLACK: WHITE}


# Openings and later games


def test_the_higher_die_starts_and_plays_both_numbers() -> None:
    table = Table("backgammon.m").ready()
    event = table.do(BLACK, actions.Dice(2, 5))
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
    table.do(WHITE, actions.Dice(1, 6))
    assert table.on_roll == BLACK


@pytest.mark.parametrize(("start", "starters"), [("winner", "WBB"), ("alternate", "WBW"), ("roll", "W??")])
def test_who_starts_later_games(start: str, starters: str) -> None:
    """White starts the first game; Black wins the first two."""
    table = Table(f"backgammon.later_start={start}.m")
    for expected in starters:
        table.ready()
        if table.state.game_no == 1 or expected == "?":
            assert table.phase is Phase.OPENING
            table.do(WHITE, actions.Dice(6, 1))
        assert table.state.on_roll is (Side.WHITE if expected in "W?" else Side.BLACK)
        if table.phase is Phase.ROLL:
            assert "double" in table.state.allowed(table.on_roll)
        table.resigns(WHITE)


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
        table.do(WHITE, actions.Dice(said["white_die"], said["black_die"]))
    if expected["starter"] is None:
        assert table.phase is Phase.OPENING
    else:
        assert table.on_roll == expected["starter"]
        dice = "roll" if table.state.dice is None else sorted(table.state.dice)
        assert dice == (expected["dice"] if expected["dice"] == "roll" else sorted(expected["dice"]))


# Crawford and the dead cube, at every score, through whole sessions


def play_one(table: Table, winner: str, points: int, *, cube: bool) -> None:
    """Play one game that pays `points`, by resignation and, where asked for, on a turned cube."""
    table.begin()
    if cube:
        table.doubles(winner)
    kinds = ["single", "gammon", "backgammon"]
    table.resigns(OTHER[winner], kinds[points - 1])


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
            assert table.rule(side, actions.Double()) == expected


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
        assert table.rule(WHITE, actions.Double()) == "turn.other"


def test_a_dead_cube_may_be_turned_where_the_table_agreed_on_it() -> None:
    table = Table("backgammon.allow_dead_double=true.p1").begin().doubles(BLACK).resigns(BLACK)
    assert table.score == (2, 0)
    assert table.state.winner is Side.WHITE


def test_without_crawford_the_cube_is_never_away() -> None:
    table = Table("backgammon.p3.nocrawford")
    play_one(table, WHITE, 2, cube=False)
    table.begin().to_roll(BLACK)
    assert "double" in table.state.allowed(BLACK)
    # Whoever judges the score must know it, too.
    assert not table.state.score.crawford_rule


# The cube


def test_a_drop_pays_the_present_value() -> None:
    table = Table("backgammon.p9").begin().doubles(BLACK, actions.Drop())
    assert table.score == (0, 1)
    assert table.state.games[-1].reason == "drop"
    table.begin().doubles(BLACK).doubles(WHITE, actions.Drop())
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
    table.do(BLACK, actions.Double())
    for actor, word in zip((WHITE, BLACK, WHITE), answers.split(), strict=False):
        table.do(actor, actions.ACTIONS[word]())
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
    table.do(BLACK, actions.Double())
    assert table.rule(WHITE, actions.Beaver()) == "cube.beavers"
    table = Table("backgammon.m.beavers").begin().to_roll(BLACK)
    table.do(BLACK, actions.Double())
    table.do(WHITE, actions.Beaver())
    assert table.rule(BLACK, actions.Beaver()) == "cube.beavers"


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
        table.do(WHITE, actions.Dice(5, 5))
    table.do(WHITE, actions.Dice(3, 1))
    if turned:
        table.doubles(BLACK)
    assert table.state.score.cube == cube
    table.resigns(WHITE, "gammon")
    assert table.score == (0, paid)
    table.ready()
    assert table.state.score.cube == 1


def test_what_was_offered_cannot_be_taken_back() -> None:
    table = Table("backgammon.m").begin().to_roll(BLACK)
    table.do(BLACK, actions.Double())
    for action in (actions.Undo(), actions.Throw(), actions.Double(), actions.Refuse()):
        assert table.rule(BLACK, action) in ("offer.open", "offer.none", "turn.not_now")


# Resignation, proposals, pauses


@pytest.mark.parametrize(("kind", "points"), [("single", 1), ("gammon", 2), ("backgammon", 3)])
@pytest.mark.parametrize("loser", [WHITE, BLACK])
def test_a_resignation_is_accepted_or_refused(kind: str, points: int, loser: str) -> None:
    table = Table("backgammon.p9").begin().doubles(BLACK)
    before = table.state
    table.do(loser, actions.Resign(kind))
    assert table.state.to_act == (Side.of(loser).other,)
    table.do(OTHER[loser], actions.Refuse())
    assert (table.phase, table.on_roll, table.state.score) == (before.phase, BLACK, before.score)
    table.resigns(loser, kind)
    assert table.score == ((0, 2 * points) if loser == WHITE else (2 * points, 0))


def test_a_resignation_in_the_middle_of_a_turn_leaves_it_as_it_was() -> None:
    table = Table("backgammon.p5").begin()
    table.do(WHITE, actions.Move(8, 5))
    turn = table.state.turn
    table.do(BLACK, actions.Resign())
    table.do(WHITE, actions.Refuse())
    assert table.state.turn == turn
    table.do(WHITE, actions.Undo())


def test_proposals_lapse() -> None:
    table = Table("backgammon.m").begin().to_roll(BLACK)
    for ending in (actions.Resign("single"), actions.Double()):
        table.do(WHITE, actions.Propose("settle", 2))
        assert table.state.proposal is not None
        table.do(BLACK, ending)
        assert table.state.proposal is None
        if table.phase is Phase.RESIGNED:
            table.do(WHITE, actions.Refuse())
    table.do(WHITE, actions.Drop())
    table.do(WHITE, actions.Propose("draw"))
    table.do(BLACK, actions.Propose("pause"))  # takes its place
    assert table.state.proposal is not None and table.state.proposal.by is Side.BLACK
    table.do(BLACK, actions.Refuse())  # withdrawn
    assert table.state.proposal is None
    table.do(WHITE, actions.Propose("draw"))
    table.begin()
    assert table.state.proposal is None


def test_a_money_session_ends_by_consent() -> None:
    table = Table("backgammon.m").begin()
    table.do(WHITE, actions.Propose("draw"))
    event = table.do(BLACK, actions.Accept())
    assert event.then["match"] == {"winner": None, "reason": "draw"}
    assert (table.phase, table.state.winner, table.state.ending) == (Phase.OVER, None, "draw")


@pytest.mark.parametrize(("points", "score"), [(2, (2, 0)), (-3, (0, 3)), (0, (0, 0))])
def test_a_game_is_settled_by_consent(points: int, score: tuple[int, int]) -> None:
    table = Table("backgammon.m").begin()
    table.do(WHITE, actions.Propose("settle", points))
    table.do(BLACK, actions.Accept())
    assert table.score == score
    assert table.phase is Phase.READY
    assert table.state.games[-1].reason == "settlement"


def test_a_pause_stops_everything_but_its_end() -> None:
    table = Table("backgammon.p5.clock-d12-120").begin()
    table.do(BLACK, actions.Propose("pause"))
    table.do(WHITE, actions.Accept(), after=20 * S)
    assert table.state.clock.running is None
    assert table.state.allowed(WHITE) == table.state.allowed(BLACK) == ("resume",)
    table.do(BLACK, actions.Resume(), after=10_000 * S)
    assert table.state.clock.running is Side.WHITE
    # Eight seconds beyond the free twelve were used before the pause.
    assert table.state.clock.bank(Side.WHITE, table.now) == (600 - 8) * S - 10
    table.play()


# Clocks


def test_whose_clock_runs() -> None:
    table = Table("backgammon.m.beavers.clock-d12-120").begin()

    def running() -> Side | None:
        return table.state.clock.running

    assert running() is Side.WHITE
    table.play()
    assert running() is Side.BLACK
    table.do(BLACK, actions.Double(), after=5 * S)
    assert running() is Side.WHITE  # the doubler starts the other's clock
    table.do(WHITE, actions.Beaver())
    assert running() is Side.BLACK
    table.do(BLACK, actions.Take())
    assert running() is Side.BLACK
    assert table.state.clock.allowance == 7 * S  # what was left of Black's turn
    table.do(BLACK, actions.Resign())
    assert running() is Side.WHITE  # who is asked thinks on his own time
    table.do(WHITE, actions.Refuse())
    assert running() is Side.BLACK
    table.do(WHITE, actions.Resign())  # in Black's turn: Black's clock goes on
    assert running() is Side.BLACK
    table.do(BLACK, actions.Accept())
    assert running() is None


def test_a_drop_stops_the_clocks_until_the_next_game() -> None:
    table = Table("backgammon.p7.clock-d12-120").begin().doubles(BLACK, actions.Drop())
    assert table.state.clock.running is None
    table.ready()
    assert table.state.clock.running is None
    table.do(WHITE, actions.Dice(6, 5), after=10_000 * S)
    assert table.state.clock.running is Side.WHITE


@pytest.mark.parametrize("claimer", [BLACK, "server"])
def test_a_bank_at_zero_loses_the_match_even_when_ahead(claimer: str) -> None:
    table = Table("backgammon.p3.clock-d12-10")
    play_one(table, WHITE, 2, cube=False)
    table.begin()
    table.do(claimer, actions.ClaimTime(), after=42 * S)
    assert (table.state.winner, table.state.ending, table.score) == (Side.BLACK, "time", (2, 0))


def test_the_silent_side_loses_time_not_the_roller() -> None:
    """Strict dice: after the roll the waiting player's share is missing, and his clock runs."""
    table = Table("backgammon.p5.clock-d12-120.dice-strict").ready().draw()
    roller, silent = Side.of(table.on_roll), Side.of(table.on_roll).other
    table.do(roller.value, table.dressed(actions.Throw()), after=5 * S)
    assert (table.phase, table.state.to_act) == (Phase.THROWING, (silent,))
    assert table.state.clock.running is silent
    assert table.state.clock.bank(silent, table.now + 13 * S) == 599 * S
    actor, link = next(iter(table.keeper.duties(table.state)))
    assert actor == silent
    table.do(actor, link, after=20 * S)
    assert table.state.clock.running is None  # the server's share is nobody's time
    table.now += 1000 * S
    table.duties()
    assert (table.phase, table.state.clock.running) == (Phase.MOVE, roller)
    assert table.state.clock.allowance == 7 * S
    assert table.state.clock.bank(silent, table.now) == 592 * S


def test_a_clock_that_was_set_back_dates_no_event_before_the_last() -> None:
    table = Table("backgammon.p5.clock-d12-120").begin()
    table.now = 5 * S
    assert table.play().events[-1].at == 5010
    table.now = 0
    assert table.throw().events[-1].at == 5010
    assert table.record().replay() == table.state


def test_breaks() -> None:
    table = Table("backgammon.p7.clock-d12-120").begin().resigns(WHITE)
    assert table.state.breaks_left(Side.WHITE) == 1
    event = table.do(WHITE, actions.Break())
    assert event.then["until"] == table.now + 300 * S
    assert table.rule(WHITE, actions.Break()) == "break.none_left"
    table.do(BLACK, actions.Break())
    assert table.state.break_until == event.then["until"] + 300 * S
    table.begin()
    assert table.state.break_until is None


# Kinds of contest


def test_the_most_of_five_hands() -> None:
    table = Table("tavla.g5")
    for winner, kind in ((WHITE, "gammon"), (BLACK, "single"), (WHITE, "single"), (WHITE, "gammon")):
        assert table.phase is not Phase.OVER
        table.begin().resigns(OTHER[winner], kind)
    assert (table.score, table.state.winner) == ((3, 1), Side.WHITE)


def test_a_match_of_games_has_no_cube() -> None:
    table = Table("backgammon.g3").begin().to_roll(BLACK)
    assert table.rule(BLACK, actions.Double()) == "cube.none"


def test_thirty_one_by_counting_checkers() -> None:
    table = Table("tawla31.p31", seed="31")
    while table.phase is not Phase.OVER:
        if table.phase is Phase.READY:
            table.ready()
        elif table.phase is Phase.MOVE:
            table.play()
        else:
            table.do(table.state.to_act[0].value, actions.Throw())
    sums = dict.fromkeys(Side, 0)
    for game in table.state.games:
        assert game.result.winner is not None
        assert max(sums.values()) < 31
        sums[game.result.winner] += game.points
        assert game.result.kind in ("count", "closed_area") and 1 <= game.points <= 15
    assert max(sums.values()) >= 31
    assert table.score == (sums[Side.WHITE], sums[Side.BLACK])


def test_money_settled_by_the_checkers_left() -> None:
    table = Table("backgammon.settle=per_checker.m").begin().doubles(BLACK).resigns(WHITE)
    assert table.score == (0, 30)


@pytest.mark.parametrize("game", sb.variants())
def test_every_value_a_game_can_be_resigned_at(game: str) -> None:
    start = Table(f"{game}.p99").begin()
    assert start.state.position is not None
    loser = OTHER[start.on_roll]
    for kind, points in start.state.position.variant.resignations(start.state.position, loser).items():
        table = start.fork()
        table.resigns(loser, kind)
        assert sum(table.score) == points


# Turns


def test_undo_until_confirmed() -> None:
    table = Table("backgammon.p5").begin()
    empty = table.state.turn
    table.do(WHITE, actions.Move(8, 5))
    assert table.rule(WHITE, actions.Confirm()) == "dice.all"
    table.do(WHITE, actions.Move(6, 5))
    table.do(WHITE, actions.Undo())
    assert table.state.turn is not None and len(table.state.turn.done) == 1
    table.do(WHITE, actions.Move(6, 5))
    table.do(WHITE, actions.Undo(all=True))
    assert table.state.turn == empty
    table.do(WHITE, actions.Swap())
    assert table.state.dice == (1, 3)
    table.play("8/5 6/5")
    assert table.rule(WHITE, actions.Undo()) == "turn.other"


def test_the_die_shown_first_is_played_where_two_would_do() -> None:
    table = Table("backgammon.p5").begin(6, 5).play("24/18 13/8").throw(6, 5)
    for first, die in ((6, 6), (5, 5)):
        if table.state.dice is not None and table.state.dice.first != first:
            table.do(BLACK, actions.Swap())
        assert table.state.turn is not None
        steps = {step.die for step in table.state.turn.next_steps() if step.origin == 13}
        assert die in steps


def test_touch_move() -> None:
    table = Table("backgammon.touch_move=true.p5").begin()
    table.do(WHITE, actions.Touch(1))  # nothing of White's stands there: it binds nobody
    table.do(WHITE, actions.Touch(8))
    assert table.state.turn is not None and table.state.turn.touched == 8
    assert table.state.allowed(WHITE)[:2] == ("step", "swap")
    assert table.rule(WHITE, actions.Move(6, 5)) == "turn.touched"
    assert table.rule(WHITE, actions.MakePlay("24/23 13/10")) == "turn.touched"
    table.do(WHITE, actions.Move(8, 5))
    assert table.rule(WHITE, actions.Undo()) == "turn.touch_move"
    assert table.rule(WHITE, actions.MakePlay("8/5 6/5")) == "turn.touch_move"
    table.do(WHITE, actions.Move(6, 5))
    table.do(WHITE, actions.Confirm())
    assert table.on_roll == BLACK


def test_a_touched_checker_that_cannot_move_binds_nobody() -> None:
    table = Table("takhte.p5").begin(6, 1)
    table.throw(6, 6)
    table.do(WHITE, actions.Touch(6))  # 6/off is not open to anybody at the start
    assert table.state.turn is not None and table.state.turn.touched is None
    table.do(WHITE, actions.Move(24, 18))


def test_a_dance_is_confirmed_with_nothing_done() -> None:
    table = Table("backgammon.p5")
    table.begin()
    board = {
        "white": {13: 14},
        "white_bar": 1,
        "black": {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2, 12: 3},
    }
    position = sb.variant("backgammon").position(board, turn="white")
    state: Session = table.state
    assert state.turn is not None
    table.state = state.but(position=position, turn=type(state.turn)(position, state.turn.dice))
    assert table.state.turn is not None and table.state.turn.forced is not None
    assert table.state.turn.forced.is_pass
    event = table.do(WHITE, actions.Confirm())
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
            table.do(table.on_roll, actions.Choose(3))
        else:
            table.do(table.state.to_act[0].value, actions.Throw())
        largest = max(largest, len(pickle.dumps(table.state.but(throwing=None))))
    assert largest < 12_000
