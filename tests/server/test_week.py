"""One's last seven days: what counts in them, whose it is, and the week before beside it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert

import sheshbesh as sb
from sheshbesh.server.ids import now_ms
from sheshbesh.server.practice.week import WEEK, Weeks
from sheshbesh.server.storage.review_tables import positions, puzzle_answers, reviews
from sheshbesh.server.storage.tables import matches, seats
from tests.server.rows import value
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio


def _row(table: Any, **values: Any) -> Any:
    """A row of any values but these."""
    return insert(table).values({column.name: value(table, column.name) for column in table.columns} | values)


async def _played(visitors: Visitors, browser: Browser, match: str, game: str, **values: Any) -> None:
    """A match that White has won."""
    about = {"owner": None, "rematch_of": None, "invite": match, "kind": "people", "winner": "white"}
    row = {"id": match, "game": game, "state": "over", **about, **values}
    side = values.pop("side", "white")
    row.pop("side", None)
    await visitors.site.database.write(
        _row(matches, **row), _row(seats, match_id=match, side=side, user_id=browser.user["id"], level=None)
    )


async def _reviewed(visitors: Visitors, browser: Browser, review: str, at: int, tally: list[float]) -> None:
    """A review in which they sat at White, with one error of theirs and a larger one of Black's."""
    mine = {"id": review, "owner": browser.user["id"], "source_id": review, "share": review, "created": at}
    about, summary = {"you": "white"}, {"white": {"all": tally}, "black": {"all": [1, 9.0, 81.0]}}
    board = sb.variant("tapa").start().id
    shown = {"review_id": review, "owner": browser.user["id"], "variant": "tapa", "board": board, "kind": 0}
    await visitors.site.database.write(
        _row(reviews, **mine, variant="tapa", state="done", about=about, summary=summary, public=False),
        _row(positions, **shown, n=1, side="black", loss=9000, dice=31),
        _row(positions, **shown, n=2, side="white", loss=round(1000 * tally[1]), dice=42),
    )


async def test_a_week_counts_what_one_has_done_in_it(visitors: Visitors) -> None:
    now = now_ms()
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        empty = await nava.get("me/week")
        assert empty["games"] == [] and empty["rating"] is empty["worst"] is None
        assert empty["puzzles"] == {"answered": 0, "right": 0}
        for n, (game, side) in enumerate((("tapa", "white"), ("tapa", "black"), ("tavla", "white"))):
            await _played(visitors, nava, f"m{n}", game, ended=now - n, side=side)
        await _played(visitors, nava, "earlier", "tavla", ended=now - WEEK - 1)
        await _played(visitors, omer, "his", "tavla", ended=now)
        # Ten decisions cost .2 and .1 in all: 500 · .3 / 20; the week before .5: 500 · .5 / 10.
        await _reviewed(visitors, nava, "r1", now - 1000, [10, 0.2, 0.04])
        await _reviewed(visitors, nava, "r2", now - 2000, [10, 0.1, 0.01])
        await _reviewed(visitors, nava, "r3", now - WEEK - 1000, [10, 0.5, 0.25])
        await _reviewed(visitors, omer, "r4", now - 1000, [10, 1.0, 1.0])
        answer = {"owner": nava.user["id"], "at": now - 5}
        await visitors.site.database.write(
            _row(puzzle_answers, **answer, puzzle="a", correct=True),
            _row(puzzle_answers, **answer, puzzle="b", correct=False),
            _row(puzzle_answers, **answer | {"at": now - WEEK - 5}, puzzle="c", correct=True),
        )
        week = await Weeks(visitors.site.database).of(nava.user["id"], now + 1)
        assert week["games"] == [
            {"game": "tapa", "matches": 2, "won": 1},
            {"game": "tavla", "matches": 1, "won": 1},
        ]
        assert (week["rating"]["pr"], week["before"]["pr"]) == (7.5, 25.0)
        assert week["rating"]["error"] == pytest.approx(500 * (0.0025 - 0.015**2) ** 0.5 / 20**0.5, abs=0.005)
        worst = week["worst"]
        assert (worst["review"], worst["n"], worst["side"], worst["loss"]) == ("r1", 2, "white", 0.2)
        assert worst["board"] is not None and worst["own"] and worst["variant"] == "tapa"
        assert week["puzzles"] == {"answered": 2, "right": 1}
        assert (await nava.get("me/week"))["games"] == week["games"]
        async with visitors.stranger() as stranger:
            assert (await stranger.ask("GET", "me/week")).status_code == 401
