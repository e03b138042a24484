"""The shipped puzzles: for every game and level, small, with the right answer and a wrong one."""

from __future__ import annotations

from click.testing import CliRunner

import sheshbesh as sb
from sheshbesh.cli.main import cli
from sheshbesh.engines.explain.verdict import sure_grade
from sheshbesh.engines.strength.levels import candidate_error
from sheshbesh.i18n import translate
from sheshbesh.practice.puzzles import FILE, LEVELS, PLIES, Puzzle, counts, puzzles
from sheshbesh.practice.wording import answer_text, question_text


def test_every_game_has_puzzles_of_every_level_in_a_small_file() -> None:
    found = counts()
    assert set(found) == set(sb.variants())
    assert all(found[game][level] >= 8 for game in found for level in LEVELS)
    assert FILE.stat().st_size <= 300_000


def test_a_puzzle_has_one_right_play_that_leads_clearly_and_the_error_of_its_level() -> None:
    for game in ("backgammon", "tapa", "moultezim", "khachapuri", "acey_deucey"):
        for each in puzzles(game):
            card = each.card
            plays = card.judged.decision.candidates
            equities = [play.equity for play in plays]
            unit = card.tolerance / 0.02
            assert equities == sorted(equities, reverse=True)
            assert equities[0] - equities[1] > 2.5 * candidate_error(card.rules, PLIES)
            assert card.answer(plays[0].play).right and card.answer(plays[0].play).loss == 0
            wrong = card.answer(card.judged.played)
            assert not wrong.right and sure_grade(wrong.loss / unit, card.rules, PLIES) not in (
                "best",
                "fine",
            )


def test_a_puzzle_comes_back_from_its_row_and_says_why_the_best_is_better() -> None:
    for each in puzzles("tapa"):
        assert Puzzle.from_row(each.row()).row() == each.row()
        assert each.card.judged.best in each.card.judged.say("fa")
    assert len({each.id for each in puzzles("tapa")}) == len(puzzles("tapa"))


def test_a_question_and_its_answer_have_the_digits_of_the_reader() -> None:
    card = puzzles("tapa")[0].card
    assert card.judged.dice == (3, 2)
    answer = answer_text(card, card.answer(card.judged.played))
    loss = f"{card.answer(card.judged.played).loss:.3f}"
    for lang, dice, cost in (
        ("fa", "۳-۲", loss.translate(str.maketrans("0123456789.", "۰۱۲۳۴۵۶۷۸۹٫"))),
        ("fa-u-nu-latn", "3-2", loss),
        ("en", "3-2", loss),
    ):
        assert dice in translate(question_text(card), lang)
        assert cost in translate(answer, lang)


def test_puzzles_are_solved_in_the_terminal() -> None:
    best = puzzles("tapa")[0].card.judged.best
    answer = CliRunner().invoke(
        cli, ["drill", "--puzzles", "tapa", "--level", "easy", "--lang", "en"], input=f"nonsense\n{best}\nq\n"
    )
    assert answer.exit_code == 0, answer.output
    assert "Type a play such as" in answer.output and f"Right: {best} is the best." in answer.output
    assert "1 of 1 were right." in answer.output
    wrong = CliRunner().invoke(cli, ["drill", "--level", "easy"])
    assert wrong.exit_code == 2 and "--puzzles" in wrong.output
