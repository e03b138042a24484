"""Moments of matches: the situation in a frame of a replay, and the drawings of a whole game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic_core import from_json

from sheshbesh.pictures import Look, scene_of, svg
from sheshbesh.players.situation import Situation
from sheshbesh.server.matches import replay
from sheshbesh.server.matches.render_cache import RenderCache
from sheshbesh.server.matches.seats import Arrangement
from sheshbesh.server.matches.store import Store
from sheshbesh.server.people.person import Person
from sheshbesh.server.refusals import Failure

MOST_FRAMES: Final = 240
"""Drawings of an animation; of a longer game some turns are left out, evenly."""
_EACH, _LAST = 1.4, 4.0
"""Seconds for which a drawing is shown, and the last one."""


async def game_of(
    rendered: RenderCache, store: Store, match: str, game: int, person: Person | None
) -> tuple[Arrangement, Sequence[Mapping[str, Any]]]:
    """The frames of a game of a match that is over, 0 for the last; none where there is no such game.

    Failure 404 where there is none or it is not theirs to see, 409 where it goes on: nobody is helped in
    a game that is being played.
    """
    found = await store.table(match)
    if found is None or not _may_look(found[0], person):
        raise Failure(404, "there is no such match, or it has not begun")
    table, over = found
    if not over:
        raise Failure(409, "this match is still being played", code="not_over")
    return table, from_json(await replay.rendered_game(rendered, store, table, game))["frames"]


def _may_look(table: Arrangement, person: Person | None) -> bool:
    return not table.private or bool(table.sides_of(person.id if person is not None else None))


async def moment_of(
    rendered: RenderCache, store: Store, match: str, game: int, n: int, person: Person | None
) -> Situation:
    """The situation in a frame; game 0 is the last one, frame -1 the last decision there.

    Failure as in `game_of`, 404 where there is no such frame.
    """
    _, frames = await game_of(rendered, store, match, game, person)
    decided = [each for each in frames if each["query"] is not None and each["kind"] != "end"]
    if not decided or n >= len(frames):
        raise Failure(404, "there is no such moment in this match")
    chosen = decided[-1] if n < 0 else frames[n]
    if chosen["query"] is None:
        raise Failure(404, "there is no such moment in this match")
    return Situation.of_query(chosen["query"])


def drawings(frames: Sequence[Mapping[str, Any]], look: Look) -> tuple[Sequence[str], Sequence[float]]:
    """A game as drawings, one for each frame, and the seconds for which each is shown."""
    shown = [each for each in frames if each["query"] is not None]
    step = -(-len(shown) // MOST_FRAMES) or 1
    chosen = [*shown[:-1:step], *shown[-1:]]
    drawn = []
    for each in chosen:
        here = Situation.of_query(each["query"])
        drawn.append(drawing(here, look))
    return drawn, [*[_EACH] * (len(drawn) - 1), _LAST]


def drawing(here: Situation, look: Look) -> str:
    """A situation as SVG."""
    return svg(scene_of(here.position, here.card, here.match, here.dice), look)
