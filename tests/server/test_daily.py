"""The position of the day: the same for everybody, a decision in every game, each play with its loss."""

from __future__ import annotations

from datetime import date

import httpx
import pytest

from sheshbesh.server.lobby.daily import daily_position
from tests.sizes import sampled_games

_DAY = date(2026, 11, 23)


@pytest.mark.parametrize("game", sampled_games(7))
def test_every_game_has_a_decision_with_all_its_plays(game: str) -> None:
    found = daily_position(game, _DAY)
    assert found["layout"]["checkers"] >= 3
    plays = found["plays"]
    assert 2 <= len({play["play"] for play in plays}) == len(plays)
    assert plays[0]["grade"] == "best" and plays[0]["loss"] == 0
    assert all(play["loss"] >= 0 and play["steps"] for play in plays)
    assert found["choices"][0]["next"], "there is something to play"


def test_another_day_has_another_position_and_the_same_day_the_same() -> None:
    first = daily_position("backgammon", _DAY)
    daily_position.cache_clear()
    assert daily_position("backgammon", _DAY) == first
    assert daily_position("backgammon", date(2026, 11, 24))["board"] != first["board"]


@pytest.mark.anyio
async def test_it_is_told_to_strangers(client: httpx.AsyncClient) -> None:
    found = (await client.get("/api/v1/variants/tapa/daily")).json()
    assert found["game"] == "tapa" and found["plays"]
    assert (await client.get("/api/v1/variants/nothing/daily")).status_code == 404
