"""One's data as a ZIP file: all of one's own, nothing that proves who one is, and bounded memory."""

from __future__ import annotations

import io
import json
import zlib
from zipfile import ZipFile

import pytest
from sqlalchemy import insert

from sheshbesh.match.timing import DAY
from sheshbesh.server.storage.review_tables import daily_answers, reviews, uploads
from sheshbesh.server.storage.tables import push_subscriptions
from sheshbesh.server.tables import export
from tests.server.test_tournaments import announced
from tests.server.test_users import play
from tests.server.visitors import Browser, Visitors

pytestmark = pytest.mark.anyio


async def taken_away(browser: Browser) -> ZipFile:
    answer = await browser.ask("GET", "account/export")
    assert answer.status_code == 200 and "attachment" in answer.headers["content-disposition"]
    found = ZipFile(io.BytesIO(answer.content))
    assert found.testzip() is None
    return found


async def test_all_of_ones_own_is_in_it_and_no_secret(
    visitors: Visitors, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "_PAGE", 1)
    async with visitors.user("Nava") as nava, visitors.user("Omer") as omer:
        match, _ = await play(nava, omer, rated=True)
        other = (await nava.post("matches", {"card": "tapa.p1", "opponent": {"kind": "hotseat"}}))["id"]
        await omer.post("matches", {"card": "tapa.p1", "opponent": {"kind": "hotseat"}})
        await nava.post("matches", {"card": "tapa.p1", "opponent": {"kind": "friend"}})
        async with nava.socket(f"/ws/match/{match}") as line:
            for n in range(3):
                await line.send({"t": "say", "ref": f"r{n}", "d": {"phrase": "thanks"}})
                await line.until("chat")
        chouette = (await nava.post("chouettes", {"card": "tavla.m", "bots": ["club", "club"]}))["id"]
        await nava.post(f"chouettes/{chouette}/begin")
        async with nava.socket(f"/ws/chouette/{chouette}") as line:
            for n in range(2):
                await line.send({"t": "say", "ref": f"r{n}", "d": {"phrase": "hello"}})
                await line.until("chat")
        tournament = await announced(omer)
        await nava.post(f"tournaments/{tournament}/entry")
        await nava.post(f"tournaments/{tournament}/chat", {"phrase": "hello"})
        await nava.ask("PUT", "users/omer/notes", {"text": "plays slowly"})
        await nava.post("users/omer/block")
        await nava.post("users/omer/report", {"kind": "leaving", "text": "gone"})
        await nava.post("me/vacation", {"days": 3})
        token = (await nava.post("tokens", {"name": "at home", "scopes": ["read"]}))["token"]
        mine = {"owner": nava.user["id"], "created": 1}
        upload = mine | {"id": "up", "name": "../odd name.mat", "format": "mat"}
        review = mine | {"id": "re", "source": "upload", "source_id": "up", "variant": "backgammon"}
        secrets = {"p256dh": "a public key", "auth": "an auth secret"}
        await visitors.site.database.write(
            insert(push_subscriptions).values(
                endpoint="https://push.example/1", user_id=nava.user["id"], lang="fa", created=1, **secrets
            ),
            insert(daily_answers).values(
                [
                    {
                        "owner": owner,
                        "day": "2026-11-24",
                        "puzzle": "tapa-1",
                        "answer": text,
                        "correct": True,
                        "answered": 2,
                    }
                    for owner, text in ((nava.user["id"], "8/2"), (omer.user["id"], "8/1"))
                ]
            ),
            insert(uploads).values(**upload, content=zlib.compress(b"a match")),
            insert(reviews).values(
                **review,
                state="done",
                plies=0,
                progress={},
                summary={},
                about={},
                report=zlib.compress(b"{}"),
            ),
        )

        archive = await taken_away(nava)
        assert set(archive.namelist()) == {
            "README.txt", "account.json", "people.json", "ratings.json", "puzzles.json", "matches.jsonl",
            "chat.jsonl", "chouette-chat.jsonl", "tournament-chat.jsonl",
            f"matches/tavla-{match}.jsonl", f"matches/tapa-{other}.jsonl",
            "reviews/re.json", "uploads/up-_odd_name.mat",
        }  # fmt: skip
        account = json.loads(archive.read("account.json"))
        assert account["name"] == "Nava" and account["tokens"][0]["name"] == "at home"
        assert account["reports"][0]["name"] == "Omer"
        (away,) = account["vacations"]
        assert away["until"] - away["since"] == 3 * DAY
        (push,) = account["push"]
        assert push == {"endpoint": "https://push.example/1", "lang": "fa", "created": 1}
        (marked,) = account["tournament_addresses"]
        assert (marked["tournament_id"], len(marked["mark"])) == (tournament, 32)
        about = archive.read("README.txt").decode()
        assert [name for name in archive.namelist() if "/" not in name and name not in about] == [
            "README.txt"
        ]
        people = json.loads(archive.read("people.json"))
        assert (people["notes"][0]["text"], people["blocked"][0]["name"]) == ("plays slowly", "Omer")
        ratings = json.loads(archive.read("ratings.json"))
        assert len(ratings["ratings"]) == len(ratings["matches"]) == 1
        assert json.loads(archive.read("puzzles.json")) == {
            "days": [
                {"day": "2026-11-24", "puzzle": "tapa-1", "answer": "8/2", "correct": True, "answered": 2}
            ],
            "answers": [],
            "ratings": [],
        }
        assert len(archive.read("matches.jsonl").splitlines()) == 3
        assert len(archive.read("chat.jsonl").splitlines()) == 3
        assert len(archive.read("chouette-chat.jsonl").splitlines()) == 2
        assert len(archive.read("tournament-chat.jsonl").splitlines()) == 1
        record = (await nava.ask("GET", f"matches/{match}/record")).content
        assert archive.read(f"matches/tavla-{match}.jsonl") == record
        assert archive.read("uploads/up-_odd_name.mat") == b"a match"
        whole = b"".join(archive.read(name) for name in archive.namelist())
        for secret in (token, "argon2", *secrets.values()):
            assert secret.encode() not in whole


async def test_a_guest_has_data_too_and_a_stranger_none(visitors: Visitors) -> None:
    async with visitors.guest() as guest, visitors.stranger() as stranger:
        assert json.loads((await taken_away(guest)).read("account.json"))["kind"] == "guest"
        assert (await stranger.ask("GET", "account/export")).status_code == 401
