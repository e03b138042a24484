"""`kill -9` in the middle of matches: no acknowledged action is lost."""

from __future__ import annotations

import pytest

from tests.server.crashes import play_through_crashes
from tests.sizes import sampled

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("kills", sampled((1, 10), lambda kills: kills == 1))
async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(database_url: str, kills: int) -> None:
    # The first kill waits until something is acknowledged, and so does the end; the rest is chance.
    assert await play_through_crashes(database_url, kills=kills, seed=1) >= 1
