"""What a page answers without a server, a copy or an installed one, is what the site says; in node."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.errors import SheshbeshError
from sheshbesh.formats import parse_any_id
from sheshbesh.learn import Lesson, course
from sheshbesh.learn.data import judgement_data
from sheshbesh.match import Card
from sheshbesh.players.analysis import question
from sheshbesh.players.situation import Situation, problems_of
from sheshbesh.practice import puzzles as shipped
from sheshbesh.rules import Position, Roll, Side
from sheshbesh.server.boards.view import scene_data
from sheshbesh.server.http.copied import address_of_copy, copy_of
from sheshbesh.server.practice.view import answer_data, puzzle_data
from sheshbesh.session.board_data import board_data
from tests.engine.test_wasm import in_checkout
from tests.node import ask_node
from tests.sizes import sampled_games

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import wasm


def ask(*requests: tuple[str, str, Any], copies: tuple[str, ...] = ()) -> list[Any]:
    """The answers of the page, by which only a copy's files are there."""
    files = {address_of_copy(name, "en"): copy_of(name, "en").decode() for name in copies}
    asked = {"module": in_checkout(wasm.FOLDER / "core-simd.wasm"), "requests": requests, "copies": files}
    found: list[Any] = ask_node(asked, "without-server")
    return found


def plain(data: Any) -> Any:
    """Data as JSON has it."""
    return json.loads(json.dumps(data))


def reached(game: str, chance: random.Random, turns: int) -> Position:
    """A position after some random turns; what is owed is played too."""
    position = sb.variant(game).start()
    for _ in range(turns):
        plays = position.legal_plays(None if position.pending else Roll(*chance.choices(range(1, 7), k=2)))
        position = chance.choice(list(plays)).result
        if position.result is not None:
            return reached(game, chance, turns // 2)
    return position


def situations(game: str, chance: random.Random, count: int) -> list[Situation]:
    found = []
    for n in range(count):
        position = reached(game, chance, chance.randrange(2 * n + 1))
        query = {"card": chance.choice([f"{game}.m", f"{game}.p5"]), "id": position.id}
        if chance.random() < 0.6:
            query["dice"] = f"{chance.randint(1, 6)}{chance.randint(1, 6)}"
        if "p5" in query["card"]:
            query["score"] = chance.choice(["0.0", "3.1", "2.4"])
        if sb.variant(game).axes["cube"]["use"] and chance.random() < 0.5:
            query["cube"] = chance.choice(["2w", "4b"])
        found.append(Situation.of_query(query))
    return found


UNSAID = ("title", "core", "over")
"""What a scene says in words, or is compared by itself."""


def close(found: Any) -> Any:
    """The same numbers, up to the six places of the page's table of match equities."""
    if isinstance(found, dict):
        return {name: close(value) for name, value in found.items()}
    if isinstance(found, list):
        return [close(each) for each in found]
    return pytest.approx(found, abs=1e-4, rel=1e-4) if isinstance(found, float) else found


def check_scene(mine: dict[str, Any], here: Situation) -> None:
    wanted = scene_data(here, "en") | {"title": here.card.rules.title}
    only_ours = {"own": here.position.id}
    assert mine["ids"] == only_ours
    for name in wanted.keys() - {*UNSAID, "ids"}:
        assert mine[name] == wanted[name], (name, here.query)
    asked = question(here)
    if asked is None:
        assert mine["core"] is None
        return
    numbers = plain(asked)
    assert mine["core"].pop("net")["sha256"] == numbers.pop("net")["sha256"]
    assert mine["core"] == close(numbers), here.query


@pytest.mark.parametrize("game", sampled_games(7, 1))
def test_a_position_is_shown_and_asked_about_without_a_server(game: str) -> None:
    chance = random.Random(f"scenes {game}")
    heres = situations(game, chance, 8)
    by_id = [
        ("GET", f"/analysis?{'&'.join(f'{k}={v}' for k, v in here.query.items())}", None) for here in heres
    ]
    by_hand = [
        (
            "POST",
            "/analysis/board",
            {**here.query, "id": "", "board": board_data(here.position), "turn": here.position.turn.value},
        )
        for here in heres
    ]
    answers = ask(*by_id, *by_hand)
    for mine, here in zip(answers, heres, strict=False):
        check_scene(mine, here)
    for mine, here in zip(answers[len(heres) :], heres, strict=True):
        position = here.position
        if position.pending is None:  # a board says nothing of what is owed
            board = board_data(position)
            check_scene(mine, Situation.of_board(here.card, board, position.turn, here.query))


def damaged(here: Situation, chance: random.Random) -> tuple[dict[str, Any], dict[str, str]]:
    """A board with some checkers more, fewer or elsewhere, and a score that may not be."""
    board = plain(board_data(here.position))
    for _ in range(chance.randint(1, 3)):
        point = chance.choice(board["points"])
        point[chance.choice("wb")] = chance.randint(0, 4)
        if chance.random() < 0.3:
            point["pin"] = chance.choice(["white", "black"])
    if chance.random() < 0.3:
        board[chance.choice(["bar", "hand", "off"])][chance.choice(["white", "black"])] += 1
    query = {"card": f"{here.card.game}.{chance.choice(['m', 'p3'])}"}
    query["cube"] = chance.choice(["", "", "1w", "2", "2w", "3b", "128w", "x"])
    query["score"] = chance.choice(["", "2.1", "3.3", "2.2", "x"])
    query["crawford"] = chance.choice(["", "", "1"])
    return board, query


@pytest.mark.parametrize("game", sampled_games(7, 2))
def test_what_cannot_be_is_said_without_a_server_as_the_site_says_it(game: str) -> None:
    chance = random.Random(f"damaged {game}")
    cases = [damaged(here, chance) for here in situations(game, chance, 25)]
    answers = ask(*(("POST", "/analysis/board", {**query, "board": board}) for board, query in cases))
    for (board, query), mine in zip(cases, answers, strict=True):
        try:
            Situation.of_board(Card.from_code(query["card"]), board, Side.WHITE, query)
            wanted: list[str] = []
        except SheshbeshError as error:
            wanted = [str(each) for each in problems_of(error)]
        assert sorted(mine["problems"]) == sorted(wanted), (board, query)


def test_every_fault_of_a_score_is_said_without_a_server() -> None:
    board = plain(board_data(sb.variant("backgammon").start()))
    query = {"card": "backgammon.m", "cube": "3", "crawford": "1"}
    with pytest.raises(SheshbeshError) as found:
        Situation.of_board(Card.from_code("backgammon.m"), board, Side.WHITE, query)
    wanted = [str(each) for each in problems_of(found.value)]
    (mine,) = ask(("POST", "/analysis/board", {**query, "board": board}))
    assert len(wanted) == 2 and mine["problems"] == wanted


NO_IDS = [
    *("B4e1c3Ee3C1E4b", "B4e1c3Ee3C1E4b:x", "B4e1c3Ee3C1E5b:w", "B4e1c3Ee3C1E3b:w", "Z:w", "(AB)23:w"),
    *("B4e1c3Ee3C1E4b:w:q1", "B4e1c3Ee3C1E4b:w:h0.1:x0.1", "B4e1c3Ee3C1E4b:w:p66", "25:w", "B" * 300),
    *(f"{'B4e1c3Ee3C1E4b:w:':{letter}<{n}}" for letter in "é😀" for n in (200, 201)),
    *("B4e1c3Ee3C1E4b:w:t9.0", "B4e1c3Ee3C1E4b:w:sw", "B4e1c3Ee3C1E4b:w:mb", "C4e1c3Ee3C1E4b:w"),
    *(
        "B4e1c3Ee3C1E4b:w:p556",
        "B4e1c3Ee3C1E4b:w:p6666+",
        "B4e1c3Ee3C1E4b:w:p55h99",
        "B4e1c3Ee3C1E4b:é",
        "B4e1c3Ee3C1E4b:w:p123",
        ":w",
    ),
]


def test_an_id_that_cannot_be_read_is_refused_without_a_server() -> None:
    answers = ask(*(("POST", "/analysis/text", {"text": text, "card": "backgammon.m"}) for text in NO_IDS))
    for text, mine in zip(NO_IDS, answers, strict=True):
        with pytest.raises(SheshbeshError) as found:
            sb.variant("backgammon").position_from_id(text)
        why = "; ".join(str(each) for each in problems_of(found.value))
        said = mine["error"]["text"].replace("\u2068", "").replace("\u2069", "")
        assert said.startswith(f"this cannot be read as a position: {why}")


def test_what_stands_around_an_id_is_a_blank_here_and_there() -> None:
    game = sb.variant("backgammon")
    start = game.start().id
    around = [chr(n) for n in range(0x10000) if not 0xD800 <= n < 0xE000 and chr(n).isspace()] + ["\ufeff"]
    asked = [*(f"{blank}{start}{blank * 2}" for blank in around), f"\u200b{start}", f"{start}\x1b"]
    answers = ask(*(("POST", "/analysis/text", {"text": text, "card": "backgammon.m"}) for text in asked))
    assert [each.get("ids", {}).get("own") for each in answers] == [start] * len(around) + [None, None]
    for text in asked[: len(around)]:
        assert game.position_from_id(text).id == parse_any_id(text, game).position.id == start
    for text in asked[len(around) :]:
        with pytest.raises(SheshbeshError):
            game.position_from_id(text)


def tries(lesson: Lesson, chance: random.Random) -> list[dict[str, Any]]:
    """Answers to a lesson: every option, or right, wrong and refused plays, and beginnings of plays."""
    if lesson.asks != "play":
        return [{"option": option} for option in range(len(lesson.options))]
    found = [{"steps": [], "whole": True}]
    for _ in range(8):
        at, steps = 0, []
        stages = lesson.stages
        while stages[at][1] and chance.random() < 0.8:
            step, at = chance.choice(list(stages[at][1]))
            steps.append([step[0], step[1]])
        found.append({"steps": steps, "whole": chance.random() < 0.7})
        own = [point for point in range(1, 25) if lesson.position.counts(lesson.side)[point]]
        far = [[origin, max(origin - chance.randint(1, 6), 0)] for origin in chance.choices(own or [24], k=2)]
        found.append({"steps": steps[:1] + far[: chance.randint(1, 2)], "whole": chance.random() < 0.5})
    return found


@pytest.mark.parametrize("name", ["tapa", "first-long_nardy", "gioul"])
def test_the_referee_of_a_lesson_judges_without_a_server(name: str) -> None:
    chance, found = random.Random(f"lesson {name}"), course(name)
    cases = [(lesson, given) for lesson in found.lessons for given in tries(lesson, chance)]
    answers = ask(
        *(("POST", f"/learn/{name}/{lesson.id}", given) for lesson, given in cases), copies=(f"learn/{name}",)
    )
    for (lesson, given), mine in zip(cases, answers, strict=True):
        if "option" in given:
            wanted = lesson.judge_option(given["option"])
        else:
            pairs = [(origin, target) for origin, target in given["steps"]]
            wanted = lesson.judge_steps(pairs, whole=given["whole"])
        said = judgement_data(wanted, "en")
        assert (mine["right"], mine["refusal"]) == (said["right"], said["refusal"]), (lesson.id, given)
        # A play may be written in more than one way.
        assert mine["said"].split(" is ")[1:] == said["said"].split(" is ")[1:], (lesson.id, given)


@pytest.mark.parametrize("game", ["tapa", "gioul"])
def test_a_puzzle_is_judged_without_a_server(game: str) -> None:
    chance = random.Random(f"puzzle {game}")
    asked = shipped.puzzles(game)[::6]
    texts = []
    for each in asked:
        position = each.card.position
        plays = position.legal_plays(each.card.dice)
        named = [one.play for one in each.card.judged.decision.candidates if one.play]
        texts += [(each, text) for text in (*named, chance.choice(list(plays)).notation)]
    requests = [("POST", f"/puzzles/{game}/{each.id}/answers", {"answer": text}) for each, text in texts]
    index, easy, *answers = ask(
        ("GET", "/puzzles", None),
        ("GET", f"/puzzles/{game}?level=easy&lang=en", None),
        *requests,
        copies=("puzzles", f"puzzles/{game}"),
    )
    assert index["games"][game] == shipped.counts()[game]
    assert easy == plain([puzzle_data(each, "en") for each in shipped.puzzles(game) if each.level == "easy"])
    for (each, text), mine in zip(texts, answers, strict=True):
        wanted = plain(answer_data(each.card, each.card.answer(text), "en"))
        for verdict in (mine, wanted):  # of a play that was made in another order
            verdict["steps"] = sorted(verdict["steps"])
        assert mine == wanted, (each.id, text)


def test_what_only_a_server_has_is_not_answered() -> None:
    asked = ["/matches", "/variants/tapa/daily", "/puzzles/tapa/ladder", "/puzzles/today"]
    answers = ask(
        *(("GET", path, None) for path in asked), ("POST", "/matches", {}), copies=("puzzles/tapa",)
    )
    assert answers == [None] * 5
