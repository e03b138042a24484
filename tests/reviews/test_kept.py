"""Reviews that are kept, and positions found in them: `sheshbesh search`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sheshbesh.cli.main import cli
from sheshbesh.errors import RecordError
from sheshbesh.reviews import Report, review
from sheshbesh.reviews.search import Wanted
from sheshbesh.reviews.shelf import Shelf
from tests.records.help import sample
from tests.reviews.test_review import short_text


@pytest.fixture(scope="module")
def report() -> Report:
    match = sample("galaxy_xg_style.txt")
    games = (match.games[1], match.games[3])
    return review(replace(match, games=games), plies=0, workers=1, file="league.txt")


@pytest.fixture
def shelf(report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    shelf = Shelf(tmp_path / "sheshbesh" / "reviews")
    shelf.keep(report)
    return shelf


def search(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["search", "--lang", "en", *map(str, arguments)])


def test_a_match_is_kept_once_and_as_deep_as_it_was_ever_looked_at(report: Report, shelf: Shelf) -> None:
    shelf.keep(replace(report, plies=2, players=("", "")))
    shelf.keep(report)
    (kept,) = shelf.reviews()
    assert (kept.plies, kept.players, kept.file) == (2, ("", ""), "league.txt")
    assert len(shelf.report(kept).decisions) == len(report.decisions)


def test_the_largest_losses_come_first_and_all_of_them_are_found(report: Report, shelf: Shelf) -> None:
    found = shelf.find("backgammon", Wanted())
    assert len(found) == len(report.decisions)
    assert [each.outline.loss for each in found] == sorted(
        (each.outline.loss for each in found), reverse=True
    )
    for each in found:
        judged = report.decisions[each.n]
        assert (each.board, each.dice, each.played) == (judged.board, judged.dice, judged.played)
    assert not shelf.find("tapa", Wanted())
    of_one = shelf.find("backgammon", Wanted(), "ANNA")
    assert of_one and {each.player for each in of_one} == {"anna"}


def test_a_play_that_was_taken_back_is_not_found_and_makes_no_other_match(
    report: Report, shelf: Shelf
) -> None:
    n, made = next((n, each) for n, each in enumerate(report.decisions) if each.decision.kind == "play")
    decisions = (*report.decisions[:n], replace(made, tried=True), *report.decisions[n:])
    shelf.keep(replace(report, plies=2, decisions=decisions))
    (kept,) = shelf.reviews()
    again = shelf.report(kept).decisions
    found = shelf.find("backgammon", Wanted())
    assert (len(found), len(again)) == (len(report.decisions), len(report.decisions) + 1)
    for each in found:
        judged = again[each.n]
        assert (each.number, each.side, each.board, each.played, judged.tried) == (
            judged.number, judged.side, judged.board, judged.played, False,
        )  # fmt: skip


def test_what_positions_are_found_by_is_made_again_where_it_is_missing_or_damaged(shelf: Shelf) -> None:
    before = shelf.find("backgammon", Wanted())
    (positions,) = shelf.folder.glob("*.positions.json")
    for text in (None, "{", '{"format": "other"}', "[" * 100_000):
        positions.unlink() if text is None else positions.write_text(text)
        assert shelf.find("backgammon", Wanted()) == before
    (shelf.folder / "000.review.json").write_text("damaged")
    assert shelf.find("backgammon", Wanted()) == before


def test_a_review_that_is_forgotten_is_gone_with_its_positions(shelf: Shelf) -> None:
    with pytest.raises(RecordError, match="0 reviews"):
        shelf.remove("zz")
    assert "is forgotten" in search("--delete", shelf.reviews()[0].id[:6]).output
    assert not list(shelf.folder.iterdir())
    assert "No reviews are kept yet" in search().output


@pytest.mark.usefixtures("shelf")
def test_the_program_finds_positions_by_kind_theme_pattern_count_and_loss() -> None:
    def told(*arguments: object) -> list[dict[str, object]]:
        result = search("--json", "--limit", 500, *arguments)
        assert result.exit_code == 0, result.output
        found: list[dict[str, object]] = json.loads(result.stdout)
        return found

    whole = told()
    assert {each["kind"] for each in told("--kind", "take")} == {"take"}
    assert 0 < len(told("--theme", "holding")) < len(whole)
    assert all("holding" in str(each["themes"]) for each in told("--theme", "holding", "--theme", "prime"))
    assert all(float(str(each["loss"])) >= 0.08 for each in told("--loss", 0.08))
    assert 0 < len(told("--back", 3)) < len(whole) > len(told("--points", "6=made,20=their_blot")) > 0
    assert told("--pins", 1) == told("--head", 1) == told("--player", "nobody") == []


@pytest.mark.usefixtures("shelf")
def test_the_program_draws_what_it_has_found_and_says_why() -> None:
    told = search("--loss", 0.08, "--limit", 1, "--boards").output
    assert "positions, the largest loss first" in told and "+-13--14-" in told and "was better" in told
    assert "anna against boris, game 4, decision 13, Prime, Blitz" in told
    assert "league.txt" in search("--list").output


@pytest.mark.usefixtures("shelf")
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--theme", "pin"], "has no positions of the kind pin"),
        (["--points", "25=made"], "a point is asked for as"),
        (["chess"], "no game is called"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused_with_a_reason(arguments: list[str], reason: str) -> None:
    result = search(*arguments)
    assert result.exit_code and reason in result.output + str(result.exception)


def test_a_review_is_kept_unless_one_says_no_or_the_folder_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "short.mat"
    file.write_text(short_text())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    asked = ["review", str(file), "--plies", "0", "--workers", "1", "--json"]
    assert CliRunner().invoke(cli, [*asked, "--no-keep"]).exit_code == 0
    assert not (tmp_path / "data").exists()
    assert CliRunner().invoke(cli, asked).exit_code == 0
    assert str(file) in search("--list").output
    monkeypatch.setenv("XDG_DATA_HOME", str(file))
    result = CliRunner().invoke(cli, asked)
    assert (result.exit_code, result.stderr) == (0, "")


def test_what_drill_reviews_is_kept_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "short.mat"
    file.write_text(short_text())
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    # Two plies take seconds, and what is kept does not depend on them.
    monkeypatch.setattr(
        "sheshbesh.reviews.review", lambda match, *, plies, file: review(match, plies=0, workers=1, file=file)
    )
    asked = ["drill", str(file), "--player", "White", "--lang", "en", "--list"]
    assert CliRunner().invoke(cli, [*asked, "--no-keep"]).exit_code == 0
    assert "No reviews are kept yet" in search("--list").output
    assert CliRunner().invoke(cli, asked).exit_code == 0
    assert file.name in search("--list").output
