"""The wire: golden messages, and the fixtures that the page is built against."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import sheshbesh as sb
from sheshbesh.errors import ProtocolError
from sheshbesh.rules import Refusal, Side
from sheshbesh.rules.setup import Geometry
from sheshbesh.server.tables import view, viewers, wire
from sheshbesh.session import DiceAction, ProposeAction
from sheshbesh.session.board_data import choices_data
from tests.server.fixtures import FOLDER, fixture
from tests.session_help import Table

GOLDEN: dict[str, list[Any]] = json.loads((FOLDER.parent / "messages.json").read_text(encoding="utf-8"))


def written(message: wire.FromClient) -> dict[str, Any]:
    """A client's message as the page writes it."""
    match message:
        case wire.Do(ref, action, key, side):
            extra = {name: value for name, value in (("key", key), ("as", side)) if value is not None}
            return {"t": "do", "ref": ref, **extra, "d": action.to_data()}
        case wire.Why(ref):
            return {"t": "why", "ref": ref, "d": {"steps": [list(step) for step in message.steps]}}
        case wire.AskHint(ref, here):
            return {"t": "hint", "ref": ref} | ({} if here else {"here": False})
        case wire.AskVerdict(n):
            return {"t": "verdict"} | ({} if n is None else {"n": n})
        case wire.GoOn():
            return {"t": "on"}
        case wire.AskFinish(ref):
            return {"t": "finish", "ref": ref}
        case wire.Say(ref, wire.Words(text, phrase)):
            return {"t": "say", "ref": ref, "d": {"text": text} if text is not None else {"phrase": phrase}}
        case wire.Ping():
            return {"t": "ping"}
        case wire.Pong(n):
            return {"t": "pong", "n": n}
        case wire.Bye():
            return {"t": "bye"}


@pytest.mark.parametrize("data", GOLDEN["client"], ids=json.dumps)
def test_messages_of_clients_are_read(data: dict[str, Any]) -> None:
    assert written(wire.parse(json.dumps(data))) == data


@pytest.mark.parametrize("case", GOLDEN["unreadable"], ids=lambda case: case["frame"])
def test_bad_messages_are_refused_with_what_is_wrong(case: dict[str, str]) -> None:
    with pytest.raises(ProtocolError, match=re.escape(case["says"])):
        wire.parse(case["frame"])


def refusal(data: dict[str, Any] | None) -> Refusal | None:
    return None if data is None else Refusal(data["rule"], data["source"], data["text"])


def sent(data: dict[str, Any]) -> str:
    """A golden message of the server, made anew by the code: the frame that a socket sends."""
    match data["t"]:
        case "ack":
            return wire.Ack(data["ref"]).to_text()
        case "refused":
            found = refusal(data["d"])
            assert found is not None
            return wire.Refused(data["ref"], found).to_text()
        case "because":
            return wire.Because(data["ref"], refusal(data["d"])).to_text()
        case "state":
            events = tuple(map(wire.dump, data["events"]))
            parts = ("", wire.members(data["d"]), "")
            return wire.State(data["v"], data["key"], data["now"], parts, events).to_text()
        case "pong":
            return wire.pong(data.get("n"))
    assert data["t"] in wire.Note.KINDS
    return wire.Note(data["t"], data["d"], data.get("ref")).to_text()


@pytest.mark.parametrize("data", GOLDEN["server"], ids=lambda data: str(data["t"]))
def test_messages_of_the_server_are_written_byte_by_byte(data: dict[str, Any]) -> None:
    assert sent(data) == wire.dump(data)


@pytest.mark.anyio
async def test_a_room_sends_its_states_by_the_class_of_the_samples(
    app: FastAPI, guest: httpx.AsyncClient
) -> None:
    body = {"card": "tavla.p1", "opponent": {"kind": "hotseat"}}
    made = (await guest.post("/api/v1/matches", json=body)).json()
    room = await app.state.site.matches.get(made["id"])
    asked: list[wire.State] = []

    class Watched(wire.State, frozen=True):
        def to_text(self) -> str:
            asked.append(self)
            return wire.State.to_text(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(viewers, "State", Watched)
        frame = room.viewers.frame((Side.WHITE,), ['{"n":1}'], history=True)
    (state,) = asked
    data = json.loads(frame)
    assert data == json.loads(wire.State.to_text(state)) and (data["v"], data["key"]) == (
        room.version,
        room.key,
    )
    assert data["events"] == [{"n": 1}] and data["d"]["you"] == ["white"] and data["d"]["history"] == []
    assert data["d"].items() >= view.fixed(room.agreement).items()


def test_every_type_of_message_has_a_sample() -> None:
    named = {data["t"] for data in GOLDEN["server"]}
    assert named == wire.Note.KINDS | {"ack", "refused", "because", "state", "pong"}


@pytest.mark.parametrize("game", sb.variants())
def test_fixtures_are_what_the_code_makes(game: str) -> None:
    stored = json.loads((Path(FOLDER) / f"{game}.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(fixture(game))) == stored, "python -m tests.server.fixtures makes them anew"


@pytest.mark.parametrize("game", sb.variants())
def test_choices_lead_to_whole_plays_and_nowhere_else(game: str) -> None:
    """Each way through the choices of a fixture is a legal play, as the rules read it."""
    stored = json.loads((Path(FOLDER) / f"{game}.json").read_text(encoding="utf-8"))
    card = sb.variant(game)
    for state in stored["states"]:
        data = state["d"]
        for stage in data.get("choices", ()):
            assert stage["whole"] or stage["next"]
            assert all(0 < step[4] < len(data["choices"]) for step in stage["next"])
    numbers = stored["layout"]["numbers"]
    for side in Side:
        assert sorted(numbers[side]) == list(range(1, 25))
        assert numbers[side] == [Geometry.of(card.axes).own(side, n) for n in range(1, 25)]


def test_a_touched_checker_is_the_only_one_with_choices() -> None:
    position = sb.variant("backgammon").start()
    turn = sb.session.Turn(position, sb.Roll(6, 5), touch_move=True).touch(24)
    assert isinstance(turn, sb.session.Turn)
    first = choices_data(turn)[0]
    assert {step[0] for step in first["next"]} == {24}
    assert not first["whole"]


def test_the_key_follows_what_is_decided_upon() -> None:
    table = Table("backgammon.m").begin()
    before = table.state.key
    table.do(table.on_roll, ProposeAction("settle", 1))
    offered = table.state.key
    assert offered.partition(".")[0] == before
    assert not view.is_stale(offered, "play", before)
    assert view.is_stale(offered, "accept", before)
    assert not view.is_stale(offered, "accept", offered)
    assert view.is_stale(offered, "play", None)


def told_of_opening(table: Table) -> Any:
    return view.common(table.state, table.now)["opening"]


def test_the_draw_for_the_first_move_is_told_with_its_ties() -> None:
    table = Table("backgammon.p5")
    assert told_of_opening(table) is None
    table.begin(4, 4)
    assert told_of_opening(table) == {"by": "draw", "throws": [[4, 4]], "starter": None}
    table.do("white", DiceAction(2, 6))
    drawn = {"by": "draw", "throws": [[4, 4], [2, 6]], "starter": "black"}
    assert told_of_opening(table) == drawn
    table.play()
    assert told_of_opening(table) == drawn
    table.resigns("white").ready()
    assert told_of_opening(table) == {"by": "draw", "throws": [], "starter": None}


@pytest.mark.parametrize(("later", "starter"), [("winner", "white"), ("alternate", "black")])
def test_who_begins_by_the_law_of_the_game_is_told_with_the_law(later: str, starter: str) -> None:
    table = Table(f"backgammon.later_start={later}.p5").begin(5, 3)
    table.resigns("black").ready()
    assert told_of_opening(table) == {"by": later, "throws": [], "starter": starter}
