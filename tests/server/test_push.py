"""Web push: what arrives at a push service can be read by the browser that subscribed, and by nobody else."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import select, update

from sheshbesh.errors import SheshbeshError
from sheshbesh.server.news.push import Sender, Subscription, encrypted, padless, public_key, unpadded
from sheshbesh.server.people.push import MOST, Push
from sheshbesh.server.settings import Settings
from sheshbesh.server.storage.tables import push_subscriptions
from sheshbesh.server.tournaments.announcing import Announcer
from sheshbesh.tournaments import SERVER, Action, Presence, due
from sheshbesh.tournaments.actions import (
    AmendAction,
    LeaveAction,
    MessageAction,
    RulingAction,
    TickAction,
)
from tests.server.live import live_site
from tests.server.test_correspondence import began
from tests.tournament_help import DIRECTOR, Course, settings_of

pytestmark = pytest.mark.anyio

SITE = padless(bytes(range(1, 33)))
CONTACT = "mailto:host@example.org"


class Reader:
    """A browser's side of RFC 8291, written from its section 3 on its own."""

    def __init__(self, number: int) -> None:
        self.key = ec.derive_private_key(number, ec.SECP256R1())
        self.secret = bytes(range(16))
        self.point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> Subscription:
        return Subscription(endpoint, padless(self.point), padless(self.secret))

    def read(self, body: bytes) -> bytes:
        salt, length = body[:16], body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), public_key(theirs))

        def derive(secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
            return HKDF(hashes.SHA256(), size, salt, info).derive(secret)

        seed = derive(shared, self.secret, b"WebPush: info\x00" + self.point + theirs, 32)
        key = derive(seed, salt, b"Content-Encoding: aes128gcm\x00", 16)
        nonce = derive(seed, salt, b"Content-Encoding: nonce\x00", 12)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text[-1:] == b"\x02"
        return text[:-1]


@contextmanager
def push_service(status: int = 201) -> Iterator[tuple[str, list[tuple[dict[str, str], bytes]]]]:
    """A push service on this machine: its address, and what has arrived there."""
    arrived: list[tuple[dict[str, str], bytes]] = []

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            arrived.append(({name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/box/1", arrived
        finally:
            server.shutdown()
            thread.join()


def test_a_message_is_read_by_its_browser_alone() -> None:
    browser = Reader(7)
    body = encrypted("şeş beş".encode(), browser.subscription("https://push.example/1"))
    assert browser.read(body) == "şeş beş".encode()
    assert int.from_bytes(body[16:20], "big") >= len(body)
    with pytest.raises(InvalidTag):
        Reader(8).read(body)


def test_a_push_service_can_check_who_sends() -> None:
    sender = Sender(SITE, CONTACT)
    kind, _, rest = sender.authorization("https://push.example:444/box/1").partition(" ")
    token, key = (part.strip().partition("=")[2] for part in rest.split(","))
    head, claims, signature = token.split(".")
    told = json.loads(unpadded(claims))
    assert kind == "vapid" and key == sender.public
    assert (told["aud"], told["sub"]) == ("https://push.example:444", CONTACT)
    assert json.loads(unpadded(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = unpadded(signature)
    pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public_key(unpadded(key)).verify(pair, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


@pytest.mark.parametrize(("status", "kept"), [(201, 1), (503, 1), (410, 0)])
async def test_a_turn_is_told_to_a_browser_in_its_language_and_one_that_is_gone_is_forgotten(
    tmp_path: Path, status: int, kept: int
) -> None:
    reader = Reader(7)
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        with push_service(status) as (endpoint, arrived):
            push = Push(live.site.database, Sender(SITE, CONTACT), ("127.0.0.1",), insecure=True)
            live.site.people = replace(live.site.people, push=push)
            guest = await live.browser()
            who = (await guest.get("/me"))["user"]["id"]
            _, p256dh, auth = reader.subscription(endpoint)
            body = {"endpoint": endpoint, "keys": {"p256dh": p256dh, "auth": auth}}
            answer = await guest.http.post("/api/v1/me/push", json=body, headers={"Accept-Language": "tr"})
            assert answer.status_code == 200
            await push.turn(who, "abc", "Long nardy")
            ((headers, sealed),) = arrived
            assert headers["content-encoding"] == "aes128gcm" and headers["authorization"].startswith(
                "vapid "
            )
            said = json.loads(reader.read(sealed))
            assert (
                said["url"] == "/m/abc"
                and "Long nardy" not in said["body"]
                and "sıra" in said["body"].lower()
            )
            assert len(await live.site.database.all(select(push_subscriptions))) == kept
            await guest.post("/me/push/end", {"endpoint": endpoint})
            assert not await live.site.database.all(select(push_subscriptions))


async def test_who_is_away_is_told_of_their_tournament_in_their_language(tmp_path: Path) -> None:
    """Those who are paired, whose board waits, on whom was ruled; nobody is told who has not entered."""
    reader = Reader(7)
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        with push_service() as (endpoint, arrived):
            push = Push(live.site.database, Sender(SITE, CONTACT), ("127.0.0.1",), insecure=True)
            guest, other = await live.browser(), await live.browser()
            for browser, place in ((guest, "a"), (other, "b")):
                person = await live.site.people.directory.by_id(browser.id)
                assert person is not None
                await push.subscribe(person, reader.subscription(f"{endpoint}/{place}"), "tr")
            title = "Weekly tournament, Istanbul"
            course = Course(settings_of("swiss", title=title, who="guests", rated=False)).open(3)
            course.enter(guest.id, kind="guest")
            tasks: list[asyncio.Task[None]] = []
            announcer = Announcer(
                live.site.lobby,
                push,
                live.site.presence,
                {"t1": "weekly tavla Europe/Istanbul"}.get,
                lambda work: tasks.append(asyncio.create_task(work)),
            )

            async def said(actor: str, action: Action) -> list[tuple[str, str]]:
                before = course.state
                course.do(actor, action)
                arrived.clear()
                announcer.told(before, course.state, course.events[-1])
                await asyncio.gather(*tasks)
                tasks.clear()
                found = [json.loads(reader.read(sealed)) for _, sealed in arrived]
                return [(each["body"], each["url"]) for each in found]

            course.start()
            (pairs,) = due(course.state, 0, Presence())
            name = "Haftalık turnuva · İstanbul"
            paired = (f"{name} turnuvasında tahtada bekleniyorsunuz.", "/t/t1")
            assert await said(SERVER, course.completed(pairs)) == [paired]
            own = next(each.number for each in course.state.open_pairings if 4 in each.both)
            ((text, _),) = await said(SERVER, TickAction(called=(own, 3 - own)))
            assert name in text
            ((text, _),) = await said(DIRECTOR, RulingAction(pairing=own, winner=4, reason="a wrong set-up"))
            assert name in text
            assert not await said(DIRECTOR, RulingAction(pairing=3 - own, winner=0, reason="nobody came"))
            ((text, _),) = await said(DIRECTOR, AmendAction({"text": "Bring a clock."}))
            assert name in text
            ((text, _),) = await said(DIRECTOR, MessageAction("Round 2 at nine."))
            assert name in text
            course.do(guest.id, LeaveAction())
            assert not await said(SERVER, TickAction(called=()))


@pytest.mark.parametrize("bad", ["https://127.0.0.1:99999/", "https://[::1", "http://127.0.0.1:abc/", "\n"])
async def test_a_subscription_that_cannot_be_written_to_keeps_nothing_from_other_browsers(
    tmp_path: Path, bad: str
) -> None:
    """Earlier versions stored any address."""
    reader = Reader(7)
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        with push_service() as (endpoint, arrived):
            push = Push(live.site.database, Sender(SITE, CONTACT), ("127.0.0.1",), insecure=True)
            guest = await live.browser()
            person = await live.site.people.directory.by_id(guest.id)
            assert person is not None
            for place in (f"{endpoint}/a", f"{endpoint}/b", f"{endpoint}/c"):
                await push.subscribe(person, reader.subscription(place), "en")
            first = update(push_subscriptions).where(push_subscriptions.c.endpoint == f"{endpoint}/a")
            await live.site.database.write(first.values(endpoint=bad))
            await push.turn(guest.id, "abc", "Tapa")
            assert len(arrived) == 2
            left = await live.site.database.all(select(push_subscriptions.c.endpoint))
            assert {row.endpoint for row in left} == {f"{endpoint}/b", f"{endpoint}/c"}


async def test_a_push_service_that_is_slow_holds_no_thread_of_the_site(tmp_path: Path) -> None:
    reader, asked, answered = Reader(7), threading.Event(), threading.Event()

    class Slow(Sender):
        def send(self, text: bytes, browser: Subscription) -> bool:
            asked.set()
            return answered.wait(30)

    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        push = Push(live.site.database, Slow(SITE, CONTACT), ("127.0.0.1",), insecure=True)
        guest = await live.browser()
        person = await live.site.people.directory.by_id(guest.id)
        assert person is not None
        await push.subscribe(person, reader.subscription("http://127.0.0.1:1/a"), "en")
        telling = asyncio.create_task(push.turn(guest.id, "abc", "Tapa"))
        assert await asyncio.to_thread(asked.wait, 30)
        assert not telling.done()
        answered.set()
        await telling
        push.close()


async def test_no_address_but_those_of_push_services_is_asked_for(tmp_path: Path) -> None:
    reader = Reader(7)
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        guest = await live.browser()
        _, p256dh, auth = reader.subscription("")
        keys = {"p256dh": p256dh, "auth": auth}

        async def status(endpoint: str, given: dict[str, str] = keys) -> int:
            answer = await guest.http.post("/api/v1/me/push", json={"endpoint": endpoint, "keys": given})
            return int(answer.status_code)

        service = "https://fcm.googleapis.com/fcm/send/x"
        assert (await guest.get("/push"))["key"] is None and await status(service) == 404
        push = Push(live.site.database, Sender(SITE, CONTACT), ("fcm.googleapis.com",))
        live.site.people = replace(live.site.people, push=push)
        for elsewhere in (
            "https://127.0.0.1/",
            "http://fcm.googleapis.com/x",
            "https://evilfcm.googleapis.com.x/",
            "https://[::1",
            "https://[fcm.googleapis.com]/",
            "https://[::1]/",
            "https://fcm.googleapis.com:99999/",
            "https://fcm.googleapis.com:abc/",
            "https://fcm.googleapis.com:0/",
            "https://a:b@fcm.googleapis.com/",
            "https://fcm.googleapis.com/a b",
            "https://fcm.googleapis.com/\u0662",
            "https://x\u3002fcm.googleapis.com/",
            "https://..fcm.googleapis.com/",
            f"https://{'x' * 64}.fcm.googleapis.com/",
            "https://",
            "",
        ):
            assert await status(elsewhere) == 422, elsewhere
        assert await status(service, {**keys, "p256dh": "AAAA"}) == 422
        assert await status(service, {**keys, "auth": "AAAA"}) == 422
        for number in range(MOST + 2):
            assert await status(f"{service}{number}") == 200
        assert len(await live.site.database.all(select(push_subscriptions))) == MOST


def test_a_key_without_a_contact_and_one_that_is_none_are_refused() -> None:
    with pytest.raises(SheshbeshError, match="PUSH_CONTACT"):
        Settings(push_key=SITE)
    with pytest.raises(SheshbeshError, match="32 bytes"):
        Settings(push_key="short", push_contact=CONTACT)
    assert Settings(push_key=SITE, push_contact=CONTACT).push_key == SITE


async def test_a_turn_of_a_match_by_correspondence_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, str]] = []

    async def turn(_self: Push, _user: str, match: str, title: str) -> None:
        told.append((match, title))

    monkeypatch.setattr(Push, "turn", turn)
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        match, _, _ = await began(live)
    assert (match, "Backgammon") in told
