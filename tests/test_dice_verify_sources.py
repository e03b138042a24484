"""The audit of dice from seeds and real boards, and of whole files."""

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

from sheshbesh.fairdice import dice_from_seed, dump_transcript, verify_transcript
from sheshbesh.fairdice.transcript import plain_throw_event, seed_event
from tests.dice_help import (
    EVENTS,
    RENEWED,
    STRICT,
    THROWS,
    VOIDED,
    Game,
    audit,
    changed,
    place_of_first_problem,
    plain,
    throw_of,
)

# Other sources.


def seeded(throws: int = 20) -> list[dict[str, Any]]:
    events = [seed_event("study/1", b"seed")]
    for number in range(1, throws + 1):
        dice = dice_from_seed(b"seed", game="study/1", number=number)
        events.append(plain_throw_event("seeded", "study/1", number, dice, roller="white"))
    return plain(events)


def typed(*throws: tuple[int, int]) -> list[dict[str, Any]]:
    numbered = enumerate(throws, start=1)
    return plain([plain_throw_event("typed", "real/1", n, dice, roller="black") for n, dice in numbered])


def test_seeded_dice_follow_from_their_seed() -> None:
    events = seeded()
    verdict = audit(events)
    assert verdict.ok
    assert {throw.source for throw in verdict.throws} == {"seeded"}
    assert any("anyone with the seed" in text for text in verdict.unproved)
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
    assert any("2 throws were made on a real board" in text for text in verdict.unproved)
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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=60, deadline=None)
@given(text=st.text(), cut=st.integers(0, 3000))
def test_no_text_breaks_the_auditor(text: str, cut: int) -> None:
    honest = dump_transcript(EVENTS[:6])
    for attempt in (text, honest[:cut] + text + honest[cut:], honest + text):
        verify_transcript(attempt)


def test_the_auditor_shares_no_code_with_the_dice() -> None:
    folder = Path(__file__).parents[1] / "src" / "sheshbesh" / "fairdice"
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
                assert str(node.module).rpartition(".")[2] in {*auditor, "i18n"}, name
