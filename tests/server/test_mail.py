"""Mail: an address is somebody's when its link was opened, and a lost password is replaced by one, once."""

from __future__ import annotations

import asyncio
import email
import email.policy
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from sqlalchemy import select

from sheshbesh.errors import SettingsError
from sheshbesh.server.people import mail
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage.tables import mail_addresses, tokens
from tests.server.clock import ManualClock
from tests.server.visitors import Browser, Visitors, visited_site
from tests.waiting import PATIENCE, eventually

pytestmark = pytest.mark.anyio

OLD, NEW = "correct horse battery", "staple of the stable"


class Sink:
    """A mail server that keeps what it is given; `refuse` is what it says instead, once each."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[tuple[str, str, str]] = asyncio.Queue()
        self.refuse: list[str] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to = ""
        writer.write(b"220 sink\r\n")
        try:
            while line := (await reader.readline()).decode().strip():
                word = line[:4].upper()
                if word == "DATA":
                    writer.write(b"354 go on\r\n")
                    content = await reader.readuntil(b"\r\n.\r\n")
                    told = email.message_from_bytes(content[:-5], policy=email.policy.default)
                    body = told.get_body()
                    assert body is not None
                    self.messages.put_nowait((to, str(told["Subject"]), body.get_content()))
                elif word == "RCPT":
                    to = line.partition("<")[2].rstrip(">")
                    if self.refuse:
                        writer.write(f"{self.refuse.pop(0)}\r\n".encode())
                        continue
                writer.write(b"221 bye\r\n" if word == "QUIT" else b"250 ok\r\n")
        finally:
            writer.close()

    async def next(self) -> tuple[str, str, str]:
        async with asyncio.timeout(PATIENCE):
            return await self.messages.get()

    async def token(self, to: str) -> str:
        """The token of the link in the next message, which goes there."""
        ((address, token),) = (await self.tokens(1)).items()
        assert address == to
        return token

    async def tokens(self, messages: int) -> dict[str, str]:
        """The tokens of the links in the next messages, by where they go."""
        found = {}
        for _ in range(messages):
            address, _, text = await self.next()
            (found[address],) = re.findall(r"http://\S+/mail#(?:confirm|password)=(\S+)", text)
        return found


@asynccontextmanager
async def site_with_mail(tmp_path: Path, **more: object) -> AsyncIterator[tuple[Visitors, Sink]]:
    sink = Sink()
    server = await asyncio.start_server(sink.serve, "127.0.0.1", 0)
    told = {
        "mail_host": "127.0.0.1",
        "mail_port": server.sockets[0].getsockname()[1],
        "mail_security": "none",
    }
    try:
        async with visited_site(
            f"sqlite:///{tmp_path}/site.db", mail_from="site@play.example", **{**told, **more}
        ) as visitors:
            yield visitors, sink
    finally:
        server.close()
        await server.wait_closed()


async def test_an_address_is_ones_own_when_its_link_was_opened_once(tmp_path: Path) -> None:
    async with (
        site_with_mail(tmp_path) as (visitors, sink),
        visitors.guest() as nava,
        visitors.guest() as else_,
    ):
        wanted = {"address": " nava@a.example ", "password": OLD}
        assert (await nava.ask("POST", "account/mail", wanted)).status_code == 409, "a guest has none"
        await nava.post("account/claim", {"name": "Nava", "password": OLD})
        wrong = await nava.ask("POST", "account/mail", wanted | {"password": "not mine"})
        assert wrong.status_code == 401
        for nonsense in (
            "nava",
            "a@b@c",
            "a b@c.example",
            "a@c.example\r\nBcc: x@y.example",
            "<a@b.example>",
        ):
            said = await nava.ask("POST", "account/mail", wanted | {"address": nonsense})
            assert said.status_code == 422 and said.json()["error"]["where"] == "address"
        told = await nava.post("account/mail", wanted)
        assert told == (await nava.get("account"))["mail"] == {"address": None, "wanted": "nava@a.example"}
        await else_.post("account/mail/lost", {"name": "Nava"})
        token = await sink.token("nava@a.example")
        assert (await else_.post("account/mail/confirm", {"token": token})) == {"address": "nava@a.example"}
        for bad in (token, token[:-2], "", "x"):
            assert (await else_.ask("POST", "account/mail/confirm", {"token": bad})).status_code == 410
        assert sink.messages.empty(), "nothing goes to an address that is not confirmed"
        # Another one: the first is told, and a link that is not the last one is worth nothing.
        await nava.post("account/mail", {"address": "first@b.example", "password": OLD})
        await nava.post("account/mail", {"address": "nava@b.example", "password": OLD})
        tokens = await sink.tokens(2)  # in any order
        first, last = tokens["first@b.example"], tokens["nava@b.example"]
        assert (await nava.ask("POST", "account/mail/confirm", {"token": first})).status_code == 410
        await nava.post("account/mail/confirm", {"token": last})
        assert (await sink.next())[0] == "nava@a.example"
        archive = await nava.client.get("/api/v1/account/export")
        with ZipFile(BytesIO(archive.content)) as found:
            (kept,) = json.loads(found.read("account.json"))["mail"]
        assert (kept["address"], kept["wanted"]) == ("nava@b.example", None)
        gone = await nava.post("account/mail/remove", {"password": OLD})
        assert gone == {"address": None, "wanted": None}


async def having_mail(sink: Sink, who: Browser) -> None:
    """Let somebody be called Nava, and have an address."""
    await who.post("account/claim", {"name": "Nava", "password": OLD})
    await who.post("account/mail", {"address": "nava@a.example", "password": OLD})
    await who.post("account/mail/confirm", {"token": await sink.token("nava@a.example")})


async def test_a_lost_password_is_replaced_by_a_link_that_is_good_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        site_with_mail(tmp_path) as (visitors, sink),
        visitors.guest() as nava,
        visitors.guest() as away,
    ):
        await having_mail(sink, nava)
        await nava.post("tokens", {"name": "t", "scopes": ["read"]})
        # The answer is the same for every name; the name and the address both find the account.
        said = [
            await away.ask("POST", "account/mail/lost", {"name": name})
            for name in ("nobody", "NAVA", "Nava@A.example")
        ]
        assert {(each.status_code, each.text) for each in said} == {(200, "{}")}
        first, second = await sink.token("nava@a.example"), await sink.token("nava@a.example")
        short = await away.ask("POST", "account/mail/password", {"token": first, "password": "x"})
        assert short.status_code == 422
        with monkeypatch.context() as later:
            later.setattr(mail, "SECONDS", -1)
            old = await away.ask("POST", "account/mail/password", {"token": first, "password": NEW})
            assert old.status_code == 410
        found = await away.post("account/mail/password", {"token": first, "password": NEW})
        assert found["user"]["name"] == "Nava"
        assert (await nava.ask("GET", "me")).status_code == 401, "other browsers are signed out"
        assert await visitors.site.database.all(select(tokens)) == []
        for used in (first, second):
            again = await away.ask("POST", "account/mail/password", {"token": used, "password": OLD})
            assert again.status_code == 410, "a password that was changed ends all links"
        await away.post("account/delete", {"password": NEW})
        assert await visitors.site.database.all(select(mail_addresses)) == []


async def test_two_who_open_one_link_at_once_do_not_both_set_a_password(tmp_path: Path) -> None:
    async with site_with_mail(tmp_path) as (visitors, sink), visitors.guest() as nava:
        await having_mail(sink, nava)
        (found,) = await visitors.site.people.mail.lost("nava")
        both = (visitors.site.people.mail.reset(found.token, f"{NEW} {n}") for n in range(2))
        made = await asyncio.gather(*both, return_exceptions=True)
        assert sorted(type(each).__name__ for each in made) == ["Failure", "tuple"]


async def test_an_account_is_written_to_so_often_and_an_address_may_ask_so_often(tmp_path: Path) -> None:
    async with site_with_mail(tmp_path, limits=True) as (visitors, sink), visitors.guest() as nava:
        await having_mail(sink, nava)  # which is one of three
        answers = [
            (await nava.ask("POST", "account/mail/lost", {"name": "Nava"})).status_code for _ in range(6)
        ]
        assert answers == [200] * 4 + [429] * 2
        assert [await sink.token("nava@a.example") for _ in range(2)]
        visitors.site.people.mailer.send("next@a.example", "Subject", "Text")
        assert (await sink.next())[0] == "next@a.example", "no third one came before"


async def test_a_mail_server_that_asks_to_come_later_is_asked_again(tmp_path: Path) -> None:
    clock = ManualClock()
    async with site_with_mail(tmp_path, clock=clock) as (visitors, sink):
        send = visitors.site.people.mailer.send
        sink.refuse = ["450 later", "450 later"]
        send("later@a.example", "Subject", "Text: ذ")
        for seconds in (10.0, 60.0):
            await clock.until_waiting(seconds)
            assert sink.messages.empty()
            clock.advance(seconds)
        assert (await sink.next())[0] == "later@a.example"
        sink.refuse = ["550 nobody here"]
        send("nobody@a.example", "Subject", "Text")
        await eventually(lambda: not sink.refuse)
        send("there@a.example", "Subject", "Text")
        assert (await sink.next())[0] == "there@a.example"
        assert sink.messages.empty()


async def test_a_site_without_mail_says_so_and_keeps_no_address(visitors: Visitors) -> None:
    async with visitors.guest() as nava:
        assert (await nava.get("account/mail"))["sends"] is False and (await nava.get("account"))[
            "mail"
        ] is None
        for path, body in (("lost", {"name": "x"}), ("confirm", {"token": "x"})):
            assert (await nava.ask("POST", f"account/mail/{path}", body)).status_code == 404


def test_settings_of_mail_that_cannot_work_are_named() -> None:
    with pytest.raises(SettingsError, match="MAIL_FROM"):
        Settings(mail_host="mail.example")
    with pytest.raises(SettingsError, match="ORIGIN"):
        Settings(mail_host="mail.example", mail_from="a@b.example", host="0.0.0.0", secret="x" * 32)
    with pytest.raises(SettingsError, match="MAIL_SECURITY"):
        Settings(mail_security="ssl")
