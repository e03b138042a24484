"""What a page judges by itself is what the site says: plays, cube decisions and rollouts, in node."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

import sheshbesh as sb
from sheshbesh.engines import Engine, make_engine
from sheshbesh.players.analysis import analyse, question, roll_out_portion
from sheshbesh.players.situation import Situation
from tests.engine.test_wasm import ask, in_checkout, net_of


def after(game: str, dice: tuple[int, int]) -> str:
    """The id of a position in which an element of the turn is owed, or a double is to be named."""
    return sb.variant(game).start().legal_plays(dice)[0].result.id


CASES: list[tuple[dict[str, str], int]] = [
    ({"card": "backgammon.p5", "dice": "42", "score": "3.1"}, 1),
    ({"card": "backgammon.p5", "dice": "66", "score": "3.1", "cube": "2b"}, 0),
    ({"card": "backgammon.m.nojacoby.beavers"}, 1),
    ({"card": "backgammon.p7", "score": "4.2", "cube": "2w"}, 2),
    ({"card": "backgammon.m", "cube": "4b"}, 2),
    ({"card": "backgammon.p5", "score": "4.2", "crawford": "1", "dice": "21"}, 1),
    ({"card": "backgammon.m", "dice": "52"}, 0),
    ({"card": "backgammon.m", "id": "b3a14D3A:w"}, 1),
    ({"card": "gul_bara.m", "id": after("gul_bara", (5, 5))}, 1),
    ({"card": "acey_deucey.m", "id": after("acey_deucey", (2, 1))}, 1),
    *(({"card": f"{name}.m", "dice": "43"}, 1) for name in sb.variants()[2::3]),
]


def engine_of(here: Situation) -> Engine:
    return make_engine(here.position.variant, bearoff=False)


def judged(*asked: tuple[Situation, dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """What the core for browsers yields for each situation, piece by piece."""
    requests = []
    for here, how in asked:
        about = question(here)
        assert about is not None
        requests.append({"net": in_checkout(net_of(about["net"]["sha256"])), "question": about, **how})
    return list(ask("simd", judged=requests)["judged"])


@pytest.fixture(scope="module")
def answers() -> list[list[dict[str, Any]]]:
    """What it yields for all cases."""
    return judged(*((Situation.of_query(query), {"plies": plies}) for query, plies in CASES))


def near(value: float | None) -> Any:
    """A number that was rounded to four places, before it was."""
    return None if value is None else pytest.approx(value, abs=5.1e-5)


@pytest.mark.parametrize("case", range(len(CASES)), ids=lambda case: str(CASES[case]))
def test_a_page_judges_as_the_site_does(case: int, answers: list[list[dict[str, Any]]]) -> None:
    query, plies = CASES[case]
    here = Situation.of_query(query)
    wanted = analyse(engine_of(here), here, plies)
    *early, found = answers[case]
    assert (found["plies"], found["done"]) == (plies, True)
    assert not any(each["done"] for each in early)
    assert found["chances"] == [near(each["p"]) for each in wanted["chances"]]
    assert found["equity"] == near(wanted["equity"])
    assert found["cubeful"] == near(wanted["cubeful"])
    if wanted["plays"] is None:
        assert found["plays"] is None
    else:
        assert found["of"] == wanted["of"]
        for play, site in zip(found["plays"], wanted["plays"], strict=False):
            steps = [[*map(int, step.values())] for step in play["steps"]]
            assert (steps, play["plies"]) == (site["steps"], site["plies"])
            assert (play["equity"], play["loss"]) == (near(site["equity"]), near(site["loss"]))
            assert (play["grade"], play["close"]) == (site["grade"], site["close"])
    if wanted["cube"] is None:
        assert found["cube"] is None
        return
    assert [found["cube"][name] for name in ("action", "answer", "redouble")] == [
        wanted["cube"][name] for name in ("action", "answer", "redouble")
    ]
    for name in ("no_double", "double_take", "double_drop", "double_beaver"):
        assert found["cube"][name] == near(wanted["cube"][name])


def test_a_deep_answer_comes_in_pieces_that_begin_with_the_static_values() -> None:
    ((first, *rest),) = judged((Situation.of_query({"card": "tapa.m", "dice": "31"}), {"plies": 2}))
    assert (first["plies"], first["done"]) == (0, False)
    assert all(play["plies"] == 0 for play in first["plays"])
    assert len(rest) > 5


NEAR_THE_END = {"white": {5: 1, 4: 1, 2: 1}, "white_off": 12, "black": {1: 1, 24: 2}, "black_off": 12}
"""One checker to pass, and seldom ten turns to play: a rollout of whole games costs little."""


@pytest.mark.parametrize(
    ("query", "plays"),
    [
        ({"card": "backgammon.p5", "score": "3.1", "dice": "31"}, ("5/1*", "5/2 4/3")),
        ({"card": "backgammon.m", "cube": "2b"}, ()),
        ({"card": "backgammon.m"}, ()),
        ({"card": "tavla.m", "dice": "31"}, ("5/1*", "5/2 4/3")),
    ],
    ids=["plays", "position", "cube", "without a cube"],
)
def test_a_rollout_has_the_numbers_of_the_site(query: dict[str, str], plays: tuple[str, ...]) -> None:
    game = query["card"].split(".")[0]
    here = Situation.of_query(query | {"id": sb.variant(game).position(NEAR_THE_END, turn="white").id})
    wanted = roll_out_portion(engine_of(here), here, trials=72, seed=3, plays=plays, chunks=2)
    rows = [here.position.parse_play(text, here.dice).result._core.row() for text in plays]
    asked = {"trials": 72, "seed": 3, "plays": [b64encode(row).decode() for row in rows]}
    ((first, found),) = judged((here, {"rollout": asked}))
    assert (first["trials"], first["done"], found["trials"], found["done"]) == (36, False, 72, True)

    def same(mine: dict[str, float], site: dict[str, float]) -> bool:
        return bool(mine == {name: pytest.approx(value, abs=6e-6) for name, value in site.items()})

    if plays:
        order = sorted(range(len(plays)), key=lambda i: -found["entries"][i]["equity"]["mean"])
        assert [plays[i] for i in order] == [each["play"] for each in wanted["plays"]]
        for i, site in zip(order, wanted["plays"], strict=True):
            assert same(found["entries"][i]["equity"], site["equity"])
            assert same(found["entries"][i]["win"], site["win"])
            assert same(found["behind"][order[0]][i], site["behind"])
    elif wanted["cube"]:
        ways = zip(found["entries"], wanted["cube"]["ways"], strict=False)
        assert all(same(mine["equity"], site["equity"]) for mine, site in ways)
        assert same(found["behind"][1][0], wanted["cube"]["difference"])
        assert found["cube"]["action"] == wanted["cube"]["action"]
    else:
        (mine,) = found["entries"]
        assert same(mine["equity"], wanted["position"]["equity"])
        for share, site in zip(mine["chances"], wanted["position"]["chances"], strict=True):
            assert same(share, {"mean": site["mean"], "error": site["error"]})
