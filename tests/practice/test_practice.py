"""Cards from reviewed matches: which there are, what is right, when they come again."""

from __future__ import annotations

import json
import sqlite3
import sys
import zipfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.practice import Deck, PracticeCard, cards_of, write_anki
from sheshbesh.practice.cards import TOLERANCE
from sheshbesh.records import read_match
from sheshbesh.reviews import Report
from sheshbesh.reviews.report import report_from_data
from sheshbesh.session import RetryAction
from tests.records.test_write import played
from tests.session_help import Table

_ROWS = (Path(__file__).parents[1] / "data" / "review" / "choue.txt").read_bytes().splitlines(keepends=True)
MATCH = b"".join(_ROWS[:22] + _ROWS[42:49])
"""The first turns of both games."""
NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def report() -> Report:
    return sb.review(read_match(MATCH), plies=2, workers=1)


@pytest.fixture(scope="session")
def cards(report: Report) -> list[PracticeCard]:
    return list(cards_of(report, "white"))


def test_cards_are_the_confirmed_errors_of_one_side(report: Report, cards: list[PracticeCard]) -> None:
    assert cards and all(card.side is sb.Side.WHITE for card in cards)
    assert all(card.judged.verdict in ("inaccuracy", "error", "blunder") for card in cards)
    assert all(card.loss > 0.02 and card.judged.plies >= 2 for card in cards)
    doubted = [replace(each, verdict=None) for each in report.decisions]
    assert not list(cards_of(replace(report, decisions=tuple(doubted)), "white"))
    shallow = [replace(each, plies=1) for each in report.decisions]
    assert not list(cards_of(replace(report, decisions=tuple(shallow)), "white"))


def test_a_play_that_was_taken_back_is_judged_and_practised_and_counts_nowhere() -> None:
    table = Table("backgammon.p1").begin(3, 1).play("8/5 6/5")
    plain = read_match(table.record().to_text().encode())
    worse = Table("backgammon.p1").begin(3, 1).play("24/23 6/3")
    worse.do("server", RetryAction("white"))
    worse.play("8/5 6/5")
    match = read_match(worse.record().to_text().encode())
    once, twice = (sb.review(each, plies=2, workers=1) for each in (plain, match))
    assert once.statistics() == twice.statistics()
    first, second = twice.decisions
    assert (first.tried, first.decision.counted, first.luck) == (True, False, None)
    assert (second.tried, second) == (False, *once.decisions)
    assert not [each for each in twice.errors() if each.tried]
    assert "Taken back for another try" in twice.to_text()
    assert report_from_data(twice.kept()) == twice
    (card,) = [each for each in cards_of(twice, "white") if each.judged.tried]
    assert card.judged.played == first.played and card.loss > 0.02


def test_the_best_play_is_right_and_the_one_that_was_made_is_wrong(cards: list[PracticeCard]) -> None:
    for card in cards:
        assert card.answer(card.judged.best).right
        again = card.answer(card.judged.played)
        assert not again.right and again.loss == pytest.approx(card.loss)
        assert card.grade(again) == card.judged.verdict
        assert card.grade(card.answer(card.judged.best)) == "best"


def test_a_play_within_two_hundredths_of_the_best_is_right(cards: list[PracticeCard]) -> None:
    near = [
        (card, each)
        for card in cards
        if card.question == "play"
        for each in card.judged.decision.candidates
        if 0 < max(other.equity for other in card.judged.decision.candidates) - each.equity <= 0.02
    ]
    assert near
    assert all(card.answer(each.play).right for card, each in near)
    assert {card.grade(card.answer(each.play)) for card, each in near} == {"fine"}


def test_an_answer_that_is_none_is_refused_with_a_reason(cards: list[PracticeCard]) -> None:
    card = next(card for card in cards if card.question == "play")
    with pytest.raises(sb.NotationError):
        card.answer("hello")
    with pytest.raises(sb.IllegalPlayError):
        card.answer("24/off")


def test_cards_come_back_from_a_file_with_their_answers(tmp_path: Path, cards: list[PracticeCard]) -> None:
    deck = Deck(tmp_path / "deck.json")
    assert deck.add(cards, NOW) == len(cards)
    assert deck.add(cards, NOW) == 0
    first = deck.due(NOW)[0]
    assert first.card.loss == max(card.loss for card in cards)
    deck.answered(first, first.card.answer(first.card.judged.best), NOW)
    again = Deck(tmp_path / "deck.json")
    assert [entry.card.kept() for entry in again] == [card.kept() for card in cards]
    assert again.find(first.card.id[:6]).answers == first.answers


def test_a_right_answer_comes_again_later_than_a_wrong_one(tmp_path: Path, cards: list[PracticeCard]) -> None:
    def interval(answer: str, file: str) -> timedelta:
        deck = Deck(tmp_path / file)
        deck.add(cards[:1], NOW)
        (entry,) = deck.due(NOW)
        now = NOW
        for _ in range(3):
            deck.answered(entry, entry.card.answer(answer), now)
            before, now = now, entry.due
        return now - before

    card = cards[0]
    right, wrong = interval(card.judged.best, "right"), interval(card.judged.played, "wrong")
    assert wrong <= timedelta(minutes=10) < timedelta(days=1) <= right
    assert interval(card.judged.best, "again") == right, "the same answers give the same days"


@pytest.mark.parametrize(
    "text", ["", "{", '{"format": "other", "version": 1}', '{"format": "sheshbesh-practice"}', "[" * 100_000]
)
def test_a_damaged_deck_is_refused_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "deck.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(sb.RecordError, match=r"deck\.json"):
        Deck(file)
    assert file.read_text(encoding="utf-8") == text


def test_a_card_whose_position_is_none_is_refused(tmp_path: Path, cards: list[PracticeCard]) -> None:
    deck = Deck(tmp_path / "deck.json")
    deck.add(cards, NOW)
    data = json.loads(deck.file.read_text(encoding="utf-8"))
    data["cards"][0]["card"]["judged"]["board"] = "nonsense"
    deck.file.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(sb.RecordError, match="a card cannot be read"):
        Deck(deck.file)


def test_anki_gets_every_card_with_board_question_and_answer(
    tmp_path: Path, cards: list[PracticeCard]
) -> None:
    file = tmp_path / "out.apkg"
    assert write_anki(cards, file, "tr") == len(cards)
    with zipfile.ZipFile(file) as package:
        package.extract("collection.anki2", tmp_path)
    with sqlite3.connect(tmp_path / "collection.anki2") as collection:
        notes = [fields for (fields,) in collection.execute("select flds from notes")]
    assert len(notes) == len(cards)
    assert all(note.count("\x1f") == 3 and "+-13--14-" in note and "Beyaz" in note for note in notes)


def drill(deck: Path, *arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["drill", "--deck", str(deck), "--lang", "en", *arguments], input=typed)


def test_an_evening_of_practice_in_the_terminal(
    tmp_path: Path, report: Report, cards: list[PracticeCard]
) -> None:
    deck, reviewed = tmp_path / "deck.json", tmp_path / "match.review.json"
    report.save(reviewed)
    assert "makes some of a match" in drill(deck).output
    refused = drill(deck, str(reviewed), "--player", "nobody")
    assert refused.exit_code == 2 and "--player says whose mistakes" in refused.output
    first = max(cards, key=lambda card: card.loss)
    typed = f"what\n{first.judged.played}\nq\n"
    done = drill(deck, str(reviewed), "--player", "White", typed=typed)
    assert done.exit_code == 0, done.output
    assert f"{len(cards)} new cards" in done.output
    assert "Type a play such as" in done.output and "Wrong:" in done.output
    assert "0 of 1 were right." in done.output
    assert drill(deck, "--list").output.count(" due ") == len(cards)
    assert "0 of 1 answers were right (0%)." in " ".join(drill(deck, "--stats").output.split())
    assert "is forgotten" in drill(deck, "--delete", first.id).output
    assert drill(deck, "--list").output.count(" due ") == len(cards) - 1
    assert drill(deck, "--anki", str(tmp_path / "out.apkg")).exit_code == 0


def test_a_review_that_is_too_shallow_for_cards_is_told_so(tmp_path: Path) -> None:
    reviewed = tmp_path / "match.review.json"
    sb.review(read_match(MATCH), plies=0, workers=1).save(reviewed)
    done = drill(tmp_path / "deck.json", str(reviewed), "--player", "White")
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "match.review.json was judged 0 plies deep; only what is judged 2 deep becomes a card." in said
    assert "new card" not in said


def test_without_the_extra_no_question_is_asked_whose_answer_would_be_lost(
    tmp_path: Path, cards: list[PracticeCard], monkeypatch: pytest.MonkeyPatch
) -> None:
    deck = Deck(tmp_path / "deck.json")
    deck.add(cards, NOW)
    monkeypatch.setitem(sys.modules, "fsrs", None)
    done = drill(tmp_path / "deck.json", typed="double\n")
    assert done.exit_code == 2 and "pip install 'sheshbesh[site]'" in " ".join(done.output.split())
    assert "Type a play" not in done.output


def test_games_without_a_cube_and_with_counted_checkers_have_cards_too() -> None:
    for code in ("tapa.p1", "tawla31.p1"):
        report = sb.review(sb.read_match(played(code, 24).to_text().encode()), plies=2, workers=1)
        found = [card for side in sb.Side for card in cards_of(report, side)]
        assert found, "random plays lose something"
        for card in found:
            assert card.answer(card.judged.best).right
            assert card.tolerance >= TOLERANCE
