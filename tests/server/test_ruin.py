"""`kill -9` in the middle of matches: no acknowledged action is lost."""

from __future__ import annotations

import pytest

from tests.server.ruin import ruin

pytestmark = pytest.mark.anyio


async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(database_url: str) -> None:
    assert await ruin(database_url, kills=5, seed=1) > 50
