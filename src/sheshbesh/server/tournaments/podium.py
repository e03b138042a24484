"""The matches of a podium, reviewed for everybody: asked for when all is played, shown when they are made."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from sheshbesh.server.refusals import Failure
from sheshbesh.server.reviews.source import MatchSource
from sheshbesh.server.reviews.store import DONE, FAILED, MATCH, ReviewStore
from sheshbesh.server.reviews.view import entry_data
from sheshbesh.server.tournaments.view import lines
from sheshbesh.tournaments import Pairing, Tournament
from sheshbesh.tournaments.standings import Row, overall
from sheshbesh.tournaments.state import Status

MOST = 5
"""Matches that are reviewed."""
_PLACES = 3
_PLIES = 2


def podium(state: Tournament) -> Sequence[Row]:
    """Return the first three (of the main bracket) once all is played; more where places are shared."""
    if state.status not in (Status.CONFIRMING, Status.OVER):
        return ()
    return tuple(row for row in overall(lines(state)) if row.place <= _PLACES)


def podium_matches(state: Tournament) -> Sequence[Pairing]:
    """Return the matches of the first three of the main bracket, the latest first.

    Those between two of them come before the others, and of the others each one's last.
    """
    first = {row.entrant for row in podium(state)}
    played = [
        each
        for each in reversed(state.pairings)
        if each.match and each.result is not None and each.status == "decided" and each.result.is_played
    ]
    among = [each for each in played if first.issuperset(each.both)]
    last = (next((each for each in played if number in each.both), None) for number in sorted(first))
    others = [each for each in last if each is not None and each not in among]
    chosen = {each.number: each for each in [*among, *others][:MOST]}
    return tuple(sorted(chosen.values(), key=lambda each: -each.number))


def _owners(state: Tournament, pairings: Iterable[Pairing]) -> Mapping[str, str]:
    """Return whose the reviews of these pairings are, by match: the winner's, of a drawn one the first's."""
    found = (
        (each.match, each.first if each.result is None else each.result.winner or each.first)
        for each in pairings
    )
    return {match: state.entrant(number).id for match, number in found}


class PodiumReviews:
    """Asks for the reviews of a podium and finds them.

    Each belongs to the winner of its match, who can close its link.
    """

    def __init__(self, store: ReviewStore, source: MatchSource) -> None:
        self._store, self._source = store, source

    async def ask(self, state: Tournament) -> bool:
        """Let the reviews that are missing wait for their turn; tell whether there were any.

        Matches that stand in no list are not reviewed for others.
        """
        if not state.settings.public:
            return False
        owners = _owners(state, await asyncio.to_thread(podium_matches, state))
        known = {row.source_id for row in await self._store.on_podium(owners)}
        missing = [match for match in owners if match not in known]
        for match in missing:
            # It cannot be had where the account is gone, or too many of theirs wait.
            with suppress(Failure):
                found = await self._source.finished(owners[match], match)
                await self._store.ask(
                    *(owners[match], MATCH, match, found.variant),
                    plies=_PLIES,
                    about=found.about,
                    podium=True,
                )
        return bool(missing)

    async def found(self, state: Tournament, lang: str) -> list[dict[str, Any]]:
        """Return the reviews of the podium that have not failed: who played, how well, and the link if it is
        made."""
        pairings = {each.match: each for each in await asyncio.to_thread(podium_matches, state)}
        shown = []
        for row in await self._store.on_podium(_owners(state, pairings.values())):
            if row.state == FAILED:
                continue
            pairing = pairings[row.source_id]
            entry = entry_data(row, await self._source.players(row.source_id), lang)
            shown.append(
                {
                    "pairing": pairing.number,
                    "white": pairing.first,
                    "black": pairing.second,
                    "players": entry["players"],
                    "rates": entry["rates"],
                    "progress": entry["progress"],
                    "url": entry["share"] if row.state == DONE else None,
                }
            )
        return sorted(shown, key=lambda each: -each["pairing"])
