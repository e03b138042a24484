"""The data that a page is sent of cards, puzzles and found positions: a question never holds its answer."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row

from sheshbesh.errors import RecordError, SheshbeshError
from sheshbesh.i18n import Text, translate
from sheshbesh.match import Card, Contest
from sheshbesh.players.data import GRADES, play_data
from sheshbesh.players.situation import Situation
from sheshbesh.practice import Answer, PracticeCard
from sheshbesh.practice.puzzles import Puzzle
from sheshbesh.practice.wording import answer_text, question_text, source_text
from sheshbesh.reviews.search import KINDS, themes_of
from sheshbesh.rules import Roll, Side, variant
from sheshbesh.server.practice.store import card_of
from sheshbesh.server.reviews.view import answers_data, scene_data
from sheshbesh.session.board_data import board_data, layout_data


def card_data(row: Row[Any], lang: str) -> dict[str, Any]:
    """A card to be asked; RecordError where it is damaged."""
    data = question_data(card_of(row), lang)
    return {**data, "id": row.id, "review": row.review_id, "n": row.n, "asked": row.asked}


def entry_data(row: Row[Any], lang: str) -> dict[str, Any]:
    """A card as a list has it."""
    try:
        source = translate(source_text(card_of(row)), lang)
    except RecordError:
        source = row.variant
    return {
        "id": row.id,
        "variant": row.variant,
        "source": source,
        "loss": round(row.loss, 3),
        "state": row.state,
        "due": row.due,
        "asked": row.asked,
        "right": row.correct,
        "review": row.review_id,
        "n": row.n,
    }


def puzzle_data(puzzle: Puzzle, lang: str) -> dict[str, Any]:
    """A puzzle to be asked."""
    data = question_data(puzzle.card, lang)
    title = translate(Text(puzzle.card.rules.title), lang)
    return {**data, "source": title, "id": puzzle.id, "level": puzzle.level}


def puzzle_situation(puzzle: Puzzle) -> Situation:
    """The position of a puzzle with its throw, as pictures and the analysis board show it."""
    card, dice = puzzle.card, puzzle.card.judged.dice
    bare = Card(game=card.variant, contest=Contest.MONEY)
    return Situation(bare, card.position, bare.opening_state(), None if dice is None else Roll(*dice))


def question_data(card: PracticeCard, lang: str) -> dict[str, Any]:
    """Return what is asked: the words, the board, and how a play may be entered; for the cube the answers."""
    rules, judged = card.rules, card.judged
    position = card.position
    return {
        "variant": card.variant,
        "kind": card.question,
        "text": translate(question_text(card), lang),
        "source": translate(source_text(card), lang),
        "layout": layout_data(rules),
        "pips": {side.value: position.pips(side) for side in Side},
        "tolerance": round(card.tolerance, 3),
        **scene_data(judged, rules),
    }


def answer_data(card: PracticeCard, answer: Answer, lang: str) -> dict[str, Any]:
    """Return what an answer was worth, and what there is to learn from it."""
    told = _told(card, answer, lang)
    return {**answers_data(card.judged, card.rules, lang), **told, "steps": _steps(card, answer)}


def _told(card: PracticeCard, answer: Answer, lang: str) -> dict[str, Any]:
    """Return what an answer was worth."""
    return {
        "right": answer.right,
        "best": answer.loss == 0,
        "grade": GRADES[card.grade(answer)],
        "loss": round(answer.loss, 4),
        "text": translate(answer_text(card, answer), lang),
        "answer": answer.text,
        "again": answer.text == card.judged.played,
    }


OTHER = "\ufffc"
"""What stands for the play in what is said of all that were not looked at."""


def solved_data(puzzle: Puzzle, lang: str) -> dict[str, Any]:
    """A puzzle without the layout of its board, with the verdict on every play, for a page without a server.

    `answers` are the verdicts on the candidates, in their order; `other` that on any other play, with `OTHER`
    in its place.
    """
    card = puzzle.card
    question = {name: value for name, value in puzzle_data(puzzle, lang).items() if name != "layout"}
    return {
        **question,
        "judged": {
            **answers_data(card.judged, card.rules, lang),
            "answers": [
                {**_told(card, each, lang), "steps": _steps(card, each)} for each in card.known_answers
            ],
            "other": _told(card, card.other_answer(OTHER), lang),
        },
    }


def _steps(card: PracticeCard, answer: Answer) -> list[list[int]]:
    """The ways of the play that was answered."""
    if card.question != "play":
        return []
    position, dice = card.position, card.judged.dice
    owed = position.pending
    thrown = dice if owed is None or owed.choose else None
    steps: list[list[int]] = play_data(position.parse_play(answer.text or "pass", thrown))["steps"]
    return steps


def found_data(row: Row[Any], person: str) -> dict[str, Any]:
    """A position that was found; nobody is named."""
    try:
        position = variant(row.variant).position_from_id(row.board)
        board = board_data(position)
    except SheshbeshError:  # of rules that are not those of the game's name
        board = None
    return {
        "review": row.review_id,
        "n": row.n,
        "own": row.owner == person,
        "kind": KINDS[row.kind],
        "side": row.side,
        "dice": [row.dice // 10, row.dice % 10] if row.dice else None,
        "loss": row.loss / 1000,
        "themes": themes_of(row.themes),
        "board": board,
    }
