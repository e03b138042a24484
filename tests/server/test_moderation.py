"""Reports, mutes, bans and names: what moderators do is enforced at once, said in words, and logged."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from sheshbesh.server.ids import now_ms
from sheshbesh.server.people.moderation import Actor, Moderation
from sheshbesh.server.people.names import NOBODY
from sheshbesh.server.people.sanctions import BAN, MUTE
from sheshbesh.server.refusals import Failure
from sheshbesh.server.storage import Database
from sheshbesh.server.storage.tables import moderation_log, sanctions, tokens
from tests.server.test_leaving import invited
from tests.server.test_tournaments import announced
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio

OPERATOR = Actor("root (operator)", is_operator=True)
PASSWORD = "correct horse battery"
WHY = {"reason": "insults in the chat"}


async def appoint(visitors: Visitors, name: str) -> None:
    await visitors.site.people.moderation.appoint(OPERATOR, name, "trusted", moderator=True)


async def refused(browser: Browser, path: str, body: object) -> tuple[int, str]:
    answer = await browser.ask("POST", path, body)
    return answer.status_code, answer.json()["error"]["code"]


async def test_a_report_reaches_the_moderators_with_what_was_said_and_is_answered(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer, visitors.user("Sima") as sima:
        match = await invited(nava, omer)
        async with omer.socket(f"/ws/match/{match}") as line:
            await line.send({"t": "say", "ref": "r1", "d": {"text": "you play badly"}})
            await line.until("chat")
        report = {"kind": "talk", "text": "  rude \n words ", "match": match}
        made = await nava.post("users/omer/report", report)
        assert await refused(nava, "users/omer/report", report) == (409, "reported")
        assert await refused(nava, "users/nava/report", report) == (409, "self")
        assert await refused(nava, "users/sima/report", report) == (422, "bad_request")
        assert await refused(nava, "users/sima/report", {"kind": "none"}) == (422, "bad_request")

        assert (await sima.ask("GET", "moderation/reports")).status_code == 403
        await appoint(visitors, "Sima")
        assert (await sima.get("me"))["user"]["moderator"] is True
        (found,) = await sima.get("moderation/reports")
        assert (found["id"], found["user"]["name"], found["by"]) == (made["id"], "Omer", "Nava")
        assert (found["kind"], found["text"], found["match"]) == ("talk", "rude\nwords", match)
        assert [(said["by"], said["text"]) for said in found["talk"]] == [("Omer", "you play badly")]

        path = f"moderation/reports/{made['id']}/resolve"
        await sima.post(path, {"answer": "muted for a day"})
        assert (await sima.ask("POST", path, {"answer": "again"})).status_code == 404
        assert await sima.get("moderation/reports") == []
        (closed,) = await sima.get("moderation/reports?resolved=true")
        assert (closed["answer"], closed["resolved_by"]) == ("muted for a day", "Sima")
        assert [entry["action"] for entry in await sima.get("moderation/log")] == ["resolve", "appoint"]
        assert await nava.post("users/omer/report", report)


async def test_a_mute_is_refused_in_words_until_it_is_over(visitors: Visitors) -> None:
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer, visitors.user("Sima") as sima:
        await appoint(visitors, "Sima")
        match = await invited(nava, omer)
        await sima.post("moderation/users/omer/mute", WHY | {"hours": 24})
        async with omer.socket(f"/ws/match/{match}?lang=tr") as line:
            await line.send({"t": "say", "ref": "r1", "d": {"phrase": "hello"}})
            said = (await line.until("refused"))["d"]
            assert said["rule"] == "chat.muted" and "insults in the chat" in said["text"]
            assert "muted" not in said["text"], "it is said in the reader's language"
            await visitors.site.database.write(update(sanctions).values(until=now_ms() - 1))
            await line.send({"t": "say", "ref": "r2", "d": {"phrase": "hello"}})
            await line.until("ack")
            await sima.post("moderation/users/omer/mute", WHY)
            (held,) = await sima.get("moderation/users/omer")
            assert (held["kind"], held["until"]) == ("mute", None)
            await line.send({"t": "say", "ref": "r3", "d": {"phrase": "hello"}})
            assert (await line.until("refused"))["d"]["rule"] == "chat.muted_for_ever"
            await sima.post("moderation/users/omer/unmute", WHY)
            assert await refused(sima, "moderation/users/omer/unmute", WHY) == (409, "no_sanction")
            await line.send({"t": "say", "ref": "r4", "d": {"phrase": "hello"}})
            await line.until("ack")


async def test_a_ban_ends_sign_ins_tokens_bots_and_sockets_and_keeps_them_out(visitors: Visitors) -> None:
    async with visitors.guest() as omer, visitors.user("Sima") as sima:
        await omer.post("account/claim", {"name": "Omer", "password": PASSWORD})
        bot = await omer.post("bots", {"name": "Omerbot"})
        token = (await omer.post("tokens", {"name": "t", "scopes": ["read"], "bot": "Omerbot"}))["token"]
        waits = await omer.post("matches", {"card": "tapa.p1", "opponent": {"kind": "friend"}})
        await appoint(visitors, "Sima")
        async with omer.socket("/ws/lobby") as line:
            await line.until("challenges")
            await sima.post("moderation/users/omer/ban", WHY | {"hours": 48})
            await line.until_closed()
        assert bot and await visitors.site.database.all(select(tokens)) == []
        assert (await omer.ask("GET", "me")).status_code == 401
        async with visitors.stranger() as program:
            program.client.headers["Authorization"] = f"Bearer {token}"
            assert (await program.ask("GET", "me")).status_code == 401
        assert (await sima.ask("GET", f"matches/{waits['id']}")).status_code == 404
        answer = await omer.ask("POST", "login", {"name": "Omer", "password": PASSWORD})
        error = answer.json()["error"]
        assert (answer.status_code, error["code"]) == (403, "banned")
        assert error["text"].startswith("this account is banned until 2") and "insults" in error["text"]
        await sima.post("moderation/users/omer/unban", WHY)
        await omer.post("login", {"name": "Omer", "password": PASSWORD})
        assert (await omer.get("me"))["user"]["name"] == "Omer"


async def test_a_sign_in_that_was_there_before_the_ban_is_worth_nothing(visitors: Visitors) -> None:
    async with visitors.user("Omer") as omer:
        row = {"user_id": omer.user["id"], "kind": BAN, "at": 0, "until": None, "reason": "x"}
        await visitors.site.database.write(sanctions.insert().values(**row))
        assert (await omer.ask("GET", "me")).status_code == 401


def names(state: dict[str, Any]) -> set[str]:
    """Of both players, whichever side they have."""
    return {player["name"] for player in state["d"]["players"].values()}


async def test_a_new_name_stands_in_matches_and_the_old_one_is_nobodys(anywhere: Visitors) -> None:
    async with (
        anywhere.user("Nava") as nava,
        anywhere.user("Rudeword") as rude,
        anywhere.user("Sima") as sima,
    ):
        await appoint(anywhere, "Sima")
        match = await invited(nava, rude)
        tournament = await announced(nava)
        await rude.post(f"tournaments/{tournament}/entry")
        await rude.post(f"tournaments/{tournament}/chat", {"phrase": "hello"})
        async with nava.socket(f"/ws/match/{match}") as line:
            assert "Rudeword" in names(await line.until("state"))
            await sima.post("moderation/users/rudeword/rename", WHY | {"name": "Player seven"})
            await line.until_closed()
        async with nava.socket(f"/ws/match/{match}") as line:
            assert names(await line.until("state")) == {"Nava", "Player seven"}
        assert "Rudeword" not in (await nava.ask("GET", f"matches/{match}/record")).text
        (said,) = await nava.get(f"tournaments/{tournament}/chat")
        assert said["by"] == "Player seven"
        (entrant,) = (await nava.get(f"tournaments/{tournament}"))["entrants"]
        assert entrant["name"] == "Player seven"
        assert "Rudeword" not in (await nava.ask("GET", f"tournaments/{tournament}/events")).text
        assert (await rude.get("me"))["user"]["name"] == "Player seven"
        async with anywhere.guest() as other:
            wish = {"name": "Rudeword", "password": PASSWORD}
            assert await refused(other, "account/claim", wish) == (409, "taken")
        taken = WHY | {"name": "nava"}
        assert await refused(sima, "moderation/users/Player%20seven/rename", taken) == (409, "taken")
        (entry, _) = await sima.get("moderation/log")
        assert (entry["name"], entry["detail"]["new"]) == ("Rudeword", "Player seven")
        # Nobody else's: to the account itself it can be given back.
        await sima.post("moderation/users/Player%20seven/rename", WHY | {"name": "Rudeword"})
        assert (await rude.get("me"))["user"]["name"] == "Rudeword"
        again = WHY | {"name": "Player seven"}
        assert await refused(sima, "moderation/users/nava/rename", again) == (409, "taken")


async def test_moderators_act_neither_on_themselves_nor_on_each_other(visitors: Visitors) -> None:
    async with visitors.user("Sima") as sima, visitors.user("Taraneh"), visitors.user("Omer") as omer:
        for name in ("Sima", "Taraneh"):
            await appoint(visitors, name)
        assert await refused(sima, "moderation/users/sima/ban", WHY) == (409, "self")
        assert await refused(sima, "moderation/users/taraneh/ban", WHY) == (403, "operator")
        assert await refused(omer, "moderation/users/sima/ban", WHY) == (403, "moderators")
        assert await refused(sima, "moderation/users/nobody/ban", WHY) == (404, "not_found")
        assert await refused(sima, "moderation/users/omer/ban", {"reason": " "}) == (422, "bad_request")
        person = await visitors.site.people.directory.by_id(sima.user["id"])
        assert person is not None
        with pytest.raises(Failure, match="operator"):
            await visitors.site.people.moderation.appoint(Actor.of(person), "Omer", "x", moderator=True)


async def test_a_running_site_follows_what_is_done_beside_it(anywhere: Visitors) -> None:
    async with anywhere.user("Omer") as omer, omer.socket("/ws/lobby") as line:
        await line.until("challenges")
        calendar = (await omer.get("me/calendar"))["url"]
        beside = Database(anywhere.site.settings.database)
        await beside.open()
        await Moderation(beside).sign_out(OPERATOR, "Omer", "a stolen laptop")
        await beside.close()
        await line.until_closed()
        assert (await omer.client.get(calendar)).status_code == 404


async def test_the_log_keeps_what_was_done_to_a_deleted_account_but_not_its_name(visitors: Visitors) -> None:
    async with visitors.user("Omer") as omer:
        await visitors.site.people.moderation.sanction(OPERATOR, "Omer", MUTE, "why", 1)
        await omer.post("account/delete")
        (row,) = await visitors.site.database.all(select(moderation_log))
        assert (row.action, row.name, row.target) == ("mute", NOBODY, omer.user["id"])
