"""Statistics from the analysis that stands in a file, against what gnubg printed for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sheshbesh.errors import RecordError
from sheshbesh.records import match_statistics, outcomes_of, statistics
from sheshbesh.rules import Side
from tests.records.help import DATA, sample
from tests.records.printed import differences


@pytest.mark.parametrize("name", ["analysed", "analysed_2ply"])
def test_every_number_is_what_gnubg_printed(name: str) -> None:
    players = match_statistics(sample(f"{name}.sgf")).players
    assert differences(players, DATA / f"{name}.out") == []


def test_a_number_that_is_not_what_gnubg_printed_is_found() -> None:
    players = match_statistics(sample("analysed.sgf")).players
    wrong = {**players[0], "moves": {**players[0]["moves"], "unforced": 7, "error_emg": 0.1}}
    found = differences([wrong, players[1]], DATA / "analysed.out")
    assert [each.split(":")[0] for each in found] == ["Unforced moves", "Chequerplay EMG"]


def test_the_statistics_of_the_games_add_up_to_those_of_the_match() -> None:
    match = sample("four_ways.xg")
    whole = statistics(match.analysis).players
    parts = [
        statistics([each for each in match.analysis if each.game == game.number]).players
        for game in match.games
    ]
    for side in (0, 1):
        assert sum(part[side]["moves"]["unforced"] for part in parts) == whole[side]["moves"]["unforced"]
        added = sum(part[side]["cube"]["error_emg"] for part in parts)
        assert added == pytest.approx(whole[side]["cube"]["error_emg"])


def test_a_mirrored_match_swaps_the_columns() -> None:
    match = sample("analysed.sgf")
    turned = [replace(each, side=each.side.other) for each in match.analysis]
    lost = [replace(each, points=-each.points, mwc=-each.mwc) for each in outcomes_of(match)]
    one = statistics(match.analysis, outcomes_of(match), length=5).players
    other = statistics(turned, lost, length=5).players
    assert (one[0], one[1]) == (other[1], other[0])


def test_xgs_rule_gives_the_rating_that_gammonview_counts() -> None:
    """gammonview 3.1.0 on the original of this file: 7.838 over 161 decisions and 13.969 over 139."""
    players = match_statistics(sample("four_ways.xg"), rule="xg").players
    assert [player["decisions"] for player in players] == [161, 139]
    assert [player["pr"] for player in players] == pytest.approx([7.838, 13.969], abs=0.01)
    assert players[0]["elo"] == pytest.approx(2240 - 16500 * players[0]["error"] / 161, abs=20)


def test_snowies_rule_divides_by_the_plays_of_both() -> None:
    gnubg, snowie = (
        match_statistics(sample("analysed.sgf"), rule=rule).players for rule in ("gnubg", "snowie")
    )
    assert [player["rate"] for player in snowie] == [player["snowie"] for player in gnubg]


def test_bars_are_the_standard_errors_of_their_numbers() -> None:
    player = match_statistics(sample("analysed_2ply.sgf"), bars=True).players[0]
    assert player["bars"]["pr"] == pytest.approx(player["bars"]["rate_memg"] / 2)
    assert 0 < player["bars"]["luck_emg"] < 10
    assert "bars" not in match_statistics(sample("analysed_2ply.sgf")).players[0]


def test_decisions_that_do_not_count_stay_out_of_the_sums() -> None:
    match = sample("analysed.sgf")
    kept = [replace(each, counted=each.side is not Side.WHITE) for each in match.analysis]
    assert statistics(kept).players[0]["moves"]["total"] == 0


def test_a_file_without_analysis_has_no_statistics() -> None:
    with pytest.raises(RecordError, match="no analysis"):
        match_statistics(sample("xg.txt"))


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(RecordError, match="expected gnubg, xg, snowie"):
        statistics([], rule="jelly")
