"""The differences, the conduct and the stories of the games say only what the program's rules bear out."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from sheshbesh import customs
from sheshbesh.match import Card

LINES = {line.id: line for line in customs.differences()}
TRIALS = [pytest.param(line, id=line.id) for line in LINES.values() if line.trial]


def test_the_table_has_the_lines_of_the_booklet_each_with_something_to_try_or_a_reason() -> None:
    assert len(LINES) == 19
    for line in LINES.values():
        assert sum(map(bool, (line.trial, line.table, line.reading))) == 1
        assert 4 in line.pages


@pytest.mark.parametrize("line", TRIALS)
def test_a_trial_leaves_a_choice_or_shows_a_result_in_both_games(line: customs.Line) -> None:
    trial = line.trial
    assert trial is not None
    for way in customs.WAYS:
        plays = trial.position(way).legal_plays(trial.dice[way])
        assert plays
        assert all(step.origin for step in plays[0].steps)


@pytest.mark.parametrize(("line", "play"), [("hit_and_run", "6/3*/1"), ("waste", "4/3 3/off")])
def test_what_tradition_forbids_is_refused_there_and_legal_in_the_modern_game(line: str, play: str) -> None:
    trial = LINES[line].trial
    assert trial is not None
    rules = {way: trial.position(way).refusal(play, trial.dice[way]) for way in customs.WAYS}
    assert rules["modern"] is None
    assert rules["traditional"] is not None
    assert rules["traditional"].rule == {"hit_and_run": "hit_and_run", "waste": "dice.most_pips"}[line]


def test_only_the_modern_game_counts_three_for_a_backgammon() -> None:
    trial = LINES["gammons"].trial
    assert trial is not None
    results = {way: trial.position(way).legal_plays((3, 3))[0].result.result for way in customs.WAYS}
    assert {way: result.points for way, result in results.items() if result} == {
        "traditional": 2,
        "modern": 3,
    }


def test_only_the_traditional_game_can_open_with_a_double() -> None:
    opening = {way: sb.variant(game).axes["opening"]["dice"] for way, game in customs.WAYS.items()}
    assert opening == {"traditional": "reroll", "modern": "played"}


def test_every_topic_of_conduct_has_a_source_and_both_ways_or_neither() -> None:
    topics = customs.conduct()
    assert len({topic.id for topic in topics}) == len(topics)
    for topic in topics:
        assert topic.sources
        assert bool(topic.traditional) == bool(topic.modern)


def test_every_game_has_a_story() -> None:
    assert list(customs.games()) == list(sb.variants())


@pytest.mark.parametrize("name", sb.variants())
def test_the_picture_of_a_game_shows_a_legal_play_or_one_that_its_rule_refuses(name: str) -> None:
    picture = customs.games()[name].picture
    position = picture.board.position(sb.variant(name))
    refusal = position.refusal(picture.play, picture.dice)
    assert (refusal.rule if refusal else None) == picture.refused


def test_what_a_set_up_decides_is_shown_by_a_card_of_each_game() -> None:
    for line in LINES.values():
        assert set(line.cards) == (set(customs.WAYS) if line.table else set())
        for way, code in line.cards.items():
            card = Card.from_code(code)
            assert (card.code, card.game) == (code, customs.WAYS[way])
    touched = {way: Card.from_code(code).touch_move for way, code in LINES["touch_move"].cards.items()}
    agreed = {way: Card.from_code(code).allows_agreements for way, code in LINES["agreements"].cards.items()}
    assert touched == agreed == {"traditional": True, "modern": False}
    clocks = {way: Card.from_code(code).clock for way, code in LINES["clock"].cards.items()}
    assert clocks["traditional"] != clocks["modern"]
