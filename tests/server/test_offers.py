"""What may be offered to end a game early: each class with its price, settlements, and reasons."""

from __future__ import annotations

import httpx
import pytest

from sheshbesh.match import MatchState
from sheshbesh.rules import Side
from sheshbesh.server.tables import view
from sheshbesh.server.tables.offers import offers_data
from sheshbesh.session import ResignAction, RollAction
from tests.session_help import BLACK, WHITE, Table

BOTH = (Side.WHITE, Side.BLACK)


def losses(table: Table, side: str, lang: str = "en") -> list[tuple[str, int, bool, str | None]]:
    data = offers_data(table.state, (Side.of(side),), lang, table.now)
    return [(each["kind"], each["points"], each["ends"], each["refused"]) for each in data["resign"][side]]


def off(table: Table, side: Side) -> int:
    position = table.state.position
    return position.counts(side)[0] if position is not None else 0


def test_each_class_pays_at_the_cube_and_tells_when_it_ends_the_match() -> None:
    table = Table("backgammon.p5").begin().doubles(WHITE)
    assert losses(table, WHITE) == [
        ("single", 2, False, None),
        ("gammon", 4, False, None),
        ("backgammon", 6, True, None),
    ]
    kinds = [kind for kind, *_ in losses(table, BLACK)]
    assert kinds == list(view.personal(table.state, (Side.BLACK,))["resign_kinds"])


def test_jacoby_makes_a_gammon_cheap_until_somebody_doubles() -> None:
    table = Table("backgammon.m").begin()
    assert [points for _, points, *_ in losses(table, WHITE)] == [1, 1, 1]
    table.doubles(WHITE)
    assert [points for _, points, *_ in losses(table, WHITE)] == [2, 4, 6]


def test_a_resignation_says_what_it_pays_where_games_are_counted() -> None:
    table = Table("takhte.g5").begin()
    assert {points for _, points, *_ in losses(table, WHITE)} == {1}
    table.do(table.on_roll, ResignAction("gammon"))
    assert view.common(table.state, table.now)["resignation"]["pays"] == 1


def test_a_player_who_has_borne_off_is_told_why_a_gammon_is_out_of_reach() -> None:
    table = Table("hypergammon.p5", seed="borne off").ready()
    table.do(WHITE, RollAction())
    while not (side := next((each for each in BOTH if off(table, each)), None)):
        if table.phase.value == "move":
            table.play()
        else:
            table.do(table.on_roll, RollAction())
    found = losses(table, side.value)
    assert [refused for kind, _, _, refused in found if kind == "single"] == [None]
    reason = "a side that has borne off a checker loses a single game at most"
    assert {refused for kind, _, _, refused in found if kind != "single"} == {reason}
    assert "простой партии" in str(losses(table, side.value, "ru")[-1][-1])
    assert table.rule(side.value, ResignAction("gammon")) == "resign.borne_off"
    assert table.rule(side.value, ResignAction("mars")) == "resign.kind"


def test_settlements_are_those_that_mean_something_at_this_cube() -> None:
    table = Table("backgammon.m").begin().doubles(WHITE).doubles(BLACK)
    data = offers_data(table.state, BOTH, "en", table.now)
    assert table.state.score == MatchState(cube=4, owner=WHITE, jacoby=True)
    assert [(each["what"], each["points"]) for each in data["propose"]] == [
        *(("settle", points) for points in (0, 2, -2, 4, -4)),
        ("draw", 0),
    ]
    assert all(each["refused"] is None for each in data["propose"])
    assert set(data["resign"]) == {WHITE, BLACK}


def test_only_what_the_card_allows_is_offered_for_consent() -> None:
    timed = Table("backgammon.p3.clock-d12-120").begin()
    found = offers_data(timed.state, (Side.WHITE,), "en", timed.now)["propose"]
    assert [(each["what"], each["refused"]) for each in found] == [("pause", None)]
    plain = Table("backgammon.p3").begin()
    assert offers_data(plain.state, (Side.WHITE,), "en", plain.now)["propose"] == []


@pytest.mark.anyio
async def test_offers_are_their_own_players(guest: httpx.AsyncClient, client: httpx.AsyncClient) -> None:
    wish = {"card": "backgammon.p1", "opponent": {"kind": "hotseat", "names": ["Nava", "Aslan"]}}
    made = (await guest.post("/api/v1/matches", json=wish)).json()
    path = f"/api/v1/matches/{made['id']}/offers"
    found = (await guest.get(path, params={"lang": "tr"})).json()
    assert set(found["resign"]) == {"white", "black"}
    assert (await client.get(path)).status_code == 401
    assert (await guest.get("/api/v1/matches/nothing/offers")).status_code == 404
