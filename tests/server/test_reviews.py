"""Reviews on the site: of matches and of uploads, one after the other, private, shared, deleted."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import zlib
from base64 import b64encode
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

import sheshbesh as sb
from sheshbesh.i18n import Text
from sheshbesh.reviews import partial
from sheshbesh.reviews.questions import rules_of
from sheshbesh.server.engine.questions import Questions
from sheshbesh.server.engine.queue import NOT_STARTED, EngineError, Urgency
from sheshbesh.server.engine.workers import COMMAND, READERS
from sheshbesh.server.refusals import Failure
from sheshbesh.server.reviews import view
from sheshbesh.server.reviews.making import MOST_DECISIONS, ReviewMaker, _Review
from sheshbesh.server.reviews.store import RUNNING, UPLOAD, WAITING, ReviewStore, report_of
from sheshbesh.server.reviews.view import entry_data, history_data
from sheshbesh.server.site import Site
from sheshbesh.server.storage import Database
from sheshbesh.server.tables.seats import Seat
from tests.server.clock import ManualClock
from tests.server.conftest import NewClient, running_app
from tests.server.stored import played, store_match
from tests.server.test_engine_queue import ManualTaker
from tests.sizes import REVIEWED
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

SHORT = b""" 1 point match

 Game 1
 Nava : 0                          Tobias : 0
  1) 31: 8/5 6/5                   52: 13/11 13/8
  2) 64: 24/14                     66: 24/18(2) 13/7(2)
  3) 21: 6/5 8/6                   Cannot Move
      Wins 1 point and the match
"""


def uploaded(content: bytes, name: str = "short.mat", **more: Any) -> dict[str, Any]:
    return {"name": name, "content": b64encode(content).decode(), "plies": 0, **more}


async def until_done(client: httpx.AsyncClient, review: str) -> dict[str, Any]:
    async def done() -> dict[str, Any]:
        # By the list, which costs one request: this asks more often than a page would.
        answer = await client.get("/api/v1/reviews")
        found: dict[str, Any] = next(each for each in answer.json() if each["id"] == review)
        assert found["state"] != "failed", found["error"]
        return found if found["state"] == "done" else {}

    await eventually(done, seconds=REVIEWED)
    return dict((await client.get(f"/api/v1/reviews/{review}")).json())


async def finished_match(site: Site, user: str, *, code: str = "hypergammon.p1") -> str:
    """A match that this user has just won or lost against the engine."""
    table = played(code, match="reviewed", seed="reviewed")
    return (await store_match(site, table, white=Seat("guest", "Nava", user=user))).id


async def me(client: httpx.AsyncClient) -> str:
    return str((await client.get("/api/v1/me")).json()["user"]["id"])


async def test_a_finished_match_is_reviewed_in_one_request(app: FastAPI, guest: httpx.AsyncClient) -> None:
    match = await finished_match(app.state.site, await me(guest))
    made = (await guest.post("/api/v1/reviews", json={"match": match, "plies": 0})).json()
    again = (await guest.post("/api/v1/reviews", json={"match": match, "plies": 0})).json()
    assert made["id"] == again["id"]
    found = await until_done(guest, made["id"])
    assert found["players"] == {"white": "Nava", "black": "club"} and found["you"] == "white"
    assert found["levels"] == {"white": None, "black": "club"}
    decisions = found["report"]["decisions"]
    total = sum(each["loss"] for each in decisions if each["counted"] and each["side"] == "white")
    rate = found["rates"]["white"]
    counted = sum(each["counted"] for each in decisions if each["side"] == "white")
    assert rate["rate"] == pytest.approx(1000 * total / counted, abs=0.1)
    side = found["report"]["sides"]["white"]
    mine = [each for each in decisions if each["side"] == "white" and each["dice"] and each["counted"]]
    assert decisions[side["worst"]]["loss"] == max(each["loss"] for each in mine) > 0
    assert decisions[side["best"]]["verdict"] == "best" and decisions[side["best"]]["side"] == "white"
    first = [each for each in found["report"]["numbers"] if each["first"]]
    assert len(first) == 1 and first[0]["white"].startswith(f"{side['pr']:.2f}")
    arabic = (await guest.get(f"/api/v1/reviews/{made['id']}?lang=ar")).json()["report"]["numbers"]
    assert not re.search("[0-9.]", "".join(each["white"] + each["black"] for each in arabic))
    row = await app.state.site.reviews.store.one(await me(guest), made["id"])
    assert report_of(row).players == ("", "")  # a name may go, and is not kept twice
    history = (await guest.get("/api/v1/reviews/history")).json()
    assert [each["id"] for each in history["points"]] == [made["id"]]
    assert [each["name"] for each in history["level"]] == ["club"]
    assert sum(each["decisions"] for each in history["phase"]) == counted


async def test_each_decision_has_its_board_and_its_candidates(guest: httpx.AsyncClient) -> None:
    answer = await guest.post("/api/v1/uploads", json=uploaded(SHORT))
    assert answer.status_code == 200, answer.text
    review = answer.json()["id"]
    found = await until_done(guest, review)
    assert found["players"] == {"white": "Nava", "black": "Tobias"} and found["file"] == "short.mat"
    assert found["levels"] == {"white": None, "black": None}
    for each in found["report"]["decisions"]:
        told = (await guest.get(f"/api/v1/reviews/{review}/decisions/{each['n']}")).json()
        assert "error" not in told, told
        assert told["side"] in ("white", "black")
        if each["open"] and each["type"] == "play":
            best, *rest = told["candidates"]
            assert best["behind"] == 0 and best["steps"] and all(other["behind"] >= 0 for other in rest)
            assert sum(other["made"] for other in told["candidates"]) == 1
            assert told["choices"], "the play can be entered"
    assert (await guest.get(f"/api/v1/reviews/{review}/decisions/999")).status_code == 404


async def test_the_costliest_decision_may_be_one_about_the_cube(
    app: FastAPI, guest: httpx.AsyncClient
) -> None:
    doubled = SHORT.replace(b" 1 point", b" 5 point").split(b"  2)")[0] + (
        b"  2)  Doubles => 2                  Drops\n      Wins 1 point\n"
    )
    review = (await guest.post("/api/v1/uploads", json=uploaded(doubled))).json()["id"]
    report = (await until_done(guest, review))["report"]
    worst = {side: report["decisions"][report["sides"][side]["worst"]] for side in ("white", "black")}
    assert {side: each["type"] for side, each in worst.items()} == {"white": "double", "black": "drop"}
    row = await app.state.site.reviews.store.one(await me(guest), review)
    scene = view.worst_scene(report_of(row), "black")
    assert scene is not None and (scene.dice, scene.cube, scene.steps) == ((), (1, None), ())


async def test_what_was_not_plain_in_a_file_is_told_line_by_line(guest: httpx.AsyncClient) -> None:
    content = (Path(__file__).parents[1] / "data" / "review" / "choue.txt").read_bytes()
    answer = (await guest.post("/api/v1/uploads", json=uploaded(content, "choue.txt"))).json()
    assert answer["repairs"] and all(each["line"] >= 0 and each["reason"] for each in answer["repairs"])


async def test_a_review_of_an_uploaded_record_has_the_rules_of_its_card_from_the_start(
    app: FastAPI, guest: httpx.AsyncClient
) -> None:
    record = played("plakoto.mother=false.g1").record()
    head, _, events = record.to_text().partition("\n")
    # As a match without a server is written, of a computer and somebody who claims to be one.
    tags = json.dumps(json.loads(head) | {"tags": {"WhiteLevel": "club-bold", "BlackLevel": "of all"}})
    answer = await guest.post("/api/v1/uploads", json=uploaded(f"{tags}\n{events}".encode()))
    levels = (await guest.get(f"/api/v1/reviews/{answer.json()['id']}")).json()["levels"]
    assert levels == {"white": "club-bold", "black": None}
    begun = view.Begun.of(await app.state.site.reviews.store.one(await me(guest), answer.json()["id"]))
    assert rules_of(begun) == record.header.card.rules and begun.length == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00" * 5000, b"(" * 200_000, b" 5 point match\n\n Game 1\n" + b"A" * 300_000, b"[]"],
    ids=["empty", "zeros", "nested", "long", "list"],
)
async def test_a_file_that_is_no_match_gives_one_clear_error(
    guest: httpx.AsyncClient, content: bytes
) -> None:
    answer = await guest.post("/api/v1/uploads", json=uploaded(content))
    assert answer.status_code == 422 and answer.json()["error"]["code"] == "no_match"
    assert "\n" not in answer.json()["error"]["text"]
    assert (await guest.get("/api/v1/reviews")).json() == []


async def test_what_is_wrong_with_a_file_is_told_in_the_language_of_the_page(
    guest: httpx.AsyncClient,
) -> None:
    persian = {"Accept-Language": "fa"}
    answer = await guest.post("/api/v1/uploads", json=uploaded(b"5 point match\n"), headers=persian)
    assert "پس از طول مسابقه دستی نمی‌آید" in answer.json()["error"]["text"]
    content = (Path(__file__).parents[1] / "data" / "review" / "choue.txt").read_bytes()
    found = (await guest.post("/api/v1/uploads", json=uploaded(content), headers=persian)).json()["repairs"]
    assert found and not any(re.search("[a-z]{3} [a-z]{3}", each["reason"] + each["done"]) for each in found)
    answer = await guest.post(
        "/api/v1/analysis/text", json={"text": "XGID=1", "card": "backgammon.p5", "lang": "ru"}
    )
    assert "полей через двоеточие" in answer.json()["error"]["text"]


@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("bad_argument", 422, "this file cannot be read as a match: line 3"),
        ("stopped", 422, "this file takes more than 10 s or 1024 MiB to read"),
        ("", 422, "this file takes more than 10 s or 1024 MiB to read"),
        (NOT_STARTED, 503, "too many files are being read: try again in a moment"),
    ],
)
async def test_a_file_that_ends_its_reader_is_refused_by_a_sentence(
    code: str, status: int, told: str
) -> None:
    engines = Questions(0)
    engines.queue.add(taker := ManualTaker(1, frozenset({Urgency.FILE})))
    maker = ReviewMaker(cast("ReviewStore", None), cast("Any", None), "mine", engines)
    asked = asyncio.create_task(maker.read(SHORT, "en", who="a"))
    await eventually(lambda: taker.jobs)
    taker.jobs.pop().fail("line 3", code)
    with pytest.raises(Failure) as refused:
        await asked
    assert (refused.value.status_code, str(refused.value.detail)) == (status, told)


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="there are no limits to be read")
def test_a_reader_has_a_bounded_processor_time_and_memory() -> None:
    command = [sys.executable, *COMMAND, *READERS.options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdin is not None and reader.stdout is not None
        reader.stdin.write("isready\n")
        reader.stdin.flush()
        assert reader.stdout.readline() == "readyok\n"
        limits = Path(f"/proc/{reader.pid}/limits").read_text()
        assert re.search(r"Max cpu time +10 +10 ", limits)
        assert re.search(rf"Max address space +{1 << 30} +{1 << 30} ", limits)
        reader.kill()


async def test_a_file_beyond_the_limit_is_refused_before_it_is_read(guest: httpx.AsyncClient) -> None:
    answer = await guest.post("/api/v1/uploads", json=uploaded(b" " * (2 * 1024 * 1024 + 1)))
    assert answer.status_code == 413
    assert (await guest.post("/api/v1/uploads", json={"content": "?"})).status_code == 422


async def test_uploads_are_private_until_they_are_shared(
    guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    named = uploaded(SHORT, name="\u202e short\u2066\r\n\x85.mat\u2028")
    review = (await guest.post("/api/v1/uploads", json=named)).json()["id"]
    assert (await until_done(guest, review))["file"] == "short .mat"
    other = new_client()
    await other.post("/api/v1/guest", json={})
    assert (await other.get(f"/api/v1/reviews/{review}")).status_code == 404
    assert (await other.request("DELETE", f"/api/v1/reviews/{review}", json={})).status_code == 404
    link = (await guest.put(f"/api/v1/reviews/{review}/share", json={})).json()["share"]
    told = (await new_client().get(f"/api/v1{link}")).json()
    assert told["players"] == {"white": "", "black": ""} and told["file"] is None
    assert "Nava" not in str(told) and "Tobias" not in str(told)
    assert (await new_client().get(f"/api/v1{link}/decisions/0")).status_code == 200
    same = (await guest.put(f"/api/v1/reviews/{review}/share", json={"names": True})).json()["share"]
    assert same == link
    assert (await other.get(f"/api/v1{link}")).json()["players"]["black"] == "Tobias"
    await guest.request("DELETE", f"/api/v1/reviews/{review}/share", json={})
    assert (await other.get(f"/api/v1{link}")).status_code == 404


async def test_a_deleted_review_takes_its_file_with_it(app: FastAPI, guest: httpx.AsyncClient) -> None:
    review = (await guest.post("/api/v1/uploads", json=uploaded(SHORT))).json()["id"]
    owner = await me(guest)
    row = await app.state.site.reviews.store.one(owner, review)
    assert (await guest.request("DELETE", f"/api/v1/reviews/{review}", json={})).status_code == 200
    assert await app.state.site.reviews.store.upload(owner, row.source_id) is None
    assert (await guest.get(f"/api/v1/reviews/{review}")).status_code == 404


async def test_a_match_that_goes_on_or_is_another_players_is_not_reviewed(
    app: FastAPI, guest: httpx.AsyncClient, new_client: NewClient
) -> None:
    going = (await guest.post("/api/v1/matches", json={"card": "tavla.g1"})).json()["id"]
    assert (await guest.post("/api/v1/reviews", json={"match": going})).status_code == 409
    match = await finished_match(app.state.site, await me(guest))
    other = new_client()
    await other.post("/api/v1/guest", json={})
    assert (await other.post("/api/v1/reviews", json={"match": match})).status_code == 404


async def test_a_review_of_a_server_that_was_killed_goes_on_with_the_next(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/site.db"
    async with running_app(database=url) as app:
        store = app.state.site.reviews.store
        person, _ = await app.state.site.people.directory.new_guest("")
        upload = await store.keep_upload(person.id, "short.mat", "mat", SHORT)
    # What a killed process leaves: a review that runs, by a process that nobody hears of any more.
    database = Database(url)
    await database.open()
    store = ReviewStore(database)
    about = {"players": ["Nava", "Tobias"]}
    review = await store.ask(person.id, "upload", upload, "backgammon", plies=0, about=about)
    row = await store.take("gone")
    assert row is not None and row.id == review
    await store.progress(review, {"done": 1, "total": 5, "plies": 0}, None)
    await database.close()
    async with running_app(engines=1, database=url) as app:
        store = app.state.site.reviews.store

        async def done() -> Any:
            row = await store.one(person.id, review)
            assert row.state in (WAITING, RUNNING, "done")
            return row if row.state == "done" else None

        assert report_of(await eventually(done, seconds=REVIEWED)).complete


def test_what_is_judged_of_a_review_that_is_being_made_is_that_of_the_finished_one() -> None:
    report = sb.review(sb.read_match(SHORT.decode()), plies=0, workers=1)
    rows = {place: report.decisions[place].kept() for place in (0, 1, 2, 4)}
    about = {"players": ["Nava", "Tobias"], "length": report.length}
    row: Any = SimpleNamespace(
        variant="backgammon", about=about, partial=zlib.compress(partial("k", 0, rows))
    )
    begun = view.Begun.of(row)
    assert len(begun.decisions) == 3, "the fourth is not judged yet"
    told, whole = view.begun_data(begun, 1, "fa"), view.report_data(report, "fa")
    assert told["decisions"] == whole["decisions"][1:3] and told["layout"] == whole["layout"]
    assert view.decision_data(begun, 2, "en") == view.decision_data(report, 2, "en")
    row.partial = None
    assert view.begun_data(view.Begun.of(row), 0, "en")["decisions"] == []


async def test_a_review_that_a_lost_database_interrupted_is_taken_up_again() -> None:
    waits, put_back = ["the review"], []

    class Store:
        """A database that is away when the file is to be found: the review does not fail over that."""

        async def put_back(self, process: str | None = None) -> None:
            put_back.append(process)

        async def take(self, process: str) -> Any:
            return (
                SimpleNamespace(id=waits.pop(), source=UPLOAD, owner=process, source_id="") if waits else None
            )

        async def upload(self, *_: str) -> None:
            raise ConnectionRefusedError("nobody listens")

        async def fail(self, *_: str) -> None:
            failed.append(_)

    failed, clock = list[Any](), ManualClock()
    maker = ReviewMaker(cast("ReviewStore", Store()), cast("Any", None), "mine", cast("Any", None), clock)
    run = asyncio.create_task(maker.run())
    await clock.until_waiting(2.0)
    clock.advance(2.0)
    await eventually(lambda: put_back[-2:] == ["mine", None])
    assert not failed
    run.cancel()


async def test_a_match_of_more_decisions_than_a_report_can_have_is_refused_before_it_is_judged() -> None:
    engines = Questions(0)
    engines.queue.add(taker := ManualTaker(1, frozenset({Urgency.REVIEW})))
    row = cast("Any", SimpleNamespace(id="a", owner="b", plies=0))
    review = _Review(cast("ReviewStore", None), engines, ManualClock(), row, "")
    making = asyncio.create_task(review.make(b""))
    await eventually(lambda: taker.jobs)
    taker.jobs[0].settle({"key": "key", "total": MOST_DECISIONS + 1, "judged": []})
    with pytest.raises(EngineError, match="this match has 4501 decisions, and a review at most 4500"):
        await making
    assert len(taker.jobs) == 1


async def test_why_a_review_failed_is_told_in_the_readers_language(database: Database) -> None:
    from sheshbesh.server.people.directory import Directory

    store = ReviewStore(database)
    owner = (await Directory(database).new_guest(""))[0].id
    made = await store.ask(owner, UPLOAD, "a", "tavla", plies=0, about={})
    why = Text("this match has {n} decisions, and a review at most {most}", n=4501, most=4500)
    await store.fail(made, why)
    row = await store.one(owner, made)
    assert row is not None
    told = [entry_data(row, lang=lang)["error"] for lang in ("en", "fa")]
    assert told == [why, "این مسابقه ۴۵۰۱ تصمیم دارد و مرور دست بالا ۴۵۰۰ تا"]


async def test_everybodys_next_review_comes_before_anybodys_one_after_that(database: Database) -> None:
    from sheshbesh.server.people.directory import Directory

    directory, store = Directory(database), ReviewStore(database)
    one, other = [(await directory.new_guest(""))[0].id for _ in range(2)]
    for owner, source in ((one, "a"), (one, "b"), (one, "c"), (other, "d"), (other, "e")):
        await store.ask(owner, "match", source, "tavla", plies=0, about={})
    taken = []
    while (row := await store.take("p")) is not None:
        taken.append(row.source_id)
        await store.finish(row.id, b"{}", net="", summary={})
    assert taken == ["a", "d", "b", "e", "c"]


def test_a_history_of_nothing_has_no_points() -> None:
    assert history_data([])["points"] == []
