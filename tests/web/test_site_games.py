"""Every shipped game opens in the browser and is played to its end against the weakest level."""

from __future__ import annotations

import pytest

import sheshbesh as sb
from tests.web.conftest import Arrive


@pytest.mark.slow
@pytest.mark.parametrize("game", sb.variants())
def test_every_game_is_played_to_its_end(arrive: Arrive, game: str) -> None:
    visitor = arrive()
    visitor.begin(f"{game}.p1")
    visitor.wait("state.board")
    end = visitor.play_on(90)
    assert end.get("phase") == "over", end
    assert end["winner"] in ("white", "black")
