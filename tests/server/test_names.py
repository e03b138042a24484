"""Names: no two look alike, none is of two scripts, nothing in one is unseen."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from sqlalchemy import select

from sheshbesh.server.ids import new_id, now_ms
from sheshbesh.server.people.leaving import AccountDeletion
from sheshbesh.server.people.lookalikes import skeleton
from sheshbesh.server.people.names import check_hot_seats, clean_claim, not_retired
from sheshbesh.server.people.person import Person, clean_name, folded, name_values
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Conflict, Database
from sheshbesh.server.storage.tables import users
from tests.server.conftest import NewClient
from tests.server.test_migrations import made_by

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "unseen", ["\u034f", "\ufe0f", "\u180b", "\U000e0100", "\u3164", "\u115f", "\u1160", "\uffa0", "\u17b4"]
)
def test_characters_that_are_not_shown_are_in_no_name(unseen: str) -> None:
    for name in (f"Na{unseen}va", f"Nava{unseen}", unseen):
        with pytest.raises(Failure, match="cannot contain"):
            clean_name(name)


@pytest.mark.parametrize("name", ["Nаva", "Аdmin", "Pаvel", "Ρaul", "نوا Nava"])
def test_a_name_has_letters_of_one_script(name: str) -> None:
    with pytest.raises(Failure, match="one script"):
        clean_name(name)


@pytest.mark.parametrize("name", ["さくら子", "カタカナ", "한국 7", "نوا ۷", "نوا 7", "Łódź", "Việt"])
def test_languages_written_in_several_scripts_have_names(name: str) -> None:
    assert clean_name(name) == clean_name(clean_name(name))


def test_the_joiner_of_persian_is_allowed_between_arabic_letters_alone() -> None:
    assert clean_name("می\u200cخواهم") == "می\u200cخواهم"
    assert folded("می\u200cخواهم") == folded("میخواهم")
    assert skeleton("می\u200cخواهم") == skeleton("میخواهم")
    for name in ("Na\u200cva", "\u200cنوا", "نوا\u200c", "می\u200c7"):
        with pytest.raises(Failure):
            clean_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [("сор", "cop"), ("Nava", "NAVA"), ("AlI", "All"), ("Bo0", "BoO"), ("rnax", "max"), ("علي", "علی")],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


def test_names_that_look_different_have_skeletons_of_their_own() -> None:
    names = ["Nava", "Neva", "نوا", "Нева", "Guest 12345", "Guest 12346", "Guest 10000", "Ömer", "Omer"]
    assert len({skeleton(name) for name in names}) == len(names)


@pytest.mark.parametrize("name", ["Admin", "ADMlN", "adrnin", "GUEST 7", "White", "Server"])
def test_nobody_takes_what_looks_like_a_name_of_the_site(name: str) -> None:
    with pytest.raises(Failure, match="site's own"):
        clean_claim(name)


async def new_user(database: Database, name: str, kind: str = "user") -> Person:
    person = Person(new_id(), name, kind)
    values = {"settings": {}, "created": now_ms(), "seen": now_ms(), "kind": kind}
    await database.write(users.insert().values(id=person.id, **name_values(name), **values))
    return person


async def test_the_database_takes_no_second_name_of_one_skeleton(database: Database) -> None:
    await new_user(database, "cop")
    with pytest.raises(Conflict):
        await new_user(database, "сор")


async def claim(client: httpx.AsyncClient, name: str) -> httpx.Response:
    await client.post("/api/v1/guest", json={})
    return await client.post("/api/v1/account/claim", json={"name": name, "password": "correct horse"})


async def test_names_like_that_of_a_deleted_account_rest_too(database: Database) -> None:
    await AccountDeletion(database).delete(await new_user(database, "cop"))
    for name in ("cop", "сор"):
        with pytest.raises(Failure, match="is taken"):
            await database.write(not_retired(name))


async def test_names_at_one_screen_are_nobody_elses(database: Database) -> None:
    nava, own = await new_user(database, "cop"), await new_user(database, "Mani")
    await check_hot_seats(database, own, ["Mani", "Grandmother"])
    await check_hot_seats(database, own, ["mani", ""])
    for name in ("cop", "COP", "сор", "Admin", "Guest 12345", "N\ufe0fa"):
        with pytest.raises(Failure) as caught:
            await check_hot_seats(database, own, ["", name])
        assert caught.value.where == "opponent.names"
    await check_hot_seats(database, nava, ["cop", "cop"])


async def test_a_match_at_one_screen_shows_nobodys_name(new_client: NewClient) -> None:
    await claim(new_client(), "Nava")
    client = new_client()
    await client.post("/api/v1/guest", json={})
    body: dict[str, Any] = {"card": "tavla.p1", "opponent": {"kind": "hotseat", "names": ["nava", ""]}}
    answer = await client.post("/api/v1/matches", json=body)
    assert answer.status_code == 409 and answer.json()["error"]["where"] == "opponent.names"
    body["opponent"]["names"] = ["Grandmother", ""]
    assert (await client.post("/api/v1/matches", json=body)).status_code == 200


async def test_no_two_names_at_a_chouette_look_alike(new_client: NewClient) -> None:
    client, guest = new_client(), new_client()
    await claim(client, "cop")
    body = {"card": "backgammon.m.dice-typed", "names": ["cop", "сор", "Ben"]}
    for names in (["cop", "сор", "Ben"], ["cop", "COP", "Ben"]):
        answer = await client.post("/api/v1/chouettes", json=body | {"names": names})
        assert answer.status_code in (409, 422) and answer.json()["error"]["where"] == "names", names
    assert (await client.post("/api/v1/chouettes", json=body | {"names": ["cop"]})).status_code == 200
    # An account that looks like a name at the table was made after the table was.
    await guest.post("/api/v1/guest", json={})
    table = (await guest.post("/api/v1/chouettes", json=body | {"names": ["rnax", "Ben"]})).json()["id"]
    other = new_client()
    await claim(other, "max")
    answer = await other.post(f"/api/v1/chouettes/{table}/seat", json={})
    assert answer.status_code == 409 and answer.json()["error"]["code"] == "name_taken"


async def test_accounts_that_look_alike_already_keep_their_names(bare_database_url: str) -> None:
    row = "INSERT INTO users (id, name, folded, kind, settings, created, seen) VALUES "
    made_by(
        "0005",
        bare_database_url,
        row + "('g', 'Guest 10001', 'guest 10001', 'guest', '{}', 1, 1)",
        row + "('b', 'cop', 'cop', 'bot', '{}', 1, 1)",
        row + "('u', 'сор', 'сор', 'user', '{}', 3, 1)",
        row + "('v', 'Сор', 'x', 'user', '{}', 4, 1)",
    )
    database = Database(bare_database_url)
    await database.open()
    try:
        rows = await database.all(select(users.c.id, users.c.name, users.c.skeleton))
        found = {row.id: (row.name, row.skeleton) for row in rows}
        assert found["u"] == ("сор", skeleton("cop"))
        assert found["b"] == ("cop", f"{skeleton('cop')}#b")
        assert found["v"] == ("Сор", f"{skeleton('cop')}#v")
        assert found["g"] == ("Guest 10001", skeleton("Guest 10001"))
        with pytest.raises(Conflict):
            await new_user(database, "COP")
    finally:
        await database.close()
