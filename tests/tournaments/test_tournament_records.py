"""Records of tournaments: what `sheshbesh verify-tournament` says of sound and of tampered ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from sheshbesh.errors import PairingError, RecordError
from sheshbesh.server.tournaments.export import record_data
from sheshbesh.tournaments import SERVER, TournamentRecord, matching, record, verify
from sheshbesh.tournaments import actions as do
from tests.cli_help import run
from tests.tournament_help import DIRECTOR, Course, settings_of, swiss_of_nine


def lines_of(text: str) -> list[str]:
    return text.splitlines(keepends=True)


Told = Callable[..., tuple[int, str]]


@pytest.fixture
def told(tmp_path: Path) -> Told:
    """What the command says of a record, with its exit code."""

    def tell(text: str, *options: str) -> tuple[int, str]:
        (tmp_path / "t.jsonl").write_text(text, encoding="utf-8")
        result = run("verify-tournament", str(tmp_path / "t.jsonl"), *options)
        return result.exit_code, result.output

    return tell


def test_a_sound_record_is_verified(told: Told) -> None:
    code, output = told(swiss_of_nine().record(), "--table")
    assert code == 0
    assert "Nothing is wrong with this record of “Test” (results being confirmed)." in output
    assert "each round is paired at the least cost" in output
    assert "secret that was committed to" in output
    assert output.splitlines()[0].split() == ["1", "P3", "4"]


def test_a_record_with_its_standings_as_a_site_exports_it_is_verified(told: Told) -> None:
    course = swiss_of_nine()
    exported = json.loads(
        msgspec.json.encode(record_data(TournamentRecord.from_text(course.record()), course.state))
    )
    code, output = told(json.dumps(exported, indent=1))
    assert code == 0
    assert "Nothing is wrong with this record of “Test”" in output
    exported["standings"][0][1] += 1
    code, output = told(json.dumps(exported))
    assert code == 1
    assert "does not tell the truth about standings: entry 1 is [1, 4, 4], not [1," in output
    exported["events"][2]["actor"] = 7
    code, output = told(json.dumps(exported))
    assert code == 2
    assert "line 4: " in output


def tampered(text: str, number: int, old: str, new: str) -> str:
    lines = lines_of(text)
    assert old in lines[number - 1], lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(old, new, 1)
    return "".join(lines)


def line_with(text: str, part: str, count: int = 1) -> int:
    found = [number for number, line in enumerate(lines_of(text), start=1) if part in line]
    return found[count - 1]


def test_a_tampered_record_names_its_line(told: Told) -> None:
    text = swiss_of_nine().record()
    result = line_with(text, '"type":"result"', 2)
    winner = '"winner":' + lines_of(text)[result - 1].split('"winner":')[1][0]
    round_two = line_with(text, '"type":"pair"', 2)
    first = line_with(text, '"type":"pair"')
    start = line_with(text, '"type":"start"')
    closed = line_with(text, '"type":"close_round"')
    cases = [
        (
            tampered(text, result, winner, '"winner":0'),
            f"line {result}: event {result - 1} (result): it is against",
        ),
        (
            tampered(text, start, "5a5a", "5b5a"),
            f"line {start}: event {start - 1} (start): it is against the rules",
        ),
        (
            tampered(text, line_with(text, '"type":"enter"'), ":1}", ":2}"),
            "does not tell the truth about number",
        ),
        (
            tampered(text, closed, '"standings":[[1,', '"standings":[[2,'),
            f"line {closed}: event {closed - 1}",
        ),
        (
            tampered(text, first, '"cost":"0', '"cost":"1'),
            f"line {first}: event {first - 1} (pair): it does not tell",
        ),
        (
            tampered(text, round_two, '"round":2', '"round":3'),
            f"line {round_two}: event {round_two - 1} (pair)",
        ),
    ]
    for changed, problem in cases:
        code, output = told(changed)
        assert code == 1, output
        assert problem in " ".join(output.split())
        assert "NOT hold" in output


def test_a_pairing_that_could_cost_less_is_found() -> None:
    course = Course(settings_of("swiss", inside="halves")).open(8).start()
    course.do(
        SERVER, do.PairAction(round=1, pairs=((1, 5), (2, 6), (3, 8), (4, 7)), matches=("a", "b", "c", "d"))
    )
    (problem,) = verify(course.record()).problems
    assert problem.startswith(
        "line 12: event 11 (pair): it is not of the least cost: 0 0 0 0 0 0 2, the least is"
    )


def test_without_the_library_legality_is_checked_and_the_rest_said(monkeypatch: pytest.MonkeyPatch) -> None:
    text = swiss_of_nine().record()
    monkeypatch.setattr(record, "has_matching", lambda: False)
    verdict = verify(text)
    assert verdict.ok
    assert any("needs rustworkx" in sentence for sentence in verdict.unchecked)
    assert not any("least cost" in sentence for sentence in verdict.checked)


def test_pairing_without_the_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rustworkx", None)
    with pytest.raises(PairingError, match=r"sheshbesh\[site\]"):
        matching.least_cost([1, 2], {(1, 2): (0,)})


UNREADABLE: list[tuple[str, str]] = [
    ("", "this record is empty"),
    ("no json\n", "line 1 is not JSON"),
    ('{"format":"sheshbesh-record"}\n', "this one names 'sheshbesh-record'"),
    ('{"format":"sheshbesh-tournament","version":2}\n', "line 1: this record has version 2"),
    ('{"format":"sheshbesh-tournament","version":1,"settings":{"title":"x"}}\n', "line 1: settings"),
]


@pytest.mark.parametrize(("text", "problem"), UNREADABLE)
def test_a_text_that_is_no_record(told: Told, text: str, problem: str) -> None:
    with pytest.raises(RecordError) as error:
        TournamentRecord.from_text(text)
    assert problem in str(error.value)
    code, output = told(text)
    assert code == 2
    assert problem in " ".join(output.split())


def test_events_that_cannot_be_read_name_their_line() -> None:
    lines = lines_of(swiss_of_nine().record())
    for changed, problem in (
        ("[]\n", "line 3: an event is an object"),
        ("{\n", "line 3 is not JSON"),
        (lines[2].replace('"n":2', '"n":7'), "line 3: event 7 stands where event 2 belongs"),
        (lines[2].replace('"type":"enter"', '"type":"win"'), "line 3: there is no action 'win'"),
        (lines[2].replace('"actor":"p1"', '"actor":1'), "line 3: actor must be str"),
        (lines[2].replace('"n":2', '"n":2,"dice":1'), "line 3: an event has no field 'dice'"),
    ):
        with pytest.raises(RecordError) as error:
            TournamentRecord.from_text("".join((*lines[:2], changed, *lines[3:])))
        assert str(error.value).startswith(problem)


def test_a_record_that_was_cut_off_loads_up_to_its_last_whole_line() -> None:
    text = swiss_of_nine().record()
    cut = TournamentRecord.from_text(text[:-9])
    assert len(cut.events) == len(lines_of(text)) - 2
    assert cut.damage == f"line {len(lines_of(text))} was cut off; what stands before it is whole"
    whole = TournamentRecord.from_text(text[:-1])
    assert whole.damage is None


def test_the_example_of_an_event() -> None:
    """The form that the site, its API and its feeds have in common."""
    course = Course(settings_of("swiss", inside="halves")).open(6).start()
    course.pair()
    course.play(1, 5, 3)
    course.pair()
    data = json.loads(json.dumps(course.events[-1].to_data()))
    assert data["action"] == {
        "type": "pair",
        "round": 2,
        "pairs": [[1, 3], [5, 4], [2, 6]],
        "bye": None,
        "matches": ["m3", "m4", "m5"],
    }
    assert list(data) == ["n", "at", "actor", "action", "then"]
    assert data["then"] == {"cost": "0 0 0 4 0 1 1"}


def test_a_record_may_hold_what_requests_are_refused_for_by_now() -> None:
    course = Course(settings_of("swiss", club="mo\u2066da")).open(4).start()
    course.do(DIRECTOR, do.MuteAction(id="\u2066", reason="spam"))
    assert TournamentRecord.from_text(course.record()).replay() == course.state
