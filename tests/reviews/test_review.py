"""Whole matches judged, at 0 and 1 plies: the laws of the numbers, and that nothing changes a bit of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from math import fsum
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.engines import make_engine
from sheshbesh.errors import RecordError, StoppedError, WorkError
from sheshbesh.players.coach import Coach
from sheshbesh.records import Match, match_statistics, read_match
from sheshbesh.reviews import Job, Portions, Progress, Report, partial, read_review, review, start_review
from sheshbesh.session import PlayAction, Session
from tests.records.help import read, sample
from tests.records.test_write import played

ROWS = (
    ("61: 13/7 8/7", "42: 24/20 13/11"),
    ("53: 8/3 6/3", "66: 13/7(2) 8/2(2)"),
    ("31: 24/20", "Doubles => 2"),
    ("Takes", "21: 6/4 8/7"),
    ("64: 24/14*", "Wins 2 points"),
)
"""A short game: cells of the side that begins, and of the other."""


def short(*, mirrored: bool = False) -> Match:
    """The short game, by White or, with the columns exchanged, by Black."""
    return read(short_text(mirrored=mirrored))


def short_text(*, mirrored: bool = False) -> str:
    """The file of the short game."""
    lines = [" 3 point match", "", " Game 1", f" {'anna : 0':<34}boris : 0"]
    cells = [cell for row in ROWS for cell in row]
    if mirrored:
        cells.insert(0, "")
        lines[-1] = f" {'boris : 0':<34}anna : 0"
    cells += [""] * (len(cells) % 2)
    pairs = zip(cells[::2], cells[1::2], strict=True)
    return "\n".join([*lines, *(f"{n:3}) {a:<33}{b}" for n, (a, b) in enumerate(pairs, 1))]) + "\n"


@pytest.fixture(scope="module")
def analysed() -> tuple[Match, Report]:
    match = sample("analysed.sgf")
    return match, review(match, plies=0, workers=1)


@pytest.fixture(scope="module")
def quick() -> Report:
    return review(short(), plies=0, workers=1)


def test_what_is_counted_is_what_gnu_backgammon_counts(analysed: tuple[Match, Report]) -> None:
    match, report = analysed
    theirs, ours = match_statistics(match), report.statistics("gnubg")
    for left, right in zip(theirs.players, ours.players, strict=True):
        for name in ("total", "unforced"):
            assert left["moves"][name] == right["moves"][name]
        for name in ("total", "doubles", "takes", "passes"):
            assert left["cube"][name] == right["cube"][name]


def test_the_luck_is_that_of_gnu_backgammon(analysed: tuple[Match, Report]) -> None:
    match, report = analysed
    theirs = {(each.game, each.event): each.luck for each in match.analysis if each.kind == "play"}
    pairs = [
        (luck, each.luck)
        for each in report.decisions
        if (luck := theirs.get((each.game, each.decision.event))) is not None and each.luck is not None
    ]
    assert len(pairs) > 90
    xs, ys = zip(*pairs, strict=True)
    mx, my = fsum(xs) / len(xs), fsum(ys) / len(ys)
    cross = fsum((x - mx) * (y - my) for x, y in pairs)
    assert cross**2 / fsum((x - mx) ** 2 for x in xs) / fsum((y - my) ** 2 for y in ys) > 0.97**2


def test_the_losses_of_the_decisions_add_up_to_the_statistics(analysed: tuple[Match, Report]) -> None:
    data = analysed[1].to_data()
    for side, player in zip(("white", "black"), data["statistics"]["players"], strict=True):
        own = [each for each in data["decisions"] if each["side"] == side]
        plays = [each for each in own if each["type"] == "play"]
        counted = [each for each in own if each["counted"]]
        assert len(plays) == player["moves"]["total"]
        assert sum(each["counted"] for each in plays) == player["moves"]["unforced"]
        for kind, name in (([each for each in counted if each["type"] == "play"], "moves"),):
            assert fsum(each["loss"] or 0 for each in kind) == pytest.approx(
                player[name]["error_emg"], abs=1e-12
            )
        cube = [each["loss"] or 0 for each in counted if each["type"] != "play"]
        assert fsum(cube) == pytest.approx(player["cube"]["error_emg"], abs=1e-12)
        luck = fsum(each["luck"] or 0 for each in plays)
        assert luck == pytest.approx(player["luck"]["emg"], abs=1e-12)


def test_every_decision_is_told_as_the_contract_says(analysed: tuple[Match, Report]) -> None:
    data = json.loads(json.dumps(analysed[1].to_data()))
    assert set(data) == {"file", "engine", "statistics", "decisions"}
    assert data["engine"]["plies"] == 0 and len(data["engine"]["net"]) == 64
    rolls = [
        event for game in analysed[0].games for event in game.to_data()["events"] if event["type"] == "play"
    ]
    plays = [each for each in data["decisions"] if each["type"] == "play"]
    assert [(each["dice"], each["played"], each["position"]) for each in plays] == [
        (event["dice"], event["play"], event["position"]) for event in rolls if event["play"] is not None
    ]
    assert any(each["played"] == "" for each in plays), "a dance is a decision, too"
    for each in data["decisions"]:
        assert list(each) == [
            "game", "number", "side", "type", "dice", "position", "played", "best", "loss", "verdict",
            "reason", "luck", "counted",
        ]  # fmt: skip
        assert (each["loss"] is None) == (not each["counted"])
        assert each["loss"] is None or each["loss"] >= 0
        assert each["verdict"] in ("best", "fine", "inaccuracy", "error", "blunder", None)
        assert (each["dice"] is None) == (each["luck"] is None) == (each["type"] != "play")
        if each["type"] != "play":
            assert each["best"] in ("double", "no_double", "take", "drop", "beaver")
    numbers = [each["number"] for each in data["decisions"]]
    assert numbers == sorted(numbers) and set(numbers) == set(range(1, numbers[-1] + 1))


def test_a_match_with_the_columns_exchanged_has_the_numbers_exchanged(quick: Report) -> None:
    other = review(short(mirrored=True), plies=0, workers=1)
    here, there = (each.statistics("gnubg", bars=True).players for each in (quick, other))
    for left, right in zip(here, reversed(there), strict=True):
        assert _numbers(left) == pytest.approx(_numbers(right), abs=1e-9)
        assert left["name"] == right["name"]
    assert [each.played for each in quick.decisions] == [each.played for each in other.decisions]


def _numbers(player: object) -> list[float]:
    if isinstance(player, dict):
        return [number for each in player.values() for number in _numbers(each)]
    return [float(player)] if isinstance(player, int | float) else []


def test_the_sums_of_a_match_are_those_of_its_games() -> None:
    match = sample("four_ways.mat")
    match = replace(match, games=match.games[:2])
    whole = review(match, plies=0, workers=1)
    parts = [
        Report.of(
            match,
            [each for each in whole.decisions if each.game == game.number],
            file="",
            plies=0,
            net=whole.net,
            approximate=False,
            complete=True,
        )
        for game in match.games
    ]
    for side in (0, 1):
        for group, name in (
            ("moves", "unforced"),
            ("moves", "error_emg"),
            ("cube", "close"),
            ("luck", "mwc"),
        ):
            games = [part.statistics().players[side][group][name] for part in parts]
            assert fsum(games) == pytest.approx(whole.statistics().players[side][group][name])


def test_an_annotated_match_has_the_same_numbers_when_it_is_read_again(tmp_path: Path) -> None:
    match = sample("xg.txt")
    report = review(match, plies=0, workers=1)
    sb.write_match(report.annotated(match), tmp_path / "a.sgf")
    back = match_statistics(sb.read_match(tmp_path / "a.sgf"))
    for here, there in zip(report.statistics().players, back.players, strict=True):
        for name in ("total", "unforced", "doubtful", "bad", "very_bad"):
            assert here["moves"][name] == there["moves"][name]
        assert there["moves"]["error_emg"] == pytest.approx(here["moves"]["error_emg"], abs=1e-4)
        assert there["cube"]["error_emg"] == pytest.approx(here["cube"]["error_emg"], abs=1e-4)
        assert there["luck"]["emg"] == pytest.approx(here["luck"]["emg"], abs=1e-3)


# The same to the bit


def test_the_number_of_workers_changes_nothing(quick: Report) -> None:
    match = short()
    alone, shared = (review(match, plies=1, workers=workers) for workers in (1, 2))
    assert alone == shared
    assert alone != quick


def test_a_review_that_broke_off_goes_on_with_the_same_result(tmp_path: Path) -> None:
    match, state = short(), tmp_path / "a.partial"
    whole = review(match, plies=1, workers=1)
    asked: list[Progress] = []
    for done, plies in ((2, 0), (3, 1), (5, 1)):

        def broken(progress: Progress, done: int = done, plies: int = plies) -> None:
            if (progress.done, progress.plies) == (done, plies):
                raise InterruptedError("the power failed")

        with pytest.raises(InterruptedError):
            review(match, plies=1, workers=1, progress=broken, state=state)
        assert state.exists()
    text = state.read_text()
    state.write_text(text[: len(text) - 9])  # the last line was not written as a whole
    report = review(match, plies=1, workers=1, progress=asked.append, state=state)
    assert report == whole
    assert min(each.done for each in asked if each.plies == 1) == 4, "what was judged is not judged again"
    assert not state.exists()


def test_a_stopped_job_has_what_it_has_judged() -> None:
    def told(progress: Progress) -> None:
        if progress.done == 3:
            started.wait()
            jobs[0].stop()

    started, jobs = Event(), list[Job]()
    jobs.append(start_review(short(), plies=0, workers=1, progress=told))
    started.set()
    with pytest.raises(StoppedError, match="before it was complete"):
        jobs[0].report()
    part = jobs[0].report(wait=False)
    assert (len(part.decisions), part.complete) == (3, False)


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"review": 3}\n', "[]", "\x00", "[" * 100_000])
def test_a_state_file_of_something_else_is_refused_and_kept(text: str, tmp_path: Path) -> None:
    state = tmp_path / "a.partial"
    state.write_text(text)
    with pytest.raises(RecordError, match="partial review"):
        review(short(), plies=0, workers=1, state=state)
    assert state.read_text() == text


def test_a_review_comes_back_from_its_file_as_it_was(quick: Report, tmp_path: Path) -> None:
    quick.save(tmp_path / "a.review.json")
    back = read_review(tmp_path / "a.review.json")
    assert back == quick
    assert back.to_data() == quick.to_data()
    for text in ("", "{}", '{"format": "sheshbesh-review", "version": 9}', "[1]", "[" * 100_000):
        (tmp_path / "b.json").write_text(text)
        with pytest.raises(RecordError):
            read_review(tmp_path / "b.json")


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(WorkError, match="no cluster answers at tcp://127"):
        sb.start_review(short(), cluster="tcp://127.0.0.1:1")
    with pytest.raises(ValueError, match="plies"):
        sb.review(short(), plies=9)
    with pytest.raises(ValueError, match="one worker or more"):
        sb.review(short(), workers=0)


# Every game


@pytest.mark.parametrize("game", sb.variants())
def test_every_game_has_a_report_with_lines_for_a_cube_only_where_there_is_one(game: str) -> None:
    match = read_match(played(f"{game}.p1", 14).to_text().encode())
    report = review(match, plies=0, workers=1)
    cube = sb.variant(game).axes["cube"]["use"]
    assert sum(each.decision.kind == "play" for each in report.decisions) > 3
    text = report.to_text()
    assert not cube or match.length == 1 or "cube" in text
    assert cube or "cube" not in text.casefold()
    for each in report.decisions:
        assert each.loss >= 0


@pytest.mark.parametrize("code", ["backgammon.p5", "tawla31.p1", "long_nardy.p1", "acey_deucey.p1"])
def test_the_tutor_and_the_review_judge_alike(code: str) -> None:
    record = played(code, 30, seed=2)
    report = review(read_match(record.to_text().encode()), plies=0, workers=1)
    judged = [each for each in report.decisions if each.decision.unforced]
    coach = Coach(make_engine(record.header.card.rules), plies=0)
    state: Session = record.header.session()
    said = []
    for event in record.events:
        if isinstance(event.action, PlayAction):
            verdict = coach.verdict(state, event)
            said += [] if verdict is None else [(verdict.grade, verdict.loss)]
        state = record.header.follow(state, event).state
    assert len(said) > 5
    assert [grade for grade, _ in said] == [each.verdict for each in judged]
    assert [loss for _, loss in said] == pytest.approx([each.loss for each in judged], abs=1e-12)


# Words


def test_every_number_of_a_reason_is_one_of_the_decision(analysed: tuple[Match, Report]) -> None:
    told = [each for each in analysed[1].decisions if each.loss > 0]
    assert len(told) >= 10
    for each in told:
        numbers = {f"{each.loss:.3f}"}
        numbers |= set(re.findall(r"\d+(?:\.\d+)?", f"{each.best} {each.played}"))
        for reason in each.reasons:
            values = (reason.mine, reason.other, abs(reason.mine - reason.other))
            numbers |= {form.format(value) for value in values for form in ("{:.0f}", "{:.1f}", "{:.2f}")}
            numbers |= {f"{100 * value:.1f}" for value in values} | {"36"}
            numbers |= {str(point) for point in (*reason.gained, *reason.lost)}
        if (cube := each.decision.cube) is not None:
            equities = (cube.no_double, cube.best_double, cube.double_take, cube.double_drop)
            numbers |= {f"{abs(value):.3f}" for value in equities}
        said = re.findall(r"\d+(?:\.\d+)?", each.reason)
        assert said and set(said) <= numbers, each.reason
        assert each.reason.endswith(".")


def test_a_review_in_portions_is_the_review(tmp_path: Path, quick: Report) -> None:
    of = Portions(short(), 0)
    judged: dict[int, dict[str, Any]] = {}
    missing = list(range(of.total))
    while missing:
        done = of.judge(missing, 0.0)
        assert len(done) == 1, "no time is left for a second one"
        judged |= dict(json.loads(json.dumps(done)))
        missing = [place for place in missing if place not in judged]
    state = tmp_path / "partial"
    state.write_bytes(partial(of.key, 0, judged))
    told: list[Progress] = []
    job = start_review(short(), plies=0, workers=1, state=state, progress=told.append)
    assert job.report().to_data() == quick.to_data()
    assert told == [Progress(of.total, of.total, 0)], "nothing was judged again"
    with pytest.raises(RecordError, match="none at place"):
        of.judge([of.total], 1.0)


def test_nothing_is_said_of_what_was_decided_on_an_unknown_board() -> None:
    text = short_text().replace("66: 13/7(2) 8/2(2)", "66: 22/16(2) 13/7(2)")
    report = review(read(text), plies=0, workers=1)
    whole = review(short(), plies=0, workers=1)
    known = [each for each in report.decisions if each.decision.counted]
    assert [each.to_data() for each in known] == [each.to_data() for each in whole.decisions[: len(known)]]
    (unmakeable,) = (each for each in report.decisions if not each.decision.counted)
    assert (unmakeable.verdict, unmakeable.luck, unmakeable.counted_loss()) == (None, None, None)
    assert report.decisions[-1] is unmakeable
    assert report.left_out == (3, 3)
    assert "6 decisions are left out" in report.to_text()
    assert report.statistics().to_data()["left_out"] == [3, 3]
