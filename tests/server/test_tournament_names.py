"""Tournaments call people by their present names, whatever is read or stored at that moment."""

from __future__ import annotations

import zlib
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, insert, select, update

from sheshbesh.server.news.bus import GAP, Bus
from sheshbesh.server.people.played_names import rename_in_tournaments
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import users
from sheshbesh.server.storage.tournament_tables import (
    tournament_entrants,
    tournament_events,
    tournament_snapshots,
)
from sheshbesh.server.tournaments.store import Stored, TournamentStore
from sheshbesh.server.tournaments.tournaments import Tournaments
from sheshbesh.tournaments import Tournament, apply, new
from sheshbesh.tournaments.actions import (
    Action,
    AddAction,
    AnnounceAction,
    EnterAction,
    LeaveAction,
)
from sheshbesh.tournaments.draw import commitment
from tests.tournament_help import DIRECTOR, SECRET, settings_of

pytestmark = pytest.mark.anyio


class Friday:
    """A tournament in a database: Nava has an account, and there may be a second process."""

    def __init__(self, database: Database) -> None:
        self.database, self.store, self.bus = database, TournamentStore(database), Bus()
        self.state: Tournament = new(settings_of("swiss"), "t", 0)

    async def begin(self) -> None:
        """Let it take entries."""
        account = {"id": "u", "name": "Nava", "folded": "nava", "skeleton": "nava", "kind": "user"}
        await self.database.write(insert(users).values(**account, settings={}, created=1, seen=1))
        await self.store.create(self.state, owner=None, secret=bytes(32), down=0)
        await self.do(DIRECTOR, AnnounceAction(commitment(SECRET)))

    async def do(self, actor: str, action: Action) -> None:
        """Let somebody act, in the process that holds `state`."""
        outcome = apply(self.state, actor, action, self.state.at + 1)
        await self.store.append(self.state, outcome, down=0)
        self.state = outcome.state

    async def rename(self, old: str | None, name: str) -> None:
        """Give Nava another name."""

        def step(connection: Connection) -> None:
            rename_in_tournaments(connection, ["u"], old, name)

        await self.database.write(step)

    async def keep(self) -> None:
        """Keep the state, as after every thousandth event."""
        values = {
            "tournament_id": "t",
            "n": self.state.n,
            "state": zlib.compress(msgspec.json.encode(self.state)),
        }
        await self.database.write(insert(tournament_snapshots).values(values))

    async def kept(self) -> Tournament:
        """Return the state that is kept."""
        (row,) = await self.database.all(select(tournament_snapshots))
        return msgspec.json.decode(zlib.decompress(row.state), type=Tournament)

    async def listed(self) -> list[str]:
        """Return the names of entrants in lists."""
        table = tournament_entrants.c
        return [row.name for row in await self.database.all(select(table.name).order_by(table.number))]

    async def names(self) -> list[str]:
        """Return the names of the tournament as a process that starts now reads it."""
        return names(await Tournaments(self.store, self.bus).find("t"))


def names(state: Tournament | None) -> list[str]:
    """Return the names of those who are entered, former entries among them."""
    assert state is not None
    return [each.name for each in state.entrants]


@pytest.fixture
async def friday(database: Database) -> Friday:
    """Return one that takes entries."""
    found = Friday(database)
    await found.begin()
    return found


async def test_every_entry_of_a_person_has_the_new_name(friday: Friday) -> None:
    """Former ones too, those made by a director, and the state that is kept; nobody else's."""
    await friday.do("u", EnterAction(name="Nava"))
    await friday.do("u", LeaveAction())
    await friday.do(DIRECTOR, AddAction(name="Nava"))  # somebody else, without an account
    await friday.do(DIRECTOR, AddAction(name="Nava", id="u"))
    await friday.keep()
    await friday.do("v", EnterAction(name="Omer"))
    await friday.rename("Nava", "Sima")
    now = ["Sima", "Nava", "Sima", "Omer"]
    assert await friday.listed() == now == await friday.names()
    assert names(await friday.kept()) == now[:3] and (await friday.kept()).n == 5
    record = await friday.store.record("t")
    assert record is not None and names(record.replay()) == now
    await friday.rename("Somebody", "Nobody")
    assert await friday.listed() == now
    await friday.rename(None, "?")  # as with a deleted account
    assert await friday.listed() == ["?", "Nava", "?", "Omer"] == await friday.names()


async def test_a_kept_state_that_is_damaged_is_dropped_with_a_name(friday: Friday) -> None:
    await friday.do("u", EnterAction(name="Nava"))
    await friday.keep()
    await friday.database.write(update(tournament_snapshots).values(state=b"damaged"))
    await friday.rename("Nava", "Sima")
    assert not await friday.database.all(select(tournament_snapshots))
    assert await friday.names() == ["Sima"]


async def test_a_process_that_has_not_heard_of_a_new_name_does_not_store_the_old_one(friday: Friday) -> None:
    await friday.do("u", EnterAction(name="Nava"))
    await friday.do("v", EnterAction(name="Omer"))
    # The next event but one is the thousandth, after which the state is kept.
    friday.state = friday.state.but(n=998)
    await friday.database.write(update(tournament_events).values(n=tournament_events.c.n + 995))
    await friday.rename("Nava", "Sima")
    for _ in range(2):
        await friday.do("u", LeaveAction())
        await friday.do("u", EnterAction(name="Sima"))
    assert await friday.listed() == ["Sima", "Omer", "Sima", "Sima"]
    assert names(await friday.kept())[:3] == ["Sima", "Omer", "Sima"]


@pytest.mark.parametrize("is_held", [False, True])
async def test_a_name_that_changes_while_a_tournament_is_read_is_read_again(
    friday: Friday, monkeypatch: pytest.MonkeyPatch, *, is_held: bool
) -> None:
    await friday.do("u", EnterAction(name="Nava"))
    tournaments, load = Tournaments(friday.store, friday.bus), friday.store.load
    if is_held:
        assert names(await tournaments.find("t")) == ["Nava"]
        tournaments.forget("u")

    async def renamed_meanwhile(identity: str) -> Stored | None:
        monkeypatch.setattr(friday.store, "load", load)
        found = await load(identity)
        await friday.rename("Nava", "Sima")
        tournaments.forget("u")
        return found

    monkeypatch.setattr(friday.store, "load", renamed_meanwhile)
    await tournaments.find("t")
    assert names(await tournaments.find("t")) == ["Sima"]


async def test_what_is_stored_while_a_tournament_is_read_is_read_too(
    friday: Friday, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournaments, load = Tournaments(friday.store, friday.bus), friday.store.load
    tournaments.listen()

    async def entered_meanwhile(identity: str) -> Stored | None:
        found = await load(identity)
        await friday.do("u", EnterAction(name="Nava"))
        friday.bus.publish("tournament", id="t", n=friday.state.n)
        return found

    monkeypatch.setattr(friday.store, "load", entered_meanwhile)
    assert names(await tournaments.find("t")) == ["Nava"]


async def test_a_new_name_is_read_after_lost_news_and_after_a_failure(
    friday: Friday, monkeypatch: pytest.MonkeyPatch
) -> None:
    await friday.do("u", EnterAction(name="Nava"))
    tournaments = Tournaments(friday.store, friday.bus)
    tournaments.listen()
    assert names(await tournaments.find("t")) == ["Nava"]
    await friday.rename("Nava", "Sima")
    friday.bus.publish(GAP)

    async def fails(_identity: str) -> Any:
        raise OSError("no disk")

    with monkeypatch.context() as patch:
        patch.setattr(friday.store, "load", fails)
        with pytest.raises(OSError, match="no disk"):
            await tournaments.find("t")
    assert names(await tournaments.find("t")) == ["Sima"]
