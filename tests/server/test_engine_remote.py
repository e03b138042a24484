"""Engine work on other hosts: what a line carries, who gets which question, and what is lost with whom."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from sheshbesh import __version__
from sheshbesh.errors import ProtocolError, SettingsError
from sheshbesh.rules import Side
from sheshbesh.server.engine import remote
from sheshbesh.server.engine.questions import packed, unpacked
from sheshbesh.server.engine.queue import NOT_STARTED, TRIES, EngineError, FairQueue, Job, Urgency
from sheshbesh.server.engine.remote import EngineHost, Hello, Line
from sheshbesh.server.engine.workers import COMMAND, LONGEST
from sheshbesh.server.reviews.store import DONE, FAILED
from sheshbesh.server.settings import Settings
from tests.server.clock import ManualClock
from tests.server.engine_help import OBEDIENT
from tests.server.live import WORKER_KEY, Live, free_port, live_site
from tests.server.postgres import Postgres
from tests.server.test_engine_questions import at
from tests.server.test_engine_queue import question
from tests.server.test_reviews import SHORT, uploaded
from tests.sizes import REVIEWED
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


# A line, as a server process has it


class Sent(list[dict[str, Any]]):
    """The frames that were sent by a line."""

    def __call__(self, text: str) -> None:
        self.append(json.loads(text))


def lined(slots: int = 3) -> tuple[FairQueue, Line, Sent]:
    queue, sent = FairQueue(clock=ManualClock()), Sent()
    line = Line(queue, Hello("", __version__, slots, "host"), sent)
    queue.add(line)
    return queue, line, sent


def offer(line: Line, n: int, last: str = "review") -> None:
    line.received(json.dumps({"t": "offer", "n": n, "last": last}))


async def test_a_worker_is_sent_what_it_has_offered_to_take_and_its_last_process_is_for_people() -> None:
    queue, line, sent = lined()
    for _ in range(3):
        queue.put(question("a", Urgency.REVIEW, name="review"))
    assert sent == []
    offer(line, 3, "analysis")
    assert sent == []
    offer(line, 3)
    assert [frame["ask"]["ask"] for frame in sent] == ["review", "review"]
    queue.put(question("a", Urgency.MATCH, name="decide"))
    queue.put(question("a", Urgency.MATCH, name="decide"))
    assert sent[2:] == [{"t": "job", "id": "3", "ask": {"ask": "decide"}, "seconds": 2.0, "urgency": "match"}]


async def test_answers_come_in_parts_and_errors_with_their_code() -> None:
    queue, line, _ = lined()
    jobs = [question("a", name=name) for name in ("long", "wrong", "null")]
    for job in jobs:
        queue.put(job)
    offer(line, 3)
    text = packed(json.dumps({"told": list(range(999))}).encode())
    line.received(json.dumps({"t": "answer", "id": "1", "part": text[:20], "more": True}))
    line.received(json.dumps({"t": "error", "id": "2", "code": "bad_argument", "text": "no match"}))
    line.received(json.dumps({"t": "answer", "id": "3", "part": packed(b"null")}))
    line.received(json.dumps({"t": "answer", "id": "1", "part": text[20:]}))
    line.received(json.dumps({"t": "answer", "id": "1", "part": text}))  # late, and of nobody's question
    assert await jobs[0].answer == {"told": list(range(999))} and await jobs[2].answer is None
    with pytest.raises(EngineError, match="no match") as refused:
        await jobs[1].answer
    assert refused.value.code == "bad_argument"


@pytest.mark.parametrize(
    "part",
    ["?", packed(b"no JSON"), packed(b"whole")[:8], packed(b" " * (2 * LONGEST + 1))],
    ids=["text", "no JSON", "cut", "long"],
)
async def test_a_damaged_answer_closes_the_line_and_its_question_waits_again(part: str) -> None:
    queue, line, _ = lined()
    lined_up = Line(queue, Hello("", __version__, 1, "spare"), Sent())
    queue.add(lined_up)
    queue.put(job := question("a"))
    offer(line, 1)
    with pytest.raises(ProtocolError, match="an answer is JSON by zlib and base64"):
        line.received(json.dumps({"t": "answer", "id": "1", "part": part}))
    line.lost()
    assert list(queue) == [job] and job.tries == 1


def test_what_is_packed_is_opened_up_to_its_bound() -> None:
    assert unpacked(packed(b"x" * 100), 101) == b"x" * 100
    with pytest.raises(ValueError, match="at most 99 bytes"):
        unpacked(packed(b"x" * 100), 99)


async def test_what_no_engine_of_a_worker_answered_counts_as_a_lost_try() -> None:
    queue, line, sent = lined()
    queue.put(job := question("a"))
    for tries in range(1, TRIES + 1):
        offer(line, 1)
        line.received(json.dumps({"t": "error", "id": str(tries), "code": "lost", "text": "it has ended"}))
        assert (job.tries, line.free, len(sent)) == (tries, 0, tries)
    with pytest.raises(EngineError, match="hint: it has ended"):
        await job.answer


@pytest.mark.parametrize(
    ("code", "told"), [("", "lost"), (NOT_STARTED, "lost"), ("bad_argument", "bad_argument")]
)
async def test_a_worker_tells_what_its_engines_did_not_answer_as_lost(
    code: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, line, job, sent = EngineHost("http://site", WORKER_KEY, 1, name="host"), Any, question("a"), Sent()
    monkeypatch.setattr(host, "_open", {line: {"1": job}})
    monkeypatch.setattr(host, "_send", lambda _, *frames: any(map(sent, frames)))
    job.fail("why", code)
    host.send_answer(cast("Any", line), "1", job)
    assert [frame["code"] for frame in sent if frame["t"] == "error"] == [told]


async def test_who_is_busy_gives_a_question_back_which_is_no_try() -> None:
    queue, line, sent = lined()
    job, later = question("a", name="first"), question("a", name="second")
    queue.put(job)
    queue.put(later)
    offer(line, 2, "advice")
    for frame in reversed(sent[:]):
        line.received(json.dumps({"t": "busy", "id": frame["id"]}))
    assert [each.kind for each in queue] == ["first", "second"] and job.tries == 0


async def test_what_workers_are_lost_over_is_given_to_others_three_times() -> None:
    queue, spare, _ = lined()
    job = question("a")
    queue.put(job)
    for tries in range(1, TRIES + 1):
        sent = Sent()
        line = Line(queue, Hello("", __version__, 1, f"host {tries}"), sent)
        queue.add(line)
        offer(line, 1)
        assert len(sent) == 1
        line.lost()
        assert job.tries == tries
    with pytest.raises(EngineError, match="the worker host 3 that had it was lost"):
        await job.answer
    assert spare.taken == 0


async def test_what_nobody_waits_for_is_withdrawn_from_a_worker() -> None:
    queue, line, sent = lined()
    queue.put(job := question("a"))
    offer(line, 1)
    queue.withdraw(job)
    assert sent[1:] == [{"t": "cancel", "id": "1"}] and line.taken == 0


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", '{"t":"job"}', '{"t":"offer","n":1,"last":"whenever"}', '{"t":"offer","n":"1"}'),
        *('{"t":"answer","id":"1","part":"?"}', '{"t":"hello","key":"","version":"","slots":1}'),
    ],
)
async def test_a_frame_that_cannot_be_read_is_refused(text: str) -> None:
    queue, line, _ = lined()
    queue.put(question("a"))
    offer(line, 1)
    with pytest.raises(ProtocolError):
        line.received(text)


# A site and its workers


@asynccontextmanager
async def working(
    live: Live, slots: int = 1, *, command: Sequence[str] = OBEDIENT, url: str = "", key: str = WORKER_KEY
) -> AsyncIterator[tuple[EngineHost, asyncio.Task[None]]]:
    """A worker at work for a site."""
    host = EngineHost(url or live.base, key, slots, name="host", command=command)
    task = asyncio.create_task(host.run())
    try:
        yield host, task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError, SettingsError):
            await task


async def there(live: Live, processes: int) -> None:
    """Wait until this number of processes serves this one, and is free."""
    queue = live.site.engines.queue
    await eventually(lambda: queue.elsewhere().processes == processes and not queue.elsewhere().taken)


def ask(live: Live, name: str, urgency: Urgency = Urgency.MATCH, **more: Any) -> Job:
    """A question that was put to this process."""
    clock = live.site.engines.clock
    job = Job(
        ask={"ask": name, **more},
        urgency=urgency,
        seconds=60.0,
        answer=asyncio.get_running_loop().create_future(),
        deadline=clock.monotonic() + 60.0,
    )
    live.site.engines.queue.put(job)
    return job


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/site.db"


async def test_a_site_on_sqlite_is_served_by_workers_and_knows_when_the_last_is_gone(url: str) -> None:
    async with live_site(url) as live:
        browser = await live.browser()
        async with working(live, 2) as (host, _):
            await there(live, 2)
            found = await asyncio.gather(*(ask(live, "hint", long=100_000 * n).answer for n in range(6)))
            assert [len(each["long"]) for each in found] == [100_000 * n for n in range(6)]
            assert len({each["pid"] for each in found}) == 2 and host.answered == 6
            assert (await browser.http.get("/api/v1/ready")).json()["engines"]["elsewhere"] == 2
            with pytest.raises(EngineError, match="this is wrong"):
                await ask(live, "wrong").answer
        await eventually(lambda: not live.site.engines.are_up)
        assert (await live.site.engines.decide(at("tavla.p3"), Side.WHITE, "beginner")).guessed


async def test_what_a_worker_had_that_ends_is_no_try_and_what_ends_all_fails(
    url: str, tmp_path: Path
) -> None:
    async with live_site(url) as live:
        async with working(live) as (_, task):
            await there(live, 1)
            job = ask(live, "wait", path=str(tmp_path / "begun"))
            await eventually(lambda: job.taker is not None)
            task.cancel()
            await eventually(lambda: live.site.engines.queue.elsewhere().workers == 0)
        with pytest.raises(EngineError):
            await job.answer
        assert job.tries == 0, "a worker that ends gives it back"
        async with working(live), working(live):
            await there(live, 2)
            with pytest.raises(EngineError):
                await ask(live, "die").answer


async def test_a_worker_that_says_nothing_is_lost(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "SILENT", 0.05)
    async with live_site(url) as live, connect(f"{live.base.replace('http', 'ws')}{remote.PATH}") as line:
        await line.send(json.dumps({"t": "hello", "key": WORKER_KEY, "version": __version__, "slots": 1}))
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == remote.SILENCE


@pytest.mark.parametrize(
    ("hello", "code"),
    [
        ({"key": "another key, which is wrong"}, remote.WRONG_KEY),
        ({"version": "0.0.1"}, remote.WRONG_VERSION),
        ({"slots": 0}, remote.UNREADABLE),
        ({"t": "offer", "n": 1, "last": "review"}, remote.UNREADABLE),
    ],
)
async def test_nobody_without_the_key_or_of_another_version_is_let_in(
    url: str, hello: dict[str, Any], code: int
) -> None:
    frame = {"t": "hello", "key": WORKER_KEY, "version": __version__, "slots": 1} | hello
    async with live_site(url) as live, connect(f"{live.base.replace('http', 'ws')}{remote.PATH}") as line:
        await line.send(json.dumps(frame))
        with pytest.raises(ConnectionClosed) as closed:
            await line.recv()
        assert closed.value.rcvd is not None and closed.value.rcvd.code == code
        assert live.site.engines.queue.elsewhere().workers == 0


@pytest.mark.parametrize(
    ("url", "key", "error"),
    [
        (None, "another key, which is wrong", "SHESHBESH_WORKER_KEY is to be the same there and here"),
        ("http://127.0.0.1:9", WORKER_KEY, "does not answer"),
        ("postgresql://127.0.0.1/x", WORKER_KEY, "looks like http://site:8000"),
    ],
)
async def test_a_worker_says_why_it_cannot_serve(
    tmp_path: Path, url: str | None, key: str, error: str
) -> None:
    async with live_site(f"sqlite:///{tmp_path}/site.db") as live:
        with pytest.raises(SettingsError, match=error):
            await EngineHost(url or live.base, key, 1, name="host").run()


async def test_a_site_without_a_key_lets_nobody_in(url: str) -> None:
    async with live_site(url, own_engines=True, engine_workers=1, worker_key="") as live:
        browser = await live.browser()
        head = {"Authorization": "Bearer anything"}
        assert (await browser.http.get(remote.PROCESSES, headers=head)).status_code == 404


async def test_two_processes_and_two_workers_share_the_work(postgres: Postgres) -> None:
    """Each worker knows one process, and finds the other by the address that it says."""
    url, ports = postgres.url(), [free_port(), free_port()]
    addresses = [f"http://127.0.0.1:{port}" for port in ports]
    async with (
        live_site(url, port=ports[0], internal_url=addresses[0]) as one,
        live_site(url, port=ports[1], internal_url=addresses[1]) as two,
        working(one) as (first, _),
        working(two) as (second, _),
    ):
        for each in (one, two):
            await there(each, 2)
        pids: set[int] = set()
        asked = 0

        async def both_have_answered() -> bool:
            # A worker that has not said yet that it is free is asked nothing.
            nonlocal asked
            jobs = [ask(each, "hint") for _ in range(6) for each in (one, two)]
            asked += len(jobs)
            pids.update(each["pid"] for each in await asyncio.gather(*(job.answer for job in jobs)))
            return len(pids) == 2

        await eventually(both_have_answered)
        assert first.answered and second.answered
        assert first.answered + second.answered == asked


async def test_a_review_is_judged_elsewhere_and_is_the_same(url: str) -> None:
    async with live_site(url) as live:
        here = await _reviewed(live)
        async with working(live, 2, command=COMMAND) as (host, _):
            await there(live, 2)

            async def judged_there() -> bool:
                # Until the worker has said that it is free, the site's own processes answer.
                assert await _reviewed(live) == here
                return host.answered > 1

            await eventually(judged_there)


async def _reviewed(live: Live) -> bytes:
    """The report of a stranger's upload."""
    browser = await live.browser()
    review = (await browser.post("/uploads", uploaded(SHORT, plies=1)))["id"]

    async def made() -> Any:
        row = await live.site.reviews.store.one(browser.id, review)
        assert row is None or row.state != FAILED, row.error
        return row if row is not None and row.state == DONE else None

    return zlib.decompress((await eventually(made, seconds=REVIEWED)).report)


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"own_engines": False}, "SHESHBESH_WORKER_KEY"),
        ({"worker_key": "short"}, "WORKER_KEY has at least 16 characters"),
        ({"internal_url": "site:8000"}, "INTERNAL_URL looks like"),
    ],
)
def test_settings_of_workers_that_cannot_be_are_named(given: dict[str, Any], error: str) -> None:
    with pytest.raises(SettingsError, match=error):
        Settings(**given)
