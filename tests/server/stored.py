"""Matches that are stored as they stand: nobody has to play them over sockets."""

from __future__ import annotations

from dataclasses import replace

from sheshbesh.rules import Side
from sheshbesh.server.site import Site
from sheshbesh.server.tables.begin import begin
from sheshbesh.server.tables.seats import USER, MatchAgreement, Seat
from sheshbesh.server.tables.store import Writing
from sheshbesh.session import Phase, RollAction
from tests.session_help import Table

ENGINE = Seat("engine", "club", level="club")


def seat_of(user: dict[str, str]) -> Seat:
    """The seat of an account, of which this was told."""
    return Seat(USER, user["name"], user["id"])


def played(
    code: str = "hypergammon.p1", *, match: str = "m1", seed: str = "pictures", turns: int | None = None
) -> Table:
    """A match with dice from a seed, after so many turns or at its end."""
    table = Table(code, seed=seed)
    table.header = replace(table.header, match_id=match)
    table.state = table.header.session()
    table.ready()
    done = 0
    while table.phase is not Phase.OVER and done != turns:
        if table.phase is Phase.MOVE:
            table.play()
            done += 1
        else:
            table.do(table.state.to_act[0].value, RollAction())
    return table


def given_up(match: str = "m1") -> Table:
    """A match that is over after three turns: little to replay and to draw."""
    table = played(match=match, turns=3)
    return table.resigns(table.on_roll)


async def store_match(
    site: Site, table: Table, white: Seat = ENGINE, black: Seat = ENGINE, *, private: bool = False
) -> MatchAgreement:
    """Store a match of these two as it stands."""
    header, seats = table.header, {Side.WHITE: white, Side.BLACK: black}
    agreed = MatchAgreement(header.match_id, header.card, seats, seed=header.seed, private=private)
    await begin(site.database, agreed)
    await site.matches.kind.store.append(Writing(agreed, tuple(table.events), table.state))
    return agreed
