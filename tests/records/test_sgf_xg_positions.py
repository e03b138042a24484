"""SGF, XG's binary files and single positions."""

from __future__ import annotations

import zlib
from dataclasses import replace

import pytest

from sheshbesh.errors import RecordError
from sheshbesh.records import FORMS, PlayEvent, format_match, read_match
from sheshbesh.records.xg_container import RECORD, members
from tests.records.help import DATA, games, kinds, plays, read, sample


def test_a_roll_that_gnubg_stored_as_not_played_has_no_play() -> None:
    text = "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[anna]PB[boris]RE[B+1R];W[31hefe];PL[B]DI[62])"
    match = read(text)
    assert plays(match) == [("31", "8/5 6/5", True), ("62", None, True)]
    assert kinds(match)[-2:] == ["resign", "result"]


def test_letters_are_whites_points_and_blacks_from_the_other_end() -> None:
    match = read("(;GM[6]MI[length:0];W[51xwmh];B[61lrqr];W[44])")
    assert plays(match)[:2] == [("51", "24/23 13/8", True), ("61", "13/7 8/7", True)]


def test_analysis_has_candidates_cube_and_luck() -> None:
    match = sample("analysed.sgf")
    assert match.analysed_by is not None
    first = match.analysis[0]
    assert (first.kind, first.played, first.candidates[0].play) == ("play", 0, "24/23 13/9")
    assert first.candidates[0].equity == -0.005905
    cubes = [each for each in match.analysis if each.kind == "take"]
    assert cubes
    assert all(each.cube is not None for each in cubes)


def test_variations_beside_the_main_line_are_left_out() -> None:
    match = read("(;GM[6]MI[length:3](;W[31hefe];B[62arlr])(;W[42]))")
    assert [dice for dice, _, _ in plays(match)] == ["31", "62"]


@pytest.mark.parametrize("text", ["(;GM[1];B[aa])", "(;GM[6", "(;GM[6];W[31hefe]", "(" * 500, "(;" * 500])
def test_a_broken_or_foreign_game_tree_is_one_clear_error(text: str) -> None:
    with pytest.raises(RecordError):
        read(text)


def test_xg_binary_files_are_read_with_names_and_analysis() -> None:
    match = sample("four_ways.xg")
    assert match.players == {"white": "anna", "black": "boris"}
    assert match.analysed_by == "eXtreme Gammon"
    assert sum(each.kind == "play" for each in match.analysis) == 331
    assert [each.depth for each in match.analysis[0].candidates[:2]] == ["Book", "Book"]


def test_a_binary_file_that_is_cut_off_is_one_clear_error() -> None:
    data = (DATA / "four_ways.xg").read_bytes()
    for size in (4, 11, 100, 8231, 8232, 9000, len(data) - 1):
        with pytest.raises(RecordError):
            read_match(data[:size])


def test_a_binary_file_that_unpacks_without_end_is_refused() -> None:
    head = (DATA / "four_ways.xg").read_bytes()[:8232]
    with pytest.raises(RecordError, match="unpacks to more"):
        read_match(head + zlib.compress(bytes(200 * 2**20)))


def test_a_binary_file_saved_in_the_middle_of_a_game_has_an_unfinished_game() -> None:
    data = (DATA / "four_ways.xg").read_bytes()
    main = max(members(data), key=len)
    cut = main[: 20 * RECORD]
    match = read_match(data[:8232] + zlib.compress(cut))
    assert len(match.games) == 1
    assert match.games[0].result is None


def test_behind_a_roll_that_no_dice_show_a_binary_file_gives_the_board() -> None:
    data = (DATA / "four_ways.xg").read_bytes()
    main = bytearray(max(members(data), key=len))
    rolls = [at for at in range(0, len(main), RECORD) if main[at + 8] == 3]
    for at in rolls[2:4]:
        main[at + 100 : at + 104] = (7).to_bytes(4, "little")
    match, whole = read_match(data[:8232] + zlib.compress(bytes(main))), sample("four_ways.xg")
    known = [event for event in whole.games[0].events if isinstance(event, PlayEvent)]
    told = [event for event in match.games[0].events if isinstance(event, PlayEvent)]
    assert told == known[:2] + known[4:]
    assert len([each for each in match.repairs if "no dice show" in each.reason]) == 2
    assert match.games[0].unknown == ()
    first = replace(match, games=match.games[:1], analysis=())
    for form in FORMS:
        assert games(read_match(format_match(first, form))) == games(first)


def test_comments_of_a_binary_file_stand_behind_what_they_are_about() -> None:
    data = (DATA / "four_ways.xg").read_bytes()
    main = bytearray(max(members(data), key=len))
    index = next(at for at in range(0, len(main), RECORD) if main[at + 8] == 3)
    main[index + 2524 : index + 2528] = (0).to_bytes(4, "little")
    rtf = (
        rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}"
        + b"\x01\x02"
        + rb"\pard\fs20\f0 tr\'e8s dur\par"
        + b"\x01\x02}\r\n"
    )
    match = read_match(data[:8232] + zlib.compress(bytes(main)) + zlib.compress(rtf))
    assert match.games[0].events[1].to_data() == {"type": "comment", "text": "très dur"}


def test_a_single_position_of_xg_keeps_what_was_said_about_it() -> None:
    data = (DATA / "four_ways.xg").read_bytes()
    main = max(members(data), key=len)
    parts = [bytearray(main[at : at + RECORD]) for at in range(0, len(main), RECORD)]
    index = next(i for i, part in enumerate(parts) if part[8] == 3 and i > 12)
    parts[1][21:47] = parts[index][9:35]
    parts[index][35:61] = bytes(26)
    parts[index][68:100] = bytes(32)
    match = read_match(data[:8232] + zlib.compress(b"".join((*parts[:2], parts[index]))))
    assert match.format == "position"
    assert kinds(match) == ["setposition", "play"]
    (decision,) = match.analysis
    assert decision.candidates
    assert not decision.counted


def test_a_position_text_is_read_in_every_language() -> None:
    play = sample("bgblitz_play.txt")
    assert (play.format, play.dialect) == ("position", "bgblitz")
    assert [each.play for each in play.analysis[0].candidates][:2] == ["19/18 14/12", "19/18 3/1"]
    cube = sample("bgblitz_cube.txt").analysis[0].cube
    assert cube is not None
    assert (cube.no_double, cube.double_take, cube.double_drop) == (0.585, 0.625, 1.0)


@pytest.mark.parametrize("comma", [".", ","])
@pytest.mark.parametrize(
    "labels",
    [
        ("No double", "Double/Take", "Double/Pass"),
        ("Pas de double", "Double/Prend", "Double/Passe"),
        ("Nicht Doppeln", "Doppeln/Annehmen", "Doppeln/Ablehnen"),
        ("ノーダブル", "ダブル/テイク", "ダブル/パス"),
    ],
)
def test_xgs_cube_is_read_by_its_numbers(labels: tuple[str, str, str], comma: str) -> None:
    none, take, drop = labels
    text = (
        "XGID=-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10\n\nX:anna   O:boris\n"
        f"x: 61.38% (G:24.55% B:1.88%)\nx: 38.62% (G:13.14% B:0.46%)\n\nx\n"
        f"       {none}: +0.580 (-0.109)\n       {take}:  +0.689\n       {drop}:  +1.000 (+0.311)\n"
    )
    match = read(text.replace(".", comma))
    assert match.players == {"white": "anna", "black": "boris"}
    cube = match.analysis[0].cube
    assert cube is not None
    assert (cube.no_double, cube.double_take, cube.double_drop) == (0.58, 0.689, 1.0)
    assert cube.chances == pytest.approx((0.6138, 0.2455, 0.0188, 0.1314, 0.0046))


def test_ids_are_positions_too() -> None:
    start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"
    (event,) = games(read(start))[0]["events"]
    assert event == {"type": "setposition", "side": "white", "position": start}
    match = read("4HPwATDgc/ABMA:cAkAAAAAAAAA")
    assert match.length is None
    assert games(match)[0]["events"][0]["side"] == "black"
