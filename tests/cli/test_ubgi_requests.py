"""`ask JSON`: what a server asks about a match in progress, over the line protocol."""

from __future__ import annotations

import json
import zlib
from base64 import b64encode
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.cli.terminal.match_loop import start_at
from sheshbesh.engines import make_engine
from sheshbesh.match import Card
from sheshbesh.players.snapshot import snapshot_data
from sheshbesh.reviews import Portions
from sheshbesh.session import Session, apply, parse_action
from sheshbesh.ubgi.dialogue import Dialogue
from tests.cli.dialogue_client import DialogueClient
from tests.reviews.test_review import short, short_text

CARD = Card.from_code("backgammon.p3.dice-seeded")


@pytest.fixture
def talk() -> DialogueClient:
    return DialogueClient(Dialogue(make_engine))


def match(dice: tuple[int, int] = (3, 1)) -> Session:
    return start_at(Session.new(CARD, match_id="m", seed="1"), CARD.rules.start(), sb.Roll.of(dice))


def ask(kind: str, state: Session, **fields: Any) -> str:
    return "ask " + json.dumps({"ask": kind, "state": snapshot_data(state), "limit": 60, **fields})


def decide(state: Session, **changes: Any) -> str:
    side = state.to_act[0].value
    return ask("decide", state, **{"side": side, "level": "club", "seed": 7, "proposal": False, **changes})


def test_a_decision_is_an_action_that_the_match_accepts(talk: DialogueClient) -> None:
    state = match()
    (line,) = talk(decide(state))
    action = parse_action(json.loads(line.removeprefix("answer ")))
    apply(state, state.to_act[0], action, 0)  # refused, it would raise


def test_the_same_request_has_the_same_answer_whatever_was_set_before(talk: DialogueClient) -> None:
    first = talk(decide(match()))
    talk.all("variant tapa", "setoption name Level value beginner", "newgame")
    assert talk(decide(match())) == first


def test_a_request_that_is_stopped_before_its_search_is_answered_without_one(talk: DialogueClient) -> None:
    (line,) = talk(decide(match(), level="master"), stopped=True)
    assert line.startswith('answer {"type":"play"')


def test_there_is_nothing_to_finish_at_the_start(talk: DialogueClient) -> None:
    assert talk(ask("finish", match())) == ["answer null"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("ask", "error bad_argument ask: expected: ask JSON"),
        ("ask nothing", "error bad_argument ask: expected: ask JSON"),
        ("ask []", "error bad_argument ask: expected: ask {"),
        ('ask {"ask":"dance"}', "KIND one of decide, hint, verdict, settle, finish"),
        ('ask {"ask":"finish"}', "error bad_argument ask: finish: state is missing"),
        ('ask {"ask":"finish","limit":-1}', "error bad_argument ask: limit is a number of seconds"),
        ("ask " + "x" * 9_000_000, "error bad_argument ask: a"),
        ("ask " + "[" * 100_000, "error bad_argument ask: expected: ask JSON"),
        ('ask {"ask":[]}', "KIND one of decide"),
        ('ask {"ask":"finish","limit":true}', "error bad_argument ask: limit is a number of seconds"),
        ('ask {"ask":"finish","state":[]}', "error bad_argument ask: finish: state is an object"),
        ('ask {"ask":"finish","state":{}}', "error bad_argument ask: this is no state of a match"),
        ('ask {"ask":"finish","state":{"card":[]}}', "error bad_argument ask: this is no state of a match"),
        ('ask {"ask":"finish","state":{"card":"tavla.p1","dice":[1,2]}}', "dice without a position"),
        ('ask {"ask":"analyse","query":5,"plies":0}', "error bad_argument ask: analyse: query is an object"),
        ('ask {"ask":"analyse","query":{"id":5},"plies":0}', "a query is an object whose fields are texts"),
        ('ask {"ask":"analyse","query":{},"plies":"x"}', "error bad_argument ask: analyse: plies is a whole"),
        ('ask {"ask":"review","file":[],"plies":0,"places":[]}', "ask: review: file is base64 of zlib"),
        ('ask {"ask":"review","file":"","plies":0,"places":["x"]}', "review: places are whole numbers"),
        (
            'ask {"ask":"roll_out","query":{},"trials":-1,"seed":0,"plays":[],"chunks":1,"kept":null}',
            "error bad_argument ask: roll_out: trials must be",
        ),
    ],
)
def test_what_is_no_request_is_an_error_that_says_what_is_wrong(
    talk: DialogueClient, line: str, says: str
) -> None:
    (said,) = talk(line)
    assert says in said


def test_a_review_is_judged_in_portions_of_its_file(talk: DialogueClient) -> None:
    file = b64encode(zlib.compress(short_text().encode())).decode()
    portion = {"ask": "review", "file": file, "plies": 0, "places": [3, 0, 1], "limit": 0}
    (line,) = talk("ask " + json.dumps(portion))
    found = json.loads(line.removeprefix("answer "))
    of = Portions(short(), 0)
    assert (found["key"], found["total"]) == (of.key, of.total)
    assert found["judged"] == json.loads(json.dumps(of.judge([3], 0.0)))


def test_a_file_that_cannot_be_reviewed_is_an_error(talk: DialogueClient) -> None:
    huge = b64encode(zlib.compress(b" " * 5_000_000)).decode()
    for file, says in (("?", "base64 of zlib"), ("eJw=", "whole"), (huge, "at most 4194304 bytes")):
        (said,) = talk("ask " + json.dumps({"ask": "review", "file": file, "plies": 0, "places": [0]}))
        assert said.startswith("error") and says in said
