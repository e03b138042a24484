"""Records: they come back whole, cut at every byte they load as far as they go, and tampering shows."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.session import Action, Event, Header, ProposeAction, Record, RecordFile, parse_action
from sheshbesh.session.actions import ACTIONS
from tests.session_help import BLACK, WHITE, Table
from tests.session_machine import walk


def sample() -> Record:
    """Two games and a bit, with everything that is told about them; names are not all ASCII."""
    table = Table("backgammon.p5.clock-d12-120")
    table.header = Header(table.header.card, "test/match", {"white": "Zoë", "black": "بیژن"})
    table.begin().play().doubles(BLACK).to_roll(WHITE).resigns(BLACK)
    table.begin(1, 4).play()
    table.do(WHITE, ProposeAction("pause"))
    return table.record()


SAMPLE = sample()
TEXT = SAMPLE.to_text()


def test_a_record_is_lines_of_json() -> None:
    header, *events = map(json.loads, TEXT.splitlines())
    assert (header["format"], header["version"]) == ("sheshbesh-record", 1)
    assert header["card"] == "backgammon.p5.clock-d12-120.dice-typed"
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))


def test_a_record_comes_back() -> None:
    again = Record.from_text(TEXT)
    assert again == SAMPLE
    assert again.damage is None
    assert again.replay() == SAMPLE.replay()
    assert again.to_text() == TEXT


@pytest.mark.parametrize("seed", range(6))
def test_random_matches_come_back(seed: int) -> None:
    walk(random.Random(seed), 120).check_record()


def test_cut_at_any_byte(tmp_path: Path) -> None:
    """What is left is the header and the whole events before the cut, and the record says so."""
    data = TEXT.encode()
    ends = [i + 1 for i, byte in enumerate(data) if byte == 0x0A]
    path = tmp_path / "cut.jsonl"
    near = {end + off for end in ends for off in (-2, -1, 0, 1)}
    for cut in sorted({*range(0, len(data), 11), *near} - {len(data) + 1}):
        path.write_bytes(data[:cut])
        file = RecordFile(path)
        if cut < ends[0] - 1:
            with pytest.raises(sb.RecordError, match=r"cut off before its first line ended|is empty"):
                file.load()
            continue
        record = file.load()
        # The last line is whole when nothing but its end is missing.
        whole = sum(end - 1 <= cut for end in ends) - 1
        assert record.events == SAMPLE.events[:whole]
        assert (record.damage is None) == (cut in ends)
        assert record.damage is None or "whole" in record.damage or "nothing was lost" in record.damage


def test_a_mended_record_can_be_gone_on_with(tmp_path: Path) -> None:
    data = TEXT.encode()
    for cut in (len(data) - 1, len(data) - 20, data.rfind(b"\n", 0, -1) + 2):
        path = tmp_path / f"{cut}.jsonl"
        path.write_bytes(data[:cut])
        file = RecordFile(path)
        record = file.load()
        assert record.damage is not None
        file.mend(record)
        for event in SAMPLE.events[len(record.events) :]:
            file.append(event)
        assert path.read_bytes() == data


def test_the_file_is_on_the_disk_after_every_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[None] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(real(descriptor)))
    file = RecordFile(tmp_path / "match.jsonl")
    file.create(SAMPLE.header)
    assert len(synced) == 2  # the file, and the folder that names it
    for event in SAMPLE.events:
        file.append(event)
    assert len(synced) == 2 + len(SAMPLE.events)
    assert file.load() == SAMPLE
    with pytest.raises(FileExistsError):
        file.create(SAMPLE.header)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(sb.RecordError, match=r"nothing\.jsonl"):
        RecordFile(tmp_path / "nothing.jsonl").load()
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe\n" + TEXT.encode())
    with pytest.raises(sb.RecordError, match=r"bad\.jsonl"):
        RecordFile(tmp_path / "bad.jsonl").load()


# What is wrong with a header


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "something-else"}, "sheshbesh-record"),
        ({"format": "sheshbesh-chouette"}, "sheshbesh-chouette"),
        ({"version": 2}, "version 2"),
        ({"card": "ludo.p5"}, "ludo"),
        ({"card": 5}, "text 'card'"),
        ({"card": "backgammon.p7.clock-d12-120.dice-typed"}, "not the one"),
        ({"card": "backgammon.p5.dice-seeded"}, "seeded dice need a seed"),
        ({"rules": "0123456789abcdef"}, "rules of backgammon have changed"),
        ({"match": None}, "text 'match'"),
        ({"match": "a name with spaces"}, "a match is named by"),
        ({"players": ["Ann"]}, "players"),
        ({"seed": 5}, "seed"),
        ({"seed": "abc"}, "seeded dice need a seed"),
    ],
)
def test_a_wrong_header(change: dict[str, Any], told: str) -> None:
    header, *rest = TEXT.splitlines()
    text = "\n".join([json.dumps(json.loads(header) | change), *rest, ""])
    with pytest.raises(sb.RecordError, match=told):
        Record.from_text(text)


def test_where_a_match_cannot_begin_is_found_out_at_once_or_by_the_match() -> None:
    data = {"format": "sheshbesh-record", "version": 1, "card": "tavla.p5.dice-typed", "match": "m"}
    data |= {"start": "no position"}
    with pytest.raises(RecordError, match="no table can begin like this"):
        Header.from_data(data)
    read = Header.from_data(data, tried=False)
    assert (read.card.game, read.start) == ("tavla", "no position")
    with pytest.raises(SheshbeshError):
        read.session()


@pytest.mark.parametrize("text", ["", "\n", "[]\n", "null\n", "{}\n", "{", '"x"\n', "nonsense\n"])
def test_what_is_no_record(text: str) -> None:
    with pytest.raises(sb.RecordError):
        Record.from_text(text)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{]", "line 3 is not JSON"),
        ("[]", "line 3: an event is an object"),
        ('{"n":"2","at":0,"actor":"white","type":"ready"}', r"line 3: event '2': .*`int`.* at `\$.n`"),
        ('{"n":2,"at":true,"actor":"white","type":"ready"}', r"line 3: event 2: .*`int`.* at `\$.at`"),
        ('{"n":2,"at":0,"actor":"white","type":"fly"}', "line 3: no action 'fly'"),
        ('{"n":2,"at":0,"actor":"white","type":"step","origin":8}', "line 3: .*required field `target`"),
        (
            '{"n":2,"at":0,"actor":"white","type":"dice","first":1,"second":"6"}',
            r"line 3: .*Expected `int`, got `str` - at `\$.second`",
        ),
        ('{"n":2,"at":0,"actor":"white","type":"ready","x":1}', "line 3: .*unknown field `x`"),
        ('{"n":2,"at":0,"actor":"white","type":"ready","then":[]}', r"line 3: event 2: .* at `\$.then`"),
    ],
)
def test_a_line_that_cannot_be_read(line: str, told: str) -> None:
    lines = TEXT.splitlines()
    lines[2] = line
    with pytest.raises(sb.RecordError, match=told):
        Record.from_text("\n".join(lines) + "\n")


# Tampering: each change is found at its own event, by number


Events = list[dict[str, Any]]


def find(events: Events, kind: str) -> int:
    return next(index for index, event in enumerate(events) if event["type"] == kind)


def other_dice(events: Events) -> int:
    at = find(events, "dice")
    events[at]["first"] = 5
    return at


def told_dice(events: Events) -> int:
    at = find(events, "dice")
    events[at]["then"]["dice"] = [6, 6]
    return at


def told_nothing_of_the_starter(events: Events) -> int:
    at = find(events, "dice")
    del events[at]["then"]["starter"]
    return at


def illegal_play(events: Events) -> int:
    at = find(events, "play")
    events[at]["play"] = "24/1"
    return at


def unreadable_play(events: Events) -> int:
    at = find(events, "play")
    events[at]["play"] = "somewhere"
    return at


def another_play(events: Events) -> int:
    at = find(events, "play")
    events[at]["play"] = "24/23 13/10"
    return at


def another_actor(events: Events) -> int:
    at = find(events, "double")
    events[at]["actor"] = WHITE
    return at


def a_stranger(events: Events) -> int:
    at = find(events, "play")
    events[at]["actor"] = "eve"
    return at


def earlier(events: Events) -> int:
    events[4]["at"] = events[3]["at"] - 1
    return 4


def much_later(events: Events) -> int:
    """After this time the clock had run out."""
    at = find(events, "play")
    for event in events[at:]:
        event["at"] += 3_600_000
    return at


def exchanged(events: Events) -> int:
    events[3], events[4] = events[4], events[3]
    return 4


def twice(events: Events) -> int:
    events.insert(5, events[4])
    return 4


def missing(events: Events) -> int:
    del events[5]
    return 6


def other_result(events: Events) -> int:
    at = find(events, "accept")
    events[at]["then"]["game"]["points"] = 4
    return at


TAMPERED = [
    *(other_dice, told_dice, told_nothing_of_the_starter, illegal_play, unreadable_play, another_play),
    *(another_actor, a_stranger, earlier, much_later, exchanged, twice, missing, other_result),
]


@pytest.mark.parametrize("tamper", TAMPERED)
def test_tampering_is_found_at_its_event(tamper: Callable[[Events], int]) -> None:
    header, *lines = TEXT.splitlines()
    events = [json.loads(line) for line in lines]
    at = tamper(events)
    record = Record.from_text("\n".join([header, *map(json.dumps, events), ""]))
    with pytest.raises(sb.RecordError, match=rf"^event {at + 1} "):
        record.replay()


def test_what_an_event_tells_may_be_left_out() -> None:
    header, *lines = TEXT.splitlines()
    events = [json.loads(line) for line in lines]
    for event in events:
        event.pop("then", None)
    record = Record.from_text("\n".join([header, *map(json.dumps, events), ""]))
    assert record.replay() == SAMPLE.replay()


@pytest.mark.parametrize("kind", ACTIONS.values())
def test_actions_come_back(kind: type[Action]) -> None:
    values = {"link": "ab", "anchor": "cd", "side": "white", "first": 1, "second": 2, "die": 3, "point": 8}
    values |= {"origin": 8, "target": 5, "play": "8/5", "what": "draw", "ms": 40, "reason": "ruling"}
    action = kind(**{name: value for name, value in values.items() if name in kind.__struct_fields__})
    data = json.loads(json.dumps(action.to_data()))
    assert parse_action(data) == action
    event = Event(1, 5, "white", action, {"dice": [1, 2]})
    assert Event.from_data(json.loads(json.dumps(event.to_data()))) == event


@pytest.mark.parametrize("data", [[], {}, {"type": 5}, {"type": "fly"}, {"type": "undo", "all": 1}])
def test_what_is_no_action(data: Any) -> None:
    with pytest.raises(sb.ProtocolError):
        parse_action(data)
