"""Moments of matches: the frames of a game that is over, and the situation in one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from sheshbesh.players.situation import Situation
from sheshbesh.server.people.access import check_look
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure
from sheshbesh.server.tables import replay
from sheshbesh.server.tables.render_cache import RenderCache
from sheshbesh.server.tables.seats import Arrangement
from sheshbesh.server.tables.store import MatchStore


async def game_of(
    rendered: RenderCache, store: MatchStore, match: str, game: int, person: Person | None
) -> tuple[Arrangement, Sequence[Mapping[str, Any]]]:
    """The frames of a game of a match that is over, 0 for the last; none where there is no such game.

    Failure 404 where there is none or it is not theirs to see, 409 where it goes on: nobody is helped in
    a game that is being played.
    """
    found = await store.table(match)
    check_look(None if found is None else found[0], person)
    assert found is not None
    table, over = found
    if not over:
        raise Failure(409, "this match is still being played", code="not_over")
    return table, from_json(await replay.rendered_game(rendered, store, table, game))["frames"]


async def moment_of(
    rendered: RenderCache, store: MatchStore, match: str, game: int, n: int, person: Person | None
) -> tuple[Arrangement, Situation]:
    """A match and the situation in a frame; game 0 is the last one, frame -1 the last decision there.

    Failure as in `game_of`, 404 where there is no such frame.
    """
    table, frames = await game_of(rendered, store, match, game, person)
    decided = [each for each in frames if each["query"] is not None and each["kind"] != "end"]
    if not decided or n >= len(frames):
        raise Failure(404, "there is no such moment in this match")
    chosen = decided[-1] if n < 0 else frames[n]
    if chosen["query"] is None:
        raise Failure(404, "there is no such moment in this match")
    return table, Situation.of_query(chosen["query"])
