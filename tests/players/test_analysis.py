"""What an analysis board is told: chances, plays, the cube, and rollouts that repeat however they are cut."""

from __future__ import annotations

import json
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.engines import Engine, make_engine
from sheshbesh.engines.rollout.rollout import RolloutOptions
from sheshbesh.errors import NotationError
from sheshbesh.players.analysis import analyse, roll_out_portion
from sheshbesh.players.engines import Engines
from sheshbesh.players.situation import Situation
from sheshbesh.ubgi.requests import LONGEST


def near_the_end() -> str:
    """Return the id of a position with one checker to pass: rollouts of whole games cost little."""
    board = {"white": {5: 1, 4: 1, 2: 1}, "white_off": 12, "black": {1: 1, 24: 2}, "black_off": 12}
    return sb.variant("backgammon").position(board, turn="white").id


@pytest.fixture(scope="module")
def engine() -> Engine:
    return make_engine(Situation.of_query({"card": "backgammon.m"}).card.rules)


def in_portions(engine: Engine, here: Situation, trials: int) -> dict[str, Any]:
    kept, plays = None, ()
    found: dict[str, Any] = {}
    while not found.get("done"):
        found = roll_out_portion(engine, here, trials=trials, seed=3, plays=plays, kept=kept)
        line = json.dumps(found["kept"])
        assert len(line) < LONGEST
        kept, plays = json.loads(line), found["asked"]
    return found


@pytest.mark.parametrize("query", [{"dice": "31"}, {}, {"cube": "2b"}], ids=["plays", "cube", "position"])
def test_a_rollout_in_portions_is_the_whole_one_to_the_bit(engine: Engine, query: dict[str, str]) -> None:
    here = Situation.of_query({"card": "backgammon.p5", "score": "3.1", "id": near_the_end(), **query})
    whole = roll_out_portion(engine, here, trials=72, seed=3, chunks=2)
    assert whole["done"]
    assert in_portions(engine, here, 72) == whole


def test_a_portion_says_what_the_engines_own_rollout_says(engine: Engine) -> None:
    here = Situation.of_query({"card": "backgammon.m", "cube": "2b", "id": near_the_end()})
    options = RolloutOptions(trials=72, minimum=0, seed=3)
    mine = engine.rollout(here.position, here.judged_at, options=options)
    told = roll_out_portion(engine, here, trials=72, seed=3, chunks=9)["position"]
    assert told["equity"] == {"mean": round(mine.decisive.mean, 5), "error": round(mine.decisive.error, 5)}


def test_plays_come_best_first_with_what_speaks_for_the_best(engine: Engine) -> None:
    here = Situation.of_query({"card": "backgammon.p5", "dice": "31"})
    found = analyse(engine, here, 0, "en")
    plays = found["plays"]
    assert plays[0]["play"] == "8/5 6/5"
    assert [each["loss"] for each in plays] == sorted(each["loss"] for each in plays)
    assert "leaves 0 instead of 34 of 36 rolls that hit" in plays[0]["reason"]["text"]
    assert found["cube"] is None
    assert sum(each["p"] for each in found["chances"]) == pytest.approx(1, abs=0.001)


def test_before_the_throw_there_is_the_cube_and_after_the_game_nothing_to_do(engine: Engine) -> None:
    before = analyse(engine, Situation.of_query({"card": "backgammon.m"}), 0)
    assert before["cube"]["action"] == "no_double"
    assert before["plays"] is None
    over = Situation.of_query({"card": "backgammon.m", "id": "23o:w"})
    found = analyse(engine, over, 0)
    assert (found["plays"], found["cube"]) == (None, None)
    with pytest.raises(NotationError):
        roll_out_portion(engine, over, trials=36, seed=1)


def test_games_that_differ_in_their_cube_alone_are_judged_apart() -> None:
    def judged(engines: Engines, game: str) -> float:
        here = Situation.of_query({"card": f"{game}.m", "dice": "43"})
        found: float | None = engines.analysis(
            here.card.rules, 0.0, lambda engine, plies: analyse(engine, here, plies)["equity"], 0
        )
        assert found is not None
        return found

    one = Engines()
    assert judged(one, "long_nardy") != judged(one, "nardegammon") == judged(Engines(), "nardegammon")
