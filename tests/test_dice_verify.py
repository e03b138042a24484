"""The auditor finds every change at the right throw, and says what it proves."""

from __future__ import annotations

import ast
import copy
import json
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sheshbesh.fairdice import (
    RESERVE,
    SeededDice,
    Thrown,
    TypedDice,
    dice_from_links,
    dump_transcript,
    verify_transcript,
)
from tests.dice_help import Game, audit, chains_of, changed, other_hex, plain, with_anchors

SHORT = RESERVE + 4
THROWS = 40
EVENTS = plain(Game().play(THROWS, missing=(11, 12, 20)).events)
STRICT = plain(Game(mode="strict", seed=3).play(12).events)

EVERY_THROW = pytest.mark.parametrize("number", range(1, THROWS + 1))


def renewed() -> list[dict[str, Any]]:
    """A game whose chains were renewed from the reserve at throw 6, and after a loss at throw 8."""
    game = Game(length=SHORT).play(5)
    game.do(game.table.renew())
    game.anchor(2)
    game.throw()
    game.throw()
    game.do(game.table.renew(lost="black"))
    game.anchor(3)
    game.throw()
    return plain(game.events)


RENEWED = renewed()


def throw_of(events: list[dict[str, Any]], number: int) -> dict[str, Any]:
    return next(event for event in events if event.get("number") == number)


def place_of_first_problem(events: list[dict[str, Any]]) -> tuple[str | None, int | None]:
    """Game and throw of the first problem; the verdict must be consistent in itself."""
    verdict = audit(events)
    problem = verdict.first_problem
    assert problem is not None
    assert not verdict.ok
    assert not verdict.proved
    assert str(problem.line) in str(problem)
    return problem.game, problem.number


def text_of_first_problem(events: list[dict[str, Any]]) -> str:
    problem = audit(events).first_problem
    assert problem is not None
    return problem.text


def test_an_honest_game_holds() -> None:
    verdict = audit(EVENTS)
    assert verdict.ok
    assert verdict.first_problem is None
    assert [throw.number for throw in verdict.throws] == list(range(1, THROWS + 1))
    assert [list(throw.dice or ()) for throw in verdict.throws] == [event["dice"] for event in EVENTS[1:]]
    assert {throw.number for throw in verdict.throws if throw.missing} == {11, 12, 20}
    assert any("40 throws came from three chains" in text for text in verdict.proved)


@EVERY_THROW
def test_a_changed_die_is_caught(number: int) -> None:
    first, second = throw_of(EVENTS, number)["dice"]
    for dice in ([first % 6 + 1, second], [first, second % 6 + 1]):
        assert place_of_first_problem(changed(EVENTS, number, dice=dice)) == ("m1/1", number)
    if first != second:
        assert place_of_first_problem(changed(EVENTS, number, dice=[second, first])) == ("m1/1", number)


@EVERY_THROW
@pytest.mark.parametrize("party", ["server", "white", "black"])
def test_a_changed_link_is_caught(number: int, party: str) -> None:
    link = throw_of(EVENTS, number)[party]
    if link is None:
        link = throw_of(EVENTS, 1)[party]
        forged = changed(EVENTS, number, **{party: link})
    else:
        forged = changed(EVENTS, number, **{party: other_hex(link)})
    assert place_of_first_problem(forged) == ("m1/1", number)
    if number not in (11, 12, 20):
        assert party in text_of_first_problem(forged)


def dice_without(number: int, side: str) -> list[int]:
    """What throw `number` would have been without a link; once in 36 times the same."""
    throw = throw_of(EVENTS, number)
    links = {party: bytes.fromhex(throw[party] or "") for party in ("server", "white", "black")} | {side: b""}
    return list(dice_from_links(game="m1/1", number=number, **links))


@EVERY_THROW
def test_a_link_that_is_made_to_miss_is_caught(number: int) -> None:
    """Without a mark, with a mark but the old dice, and with a mark although the link is there."""
    for side in ("white", "black"):
        if throw_of(EVENTS, number)[side] is None:
            continue
        for fields in ({side: None}, {"missing": [side]}, {side: ...}):
            assert place_of_first_problem(changed(EVENTS, number, **fields)) == ("m1/1", number)
        marked = changed(EVENTS, number, **{side: None, "missing": [side]})
        if dice_without(number, side) != throw_of(EVENTS, number)["dice"]:
            assert place_of_first_problem(marked) == ("m1/1", number)
    server: list[dict[str, Any]] = [
        {"server": None},
        {"server": None, "missing": ["server"]},
        {"server": ...},
        {"server": ""},
    ]
    for without in server:
        assert place_of_first_problem(changed(EVENTS, number, **without)) == ("m1/1", number)


@pytest.mark.parametrize("number", [11, 12, 20])
def test_a_mark_that_is_taken_away_is_caught(number: int) -> None:
    assert place_of_first_problem(changed(EVENTS, number, missing=...)) == ("m1/1", number)
    assert place_of_first_problem(changed(EVENTS, number, missing=["black"])) == ("m1/1", number)


@pytest.mark.parametrize("number", range(1, THROWS))
def test_a_dropped_throw_is_caught(number: int) -> None:
    forged = [event for event in EVENTS if event.get("number") != number]
    assert place_of_first_problem(forged) == ("m1/1", number)
    assert len(audit(forged).problems) == 1
    for event in (closed := copy.deepcopy(forged)):
        if event.get("number", 0) > number:
            event["number"] -= 1
    assert place_of_first_problem(closed) == ("m1/1", number)


@pytest.mark.parametrize("number", range(1, THROWS))
def test_swapped_throws_are_caught(number: int) -> None:
    forged = copy.deepcopy(EVENTS)
    forged[number], forged[number + 1] = forged[number + 1], forged[number]
    assert place_of_first_problem(forged) == ("m1/1", number)
    forged[number]["number"], forged[number + 1]["number"] = number, number + 1
    assert place_of_first_problem(forged) == ("m1/1", number)


@EVERY_THROW
def test_a_throw_told_twice_is_caught(number: int) -> None:
    forged = [*EVENTS[: number + 1], EVENTS[number], *EVENTS[number + 1 :]]
    assert place_of_first_problem(forged) == ("m1/1", number + 1)


@pytest.mark.parametrize("number", [1, 7, THROWS])
@pytest.mark.parametrize("wrong", [0, -1, True, "7", 10**12, 7.0, None, ...])
def test_a_changed_number_is_caught(number: int, wrong: Any) -> None:
    assert place_of_first_problem(changed(EVENTS, number, number=wrong)) == ("m1/1", number)


@pytest.mark.parametrize("party", ["server", "white", "black"])
def test_a_changed_anchor_is_caught_at_the_first_throw(party: str) -> None:
    forged = with_anchors(EVENTS, **{party: other_hex(EVENTS[0][party])})
    assert place_of_first_problem(forged) == ("m1/1", 1)
    assert party in text_of_first_problem(forged)


@pytest.mark.parametrize("party", ["server", "white", "black"])
@pytest.mark.parametrize("wrong", [..., None, "", "ff", 7, "g" * 64, "F" * 64, ["ff"]])
def test_an_anchor_that_cannot_be_read_is_caught(party: str, wrong: Any) -> None:
    assert place_of_first_problem(with_anchors(EVENTS, **{party: wrong})) == ("m1/1", 1)


def test_a_changed_game_is_caught() -> None:
    everywhere = [event | {"game": "m1/2"} for event in EVENTS]
    assert place_of_first_problem(everywhere) == ("m1/2", 1)
    assert place_of_first_problem(with_anchors(EVENTS, game="m1/2")) == ("m1/1", 1)
    assert place_of_first_problem(changed(EVENTS, 7, game="m1/2")) == ("m1/2", 7)
    for wrong in ("", "a|b", 7, None, ...):
        assert not audit(changed(EVENTS, 7, game=wrong)).ok


def test_anchors_must_come_before_the_links() -> None:
    anchors, *throws = EVENTS
    assert place_of_first_problem([throws[0], anchors, *throws[1:]]) == ("m1/1", 1)
    assert place_of_first_problem(throws) == ("m1/1", 1)


def test_a_second_start_of_a_game_is_caught() -> None:
    again = plain(Game(seed=9).play(2).events)
    assert place_of_first_problem([*EVENTS[:5], again[0], *EVENTS[5:]]) == ("m1/1", 5)


def test_two_sides_must_not_share_a_chain() -> None:
    assert place_of_first_problem(with_anchors(EVENTS, white=EVENTS[0]["black"])) == ("m1/1", 1)
    assert (
        text_of_first_problem(with_anchors(EVENTS, server=EVENTS[0]["black"]))
        == "two sides have the same anchor"
    )


def test_a_server_that_uses_its_chain_again_is_caught_and_a_player_is_named() -> None:
    first, second = Game("m1/1", seed=1).play(3), Game("m1/2", seed=1).play(3)
    assert place_of_first_problem(plain([*first.events, *second.events])) == ("m1/2", 1)
    reused = Game("m1/3", chains=chains_of(5) | {"white": first.chains["white"]})
    reused.throw(None)
    verdict = audit([*first.events, *reused.events])
    assert verdict.ok
    assert any("From throw 1 of m1/3 on white gave numbers" in text for text in verdict.unproved)


def test_strict_dice_allow_no_missing_link() -> None:
    assert audit(STRICT).ok
    normal = plain(Game(seed=3).play(12, missing=(5,)).events)
    assert audit(normal).ok
    forged = with_anchors(normal, mode="strict")
    assert place_of_first_problem(forged) == ("m1/1", 5)
    assert "strict" in text_of_first_problem(forged)


# Renewals.


def test_rightful_renewals_hold() -> None:
    verdict = audit(RENEWED)
    assert verdict.ok
    assert len(verdict.throws) == 8


@pytest.mark.parametrize(
    ("epoch", "fields"),
    [
        (2, {"reason": "start"}),
        (2, {"reason": "lost"}),
        (2, {"reason": "reserve", "lost": ["white"]}),
        (2, {"reason": "lost", "lost": ["server"]}),
        (2, {"reason": "lost", "lost": "white"}),
        (2, {"reason": 5}),
        (2, {"length": 400}),
        (2, {"mode": "strict"}),
        (2, {"first": 5}),
        (2, {"first": 7}),
        (2, {"epoch": 3}),
        (2, {"epoch": 1}),
        (2, {"voided": {"number": 6, "white": None, "black": None}}),
        (3, {"reason": "reserve", "lost": ...}),
        (3, {"lost": []}),
        (3, {"lost": ...}),
    ],
)
def test_a_renewal_without_right_is_caught(epoch: int, fields: dict[str, Any]) -> None:
    expected = {2: 6, 3: 8}[epoch]
    assert place_of_first_problem(with_anchors(RENEWED, epoch, **fields)) == ("m1/1", expected)


@pytest.mark.parametrize(
    "fields",
    [{"mode": "lenient"}, {"mode": ...}, {"length": RESERVE}, {"length": True}, {"first": 2}, {"epoch": 0}],
)
def test_a_start_that_cannot_be_is_caught(fields: dict[str, Any]) -> None:
    assert place_of_first_problem(with_anchors(EVENTS, **fields)) == ("m1/1", 1)


def test_a_renewal_that_was_left_out_is_caught() -> None:
    assert place_of_first_problem([event for event in RENEWED if event.get("epoch") != 2]) == ("m1/1", 6)
    assert place_of_first_problem([event for event in RENEWED if event.get("epoch") != 3]) == ("m1/1", 8)


def test_chains_longer_than_announced_are_caught() -> None:
    forged = with_anchors(EVENTS, length=30)
    assert place_of_first_problem(forged) == ("m1/1", 31)
    assert "used up" in text_of_first_problem(forged)


def voided() -> list[dict[str, Any]]:
    game = Game(mode="strict").play(3)
    game.do(game.table.begin("white"))
    game.do(game.table.ask())
    game.give("white")
    game.do(game.table.renew(lost="black"))
    game.anchor(2)
    while awaited := game.table.awaited:
        game.give(awaited[0])
    game.do(game.table.resolve())
    return plain(game.events)


VOIDED = voided()
VOID = next(event["voided"] for event in VOIDED if "voided" in event)


@pytest.mark.parametrize(
    "wrong",
    [
        VOID | {"number": 3},
        VOID | {"white": None},
        VOID | {"white": other_hex(VOID["white"])},
        VOID | {"black": VOID["white"]},
        VOID | {"white": 5},
        None,
        [],
    ],
)
def test_a_throw_that_was_not_rightly_made_void_is_caught(wrong: Any) -> None:
    assert audit(VOIDED).ok
    assert place_of_first_problem(with_anchors(VOIDED, 2, voided=wrong)) == ("m1/1", 4)


def test_no_throw_is_made_void_in_normal_mode_or_twice() -> None:
    normal = [event | {"mode": "normal"} if event["type"] == "anchors" else event for event in VOIDED]
    assert place_of_first_problem(normal) == ("m1/1", 4)
    second = with_anchors(VOIDED, 2, epoch=3)[4]
    assert place_of_first_problem([*VOIDED[:5], second, *VOIDED[5:]]) == ("m1/1", 4)


# Other sources.


def seeded(throws: int = 20) -> list[dict[str, Any]]:
    dice = SeededDice("study/1", b"seed")
    events = [dice.opening_event]
    for _ in range(throws):
        thrown = dice.throw(roller="white")
        dice, events = thrown.source, [*events, *thrown.events]
    return plain(events)


def typed(*throws: tuple[int, int]) -> list[dict[str, Any]]:
    dice, events = TypedDice("real/1"), list[dict[str, Any]]()
    for pair in throws:
        thrown = dice.throw(pair, roller="black")
        assert isinstance(thrown, Thrown)
        dice, events = thrown.source, [*events, *thrown.events]
    return plain(events)


def test_seeded_dice_follow_from_their_seed() -> None:
    events = seeded()
    verdict = audit(events)
    assert verdict.ok
    assert {throw.source for throw in verdict.throws} == {"seeded"}
    assert any("whoever knew the seed" in text for text in verdict.unproved)
    for number in range(1, 21):
        first, second = throw_of(events, number)["dice"]
        assert place_of_first_problem(changed(events, number, dice=[first % 6 + 1, second])) == (
            "study/1",
            number,
        )
    assert place_of_first_problem(events[1:]) == ("study/1", 1)
    assert place_of_first_problem([*events[:4], events[0], *events[4:]]) == ("study/1", 4)
    for wrong in ("", "f", "zz", "ff" * 65, 5, ...):
        forged = copy.deepcopy(events)
        if wrong is ...:
            del forged[0]["seed"]
        else:
            forged[0]["seed"] = wrong
        assert not audit(forged).ok


def test_typed_dice_prove_nothing_and_are_said_to() -> None:
    verdict = audit(typed((3, 1), (6, 6)))
    assert verdict.ok
    assert verdict.proved == ()
    assert any("2 throws were thrown on a real board" in text for text in verdict.unproved)
    assert place_of_first_problem(changed(typed((3, 1), (6, 6)), 2, dice=[0, 7])) == ("real/1", 2)


@pytest.mark.parametrize("wrong", [[3], [3, 1, 1], "31", [3, 1.0], [True, 1], [0, 1], [7, 1], None, {}])
def test_dice_that_no_pair_shows_are_caught(wrong: Any) -> None:
    assert place_of_first_problem(changed(EVENTS, 7, dice=wrong)) == ("m1/1", 7)


@pytest.mark.parametrize("source", ["typed", "seeded", "drand", None, 7, ...])
def test_the_source_does_not_change_within_a_game(source: Any) -> None:
    assert place_of_first_problem(changed(EVENTS, 7, source=source)) == ("m1/1", 7)
    forged = [*typed((3, 1)), EVENTS[0] | {"game": "real/1"}]
    assert place_of_first_problem(forged) == ("real/1", 2)


@pytest.mark.parametrize("roller", ["server", 3, ...])
def test_a_throw_says_who_rolled(roller: Any) -> None:
    assert place_of_first_problem(changed(EVENTS, 7, roller=roller)) == ("m1/1", 7)


# Files.


def record_of(events: list[dict[str, Any]]) -> str:
    """The dice within a match record, once as lines of their own and once inside other events."""
    lines: list[dict[str, Any]] = [{"format": "sheshbesh-record", "version": 1, "length": 7}]
    for number, event in enumerate(events):
        action = {"n": number, "at": 12, "actor": "white", "type": "roll"}
        if number % 2:
            lines.append({"n": number, "at": 12, "actor": "server"} | event)
        elif number % 4:
            lines.append(action | {"then": {"dice": [3, 1], "transcript": [event]}})
        else:
            lines.append(action | {"then": {"anchors": event}})
        lines.append({"n": number, "type": "play", "then": {"text": "8/5 6/5"}, "dice": [1, 2]})
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_the_dice_of_a_match_record_are_found_among_its_events() -> None:
    verdict = verify_transcript(record_of(EVENTS))
    assert verdict.ok, verdict.problems
    assert len(verdict.throws) == THROWS
    forged = verify_transcript(record_of(changed(EVENTS, 23, dice=[1, 1]))).first_problem
    assert forged is not None
    assert forged.number == 23


def test_games_of_a_match_are_told_apart() -> None:
    games = [plain(Game(f"m1/{number}", seed=number).play(6).events) for number in (1, 2, 3)]
    assert audit(list(chain.from_iterable(games))).ok
    games[1] = changed(games[1], 4, dice=[7 - die for die in throw_of(games[1], 4)["dice"]])
    assert place_of_first_problem(list(chain.from_iterable(games))) == ("m1/2", 4)


@pytest.mark.parametrize(
    "header",
    [
        "",
        "7",
        "[]",
        "{}",
        '{"format":"other","version":1}',
        '{"format":"sheshbesh-dice","version":2}',
        '{"format":7}',
    ],
)
def test_an_unknown_format_is_refused(header: str) -> None:
    body = dump_transcript(EVENTS).split("\n", 1)[1]
    assert not verify_transcript(f"{header}\n{body}").ok


def test_a_file_that_was_cut_off_holds_up_to_its_last_whole_event() -> None:
    text = dump_transcript(EVENTS[:4])
    whole = len(text) - len(text.splitlines(keepends=True)[-1])
    for end in range(whole + 1, len(text) - 1):
        verdict = verify_transcript(text[:end])
        assert verdict.ok
        assert verdict.cut_off
        assert len(verdict.throws) == 2
    assert len(verify_transcript(text[:-1]).throws) == 3
    assert not verify_transcript(text[:whole]).cut_off
    broken = verify_transcript(text[: whole - 5] + "\n" + text[whole:])
    assert not broken.ok
    assert not broken.cut_off


def test_a_line_that_is_no_event_is_named() -> None:
    for line in ("7", "[]", '"anchors"', "{", "\x00"):
        problem = verify_transcript(dump_transcript(EVENTS[:3]) + line + "\n").first_problem
        assert problem is not None
        assert problem.line == 5


def test_a_file_without_throws_proves_nothing() -> None:
    verdict = audit([])
    assert verdict.proved == ()
    assert any("no throw in this file" in text for text in verdict.unproved)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["white", "start", "ff" * 32]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = sorted({name for event in [*EVENTS, *VOIDED, *seeded(1)] for name in event} | {"then"})


@settings(max_examples=300, deadline=None)
@given(
    source=st.sampled_from([EVENTS[:6], RENEWED, VOIDED, STRICT[:4], seeded(3), typed((3, 1), (6, 6))]),
    place=st.integers(0, 100),
    field=st.sampled_from(FIELDS),
    value=VALUES,
)
def test_no_value_of_any_field_breaks_the_auditor(
    source: list[dict[str, Any]], place: int, field: str, value: Any
) -> None:
    forged = copy.deepcopy(source)
    forged[place % len(forged)][field] = value
    verdict = audit(forged)
    assert verdict.ok == (not verdict.problems)
    assert len(verdict.throws) <= sum(event["type"] == "throw" for event in source) + 1


@settings(max_examples=200, deadline=None)
@given(text=st.text(), cut=st.integers(0, 3000))
def test_no_text_breaks_the_auditor(text: str, cut: int) -> None:
    honest = dump_transcript(EVENTS[:6])
    for attempt in (text, honest[:cut] + text + honest[cut:], honest + text):
        verify_transcript(attempt)


def test_the_auditor_shares_no_code_with_the_dice() -> None:
    folder = Path(__file__).parents[1] / "src" / "sheshbesh" / "session" / "dice"
    auditor = {"verify", "audit", "recompute", "verdict", "statements"}
    for name in auditor:
        tree = ast.parse((folder / f"{name}.py").read_text("utf-8"))
        for_types = {
            node
            for block in ast.walk(tree)
            if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
            for node in ast.walk(block)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node not in for_types and "sheshbesh" in str(node.module):
                assert str(node.module).rpartition(".")[2] in auditor, name
