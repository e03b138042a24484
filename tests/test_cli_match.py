"""`sheshbesh play` over whole matches: cube, clock, offers, records, and taking them up again."""

from __future__ import annotations

import os
import random
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sheshbesh as sb
from sheshbesh.cli.terminal import session_loop
from sheshbesh.cli.terminal.record_files import LockedRecord
from sheshbesh.fairdice import verify_transcript
from sheshbesh.session import Phase, RecordFile, Session
from tests.cli_help import FakeTime, run
from tests.lots import lots_from
from tests.sizes import sampled_games

pytestmark = pytest.mark.usefixtures("archive")

GAMES = sb.variants()

FORWARD = ("l", "1", "", "take", "y")
"""Whatever is asked, one of these answers it."""


def play(*words: str, lines: Iterable[str] = ()) -> Result:
    return run("play", *words, lines=lines)


def said(result: Result) -> str:
    """The output as running text, whatever the line breaks."""
    return " ".join(result.output.split())


def widest(result: Result) -> int:
    """The longest line, but for paths, which belong to the user."""
    return max(len(line) for line in result.output.splitlines() if not line.startswith(("    /", "Record: ")))


def records(archive: Path) -> list[Path]:
    return sorted(archive.glob("*.jsonl"))


def replayed(path: Path) -> Session:
    record = RecordFile(path).load()
    assert record.damage is None
    return record.replay()


# --- whole matches ----------------------------------------------------------------------------------


def test_a_match_with_the_cube_is_played_to_the_end_and_its_dice_hold(archive: Path) -> None:
    result = play("hypergammon", "--match", "3", lines=FORWARD * 60)
    text = said(result)
    assert result.exit_code == 0
    assert widest(result) <= 80
    assert "Match to 3, game 1: White 0, Black 0. Cube 1, centred." in text
    assert re.search(r"(White|Black) wins the match \d+ to \d+\.", text)
    (path,) = records(archive)
    state = replayed(path)
    assert state.phase is Phase.OVER
    sheet = result.output.split("Game  White  Black  How")[1].splitlines()[1:]
    assert len([line for line in sheet if re.match(r" +\d+ +\d+ +\d+  ", line)]) == len(state.games)
    assert not path.with_name(path.name + ".secret").exists()
    verdict = verify_transcript(path.read_text("utf-8"))
    assert verdict.ok, verdict.problems
    assert not any("missing" in sentence for sentence in verdict.unproved)
    checked = run("verify-dice", str(path))
    assert checked.exit_code == 0
    assert f"sheshbesh verify-dice \\ {path}" in text


def test_the_crawford_game_is_named_and_the_cube_rests() -> None:
    words = ("--card", "hypergammon.p2", "--opponent", "human", "--seed", "3")
    lines = ["l", "1", "", "resign", "y", "accept", "", "l", "1", "", "l", "1", "", "l", "1", ""]
    first, second = said(play(*words, lines=lines)).split("Score after 1 game:")
    assert "Enter rolls, double offers the cube" in first
    assert "Match to 2, game 2:" in second
    assert second.count("Crawford game: no cube.") > 3
    assert "Enter rolls" not in second


# Every game is played to its end by others; here the record is what may differ.
@pytest.mark.parametrize("name", sampled_games(21, 3))
def test_every_game_is_played_as_a_match_of_games_and_its_record_replays(name: str, archive: Path) -> None:
    play(name, "--games", "1", "--seed", "5", "--no-tutor", lines=FORWARD * 150)
    (path,) = records(archive)
    state = replayed(path)
    assert state.phase is Phase.OVER
    assert state.score.white + state.score.black == 1


def test_money_with_a_beaver_and_a_drop() -> None:
    lines = [
        "6",
        "5",
        "24/13",
        "",
        "double",
        "beaver",
        "take",
        "6-4",
        "24/14",
        "",
        "double",
        "what",
        "",
        "3-1",
    ]
    lines += ["8/5 6/5", "", "", "double", "drop"]
    words = ("--card", "backgammon.m.beavers.dice-typed", "--opponent", "human")
    text = said(play(*words, lines=lines))
    assert "Black doubles: the cube would be at 2." in text
    assert "White: take, drop or beaver> beaver" in text
    assert "White beavers: the cube would be at 4." in text
    assert "Black takes. White owns the cube at 4." in text
    assert "White owns the cube at 4." in text
    assert "White doubles: the cube would be at 8." in text
    assert "Black drops. The game is over: White wins 4 points (drop, cube 4)." in text


def test_without_a_length_games_follow_and_there_is_no_cube(archive: Path) -> None:
    result = play("backgammon", "--seed", "1", lines=["resign", "y", "y", "resign", "y", "n"])
    text = said(result)
    assert "Cube" not in text
    assert "Score after 2 games: White 0, Black 2." in text
    assert "The players end it here. Score: White 0, Black 2." in text
    assert replayed(records(archive)[0]).ending == "draw"
    assert "Cube 1, centred." in play("backgammon", "--money").output


def test_a_seed_makes_the_same_match_again() -> None:
    words = ("hypergammon", "--match", "3", "--seed", "11", "--no-record")
    first, second = (play(*words, lines=FORWARD * 12).output for _ in range(2))
    assert first == second


# --- offers -----------------------------------------------------------------------------------------


def test_offers_between_two_people() -> None:
    lines = ["6", "5", "6-5", "resign gammon", "y", "refuse"]
    lines += ["settle 1", "y", "what", "refuse", "settle -1", "y", "accept"]
    lines += ["y", "3", "5", "draw", "y", "accept"]
    text = said(play("tavla", "--opponent", "human", "--dice", "typed", lines=lines))
    assert "White offers to resign a gammon." in text
    assert "Black declines." in text
    assert "White proposes to settle the game: 1 point for White." in text
    assert "Black: accept or refuse> what Type accept or refuse; ? for help." in text
    assert "White proposes to settle the game: 1 point for Black." in text
    assert "The game is over: Black wins 1 point (settled)." in text


@pytest.mark.parametrize("word", ["pass", ""])
def test_a_closed_out_side_with_its_own_dice_passes_without_a_throw(word: str) -> None:
    """B 46: neither Enter nor the word was understood, and dice were asked for."""
    where = ("--opponent", "human", "--dice", "typed", "--position", "bbbbbb12N4c:w:x1.0")
    text = said(play("backgammon", *where, lines=["what", word, "2-1", "q", "y"]))
    assert "No throw lets White move, so none is made. Enter passes." in text
    assert "Press Enter or type pass; double and resign are possible; ? for help." in text
    assert "White cannot move with any throw, and passes without one. Dice of Black:" in text
    assert "Black 2-1>" in text


def test_a_bot_that_is_closed_out_needs_no_dice_typed_for_it() -> None:
    where = ("--level", "beginner", "--dice", "typed", "--position", "bbbbbb12N4c:w:x1.0", "--side", "black")
    assert "cannot move with any throw, and passes without one." in said(
        play("backgammon", *where, lines=["q", "y"])
    )


def test_a_traditional_match_is_settled_and_ends_drawn() -> None:
    lines = ["6", "5", "6-5", "settle 1", "y", "accept", "y", "draw", "y", "accept"]
    text = said(play("takhte", "--match", "5", "--opponent", "human", "--dice", "typed", lines=lines))
    assert "Propose to end the match here, drawn?" in text
    assert "White proposes to end the match here, drawn." in text
    assert "The players agree on a draw." in text


def test_refused_words_name_the_rule_and_leave_the_turn() -> None:
    lines = ["double", "take", "accept", "draw", "resign koks", "settle", "break"]
    options = ("--match", "3", "--seed", "2", "--option", "agreements=false")
    result = play("takhte", *options, lines=lines)
    for rule in ("cube.none", "turn.not_now", "offer.none", "offer.money_only", "resign.kind"):
        assert f"[{rule}" in said(result)
    assert "This game can be resigned at: single, gammon" in said(result)
    assert "White offers" not in said(result)


def test_a_pause_without_clocks_stops_nothing_and_the_next_word_is_heard() -> None:
    text = said(play("tapa", "--match", "3", "--seed", "2", lines=["pause", "pips"]))
    assert "No clock runs at this table, so there is none to stop." in text
    assert "clocks are stopped" not in text
    assert "Pips to go: White 360, Black 350." in text


def test_a_pause_stops_the_clocks() -> None:
    text = said(play("tapa", "--match", "3", "--clock", "d12-60", "--seed", "2", lines=["pause", "", "p"]))
    assert "White proposes to stop the clocks. Black agrees. The clocks are stopped." in text
    assert "The clocks are running again." in text


# --- the clock --------------------------------------------------------------------------------------


def test_a_fallen_flag_loses_the_match_and_says_so(monkeypatch: pytest.MonkeyPatch, archive: Path) -> None:
    monkeypatch.setattr(session_loop, "monotonic", FakeTime(0.5))
    result = play("tapa", "--match", "3", "--clock", "d1-2", lines=FORWARD * 100)
    assert re.search(r"The time of (White|Black) has run out: (White|Black) wins the match\.", said(result))
    state = replayed(records(archive)[0])
    assert (state.phase, state.ending) == (Phase.OVER, "time")


def test_the_clocks_are_shown_and_whose_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_loop, "monotonic", FakeTime(0.001))
    result = play("tapa", "--match", "3", "--clock", "d12-60", "--seed", "1")
    assert "time 3:00" in result.output
    assert "runs 3:00 +12 s" in result.output
    assert widest(result) <= 80


# --- taking up again --------------------------------------------------------------------------------


def test_an_interrupted_match_goes_on_and_its_dice_still_hold(archive: Path) -> None:
    for number in range(40):
        words = ("hypergammon", "--match", "1") if number == 0 else ("--resume",)
        result = play(*words, lines=FORWARD * 4)
        if "wins the match" in result.output:
            break
    (path,) = records(archive)
    assert replayed(path).phase is Phase.OVER
    verdict = verify_transcript(path.read_text("utf-8"))
    assert verdict.ok, verdict.problems
    assert not any("missing" in sentence or "lost" in sentence for sentence in verdict.unproved)
    again = play("--resume", str(path))
    assert "This match is over." in again.output
    assert "Game  White  Black  How" in again.output
    assert play("--resume").exit_code == 2
    assert "no unfinished match" in said(play("--resume"))


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Records of matches that were left in their third game or so, with their secrets."""
    found = {}
    for dice in ("chains", "strict"):
        path = tmp_path_factory.mktemp("left") / f"{dice}.jsonl"
        words = ("hypergammon", "--match", "25", "--dice", dice, "--no-tutor", "--record", str(path))
        with lots_from(dice):
            play(*words, lines=FORWARD * 40)
        assert RecordFile(path).load().replay().phase is not Phase.OVER
        found[dice] = path
    return found


@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), dice=st.sampled_from(["chains", "strict"]))
def test_a_record_cut_off_anywhere_goes_on_or_says_why_not(
    data: st.DataObject, dice: str, left: dict[str, Path], tmp_path: Path
) -> None:
    whole = left[dice].read_bytes()
    size = data.draw(st.integers(0, len(whole)), label="bytes kept")
    path = tmp_path / "cut.jsonl"
    path.write_bytes(whole[:size])
    shutil.copy(f"{left[dice]}.secret", f"{path}.secret")
    result = play("--resume", str(path), lines=FORWARD * 3)
    if b"\n" not in whole[:size]:
        assert result.exit_code == 2 or "Left at" in result.output or "events" in result.output
        if result.exit_code == 2:
            assert path.read_bytes() == whole[:size]
            return
    assert result.exit_code == 0, result.output
    kept = whole[:size].rpartition(b"\n")[0]
    assert path.read_bytes().startswith(kept)
    if not whole[:size].endswith(b"\n"):
        assert "The record was damaged: the last line" in said(result)
    record = RecordFile(path).load()
    assert record.damage is None
    record.replay()
    assert len(record.events) > kept.count(b"\n")
    verdict = verify_transcript(path.read_text("utf-8"))
    assert verdict.ok, verdict.problems


def test_without_its_secrets_a_match_goes_on_only_where_nothing_was_promised(
    left: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "bare.jsonl"
    shutil.copy(left["chains"], path)
    result = play("--resume", str(path))
    assert result.exit_code == 2
    assert "the secrets of the dice are gone" in said(result)
    lines = left["chains"].read_text("utf-8").splitlines(keepends=True)
    ends = [number for number, line in enumerate(lines, 1) if '"game":{' in line]
    path.write_text("".join(lines[: ends[0]]), encoding="utf-8")
    assert "Enter starts the next game" in play("--resume", str(path)).output


@pytest.mark.parametrize("dice", ["chains", "strict"])
def test_a_players_lost_chain_is_made_anew_and_that_is_marked(
    dice: str, left: dict[str, Path], tmp_path: Path
) -> None:
    """What a record says when the secrets of one player are gone, whatever the moment."""
    whole = left[dice].read_text("utf-8").splitlines(keepends=True)
    chance = random.Random(3)
    went_on = 0
    for _ in range(3):
        path = tmp_path / "lost.jsonl"
        path.write_text("".join(whole[: chance.randrange(5, len(whole))]), encoding="utf-8")
        state = replayed(path)
        table = state.throwing.table
        assert table is not None
        if table.epoch is None:
            continue
        tips = LockedRecord(left[dice]).secrets()
        own = {tip for tip in tips if _belongs(tip, state, "white")}
        assert len(own) == 1
        secret = path.with_name(path.name + ".secret")
        secret.write_text("".join(f"{tip.hex()}\n" for tip in tips - own), encoding="ascii")
        result = play("--resume", str(path), lines=FORWARD * 8)
        assert result.exit_code == 0, result.output
        assert "White's dice continue with new chains" in said(result)
        verdict = verify_transcript(path.read_text("utf-8"))
        assert verdict.ok, verdict.problems
        went_on += len(RecordFile(path).load().events) > state.events + 4
    assert went_on


def _belongs(tip: bytes, state: Session, side: str) -> bool:
    from sheshbesh.fairdice import Chain

    table = state.throwing.table
    assert table is not None and table.epoch is not None
    place = {"white": 1, "black": 2}[side]
    depth, known = table.epoch.depth[place], table.epoch.known[place]
    chain = Chain(tip, length=table.length)
    return (chain.link(depth) if depth else chain.anchor) == known


def test_the_secrets_are_for_their_owner_alone(archive: Path) -> None:
    play("tapa", lines=FORWARD)
    (secret,) = archive.glob("*.secret")
    assert secret.stat().st_mode & 0o777 == 0o600
    text = records(archive)[0].read_text("utf-8")
    assert not any(tip in text for tip in secret.read_text("ascii").split())


def test_a_record_that_is_no_record_or_tells_lies_is_refused(tmp_path: Path, left: dict[str, Path]) -> None:
    path = tmp_path / "x.jsonl"
    for text, why in (
        ("", "empty"),
        ("hello\n", "not JSON"),
        ('{"format":"other"}\n', "must name the format"),
        (left["chains"].read_text("utf-8").replace('"dice":[6,', '"dice":[5,'), "event"),
    ):
        path.write_text(text, encoding="utf-8")
        result = play("--resume", str(path))
        assert result.exit_code == 2
        assert why in said(result)
    assert play("--resume", str(tmp_path / "none.jsonl")).exit_code == 2


def test_nobody_else_plays_a_match_that_is_being_played(archive: Path) -> None:
    play("tapa", lines=FORWARD)
    (path,) = records(archive)
    other = LockedRecord(path)
    assert other.lock()
    assert "another terminal" in said(play("--resume", str(path)))
    assert "another terminal" in said(play("--resume"))
    other.close()
    assert play("--resume").exit_code == 0


def test_a_record_is_not_overwritten_and_one_need_not_be_kept(tmp_path: Path, archive: Path) -> None:
    path = tmp_path / "mine.jsonl"
    assert play("tapa", "--record", str(path), lines=FORWARD).exit_code == 0
    assert path.exists()
    again = play("tapa", "--record", str(path))
    assert again.exit_code == 2
    assert "File exists" in again.output
    play("tapa", "--no-record")
    assert not archive.exists()


def test_a_disk_that_is_full_stops_the_match_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch, archive: Path
) -> None:
    def full(_: int) -> None:
        if written.pop():
            raise OSError(28, "No space left on device")

    written = [True] + [False] * 20
    monkeypatch.setattr(os, "fsync", full)
    result = play("tapa", lines=FORWARD * 20)
    assert result.exit_code == 2
    assert "cannot be written, so the match stops here: No space left on device" in said(result)


def test_where_no_record_can_be_kept_the_game_goes_on(archive: Path) -> None:
    archive.parent.parent.mkdir(parents=True)
    archive.parent.write_text("in the way", encoding="utf-8")
    result = play("tapa")
    assert "No record can be kept in" in said(result)
    assert "Left at position" in result.output


def test_what_was_typed_counts_with_the_confirmed_play(archive: Path) -> None:
    words = ("backgammon", "--dice", "typed", "--opponent", "human")
    result = play(
        *words, lines=["6", "5", "24/13", "", "6-4", "24/20", "6-3", "24/18", "u", "24/15", "", "5-5"]
    )
    assert "Black threw 6-3 and played 24/15" in said(result)
    events = RecordFile(records(archive)[0]).load().events
    typed = [(event.action.first, event.action.second) for event in events if event.action.type == "dice"]  # type: ignore[attr-defined]
    assert typed == [(6, 5), (6, 3)]
    assert "These dice are in the record already" in said(play(*words, lines=["6", "5", "4-3"]))


# --- options ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["tapa", "--match", "0"], "a match is to 1 to 99"),
        (["tapa", "--games", "4"], "must be odd"),
        (["tapa", "--match", "3", "--money"], "choose one"),
        (["tapa", "--clock", "x9"], "is no clock"),
        (["tapa", "--card", "tapa.p3"], "leave the game"),
        (["--card", "tapa.z"], "cannot read 'z'"),
        (["--resume", "x", "--match", "3"], "leave --match out"),
        (["tapa", "--record", "x", "--no-record"], "contradict"),
        (["tapa", "--position", "O22o:w", "--record", "x"], "leave --record out"),
        (["tapa", "--seed", "1", "--dice", "strict"], "choose one"),
    ],
)
def test_wishes_that_cannot_be_are_refused(words: list[str], why: str) -> None:
    result = play(*words)
    assert result.exit_code == 2
    assert why in said(result)
    assert widest(result) <= 80


def test_a_card_is_shown_and_compared() -> None:
    shown = run("card", "takhte", "--match", "5", "--clock", "d12-120")
    code, digest = re.match(r"(\S+)  \((\w{12})\)", shown.output).groups()  # type: ignore[union-attr]
    assert code == "takhte.p5.clock-d12-120"
    assert run("card", code).output == shown.output
    assert "Length: a match to 5 points\n" in shown.output
    assert "Clock: 2:00 a point, 12 s free a turn\n" in shown.output
    both = run("card", code, "takhte.p7.clock-d12-120").output
    assert "Length: a match to 5 points  |  a match to 7 points\n" in both
    assert "Clock" not in both
    assert "say the same" in run("card", code, code).output
    assert run("card", code, "--match", "3").exit_code == 2
    assert run("card", "./mine.toml").exit_code == 2
    assert code in play("--card", code).output
    assert digest in play("--card", code, lines=["?"]).output


def test_a_card_names_no_law_that_its_game_or_length_lacks_and_speaks_the_readers_language() -> None:
    text = run("card", "takhte.p5").output
    assert not re.search("Crawford|Jacoby|Beavers|Automatic|_|settled", text)
    assert "Crawford game: yes" in run("card", "backgammon.p7").output
    assert "Jacoby" not in run("card", "backgammon.p7").output
    assert "Jacoby: yes" in run("card", "backgammon", "--money").output
    for lang in ("fa", "ar"):
        code, said = run("card", "takhte.p5.clock-d12-120", "--lang", lang).output.split("\n\n")
        assert code.startswith("takhte.p5.clock-d12-120  (")
        assert not re.search("[A-Za-z0-9]", said), said


def test_help_shows_the_table() -> None:
    text = play("--card", "tavla.p5", lines=["?"]).output
    assert "Your table: tavla.p5 (" in text
    assert "Length: a match to 5 points;" in text
