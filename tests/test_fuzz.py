"""Whatever comes in, only documented errors come out, and soon."""

from __future__ import annotations

import subprocess
import sys
import time
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sheshbesh as sb
from sheshbesh.rules import loader
from tests.waiting import PATIENCE

SETTINGS = settings(max_examples=60, database=None)

STARTS = [sb.variant(name).start() for name in sb.variants()]

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(min_value=-(2**70), max_value=2**70),
    st.integers(min_value=-2, max_value=30),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=4),
    st.lists(st.integers(-3, 30), max_size=5),
    st.dictionaries(st.text(max_size=3), st.integers(-3, 30), max_size=3),
)

NEARLY_PLAYS = st.text(alphabet="0123456789/*(), barofhnd-٣۵²\x00\n\u2044", max_size=40)
MOVES = st.lists(
    st.tuples(
        st.sampled_from(["bar", "hand", "25", "0", "off", *map(str, range(1, 25))]),
        st.sampled_from(["bar", "off", "0", *map(str, range(1, 25))]),
        st.sampled_from(["", "*", "(2)", "*(3)", "(4)", "(0)", "(99)"]),
    ).map(lambda parts: f"{parts[0]}/{parts[1]}{parts[2]}"),
    max_size=6,
).map(" ".join)


def dice_of(data: st.DataObject) -> sb.Roll:
    return sb.Roll.of((data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))))


@given(data=st.data(), text=st.one_of(NEARLY_PLAYS, MOVES, st.text(max_size=60)))
@SETTINGS
def test_any_text_is_a_play_or_a_known_error(data: st.DataObject, text: str) -> None:
    position, dice = data.draw(st.sampled_from(STARTS)), dice_of(data)
    try:
        play = position.parse_play(text, dice)
    except (sb.NotationError, sb.IllegalPlayError) as error:
        assert str(error)
    else:
        assert play in list(position.legal_plays(dice))
        assert position.refusal(text, dice) is None


@given(data=st.data())
@SETTINGS
def test_any_change_of_an_id_is_a_position_or_a_known_error(data: st.DataObject) -> None:
    start = data.draw(st.sampled_from(STARTS))
    plays = start.legal_plays((data.draw(st.integers(1, 6)),) * 2)
    text = list(plays[data.draw(st.integers(0, len(plays) - 1))].result.id)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from([*"ABOabozZ0123459:().wbxhtmsp+!?", "", "\x00", "٣", "²", "é"]))
    check_id(start.variant, "".join(text))


@given(start=st.sampled_from(STARTS), text=st.text(max_size=80))
@SETTINGS
def test_any_text_is_an_id_or_a_known_error(start: sb.Position, text: str) -> None:
    check_id(start.variant, text)


def check_id(game: sb.Variant, text: str) -> None:
    """A readable id names a possible position, whose own id is a fixed point."""
    try:
        position = game.position_from_id(text)
    except (sb.NotationError, sb.PositionError) as error:
        assert str(error)
        return
    assert game.position_from_id(position.id) == position
    assert position.id.isascii()
    position.legal_plays((6, 5) if position.pending is None else None)


COUNTS = st.one_of(JUNK, st.integers(0, 15), st.integers(0, 15))
POINTS = st.dictionaries(
    st.one_of(st.integers(-1, 26), st.integers(1, 24).map(str), st.text(max_size=3)), COUNTS, max_size=6
)
BOARDS = st.one_of(
    JUNK,
    st.fixed_dictionaries(
        {"white": st.one_of(POINTS, JUNK), "black": st.one_of(POINTS, JUNK)},
        optional=dict.fromkeys(
            ("white_bar", "black_bar", "white_off", "black_off", "white_hand", "black_hand"), COUNTS
        )
        | {"pinned_white": JUNK, "pinned_black": JUNK, "green": JUNK},
    ),
)


@given(start=st.sampled_from(STARTS), board=BOARDS)
@SETTINGS
def test_any_board_is_a_position_or_lists_its_problems(start: sb.Position, board: Any) -> None:
    try:
        position = start.variant.position(board)
    except sb.PositionError as error:
        assert error.problems
        assert all(isinstance(problem, str) and problem for problem in error.problems)
    else:
        assert start.variant.position_from_id(position.id) == position


CONTEXT = (
    "turn",
    "first_turn",
    "turns_played",
    "starter",
    "mother_lost",
    "phase",
    "steps",
    "rest",
    "then",
    "element",
)


@given(
    start=st.sampled_from(STARTS),
    context=st.dictionaries(st.sampled_from((*CONTEXT, "white_hand", "black_hand")), JUNK, max_size=3),
)
@SETTINGS
def test_any_history_is_understood_or_a_known_error(start: sb.Position, context: dict[str, Any]) -> None:
    try:
        position = start.variant.position(start.board(), **context)
    except (sb.SheshbeshError, TypeError, ValueError) as error:
        assert str(error)
    else:
        assert start.variant.position_from_id(position.id) == position


@given(
    start=st.sampled_from(STARTS),
    dice=st.one_of(JUNK, st.tuples(JUNK, JUNK), st.tuples(JUNK, st.integers(1, 6))),
)
@SETTINGS
def test_any_dice_are_thrown_or_a_dice_error(start: sb.Position, dice: Any) -> None:
    shown = isinstance(dice, list | tuple | dict) and len(dice) == 2
    good = shown and all(type(die) is int and 1 <= die <= 6 for die in dice)
    for ask in (start.legal_plays, start.legal_steps, lambda d: start.parse_play("pass", d)):
        try:
            ask(dice)
        except sb.DiceError as error:
            assert not good, error
        except sb.IllegalPlayError:
            assert good
        else:
            assert good


@given(
    start=st.sampled_from(STARTS),
    steps=st.one_of(JUNK, st.lists(st.one_of(JUNK, st.tuples(JUNK, JUNK)), max_size=5)),
)
@SETTINGS
def test_any_steps_are_judged_or_a_known_error(start: sb.Position, steps: Any) -> None:
    for ask in (lambda: start.refusal(steps, (3, 1)), lambda: start.legal_steps((3, 1), steps)):
        try:
            ask()
        except (sb.NotationError, TypeError) as error:
            assert "incompatible function arguments" not in str(error), (
                "an error of the core, not of the rules"
            )


@given(data=st.data(), value=JUNK)
@SETTINGS
def test_any_option_is_set_or_a_variant_error(data: st.DataObject, value: Any) -> None:
    name = data.draw(st.sampled_from(sb.variants()))
    options = [*loader.load(name).own_options, "later_start", "cube", "nothing", "__class__"]
    option = data.draw(st.sampled_from(options))
    try:
        game = sb.variant(name, **{option: value})
    except sb.VariantError as error:
        assert error.problems
        assert option in str(error)
    else:
        assert option not in ("nothing", "__class__")
        assert game.start().id


@given(name=st.one_of(JUNK, st.text(max_size=30)))
@SETTINGS
def test_any_name_is_a_game_or_a_variant_error(name: Any) -> None:
    try:
        sb.variant(name)
    except sb.VariantError as error:
        assert "backgammon" in str(error)


@given(
    fields=st.dictionaries(st.sampled_from(("length", "white", "black", "cube", "owner", "crawford")), JUNK)
)
@SETTINGS
def test_any_match_state_holds_or_lists_its_problems(fields: dict[str, Any]) -> None:
    try:
        state = sb.MatchState(**fields)
    except sb.MatchError as error:
        assert error.problems
    else:
        assert state.length is None or state.length > 0
        assert state.crawford in (False, True)
        assert isinstance(state.crawford, bool)


# --- inputs that have broken such readers before --------------------------------------------------

NASTY = {
    "very long word": "x" * 100_000,
    "very many moves": "8/5 " * 25_000,
    "very many slashes": "/" * 100_000,
    "a very long way": "24/" * 33_000 + "1",
    "very many brackets": "(" * 50_000 + ")" * 50_000,
    "eight times four": "13/7(4) " * 8,
    "a huge repeat": "13/7(" + "9" * 5000 + ")",
    "a huge point": "9" * 5000 + "/1",
    "NUL": "8/5\x00 6/5",
    "Arabic digits run on": "٨/٥" * 1000,
    "superscripts": "²⁴/²³",
    "a lone star": "*",
    "stars": "8/5" + "*" * 1000,
    "right to left": "\u202e8/5 6/5",
    "a lone surrogate": "\ud800",
    "blanks": " " * 100_000,
}


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY)
@pytest.mark.parametrize("name", ["backgammon", "acey_deucey"])
def test_nasty_texts_are_answered_at_once(name: str, text: str) -> None:
    game = sb.variant(name)
    begin = time.process_time()
    with pytest.raises((sb.NotationError, sb.IllegalPlayError)) as caught:
        game.start().parse_play(text, (4, 4))
    assert len(str(caught.value)) < 1000, "the message repeats the whole input"
    with pytest.raises((sb.NotationError, sb.PositionError)) as caught_id:
        game.position_from_id(text)
    assert len(str(caught_id.value)) < 1000, "the message repeats the whole input"
    # Of the processor's time, and far from what it takes: a reader that tries all ways takes hours.
    assert time.process_time() - begin < 20


def test_the_hardest_doubles_are_played_at_once() -> None:
    random = Random(1)
    for name in sb.variants():
        game = sb.variant(name)
        if game.axes["board"]["checkers"] != 15:
            continue
        single = {str(point): 1 for point in range(10, 25)}
        lonely = 1 if game.axes["board"]["movement"] == "contrary" else 13
        others = {str(lonely): 5, str(lonely + 1): 5, str(lonely + 2): 5}
        clear = {point: count for point, count in single.items() if point not in others}
        board = {"white": clear, "white_off": 15 - len(clear), "black": others}
        position = game.position(board, first_turn=False)
        if position.result is not None:
            continue  # a closed area ends the game
        begin = time.process_time()
        for die in range(1, 7):
            plays = position.legal_plays((die, die))
            random.choice(plays).notation  # noqa: B018 - a property worth reading
            position.legal_steps((die, die))
            position.refusal("24/23(2) 22/21 20/19", (die, die))
        assert time.process_time() - begin < 20, name


@pytest.mark.parametrize(
    "steps",
    [
        [(100, 97)],
        [(-5, -8)],
        [(0, 0)],
        [(2**29 + 8, 2**29 + 5)],
        [(2**31 + 8, 2**31 + 5)],
        [(10**30, 10**30 - 3)],
        [(True, False)],
        [(8, 5), (2**29 + 6, 2**29 + 5)],
    ],
)
def test_steps_from_nowhere_are_refused(steps: list[tuple[int, int]]) -> None:
    start = sb.variant("backgammon").start()
    try:
        refusal = start.refusal(steps, (3, 1))
    except sb.NotationError:
        return
    assert refusal is not None
    assert start.legal_steps((3, 1), steps) == ()


@pytest.mark.parametrize(
    "dice", [(True, 2), (2.0, 1), ("3", "1"), "31", (0, 1), (7, 1), (3,), (3, 1, 1), None, 31]
)
def test_dice_are_two_whole_numbers(dice: Any) -> None:
    start = sb.variant("backgammon").start()
    for ask in (start.legal_plays, start.legal_steps, sb.Roll.of):
        with pytest.raises(sb.DiceError):
            ask(dice)


@pytest.mark.parametrize("text", ["", "6", "6-", "666", "6-7", "0-1", "a-b", "6\x005", "²3"])
def test_written_dice_are_two_digits(text: str) -> None:
    with pytest.raises(sb.DiceError):
        sb.Roll.parse(text)


@pytest.mark.parametrize(
    "call",
    [
        "game.perft(-1)",
        "game.perft(0)",
        "game.play_at_random(0)",
        "game.start().legal_steps((3, 1), [(100, 97)])",
        "game.start().legal_steps((3, 1), [(2**28, 2**28 - 3)])",
    ],
)
def test_odd_calls_do_not_crash_the_process(call: str) -> None:
    program = (
        f"import sheshbesh as sb\ngame = sb.variant('backgammon')\ntry:\n    {call}\nexcept ValueError: pass"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr.decode()
