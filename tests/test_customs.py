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


GUIDE = customs.disputes()
DISPUTES = [
    ("valid_throw", "subject:1 dice:1", "Khalili (004), p. 7"),
    ("other_half", "subject:1 dice:2", "Khalili (004), p. 7"),
    ("halves", "subject:1 dice:3", "Masters of Nard rules (002)"),
    ("cocked", "subject:1 dice:4", "Masters of Nard rules (002)"),
    ("on_checker", "subject:1 dice:5", "Masters of Nard rules (002)"),
    ("turn_over", "subject:2 throw:1 early:1", "Khalili (004), p. 6, 7"),
    ("premature_throw", "subject:2 throw:1 early:2", "Khalili (004), p. 7"),
    ("washing_agreed", "subject:2 throw:2 washing:1", "Khalili (004), p. 7, 8"),
    ("interference", "subject:2 throw:2 washing:2", "Khalili (004), p. 8"),
    ("cups", "subject:2 throw:3", "Khalili (004), p. 5"),
    ("closed_out", "subject:2 throw:4", "Backgammon rules (000)"),
    ("play_over", "subject:3 checkers:1 touched:1", "Khalili (004), p. 6"),
    ("touched_checker", "subject:3 checkers:1 touched:2", "Khalili (004), p. 6"),
    ("illegal_stood", "subject:3 checkers:2 illegal:1", "WBGT rules (2010), 4.2"),
    ("illegal_noticed", "subject:3 checkers:2 illegal:2", "WBGT rules (2010), 4.2"),
    ("set_up_stood", "subject:3 checkers:3 set_up:1", "WBGT rules (2010), 4"),
    ("set_up_noticed", "subject:3 checkers:3 set_up:2", "WBGT rules (2010), 4"),
    ("hit_checkers", "subject:3 checkers:4", "Khalili (004), p. 10"),
    ("off_checkers", "subject:3 checkers:5", "Khalili (004), p. 10"),
    ("cube_stands", "subject:4 cube:1 cube_answer:1", "Khalili (004), p. 12"),
    ("cube_open", "subject:4 cube:1 cube_answer:2", "Khalili (004), p. 12"),
    ("cube_start", "subject:4 cube:2", "Khalili (004), p. 11"),
    ("late_double", "subject:4 cube:3 cube_time:1", "Khalili (004), p. 11"),
    ("crawford_double", "subject:4 cube:3 cube_time:2", "Khalili (004), p. 12"),
    ("dead_double", "subject:4 cube:3 cube_time:3", "Khalili (004), p. 12"),
    ("time_out", "subject:5 order:1", "Khalili (004), p. 6"),
    ("clock", "subject:5 order:2", "Khalili (004), p. 6, 12"),
    ("breaks", "subject:5 order:3", "Khalili (004), p. 6"),
    ("late", "subject:5 order:4", "UK Open rules"),
    ("score", "subject:5 order:5", "Khalili (004), p. 5"),
    ("agreements", "subject:5 order:6", "Khalili (004), p. 7"),
    ("silence", "subject:5 order:7", "Khalili (004), p. 7"),
    ("facts", "subject:6", "US tournament rules (2008), 4.2, 4.5"),
]


@pytest.mark.parametrize(("ruling", "answers", "source"), DISPUTES, ids=[each[0] for each in DISPUTES])
def test_a_dispute_is_led_to_its_ruling_by_at_most_four_questions(
    ruling: str, answers: str, source: str
) -> None:
    steps = [step.split(":") for step in answers.split()]
    assert len(steps) <= 4
    reached = GUIDE.first.id
    for question, number in steps:
        assert reached == question
        reached = GUIDE.questions[question].answers[int(number) - 1].then
    assert reached == ruling
    found = GUIDE.rulings[ruling]
    assert source in found.sources
    assert bool(found.text) != bool(found.traditional)
    assert bool(found.traditional) == bool(found.modern)


def test_the_referee_knows_every_topic_of_conduct_and_no_way_leads_nowhere() -> None:
    assert {each[0] for each in DISPUTES} == set(GUIDE.rulings)
    topics = {topic.id for topic in customs.conduct()}
    assert {ruling.topic for ruling in GUIDE.rulings.values()} - {""} == topics
    led_to = [answer.then for question in GUIDE.questions.values() for answer in question.answers]
    assert sorted([*led_to, GUIDE.first.id]) == sorted([*GUIDE.questions, *GUIDE.rulings])


@pytest.mark.parametrize(
    ("ruling", "way", "says"),
    [
        ("touched_checker", "traditional", "must be moved"),
        ("touched_checker", "modern", "may be put back"),
        ("premature_throw", "traditional", "The throw counts"),
        ("premature_throw", "modern", "may ask for a new throw"),
        ("other_half", "traditional", "The throw counts"),
        ("other_half", "modern", "is repeated if the other player objects"),
        ("hit_checkers", "modern", "Every checker on the bar counts as hit"),
        ("agreements", "traditional", "It holds"),
        ("agreements", "modern", "does not count"),
    ],
)
def test_the_two_ways_rule_differently_where_the_booklet_says_so(ruling: str, way: str, says: str) -> None:
    assert says in getattr(GUIDE.rulings[ruling], way)
