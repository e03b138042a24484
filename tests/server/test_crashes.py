"""`kill -9` in the middle of matches: no acknowledged action is lost. `soak.py` kills more often."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.crashes import play_through_crashes
from tests.server.tournament_crashes import play_arena_through_crashes

pytestmark = pytest.mark.anyio


@pytest.mark.soak
async def test_nothing_acknowledged_in_any_game_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    # The first kill waits until something is acknowledged, and so does the end; the rest is chance.
    assert await play_through_crashes(f"sqlite:///{tmp_path}/site.db", kills=1, seed=1) >= 1


async def test_nothing_acknowledged_is_lost_and_an_arena_goes_on_when_the_server_is_killed(
    tmp_path: Path,
) -> None:
    database = f"sqlite:///{tmp_path}/site.db"
    played = await play_arena_through_crashes(database, entrants=4, kills=1, seed=1, between=(1, 10))
    assert played.acknowledged >= 1
