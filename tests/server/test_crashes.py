"""`kill -9` in the middle of matches: no acknowledged action is lost."""

from __future__ import annotations

import pytest

from tests.server.crashes import play_through_crashes
from tests.server.tournament_crashes import play_arena_through_crashes
from tests.sizes import sampled

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("kills", sampled((1, 10), lambda kills: kills == 1))
async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(database_url: str, kills: int) -> None:
    # The first kill waits until something is acknowledged, and so does the end; the rest is chance.
    assert await play_through_crashes(database_url, kills=kills, seed=1) >= 1


@pytest.mark.parametrize("database_url", sampled(("sqlite", "postgres"), "sqlite".__eq__), indirect=True)
@pytest.mark.parametrize("kills", sampled((2, 10), lambda kills: kills == 2))
async def test_an_arena_goes_on_where_it_was_when_the_server_is_killed(database_url: str, kills: int) -> None:
    between = (1, 40)
    played = await play_arena_through_crashes(database_url, entrants=6, kills=kills, seed=1, between=between)
    assert played.acknowledged >= kills
